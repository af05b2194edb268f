"""Recomposition once more, from the RFCs' text and the rulings, not from the code.

`texts` takes components and gives the recommended text and every other admitted one, or nothing if the
components have none.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from .independent_schemes import NAMES, parts_of

Components = dict[str, Any]


def texts(components: Components, spec: str) -> list[str]:
    match spec:
        case "rfc1738":
            return texts_rfc1738(components)
        case "rfc1808":
            return texts_rfc1808(components)
    return [
        written(
            components,
            ("scheme", "authority", "path", "query", "fragment"),
            ("{}:", "//{}", "{}", "?{}", "#{}"),
        )
    ]


def written(components: Components, names: tuple[str, ...], marks: tuple[str, ...]) -> str:
    """RFC 3986, section 5.3; RFC 2396, section 5.2, step 7: what is undefined has no delimiter."""
    texts = [(mark, components[name]) for name, mark in zip(names, marks, strict=True)]
    return "".join(mark.format(text) for mark, text in texts if text is not None)


# ---- RFC 1808, section 4, step 7


def texts_rfc1808(components: Components) -> list[str]:
    """Without the delimiters of empty components, then with them (R-1808-09).

    An empty location keeps its slashes, or loses them (R-1808-22), unless the path begins with two slashes,
    which would be a location then.
    """
    names = ("scheme", "net_loc", "path", "params", "query", "fragment")
    marks = ("{}:", "//{}", "{}", ";{}", "?{}", "#{}")
    choices: list[list[str | None]] = [
        [text] if text is None or text else [None, ""] for text in (components[name] for name in names)
    ]
    choices[2] = [components["path"]]
    if components["net_loc"] == "":
        choices[1] = [""] if components["path"].startswith("//") else ["", None]
    return [written(dict(zip(names, some, strict=True)), names, marks) for some in product(*choices)]


# ---- RFC 1738, sections 3 and 5


def texts_rfc1738(components: Components) -> list[str]:
    """The forms of the scheme; components that the form does not have give nothing."""
    scheme = components["scheme"].lower()
    if scheme not in NAMES:
        return (
            [f"{components['scheme']}:{components['schemepart']}"]
            if components["schemepart"] is not None
            else []
        )
    texts = [f"{components['scheme']}:{rest}" for rest in FORMS[scheme](components)]
    return [text for text in texts if has_parts(text, components)]


def has_parts(text: str, components: Components) -> bool:
    return parts_of(text) == {**components, "scheme": components["scheme"].lower()}


def site(components: Components) -> str:
    """Section 3.1: `//user:password@host:port`."""
    login, password = components.get("user"), components.get("password")
    written_login = "" if login is None else login + ("" if password is None else f":{password}") + "@"
    port = components.get("port")
    return f"//{written_login}{components['host'] or ''}" + ("" if port is None else f":{port}")


def after(mark: str, text: str | None) -> str:
    return "" if text is None else mark + text


def prospero(components: Components) -> list[str]:
    fields = "".join(f";{name}={text}" for name, text in components["fieldspecs"] or ())
    return [f"{site(components)}/{components['ppath']}{fields}"]


def gopher(components: Components) -> list[str]:
    names = ("gtype", "selector", "search", "gopher+_string")
    if all(components[name] is None for name in names):  # section 3.4.1: the slash may be left out
        return [f"{site(components)}/", site(components)]
    kind, selector, search, string = (components[name] for name in names)
    return [f"{site(components)}/{kind}{selector}{after('%09', search)}{after('%09', string)}"]


FORMS = {
    "ftp": lambda parts: [site(parts) + after("/", parts["fpath"]) + after(";type=", parts["ftptype"])],
    "http": lambda parts: [site(parts) + after("/", parts["hpath"]) + after("?", parts["search"])],
    "gopher": gopher,
    "mailto": lambda parts: [parts["encoded822addr"]],
    "news": lambda parts: [parts[name] for name in NAMES["news"] if parts[name] is not None],
    "nntp": lambda parts: [f"{site(parts)}/{parts['group']}{after('/', parts['digits'])}"],
    "telnet": lambda parts: [f"{site(parts)}/", site(parts)],  # section 5: the slash is optional
    "wais": lambda parts: [
        f"{site(parts)}/{parts['database']}"
        + after("?", parts["search"]) + after("/", parts["wtype"]) + after("/", parts["wpath"])
    ],
    "file": lambda parts: [f"{site(parts)}/{parts['fpath']}"],
    "prospero": prospero,
}  # fmt: skip
