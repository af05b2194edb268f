"""Faults planted in grammars, their reader, rewriting, writer and lookahead: proofs notice them.

No vector is asked.  Each fault has the proofs that fail because of it: `language` compares pattern and
automaton, `possessive` looks for repetitions that do not go back where they should, `words` counts.
"""

from __future__ import annotations

import pytest

from . import pattern_proofs

# for a piece of the oracle: the specification and rule to prove it on, source text, replacement,
# and the proofs that fail
FAULTS = {
    "rfc1738.bnf": {
        "scheme-of-nothing": ("rfc1738 url", "1*[ lowalpha |", "*[ lowalpha |", "words"),
        "tilde": ("rfc1738 url", 'safe           = "$"', 'safe = "~" | "$"', "words"),
    },
    "rfc1808.bnf": {
        "empty-first-segment": ("rfc1808 URL", "fsegment    = 1*pchar", "fsegment = *pchar", "words"),
    },
    "rfc2396.bnf": {
        "digit-first": (
            "rfc2396 URI-reference",
            "= alpha *( alpha | digit |",
            "= alphanum *( alpha | digit |",
            "words",
        ),
        "one-hex-digit": ("rfc2396 URI-reference", '"%" hex hex', '"%" hex', "words"),
        "tilde": ("rfc2396 URI-reference", '"!" | "~" | "*"', '"!" | "*"', "words"),
    },
    "rfc2732.bnf": {
        "no-last-elision": ("rfc2732 URI-reference", "*6( hex4", "*5( hex4", "words"),
    },
    "rfc3986.abnf": {
        "octet-256": ("rfc3986 URI-reference", "%x30-35", "%x30-36", "words"),
        "version-of-nothing": ("rfc3986 URI-reference", '"v" 1*HEXDIG', '"v" *HEXDIG', "words"),
        "five-digits": ("rfc3986 URI-reference", "1*4HEXDIG", "1*5HEXDIG", "words"),
        "no-last-elision": ("rfc3986 URI-reference", "*6( h16", "*5( h16", "words"),
    },
    "grammar.notation._Reader._element": {
        "brackets-after-repetition": (
            "rfc1738 url",
            'token.text == "(" or groups',
            'token.text == "("',
            "words",
        ),
        "brackets-never-optional": ("rfc3986 URI-reference", "else optional(inner)", "else inner", "words"),
    },
    "grammar.notation._Reader._repetition": {
        "one-more-than-the-bound": (
            "rfc3986 URI-reference",
            "int(high) if high",
            "int(high) + 1 if high",
            "words",
        ),
        "at-least-none": ("rfc3986 URI-reference", "int(low) if low else 0", "0", "words"),
    },
    "grammar.notation._range": {
        "range-without-its-last": ("rfc3986 URI-reference", "high + 1", "high", "words"),
    },
    "grammar.notation._Reader._directive": {
        "no-scheme-folded": ("rfc1738 url", "rest.split()[1:]", "rest.split()[:1]", "words"),
    },
    "regex.rewriting.expand": {
        "repetition-without-bound": (
            "rfc3986 h16",
            "components), minimum, maximum)",
            "components), minimum, None)",
            "language",
        ),
    },
    "regex.rewriting.fold_scheme": {
        "not-folded": ("rfc1738 httpurl", "_fold(expression)[0]", "expression", "language"),
    },
    "regex.rewriting._fold": {
        "folded-after-the-colon": ("rfc1738 ftpurl", "if met:", "if False:", "language"),
    },
    "regex.rewriting.alternation": {
        "others-lost": ("rfc3986 host", "if one not in kept", "if not kept", "language"),
        "set-of-the-first": (
            "rfc3986 unreserved",
            "*(item.members for item in flat if isinstance(item, Characters))",
            "*[item.members for item in flat if isinstance(item, Characters)][:1]",
            "language",
        ),
    },
    "regex.rewriting.without_subsumed": {
        "larger-for-smaller": (
            "rfc3986 host",
            "_includes(grammar, other, item)",
            "_includes(grammar, item, other)",
            "language",
        ),
        "every-other": ("rfc3986 host", "_includes(grammar, other, item)", "unbounded(other)", "language"),
    },
    "regex.rewriting._repetition": {
        "never-where-once": ("rfc3986 authority", "if maximum == 0 or", "if maximum == 1 or", "language"),
        "loop-without-its-head": (
            "rfc1738 fpath",
            "Repetition(alternation((inner, head)), 0, None)",
            "Repetition(inner, 0, None)",
            "language",
        ),
        "at-least-one-lost": (
            "rfc2396 reg_name",
            "if (minimum, maximum) == (1, 1)",
            "if minimum == 1",
            "language",
        ),
    },
    "regex.rewriting._join": {
        "first-item-lost": ("rfc1808 abs_path", "sequence((one, rest))", "rest", "language"),
        "last-may-be-absent": (
            "rfc2396 domainlabel",
            "Repetition(right, 1, None)",
            "Repetition(right, 0, None)",
            "language",
        ),
        "no-more-runs": (
            "rfc2396 domainlabel",
            "(Repetition(other, 0, None), ending, again)",
            "(Repetition(other, 0, None), ending)",
            "language",
        ),
    },
    "regex.rewriting._factored": {
        "rest-not-optional": ("rfc2396 domainlabel", "optional(rest)", "rest", "language"),
        "beginning-lost": (
            "rfc2396 domainlabel",
            "sequence((*before, optional(rest)))",
            "optional(rest)",
            "language",
        ),
    },
    "regex.pattern._Writer._repetition": {
        "always-possessive": (
            "rfc3986 authority",
            '"+" if deterministic(whole, follow) else ""',
            '"+"',
            "possessive",
        ),
        "run-without-the-others": ("rfc3986 query", "(?:{rest}{run})*+", "(?:{rest})?", "language"),
        "at-least-one-lost": (
            "rfc3986 segment-nz",
            '"" if minimum == 0 else',
            '"" if minimum <= 1 else',
            "language",
        ),
        "bounds-lost": (
            "rfc1738 login",
            "item, again)}){_bounds(minimum, maximum)}",
            "item, again)})*",
            "language",
        ),
    },
    "regex.pattern._Writer._in_turn": {
        "the-end-follows": (
            "rfc3986 authority",
            "first(Sequence(items[number + 1 :]), follow)",
            "follow",
            "possessive",
        ),
    },
    "regex.pattern._bounds": {
        "upper-for-both": (
            "rfc3986 h16",
            "{{{minimum},{'' if maximum is None else maximum}}}",
            "{{{maximum}}}",
            "language",
        ),
        "none-for-one": (
            "rfc1738 scheme",
            "return _QUANTIFIERS[minimum, maximum]",
            "return _QUANTIFIERS[0, maximum]",
            "language",
        ),
    },
    "regex.pattern._ranges": {
        "set-without-its-last": ("rfc3986 port", "*codes[1:], -1", "*codes[1:-1], -1", "language"),
        "gaps-closed": ("rfc3986 HEXDIG", "if code == previous + 1", "if code > previous", "language"),
    },
    "grammar.expression.first": {
        "nothing-begins": ("rfc3986 authority", "return members", "return NOTHING", "possessive"),
        "first-of-the-alternatives": (
            "rfc3986 URI",
            "for item in items))",
            "for item in items[:1]))",
            "possessive",
        ),
    },
    "grammar.expression.deterministic": {
        "what-follows-forgotten": ("rfc3986 authority", "not begin & follow", "True", "possessive"),
        "alternatives-not-compared": ("rfc2396 URI-reference", "apart\n", "True\n", "possessive"),
        "inside-not-looked-at": (
            "rfc2396 server",
            "not nullable(item) and deterministic(item, again)",
            "not nullable(item)",
            "possessive",
        ),
        "sequence-always": ("rfc2396 server", "return all(\n", "return True or all(\n", "possessive"),
    },
}

CASES = [
    pytest.param(where, *row, id=f"{where.rpartition('.')[2]}-{name}")
    for where, rows in FAULTS.items()
    for name, row in rows.items()
]


@pytest.mark.parametrize(("where", "target", "before", "after", "proofs"), CASES)
def test_fault_is_refuted(where, target, before, after, proofs, anew, plant):
    """On a fresh value exactly the proofs listed with the fault fail."""
    spec, rule = target.split()
    assert pattern_proofs.refuted(anew(spec), [rule]) == set()
    plant(where, before, after)
    assert pattern_proofs.refuted(anew(spec), [rule]) == set(proofs.split())


def test_there_are_enough():
    """The faults reach every stage between the text of a grammar and a pattern."""
    assert len(CASES) >= 20
    assert {".".join(where.split(".")[:2]) for where in FAULTS if not where.endswith("bnf")} == {
        *("grammar.notation", "grammar.expression", "regex.rewriting", "regex.pattern"),
    }
