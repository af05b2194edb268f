"""Tables of Markdown for each RFC: its sections as rows, what each implementation did in them as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from urlharness.corpus import SPECS, section_key
from urlharness.report.figures import KIND_OF, NOTHING, youden
from urlharness.report.markup import inline, named_inline, table
from urlharness.report.texts import counted, rfc
from urlharness.report.texts import section as section_named
from urlharness.results import Participant, Results
from urlharness.scores import Score, by_section
from urlharness.verdict import FAILING

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
        tolerated = outcome in FAILING and facts.binding != "required"
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
