"""Markdown for the summary of a CI step: the result, new findings, the summary, failures, a table per RFC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from urlharness.gate.gate import FINDINGS, Judgement
from urlharness.report.document import code, fence, inline, table
from urlharness.report.failures import (
    Failure,
    FailureGroup,
    NewFinding,
    claims,
    failure_groups,
    known_failures,
    new_findings,
    unlike,
)
from urlharness.report.summary import (
    SpecScores,
    answers_text,
    asked_text,
    compliance_text,
    complying,
    distance,
    gate_reason,
    headline,
    is_perfect,
    statement_sizes,
    total_answers,
    whole_percent,
    worst_sections,
)
from urlharness.results.coverage import WHOLE_RFC, caveats, extent
from urlharness.results.model import Participant, Results
from urlharness.results.scores import NOTHING, Score, State, by_section, by_spec, by_tier, has_row, youden
from urlharness.text import short_names
from urlharness.wording import counted, first_names, rfc, section_label

#: The maximum size of the report in bytes.
LIMIT = 60_000

#: The part of the report that is reserved for the tables of sections, in bytes.
_TABLES_LIMIT = 20_000

#: The maximum number of implementations with a column in the table of an RFC.
COLUMNS = 8

_SIGNS = {"passed": "✅", "failed": "❌", "neutral": "⚪"}

#: The maximum number of listed findings, and of listed failures in a group.
_FINDINGS, _FAILURES = 10, 2

#: The maximum number of characters of a name, and of a name at the head of a column.
_NAME_LIMIT, _HEAD_LIMIT = 60, 40

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
    "J",
)

#: The figures of a section that are bold unless they are 0.
_BOLD_FIGURES = ("failed", "wrong")
_ANSWERS = ("Vectors", "right", "wrong", "of these witnesses", "not exposed", "not offered", "complies with")

_EXPLAINED = (
    "A statement holds if all its required vectors are right. The table of vectors counts the required "
    "vectors of the RFCs that an implementation claims. Witnesses are vectors made by a program. "
    "The row of a section counts its own statements and vectors, without subsections."
)


def render(results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}) -> str:
    """Return the report, of at most `LIMIT` bytes."""
    report = _LimitedReport()
    names = _markdown_names(results.participants, _NAME_LIMIT)
    for block in _beginning(results, judgements, names):
        report.add(block)
    # regressions come before the summary, and the failures of a gate without a baseline after it
    compared = [judgement for judgement in judgements if judgement.findings or judgement.name in baselines]
    _add_new(report, results, compared, baselines)
    for block in _summary(results, names):
        report.add(block)
    _add_new(report, results, [judgement for judgement in judgements if judgement not in compared], baselines)
    tables = list(_section_tables(results))
    table_lines = [line for lines in tables for line in lines]
    # with the ends of lines and blocks, and with the last lines of the report
    table_size = sum(len(line.encode()) + 2 for line in table_lines) + 200
    groups = [group for group in failure_groups(results) if group.implementation not in baselines]
    _add_groups(report, groups, min(_TABLES_LIMIT, table_size), names)
    _add_tables(report, tables)
    header = results.header
    versions = f"urlconform {inline(header.urlconform)}, corpus {inline(header.corpus)}"
    report.add(f"{versions}, {extent(results)}, {inline(header.started)}")
    return "\n\n".join(report.blocks) + "\n"


def _more(number: int, noun: str) -> str:
    """Say that there are more of these, or return an empty string if the number is not positive."""
    return f"*… and {counted(number, f'{noun} more', f'{noun}s more')}.*" if number > 0 else ""


def _markdown_names(participants: Iterable[Participant], limit: int) -> Mapping[str, str]:
    """Map each implementation to its name as Markdown, cut to `limit` characters. The names are unique."""
    short = short_names((participant.name for participant in participants), limit)
    return {name: inline(short_name, limit) for name, short_name in short.items()}


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


def _beginning(results: Results, judgements: Sequence[Judgement], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the headline, reasons of the gate, caveats, and adapters that did not run."""
    decision = headline(results, judgements)
    about = f"{names[decision.name]}: " if decision.name else ""
    yield f"## {_SIGNS[decision.state]} URL conformance: {about}{inline(decision.text, 300)}"
    with_reason = [judgement for judgement in judgements if judgement.reason]
    if len(with_reason) > 1:
        yield "\n".join(
            f"- {names[judgement.name]}: {inline(gate_reason(judgement), 300)}" for judgement in with_reason
        )
        mentioned = {judgement.name for judgement in with_reason}
    else:
        mentioned = {judgement.name for judgement in with_reason if gate_reason(judgement) == decision.text}
    notes = dict.fromkeys(note for judgement in judgements for note in judgement.notes)
    yield "\n".join(f"- ⚠️ {inline(text, 400)}" for text in (*caveats(results), *notes))
    yield "\n".join(
        f"- {names[participant.name]}: {participant.status}: {code(participant.message)}"
        for participant in results.participants
        if participant.state != "ran" and participant.name not in mentioned
    )


