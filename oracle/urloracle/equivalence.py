"""Equivalence: two URLs are compared by their components, in steps that make alike what may differ.

The force of a step says whether a comparison must, should or may take it, and so which other verdict is
admissible.  The steps of each RFC stand in `equivalences`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from urloracle.normalization import Mode

Force = Literal["must", "should", "may"]
Components = dict[str, Any]


class OtherVerdict(NamedTuple):
    """Another admissible verdict, and the ruling or section that leaves it open."""

    equal: bool
    ruling: str


class Equivalence(NamedTuple):
    """The recommended verdict, the other admissible ones, and the components that differ.

    `differs` names the components that are not alike after the steps that must be taken: of texts that are
    equal beyond doubt there are none.
    """

    equal: bool
    also: tuple[OtherVerdict, ...]
    differs: tuple[str, ...]


class Characters(NamedTuple):
    """The character classes of the grammar on which escapes depend."""

    unreserved: frozenset[str]
    reserved: frozenset[str]


class Step(NamedTuple):
    """One way to differ and yet be equivalent: what removes it, who says so, and its force in each mode."""

    apply: Callable[[Components, Characters], Components]
    ruling: str
    syntax: Force
    scheme: Force


def compare(
    one: Components, other: Components, steps: Sequence[Step], mode: Mode, characters: Characters
) -> Equivalence:
    """The verdict after the steps that must be taken, then after those that should, then those that may."""
    ranked: dict[Force, list[Step]] = {"must": [], "should": [], "may": []}
    for step in steps:
        ranked[step.syntax if mode == "syntax" else step.scheme].append(step)
    one, other, _ = _take(one, other, ranked["must"], characters)
    if same(one, other):
        return Equivalence(True, (), ())
    differs = tuple(_difference(one, other))
    one, other, left_open = _take(one, other, ranked["should"], characters)
    if same(one, other):
        return Equivalence(True, _verdicts(False, left_open), differs)
    one, other, more = _take(one, other, ranked["may"], characters)
    also = _verdicts(True, left_open + more) if same(one, other) else ()
    return Equivalence(False, also, differs)


def same(one: Components, other: Components) -> bool:
    """True where nothing is left that differs."""
    return one == other


def _take(
    one: Components, other: Components, steps: Sequence[Step], characters: Characters
) -> tuple[Components, Components, list[str]]:
    """Both texts after the steps, and the rulings of those that changed what differs."""
    rulings = []
    for step in steps:
        before = _difference(one, other)
        one, other = step.apply(one, characters), step.apply(other, characters)
        if _difference(one, other) != before:
            rulings.append(step.ruling)
    return one, other, rulings


def _difference(one: Components, other: Components) -> dict[str, tuple[Any, Any]]:
    """What stands in the places that both have and that differ."""
    pairs = {name: (value, other[name]) for name, value in one.items() if name in other}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _verdicts(equal: bool, rulings: list[str]) -> tuple[OtherVerdict, ...]:
    return tuple(OtherVerdict(equal, ruling) for ruling in dict.fromkeys(rulings))
