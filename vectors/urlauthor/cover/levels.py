"""Which levels of the components the models combine, by kind, and what stands around them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from urlharness.corpus.model import AUTHORITY

#: The kinds of references, as (has a scheme, has an authority); None if it can have one or not.
KINDS = {
    "whole": (True, True),
    "rootless": (True, False),
    "bare": (True, False),
    "scheme": (True, True),
    "authority": (None, True),
    "network": (False, True),
    "relative": (False, False),
}
#: The levels of other components that are combined with every scheme in a URI without authority.
BARE = {"path": ("empty", "r-one-segment", "slash"), "query": ("none", "one"), "fragment": ("none", "one")}
#: The levels of other components that are combined with every scheme in a URI with an authority.
SITES = {
    "host": ("name", "ipv6", "one-label"), "userinfo": ("none", "login"), "port": ("none", "other"),
    "path": ("two-segments", "empty", "colon", "capital-drive", "mail-address", "capitals"),
    "query": ("none", "one"),
    "fragment": ("none", "one"),
}  # fmt: skip
#: The schemes that libraries treat apart, and some that they do not know.
SCHEMES = (
    "http", "https", "ws", "wss", "ftp", "file", "mailto", "data", "javascript", "urn", "ssh", "plus", "sip",
    "ldap", "jdbc", "blob", "unknown", "one-letter",
)  # fmt: skip
#: The levels of other components that meet every scheme of `SCHEMES` in whole URIs, and those of them that
#: do so one by one.
SHAPES = {
    "scheme": SCHEMES,
    "host": ("none", "name", "empty", "ipv6", "one-label", "ipv4"), "userinfo": ("none", "login", "user"),
    "port": ("none", "other", "empty"),
    "path": ("empty", "slash", "two-segments", "rootless", "colon", "drive", "mail-address", "double-slash",
             "r-colon-later"),
    "query": ("none", "one", "empty"),
    "fragment": ("none", "one", "empty"),
}  # fmt: skip
CROSSED_SHAPES = {("host", "none"), ("host", "name"), ("host", "empty"), ("path", "drive")}
#: The levels of other components that meet every host of `AUTHORITIES`, in front of it and after it.
AUTHORITIES = {
    "scheme": ("http", "none", "ws", "unknown"),
    "host": ("name", "ipv6", "empty", "one-letter", "final-dot", "triplet", "punycode", "zeros",
             "number-alone", "underscore", "dot-alone", "future", "ipv6-and-ipv4", "encoded-port"),
    "userinfo": ("none", "empty", "colon-alone", "empty-password"),
    "port": ("none", "empty", "zero", "zeros", "65536", "huge"),
    "path": ("empty", "slash", "colon-alone"),
    "query": ("none", "empty", "one", "question-first", "slash-alone"),
    "fragment": ("none", "empty", "one", "port"),
}  # fmt: skip
#: The levels that the normal form of a URI of every scheme of `SCHEMES` combines.
FORMS = {
    "scheme": SCHEMES,
    "host": ("none", "name", "capital-label", "ipv6-full", "capitals"),
    "userinfo": ("none", "login", "capitals"),
    "port": ("none", "other", "zeros"),
    "path": ("capitals", "dots-inside", "triplet-small", "encoded-dots", "double-slash", "drive", "index",
             "r-one-segment", "r-dots-inside", "triplet-of-letter"),
    "query": ("none", "empty", "capitals", "triplets", "order"),
    "fragment": ("none", "empty", "capitals", "triplets"),
}  # fmt: skip
#: The paths with a leading slash that are used in references without authority.
ROOTED = ("slash", "two-segments", "dots-first", "dots-inside", "double-slash", "delimiters", "url", "drive")
#: Further levels that are recomposed in RFC 3986 only.
RECOMPOSED: Mapping[str, tuple[str, ...]] = {
    "userinfo": ("two-colons", "colon-alone", "sub-delims", "host-and-port", "nul", "not-utf8", "number"),
    "host": ("one-label", "punycode", "zeros", "two-dots", "sub-delims", "triplets-utf8", "delimiters",
             "ipv6-any", "ipv6-and-ipv4", "future", "encoded-port", "dot-alone"),
    "path": ("dots-first", "dots-last", "slashes-first", "three-slashes-first", "semicolon-last", "url",
             "sub-delims", "encoded-dots", "nul", "encoded-percent", "not-utf8", "r-dots", "r-dot",
             "r-colon-protected", "r-colon-later", "r-double-slash", "r-semicolon", "capitals"),
    "query": ("equals-sign", "question-marks", "slashes", "dots", "login", "triplets", "blank-encoded",
              "encoded-plus", "not-utf8", "url-alone", "encoded-percent", "address"),
    "fragment": ("url", "login", "directive", "slash-alone", "nul", "encoded-percent"),
}  # fmt: skip
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
    name: dict(zip(AUTHORITY, texts, strict=True))
    for name, texts in {
        "name": (None, "h.example", None),
        "none": (None, None, None),
        "login-and-port": ("u:p", "h.example", "8080"),
        "ipv6": (None, "[2001:db8::1]", None),
        "ipv6-and-port": ("u", "[::1]", "81"),
        "ipv4": (None, "192.0.2.1", None),
        "empty": (None, "", None),
        "two-hyphens": (None, "my--site.example", None),
        "underscore": ("a:b:c", "a_b.example", None),
        "final-dot": ("u:", "h.example.", "443"),
        "zeros": (None, "010.0.0.01", "00080"),
        "empty-port": ("", "g.example", ""),
        "default-port": (":p", "g.example", "80"),
    }.items()
}
#: The parts of bases.  Each is in normal form by RFC 3986, so that normalizing the base changes nothing.
BASES = {
    "scheme": ("http", "unknown", "ftp", "plus"),
    "network": tuple(NETWORKS)[:10],
    "path": ("two-segments", "slash", "rootless", "empty", "final-slash", "double-slash", "parameters",
             "drive", "slashes-first", "two-slashes", "three-slashes-first", "slashes-inside", "colon",
             "mail-address", "url", "delimiters", "slashes-last", "r-one-segment", "r-colon",
             "encoded-slash-first"),
    "params": ("none", "one", "dots"),
    "query": ("none", "one", "url", "dots"),
}  # fmt: skip
#: Authorities of bases by name: hosts that begin and end with each letter and digit, and other hosts.
ENDS: Mapping[str, Mapping[str, str | None]] = {
    **{
        f"around-{one}": {"userinfo": None, "host": f"{one}.example.{one}", "port": None}
        for one in "abcdefghijklmnopqrstuvwxyz0123456789"
    },
    **{
        name: {"userinfo": None, "host": host, "port": None}
        for name, host in {
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
        }.items()
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
            "path": ("empty", "slash", "two-segments", "dots-first", "double-slash", "rootless",
                     "r-one-segment", "r-dot", "r-dots", "r-dot-and-slash", "r-dots-and-slash",
                     "r-dots-first", "r-dots-twice", "r-three-dots", "r-semicolon", "r-dots-last",
                     "r-dots-inside", "r-colon-protected", "r-double-slash", "r-dots-too-many-inside",
                     "r-dots-between", "r-encoded-slash", "r-dots-parameter"),
            "query": ("none", "one", "empty", "dots", "question-mark"),
            "fragment": ("none", "one", "empty", "question-mark"),
            "base-scheme": ("http", "unknown", "ftp", "plus"),
            "base-network": ("name", "none", "login-and-port", "ipv6"),
        },
        {("base-path", one) for one in ("slash", "rootless", "final-slash", "slashes-last")},
    ),
    "schemes": (
        {
            "path": ("rootless", "r-dots-and-slash", "two-segments", "empty", "r-dot", "r-colon-protected"),
            "query": ("none", "one", "empty"),
            "fragment": ("none", "one", "empty"),
            "base-network": ("name", "none", "ipv6", "empty", "login-and-port"),
            "base-path": ("two-segments", "slash", "rootless", "drive", "encoded-slash-first",
                          "mail-address", "empty", "r-colon"),
        },
        {("base-path", one) for one in ("two-segments", "rootless", "drive", "encoded-slash-first")},
    ),
    "hosts": (
        {
            "path": ("two-segments", "rootless", "r-dots-and-slash", "slash", "r-semicolon"),
            "query": ("none", "one", "empty"),
            "fragment": ("none", "one", "empty"),
            "base-scheme": ("http", "unknown"),
            "base-path": ("empty", "slash", "two-segments"),
            "base-query": ("none", "one"),
        },
        {("base-path", "empty")},
    ),
}  # fmt: skip
