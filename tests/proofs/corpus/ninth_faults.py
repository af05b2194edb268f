"""Faults of the ninth list."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

from .library_faults import (
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
    crashes,
    decoded,
    decodes,
    encoded,
    finds,
    has,
    inside,
    join,
    merge,
    normalizes,
    normalizes_to,
    recomposed_as,
    rejects,
    rejects_parts,
    remove_dots,
    resolves,
    resolves_to,
    shows,
    split,
    sub,
    target,
    text,
    tolerates,
    writes,
)

UNRESERVED = "%(?i:2[DE]|3[0-9]|4[1-9A-F]|5[0-9A]|5F|6[1-9A-F]|7[0-9A]|7E)"


# Small helpers.


def part(values: Values, name: str) -> str:
    """Return a component as text, empty if it is absent."""
    return str(values.get(name) or "")


def is_ipv6(values: Values) -> bool:
    """Tell if the host is a literal in brackets."""
    return part(values, "host").startswith("[")


def decode_unreserved(given: str) -> str:
    """Decode the triplets of unreserved characters."""
    return re.sub(UNRESERVED, lambda found: chr(int(found[0][1:], 16)), given)


def hostport(authority: str) -> str:
    """Return an authority without its userinfo."""
    return authority.rpartition("@")[2]


def userinfo(authority: str) -> str | None:
    """Return the userinfo of an authority."""
    before, sign, _ = authority.rpartition("@")
    return before if sign else None


def ends_in_dots(path: str) -> bool:
    """Tell if the last segment of a path is a dot-segment."""
    return path.rpartition("/")[2] in (".", "..")


def keeps_encoded(octets: str, where: Callable[[str], bool] = lambda _: True) -> Fault:
    """Normalize all but these octets, given as a pattern of two hexadecimal digits."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        given = text(question["url"])
        if right["status"] != "ok" or not where(given):
            return right
        hidden = re.sub(f"%(?=(?i:{octets}))", "%25", given)
        if hidden == given:
            return right
        found = ask({**question, "url": hidden})
        if found["status"] != "ok":
            return right
        shown = re.sub(f"%25(?=(?i:{octets}))", "%", str(found["url"]))
        return {"status": "ok", "url": shown}

    return Fault(("normalize",), answer)


# Faults of reading: valid URLs that are refused.


def password_like_port(given: str) -> bool:
    """Tell if the password is a number."""
    return re.match(r"[A-Za-z][^:/?#]*://[^@/?#:]*:\d+@", given) is not None


def triplet_in_userinfo(values: Values) -> bool:
    """Tell if the userinfo has a triplet."""
    return "%" in part(values, "userinfo")


def ipvfuture(values: Values) -> bool:
    """Tell if the host is an address of a future version."""
    return part(values, "host")[:2].lower() == "[v"


def three_hyphens_in_host(values: Values) -> bool:
    """Tell if a label of the host has three hyphens in a row."""
    return "---" in part(values, "host")


def empty_port(values: Values) -> bool:
    """Tell if the port is present and empty."""
    return values.get("port") == ""


def punctuation_in_scheme(values: Values) -> bool:
    """Tell if the scheme has a plus, a hyphen or a dot."""
    return any(sign in part(values, "scheme") for sign in "+-.")


def escapes_of_two_kinds(given: str) -> bool:
    """Tell if a letter or digit is encoded, and a quote, angle or other unwise character, too."""
    unwise = "%(?i:20|22|3C|3E|60|5E|7[BCD])"
    return re.search(UNRESERVED, given) is not None and re.search(unwise, given) is not None


def ipv4_in_ipv6(values: Values) -> bool:
    """Tell if an IPv6 address ends with an IPv4 address."""
    return is_ipv6(values) and "." in part(values, "host") and not ipvfuture(values)


def upper_case_ipv6(values: Values) -> bool:
    """Tell if an IPv6 address has a letter in upper case."""
    return is_ipv6(values) and re.search("[A-F]", part(values, "host")) is not None


