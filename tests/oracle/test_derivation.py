"""Derivation trees: the rules of the RFC over the parts of the text, and nothing lost between them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from urloracle.derivation import Derivation, _Search, derivation
from urloracle.errors import InvalidURL
from urloracle.explanation import derive
from urloracle.grammar.alphabet import stand_ins
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar.grammar import Grammar
from urloracle.grammar.notation import ABNF, read
from urloracle.rfcs import SPECIFICATIONS

#: A tree has a node for each character, so long texts only take time.
MAX_URL_LENGTH = 1_000


@pytest.fixture(scope="module")
def valid_questions(corpus):
    """The questions of the corpus with a valid text: RFC, rule, profile and text."""
    questions = []
    for case in corpus.cases:
        vector = case.vector
        if vector.op != "validate" or vector.expect.valid is not True:
            continue
        if isinstance(vector.url, str) and len(vector.url) <= MAX_URL_LENGTH:
            questions.append((case.spec, vector.rule, vector.profile, vector.url))
    return questions


def nodes(tree: Derivation):
    yield tree
    for child in tree.children:
        yield from nodes(child)


def outline_of_longer_texts(tree: Derivation) -> list[tuple[str, str]]:
    """Return rule and text of each node with more than one character, from top to bottom."""
    return [(node.rule, node.text) for node in nodes(tree) if len(node.text) > 1]


@pytest.fixture(scope="module")
def trees(valid_questions):
    """The derivations of every fourth valid text of the corpus by RFC, since all of them take long."""
    trees_of_rfcs = {spec: [] for spec in SPECIFICATIONS}
    for spec, rule, profile, url in valid_questions[::4]:
        trees_of_rfcs[spec].append((url, derive(url, spec, rule, profile)))
    return trees_of_rfcs


by_rfc = pytest.mark.parametrize("spec", SPECIFICATIONS)


@by_rfc
@pytest.mark.sampled(3, keep="rfc3986")
def test_the_corpus_has_many_valid_texts_of_an_rfc(trees, spec):
    """The tests below are therefore about many trees."""
    assert len(trees[spec]) > 50


@by_rfc
def test_a_valid_text_of_the_corpus_has_a_tree_of_the_whole_text(trees, spec):
    assert [url for url, tree in trees[spec] if tree.text != url] == []


@by_rfc
def test_the_text_of_a_node_stands_at_its_offset(trees, spec):
    for url, tree in trees[spec]:
        for node in nodes(tree):
            assert url.startswith(node.text, node.start), (url, node.rule)


@by_rfc
def test_the_children_of_a_node_follow_each_other_inside_it(trees, spec):
    for url, tree in trees[spec]:
        for node in nodes(tree):
            end = node.start
            for child in node.children:
                assert child.start >= end, (url, child.rule)
                end = child.start + len(child.text)
            assert end <= node.start + len(node.text), (url, node.rule)


def test_a_tree_has_rules_and_texts_from_top_to_bottom():
    assert outline_of_longer_texts(derive("http://u@[::1]/a%41?q", "rfc3986")) == [
        ("URI-reference", "http://u@[::1]/a%41?q"),
        ("URI", "http://u@[::1]/a%41?q"),
        ("scheme", "http"),
        ("hier-part", "//u@[::1]/a%41"),
        ("authority", "u@[::1]"),
        ("host", "[::1]"),
        ("IP-literal", "[::1]"),
        ("IPv6address", "::1"),
        ("path-abempty", "/a%41"),
        ("segment", "a%41"),
        ("pchar", "%41"),
        ("pct-encoded", "%41"),
    ]


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        pytest.param("//h", "server", id="a-server"),
        pytest.param("//a_b", "reg_name", id="a-registry-name"),
    ],
)
def test_an_authority_is_derived_as_a_registry_name_only_if_it_is_no_server(url, rule):
    """R-2396-11: the order of the alternatives decides."""
    rules = {node.rule for node in nodes(derive(url, "rfc2396"))}
    assert rules & {"server", "reg_name"} == {rule}


def test_a_tree_keeps_the_case_of_a_scheme():
    """R-1738-03: the text is shown as it is."""
    assert derive("HTTP://h/", "rfc1738").text == "HTTP://h/"


def test_a_scheme_in_capital_letters_is_derived_by_its_rule():
    assert derive("HTTP://h/", "rfc1738").rule == "httpurl"


def test_a_text_that_a_rule_does_not_derive_has_no_derivation():
    assert derivation(SPECIFICATIONS["rfc3986"].grammar, "scheme", "1") is None


def test_a_letter_that_only_unicode_folds_to_ascii_is_no_letter_of_a_scheme():
    """R-1738-03: U+212A, the sign of the kelvin, is a `k` in lower case."""
    assert derivation(SPECIFICATIONS["rfc1738"].grammar, "url", "\u212abc:foo") is None


def test_deriving_an_invalid_text_is_an_error():
    with pytest.raises(InvalidURL, match="blank at offset 9"):
        derive("http://h/ ", "rfc3986")


#: A rule of a derivation with the offsets of its text, and the rules inside it.
Outline = tuple[str, int, int, tuple["Outline", ...]]


Derivations = Iterator[tuple[int, tuple[Outline, ...]]]


def derivations(grammar: Grammar, expression: Expression, text: str, start: int) -> Derivations:
    """Yield every derivation of a text that begins at an offset, the preferred one first."""
    match expression:
        case Characters(members):
            if stand_ins(text[start : start + 1]) in members:
                yield start + 1, ()
        case Reference(name):
            leaf = grammar.character_class(expression) is not None
            for end, inside in derivations(grammar, grammar[name], text, start):
                yield end, ((grammar.canonical_name(name), start, end, () if leaf else inside),)
        case Capture(_, element):
            yield from derivations(grammar, element, text, start)
        case Alternation(alternatives):
            for alternative in alternatives:
                yield from derivations(grammar, alternative, text, start)
        case Sequence(elements):
            yield from _sequences(grammar, elements, text, start)
        case Repetition():
            yield from _repetitions(grammar, expression, text, start)


def _sequences(grammar: Grammar, elements: tuple[Expression, ...], text: str, start: int) -> Derivations:
    if not elements:
        yield start, ()
        return
    for middle, before in derivations(grammar, elements[0], text, start):
        for end, after in _sequences(grammar, elements[1:], text, middle):
            yield end, before + after


def _repetitions(grammar: Grammar, repetition: Repetition, text: str, start: int) -> Derivations:
    """Yield more iterations first.  An iteration is not empty, unless it is one that is missing."""
    element = repetition.element
    minimum = repetition.minimum
    maximum = repetition.maximum
    if maximum != 0:
        fewer = Repetition(element, max(minimum - 1, 0), None if maximum is None else maximum - 1)
        for middle, before in derivations(grammar, element, text, start):
            if middle > start:
                for end, after in _repetitions(grammar, fewer, text, middle):
                    yield end, before + after
    if minimum == 0 or any(end == start for end, _ in derivations(grammar, element, text, start)):
        yield start, ()


def preferred(grammar: Grammar, rule: str, text: str) -> Outline | None:
    """Return the outline of the first derivation of the whole text, or None if there is none."""
    for end, (tree,) in derivations(grammar, Reference(rule), text, 0):
        if end == len(text):
            return tree
    return None


def outline_of(tree: Derivation | None) -> Outline | None:
    if tree is None:
        return None
    children = tuple(outline for child in tree.children if (outline := outline_of(child)) is not None)
    return tree.rule, tree.start, tree.start + len(tree.text), children


AMBIGUOUS = """
word = *( x / pair ) [ tail ]
x = "a"
pair = "a" "a"
tail = *"a" "b"
twice = 2*3( maybe ) "a"
maybe = [ x ]
nested = *( *x *( maybe ) [ pair ] )
order = pair / x / twice
"""


@pytest.mark.parametrize("rule", ["word", "twice", "nested", "order"])
@pytest.mark.parametrize("text", ["", "a", "aa", "aaa", "aaaa", "b", "ab", "aab", "aaab", "aaaba"])
def test_the_first_derivation_is_chosen(rule, text):
    grammar = Grammar({}, {}, {}).overlay(read(AMBIGUOUS, ABNF))
    assert outline_of(derivation(grammar, rule, text)) == preferred(grammar, rule, text)


@pytest.fixture
def short_questions(valid_questions, spec):
    """Every fifth valid question of an RFC with a short text, since trying everything takes long.

    None has a scheme in capital letters: R-1738-03 is not part of the grammar.
    """
    short = []
    for spec_of_question, rule, profile, url in valid_questions:
        scheme = url.partition(":")[0]
        if spec_of_question == spec and len(url) < 16 and scheme == scheme.lower():
            short.append((rule, profile, url))
    return short[::5]


@pytest.mark.sampled(keep="rfc3986")
@by_rfc
def test_the_first_derivation_of_a_text_of_the_corpus_is_chosen(short_questions, spec):
    specification = SPECIFICATIONS[spec]
    assert len(short_questions) > 10
    for rule, profile, url in short_questions:
        language = specification.language(specification.judging_rule(url, rule, profile), profile)
        tree = derivation(language.grammar, language.rule, url)
        assert outline_of(tree) == preferred(language.grammar, language.rule, url), url


#: (RFC, beginning, repeated part, end) of texts in which many parts can begin and end at many offsets.
REPEATED = {
    "gopher-strings": ("rfc1738", "gopher://h/1", "%09a", ""),
    "gopher-searches": ("rfc1738", "gopher://h/1", "a%09", ""),
    "gopher-tabs": ("rfc1738", "gopher://h/1", "%09", ""),
    "prospero-fields": ("rfc1738", "prospero://h/", ";a=b", ""),
    "news": ("rfc1738", "news:", "a.", "@h"),
    "labels": ("rfc1738", "http://", "a.", "a/"),
    "digits-and-labels": ("rfc2396", "http://", "1.", "a/"),
    "hyphens": ("rfc2396", "http://", "a-", "a/"),
    "registry-name": ("rfc2396", "x://", "a-", "_"),
    "params": ("rfc1808", "http://h/", ";a=b", ""),
    "segments": ("rfc1808", "/a", "//", "?"),
    "opaque": ("rfc2732", "x:", "a;", "?"),
    "userinfo": ("rfc3986", "http://", ":a", "@h"),
    "no-userinfo": ("rfc3986", "http://", "a%41", ":1"),
    "dots": ("rfc3986", "", "../", ".."),
    "future-address": ("rfc3986", "http://[v1.", ":", "]"),
}


class CountingSearch(_Search):
    """A search that counts how often it makes a choice."""

    choices = 0

    def _choices(self, situation, tasks):
        self.choices += 1
        return super()._choices(situation, tasks)


#: The work for a text of twice the length may be a little more than twice the work.
TWICE = 2.1


def choices_of(grammar, rule, text, *, derived):
    """Return the number of choices of a search, which must find a derivation or must not."""
    search = CountingSearch(grammar, text)
    has_derivation = search.path(Reference(rule)) is not None
    assert has_derivation == derived
    return search.choices


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", REPEATED)
def test_the_work_of_a_derivation_is_proportional_to_the_text(name):
    spec, before, unit, after = REPEATED[name]
    specification = SPECIFICATIONS[spec]

    def choices(count):
        text = before + unit * count + after
        language = specification.language(specification.judging_rule(text, None, None), None)
        return choices_of(language.grammar, language.rule, text, derived=True)

    assert choices(200) < TWICE * choices(100)


def test_the_work_for_a_text_without_a_derivation_is_proportional_to_the_text():
    """Every way to share out the letters fails, and none is tried twice."""
    grammar = Grammar({}, {}, {}).overlay(read(AMBIGUOUS, ABNF))
    short = choices_of(grammar, "nested", "aaa" + "b", derived=False)
    long = choices_of(grammar, "nested", "aaaaaa" + "b", derived=False)
    assert long < TWICE * short


def test_a_long_text_has_a_tree_of_all_its_parts():
    """Ten nodes begin it; `%09` is an xchar, an escape and two hex, `a` an xchar and unreserved."""
    text = "gopher://h/1" + "%09a" * 1_000
    assert len(list(nodes(derive(text, "rfc1738")))) == 10 + 6 * 1_000
