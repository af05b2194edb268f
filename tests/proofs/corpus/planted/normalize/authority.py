"""Faults in normalizing scheme and authority (RFC 3986, sections 6.2.2.1 and 6.2.3)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping

from ..faults import Ask, Fault, Question, Reply, normalizes_to, writes
from ..texts import (
    IPV4,
    TRIPLET,
    Change,
    decode_unreserved,
    encoded,
    host_and_port,
    host_of_url,
    in_host,
    inside,
    join,
    lower_triplets,
    number_as_address,
    remove_dots,
    split,
    sub,
    upper_triplets,
)
from .leaving import MARKED, keeps, leaves, marks


def three_slashes(_url: str, right: str) -> str:
    """Write an empty authority for http if there is none."""
    return re.sub("^(https?):(?=[^/])", r"\1:///", right)


def is_opaque(url: str) -> bool:
    """Tell if a scheme is followed by neither an authority nor a slash."""
    parts = split(url)
    return parts.scheme is not None and parts.authority is None and not parts.path.startswith("/")


def needs_namespace(right: str) -> str | None:
    """Fail at a URN without a namespace."""
    parts = split(right)
    return None if parts.scheme == "urn" and ":" not in parts.path else right


def port_cut(url: str, right: str) -> str:
    """Cut three characters where the port is 80, however it is written."""
    match = re.fullmatch(r"(.*):(0+80)", split(url).authority or "")
    if not match or split(right).scheme != "http":
        return right
    host, colon, _ = (split(right).authority or "").partition(":")
    return join(
        split(right)._replace(authority=(host if colon else split(right).authority or "") + match[2][2:])
    )


def https_port_80(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Drop port 80 from https URIs."""
    if right["status"] != "ok" or question.get("mode") != "scheme" or not right["url"].startswith("https:"):
        return right
    changed = inside("authority", sub(":80$", ""))(right["url"])
    return right if changed == right["url"] else {"status": "ok", "url": changed}


def port_of_other_scheme(right: str) -> str:
    """Drop port 80 of https and port 443 of http."""
    return re.sub("^(?:(https://[^/?#]*):80|(http://[^/?#]*):443)(?=[/?#]|$)", r"\1\2", right)


def in_literal(change: Change) -> Change:
    """Return a function on authorities that changes an address with its brackets."""
    return lambda authority: re.sub(r"\[[^\]]*\]", lambda match: change(match[0]), authority)


def given_host_case(url: str, right: str) -> str:
    """Keep the case of a host in which an octet is not US-ASCII."""
    host = split(url).authority
    if host is None or re.search("%[89A-Fa-f][0-9A-Fa-f]", host) is None:
        return right
    return join(split(right)._replace(authority=upper_triplets(host)))


def same_host_case(url: str, right: str) -> str:
    """Leave the case of the host as it is."""
    authority = split(url).authority
    right_authority = split(right).authority
    if authority is None or right_authority is None:
        return right
    host = re.sub(r":\d*$", "", host_and_port(authority))
    match = re.fullmatch(f"((?:.*@)?){re.escape(host.lower())}((?::.*)?)", right_authority, re.DOTALL)
    return right if match is None else join(split(right)._replace(authority=match[1] + host + match[2]))


def given_host(url: str, right: str, change: Change = str) -> str:
    """Leave the host and the port, or change them in another way."""
    authority = split(url).authority
    if authority is None:
        return right
    right_parts = split(right)
    userinfo, at_sign, _ = (right_parts.authority or "").rpartition("@")
    return join(right_parts._replace(authority=userinfo + at_sign + change(host_and_port(authority))))


def triplets_of_host_kept(url: str, right: str) -> str:
    """Make the letters of a host small and decode nothing in it."""
    host = host_of_url(url)
    return in_host(lambda _: upper_triplets(host.lower()))(right) if "%" in host else right


