"""The subjects of the analysis, their mutants, and a compiler of rules whose productions are changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from random import Random
from typing import NamedTuple, cast

from urlharness.adequacy.mutants import mutations
from urlharness.corpus.specifications import facts, url_specs
from urlharness.words.letters import PRIVATE_LETTERS, finer_grammar, letters_of_text
from urloracle.automata.dfa import SINK, Automaton, Prefix, Subsets, determinize, minimize
from urloracle.automata.positions import Position, PositionAutomaton, members
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    references,
)
from urloracle.grammar.expression import Sequence as Chain
from urloracle.grammar.grammar import Grammar
from urloracle.grammar.notation import RFC822, read
from urloracle.rfcs import specification
from urloracle.specification import Specification
from urloracle.splitting import SPLITTINGS


class _LazyRows(dict[int, tuple[int, ...]]):
    """The rows of a table by state, each computed when it is first used.

    A dictionary is much faster here than a sequence with a method for each row.
    """

    def __init__(self, subsets: Subsets) -> None:
        super().__init__()
        self._subsets = subsets

    def __missing__(self, state: int) -> tuple[int, ...]:
        row = self[state] = self._subsets.row(state)
        return row


class Unfolded(Automaton):
    """An automaton whose `table` and `accepting` grow while it is used.  It cannot be minimized."""

    def longest_viable_prefix(self, text: str) -> Prefix:
        """Return the longest prefix of the text that can be extended to a member."""
        state = self.start
        for length, letter in enumerate(letters_of_text(text)):
            kind = self.classes.get(letter)
            following = SINK if kind is None else self.table[state][kind]
            if following == SINK:
                return Prefix(length, state)
            state = following
        return Prefix(len(text), state)


def unfold(positions: PositionAutomaton, *, fold_scheme: bool) -> Unfolded:
    """Return the subset automaton.  Its states are computed when they are used, and state 0 is the sink."""
    subsets = Subsets(positions, fold_scheme=fold_scheme)
    rows = cast("Sequence[tuple[int, ...]]", _LazyRows(subsets))  # only single rows are used
    return Unfolded(subsets.classes, rows, subsets.start, subsets.accepting)


#: Maps the lower-case name of each changed rule to its new right-hand side.
Changes = Mapping[str, Expression]

_UNCHANGED: Changes = {}


class _Fragment(NamedTuple):
    """The bit sets of the positions that can begin and end a part, and True if the part can be empty."""

    first: int
    last: int
    nullable: bool


class _Positions(NamedTuple):
    """A position automaton.

    `sets` lists the characters of each position, `follow` the bit set of the positions that can follow it.
    """

    sets: tuple[frozenset[str], ...]
    follow: tuple[int, ...]
    fragment: _Fragment


class Compiler:
    """Compiles rules of one grammar, with or without changes, and caches the automata of unchanged rules."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._forms: dict[str, _Positions] = {}

    def automaton(self, rule: str, changes: Changes = _UNCHANGED) -> Automaton:
        """Return an automaton of a rule that is not minimal, with states that are computed on first use."""
        return unfold(self._positions(rule, changes), fold_scheme=self._folds(rule))

    def minimal(self, rule: str, changes: Changes = _UNCHANGED) -> Automaton:
        """Return the minimal automaton of a rule."""
        automaton, _ = determinize(self._positions(rule, changes), fold_scheme=self._folds(rule))
        return minimize(automaton)

    def _positions(self, rule: str, changes: Changes) -> PositionAutomaton:
        """Return the position automaton of a rule."""
        builder = _Builder(self, changes, {})
        return builder.automaton(builder.build(changes.get(rule.lower(), self.grammar[rule])))

    def _folds(self, rule: str) -> bool:
        return rule.lower() in self.grammar.fold_scheme

    def positions_of_minimal(self, name: str) -> _Positions:
        """Return a position automaton of an unchanged rule with few positions, made from its minimal DFA.

        It is built once. A rule inside another one is not folded: only the rule that is asked folds the
        letters of its scheme.
        """
        if name not in self._forms:
            automaton, _ = determinize(self._positions(name, _UNCHANGED), fold_scheme=False)
            self._forms[name] = _positions_of(minimize(automaton))
        return self._forms[name]


