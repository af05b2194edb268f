"""Derivations: the tree of rules that derives a text.

If a text has several derivations, the tree is the one that the `re` patterns prefer.  It uses the first
possible alternative, uses optional elements if possible, and repeats as often as possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    unbounded,
)
from urloracle.grammar.grammar import Grammar
from urloracle.regex.rewriting import expand


@dataclass(frozen=True, slots=True)
class Derivation:
    """A node of the tree: a rule, the part of the text that it derives, and its children from left to right.

    `start` is the offset of this part in the whole text.  `bounded` is true if the words of the rule have a
    maximum length; for example, those of `pct-encoded` have three characters.
    """

    rule: str
    section: str
    text: str
    start: int
    bounded: bool
    children: tuple[Derivation, ...] = ()


def derivation(grammar: Grammar, rule: str, text: str) -> Derivation | None:
    """Return the derivation of a text, or None if the rule does not derive the text.

    The leaves of the tree are rules whose words are single characters.
    """
    matched = text
    if rule.lower() in grammar.fold_scheme:  # R-1738-03
        scheme, colon, rest = text.partition(":")
        matched = f"{scheme.lower()}{colon}{rest}"
    parser = _Parser(grammar, matched, text)
    reference = Reference(grammar.canonical_name(rule))
    if len(text) not in parser.ends(reference, 0):
        return None
    return parser.rule(reference.name, 0, len(text))


@dataclass
class _Parser:
    """Computes the offsets where an expression can end (memoized), then builds one derivation."""

    grammar: Grammar
    text: str
    printed: str
    known: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    kept: list[Expression] = field(default_factory=list)

    def ends(self, expression: Expression, start: int) -> tuple[int, ...]:
        key = (id(expression), start)
        if key not in self.known:
            self.kept.append(expression)  # while the object exists, no other object gets its id
            self.known[key] = tuple(dict.fromkeys(self._ends(expression, start)))
        return self.known[key]

    def _ends(self, expression: Expression, start: int) -> Iterator[int]:
        match expression:
            case Characters(members):
                if start < len(self.text) and self.text[start] in members:
                    yield start + 1
            case Reference(name):
                yield from self.ends(self.grammar[name], start)
            case Capture(_, item):
                yield from self.ends(item, start)
            case Alternation(items):
                for item in items:
                    yield from self.ends(item, start)
            case Sequence(items):
                yield from self._in_turn(items, 0, start, set())
            case Repetition(item, minimum, maximum):
                yield from self._repeated(item, minimum, maximum, start)

    def _in_turn(
        self, items: tuple[Expression, ...], number: int, start: int, seen: set[tuple[int, int]]
    ) -> Iterator[int]:
        """Yield the offsets where `items[number:]` can end if they begin at offset `start`.

        Skip each pair (number, offset) in `seen`, and add each visited pair to it.
        """
        if number == len(items):
            yield start
            return
        for end in self.ends(items[number], start):
            if (number, end) not in seen:
                seen.add((number, end))
                yield from self._in_turn(items, number + 1, end, seen)

    def _repeated(self, item: Expression, minimum: int, maximum: int | None, start: int) -> Iterator[int]:
        """Yield the offsets where a repetition of the item can end, more iterations first."""
        levels: list[tuple[int, ...]] = [(start,)]
        while maximum is None or len(levels) <= maximum:
            following = dict.fromkeys(
                end for begin in levels[-1] for end in self.ends(item, begin) if end > begin
            )
            if not following:
                break
            levels.append(tuple(following))
        yield from chain.from_iterable(reversed(levels[minimum:]))
        if len(levels) <= minimum and all(end in self.ends(item, end) for end in levels[-1]):
            yield from levels[-1]  # the missing iterations derive the empty string

    def rule(self, name: str, start: int, end: int) -> Derivation:
        """Return the derivation of `text[start:end]`.  The rule must derive this part of the text."""
        expression = self.grammar[name]
        leaf = self.grammar.character_class(expression) is not None
        children = () if leaf else tuple(self._children(expression, start, end))
        bounded = not unbounded(expand(self.grammar, expression, {}))
        name, section = self.grammar.canonical_name(name), self.grammar.section(name)
        return Derivation(name, section, self.printed[start:end], start, bounded, children)

    def _children(self, expression: Expression, start: int, end: int) -> Iterator[Derivation]:
        match expression:
            case Reference(name):
                yield self.rule(name, start, end)
            case Capture(_, item):
                yield from self._children(item, start, end)
            case Alternation(items):
                chosen = next(item for item in items if end in self.ends(item, start))
                yield from self._children(chosen, start, end)
            case Sequence(items):
                begin = start
                for number, item in enumerate(items):
                    rest, seen = items[number + 1 :], set[tuple[int, int]]()
                    stop = next(s for s in self.ends(item, begin) if end in self._in_turn(rest, 0, s, seen))
                    yield from self._children(item, begin, stop)
                    begin = stop
            case Repetition(item, minimum, maximum):
                yield from self._iterations(item, minimum, maximum, start, end)
            case Characters():
                pass

    def _leading(self, item: Expression, start: int, end: int) -> set[int]:
        """Return the offsets at which an iteration can end in a repetition from `start` to `end`."""
        sources: dict[int, list[int]] = {start: []}
        queue = [start]
        for begin in queue:
            for stop in self.ends(item, begin):
                if begin < stop <= end:
                    if stop not in sources:
                        sources[stop] = []
                        queue.append(stop)
                    sources[stop].append(begin)
        leading, back = {end}, [end]
        for stop in back:
            fresh = [source for source in sources[stop] if source not in leading]
            leading.update(fresh)
            back += fresh
        return leading

    def _iterations(
        self, item: Expression, minimum: int, maximum: int | None, start: int, end: int
    ) -> Iterator[Derivation]:
        begin, left = start, maximum
        if maximum is None and minimum <= 1:
            leading = self._leading(item, start, end)
            while begin < end:
                stop = next(stop for stop in self.ends(item, begin) if stop > begin and stop in leading)
                yield from self._children(item, begin, stop)
                begin = stop
        while begin < end:
            minimum, left = max(minimum - 1, 0), None if left is None else left - 1
            stop = next(
                stop
                for stop in self.ends(item, begin)
                if stop > begin and end in self._repeated(item, minimum, left, stop)
            )
            yield from self._children(item, begin, stop)
            begin = stop
