"""How complete a run is: asked of how many, interrupted, aborted, unanswered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

import msgspec

from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus, Operation, Spec, corpus_dir
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.verdict import Outcome
from urlharness.text import counted, plain, rfc

# -------------------- answered: How many cases of an RFC and of a generated part were answered in full, and whether all were asked.


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
        if outcome.complete:
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


# -------------------- missing: What the results of a run that was cut do not have: how it ended, and which cases were not settled.


def missing(results: Results) -> list[str]:
    """A sentence for each thing that is missing; empty where the run came to its end."""
    if results.complete:
        return []
    ends = []
    if results.torn:
        ends.append(f"The file ends in the middle of line {results.torn:,}.")
    elif not (results.interrupted or results.stopped):
        ends.append("The file has no footer: the run was killed, or is still going on.")
    ends += [f"{stop(results, name)}." for name in results.stopped]
    if not results.participants:
        return [*ends, "No adapter was asked, and there may be more vectors than the file has."]
    for participant in results.participants:
        ends += _unsettled(results, participant)
    if results.stopped and not results.interrupted:
        return ends
    return [*ends, "Adapters that were still to be asked may be missing."]


def stop(results: Results, name: str) -> str:
    """Where `--maxfail` stopped an adapter, in a sentence without its end; empty where it did not."""
    failures = results.stopped.get(name)
    if failures is None:
        return ""
    settled = sum(results.counted.get(name, {}).values())
    settled += sum(sum(one.outcomes.values()) for one in results.tallies if one.implementation == name)
    return f"{plain(name)}: stopped at {counted(failures, 'failure')}, after {counted(settled, 'case')}"


def given_up(results: Results, name: str) -> str:
    """Why an adapter was asked no more, in a clause, where cases of it were aborted; otherwise empty."""
    outcomes = {outcome for _, outcome in results.counted.get(name, {})}
    for tally in results.tallies:
        if tally.implementation == name:
            outcomes |= tally.outcomes.keys()
    if Outcome.ABORTED not in outcomes:
        return ""
    kept = (one.result for one in results.examples if one.result.implementation == name)
    reasons = (one.detail for one in chain(results.of(name).values(), kept) if one.outcome is Outcome.ABORTED)
    return next(filter(None, reasons), "it was asked no more")


def last_straw(results: Results, name: str) -> str:
    """The id of the last case that ended the adapter before it was given up; empty where there is none."""
    last = ""
    for one in results.of(name).values():
        if one.outcome is Outcome.ABORTED:
            return last
        if one.outcome.abnormal and one.outcome is not Outcome.ERROR:
            last = one.id
    return ""


def _unsettled(results: Results, participant: Participant) -> Iterator[str]:
    """Of one adapter that was asked, what was not settled."""
    if participant.state != "ran":
        return
    name = plain(participant.name)
    asked = sum(results.asked.values())
    settled = sum(results.counted.get(participant.name, {}).values())
    if settled < asked:
        yield f"{name}: {settled:,} of {asked:,} vectors were settled."
    tallies = [tally for tally in results.tallies if tally.implementation == participant.name]
    whole = {tally.part for tally in tallies if tally.digest}
    parts = [part for part in results.header.tiers if part not in whole]
    if parts:
        some = ", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else "")
        yield f"{name}: generated parts that were not counted to their end: {some}."


# -------------------- report.extent: How much of the corpus a run covers: a figure of some of its vectors must not pass for one of all.


#: A specification and a section of it, or a tier.
Place = tuple[str, str]


class Part(NamedTuple):
    """A specification of which a run asked some vectors only: how many, and of how many."""

    spec: str
    asked: int
    total: int


def section_sizes(corpus: Corpus) -> Mapping[Place, int]:
    """How many vectors each section of a corpus has."""
    return Counter((case.spec, case.section) for case in corpus.cases)


def corpus_sizes(results: Results) -> Mapping[Place, int] | None:
    """How many vectors each section has in the corpus of the run; None where another one is installed."""
    digest, sizes = _installed()
    return sizes if digest == results.header.corpus else None


@cache
def _installed() -> tuple[str, Mapping[Place, int]]:
    corpus = load()
    return corpus.digest, section_sizes(corpus)


def asked_sizes(results: Results) -> Mapping[Place, int]:
    """How many vectors of each section the run asked."""
    sizes = Counter[Place]()
    for facts, count in results.asked.items():
        sizes[facts.spec, facts.section] += count
    return sizes


def extent(results: Results) -> str:
    """How many cases a run asked of each implementation, in words."""
    vectors = sum(results.asked.values())
    parts: dict[str, int] = {}
    for tally in results.tallies:
        parts[tally.part] = max(parts.get(tally.part, 0), sum(tally.outcomes.values()))
    generated = [counted(sum(parts.values()), "generated case")] if parts else []
    stored = [counted(vectors, "vector")] if vectors or not parts else []
    return " and ".join(stored + generated)


def partly_asked(results: Results) -> list[Part]:
    """The specifications of which the run asked some vectors only."""
    asked = Counter[str]()
    for facts, count in results.asked.items():
        asked[facts.spec] += count
    sizes = results.header.sizes
    return [Part(spec, asked[spec], total) for spec, total in sizes.items() if 0 < asked[spec] < total]


class Tiered(NamedTuple):
    """A generated tier of a specification of which a run asked some parts only: how many, and of how many."""

    spec: str
    tier: str
    asked: int
    total: int


class _Entry(msgspec.Struct):
    """A part of a tier, as the file of the tiers names it."""

    tier: str
    spec: str


class _Tiers(msgspec.Struct):
    tiers: list[_Entry]


@cache
def _generated() -> Mapping[Place, int]:
    """How many parts each tier of a specification has; none where the file of the tiers cannot be read."""
    try:
        content = msgspec.json.decode((corpus_dir() / "tiers.json").read_bytes(), type=_Tiers)
    except (OSError, msgspec.MsgspecError):
        return {}
    return Counter((entry.spec, entry.tier) for entry in content.tiers)


def partly_tiered(results: Results) -> list[Tiered]:
    """The generated tiers of which the run asked the cases of some rules only."""
    parts = {(one.spec, one.tier, one.part) for one in results.tallies}
    asked = Counter[Place]((spec, tier) for spec, tier, _ in parts)
    found = (Tiered(*place, count, _generated().get(place, 0)) for place, count in sorted(asked.items()))
    return [one for one in found if one.asked < one.total]


def partly_generated(results: Results) -> list[str]:
    """The generated parts of which some implementation was not asked every case."""
    return list(dict.fromkeys(tally.part for tally in results.tallies if not tally.digest))


def partial(results: Results) -> frozenset[Place]:
    """The specifications, each with an empty tier, and the tiers of them that were asked in part only.

    No figure of theirs says that anybody complies.
    """
    tiers = {(one.spec, one.tier) for one in partly_tiered(results)}
    tiers |= {(tally.spec, tally.tier) for tally in results.tallies if not tally.digest}
    return frozenset({(part.spec, "") for part in partly_asked(results)} | tiers)


def caveats(results: Results) -> list[str]:
    """What a reader has to know before any figure: that the run was cut, or asked some vectors only."""
    found = []
    if not results.complete:
        why = "interrupted" if results.interrupted else "cut short"
        found.append(f"The run was {why}: figures are of the cases that were settled.")
        found += missing(results)
    found += [
        f"Only {part.asked:,} of the {part.total:,} vectors of {rfc(part.spec)} were asked."
        for part in partly_asked(results)
    ]
    found += [
        f"Only {one.asked} of the {one.total} rules of {rfc(one.spec)}, tier {one.tier}, were asked."
        for one in partly_tiered(results)
    ]
    parts = partly_generated(results)
    if parts:
        some = ", ".join(parts[:5]) + (f" and {len(parts) - 5} more" if len(parts) > 5 else "")
        found.append(f"Not all generated cases were asked of {some}.")
    return found
