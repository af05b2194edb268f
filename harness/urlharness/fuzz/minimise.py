"""Minimising: small steps make a text shorter and simpler, while it keeps a property.

The steps are tried in a fixed order and repeated until none succeeds. Therefore, texts that have the property
for the same reason mostly end as the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice

from urlharness.fuzz.panel import SEPARATOR
from urlharness.words.paths import ORDER

#: A function that returns for each text whether it has the property.
Test = Callable[[Sequence[str]], Sequence[bool]]

#: The default number of texts to try at most.
TRIES = 20_000

#: Texts are tried in batches: first of `_LEAST` texts, then each time of twice as many, up to `_MOST`.
_LEAST, _MOST = 4, 128

#: In texts of at most `_SHORT` characters, every possible part is deleted and characters are merged. In texts
#: of at most `_SHORTEST` characters, characters are also moved.
_SHORT, _SHORTEST = 40, 14

_NUMBER = re.compile("[0-9]{2,14}")

_RANK = {char: number for number, char in enumerate(ORDER)}


def order(text: str) -> tuple[int, list[int]]:
    """Return a sort key: shorter texts come first, then, of equal length, those with simpler characters."""
    return len(text), [_rank(char) for char in text]


def minimise(
    text: str, test: Test, known: Callable[[str], bool] = lambda _: False, tries: int = TRIES
) -> str:
    """Simplify `text` by small steps that keep its property. Return a text that no step makes simpler.

    `test` checks the property, which `text` must have. The search ends early at a text for which `known`
    returns True, or after about `tries` tested texts.
    """
    search = _Search(test, known, tries)
    while True:
        before = text
        for step in (_delete, _simplify, _merge, _move):
            text = step(text, search)
            if search.done:
                return text
            if text != before and step in (_merge, _move):
                break
        if text == before:
            return text


def shorten(text: str, test: Test, known: Callable[[str], bool] = lambda _: False) -> str:
    """Minimise `text` like `minimise`, but only by deleting parts of it."""
    return _delete(text, _Search(test, known, TRIES))


class _Search:
    """Tests texts, but never again a text that failed.

    `done` is True after a known text was found, or if no tries are left.
    """

    def __init__(self, test: Test, known: Callable[[str], bool], tries: int) -> None:
        self._test, self._known = test, known
        self._failed: set[str] = set()
        self._left = tries
        self.done = False

    def first(self, candidates: Iterable[str]) -> str | None:
        """Return the first candidate that has the property. Return None if there is none, or if `done`."""
        untried = (text for text in candidates if text not in self._failed)
        size = _LEAST
        while not self.done and (batch := list(dict.fromkeys(islice(untried, size)))):
            self._left -= len(batch)
            for text, holds in zip(batch, self._test(batch), strict=True):
                if holds:
                    self.done = self._known(text)
                    return text
                self._failed.add(text)
            self.done = self._left <= 0
            size = min(_MOST, size * 2)
        return None

    def repeat(self, text: str, steps: Callable[[str], Iterable[str]]) -> str:
        """Take steps as long as one of the texts in `steps(text)` has the property. Return the last text."""
        while not self.done and (found := self.first(steps(text))) is not None:
            text = found
        return text


def _delete(text: str, search: _Search) -> str:
    """Delete blocks of decreasing size. If the text is short, then try to delete every possible part."""
    size = len(text)
    while size:
        start = 0
        while start < len(text):
            found = search.first(_without(text, start, start + size))
            start += size if found is None else 0
            text = text if found is None else found
        size //= 2
    return search.repeat(text, _parts_deleted)


def _parts_deleted(text: str) -> Iterator[str]:
    if len(text) <= _SHORT:
        for size in range(len(text) - 1, 1, -1):
            for start in range(len(text) - size + 1):
                yield from _without(text, start, start + size)


def _without(text: str, start: int, end: int) -> Iterator[str]:
    part = text[start:end]
    if SEPARATOR in part:
        if len(part) > 1:
            yield text[:start] + SEPARATOR + text[end:]
    elif part:
        yield text[:start] + text[end:]


def _simplify(text: str, search: _Search) -> str:
    """Replace characters by simpler ones: first whole blocks by the simplest one, then single characters."""
    size = len(text)
    while size > 1:
        for start in range(0, len(text), size):
            part = text[start : start + size]
            if SEPARATOR not in part and part.strip(ORDER[0]):
                text = search.first([text[:start] + ORDER[0] * len(part) + text[start + size :]]) or text
        size //= 2
    for at, char in enumerate(text):
        if char != SEPARATOR:
            simpler = (text[:at] + one + text[at + 1 :] for one in ORDER[: _rank(char)])
            text = search.first(simpler) or text
    return text


def _merge(text: str, search: _Search) -> str:
    """Replace two adjacent characters by one, if the text is short.

    If it is very short, also replace each longer part by the simplest character.
    """
    return search.repeat(text, _merged) if len(text) <= _SHORT else text


def _merged(text: str) -> Iterator[str]:
    longest = len(text) if len(text) <= _SHORTEST else 2
    for size in range(2, longest + 1):
        for at in range(len(text) - size + 1):
            if SEPARATOR not in text[at : at + size]:
                for char in ORDER if size == 2 else ORDER[0]:
                    yield text[:at] + char + text[at + size :]


def _move(text: str, search: _Search) -> str:
    """Simplify a very short text: decrease a number, move a character, or exchange two characters."""
    return search.repeat(text, _moved) if len(text) <= _SHORTEST else text


def _moved(text: str) -> Iterator[str]:
    for found in _NUMBER.finditer(text):
        number = int(found[0])
        for power in range(len(found[0]) - 1, -1, -1):  # not 1 alone, which would take millions of steps
            if number >= 10**power:
                yield text[: found.start()] + f"{number - 10**power:0{len(found[0])}}" + text[found.end() :]
    key = order(text)
    for one, other in combinations(range(len(text)), 2):
        if SEPARATOR in text[one : other + 1]:
            continue
        chars = list(text)
        chars[one], chars[other] = chars[other], chars[one]
        moved = [text[:one] + text[one + 1 : other + 1] + text[one] + text[other + 1 :],
                 text[:one] + text[other] + text[one:other] + text[other + 1 :]]  # fmt: skip
        yield from (found for found in ("".join(chars), *moved) if order(found) < key)


def _rank(char: str) -> int:
    return _RANK.get(char, len(ORDER) + ord(char))
