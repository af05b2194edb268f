"""`re` patterns of rules, with groups for components.

Alternatives are tried in the printed order and optional elements are matched if possible, as the rulings
require for ambiguous texts (G-17, R-2396-11, R-3986-04).  A repetition is possessive if the next character
always decides whether it continues, so there is no backtracking.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from urloracle.grammar.expression import (
    NOTHING,
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    deterministic,
    first,
)
from urloracle.grammar.grammar import Grammar
from urloracle.regex.rewriting import Wanted, branches, expand, fold_scheme, simplify, without_subsumed

Split = tuple[str | None, ...]
T = TypeVar("T", bound=tuple[Any, ...])

#: Maps the number of the last matched group to the groups of the components.
Columns = Mapping[int | None, tuple[int, ...]]
_Match = Callable[[str], re.Match[str] | None]

# for one first character: the branch tried first, its groups (None if already in order), the other branches
_Dispatch = tuple[_Match, tuple[int, ...] | None, _Match | None, Columns]

_QUANTIFIERS = {(0, None): "*", (1, None): "+", (0, 1): "?"}


class Branch(NamedTuple):
    """One branch of a pattern, in which the set of components is fixed.

    `source` is its regular expression, `groups` maps each component to the number of its group, `captures`
    is the number of groups.  `begins` contains every character with which a matching text can begin ("" for
    the empty text).
    """

    source: str
    groups: Mapping[str, int]
    captures: int
    begins: frozenset[str]


@dataclass(frozen=True, eq=False)
class Pattern:
    """The branches of a rule, in the order in which they are tried, and their components."""

    branches: tuple[Branch, ...]
    components: tuple[str, ...]
    _known: dict[str, _Dispatch] = field(default_factory=dict, init=False)

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """All branches as one pattern; if it has components, an empty group marks the end of each branch."""
        return self._joined[0]

    @cached_property
    def _joined(self) -> tuple[re.Pattern[str], Columns]:
        return _join(self.branches, self.components)

    @cached_property
    def split(self) -> Callable[[str], Split | None]:
        """A function that returns the text of each component (None if absent), or None without a match."""
        return self.splitter(tuple)

    def splitter(self, kind: type[T]) -> Callable[[str], T | None]:
        """Return a function like `split` that returns instances of the tuple class `kind`."""
        # only branches that can begin like the text are tried; the first of them is tried alone, since it
        # matches most texts and its groups are the components
        known, new, plain = self._known, tuple.__new__, kind is tuple

        def split(text: str) -> Any:
            begin = text[:1]
            dispatch = known.get(begin)
            if dispatch is None:
                if not any(begin in branch.begins for branch in self.branches):
                    return None
                dispatch = known[begin] = self._dispatch(begin)
            first, numbers, others, columns = dispatch
            match = first(text)
            if match is not None:
                found = match.groups() if numbers is None else _groups(match, numbers)
            elif others is None or (match := others(text)) is None:
                return None
            else:
                found = _groups(match, columns[match.lastindex])
            return found if plain else new(kind, found)

        return split

    def _dispatch(self, begin: str) -> _Dispatch:
        head, *tail = (branch for branch in self.branches if begin in branch.begins)
        regex, marks = _join((head,), self.components)
        others, columns = _join(tuple(tail), self.components)
        rest = others.fullmatch if tail else None
        (numbers,) = marks.values()
        if numbers == tuple(range(1, head.captures + 1)):
            return re.compile(head.source).fullmatch, None, rest, columns
        return regex.fullmatch, numbers, rest, columns

    def occurrences(self, text: str) -> list[Split]:
        """Return the split of each occurrence of the rule in a text."""
        regex, columns = self._joined
        return [_groups(match, columns[match.lastindex]) for match in regex.finditer(text)]


def _join(branches: tuple[Branch, ...], components: tuple[str, ...]) -> tuple[re.Pattern[str], Columns]:
    """Return one pattern of all branches, and by last group of a branch the groups of its components."""
    sources: list[str] = []
    columns: dict[int | None, tuple[int, ...]] = {}
    absent = sum(branch.captures + 1 for branch in branches) + 1
    count = 0
    for branch in branches:
        sources.append(f"{branch.source}()" if components else branch.source)
        columns[count + branch.captures + 1] = tuple(
            count + branch.groups[name] if name in branch.groups else absent for name in components
        )
        count += branch.captures + 1
    if components:
        sources.append("(?!)()")  # a group that never matches, for absent components
    return re.compile("|".join(sources)), columns


def _groups(match: re.Match[str], numbers: tuple[int, ...]) -> Split:
    return match.group(*numbers) if len(numbers) > 1 else (match[numbers[0]],)


def pattern(grammar: Grammar, rule: str, components: Iterable[str] = ()) -> Pattern:
    """Return a pattern of a rule; it captures the outermost occurrence of each component.

    A component is a rule, a rule inside another (`outer/inner`), or any of several rules (`name=rule|rule`).
    """
    columns, wanted = read_components(components)
    expanded = expand(grammar, Reference(rule), wanted)
    if rule.lower() in grammar.fold_scheme:
        expanded = fold_scheme(expanded)
    made = tuple(map(_branch, map(simplify, branches(without_subsumed(grammar, expanded)))))
    return Pattern(made, columns)


def _branch(expression: Expression) -> Branch:
    writer = _Writer()
    source = writer.write(expression, NOTHING)
    return Branch(source, writer.places, writer.count, first(expression, frozenset(("",))))


def read_components(components: Iterable[str]) -> tuple[tuple[str, ...], Wanted]:
    """Return the component names, and for each rule (component name, components inside it)."""
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
    """Writes expressions as `re` syntax; `places` maps each component to the number of its group."""

    def __init__(self) -> None:
        self.count = 0
        self.places: dict[str, int] = {}

    def write(self, expression: Expression, follow: frozenset[str]) -> str:
        """Return the regular expression; a character of `follow` or the end of the text comes after it."""
        match expression:
            case Characters(members):
                return character_set(members)
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
        self, whole: Expression, item: Expression, minimum: int, maximum: int | None, follow: frozenset[str]
    ) -> str:
        mark = "+" if deterministic(whole, follow) else ""
        again = follow if maximum == 1 else follow | first(item, NOTHING)
        match item:
            case Characters(members):
                return f"{character_set(members)}{_bounds(minimum, maximum)}{mark}"
            # match a run of single characters between the longer alternatives at once
            case Alternation((Characters(members), *others)) if maximum is None and minimum <= 1 and mark:
                run = f"{character_set(members)}*+"
                rest = "|".join(self.write(other, again) for other in others)
                rest = f"(?:{rest})" if len(others) > 1 else rest
                start = "" if minimum == 0 else f"(?:{character_set(members)}|{rest})"
                return f"{start}{run}(?:{rest}{run})*+"
        return f"(?:{self.write(item, again)}){_bounds(minimum, maximum)}{mark}"


def _bounds(minimum: int, maximum: int | None) -> str:
    if (minimum, maximum) in _QUANTIFIERS:
        return _QUANTIFIERS[minimum, maximum]
    if minimum == maximum:
        return f"{{{minimum}}}"
    return f"{{{minimum},{'' if maximum is None else maximum}}}"


def character_set(characters: frozenset[str]) -> str:
    """Return the regular expression of a set of characters."""
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
