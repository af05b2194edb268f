"""Every pattern accepts exactly the language of its rule, and its matcher never needs to go back."""

from __future__ import annotations

import re._parser as sre_parser

import pytest

from urloracle.grammar.expression import EMPTY, Sequence, deterministic
from urloracle.language import count_words
from urloracle.regex.pattern import pattern
from urloracle.rfc.captures import SPLITTINGS
from urloracle.rfcs import SPECIFICATIONS

from . import pattern_proofs

RULES = [
    pytest.param(spec, rule, id=f"{spec.id}-{rule}")
    for spec in SPECIFICATIONS.values()
    for rule in spec.grammar
]
SPECS = [pytest.param(spec, id=spec.id) for spec in SPECIFICATIONS.values()]


@pytest.mark.sampled(3, keep="rfc3986")
@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_pattern_accepts_the_language_of_the_rule(spec, rule):
    source = pattern(spec.grammar, rule).regex.pattern
    assert pattern_proofs.same(pattern_proofs.automaton_of_pattern(source), spec.language(rule).automaton)


@pytest.mark.sampled(13, keep="rfc3986-URI-reference")
@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_a_possessive_repetition_never_takes_what_could_follow_it(spec, rule):
    assert pattern_proofs.undecided(pattern(spec.grammar, rule).regex.pattern) == []


@pytest.mark.parametrize(("spec", "rule"), pattern_proofs.WORDS)
def test_the_number_of_words_is_the_agreed_one(spec, rule):
    """Two independent constructions have agreed on these numbers."""
    assert count_words(SPECIFICATIONS[spec].automaton(rule), [20]) == [pattern_proofs.WORDS[spec, rule]]


SPLIT = [
    pytest.param(spec, rule, whole, id=f"{spec.id}-{rule}{'' if whole else '-in-five-parts'}")
    for spec in SPECIFICATIONS.values()
    for rule in SPLITTINGS[spec.id].components
    for whole in (True, False)
    if whole or rule in ("URI-reference", "IRI-reference")
]


@pytest.mark.sampled(keep="rfc3986-URI-reference]")
@pytest.mark.parametrize(("spec", "rule", "whole"), SPLIT)
def test_a_splitting_pattern_has_the_language_and_the_splits_of_its_rule(spec, rule, whole):
    """The same holds for its branches for texts without "@", and these texts."""
    assert pattern_proofs.refuted_split(spec, rule, whole=whole) == set()


#: For a function of the oracle: the rule to prove it on, a piece of its text, what replaces it, and the
#: proofs that fail then.
SPLIT_FAULTS = {
    "rfc2396.bnf": {
        "query-underivable": (
            "rfc2396 URI-reference",
            '[ "?" query ] | "?" query',
            '[ "?" query ]',
            "language plain-language",
        ),
    },
    "regex.rewriting.without_characters": {
        "delimiter-lost": (
            "rfc3986 URI-reference",
            "sequence(possible) if len(possible) == len(parts) else None",
            "sequence(possible)",
            "plain-language plain-splits",
        ),
        "nothing-removed": (
            "rfc3986 URI-reference",
            "Characters(members - absent) if",
            "Characters(members) if",
            "plain-language plain-splits",
        ),
        "first-alternative": (
            "rfc1738 genericurl",
            "return alternation(remaining) if remaining",
            "return remaining[0] if remaining",
            "plain-language plain-splits",
        ),
    },
    "regex.rewriting.branches": {
        "first-of-a-capture": (
            "rfc2396 URI-reference",
            "for branch in branches(element)]\n        case _:",
            "for branch in branches(element)[:1]]\n        case _:",
            "splits plain-splits",
        ),
    },
    "regex.rewriting.merge_captures": {
        "former-lost": (
            "rfc3986 URI-reference",
            "alternation((former, latter))\n                merged",
            "latter\n                merged",
            "language splits plain-language plain-splits",
        ),
    },
    "regex.rewriting.required_text": {
        "shared-letters": (
            "rfc1738 nntpurl",
            'fixed.split("\\n")',
            '[fixed.replace("\\n", "")]',
            "needs plain-needs",
        ),
    },
    "regex.pattern._begins_with_capture": {
        "always": ("rfc3986 URI-reference", "return False", "return True", "plain-absent"),
    },
}
SPLIT_PLANTED = [
    pytest.param(location, *row, id=f"{location.rpartition('.')[2]}-{name}")
    for location, rows in SPLIT_FAULTS.items()
    for name, row in rows.items()
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("location", "target", "before", "after", "proofs"), SPLIT_PLANTED)
def test_a_fault_fails_its_proofs_of_splits(location, target, before, after, proofs, anew, plant):
    """Exactly the proofs listed with the fault fail; `SPLIT` has the proof without a fault."""
    spec, rule = target.split()
    assert rule in SPLITTINGS[spec].components
    plant(location, before, after)
    assert pattern_proofs.refuted_split(anew(spec), rule) == set(proofs.split())


