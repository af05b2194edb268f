"""The command `compare`, which compares libraries with each other and with the RFCs."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from urlharness.adapters.registry import Adapter, available_adapters
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.cli.options import (
    ExistingPath,
    adapter_named,
    check_sarif_location,
    library_named,
    sarif_location_option,
)
from urlharness.cli.output import busy, console, print_stderr
from urlharness.cli.reports import report_targets
from urlharness.cli.texts import read_texts
from urlharness.corpus.specifications import DEFAULT_SPEC
from urlharness.exitcodes import Exit
from urlharness.jsonio import in_utc, now_utc, write_atomically
from urlharness.panel.severity import BY_HARM, VERDICT
from urlharness.protocol.limits import USUAL
from urlharness.shell import join, option_words
from urlharness.text import logged, visible
from urlharness.wording import counted
from urloracle.rfcs import SPECIFICATIONS

if TYPE_CHECKING:
    from urlharness.compare.bypass import Bypass, Planted
    from urlharness.compare.matrix import Disagreement, Matrix, Trait
    from urlharness.corpus.specifications import Spec
    from urlharness.panel.answer import Answer
    from urlharness.report.document import Block
    from urlharness.results.model import Results

#: The formats of reports. The format json is the results file.
FORMATS = ("json", "html", "markdown", "csv", "sarif")

#: The words of `--only`: the components in which answers can differ, and the verdict.
_COMPONENTS = (*BY_HARM, VERDICT)

_RESULTS_FILE = ExistingPath(dir_okay=False, path_type=Path)

#: The word of `--only` that restricts a bypass to texts that are fetched from another target.
_OTHER_TARGET = "other-target"

#: For each way of comparing that does not ask the libraries all questions: the parameters that it takes.
_PARAMETERS = {
    "--history": frozenset(("history", "everything", "report")),
    "--check and --fetch": frozenset(
        ("check", "fetch", "texts", "only", "hosts", "everything", "report", "sarif_location")
    ),
    "--results": frozenset(("names", "file", "only", "where", "everything", "report")),
}


@click.command()
@click.argument("names", metavar="[ADAPTER]...", nargs=-1)
@click.option("--spec", default=DEFAULT_SPEC, show_default=True, metavar="RFC", help="The RFC to judge by.")
@click.option("--texts", metavar="FILE", help="Ask about the URLs in a file as `check` reads it; - is stdin.")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice((*_COMPONENTS, _OTHER_TARGET)),
    help="Only differences in this part; with --check: only texts of other-target.",
)
@click.option(
    "--where",
    metavar="WORDS",
    default="",
    help="Only what matches all words: is:different, only:NAME, NAME=wrong, host:, …",
)
@click.option(
    "--results",
    "file",
    type=_RESULTS_FILE,
    metavar="FILE",
    help="Compare the answers of an earlier run instead of asking.",
)
@click.option("--check", metavar="ADAPTER", help="The parser that checks a URL; needs --fetch.")
@click.option("--fetch", metavar="ADAPTER", help="The parser that fetches the URL; needs --check.")
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="With --check, the host that an exploit shall show to the check; "
    "twice: then the host to fetch from.",
)
@click.option("--history", nargs=2, type=_RESULTS_FILE, metavar="OLD NEW", help="Compare two results files.")
@click.option("--all", "everything", is_flag=True, help="Show all classes and changes, not only the first.")
@click.option(
    "--report",
    multiple=True,
    metavar="FORMAT=FILE",
    help=f"Also write a report; formats: {', '.join(FORMATS)}.",
)
@sarif_location_option("the results of --report sarif=FILE")
def compare(
    names: tuple[str, ...],
    spec: str,
    texts: str | None,
    only: tuple[str, ...],
    where: str,
    file: Path | None,
    check: str | None,
    fetch: str | None,
    hosts: tuple[str, ...],
    history: tuple[Path, Path] | None,
    everything: bool,
    report: tuple[str, ...],
    sarif_location: str,
) -> int:
    """Compare libraries: where they disagree, why, and how dangerous that is.

    Without an ADAPTER, it compares all libraries found on this machine. With one ADAPTER, it lists the wrong
    answers of this library. Those that no other library gives come first. The questions are the core of the
    corpus and the named differences, or your own --texts.

    With --check and --fetch, it looks for texts that get past the check: they pass as one host and are
    fetched from another, their host is another text for the same target, or only the fetching parser sees a
    host. The exit code is 1 if there is such a text. With --history, it compares two results files. The exit
    code is 1 if an answer fails that did not fail before.
    """
    targets = {name: target.path for name, target in report_targets(report, FORMATS).items()}
    asks = file is None and history is None
    if asks:
        named = [adapter_named(name) for name in (*names, check, fetch) if name is not None]
        inputs: dict[str, Path | str | None] = {"the file of --texts": texts, **program_files(named)}
    else:
        inputs = _earlier_files(texts, file, history)
    refuse_overwriting("--report", targets.values(), inputs)
    if history is not None:
        _refuse_ignored_parameters("--history")
        return _show_history(history, targets, everything=everything)
    if (check is None) is not (fetch is None):
        raise click.UsageError("--check and --fetch must be used together")
    if check is not None and fetch is not None:
        if set(only) - {_OTHER_TARGET}:
            raise click.UsageError(f"--check and --fetch take --only {_OTHER_TARGET}, not {only[0]}")
        _refuse_ignored_parameters("--check and --fetch")
        return _show_bypasses(
            library_named(check),
            adapter_named(fetch),
            texts,
            _hosts_to_plant(hosts),
            targets,
            everything=everything,
            only_other_target=_OTHER_TARGET in only,
            sarif_location=sarif_location,
        )
    _refuse_bypass_options(only, hosts, targets)
    if file is not None:
        _refuse_ignored_parameters("--results")
        if "json" in targets:
            raise click.UsageError("--report json cannot be used with --results, which names such a file")
    selection = _Selection(only, where, everything)
    selection.check_values()
    with nullcontext() if asks else _paused_garbage_collection():
        return _compare(list(dict.fromkeys(names)), spec, texts, file, targets, selection)


def _earlier_files(
    texts: str | None, file: Path | None, history: tuple[Path, Path] | None
) -> dict[str, Path | str | None]:
    """Map words to the files of a comparison that asks nothing, for `refuse_overwriting`.

    --texts is among them, although it is refused later, so that the first message is about the report.
    """
    inputs: dict[str, Path | str | None] = {"the file of --texts": texts, "the file of --results": file}
    if history is not None:
        old, new = history
        inputs["the OLD file of --history"] = old
        inputs["the NEW file of --history"] = new
    return inputs


@contextmanager
def _paused_garbage_collection() -> Iterator[None]:
    """Collect no garbage cycles during the body, and never look for cycles in what exists at its end.

    Results, and what is made of them, have no cycles, but are so many objects that the search takes a fourth
    of the time, most of it when the process ends.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def _refuse_bypass_options(only: Collection[str], hosts: Collection[str], targets: Collection[str]) -> None:
    """Raise a usage error if an option is given that needs --check and --fetch."""
    needing = {
        "--host": bool(hosts),
        f"--only {_OTHER_TARGET}": _OTHER_TARGET in only,
        "--report sarif": "sarif" in targets,
    }
    for option, is_given in needing.items():
        if is_given:
            raise click.UsageError(f"{option} needs --check and --fetch")


