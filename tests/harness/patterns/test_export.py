"""Every pattern is read by an independent reader, and proven equal to the minimal automaton of its rule."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from urlharness.corpus.specifications import SPECS
from urlharness.generate.tiers import Part, suite_texts
from urlharness.patterns.export import export_pattern
from urlharness.patterns.flavours import FLAVOUR_NAMES, CannotSay
from urloracle.grammar.grammar import UnknownRule
from urloracle.rfcs import SPECIFICATIONS

from .reader import BadPattern, difference, read

RULES = [(spec.id, rule) for spec in SPECIFICATIONS.values() for rule in spec.grammar]
#: What POSIX cannot say: characters beyond ASCII, and controls.
UNSAID = "POSIX extended has no escape for characters such as U\\+(00A0|E000|000D)"


def is_said(spec_id, rule, flavour):
    """Return whether the flavour can say the rule."""
    letters = SPECIFICATIONS[spec_id].languages[rule].automaton.classes
    return flavour != "posix" or all(letter.isascii() and letter.isprintable() for letter in letters)


def prove(spec_id, rule, flavour):
    """Assert that the pattern and the minimal automaton have the same language."""
    spec = SPECIFICATIONS[spec_id]
    exported = export_pattern(spec, rule, flavour)
    assert difference(read(exported.pattern, flavour), spec.languages[rule].automaton) is None
    assert exported.complexity.startswith(("linear", "backtracking, unambiguous"))


RULES_BY_NAME = [pytest.param(*row, id="-".join(row)) for row in RULES]
SAID = [
    pytest.param(spec_id, rule, flavour, id=f"{spec_id}-{rule}-{flavour}")
    for spec_id, rule in RULES
    for flavour in FLAVOUR_NAMES
    if is_said(spec_id, rule, flavour)
]


@pytest.mark.sampled(20, keep="rfc3986-port")
@pytest.mark.parametrize(("spec_id", "rule", "flavour"), SAID)
def test_a_pattern_matches_what_the_minimal_automaton_accepts(spec_id, rule, flavour):
    prove(spec_id, rule, flavour)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("spec_id", "rule"), [row for row in RULES if not is_said(*row, "posix")])
def test_posix_has_no_escapes(spec_id, rule):
    with pytest.raises(CannotSay, match=UNSAID):
        export_pattern(SPECIFICATIONS[spec_id], rule, "posix")


#: Faults planted into a pattern, and a text by which the proof notices them.
FAULTS = {
    "wider-set": ("python", "port", "0-9", "0-9a", "a"),
    "narrower-set": ("python", "port", "0-9", "0-8", "9"),
    "unescaped-dot": ("go", "IPv4address", r"\.", "[,.]", "0,0,0,0"),
    "quantifier": ("rust", "pct-encoded", "{2}", "{1,2}", "%0"),
    "alternative": ("posix", "dec-octet", "|25[0-5]", "", "250"),
    "half-of-a-character": ("ecmascript", "ucschar", r"[\uDC00-\uDFFD]", r"[\uDC00-\uDFFC]", "\U0001fffd"),
    "final-line-feed": ("java", "port", "*", r"*\x0A?", "\n"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_has_a_witness(name):
    flavour, rule, correct, wrong, witness = FAULTS[name]
    spec = SPECIFICATIONS["rfc3987" if rule == "ucschar" else "rfc3986"]
    pattern = export_pattern(spec, rule, flavour).pattern
    assert correct in pattern
    faulty = read(pattern.replace(correct, wrong, 1), flavour)
    assert difference(faulty, spec.languages[rule].automaton) == witness


#: Patterns that a reader of the flavour must not accept.
BAD = {
    "not-anchored-at-the-end": ("pcre2", r"\Aa"),
    "before-a-line-feed": ("pcre2", r"\Aa$"),
    "anchor-of-one-alternative": ("ecmascript", "^a|b$"),
    "identity-escape": ("json-schema", r"^\@$"),
    "posix-group": ("posix", "^(?:a)$"),
    "posix-repetitions": ("posix", "^a{256}$"),
    "posix-empty-alternative": ("posix", "^(a|)$"),
    "two-names": ("go", r"\A(?P<a>b)(?P<a>c)\z"),
    "nested-set": ("java", r"\A[a[b]]\z"),
    "possessive": ("python", r"\Aa*+\Z"),
    "lazy": ("java", r"\Aa*?\z"),
    "possessive-before-what-it-matches": ("pcre2", r"\A(?:ab)*+a\z"),
    "possessive-before-an-option": ("pcre2", r"\A(?:ab)*+b?(?:a|c)\z"),
    "possessive-with-two-ends": ("java", r"\A(?:a|ab)*+c?b\z"),
    "possessive-that-goes-on-after-an-end": ("java", r"\A(?:ab?)*+(?:b|c)\z"),
}


@pytest.mark.parametrize("name", BAD)
def test_the_reader_refuses_what_is_no_pattern_of_the_flavour(name):
    flavour, source = BAD[name]
    with pytest.raises(BadPattern):
        read(source, flavour)


#: The rules of whole texts for which the complete tier has texts.
SUITES = [(facts.id, rule) for facts in SPECS.values() for rule in facts.suites]


def assert_matches_like_automaton(spec_id, rule, step):
    """Assert that `re` matches what the automaton accepts, of each `step`th text of the complete tier."""
    spec = SPECIFICATIONS[spec_id]
    regex = re.compile(export_pattern(spec, rule, "python").pattern)
    accepts = spec.languages[rule].automaton.accepts
    for text in islice(suite_texts(Part("complete", spec_id, rule)), 0, None, step):
        assert (regex.search(text) is not None) == accepts(text), text
        assert (regex.fullmatch(text) is not None) == accepts(text), text


@pytest.mark.parametrize(("spec_id", "rule"), [("rfc1738", "httpurl"), ("rfc1808", "URL")])
def test_python_matches_texts_of_the_complete_tier(spec_id, rule):
    assert_matches_like_automaton(spec_id, rule, step=5)


@pytest.mark.long
@pytest.mark.parametrize(("spec_id", "rule"), SUITES)
def test_python_matches_all_texts_of_the_complete_tier(spec_id, rule):
    assert_matches_like_automaton(spec_id, rule, step=1)


@pytest.mark.parametrize("text", ["a", "", "//h", "#"])
def test_a_final_line_feed_is_refused(text):
    regex = re.compile(export_pattern(SPECIFICATIONS["rfc3986"], "relative-ref", "python").pattern)
    assert regex.search(text)
    assert not regex.search(f"{text}\n")


def test_an_unknown_rule_is_named():
    with pytest.raises(UnknownRule, match="hots"):
        export_pattern(SPECIFICATIONS["rfc3986"], "hots", "python")


def test_a_pattern_has_the_name_and_the_section_of_its_rule():
    exported = export_pattern(SPECIFICATIONS["rfc3986"], "HOST", "python")
    assert exported.rule == "host"
    assert exported.section == "3.2.2"
    assert exported.length == len(exported.pattern)


@pytest.mark.parametrize(
    ("flavour", "complexity"),
    [
        ("go", "linear"),
        ("python", "backtracking, unambiguous, measured on ten hostile families to 1 MB"),
    ],
)
def test_the_complexity_is_that_of_the_engines(flavour, complexity):
    assert export_pattern(SPECIFICATIONS["rfc3986"], "path", flavour).complexity == complexity


@pytest.mark.parametrize(("flavour", "fills_stack"), [("java", True), ("pcre2", True), ("python", False)])
def test_a_repetition_that_fills_the_stack_is_named(flavour, fills_stack):
    """The labels of a host name in RFC 1738 end where the last one could begin."""
    complexity = export_pattern(SPECIFICATIONS["rfc1738"], "hostname", flavour).complexity
    assert complexity.endswith("a frame of the stack for each repetition of a group") == fills_stack


# ---- groups

#: Rules of whole texts whose components the grammar decides.
GROUPED = [
    ("rfc3986", "URI-reference"),
    ("rfc3986", "URI"),
    ("rfc3986", "absolute-URI"),
    ("rfc3986", "relative-ref"),
    ("rfc1738", "httpurl"),
    ("rfc1738", "ftpurl"),
    ("rfc1808", "absoluteURL"),
    ("rfc3987", "IRI"),
]


def groups_of(exported, match):
    """Return the text of each component: that of the group that matches, or None."""
    components = {}
    for component, names in exported.groups.items():
        texts = [match[name] for name in names if match[name] is not None]
        assert len(texts) < 2
        components[component] = texts[0] if texts else None
    return components


@pytest.mark.sampled(keep="absoluteURL")
@pytest.mark.parametrize(("spec_id", "rule"), GROUPED)
def test_the_groups_are_the_components_that_the_oracle_parses(spec_id, rule):
    spec = SPECIFICATIONS[spec_id]
    exported = export_pattern(spec, rule, "python", with_groups=True)
    regex = re.compile(exported.pattern)
    default = spec.default_rule if spec.whole else rule
    for text in suite_texts(Part("complete", spec_id, default)):
        match = regex.search(text)
        assert (match is not None) == spec.languages[rule].accepts(text)
        if match is not None:
            parsed = spec.asdict(spec.parse(text, rule))
            assert groups_of(exported, match) == {name: parsed[name] for name in exported.groups}


#: Rules whose groups are refused, and the reason.
REFUSED = {
    "two-divisions": ("rfc2396", "URI-reference", "python", "divides <//> in two ways"),
    "lesser-rule": ("rfc3986", "host", "python", "host: the rule has no components"),
    "empty-group": ("rfc1808", "absoluteURL", "posix", "POSIX extended has no empty group"),
    "no-use": ("rfc3986", "URI", "json-schema", "JSON Schema has no use for groups"),
}
REFUSED_ROWS = [refusal[:3] for refusal in REFUSED.values()]
GROUPED_ROWS = [
    row
    for row in ((*suite, flavour) for suite in GROUPED for flavour in FLAVOUR_NAMES)
    if row not in REFUSED_ROWS and row[-1] != "json-schema"
]


@pytest.mark.sampled(keep="rfc1738-httpurl")
@pytest.mark.parametrize(("spec_id", "rule", "flavour"), GROUPED_ROWS)
def test_a_pattern_with_groups_matches_what_the_minimal_automaton_accepts(spec_id, rule, flavour):
    spec = SPECIFICATIONS[spec_id]
    if not is_said(spec_id, rule, flavour):
        with pytest.raises(CannotSay, match=UNSAID):
            export_pattern(spec, rule, flavour, with_groups=True)
        return
    exported = export_pattern(spec, rule, flavour, with_groups=True)
    pattern = read(exported.pattern, flavour)
    assert difference(pattern, spec.languages[rule].automaton) is None
    names = [name for group in exported.groups.values() for name in group]
    if flavour == "posix":
        assert all(1 <= int(number) <= len(pattern.groups) for number in names)
    else:
        assert sorted(names) == sorted(pattern.groups)


@pytest.mark.parametrize("name", REFUSED)
def test_groups_that_are_not_decided_are_refused(name):
    spec_id, rule, flavour, reason = REFUSED[name]
    with pytest.raises(CannotSay, match=reason):
        export_pattern(SPECIFICATIONS[spec_id], rule, flavour, with_groups=True)