def path_only(given: str) -> bool:
    """Tell if the text begins with a path, not with a scheme or an authority."""
    return re.match(r"([A-Za-z][A-Za-z0-9+.-]*:|//)", given) is None and given[:1] not in ("", "?", "#")


# Faults of reading: wrong components.


def ipv6_cut_at_colon(values: Values) -> Values | None:
    """Take the first colon in an address for that before the port."""
    if not is_ipv6(values):
        return None
    rest = part(values, "authority").rpartition("@")[2] + part(values, "path")
    host, _, after = rest.partition(":")
    found = re.match(r"\d*", after)
    port = found[0] if found else ""
    return {"host": host, "port": port, "path": after[len(port) :]}


def host_with_port(values: Values) -> Values | None:
    """Keep the port in the host."""
    return {"host": f"{values['host']}:{values['port']}"} if values.get("port") else None


def no_port_after_ipv6(values: Values) -> Values | None:
    """Lose the port after an address in brackets."""
    return {"port": None} if is_ipv6(values) and values.get("port") else None


def root_as_empty(values: Values) -> Values | None:
    """Take the path of one slash for an empty path."""
    return {"path": ""} if values.get("authority") and values.get("path") == "/" else None


def slash_of_query_begins_path(values: Values) -> Values | None:
    """Let a slash in the query begin the path if the path is empty."""
    query = part(values, "query")
    if not values.get("authority") or values.get("path") or "/" not in query:
        return None
    before, _, after = query.partition("/")
    return {
        "authority": f"{values['authority']}?{before}",
        "host": f"{values['host']}?{before}",
        "path": f"/{after}",
        "query": None,
    }


def scheme_as_host(values: Values) -> Values | None:
    """Take any scheme but http and https for the host."""
    scheme = part(values, "scheme")
    if not scheme or scheme.lower() in ("http", "https") or values.get("authority") is None:
        return None
    path = f"//{values['authority']}{values['path']}"
    return {
        "scheme": "http",
        "authority": f"{scheme}:",
        "userinfo": None,
        "host": scheme,
        "port": "",
        "path": path,
    }


def zero_as_empty(values: Values) -> Values | None:
    """Take the value 0 for an empty one."""
    lost: dict[str, Any] = {
        name: None for name in ("userinfo", "query", "fragment") if values.get(name) == "0"
    }
    return lost or None


def no_host_after_userinfo(values: Values) -> Values | None:
    """Lose an empty host after a userinfo."""
    return {"host": None} if values.get("host") == "" and values.get("userinfo") is not None else None


# Faults of reading: invalid URLs that are accepted.


def colon_in_later_segment(values: Values) -> bool:
    """Tell if a relative path has a colon after its first segment."""
    path = part(values, "path")
    relative = values.get("scheme") is None and values.get("authority") is None and not path.startswith("/")
    return relative and ":" in path.partition("/")[2]


# Faults of normalization.


def nfkc(found: re.Match[str]) -> str:
    """Apply the Unicode normalization KC to encoded characters."""
    try:
        characters = unquote_to_bytes(found[0]).decode()
    except UnicodeDecodeError:
        return found[0]
    octets = unicodedata.normalize("NFKC", characters).encode()
    return "".join(chr(octet) if octet < 128 else f"%{octet:02X}" for octet in octets)


def same_fragment(given: str, right: str) -> str:
    """Leave the fragment as it is."""
    return join(split(right)._replace(fragment=split(given).fragment))


def same_userinfo(given: str, right: str) -> str:
    """Leave the userinfo as it is."""
    before, after = split(given), split(right)
    if before.authority is None or after.authority is None or userinfo(before.authority) is None:
        return right
    return join(after._replace(authority=f"{userinfo(before.authority)}@{hostport(after.authority)}"))


