"""One `re` pattern from a rule, with a group for each component: it splits what the automaton accepts.

Alternatives are tried in the order of print and optional elements are taken where they can be, which is
the choice that the rulings make wherever a text has several derivations (R-2396-11, R-3986-04).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from urloracle.expression import (
    Alternation,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar import Grammar


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern and, for each component, the groups that may hold it."""

    regex: re.Pattern[str]
    groups: Mapping[str, tuple[int, ...]]

    def split(self, text: str) -> dict[str, str | None] | None:
        """Each component's text, None where it is absent; None altogether where the rule does not match."""
        match = self.regex.fullmatch(text)
        if match is None:
            return None
        return {
            name: next((match[number] for number in numbers if match[number] is not None), None)
            for name, numbers in self.groups.items()
        }

    def finditer(self, text: str) -> Iterator[dict[str, str | None]]:
        """The split of each occurrence of the rule in a text, from left to right."""
        for match in self.regex.finditer(text):
            yield {name: match[numbers[0]] for name, numbers in self.groups.items()}


def pattern(grammar: Grammar, rule: str, components: Iterable[str]) -> Pattern:
    """The pattern of a rule; the outermost occurrence of each component rule becomes a group."""
    writer = _Writer(grammar, {name.lower(): name for name in components})
    source = writer.write(grammar[rule])
    return Pattern(re.compile(source), {name: tuple(numbers) for name, numbers in writer.groups.items()})


class _Writer:
    def __init__(self, grammar: Grammar, components: Mapping[str, str]) -> None:
        self.grammar = grammar
        self.components = components
        self.groups: dict[str, list[int]] = {name: [] for name in components.values()}
        self._count = 0
        self._inside = False

    def write(self, expression: Expression) -> str:
        characters = self.grammar.character_class(expression)
        if characters is not None and not self._captures(expression):
            return _set(characters)
        match expression:
            case Reference(name):
                return self._reference(name)
            case Sequence(items):
                return "".join(self.write(item) for item in items)
            case Alternation(items):
                return f"(?:{'|'.join(self._alternatives(items))})"
            case Repetition(item, minimum, maximum):
                return f"(?:{self.write(item)}){_bounds(minimum, maximum)}"
            case Characters(members):
                return _set(members)

    def _captures(self, expression: Expression) -> bool:
        match expression:
            case Reference(name):
                return not self._inside and name.lower() in self.components
            case Alternation(items):
                return any(self._captures(item) for item in items)
            case _:
                return False

    def _reference(self, name: str) -> str:
        component = self.components.get(name.lower())
        if self._inside or component is None:
            return f"(?:{self.write(self.grammar[name])})"
        self._count += 1
        self.groups[component].append(self._count)
        self._inside = True
        try:
            return f"({self.write(self.grammar[name])})"
        finally:
            self._inside = False

    def _alternatives(self, items: tuple[Expression, ...]) -> Iterator[str]:
        """The alternatives; single characters are folded into one set, put first."""
        single: frozenset[str] = frozenset()
        longer: list[Expression] = []
        for item in items:
            characters = self.grammar.character_class(item)
            if characters is None or self._captures(item):
                longer.append(item)
            else:
                single |= characters
        if single:
            yield _set(single)
        for item in longer:
            yield self.write(item)


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
        first, last = re.escape(chr(start)), re.escape(chr(previous))
        yield first if start == previous else f"{first}-{last}"
        start = previous = code
