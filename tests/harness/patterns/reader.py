"""An independent reader of patterns: the syntax of each flavour, and the automaton of what it means.

It shares no code with the writer. It knows only the syntax that a pattern of a rule needs, and refuses
everything else. `difference` compares a pattern with a deterministic automaton by walking through both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from urloracle.automata.dfa import Automaton
from urloracle.grammar.alphabet import span_of, stand_ins

#: Code points from the first to the second.
Span = tuple[int, int]
ALL = 0x110000
HIGH = (0xD800, 0xDBFF)
LOW = (0xDC00, 0xDFFF)


class BadPattern(ValueError):
    """The text is no pattern of the flavour, or one that this reader does not know."""


class Dialect(NamedTuple):
    """The syntax of a flavour.

    `escapable` are the characters that may come after a backslash, `in_set` those in a bracket expression,
    and `numerals` the escapes of code points by their first characters: the number of hexadecimal digits, or
    0 if they are in braces.
    """

    begin: str
    end: str
    escapable: str
    in_set: str
    numerals: dict[str, int]
    name: str | None = None
    most_repetitions: int = 10_000
    is_posix: bool = False
    is_utf16: bool = False
    has_possessive: bool = False


_SYNTAX = "^$\\.*+?()[]{}|"
_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_BRACES = {"x{": 0, "x": 2}
DIALECTS = {
    "python": Dialect("\\A", "\\Z", _PUNCTUATION, _PUNCTUATION, {"x": 2, "u": 4, "U": 8}, "(?P<"),
    "pcre2": Dialect("\\A", "\\z", _PUNCTUATION, _PUNCTUATION, _BRACES, "(?<", has_possessive=True),
    "re2": Dialect("\\A", "\\z", _PUNCTUATION, _PUNCTUATION, _BRACES, "(?P<", 1000),
    "go": Dialect("\\A", "\\z", _PUNCTUATION, _PUNCTUATION, _BRACES, "(?P<", 1000),
    "rust": Dialect("\\A", "\\z", _SYNTAX + "-&~#", _SYNTAX + "-&~#", _BRACES, "(?P<"),
    "java": Dialect("\\A", "\\z", _PUNCTUATION, _PUNCTUATION, _BRACES, "(?<", has_possessive=True),
    "ecmascript": Dialect("^", "$", _SYNTAX + "/", _SYNTAX + "/-", {"u": 4, "x": 2}, "(?<", is_utf16=True),
    "json-schema": Dialect("^", "$", _SYNTAX + "/", _SYNTAX + "/-", {"u{": 0, "u": 4, "x": 2}),
    "posix": Dialect("^", "$", "^.[$()|*+?{\\", "", {}, most_repetitions=255, is_posix=True),
}


@dataclass
class Pattern:
    """The automaton of a pattern: empty transitions, and transitions by ranges of code points or code units.

    `groups` lists the names of the groups, or None for groups without one.
    """

    dialect: Dialect
    empty: list[list[int]] = field(default_factory=list)
    moves: list[list[tuple[list[Span], int]]] = field(default_factory=list)
    groups: list[str | None] = field(default_factory=list)
    start: int = 0
    end: int = 0

    def state(self) -> int:
        """Add a state."""
        self.empty.append([])
        self.moves.append([])
        return len(self.empty) - 1

    def closed(self, states: set[int]) -> frozenset[int]:
        """Return states with those that empty transitions lead to."""
        reached = set(states)
        queue = list(states)
        while queue:
            for target in self.empty[queue.pop()]:
                if target not in reached:
                    reached.add(target)
                    queue.append(target)
        # a state without a transition is of interest only if it is the end
        return frozenset(state for state in reached if self.moves[state] or state == self.end)

    def reached(self, states: Iterable[int], body: range | None = None, last: int | None = None) -> set[int]:
        """Return states with those that empty transitions lead to, in a body up to its last state."""
        reached = set(states)
        queue = list(reached)
        while queue:
            state = queue.pop()
            if state == last:
                continue
            for target in self.empty[state]:
                if target not in reached and (body is None or target in body):
                    reached.add(target)
                    queue.append(target)
        return reached

    def spans_of(self, states: Iterable[int]) -> list[Span]:
        """Return the ranges that states read."""
        return [span for state in states for spans, _ in self.moves[state] for span in spans]

    def after(self, states: frozenset[int], symbol: int) -> frozenset[int]:
        """Return the states after states and a code point, or a code unit in UTF-16."""
        targets = set()
        for state in states:
            for spans, target in self.moves[state]:
                if any(first <= symbol <= last for first, last in spans):
                    targets.add(target)
        return self.closed(targets)

    def matches(self, text: str) -> bool:
        """Return True if the pattern matches a text."""
        states = self.closed({self.start})
        for symbol in symbols(text, is_utf16=self.dialect.is_utf16):
            states = self.after(states, symbol)
        return self.end in states


def overlap(left: list[Span], right: list[Span]) -> bool:
    """Return True if some ranges have a symbol in common."""
    return any(low <= last and first <= high for first, last in left for low, high in right)


def symbols(text: str, *, is_utf16: bool) -> list[int]:
    """Return the code points of a text, or its code units in UTF-16."""
    if not is_utf16:
        return [ord(char) for char in text]
    encoded = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(encoded[index : index + 2]) for index in range(0, len(encoded), 2)]


def read(source: str, flavour: str) -> Pattern:
    """Read a pattern. Raise BadPattern if it is none, or if it does not match whole texts only."""
    return _Reader(source, DIALECTS[flavour]).read()


#: A part of the automaton: where it begins and ends.
_Part = tuple[int, int]


class _Loop(NamedTuple):
    """A possessive repetition: the states of its body, where it begins and ends, and the state after it."""

    body: range
    first: int
    last: int
    end: int


class _Reader:
    """Reads a pattern from left to right; `copies` is how often repetitions around the place repeat it."""

    def __init__(self, source: str, dialect: Dialect) -> None:
        self.source = source
        self.dialect = dialect
        self.pattern = Pattern(dialect)
        self.index = 0
        self.possessive: list[_Loop] = []

    def read(self) -> Pattern:
        """Read the whole pattern between its anchors."""
        self._expect(self.dialect.begin)
        part = self._sequence(may_be_empty=True)
        if not self.source.startswith(self.dialect.end, self.index):
            raise BadPattern(f"no anchor at offset {self.index}")
        self._expect(self.dialect.end)
        if self.index != len(self.source):
            raise BadPattern(f"something after the anchor: {self.source[self.index :]!r}")
        self.pattern.start, self.pattern.end = part
        for loop in self.possessive:
            self._check_possessive(loop)
        return self.pattern

    def _check_possessive(self, loop: _Loop) -> None:
        """Raise BadPattern unless a repetition can never match what comes after it, or end at two places.

        Then a possessive repetition matches what a greedy one does: where its body could end, what goes on in
        the body differs from all that can come after it, and so does what begins the body from what follows
        the repetition.
        """
        pattern = self.pattern
        begin = frozenset(pattern.reached({loop.first}, loop.body, loop.last))
        if overlap(pattern.spans_of(begin), pattern.spans_of(pattern.reached({loop.end}))):
            raise BadPattern("a possessive repetition can match what follows it")
        after = pattern.spans_of(pattern.reached({loop.last}))
        seen = {begin}
        queue = [begin]
        for states in queue:  # which grows in the loop
            if loop.last in states and overlap(pattern.spans_of(states), after):
                raise BadPattern("the body of a possessive repetition can end at two places")
            moves = [move for state in states for move in pattern.moves[state]]
            for spans, _ in moves:
                targets = [target for other_spans, target in moves if overlap(spans, other_spans)]
                following = frozenset(pattern.reached(targets, loop.body, loop.last))
                if following not in seen:
                    seen.add(following)
                    queue.append(following)

    def _next(self, text: str) -> bool:
        """Skip a text if it comes next."""
        comes_next = self.source.startswith(text, self.index)
        if comes_next:
            self.index += len(text)
        return comes_next

    def _expect(self, text: str) -> None:
        if not self._next(text):
            raise BadPattern(f"no {text!r} at offset {self.index} of {self.source!r}")

    def _part(self) -> _Part:
        return self.pattern.state(), self.pattern.state()

    def _alternation(self) -> _Part:
        """Read alternatives up to the end of their group."""
        begin, end = self._part()
        while True:
            first, last = self._sequence()
            self.pattern.empty[begin].append(first)
            self.pattern.empty[last].append(end)
            if not self._next("|"):
                return begin, end

    def _sequence(self, *, may_be_empty: bool = False) -> _Part:
        """Read repetitions up to the end of an alternative, of the group or of the pattern."""
        begin = end = self.pattern.state()
        is_empty = True
        while self.index < len(self.source) and self.source[self.index] not in "|)":
            if self.source.startswith(self.dialect.end, self.index):
                break
            first, last = self._repetition()
            self.pattern.empty[end].append(first)
            end = last
            is_empty = False
        if is_empty and self.dialect.is_posix and not may_be_empty:
            raise BadPattern("POSIX has no empty alternative and no empty group")
        return begin, end

    def _repetition(self) -> _Part:
        """Read an atom with its quantifier."""
        start_of_atom = self.index
        states_before = len(self.pattern.empty)
        part = self._atom()
        body = range(states_before, len(self.pattern.empty))
        minimum, maximum = self._quantifier()
        if (minimum, maximum) == (1, 1):
            return part
        if max(minimum, maximum or 0) > self.dialect.most_repetitions:
            raise BadPattern("too many repetitions")
        is_possessive = self.dialect.has_possessive and self._next("+")
        if is_possessive and (maximum is not None or minimum > 1):
            raise BadPattern("this reader knows possessive repetitions without a limit alone")
        after_quantifier = self.index
        copies = [part]
        for _ in range(max(minimum, maximum or 0, 1) - 1):  # the atom is read again for each copy
            self.index = start_of_atom
            named = len(self.pattern.groups)
            copies.append(self._atom())
            del self.pattern.groups[named:]
        self.index = after_quantifier
        begin, end = self._part()
        current = begin
        for number, (first, last) in enumerate(copies):
            if number >= minimum:
                self.pattern.empty[current].append(end)
            self.pattern.empty[current].append(first)
            current = last
        if maximum is None:
            first, last = copies[-1]
            self.pattern.empty[last].append(first)
        self.pattern.empty[current].append(end)
        if is_possessive:
            self.possessive.append(_Loop(body, *copies[-1], end))
        return begin, end

    def _quantifier(self) -> tuple[int, int | None]:
        """Read a quantifier; without one, an atom comes once."""
        for text, bounds in {"*": (0, None), "+": (1, None), "?": (0, 1)}.items():
            if self._next(text):
                return self._only(bounds)
        if not self._next("{"):
            return 1, 1
        inside, _, _ = self.source[self.index :].partition("}")
        self.index += len(inside) + 1
        low, comma, high = inside.partition(",")
        if not (low.isdecimal() and (high.isdecimal() or not high)):
            raise BadPattern(f"no quantifier: {inside!r}")
        if not comma:
            return self._only((int(low), int(low)))
        return self._only((int(low), int(high) if high else None))

    def _only(self, bounds: tuple[int, int | None]) -> tuple[int, int | None]:
        """Return bounds. Raise BadPattern if another quantifier or the mark of a lazy one follows.

        A plus after a quantifier is left to the caller if it makes it possessive.
        """
        marks = "*?{" if self.dialect.has_possessive else "*+?{"
        if self.source[self.index : self.index + 1] in tuple(marks):
            raise BadPattern(f"two quantifiers at offset {self.index}")
        return bounds

    def _atom(self) -> _Part:
        """Read a group, a bracket expression or a character."""
        if self._next("("):
            return self._group()
        if self._next("["):
            return self._characters(self._posix_set() if self.dialect.is_posix else self._set())
        char = self.source[self.index]
        self.index += 1
        if char == "\\":
            code = self._escaped(self.dialect.escapable)
        elif char in "^$.*+?{|)":
            raise BadPattern(f"{char!r} at offset {self.index}")
        else:
            code = ord(char)
        return self._characters([(code, code)])

    def _group(self) -> _Part:
        """Read a group after its parenthesis."""
        self.index -= 1
        if self.dialect.name and self._next(self.dialect.name):
            name, _, _ = self.source[self.index :].partition(">")
            self.index += len(name) + 1
            is_name = name.isascii() and name.isidentifier() and not name.startswith("_")
            if not is_name or name in self.pattern.groups:
                raise BadPattern(f"bad name of a group: {name!r}")
            self.pattern.groups.append(name)
        elif self.dialect.is_posix:
            self._expect("(")
            self.pattern.groups.append(None)
        else:
            self._expect("(?:")
        part = self._alternation()
        self._expect(")")
        return part

    def _characters(self, spans: list[Span]) -> _Part:
        """Add a transition. In UTF-16, a character above U+FFFF cannot be in a set."""
        if self.dialect.is_utf16 and any(last > 0xFFFF for _, last in spans):
            raise BadPattern("a set of code units has a character above U+FFFF")
        begin, end = self._part()
        self.pattern.moves[begin].append((spans, end))
        return begin, end

    def _escaped(self, allowed: str) -> int:
        """Read what follows a backslash. Raise BadPattern if it is no escape of the flavour."""
        for prefix, digits in self.dialect.numerals.items():
            if not self._next(prefix):
                continue
            numeral = self.source[self.index : self.index + digits]
            self.index += digits
            if not digits:
                numeral, _, _ = self.source[self.index :].partition("}")
                self.index += len(numeral) + 1
            return int(numeral, 16)
        char = self.source[self.index]
        self.index += 1
        if char not in allowed:
            raise BadPattern(f"no escape: \\{char}")
        return ord(char)

    def _set(self) -> list[Span]:
        """Read a bracket expression after its bracket. Characters that nest or subtract sets are refused."""
        if self._next("^"):
            raise BadPattern("a complement has characters that nobody lists")
        spans = []
        while not self._next("]"):
            first = self._in_set()
            last = first
            is_range = self.source.startswith("-", self.index) and self.source[self.index + 1] != "]"
            if is_range:
                self.index += 1
                last = self._in_set()
            if last < first:
                raise BadPattern("a range begins after its end")
            spans.append((first, last))
        return spans

    def _in_set(self) -> int:
        char = self.source[self.index]
        self.index += 1
        if char == "\\":
            return self._escaped(self.dialect.in_set)
        doubled = self.source[self.index : self.index + 1] == char
        if char in "[^" or (doubled and char in "&-~|"):
            raise BadPattern(f"{char!r} in a bracket expression")
        return ord(char)

    def _posix_set(self) -> list[Span]:
        """Read a bracket expression of POSIX (section 9.3.5), where a backslash is a character."""
        end = self.source.index("]", self.index + 1)
        inside = self.source[self.index : end]
        self.index = end + 1
        if inside.startswith("^") or any(f"[{char}" in inside for char in ".=:"):
            raise BadPattern(f"a complement or a class: [{inside}]")
        spans = []
        position = 0
        while position < len(inside):
            is_range = position + 2 < len(inside) and inside[position + 1] == "-"
            last = position + 2 if is_range else position
            spans.append((ord(inside[position]), ord(inside[last])))
            position = last + 1
        return spans


def difference(pattern: Pattern, automaton: Automaton) -> str | None:
    """Return a shortest text on which a pattern and an automaton differ, or None if there is none.

    The automaton has `start`, `accepting` and `state_after(state, text)`, whose sink is 0.
    """
    representatives = _representatives(pattern, automaton)
    start = (pattern.closed({pattern.start}), automaton.start, None)
    words = {start: ()}
    queue = deque([start])
    while queue:
        triple = queue.popleft()
        states, state, high = triple
        accepts = state in automaton.accepting and high is None
        if accepts != (pattern.end in states):
            return _text(words[triple])
        for symbol in representatives:
            target = (pattern.after(states, symbol), *_step(pattern, automaton, state, high, symbol))
            if target not in words and (target[0] or target[1]):
                words[target] = (*words[triple], symbol)
                queue.append(target)
    return None


def _step(
    pattern: Pattern, automaton: Automaton, state: int, high: int | None, symbol: int
) -> tuple[int, int | None]:
    """Return the state of the automaton after a symbol, and the high surrogate that waits for another."""
    if not pattern.dialect.is_utf16:
        return automaton.state_after(state, chr(symbol)), None
    is_low = LOW[0] <= symbol <= LOW[1]
    if high is not None:
        code = 0x10000 + (high - HIGH[0]) * 0x400 + symbol - LOW[0]
        return (automaton.state_after(state, chr(code)) if is_low else 0), None
    if HIGH[0] <= symbol <= HIGH[1] and state:
        return state, symbol
    return automaton.state_after(state, chr(symbol)), None


def _representatives(pattern: Pattern, automaton: Automaton) -> list[int]:
    """Return one symbol of each range that both treat alike, and the line feed."""
    spans = [span_of(letter) for letter in automaton.classes]
    borders = {0, 0x0A, 0x0B, *HIGH, *LOW, LOW[1] + 1}
    for first, last in spans:
        borders |= {first, last + 1}
        if pattern.dialect.is_utf16 and first > 0xFFFF:
            for code in (first, last):
                high, low = divmod(code - 0x10000, 0x400)
                borders |= {HIGH[0] + high, HIGH[0] + high + 1, LOW[0] + low, LOW[0] + low + 1}
    for moves in pattern.moves:
        for sets, _ in moves:
            for first, last in sets:
                borders |= {first, last + 1}
    most = 0x10000 if pattern.dialect.is_utf16 else ALL
    symbols_at_borders = sorted(border for border in borders if border < most)
    sets = {tuple(spans) for moves in pattern.moves for spans, _ in moves}
    grouped: dict[object, int] = {}
    for symbol in symbols_at_borders:
        in_sets = tuple(any(first <= symbol <= last for first, last in spans) for spans in sets)
        classes = _classes(pattern, automaton, symbol, symbols_at_borders)
        grouped.setdefault((in_sets, classes), symbol)
    return list(grouped.values())


def _classes(
    pattern: Pattern, automaton: Automaton, symbol: int, all_symbols: list[int]
) -> tuple[object, ...]:
    """Return the class of a symbol in an automaton. Half of a character has one for each other half."""
    if not pattern.dialect.is_utf16 or not HIGH[0] <= symbol <= LOW[1]:
        return (automaton.classes.get(stand_ins(chr(symbol))),)
    is_high = symbol <= HIGH[1]
    first, last = LOW if is_high else HIGH
    halves = [half for half in all_symbols if first <= half <= last]
    pairs = [(symbol, half) if is_high else (half, symbol) for half in halves]
    codes = [0x10000 + (high - HIGH[0]) * 0x400 + low - LOW[0] for high, low in pairs]
    return (is_high, *(automaton.classes.get(stand_ins(chr(code))) for code in codes))


def _text(word: tuple[int, ...]) -> str:
    """Return the text of symbols, which can be code units."""
    return "".join(map(chr, word)).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
