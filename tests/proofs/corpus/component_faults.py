"""Faults of libraries in reading schemes, paths, queries, fragments, characters and the URLs of RFC 1738."""

from __future__ import annotations

import re

from .library_faults import Change, Values, encoded, has, rejects, rejects_parts, shows, sub, tolerates

#: What follows an authority.
END = r"(?=[/?#]|$)"


def _behind_authority(change: Change) -> Change:
    """Return a function that changes what follows scheme and authority."""
    return sub(r"^((?:[^/?#]*:)?(?://[^/?#]*)?)(.*)$", lambda found: found[1] + change(found[2]))


def _scheme(test: str):
    return rejects_parts(lambda parts: re.search(test, parts["scheme"] or "") is not None)


def _host(parts: Values) -> str:
    return parts["host"] or ""


def _host_of_path(parts: Values) -> Values | None:
    if parts["scheme"] or parts["authority"] is not None or parts["path"].startswith("/"):
        return None
    host, slash, rest = parts["path"].partition("/")
    return {"host": host, "authority": host, "path": slash + rest}


def _other_schemes_opaque(parts: Values) -> Values | None:
    if parts["scheme"] in (None, "http", "https", "ftp", "file"):
        return None
    rest = "".join(
        mark + parts[name] for mark, name in (("?", "query"), ("#", "fragment")) if parts[name] is not None
    )
    return {"path": parts["path"] + rest, "query": None, "fragment": None} if rest else None


def _params(url_path: str) -> int:
    """Return where the parameters of the last segment begin, or -1."""
    return url_path.find(";", url_path.rfind("/") + 1)


def _last_params(parts: Values) -> Values | None:
    path = parts["path"] + ("" if parts["params"] is None else f";{parts['params']}")
    at = _params(path)
    return {"path": path if at < 0 else path[:at], "params": None if at < 0 else path[at + 1 :]}