def _shown_and_hidden(results: Results) -> tuple[list[Participant], list[Participant]]:
    """Return (implementations to show, hidden implementations).

    If others ran, a reference whose answers are all right is hidden.
    """
    ran = [participant for participant in results.participants if participant.state == "ran"]
    references = [participant for participant in ran if participant.name == "reference"]
    perfect = [reference for reference in references if is_perfect(results, reference.name)]
    others = [participant for participant in ran if participant not in perfect]
    return (others, perfect) if others else (perfect, [])


def _summary(results: Results, names: Mapping[str, str]) -> Iterator[str]:
    """Yield what was asked, tables of statements and answers, and the most failed sections."""
    participants, hidden = _shown_and_hidden(results)
    if not participants:
        yield "No implementation ran."
        return
    sentences = [f"Asked: {asked_text(results)}."]
    sentences += [f"`reference`: {answers_text(total_answers(results, reference))}." for reference in hidden]
    yield " ".join(sentences)
    scores = by_spec(results)
    yield "\n".join(_statements(results, participants, names, scores))
    rows = [_answers_row(results, participant, names, scores) for participant in participants]
    yield "\n".join([*table(_ANSWERS, rows, words=_ANSWERS[-1:]), "", _EXPLAINED])
    worst = _worst_rows(results, participants, names)
    if worst:
        heads = ("Most failed sections", "statements failed", "an example")
        yield "\n".join(table(heads, worst, words=heads[-1:]))


def _answers_row(
    results: Results, participant: Participant, names: Mapping[str, str], scores: SpecScores
) -> Sequence[str]:
    """Return the row of an implementation in the table of answers, under the heads `_ANSWERS`."""
    answers = total_answers(results, participant)
    wrong_witnesses = total_answers(results, participant, witnesses=True).wrong
    counts = [answers.right, answers.wrong, wrong_witnesses, answers.partial, answers.unsupported]
    return [
        f"**{names[participant.name]}**",
        *(f"{count:,}" for count in counts),
        _compliance(results, participant, scores),
    ]


