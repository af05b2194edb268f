"""Rewriting keeps languages and captured parts: proven on automata for small instances of each identity."""

from __future__ import annotations

import re
from itertools import chain, product

import pytest

from urloracle.automata.dfa import determinize, difference, minimize
from urloracle.automata.dfa import product as product_of
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import (
    EMPTY,
    Alternation,
    Capture,
    Characters,
    Reference,
    Repetition,
    Sequence,
    has_captures,
    optional,
)
from urloracle.grammar.grammar import Grammar
from urloracle.regex.rewriting import (
    alternation,
    branches,
    expand,
    fold_scheme,
    required_text,
    sequence,
    simplify,
    with_absent_columns,
    without_characters,
    without_subsumed,
)

NO_RULES = Grammar({}, {}, {})


def automaton_of(expression):
    """Return the minimal automaton of an expression without references."""
    automaton, _ = determinize(position_automaton(NO_RULES, expression))
    return minimize(automaton)


def same(left, right):
    """Return whether two automata accept the same words."""
    only_left = difference(left, right).shortest_member()
    only_right = difference(right, left).shortest_member()
    return only_left is None and only_right is None


A, B, C = (Characters(frozenset(char)) for char in "abc")
AB, ABC = Characters(frozenset("ab")), Characters(frozenset("abc"))
BOUNDS = [(0, None), (1, None), (2, None), (0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]


def many(element, minimum=0, maximum=None):
    """Return a repetition, which is a loop of any length if nothing else is asked for."""
    return Repetition(element, minimum, maximum)


POOL = [
    *(A, B, C, AB, ABC, EMPTY, many(A), many(A, 0, 1), many(AB), many(AB, 1), many(B, 1, 2), many(B, 2)),
    *(Sequence((A, B)), Sequence((A, many(B))), Sequence((A, many(AB))), Alternation((A, Sequence((A, B))))),
    *(many(Sequence((A, many(B)))), many(Sequence((A, many(AB))), 0, 1), many(Sequence((B, many(AB))), 0, 1)),
]
SINGLE = [many(element, *bounds) for element in POOL for bounds in BOUNDS]
PAIRS = [kind(pair) for kind in (Sequence, Alternation) for pair in product(POOL, repeat=2)]
LOOPS = [many(element, *bounds) for element in PAIRS for bounds in ((0, None), (1, None), (0, 1))]
TRIPLES = [
    kind(elements)
    for kind in (Sequence, Alternation)
    for elements in product(
        (A, B, AB, many(A), many(AB), Sequence((A, B)), many(Sequence((A, many(AB))), 0, 1)), repeat=3
    )
]
KINDS = {"single": SINGLE, "pairs": PAIRS, "loops": LOOPS, "triples": TRIPLES}


def keeps_language(instance, rewrite):
    """Return True if an expression has the same language after it is rewritten."""
    return same(automaton_of(instance), automaton_of(rewrite(instance)))


def with_another_language(instances, rewrite=simplify):
    """Return the instances whose language changes when they are rewritten."""
    return [instance for instance in instances if not keeps_language(instance, rewrite)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.sampled(2)
def test_simplifying_keeps_the_language_of_an_expression(kind):
    assert with_another_language(KINDS[kind]) == []


@pytest.mark.parametrize("kind", KINDS)
def test_some_expression_of_each_kind_is_simplified(kind):
    assert any(simplify(instance) != instance for instance in KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_a_simplified_expression_is_not_simplified_further(kind):
    for instance in KINDS[kind]:
        simplified = simplify(instance)
        assert simplify(simplified) == simplified, instance


IDENTITIES = {
    "loop-with-head": (many(Sequence((A, many(B)))), many(Sequence((A, many(AB))), 0, 1)),
    "loop-of-loop": (many(many(A)), many(A)),
    "loop-of-optional": (many(many(A, 0, 1), 1), many(A)),
    "once": (many(A, 1, 1), A),
    "never": (many(A, 0, 0), EMPTY),
    "joined": (Sequence((many(B), many(Sequence((A, many(AB))), 0, 1))), many(AB)),
    "joined-after-one": (
        Sequence((many(B, 1), many(Sequence((A, many(AB))), 0, 1))),
        Sequence((B, many(AB))),
    ),
    "ends-in": (
        Sequence((many(AB), A)),
        Sequence((many(B), many(A, 1), many(Sequence((many(B, 1), many(A, 1)))))),
    ),
    "factored": (Alternation((A, Sequence((A, B)))), Sequence((A, many(B, 0, 1)))),
    "united": (Alternation((A, B)), AB),
}


@pytest.mark.parametrize("name", IDENTITIES)
def test_an_expression_is_simplified_by_an_identity(name):
    """The identities are those of the module, in the words of its comment."""
    before, after = IDENTITIES[name]
    assert simplify(before) == after


@pytest.mark.parametrize("name", IDENTITIES)
def test_an_identity_keeps_the_language(name):
    before, _ = IDENTITIES[name]
    assert keeps_language(before, simplify)


#: Wrong identities: a piece of a function of the module, and what replaces it.
PLANTED = {
    "_repetition": {
        "loop-of-itself": ("(0, None):\n", "(0, None) or minimum == 1:\n"),
        "at-least-one-is-optional": ("bounds == (1, 1)", "bounds != (0, None)"),
        "nothing-for-a-choice": ("maximum == 0", "maximum == 1"),
        "loop-without-its-head": ("alternation((inner, head))", "inner"),
        "head-never-absent": ("return optional(sequence(", "return (sequence("),
        "loop-of-a-bounded-loop": ("if maximum is None and bound", "if bound"),
    },
    "_join": {
        "first-element-lost": ("sequence((repeated, rest))", "rest"),
        "first-element-doubled": ("if minimum == 0 else", "if False else"),
        "any-minimum": (" and minimum <= 1", ""),
        "any-head": ("both == alternation((repeated, head))", "True"),
        "what-is-no-part": ("if last < every", "if True"),
        "ending-may-be-absent": ("Repetition(right, 1, None)", "Repetition(right, 0, None)"),
        "one-run-only": (", ending, again)", ", ending)"),
    },
    "_with_optional_rest": {
        "rest-not-optional": ("optional(rest)", "rest"),
        "beginning-lost": ("(*head, optional(rest))", "(optional(rest),)"),
        "any-beginning": ("elements[: len(head)] != head", "not elements"),
    },
    "_sequence": {"neighbours-swapped": ("_join(merged[-1], element)", "_join(element, merged[-1])")},
    "alternation": {"single-characters-lost": ("if alternative not in distinct", "if not distinct")},
    "sequence": {"first-of-an-inner-sequence": ("element.elements if", "element.elements[:1] if")},
}
ROWS = [
    pytest.param(f"regex.rewriting.{name}", *change, id=f"{name.strip('_')}-{change_name}")
    for name, changes in PLANTED.items()
    for change_name, change in changes.items()
]


@pytest.mark.parametrize(("location", "before", "after"), ROWS)
@pytest.mark.sampled(6)
def test_a_wrong_identity_changes_the_language_of_an_instance(location, before, after, plant):
    plant(location, before, after)
    instances = chain.from_iterable(KINDS.values())
    assert not all(keeps_language(instance, simplify) for instance in instances)


def _source(expression):
    """Return an expression as a pattern without any rewriting, every repetition greedy."""
    match expression:
        case Characters(members):
            return f"[{''.join(sorted(members))}]"
        case Sequence(elements):
            return "".join(map(_source, elements))
        case Alternation(elements):
            return f"(?:{'|'.join(map(_source, elements))})"
        case Repetition(element, minimum, maximum):
            return f"(?:{_source(element)}){{{minimum},{'' if maximum is None else maximum}}}"
        case Capture(name, element):
            return f"(?P<{name}>{_source(element)})"


def words_over(alphabet):
    """Return every word of up to four characters."""
    return ["".join(word) for length in range(5) for word in product(alphabet, repeat=length)]


def _captured_parts(expression, word):
    """Return what `re` captures in a word, absent parts left out, or None if it does not match."""
    match = re.fullmatch(_source(expression), word)
    if match is None:
        return None
    return {name: text for name, text in match.groupdict().items() if text is not None}


NEVER_W = optional(Capture("w", Characters(frozenset())))
X, Y = Capture("x", many(A)), Capture("y", Alternation((B, Sequence((B, C)))))
CAPTURING = [
    *(X, Y, Sequence((X, Y)), Sequence((many(Sequence((X, B)), 0, 1), C)), many(Sequence((A, Y)), 0, 1)),
    *(
        Sequence((many(B), X, many(Y, 0, 1))),
        Alternation((Sequence((X, C)), Sequence((A, B)), Sequence((A, C)))),
    ),
    *(Alternation((X, Sequence((Y, C)))), Sequence((A, many(Sequence((Capture("x", many(B)), C)), 0, 1)))),
    *(Capture("x", Alternation((A, Sequence((A, B))))), Sequence((many(AB), Capture("x", A)))),
    *(many(Alternation((X, Y)), 0, 1), Sequence((many(Alternation((X, B)), 0, 1), Alternation((Y, C))))),
]


by_capturing_expression = pytest.mark.parametrize("expression", CAPTURING, ids=_source)


@by_capturing_expression
def test_an_expression_with_captures_has_captures(expression):
    """Without captures, the tests of captured parts would be about nothing."""
    assert has_captures(expression)


def _parts_of_the_first_branch(expression, word):
    """Return what the first simplified branch that matches a word captures in it."""
    for branch in branches(expression):
        parts = _captured_parts(simplify(branch), word)
        if parts is not None:
            return parts
    return None


@by_capturing_expression
def test_simplified_branches_capture_the_parts_of_the_expression(expression):
    for word in words_over("abc"):
        assert _parts_of_the_first_branch(expression, word) == _captured_parts(expression, word), word


#: Alternatives that capture one component next to each other, and choices inside a capture; and the branches.
CHOICES = {
    "united": (Alternation((Capture("x", A), Capture("x", B), C)), [Capture("x", AB), C]),
    "united-with-nothing": (Alternation((Capture("x", A), Capture("x", EMPTY))), [Capture("x", optional(A))]),
    "not-neighbours": (
        Alternation((Capture("x", A), Y, Capture("x", B))),
        [Capture("x", A), Y, Capture("x", B)],
    ),
    "captures-inside": (
        Alternation((Capture("x", A), Capture("x", Sequence((B, Capture("z", C)))))),
        [Capture("x", A), Capture("x", Sequence((B, Capture("z", C))))],
    ),
    "choice-inside": (
        Capture("w", Alternation((Sequence((A, X)), C))),
        [Capture("w", Sequence((A, X))), Capture("w", C)],
    ),
}


@pytest.mark.parametrize("name", CHOICES)
def test_branches_of_one_component_are_joined_where_no_other_capture_differs(name):
    before, after = CHOICES[name]
    assert branches(before) == after


@pytest.mark.parametrize("name", CHOICES)
def test_the_branches_of_an_expression_keep_its_language(name):
    before, _ = CHOICES[name]
    assert keeps_language(before, lambda expression: Alternation(tuple(branches(expression))))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
def test_exactly_the_words_without_a_character_remain(kind):
    """Every third instance is tested, since the automata of all of them take long."""
    words_without_c = automaton_of(many(AB))
    for instance in KINDS[kind][::3]:
        expression = without_characters(instance, frozenset("c"))
        if expression is None:
            expression = Characters(frozenset())
        expected = product_of(automaton_of(instance), words_without_c, bool.__and__)
        assert same(automaton_of(expression), expected), instance


USER = optional(Sequence((Capture("x", many(A)), C)))
WITHOUT_C = [
    pytest.param(Sequence((USER, Y)), Capture("y", B), id="capture-before-the-character"),
    pytest.param(
        Sequence((Capture("x", many(C)), A)),
        Sequence((Capture("x", EMPTY), A)),
        id="capture-that-may-be-empty",
    ),
    pytest.param(Alternation((C, Sequence((A, C)))), None, id="no-word-is-left"),
]


@pytest.mark.parametrize(("before", "after"), WITHOUT_C)
def test_a_capture_goes_with_the_character_that_it_needs(before, after):
    assert without_characters(before, frozenset("c")) == after


ABSENT = {
    "all-there": (Sequence((X, Y)), ("x", "y"), Sequence((X, Y))),
    "first": (Y, ("x", "y"), Y),
    "between": (Sequence((X, C, Y)), ("x", "w", "y"), Sequence((X, C, NEVER_W, Y))),
    "last": (Sequence((X, C)), ("x", "w"), Sequence((X, C, NEVER_W))),
    "inside": (
        Sequence((X, Capture("o", Sequence((B, Y))))),
        ("x", "o", "w", "y"),
        Sequence((X, Capture("o", Sequence((NEVER_W, B, Y))))),
    ),
    "before-an-option": (
        Sequence((X, optional(Sequence((C, Y))))),
        ("x", "w", "y"),
        Sequence((X, NEVER_W, optional(Sequence((C, Y))))),
    ),
    "in-another-order": (Sequence((X, Y)), ("y", "w", "x"), Sequence((X, Y))),
    "no-capture": (A, ("x",), A),
}


@pytest.mark.parametrize("name", ABSENT)
def test_the_group_of_an_absent_component_is_put_before_the_next_capture(name):
    before, columns, after = ABSENT[name]
    assert with_absent_columns(before, columns) == after


@pytest.mark.parametrize("name", ABSENT)
def test_putting_groups_of_absent_components_keeps_the_language(name):
    before, columns, _ = ABSENT[name]
    assert keeps_language(before, lambda expression: with_absent_columns(expression, columns))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
def test_every_word_has_the_required_text_of_its_expression(kind):
    """Every fifth instance is tested, since the automata of all of them take long."""
    words = words_over("abc")
    for instance in KINDS[kind][::5]:
        members = filter(automaton_of(instance).accepts, words)
        assert [word for word in members if required_text(instance) not in word] == [], instance


#: An expression and the characters that each of its words has one after the other.
REQUIRED = [
    pytest.param(Sequence((many(A), Capture("x", Sequence((B, C))), A, many(B), A)), "bca", id="longest-run"),
    pytest.param(Sequence((A, B, many(A), B, C)), "ab", id="first-of-two-runs-of-equal-length"),
    pytest.param(many(A, 1), "", id="repetition"),
    pytest.param(AB, "", id="choice-of-characters"),
]


@pytest.mark.parametrize(("expression", "text"), REQUIRED)
def test_the_required_text_is_the_longest_run_of_fixed_characters(expression, text):
    assert required_text(expression) == text


CHOICE = Alternation((X, Y))
BRANCHES = [
    pytest.param(many(CHOICE, 0, 1), [X, Y, EMPTY], id="optional-choice"),
    pytest.param(Sequence((CHOICE, C)), [Sequence((X, C)), Sequence((Y, C))], id="choice-in-a-sequence"),
    pytest.param(Alternation((A, B)), [Alternation((A, B))], id="choice-without-captures"),
]


@pytest.mark.parametrize(("expression", "expected"), BRANCHES)
def test_an_expression_has_a_branch_for_each_choice_between_captures(expression, expected):
    assert branches(expression) == expected


def test_two_choices_between_two_captures_have_four_branches():
    assert len(branches(Sequence((CHOICE, CHOICE)))) == 2 * 2


INSTANCES = [Alternation(elements) for elements in product(POOL, repeat=2)]


def test_leaving_out_included_alternatives_keeps_the_language():
    assert with_another_language(INSTANCES, lambda expression: without_subsumed(NO_RULES, expression)) == []


SMALL, LARGE = many(A, 1), many(AB)


@pytest.mark.parametrize("elements", [(SMALL, LARGE), (LARGE, SMALL)], ids=["before", "after"])
def test_an_alternative_that_another_one_includes_is_left_out(elements):
    assert without_subsumed(NO_RULES, Alternation(elements)) == LARGE


def test_an_included_alternative_with_a_capture_stays():
    alternation = Alternation((Capture("x", SMALL), LARGE))
    assert without_subsumed(NO_RULES, alternation) == alternation


def test_one_of_two_equal_alternatives_is_left_out():
    equal_to_large = many(many(AB))
    remaining = without_subsumed(NO_RULES, Alternation((LARGE, equal_to_large)))
    assert remaining in (LARGE, equal_to_large)


#: An alternative of which another one derives only a part, that other one, and what is left of the first.
PARTS = {
    "one-is-left": (Sequence((Alternation((many(A), C)), B)), many(AB), Sequence((C, B))),
    "as-much": (
        Sequence((Alternation((many(A), C)), optional(B))),
        Sequence((many(A), optional(B))),
        Sequence((C, optional(B))),
    ),
    "after-others": (Sequence((A, Alternation((C, B, A)))), many(AB), Sequence((A, C))),
    "none": (Sequence((Alternation((A, B)), C)), many(AB), Sequence((Alternation((A, B)), C))),
    "none-after-another": (Sequence((C, Alternation((A, C)))), many(AB), Sequence((C, Alternation((A, C))))),
}


@pytest.mark.parametrize("name", PARTS)
def test_the_part_of_an_alternative_that_another_one_includes_is_left_out(name):
    """XY | Z with X = X1 | X2 is X1 Y | Z if Z includes X2 Y; then Z stays, even if XY includes it."""
    first, second, remaining = PARTS[name]
    assert without_subsumed(NO_RULES, Alternation((first, second))) == Alternation((remaining, second))


TAILS = {
    "taken-anyway": ((many(AB), optional(Sequence((A, many(B))))), (many(AB),)),
    "taken-by-a-capture": ((Capture("x", many(AB)), optional(A)), (Capture("x", many(AB)),)),
    "at-least-one": ((many(AB, 1), optional(A)), (many(AB, 1),)),
    "not-taken": ((many(A), optional(B)), (many(A), optional(B))),
    "captured": ((many(AB), optional(Capture("x", A))), (many(AB), optional(Capture("x", A)))),
    "not-optional": ((many(AB), A), (many(AB), A)),
    "after-another": ((many(AB), C, optional(A)), (many(AB), C, optional(A))),
}


@pytest.mark.parametrize("name", TAILS)
def test_an_optional_tail_that_the_repetition_includes_is_left_out(name):
    """X* T? = X* where X* includes T: a pattern would try every way to share a text between the two."""
    elements, expected = TAILS[name]
    assert without_subsumed(NO_RULES, Sequence(elements)) == sequence(expected)


@pytest.mark.parametrize(
    ("location", "before", "after"),
    [
        pytest.param(
            "_takes_all", "_includes(grammar, Repetition(before, 0, None), tail)", "True", id="any-tail"
        ),
        pytest.param(
            "_includes", "difference(small, big).shortest_member() is None", "True", id="all-included"
        ),
        pytest.param(
            "_includes", "difference(small, big)", "difference(big, small)", id="included-for-including"
        ),
        pytest.param(
            "_without_subsumed_alternatives",
            "_includes(grammar, larger, element)",
            "_includes(grammar, element, larger)",
            id="larger-for-smaller",
        ),
        pytest.param(
            "_without_subsumed_alternatives", "if narrow is not element:", "if False:", id="narrowed-lost"
        ),
        pytest.param("_narrowed", "if not any(", "if any(", id="other-options-left-out"),
        pytest.param("_narrowed", "(*before, option, *after)", "(option, *after)", id="beginning-lost"),
    ],
)
@pytest.mark.sampled(6)
def test_a_wrong_inclusion_changes_the_language_of_an_instance(location, before, after, plant):
    plant(f"regex.rewriting.{location}", before, after)
    instances = [
        Alternation((Sequence((A, C)), Sequence((A, many(A))), many(AB))),
        Sequence((many(A), optional(B))),
        *INSTANCES,
    ]
    for narrowed, including, _ in PARTS.values():
        instances.append(Alternation((narrowed, including)))
    assert with_another_language(instances, lambda expression: without_subsumed(NO_RULES, expression))


EXPANDED = [
    pytest.param({}, Sequence((many(A), A)), id="no-component"),
    pytest.param({"o": ("out", {})}, Sequence((Capture("out", many(A)), A)), id="component"),
    pytest.param(
        {"o": ("out", {"i": ("in", {})})},
        Sequence((Capture("out", many(Capture("in", A))), A)),
        id="component-in-a-component",
    ),
]


@pytest.mark.parametrize("rule", ["r", "R"])
@pytest.mark.parametrize(("components", "expression"), EXPANDED)
def test_a_reference_is_expanded_with_its_components_captured(rule, components, expression):
    """Names match in either case (RFC 822, section 2.1; RFC 2234, section 2.1)."""
    rules = {"r": Sequence((Reference("O"), Reference("i"))), "o": many(Reference("I")), "i": A}
    grammar = Grammar(rules, {name: name for name in rules}, dict.fromkeys(rules, "1"))
    assert expand(grammar, Reference(rule), components) == expression


COLON = Characters(frozenset(":"))
FOLDED = [
    Sequence((A, COLON, A)),
    Sequence((many(A), COLON, many(B))),
    Alternation((Sequence((A, COLON, B)), Sequence((B, B, COLON)))),
    Sequence((Sequence((A, COLON)), A)),
    Sequence((Capture("x", many(AB, 1)), COLON, Capture("y", many(AB)))),
]


@pytest.mark.parametrize("expression", FOLDED, ids=_source)
def test_only_letters_before_the_first_colon_match_in_either_case(expression):
    """R-1738-03."""
    unfolded = automaton_of(expression)
    folded = automaton_of(fold_scheme(expression))
    for word in words_over("aAbB:"):
        scheme, colon, rest = word.partition(":")
        assert folded.accepts(word) == unfolded.accepts(scheme.lower() + colon + rest), word


def test_a_sequence_in_a_sequence_is_flattened():
    assert sequence((A, Sequence((B, C)), EMPTY)) == Sequence((A, B, C))


def test_a_sequence_of_one_expression_is_the_expression():
    assert sequence((A,)) == A


def test_an_alternation_in_an_alternation_is_flattened():
    """The single characters become one class."""
    assert alternation((A, Alternation((Sequence((A, B)), B)), C)) == Alternation((ABC, Sequence((A, B))))
