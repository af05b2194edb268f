"""IRIs as URIs and URIs as IRIs: RFC 3987, sections 3.1 and 3.2.

The mapping to a URI percent-encodes every character beyond ASCII, by UTF-8.  The conversion to an IRI decodes
the triplets that stand for characters which an IRI may have there.  Both read Unicode, so neither composes
characters (R-3987-17).

Where the RFC leaves a choice, `Forms` has the recommended answer and the other ones.  IDNA is that of RFC
3490 (R-3987-20), and only for schemes whose names are known to be domain names (R-3987-19).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from encodings import idna
from typing import Literal, NamedTuple

from urloracle.grammar.alphabet import FORMATTING, stand_ins
from urloracle.grammar.expression import Reference
from urloracle.grammar.grammar import Grammar
from urloracle.rfc.resolution import Alternative, distinct

#: Schemes that are known to have domain names as hosts (R-3987-19).
IDN_SCHEMES = frozenset(("ftp", "gopher", "http", "https", "nntp", "telnet", "wais", "ws", "wss"))
#: The printable characters of ASCII that no URI has, which a program may encode (section 3.1, R-3987-25).
UNSAFE = frozenset('<>" {}|\\^`')

#: Why a character is decoded, or stays percent-encoded.
Reason = Literal["decoded", "reserved", "not-in-uris", "no-utf-8", "not-in-iris", "private", "formatting"]
#: The step of section 3.2 that keeps a triplet, by reason.
KEEPING_STEP: dict[Reason, str] = {
    "reserved": "2",
    "not-in-uris": "2",
    "no-utf-8": "3",
    "not-in-iris": "4",
    "private": "4",
    "formatting": "4",
}

_TRIPLETS = re.compile("(?:%[0-9A-Fa-f]{2})+")
_BEFORE_QUERY = re.compile(r"[^?#]*\?")
_SERVER_BEFORE_HOST = re.compile("([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/?#@]*@)?")
#: The path of a whole URI, or of a component.
_PATH = re.compile("(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?([^?#]*)")
_DOT_SEGMENT = re.compile(r"(?<![^/:])(?:\.|%2[Ee]){1,2}(?=[/?#]|\Z)")
_HOST_END = re.compile("[:/?#]")
#: The full stops of RFC 3490, section 3.1.
FULL_STOPS = re.compile("[.\u3002\uff0e\uff61]")
#: A label after Nameprep by the rules of RFC 3490, section 4.1, step 3 (UseSTD3ASCIIRules).
HOST_LABEL = re.compile("(?!-)[A-Za-z0-9\x80-\U0010ffff-]+(?<!-)")


class Forms(NamedTuple):
    """The recommended answer of a mapping, and every other admissible answer.

    `text` is None if the recommended answer is to refuse the text.
    """

    text: str | None
    also: tuple[Alternative, ...] = ()


class EncodedCharacter(NamedTuple):
    """Triplets that stand for one character, or one triplet that stands for none.

    - `offset`: where they begin in the text
    - `written`: the triplets as the text has them
    - `character`: the character, or "" if the byte is no part of legal UTF-8
    - `reason`: "decoded", or why they stay
    """

    offset: int
    written: str
    character: str
    reason: Reason


class Characters(NamedTuple):
    """The letters that the conversion tells apart; see `grammar.alphabet`."""

    unreserved: frozenset[str]
    reserved: frozenset[str]
    private: frozenset[str]


def characters(grammar: Grammar) -> Characters:
    """Return the letters of the rules `iunreserved`, `reserved` and `iprivate`."""
    classes = [grammar.character_class(Reference(rule)) for rule in ("iunreserved", "reserved", "iprivate")]
    return Characters(*(letters or frozenset() for letters in classes))


# ---- section 3.1


def percent_encoded(text: str) -> str:
    """Return a text with each character beyond ASCII as triplets of its UTF-8 (section 3.1, step 2).

    Raise UnicodeEncodeError if the text contains half of a surrogate pair.
    """
    return text if text.isascii() else "".join(map(_percent_encoded_character, text))


def _percent_encoded_character(character: str) -> str:
    return character if character.isascii() else as_triplets(character)


def as_triplets(character: str) -> str:
    """Return the bytes of a character in UTF-8 as triplets, whose digits are in upper case (R-3987-38)."""
    return "".join(f"%{byte:02X}" for byte in character.encode())


def uri_forms(iri: str, *, is_whole: bool) -> Forms:
    """Return the URI of a valid IRI or of a component, and the other admissible ones.

    A URI stays as it is (R-3987-37).  New triplets may have lower-case digits (R-3987-38).  A whole IRI may
    have its host in the IDNA form (R-3987-19), unless the host has only characters of ASCII (R-3987-47).  If
    there is no such form, a program may refuse the IRI (R-3987-21).
    """
    text = percent_encoded(iri)
    also = [Alternative(_with_lower_digits(iri), "lower-case", "R-3987-38")]
    host = domain_of(iri) if is_whole else None
    if host is not None and not host.text.isascii():
        name = to_ascii(host.text)
        if name is None:
            also.append(Alternative(None, "error", "R-3987-21"))
        else:
            converted = iri[: host.start] + name + iri[host.start + len(host.text) :]
            also.append(Alternative(percent_encoded(converted), "idna", "R-3987-19"))
            also.append(Alternative(_with_lower_digits(converted), "idna+lower-case", "R-3987-19"))
    return Forms(text, distinct(text, also))


def _with_lower_digits(iri: str) -> str:
    """Return the URI with lower-case digits in the new triplets."""
    return "".join(char if char.isascii() else as_triplets(char).lower() for char in iri)


def encoded_for_uri(text: str) -> Iterator[Alternative]:
    """Yield what a program may make of an invalid IRI before it maps it.

    It may percent-encode ten printable characters of ASCII (section 3.1, R-3987-25), and characters that no
    IRI has there (R-3987-46).  The characters `#`, `%`, `[` and `]` stay (R-3987-26).
    """
    unsafe = "".join(as_triplets(char) if char in UNSAFE else char for char in text)
    ruling = "R-3987-25" if unsafe != text else "R-3987-46"
    try:
        encoded = percent_encoded(unsafe)
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8
        return
    if encoded != text:
        yield Alternative(encoded, "encoded", ruling)


class Host(NamedTuple):
    """A host in a text, and its offset."""

    text: str
    start: int


def domain_of(iri: str) -> Host | None:
    """Return the host of a valid IRI whose scheme is known to have domain names, or None (R-3987-19)."""
    server = _SERVER_BEFORE_HOST.match(iri)
    if server is None or server[1].lower() not in IDN_SCHEMES:
        return None
    start = server.end()
    return Host(_HOST_END.split(iri[start:], maxsplit=1)[0], start)


def to_ascii(host: str) -> str | None:
    """Return a domain name with each label converted by ToASCII of RFC 3490, or None if it fails.

    The labels are separated by full stops (section 3.1, R-3987-22).  Only letters, digits and hyphens of
    ASCII are allowed (UseSTD3ASCIIRules).
    """
    labels = FULL_STOPS.split(host)
    end = ""
    if len(labels) > 1 and labels[-1] == "":  # a name may end with a full stop
        labels.pop()
        end = "."
    names = []
    for label in labels:
        name = _label_to_ascii(label)
        if name is None:
            return None
        names.append(name)
    return ".".join(names) + end


def _label_to_ascii(label: str) -> str | None:
    try:
        prepared = idna.nameprep(label)
        name = idna.ToASCII(label).decode("ascii")
    except UnicodeError:
        return None
    return name if HOST_LABEL.fullmatch(prepared) else None


def prepared_name(host: str) -> str:
    """Return a domain name beyond ASCII with each label after Nameprep of RFC 3491.

    Any other host is returned as it is.
    """
    if host.isascii():  # ToASCII leaves such labels alone, so that their case stays
        return host
    if to_ascii(host) is None:  # Nameprep could make a delimiter of a character, such as a slash of U+FF0F
        return host
    labels = FULL_STOPS.split(host)
    return ".".join(map(idna.nameprep, labels))


# ---- section 3.2


def query_of(uri: str) -> range:
    """Return the offsets of the query of a whole URI."""
    begin = _BEFORE_QUERY.match(uri)
    return range(0) if begin is None else range(begin.end(), len(uri.partition("#")[0]))


def query_in(text: str, rule: str, *, is_whole: bool) -> range:
    """Return the offsets of the query in a text of a rule: a whole URI, a query, or another component."""
    if is_whole:
        return query_of(text)
    return range(len(text)) if rule.lower() == "iquery" else range(0)


def examined(uri: str, letters: Characters, query: range) -> Iterator[EncodedCharacter]:
    """Yield the triplets of a URI, character by character, each with what the conversion does to it.

    `query` contains the offsets of the query, in which private characters are decoded.
    """
    for run in _TRIPLETS.finditer(uri):
        yield from _examined_run(run[0], run.start(), letters, in_query=run.start() in query)


def _examined_run(run: str, start: int, letters: Characters, *, in_query: bool) -> Iterator[EncodedCharacter]:
    """Yield the characters of a run of triplets.

    The strict decoder refuses overlong forms, surrogates and what is above U+10FFFF (RFC 3629, R-3987-12).
    A byte that is no part of legal UTF-8 becomes a surrogate, and is yielded by itself.
    """
    offset = 0
    for character in bytes.fromhex(run.replace("%", "")).decode("utf-8", "surrogateescape"):
        size = 3 * len(character.encode("utf-8", "surrogateescape"))
        written = run[offset : offset + size]
        if "\udc80" <= character <= "\udcff":
            yield EncodedCharacter(start + offset, written, "", "no-utf-8")
        else:
            reason = _reason(character, letters, in_query=in_query)
            yield EncodedCharacter(start + offset, written, character, reason)
        offset += size


def _reason(character: str, letters: Characters, *, in_query: bool) -> Reason:
    """Return "decoded", or why the triplets of a character stay.

    All characters are decoded that sections 2.2 and 4.1 allow (R-3987-08), unreserved ones of ASCII too
    (R-3987-11).  Delimiters and what no URI has stay (R-3987-14), and private characters outside queries
    (R-3987-09).
    """
    letter = stand_ins(character)
    if letter in FORMATTING:  # section 4.1, R-3987-06
        return "formatting"
    if letter in letters.unreserved:
        return "decoded"
    if letter in letters.private:
        return "decoded" if in_query else "private"
    if not character.isascii():
        return "not-in-iris"
    return "reserved" if letter in letters.reserved or letter == "%" else "not-in-uris"


#: Which of the triplets that stay get upper-case digits (R-3987-10): those encoded again, none, or all.
TripletCase = Literal["encoded-again", "none", "all"]


class IriChoice(NamedTuple):
    """A choice of a program that converts a URI to an IRI.

    - `upper_case`: which triplets that stay get upper-case digits
    - `private`: private characters in a query are decoded (R-3987-09)
    - `dots`: the dots of dot segments are decoded (R-3987-15)
    """

    upper_case: TripletCase = "encoded-again"
    private: bool = True
    dots: bool = True

    @property
    def variant(self) -> str:
        """The name of the variant: what is not as recommended."""
        changes = []
        if not self.private:
            changes.append("private-kept")
        if not self.dots:
            changes.append("dots-kept")
        if self.upper_case != "encoded-again":
            changes.append("upper-case" if self.upper_case == "all" else "case-kept")
        return "+".join(changes)

    @property
    def ruling(self) -> str:
        """The ruling that admits the variant."""
        if not self.private:
            return "R-3987-09"
        return "R-3987-10" if self.dots else "R-3987-15"


_CASES: tuple[TripletCase, ...] = ("encoded-again", "none", "all")
#: What a program may choose; the first choice is the recommended one.
CHOICES = [
    IriChoice(case, private, dots) for private in (True, False) for dots in (True, False) for case in _CASES
]
_RECOMMENDED, *_PERMITTED = CHOICES


def to_iri(uri: str, letters: Characters, query: range) -> str:
    """Return the recommended IRI of a valid URI or of a component; `query` is as in `examined`."""
    return _converted(uri, examined(uri, letters, query), _RECOMMENDED, letters)


def iri_forms(uri: str, letters: Characters, query: range, *, is_whole: bool) -> Forms:
    """Return the IRI of a valid URI or of a component, and the other admissible ones.

    Besides the choices of `_PERMITTED`, the labels of a host in ACE form may be converted (R-3987-23).
    """
    encoded_characters = list(examined(uri, letters, query))
    text = _converted(uri, encoded_characters, _RECOMMENDED, letters)
    also = []
    for choice in _PERMITTED:
        converted = _converted(uri, encoded_characters, choice, letters)
        also.append(Alternative(converted, choice.variant, choice.ruling))
    if is_whole and domain_of(uri) is not None:
        recommended = Alternative(text, variant="", ruling="")
        also += [_with_unicode_host(form) for form in (recommended, *also)]
    return Forms(text, distinct(text, also))


def _converted(
    uri: str, encoded_characters: Iterable[EncodedCharacter], choice: IriChoice, letters: Characters
) -> str:
    """Return a URI with its triplets converted as a program chooses."""
    dots = frozenset[int]() if choice.dots else offsets_of_dot_segments(uri)
    parts = []
    end = 0
    for triplets in encoded_characters:
        written = triplets.written if triplets.offset in dots else written_triplets(triplets, choice, letters)
        parts += [uri[end : triplets.offset], written]
        end = triplets.offset + len(triplets.written)
    return "".join((*parts, uri[end:]))


def offsets_of_dot_segments(uri: str) -> frozenset[int]:
    """Return the offsets of the characters of segments that are dot segments after decoding."""
    path = _PATH.match(uri)
    assert path is not None  # it can be empty
    segments = _DOT_SEGMENT.finditer(uri, path.start(1), path.end(1))
    return frozenset(offset for segment in segments for offset in range(*segment.span()))


def written_triplets(triplets: EncodedCharacter, choice: IriChoice, letters: Characters) -> str:
    """Return what the conversion writes for the triplets of a character."""
    is_private = stand_ins(triplets.character) in letters.private
    if triplets.reason == "decoded" and (choice.private or not is_private):
        return triplets.character
    is_encoded_again = triplets.reason not in ("reserved", "not-in-uris")
    if choice.upper_case == "all" or (choice.upper_case == "encoded-again" and is_encoded_again):
        return triplets.written.upper()
    return triplets.written


def _with_unicode_host(form: Alternative) -> Alternative:
    """Return a form with the ACE labels of its host converted by ToUnicode of RFC 3490, which never fails."""
    iri = form.text or ""
    host = domain_of(iri)
    assert host is not None  # the caller looks
    name = ".".join(map(unicode_label, host.text.split(".")))
    converted = iri[: host.start] + name + iri[host.start + len(host.text) :]
    variant = f"{form.variant}+to-unicode" if form.variant else "to-unicode"
    return Alternative(converted, variant, "R-3987-23")


def unicode_label(label: str) -> str:
    """Return a label converted by ToUnicode of RFC 3490, or the label itself if that changes nothing."""
    if not label.lower().startswith("xn--"):
        return label
    try:
        return idna.ToUnicode(label)
    except UnicodeError:
        return label
