"""The commands `explain` and `diff`, and `section` and `ruling`, which show parts of the corpus."""

from __future__ import annotations

import dataclasses
import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from rich import box
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from urlharness.cli.options import ExistingPath
from urlharness.cli.oracle_options import json_option, spec_option
from urlharness.cli.output import console
from urlharness.corpus.describe import describe_expected, describe_inputs
from urlharness.corpus.differences import load_ruling_texts, load_rulings
from urlharness.corpus.loader import load
from urlharness.corpus.model import Case, Corpus, Requirement, section_key
from urlharness.corpus.rfctext import FOLDER, Citations, quoted, read_texts
from urlharness.corpus.selection import spec_name
from urlharness.exitcodes import Exit
from urlharness.explain import gather
from urlharness.explain.page import Page, show_explanation
from urlharness.text import plain
from urlharness.wording import counted, did_you_mean
from urloracle.automata.dfa import Automaton
from urloracle.grammar.grammar import UnknownRule
from urloracle.language import Relation, relate
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification
from urloracle.specification import PROFILES, Specification

#: The labels of the parts of a ruling.
_PARTS = re.compile(r"\*\*(Text|Readings|Ruling|Why|Vectors)\*\*")

#: A width, in columns, that no table of numbers reaches.
_WIDE = 10_000

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
@click.option("--length", type=click.IntRange(0, 64), default=8, show_default=True, metavar="N",
              help="Count the texts of each length up to N.")  # fmt: skip
@json_option
def diff(left: str, right: str, length: int, as_json: bool) -> int:
    """Decide whether two rules derive the same texts.

    Print the shortest texts that only one of the rules derives, and the number of texts of each length. RULE
    defaults to the rule of whole URLs. Exit with 1 if the rules do not derive the same texts.
    """
    relation = relate(_automaton(left), _automaton(right), range(length + 1))
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(relation)))
    else:
        _print(left, right, relation)
    return Exit.PASSED if relation.verdict == "equal" else Exit.FAILED


def _automaton(name: str) -> Automaton:
    """Return the automaton of `SPEC`, `SPEC:RULE` or `SPEC:RULE:PROFILE`.

    Raise a usage error if the RFC, the rule or the profile is unknown.
    """
    spec, rule, named, *rest = [*name.split(":"), "", ""]
    profile = next((known for known in PROFILES if known == named), None)
    if any(rest) or (named and profile is None):
        raise click.BadParameter(
            f"{name!r} is not SPEC[:RULE[:PROFILE]]; the profiles are {', '.join(PROFILES)}"
        )
    try:
        chosen = specification(spec_name(spec))
        found: Automaton = chosen.automaton(rule or chosen.default_rule, profile)
    except (UnknownSpecification, UnknownRule) as unknown:
        raise click.BadParameter(f"{name}: {unknown}") from None
    return found


def _print(left: str, right: str, relation: Relation) -> None:
    out = console()
    out.print(Text(_SENTENCES[relation.verdict].format(left=left, right=right), style="bold"))
    for title, word in (
        (f"shortest in {left} alone", relation.only_left),
        (f"shortest in {right} alone", relation.only_right),
        ("shortest in both", relation.both),
    ):
        out.print(Text(f"  {title}: {'none' if word is None else f'<{plain(word)}>'}"), soft_wrap=True)
    headings = ("length", left, right, f"{left} alone", f"{right} alone")
    sizes = [(columns, rows) for columns in (5, 3) for rows in range(len(relation.counts), 0, -1)]
    for columns, rows in sizes:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for heading in headings[:columns]:
            table.add_column(heading, justify="right", no_wrap=True)
        for row in relation.counts[:rows]:
            table.add_row(*(f"{number:,}" for number in dataclasses.astuple(row)[:columns]))
        if Measurement.get(out, out.options.update(max_width=_WIDE), table).maximum <= out.width:
            break
    out.print(table, no_wrap=True, crop=False)
    left_out = ["the other columns"] if columns < len(headings) else []
    left_out += [f"length {relation.counts[rows].length} and above"] if rows < len(relation.counts) else []
    if left_out:
        out.print(Text(f"The terminal is too narrow for {' and '.join(left_out)}.", style="dim"))


