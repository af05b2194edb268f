"""Faults planted in grammars, their compilation, profiles and splitting: the corpus notices each of them."""

from __future__ import annotations

import pytest

from urlharness.verdict import FAILING
from urloracle import SPECIFICATIONS

# for a specification and a piece of the oracle: what stands there, and what takes its place
FAULTS = {
    ("rfc1738", "notation._Reader._element"): {
        "brackets-after-repetition": ('token.text == "(" or groups', 'token.text == "("'),
    },
    ("rfc1738", "positions._Builder._repetition"): {
        "repetition-always-optional": ("loop.nullable or minimum == 0", "True"),
    },
    ("rfc1738", "rfc1738.bnf"): {
        "user-in-http": ('"http://" hostport', '"http://" login'),
        "empty-address": ("encoded822addr = 1*xchar", "encoded822addr = *xchar"),
        "scheme-in-upper-case": ("1*[ lowalpha |", "1*[ alpha |"),
        "scheme-of-nothing": ("1*[ lowalpha |", "*[ lowalpha |"),
        "typecode-lost": ('"a" | "i" | "d"\n\n;!section 3.10', '"a" | "i"\n'),
        "numeric-top-label": ("= alpha | alpha *[", "= digit | alpha | alpha *["),
        "empty-port": ("port           = digits", "port = *digit"),
        "slash-in-search": ("search         = *[ uchar", 'search = *[ "/" | uchar'),
        "tilde": ('safe           = "$"', 'safe = "~" | "$"'),
        "host-in-file": ('[ host | "localhost" ]', "host"),
        "no-empty-database": ("database       = *uchar", "database = 1*uchar"),
        "article-from-nobody": ("article        = 1*[", "article = *["),
        "field-without-name": ("fieldname      = *[", "fieldname = 1*["),
        "path-in-telnet": ('login [ "/" ]', 'login [ "/" fpath ]'),
    },
    ("rfc1738", "schemes._by_pattern"): {
        "port-lost": (
            "return parts",
            'return {name: None if name == "port" else text for name, text in parts.items()}',
        ),
    },
    ("rfc1738", "schemes._file"): {
        "empty-host-is-none": ('parts["host"] or ""', 'parts["host"]'),
    },
    ("rfc1738", "schemes._generic"): {
        "schemepart-lost": ('partition(":")[2]', 'partition("://")[2]'),
    },
    ("rfc1738", "schemes._gopher"): {
        "second-tab-in-search": ('split("%09", 2)', 'split("%09", 1)'),
    },
    ("rfc1738", "schemes._news"): {
        "star-besides-group": ("None if any(parts.values()) else", ""),
    },
    ("rfc1738", "schemes._prospero"): {
        "no-fields-is-empty-list": ("pairs or None", "pairs"),
        "fields-swapped": (
            '(field["fieldname"], field["fieldvalue"])',
            '(field["fieldvalue"], field["fieldname"])',
        ),
    },
    ("rfc1738", "schemes.asdict"): {
        "gopher-plus-misnamed": ('pop("gopher_plus_string")', 'pop("search")'),
    },
    ("rfc1738", "specification.Specification._by_scheme"): {
        "scheme-specific-for-all": ('!= "generic"', '!= ""'),
    },
    ("rfc1738", "specification.Specification.default_profile"): {
        "generic-by-default": ('"scheme-specific" if', '"generic" if'),
    },
    ("rfc1808", "automaton.Automaton.longest_viable_prefix"): {
        "offset-at-the-end": ("Prefix(length, state)", "Prefix(len(text), state)"),
    },
    ("rfc1808", "components._SCHEME_1808"): {
        "scheme-of-nothing": ("]+):", "]*):"),
        "scheme-without-plus": ("9+.", "9."),
    },
    ("rfc1808", "components.split_rfc1808"): {
        "location-ends-at-question": (
            'end = rest.find("/", 2)',
            'end = next((n for n, c in enumerate(rest) if n > 1 and c in "/?"), -1)',
        ),
        "last-semicolon": (
            'path, params = _cut(rest, ";")',
            'path, _, params = rest.rpartition(";") if ";" in rest else (rest, "", None)',
        ),
        "params-before-query": ('rest, query = _cut(rest, "?")', "query = None"),
    },
    ("rfc1808", "positions._Builder._join"): {
        "sequence-may-be-skipped": (
            "right.last | left.last if right.nullable else right.last",
            "right.last | left.last",
        ),
    },
    ("rfc1808", "rfc1808.bnf"): {
        "question-ends-location": ('pchar | ";" | "?" )', 'pchar | ";" )'),
        "empty-first-segment": ("fsegment    = 1*pchar", "fsegment = *pchar"),
        "slash-ends-parameters": ('*( pchar | "/" )', "*( pchar )"),
        "second-fragment": ("fragment    =  *( uchar", 'fragment = *( "#" | uchar'),
        "plus-in-scheme": ('( alpha | digit | "+" |', "( alpha | digit |"),
    },
    ("rfc2396", "automaton.minimize"): {
        "minimized-too-far": ("int(state in automaton.accepting)", "0"),
    },
    ("rfc2396", "components._APPENDIX_B"): {
        "question-in-authority": ("(//([^/?#]*))?", "(//([^/#]*))?"),
    },
    ("rfc2396", "components._server"): {
        "userinfo-lost": ("Authority(**parts)", 'Authority(**{**parts, "userinfo": None})'),
        "port-lost": ("Authority(**parts)", 'Authority(**{**parts, "port": parts["port"] or None})'),
    },
    ("rfc2396", "rfc2396.bnf"): {
        "query-underivable": ('[ "?" query ] | "?" query', '[ "?" query ]'),
        "empty-opaque-part": ("uric_no_slash *uric", "*uric"),
        "digit-first": ("= alpha *( alpha | digit |", "= alphanum *( alpha | digit |"),
        "no-final-dot": ('toplabel [ "." ]', "toplabel"),
        "port-not-empty": ("port          = *digit", "port = 1*digit"),
        "tilde": ('"!" | "~" | "*"', '"!" | "*"'),
        "colon-in-userinfo": (
            '";" | ":" | "&" | "=" | "+" | "$" | "," )\n\nhostport',
            '";" | "&" | "=" | "+" | "$" | "," )\n\nhostport',
        ),
        "empty-authority": ('= [ [ userinfo "@" ] hostport ]', '= [ userinfo "@" ] hostport'),
    },
    ("rfc2732", "components._APPENDIX_B"): {
        "query-swallowed": ("([^?#]*)(", "([^#]*)("),
    },
    ("rfc2732", "grammar.Grammar.overlay"): {
        "overlay-without-effect": ("{**self.rules, **added.rules}", "{**added.rules, **self.rules}"),
    },
    ("rfc2732", "language.Language.open_rules"): {
        "rules-without-the-outer": ("position.stack + position.folded", "position.stack[-1:]"),
    },
    ("rfc2732", "rfc2732.bnf"): {
        "address-of-four-digits": ("IPv4address   = 1*3digit", "IPv4address = 1*4digit"),
        "no-closing-bracket": ('"$" | "," | "[" | "]"\nunwise', '"$" | "," | "["\nunwise'),
    },
    ("rfc2732", "specifications.RFC2732"): {
        "overlay-missing": ('"rfc2396.bnf", "rfc2732.bnf"', '"rfc2396.bnf",'),
    },
    ("rfc3986", "automaton.Automaton.longest_viable_prefix"): {
        "offset-one-too-far": ("Prefix(length, state)", "Prefix(length + 1, state)"),
    },
    ("rfc3986", "components._APPENDIX_B"): {
        "query-swallowed": ("([^?#]*)(", "([^#]*)("),
        "fragment-in-query": ("(\\?([^#]*))?", "(\\?(.*))?"),
    },
    ("rfc3986", "components.split_rfc3986"): {
        "empty-authority-is-none": ("if authority is None", "if not authority"),
        "query-and-fragment-swapped": ("path, query, fragment)\n", "path, fragment, query)\n"),
    },
    ("rfc3986", "expression.literal"): {
        "literals-fold-the-wrong-way": ("if fold_case", "if not fold_case"),
    },
    ("rfc3986", "notation._Reader._repetition"): {
        "one-more-than-the-bound": ("int(high) if high", "int(high) + 1 if high"),
    },
    ("rfc3986", "pattern._ranges"): {
        "set-without-its-last": ("*codes[1:], -1", "*codes[1:-1], -1"),
    },
    ("rfc3986", "rfc3986.abnf"): {
        "octet-256": ("%x30-35", "%x30-36"),
        "five-digits": ("1*4HEXDIG", "1*5HEXDIG"),
        "colon-in-first-segment": ('sub-delims / "@" )', 'sub-delims / "@" / ":" )'),
        "two-slashes": ('[ segment-nz *( "/" segment ) ]', '[ segment *( "/" segment ) ]'),
        "version-of-nothing": ('"v" 1*HEXDIG', '"v" *HEXDIG'),
        "tilde": ('"_" / "~"', '"_"'),
        "apostrophe": ('"&" / "\'" /', '"&" /'),
        "one-hex-digit": ('"%" HEXDIG HEXDIG', '"%" HEXDIG'),
        "no-empty-path": ("path-rootless\n              / path-empty\n\n;", "path-rootless\n\n;"),
        "question-in-query": ('query         = *( pchar / "/" / "?" )', 'query = *( pchar / "/" )'),
        "zero-width-elision": ("*6( h16", "*7( h16"),
    },
    ("rfc3986", "specifications.RFC3986"): {
        "default-rule": ('"URI-reference"', '"URI"'),
    },
}

CASES = [
    pytest.param(spec, where, *change, id=f"{spec[3:]}-{name}")
    for (spec, where), changes in FAULTS.items()
    for name, change in changes.items()
]


@pytest.mark.parametrize(("spec", "where", "before", "after"), CASES)
def test_fault_is_noticed(spec, where, before, after, verdicts, plant):
    """A wrong verdict, offset, open rule or component fails at least one vector."""
    plant(where, before, after)
    assert any(verdict.outcome in FAILING for _, verdict in verdicts(spec))


def test_without_a_fault_nothing_fails(verdicts):
    """The control: specifications made anew fail no vector, so what fails here fails because of the fault."""
    for spec in SPECIFICATIONS:
        assert [vector for vector, verdict in verdicts(spec) if verdict.outcome in FAILING] == []
