"""The report as one HTML file: tables that need no script, and every case for those who run it.

The tables are rendered here.  The cases travel as gzip and base64 in a data block, decoded in the browser.
Every text of a run is hostile: the template escapes it, the script only ever sets it as text, and the
Content-Security-Policy lets nothing run but the script whose hash it names.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from urlharness.corpus import SPECS, Case
from urlharness.protocol import Components
from urlharness.results import AskedVector, Participant, Result, Results
from urlharness.scores import Rate, Score, by_section, by_spec, place
from urlharness.verdict import FAILING, Outcome, compare_components

#: The kinds of outcome that share a colour in the bars, in their order from left to right.
KINDS: Mapping[str, tuple[Outcome, ...]] = {
    "passed": ("pass", "variant"),
    "partial": ("partial",),
    "failed": ("fail",),
    "abnormal": ("error", "timeout", "crash", "garbage", "no-answer", "aborted"),
    "unsupported": ("unsupported",),
}
_KIND_OF = {outcome: kind for kind, outcomes in KINDS.items() for outcome in outcomes}

#: Unicode categories without a shape of their own, besides the ordinary blank.
_ODD = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"))


def render(results: Results) -> str:
    """The whole page as text; it loads nothing else, from any place it is opened."""
    style, script = _asset("report.css"), _asset("report.js")
    environment = Environment(
        autoescape=True, finalize=_plain, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["spec"] = spec_name
    shown = columns(results)
    return environment.from_string(_asset("report.html.j2")).render(
        header=results.header,
        complete=results.complete,
        interrupted=results.interrupted,
        participants=[_introduction(results, participant) for participant in results.participants],
        columns=shown,
        silent=[participant for participant in results.participants if participant not in shown],
        summary=_summary(results, shown),
        chapters=_chapters(results, shown),
        vectors=len(results.vectors),
        kinds=tuple(KINDS),
        outcomes=[outcome for outcomes in KINDS.values() for outcome in outcomes],
        policy=_policy(style, script),
        style=Markup(style),  # noqa: S704 - our own files, the same for every report
        script=Markup(script),  # noqa: S704
        data=base64.b64encode(gzip.compress(payload(results), mtime=0)).decode("ascii"),
    )


def spec_name(spec: str) -> str:
    """A specification as readers call it: RFC 1738."""
    return f"RFC {spec.removeprefix('rfc')}"


def columns(results: Results) -> list[Participant]:
    """The implementations that have a column: those with results, or that ran."""
    return [p for p in results.participants if p.state == "ran" or results.of(p.name)]


def _asset(name: str) -> str:
    return (resources.files("urlharness.report") / "assets" / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_fingerprint(script)}",
            f"style-src {_fingerprint(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _fingerprint(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def _plain(value: Any) -> Any:
    """A text of the run with the characters that have no shape written as their code points."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "".join(
        f"⟨U+{ord(char):04X}⟩" if char != " " and unicodedata.category(char) in _ODD else char
        for char in value
    )


# --- figures ---------------------------------------------------------------------------------------


class Figure(NamedTuple):
    """A number with its name; `exact` says it in full."""

    name: str
    text: str
    exact: str


def percent(rate: Rate) -> str:
    """A rate in percent, cut and never rounded up: only a full rate reads 100 %."""
    if not rate.total:
        return "–"
    tenths = rate.passed * 1000 // rate.total
    if not tenths and rate.passed:
        return "<0.1 %"
    return f"{tenths // 10} %" if tenths in (0, 1000) else f"{tenths // 10}.{tenths % 10} %"


def youden(score: Score) -> str:
    """J with two digits, cut like a rate; a minus sign where the adapter is worse than a coin."""
    if not score.accepted.total or not score.rejected.total:
        return "–"
    accepted = Fraction(score.accepted.passed, score.accepted.total)
    rejected = Fraction(score.rejected.passed, score.rejected.total)
    j = accepted + rejected - 1
    hundredths = int(abs(j) * 100)
    sign = "−" if j < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"


