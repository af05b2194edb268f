"""Faults of the seventh list in resolving, normalizing, recomposing, comparing, extracting."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .library_faults import (
    CRASHED,
    TRIPLET,
    Ask,
    Fault,
    Parts,
    Question,
    Reply,
    Values,
    bases_without,
    collapse,
    compares,
    decoded,
    finds,
    inside,
    is_local,
    join,
    merge,
    normalizes_to,
    recomposed,
    recomposed_as,
    remove_dots,
    resolves,
    resolves_to,
    split,
    sub,
    target,
    writes,
)


def _if(test: Callable[[Parts, Parts], bool], wrong: Callable[[Parts, Parts], Parts | str | None]) -> Fault:
    """Resolve in another way when the test is true of base and reference; None is an exception."""
    return resolves(
        lambda base, reference: wrong(base, reference) if test(base, reference) else target(base, reference)
    )


def _is_rooted(reference: Parts) -> bool:
    return is_local(reference) and reference.path.startswith("/")


def _is_relative(reference: Parts) -> bool:
    return is_local(reference) and bool(reference.path) and not reference.path.startswith("/")


def _is_query(reference: Parts) -> bool:
    return is_local(reference) and not reference.path and reference.query is not None


def _is_network_path(reference: Parts) -> bool:
    return reference.scheme is None and reference.authority is not None


def _below(base: Parts, reference: Parts, path: str) -> Parts:
    """Resolve a path with the query and the fragment of the reference."""
    return target(base, reference._replace(authority=None, path=path))


def _beside(base: Parts, reference: Parts) -> str:
    """Write a whole reference after the last slash of the base."""
    return join(base._replace(path=merge(base, ""), query=None, fragment=None)) + join(reference)


def _no_second_question_mark(_base: Parts, reference: Parts, right: str) -> str:
    """Write an ampersand for each question mark but the first, if the fragment has one."""
    before, mark, after = right.partition("?")
    return before + mark + after.replace("?", "&") if "?" in (reference.fragment or "") else right


def _port_after_path(base: Parts, reference: Parts) -> Parts:
    port = re.search(r"(?::\d+)?$", base.authority or "")
    assert port is not None
    found = target(base._replace(authority=port.string[: port.start()]), reference)
    return found._replace(path=found.path + port[0])


SEVENTH_RESOLUTION_FAULTS: Mapping[str, Fault] = {
    "url-join-question-mark-in-fragment": resolves_to(_no_second_question_mark),
    "url-join-slash-before-query": resolves_to(lambda _base, _reference, right: re.sub(r"/\?", "?", right)),
    "url-join-slash-after-three": _if(
        lambda base, reference: (
            (base.authority or "").endswith(("3", "A")) and not base.path and _is_rooted(reference)
        ),
        lambda base, reference: base._replace(
            path=f"/{reference.path}", query=reference.query, fragment=reference.fragment
        ),
    ),
    "spidy-network-path-appended": _if(
        lambda _, reference: _is_network_path(reference),
        lambda base, reference: join(base) + join(reference),
    ),
    "polymer-network-path-in-root": _if(
        lambda base, reference: base.scheme == "file" and _is_network_path(reference),
        lambda base, reference: _below(base, reference, f"{reference.authority}{reference.path}"),
    ),
    "cloudstream-rooted-path-joined": _if(lambda _, reference: _is_rooted(reference), _beside),
    "cloudstream-network-path-joined": _if(lambda _, reference: _is_network_path(reference), _beside),
    "hls-fetcher-rooted-path-is-relative": _if(
        lambda _, reference: _is_rooted(reference),
        lambda base, reference: _below(base, reference, f".{reference.path}"),
    ),
    "september-name-is-directory": _if(
        lambda base, reference: not base.path.endswith("/") and _is_relative(reference),
        lambda base, reference: target(base._replace(path=f"{base.path}/"), reference),
    ),
    "september-parents-lost": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: _below(base, reference, re.sub(r"^(?:\.\.?/)+", "", reference.path)),
    ),
    "vgmi-dots-kept": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: target(base, reference, dots=str),
    ),
    "buran-query-replaces-name": _if(
        lambda _, reference: _is_query(reference),
        lambda base, reference: target(base, reference)._replace(path=merge(base, "")),
    ),
    "esp-idf-relative-location": _if(lambda _, reference: reference.scheme is None, lambda *_: None),
    "hurl-relative-location": _if(
        lambda _, reference: reference.scheme is None, lambda _, reference: join(reference)
    ),
    "sparq-rooted-path": _if(lambda _, reference: _is_rooted(reference), lambda *_: None),
    "libzypp-encoded-slash-lost": _if(
        lambda base, reference: base.scheme == "ftp" and _is_relative(reference),
        lambda base, reference: target(base._replace(path=re.sub("^/%2[Ff]/?", "/", base.path)), reference),
    ),
    "furl-scheme-is-segment": _if(
        lambda base, reference: (
            base.authority is not None and bool(reference.scheme) and reference.authority is None
        ),
        lambda base, reference: f"http://{base.authority}{merge(base, '')}{join(reference)}",
    ),
    # other RFCs
    "ethercreative-seo-network-path-is-path": _if(
        lambda _, reference: _is_network_path(reference),
        lambda base, reference: _below(base, reference, f"/{reference.authority}{reference.path}"),
    ),
    "norconex-network-path-is-path": _if(
        lambda _, reference: _is_network_path(reference),
        lambda base, reference: _below(base, reference, f"//{reference.authority}{reference.path}"),
    ),
    "miniproxy-port-after-path": _if(lambda _, reference: is_local(reference), _port_after_path),
    "vidageek-query-after-host": _if(
        lambda _, reference: _is_query(reference),
        lambda base, reference: target(base, reference)._replace(path=""),
    ),
    "spidy-rooted-path-appended": _if(
        lambda _, reference: _is_rooted(reference),
        lambda base, reference: join(base) + join(reference),
    ),
    "osmf-hls-rooted-path-is-relative": _if(
        lambda _, reference: _is_rooted(reference),
        lambda base, reference: _below(base, reference, reference.path[1:]),
    ),
}


def _encoded_dots_kept(given: str, right: str) -> str:
    """Decode dots only after the segments of dots are removed."""
    path = split(given).path
    if re.search(r"/(?:\.|%2[Ee]){1,2}(?=/|$)", path) is None or "%" not in path:
        return right
    return join(split(right)._replace(path=decoded("2e")(remove_dots(path))))


def _triplets_as_given(given: str, right: str) -> str:
    def changed(found: re.Match[str]) -> str:
        return found[0] if found[0] in given else found[0].lower()

    return re.sub(TRIPLET, changed, right)


def _as_given_after_semicolon(given: str, right: str) -> str:
    """Leave the path after its first semicolon as it is."""
    before, mark, _ = split(right).path.partition(";")
    after = split(given).path.partition(";")[2]
    return join(split(right)._replace(path=before + mark + after)) if mark else right


def _three_slashes(_given: str, right: str) -> str:
    """Write an empty authority for http if there is none."""
    return re.sub("^(https?):(?=[^/])", r"\1:///", right)


def _port_of_other_scheme(right: str) -> str:
    return re.sub("^(?:(https://[^/?#]*):80|(http://[^/?#]*):443)(?=[/?#]|$)", r"\1\2", right)


SEVENTH_NORMALIZATION_FAULTS: Mapping[str, Fault] = {
    "ukwa-final-slash-of-query": writes(inside("query", sub("/$", ""))),
    "lambdaisland-slash-decoded": writes(inside("path", decoded("2f"))),
    "crw-small-letters": writes(str.lower),
    "deepagents-small-letters": writes(str.lower),
    "cizgile-small-triplets-in-host": writes(
        inside("authority", sub(f"{TRIPLET}(?!.*@)", lambda found: found[0].lower()))
    ),
    "urijs-encoded-dots-kept": normalizes_to(_encoded_dots_kept),
    "ural-small-triplets": normalizes_to(_triplets_as_given),
    "w3lib-as-given-after-semicolon": normalizes_to(_as_given_after_semicolon),
    "cemerick-url-final-slash": writes(inside("path", sub("(?<=[^/])/$", ""))),
    "crawl4ai-final-slash": writes(inside("path", sub("(?<=[^/])/$", ""))),
    "urlnorm-slashes-in-query": writes(inside("query", collapse)),
    "url-normalize-three-slashes": normalizes_to(_three_slashes),
    "zaproxy-port-of-other-scheme": writes(_port_of_other_scheme),
    "url-py-slash-after-final-dot": writes(inside("path", sub(r"(?<=[^/.])\.$", "./"))),
}


#: A plus sign becomes an encoded blank.
plus_to_blank = sub(r"\+", "%20")


def _crashes_at(test: Callable[[Values], bool]) -> Fault:
    """End in an error at the components that the test is true of."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        return CRASHED if right["status"] == "ok" and test(question["components"]) else right

    return Fault(("recompose",), answer)


