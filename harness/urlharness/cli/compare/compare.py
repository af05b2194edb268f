"""The command `compare`, which compares libraries with each other and with the RFCs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from urlharness.adapters.registry import Adapter, available
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.cli.options import ExistingPath, adapter_named
from urlharness.cli.output import busy, console, print_stderr
from urlharness.cli.reports import check_reports
from urlharness.cli.texts import read_texts
from urlharness.corpus.specifications import DEFAULT_SPEC
from urlharness.exitcodes import Exit
from urlharness.jsonio import write_atomically
from urlharness.protocol.limits import USUAL
from urlharness.text import logged, visible
from urlharness.wording import counted
from urloracle.rfcs import SPECIFICATIONS

if TYPE_CHECKING:
    from urlharness.compare.bypass import Planted
    from urlharness.corpus.specifications import Spec
    from urlharness.panel.answer import Answer
    from urlharness.report.document import Block
    from urlharness.results.model import Results

#: The formats of reports. The format json is the results file.
FORMATS = ("json", "html", "markdown", "csv", "sarif")

_WORDS = ("host", "userinfo", "scheme", "port", "path", "query", "fragment", "verdict")

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
@click.option("--only", multiple=True, type=click.Choice((*_WORDS, _OTHER_TARGET)),
              help="Only differences in this part; with --check: only texts of other-target.")  # fmt: skip
@click.option("--where", metavar="WORDS", default="",
              help="Only what matches all words: is:different, only:NAME, NAME=wrong, host:, …")  # fmt: skip
@click.option("--results", "file", type=ExistingPath(dir_okay=False, path_type=Path), metavar="FILE",
              help="Compare the answers of an earlier run instead of asking.")  # fmt: skip
@click.option("--check", metavar="ADAPTER", help="The parser that checks a URL; needs --fetch.")
@click.option("--fetch", metavar="ADAPTER", help="The parser that fetches the URL; needs --check.")
@click.option("--host", "hosts", multiple=True, metavar="NAME",
              help="With --check, the host that an exploit shall show to the check; twice: then the host to "
              "fetch from.")  # fmt: skip
@click.option("--history", nargs=2, type=ExistingPath(dir_okay=False, path_type=Path), metavar="OLD NEW",
              help="Compare two results files.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Show all classes and changes, not only the first.")
@click.option("--report", multiple=True, metavar="FORMAT=FILE",
              help=f"Also write a report; formats: {', '.join(FORMATS)}.")  # fmt: skip
@click.option("--sarif-location", default="pyproject.toml", show_default=True, metavar="FILE",
              help="The file in which code scanners show the results of --report sarif=FILE.")  # fmt: skip
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
    targets = check_reports(report, FORMATS)
    asks = file is None and history is None
    named = [adapter_named(name) for name in (*names, check, fetch) if name is not None] if asks else []
    old, new = history or (None, None)
    inputs = {
        "the file of --texts": texts,
        "the file of --results": file,
        "the OLD file of --history": old,
        "the NEW file of --history": new,
        **program_files(named),
    }
    refuse_overwriting("--report", targets.values(), inputs)
    if history is not None:
        _refuse_ignored_parameters("--history")
        return _history(history, targets, everything=everything)
    if (check is None) is not (fetch is None):
        raise click.UsageError("--check and --fetch must be used together")
    if check is not None and fetch is not None:
        if {*only} - {_OTHER_TARGET}:
            raise click.UsageError(f"--check and --fetch take --only {_OTHER_TARGET}, not {only[0]}")
        _refuse_ignored_parameters("--check and --fetch")
        restricted = _OTHER_TARGET in only
        return _bypass(
            adapter_named(check),
            adapter_named(fetch),
            texts,
            _planted(hosts),
            targets,
            everything=everything,
            only_other_target=restricted,
            sarif_location=sarif_location,
        )
    if _OTHER_TARGET in only or hosts:
        option = "--host" if hosts else f"--only {_OTHER_TARGET}"
        raise click.UsageError(f"{option} needs --check and --fetch")
    if "sarif" in targets:
        raise click.UsageError("--report sarif needs --check and --fetch")
    if file is not None:
        _refuse_ignored_parameters("--results")
        if "json" in targets:
            raise click.UsageError("--report json cannot be used with --results, which names such a file")
    names = tuple(dict.fromkeys(names))
    return _compare(names, spec, texts, (*only,), where, file, targets, everything=everything)


def _refuse_ignored_parameters(way: str) -> None:
    """Raise a usage error if the user gives a parameter that a way of comparing would ignore."""
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and name not in _PARAMETERS[way]:
            label = "ADAPTER" if isinstance(parameter, click.Argument) else parameter.opts[0]
            raise click.UsageError(f"{label} cannot be used with {way}")


def _compare(
    names: Sequence[str],
    spec: str,
    texts: str | None,
    only: Sequence[str],
    where: str,
    file: Path | None,
    targets: dict[str, Path],
    *,
    everything: bool,
) -> int:
    from urlharness.compare.matrix import make_matrix, only_in, probe_texts, traits, wrong_answers
    from urlharness.compare.query import QueryError, select
    from urlharness.corpus.loader import load_classes
    from urlharness.report.comparison import as_csv, comparison, maintainer

    alone = names[0] if len(names) == 1 else None
    adapters: list[Adapter] = []
    if file is not None:
        results, compared = _earlier(file, names)
    else:
        adapters = [adapter_named(name) for name in names]
        if len(names) < 2:
            adapters = list({one.name: one for one in [*adapters, *available()]}.values())
        results, compared = _ask(adapters, spec, texts, targets.get("json")), [one.name for one in adapters]
    # a page in HTML has all questions
    questions = None if alone is None or "html" in targets else wrong_answers(results, alone)
    with busy("comparing the answers"):
        matrix = make_matrix(results, compared, questions)
    if not {*matrix.names} & {*(names or compared)}:
        for one in results.participants:
            if one.name in (names or compared):
                print_stderr(logged(f"urlconform: {one.name}: {one.status}: {one.message}"))
        print_stderr("urlconform: no library was compared")
        return Exit.NOTHING_RAN
    found = list(matrix.disagreements) if alone is None else matrix.wrong(alone)
    try:
        found = select(found, where, matrix.names) if where else found
    except QueryError as problem:
        raise click.BadParameter(str(problem), param_hint="--where") from None
    found = only_in(found, only) if only else found
    habits = [] if file is not None else traits(_probe(adapters, probe_texts()))
    classes = load_classes()
    if alone is not None:
        blocks = list(maintainer(matrix, alone, found, classes, habits, everything=everything))
        is_whole = everything or "markdown" not in targets  # a page to paste shows all classes
        page = (
            blocks if is_whole else list(maintainer(matrix, alone, found, classes, habits, everything=True))
        )
    else:
        blocks = page = list(comparison(matrix, found, classes, habits, everything=everything))
    _print(blocks)
    _write(targets, page)
    if "html" in targets:
        from urlharness.report.html.cases import FAILING
        from urlharness.report.html.page import render

        shown = results.only(names) if len(names) > 1 else results
        words = [where, f"differs:{','.join(only)}" if only else ""]
        start = " ".join(filter(None, words)) or FAILING
        write_atomically(targets["html"], render(shown, matrix=matrix, start=start), "utf-8")
    if "csv" in targets:
        write_atomically(targets["csv"], as_csv(matrix, found), "utf-8")
    return Exit.PASSED


def _earlier(file: Path, names: Sequence[str]) -> tuple[Results, Sequence[str]]:
    """Return (results in a file, libraries to compare).

    If several libraries are named, compare these. Otherwise, compare all of them, but leave out the reference
    unless it is named. Raise a usage error if the file does not contain a named library. Raise ResultsError
    if the run ended before it had an answer of a named library, or of any library.
    """
    from urlharness.results.coverage import missing
    from urlharness.results.model import read_results

    with busy("reading the results"):
        results = read_results(file)
    if not results.complete:
        results = _without_silent(results, names, f"{file}: {missing(results)[0]}")
    known = [one.name for one in results.participants]
    if unknown := [name for name in names if name not in known]:
        raise click.UsageError(f"{file} has no answers of {', '.join(unknown)}")
    if len(names) > 1:
        return results, names
    return results, [name for name in known if name != "reference" or name in names]


def _without_silent(results: Results, names: Sequence[str], cut: str) -> Results:
    """Return the results of an incomplete run without the libraries that have no answer yet.

    Print which libraries these are. `names` are the named libraries. `cut` says why the run is incomplete.
    Raise ResultsError if a named library, or every library, has no answer.
    """
    from urlharness.results.model import ResultsError

    with_answer = [one.name for one in results.participants if one.state != "ran" or results.of(one.name)]
    silent = [one.name for one in results.participants if one.name not in with_answer]
    silent += [name for name in names if name not in with_answer and name not in silent]
    refused = [name for name in silent if name in names]
    if refused or not with_answer:
        raise ResultsError(f"{cut} There is no answer of {', '.join(refused) or 'any library'}")
    if silent:
        print_stderr(logged(f"urlconform: {cut} There is no answer of {', '.join(silent)}"))
    return results.only(with_answer)


def _ask(adapters: Sequence[Adapter], spec: str, texts: str | None, kept: Path | None) -> Results:
    """Ask adapters the questions of a comparison, and return the results.

    If `kept` is given, the results file is also written there once all questions are answered.
    """
    from urlharness.cli.exam import Exam, ask_adapters
    from urlharness.compare.questions import text_corpus, with_differences
    from urlharness.corpus.loader import load
    from urlharness.corpus.selection import Selection, spec_name
    from urlharness.results.model import copy_results, read_results

    chosen: Spec = spec_name(spec)
    selection = Selection(specs=(chosen,))
    with busy("reading the questions"):
        if texts is None:
            corpus = load()
            corpus, cases = with_differences(corpus, list(selection.pick(corpus.cases)), chosen)
        else:
            corpus = text_corpus(read_texts(texts), chosen)
            cases = list(corpus.cases)
    if not cases:
        raise click.UsageError(f"{texts}: no text to compare")
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "results.jsonl"
        if ask_adapters(adapters, Exam(corpus, cases, (), {}), path, USUAL):
            raise KeyboardInterrupt
        if kept is not None:
            copy_results(path, kept)
        return read_results(path)


def _probe(adapters: Sequence[Adapter], texts: Sequence[str]) -> dict[str, Sequence[Answer]]:
    from urlharness.panel.panel import Panel, TextQuestions

    with busy("probing habits"):
        libraries = Panel(adapters).ask(TextQuestions(texts))
    return {library.name: library.answers for library in libraries}


def _planted(hosts: Sequence[str]) -> Planted:
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
            raise click.UsageError(
                f"--host {visible(host) or '(empty)'} is no registered name and no address (RFC 3986, 3.2.2)"
            )
    planted = Planted(*hosts)
    if host_target(planted.checked) == host_target(planted.fetched):
        raise click.UsageError(
            f"--host {visible(planted.checked)} is also the host to fetch from: name another one"
        )
    return planted


def _bypass(
    check: Adapter,
    fetch: Adapter,
    texts: str | None,
    planted: Planted,
    targets: dict[str, Path],
    *,
    everything: bool,
    only_other_target: bool,
    sarif_location: str,
) -> int:
    from urlharness.compare.bypass import BypassRow, find_bypasses, standard_texts
    from urlharness.corpus.loader import load_classes
    from urlharness.report import sarif
    from urlharness.report.comparison import bypass

    if refused := [one for one in targets if one not in ("markdown", "sarif")]:
        raise click.UsageError(f"--check and --fetch write markdown and sarif, not {', '.join(refused)}")
    asked = read_texts(texts) if texts is not None else standard_texts(planted)
    with busy(f"asking both about {counted(len(asked), 'text')}"):
        found = find_bypasses(check, fetch, asked, planted)
    for one in (found.check, found.fetch):
        if one.problem:
            print_stderr(logged(f"urlconform: {one.name}: {one.problem}"))
            return Exit.ADAPTER_DEAD
    only = ""
    if only_other_target:
        found, only = found.only(BypassRow.OTHER_TARGET), f"--only {_OTHER_TARGET}"
    blocks = list(bypass(found, load_classes(), everything=everything, only=only))
    _print(blocks)
    _write(targets, blocks)
    if "sarif" in targets:
        write_atomically(targets["sarif"], sarif.render(found, load_classes(), sarif_location), "utf-8")
    if not found.both:
        print_stderr("urlconform: nothing was compared: there is no text with a host from both parsers")
        return Exit.NOTHING_RAN
    return Exit.FAILED if found.passing else Exit.PASSED


def _history(files: tuple[Path, Path], targets: dict[str, Path], *, everything: bool) -> int:
    from urlharness.compare.history import history
    from urlharness.report.comparison import changes
    from urlharness.results.coverage import missing
    from urlharness.results.model import read_results

    if refused := [one for one in targets if one != "markdown"]:
        raise click.UsageError(f"--history writes markdown, not {', '.join(refused)}")
    with busy("reading the results"):
        old, new = map(read_results, files)
    for file, results in zip(files, (old, new), strict=True):
        if not results.complete:
            _without_silent(results, (), f"{file}: {missing(results)[0]}")
    found = history(old, new)
    blocks = list(changes(found, everything=everything))
    _print(blocks)
    _write(targets, blocks)
    return Exit.FAILED if any(one.kind == "broken" for one in found.changes) else Exit.PASSED


def _print(blocks: Iterable[Block]) -> None:
    from urlharness.report.document import print_blocks

    print_blocks(console(), blocks)


def _write(targets: dict[str, Path], blocks: Sequence[Block]) -> None:
    from urlharness.report.document import as_markdown

    if "markdown" in targets:
        write_atomically(targets["markdown"], as_markdown(blocks), "utf-8")
