"""The drawing of the pipeline: one text from the grammar file to the message and the proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from generator.productions import productions
from generator.sizes import Size, size
from generator.svg import (
    INDENT,
    PANEL,
    PANEL_X,
    STAGE,
    STAGE_X,
    arrow,
    box,
    chips,
    circle,
    curve,
    document,
    mono,
    panel,
    squares,
    stage,
    straight,
    text,
)
from generator.tree import tree
from urloracle.automata.dfa import SINK, Automaton, determinize
from urloracle.automata.positions import Position, position_automaton
from urloracle.errors import InvalidURL, describe
from urloracle.grammar.expression import Reference, references
from urloracle.language import Language
from urloracle.rfcs import RFC1738

TEXT = "http://user@host/"
RULE = "httpurl"
_TOP = 78
_GAP = 24
_PROOF = "the pattern, as parsed by `re` itself, accepts exactly the texts that automaton 5 accepts"
#: The right edge of the content of a panel.
_EDGE = PANEL_X + PANEL - 20
#: The distance of two states, and the radius of a state.
_STEP = 66
_RADIUS = 15
#: The rules of the error that are shown, and the number of characters in a line of the pattern.
_RULES_SHOWN = 7
_LINE = 84


@dataclass(frozen=True)
class Facts:
    """The facts shown in the drawing, computed by the oracle.

    - `rules`: the number of rules in the grammar
    - `reachable`: the rule and those that it refers to, from the outside in
    - `colours`: maps each group of positions, which is a rule, to its colour
    - `subsets`: the number of sets of positions
    - `size`: the size of the minimal `automaton`
    - `walk`: the state after each valid prefix of the text, the empty one included
    - `problem`: the error in the text
    - `pattern`: the `re` pattern of the rule
    """

    rules: int
    reachable: tuple[str, ...]
    colours: dict[str, str]
    positions: tuple[Position, ...]
    subsets: int
    size: Size
    automaton: Automaton
    walk: tuple[int, ...]
    problem: InvalidURL
    pattern: str


def computed_facts() -> Facts:
    """Compute the facts about the text."""
    grammar = RFC1738.grammar
    language = Language(grammar, RULE)
    problem = RFC1738.problem(TEXT)
    assert problem is not None  # the rule has no place for a user name
    positions = position_automaton(grammar, Reference(RULE))
    subset_automaton, _ = determinize(positions, fold_scheme=True)
    automaton = language.automaton
    prefixes = [TEXT[:length] for length in range(problem.position + 1)]
    groups = dict.fromkeys(map(_group, positions.positions))
    return Facts(
        rules=len(list(grammar)),
        reachable=_reachable(),
        colours={group: f"g{number}" for number, group in enumerate(groups)},
        positions=positions.positions,
        subsets=len(subset_automaton.table) - 1,
        size=size(automaton),
        automaton=automaton,
        walk=tuple(automaton.longest_viable_prefix(prefix).state for prefix in prefixes),
        problem=problem,
        pattern=language.pattern.regex.pattern,
    )


def _reachable() -> tuple[str, ...]:
    """Return the rule and those that it refers to, from the outside in."""
    grammar = RFC1738.grammar
    reached = [RULE]
    for rule in reached:  # which grows in the loop
        for reference in references(grammar[rule]):
            name = grammar.canonical_name(reference)
            if name not in reached:
                reached.append(name)
    return tuple(reached)


def _group(position: Position) -> str:
    """Return the rule of a position: the rule itself, or the one directly inside it."""
    return position.stack[min(1, len(position.stack) - 1)]


class _Stage(NamedTuple):
    """A stage of the pipeline: the words in its box, and the parts of its panel."""

    height: int
    name: str
    explanation: tuple[str, ...]
    figure: str
    parts: list[str]


def drawing() -> str:
    """Return the drawing as SVG."""
    facts = computed_facts()
    body = [
        text(STAGE_X, 42, "How a verdict is made", 22, "f-ink bold"),
        text(STAGE_X + 292, 42, "of", 14, "f-soft"),
        mono(STAGE_X + 318, 42, TEXT, 16, "f-ink bold"),
        text(STAGE_X + 496, 42, "under RFC 1738", 14, "f-soft"),
    ]
    y = _TOP
    middle = STAGE_X + STAGE / 2
    for number, draw_stage in enumerate(_STAGES, 1):
        drawn = draw_stage(facts, y)
        if number > 1:
            body.append(arrow(middle, y - _GAP + 2, middle, y - 3))
        body += panel(y, drawn.height)
        body += stage(y, drawn.height, number, drawn.name, drawn.explanation, drawn.figure)
        body += drawn.parts
        y += drawn.height + _GAP
    title = f"The pipeline of a verdict on {TEXT}"
    description = (
        "Grammar file, notation, grammar, positions, automaton, verdict; then the pattern of the same rule, "
        "whose language the build proves equal to that of the automaton."
    )
    return document(y + 8, title, description, body)


def _file_stage(facts: Facts, y: int) -> _Stage:
    by_name = {production.name: production for production in productions("rfc1738.bnf")}
    parts = []
    for row, name in enumerate((RULE, "hostport", "host")):
        production = by_name[name]
        line_y = y + 33 + 23 * row
        parts.append(mono(INDENT, line_y, production.text, 13.5))
        parts.append(text(_EDGE, line_y, f"section {production.section}", 12, "f-soft", "end"))
    explanation = ("the RFC's own productions",)
    return _Stage(100, "grammar file", explanation, f"rfc1738.bnf · {facts.rules} rules", parts)


def _notation_stage(_: Facts, y: int) -> _Stage:
    width, draw = tree(RFC1738.grammar[RULE])
    parts = draw(INDENT, y + 52)
    parts.append(text(INDENT + width + 16, y + 57, "dashed: optional", 12, "f-soft"))
    explanation = ("reads RFC 822's notation", "and ABNF")
    return _Stage(104, "notation", explanation, "expressions", parts)


def _grammar_stage(facts: Facts, y: int) -> _Stage:
    colours: dict[str, str] = {}  # by the lower-case name of a rule inside a group
    for group, colour in facts.colours.items():
        if group == RULE:
            continue
        for rule in RFC1738.grammar.reachable(group):
            colours[rule] = "soft" if rule in colours else colour  # shared by several groups
    named = [(rule, colours.get(rule.lower(), "g0")) for rule in facts.reachable]
    explanation = ("rules as data, by name;", "an overlay changes some")
    figure = f"{len(named)} rules make up {RULE}"
    return _Stage(122, "grammar", explanation, figure, chips(INDENT, y + 20, _EDGE, named))


def _positions_stage(facts: Facts, y: int) -> _Stage:
    colours = []
    labels = []
    for position in facts.positions:
        colours.append(facts.colours[_group(position)])
        labels.append(min(position.members) if len(position.members) == 1 else "")
    step = (_EDGE - INDENT) / len(facts.positions)
    parts = squares(INDENT, y + 24, colours, labels, step)
    numbers = Counter(map(_group, facts.positions))
    label_x = float(INDENT)
    for group, colour in facts.colours.items():
        title = f"{numbers[group]} in {group}"
        if group == RULE:
            title = f"{numbers[group]} of {group} itself"
        parts.append(box(label_x, y + 66, 10, 10, f"f-{colour}", 2))
        parts.append(text(label_x + 16, y + 75.5, title, 12.5, "f-soft"))
        label_x += 6.2 * len(title) + 46
    parts.append(text(_EDGE, y + 75.5, "blank: a set of characters", 12.5, "f-soft", "end"))
    explanation = ("no rule is recursive, so each", "expands to characters")
    return _Stage(104, "positions", explanation, f"{len(facts.positions)} positions", parts)


def _automaton_stage(facts: Facts, y: int) -> _Stage:
    explanation = (
        f"{facts.subsets} sets of positions are",
        "its states; equal ones are",
        f"merged: {facts.size.states} remain",
        "",
        "characters treated alike",
        "form one class",
    )
    figure = f"{facts.size.classes} classes, {facts.size.transitions} edges"
    return _Stage(212, "automaton", explanation, figure, list(_draw_walk(facts, INDENT + 14, y + 74)))


def _draw_walk(facts: Facts, x: float, y: float) -> Iterator[str]:
    """Draw the states that the text passes, and all transitions of the last state."""
    runs = [(state, len(list(run))) for state, run in groupby(facts.walk)]
    state_x = x
    offset = 0  # of the text after the characters that lead to the state
    for number, (state, times) in enumerate(runs):
        is_last = number == len(runs) - 1
        yield circle(state_x, y, _RADIUS, "s-good" if is_last else "s-g0", 2)
        if state in facts.automaton.accepting:
            yield circle(state_x, y, _RADIUS - 3.5, "s-good", 1.2)
        yield text(state_x, y + 4.5, str(state), 12.5, "f-ink bold", "middle")
        if times > 1:
            yield from _draw_loop(state_x, y, TEXT[offset : offset + times - 1])
        if is_last:
            yield from _draw_exits(facts, state_x, y)
            return
        offset += times
        next_x = state_x + _STEP
        yield arrow(state_x + _RADIUS + 3, y, next_x - _RADIUS - 3, y, "g0")
        yield mono(state_x + _STEP / 2, y - 9, TEXT[offset - 1], 14, "f-ink bold", "middle")
        state_x = next_x


def _draw_loop(state_x: float, y: float, characters: str) -> Iterator[str]:
    """Draw a transition from a state to itself, with the characters that use it."""
    begin = f"{state_x - 8:g} {y - 14:g}"
    end = f"{state_x + 8:g} {y - 14:g}"
    sides = f"{state_x - 26:g} {y - 48:g} {state_x + 26:g} {y - 48:g}"
    yield curve(f"M{begin} C{sides} {end}", "s-good")
    yield mono(state_x, y - 45, " ".join(characters), 13.5, "f-good bold", "middle")


def _draw_exits(facts: Facts, state_x: float, y: float) -> Iterator[str]:
    """Draw what the last state allows, and the character that it does not allow."""
    yield from _draw_wrong_character(TEXT[facts.problem.position], state_x, y)
    state = facts.walk[-1]
    row = facts.automaton.table[state]
    targets = {char: row[facts.automaton.classes[char]] for char in "-./:"}
    leaving = {char: target for char, target in targets.items() if target not in (SINK, state)}
    target_y = y + 100
    for number, (char, target) in enumerate(leaving.items()):
        from_x = state_x - 6 + 4 * number
        target_x = state_x - 111 + 74 * number
        side = -11 if number < 2 else 11  # the side of the line on which the character stands
        char_x = (from_x + 2 * target_x) / 3 + side
        yield curve(straight((from_x, y + _RADIUS + 2), (target_x, target_y - 18)), "s-soft", 1.2)
        yield circle(target_x, target_y, 15, "s-soft", 1.4)
        yield text(target_x, target_y + 4.5, str(target), 12.5, "f-soft", "middle")
        yield mono(char_x, target_y - 38, char, 15, "f-ink bold", "middle")
    yield text(INDENT, y + 70, f"In state {state} a valid text may continue", 12.5, "f-soft")
    yield text(INDENT, y + 88, "with a letter or digit, or with one of these,", 12.5, "f-soft")
    yield text(INDENT, y + 106, "or end (a double ring accepts).", 12.5, "f-soft")


def _draw_wrong_character(wrong: str, state_x: float, y: float) -> Iterator[str]:
    """Draw a dashed transition from the last state to a cross."""
    yield arrow(state_x + _RADIUS + 3, y, state_x + 78, y, "bad", ' stroke-dasharray="5 5"')
    yield mono(state_x + 45, y - 9, wrong, 14, "f-bad bold", "middle")
    yield curve(f"M{state_x + 86:g} {y - 7:g} l14 14 m0 -14 l-14 14", "s-bad", 3)
    yield text(state_x + 93, y + 27, "no valid text", 12, "f-bad", "middle")
    yield text(state_x + 93, y + 42, "continues so", 12, "f-bad", "middle")


def _verdict_stage(facts: Facts, y: int) -> _Stage:
    problem = facts.problem
    message, excerpt, caret = str(problem).splitlines()
    head, _, tail = message.partition("; ")
    assert describe(problem.expected) in tail
    listed_rules = [*problem.rules[:_RULES_SHOWN], f"and {len(problem.rules) - _RULES_SHOWN} more"]
    parts = [
        mono(INDENT, y + 33, f"{head};", 13.5, "f-bad bold"),
        mono(INDENT, y + 53, tail, 13.5, "f-bad"),
        mono(INDENT + 10, y + 80, excerpt, 13.5),
        mono(INDENT + 10, y + 96, caret, 13.5, "f-bad bold"),
        text(INDENT, y + 122, "rules", 12.5, "f-soft"),
        *chips(INDENT + 76, y + 108, _EDGE, [(rule, "soft") for rule in listed_rules]),
    ]
    explanation = ("the offset, the characters", "expected there, their rules,", "and the section of the RFC")
    figure = f"offset {problem.position} · section {problem.section}"
    return _Stage(144, "verdict", explanation, figure, parts)


def _pattern_stage(facts: Facts, y: int) -> _Stage:
    source = facts.pattern
    parts = [
        mono(INDENT, y + 32, source[:_LINE], 13),
        mono(INDENT, y + 51, source[_LINE : 2 * _LINE], 13),
        mono(INDENT + _LINE * 7.85, y + 51, "…", 13, "f-soft"),
        box(INDENT, y + 66, PANEL - 40, 50, "s-good", 8, ' stroke-width="1.5"'),
        text(INDENT + 16, y + 87, "proved for every rule of every RFC", 13, "f-good bold"),
        text(INDENT + 16, y + 105, _PROOF, 12.5, "f-ink"),
    ]
    explanation = ("the same rule as a regular", "expression that never", "backtracks, with components")
    return _Stage(132, "pattern, proof", explanation, f"{len(source)} characters", parts)


_STAGES: tuple[Callable[[Facts, int], _Stage], ...] = (
    _file_stage,
    _notation_stage,
    _grammar_stage,
    _positions_stage,
    _automaton_stage,
    _verdict_stage,
    _pattern_stage,
)
