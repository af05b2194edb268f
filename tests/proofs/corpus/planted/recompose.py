"""Faults in recomposing a URL from its components (RFC 3986, section 5.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote

from .components import component
from .faults import (
    CRASHED,
    REJECTED,
    Ask,
    Fault,
    Question,
    Reply,
    Values,
    recomposed,
    recomposed_as,
    recomposes,
)
from .texts import (
    Change,
    collapse,
    decoded,
    encode_percent,
    encoded,
    inside,
    join,
    lower_triplets,
    plus_to_space,
    remove_dots,
    split,
    sub,
    without_query_and_fragment,
)


def default_port_added(url: str) -> str:
    """Return a web URL with the default port of its scheme if it has no port."""
    parts = split(url)
    port = {"http": "80", "https": "443"}.get(parts.scheme or "")
    if port is None or parts.authority is None or re.search(":[0-9]*$", parts.authority):
        return url
    return join(parts._replace(authority=f"{parts.authority}:{port}"))


def equals_sign_added(query: str) -> str:
    """Add an equals sign to each parameter without one."""
    return "&".join(
        parameter if "=" in parameter or not parameter else f"{parameter}=" for parameter in query.split("&")
    )


def question_mark_added(components: Values, right: str) -> str:
    """Write the question mark of an absent query."""
    if components.get("query") is not None:
        return right
    before, mark, fragment = right.partition("#")
    return f"{before}?{mark}{fragment}"


def number_sign_added(components: Values, right: str) -> str:
    """Write the number sign of an absent fragment."""
    return f"{right}#" if components.get("fragment") is None else right


def crashes_at_components(test: Callable[[Values], bool]) -> Fault:
    """End in an error at the components that the test is true of."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        return CRASHED if right["status"] == "ok" and test(question["components"]) else right

    return Fault(("recompose",), answer)


def written_host_and_port(components: Values) -> str:
    """Return the authority without its userinfo."""
    return (components["authority"] or "").rpartition("@")[2]


def crashes_at_text(test: Callable[[str], bool]) -> Fault:
    """End in an error instead of recomposing the URLs that the test is true of."""

    def answer(_question: Question, right: Reply, _ask: Ask) -> Reply:
        return CRASHED if right["status"] == "ok" and test(right["url"]) else right

    return Fault(("recompose",), answer)


def no_port(question: Question, right: Reply, _ask: Ask) -> Reply:
    """End in an error if there is a host and no port."""
    parts = question["components"]
    return CRASHED if parts.get("host") is not None and parts.get("port") is None else right


def in_userinfo(change: Change) -> Change:
    """Return a function on URLs that changes the userinfo."""
    return inside(
        "authority", lambda authority: re.sub("^.*(?=@)", lambda match: change(match[0]), authority)
    )


def doubled_brackets(url: str) -> str:
    """Return a URL of https with two pairs of brackets and a port, if it has an IP literal and no port."""
    if split(url).scheme != "https":
        return url
    return inside("authority", sub(r"(\[[^\]]*\])$", r"[\1]:443"))(url)


def slash_before_root(components: Values, right: str) -> str:
    """Write a slash between an authority and a path that begins with a slash."""
    authority = component(components, "authority")
    if not authority or not component(components, "path").startswith("/"):
        return right
    return right.replace(f"//{authority}/", f"//{authority}//", 1)


def no_empty_authority(components: Values, right: str) -> str:
    """Leave out the slashes of an empty authority."""
    if components.get("authority") == "" and not component(components, "path").startswith("//"):
        return right.replace("//", "", 1)
    return right


def no_empty_query(url: str) -> str:
    """Leave out an empty query."""
    return join(split(url)._replace(query=split(url).query or None))


def no_empty_parts(components: Values, right: str) -> str:
    """Leave out the delimiters of an empty query and an empty fragment."""
    text = right[:-1] if components.get("fragment") == "" else right
    return re.sub(r"\?(?=#|$)", "", text) if components.get("query") == "" else text