def _figures(score: Score) -> list[Figure]:
    rates = {
        "accepted": score.accepted,
        "rejected": score.rejected,
        "components": score.components,
        "results": score.results,
        "coverage": score.coverage,
    }
    found = [Figure(name, percent(rate), f"{rate.passed} of {rate.total}") for name, rate in rates.items()]
    found.insert(2, Figure("J", youden(score), "accepted rate + rejected rate − 1"))
    return found


def _fractions(score: Score) -> list[Figure]:
    """The figures of a section: counts, not rates; only where there is anything to count; no full coverage."""
    full = score.coverage.passed == score.coverage.total
    return [
        figure if figure.name == "J" else figure._replace(text=figure.exact.replace(" of ", "/"))
        for figure in _figures(score)
        if figure.text != "–" and not (full and figure.name == "coverage")
    ]


class Segment(NamedTuple):
    """A part of a bar: where it starts and how wide it is, in percent."""

    kind: str
    start: str
    width: str


class Bar(NamedTuple):
    """Outcomes as a bar, and the same in words."""

    segments: list[Segment]
    words: str


def _bar(counts: Counter[str], total: int) -> Bar:
    segments, words, done = [], [], 0
    for kind in KINDS:
        if counts[kind]:
            segments.append(
                Segment(kind, f"{100 * done / total:.2f}%", f"{100 * counts[kind] / total:.2f}%")
            )
            words.append(f"{counts[kind]} {kind}")
            done += counts[kind]
    if done < total:
        words.append(f"{total - done} without an outcome")
    return Bar(segments, ", ".join(words))


# --- tables ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Introduction:
    """An implementation as the head of the report names it."""

    participant: Participant
    counts: list[tuple[str, int]]

    @property
    def version(self) -> str:
        """Its version, where it lived to tell it."""
        found = self.participant.implementation
        return found.version if found else ""

    @property
    def runtime(self) -> str:
        """Its language and what runs it."""
        found = self.participant.implementation
        return " · ".join(part for part in (found.language, found.runtime) if part) if found else ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one implementation did in one row: a state in words, or figures."""

    name: str
    state: str
    verdict: str = ""
    passed: int = 0
    total: int = 0
    failing: int = 0
    bar: Bar = Bar([], "")  # noqa: RUF009 - a tuple
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One RFC, or one section of it."""

    spec: str
    section: str
    title: str
    vectors: int
    cells: list[Cell]

    @property
    def depth(self) -> int:
        """How far the section is indented."""
        return min(self.section.count("."), 3)


def _introduction(results: Results, participant: Participant) -> Introduction:
    counted = Counter(result.outcome for result in results.of(participant.name).values())
    order = list(_KIND_OF)
    return Introduction(participant, sorted(counted.items(), key=lambda entry: order.index(entry[0])))


def _summary(results: Results, shown: list[Participant]) -> list[Row]:
    rows = []
    for spec, scores in by_spec(results).items():
        asked = [vector for vector in results.vectors.values() if vector.case.spec == spec]
        cells = [_summary_cell(results, p, scores.get(p.name), asked) for p in shown]
        rows.append(Row(spec, "", "", len(asked), cells))
    return rows


def _summary_cell(
    results: Results, participant: Participant, score: Score | None, asked: list[AskedVector]
) -> Cell:
    if score is None:
        return Cell(participant.name, "not asked")
    counts = _count(results, participant.name, asked)
    # half a run must not look like a verdict
    whole = results.complete and participant.state == "ran" and score.coverage.total == len(asked)
    if not score.compliance.total:
        verdict = "nothing to judge"
    elif score.complies:
        verdict = "complies" if whole else "passes so far"
    else:
        verdict = "does not comply"
    return Cell(
        participant.name,
        "",
        verdict,
        score.compliance.passed,
        score.compliance.total,
        counts["failed"] + counts["abnormal"],
        _bar(counts, len(asked)),
        tuple(_figures(score)),
    )


def _count(results: Results, name: str, asked: Iterable[AskedVector]) -> Counter[str]:
    found = results.of(name)
    return Counter(
        _KIND_OF[found[vector.case.vector.id].outcome] for vector in asked if vector.case.vector.id in found
    )


