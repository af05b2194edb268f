"""A comparison of libraries: as a document of words and tables, and as CSV."""

from __future__ import annotations

import csv
import io
import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import NamedTuple

from urlharness.adapters.functions import (
    asked_functions,
    documentation_on_claims,
    documentation_on_iris,
    normalizing_functions,
)
from urlharness.compare.browsers import ONLY_WITH_BASE, ada_version
from urlharness.compare.bypass import (
    MEANINGS,
    SPELLING,
    SPELLING_MEANING,
    TRAILING_DOT,
    TRAILING_DOT_MEANING,
    Bypass,
    BypassClass,
    BypassRow,
    Witness,
    rfc_hosts,
)
from urlharness.compare.causes import (
    Cause,
    Excuse,
    excuses_of,
    expected_answers,
    is_right_under_claimed_rfc,
    unclaimed_open_specs,
)
from urlharness.compare.citations import cited_section
from urlharness.compare.company import company_of
from urlharness.compare.families import Likeness
from urlharness.compare.history import Change, History
from urlharness.compare.matrix import (
    ClassCount,
    Disagreement,
    Matrix,
    Trait,
    by_class,
    count_causes,
)
from urlharness.compare.questions import is_text_of_user
from urlharness.corpus.describe import describe_expected, describe_inputs
from urlharness.corpus.differences import DifferenceClass
from urlharness.corpus.longtext import is_abbreviation
from urlharness.corpus.model import Case, Vector, is_difference
from urlharness.corpus.specifications import DEFAULT_SPEC, facts, is_asked, url_specs
from urlharness.generate.hosts import FETCHED_SCHEMES
from urlharness.panel.answer import Answer, AnswerGroup, recorded_answer
from urlharness.panel.panel import AdapterAnswers
from urlharness.panel.severity import OTHER, VERDICT
from urlharness.report.document import (
    LABEL,
    AnswerLine,
    Block,
    Command,
    Grid,
    Heading,
    Hint,
    Lines,
    Listing,
    has_shortened_text,
)
from urlharness.report.summary import answers_to_all_rfcs, quality, total_score
from urlharness.results.model import Participant, Result
from urlharness.results.scores import Answers, Score, State, scores_by_spec
from urlharness.results.verdict import Outcome
from urlharness.shell import join, option_words
from urlharness.text import plain, visible
from urlharness.wording import counted, enumerated, first_names, rfc, rfcs

#: The maximum number of libraries in a table of all pairs. For more libraries, this many pairs are listed.
_SQUARE, _WORST_PAIRS = 8, 10

#: The maximum number of classes, groups of equal answers, and changes to show. `--all` shows all classes and
#: changes.
_CLASSES, _GROUPS, _CHANGES = 12, 5, 20

#: The maximum number of compared libraries for which groups name every member.
_FEW = 4

#: The maximum number of libraries to name that give the same wrong answer, unless everything is shown.
_COMPANY = 4

#: The maximum number of libraries to name that have a habit or do not have it.
_TRAIT_NAMES = 6

#: The causes of an answer that a browser gives, too.
_CAUSES_OF_BROWSERS = frozenset((Cause.BROWSER, Cause.BROWSERS_DISAGREE))

#: The minimum mean share of equal answers within a family.
_ALIKE = 0.9

#: How to read the page of a maintainer.
_LINES_ON_READING = (
    "A class names what stands in the question or its target where the answers differ, not why.",
    "Answers are compared in the component before the class (verdict: accept or reject, answer: all).",
    '"Only": no other library that was asked and shows this component has the same there.',
    '"N of M others" have the most common answer of those that show it or reject (a URL: the whole).',
    "Without a base, browsers are a cause only of refusing what they refuse on every http page (as //).",
    "A library that reads a reference only with a base is given one where it accepts or refuses it.",
)

Classes = Mapping[str, DifferenceClass]


# ---- what is said


def comparison_blocks(
    matrix: Matrix,
    disagreements: Sequence[Disagreement],
    classes: Classes,
    traits: Sequence[Trait],
    *,
    everything: bool,
) -> Iterator[Block]:
    """Yield the report on several libraries.

    `disagreements` are those to show, and `traits` the habits of the libraries. If `everything` is True, all
    classes are shown.
    """
    yield Heading(comparison_title(matrix, len(disagreements)))
    yield from missing_library_blocks(matrix)
    if len(matrix.names) == 2:
        yield Lines([pair_sentence(matrix)])
    yield _score_table(matrix)
    yield from _cause_blocks(matrix, disagreements)
    yield from _class_blocks(disagreements, matrix, classes, everything=everything)
    if len(matrix.names) > 2:
        yield from pair_blocks(matrix)
        yield from family_blocks(matrix)
    yield from trait_blocks(traits, len(matrix.names))


def comparison_title(matrix: Matrix, selected: int) -> str:
    """Return the title of a comparison: its RFCs, its size, and the number of differences.

    If only some are `selected`, their number follows.
    """
    libraries = counted(len(matrix.names), "library", "libraries")
    questions = counted(len(matrix.answers), "question")
    differing = len(matrix.disagreements)
    title = f"{spec_names(matrix)}: {libraries}, {questions}, {differing:,} with different answers"
    return title if selected == differing else f"{title}, {selected:,} of them selected"


def spec_names(matrix: Matrix) -> str:
    """Return the names of the RFCs of the questions, or "nothing" if there is no question."""
    specs = dict.fromkeys(vector.case.spec for vector in matrix.results.vectors.values())
    names = ", ".join(map(rfc, specs))
    return names or "nothing"


def missing_library_blocks(matrix: Matrix) -> Iterator[Lines]:
    """Yield a line for each library that did not run, and one on those that were asked nothing."""
    missing = [participant for participant in matrix.results.participants if participant.state != "ran"]
    lines = [f"{library.name}: {library.status}: {plain(library.message)}" for library in missing]
    lines += _unasked_library_lines(matrix, matrix.results.ran)
    if lines:
        yield Lines(lines)


def _unasked_library_lines(matrix: Matrix, participants: Sequence[Participant]) -> Iterator[str]:
    """Yield a line on the libraries that were asked nothing, because they claim none of the RFCs."""
    specs = {vector.case.spec for vector in matrix.results.vectors.values()}
    if not specs:  # nobody was asked, so only the header says what the questions are
        specs = set(matrix.results.header.sizes)
    unasked = []
    for participant in participants:
        asked_specs = [spec for spec in specs if is_asked(spec, participant.specs)]
        if not asked_specs:
            unasked.append(participant.name)
    if specs and unasked:
        were = "was" if len(unasked) == 1 else "were"
        names = plain(enumerated(unasked))
        yield f"{names} {were} not asked: only a library that claims {rfcs(specs)} is asked about it."


