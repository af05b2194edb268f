"""Patterns: regular expressions for the texts that show the same difference as a minimal text.

`learn` varies each character of the minimal text and tests which variants still show the difference. A
pattern has a class of characters for each character of the text, and a gap wherever other characters may be
inserted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from urlharness.compare.answers import split
from urlharness.fuzz.minimise import Test
from urlharness.fuzz.panel import SEPARATOR
from urlharness.words.paths import BEYOND, ORDER

#: The maximum number of parts of a text that gets a pattern.
_LONGEST = 48
_NEUTRAL = ("a", "0")
#: A single character, or a run of at least eight equal characters.
_PART = re.compile(r"(.)\1{7,}|.", re.DOTALL)
#: The maximum number of places in a match that are edited.
_PLACES = 60

_ALL = tuple(ORDER + BEYOND)
_RELATIVE = r"\A(?![A-Za-z][A-Za-z0-9+.-]*:)(?=.*"


def learn(text: str, test: Test, *, closed: bool) -> str | None:
    """Return a regular expression for the texts that show the same difference as a minimal text.

    `test` returns for each text whether it shows this difference. If `closed`, the expression also restricts
    which character may follow. Return None if the text has too many parts.
    """
    parts = _parts(text)
    if len(parts) > _LONGEST:
        return None
    if not text.strip(SEPARATOR):
        return _of_empty(text, test, closed=closed)
    made, at = [], 0
    for part in parts:
        before, after = text[:at], text[at + len(part) :]
        if at:
            between = _members(test, [before + one + text[at:] for one in _ALL])
            gap = f"{_class(between)}*" if between else ""
            made.append(".*" if between.intersection(_NEUTRAL) else gap)
        if part == SEPARATOR:
            made.append(part)
        else:
            members = _members(test, [before + one * len(part) + after for one in _ALL])
            made.append(_class(members | {part[0]}) + (f"{{{len(part)},}}" if len(part) > 1 else ""))
        at += len(part)
    if closed:
        following = _members(test, [text + one for one in _ALL])
        if not following.intersection(_NEUTRAL):
            made.append(rf"(?={_class(following)}|\Z)" if following else r"\Z")
    pattern = "".join(made)
    if SEPARATOR in text or split(text)["scheme"] is not None:
        return pattern
    return pattern if with_scheme(text, test) else f"{_RELATIVE}{pattern})"


#: What `learn` and `literal` write: characters, classes with a repetition, and gaps, all linear in time.
_CLASS = r"\[(?:\\.|[^\\\]])*\]"
_CHARACTER = r"\\[^AZ]|[^\\\[\](){}*+?|^$.]"
_ELEMENT = rf"(?:{_CLASS}(?:\*|\{{[0-9]{{1,9}},\}})?|\.\*|{_CHARACTER})"
_LEARNED = re.compile(
    rf"(?:\\A|{re.escape(_RELATIVE)})?{_ELEMENT}*(?:\(\?={_CLASS}\|\\Z\)|\\Z)?\)?", re.DOTALL
)


def is_learned(pattern: str) -> bool:
    """Return True if a pattern has the form of those that this module makes."""
    return _LEARNED.fullmatch(pattern) is not None


def literal(text: str) -> str:
    """Return the pattern of the texts that contain a text. For the empty text, it matches only this text."""
    return re.escape(text) or r"\A\Z"


def _of_empty(text: str, test: Test, *, closed: bool) -> str:
    """Return the pattern of the empty text, or of a pair of empty texts.

    The pattern matches only this text, unless longer texts show the same difference. Then it matches all
    pairs, all relative references, or all texts. If `closed`, it never matches all texts.
    """
    if not all(test([one + text for one in _NEUTRAL])):
        return rf"\A{text}\Z"
    if text or not with_scheme(text, test):
        return text or f"{_RELATIVE})"
    return r"\A\Z" if closed else ""


def _parts(text: str) -> list[str]:
    """Split a text into its characters, but keep each run of at least eight equal characters together."""
    return [found[0] for found in _PART.finditer(text)]


def _members(test: Test, texts: Sequence[str]) -> set[str]:
    """Return the characters of `_ALL` whose text passes the test. `texts` is in the order of `_ALL`."""
    return {one for one, holds in zip(_ALL, test(texts), strict=True) if holds}


def _class(members: set[str]) -> str:
    """Return a character class of the members. Include all of non-ASCII if most of `BEYOND` are members."""
    if len(members.intersection(BEYOND)) * 2 > len(BEYOND):
        members = {one for one in members if one.isascii()} | {"\x80-\U0010ffff"}
    return f"[{''.join(one if len(one) > 1 else re.escape(one) for one in sorted(members))}]"


def whole(text: str) -> str:
    """Return a URL that ends with the relative reference."""
    if text.startswith("//"):
        return f"http:{text}"
    return f"http://a{text}" if text[:1] in ("/", "?", "#") else f"http://a/{text}"


def with_scheme(text: str, test: Test) -> str | None:
    """Return a URL that ends with the relative reference and still shows the difference, or None."""
    made = [whole(text), f"a:{text}"]
    return next((one for one, holds in zip(made, test(made), strict=True) if holds), None)


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a compiled pattern."""
    return re.compile(pattern, re.DOTALL)


def matching(text: str, patterns: Sequence[str]) -> str | None:
    """Return the first pattern that a text matches, or None."""
    return next((one for one in patterns if _test(one).match(text)), None)


@lru_cache(maxsize=4096)
def _test(pattern: str) -> re.Pattern[str]:
    """Return an expression that matches the texts that contain a match of a pattern, in linear time.

    After a gap of any characters, the first match of the next part is as good as every other one.
    """
    head, whole = "", pattern
    if pattern.startswith(_RELATIVE):
        head, whole = _RELATIVE.removesuffix("(?=.*"), pattern.removeprefix(_RELATIVE).removesuffix(")")
    *first, last = whole.replace("]*", "]*?").replace(",}", ",}?").split(".*")
    return re.compile(head + "".join(f"(?>.*?{one})" for one in first) + f".*?{last}", re.DOTALL)


def edits(text: str, pattern: str) -> list[str]:
    """Return the variants of a text with one small edit inside the part that a pattern matches.

    If this part is empty, edit the whole text, and also put a scheme before it. Return no variants if the
    pattern does not match.
    """
    found = compiled(pattern).search(text)
    if found is None:
        return []
    start, end = found.span()
    made = []
    if end == start:  # the pattern only looks ahead, as patterns of relative references do
        start, end = 0, len(text)
        made = [scheme + text for scheme in ("http:", "a:") if SEPARATOR not in text]
    step = 1 + (end - start) // _PLACES
    places = [at for at in range(start, end, step) if text[at] != SEPARATOR]
    made += [text[:at] + one + text[at + 1 :] for at in places for one in _NEUTRAL]
    made += [text[:at] + text[at + 1 :] for at in places]
    made += [text[:at] + one + text[at:] for at in (*places[1:], end) for one in _NEUTRAL]
    return [one for one in dict.fromkeys(made) if one != text]
