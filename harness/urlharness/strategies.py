"""Hypothesis strategies: URLs of an RFC, invalid texts, references, bases, and pairs to resolve.

    from hypothesis import given
    from urlharness.strategies import urls

    @given(urls())
    def test_parse(url): ...

The module needs the extra `hypothesis`. The automaton of a rule turns drawn bytes into a text. Each byte
stands for a character or a short text. If a state does not allow it, the automaton leaves it out, or first
adds characters after which it is allowed. So Hypothesis never has to reject an example. Failures shrink to
short texts with simple characters: letters before digits before punctuation, and characters beyond ASCII
last. Of these, the texts of RFC 3987 have the members of its ranges (see `urlharness.words.members`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from urlharness.corpus.specifications import facts
from urlharness.words.dictionary import literals
from urlharness.words.members import ALL_MEMBERS, with_members
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
    why = "urlharness.strategies needs Hypothesis: pip install 'hypothesis>=6.100'"
    raise ImportError(why) from error

__all__ = ["InvalidText", "bases", "invalid_urls", "near_misses", "references", "url_pairs", "urls"]

#: The maximum length of a text, and the default maximum.
_MAX_DRAWN_LENGTH = 1000
_USUAL_LENGTH = 80
#: The maximum number of bytes to draw for a text.
_MAX_DRAWN_BYTES = 250

#: Texts of several characters that a byte can stand for. A text that is here several times has as many bytes,
#: so it is drawn more often. Those in `_ANYWHERE` may open a component in any state outside a forced run.
_NUMBERS = (*("00000",) * 8, "00080", "65535", "65536")
_DOTS = ("..",) * 6
_SLASHES = ("//",) * 4
_ANYWHERE = frozenset(_SLASHES)

#: If there are fewer such texts, each character has at least two bytes.
_FEW_TEXTS = 60
#: When further bytes are shared out, at most this number of the runs that a character can end counts.
_MOST_RUNS = 6
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


def urls(
    spec: str = "rfc3986",
    rule: str | None = None,
    *,
    scheme: str | None = None,
    min_size: int = 0,
    max_size: int | None = None,
) -> SearchStrategy[str]:
    """Return a strategy for the texts of a rule. The default rule is the one of URLs with a scheme.

    Under RFC 3987, the texts are IRIs, without the formatting characters that section 4.1 forbids.

    If there is a `scheme`, all texts begin with it, spelled as given. The length of a text is from `min_size`
    to `max_size`, both at most 1,000. The default of `max_size` is 80, or twice `min_size` if that is more.
    Raise InvalidArgument if the RFC or the rule is unknown, or if no text has such a length.
    """
    words = _words_of_rule(spec, rule, scheme, min_size=min_size, max_size=max_size)
    return _named_strategy(
        "urls", words.draw, spec, rule=rule, scheme=scheme, min_size=min_size, max_size=max_size
    )


def references(
    spec: str = "rfc3986", *, min_size: int = 0, max_size: int | None = None
) -> SearchStrategy[str]:
    """Return a strategy for absolute and relative references.

    Raise InvalidArgument for RFC 1738, which does not define references.
    """
    rule = _resolving_specification(spec).default_rule
    words = _words_of_rule(spec, rule, scheme=None, min_size=min_size, max_size=max_size)
    return _named_strategy("references", words.draw, spec, min_size=min_size, max_size=max_size)


def bases(spec: str = "rfc3986", *, min_size: int = 0, max_size: int | None = None) -> SearchStrategy[str]:
    """Return a strategy for base URLs. They have a scheme and, under RFC 3986, no fragment (section 5.1).

    Under RFC 2396, only some references can be resolved against a base such as `mailto:a` (section 5).
    """
    rule = _base_rule(_resolving_specification(spec))
    words = _words_of_rule(spec, rule, scheme=None, min_size=min_size, max_size=max_size)
    return _named_strategy("bases", words.draw, spec, min_size=min_size, max_size=max_size)


def url_pairs(spec: str = "rfc3986", *, max_size: int | None = None) -> SearchStrategy[tuple[str, str]]:
    """Return a strategy for pairs of a base and a reference, each of at most `max_size` characters."""
    return tuples(bases(spec, max_size=max_size), references(spec, max_size=max_size))


def invalid_urls(
    spec: str = "rfc3986", rule: str | None = None, *, scheme: str | None = None, max_size: int | None = None
) -> SearchStrategy[InvalidText]:
    """Return a strategy for texts with one error, each with a label and the offset of the error.

    Each text is a word of the rule with a forbidden character, inserted or in place of another one, or a word
    that ends too early. The arguments are those of `urls`.
    """
    words = _words_of_rule(spec, rule, scheme, min_size=0, max_size=max_size, spare=1)
    draw_invalid = partial(words.draw_invalid, near=False)
    return _named_strategy("invalid_urls", draw_invalid, spec, rule=rule, scheme=scheme, max_size=max_size)


def near_misses(
    spec: str = "rfc3986", rule: str | None = None, *, scheme: str | None = None, max_size: int | None = None
) -> SearchStrategy[InvalidText]:
    """Return a strategy for texts that end too early, or with the first forbidden character.

    Everything before the error is the beginning of a valid text. The arguments are those of `urls`.
    """
    words = _words_of_rule(spec, rule, scheme, min_size=0, max_size=max_size, spare=1)
    draw_near_miss = partial(words.draw_invalid, near=True)
    return _named_strategy("near_misses", draw_near_miss, spec, rule=rule, scheme=scheme, max_size=max_size)


def _named_strategy(
    name: str, draw_text: Callable[[DrawFn], _T], spec: str, **arguments: str | int | None
) -> SearchStrategy[_T]:
    """Return a strategy that draws by `draw_text`, and whose repr is the call that made the strategy.

    The repr leaves out arguments that are None, 0 or empty.
    """

    # the arguments only stand in the repr
    def drawn(draw: DrawFn, *_: Any, **__: Any) -> _T:
        return draw_text(draw)

    drawn.__name__ = drawn.__qualname__ = name
    return composite(drawn)(spec, **{key: argument for key, argument in arguments.items() if argument})


def _specification(name: str) -> Specification:
    """Return the RFC with this name. Raise InvalidArgument if it is unknown."""
    try:
        return specification(name)
    except UnknownSpecification as unknown:
        raise InvalidArgument(str(unknown)) from None


def _resolving_specification(name: str) -> Specification:
    """Return the RFC if it defines relative references. Raise InvalidArgument otherwise."""
    spec = _specification(name)
    if not spec.defines("resolve"):
        raise InvalidArgument(f"{spec.title} does not define relative references")
    return spec


def _base_rule(spec: Specification) -> str:
    """Return the rule of base URLs. RFC 3986, section 5.1, demands `absolute-URI`, which has no fragment."""
    return facts(spec.id).absolute_rule


def _words_of_rule(
    spec_name: str,
    rule_name: str | None,
    scheme: str | None,
    *,
    min_size: int,
    max_size: int | None,
    spare: int = 0,
) -> _Words:
    """Return the words of a rule with `min_size` to `max_size` characters.

    The maximum is lower by `spare`, the number of characters that the caller may insert into a word. Raise
    InvalidArgument if there are no words.
    """
    _check_size("min_size", min_size)
    if max_size is not None:
        _check_size("max_size", max_size)
    spec = _specification(spec_name)
    prefix = "" if scheme is None else f"{scheme}:"
    try:
        rule = spec.grammar.canonical_name(rule_name or spec.absolute or spec.default_rule)
        reader = _reader_of_rest(spec, rule, prefix)
    except UnknownRule as unknown:
        raise InvalidArgument(f"{spec.title}: {unknown}") from None
    longest = max_size
    if longest is None:
        longest = min(_MAX_DRAWN_LENGTH, max(_USUAL_LENGTH, 2 * min_size))
    least_rest = max(0, min_size - len(prefix))
    most_rest = longest - spare - len(prefix)
    lengths = range(least_rest, most_rest + 1)
    if reader is None or not reader.has_words(lengths):
        with_scheme = f" with scheme {scheme!r}" if scheme else ""
        raise InvalidArgument(
            f"{spec.title}: no {rule}{with_scheme} has from {min_size} to {longest} characters"
        )
    prepare(spec)
    return _Words(spec, rule, prefix, reader, lengths)


def _check_size(argument: str, size: int) -> None:
    """Raise InvalidArgument if no text of a strategy may have such a length."""
    if not 0 <= size <= _MAX_DRAWN_LENGTH:
        raise InvalidArgument(f"{argument}={size!r} is not from 0 to {_MAX_DRAWN_LENGTH}")


@cache
def _reader_of_rest(spec: Specification, rule: str, prefix: str) -> _Reader | None:
    """Return the reader of the texts that follow a prefix of words, or None if no word begins with it."""
    automaton = with_members(spec.automaton(rule))
    length, state = automaton.longest_viable_prefix(prefix)
    if length < len(prefix):
        return None
    words = [text for text in literals(spec.grammar, rule) if text[0].isalpha()]
    return _Reader(replace(automaton, start=state), list(dict.fromkeys(words)))


class _WordBreak(NamedTuple):
    """A way to break a word: the name of a class of characters, and a forbidden one of it.

    There is no character if the word is to end too early.
    """

    class_name: str
    character: str


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

    def draw_invalid(self, draw: DrawFn, *, near: bool) -> InvalidText:
        """Draw a word and break it: put a forbidden character after a beginning of it, or end it too early.

        If `near`, the text ends with the forbidden character.
        """
        word = self._draw_rest(draw)
        longest = self.lengths[-1]
        offset = min(draw(_integers_below(longest + 1)), len(word))
        beginning = word[:offset]
        word_break = self._draw_break(draw, self.reader.state_after(beginning))
        tail = ""
        if not near and word_break.character and draw(booleans()):
            # the forbidden character is inserted, or takes the place of another one
            tail_start = offset + draw(_integers_below(2))
            tail = word[tail_start:]
        text = self.prefix + beginning + word_break.character + tail
        judging_rule = self.spec.judging_rule(text, self.rule)
        _, continuation = self.spec.language(judging_rule).viable_prefix(text)
        label = f"{word_break.class_name} in {continuation.innermost}"
        return InvalidText(text, label, len(self.prefix) + offset)

    def _draw_rest(self, draw: DrawFn) -> str:
        """Draw what follows the prefix in a word."""
        # the two strategies have different types, because Hypothesis would spend much time on copying
        # values between equal ones
        opening = draw(_one_of(tuple(self.reader.openings)))
        # each size except 0 stands for a strategy of exactly this size, which is fast; 0 stands for any size,
        # so a size can shrink to 0 while the bytes stay the same
        longest = min(self.lengths[-1], _MAX_DRAWN_BYTES)
        size = draw(_integers_below(longest + 1))
        drawn = opening + draw(_bytes_by_size(longest)[size])
        return self.reader.read_word(drawn, self.lengths[0], self.lengths[-1])

    def _draw_break(self, draw: DrawFn, state: int) -> _WordBreak:
        """Draw a way to break a word in a state. The text may only end there if no word does."""
        row = self.reader.rows[state]
        classes = [kind for kind in self.reader.classes if kind.members[0] not in row]
        if state not in self.reader.accepting:
            classes.insert(0, CharacterClass("end", members=""))
        # a remainder, because a strategy for each number of classes or members would be slower
        number = draw(_integers_below(_BYTES)) % len(classes)
        name, members = classes[number]
        if not members:
            return _WordBreak(name, "")
        index = draw(_integers_below(_BYTES)) % len(members)
        return _WordBreak(name, members[index])


# the strategies are kept, because to make one takes longer than to draw from it


@cache
def _one_of(openings: tuple[bytes, ...]) -> SearchStrategy[bytes]:
    """Return a strategy that draws one of the openings."""
    return sampled_from(openings)


@cache
def _integers_below(bound: int) -> SearchStrategy[int]:
    """Return a strategy of integers from 0 up to, but not including, a bound."""
    return integers(0, bound - 1)


@cache
def _bytes_by_size(longest: int) -> tuple[SearchStrategy[bytes], ...]:
    """Return strategies of bytes: first for any size up to `longest`, then for exactly 1, 2 and so on."""
    exact = (binary(min_size=size, max_size=size) for size in range(1, longest + 1))
    return (binary(max_size=longest), *exact)


class _Step(NamedTuple):
    """A text that a byte adds in a state, and the state after it."""

    text: str
    target: int


class _Reader:
    """Turns bytes into words of an automaton. States from which no word can be completed are left out."""

    def __init__(self, automaton: Automaton, words: Sequence[str]) -> None:
        """Prepare to read words of an automaton. Bytes also stand for `words`, literals of the grammar."""
        self.start = automaton.start
        self.accepting = automaton.accepting
        suffixes = Paths(automaton).suffixes
        kinds = {char: automaton.classes[char] for char in ORDER + ALL_MEMBERS if char in automaton.classes}
        #: By state: the next state by character, the simplest character first.
        self.rows = [_live_targets(row, kinds, suffixes) for row in automaton.table]
        #: By state: the minimum number of characters to acceptance.
        self._shortest_ends = {state: len(suffix) for state, suffix in suffixes.items()}
        self.classes = [kind for kind in character_classes(automaton) if kind.members != BYTES]
        live_characters = [char for char in kinds if any(char in row for row in self.rows)]
        self._text_of_byte = _texts_by_byte(live_characters, self.rows, words)
        #: What may be put before the drawn bytes: nothing, or the byte of two slashes or of a literal.
        self.openings = [b""]
        for text in ("//", *words):
            if text in self._text_of_byte:
                byte = self._text_of_byte.index(text)
                self.openings.append(bytes([byte]))
        self._forced = self._forced_states(suffixes)
        self._steps: dict[int, list[_Step | None]] = {}
        self._viable = [frozenset(self.accepting)]

    def read_word(self, drawn: bytes, least: int, most: int) -> str:
        """Return the word of `least` to `most` characters that the bytes stand for.

        There must be a word with such a length.
        """
        parts = []
        state = self.start
        room = most
        for byte in drawn:
            if state not in self._steps:
                self._steps[state] = self._steps_of(state)
            step = self._steps[state][byte]
            if step is None:
                continue
            text, target = step
            if len(text) + self._shortest_ends[target] <= room:
                parts.append(text)
                state = target
                room -= len(text)
        word = "".join(parts)
        if len(word) + self._shortest_ends[state] < least:
            return self._lengthened(word, least, most)
        if state in self._forced:  # rather end the word before the run, if it is long enough there
            end = self._last_end(word)
            if end >= least:
                return word[:end]
        return word + self._ending(state, self._shortest_ends[state])

    def _last_end(self, text: str) -> int:
        """Return the length of the longest beginning of a text that is a word. There must be one."""
        states = self._states_along(self.start, text)
        return max(length for length, state in enumerate(states) if state in self.accepting)

    def state_after(self, prefix: str) -> int:
        """Return the state after a prefix of a word."""
        *_, state = self._states_along(self.start, prefix)
        return state

    def has_words(self, lengths: range) -> bool:
        """Return True if there is a word of one of the lengths."""
        return any(self.start in self._viable_states(length) for length in lengths)

    def _states_along(self, start: int, text: str) -> Iterator[int]:
        """Yield the state before each character of a text, and the state after the last one."""
        state = start
        yield state
        for char in text:
            state = self.rows[state][char]
            yield state

    def _forced_states(self, suffixes: Mapping[int, str]) -> set[int]:
        """Return the states of forced runs.

        No word ends in such a state, although one could have ended before it, and the simplest ending leads
        through a state that leads to itself.
        """
        states = set(range(len(self.rows)))
        states_after_words = states - self.accepting - self._states_before_words()
        loops = {state for state in states_after_words if state in self.rows[state].values()}
        forced_states = set()
        for state in states_after_words.intersection(suffixes):
            states_of_ending = self._states_along(state, suffixes[state])
            if not loops.isdisjoint(states_of_ending):
                forced_states.add(state)
        return forced_states

    def _states_before_words(self) -> set[int]:
        """Return the states that some text reaches without passing the end of a word."""
        reached = {self.start}
        queue = [self.start]
        while queue:
            state = queue.pop()
            if state not in self.accepting:
                new_states = set(self.rows[state].values()) - reached
                reached |= new_states
                queue += new_states
        return reached

    def _lengthened(self, word: str, least: int, most: int) -> str:
        """Return a word of `least` to `most` characters whose beginning is as much of `word` as possible."""
        for end in range(len(word), -1, -1):
            state = self.state_after(word[:end])
            for length in range(least - end, most - end + 1):
                if state in self._viable_states(length):
                    return word[:end] + self._ending(state, length)
        raise AssertionError(f"no word has from {least} to {most} characters")

    def _ending(self, start: int, length: int) -> str:
        """Return the simplest text of a length that leads from a state to acceptance. There must be one."""
        characters = []
        state = start
        for remaining in range(length - 1, -1, -1):
            viable = self._viable_states(remaining)
            simplest = next(char for char, target in self.rows[state].items() if target in viable)
            characters.append(simplest)
            state = self.rows[state][simplest]
        return "".join(characters)

    def _viable_states(self, length: int) -> frozenset[int]:
        """Return the states from which exactly `length` characters can lead to acceptance."""
        layers = self._viable
        while len(layers) <= length:
            goals = layers[-1]
            sources = (state for state, row in enumerate(self.rows) if not goals.isdisjoint(row.values()))
            layers.append(frozenset(sources))
        return layers[length]

    def _steps_of(self, state: int) -> list[_Step | None]:
        """Return what each byte adds in a state, or None if it adds nothing.

        If the state does not allow the text of a byte, a shortest text is put before it after which it is
        allowed. In a state in which no word ends, such as in an IPv6 address that is not closed, this text
        may have any length; otherwise it has at most one character. In a forced run, the byte adds nothing
        instead.
        """
        is_forced = state in self._forced
        paths = self._paths_from(state)
        short_length = 0 if is_forced else 1
        short_paths = [(path, target) for path, target in paths if len(path) <= short_length]
        steps: dict[str, _Step | None] = {}
        for text in dict.fromkeys(self._text_of_byte):
            must_be_short = is_forced or (state in self.accepting and text not in _ANYWHERE)
            possible_paths = short_paths if must_be_short else paths
            steps[text] = self._first_step(text, possible_paths)
        return [steps[text] for text in self._text_of_byte]

    def _paths_from(self, state: int) -> list[tuple[str, int]]:
        """Return a shortest text from a state to each state that it can reach, the shortest text first."""
        paths = [("", state)]
        seen = {state}
        for path, reached in paths:  # which grows in the loop
            for char, target in self.rows[reached].items():
                if target not in seen:
                    seen.add(target)
                    paths.append((path + char, target))
        return paths

    def _first_step(self, text: str, paths: Sequence[tuple[str, int]]) -> _Step | None:
        """Return the step of the first path after which a text is allowed, or None if there is none."""
        for path, reached in paths:
            target = self._follow(reached, text)
            if target is not None:
                return _Step(path + text, target)
        return None

    def _follow(self, start: int, text: str) -> int | None:
        """Return the state after a text, or None if no word can continue with the text."""
        state = start
        for char in text:
            if char not in self.rows[state]:
                return None
            state = self.rows[state][char]
        return state


def _live_targets(
    row: Sequence[int], kinds: Mapping[str, int], live_states: Container[int]
) -> dict[str, int]:
    """Map each character to the state that it leads to, except to states from which no word can be completed.

    `row` is the row of a state in the table of an automaton. `kinds` maps each character to its column.
    """
    return {char: row[kind] for char, kind in kinds.items() if row[kind] in live_states}


def _texts_by_byte(
    characters: Sequence[str], rows: Sequence[Mapping[str, int]], words: Sequence[str]
) -> list[str]:
    """Return the text of each byte: first the characters in their order, then most of the longer texts.

    A character that is not a letter or digit has the more bytes, the more runs it can end.
    """
    allowed = frozenset(characters)
    longer_texts = [text for text in (*_NUMBERS, *_DOTS, *_SLASHES, *words) if allowed.issuperset(text)]
    shares = _byte_counts(characters, rows, len(longer_texts))
    texts = [char for char in characters for _ in range(shares[char])]
    for text in longer_texts:
        is_doubled = len(text) == 2 and text[0] == text[1]
        # a doubled character follows the single one, so that it shrinks to the single one
        index = texts.index(text[0]) + shares[text[0]] if is_doubled else len(texts)
        texts.insert(index, text)
    return _spread_over_bytes(texts)


def _spread_over_bytes(texts: Sequence[str]) -> list[str]:
    """Return a text for each byte: each of these texts equally often, but the first ones once more.

    Without a text, no byte stands for anything.
    """
    if not texts:
        return [""] * _BYTES
    times, remainder = divmod(_BYTES, len(texts))
    text_of_byte = []
    for index, text in enumerate(texts):
        extra = 1 if index < remainder else 0
        text_of_byte += [text] * (times + extra)
    return text_of_byte


def _byte_counts(
    characters: Sequence[str], rows: Sequence[Mapping[str, int]], longer_texts: int
) -> dict[str, int]:
    """Return the number of bytes of each character, if so many longer texts also need a byte.

    Each character has at least a byte. What remains of the 256 bytes is shared out among the characters that
    are neither letters nor digits, by the runs that they end. With other numbers, the same bytes would be
    other texts: every example that Hypothesis has stored would change.
    """
    weights = _weights_of_delimiters(characters, rows)
    counts = dict.fromkeys(characters, _least_count(len(characters), longer_texts))
    room = _BYTES - longer_texts - sum(counts.values())
    total = sum(weights.values())
    for char, weight in weights.items():
        counts[char] += room * weight // total
    return counts


def _weights_of_delimiters(characters: Sequence[str], rows: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the weight of each character that is neither a letter nor a digit.

    It is the higher, the more runs the character ends. A run is a state that leads to itself, and a character
    ends it if it leads to another state.
    """
    runs = [(state, row) for state, row in enumerate(rows) if state in row.values()]
    weights = {}
    for char in characters:
        if not char.isalnum():
            ended_runs = [state for state, row in runs if row.get(char, state) != state]
            weights[char] = 1 + min(_MOST_RUNS, len(ended_runs))
    return weights


def _least_count(characters: int, longer_texts: int) -> int:
    """Return how many bytes each character has at least: two if there is room for two, and few longer texts.

    There is never room for two with the characters of an IRI.
    """
    has_room_for_two = 2 * characters + longer_texts <= _BYTES
    return 2 if longer_texts < _FEW_TEXTS and has_room_for_two else 1
