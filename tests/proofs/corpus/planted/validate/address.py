"""Faults in telling which addresses in brackets are valid hosts (RFC 3986, section 3.2.2; RFC 2732)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote

from ..components import AFTER_AUTHORITY, component_has, has_scheme, host_of, is_bracketed, is_http
from ..faults import (
    Ask,
    Fault,
    Question,
    Reply,
    Values,
    crashes,
    crashes_at_parts,
    rejects,
    rejects_parts,
    shows,
    tolerates,
)
from ..texts import Change, encoded, has, in_brackets, inside, sub

#: The beginning of a text up to the host.
BEFORE_HOST = r"^([^/?#]*//(?:[^/?#@]*@)?)"

#: An IPv6 address in brackets, with nothing but groups and colons.
GROUPS_IN_BRACKETS = re.compile(r"\[([0-9A-Fa-f:]+)\]")

#: Put brackets around an IPv6 address that has none.
bracketed = sub(
    r"^([A-Za-z][A-Za-z0-9+.\-]*://)([0-9A-Fa-f]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)(?=[/?#]|$)", r"\1[\2]"
)


def in_addresses(test: Callable[[str], bool], change: Change) -> Change:
    """Return a function that changes the addresses that the test is true of."""
    return lambda url: GROUPS_IN_BRACKETS.sub(
        lambda match: f"[{change(match[1])}]" if test(match[1]) else match[0], url
    )


def count_groups(address: str) -> int:
    """Return how many groups an IPv6 address has, without the elided ones."""
    return len([group for group in address.split(":") if group])


def eight_groups(address: str) -> str:
    """Cut off what follows the eighth group."""
    return ":".join(address.split(":")[:8]) if "::" not in address else address


def small_octets(url: str) -> str:
    """Replace the numbers above 255 of an IPv4 address in brackets."""
    return re.sub(
        r"\[[0-9A-Fa-f:]*:(?:\d{1,3}\.){3}\d{1,3}\]",
        lambda match: re.sub(r"(?<=[:.])(?:25[6-9]|2[6-9]\d|[3-9]\d\d)(?=[.\]])", "1", match[0]),
        url,
    )


def unsafe_before_at(url: str) -> str:
    """Return the text with the quotes and angle brackets before the last at-sign encoded."""
    head, at, tail = url.rpartition("@")
    return encoded('["<>]')(head) + at + tail


def first_of(*faults: Fault) -> Fault:
    """Return a fault that answers with the first of these that gives another answer than the right one."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        replies = (
            fault.answer(question, right, ask) for fault in faults if question["op"] in fault.operations
        )
        return next((reply for reply in replies if reply != right), right)

    return Fault(
        tuple(dict.fromkeys(operation for fault in faults for operation in fault.operations)), answer
    )


def no_digit_after_colon(parts: Values) -> bool:
    """Tell if no digit follows the first colon of an IP literal."""
    return is_bracketed(parts) and not re.match(r"[^:]*:\d", parts["host"])


def number_after_colon(parts: Values) -> Values | None:
    """Return the number after the first colon of an IP literal as the port."""
    match = re.match(r"(\[[^:]*):(\d+)", parts.get("host") or "")
    return {"host": match[1], "port": match[2]} if match else None


def upper_case_ipv6(parts: Values) -> bool:
    """Tell if an IPv6 address has a letter in upper case."""
    return is_bracketed(parts) and re.search("[A-F]", host_of(parts)) is not None


def has_elision_beside(*numbers: int) -> Callable[[str], bool]:
    """Return a function that tells if an address has two colons in a row beside so many groups."""

    def test(url: str) -> bool:
        addresses = GROUPS_IN_BRACKETS.findall(url)
        return any("::" in address and count_groups(address) in numbers for address in addresses)

    return test