def dots_lost(components: Values, right: str) -> str:
    """Leave out the first dot-segments of a local reference."""
    relative = components["scheme"] is None and components["authority"] is None
    return re.sub(r"^(?:\.\.?/)+", "", right) if relative else right


def no_fragment(url: str) -> str:
    """Return the URL without its fragment."""
    return join(split(url)._replace(fragment=None))


def no_http_fragment(url: str) -> str:
    """Return a URL of http or https without its fragment."""
    return no_fragment(url) if (split(url).scheme or "").lower() in ("http", "https") else url


def zero_without_hash(components: Values, right: str) -> str:
    """Leave out the delimiter of a fragment that is 0."""
    return f"{right[:-2]}0" if components.get("fragment") == "0" else right


def no_relative_port(url: str) -> str:
    """Return a relative reference without its port."""
    return url if split(url).scheme is not None else inside("authority", sub(r":\d+$", ""))(url)


def no_slash_after_port(url: str) -> str:
    """Write the default port, and no slash after a port."""
    match = re.fullmatch(r"(https?)(://[^/?#:@]+)(:\d+)?/(.*)", url, re.DOTALL)
    if match is None:
        return url
    return match[1] + match[2] + (match[3] or {"http": ":80", "https": ":443"}[match[1]]) + match[4]


def network_path(components: Values, right: str) -> str:
    """Leave out the slashes before an authority without a scheme."""
    return right[2:] if components.get("scheme") is None and components.get("authority") else right


def ipv6_encoded(components: Values, right: str) -> str:
    """Encode an address instead of writing it in brackets."""
    match = re.search(r"\[([0-9A-Fa-f:.]+)\]", component(components, "authority"))
    return right if match is None else right.replace(match[0], match[1].replace(":", "%3A"), 1)


def escaped_fragment(url: str) -> str:
    """Return the URL with an encoded number sign, and the query after the fragment."""
    parts = split(url)
    if parts.fragment is None:
        return url
    query = "" if parts.query is None else f"?{parts.query}"
    return f"{join(parts._replace(query=None, fragment=None))}%23{parts.fragment}{query}"


