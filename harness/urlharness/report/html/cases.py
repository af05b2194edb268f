"""The cases of a run as data for the script of the page.

The page only shows and selects: which answers are equal, in which components answers differ, and why, is
computed here. The data include the paragraphs that requirements cite, if the texts of the RFCs are installed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from urlharness.compare.causes import expected_answers
from urlharness.compare.families import Likeness, cluster_by_likeness
from urlharness.compare.matrix import Disagreement, Matrix, make_matrix
from urlharness.corpus.differences import load_ruling_texts, load_rulings
from urlharness.corpus.loader import load_classes
from urlharness.corpus.model import Case, Expected, Level, Operation, Requirement, load_flags
from urlharness.corpus.rfctext import cited_paragraphs, read_configured_texts
from urlharness.corpus.specifications import SPECS, url_specs
from urlharness.gate.gate import FINDINGS, Judgement
from urlharness.panel.answer import Answer, AnswerGroup, grouped
from urlharness.panel.severity import harm_rank
from urlharness.report.html.answers import AnswerTable, Briefs, Interned
from urlharness.report.html.comparison import ComparisonChapter
from urlharness.report.html.tables import participants_with_column
from urlharness.report.summary import KIND_OF, library_names
from urlharness.results.model import AskedVector, Header, Participant, Result, Results
from urlharness.results.scores import report_order
from urlharness.results.verdict import Outcome
from urlharness.shell import option_words, quote
from urlharness.text import short_names
from urlharness.wording import rfc

#: The tier of stored cases.
CORE = "core"

#: The query for the cases that any implementation fails.
FAILING = "outcome:failing"

#: The kinds of findings on cases that a page shows first, the first of these that there is.
_SHOWN_FIRST = tuple(kind for kind in FINDINGS if kind != "stale")

#: The sign for no answer, in patterns (one letter per outcome) and in partitions (one digit per answer).
NONE = "."

#: The maximum length of a name at the head of a column, and in a sentence.
HEAD_LIMIT, _WORD_LIMIT = 20, 80

_LETTERS: Mapping[str, str] = {outcome: chr(ord("a") + number) for number, outcome in enumerate(KIND_OF)}


class DataBlocks(NamedTuple):
    """The two JSON blocks of the page, as `data_blocks` makes them, and the clusters of implementations."""

    listed: bytes
    details: bytes
    likeness: Likeness


class ColumnOrder(NamedTuple):
    """By what columns are ordered.

    `scores` has the share of held statements of each implementation. `best_first` are the numbers of the
    columns by quality. `initial` is the order at first, `run` or `quality`.
    """

    scores: Sequence[float]
    best_first: Sequence[int]
    initial: str


class ListedCase(NamedTuple):
    """A case as the list of the page gets it: an array, which `assets/script/data.js` reads by position.

    Numbers stand for a section, a set of flags and a pattern.
    `witness` is 1 or 0. The pattern is the letter of each outcome, in the order of the implementations.
    """

    section: int
    id: str
    op: Operation
    level: Level
    binding: str
    class_: str
    flags: int
    tier: str
    inputs: Mapping[str, Any]
    witness: int
    pattern: int


class CaseDetails(NamedTuple):
    """The details of a case as the page gets them, followed by the numbers of its different answers.

    `assets/script` reads this array by position, in `data.js`, `differences.js`, `query.js` and
    `statements.js`. `requirement` and `partition` are numbers. The partition has a sign for each
    implementation: which of the different answers is its own.
    """

    requirement: int
    expect: Expected
    ruling: str
    comment: str
    source: str
    partition: int


def data_blocks(
    results: Results,
    components: Mapping[str, Sequence[str]],
    columns: ColumnOrder | None = None,
    matrix: Matrix | None = None,
    start: str = FAILING,
    comparison: ComparisonChapter | None = None,
    judgements: Sequence[Judgement] = (),
) -> DataBlocks:
    """Return the list of cases, which the page reads first, and the details of each case.

    `components` contains the names of the components of each RFC, in order. `columns` has orders of the
    columns. If `matrix` does not compare all implementations, a new one is made. `start` is the query of the
    page at first. On a page with a `comparison`, the list has its order, and the answers in its rows. A gate
    has `judgements`, and cases have its findings.
    """
    if matrix is not None and len(matrix.names) >= len(results.ran):
        complete_matrix = matrix
    else:
        complete_matrix = make_matrix(results)
    participants = participants_with_column(results)
    tables = _fill_tables(results, participants, complete_matrix, comparison)
    names = [participant.name for participant in participants]
    clusters = cluster_by_likeness(names, tables.compared)
    asked_specs = {vector.case.spec for vector in results.vectors.values()}
    listed = {
        **_names_of_columns(results, names),
        **_orders_of_columns(columns or _order_of_run(len(names)), clusters),
        "components": components,
        "again": _repro_options(results.header),
        "start": start,
        "compared": comparison is not None,
        "findings": findings_by_kind(results, judgements),
        **_vocabulary(asked_specs),
        **tables.listed_contents(),
    }
    details = tables.details_contents()
    return DataBlocks(msgspec.json.encode(listed), msgspec.json.encode(details), clusters)


def _names_of_columns(results: Results, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the names of the implementations, in full, for the heads of columns, and for sentences."""
    libraries = library_names(results)
    heads = short_names((libraries[name] for name in names), HEAD_LIMIT)
    words = short_names(names, _WORD_LIMIT)
    return {"implementations": names, "heads": list(heads.values()), "words": list(words.values())}