def patterns_of_parts(spec):
    """Return the patterns with which a specification divides parts of URLs, by rule and components."""
    spec.read("x:")  # compiles the patterns
    for rule in spec.schemes.values():
        spec.algorithms.split("x:", rule, spec.languages)
    return spec.languages.patterns


def test_rfc1738_divides_a_part_by_the_rule_fieldspec():
    """Without this rule, the test of patterns of parts would be about nothing."""
    assert "fieldspec" in {rule for rule, _ in patterns_of_parts(SPECIFICATIONS["rfc1738"])}


@pytest.mark.parametrize("spec", SPECS)
def test_a_pattern_that_divides_a_part_accepts_the_language_of_its_rule(spec):
    for (rule, _), split_pattern in patterns_of_parts(spec).items():
        automaton = pattern_proofs.automaton_of_pattern(split_pattern.regex.pattern)
        assert pattern_proofs.same(automaton, spec.language(rule).automaton), rule


@pytest.mark.parametrize("spec", SPECS)
def test_a_possessive_repetition_of_a_pattern_that_divides_a_part_never_takes_what_could_follow_it(spec):
    for (rule, _), split_pattern in patterns_of_parts(spec).items():
        assert pattern_proofs.undecided(split_pattern.regex.pattern) == [], rule


#: Patterns with a possessive repetition that may take what should have followed it.
UNDECIDED = [
    pytest.param("[ab]*+b", id="possessive-set-swallows-what-follows"),
    pytest.param("(?:ab?)*+b", id="possessive-group-swallows-what-follows"),
    pytest.param("(?:a|ab)?+c", id="possessive-choice-is-the-wrong-one"),
    pytest.param("(?:|b)?+c", id="possessive-nothing-before-something"),
]

#: Patterns whose possessive repetitions take what they should.
DECIDED = [
    pytest.param("[ab]*+c", id="nothing-in-common"),
    pytest.param("(?:a(?:,a)*+)?+;", id="decided-by-the-next-character"),
    pytest.param("(?:ab){2}+a", id="a-fixed-number"),
]


@pytest.mark.parametrize("source", UNDECIDED)
def test_a_possessive_repetition_that_takes_what_follows_is_undecided(source):
    assert pattern_proofs.undecided(source) != []


@pytest.mark.parametrize("source", DECIDED)
def test_a_possessive_repetition_that_leaves_what_follows_is_decided(source):
    assert pattern_proofs.undecided(source) == []


@pytest.mark.parametrize("source", UNDECIDED + DECIDED)
def test_the_oracle_and_the_proof_agree_on_possessive_repetitions(source):
    """The oracle makes a repetition possessive only if it is `deterministic`."""
    tree = sre_parser.parse(source)
    repetitions = list(pattern_proofs.possessive(tree, pattern_proofs.NOTHING))
    assert repetitions
    is_decided = pattern_proofs.undecided(source) == []
    assert all(deterministic(whole, follow) for whole, follow in repetitions) == is_decided


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("0-9", "0-8", id="a-digit-lost"),
        pytest.param("//", "/", id="a-slash-lost"),
        pytest.param("*+", "++", id="a-repetition-that-must-occur"),
        pytest.param("@", "!", id="a-delimiter-changed"),
        pytest.param(r"\?", r"\#", id="query-for-fragment"),
    ],
)
def test_a_changed_pattern_has_another_language(old, new):
    spec = SPECIFICATIONS["rfc3986"]
    source = pattern(spec.grammar, "URI-reference").regex.pattern
    assert old in source
    planted = pattern_proofs.automaton_of_pattern(source.replace(old, new))
    assert not pattern_proofs.same(planted, spec.language("URI-reference").automaton)


def test_the_empty_pattern_accepts_the_empty_word():
    assert pattern_proofs.automaton_of_pattern("").accepts("")


def test_the_empty_sequence_is_the_empty_expression():
    assert Sequence(()) == EMPTY


