"""Markdown for the summary of a CI step: the result, new findings, the summary, failures, a table per RFC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from urlharness.gate.gate import Judgement
from urlharness.report.document import code_block, code_span, table_lines, words_or_code
from urlharness.report.failures import (
    Failure,
    FailureGroup,
    FindingGroup,
    claims,
    count_unlisted,
    failure_groups,
    findings_of_groups,
    groups_of_new_findings,
    kinds_in_words,
    known_failures_in_words,
)
from urlharness.report.summary import (
    SpecScores,
    answers_text,
    answers_to_witnesses,
    asked_text,
    compliance_text,
    complying_specs,
    distance_from_compliance,
    headline,
    specs_asked_of,
    statement_sizes,
    total_answers,
    unknown_names_in_words,
    whole_percent,
    without_perfect_reference,
    worst_sections,
)
from urlharness.results.coverage import WHOLE_RFC, Place, caveats, extent_in_words
from urlharness.results.model import Participant, Results
from urlharness.results.scores import (
    NOTHING,
    Score,
    State,
    has_row,
    scores_by_section,
    scores_by_spec,
    scores_by_tier,
    youden_in_words,
)
from urlharness.text import short_names
from urlharness.wording import counted, first_names, rfc, section_label

#: The maximum size of the report in bytes.
LIMIT = 60_000

#: The part of the report that is reserved for the tables of sections, in bytes.
_TABLES_LIMIT = 20_000

#: The room that is kept free, in bytes: for the last lines of the report; for the sentence that counts the
#: groups left out; for what follows the tables; beside new findings, which take at most half of the report.
_ROOM_FOR_END, _ROOM_FOR_SENTENCE, _ROOM_AFTER_TABLES = 200, 300, 600
_ROOM_BESIDE_FINDINGS = LIMIT // 2

#: The bytes of an empty line after a block, with the end of the line before it.
_BLOCK_END = 2

#: The number of lines in the head of a table. Until a table fits, it is halved, because each attempt measures
#: the whole block. With at most `_SHORT_TABLE` lines, it is shortened by single rows.
_HEAD_LINES, _SHORT_TABLE = 2, 16

#: The maximum number of implementations with a column in the table of an RFC.
COLUMNS = 8

_SIGNS = {"passed": "✅", "failed": "❌", "neutral": "⚪"}

#: The maximum number of groups of new findings with an example in full, and of those with a heading only.
_GROUPS, _HEADINGS = 10, 20

#: The maximum number of listed stale entries, and of listed failures in a section.
_STALE, _FAILURES = 10, 2

#: The maximum number of characters of a name, and of a name at the head of a column.
_NAME_LIMIT, _HEAD_LIMIT = 60, 40

#: The maximum numbers of characters of a sentence and of a warning; of an example of a section, of its number
#: and title, of a fact about a finding, and of what an abnormal end wrote.
_SENTENCE_LIMIT, _WARNING_LIMIT = 300, 400
_EXAMPLE_LIMIT, _SECTION_LIMIT, _FACT_LIMIT, _STDERR_LIMIT = 120, 80, 500, 300

#: The maximum number of listed worst sections, for all implementations together.
_WORST = 15

_SECTION_FIGURES = (
    "held",
    "failed",
    "partly answered",
    "open",
    "right",
    "wrong",
    "not exposed",
    "not offered",
)

#: The last column of a table of sections.
_J = "J"

#: The figures of a section that are bold unless they are 0.
_BOLD_FIGURES = ("failed", "wrong")
_ANSWERS = ("Vectors", "right", "wrong", "of these witnesses", "not exposed", "not offered")

#: The column of the vectors that an adapter that was given up was never asked, and the last column.
_UNASKED, _COMPLIANCE = "never asked", "complies with"

_EXPLAINED = (
    "A statement holds if all its required vectors are right. The table of vectors counts the required "
    "vectors of the RFCs that an implementation claims. Witnesses are vectors made by a program. "
    "The row of a section counts its own statements and vectors, without subsections."
)


def render(results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}) -> str:
    """Return the report, of at most `LIMIT` bytes.

    `baselines` maps an implementation to the file of its baseline. Its failures are not listed by section.
    """
    report = _LimitedReport()
    names = _markdown_names(results.participants, _NAME_LIMIT)
    for block in _first_blocks(results, judgements, names):
        report.add(block)
    # regressions come before the summary, and the failures of a gate without a baseline after it
    compared = [judgement for judgement in judgements if judgement.findings or judgement.name in baselines]
    not_compared = [judgement for judgement in judgements if judgement not in compared]
    _add_new_findings(report, results, compared, baselines)
    for block in _summary_blocks(results, names):
        report.add(block)
    _add_new_findings(report, results, not_compared, baselines)
    tables = list(_section_tables(results))
    groups = [group for group in failure_groups(results) if group.implementation not in baselines]
    room_for_rest = min(_TABLES_LIMIT, _size_of_tables(tables) + _ROOM_FOR_END)
    _add_groups(report, groups, room_for_rest, names)
    _add_tables(report, tables)
    header = results.header
    versions = f"urlconform {words_or_code(header.urlconform)}, corpus {words_or_code(header.corpus)}"
    report.add(f"{versions}, {extent_in_words(results)}, {words_or_code(header.started)}")
    return "\n\n".join(report.blocks) + "\n"


def _size_of_tables(tables: Iterable[Sequence[str]]) -> int:
    """Return at least the size of tables in bytes. Each line counts as if an empty line followed it."""
    size = 0
    for lines in tables:
        size += sum(len(line.encode()) + _BLOCK_END for line in lines)
    return size


def _more_in_words(number: int, noun: str) -> str:
    """Say that there are more of these, or return an empty string if the number is not positive."""
    if number <= 0:
        return ""
    count = counted(number, f"{noun} more", f"{noun}s more")
    return f"*… and {count}.*"


def _markdown_names(participants: Iterable[Participant], limit: int) -> Mapping[str, str]:
    """Map each implementation to its name as Markdown, cut to `limit` characters. The names are unique."""
    short = short_names((participant.name for participant in participants), limit)
    return {name: words_or_code(short_name, limit) for name, short_name in short.items()}


class _LimitedReport:
    """Whole blocks of Markdown, up to LIMIT bytes."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self._free = LIMIT

    def add(self, block: str, *, reserve: int = 0) -> bool:
        """Add a block if at least `reserve` bytes remain afterwards. Return False if it does not fit.

        An empty block always fits, and adds nothing.
        """
        if not block:
            return True
        size = len(block.encode("utf-8", "backslashreplace")) + _BLOCK_END
        if size > self._free - reserve:
            return False
        self.blocks.append(block)
        self._free -= size
        return True


