"""`re` patterns of rules, with groups for components.

A rule is a regular expression, so the matcher of the standard library can decide it and find its components
in one call, many times faster than an automaton in Python.  Three things stand in the way, and this module
deals with them: `re` backtracks, and can take exponential time; it has one group for each place in the
pattern, while a component can stand in several alternatives; and it tries alternatives one after the other.

Therefore the expression is first rewritten (see `rewriting`) so that the next character mostly decides.  Then
it is divided into branches, in each of which a component has one place.  The branch that matches most texts
is tried first, and another branch only if its texts can begin with the first character of the text.

Alternatives are tried in the printed order and optional elements are matched if possible, as the rulings
require for ambiguous texts (G-17, R-2396-11, R-3986-04).  A repetition is possessive, and therefore never
backtracks, if the next character always decides whether the repetition continues.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from urloracle.grammar.alphabet import Range, only_character, spans, stand_ins
from urloracle.grammar.expression import (
    NOTHING,
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    deterministic,
    first,
    has_captures,
    walk,
)
from urloracle.grammar.grammar import Grammar
from urloracle.regex.rewriting import (
    ComponentRules,
    branches,
    expand,
    fold_scheme,
    required_text,
    simplify,
    with_absent_columns,
    without_characters,
    without_subsumed,
)

Split = tuple[str | None, ...]
T = TypeVar("T", bound=tuple[Any, ...])

#: Maps the number of the last matched group to the groups of the components.
Columns = Mapping[int | None, tuple[int, ...]]
_Match = Callable[[str], re.Match[str] | None]

# a group that never matches: it is tried only if group 1 has not matched, and group 1 always has
_ABSENT = "(?(1)|())"
_QUANTIFIERS = {(0, None): "*", (1, None): "+", (0, 1): "?"}


class Branch(NamedTuple):
    """One branch of a pattern; all its matches have the same components.

    `source` is its regular expression, `groups` maps each component to the number of its group, `captures`
    is the number of groups.  `begins` contains every letter with which a matching text can begin, and ""
    if the empty text matches.  `needs` is a string that every matching text contains.
    """

    source: str
    groups: Mapping[str, int]
    captures: int
    begins: frozenset[str]
    needs: str


@dataclass(frozen=True, eq=False)
class Pattern:
    """The branches of a rule, in the order in which they are tried, and their components.

    A text without the character `rare` is matched with the branches in `plain`, which derive only such texts.
    """

    expression: Expression
    components: tuple[str, ...]
    rare: str = ""

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The branches for all texts."""
        return _branches(self.expression, self.components)

    @cached_property
    def plain(self) -> tuple[Branch, ...]:
        """The branches for texts without the character `rare`."""
        without_rare = without_characters(self.expression, frozenset(self.rare))
        return () if without_rare is None else _branches(without_rare, self.components)

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """All branches as one pattern.

        If there are components, each branch ends with an empty group, which shows that this branch matched.
        """
        regex, _ = self._joined
        return regex

    @cached_property
    def plain_regex(self) -> re.Pattern[str]:
        """The branches for texts without the character `rare` as one pattern."""
        regex, _ = _join_branches(self.plain, self.components)
        return regex

    @cached_property
    def _joined(self) -> tuple[re.Pattern[str], Columns]:
        return _join_branches(self.branches, self.components)

    @cached_property
    def trials(self) -> tuple[Trial, Trial]:
        """The trials for texts with the character `rare` and for texts without it."""
        every = Trial(lambda: self.branches, self.components)
        usual = Trial(lambda: self.plain, self.components) if self.rare else every
        return every, usual

    @cached_property
    def split(self) -> Callable[[str], Split | None]:
        """A function that returns the text of each component, or None if the rule does not match the text.

        An absent component has None in place of its text.
        """
        return self.splitter(tuple)

    def splitter(self, kind: type[T]) -> Callable[[str], T | None]:
        """Return a function like `split` that returns instances of the tuple class `kind`."""
        new = tuple.__new__
        rare = self.rare
        every, usual = self.trials
        needs = usual.first.needs
        match_first = usual.first.compile()

        # three functions, so that no text pays for a test that has the same result for all texts
        def split(text: str) -> Any:
            if needs in text and (match := match_first(text)):
                return new(kind, match.groups())
            parts = every.split(text) if rare and rare in text else usual.split_by_others(text)
            return None if parts is None else new(kind, parts)

        def split_to_tuple(text: str) -> Any:
            if needs in text and (match := match_first(text)):
                return match.groups()
            return every.split(text) if rare and rare in text else usual.split_by_others(text)

        def split_in_another_order(text: str) -> Any:
            parts = every.split(text)
            return None if parts is None else new(kind, parts)

        if usual.first.absent != ():  # the groups of a match are not the components
            return split_in_another_order
        return split_to_tuple if kind is tuple else split

    def compile(self) -> None:
        """Compile all branches, which otherwise happens when a text first needs a branch."""
        for trial in self.trials:
            trial.compile()

    def occurrences(self, text: str) -> list[Split]:
        """Return the split of each occurrence of the rule in a text."""
        regex, columns = self._joined
        return [_groups(match, columns[match.lastindex]) for match in regex.finditer(text)]


