"""Survivors grouped by their witnesses: each becomes a candidate for a vector, labelled by the automaton."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from urloracle.specifications import specification
from urloracle.transducer import split_table


def candidates(spec: str, survivors: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each rule and witness a candidate, in the order of rule and text.

    A candidate has `op`, `rule`, `url` and `expect` as a vector has them, and in `mutants` what it tells.
    """
    found: dict[tuple[str, str, bool], list[str]] = {}
    for one in survivors:
        key = (one["rule"], one["witness"], one["components"])
        found.setdefault(key, []).append(f"{one['changed']}: {one['operator']}")
    chosen = specification(spec)
    result = []
    for (rule, text, components), mutants in sorted(found.items()):
        automaton = chosen.languages[rule].automaton
        valid = automaton.accepts(text)
        if components:
            table = split_table(chosen, rule)
            parts = table.split(text)
            assert parts is not None  # two tables split it, in two ways
            expect: dict[str, Any] = {"components": dict(zip(table.components, parts, strict=True))}
        elif valid:
            expect = {"valid": True}
        else:
            expect = {"valid": False, "at": automaton.longest_viable_prefix(text).length}
        op = "parse" if components else "validate"
        result.append(
            {"op": op, "rule": rule, "url": text, "expect": expect, "mutants": sorted(set(mutants))}
        )
    return result
