"""The minimal automaton of a rule as JSON, and as a graph in the language of Graphviz.

States are numbered in the order in which their shortest texts come, so that the same language always has the
same numbers. The sink is left out: a text is refused where there is no transition.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from urloracle.automata.dfa import Automaton
from urloracle.grammar.alphabet import Range, spans
from urloracle.specification import Specification


class ExportedTransition(NamedTuple):
    """A transition from one state to another by any code point in one of the ranges."""

    source: int
    target: int
    ranges: list[Range]


class ExportedAutomaton(NamedTuple):
    """The minimal automaton of a rule, without the sink. State 0 is the start."""

    spec: str
    rule: str
    section: str
    states: int
    accepting: list[int]
    transitions: list[ExportedTransition]

    def as_json(self) -> str:
        """Return the automaton as JSON with a line for each transition (docs/patterns.md has the schema)."""
        head = {
            "spec": self.spec,
            "rule": self.rule,
            "section": self.section,
            "states": self.states,
            "start": 0,
            "accepting": self.accepting,
        }
        lines = [f"{json.dumps(name)}: {json.dumps(fact)}," for name, fact in head.items()]
        rows = []
        for source, target, ranges in self.transitions:
            hexadecimal = [[f"{span.first:04X}", f"{span.last:04X}"] for span in ranges]
            rows.append(json.dumps({"from": source, "to": target, "ranges": hexadecimal}))
        transitions = ",\n".join(rows)
        body = "\n".join(lines)
        return f'{{\n{body}\n"transitions": [\n{transitions}\n]\n}}'

    def as_dot(self) -> str:
        """Return the automaton as a graph for Graphviz. States that accept have two circles."""
        title = f"{self.spec} {self.rule}"
        lines = [f"digraph {json.dumps(title)} {{", "  rankdir=LR", "  start [shape=point]", "  start -> 0"]
        for state in range(self.states):
            shape = "doublecircle" if state in self.accepting else "circle"
            lines.append(f"  {state} [shape={shape}]")
        for source, target, ranges in self.transitions:
            label = " ".join(map(_label, ranges))
            lines.append(f"  {source} -> {target} [label={_quoted(label)}]")
        return "\n".join([*lines, "}"])


def export_automaton(spec: Specification, rule: str) -> ExportedAutomaton:
    """Return the minimal automaton of a rule, by the grammar alone (profile `generic`).

    Raise UnknownRule if there is no such rule.
    """
    name = spec.grammar.canonical_name(rule)
    automaton = spec.languages[name].automaton
    numbers = {automaton.start: 0}
    transitions = []
    queue = [automaton.start]
    for state in queue:  # which grows in the loop
        for target, ranges in _targets(automaton, state):
            if target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
            transitions.append(ExportedTransition(numbers[state], numbers[target], ranges))
    accepting = sorted(numbers[state] for state in automaton.accepting)
    return ExportedAutomaton(spec.id, name, spec.grammar.section(name), len(numbers), accepting, transitions)


def _targets(automaton: Automaton, state: int) -> Iterator[tuple[int, list[Range]]]:
    """Yield the states after a state, in the order of the first code point that leads to each."""
    letters: dict[int, list[str]] = {}
    for letter in sorted(automaton.allowed(state)):
        letters.setdefault(automaton.state_after(state, letter), []).append(letter)
    for target, leading in letters.items():
        yield target, spans(leading)


def _label(span: Range) -> str:
    """Return a range of code points for people: characters of ASCII, or else U+ and hexadecimal digits."""
    ends = [chr(code) if 0x20 < code < 0x7F else f"U+{code:04X}" for code in span]
    return ends[0] if span.size == 1 else "-".join(ends)


def _quoted(label: str) -> str:
    """Return a label as a string of Graphviz, where a backslash would begin an escape."""
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
