"""Minimising: small steps make a text shorter and simpler, while it keeps a property.

The steps go from coarse to fine: whole components are dropped, then blocks of characters, then characters
are replaced by simpler ones, merged and moved. They are tried in a fixed order and repeated until none
succeeds. Therefore, texts that have the property for the same reason mostly end as the same text.

A character is only replaced by those of its own kind and by the simplest one of each simpler kind. Trying all
simpler characters would take about eighty texts for each delimiter that cannot be replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from string import ascii_lowercase, ascii_uppercase, digits

from urlharness.corpus.model import AUTHORITY
from urlharness.fuzz.panel import SEPARATOR
from urlharness.panel.spelling import split
from urlharness.words.paths import BEYOND, ORDER

#: A function that returns the first of some texts that has the property, or None.
FirstWith = Callable[[Sequence[str]], str | None]

#: The default number of texts to try at most.
TRIES = 20_000

#: Texts are tried in batches: first of `_FIRST_BATCH` texts, then each time of twice as many, up to
#: `_LARGEST_BATCH`.
_FIRST_BATCH = 16
_LARGEST_BATCH = 128

#: In texts of at most `_SHORT` characters, every possible part is deleted and characters are merged. In texts
#: of at most `_SHORTEST` characters, two characters are also deleted that need not be adjacent, such as
#: brackets, and characters are moved.
_SHORT = 40
_SHORTEST = 10

#: A number that is decreased. One digit is only replaced, like any other character.
_DIGITS = re.compile("[0-9]{2,14}")

_RANK = {char: number for number, char in enumerate(ORDER)}

_LETTERS = (ascii_lowercase, ascii_uppercase)
#: The kinds of characters, the simplest first.
_KINDS = (
    ascii_lowercase,
    digits,
    ascii_uppercase,
    "".join(char for char in ORDER if char.isprintable() and not char.isalnum() and char != " "),
    "".join(char for char in ORDER if not char.isprintable() or char == " "),
    BEYOND,
)
_SIMPLEST = "a"
#: Two adjacent characters are replaced by one of these.
_MERGED = (_SIMPLEST, "0", "9")

#: The components that are dropped, those first that mostly do not matter.
_DROPPED = ("scheme", "fragment", "query", "userinfo", "port", "path", "host")


def order(text: str) -> tuple[int, list[int]]:
    """Return a sort key: shorter texts come first, then, of equal length, those with simpler characters."""
    return len(text), [_rank(char) for char in text]


def minimise(text: str, first_with: FirstWith, tries: int = TRIES) -> str:
    """Simplify `text` by small steps that keep its property. Return a text that no step makes simpler.

    `first_with` finds the property, which `text` must have. The search ends early after about `tries` tested
    texts.
    """
    search = _Search(first_with, tries)
    simplest = text
    while not search.is_exhausted:
        before = simplest
        for step in (_drop, _delete, _simplify, _merge, _decrease_and_move):
            simplest = step(simplest, search)
            if simplest != before and step in (_merge, _decrease_and_move):
                break  # what was merged or moved can perhaps be deleted
        if simplest == before:
            break
    return simplest


class _Search:
    """Tests texts, but never again a text that failed. `is_exhausted` is True if no tries are left.

    A batch is never cut, so there can be a few more tests than tries.
    """

    def __init__(self, first_with: FirstWith, tries: int) -> None:
        self._first_with = first_with
        self._failed: set[str] = set()
        self._tries_left = tries

    @property
    def is_exhausted(self) -> bool:
        return self._tries_left <= 0

    def find_first(self, candidates: Iterable[str]) -> str | None:
        """Return the first candidate that has the property, or None if there is none, or no try is left."""
        untried = (text for text in candidates if text not in self._failed)
        size = _FIRST_BATCH
        while not self.is_exhausted:
            batch = list(dict.fromkeys(islice(untried, size)))
            if not batch:
                break
            self._tries_left -= len(batch)
            success = self._first_with(batch)
            if success is not None:
                self._failed.update(batch[: batch.index(success)])
                return success
            self._failed.update(batch)
            size = min(_LARGEST_BATCH, size * 2)
        return None

    def repeat(self, text: str, steps: Callable[[str], Iterable[str]]) -> str:
        """Take steps as long as one of the texts in `steps(text)` has the property. Return the last text."""
        last_text = text
        while (simpler := self.find_first(steps(last_text))) is not None:
            last_text = simpler
        return last_text


# ---- components


def _drop(text: str, search: _Search) -> str:
    """Drop whole components of a URL, or of both URLs of a pair."""
    return search.repeat(text, _components_dropped)


def _components_dropped(text: str) -> Iterator[str]:
    """Yield the texts with one component only, then those without one."""
    urls = text.split(SEPARATOR)
    for position, url in enumerate(urls):
        parts = split(url)
        present = {}
        for name in _DROPPED:
            part = parts[name]
            if part:
                present[name] = part
        candidates = [_compose({name: part}) for name, part in present.items()]
        for dropped in present:
            remaining = dict(present)
            del remaining[dropped]
            candidates.append(_compose(remaining))
        for candidate in candidates:
            if len(candidate) < len(url):
                shorter = list(urls)
                shorter[position] = candidate
                yield SEPARATOR.join(shorter)


def _compose(parts: Mapping[str, str]) -> str:
    """Return the URL of some components. The others are absent."""
    url = ""
    if "scheme" in parts:
        url += f"{parts['scheme']}:"
    if not parts.keys().isdisjoint(AUTHORITY):
        url += f"//{_authority(parts)}"
    if "path" in parts:
        url += parts["path"]
    if "query" in parts:
        url += f"?{parts['query']}"
    if "fragment" in parts:
        url += f"#{parts['fragment']}"
    return url


def _authority(parts: Mapping[str, str]) -> str:
    """Return the authority of the components that are present, with an empty host if there is none."""
    authority = parts.get("host", "")
    if "userinfo" in parts:
        authority = f"{parts['userinfo']}@{authority}"
    if "port" in parts:
        authority = f"{authority}:{parts['port']}"
    return authority


# ---- blocks


def _delete(text: str, search: _Search) -> str:
    """Delete blocks of decreasing size. If the text is short, then try to delete every possible part."""
    shorter = text
    size = len(text)
    while size:
        shorter = _delete_blocks(shorter, size, search)
        size //= 2
    return search.repeat(shorter, _parts_deleted)


def _delete_blocks(text: str, size: int, search: _Search) -> str:
    """Delete blocks of one size from left to right if `search` accepts the rest, and return what is left."""
    rest = text
    start = 0
    while start < len(rest):
        start_of: dict[str, int] = {}
        for at in range(start, len(rest), size):
            for shorter in _without(rest, at, at + size):
                start_of.setdefault(shorter, at)
        success = search.find_first(start_of)
        if success is None:
            break
        rest = success
        start = start_of[success]
    return rest


def _parts_deleted(text: str) -> Iterator[str]:
    """Yield the texts without one part of two or more characters, then those without any two characters.

    If the text is not short enough, there are none.
    """
    if len(text) <= _SHORT:
        for size in range(len(text) - 1, 1, -1):
            for start in range(len(text) - size + 1):
                yield from _without(text, start, start + size)
    if len(text) <= _SHORTEST:
        for first, second in combinations(range(len(text)), 2):
            if SEPARATOR not in (text[first], text[second]):
                between = text[first + 1 : second]
                yield text[:first] + between + text[second + 1 :]


def _without(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the text without a part, if there is one. The separator of a pair stays."""
    before = text[:start]
    part = text[start:end]
    after = text[end:]
    if SEPARATOR in part:
        if len(part) > 1:
            yield before + SEPARATOR + after
    elif part:
        yield before + after


