"""Markdown for the summary of a CI step: the result, new findings, the summary, failures, a table per RFC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

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
    gate_reason,
    headline,
    specs_of,
    statement_sizes,
    total_answers,
    unknown_names_in_words,
    whole_percent,
    without_perfect_reference,
    worst_sections,
)
from urlharness.results.coverage import WHOLE_RFC, caveats, extent_in_words
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
    """Return the report, of at most `LIMIT` bytes."""
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
    all_lines = [line for lines in tables for line in lines]
    # with the ends of lines and blocks, and with the last lines of the report
    table_size = sum(len(line.encode()) + 2 for line in all_lines) + 200
    groups = [group for group in failure_groups(results) if group.implementation not in baselines]
    _add_groups(report, groups, min(_TABLES_LIMIT, table_size), names)
    _add_tables(report, tables)
    header = results.header
    versions = f"urlconform {words_or_code(header.urlconform)}, corpus {words_or_code(header.corpus)}"
    report.add(f"{versions}, {extent_in_words(results)}, {words_or_code(header.started)}")
    return "\n\n".join(report.blocks) + "\n"


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
        """Add a block if at least `reserve` bytes remain afterwards. Return False if it does not fit."""
        if not block:
            return True
        size = len(block.encode("utf-8", "backslashreplace")) + 2  # the empty line after it
        if size > self._free - reserve:
            return False
        self.blocks.append(block)
        self._free -= size
        return True


def _first_blocks(
    results: Results, judgements: Sequence[Judgement], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the headline, reasons of the gate, caveats, and adapters that did not run."""
    decision = headline(results, judgements)
    sign = _SIGNS[decision.state]
    about = f"{names[decision.name]}: " if decision.name else ""
    text = words_or_code(decision.text, _SENTENCE_LIMIT)
    yield f"## {sign} URL conformance: {about}{text}"
    reasons = {judgement.name: gate_reason(judgement) for judgement in judgements if judgement.reason}
    if len(reasons) > 1:
        mentioned = [*reasons]
        yield _bullets(
            f"{names[name]}: {words_or_code(reason, _SENTENCE_LIMIT)}" for name, reason in reasons.items()
        )
    else:
        mentioned = [name for name, reason in reasons.items() if reason == decision.text]
    notes = dict.fromkeys(note for judgement in judgements for note in judgement.notes)
    warnings = [*caveats(results), *unknown_names_in_words(results), *notes]
    yield _bullets(f"⚠️ {words_or_code(warning, _WARNING_LIMIT)}" for warning in warnings)
    missing = [participant for participant in results.participants if participant.state != "ran"]
    lines = []
    for participant in missing:
        if participant.name not in mentioned:
            name = names[participant.name]
            message = code_span(participant.message)
            lines.append(f"{name}: {participant.status}: {message}")
    yield _bullets(lines)


def _bullets(lines: Iterable[str]) -> str:
    """Return lines of Markdown as a list, or an empty string if there are none."""
    return "\n".join(f"- {line}" for line in lines)


def _shown_and_hidden(results: Results) -> tuple[list[Participant], list[Participant]]:
    """Return (implementations to show, hidden implementations) of those that ran."""
    return without_perfect_reference(results, results.ran)


