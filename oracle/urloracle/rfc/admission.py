"""Decides whether an answer of a mapping is admitted: a URI (RFC 3987, section 3.1) or an IRI (section 3.2).

The admissible answers of a mapping cannot be listed: each doubtful character of a URI may be decoded or
stay, so that n of them have 2**n answers.  So an answer is read along the text, and each choice that it makes
has to be one that a ruling admits.  `mapping.Forms` lists only the answers that leave no doubtful character
encoded, and have a host by the IDNA of 2003.

A choice holds for a whole text, but that on a doubtful character: a program that writes new triplets in
lower case does so for all of them.
"""

from __future__ import annotations

import re
import stringprep
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from os.path import commonprefix
from typing import NamedTuple

from urloracle.grammar.alphabet import FORMATTING, PRIVATE, UCS, stand_ins
from urloracle.rfc.doubtful import ruling_on
from urloracle.rfc.mapping import (
    CHOICES,
    FULL_STOPS,
    HOST_LABEL,
    UNSAFE,
    Characters,
    EncodedCharacter,
    Forms,
    IriChoice,
    as_triplets,
    domain_of,
    examined,
    offsets_of_dot_segments,
    to_ascii,
    unicode_label,
    written_triplets,
)

#: A function that tells whether a rule derives a text.
Accepts = Callable[[str], bool]

#: Characters that IDNA of 2003 maps or removes, and IDNA of 2008 keeps: sharp s, final sigma, two joiners.
_KEPT_BY_IDNA_2008 = frozenset("\u00df\u03c2\u200c\u200d")
_JOINERS = frozenset("\u200c\u200d")
_VIRAMA = 9  # its class of combining
#: Arabic letters that are never joined to the letter after them, such as alef.
_NOT_JOINED_TO_THE_NEXT = frozenset(
    "\u0621\u0622\u0623\u0624\u0625\u0627\u0629\u062f\u0630\u0631\u0632\u0648"
    "\u0671\u0672\u0673\u0674\u0675\u0676\u0677\u0688\u0689\u068a\u068b\u068c\u068d\u068e\u068f\u0690"
    "\u0691\u0692\u0693\u0694\u0695\u0696\u0697\u0698\u0699\u06c0\u06c3\u06c4\u06c5\u06c6\u06c7\u06c8"
    "\u06c9\u06ca\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5"
)
#: The categories of the letters, digits and marks that a name of IDNA 2008 has; it has no symbols.
_CATEGORIES_OF_NAMES = frozenset(("Ll", "Lm", "Lo", "Mn", "Mc", "Nd"))
_LONGEST_LABEL = 63
#: The triplet of a letter, a digit or a hyphen, of which a label in ACE form consists.
_UNRESERVED_TRIPLET = re.compile("%(2[Dd]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])")


class Admission(NamedTuple):
    """A decision on an answer: whether it is admitted, the reason, and the rulings that admit it.

    `rulings` is empty if the answer is the recommended one, or is not admitted.
    """

    admitted: bool
    reason: str
    rulings: tuple[str, ...] = ()


def _admitted(reason: str, *rulings: str | None) -> Admission:
    """Return the admission of an answer by rulings, each of which is named once."""
    return Admission(True, reason, tuple(dict.fromkeys(ruling for ruling in rulings if ruling is not None)))


def _refused(reason: str) -> Admission:
    return Admission(False, reason)


# ---- section 3.1


def admission_of_uri(iri: str, answer: str | None, *, accepts: Accepts, is_whole: bool) -> Admission:
    """Return whether a URI is admitted as the mapping of an IRI or of a component; None stands for a refusal.

    `accepts` tells whether a text is valid by the rule of the IRI.
    """
    is_valid = accepts(iri)
    names = _names_of_host(iri) if is_whole else _Names()
    if answer is None:
        return _admission_of_refusal(iri, names, is_valid=is_valid)
    if not answer.isascii() or not accepts(answer):
        return _refused("it is no URI")
    if is_valid and answer == iri:
        return _admitted("a URI stays as it is")
    matching_length = 0
    for uri in _uris(iri, names, is_valid=is_valid):
        if uri.text == answer:
            return _admitted(uri.reason, *uri.rulings)
        common = commonprefix([uri.text, answer])  # noqa: RUF071 - of texts
        matching_length = max(matching_length, len(common))
    return _refused(f"no admitted URI continues as this one does at offset {matching_length}")