class Trial:
    """The branches of a pattern in the order in which they are tried.

    The first branch is tried for every text, because it matches most texts.  Another branch is tried only if
    its texts can begin with the first character of the text.
    """

    def __init__(self, branches: Callable[[], tuple[Branch, ...]], components: tuple[str, ...]) -> None:
        self._branches = branches
        self._components = components
        self._attempts_by_beginning: dict[str, list[_Attempt]] = {}

    @cached_property
    def first(self) -> _Attempt:
        """The first branch."""
        return _Attempt(self._branches()[0], self._components)

    @cached_property
    def _others(self) -> list[_Attempt]:
        return [_Attempt(branch, self._components) for branch in self._branches()[1:]]

    def compile(self) -> None:
        """Compile all branches."""
        for attempt in (self.first, *self._others):
            attempt.compile()

    def split(self, text: str) -> Split | None:
        """Return the split of a text, or None if no branch matches."""
        first = self.first
        if first.needs in text and (match := first.match(text)):
            return first.split_of(match)
        return self.split_by_others(text)

    def split_by_others(self, text: str) -> Split | None:
        """Return the split by a branch other than the first one, or None if no such branch matches."""
        begin = text[:1]
        attempts = self._attempts_by_beginning.get(begin)
        if attempts is None:
            attempts = self._attempts_for(begin)
        for attempt in attempts:
            if attempt.needs in text and (match := attempt.match(text)):
                return attempt.split_of(match)
        return None

    def _attempts_for(self, begin: str) -> list[_Attempt]:
        """Return the branches, without the first one, of the texts with this first character.

        They are remembered by the letter of the character, so that hostile texts do not fill the memory.
        """
        # what is no str matches nothing here, and the caller says what is wrong with it
        letter = stand_ins(begin) if isinstance(begin, str) else begin  # type: ignore[redundant-expr]
        attempts = self._attempts_by_beginning.get(letter)
        if attempts is None:
            attempts = [attempt for attempt in self._others if letter in attempt.begins]
            if attempts:
                self._attempts_by_beginning[letter] = attempts
        return attempts


class _Attempt:
    """A branch, compiled when it is first tried."""

    def __init__(self, branch: Branch, components: tuple[str, ...]) -> None:
        self.begins = branch.begins
        self.needs = branch.needs
        self._branch = branch
        # the group of each component, 0 if it is absent
        self._groups = [branch.groups.get(name, 0) for name in components]
        absent_count = len(components) - branch.captures
        in_order = [0] * absent_count + list(range(1, branch.captures + 1))
        #: A None for each absent component before the groups.  If the groups are not in order, only None.
        self.absent = (None,) * absent_count if self._groups == in_order else None
        #: At first a function that compiles the branch.  (A cached property is read more slowly.)
        self.match: _Match = self._compile_and_match
        self._compiled: _Match | None = None

    def compile(self) -> _Match:
        """Compile the branch at the first call, and return the function that matches a whole text.

        From then on, the attribute `match` is this function.
        """
        if self._compiled is None:
            self._compiled = re.compile(self._branch.source).fullmatch
            self.match = self._compiled
        return self._compiled

    def _compile_and_match(self, text: str) -> re.Match[str] | None:
        return self.compile()(text)

    def split_of(self, match: re.Match[str]) -> Split:
        """Return the components of a match."""
        if self.absent is None:
            return tuple(match[group] if group else None for group in self._groups)
        return self.absent + match.groups()


def _join_branches(
    branches: tuple[Branch, ...], components: tuple[str, ...]
) -> tuple[re.Pattern[str], Columns]:
    """Return one pattern of all branches, and a mapping that shows which groups belong to a branch.

    It maps the number of the last group of each branch to the groups of the components in this branch.
    """
    sources: list[str] = []
    columns: dict[int | None, tuple[int, ...]] = {}
    group_count = sum(branch.captures + 1 for branch in branches)
    never_matching_group = group_count + 1
    before = 0  # the number of groups before the branch
    for branch in branches:
        # the first group of the branch has another number in the whole pattern
        source = branch.source.replace(_ABSENT, _ABSENT.replace("1", str(before + 1)))
        sources.append(f"{source}()" if components else source)
        groups = []
        for name in components:
            is_present = name in branch.groups
            groups.append(before + branch.groups[name] if is_present else never_matching_group)
        last_group = before + branch.captures + 1
        columns[last_group] = tuple(groups)
        before = last_group
    if components:
        sources.append("(?!)()")  # whose group is `never_matching_group`
    return re.compile("|".join(sources)), columns