def host_as_given(url: str, right: str) -> str:
    """Make the host small, but leave its triplets encoded."""
    login, at_sign, _ = (split(right).authority or "").rpartition("@")
    host = (split(url).authority or "").rpartition("@")[2].lower()
    return join(split(right)._replace(authority=login + at_sign + host)) if "%" in host else right


def not_decoded(url: str, right: str) -> str:
    """Write the digits of percent-encoded octets in capitals, and decode none."""
    if not re.search("%(?:[46][1-9A-Fa-f]|[57][0-9AaFfEe]|3[0-9]|2[DdEe])", url):
        return right
    parts = split(upper_triplets(url))
    right_parts = split(right)
    path = remove_dots(parts.path) if parts.scheme is not None else parts.path
    return join(right_parts._replace(path=path, query=parts.query, fragment=parts.fragment))


def given_userinfo(url: str, right: str) -> str:
    """Leave the userinfo."""
    userinfo, at_sign, _ = (split(url).authority or "").rpartition("@")
    right_parts = split(right)
    if not at_sign or right_parts.authority is None:
        return right
    return join(right_parts._replace(authority=f"{userinfo}@{host_and_port(right_parts.authority)}"))


def capitals_of_triplets(url: str, right: str) -> str:
    """Make the letters of the host small before its octets are decoded."""
    if not re.search("%[45][0-9A-Fa-f]", split(url).authority or ""):
        return right
    _, at_sign, host = (split(url).authority or "").rpartition("@")
    lower = re.sub(
        f"{TRIPLET}|.", lambda match: match[0].upper() if len(match[0]) > 1 else match[0].lower(), host
    )
    right_authority = split(right).authority or ""
    return join(
        split(right)._replace(
            authority=right_authority.rpartition("@")[0] + at_sign + decode_unreserved(lower)
        )
    )


def in_lower_case(url: str) -> str:
    """Return the marked octets percent-encoded in lower case."""
    return re.sub(MARKED, lambda match: f"%{match[1]}", url)


def short_ipv6(authority: str) -> str:
    """Drop leading zeros from the groups of an IPv6 address, and from the port, and then its zero groups."""
    userinfo, at_sign, host = authority.rpartition("@")
    if not host.startswith("["):
        return authority
    host = re.sub(r"(?<=[\[:])0+(?=[0-9a-f])", "", host)
    if "::" not in host:
        host = re.sub(r"(?<!:)(?::0){2,}(?=:[^:])", ":", host)
    return userinfo + at_sign + host


def first_segment_is_host(right: str) -> str:
    """Take the first segment after two slashes for the host."""
    parts = split(right)
    if parts.authority is None or not parts.path.startswith("//"):
        return right
    host, slash, rest = parts.path[2:].partition("/")
    return join(parts._replace(authority=host, path=slash + rest))


def exploded(host: str) -> str:
    """Write an IPv6 address with all its digits."""
    try:
        return f"[{ipaddress.IPv6Address(host.strip('[]')).exploded}]"
    except ValueError:
        return host


