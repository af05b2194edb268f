"""Rewriting keeps languages and captured parts: proven on automata for small instances of each identity."""

from __future__ import annotations

import re
from itertools import product

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
    captures,
    optional,
)
from urloracle.grammar.grammar import Grammar
from urloracle.regex.rewriting import (
    alternation,
    branches,
    expand,
    fold_scheme,
    required,
    sequence,
    simplify,
    with_absent,
    without_characters,
    without_subsumed,
)

NO_RULES = Grammar({}, {}, {})


def automaton_of(expression):
    """The minimal automaton of an expression without references."""
    return minimize(determinize(position_automaton(NO_RULES, expression))[0])


def same(left, right):
    return difference(left, right).shortest_member() is difference(right, left).shortest_member() is None


A, B, C = (Characters(frozenset(char)) for char in "abc")
AB, ABC = Characters(frozenset("ab")), Characters(frozenset("abc"))
BOUNDS = [(0, None), (1, None), (2, None), (0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]


def many(item, minimum=0, maximum=None):
    return Repetition(item, minimum, maximum)


POOL = [
    *(A, B, C, AB, ABC, EMPTY, many(A), many(A, 0, 1), many(AB), many(AB, 1), many(B, 1, 2), many(B, 2)),
    *(Sequence((A, B)), Sequence((A, many(B))), Sequence((A, many(AB))), Alternation((A, Sequence((A, B))))),
    *(many(Sequence((A, many(B)))), many(Sequence((A, many(AB))), 0, 1), many(Sequence((B, many(AB))), 0, 1)),
]
SINGLE = [many(item, *bounds) for item in POOL for bounds in BOUNDS]
PAIRS = [kind(pair) for kind in (Sequence, Alternation) for pair in product(POOL, repeat=2)]
LOOPS = [many(item, *bounds) for item in PAIRS for bounds in ((0, None), (1, None), (0, 1))]
TRIPLES = [
    kind(items)
    for kind in (Sequence, Alternation)
    for items in product(
        (A, B, AB, many(A), many(AB), Sequence((A, B)), many(Sequence((A, many(AB))), 0, 1)), repeat=3
    )
]
KINDS = {"single": SINGLE, "pairs": PAIRS, "loops": LOOPS, "triples": TRIPLES}


def wrong(instances, rewrite=simplify):
    """The instances that do not keep their language."""
    return [instance for instance in instances if not same(*map(automaton_of, (instance, rewrite(instance))))]


@pytest.mark.parametrize("kind", KINDS)
def test_simplify_keeps_the_language(kind):
    assert wrong(KINDS[kind]) == []
    assert any(simplify(instance) != instance for instance in KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_simplified_expressions_are_not_simplified_further(kind):
    """Simplifying again changes nothing."""
    assert [instance for instance in KINDS[kind] if simplify(simplify(instance)) != simplify(instance)] == []


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
def test_identity_is_applied(name):
    """Each identity of the module, in the words of its comment."""
    before, after = IDENTITIES[name]
    assert simplify(before) == after
    assert wrong([before]) == []


# wrong identities: source text of a function, its replacement
PLANTED = {
    "_repetition": {
        "loop-of-itself": ("(0, None):\n", "(0, None) or minimum == 1:\n"),
        "at-least-one-is-optional": ("minimum, maximum) == (1, 1)", "minimum, maximum) != (0, None)"),
        "nothing-for-a-choice": ("maximum == 0", "maximum == 1"),
        "loop-without-its-head": ("alternation((inner, head))", "inner"),
        "head-never-absent": ("return optional(sequence(", "return (sequence("),
        "loop-of-a-bounded-loop": ("if maximum is None and bound", "if bound"),
    },
    "_join": {
        "first-item-lost": ("sequence((one, rest))", "rest"),
        "first-item-doubled": ("if minimum == 0 else", "if False else"),
        "any-minimum": (" and minimum <= 1", ""),
        "any-head": ("both == alternation((one, head))", "True"),
        "what-is-no-part": ("if last < every", "if True"),
        "ending-may-be-absent": ("Repetition(right, 1, None)", "Repetition(right, 0, None)"),
        "one-run-only": (", ending, again)", ", ending)"),
    },
    "_factored": {
        "rest-not-optional": ("optional(rest)", "rest"),
        "beginning-lost": ("(*before, optional(rest))", "(optional(rest),)"),
        "any-beginning": ("after[: len(before)] == before", "after"),
    },
    "_sequence": {"neighbours-swapped": ("_join(merged[-1], item)", "_join(item, merged[-1])")},
    "alternation": {"single-characters-lost": ("if alternative not in distinct", "if not distinct")},
    "sequence": {"first-of-an-inner-one": ("item.items if", "item.items[:1] if")},
}
ROWS = [
    pytest.param(f"regex.rewriting.{name}", *change, id=f"{name.strip('_')}-{change_name}")
    for name, changes in PLANTED.items()
    for change_name, change in changes.items()
]


@pytest.mark.parametrize(("location", "before", "after"), ROWS)
def test_planted_identity_is_refuted(location, before, after, plant):
    plant(location, before, after)
    assert any(wrong([instance]) for instances in KINDS.values() for instance in instances)


def _source(expression):
    """An expression as a pattern without any rewriting, every repetition greedy."""
    match expression:
        case Characters(members):
            return f"[{''.join(sorted(members))}]"
        case Sequence(items):
            return "".join(map(_source, items))
        case Alternation(items):
            return f"(?:{'|'.join(map(_source, items))})"
        case Repetition(item, minimum, maximum):
            return f"(?:{_source(item)}){{{minimum},{'' if maximum is None else maximum}}}"
        case Capture(name, item):
            return f"(?P<{name}>{_source(item)})"


def _parts(source):
    """Map every short word to the groups that a pattern captures, or to None if it does not match."""
    words = ("".join(word) for length in range(5) for word in product("abc", repeat=length))
    return {word: (match := re.fullmatch(source, word)) and match.groupdict() for word in words}


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


@pytest.mark.parametrize("number", range(len(CAPTURING)))
def test_captured_parts_are_kept(number):
    """Branch by branch and simplified, the same parts are captured as by the expression itself."""
    before = CAPTURING[number]
    assert captures(before)
    expected = _parts(_source(before))
    captured = {}
    for branch in reversed(branches(before)):
        for word, parts in _parts(_source(simplify(branch))).items():
            captured[word] = captured.get(word) if parts is None else parts
    names = set(re.findall(r"P<(\w)>", _source(before)))
    for word, parts in expected.items():
        whole = None if captured[word] is None else {name: captured[word].get(name) for name in names}
        assert whole == parts, word


# alternatives that capture one component next to each other, and choices inside a capture
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
def test_the_first_branch_is_what_is_tried_first(name):
    """The first branch is what is tried first; parts that are captured anyway are not tried one by one."""
    before, after = CHOICES[name]
    assert branches(before) == after
    assert wrong([before], lambda expression: Alternation(tuple(branches(expression)))) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_without_a_character_remain(kind):
    """The words of the expression that do not have the character, and no others."""
    plain = automaton_of(many(Characters(frozenset("ab"))))
    for instance in KINDS[kind][::3]:
        without_c = without_characters(instance, frozenset("c"))
        expected = product_of(automaton_of(instance), plain, lambda before, after: before and after)
        assert same(automaton_of(without_c or Characters(frozenset())), expected), instance


def test_captures_go_with_the_characters_that_they_need():
    """A capture goes with the text that it needs; one that may be empty stays."""
    user = optional(Sequence((Capture("x", many(A)), C)))
    assert without_characters(Sequence((user, Y)), frozenset("c")) == Capture("y", B)
    assert without_characters(Sequence((Capture("x", many(C)), A)), frozenset("c")) == Sequence(
        (Capture("x", EMPTY), A)
    )
    assert without_characters(Alternation((C, Sequence((A, C)))), frozenset("c")) is None


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
def test_absent_components_come_first_in_the_groups(name):
    """The groups of a match are the components in order, after the first that are absent."""
    before, columns, after = ABSENT[name]
    assert with_absent(before, columns) == after
    assert wrong([before], lambda expression: with_absent(expression, columns)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_has_the_required_string(kind):
    """Every word of an expression has the string in it."""
    words = ["".join(word) for length in range(5) for word in product("abc", repeat=length)]
    for instance in KINDS[kind][::5]:
        members = filter(automaton_of(instance).accepts, words)
        assert all(required(instance) in word for word in members), instance
    assert required(Sequence((many(A), Capture("x", Sequence((B, C))), A, many(B), A))) == "bca"
    assert required(many(A, 1)) == required(AB) == ""


def test_branches_choose_between_captures():
    """One branch for each choice; an optional part with a choice is in one branch and not in another."""
    choice = Alternation((X, Y))
    assert branches(many(choice, 0, 1)) == [X, Y, EMPTY]
    assert branches(Sequence((choice, C))) == [Sequence((X, C)), Sequence((Y, C))]
    assert branches(Alternation((A, B))) == [Alternation((A, B))]
    assert len(branches(Sequence((choice, choice)))) == 4


INSTANCES = [Alternation(items) for items in product(POOL, repeat=2)]


def test_without_subsumed_keeps_the_language():
    assert wrong(INSTANCES, lambda expression: without_subsumed(NO_RULES, expression)) == []


def test_without_subsumed_leaves_captures():
    """An alternative that another one includes is removed, unless a capture would be lost."""
    small, large = many(A, 1), many(AB)
    for items in ((small, large), (large, small)):
        assert without_subsumed(NO_RULES, Alternation(items)) == large
    remaining = Alternation((Capture("x", small), large))
    assert without_subsumed(NO_RULES, remaining) == remaining
    assert without_subsumed(NO_RULES, Alternation((large, many(many(AB))))) in (
        large,
        many(many(AB)),
    )


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
def test_alternatives_that_another_one_includes_are_dropped(name):
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
def test_an_optional_tail_that_the_repetition_includes_is_dropped(name):
    """X* T? = X* where X* includes T: a pattern would try every way to share a text between the two."""
    items, expected = TAILS[name]
    assert without_subsumed(NO_RULES, Sequence(items)) == sequence(expected)


@pytest.mark.parametrize(
    ("location", "before", "after"),
    [
        ("_takes_all", "_includes(grammar, Repetition(before, 0, None), tail)", "True"),
        ("_includes", "difference(small, big).shortest_member() is None", "True"),
        ("_includes", "difference(small, big)", "difference(big, small)"),
        ("without_subsumed", "_includes(grammar, larger, item)", "_includes(grammar, item, larger)"),
        ("without_subsumed", "if narrow[-1] is not item:", "if False:"),
        ("_narrowed", "if not any(", "if any("),
        ("_narrowed", "(*before, option, *after)", "(option, *after)"),
    ],
)
def test_planted_inclusion_is_refuted(location, before, after, plant):
    plant(f"regex.rewriting.{location}", before, after)
    instances = [Alternation((Sequence((A, C)), Sequence((A, many(A))), many(AB))), *INSTANCES]
    instances += [Sequence((many(A), optional(B))), *(Alternation(parts[:2]) for parts in PARTS.values())]
    assert wrong(instances, lambda expression: without_subsumed(NO_RULES, expression))


def test_references_are_expanded_and_components_captured():
    """References go, names in either case; the outermost component is captured, inner ones on demand."""
    rules = {"r": Sequence((Reference("O"), Reference("i"))), "o": many(Reference("I")), "i": A}
    grammar = Grammar(rules, {name: name for name in rules}, dict.fromkeys(rules, "1"))
    assert expand(grammar, Reference("R"), {}) == Sequence((many(A), A))
    assert expand(grammar, Reference("r"), {"o": ("out", {})}) == Sequence((Capture("out", many(A)), A))
    inner = {"o": ("out", {"i": ("in", {})})}
    assert expand(grammar, Reference("r"), inner) == Sequence((Capture("out", many(Capture("in", A))), A))


LETTERS = Characters(frozenset("a:"))
FOLDED = [
    Sequence((A, Characters(frozenset(":")), A)),
    Sequence((many(A), Characters(frozenset(":")), many(B))),
    Alternation((Sequence((A, Characters(frozenset(":")), B)), Sequence((B, B, Characters(frozenset(":")))))),
    Sequence((Sequence((A, Characters(frozenset(":")))), A)),
    Sequence((Capture("x", many(AB, 1)), Characters(frozenset(":")), Capture("y", many(AB)))),
]


@pytest.mark.parametrize("number", range(len(FOLDED)))
def test_letters_before_the_first_colon_are_folded(number):
    """Letters before the first colon in either case, all others as they are (R-1738-03)."""
    before, after = map(automaton_of, (FOLDED[number], fold_scheme(FOLDED[number])))
    for word in ("".join(word) for length in range(5) for word in product("aAbB:", repeat=length)):
        scheme, colon, rest = word.partition(":")
        assert after.accepts(word) is before.accepts(scheme.lower() + colon + rest), word


def test_nested_sequences_and_alternations_are_flattened():
    assert sequence((A, Sequence((B, C)), EMPTY)) == Sequence((A, B, C))
    assert sequence((A,)) == A
    assert alternation((A, Alternation((Sequence((A, B)), B)), C)) == Alternation((ABC, Sequence((A, B))))