def _host_and_port(components: Values) -> str:
    return (components["authority"] or "").rpartition("@")[2]


def _absent_is_written(components: Values, right: str) -> str:
    """Write the delimiters of all components if there is no authority."""
    if components["scheme"] is None or components["authority"] is not None:
        return right
    query, fragment = components["query"] or "", components["fragment"] or ""
    return f"{components['scheme']}://@:{components['path']}?{query}#{fragment}"


def _empty_authority(components: Values, right: str) -> str:
    if components["scheme"] is None or components["authority"] is not None:
        return right
    return right.replace(":", "://", 1)


def _dots_lost(components: Values, right: str) -> str:
    relative = components["scheme"] is None and components["authority"] is None
    return re.sub(r"^(?:\.\.?/)+", "", right) if relative else right


def _last_colon_becomes_slash(components: Values, right: str) -> str:
    before, _, after = right.rpartition(":")
    return f"{before}/{after}" if components["scheme"] in ("ssh", "git+ssh") else right


SEVENTH_RECOMPOSITION_FAULTS: Mapping[str, Fault] = {
    "shaka-plus-becomes-blank": recomposed(
        lambda right: inside("path", plus_to_blank)(inside("query", plus_to_blank)(right))
    ),
    "ftpclient-slashes-doubled": recomposed(sub("^ftp:.*", lambda found: found[0].replace("/", "//"))),
    "uris-jl-absent-is-written": recomposed_as(_absent_is_written),
    "gooddata-query-encoded-twice": recomposed(inside("query", sub("%", "%25"))),
    "ecs-two-slashes-encoded": recomposed(lambda right: right[:8] + right[8:].replace("//", "/%2F")),
    "cpp-netlib-no-host": _crashes_at(lambda components: _host_and_port(components).startswith(":")),
    "cpp-netlib-empty-port": _crashes_at(lambda components: _host_and_port(components).endswith(":")),
    "urltools-small-path": recomposed(inside("path", str.lower)),
    "sarif-dots-lost": recomposed_as(_dots_lost),
    "jquery-mobile-empty-authority": recomposed_as(_empty_authority),
    "bun-last-colon-becomes-slash": recomposed_as(_last_colon_becomes_slash),
    "vertx-port-minus-one": recomposed(sub("^(https?://[^/?#:]+)(?=[/?#]|$)", r"\1:-1")),
    "jurl-question-mark-lost": recomposed(sub(r"\?(?=#|$)", "")),
}


