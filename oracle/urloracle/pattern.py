"""One `re` pattern from a rule, with groups for its components: it splits what the automaton accepts.

Alternatives are tried in the order of print and optional elements are taken where they can be, which is the
choice that the rulings make wherever a text has several derivations (G-17, R-2396-11, R-3986-04).  A
repetition is possessive wherever no text could go on both inside and behind it: no match goes back there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from urloracle.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar import Grammar
from urloracle.lookahead import NOTHING, deterministic, first
from urloracle.rewriting import Wanted, branches, expand, fold_scheme, simplify, without_subsumed


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern and the components it splits into; `split` is one call of it."""

    regex: re.Pattern[str]
    components: tuple[str, ...]
    columns: Mapping[int | None, tuple[int, ...]]

    def split(self, text: str) -> tuple[str | None, ...] | None:
        """The text of each component, None where it is absent; None altogether where nothing matches."""
        match = self.regex.fullmatch(text)
        return None if match is None else self._columns(match)

    def occurrences(self, text: str) -> list[tuple[str | None, ...]]:
        """The split of each occurrence of the rule in a text, from left to right."""
        return [self._columns(match) for match in self.regex.finditer(text)]

    def _columns(self, match: re.Match[str]) -> tuple[str | None, ...]:
        numbers = self.columns[match.lastindex]
        return match.group(*numbers) if len(numbers) > 1 else (match[numbers[0]],)


def pattern(grammar: Grammar, rule: str, components: Iterable[str] = ()) -> Pattern:
    """The pattern of a rule that captures the outermost occurrence of each component.

    A component is a rule, `inner` of an outer one written `outer/inner`, or several rules of which any may
    occur, written `name=rule|rule`.  Each way of choosing between components is a branch of its own that ends
    in an empty group; the number of the group that closed last tells which branch has matched, and so where
    each component is.
    """
    columns, wanted = _read_components(components)
    expanded = expand(grammar, Reference(rule), wanted)
    if rule.lower() in grammar.fold_scheme:
        expanded = fold_scheme(expanded)
    writer = _Writer()
    sources, places = [], []
    for branch in branches(without_subsumed(grammar, expanded)):
        writer.places = {}
        source = writer.write(simplify(branch), NOTHING)
        sources.append(f"{source}()" if columns else source)
        writer.count += 1
        places.append((writer.count, writer.places))
    absent = writer.count + 1
    if columns:
        sources.append("(?!)()")  # a group that never matches, for the components that a branch lacks
    found: dict[int | None, tuple[int, ...]] = {
        mark: tuple(branch.get(name, absent) for name in columns) for mark, branch in places
    }
    return Pattern(re.compile("|".join(sources)), columns, found)


def _read_components(components: Iterable[str]) -> tuple[tuple[str, ...], Wanted]:
    """The names of the columns, and for each rule its column and what is wanted inside it."""
    columns: list[str] = []
    wanted: dict[str, tuple[str, Any]] = {}
    for component in components:
        outer, slash, inner = component.partition("/")
        name, _, rules = (inner if slash else component).partition("=")
        columns.append(name)
        level = wanted[outer.lower()][1] if slash else wanted
        for rule in (rules or name).split("|"):
            level[rule.lower()] = (name, {})
    return tuple(columns), wanted


class _Writer:
    """Writes expressions as `re` syntax; `places` are the groups of the components of the current branch."""

    def __init__(self) -> None:
        self.count = 0
        self.places: dict[str, int] = {}

    def write(self, expression: Expression, follow: frozenset[str]) -> str:
        """The source of an expression that is followed by one of the characters, or by the end."""
        match expression:
            case Characters(members):
                return _set(members)
            case Capture(name, item):
                self.count += 1
                self.places.setdefault(name, self.count)
                return f"({self.write(item, follow)})"
            case Sequence(items):
                return "".join(self._in_turn(items, follow))
            case Alternation(items):
                inside = "|".join(self.write(item, follow) for item in items)
                return f"(?:{inside})"
            case Repetition(item, minimum, maximum):
                return self._repetition(expression, item, minimum, maximum, follow)
            case Reference(name):
                raise ValueError(f"reference to {name} is not expanded")

    def _in_turn(self, items: tuple[Expression, ...], follow: frozenset[str]) -> Iterator[str]:
        for number, item in enumerate(items):
            yield self.write(item, first(Sequence(items[number + 1 :]), follow))

    def _repetition(
        self,
        whole: Expression,
        item: Expression,
        minimum: int,
        maximum: int | None,
        follow: frozenset[str],
    ) -> str:
        mark = "+" if deterministic(whole, follow) else ""
        again = follow if maximum == 1 else follow | first(item, NOTHING)
        match item:
            case Characters(members):
                return f"{_set(members)}{_bounds(minimum, maximum)}{mark}"
            # a run of single characters between the longer alternatives is matched in one go
            case Alternation((Characters(members), *others)) if maximum is None and minimum <= 1 and mark:
                run = f"{_set(members)}*+"
                rest = "|".join(self.write(other, again) for other in others)
                rest = f"(?:{rest})" if len(others) > 1 else rest
                start = "" if minimum == 0 else f"(?:{_set(members)}|{rest})"
                return f"{start}{run}(?:{rest}{run})*+"
        return f"(?:{self.write(item, again)}){_bounds(minimum, maximum)}{mark}"


def _bounds(minimum: int, maximum: int | None) -> str:
    match minimum, maximum:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _, None:
            return f"{{{minimum},}}"
        case _ if minimum == maximum:
            return f"{{{minimum}}}"
        case _:
            return f"{{{minimum},{maximum}}}"


def _set(characters: frozenset[str]) -> str:
    if len(characters) == 1:
        return re.escape(next(iter(characters)))
    return f"[{''.join(_ranges(sorted(map(ord, characters))))}]"


def _ranges(codes: list[int]) -> Iterator[str]:
    start = previous = codes[0]
    for code in [*codes[1:], -1]:
        if code == previous + 1:
            previous = code
            continue
        low, high = re.escape(chr(start)), re.escape(chr(previous))
        yield low if start == previous else f"{low}-{high}"
        start = previous = code
