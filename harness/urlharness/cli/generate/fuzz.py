"""The commands `fuzz run|show|replay|minimise|promote`: campaigns, and what to do with their findings."""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

import click
from click.core import ParameterSource

from urlharness.adapters.registry import names_code
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.cli.options import (
    ExistingPath,
    Seconds,
    adapter_named,
    sarif_location_option,
    start_timeout_option,
    timeout_option,
)
from urlharness.cli.output import (
    busy,
    console,
    ignoring_broken_pipe,
    is_animated,
    print_stderr,
    printing_to_stderr,
)
from urlharness.cli.texts import read_texts
from urlharness.corpus.selection import Selection, SelectionError, spec_name
from urlharness.corpus.specifications import DEFAULT_SPEC, Spec
from urlharness.exitcodes import Exit
from urlharness.fuzz import OPERATIONS, FuzzOperation
from urlharness.protocol.limits import MOST_JOBS, USUAL, Limits
from urlharness.shell import join
from urlharness.text import clipped, escaped_json, logged, plain, visible, without_commands
from urlharness.wording import counted, first_names

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from urlharness.fuzz.campaign import CampaignResult, OnProgress, Progress
    from urlharness.fuzz.findings import CampaignFinding
    from urlharness.fuzz.panel import CampaignPanel
    from urlharness.fuzz.store import Store

#: The number of cases if neither a number nor a time is given.
_CASES = 100_000

#: The maximum width of a table.
_WIDTH = 100

#: The maximum number of findings that `run` prints. `show` prints all.
_MOST_FINDINGS = 20

#: Seconds between two updates of the progress.
_INTERVAL = 0.2

#: How many times per second the progress is drawn.
_REFRESH = 4

#: The maximum length of a text or value in a table.
_CLIPPED = 80

#: The maximum number of adapters of a group that a table names.
_MOST_NAMES = 4

_Folder = ExistingPath(path_type=Path, file_okay=False)


@click.group()
def fuzz() -> None:
    """Find texts on which libraries disagree; report each cause once, with a minimal text."""


class OperationList(click.ParamType[tuple[FuzzOperation, ...]]):
    """The type of a list of operations, with commas between them."""

    name = "operations"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[FuzzOperation, ...]:
        """Return the operations of a list, or fail with the first name that is no operation."""
        operations = []
        for name in str(value).split(","):
            if name not in OPERATIONS:
                self.fail(f"{name!r} is not one of {', '.join(map(repr, OPERATIONS))}.", param, ctx)
            operations.append(name)
        return tuple(operations)


_operation = click.option(
    "--op",
    "operation",
    type=click.Choice(OPERATIONS),
    default="parse",
    show_default=True,
    help="The operation.",
)


def _find_spec_id(_context: click.Context, _parameter: click.Parameter, name: str) -> str:
    """Return the id of the specification that a user names, or raise a usage error if there is none."""
    spec_id = spec_name(name)
    try:
        Selection(specs=(spec_id,))  # raises an error for an unknown one
    except SelectionError as error:
        raise click.BadParameter(str(error)) from None
    return spec_id


_spec = click.option(
    "--spec",
    default=DEFAULT_SPEC,
    show_default=True,
    metavar="RFC",
    callback=_find_spec_id,
    help="The RFC that judges.",
)


# ---- run