def pair_sentence(matrix: Matrix) -> str:
    """Return in words how often two libraries, the only ones that are compared, differ."""
    first, second = matrix.names
    pair = matrix.pairs[first, second]
    names = f"{_name_with_version(matrix, first)} and {_name_with_version(matrix, second)}"
    shared = counted(pair.shared, "question")
    differ = f"They differ in {pair.different:,}, by more than spelling in {pair.alarms:,}"
    return f"{names} both answer {shared}. {differ}, and see different hosts in {pair.hosts:,}."


def _name_with_version(matrix: Matrix, name: str) -> str:
    """Return the name of a library and, if it is known, its version."""
    about = matrix.participant(name).implementation
    if about is None or about.version == "unknown":
        return name
    return f"{name} {about.version}"


def _score_table(matrix: Matrix) -> Grid:
    """Return the table of the libraries. Those with the largest shares of held statements come first."""
    scores_of_specs = scores_by_spec(matrix.results).values()
    scores = {}
    for name in matrix.names:
        scores_of_name = [by_name.get(name, Score()) for by_name in scores_of_specs]
        scores[name] = total_score(scores_of_name)
    texts = ["library", "version", "language"]
    figures = ["held", "failed", "right", "wrong", "not exposed", "not offered"]
    if len(matrix.names) > 2:
        figures.append("alone")
    names = sorted(matrix.names, key=lambda name: -quality(scores[name]))
    rows = [_score_row(matrix, name, scores[name]) for name in names]
    head = [*texts, *figures]
    figure_columns = frozenset(range(len(texts), len(head)))
    version_column = texts.index("version")
    return Grid(head, rows, figures=figure_columns, spare=frozenset({version_column}))


def _score_row(matrix: Matrix, name: str, score: Score) -> Sequence[str]:
    """Return the row of a library in `_score_table`.

    If only two libraries are compared, none can give an answer alone, and this column is missing.
    """
    about = matrix.participant(name).implementation
    identity = [name, about.version, about.language] if about else [name, "", ""]
    answers = score.required
    counts = [score.states[State.HELD], score.states[State.FAILED]]
    counts += [answers.right, answers.wrong, answers.partial, answers.unsupported]
    if len(matrix.names) > 2:
        counts.append(len(matrix.lone_disagreements(name)))
    figures = [f"{count:,}" for count in counts]
    return [*identity, *figures]


def _cause_blocks(matrix: Matrix, disagreements: Sequence[Disagreement]) -> Iterator[Block]:
    """Yield the table of causes, the worst first, and whose reading that of the browsers is.

    Yield nothing if there is no disagreement.
    """
    counts = count_causes(disagreements)
    rows = [(cause.value, f"{counts[cause]:,}") for cause in reversed(Cause) if counts[cause]]
    if not rows:
        return
    yield Heading("Why they differ (the worst cause of each question)")
    head = ["cause", "questions"]
    yield Grid(head, rows, figures=frozenset({1}))
    for line in lines_about_browsers(matrix, counts):
        yield Lines([line])


def lines_about_browsers(matrix: Matrix, counts: Counter[Cause]) -> Iterator[str]:
    """Yield whose reading is that of the browsers, and how often they disagree, if that is a cause.

    `counts` has the number of questions of each cause.
    """
    if counts[Cause.BROWSER] or counts[Cause.BROWSERS_DISAGREE]:
        yield f"The reading of the browsers is that of Ada {ada_version()}."
    if matrix.split_browsers:
        disagree = counted(matrix.split_browsers, "question")
        yield f'"browsers disagree": on {disagree}, another parser of the browsers differs from it:'
        dissents = [f"{name} on {count:,}" for name, count in matrix.dissents_of_browsers.most_common()]
        yield f"{', '.join(dissents)}."


def _class_blocks(
    disagreements: Sequence[Disagreement], matrix: Matrix, classes: Classes, *, everything: bool
) -> Iterator[Block]:
    """Yield a listing for each class of difference, and say how many differences are not listed."""
    alarms = [disagreement for disagreement in disagreements if disagreement.alarming]
    counts = by_class(alarms)
    if not counts:
        return
    yield Heading("What they differ in, by class; the most harmful first")
    listed = counts if everything else counts[:_CLASSES]
    for count in listed:
        yield class_listing(count, matrix, classes)
    yield from _hint_on_more_classes(len(counts) - len(listed))
    in_spelling = len(disagreements) - len(alarms)
    if in_spelling:
        questions = counted(in_spelling, "question")
        yield Lines([f"Not listed: {questions} with differences in spelling only."])


def _hint_on_more_classes(count: int) -> Iterator[Hint]:
    """Yield a hint on the option that shows the classes left out, if there are any."""
    if count > 0:
        classes = counted(count, "more class", "more classes")
        yield Hint(f"{classes}: --all")


def class_listing(count: ClassCount, matrix: Matrix, classes: Classes) -> Listing:
    """Return the listing of a class. Its command asks both libraries again, the worst answer first.

    It has no command if there are more than two libraries.
    """
    witness = count.witness
    answers = _answer_lines(witness, matrix)
    command = ""
    if len(matrix.names) <= 2:
        worst_first = sorted(witness.sides, key=lambda side: _harm_of_cause(side.cause), reverse=True)
        names = [name for side in worst_first for name in side.names]
        command = _command_to_ask_again(matrix, witness, names, answers)
    answers += _cause_lines(count)
    title = _class_title(count, classes)
    return Listing(title, _question_in_words(witness.case), answers, again=command, severity=count.component)


def _harm_of_cause(cause: Cause | None) -> int:
    """Return the rank of a cause, or -1 of an answer without a cause, which is the recommended one."""
    return -1 if cause is None else cause.rank


def _class_title(count: ClassCount, classes: Classes) -> str:
    """Return the title of a class: its name, and the number of its questions."""
    questions = counted(len(count.disagreements), "question")
    return f"{class_in_words(count.entry, classes)}, {questions}"


def _command_to_ask_again(
    matrix: Matrix, disagreement: Disagreement, names: Sequence[str], answers: Sequence[AnswerLine]
) -> str:
    """Return the command that asks libraries again: `ask` for the texts of the user.

    For other questions it is `repro`, which asks only the first library. It prints whole texts if one of the
    question or of the shown `answers` is shortened. Return an empty string if neither command can ask the
    question.
    """
    case = disagreement.case
    if is_text_of_user(case):
        return _ask_command(case.vector, names)
    spec = case.spec if is_difference(case) else ""
    whole = has_shortened_text(_question_in_words(case), answers)
    return matrix.results.repro_command(case.vector.id, names[0], spec=spec, whole=whole)


