"""Which answers of mappings are admitted, by a second method, which reads the answer alone.

The answer of a conversion to an IRI is divided into its characters, and each is looked at with the triplets
that it comes from.  A URI is mapped back, but for its host, of which each label is decoded and compared.
Nothing here uses the oracle but its verdict on URIs of RFC 3986.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import ucd_3_2_0

from urloracle import InvalidURL, validate

from .second_iris import IPRIVATE, UCSCHAR, is_in, query_of, with_stand_ins_of_ascii

_FORMATTING = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
_UNRESERVED = re.compile("[A-Za-z0-9._~-]")
_DOMAIN_SCHEMES = ("ftp", "gopher", "http", "https", "nntp", "telnet", "wais", "ws", "wss")
_STOPS = re.compile("[.\u3002\uff0e\uff61]")

#: Letters that look like those of ASCII, and marks that do, by their names.
_LOOK_ALIKES = """
CYRILLIC CAPITAL LETTER A|BE? WITHOUT|VE|DZE|IE|BYELORUSSIAN-UKRAINIAN I|JE|KA|EM|EN|O|ER|ES|TE|U|HA|SOFT SIGN
CYRILLIC SMALL LETTER A|IE|O|ER|ES|U|HA|DZE|BYELORUSSIAN-UKRAINIAN I|JE
GREEK CAPITAL LETTER ALPHA|BETA|EPSILON|ZETA|ETA|IOTA|KAPPA|MU|NU|OMICRON|RHO|TAU|UPSILON|CHI
GREEK SMALL LETTER ALPHA|GAMMA|IOTA|NU|OMICRON|RHO|SIGMA|UPSILON
ARMENIAN SMALL LETTER VO|SEH|OH|CO|ZA|HO
"""
#: Characters of which texts are drawn, so that the tables of the oracle are not repeated here in whole.
DRAWN_LOOK_ALIKES = [
    unicodedata.lookup(f"{alphabet} {name}")
    for line in _LOOK_ALIKES.split("\n")
    for alphabet, names in re.findall("(.* LETTER) (.*)", line)
    for name in names.split("|")
    if "?" not in name
]
DRAWN_MARKS = [
    unicodedata.lookup(name)
    for name in (
        "FRACTION SLASH",
        "DIVISION SLASH",
        "SET MINUS",
        "IDEOGRAPHIC FULL STOP",
        "RIGHT DOUBLE QUOTATION MARK",
        "SINGLE LEFT-POINTING ANGLE QUOTATION MARK",
        "MUSIC SHARP SIGN",
        "ARABIC PERCENT SIGN",
        "RATIO",
        "MINUS SIGN",
    )
]


def is_doubtful(char: str) -> bool:
    """Return True if a character of the drawn ones may stay encoded."""
    name = unicodedata.name(char, "")
    if char in DRAWN_LOOK_ALIKES or char in DRAWN_MARKS:
        return True
    if ucd_3_2_0.category(char) in ("Zs", "Zl", "Zp", "Cf") or unicodedata.category(char) == "Cf":
        return True
    return (
        ucd_3_2_0.normalize("NFKC", char) != char
        or "VARIATION SELECTOR" in name
        or "IDEOGRAPHIC DESCRIPTION" in name
    )


# ---- section 3.2


class Piece(NamedTuple):
    """Triplets of a URI, the character that they stand for or "", and what an answer has for them."""

    char: str
    written: str
    answered: str
    is_in_query: bool
    is_dot: bool


def pieces_of(uri: str, answer: str) -> list[Piece] | None:
    """Divide an answer as a URI is divided, or return None if it has other text beside the triplets."""
    query = query_of(uri)
    path_end = min((offset for offset in (uri.find("?"), uri.find("#")) if offset >= 0), default=len(uri))
    pieces = []
    position = offset = 0
    while offset < len(uri):
        if uri[offset] != "%":
            if answer[position : position + 1] != uri[offset]:
                return None
            offset += 1
            position += 1
            continue
        char, written = _first_character(uri, offset)
        answered = (
            answer[position : position + len(written)] if answer[position : position + 1] == "%" else char
        )
        if not answer.startswith(answered, position) or answered == "":
            return None
        if answered != char and answered.upper() != written.upper():
            return None
        is_dot = char == "." and offset < path_end and _is_in_dot_segment(uri, offset)
        pieces.append(Piece(char, written, answered, offset in query, is_dot))
        offset += len(written)
        position += len(answered)
    return pieces if position == len(answer) else None


def _first_character(uri: str, offset: int) -> tuple[str, str]:
    """Return the character that triplets stand for (it may be none), and the triplets."""
    run = re.compile("(?:%[0-9A-Fa-f]{2}){1,4}").match(uri, offset)
    assert run is not None
    for size in range(3, len(run[0]) + 3, 3):
        try:
            return bytes.fromhex(run[0][:size].replace("%", "")).decode(), run[0][:size]
        except UnicodeDecodeError:
            continue
    return "", run[0][:3]


def _is_in_dot_segment(uri: str, offset: int) -> bool:
    """Return True if the segment around an offset of a path is one or two dots after decoding."""
    before = re.split("[/:]", uri[:offset])[-1]
    after = re.split("[/?#]", uri[offset:])[0]
    return re.sub("%2[Ee]", ".", before + after) in (".", "..")


def is_admitted_iri(uri: str, answer: str) -> bool:
    """Return True if an answer to a URI without a name in ACE form is admitted."""
    if not is_valid(answer, "iri"):
        return False
    pieces = pieces_of(uri, answer)
    return pieces is not None and all(map(_is_allowed, pieces)) and _is_uniform(pieces)


def is_valid(text: str, kind: str) -> bool:
    """Return True if a text is an IRI reference, or a URI reference."""
    try:
        validate(with_stand_ins_of_ascii(text) if kind == "iri" else text, "rfc3986")
    except InvalidURL:
        return False
    return True


def _is_allowed(piece: Piece) -> bool:
    """Return True if triplets may be decoded or stay as they do."""
    is_decoded = piece.answered == piece.char
    if piece.char == "" or piece.char in _FORMATTING:
        return not is_decoded
    if piece.char.isascii():
        is_unreserved = _UNRESERVED.match(piece.char) is not None
        return is_decoded == is_unreserved or piece.is_dot
    if is_in(piece.char, IPRIVATE) and piece.is_in_query:
        return True
    if not is_in(piece.char, UCSCHAR):
        return not is_decoded
    return is_decoded or is_doubtful(piece.char)


def _is_uniform(pieces: list[Piece]) -> bool:
    """Return True if each choice is made in one way."""
    private = {
        piece.answered == piece.char
        for piece in pieces
        if is_in(piece.char or "-", IPRIVATE) and piece.is_in_query
    }
    dots = {piece.answered == piece.char for piece in pieces if piece.is_dot}
    return len(private) < 2 and len(dots) < 2 and _has_uniform_case(pieces)


def _has_uniform_case(pieces: list[Piece]) -> bool:
    """Return True if all triplets keep their case, all are in upper case, or only those encoded again are."""
    remaining = [piece for piece in pieces if piece.answered != piece.char]
    if any(piece.is_dot and piece.answered != piece.written for piece in remaining):
        return False
    remaining = [piece for piece in remaining if not piece.is_dot]
    untouched = [piece for piece in remaining if piece.char and piece.char.isascii()]
    encoded_again = [piece for piece in remaining if not (piece.char and piece.char.isascii())]
    again_upper = all(piece.answered == piece.written.upper() for piece in encoded_again)
    return (
        all(piece.answered == piece.written for piece in remaining)
        or all(piece.answered == piece.written.upper() for piece in remaining)
        or (again_upper and all(piece.answered == piece.written for piece in untouched))
    )


# ---- section 3.1


def is_admitted_uri(iri: str, answer: str) -> bool:
    """Return True if a URI is admitted as the mapping of a text that may be an IRI."""
    if not answer.isascii() or not is_valid(answer, "uri"):
        return False
    host = _host_of(iri)
    if host is not None and not host.isascii():
        server, _, rest = iri.partition(host)
        if answer.startswith(server):  # user information of ASCII only
            for end in range(len(server), len(answer) + 1):
                name = answer[len(server) : end]
                if _is_name_of(name, host) and _is_mapped(rest, answer[end:]):
                    return True
    return _is_mapped(iri, answer)


def _host_of(iri: str) -> str | None:
    server = re.match(r"([A-Za-z]+)://(?:[^/?#@]*@)?([^/?#:\[]*)", iri)
    return server[2] if server is not None and server[1].lower() in _DOMAIN_SCHEMES else None


def _is_mapped(text: str, answer: str) -> bool:
    """Return True if an answer is a text with its characters encoded, all in one case."""
    return answer in (_mapped(text, "%02X"), _mapped(text, "%02x"))


def _mapped(text: str, digits: str) -> str:
    written = ""
    for char in text:
        must_stay = char.isascii() and char not in '<>" {}|\\^`'
        octets = char.encode("utf-8", "replace") if not must_stay else b""
        written += char if must_stay else "".join("%" + digits % octet for octet in octets)
    return written


def _is_name_of(name: str, host: str) -> bool:
    """Return True if each label of a name is that of a host by a version of IDNA."""
    labels = _STOPS.split(host)
    names = name.split(".")
    if len(names) != len(labels):
        return False
    for version in ("2003", "2008"):
        if all(
            part == _label(label, version, is_last=number == len(labels))
            for number, (part, label) in enumerate(zip(names, labels, strict=True), 1)
        ):
            return True
    return False


def _label(label: str, version: str, *, is_last: bool) -> str | None:
    """Return a label by a version of IDNA.  Only characters of Unicode 3.2 are drawn for hosts."""
    if label == "":
        return "" if is_last else None
    if version == "2003":
        if label.isascii():
            return label
        try:
            converted = label.encode("idna").decode("ascii")
        except UnicodeError:
            return None
        return converted if re.fullmatch("(?!-)[A-Za-z0-9-]+(?<!-)", converted) else None
    folded = "".join(_folded(label))
    if folded.isascii():
        return folded
    return "xn--" + folded.encode("punycode").decode("ascii")


def _folded(label: str) -> Iterator[str]:
    for char in label:
        if char in "\u00df\u03c2":
            yield char
        elif char != "\u00ad":
            yield unicodedata.normalize("NFKC", char).lower()
