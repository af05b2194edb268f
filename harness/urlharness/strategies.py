"""Hypothesis strategies: URLs of an RFC, invalid texts, references, bases, and pairs to resolve.

    from hypothesis import given
    from urlharness.strategies import urls

    @given(urls())
    def test_parse(url): ...

The module needs the extra `hypothesis`. The automaton of a rule turns drawn bytes into a text. Each byte
stands for a character or a short text. If a state does not allow it, the automaton leaves it out, or first
adds characters after which it is allowed. So Hypothesis never has to reject an example. Failures shrink to
short texts with simple characters: letters before digits before punctuation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from urlharness.corpus.specifications import facts
from urlharness.words.dictionary import literals
from urlharness.words.paths import BYTES, ORDER, CharacterClass, Paths, character_classes
from urloracle.automata.dfa import Automaton
from urloracle.grammar.grammar import UnknownRule
from urloracle.operations import prepare
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import Specification

try:
    from hypothesis.errors import InvalidArgument
    from hypothesis.strategies import (
        DrawFn,
        SearchStrategy,
        binary,
        booleans,
        composite,
        integers,
        sampled_from,
        tuples,
    )
except ImportError as error:
    why = "urlharness.strategies needs Hypothesis: pip install 'urlconform[hypothesis]'"
    raise ImportError(why) from error

__all__ = ["InvalidText", "bases", "invalid_urls", "near_misses", "references", "url_pairs", "urls"]

#: The maximum length of a text, the default maximum, and the maximum number of bytes to draw for a text.
_MAX_DRAWN_LENGTH, _USUAL, _DRAWN = 1000, 80, 250

#: Texts of several characters that a byte can stand for. Those in `_ANYWHERE` may open a component in any
#: state outside a forced run.
_NUMBERS = (*("00000",) * 8, "00080", "65535", "65536")
_DOTS = ("..",) * 6
_SLASHES = ("//",) * 4
_ANYWHERE = frozenset(_SLASHES)

#: If there are fewer than `_FEW` such texts, each character has at least two bytes. When further bytes are
#: shared out, at most `_ENDS` of the runs that a character can end count.
_FEW, _ENDS = 60, 6
_BYTES = 256

_T = TypeVar("_T")


class InvalidText(NamedTuple):
    """A text that a rule does not derive. `label` says what is wrong, as in `[ in reg-name`.

    `offset` is that of the first character that cannot continue a valid text, or the length of the text if it
    ends too early.
    """

    text: str
    label: str
    offset: int


class _Step(NamedTuple):
    """A text that a byte adds in a state, and the state after it."""

    text: str
    target: int


class _Reader:
    """Turns bytes into words of an automaton. States from which no word can be completed are left out."""

    def __init__(self, automaton: Automaton, words: Sequence[str]) -> None:
        self.start, self.accepting = automaton.start, automaton.accepting
        live = Paths(automaton).suffixes
        letters = [(char, automaton.classes[char]) for char in ORDER if char in automaton.classes]
        #: By state: the next state by character, the simplest character first.
        self.rows = [
            {char: row[kind] for char, kind in letters if row[kind] in live} for row in automaton.table
        ]
        #: By state: the minimum number of characters to acceptance.
        self.rest = {state: len(suffix) for state, suffix in live.items()}
        self.classes = [kind for kind in character_classes(automaton) if kind.members != BYTES]
        self._values = _values(
            [char for char, _ in letters if any(char in row for row in self.rows)], self.rows, words
        )
        #: What may be put before the drawn bytes: nothing, or the byte of two slashes or of a literal.
        openings = [text for text in ("//", *words) if text in self._values]
        self.openings = [b"", *(bytes([self._values.index(text)]) for text in openings)]
        late = {*range(len(self.rows))} - self.accepting - self._before_words()
        loops = {state for state in late if state in self.rows[state].values()}
        #: States of forced runs: no word ends in the state, although one could have ended before it, and the
        #: simplest ending leads through a state that leads to itself.
        self._forced = {
            state for state in late.intersection(live) if loops.intersection(self._along(state, live[state]))
        }
        self._steps: dict[int, list[_Step | None]] = {}
        self._viable = [frozenset(self.accepting)]

    def word(self, data: bytes, least: int, most: int) -> str:
        """Return the word of `least` to `most` characters that the bytes stand for.

        There must be a word with such a length.
        """
        steps, rest = self._steps, self.rest
        found, state, left = [], self.start, most
        for byte in data:
            if state not in steps:
                steps[state] = self._steps_of(state)
            if (step := steps[state][byte]) is not None:
                text, target = step
                if len(text) + rest[target] <= left:
                    found.append(text)
                    state = target
                    left -= len(text)
        word = "".join(found)
        if len(word) + rest[state] < least:
            return self._filled(word, least, most)
        if state in self._forced:
            states = self._along(self.start, word)
            end = max(end for end, passed in enumerate(states) if passed in self.accepting)
            if end >= least:
                return word[:end]
        return word + self._ending(state, rest[state])

    def state(self, prefix: str) -> int:
        """Return the state after a prefix of a word."""
        *_, state = self._along(self.start, prefix)
        return state

    def _along(self, state: int, text: str) -> Iterator[int]:
        """Return the state before each character of a text, and the state after the last one."""
        return accumulate(text, lambda at, char: self.rows[at][char], initial=state)

    def has_words(self, lengths: range) -> bool:
        """Return whether there is a word of one of the lengths."""
        return any(self.start in self._viable_in(length) for length in lengths)

    def _before_words(self) -> set[int]:
        """Return the states that some text reaches without passing the end of a word."""
        found = [self.start]
        for state in found:
            if state not in self.accepting:
                found += {*self.rows[state].values()}.difference(found)
        return {*found}

    def _filled(self, word: str, least: int, most: int) -> str:
        """Return a word of `least` to `most` characters whose beginning is as much of `word` as possible."""
        for end in range(len(word), -1, -1):
            state = self.state(word[:end])
            for left in range(least - end, most - end + 1):
                if state in self._viable_in(left):
                    return word[:end] + self._ending(state, left)
        raise AssertionError  # there is a word

    def _ending(self, state: int, left: int) -> str:
        """Return the simplest text of `left` characters that leads from a state to acceptance."""
        found = []
        for after in range(left - 1, -1, -1):
            viable = self._viable_in(after)
            char, state = next(step for step in self.rows[state].items() if step[1] in viable)
            found.append(char)
        return "".join(found)

    def _viable_in(self, left: int) -> frozenset[int]:
        """Return the states from which exactly `left` characters can lead to acceptance."""
        known = self._viable
        while len(known) <= left:
            after = known[-1]
            known.append(
                frozenset(state for state, row in enumerate(self.rows) if not after.isdisjoint(row.values()))
            )
        return known[left]

    def _steps_of(self, state: int) -> list[_Step | None]:
        """Return what each byte adds in a state, or None if it adds nothing.

        If the state does not allow the text of a byte, a shortest text is put before it after which it is
        allowed. In a state in which no word ends, such as in an IPv6 address that is not closed, this text
        may have any length; otherwise it has at most one character. In a forced run, the byte adds nothing
        instead.
        """
        paths = [("", state)]
        seen = {state}
        for path, reached in paths:
            for char, target in self.rows[reached].items():
                if target not in seen:
                    seen.add(target)
                    paths.append((path + char, target))
        near = [path for path in paths if len(path[0]) < (1 if state in self._forced else 2)]
        known = state in self.accepting or state in self._forced
        found: dict[str, _Step | None] = {}
        for text in dict.fromkeys(self._values):
            tried = near if known and (text not in _ANYWHERE or state in self._forced) else paths
            ends = ((path + text, self._follow(reached, text)) for path, reached in tried)
            found[text] = next((_Step(added, end) for added, end in ends if end is not None), None)
        return [found[text] for text in self._values]

    def _follow(self, state: int, text: str) -> int | None:
        for char in text:
            if char not in self.rows[state]:
                return None
            state = self.rows[state][char]
        return state


def _values(letters: Sequence[str], rows: Sequence[Mapping[str, int]], words: Sequence[str]) -> list[str]:
    """Return the text of each byte: first the characters in their order, then most of the longer texts.

    A character that is not a letter or digit has the more bytes, the more runs it can end.
    """
    longer = [text for text in (*_NUMBERS, *_DOTS, *_SLASHES, *words) if {*text} <= {*letters}]
    runs = [(state, row) for state, row in enumerate(rows) if state in row.values()]
    plain = [char for char in letters if char.isalnum()]
    ends = {
        char: 1 + min(_ENDS, sum(row.get(char, state) != state for state, row in runs))
        for char in letters
        if char not in plain
    }
    shares = dict.fromkeys(letters, 2 if len(longer) < _FEW else 1)
    room = _BYTES - len(longer) - sum(shares.values())
    whole = sum(ends.values())
    for char, share in ends.items():
        shares[char] += room * share // whole
    found = [char for char in letters for _ in range(shares[char])]
    for text in longer:  # a doubled character follows the single one, so that it shrinks to the single one
        place = found.index(text[0]) + shares[text[0]] if len({*text}) == 1 < len(text) < 3 else len(found)
        found.insert(place, text)
    if not found:
        return [""] * _BYTES
    times, more = divmod(_BYTES, len(found))
    return [text for number, text in enumerate(found) for _ in range(times + (number < more))]


@dataclass(frozen=True)
class _Words:
    """The words of a rule that begin with a prefix. `lengths` are the lengths of the rest of a word."""

    spec: Specification
    rule: str
    prefix: str
    reader: _Reader
    lengths: range

    def draw(self, draw: DrawFn) -> str:
        """Draw a word."""
        return self.prefix + self._draw_rest(draw)

    def _draw_rest(self, draw: DrawFn) -> str:
        # the two strategies have different types, because Hypothesis would spend much time on copying
        # values between equal ones
        first = draw(_one_of(tuple(self.reader.openings)))
        # each size except 0 stands for a strategy of exactly this size, which is fast; 0 stands for any size,
        # so a size can shrink to 0 while the bytes stay the same
        data = first + draw(
            _sizes(min(self.lengths[-1], _DRAWN))[draw(_below(min(self.lengths[-1], _DRAWN) + 1))]
        )
        return self.reader.word(data, self.lengths[0], self.lengths[-1])

    def draw_invalid(self, draw: DrawFn, *, near: bool) -> InvalidText:
        """Draw a word and break it: put a forbidden character after a beginning of it, or end it too early.

        If `near`, the text ends with the forbidden character.
        """
        word = self._draw_rest(draw)
        offset = min(draw(_below(self.lengths[-1] + 1)), len(word))
        state = self.reader.state(word[:offset])
        row = self.reader.rows[state]
        forbidden = [kind for kind in self.reader.classes if kind.members[0] not in row]
        ends = [] if state in self.reader.accepting else [CharacterClass("end", "")]
        choices = [*ends, *forbidden]
        name, members = choices[draw(_below(_BYTES)) % len(choices)]
        wrong = members and members[draw(_below(_BYTES)) % len(members)]
        tail = "" if near or not wrong else word[offset + draw(_below(2)) :] if draw(booleans()) else ""
        text = self.prefix + word[:offset] + wrong + tail
        judging = self.spec.judging_rule(text, self.rule)
        _, continuation = self.spec.language(judging).viable(text)
        return InvalidText(text, f"{name} in {continuation.innermost}", len(self.prefix) + offset)


@cache
def _one_of(openings: tuple[bytes, ...]) -> SearchStrategy[bytes]:
    return sampled_from(openings)


@cache
def _below(bound: int) -> SearchStrategy[int]:
    return integers(0, bound - 1)


@cache
def _sizes(most: int) -> list[SearchStrategy[bytes]]:
    return [binary(max_size=most), *(binary(min_size=size, max_size=size) for size in range(1, most + 1))]


def urls(
    spec: str = "rfc3986",
    rule: str | None = None,
    *,
    scheme: str | None = None,
    min_size: int = 0,
    max_size: int | None = None,
) -> SearchStrategy[str]:
    """Return a strategy for the texts of a rule. The default rule is the one of URLs with a scheme.

    If there is a `scheme`, all texts begin with it, spelled as given. The length of a text is from `min_size`
    to `max_size`, both at most 1,000. The default of `max_size` is 80, or twice `min_size` if that is more.
    Raise InvalidArgument if the RFC or the rule is unknown, or if no text has such a length.
    """
    given = {"rule": rule, "scheme": scheme, "min_size": min_size, "max_size": max_size}
    return _strategy("urls", spec, given, _words(spec, rule, scheme, min_size, max_size).draw)


def references(
    spec: str = "rfc3986", *, min_size: int = 0, max_size: int | None = None
) -> SearchStrategy[str]:
    """Return a strategy for absolute and relative references.

    Raise InvalidArgument for RFC 1738, which does not define references.
    """
    given = {"min_size": min_size, "max_size": max_size}
    words = _words(spec, _resolving(spec).default_rule, None, min_size, max_size)
    return _strategy("references", spec, given, words.draw)


def bases(spec: str = "rfc3986", *, min_size: int = 0, max_size: int | None = None) -> SearchStrategy[str]:
    """Return a strategy for base URLs. They have a scheme and, under RFC 3986, no fragment (section 5.1).

    Under RFC 2396, only some references can be resolved against a base such as `mailto:a` (section 5).
    """
    given = {"min_size": min_size, "max_size": max_size}
    words = _words(spec, _base_rule(_resolving(spec)), None, min_size, max_size)
    return _strategy("bases", spec, given, words.draw)


def url_pairs(spec: str = "rfc3986", *, max_size: int | None = None) -> SearchStrategy[tuple[str, str]]:
    """Return a strategy for pairs of a base and a reference, each of at most `max_size` characters."""
    return tuples(bases(spec, max_size=max_size), references(spec, max_size=max_size))


def invalid_urls(
    spec: str = "rfc3986", rule: str | None = None, *, scheme: str | None = None, max_size: int | None = None
) -> SearchStrategy[InvalidText]:
    """Return a strategy for texts with one error, each with a label and the offset of the error.

    Each text is a word of the rule with a forbidden character, inserted or in place of another one, or a word
    that ends too early.
    The arguments are those of `urls`.
    """
    words = _words(spec, rule, scheme, 0, max_size, spare=1)
    given = {"rule": rule, "scheme": scheme, "max_size": max_size}
    return _strategy("invalid_urls", spec, given, lambda draw: words.draw_invalid(draw, near=False))


def near_misses(
    spec: str = "rfc3986", rule: str | None = None, *, scheme: str | None = None, max_size: int | None = None
) -> SearchStrategy[InvalidText]:
    """Return a strategy for texts that end too early, or with the first forbidden character.

    Everything before the error is the beginning of a valid text. The arguments are those of `urls`.
    """
    words = _words(spec, rule, scheme, 0, max_size, spare=1)
    given = {"rule": rule, "scheme": scheme, "max_size": max_size}
    return _strategy("near_misses", spec, given, lambda draw: words.draw_invalid(draw, near=True))


def _strategy(
    name: str, spec: str, given: Mapping[str, Any], draw_value: Callable[[DrawFn], _T]
) -> SearchStrategy[_T]:
    """Return a strategy that draws by `draw_value`, and whose repr is the call that made the strategy."""

    def drawn(draw: DrawFn, *_: Any, **__: Any) -> _T:
        return draw_value(draw)

    drawn.__name__ = drawn.__qualname__ = name
    return composite(drawn)(spec, **{key: value for key, value in given.items() if value})


def _known(spec: str) -> Specification:
    try:
        return specification(spec)
    except UnknownSpecification as unknown:
        raise InvalidArgument(str(unknown)) from None


def _resolving(spec: str) -> Specification:
    found = _known(spec)
    if not found.defines("resolve"):
        raise InvalidArgument(f"{found.title} does not define relative references")
    return found


def _base_rule(spec: Specification) -> str:
    """Return the rule of base URLs. RFC 3986, section 5.1, demands `absolute-URI`, which has no fragment."""
    return facts(spec.id).absolute_rule


def _words(
    spec: str, rule: str | None, scheme: str | None, least: int, most: int | None, spare: int = 0
) -> _Words:
    """Return the words of a rule with `least` to `most` characters. Raise InvalidArgument if there are none.

    The maximum is lower by `spare`, the number of characters that the caller may insert into a word.
    """
    for name, size in (("min_size", least), ("max_size", most)):
        if size is not None and not 0 <= size <= _MAX_DRAWN_LENGTH:
            raise InvalidArgument(f"{name}={size!r} is not from 0 to {_MAX_DRAWN_LENGTH}")
    found = _known(spec)
    prefix = "" if scheme is None else f"{scheme}:"
    try:
        name = found.grammar.canonical_name(rule or found.absolute or found.default_rule)
        reader = _reader(found, name, prefix)
    except UnknownRule as unknown:
        raise InvalidArgument(f"{found.title}: {unknown}") from None
    longest = (min(_MAX_DRAWN_LENGTH, max(_USUAL, 2 * least)) if most is None else most) - spare
    rest = range(max(0, least - len(prefix)), longest - len(prefix) + 1)
    if reader is None or not reader.has_words(rest):
        within = f" with scheme {scheme!r}" if scheme else ""
        raise InvalidArgument(
            f"{found.title}: no {name}{within} has from {least} to {longest + spare} characters"
        )
    prepare(found)
    return _Words(found, name, prefix, reader, rest)


@cache
def _reader(spec: Specification, rule: str, prefix: str) -> _Reader | None:
    """Return the reader of the texts that follow a prefix of words, or None if no word begins with it."""
    automaton = spec.automaton(rule)
    length, state = automaton.longest_viable_prefix(prefix)
    if length < len(prefix):
        return None
    words = [text for text in literals(spec.grammar, rule) if text[0].isalpha()]
    return _Reader(replace(automaton, start=state), list(dict.fromkeys(words)))
