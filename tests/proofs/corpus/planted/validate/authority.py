"""Faults in telling which authorities are valid: userinfo, host and port (RFC 3986, section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..components import (
    AFTER_AUTHORITY,
    component,
    component_has,
    ends_in_authority_or_fragment,
    has_no_path,
    has_query_after_host,
    has_scheme,
    has_underscore_in_http,
    has_user_without_password,
    has_userinfo_without_colon,
    host_of,
    in_references,
    is_bracketed,
    is_http,
    is_ipv4,
    is_named,
    labels_of_host,
)
from ..faults import Fault, Values, crashes, crashes_at_parts, rejects, rejects_parts, tolerates
from ..texts import IPV4, TRIPLET, encoded, has, inside, sub

#: Encode a number sign before the at-sign of a userinfo.
number_sign_in_userinfo = sub(r"^([A-Za-z][A-Za-z0-9+.\-]*://[^/?#@]*)#(?=[^/?#]*@)", r"\1%23")


def password_like_port(url: str) -> bool:
    """Tell if the password is a number."""
    return re.match(r"[A-Za-z][^:/?#]*://[^@/?#:]*:\d+@", url) is not None


def has_long_number(text: str) -> bool:
    """Tell if the host begins with a number of more than 31 bits."""
    match = re.search(r"//(?:[^/?#@]*@)?([0-9]+)", text)
    return match is not None and (len(match[1]) > 30 or int(match[1]) >= 2**31)


def ends_in_number(parts: Values) -> bool:
    """Tell if a host ends in a number but is no address, not even one of fewer numbers."""
    labels = labels_of_host(parts)
    if not labels or not labels[-1].isdecimal():
        return False
    if len(labels) > 4 or not all(label.isdecimal() for label in labels):
        return True
    return any(int(label) > 255 for label in labels[:-1]) or int(labels[-1]) >= 256 ** (5 - len(labels))


def is_name_with_letter(parts: Values) -> bool:
    """Tell if the host is a name with another character than digits and dots."""
    return re.search("[^0-9.]", host_of(parts)) is not None and not is_bracketed(parts)


def private_or_local(parts: Values) -> bool:
    """Tell if the host is a name without a dot or an address that begins with 10, 127 or 192."""
    host = host_of(parts)
    local = host != "" and "." not in host and not is_bracketed(parts)
    return local or re.match(r"(10|127|192)\.\d", host) is not None


def has_ipv4_prefix(parts: Values) -> bool:
    """Tell if the host begins like an IPv4 address but is a name."""
    host = host_of(parts)
    return IPV4.match(host) is not None and IPV4.fullmatch(host) is None


def three_hyphens_in_host(parts: Values) -> bool:
    """Tell if a label of the host has three hyphens in a row."""
    return "---" in host_of(parts)


FAULTS: Mapping[str, Fault] = {
    # userinfo
    "accepts_number_sign_before_at_sign": tolerates(sub("^([^/?#]*//[^/?#@]*)#(?=@)", r"\1%23")),
    "accepts_number_sign_in_userinfo": tolerates(number_sign_in_userinfo),
    "accepts_space_in_user": tolerates(inside("authority", sub(r" (?=[^@]*@)", "%20"))),
    "accepts_truncated_escape_in_login": tolerates(
        inside("authority", sub("%(?![0-9A-Fa-f]{2})(?=[^@]*@)", "a"))
    ),
    "accepts_two_at_signs": tolerates(sub(r"//[^/?#]*@(?=[^/?#@]*@)", "//")),
    "crashes_at_at_sign_alone": crashes(has("^[^/?#]*//@$")),
    "crashes_at_login_without_port": crashes_at_parts(
        lambda parts: parts["userinfo"] is not None and parts["port"] is None
    ),
    "crashes_at_many_at_signs": crashes(lambda url: url.count("@") > 50),
    "crashes_at_password": crashes_at_parts(component_has("userinfo", ":")),
    "rejects_double_colon_in_userinfo": rejects_parts(component_has("userinfo", "::")),
    "rejects_empty_password": rejects_parts(component_has("userinfo", ":$")),
    "rejects_empty_userinfo": rejects_parts(component_has("userinfo", "^$")),
    "rejects_encoded_reserved_in_host": rejects_parts(
        component_has("host", "%(?i:2[1346-9abcf]|3[abdf]|40|5[bd])")
    ),
    "rejects_escapes_in_userinfo": rejects_parts(component_has("userinfo", "%")),
    "rejects_exclamation_mark_and_equals_in_userinfo": rejects_parts(component_has("userinfo", "[!=]")),
    "rejects_marks_in_userinfo": rejects_parts(component_has("userinfo", r"[!$&'()*+,;=]")),
    "rejects_password": rejects_parts(component_has("userinfo", ":")),
    "rejects_password_of_digits": rejects_parts(component_has("userinfo", r"^[^:]*:\d+$")),
    "rejects_password_of_digits_in_text": rejects(password_like_port),
    "rejects_password_without_scheme": rejects_parts(
        lambda parts: parts["scheme"] is None and ":" in component(parts, "userinfo")
    ),
    "rejects_password_without_user": rejects_parts(
        lambda parts: component(parts, "userinfo").startswith(":")
    ),
    "rejects_two_colons_in_userinfo": rejects_parts(lambda parts: (parts["userinfo"] or "").count(":") > 1),
    "rejects_user_without_password": rejects_parts(has_user_without_password),
    "rejects_userinfo": rejects_parts(lambda parts: parts["userinfo"] is not None),
    "rejects_userinfo_that_ends_in_digits": rejects_parts(component_has("userinfo", r":\d+$")),
    # host
    "accepts_backslash_in_authority": tolerates(inside("authority", sub(r"\\", "a"))),
    "accepts_backslash_in_authority_by_dropping": tolerates(inside("authority", sub(r"\\", ""))),
    "accepts_control_in_host": tolerates(inside("authority", encoded(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"))),
    "accepts_controls_in_authority": tolerates(inside("authority", sub(r"[\x00-\x20\x7f]", ""))),
    "accepts_double_quote_before_path": tolerates(
        sub(r'//[^/?#]*"[^/?#]*', lambda match: match[0].replace('"', ""))
    ),
    "accepts_double_quote_in_authority": tolerates(inside("authority", sub('"', "%22"))),
    "accepts_marks_in_authority": tolerates(inside("authority", sub(r'[\x00-\x20"<>\\^`{|}\x7f]', "a"))),
    "accepts_space_in_host": tolerates(inside("authority", sub(r" (?=[^@]*\Z)", "%20"))),
    "crashes_at_empty_port_of_http": crashes_at_parts(
        lambda parts: has_scheme(parts, "http") and parts["port"] == ""
    ),
    "crashes_at_ipv4_host": crashes(has(r"://(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?=[:/?#]|\Z)")),
    "crashes_at_long_number_host": crashes(has_long_number),
    "crashes_at_underscore_in_host": crashes_at_parts(has_underscore_in_http),
    "crashes_at_user_alone": crashes_at_parts(
        lambda parts: (
            has_userinfo_without_colon(parts)
            and parts["port"] is None
            and ends_in_authority_or_fragment(parts)
            and parts["fragment"] is None
        )
    ),
    "rejects_ampersand_in_query_after_host": rejects_parts(
        lambda parts: has_no_path(parts) and "&" in component(parts, "query")
    ),
    "rejects_any_port_without_host": rejects_parts(
        lambda parts: parts["host"] == "" and parts["port"] is not None
    ),
    "rejects_ascii_triplets_in_host": rejects_parts(component_has("host", "%(?!25)[0-7]")),
    "rejects_capital_host": rejects_parts(
        lambda parts: is_named(parts) and re.search("[A-Z]", re.sub(TRIPLET, "", parts["host"])) is not None
    ),
    "rejects_colon_in_registry_name": rejects(has("^[^:/?#]+://[^/?#@]*:(?![0-9]*(?:[/?#]|$))")),
    "rejects_dot_or_asterisk_first_in_host": rejects_parts(
        lambda parts: host_of(parts).startswith((".", "*"))
    ),
    "rejects_empty_authority": rejects_parts(lambda parts: parts["authority"] == ""),
    "rejects_empty_authority_without_path": rejects(has(r"^[^/?#]*//(?:$|[?#])")),
    "rejects_empty_host_but_of_file": rejects_parts(
        lambda parts: parts["host"] == "" and parts["scheme"] != "file"
    ),
    "rejects_escapes_in_host": rejects_parts(component_has("host", "%")),
    "rejects_final_dot_of_host": rejects_parts(lambda parts: host_of(parts).endswith(".")),
    "rejects_host_of_256_characters": rejects_parts(lambda parts: len(host_of(parts)) > 255),
    "rejects_host_that_ends_in_number": rejects_parts(ends_in_number),
    "rejects_hyphen_at_edge_of_label": rejects_parts(
        lambda parts: (
            is_name_with_letter(parts) and re.search(r"(?:^|\.)-|-(?:\.|$)", host_of(parts)) is not None
        )
    ),
    "rejects_hyphen_in_last_label": rejects_parts(
        lambda parts: is_http(parts) and "-" in host_of(parts).rpartition(".")[2]
    ),
    "rejects_ipv4": rejects_parts(is_ipv4),
    "rejects_label_of_64_characters": rejects_parts(component_has("host", r"[^.\[]{64}")),
    "rejects_label_that_begins_with_digit": rejects_parts(
        lambda parts: any(label[:1].isdecimal() for label in labels_of_host(parts))
    ),
    "rejects_last_octet_below_ten": rejects_parts(component_has("host", r"^([0-9]+\.){3}[0-9]$")),
    "rejects_local_host_and_private_address": rejects_parts(private_or_local),
    "rejects_localhost": rejects_parts(component_has("host", "(?i)^localhost$")),
    "rejects_localhost_and_its_address": rejects_parts(
        component_has("host", r"(?i)^(localhost|127\.0\.0\.1)$")
    ),
    "rejects_login_without_host": rejects_parts(
        lambda parts: parts["host"] == "" and parts["userinfo"] is not None
    ),
    "rejects_name_that_begins_with_digit": rejects_parts(
        lambda parts: re.match(r"\d", host_of(parts)) is not None and is_name_with_letter(parts)
    ),
    "rejects_name_that_begins_with_ipv4": rejects_parts(has_ipv4_prefix),
    "rejects_name_without_dot": rejects_parts(lambda parts: is_named(parts) and "." not in parts["host"]),
    "rejects_name_without_dot_but_localhost": rejects_parts(
        lambda parts: (
            is_name_with_letter(parts) and "." not in host_of(parts) and host_of(parts) != "localhost"
        )
    ),
    "rejects_nothing_but_empty_authority": rejects_parts(
        lambda parts: (
            parts["host"] == ""
            and parts["port"] is None
            and ends_in_authority_or_fragment(parts)
            and parts["fragment"] is None
        )
    ),
    "rejects_number_or_word_as_http_host": rejects_parts(
        lambda parts: is_http(parts) and re.fullmatch(r"\d+(?:\.\d+){3}|[^.\[]+", host_of(parts)) is not None
    ),
    "rejects_port_without_host": rejects_parts(lambda parts: parts["host"] == "" and bool(parts["port"])),
    "rejects_query_after_host": rejects_parts(has_query_after_host),
    "rejects_query_or_fragment_after_host": rejects_parts(
        lambda parts: has_no_path(parts) and (parts["query"], parts["fragment"]) != (None, None)
    ),
    "rejects_registry_name": rejects_parts(lambda parts: bool(parts["authority"]) and parts["host"] is None),
    "rejects_scheme_with_empty_authority": rejects_parts(
        lambda parts: parts["scheme"] is not None and parts["authority"] == ""
    ),
    "rejects_slash_in_host": rejects_parts(component_has("host", "%2[Ff]")),
    "rejects_sub_delims_in_host": rejects_parts(component_has("host", r"[!$&'()*+,;=]")),
    "rejects_sub_delims_in_name": rejects_parts(
        lambda parts: is_named(parts) and re.search(r"[!$&'()*+,;=]", parts["host"]) is not None
    ),
    "rejects_text_that_ends_after_two_slashes": rejects(has("^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//$")),
    "rejects_three_hyphens_in_host": rejects_parts(three_hyphens_in_host),
    "rejects_tilde_in_host": rejects_parts(component_has("host", "~")),
    "rejects_two_dots": rejects_parts(component_has("host", r"\.\.")),
    "rejects_two_hyphens": rejects_parts(component_has("host", "--")),
    "rejects_underscore_in_host": rejects_parts(component_has("host", "_")),
    "rejects_underscore_in_http_host": rejects_parts(has_underscore_in_http),
    "rejects_underscore_in_name": rejects_parts(lambda parts: is_named(parts) and "_" in parts["host"]),
    "rejects_unknown_top_level_domain": rejects_parts(
        lambda parts: (
            is_name_with_letter(parts)
            and not re.search(r"\.(?:com|net|org|edu|gov|info|[a-z]{2})\.?$", host_of(parts))
        )
    ),
    "rejects_userinfo_without_password": rejects_parts(
        lambda parts: parts["userinfo"] is not None and ":" not in parts["userinfo"]
    ),
    # port
    "accepts_any_text_after_port": tolerates(sub(r"^([a-z]+://[^/?#:@]+:\d+)[^/?#\d][^/?#]*", r"\1")),
    "accepts_authority_after_two_slashes_in_reference": in_references(tolerates(sub("^//(?=[^/])", "/"))),
    "accepts_colons_after_host": tolerates(
        inside("authority", sub(r"^((?:[^@]*@)?[^:@\[\]]*):+(?=:)", r"\1"))
    ),
    "accepts_digits_of_other_scripts_in_port": tolerates(sub(r":([^\W\D]+)" + AFTER_AUTHORITY, ":1")),
    "accepts_letters_after_digits_of_port": tolerates(
        inside("authority", sub(r":(\d+)[A-Za-z-][0-9A-Za-z-]*$", r":\1"))
    ),
    "accepts_letters_as_port": tolerates(inside("authority", sub(r":[A-Za-z][^:@\[\]]*$", ""))),
    "accepts_letters_as_port_by_a_slash": tolerates(
        sub(r"\A([^:/?#]+://[A-Za-z][^/?#@:]*):([A-Za-z])", r"\1/\2")
    ),
    "accepts_letters_as_port_of_ipv4": tolerates(
        sub(r"(//(?:[^/?#@]*@)?(?:[0-9]{1,3}\.){3}[0-9]{1,3}):[^/?#:@]*[^/?#:@0-9][^/?#:@]*", r"\1")
    ),
    "accepts_signs_in_port": tolerates(
        sub(r":([+-]?\d[\d_]*)" + AFTER_AUTHORITY, lambda match: ":" + re.sub(r"\D", "", match[1]))
    ),
    "accepts_text_after_digits_of_port": tolerates(
        inside("authority", sub(r":(?=.{1,5}$)(\d+)[^\d:@\[\]][^:@\[\]]*$", r":\1"))
    ),
    "accepts_text_as_port": tolerates(
        sub(
            r"^([^/?#]*//(?:[^/?#@]*@)?(?:\[[^\]/?#]*\]|[^/?#:@\[\]]*))"
            r":(?!\d*(?:[/?#]|$))[^/?#:@]*(?=[/?#]|$)",
            r"\1",
        )
    ),
    "accepts_two_ports": tolerates(sub(r":\d+(?=:\d+(?:[/?#]|$))", "")),
    "accepts_two_ports_of_a_name": tolerates(sub(r"^([^/?#]*//[^/?#:@\[\]]*):\d+(?=:\d+(?:[/?#]|$))", r"\1")),
    "crashes_at_empty_port": rejects_parts(lambda parts: parts["port"] == "", {"status": "error"}),
    "rejects_colon_of_port_in_http": rejects_parts(
        lambda parts: is_http(parts) and parts["port"] is not None
    ),
    "rejects_empty_port": rejects_parts(component_has("port", "^$")),
    "rejects_port_above_65535": rejects_parts(lambda parts: int(parts["port"] or 0) > 65535),
    "rejects_port_in_http": rejects_parts(lambda parts: is_http(parts) and bool(parts["port"])),
    "rejects_port_of_odd_length_after_userinfo": rejects_parts(
        lambda parts: parts["userinfo"] is not None and len(parts["port"] or "") % 2 == 1
    ),
    "rejects_port_of_one_digit": rejects_parts(lambda parts: len(parts["port"] or "") == 1),
    "rejects_port_of_six_digits": rejects_parts(lambda parts: len(component(parts, "port")) > 5),
    "rejects_port_without_scheme": rejects_parts(
        lambda parts: parts["scheme"] is None and bool(parts["port"])
    ),
    "rejects_port_zero": rejects_parts(lambda parts: parts["port"] == "0"),
    "rejects_query_after_port": rejects_parts(
        lambda parts: bool(parts["port"]) and not parts["path"] and parts["query"] is not None
    ),
    "rejects_ssh_without_port": rejects_parts(
        lambda parts: has_scheme(parts, "ssh") and parts["port"] is None
    ),
    "rejects_zero_before_port": rejects_parts(component_has("port", r"^0\d")),
}
