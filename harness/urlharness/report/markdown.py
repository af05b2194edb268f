"""Markdown for the summary of a CI step: the result, new findings, the summary, failures, a table per RFC."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from urlharness.gate.gate import FINDINGS, Judgement
from urlharness.report.failures import (
    Failure,
    FailureGroup,
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
from urlharness.results.coverage import caveats, extent
from urlharness.results.model import Participant, Results
from urlharness.results.scores import NOTHING, Score, State, by_section, by_spec, by_tier, has_row, youden
from urlharness.text import clipped, logged, short_names
from urlharness.wording import counted, first_names, rfc, section_label

#: The maximum size of the report in bytes, and the part of it that is reserved for the tables of sections.
LIMIT, _TABLES_LIMIT = 60_000, 20_000

#: The maximum number of implementations with a column in the table of an RFC.
COLUMNS = 8

_SIGNS = {"passed": "✅", "failed": "❌", "neutral": "⚪"}

_FINDINGS, _FAILURES = 10, 2  # the maximum number of listed findings, and of listed failures in a group
_NAME_LIMIT, _HEAD_LIMIT = 60, 40  # characters of a name

_WORST = 15  # the maximum number of listed worst sections, for all implementations together

_SECTION_FIGURES = (
    *("held", "failed", "partly answered", "open"),
    *("right", "wrong", "not exposed", "not offered", "J"),
)
_ANSWERS = ("Vectors", "right", "wrong", "of these witnesses", "not exposed", "not offered", "complies with")

_EXPLAINED = (
    "A statement holds if all its required vectors are right. The table of vectors counts the required "
    "vectors of the RFCs that an implementation claims. Witnesses are vectors made by a program. "
    "The row of a section counts its own statements and vectors, without subsections."
)

#: Texts of words that Markdown and GitHub show unchanged: no list, link, mention, issue or commit.
_WORDS = re.compile(
    r"(?!\d+[.)](?: |$))(?!.*(?:\bgh-\d|\bwww|\b[0-9a-f]{7,40}\b))"
    r"[a-z0-9]+(?:(?:[ ,;]|[-'/]|[,;.:] | ?[()] ?|\)[,;:] |\.(?=\d))[a-z0-9]+)*[.)]?",
    re.IGNORECASE,
)


def render(results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}) -> str:
    """Return the report, of at most `LIMIT` bytes."""
    page = _Page()
    named = _named(results.participants, _NAME_LIMIT)
    for block in _beginning(results, judgements, named):
        page.add(block)
    compared = [one for one in judgements if one.findings or one.name in baselines]
    _add_new(page, results, compared, baselines)
    for block in _summary(results, named):
        page.add(block)
    _add_new(page, results, [one for one in judgements if one not in compared], baselines)
    tables = list(_section_tables(results))
    room = min(_TABLES_LIMIT, sum(len(line.encode()) + 2 for block in tables for line in block) + 200)
    groups = [one for one in failure_groups(results) if one.implementation not in baselines]
    _add_groups(page, groups, room, named)
    _add_tables(page, tables)
    header = results.header
    made = f"urlconform {inline(header.urlconform)}, corpus {inline(header.corpus)}"
    page.add(f"{made}, {extent(results)}, {inline(header.started)}")
    return "\n\n".join(page.blocks) + "\n"


def inline(text: str, limit: int = 200) -> str:
    """Return a text for a line of Markdown: plain words as they are, anything else as a code span."""
    shown = clipped(logged(text), limit)
    return shown if _WORDS.fullmatch(shown) else _span(shown)


def code(text: str, limit: int = 200) -> str:
    """Return a text as a code span, or *empty*."""
    return _span(clipped(logged(text), limit))


def fence(lines: Iterable[str], language: str = "") -> str:
    """Return a code block. Its fence is longer than any run of backticks in the text."""
    body = "\n".join(map(logged, lines))
    mark = "`" * max(3, _longest_run(body) + 1)
    return f"{mark}{language}\n{body}\n{mark}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: Collection[str] = ()) -> list[str]:
    """Return the lines of a table. The cells are Markdown.

    The first column and the columns whose head is in `words` contain texts. All other columns contain
    figures.
    """
    rule = ["---", *("---" if one in words else "---:" for one in head[1:])]
    return [f"| {' | '.join(map(_cell, row))} |" for row in (head, rule, *rows)]


def _cell(text: str) -> str:
    """Replace bars by code points, because parsers disagree on a bar after a backslash."""
    return text.replace("|", "\\u{7c}")


def _span(text: str) -> str:
    if not text.strip(" "):
        return "*empty*" if not text else f"*{len(text)} blanks*"
    mark = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{mark}{pad}{text}{pad}{mark}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _more(number: int, what: str) -> str:
    return f"*… and {counted(number, f'{what} more', f'{what}s more')}.*" if number > 0 else ""


def _named(participants: Iterable[Participant], limit: int) -> Mapping[str, str]:
    """Map each implementation to its name as Markdown, cut to `limit` characters. The names are unique."""
    short = short_names((one.name for one in participants), limit)
    return {name: inline(shown, limit) for name, shown in short.items()}


class _Page:
    """Whole blocks of Markdown, up to LIMIT bytes."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self._left = LIMIT

    def add(self, block: str, *, reserve: int = 0) -> bool:
        """Add a block if at least `reserve` bytes remain afterwards. Return False if it does not fit."""
        if not block:
            return True
        size = len(block.encode("utf-8", "backslashreplace")) + 2
        if size > self._left - reserve:
            return False
        self.blocks.append(block)
        self._left -= size
        return True


