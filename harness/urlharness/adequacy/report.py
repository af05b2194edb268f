"""The figures as a document and as a table, and the goals that they are held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from urlharness.adequacy.analysis import TIERS
from urlharness.adequacy.counting import Count
from urlharness.adequacy.coverage import Coverage
from urlharness.adequacy.faults import DOMAINS
from urlharness.adequacy.measured import Measured

SCHEMA = "urladequacy-1"

#: The least rate of each figure, by tier.
GOALS: Mapping[tuple[str, str], float] = {
    ("core", "first_order"): 1.0,
    ("whole", "second_order"): 0.99,
    ("whole", "held_out"): 0.95,
    ("whole", "resolution"): 1.0,
    ("complete", "faults"): 1.0,
    ("bytes", "faults"): 1.0,
    ("k1", "faults"): 1.0,
}


def figures(measured: Mapping[str, Measured]) -> dict[str, Any]:
    """`{spec: {tier: {figure: {rate, killed, live, …}}}}`."""
    return {spec: _tiers(found) for spec, found in measured.items()}


def _tiers(found: Measured) -> dict[str, Any]:
    tiers: dict[str, dict[str, Any]] = {}
    for tier in TIERS:
        tiers[tier] = {
            "first_order": found.first[tier].asdict(),
            "second_order": found.second[tier].asdict(),
            "held_out": found.held_out[tier].asdict(),
        }
    for tier, count in found.resolution.items():
        tiers.setdefault(tier, {})["resolution"] = count.asdict()
    for tier, kinds in found.faults.items():
        tiers.setdefault(tier, {})["faults"] = _faults(tier, kinds)
    for tier, coverage in found.transitions.items():
        tiers[tier]["transitions"] = _coverage(coverage)
    tiers["core"]["offset_alone"] = found.by_offset
    return tiers


def _faults(tier: str, kinds: Mapping[str, Count]) -> dict[str, Any]:
    domain = [kind for kind in DOMAINS.get(tier, ()) if kind in kinds]
    total = Count()
    for kind in domain:
        total = total.plus(kinds[kind])
    beyond = {kind: count.asdict() for kind, count in kinds.items() if kind not in domain}
    claimed = {"domain": domain, **total.asdict()} if domain else {"domain": []}
    return claimed | ({"beyond": beyond} if beyond else {})


def _coverage(coverage: Coverage) -> dict[str, Any]:
    return {
        "live": Count(coverage.live_covered, coverage.live).asdict(),
        "rejecting": Count(coverage.rejecting_covered, coverage.rejecting).asdict(),
    }


def document(found: Mapping[str, Any], corpus: str, sample: int | None, seed: int) -> dict[str, Any]:
    """The result of a run with what it was run on."""
    return {"schema": SCHEMA, "corpus": corpus, "sample": sample, "seed": seed, "specs": dict(found)}


def missed(found: Mapping[str, Any]) -> Iterator[str]:
    """A line for each goal that is not reached."""
    for spec, tiers in found.items():
        for (tier, figure), least in GOALS.items():
            one = tiers.get(tier, {}).get(figure)
            if one is not None and one["rate"] < least:
                yield (
                    f"{spec} {tier} {figure}: {one['killed']} of {one['live']} is "
                    f"{one['rate']:.2%}, the goal {least:.0%}"
                )


COLUMNS = ("first_order", "second_order", "held_out", "resolution", "faults")


def rows(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """A row for each specification and tier: the rates, with killed and live beside them."""
    for spec, tiers in found.items():
        for tier, figures_of in tiers.items():
            cells = (_cell(figures_of.get(column)) for column in COLUMNS)
            yield (spec, tier, *cells, ", ".join(figures_of.get("faults", {}).get("domain", ())))


def _cell(one: Mapping[str, Any] | None) -> str:
    if one is None or "rate" not in one:
        return "·"
    return f"{one['rate']:.2%} {one['killed']}/{one['live']}"
