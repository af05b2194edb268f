"""`run`: select, ask, report, gate."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from urlharness.cli.config import ConfiguredCommand, adapter_named, where_no_adapter_is
from urlharness.cli.judge.reports import FORMATS, check_reports, keep_inputs, results_file, write_reports
from urlharness.cli.options import Chosen, Repeated, Terms, gated, limited, selecting
from urlharness.exitcodes import Exit
from urlharness.gate.gate import Group, Judgement
from urlharness.limits import Limits
from urlharness.text import counted, file_name, logged

if TYPE_CHECKING:
    from urlharness.adapters.registry import Adapter
    from urlharness.cli.judge.exam import Exam
    from urlharness.corpus.lock import KnownIds
    from urlharness.results.model import Results


# -------------------- cli.lists: The lists of known failures of a run: the file of each adapter, or the one that it could have.


#: How a list is called that there is not yet, after the name of its adapter where there are several.
_NEW = "baseline"


class Lists(NamedTuple):
    """The names of the adapters that are gated, the file of each that has a list, and who named the files.

    `configured` is True where the configuration did: `--baseline` takes the place of all of them then.
    """

    names: Sequence[str]
    files: Mapping[str, Path]
    configured: bool = False

    def new(self, name: str) -> Path:
        """A file for the list of an adapter that has none; nothing is there yet."""
        stem = f"{self._plain(name)}.{_NEW}" if self._several else _NEW
        free = (Path(file) for file in _numbered(stem) if not Path(file).exists())
        return next(free)

    def options(self, name: str, file: Path) -> str:
        """What the run is to be typed with once the list of an adapter stands in a file, for a shell."""
        before = self.files if self.configured else {}
        words = [f"{one}={of}" if self._several else str(of) for one, of in {name: file, **before}.items()]
        return " ".join(f"--baseline {shlex.quote(word)}" for word in words)

    @property
    def _several(self) -> bool:
        return len(self.names) > 1

    def _plain(self, name: str) -> str:
        """The name as one of a file, apart from those of the others."""
        taken: dict[str, str] = {}
        return {one: file_name(one, taken) for one in self.names}[name]


def _numbered(stem: str) -> Iterator[str]:
    yield f"{stem}.json"
    yield from (f"{stem}-{number}.json" for number in count(2))


# -------------------- cli.reasons: The reasons of a gate as lines: how many vectors, the first of them, and the commands that go on.


#: So many ids of a group are printed.
_FIRST = 5


def lines(
    judgement: Judgement,
    lists: Lists,
    options: Repeated,
    why: Callable[[str], str],
    again: Callable[[str, str], str],
) -> list[str]:
    """What is printed of a judgement, safe for a terminal.

    `lists` has the file that was judged by, `options` what the run was given, `why` tells why an id is
    not known, and `again` the line that puts the case of an id to an adapter.
    """
    if not judgement.reason:
        return []
    baseline = lists.files.get(judgement.name)
    where = f" ({baseline})" if baseline is not None else ""
    found = [f"urlconform: {judgement.reason}{where}"]
    found += [f"  {_group(group, why)}" for group in judgement.groups]
    if judgement.shown:
        found.append(f"  see one: {again(judgement.shown, judgement.name)}")
    settled = judgement.groups and judgement.listable
    command = _command(judgement, lists, options) if settled else ""
    if command:
        found.append(f"  {'remove them' if judgement.code == Exit.STALE else 'accept'}: {command}")
    return [logged(line) for line in found]


def _group(group: Group, why: Callable[[str], str]) -> str:
    if not group.ids:  # of generated cases, some are kept of those alone that are wrong
        return f"{group.what}: {counted(group.count, 'generated case')}"
    first = [f"{one} ({why(one)})" if group.what == "unknown id" else one for one in group.ids[:_FIRST]]
    more = group.count - len(first)
    return f"{group.what}: {', '.join(first)}" + (f" and {more} more" if more else "")


def _command(judgement: Judgement, lists: Lists, options: Repeated) -> str:
    """The command after which the gate passes; none where nobody can tell, or in a survey, without a list."""
    (words, place), name, then = options, judgement.name, ""
    baseline = lists.files.get(name)
    match judgement.code:
        case Exit.STALE if baseline is not None:
            words = ["update", place.seen(baseline), name, *words, "--only-shrink"]
        case Exit.FAILED if baseline is not None:
            words = ["update", place.seen(baseline), name, *words]
        case Exit.FAILED if name in lists.names:
            new = lists.new(name)
            words = ["create", name, *words, "-o", place.seen(new)]
            then = f", then {lists.options(name, new)}"
        case _:
            return ""
    return place.line(["urlconform", "baseline", *words]) + then


# -------------------- cli.run: `urlconform run`: put the corpus to adapters, print the compliance, write reports, gate.


@click.command(cls=ConfiguredCommand, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", metavar="[ADAPTER]...", nargs=-1)
@selecting
@click.option("--gate", "gate_only", is_flag=True,
              help="An ADAPTER is required, here or in [tool.urlconform]: never a survey.")  # fmt: skip
@click.option("--list", "list_only", is_flag=True, help="Print the ids that are selected and stop.")
@click.option(
    "--maxfail",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop an adapter at N failures that no baseline lists; it has not passed.",
)
@click.option("--baseline", "baselines", multiple=True, metavar="[ADAPTER=]FILE",
              help="Known wrong answers: only what differs from them fails, or is stale.")  # fmt: skip
@gated
@limited
@click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE",
              help=f"Also write a report: {', '.join(FORMATS)}.")  # fmt: skip
def run(
    names: tuple[str, ...],
    chosen: Chosen,
    gate_only: bool,
    list_only: bool,
    maxfail: int | None,
    baselines: tuple[str, ...],
    terms: Terms,
    limits: Limits,
    reports: tuple[str, ...],
) -> int:
    """Judge adapters by RFC section.

    Without an ADAPTER this is a survey of the reference and every library found here, which fails only where
    the reference does.  A named adapter is gated: it fails on any required vector of the RFCs it claims, or
    on what differs from its baseline.  Defaults stand in [tool.urlconform] of pyproject.toml.
    """
    from urlharness.adapters.registry import BUNDLED
    from urlharness.cli.errors import may_leave, say
    from urlharness.cli.judge.exam import ask, exam
    from urlharness.cli.options import repeated, said
    from urlharness.cli.output import busy
    from urlharness.gate.baseline import read_baseline
    from urlharness.gate.gate import code_of, counting, judgements
    from urlharness.results.linefiles import copy
    from urlharness.results.model import read_results
    from urlharness.shell import place_of

    named = _adapters(names, required=gate_only)
    targets = check_reports(reports)
    files = _baseline_files(baselines, [adapter.name for adapter in named])
    keep_inputs(targets, _inputs(files, chosen.vectors, named))
    listed = {name: read_baseline(file) for name, file in files.items()}
    with busy("reading the corpus"):
        asked = exam(chosen)
    policy = terms.policy(asked.corpus.cases)
    if asked.empty:
        click.echo("urlconform: no vector meets the selection", err=True)
        return Exit.NOTHING_RAN
    if list_only:
        return _list(asked)
    shown, other = [adapter.name for adapter in named], asked.other
    judged = chosen.selection.specs or (other.specs if other is not None else ())
    with tempfile.TemporaryDirectory() as scratch:
        path = results_file(targets, Path(scratch))
        counts = counting(shown, judged, policy, listed)
        interrupted = ask(named or list(BUNDLED.values()), asked, path, limits, maxfail, counts)
        with busy("reading the results"):
            results = read_results(path)
        if targets.get("json", path) != path:  # a pipe or a device, which cannot be read back
            with may_leave(targets["json"]):
                copy(path, targets["json"])
    _print(results, shown)
    if interrupted:
        write_reports(results, targets, (), files)
        say("urlconform: interrupted; what was settled is in the reports")
        return Exit.INTERRUPTED
    known = asked.known() if listed else None
    ids = known.ids if known is not None else None
    found = judgements(results, shown, judged, policy=policy, baselines=listed, known=ids)
    write_reports(results, targets, found, files)
    if other is not None and other.says:
        say(f"urlconform: {other.says}")
        if not shown:  # a survey, and nobody answers for what another side expects
            return Exit.PASSED
    options = repeated(chosen, terms, limits, place_of(named))
    _tell(found, results, Lists(shown, files, configured=not said("baselines")), options, known)
    return code_of(found)


def _adapters(names: Sequence[str], *, required: bool) -> list[Adapter]:
    """The adapters that are named, each once; raises a usage error where one is required and none is."""
    if required and not names:
        why = f"--gate needs an ADAPTER, and none is named: {where_no_adapter_is()}"
        todo = "name one here, or in adapters of [tool.urlconform] in pyproject.toml"
        raise click.UsageError(f"{why}; {todo}", click.get_current_context())
    return [adapter_named(name) for name in dict.fromkeys(names)]


def _baseline_files(given: Sequence[str], names: Sequence[str]) -> Mapping[str, Path]:
    """The file of each adapter, of `ADAPTER=FILE`, or of `FILE` where one adapter is named."""
    files: dict[str, Path] = {}
    for item in given:
        named = max((name for name in names if item.startswith(f"{name}=")), key=len, default=None)
        if named is None and len(names) != 1:
            why = "ADAPTER=FILE with an adapter of this run" if names else "it goes with a named ADAPTER"
            raise click.BadParameter(f"{item!r}: {why}", param_hint="--baseline")
        name = names[0] if named is None else named
        if name in files:
            raise click.BadParameter(f"{item!r}: {name} has one already", param_hint="--baseline")
        files[name] = Path(item if named is None else item.removeprefix(f"{named}="))
    return files


def _inputs(
    baselines: Mapping[str, Path], vectors: Path | None, adapters: Sequence[Adapter]
) -> Iterator[tuple[str, Path]]:
    """What each file is that the run reads, as far as that is known."""
    from urlharness.cli.judge.reports import files_of

    for name, file in baselines.items():
        yield f"the baseline of {name}", file
    if vectors is not None:
        yield "the file of --vectors", vectors
    for adapter in adapters:
        for file in files_of(adapter):
            yield f"a file of {adapter.name}", file


def _tell(
    found: Iterable[Judgement], results: Results, lists: Lists, options: Repeated, known: KnownIds | None
) -> None:
    """Say what the gate found, with the commands that go on from there."""
    from urlharness.cli.errors import say
    from urlharness.shell import repro_line

    why = known.why if known is not None else str
    for judgement in found:
        for line in lines(judgement, lists, options, why, partial(repro_line, results)):
            say(line)


def _list(asked: Exam) -> Exit:
    for case in chain(asked.cases, *(stream.cases() for stream in asked.streams)):
        click.echo(case.vector.id)
    return Exit.PASSED


def _print(results: Results, names: Sequence[str]) -> None:
    from urlharness.cli.output import console
    from urlharness.report.terminal import failures, render

    out = console()
    render(out, results)
    for participant in results.participants:
        if participant.name in names:
            out.print(failures(results, participant.name), soft_wrap=True)