COMPONENT_FAULTS = {
    "urijs-dot-in-scheme": _scheme(r"\."),
    "league-hyphen-in-scheme": _scheme("-"),
    "perl-scheme-of-letters": rejects(has(r"^[A-Za-z][A-Za-z0-9]*[+.-][A-Za-z0-9+.-]*:")),
    "pkl-plus-in-scheme": shows(
        lambda parts: (
            {"path": f"{parts['path']}%3F{parts['query']}", "query": None}
            if re.search("[+.-]", parts["scheme"] or "") and parts["query"] is not None
            else None
        )
    ),
    "cpython-scheme-begins-with-digit": tolerates(sub(r"^[0-9+.-]", "a")),
    "furl-any-scheme": tolerates(sub(r"^[A-Za-z][^:/?#]*:", "a:")),
    "http-long-scheme": _scheme(".{65}"),
    "cpython-digits-after-scheme": shows(
        lambda parts: (
            {"scheme": None, "path": f"{parts['scheme']}:{parts['path']}"}
            if parts["scheme"] and parts["authority"] is None and re.fullmatch(r"\d+", parts["path"])
            else None
        )
    ),
    "php-digits-are-a-port": shows(
        lambda parts: (
            {"scheme": None, "host": parts["scheme"], "port": parts["path"], "path": ""}
            if parts["scheme"]
            and parts["authority"] is None
            and re.fullmatch(r"\d{1,5}", parts["path"])
            and parts["query"] is None
            else None
        )
    ),
    "cpython-query-of-other-schemes": shows(_other_schemes_opaque),
    "guzzle-no-authority": rejects_parts(
        lambda parts: parts["scheme"] is not None and parts["authority"] is None
    ),
    "qore-two-colons": tolerates(sub("^:+", "")),
    "phl-path-as-host": shows(_host_of_path),
    "urijs-colon-in-path": shows(
        lambda parts: (
            {
                "scheme": parts["path"].partition(":")[0],
                "path": parts["path"].partition(":")[2],
            }
            if parts["scheme"] is None and ":" in parts["path"]
            else None
        )
    ),
    "guzzle-colon-in-later-segment": rejects(has(r"^[^:/?#]+/[^?#]*:")),
    "php-colon-in-rooted-path": rejects(has(r"^/(?!/)[^?#]*:\d+" + END)),
    "php-colon-in-query": rejects(has(r"^[^:?#]*\?[^#]*:")),
    "uriparser-root-is-empty": shows(
        lambda parts: {"path": ""} if parts["authority"] is not None and parts["path"] == "/" else None
    ),
    "urijs-empty-is-root": shows(
        lambda parts: {"path": "/"} if parts["authority"] is not None and not parts["path"] else None
    ),
    "crystal-escapes-in-path": rejects_parts(lambda parts: "%" in parts["path"]),
    "dotnet-slash-decoded": shows(lambda parts: {"path": re.sub("%2[Ff]", "/", parts["path"])}),
    "guzzle-encodes-marks": shows(
        lambda parts: {"path": re.sub("[()*!']", lambda found: f"%{ord(found[0]):02X}", parts["path"])}
    ),
    "urllib3-upper-case-triplets": shows(
        lambda parts: {
            name: re.sub("%..", lambda found: found[0].upper(), parts[name])
            for name in ("path", "query")
            if parts[name]
        }
    ),
    "nmap-params-cut-path": shows(lambda parts: {"path": parts["path"].partition(";")[0]}),
    "urllib-params-of-last-segment": shows(_last_params),
    "urld-lower-case-triplets": rejects(has(r"%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])")),
    "ocaml-uri-empty-query": shows(lambda parts: {"query": None} if parts["query"] == "" else None),
    "http-no-fragment": shows(lambda parts: {"fragment": None} if parts["fragment"] is not None else None),
    "qt4cg-last-question-mark": shows(
        lambda parts: (
            {
                "path": f"{parts['path']}?{parts['query'].rpartition('?')[0]}",
                "query": parts["query"].rpartition("?")[2],
            }
            if "?" in (parts["query"] or "")
            else None
        )
    ),
    "perl-query-in-fragment": shows(
        lambda parts: (
            {
                "query": parts["fragment"].partition("?")[2],
                "fragment": parts["fragment"].partition("?")[0],
            }
            if "?" in (parts["fragment"] or "")
            else None
        )
    ),
    "node-backslash": tolerates(lambda url: url.replace("\\", "/")),
    "cpython-inner-newlines": tolerates(sub(r"[\t\r\n]", "")),
    "cpython-leading-blanks": tolerates(sub("^ +", "")),
    "url-parse-leading-controls": tolerates(sub(r"^[\x00-\x1f]+", "")),
    "django-final-newline": tolerates(sub(r"\n$", "")),
    "fast-uri-lone-percent": tolerates(sub(r"%(?![0-9A-Fa-f]{2})", "%25")),
    "perl-quotation-mark": tolerates(_behind_authority(encoded('"'))),
    "perl-brackets-in-path": tolerates(_behind_authority(encoded(r"[\[\]]"))),
    "w3lib-unwise": tolerates(sub(r"[{}|^`]", "%7C")),
    "dart-space-in-data": tolerates(lambda url: url.replace(" ", "%20") if url.startswith("data:") else url),
    "fast-uri-space-in-query": tolerates(sub(r"(?<=\?)[^#]*", lambda found: found[0].replace(" ", "%20"))),
    "yarl-non-ascii": tolerates(sub(r"[\u0080-\ud7ff]", "%C3%A9")),
    "http-parser-65535": shows(
        lambda parts: {
            name: parts[name][: len(parts[name]) % 65536]
            for name in ("path", "query", "fragment")
            if len(parts[name] or "") > 65535
        }
    ),
    "http-65534": rejects(lambda url: len(url) > 65534),
    "dotnet-host-263": rejects_parts(lambda parts: len(_host(parts)) > 255),
    "perl-gopher-types": rejects(has(r"^gopher://[^/]*/(?![0-9+IgT])")),
    "curl-gopher-question-mark": shows(
        lambda parts: {"selector": parts["selector"].partition("?")[0]} if parts.get("selector") else None
    ),
    "perl-slash-in-message-id": rejects(has(r"^news:[^@]*/[^@]*@")),
    "mc-slash-in-password": tolerates(sub(r"^ftp://([^:/@]*):([^/@]*)/([^/@]*)@", r"ftp://\1:\2\3@")),
    "aria2-hash-in-password": tolerates(sub(r"^(ftp://[^/@]*)#([^/@]*@)", r"\1\2")),
    "node-file-without-host": shows(
        lambda parts: {"host": None} if parts["scheme"] == "file" and parts["host"] == "" else None
    ),
    "vibe-d-file-host": shows(
        lambda parts: (
            {"host": "", "fpath": f"{parts['host']}/{parts['fpath']}"}
            if parts["scheme"] == "file" and parts["host"]
            else None
        )
    ),
    "curl-file-double-slash": shows(
        lambda parts: (
            {"fpath": parts["fpath"][1:]}
            if parts["scheme"] == "file" and (parts["fpath"] or "").startswith("/")
            else None
        )
    ),
    "url-parse-file-host": shows(
        lambda parts: (
            {
                "host": parts["fpath"].partition("/")[0],
                "fpath": parts["fpath"].partition("/")[2],
            }
            if parts["scheme"] == "file" and parts["host"] == "" and parts["fpath"]
            else None
        )
    ),
    "jdk-other-characters": tolerates(sub(r"[\u00a0-\ud7ff]", "%C3%A9")),
    "jdk-scope-identifier": tolerates(sub(r"(\[[0-9A-Fa-f:.]+)%[0-9A-Za-z_.%-]+\]", r"\1]")),
    "julia-tilde-in-host": rejects_parts(lambda parts: "~" in _host(parts)),
    "urllib-params-of-other-schemes": shows(
        lambda parts: (
            {"path": f"{parts['path']};{parts['params']}", "params": None}
            if parts["params"] is not None and parts["scheme"] not in (None, "http", "https", "ftp")
            else None
        )
    ),
}
