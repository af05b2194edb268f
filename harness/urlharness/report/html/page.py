"""The HTML file, which contains tables and a viewer of all cases. Only the viewer needs the script.

Templates render the tables. The script decodes the cases from two blocks of gzip in base64. Every text of a
run may be hostile: the templates escape it, the script sets it only as text, and the Content-Security-Policy
lists the hashes of the only script and style that may run.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from urlharness.compare.bypass import Bypass
from urlharness.compare.causes import Cause
from urlharness.compare.matrix import Matrix
from urlharness.corpus.model import load_flags
from urlharness.gate.gate import Judgement
from urlharness.jsonio import in_utc
from urlharness.report.comparison import Classes, library_in_words
from urlharness.report.document import Block
from urlharness.report.html import tables
from urlharness.report.html.cases import HEAD_LIMIT, ColumnOrder, data_blocks, first_query, terms
from urlharness.report.html.comparison import ComparisonChapter, describe_bypasses
from urlharness.report.html.dendrogram import WIDTH, draw_dendrogram
from urlharness.report.summary import (
    WorstSection,
    headline,
    library_names,
    quality,
    total_score,
    unknown_names_in_words,
    without_perfect_reference,
    worst_sections,
)
from urlharness.results.coverage import caveats, reason_given_up
from urlharness.results.generated import EXAMPLES
from urlharness.results.model import Participant, Results
from urlharness.results.scores import Score, scores_by_section
from urlharness.text import needs_escape, short_names, without_commands
from urlharness.wording import rfc

#: The parts of the script, in order. They share one scope.
SCRIPTS = (
    "text",
    "data",
    "query",
    "differences",
    "rows",
    "list",
    "column_order",
    "question",
    "answers",
    "case",
    "statements",
    "facets",
    "page",
)

STYLES = ("page", "story", "comparison", "tables", "cards", "explorer", "case", "print")

#: The maximum number of implementations with wide columns and bars. With more, all columns are narrow.
WIDE = 4

#: The maximum numbers of implementations for the sizes `few` and `some` of the heat map, and the number of
#: stacks for each size.
_FEW, _SOME = 4, 9
_STACKS = {"few": 3, "some": 2, "many": 1}

#: The number of worst sections to show, for all implementations together.
_WORST = 8


class RowTitle(NamedTuple):
    """The title of a row: a bold name, and in small print the version and another name, or empty.

    One of the names is that of the library, the other one that of the adapter.
    """

    bold: str
    version: str
    small: str


class First(NamedTuple):
    """The first screen: the shown implementations, the verdicts by RFC, and the heat map.

    `columns` are the shown implementations. `perfect` are those that are left out because all their answers
    are right. `top` maps each RFC to the rows of the heat map.
    """

    columns: list[Participant]
    perfect: list[Participant]
    summary: list[tables.Row]
    top: Mapping[str, list[tables.Row]]

    @property
    def stacks(self) -> list[list[str]]:
        """The RFCs of the heat map, divided into stacks of about equal height."""
        stacks: list[list[str]] = [[] for _ in range(_STACKS[self.size])]
        specs = list(self.top)

        def height(spec: str) -> int:
            return len(self.top[spec]) + 2  # its heading

        for spec in sorted(specs, key=height, reverse=True):
            lowest = min(stacks, key=lambda stack: sum(map(height, stack)))
            lowest.append(spec)
        ordered = [sorted(stack, key=specs.index) for stack in stacks if stack]
        return sorted(ordered, key=lambda stack: specs.index(stack[0]))

    def is_transposed(self) -> bool:
        """True if the heat map has a row for each implementation, since their columns would find no room."""
        return self.size == "many"

    @property
    def size(self) -> str:
        """The CSS class of the heat map, by the number of implementations."""
        count = len(self.columns)
        if count <= _FEW:
            return "few"
        return "some" if count <= _SOME else "many"


def render(
    results: Results,
    judgements: Sequence[Judgement] = (),
    baselines: Mapping[str, Path] = {},
    matrix: Matrix | None = None,
    start: str = "",
    comparison: ComparisonChapter | None = None,
) -> str:
    """Return the page as one file that loads nothing.

    `baselines` maps an implementation to the file of its baseline. `matrix` is the comparison of all
    implementations, if it was made already. `start` is the query that selects cases at first. If it is empty,
    these are the regressions of a gate, or else all failing cases. `comparison` is the first part of a page
    that compares.
    """
    columns = tables.participants_with_column(results)
    scores = scores_by_section(results)
    # without an implementation that ran, the tables would only have heads
    summary = tables.spec_rows(results, columns) if columns else []
    components = tables.component_rows(results, columns)
    component_names = {spec: [row.name for row in rows] for spec, rows in components.items()}
    column_order = _order_columns(summary, len(columns))
    gated = [judgement for judgement in judgements if not judgement.is_of_survey]
    query = start or first_query(results, gated)
    own_first = column_order if comparison is None else _begin_with(column_order, columns, comparison.first)
    blocks = data_blocks(results, component_names, own_first, matrix, query, comparison, gated)
    best_first = [columns[position] for position in column_order.best_first]
    first_screen = _make_first_screen(results, columns, best_first, summary, scores)
    overview = {
        "verdict": headline(results, gated),
        "gate": tables.judged_with_findings(results, gated, baselines),
        "first": first_screen,
        "worst": _worst_sections(results, first_screen.columns),
        "comparison": comparison,
    }
    chapters = {
        "columns": columns,
        "labels": _column_labels(results, columns),
        "titles": _row_titles(results.participants),
        "narrow": len(columns) > WIDE,
        "summary": summary,
        "chapters": tables.section_rows(results, columns, scores),
        "components": components,
        "alike": draw_dendrogram(blocks.likeness),
        "order": blocks.likeness.order,
        "width": WIDTH,
        "generated": tables.rule_rows(results, columns) if columns else [],
        "failures": tables.rule_failures(results),
        "most": EXAMPLES,
    }
    explorer = {"listed": _packed(blocks.listed), "details": _packed(blocks.details)}
    facts = _facts_of_run(results, columns)
    template = _environment().get_template("report.html.j2")
    vocabulary = _vocabulary(comparison)
    return template.render(**facts, **overview, **chapters, **explorer, **vocabulary, **_own_assets())


def render_bypasses(bypasses: Bypass, classes: Classes, only: str = "", repeat: Sequence[Block] = ()) -> str:
    """Return the page on who checks and who fetches.

    `only` is the option that restricts it, or empty. `repeat` says at its end how to repeat the search.
    """
    template = _environment().get_template("bypasses.html.j2")
    parsers = [library_in_words(answers) for answers in (bypasses.check, bypasses.fetch)]
    return template.render(
        comparison=describe_bypasses(bypasses, classes, only, repeat),
        comparison_terms=_words_of_comparison(),
        parsers=parsers,
        program=version("urlconform"),
        link_to=None,
        **_own_assets(with_script=False),
    )


def _facts_of_run(results: Results, columns: Sequence[Participant]) -> Mapping[str, Any]:
    """Return what the page says about the run: its command, its time, its implementations and its size."""
    header = results.header
    participants = results.participants
    participants_with_counts = [
        (participant, tables.outcome_counts(results, participant)) for participant in participants
    ]
    command = [shlex.quote(word) for word in ("urlconform", *header.argv)]
    silent = [participant for participant in participants if participant not in columns]
    ended_early = any(
        participant.state == "dead" or reason_given_up(results, participant.name)
        for participant in participants
    )
    return {
        "header": header,
        "program": header.urlconform,
        "started": in_utc(header.started).replace("T", " "),
        "complete": results.complete,
        "caveats": caveats(results),
        "unknown_names": unknown_names_in_words(results),
        "command": command,
        "participants": participants_with_counts,
        "silent": silent,
        "extent": _extent_in_words(results, columns, ended_early=ended_early),
        "selected": "selected" if ended_early or not columns else "asked",
        "vectors": len(results.vectors),
        "whole": sum(header.sizes.values()),
    }


def _extent_in_words(results: Results, columns: Sequence[Participant], *, ended_early: bool) -> str:
    """Return how far the run came: "complete" only if every adapter was asked all cases."""
    if not columns:
        return "nothing was asked"
    if not results.complete:
        return "cut short"
    return "not complete" if ended_early else "complete"


def _vocabulary(comparison: ComparisonChapter | None) -> Mapping[str, Any]:
    """Return the words and the functions of the templates. A `comparison` has words of its own."""
    words = terms()
    words_of_comparison = _words_of_comparison()
    flags = {name: entry.effect for name, entry in load_flags().items()}
    return {
        "states": tables.STATES,
        "terms": words,
        "flags": flags,
        "link": link,
        "link_to": link_to,
        "comparison_terms": words_of_comparison,
        "shown_terms": words if comparison is None else {**words_of_comparison, **words},
        "wrong": _link_to_wrong_answers,
    }


def _own_assets(*, with_script: bool = True) -> Mapping[str, str]:
    """Return the style, the script if the page has one, and the policy that lets only them run.

    They are our own files, the same for every report, so the templates do not escape them.
    """
    style = "\n".join(_asset(f"style/{name}.css") for name in STYLES)
    script = script_source() if with_script else ""
    return {
        "policy": _content_security_policy(style, script),
        "style": Markup(style),  # noqa: S704
        "script": Markup(script),  # noqa: S704
    }


@cache  # to compile the templates takes longer than to make a page of them
def _environment() -> Environment:
    """Return an environment that escapes every text and refuses undefined names."""
    environment = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        finalize=_harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["spec"] = rfc
    return environment


def _make_first_screen(
    results: Results,
    columns: Sequence[Participant],
    best_first: Sequence[Participant],
    summary: Sequence[tables.Row],
    scores: tables.SectionScores,
) -> First:
    """Return the first screen. Leave out a perfect reference if there is another implementation.

    `best_first` has the implementations of `columns`, the best first.
    """
    participants, perfect = without_perfect_reference(results, best_first)
    column_numbers = [columns.index(participant) for participant in participants]
    rows = []
    for row in summary:
        cells = [row.cells[number] for number in column_numbers]
        rows.append(row._replace(cells=cells))
    return First(participants, perfect, rows, tables.top_rows(results, participants, scores))


def _order_columns(summary: Sequence[tables.Row], count: int) -> ColumnOrder:
    """Return the orders of the columns: that of the run, and that of their scores in the RFCs they claim."""
    scores = [_claimed_score(summary, column) for column in range(count)]
    shares = [round(score.held.value or 0.0, 4) for score in scores]
    best_first = sorted(range(count), key=lambda column: -quality(scores[column]))
    initial = "quality" if count > WIDE else "run"
    return ColumnOrder(shares, best_first, initial)


def _begin_with(order: ColumnOrder, columns: Sequence[Participant], name: str) -> ColumnOrder:
    """Return an order in which the column of a library comes first, also if others are better.

    The columns are ordered by quality then. If no column has this name, return the order as it is.
    """
    first_columns = [number for number, participant in enumerate(columns) if participant.name == name]
    if not first_columns:
        return order
    further_columns = [number for number in order.best_first if number not in first_columns]
    return order._replace(best_first=[*first_columns, *further_columns], initial="quality")


def _claimed_score(summary: Sequence[tables.Row], column: int) -> Score:
    """Return the score of an implementation in the RFCs that it claims.

    If it claims none, return the score in all RFCs.
    """
    scores = []
    claimed_scores = []
    for row in summary:
        cell = row.cells[column]
        if cell.score is not None:
            scores.append(cell.score)
            if not cell.claim:
                claimed_scores.append(cell.score)
    return total_score(claimed_scores or scores)


def _worst_sections(results: Results, best_first: Sequence[Participant]) -> list[tuple[str, WorstSection]]:
    """Return (implementation, section) for the worst sections, the same number for each implementation.

    The implementations are the first of `best_first`.
    """
    participants = best_first[:_WORST]
    limit = max(1, _WORST // max(1, len(participants)))
    return [
        (participant.name, section)
        for participant in participants
        for section in worst_sections(results, participant, limit)
    ]


def _row_titles(columns: Sequence[Participant]) -> Mapping[str, RowTitle]:
    """Map each implementation to the title of its row: the library's own name, if no other has it."""
    named = [participant.implementation.name for participant in columns if participant.implementation]
    count = Counter(named)
    titles = {}
    for participant in columns:
        about = participant.implementation
        name = participant.name
        if about is None:
            titles[name] = RowTitle(name, version="", small="")
        elif count[about.name] == 1:
            adapter_name = "" if name == about.name else name
            titles[name] = RowTitle(about.name, about.version, adapter_name)
        else:
            titles[name] = RowTitle(name, about.version, about.name)
    return titles