def _ask_command(vector: Vector, names: Sequence[str]) -> str:
    """Return the command `ask` for a vector, or an empty string if its operation or its text has none."""
    base = vector.base if isinstance(vector.base, str) else None
    text = vector.url if base is None else vector.reference
    if vector.op not in ("parse", "validate", "resolve"):
        return ""
    if not isinstance(text, str) or text == "-":  # which stands for the standard input
        return ""
    words = ["urlconform", "ask", *option_words(a=list(names))]
    if base is not None:  # also an empty base, which `option_words` would leave out
        words += ["--base", base]
    if text.startswith("-"):
        words.append("--")  # no option follows
    return join([*words, text])


def class_in_words(entry: str | None, classes: Classes) -> str:
    """Return the title and id of a class, or "no named class"."""
    if entry is None or entry not in classes:
        return "no named class"
    return f"{classes[entry].title} ({entry})"


def _question_in_words(case: Case) -> str:
    """Return the operation and the inputs of a question."""
    inputs = [f"{name} {_visible_input(text)}" for name, text in describe_inputs(case.vector)]
    return f"{case.vector.op} {', '.join(inputs)}"


def _visible_input(description: str) -> str:
    """Return an input for a reader. An abbreviation stays as it is, also between angle brackets."""
    is_readable = is_abbreviation(description.strip("<>"))
    return description if is_readable else visible(description)


def expected_in_words(case: Case, component: str = "") -> str:
    """Return the admissible answers in words, joined by "or": whole, or only a component."""
    answers = expected_answers(case.vector.expect)
    different_words = dict.fromkeys(answer.part_in_words(component) for answer in answers)
    return " or ".join(different_words)


def _answer_lines(disagreement: Disagreement, matrix: Matrix) -> list[AnswerLine]:
    """Return the expected answer, then the answers of the libraries.

    The largest group of libraries with equal answers comes first. Libraries of a group that have different
    causes have a line each. At most `_GROUPS` groups are shown.
    """
    count = len(matrix.names)
    expected = AnswerLine(rfc(disagreement.case.spec), expected_in_words(disagreement.case))
    lines = [expected]
    for group in disagreement.groups[:_GROUPS]:
        for cause, names in _names_by_cause(disagreement, group):
            note = _cause_with_dissenters(cause, matrix, disagreement, names[0], everything=False)
            lines.append(AnswerLine(_names_in_words(names, count), group.answer.in_words(), note))
    more_groups = len(disagreement.groups) - _GROUPS
    if more_groups > 0:
        lines.append(AnswerLine(counted(more_groups, "more answer"), words=""))
    return lines


def _cause_with_dissenters(
    cause: Cause | None, matrix: Matrix, disagreement: Disagreement, name: str, *, everything: bool
) -> str:
    """Return a cause in words, with the parsers of browsers that give another answer if browsers disagree.

    Only some of these parsers are named unless `everything` is true.
    """
    if cause is not Cause.BROWSERS_DISAGREE:
        return cause or ""
    dissenters = matrix.dissenting_parsers(name, disagreement)
    names = ", ".join(dissenters) if everything else first_names(dissenters, _COMPANY)
    return f"{cause}: not so {names}"


def _names_by_cause(
    disagreement: Disagreement, group: AnswerGroup
) -> list[tuple[Cause | None, Sequence[str]]]:
    """Return the libraries in a group by the causes of their answer, the worst cause first."""
    names_by_cause: dict[Cause | None, list[str]] = {}
    for name in group.names:
        cause = disagreement.side_of[name].cause
        names_by_cause.setdefault(cause, []).append(name)
    worst_first = sorted(names_by_cause, key=_harm_of_cause, reverse=True)
    return [(cause, names_by_cause[cause]) for cause in worst_first]


def _names_in_words(names: Sequence[str], library_count: int) -> str:
    """Return the names of libraries or, if that is too long, their number and one name.

    Of a few compared libraries, all are named. `library_count` is the number of the compared ones.
    """
    if library_count <= _FEW:
        return ", ".join(names)
    in_order = sorted(names)
    words = ", ".join(in_order)
    if len(words) <= LABEL:
        return words
    return f"{len(in_order)} ({in_order[0]} …)"


def pair_blocks(matrix: Matrix) -> Iterator[Block]:
    """Yield how often each two libraries differ, or only the worst pairs if there are many libraries."""
    if len(matrix.names) <= _SQUARE:
        yield Heading("Questions with answers that differ by more than spelling / in the host")
        yield _table_of_all_pairs(matrix)
    else:
        yield Heading("The pairs that see different hosts most often")
        yield _table_of_worst_pairs(matrix)


def _table_of_all_pairs(matrix: Matrix) -> Grid:
    """Return a square table with the alarms and the different hosts of each two libraries."""
    rows = []
    for row_name in matrix.names:
        row = [row_name]
        for column_name in matrix.names:
            # a pair is there in one order only, and no library is paired with itself
            pair = matrix.pairs.get((row_name, column_name)) or matrix.pairs.get((column_name, row_name))
            row.append(f"{pair.alarms:,}/{pair.hosts:,}" if pair else "")
        rows.append(row)
    head = ["", *matrix.names]
    return Grid(head, rows, figures=frozenset(range(1, len(head))))


def _table_of_worst_pairs(matrix: Matrix) -> Grid:
    """Return the table of the pairs with the most different hosts, a row for each."""
    by_hosts = sorted(matrix.pairs, key=lambda names: -matrix.pairs[names].hosts)
    rows = []
    for names in by_hosts[:_WORST_PAIRS]:
        pair = matrix.pairs[names]
        counts = (pair.hosts, pair.alarms, pair.different, pair.shared)
        cells = [f"{count:,}" for count in counts]
        rows.append([*names, *cells])
    texts = ["library", "and"]
    head = [*texts, "host", "by more than spelling", "different", "both answer"]
    return Grid(head, rows, figures=frozenset(range(len(texts), len(head))))


def family_blocks(matrix: Matrix) -> Iterator[Block]:
    """Yield the families of libraries that answer alike, the largest first, or nothing if there are none."""
    families = _families(matrix.likeness())
    if families:
        yield Heading(f"Families: at least {_ALIKE * 100:.0f} % of the answers are equal, on average")
        largest_first = sorted(families, key=lambda family: -len(family.names))
        yield Lines([family.line for family in largest_first])