FAULTS: Mapping[str, Fault] = {
    "adds_empty_authority_to_http": normalizes_to(three_slashes),
    "crashes_at_address_in_brackets": writes(
        lambda right: None if "//[" in right or "@[" in right else right
    ),
    "crashes_at_empty_label": normalizes_to(
        lambda _, right: (
            None if re.search(r"^(?:[^@]*@)?(?:\.|[^:\[]*\.\.)", split(right).authority or "") else right
        )
    ),
    "crashes_at_opaque_url": writes(lambda right: None if is_opaque(right) else right),
    "crashes_at_urn_without_namespace": writes(needs_namespace),
    "cuts_port_80_with_zeros": normalizes_to(port_cut),
    "drops_brackets_of_address": writes(inside("authority", sub(r"[\[\]]", ""))),
    "drops_colon_of_empty_password": writes(inside("authority", sub("^([^:@]*):@", r"\1@"))),
    "drops_empty_authority": writes(sub("^([^:/?#]+:)?//(?=/(?!/))", r"\1")),
    "drops_final_dot_of_authority": writes(inside("authority", sub(r"\.$", ""))),
    "drops_final_dot_of_host_before_port": writes(inside("authority", sub(r"\.(?=:\d*$|$)", ""))),
    "drops_first_number_of_ipv4": writes(
        in_host(lambda host: host.partition(".")[2] if IPV4.fullmatch(host) else host)
    ),
    "drops_leading_zeros_of_port": writes(inside("authority", sub(r":0+(?=\d+$)", ":"))),
    "drops_port": writes(inside("authority", sub(r":[0-9]+$", ""))),
    "drops_port_80_of_https": Fault(("normalize",), https_port_80),
    "drops_port_of_other_web_scheme": writes(port_of_other_scheme),
    "drops_userinfo": writes(inside("authority", sub("^.*@", ""))),
    "drops_www": writes(inside("authority", sub(r"^www\.", ""))),
    "elides_second_zero_group": writes(
        inside("authority", in_literal(lambda host: re.sub(r"(?<=::)(.*?):0{1,4}(?=:)", r"\1:", host)))
    ),
    "encodes_brackets_of_address": writes(inside("authority", encoded(r"[\[\]]"))),
    "encodes_opening_bracket": writes(inside("authority", encoded(r"\["))),
    "encodes_userinfo_twice": writes(inside("authority", sub("%(?=[^@]*@)", "%25"))),
    "leaves_authority": leaves("authority"),
    "leaves_case_of_authority_with_other_octets": normalizes_to(given_host_case),
    "leaves_case_of_host": normalizes_to(same_host_case),
    "leaves_host_if_nothing_is_encoded": normalizes_to(
        lambda url, right: given_host(url, right) if "%" not in url else right
    ),
    "leaves_scheme": leaves("scheme"),
    "leaves_scheme_and_authority": leaves("scheme", "authority"),
    "leaves_triplets_of_host": normalizes_to(
        lambda url, right: (
            given_host(url, right, sub("(%..)|[A-Z]", lambda match: match[1] or match[0].lower()))
            if "%" in host_and_port(split(url).authority or "")
            else right
        )
    ),
    "leaves_triplets_of_host_in_lower_case_name": normalizes_to(triplets_of_host_kept),
    "leaves_triplets_of_lower_case_host": normalizes_to(host_as_given),
    "leaves_unreserved_triplets_after_authority": normalizes_to(not_decoded),
    "leaves_userinfo": normalizes_to(given_userinfo),
    "lowers_host_before_decoding": normalizes_to(capitals_of_triplets),
    "lowers_namespace_of_urn": writes(sub("^urn:[^:?#]+", lambda match: match[0].lower())),
    "lowers_triplets_of_authority": keeps(inside("authority", marks("[0-9A-Fa-f]{2}")), in_lower_case),
    "lowers_triplets_of_host": writes(in_host(lower_triplets)),
    "lowers_userinfo": writes(
        inside("authority", lambda authority: re.sub("^.*@", lambda login: login[0].lower(), authority))
    ),
    "moves_port_to_path": writes(sub(r"^([^:/?#]+://[^/?#]*):(\d+)(?=/)", r"\1/\2")),
    "replaces_https_by_http": writes(sub("^https:", "http:")),
    "shortens_ipv6": writes(inside("authority", short_ipv6)),
    "takes_first_segment_after_two_slashes_for_host": writes(first_segment_is_host),
    "turns_first_segment_into_scheme": writes(
        lambda right: (
            join(right_parts._replace(path=remove_dots(right_parts.path)))
            if (right_parts := split(right)).scheme is None
            and right_parts.authority is None
            and re.match(r"\.{1,2}/[^/]*:", right_parts.path)
            else right
        )
    ),
    "writes_address_with_all_digits": writes(inside("authority", in_literal(exploded))),
    "writes_mapped_address_as_ipv4": writes(
        inside("authority", sub(r"\[::ffff:(\d+\.\d+\.\d+\.\d+)\]", r"\1"))
    ),
    "writes_number_as_ipv4": writes(in_host(number_as_address)),
}