def _beginning(results: Results, judgements: Sequence[Judgement], named: Mapping[str, str]) -> Iterator[str]:
    """Yield the headline, reasons of the gate, caveats, and adapters that did not run."""
    found = headline(results, judgements)
    about = f"{named[found.name]}: " if found.name else ""
    yield f"## {_SIGNS[found.state]} URL conformance: {about}{inline(found.text, 300)}"
    judged = [one for one in judgements if one.reason]
    reasons = [f"- {named[one.name]}: {inline(gate_reason(one), 300)}" for one in judged]
    mentioned = {one.name for one in judged if len(reasons) > 1 or gate_reason(one) == found.text}
    if len(reasons) > 1:
        yield "\n".join(reasons)
    notes = [note for one in judgements for note in one.notes]
    yield "\n".join(f"- ⚠️ {inline(text, 400)}" for text in (*caveats(results), *dict.fromkeys(notes)))
    silent = [one for one in results.participants if one.state != "ran" and one.name not in mentioned]
    yield "\n".join(f"- {named[one.name]}: {one.status}: {code(one.message)}" for one in silent)


def _shown(results: Results) -> tuple[list[Participant], list[Participant]]:
    """Return (implementations to show, hidden implementations).

    If others ran, a reference whose answers are all right is hidden.
    """
    ran = [one for one in results.participants if one.state == "ran"]
    hidden = [one for one in ran if one.name == "reference" and is_perfect(results, one.name)]
    shown = [one for one in ran if one not in hidden]
    return (shown, hidden) if shown else (hidden, [])