@fuzz.command()
@click.argument("names", metavar="ADAPTER...", nargs=-1, required=True)
@click.option(
    "--no-oracle", is_flag=True, help="Compare the adapters with each other only, not with the RFC."
)
@click.option(
    "--op",
    "operation_lists",
    type=OperationList(),
    multiple=True,
    metavar="OP[,OP...]",
    help="Operations (default: the first that all offer): " + ", ".join(OPERATIONS) + ".",
)
@_spec
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Number of cases, including those of earlier runs (default: {_CASES:,}).",
)
@click.option("--time", "seconds", type=Seconds(), metavar="S", help="Stop this run after S seconds.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=MOST_JOBS),
    default=1,
    show_default=True,
    help="Share the cases among N processes.",
)
@click.option(
    "--texts", metavar="FILE", help="Begin with the URLs in a file as `check` reads it; - is stdin."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fuzz-findings"),
    show_default=True,
    metavar="DIR",
    help="The folder of the campaign; a campaign in it is continued.",
)
@click.option(
    "--known",
    type=ExistingPath(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="findings.jsonl or the folder of an earlier campaign, whose findings do not fail; repeatable.",
)
@click.option(
    "--fold/--no-fold",
    default=None,
    help="Leave out differences in spelling (default: yes, unless the adapters are versions of one library).",
)
@click.option(
    "--feedback/--no-feedback",
    default=True,
    help="Keep texts that do something new, and mutate them; without it, ignore feedback: ask the first "
    "pool, then new words of the grammar after one mutation each.",
)
@sarif_location_option("the findings")
@timeout_option("one case")
@start_timeout_option()
def run(
    names: tuple[str, ...],
    no_oracle: bool,
    operation_lists: tuple[tuple[FuzzOperation, ...], ...],
    spec: Spec,
    cases: int | None,
    seconds: float | None,
    seed: int,
    jobs: int,
    texts: str | None,
    out: Path,
    known: Sequence[Path],
    fold: bool | None,
    feedback: bool,
    sarif_location: str,
    timeout: float,
    start_timeout: float,
) -> int:
    """Ask adapters about texts, and report what they disagree on.

    Each finding is written to a folder below --out when it is found: the minimal input, the answers, and a
    command that repeats it. The same command continues a campaign that was interrupted. With --cases, the
    findings do not depend on --jobs. Exit with 1 if --out has a finding that --known does not have.
    """
    from urlharness.adapters.registry import find
    from urlharness.fuzz.campaign import CampaignPlan
    from urlharness.fuzz.campaign import run as run_campaign
    from urlharness.fuzz.panel import ORACLE

    adapters = [adapter_named(name) for name in names]
    if not no_oracle and ORACLE not in names:
        adapters.insert(0, find(ORACLE))
    first_texts = dict.fromkeys(read_texts(texts)) if texts else ()  # each once, in order
    operations = dict.fromkeys(chain.from_iterable(operation_lists))
    plan = CampaignPlan(
        adapters=tuple(adapters),
        spec=spec,
        operations=tuple(operations),
        seed=seed,
        feedback=feedback,
        fold=fold,
        texts=tuple(first_texts),
        limits=Limits(start=start_timeout, case=timeout),
    )
    _refuse_overwriting(out, {"the file of --texts": texts, **program_files(adapters)}, known)
    _refuse_planted_link(out)
    case_limit = cases
    if cases is None and seconds is None:
        case_limit = _CASES
    began = time.monotonic()
    earlier = _known_findings(known, [adapter.name for adapter in adapters])
    with (
        _campaign_folder(out, sarif_location) as store,
        printing_to_stderr(),
        _live_progress() as progress,
    ):
        outcome = run_campaign(
            plan,
            store,
            cases=case_limit,
            seconds=seconds,
            jobs=jobs,
            known=earlier,
            progress=progress,
        )
        findings = store.read_findings()
    _print_failed_adapters(outcome, f"found so far: {len(findings)} in {out}")
    earlier_ids = {finding.id for finding in earlier}
    unlisted = [finding for finding in findings if finding.id not in earlier_ids]
    new_ids = {finding.id for finding in outcome.new}
    if unlisted:
        _print_findings(console(), unlisted[:_MOST_FINDINGS], new_ids)
    speed = f"{outcome.cases:,} cases in all, {time.monotonic() - began:,.0f} s"
    summary = _summary_in_words(out, len(unlisted), len(new_ids), leaves_out_known=bool(known))
    click.echo(logged(f"{summary}; {speed}"))
    if outcome.dead:
        return Exit.ADAPTER_DEAD
    return Exit.FAILED if unlisted else Exit.PASSED


@contextmanager
def _campaign_folder(out: Path, sarif_location: str) -> Iterator[Store]:
    """Open the folder of a campaign for the body, and write the lists of its findings afterwards.

    They are also written after an error. After an interrupt, say on stderr how many findings there are. On
    `sarif_location`, see the option.
    """
    from urlharness.fuzz.store import Store, read_findings

    try:
        with closing(Store(out, sarif_location)) as store:
            try:
                yield store
            finally:
                store.write_lists()
    except KeyboardInterrupt:
        count = counted(len(read_findings(out)), "finding")
        print_stderr(logged(f"urlconform: {count} in {out}; the same command continues"))
        raise


def _refuse_overwriting(out: Path, inputs: Mapping[str, Path | str | None], earlier: Iterable[Path]) -> None:
    """Raise a usage error if a list of the campaign would replace an input or an `earlier` file of --known.

    A folder of --known is no such file: the campaign in it may be continued.
    """
    from urlharness.fuzz.store import FINDINGS, JOURNAL, SARIF

    outputs = [out / name for name in (JOURNAL, FINDINGS, SARIF)]
    all_inputs = dict(inputs)
    for number, path in enumerate(earlier, 1):
        if path.is_file():
            words = "the file of --known" if number == 1 else f"file {number} of --known"
            all_inputs[words] = path
    refuse_overwriting("--out", outputs, all_inputs)


def _known_findings(paths: Sequence[Path], adapters: Sequence[str]) -> list[CampaignFinding]:
    """Return the findings of earlier campaigns about at least two of these adapters.

    A finding about others has no effect: the same difference between these would be a new one. A note on
    stderr says how many there are.
    """
    from urlharness.fuzz.store import read_known

    findings: list[CampaignFinding] = []
    for path in paths:
        findings += read_known(path)
    applicable = []
    for finding in findings:
        shared_adapters = set(adapters).intersection(finding.adapters)
        if len(shared_adapters) >= 2:
            applicable.append(finding)
    without_effect = len(findings) - len(applicable)
    if without_effect:
        words = counted(without_effect, "finding of --known is", "findings of --known are")
        print_stderr(f"urlconform: {words} about other adapters, and without effect")
    return applicable


def _print_failed_adapters(outcome: CampaignResult, finding_count: str) -> None:
    """Print on stderr how often each adapter was started again, and why one ended the campaign, if it did.

    `finding_count` says in words how many findings there are.
    """
    for name, times in outcome.restarts.items():
        line = f"urlconform: {name} ended or hung, and was started again, {counted(times, 'time')}"
        print_stderr(logged(line))
    if outcome.dead:
        print_stderr(logged(f"urlconform: {outcome.dead}; {finding_count}"))


def _refuse_planted_link(out: Path) -> None:
    """Raise a usage error if the folder is the default one and a link, which may be part of a clone."""
    source = click.get_current_context().get_parameter_source("out")
    if source is ParameterSource.DEFAULT and out.is_symlink():
        raise click.UsageError(f"{out} is a symbolic link; if you want to follow it, name it with --out")


def _summary_in_words(out: Path, findings: int, new: int, *, leaves_out_known: bool) -> str:
    """Return how many findings a folder has, and how many of them are new.

    `leaves_out_known` is True if the findings of --known do not count.
    """
    summary = f"{counted(findings, 'finding')} in {out}"
    if leaves_out_known:
        summary += " that --known does not have"
    if findings:
        summary += f", {new} of them new"
    if findings > _MOST_FINDINGS:
        summary += f", the first {_MOST_FINDINGS} above"
    return summary


@contextmanager
def _live_progress() -> Iterator[OnProgress]:
    """Show the progress on stderr until the context ends, if stderr is a terminal."""
    if not is_animated():
        yield _ignore_progress
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), transient=True, refresh_per_second=_REFRESH) as live:
        yield _LiveProgress(live).show


