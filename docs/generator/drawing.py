"""The drawing of the pipeline: one text from the grammar file to the message and the proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

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
    text,
)
from generator.tree import tree
from urloracle.automata.dfa import Automaton, determinize
from urloracle.automata.positions import Position, position_automaton
from urloracle.errors import InvalidURL, describe
from urloracle.grammar.expression import Reference, references
from urloracle.language import Language
from urloracle.rfcs import RFC1738

TEXT = "http://user@host/"
RULE = "httpurl"
_TOP, _GAP = 78, 24
_PROOF = "the pattern, as parsed by `re` itself, accepts exactly the texts that automaton 5 accepts"
_EDGE = PANEL_X + PANEL - 20


@dataclass(frozen=True)
class Facts:
    """The facts shown in the drawing, computed by the oracle."""

    rules: int
    reachable: tuple[str, ...]
    groups: dict[str, str]
    positions: tuple[Position, ...]
    subsets: int
    size: Size
    automaton: Automaton
    walk: tuple[int, ...]
    problem: InvalidURL
    pattern: str


def computed_facts() -> Facts:
    """Compute the facts about the text."""
    grammar, language = RFC1738.grammar, Language(RFC1738.grammar, RULE)
    problem = RFC1738.problem(TEXT)
    assert problem is not None  # the rule has no place for a user name
    positions = position_automaton(grammar, Reference(RULE))
    subsets, _ = determinize(positions, fold_scheme=True)
    automaton = language.automaton
    prefixes = (TEXT[:length] for length in range(problem.position + 1))
    colours = (f"g{number}" for number in range(4))
    return Facts(
        rules=len(list(grammar)),
        reachable=_reachable(),
        groups={name: next(colours) for name in dict.fromkeys(map(_group, positions.positions))},
        positions=positions.positions,
        subsets=len(subsets.table) - 1,
        size=size(automaton),
        automaton=automaton,
        walk=tuple(automaton.longest_viable_prefix(prefix).state for prefix in prefixes),
        problem=problem,
        pattern=language.pattern.regex.pattern,
    )


def _reachable() -> tuple[str, ...]:
    """Return the rule and those that it refers to, from the outside in."""
    grammar, rules = RFC1738.grammar, [RULE]
    for rule in rules:
        inside = dict.fromkeys(map(grammar.canonical_name, references(grammar[rule])))
        rules += [name for name in inside if name not in rules]
    return tuple(rules)


def _group(position: Position) -> str:
    """Return the rule of a position: the rule itself, or the one directly inside it."""
    return position.stack[min(1, len(position.stack) - 1)]


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
    stages = (_file, _notation, _grammar, _positions, _automaton, _verdict, _pattern)
    for number, draw in enumerate(stages, 1):
        height, name, explanation, figure, inside = draw(facts, y)
        if number > 1:
            body.append(arrow(STAGE_X + STAGE / 2, y - _GAP + 2, STAGE_X + STAGE / 2, y - 3))
        body += [*panel(y, height), *stage(y, height, number, name, explanation, figure), *inside]
        y += height + _GAP
    title = f"The pipeline of a verdict on {TEXT}"
    description = (
        "Grammar file, notation, grammar, positions, automaton, verdict; then the pattern of the same rule, "
        "whose language the build proves equal to that of the automaton."
    )
    return document(y + 8, title, description, body)


_Drawn = tuple[int, str, tuple[str, ...], str, list[str]]


def _file(facts: Facts, y: int) -> _Drawn:
    by_name = {production.name: production for production in productions("rfc1738.bnf")}
    inside = []
    for row, name in enumerate((RULE, "hostport", "host")):
        line_y = y + 33 + 23 * row
        inside.append(mono(INDENT, line_y, by_name[name].text, 13.5))
        inside.append(text(_EDGE, line_y, f"section {by_name[name].section}", 12, "f-soft", "end"))
    return (
        100,
        "grammar file",
        ("the RFC's own productions",),
        f"rfc1738.bnf · {facts.rules} rules",
        inside,
    )


def _notation(_: Facts, y: int) -> _Drawn:
    width, draw = tree(RFC1738.grammar[RULE])
    inside = draw(INDENT, y + 52)
    inside.append(text(INDENT + width + 16, y + 57, "dashed: optional", 12, "f-soft"))
    return 104, "notation", ("reads RFC 822's notation", "and ABNF"), "expressions", inside


def _grammar(facts: Facts, y: int) -> _Drawn:
    colours = {}
    for group, colour in list(facts.groups.items())[1:]:
        for rule in RFC1738.grammar.reachable(group):
            colours[rule] = "soft" if rule in colours else colour  # shared by several parts
    named = [(rule, colours.get(rule.lower(), "g0")) for rule in facts.reachable]
    figure = f"{len(named)} rules make up {RULE}"
    explanation = ("rules as data, by name;", "an overlay changes some")
    return 122, "grammar", explanation, figure, chips(INDENT, y + 20, _EDGE, named)


def _positions(facts: Facts, y: int) -> _Drawn:
    step = (_EDGE - INDENT) / len(facts.positions)
    colours = [facts.groups[_group(position)] for position in facts.positions]
    labels = [min(p.members) if len(p.members) == 1 else "" for p in facts.positions]
    inside = squares(INDENT, y + 24, colours, labels, step)
    label_x = float(INDENT)
    for group, colour in facts.groups.items():
        number = sum(_group(position) == group for position in facts.positions)
        title = f"{number} in {group}" if group != RULE else f"{number} of {group} itself"
        inside += [
            box(label_x, y + 66, 10, 10, f"f-{colour}", 2),
            text(label_x + 16, y + 75.5, title, 12.5, "f-soft"),
        ]
        label_x += 6.2 * len(title) + 46
    inside.append(text(_EDGE, y + 75.5, "blank: a set of characters", 12.5, "f-soft", "end"))
    explanation = ("no rule is recursive, so each", "expands to characters")
    return 104, "positions", explanation, f"{len(facts.positions)} positions", inside


def _automaton(facts: Facts, y: int) -> _Drawn:
    inside = list(_walk(facts, INDENT + 14, y + 74))
    explanation = (
        f"{facts.subsets} sets of positions are",
        "its states; equal ones are",
        f"merged: {facts.size.states} remain",
        "",
        "characters treated alike",
        "form one class",
    )
    figure = f"{facts.size.classes} classes, {facts.size.transitions} edges"
    return 212, "automaton", explanation, figure, inside


def _walk(facts: Facts, x: float, y: float) -> Iterator[str]:
    """Draw the states that the text passes, and all transitions of the last state."""
    step, radius = 66, 15
    runs = [(state, len(list(run))) for state, run in groupby(facts.walk)]
    offset = 0
    for number, (state, times) in enumerate(runs):
        state_x = x + step * number
        last = number == len(runs) - 1
        yield circle(state_x, y, radius, "s-good" if last else "s-g0", 2)
        if state in facts.automaton.accepting:
            yield circle(state_x, y, radius - 3.5, "s-good", 1.2)
        yield text(state_x, y + 4.5, str(state), 12.5, "f-ink bold", "middle")
        if times > 1:
            loop = TEXT[offset : offset + times - 1]
            sides = f"{state_x - 26:g} {y - 48:g} {state_x + 26:g} {y - 48:g}"
            yield curve(f"M{state_x - 8:g} {y - 14:g} C{sides} {state_x + 8:g} {y - 14:g}", "s-good")
            yield mono(state_x, y - 45, " ".join(loop), 13.5, "f-good bold", "middle")
        offset += times
        if not last:
            yield arrow(state_x + radius + 3, y, state_x + step - radius - 3, y, "g0")
            yield mono(state_x + step / 2, y - 9, TEXT[offset - 1], 14, "f-ink bold", "middle")
    yield from _leaving(facts, x + step * (len(runs) - 1), y, radius)


def _leaving(facts: Facts, state_x: float, y: float, radius: float) -> Iterator[str]:
    """Draw what the last state allows, and the character that it does not allow."""
    state = facts.walk[-1]
    wrong = TEXT[facts.problem.position]
    row = facts.automaton.table[state]
    yield arrow(state_x + radius + 3, y, state_x + 78, y, "bad", ' stroke-dasharray="5 5"')
    yield mono(state_x + 45, y - 9, wrong, 14, "f-bad bold", "middle")
    yield curve(f"M{state_x + 86:g} {y - 7:g} l14 14 m0 -14 l-14 14", "s-bad", 3)
    yield text(state_x + 93, y + 27, "no valid text", 12, "f-bad", "middle")
    yield text(state_x + 93, y + 42, "continues so", 12, "f-bad", "middle")
    others = [char for char in "-./:" if row[facts.automaton.classes[char]] not in (0, state)]
    for number, char in enumerate(others):
        from_x, to_x, to_y = state_x - 6 + 4 * number, state_x - 111 + 74 * number, y + 100
        yield curve(f"M{from_x:g} {y + radius + 2:g} L{to_x:g} {to_y - 18:g}", "s-soft", 1.2)
        yield circle(to_x, to_y, 15, "s-soft", 1.4)
        following = str(row[facts.automaton.classes[char]])
        yield text(to_x, to_y + 4.5, following, 12.5, "f-soft", "middle")
        side = -11 if number < 2 else 11
        yield mono((from_x + 2 * to_x) / 3 + side, to_y - 38, char, 15, "f-ink bold", "middle")
    yield text(INDENT, y + 70, "In state " + str(state) + " a valid text may continue", 12.5, "f-soft")
    yield text(INDENT, y + 88, "with a letter or digit, or with one of these,", 12.5, "f-soft")
    yield text(INDENT, y + 106, "or end (a double ring accepts).", 12.5, "f-soft")


def _verdict(facts: Facts, y: int) -> _Drawn:
    problem = facts.problem
    lines = str(problem).splitlines()
    head, _, tail = lines[0].partition("; ")
    listed_rules = [*problem.rules[:7], f"and {len(problem.rules) - 7} more"]
    inside = [
        mono(INDENT, y + 33, f"{head};", 13.5, "f-bad bold"),
        mono(INDENT, y + 53, tail, 13.5, "f-bad"),
        mono(INDENT + 10, y + 80, lines[1], 13.5),
        mono(INDENT + 10, y + 96, lines[2], 13.5, "f-bad bold"),
        text(INDENT, y + 122, "rules", 12.5, "f-soft"),
        *chips(INDENT + 76, y + 108, _EDGE, [(rule, "soft") for rule in listed_rules]),
    ]
    explanation = ("the offset, the characters", "expected there, their rules,", "and the section of the RFC")
    figure = f"offset {problem.position} · section {problem.section}"
    assert describe(problem.expected) in tail
    return 144, "verdict", explanation, figure, inside


def _pattern(facts: Facts, y: int) -> _Drawn:
    source = facts.pattern
    rows = [source[start : start + 84] for start in range(0, 168, 84)]
    inside = [mono(INDENT, y + 32 + 19 * row, line, 13) for row, line in enumerate(rows)]
    inside.append(mono(INDENT + 84 * 7.85, y + 51, "…", 13, "f-soft"))
    inside += [
        box(INDENT, y + 66, PANEL - 40, 50, "s-good", 8, ' stroke-width="1.5"'),
        text(INDENT + 16, y + 87, "proved for every rule of every RFC", 13, "f-good bold"),
        text(INDENT + 16, y + 105, _PROOF, 12.5, "f-ink"),
    ]
    explanation = ("the same rule as a regular", "expression that never", "backtracks, with components")
    return 132, "pattern, proof", explanation, f"{len(source)} characters", inside
