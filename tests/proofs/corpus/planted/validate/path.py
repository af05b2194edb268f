"""Faults in telling which schemes, paths, queries and fragments are valid (RFC 3986, sections 3 and 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..components import (
    AFTER_AUTHORITY,
    component,
    component_has,
    has_fragment_after_host,
    has_no_path,
    has_query_after_host,
    has_scheme,
    in_references,
    is_http,
    is_local,
    is_network_path,
    is_web_socket,
    is_without_authority,
)
from ..faults import (
    READING,
    Ask,
    Fault,
    Question,
    Reply,
    Values,
    crashes,
    crashes_at_parts,
    rejects,
    rejects_parts,
    tolerates,
)
from ..texts import decoded, encoded, has, in_query_and_fragment, inside, lone_percent_to_letter, sub


def plain_scheme(text: str) -> str:
    """Return a text whose scheme is not percent-encoded."""
    scheme, colon, rest = text.partition(":")
    return decoded("[0-9a-f]{2}")(scheme) + colon + rest if "%" in scheme and "/" not in scheme else text


def colons_of_first_segment(url: str) -> str:
    """Return the text with the colons of the first segment encoded if no scheme comes first."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", url):
        return url
    first = re.match(r"[^/?#]*", url)
    head = first[0] if first else ""
    return head.replace(":", "%3A") + url[len(head) :]


def path_only(url: str) -> bool:
    """Tell if the text begins with a path, not with a scheme or an authority."""
    return re.match(r"([A-Za-z][A-Za-z0-9+.-]*:|//)", url) is None and url[:1] not in ("", "?", "#")


def colon_in_path(parts: Values) -> bool:
    """Tell if the path of a URL with an authority has a colon."""
    return parts.get("authority") is not None and ":" in parts["path"]


def has_at_in_query(parts: Values) -> bool:
    """Tell if an at sign is in the query, but not in the authority."""
    return (
        parts.get("userinfo") is None
        and parts.get("authority") is not None
        and "@" in (parts.get("query") or "")
    )


def with_fragment(question: Question, right: Reply, ask: Ask) -> Reply:
    """Read an absolute URI by the rule of URIs, which may have a fragment."""
    if right["status"] != "reject" or question.get("rule") != "absolute-URI":
        return right
    reply = ask({**question, "rule": "URI"})
    return reply if reply["status"] == "ok" else right


