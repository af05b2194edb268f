"""The commands `explain` and `diff`, and `section` and `ruling`, which show parts of the corpus."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import click
import msgspec
from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from urlharness.cli.browsers import browser_answer
from urlharness.cli.options import ExistingPath
from urlharness.cli.oracle_options import json_option, print_json, spec_option, url_argument
from urlharness.cli.output import console
from urlharness.corpus.describe import describe_expected, describe_inputs
from urlharness.corpus.differences import load_ruling_texts, load_rulings
from urlharness.corpus.loader import load
from urlharness.corpus.model import Case, Corpus, Requirement, section_key
from urlharness.corpus.rfctext import FOLDER, Citations, cited_paragraphs, read_texts
from urlharness.corpus.selection import spec_name
from urlharness.corpus.specifications import DEFAULT_SPEC, facts, in_reading_order, specs_for
from urlharness.exitcodes import Exit
from urlharness.explain import gather
from urlharness.explain.page import Page, show_explanation
from urlharness.text import plain
from urlharness.wording import counted, did_you_mean
from urloracle.automata.dfa import Automaton
from urloracle.grammar.grammar import UnknownRule
from urloracle.language import Relation, relate
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification
from urloracle.specification import PROFILES, Profile, Specification

#: The labels of the parts of a ruling.
_PARTS = re.compile(r"\*\*(Text|Readings|Ruling|Why|Vectors)\*\*")

#: A width, in columns, that no table of numbers reaches.
_WIDE = 10_000

#: The number of columns that a table of counts always has: the length, and one for each rule.
_FEWEST_COLUMNS = 3

#: How the languages of two rules are related, by the verdict of `relate`.
_SENTENCES = {
    "equal": "{left} and {right} are the same language.",
    "included": "{left} is a proper subset of {right}.",
    "includes": "{left} is a proper superset of {right}.",
    "overlapping": "{left} and {right} overlap; neither includes the other.",
    "disjoint": "{left} and {right} have no word in common.",
}


@click.command()
@click.argument("left", metavar="SPEC[:RULE[:PROFILE]]")
@click.argument("right", metavar="SPEC[:RULE[:PROFILE]]")
@click.option(
    "--length",
    type=click.IntRange(0, 64),
    default=8,
    show_default=True,
    metavar="N",
    help="Count the texts of each length up to N.",
)
@json_option
def diff(left: str, right: str, length: int, as_json: bool) -> int:
    """Decide whether the same texts are valid under two rules.

    Print the shortest texts that are valid under only one of the rules, and the number of valid texts of each
    length. RULE defaults to the rule of whole URLs. Exit with 1 if a text is valid under only one rule.
    """
    relation = relate(_automaton_named(left), _automaton_named(right), range(length + 1))
    if as_json:
        print_json(dataclasses.asdict(relation))
    else:
        _print_relation(left, right, relation)
    return Exit.PASSED if relation.verdict == "equal" else Exit.FAILED


def _automaton_named(name: str) -> Automaton:
    """Return the automaton of `SPEC`, `SPEC:RULE` or `SPEC:RULE:PROFILE`.

    Raise a usage error if the RFC, the rule or the profile is unknown.
    """
    spec_part, _, rule_and_profile = name.partition(":")
    rule, _, profile_and_rest = rule_and_profile.partition(":")
    profile_part, _, rest = profile_and_rest.partition(":")
    profile = _profile_named(profile_part)
    if rest or (profile_part and profile is None):
        raise click.BadParameter(
            f"{name!r} is not SPEC[:RULE[:PROFILE]]; the profiles are {', '.join(PROFILES)}"
        )
    try:
        spec = specification(spec_name(spec_part))
        automaton: Automaton = spec.automaton(rule or spec.default_rule, profile)
    except (UnknownSpecification, UnknownRule) as unknown:
        raise click.BadParameter(f"{name}: {unknown}") from None
    return automaton


def _profile_named(name: str) -> Profile | None:
    """Return the profile of this name, or None if there is none."""
    for profile in PROFILES:
        if profile == name:
            return profile
    return None


def _print_relation(left: str, right: str, relation: Relation) -> None:
    """Print how the languages of two rules are related, with the shortest witnesses and the counts."""
    out = console()
    sentence = _SENTENCES[relation.verdict].format(left=left, right=right)
    out.print(Text(sentence, style="bold"))
    witnesses = {
        f"shortest in {left} alone": relation.only_left,
        f"shortest in {right} alone": relation.only_right,
        "shortest in both": relation.both,
    }
    for label, word in witnesses.items():
        shortest = "none" if word is None else f"<{plain(word)}>"
        out.print(Text(f"  {label}: {shortest}"), soft_wrap=True)
    headings = ("length", left, right, f"{left} alone", f"{right} alone")
    _print_counts(out, headings, relation)


def _print_counts(out: Console, headings: Sequence[str], relation: Relation) -> None:
    """Print the number of texts of each length, as far as the terminal is wide enough.

    `headings` are those of the columns: the length, both rules, and what is valid under only one of them.
    """
    size = _size_that_fits(out, headings, relation)
    table = _table_of_counts(headings[: size.columns], relation, size.rows)
    out.print(table, no_wrap=True, crop=False)
    left_out = []
    if size.columns < len(headings):
        left_out.append("the other columns")
    if size.rows < len(relation.counts):
        left_out.append(f"length {relation.counts[size.rows].length} and above")
    if left_out:
        out.print(Text(f"The terminal is too narrow for {' and '.join(left_out)}.", style="dim"))


class _TableSize(NamedTuple):
    """The numbers of columns and rows of a table."""

    columns: int
    rows: int


def _size_that_fits(out: Console, headings: Sequence[str], relation: Relation) -> _TableSize:
    """Return the size of the largest table of counts that fits, or else of the smallest one.

    The numbers grow with the length, so rows are left out from the end. If not even one row fits, the columns
    of one rule alone are left out, too, and the rows are tried again.
    """
    smallest = _TableSize(columns=_FEWEST_COLUMNS, rows=1)
    for columns in (len(headings), _FEWEST_COLUMNS):
        for rows in range(len(relation.counts), 0, -1):
            table = _table_of_counts(headings[:columns], relation, rows)
            measurement = Measurement.get(out, out.options.update(max_width=_WIDE), table)
            if measurement.maximum <= out.width:
                return _TableSize(columns, rows)
    return smallest


def _table_of_counts(headings: Sequence[str], relation: Relation, rows: int) -> Table:
    """Return the table of the first `rows` lengths, with as many columns as there are headings."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in relation.counts[:rows]:
        cells = [f"{number:,}" for number in dataclasses.astuple(row)]
        table.add_row(*cells[: len(headings)])
    return table