@dataclass
class _Builder:
    """Adds the positions of expressions, as `urloracle.automata.positions` does, under changes of rules.

    `forms` contains the position automata of the rules that use a changed rule.
    """

    compiler: Compiler
    changes: Changes
    forms: dict[str, _Positions]
    sets: list[frozenset[str]] = field(default_factory=list)
    follow: list[int] = field(default_factory=list)

    def automaton(self, fragment: _Fragment) -> PositionAutomaton:
        """Return the automaton of all positions built so far.

        A word begins and ends with positions of the fragment.
        """
        positions = tuple(Position(characters, (), ()) for characters in self.sets)
        return PositionAutomaton(
            positions, fragment.first, fragment.last, tuple(self.follow), fragment.nullable
        )

    def build(self, expression: Expression) -> _Fragment:
        """Add the positions of an expression, and return its fragment."""
        match expression:
            case Characters(characters):
                self.sets.append(characters)
                self.follow.append(0)
                bit = 1 << (len(self.sets) - 1)
                return _Fragment(bit, bit, nullable=False)
            case Reference(name):
                return self._build_rule(name.lower())
            case Chain(elements):
                fragment = _Fragment(0, 0, nullable=True)
                for element in elements:
                    fragment = self._join(fragment, self.build(element))
                return fragment
            case Alternation(elements):
                folded = self._class(expression)
                if folded is not None:
                    return self.build(Characters(folded))
                fragments = [self.build(element) for element in elements]
                first = reduce(or_, (fragment.first for fragment in fragments), 0)
                last = reduce(or_, (fragment.last for fragment in fragments), 0)
                return _Fragment(first, last, any(fragment.nullable for fragment in fragments))
            case Capture(_, element):
                return self.build(element)
            case Repetition(element, minimum, maximum):
                return self._build_repetition(element, minimum, maximum)

    def _build_rule(self, name: str) -> _Fragment:
        """Add the positions of a rule, which is built once and embedded at each place."""
        grammar = self.compiler.grammar
        characters = self._class(Reference(name))
        if characters is not None:
            return self.build(Characters(characters))
        if self.changes and grammar.reachable(name).isdisjoint(self.changes):
            return self._embed(self.compiler.positions_of_minimal(name))
        if name not in self.forms:
            builder = _Builder(self.compiler, self.changes, self.forms)
            fragment = builder.build(self.changes.get(name, grammar[name]))
            self.forms[name] = _Positions(tuple(builder.sets), tuple(builder.follow), fragment)
        return self._embed(self.forms[name])

    def _class(self, expression: Expression) -> frozenset[str] | None:
        """Return the characters of an expression that derives only single characters, otherwise None."""
        match expression:
            case Characters(characters):
                return characters
            case Reference(name):
                folded = name.lower()
                if folded in self.changes:
                    return self._class(self.changes[folded])
                if self.compiler.grammar.reachable(folded).isdisjoint(self.changes):
                    return self.compiler.grammar.character_class(expression)
                return self._class(self.compiler.grammar[folded])
            case Alternation(elements):
                classes = [self._class(element) for element in elements]
                if None in classes:
                    return None
                return frozenset[str]().union(*filter(None, classes))
            case _:
                return None

    def _embed(self, form: _Positions) -> _Fragment:
        """Add the positions of another automaton, and return its fragment here."""
        offset = len(self.sets)
        self.sets += form.sets
        self.follow += [bits << offset for bits in form.follow]
        first, last, nullable = form.fragment
        return _Fragment(first << offset, last << offset, nullable)

    def _join(self, left: _Fragment, right: _Fragment) -> _Fragment:
        """Return the fragment of one part and another after it, which can now follow."""
        for position in members(left.last):
            self.follow[position] |= right.first
        first = left.first
        if left.nullable:
            first |= right.first
        last = right.last
        if right.nullable:
            last |= left.last
        return _Fragment(first, last, left.nullable and right.nullable)

    def _build_repetition(self, element: Expression, minimum: int, maximum: int | None) -> _Fragment:
        """Add the positions of each copy of a repeated element; the last copy is repeated if need be."""
        fragment = _Fragment(0, 0, nullable=True)
        if maximum is None:
            for _ in range(minimum - 1):
                fragment = self._join(fragment, self.build(element))
            loop = self.build(element)
            for position in members(loop.last):
                self.follow[position] |= loop.first
            return self._join(fragment, loop._replace(nullable=loop.nullable or minimum == 0))
        for _ in range(minimum):
            fragment = self._join(fragment, self.build(element))
        tail = _Fragment(0, 0, nullable=True)
        for _ in range(maximum - minimum):  # x[x[x]]: built from the inside out
            tail = self._join(self.build(element), tail)._replace(nullable=True)
        return self._join(fragment, tail)


def _positions_of(automaton: Automaton) -> _Positions:
    """Return a position automaton: one position per state and set of characters that lead into the state."""
    positions: dict[tuple[int, frozenset[str]], int] = {}  # numbers by state and characters
    following = []  # by state: the positions after it, as bits
    for row in automaton.table:
        bits = 0
        for target_and_characters in _characters_by_target(automaton, row).items():
            bits |= 1 << positions.setdefault(target_and_characters, len(positions))
        following.append(bits)
    last = sum(1 << number for (target, _), number in positions.items() if target in automaton.accepting)
    start = automaton.start
    fragment = _Fragment(following[start], last, start in automaton.accepting)
    sets = tuple(characters for _, characters in positions)
    follow = tuple(following[target] for target, _ in positions)
    return _Positions(sets, follow, fragment)


