"""Faults of the eighth list in resolving, normalizing, recomposing, comparing, extracting, decoding."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from .library_faults import (
    TRIPLET,
    Change,
    Fault,
    Parts,
    Values,
    collapse,
    decoded,
    decodes,
    encoded,
    finds,
    inside,
    is_local,
    join,
    normalizes_to,
    recomposed,
    remove_dots,
    resolves,
    split,
    sub,
    target,
    with_bracket,
    with_quote,
    writes,
)

Changed = dict[str, Any] | None


def upper_triplets(given: str) -> str:
    """Return a text with percent-encodings in upper case."""
    return re.sub(TRIPLET, lambda found: found[0].upper(), given)


# Normalization.


def given_host_case(given: str, right: str) -> str:
    """Keep the case of a host in which an octet is not US-ASCII."""
    host = split(given).authority
    if host is None or re.search("%[89A-Fa-f][0-9A-Fa-f]", host) is None:
        return right
    return join(split(right)._replace(authority=upper_triplets(host)))


def rooted(right: str) -> str:
    """Put a slash before a relative path."""
    parts = split(right)
    relative = (
        parts.scheme is None and parts.authority is None and parts.path and not parts.path.startswith("/")
    )
    return f"/{right}" if relative else right


def needs_namespace(right: str) -> str | None:
    """Fail at a URN without a namespace."""
    parts = split(right)
    return None if parts.scheme == "urn" and ":" not in parts.path else right


# Resolution.


def empty(reference: Parts) -> bool:
    """Tell if a reference is empty but for a fragment."""
    return is_local(reference) and not reference.path and reference.query is None


def changes_target(change: Callable[[Parts, Parts, Parts], Parts | str]) -> Fault:
    """Return a fault that depends on base, reference and the right target."""
    return resolves(lambda base, reference: change(base, reference, target(base, reference)))


def slashes_decoded(base: Parts, reference: Parts) -> Parts:
    """Resolve paths whose slashes are decoded."""
    change = decoded("2f")
    return target(base._replace(path=change(base.path)), reference._replace(path=change(reference.path)))


def userinfo_kept(base: Parts, reference: Parts, right: Parts) -> Parts:
    """Give the userinfo of the base to a reference that has an authority."""
    user, at, _ = (base.authority or "").rpartition("@")
    if not at or reference.authority is None or "@" in reference.authority:
        return right
    return right._replace(authority=f"{user}@{reference.authority}")


def encoded_host_in_path(base: Parts, reference: Parts, right: Parts) -> Parts:
    """Take a host that begins with a percent-encoding for a path."""
    if not (reference.authority or "").startswith("%"):
        return right
    path = f"/{reference.authority}{reference.path}"
    return Parts(reference.scheme or base.scheme, base.authority, path, reference.query, reference.fragment)


def slash_as_authority(base: Parts, reference: Parts, right: Parts) -> Parts | str:
    """Take the first segment for the host if the scheme changes."""
    if reference.scheme in (None, base.scheme) or reference.authority is not None:
        return right
    if reference.scheme not in ("http", "https", "ftp", "gopher", "file") or not reference.path.startswith(
        "/"
    ):
        return right
    return join(reference).replace(":/", "://", 1)


def fragment_of_base(base: Parts, reference: Parts, right: Parts) -> Parts:
    """Keep the fragment of the base if the reference is empty."""
    return (
        right._replace(fragment=base.fragment) if empty(reference) and reference.fragment is None else right
    )


def base_dots_as_segments(base: Parts, reference: Parts) -> Parts:
    """Let two dots remove a dot of the base as if it were another segment."""
    if not is_local(reference) or not reference.path or reference.path.startswith("/"):
        return target(base, reference)
    output = base.path.split("/")[:-1]
    segments = reference.path.split("/")
    for segment in segments[:-1]:
        if segment == "..":
            output = output[:-1] if len(output) > 1 else output
        elif segment != ".":
            output.append(segment)
    last = segments[-1]
    if last == "..":
        output = output[:-1] if len(output) > 1 else output
    elif last == ".":
        output.append("")
    else:
        output.append(last)
    path = "/".join(output)
    return (
        target(base, reference)._replace(path=path)
        if "." in base.path.split("/")[:-1]
        else target(base, reference)
    )


def no_slash_at_end(_base: Parts, reference: Parts, right: Parts) -> Parts:
    """Lose the slash at the end of a rootless path after a scheme."""
    rootless = (
        reference.scheme is not None and reference.authority is None and not reference.path.startswith("/")
    )
    return right._replace(path=right.path.removesuffix("/")) if rootless else right


def absolute_dots_kept(_base: Parts, reference: Parts, right: Parts) -> Parts:
    """Keep the dot-segments of a reference with a scheme."""
    return reference if reference.scheme is not None else right


def inner_scheme(_base: Parts, reference: Parts, right: Parts) -> Parts:
    """Take a reference in which a URL is for an absolute one."""
    return reference if reference.scheme is None and "://" in join(reference) else right


def no_scheme_of_base(_base: Parts, reference: Parts, right: Parts) -> Parts:
    """Give no scheme to a network-path reference."""
    return (
        right._replace(scheme=None) if reference.scheme is None and reference.authority is not None else right
    )


def base_as_directory(base: Parts, reference: Parts) -> Parts:
    """Put a slash after the path of the base."""
    return target(base if base.path.endswith("/") else base._replace(path=f"{base.path}/"), reference)


def no_final_slash(_base: Parts, _reference: Parts, right: Parts) -> Parts:
    """Lose the slash at the end of a path."""
    return right._replace(path=right.path[:-1]) if len(right.path) > 1 and right.path.endswith("/") else right


def dots_of_the_rest(_base: Parts, _reference: Parts, right: Parts) -> Parts | str:
    """Remove dot-segments from query and fragment, as if they were part of the path."""
    rest = join(Parts(None, None, right.path, right.query, right.fragment))
    return join(Parts(right.scheme, right.authority, "", None, None)) + remove_dots(rest)


def root_as_empty(base: Parts, reference: Parts, right: Parts) -> Parts:
    """Take a slash for an empty reference."""
    return base._replace(fragment=None) if is_local(reference) and join(reference) == "/" else right


# Comparison.


# Recomposition.


# Extraction.


def past_quote(given: str, one: str) -> str:
    """Go on after a quotation mark to the last letter or digit before a space."""
    found = re.search(re.escape(one) + r'"\S*[A-Za-z0-9]', given)
    return found[0] if found else one


def before_apostrophe(_given: str, one: str) -> str:
    """End a URL at an apostrophe."""
    return one.partition("'")[0]


# Decoding.


def raw_segments(url: str) -> list[str]:
    """Return the segments of the path of a URL, not decoded."""
    return re.sub(";type=.\\Z", "", split(url).path).split("/")[1:]


def renamed(directories: str, segments: list[str]) -> Changed:
    """Return directories and a name."""
    return {directories: segments[:-1], "name": segments[-1]} if segments else None


def raw_path(directories: str, decode: Change = str) -> Callable[[Values, str], Changed]:
    """Return a function that decodes no segment, or in its own way."""
    return lambda _values, url: renamed(directories, [decode(one) for one in raw_segments(url)])


def without_colons_decoded(segment: str) -> str:
    """Decode a segment, but not its encoded colons."""
    return "".join(part if part.lower() == "%3a" else unquote(part) for part in re.split("(%3[aA])", segment))


def login_of(url: str) -> tuple[str, str | None] | None:
    """Return the user and the password of a URL, not decoded."""
    user, at, _ = (split(url).authority or "").rpartition("@")
    name, colon, password = user.partition(":")
    return (name, password if colon else None) if at else None


def raw_login(_values: Values, url: str) -> Changed:
    """Leave user and password encoded."""
    login = login_of(url)
    return {"user": login[0], "password": login[1]} if login else {}


def slash_before_directory(values: Values, _url: str) -> Changed:
    """Put a slash before the first directory, or the name if there is none."""
    if values["cwd"] and isinstance(values["cwd"][0], str):
        return {"cwd": [f"/{values['cwd'][0]}", *values["cwd"][1:]]}
    return {"name": f"/{values['name']}"} if not values["cwd"] and isinstance(values["name"], str) else {}


def plus_as_space(values: Values, _url: str) -> Changed:
    """Take a plus sign for a space."""
    return {"address": values["address"].replace("+", " ")} if isinstance(values["address"], str) else {}


def slash_refused(_values: Values, url: str) -> Changed:
    """Refuse an encoded slash."""
    return None if re.search("%2[fF]", split(url).path) else {}


def localhost_is_remote(values: Values, _url: str) -> Changed:
    """Take localhost for another host."""
    return {"local": False} if str(values["host"]).lower() == "localhost" else {}


def server_dropped(values: Values, _url: str) -> Changed:
    """Take a file of a server for a local one."""
    return {"host": "", "local": True} if not values["local"] else {}


# Bases.


EIGHTH_FAULTS: dict[str, Fault] = {
    # Normalization.
    "w3lib-ipv6-brackets": writes(inside("authority", sub(r"[\[\]]", ""))),
    "fast-uri-urn-without-namespace": writes(needs_namespace),
    "yarl-query-decoded": writes(inside("query", decoded("2f|3a|3f"))),
    "yarl-path-encoded-twice": writes(inside("path", sub("%", "%25"))),
    "httpclient-slash-decoded": writes(inside("path", decoded("2f"))),
    "jdk-uri-empty-segments": writes(inside("path", collapse)),
    "linkchecker-colon-encoded": writes(inside("path", encoded(":"))),
    "iri-string-host-case": normalizes_to(given_host_case),
    "purell-parentheses-encoded": writes(inside("path", encoded("[!'()*]"))),
    "purell-relative-path-rooted": writes(rooted),
    "normalize-url-fragment-slash": writes(inside("fragment", sub(r"/\Z", ""))),
    "normalize-url-path-slash": writes(inside("path", sub(r"(?<=[^/])/\Z", ""))),
    "normalize-url-query-encoded": writes(inside("query", encoded("[/:@?!'(),;$]"))),
    "vscode-uri-equals-encoded": writes(inside("query", encoded("="))),
    "vscode-uri-bracket-encoded": writes(inside("authority", encoded(r"\["))),
    # Resolution.
    "go-encoded-slash": resolves(slashes_decoded),
    "cpython-fragment-of-base": changes_target(fragment_of_base),
    "node-url-userinfo-kept": changes_target(userinfo_kept),
    "node-url-encoded-host": changes_target(encoded_host_in_path),
    "node-url-slash-as-authority": changes_target(slash_as_authority),
    "rdf-ext-dots-kept": resolves(lambda base, reference: target(base, reference, str)),
    "iref-base-dots": resolves(base_dots_as_segments),
    "jena-rootless-slash": changes_target(no_slash_at_end),
    "requests-absolute-dots": changes_target(absolute_dots_kept),
    "bun-inner-scheme": changes_target(inner_scheme),
    "uri-js-medialize-network-path": changes_target(no_scheme_of_base),
    "gofeed-base-as-directory": resolves(base_as_directory),
    "korge-final-slash": changes_target(no_final_slash),
    "korge-query-dots": changes_target(dots_of_the_rest),
    "jsdom-root": changes_target(root_as_empty),
    # Comparison.
    # Recomposition.
    "node-url-format-ipv6": recomposed(inside("authority", sub(r"\[([^\]]*)\]", r"[[\1]]"))),
    "ktor-userinfo": recomposed(inside("authority", sub(r"\A.*@", ""))),
    # Extraction.
    "moin-closing-bracket": finds(with_bracket),
    "marked-closing-quote": finds(with_quote),
    "linkify-it-past-quote": finds(past_quote),
    "urlextract-apostrophe": finds(before_apostrophe),
    # Decoding.
    "clj-ftp-first-slash": decodes("ftp", slash_before_directory),
    "scrapy-ftp-path": decodes("ftp", raw_path("cwd")),
    "fsspec-login": decodes("ftp", raw_login),
    "htmltest-plus": decodes("mailto", plus_as_space),
    "file-uri-to-path-colon": decodes("file", raw_path("directories", without_colons_decoded)),
    "markitdown-path": decodes("file", raw_path("directories")),
    "node-url-file-slash": decodes("file", slash_refused),
    "cpython-localhost": decodes("file", localhost_is_remote),
    "w3lib-file-server": decodes("file", server_dropped),
    # Bases.
}
