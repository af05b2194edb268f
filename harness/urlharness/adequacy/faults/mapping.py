"""Faults of the mapping of IRIs to URIs and of the conversion of URIs to IRIs (RFC 3987, sections 3.1, 3.2).

Libraries compose characters, write two surrogates for one character beyond U+FFFF, read bytes that are no
UTF-8 as Latin-1, decode controls and delimiters, treat components in different ways, or normalize what they
should only map. `questions` has texts with and without such characters in each component, so that a fault
counts as live even if no vector notices it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from urlharness.adequacy.faults.fault import Fault, FaultAnswer, url_text
from urlharness.corpus.model import TRIPLET, Case, Expected, Operation, Vector
from urlharness.generate.tiers.labels import Label, expected_text, label
from urloracle import operations
from urloracle.rfc.components import URI
from urloracle.rfc.mapping import (
    IDN_SCHEMES,
    EncodedCharacter,
    Forms,
    as_triplets,
    characters,
    examined,
    percent_encoded,
    query_in,
    to_ascii,
)
from urloracle.rfc.recomposition import recompose_authority, recompose_uri
from urloracle.rfc.resolution import remove_dot_segments
from urloracle.specification import Specification

_Change = Callable[[str], str]
_Answer = Callable[[Specification, Vector], FaultAnswer]

_COMPONENTS = ("userinfo", "host", "path", "query", "fragment")
_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")


def mapping_faults() -> Iterator[Fault]:
    """Yield the faults of `to_uri`, then those of `to_iri`."""
    yield from _faults_of_to_uri()
    yield from _faults_of_to_iri()


def _faults_of_to_uri() -> Iterator[Fault]:
    """Yield the faults of programs that map an IRI to a URI."""
    answers: dict[str, _Answer] = {"idna-of-all-schemes": _with_idna_of_all_schemes}
    for name, change in _BEFORE_TO_URI.items():
        answers[name] = partial(_uri_of_changed_iri, change)
    for name, change in _AFTER_MAPPING.items():
        answers[name] = partial(_changed_uri, change)
    for name, write in _WRONG_TRIPLETS.items():
        answers[name] = partial(_uri_by_character, write)
    for name, accepts in _REFUSED.items():
        answers[f"{name}-refused"] = partial(_refusing, accepts)
    for name, change in _TAKEN.items():
        answers[name] = partial(_uri_of_invalid_iri, change)
    for name in _COMPONENTS:
        answers[f"{name}-kept"] = partial(_uri_with_component_kept, name)
    for name, answer in answers.items():
        yield Fault(f"to_uri-{name}", "to_uri", answer)


def _faults_of_to_iri() -> Iterator[Fault]:
    """Yield the faults of programs that convert a URI to an IRI."""
    answers: dict[str, _Answer] = {"takes-iris": _iri_of_iri}
    for name, change in {**_AFTER_CONVERSION, **_AFTER_MAPPING}.items():
        answers[name] = partial(_changed_iri, change)
    for name, concerns in _DECODED.items():
        answers[f"{name}-decoded"] = partial(_iri_with, concerns, decodes=True)
    for name, concerns in _KEPT.items():
        answers[f"{name}-kept"] = partial(_iri_with, concerns, decodes=False)
    for name, write in _ILLEGAL_BYTES.items():
        answers[name] = partial(_iri_with_illegal_bytes, write)
    for name, decode in _RUNS.items():
        answers[name] = partial(_iri_by_runs, decode)
    for name in _COMPONENTS:
        answers[f"{name}-kept"] = partial(_iri_with_component_kept, name)
    for name, answer in answers.items():
        yield Fault(f"to_iri-{name}", "to_iri", answer)


# ---- to_uri


def _is_valid(spec: Specification, text: str, rule: str | None) -> bool:
    """Return True if the rule, by default that of whole IRIs, derives the text."""
    return spec.problem(text, rule) is None


def _uri_of_changed_iri(change: _Change, spec: Specification, vector: Vector) -> FaultAnswer:
    """Map the IRI after a change of its text."""
    return operations.to_uri(change(url_text(vector.url)), spec, vector.rule)


def _changed_uri(change: _Change, spec: Specification, vector: Vector) -> FaultAnswer:
    """Change the URI after the mapping."""
    return change(operations.to_uri(url_text(vector.url), spec, vector.rule))


def _uri_by_character(write: _Change, spec: Specification, vector: Vector) -> FaultAnswer:
    """Write each character beyond ASCII in a wrong way."""
    iri = url_text(vector.url)
    operations.to_uri(iri, spec, vector.rule)  # refuses what is invalid
    return "".join(char if char.isascii() else write(char) for char in iri)


def _refusing(accepts: Callable[[str], bool], spec: Specification, vector: Vector) -> FaultAnswer:
    """Map an IRI, but refuse those that a program does not accept by mistake."""
    iri = url_text(vector.url)
    return operations.to_uri(iri, spec, vector.rule) if accepts(iri) else None


def _uri_of_invalid_iri(change: _Change, spec: Specification, vector: Vector) -> FaultAnswer:
    """Map an invalid IRI, too, after a change of its text."""
    iri = url_text(vector.url)
    if _is_valid(spec, iri, vector.rule):
        return operations.to_uri(iri, spec, vector.rule)
    return percent_encoded(change(iri))


def _uri_with_component_kept(name: str, spec: Specification, vector: Vector) -> FaultAnswer:
    """Map an IRI, but leave one component as it is.

    A text of a rule is one component, such as a host. It is mapped, so there the fault does not show.
    """
    iri = url_text(vector.url)
    uri = operations.to_uri(iri, spec, vector.rule)
    return uri if vector.rule else _with_component_of(spec, name, iri, uri)


def _with_component_of(spec: Specification, name: str, original: str, mapped: str) -> str:
    """Return the mapped text with one component of the original text."""
    parts: URI = spec.parse(mapped)
    changed = parts._replace(**{name: getattr(spec.parse(original), name)})
    if changed.host is not None:
        authority = recompose_authority(changed.userinfo, changed.host, changed.port)
        changed = changed._replace(authority=authority)
    return recompose_uri(changed)


def _with_idna_of_all_schemes(spec: Specification, vector: Vector) -> FaultAnswer:
    """Write the host in its IDNA form, also for schemes that are not known to have domain names."""
    iri = url_text(vector.url)
    uri = operations.to_uri(iri, spec, vector.rule)
    if vector.rule:
        return uri
    parts: URI = spec.parse(iri)
    if not parts.host or parts.host.isascii() or (parts.scheme or "").lower() in IDN_SCHEMES:
        return uri
    name = to_ascii(parts.host)
    if name is None:
        return uri
    authority = recompose_authority(parts.userinfo, name, parts.port)
    return percent_encoded(recompose_uri(parts._replace(authority=authority)))


def _without_invisible(text: str) -> str:
    """Remove joiners, soft hyphens, zero-width blanks and variation selectors, as Nameprep does."""
    return re.sub("[\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]", "", text)


def _surrogates(char: str) -> str:
    """Return triplets for each half of a surrogate pair."""
    units = char.encode("utf-16-be", "surrogatepass")  # two bytes each
    halves = ""
    for index in range(0, len(units), 2):
        halves += units[index : index + 2].decode("utf-16-be", "surrogatepass")
    utf8 = halves.encode("utf-8", "surrogatepass")
    return "".join(f"%{byte:02X}" for byte in utf8)


def _by_code_unit(text: str) -> str:
    return "".join(f"%u{ord(char):04X}" for char in text)


def _latin_1(char: str) -> str:
    return f"%{ord(char):02X}" if ord(char) < 0x100 else as_triplets(char)


def _low_byte(char: str) -> str:
    return f"%{ord(char) & 0xFF:02X}"


def _numeric_reference(char: str) -> str:
    return f"%26%23{ord(char)}%3B"


_BEFORE_TO_URI: Mapping[str, _Change] = {
    "nfc": partial(unicodedata.normalize, "NFC"),
    "nfd": partial(unicodedata.normalize, "NFD"),
    "nfkc": partial(unicodedata.normalize, "NFKC"),
    "folded": lambda text: "".join(char if char.isascii() else char.casefold() for char in text),
    "invisible-dropped": _without_invisible,
    "ideographic-full-stop": lambda text: re.sub("[\u3002\uff0e\uff61]", ".", text),
    "stripped": str.strip,
}

#: Normalizations, which neither the mapping nor the conversion makes.
_AFTER_MAPPING: Mapping[str, _Change] = {
    "scheme-case": lambda text: (
        _SCHEME.sub(lambda scheme: scheme[0].lower(), text, count=1) if _SCHEME.match(text) else text
    ),
    "host-case": lambda text: re.sub("//[^/?#]*", lambda host: host[0].lower(), text, count=1),
    "dots-removed": lambda text: re.sub(
        "(?<=[^/])/[^?#]*", lambda path: remove_dot_segments(path[0]), text, count=1
    ),
    "slash-filled-in": lambda text: re.sub("^([^/?#]*//[^/?#]+)(?=[?#]|$)", r"\1/", text),
    "default-port-dropped": lambda text: re.sub(":80(?=[/?#]|$)", "", text, count=1),
    "fragment-dropped": lambda text: text.partition("#")[0],
    "empty-query-dropped": lambda text: re.sub(r"\?(?=#|$)", "", text),
    "empty-fragment-dropped": lambda text: re.sub("#$", "", text),
    "plus-for-space": lambda text: text.replace("%20", "+"),
    "marks-encoded": lambda text: re.sub("[!*'()]", lambda mark: as_triplets(mark[0]), text),
    "tilde-encoded": lambda text: text.replace("~", "%7E"),
    "letters-decoded": lambda text: re.sub(
        "%([46][1-9A-Fa-f]|[57][0-9Aa])", lambda triplet: chr(int(triplet[1], 16)), text
    ),
    "percent-encoded": lambda text: text.replace("%", "%25"),
    "all-upper-case": lambda text: TRIPLET.sub(lambda triplet: triplet[0].upper(), text),
    "all-lower-case": lambda text: TRIPLET.sub(lambda triplet: triplet[0].lower(), text),
}

#: Wrong ways to write a character beyond ASCII.
_WRONG_TRIPLETS: Mapping[str, _Change] = {
    "surrogates": _surrogates,
    "code-units": _by_code_unit,
    "latin-1": _latin_1,
    "low-byte": _low_byte,
    "numeric-reference": _numeric_reference,
    "question-mark": lambda _: "%3F",
    "dropped": lambda _: "",
    "unchanged": lambda char: char,
    "encoded-twice": lambda char: as_triplets(char).replace("%", "%25"),
}

#: Which IRIs a program accepts that refuses too many.
_REFUSED: Mapping[str, Callable[[str], bool]] = {
    "beyond-ascii": str.isascii,
    "beyond-u+ffff": lambda iri: all(char <= "\uffff" for char in iri),
    "private": lambda iri: not re.search("[\ue000-\uf8ff\U000f0000-\U0010ffff]", iri),
    "unassigned": lambda iri: all(unicodedata.category(char) != "Cn" for char in iri),
    "combining": lambda iri: not any(map(unicodedata.combining, iri)),
    "invisible": lambda iri: not any(unicodedata.category(char) == "Cf" for char in iri),
    "blank": lambda iri: not any(char.isspace() for char in iri),
    "reference": lambda iri: _SCHEME.match(iri) is not None,
    "host-beyond-ascii": lambda iri: re.sub(".*?//([^/?#]*).*", r"\1", iri, flags=re.DOTALL).isascii(),
}

#: What a program that takes invalid IRIs makes of them before it encodes the characters beyond ASCII.
_TAKEN: Mapping[str, _Change] = {
    "invalid-returned": lambda iri: iri,
    "brackets-encoded": lambda iri: iri.replace("[", "%5B").replace("]", "%5D"),
    "percent-sign-encoded": lambda iri: re.sub("%(?![0-9A-Fa-f]{2})", "%25", iri),
    "number-sign-encoded": lambda iri: iri[:1] + iri[1:].replace("#", "%23"),
    "controls-encoded": lambda iri: re.sub("[\x00-\x1f\x7f]", lambda control: as_triplets(control[0]), iri),
    "controls-dropped": lambda iri: re.sub("[\x00-\x1f\x7f-\x9f]", "", iri),
    "blank-dropped": lambda iri: iri.replace(" ", ""),
    "blank-as-plus": lambda iri: iri.replace(" ", "+"),
    "replacement": lambda iri: re.sub("[\ud800-\udfff]", "\ufffd", iri),
}


# ---- to_iri


def _changed_iri(change: _Change, spec: Specification, vector: Vector) -> FaultAnswer:
    """Change the IRI after the conversion."""
    return change(operations.to_iri(url_text(vector.url), spec, vector.rule))


def _iri_by_character(
    write: Callable[[EncodedCharacter], str | None], spec: Specification, vector: Vector
) -> FaultAnswer:
    """Convert a URI, but write some characters in another way: those for which `write` returns a text."""
    uri = url_text(vector.url)
    operations.to_iri(uri, spec, vector.rule)  # refuses what is invalid
    rule = spec.grammar.canonical_name(vector.rule or spec.default_rule)
    query = query_in(uri, rule, is_whole=vector.rule is None or rule in spec.whole)
    parts = []
    end = 0
    for encoded in examined(uri, characters(spec.grammar), query):
        written = write(encoded)
        parts += [uri[end : encoded.offset], _recommended_text(encoded) if written is None else written]
        end = encoded.offset + len(encoded.written)
    return "".join((*parts, uri[end:]))


def _recommended_text(encoded: EncodedCharacter) -> str:
    """Return the recommended text for triplets."""
    if encoded.reason == "decoded":
        return encoded.character
    return encoded.written if encoded.reason in ("reserved", "not-in-uris") else encoded.written.upper()


def _iri_with(
    concerns: Callable[[EncodedCharacter], bool], spec: Specification, vector: Vector, *, decodes: bool
) -> FaultAnswer:
    """Convert a URI, but decode, or keep, the triplets of the characters that a fault concerns."""

    def write(encoded: EncodedCharacter) -> str | None:
        if not encoded.character or not concerns(encoded):
            return None
        return encoded.character if decodes else encoded.written

    return _iri_by_character(write, spec, vector)


def _iri_with_illegal_bytes(write: _Change, spec: Specification, vector: Vector) -> FaultAnswer:
    """Convert a URI, but write each byte that is no part of legal UTF-8 in a wrong way."""

    def write_illegal_byte(encoded: EncodedCharacter) -> str | None:
        return write(encoded.written) if encoded.reason == "no-utf-8" else None

    return _iri_by_character(write_illegal_byte, spec, vector)


_RUN = re.compile("(?:%[0-9A-Fa-f]{2})+")


def _iri_by_runs(
    decode: Callable[[str, str], str | None], spec: Specification, vector: Vector
) -> FaultAnswer:
    """Convert a URI run by run: `decode` returns a wrong text for a run, given the right text, or None."""
    uri = url_text(vector.url)
    operations.to_iri(uri, spec, vector.rule)  # refuses what is invalid
    parts = []
    end = 0
    for run in _RUN.finditer(uri):
        rule = "iquery" if run.start() in _query(uri, vector) else "isegment"
        right = operations.to_iri(run[0], spec, rule)
        wrong = decode(run[0], right)
        parts += [uri[end : run.start()], right if wrong is None else wrong]
        end = run.end()
    return "".join((*parts, uri[end:]))


def _query(uri: str, vector: Vector) -> range:
    return query_in(uri, vector.rule or "", is_whole=vector.rule is None)


def _iri_with_component_kept(name: str, spec: Specification, vector: Vector) -> FaultAnswer:
    """Convert a URI, but leave one component as it is.

    A text of a rule is one component, such as a host. It is converted, so there the fault does not show.
    """
    uri = url_text(vector.url)
    iri = operations.to_iri(uri, spec, vector.rule)
    return iri if vector.rule else _with_component_of(spec, name, uri, iri)


def _iri_of_iri(spec: Specification, vector: Vector) -> FaultAnswer:
    """Convert what is no URI, too: percent-encode it first."""
    return operations.to_iri(percent_encoded(url_text(vector.url)), spec, vector.rule)


def _is_one_of(pattern: str) -> Callable[[EncodedCharacter], bool]:
    return lambda encoded: re.fullmatch(pattern, encoded.character, re.DOTALL) is not None


_AFTER_CONVERSION: Mapping[str, _Change] = {
    "nfc": partial(unicodedata.normalize, "NFC"),
    "nfd": partial(unicodedata.normalize, "NFD"),
    "nfkc": partial(unicodedata.normalize, "NFKC"),
    "decoded-again": lambda iri: re.sub(
        "%25([46][1-9A-Fa-f]|[57][0-9Aa])", lambda triplet: chr(int(triplet[1], 16)), iri
    ),
    "fullwidth-solidus": lambda iri: iri.replace("\uff0f", "/"),
    "invisible-dropped": _without_invisible,
}

#: Characters whose triplets a program decodes by mistake.
_DECODED: Mapping[str, Callable[[EncodedCharacter], bool]] = {
    "gen-delims": _is_one_of(r"[:/?#\[\]@]"),
    "sub-delims": _is_one_of("[!$&'()*+,;=]"),
    **{f"u+{ord(char):04x}": _is_one_of(re.escape(char)) for char in "/?#[]@:&=+;%"},
    "controls": _is_one_of("[\x00-\x1f\x7f]"),
    "del": _is_one_of("\x7f"),
    "c1": _is_one_of("[\x80-\x9f]"),
    "blank": _is_one_of(" "),
    "unsafe": _is_one_of('[<>"{}|\\\\^`]'),
    "direction": lambda encoded: encoded.reason == "formatting",
    "marks-of-direction": _is_one_of("[\u200e\u200f]"),
    "embeddings": _is_one_of("[\u202a-\u202e]"),
    "private": lambda encoded: encoded.reason == "private",
    "private-of-plane-15": _is_one_of("[\U000f0000-\U000fffff]"),
    "private-of-plane-16": _is_one_of("[\U00100000-\U0010ffff]"),
    "noncharacters": _is_one_of("[\ufdd0-\ufdef\ufffe\uffff\U0001fffe\U0001ffff\U0010fffe\U0010ffff]"),
    "specials": _is_one_of("[\ufff0-\ufffd]"),
    "tags": _is_one_of("[\U000e0000-\U000e0fff]"),
    "not-in-iris": lambda encoded: encoded.reason == "not-in-iris",
}

#: Characters whose triplets a program keeps by mistake. It may keep compatibility characters (R-3987-08).
_KEPT: Mapping[str, Callable[[EncodedCharacter], bool]] = {
    "letters": _is_one_of("[A-Za-z]"),
    "digits": _is_one_of("[0-9]"),
    "marks": _is_one_of("[._~-]"),
    "tilde": _is_one_of("~"),
    "latin-1": _is_one_of("[\xa0-\xff]"),
    "two-bytes": _is_one_of("[\x80-\u07ff]"),
    "three-bytes": _is_one_of("[\u0800-\uffff]"),
    "four-bytes": _is_one_of("[\U00010000-\U0010ffff]"),
    "all": lambda encoded: encoded.reason == "decoded" and not encoded.character.isascii(),
    "lower-case": lambda encoded: encoded.written != encoded.written.upper(),
}

#: What a program writes for a byte that is no part of legal UTF-8.
_ILLEGAL_BYTES: Mapping[str, _Change] = {
    "latin-1": lambda triplet: chr(int(triplet[1:], 16)),
    "replacement": lambda _: "\ufffd",
    "encoded-replacement": lambda _: "%EF%BF%BD",
    "dropped": lambda _: "",
    "encoded-again": lambda triplet: triplet.replace("%", "%25"),
    "as-utf-8": lambda triplet: as_triplets(chr(int(triplet[1:], 16))),
}


def _bytes_of(run: str) -> bytes:
    return bytes.fromhex(run.replace("%", ""))


def _is_legal(run_bytes: bytes) -> bool:
    """Return True if bytes are UTF-8."""
    try:
        run_bytes.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _keep_run_with_illegal_byte(run: str, _right: str) -> str | None:
    return None if _is_legal(_bytes_of(run)) else run


def _keep_after_illegal_byte(run: str, _right: str) -> str | None:
    """Decode a run up to its first illegal byte."""
    run_bytes = _bytes_of(run)
    try:
        run_bytes.decode("utf-8")
    except UnicodeDecodeError as error:
        return run_bytes[: error.start].decode() + run[3 * error.start :]
    return None


def _refuse_illegal_byte(run: str, _right: str) -> str | None:
    if not _is_legal(_bytes_of(run)):
        raise ValueError("bytes that are not UTF-8")
    return None


def _join_surrogates(run: str, _right: str) -> str | None:
    """Decode two surrogates to one character."""
    try:
        text = _bytes_of(run).decode("utf-8", "surrogatepass")
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeError:
        return None
    return joined if joined != text else None


def _decode_overlong(run: str, _right: str) -> str | None:
    """Decode overlong forms of two bytes."""
    pattern = re.compile("%[Cc]([01])%([89AaBb])([0-9A-Fa-f])")
    if pattern.search(run) is None:
        return None

    def decode(match: re.Match[str]) -> str:
        return chr(int(match[1], 16) << 6 | (int(match[2], 16) & 3) << 4 | int(match[3], 16))

    return pattern.sub(decode, run)


def _by_byte(run: str, _right: str) -> str | None:
    """Decode each byte to a character, as if the bytes were Latin-1."""
    run_bytes = _bytes_of(run)
    return None if run_bytes.isascii() else run_bytes.decode("latin-1")


_RUNS: Mapping[str, Callable[[str, str], str | None]] = {
    "run-with-illegal-byte-kept": _keep_run_with_illegal_byte,
    "kept-after-illegal-byte": _keep_after_illegal_byte,
    "illegal-byte-refused": _refuse_illegal_byte,
    "surrogates-joined": _join_surrogates,
    "overlong-decoded": _decode_overlong,
    "by-byte": _by_byte,
}


# ---- texts in which faults show themselves

#: Parts of IRIs and of URIs, for every component.
_PIECES = (
    *(
        "a",
        "\u00e9",
        "e\u0301",
        "\u00df",
        "\u0378",
        "\u05d0",
        "\u200d",
        "\u3000",
        "\u3002",
        "\uff0f",
        "\ufb01",
    ),
    *("\ufdcf", "\uffef", "\U00010300", "\U000e1000", "\ue000", "\U000f0000", "\U0010fffd"),
    *(
        "\x85",
        "\ufdd0",
        "\ufffd",
        "\U0001fffe",
        "\U000e0001",
        "\u202e",
        " ",
        "<",
        "\t",
        "[\u00e9]",
        "%",
        "%e9",
    ),
    *(
        "%41%7E",
        "%c3%a9",
        "%C3%A9%FC",
        "%C3%C3%A9",
        "%2f",
        "%3A%40",
        "%26%3D",
        "%3F%23%5B%5D%3B%2B",
        "%25%32%35",
        "%2541",
        "%00%7f",
    ),
    *("%20%3C", "%C2%85", "%C0%AF", "%ED%A0%80%ED%BC%80", "%F0%90%8C%80", "%EE%80%80", "%F3%B0%80%80"),
    *(
        "%F4%80%80%80",
        "%EF%B7%90",
        "%EF%BF%BD",
        "%F3%A0%80%81",
        "%E2%80%AE",
        "%E2%80%8E",
        "e%CC%81",
        "%E2%82",
    ),
    *("%EF%BC%8F", "%EF%A4%80", "%E2%80%8D", "%FF\u00e9", "~!*'()", "+%20"),
)
_PLACES = (
    *(
        "http://{}@h/",
        "http://{}/",
        "x://{}/",
        "//{}",
        "HTTP://H/{}",
        "x:{}",
        "{}",
        "?{}",
        "x://h?{}#",
        "#{}",
    ),
    *("http://h/a/../{}#f", "http://h:80?{}", "http://h/%61?#{}"),
)


def questions(spec: Specification) -> Iterator[Case]:
    """Yield a question for each operation and text, with the answers that the RFC admits."""
    for template in _PLACES:
        for piece in _PIECES:
            text = template.format(piece)
            yield _question(spec, "to_uri", text, operations.uri_forms(text, spec))
            yield _question(spec, "to_iri", text, operations.iri_forms(text, spec))


def _question(spec: Specification, op: Operation, text: str, forms: Forms) -> Case:
    """Return the question for a text whose admissible answers are `forms`."""
    expect = Expected(valid=False) if forms.text is None else Expected(result=forms.text)
    alternatives = []
    for form in forms.also:
        admitted = expected_text(form.text, "other")
        alternatives.append(Label(admitted, "permitted-set", form.ruling))
    answer = label(expect, alternatives)
    binding = answer.binding
    if op == "to_iri" and forms.text is None and not alternatives:
        binding = "unspecified"  # the text is neither a URI nor an IRI (G-12)
    identifier = f"{spec.id}-{op}-x"
    vector = Vector(
        id=identifier,
        requirement=identifier,
        level="must",
        op=op,
        expect=answer.expect,
        binding=binding,
        url=text,
    )
    return Case(spec.id, "3", vector, identifier)
