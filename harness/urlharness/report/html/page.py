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
from urlharness.report.html.cases import (
    HEAD_LIMIT,
    ColumnOrder,
    DataBlocks,
    data_blocks,
    first_query,
    terms,
)
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
from urlharness.results.scores import Score, SectionScores, scores_by_section
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

#: The height of the heading of an RFC in the heat map, in rows.
_HEADING_HEIGHT = 2

#: The number of decimal places of a share by which the script orders columns.
_DIGITS_OF_SHARE = 4

#: The number of worst sections to show, for all implementations together.
_WORST = 8


class RowTitle(NamedTuple):
    """The title of a row: a bold name, and in small print the version and another name, or empty.

    One of the names is that of the library, the other one that of the adapter.
    """

    bold: str
    version: str
    small: str


class FirstScreen(NamedTuple):
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
        for spec in sorted(self.top, key=self._height, reverse=True):
            lowest_stack = min(stacks, key=lambda stack: sum(map(self._height, stack)))
            lowest_stack.append(spec)
        order = list(self.top)
        ordered_stacks = [sorted(stack, key=order.index) for stack in stacks if stack]
        return sorted(ordered_stacks, key=lambda stack: order.index(stack[0]))

    def _height(self, spec: str) -> int:
        """Return the height of an RFC in the heat map, in rows."""
        return len(self.top[spec]) + _HEADING_HEIGHT

    @property
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
    summary = tables.spec_rows(results, columns, scores) if columns else []
    components = tables.component_rows(results, columns)
    component_names = {spec: [row.name for row in rows] for spec, rows in components.items()}
    column_order = _order_columns(summary, len(columns))
    order_of_list = column_order
    if comparison is not None:
        order_of_list = _begin_with(column_order, columns, comparison.first)
    gated = [judgement for judgement in judgements if not judgement.is_of_survey]
    query = start or first_query(results, gated)
    blocks = data_blocks(results, component_names, order_of_list, matrix, query, comparison, gated)
    best_first = [columns[position] for position in column_order.best_first]
    first_screen = _make_first_screen(results, columns, best_first, summary, scores)
    overview = {
        "verdict": headline(results, gated),
        "gate": tables.judged_with_findings(results, gated, baselines),
        "first": first_screen,
        "worst": _worst_sections(results, first_screen.columns),
        "comparison": comparison,
        "summary": summary,
        "components": components,
    }
    template = _environment().get_template("report.html.j2")
    return template.render(
        **_facts_of_run(results, columns),
        **overview,
        **_contents_of_chapters(results, columns, scores),
        **_contents_of_data(blocks),
        **_vocabulary(comparison),
        **_style_and_script(),
    )


def _contents_of_chapters(
    results: Results, columns: Sequence[Participant], scores: SectionScores
) -> Mapping[str, object]:
    """Return what the templates of the tables read, by name. `columns` are the implementations in them."""
    return {
        "columns": columns,
        "labels": _column_labels(results, columns),
        "titles": _row_titles(results.participants),
        "narrow": len(columns) > WIDE,
        "chapters": tables.section_rows(results, columns, scores),
        "generated": tables.rule_rows(results, columns) if columns else [],
        "failures": tables.rule_failures(results),
        "most": EXAMPLES,
    }


def _contents_of_data(blocks: DataBlocks) -> Mapping[str, object]:
    """Return what the templates read of the cases: the blocks for the script, and how alike answers are."""
    return {
        "listed": _gzip_base64(blocks.listed),
        "details": _gzip_base64(blocks.details),
        "alike": draw_dendrogram(blocks.likeness),
        "order": blocks.likeness.order,
        "width": WIDTH,
    }


