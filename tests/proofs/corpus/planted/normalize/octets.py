"""Faults in normalizing percent-encoded octets and queries (RFC 3986, section 6.2.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote, unquote_to_bytes

from ..faults import Ask, Fault, Question, Reply, normalizes_to, text, writes
from ..texts import (
    TRIPLET,
    Change,
    collapse,
    decode_unreserved,
    decoded,
    encode_percent,
    encoded,
    inside,
    join,
    remove_dots,
    split,
    sub,
    upper_triplets,
)
from .leaving import MARKED, keeps, leaves, marks, replaces_component


def query_parts(change: Callable[[list[str]], list[str]]) -> Change:
    """Return a function on URLs that changes the list of parameters."""
    return inside("query", lambda query: "&".join(change(query.split("&"))))


def ampersand_begins_query(right: str) -> str:
    """Begin the query at the first ampersand of the path if there is none."""
    parts = split(right)
    if parts.query is not None or "&" not in parts.path:
        return right
    path, _, query = parts.path.partition("&")
    return join(parts._replace(path=path, query=query))


def nfkc(match: re.Match[str]) -> str:
    """Apply the Unicode normalization KC to encoded characters."""
    try:
        characters = unquote_to_bytes(match[0]).decode()
    except UnicodeDecodeError:
        return match[0]
    octets = unicodedata.normalize("NFKC", characters).encode()
    return "".join(chr(octet) if octet < 128 else f"%{octet:02X}" for octet in octets)


def keeps_encoded(octets: str, where: Callable[[str], bool] = lambda _: True) -> Fault:
    """Normalize all but these octets, given as a pattern of two hexadecimal digits."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        url = text(question["url"])
        if right["status"] != "ok" or not where(url):
            return right
        hidden = re.sub(f"%(?=(?i:{octets}))", "%25", url)
        if hidden == url:
            return right
        reply = ask({**question, "url": hidden})
        if reply["status"] != "ok":
            return right
        restored = re.sub(f"%25(?=(?i:{octets}))", "%", str(reply["url"]))
        return {"status": "ok", "url": restored}

    return Fault(("normalize",), answer)


def last_of_each_name(query: str) -> str:
    """Keep the last of the parameters of the same name."""
    parameters = {parameter.partition("=")[0]: parameter for parameter in query.split("&")}
    return "&".join(parameters.values())


def is_of_other_scheme(url: str) -> bool:
    """Tell if the scheme is neither http nor https."""
    return (split(url).scheme or "").lower() not in ("http", "https", "")


def outside_http(change: Change) -> Change:
    """Return a function that changes URLs of other schemes than http and https."""
    return lambda url: url if (split(url).scheme or "").lower() in ("http", "https") else change(url)


#: The octets of US-ASCII that are no reserved character.
ASCII_BUT_RESERVED = "[01][0-9a-f]|2[025de]|3[0-9ce]|4[1-9a-f]|5[0-9ace-f]|6[0-9a-f]|7[0-9a-f]"

#: The octets of the unreserved characters.
UNRESERVED = "(?i:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])"


def as_given(url: str) -> str:
    """Return the marked octets percent-encoded in upper case."""
    return re.sub(MARKED, lambda match: f"%{match[1].upper()}", url)


def capitals_beside_triplets(url: str, right: str) -> str:
    """Keep the capitals of a host that has octets beyond ASCII."""
    _, at_sign, host = (split(url).authority or "").rpartition("@")
    if not re.search("%[89A-Fa-f]", host):
        return right
    right_parts = split(right)
    userinfo = (right_parts.authority or "").rpartition("@")[0]
    upper = decode_unreserved(upper_triplets(host))
    return join(right_parts._replace(authority=userinfo + at_sign + upper))


def encoded_as_given(url: str, right: str) -> str:
    """Only make the triplets of path, query and fragment capital."""
    parts = split(upper_triplets(url))
    right_parts = split(right)
    return join(
        right_parts._replace(path=remove_dots(parts.path), query=parts.query, fragment=parts.fragment)
    )


