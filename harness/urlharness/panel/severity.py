"""The harm of a difference in each component: the severity of findings, and the order of reports."""

from __future__ import annotations

#: The components in the order of display. A difference in an earlier component does more harm.
BY_HARM = ("host", "userinfo", "scheme", "port", "path", "query", "fragment")

#: The components that decide which host a client contacts, and as which user.
TARGETING = frozenset(("host", "userinfo"))

#: The components that decide where a request goes, and as whom.
ROUTING = frozenset(("host", "userinfo", "scheme", "port"))

#: Names of differences outside components: only one of two answers accepts (`verdict`), or two answers
#: without components differ (`answer`).
VERDICT = "verdict"
OTHER = "answer"

#: Components of the other RFCs, each mapped to the component of RFC 3986 to which it belongs.
_MEANS = {
    "net_loc": "host",
    "user": "userinfo",
    "password": "userinfo",
    "hpath": "path",
    "fpath": "path",
    "ppath": "path",
    "urlpath": "path",
    "schemepart": "path",
    "selector": "path",
    "search": "query",
}


def general_component(name: str) -> str:
    """Return the component of RFC 3986 to which a component belongs, or else the name itself."""
    return _MEANS.get(name, name)


def harm_rank(name: str) -> int:
    """Return the rank of a difference in a component. The most harmful difference has rank 0."""
    component = general_component(name)
    if component in BY_HARM:
        return BY_HARM.index(component)
    return len(BY_HARM) if name == VERDICT else len(BY_HARM) + 1
