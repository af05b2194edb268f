"""Tier `equivalence`: pairs of URLs that differ by one or two small changes, or not at all.

A change rewrites one component of a URL. Some changes are steps of the ladder, such as another case of the
host. Others are controls that no RFC calls equivalent, such as another case of the path. Each URL is compared
with itself and with the result of each change. For some URLs, every two changes are also combined: the URL is
compared with the result of both changes, and the results of the single changes are compared with each other.

The answers are the oracle's; tests compare them with a second implementation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from urllib.parse import unquote

from urlharness.corpus.model import TRIPLET, USUAL_MODES, Binding, Expected, NormalizationMode
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers.beyond_ascii import with_letters_beyond_ascii
from urlharness.generate.tiers.labels import Label, label, refusals
from urlharness.generate.tiers.normalization import PERMITTING, Spelling
from urloracle.operations import equivalent
from urloracle.rfc.equivalence import OtherVerdict
from urloracle.specification import Specification

Change = Callable[[Spelling], Spelling]

#: The default ports of the schemes of RFC 1738, and of https.
_PORTS = {
    "ftp": ":21",
    "http": ":80",
    "https": ":443",
    "gopher": ":70",
    "nntp": ":119",
    "telnet": ":23",
    "wais": ":210",
    "prospero": ":1525",
}

#: The URLs to change. For the URLs in `PLAIN`, every two changes are also combined.
PLAIN = (
    Spelling(),
    Spelling(path=""),
    Spelling(scheme="ftp:", userinfo="u@", path="/a/%7Eb/%2F"),
    Spelling(scheme="file:", host="//localhost", path="/x"),
    Spelling(scheme="x:", host="//Ab.c", path="/a/../b", query="?%4a=b&a=c", fragment="#s%2d"),
    Spelling(scheme="mailto:", host="", path="Joe@Example.COM"),
    Spelling(scheme="x:", host="", path="/a/b"),
)
URLS = (
    *PLAIN,
    Spelling(port=":80", path="/"),
    Spelling(port=":0080"),
    Spelling(port=":"),
    Spelling(port=":8080"),
    Spelling(path="/", query="?q"),
    Spelling(path="/", query="?b=2&a=1+%20", fragment="#f"),
    Spelling(host="//HOST.Example.", path="/A//b/"),
    Spelling(host="//1.2.3.4"),
    Spelling(host="//[::A]"),
    Spelling(host="//%41b%c3%A9", path="/%c3%A9"),
    Spelling(host="//a_B", path="/~u"),
    Spelling(host="//", path="/x"),
    Spelling(scheme="https:"),
    Spelling(scheme="https:", port=":443", path=""),
    Spelling(scheme="ftp:", path="/a;type=a"),
    Spelling(scheme="ftp:", userinfo="U:P@", path="//etc/%2Fmotd"),
    Spelling(scheme="ftp:", userinfo=":@", port=":21", path=""),
    Spelling(scheme="ftp:", path="/a/./b?c"),
    Spelling(scheme="gopher:", path="/1Sel%09words%09+x"),
    Spelling(scheme="gopher:", port=":70", path=""),
    Spelling(scheme="gopher:", path="/"),
    Spelling(scheme="nntp:", path="/Comp.x/12"),
    Spelling(scheme="telnet:", userinfo="u@", path="/"),
    Spelling(scheme="telnet:", port=":23", path=""),
    Spelling(scheme="wais:", path="/d", query="?w%20v"),
    Spelling(scheme="wais:", path="/d/T/p", port=":210"),
    Spelling(scheme="prospero:", path="/n/x;b=2;a=1"),
    Spelling(scheme="prospero:", port=":1525", path="//n"),
    Spelling(scheme="file:", host="//", path="/x"),
    Spelling(scheme="file:", host="", path="/x"),
    Spelling(scheme="file:", host="//vms.Host", path="/a%24/b"),
    Spelling(scheme="news:", host="", path="Comp.Misc"),
    Spelling(scheme="news:", host="", path="1%7e@Host.dom"),
    Spelling(scheme="mailto:", host="", path="a%40b"),
    Spelling(scheme="mailto:", host="", path="x"),
    Spelling(scheme="x:", host="", path="a:B/../c"),
    Spelling(scheme="x:", host="", path="/.//g"),
    Spelling(scheme="x:", host="", path=""),
    Spelling(scheme="x:", path=""),
    Spelling(scheme="x:", path="/%2e%2E/g"),
    Spelling(scheme="x:", userinfo="%55%3a@", host="//h", port=":1", path="/%21/..;p"),
)

_COMPONENTS = ("userinfo", "host", "path", "query", "fragment")


def _in(component: str, change: Callable[[str], str]) -> Change:
    return lambda url: url._replace(**{component: change(getattr(url, component))})


def _swap_case(text: str) -> str:
    """Swap the case of all letters outside triplets."""

    def swap(match: re.Match[str]) -> str:
        triplet: str | None = match[1]
        return triplet or match[0].swapcase()

    return re.sub(f"({TRIPLET.pattern})|.", swap, text)


def _swap_hex_case(text: str) -> str:
    """Swap the case of the hex digits of triplets."""
    return TRIPLET.sub(lambda match: match[0].swapcase(), text)


def _encode(characters: str) -> Callable[[str], str]:
    """Return a function that percent-encodes the first of these characters that is not part of a triplet."""
    pattern = re.compile(f"((?:{TRIPLET.pattern}|[^%{characters}])*)([{characters}])")

    def encode(text: str) -> str:
        match = pattern.match(text)
        if match is None:
            return text
        triplet = f"%{ord(match[2]):02X}"
        return f"{match[1]}{triplet}{text[match.end() :]}"

    return encode


def _decode(text: str) -> str:
    """Decode all triplets of visible ASCII characters, except `%7a` to `%7e` in lower case."""

    def decode(match: re.Match[str]) -> str:
        triplet: str = match[0]
        # compared as text, where "%7a" comes after "%7F"
        return unquote(triplet) if "%20" < triplet < "%7F" else triplet

    return TRIPLET.sub(decode, text)


def _change_final_slash(path: str) -> str:
    """Remove a final slash, but add one to `/p`. A path that would be empty becomes `/`."""
    if path == "/p":
        return "/p/"
    return path.removesuffix("/") or "/"


def _reverse_query(query: str) -> str:
    """Reverse the order of the pairs in a query."""
    if not query:
        return query
    pairs_of_query = query.removeprefix("?").split("&")
    return f"?{'&'.join(reversed(pairs_of_query))}"


def _with_port(change: Callable[[str], str]) -> Change:
    """Return a change that sets the port to `change` of the default port of the scheme.

    It does not change a URL without a host, or with a scheme that has no default port.
    """

    def write(url: Spelling) -> Spelling:
        scheme = url.scheme.removesuffix(":").lower()
        default_port = _PORTS.get(scheme)
        if default_port is None or not url.host:
            return url
        return url._replace(port=change(default_port))

    return write


def _toggle(component: str, spelling: str) -> Change:
    """Return a change that gives a component this spelling, or removes the component if it has it."""

    def toggle(url: Spelling) -> Spelling:
        new_spelling = "" if getattr(url, component) == spelling else spelling
        return url._replace(**{component: new_spelling})

    return toggle


CHANGES: Mapping[str, Change] = {
    "scheme-case": _in("scheme", _swap_case),
    **{f"{name}-case": _in(name, _swap_case) for name in _COMPONENTS},
    **{f"{name}-hex-case": _in(name, _swap_hex_case) for name in _COMPONENTS},
    **{f"{name}-unreserved": _in(name, _encode("A-Za-z0-9~_-")) for name in _COMPONENTS},
    **{f"{name}-decoded": _in(name, _decode) for name in _COMPONENTS},
    "path-reserved": _in("path", lambda path: path[:1] + _encode(":;=@/+,&$?")(path[1:])),
    "path-mark": _in("path", lambda path: f"{path}!" if path else path),
    "path-mark-encoded": _in("path", lambda path: f"{path}%21" if path else path),
    "query-reserved": _in("query", lambda query: query[:1] + _encode("&=+;/?")(query[1:])),
    "dot": _in("path", lambda path: f"/.{path}" if path.startswith("/") else path),
    "dot-encoded": _in("path", lambda path: f"/%2e{path}" if path.startswith("/") else path),
    "double-dot": _in("path", lambda path: f"/x/..{path}" if path.startswith("/") else path),
    "double-dot-excess": _in("path", lambda path: f"/..{path}" if path.startswith("/") else path),
    "slash": _toggle("path", "/"),
    "path-slash": _in("path", _change_final_slash),
    "slash-doubled": _in("path", lambda path: f"/{path}" if path.startswith("/") else path),
    "index": _in("path", lambda path: f"{path}index.html" if path.endswith("/") else path),
    "port-default": _with_port(lambda port: port),
    "port-zeros": _with_port(lambda port: f":0{port[1:]}"),
    "port-other": _in("port", lambda port: f"{port or ':'}9"),
    "port-empty": lambda url: _toggle("port", ":")(url) if url.host else url,
    "userinfo-empty": lambda url: _toggle("userinfo", "@")(url) if url.host else url,
    "password-empty": _in("userinfo", lambda user: user.replace("@", ":@") if ":" not in user else user),
    "host-dot": _in("host", lambda host: f"{host}." if host[-1:].isalpha() else host),
    "host-other": _in("host", lambda host: f"{host}x" if host else host),
    "host-localhost": _toggle("host", "//localhost"),
    "host-empty": _toggle("host", "//"),
    "query-empty": _toggle("query", "?"),
    "query-order": _in("query", _reverse_query),
    "query-plus": _in("query", lambda query: query.replace("+", "%20")),
    "fragment-empty": _toggle("fragment", "#"),
    "fragment": _toggle("fragment", "#s"),
    "scheme-other": _in("scheme", lambda scheme: f"{scheme[:-1]}x:"),
}

#: The rulings and sections that permit another verdict. Under all others, the RFC leaves the verdict open.
_PERMITTING = PERMITTING | {"R-2396-27", "section 3.1"}


def pairs() -> Iterator[tuple[str, str]]:
    """Yield all pairs of URLs once, in a fixed order, including URLs that no RFC derives."""
    seen = set()
    for first, second in _pairs_with_repeats():
        pair = (first.text, second.text)
        if first.is_unambiguous and second.is_unambiguous and pair not in seen:
            seen.add(pair)
            yield pair


def _pairs_with_repeats() -> Iterator[tuple[Spelling, Spelling]]:
    """Yield the pairs of each URL: with itself, with one change, and for some with two changes."""
    for url in URLS:
        yield url, url
        for change in CHANGES.values():
            yield url, change(url)
            yield change(url), url
    for url in PLAIN:
        for first, second in combinations(CHANGES.values(), 2):
            yield url, second(first(url))
            yield first(url), second(url)


def label_pairs(spec: Specification) -> Iterator[tuple[str, str, NormalizationMode, Label]]:
    """Yield (URL, URL, mode, label of the verdict) for each mode and each pair that the RFC derives."""
    write = with_letters_beyond_ascii if facts(spec.id).iris else str
    for pair in pairs():
        first, second = map(write, pair)
        if spec.problem(first) is None and spec.problem(second) is None:
            for mode in USUAL_MODES:
                yield first, second, mode, label_pair(spec, first, second, mode)


def label_pair(spec: Specification, first: str, second: str, mode: NormalizationMode) -> Label:
    """Return the label of a comparison: the recommended verdict, and other verdicts that rulings admit."""
    comparison = equivalent(first, second, spec, mode)
    alternatives = []
    for verdict in comparison.also:
        expect = _expected_verdict(verdict.equal)
        alternatives.append(Label(expect, _binding(verdict), _ruling(verdict.ruling)))
    alternatives += refusals(spec, first, second)
    return label(Expected(equal=comparison.equal), alternatives)


def _binding(verdict: OtherVerdict) -> Binding:
    """Return the binding of another verdict, which depends on its ruling or section."""
    # R-2396-27 admits `equal` where RFC 2396 has no rule, and `different` for default ports of RFC 1738
    if verdict.ruling == "R-2396-27" and verdict.equal:
        return "impl-defined"
    return "permitted-set" if verdict.ruling in _PERMITTING else "impl-defined"


def _ruling(source: str) -> str | None:
    """Return the source if it is a ruling, or None if it is a section of the RFC."""
    return None if source.startswith("section") else source


def _expected_verdict(equal: bool | None) -> Expected:
    """Return another verdict as an expectation; None is a refusal."""
    if equal is None:  # the comparison may be refused
        return Expected(valid=False, variant="refused")
    return Expected(equal=equal, variant="equivalent" if equal else "different")