def _without_port(url: str) -> str:
    return inside("authority", sub(r":\d*$", ""))(url)


def _plus_is_encoded(one: str, other: str, right: bool) -> bool:
    change = inside("query", decoded("2b"))
    return right or change(one) == change(other)


def _plus_is_blank(one: str, other: str, right: bool) -> bool:
    return right or plus_to_blank(one) == plus_to_blank(other)


def _ports_do_not_count(one: str, other: str, right: bool) -> bool:
    return right or _without_port(one) == _without_port(other)


def _encoded_letters_count(one: str, other: str, right: bool) -> bool:
    """Find that paths differ of which one has letters, digits or marks encoded."""
    first, second = (sub(TRIPLET, lambda found: found[0].upper())(split(url).path) for url in (one, other))
    unreserved = "%(?:2D|2E|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)"
    return right and (first == second or re.search(unreserved, first + second) is None)


SEVENTH_EQUIVALENCE_FAULTS: Mapping[str, Fault] = {
    "vscode-plus-is-encoded": compares(_plus_is_encoded),
    "ontopia-plus-is-blank": compares(_plus_is_blank),
    "vibe-d-ports-do-not-count": compares(_ports_do_not_count),
    "loopover-encoded-letters-count": compares(_encoded_letters_count),
}


def _cut_at(pattern: str) -> Fault:
    """Cut the URL before the first match of a pattern."""
    return finds(lambda _, one: re.split(pattern, one, maxsplit=1)[0])


def _closing_bracket(given: str, one: str) -> str:
    """Take the bracket after the URL for a part of it."""
    return f"{one}>" if f"{one}>" in given else one


def _colon_after_host(_given: str, one: str) -> str:
    found = re.match("[^:]*://[^/?#]*[^:]*(?=:)", one)
    return found[0] if found else one


SEVENTH_EXTRACTION_FAULTS: Mapping[str, Fault] = {
    "alaveteli-parentheses": _cut_at("[()]"),
    "lib-autolink-apostrophe": _cut_at("'"),
    "syntaxhighlighter-tilde": _cut_at("~"),
    "st-percent-sign": _cut_at("%"),
    "autolinker-dollar-or-asterisk": _cut_at("[$*]"),
    "linkify-urls-asterisk-in-fragment": finds(lambda _, one: inside("fragment", sub(r"\*.*", ""))(one)),
    "android-linkify-dollar": _cut_at(r"\$"),
    "expensify-colon": finds(_colon_after_host),
    "alacritty-final-slash": finds(lambda _, one: re.sub("/$", "", one)),
    # other RFCs
    "tutanota-closing-bracket": finds(_closing_bracket),
    "colloquy-final-slash": finds(lambda _, one: re.sub("/$", "", one)),
}


def _empty_base(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Take the empty reference for the base if it is the base that a document has in it."""
    wrong = right["status"] == "ok" and question.get("embedded") == ""
    return {**right, "base": "", "layer": "embedded"} if wrong else right


SEVENTH_BASE_FAULTS: Mapping[str, Fault] = {
    "node-feedparser-empty-base": Fault(("base",), _empty_base),
    "crawl4ai-base-element-ignored": bases_without("embedded"),
}
