"""CI step summary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import get_args

from urlharness.corpus.model import SPECS, section_key
from urlharness.gate.findings import KINDS, Finding
from urlharness.gate.gate import Judgement
from urlharness.report.failures import Failure, Group, claims, groups
from urlharness.report.summary import KIND_OF, NOTHING, headline, reason, youden
from urlharness.results.coverage import caveats, extent, partial
from urlharness.results.model import Participant, Results
from urlharness.results.scores import Score, by_section, by_spec, by_tier
from urlharness.results.verdict import Outcome
from urlharness.text import clipped, counted, logged, names, rfc
from urlharness.text import section as section_named

# -------------------- report.markup: Markdown that no text can break: blocks of a page, and texts that stay texts inside them.


#: Words that mean nothing to Markdown or to GitHub: no list, no link, no mention, no issue, no commit.
_WORDS = re.compile(
    r"(?!\d+[.)](?: |$))(?!.*(?:\bgh-\d|\bwww|\b[0-9a-f]{7,40}\b))"
    r"[a-z0-9]+(?:(?:[ ,;]|[-'/]|[,;.:] | ?[()] ?|\.(?=\d))[a-z0-9]+)*[.)]?",
    re.IGNORECASE,
)


def inline(text: str, limit: int = 200) -> str:
    """A text in a line of Markdown: as it is if it is a few words, else as a code span."""
    shown = clipped(logged(text), limit)
    return shown if _WORDS.fullmatch(shown) else _span(shown)


def named_inline(given: Iterable[str], limit: int) -> Mapping[str, str]:
    """Each name in a line of Markdown: a long one cut in its middle, and no two of them alike."""
    return {name: inline(shown, limit) for name, shown in names(given, limit).items()}


def code(text: str, limit: int = 200) -> str:
    """A text as a code span; an empty one as a word."""
    return _span(clipped(logged(text), limit))


def cell(text: str) -> str:
    """A piece of Markdown within a table, where a bar ends the cell even in a code span.

    It is spelled out: behind a backslash of the text itself, parsers differ on what escapes it.
    """
    return text.replace("|", "\\u{7c}")


def fence(lines: Iterable[str], language: str = "") -> str:
    """Lines as a block of code, which nothing in them ends."""
    body = "\n".join(map(logged, lines))
    mark = "`" * max(3, _longest_run(body) + 1)
    return f"{mark}{language}\n{body}\n{mark}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, each cell a piece of Markdown; the first column is text, the others figures."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(map(cell, row))} |" for row in (head, rule, *rows)]


def _span(text: str) -> str:
    if not text.strip(" "):
        return "*empty*" if not text else f"*{len(text)} blanks*"
    mark = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{mark}{pad}{text}{pad}{mark}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


# -------------------- report.sectiontables: Tables of Markdown for each RFC: its sections as rows, what each implementation did in them as columns.


#: Implementations that have a column each; the tables would not be read with more.
COLUMNS = 8


_HEAD = ("passed", "asked", "failed", "broke", "partial", "unsupported", "J")


def section_tables(results: Results) -> Iterator[list[str]]:
    """For each RFC its heading and then the lines of its table, head and rule first."""
    ran = [one for one in results.participants if one.state == "ran"]
    shown = ran[:COLUMNS]
    counts = {one.name: _counts(results, one) for one in shown}
    named = named_inline((one.name for one in ran), 40)
    scores = by_section(results)
    left_out = f", {counted(len(ran) - COLUMNS, 'implementation')} left out" if len(ran) > COLUMNS else ""
    for spec in SPECS:
        sections = sorted({facts.section for facts in results.asked if facts.spec == spec}, key=section_key)
        if not sections or not shown:
            continue
        heading = f"### {rfc(spec)} by section{left_out}"
        rows = []
        for section in sections:
            score = scores.get((spec, section), {})
            called = section_named(section, results.titles.get((spec, section), ""))
            label = inline(" ".join(called).strip(), 80)
            cells = {one.name: counts[one.name].get((spec, section), Counter()) for one in shown}
            rows.append((label, *_cells(cells, score)))
        if len(shown) == 1:
            yield [heading, *table((f"Section, {named[shown[0].name]}", *_HEAD), rows)]
        else:
            yield [heading, *table(("Section", *(named[one.name] for one in shown)), rows)]


def _counts(results: Results, participant: Participant) -> Mapping[tuple[str, str], Counter[str]]:
    """For each section how many cases there are of each kind of outcome.

    A wrong answer where none is required fails no gate, and is of the kind `tolerated`.
    """
    found: dict[tuple[str, str], Counter[str]] = {}
    for (facts, outcome), count in results.counted.get(participant.name, {}).items():
        tolerated = outcome.failing and facts.binding != "required"
        kind = "tolerated" if tolerated else KIND_OF[outcome]
        found.setdefault((facts.spec, facts.section), Counter())[kind] += count
    return found


def _cells(counts: Mapping[str, Counter[str]], scores: Mapping[str, Score]) -> Sequence[str]:
    """Of one implementation a cell for each figure, of several a cell for each of them."""
    if len(counts) > 1:
        return [_cell(kinds) for kinds in counts.values()]
    ((name, kinds),) = counts.items()
    broken = [f"**{kinds[kind]:,}**" if kinds[kind] else "" for kind in ("failed", "abnormal")]
    rest = [f"{kinds[kind]:,}" if kinds[kind] else "" for kind in ("partial", "unsupported")]
    j = youden(scores[name]) if name in scores else ""
    return [f"{kinds['passed']:,}", f"{kinds.total():,}", *broken, *rest, j]


def _cell(kinds: Counter[str]) -> str:
    if not kinds.total():
        return NOTHING
    failing = kinds["failed"] + kinds["abnormal"]
    fails = f" · **{failing:,} failing**" if failing else ""
    return f"{kinds['passed']:,} of {kinds.total():,}{fails}"


# -------------------- report.markdown: The report as Markdown for the summary of a CI step: what came out, why, and a table for each RFC.


LIMIT = 60_000


#: Octets that the section tables may take from the failures, and how many rows the first tables have.
_TABLES, _ROWS = 20_000, 40


#: Findings and failures of one group that are shown.
_FINDINGS, _SHOWN = 25, 2


_NAME = 60  # characters of a name


_OWN = "The row of a section has all vectors of its own, and not those of the sections below it."


class _Page:
    """Blocks of Markdown, none of them cut, up to a number of octets."""

    def __init__(self, limit: int) -> None:
        self._blocks: list[str] = []
        self.left = limit

    def add(self, block: str, *, reserve: int = 0) -> bool:
        """Add a block if that leaves so many octets; say whether it did."""
        size = len(block.encode("utf-8", "backslashreplace")) + 2
        if size > self.left - reserve:
            return False
        self._blocks.append(block)
        self.left -= size
        return True

    @property
    def text(self) -> str:
        return "\n\n".join(self._blocks) + "\n"


def render(
    results: Results,
    judgements: Sequence[Judgement] = (),
    baselines: Mapping[str, Path] = MappingProxyType({}),
) -> str:
    """The page; with `judgements` of the gate, and the file of the baseline of each adapter that has one."""
    page = _Page(LIMIT)
    for block in _beginning(results, judgements, baselines):
        page.add(block)
    tables = list(section_tables(results))
    room = min(_TABLES, sum(len(line.encode()) + 2 for block in tables for line in block) + 200)
    for judgement in judgements:
        if judgement.findings:
            file = baselines.get(judgement.name)
            _add_all(page, _findings(results, judgement.findings, file), "finding", room)
    _add_groups(page, groups(results), room, _named(results), listed=bool(baselines))
    _add_tables(page, tables)
    page.add(_origin(results))
    return page.text


def _beginning(
    results: Results, judgements: Sequence[Judgement], baselines: Collection[str]
) -> Iterator[str]:
    found = headline(results, judgements)
    named = _named(results)
    about = f"{named[found.name]}: " if found.name else ""
    yield f"## {'✅' if found.well else '❌'} URL conformance: {about}{inline(found.text, 300)}"
    judged = [one for one in judgements if one.reason]
    said = [f"- {named[one.name]}: {inline(reason(one), 300)}" for one in judged]
    told = {one.name for one in judged[:_ROWS] if len(said) > 1 or reason(one) == found.text}
    if len(said) > 1:
        yield "\n".join((*said[:_ROWS], *_more(len(said) - _ROWS, "implementation")))
    warnings = [f"⚠️ {inline(text, 400)}" for text in caveats(results)]
    if warnings:
        yield "\n".join(f"- {text}" for text in warnings)
    yield "\n".join(_verdicts(results, baselines, named))
    silent = [one for one in results.participants if one.state != "ran" and one.name not in told]
    if silent:
        lines = [f"- {named[one.name]}: {one.state}: {code(one.message)}" for one in silent[:_ROWS]]
        yield "\n".join((*lines, *_more(len(silent) - _ROWS, "implementation")))


def _named(results: Results) -> Mapping[str, str]:
    """Each implementation as the page calls it."""
    return named_inline((one.name for one in results.participants), _NAME)


def _verdicts(results: Results, baselines: Collection[str], named: Mapping[str, str]) -> Iterator[str]:
    """A row for each implementation, a column for each RFC or generated tier of one."""
    columns = {rfc(spec): ((spec, ""), scores) for spec, scores in by_spec(results).items()}
    columns |= {
        inline(f"{rfc(place[0])} {place[1]}"): (place, scores) for place, scores in by_tier(results).items()
    }
    partly = partial(results)
    whole = results.complete
    yes = "✅ complies" if whole else "so far"
    shown = [one for one in results.participants if one.state == "ran"]
    rows = [
        (
            f"**{named[one.name]}**",
            *(
                _verdict(
                    scores.get(one.name),
                    "passes what was asked" if whole and place in partly else yes,
                    "" if one.name in baselines else "❌ ",
                    claimed=claims(one, place[0]),
                )
                for place, scores in columns.values()
            ),
        )
        for one in shown[:_ROWS]
    ]
    if not rows:
        yield "No implementation ran."
        return
    yield from table(("", *columns), rows)
    yield from ("", *_more(len(shown) - _ROWS, "implementation"))
    fails = ", ".join(outcome for outcome in Outcome if outcome.failing)
    passed = "Passed of the required vectors that decide on compliance"
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
    yield f"### Found{against}: {what}"
    for found in findings[:_FINDINGS]:
        lines = [f"**{found.kind}** {code(found.id)}"]
        if found.listed is not None:
            note = f", {inline(found.listed.issue)}" if found.listed.issue else ""
            lines.append(f"- listed as {found.listed.outcome}{note}")
        asked = results.vectors.get(found.id)
        if found.found is not None and asked is not None:
            one = Failure(asked, found.found, results)
            lines += [f"- {line}" for line in _told(one)]
            yield f"{chr(10).join(lines)}\n\n{fence([one.command], 'sh')}"
        else:
            yield "\n".join(lines)
    yield from _more(len(findings) - _FINDINGS, "finding")


def _add_all(page: _Page, blocks: Iterable[str], what: str, reserve: int) -> None:
    """Add blocks as long as they fit, and say how many did not."""
    left_out = sum(not page.add(block, reserve=reserve + 300) for block in blocks)
    for line in _more(left_out, what):
        page.add(line)


def _add_groups(
    page: _Page, found: Sequence[Group], reserve: int, named: Mapping[str, str], *, listed: bool
) -> None:
    if not found:
        return
    total = counted(sum(group.size for group in found), "case", "cases")
    known = ", whether listed or not" if listed else ""
    page.add(f"### Failures: {total} in {counted(len(found), 'group')}{known}")
    for number, group in enumerate(found):
        if not page.add(_group(group, named[group.implementation]), reserve=reserve + 300):
            cases = counted(sum(one.size for one in found[number:]), "case")
            page.add(f"*… and {counted(len(found) - number, 'group')} more, with {cases}.*")
            return


def _group(group: Group, named: str) -> str:
    """A group as one block: what it is, its first cases, and how to repeat them."""
    counts = ", ".join(f"{number:,} {outcome}" for outcome, number in group.outcomes.items())
    place = f"{rfc(group.spec)}, {inline(f'{group.place} {group.title}'.strip())}"
    class_ = f" · class {inline(group.class_)}" if group.class_ else ""
    claimed = "" if group.claimed else " · not claimed"
    flags = f" · {', '.join(map(inline, group.flags))}" if group.flags else ""
    shown = group.failures[:_SHOWN]
    lines = [f"**{named}** · {place}{class_} · {counts}{flags}{claimed}"]
    lines += [f"- {code(one.asked.case.vector.id)}: {', '.join(_told(one))}" for one in shown]
    return "\n".join(lines) + (f"\n\n{fence([one.command for one in shown], 'sh')}" if shown else "")


def _told(one: Failure) -> list[str]:
    wrote = [f"it wrote {code(one.wrote, 300)}"] if one.wrote else []
    came = f"{one.result.outcome} {code(one.got)}"
    return [code(one.question), f"expected {code(one.expected)}", came, *wrote]


def _add_tables(page: _Page, tables: Sequence[Sequence[str]]) -> None:
    """Add the tables with as many rows as fit, and say how many do not."""
    for number, (heading, *lines) in enumerate(tables):
        cut = len(lines)
        while cut > 2 and not page.add(_shortened(heading, lines, cut), reserve=600):
            cut = cut // 2 if cut > 16 else cut - 1
        if cut <= 2:
            page.add("".join(_more(len(tables) - number, "table")))
            return


def _shortened(heading: str, lines: Sequence[str], cut: int) -> str:
    left_out = f"\n\n{''.join(_more(len(lines) - cut, 'section'))}" if cut < len(lines) else ""
    return f"{heading}\n\n{chr(10).join(lines[:cut])}{left_out}"


def _more(number: int, what: str) -> list[str]:
    return [f"*… and {counted(number, f'{what} more', f'{what}s more')}.*"] if number > 0 else []


def _origin(results: Results) -> str:
    header = results.header
    return (
        f"urlconform {inline(header.urlconform)}, corpus {inline(header.corpus)}, "
        f"{extent(results)}, {inline(header.started)}"
    )
