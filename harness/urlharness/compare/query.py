"""The query language that selects disagreements. The page of a report uses the same words.

| word | selects |
|---|---|
| `is:different` | two libraries differ by more than spelling |
| `only:NAME` | NAME has an answer that no other library has |
| `NAME=right`, `NAME=wrong` | the answer of NAME is admissible, or not |
| `NAME=accept`, `NAME=reject` | NAME accepts the text, or not |
| `host:`, `path:` … | the component differs by more than spelling |
| `differs:host,path` | one of the components differs by more than spelling |
| `severity:host` | it is the most harmful component that differs by more than spelling |
| `host:VALUE` | a library sees this value |
| `class:ID`, `cause:WORD`, `op:NAME` | the class, the worst cause, the operation |
| any other word | the text or the id contains the word |

A `-` before a word negates it. A disagreement must match all words. A word that names a class, a cause, a
component or an operation that does not exist is an error, because it can select nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence

from urlharness.compare.causes import Cause
from urlharness.compare.matrix import Disagreement
from urlharness.corpus.loader import load_classes
from urlharness.corpus.model import OPERATIONS
from urlharness.panel.answer import parts_of
from urlharness.panel.severity import OTHER, VERDICT
from urlharness.panel.spelling import COMPONENTS
from urlharness.wording import did_you_mean

_Test = Callable[[Disagreement], bool]

#: The states of a library in `NAME=STATE`.
_STATES: dict[str, Callable[[Disagreement, str], bool]] = {
    "right": lambda disagreement, name: not disagreement.side_of[name].is_wrong,
    "wrong": lambda disagreement, name: disagreement.side_of[name].is_wrong,
    "accept": lambda disagreement, name: disagreement.side_of[name].answer.accepts,
    "reject": lambda disagreement, name: not disagreement.side_of[name].answer.accepts,
}

#: The keys in `KEY:VALUE`, besides the components.
_ATOMS: dict[str, Callable[[Disagreement, str], bool]] = {
    "is": lambda disagreement, _: disagreement.alarming,
    "only": lambda disagreement, name: disagreement.is_lone_answer(name),
    "class": lambda disagreement, entry: (disagreement.entry or _NO_CLASS) == entry,
    "cause": lambda disagreement, text: text.lower() in disagreement.cause.lower(),
    "op": lambda disagreement, name: disagreement.case.vector.op == name,
    "severity": lambda disagreement, name: disagreement.alarming and disagreement.component == name,
    "differs": lambda disagreement, names: disagreement.differs_in(names.split(",")),
}

_KEYS = frozenset((*COMPONENTS, VERDICT, *_ATOMS))

#: What the values of keys name, if a value can be one that does not exist.
_NOUNS = {
    "class": "class",
    "cause": "cause",
    "op": "operation",
    "severity": "component",
    "differs": "component",
}

#: What `class:` selects where a disagreement has no class.
_NO_CLASS = "none"

#: In what answers can differ, as `differs:` and `severity:` name it.
_DIFFERENCES = (*COMPONENTS, VERDICT, "authority", OTHER)

#: A word that looks like KEY:VALUE.
_ATOM_ALIKE = re.compile("-?[a-z]+:[^/]*")

#: A word that looks like NAME=STATE.
_STATE_ALIKE = re.compile(rf"-?([^=/?#]+)=(?:{'|'.join(_STATES)})")


class QueryError(ValueError):
    """A query is malformed or has an unknown word; the message names the word."""


def select(disagreements: Iterable[Disagreement], query: str, names: Sequence[str]) -> list[Disagreement]:
    """Return the disagreements that a query selects. `names` are the libraries that it may name.

    Raise QueryError if the query is malformed or has an unknown word.
    """
    candidates = list(disagreements)
    selected = candidates
    for word in _words(query):
        _check_value(word)
        test = _word_test(word, names)
        _check_key_and_library(word, names, candidates)
        selected = list(filter(test, selected))
    return selected


def check_values(query: str) -> None:
    """Raise QueryError if the query is malformed, or has a value that no comparison of libraries can have."""
    for word in _words(query):
        _check_value(word)


def _words(query: str) -> Sequence[str]:
    """Split a query at blanks outside quotation marks. A `#` or a backslash has no meaning.

    Raise QueryError if a quotation mark is not closed.
    """
    reader = shlex.shlex(query, posix=True, punctuation_chars=False)
    reader.whitespace_split = True
    reader.escape = ""
    reader.commenters = ""
    try:
        return list(reader)
    except ValueError as problem:
        raise QueryError(str(problem)) from None


def _check_value(word: str) -> None:
    """Raise QueryError, which names what there is, if the value of KEY:VALUE does not exist."""
    key, _, argument = word.removeprefix("-").partition(":")
    if key not in _NOUNS:
        return
    values = _values_of(key)
    if key == "cause" and any(argument.lower() in cause for cause in values):
        return
    arguments = argument.split(",") if key == "differs" else [argument]
    for text in arguments:
        if text not in values:
            suggestion = did_you_mean(text, values)
            before_list = f"{suggestion} " if suggestion else ""
            listed = ", ".join(map(shlex.quote, values))
            problem = f"no {_NOUNS[key]} {text or '(empty)'}"
            raise QueryError(f"{word!r}: {problem}. {before_list}There are {listed}")


def _check_key_and_library(word: str, names: Sequence[str], disagreements: Iterable[Disagreement]) -> None:
    """Raise QueryError if the key or the library of a word is unknown, and no text contains the word.

    A word such as `h:80` may be a part of a text. Without the hyphen that negates it, a text must have it.
    """
    unknown = _unknown_part(word, names)
    if not unknown:
        return
    is_in_text = _word_test(word.removeprefix("-"), names)
    if not any(map(is_in_text, disagreements)):
        raise QueryError(f"{word!r}: {unknown}, and no text contains the word")


def _values_of(key: str) -> Sequence[str]:
    """Return the values that a key of `_NOUNS` can have."""
    match key:
        case "class":
            return (*load_classes(), _NO_CLASS)
        case "cause":
            return list(Cause)
        case "op":
            return list(OPERATIONS)
    return _DIFFERENCES


def _unknown_part(word: str, names: Sequence[str]) -> str:
    """Return what is unknown in a word that looks like KEY:VALUE or NAME=STATE, or an empty string."""
    key, _, _ = word.removeprefix("-").partition(":")
    if _ATOM_ALIKE.fullmatch(word) and key not in _KEYS:
        return f"unknown key {key}"
    like_state = _STATE_ALIKE.fullmatch(word)
    if like_state is None:
        return ""
    library = like_state[1]
    return "" if library in names else f"no library {library} among {', '.join(names)}"


def _word_test(word: str, names: Sequence[str]) -> _Test:
    """Return the test of a word, which returns True for a disagreement that the word selects.

    A hyphen before the word negates it. A word without a meaning of its own is looked for in texts and ids.
    Raise QueryError if the state of a library is unknown, or the value of `is` or `only`.
    """
    if len(word) > 1 and word.startswith("-"):
        positive = _word_test(word[1:], names)
        return lambda disagreement: not positive(disagreement)
    name, equals, state = word.rpartition("=")
    if equals and name in names:
        return _state_test(word, name, state)
    key, colon, argument = word.partition(":")
    if colon and key in (*COMPONENTS, VERDICT):
        return _component_test(key, argument)
    if colon and key in _ATOMS:
        return _atom_test(word, key, argument, names)
    return _text_test(word.lower())


def _atom_test(word: str, key: str, argument: str, names: Sequence[str]) -> _Test:
    """Return the test of KEY:VALUE. Raise QueryError if the value of `is` or `only` is unknown."""
    if (key == "is" and argument != "different") or (key == "only" and argument not in names):
        raise QueryError(f"{word!r}: expected is:different, or only:NAME with one of {', '.join(names)}")
    return lambda disagreement: _ATOMS[key](disagreement, argument)


def _state_test(word: str, name: str, state: str) -> _Test:
    """Return the test of NAME=STATE. Disagreements without an answer of NAME fail it.

    Raise QueryError if there is no such state.
    """
    if state not in _STATES:
        raise QueryError(f"{word!r}: {state!r} is not one of {', '.join(_STATES)}")
    return lambda disagreement: name in disagreement.side_of and _STATES[state](disagreement, name)


def _component_test(component: str, text: str) -> _Test:
    """Return the test of COMPONENT:VALUE, or without a text, that of a component that differs."""
    if not text:
        return lambda disagreement: disagreement.differs_in((component,))
    return lambda disagreement: _is_seen(disagreement, component, text)


def _is_seen(disagreement: Disagreement, component: str, text: str) -> bool:
    """Return True if a library sees this value of a component."""
    return any(parts_of(side.answer).get(component) == text for side in disagreement.sides)


def _text_test(word: str) -> _Test:
    """Return a test for a word in lower case that is a part of the text or of the id."""
    return lambda disagreement: (
        word in disagreement.text.lower() or word in disagreement.case.vector.id.lower()
    )
