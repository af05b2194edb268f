"""Faults in finding path, query and fragment (RFC 3986, sections 3.3 to 3.5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote

from ..components import (
    EMPTY_AUTHORITY,
    LOCALHOST,
    authority_parts,
    changes_component,
    component,
    component_has,
    components_of,
    has_no_path,
    has_query_after_host,
    has_scheme,
    host_of,
    is_http,
    is_local,
    is_network_path,
    is_rootless,
    is_web_socket,
    shows_generic,
    text_before_query,
    whole_text,
)
from ..faults import Fault, Values, shows, shows_when
from ..texts import Change, collapse, decode_ascii, decode_unreserved, decoded, remove_dots, sub


def cut_at_number_sign(parts: Values) -> Values | None:
    """Return the path up to a percent-encoded number sign."""
    path = parts.get("path") or ""
    return {"path": path.partition("%23")[0]} if "%23" in path else None


def cut_at_encoded_equals(parts: Values) -> Values | None:
    """Return the query before an encoded equals sign."""
    query = component(parts, "query")
    return {"query": re.split("%3[Dd]", query)[0]} if re.search("%3[Dd]", query) else None


def query_decoded(parts: Values) -> Values | None:
    """Return the query with the delimiters of its pairs decoded."""
    query = component(parts, "query")
    decoded_query = decoded("26|3d")(query)
    return {"query": decoded_query} if decoded_query != query else None


def userinfo_decoded(parts: Values) -> Values | None:
    """Return the userinfo with all its octets decoded."""
    userinfo = component(parts, "userinfo")
    return {"userinfo": unquote(userinfo)} if "%" in userinfo else None


def no_final_slash(parts: Values) -> Values | None:
    """Return the path without the slash at its end."""
    path = parts.get("path") or ""
    return {"path": path[:-1]} if len(path) > 1 and path.endswith("/") else None


def changes_path_of_ftp(change: Change) -> Fault:
    """Change the path of ftp URIs."""
    return shows_when(
        lambda parts: has_scheme(parts, "ftp"),
        lambda parts: {"path": change(parts["path"])},
    )


def login_in_path(parts: Values) -> Values | None:
    """Take what stands before an at sign in the path for the userinfo."""
    before, at_sign, after = component(parts, "path").partition("@")
    login = f"{parts['host']}{before}"
    if parts["authority"] is None or "@" in parts["authority"] or not at_sign:
        return None
    if parts["port"] is not None or ":" in login or ":" in after:
        return None
    host, slash, path = after.partition("/")
    return {"authority": f"{login}@{host}", "userinfo": login, "host": host, "path": slash + path}


def params(url_path: str) -> int:
    """Return where the parameters of the last segment begin, or -1."""
    return url_path.find(";", url_path.rfind("/") + 1)


def last_params(parts: Values) -> Values | None:
    """Find the parameters in the last segment (RFC 1808)."""
    path = parts["path"] + ("" if parts["params"] is None else f";{parts['params']}")
    at = params(path)
    return {"path": path if at < 0 else path[:at], "params": None if at < 0 else path[at + 1 :]}


def authority_as_path(parts: Values) -> Values | None:
    """Return the authority again as the path, if a URL ends in its authority."""
    if not parts.get("authority") or parts["path"]:
        return None
    ended = parts["query"] is None and parts["fragment"] is None
    return {"path": f"//{parts['authority']}"} if ended else None


def path_is_host(parts: Values) -> Values | None:
    """Take the first segment after a single slash for the host."""
    if parts["scheme"] not in ("http", "https", "ftp") or parts["authority"] is not None:
        return None
    if not parts["path"].startswith("/"):
        return None
    host, slash, rest = parts["path"][1:].partition("/")
    return {"authority": host, "host": host, "path": slash + rest}


def segment_as_authority(parts: Values) -> Values | None:
    """Take the first segment of a relative-path reference for the authority."""
    path = component(parts, "path")
    if not is_local(parts) or path == "" or path.startswith("/"):
        return None
    head, _, rest = path.partition("/")
    return {**authority_parts(head), "path": f"/{rest}"}


def host_of_path(parts: Values) -> Values | None:
    """Take the first segment of a relative path for the host."""
    if parts["scheme"] or parts["authority"] is not None or parts["path"].startswith("/"):
        return None
    host, slash, rest = parts["path"].partition("/")
    return {"host": host, "authority": host, "path": slash + rest}


def path_is_login(parts: Values) -> Values | None:
    """Take a path with an at sign for an authority."""
    login, at_sign, host = component(parts, "path").rpartition("@")
    if (
        not parts["scheme"]
        or parts["authority"] is not None
        or not at_sign
        or "/" in component(parts, "path")
    ):
        return None
    return {"authority": parts["path"], "userinfo": login, "host": host, "path": ""}


def colon_ends_scheme(parts: Values) -> Values:
    """Take the path up to its first colon for the scheme."""
    scheme, _, path = parts["path"].partition(":")
    return {"scheme": scheme.lower(), "path": path}


def query_after_question_mark(parts: Values) -> Values:
    """Begin the query at the question mark of the fragment."""
    before, _, query = parts["fragment"].partition("?")
    return {"path": f"{parts['path']}#{before}", "query": query, "fragment": None}


def host_in_query(parts: Values) -> Values | None:
    """Take two slashes in the query for the beginning of an authority."""
    if parts["authority"] is not None or "//" not in (parts["query"] or ""):
        return None
    host, slash, rest = parts["query"].partition("//")[2].partition("/")
    return {"authority": host, "host": host, "path": slash + rest, "query": None}


def finds_query_in_fragment(path: Callable[[Values, str], Values]) -> Fault:
    """Find the query in a fragment with a question mark; the function gives what precedes it."""

    def changed(parts: Values) -> Values | None:
        before, mark, after = component(parts, "fragment").partition("?")
        if not mark or parts["query"] is not None:
            return None
        return {"query": after, "fragment": None, **path(parts, before)}

    return shows(changed)


def fragment_before(parts: Values) -> Values:
    """Leave the fragment at the end of what is before it."""
    name = "path" if parts["query"] is None else "query"
    return {name: f"{parts[name]}#{parts['fragment']}", "fragment": None}


def fragment_in_path(parts: Values) -> Values | None:
    """Return the fragment of a reference without a scheme as the end of its query or path."""
    if parts.get("scheme") is not None or parts.get("fragment") is None:
        return None
    name = "path" if parts.get("query") is None else "query"
    return {name: f"{component(parts, name)}#{component(parts, 'fragment')}", "fragment": None}


def other_schemes_opaque(parts: Values) -> Values | None:
    """Leave query and fragment in the path unless the scheme is http, https, ftp or file."""
    if parts["scheme"] in (None, "http", "https", "ftp", "file"):
        return None
    rest = "".join(
        mark + parts[name] for mark, name in (("?", "query"), ("#", "fragment")) if parts[name] is not None
    )
    return {"path": parts["path"] + rest, "query": None, "fragment": None} if rest else None


def opaque(parts: Values) -> Values | None:
    """Leave the query in a path that does not begin with a slash."""
    if not parts["scheme"] or parts["authority"] is not None or parts["query"] is None:
        return None
    if parts["path"].startswith("/"):
        return None
    return {"path": f"{parts['path']}?{parts['query']}", "query": None}


def no_query(parts: Values) -> Values | None:
    """Return no query."""
    return {"query": None} if parts.get("query") is not None else None


FAULTS: Mapping[str, Fault] = {
    # path
    "adds_slash_after_path_of_one_character": shows_when(
        lambda parts: (
            is_local(parts)
            and parts["query"] is None
            and parts["fragment"] is None
            and re.fullmatch("[^/]", component(parts, "path")) is not None
        ),
        lambda parts: {"path": f"{parts['path']}/"},
    ),
    "adds_slash_before_relative_path": shows_when(
        lambda parts: is_local(parts) and parts["path"][:1] not in ("", "/"),
        lambda parts: {"path": f"/{parts['path']}"},
    ),
    "collapses_slashes_of_path": changes_component("path", collapse),
    "cuts_path_at_encoded_number_sign": shows(cut_at_number_sign),
    "cuts_path_at_semicolon": shows(lambda parts: {"path": parts["path"].partition(";")[0]}),
    "cuts_query_at_encoded_equals_sign": shows_generic(cut_at_encoded_equals),
    "decodes_before_splitting": shows_when(
        lambda parts: decode_ascii(whole_text(parts)) != whole_text(parts),
        lambda parts: components_of(decode_ascii(whole_text(parts))),
    ),
    "decodes_delimiters_of_parameters": shows_generic(query_decoded),
    "decodes_every_slash_of_path": shows(lambda parts: {"path": re.sub("%2[Ff]", "/", parts["path"])}),
    "decodes_host": shows_when(component_has("host", "%"), lambda parts: {"host": unquote(host_of(parts))}),
    "decodes_host_twice": shows_when(
        component_has("host", "%"), lambda parts: {"host": unquote(unquote(host_of(parts)))}
    ),
    "decodes_line_feed_in_path_and_query": shows(
        lambda parts: {name: re.sub("%0[Aa]", "\n", parts[name]) for name in ("path", "query") if parts[name]}
    ),
    "decodes_path_after_authority": shows_when(
        lambda parts: parts["authority"] is not None and decode_ascii(parts["path"]) != parts["path"],
        lambda parts: {"path": decode_ascii(parts["path"])},
    ),
    "decodes_path_twice": shows_when(
        lambda parts: decode_ascii(decode_ascii(parts["path"])) != decode_ascii(parts["path"]),
        lambda parts: {"path": decode_ascii(decode_ascii(parts["path"]))},
    ),
    "decodes_plus_in_path": shows_when(
        component_has("path", r"\+"), lambda parts: {"path": parts["path"].replace("+", " ")}
    ),
    "decodes_slash_in_path": shows_when(
        component_has("path", "%2[Ff]"), lambda parts: {"path": decoded("2f")(parts["path"])}
    ),
    "decodes_unreserved_in_path": changes_component("path", decode_unreserved),
    "decodes_userinfo": shows_generic(userinfo_decoded),
    "drops_final_dot_of_path": shows_when(
        component_has("path", r"[^/.]\.$"),
        lambda parts: {"path": parts["path"][:-1]},
    ),
    "drops_final_slash_of_path": shows(no_final_slash),
    "drops_first_slash_of_ftp_path": changes_path_of_ftp(lambda path: path.removeprefix("/")),
    "drops_first_slash_of_local_path": shows_when(
        lambda parts: is_local(parts) and parts["path"][:1] == "/",
        lambda parts: {"path": parts["path"][1:]},
    ),
    "drops_first_slash_of_web_socket_path": shows_when(
        lambda parts: is_web_socket(parts) and parts["path"].startswith("/"),
        lambda parts: {"path": parts["path"][1:]},
    ),
    "drops_params_of_last_segment_of_http": shows_when(
        lambda parts: is_http(parts) and ";" in parts["path"],
        lambda parts: {"path": re.sub(";[^/]*$", "", parts["path"])},
    ),
    "drops_slash_before_hidden_name": shows_when(
        component_has("path", r"[^/]/\.[^/.]+$"),
        lambda parts: {"path": re.sub(r"/(?=\.[^/]*$)", "", parts["path"])},
    ),
    "drops_typecode_of_ftp_path": changes_path_of_ftp(sub(";type=[aid]$", "")),
    "encodes_marks_in_path": shows(
        lambda parts: {"path": re.sub("[()*!']", lambda match: f"%{ord(match[0]):02X}", parts["path"])}
    ),
    "ends_userinfo_at_at_sign_in_path_without_colons": shows(login_in_path),
    "finds_params_in_last_segment": shows(last_params),
    "finds_scheme_before_colon_in_path": shows_when(
        lambda parts: parts["scheme"] is None and ":" in parts["path"],
        lambda parts: {
            "scheme": parts["path"].partition(":")[0],
            "path": parts["path"].partition(":")[2],
        },
    ),
    "leaves_params_of_other_schemes_in_path": shows_when(
        lambda parts: parts["params"] is not None and parts["scheme"] not in (None, "http", "https", "ftp"),
        lambda parts: {"path": f"{parts['path']};{parts['params']}", "params": None},
    ),
    "loses_local_path_with_colon": shows_when(
        lambda parts: is_local(parts) and ":" in component(parts, "path"), lambda _: {"path": ""}
    ),
    "loses_path_of_one_colon": shows_when(lambda parts: parts["path"] == ":", lambda _: {"path": ""}),
    "loses_root_without_authority": shows_when(
        lambda parts: parts["path"] == "/" and parts["authority"] is None, lambda _: {"path": ""}
    ),
    "loses_rootless_path": shows_when(is_rootless, lambda _: {"path": ""}),
    "moves_query_out_of_fragment": shows_when(
        component_has("fragment", r"\?"),
        lambda parts: {
            "query": parts["fragment"].partition("?")[2],
            "fragment": parts["fragment"].partition("?")[0],
        },
    ),
    "moves_query_to_path": shows_when(
        lambda parts: parts["query"] is not None,
        lambda parts: {"path": f"{parts['path']}?{parts['query']}", "query": None},
    ),
    "removes_dots_of_path": shows_when(
        lambda parts: parts["scheme"], lambda parts: {"path": remove_dots(parts["path"])}
    ),
    "repeats_authority_as_path": shows(authority_as_path),
    "shows_empty_path_for_root": shows_when(
        lambda parts: parts["authority"] is not None and parts["path"] == "/", lambda _: {"path": ""}
    ),
    "shows_nil_for_missing_path_of_file": shows_when(
        lambda parts: has_scheme(parts, "file") and parts["authority"] is None and not parts["path"],
        lambda _: {"authority": "", "host": "", "path": "(nil)"},
    ),
    "shows_root_after_http_host": shows_when(
        lambda parts: is_http(parts) and has_no_path(parts), lambda _: {"path": "/"}
    ),
    "shows_root_as_two_slashes": shows_when(lambda parts: parts["path"] == "/", lambda _: {"path": "//"}),
    "shows_root_for_empty_path": shows_when(lambda parts: not parts["path"], lambda _: {"path": "/"}),
    "shows_root_for_empty_path_after_authority": shows_when(has_no_path, lambda _: {"path": "/"}),
    "shows_root_for_rootless_path": shows_when(is_rootless, lambda _: {**EMPTY_AUTHORITY, "path": "/"}),
    "shows_whole_url_as_missing_path": shows_when(
        lambda parts: parts["scheme"] is not None and has_no_path(parts),
        lambda parts: {"path": text_before_query(parts)},
    ),
    "takes_first_segment_after_single_slash_for_host": shows(path_is_host),
    "takes_first_segment_of_reference_for_authority": shows(segment_as_authority),
    "takes_first_segment_of_reference_for_host": shows(host_of_path),
    "takes_host_before_port_for_scheme": shows_when(
        lambda parts: parts["scheme"] is None and bool(parts["host"]) and bool(parts["port"]),
        lambda parts: {
            **LOCALHOST,
            "scheme": f"//{parts['host']}",
            "path": f"{parts['port']}{parts['path']}",
        },
    ),
    "takes_network_path_for_file": shows_when(
        lambda parts: parts["scheme"] is None and parts["authority"], lambda _: {"scheme": "file"}
    ),
    "takes_network_path_for_path": shows_when(
        is_network_path,
        lambda parts: {
            "authority": None,
            "userinfo": None,
            "host": None,
            "port": None,
            "path": f"//{parts['authority']}{parts['path']}",
        },
    ),
    "takes_path_with_at_sign_for_authority": shows(path_is_login),
    "takes_rooted_path_for_file": shows_when(
        lambda parts: is_local(parts) and parts["path"].startswith("/"),
        lambda _: {"scheme": "file", "authority": "", "host": ""},
    ),
    "takes_rooted_path_to_colon_for_scheme": shows_when(
        lambda parts: is_local(parts) and parts["path"].startswith("/") and ":" in parts["path"],
        colon_ends_scheme,
    ),
    # query and fragment
    "adds_name_to_fragment": shows_when(
        lambda parts: (
            is_local(parts)
            and bool(parts["path"])
            and "/" not in parts["path"]
            and parts["query"] is None
            and parts["fragment"] is not None
        ),
        lambda parts: {"fragment": f"{parts['path']}#{parts['fragment']}"},
    ),
    "begins_query_at_last_question_mark": shows_when(
        component_has("query", r"\?"),
        lambda parts: {
            "path": f"{parts['path']}?{parts['query'].rpartition('?')[0]}",
            "query": parts["query"].rpartition("?")[2],
        },
    ),
    "begins_query_at_question_mark_of_fragment": shows_when(
        lambda parts: parts["query"] is None and "?" in component(parts, "fragment"),
        query_after_question_mark,
    ),
    "cuts_query_at_question_mark": shows_when(
        component_has("query", r"\?"),
        lambda parts: {"query": parts["query"].partition("?")[0]},
    ),
    "decodes_fragment": changes_component("fragment", decode_ascii),
    "decodes_query": changes_component("query", decode_ascii),
    "drops_question_marks_at_beginning_of_query": shows_when(
        lambda parts: component(parts, "query").startswith("?"),
        lambda parts: {"query": parts["query"].lstrip("?")},
    ),
    "encodes_query_of_scheme_with_mark_into_path": shows_when(
        lambda parts: re.search("[+.-]", parts["scheme"] or "") and parts["query"] is not None,
        lambda parts: {"path": f"{parts['path']}%3F{parts['query']}", "query": None},
    ),
    "finds_authority_in_query": shows(host_in_query),
    "finds_query_in_fragment": finds_query_in_fragment(lambda _, before: {"fragment": before}),
    "leaves_fragment_in_path_or_query": shows_when(
        lambda parts: parts["fragment"] is not None, fragment_before
    ),
    "leaves_fragment_of_http_in_path_or_query": shows_when(
        lambda parts: is_http(parts) and parts["fragment"] is not None, fragment_before
    ),
    "leaves_fragment_of_reference_in_path_or_query": shows_generic(fragment_in_path),
    "leaves_fragment_without_query_in_path": shows_when(
        lambda parts: parts["query"] is None and parts["fragment"] is not None, fragment_before
    ),
    "leaves_query_and_fragment_of_other_schemes_in_path": shows(other_schemes_opaque),
    "leaves_query_of_opaque_url_in_path": shows(opaque),
    "loses_fragment": shows_when(lambda parts: parts["fragment"] is not None, lambda _: {"fragment": None}),
    "loses_fragment_of_one_character": shows_when(
        lambda parts: len(component(parts, "fragment")) == 1, lambda _: {"fragment": None}
    ),
    "loses_query": shows(no_query),
    "loses_query_after_authority": shows_when(
        lambda parts: parts["authority"] is not None and bool(parts["query"]), lambda _: {"query": None}
    ),
    "loses_query_after_host": shows_when(has_query_after_host, lambda _: {"query": None}),
    "loses_query_of_web_socket": shows_when(
        lambda parts: is_web_socket(parts) and parts["query"] is not None, lambda _: {"query": None}
    ),
    "loses_query_without_fragment": shows_when(
        lambda parts: parts["query"] is not None and parts["fragment"] is None, lambda _: {"query": None}
    ),
    "replaces_fragment_by_query_in_it": finds_query_in_fragment(lambda _parts, _before: {}),
    "takes_empty_fragment_for_absent": shows_when(
        lambda parts: parts["fragment"] == "", lambda _: {"fragment": None}
    ),
    "takes_empty_query_for_absent": shows_when(lambda parts: parts["query"] == "", lambda _: {"query": None}),
}