def _worst_rows(
    results: Results, participants: Sequence[Participant], names: Mapping[str, str]
) -> list[Sequence[str]]:
    """Return rows about the worst sections, the same number for each implementation, but at least one."""
    limit = max(1, _WORST // len(participants))
    rows: list[Sequence[str]] = []
    for participant in participants:
        for section in worst_sections(results, participant, limit):
            label = f"{rfc(section.spec)} {_label(section.section, section.title)}"
            failed = f"{section.failed:,} of {section.statements:,}"
            rows.append((f"**{names[participant.name]}** {label}", failed, code(section.text, 120)))
    return rows


def _compliance(results: Results, participant: Participant, scores: SpecScores) -> str:
    """Name the RFCs that an implementation complies with, or say how far it is from its first RFC."""
    text = compliance_text(results, participant.name, scores) or NOTHING
    far = distance(results, participant, scores)
    if far is None:
        return text
    return f"{text}; {whole_percent(far.held)} of the statements of {rfc(far.spec)} hold"


def _statements(
    results: Results, participants: Sequence[Participant], names: Mapping[str, str], scores: SpecScores
) -> list[str]:
    """Return the table of statements held: a row for each implementation, a column for each RFC and tier."""
    sizes = statement_sizes(results)
    tiers = by_tier(results)
    specs = [spec for spec in scores if sizes[spec, WHOLE_RFC]]
    heads = [f"{rfc(spec)}, {counted(sizes[spec, WHOLE_RFC], 'statement')}" for spec in specs]
    heads += [inline(f"{rfc(spec)} {tier}") for spec, tier in tiers]
    if not heads:
        return []
    rows = []
    for participant in participants:
        complied = complying(results, participant.name, scores)
        cells = [f"**{names[participant.name]}**"]
        for spec in specs:
            score = scores[spec].get(participant.name, Score())
            cell = "✅ complies" if spec in complied else _states_cell(score)
            cells.append(cell if claims(participant, spec) else f"{cell} (not claimed)")
        cells += [answers_text(row.get(participant.name, Score()).required) for row in tiers.values()]
        rows.append(cells)
    return table(("", *heads), rows)


def _states_cell(score: Score) -> str:
    return f"{score.states[State.HELD]:,} held{_failed(score)}"


def _failed(score: Score) -> str:
    failed = score.states[State.FAILED]
    return f" · **{failed:,} failed**" if failed else ""


def _label(section: str, title: str) -> str:
    return inline(" ".join(section_label(section, title)).strip(), 80)


def _add_new(
    report: _LimitedReport, results: Results, judgements: Iterable[Judgement], baselines: Mapping[str, Path]
) -> None:
    """Add the new findings of judgements until half of the report is full. Say how many are left out."""
    for judgement in judgements:
        left_out = 0
        for block in _new(results, judgement, baselines.get(judgement.name)):
            if not report.add(block, reserve=LIMIT // 2):
                left_out += 1
        report.add(_more(left_out, "finding"))


def _new(results: Results, judgement: Judgement, baseline: Path | None) -> Iterator[str]:
    """Yield the new findings in full, then the entries to remove, and the number of known failures."""
    findings = new_findings(results, judgement)
    if findings:
        yield _new_heading(judgement, findings, baseline)
    listed = unlike(findings)[:_FINDINGS]
    for finding in listed:
        yield _finding(finding)
    yield _more(len(findings) - len(listed), "finding" if judgement.findings else "failure")
    stale = [code(finding.id) for finding in judgement.findings if finding.kind == "stale"]
    if stale:
        yield f"To be removed from the baseline: {first_names(stale, _FINDINGS)}."
    unchanged = known_failures(results, judgement)
    yield f"{inline(unchanged, 300)}." if unchanged else ""


def _new_heading(judgement: Judgement, findings: Sequence[NewFinding], baseline: Path | None) -> str:
    if not judgement.findings:
        return "### Failures"
    counts = Counter(finding.kind for finding in findings)
    words = [counted(counts[kind], *nouns) for kind, nouns in FINDINGS.items() if counts[kind]]
    against = f" against {inline(str(baseline))}" if baseline is not None else ""
    return f"### New{against}: {', '.join(words)}"


def _finding(finding: NewFinding) -> str:
    """Return a finding in full, with the command that repeats its case."""
    title = f"**{finding.kind}** {code(finding.id)}"
    if finding.failure is None:
        return f"{title}\n- before: {code(finding.text, 500)}"
    facts = [
        f"- {label}: {code(text, 500)}"
        for label, text in finding.failure.in_full(finding.text)
        if label != "repeat"
    ]
    return "\n".join([title, *facts, "", fence([finding.failure.command], "sh")])


def _add_groups(
    report: _LimitedReport, groups: Sequence[FailureGroup], reserve: int, names: Mapping[str, str]
) -> None:
    """Add the groups that fit before the last `reserve` bytes, and say how many do not.

    The sentence that says it needs less than 300 bytes.
    """
    if not groups:
        return
    cases = counted(sum(group.size for group in groups), "case")
    report.add(f"### Failures by section: {cases} in {counted(len(groups), 'group')}")
    for number, group in enumerate(groups):
        if not report.add(_group(group, names[group.implementation]), reserve=reserve + 300):
            rest = groups[number:]
            cases = counted(sum(group.size for group in rest), "case")
            report.add(f"*… and {counted(len(rest), 'group')} more, with {cases}.*")
            return


def _group(group: FailureGroup, name: str) -> str:
    """Return a group as one block: its name and counts, its first cases, and the commands to repeat them."""
    section = f"{group.place} {group.title}".strip()
    facts = [f"**{name}**", f"{rfc(group.spec)}, {inline(section)}"]
    if group.class_:
        facts.append(f"class {inline(group.class_)}")
    facts.append(", ".join(f"{number:,} {outcome}" for outcome, number in group.outcomes.items()))
    if group.flags:
        facts.append(", ".join(map(inline, group.flags)))
    if not group.claimed:
        facts.append("not claimed")
    lines = [" · ".join(facts)]
    listed = group.failures[:_FAILURES]
    lines += [f"- {code(failure.result.id)}: {', '.join(_description(failure))}" for failure in listed]
    if listed:
        lines += ["", fence([failure.command for failure in listed], "sh")]
    return "\n".join(lines)


def _description(failure: Failure) -> list[str]:
    """Return the question, the expected and the actual answer, and what an abnormal end wrote."""
    words = [
        code(failure.question),
        f"expected {code(failure.expected)}",
        f"{failure.result.outcome} {code(failure.got)}",
    ]
    if failure.wrote:
        words.append(f"it wrote {code(failure.wrote, 300)}")
    return words


def _section_tables(results: Results) -> Iterator[list[str]]:
    """Yield for each RFC the lines of its table after a heading."""
    participants, _ = _shown_and_hidden(results)
    if not participants:
        return
    columns = [participant.name for participant in participants[:COLUMNS]]
    sizes = statement_sizes(results)
    rows: dict[str, list[Sequence[str]]] = {}
    for (spec, section), scores in by_section(results).items():
        title = results.titles.get((spec, section), "")
        if has_row(title):
            cells = _cells([scores.get(name, Score()) for name in columns], sizes[spec, section])
            rows.setdefault(spec, []).append((_label(section, title), *cells))
    # names are made unique among all, so that one has the same name in every report
    heads = list(_markdown_names(participants, _HEAD_LIMIT).values())[:COLUMNS]
    head = (f"Section, {heads[0]}", *_SECTION_FIGURES) if len(heads) == 1 else ("Section", *heads)
    left_out = len(participants) - len(columns)
    note = f", {counted(left_out, 'implementation')} left out" if left_out else ""
    for spec, section_rows in rows.items():
        yield [f"### {rfc(spec)} by section{note}", *table(head, section_rows)]


def _cells(scores: Sequence[Score], statements: int) -> list[str]:
    """Return the cells of a row.

    A single implementation has a cell for each figure. Several implementations have one cell each.
    """
    if len(scores) > 1:
        return [_held_cell(score, statements) for score in scores]
    (score,) = scores
    answers = score.required
    states = [score.states[state] for state in (State.HELD, State.FAILED, State.PARTLY, State.OPEN)]
    counts = [*states, answers.right, answers.wrong, answers.partial, answers.unsupported]
    cells = []
    for figure, count in zip(_SECTION_FIGURES, counts, strict=False):  # the last figure, J, is no count
        cell = f"{count:,}" if count else ""
        cells.append(f"**{cell}**" if count and figure in _BOLD_FIGURES else cell)
    return [*cells, youden(score)]


def _held_cell(score: Score, statements: int) -> str:
    if not statements:
        return NOTHING
    return f"{score.states[State.HELD]:,} of {statements:,}{_failed(score)}"


def _add_tables(report: _LimitedReport, tables: Sequence[Sequence[str]]) -> None:
    """Add the rows of the tables that fit, and say how many do not."""
    for number, (heading, *lines) in enumerate(tables):
        if not _add_table(report, heading, lines):
            report.add(_more(len(tables) - number, "table"))
            return


def _add_table(report: _LimitedReport, heading: str, lines: Sequence[str]) -> bool:
    """Add a table, without its last rows if it is too long. Return False if not even one row fits."""
    count = len(lines)
    while count > 2:  # the first two lines are the head
        rows = "\n".join(lines[:count])
        block = f"{heading}\n\n{rows}\n\n{_more(len(lines) - count, 'section')}"
        if report.add(block.rstrip(), reserve=600):  # room for what follows the tables
            return True
        # a long table is halved, because each attempt measures the whole block
        count = count // 2 if count > 16 else count - 1
    return False
