"""How much of the corpus a run covers: a figure of some of its vectors must not pass for one of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import msgspec

from urlharness.corpus import Corpus, corpus_dir, load
from urlharness.missing import missing
from urlharness.report.texts import counted, rfc
from urlharness.results import Results

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
