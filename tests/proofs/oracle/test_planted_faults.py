"""Faults planted in grammars, their compilation, profiles and splitting: the corpus notices each of them."""

from __future__ import annotations

import pytest

from urloracle.rfcs import SPECIFICATIONS

# for a specification and a function of the oracle: source text, replacement
FAULTS = {
    ("rfc1738", "grammar.notation._Reader._element"): {
        "brackets-after-repetition": ('token.text == "(" or groups', 'token.text == "("'),
    },
    ("rfc1738", "automata.positions._Builder._repetition"): {
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
        "article-without-sender": ("article        = 1*[", "article = *["),
        "field-without-name": ("fieldname      = *[", "fieldname = 1*["),
        "path-in-telnet": ('login [ "/" ]', 'login [ "/" fpath ]'),
    },
    ("rfc1738", "rfc.schemes._file"): {
        "empty-host-is-none": ('found[0] or ""', "found[0]"),
    },
    ("rfc1738", "rfc.schemes._generic"): {
        "schemepart-lost": (
            "before, schemepart = found",
            'before, schemepart = found[0], text.partition("://")[2]',
        ),
    },
    ("rfc1738", "rfc.schemes._gopher"): {
        "second-tab-in-search": ('split("%09", 2)', 'split("%09", 1)'),
    },
    ("rfc1738", "rfc.schemes._news"): {
        "star-besides-group": (" if every else None", ""),
    },
    ("rfc1738", "rfc.schemes._prospero"): {
        "no-fields-is-empty-list": ("pairs or None", "pairs"),
        "fields-swapped": ('(name or "", value or "")', '(value or "", name or "")'),
    },
    ("rfc1738", "rfc.schemes.asdict"): {
        "gopher-plus-misnamed": ('pop("gopher_plus_string")', 'pop("search")'),
    },
    ("rfc1738", "rfc.schemes._splitter"): {
        "port-lost": (
            "(scheme, *found)",
            '(scheme, *(None if kind._fields[n] == "port" else text for n, text in enumerate(found, 1)))',
        ),
    },
    ("rfc1738", "specification.Specification._by_scheme"): {
        "scheme-specific-for-all": ('!= "generic"', '!= ""'),
    },
    ("rfc1738", "specification.Specification.default_profile"): {
        "generic-by-default": ('"scheme-specific" if', '"generic" if'),
    },
    ("rfc1808", "automata.dfa.Automaton.longest_viable_prefix"): {
        "offset-at-the-end": ("Prefix(length, state)", "Prefix(len(text), state)"),
    },
    ("rfc1808", "rfc.components._SECTION_2_4"): {
        "scheme-of-nothing": ("]++):", "]*):"),
        "scheme-without-plus": ("9+.", "9."),
        "location-ends-at-question": (r"([^/\#]*+)", r"([^/?\#]*)"),
        "last-semicolon": (
            r"([^?;\#]*+)                # 2.4.6" + "\n        " + r"(?:;([^?\#]*+))?",
            r"([^?\#]*?)(?:;([^?;\#]*))?",
        ),
        "params-before-query": (r"([^?;\#]*+) ", r"([^;\#]*) "),
        "fragment-after-the-last": (r"(?:\?([^\#]*+))?", r"(?:\?(.*))?"),
    },
    ("rfc1808", "automata.positions._Builder._join"): {
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
    ("rfc2396", "automata.dfa.minimize"): {
        "minimized-too-far": ("int(state in automaton.accepting)", "0"),
    },
    ("rfc2396", "rfc.components._AUTHORITY"): {
        "userinfo-lost": ('"authority/userinfo"', '"authority/userinfo=none"'),
    },
    ("rfc2396", "rfc.components._with_path"): {
        "port-lost": (
            "            return parts\n",
            "            return parts._replace(port=parts.port or None)\n",
        ),
    },
    ("rfc2396", "regex.pattern.Pattern.splitter"): {
        "one-branch-for-all": ("columns[match.lastindex]", "min(columns.values())"),
    },
    ("rfc2396", "regex.pattern.Pattern._dispatch"): {
        "first-branch-alone": ("rest = others.fullmatch if tail else None", "rest = None"),
    },
    ("rfc2396", "rfc2396.bnf"): {
        "question-in-authority": (
            '= 1*( unreserved | escaped | "$" |',
            '= 1*( unreserved | "?" | escaped | "$" |',
        ),
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
    ("rfc2732", "rfc.components._with_path"): {
        "query-swallowed": (
            "            return parts\n",
            '            return parts._replace(path="?".join(filter(None, parts[5:7])), query=None)\n',
        ),
    },
    ("rfc2732", "grammar.grammar.Grammar.overlay"): {
        "overlay-without-effect": ("{**self.rules, **added.rules}", "{**added.rules, **self.rules}"),
    },
    ("rfc2732", "language._open_rules"): {
        "rules-without-the-outer": ("position.stack + position.folded", "position.stack[-1:]"),
    },
    ("rfc2732", "rfc2732.bnf"): {
        "address-of-four-digits": ("IPv4address   = 1*3digit", "IPv4address = 1*4digit"),
        "no-closing-bracket": ('"$" | "," | "[" | "]"\nunwise', '"$" | "," | "["\nunwise'),
    },
    ("rfc2732", "rfcs.RFC2732"): {
        "overlay-missing": ('"rfc2396.bnf", "rfc2732.bnf"', '"rfc2396.bnf",'),
    },
    ("rfc3986", "automata.dfa.Automaton.longest_viable_prefix"): {
        "offset-one-too-far": ("Prefix(length, state)", "Prefix(length + 1, state)"),
    },
    ("rfc3986", "regex.pattern.Pattern.splitter"): {
        "empty-is-none": ("match.groups() if", "[part or None for part in match.groups()] if"),
    },
    ("rfc3986", "rfc.components._splitter"): {
        "default-rule": ('"URI-reference"', '"URI"'),
    },
    ("rfc3986", "rfc.components.reader_rfc3986"): {
        "query-and-fragment-swapped": ('"query", "fragment"', '"fragment", "query"'),
    },
    ("rfc3986", "grammar.expression.literal"): {
        "literals-fold-the-wrong-way": ("if fold_case", "if not fold_case"),
    },
    ("rfc3986", "grammar.notation._Reader._repetition"): {
        "one-more-than-the-bound": ("int(high) if high", "int(high) + 1 if high"),
    },
    ("rfc3986", "regex.pattern._ranges"): {
        "set-without-its-last": ("*codes[1:], -1", "*codes[1:-1], -1"),
    },
    ("rfc3986", "rfc3986.abnf"): {
        "query-swallowed": ("pchar         = unreserved /", 'pchar = "?" / unreserved /'),
        "fragment-in-query": ('query         = *( pchar / "/"', 'query = *( pchar / "#" / "/"'),
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
    assert any(verdict.outcome.failing for _, verdict in verdicts(spec))


def test_without_a_fault_nothing_fails(verdicts):
    """The control: specifications made anew fail no vector, so what fails here fails because of the fault."""
    for spec in SPECIFICATIONS:
        assert [vector for vector, verdict in verdicts(spec) if verdict.outcome.failing] == []
