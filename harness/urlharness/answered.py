"""How many vectors of an RFC were answered in full, by operation, and whether all of them were asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from urlharness.corpus import Operation, Spec
from urlharness.results import Results

#: Outcomes of vectors that were not answered, or not in full.
SHORT = frozenset(("unsupported", "partial"))


def answered(
    results: Results, implementation: str, specs: Collection[str] = (), known: Collection[str] | None = None
) -> dict[Spec, dict[Operation, int]]:
    """How many vectors were answered in full, be it wrongly, of each RFC of which all vectors were asked.

    An operation without an answer is left out.  `specs` are the RFCs that are judged, all of them if empty;
    `known` are the ids of the whole corpus, without which nobody knows how many there are.
    """
    if known is None:
        return {}
    full: dict[Spec, Counter[Operation]] = {}
    for (facts, outcome), count in results.counted.get(implementation, {}).items():
        if outcome not in SHORT:
            full.setdefault(facts.spec, Counter())[facts.op] += count
    asked, sizes = _asked(results, implementation), _sizes(results, known)
    return {
        spec: dict(sorted(full.get(spec, {}).items()))
        for spec in sorted(asked)
        if asked[spec] == sizes[spec] and (not specs or spec in specs)
    }


def asked_in_part(
    results: Results, implementation: str, specs: Collection[str] = (), known: Collection[str] | None = None
) -> list[Spec]:
    """The RFCs of which some vectors were asked, and not all: of their coverage nothing can be said."""
    if known is None:
        return []
    asked, sizes = _asked(results, implementation), _sizes(results, known)
    return [spec for spec in sorted(asked) if asked[spec] != sizes[spec] and (not specs or spec in specs)]


def _asked(results: Results, implementation: str) -> Counter[Spec]:
    """How many vectors of each RFC were settled."""
    asked = Counter[Spec]()
    for (facts, _), count in results.counted.get(implementation, {}).items():
        asked[facts.spec] += count
    return asked


def _sizes(results: Results, known: Collection[str]) -> Counter[str]:
    """How many vectors the corpus has of each RFC: what the results say, or else the ids."""
    return Counter(results.header.sizes) or Counter(name.partition("-")[0] for name in known)
