"""Rewriting of expressions by identities of regular languages, to avoid backtracking in the matcher.

The grammars of the RFCs are written for readers: alternatives overlap, and repetitions begin with what may
follow them.  A backtracking matcher tries each of these ways in turn.  Each function here replaces an
expression by another one of the same language, such as X | X Y by X Y?, or leaves out an alternative whose
words another one derives.  Captures stay what they are: the rewritten expression gives each component the
same text.  The tests prove both for each identity, with automata.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from urloracle.automata.dfa import determinize, difference
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import only_character
from urloracle.grammar.expression import (
    EMPTY,
    NOTHING,
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    count_leaves,
    first,
    has_captures,
    optional,
    unbounded,
    walk,
)
from urloracle.grammar.grammar import Grammar

#: Maps the lower-case rule name of a component to (component name, components inside it).
ComponentRules = Mapping[str, tuple[str, "ComponentRules"]]

# two expressions that together have more leaves are not compared
_WORTH_COMPARING = 150


def expand(grammar: Grammar, expression: Expression, components: ComponentRules) -> Expression:
    """Expand all references.  The outermost occurrence of each component becomes a capture."""
    match expression:
        case Reference(name) if name.lower() in components:
            column, inside = components[name.lower()]
            return Capture(column, expand(grammar, grammar[name], inside))
        case Reference(name):
            if grammar.reachable(name).isdisjoint(components):
                return _written_out(grammar, name.lower())
            return expand(grammar, grammar[name], components)
        case Sequence(elements):
            return sequence(expand(grammar, element, components) for element in elements)
        case Alternation(elements):
            return alternation(expand(grammar, element, components) for element in elements)
        case Repetition(element, minimum, maximum):
            return Repetition(expand(grammar, element, components), minimum, maximum)
        case Capture() | Characters():
            return expression


def fold_scheme(expression: Expression) -> Expression:
    """Make the letters before the first colon case-insensitive (R-1738-03)."""
    folded, _ = _fold(expression)
    return folded


def _fold(expression: Expression) -> tuple[Expression, bool]:
    """Return (folded expression, True if the colon after the scheme is in it).

    Raise ValueError if a reference in it is not expanded.
    """
    match expression:
        case Characters(members):
            both = members | frozenset(char.upper() for char in members)
            return Characters(both), ":" in members
        case Sequence(elements):
            folded: list[Expression] = []
            for number, element in enumerate(elements):
                folded_element, has_colon = _fold(element)
                folded.append(folded_element)
                if has_colon:
                    return sequence((*folded, *elements[number + 1 :])), True
            return sequence(tuple(folded)), False
        case Alternation(elements):
            alternatives: list[Expression] = []
            every_alternative_has_colon = True
            for element in elements:
                alternative, has_colon = _fold(element)
                alternatives.append(alternative)
                every_alternative_has_colon = every_alternative_has_colon and has_colon
            return Alternation(tuple(alternatives)), every_alternative_has_colon
        case Repetition(element, minimum, maximum):
            folded_element, _ = _fold(element)
            return Repetition(folded_element, minimum, maximum), False
        case Capture(name, element):
            folded_element, has_colon = _fold(element)
            return Capture(name, folded_element), has_colon
        case Reference(name):
            raise ValueError(f"reference to {name} is not expanded")


def _written_out(grammar: Grammar, name: str) -> Expression:
    """Return the rule with all references expanded, and without captures; the grammar caches it."""
    if name not in grammar.expanded:
        grammar.expanded[name] = expand(grammar, grammar[name], {})
    return grammar.expanded[name]


def sequence(elements: Iterator[Expression] | tuple[Expression, ...]) -> Expression:
    """Return a sequence of the elements in which no element is a sequence, or a single element itself."""
    flat: list[Expression] = []
    for element in elements:
        flat += element.elements if isinstance(element, Sequence) else [element]
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def alternation(elements: Iterator[Expression] | tuple[Expression, ...]) -> Expression:
    """Return a flat alternation of the elements without duplicates, with all character sets merged."""
    flat: list[Expression] = []
    for element in elements:
        flat += element.elements if isinstance(element, Alternation) else [element]
    united = frozenset[str]().union(*(element.members for element in flat if isinstance(element, Characters)))
    distinct: list[Expression] = []
    for element in flat:
        alternative = Characters(united) if isinstance(element, Characters) else element
        if alternative not in distinct:
            distinct.append(alternative)
    return distinct[0] if len(distinct) == 1 else Alternation(tuple(distinct))


def branches(expression: Expression) -> list[Expression]:
    """Return the branches: one expression for each combination of the alternatives that contain captures."""
    match expression:
        case Alternation(elements) if has_captures(expression):
            merged = merge_captures(elements)
            return [branch for element in merged for branch in branches(element)]
        case Repetition(element, 0, 1) if _has_branches(element):
            return [*branches(element), EMPTY]
        case Sequence(elements) if any(map(_has_branches, elements)):
            return [sequence(choice) for choice in product(*map(branches, elements))]
        case Capture(name, element) if _has_branches(element):
            return [Capture(name, branch) for branch in branches(element)]
        case _:
            return [expression]


def merge_captures(elements: tuple[Expression, ...]) -> list[Expression]:
    """Return the alternatives, with neighbouring captures of the same component merged into one capture.

    A capture that contains another one is not merged.
    """
    merged: list[Expression] = []
    for element in elements:
        match merged[-1] if merged else None, element:
            case Capture(name, former), Capture(latter_name, latter) if (
                name == latter_name and not has_captures(former) and not has_captures(latter)
            ):
                either = optional(former) if latter == EMPTY else alternation((former, latter))
                merged[-1] = Capture(name, either)
            case _:
                merged.append(element)
    return merged


def _has_branches(expression: Expression) -> bool:
    """Return True if there is a choice between captures outside of repetitions, so that branches differ."""
    match expression:
        case Alternation():
            return has_captures(expression)
        case Sequence(elements):
            return any(map(_has_branches, elements))
        case Repetition(element, 0, 1) | Capture(_, element):
            return _has_branches(element)
        case _:
            return False


def without_characters(expression: Expression, absent: frozenset[str]) -> Expression | None:
    """Return an expression of the words without these characters, or None if there is no such word.

    The captures in these words stay the same.
    """
    match expression:
        case Characters(members):
            return Characters(members - absent) if members - absent else None
        case Sequence(elements):
            parts = [without_characters(element, absent) for element in elements]
            possible = tuple(part for part in parts if part is not None)
            return sequence(possible) if len(possible) == len(parts) else None
        case Alternation(elements):
            candidates = (without_characters(element, absent) for element in elements)
            remaining = tuple(element for element in candidates if element is not None)
            return alternation(remaining) if remaining else None
        case Repetition(element, minimum, maximum):
            inside = without_characters(element, absent)
            if inside is None:
                return None if minimum else EMPTY
            return Repetition(inside, minimum, maximum)
        case Capture(name, element):
            inside = without_characters(element, absent)
            return None if inside is None else Capture(name, inside)
        case Reference(name):
            raise ValueError(f"reference to {name} is not expanded")


def with_absent_columns(expression: Expression, columns: tuple[str, ...]) -> Expression:
    """Return the expression with a capture that never matches for each absent column after its first capture.

    All captures are then in the order of the columns, and only the first columns have none.  If the captures
    of the expression are in another order, or if it has none, it is returned unchanged.
    """
    present = [part.name for part in walk(expression) if isinstance(part, Capture)]
    if not present or [name for name in columns if name in present] != present:
        return expression
    absent = [name for name in columns[columns.index(present[0]) :] if name not in present]
    filled = _fill_in_absent(Sequence((expression,)), columns, absent)
    return sequence((filled, *map(_never_matching, absent)))  # the columns that are still absent come last


def _fill_in_absent(expression: Expression, columns: tuple[str, ...], absent: list[str]) -> Expression:
    """Return the expression with a capture for each absent column before a column that comes later.

    Remove the columns that got a capture from `absent`, which is in the order of the columns.
    """
    match expression:
        case Sequence(elements):
            filled: list[Expression] = []
            for element in elements:
                captured_names = (part.name for part in walk(element) if isinstance(part, Capture))
                name = next(captured_names, None)
                while name and absent and columns.index(absent[0]) < columns.index(name):
                    filled.append(_never_matching(absent.pop(0)))
                filled.append(_fill_in_absent(element, columns, absent))
            return sequence(tuple(filled))
        case Capture(name, element) if has_captures(element):
            return Capture(name, _fill_in_absent(Sequence((element,)), columns, absent))
        case _:
            return expression


def _never_matching(name: str) -> Expression:
    """Return an optional capture of a component that never matches."""
    return optional(Capture(name, Characters(NOTHING)))


def required_text(expression: Expression) -> str:
    """Return a string that every word of the expression contains; the string can be empty.

    It is the longest run of fixed characters outside of alternations and repetitions.
    """
    fixed = "".join(_fixed_characters(expression))
    return max(fixed.split("\n"), key=len)


def _fixed_characters(expression: Expression) -> Iterator[str]:
    """Yield the character of each part that has only one word, and a line break for each other part."""
    match expression:
        case Characters(members) if only_character(members) is not None:
            yield from members
        case Sequence(elements):
            for element in elements:
                yield from _fixed_characters(element)
        case Capture(_, element):
            yield from _fixed_characters(element)
        case _:
            yield "\n"


def simplify(expression: Expression) -> Expression:
    """Apply identities of regular languages, innermost parts first, until none applies."""
    current = expression
    while True:
        simpler = _simplify(current)
        if simpler == current:
            return current
        current = simpler


def _simplify(expression: Expression) -> Expression:
    """Apply the identities once to each part, innermost parts first."""
    match expression:
        case Capture(name, element):
            return Capture(name, _simplify(element))
        case Sequence(elements):
            return _sequence([_simplify(element) for element in elements])
        case Alternation(elements):
            return _factored(alternation(_simplify(element) for element in elements))
        case Repetition(element, minimum, maximum):
            return _repetition(_simplify(element), minimum, maximum)
        case _:
            return expression


def _repetition(element: Expression, minimum: int, maximum: int | None) -> Expression:
    """Return the repetition of a simplified element, or a simpler expression of the same language."""
    bounds = (minimum, maximum)
    if bounds == (1, 1):
        return element
    if maximum == 0 or element == EMPTY:
        return EMPTY
    match element:
        # (a X*)* = (a (X|a)*)?
        case Sequence((Characters() as head, Repetition(inner, 0, None))) if bounds == (0, None):
            if not has_captures(element):
                either = alternation((inner, head))
                return optional(sequence((head, Repetition(either, 0, None))))
        # (B* A+ (B+ A+)*)? = A* (B+ A+)*
        case Sequence((Repetition(before, 0, None), Repetition(ending, 1, None) as tail, rest)):
            another_run = Sequence((Repetition(before, 1, None), tail))
            if bounds == (0, 1) and rest == Repetition(another_run, 0, None):
                return Sequence((Repetition(ending, 0, None), rest))
        # (X*)* = (X?)* = X*
        case Repetition(inner, 0, bound) if maximum is None and bound in (1, None):
            return Repetition(inner, 0, None)
    return Repetition(element, minimum, maximum)


def _sequence(elements: list[Expression]) -> Expression:
    """Return the sequence of simplified elements, with neighbours joined if an identity applies to them.

    If only one element is left, return this element.
    """
    flat = sequence(tuple(elements))
    if not isinstance(flat, Sequence):
        return flat
    merged: list[Expression] = []
    for element in flat.elements:
        joined = _join(merged[-1], element) if merged else None
        if joined is None:
            merged.append(element)
        else:
            merged[-1] = joined
    return sequence(tuple(merged))


def _join(left: Expression, right: Expression) -> Expression | None:
    """Return one expression for two neighbours in a sequence, or None if no identity applies to them."""
    match left, right:
        # X* (a (X|a)*)? = (X|a)*, and with at least one X before: X (X|a)*
        case (
            Repetition(repeated, minimum, None),
            Repetition(Sequence((Characters() as head, Repetition(both, 0, None))), 0, 1),
        ) if both == alternation((repeated, head)) and not has_captures(repeated) and minimum <= 1:
            rest = Repetition(both, 0, None)
            return rest if minimum == 0 else sequence((repeated, rest))
        # A A* = A+
        case Characters(), Repetition(element, 0, None) if element == left:
            return Repetition(left, 1, None)
        # (A|B)* A = B* A+ (B+ A+)* where A and B share no character
        case Repetition(Characters(every), 0, None), Characters(last) if last < every:
            before = Characters(every - last)
            ending = Repetition(right, 1, None)
            again = Repetition(Sequence((Repetition(before, 1, None), ending)), 0, None)
            return Sequence((Repetition(before, 0, None), ending, again))
    return None


def _factored(expression: Expression) -> Expression:
    """Apply X | X Y = X Y? to neighbouring alternatives."""
    if not isinstance(expression, Alternation):
        return expression
    factored: list[Expression] = []
    for element in expression.elements:
        united = _with_optional_rest(factored[-1], element) if factored else None
        if united is None:
            factored.append(element)
        else:
            factored[-1] = united
    return factored[0] if len(factored) == 1 else Alternation(tuple(factored))


def _with_optional_rest(shorter: Expression, longer: Expression) -> Expression | None:
    """Return X Y? for the alternatives X and X Y, or None if they have another form or contain captures."""
    if has_captures(shorter) or has_captures(longer):
        return None
    head = _elements(shorter)
    elements = _elements(longer)
    if not head or elements[: len(head)] != head:
        return None
    rest = sequence(elements[len(head) :])
    return sequence((*head, optional(rest)))


def _elements(expression: Expression) -> tuple[Expression, ...]:
    """Return the elements of a sequence, or any other expression as the only element."""
    return expression.elements if isinstance(expression, Sequence) else (expression,)


def without_subsumed(grammar: Grammar, expression: Expression) -> Expression:
    """Remove each alternative whose words another one derives, and optional tails that derive nothing new.

    If an alternation contains captures, all its alternatives stay.
    """
    match expression:
        case Alternation(elements):
            reduced = [without_subsumed(grammar, element) for element in elements]
            if has_captures(expression):
                return Alternation(tuple(reduced))
            non_optional = [_without_option(element) for element in reduced]
            remaining = _without_subsumed_alternatives(grammar, non_optional)
            return remaining if non_optional == reduced else optional(remaining)  # X? | Y = (X | Y)?
        case Sequence(elements):
            return sequence(tuple(_without_tails(grammar, elements)))
        case Repetition(element, minimum, maximum):
            return Repetition(without_subsumed(grammar, element), minimum, maximum)
        case Capture(name, element):
            return Capture(name, without_subsumed(grammar, element))
        case _:
            return expression


def _without_subsumed_alternatives(grammar: Grammar, elements: list[Expression]) -> Expression:
    """Return the alternation of the elements without those whose words another element derives.

    Of two elements with the same words, the latter stays.
    """
    large = [element for element in elements if unbounded(element)]  # only these can derive so much
    remaining = []
    for element in elements:
        other_large = [larger for larger in large if larger is not element]
        if any(_includes(grammar, larger, element) for larger in other_large):
            large = other_large
            continue
        narrow = _narrowed(grammar, element, other_large)
        remaining.append(narrow)
        if narrow is not element:  # it no longer derives what another one derives
            large = other_large
    return remaining[0] if len(remaining) == 1 else Alternation(tuple(remaining))


def _narrowed(grammar: Grammar, element: Expression, large: list[Expression]) -> Expression:
    """Remove alternatives inside a sequence if each word that it has by them is derived by one of `large`.

    Of a server, for example, only the IPv6 address is left, if a registered name derives the other hosts.
    Only the first alternation that becomes smaller is changed.  If there is none, return the element itself.
    """
    if not isinstance(element, Sequence) or not large:
        return element
    for number, part in enumerate(element.elements):
        if not isinstance(part, Alternation):
            continue
        before = element.elements[:number]
        after = element.elements[number + 1 :]
        options = []
        for option in part.elements:
            with_option = Sequence((*before, option, *after))
            if not any(_includes(grammar, larger, with_option) for larger in large):
                options.append(option)
        if 0 < len(options) < len(part.elements):
            narrow = options[0] if len(options) == 1 else Alternation(tuple(options))
            return sequence((*before, narrow, *after))
    return element


def _without_tails(grammar: Grammar, elements: tuple[Expression, ...]) -> Iterator[Expression]:
    """Remove T? after X* if X* derives everything that T derives.

    If X* is captured, it captures the same text as before, because it is greedy.
    """
    before: Expression = EMPTY
    for element in elements:
        reduced = without_subsumed(grammar, element)
        tail = _without_option(reduced)
        if tail is not reduced and not has_captures(tail) and _takes_all(grammar, before, tail):
            continue
        yield reduced
        before = reduced


def _takes_all(grammar: Grammar, before: Expression, tail: Expression) -> bool:
    """Return True if an unbounded repetition derives everything that the tail after it derives."""
    match before:
        case Capture(_, element):
            return _takes_all(grammar, element, tail)
        case Repetition(_, 0 | 1, None):
            return _includes(grammar, Repetition(before, 0, None), tail)
        case _:
            return False


def _without_option(expression: Expression) -> Expression:
    """Return `X` for an option `[X]`, and any other expression unchanged."""
    match expression:
        case Repetition(element, 0, 1):
            return element
        case _:
            return expression


def _includes(grammar: Grammar, larger: Expression, smaller: Expression) -> bool:
    """Return True if the larger expression derives all words of the smaller one.

    If together they are too large to compare, return False.
    """
    begins_alike = first(smaller, NOTHING) <= first(larger, NOTHING)
    if not begins_alike or count_leaves(smaller) + count_leaves(larger) > _WORTH_COMPARING:
        return False
    big, _ = determinize(position_automaton(grammar, larger))
    small, _ = determinize(position_automaton(grammar, smaller))
    member = small.shortest_member()
    if member is None or not big.accepts(member):
        return False
    return difference(small, big).shortest_member() is None
