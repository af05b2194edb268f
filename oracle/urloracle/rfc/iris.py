"""Normalization and comparison of IRIs: RFC 3987, section 5.3.

A normal form is an IRI: it has the characters that stand for themselves.  A comparison, in contrast, aligns
percent-encoding by mapping both IRIs to URIs (section 5.3.2.3).  Neither composes characters, because IRIs
are assumed to be composed already (section 5.3.2.2, R-3987-18).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple
from urllib.parse import unquote

from urloracle.grammar.expression import Reference
from urloracle.grammar.grammar import Grammar
from urloracle.rfc.components import URI
from urloracle.rfc.equivalence import (
    LADDER_3986,
    ComparedComponents,
    Equivalence,
    Force,
    Rung,
    compare_uris,
)
from urloracle.rfc.equivalence import Characters as ComparedCharacters
from urloracle.rfc.mapping import (
    IDN_SCHEMES,
    Characters,
    characters,
    examined,
    percent_encoded,
    prepared_name,
    to_ascii,
)
from urloracle.rfc.normalization import (
    Mode,
    NormalForms,
    normal_forms,
    normalize_rfc3986,
    normalize_triplets,
    variants_rfc3986,
)
from urloracle.rfc.resolution import Alternative, distinct

#: Which letters of hosts get lower case (section 5.3.2.1, R-3987-31): those of hosts that are written in
#: ASCII, those of hosts that are ASCII after decoding, or the letters of ASCII in all hosts.
_Case = Literal["written", "decoded", "letters"]


class _Choice(NamedTuple):
    """A choice of a program that normalizes an IRI.

    - `case`: how the case of hosts is treated
    - `prepares`: Nameprep is applied to domain names
    - `decodes_ucs`: characters beyond ASCII are decoded, too
    """

    case: _Case = "written"
    prepares: bool = False
    decodes_ucs: bool = True


#: The recommended choices come first (R-3987-31, R-3987-32).
_CHOICES_OF_MODE: dict[Mode, tuple[_Choice, ...]] = {
    "syntax": (_Choice(), _Choice("letters"), _Choice("decoded")),
    "scheme": (_Choice(prepares=True), _Choice(), _Choice("letters"), _Choice("decoded")),
}


def normalize_rfc3987(parts: URI, mode: Mode, grammar: Grammar) -> str:
    """Return the normal form of an IRI or reference.

    Triplets that stand for characters which an IRI may have there are decoded (section 5.3.2.3, R-3987-32).
    A host that is written in ASCII gets lower case; another one keeps its case (R-3987-31), unless mode
    `scheme` applies Nameprep to domain names (section 5.3.3).
    """
    return _normalize(parts, mode, grammar, _CHOICES_OF_MODE[mode][0])


def normal_forms_rfc3987(
    parts: URI, mode: Mode, grammar: Grammar, parse: Callable[[str], URI]
) -> NormalForms:
    """Return the result of `normalize_rfc3987`, and the other normal forms that rulings admit.

    Each choice admits the variants of RFC 3986 as well. They depend on which letters of ASCII, such as full
    stops (R-3986-40), the original text has as triplets.
    """
    also: list[Alternative] = []
    choices = _CHOICES_OF_MODE[mode]
    for choice in (*choices, *(choice._replace(decodes_ucs=False) for choice in choices)):
        form = parse(_normalize(parts, mode, grammar, choice))
        original = _decoded_components(parts, _beyond_ascii(_decoded_letters(grammar, choice)))
        unreserved = grammar.character_class(Reference("unreserved")) or frozenset()
        forms = normal_forms(form, variants_rfc3986(form, original, mode, unreserved))
        ruling = "R-3987-31" if choice.decodes_ucs else "R-3987-32"
        variant = _variant_name(choice, recommended=choices[0])
        also += [Alternative(forms.text, variant, ruling), *forms.also]
    recommended = also[0].text
    assert recommended is not None
    return NormalForms(recommended, distinct(recommended, also))


def _variant_name(choice: _Choice, *, recommended: _Choice) -> str:
    """Return the name of a choice as a variant: what is done to the host, and which triplets stay.

    What is as in the recommended choice has no part in the name.
    """
    changes = []
    if (choice.case, choice.prepares) != (recommended.case, recommended.prepares):
        changes.append(f"host-case-{choice.case}")
    if not choice.decodes_ucs:
        changes.append("ucs-encoded")
    return "+".join(changes)


def _normalize(parts: URI, mode: Mode, grammar: Grammar, choice: _Choice) -> str:
    """Return the normal form of an IRI or reference under a choice."""
    letters = _decoded_letters(grammar, choice)
    is_domain = (parts.scheme or "").lower() in IDN_SCHEMES

    def normalize_host(host: str, unreserved: frozenset[str]) -> str:
        decoded = _decode(_fold_host(host, unreserved, letters, choice.case), letters)
        return prepared_name(decoded) if choice.prepares and is_domain else decoded

    return normalize_rfc3986(_decoded_components(parts, letters), mode, grammar, normalize_host)


def _fold_host(host: str, unreserved: frozenset[str], letters: Characters, case: _Case) -> str:
    """Return the host with its letters of ASCII in lower case, if the choice folds this host."""
    is_folded = {
        "written": host.isascii(),
        "decoded": _decode(host, letters).isascii(),
        "letters": True,
    }
    if not is_folded[case]:
        return host
    decoded = normalize_triplets(host, unreserved)
    return "".join(char.lower() if char.isascii() else char for char in decoded)


def _decoded_letters(grammar: Grammar, choice: _Choice) -> Characters:
    """Return the letters that are decoded."""
    letters = characters(grammar)
    if choice.decodes_ucs:
        return letters
    return Characters(frozenset(filter(str.isascii, letters.unreserved)), letters.reserved, frozenset())


def _beyond_ascii(letters: Characters) -> Characters:
    """Return the letters without unreserved ones of ASCII, whose triplets then stay."""
    return letters._replace(
        unreserved=frozenset(letter for letter in letters.unreserved if not letter.isascii())
    )


def _decoded_components(parts: URI, letters: Characters) -> URI:
    """Return the components with their triplets normalized, except for the host."""
    userinfo = None if parts.userinfo is None else _decode(parts.userinfo, letters)
    query = None if parts.query is None else _decode(parts.query, letters, is_query=True)
    fragment = None if parts.fragment is None else _decode(parts.fragment, letters)
    path = _decode(parts.path, letters)
    return parts._replace(userinfo=userinfo, path=path, query=query, fragment=fragment)


def _decode(text: str, letters: Characters, *, is_query: bool = False) -> str:
    """Return a component with decoded characters; triplets that stay have upper-case digits.

    Private characters are decoded in a query, where an IRI may have them (R-3987-32).
    """
    query = range(len(text)) if is_query else range(0)
    parts = []
    end = 0
    for encoded in examined(text, letters, query):
        written = encoded.character if encoded.reason == "decoded" else encoded.written.upper()
        parts += [text[end : encoded.offset], written]
        end = encoded.offset + len(encoded.written)
    return "".join((*parts, text[end:]))


# ---- comparison


def identical_iris(first: str, second: str, parts: tuple[URI, URI]) -> Equivalence:
    """Compare two IRIs character by character (section 5.3.1, R-3987-35); `parts` are their components."""
    left, right = (uri.asdict() for uri in parts)
    differs = tuple(name for name in left if left[name] != right[name])
    return Equivalence(first == second, (), differs)


def aligned_rfc3987(parts: URI, grammar: Grammar) -> str:
    """Return the URI of an IRI, normalized except for the case of its host (sections 5.3.2.1 to 5.3.2.4)."""
    encoded = URI._make(None if part is None else percent_encoded(part) for part in parts)
    return normalize_rfc3986(encoded, "syntax", grammar, normalize_triplets)


def compare_iris(
    first: URI, second: URI, mode: Mode, characters_of_uris: ComparedCharacters, *, hosts_are_ascii: bool
) -> Equivalence:
    """Compare two aligned URIs of IRIs (sections 5.3.2 and 5.3.3).

    `hosts_are_ascii` is true if both hosts are written in ASCII.  Their case never counts then; otherwise a
    program may ignore it (R-3987-31).
    """
    force: Force = "must" if hosts_are_ascii else "may"
    ladder = [Rung(_fold_case, "R-3987-31", force, force), *LADDER_3986]
    if mode == "scheme":
        ladder.append(Rung(_prepare_domain, "R-3987-31", "should", "should"))
        ladder.append(Rung(_convert_domain, "R-3987-24", "may", "may"))
    return compare_uris(first, second, ladder, mode, characters_of_uris)


def _fold_case(parts: ComparedComponents, _: ComparedCharacters) -> ComparedComponents:
    """Fold the case of the letters of a host."""
    host = parts.get("host")
    return parts if host is None else {**parts, "host": normalize_triplets(host.lower(), frozenset())}


def _prepare_domain(parts: ComparedComponents, _: ComparedCharacters) -> ComparedComponents:
    """Apply Nameprep to a domain name with characters beyond ASCII."""
    return _change_domain(parts, lambda name: percent_encoded(prepared_name(name)))


def _convert_domain(parts: ComparedComponents, _: ComparedCharacters) -> ComparedComponents:
    """Apply ToASCII to a domain name with characters beyond ASCII."""
    return _change_domain(parts, lambda name: (to_ascii(name) or percent_encoded(name)).lower())


def _change_domain(parts: ComparedComponents, change: Callable[[str], str]) -> ComparedComponents:
    """Return the components with a changed host if it stands for a domain name that is not ASCII."""
    host = parts.get("host") or ""
    if parts["scheme"] not in IDN_SCHEMES or "%" not in host:
        return parts
    try:
        name = unquote(host, errors="strict")
    except UnicodeDecodeError:
        return parts
    if name.isascii() or to_ascii(name) is None:
        return parts
    return {**parts, "host": change(name)}