def same_host_case(given: str, right: str) -> str:
    """Leave the case of the host as it is."""
    before, after = split(given).authority, split(right).authority
    if before is None or after is None:
        return right
    host = re.sub(r":\d*$", "", hostport(before))
    found = re.fullmatch(f"((?:.*@)?){re.escape(host.lower())}((?::.*)?)", after, re.DOTALL)
    return right if found is None else join(split(right)._replace(authority=found[1] + host + found[2]))


def dots_before_decoding(given: str, right: str) -> str:
    """Remove dot-segments first, then decode triplets."""
    parts = split(given)
    if parts.scheme is None and parts.authority is None:
        return right
    return join(split(right)._replace(path=decode_path(remove_dots(parts.path))))


def decode_path(path: str) -> str:
    """Decode unreserved characters and write other triplets in upper case."""
    return re.sub(TRIPLET, lambda found: found[0].upper(), decode_unreserved(path))


def is_relative_path(given: str) -> bool:
    """Tell if the text is a reference with a relative path."""
    parts = split(given)
    return parts.scheme is None and parts.authority is None and not parts.path.startswith("/")


def dot_before_colon(given: str, right: str) -> str:
    """Remove the dot-segment before a segment with a colon."""
    return given[2:] if re.match(r"\./[A-Za-z][A-Za-z0-9+.-]*:", given) else right


def dots_join_segments(given: str, right: str) -> str:
    """Join the segments before and after a relative dot-segment."""
    return re.sub(r"/[^/]+/\.\./", "", given) if is_relative_path(given) else right


def keep_excess(path: str) -> str:
    """Remove dot-segments, but keep those above the root."""
    stack: list[str] = []
    segments = path.split("/")
    for segment in segments[1:]:
        if segment == ".." and stack and stack[-1] != "..":
            stack.pop()
        elif segment != ".":
            stack.append(segment)
    tail = "/" if segments[-1] in (".", "..") and stack and stack[-1] != ".." else ""
    return "/" + "/".join(stack) + tail


def ftp_dots(given: str, right: str) -> str:
    """Keep dot-segments at the beginning of the path of an ftp URL."""
    parts = split(given)
    if (parts.scheme or "").lower() != "ftp" or not parts.path.startswith("/../"):
        return right
    return join(split(right)._replace(path=keep_excess(parts.path)))


def not_http(given: str) -> bool:
    """Tell if the scheme is neither http nor https."""
    return (split(given).scheme or "").lower() not in ("http", "https", "")


# Faults of recomposition.


def network_path(components: Values, right: str) -> str:
    """Leave out the slashes before an authority without a scheme."""
    return right[2:] if components.get("scheme") is None and components.get("authority") else right


def rootless_file(components: Values, right: str) -> str:
    """Write slashes between the scheme file and a path without a root."""
    if components.get("scheme") != "file" or components.get("authority") is not None:
        return right
    path = part(components, "path")
    return right if not path or path.startswith("/") else right.replace("file:", "file://", 1)


def ipv6_encoded(components: Values, right: str) -> str:
    """Encode an address instead of writing it in brackets."""
    found = re.search(r"\[([0-9A-Fa-f:.]+)\]", part(components, "authority"))
    return right if found is None else right.replace(found[0], found[1].replace(":", "%3A"), 1)


def delimiters_of_absent(components: Values, right: str) -> str:
    """Write the delimiters of an absent query and an absent fragment."""
    if components.get("query") is None and components.get("fragment") is None:
        return f"{right}?#"
    return right


def no_empty_authority(components: Values, right: str) -> str:
    """Leave out the slashes of an empty authority."""
    if components.get("authority") == "" and not part(components, "path").startswith("//"):
        return right.replace("//", "", 1)
    return right


def zero_without_hash(components: Values, right: str) -> str:
    """Leave out the delimiter of a fragment that is 0."""
    return f"{right[:-2]}0" if components.get("fragment") == "0" else right


