"""One subject with every suite at hand: a mutant is put on it, and who notices is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from urlharness.adequacy.comparing import shortest_binding_difference, shortest_difference
from urlharness.adequacy.compiling import Changes
from urlharness.adequacy.splits import canonical, split_difference, verdicts
from urlharness.adequacy.subjects import Subject
from urlharness.adequacy.suites import Suite
from urlharness.adequacy.texts import Asked
from urlharness.adequacy.tiers import generated
from urlharness.generate.labels import Labeller
from urlharness.generate.readings import readings
from urlharness.generate.tiers import Tier
from urloracle.automaton import Automaton
from urloracle.grammar import Grammar
from urloracle.notation import GrammarText
from urloracle.pattern import read_components
from urloracle.splitting import SPLITTINGS, split_expression
from urloracle.transducer import SplitTable, split_table, table_of


class Finding(NamedTuple):
    """What became of a mutant.

    `witness` is a shortest text on which it differs, None where it is equivalent; `components`: its language
    is the true one and some split is not.  `undecided`: its language is the true one and its splits cannot be
    made.  `open`: some ruling leaves open all that it changes; of components, what a shortest text shows.
    `noticed` names the suites that notice, `offset` is true where the core would by an offset alone.
    """

    witness: str | None
    components: bool = False
    undecided: bool = False
    open: bool = False
    noticed: frozenset[str] = frozenset()
    offset: bool = False


class _Laid(Grammar):
    """A grammar that is laid over already."""

    def overlay(self, text: GrammarText) -> Grammar:  # noqa: ARG002 - it is in place
        return self


class Bench:
    """A subject, the vectors of each named part of the corpus, and the generated tiers."""

    def __init__(self, subject: Subject, core: Mapping[str, list[Asked]], tiers: Iterable[Tier]) -> None:
        self.subject = subject
        self.core = core
        self.tiers = tuple(tiers)

    @cached_property
    def suites(self) -> dict[str, Suite]:
        """The texts of the subject rule, by suite."""
        rule = self.subject.rule
        found = {
            name: Suite({one.text: one.valid for one in texts if one.rule == rule})
            for name, texts in self.core.items()
        }
        return found | {tier: generated(self.subject, tier) for tier in self.tiers}

    @cached_property
    def _kin(self) -> dict[str, dict[str, Suite]]:
        return {
            name: {
                rule: Suite({one.text: one.valid for one in texts if one.rule == rule})
                for rule in self.subject.kin
            }
            for name, texts in self.core.items()
        }

    @cached_property
    def table(self) -> SplitTable:
        """The true split table."""
        return split_table(self.subject.spec, self.subject.rule)

    @cached_property
    def _canonical(self) -> tuple[object, ...]:
        return canonical(self.table)

    @cached_property
    def readings(self) -> list[Automaton]:
        """The automata of the other readings of the subject rule that rulings allow for."""
        return [automaton for _, automaton in readings(self.subject.spec, self.subject.rule)]

    def binds(self, text: str) -> bool:
        """True where every reading gives the text the verdict of the ruled one."""
        valid = self.subject.automaton.accepts(text)
        return all(reading.accepts(text) == valid for reading in self.readings)

    @cached_property
    def _component_rules(self) -> frozenset[str]:
        written = SPLITTINGS[self.subject.spec.id].components[self.subject.rule]
        return frozenset(_names(read_components(written)[1]))

    @cached_property
    def _splits(self) -> dict[str, list[Asked]]:
        """The questions for components that the true table answers as they expect."""
        return {
            name: [one for one in texts if one.components and not self._wrong(self.table, one)]
            for name, texts in self.core.items()
        }

    def judge(self, changes: Changes, character: str = "") -> Finding:
        """What becomes of the grammar with these changes; `character` as of `Mutant`.

        Of a mutant with another language the other rules and components are only looked at where no verdict
        on the rule notices: tables of splits take a second.  Of parts of the core too few are killed, if any.
        """
        mutant = self.subject.compiler.automaton(self.subject.rule, changes)
        witness = shortest_difference(self.subject.automaton, mutant)
        if witness is None:
            return self._judge_splits(changes, mutant)
        if not self.binds(witness):
            witness = shortest_binding_difference(mutant, self.subject.automaton, self.readings)
            if witness is None:
                return Finding(None, open=True)
        noticed = {name for name, texts in self.suites.items() if texts.notices(mutant)}
        if "core" in self.core and "core" not in noticed:
            noticed |= self._noticed_beside(changes, mutant, character)
        offset = "core" in self.core and "core" not in noticed and self._other_offset(mutant)
        return Finding(witness, noticed=frozenset(noticed), offset=offset)

    def _noticed_beside(self, changes: Changes, mutant: Automaton, character: str) -> set[str]:
        """The parts of the core that notice by other rules of whole texts, or by components."""
        found = set()
        for rule in self.subject.kin:
            kin = self.subject.compiler.automaton(rule, changes)
            found |= {name for name in self.core if self._kin[name][rule].notices(kin)}
        if "core" not in found and self.may_split(character):
            table = self.mutated_table(changes, mutant)
            if table is not None:
                found |= {name for name in self.core if self._told_apart(name, table)}
        return found

    def _judge_splits(self, changes: Changes, mutant: Automaton) -> Finding:
        if not self._reaches_splits(changes):
            return Finding(None)
        table = self.mutated_table(changes, mutant)
        if table is None:
            return Finding(None, undecided=True)
        if canonical(table) == self._canonical:
            return Finding(None)
        witness = split_difference(self.table, table)
        if witness is None:
            return Finding(None)
        if self._admits(witness, table):
            return Finding(None, open=True)
        noticed = {name for name in self.core if self._told_apart(name, table)}
        noticed |= {tier for tier in self.tiers if self.splits_apart(self.suites[tier].verdicts, table)}
        return Finding(witness, components=True, noticed=frozenset(noticed))

    @cached_property
    def _labeller(self) -> Labeller:
        return Labeller(self.subject.spec, self.subject.rule)

    def _admits(self, text: str, table: SplitTable) -> bool:
        """True where a ruling leaves it open whether a valid text has the components of the table."""
        label = self._labeller.labels(text)[1]
        assert label is not None  # both tables split it
        alternatives = label.expect.alternatives
        if any(one.valid is False for one in alternatives):
            return True
        wanted = [one.components for one in alternatives if isinstance(one.components, dict)]
        return not self._wrong(table, Asked(self.subject.rule, text, valid=True, components=tuple(wanted)))

    def splits_apart(self, texts: Mapping[str, bool], table: SplitTable) -> bool:
        """True where the table splits some valid text otherwise than the true one does."""
        return any(valid and self.table.spans(text) != table.spans(text) for text, valid in texts.items())

    def _reaches_splits(self, changes: Changes) -> bool:
        """False where every changed rule derives what it derived, and no component begins or ends in it."""
        compiler, grammar = self.subject.compiler, self.subject.grammar
        for name in changes:
            if not grammar.reachable(name).isdisjoint(self._component_rules - {name}):
                return True
            if shortest_difference(compiler.minimal(name), compiler.automaton(name, changes)) is not None:
                return True
        return False

    def mutated_table(self, changes: Changes, mutant: Automaton) -> SplitTable | None:
        """The split table of the mutant; None where the rules of the splits do not follow the change."""
        subject = self.subject
        if not subject.laid_over and not subject.overlay.isdisjoint(changes):
            return None
        rules = {**subject.grammar.rules, **changes}
        grammar = replace(subject.grammar, rules=rules)
        if subject.laid_over:
            grammar = _Laid(grammar.rules, grammar.names, grammar.sections, (), grammar.fold_scheme)
        spec = replace(subject.spec)
        vars(spec)["grammar"] = grammar
        try:
            table = table_of(*split_expression(spec, subject.rule))
        except ValueError:  # there is no colon to find the scheme by
            return None
        return table if shortest_difference(verdicts(table), mutant) is None else None

    def may_split(self, character: str) -> bool:
        """False where no text that is split has the character: all others derive as they did."""
        return any(character in one.text for texts in self._splits.values() for one in texts)

    def _told_apart(self, name: str, table: SplitTable) -> bool:
        return any(self._wrong(table, one) for one in self._splits[name])

    def _wrong(self, table: SplitTable, one: Asked) -> bool:
        parts = table.split(one.text)
        if parts is None:
            return True
        found = dict(zip(table.components, parts, strict=True))
        return all(
            any(_joined(value) != found.get(name) for name, value in expected.items())
            for expected in one.components
        )

    def _other_offset(self, mutant: Automaton) -> bool:
        """True where some rejection of the core is at another offset."""
        return any(
            one.at is not None
            and one.rule == self.subject.rule
            and mutant.longest_viable_prefix(one.text).length != one.at
            for one in self.core["core"]
        )


def _names(wanted: Mapping[str, Any]) -> Iterable[str]:
    for name, (_, inside) in wanted.items():
        yield name
        yield from _names(inside)


def _joined(value: Any) -> str | None:
    """A component as the table has it: the fields of prospero are one part there."""
    if isinstance(value, list):
        return "".join(f";{name}={field}" for name, field in value)
    return value if isinstance(value, str) else None
