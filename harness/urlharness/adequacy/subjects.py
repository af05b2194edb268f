"""What is mutated: the rule of a whole URL, of each specification and scheme, with the rules it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from urlharness.adequacy.compiling import Changes, Compiler
from urlharness.adequacy.operators import mutations
from urloracle.automaton import Automaton
from urloracle.expression import Expression, Reference, references
from urloracle.grammar import Grammar
from urloracle.notation import RFC822, read
from urloracle.specification import Specification
from urloracle.specifications import SPECIFICATIONS, specification
from urloracle.splitting import SPLITTINGS

#: Rules of whole texts beside the subject, of which vectors ask as well.
_KIN: dict[tuple[str, str], tuple[str, ...]] = {
    ("rfc1738", "waisurl"): ("waisdatabase", "waisindex", "waisdoc"),
    ("rfc1808", "URL"): ("absoluteURL", "generic-RL", "relativeURL"),
    ("rfc2396", "URI-reference"): ("absoluteURI", "relativeURI"),
    ("rfc2732", "URI-reference"): ("absoluteURI", "relativeURI"),
    ("rfc3986", "URI-reference"): ("URI", "absolute-URI", "relative-ref"),
}


#: What is changed, and how: the folded name of the rule, the operator, the right-hand side.
Change = tuple[str, str, Expression]


class Mutant(NamedTuple):
    """A grammar with one production changed: the folded name of its rule, the operator, the right-hand side.

    `character` is the one that a class has more or less, empty for other mutants.
    """

    rule: str
    operator: str
    expression: Expression
    character: str = ""

    @property
    def change(self) -> Change:
        """The same for every subject that rests on the rule."""
        return self.rule, self.operator, self.expression

    @property
    def changes(self) -> Changes:
        """The change as the compiler takes it."""
        return {self.rule: self.expression}


@dataclass(frozen=True, eq=False)
class Subject:
    """A rule under analysis.

    `laid_over`: the grammar is that of the split tables, in which rules say what the rulings decide, and only
    those rules are mutated; else it is the grammar as printed, and all are that the subject rests on.
    """

    spec: Specification
    rule: str
    laid_over: bool = False

    @property
    def key(self) -> tuple[str, str, bool]:
        """What names the subject."""
        return self.spec.id, self.rule, self.laid_over

    @property
    def kin(self) -> tuple[str, ...]:
        """The further rules of whole texts."""
        return () if self.laid_over else _KIN.get((self.spec.id, self.rule), ())

    @cached_property
    def overlay(self) -> frozenset[str]:
        """The folded names of the rules that the split grammar lays over the printed ones."""
        text = read(SPLITTINGS[self.spec.id].overlay, RFC822)
        return frozenset(production.name.lower() for production in text.productions)

    @cached_property
    def grammar(self) -> Grammar:
        """The grammar that is mutated."""
        text = SPLITTINGS[self.spec.id].overlay
        return self.spec.grammar.overlay(read(text, RFC822)) if self.laid_over else self.spec.grammar

    @cached_property
    def compiler(self) -> Compiler:
        """The compiler of the grammar."""
        return Compiler(self.grammar)

    @cached_property
    def automaton(self) -> Automaton:
        """The true minimal automaton."""
        return self.compiler.minimal(self.rule)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Every first-order mutant: those of small rules first."""
        rules = self.grammar.reachable(self.rule)
        if self.laid_over:
            rules &= self.overlay
        found = [mutant for name in sorted(rules) for mutant in self._of_rule(name)]
        return tuple(sorted(found, key=lambda mutant: len(self.grammar.reachable(mutant.rule))))

    def _of_rule(self, name: str) -> Iterator[Mutant]:
        def kin(other: str) -> list[str]:
            return self._kind_of(other, name)

        for operator, expression, char in mutations(self.grammar[name], self.grammar.character_class, kin):
            yield Mutant(name, operator, expression, char)

    def _kind_of(self, name: str, inside: str) -> list[str]:
        """The other rules of the kind of a rule that may stand in its place inside another one."""
        grammar, name = self.grammar, name.lower()
        single = grammar.character_class(Reference(name)) is not None
        found = []
        for other in sorted(grammar.reachable(self.rule)):
            same = single == (grammar.character_class(Reference(other)) is not None)
            alike = single or type(grammar[other]) is type(grammar[name])
            if other != name and same and alike and inside not in grammar.reachable(other):
                found.append(other)
        return found

    def pairs(self, count: int, seed: int, among: Sequence[int] | None = None) -> list[tuple[Mutant, Mutant]]:
        """Second-order mutants: `count` pairs of mutants of two rules; the same seed gives the same pairs.

        `among` are the numbers of the mutants to draw from, all by default.
        """
        random = Random(f"{seed} {self.key}")  # noqa: S311 - samples are no secret
        mutants = self.mutants if among is None else [self.mutants[number] for number in among]
        found: list[tuple[Mutant, Mutant]] = []
        if len({mutant.rule for mutant in mutants}) < 2:
            return found
        while len(found) < count:
            one, other = random.choice(mutants), random.choice(mutants)
            if one.rule != other.rule and not self._recursive(one, other):
                found.append((one, other))
        return found

    def _recursive(self, one: Mutant, other: Mutant) -> bool:
        """True where each puts a rule in that rests on the other's: no grammar of ours is recursive."""
        return self._leads_to(one, other.rule) and self._leads_to(other, one.rule)

    def _leads_to(self, mutant: Mutant, rule: str) -> bool:
        return any(rule in self.grammar.reachable(name) for name in references(mutant.expression))


def subjects(spec: str) -> list[Subject]:
    """The subjects of a specification: each rule as printed, then as the split tables lay over it."""
    chosen = specification(spec)
    splitting = SPLITTINGS[spec]
    found = [Subject(chosen, rule, laid) for rule in splitting.components for laid in (False, True)]
    return [subject for subject in found if not subject.laid_over or subject.mutants]


SPECS = tuple(SPECIFICATIONS)
