"""Which levels of the components the models combine, by kind, and what stands around them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from string import ascii_lowercase, digits
from typing import NamedTuple


def _names(text: str) -> tuple[str, ...]:
    """Return the names in a text, which blanks separate."""
    return tuple(text.split())


#: The paths with a leading slash that are used in references without authority.
ROOTED = _names("slash two-segments dots-first dots-inside double-slash delimiters url drive")


def is_telling_path(level: str) -> bool:
    """Return True for the paths that normalization and resolution change, and for some others."""
    return "dots" in level or level.startswith("r-colon") or level in (*ROOTED, "empty", "rootless")


def is_mark(level: str) -> bool:
    """Return True for the parts with a mark alone or often, and for those with all letters."""
    return level.startswith("mark-") or level in ("letters", "capital-letters")


#: The levels of other components that are combined with every scheme in a URI without authority.
BARE = {
    "path": _names("empty r-one-segment slash"),
    "query": _names("none one"),
    "fragment": _names("none one"),
}
#: The levels of other components that are combined with every scheme in a URI with an authority.
SITES = {
    "host": _names("name ipv6 one-label"),
    "userinfo": _names("none login"),
    "port": _names("none other"),
    "path": _names("two-segments empty colon capital-drive mail-address capitals"),
    "query": _names("none one"),
    "fragment": _names("none one"),
}
#: The schemes that libraries treat differently from others, and some that they do not know.
SCHEMES = _names(
    "http https ws wss ftp file mailto data javascript urn ssh plus sip ldap jdbc blob unknown one-letter"
)
#: The levels of other components that meet every scheme of `SCHEMES` in whole URIs, and those of them that
#: do so one by one.
SHAPES = {
    "scheme": SCHEMES,
    "host": _names("none name empty ipv6 one-label ipv4"),
    "userinfo": _names("none login user"),
    "port": _names("none other empty"),
    "path": _names("empty slash two-segments rootless colon drive mail-address double-slash r-colon-later"),
    "query": _names("none one empty"),
    "fragment": _names("none one empty"),
}
CROSSED_SHAPES = {("host", "none"), ("host", "name"), ("host", "empty"), ("path", "drive")}
#: The levels of other components that meet every host of `AUTHORITIES`, in front of it and after it.
AUTHORITIES = {
    "scheme": _names("http none ws unknown"),
    "host": _names(
        "name ipv6 empty one-letter final-dot triplet punycode zeros number-alone underscore dot-alone"
        " future ipv6-and-ipv4 encoded-port"
    ),
    "userinfo": _names("none empty colon-alone empty-password"),
    "port": _names("none empty zero zeros 65536 huge"),
    "path": _names("empty slash colon-alone"),
    "query": _names("none empty one question-first slash-alone"),
    "fragment": _names("none empty one port"),
}


class ReferenceKind(NamedTuple):
    """A kind of references.

    `has_scheme` and `has_authority` are None if references of the kind can have one or not.  `few` limits the
    levels of some components.  `crossed` are the pairs (component, level) that meet all levels of the others.
    """

    has_scheme: bool | None
    has_authority: bool
    few: Mapping[str, Collection[str]] = {}
    crossed: Collection[tuple[str, str]] = ()


KINDS = {
    "whole": ReferenceKind(True, True, crossed={("path", "empty")}),
    "rootless": ReferenceKind(True, False),
    "bare": ReferenceKind(True, False, BARE, {("path", "empty")}),
    "scheme": ReferenceKind(
        True, True, SITES, {("host", "ipv6"), ("path", "colon"), ("path", "capital-drive")}
    ),
    "authority": ReferenceKind(
        None,
        True,
        AUTHORITIES,
        {(name, level) for name in ("userinfo", "port") for level in AUTHORITIES[name]},
    ),
    "network": ReferenceKind(False, True),
    "relative": ReferenceKind(False, False),
}

#: The schemes whose normal form by syntax is asked for, and those whose normal form by scheme is.
NORMALIZED_SCHEMES = {
    "syntax": _names("none http unknown capitals mixed-case plus"),
    "scheme": _names("http unknown capitals"),
}
#: The hosts whose normal form by scheme is asked for.
NORMALIZED_HOSTS = _names("none name capitals ipv6 ipv4 triplet final-dot zeros one-label umlaut")
#: The levels that the normal form of a URI of every scheme of `SCHEMES` combines.
FORMS = {
    "scheme": SCHEMES,
    "host": _names("none name capital-label ipv6-full capitals"),
    "userinfo": _names("none login capitals"),
    "port": _names("none other zeros"),
    "path": _names(
        "capitals dots-inside triplet-small encoded-dots double-slash drive index r-one-segment"
        " r-dots-inside triplet-of-letter"
    ),
    "query": _names("none empty capitals triplets order"),
    "fragment": _names("none empty capitals triplets"),
}
#: The levels that are recomposed, besides those of `is_mark`.
RECOMPOSED: Mapping[str, tuple[str, ...]] = {
    "scheme": _names("none http unknown file"),
    "userinfo": _names(
        "none login empty empty-password empty-user triplets encoded-at-sign umlaut right-to-left"
    ),
    "host": _names(
        "none name empty ipv6 ipv4 triplet final-dot two-hyphens underscore umlaut right-to-left"
        " ideographs combining-mark"
    ),
    "port": _names("none other empty zeros default-of-http"),
    "path": _names(
        "empty slash rootless dots-inside r-dots-first double-slash colon mail-address delimiters"
        " triplet-small parameters slashes-last drive umlaut right-to-left edges"
    ),
    "query": _names("none one empty url question-mark plus order ampersands delimiters umlaut private"),
    "fragment": _names("none one empty question-mark dots triplets umlaut emoji"),
    "params": _names("none one two dots"),
}
#: Further levels that are recomposed in RFC 3986 only.
MORE_RECOMPOSED: Mapping[str, tuple[str, ...]] = {
    "userinfo": _names("two-colons colon-alone sub-delims host-and-port nul not-utf8 number"),
    "host": _names(
        "one-label punycode zeros two-dots sub-delims triplets-utf8 delimiters ipv6-any ipv6-and-ipv4 future"
        " encoded-port dot-alone"
    ),
    "path": _names(
        "dots-first dots-last slashes-first three-slashes-first semicolon-last url sub-delims encoded-dots"
        " nul encoded-percent not-utf8 r-dots r-dot r-colon-protected r-colon-later r-double-slash"
        " r-semicolon capitals"
    ),
    "query": _names(
        "equals-sign question-marks slashes dots login triplets blank-encoded encoded-plus not-utf8 url-alone"
        " encoded-percent address"
    ),
    "fragment": _names("url login directive slash-alone nul encoded-percent"),
}
#: The levels of URLs in running text, besides those of `is_mark`.
EXTRACTED = {
    "userinfo": _names("none login empty-password sub-delims"),
    "host": _names("name ipv6 two-hyphens final-dot underscore ipv4 sub-delims empty"),
    "port": _names("none other empty zeros"),
    "path": _names(
        "empty slash two-segments dots-inside double-slash sub-delims tilde parameters mail-address"
        " delimiters url drive dots-in-names"
    ),
    "query": _names("none one empty url sub-delims plus tilde ampersands question-mark"),
    "fragment": _names("none one empty question-mark exclamation url"),
}
#: A second URL in running text.
ANOTHER = "ftp://o.example/x"
#: Running text around a URL, by name.
AROUND = {
    "none": "see <{}> there",
    "nothing": "<{}>",
    "comma": "at <{}>, then",
    "full-stop": "It is <{}>.",
    "parentheses": "this (<{}>) or",
    "no-blanks": "x<{}>y",
    "lines": "first\n<{}>\nlast",
}
#: Further text around a URL, for RFC 3986 only.
MORE_AROUND = {
    "line-ends": "first\r\n<{}>\r\nlast",
    "tabs": "a\t<{}>\tb",
    "semicolon": "<{}>; and",
    "colon": "at <{}>: that",
    "exclamation-mark": "Go to <{}>!",
    "question-mark": "Is it <{}>?",
    "brackets": "[<{}>]",
    "braces": "{{<{}>}}",
    "apostrophes": "'<{}>'",
    "number-signs": "#<{}>#",
    "equals-sign": "url=<{}>&b",
    "slashes": "/<{}>/",
    "markdown": "[text](<{}>)",
    "backticks": "`<{}>`",
    "asterisks": "**<{}>**",
    "hyphens": "-<{}>-",
    "beyond-ascii": "\u00ab<{}>\u00bb",
    "less-than-before": "if a < b, see <{}>",
    "greater-than-before": "2 > 1, see <{}>",
    "mail-address-before": "Joe <joe@h.example>, <{}>",
    "element": "<b><{}></b>",
    "another-behind": f"<{{}}> or <{ANOTHER}>",
    "another-before": f"<{ANOTHER}><{{}}>",
    "quotes": 'see "{}" there',
    "quotes-alone": '"{}"',
    "quotes-and-full-stop": 'It is "{}".',
    "attribute": 'href="{}" title',
    "object": '{{"url": "{}", "n": 1}}',
    "another-in-quotes": f'"{{}}" and "{ANOTHER}"',
}
#: Authorities by name: user information, host and port.
NETWORKS: Mapping[str, Mapping[str, str | None]] = {
    name: {"userinfo": userinfo, "host": host, "port": port}
    for name, userinfo, host, port in (
        ("name", None, "h.example", None),
        ("none", None, None, None),
        ("login-and-port", "u:p", "h.example", "8080"),
        ("ipv6", None, "[2001:db8::1]", None),
        ("ipv6-and-port", "u", "[::1]", "81"),
        ("ipv4", None, "192.0.2.1", None),
        ("empty", None, "", None),
        ("two-hyphens", None, "my--site.example", None),
        ("underscore", "a:b:c", "a_b.example", None),
        ("final-dot", "u:", "h.example.", "443"),
        ("zeros", None, "010.0.0.01", "00080"),
        ("empty-port", "", "g.example", ""),
        ("default-port", ":p", "g.example", "80"),
    )
}
#: Further authorities by name, for RFC 3987 only.
IRI_NETWORKS: Mapping[str, Mapping[str, str | None]] = {
    "umlaut": {"userinfo": None, "host": "b\u00fccher.example", "port": None},
    "right-to-left": {"userinfo": "\u05d0", "host": "\u05d1.example", "port": "8080"},
    "ideographs": {"userinfo": None, "host": "\u4f8b.example", "port": "8081"},
}
#: The levels of RFC 3987 that meet all levels of the other factors.
CROSSED_BEYOND_ASCII = {
    (name, level)
    for name in ("userinfo", "host", "path", "query", "fragment", "base-path", "base-query", "base-network")
    for level in ("umlaut", "r-umlaut", "right-to-left", "private")
}
#: The parts of bases.  Each is in normal form by RFC 3986, so that normalizing the base changes nothing.
BASES = {
    "scheme": _names("http unknown ftp plus"),
    "network": (*tuple(NETWORKS)[:10], *IRI_NETWORKS),
    "path": _names(
        "two-segments slash rootless empty final-slash double-slash parameters drive slashes-first"
        " two-slashes three-slashes-first slashes-inside colon mail-address url delimiters slashes-last"
        " r-one-segment r-colon encoded-slash-first umlaut right-to-left r-umlaut"
    ),
    "params": _names("none one dots"),
    "query": _names("none one url dots umlaut private"),
}
_HOST_ENDS = {f"around-{char}": f"{char}.example.{char}" for char in ascii_lowercase + digits}
_OTHER_HOSTS = {
    "number": "2130706433",
    "one-dot": ".",
    "dots-last": "h..",
    "underscores-around": "_h_",
    "hyphens-around": "-h-",
    "tilde": "~",
    "sub-delims": "a!$&'()*+,;=",
    "triplets": "%C3%A9",
    "encoded-percent": "h%2541",
    "future": "[v1.a:b]",
    "ipv6-and-ipv4": "[::ffff:192.0.2.1]",
}
#: Authorities of bases by name: hosts that begin and end with each letter and digit, and other hosts.
ENDS: Mapping[str, Mapping[str, str | None]] = {
    **{
        name: {"userinfo": None, "host": host, "port": None}
        for name, host in (_HOST_ENDS | _OTHER_HOSTS).items()
    },
    "zero": {"userinfo": None, "host": "h", "port": "0"},
    "port-beyond": {"userinfo": None, "host": "h", "port": "65536"},
    "colon-before": {"userinfo": ":", "host": "h", "port": None},
    "encoded-at-sign": {"userinfo": "a%40b:c", "host": "h", "port": "8"},
    "semicolon-before": {"userinfo": "u;a=b", "host": "[::1]", "port": None},
}
#: For each kind of bases the levels of the factors, and those levels that meet all others.
CROSSED: Mapping[str, tuple[Mapping[str, Collection[str]], set[tuple[str, str]]]] = {
    "paths": (
        {
            "path": _names(
                "empty slash two-segments dots-first double-slash rootless r-one-segment r-dot r-dots"
                " r-dot-and-slash r-dots-and-slash r-dots-first r-dots-twice r-three-dots r-semicolon"
                " r-dots-last r-dots-inside r-colon-protected r-double-slash r-dots-too-many-inside"
                " r-dots-between r-encoded-slash r-dots-parameter umlaut r-umlaut r-dots-before-hebrew"
                " r-dot-and-ideograph dots-between-ideographs"
            ),
            "query": _names("none one empty dots question-mark"),
            "fragment": _names("none one empty question-mark"),
            "base-scheme": _names("http unknown ftp plus"),
            "base-network": _names("name none login-and-port ipv6"),
        },
        {("base-path", level) for level in ("slash", "rootless", "final-slash", "slashes-last")},
    ),
    "schemes": (
        {
            "path": _names("rootless r-dots-and-slash two-segments empty r-dot r-colon-protected"),
            "query": _names("none one empty"),
            "fragment": _names("none one empty"),
            "base-network": _names("name none ipv6 empty login-and-port"),
            "base-path": _names(
                "two-segments slash rootless drive encoded-slash-first mail-address empty r-colon"
            ),
        },
        {("base-path", level) for level in ("two-segments", "rootless", "drive", "encoded-slash-first")},
    ),
    "hosts": (
        {
            "path": _names("two-segments rootless r-dots-and-slash slash r-semicolon"),
            "query": _names("none one empty"),
            "fragment": _names("none one empty"),
            "base-scheme": _names("http unknown"),
            "base-path": _names("empty slash two-segments"),
            "base-query": _names("none one"),
        },
        {("base-path", "empty")},
    ),
}
