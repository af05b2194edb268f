"""Decoding once more, from RFC 1738, section 3, and the rulings, not from the code.

`views` takes a valid URL and gives the recommended view and every other admitted one; None is a refusal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .independent_normalization import octet, units
from .independent_schemes import PORTS, parts_of

View = dict[str, Any]
Bytes = bytes | None


class Answers(NamedTuple):
    """The recommended view, and every other admitted one."""

    recommended: View
    others: list[View | None]


def decoded(text: str | None) -> Bytes:
    """Section 2.2: each triplet is an octet; nothing is decoded twice (G-13)."""
    if text is None:
        return None
    return "".join(unit if len(unit) == 1 else octet(unit) for unit in units(text)).encode("latin-1")


def views(url: str) -> Answers:
    parts = parts_of(url)
    scheme = parts["scheme"]
    site = {"scheme": scheme}
    if scheme in PORTS:
        site |= {"host": parts["host"], "port": parts["port"], "default_port": PORTS[scheme]}
    recommended, *others = (view and site | view for view in MEANINGS[scheme](parts))
    if url[: len(scheme)] != scheme:  # R-1738-03
        others.append(None)
    if is_beyond_octets(host_of(parts)):
        others.append(None)
    return Answers(recommended, others)


def host_of(parts: View) -> str:
    """Return the host of a URL, or that of an article."""
    article = parts.get("article")
    return article.partition("@")[2] if article else parts.get("host") or ""


def is_beyond_octets(host: str) -> bool:
    """R-1738-07: an address with a number above 255 may be refused."""
    numbers = host.split(".")
    return all(number.isdigit() for number in numbers) and any(int(number) > 255 for number in numbers)


def has_line_end(*parts: Bytes | list[bytes]) -> bool:
    """R-1738-43: a line end would be sent as the end of a command."""
    for part in parts:
        names = part if isinstance(part, list) else [part or b""]
        if any(b"\r" in name or b"\n" in name for name in names):
            return True
    return False


def login(parts: View) -> View:
    return {"user": decoded(parts["user"]), "password": decoded(parts["password"])}


def segments(path: str | None) -> tuple[list[Bytes], Bytes]:
    """Directories and a name: the path is cut at slashes before it is decoded."""
    if path is None:
        return [], None
    *directories, name = path.split("/")
    return [decoded(directory) for directory in directories], decoded(name)


def ftp(parts: View) -> list[View | None]:
    """Section 3.2.2; the letter of the type in either case (R-1738-21), or a query (R-1738-12)."""
    code, path = parts["ftptype"], parts["fpath"]
    answers: list[View | None] = []
    for admitted_path in paths_with_query(path):
        directories, name = segments(admitted_path)
        view = {**login(parts), "cwd": directories, "name": name}
        answers += [view | {"typecode": letter} for letter in dict.fromkeys((code and code.lower(), code))]
    recommended = answers[0]
    assert recommended
    if has_line_end(*(recommended[name] for name in ("user", "password", "cwd", "name"))):
        answers.append(None)
    return answers


def paths_with_query(path: str | None) -> list[str | None]:
    return [path] if path is None or "?" not in path else [path, path.partition("?")[0]]


def http(parts: View) -> list[View | None]:
    path = parts["hpath"]
    names = None if path is None else [decoded(segment) for segment in path.split("/")]
    return [{"segments": names, "search": decoded(parts["search"])}]


def gopher(parts: View) -> list[View | None]:
    """Section 3.4: the type is 1 if the path is empty, and the request is what a client sends."""
    kind = parts["gtype"]
    selector, search, string = (decoded(parts[name]) for name in ("selector", "search", "gopher+_string"))
    selector = selector or b""
    sent = b"\t".join(part for part in (selector, search, string) if part is not None)
    view: View = {
        "gtype": b"1" if kind is None else decoded(kind), "selector": selector, "search": search,
        "gopher+_string": string, "request": sent,
    }  # fmt: skip
    answers: list[View | None] = [view]
    if has_line_end(selector, search):  # R-1738-19: a selector has no line ends
        answers = [{**view, "request": None}, view, None]
    elif string and string.startswith(b"+\t1\r\n") and not search:  # R-1738-44: section 3.4.9
        answers.append({**view, "request": b"\t".join((selector, string.removesuffix(b"\r\n")))})
    if kind is not None and len(kind) > 1:  # R-1738-20
        answers.append(None)
    return answers


def mailto(parts: View) -> list[View | None]:
    return [{"address": decoded(parts["encoded822addr"])}]


def news(parts: View) -> list[View | None]:
    """Section 3.6: a group has no escapes."""
    return [{"group": parts["group"], "article": decoded(parts["article"]), "grouppart": parts["grouppart"]}]


def nntp(parts: View) -> list[View | None]:
    """Section 3.7; the number may be demanded (R-1738-28)."""
    answers: list[View | None] = [{"group": parts["group"], "digits": parts["digits"]}]
    return answers if parts["digits"] is not None else [*answers, None]


def wais(parts: View) -> list[View | None]:
    return [{name: decoded(parts[name]) for name in ("database", "search", "wtype", "wpath")}]


def file(parts: View) -> list[View | None]:
    """Section 3.10; an empty host and any case of localhost mean this machine (R-1738-23)."""
    host = parts["host"]
    local = host.lower() in ("", "localhost")
    answers: list[View | None] = []
    for path in paths_with_query(parts["fpath"]):
        directories, name = segments(path)
        answers.append({"host": host, "local": local, "directories": directories, "name": name})
    return answers


def prospero(parts: View) -> list[View | None]:
    fields = parts["fieldspecs"]
    pairs = fields and [tuple(map(decoded, field)) for field in fields]
    return [{"hsoname": decoded(parts["ppath"]), "fields": pairs}]


MEANINGS = {
    "ftp": ftp,
    "http": http,
    "gopher": gopher,
    "mailto": mailto,
    "news": news,
    "nntp": nntp,
    "telnet": lambda parts: [login(parts)],
    "wais": wais,
    "file": file,
    "prospero": prospero,
}