def _families(likeness: Likeness) -> list[_Family]:
    """Return the largest clusters with a mean share of equal answers of at least `_ALIKE`."""
    families = []
    members: set[int] = set()
    # later joins are of larger clusters
    for cluster in reversed(likeness.joins):
        if cluster.share >= _ALIKE and members.isdisjoint(cluster.members):
            members.update(cluster.members)
            names = sorted(likeness.names[member] for member in cluster.members)
            families.append(_Family(cluster.share, names))
    return families


class _Family(NamedTuple):
    """Libraries that answer alike, and their mean share of equal answers."""

    share: float
    names: list[str]

    @property
    def line(self) -> str:
        """The share in percent, rounded down, and the names."""
        percentage = int(100 * self.share)
        names = ", ".join(self.names)
        return f"{percentage} %  {names}"


def trait_blocks(traits: Sequence[Trait], library_count: int) -> Iterator[Block]:
    """Yield a table of the habits. Of many libraries, it names those on the smaller side."""
    rows = []
    for trait in traits:
        count = len(trait.having) + len(trait.lacking)
        if count:
            names = _names_on_smaller_side(trait, library_count)
            rows.append([trait.words, f"{len(trait.having)} of {count}", names])
    if rows:
        yield Heading("Harmless habits (not counted above)")
        yield Grid(["habit", "libraries", "which"], rows)


def _names_on_smaller_side(trait: Trait, library_count: int) -> str:
    """Return which libraries have a habit or, after "not", which do not have it.

    Of few compared libraries, all that have it are named. Return an empty string if none is on the smaller
    side.
    """
    if library_count <= _FEW:
        return ", ".join(trait.having)
    if not trait.having or not trait.lacking:
        return ""
    if len(trait.having) <= len(trait.lacking):
        return first_names(trait.having, _TRAIT_NAMES)
    return f"not {first_names(trait.lacking, _TRAIT_NAMES)}"


# ---- for a maintainer


def maintainer_blocks(
    matrix: Matrix,
    name: str,
    wrong: Sequence[Disagreement],
    classes: Classes,
    traits: Sequence[Trait],
    *,
    everything: bool,
) -> Iterator[Block]:
    """Yield the report for the maintainer of a library: its wrong answers by class.

    Answers that no other library gives come first. `wrong` are the answers to show, as
    `Matrix.differences_from_rfc` returns them. If `everything` is True, all classes are shown.
    """
    participant = matrix.participant(name)
    yield _maintainer_heading(matrix, participant)
    for line in _unasked_library_lines(matrix, [participant]):
        yield Lines([line])
    listed = [answer for answer in wrong if not _is_right_under_a_claimed_rfc(answer, matrix, participant)]
    yield from _blocks_on_selection(matrix, participant, len(wrong), len(listed))
    if listed:
        yield Lines([*_LINES_ON_READING, *_lines_on_sources(name, listed)])
    yield from _ending_blocks(listed, name, matrix)
    for group in _groups_by_company(listed, name, matrix):
        if group.wrong:
            yield from _wrong_answer_blocks(group, name, matrix, classes, everything=everything)
    habits = [trait.words for trait in traits if name in trait.having]
    if habits:
        yield Heading("Harmless habits (not counted above)")
        yield Lines(habits)


def _blocks_on_selection(
    matrix: Matrix, participant: Participant, selected: int, listed: int
) -> Iterator[Lines]:
    """Yield the counts of all answers of a library, which RFCs it claims, and how many answers are left out.

    Of its wrong answers, `selected` are to be shown, and `listed` of these are not right under another RFC.
    """
    answers = Answers()
    for answer in matrix.results.of(participant.name).values():
        answers.count(answer.outcome)
    required = answers_to_all_rfcs(matrix.results, participant)
    yield Lines(_counts_of_answers(answers, required))
    if selected < answers.wrong:
        yield Lines([f"Selected: {selected:,} of the {answers.wrong:,} wrong answers."])
    yield Lines([_line_on_claims(participant)])
    right_elsewhere = selected - listed
    if right_elsewhere:
        claimed = counted(right_elsewhere, "wrong answer is", "wrong answers are")
        yield Lines([f"Not listed: {claimed} right under another RFC that the library claims."])


def _maintainer_heading(matrix: Matrix, participant: Participant) -> Heading:
    """Return the heading of the report on a library: its version and language, the RFCs, how many others."""
    library = _name_with_version(matrix, participant.name)
    about = participant.implementation
    if about and about.language:
        library += f" ({about.language})"
    other_libraries = counted(len(matrix.names) - 1, "other library", "other libraries")
    return Heading(f"{library} under {spec_names(matrix)}, beside {other_libraries}")


def _line_on_claims(participant: Participant) -> str:
    """Return which RFCs count as claimed by a library, and where that is from."""
    name = participant.name
    if not participant.specs:
        return f"{name} claims no RFC."
    claimed = rfcs(participant.specs)
    documentation = documentation_on_claims(name)
    if documentation:
        return f"{name} claims {claimed} ({documentation})."
    return f"{name} claims {claimed}, as its adapter says."


def _ending_blocks(wrong: Sequence[Disagreement], name: str, matrix: Matrix) -> Iterator[Block]:
    """Yield a listing for each way in which a library ends without an answer, the most common one first.

    Yield nothing if the library always answers.
    """
    questions_by_ending: dict[str, list[Disagreement]] = {}
    for disagreement in wrong:
        judgement = matrix.results.of(name)[disagreement.case.vector.id]
        if judgement.outcome.abnormal:
            questions_by_ending.setdefault(_ending_in_words(judgement), []).append(disagreement)
    if not questions_by_ending:
        return
    total = sum(map(len, questions_by_ending.values()))
    yield Heading(f"{name} crashes, or ends in another unexpected way: {counted(total, 'question')}")
    most_common_first = sorted(questions_by_ending, key=lambda ending: -len(questions_by_ending[ending]))
    for ending in most_common_first:
        yield _ending_listing(ending, questions_by_ending[ending], name, matrix)


def _ending_listing(ending: str, disagreements: Sequence[Disagreement], name: str, matrix: Matrix) -> Listing:
    """Return the listing of the questions on which a library ends in one way, with the shortest of them."""
    witness = min(disagreements, key=lambda disagreement: (len(disagreement.text), disagreement.text))
    expectation = _expected_with_authority(witness, matrix, name)
    answer = _answer_in_words(matrix, witness, name)
    lines = [AnswerLine(rfc(witness.case.spec), expectation), AnswerLine(name, answer)]
    title = f"{ending}, {counted(len(disagreements), 'question')}"
    command = _command_to_ask_again(matrix, witness, [name], lines)
    return Listing(title, _question_in_words(witness.case), lines, again=command)