def slash_before_root(components: Values, right: str) -> str:
    """Write a slash between an authority and a path that begins with a slash."""
    authority = part(components, "authority")
    if not authority or not part(components, "path").startswith("/"):
        return right
    return right.replace(f"//{authority}/", f"//{authority}//", 1)


def no_empty_parts(components: Values, right: str) -> str:
    """Leave out the delimiters of an empty query and an empty fragment."""
    kept = right[:-1] if components.get("fragment") == "" else right
    return re.sub(r"\?(?=#|$)", "", kept) if components.get("query") == "" else kept


# Faults of resolution.


def plain_path(reference: Parts) -> bool:
    """Tell if the reference has a path and neither scheme nor authority."""
    return reference.scheme is None and reference.authority is None and reference.path != ""


def no_root_slash(path: str) -> str:
    """Remove dot-segments, and the root if the last one leads there."""
    out = remove_dots(path)
    return "" if ends_in_dots(path) and out == "/" else out


def merge_without_slash(base: Parts, path: str) -> str:
    """Merge with the empty path of an authority without a slash."""
    return path if base.authority is not None and not base.path else merge(base, path)


def merge_keeping_first(base: Parts, path: str) -> str:
    """Keep the first character of a base path without a slash."""
    if base.authority is None and base.path and "/" not in base.path:
        return base.path[0] + path
    return merge(base, path)


def merge_empty_marker(base: Parts, path: str) -> str:
    """Write a plus after an empty base path."""
    return f"/+/{path}" if base.authority is not None and not base.path else merge(base, path)


def lost_userinfo(base: Parts, reference: Parts) -> Parts:
    """Lose the userinfo of the base."""
    found = target(base, reference)
    if reference.scheme is not None or reference.authority is not None or found.authority is None:
        return found
    return found._replace(authority=hostport(found.authority))


def slash_resolved_to_nothing(base: Parts, reference: Parts) -> Parts:
    """Lose the path if the reference is a slash."""
    found = target(base, reference)
    return found._replace(path="") if plain_path(reference) and reference.path == "/" else found


def dots_kept_of_absolute(base: Parts, reference: Parts) -> Parts:
    """Keep the dot-segments of a reference with a scheme or an authority."""
    absolute = reference.scheme is not None or reference.authority is not None
    return target(base, reference, dots=str) if absolute else target(base, reference)


def number_after_colon(base: Parts, reference: Parts) -> Parts:
    """Leave a reference alone whose path ends in a colon and digits."""
    unread = plain_path(reference) and re.search(r":\d{1,5}$", reference.path) and reference.query is None
    return reference if unread else target(base, reference)


def query_appended(base: Parts, reference: Parts) -> Parts:
    """Append a query to that of the base."""
    found = target(base, reference)
    alone = reference.scheme is None and reference.authority is None and not reference.path
    if not alone or reference.query is None or base.query is None:
        return found
    return found._replace(query=f"{base.query}?{reference.query}")


def slash_in_base_query(base: Parts, reference: Parts) -> Parts | str:
    """Cut the base at a slash in its query."""
    if not plain_path(reference) or reference.path.startswith("/") or "/" not in (base.query or ""):
        return target(base, reference)
    whole = join(base._replace(fragment=None))
    return whole[: whole.rfind("/") + 1] + join(reference)


def fragment_of_base(base: Parts, reference: Parts) -> Parts:
    """Keep the fragment of the base if the reference is empty."""
    return base if reference == Parts(None, None, "", None, None) else target(base, reference)


def query_of_base(base: Parts, reference: Parts) -> Parts:
    """Keep the query of the base if the reference has none."""
    found = target(base, reference)
    return found._replace(query=base.query) if reference.query is None else found


def hash_escaped(_base: Parts, _reference: Parts, right: str) -> str:
    """Encode the delimiter of the fragment."""
    return right.replace("#", "%23", 1)