def _ignore_progress(_progress: Progress) -> None:
    """Show nothing."""


class _LiveProgress:
    """The progress of a campaign on a terminal. It is updated after `_INTERVAL` seconds at the earliest."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._due = 0.0  # the time of the next update

    def show(self, progress: Progress) -> None:
        """Show the progress, unless the last one was shown just before."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _INTERVAL
        self._live.update(_progress_in_words(progress))


def _progress_in_words(progress: Progress) -> str:
    """Return the lines about a campaign that runs: its numbers, its findings by class, the last finding.

    Characters that a terminal cannot show are escaped.
    """
    from urlharness.fuzz.store import count_classes, inputs_in_words

    rate = progress.cases_of_run / progress.seconds if progress.seconds else 0
    speed = f"{progress.cases:,} cases, {rate:,.0f}/s"
    coverage = f"{progress.taken} of {progress.transitions} transitions"
    pool = f"{progress.pool:,} texts kept"
    findings = counted(len(progress.findings), "finding")
    lines = [f"{speed}; {coverage}; {pool}; {findings}"]
    if progress.findings:
        counts = count_classes(progress.findings)
        counts_in_words = [f"{name} {count}" for name, count in counts.items()]
        lines.append("  ".join(counts_in_words))
    if progress.last is not None:
        lines.append(f"last: {progress.last.id}  {inputs_in_words(progress.last.input)}")
    return "\n".join(map(plain, lines))