def rulings_on_further_uris(iri: str, forms: Forms, *, accepts: Accepts, is_whole: bool) -> tuple[str, ...]:
    """Return the rulings by which answers to an IRI are admitted that `forms` does not list."""
    is_valid = accepts(iri)
    names = _names_of_host(iri) if is_whole else _Names()
    listed = {forms.text, *(form.text for form in forms.also)}
    known_rulings = {form.ruling for form in forms.also}
    rulings: list[str] = []
    if None not in listed:
        rulings += _admission_of_refusal(iri, names, is_valid=is_valid).rulings
    for uri in _uris(iri, names, is_valid=is_valid):
        if uri.text not in listed and accepts(uri.text):
            rulings += uri.rulings
    return tuple(dict.fromkeys(ruling for ruling in rulings if ruling not in known_rulings))


class _Names(NamedTuple):
    """The names to which the host of an IRI may be converted.

    - `start`, `end`: the offsets of the host
    - `names`: each name with the rulings that admit it
    - `refusals`: the rulings by which a program may refuse the host
    """

    start: int = 0
    end: int = 0
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    refusals: tuple[str, ...] = ()


class _Uri(NamedTuple):
    """An admitted URI, with the reason and the rulings."""

    text: str
    reason: str
    rulings: tuple[str, ...]


def _admission_of_refusal(iri: str, names: _Names, *, is_valid: bool) -> Admission:
    """Return whether a program may refuse to map a text."""
    if not is_valid:
        return _admitted("the text is no IRI")
    if FORMATTING & set(stand_ins(iri)):
        return _admitted("section 4.1 forbids a character of it", "R-3987-06")
    if names.refusals:
        return _admitted("the host has no name by one version of IDNA", *names.refusals)
    return _refused("the text is an IRI, and has a URI")


def _uris(iri: str, names: _Names, *, is_valid: bool) -> Iterator[_Uri]:
    """Yield each URI that a program may make of a text.

    What is no IRI may become one, if some of its characters are encoded first (R-3987-25, R-3987-46).  The
    caller looks whether the result is a URI, since the rest of the text can be invalid, too.
    """
    repairs = () if is_valid else tuple(_rulings_on_repair(iri))
    for (name, rulings_on_name), is_lower in product((("", ()), *names.names), (False, True)):
        text = iri[: names.start] + name + iri[names.end :] if name else iri
        try:
            encoded = _encoded(text, is_lower=is_lower)
        except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8
            return
        rulings = [*repairs, *rulings_on_name]
        if is_lower and encoded != _encoded(text, is_lower=False):
            rulings.append("R-3987-38")
        reason = "the host is in its IDNA form" if name else "the characters are percent-encoded"
        yield _Uri(encoded, reason, tuple(rulings))


def _rulings_on_repair(text: str) -> Iterator[str]:
    """Yield the rulings by which a program may encode what makes a text invalid."""
    if UNSAFE & set(text):
        yield "R-3987-25"
    if any(not char.isascii() and stand_ins(char) not in UCS for char in text):
        yield "R-3987-46"


def _encoded(text: str, *, is_lower: bool) -> str:
    """Return a text with triplets for characters beyond ASCII, and for the ten of ASCII that no URI has.

    A valid IRI has none of these ten.
    """
    written = []
    for char in text:
        if char.isascii() and char not in UNSAFE:
            written.append(char)
        else:
            triplets = as_triplets(char)
            written.append(triplets.lower() if is_lower else triplets)
    return "".join(written)


def _names_of_host(iri: str) -> _Names:
    """Return the names to which the host of a whole IRI may be converted, of schemes with domain names.

    There are none for a host of ASCII (R-3987-47).
    """
    host = domain_of(iri)
    if host is None or host.text.isascii():
        return _Names()
    names: list[tuple[str, tuple[str, ...]]] = []
    refusals = []
    name_of_2003 = to_ascii(host.text)
    if name_of_2003 is None:
        refusals.append("R-3987-21")
    else:
        names.append((name_of_2003, ("R-3987-19",)))
    labels = FULL_STOPS.split(host.text)
    name_of_2008 = _name_of_2008(labels)
    if name_of_2008 is not None:
        names.append((name_of_2008, ("R-3987-19", "R-3987-20")))
    if any(map(_may_be_refused_by_idna_2008, labels)):
        refusals.append("R-3987-20")
    return _Names(host.start, host.start + len(host.text), tuple(names), tuple(refusals))


