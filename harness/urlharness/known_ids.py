"""Which ids a baseline may have: those of the corpus and of the parts of its tiers; and which it once had."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from urlharness.authoring.lock import read
from urlharness.corpus import Corpus, CorpusError, corpus_dir
from urlharness.release import LOCK


class Known(NamedTuple):
    """The ids that exist; digest and number of cases of each generated part; why other ids are gone."""

    ids: frozenset[str]
    parts: Mapping[str, str]
    cases: Mapping[str, int]
    gone: Mapping[str, str]

    def why(self, identifier: str) -> str:
        """Why an id is not known."""
        return self.gone.get(identifier, "the corpus never had it")


class _Part(msgspec.Struct):
    tier: str
    spec: str
    digest: str
    cases: int
    rule: str | None = None

    @property
    def name(self) -> str:
        return "-".join(filter(None, (self.tier, self.spec, self.rule)))


class _Parts(msgspec.Struct):
    tiers: tuple[_Part, ...]


def known(corpus: Corpus, directory: Path | None = None) -> Known:
    """What is known of a corpus, that in `directory` or the installed one; raises CorpusError."""
    root = directory or corpus_dir()
    parts: dict[str, str] = {}
    cases: dict[str, int] = {}
    if (root / "tiers.json").is_file():
        try:
            read_parts = msgspec.json.decode((root / "tiers.json").read_bytes(), type=_Parts)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorpusError(f"{root / 'tiers.json'}: {error}") from None
        parts = {part.name: part.digest[:12] for part in read_parts.tiers}
        cases = {part.name: part.cases for part in read_parts.tiers}
    gone: dict[str, str] = {}
    if (root / LOCK).is_file():
        for name, tombstone in read(root / LOCK).tombstones.items():
            gone[name] = f"removed in {tombstone.version}: {tombstone.reason}"
    ids = frozenset(case.vector.id for case in corpus.cases) | parts.keys()
    return Known(ids, parts, cases, gone)
