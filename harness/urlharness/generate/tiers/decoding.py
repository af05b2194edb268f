"""Tier `decoding`: questions about the decoded parts of URLs of the ten schemes of RFC 1738.

Each part of a URL has several spellings: plain, absent, empty, and encoded in several ways. The tier does not
contain every combination of spellings. It contains all combinations of the first few spellings of each part.
For every two parts, it also contains all pairs of their spellings, with the other parts plain or absent.

The answers are the oracle's; tests compare them with a second implementation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Any

import msgspec

from urlharness.corpus.model import Binding, Decoded, Expected
from urlharness.generate.tiers.labels import Label, label, refusals
from urlharness.jsonio import decoded_as_json
from urloracle.operations import full_decoding
from urloracle.specification import Specification

#: Texts with encoded delimiters and other bytes (RFC 1738, section 2.2).
_ENCODED = (
    "%61%5A",
    "%2F",
    "%2f%3B%3F",
    "%3A%40%3D%26",
    "%23%25",
    "%2541",
    "%09",
    "%0D%0A",
    "%00",
    "%FF",
    "%C3%A9",
    "x%20y+z",
)

#: The characters of section 2.2 that every part may contain unencoded.
_SAFE = "Az09$-_.+!*'(),"

#: (number, spellings of a part of a URL, with its delimiters). The plain spelling comes first. The first
#: `number` spellings are combined with those of all other parts.
UrlPart = tuple[int, Sequence[str]]


def _part(delimiter: str, *spellings: str, absent: bool = True) -> UrlPart:
    """Return a part whose first spellings are plain, absent (if `absent`) and empty, followed by all others.

    `delimiter` precedes each spelling, and `spellings` are those of this part only.
    """
    plain = f"{delimiter}a"
    first = [plain, "", delimiter] if absent else [plain, delimiter]
    others = [f"{delimiter}{text}" for text in (*spellings, *_ENCODED, _SAFE)]
    distinct_spellings = dict.fromkeys((*first, *others))
    return len(first), tuple(distinct_spellings)


_LOGIN: UrlPart = (
    5,
    (
        "u:p@",
        "",
        "@",
        "u@",
        "u:@",
        ":@",
        ":p@",
        "U;?&=:P;?&=@",
        *(f"{text}@" for text in _ENCODED),
        *(f"u:{text}@" for text in _ENCODED),
        *(f"{text}:{text}@" for text in _ENCODED),
    ),
)
_HOST: UrlPart = 1, ("h", "Host.Dom", "1.2.3.4", "999.1.1.1", "0.00.256.1", "3com.com")
_PORT: UrlPart = 2, ("", ":1", ":80", ":0080", ":21", ":99999")
_SEARCH = _part("?", "q=1&b=;:@", "a+b")

_SEGMENTS: UrlPart = (
    8,
    (
        "/d/n",
        "",
        "/",
        "/n",
        "/d/",
        "//",
        "//n",
        "/d//n",
        "/a/b/c/d",
        "/a;b",
        "/a?b",
        "/a?",
        "/d?e/f",
        "/x:@&=y",
        "/../%2E%2E/n",
        "/.",
        f"/{_SAFE}",
        *(f"/{text}" for text in _ENCODED),
        *(f"/{text}/n" for text in _ENCODED),
        *(f"/d/a{text}b" for text in _ENCODED),
    ),
)

#: The types of Gopher items, one character each.
_TYPES = "01279+Tg/:;?@$=&-_.!*'(),sI"

#: The parts of a URL of each scheme, after the scheme and its slashes.
SCHEMES: Mapping[str, tuple[UrlPart, ...]] = {
    "ftp://": (_LOGIN, _HOST, _PORT, _SEGMENTS, (3, (
        "", ";type=a", ";type=D", ";type=i", ";type=d", ";type=A", ";type=I", ";type=", ";type=x", ";TYPE=a",
        "%3Btype=a", ";type=%61", "?;type=i",
    ))),
    "http://": (_HOST, _PORT, _SEGMENTS, _SEARCH),
    "gopher://": (
        _HOST, _PORT,
        (4, ("/1", "", "/", "/0", *(f"/{char}" for char in _TYPES), *(f"/{text}" for text in _ENCODED))),
        _part("", "1x", "/sel", "a?b/c;d:e@f=g&h", "x%0Ay", "%0dx", absent=False),
        _part("%09", "w/x?y", "%0A", "+"),
        _part("%09", "+", "?", "!", "$", "!+ABSTRACT%20+SMELL", "+application/postscript%20Es_ES", "+%09x",
              "+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A", "+%091%0D%0A", "+%091%0d%0a.%0d%0a", "+%09", "%091",
              "+%092%0D%0A", "+%091"),
    ),
    "mailto:": (
        _part("", "joe", absent=False),
        (4, ("@h", "", "@", "@a@b", "?subject=x", "%40h", "/b", "//b", ":", "@h%2Ed", "@H.Dom", "&a=b;c")),
    ),
    "news:": (
        (4, ("a", "", "*", "comp.x", "Comp.X-1+b_c", "a..b", "3d", "a1", "a-", "-a", "9412.ab$1", "**", "a*",
             *_ENCODED, "a/b;?:&=c")),
        (5, ("", "@h", "@", "@h.dom", "@1.2.3.4", "@H.Dom", "@a@b", "@h%2Ed", "%40h", "@-h", "@999.1.1.1",
             "/")),
    ),
    "nntp://": (
        _HOST, _PORT,
        (3, ("/g", "", "/", "/comp.x", "/Comp.X-1+b_c", "/a..b", "/3d", "/*", "/g%2Eh", "//g", "/a@b")),
        (3, ("/1", "", "/", "/0042", "/1a", "/1/2", "/-1", "/%31", "/99999999999999999999")),
    ),
    "telnet://": (_LOGIN, _HOST, _PORT, (2, ("/", "", "/x", "//", "/?", "/;"))),
    "wais://": (
        _HOST, _PORT, _part("/", "a.b-c", "a;b", "a=b"), _SEARCH,
        _part("/", "TEXT"), _part("/", "p;q", "p=q", "p/q"),
    ),
    "file://": (
        (5, ("", "localhost", "h", "LocalHost", "vms.Host.edu", "localhost.dom", "1.2.3.4", "h:1", "u@h",
             "a%2Eb",
             "xlocalhost", "999.1.1.1", "127.0.0.1")),
        _SEGMENTS,
    ),
    "prospero://": (
        _HOST, _PORT,
        (4, ("/n", "", "/", "/d/n", "//n", "/n?:@&=", f"/{_SAFE}", *(f"/{text}" for text in _ENCODED),
             *(f"/d{text}/n" for text in _ENCODED))),
        (4, ("", ";a=b", ";=", ";a=", ";=b", ";OBJECT-VERSION=3", ";a", ";", ";a=b=c", ";a=b/c",
             ";a?:@&=b?:@&",
             *(f";{text}=b" for text in _ENCODED), *(f";a={text}" for text in _ENCODED))),
        (2, ("", ";c=d", ";b=2;a=1", ";a=b", ";c%3D=%3Bd")),
    ),
}  # fmt: skip

#: The rulings that permit another decoded view. Under all other rulings, RFC 1738 leaves the view open.
_PERMITTING = frozenset(("R-1738-12", "R-1738-21"))


def urls() -> Iterator[str]:
    """Yield all URLs once, in a fixed order, including URLs that RFC 1738 does not derive."""
    seen = set()
    for url in _urls_with_repeats():
        if url not in seen:
            seen.add(url)
            yield url


def _urls_with_repeats() -> Iterator[str]:
    """Yield the URLs of each scheme; that with only plain parts comes with a capital scheme, too."""
    for scheme, parts in SCHEMES.items():
        for texts in chain(_combinations(parts), _pairs(parts)):
            rest = "".join(texts)
            yield scheme + rest
            if texts == _plain(parts):
                yield scheme.upper() + rest


def _plain(parts: Sequence[UrlPart]) -> tuple[str, ...]:
    """Return the plain spelling of each part."""
    return tuple(spellings[0] for _, spellings in parts)


def _combinations(parts: Sequence[UrlPart]) -> Iterator[tuple[str, ...]]:
    """Yield all combinations of the first spellings of the parts."""
    yield _plain(parts)
    yield from product(*(spellings[:number] for number, spellings in parts))


def _pairs(parts: Sequence[UrlPart]) -> Iterator[tuple[str, ...]]:
    """Yield all pairs of spellings of any two parts, first with the other parts plain, then with them absent.

    A part that cannot be absent stays plain.
    """
    bare = tuple("" if "" in spellings else spellings[0] for _, spellings in parts)
    for rest in (_plain(parts), bare):
        for first, second in combinations(range(len(parts)), 2):
            _, first_spellings = parts[first]
            _, second_spellings = parts[second]
            for first_text, second_text in product(first_spellings, second_spellings):
                texts = list(rest)
                texts[first] = first_text
                texts[second] = second_text
                yield tuple(texts)


def label_urls(spec: Specification) -> Iterator[tuple[str, Label]]:
    """Yield each URL that RFC 1738 derives, and the label of its decoded parts."""
    for url in urls():
        if spec.problem(url) is None:
            yield url, label_url(spec, url)


def label_url(spec: Specification, url: str) -> Label:
    """Return the label of the decoded parts: the recommended view, and other views that rulings admit."""
    decoding = full_decoding(url)
    answers = []
    for number, view in enumerate(decoding.also, 2):
        answers.append(Expected(decoded=_decoded(view), variant=f"view-{number}"))
    if decoding.may_reject:
        answers.append(Expected(valid=False, variant="rejected"))
    opening_rulings = [ruling for ruling in decoding.rulings if ruling not in _PERMITTING]
    binding: Binding = "impl-defined" if opening_rulings else "permitted-set"
    decisive_rulings = opening_rulings or decoding.rulings  # not empty if there are answers
    alternatives = [Label(answer, binding, decisive_rulings[0]) for answer in answers]
    if not decoding.may_reject:
        alternatives += refusals(spec, url)
    recommended = label(Expected(decoded=_decoded(decoding.view)), alternatives)
    if decoding.view["scheme"] == "ftp" and _names_no_file(decoding.view):
        return recommended._replace(binding="unspecified", ruling="R-1738-22")
    return recommended


def _names_no_file(view: Mapping[str, Any]) -> bool:
    return not (view["cwd"] or view["name"] or view["typecode"])


def _decoded(view: Mapping[str, Any]) -> Decoded:
    return msgspec.convert(decoded_as_json(view), Decoded)
