"""The components of the rules for whole URLs: an overlay for each grammar, and what its rules capture.

An overlay expresses in the notation of the RFCs what the prose of an RFC and the rulings add to its grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from urloracle.grammar.expression import Alternation, Capture, Characters, Expression, Reference, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.grammar.notation import RFC822, read
from urloracle.language import Languages
from urloracle.regex.pattern import Pattern, read_components
from urloracle.regex.rewriting import expand, fold_scheme, sequence, without_subsumed

#: A text without this character has no userinfo, user or password, and is matched faster.
RARE = "@"

_RFC1738 = """
; section 3.4, R-1738-19: the prose splits at the first two encoded tabs
gopherurl     = "gopher://" hostport [ "/" [ gtype gopher-field
                [ "%09" gopher-search [ "%09" gopher+_string ] ] ] ]
gopher-field  = *no-tab
gopher-search = *no-tab
no-tab        = unreserved | reserved | "%0" ( "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" |
                "A" | "B" | "C" | "D" | "E" | "F" | "a" | "b" | "c" | "d" | "e" | "f" ) |
                "%" ( "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" |
                "A" | "B" | "C" | "D" | "E" | "F" | "a" | "b" | "c" | "d" | "e" | "f" ) hex
; section 3.10, paragraph 5: the host can be the empty string; "localhost" is a host (R-1738-23)
fileurl       = "file://" file-host "/" fpath
file-host     = [ host | "localhost" ]
; section 3.6: the asterisk is a component
grouppart     = every | group | article
every         = "*"
; section 3.11: the fields are one component
prosperourl   = "prospero://" hostport "/" ppath [ fieldspecs ]
fieldspecs    = 1*[ fieldspec ]
; R-1738-02: ip-schemepart is split
schemepart    = ip-schemepart | *xchar
"""

_RFC1808 = """
; section 2.4: first the scheme is cut off (R-1808-02), then the network location (R-1808-05); the path keeps
; its slash and is never absent; segments of an absolute URL can be empty, the first one too (R-1808-07);
; the first semicolon after the network location begins the parameters (R-1808-08)
URL         = ( absoluteURL | relativeURL ) [ "#" fragment ]
absoluteURL = scheme ":" ( "//" net_loc ( from-root [ ";" params ] [ "?" query ] | no-path ) |
                           no-location [ ";" params ] [ "?" query ] )
from-root   = "/" *( pchar | "/" )
no-location = [ "/" ] [ pchar *( pchar | "/" ) ]
relativeURL = "//" net_loc ( rooted [ ";" params ] [ "?" query ] | no-path ) |
              ( rooted | path | no-path ) [ ";" params ] [ "?" query ]