def _column_labels(results: Results, columns: Sequence[Participant]) -> Mapping[str, str]:
    """Map each implementation to the name of its library, cut to the width of a head."""
    every_library = library_names(results)
    libraries = {participant.name: every_library[participant.name] for participant in columns}
    short = short_names(libraries.values(), HEAD_LIMIT)
    return {name: short[library] for name, library in libraries.items()}


def _link_to_wrong_answers(spec: str, section: str, name: str) -> str:
    """Return the link to the required cases of a section that an implementation answers wrongly."""
    return link(spec=spec, section=section, impl=name, outcome="wrong", binding="required")


def link(**atoms: str) -> str:
    """Return a link within the page to the cases that a query finds. The query consists of these terms.

    Empty terms are left out. The name of a term that is a word of Python ends with `_`, such as `class_`.
    """
    words = [f"{name.removesuffix('_')}:{_quoted(term)}" for name, term in atoms.items() if term]
    return link_to(" ".join(words))


def link_to(query: str) -> str:
    """Return a link within the page to the cases that a query finds."""
    return f"#q={quote(query, safe=':')}"


def script_source() -> str:
    """Return the script of the page."""
    body = "\n".join(_asset(f"script/{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{body}}})();\n'


def _quoted(term: str) -> str:
    """Quote the value of a search term if necessary.

    Quotation marks become blanks, because a query cannot escape them.
    """
    plain = term.replace('"', " ")
    needs_quotes = not plain or any(char in plain for char in " ,:\t\n")
    return f'"{plain}"' if needs_quotes else plain


def _asset(name: str) -> str:
    assets = resources.files("urlharness.report.html") / "assets"
    return (assets / name).read_text("utf-8")


def _words_of_comparison() -> Mapping[str, Mapping[str, str]]:
    """Return the terms of a comparison with their meanings, by heading; the causes are among them."""
    words = msgspec.json.decode(_asset("comparison.json"), type=dict[str, dict[str, str]])
    return {**words, "Causes": {cause.value: cause.meaning for cause in reversed(Cause)}}


def _packed(block: bytes) -> str:
    """Return the base64 of the compressed block. Equal blocks give equal texts, because there is no time."""
    compressed = gzip.compress(block, compresslevel=6, mtime=0)
    return base64.b64encode(compressed).decode("ascii")


def _content_security_policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy, which lets only this style and this script run."""
    directives = (
        "default-src 'none'",
        f"script-src {_fingerprint(script)}" if script else "script-src 'none'",
        f"style-src {_fingerprint(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(directives)


def _fingerprint(text: str) -> str:
    """Return the hash of a style or script as the Content-Security-Policy writes it."""
    digest = hashlib.sha256(text.encode()).digest()
    encoded = base64.b64encode(digest).decode("ascii")
    return f"'sha256-{encoded}'"


def _harmless(content: Any) -> Any:
    """Return what an expression of a template puts into the page: Jinja calls this for each of them.

    A text has code points in place of invisible characters. If a build server would read it as a command
    where the page gets into its log, it becomes markup that shows the same. Other content is unchanged.
    """
    if not isinstance(content, str) or isinstance(content, Markup):
        return content
    text = content
    if not (content.isascii() and content.isprintable()):
        spelled = [f"⟨U+{ord(char):04X}⟩" if needs_escape(char) else char for char in content]
        text = "".join(spelled)
    if without_commands(text) == text:
        return text
    markup = str(escape(text)).replace("##", "#&#35;").replace("::", "&#58;:")
    return Markup(markup)  # noqa: S704 - it is escaped
