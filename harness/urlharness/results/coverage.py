"""Coverage of a run: what was asked and answered in full, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

from urlharness.corpus.loader import load
from urlharness.corpus.lock import read_tiers
from urlharness.corpus.model import Corpus, Operation
from urlharness.corpus.specifications import Spec
from urlharness.results.model import Participant, Results
from urlharness.results.verdict import Outcome
from urlharness.text import plain
from urlharness.wording import counted, first_names, rfc

#: (RFC, section) or (RFC, tier).
Place = tuple[str, str]

#: Names that a sentence lists before "and N more".
_NAMES = 5


class PartlyAsked(NamedTuple):
    """An RFC, or a generated tier of an RFC, that was asked only in part.

    For an RFC, `tier` is empty, and `asked` and `total` count vectors. For a tier, they count rules.
    """

    spec: str
    tier: str
    asked: int
    total: int


# ---- what one adapter answered, for the gate


def answered(
    results: Results, implementation: str, specs: Collection[str] = (), known: Collection[str] | None = None
) -> dict[Spec, dict[Operation, int]]:
    """Map each RFC that was asked in full to the number of complete answers, right or wrong, by operation.

    `specs` are the judged RFCs (empty: all). `known` are the ids of the whole corpus. Without them, the
    result is empty, because the number of vectors is unknown.
    """
    if known is None:
        return {}
    complete = {
        spec: Counter[Operation]() for spec, whole in _settled(results, implementation, specs, known) if whole
    }
    for (kind, outcome), count in results.counted_of(implementation).items():
        if outcome.complete and kind.spec in complete:
            complete[kind.spec][kind.op] += count
    return {spec: dict(sorted(counts.items())) for spec, counts in complete.items()}


def answered_parts(
    results: Results, implementation: str, specs: Collection[str] = (), known: Collection[str] | None = None
) -> dict[str, dict[Operation, int]]:
    """Map each generated part that was asked in full to the number of complete answers, by operation.

    The arguments are those of `answered`. Without `known`, the result is empty.
    """
    if known is None:
        return {}
    tallies = sorted(results.tallies_of(implementation, specs), key=lambda tally: tally.part)
    return {tally.part: dict(tally.answered) for tally in tallies if tally.digest}


def partly_run(
    results: Results, implementation: str, specs: Collection[str] = (), known: Collection[str] | None = None
) -> list[str]:
    """Return the RFCs and generated parts that were asked only in part. Their coverage is unknown.

    The arguments are those of `answered`. Without `known`, the result is empty.
    """
    if known is None:
        return []
    some = [spec for spec, whole in _settled(results, implementation, specs, known) if not whole]
    return [*some, *sorted(one.part for one in results.tallies_of(implementation, specs) if not one.digest)]


def _settled(
    results: Results, implementation: str, specs: Collection[str], known: Collection[str]
) -> Iterator[tuple[Spec, bool]]:
    """Yield (RFC, whether all its vectors have an outcome) for each RFC that was asked.

    The number of vectors of an RFC comes from the results file. If the file does not state it, the ids in
    `known` are counted.
    """
    settled = Counter[Spec]()
    for (kind, _), count in results.counted_of(implementation, specs).items():
        settled[kind.spec] += count
    sizes = Counter[str](results.header.sizes) or Counter(name.partition("-")[0] for name in known)
    return ((spec, settled[spec] == sizes[spec]) for spec in sorted(settled))


# ---- how an adapter ended


def stopped_early(results: Results, name: str) -> str:
    """Say when `--maxfail` stopped an adapter, without a full stop.

    Return an empty string if it did not stop the adapter.
    """
    failures = results.stopped.get(name)
    if failures is None:
        return ""
    settled = sum(results.counted_of(name).values())
    settled += sum(sum(tally.outcomes.values()) for tally in results.tallies_of(name))
    return f"{plain(name)}: stopped at {counted(failures, 'failure')}, after {counted(settled, 'case')}"


def given_up(results: Results, name: str) -> str:
    """Say why an adapter was given up, or return an empty string if none of its cases was aborted."""
    outcomes = {outcome for _, outcome in results.counted_of(name)}
    if Outcome.ABORTED not in outcomes.union(*(tally.outcomes for tally in results.tallies_of(name))):
        return ""
    examples = (one.result for one in results.examples if one.result.implementation == name)
    aborted = (one for one in chain(results.of(name).values(), examples) if one.outcome is Outcome.ABORTED)
    return next((one.detail for one in aborted if one.detail), "it was not asked again")


def last_fatal_case(results: Results, name: str) -> str:
    """Return the id of the last case that ended the adapter before the adapter was given up.

    Return an empty string if the adapter was not given up, or if there is no such case.
    """
    last = ""
    for one in results.of(name).values():
        if one.outcome is Outcome.ABORTED:
            return last
        if one.outcome.abnormal and one.outcome is not Outcome.ERROR:
            last = one.id
    return ""


# ---- how much of the corpus a run covers, for the reports


def section_sizes(corpus: Corpus) -> Mapping[Place, int]:
    """Count the vectors of each section of a corpus."""
    return Counter((case.spec, case.section) for case in corpus.cases)


def corpus_sizes(results: Results) -> Mapping[Place, int] | None:
    """Count the vectors of each section in the corpus of the run.

    Return None if that is not the installed corpus.
    """
    digest, sizes = _installed()
    return sizes if digest == results.header.corpus else None


@cache
def _installed() -> tuple[str, Mapping[Place, int]]:
    corpus = load()
    return corpus.digest, section_sizes(corpus)


def asked_sizes(results: Results) -> Mapping[Place, int]:
    """Count the vectors of each section that the run asked."""
    sizes = Counter[Place]()
    for kind, count in results.asked.items():
        sizes[kind.spec, kind.section] += count
    return sizes


def extent(results: Results) -> str:
    """Say how many cases a run asked of each implementation."""
    vectors = sum(results.asked.values())
    parts: dict[str, int] = {}
    for tally in results.tallies:
        parts[tally.part] = max(parts.get(tally.part, 0), sum(tally.outcomes.values()))
    generated = [counted(sum(parts.values()), "generated case")] if parts else []
    stored = [counted(vectors, "vector")] if vectors or not parts else []
    return " and ".join(stored + generated)


def partly_asked(results: Results) -> list[PartlyAsked]:
    """Return the RFCs and tiers that the run asked only in part, the RFCs first."""
    asked, sizes = Counter[Place](), Counter[Place]()
    for kind, count in results.asked.items():
        asked[kind.spec, ""] += count
    sizes.update({(spec, ""): size for spec, size in results.header.sizes.items()})
    if parts := sorted({(tally.spec, tally.tier, tally.part) for tally in results.tallies}):
        asked.update((spec, tier) for spec, tier, _ in parts)
        sizes.update((part.spec, part.tier) for part in read_tiers())
    found = [
        PartlyAsked(*place, count, sizes[place]) for place, count in asked.items() if count < sizes[place]
    ]
    return sorted(found, key=lambda part: part.tier != "")


def partial(results: Results) -> frozenset[Place]:
    """Return (RFC, "") for each RFC, and (RFC, tier) for each tier, that was asked only in part.

    The figures of such an RFC or tier do not show compliance.
    """
    found = {(part.spec, part.tier) for part in partly_asked(results)}
    return frozenset(found | {(tally.spec, tally.tier) for tally in results.tallies if not tally.digest})


def caveats(results: Results) -> list[str]:
    """Return the warnings for a reader if the run was cut short, or if it asked only some cases."""
    found = []
    if not results.complete:
        why = "interrupted" if results.interrupted else "cut short"
        found.append(f"The run was {why}: the figures count only cases with an outcome.")
        found += missing(results)
    for part in partly_asked(results):
        what, tier = ("rules", f", tier {part.tier},") if part.tier else ("vectors", "")
        found.append(
            f"Only {part.asked:,} of the {part.total:,} {what} of {rfc(part.spec)}{tier} were selected."
        )
    if parts := list(dict.fromkeys(tally.part for tally in results.tallies if not tally.digest)):
        found.append(f"Not all generated cases of {first_names(parts, _NAMES)} were asked.")
    return found


def missing(results: Results) -> list[str]:
    """Return sentences on what is missing in the results, or an empty list if the run is complete."""
    if results.complete:
        return []
    found = []
    if results.cut_line:
        found.append(f"The file ends in the middle of line {results.cut_line:,}.")
    elif not (results.interrupted or results.stopped):
        found.append("The file has no footer: the run was killed, or is still running.")
    found += [f"{stopped_early(results, name)}." for name in results.stopped]
    if not results.participants:
        return [*found, "No adapter was asked, and the file may not list all vectors of the run."]
    for participant in results.participants:
        found += _unsettled(results, participant)
    if results.stopped and not results.interrupted:
        return found
    return [*found, "Adapters that were not asked yet may be missing."]


def _unsettled(results: Results, participant: Participant) -> Iterator[str]:
    """Yield sentences on the vectors without an outcome and the unfinished generated parts of an adapter."""
    if participant.state != "ran":
        return
    name = plain(participant.name)
    asked = sum(results.asked.values())
    settled = sum(results.counted_of(participant.name).values())
    if settled < asked:
        yield f"{name}: {settled:,} of {asked:,} vectors have an outcome."
    whole = {tally.part for tally in results.tallies_of(participant.name) if tally.digest}
    if parts := [part for part in results.header.tiers if part not in whole]:
        yield f"{name}: generated parts that were not asked to the end: {first_names(parts, _NAMES)}."