#: For a piece of the oracle: the specification and rule to prove it on, a text in it, what replaces it, and
#: the proofs that fail then.
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
        "range-without-its-last": (
            "rfc3986 URI-reference",
            "letters_between(low, high)",
            "letters_between(low, max(low, high - 1))",
            "words",
        ),
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
        "not-folded": ("rfc1738 httpurl", "return folded", "return expression", "language"),
    },
    "regex.rewriting._fold": {
        "folded-after-the-colon": ("rfc1738 ftpurl", "if has_colon:", "if False:", "language"),
    },
    "regex.rewriting.alternation": {
        "others-lost": ("rfc3986 host", "if alternative not in distinct", "if not distinct", "language"),
        "set-of-the-first": (
            "rfc3986 unreserved",
            "*(element.members for element in flat if isinstance(element, Characters))",
            "*[element.members for element in flat if isinstance(element, Characters)][:1]",
            "language",
        ),
    },
    "regex.rewriting._without_subsumed_alternatives": {
        "larger-for-smaller": (
            "rfc2396 authority",
            "_includes(grammar, larger, element)",
            "_includes(grammar, element, larger)",
            "language",
        ),
        "every-other": (
            "rfc3986 host",
            "_includes(grammar, larger, element)",
            "unbounded(larger)",
            "language",
        ),
    },
    "regex.rewriting._narrowed": {
        "the-others-removed": ("rfc2732 authority", "if not any(", "if any(", "language"),
    },
    "regex.rewriting._repetition": {
        "never-where-once": ("rfc3986 authority", "if maximum == 0 or", "if maximum == 1 or", "language"),
        "loop-without-its-head": (
            "rfc1738 fpath",
            "Repetition(either, 0, None)",
            "Repetition(inner, 0, None)",
            "language",
        ),
        "at-least-one-lost": (
            "rfc2396 reg_name",
            "if bounds == (1, 1)",
            "if minimum == 1",
            "language",
        ),
    },
    "regex.rewriting._join": {
        "first-item-lost": ("rfc1808 abs_path", "sequence((repeated, rest))", "rest", "language"),
        "last-may-be-absent": (
            "rfc2396 domainlabel",
            "Repetition(right, 1, None)",
            "Repetition(right, 0, None)",
            "language",
        ),
        "no-more-runs": (
            "rfc2396 domainlabel",
            "(Repetition(before, 0, None), ending, again)",
            "(Repetition(before, 0, None), ending)",
            "language",
        ),
    },
    "regex.rewriting._with_optional_rest": {
        "rest-not-optional": ("rfc2396 domainlabel", "optional(rest)", "rest", "language"),
        "beginning-lost": (
            "rfc2396 domainlabel",
            "sequence((*head, optional(rest)))",
            "optional(rest)",
            "language",
        ),
    },
    "regex.pattern._Writer._repetition": {
        "always-possessive": (
            "rfc3986 authority",
            "self.possessive or deterministic(repetition, follow)",
            "True",
            "possessive",
        ),
        "bounds-lost": (
            "rfc1738 login",
            "after_element)}){quantifier}",
            "after_element)})*",
            "language",
        ),
    },
    "regex.pattern._Writer._runs": {
        "run-without-the-longer-ones": (
            "rfc3986 query",
            "(?:{longer_element}{run})*+",
            "(?:{longer_element})?",
            "language",
        ),
        "at-least-one-lost": ("rfc3986 segment-nz", "if minimum else", "if minimum > 1 else", "language"),
    },
    "regex.pattern._Writer._alternative": {
        "ends-anywhere": ("rfc1738 hostport", "_alphabet(element)", "follow", "possessive"),
        "simpler-alone": ("rfc2396 host", "sources.append(", "_ = (", "language possessive"),
    },
    "regex.pattern._Writer._write_in_turn": {
        "the-end-follows": (
            "rfc3986 authority",
            "first(Sequence(elements[number + 1 :]), follow)",
            "follow",
            "possessive",
        ),
    },
    "regex.pattern._quantifier": {
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
    "regex.pattern._range": {
        "range-without-its-last": ("rfc3986 port", "chr(span.last)", "chr(span.last - 1)", "language"),
    },
    "regex.pattern.character_set": {
        "gaps-closed": (
            "rfc3986 HEXDIG",
            "map(_range, spans(characters))",
            "[_range(Range(spans(characters)[0].first, spans(characters)[-1].last))]",
            "language",
        ),
    },
    "grammar.expression._beginning": {
        "nothing-begins": ("rfc3986 authority", "Beginning(members,", "Beginning(NOTHING,", "possessive"),
        "first-of-the-alternatives": (
            "rfc3986 URI",
            "element.beginning for element in elements]",
            "element.beginning for element in elements[:1]]",
            "possessive",
        ),
    },
    "grammar.expression.deterministic": {
        "what-follows-forgotten": ("rfc3986 authority", "not begin & follow", "True", "possessive"),
        "alternatives-not-compared": ("rfc2396 URI-reference", "is_disjoint\n", "True\n", "possessive"),
        "inside-not-looked-at": (
            "rfc2396 server",
            "not nullable(element) and deterministic(element, again)",
            "not nullable(element)",
            "possessive",
        ),
        "sequence-always": ("rfc2396 server", "return all(\n", "return True or all(\n", "possessive"),
    },
}


PLANTED = [
    pytest.param(location, *row, id=f"{location.rpartition('.')[2]}-{name}")
    for location, rows in FAULTS.items()
    for name, row in rows.items()
]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("location", "target", "before", "after", "proofs"), PLANTED)
def test_a_fault_fails_its_proofs(location, target, before, after, proofs, anew, plant):
    """Exactly the proofs listed with the fault fail."""
    spec, rule = target.split()
    assert pattern_proofs.refuted(anew(spec), [rule]) == set()
    plant(location, before, after)
    assert pattern_proofs.refuted(anew(spec), [rule]) == set(proofs.split())


def test_faults_are_planted_at_every_stage():
    """The faults reach every stage between the text of a grammar and a pattern."""
    modules = set()
    for location in FAULTS:
        if not location.endswith("bnf"):  # a grammar file
            package, module, *_function = location.split(".")
            modules.add(f"{package}.{module}")
    assert modules == {"grammar.notation", "grammar.expression", "regex.rewriting", "regex.pattern"}