def _chapters(results: Results, shown: list[Participant]) -> dict[str, list[Row]]:
    """For each RFC the rows of its section table."""
    chapters: dict[str, list[Row]] = {}
    asked: dict[tuple[str, str], list[AskedVector]] = {}
    for vector in results.vectors.values():
        asked.setdefault((vector.case.spec, vector.case.section), []).append(vector)
    for (spec, section), scores in by_section(results).items():
        vectors = asked[spec, section]
        cells = []
        for participant in shown:
            score = scores.get(participant.name)
            if score is None:
                cells.append(Cell(participant.name, "not asked"))
                continue
            counts = _count(results, participant.name, vectors)
            cells.append(
                Cell(
                    participant.name,
                    "",
                    passed=counts["passed"],
                    total=len(vectors),
                    failing=counts["failed"] + counts["abnormal"],
                    bar=_bar(counts, len(vectors)),
                    figures=tuple(_fractions(score)),
                )
            )
        title = "; ".join(dict.fromkeys(vector.title for vector in vectors if vector.title))
        chapters.setdefault(spec, []).append(Row(spec, section, title, len(vectors), cells))
    return chapters


# --- data for the script ---------------------------------------------------------------------------


def payload(results: Results) -> bytes:
    """The cases as JSON for the script; equal answers are stored once, and a case refers to them by number."""
    ordered = sorted(results.vectors.values(), key=lambda asked: place(asked.case))
    sections: dict[tuple[str, str], int] = {}
    titles: list[str] = []
    requirements: dict[str, int] = {}
    statements: list[Any] = []
    cases = []
    for asked in ordered:
        key = (asked.case.spec, asked.case.section)
        if key not in sections:
            sections[key] = len(sections)
            titles.append(asked.title)
        if asked.requirement.id not in requirements:
            requirements[asked.requirement.id] = len(requirements)
            statements.append(msgspec.to_builtins(asked.requirement))
        cases.append(
            [
                sections[key],
                requirements[asked.requirement.id],
                msgspec.to_builtins(asked.case.vector),
                asked.title,
            ]
        )
    answers = _Answers()
    shown = columns(results)
    answered = [
        [answers.number(asked.case, results.of(p.name).get(asked.case.vector.id), p.features) for asked in ordered]
        for p in shown
    ]
    value = {
        "implementations": [p.name for p in shown],
        "specs": {spec: spec_name(spec) for spec in SPECS},
        "sections": [[*key, titles[number]] for key, number in sections.items()],
        "kinds": _KIND_OF,
        "failing": sorted(FAILING),
        "requirements": statements,
        "cases": cases,
        "answers": answers.rows,
        "columns": answered,
    }
    return json.dumps(value, separators=(",", ":")).encode("ascii")


class _Answers:
    """Answers interned by value; -1 stands for none."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, case: Case, result: Result | None, features: tuple[str, ...]) -> int:
        """The number of an answer, stored when it is new."""
        if result is None:
            return -1
        got = {name: value for name, value in result.got.items() if name != "id"}  # differs in every reply
        marks = component_marks(case, result, features)
        row = [result.outcome, result.variant, result.detail, got, result.stderr, marks]
        key = json.dumps(row)
        if key not in self._numbers:
            self._numbers[key] = len(self.rows)
            self.rows.append(row)
        return self._numbers[key]


def component_marks(
    case: Case, result: Result, features: tuple[str, ...]
) -> tuple[int, list[str], list[str]] | None:
    """Which components differ from the nearest admissible answer, and which the library does not expose."""
    if case.vector.op != "parse" or result.outcome not in ("fail", "partial", "variant"):
        return None
    try:
        got = msgspec.convert(result.got.get("components"), Components)
    except msgspec.ValidationError:
        return None  # a reply of any shape may stand here
    best: tuple[int, list[str], list[str]] | None = None
    for number, expected in enumerate(case.vector.expect.alternatives):
        if isinstance(expected.components, msgspec.UnsetType):
            continue
        verdicts = {
            name: compare_components(case.spec, {name: value}, got, features).outcome
            for name, value in expected.components.items()
        }
        wrong = [name for name, verdict in verdicts.items() if verdict == "fail"]
        hidden = [name for name, verdict in verdicts.items() if verdict == "partial"]
        if best is None or len(wrong) < len(best[1]):
            best = (number, wrong, hidden)
    return best
