"""Feedback: pairs of the shape of the answers to a text and a feature of the text.

The shape describes the answers, but does not depend on the length of the text. It contains the kind of each
answer, which components are present, in which component the adapters differ, and the first words of a
refusal.

A feature is a transition of the automaton that the text takes, or the combination of all its traits. The
traits of a word are the components that it has, and some of the delimiters in them. The traits of any other
text are the kinds of faults in it, such as a backslash. A text with a new pair is kept, even if its shape and
its feature were both seen before, but in different texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from urlharness.fuzz.difference import Divergence, first_words
from urlharness.fuzz.panel import SEPARATOR, AdapterAnswer
from urlharness.panel.answer import Answer, parts_of
from urlharness.panel.spelling import split
from urloracle.automata.dfa import SINK, Automaton

#: Codes that are used like numbers of classes: the end of a text, characters that no word contains (control,
#: blank, other ASCII, beyond ASCII), and the end of a word.
_END, _CONTROL, _BLANK, _OUTSIDE, _BEYOND, _ACCEPTED = range(200, 206)
#: The code of a transition is the number of its state times `_STATE`, plus the number of its class. No
#: code is 0, because state 0 is the sink, and no text is read from the sink.
_STATE = 256
#: It is added to the code of a transition after the text has left the language.
_BROKEN = 1 << 24
#: They are added to the code of a combination of traits, of that of the second text of a pair, and of a
#: combination of faults.
_TRAITS = 1 << 26
_SECOND = 1 << 27
_FAULTS = 1 << 28
#: The kinds of faults of a text.
_FAULT_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        r"\A[\0- ]",
        "[\0-\x08\x0b-\x1f\x7f]",
        "\t",
        "\n",
        "\r",
        "\0",
        " ",
        r"\\",
        r'["<>^`{|}]',
        "@.*@",
        "#.*#",
        "[^\0-\x7f]",
        "%(?![0-9A-Fa-f]{2})",
    )
]

#: By component: the characters in it that are traits, in addition to its presence.
_TRAIT_CHARACTERS = {
    "scheme": "",
    "userinfo": ":%",
    "host": "[%.",
    "port": "",
    "path": ".%;",
    "query": "",
    "fragment": "",
}
#: Ports with more digits may be too large.
_USUAL_PORT_DIGITS = 4


class Transitions:
    """Finds the features of texts: transitions of an automaton, and combinations of traits or faults."""

    def __init__(self, automaton: Automaton) -> None:
        self._start = automaton.start
        self._accepting = automaton.accepting
        #: By state and character: (next state, code of the transition).
        self._rows: list[dict[str, tuple[int, int]]] = []
        #: The codes of the transitions that words can take.
        self._codes_of_words: set[int] = set()
        for state, targets in enumerate(automaton.table):
            row = {}
            for char, kind in automaton.classes.items():
                code = state * _STATE + kind
                row[char] = (targets[kind], code)
                if targets[kind] != SINK:
                    self._codes_of_words.add(code)
            self._rows.append(row)

    @property
    def total(self) -> int:
        """The number of transitions that words can take."""
        return len(self._codes_of_words)

    def features(self, text: str) -> tuple[set[int], int]:
        """Return the codes of the features of a text, and the code of the place where it leaves the language.

        A character that cannot continue a word also counts as a transition. The rest of the text is then read
        from the state before this character. The place of a word is its last state.
        """
        codes: set[int] = set()
        leaves_at = 0  # which is no code, so `or` keeps the first place
        broken = 0  # what is added to the codes: `_BROKEN` after the text has left the language
        parts = text.split(SEPARATOR)
        for number, part in enumerate(parts):
            state = self._start
            for char in part:
                target, code = self._transition(state, char)
                if target == SINK:
                    leaves_at = leaves_at or code
                    broken = _BROKEN
                else:
                    state = target
                codes.add(code + broken)
            codes.add(state * _STATE + _END + broken)
            if not broken:
                codes.add(_TRAITS + _traits(part) + number * _SECOND)
            if state not in self._accepting:
                leaves_at = leaves_at or state * _STATE + _END
        if broken:
            codes.add(_FAULTS + _faults(parts))
        return codes, leaves_at or state * _STATE + _ACCEPTED

    def _transition(self, state: int, char: str) -> tuple[int, int]:
        """Return (next state, code of the transition)."""
        row = self._rows[state]
        if char in row:
            return row[char]
        return SINK, state * _STATE + _code_of_foreign_character(char)

    def count_taken(self, codes: Iterable[int]) -> int:
        """Return how many of the codes stand for transitions that words can take."""
        return len(self._codes_of_words.intersection(codes))


def _code_of_foreign_character(char: str) -> int:
    """Return the code of a character that no word contains."""
    if not char.isascii():
        return _BEYOND
    if char == " ":
        return _BLANK
    return _OUTSIDE if char.isprintable() else _CONTROL


def _traits(text: str) -> int:
    """Return the combination of traits of a text as bits. Journals contain these numbers."""
    parts = split(text)
    traits: list[bool] = []
    for name, trait_characters in _TRAIT_CHARACTERS.items():
        component = parts[name]
        traits.append(bool(component))
        traits.append(component == "")
        traits += [component is not None and char in component for char in trait_characters]
    port = parts["port"] or ""
    traits.append(len(port) > _USUAL_PORT_DIGITS)
    return _bits(traits)


def _faults(parts: Sequence[str]) -> int:
    """Return the combination of the faults of a text, or of both texts of a pair, as bits."""
    return _bits(pattern.search(part) is not None for part in parts for pattern in _FAULT_PATTERNS)


def _bits(flags: Iterable[bool]) -> int:
    """Return flags as one number, whose highest bit is always set."""
    bits = 1
    for flag in flags:
        bits = (bits << 1) | flag
    return bits


class Feedback:
    """The pairs of shape and feature that were seen so far."""

    def __init__(self) -> None:
        self._shapes: dict[str, set[int]] = {}

    def new_codes(self, shape: str, codes: Iterable[int]) -> set[int]:
        """Return the codes that were not yet seen with this shape."""
        return set(codes).difference(self._shapes.get(shape, ()))

    def add(self, shape: str, codes: Iterable[int]) -> None:
        """Remember that the codes were seen with this shape."""
        self._shapes.setdefault(shape, set()).update(codes)

    @property
    def codes(self) -> set[int]:
        """The codes of all shapes."""
        return set().union(*self._shapes.values())


def shape_of_answers(text: str, answers: Sequence[AdapterAnswer], divergences: Sequence[Divergence]) -> str:
    """Return the shape of the answers to a text."""
    shapes = [_answer_shape(adapter_answer.answer, text) for adapter_answer in answers]
    for divergence in divergences:
        places = f"{divergence.first}{divergence.second}"
        shapes.append(f"{places}{divergence.component}{divergence.side}")
    return " ".join(shapes)


def _answer_shape(answer: Answer, text: str) -> str:
    """Return the shape of one answer: the first words of a refusal, or which components are present."""
    if answer.kind in ("rejected", "none"):
        return f"{answer.kind}:{first_words(answer, text)}"
    marks = [_presence_mark(part) for part in parts_of(answer).values()]
    return answer.kind + ",".join(marks)


def _presence_mark(part: str | None) -> str:
    """Return a mark for a component: absent, empty, or neither. Journals contain these marks."""
    if part is None:
        return "0"
    return "" if part else "1"