@click.command()
@click.argument("url")
@spec_option(text="Only this RFC, such as rfc3986, with the derivation of the URL.")
@click.option("--base", metavar="BASE", help="Resolve URL against this base, step by step.")
@click.option("--tree", is_flag=True, help="Also show the derivations (implied by --spec).")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, which includes the derivations.")
def explain(url: str, spec: Specification | None, base: str | None, tree: bool, as_json: bool) -> int:
    """Show what each RFC says of URL: the verdicts, why they differ, and where an invalid text fails.

    With --base, URL is a reference, and the command shows each step of its resolution under each RFC. The
    verdicts do not affect the exit code.
    """
    if spec is not None and base is not None and not spec.defines("resolve"):
        raise click.UsageError(f"{spec.title} does not define relative references")
    explained = gather.gather(url, [spec.id] if spec else list(SPECIFICATIONS), base)
    if as_json:
        click.echo(json.dumps(gather.as_json(explained)))
        return Exit.PASSED
    show_explanation(console(), explained, tree=tree or (spec is not None and base is None))
    return Exit.PASSED


@click.command()
@click.argument("name", metavar="RULING")
@json_option
def ruling(name: str, as_json: bool) -> int:
    """Print a ruling: how we read a text that allows several readings.

    A ruling has a name such as R-3986-08 or G-09. The statements and vectors that it decides follow.
    """
    known, asked = load_ruling_texts(), name.upper()
    if asked not in known:
        which = did_you_mean(asked, known) or f"Choose from {_ranges(known)}"
        raise click.BadParameter(f"no ruling named {name!r}. {which}", param_hint="RULING")
    found, reading, corpus = known[asked], load_rulings().get(asked, ""), load()
    statements = [one.id for one in corpus.requirements.values() if one.ruling == asked]
    vectors = [case.vector.id for case in corpus.cases if case.vector.ruling == asked]
    if as_json:
        answer = {"id": asked, "title": found.title, "reading": reading, "text": found.text}
        click.echo(json.dumps({**answer, "statements": statements, "vectors": vectors}))
        return Exit.PASSED
    page = Page(console())
    page.line(f"{asked}  {found.title}", "bold")
    page.line()
    page.paragraph(reading)
    page.line()
    before, *parts = _PARTS.split(found.text)
    if before.strip():
        page.paragraph(before.strip())
    for label, text in zip(parts[::2], parts[1::2], strict=True):
        page.paragraph(" ".join(text.split()), "", f"{label}:")
    for label, ids in (("statements", statements), ("vectors", vectors)):
        if ids:
            page.line()
            page.line(f"{label}:", "bold")
            for one in ids:
                page.line(f"  {one}")
    return Exit.PASSED


def _ranges(names: Iterable[str]) -> str:
    """Return the range of the rulings of each RFC, such as `R-2732-01 to R-2732-10`."""
    groups = [list(group) for _, group in groupby(sorted(names), lambda name: name.rpartition("-")[0])]
    return ", ".join(f"{group[0]} to {group[-1]}" for group in groups)


@click.command()
@click.argument("spec", metavar="SPEC")
@click.argument("number", metavar="[SECTION]", required=False)
@click.option("--rfc-dir", type=ExistingPath(path_type=Path, file_okay=False), metavar="DIR",
              envvar=FOLDER, help="The folder of the texts (rfc3986.txt …), to quote them.")  # fmt: skip
@click.option("--witnesses", is_flag=True, help="Also list the vectors that a program made.")
@json_option
def section(spec: str, number: str | None, rfc_dir: Path | None, witnesses: bool, as_json: bool) -> int:
    """Print the statements of a section of an RFC, with their vectors and rulings.

    Example: `urlconform section rfc3986 5.2.2`. Without SECTION, the command lists the sections. If it finds
    the texts of the RFCs (--rfc-dir), it also quotes the paragraphs.
    """
    corpus, name = load(), spec_name(spec)
    if name not in SPECIFICATIONS:
        why = f"no RFC named {spec!r}; choose from {', '.join(SPECIFICATIONS)}"
        raise click.BadParameter(why, param_hint="SPEC")
    sections = _sections(corpus, name)
    if number is not None:
        number = _section_named(number, sections, name)
    if number is None:
        _list_sections(sections, as_json=as_json)
        return Exit.PASSED
    found = sections[number]
    text = read_texts(rfc_dir, [name]).get(name) if rfc_dir else None
    if as_json:
        click.echo(json.dumps(_section_json(found, text)))
    else:
        _print_section(f"{SPECIFICATIONS[name].title}, section {number}", found, text, witnesses=witnesses)
    return Exit.PASSED


