"""Faults in telling if two URLs are equivalent (RFC 3986, section 6.2)."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote, unquote_to_bytes

from .changes import lower_but_triplets
from .faults import Ask, Fault, Question, Reply, compares, equates, text
from .texts import (
    BEYOND_ASCII,
    TRIPLET,
    Change,
    collapse,
    decode_ascii,
    decode_unreserved,
    decoded,
    has,
    host_and_port,
    host_of_url,
    in_host,
    inside,
    join,
    plus_to_space,
    remove_dots,
    split,
    sub,
    upper_triplets,
    without_query_and_fragment,
    without_userinfo,
)


def tells_apart(trait: Callable[[str], Any], mode: str | None = None) -> Fault:
    """Call two URLs different, too, of which a trait differs, in one mode or in all."""
    return compares(lambda first, second, equal: equal and trait(first) == trait(second), mode)


def tells_spellings_apart(spelling: Callable[[str], str], change: Change) -> Fault:
    """Call two URLs different, too, of which a part differs until it is changed."""
    return compares(
        lambda first, second, equal: (
            equal
            and (spelling(first) == spelling(second) or change(spelling(first)) != change(spelling(second)))
        )
    )


def authority(url: str) -> str:
    """Return the authority of a URL, empty if it is absent."""
    return split(url).authority or ""


def host(url: str) -> str:
    """Return host and port of a URL."""
    return host_and_port(authority(url))


def path(url: str) -> str:
    """Return the path of a URL."""
    return split(url).path


def exploded(host: str) -> str:
    """Write an IPv6 address with all its digits."""
    try:
        return f"[{ipaddress.IPv6Address(host[1:-1]).exploded}]" if host.startswith("[") else host
    except ValueError:
        return host


def address(url: str) -> str:
    """Return the host of a URL if it is an address in brackets, else nothing."""
    host = host_of_url(url)
    return host if host.startswith("[") else ""


def host_decoded_last(url: str) -> str:
    """Return the host of a URL in lower case, decoded afterwards."""
    return decode_unreserved(host_of_url(url).lower())


def explicit_port_outside_web(url: str) -> bool:
    """Tell if a URL of another scheme than http and https has a port."""
    is_web = (split(url).scheme or "").lower() in ("http", "https")
    return not is_web and re.search(":[0-9]+$", authority(url)) is not None


def domain_of_mail(url: str) -> str:
    """Return the domain of an address of mail, empty for other URLs."""
    parts = split(url)
    return parts.path.rpartition("@")[2] if (parts.scheme or "").lower() == "mailto" else ""


def composed(match: re.Match[str]) -> str:
    """Compose letters and encoded marks of a text that is UTF-8."""
    try:
        characters = unquote_to_bytes(match[0]).decode()
    except UnicodeDecodeError:
        return match[0]
    return quote(unicodedata.normalize("NFC", characters))


def same_beginning(first: str, second: str, equal: bool) -> bool:
    """Call two URLs equal, too, that have the same 255 characters at the beginning."""
    return equal or (len(first) > 255 < len(second) and first[:255] == second[:255])


def java_hash(url: str) -> int:
    """Return the hash code that Java gives a string."""
    code = 0
    for character in url:
        code = (31 * code + ord(character)) & 0xFFFFFFFF
    return code


def same_domain(first: str, second: str, equal: bool) -> bool:
    """Call two addresses of mail equal, too, that have the same domain."""
    first_parts = split(first)
    second_parts = split(second)
    are_mail = (first_parts.scheme or "").lower() == "mailto" == (second_parts.scheme or "").lower()
    same = first_parts.path.rpartition("@")[2] == second_parts.path.rpartition("@")[2]
    return equal or (are_mail and same)


def same_but_for_final_slashes(first: str, second: str, equal: bool) -> bool:
    """Call two URLs equal, too, whose paths differ in slashes at the end, but not the root."""
    change = inside("path", lambda path: path.rstrip("/"))
    return equal or (path(first).strip("/") != "" and change(first) == change(second))


def same_but_for_order(first: str, second: str, equal: bool) -> bool:
    """Call two URLs equal, too, whose queries have the same parameters in another order."""
    first_parts = split(first)
    second_parts = split(second)
    same_rest = first_parts._replace(query=None) == second_parts._replace(query=None)
    parameters = [sorted((parts.query or "").split("&")) for parts in (first_parts, second_parts)]
    return equal or (same_rest and parameters[0] == parameters[1])


def empty_path_differs(first: str, second: str, equal: bool) -> bool:
    """Call two URLs different, too, of which one path is empty and the other a slash."""
    return equal and {path(first), path(second)} != {"", "/"}


def web_scheme_differs(first: str, second: str, equal: bool) -> bool:
    """Call two URLs different, too, whose scheme is http or https in different case."""
    schemes = [split(url).scheme or "" for url in (first, second)]
    return equal and (schemes[0] == schemes[1] or schemes[0].lower() not in ("http", "https"))


def without_empty_query(url: str) -> str:
    """Return the URL without an empty query."""
    parts = split(url)
    return join(parts._replace(query=parts.query or None))


def without_empty_parts(url: str) -> str:
    """Return the URL without empty query and fragment."""
    parts = split(url)
    return join(parts._replace(query=parts.query or None, fragment=parts.fragment or None))


def host_with_triplets(url: str) -> str:
    """Return the host of a URL with its letters small and its triplets capital."""
    return upper_triplets(host_of_url(url).lower())


def decoded_host(host: str) -> str:
    """Return a host with its unreserved characters decoded, in lower case."""
    return decode_unreserved(host).lower()


def first_path_in_lower_case(first: str, second: str, equal: bool) -> bool:
    """Compare the path of the first URL in lower case with that of the second."""
    lowered = inside("path", lower_but_triplets)(first)
    return equal if lowered == first else lowered == second


def without_empty_components(url: str) -> str:
    """Return the URL without empty authority, query and fragment."""
    parts = split(url)
    return join(
        parts._replace(
            authority=parts.authority or None, query=parts.query or None, fragment=parts.fragment or None
        )
    )


def without_port_80(url: str) -> str:
    """Return the URL without port 80."""
    return inside("authority", sub(":80$", ""))(url)


def same_with_port_80(first: str, second: str, equal: bool) -> bool:
    """Take 80 for the default port of every scheme, and no other for that of any."""
    ports = [authority(without_port_80(url)).count(":") for url in (first, second)]
    return (equal and ports[0] == ports[1]) or without_port_80(first) == without_port_80(second)


def first_scheme_and_host_in_lower_case(first: str, second: str, equal: bool) -> bool:
    """Call two URLs different, too, if the second one has capitals in its scheme or host."""
    scheme = split(second).scheme or ""
    names = scheme + host_of_url(second)
    return equal and names == names.lower()


def normalized_first(question: Question, right: Reply, ask: Ask) -> Reply:
    """Compare normal forms where the texts themselves are to be compared."""
    return ask({**question, "mode": "syntax"}) if question.get("mode") == "simple" else right


def mapped_first(question: Question, right: Reply, ask: Ask) -> Reply:
    """Compare the URIs of two IRIs where the texts themselves are to be compared."""
    if question.get("mode") != "simple" or right["status"] != "ok":
        return right
    mapping = {"op": "to_uri", "spec": question["spec"]}
    first = ask({**mapping, "url": question["url"]})
    second = ask({**mapping, "url": question["other"]})
    if first["status"] != "ok" or second["status"] != "ok":
        return right
    return {"status": "ok", "equal": first["url"] == second["url"]}


def composed_first(question: Question, right: Reply, ask: Ask) -> Reply:
    """Compare two texts after their letters and marks are composed."""
    texts = {field: text(question[field]) for field in ("url", "other")}
    composed_texts = {field: unicodedata.normalize("NFC", url) for field, url in texts.items()}
    return right if composed_texts == texts else ask({**question, **composed_texts})


FAULTS: Mapping[str, Fault] = {
    "composes_letters_before_comparing": Fault(("equivalent",), composed_first),
    "equates_composed_and_decomposed_letters": equates(sub("[A-Za-z]?(?:%[89A-Fa-f][0-9A-Fa-f])+", composed)),
    "equates_empty_and_absent_components": equates(without_empty_components),
    "equates_encoded_at_sign_in_path": equates(inside("path", decoded("40"))),
    "equates_encoded_delimiters_of_authority": equates(inside("authority", decoded("3a|40"))),
    "equates_encoded_marks_of_rfc_2396": equates(decoded("2[1789a]")),
    "equates_encoded_path": equates(inside("path", unquote)),
    "equates_encoded_query": equates(inside("query", unquote)),
    "equates_encoded_query_delimiters": equates(decoded("3f|3d|26")),
    "equates_encoded_reserved_characters": equates(unquote),
    "equates_encoded_slash": equates(decoded("2f")),
    "equates_encoded_sub_delims_in_path": equates(inside("path", decoded("2[146789abc]|3[bd]"))),
    "equates_encoded_sub_delims_in_query": equates(inside("query", decoded("2[146789abc]|3[abdf]|40"))),
    "equates_encoded_userinfo": equates(
        inside("authority", sub("^.*(?=@)", lambda match: decode_ascii(match[0])))
    ),
    "equates_localhost_and_its_address": equates(
        in_host(lambda host: "127.0.0.1" if host.lower() == "localhost" else host)
    ),
    "equates_mail_of_same_domain": compares(same_domain),
    "equates_nothing": compares(lambda *_: False),
    "equates_plus_and_encoded_plus_in_query": equates(inside("query", decoded("2b"))),
    "equates_plus_and_space": equates(plus_to_space),
    "equates_plus_and_space_in_query": equates(inside("query", plus_to_space)),
    "equates_prefixes": compares(
        lambda first, second, equal: equal or first.startswith(second) or second.startswith(first)
    ),
    "equates_rootless_file_and_host": equates(sub("^file:(?!/)", "file://")),
    "equates_same_beginning": compares(same_beginning),
    "equates_same_hash_code": compares(
        lambda first, second, equal: equal or java_hash(first) == java_hash(second)
    ),
    "equates_spellings_of_address": equates(in_host(exploded)),
    "ignores_case": equates(str.lower),
    "ignores_case_of_authority": equates(inside("authority", str.lower)),
    "ignores_case_of_path": equates(inside("path", str.lower)),
    "ignores_empty_query": equates(without_empty_query),
    "ignores_empty_query_and_fragment": equates(without_empty_parts),
    "ignores_empty_userinfo": equates(inside("authority", sub("^@", ""))),
    "ignores_final_delimiters": equates(lambda url: url.rstrip("?#")),
    "ignores_final_question_mark": equates(sub(r"\?$", "")),
    "ignores_final_slashes": equates(inside("path", sub("(?<=[^/])/+$", ""))),
    "ignores_final_slashes_but_of_root": compares(same_but_for_final_slashes),
    "ignores_fragment": equates(lambda url: url.partition("#")[0]),
    "ignores_order_of_parameters": compares(same_but_for_order),
    "ignores_port": equates(inside("authority", sub(r":\d*$", ""))),
    "ignores_port_80": equates(sub("^([a-z][a-z0-9+.-]*://[^/?#]*):80(?=[/?#]|$)", r"\1"), mode="scheme"),
    "ignores_port_80_of_any_scheme": equates(
        sub(r"^((?!https:)[a-z][a-z0-9+.-]*://[^/?#]*):80(?=[/?#]|$)", r"\1"), mode="scheme"
    ),
    "ignores_ports_80_and_443": equates(inside("authority", sub(":(?:80|443)$", ""))),
    "ignores_query": equates(lambda url: join(split(url)._replace(query=None))),
    "ignores_query_and_fragment": equates(without_query_and_fragment),
    "ignores_repeated_first_slashes": equates(inside("path", sub("^//+", "/"))),
    "ignores_repeated_slashes": equates(inside("path", collapse)),
    "ignores_root": equates(sub("^((?:[^:/?#]+:)?)/(?=[^/?#])", r"\1")),
    "ignores_scheme": equates(sub("^[A-Za-z][A-Za-z0-9+.-]*:", "")),
    "ignores_userinfo": equates(without_userinfo),
    "ignores_www": equates(sub(r"(?<=//)www\.", "")),
    "ignores_www_and_digits": equates(sub(r"(?<=//)www\d*\.", "")),
    "lowers_path_of_first": compares(first_path_in_lower_case),
    "lowers_scheme_and_host_of_first": compares(first_scheme_and_host_in_lower_case),
    "maps_to_uris_before_simple_comparison": Fault(("equivalent",), mapped_first),
    "normalizes_before_simple_comparison": Fault(("equivalent",), normalized_first),
    "takes_80_for_every_default_port": compares(same_with_port_80, mode="scheme"),
    "takes_https_for_http": equates(sub("^https:", "http:")),
    "tells_case_of_address_apart": tells_spellings_apart(address, str.lower),
    "tells_case_of_host_apart": tells_spellings_apart(host, str.lower),
    "tells_case_of_mail_domain_apart": tells_spellings_apart(domain_of_mail, str.lower),
    "tells_case_of_scheme_and_authority_apart": tells_apart(lambda url: split(url)[:2]),
    "tells_case_of_scheme_apart": tells_spellings_apart(lambda url: split(url).scheme or "", str.lower),
    "tells_case_of_triplets_apart": tells_spellings_apart(str, upper_triplets),
    "tells_case_of_triplets_in_path_apart": tells_spellings_apart(path, upper_triplets),
    "tells_case_of_web_scheme_apart": compares(web_scheme_differs),
    "tells_characters_and_their_octets_apart": tells_apart(lambda url: len(re.findall(BEYOND_ASCII, url))),
    "tells_default_port_apart": tells_apart(lambda url: authority(url).count(":"), mode="scheme"),
    "tells_dots_apart": tells_spellings_apart(path, remove_dots),
    "tells_empty_path_and_root_apart": compares(empty_path_differs, mode="scheme"),
    "tells_empty_path_apart": tells_apart(lambda url: path(url) == "", mode="scheme"),
    "tells_empty_port_apart": tells_apart(lambda url: authority(url).endswith(":")),
    "tells_encoded_capitals_of_host_apart": tells_apart(host_decoded_last),
    "tells_encoded_unreserved_apart": tells_apart(lambda url: decode_unreserved(path(url)) != path(url)),
    "tells_encoded_unreserved_of_host_apart": tells_spellings_apart(host_with_triplets, decoded_host),
    "tells_localhost_of_file_apart": tells_apart(has("(?i)^file://localhost(?:/|$)")),
    "tells_number_of_triplets_apart": tells_apart(lambda url: len(re.findall(TRIPLET, url))),
    "tells_port_outside_web_apart": tells_apart(explicit_port_outside_web, mode="scheme"),
    "tells_port_with_digits_apart": tells_apart(
        lambda url: re.search(":[0-9]+$", authority(url)) is not None, mode="scheme"
    ),
    "tells_texts_apart": tells_apart(str),
    "tells_triplets_in_authority_apart": tells_apart(lambda url: "%" in authority(url)),
}
