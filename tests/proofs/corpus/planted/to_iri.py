"""Faults in mapping a URI to an IRI (RFC 3987, section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote, unquote_to_bytes

from .faults import Fault, text, writes_other
from .normalize.leaving import MARK, MARKED, as_latin_1, keeps, marks
from .texts import HIGH_TRIPLET, Change, decoded, inside, sub

#: The octets of the unreserved characters, and of those of US-ASCII that no URI has.
UNRESERVED = "2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9AEae]"
NOT_IN_URIS = "[01][0-9a-f]|2[02]|3[ce]|5[ce]|60|7[bcdf]"

#: The percent-encoded octets of the characters that format the direction of text (section 4.1).
ENCODED_DIRECTION_FORMAT = "%[Ee]2%80%(?:8[EFef]|[Aa][A-Ea-e])"

_CONTINUATION = "%[89ABab][0-9A-Fa-f]"

#: Forms of two, three and four octets that are longer than the character needs.
OVERLONG = (
    f"%[Cc][01]{_CONTINUATION}|%[Ee]0%[89][0-9A-Fa-f]{_CONTINUATION}"
    f"|%[Ff]0%8[0-9A-Fa-f]{_CONTINUATION}{_CONTINUATION}"
)


def maps(change: Callable[[str, str], str | None]) -> Fault:
    """Give an IRI that depends on the given URI and the right IRI; None is an exception."""
    return writes_other("to_iri", lambda question, right: change(text(question["url"]), right))


def writes_iri(change: Change) -> Fault:
    """Give an IRI that depends on the right one."""
    return maps(lambda _, right: change(right))


def in_illegal_octets(change: Change) -> Change:
    """Return a function that changes each percent-encoded octet that belongs to no UTF-8."""

    def changed(match: re.Match[str]) -> str:
        octets = unquote_to_bytes(match[0])
        written = ""
        beginning = 0
        for character in octets.decode("utf-8", "surrogateescape"):
            end = beginning + 3 * len(character.encode("utf-8", "surrogateescape"))
            triplets = match[0][beginning:end]
            written += change(triplets) if "\ud800" <= character <= "\udfff" else triplets
            beginning = end
        return written

    return sub(f"(?:{HIGH_TRIPLET})+", changed)


def has_illegal_octets(uri: str) -> bool:
    """Tell if a percent-encoded octet belongs to no UTF-8."""
    return in_illegal_octets(lambda _: "")(uri) != uri


def character_after_any_lead(match: re.Match[str]) -> str:
    """Return the character of four octets of which the first is none that UTF-8 has."""
    lead, *rest = unquote_to_bytes(match[0])
    code_point = lead & 0b111
    for octet in rest:
        code_point = code_point << 6 | octet & 0b111111
    is_character = 0x10000 <= code_point <= 0xDFFFF and code_point & 0xFFFF < 0xFFFE
    return chr(code_point) if is_character else match[0]


def character_of_overlong_form(match: re.Match[str]) -> str:
    """Return the character of a form that is longer than the character needs."""
    lead, *rest = unquote_to_bytes(match[0])
    code_point = lead & (0b11111 >> len(rest) - 1)
    for octet in rest:
        code_point = code_point << 6 | octet & 0b111111
    return match[0] if 0xD800 <= code_point <= 0xDFFF else chr(code_point)


def octets_marked_if_illegal(uri: str) -> str:
    """Mark the octets beyond US-ASCII if some of them are no UTF-8."""
    return marks("[89A-Fa-f][0-9A-Fa-f]")(uri) if has_illegal_octets(uri) else uri


FAULTS: Mapping[str, Fault] = {
    "crashes_at_octets_that_are_no_utf_8": maps(
        lambda uri, right: None if has_illegal_octets(uri) else right
    ),
    "decodes_at_sign_and_slash_in_userinfo": writes_iri(
        inside("authority", sub("^.*@", lambda match: decoded("40|2f")(match[0])))
    ),
    "decodes_characters_that_no_uri_has": writes_iri(decoded(NOT_IN_URIS)),
    "decodes_direction_formatting": writes_iri(
        sub(ENCODED_DIRECTION_FORMAT, lambda match: unquote(match[0]))
    ),
    "decodes_octets_after_any_lead": writes_iri(
        sub(f"%[Ff][89A-Fa-f](?:{_CONTINUATION}){{3}}", character_after_any_lead)
    ),
    "decodes_overlong_forms": writes_iri(sub(OVERLONG, character_of_overlong_form)),
    "decodes_percent": writes_iri(sub("%25", "%")),
    "decodes_sub_delims": writes_iri(decoded("2[146789abc]|3[bd]")),
    "drops_direction_formatting": writes_iri(sub(ENCODED_DIRECTION_FORMAT, "")),
    "encodes_percent_of_kept_octets": writes_iri(sub("%(?=[0-9A-Fa-f]{2})", "%25")),
    "keeps_encoded_unreserved_characters": keeps(
        sub(f"%({UNRESERVED})", rf"{MARK}\1"), sub(f"{MARK}({UNRESERVED})", r"%\1"), "to_iri"
    ),
    "reads_octets_that_are_no_utf_8_as_latin_1": keeps(
        octets_marked_if_illegal, sub(MARKED, as_latin_1), "to_iri"
    ),
    "replaces_octets_that_are_no_utf_8": writes_iri(in_illegal_octets(lambda _: "\N{REPLACEMENT CHARACTER}")),
}