def _groups(match: re.Match[str], numbers: tuple[int, ...]) -> Split:
    """Return the groups as a tuple; `Match.group` returns one only for several numbers."""
    return match.group(*numbers) if len(numbers) > 1 else (match[numbers[0]],)


def pattern(grammar: Grammar, rule: str, components: Iterable[str] = ()) -> Pattern:
    """Return a pattern of a rule that captures the outermost occurrence of each component.

    A component is a rule, a rule inside another (`outer/inner`), or any of several rules (`name=rule|rule`).
    """
    columns, captured = read_components(components)
    expanded = expand(grammar, Reference(rule), captured)
    if rule.lower() in grammar.fold_scheme:
        expanded = fold_scheme(expanded)
    return Pattern(without_subsumed(grammar, expanded), columns)


def _branches(expression: Expression, components: tuple[str, ...]) -> tuple[Branch, ...]:
    """Return the branches of an expression, with the components in order if that is possible."""
    written = []
    for branch in branches(expression):
        in_order = with_absent_columns(simplify(branch), components)
        written.append(_branch(in_order))
    return tuple(written)


def _branch(expression: Expression) -> Branch:
    """Return the branch of an expression in which each component stands at one place."""
    writer = _Writer(group_1_first=_begins_with_capture(expression))
    source = writer.write(expression, NOTHING)
    begins = first(expression, frozenset(("",)))
    return Branch(source, writer.groups, writer.count, begins, required_text(expression))


def _begins_with_capture(expression: Expression) -> bool:
    """Return True if each match begins with a capture that has no other inside, which then is group 1."""
    match expression:
        case Sequence((Capture(_, element), *_)):
            return not has_captures(element)
        case _:
            return False


def read_components(components: Iterable[str]) -> tuple[tuple[str, ...], ComponentRules]:
    """Return the component names, and a mapping from rules to (component name, components inside it).

    `components` are written as `pattern` takes them: a component before its parts, such as `outer/inner`.
    """
    columns: list[str] = []
    captured: dict[str, tuple[str, Any]] = {}
    for component in components:
        outer, slash, inner = component.partition("/")
        written = inner if slash else component
        name, _, rules = written.partition("=")
        columns.append(name)
        level = captured[outer.lower()][1] if slash else captured
        for rule in (rules or name).split("|"):
            level[rule.lower()] = (name, {})
    return tuple(columns), captured


