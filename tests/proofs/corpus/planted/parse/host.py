"""Faults in finding an authority and its host (RFC 3986, sections 3.2 and 3.2.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

from ..components import (
    DEFAULT_PORTS,
    EMPTY_AUTHORITY,
    NO_AUTHORITY,
    authority_parts,
    component,
    component_has,
    components_of,
    ends_in_authority_or_fragment,
    has_fragment_after_host,
    has_no_path,
    has_query_after_host,
    has_scheme,
    has_underscore_in_http,
    host_of,
    is_bracketed,
    is_generic,
    is_http,
    is_named,
    is_web_socket,
    labels_of_host,
    shows_generic,
    text_after_authority,
    text_before_query,
    userinfo_to_at_sign_in,
)
from ..faults import Fault, Values, shows, shows_when
from ..texts import Change, split


def fragment_in_host(parts: Values) -> Values | None:
    """Leave a fragment that directly follows the authority with the host."""
    if not has_fragment_after_host(parts):
        return None
    end = f"#{parts['fragment']}"
    last = "host" if parts["port"] is None else "port"
    return {"authority": parts["authority"] + end, last: f"{parts[last] or ''}{end}", "fragment": None}


def query_in_authority(parts: Values) -> Values:
    """Add the query to the authority and to its last part."""
    end = "host" if parts["port"] is None else "port"
    query = f"?{parts['query']}"
    return {"authority": parts["authority"] + query, end: parts[end] + query, "query": None}


def query_in_host(parts: Values) -> Values | None:
    """Add a query that follows the authority to the host."""
    if has_query_after_host(parts):
        return {"host": f"{parts['host']}?{parts['query']}", "query": None}
    return None


def slash_of_query_begins_path(parts: Values) -> Values | None:
    """Let a slash in the query begin the path if the path is empty."""
    query = component(parts, "query")
    if not parts.get("authority") or parts.get("path") or "/" not in query:
        return None
    before, _, after = query.partition("/")
    return {
        "authority": f"{parts['authority']}?{before}",
        "host": f"{parts['host']}?{before}",
        "path": f"/{after}",
        "query": None,
    }


def encoded_userinfo_to_first_at_sign(parts: Values, encode: Change = str) -> Values | None:
    """Find the host after the first at sign that follows the authority."""
    before, at_sign, after = text_after_authority(parts).partition("@")
    if parts["authority"] is None or "@" in parts["authority"] or not at_sign:
        return None
    changed = components_of(f"//{after}")
    userinfo = encode(parts["authority"] + before)
    authority = f"{userinfo}@{changed['authority']}"
    return {**changed, "scheme": parts["scheme"], "authority": authority, "userinfo": userinfo}


def host_to_colon_in_rest(parts: Values) -> Values:
    """Extend the host to the first colon after the authority."""
    return {"host": parts["host"] + text_after_authority(parts).partition(":")[0]}


def host_ends_at_hyphen(parts: Values) -> Values:
    """Begin the path at the first hyphen of the host."""
    host, _, rest = parts["host"].partition("-")
    port = "" if parts["port"] is None else f":{parts['port']}"
    return {"host": host, "port": None, "path": f"-{rest}{port}{parts['path']}"}


#: Node begins the path at these characters, without a slash, before it looks for a port.
PATH_MARKS = "[%;']"


def host_ends_at(marks: str) -> Callable[[Values], Values | None]:
    """Return a function that begins the path at the first of some characters in the host."""

    def changed(parts: Values) -> Values | None:
        match = re.search(marks, host_of(parts))
        if not match or is_bracketed(parts):
            return None
        host = parts["host"][: match.start()]
        rest = parts["host"][match.start() :]
        if marks != PATH_MARKS:
            return {"host": host, "path": f"/{rest}{parts['path']}"}
        port = "" if parts["port"] is None else f":{parts['port']}"
        return {"host": host, "port": None, "path": rest + port + parts["path"]}

    return changed


def cut_host(allowed: str) -> Callable[[Values], Values | None]:
    """End the host at the first other character; the rest becomes a segment of the path."""

    def change(parts: Values) -> Values | None:
        match = re.match(allowed, host_of(parts))
        assert match is not None
        if parts["host"] is None or is_bracketed(parts) or match[0] == parts["host"]:
            return None
        return {"host": match[0], "path": f"/{parts['host'][match.end() :]}{parts['path']}"}

    return change


def userinfo_past_slash(parts: Values) -> Values | None:
    """Let the userinfo extend over slashes to an at sign in the path."""
    if (
        not is_generic(parts)
        or parts["port"] is None
        or parts["userinfo"] is not None
        or "@" not in parts["path"]
    ):
        return None
    user, _, rest = f"{parts['authority']}{parts['path']}".partition("@")
    head, slash, tail = rest.partition("/")
    return {**authority_parts(f"{user}@{head}"), "userinfo": user, "path": slash + tail}


def at_in_path(parts: Values) -> Values | None:
    """Return what comes before an at-sign of the path as userinfo and what follows as host."""
    path = component(parts, "path")
    authority = component(parts, "authority")
    if "@" not in path or "@" in authority or not (path.startswith("/") or authority):
        return None
    userinfo, _, rest = (authority + path).partition("@")
    host = rest.partition("/")[0]
    changed = {"authority": f"{userinfo}@{host}", "userinfo": userinfo, "host": host}
    return {**changed, "port": None, "path": rest[len(host) :]}


def userinfo_to_first_at_sign(parts: Values) -> Values | None:
    """Find the host after the first at sign that follows the authority."""
    before, at_sign, after = text_after_authority(parts).partition("@")
    if parts["authority"] is None or "@" in parts["authority"] or not at_sign:
        return None
    parts_after = split(f"//{after}")
    host, colon, port = (parts_after.authority or "").partition(":")
    login = parts["authority"] + before
    authority = {"authority": f"{login}@{parts_after.authority}", "userinfo": login, "host": host}
    path = {"path": parts_after.path, "query": parts_after.query, "fragment": parts_after.fragment}
    return {**authority, **path, "port": port if colon else None}


def at_in_query(parts: Values) -> Values | None:
    """Return all that comes before an at-sign of the query as userinfo and what follows as host."""
    query = component(parts, "query")
    authority = component(parts, "authority")
    path = component(parts, "path")
    if "@" not in query or not authority or "@" in authority + path:
        return None
    before, _, rest = query.partition("@")
    userinfo = f"{authority}{path}?{before}"
    match = re.match("[^:/?]*", rest)
    host = match[0] if match else ""
    changed = {"authority": f"{userinfo}@{host}", "userinfo": userinfo, "host": host, "port": None}
    return {**changed, "path": rest[len(host) :], "query": None}


def last_at_sign_ends_login(parts: Values) -> Values:
    """Find the host after the last at sign of the path."""
    login, _, after = f"{parts['authority']}{parts['path']}".rpartition("@")
    host, slash, path = after.partition("/")
    authority = {"authority": f"{login}@{host}", "userinfo": login, "host": host, "port": None}
    return {**authority, "path": slash + path}


def is_ipv6(parts: Values) -> bool:
    """Tell if the host is an IPv6 address."""
    return re.match(r"\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]", host_of(parts)) is not None


def host_to_colon(parts: Values) -> Values | None:
    """End a host without a port at the first colon of the rest of the URL."""
    if not is_generic(parts) or not parts["host"] or parts["port"] is not None or is_ipv6(parts):
        return None
    before, colon, _ = text_after_authority(parts).partition(":")
    return {"host": f"{parts['host']}{before}"} if colon else None


def first_host(parts: Values) -> Values | None:
    """Find the host in the path when the authority is empty."""
    if parts["authority"] != "" or parts["scheme"] in (None, "file"):
        return None
    host, slash, rest = parts["path"].lstrip("/").partition("/")
    return {"authority": host, "host": host, "path": slash + rest}


def first_segment_is_host(parts: Values) -> Values:
    """Take the first segment after three slashes for the host."""
    host, slash, path = parts["path"].lstrip("/").partition("/")
    return {"authority": host.lower(), "host": host.lower(), "path": slash + path}


#: The schemes that urlsplit of Python 2.6 gave an authority.
PYTHON_2_6 = {
    *("ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews"),
    *("prospero", "rtsp", "rtspu", "rsync", "svn", "svn+ssh", "sftp"),
}


def unknown_scheme(parts: Values) -> Values | None:
    """Leave the authority of an unknown scheme in the path; RFC 1808 calls it net_loc."""
    authority = parts.get("authority", parts.get("net_loc"))
    if authority is None or parts.get("scheme") is None or str(parts["scheme"]).lower() in PYTHON_2_6:
        return None
    none = authority_parts(None) if "authority" in parts else {"net_loc": None}
    return {**none, "path": f"//{authority}{component(parts, 'path')}"}


def no_host_after_userinfo(parts: Values) -> Values | None:
    """Lose an empty host after a userinfo."""
    return {"host": None} if parts.get("host") == "" and parts.get("userinfo") is not None else None


def text_before_at_sign_lost(parts: Values) -> Values | None:
    """Lose all before the first at sign that follows the authority."""
    changed = userinfo_to_first_at_sign(parts)
    return changed and {**changed, "authority": changed["host"], "userinfo": None}


def ssh_port_as_path(parts: Values) -> Values | None:
    """Leave the authority of an ssh URL with a port in the path."""
    if not is_generic(parts) or parts["port"] is None or parts["scheme"] != "ssh":
        return None
    return {**authority_parts(""), "path": f"//{parts['authority']}{parts['path']}"}


def empty_port(parts: Values) -> bool:
    """Tell if the port is present and empty."""
    return parts.get("port") == ""


def colon_into_path(parts: Values) -> Values | None:
    """Return the colon of an empty port as the begin of the path."""
    if not empty_port(parts):
        return None
    path = f"/:{component(parts, 'path')}"
    return {"authority": component(parts, "authority")[:-1], "port": None, "path": path}


def query_in_network_location(parts: Values) -> Values:
    """Begin the query at a question mark of the network location (RFC 1808)."""
    location, _, query = parts["net_loc"].partition("?")
    return {"net_loc": location, "query": query}


def end_in_host(parts: Values) -> Values | None:
    """Show the query and fragment that directly follow an authority in it, too."""
    end = text_after_authority(parts) if has_no_path(parts) else ""
    if not end:
        return None
    last = "host" if parts["port"] is None else "port"
    return {"authority": parts["authority"] + end, last: f"{parts[last] or ''}{end}"}


def without_authority(parts: Values) -> Values | None:
    """Leave what follows the scheme javascript in the path."""
    if not has_scheme(parts, "javascript") or parts["authority"] is None:
        return None
    return {**NO_AUTHORITY, "path": f"//{parts['authority']}{parts['path']}"}


def authority_is_path(parts: Values) -> Values:
    """Leave the authority in the path."""
    return {**NO_AUTHORITY, "path": f"//{parts['authority']}{parts['path']}"}


def login_with_number_sign(parts: Values) -> Values | None:
    """Take the host and a number sign for the beginning of the userinfo."""
    match = re.match(r"([^/?@]*)@([^/?:]*)(?::(\d*))?(?=[/?]|$)([^?]*)", component(parts, "fragment"))
    if not match or not ends_in_authority_or_fragment(parts) or "@" in parts["authority"]:
        return None
    login = f"{parts['authority']}#{match[1]}"
    query = parts["fragment"][match.end() + 1 :] if parts["fragment"][match.end() :] else None
    authority = login + parts["fragment"][match.end(1) : match.start(4)]
    changed = {"authority": authority, "userinfo": login, "host": match[2], "port": match[3]}
    return {**changed, "path": match[4], "query": query, "fragment": None}


def letter_is_drive(parts: Values) -> Values | None:
    """Take a host of one letter before a port for the drive of a path."""
    if not re.fullmatch("[A-Za-z]", host_of(parts)) or not parts["port"]:
        return None
    path = f"{parts['host']}:{parts['port']}{parts['path']}"
    return {"authority": None, "userinfo": None, "host": None, "port": None, "path": path}


def host_to_colon_in_path(parts: Values) -> Values:
    """Take all before the first colon of the path for the host."""
    before, _, after = parts["path"].partition(":")
    return {"host": parts["host"] + before, "port": after, "path": ""}


def user_is_host(parts: Values) -> Values:
    """Take the user for the host, or nothing if the user has no dot."""
    user = parts["userinfo"].partition(":")[0]
    return {"host": user if "." in user else ""}


def authority_to_slash(parts: Values) -> Values:
    """Extend the authority over a question mark to the first slash in the query."""
    before, slash, after = parts["query"].partition("/")
    end = f"?{before}"
    last = "host" if parts["port"] is None else "port"
    path, question_mark, query = f"{slash}{after}".partition("?")
    authority = {"authority": parts["authority"] + end, last: parts[last] + end}
    return {**authority, "path": path, "query": query if question_mark else None}


FAULTS: Mapping[str, Fault] = {
    "adds_colon_of_empty_port_to_http_host": shows_when(
        lambda parts: is_http(parts) and parts["port"] == "",
        lambda parts: {"host": f"{parts['host']}:", "port": None},
    ),
    "adds_default_port_to_authority": shows_when(
        lambda parts: (
            bool(parts["host"])
            and parts["port"] is None
            and component(parts, "scheme").lower() in DEFAULT_PORTS
        ),
        lambda parts: {"authority": f"{parts['authority']}:{DEFAULT_PORTS[parts['scheme'].lower()]}"},
    ),
    "adds_fragment_after_host_to_authority": shows(fragment_in_host),
    "adds_fragment_to_host": shows_when(
        has_fragment_after_host,
        lambda parts: {"host": f"{parts['host']}#{parts['fragment']}", "fragment": None},
    ),
    "adds_fragment_to_host_without_port": shows_when(
        lambda parts: (
            ends_in_authority_or_fragment(parts) and parts["fragment"] is not None and parts["port"] is None
        ),
        lambda parts: {"host": f"{parts['host']}#{parts['fragment']}", "fragment": None},
    ),
    "adds_fragment_to_port": shows_when(
        lambda parts: (
            bool(parts["port"]) and ends_in_authority_or_fragment(parts) and parts["fragment"] is not None
        ),
        lambda parts: {"port": f"{parts['port']}#{parts['fragment']}", "fragment": None},
    ),
    "adds_path_to_host_of_web_socket": shows_when(
        lambda parts: is_web_socket(parts) and bool(parts["host"]) and parts["port"] is None,
        lambda parts: {"host": parts["host"] + parts["path"], "path": "/"} if parts["path"] else {},
    ),
    "adds_port_to_host_if_path_has_two_colons": shows_when(
        lambda parts: parts["port"] and "::" in parts["path"],
        lambda parts: {"host": f"{parts['host']}:{parts['port']}", "port": None},
    ),
    "adds_query_after_host_to_authority": shows_when(has_query_after_host, query_in_authority),
    "adds_query_after_host_to_authority_of_http": shows_when(
        lambda parts: is_http(parts) and has_query_after_host(parts), query_in_authority
    ),
    "adds_query_after_host_to_authority_of_scheme": shows_when(
        lambda parts: parts["scheme"] is not None and has_query_after_host(parts), query_in_authority
    ),
    "adds_query_to_host": shows(query_in_host),
    "adds_query_to_host_without_port": shows_when(
        lambda parts: (
            parts["authority"] is not None
            and parts["port"] is None
            and not parts["path"]
            and parts["query"] is not None
        ),
        lambda parts: {"host": f"{parts['host']}?{parts['query']}", "query": None},
    ),
    "adds_query_to_port": shows_when(
        lambda parts: bool(parts["port"]) and not parts["path"] and parts["query"] is not None,
        lambda parts: {
            "authority": f"{parts['authority']}?{parts['query']}",
            "port": f"{parts['port']}?{parts['query']}",
            "query": None,
        },
    ),
    "adds_slash_before_host": shows_when(
        lambda parts: parts["scheme"] is not None and bool(parts["host"]),
        lambda parts: {"host": f"/{parts['host']}"},
    ),
    "adds_slash_to_host_without_port": shows_when(
        lambda parts: parts["host"] and parts["port"] is None and parts["path"],
        lambda parts: {"host": f"{parts['host']}/", "path": parts["path"][1:]},
    ),
    "begins_path_at_slash_in_query": shows(slash_of_query_begins_path),
    "cuts_host_at_encoded_slash": shows_when(
        lambda parts: "%2f" in host_of(parts).lower(),
        lambda parts: {"host": re.split("%2f", host_of(parts), flags=re.IGNORECASE)[0]},
    ),
    "drops_host_before_drive": shows_when(
        lambda parts: (
            has_scheme(parts, "file")
            and bool(parts["host"])
            and re.match("/[A-Za-z]:(?:/|$)", parts["path"]) is not None
        ),
        lambda _: EMPTY_AUTHORITY,
    ),
    "drops_host_of_file": shows_when(
        lambda parts: parts["scheme"] == "file" and parts["host"], lambda _: {"authority": "", "host": ""}
    ),
    "drops_underscores_of_host": shows_when(
        component_has("host", "_"), lambda parts: {"host": parts["host"].replace("_", "")}
    ),
    "drops_userinfo": shows_when(
        lambda parts: parts["userinfo"] is not None,
        lambda parts: {"authority": parts["authority"].rpartition("@")[2], "userinfo": None},
    ),
    "ends_and_encodes_userinfo_at_first_at_sign_anywhere": shows(
        lambda parts: encoded_userinfo_to_first_at_sign(parts, lambda login: quote(login, safe=""))
    ),
    "ends_authority_only_at_slash": shows_when(has_query_after_host, authority_to_slash),
    "ends_host_at_first_colon": shows_when(
        component_has("host", ":"),
        lambda parts: {
            "host": host_of(parts).partition(":")[0],
            "port": host_of(parts).partition(":")[2],
        },
    ),
    "ends_host_at_first_colon_after_it": shows_when(
        lambda parts: (
            bool(parts["host"])
            and ":" not in parts["authority"]
            and ":" in parts["path"] + component(parts, "query")
        ),
        host_to_colon_in_rest,
    ),
    "ends_host_at_hyphen": shows_when(
        lambda parts: "-" in host_of(parts) and not is_bracketed(parts),
        host_ends_at_hyphen,
    ),
    "ends_host_at_percent_semicolon_or_quote": shows(host_ends_at(PATH_MARKS)),
    "ends_host_at_plus": shows(cut_host(r"[A-Za-z0-9._~%-]*")),
    "ends_host_at_sub_delim": shows(host_ends_at(r"[!$&()*,=~]")),
    "ends_userinfo_at_at_sign_after_empty_path": shows_when(has_no_path, encoded_userinfo_to_first_at_sign),
    "ends_userinfo_at_at_sign_in_fragment": shows(userinfo_to_at_sign_in("fragment", "#")),
    "ends_userinfo_at_at_sign_in_path_after_port": shows(userinfo_past_slash),
    "ends_userinfo_at_at_sign_in_path_or_rooted_path": shows_generic(at_in_path),
    "ends_userinfo_at_at_sign_in_query_after_host": shows_when(
        lambda parts: has_no_path(parts) and "@" in component(parts, "query"), userinfo_to_first_at_sign
    ),
    "ends_userinfo_at_at_sign_in_query_with_path": shows_generic(at_in_query),
    "ends_userinfo_at_first_at_sign_after_authority": shows(userinfo_to_first_at_sign),
    "ends_userinfo_at_first_at_sign_anywhere": shows(encoded_userinfo_to_first_at_sign),
    "ends_userinfo_at_last_at_sign_of_path": shows_when(
        lambda parts: parts["userinfo"] is not None and "@" in parts["path"], last_at_sign_ends_login
    ),
    "extends_host_to_colon_in_rest": shows(host_to_colon),
    "finds_host_after_three_slashes": shows(first_host),
    "finds_host_in_lower_case_after_three_slashes": shows_when(
        lambda parts: parts["authority"] == "" and bool(parts["path"].strip("/")), first_segment_is_host
    ),
    "leaves_authority_of_unknown_scheme_in_path": shows(unknown_scheme),
    "loses_authority_of_http_with_underscore": shows_when(has_underscore_in_http, lambda _: NO_AUTHORITY),
    "loses_empty_host_after_any_userinfo": shows(no_host_after_userinfo),
    "loses_empty_host_after_userinfo": shows_when(
        lambda parts: parts["host"] == "" and parts["userinfo"], lambda _: {"host": None}
    ),
    "loses_host_and_port_with_underscore": shows_when(
        component_has("host", "_"), lambda _: {"host": None, "port": None}
    ),
    "loses_host_whose_last_label_begins_with_digit": shows_when(
        lambda parts: labels_of_host(parts) and labels_of_host(parts)[-1][:1].isdecimal(),
        lambda _: {"userinfo": None, "host": None, "port": None},
    ),
    "loses_host_with_underscore": shows_when(
        lambda parts: is_named(parts) and "_" in parts["host"],
        lambda _: {"userinfo": None, "host": None, "port": None},
    ),
    "loses_host_without_dot_after_userinfo": shows_when(
        lambda parts: parts["userinfo"] is not None and bool(parts["host"]) and "." not in parts["host"],
        lambda _: {"host": ""},
    ),
    "loses_text_before_first_at_sign": shows(text_before_at_sign_lost),
    "moves_authority_of_ssh_with_port_to_path": shows(ssh_port_as_path),
    "moves_colon_of_empty_port_to_path": shows_generic(colon_into_path),
    "moves_host_without_dot_to_path": shows_when(
        lambda parts: bool(parts["host"]) and "." not in parts["host"] and not is_bracketed(parts),
        lambda parts: {"host": "", "path": f"/{parts['authority']}{parts['path']}"},
    ),
    "moves_host_without_port_to_path": shows_when(
        lambda parts: bool(parts["host"]) and parts["port"] is None,
        lambda parts: {"host": "", "path": f"/{parts['host']}{parts['path']}"},
    ),
    "moves_query_out_of_net_loc": shows_when(component_has("net_loc", r"\?"), query_in_network_location),
    "moves_rest_of_net_loc_to_query": shows_when(
        component_has("net_loc", r"\?"),
        lambda parts: {
            "net_loc": parts["net_loc"].partition("?")[0],
            "path": "",
            "params": None,
            "query": parts["net_loc"].partition("?")[2] + (parts["path"] or ""),
        },
    ),
    "shows_empty_authority_before_rooted_path": shows_when(
        lambda parts: parts["scheme"] and parts["authority"] is None and parts["path"].startswith("/"),
        lambda _: {"authority": "", "host": ""},
    ),
    "shows_query_and_fragment_in_host_as_well": shows(end_in_host),
    "takes_authority_of_javascript_for_path": shows(without_authority),
    "takes_authority_of_news_for_path": shows_when(
        lambda parts: has_scheme(parts, "news") and parts["authority"] is not None,
        authority_is_path,
    ),
    "takes_empty_authority_for_absent": shows_when(
        lambda parts: parts["authority"] == "", lambda _: {"authority": None, "host": None}
    ),
    "takes_empty_host_for_absent": shows_when(lambda parts: parts["host"] == "", lambda _: {"host": None}),
    "takes_fragment_with_at_sign_for_host": shows(login_with_number_sign),
    "takes_host_of_one_letter_and_port_for_drive": shows(letter_is_drive),
    "takes_path_to_colon_for_host": shows_when(
        lambda parts: bool(parts["host"]) and parts["port"] is None and ":" in parts["path"],
        host_to_colon_in_path,
    ),
    "takes_text_after_at_sign_in_query_for_host": shows_when(
        lambda parts: parts["port"] and not parts["path"] and "@" in (parts["query"] or ""),
        lambda parts: {"host": parts["query"].partition("@")[2], "query": None},
    ),
    "takes_url_without_path_for_path": shows_when(
        lambda parts: parts["scheme"] is not None and has_no_path(parts),
        lambda parts: {**NO_AUTHORITY, "scheme": None, "path": text_before_query(parts)},
    ),
    "takes_user_with_dot_for_host": shows_when(component_has("userinfo", ":"), user_is_host),
}