def brackets_lost(base: Parts, reference: Parts) -> Parts:
    """Lose the brackets in the authority of the reference."""
    found = target(base, reference)
    if not reference.authority:
        return found
    return found._replace(authority=re.sub(r"\[([0-9A-Fa-f:.]*)\]", r"\1", reference.authority))


def future_brackets_lost(base: Parts, reference: Parts) -> Parts:
    """Lose the brackets of an address of a future version that comes from the base."""
    found = target(base, reference)
    if reference.scheme is not None or reference.authority is not None or not found.authority:
        return found
    return found._replace(authority=re.sub(r"\[([vV][^\]]*)\]", r"\1", found.authority))


def colon_is_scheme(base: Parts, reference: Parts) -> Parts | None:
    """Fail at a relative path with a colon."""
    return None if plain_path(reference) and ":" in reference.path else target(base, reference)


def query_drops_segment(base: Parts, reference: Parts) -> Parts:
    """Drop the last segment of the base before a query alone."""
    found = target(base, reference)
    alone = reference.scheme is None and reference.authority is None and not reference.path
    return found._replace(path=merge(base, "")) if alone and reference.query is not None else found


def question_mark_in_fragment(base: Parts, reference: Parts) -> Parts:
    """Take a fragment alone with a question mark for a path and a query."""
    found = target(base, reference)
    alone = reference == Parts(None, None, "", None, reference.fragment)
    return (
        found._replace(path=merge(base, ""), query=None)
        if alone and "?" in (reference.fragment or "")
        else found
    )


def authority_as_path(base: Parts, reference: Parts) -> Parts:
    """Take an authority without a scheme for an absolute path."""
    found = target(base, reference)
    if reference.scheme is not None or reference.authority is None:
        return found
    path = f"//{reference.authority}{reference.path}"
    return found._replace(authority=base.authority, path=path)


# Faults of comparison.


def same_domain(url: str, other: str, equal: bool) -> bool:
    """Tell if two URLs are equal, or are addresses of one domain."""
    one, two = split(url), split(other)
    mail = (one.scheme or "").lower() == "mailto" == (two.scheme or "").lower()
    return equal or (mail and one.path.rpartition("@")[2] == two.path.rpartition("@")[2])


def no_case(url: str, other: str, equal: bool) -> bool:
    """Tell if two URLs are equal without regard to case."""
    return equal or url.lower() == other.lower()


# Faults of extraction.


def with_sign(sign: str) -> Callable[[str, str], str | None]:
    """Return a function that finds a URL together with the sign after it."""
    return lambda given, found: found + sign if found + sign in given else found


def with_prefix(given: str, found: str) -> str:
    """Find a URL together with the letters URL before it."""
    return f"URL:{found}" if f"URL:{found}" in given else found


def without_fragment(_given: str, found: str) -> str:
    """Find a URL up to its fragment."""
    return found.partition("#")[0]


def up_to_bracket(_given: str, found: str) -> str:
    """Find a URL up to a bracket."""
    return found.partition("[")[0]


def without_last_parenthesis(_given: str, found: str) -> str:
    """Find a URL without the parenthesis at its end."""
    return found.removesuffix(")")


# Faults of decoding.


def news_cut_at_slash(view: Values, _url: str) -> Values | None:
    """Cut the identifier of an article at a slash."""
    article = part(view, "article")
    return {"article": article.partition("/")[0]} if "/" in article else {}


def file_host_lost(view: Values, _url: str) -> Values | None:
    """Lose the host of a file."""
    return {"host": "", "local": True} if view.get("host") not in ("", "localhost") else {}


def localhost_is_remote(view: Values, _url: str) -> Values | None:
    """Take localhost for another computer."""
    return {"local": False} if str(view.get("host")).lower() == "localhost" else {}


def file_path_lost(view: Values, url: str) -> Values | None:
    """Lose the path of a local file if it has a triplet."""
    return {"directories": [], "name": ""} if view.get("host") == "" and "%" in url else {}


