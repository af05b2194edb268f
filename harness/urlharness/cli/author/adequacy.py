"""What `vectors adequacy --tests` prints and writes: the mistakes that tests of a project do not notice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.table import Table

from urlharness.adequacy.additions import SHARES, Addition, choose_additions, curve
from urlharness.adequacy.measuring import (
    OPERATOR_IN_WORDS,
    MeasuredTests,
    Measurement,
    UnnoticedKind,
    measure,
)
from urlharness.adequacy.readers import Defaults, ProjectTests, read_tests
from urlharness.adequacy.writing import AddedTexts, UnsuitableFormat, additions_text
from urlharness.cli.files import refuse_overwriting
from urlharness.cli.output import console, print_stderr, progress
from urlharness.corpus.loader import load
from urlharness.corpus.selection import Selection, spec_name
from urlharness.corpus.specifications import DEFAULT_SPEC
from urlharness.exitcodes import Exit
from urlharness.jsonio import write_atomically
from urlharness.shell import join
from urlharness.system.portability import usable_processors
from urlharness.text import clipped, logged, plain, visible
from urlharness.wording import counted, enumerated, first_names, rfc
from urloracle.rfcs import specification

#: The numbers of lines that are printed of each kind of list.
_WRONG_LABELS = 20
_GROUPS_OF_SECTION = 3
_PROPOSED = 3
_CHARACTERS = 5

#: The name of the progress bar.
_STEP = "measuring"

#: The maximum number of characters of a text in a table, and of a description of a test.
_TEXT = 60


class TestOptions(NamedTuple):
    """The options of a measurement of tests.

    `specs` are the RFCs to measure (empty: those of the tests); tests that name no RFC are of the first of
    them. `add` is the number of texts to add.
    """

    paths: tuple[Path, ...]
    specs: tuple[str, ...]
    rule: str
    fail_under: float
    add: int
    output: Path | None
    processes: int | None
    as_json: bool


class _Proposal(NamedTuple):
    """A part of the measurement, the curve of texts to add, and the texts to add."""

    part: MeasuredTests
    curve: Mapping[int, int]
    additions: Sequence[Addition]


def measure_tests(options: TestOptions) -> int:
    """Measure tests, print the report and write texts to add.

    Exit with 1 if a label is wrong or a share is below `fail_under`, and with 5 if no test is of the RFCs.
    """
    if options.output is not None:
        if not options.add:
            raise click.UsageError("-o needs --add N, the number of texts to write")
        inputs = {f"the tests in {path}": path for path in options.paths}
        refuse_overwriting("-o", [options.output], inputs)
    tests = _selected_tests(options)
    if not tests.verdicts and not tests.resolutions:
        print_stderr(f"urlconform: no test is of {' or '.join(map(rfc, options.specs))}")
        return Exit.NOTHING_RAN
    processes = options.processes or usable_processors()
    with progress(_STEP, lines=True) as report:
        measurement = measure(tests, processes, lambda done, total: report(_STEP, done, total))
    proposals = []
    for part in measurement.parts:
        additions = choose_additions(part.catalogue, part.noticed, options.add or _PROPOSED)
        proposals.append(_Proposal(part, curve(part.catalogue, part.noticed), additions))
    if options.as_json:
        click.echo(json.dumps(_document(measurement, proposals, with_additions=options.add > 0), indent=1))
    else:
        _Report(options, measurement).print(proposals)
    if options.output is not None:
        _write_additions(options.output, tests, proposals)
    for part in measurement.parts:
        if part.share < options.fail_under:
            share = f"{_percent(part.share)} of the kinds of mistakes are noticed"
            print_stderr(f"urlconform: {_name(part)}: {share}, but --fail-under is {options.fail_under:g} %")
    is_missed = measurement.lowest_share < options.fail_under
    return Exit.FAILED if measurement.wrong_labels or is_missed else Exit.PASSED


def _selected_tests(options: TestOptions) -> ProjectTests:
    """Return the tests of the selected RFCs."""
    specs = Selection(tuple(map(spec_name, options.specs))).specs
    default_spec = specs[0] if specs else DEFAULT_SPEC
    if options.rule and options.rule not in specification(default_spec).grammar:
        raise click.BadParameter(f"{rfc(default_spec)} has no rule {options.rule!r}", param_hint="--rule")
    tests = read_tests(options.paths, Defaults(default_spec, options.rule))
    if not specs:
        return tests
    return tests._replace(
        verdicts=[test for test in tests.verdicts if test.spec in specs],
        resolutions=[test for test in tests.resolutions if test.spec in specs],
    )


def _write_additions(output: Path, tests: ProjectTests, proposals: Sequence[_Proposal]) -> None:
    """Write the texts to add in the format of the tests, and say how many there are."""
    texts = [
        AddedTexts(proposal.part.catalogue.spec, proposal.part.catalogue.rule, proposal.additions)
        for proposal in proposals
        if proposal.additions
    ]
    number = sum(len(added.additions) for added in texts)
    if not number:
        print_stderr(f"urlconform: {output}: not written, because the tests notice all kinds of mistakes")
        return
    try:
        content = additions_text(tests.form, texts)
    except UnsuitableFormat as error:
        raise click.UsageError(str(error)) from None
    write_atomically(output, content, "utf-8")
    answered_by = enumerated([*dict.fromkeys(added.source for added in texts)])
    print_stderr(logged(f"{output}: {counted(number, 'text')} to add; their answers come from {answered_by}"))


def _name(part: MeasuredTests) -> str:
    """Return the subject of a part, such as `RFC 3986, rule URI`."""
    catalogue = part.catalogue
    return f"{rfc(catalogue.spec)}, {f'rule {catalogue.rule}' if catalogue.rule else 'resolution'}"


def _percent(share: float) -> str:
    """Return a share, rounded, but 100.0 % only if it is all."""
    rounded = round(share, 1)
    return f"{share if share == 100 else min(rounded, 99.9):.1f} %"


class _Report:
    """Prints a measurement for people: wrong labels first, what to do last."""

    def __init__(self, options: TestOptions, measurement: Measurement) -> None:
        self._options = options
        self._measurement = measurement
        self._out = console()
        self._titles = load().titles

    def print(self, proposals: Sequence[_Proposal]) -> None:
        """Print the report."""
        self._print_wrong_labels()
        for proposal in proposals:
            self._print_sections(proposal.part)
            self._print_proposal(proposal)
        if self._measurement.left_out:
            self._line("Not used:")
            for reason, count in sorted(self._measurement.left_out.items()):
                self._line(f"  {counted(count, 'test')} {reason}")
            self._line()

    def _line(self, line: str = "", style: str = "") -> None:
        self._out.print(plain(line), style=style, soft_wrap=True)

    def _print_table(self, table: Table) -> None:
        """Print a table, in a file without the blanks that fill its last column."""
        if self._out.is_terminal:
            self._out.print(table)
            return
        with self._out.capture() as capture:
            self._out.print(table)
        for line in capture.get().splitlines():
            self._line(line.rstrip())

    def _print_wrong_labels(self) -> None:
        labels = self._measurement.wrong_labels
        if not labels:
            return
        self._line(f"{counted(len(labels), 'wrong label')}. Correct these first:", "bold")
        for label in labels[:_WRONG_LABELS]:
            inputs = " against ".join(_shown(text) for text in reversed(label.inputs))
            self._line(f"  {clipped(label.location, 2 * _TEXT)}")
            self._line(f"    {inputs}: the test says {_answer(label.expected)}; {label.reason}")
        if len(labels) > _WRONG_LABELS:
            self._line(f"  … and {len(labels) - _WRONG_LABELS} more (--json has all)")
        rules = {label.rule for label in labels if label.rule}
        if rules and not self._options.rule:
            self._line(
                f"  If these texts are not meant for rule {' and '.join(sorted(rules))}, name it: --rule"
            )
        self._line()

    def _print_sections(self, part: MeasuredTests) -> None:
        """Print, for each section, how many kinds are noticed, and the mistakes that are not."""
        unnoticed: dict[str, list[UnnoticedKind]] = {}
        for kind in part.unnoticed_kinds():
            unnoticed.setdefault(kind.section, []).append(kind)
        mistakes = f"mistakes that none of {part.tests:,} tests notices"
        if part.tests == 1:
            mistakes = "mistakes that the only test does not notice"
        self._line(f"{_name(part)}: {mistakes}", "bold")
        table = Table(box=None, pad_edge=False, show_header=True, header_style="")
        table.add_column("section and rule")
        table.add_column("kinds", justify="right", no_wrap=True)
        table.add_column("mistake that passes these tests", overflow="fold")
        table.add_column("for it is not asked, for example", overflow="fold")
        for section, (noticed, kinds) in part.sections().items():
            title = self._titles.get((part.catalogue.spec, section), "")
            heading = (plain(f"{section} {title}"), f"{noticed} of {kinds}", "noticed")
            table.add_row(*heading, "", style="bold" if noticed < kinds else "dim")
            for row in _group_rows(unnoticed.get(section, ())):
                table.add_row(*map(plain, row))
        self._print_table(table)
        self._line()

    def _print_proposal(self, proposal: _Proposal) -> None:
        """Print the share, the curve, and the first texts to add."""
        part = proposal.part
        catalogue = part.catalogue
        mistakes = f"{part.noticed.bit_count():,} of {len(catalogue.mistakes):,} single mistakes"
        share = f"{part.noticed_kinds:,} of {catalogue.kinds:,} kinds of mistakes"
        self._line(f"{_name(part)}: {_percent(part.share)} noticed ({share}, {mistakes})", "bold")
        if not proposal.additions:
            self._line("Nothing to add: the tests notice every kind of mistake.")
            self._line()
            return
        steps = [f"{number} for {reached} %" for reached, number in proposal.curve.items() if number]
        self._line(f"Texts to add: {', '.join(steps)}. They begin with:")
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(width=0)
        table.add_column(overflow="fold")
        table.add_column(overflow="fold")
        table.add_column(no_wrap=True)
        for addition in proposal.additions:
            inputs = " against ".join(_shown(text) for text in reversed(addition.inputs))
            gain = f"+{addition.kinds} kinds, section {addition.section}"
            table.add_row("", plain(inputs), plain(_answer(addition.answer)), gain)
        self._print_table(table)
        if not self._options.add:
            self._line(f"To write them: {self._command(proposal.curve)}")
        self._line()

    def _command(self, numbers: Mapping[int, int]) -> str:
        """Return the command that writes the texts for the next share of the curve."""
        paths = [str(path) for path in self._options.paths]
        number = next(count for count in numbers.values() if count)
        output = _new_file(self._options.paths[0].suffix or ".json")
        words = ["urlconform", "vectors", "adequacy", "--tests", *paths]
        for spec in self._options.specs:
            words += ["--spec", spec]
        if self._options.rule:
            words += ["--rule", self._options.rule]
        return join([*words, "--add", str(number), "-o", output])


def _new_file(suffix: str) -> str:
    """Return the name of a file that does not exist yet."""
    names = chain(["more"], (f"more-{number}" for number in count(2)))
    return next(f"{name}{suffix}" for name in names if not Path(f"{name}{suffix}").exists())


def _group_rows(kinds: Sequence[UnnoticedKind]) -> Iterator[tuple[str, str, str, str]]:
    """Yield rows for the kinds of a section, a row for each changed rule and operator, the largest first."""
    groups: dict[tuple[str, str], list[UnnoticedKind]] = {}
    for kind in kinds:
        groups.setdefault((kind.rule, kind.operator), []).append(kind)
    largest_first = sorted(groups.items(), key=lambda group: -len(group[1]))
    printed_groups = largest_first[:_GROUPS_OF_SECTION]
    hidden_groups = largest_first[_GROUPS_OF_SECTION:]
    for (rule, operator), members in printed_groups:
        example = min(members, key=_readability)
        inputs = " against ".join(_shown(text) for text in reversed(example.witness))
        question = f"{inputs} is {_answer(example.answer)}"
        yield f"  {rule}", str(len(members)), _mistake_in_words(operator, members), question
    if hidden_groups:
        hidden_kinds = sum(len(members) for _, members in hidden_groups)
        yield "  …", str(hidden_kinds), f"{counted(len(hidden_groups), 'more mistake')} (--json)", ""


def _mistake_in_words(operator: str, kinds: Sequence[UnnoticedKind]) -> str:
    """Return a mistake in words, with the first characters if it adds or removes some."""
    mistake = OPERATOR_IN_WORDS.get(operator, operator)
    if operator not in ("add-character", "remove-character"):
        return mistake
    characters = {character for kind in kinds for character in kind.details}
    names = [visible(character) for character in sorted(characters, key=_readable_first)]
    return f"{mistake}: {first_names(names, _CHARACTERS, ' ')}"


def _readability(kind: UnnoticedKind) -> tuple[bool, int]:
    """Return the key by which the example that is easiest to read comes first."""
    texts = "".join(kind.witness)
    return not (texts.isprintable() and " " not in texts), len(texts)


def _readable_first(character: str) -> tuple[bool, bool, str]:
    """Return the key by which marks come first, then letters and digits, then what cannot be seen."""
    is_invisible = not character.isprintable() or character == " "
    return is_invisible, character.isalnum(), character


def _shown(text: str) -> str:
    """Return a text as it is shown in a line: quoted only if it is empty."""
    return clipped(visible(text), _TEXT) or "“”"


def _answer(answer: bool | str | None) -> str:
    """Return an answer in words."""
    if isinstance(answer, bool):
        return "valid" if answer else "invalid"
    return "refused" if answer is None else _shown(answer)


def _document(
    measurement: Measurement, proposals: Sequence[_Proposal], *, with_additions: bool
) -> dict[str, Any]:
    """Return the measurement as JSON data."""
    labels = [
        {
            "test": label.location,
            "spec": label.spec,
            "rule": label.rule or None,
            "inputs": label.inputs,
            "expected": label.expected,
            "answer": label.answer,
            "offset": label.offset,
        }
        for label in measurement.wrong_labels
    ]
    parts = [_part_document(proposal, with_additions=with_additions) for proposal in proposals]
    return {"wrong_labels": labels, "left_out": dict(measurement.left_out), "parts": parts}


def _part_document(proposal: _Proposal, *, with_additions: bool) -> dict[str, Any]:
    """Return what the tests of one rule, or those of resolution, notice, as JSON data."""
    part = proposal.part
    catalogue = part.catalogue
    sections = {}
    for section, (noticed, kinds) in part.sections().items():
        sections[section] = {"noticed": noticed, "kinds": kinds}
    document = {
        "spec": catalogue.spec,
        "rule": catalogue.rule or None,
        "operation": "validate" if catalogue.rule else "resolve",
        "tests": part.tests,
        "share": int(part.share * 100) / 100,
        "kinds": {"noticed": part.noticed_kinds, "all": catalogue.kinds},
        "mistakes": {"noticed": part.noticed.bit_count(), "all": len(catalogue.mistakes)},
        "sections": sections,
        "unnoticed": [_kind_document(kind) for kind in part.unnoticed_kinds()],
        "curve": {str(share): proposal.curve[share] for share in SHARES},
    }
    if with_additions:
        answered_by = AddedTexts(catalogue.spec, catalogue.rule, proposal.additions).answered_by
        document["add"] = [{**text._asdict(), "answered_by": answered_by} for text in proposal.additions]
    return document


def _kind_document(kind: UnnoticedKind) -> dict[str, Any]:
    """Return a kind of mistake that no test notices, with an example, as JSON data."""
    return {
        "section": kind.section,
        "rule": kind.rule,
        "operator": kind.operator,
        "mistake": OPERATOR_IN_WORDS.get(kind.operator, kind.operator),
        "details": kind.details,
        "inputs": kind.witness,
        "answer": kind.answer,
    }