def _characters_by_target(automaton: Automaton, row: Sequence[int]) -> dict[int, frozenset[str]]:
    """Map each state that follows in a row, except the sink, to the characters that lead to it."""
    by_target: dict[int, set[str]] = {}
    for char, kind in automaton.classes.items():
        if row[kind] != SINK:
            by_target.setdefault(row[kind], set()).add(char)
    return {target: frozenset(characters) for target, characters in by_target.items()}


#: Characters that begin or end components.
_DELIMITERS = frozenset(":/?#[]@%")

#: A changed rule: its lower-case name, the operator, the new right-hand side.
Change = tuple[str, str, Expression]


#: The properties that mutants of one kind have in common: rule, operator, place, sort of the character, and
#: the next states with the character in the DFA of the rule.
MutantKind = tuple[str, str, tuple[int, ...], str, tuple[int, ...]]


class Mutant(NamedTuple):
    """One change to a grammar: the rule (in lower case), the operator, and the new right-hand side.

    `character` is the character that a class gains or loses; it is empty for other mutants.  `place` is where
    the class is in the right-hand side (`Mutation.place`).
    """

    rule: str
    operator: str
    expression: Expression
    character: str = ""
    place: tuple[int, ...] = ()

    @property
    def change(self) -> Change:
        """The change without character and place.  It is equal in all subjects that use the rule."""
        return self.rule, self.operator, self.expression

    @property
    def changes(self) -> Changes:
        """The change as a mapping for the compiler."""
        return {self.rule: self.expression}


