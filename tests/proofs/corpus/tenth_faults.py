"""Faults of the tenth list in resolving, normalizing, recomposing, comparing, extracting, decoding."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, unquote_plus

from .library_faults import (
    TRIPLET,
    Change,
    Fault,
    Parts,
    Values,
    compares,
    decoded,
    decodes,
    dots_kept,
    finds,
    inside,
    is_local,
    join,
    merge,
    merged_at_root,
    normalizes,
    recomposed,
    remove_dots,
    resolves,
    split,
    sub,
    target,
    writes,
)

Resolver = Callable[[Parts, Parts], Parts | str | None]

# Resolution.


def rootless(reference: Parts) -> bool:
    """Tell if the reference is a relative path that does not begin with a slash."""
    return is_local(reference) and reference.path != "" and not reference.path.startswith("/")


def when(test: Callable[[Parts, Parts], bool], wrong: Resolver) -> Fault:
    """Return a fault that resolves in another way if the test is true of base and reference."""
    return resolves(lambda base, ref: wrong(base, ref) if test(base, ref) else target(base, ref))


def if_rootless(wrong: Resolver) -> Fault:
    """Return a fault of references that are relative paths without a slash at the begin."""
    return when(lambda _, ref: rootless(ref), wrong)


def if_absolute_path(wrong: Resolver) -> Fault:
    """Return a fault of references that are paths with a slash at the begin."""
    return when(lambda _, ref: is_local(ref) and ref.path.startswith("/"), wrong)


def fails(_base: Parts, _reference: Parts) -> None:
    """Return nothing, which ends in an error."""


def unchanged(_base: Parts, reference: Parts) -> str:
    """Return the reference itself."""
    return join(reference)


def empty_query_only(_base: Parts, reference: Parts) -> bool:
    """Tell if the reference is an empty query, perhaps with a fragment."""
    return is_local(reference) and not reference.path and reference.query == ""


def query_of_base_kept(base: Parts, reference: Parts) -> Parts:
    """Return the target with the query of the base instead of an empty one."""
    return target(base, reference._replace(query=None))


def first_segment_kept(base: Parts, reference: Parts) -> Parts:
    """Return a target in which no dot-segment removes the first segment of the base."""
    head, _, rest = base.path.partition("/")
    path = remove_dots(f"/{rest[: rest.rfind('/') + 1]}{reference.path}")
    return Parts(base.scheme, base.authority, head + path, reference.query, reference.fragment)


def slash_before_path(base: Parts, reference: Parts) -> Parts:
    """Return the target with a slash before its path."""
    found = target(base, reference)
    return found._replace(path="/" + found.path.lstrip("/"))


def from_root_with_dots(base: Parts, reference: Parts) -> Parts:
    """Return the path of the reference below the root, with its dot-segments."""
    return Parts(base.scheme, base.authority, f"/{reference.path}", reference.query, reference.fragment)


def late_colon(_base: Parts, reference: Parts) -> bool:
    """Tell if the reference without a scheme has a colon behind a slash, question mark or number sign."""
    return reference.scheme is None and re.search("[/?#].*:", join(reference)) is not None


def glued(base: Parts, reference: Parts) -> Parts:
    """Return the path of the reference right behind the authority."""
    return Parts(base.scheme, base.authority, reference.path, reference.query, reference.fragment)


def appended(base: Parts, reference: Parts) -> Parts:
    """Return the path of the reference behind the whole path of the base."""
    path = base.path.rstrip("/") + reference.path
    return Parts(base.scheme, base.authority, path, reference.query, reference.fragment)


def base_as_folder(base: Parts, reference: Parts) -> Parts:
    """Return the target for a base with a slash at the end."""
    path = base.path if base.path.endswith("/") or not base.path else f"{base.path}/"
    return target(base._replace(path=path), reference)


def one_folder_too_many(base: Parts, reference: Parts) -> Parts:
    """Return the target of a reference whose second segment also goes up from the base."""
    found = re.fullmatch(r"\./[^/]+/\.\./(.*)", reference.path)
    return target(base, reference._replace(path=f"../{found[1]}") if found else reference)


def query_of_base(base: Parts, reference: Parts) -> Parts:
    """Return the target with the query of the base instead of its own."""
    return target(base, reference)._replace(query=base.query)


def query_decoded(base: Parts, reference: Parts) -> Parts:
    """Return the target with the reserved characters of the query of the reference decoded."""
    found = target(base, reference)
    if reference.query is None:
        return found
    return found._replace(query=decoded("21|24|26|27|28|29|2a|2b|2c|2f|3a|3b|3d")(reference.query))


def port_lost(base: Parts, reference: Parts) -> Parts:
    """Return the target without the port of the base."""
    authority = None if base.authority is None else re.sub(r":[0-9]*$", "", base.authority)
    return target(base._replace(authority=authority), reference)


def fragment_only(_base: Parts, reference: Parts) -> bool:
    """Tell if the reference is only a fragment."""
    bare = is_local(reference) and not reference.path and reference.query is None
    return bare and reference.fragment is not None


def fragment_as_path(base: Parts, reference: Parts) -> Parts:
    """Return the fragment behind the folder of the base."""
    path = remove_dots(merge(base, ""))
    return base._replace(path=path, query=None, fragment=reference.fragment)


RESOLUTION: dict[str, Fault] = {
    "go-net-url-empty-query-ignored": when(empty_query_only, query_of_base_kept),
    "dartium-package-first-segment-kept": when(
        lambda base, ref: rootless(ref) and base.scheme == "package" and not base.path.startswith("/"),
        first_segment_kept,
    ),
    "jsonld-js-urn-base-gets-slash": when(
        lambda base, ref: rootless(ref) and base.authority is None and not base.path.startswith("/"),
        slash_before_path,
    ),
    "micronaut-relative-redirect-from-root": if_rootless(from_root_with_dots),
    "marko-run-relative-link-from-root": if_rootless(merged_at_root),
    "tyrus-relative-redirect-fails": when(lambda _, ref: ref.scheme is None, fails),
    "river-web-network-path-fails": when(
        lambda _, ref: ref.scheme is None and ref.authority is not None, fails
    ),
    "corelibs-foundation-rootless-redirect-crashes": if_rootless(fails),
    "dash-js-relative-base-unresolved": when(lambda _, ref: is_local(ref) and ref.path != "", unchanged),
    "rdf4j-late-colon-makes-absolute": when(late_colon, unchanged),
    "jsonld-java-empty-base-path-glued": when(
        lambda base, ref: rootless(ref) and base.authority is not None and not base.path, glued
    ),
    "rx-player-absolute-path-appended": if_absolute_path(appended),
    "crawl4ai-absolute-path-appended": if_absolute_path(appended),
    "glamour-absolute-path-appended": if_absolute_path(appended),
    "norconex-crawler-dots-kept": resolves(dots_kept),
    "gofeed-base-file-as-folder": resolves(base_as_folder),
    "swagger-parser-inner-double-dot": if_rootless(one_folder_too_many),
    "exploding-fish-query-of-base": if_rootless(query_of_base),
    "shaka-player-query-decoded": resolves(query_decoded),
    "axios-redirect-port-lost": when(lambda _, ref: is_local(ref), port_lost),
    "wpull-fragment-as-path": when(fragment_only, fragment_as_path),
}

# Normalization.

#: Decode what a segment may contain besides unreserved characters.
sub_delimiters_decoded = decoded("21|24|26|27|28|29|2a|2b|2c|3a|3b|3d|40")

percent_encoded = sub("%", "%25")

NORMALIZATION: dict[str, Fault] = {
    "pekko-http-path-delimiters-decoded": normalizes(inside("path", sub_delimiters_decoded)),
    "vapor-path-decoded": normalizes(
        inside("path", lambda path: decoded("2f")(sub_delimiters_decoded(path)))
    ),
    "nutch-protocol-normalizer-port-lost": writes(inside("authority", sub(r":[0-9]+$", ""))),
    "aws4-encoded-plus-becomes-space": normalizes(inside("path", sub("%2[Bb]", "%20"))),
    "requests-leading-slashes-collapsed": writes(inside("path", sub("^//+", "/"))),
    "pact-jvm-plus-in-path-becomes-space": writes(inside("path", sub(r"\+", "%20"))),
    "pathetic-trailing-slash-removed": writes(inside("path", sub("(?<=.)/$", ""))),
    "iina-encoded-space-encoded-again": writes(sub("%20", "%2520")),
    "auto-route-path-encoded-again": writes(inside("path", percent_encoded)),
    "retryablehttp-go-path-encoded-again": writes(inside("path", percent_encoded)),
}

# Recomposition.


def dot_before_colon(url: str) -> str:
    """Return a relative reference with `./` in front if there is a colon in any segment."""
    parts = split(url)
    late = parts.path.startswith("/") or ":" not in parts.path.partition("/")[0]
    if parts.scheme is None and parts.authority is None and ":" in parts.path and late:
        return f"./{url}"
    return url


def default_port_added(url: str) -> str:
    """Return a web URL with the default port of its scheme if it has no port."""
    parts = split(url)
    port = {"http": "80", "https": "443"}.get(parts.scheme or "")
    if port is None or parts.authority is None or re.search(":[0-9]*$", parts.authority):
        return url
    return join(parts._replace(authority=f"{parts.authority}:{port}"))


def root_path_lost(url: str) -> str:
    """Return the text without a path that is only a slash behind an authority."""
    parts = split(url)
    return join(parts._replace(path="")) if parts.authority is not None and parts.path == "/" else url


brackets_lost = inside("authority", sub(r"\[([0-9A-Fa-f:.]+)\]", r"\1"))

RECOMPOSITION: dict[str, Fault] = {
    "http4s-colon-gets-dot-segment": recomposed(dot_before_colon),
    "http4s-root-path-lost": recomposed(root_path_lost),
    "zio-http-path-encoded-again": recomposed(inside("path", percent_encoded)),
    "react-router-space-becomes-plus": recomposed(inside("path", sub("%20", "+"))),
    "ttt-relative-file-path-becomes-authority": recomposed(sub("^file:(?![/?#]|$)", "file://")),
    "nsurlcomponents-semicolon-encoded": recomposed(inside("path", sub(";", "%3B"))),
    "snowplow-android-port-colon-encoded": recomposed(inside("authority", sub(":", "%3A"))),
    "ktor-builder-port-lost": recomposed(inside("authority", sub(":[0-9]*$", ""))),
    "ktor-builder-default-port-added": recomposed(default_port_added),
    "akka-http-empty-fragment-lost": recomposed(sub("#$", "")),
    "yarl-ipv6-brackets-lost": recomposed(brackets_lost),
    "httpx2-ipv6-brackets-lost": recomposed(brackets_lost),
    "uri-js-userinfo-without-name-lost": recomposed(inside("authority", sub("^:[^@]*@", ""))),
}

# Comparison.


def has_port(url: str) -> bool:
    """Tell if there is a port in the authority."""
    return re.search(":[0-9]+$", split(url).authority or "") is not None


def ports_differ(one: str, other: str, equal: bool) -> bool:
    """Tell if the URLs are equal for a library that does not know default ports."""
    return equal and has_port(one) == has_port(other)


def empty_paths_differ(one: str, other: str, equal: bool) -> bool:
    """Tell if the URLs are equal for a library that does not know that an empty path is a slash."""
    return equal and {split(one).path, split(other).path} != {"", "/"}


def same_after(change: Change) -> Callable[[str, str, bool], bool]:
    """Return a function that also finds URLs equal that are the same after a change."""
    return lambda one, other, equal: equal or change(one) == change(other)


COMPARISON: dict[str, Fault] = {
    "zombie-default-port-differs": compares(ports_differ, "scheme"),
    "requestly-empty-path-differs": compares(empty_paths_differ, "scheme"),
    "chaosbringer-empty-path-differs": compares(empty_paths_differ, "scheme"),
    "crawler-commons-encoded-delimiters-equal": compares(same_after(inside("path", unquote))),
    "robotparser-encoded-question-mark-equal": compares(same_after(decoded("3f|3d|26"))),
    "robotparser-trailing-question-mark-ignored": compares(same_after(sub(r"\?$", ""))),
}

# Extraction.


def bracketed(given: str, one: str) -> bool:
    """Tell if the URL stands between angle brackets."""
    return f"<{one}>" in given


def quoted(given: str, one: str) -> bool:
    """Tell if the URL stands between double quotes."""
    return f'"{one}"' in given


def cut_at(pattern: str) -> Fault:
    """Return a fault that ends URLs before what the pattern matches."""
    compiled = re.compile(pattern, re.DOTALL)
    return finds(lambda _, one: compiled.split(one)[0])


EXTRACTION: dict[str, Fault] = {
    "linkifyjs-angle-bracket-included": finds(lambda given, one: f"{one}>" if bracketed(given, one) else one),
    "marktext-angle-brackets-unknown": finds(lambda given, one: None if bracketed(given, one) else one),
    "url-regex-quoted-url-missed": finds(lambda given, one: None if quoted(given, one) else one),
    "url-regex-quotes-included": finds(lambda given, one: f'"{one}"' if quoted(given, one) else one),
    "maranomynet-linkify-ends-at-comma": cut_at(","),
    "my-name-is-url-ends-at-comma-in-query": finds(lambda _, one: sub(r"(\?[^,#]*),.*", r"\1")(one)),
    "simplecrawler-ends-at-apostrophe": cut_at("'"),
    "twitch-chat-monitor-ends-at-tilde": cut_at("~"),
}

# Decoding.


def raw_segments(url: str) -> list[str]:
    """Return the segments of the path of a URL as they are written."""
    found = re.match(r"[^:]*://[^/]*/?([^?#]*)", url)
    return found[1].split("/") if found else []


def replaced(segments: Any, raw: list[str], change: Callable[[str], str | None]) -> list[Any] | None:
    """Return the segments with other values where the change of what is written gives one."""
    if not isinstance(segments, list) or len(segments) != len(raw):
        return None
    changed = [change(one) for one in raw]
    return [old if new is None else new for old, new in zip(segments, changed, strict=True)]


def segmentwise(change: Callable[[str], str | None]) -> Fault:
    """Return a fault that gives other values to segments of an http URL."""

    def changed(values: Values, url: str) -> Values:
        found = replaced(values.get("segments"), raw_segments(url), change)
        return {} if found is None else {"segments": found}

    return decodes("http", changed)


def plus_as_space(raw: str) -> str | None:
    """Return the segment decoded with its plus signs as spaces."""
    return unquote_plus(raw) if "+" in raw else None


def plus_as_space_afterwards(raw: str) -> str | None:
    """Return the segment decoded, and decoded again with plus signs as spaces."""
    again = unquote_plus(unquote(raw))
    return again if again != unquote(raw) else None


def cut_at_semicolon(raw: str) -> str | None:
    """Return the segment before an encoded semicolon."""
    return unquote(re.split("%3[Bb]", raw)[0]) if re.search("%3[Bb]", raw) else None


def as_written(raw: str) -> str | None:
    """Return the segment with its percent-encoded characters."""
    return raw if "%" in raw else None


def decoded_twice(values: Values, _url: str) -> Values | None:
    """Return the segments decoded again, or nothing if a percent sign is left that is no triplet."""
    segments = values.get("segments")
    if not isinstance(segments, list) or not all(isinstance(one, str) for one in segments):
        return {}
    if any(re.search(f"%(?!{TRIPLET[1:]})", one) for one in segments):
        return None
    return {"segments": [unquote(one) for one in segments]} if "%" in "".join(segments) else {}


def split_after_decoding(_values: Values, url: str) -> Values:
    """Return the segments of the decoded path."""
    raw = "/".join(raw_segments(url))
    return {"segments": unquote(raw).split("/")} if re.search("%2[Ff]", raw) else {}


def file_name_as_form(values: Values, url: str) -> Values:
    """Return the names of a file URL decoded with plus signs as spaces."""
    directories, raw = values.get("directories"), raw_segments(url)
    found = replaced(
        [*directories, values["name"]] if isinstance(directories, list) else None, raw, plus_as_space
    )
    return {} if found is None else {"directories": found[:-1], "name": found[-1]}


def folders_lost(values: Values, _url: str) -> Values:
    """Return no folders of an FTP URL."""
    return {"cwd": []} if values.get("cwd") else {}


def undecoded_file(_values: Values, url: str) -> Values:
    """Return the names of a file URL as they are written."""
    *directories, name = raw_segments(url) or [""]
    return {"directories": directories, "name": name} if "%" in url else {}


DECODING: dict[str, Fault] = {
    "nanohttpd-plus-in-path-as-space": segmentwise(plus_as_space),
    "opengrok-path-decoded-again-as-form": segmentwise(plus_as_space_afterwards),
    "scalatra-encoded-semicolon-cuts-segment": segmentwise(cut_at_semicolon),
    "play-path-parameter-undecoded": segmentwise(as_written),
    "jersey-path-decoded-before-split": decodes("http", split_after_decoding),
    "divine-mobile-path-decoded-twice": decodes("http", decoded_twice),
    "jackson-core-file-url-undecoded": decodes("file", undecoded_file),
    "jpype-plus-in-file-url-as-space": decodes("file", file_name_as_form),
    "pyfilesystem-ftp-folders-lost": decodes("ftp", folders_lost),
}

#: The fault of every bug.
TENTH_FAULTS: dict[str, Fault] = {
    **RESOLUTION,
    **NORMALIZATION,
    **RECOMPOSITION,
    **COMPARISON,
    **EXTRACTION,
    **DECODING,
}