# ---- show


@fuzz.command()
@click.argument("folder", metavar="DIR", type=_Folder)
@click.argument("identifier", metavar="[ID]", required=False)
def show(folder: Path, identifier: str | None) -> int:
    """List the findings of a campaign, the most severe first. With ID, or its folder as DIR, show one."""
    from urlharness.fuzz.store import is_folder_of_finding, read_finding, read_findings

    if identifier is not None:
        return _print_findings_named(folder, identifier)
    if is_folder_of_finding(folder):
        _print_finding(console(), read_finding(folder), folder)
        return Exit.PASSED
    findings = read_findings(folder)
    if findings:
        _print_findings(console(), findings)
    click.echo(logged(f"{counted(len(findings), 'finding')} in {folder}"))
    if findings:
        click.echo(logged(f"one in full: {join(['urlconform', 'fuzz', 'show', str(folder)])} ID"))
    return Exit.PASSED


def _print_findings_named(folder: Path, identifier: str) -> int:
    """Print the findings of a campaign with this id, or with this end of an id, in full.

    Return the exit code. Raise a usage error if there is no such finding.
    """
    from urlharness.fuzz.store import read_findings

    ending = f"-{identifier}"
    findings = read_findings(folder)
    matches = [finding for finding in findings if finding.id == identifier or finding.id.endswith(ending)]
    if not matches:
        raise click.UsageError(f"{folder} has no finding {identifier}")
    for finding in matches:
        _print_finding(console(), finding, folder / finding.id)
    return Exit.PASSED


def _print_findings(out: Console, findings: Sequence[CampaignFinding], new_ids: Collection[str] = ()) -> None:
    """Print a table of findings. Mark those with an id in `new_ids`.

    Each printed line is escaped as a whole, because the table breaks long texts, so that every part of a text
    can become the beginning of a line.
    """
    from rich.table import Table

    from urlharness.fuzz.store import inputs_in_words

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("severity", no_wrap=True)
    table.add_column("input", overflow="fold", ratio=2)
    table.add_column("what each answers", overflow="fold", ratio=5)
    for finding in findings:
        severity = clipped(plain(finding.severity), _CLIPPED)
        mark = "\nnew" if finding.id in new_ids else ""
        text = clipped(inputs_in_words(finding.input), _CLIPPED)
        answers = "\n".join(_answer_lines(finding))
        table.add_row(f"{severity}{mark}", text, answers)
    with out.capture() as captured:
        out.print(table, width=min(out.width, _WIDTH))
    lines = captured.get().split("\n")
    with ignoring_broken_pipe():
        click.echo("\n".join(map(without_commands, lines)), nl=False)


def _answer_lines(finding: CampaignFinding) -> Iterator[str]:
    """Yield what each group answers, and the cause and id of a finding: the last cell of its row."""
    from urlharness.fuzz.store import inputs_in_words

    for name, answer in _contrasting_answers(finding).items():
        names = _group_in_words(name, finding.groups)
        yield plain(f"{names}: {answer}")
    if finding.severity != finding.component:
        yield plain(f"{finding.severity} differs in {inputs_in_words(finding.worst_effect.input)}")
    yield plain(f"{finding.cause}: {finding.id}")


def _print_finding(out: Console, finding: CampaignFinding, folder: Path | None = None) -> None:
    """Print a finding in full, with the command that repeats it from its folder, if it is in one."""
    from urlharness.fuzz.store import repro_command

    for line in _finding_lines(finding):
        out.print(logged(line), soft_wrap=True)
    command = repro_command(finding, folder)
    # without a folder, some findings have only a command for their script, which names the folder by `$0`
    if folder is not None or "$" not in command:
        out.print(logged(f"  {command}"), soft_wrap=True)


