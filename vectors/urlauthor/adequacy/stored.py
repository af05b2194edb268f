"""The file with the figures of each RFC, which belong to the vectors that were measured.

The figures of an RFC depend on its own vectors and, if it amends another RFC, on the vectors of that one
(`urlharness.adequacy.suites.lent_texts`). The file has the digest of these vectors for each RFC, so only the
RFCs whose vectors have changed are measured again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from urlharness.corpus.lock import Lock, digest_of_vectors, vector_digest
from urlharness.corpus.model import Corpus
from urlharness.corpus.specifications import SPECS, facts

SCHEMA = "urladequacy-1"


class Stored(NamedTuple):
    """The figures of each RFC, and the digest of the vectors that they belong to."""

    figures: Mapping[str, Any]
    vectors: Mapping[str, str]

    def fresh(self, digests: Mapping[str, str]) -> dict[str, Any]:
        """Return the figures of the RFCs whose vectors have these digests."""
        return {
            spec: figures
            for spec, figures in self.figures.items()
            if spec in digests and self.vectors.get(spec) == digests[spec]
        }

    def replace(self, figures: Mapping[str, Any], digests: Mapping[str, str]) -> Stored:
        """Return the new figures of some RFCs, of vectors with these digests, and the old ones of others."""
        vectors = {spec: digests[spec] for spec in figures}
        return Stored({**self.figures, **figures}, {**self.vectors, **vectors})


def measured_specs(spec: str) -> tuple[str, ...]:
    """Return the RFCs whose vectors the figures of an RFC depend on."""
    lender = facts(spec).amends
    return (spec,) if lender is None else (lender, spec)


def digests_of_corpus(corpus: Corpus) -> dict[str, str]:
    """Map each RFC to the digest of the vectors that its figures depend on."""
    digests = {case.vector.id: vector_digest(case) for case in corpus.cases}
    return {spec: digest_of_vectors(digests, measured_specs(spec)) for spec in SPECS}


def digests_of_lock(lock: Lock) -> dict[str, str]:
    """Return what `digests_of_corpus` returns for the locked corpus."""
    return {spec: lock.digest_of(*measured_specs(spec)) for spec in SPECS}


def read_stored(path: Path | None, sample: int | None, seed: int) -> Stored:
    """Return what a file has, or nothing if there is no file with figures of such a run."""
    document: Any = None
    if path is not None:
        with suppress(OSError, ValueError):
            document = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        return Stored({}, {})
    if (document.get("sample"), document.get("seed")) != (sample, seed):
        return Stored({}, {})
    return Stored(document.get("specs", {}), document.get("vectors", {}))


def document(stored: Stored, corpus: str, sample: int | None, seed: int) -> dict[str, Any]:
    """Return the content of the file, with the RFCs in the order of the corpus. `corpus` is its digest."""
    return {
        "schema": SCHEMA,
        "corpus": corpus,
        "sample": sample,
        "seed": seed,
        "vectors": _in_order(stored.vectors),
        "specs": _in_order(stored.figures),
    }


def _in_order(by_spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping by RFC in the order of the corpus."""
    names: Iterable[str] = SPECS
    return {spec: by_spec[spec] for spec in names if spec in by_spec}