FAULTS: Mapping[str, Fault] = {
    "accepts_angle_brackets_in_host": tolerates(
        sub(BEFORE_HOST + "([^/?#]*)", lambda match: re.sub("[<>]", "a", match[0]))
    ),
    "accepts_any_character_in_future_address": tolerates(sub(r"\[([vV][0-9A-Fa-f]+\.)[^\]/?#]+\]", r"[\1a]")),
    "accepts_any_login_before_address": tolerates(sub(r"//[^/?#@]*@(?=\[)", "//")),
    "accepts_bracket_in_userinfo": tolerates(sub(r"//([^/?#@[]*)\[([^/?#@]*@)", r"//\1\2")),
    "accepts_brackets_in_path_after_authority": tolerates(
        sub(r"^([^?#]*//[^/?#]*/)([^?#]*)", lambda match: match[1] + encoded(r"[\[\]]")(match[2]))
    ),
    "accepts_closing_bracket_alone": tolerates(
        inside("authority", sub(r"^([^\[\]]*)\]([^\[\]]*)$", r"\1\2"))
    ),
    "accepts_colon_at_end_of_ipv6": tolerates(in_brackets(sub("(?<=[^:]):$", ""))),
    "accepts_colon_in_host": tolerates(
        sub(BEFORE_HOST + r"([^:/?#@[\]]*):[^/?#@[\]]*:(\d*)" + AFTER_AUTHORITY, r"\1\2:\3")
    ),
    "accepts_colons_in_host": tolerates(
        sub(BEFORE_HOST + r"([0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f]*)" + AFTER_AUTHORITY, r"\1[::1]")
    ),
    "accepts_eight_groups_and_elision": tolerates(
        in_addresses(lambda url: "::" in url and count_groups(url) == 8, lambda url: url.replace("::", ":"))
    ),
    "accepts_empty_brackets": tolerates(sub(r"\[\]", "[::1]")),
    "accepts_empty_future_address": tolerates(sub(r"\[[vV][0-9A-Fa-f]*\.\]", "[v1.a]")),
    "accepts_escapes_after_bracket": tolerates(sub(r"\](?:%[0-9A-Fa-f]{2})+", "]")),
    "accepts_escapes_in_brackets": tolerates(sub(r"\[[^\]]*\]", lambda match: unquote(match[0]))),
    "accepts_future_address_without_version": tolerates(sub(r"\[[vV]\.(?=[^\]])", "[v1.")),
    "accepts_group_of_five_digits": tolerates(
        in_brackets(sub("[0-9A-Fa-f]{5,}", lambda match: match[0][-4:]))
    ),
    "accepts_group_of_five_digits_that_begins_with_zero": tolerates(
        in_brackets(sub("(?<![0-9A-Fa-f])0(?=[0-9A-Fa-f]{4}(?![0-9A-Fa-f]))", ""))
    ),
    "accepts_ipv4_after_six_groups_and_two_colons": tolerates(
        in_brackets(sub(r"^((?:[0-9A-Fa-f]{1,4}:){6}):(?=\d+(?:\.\d+){3}$)", r"\1"))
    ),
    "accepts_ipv4_in_brackets": tolerates(sub(r"\[\d+\.\d+\.\d+\.\d+\]", "[::1]")),
    "accepts_ipv6_and_port_without_brackets": tolerates(
        inside("authority", sub(r"(?:^|(?<=@))[0-9A-Fa-f:]*:[0-9A-Fa-f]*:(?=\d+$)", "a:"))
    ),
    "accepts_ipv6_without_brackets": tolerates(bracketed),
    "accepts_junk_after_ipv6": tolerates(in_brackets(sub("(?<=[0-9A-Fa-f:])[^0-9A-Fa-f:.].*$", ""))),
    "accepts_leading_zero_in_octet": tolerates(
        sub(r"\[[0-9A-Fa-f:]*:[\d.]+\]", lambda match: re.sub(r"(?<=[:.])0+(?=\d{1,3}[.\]])", "", match[0]))
    ),
    "accepts_letters_in_version_of_future_address": tolerates(sub(r"\[[vV][0-9A-Za-z]+\.(?=[^\]])", "[v1.")),
    "accepts_name_in_brackets": tolerates(sub(BEFORE_HOST + r"\[[^\]\[/?#@]*\]", r"\1[::1]")),
    "accepts_nine_groups": tolerates(in_brackets(eight_groups)),
    "accepts_octet_above_255_in_ipv6": tolerates(small_octets),
    "accepts_open_bracket": tolerates(sub(BEFORE_HOST + r"\[([^\]/?#]*)" + AFTER_AUTHORITY, r"\1a")),
    "accepts_other_letters_in_group": tolerates(
        sub(r"\[(?![vV])[0-9A-Za-z:]+\]", lambda match: re.sub("[G-Zg-z]", "a", match[0]))
    ),
    "accepts_port_without_colon": tolerates(inside("authority", sub(r"\](?=\d+$)", "]:"))),
    "accepts_quote_and_angle_brackets_in_userinfo": tolerates(unsafe_before_at),
    "accepts_scope_of_address": tolerates(sub(r"(\[[0-9A-Fa-f:.]+)%[0-9A-Za-z_.%-]+\]", r"\1]")),
    "accepts_seven_groups": tolerates(
        in_addresses(lambda url: "::" not in url and count_groups(url) == 7, lambda url: f"{url}:0")
    ),
    "accepts_single_colon_at_edge": tolerates(sub(r"(?<=\[):(?=[^:])|(?<=[^:]):(?=\])", "")),
    "accepts_text_after_brackets": tolerates(sub(r"(\])[^:/?#\]]+", r"\1")),
    "accepts_text_after_ipv6_literal": tolerates(
        inside("authority", sub(r"^(\[[^\[\]]*\])(?=[^:])", r"\1/"))
    ),
    "accepts_text_around_brackets": tolerates(
        sub(BEFORE_HOST + r"[^\]:/?#@[]*(\[[^\]]*\])[^:/?#@[]*", r"\1\2")
    ),
    "accepts_text_before_bracket": tolerates(sub(BEFORE_HOST + r"[^\]:/?#@[]+\[", r"\1[")),
    "accepts_two_elisions": tolerates(
        in_addresses(lambda url: url.count("::") > 1, lambda url: url.replace("::", ":").strip(":") + "::")
    ),
    "accepts_zero_before_four_digits": tolerates(sub(r"([\[:])0+([0-9A-Fa-f]{4})(?=[:\]])", r"\1\2")),
    "accepts_zero_before_octet": tolerates(
        in_brackets(sub("(?<![0-9A-Fa-f])0{1,2}(?=[0-9])(?=[0-9.]*$)", ""))
    ),
    "accepts_zone_in_brackets": tolerates(sub(r"(\[[0-9A-Fa-f:]+)%[^\]/?#]+\]", r"\1]")),
    "crashes_at_brackets_around_at_sign": crashes(has(r"^[^/?#]*//[^/?#@\[]*\][^/?#@]*@\[")),
    "crashes_at_brackets_before_at_sign": crashes(has(r"//[^/?#]*\][^/?#]*@(?=[/?#]|\Z)")),
    "crashes_at_closing_before_opening_bracket": crashes(has(r"//[^/?#\[]*\][^/?#]*\[")),
    "crashes_at_ipv6_or_takes_its_digits_for_port": first_of(
        crashes_at_parts(no_digit_after_colon), shows(number_after_colon)
    ),
    "crashes_at_nine_groups": crashes(has(r"\[(?:[0-9A-Fa-f]{1,4}:){8,}[0-9A-Fa-f:]")),
    "crashes_at_open_bracket_and_ipv4": crashes(has(r"\[[0-9A-Fa-f:]+:\d+\.[\d.]*$")),
    "rejects_addresses_in_brackets": rejects_parts(is_bracketed),
    "rejects_addresses_in_brackets_in_docker": rejects_parts(
        lambda parts: has_scheme(parts, "docker") and is_bracketed(parts)
    ),
    "rejects_addresses_in_brackets_in_http": rejects_parts(
        lambda parts: is_http(parts) and is_bracketed(parts)
    ),
    "rejects_addresses_in_brackets_in_plain_http": rejects_parts(
        lambda parts: has_scheme(parts, "http") and is_bracketed(parts)
    ),
    "rejects_brackets_in_query": rejects(has(r"\?[^#]*[\[\]]")),
    "rejects_capital_v": rejects(has(r"\[V")),
    "rejects_capitals_in_brackets": rejects(has(r"\[[0-9a-f:.]*[A-F]")),
    "rejects_capitals_in_ipv6": rejects_parts(upper_case_ipv6),
    "rejects_colon_in_brackets": rejects_parts(
        lambda parts: is_bracketed(parts) and ":" in parts["host"],
    ),
    "rejects_colon_in_future_address": rejects(has(r"\[[vV][0-9A-Fa-f]+\.[^\]]*:")),
    "rejects_elision_after_groups": rejects(has(r"\[[0-9A-Fa-f:]+::[0-9A-Fa-f]")),
    "rejects_elision_at_end": rejects_parts(lambda parts: host_of(parts).endswith("::]")),
    "rejects_elision_beside_six_or_seven_groups": rejects(has_elision_beside(6, 7)),
    "rejects_elision_of_last_group": rejects_parts(component_has("host", r"^\[(?:[0-9A-Fa-f]{1,4}:){7}:\]$")),
    "rejects_empty_port_after_brackets": rejects(has(r"\]:" + AFTER_AUTHORITY)),
    "rejects_future_address": rejects_parts(lambda parts: host_of(parts).startswith(("[v", "[V"))),
    "rejects_groups_before_elision": rejects_parts(
        component_has("host", r"^\[[0-9A-Fa-f]+(?::[0-9A-Fa-f]+)+::")
    ),
    "rejects_ipv4_in_ipv6_but_mapped": rejects_parts(
        component_has("host", r"^\[(?!::FFFF:)[0-9A-Fa-f:]*:\d+\.")
    ),
    "rejects_ipv4_in_ipv6_with_digits_only": rejects(has(r"\[[^\]]*\.\d+\]")),
    "rejects_ipv6": rejects(has(BEFORE_HOST + r"\[[^v]")),
    "rejects_ipv6_that_ends_in_colons": rejects(has(r"\[[^\]]*[0-9A-Fa-f]::\]")),
    "rejects_ipv6_without_port": rejects(has(BEFORE_HOST + r"\[[^\]]*\]" + AFTER_AUTHORITY)),
    "rejects_ldap_address_without_port": rejects(has(r"^(?i:ldaps?)://\[[^\[\]]*\](?!:[1-9])")),
    "rejects_letter_before_v_in_host": rejects_parts(component_has("host", r"^[^[]*[a-z]v")),
    "rejects_login_before_address": rejects_parts(
        lambda parts: is_bracketed(parts) and parts["userinfo"] is not None
    ),
    "rejects_login_before_brackets": rejects_parts(
        lambda parts: parts["userinfo"] is not None and is_bracketed(parts)
    ),
    "rejects_octet_of_three_digits_in_ipv6": rejects(has(r"\[[^\]]*\.\d{3}\]")),
    "rejects_port_after_address": rejects_parts(lambda parts: is_bracketed(parts) and bool(parts["port"])),
    "rejects_unspecified_address": rejects(has(r"\[::\]")),
    "rejects_version_of_two_digits": rejects(has(r"\[[vV][0-9A-Fa-f]{2}")),
}