def _finding_lines(finding: CampaignFinding) -> Iterator[str]:
    """Yield everything about a finding but the command that repeats it."""
    from urlharness.fuzz.findings import answer_in_words
    from urlharness.fuzz.store import inputs_in_words

    yield finding.id
    yield f"  {finding.operation} {inputs_in_words(finding.input)}"
    for name, answer in finding.answers.items():
        names = _group_in_words(name, finding.groups, len(finding.adapters))
        words = answer_in_words(answer)
        yield f"    {names}: {plain(words)}"
    side = f" ({finding.side} refuses or ends)" if finding.side else ""
    yield f"  differs in {finding.component}{side}"
    section = f"{finding.spec} section {finding.section or '?'}"
    yield f"  {finding.cause}, class {finding.class_ or 'none'}, {section}"
    for effect in finding.effects:
        inputs = inputs_in_words(effect.input)
        yield f"  also in {effect.component}, class {effect.class_ or 'none'}: {inputs}"
    yield f"  found in {inputs_in_words(finding.origin.input)} ({finding.origin.how})"


def _group_in_words(adapter: str, groups: Sequence[Sequence[str]], most: int = _MOST_NAMES) -> str:
    """Return the names of the group of an adapter, or only its own name if it is in none.

    Of more than `most` names, say how many more there are, unless that is only one.
    """
    names: Sequence[str] = [adapter]
    for group in groups:
        if adapter in group:
            names = group
            break
    rest = len(names) - most
    if rest < 2:  # "and 1 more" is not shorter than a name
        return ", ".join(names)
    first_few = ", ".join(names[:most])
    return f"{first_few} and {rest} more"


def _contrasting_answers(finding: CampaignFinding) -> dict[str, str]:
    """Map the first adapter of each group to what distinguishes its answer from the others, in words.

    This is the component of the finding, and what else differs: if the panel folds, by more than spelling. Of
    more than two answers, refusals are shown without their reasons.
    """
    from urlharness.fuzz.findings import answer_in_words

    component = "host" if finding.component == "authority" else finding.component
    parts = _distinguishing_parts(finding, component)
    has_several = len(finding.answers) > 2
    contrasts = {}
    for name, answer in finding.answers.items():
        if answer.kind == "rejected" and has_several:
            contrasts[name] = "reject"
        elif answer.kind == "parsed":
            contrasts[name] = _accepted_parts_in_words(answer.components, parts, component)
        else:
            contrasts[name] = plain(answer_in_words(answer))
    return contrasts


def _accepted_parts_in_words(
    components: Mapping[str, str | None], parts: Sequence[str], component: str
) -> str:
    """Return some parts of an answer in words, without empty ones, but always with the part `component`.

    If all of them are empty, return all of them. Without any, return that the text is accepted.
    """
    texts = {part: components[part] for part in parts if part in components}
    not_empty = {part: text for part, text in texts.items() if text or part == component}
    return _parts_in_words(not_empty or texts) or "accept"


def _distinguishing_parts(finding: CampaignFinding, component: str) -> list[str]:
    """Return `component`, that of the finding, and the other parts of URLs in which its answers differ.

    If only one answer has components, its parts that are not empty distinguish it.
    """
    from urlharness.panel.answer import without_spelling
    from urlharness.panel.severity import BY_HARM

    parsed = []
    for answer in finding.answers.values():
        if answer.kind == "parsed":
            comparable = answer.without_message
            if finding.fold:
                comparable = without_spelling(comparable)
            parsed.append(comparable)
    parts = [component]
    for part in (*BY_HARM, "authority"):
        texts = {answer.components.get(part) for answer in parsed}
        is_of_one_answer = len(parsed) == 1 and any(texts)
        if part != component and (len(texts) > 1 or is_of_one_answer):
            parts.append(part)
    return parts


def _parts_in_words(texts: Mapping[str, str | None]) -> str:
    """Return parts of a URL in words, cut if they are long, or an empty string if there are none."""
    words = []
    for part, text in texts.items():
        if text is None:
            words.append(f"no {part}")
        else:
            content = clipped(visible(text), _CLIPPED) or "(empty)"
            words.append(f"{part} {content}")
    return "  ".join(words)


