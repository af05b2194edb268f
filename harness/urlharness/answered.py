"""How many cases of an RFC and of a generated part were answered in full, and whether all were asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from urlharness.corpus import Operation, Spec
from urlharness.results import Results
from urlharness.tally import Tally

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


def answered_parts(
    results: Results, implementation: str, specs: Collection[str] = (), known: Collection[str] | None = None
) -> dict[str, dict[Operation, int]]:
    """How many cases were answered in full, be it wrongly, of each generated part that was asked whole.

    Without `known` it is empty, as `answered` is.
    """
    if known is None:
        return {}
    whole = (tally for tally in _parts(results, implementation, specs) if tally.digest)
    return {tally.part: dict(tally.answered) for tally in sorted(whole, key=lambda tally: tally.part)}


def asked_in_part(
    results: Results, implementation: str, specs: Collection[str] = (), known: Collection[str] | None = None
) -> list[str]:
    """The RFCs and generated parts of which not all was asked: of their coverage nothing can be said."""
    if known is None:
        return []
    asked, sizes = _asked(results, implementation), _sizes(results, known)
    some = [spec for spec in sorted(asked) if asked[spec] != sizes[spec] and (not specs or spec in specs)]
    return [*some, *sorted(one.part for one in _parts(results, implementation, specs) if not one.digest)]


def _parts(results: Results, implementation: str, specs: Collection[str]) -> Iterator[Tally]:
    """The generated parts of these RFCs, of all if empty, that were put to an adapter."""
    for tally in results.tallies:
        if tally.implementation == implementation and (not specs or tally.spec in specs):
            yield tally


def _asked(results: Results, implementation: str) -> Counter[Spec]:
    """How many vectors of each RFC were settled."""
    asked = Counter[Spec]()
    for (facts, _), count in results.counted.get(implementation, {}).items():
        asked[facts.spec] += count
    return asked


def _sizes(results: Results, known: Collection[str]) -> Counter[str]:
    """How many vectors the corpus has of each RFC: what the results say, or else the ids."""
    return Counter(results.header.sizes) or Counter(name.partition("-")[0] for name in known)