def _section_named(number: str, sections: Iterable[str], spec: str) -> str:
    """Return the section with this name, ignoring case. Raise a usage error that lists similar names."""
    known = {one.lower(): one for one in sections}
    if (asked := number.lower()) in known:
        return known[asked]
    why = f"{SPECIFICATIONS[spec].title} has no section {number} with a statement."
    hint = did_you_mean(number, known.values()) or f"`urlconform section {spec}` lists all"
    raise click.BadParameter(f"{why} {hint}", param_hint="SECTION")


class _Section(NamedTuple):
    """A section of an RFC: the heading, and each statement with its cases."""

    title: str
    statements: dict[Requirement, list[Case]]


def _sections(corpus: Corpus, spec: str) -> dict[str, _Section]:
    """Return the sections of an RFC with at least one statement, in order."""
    cases: dict[str, list[Case]] = {}
    for case in corpus.cases:
        cases.setdefault(case.vector.requirement, []).append(case)
    found: dict[str, _Section] = {}
    for one in sorted(corpus.requirements.values(), key=lambda one: (section_key(one.section), _place(one))):
        if one.spec == spec:
            place = found.setdefault(one.section, _Section(corpus.titles.get((spec, one.section), ""), {}))
            place.statements[one] = cases.get(one.id, [])
    return found


def _place(one: Requirement) -> tuple[int, ...]:
    return one.paragraph if isinstance(one.paragraph, tuple) else (one.paragraph,)


def _list_sections(sections: Mapping[str, _Section], *, as_json: bool) -> None:
    rows: dict[str, dict[str, Any]] = {
        number: {
            "title": one.title,
            "statements": len(one.statements),
            "vectors": sum(map(len, one.statements.values())),
        }
        for number, one in sections.items()
    }
    if as_json:
        click.echo(json.dumps(rows))
        return
    width = max(map(len, rows))
    for number, row in rows.items():
        counts = f"{counted(row['statements'], 'statement')}, {counted(row['vectors'], 'vector')}"
        click.echo(f"{number:{width}}  {row['title']}  ({counts})")


def _print_section(place: str, found: _Section, text: Citations | None, *, witnesses: bool) -> None:
    page = Page(console())
    page.line(f"{place}  {found.title}", "bold")
    paragraph: tuple[int, ...] | None = None
    for one, cases in found.statements.items():
        if text is not None and (at := _place(one)) != paragraph:
            for quote in quoted(text, one):
                page.line()
                for line in textwrap.dedent(quote).splitlines():
                    page.line(f"| {plain(line)}", "italic")
            paragraph = at
        page.line()
        page.line(f"{one.id}  ({one.level})", "bold")
        page.paragraph(one.statement, "  ")
        if one.ruling:
            page.paragraph(load_rulings().get(one.ruling, ""), "  ", one.ruling, "dim")
        _print_cases(page, cases, witnesses=witnesses)


def _print_cases(page: Page, cases: Sequence[Case], *, witnesses: bool) -> None:
    """Print the vectors of a statement. Unless `witnesses` is True, witnesses are only counted."""
    shown = [case.vector for case in cases if witnesses or case.vector.origin != "mutant"]
    for vector in shown:
        inputs = ", ".join(f"{name} {value}" for name, value in describe_inputs(vector))
        how = " ".join(filter(None, ("" if vector.binding == "required" else vector.binding, vector.ruling)))
        aside = f"  ({how})" if how else ""
        answer = describe_expected(vector.expect)
        page.paragraph(plain(f"{vector.op} {inputs}: {answer}{aside}"), "    ", vector.id)
    if hidden := len(cases) - len(shown):
        page.line(f"    and {counted(hidden, 'witness', 'witnesses')} (--witnesses)", "dim")
    if not cases:
        page.line("    no vector", "dim")


def _section_json(found: _Section, text: Citations | None) -> dict[str, Any]:
    statements = []
    for one, cases in found.statements.items():
        quotes = quoted(text, one) if text is not None else None
        vectors = [msgspec.to_builtins(case.vector) for case in cases]
        statements.append({**msgspec.to_builtins(one), "paragraphs": quotes, "vectors": vectors})
    named = {one["ruling"] for entry in statements for one in (entry, *entry["vectors"]) if one.get("ruling")}
    return {
        "title": found.title,
        "statements": statements,
        "rulings": {name: load_rulings().get(name, "") for name in sorted(named)},
    }