@click.command()
@url_argument("url")
@spec_option(text="Only this RFC, such as rfc3986, with the tree of its rules.")
@click.option("--base", metavar="BASE", help="Resolve URL against this base, step by step.")
@click.option(
    "--tree", is_flag=True, help="Also show the trees of rules that make the URL valid (implied by --spec)."
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, which includes the trees.")
def explain(url: str, spec: Specification | None, base: str | None, tree: bool, as_json: bool) -> int:
    """Show what each RFC says of URL: the verdicts, why they differ, and where an invalid text fails.

    If URL has characters beyond ASCII, RFC 3987 answers too, and steps show how URL becomes a URI. A line
    says what browsers make of URL. With --base, URL is a reference, and the command shows each step of its
    resolution under each RFC. The verdicts do not affect the exit code.
    """
    if spec is not None and base is not None and not spec.defines("resolve"):
        raise click.UsageError(f"{spec.title} does not define relative references")
    browsers = browser_answer(url, base) if spec is None else None
    texts = [text for text in (url, base) if text is not None]
    specs = (spec.id,) if spec else specs_for(*texts)
    if as_json:
        explanation = gather.gather_explanations(url, specs, base)
        answer = gather.as_json(explanation)
        if browsers is not None:
            answer["browsers"] = browsers.json
        print_json(answer)
        return Exit.PASSED
    explanation = gather.gather_explanations(url, in_reading_order(specs), base)
    remarks = []
    if browsers is not None:
        remarks = [browsers.line, f"{facts(DEFAULT_SPEC).precedence}."]
    shows_tree = tree or (spec is not None and base is None)
    show_explanation(console(), explanation, tree=shows_tree, remarks=remarks)
    return Exit.PASSED


@click.command()
@click.argument("name", metavar="RULING")
@json_option
def ruling(name: str, as_json: bool) -> int:
    """Print a ruling: how we read a text that allows several readings.

    A ruling has a name such as R-3986-08 or G-09. The statements and vectors that it decides follow.
    """
    rulings = load_ruling_texts()
    ruling_id = name.upper()
    if ruling_id not in rulings:
        hint = did_you_mean(ruling_id, rulings) or f"Choose from {_ranges_in_words(rulings)}"
        raise click.BadParameter(f"no ruling named {name!r}. {hint}", param_hint="RULING")
    title = rulings[ruling_id].title
    text = rulings[ruling_id].text
    reading = load_rulings().get(ruling_id, "")
    corpus = load()
    requirements = corpus.requirements.values()
    statements = [requirement.id for requirement in requirements if requirement.ruling == ruling_id]
    vectors = [case.vector.id for case in corpus.cases if case.vector.ruling == ruling_id]
    if as_json:
        answer = {"id": ruling_id, "title": title, "reading": reading, "text": text}
        print_json({**answer, "statements": statements, "vectors": vectors})
        return Exit.PASSED
    page = Page(console())
    page.write_line(f"{ruling_id}  {title}", "bold")
    page.write_line()
    page.write_paragraph(reading)
    page.write_line()
    _write_ruling_text(page, text)
    _write_ids(page, "statements", statements)
    _write_ids(page, "vectors", vectors)
    return Exit.PASSED


def _write_ids(page: Page, label: str, ids: Sequence[str]) -> None:
    """Write ids below their label after an empty line, or nothing if there are none."""
    if not ids:
        return
    page.write_line()
    page.write_line(f"{label}:", "bold")
    for identifier in ids:
        page.write_line(f"  {identifier}")


def _write_ruling_text(page: Page, ruling_text: str) -> None:
    """Write the text of a ruling: its introduction, if there is one, then each part after its label."""
    introduction, *parts = _PARTS.split(ruling_text)
    if introduction.strip():
        page.write_paragraph(introduction.strip())
    # labels and texts alternate in the parts
    labels = parts[::2]
    texts = parts[1::2]
    for label, text in zip(labels, texts, strict=True):
        page.write_paragraph(" ".join(text.split()), label=f"{label}:")


def _ranges_in_words(names: Iterable[str]) -> str:
    """Return the range of the rulings of each RFC, such as `R-2732-01 to R-2732-10`, with commas between."""
    names_of_rfc: dict[str, list[str]] = {}
    for name in sorted(names):
        rfc, _, _ = name.rpartition("-")
        names_of_rfc.setdefault(rfc, []).append(name)
    return ", ".join(f"{group[0]} to {group[-1]}" for group in names_of_rfc.values())


class _Section(NamedTuple):
    """A section of an RFC: the heading, and each statement with its cases."""

    title: str
    statements: dict[Requirement, list[Case]]


@click.command()
@click.argument("spec", metavar="SPEC")
@click.argument("number", metavar="[SECTION]", required=False)
@click.option(
    "--rfc-dir",
    type=ExistingPath(path_type=Path, file_okay=False),
    metavar="DIR",
    envvar=FOLDER,
    help="The folder of the texts (rfc3986.txt …), to quote them.",
)
@click.option("--witnesses", is_flag=True, help="Also list the vectors that a program made.")
@json_option
def section(spec: str, number: str | None, rfc_dir: Path | None, witnesses: bool, as_json: bool) -> int:
    """Print the statements of a section of an RFC, with their vectors and rulings.

    Example: `urlconform section rfc3986 5.2.2`. Without SECTION, the command lists the sections. If it finds
    the texts of the RFCs (--rfc-dir), it also quotes the paragraphs.
    """
    corpus = load()
    spec_id = spec_name(spec)
    if spec_id not in SPECIFICATIONS:
        why = f"no RFC named {spec!r}; choose from {', '.join(SPECIFICATIONS)}"
        raise click.BadParameter(why, param_hint="SPEC")
    sections = _sections_by_label(corpus, spec_id)
    if number is None:
        rows = _section_rows(sections)
        if as_json:
            print_json(rows)
        else:
            _print_section_rows(rows)
        return Exit.PASSED
    label = _section_label(number, sections, spec_id)
    citations = read_texts(rfc_dir, [spec_id]).get(spec_id) if rfc_dir else None
    if as_json:
        print_json(_section_as_json(sections[label], citations))
    else:
        heading = f"{SPECIFICATIONS[spec_id].title}, section {label}"
        _print_section(heading, sections[label], citations, witnesses=witnesses)
    return Exit.PASSED


def _sections_by_label(corpus: Corpus, spec: str) -> dict[str, _Section]:
    """Return the sections of an RFC with at least one statement by their numbers, in order."""
    cases: dict[str, list[Case]] = {}
    for case in corpus.cases:
        cases.setdefault(case.vector.requirement, []).append(case)
    requirements = [requirement for requirement in corpus.requirements.values() if requirement.spec == spec]
    requirements.sort(key=_place_in_rfc)
    sections: dict[str, _Section] = {}
    for requirement in requirements:
        label = requirement.section
        if label not in sections:
            sections[label] = _Section(corpus.titles.get((spec, label), ""), {})
        sections[label].statements[requirement] = cases.get(requirement.id, [])
    return sections


def _place_in_rfc(requirement: Requirement) -> tuple[tuple[tuple[int, int, str], ...], tuple[int, ...]]:
    """Return the key by which statements are in the order of the RFC: the section, then the paragraphs."""
    return section_key(requirement.section), _paragraphs(requirement)


def _paragraphs(requirement: Requirement) -> tuple[int, ...]:
    """Return the numbers of the paragraphs of a statement, also if it has only one."""
    paragraph = requirement.paragraph
    return paragraph if isinstance(paragraph, tuple) else (paragraph,)


def _section_label(number: str, labels: Iterable[str], spec: str) -> str:
    """Return the label with this name, ignoring case. Raise a usage error that lists similar labels."""
    by_lower_case = {label.lower(): label for label in labels}
    if number.lower() in by_lower_case:
        return by_lower_case[number.lower()]
    why = f"{SPECIFICATIONS[spec].title} has no section {number} with a statement."
    hint = did_you_mean(number, by_lower_case.values()) or f"`urlconform section {spec}` lists all"
    raise click.BadParameter(f"{why} {hint}", param_hint="SECTION")


class _SectionRow(TypedDict):
    """A row of the list of sections."""

    title: str
    statements: int
    vectors: int


def _section_rows(sections: Mapping[str, _Section]) -> dict[str, _SectionRow]:
    """Return for each section its title, and its numbers of statements and vectors."""
    rows: dict[str, _SectionRow] = {}
    for label, section in sections.items():
        vector_counts = map(len, section.statements.values())
        rows[label] = {
            "title": section.title,
            "statements": len(section.statements),
            "vectors": sum(vector_counts),
        }
    return rows


def _print_section_rows(rows: Mapping[str, _SectionRow]) -> None:
    """Print a line for each section. There must be at least one."""
    width = max(map(len, rows))
    for label, row in rows.items():
        statements = counted(row["statements"], "statement")
        vectors = counted(row["vectors"], "vector")
        click.echo(f"{label:{width}}  {row['title']}  ({statements}, {vectors})")


def _print_section(heading: str, section: _Section, citations: Citations | None, *, witnesses: bool) -> None:
    """Print the statements of a section. Statements of the same paragraphs share their quotation."""
    page = Page(console())
    page.write_line(f"{heading}  {section.title}", "bold")
    quoted_paragraphs: tuple[int, ...] | None = None
    for requirement, cases in section.statements.items():
        paragraphs = _paragraphs(requirement)
        if citations is not None and paragraphs != quoted_paragraphs:
            _print_quotes(page, cited_paragraphs(citations, requirement))
            quoted_paragraphs = paragraphs
        page.write_line()
        page.write_line(f"{requirement.id}  ({requirement.level})", "bold")
        page.write_paragraph(requirement.statement, "  ")
        if requirement.ruling:
            page.write_paragraph(load_rulings().get(requirement.ruling, ""), "  ", requirement.ruling, "dim")
        _print_cases(page, cases, witnesses=witnesses)


def _print_quotes(page: Page, quotes: Iterable[str]) -> None:
    """Print paragraphs of an RFC, each after an empty line."""
    for quote in quotes:
        page.write_line()
        for line in textwrap.dedent(quote).splitlines():
            page.write_line(f"| {plain(line)}", "italic")


def _print_cases(page: Page, cases: Sequence[Case], *, witnesses: bool) -> None:
    """Print the vectors of a statement. Unless `witnesses` is True, witnesses are only counted."""
    vectors = [case.vector for case in cases if witnesses or case.vector.origin != "mutant"]
    for vector in vectors:
        inputs = ", ".join(f"{name} {text}" for name, text in describe_inputs(vector))
        line = f"{vector.op} {inputs}: {describe_expected(vector.expect)}"
        grounds: list[str] = []
        if vector.binding != "required":
            grounds.append(vector.binding)
        if vector.ruling:
            grounds.append(vector.ruling)
        if grounds:
            line += f"  ({' '.join(grounds)})"
        page.write_paragraph(plain(line), "    ", vector.id)
    hidden = len(cases) - len(vectors)
    if hidden:
        page.write_line(f"    and {counted(hidden, 'witness', 'witnesses')} (--witnesses)", "dim")
    if not cases:
        page.write_line("    no vector", "dim")


def _section_as_json(section: _Section, citations: Citations | None) -> dict[str, Any]:
    """Return a section as JSON data, with the readings of all rulings that it cites."""
    statements = []
    cited_rulings: set[str] = set()
    for requirement, cases in section.statements.items():
        vectors = [case.vector for case in cases]
        cited = (requirement.ruling, *(vector.ruling for vector in vectors))
        cited_rulings.update(filter(None, cited))
        statements.append(
            {
                **msgspec.to_builtins(requirement),
                "paragraphs": None if citations is None else cited_paragraphs(citations, requirement),
                "vectors": [msgspec.to_builtins(vector) for vector in vectors],
            }
        )
    rulings = load_rulings()
    readings = {ruling_id: rulings.get(ruling_id, "") for ruling_id in sorted(cited_rulings)}
    return {"title": section.title, "statements": statements, "rulings": readings}
