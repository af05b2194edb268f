"""Markdown for the summary of a CI step: the result, the failures, and a table per RFC."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from urlharness.gate.findings import KINDS, Finding
from urlharness.gate.gate import Judgement
from urlharness.report.failures import Failure, FailureGroup, claims, failure_groups
from urlharness.report.summary import gate_reason, headline, kinds_by_section
from urlharness.results.coverage import caveats, extent, partial
from urlharness.results.model import Participant, Results
from urlharness.results.scores import NOTHING, Score, by_section, by_spec, by_tier, youden
from urlharness.results.verdict import Outcome
from urlharness.text import clipped, counted, logged, rfc, section_label, short_names

#: The largest size of the report in bytes, and the bytes of it reserved for the tables of sections.
LIMIT, _TABLES_LIMIT = 60_000, 20_000

#: The largest number of implementations that have a column in the table of an RFC.
COLUMNS = 8

_FINDINGS, _FAILURES = 25, 2  # findings that are listed, failures listed of each group
_NAME_LIMIT, _HEAD_LIMIT = 60, 40  # characters of a name

_SECTION_FIGURES = ("passed", "asked", "failed", "broke", "partial", "unsupported", "J")

_OWN = "The row of a section counts its own vectors, without subsections."

#: Words that Markdown and GitHub show unchanged: no list, link, mention, issue or commit.
_WORDS = re.compile(
    r"(?!\d+[.)](?: |$))(?!.*(?:\bgh-\d|\bwww|\b[0-9a-f]{7,40}\b))"
    r"[a-z0-9]+(?:(?:[ ,;]|[-'/]|[,;.:] | ?[()] ?|\.(?=\d))[a-z0-9]+)*[.)]?",
    re.IGNORECASE,
)


def render(results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}) -> str:
    """Return the report, of at most `LIMIT` bytes."""
    page = _Page()
    named = _named(results.participants, _NAME_LIMIT)
    for block in _beginning(results, judgements, baselines, named):
        page.add(block)
    tables = list(_section_tables(results))
    room = min(_TABLES_LIMIT, sum(len(line.encode()) + 2 for block in tables for line in block) + 200)
    for judgement in judgements:
        if judgement.findings:
            blocks = _findings(results, judgement.findings, baselines.get(judgement.name))
            left_out = sum(not page.add(block, reserve=room + 300) for block in blocks)
            page.add(_more(left_out, "finding"))
    _add_groups(page, failure_groups(results), room, named, listed=bool(baselines))
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
    """Return a code block with a fence that is longer than any in the text."""
    body = "\n".join(map(logged, lines))
    mark = "`" * max(3, _longest_run(body) + 1)
    return f"{mark}{language}\n{body}\n{mark}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; cells are Markdown, the first column is text, the others figures."""
    rule = ["---", *["---:"] * (len(head) - 1)]
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
    """Return each name as Markdown, shortened to `limit` characters, no two of them equal."""
    short = short_names((one.name for one in participants), limit)
    return {name: inline(shown, limit) for name, shown in short.items()}