# ---- characters


def _simplify(text: str, search: _Search) -> str:
    """Replace characters by simpler ones: first whole blocks by the simplest one, then single characters."""
    simplified = text  # which always has the length of the text
    size = len(text)
    while size > 1:
        for start in range(0, len(text), size):
            part = simplified[start : start + size]
            if SEPARATOR not in part and part.strip(_SIMPLEST):
                plain = simplified[:start] + _SIMPLEST * len(part) + simplified[start + size :]
                simplified = search.find_first([plain]) or simplified
        size //= 2
    for at, char in enumerate(simplified):
        if char != SEPARATOR:
            before = simplified[:at]
            after = simplified[at + 1 :]
            candidates = [before + simpler + after for simpler in _simpler(char)]
            simplified = search.find_first(candidates) or simplified
    return simplified


def _simpler(char: str) -> list[str]:
    """Return the characters by which a character is replaced, the simplest first."""
    rank = _rank(char)
    simpler = []
    for kind in _KINDS:
        if char in kind and kind not in _LETTERS:
            simpler += [candidate for candidate in kind if _rank(candidate) < rank]
        elif _rank(kind[0]) < rank:
            simpler.append(kind[0])
    if char.isascii() and char.isupper():
        simpler.append(char.lower())
    return simpler


def _merge(text: str, search: _Search) -> str:
    """Replace two adjacent characters by one, if the text is short.

    If it is very short, also replace each longer part by the simplest character.
    """
    return search.repeat(text, _merged) if len(text) <= _SHORT else text


def _merged(text: str) -> Iterator[str]:
    """Yield the texts with two adjacent characters replaced by one.

    In a very short text, also replace each longer part, but only by the simplest character.
    """
    longest = len(text) if len(text) <= _SHORTEST else 2
    for size in range(2, longest + 1):
        replacements = _MERGED if size == 2 else (_SIMPLEST,)
        for at in range(len(text) - size + 1):
            if SEPARATOR in text[at : at + size]:
                continue
            before = text[:at]
            after = text[at + size :]
            for char in replacements:
                yield before + char + after


def _decrease_and_move(text: str, search: _Search) -> str:
    """Decrease numbers. In a very short text, also move a character, or exchange two characters."""
    decreased = search.repeat(text, _decreased)
    return search.repeat(decreased, _moved) if len(decreased) <= _SHORTEST else decreased


def _decreased(text: str) -> Iterator[str]:
    """Yield the texts in which one digit of a number is one less: a number is reached in few steps."""
    if len(text) > _SHORT:
        return
    for match in _DIGITS.finditer(text):
        length = len(match.group())
        for power in range(length - 1, -1, -1):
            number = int(match.group()) - 10**power
            if number >= 0:
                smaller = f"{number:0{length}}"  # with the zeros before it
                yield text[: match.start()] + smaller + text[match.end() :]


def _moved(text: str) -> Iterator[str]:
    """Yield the simpler texts in which two characters are exchanged, or one is moved next to the other."""
    key = order(text)
    for first, second in combinations(range(len(text)), 2):
        if SEPARATOR in text[first : second + 1]:
            continue
        between = text[first + 1 : second]
        before = text[:first]
        after = text[second + 1 :]
        for part in (
            text[second] + between + text[first],
            between + text[second] + text[first],
            text[second] + text[first] + between,
        ):
            moved = before + part + after
            if order(moved) < key:
                yield moved


def _rank(char: str) -> int:
    return _RANK.get(char, len(ORDER) + ord(char))