# ---- replay

#: What has become of a finding since its campaign.
_ReplayState = Literal["still there", "gone", "changed"]


@fuzz.command()
@click.argument("folder", metavar="DIR", type=_Folder)
@click.option("--trust", is_flag=True, help="Run the commands that the findings name, without a question.")
def replay(folder: Path, trust: bool) -> int:
    """Ask again about the findings of a campaign.

    Each is still there, gone or changed. DIR may also be the folder of one finding. Exit with 1 unless all
    findings are gone.

    A finding names its adapters, such as jsonl:COMMAND. The findings of someone else can name any command. So
    the commands are shown, and run only if you say so.
    """
    from urlharness.fuzz.store import inputs_in_words, read_finding, read_findings

    is_one_finding = (folder / "finding.json").is_file()
    findings = [read_finding(folder)] if is_one_finding else read_findings(folder)
    by_panel: dict[tuple[tuple[str, ...], Spec], list[CampaignFinding]] = {}
    for finding in findings:
        by_panel.setdefault((finding.adapters, finding.spec), []).append(finding)
    if not trust:
        _ask_for_trust(folder, _adapters_with_code(findings))
    states = Counter[_ReplayState]()
    for (names, spec), findings_of_panel in by_panel.items():
        with _running_panel(names, spec) as panel:
            for finding in findings_of_panel:
                state = _ask_again(panel, finding)
                states[state] += 1
                click.echo(logged(f"{state:12}{finding.id}  {inputs_in_words(finding.input)}"))
    counts = ", ".join(f"{count} {state}" for state, count in states.items())
    click.echo(counts or "no findings")
    return Exit.PASSED if set(states) <= {"gone"} else Exit.FAILED


def _adapters_with_code(findings: Iterable[CampaignFinding]) -> list[str]:
    """Return the adapters of findings whose names are code to run, such as jsonl:COMMAND, each once."""
    from urlharness.panel.panel import adapter_name

    names: dict[str, None] = {}  # in order
    for finding in findings:
        for label in finding.adapters:
            name = adapter_name(label)
            if names_code(name):
                names[name] = None
    return list(names)


def _ask_for_trust(folder: Path, commands: Sequence[str]) -> None:
    """Show the commands that findings name, and ask whether to run them, if there are any.

    Raise a usage error if the answer is no, or if there is no terminal to ask.
    """
    if not commands:
        return
    if not sys.stdin.isatty():
        names = first_names([repr(clipped(name, _CLIPPED)) for name in commands], _MOST_NAMES)
        why = f"{folder}: the findings name code to run: {names}; to run it, give --trust"
        raise click.UsageError(why, click.get_current_context())
    print_stderr(logged(f"The findings in {folder} name code to run in the current folder:"))
    for name in commands:
        print_stderr(logged(f"  {name}"))
    if not click.confirm("Run it?", err=True):
        raise click.UsageError("nothing was run")


def _ask_again(panel: CampaignPanel, finding: CampaignFinding) -> _ReplayState:
    """Ask a panel about a finding, and return what has become of it: "gone" if all adapters agree now."""
    from urlharness.fuzz.difference import AnswerComparison

    (answers,) = panel.ask(finding.operation, [finding.text])
    comparison = AnswerComparison(panel, fold=finding.fold)
    # each group is the positions of its adapters in the panel
    groups = tuple(_names_at(panel, positions) for positions in comparison.groups(answers))
    if len(groups) < 2:
        return "gone"
    if groups != finding.groups:
        return "changed"
    current = {name: named.answer.without_message for name, named in zip(panel.names, answers, strict=True)}
    for name, answer in finding.answers.items():
        if answer.without_message != current[name]:
            return "changed"
    return "still there"


def _names_at(panel: CampaignPanel, positions: Iterable[int]) -> tuple[str, ...]:
    """Return the names of the adapters at some positions of a panel."""
    return tuple(panel.names[position] for position in positions)


