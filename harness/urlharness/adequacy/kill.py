"""Exact comparison of automata and of split tables, and the suites that notice a mutant of a subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from urlharness.adequacy.subjects import Changes, Mutant, MutantKind, Subject
from urlharness.adequacy.suites import AskedText, Suite, is_taken_over, readings_of, tier_suite
from urlharness.corpus.model import Tier
from urlharness.generate.tiers.labels import Labeller
from urlharness.words.letters import BEYOND, OUTER, NoSuchLetters, coarser_expression
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import END, SplitTable, build_split_table
from urloracle.grammar.alphabet import ASCII, STAND_INS
from urloracle.grammar.grammar import Grammar
from urloracle.grammar.notation import GrammarText
from urloracle.regex.pattern import read_components
from urloracle.regex.rewriting import ComponentRules
from urloracle.rfc.captures import capture_components
from urloracle.splitting import SPLITTINGS, split_table

_T = TypeVar("_T")

#: The name of the suite that notices a mutant if the core notices a mutant of the same kind (`Subject.kind`).
ALIKE = "core, or an alike mutant"


def _readability(char: str) -> tuple[bool, bool, bool, str]:
    """Return the key by which the characters that are easiest to read come first."""
    is_readable = char.isprintable() and char != " "
    return not char.islower(), not char.isalnum(), not is_readable, char


#: Characters in order of preference for witnesses: lower-case letters first, then readable characters.
ORDER = sorted(ASCII, key=_readability)
#: All letters of mutants in this order. Those beyond ASCII come last: few rules have them.
_LETTERS = (*ORDER, *BEYOND, *OUTER)


def shortest_difference(left: Automaton, right: Automaton) -> str | None:
    """Return a shortest text that only one of the automata accepts, or None if there is none."""
    char_by_classes: dict[tuple[int, int], str] = {}
    for char in _LETTERS:
        classes = (left.classes.get(char, -1), right.classes.get(char, -1))
        if classes != (-1, -1):
            char_by_classes.setdefault(classes, char)
    # every mutant is compared here, so the rows of both tables are looked up once for each pair of states
    letters = [(*classes, char) for classes, char in char_by_classes.items()]
    start = (left.start, right.start)
    last_steps: dict[tuple[int, int], tuple[tuple[int, int], str]] = {}
    seen = {start}
    queue = [start]
    for states in queue:  # which grows in the loop
        left_state, right_state = states
        if (left_state in left.accepting) != (right_state in right.accepting):
            return _text_between(states, start, last_steps)
        left_row = left.table[left_state]
        right_row = right.table[right_state]
        for left_class, right_class, char in letters:
            next_states = (
                left_row[left_class] if left_class >= 0 else SINK,
                right_row[right_class] if right_class >= 0 else SINK,
            )
            if next_states not in seen:
                seen.add(next_states)
                last_steps[next_states] = (states, char)
                queue.append(next_states)
    return None


def shortest_binding_difference(
    mutant: Automaton, unchanged: Automaton, readings: Sequence[Automaton]
) -> str | None:
    """Return a shortest text on which `unchanged` and all readings agree, but `mutant` does not.

    Return None if there is no such text.  Then rulings leave open everything that the mutant changes.
    """
    automata = (mutant, unchanged, *readings)
    letters: dict[tuple[int, ...], str] = {}  # by their classes in the automata
    for char in _LETTERS:
        kinds = tuple(automaton.classes.get(char, -1) for automaton in automata)
        letters.setdefault(kinds, char)
    start = tuple(automaton.start for automaton in automata)
    last_steps: dict[tuple[int, ...], tuple[tuple[int, ...], str]] = {}
    seen = {start}
    queue = [start]
    for states in queue:  # which grows in the loop
        if _only_first_differs(automata, states):
            return _text_between(states, start, last_steps)
        for kinds, char in letters.items():
            next_states = tuple(map(_next_state, automata, states, kinds))
            if next_states not in seen:
                seen.add(next_states)
                last_steps[next_states] = (states, char)
                queue.append(next_states)
    return None


def _only_first_differs(automata: Sequence[Automaton], states: Sequence[int]) -> bool:
    """Return True if the first automaton gives one verdict in these states, and all others give the other."""
    verdicts = [state in automaton.accepting for automaton, state in zip(automata, states, strict=True)]
    verdict, *verdicts_of_rfc = verdicts
    return verdict not in verdicts_of_rfc and len(set(verdicts_of_rfc)) == 1


def _next_state(automaton: Automaton, state: int, kind: int) -> int:
    """Return the state after a letter of a class; an automaton that does not know a letter has class -1."""
    return automaton.table[state][kind] if kind >= 0 else SINK


def _text_between(end: _T, start: _T, last_steps: Mapping[_T, tuple[_T, str]]) -> str:
    """Return the text that leads from the start to the end.

    `last_steps` maps each state to the state before it and the character that leads from there.
    """
    letters = []
    state = end
    while state != start:
        state, char = last_steps[state]
        letters.append(char)
    return "".join(reversed(letters))


class _Pattern(NamedTuple):
    """The slots of both tables, divided into blocks.  The slots of one block contain the same position.

    `blocks` lists the block number of each slot.  `absent` is the block of position -1, and `last` the block
    of the latest character's position.  `neighbours` contains the pairs (block, other block) in which the
    position of the other block is greater by one.
    """

    blocks: tuple[int, ...]
    absent: int
    last: int
    neighbours: frozenset[tuple[int, int]]


def split_difference(left: SplitTable, right: SplitTable) -> str | None:
    """Return a shortest text that the tables split differently, or that only one of them splits.

    Return None if there is no such text.
    """
    assert left.components == right.components
    letters: dict[tuple[int, int], str] = {}
    for char in (*ORDER, *STAND_INS):
        letters.setdefault((left.kind_of(char), right.kind_of(char)), char)
    slots = left.slots + right.slots
    before = _Pattern((0,) * slots, 0, 0, frozenset())  # -1 is one position before the first character
    start = (left.start, right.start, before)
    words = {start: ""}
    queue = [start]
    for configuration in queue:  # which grows in the loop
        left_state, right_state, pattern = configuration
        if _splits_differ(left, right, left_state, right_state, pattern):
            return words[configuration]
        for (left_kind, right_kind), char in letters.items():
            left_after = left.table[left_state][left_kind]
            right_after = right.table[right_state][right_kind]
            if left_after == SINK and right_after == SINK:
                continue
            left_slot = left.stores[left_state][left_kind]
            right_slot = left.slots + right.stores[right_state][right_kind]
            after = (left_after, right_after, _after_storing(pattern, (left_slot, right_slot), left.slots))
            if after not in words:
                words[after] = words[configuration] + char
                queue.append(after)
    return None


def _after_storing(pattern: _Pattern, stored: tuple[int, int], width: int) -> _Pattern:
    """Return the pattern after each table has stored the position of the next character in a slot.

    The slots of the second table follow the `width` slots of the first.
    """
    new = max(*pattern.blocks, pattern.absent, pattern.last) + 1
    blocks = [new if slot in stored else block for slot, block in enumerate(pattern.blocks)]
    for slot in (0, END, width, width + END):  # slot 0 is discarded, END is known only at the end
        blocks[slot] = new
    numbers: dict[int, int] = {}
    for block in (pattern.absent, new, *blocks):
        numbers.setdefault(block, len(numbers))
    neighbours = set()
    for block, following in (*pattern.neighbours, (pattern.last, new)):
        if block in numbers and following in numbers:
            neighbours.add((numbers[block], numbers[following]))
    renumbered = tuple(numbers[block] for block in blocks)
    return _Pattern(renumbered, 0, numbers[new], frozenset(neighbours))


def _splits_differ(
    left: SplitTable, right: SplitTable, left_state: int, right_state: int, pattern: _Pattern
) -> bool:
    """Return True if the tables find other components in a text that leads to these states."""
    left_final = left.finals[left_state]
    right_final = right.finals[right_state]
    if bool(left_final) != bool(right_final):
        return True
    if not left_final:  # neither table splits the text
        return False
    ending = max(pattern.blocks) + 1  # the length: one position after the last character
    neighbours = pattern.neighbours | {(pattern.last, ending)}

    def blocks_of(slots: Iterable[int], width: int) -> list[int]:
        """Return the blocks of slots of a table whose slots follow `width` slots of another one."""
        return [ending if slot == END else pattern.blocks[width + slot] for slot in slots]

    # the slots alternate: the begin and the end of each component
    left_blocks = blocks_of(left_final, 0)
    right_blocks = blocks_of(right_final, left.slots)
    left_spans = zip(left_blocks[::2], left_blocks[1::2], left.offsets, strict=True)
    right_spans = zip(right_blocks[::2], right_blocks[1::2], right.offsets, strict=True)
    for left_span, right_span in zip(left_spans, right_spans, strict=True):
        left_begin, left_end, left_offset = left_span
        right_begin, right_end, right_offset = right_span
        if left_end != right_end:
            return True
        if left_end == pattern.absent:
            continue
        match left_offset - right_offset:
            case 0:
                is_same_begin = left_begin == right_begin
            case 1:
                is_same_begin = (left_begin, right_begin) in neighbours
            case _:
                is_same_begin = (right_begin, left_begin) in neighbours
        if not is_same_begin:
            return True
    return False


def split_language(table: SplitTable) -> Automaton:
    """Return an automaton that accepts the texts that the table splits."""
    classes = {char: table.kind_of(char) for char in (*ASCII, *BEYOND)}
    accepting = frozenset(state for state, final in enumerate(table.finals) if final)
    return Automaton(classes, table.table, table.start, accepting)


def canonical_table(table: SplitTable) -> tuple[object, ...]:
    """Return the table with states and slots numbered by breadth-first search.

    Tables with equal canonical forms split every text in the same way.  If the forms differ, the tables may
    still do so; `split_difference` decides this.
    """
    states = {SINK: 0, table.start: 1}
    queue = [table.start]
    slots: dict[int, int] = {0: 0, END: 1}
    rows: list[tuple[tuple[int, int], ...]] = []
    finals = []
    for state in queue:  # which grows in the loop
        row = []
        for kind in (*table.classes[:128], *table.beyond):
            target = table.table[state][kind]
            if target == SINK:
                row.append((0, 0))
                continue
            if target not in states:
                states[target] = len(states)
                queue.append(target)
            slot = table.stores[state][kind]
            row.append((states[target], slots.setdefault(slot, len(slots))))
        rows.append(tuple(row))
        finals.append(tuple(slots.setdefault(slot, len(slots)) for slot in table.finals[state]))
    return table.components, tuple(rows), tuple(finals), table.offsets


class MutantResult(NamedTuple):
    """The result of analysing a mutant.

    - `witness`: a shortest text on which the mutant differs, or None
    - `components`: the language is the same, but components differ
    - `undecided`: the language is the same, and the components cannot be computed
    - `open`: rulings leave open whatever the mutant changes; of components, only a shortest text is asked
    - `noticed`: the names of the suites that notice the mutant
    - `offset`: the core notices the mutant only by a wrong offset
    """

    witness: str | None
    components: bool = False
    undecided: bool = False
    open: bool = False
    noticed: frozenset[str] = frozenset()
    offset: bool = False


class _OverlaidGrammar(Grammar):
    """A grammar whose overlay is already applied."""

    def overlay(self, text: GrammarText) -> Grammar:  # noqa: ARG002 - already applied
        return self


class Bench:
    """A subject with its suites: the texts of each part of the corpus, and the generated tiers."""

    def __init__(
        self,
        subject: Subject,
        core: Mapping[str, list[AskedText]],
        tiers: Iterable[Tier],
        lent: Mapping[str, list[AskedText]] | None = None,
    ) -> None:
        """Make a bench.

        `core` maps the name of each part of the core to its texts.  `lent` maps the same names to texts of
        the lender (the RFC that is amended), which are used for rules that both RFCs share.
        """
        self.subject = subject
        self.core = core
        self.tiers = tuple(tiers)
        joined = {name: [*texts, *lent[name]] for name, texts in core.items()} if lent else {}
        self._with_lent = Bench(subject, joined, tiers) if joined else None

    @cached_property
    def suites(self) -> dict[str, Suite]:
        """The suites of the subject's rule, by name."""
        suites = {name: _suite_of(texts, self.subject.rule) for name, texts in self.core.items()}
        return suites | {tier: tier_suite(self.subject, tier) for tier in self.tiers}

    @cached_property
    def _kin(self) -> dict[str, dict[str, Suite]]:
        """The suites of the rules of `Subject.kin`, by part of the core and rule."""
        return {
            name: {rule: _suite_of(texts, rule) for rule in self.subject.kin}
            for name, texts in self.core.items()
        }

    @cached_property
    def table(self) -> SplitTable:
        """The split table of the unchanged grammar."""
        return split_table(self.subject.spec, self.subject.rule)

    @cached_property
    def _canonical(self) -> tuple[object, ...]:
        """The canonical form of the unchanged table."""
        return canonical_table(self.table)

    @cached_property
    def readings(self) -> tuple[Automaton, ...]:
        """The automata of the rule under the other readings that rulings allow."""
        return readings_of(self.subject.spec.id, self.subject.rule)

    def binds(self, text: str) -> bool:
        """Return True if all readings give the text the same verdict."""
        valid = self.subject.automaton.accepts(text)
        return all(reading.accepts(text) == valid for reading in self.readings)

    @cached_property
    def _component_rules(self) -> frozenset[str]:
        """The lower-case names of the rules whose texts are components."""
        written = SPLITTINGS[self.subject.spec.id].components[self.subject.rule]
        _, component_rules = read_components(written)
        return frozenset(_rule_names(component_rules))

    @cached_property
    def _splits(self) -> dict[str, list[AskedText]]:
        """By part of the corpus, the texts with components that the unchanged table splits correctly."""
        splits = {}
        for name, texts in self.core.items():
            with_components = [question for question in texts if question.components]
            splits[name] = [text for text in with_components if not _is_missplit(self.table, text)]
        return splits

    def examine(self, changes: Changes, character: str = "", *, sparing: bool = False) -> MutantResult:
        """Analyse the grammar with these changes; `character` is the `Mutant.character`.

        If a verdict of the core notices the mutant, kin and components are not examined, because building a
        split table takes a second.  If `sparing` is true, a verdict of any suite is enough to skip the
        components.  Therefore suites can be missing in `noticed`.
        """
        mutant = self.subject.compiler.automaton(self.subject.rule, changes)
        witness = shortest_difference(self.subject.automaton, mutant)
        if witness is None:
            return self._examine_splits(changes, mutant)
        if not self.binds(witness):
            witness = shortest_binding_difference(mutant, self.subject.automaton, self.readings)
            if witness is None:
                return MutantResult(None, open=True)
        noticed = {name for name, texts in self.suites.items() if texts.notices(mutant)}
        if "core" in self.core and "core" not in noticed:
            noticed |= self._noticed_by_kin(changes)
            if "core" not in noticed and not (sparing and noticed):
                noticed |= self._noticed_by_components(changes, mutant, character)
        offset = "core" in self.core and "core" not in noticed and self._rejects_at_other_offset(mutant)
        return MutantResult(witness, noticed=frozenset(noticed), offset=offset)

    def examine_mutant(self, mutant: Mutant) -> MutantResult:
        """Analyse a mutant with one change.

        `noticed` contains `ALIKE` if the core notices the mutant or another mutant of the same kind.
        """
        if self._with_lent is not None and is_taken_over(self.subject, mutant.rule):
            return self._with_lent.examine_mutant(mutant)
        mutant_result = self.examine(mutant.changes, mutant.character, sparing=True)
        if mutant_result.witness is None or "core" not in self.core:
            return mutant_result
        kind = self.subject.kind(mutant)
        is_noticed = "core" in mutant_result.noticed or self._alike_noticed(kind, by_verdict=True)
        if not is_noticed and not mutant_result.components:
            mutant_result = self.examine(mutant.changes, mutant.character)
            is_noticed = "core" in mutant_result.noticed
        if is_noticed or self._alike_noticed(kind, by_verdict=False):
            return mutant_result._replace(noticed=mutant_result.noticed | {ALIKE})
        return mutant_result

    def examine_pair(self, first: Mutant, second: Mutant) -> MutantResult:
        """Analyse a second-order mutant: two changes at once."""
        rules = (first.rule, second.rule)
        if self._with_lent is not None and all(is_taken_over(self.subject, rule) for rule in rules):
            return self._with_lent.examine_pair(first, second)
        return self.examine({**first.changes, **second.changes}, sparing=True)

    def _alike_noticed(self, kind: MutantKind | None, *, by_verdict: bool) -> bool:
        """Return True if the core notices a mutant of this kind: by a verdict, or else by components.

        Return False if the kind is None, because then no mutant is alike.
        """
        if kind is None:
            return False
        key = (kind, by_verdict)
        if key not in self._alike:
            notice = self._verdicts_notice if by_verdict else self._components_notice
            self._alike[key] = any(map(notice, self.subject.alike[kind]))
        return self._alike[key]

    @cached_property
    def _alike(self) -> dict[tuple[MutantKind, bool], bool]:
        return {}

    def _verdicts_notice(self, mutant: Mutant) -> bool:
        """Return True if a verdict of the core notices the mutant."""
        suites = {self.subject.rule: self.suites["core"], **self._kin["core"]}
        automaton = self.subject.compiler.automaton
        return any(suite.notices(automaton(rule, mutant.changes)) for rule, suite in suites.items())

    def _components_notice(self, mutant: Mutant) -> bool:
        """Return True if the core notices a mutant by components.

        No verdict of the core may notice the mutant: ask `_verdicts_notice` first.
        """
        # a cheap test first, because `examine` also asks the tiers
        automaton = self.subject.compiler.automaton(self.subject.rule, mutant.changes)
        table = self.mutated_table(mutant.changes, automaton)
        if table is None or not self._splits_notice("core", table):
            return False
        # rulings may admit the other components, which only `examine` finds out
        return "core" in self.examine(mutant.changes, mutant.character).noticed

    def _noticed_by_kin(self, changes: Changes) -> set[str]:
        """Return the parts of the core that notice the mutant by a verdict under a rule of `kin`."""
        noticing = set()
        for rule in self.subject.kin:
            mutant = self.subject.compiler.automaton(rule, changes)
            noticing |= {name for name in self.core if self._kin[name][rule].notices(mutant)}
        return noticing

    def _noticed_by_components(self, changes: Changes, mutant: Automaton, character: str) -> set[str]:
        """Return the parts of the core that notice the mutant by wrong components.

        Return none if no question has `character`, or if the components of the mutant cannot be computed.
        """
        table = self.mutated_table(changes, mutant) if self.may_split(character) else None
        if table is None:
            return set()
        return {name for name in self.core if self._splits_notice(name, table)}

    def _examine_splits(self, changes: Changes, mutant: Automaton) -> MutantResult:
        """Analyse a mutant whose language is that of the rule, so that only components can differ."""
        if not self._reaches_splits(changes):
            return MutantResult(None)
        table = self.mutated_table(changes, mutant)
        if table is None:
            return MutantResult(None, undecided=True)
        if canonical_table(table) == self._canonical:
            return MutantResult(None)
        witness = split_difference(self.table, table)
        if witness is None:
            return MutantResult(None)
        # an approximation: only this shortest text is asked about, and rulings may not admit a longer one
        if self._admits(witness, table):
            return MutantResult(None, open=True)
        noticed = {name for name in self.core if self._splits_notice(name, table)}
        noticed |= {tier for tier in self.tiers if self._tier_notices_split(tier, table)}
        return MutantResult(witness, components=True, noticed=frozenset(noticed))

    @cached_property
    def _labeller(self) -> Labeller:
        return Labeller(self.subject.spec, self.subject.rule)

    def _admits(self, text: str, table: SplitTable) -> bool:
        """Return True if rulings admit the components that the table finds in a valid text."""
        _, label = self._labeller.labels(text)
        assert label is not None  # because both tables split the text
        admitted = []
        for alternative in label.expect.alternatives:
            if alternative.valid is False:
                return True
            if isinstance(alternative.components, dict):
                admitted.append(alternative.components)
        question = AskedText(self.subject.rule, text, valid=True, components=tuple(admitted))
        return not _is_missplit(table, question)

    def splits_differently(self, texts: Iterable[str], table: SplitTable) -> bool:
        """Return True if the table splits some valid text differently from the unchanged table."""
        return any(self.table.spans(text) != table.spans(text) for text in texts)

    @cached_property
    def _spans(self) -> dict[str, list[tuple[str, object]]]:
        """The valid texts of each tier, and how the unchanged table splits them."""
        return {
            tier: [(text, self.table.spans(text)) for text in self.suites[tier].members]
            for tier in self.tiers
        }

    def _tier_notices_split(self, tier: str, table: SplitTable) -> bool:
        """Return True if the table splits some valid text of a tier differently from the unchanged table."""
        return any(table.spans(text) != spans for text, spans in self._spans[tier])

    def _reaches_splits(self, changes: Changes) -> bool:
        """Return True if some changed rule contains a component or derives other texts than before."""
        compiler = self.subject.compiler
        for name in changes:
            reachable = self.subject.grammar.reachable(name)
            if not reachable.isdisjoint(self._component_rules - {name}):
                return True
            changed = compiler.automaton(name, changes)
            if shortest_difference(compiler.minimal(name), changed) is not None:
                return True
        return False

    def mutated_table(self, changes: Changes, mutant: Automaton) -> SplitTable | None:
        """Return the split table of the mutant, or None if the mutant has none.

        It has none if the overlay hides the change, if the change concerns the ends of a range beyond ASCII,
        if no colon ends its scheme, or if the table would accept other texts than the mutant.
        """
        subject = self.subject
        if not subject.overlaid and not subject.overlay.isdisjoint(changes):
            return None
        try:
            read_changes = {name: coarser_expression(expression) for name, expression in changes.items()}
        except NoSuchLetters:
            return None
        rules = {**subject.read_grammar.rules, **read_changes}
        grammar = replace(subject.read_grammar, rules=rules)
        if subject.overlaid:
            grammar = _OverlaidGrammar(rules, grammar.names, grammar.sections, grammar.fold_scheme)
        try:
            components, expression = capture_components(subject.spec.id, subject.rule, grammar)
        except ValueError:  # no colon ends the scheme of the mutant
            return None
        table = build_split_table(components, expression)
        return table if shortest_difference(split_language(table), mutant) is None else None

    def may_split(self, character: str) -> bool:
        """Return True if a vector asks for the components of a text that contains the character."""
        return any(character in question.text for texts in self._splits.values() for question in texts)

    def _splits_notice(self, name: str, table: SplitTable) -> bool:
        """Return True if the table splits some text of a part of the core wrongly."""
        return any(_is_missplit(table, question) for question in self._splits[name])

    def _rejects_at_other_offset(self, mutant: Automaton) -> bool:
        """Return True if the mutant rejects some core text at another offset than the vector states."""
        for question in self.core["core"]:
            if question.at is not None and question.rule == self.subject.rule:
                offset = mutant.longest_viable_prefix(question.text).length
                if offset != question.at:
                    return True
        return False


def _suite_of(texts: Iterable[AskedText], rule: str) -> Suite:
    """Return the suite of the texts that are asked under a rule."""
    return Suite({question.text: question.valid for question in texts if question.rule == rule})


def _is_missplit(table: SplitTable, question: AskedText) -> bool:
    """Return True if the table finds no admissible components in a text."""
    parts = table.split(question.text)
    if parts is None:
        return True
    components = dict(zip(table.components, parts, strict=True))
    return not any(_is_same_split(components, admissible) for admissible in question.components)


def _is_same_split(components: Mapping[str, str | None], admissible: Mapping[str, Any]) -> bool:
    """Return True if a table found the components that are admissible."""
    return all(_as_text(component) == components.get(name) for name, component in admissible.items())


def _rule_names(component_rules: ComponentRules) -> Iterable[str]:
    """Yield the names of the rules of components, and of those inside them."""
    for name, (_, inside) in component_rules.items():
        yield name
        yield from _rule_names(inside)


def _as_text(component: Any) -> str | None:
    """Return a component as one string, like the table.  The fields of a prospero URL are joined."""
    if isinstance(component, list):
        return "".join(f";{name}={field}" for name, field in component)
    return component if isinstance(component, str) else None