@dataclass(frozen=True, eq=False)
class Subject:
    """A rule under analysis.

    If `overlaid` is true, the grammar is that of the split tables, which add rules by rulings, and only these
    added rules are mutated.  Otherwise the grammar is the printed one, and all rules in use are mutated.
    """

    spec: Specification
    rule: str
    overlaid: bool = False

    @property
    def key(self) -> tuple[str, str, bool]:
        """The key of the subject: RFC, rule, `overlaid`."""
        return self.spec.id, self.rule, self.overlaid

    @property
    def kin(self) -> tuple[str, ...]:
        """The other rules of whole texts that vectors test; none if the subject is overlaid."""
        return () if self.overlaid else _kin(self.spec, self.rule)

    @cached_property
    def overlay(self) -> frozenset[str]:
        """The lower-case names of the rules that the split tables add or change."""
        text = read(SPLITTINGS[self.spec.id].overlay, RFC822)
        return frozenset(production.name.lower() for production in text.productions)

    @cached_property
    def grammar(self) -> Grammar:
        """The grammar that is mutated, with the letters of mutants if its texts are IRIs."""
        return finer_grammar(self.read_grammar) if facts(self.spec.id).iris else self.read_grammar

    @cached_property
    def read_grammar(self) -> Grammar:
        """The grammar with the letters of the oracle."""
        if not self.overlaid:
            return self.spec.grammar
        text = SPLITTINGS[self.spec.id].overlay
        return self.spec.grammar.overlay(read(text, RFC822))

    @cached_property
    def compiler(self) -> Compiler:
        """The compiler of the grammar."""
        return Compiler(self.grammar)

    @cached_property
    def automaton(self) -> Automaton:
        """The minimal automaton of the unchanged rule."""
        return self.compiler.minimal(self.rule)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """All first-order mutants, sorted by the number of rules that the changed rule uses."""
        rules = self.grammar.reachable(self.rule)
        if self.overlaid:
            rules &= self.overlay
        mutants = [mutant for name in sorted(rules) for mutant in self._mutants_of_rule(name)]
        return tuple(sorted(mutants, key=lambda mutant: len(self.grammar.reachable(mutant.rule))))

    def kind(self, mutant: Mutant) -> MutantKind | None:
        """Return the kind of a mutant that adds or removes a character; return None for every other mutant.

        Mutants are of the same kind if the same operator changes the same class, the changed rule does not
        distinguish their characters, and these are of one sort.  A character is of one of four sorts: in no
        text of the subject, a delimiter, a letter or digit, or another mark.  Beyond ASCII it is in no text,
        private, or another one; but in a rule that has no other characters, each is a sort of its own.
        """
        char = mutant.character
        if not char:
            return None
        if not char.isascii():
            sort = self._sort_beyond_ascii(mutant.rule, char)
        elif char not in self.automaton.classes:
            sort = "outside"
        elif char in _DELIMITERS:
            sort = "delimiter"
        else:
            sort = "alphanumeric" if char.isalnum() else "mark"
        return mutant.rule, mutant.operator, mutant.place, sort, self._columns(mutant.rule).get(char, ())

    def _sort_beyond_ascii(self, rule: str, char: str) -> str:
        """Return the sort of a character beyond ASCII that a mutant adds to a rule, or removes from it."""
        members = self.grammar.character_class(Reference(rule))
        if members is not None and not any(map(str.isascii, members)):
            return char
        if char not in self.automaton.classes:
            return "outside, beyond ASCII"
        return "private" if char in PRIVATE_LETTERS else "beyond ASCII"

    @cached_property
    def alike(self) -> Mapping[MutantKind, tuple[Mutant, ...]]:
        """The mutants of each kind."""
        by_kind: dict[MutantKind, list[Mutant]] = {}
        for mutant in self.mutants:
            kind = self.kind(mutant)
            if kind is not None:
                by_kind.setdefault(kind, []).append(mutant)
        return {kind: tuple(mutants) for kind, mutants in by_kind.items()}

    def _columns(self, rule: str) -> Mapping[str, tuple[int, ...]]:
        """Map each character of a rule's texts to the next state from each state of the rule's automaton."""
        if rule not in self._columns_of_rules:
            automaton = self.compiler.minimal(rule)
            columns = list(zip(*automaton.table, strict=True))
            self._columns_of_rules[rule] = {char: columns[kind] for char, kind in automaton.classes.items()}
        return self._columns_of_rules[rule]

    @cached_property
    def _columns_of_rules(self) -> dict[str, Mapping[str, tuple[int, ...]]]:
        return {}

    def _mutants_of_rule(self, name: str) -> Iterator[Mutant]:
        """Yield the mutants of one rule."""

        def replacements(referenced: str) -> list[str]:
            return self._replacements(referenced, name)

        for mutation in mutations(self.grammar[name], self.grammar.character_class, replacements):
            yield Mutant(name, *mutation)

    def _replacements(self, referenced: str, inside: str) -> list[str]:
        """Return the rules that may replace rule `referenced` inside rule `inside` without recursion."""
        grammar = self.grammar
        original = referenced.lower()
        is_class = grammar.character_class(Reference(original)) is not None
        replacements = []
        for rule in sorted(grammar.reachable(self.rule)):
            if rule == original or inside in grammar.reachable(rule):
                continue
            is_other_class = grammar.character_class(Reference(rule)) is not None
            is_alike = is_class or type(grammar[rule]) is type(grammar[original])
            if is_class == is_other_class and is_alike:
                replacements.append(rule)
        return replacements

    def pairs(self, count: int, seed: int, among: Sequence[int] | None = None) -> list[tuple[Mutant, Mutant]]:
        """Return `count` pairs of mutants of different rules, drawn with replacement.

        Return none if all mutants are of one rule.  The same seed gives the same pairs.
        `among` lists the numbers of the mutants to draw from (default: all).
        """
        random = Random(f"{seed} {self.key}")  # noqa: S311 - not for security
        mutants = self.mutants if among is None else [self.mutants[number] for number in among]
        pairs: list[tuple[Mutant, Mutant]] = []
        if len({mutant.rule for mutant in mutants}) < 2:
            return pairs
        while len(pairs) < count:
            first = random.choice(mutants)
            second = random.choice(mutants)
            if first.rule != second.rule and not self._is_recursive(first, second):
                pairs.append((first, second))
        return pairs

    def _is_recursive(self, first: Mutant, second: Mutant) -> bool:
        """Return True if two mutants together make the grammar recursive."""
        return self._leads_to(first, second.rule) and self._leads_to(second, first.rule)

    def _leads_to(self, mutant: Mutant, rule: str) -> bool:
        """Return True if the new right-hand side refers to a rule, directly or indirectly."""
        return any(rule in self.grammar.reachable(name) for name in references(mutant.expression))


def _kin(spec: Specification, rule: str) -> tuple[str, ...]:
    """Return the other rules of whole texts that vectors test: those that are alternatives of a rule."""
    whole_rules = facts(spec.id).whole_rules
    if rule == spec.default_rule:
        return tuple(whole_rule for whole_rule in whole_rules if whole_rule != rule)
    referenced = set(references(spec.grammar[rule]))
    return tuple(whole_rule for whole_rule in whole_rules if whole_rule.lower() in referenced)


def subjects(spec: str) -> list[Subject]:
    """Return the subjects of an RFC: each rule with a split table, in the printed and the overlaid grammar.

    An overlaid subject without mutants is left out.
    """
    rfc = specification(spec)
    all_subjects = []
    for rule in SPLITTINGS[spec].components:
        all_subjects += [Subject(rfc, rule, overlaid=False), Subject(rfc, rule, overlaid=True)]
    return [subject for subject in all_subjects if not subject.overlaid or subject.mutants]


#: The RFCs whose tests are measured: not yet that on IRIs.
SPECS = url_specs()