FAULTS: Mapping[str, Fault] = {
    # scheme
    "accepts_any_character_in_scheme": tolerates(sub(r"^[A-Za-z][^:/?#]*:", "a:")),
    "accepts_any_text_as_scheme": tolerates(sub("^[^:/?#]+(?=:)", "a")),
    "accepts_controls_in_scheme": tolerates(sub(r"^[^:/?#]*[\x00-\x20][^:/?#]*(?=:)", "a")),
    "accepts_digit_before_scheme": tolerates(sub("^[0-9](?=[A-Za-z0-9+.-]*:)", "a")),
    "accepts_digits_before_scheme": tolerates(sub("^[0-9+.-]+(?=[A-Za-z][A-Za-z0-9+.-]*:)", "")),
    "accepts_empty_scheme": tolerates(sub("^:(?=//)", "a:")),
    "accepts_hyphen_before_scheme": tolerates(sub("^-(?=[A-Za-z0-9+.-]*:)", "a")),
    "accepts_percent_in_scheme": tolerates(plain_scheme),
    "accepts_plus_before_scheme": tolerates(sub(r"^\+(?=[A-Za-z0-9+.-]*:)", "a")),
    "accepts_scheme_that_begins_with_digit_or_mark": tolerates(sub(r"^[0-9+.-]", "a")),
    "accepts_underscore_in_scheme": tolerates(
        sub("^[A-Za-z][A-Za-z0-9+._-]*:", lambda match: match[0].replace("_", "-"))
    ),
    "accepts_underscore_in_scheme_before_slashes": tolerates(
        sub("^([A-Za-z][A-Za-z0-9+.-]*)_(?=[A-Za-z0-9+.-]*://)", r"\1a")
    ),
    "rejects_capital_file_scheme": rejects_parts(
        lambda parts: has_scheme(parts, "file") and parts["scheme"] != "file" and parts["authority"] == ""
    ),
    "rejects_capital_http": rejects(has("^(?!http:)(?i:http):")),
    "rejects_capital_http_before_slashes": rejects(has("^(?!https?://)(?i:https?)://")),
    "rejects_capital_in_scheme": rejects(has("^[^:/?#]*[A-Z][^:/?#]*:")),
    "rejects_capital_scheme_before_slashes": rejects(has("^[^:/?#]*[A-Z][^:/?#]*://")),
    "rejects_digit_in_scheme": rejects_parts(component_has("scheme", "[0-9]")),
    "rejects_digits_after_scheme": rejects(has(r"^[A-Za-z][A-Za-z0-9+.-]*:\d+(?:[/?#]|$)")),
    "rejects_dot_in_scheme": rejects_parts(component_has("scheme", r"\.")),
    "rejects_file_url_with_one_slash": rejects(has("^(?i:file):/(?!/)")),
    "rejects_hyphen_in_scheme": rejects_parts(component_has("scheme", "-")),
    "rejects_mark_in_scheme": rejects(has(r"^[A-Za-z][A-Za-z0-9]*[+.-][A-Za-z0-9+.-]*:")),
    "rejects_more_than_2048_characters": rejects(lambda url: len(url) > 2048),
    "rejects_more_than_2083_characters": rejects(lambda url: len(url) > 2083),
    "rejects_more_than_65534_characters": rejects(lambda url: len(url) > 65534),
    "rejects_other_than_alphanumerics_in_scheme_before_slashes": rejects(
        has("^[A-Za-z0-9]+[+.-][A-Za-z0-9+.-]*://")
    ),
    "rejects_other_than_letters_in_scheme": rejects(has("^[A-Za-z]+[0-9+.-][A-Za-z0-9+.-]*:")),
    "rejects_plus_in_scheme": rejects_parts(component_has("scheme", r"\+")),
    "rejects_plus_or_hyphen_in_scheme": rejects_parts(component_has("scheme", "[+-]")),
    "rejects_references_and_schemes_but_http_and_ftp": rejects_parts(
        lambda parts: not has_scheme(parts, "http", "https", "ftp")
    ),
    "rejects_scheme_alone": rejects(has("^[A-Za-z][A-Za-z0-9+.-]*:$")),
    "rejects_scheme_of_65_characters": rejects_parts(component_has("scheme", ".{65}")),
    "rejects_schemes_but_http_and_ftp": rejects_parts(
        lambda parts: parts["scheme"] is not None and not has_scheme(parts, "http", "https", "ftp")
    ),
    "rejects_sips": rejects(has("^(?i:sips):")),
    # path
    "accepts_address_in_brackets_after_slash": tolerates(
        sub(r"^((?:[A-Za-z][^:/?#]*:)?/)\[[0-9A-Fa-f:.]+\]", r"\1a")
    ),
    "accepts_any_octet_in_path": tolerates(inside("path", encoded(r'[\x00-\x20"<>\\^`{|}\x7F-\xFF]'))),
    "accepts_backslash": tolerates(encoded(r"\\")),
    "accepts_backslash_in_path": tolerates(inside("path", sub(r"\\", "a"))),
    "accepts_brackets_in_path": tolerates(inside("path", sub(r"[\[\]]", "a"))),
    "accepts_caret_in_path": tolerates(inside("path", sub(r"[\^`\]]", "a"))),
    "accepts_colon_at_beginning": tolerates(sub("^:+", "")),
    "accepts_colon_in_first_segment": tolerates(sub("^[^/?#]+", lambda match: match[0].replace(":", "a"))),
    "accepts_colon_in_first_segment_by_encoding": tolerates(colons_of_first_segment),
    "accepts_double_quote_in_reference": in_references(tolerates(sub('"', "a"))),
    "accepts_login_host_and_path_of_scp": tolerates(sub(r"^([\w.-]+@[\w.-]+):(?=[^/\d])", r"ssh://\1/")),
    "accepts_space_in_path_as_letter": tolerates(inside("path", sub(" ", "a"))),
    "accepts_two_colons_at_beginning": tolerates(sub("^::", "./")),
    "crashes_at_colon_after_scheme": crashes(has("^[^:/?#]+::")),
    "crashes_at_empty_path_after_authority": crashes_at_parts(has_no_path),
    "crashes_at_path_alone": crashes(path_only),
    "crashes_at_query_after_web_socket_host": crashes_at_parts(
        lambda parts: is_web_socket(parts) and has_query_after_host(parts)
    ),
    "crashes_at_reference_without_scheme": crashes_at_parts(lambda parts: parts["scheme"] is None),
    "crashes_at_relative_path": crashes_at_parts(
        lambda parts: is_local(parts) and re.match("[^/]", parts["path"]) is not None
    ),
    "crashes_at_root_after_scheme": crashes(has("^[A-Za-z][A-Za-z0-9+.-]*:/$")),
    "crashes_at_triplet_after_scheme": crashes_at_parts(
        lambda parts: (
            parts["scheme"] in ("http", "https", "ftp")
            and parts["authority"] is None
            and re.match("[^/]*%", parts["path"]) is not None
        )
    ),
    "crashes_at_web_socket_without_path": crashes_at_parts(
        lambda parts: is_web_socket(parts) and has_no_path(parts)
    ),
    "rejects_colon_after_query_or_fragment_of_name": rejects(has("^[^:/?#]*[?#][^/:]*:")),
    "rejects_colon_and_at_sign_in_http_path": rejects_parts(
        lambda parts: has_scheme(parts, "http") and re.search("[:@]", parts["path"]) is not None
    ),
    "rejects_colon_in_first_segment_after_slash": rejects(has("^/[^/?#:]*:")),
    "rejects_colon_in_later_segment": rejects(has(r"^[^:/?#]+/[^?#]*:")),
    "rejects_colon_in_path": rejects_parts(component_has("path", ":")),
    "rejects_colon_in_path_after_authority": rejects_parts(colon_in_path),
    "rejects_colon_in_query_of_name": rejects_parts(
        lambda parts: (
            is_local(parts) and "/" not in component(parts, "path") and ":" in component(parts, "query")
        )
    ),
    "rejects_colon_or_slash_in_ldap_path": rejects(has("^(?i:ldaps?)://[^/?#]*/[^?#]*[/:]")),
    "rejects_delimiters_alone": rejects(has(r"^(?:\?#?|#)$")),
    "rejects_digit_at_beginning_of_path": rejects_parts(
        lambda parts: parts["scheme"] is None and re.match(r"\d", parts["path"]) is not None
    ),
    "rejects_dot_in_path_and_query": rejects_parts(
        lambda parts: "." in component(parts, "path") or "." in component(parts, "query")
    ),
    "rejects_dot_segment_at_beginning": rejects(has(r"^\.\.?/")),
    "rejects_empty_reference": rejects(lambda url: not url),
    "rejects_escapes_in_path": rejects_parts(component_has("path", "%")),
    "rejects_letters_that_no_colon_follows": rejects(has("^[A-Za-z]+[^A-Za-z:]")),
    "rejects_network_path": rejects_parts(is_network_path),
    "rejects_network_path_of_host_and_port": rejects(has(r"^//[^/?#@]+:\d+$")),
    "rejects_number_after_first_colon_of_path": rejects_parts(
        lambda parts: is_local(parts) and re.match(r"/[^:]*:\d{1,5}/", parts["path"]) is not None
    ),
    "rejects_number_sign_alone": rejects(lambda url: url == "#"),
    "rejects_password_in_sip": rejects(has("^(?i:sips?):[^@:/?#]*:[^@/?#]*@")),
    "rejects_path_above_root": rejects_parts(component_has("path", r"^/\.\.(?:/|$)")),
    "rejects_path_that_ends_in_colon_and_digits": rejects_parts(
        lambda parts: (
            is_local(parts)
            and parts["query"] is None
            and parts["fragment"] is None
            and re.fullmatch(r"/[^:]*:\d{1,5}", component(parts, "path")) is not None
        )
    ),
    "rejects_query_after_web_socket_host": rejects_parts(
        lambda parts: is_web_socket(parts) and has_query_after_host(parts)
    ),
    "rejects_relative_path": rejects_parts(
        lambda parts: is_local(parts) and parts["path"][:1] not in ("", "/")
    ),
    "rejects_rooted_path_that_ends_in_colon_and_digits": rejects(has(r"^/(?!/)[^?#]*:\d+" + AFTER_AUTHORITY)),
    "rejects_scheme_without_authority": rejects_parts(is_without_authority),
    "rejects_scheme_without_path_and_query": rejects(has("^[^:/?#]+:(?:$|#)")),
    "rejects_single_dot_at_beginning": rejects(lambda url: url.startswith("./")),
    "rejects_slash_in_local_reference": rejects_parts(lambda parts: is_local(parts) and "/" in parts["path"]),
    "rejects_two_slashes_after_host": rejects_parts(
        lambda parts: bool(parts["authority"]) and parts["path"].startswith("//")
    ),
    "rejects_two_slashes_in_path": rejects_parts(component_has("path", "//")),
    # query and fragment
    "accepts_any_ascii_in_query": tolerates(
        inside("query", sub(r"%(?![0-9A-Fa-f]{2})|[ \"<>\[\]\\^`{|}]", "_")),
    ),
    "accepts_braces_and_quote_in_query": tolerates(inside("query", sub('[{}"]', "a"))),
    "accepts_caret_in_query": tolerates(in_query_and_fragment(sub(r"[^\x00-\x7F]|\^", "a"))),
    "accepts_fragment_of_absolute_uri": Fault(READING, with_fragment),
    "accepts_lone_percent_in_fragment": tolerates(inside("fragment", lone_percent_to_letter)),
    "accepts_second_number_sign": tolerates(sub("#(?=[^#]*#)", "%23")),
    "accepts_space_in_query": tolerates(sub(r"(?<=\?)[^#]*", lambda match: match[0].replace(" ", "%20"))),
    "accepts_vertical_bar": tolerates(encoded(r"\|")),
    "crashes_at_empty_fragment": crashes_at_parts(lambda parts: parts["fragment"] == ""),
    "crashes_at_empty_query_or_fragment": crashes_at_parts(
        lambda parts: "" in (parts["query"], parts["fragment"])
    ),
    "crashes_at_empty_value": crashes_at_parts(component_has("query", "=(?:&|$)")),
    "crashes_at_empty_value_after_authority": crashes_at_parts(
        lambda parts: (
            parts["authority"] is not None and re.search("=(?:&|$)", component(parts, "query")) is not None
        )
    ),
    "crashes_at_many_parameters": crashes(lambda url: url.partition("?")[2].count("&") > 999),
    "crashes_at_parameter_without_value": crashes_at_parts(component_has("query", "&[^=&]*(?:&|$)")),
    "crashes_at_two_number_signs_in_long_text": crashes(lambda url: len(url) > 1000 and url.count("#") > 1),
    "rejects_ampersand_at_end_of_query": rejects_parts(component_has("query", "&$")),
    "rejects_at_sign_in_query": rejects_parts(has_at_in_query),
    "rejects_colon_in_http_query": rejects_parts(
        lambda parts: has_scheme(parts, "http") and ":" in component(parts, "query")
    ),
    "rejects_colon_in_query": rejects_parts(component_has("query", ":")),
    "rejects_colon_in_query_without_scheme": rejects(has(r"^[^:?#]*\?[^#]*:")),
    "rejects_empty_fragment": rejects_parts(component_has("fragment", "^$")),
    "rejects_empty_parameter": rejects(has(r"\?(?:[^#]*&)?&")),
    "rejects_empty_query_or_fragment": rejects_parts(lambda parts: "" in (parts["query"], parts["fragment"])),
    "rejects_empty_query_or_fragment_in_text": rejects(has(r"\?(?=#|$)|#$")),
    "rejects_fragment": rejects(has("#")),
    "rejects_fragment_after_host": rejects_parts(has_fragment_after_host),
    "rejects_parentheses_in_query": rejects_parts(
        lambda parts: is_http(parts) and re.search("[()]", component(parts, "query")) is not None
    ),
    "rejects_query_after_web_socket_name": rejects_parts(
        lambda parts: (
            is_web_socket(parts)
            and parts["query"] is not None
            and re.search("[^/]$", parts["path"]) is not None
        )
    ),
    "rejects_query_of_reference_that_ends_in_colon_and_digits": rejects_parts(
        lambda parts: is_local(parts) and re.search(r":\d{1,5}$", component(parts, "query")) is not None
    ),
    "rejects_query_without_equals_sign": rejects_parts(
        lambda parts: is_http(parts) and bool(parts["query"]) and "=" not in parts["query"]
    ),
    "rejects_second_equals_sign_in_parameter": rejects_parts(component_has("query", "(?:^|&)[^&=]*=[^&=]*=")),
    "rejects_second_equals_sign_in_query": rejects(has(r"\?[^#]*=[^&#]*=")),
    "rejects_slash_in_http_fragment": rejects_parts(
        lambda parts: is_http(parts) and "/" in component(parts, "fragment")
    ),
}