def _ending_in_words(judgement: Result) -> str:
    """Return the class of the exception with which a library ended, or else how its adapter ended."""
    exception, _, _ = judgement.detail.partition(": ")
    if judgement.outcome is Outcome.ERROR and exception and " " not in exception:
        return visible(exception)
    return judgement.outcome


def _wrong_answer_blocks(
    group: _CompanyGroup, name: str, matrix: Matrix, classes: Classes, *, everything: bool
) -> Iterator[Block]:
    """Yield a heading with the number of classes, and a listing for each class of wrong answers."""
    counts = by_class(group.wrong)
    class_count = counted(len(counts), "class", "classes")
    questions = counted(len(group.wrong), "question")
    yield Heading(f"{group.companions}: {class_count}, {questions}")
    listed = counts if everything else counts[:_CLASSES]
    for count in listed:
        yield _maintainer_listing(count, name, matrix, classes, everything=everything)
    yield from _hint_on_more_classes(len(counts) - len(listed))


def _lines_on_sources(name: str, wrong: Sequence[Disagreement]) -> Iterator[str]:
    """Yield what gave the wrong answers of a library of the catalogue.

    The catalogue names the functions for URLs. For those for IRIs, which are others, it cites documentation.
    """
    if not any(facts(disagreement.case.spec).iris for disagreement in wrong):
        yield from _lines_on_functions(name, wrong)
        yield from _lines_on_normal_forms(name, wrong)
        return
    documentation = documentation_on_iris(name)
    if documentation:
        yield f"The functions for IRIs were asked: {documentation}."


def _lines_on_functions(name: str, wrong: Sequence[Disagreement]) -> Iterator[str]:
    """Yield which functions of a library of the catalogue give the wrong answers, by operation."""
    functions = asked_functions(name)
    operations = dict.fromkeys(disagreement.case.vector.op for disagreement in wrong)
    words = [f"{functions[operation]} ({operation})" for operation in operations if operation in functions]
    if words:
        yield f"Functions that gave the answers: {'; '.join(words)}."


def _lines_on_normal_forms(name: str, wrong: Sequence[Disagreement]) -> Iterator[str]:
    """Yield which functions of a library of the catalogue normalize, if a normal form is wrong."""
    functions = normalizing_functions(name)
    if functions and any(disagreement.case.vector.op == "normalize" for disagreement in wrong):
        yield f"Normal forms are those of {functions}."


def _counts_of_answers(answers: Answers, required: Answers) -> Sequence[str]:
    """Return lines with the counts of all answers and, unless they are the same, of the `required` ones."""
    complete = f"{answers.right:,} right, {answers.wrong:,} wrong"
    incomplete = f"{answers.partial:,} not exposed, {answers.unsupported:,} not offered"
    lines = [f"{complete}, {incomplete}."]
    if answers != required:
        note = "These are the answers to all questions. Scores count the required vectors of the corpus only"
        lines.append(f"{note}: {required.right:,} right, {required.wrong:,} wrong.")
    return lines


def _is_right_under_a_claimed_rfc(
    disagreement: Disagreement, matrix: Matrix, participant: Participant
) -> bool:
    """Return True if a library's wrong answer to a question is right under another RFC that it claims."""
    answer = matrix.results.of(participant.name)[disagreement.case.vector.id]
    return is_right_under_claimed_rfc(disagreement.case, answer, participant)


class _CompanyGroup(NamedTuple):
    """Wrong answers of a library, and in words, who else gives them."""

    companions: str
    wrong: Sequence[Disagreement]


def _groups_by_company(wrong: Sequence[Disagreement], name: str, matrix: Matrix) -> Iterator[_CompanyGroup]:
    """Yield three groups of wrong answers, which may be empty.

    No other library answers as in the first group, in the component in which the answer is wrong. Only
    browsers also answer as in the second group, and further libraries as in the third.
    """
    alone: list[Disagreement] = []
    with_browsers: list[Disagreement] = []
    with_others: list[Disagreement] = []
    for disagreement in wrong:
        alike = company_of(matrix, name, disagreement).alike
        if not alike:
            alone.append(disagreement)
        elif set(alike).issubset(matrix.browsers) and disagreement.cause in _CAUSES_OF_BROWSERS:
            with_browsers.append(disagreement)
        else:
            with_others.append(disagreement)
    yield _CompanyGroup(f"Only {name}", alone)
    yield _CompanyGroup(f"{name} and the browsers", with_browsers)
    yield _CompanyGroup(f"{name} and others", with_others)


def _maintainer_listing(
    count: ClassCount, name: str, matrix: Matrix, classes: Classes, *, everything: bool
) -> Listing:
    """Return the listing of a class for the maintainer of a library, with a witness of the class."""
    witness = count.witness
    lines = [*_maintainer_lines(witness, name, matrix, everything=everything), *_cause_lines(count)]
    title = _class_title(count, classes) + _note_on_spelling(count)
    command = _command_to_ask_again(matrix, witness, [name], lines)
    return Listing(title, _question_in_words(witness.case), lines, again=command, severity=count.component)


def _maintainer_lines(
    witness: Disagreement, name: str, matrix: Matrix, *, everything: bool
) -> Iterator[AnswerLine]:
    """Yield the expected answer with its section, the answer of a library, and those of the others."""
    excuses = _excuses(matrix, witness, name)
    section = cited_section(witness, matrix.results.vectors[witness.case.vector.id], excuses)
    expected = _expected_with_authority(witness, matrix, name)
    yield AnswerLine(f"{rfc(witness.case.spec)}, {section}", expected)
    answer = _answer_in_words(matrix, witness, name)
    cause = _cause_in_words(matrix, witness, name, excuses, everything=everything)
    yield AnswerLine(name, answer, cause)
    company = company_of(matrix, name, witness)
    yield from _lines_on_company(matrix, witness, name, company.alike, everything=everything)
    if company.common is not None:
        other_libraries = counted(company.common.total, "other")
        yield AnswerLine(f"{company.common.agreeing:,} of {other_libraries}", company.common.words)


def _lines_on_company(
    matrix: Matrix, witness: Disagreement, name: str, alike: Sequence[str], *, everything: bool
) -> Iterator[AnswerLine]:
    """Yield the libraries that answer as a library does. Those that were given a base for that come last."""
    answers = matrix.answers[witness.case.vector.id]
    label = _label_of_company(witness, witness.side_of[name].answer)
    with_base = [library for library in alike if answers[library].message == ONLY_WITH_BASE]
    without_base = [library for library in alike if library not in with_base]
    for label_of_libraries, libraries in ((label, without_base), (f"{label}, with a base", with_base)):
        if libraries:
            names = ", ".join(libraries) if everything else first_names(libraries, _COMPANY)
            yield AnswerLine(label_of_libraries, names, names=True)