def render_bypasses(bypasses: Bypass, classes: Classes, only: str = "", repeat: Sequence[Block] = ()) -> str:
    """Return the page on who checks and who fetches.

    `only` is the option that restricts it, or empty. `repeat` says at its end how to repeat the search.
    """
    template = _environment().get_template("bypasses.html.j2")
    parsers = [library_in_words(bypasses.check), library_in_words(bypasses.fetch)]
    return template.render(
        comparison=describe_bypasses(bypasses, classes, only, repeat),
        comparison_terms=_words_of_comparison(),
        parsers=parsers,
        program=version("urlconform"),
        link_to=None,
        **_style_and_script(with_script=False),
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
    ended_early = any(_has_ended_early(results, participant) for participant in participants)
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


def _has_ended_early(results: Results, participant: Participant) -> bool:
    """Return True if an adapter did not start or was given up, so that it was not asked all cases."""
    return participant.state == "dead" or bool(reason_given_up(results, participant.name))


def _extent_in_words(results: Results, columns: Sequence[Participant], *, ended_early: bool) -> str:
    """Return how far the run came: "complete" only if every adapter was asked all cases.

    If `ended_early`, one of them was not.
    """
    if not columns:
        return "nothing was asked"
    if not results.complete:
        return "cut short"
    return "not complete" if ended_early else "complete"


def _vocabulary(comparison: ComparisonChapter | None) -> Mapping[str, Any]:
    """Return the words and the functions that the templates read, by name.

    A page with a `comparison` shows its words, too.
    """
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


def _style_and_script(*, with_script: bool = True) -> Mapping[str, str]:
    """Return the style, the script if the page has one, and the policy that lets only them run.

    They are our own files, the same for every report, so the templates do not escape them.
    """
    style = "\n".join(_asset_text(f"style/{name}.css") for name in STYLES)
    script = script_source() if with_script else ""
    return {
        "policy": _content_security_policy(style, script),
        "style": Markup(style),  # noqa: S704
        "script": Markup(script),  # noqa: S704
    }


@cache  # to compile the templates takes longer than to make a page of them
def _environment() -> Environment:
    """Return the environment of the templates, which escapes every text and refuses undefined names."""
    environment = Environment(
        loader=FunctionLoader(_asset_text),
        autoescape=True,
        finalize=_harmless_content,
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
    scores: SectionScores,
) -> FirstScreen:
    """Return the first screen. Leave out a perfect reference if there is another implementation.

    `best_first` has the implementations of `columns`, the best first. `summary` has the rows of the RFCs,
    with their cells in the order of `columns`.
    """
    participants, perfect = without_perfect_reference(results, best_first)
    column_numbers = [columns.index(participant) for participant in participants]
    rows = []
    for row in summary:
        cells = [row.cells[number] for number in column_numbers]
        rows.append(row._replace(cells=cells))
    return FirstScreen(participants, perfect, rows, tables.top_rows(results, participants, scores))


def _order_columns(summary: Sequence[tables.Row], count: int) -> ColumnOrder:
    """Return the orders of so many columns: that of the run, and that of their scores in the RFCs they claim.

    `summary` has the rows of the RFCs. More than `WIDE` columns are ordered by their scores at first.
    """
    scores = [_claimed_score(summary, column) for column in range(count)]
    shares = [round(score.held.value or 0.0, _DIGITS_OF_SHARE) for score in scores]
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
    sections = []
    for participant in participants:
        sections += [(participant.name, section) for section in worst_sections(results, participant, limit)]
    return sections


def _row_titles(columns: Sequence[Participant]) -> Mapping[str, RowTitle]:
    """Map each implementation to the title of its row: the library's own name, if no other has it."""
    libraries = [participant.implementation.name for participant in columns if participant.implementation]
    count = Counter(libraries)
    titles = {}
    for participant in columns:
        about = participant.implementation
        is_only_one = about is not None and count[about.name] == 1
        titles[participant.name] = _row_title(participant, is_only_one=is_only_one)
    return titles


def _row_title(participant: Participant, *, is_only_one: bool) -> RowTitle:
    """Return the title of the row of an implementation: in bold, the adapter or the library.

    It is the library if `is_only_one`, because then no other adapter has its name.
    """
    name = participant.name
    about = participant.implementation
    if about is None:
        return RowTitle(name, version="", small="")
    if not is_only_one:
        return RowTitle(name, about.version, about.name)
    adapter_name = "" if name == about.name else name
    return RowTitle(about.name, about.version, adapter_name)


def _column_labels(results: Results, columns: Sequence[Participant]) -> Mapping[str, str]:
    """Map each implementation to the name of its library, cut to the width of a head."""
    every_library = library_names(results)
    libraries = {participant.name: every_library[participant.name] for participant in columns}
    short = short_names(libraries.values(), HEAD_LIMIT)
    return {name: short[library] for name, library in libraries.items()}


def _link_to_wrong_answers(spec: str, section: str, name: str) -> str:
    """Return the link to the required cases of a section that an implementation answers wrongly."""
    return link(spec=spec, section=section, impl=name, outcome="wrong", binding="required")


def link(**terms_of_query: str) -> str:
    """Return a link within the page to the cases that a query finds. The query consists of these terms.

    Empty terms are left out. The name of a term that is a word of Python ends with `_`, such as `class_`.
    """
    words = []
    for name, term in terms_of_query.items():
        if term:
            word = name.removesuffix("_")
            words.append(f"{word}:{_quoted_term(term)}")
    return link_to(" ".join(words))


def link_to(query: str) -> str:
    """Return a link within the page to the cases that a query finds."""
    return f"#q={quote(query, safe=':')}"


def script_source() -> str:
    """Return the script of the page: all its parts in one function, which is called at once."""
    body = "\n".join(_asset_text(f"script/{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{body}}})();\n'


def _quoted_term(term: str) -> str:
    """Quote the value of a search term if necessary.

    Quotation marks become blanks, because a query cannot escape them.
    """
    plain = term.replace('"', " ")
    needs_quotes = not plain or any(char in plain for char in " ,:\t\n")
    return f'"{plain}"' if needs_quotes else plain


def _asset_text(name: str) -> str:
    """Return the text of a template, a style sheet or a part of the script, by its path in `assets`."""
    assets = resources.files("urlharness.report.html") / "assets"
    return (assets / name).read_text("utf-8")


def _words_of_comparison() -> Mapping[str, Mapping[str, str]]:
    """Return the terms of a comparison with their meanings, by heading; the causes are among them."""
    words = msgspec.json.decode(_asset_text("comparison.json"), type=dict[str, dict[str, str]])
    meanings_of_causes = {cause.value: cause.meaning for cause in reversed(Cause)}
    return {**words, "Causes": meanings_of_causes}


def _gzip_base64(block: bytes) -> str:
    """Return the base64 of the compressed block. Equal blocks give equal texts: they contain no time."""
    compressed = gzip.compress(block, compresslevel=6, mtime=0)
    return base64.b64encode(compressed).decode("ascii")


def _content_security_policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy, which lets only this style and this script run.

    If the script is empty, no script runs.
    """
    directives = (
        "default-src 'none'",
        f"script-src {_policy_hash(script)}" if script else "script-src 'none'",
        f"style-src {_policy_hash(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(directives)


def _policy_hash(text: str) -> str:
    """Return the hash of a style or script as the Content-Security-Policy writes it."""
    digest = hashlib.sha256(text.encode()).digest()
    encoded = base64.b64encode(digest).decode("ascii")
    return f"'sha256-{encoded}'"


def _harmless_content(content: Any) -> Any:
    """Return what an expression of a template puts into the page: Jinja calls this for each of them.

    A text has code points in place of invisible characters. If a build server would read it as a command
    where the page gets into its log, it becomes markup that shows the same. Other content is unchanged.
    """
    if not isinstance(content, str) or isinstance(content, Markup):
        return content
    text = _with_code_points(content)
    if without_commands(text) == text:
        return text
    markup = str(escape(text)).replace("##", "#&#35;").replace("::", "&#58;:")
    return Markup(markup)  # noqa: S704 - it is escaped


def _with_code_points(text: str) -> str:
    """Return a text with the code point in place of each invisible character, such as ⟨U+0000⟩."""
    if text.isascii() and text.isprintable():  # the common case
        return text
    characters = [f"⟨U+{ord(char):04X}⟩" if needs_escape(char) else char for char in text]
    return "".join(characters)
