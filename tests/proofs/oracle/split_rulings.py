"""Helpers of the tests of ambiguous splits: the components that the oracle reads, and the rulings on them.

A ruling is a set of bracketed words that it drops.  What is left has to be one split for each text.
"""

from __future__ import annotations

from typing import NamedTuple

from urloracle.grammar.expression import Expression, Reference
from urloracle.grammar.notation import RFC822, read
from urloracle.regex.pattern import read_components
from urloracle.regex.rewriting import expand
from urloracle.specification import Specification

from .ambiguity import BracketedLanguage, bracketed_language

REFERENCE = "URI-reference"


class Ruling(NamedTuple):
    """A shortest text that a ruling decides, and the components that the oracle reads in it.

    The dropped words are those of the rule `dropped`, laid over the grammar, with brackets around its
    components; %x00-7F is any character or bracket, %x20-7F any character.
    """

    id: str
    text: str
    dropped: str
    components: tuple[str, ...]
    parsed: dict[str, str]

    def expression(self, spec: Specification) -> Expression:
        grammar = spec.grammar.overlay(read(self.dropped, RFC822))
        return expand(grammar, Reference("dropped"), read_components(self.components)[1])


RULINGS_2396 = [
    # section 4.3: what can be an authority is no path
    Ruling(
        "R-2396-12",
        "//",
        'dropped = [ scheme ":" ] slashes *%x00-7F\n slashes = "//" *%x20-7F',
        ("scheme", "path=slashes"),
        {"authority": "", "path": ""},
    ),
    # section 3.2: the first alternative of authority is the server
    Ruling(
        "R-2396-11",
        "//a",
        'dropped = *%x00-7F server-at-all *%x00-7F\n server-at-all = [ userinfo "@" ] hostport',
        ("authority=server-at-all",),
        {"authority": "a", "host": "a", "path": ""},
    ),
]
RULINGS = {
    ("rfc1738", "gopherurl"): [
        # section 3.4.3: the selector may be the empty string
        Ruling(
            "R-1738-19",
            "gopher://a/a",
            "dropped = *%x00-7F gtype",
            ("gtype",),
            {"scheme": "gopher", "host": "a", "gtype": "a", "selector": ""},
        ),
        # the pattern takes all that follows for the selector, and the reader cuts it at the encoded tabs
        Ruling(
            "R-1738-19",
            "gopher://a/a%09",
            "dropped = *%x00-7F selector 1*%x20-7F",
            ("selector",),
            {"scheme": "gopher", "host": "a", "gtype": "a", "selector": "", "search": ""},
        ),
    ],
    ("rfc1738", "fileurl"): [
        # section 3.10: localhost is a host
        Ruling(
            "R-1738-23",
            "file://localhost/",
            'dropped = 5%x20-7F "//localhost/" *%x00-7F',
            (),
            {"scheme": "file", "host": "localhost", "fpath": ""},
        ),
    ],
    ("rfc1808", "URL"): [
        # section 2.4.2: scheme characters before the first colon are the scheme
        Ruling(
            "R-1808-02",
            "a:",
            'dropped = relative *%x00-7F\n relative = scheme ":" *%x20-7F',
            ("path=relative",),
            {"scheme": "a", "path": ""},
        ),
        # sections 2.4.3 to 2.4.6: the steps go on after the scheme
        Ruling(
            "R-1808-01",
            "a:a",
            """
            dropped   = scheme ":" hierarchy [ "#" fragment ]
            hierarchy = net_path | [ "/" ] ( path [ ";" params ] [ "?" query ] |
                        ";" params [ "?" query ] | "?" query )
            """,
            ("scheme", "fragment"),
            {"scheme": "a", "path": "a"},
        ),
    ],
    ("rfc2396", REFERENCE): RULINGS_2396,
    ("rfc2732", REFERENCE): RULINGS_2396,
}
#: What the oracle reads in two steps, as one.
TWO_STEPS = ("scheme", "schemepart", "schemepart/user", "schemepart/host", "schemepart/urlpath")
SCHEMEPART = Ruling(
    "R-1738-02",
    "a://a",
    'dropped = any-scheme ":" opaque\n any-scheme = *%x20-7F opaque = ip-schemepart',
    ("scheme=any-scheme", "schemepart=opaque"),
    {"scheme": "a", "schemepart": "//a", "host": "a"},
)
#: What the oracle does not call a component: the kind of a host.
HOST_KINDS = ("authority", "authority/IPv4address", "authority/reg-name")
HOST_KIND = Ruling(
    "R-3986-04",
    "//0.0.0.0",
    "dropped = *%x00-7F address *%x00-7F\n address = IPv4address",
    ("reg-name=address",),
    {"authority": "0.0.0.0", "host": "0.0.0.0", "path": ""},
)

SERVER = ("host", "port")
LOGIN = ("user", "password", *SERVER)
AUTHORITY = ("scheme", "authority", "authority/userinfo", "authority/host", "authority/port")
URI_2396 = (*AUTHORITY, "path=abs_path|rel_path|opaque_part", "query", "fragment")
PATH_3986 = "path=path-abempty|path-absolute|path-noscheme|path-rootless|path-empty"

#: The components that the RFCs' own rules have; `rule_reader` makes of them what the oracle reads.
READ = {
    ("rfc1738", "httpurl"): (*SERVER, "hpath", "search"),
    ("rfc1738", "ftpurl"): (*LOGIN, "fpath", "ftptype"),
    ("rfc1738", "fileurl"): ("host", "fpath"),
    ("rfc1738", "gopherurl"): (*SERVER, "gtype", "selector"),
    ("rfc1738", "mailtourl"): ("encoded822addr",),
    ("rfc1738", "newsurl"): ("group", "article"),
    ("rfc1738", "nntpurl"): (*SERVER, "group", "digits"),
    ("rfc1738", "telneturl"): LOGIN,
    ("rfc1738", "waisurl"): (*SERVER, "database", "search", "wtype", "wpath"),
    ("rfc1738", "prosperourl"): (*SERVER, "ppath"),
    ("rfc1738", "fieldspec"): ("fieldname", "fieldvalue"),
    ("rfc1738", "genericurl"): ("scheme", "schemepart"),
    ("rfc1738", "ip-schemepart"): (*LOGIN, "urlpath"),
    ("rfc1808", "URL"): ("scheme", "net_loc", "path", "params", "query", "fragment"),
    ("rfc2396", REFERENCE): URI_2396,
    ("rfc2732", REFERENCE): URI_2396,
    ("rfc3986", REFERENCE): (*AUTHORITY, PATH_3986, "query", "fragment"),
}


def ruled(
    spec: Specification, rule: str, components: tuple[str, ...], rulings: list[Ruling]
) -> BracketedLanguage:
    """Return the bracketed words of a rule that the rulings leave."""
    language = bracketed_language(spec.grammar, rule, components)
    for ruling in rulings:
        language = language.without(ruling.expression(spec))
    return language
