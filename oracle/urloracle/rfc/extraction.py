"""URLs in running text: RFC 1738's appendix, RFC 2396 appendix E, RFC 3986 appendix C.

A URL stands between delimiters that are no part of it, and the white space inside them is dropped.  Where
the text leaves open what was written, an extract holds every admissible reading with its ruling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from urloracle.rfc.normalization import DEFAULT_PORTS

#: `<URL:…>`, `<…>`, `"…"`, and white space alone.
Delimiter = Literal["wrapper", "brackets", "quotes", "space"]


class ExtractedURL(NamedTuple):
    """One reading: the text, the fragment if it is kept apart (R-1738-32), the ruling that admits it."""

    text: str
    fragment: str | None
    ruling: str


class Extract(NamedTuple):
    """A URL found in a text: its span, delimiters included, and its readings, the recommended one first.

    `optional` means that what stands between such delimiters may be extracted or left alone.
    """

    start: int
    end: int
    delimiter: Delimiter
    optional: bool
    readings: tuple[ExtractedURL, ...]


#: Whether a text, and a fragment that is kept apart from it, are a URL with a scheme.
Admits = Callable[[str, str | None], bool]


@dataclass(frozen=True)
class Context:
    """What an RFC says of URLs in running text.

    `required` are the delimiters between which a URL has to be found; `bare`: white space alone may delimit
    one; `fragment_apart`: a fragment is no part of the URL; `keeps_prefix`: `URL:` need not be dropped.
    """

    ruling: str
    required: frozenset[Delimiter]
    bare: bool
    fragment_apart: bool
    keeps_prefix: bool


_EVERY: frozenset[Delimiter] = frozenset(("wrapper", "brackets", "quotes"))

# the appendix recommends brackets and prefix together; section 2.2 knows of brackets and of quotes alone
RFC1738 = Context("R-1738-33", frozenset(("wrapper",)), bare=False, fragment_apart=True, keeps_prefix=False)
RFC2396 = Context("R-2396-28", _EVERY, bare=True, fragment_apart=False, keeps_prefix=False)

# the prefix is no longer recommended, and is a scheme like any other
RFC3986 = Context("R-3986-35", _EVERY, bare=True, fragment_apart=False, keeps_prefix=True)
PREFIX = "URL:"
WHITE_SPACE = " \t\r\n\f\v"
_OPENING = re.compile('[<"]')
_WRAPPED = {"<": re.compile("<([^<>]*)>"), '"': re.compile('"([^"<>]*)"')}
_HYPHENATED = re.compile(r"-(?=[ \t]*[\r\n])")
_WORD = re.compile(rf"[^{WHITE_SPACE}]+")
_BEFORE, _BEHIND = "([{'", ".,;:!?)]}'"

# so many hyphens at line ends are read in every combination, more of them all alike
_HYPHENS = 6

# the schemes of RFC 1738; of others only a double slash tells a URL from a word with a colon
_KNOWN = frozenset((*DEFAULT_PORTS, "file", "mailto", "news"))


def extract_urls(text: str, context: Context, admits: Admits) -> list[Extract]:
    """Return the URLs in a text, in order and without overlaps."""
    wrapped = list(_between_delimiters(text, context, admits))
    return sorted([*wrapped, *_between_spaces(text, wrapped, context, admits)])


def _between_delimiters(text: str, context: Context, admits: Admits) -> Iterator[Extract]:
    position, closing = 0, -1
    while opening := _OPENING.search(text, position):
        start, position = opening.start(), opening.end()
        whole = _WRAPPED[opening[0]].match(text, start)
        # a quote that has closed something else opens only what follows at once
        if whole is None or (start == closing and whole[1][:1] in WHITE_SPACE):
            continue
        delimiter = _delimiter(whole[1], opening[0])
        readings = tuple(_readings(whole[1], delimiter, context, admits))
        if readings:
            position = whole.end()
            optional = _is_optional(whole[1], delimiter, readings[0].text, context)
            yield Extract(start, position, delimiter, optional, readings)
        elif opening[0] == '"':
            closing = whole.end() - 1


def _is_optional(content: str, delimiter: Delimiter, found: str, context: Context) -> bool:
    """True where the delimiters are not those of the RFC, or may hold words that happen to have a colon."""
    if delimiter not in context.required:
        return True
    if delimiter == "wrapper":
        return _has_prefix(found)  # a URL only together with the prefix
    inside = content.strip(WHITE_SPACE)
    scheme_is_whole = _joined(inside).startswith(inside.partition(":")[0])
    is_told = scheme_is_whole and _is_told(found, context)
    return not is_told and (delimiter == "quotes" or _joined(inside) != inside)


def _delimiter(content: str, opening: str) -> Delimiter:
    if opening == '"':
        return "quotes"
    return "wrapper" if _has_prefix(_joined(content)) else "brackets"


def _between_spaces(text: str, wrapped: list[Extract], context: Context, admits: Admits) -> Iterator[Extract]:
    """Words that are URLs, with the punctuation around them and without it."""
    taken = iter([*wrapped, None])
    following = next(taken)
    for word in _WORD.finditer(text):
        while following is not None and following.end <= word.start():
            following = next(taken)
        if following is not None and following.start < word.end():
            continue
        candidates = dict.fromkeys((word[0], word[0].lstrip(_BEFORE).rstrip(_BEHIND)))
        readings = tuple(
            reading
            for candidate in candidates
            if _is_told(candidate, context)
            for reading in _readings(candidate, "space", context, admits)
        )
        if readings:
            yield Extract(word.start(), word.end(), "space", True, readings)


def _is_told(word: str, context: Context) -> bool:
    """True for a word that looks like a URL although nothing delimits it."""
    scheme, _, rest = word.partition(":")
    known = context.bare and (rest.startswith("//") or scheme.lower() in _KNOWN)
    return bool(rest) and (known or _has_prefix(word))


def _readings(content: str, delimiter: Delimiter, context: Context, admits: Admits) -> Iterator[ExtractedURL]:
    texts = list(_unfolded(content))
    ruling = context.ruling if len(texts) == 1 else "R-1738-34"
    for text in texts:
        for form in _forms(text, delimiter, context):
            before, hash_, fragment = form.partition("#")
            if not (context.fragment_apart and hash_):
                if admits(form, None):
                    yield ExtractedURL(form, None, ruling)
            elif admits(before, fragment):
                ruling = ruling if len(texts) > 1 else "R-1738-32"
                yield ExtractedURL(before, fragment, ruling)
                yield ExtractedURL(form, None, ruling)


def _forms(text: str, delimiter: Delimiter, context: Context) -> tuple[str, ...]:
    """The text with and without the prefix, as the delimiters and the RFC admit."""
    if not _has_prefix(text):
        return (text,)
    rest = text[len(PREFIX) :]
    if delimiter != "wrapper":  # without brackets it is a scheme in the first place (R-1738-33)
        return (text, rest)
    kept = context.keeps_prefix or not text.startswith(PREFIX)
    return (rest, text) if kept else (rest,)


def _unfolded(content: str) -> Iterator[str]:
    """The content without its white space, and with and without each hyphen before a line break.

    The hyphen may be one that a typesetter has put there; as it stands in the text, it is kept first.
    """
    first, *others = map(_joined, _HYPHENATED.split(content))
    if len(others) <= _HYPHENS:
        choices: Iterator[tuple[str, ...]] = product(("-", ""), repeat=len(others))
    else:
        choices = iter([("-",) * len(others), ("",) * len(others)])
    for hyphens in choices:
        yield first + "".join(map("".join, zip(hyphens, others, strict=True)))


def _joined(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, WHITE_SPACE)))


def _has_prefix(text: str) -> bool:
    return text[: len(PREFIX)].upper() == PREFIX