def _name_of_2008(labels: Sequence[str]) -> str | None:
    """Return a domain name by IDNA of 2008 with the mapping of UTS 46, or None if it has none.

    Its last label may be empty.
    """
    names = []
    for number, label in enumerate(labels, 1):
        is_root = label == "" and 1 < number == len(labels)
        name = "" if is_root else _label_of_2008(label)
        if name is None:
            return None
        names.append(name)
    return ".".join(names)


def _label_of_2008(label: str) -> str | None:
    mapped = _mapped_label(label)
    if HOST_LABEL.fullmatch(mapped) is None:
        return None
    if not all(char.isascii() or char in _JOINERS or _is_of_names(char) for char in mapped):
        return None
    name = mapped if mapped.isascii() else f"xn--{mapped.encode('punycode').decode('ascii')}"
    return name if len(name) <= _LONGEST_LABEL else None


def _mapped_label(label: str) -> str:
    """Return a label as UTS 46 maps it: in lower case, and without compatibility characters."""
    mapped = []
    for char in label:
        if char in _KEPT_BY_IDNA_2008:
            mapped.append(char)
        elif not stringprep.in_table_b1(char):  # a character without a width, which is removed
            mapped.append(unicodedata.normalize("NFKC", char).casefold())
    return unicodedata.normalize("NFC", "".join(mapped))


def _is_of_names(char: str) -> bool:
    return unicodedata.category(char) in _CATEGORIES_OF_NAMES


def _may_be_refused_by_idna_2008(label: str) -> bool:
    """Return True if IDNA of 2008 has no such label (RFC 5892), or not with its joiners where they stand."""
    mapped = _mapped_label(label)
    if mapped.isascii():
        return False
    if mapped[2:4] == "--" or unicodedata.category(mapped[0]).startswith("M"):
        return True
    for offset, char in enumerate(mapped):
        if char in _JOINERS:
            is_allowed = _joiner_may_stand(mapped, offset)
        else:
            is_allowed = char.isascii() or _is_of_names(char)
        if not is_allowed:
            return True
    return False


def _joiner_may_stand(label: str, offset: int) -> bool:
    """Return True if a joiner stands after a virama, or if it separates two Arabic letters that would join.

    These are the rules of RFC 5892, appendix A.1 and A.2, without the letters of scripts other than Arabic
    that join.
    """
    before = label[offset - 1 : offset]
    after = label[offset + 1 : offset + 2]
    if before and unicodedata.combining(before) == _VIRAMA:
        return True
    separates = label[offset] == "\u200c" and before not in _NOT_JOINED_TO_THE_NEXT
    return separates and all(char and unicodedata.bidirectional(char) == "AL" for char in (before, after))


# ---- section 3.2


def admission_of_iri(
    uri: str, answer: str | None, letters: Characters, query: range, *, accepts: Accepts, is_whole: bool
) -> Admission:
    """Return whether an IRI is admitted as the conversion of a URI or of a component; None is a refusal.

    `query` is as in `mapping.examined`, and `accepts` as in `admission_of_uri`.
    """
    if not accepts(uri):
        reason = "the text is neither a URI nor an IRI"
        return _admitted(reason) if answer is None else _refused(reason)
    if answer is None:
        if uri.isascii():
            return _refused("the text is a URI, and has an IRI")
        return _admitted("the text is no URI")
    if not accepts(answer):
        return _refused("it is no IRI")
    texts = _with_hosts(uri) if is_whole else [_Text(uri, ())]
    failures = []
    for text in texts:
        characters = list(examined(text.text, letters, _moved(query, len(text.text) - len(uri))))
        for choice in CHOICES:
            comparison = _compare(text.text, answer, characters, choice, letters)
            if comparison.failure is None:
                rulings = () if uri.isascii() else ("R-3987-16",)
                choices = _rulings_on_choice(text.text, characters, choice, letters)
                return _admitted(
                    "the triplets are converted", *rulings, *text.rulings, *choices, *comparison.rulings
                )
            failures.append(comparison)
    return _refused(_failure_in_words(failures))


class _Text(NamedTuple):
    """A URI, perhaps with the name of its host as Unicode, and the rulings that admit this."""

    text: str
    rulings: tuple[str, ...]


