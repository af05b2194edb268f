"""The command `export` of `vectors`, which writes the corpus for use without Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, get_args

import click

from urlharness.adequacy.cache import Tasks, open_pool
from urlharness.adequacy.noticing import NoticedKinds, choose_texts, find_noticed, wrong_verdicts
from urlharness.bundle.folder import write_bundle
from urlharness.cli.options import ExistingPath
from urlharness.cli.output import progress
from urlharness.corpus import formattests
from urlharness.corpus.export import ExportError, write_export
from urlharness.corpus.foreign import FORMATS
from urlharness.corpus.formattests import (
    SUITE_FILES,
    BesideTests,
    FormatTest,
    FormatTests,
    SuiteBatch,
    SuiteFile,
)
from urlharness.corpus.loader import load
from urlharness.corpus.model import Tier, corpus_dir
from urlharness.corpus.selection import Selection, spec_name
from urlharness.exitcodes import Exit
from urlharness.generate.tiers.digests import tier_streams
from urlharness.system.portability import usable_processors
from urlharness.text import logged, plain
from urlharness.wording import counted, enumerated, rfc

#: The format of an export for the JSON Schema Test Suite.
_SUITE = "json-schema-test-suite"

#: The format of an export for runners in other languages.
_BUNDLE = "bundle"

_Folder = click.Path(path_type=Path)


@click.command("export", short_help="Write the corpus as plain JSON, a bundle, or tests for JSON Schema.")
@click.argument("target", metavar="[DIR]", required=False, type=_Folder)
@click.option("-o", "--output", metavar="DIR", type=_Folder, help="The folder to write, instead of DIR.")
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option(
    "--section", "sections", multiple=True, metavar="N", help="Only this section and its subsections."
)
@click.option(
    "--tier",
    "tiers",
    type=click.Choice(["core", *get_args(Tier)]),
    multiple=True,
    default=["core"],
    show_default=True,
    help="The tiers to write; generated tiers go into tiers/.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["plain", _BUNDLE, _SUITE]),
    default="plain",
    show_default=True,
    help="plain: files of the corpus; bundle: a flat file for each RFC, and the rules of comparison; "
    "json-schema-test-suite: tests of the formats uri, iri and -reference.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Write all tests for JSON Schema, not only few that notice as many kinds of mistakes.",
)
@click.option(
    "--beside",
    type=ExistingPath(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Do not write the tests that a checkout of the JSON Schema Test Suite has, or what they notice.",
)
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    metavar="N",
    help="Write batches of tests of one statement each, with at most N texts.",
)
@click.option("--force", is_flag=True, help="Replace an earlier export.")
@click.option(
    "--vectors",
    "directory",
    type=ExistingPath(path_type=Path, file_okay=False),
    help="Use the corpus in this directory.",
)
def export(
    target: Path | None,
    output: Path | None,
    specs: tuple[str, ...],
    sections: tuple[str, ...],
    tiers: tuple[str, ...],
    form: str,
    everything: bool,
    beside: Path | None,
    batch: int | None,
    force: bool,
    directory: Path | None,
) -> int:
    """Write the corpus to DIR as plain JSON, for use without Python, with a README that explains it.

    With --format bundle, write a file for each RFC in which each case has its statement and every admitted
    answer, and RUNNER.md with all rules of comparison: what a runner in another language needs.

    With --format json-schema-test-suite, write which texts are a URI or a URI-reference by RFC 3986, or an
    IRI or an IRI-reference by RFC 3987, in the files that the JSON Schema Test Suite has for these formats:
    few tests that notice every kind of mistake that the corpus notices. To choose them takes minutes, the
    next time seconds.
    """
    folder = _folder_to_write(target, output)
    root = directory or corpus_dir()
    selection = Selection(tuple(map(spec_name, specs)), sections)
    try:
        if form == _SUITE:
            _check_options_of_suite(selection, tiers)
            request = _SuiteRequest(root, folder, selection, everything, beside, batch, force)
            return _export_format_tests(request)
        if everything or beside or batch:
            raise click.UsageError(f"--all, --beside and --batch need --format {_SUITE}")
        if form == _BUNDLE:
            _refuse_tiers(_BUNDLE, tiers)
            bundle = write_bundle(root, load(root), folder, selection, force=force)
            click.echo(logged(f"{folder}: {bundle.cases} cases, {bundle.left_out} left out"))
            return Exit.PASSED
        generated = tier_streams([tier for tier in get_args(Tier) if tier in tiers], selection)
        streams = {stream.part: stream.cases() for stream in generated}
        count = write_export(
            root, load(root), folder, selection, force=force, core="core" in tiers, streams=streams
        )
    except ExportError as error:
        raise click.UsageError(str(error)) from None
    click.echo(logged(f"{folder}: {count} vectors"))
    return Exit.PASSED


def _folder_to_write(target: Path | None, output: Path | None) -> Path:
    """Return the folder, which is named once. Raise UsageError if it is missing or named twice."""
    if target is not None and output is not None:
        raise click.UsageError("give either DIR or -o, not both")
    folder = target or output
    if folder is None:
        raise click.UsageError("Missing argument 'DIR'.")
    return folder


def _refuse_tiers(form: str, tiers: tuple[str, ...]) -> None:
    """Raise UsageError if generated tiers are asked for, which the format does not have."""
    if tiers != ("core",):
        raise click.UsageError(f"--format {form} has no generated tiers: omit --tier")


def _check_options_of_suite(selection: Selection, tiers: tuple[str, ...]) -> None:
    """Raise UsageError if an option asks for what tests for the JSON Schema Test Suite cannot have.

    These are generated tiers, and RFCs that have no formats there.
    """
    _refuse_tiers(_SUITE, tiers)
    other_specs = [spec for spec in selection.specs if spec not in formattests.PAIRS]
    if other_specs:
        names = ", ".join(other_specs)
        raise click.UsageError(
            f"--format {_SUITE} asks {enumerated(list(formattests.PAIRS))} only, not {names}"
        )


class _SuiteRequest(NamedTuple):
    """The options of an export for the JSON Schema Test Suite.

    `root` is the folder of the corpus, `target` that to write. If `everything`, no test is left out because
    others notice the same mistakes. `beside` is a checkout of the suite, and `batch` the number of texts of a
    batch, if they are given.
    """

    root: Path
    target: Path
    selection: Selection
    everything: bool
    beside: Path | None
    batch: int | None
    force: bool


def _export_format_tests(request: _SuiteRequest) -> int:
    """Write tests for the JSON Schema Test Suite, and print how many there are and what they notice."""
    corpus = load(request.root)
    tests = formattests.select_tests(corpus, request.selection)
    beside = formattests.read_beside(request.beside) if request.beside else {}
    for line in _wrong_labels(beside):
        click.echo(logged(line), err=True)
    files: dict[SuiteFile, list[FormatTest]] = {}
    for file in SUITE_FILES:
        files[file] = _tests_not_beside(tests.tests[file.name], beside.get(file))
    share_lines: list[str] = []
    if not request.everything:
        noticed = _find_noticed(tests, beside)
        files = _choose_of_each(files, beside, noticed)
        share_lines = _share_lines(files, beside, noticed)
    batches = [SuiteBatch("", files)]
    if request.batch:
        batches = formattests.split_into_batches(files, request.batch)
    formattests.write_format_tests(request.root, corpus, request.target, batches, force=request.force)
    click.echo(logged(_summary(request, files, tests.left_out, len(batches))))
    for line in share_lines:
        click.echo(line)
    return Exit.PASSED


def _wrong_labels(beside: Mapping[SuiteFile, BesideTests]) -> list[str]:
    """Return a line for each test of the suite that its RFC contradicts."""
    lines = {}  # each test once, by its file and text
    for file, tests in beside.items():
        spec, rule = FORMATS[file.name]
        for text in wrong_verdicts(spec, rule, tests.verdicts):
            verdict = "valid" if tests.verdicts[text] else "invalid"
            problem = f"{plain(text)!r} is {verdict} there, but not by {rfc(spec)}"
            lines[tests.path, text] = f"{tests.path}: wrong test: {problem}"
    return list(lines.values())


def _tests_not_beside(tests: Sequence[FormatTest], beside: BesideTests | None) -> list[FormatTest]:
    """Return the tests whose texts the file of the suite does not have, if there is one."""
    if beside is None:
        return list(tests)
    return [test for test in tests if test.text not in beside.verdicts]


def _find_noticed(tests: FormatTests, beside: Mapping[SuiteFile, BesideTests]) -> dict[str, NoticedKinds]:
    """Find, for each format with tests, which kinds of mistakes each text notices. This may take minutes.

    The texts are those of the tests and those of the suite.
    """
    noticed = {}
    with progress(lines=True) as report, open_pool(usable_processors()) as pool:
        for name, tests_of_format in tests.tests.items():
            if not tests_of_format:
                continue
            texts = {test.text for test in tests_of_format}
            for file, beside_tests in beside.items():
                if file.name == name:
                    texts.update(beside_tests.verdicts)
            tasks = Tasks(pool, partial(report, name))
            spec, rule = FORMATS[name]
            noticed[name] = find_noticed(spec, rule, texts, tasks)
    return noticed


def _choose_of_each(
    files: Mapping[SuiteFile, Sequence[FormatTest]],
    beside: Mapping[SuiteFile, BesideTests],
    noticed: Mapping[str, NoticedKinds],
) -> dict[SuiteFile, list[FormatTest]]:
    """Return few tests of each file: see `_choose`. `noticed` has the formats with tests."""
    choices: dict[SuiteFile, list[FormatTest]] = {}
    for file, tests in files.items():
        choices[file] = []
        if tests:
            choices[file] = _choose(tests, beside.get(file), noticed[file.name])
    return choices


def _choose(
    tests: Sequence[FormatTest], beside: BesideTests | None, noticed: NoticedKinds
) -> list[FormatTest]:
    """Return few tests that notice whatever the tests notice and those of the suite do not.

    Texts that the corpus asks for a verdict come first, because those with components are longer.
    """
    suite_texts = list(beside.verdicts) if beside else []
    all_texts = [test.text for test in tests]
    texts_with_verdict = [test.text for test in tests if test.case.vector.op == "validate"]
    choice = choose_texts(noticed, texts_with_verdict, suite_texts)
    choice += choose_texts(noticed, all_texts, [*suite_texts, *choice])
    return [test for test in tests if test.text in choice]


def _share_lines(
    files: Mapping[SuiteFile, Sequence[FormatTest]],
    beside: Mapping[SuiteFile, BesideTests],
    noticed: Mapping[str, NoticedKinds],
) -> list[str]:
    """Return lines on the kinds of mistakes that the tests notice, one for all files that are alike.

    Files are alike if they have the same format and the same numbers. Their line names the drafts.
    """
    drafts_by_line: dict[tuple[str, str], list[str]] = {}
    for file, tests in files.items():
        if file.name not in noticed:
            continue
        suite_texts = list(beside[file].verdicts) if file in beside else []
        texts = [test.text for test in tests]
        words = _share_in_words(texts, suite_texts, noticed[file.name])
        _, draft, *_ = file.draft.folder.split("/")
        drafts_by_line.setdefault((file.name, words), []).append(draft)
    lines = []
    for (name, words), drafts in drafts_by_line.items():
        lines.append(f"  {name} ({enumerated(drafts)}): {words}")
    return lines


def _share_in_words(texts: Sequence[str], suite_texts: Sequence[str], noticed: NoticedKinds) -> str:
    """Return how many kinds of mistakes the texts to write notice together with those of the suite."""
    words = counted(len(texts), "test")
    if suite_texts:
        alone = len(noticed.together(suite_texts))
        words += f" beside {len(suite_texts):,}, which alone notice {alone:,}"
    together = len(noticed.together([*texts, *suite_texts]))
    return f"{words}: together {together:,} of {noticed.kinds:,} kinds of mistakes"


def _counts_of_formats(files: Mapping[SuiteFile, Sequence[FormatTest]]) -> dict[str, int]:
    """Return the number of different texts of each format. The files of several drafts share texts."""
    texts: dict[str, set[str]] = {name: set() for name in FORMATS}
    for file, tests in files.items():
        texts[file.name].update(test.text for test in tests)
    return {name: len(texts_of_format) for name, texts_of_format in texts.items()}


def _summary(
    request: _SuiteRequest,
    files: Mapping[SuiteFile, Sequence[FormatTest]],
    left_out: Mapping[str, int],
    batches: int,
) -> str:
    """Return a line with the numbers of tests, and of those that are left out if all were asked for.

    `left_out` counts them by reason. `batches` is the number of batches that were written.
    """
    counts = _counts_of_formats(files)
    numbers: list[str] = []
    for pair in formattests.PAIRS.values():
        has_tests = any(counts[name] for name in pair)
        if has_tests:
            numbers += [f"{counts[name]} of {name}" for name in pair]
    line = f"{request.target}: {sum(counts.values())} tests: {', '.join(numbers)}"
    if request.batch:
        line += f", in {counted(batches, 'batch', 'batches')}"
    if request.everything and left_out:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out.items()))
        line += f" (left out: {reasons})"
    return line
