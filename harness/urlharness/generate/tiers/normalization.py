"""Tier `normalization`: URLs in many spellings, to be normalized by syntax and by scheme.

A URL has one spelling for each of seven components. The tier does not contain every combination. For every
two components, it contains all pairs of their spellings, with the other components plain. Some rules of
schemes are about scheme, host and port together, and others about scheme, authority and path. Therefore, the
tier also contains all combinations of some spellings of these components.

The answers are the oracle's; tests compare them with a second implementation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from urlharness.corpus.model import USUAL_MODES, Binding, Expected, NormalizationMode
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers.beyond_ascii import with_letters_beyond_ascii
from urlharness.generate.tiers.labels import Label, expected_text, label, refusals
from urloracle.operations import normal_forms
from urloracle.specification import Specification


class Spelling(NamedTuple):
    """The components of a URL as written, each with its delimiters. An absent component is "".

    The two slashes are part of `host`, although they precede `userinfo` in the URL.
    """

    scheme: str = "http:"
    userinfo: str = ""
    host: str = "//h"
    port: str = ""
    path: str = "/p"
    query: str = ""
    fragment: str = ""

    @property
    def text(self) -> str:
        """The URL."""
        host = self.host
        if self.userinfo:
            host = f"//{self.userinfo}{host.removeprefix('//')}"
        return f"{self.scheme}{host}{self.port}{self.path}{self.query}{self.fragment}"

    @property
    def is_unambiguous(self) -> bool:
        """True if a parser splits the URL into these components."""
        if self.host:
            return self.path.startswith("/") or not self.path
        return not (self.userinfo or self.port or self.path.startswith("//"))


SCHEMES = (
    "http:",
    "HTTP:",
    "hTtP:",
    "https:",
    "ftp:",
    "FTP:",
    "gopher:",
    "nntp:",
    "telnet:",
    "wais:",
    "prospero:",
    "file:",
    "File:",
    "mailto:",
    "news:",
    "x:",
    "X+Y-1.z:",
    "",
)

USERINFO = (
    "",
    "@",
    "u@",
    "U:P@",
    "u:@",
    ":@",
    "%41%7e%3a@",
    "%c3%A9%40@",
    "a;b&c=d@",
    "u%2Fv:w%3f@",
)

HOSTS = (
    "",
    "//",
    "//h",
    "//H",
    "//Host.Example",
    "//h.",
    "//H1-x.example.",
    "//localhost",
    "//LocalHost",
    "//a_B",
    "//%41b",
    "//a%2Eb",
    "//%6cocalhost",
    "//%c3%a9X",
    "//A%2fB",
    "//a%2dB!C",
    "//1.2.3.4",
    "//01.2.3.4",
    "//256.0.0.1",
    "//[::1]",
    "//[2001:DB8::a:B]",
    "//[::FFFF:1.2.3.4]",
    "//[v1.Ab:C]",
    "//[VF.a]",
)

PORTS = (
    "",
    ":",
    ":80",
    ":080",
    ":0080",
    ":81",
    ":8080",
    ":0",
    ":00",
    ":21",
    ":021",
    ":23",
    ":70",
    ":119",
    ":210",
    ":443",
    ":1525",
)

PATHS = (
    "", "/", "/p", "/P", "/p/", "/index.html", "/A+b", "/a;P=1/c", "/a=b,C", "//", "//g", "/a//b", "/a///",
    "/%41", "/%7e%7E", "/%2e", "/%2E%2e", "/%2d%5f", "/%2f", "/%3F%23", "/%3a%40", "/%c3%A9", "/%00%0a",
    "/%25%32%35", "/%2541", "/%30%39%5A", "/%21%27%28%29%2a", "/%5b%7B", "/~a", "/(A)!*'",
    "/.", "/..", "/./", "/../", "/./a", "/../a", "/a/.", "/a/..", "/a/./b", "/a/../b", "/a/../../b",
    "/a/b/../../c", "/a/./../b/.", "/...", "/a/..b", "/a./b", "/%2e/a", "/a/%2E%2E/b", "/a/.%2e",
    "/a/%2E./b/.",
    "/.//g", "/a/..//g", "/..//", "/a/%2e%2e//g", "/..;x", "/a/..%2Fb", "/./%2e%2E/c/%7e",
    "a", "A/b", "a:b", "./a:b", "../g", "a/../b", ".", "..", "a/.", "%2e/a", "%2E%2E/%61", "a%3Ab", "*",
    "%41:b",
    "a@H.Example", "Joe%2eX@Example.COM", "Joe@Example.COM", "A%40B@C", "Comp.Misc",
)  # fmt: skip

QUERIES = (
    "",
    "?",
    "?q",
    "?Q=A",
    "?b=2&a=1",
    "?%41%7E",
    "?%2f%3F",
    "?a/../b/./c",
    "?%2e%2E",
    "?x+y%20z",
    "??",
    "?%c3%a9",
)

FRAGMENTS = ("", "#", "#s", "#S", "#%61%2e", "#%2f%c3", "#a/../b", "#?%23")

COMPONENTS: tuple[Sequence[str], ...] = (SCHEMES, USERINFO, HOSTS, PORTS, PATHS, QUERIES, FRAGMENTS)

#: The rulings that permit another answer. Under all other rulings, the RFC leaves the answer open.
PERMITTING = frozenset(
    (
        "R-2396-34",
        "R-3986-19",
        "R-3986-20",
        "R-3986-21",
        "R-3986-30",
        "R-3986-32",
        "R-3986-39",
        "R-3986-42",
        "R-3987-31",
        "R-3987-32",
    )
)


def spellings() -> Iterator[Spelling]:
    """Yield all spellings once, in a fixed order, including URLs that no RFC derives."""
    seen = set()
    for spelling in _combinations():
        if spelling not in seen and spelling.is_unambiguous:
            seen.add(spelling)
            yield spelling


def _combinations() -> Iterator[Spelling]:
    """Yield the combinations of spellings that the tier contains. Some come more than once."""
    spellings_of = dict(zip(Spelling._fields, COMPONENTS, strict=True))
    rich = Spelling("ftp:", "u@", "//Host.Example", ":21", "/a/../%7eb", "?q", "#s")
    for plain in (Spelling(), Spelling(host=""), Spelling(scheme="", host=""), rich):
        for component, spellings_of_component in spellings_of.items():
            for spelling in spellings_of_component:
                yield plain._replace(**{component: spelling})
    for first, second in combinations(spellings_of, 2):
        for pair in product(spellings_of[first], spellings_of[second]):
            change = dict(zip((first, second), pair, strict=True))
            yield Spelling()._replace(**change)
            if "host" not in change:
                yield Spelling(host="")._replace(**change)
    hosts = ("//", "//H", "//LOCALHOST", "//%6cocalhost", "//[::A]")
    for scheme, userinfo, host, port in product(SCHEMES, ("", "@", "u@"), hosts, PORTS):
        yield Spelling(scheme, userinfo, host, port, "/" if userinfo else "")
    for scheme, host, path in product(SCHEMES, ("", "//", "//H", "//localhost"), PATHS):
        yield Spelling(scheme, "", host, "", path)


def label_urls(spec: Specification) -> Iterator[tuple[str, NormalizationMode, Label]]:
    """Yield (URL, mode, label of the normal form) for each mode and each URL that the RFC derives."""
    write = with_letters_beyond_ascii if facts(spec.id).iris else str
    for spelling in spellings():
        url = write(spelling.text)
        if spec.problem(url) is None:
            for mode in USUAL_MODES:
                yield url, mode, label_url(spec, url, mode)


def label_url(spec: Specification, url: str, mode: NormalizationMode) -> Label:
    """Return the label of the normal form: the recommended form, and other forms that rulings admit."""
    normal_form = normal_forms(url, spec, mode)
    alternatives = []
    for alternative in normal_form.also:
        variant = alternative.variant.replace("+", "-")
        expect = expected_text(alternative.text, variant)
        alternatives.append(Label(expect, _binding(alternative.ruling), alternative.ruling))
    alternatives += refusals(spec, url)
    return label(Expected(result=normal_form.text), alternatives)


def _binding(ruling: str) -> Binding:
    """Return the binding of another form that a ruling admits."""
    if ruling == "R-3986-40":  # of relative references
        return "unspecified"
    return "permitted-set" if ruling in PERMITTING else "impl-defined"