def _orders_of_columns(columns: ColumnOrder, clusters: Likeness) -> Mapping[str, object]:
    """Return the orders of the columns under the names that the script of the page knows."""
    return {
        "order": clusters.order,
        "scores": columns.scores,
        "quality": columns.best_first,
        "ordered": columns.initial,
    }


def _order_of_run(count: int) -> ColumnOrder:
    """Return the order of so many columns without scores: that of the run."""
    return ColumnOrder(scores=[0.0] * count, best_first=list(range(count)), initial="run")


def findings_by_kind(results: Results, judgements: Iterable[Judgement]) -> Mapping[str, Sequence[str]]:
    """Map each kind of finding to the ids of its stored cases, each once, in the order of the gate."""
    ids_by_kind: dict[str, dict[str, None]] = {kind: {} for kind in FINDINGS}
    for judgement in judgements:
        for finding in judgement.findings:
            if finding.id in results.vectors:
                ids_by_kind[finding.kind][finding.id] = None
    return {kind: list(ids) for kind, ids in ids_by_kind.items() if ids}


def first_query(results: Results, judgements: Iterable[Judgement]) -> str:
    """Return the query of a page at first: the regressions of a gate, or else what it found worst.

    Without a finding on a case, these are all failing cases.
    """
    kinds = findings_by_kind(results, judgements)
    for kind in _SHOWN_FIRST:
        if kind in kinds:
            return f"finding:{kind}"
    return FAILING


def _fill_tables(
    results: Results,
    participants: Sequence[Participant],
    matrix: Matrix,
    comparison: ComparisonChapter | None,
) -> CaseTables:
    """Return the tables of all cases and answers, on a page with a `comparison` in its order."""
    briefs = None if comparison is None else Briefs(comparison.first)
    tables = CaseTables(participants, matrix.disagreements, briefs)
    # the sections come first, so that their numbers are in the order of reports
    for vector in sorted(results.vectors.values(), key=lambda vector: report_order(vector.case)):
        tables.add_section(vector.case, vector.title)
    order = {} if comparison is None else comparison.order
    stored_cases = _stored_cases(results, participants, order)
    generated_cases = _generated_cases(results, participants)
    for vector, tier, answers in chain(stored_cases, generated_cases):
        tables.add(vector, tier, answers)
    return tables


def _vocabulary(asked_specs: Collection[str]) -> Mapping[str, Any]:
    """Return the names of RFCs, outcomes and flags.

    They are the same for every run, except that an RFC on IRIs has a name only if it was asked.
    """
    meanings: dict[str, str] = {}
    for entries in terms().values():
        meanings |= entries
    specs = {spec: rfc(spec) for spec in SPECS if spec in asked_specs or spec in url_specs()}
    failing = sorted(outcome for outcome in Outcome if outcome.wrong)
    flags = {name: entry.effect for name, entry in load_flags().items()}
    return {
        "specs": specs,
        "outcomes": list(KIND_OF),
        "kinds": KIND_OF,
        "failing": failing,
        "flags": flags,
        "terms": meanings,
    }


def _repro_options(header: Header) -> list[str]:
    """Return two strings of options of `urlconform repro`, which the script of the page reads by position.

    The first is for stored cases only, the second for all cases.
    """
    stored = option_words(vectors=header.vectors)
    every = option_words(timeout=header.timeout, start_timeout=header.start_timeout)
    return [_appendix_to_command(stored), _appendix_to_command(every)]


