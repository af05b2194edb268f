"""Faults in mapping an IRI to a URI (RFC 3987, section 3.1)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from urllib.parse import quote

from .faults import Fault, Question, is_whole, reads, text, tolerates, writes_other
from .texts import (
    BEYOND_ASCII,
    Change,
    encode_percent,
    encoded,
    host_of_url,
    in_host,
    inside,
    join,
    split,
    sub,
)

#: The schemes that are known to use domain names.
DOMAIN_SCHEMES = {"ftp", "gopher", "http", "https", "nntp", "telnet", "wais", "ws", "wss"}

#: The full stops beyond US-ASCII that separate labels, too (RFC 3490, section 3.1).
OTHER_FULL_STOPS = "[\u3002\uff0e\uff61]"


def maps(change: Callable[[str, str], str | None]) -> Fault:
    """Give a URI that depends on the given IRI and the right URI; None is an exception."""

    def changed(question: Question, right: str) -> str | None:
        return change(text(question["url"]), right) if is_whole(question) else right

    return writes_other("to_uri", changed)


def writes_uri(change: Change) -> Fault:
    """Give a URI that depends on the right one."""
    return maps(lambda _, right: change(right))


def encodes_as(encode: Change) -> Fault:
    """Encode each character beyond US-ASCII in another way."""
    encode_all = sub(BEYOND_ASCII, lambda match: encode(match[0]))
    return writes_other("to_uri", lambda question, _: encode_all(text(question["url"])))


def escape_of_code_point(character: str) -> str:
    """Return the number of a character after a percent sign."""
    return f"%{ord(character):X}"


def octets_of_surrogates(character: str) -> str:
    """Encode a character beyond the Basic Multilingual Plane as two surrogates."""
    if ord(character) < 0x10000:
        return quote(character)
    high, low = divmod(ord(character) - 0x10000, 0x400)
    surrogates = chr(0xD800 + high) + chr(0xDC00 + low)
    return quote(surrogates.encode("utf-8", "surrogatepass"))


def octets_encoded_again(character: str) -> str:
    """Encode each octet of a character as if it were a character."""
    return quote(character.encode().decode("latin-1"))


def octets_of_windows_1251(character: str) -> str:
    """Encode a character in the encoding of a Russian page, or in UTF-8 if that does not have it."""
    try:
        return quote(character.encode("windows-1251"))
    except UnicodeEncodeError:
        return quote(character)


def latin_1_left(character: str) -> str:
    """Encode a character only if Latin-1 does not have it."""
    return character if ord(character) <= 0xFF else quote(character)


def given_fragment(iri: str, right: str) -> str:
    """Leave the fragment."""
    return join(split(right)._replace(fragment=split(iri).fragment))


def given_userinfo(iri: str, right: str) -> str:
    """Leave the userinfo."""
    parts = split(right)
    userinfo, at_sign, _ = (split(iri).authority or "").rpartition("@")
    if parts.authority is None:
        return right
    return join(parts._replace(authority=userinfo + at_sign + parts.authority.rpartition("@")[2]))


def has_scheme_of_domains(iri: str) -> bool:
    """Tell if the scheme is known to use domain names."""
    return (split(iri).scheme or "").lower() in DOMAIN_SCHEMES


def fails_at_address(iri: str, right: str) -> str | None:
    """End in an error at a host in brackets."""
    return None if host_of_url(iri).startswith("[") else right


def ace_of_label(label: str) -> str:
    """Return the ACE form of a label, without its preparation (RFC 3490, section 4.1)."""
    return label if label.isascii() else f"xn--{label.encode('punycode').decode()}"


def ace_of_host_with_full_stops(iri: str, right: str) -> str:
    """Encode the labels of a host with other full stops, and separate them only at those of US-ASCII."""
    host = host_of_url(iri)
    if not has_scheme_of_domains(iri) or not re.search(OTHER_FULL_STOPS, host):
        return right
    ace = ".".join(ace_of_label(label) for label in host.split("."))
    return in_host(lambda _: ace)(right)


def ace_of_authority(iri: str, right: str) -> str | None:
    """Apply ToASCII to the whole authority, also to userinfo and port."""
    authority = split(iri).authority or ""
    is_more_than_host = "@" in authority or ":" in authority
    if not has_scheme_of_domains(iri) or authority.isascii() or not is_more_than_host:
        return right
    try:
        return join(split(right)._replace(authority=authority.encode("idna").decode()))
    except UnicodeError:
        return None


def ace_of_other_scheme(iri: str, right: str) -> str | None:
    """Apply ToASCII to the host of a scheme that is not known to use domain names."""
    host = host_of_url(iri)
    if split(iri).scheme is None or has_scheme_of_domains(iri) or host.isascii():
        return right
    try:
        ace = host.encode("idna").decode()
    except UnicodeError:
        return None
    return in_host(lambda _: ace)(right)


FAULTS: Mapping[str, Fault] = {
    "applies_to_ascii_to_other_schemes": maps(ace_of_other_scheme),
    "applies_to_ascii_to_whole_authority": maps(ace_of_authority),
    "composes_letters": reads("to_uri", lambda iri: unicodedata.normalize("NFC", iri)),
    "crashes_at_address_in_brackets": maps(fails_at_address),
    "encodes_colon_in_path": writes_uri(inside("path", encoded(":"))),
    "encodes_in_windows_1251": encodes_as(octets_of_windows_1251),
    "encodes_lone_percent": tolerates(sub("%(?![0-9A-Fa-f]{2})", "%25"), ("to_uri",)),
    "encodes_octets_twice": encodes_as(octets_encoded_again),
    "encodes_percent": reads("to_uri", encode_percent),
    "encodes_sub_delims": writes_uri(encoded("[!$&'()*+,;=]")),
    "encodes_surrogates": encodes_as(octets_of_surrogates),
    "leaves_fragment": maps(given_fragment),
    "leaves_latin_1": encodes_as(latin_1_left),
    "leaves_userinfo": maps(given_userinfo),
    "separates_labels_only_at_ascii_full_stop": maps(ace_of_host_with_full_stops),
    "writes_number_of_code_point": encodes_as(escape_of_code_point),
}