def decoded_for_http(url: str, right: str) -> str:
    """Decode letters, digits and marks only in http and https URIs."""
    return right if right.startswith(("http:", "https:")) else encoded_as_given(url, right)


def triplets_as_given(url: str, right: str) -> str:
    """Write triplets in lower case that the given text does not have."""

    def changed(match: re.Match[str]) -> str:
        return match[0] if match[0] in url else match[0].lower()

    return re.sub(TRIPLET, changed, right)


def slash_after_query(url: str, right: str) -> str:
    """Write the slash of an empty path of http at the end of the query."""
    parts = split(url)
    right_parts = split(right)
    slashes = "/" in (parts.query or "") + (parts.fragment or "")
    if right_parts.scheme not in ("http", "https") or parts.path or parts.query is None or slashes:
        return right
    return f"{join(right_parts._replace(path=''))}/"


def with_replacement_character(match: re.Match[str]) -> str:
    """Decode encoded characters as UTF-8, with the replacement character for what is not, and encode them."""
    return quote(unquote(match[0]))


FAULTS: Mapping[str, Fault] = {
    "adds_equals_sign_to_parameter": writes(
        query_parts(
            lambda parts: [
                parameter if "=" in parameter or not parameter else f"{parameter}=" for parameter in parts
            ]
        )
    ),
    "begins_query_at_ampersand": writes(ampersand_begins_query),
    "collapses_slashes_of_query": writes(inside("query", collapse)),
    "crashes_at_empty_query": writes(lambda right: None if split(right).query == "" else right),
    "crashes_at_query_after_decoded_path": normalizes_to(
        lambda url, right: (
            None
            if split(right).query is not None
            and len(split(right).path) < len(split(url).path)
            and "%" in split(url).path
            else right
        )
    ),
    "decodes_ampersand_and_equals_sign_in_query": writes(inside("query", decoded("26|3d"))),
    "decodes_ampersand_in_query": writes(inside("query", decoded("26"))),
    "decodes_ascii_but_reserved_characters": writes(decoded(ASCII_BUT_RESERVED)),
    "decodes_backslash_in_query": writes(inside("query", sub("%5C", r"\\"))),
    "decodes_colon_and_marks_beside_other_triplets": writes(
        lambda url: decoded("3a|2[1789a]")(url) if len(set(re.findall(TRIPLET, url))) > 1 else url
    ),
    "decodes_comma_in_query": writes(inside("query", decoded("2c"))),
    "decodes_compatibility_characters": writes(sub("(%[89A-F][0-9A-F])+", nfkc)),
    "decodes_marks_of_rfc_2396": writes(decoded("2[1789a]")),
    "decodes_percent": writes(decoded("25")),
    "decodes_percent_before_digits_in_query": writes(inside("query", sub("%25(?=[0-9A-Fa-f]{2})", "%"))),
    "decodes_percent_in_fragment": writes(inside("fragment", sub("%25", "%"))),
    "decodes_plus_in_query": writes(inside("query", decoded("2b"))),
    "decodes_reserved_in_fragment": writes(inside("fragment", decoded("2[1-46-9abcf]|3[abdf]|40"))),
    "decodes_reserved_in_fragment_but_slash_and_asterisk": writes(
        inside("fragment", decoded("2[134-9abcf]|3[abdf]|40"))
    ),
    "decodes_slash_colon_and_question_mark_in_query": writes(inside("query", decoded("2f|3a|3f"))),
    "decodes_space_and_bar": writes(decoded("20|7c")),
    "decodes_unreserved_of_path_twice": writes(
        inside("path", sub(f"%25({UNRESERVED})", lambda match: decode_unreserved(f"%{match[1]}")))
    ),
    "drops_final_question_mark": writes(sub(r"\?(?=#|$)", "")),
    "drops_final_slash_of_fragment": writes(inside("fragment", sub(r"/\Z", ""))),
    "drops_final_slash_of_query": writes(inside("query", sub("/$", ""))),
    "drops_final_slashes_after_query_or_fragment": writes(
        lambda right: right.rstrip("/") if re.search("[?#]", right) else right
    ),
    "drops_fragment": writes(lambda url: join(split(url)._replace(fragment=None))),
    "drops_fragment_of_web_socket": writes(
        lambda right: join(split(right)._replace(fragment=None)) if re.match("wss?:", right) else right
    ),
    "drops_port_80_of_other_schemes": writes(
        lambda right: right if right.startswith("http:") else inside("authority", sub(":80$", ""))(right)
    ),
    "drops_question_mark": writes(lambda right: right.replace("?", "", 1)),
    "drops_question_mark_of_empty_query": writes(
        lambda url: join(split(url)._replace(query=split(url).query or None))
    ),
    "drops_root_before_query": replaces_component(
        "path", lambda url, right: not url.path and right.path == "/" and url.query is not None, ""
    ),
    "drops_text_directive_of_fragment": writes(inside("fragment", sub(":~:text=.*", ""))),
    "drops_utm_parameters": writes(
        query_parts(lambda parts: [parameter for parameter in parts if not parameter.startswith("utm_")])
    ),
    "encodes_apostrophe_in_query": writes(inside("query", encoded("'"))),
    "encodes_colon_and_slash_in_query": writes(inside("query", encoded("[:/]"))),
    "encodes_decoded_tilde": normalizes_to(
        lambda url, right: right.replace("~", "%7E") if "%7e" in url.lower() else right
    ),
    "encodes_equals_sign_in_query": writes(inside("query", encoded("="))),
    "encodes_marks_in_query": writes(inside("query", encoded("[/:@?!'(),;$]"))),
    "encodes_percent": writes(encode_percent),
    "encodes_plus_in_query": writes(inside("query", encoded(r"\+"))),
    "encodes_query_twice": writes(inside("query", encode_percent)),
    "encodes_second_equals_sign_of_parameter": writes(inside("query", sub("(?<==)([^&=]*)=", r"\1%3D"))),
    "encodes_slash_in_query": writes(inside("query", encoded("/"))),
    "encodes_space_twice": writes(sub("%20", "%2520")),
    "encodes_sub_delims": writes(encoded("[!$&'()*+,;=]")),
    "encodes_tilde": writes(encoded("~")),
    "keeps_encoded_zero": keeps_encoded("30"),
    "keeps_last_parameter_of_each_name": writes(inside("query", last_of_each_name)),
    "keeps_unreserved_triplets_of_other_schemes": keeps_encoded(
        "2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE]", is_of_other_scheme
    ),
    "keeps_unreserved_triplets_outside_http": keeps(outside_http(marks(UNRESERVED)), as_given),
    "leaves_case_of_name_with_other_octets": normalizes_to(capitals_beside_triplets),
    "leaves_fragment": leaves("fragment"),
    "leaves_query": leaves("query"),
    "leaves_triplets_outside_http": normalizes_to(decoded_for_http),
    "leaves_unreserved_triplets": normalizes_to(encoded_as_given),
    "lowers_all": writes(str.lower),
    "lowers_names_of_parameters": writes(
        inside("query", sub("(?:^|(?<=&))[^=&]+(?==)", lambda match: match[0].lower()))
    ),
    "lowers_new_triplets": normalizes_to(triplets_as_given),
    "puts_root_after_query": normalizes_to(slash_after_query),
    "removes_dots_of_query": writes(inside("query", sub(r"/[^/&=]+/\.\.(?=/|&|$)|/\.(?=/)", ""))),
    "replaces_octets_beyond_utf_8_in_path": writes(
        inside("path", sub("(?:%[89A-F][0-9A-F])+", with_replacement_character))
    ),
    "replaces_semicolon_by_ampersand_in_query": writes(
        inside("query", lambda query: query.replace(";", "&"))
    ),
    "replaces_space_by_plus_in_query": writes(inside("query", sub("%20", "+"))),
    "sorts_query": writes(inside("query", lambda query: "&".join(sorted(query.split("&"))))),
    "uppers_digits_after_encoded_percent": writes(sub("%25[0-9A-Fa-f]{2}", lambda match: match[0].upper())),
    "writes_octets_of_one_digit": writes(sub("%0([0-9A-F])", r"%\1")),
}