def _appendix_to_command(words: Iterable[str]) -> str:
    """Return words for a shell, each after a blank, so that they can be appended to a command."""
    return "".join(f" {quote(word)}" for word in words)


@cache
def terms() -> Mapping[str, Mapping[str, str]]:
    """Return the terms of the page with their meanings, by heading."""
    assets = resources.files("urlharness.report.html") / "assets"
    text = (assets / "terms.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, str]])


#: A case, its tier, and the answer of each implementation, or None if it has none.
_AnsweredCase = tuple[AskedVector, str, list[Result | None]]


def _stored_cases(
    results: Results, participants: Sequence[Participant], order: Mapping[str, int]
) -> Iterator[_AnsweredCase]:
    """Yield the stored cases: those in `order` first, then by RFC, but witnesses last.

    `order` maps the ids of cases to their places.
    """
    answers_by_column = [results.of(participant.name) for participant in participants]
    by_spec = sorted(results.vectors.values(), key=lambda vector: _listed_order(vector.case))
    # a case that is not in `order` keeps its place among the others
    vectors = sorted(by_spec, key=lambda vector: order.get(vector.case.vector.id, len(order)))
    for vector in vectors:
        identifier = vector.case.vector.id
        yield vector, CORE, [answers.get(identifier) for answers in answers_by_column]


def _generated_cases(results: Results, participants: Sequence[Participant]) -> Iterator[_AnsweredCase]:
    """Yield the generated cases that the results contain by RFC, but witnesses last."""
    tiers = {tally.part: tally.tier for tally in results.tallies}
    vectors: dict[str, AskedVector] = {}
    answers_by_id: dict[str, dict[str, Result]] = {}
    for example in results.examples:
        identifier = example.asked.case.vector.id
        vectors.setdefault(identifier, example.asked)
        answers_by_id.setdefault(identifier, {})[example.result.implementation] = example.result
    for vector in sorted(vectors.values(), key=lambda vector: _listed_order(vector.case)):
        answers = answers_by_id[vector.case.vector.id]
        tier = tiers.get(vector.case.file, "generated")
        yield vector, tier, [answers.get(participant.name) for participant in participants]


def _listed_order(case: Case) -> tuple[object, ...]:
    """Return the sort key of a case: witnesses last, otherwise the order of reports."""
    is_witness = case.vector.origin == "mutant"
    return (is_witness, *report_order(case))


class CaseTables:
    """The tables of both JSON blocks. `compared` is the input of `cluster_by_likeness`.

    Each table of cases has one row for a case, in the order in which they are added. The script of the page
    reads the rows by position. Without `briefs`, there is no table of the answers in the rows of the list.
    """

    def __init__(
        self,
        participants: Sequence[Participant],
        disagreements: Iterable[Disagreement],
        briefs: Briefs | None = None,
    ) -> None:
        self._briefs = briefs
        self._listed: list[ListedCase] = []
        self._sections = Interned[list[str]]()
        self._flagsets = Interned[Sequence[str]]()
        self._patterns = Interned[str]()
        self.compared: list[list[bytes | None]] = []
        self._participants = participants
        self._disagreements = {disagreement.case.vector.id: disagreement for disagreement in disagreements}
        self._columns = {participant.name: column for column, participant in enumerate(participants)}
        self._answers = AnswerTable()
        self._details: list[list[Any]] = []
        self._requirements = Interned[Requirement]()
        self._spec_of_requirement: dict[int, str] = {}
        self._rulings: set[str] = set()
        self._partitions = Interned[str]()
        self._group_signs = Interned[str]()
        self._groups: list[list[int | None]] = []
        self._parts = Interned[tuple[str, ...]]()
        self._classes = Interned[str]()
        self._causes = Interned[str]()
        self._differences: list[list[int]] = []

    def add_section(self, case: Case, title: str) -> int:
        """Add the section of a case unless it is there, and return its number."""
        return self._sections.add_with_key((case.spec, case.section), [case.spec, case.section, title])

    def add(self, asked_vector: AskedVector, tier: str, answers: Sequence[Result | None]) -> None:
        """Add one case to every table, with the answer of each implementation, or None if it has none."""
        is_stored = tier == CORE
        case = asked_vector.case
        title = asked_vector.title if is_stored else ""
        self._add_listed_case(case, tier, title, answers)
        rows = self._add_answers(case, answers)
        different_rows = self._different_rows(rows)
        source = title if is_stored else case.file
        self._add_details(asked_vector, source, rows, different_rows)
        disagreement = self._disagreements.get(case.vector.id) if is_stored else None
        groups = self._groups_of(rows, different_rows, disagreement)
        group_signs = self._group_signs.add(_signs(groups))
        self._groups.append([group_signs, *self._numbers_of_admissible(case)])
        self._differences.append(self._difference_row(disagreement))
        if self._briefs is not None:
            self._briefs.add(case, self._answers_by_name(rows), disagreement)
        if is_stored:
            keys = self._answers.likeness
            self.compared.append([None if row is None else keys[row] for row in rows])

    def _add_answers(self, case: Case, answers: Sequence[Result | None]) -> list[int | None]:
        """Add the answers to their table, and return the number of the row of each, or None without one."""
        rows: list[int | None] = []
        for participant, answer in zip(self._participants, answers, strict=True):
            row = None if answer is None else self._answers.add(case, answer, participant.features)
            rows.append(row)
        return rows

    def _answers_by_name(self, rows: Sequence[int | None]) -> Mapping[str, Answer]:
        """Map each implementation that answered to its answer. `rows` has the number of its row."""
        answers = {}
        for participant, row in zip(self._participants, rows, strict=True):
            if row is not None and self._answers.answers[row].answered:
                answers[participant.name] = self._answers.answers[row]
        return answers

    def _add_listed_case(self, case: Case, tier: str, title: str, answers: Iterable[Result | None]) -> None:
        """Add a case as the list of the page gets it. `title` is that of its section."""
        vector = case.vector
        letters = [NONE if answer is None else _LETTERS[answer.outcome] for answer in answers]
        section = self.add_section(case, title)
        flags = self._flagsets.add(case.flags)
        pattern = self._patterns.add("".join(letters))
        is_witness = vector.origin == "mutant"
        listed_case = ListedCase(
            section=section,
            id=vector.id,
            op=vector.op,
            level=vector.level,
            binding=vector.binding,
            class_=vector.class_ or "",
            flags=flags,
            tier=tier,
            inputs=vector.inputs,
            witness=int(is_witness),
            pattern=pattern,
        )
        self._listed.append(listed_case)

    def _add_details(
        self,
        asked_vector: AskedVector,
        source: str,
        rows: Iterable[int | None],
        different_rows: list[int],
    ) -> None:
        """Add the details of a case. `source` is the title of its section, or the part that generated it.

        `rows` has the number of each implementation's answer, and `different_rows` each number once.
        """
        vector = asked_vector.case.vector
        requirement = asked_vector.requirement
        number = self._requirements.add_with_key(requirement.id, requirement)
        self._spec_of_requirement.setdefault(number, asked_vector.case.spec)
        for ruling in (vector.ruling, requirement.ruling):
            if ruling:
                self._rulings.add(ruling)
        number_of_row = {row: number for number, row in enumerate(different_rows)}
        signs = _signs(None if row is None else number_of_row[row] for row in rows)
        partition = self._partitions.add(signs)
        details = CaseDetails(
            requirement=number,
            expect=vector.expect,
            ruling=vector.ruling or "",
            comment=vector.comment or "",
            source=source,
            partition=partition,
        )
        self._details.append([*details, *different_rows])

    def listed_contents(self) -> Mapping[str, Any]:
        """Return the block with what the list of the cases shows, by the names that the script reads."""
        return {
            "sections": self._sections.values,
            "flagsets": self._flagsets.values,
            "patterns": self._patterns.values,
            "cases": self._listed,
        }

    def details_contents(self) -> Mapping[str, Any]:
        """Return the block with the details of the cases, by the names that the script reads."""
        rulings = {name: _ruling_row(name) for name in sorted(self._rulings)}
        groups = {"signs": self._group_signs.values, "cases": self._groups}
        differences = {
            "parts": self._parts.values,
            "classes": self._classes.values,
            "titles": self._titles_of_classes(),
            "causes": self._causes.values,
            "cases": self._differences,
        }
        return {
            "requirements": self._requirements.values,
            "paragraphs": self._paragraphs(),
            "rulings": rulings,
            "partitions": self._partitions.values,
            "answers": self._answers.rows,
            "shown": self._answers.shown.values,
            "cases": self._details,
            "groups": groups,
            "differences": differences,
            "briefs": None if self._briefs is None else self._briefs.contents(),
        }

    def _titles_of_classes(self) -> list[str]:
        """Return the title of each class, or its id if the installed corpus does not have it."""
        classes = load_classes()
        return [classes[name].title if name in classes else f"{name} class" for name in self._classes.values]

    def _different_rows(self, rows: Sequence[int | None]) -> list[int]:
        """Return each row once. Those of answers with the most components come first."""
        answers = self._answers.answers
        different_rows = dict.fromkeys(row for row in rows if row is not None)
        return sorted(different_rows, key=lambda row: -len(answers[row].components))

    def _numbers_of_admissible(self, case: Case) -> list[int | None]:
        """Return the number of what each right answer shows, or an empty list if none has components."""
        answers = expected_answers(case.vector.expect)
        numbers = [self._answers.add_shown(answer) for answer in answers]
        return numbers if any(number is not None for number in numbers) else []

    def _groups_of(
        self, rows: Sequence[int | None], different_rows: Sequence[int], disagreement: Disagreement | None
    ) -> list[int]:
        """Return the number of the group of equal answers to which each of the different rows belongs.

        Larger groups come first, and implementations that do not offer the operation last; see `grouped`.
        """
        if len(different_rows) < 2:  # the common case
            return [0] * len(different_rows)
        row_by_name: dict[str, int] = {}
        for participant, row in zip(self._participants, rows, strict=True):
            if row is not None:
                row_by_name[participant.name] = row
        group_of: dict[int, int] = {}
        for number, group in enumerate(self._equal_answers(row_by_name, disagreement)):
            for name in group.names:
                group_of.setdefault(row_by_name[name], number)
        # a row belongs to its first group, so a later group may have no row
        numbers = sorted(set(group_of.values()))
        return [numbers.index(group_of[row]) for row in different_rows]

    def _equal_answers(
        self, row_by_name: Mapping[str, int], disagreement: Disagreement | None
    ) -> list[AnswerGroup]:
        """Return the groups of equal answers in the order of `_groups_of`.

        `row_by_name` maps each implementation to the row of its answer.
        """
        answered: dict[str, Answer] = {}
        unanswered: dict[str, Answer] = {}
        for name, row in row_by_name.items():
            answer = self._answers.answers[row]
            answers = answered if answer.answered else unanswered
            answers[name] = answer
        if disagreement is not None and disagreement.side_of.keys() == answered.keys():
            groups = [*disagreement.groups]  # they are known, and grouping takes long
        else:
            groups = grouped(answered.items())
        groups += grouped(unanswered.items())
        groups.sort(key=lambda group: (group.answer.kind == "not offered", -len(group.names)))
        return groups

    def _difference_row(self, disagreement: Disagreement | None) -> list[int]:
        """Return how the answers to a case differ, or an empty list if they do not.

        `assets/script` reads the list by position, in `differences.js` and `case.js`. It holds, as numbers,
        the components that differ by more than spelling, the class and the worst cause of the difference, and
        the implementations that give their answer alone.
        """
        if disagreement is None:
            return []
        alarms = {name for contrast in disagreement.contrasts for name in contrast.alarms}
        parts = tuple(sorted(alarms, key=lambda name: (harm_rank(name), name)))
        alone = []
        for group in disagreement.groups:
            if len(group.names) == 1:
                (name,) = group.names
                alone.append(self._columns[name])
        class_ = disagreement.entry or "none"
        cause = str(disagreement.cause)
        part_number = self._parts.add(parts)
        class_number = self._classes.add(class_)
        cause_number = self._causes.add(cause)
        return [part_number, class_number, cause_number, *alone]

    def _paragraphs(self) -> list[list[str]]:
        """Return the paragraphs that each requirement cites, or none if the text of the RFC is missing."""
        texts = read_configured_texts()
        paragraphs = []
        for number, requirement in enumerate(self._requirements.values):
            text = texts.get(self._spec_of_requirement[number])
            paragraphs.append([] if text is None else cited_paragraphs(text, requirement))
        return paragraphs


def _signs(numbers: Iterable[int | None]) -> str:
    """Return a sign for each number for the script: the digit 0 and the characters after it, or NONE."""
    signs = [NONE if number is None else chr(ord("0") + number) for number in numbers]
    return "".join(signs)


def _ruling_row(name: str) -> list[str]:
    """Return [chosen reading, title, text] of a ruling, which the script of the page reads by position.

    The texts are empty if the ruling is unknown.
    """
    reading = load_rulings().get(name, "")
    ruling = load_ruling_texts().get(name)
    if ruling is None:
        return [reading, "", ""]
    return [reading, ruling.title, ruling.text]
