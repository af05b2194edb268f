"""A second reader of grammar files: lark parses them by `notation.lark`, and trees become expressions.

Nothing of `urloracle.grammar.notation` takes part but the records in which both readers answer.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, v_args

from urloracle.automata.dfa import Automaton, determinize, difference, minimize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import RANGES
from urloracle.grammar.expression import Alternation, Characters, Expression, Reference, Repetition, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.grammar.notation import GrammarText, Production

#: What two readings of a rule have in common if they derive the same texts.
STRUCTURE = "same structure"
LANGUAGE = "same language"


@cache
def parser() -> Lark:
    """Return the parser of the notation; it is LALR, so that a text has one tree or none."""
    grammar = Path(__file__).with_name("notation.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=True)


def read(text: str, *, abnf: bool) -> GrammarText:
    """Return the grammar of a file; raise an error of lark if the text is no grammar."""
    return _Reading(abnf=abnf).transform(parser().parse(f"{text}\n"))


@v_args(inline=True)
class _Reading(Transformer[Token, Any]):
    """Expressions from trees; only `literal` and `repeated_brackets` ask which of the notations it is."""

    def __init__(self, *, abnf: bool) -> None:
        super().__init__()
        self.abnf = abnf
        self.name_of_section = ""
        self.found: dict[str, Any] = {"fold": set(), "core": set(), "productions": []}

    def start(self, *_: object) -> GrammarText:
        return GrammarText(
            tuple(self.found["productions"]), frozenset(self.found["fold"]), frozenset(self.found["core"])
        )

    def production(self, name: Token, expression: Expression) -> None:
        self.found["productions"].append(Production(str(name), expression, self.name_of_section))

    def section(self, line: Token) -> None:
        self.name_of_section = line.removeprefix(";!section ").strip()

    def fold_scheme(self, line: Token) -> None:
        self.found["fold"] |= {name.lower() for name in line.split()[2:]}

    def core(self, line: Token) -> None:
        self.found["core"] |= {name.lower() for name in line.split()[1:]}

    def alternation(self, *items: Expression) -> Expression:
        return items[0] if len(items) == 1 else Alternation(items)

    def concatenation(self, *items: Expression) -> Expression:
        return items[0] if len(items) == 1 else Sequence(items)

    def optional(self, item: Expression) -> Expression:
        return Repetition(item, 0, 1)

    def repeated(self, bounds: tuple[int, int | None], item: Expression) -> Expression:
        return Repetition(item, *bounds)

    def repeated_brackets(self, bounds: tuple[int, int | None], item: Expression) -> Expression:
        return Repetition(self.optional(item) if self.abnf else item, *bounds)  # G-01

    def prose_in_any_number(self, bounds: tuple[int, int | None], prose: Token) -> Expression:
        if bounds != (0, 0):
            raise ValueError(f"what is {prose}?")
        return Sequence(())

    def exactly(self, number: Token) -> tuple[int, int | None]:
        return int(number), int(number)

    def any_number(self) -> tuple[int, int | None]:
        return 0, None

    def at_least(self, low: Token) -> tuple[int, int | None]:
        return int(low), None

    def at_most(self, high: Token) -> tuple[int, int | None]:
        return 0, int(high)

    def from_to(self, low: Token, high: Token) -> tuple[int, int | None]:
        if int(high) < int(low):
            raise ValueError(f"from {low} to {high}")
        return int(low), int(high)

    def reference(self, name: Token) -> Expression:
        return Reference(str(name))

    def group(self, item: Expression) -> Expression:
        return item

    def literal(self, quoted: Token) -> Expression:
        letters = [{letter, letter.swapcase()} if self.abnf else {letter} for letter in quoted[1:-1]]
        return (
            self.concatenation(*(Characters(frozenset(letter)) for letter in letters))
            if letters
            else Sequence(())
        )

    def double_quote(self, _: Token) -> Expression:
        return Characters(frozenset('"'))

    def code(self, low: Token, high: Token | None) -> Expression:
        codes = range(int(low, 16), int(high or low, 16) + 1)
        letters = {chr(code) for code in codes[: 0x80 - codes.start]} if codes.start < 0x80 else set()
        inside = [span for span in RANGES if span.first in codes and span.last in codes]
        if not codes or len(letters) + sum(span.size for span in inside) != len(codes):
            raise ValueError(f"{low} to {high} is no range of the alphabet")
        return Characters(frozenset(letters.union(chr(span.first) for span in inside)))


def grammar(readings: list[GrammarText]) -> Grammar:
    """Return the rules of several files by folded name; those of a later file replace the earlier ones."""
    rules = {rule.name.lower(): rule for text in readings for rule in text.productions}
    return Grammar(
        {name: rule.expression for name, rule in rules.items()},
        {name: rule.name for name, rule in rules.items()},
        {name: rule.section for name, rule in rules.items()},
    )


def agreement(first: Grammar, second: Grammar, rule: str) -> str:
    """Return STRUCTURE if two readings of a rule are equal, or LANGUAGE if they derive the same texts.

    Otherwise return a shortest text that one of them derives and the other does not.
    """
    if first[rule] == second[rule]:
        return STRUCTURE
    left = _automaton(first, rule)
    right = _automaton(second, rule)
    differing = [difference(left, right).shortest_member(), difference(right, left).shortest_member()]
    return min((word for word in differing if word is not None), key=len, default=LANGUAGE)


def _automaton(rules: Grammar, rule: str) -> Automaton:
    automaton, _ = determinize(position_automaton(rules, Reference(rule)))
    return minimize(automaton)
