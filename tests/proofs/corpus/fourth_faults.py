"""Faults of the fourth list in resolving, normalizing, recomposing, comparing, extracting, decoding, base."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from .library_faults import (
    CRASHED,
    REJECTED,
    TRIPLET,
    Ask,
    Change,
    Fault,
    Parts,
    Question,
    Reply,
    Values,
    collapse,
    compares,
    decoded,
    decodes,
    encoded,
    finds,
    inside,
    join,
    merge,
    normalizes,
    normalizes_to,
    recomposed,
    remove_dots,
    resolves,
    resolves_to,
    split,
    sub,
    target,
    text,
    writes,
)
from .third_reading_faults import IPV4, UNRESERVED

_capital_triplets = sub(TRIPLET, lambda found: found[0].upper())


def _dots(dots: Change) -> Fault:
    return resolves(lambda base, reference: target(base, reference, dots=dots))


def _if(test: Callable[[Parts, Parts], bool], wrong: Callable[[Parts, Parts], Parts]) -> Fault:
    """Resolve in another way when the test is true of base and reference."""
    return resolves(
        lambda base, reference: wrong(base, reference) if test(base, reference) else target(base, reference)
    )


def _is_path(reference: Parts) -> bool:
    return reference.scheme is None and reference.authority is None and bool(reference.path)


def _is_relative(reference: Parts) -> bool:
    return _is_path(reference) and not reference.path.startswith("/")


def _is_fragment(reference: Parts) -> bool:
    return reference[:4] == (None, None, "", None) and reference.fragment is not None


def _crash_at_two_slashes(base: Parts, reference: Parts) -> Parts | None:
    """End in an error if the path of the target would be read as an authority."""
    found = target(base, reference)
    return None if found.authority is None and found.path.startswith("//") else found


FOURTH_RESOLUTION_FAULTS: Mapping[str, Fault] = {
    "curl-fragment-alone": _if(
        lambda _, reference: _is_fragment(reference),
        lambda base, reference: target(base, reference)._replace(path=merge(base, ""), query=None),
    ),
    "curl-slash-in-query-of-file": _if(
        lambda base, reference: (
            base.scheme == "file" and "/" in (base.query or "") and _is_relative(reference)
        ),
        lambda base, reference: target(base._replace(path=f"{base.path}?{base.query}"), reference),
    ),
    "curl-empty-reference": resolves(
        lambda base, reference: (
            None if reference == Parts(None, None, "", None, None) else target(base, reference)
        ),
        REJECTED,
    ),
    "curl-name-begins-with-dots": _dots(
        lambda path: remove_dots(path.lstrip(".") if re.match(r"\.{1,2}[^./]", path) else path)
    ),
    "elixir-url-in-path": _if(
        lambda _, reference: reference.scheme is not None,
        lambda base, reference: target(base, reference._replace(path=collapse(reference.path))),
    ),
    "elixir-plus-after-dots": _if(
        lambda base, reference: base.path.endswith(("/.", "/..")) and _is_relative(reference),
        lambda base, reference: target(base, reference._replace(path=f"+/{reference.path}")),
    ),
    "elixir-base-without-host": resolves(
        lambda base, reference: None if base.authority is None else target(base, reference)
    ),
    "yarl-base-decoded": _if(
        lambda base, reference: _is_relative(reference) and not base.path.endswith("/"),
        lambda base, reference: target(base._replace(path=unquote(base.path)), reference),
    ),
    "jsonrainbow-question-mark-lost": _if(
        lambda base, reference: _is_fragment(reference) and base.query is not None,
        lambda base, reference: target(base, reference)._replace(path=f"{base.path}{base.query}", query=None),
    ),
    "swift-base-cut-at-question-mark": _if(
        lambda base, reference: re.search("%3[Ff]|%23", base.path) is not None and _is_path(reference),
        lambda base, reference: target(base, reference)._replace(
            path=re.split("%3[Ff]|%23", target(base, reference).path)[0]
        ),
    ),
    "http4s-name-is-host": _if(
        lambda _, reference: _is_relative(reference) and re.match(r"[^/.][^/]*$", reference.path) is not None,
        lambda base, reference: target(base, reference._replace(authority=reference.path, path="")),
    ),
    "uriparse-two-slashes": resolves(_crash_at_two_slashes),
    "nim-absolute-without-path": resolves(
        lambda base, reference: (
            None if reference.scheme is not None and not reference.path else target(base, reference)
        )
    ),
    "hackney-last-segment-kept": _if(
        lambda base, reference: _is_relative(reference) and not base.path.endswith("/"),
        lambda base, reference: target(base, reference._replace(path=f"{base.path}/{reference.path}")),
    ),
    "php-slash-added-when-merging": _if(
        lambda base, reference: _is_relative(reference) and base.path.count("/") > 1,
        lambda base, reference: target(base, reference)._replace(path=f"{merge(base, '')}/{reference.path}"),
    ),
    "jsonrainbow-query-of-base": _if(
        lambda base, reference: _is_path(reference) and reference.query is None and base.query is not None,
        lambda base, reference: target(base, reference)._replace(query=base.query),
    ),
    "unshortener-question-mark-lost": _if(
        lambda _, reference: _is_path(reference) and reference.query is not None,
        lambda base, reference: target(base, reference)._replace(
            path=f"{target(base, reference).path}{reference.query}", query=None
        ),
    ),
    "feed-on-feeds-host-lost": _if(
        lambda _, reference: _is_path(reference) and not _is_relative(reference),
        lambda base, reference: target(base, reference)._replace(authority=None),
    ),
    "uris-jl-rooted-path-after-host": _if(
        lambda base, reference: (
            base.authority is not None
            and not base.path
            and _is_path(reference)
            and not _is_relative(reference)
        ),
        lambda base, reference: target(base, reference)._replace(path=f"/{reference.path}"),
    ),
    # other RFCs
    "url-toolkit-slash-in-address": resolves_to(
        lambda _base, reference, right: (
            inside("authority", sub(r"^(\[[^:]*:[^:]*):", r"\1/:"))(right)
            if reference.scheme is None and reference.authority is None
            else right
        )
    ),
    "jdk-query-keeps-last-segment": resolves_to(
        lambda base, reference, right: (
            join(target(base, reference))
            if reference[:3] == (None, None, "") and reference.query is not None
            else right
        )
    ),
}


#: What stands before the host of an authority, the host, and what stands after it.
_AUTHORITY = re.compile(r"((?:.*@)?)(\[[^\]]*\]|[^:]*)(.*)", re.DOTALL)


def _in_host(change: Change) -> Change:
    """Return a function that changes the host of a URL."""
    return inside(
        "authority",
        lambda authority: _AUTHORITY.sub(lambda found: found[1] + change(found[2]) + found[3], authority, 1),
    )


def _host(url: str) -> str:
    """Return the host of a URL."""
    found = _AUTHORITY.match(split(url).authority or "")
    return found[2] if found else ""


def _file_path_twice(given: str, right: str) -> str:
    """Write the path of a file as given and once more with its letters decoded."""
    path = split(given).path
    if split(right).scheme != "file" or not re.search("%2[Dd]|%5[Ff]", path):
        return right
    return join(split(right)._replace(path=path + split(right).path))


def _encoded_dots_kept(given: str, right: str) -> str:
    """Decode dots after the dot-segments were removed."""
    path = split(given).path
    if not re.search("/(?=[^/]*%2[Ee])(?:[.]|%2[Ee]){1,2}(?:/|$)", path):
        return right
    return join(split(right)._replace(path=_capital_triplets(UNRESERVED(remove_dots(path)))))


def _triplets_of_host_kept(given: str, right: str) -> str:
    """Make the letters of a host small and decode nothing in it."""
    host = _host(given)
    return _in_host(lambda _: _capital_triplets(host.lower()))(right) if "%" in host else right


def _port_cut(given: str, right: str) -> str:
    """Cut three characters where the port is 80, however it is written."""
    found = re.fullmatch(r"(.*):(0+80)", split(given).authority or "")
    if not found or split(right).scheme != "http":
        return right
    host, colon, _ = (split(right).authority or "").partition(":")
    return join(
        split(right)._replace(authority=(host if colon else split(right).authority or "") + found[2][2:])
    )


def _last_of_each_name(query: str) -> str:
    """Keep the last of the parameters of the same name."""
    found = {one.partition("=")[0]: one for one in query.split("&")}
    return "&".join(found.values())


def _replaced(component: str, test: Callable[[Parts, Parts], bool], value: str) -> Fault:
    """Give a component another value when the test is true of the given text and the right form."""
    return normalizes_to(
        lambda given, right: (
            join(split(right)._replace(**{component: value})) if test(split(given), split(right)) else right
        )
    )


FOURTH_NORMALIZATION_FAULTS: Mapping[str, Fault] = {
    "crawlee-small-letters": writes(lambda right: right.lower()),
    "crawl4ai-small-names": writes(
        inside("query", sub("(?:^|(?<=&))[^=&]+(?==)", lambda found: found[0].lower()))
    ),
    "crawler4j-last-of-each-name": writes(inside("query", _last_of_each_name)),
    "httrack-port-cut": normalizes_to(_port_cut),
    "armeria-ampersand-decoded": writes(inside("query", decoded("26|3d"))),
    "boost-colon-in-first-segment": writes(sub(r"^\./(?=[^/?#]*:)", "")),
    "dotnet-path-of-file-twice": normalizes_to(_file_path_twice),
    "crawler-commons-no-path-before-query": _replaced(
        "path", lambda given, right: not given.path and right.path == "/" and given.query is not None, ""
    ),
    "uri-bytestring-root-lost": _replaced(
        "path", lambda given, right: given.path == right.path == "/" and right.authority is not None, ""
    ),
    "webignition-plus-encoded": writes(inside("query", encoded(r"\+"))),
    "mediacloud-first-number-lost": writes(
        _in_host(lambda host: host.partition(".")[2] if IPV4.fullmatch(host) else host)
    ),
    "okhttp-three-dots": normalizes(inside("path", sub(r"(?<=/)(?:\.\.%2[Ee]|%2[Ee]\.\.)(?=/|$)", ".."))),
    "curl-encoded-dots-kept": normalizes_to(_encoded_dots_kept),
    "guzzle-host-not-decoded": normalizes_to(_triplets_of_host_kept),
}


FOURTH_RECOMPOSITION_FAULTS: Mapping[str, Fault] = {
    "httpcomponents-parentheses-encoded": recomposed(inside("path", encoded("[()&]"))),
    "urllib3-tilde-encoded": recomposed(encoded("~")),
    "ui-router-tilde-twice": recomposed(inside("query", sub("~", "~~"))),
    "wheels-percent-encoded": recomposed(inside("query", encoded("%"))),
    "ocaml-uri-at-sign-added": recomposed(sub("^([^/?#]*//)(?=[^/?#@]+(?:[/?#]|$))", r"\1@")),
    "ocaml-uri-slash-decoded": recomposed(inside("path", decoded("2f"))),
    "ocaml-uri-semicolon-encoded": recomposed(inside("query", encoded(";"))),
    "urijs-two-slashes-added": recomposed(sub("^([^:/?#]+:)(?!//)", r"\1//")),
    "foundation-number-sign-encoded": recomposed(sub("#", "%23")),
    "http4s-delimiters-in-query": recomposed(inside("query", encoded("[!$'()*,;]"))),
    "furl-slash-in-fragment": recomposed(
        inside(
            "fragment",
            lambda found: found.replace("/", "%2F") if "=" in found and "?" not in found else found,
        )
    ),
    "cpython-four-slashes": recomposed(sub("^((?:[^:/?#]+:)?)//(?=//)", r"\1")),
    "cpython-rootless-path": recomposed(sub("^(https?|ftp|file):(?=[^/?#])", r"\1:///")),
}


def _java_hash(url: str) -> int:
    """Return the hash code that Java gives a string."""
    found = 0
    for character in url:
        found = (31 * found + ord(character)) & 0xFFFFFFFF
    return found


def _decoding_counts(one: str, other: str, right: bool) -> bool:
    """Tell two paths apart if letters, digits or marks are encoded in only one."""
    encoded_letters = [UNRESERVED(path) != path for path in (split(one).path, split(other).path)]
    return right and encoded_letters[0] == encoded_letters[1]


def _case_of_triplets_counts(one: str, other: str, right: bool) -> bool:
    triplets = [re.findall(TRIPLET, url) for url in (one, other)]
    capitals = [[triplet.upper() for triplet in found] for found in triplets]
    return right and (triplets[0] == triplets[1] or capitals[0] != capitals[1])


FOURTH_EQUIVALENCE_FAULTS: Mapping[str, Fault] = {
    "uriparse-decoding-counts": compares(_decoding_counts),
    "nsurl-case-of-triplets": compares(_case_of_triplets_counts),
    "uri-reference-hash-code": compares(
        lambda one, other, right: right or _java_hash(one) == _java_hash(other)
    ),
    "fast-uri-encoded-slash": compares(
        lambda one, other, right: right or decoded("2f")(one) == decoded("2f")(other)
    ),
}


def _embedded_url(one: str) -> str:
    """Return the encoded URL in a URL, if there is one."""
    found = re.search(r"(?i)https?%3a%2f%2f.*", one)
    return unquote(found[0]) if found else one


FOURTH_EXTRACTION_FAULTS: Mapping[str, Fault] = {
    "termite-colon-and-at-sign": finds(lambda _, one: one.partition(":@")[0]),
    "kitty-closing-bracket": finds(lambda given, one: f"{one}>" if f"<{one}>" in given else one),
    "tmux-thumbs-closing-quote": finds(lambda given, one: f'{one}"' if f'"{one}"' in given else one),
    "wiki-vim-final-mark": finds(lambda _, one: one.rstrip(".,?!:;\"'") or None),
    "markdown-it-underscores": finds(lambda _, one: re.sub("_([^_]+)_", r"\1", one)),
    "quaternion-angle-brackets": finds(lambda given, one: None if f"<{one}>" in given else one),
    "haraka-encoded-url": finds(lambda _, one: _embedded_url(one)),
    "fimfiction-final-parenthesis": finds(
        lambda _, one: one[:-1] if one.endswith(")") and one.count("(") < one.count(")") else one
    ),
    "markdown-editor-broken-line": finds(lambda given, one: one if one in given else None),
}


def _gopher_path(url: str) -> str:
    """Return what follows the type in a gopher URL."""
    return url.partition("//")[2].partition("/")[2][1:]


def _tab_kept(view: Values, _url: str) -> Values:
    """Leave the search and what follows in the selector."""
    if view["search"] is None or not all(isinstance(view[name], str) for name in ("selector", "search")):
        return {}
    more = "" if view["gopher+_string"] is None else f"%09{view['gopher+_string']}"
    selector = f"{view['selector']}%09{view['search']}{more}"
    return {"selector": selector, "search": None, "gopher+_string": None, "request": selector}


def _selector_as_given(_view: Values, url: str) -> Values:
    path = _gopher_path(url)
    if "%" not in path:
        return {}
    return {"selector": path, "search": None, "gopher+_string": None, "request": path}


def _name_as_given(view: Values, url: str) -> Values:
    name = re.sub("(?i);type=[aid]$", "", url.rpartition("/")[2])
    return {"name": name} if view["name"] and "%" in name else {}


def _drive_as_given(view: Values, url: str) -> Values:
    """Leave the colon after the letter of a drive encoded."""
    if not re.search("(?i)^file://[^/]*/[a-z]%3a/", url):
        return {}
    drive, *directories = view["directories"]
    return {"directories": [f"{drive[0]}%3A", *directories]}


def _segments_split_again(view: Values, _url: str) -> Values:
    """Split the decoded path into segments."""
    segments: list[Any] = []
    for segment in view["segments"] or []:
        segments += segment.split("/") if isinstance(segment, str) else [segment]
    return {} if segments == (view["segments"] or []) else {"segments": segments}


def _login_as_given(view: Values, url: str) -> Values:
    login, at_sign, _ = url.partition("//")[2].partition("/")[0].rpartition("@")
    user, colon, password = login.partition(":")
    return {"user": user, "password": password if colon else None} if at_sign and "user" in view else {}


FOURTH_DECODING_FAULTS: Mapping[str, Fault] = {
    "lagrange-encoded-tab": decodes("gopher", _tab_kept),
    "dillo-selector-as-given": decodes("gopher", _selector_as_given),
    "wpull-name-as-given": decodes("ftp", _name_as_given),
    "rust-url-drive-as-given": decodes("file", _drive_as_given),
    "nsurl-segments-split-again": decodes("http", _segments_split_again),
    "qore-login-as-given": decodes("", _login_as_given),
}


def _fragment_of_base(question: Question, right: Reply, _ask: Ask) -> Reply:
    """End in an error if the reference that gives the base has a fragment."""
    given = question.get(right.get("layer") or "")
    return CRASHED if right["status"] == "ok" and given and "#" in text(given) else right


FOURTH_BASE_FAULTS: Mapping[str, Fault] = {
    "n3-fragment-of-base": Fault(("base",), _fragment_of_base),
}