def refuses_scheme(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Refuse to recompose a scheme that does not end in a letter."""
    scheme = question["components"].get("scheme") or "a"
    return REJECTED if right["status"] == "ok" and not scheme[-1].isalpha() else right


def last_colon_becomes_slash(components: Values, right: str) -> str:
    """Write a slash for the last colon of a URL of ssh."""
    before, _, after = right.rpartition(":")
    return f"{before}/{after}" if components["scheme"] in ("ssh", "git+ssh") else right


def absent_is_written(components: Values, right: str) -> str:
    """Write the delimiters of all components if there is no authority."""
    if components["scheme"] is None or components["authority"] is not None:
        return right
    query = components["query"] or ""
    fragment = components["fragment"] or ""
    return f"{components['scheme']}://@:{components['path']}?{query}#{fragment}"


def dot_before_colon(url: str) -> str:
    """Return a relative reference with `./` in front if there is a colon in any segment."""
    parts = split(url)
    late = parts.path.startswith("/") or ":" not in parts.path.partition("/")[0]
    if parts.scheme is None and parts.authority is None and ":" in parts.path and late:
        return f"./{url}"
    return url


def slash_before_relative_path(components: Values, right: str) -> str:
    """Write a slash before a relative path."""
    is_local = component(components, "scheme") == "" and components.get("authority") is None
    path = component(components, "path")
    return f"/{right}" if is_local and path[:1] not in ("", "/") else right


def query_in_path(url: str) -> str:
    """Encode the question mark before the query, and the sub-delims in the query."""
    parts = split(url)
    if parts.query is None:
        return url
    query = encoded("[!$&'()*+,;=]")(parts.query)
    return join(parts._replace(path=f"{parts.path}%3F{query}", query=None))


def query_in_fragment(url: str) -> str:
    """Append the query to the fragment if the fragment has a question mark."""
    parts = split(url)
    if parts.query is None or "?" not in (parts.fragment or ""):
        return url
    return join(parts._replace(query=None, fragment=f"{parts.fragment}&{parts.query}"))


def query_at_first_question_mark(url: str) -> str:
    """Write the query after the first question mark, even in the fragment, and then the whole fragment."""
    parts = split(url)
    fragment = parts.fragment or ""
    if parts.query is None or "?" not in fragment:
        return url
    document = join(parts._replace(query=None, fragment=None))
    return f"{document}#{fragment.partition('?')[0]}?{parts.query}#{fragment}"


def question_mark_doubled(components: Values, right: str) -> str:
    """Write the question mark of the query twice."""
    return right.replace("?", "??", 1) if components.get("query") is not None else right


def no_scheme_without_authority(url: str) -> str:
    """Leave out the scheme of a URL without an authority."""
    parts = split(url)
    return join(parts._replace(scheme=None)) if parts.authority is None else url


FAULTS: Mapping[str, Fault] = {
    "adds_at_sign": recomposed(sub("^([^/?#]*//)(?=[^/?#@]+(?:[/?#]|$))", r"\1@")),
    "adds_colon_and_slash_after_brackets": recomposed(
        sub(r"^((?:[^:/?#]+:)?//(?:[^/?#@]*@)?\[[^\]]*\])(?=/)", r"\1:/")
    ),
    "adds_default_port": recomposed(default_port_added),
    "adds_delimiters_of_absent_query_and_fragment": recomposed_as(
        lambda parts, right: (
            f"{right}?#" if parts.get("query") is None and parts.get("fragment") is None else right
        )
    ),
    "adds_equals_sign_to_parameter": recomposed(inside("query", equals_sign_added)),
    "adds_number_sign": recomposed_as(number_sign_added),
    "adds_port_minus_one": recomposed(sub("^([A-Za-z][^:/?#]*://[^/?#:]+)(?=[/?#]|$)", r"\1:-1")),
    "adds_port_minus_one_to_http": recomposed(sub("^(https?://[^/?#:]+)(?=[/?#]|$)", r"\1:-1")),
    "adds_question_mark": recomposed_as(question_mark_added),
    "adds_root_after_host": recomposed(sub("^((?:[^:/?#]+:)?//[^/?#]+)(?=[?#]|$)", r"\1/")),
    "adds_slash_before_query": recomposed_as(
        lambda parts, right: (
            right.replace("?", "/?", 1)
            if parts.get("authority") and not parts.get("path") and parts.get("query") is not None
            else right
        )
    ),
    "adds_slash_before_relative_path": recomposed_as(slash_before_relative_path),
    "adds_slashes_after_scheme": recomposed(sub("^([^:/?#]+:)(?!//)", r"\1//")),
    "adds_slashes_after_web_schemes": recomposed(sub("^(https?|ftp):(?!//)", r"\1://")),
    "adds_slashes_before_empty_path_of_file": recomposed(sub("^file:(?=[?#]|$)", "file://")),
    "adds_slashes_before_query": recomposed(sub(r"^([A-Za-z][^:/?#]*:)(?=\?)", r"\1//")),
    "adds_slashes_before_root_of_file": recomposed_as(
        lambda parts, right: (
            re.sub("^file:(?!//)", "file://", right) if parts.get("path", "").startswith("/") else right
        )
    ),
    "adds_slashes_before_rootless_path": recomposed(sub("^([A-Za-z][A-Za-z0-9+.-]*:)(?!/)(?=.)", r"\1//")),
    "adds_slashes_before_rootless_path_of_file": recomposed(sub("^file:(?!/)", "file://")),
    "adds_three_slashes_after_known_schemes": recomposed(
        sub("^(http|https|ftp|file|gopher|nntp|telnet|wais|prospero):/?(?!/)", r"\1:///")
    ),
    "adds_three_slashes_before_any_rootless_path": recomposed(
        sub("^([A-Za-z][A-Za-z0-9+.-]*:)(?=[^/?#])", r"\1///")
    ),
    "adds_three_slashes_before_rootless_path": recomposed(sub("^(https?|ftp|file):(?=[^/?#])", r"\1:///")),
    "collapses_slashes_of_path": recomposed(inside("path", collapse)),
    "crashes_at_address_in_brackets": crashes_at_components(
        lambda components: "[" in (components.get("authority") or "")
    ),
    "crashes_at_empty_port": crashes_at_components(
        lambda components: written_host_and_port(components).endswith(":")
    ),
    "crashes_at_port_without_host": crashes_at_components(
        lambda components: written_host_and_port(components).startswith(":")
    ),
    "crashes_at_underscore_in_host": crashes_at_text(
        lambda url: "_" in (split(url).authority or "").rpartition("@")[2]
    ),
    "crashes_without_port": Fault(("recompose",), no_port),
    "decodes_colon_and_slash_in_query": recomposed(inside("query", decoded("3a|2f"))),
    "decodes_components": recomposed(unquote),
    "decodes_delimiters_and_space_in_path": recomposed(inside("path", decoded("3f|23|20"))),
    "decodes_delimiters_in_userinfo": recomposed(in_userinfo(decoded("40|3a|2f"))),
    "decodes_fragment": recomposed(inside("fragment", unquote)),
    "decodes_percent_in_gopher": recomposed(sub("^(?i:gopher)://.*", lambda match: decoded("25")(match[0]))),
    "decodes_question_mark_and_number_sign_in_path": recomposed(inside("path", decoded("3f|23"))),
    "decodes_reserved_in_fragment": recomposed(inside("fragment", decoded("2[1-9a-f]|3[a-f]|40"))),
    "decodes_slash_in_path": recomposed(inside("path", decoded("2F"))),
    "decodes_slash_question_mark_number_sign_and_at_sign_in_userinfo": recomposed(
        in_userinfo(decoded("2f|3f|23|40"))
    ),
    "decodes_userinfo": recomposed(in_userinfo(unquote)),
    "doubles_brackets": recomposed(inside("authority", sub(r"\[([^\]]*)\]", r"[[\1]]"))),
    "doubles_brackets_before_added_port": recomposed(doubled_brackets),
    "doubles_number_sign": recomposed(sub("#", "##", 1)),
    "doubles_question_mark": recomposed_as(question_mark_doubled),
    "doubles_slash_after_authority": recomposed_as(slash_before_root),
    "doubles_slashes_of_ftp": recomposed(sub("^ftp:.*", lambda match: match[0].replace("/", "//"))),
    "doubles_tilde_in_query": recomposed(inside("query", sub("~", "~~"))),
    "drops_at_sign": recomposed(inside("authority", sub("@", "", 1))),
    "drops_brackets": recomposed(sub(r"\[([^\]]*)\]", r"\1")),
    "drops_brackets_of_ipv6": recomposed(inside("authority", sub(r"\[([0-9A-Fa-f:.]+)\]", r"\1"))),
    "drops_default_port_of_http": recomposed(sub(r"^(http://[^/?#]*):80(?=[/?#]|$)", r"\1")),
    "drops_dot_before_slashes": recomposed(lambda right: right.replace(":/.//", "://", 1)),
    "drops_empty_authority": recomposed_as(no_empty_authority),
    "drops_empty_authority_of_scheme": recomposed(sub(r"^([^:/?#]+:)//(?=/(?!/))", r"\1")),
    "drops_empty_fragment": recomposed(sub("#$", "")),
    "drops_empty_password": recomposed(sub("^([^/?#]*)//[^/?#@:]*:@", r"\1//")),
    "drops_empty_port": recomposed(inside("authority", sub(":$", ""))),
    "drops_empty_query": recomposed(no_empty_query),
    "drops_empty_query_and_fragment": recomposed_as(no_empty_parts),
    "drops_empty_userinfo": recomposed(inside("authority", sub("^@", ""))),
    "drops_encoded_number_sign_of_fragment": recomposes(
        lambda components: (
            {"fragment": components["fragment"][3:]}
            if (components.get("fragment") or "").startswith("%23")
            else None
        )
    ),
    "drops_final_question_mark": recomposed(sub(r"\?(?=#|$)", "")),
    "drops_first_dots": recomposed_as(dots_lost),
    "drops_fragment": recomposed(sub("#.*", "")),
    "drops_fragment_of_http": recomposed(no_http_fragment),
    "drops_number_sign_before_zero": recomposed_as(zero_without_hash),
    "drops_params": recomposes(lambda parts: {"params": None} if parts.get("params") is not None else None),
    "drops_password_without_user": recomposed(sub("^([^/?#]*)//:[^/?#@]*@", r"\1//")),
    "drops_port": recomposed(inside("authority", sub(":[0-9]*$", ""))),
    "drops_port_of_network_path": recomposed(no_relative_port),
    "drops_port_zero": recomposed(sub(r"^([^/?#]*//[^/?#]*):0(?=[/?#]|$)", r"\1")),
    "drops_query_and_fragment": recomposed(without_query_and_fragment),
    "drops_query_and_fragment_of_zero": recomposes(
        lambda parts: {name: None for name in ("query", "fragment") if parts.get(name) == "0"}
    ),
    "drops_question_mark_at_beginning_of_query": recomposed_as(
        lambda parts, right: (
            right.replace("??", "?", 1) if (parts.get("query") or "").startswith("?") else right
        )
    ),
    "drops_root": recomposes(
        lambda parts: {"path": ""} if parts.get("path") == "/" and parts.get("authority") else None
    ),
    "drops_scheme_without_authority": recomposed(no_scheme_without_authority),
    "drops_slash_after_default_port": recomposed(
        sub("^(http://[^/?#]*:80|https://[^/?#]*:443)/(?=.)", r"\1")
    ),
    "drops_slash_after_port": recomposed(no_slash_after_port),
    "drops_slashes_of_host_without_scheme": recomposed_as(network_path),
    "drops_slashes_of_network_path": recomposed(sub("^//", "")),
    "drops_userinfo": recomposed(inside("authority", sub(r"\A.*@", ""))),
    "encodes_address_in_brackets": recomposed(
        inside("authority", sub(r"\[[^\]]*\]", lambda match: encoded(r"[\[\]:]")(match[0])))
    ),
    "encodes_all_but_slashes": recomposed(quote),
    "encodes_at_sign_in_path": recomposed(inside("path", encoded("@"))),
    "encodes_brackets_of_address": recomposed(inside("authority", encoded(r"[\[\]]"))),
    "encodes_colon_in_path": recomposed(inside("path", encoded(":"))),
    "encodes_colon_of_authority": recomposed(inside("authority", sub(":", "%3A"))),
    "encodes_colon_of_userinfo": recomposed(sub(r"(//[^/?#@:]*):([^/?#@]*@)", r"\1%3A\2")),
    "encodes_colons_of_address_without_brackets": recomposed_as(ipv6_encoded),
    "encodes_number_sign": recomposed(sub("#", "%23")),
    "encodes_number_sign_and_moves_query": recomposed(escaped_fragment),
    "encodes_parentheses_and_ampersand_in_path": recomposed(inside("path", encoded("[()&]"))),
    "encodes_path_twice": recomposed(inside("path", encode_percent)),
    "encodes_percent": recomposed(encode_percent),
    "encodes_percent_in_fragment": recomposed(inside("fragment", encode_percent)),
    "encodes_percent_in_query": recomposed(inside("query", encode_percent)),
    "encodes_plus_in_path": recomposed(inside("path", sub(r"\+", "%2B"))),
    "encodes_question_mark_and_sub_delims_of_query": recomposed(query_in_path),
    "encodes_second_of_two_slashes": recomposed(lambda right: right[:8] + right[8:].replace("//", "/%2F")),
    "encodes_semicolon_in_path": recomposed(inside("path", encoded(";"))),
    "encodes_semicolon_in_query": recomposed(inside("query", encoded(";"))),
    "encodes_slash_in_fragment_with_equals_sign": recomposed(
        inside(
            "fragment",
            lambda fragment: (
                fragment.replace("/", "%2F") if "=" in fragment and "?" not in fragment else fragment
            ),
        )
    ),
    "encodes_slash_and_sub_delims_in_fragment": recomposed(inside("fragment", encoded("[/!$&'()*+,;=]"))),
    "encodes_sub_delims_in_query": recomposed(inside("query", encoded("[!$'()*,;]"))),
    "encodes_sub_delims_in_userinfo": recomposed(
        sub("^[^/?#]*//[^/?#@]*@", lambda match: encoded("[$&+,;=]")(match[0]))
    ),
    "encodes_tilde": recomposed(encoded("~")),
    "joins_four_slashes": recomposed(sub("^((?:[^:/?#]+:)?)//(?=//)", r"\1")),
    "joins_three_slashes": recomposed(
        lambda right: right.replace("///", "/", 1) if "////" not in right else right
    ),
    "leaves_percent_before_digits_unescaped": recomposed(sub("%25(?=[0-9A-Fa-f]{2})", "%")),
    "leaves_percent_of_address_unescaped": recomposed(
        lambda right: right.replace("%25", "%") if right.startswith("mailto:") else right
    ),
    "loses_authority_with_ace_label": recomposed(
        lambda right: (
            join(split(right)._replace(authority=None))
            if re.search(r"(?i)(?:^|[@.])xn--", split(right).authority or "")
            else right
        )
    ),
    "loses_root": recomposed(lambda right: right.removesuffix("/") if split(right).path == "/" else right),
    "lowers_path": recomposed(inside("path", str.lower)),
    "lowers_triplets_of_authority": recomposed(inside("authority", lower_triplets)),
    "rejects_scheme_that_ends_in_digit": Fault(("recompose",), refuses_scheme),
    "removes_dots": recomposed(inside("path", remove_dots)),
    "replaces_last_colon_by_slash": recomposed_as(last_colon_becomes_slash),
    "replaces_plus_by_space": recomposed(
        lambda right: inside("path", plus_to_space)(inside("query", plus_to_space)(right))
    ),
    "replaces_plus_by_space_in_path": recomposed(inside("path", plus_to_space)),
    "replaces_space_by_plus_in_path": recomposed(inside("path", sub("%20", "+"))),
    "replaces_space_by_plus_in_query": recomposed(inside("query", sub("%20", "+"))),
    "writes_colon_after_host_of_ssh": recomposed(sub(r"^((?:git\+)?ssh://[^/?#:]+)/", r"\1:")),
    "writes_delimiters_of_absent_components": recomposed_as(absent_is_written),
    "writes_dot_after_root": recomposed_as(
        lambda parts, right: (
            right.replace("/", "/./", 1)
            if parts.get("path") == "/"
            and parts.get("authority") is None
            and not right.partition(":")[2].startswith("//")
            else right
        )
    ),
    "writes_dot_before_late_colon": recomposed(dot_before_colon),
    "writes_fragment_before_query": recomposed(
        lambda right: (
            join(split(right)._replace(query=None, fragment=None))
            + f"#{split(right).fragment}?{split(right).query}"
            if split(right).fragment is not None and split(right).query is not None
            else right
        )
    ),
    "writes_query_after_first_question_mark": recomposed(query_at_first_question_mark),
    "writes_query_into_fragment_with_question_mark": recomposed(query_in_fragment),
    "writes_slash_for_encoded_one_before_ftp_path": recomposed(sub("^((?i:ftp)://[^/]*/)%2[Ff]", r"\1/")),
}