def _excuses(matrix: Matrix, witness: Disagreement, name: str) -> Sequence[Excuse]:
    """Return the other RFCs under which the answer of a library is right, if that is its cause."""
    side = witness.side_of[name]
    if side.cause is not Cause.OTHER_RFC:
        return ()
    judgement = matrix.results.of(name)[witness.case.vector.id]
    return excuses_of(witness.case, judgement, side.answer, matrix.participant(name))


def _note_on_spelling(count: ClassCount) -> str:
    """Return ", in spelling only" if that holds of all answers of a class, or similar words, or nothing."""
    if count.component in (VERDICT, OTHER):
        return ""  # an abbreviation hides what differs, and no answer differs in no part
    if all(disagreement.cause is Cause.SPELLING for disagreement in count.disagreements):
        # a host that a library decodes is another text, so it counts as another host
        return f", {Cause.SPELLING}" if count.alarming else ", in spelling only"
    return "" if count.alarming else ", in spelling or empty parts only"


def _cause_in_words(
    matrix: Matrix, witness: Disagreement, name: str, excuses: Sequence[Excuse], *, everything: bool
) -> str:
    """Return the cause of an answer. If it is right under other RFCs, name them, and rulings that say so."""
    side = witness.side_of[name]
    if side.cause is Cause.DEFECT:
        return f"{side.cause}{_note_on_unclaimed_rfcs(matrix, witness, name)}"
    if side.cause is not Cause.OTHER_RFC:
        return _cause_with_dissenters(side.cause, matrix, witness, name, everything=everything)
    words = map(_excuse_in_words, excuses)
    return f"{side.cause}: {', '.join(words)}"


def _excuse_in_words(excuse: Excuse) -> str:
    """Return the RFC of an excuse, whether it leaves the answer open, and the rulings by which it does."""
    words = rfc(excuse.spec)
    if excuse.is_open:
        words += " leaves it open"
    if excuse.rulings:
        words += f" by {enumerated(excuse.rulings)}"
    return words


def _note_on_unclaimed_rfcs(matrix: Matrix, witness: Disagreement, name: str) -> str:
    """Return which RFCs leave an answer open, but are none that the library claims, or an empty string."""
    judgement = matrix.results.of(name)[witness.case.vector.id]
    answer = witness.side_of[name].answer
    specs = unclaimed_open_specs(witness.case, judgement, answer, matrix.participant(name))
    if not specs:
        return ""
    return f", left open by RFCs that the library does not claim: {', '.join(map(rfc, specs))}"


def _label_of_company(witness: Disagreement, answer: Answer) -> str:
    """Return what the libraries have in common that answer as a library does, as a label."""
    if witness.component == VERDICT and answer.answered:
        return "also accept" if answer.accepts else "also reject"
    if witness.component in (VERDICT, OTHER):
        return "so do"
    return f"same {witness.component}"


def _cause_lines(count: ClassCount) -> Iterator[AnswerLine]:
    """Yield the line of the causes of a class with their counts, unless all have the same cause."""
    counts = count_causes(count.disagreements)
    causes = [f"{cause} {number:,}" for cause, number in counts.most_common()]
    if len(causes) > 1:
        yield AnswerLine("causes in this class", ", ".join(causes), names=True)


def _expected_with_authority(witness: Disagreement, matrix: Matrix, name: str) -> str:
    """Return the admissible answers in words, joined by "or".

    If only the authority differs, it comes first, although the answers do not show it.
    """
    words = [admissible.in_words() for admissible in expected_answers(witness.case.vector.expect)]
    authority = _differing_authority(witness, matrix, name)
    if authority is not None:
        words = [f"authority {authority.admissible}  {text}" for text in words]
    return " or ".join(dict.fromkeys(words))


class _Authorities(NamedTuple):
    """The authority of an admissible answer and that of a library, for a reader."""

    admissible: str
    returned: str


def _differing_authority(witness: Disagreement, matrix: Matrix, name: str) -> _Authorities | None:
    """Return both authorities if only they differ, and neither answer shows them beside their parts."""
    answer = matrix.answers[witness.case.vector.id][name]
    if witness.component != "authority" or "authority" in answer.components:
        return None
    expected = witness.case.vector.expect.alternatives[0].components
    returned = matrix.results.of(name)[witness.case.vector.id].got.get("components", {})
    if not isinstance(expected, Mapping):
        return None
    return _Authorities(_authority_in_words(expected), _authority_in_words(returned))


def _authority_in_words(components: Mapping[str, object]) -> str:
    """Return the authority among components for a reader, also if it is absent or empty."""
    authority = str(components.get("authority") or "")
    return visible(authority) or "(empty)"


def _answer_in_words(matrix: Matrix, witness: Disagreement, name: str) -> str:
    """Return the answer of a library in words. The adapter may say how the library accepts a text.

    If only the authority differs, it comes first.
    """
    answer = matrix.answers[witness.case.vector.id][name]
    words = answer.in_words()
    authority = _differing_authority(witness, matrix, name)
    if authority is not None:
        words = f"authority {authority.returned}  {words}"
    if answer.kind == "valid" and answer.message:
        words += f" ({answer.message})"
    if answer.kind == "none":
        words += ", neither an answer nor a refusal"
        if answer.message:
            words += f": {answer.message}"
    return words


# ---- who checks, who fetches


def bypass_blocks(bypasses: Bypass, classes: Classes, *, everything: bool, only: str = "") -> Iterator[Block]:
    """Yield the report on whether a text can pass a check as one host and be fetched from another.

    `only` names the option that restricts `bypasses`, or is empty.
    """
    restriction = f" ({only})" if only else ""
    parsers = f"check {bypasses.check.name}, fetch {bypasses.fetch.name}"
    yield Heading(f"{parsers}: {_verdict_on_bypasses(bypasses)}{restriction}")
    lines = [
        _line_on_accepted_texts(bypasses),
        *_lines_about_texts_left_out(bypasses),
        *_lines_on_checked_host(bypasses),
    ]
    yield Lines(lines)
    yield _bypass_rows(bypasses)
    listed = bypasses.classes if everything else bypasses.classes[:_CLASSES]
    for group in listed:
        yield _bypass_listing(bypasses, group, classes)
    yield from _hint_on_more_classes(len(bypasses.classes) - len(listed))
    if bypasses.passing:
        yield Heading("How to close it")
        yield Lines(remedy_lines(bypasses))