def _first_blocks(
    results: Results, judgements: Sequence[Judgement], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the headline, reasons of the gate, caveats, and adapters that did not run.

    `names` maps each implementation to its name as Markdown. Some blocks can be empty.
    """
    decision = headline(results, judgements)
    sign = _SIGNS[decision.state]
    about = f"{names[decision.name]}: " if decision.name else ""
    text = words_or_code(decision.text, _SENTENCE_LIMIT)
    yield f"## {sign} URL conformance: {about}{text}"
    reasons = {judgement.name: judgement.reason for judgement in judgements if judgement.reason}
    if len(reasons) > 1:
        mentioned = [*reasons]
        lines = []
        for name, reason in reasons.items():
            lines.append(f"{names[name]}: {words_or_code(reason, _SENTENCE_LIMIT)}")
        yield _bullets(lines)
    else:
        # the headline may be the reason of the only judgement
        mentioned = [name for name, reason in reasons.items() if reason == decision.text]
    notes = [note for judgement in judgements for note in judgement.notes]
    # several judgements may have the same note
    warnings = [*caveats(results), *unknown_names_in_words(results), *dict.fromkeys(notes)]
    yield _bullets(f"⚠️ {words_or_code(warning, _WARNING_LIMIT)}" for warning in warnings)
    unmentioned = [participant for participant in results.participants if participant.name not in mentioned]
    yield _bullets(_lines_on_missing(unmentioned, names))


def _lines_on_missing(participants: Iterable[Participant], names: Mapping[str, str]) -> Iterator[str]:
    """Yield a line of Markdown for each implementation that did not run, with the reason."""
    for participant in participants:
        if participant.state != "ran":
            message = code_span(participant.message)
            yield f"{names[participant.name]}: {participant.status}: {message}"


def _bullets(lines: Iterable[str]) -> str:
    """Return lines of Markdown as a list, or an empty string if there are none."""
    return "\n".join(f"- {line}" for line in lines)


def _summary_blocks(results: Results, names: Mapping[str, str]) -> Iterator[str]:
    """Yield what was asked, tables of statements and answers, and the most failed sections."""
    participants, hidden = without_perfect_reference(results, results.ran)
    if not participants:
        yield "No implementation ran."
        return
    sentences = [f"Asked: {asked_text(results)}."]
    for reference in hidden:
        answers = total_answers(results, reference)
        sentences.append(f"`reference`: {answers_text(answers)}.")
    sentences += _sentences_on_libraries(participants[:COLUMNS], names)
    yield " ".join(sentences)
    scores = scores_by_spec(results)
    yield "\n".join(_statements_table(results, participants, names, scores))
    yield "\n".join([*_answers_table(results, participants, names, scores), "", _EXPLAINED])
    worst = _worst_rows(results, participants, names)
    if worst:
        heads = ("Most failed sections", "statements failed", "an example")
        yield "\n".join(table_lines(heads, worst, words=heads[-1:]))


def _sentences_on_libraries(participants: Iterable[Participant], names: Mapping[str, str]) -> Iterator[str]:
    """Yield which library each program or module adapts: its own name and version, as its hello says."""
    for participant in participants:
        about = participant.implementation
        if about is not None and ":" in participant.name and about.name != participant.name:
            library = words_or_code(f"{about.name} {about.version}".rstrip(), _NAME_LIMIT)
            yield f"**{names[participant.name]}** is **{library}**."


def _answers_table(
    results: Results, participants: Sequence[Participant], names: Mapping[str, str], scores: SpecScores
) -> list[str]:
    """Return the table of answers: a row for each implementation.

    If one of them was never asked some cases, the table has a column for them.
    """
    any_unasked = any(total_answers(results, participant).unasked for participant in participants)
    heads = [*_ANSWERS]
    if any_unasked:
        heads.append(_UNASKED)
    heads.append(_COMPLIANCE)
    rows = [
        _answers_row(results, participant, names, scores, any_unasked=any_unasked)
        for participant in participants
    ]
    return table_lines(heads, rows, words=[_COMPLIANCE])


def _answers_row(
    results: Results,
    participant: Participant,
    names: Mapping[str, str],
    scores: SpecScores,
    *,
    any_unasked: bool,
) -> Sequence[str]:
    """Return the row of an implementation in the table of answers.

    If `any_unasked`, the table has the column `_UNASKED`.
    """
    answers = total_answers(results, participant)
    wrong_witnesses = answers_to_witnesses(results, participant).wrong
    counts = [answers.right, answers.wrong, wrong_witnesses, answers.partial, answers.unsupported]
    if any_unasked:
        counts.append(answers.unasked)
    cells = [f"{count:,}" for count in counts]
    compliance = _compliance_in_words(results, participant, scores)
    return [f"**{names[participant.name]}**", *cells, compliance]


def _worst_rows(
    results: Results, participants: Sequence[Participant], names: Mapping[str, str]
) -> list[Sequence[str]]:
    """Return rows about the worst sections, the same number for each implementation, but at least one."""
    limit = max(1, _WORST // len(participants))
    rows: list[Sequence[str]] = []
    for participant in participants:
        name = names[participant.name]
        for section in worst_sections(results, participant, limit):
            label = _section_label(section.section, section.title)
            subject = f"**{name}** {rfc(section.spec)} {label}"
            failed = f"{section.failed:,} of {section.statements:,}"
            rows.append((subject, failed, code_span(section.text, _EXAMPLE_LIMIT)))
    return rows


def _compliance_in_words(results: Results, participant: Participant, scores: SpecScores) -> str:
    """Name the RFCs that an implementation complies with, or say how far it is from its first RFC."""
    text = compliance_text(results, participant.name, scores) or NOTHING
    far = distance_from_compliance(results, participant, scores)
    if far is None:
        return text
    return f"{text}; {whole_percent(far.held)} of the statements of {rfc(far.spec)} hold"


def _statements_table(
    results: Results, participants: Sequence[Participant], names: Mapping[str, str], scores: SpecScores
) -> list[str]:
    """Return the table of statements held: a row for each implementation, a column for each RFC and tier.

    Return no lines if no RFC with statements and no tier was asked.
    """
    sizes = statement_sizes(results)
    tiers = scores_by_tier(results)
    specs = [spec for spec in specs_asked_of(results, participants) if sizes[spec, WHOLE_RFC]]
    heads = [f"{rfc(spec)}, {counted(sizes[spec, WHOLE_RFC], 'statement')}" for spec in specs]
    heads += [words_or_code(f"{rfc(spec)} {tier}") for spec, tier in tiers]
    if not heads:
        return []
    rows = []
    for participant in participants:
        row = [f"**{names[participant.name]}**", *_compliance_cells(results, participant, specs, scores)]
        for scores_of_tier in tiers.values():
            score = scores_of_tier.get(participant.name, Score())
            row.append(answers_text(score.required))
        rows.append(row)
    return table_lines(("", *heads), rows)


def _compliance_cells(
    results: Results, participant: Participant, specs: Iterable[str], scores: SpecScores
) -> Iterator[str]:
    """Yield a cell for each RFC: whether an implementation complies, or how many statements hold and fail."""
    complied = complying_specs(results, participant.name, scores)
    for spec in specs:
        score = scores[spec].get(participant.name, Score())
        cell = "✅ complies" if spec in complied else _states_cell(score)
        yield cell if claims(participant, spec) else f"{cell} (not claimed)"


def _states_cell(score: Score) -> str:
    """Return how many statements of an RFC hold and, if there are any, how many failed."""
    held = score.states[State.HELD]
    return f"{held:,} held{_failed_in_words(score)}"


def _failed_in_words(score: Score) -> str:
    """Return the second part of a cell, with the number of failed statements, or "" if none failed."""
    failed = score.states[State.FAILED]
    return f" · **{failed:,} failed**" if failed else ""


def _section_label(section: str, title: str) -> str:
    """Return the number and the title of a section as Markdown."""
    label = " ".join(section_label(section, title))
    return words_or_code(label.strip(), _SECTION_LIMIT)


def _add_new_findings(
    report: _LimitedReport, results: Results, judgements: Iterable[Judgement], baselines: Mapping[str, Path]
) -> None:
    """Add the new findings of judgements until half of the report is full. Say how many are left out."""
    for judgement in judgements:
        left_out = 0
        for block in _new_finding_blocks(results, judgement, baselines.get(judgement.name)):
            if not report.add(block, reserve=_ROOM_BESIDE_FINDINGS):
                left_out += 1
        report.add(_more_in_words(left_out, "finding"))


def _new_finding_blocks(results: Results, judgement: Judgement, baseline: Path | None) -> Iterator[str]:
    """Yield the groups of new findings, then the entries to remove, and the number of known failures.

    Some blocks can be empty.
    """
    groups = groups_of_new_findings(results, judgement)
    if groups:
        yield _new_heading(judgement, groups, baseline)
    for group in groups[:_GROUPS]:
        yield _finding_group_block(group)
    yield _bullets(_group_heading(group) for group in groups[_GROUPS : _GROUPS + _HEADINGS])
    rest = count_unlisted(results, judgement, groups, _GROUPS + _HEADINGS)
    yield _more_in_words(rest, "finding" if judgement.findings else "failure")
    stale = [code_span(finding.id) for finding in judgement.findings if finding.kind == "stale"]
    if stale:
        yield f"To be removed from the baseline: {first_names(stale, _STALE)}."
    known_failures = known_failures_in_words(results, judgement)
    yield f"{words_or_code(known_failures, _SENTENCE_LIMIT)}." if known_failures else ""


def _new_heading(judgement: Judgement, groups: Sequence[FindingGroup], baseline: Path | None) -> str:
    """Return the heading above new findings, with their numbers by kind if there is a baseline."""
    if not judgement.findings:
        return "### Failures"
    against = "" if baseline is None else f" against {words_or_code(str(baseline))}"
    return f"### New{against}: {kinds_in_words(findings_of_groups(groups))}"


def _group_heading(group: FindingGroup) -> str:
    """Return the difference and the number of findings of a group, with the id of its example."""
    return f"{words_or_code(group.heading_with_kinds)}, such as {code_span(group.example.id)}"


def _finding_group_block(group: FindingGroup) -> str:
    """Return a group: its heading, its example in full, how many more there are, and the command."""
    example = group.example
    lines = [f"**{words_or_code(group.heading)}**", "", f"{example.kind} {code_span(example.id)}", ""]
    if example.failure is None:
        lines.append(f"- before: {code_span(example.text, _FACT_LIMIT)}")
    else:
        for label, text in example.failure.labelled_facts(example.text):
            if label != "repeat":  # the command follows
                lines.append(f"- {label}: {code_span(text, _FACT_LIMIT)}")
    if group.rest:
        lines.append(f"- and {group.rest}")
    if example.failure is not None:
        lines += ["", code_block([example.failure.command], "sh")]
    return "\n".join(lines)


def _add_groups(
    report: _LimitedReport, groups: Sequence[FailureGroup], reserve: int, names: Mapping[str, str]
) -> None:
    """Add the groups that fit before the last `reserve` bytes, and say how many do not."""
    if not groups:
        return
    report.add(f"### Failures by section: {_cases_in_words(groups)} in {counted(len(groups), 'group')}")
    for number, group in enumerate(groups):
        block = _group_block(group, names[group.implementation])
        if not report.add(block, reserve=reserve + _ROOM_FOR_SENTENCE):
            left_out = groups[number:]
            group_count = counted(len(left_out), "group")
            report.add(f"*… and {group_count} more, with {_cases_in_words(left_out)}.*")
            return


def _cases_in_words(groups: Iterable[FailureGroup]) -> str:
    """Return the number of cases in groups, such as "3 cases"."""
    number = sum(group.size for group in groups)
    return counted(number, "case")


def _group_block(group: FailureGroup, name: str) -> str:
    """Return a group as one block: its name and counts, its first cases, and the commands to repeat them.

    A group without stored failures has no cases and no commands.
    """
    lines = [" · ".join(_group_facts(group, name))]
    listed = group.failures[:_FAILURES]
    for failure in listed:
        description = ", ".join(_failure_facts(failure))
        lines.append(f"- {code_span(failure.result.id)}: {description}")
    if listed:
        commands = [failure.command for failure in listed]
        lines += ["", code_block(commands, "sh")]
    return "\n".join(lines)


def _group_facts(group: FailureGroup, name: str) -> Iterator[str]:
    """Yield what the first line of a group says, each fact as Markdown. `name` is the implementation."""
    yield f"**{name}**"
    section = f"{group.place} {group.title}".strip()
    yield f"{rfc(group.spec)}, {words_or_code(section)}"
    if group.class_:
        yield f"class {words_or_code(group.class_)}"
    yield group.counts
    if group.flags:
        yield ", ".join(map(words_or_code, group.flags))
    if not group.claimed:
        yield "not claimed"


def _failure_facts(failure: Failure) -> Iterator[str]:
    """Yield the question, the expected and the actual answer, and what an abnormal end wrote, as Markdown."""
    yield code_span(failure.question)
    yield f"expected {code_span(failure.expected)}"
    yield f"{failure.result.outcome} {code_span(failure.got)}"
    if failure.stderr_line:
        yield f"it wrote {code_span(failure.stderr_line, _STDERR_LIMIT)}"


def _section_tables(results: Results) -> Iterator[list[str]]:
    """Yield for each RFC the lines of its table after a heading."""
    participants, _ = without_perfect_reference(results, results.ran)
    if not participants:
        return
    # names are made unique among all, so that one has the same name in every report
    unique_names = [*_markdown_names(participants, _HEAD_LIMIT).values()]
    columns = participants[:COLUMNS]
    names = unique_names[:COLUMNS]
    if len(columns) == 1:
        table = _figures_table(results, columns[0].name, names[0])
    else:
        table = _held_table(results, columns, names)
    left_out = len(participants) - len(columns)
    note = f", {counted(left_out, 'implementation')} left out" if left_out else ""
    for spec, rows in table.rows.items():
        heading = f"### {rfc(spec)} by section{note}"
        yield [heading, *table_lines(table.head, rows)]


class _SectionTable(NamedTuple):
    """The tables of sections: the head, which all RFCs have, and the rows of each RFC. Cells are Markdown."""

    head: Sequence[str]
    rows: Mapping[str, Sequence[Sequence[str]]]


def _held_table(results: Results, columns: Sequence[Participant], names: Sequence[str]) -> _SectionTable:
    """Return the tables of several implementations: how many of its statements each holds.

    `names` are those of the columns as Markdown.
    """
    sizes = statement_sizes(results)
    rows: dict[str, list[Sequence[str]]] = {}
    for (spec, section), scores in scores_by_section(results).items():
        title = results.titles.get((spec, section), "")
        if has_row(title):
            scores_of_columns = [scores.get(participant.name, Score()) for participant in columns]
            cells = [_held_cell(score, sizes[spec, section]) for score in scores_of_columns]
            rows.setdefault(spec, []).append([_section_label(section, title), *cells])
    return _SectionTable(["Section", *names], rows)


def _figures_table(results: Results, implementation: str, name: str) -> _SectionTable:
    """Return the tables of a single implementation, with a column for each figure of a section.

    If it was never asked some vectors, there is a column for them. `name` is its name as Markdown.
    """
    score_of_section: dict[Place, Score] = {}
    for section_key, scores in scores_by_section(results).items():
        score_of_section[section_key] = scores.get(implementation, Score())
    figures = [*_SECTION_FIGURES]
    if any(score.required.unasked for score in score_of_section.values()):
        figures.append(_UNASKED)
    rows: dict[str, list[Sequence[str]]] = {}
    for (spec, section), score in score_of_section.items():
        title = results.titles.get((spec, section), "")
        if has_row(title):
            cells = _figure_cells(score, figures)
            rows.setdefault(spec, []).append([_section_label(section, title), *cells])
    return _SectionTable([f"Section, {name}", *figures, _J], rows)


def _figure_cells(score: Score, figures: Iterable[str]) -> list[str]:
    """Return the cells of a section: the `figures`, which are empty instead of 0, and J."""
    answers = score.required
    counts = {
        "held": score.states[State.HELD],
        "failed": score.states[State.FAILED],
        "partly answered": score.states[State.PARTLY],
        "open": score.states[State.OPEN],
        "right": answers.right,
        "wrong": answers.wrong,
        "not exposed": answers.partial,
        "not offered": answers.unsupported,
        _UNASKED: answers.unasked,
    }
    cells = []
    for figure in figures:
        cell = f"{counts[figure]:,}" if counts[figure] else ""
        if cell and figure in _BOLD_FIGURES:
            cell = f"**{cell}**"
        cells.append(cell)
    return [*cells, youden_in_words(score)]


def _held_cell(score: Score, statements: int) -> str:
    """Return how many of the statements of a section hold, and how many failed, or NOTHING without any."""
    if not statements:
        return NOTHING
    held = score.states[State.HELD]
    never_asked = f" · {score.never_asked:,} never asked" if score.never_asked else ""
    return f"{held:,} of {statements:,}{_failed_in_words(score)}{never_asked}"


def _add_tables(report: _LimitedReport, tables: Sequence[Sequence[str]]) -> None:
    """Add the rows of the tables that fit, and say how many do not."""
    for number, (heading, *lines) in enumerate(tables):
        if not _add_table(report, heading, lines):
            report.add(_more_in_words(len(tables) - number, "table"))
            return


def _add_table(report: _LimitedReport, heading: str, lines: Sequence[str]) -> bool:
    """Add a table, without its last rows if it is too long. Return False if not even one row fits.

    `lines` are the lines of the table, of which the first `_HEAD_LINES` are its head.
    """
    count = len(lines)
    while count > _HEAD_LINES:
        rows = "\n".join(lines[:count])
        left_out = _more_in_words(len(lines) - count, "section")
        block = f"{heading}\n\n{rows}\n\n{left_out}".rstrip()
        if report.add(block, reserve=_ROOM_AFTER_TABLES):
            return True
        if count > _SHORT_TABLE:
            count //= 2
        else:
            count -= 1
    return False