def _summary_blocks(results: Results, names: Mapping[str, str]) -> Iterator[str]:
    """Yield what was asked, tables of statements and answers, and the most failed sections."""
    participants, hidden = _shown_and_hidden(results)
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
    specs = [spec for spec in specs_of(results, participants) if sizes[spec, WHOLE_RFC]]
    heads = [f"{rfc(spec)}, {counted(sizes[spec, WHOLE_RFC], 'statement')}" for spec in specs]
    heads += [words_or_code(f"{rfc(spec)} {tier}") for spec, tier in tiers]
    if not heads:
        return []
    rows = []
    for participant in participants:
        complied = complying_specs(results, participant.name, scores)
        cells = [f"**{names[participant.name]}**"]
        for spec in specs:
            score = scores[spec].get(participant.name, Score())
            cell = "✅ complies" if spec in complied else _states_cell(score)
            if not claims(participant, spec):
                cell += " (not claimed)"
            cells.append(cell)
        for scores_of_tier in tiers.values():
            score = scores_of_tier.get(participant.name, Score())
            cells.append(answers_text(score.required))
        rows.append(cells)
    return table_lines(("", *heads), rows)


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
            if not report.add(block, reserve=LIMIT // 2):
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
    """Add the groups that fit before the last `reserve` bytes, and say how many do not.

    The sentence that says it needs less than 300 bytes.
    """
    if not groups:
        return
    group_count, case_count = _group_counts_in_words(groups)
    report.add(f"### Failures by section: {case_count} in {group_count}")
    for number, group in enumerate(groups):
        block = _group_block(group, names[group.implementation])
        if not report.add(block, reserve=reserve + 300):
            group_count, case_count = _group_counts_in_words(groups[number:])
            report.add(f"*… and {group_count} more, with {case_count}.*")
            return


def _group_counts_in_words(groups: Sequence[FailureGroup]) -> tuple[str, str]:
    """Return (number of groups, number of cases in them), in words."""
    cases = sum(group.size for group in groups)
    return counted(len(groups), "group"), counted(cases, "case")


def _group_block(group: FailureGroup, name: str) -> str:
    """Return a group as one block: its name and counts, its first cases, and the commands to repeat them.

    A group without stored failures has no cases and no commands.
    """
    section = f"{group.place} {group.title}".strip()
    facts = [f"**{name}**", f"{rfc(group.spec)}, {words_or_code(section)}"]
    if group.class_:
        facts.append(f"class {words_or_code(group.class_)}")
    facts.append(group.counts)
    if group.flags:
        facts.append(", ".join(map(words_or_code, group.flags)))
    if not group.claimed:
        facts.append("not claimed")
    lines = [" · ".join(facts)]
    listed = group.failures[:_FAILURES]
    for failure in listed:
        description = ", ".join(_description_words(failure))
        lines.append(f"- {code_span(failure.result.id)}: {description}")
    if listed:
        commands = [failure.command for failure in listed]
        lines += ["", code_block(commands, "sh")]
    return "\n".join(lines)


def _description_words(failure: Failure) -> list[str]:
    """Return the question, the expected and the actual answer, and what an abnormal end wrote."""
    question = code_span(failure.question)
    expected = code_span(failure.expected)
    got = code_span(failure.got)
    description = [question, f"expected {expected}", f"{failure.result.outcome} {got}"]
    if failure.stderr_line:
        wrote = code_span(failure.stderr_line, _STDERR_LIMIT)
        description.append(f"it wrote {wrote}")
    return description


def _section_tables(results: Results) -> Iterator[list[str]]:
    """Yield for each RFC the lines of its table after a heading."""
    participants, _ = _shown_and_hidden(results)
    if not participants:
        return
    columns = [participant.name for participant in participants[:COLUMNS]]
    sizes = statement_sizes(results)
    sections = scores_by_section(results)
    has_unasked = any(
        scores[name].required.unasked for scores in sections.values() for name in columns if name in scores
    )
    rows: dict[str, list[Sequence[str]]] = {}
    for (spec, section), scores in sections.items():
        title = results.titles.get((spec, section), "")
        if has_row(title):
            scores_of_columns = [scores.get(name, Score()) for name in columns]
            cells = _figure_cells(scores_of_columns, sizes[spec, section], has_unasked=has_unasked)
            rows.setdefault(spec, []).append([_section_label(section, title), *cells])
    # names are made unique among all, so that one has the same name in every report
    unique_names = [*_markdown_names(participants, _HEAD_LIMIT).values()]
    head = _head_of_sections(unique_names[:COLUMNS], has_unasked=has_unasked)
    left_out = len(participants) - len(columns)
    note = f", {counted(left_out, 'implementation')} left out" if left_out else ""
    for spec, section_rows in rows.items():
        heading = f"### {rfc(spec)} by section{note}"
        yield [heading, *table_lines(head, section_rows)]


def _head_of_sections(names: Sequence[str], *, has_unasked: bool) -> list[str]:
    """Return the head of a table of sections.

    It names several implementations. Of a single one, it names the figures, and it has a column for the
    vectors that were never asked if `has_unasked`.
    """
    if len(names) > 1:
        return ["Section", *names]
    (name,) = names
    figures = [*_SECTION_FIGURES]
    if has_unasked:
        figures.append(_UNASKED)
    return [f"Section, {name}", *figures, _J]


def _figure_cells(scores: Sequence[Score], statements: int, *, has_unasked: bool) -> list[str]:
    """Return the cells of a row.

    A single implementation has a cell for each figure, and one for the vectors that were never asked if
    `has_unasked`. Several implementations have one cell each.
    """
    if len(scores) > 1:
        return [_held_cell(score, statements) for score in scores]
    (score,) = scores
    answers = score.required
    states = [score.states[state] for state in (State.HELD, State.FAILED, State.PARTLY, State.OPEN)]
    counts = [*states, answers.right, answers.wrong, answers.partial, answers.unsupported]
    cells = []
    figures = [*_SECTION_FIGURES]
    if has_unasked:
        figures.append(_UNASKED)
        counts.append(answers.unasked)
    for figure, count in zip(figures, counts, strict=True):
        cell = f"{count:,}" if count else ""
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
    """Add a table, without its last rows if it is too long. Return False if not even one row fits."""
    count = len(lines)
    while count > 2:  # the first two lines are the head
        rows = "\n".join(lines[:count])
        left_out = _more_in_words(len(lines) - count, "section")
        block = f"{heading}\n\n{rows}\n\n{left_out}".rstrip()
        if report.add(block, reserve=600):  # room for what follows the tables
            return True
        # a long table is halved, because each attempt measures the whole block
        count = count // 2 if count > 16 else count - 1
    return False