def _verdict_on_bypasses(bypasses: Bypass) -> str:
    """Return in words whether a text gets past the check. If none does, say how many texts were tried."""
    if bypasses.passing:
        ways = counted(len(bypasses.classes), "way")
        return f"BYPASSABLE in {ways}"
    if bypasses.both:
        return f"no bypass in {counted(bypasses.texts, 'text')}"
    return "nothing compared"


def _line_on_accepted_texts(bypasses: Bypass) -> str:
    """Return how many texts both accept, and of how many, unless the verdict says that already."""
    if bypasses.both and not bypasses.passing:
        return f"Both accept {bypasses.both:,}."
    return f"{counted(bypasses.texts, 'text')}; both accept {bypasses.both:,}."


def repeat_blocks(bypasses: Bypass, command: str, date: str) -> Iterator[Block]:
    """Yield what a reader needs to repeat the search: both libraries, this program, the date, the command.

    `date` is a point in time in UTC.
    """
    libraries = f"check {library_in_words(bypasses.check)}, fetch {library_in_words(bypasses.fetch)}"
    program = f"urlconform {version('urlconform')}, {platform.platform()}, {date} UTC"
    yield Heading("How to repeat it")
    yield Lines([libraries, program])
    yield Command(command)


def library_in_words(answers: AdapterAnswers) -> str:
    """Return the name of an adapter, with the library and version if its hello says them."""
    if answers.hello is None or answers.hello.implementation is None:
        return answers.name
    about = answers.hello.implementation
    return f"{answers.name} ({about.name} {about.version})"


def _lines_about_texts_left_out(bypasses: Bypass) -> Iterator[str]:
    """Yield the numbers of texts that do not count, with the reason, and of those that were not asked."""
    if bypasses.not_fetched:
        different = counted(bypasses.not_fetched, "text")
        *schemes, last = FETCHED_SCHEMES
        yield f"Not counted: {different} with different hosts, without {', '.join(schemes)} or {last}:"
        yield f"{bypasses.fetch.name} only parses, so it does not show whether they are fetched."
    if bypasses.left_out:
        reason = "a program that starts anew for each text is asked the most different ones"
        all_texts = bypasses.texts + bypasses.left_out
        yield f"Not asked: {bypasses.left_out:,} of {all_texts:,} texts; {reason}."


def _lines_on_checked_host(bypasses: Bypass) -> Iterator[str]:
    """Yield which functions give the host that is checked: a library may have others, which decode it."""
    name = bypasses.check.name
    functions = asked_functions(name).get("parse")
    if functions is not None:
        yield f"Hosts that {name} sees are from {functions}."


def _bypass_rows(bypasses: Bypass) -> Grid:
    """Return the table of the rows: the number of texts, and what it means.

    If the user wants to see all rows, the differences that are no bypass follow.
    """
    counts = bypasses.counts
    rows = [[row, f"{counts[row]:,}", MEANINGS[row]] for row in bypasses.rows]
    if len(bypasses.rows) == len(BypassRow):
        rows.append([SPELLING, f"{bypasses.spelling:,}", SPELLING_MEANING])
        rows.append([TRAILING_DOT, f"{bypasses.dots:,}", TRAILING_DOT_MEANING])
    head = ["row", "texts", "meaning"]
    return Grid(head, rows, figures=frozenset({1}))


def _bypass_listing(bypasses: Bypass, group: BypassClass, classes: Classes) -> Listing:
    """Return the listing of a class: the exploit, what the RFCs say about it, and the shortest text."""
    first = group.exploit or group.shortest
    answers = [*seen_host_lines(bypasses, first)]
    if group.exploit is None:
        answers.append(AnswerLine("exploit", "none among the texts that were tried", names=True))
    answers += _rfc_host_lines(first.text)
    if first != group.shortest:
        answers.append(AnswerLine("shortest text", visible(group.shortest.text)))
        answers += seen_host_lines(bypasses, group.shortest)
    texts = counted(len(group.witnesses), "text")
    title = f"{group.row}, {texts}: {class_in_words(group.entry, classes)}"
    return Listing(title, visible(first.text), answers, elsewhere="--report sarif=FILE has them whole")


def _rfc_host_lines(text: str) -> Iterator[AnswerLine]:
    """Yield the host of a text by the RFCs. Those that see the same host share a line."""
    numbers_by_host: dict[str, list[str]] = {}
    for spec, host in rfc_hosts(text).items():
        numbers_by_host.setdefault(host, []).append(spec.removeprefix("rfc"))
    for host, numbers in numbers_by_host.items():
        yield AnswerLine(_rfcs_in_words(numbers), visible(host))


def seen_host_lines(bypasses: Bypass, witness: Witness) -> Iterator[AnswerLine]:
    """Yield what the checker and what the fetcher sees in a text."""
    checked = witness.checked or "no host"
    yield AnswerLine(f"{bypasses.check.name} sees", visible(checked))
    yield AnswerLine(f"{bypasses.fetch.name} goes to", visible(witness.fetched))


def remedy_lines(bypasses: Bypass) -> list[str]:
    """Return lines that say, for each RFC, how many bypasses are left if its invalid texts are refused.

    RFCs that leave the same number share a line. The line with RFC 3986 comes first, because it is the one
    that counts today, and then what closes the texts that it leaves; then the smallest number.
    """
    specs_by_rest: dict[int, list[str]] = {}
    for remedy in bypasses.remedies:
        specs_by_rest.setdefault(remedy.left, []).append(remedy.spec)
    current_lines = []
    further_lines = []
    for rest in sorted(specs_by_rest):
        specs = specs_by_rest[rest]
        words = _numbers_in_words([spec.removeprefix("rfc") for spec in specs])
        line = f"Refusing what RFC {words} refuses leaves {rest:,} of {bypasses.passing:,}."
        if DEFAULT_SPEC in specs:
            current_lines.append(line)
        else:
            further_lines.append(line)
    return [*current_lines, *_lines_on_measures(bypasses), *further_lines]


def _numbers_in_words(numbers: Sequence[str]) -> str:
    """Return numbers of RFCs in words, such as "1738, 1808 or 2396"."""
    *first_numbers, last_number = numbers
    if not first_numbers:
        return last_number
    return f"{', '.join(first_numbers)} or {last_number}"