NINTH_FAULTS: dict[str, Fault] = {
    # Valid URLs that are refused.
    "uriparser-password-like-a-port": rejects(password_like_port),
    "uriparser-triplet-in-userinfo": rejects_parts(triplet_in_userinfo),
    "php-parse-url-port-without-scheme": rejects(has(r"^//[^/?#@]+:\d+$")),
    "league-uri-parser-hyphens-in-host": rejects_parts(three_hyphens_in_host),
    "libgit2-empty-port": rejects_parts(empty_port),
    "zend-uri-fragment-of-nothing": rejects(lambda given: given == "#"),
    "ibrowse-ipv6": rejects_parts(is_ipv6),
    "uri-perl-punctuation-in-scheme": rejects_parts(punctuation_in_scheme),
    "uri-bytestring-dot-segment-first": rejects(lambda given: given.startswith("./")),
    "dotnet-escapes-of-two-kinds": rejects(escapes_of_two_kinds),
    "guzzle-psr7-ipv4-in-ipv6": rejects_parts(ipv4_in_ipv6),
    "guzzle-psr7-upper-case-ipv6": rejects_parts(upper_case_ipv6),
    "exploding-fish-path-only": crashes(path_only),
    "guzzle-psr7-colon-in-later-segment": rejects_parts(colon_in_later_segment),
    # Wrong components.
    "uriparser-no-host-after-userinfo": shows(no_host_after_userinfo),
    "duplicati-ipv6-cut-at-colon": shows(ipv6_cut_at_colon),
    "pacparser-host-with-port": shows(host_with_port),
    "clickhouse-port-after-ipv6": shows(no_port_after_ipv6),
    "uriparser-slash-lost": shows(root_as_empty),
    "hackney-slash-in-query-after-authority": shows(slash_of_query_begins_path),
    "hackney-scheme-as-host": shows(scheme_as_host),
    "guzzle-psr7-zero": shows(zero_as_empty),
    # Invalid URLs that are accepted.
    "nim-nul": tolerates(sub("\0", "")),
    "guzzle-psr7-scheme-of-digits": tolerates(sub("^[0-9+.-]+(?=[A-Za-z][A-Za-z0-9+.-]*:)", "")),
    "guzzle-psr7-space-in-host": tolerates(inside("authority", sub(r"[\x00-\x20\x7f]", ""))),
    "guzzle-psr7-text-after-address": tolerates(sub(r"(\])[^:/?#\]]+", r"\1")),
    "uri-perl-quote": tolerates(sub('"', "%22")),
    "guzzle-psr7-percent-in-host": tolerates(inside("authority", sub("%(?![0-9A-Fa-f]{2})", "%25"))),
    "guzzle-psr7-backslash-in-host": tolerates(inside("authority", sub(r"\\", ""))),
    # Normalization.
    "addressable-decodes-slash-in-path": writes(inside("path", decoded("2F"))),
    "addressable-dot-after-host": writes(inside("authority", sub(r"\.(?=(:\d*)?$)", ""))),
    "addressable-compatibility-characters": writes(sub("(%[89A-F][0-9A-F])+", nfkc)),
    "addressable-empty-query-dropped": writes(sub(r"\?(?=#|$)", "")),
    "uriparser-dots-before-decoding": normalizes_to(dots_before_decoding),
    "guzzle-psr7-fragment-as-it-is": normalizes_to(same_fragment),
    "guzzle-psr7-userinfo-as-it-is": normalizes_to(same_userinfo),
    "guzzle-psr7-host-case": normalizes_to(same_host_case),
    "guzzle-psr7-encodes-sub-delims": writes(inside("path", encoded(r"[()*!']"))),
    "erlang-uri-string-decodes-percent": writes(decoded("25")),
    "boost-url-dot-before-colon": normalizes_to(dot_before_colon),
    "libwebsockets-three-dots": normalizes(inside("path", sub(r"/\.{3,}(?=/|$)", "/.."))),
    "libwebsockets-relative-dots": normalizes_to(dots_join_segments),
    "uri-perl-decodes-only-http": keeps_encoded(
        "2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE]", not_http
    ),
    "uri-perl-digit-zero": keeps_encoded("30"),
    "ocaml-uri-encodes-colon": writes(inside("path", encoded(":"))),
    "ocaml-uri-octets-of-one-digit": writes(sub("%0([0-9A-F])", r"%\1")),
    "flurl-query-encoded-twice": writes(inside("query", sub("%", "%25"))),
    "h2o-slashes-collapsed": writes(inside("path", collapse)),
    "wget-ftp-dots-kept": normalizes_to(ftp_dots),
    # Recomposition.
    "guzzle-psr7-authority-without-scheme": recomposed_as(network_path),
    "guzzle-psr7-rootless-file": recomposed_as(rootless_file),
    "vmime-ipv6-encoded": recomposed_as(ipv6_encoded),
    "simplepie-delimiters-of-absent-parts": recomposed_as(delimiters_of_absent),
    "grpc-empty-authority": recomposed_as(no_empty_authority),
    "league-uri-fragment-of-zero": recomposed_as(zero_without_hash),
    "psr7-empty-query-and-fragment": recomposed_as(no_empty_parts),
    "xbmc-slash-before-root": recomposed_as(slash_before_root),
    # Resolution.
    "uriparser-slash-resolved-to-nothing": resolves(slash_resolved_to_nothing),
    "feed-reader-merge-with-empty-path": resolves(
        lambda base, ref: target(base, ref, merge=merge_without_slash)
    ),
    "guzzle-psr7-base-path-without-slash": resolves(
        lambda base, ref: target(base, ref, merge=merge_keeping_first)
    ),
    "guzzle-psr7-userinfo-lost": resolves(lost_userinfo),
    "elixir-root-slash-lost": resolves(lambda base, ref: target(base, ref, dots=no_root_slash)),
    "elixir-dots-of-absolute-kept": resolves(dots_kept_of_absolute),
    "elixir-empty-base-path": resolves(lambda base, ref: target(base, ref, merge=merge_empty_marker)),
    "symfony-number-after-colon": resolves(number_after_colon),
    "symfony-query-appended": resolves(query_appended),
    "symfony-slash-in-base-query": resolves(slash_in_base_query),
    "curl-fragment-of-base-kept": resolves(fragment_of_base),
    "php-curl-class-query-of-base-kept": resolves(query_of_base),
    "php-curl-class-hash-encoded": resolves_to(hash_escaped),
    "dart-brackets-lost": resolves(brackets_lost),
    "sourcemeta-future-brackets-lost": resolves(future_brackets_lost),
    "ipxe-colon-in-path-is-scheme": resolves(colon_is_scheme),
    "uri-perl-query-drops-segment": resolves(query_drops_segment),
    "uri-perl-question-mark-in-fragment": resolves(question_mark_in_fragment),
    "wget-authority-as-path": resolves(authority_as_path),
    "liferea-base-element-ignored": bases_without("embedded"),
    # Comparison.
    "dotnet-mail-of-same-domain": compares(same_domain),
    "tusdotnet-no-case": compares(no_case),
    # Extraction.
    "lainchan-closing-bracket": finds(with_sign(">")),
    "uri-find-fragment-lost": finds(without_fragment),
    "uri-find-url-prefix": finds(with_prefix),
    "uri-find-closing-quote": finds(with_sign('"')),
    "kitty-last-parenthesis": finds(without_last_parenthesis),
    "urxvt-perls-bracket": finds(up_to_bracket),
    # Decoding.
    "uri-perl-slash-in-message-id": decodes("news", news_cut_at_slash),
    "mono-file-host-lost": decodes("file", file_host_lost),
    "libgit2-localhost-is-remote": decodes("file", localhost_is_remote),
    "uri-perl-file-path-lost": decodes("file", file_path_lost),
}