@contextmanager
def _running_panel(names: Sequence[str], spec: Spec) -> Iterator[CampaignPanel]:
    """Start the adapters that findings or the user name, and end them with the context."""
    from urlharness.fuzz.panel import CampaignPanel
    from urlharness.panel.panel import adapter_name

    adapters = [adapter_named(adapter_name(name)) for name in names]
    with printing_to_stderr() if sys.stdout.isatty() else nullcontext():
        panel = CampaignPanel(adapters, spec, USUAL)
    with closing(panel):
        yield panel


# ---- minimise and promote


def _check_two_adapters(
    _context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the names of adapters, or raise a usage error unless there are two."""
    if len(names) != 2:
        raise click.UsageError("give FILE and two adapters")
    return names


@fuzz.command()
@click.argument("file", metavar="FILE", type=click.File("rb"))
@click.argument("names", metavar="ADAPTER ADAPTER", nargs=-1, callback=_check_two_adapters)
@_operation
@_spec
@click.option("--base", metavar="URL", help="The base, if the operation is resolve.")
@click.option(
    "--fold/--no-fold", default=True, show_default=True, help="Leave out differences in spelling alone."
)
def minimise(
    file: BinaryIO,
    names: tuple[str, str],
    operation: FuzzOperation,
    spec: Spec,
    base: str | None,
    fold: bool,
) -> int:
    """Reduce an input that two adapters answer differently.

    The input is in FILE (- is stdin). One line end after it is dropped. The result is minimal, and differs in
    the same component, class and manner. Exit with 1 if the adapters answer the input differently.
    """
    from urlharness.fuzz.difference import AnswerComparison
    from urlharness.fuzz.findings import TextOrigin
    from urlharness.fuzz.panel import SEPARATOR, input_of
    from urlharness.fuzz.register import Register

    text = _read_input(file)
    has_base = base is not None
    if has_base != (operation == "resolve"):
        raise click.UsageError("--op resolve and --base must be used together")
    question = text if base is None else f"{base}{SEPARATOR}{text}"
    with _running_panel(names, spec) as panel, busy("minimising"):
        if not panel.is_offered_by_all(operation):
            raise click.UsageError(f"at least one of the adapters cannot {operation}")
        (answers,) = panel.ask(operation, [question])
        comparison = AnswerComparison(panel, fold=fold)
        divergence = comparison.divergence_between(question, answers, first=0, second=1)
        if divergence is None:
            click.echo("the answers do not differ")
            return Exit.PASSED
        register = Register(panel, spec, (), fold=fold, keep_class=True)
        origin = TextOrigin(input_of(operation, question), "given by the user")
        # the place only tells one text from another, and there is only one here
        register.examine(operation, question, divergence, leaves_at=0, origin=origin)
    for finding in register.findings:
        _print_finding(console(), finding)
    return Exit.FAILED


def _read_input(file: BinaryIO) -> str:
    """Return the input in a file without the line end after it. Raise ClickException if it is not UTF-8."""
    content = re.sub(rb"\r?\n\Z", b"", file.read())  # CR alone is part of the input
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise click.ClickException(f"{file.name}: not UTF-8") from None


@fuzz.command()
@click.argument("folder", metavar="FINDING", type=_Folder)
def promote(folder: Path) -> int:
    """Propose a vector for the corpus from a finding.

    The proposal is written to vector.json in the folder of the finding, and the statements of the section are
    printed. The proposed answer comes from the oracle, so it has to be confirmed from the text of the RFC.
    """
    from urlharness.fuzz.candidate import make_candidate
    from urlharness.fuzz.store import read_finding
    from urlharness.jsonio import write_atomically
    from urlharness.system.files import path_below

    # the folder may come from someone else, with a link of that name
    path = path_below(folder, "vector.json")
    refuse_overwriting("FINDING", [path], {"the finding": folder / "finding.json"})
    proposal = make_candidate(read_finding(folder))
    write_atomically(path, json.dumps(proposal, indent=1) + "\n")
    for statement in proposal["statements"]:
        paragraph = f"section {statement['section']}, paragraph {statement['paragraph']}"
        click.echo(logged(f"{statement['requirement']}  {paragraph}: {statement['statement']}"))
    answer = escaped_json(json.dumps(proposal["proposed"]))
    click.echo(logged(f"{path}: to be confirmed: {answer}"))
    click.echo(logged(proposal["command"]))
    return Exit.PASSED
