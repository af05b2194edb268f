"""What `vectors adequacy --tests` prints and writes: the mistakes that tests of a project do not notice."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
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
    WrongTest,
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

#: In per cent: the share if everything is noticed, and the largest share to print if it is not.
_ALL = 100.0
_MOST_OF_ALL = 99.9

#: The name of the progress bar.
_STEP = "measuring"

#: The maximum number of characters of a text in a table, and of the location of a test.
_TEXT = 60
_LOCATION = 120


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
        _check_output(options.output, options)
    tests = _read_selected_tests(options)
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
        click.echo(
            json.dumps(_measurement_as_json(measurement, proposals, with_additions=options.add > 0), indent=1)
        )
    else:
        _Report(options, measurement).print(proposals)
    if options.output is not None:
        _write_additions(options.output, tests, proposals)
    _print_low_shares(measurement, options.fail_under)
    is_too_low = measurement.lowest_share < options.fail_under
    return Exit.FAILED if measurement.wrong_labels or is_too_low else Exit.PASSED


def _check_output(output: Path, options: TestOptions) -> None:
    """Raise a usage error if there is nothing to write to the output, or if it would replace the tests."""
    if not options.add:
        raise click.UsageError("-o needs --add N, the number of texts to write")
    inputs = {f"the tests in {path}": path for path in options.paths}
    refuse_overwriting("-o", [output], inputs)


def _print_low_shares(measurement: Measurement, fail_under: float) -> None:
    """Print on stderr the parts of which the tests notice a smaller share, in per cent, than `fail_under`."""
    for part in measurement.parts:
        if part.share < fail_under:
            share = f"{_percent(part.share)} of the kinds of mistakes are noticed"
            print_stderr(f"urlconform: {_subject(part)}: {share}, but --fail-under is {fail_under:g} %")


def _read_selected_tests(options: TestOptions) -> ProjectTests:
    """Read the tests, and return those of the selected RFCs. Raise a usage error if there is no such rule."""
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
    """Write the texts to add in the format of the tests, and say on stderr how many there are.

    Without texts, write no file. Raise a usage error if the format cannot hold these texts.
    """
    texts = []
    for proposal in proposals:
        if proposal.additions:
            catalogue = proposal.part.catalogue
            texts.append(AddedTexts(catalogue.spec, catalogue.rule, proposal.additions))
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


def _subject(part: MeasuredTests) -> str:
    """Return the subject of a part, such as `RFC 3986, rule URI`, or `RFC 3986, resolution`."""
    catalogue = part.catalogue
    subject = f"rule {catalogue.rule}" if catalogue.rule else "resolution"
    return f"{rfc(catalogue.spec)}, {subject}"


def _percent(share: float) -> str:
    """Return a share in per cent, rounded, but 100.0 % only if it is all."""
    if share == _ALL:
        return f"{_ALL:.1f} %"
    rounded = round(share, 1)
    return f"{min(rounded, _MOST_OF_ALL):.1f} %"


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
            self._print_line("Not used:")
            for reason, count in sorted(self._measurement.left_out.items()):
                self._print_line(f"  {counted(count, 'test')} {reason}")
            self._print_line()

    def _print_line(self, line: str = "", style: str = "") -> None:
        """Print a line, without an argument an empty one. It is never broken."""
        self._out.print(plain(line), style=style, soft_wrap=True)

    def _print_table(self, table: Table) -> None:
        """Print a table, in a file without the blanks that fill its last column."""
        if self._out.is_terminal:
            self._out.print(table)
            return
        with self._out.capture() as capture:
            self._out.print(table)
        for line in capture.get().splitlines():
            self._print_line(line.rstrip())

    def _print_wrong_labels(self) -> None:
        """Print the first tests whose verdict is wrong by the RFC, and how many more there are."""
        labels = self._measurement.wrong_labels
        if not labels:
            return
        self._print_line(f"{counted(len(labels), 'wrong label')}. Correct these first:", "bold")
        for label in labels[:_WRONG_LABELS]:
            self._print_line(f"  {clipped(label.location, _LOCATION)}")
            answer = _answer_in_words(label.expected)
            self._print_line(f"    {_inputs_in_words(label.inputs)}: the test says {answer}; {label.reason}")
        if len(labels) > _WRONG_LABELS:
            self._print_line(f"  … and {len(labels) - _WRONG_LABELS} more (--json has all)")
        rules = {label.rule for label in labels if label.rule}
        if rules and not self._options.rule:
            names = " and ".join(sorted(rules))
            self._print_line(f"  If these texts are not meant for rule {names}, name it: --rule")
        self._print_line()

    def _print_sections(self, part: MeasuredTests) -> None:
        """Print, for each section, how many kinds are noticed, and the mistakes that are not."""
        unnoticed: dict[str, list[UnnoticedKind]] = {}
        for kind in part.unnoticed_kinds():
            unnoticed.setdefault(kind.section, []).append(kind)
        mistakes = f"mistakes that none of {part.tests:,} tests notices"
        if part.tests == 1:
            mistakes = "mistakes that the only test does not notice"
        self._print_line(f"{_subject(part)}: {mistakes}", "bold")
        table = Table(box=None, pad_edge=False, show_header=True, header_style="")
        table.add_column("section and rule")
        table.add_column("kinds", justify="right", no_wrap=True)
        table.add_column("mistake that passes these tests", overflow="fold")
        table.add_column("for it is not asked, for example", overflow="fold")
        for section, (noticed, kinds) in part.sections().items():
            title = self._titles.get((part.catalogue.spec, section), "")
            heading = plain(f"{section} {title}")
            style = "bold" if noticed < kinds else "dim"
            table.add_row(heading, f"{noticed} of {kinds}", "noticed", "", style=style)
            for row in _group_rows(unnoticed.get(section, ())):
                table.add_row(*map(plain, row))
        self._print_table(table)
        self._print_line()

    def _print_proposal(self, proposal: _Proposal) -> None:
        """Print the share, the curve, and the first texts to add."""
        part = proposal.part
        catalogue = part.catalogue
        mistakes = f"{part.noticed.bit_count():,} of {len(catalogue.mistakes):,} single mistakes"
        share = f"{part.noticed_kind_count:,} of {catalogue.kind_count:,} kinds of mistakes"
        self._print_line(f"{_subject(part)}: {_percent(part.share)} noticed ({share}, {mistakes})", "bold")
        if not proposal.additions:
            self._print_line("Nothing to add: the tests notice every kind of mistake.")
            self._print_line()
            return
        steps = [f"{number} for {reached} %" for reached, number in proposal.curve.items() if number]
        self._print_line(f"Texts to add: {', '.join(steps)}. They begin with:")
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(width=0)  # an empty one, for the margin
        table.add_column(overflow="fold")
        table.add_column(overflow="fold")
        table.add_column(no_wrap=True)
        for addition in proposal.additions:
            inputs = plain(_inputs_in_words(addition.inputs))
            answer = plain(_answer_in_words(addition.answer))
            gain = f"+{addition.kinds} kinds, section {addition.section}"
            table.add_row("", inputs, answer, gain)
        self._print_table(table)
        if not self._options.add:
            self._print_line(f"To write them: {self._command_to_add(proposal.curve)}")
        self._print_line()

    def _command_to_add(self, numbers: Mapping[int, int]) -> str:
        """Return the command that writes the texts for the next share of the curve.

        `numbers` maps shares to numbers of texts, at least one of which is not 0.
        """
        paths = [str(path) for path in self._options.paths]
        needed = [number for number in numbers.values() if number]
        output = _new_file(self._options.paths[0].suffix or ".json")
        words = ["urlconform", "vectors", "adequacy", "--tests", *paths]
        for spec in self._options.specs:
            words += ["--spec", spec]
        if self._options.rule:
            words += ["--rule", self._options.rule]
        return join([*words, "--add", str(needed[0]), "-o", output])


def _new_file(suffix: str) -> str:
    """Return the name of a file that does not exist yet, with this suffix."""
    name = f"more{suffix}"
    number = 1
    while Path(name).exists():
        number += 1
        name = f"more-{number}{suffix}"
    return name


class _KindRow(NamedTuple):
    """A row of the table of sections: what is changed, how many kinds of mistakes, one, and an example."""

    rule: str
    kinds: str
    mistake: str
    example: str


def _group_rows(kinds: Sequence[UnnoticedKind]) -> Iterator[_KindRow]:
    """Yield rows for the kinds of a section, a row for each changed rule and operator, the largest first.

    After the first rows, one says how many groups there are besides.
    """
    groups: dict[tuple[str, str], list[UnnoticedKind]] = {}
    for kind in kinds:
        groups.setdefault((kind.rule, kind.operator), []).append(kind)
    largest_first = sorted(groups.values(), key=len, reverse=True)
    for group in largest_first[:_GROUPS_OF_SECTION]:
        yield _row_of_group(group)
    hidden_groups = largest_first[_GROUPS_OF_SECTION:]
    if hidden_groups:
        hidden_kinds = sum(map(len, hidden_groups))
        mistakes = f"{counted(len(hidden_groups), 'more mistake')} (--json)"
        yield _KindRow("  …", str(hidden_kinds), mistakes, "")


def _row_of_group(kinds: Sequence[UnnoticedKind]) -> _KindRow:
    """Return the row of the kinds of one rule and operator."""
    rule = kinds[0].rule
    operator = kinds[0].operator
    example = min(kinds, key=_readability)
    question = f"{_inputs_in_words(example.witness)} is {_answer_in_words(example.answer)}"
    return _KindRow(f"  {rule}", str(len(kinds)), _mistake_in_words(operator, kinds), question)


def _mistake_in_words(operator: str, kinds: Sequence[UnnoticedKind]) -> str:
    """Return a mistake in words, with the first characters if it adds or removes some."""
    mistake = OPERATOR_IN_WORDS.get(operator, operator)
    if operator not in ("add-character", "remove-character"):
        return mistake
    characters = {character for kind in kinds for character in kind.details}
    names = [visible(character) for character in sorted(characters, key=_order_of_characters)]
    return f"{mistake}: {first_names(names, _CHARACTERS, ' ')}"


def _readability(kind: UnnoticedKind) -> tuple[bool, int]:
    """Return the key by which the example that is easiest to read comes first."""
    texts = "".join(kind.witness)
    has_invisible = not texts.isprintable() or " " in texts
    return has_invisible, len(texts)


def _order_of_characters(character: str) -> tuple[bool, bool, str]:
    """Return the key by which marks come first, then letters and digits, then what cannot be seen."""
    is_invisible = not character.isprintable() or character == " "
    return is_invisible, character.isalnum(), character


def _text_in_words(text: str) -> str:
    """Return a text as it is shown in a line: cut if it is long, and quoted only if it is empty."""
    return clipped(visible(text), _TEXT) or "“”"


def _inputs_in_words(inputs: Sequence[str]) -> str:
    """Return a text, or a base and a reference as `REFERENCE against BASE`."""
    return " against ".join(_text_in_words(text) for text in reversed(inputs))


def _answer_in_words(answer: bool | str | None) -> str:
    """Return an answer in words: a verdict, a target, or None for a refusal."""
    match answer:
        case True:
            return "valid"
        case False:
            return "invalid"
        case None:
            return "refused"
    return _text_in_words(answer)


def _measurement_as_json(
    measurement: Measurement, proposals: Sequence[_Proposal], *, with_additions: bool
) -> dict[str, Any]:
    """Return the measurement as JSON data, with the texts to add if the user wants them."""
    labels = [_label_as_json(label) for label in measurement.wrong_labels]
    parts = [_part_as_json(proposal, with_additions=with_additions) for proposal in proposals]
    return {"wrong_labels": labels, "left_out": dict(measurement.left_out), "parts": parts}


def _label_as_json(label: WrongTest) -> dict[str, Any]:
    """Return a test whose verdict is wrong by the RFC as JSON data."""
    return {
        "test": label.location,
        "spec": label.spec,
        "rule": label.rule or None,
        "inputs": label.inputs,
        "expected": label.expected,
        "answer": label.answer,
        "offset": label.offset,
    }


def _part_as_json(proposal: _Proposal, *, with_additions: bool) -> dict[str, Any]:
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
        "share": math.floor(part.share * 100) / 100,  # not rounded up, so that 100.0 is all
        "kinds": {"noticed": part.noticed_kind_count, "all": catalogue.kind_count},
        "mistakes": {"noticed": part.noticed.bit_count(), "all": len(catalogue.mistakes)},
        "sections": sections,
        "unnoticed": [_kind_as_json(kind) for kind in part.unnoticed_kinds()],
        "curve": {str(share): proposal.curve[share] for share in SHARES},
    }
    if with_additions:
        answered_by = AddedTexts(catalogue.spec, catalogue.rule, proposal.additions).answered_by
        document["add"] = [{**text._asdict(), "answered_by": answered_by} for text in proposal.additions]
    return document


def _kind_as_json(kind: UnnoticedKind) -> dict[str, Any]:
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