def _lines_on_measures(bypasses: Bypass) -> Iterator[str]:
    """Yield what closes the texts that RFC 3986 leaves, each with what remains then."""
    remaining = sum(remedy.left for remedy in bypasses.remedies if remedy.spec == DEFAULT_SPEC)
    if not remaining:
        return
    for measure in bypasses.measures:
        remaining = measure.left
        example = visible(measure.example)
        yield f"Besides, refusing {measure.words}, such as {example}, leaves {remaining:,}."
    if remaining:
        yield "No rule here closes those: check the host that is fetched, or let one parser do both."
    else:
        yield "Together, these close every text that was found."


def _rfcs_in_words(numbers: Sequence[str]) -> str:
    """Return the names of RFCs on URLs from their numbers, or "every RFC on URLs" if these are all."""
    if len(numbers) == len(url_specs()):
        return "every RFC on URLs"
    return f"RFC {', '.join(numbers)}"


def bypasses_as_csv(bypasses: Bypass) -> str:
    """Return all texts that get past the check as CSV, each with its row, its class and both hosts.

    An absent host is an empty cell.
    """
    rows = [("row", "class", "text", "checked", "fetched")]
    for group in bypasses.classes:
        for witness in group.witnesses:
            cells = (group.row, group.entry or "", witness.text, witness.checked or "", witness.fetched)
            rows.append(cells)
    return _csv_document(rows)


# ---- old and new


#: The kinds of changes in words, in the order of the report.
_CHANGE_KINDS = {
    "broken": "broken",
    "fixed": "fixed",
    "changed": "changed",
    "new": "wrong in new questions",
}


def change_blocks(history: History, *, everything: bool) -> Iterator[Block]:
    """Yield the broken, fixed and changed answers between two results files, and new wrong answers."""
    before, now = history.corpora
    corpora = "the same corpus" if before == now else f"corpus {before} and {now}"
    by_kind: dict[str, list[Change]] = {kind: [] for kind in _CHANGE_KINDS}
    for change in history.changes:
        by_kind[change.kind].append(change)
    yield Heading(f"{_counts_of_changes(by_kind)} ({corpora})")
    yield Lines(_history_lines(history) or ["No implementation ran in both."])
    for kind, words in _CHANGE_KINDS.items():
        changes_of_kind = by_kind[kind]
        if changes_of_kind:
            yield Heading(f"{words}: {len(changes_of_kind):,}")
            yield from _changes_of_kind(kind, changes_of_kind, everything=everything)


def _counts_of_changes(changes_by_kind: Mapping[str, Sequence[Change]]) -> str:
    """Return the number of changes of each kind, in words. New wrong answers are named if there are any."""
    counts = []
    for kind, words in _CHANGE_KINDS.items():
        count = len(changes_by_kind[kind])
        if count or kind != "new":
            counts.append(f"{words} {count:,}")
    return ", ".join(counts)


def _history_lines(history: History) -> list[str]:
    """Return lines on the libraries with another version, and on added and removed vectors."""
    lines = []
    unchanged = 0
    for name, (old_version, new_version) in history.versions.items():
        if old_version == new_version:
            unchanged += 1
        else:
            lines.append(f"{name}: {old_version} to {new_version}")
    if unchanged:
        libraries_have = counted(unchanged, "library has", "libraries have")
        lines.append(f"{libraries_have} the same version in both")
    if history.added or history.removed:
        lines.append(f"vectors added: {history.added:,}, removed: {history.removed:,}")
    return lines


def _changes_of_kind(kind: str, changes_of_kind: Sequence[Change], *, everything: bool) -> Iterator[Block]:
    """Yield the changes: a listing with both answers for each changed answer, else a table of outcomes."""
    listed = changes_of_kind if everything else changes_of_kind[:_CHANGES]
    if kind == "changed":
        yield from map(_change_listing, listed)
    else:
        head = ["library", "because of the", "vector", "before", "now"]
        yield Grid(head, [_change_row(change) for change in listed])
    unlisted = len(changes_of_kind) - len(listed)
    if unlisted:
        yield Hint(f"{unlisted:,} more: --all")


def _change_row(change: Change) -> Sequence[str]:
    """Return the row of a change in the table of outcomes."""
    before = "not asked" if change.old is None else change.old.outcome
    now = "not asked" if change.new is None else change.new.outcome
    return [change.name, _reason_in_words(change), change.id, before, now]


def _change_listing(change: Change) -> Listing:
    """Return the old and the new answer to a question, which are both right or both wrong."""
    lines = []
    for label, answer in (("before", change.old), ("now", change.new)):
        if answer is not None:
            words = ""
            if not answer.outcome.abnormal:
                words = recorded_answer(answer.got, tells_empty=True).in_words()
            lines.append(AnswerLine(label, words, answer.outcome))
    title = f"{change.name}: {change.id}, because of the {_reason_in_words(change)}"
    return Listing(title, _question_in_words(change.case), lines)


def _reason_in_words(change: Change) -> str:
    """Return in words what has changed: the library, the corpus, or both."""
    return "library and corpus" if change.reason == "both" else change.reason


# ---- as CSV

#: The beginning of a cell that a spreadsheet runs as a formula, some also with full-width signs, or of a
#: cell that looks like one that is marked.
_MARKED_CELL = re.compile("\\s*['=+@\uff0b\uff0d\uff1d\uff20-]")


def as_csv(matrix: Matrix, disagreements: Sequence[Disagreement]) -> str:
    """Return disagreements as CSV: a row for each question, and a column for the answers of each library."""
    head = ("id", "operation", "text", "base", "class", "component", "cause", "expected")
    rows = [_csv_row(disagreement, matrix) for disagreement in disagreements]
    return _csv_document([(*head, *matrix.names), *rows])


def _csv_document(rows: Iterable[Iterable[str]]) -> str:
    """Return rows as CSV.

    A cell that a spreadsheet would run as a formula begins with an apostrophe, which marks it as text. So
    does a cell that has an apostrophe there itself. A program removes one apostrophe from each cell that
    begins with one.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        writer.writerow(map(_csv_cell, row))
    return stream.getvalue()


def _csv_cell(text: str) -> str:
    """Return a text as a cell in one line that no spreadsheet runs."""
    cell = plain(text)
    return f"'{cell}" if _MARKED_CELL.match(cell) else cell


def _csv_row(disagreement: Disagreement, matrix: Matrix) -> list[str]:
    """Return the row of a question. The cell of a library that was not asked is empty."""
    vector = disagreement.case.vector
    base = vector.base if isinstance(vector.base, str) else ""
    answers = matrix.answers[vector.id]
    words = [answers[name].in_words() if name in answers else "" for name in matrix.names]
    return [
        vector.id,
        vector.op,
        disagreement.text,
        base,
        disagreement.entry or "",
        disagreement.component,
        disagreement.cause,
        describe_expected(vector.expect),
        *words,
    ]
