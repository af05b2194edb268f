"""The host tier: short texts in which delimiters surround two host names in every order.

The planted texts have two names of the user instead, alone in every form that parsers map to the name, and
both around a delimiter. The texts have no expected answers. They show whether two parsers see the same host.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

#: Two hosts, delimiters of an authority, and characters that parsers skip, decode or mistake for delimiters.
TOKENS = ("a", "b", "@", ":", "/", "\\", "?", "#", "[", "]", ";", "80", " ", "\t", "%40", "%2f", ".")

#: What comes before the authority: two slashes, or another number that some parsers correct to two.
BEGINNINGS = ("http://", "http:/", "http:", "http:///", "//", "http:\\\\", "HTTP://", "foo://")
_USUAL = ("http://", "//", "foo://")


def host_texts() -> Iterator[str]:
    """Yield each text once. For each beginning, the shortest texts come first.

    Up to three tokens follow a beginning, or up to four if it is a usual one. Each text ends with a slash.
    """
    seen = set()
    for beginning in BEGINNINGS:
        most_tokens = 4 if beginning in _USUAL else 3
        for length in range(1, most_tokens + 1):
            for tokens in product(TOKENS, repeat=length):
                has_host = "a" in tokens or "b" in tokens
                text = f"{beginning}{''.join(tokens)}/"
                if has_host and text not in seen:
                    seen.add(text)
                    yield text


#: The schemes that clients fetch: those of the URL Standard that have a host. A library that only parses
#: takes other schemes, too, and texts without one, but does not show what a client does with them.
FETCHED_SCHEMES = ("http", "https", "ws", "wss", "ftp")

#: Hosts of the machine itself, which servers must never fetch from.
LOCAL_HOSTS = ("localhost", "127.0.0.1")

#: Other forms of 127.0.0.1 that parsers or resolvers map to it.
_LOCAL_FORMS = (
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "127.1",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
)

#: What can stand for a dot: triplets, and the characters that IDNA maps to it (RFC 3490, section 3.1).
_DOTS = ("%2e", "%2E", "\u3002", "\uff0e", "\uff61")

#: The distances from ASCII characters to full-width ones, and from small letters to circled ones.
_FULL_WIDTH = 0xFF01 - ord("!")
_CIRCLED = 0x24D0 - ord("a")

#: What stands before one name: other numbers of slashes, backslashes, no scheme.
_BEFORE_A_NAME = (
    "http:",
    "http:/",
    "http:///",
    "http:////",
    "http:\\",
    "http:\\\\",
    "http:/\\",
    "//",
    "///",
    "https:",
    "https:///",
    "http:\t//",
    " http://",
    "http://@",
    "http://:@",
)

#: What stands between two names, so that parsers disagree which of them is the host.
_BETWEEN_NAMES = (
    "@",
    "\\@",
    "\\",
    "/@",
    "#@",
    "#",
    "?@",
    "?",
    ":80@",
    ":@",
    ":80#@",
    ";@",
    "&@",
    " @",
    " ",
    "\t@",
    "\n@",
    "@@",
    ":a@",
    "[@",
    "]@",
    "%40",
    "%2f@",
    "%2F",
    "%5c@",
    "%5C",
    "%00@",
    "%00",
    "%23@",
    "%3f@",
    "%20",
    "%09",
    "%0d%0a",
    "\r\n",
    "\uff20",
    "\uff0f",
    "\u2488",
    ",",
    "\\\\@",
    "/\\@",
    "://",
)

#: What stands between two names of which the first is at the beginning, where a scheme is: libraries that do
#: not expect a dot in a scheme read it as a host, with a port or with user information after it.
_AFTER_A_FIRST_NAME = (
    "://",
    "://@",
    "://u@",
    ":///",
    ":/",
    ":",
    ":\\\\",
    ":@",
    ":80@",
    ":80//",
    ":80://",
    ":u@",
    "@",
    "//",
)


def planted_texts(names: Sequence[str]) -> Iterator[str]:
    """Yield texts around two host names: each in other forms, and both with a delimiter between them.

    The first of two names also stands where a scheme is. The host of this machine has other forms, too.
    """
    yield from _texts_with_one_name(names)
    yield from _texts_of_this_machine()
    for first, second in permutations(names, 2):
        yield from _texts_around_both_names(first, second)


def _texts_with_one_name(names: Sequence[str]) -> Iterator[str]:
    """Yield texts with one of the names, in other forms or after other beginnings.

    Some libraries map the host of some schemes alone, so each form stands after each scheme that is fetched.
    """
    for scheme, name in product(FETCHED_SCHEMES, names):
        for form in _other_forms(name):
            yield f"{scheme}://{form}/"
    for before, name in product(_BEFORE_A_NAME, names):
        yield f"{before}{name}/"


def _texts_of_this_machine() -> Iterator[str]:
    for name in LOCAL_HOSTS:
        for form in (*_other_forms(name), *_LOCAL_FORMS):
            yield f"http://{form}/"
        for before in _BEFORE_A_NAME:
            yield f"{before}{name}/"


def _texts_around_both_names(first: str, second: str) -> Iterator[str]:
    """Yield texts with the first name before the second, or a form of the first before or after it."""
    for between in _BETWEEN_NAMES:
        yield f"http://{first}{between}{second}/"
    for between in _AFTER_A_FIRST_NAME:
        yield f"{first}{between}{second}/"
    for form in _other_forms(first):
        yield f"http://{form}@{second}/"
        yield f"http://{second}\\@{form}/"


def _other_forms(name: str) -> Iterator[str]:
    """Yield a name that is not empty, and the forms that some parsers map to it by decoding or IDNA."""
    yield name
    yield name.upper()
    yield f"{name}."
    for dot in _DOTS:
        yield name.replace(".", dot)
    first = name[0]
    rest = name[1:]
    yield f"{_triplets(first)}{rest}"
    yield f"{first}{_triplets(rest[:1]).upper()}{rest[1:]}"
    yield f"{_full_width(first)}{rest}"
    if "a" <= first <= "z":
        yield f"{chr(ord(first) + _CIRCLED)}{rest}"
    yield _triplets(name)
    yield _full_width(name)


def _triplets(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogateescape"))


def _full_width(text: str) -> str:
    return "".join(chr(ord(char) + _FULL_WIDTH) if "!" <= char <= "~" else char for char in text)