def _summary(results: Results, named: Mapping[str, str]) -> Iterator[str]:
    """Yield what was asked, tables of statements and answers, and the most failed sections."""
    shown, hidden = _shown(results)
    if not shown:
        yield "No implementation ran."
        return
    right = [f"`reference`: {answers_text(total_answers(results, one))}." for one in hidden]
    yield " ".join([f"Asked: {asked_text(results)}.", *right])
    scores = by_spec(results)
    yield "\n".join(_statements(results, shown, named, scores))
    counts = {one.name: total_answers(results, one) for one in shown}
    rows = [
        (
            f"**{named[name]}**",
            *(f"{count:,}" for count in (own.right, own.wrong)),
            f"{total_answers(results, one, witnesses=True).wrong:,}",
            f"{own.partial:,}",
            f"{own.unsupported:,}",
            _compliance(results, one, scores),
        )
        for one, (name, own) in zip(shown, counts.items(), strict=True)
    ]
    yield "\n".join([*table(_ANSWERS, rows, _ANSWERS[-1:]), "", _EXPLAINED])
    each = max(1, _WORST // len(shown))
    worst = [
        (
            f"**{named[one.name]}** {rfc(found.spec)} {_label(found.section, found.title)}",
            f"{found.failed:,} of {found.statements:,}",
            code(found.text, 120),
        )
        for one in shown
        for found in worst_sections(results, one, each)
    ]
    heads = ("Most failed sections", "statements failed", "an example")
    yield "\n".join(table(heads, worst, heads[2:])) if worst else ""


def _compliance(results: Results, participant: Participant, scores: SpecScores) -> str:
    """Name the RFCs that an implementation complies with, or say how far it is from its first RFC."""
    text = compliance_text(results, participant.name, scores) or NOTHING
    far = distance(results, participant, scores)
    if far is None:
        return text
    return f"{text}; {whole_percent(far.held)} of the statements of {rfc(far.spec)} hold"


def _statements(
    results: Results, shown: Sequence[Participant], named: Mapping[str, str], scores: SpecScores
) -> list[str]:
    """Return the table of statements held: a row for each implementation, a column for each RFC and tier."""
    sizes, tiers = statement_sizes(results), by_tier(results)
    specs = {spec: row for spec, row in scores.items() if sizes[spec, ""]}
    rows = []
    for one in shown:
        found, cells = complying(results, one.name, scores), [f"**{named[one.name]}**"]
        for spec, row in specs.items():
            states = row.get(one.name, Score()).states
            failed = f" · **{states[State.FAILED]:,} failed**" if states[State.FAILED] else ""
            cell = "✅ complies" if spec in found else f"{states[State.HELD]:,} held{failed}"
            cells.append(cell if claims(one, spec) else f"{cell} (not claimed)")
        cells += [answers_text(row.get(one.name, Score()).required) for row in tiers.values()]
        rows.append(cells)
    heads = [f"{rfc(spec)}, {counted(sizes[spec, ''], 'statement')}" for spec in specs]
    heads += [inline(f"{rfc(spec)} {tier}") for spec, tier in tiers]
    return table(("", *heads), rows) if heads else []


def _label(section: str, title: str) -> str:
    return inline(" ".join(section_label(section, title)).strip(), 80)


def _add_new(
    page: _Page, results: Results, judgements: Iterable[Judgement], baselines: Mapping[str, Path]
) -> None:
    """Add the new findings of judgements until half of the page is full. Say how many are left out."""
    for judgement in judgements:
        blocks = list(_new(results, judgement, baselines.get(judgement.name)))
        left_out = sum(not page.add(block, reserve=LIMIT // 2) for block in blocks)
        page.add(_more(left_out, "finding"))


def _new(results: Results, judgement: Judgement, baseline: Path | None) -> Iterator[str]:
    """Yield the new findings in full, then the entries to remove, and the number of known failures."""
    found = new_findings(results, judgement)
    if found:
        counts = Counter(one.kind for one in found)
        what = ", ".join(counted(counts[kind], *nouns) for kind, nouns in FINDINGS.items() if counts[kind])
        against = f" against {inline(str(baseline))}" if baseline is not None else ""
        yield f"### New{against}: {what}" if judgement.findings else "### Failures"
    shown = unlike(found)[:_FINDINGS]
    for one in shown:
        lines = one.failure.in_full(one.text) if one.failure is not None else [("before", one.text)]
        facts = [f"- {label}: {code(text, 500)}" for label, text in lines if label != "repeat"]
        command = ["", fence([one.failure.command], "sh")] if one.failure is not None else []
        yield "\n".join([f"**{one.kind}** {code(one.id)}", *facts, *command])
    yield _more(len(found) - len(shown), "finding" if judgement.findings else "failure")
    if stale := [code(one.id) for one in judgement.findings if one.kind == "stale"]:
        yield f"To be removed from the baseline: {first_names(stale, _FINDINGS)}."
    known = known_failures(results, judgement)
    yield f"{inline(known, 300)}." if known else ""


def _add_groups(page: _Page, found: Sequence[FailureGroup], reserve: int, named: Mapping[str, str]) -> None:
    if not found:
        return
    total = counted(sum(group.size for group in found), "case")
    page.add(f"### Failures by section: {total} in {counted(len(found), 'group')}")
    for number, group in enumerate(found):
        if not page.add(_group(group, named[group.implementation]), reserve=reserve + 300):
            cases = counted(sum(one.size for one in found[number:]), "case")
            page.add(f"*… and {counted(len(found) - number, 'group')} more, with {cases}.*")
            return


def _group(group: FailureGroup, named: str) -> str:
    """Return a group as one block: its name and counts, its first cases, and the commands to repeat them."""
    counts = ", ".join(f"{number:,} {outcome}" for outcome, number in group.outcomes.items())
    where = f"{rfc(group.spec)}, {inline(f'{group.place} {group.title}'.strip())}"
    class_ = f" · class {inline(group.class_)}" if group.class_ else ""
    claimed = "" if group.claimed else " · not claimed"
    flags = f" · {', '.join(map(inline, group.flags))}" if group.flags else ""
    shown = group.failures[:_FAILURES]
    lines = [f"**{named}** · {where}{class_} · {counts}{flags}{claimed}"]
    lines += [f"- {code(one.asked.case.vector.id)}: {', '.join(_description(one))}" for one in shown]
    return "\n".join(lines) + (f"\n\n{fence([one.command for one in shown], 'sh')}" if shown else "")


def _description(one: Failure) -> list[str]:
    wrote = [f"it wrote {code(one.wrote, 300)}"] if one.wrote else []
    came = f"{one.result.outcome} {code(one.got)}"
    return [code(one.question), f"expected {code(one.expected)}", came, *wrote]


def _section_tables(results: Results) -> Iterator[list[str]]:
    """Yield for each RFC the lines of its table after a heading."""
    ran, _ = _shown(results)
    shown, sizes = [one.name for one in ran[:COLUMNS]], statement_sizes(results)
    rows: dict[str, list[Sequence[str]]] = {}
    for (spec, section), scores in by_section(results).items() if shown else ():
        title = results.titles.get((spec, section), "")
        if has_row(title):
            cells = _cells([scores.get(name, Score()) for name in shown], sizes[spec, section])
            rows.setdefault(spec, []).append((_label(section, title), *cells))
    heads = list(_named(ran, _HEAD_LIMIT).values())[:COLUMNS]
    head = (f"Section, {heads[0]}", *_SECTION_FIGURES) if len(heads) == 1 else ("Section", *heads)
    left_out = f", {counted(len(ran) - COLUMNS, 'implementation')} left out" if len(ran) > COLUMNS else ""
    for spec, lines in rows.items():
        yield [f"### {rfc(spec)} by section{left_out}", *table(head, lines)]


def _cells(scores: Sequence[Score], statements: int) -> list[str]:
    """Return the cells of a row.

    A single implementation has a cell for each figure. Several implementations have one cell each.
    """
    if len(scores) > 1:
        return [_held_cell(score, statements) for score in scores]
    (score,) = scores
    states = [score.states[state] for state in (State.HELD, State.FAILED, State.PARTLY, State.OPEN)]
    answers = score.required
    numbers = [*states, answers.right, answers.wrong, answers.partial, answers.unsupported]
    bold = {1, 5}  # failed and wrong
    cells = [
        f"**{one:,}**" if place in bold and one else f"{one:,}" if one else ""
        for place, one in enumerate(numbers)
    ]
    return [*cells, youden(score)]


def _held_cell(score: Score, statements: int) -> str:
    failed = f" · **{score.states[State.FAILED]:,} failed**" if score.states[State.FAILED] else ""
    return f"{score.states[State.HELD]:,} of {statements:,}{failed}" if statements else NOTHING


def _add_tables(page: _Page, tables: Sequence[Sequence[str]]) -> None:
    """Add the rows of the tables that fit, and say how many do not."""
    for number, (heading, *lines) in enumerate(tables):
        cut = len(lines)
        while cut > 2:
            rows, rest = "\n".join(lines[:cut]), _more(len(lines) - cut, "section")
            if page.add(f"{heading}\n\n{rows}\n\n{rest}".rstrip(), reserve=600):
                break
            cut = cut // 2 if cut > 16 else cut - 1
        else:
            page.add(_more(len(tables) - number, "table"))
            return
