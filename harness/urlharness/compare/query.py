"""The query language that selects disagreements. The page of a report uses the same words.

| word | selects |
|---|---|
| `is:different` | two libraries differ by more than spelling |
| `only:NAME` | NAME has an answer that no other library has |
| `NAME=right`, `NAME=wrong` | the answer of NAME is admissible, or not |
| `NAME=accept`, `NAME=reject` | NAME accepts the text, or not |
| `host:`, `path:` … | the component differs by more than spelling |
| `differs:host,path` | one of the components differs by more than spelling |
| `host:VALUE` | a library sees this value |
| `class:ID`, `cause:WORD`, `op:NAME` | the class, the worst cause, the operation |
| any other word | the text or the id contains the word |

A `-` before a word negates it. A disagreement must match all words.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence

from urlharness.compare.causes import Cause
from urlharness.compare.matrix import Disagreement
from urlharness.panel.answer import VERDICT, parts_of
from urlharness.panel.spelling import COMPONENTS

_Test = Callable[[Disagreement], bool]
_STATES: dict[str, Callable[[Disagreement, str], bool]] = {
    "right": lambda one, name: one.side_of[name].cause in (None, Cause.ALLOWED),
    "wrong": lambda one, name: one.side_of[name].cause not in (None, Cause.ALLOWED),
    "accept": lambda one, name: one.side_of[name].answer.accepts,
    "reject": lambda one, name: not one.side_of[name].answer.accepts,
}
_ATOMS: dict[str, Callable[[Disagreement, str], bool]] = {
    "is": lambda one, _: one.alarming,
    "only": lambda one, name: one.only(name),
    "class": lambda one, entry: (one.entry or "none") == entry,
    "cause": lambda one, text: text.lower() in one.cause.lower(),
    "op": lambda one, name: one.case.vector.op == name,
    "differs": lambda one, names: one.differs_in(names.split(",")),
}


_KEYS = frozenset((*COMPONENTS, VERDICT, *_ATOMS))

#: A word that looks like KEY:VALUE.
_ATOM_ALIKE = re.compile("-?[a-z]+:[^/]*")


class QueryError(ValueError):
    """A query is malformed or has an unknown word; the message names the word."""


def select(found: Iterable[Disagreement], query: str, names: Sequence[str]) -> list[Disagreement]:
    """Return the disagreements that a query selects. `names` are the libraries that it may name.

    Raise QueryError if the query is malformed or has an unknown word.
    """
    reader = shlex.shlex(query, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.escape, reader.commenters = True, "", ""
    found = list(found)
    try:
        words = list(reader)
    except ValueError as problem:
        raise QueryError(str(problem)) from None
    tests = [_test(word, names) for word in words]
    for word, test in zip(words, tests, strict=True):
        if _ATOM_ALIKE.fullmatch(word) and _key(word) not in _KEYS and not any(map(test, found)):
            raise QueryError(f"{word!r}: unknown key {_key(word)}, and no text contains the word")
    return [one for one in found if all(test(one) for test in tests)]


def _key(word: str) -> str:
    return word.removeprefix("-").partition(":")[0]


def _test(word: str, names: Sequence[str]) -> _Test:
    if len(word) > 1 and word.startswith("-"):
        test = _test(word[1:], names)
        return lambda one: not test(one)
    name, equals, state = word.rpartition("=")
    if equals and name in names:
        if state not in _STATES:
            raise QueryError(f"{word!r}: {state!r} is not one of {', '.join(_STATES)}")
        return lambda one: name in one.side_of and _STATES[state](one, name)
    key, colon, value = word.partition(":")
    if colon and key in (*COMPONENTS, VERDICT):
        return _component_test(key, value)
    if colon and key in _ATOMS:
        if (key == "is" and value != "different") or (key == "only" and value not in names):
            raise QueryError(f"{word!r}: expected is:different, or only:NAME with one of {', '.join(names)}")
        return lambda one: _ATOMS[key](one, value)
    return lambda one: word.lower() in one.text.lower() or word.lower() in one.case.vector.id.lower()


def _component_test(name: str, value: str) -> _Test:
    if value:
        return lambda one: any(parts_of(side.answer).get(name) == value for side in one.sides)
    return lambda one: one.differs_in((name,))