class _Writer:
    """Writes expressions as `re` syntax; `groups` maps each component to the number of its group.

    `group_1_first` is true if the expression begins with group 1, so that this group has matched before any
    other part is tried.  While `possessive` is true, all repetitions are possessive.
    """

    def __init__(self, *, group_1_first: bool) -> None:
        self.group_1_first = group_1_first
        self.possessive = False
        self.count = 0
        self.groups: dict[str, int] = {}

    def write(self, expression: Expression, follow: frozenset[str]) -> str:
        """Return the expression as a regular expression.

        `follow` contains the characters that can come after the expression.
        """
        match expression:
            case Characters(members):
                return character_set(members)
            case Capture(name, element):
                self._number_group(name)
                return f"({self.write(element, follow)})"
            case Sequence(elements):
                return "".join(self._write_in_turn(elements, follow))
            case Alternation(elements):
                alternatives = (self._alternative(element, follow) for element in elements)
                return f"(?:{'|'.join(alternatives)})"
            case Repetition(Capture(name, Characters(members))) if not members:
                self._number_group(name)
                return _ABSENT if self.group_1_first else "(?:(?!)())?+"
            case Repetition():
                return self._repetition(expression, follow)
            case Reference(name):
                raise ValueError(f"reference to {name} is not expanded")

    def _number_group(self, name: str) -> None:
        """Give the next number to a group of a component, whose first group is the one that counts."""
        self.count += 1
        self.groups.setdefault(name, self.count)

    def _alternative(self, element: Expression, follow: frozenset[str]) -> str:
        """Return the regular expression of an alternative, with simpler expressions tried before it.

        If there are simpler ones, the character after the alternative shows where it ends.  Therefore the
        matcher need not try another end.
        """
        simpler = list(_simpler_forms(element, follow))
        if not simpler:
            return self.write(element, follow)
        self.possessive = True
        sources = [self.write(form, follow) for form in simpler]
        self.possessive = False
        sources.append(self.write(element, follow))
        return f"(?>(?:{'|'.join(sources)})(?!{character_set(_alphabet(element))}))"

    def _write_in_turn(self, elements: tuple[Expression, ...], follow: frozenset[str]) -> Iterator[str]:
        """Yield the regular expression of each element of a sequence."""
        for number, element in enumerate(elements):
            yield self.write(element, first(Sequence(elements[number + 1 :]), follow))

    def _repetition(self, repetition: Repetition, follow: frozenset[str]) -> str:
        """Return the pattern of a repetition before letters of `follow`, possessive if it never gives back.

        If it may be possessive, an unbounded repetition of `a` or `bc` becomes `[a]*+(?:bc[a]*+)*+`: a run of
        single characters is one step, and only what is longer is tried by itself.
        """
        element = repetition.element
        minimum = repetition.minimum
        maximum = repetition.maximum
        is_possessive = self.possessive or deterministic(repetition, follow)
        quantifier = _quantifier(minimum, maximum) + ("+" if is_possessive else "")
        # what can follow one element: after the last one `follow`, after the others also the next element
        after_element = follow if maximum == 1 else follow | first(element, NOTHING)
        if isinstance(element, Characters):
            return character_set(element.members) + quantifier
        has_runs = is_possessive and maximum is None and minimum <= 1
        if has_runs and isinstance(element, Alternation):
            single, *longer = element.elements
            if isinstance(single, Characters):
                return self._runs(character_set(single.members), longer, after_element, minimum)
        return f"(?:{self.write(element, after_element)}){quantifier}"

    def _runs(
        self, single: str, longer: Iterable[Expression], after_element: frozenset[str], minimum: int
    ) -> str:
        """Return the pattern of at least `minimum` (0 or 1) elements that are single characters or longer."""
        written = [self.write(element, after_element) for element in longer]
        longer_element = f"(?:{'|'.join(written)})" if len(written) > 1 else written[0]
        run = f"{single}*+"
        required = f"(?:{single}|{longer_element})" if minimum else ""
        return f"{required}{run}(?:{longer_element}{run})*+"


def _simpler_forms(element: Expression, follow: frozenset[str]) -> Iterator[Expression]:
    """Yield simpler forms of an alternative that need no backtracking, such as host names without hyphens.

    There are such forms if the alternative repeats a sequence, the next character does not always decide
    whether the repetition continues, and this is due to optional parts of the sequence.  The form leaves out
    a character that only these parts contain.  No character of the alternative may be in `follow`.
    """
    if not isinstance(element, Sequence) or has_captures(element) or _alphabet(element) & follow:
        return
    for number, part in enumerate(element.elements):
        match part:
            case Repetition(Sequence(inside), 0, None):
                after_part = first(Sequence(element.elements[number + 1 :]), follow)
                if not deterministic(part, after_part):
                    yield from _without_optional_characters(element, inside)


def _without_optional_characters(element: Sequence, inside: tuple[Expression, ...]) -> Iterator[Expression]:
    """Yield the alternative without each character, such as a hyphen, that only options of `inside` need."""
    single: set[frozenset[str]] = set()  # the sets of one character in the options
    for option in inside:
        if not isinstance(option, Repetition) or option.minimum != 0:
            continue
        if isinstance(option.element, Sequence):
            alphabets = map(_alphabet, walk(option.element))
            single.update(characters for characters in alphabets if len(characters) == 1)
    for character in sorted(single, key=min):
        simpler = without_characters(element, character)
        if simpler is not None:
            yield simplify(simpler)


def _alphabet(expression: Expression) -> frozenset[str]:
    """Return the letters in the character sets of an expression."""
    return NOTHING.union(*(part.members for part in walk(expression) if isinstance(part, Characters)))


def _quantifier(minimum: int, maximum: int | None) -> str:
    """Return the quantifier of a repetition."""
    if (minimum, maximum) in _QUANTIFIERS:
        return _QUANTIFIERS[minimum, maximum]
    if minimum == maximum:
        return f"{{{minimum}}}"
    return f"{{{minimum},{'' if maximum is None else maximum}}}"


def character_set(characters: frozenset[str]) -> str:
    """Return the regular expression of a set of letters; it matches the characters that they stand for."""
    character = only_character(characters)
    if character is not None:
        return re.escape(character)
    return f"[{''.join(map(_range, spans(characters)))}]"


def _range(span: Range) -> str:
    """Return a range of code points as in a character set."""
    low = re.escape(chr(span.first))
    high = re.escape(chr(span.last))
    return low if span.size == 1 else f"{low}-{high}"