def _refuse_ignored_parameters(way: str) -> None:
    """Raise a usage error if the user gives a parameter that a way of comparing would ignore.

    `way` is a key of `_PARAMETERS`.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and name not in _PARAMETERS[way]:
            label = "ADAPTER" if isinstance(parameter, click.Argument) else parameter.opts[0]
            raise click.UsageError(f"{label} cannot be used with {way}")


@contextmanager
def _usage_errors_of_where() -> Iterator[None]:
    """Raise an error in the words of `--where` as a usage error."""
    from urlharness.compare.query import QueryError

    try:
        yield
    except QueryError as problem:
        raise click.BadParameter(str(problem), param_hint="--where") from None


class _Selection(NamedTuple):
    """Which differences to show. `everything` is True if no class is left out."""

    only: Sequence[str]
    where: str
    everything: bool

    def select_from(
        self, disagreements: Sequence[Disagreement], names: Sequence[str]
    ) -> Sequence[Disagreement]:
        """Return the selected disagreements. `names` are the libraries that the words of `where` may name.

        Raise a usage error if these words are wrong.
        """
        from urlharness.compare.matrix import disagreements_in
        from urlharness.compare.query import select

        selected = disagreements
        if self.where:
            with _usage_errors_of_where():
                selected = select(selected, self.where, names)
        return disagreements_in(selected, self.only) if self.only else selected

    def check_values(self) -> None:
        """Raise a usage error if the words of `where` cannot match, before the libraries are asked."""
        from urlharness.compare.query import check_values

        with _usage_errors_of_where():
            check_values(self.where)

    @property
    def options(self) -> str:
        """The options of the command, or an empty string if everything is selected."""
        return join(option_words(only=list(self.only), where=self.where))

    @property
    def words_on_page(self) -> str:
        """The words that select the same cases on the page in HTML, or an empty string."""
        words = []
        if self.where:
            words.append(self.where)
        if self.only:
            words.append(f"differs:{','.join(self.only)}")
        return " ".join(words)


class _Comparison(NamedTuple):
    """What is shown: the answers of all libraries, the selected differences, and the habits of libraries.

    `only_name` is the library to whose maintainer its wrong answers are shown, or None if libraries are
    compared with each other.
    """

    matrix: Matrix
    only_name: str | None
    selected: Sequence[Disagreement]
    habits: Sequence[Trait]


def _compare(
    names: Sequence[str],
    spec: str,
    texts: str | None,
    file: Path | None,
    targets: Mapping[str, Path],
    selection: _Selection,
) -> int:
    """Compare libraries with each other, or show one its wrong answers. Return the exit code.

    `file` is a results file, or None to ask the libraries now. `names` are the libraries that the user names.
    `targets` maps formats of reports to files.
    """
    from urlharness.compare.matrix import make_matrix, probe_texts, traits, wrongly_answered_ids
    from urlharness.report.comparison import as_csv

    adapters: Sequence[Adapter] = []
    if file is None:
        adapters = _adapters_to_compare(names)
        results = _ask(adapters, spec, texts, targets.get("json"))
        compared: Sequence[str] = [adapter.name for adapter in adapters]
    else:
        results = _read_earlier(file, names)
        compared = _names_to_compare(results, names)
    only_name = names[0] if len(names) == 1 else None
    questions: Collection[str] | None = None
    if only_name is not None and "html" not in targets:  # a page in HTML has all questions
        questions = wrongly_answered_ids(results, only_name)
    with busy("comparing the answers"):
        matrix = make_matrix(results, compared, questions)
    if set(matrix.names).isdisjoint(names or compared):
        _print_why_not_compared(results, names or compared)
        return Exit.NOTHING_RAN
    # to find the disagreements takes long, and the page of one library in the terminal shows none of them
    disagreements = matrix.disagreements if only_name is None else matrix.differences_from_rfc(only_name)
    selected = selection.select_from(disagreements, matrix.names)
    habits: Sequence[Trait] = []
    if file is None:
        habits = traits(_answers_to_probes(adapters, probe_texts()))
    comparison = _Comparison(matrix, only_name, selected, habits)
    _show_comparison(comparison, targets, everything=selection.everything)
    if "html" in targets:
        shown_results = results.only(names) if len(names) > 1 else results
        _write_page(targets["html"], shown_results, comparison, selection)
    if "csv" in targets:
        write_atomically(targets["csv"], as_csv(matrix, selected), "utf-8")
    return Exit.PASSED


def _write_page(path: Path, results: Results, comparison: _Comparison, selection: _Selection) -> None:
    """Write the page in HTML, which shows the comparison first, and then the selected cases.

    The page contains all questions of `results`. It starts with the selected ones.
    """
    from urlharness.corpus.loader import load_classes
    from urlharness.report.html.comparison import PageSelection, compare_one, compare_several
    from urlharness.report.html.page import render

    matrix, only_name, selected, habits = comparison
    words = selection.words_on_page
    selection_on_page = PageSelection(selection.options, words)
    classes = load_classes()
    if only_name is None:
        chapter = compare_several(matrix, selected, classes, habits, selection_on_page)
        start = words or chapter.everything
    else:
        chapter = compare_one(matrix, only_name, selected, classes, habits, selection_on_page)
        start = f"{chapter.everything} {words}".rstrip()
    page = render(results, matrix=matrix, start=start, comparison=chapter)
    write_atomically(path, page, "utf-8")


def _adapters_to_compare(names: Sequence[str]) -> Sequence[Adapter]:
    """Return the named adapters, each once. If less than two are named, all found on this machine follow."""
    adapters = [library_named(name) for name in names]
    if len(names) < 2:
        adapters += available_adapters()
    return list({adapter.name: adapter for adapter in adapters}.values())


def _print_why_not_compared(results: Results, names: Collection[str]) -> None:
    """Print on stderr why none of these libraries was compared."""
    for participant in results.participants:
        if participant.name in names:
            state = f"{participant.status}: {participant.message}"
            print_stderr(logged(f"urlconform: {participant.name}: {state}"))
    print_stderr("urlconform: no library was compared")


def _show_comparison(comparison: _Comparison, targets: Mapping[str, Path], *, everything: bool) -> None:
    """Print a comparison or, for the only library, the page of its maintainer.

    Write it as Markdown, too, if the user wants that.
    """
    from urlharness.corpus.loader import load_classes
    from urlharness.report.comparison import comparison_blocks, maintainer_blocks

    matrix, only_name, selected, habits = comparison
    classes = load_classes()
    if only_name is None:
        blocks = list(comparison_blocks(matrix, selected, classes, habits, everything=everything))
        _print_on_stdout(blocks)
        _write_markdown(targets, blocks)
        return
    _print_on_stdout(maintainer_blocks(matrix, only_name, selected, classes, habits, everything=everything))
    if "markdown" in targets:  # a page to paste shows all classes
        whole_page = list(maintainer_blocks(matrix, only_name, selected, classes, habits, everything=True))
        _write_markdown(targets, whole_page)


def _read_earlier(file: Path, names: Sequence[str]) -> Results:
    """Read a results file, and return the results of the libraries that have an answer.

    Raise a usage error if the file does not contain a library of `names`. Raise ResultsError if the run ended
    before it had an answer of one of these, or of any library.
    """
    from urlharness.results.coverage import missing_in_words
    from urlharness.results.model import read_results

    with busy("reading the results"):
        results = read_results(file)
    if not results.complete:
        results = _leave_out_silent(results, names, f"{file}: {missing_in_words(results)[0]}")
    names_in_file = [participant.name for participant in results.participants]
    unknown = [name for name in names if name not in names_in_file]
    if unknown:
        raise click.UsageError(f"{file} has no answers of {', '.join(unknown)}")
    return results


def _names_to_compare(results: Results, names: Sequence[str]) -> Sequence[str]:
    """Return the libraries of a results file to compare: those of `names`, if the user names several.

    Otherwise, these are all but the reference, which is compared only if it is named.
    """
    if len(names) > 1:
        return names
    names_in_file = [participant.name for participant in results.participants]
    return [name for name in names_in_file if name != "reference" or name in names]


def _leave_out_silent(results: Results, names: Sequence[str], reason: str) -> Results:
    """Return the results of an incomplete run without the libraries that have no answer yet.

    Print which libraries these are. `names` are the named libraries. `reason` is a sentence: why the run is
    incomplete. Raise ResultsError if a named library, or every library, has no answer.
    """
    from urlharness.results.model import ResultsError

    with_answer: list[str] = []
    begun: list[str] = []
    for participant in results.participants:
        is_silent = participant.state == "ran" and not results.of(participant.name)
        if is_silent:
            begun.append(participant.name)
        else:
            with_answer.append(participant.name)
    # the run ended before these libraries: the file does not have them at all
    not_begun = [name for name in names if name not in with_answer and name not in begun]
    silent = begun + not_begun
    refused = [name for name in silent if name in names]
    if refused or not with_answer:
        names_of_refused = ", ".join(refused) or "any library"
        raise ResultsError(f"{reason} There is no answer of {names_of_refused}")
    if silent:
        print_stderr(logged(f"urlconform: {reason} There is no answer of {', '.join(silent)}"))
    return results.only(with_answer)


def _ask(adapters: Sequence[Adapter], spec: str, texts: str | None, target: Path | None) -> Results:
    """Ask adapters the questions of a comparison by the RFC `spec`, and return the results.

    The questions are about the URLs in the file `texts`, or are the cases of the corpus. If `target` is
    given, the results file is also written there once all questions are answered. Raise a usage error if
    there is nothing to ask. An interrupt is raised again: nothing is compared then.
    """
    from urlharness.cli.exam import Exam, ask_adapters
    from urlharness.compare.questions import text_corpus, with_differences
    from urlharness.corpus.loader import load
    from urlharness.corpus.selection import Selection, spec_name
    from urlharness.results.model import copy_results, read_results

    rfc: Spec = spec_name(spec)
    with busy("reading the questions"):
        if texts is None:
            whole_corpus = load()
            cases_of_rfc = list(Selection(specs=(rfc,)).pick(whole_corpus.cases))
            corpus, cases = with_differences(whole_corpus, cases_of_rfc, rfc)
        else:
            corpus = text_corpus(read_texts(texts), rfc)
            cases = list(corpus.cases)
    if not cases:
        raise click.UsageError(f"{texts}: no text to compare")
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "results.jsonl"
        if ask_adapters(adapters, Exam(corpus, cases, streams=(), digests={}), path, USUAL):
            raise KeyboardInterrupt
        if target is not None:
            copy_results(path, target)
        return read_results(path)


def _answers_to_probes(adapters: Sequence[Adapter], texts: Sequence[str]) -> dict[str, Sequence[Answer]]:
    """Ask adapters about texts that show habits, and return their answers by name."""
    from urlharness.panel.panel import Panel, TextQuestions

    with busy("probing habits"):
        libraries = Panel(adapters).ask(TextQuestions(texts))
    return {library.name: library.answers for library in libraries}


def _hosts_to_plant(hosts: Sequence[str]) -> Planted:
    """Return the hosts to plant in texts: those of the user, or else the usual ones.

    Raise a usage error if one of them is no host by RFC 3986, section 3.2.2, or if both have one target:
    then no text shows which of them a parser sees.
    """
    from urlharness.compare.bypass import Planted
    from urlharness.panel.hosts import host_target

    if len(hosts) > 2:
        raise click.UsageError("--host can be given twice, not more often")
    for host in hosts:
        if not host or SPECIFICATIONS["rfc3986"].problem(host, "host") is not None:
            name = visible(host) or "(empty)"
            why = "is no registered name and no address (RFC 3986, 3.2.2)"
            raise click.UsageError(f"--host {name} {why}")
    planted = Planted(*hosts)
    if host_target(planted.checked) == host_target(planted.fetched):
        name = visible(planted.checked)
        raise click.UsageError(f"--host {name} is also the host to fetch from: name another one")
    return planted


def _show_bypasses(
    check: Adapter,
    fetch: Adapter,
    texts: str | None,
    planted: Planted,
    targets: Mapping[str, Path],
    *,
    everything: bool,
    only_other_target: bool,
    sarif_location: str,
) -> int:
    """Look for texts that get past the check, print them, and write the reports. Return the exit code.

    It is FAILED if a text gets past the check, and NOTHING_RAN if no text has a host from both parsers. If
    one of them cannot answer, it is ADAPTER_DEAD, and no report is written.
    """
    from urlharness.compare.bypass import BypassRow, find_bypasses, standard_texts
    from urlharness.corpus.loader import load_classes
    from urlharness.report.comparison import bypass_blocks, repeat_blocks

    _refuse_other_formats("--check and --fetch write", targets, ("html", "markdown", "csv", "sarif"))
    if "sarif" in targets:
        check_sarif_location(sarif_location)
    questions = read_texts(texts) if texts is not None else standard_texts(planted)
    with busy(f"asking both about {counted(len(questions), 'text')}"):
        bypasses = find_bypasses(check, fetch, questions, planted)
    for answers in (bypasses.check, bypasses.fetch):
        if answers.problem:
            print_stderr(logged(f"urlconform: {answers.name}: {answers.problem}"))
            return Exit.ADAPTER_DEAD
    only = ""
    if only_other_target:
        bypasses = bypasses.only(BypassRow.OTHER_TARGET)
        only = f"--only {_OTHER_TARGET}"
    date = in_utc(now_utc()).replace("T", " ")
    repeat = list(repeat_blocks(bypasses, _command_of_bypass(), date))
    blocks = [*bypass_blocks(bypasses, load_classes(), everything=everything, only=only), *repeat]
    _print_on_stdout(blocks)
    _write_markdown(targets, blocks)
    _write_reports_of_bypasses(bypasses, targets, only, repeat, sarif_location)
    if not bypasses.both:
        print_stderr("urlconform: nothing was compared: there is no text with a host from both parsers")
        return Exit.NOTHING_RAN
    return Exit.FAILED if bypasses.passing else Exit.PASSED


def _write_reports_of_bypasses(
    bypasses: Bypass,
    targets: Mapping[str, Path],
    only: str,
    repeat: Sequence[Block],
    sarif_location: str,
) -> None:
    """Write the reports in CSV, HTML and SARIF that the user wants.

    `only` is the option that restricts the texts, or empty. `repeat` is what the page says about how to
    repeat the command.
    """
    from urlharness.corpus.loader import load_classes
    from urlharness.report import sarif
    from urlharness.report.comparison import bypasses_as_csv
    from urlharness.report.html.page import render_bypasses

    classes = load_classes()
    if "csv" in targets:
        write_atomically(targets["csv"], bypasses_as_csv(bypasses), "utf-8")
    if "html" in targets:
        page = render_bypasses(bypasses, classes, only, repeat)
        write_atomically(targets["html"], page, "utf-8")
    if "sarif" in targets:
        log = sarif.render(bypasses, classes, sarif_location)
        write_atomically(targets["sarif"], log, "utf-8")


def _command_of_bypass() -> str:
    """Return the command with those options that decide what --check and --fetch show."""
    parameters = click.get_current_context().params
    options = {name: parameters[name] for name in ("check", "fetch", "texts", "only")}
    words = option_words(**options, host=parameters["hosts"], all=parameters["everything"])
    return join(["urlconform", "compare", *words])


def _refuse_other_formats(ways: str, targets: Collection[str], formats: Collection[str]) -> None:
    """Raise a usage error if the user wants a report in another format than `formats`.

    `ways` are the subject and verb of its message, such as `--history writes`.
    """
    refused = [name for name in targets if name not in formats]
    if refused:
        raise click.UsageError(f"{ways} {', '.join(formats)}, not {', '.join(refused)}")


def _show_history(files: tuple[Path, Path], targets: Mapping[str, Path], *, everything: bool) -> int:
    """Compare two results files, print the changes, and write them as Markdown if the user wants that.

    `files` are the old and the new one. Return the exit code, which is FAILED if an answer fails that did not
    fail before.
    """
    from urlharness.compare.history import make_history
    from urlharness.report.comparison import change_blocks
    from urlharness.results.coverage import missing_in_words
    from urlharness.results.model import read_results

    _refuse_other_formats("--history writes", targets, ("markdown",))
    with busy("reading the results"):
        old, new = (read_results(file) for file in files)
    for file, results in zip(files, (old, new), strict=True):
        if not results.complete:
            # only to print which libraries have no answer; `make_history` finds no change of theirs
            _leave_out_silent(results, (), f"{file}: {missing_in_words(results)[0]}")
    comparison = make_history(old, new)
    blocks = list(change_blocks(comparison, everything=everything))
    _print_on_stdout(blocks)
    _write_markdown(targets, blocks)
    is_broken = any(change.kind == "broken" for change in comparison.changes)
    return Exit.FAILED if is_broken else Exit.PASSED


def _print_on_stdout(blocks: Iterable[Block]) -> None:
    """Print blocks on the console."""
    from urlharness.report.document import print_blocks

    print_blocks(console(), blocks)


def _write_markdown(targets: Mapping[str, Path], blocks: Sequence[Block]) -> None:
    """Write blocks as Markdown, if the user wants that."""
    from urlharness.report.document import as_markdown

    if "markdown" in targets:
        write_atomically(targets["markdown"], as_markdown(blocks), "utf-8")