def _with_hosts(uri: str) -> list[_Text]:
    """Return a whole URI, and it with its host converted by each version of IDNA."""
    texts = [_Text(uri, ())]
    host = domain_of(uri)
    if host is None:
        return texts
    labels = _UNRESERVED_TRIPLET.sub(_decoded_triplet, host.text).split(".")
    conversions = (
        (unicode_label, ("R-3987-23",)),
        (_unicode_label_of_2008, ("R-3987-23", "R-3987-20")),
    )
    for convert, rulings in conversions:
        name = ".".join(map(convert, labels))
        text = uri[: host.start] + name + uri[host.start + len(host.text) :]
        if all(text != converted.text for converted in texts):
            texts.append(_Text(text, rulings))
    return texts


def _decoded_triplet(triplet: re.Match[str]) -> str:
    return chr(int(triplet[1], 16))


def _unicode_label_of_2008(label: str) -> str:
    """Return the Unicode form of a label if it has one by either version of IDNA."""
    if not label.lower().startswith("xn--"):
        return label
    try:
        name = label[len("xn--") :].encode("ascii").decode("punycode")
    except UnicodeError:
        return label
    return name if _label_of_2008(name) == label.lower() else unicode_label(label)


def _moved(query: range, distance: int) -> range:
    """Return the offsets of a query in a text whose host has become longer or shorter."""
    return range(query.start + distance, query.stop + distance) if query else query


def ruling_on_triplets(triplets: EncodedCharacter) -> str | None:
    """Return the ruling by which triplets may stay though `to_iri` decodes them, or None."""
    return ruling_on(triplets.character) if triplets.reason == "decoded" else None


class _Comparison(NamedTuple):
    """An answer, compared with what a choice of a program makes of a URI.

    - `length`: how much of the answer agrees
    - `rulings`: the rulings by which doubtful characters stay
    - `failure`: None if the answer is that of the choice, else the triplets where it is not that, or "" if it
      is not that beside the triplets
    """

    length: int
    rulings: tuple[str, ...] = ()
    failure: EncodedCharacter | str | None = None


def _compare(
    text: str, answer: str, characters: Iterable[EncodedCharacter], choice: IriChoice, letters: Characters
) -> _Comparison:
    """Read an answer along a URI."""
    dots = frozenset[int]() if choice.dots else offsets_of_dot_segments(text)
    rulings = []
    position = 0
    end = 0
    for triplets in characters:
        between = text[end : triplets.offset]
        if not answer.startswith(between, position):
            return _Comparison(position, failure="")
        position += len(between)
        end = triplets.offset + len(triplets.written)
        written = triplets.written if triplets.offset in dots else written_triplets(triplets, choice, letters)
        if answer.startswith(written, position):
            position += len(written)
            continue
        ruling = ruling_on_triplets(triplets)
        encoded = triplets.written if choice.upper_case == "none" else triplets.written.upper()
        if ruling is None or not answer.startswith(encoded, position):
            return _Comparison(position, failure=triplets)
        rulings.append(ruling)
        position += len(encoded)
    if answer[position:] != text[end:]:
        return _Comparison(position, failure="")
    return _Comparison(position, tuple(rulings))


def _rulings_on_choice(
    text: str, characters: Iterable[EncodedCharacter], choice: IriChoice, letters: Characters
) -> Iterator[str]:
    """Yield the rulings that admit a choice, but only of those parts of it that change the text."""
    recommended, *_ = CHOICES
    dots = offsets_of_dot_segments(text)
    for triplets in characters:
        if triplets.offset in dots and not choice.dots:
            yield "R-3987-15"
        elif written_triplets(triplets, choice, letters) != written_triplets(triplets, recommended, letters):
            yield "R-3987-09" if stand_ins(triplets.character) in PRIVATE else "R-3987-10"


def _failure_in_words(failures: Sequence[_Comparison]) -> str:
    """Return why an answer is not admitted: what is wrong where the longest part of it has been right."""
    furthest = max(failures, key=lambda comparison: comparison.length)
    if not isinstance(furthest.failure, EncodedCharacter):
        return f"the text beside the triplets is changed at offset {furthest.length}"
    triplets = furthest.failure
    demand = "must be decoded" if triplets.reason == "decoded" else "must stay"
    return f"{triplets.written} at offset {triplets.offset} {demand}"
