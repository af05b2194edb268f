"""URLs in running text: RFC 1738's appendix, RFC 2396 appendix E, RFC 3986 appendix C.

Delimiters around a URL are not part of it, and white space inside them is removed.  If the text is
ambiguous, an extract contains every admissible reading with its ruling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from operator import add
from typing import Literal, NamedTuple

from urloracle.rfc.normalization import DEFAULT_PORTS

#: What is around a URL: `<URL:…>`, `<…>`, `"…"`, or only white space.
Delimiter = Literal["wrapper", "brackets", "quotes", "space"]


class ExtractedURL(NamedTuple):
    """One reading: the URL, the fragment if it is separate (R-1738-32), and the ruling."""

    text: str
    fragment: str | None
    ruling: str


class Extract(NamedTuple):
    """A URL found in a text.

    The span from `start` to `end` includes the delimiters.  The first of the `readings` is the recommended
    one.  `optional` is true if the RFC does not require programs to find the URL.
    """

    start: int
    end: int
    delimiter: Delimiter
    optional: bool
    readings: tuple[ExtractedURL, ...]


#: A function of (text, separate fragment or None) that returns True if the text is a URL with a scheme.
Admits = Callable[[str, str | None], bool]


@dataclass(frozen=True)
class Context:
    """The rules of an RFC for URLs in running text.

    `required` contains the delimiters between which programs must find URLs.  If `bare` is true, a URL
    between white space does not need the prefix `URL:` if it has a double slash or one of the `schemes`.
    If `fragment_apart` is true, a fragment is not part of the URL.  If `keeps_prefix` is true, `URL:` can be
    part of the URL.  `pairs` is the ruling by which a URL between white space may end with a bracket that
    closes one inside the URL, or None if there is none.
    """

    ruling: str
    required: frozenset[Delimiter]
    bare: bool
    fragment_apart: bool
    keeps_prefix: bool
    schemes: frozenset[str]
    pairs: str | None = None


_EVERY_DELIMITER: frozenset[Delimiter] = frozenset(("wrapper", "brackets", "quotes"))

# the schemes of RFC 1738
_KNOWN_SCHEMES = frozenset((*DEFAULT_PORTS, "file", "mailto", "news"))

# the appendix recommends brackets with a prefix; section 2.2 mentions brackets or quotes without one
RFC1738 = Context(
    "R-1738-33",
    frozenset(("wrapper",)),
    bare=False,
    fragment_apart=True,
    keeps_prefix=False,
    schemes=_KNOWN_SCHEMES,
)
RFC2396 = Context(
    "R-2396-28",
    _EVERY_DELIMITER,
    bare=True,
    fragment_apart=False,
    keeps_prefix=False,
    schemes=_KNOWN_SCHEMES,
    pairs="R-2396-37",
)

# RFC 3986 no longer recommends the prefix, which can also be a scheme; tel and urn are among the examples of
# section 1.1.2 (R-3986-43)
RFC3986 = Context(
    "R-3986-35",
    _EVERY_DELIMITER,
    bare=True,
    fragment_apart=False,
    keeps_prefix=True,
    schemes=_KNOWN_SCHEMES | {"tel", "urn"},
    pairs="R-3986-47",
)
PREFIX = "URL:"
WHITE_SPACE = " \t\r\n\f\v"
_OPENING = re.compile('[<"]')
_WRAPPED = {"<": re.compile("<([^<>]*)>"), '"': re.compile('"([^"<>]*)"')}
_HYPHENATED = re.compile(r"-(?=[ \t]*[\r\n])")
_WORD = re.compile(rf"[^{WHITE_SPACE}]+")
_BEFORE = "([{'"
_AFTER = ".,;:!?)]}'"
_OPENED_BY = {")": "(", "]": "["}

# Each hyphen at a line end may be kept or removed.  There are only two readings, with all hyphens kept or all
# removed, if there are more than _HYPHENS hyphens and all readings together have more than _CHARACTERS.
_CHARACTERS = 2**18
_HYPHENS = 6


def extract_urls(text: str, context: Context, admits: Admits) -> list[Extract]:
    """Return the URLs in a text, in order and without overlaps."""
    wrapped = list(_between_delimiters(text, context, admits))
    return sorted([*wrapped, *_between_spaces(text, wrapped, context, admits)])


def _between_delimiters(text: str, context: Context, admits: Admits) -> Iterator[Extract]:
    """Yield the URLs in brackets or quotation marks, with or without the prefix `URL:`."""
    position = 0
    closing = -1  # the offset of the latest quotation mark that closed a text other than a URL
    while opening := _OPENING.search(text, position):
        start = opening.start()
        position = opening.end()
        whole = _WRAPPED[opening[0]].match(text, start)
        if whole is None:
            continue
        content = whole[1]
        # a quotation mark that closed another text opens a URL only if no white space follows it
        if start == closing and content[:1] in WHITE_SPACE:
            continue
        delimiter = _delimiter(content, opening[0])
        readings = tuple(_readings(content, delimiter, context, admits))
        if delimiter == "quotes" and not context.bare and _is_prose(content, readings, context):
            readings = ()  # section 2.2 of RFC 1738 does not remove white space between quotation marks
        if readings:
            position = whole.end()
            optional = _is_optional(content, delimiter, readings[0].text, context)
            yield Extract(start, position, delimiter, optional, readings)
        elif opening[0] == '"':
            closing = whole.end() - 1


def _is_optional(content: str, delimiter: Delimiter, url: str, context: Context) -> bool:
    """Return True if the RFC does not require the delimiters, or if the content may be prose with a colon."""
    if delimiter not in context.required:
        return True
    if delimiter == "wrapper":
        return _has_prefix(url)  # if `URL:` is part of the URL, the text may be prose
    inside = content.strip(WHITE_SPACE)
    joined = _without_white_space(inside)
    scheme = inside.partition(":")[0]
    scheme_is_whole = _without_white_space(scheme) == scheme
    if scheme_is_whole and _looks_like_url(url, context):
        return False
    # quotation marks enclose any words (R-2396-35); in brackets, only white space shows that it may be prose
    return delimiter == "quotes" or joined != inside


def _is_prose(content: str, readings: tuple[ExtractedURL, ...], context: Context) -> bool:
    """Return True if the content has white space and, without it, does not look like a URL."""
    inside = content.strip(WHITE_SPACE)
    if _without_white_space(inside) == inside:
        return False
    return not any(_looks_like_url(reading.text, context) for reading in readings)


def _delimiter(content: str, opening: str) -> Delimiter:
    """Return the delimiter whose opening character is `<` or a quotation mark."""
    if opening == '"':
        return "quotes"
    return "wrapper" if _has_prefix(_without_white_space(content)) else "brackets"


def _between_spaces(text: str, wrapped: list[Extract], context: Context, admits: Admits) -> Iterator[Extract]:
    """Yield the URLs among the words that do not overlap any of the `wrapped` URLs, which are in order."""
    spans = iter([*wrapped, None])  # None comes after the last one
    following = next(spans)
    for word in _WORD.finditer(text):
        while following is not None and following.end <= word.start():
            following = next(spans)
        if following is not None and following.start < word.end():
            continue
        stripped = word[0].lstrip(_BEFORE).rstrip(_AFTER)
        candidates = {word[0]: context, stripped: context}
        if context.pairs is not None:
            candidates.setdefault(_stripped_except_pairs(word[0]), replace(context, ruling=context.pairs))
        readings: list[ExtractedURL] = []
        for candidate, context_of_candidate in candidates.items():
            if _looks_like_url(candidate, context):
                readings += _readings(candidate, "space", context_of_candidate, admits)
        if readings:
            yield Extract(word.start(), word.end(), "space", optional=True, readings=tuple(readings))


def _stripped_except_pairs(word: str) -> str:
    """Return a word without punctuation around it, but with brackets that close brackets inside it."""
    inside = word.lstrip(_BEFORE)
    surplus = {
        closing: inside.count(closing) - inside.count(opening) for closing, opening in _OPENED_BY.items()
    }
    end = len(inside)
    while end and inside[end - 1] in _AFTER:
        last = inside[end - 1]
        if last in _OPENED_BY:
            if surplus[last] <= 0:
                break
            surplus[last] -= 1
        end -= 1
    return inside[:end]


def _looks_like_url(word: str, context: Context) -> bool:
    """Return True if a word has a prefix or, for a `bare` context, a known scheme or a double slash."""
    scheme, _, rest = word.partition(":")
    is_plausible = context.bare and (rest.startswith("//") or scheme.lower() in context.schemes)
    return bool(rest) and (is_plausible or _has_prefix(word))


def _readings(content: str, delimiter: Delimiter, context: Context, admits: Admits) -> Iterator[ExtractedURL]:
    """Yield the admitted readings of a content, the recommended one first."""
    texts = list(_unfoldings(content))
    ruling = context.ruling
    fragment_ruling = "R-1738-32"
    if len(texts) > 1:  # a reading names one ruling: that on hyphens comes before that on fragments
        ruling = "R-1738-34"
        fragment_ruling = "R-1738-34"
    for text in texts:
        for form in _forms(text, delimiter, context):
            before, hash_, fragment = form.partition("#")
            if not (context.fragment_apart and hash_):
                if admits(form, None):
                    yield ExtractedURL(form, None, ruling)
            # no rule of RFC 1738 has a `#`: if both parts are admitted, so is the whole text (R-1738-32)
            elif admits(before, fragment):
                yield ExtractedURL(before, fragment, fragment_ruling)
                yield ExtractedURL(form, None, fragment_ruling)
                if not fragment:  # an empty fragment may also be dropped with its #
                    yield ExtractedURL(before, None, fragment_ruling)


def _forms(text: str, delimiter: Delimiter, context: Context) -> tuple[str, ...]:
    """Return the admissible forms of a text with the prefix `URL:`: with it, without it, or both.

    A text without the prefix has one form, the text itself.
    """
    if not _has_prefix(text):
        return (text,)
    rest = text[len(PREFIX) :]
    if delimiter != "wrapper":  # without brackets it is more likely a scheme (R-1738-33)
        return (text, rest)
    is_ambiguous = context.keeps_prefix or not text.startswith(PREFIX)
    return (rest, text) if is_ambiguous else (rest,)


def _unfoldings(content: str) -> Iterator[str]:
    """Yield the content without white space, once for each choice of hyphens at line ends to remove."""
    first, *later_parts = map(_without_white_space, _HYPHENATED.split(content))
    count = len(later_parts)
    choices: Iterable[tuple[str, ...]]
    if count <= _HYPHENS or len(content) << count <= _CHARACTERS:
        choices = product(("-", ""), repeat=count)
    else:  # too many to try: keep all hyphens, or remove all
        choices = [("-",) * count, ("",) * count]
    for hyphens in choices:
        rest = map(add, hyphens, later_parts)
        yield first + "".join(rest)


def _without_white_space(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, WHITE_SPACE)))


def _has_prefix(text: str) -> bool:
    return text[: len(PREFIX)].upper() == PREFIX