rooted      = "/" [ path ]
no-path     = ""
"""

_RFC2396 = """
; section 5.2: the path is never absent; R-2396-04: a question mark ends an opaque part
URI-reference  = ( absoluteURI | relativeURI | no-path ) [ "#" fragment ]
absoluteURI    = scheme ":" ( hier_part | opaque_part [ "?" query ] | no-path "?" query )
relativeURI    = ( net_path | abs_path | rel_path ) [ "?" query ] | no-path "?" query
net_path       = "//" authority ( abs_path | no-path )
no-path        = ""
opaque_part    = opaque_no_slash *( opaque_no_slash | "/" )
opaque_no_slash = unreserved | escaped | ";" | ":" | "@" | "&" | "=" | "+" | "$" | ","
"""

_RFC2732 = f'{_RFC2396} | "[" | "]"\n'


class Splitting(NamedTuple):
    """How the whole URLs of an RFC are split.

    `overlay` contains rules that replace or extend the rules of the RFC.  `components` maps each rule for
    whole URLs to its components, as `regex.pattern.pattern` takes them.
    """

    overlay: str
    components: Mapping[str, tuple[str, ...]]


_SERVER = ("host", "port")
_AUTHORITY = ("scheme", "authority", "authority/userinfo", "authority/host", "authority/port")
_LOGIN = ("user", "password", *_SERVER)
_GOPHER_FIELDS = ("selector=gopher-field", "search=gopher-search", "gopher+_string")
_PATH_1808 = "path=from-root|no-location|rooted|path|no-path"
_URI_2396 = (*_AUTHORITY, "path=abs_path|rel_path|opaque_part|no-path", "query", "fragment")
_PATH_3986 = "path=path-abempty|path-absolute|path-noscheme|path-rootless|path-empty"
_AUTHORITY_3987 = ("scheme", "authority=iauthority")
_SERVER_3987 = ("iauthority/userinfo=iuserinfo", "iauthority/host=ihost", "iauthority/port")
_PATH_3987 = "path=ipath-abempty|ipath-absolute|ipath-noscheme|ipath-rootless|ipath-empty"
_AFTER_PATH_3987 = ("query=iquery", "fragment=ifragment")

SPLITTINGS: Mapping[str, Splitting] = {
    "rfc1738": Splitting(
        _RFC1738,
        {
            "httpurl": (*_SERVER, "hpath", "search"),
            "ftpurl": (*_LOGIN, "fpath", "ftptype"),
            "fileurl": ("host=file-host", "fpath"),
            "gopherurl": (*_SERVER, "gtype", *_GOPHER_FIELDS),
            "mailtourl": ("encoded822addr",),
            "newsurl": ("group", "article", "grouppart=every"),
            "nntpurl": (*_SERVER, "group", "digits"),
            "telneturl": _LOGIN,
            "waisurl": (*_SERVER, "database", "search", "wtype", "wpath"),
            "prosperourl": (*_SERVER, "ppath", "fieldspecs"),
            "genericurl": ("schemepart", *(f"schemepart/{name}" for name in (*_LOGIN, "urlpath"))),
        },
    ),
    "rfc1808": Splitting(_RFC1808, {"URL": ("scheme", "net_loc", _PATH_1808, "params", "query", "fragment")}),
    "rfc2396": Splitting(_RFC2396, {"URI-reference": _URI_2396}),
    "rfc2732": Splitting(_RFC2732, {"URI-reference": _URI_2396}),
    "rfc3986": Splitting("", {"URI-reference": (*_AUTHORITY, _PATH_3986, "query", "fragment")}),
    "rfc3987": Splitting(
        "", {"IRI-reference": (*_AUTHORITY_3987, *_SERVER_3987, _PATH_3987, *_AFTER_PATH_3987)}
    ),
}


def capture_components(
    spec: str, rule: str, grammar: Grammar, *, whole: bool = True, like: str | None = None
) -> tuple[tuple[str, ...], Expression]:
    """Return the names of a rule's components, and an expression of the rule that captures them.

    The components are those of the rule `like`, by default of the rule itself.  Raise KeyError if
    `SPLITTINGS` does not contain it.  If `whole` is false, leave out components that are parts of another
    component, such as the host in an authority.
    """
    splitting = SPLITTINGS[spec]
    written = splitting.components[rule if like is None else like]
    overlaid = grammar.overlay(read(splitting.overlay, RFC822))
    columns, component_rules = read_components(name for name in written if whole or "/" not in name)
    expression = expand(overlaid, Reference(rule), component_rules)
    if "scheme" not in columns:
        columns = ("scheme", *columns)
        expression = _with_scheme(expression)
    if rule.lower() in overlaid.fold_scheme:
        expression = fold_scheme(expression)
    return columns, expression


def split_pattern(spec: str, rule: str, languages: Languages, *, whole: bool = True) -> Pattern:
    """Return the pattern of a rule in `SPLITTINGS`, with a group for each component.

    It is stored in `languages.splits`.
    """
    if (rule, whole) not in languages.splits:
        columns, expression = capture_components(spec, rule, languages.grammar, whole=whole)
        expression = without_subsumed(languages.grammar, expression)
        languages.splits[rule, whole] = Pattern(expression, columns, RARE)
    return languages.splits[rule, whole]


def _with_scheme(expression: Expression) -> Expression:
    """Return the expression with the part before its first colon captured, in each alternative.

    Raise ValueError if an alternative has no colon.
    """
    match expression:
        case Alternation(elements):
            return Alternation(tuple(map(_with_scheme, elements)))
        case Sequence(elements):
            colon = elements.index(Characters(frozenset(":")))
            return Sequence((Capture("scheme", sequence(elements[:colon])), *elements[colon:]))
        case _:
            raise ValueError("the rule has no scheme")