class _Page:
    """Whole blocks of Markdown, up to LIMIT bytes."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self._left = LIMIT

    def add(self, block: str, *, reserve: int = 0) -> bool:
        """Add a block if at least `reserve` bytes remain afterwards; return False if it does not fit."""
        if not block:
            return True
        size = len(block.encode("utf-8", "backslashreplace")) + 2
        if size > self._left - reserve:
            return False
        self.blocks.append(block)
        self._left -= size
        return True


def _beginning(
    results: Results, judgements: Sequence[Judgement], baselines: Collection[str], named: Mapping[str, str]
) -> Iterator[str]:
    """Yield the headline, reasons of the gate, caveats, table of verdicts, and adapters that did not run."""
    found = headline(results, judgements)
    about = f"{named[found.name]}: " if found.name else ""
    yield f"## {'✅' if found.passed else '❌'} URL conformance: {about}{inline(found.text, 300)}"
    judged = [one for one in judgements if one.reason]
    reasons = [f"- {named[one.name]}: {inline(gate_reason(one), 300)}" for one in judged]
    mentioned = {one.name for one in judged if len(reasons) > 1 or gate_reason(one) == found.text}
    if len(reasons) > 1:
        yield "\n".join(reasons)
    yield "\n".join(f"- ⚠️ {inline(text, 400)}" for text in caveats(results))
    yield "\n".join(_verdicts(results, baselines, named))
    silent = [one for one in results.participants if one.state != "ran" and one.name not in mentioned]
    yield "\n".join(f"- {named[one.name]}: {one.status}: {code(one.message)}" for one in silent)


def _verdicts(results: Results, baselines: Collection[str], named: Mapping[str, str]) -> Iterator[str]:
    """Yield a table with a row for each implementation and a column for each RFC and generated tier."""
    columns = {**{(spec, ""): scores for spec, scores in by_spec(results).items()}, **by_tier(results)}
    partly, rows = partial(results), list[list[str]]()
    for one in results.participants:
        if one.state != "ran":
            continue
        no, cells = "" if one.name in baselines else "❌ ", [f"**{named[one.name]}**"]
        for place, scores in columns.items():
            yes = "passes what was asked" if place in partly else "✅ complies"
            yes = yes if results.complete else "so far"
            cells.append(_verdict(scores.get(one.name), yes, no, claimed=claims(one, place[0])))
        rows.append(cells)
    if not rows:
        yield "No implementation ran."
        return
    yield from table(("", *(inline(f"{rfc(spec)} {tier}".rstrip()) for spec, tier in columns)), rows)
    yield ""
    fails = ", ".join(outcome for outcome in Outcome if outcome.failing)
    passed = "The table counts the required vectors that decide on compliance, and how many of them passed"
    yield f"{passed}; `failing` counts all required vectors that ended in one of {fails}. {_OWN}"


def _verdict(score: Score | None, yes: str, no: str, *, claimed: bool) -> str:
    if score is None or not score.compliance.total:
        return f"**{score.failing:,} failing**" if score is not None and score.failing else NOTHING
    rate = score.compliance
    if score.complies and not score.failing:
        return f"{yes} · {rate.total:,}"
    fails = f" · **{score.failing:,} failing**" if score.failing else ""
    mark = no if claimed and score.failing else ""
    return f"{mark}{rate.passed:,} of {rate.total:,}{fails}{'' if claimed else ' (not claimed)'}"


def _findings(results: Results, findings: Sequence[Finding], baseline: Path | None) -> Iterator[str]:
    counts = Counter(found.kind for found in findings)
    what = ", ".join(f"{counts[kind]:,} {kind}" for kind in KINDS if counts[kind])
    against = f" against {inline(str(baseline))}" if baseline is not None else ""
    yield f"### Findings{against}: {what}"
    for found in findings[:_FINDINGS]:
        lines = [f"**{found.kind}** {code(found.id)}"]
        if found.listed is not None:
            note = f", {inline(found.listed.issue)}" if found.listed.issue else ""
            lines.append(f"- listed as {found.listed.outcome}{note}")
        asked = results.vectors.get(found.id)
        if found.found is not None and asked is not None:
            one = Failure(asked, found.found, results)
            lines += [f"- {line}" for line in _description(one)]
            lines += ["", fence([one.command], "sh")]
        yield "\n".join(lines)
    yield _more(len(findings) - _FINDINGS, "finding")


def _add_groups(
    page: _Page, found: Sequence[FailureGroup], reserve: int, named: Mapping[str, str], *, listed: bool
) -> None:
    if not found:
        return
    total = counted(sum(group.size for group in found), "case")
    known = ", including those in the baseline" if listed else ""
    page.add(f"### Failures: {total} in {counted(len(found), 'group')}{known}")
    for number, group in enumerate(found):
        if not page.add(_group(group, named[group.implementation]), reserve=reserve + 300):
            cases = counted(sum(one.size for one in found[number:]), "case")
            page.add(f"*… and {counted(len(found) - number, 'group')} more, with {cases}.*")
            return


def _group(group: FailureGroup, named: str) -> str:
    """Return a group as one block: what it is, its first cases, and how to repeat them."""
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
    """Yield for each RFC a heading, followed by the lines of its table."""
    ran = [one for one in results.participants if one.state == "ran"]
    shown = ran[:COLUMNS]
    counts = {one.name: kinds_by_section(results, one.name, tolerate=True) for one in shown}
    rows: dict[str, list[Sequence[str]]] = {}
    for (spec, section), scores in by_section(results).items() if shown else ():
        title = results.titles.get((spec, section), "")
        label = inline(" ".join(section_label(section, title)).strip(), 80)
        kinds = {name: own.get((spec, section), Counter()) for name, own in counts.items()}
        rows.setdefault(spec, []).append((label, *_cells(kinds, scores)))
    heads = list(_named(ran, _HEAD_LIMIT).values())[:COLUMNS]
    head = (f"Section, {heads[0]}", *_SECTION_FIGURES) if len(heads) == 1 else ("Section", *heads)
    left_out = f", {counted(len(ran) - COLUMNS, 'implementation')} left out" if len(ran) > COLUMNS else ""
    for spec, lines in rows.items():
        yield [f"### {rfc(spec)} by section{left_out}", *table(head, lines)]


def _cells(counts: Mapping[str, Counter[str]], scores: Mapping[str, Score]) -> list[str]:
    """Return a cell for each figure of one implementation, or one cell for each of several."""
    if len(counts) > 1:
        return [_summary_cell(kinds) for kinds in counts.values()]
    ((name, kinds),) = counts.items()
    broken = [f"**{kinds[kind]:,}**" if kinds[kind] else "" for kind in ("failed", "abnormal")]
    rest = [f"{kinds[kind]:,}" if kinds[kind] else "" for kind in ("partial", "unsupported")]
    j = youden(scores[name]) if name in scores else ""
    return [f"{kinds['passed']:,}", f"{kinds.total():,}", *broken, *rest, j]


def _summary_cell(kinds: Counter[str]) -> str:
    if not kinds.total():
        return NOTHING
    failing = kinds["failed"] + kinds["abnormal"]
    fails = f" · **{failing:,} failing**" if failing else ""
    return f"{kinds['passed']:,} of {kinds.total():,}{fails}"


def _add_tables(page: _Page, tables: Sequence[Sequence[str]]) -> None:
    """Add the tables with as many rows as fit, and say how many do not."""
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
