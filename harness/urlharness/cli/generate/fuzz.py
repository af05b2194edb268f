"""The commands `fuzz run|show|replay|minimise|promote`: campaigns, and what to do with their findings."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
from click.core import ParameterSource

from urlharness.adapters.registry import names_code
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.cli.options import ExistingPath, Seconds, adapter_named
from urlharness.cli.output import (
    animated,
    busy,
    console,
    ignoring_broken_pipe,
    print_stderr,
    prints_to_stderr,
)
from urlharness.cli.texts import read_texts
from urlharness.corpus.selection import Selection, SelectionError, spec_name
from urlharness.corpus.specifications import DEFAULT_SPEC, Spec
from urlharness.exitcodes import Exit
from urlharness.fuzz import OPERATIONS, FuzzOperation
from urlharness.protocol.limits import MOST_JOBS, USUAL, Limits
from urlharness.text import clipped, escaped_json, logged, plain, visible, without_commands
from urlharness.wording import counted, first_names

if TYPE_CHECKING:
    from rich.console import Console

    from urlharness.fuzz.campaign import OnProgress, Progress
    from urlharness.fuzz.findings import CampaignFinding
    from urlharness.fuzz.panel import CampaignPanel

_CASES = 100_000
#: The maximum width of a table.
_WIDTH = 100
#: The maximum number of findings that `run` prints. `show` prints all.
_SHOWN = 20
_INTERVAL = 0.2
#: The maximum length of a text or value in a table.
_CLIPPED = 80
#: The maximum number of adapters of a group that a table names.
_NAMES = 4

_Folder = ExistingPath(path_type=Path, file_okay=False)


@click.group()
def fuzz() -> None:
    """Find texts on which libraries disagree; report each cause once, with a minimal text."""


_operation = click.option(
    "--op",
    "operation",
    type=click.Choice(OPERATIONS),
    default="parse",
    show_default=True,
    help="The operation.",
)


def _spec_id(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Return the id of a specification, or raise a usage error if there is none."""
    try:
        return Selection(specs=(spec_name(value),)).specs[0]
    except SelectionError as error:
        raise click.BadParameter(str(error)) from None


_spec = click.option("--spec", default=DEFAULT_SPEC, show_default=True, metavar="RFC", callback=_spec_id,
                     help="The RFC that judges.")  # fmt: skip


@fuzz.command()
@click.argument("names", metavar="ADAPTER...", nargs=-1, required=True)
@click.option(
    "--no-oracle", is_flag=True, help="Compare the adapters with each other only, not with the RFC."
)
@click.option("--op", "operations", type=click.Choice(OPERATIONS), multiple=True,
              help="An operation (default: the first that all offer); repeat it for others.")  # fmt: skip
@_spec
@click.option("--cases", type=click.IntRange(min=1), metavar="N",
              help=f"Number of cases, including those of earlier runs (default: {_CASES:,}).")  # fmt: skip
@click.option("--time", "seconds", type=Seconds(), metavar="S", help="Stop this run after S seconds.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed.")
@click.option("--jobs", type=click.IntRange(min=1, max=MOST_JOBS), default=1, show_default=True,
              help="Share the cases among N processes.")  # fmt: skip
@click.option(
    "--texts", metavar="FILE", help="Begin with the URLs in a file as `check` reads it; - is stdin."
)
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("fuzz-findings"),
              show_default=True, metavar="DIR",
              help="The folder of the campaign; a campaign in it is continued.")  # fmt: skip
@click.option("--known", type=ExistingPath(path_type=Path), metavar="FILE",
              help="findings.jsonl or the folder of an earlier campaign, whose findings do not "
              "fail.")  # fmt: skip
@click.option("--fold/--no-fold", default=None,
              help="Leave out differences in spelling (default: yes, unless the adapters are versions of "
              "one library).")  # fmt: skip
@click.option(
    "--feedback/--no-feedback",
    default=True,
    help="Keep texts that do something new, and mutate them; without it, use nothing that a text has shown: "
    "ask the first pool, then new words of the grammar after one mutation each.",
)
@click.option("--sarif-location", default="pyproject.toml", show_default=True, metavar="FILE",
              help="The file in which code scanners show the findings.")  # fmt: skip
@click.option("--timeout", type=Seconds(), default=USUAL.case, show_default=True, metavar="S",
              help="Seconds for one case.")  # fmt: skip
@click.option("--start-timeout", type=Seconds(), default=USUAL.start, show_default=True, metavar="S",
              help="Seconds for an adapter to say hello.")  # fmt: skip
def run(
    names: tuple[str, ...],
    no_oracle: bool,
    operations: tuple[FuzzOperation, ...],
    spec: Spec,
    cases: int | None,
    seconds: float | None,
    seed: int,
    jobs: int,
    texts: str | None,
    out: Path,
    known: Path | None,
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
    from urlharness.fuzz.store import FINDINGS, JOURNAL, SARIF, Store, read_folder, read_known

    adapters = [adapter_named(name) for name in names]
    if not no_oracle and ORACLE not in names:
        adapters.insert(0, find(ORACLE))
    plan = CampaignPlan(
        tuple(adapters), spec, tuple(dict.fromkeys(operations)), seed, feedback, fold,
        tuple(dict.fromkeys(read_texts(texts))) if texts else (),
        Limits(start=start_timeout, case=timeout),
    )  # fmt: skip
    written = [out / name for name in (JOURNAL, FINDINGS, SARIF)]
    inputs = {"the file of --texts": texts, **program_files(adapters)}
    if known is not None and known.is_file():  # the folder of --known may be continued
        inputs["the file of --known"] = known
    refuse_overwriting("--out", written, inputs)
    if cases is None and seconds is None:
        cases = _CASES
    _refuse_planted_link(out)
    began = time.monotonic()
    earlier = read_known(known) if known is not None else []
    try:
        with closing(Store(out, sarif_location)) as store, prints_to_stderr(), _live() as progress:
            try:
                outcome = run_campaign(
                    plan, store, cases=cases, seconds=seconds, jobs=jobs, known=earlier, progress=progress
                )
            finally:
                store.write_lists()
            found = store.findings()
    except KeyboardInterrupt:
        kept = f"{counted(len(read_folder(out)), 'finding')} in {out}"
        print_stderr(logged(f"urlconform: {kept}; the same command continues"))
        raise
    for name, times in outcome.restarts.items():
        line = f"urlconform: {name} ended or hung, and was started again, {counted(times, 'time')}"
        print_stderr(logged(line))
    if outcome.dead:
        print_stderr(logged(f"urlconform: {outcome.dead}; found so far: {len(found)} in {out}"))
    new = {one.id for one in outcome.new}
    before = {one.id for one in earlier}
    own = [one for one in found if one.id not in before]
    if own:
        _print_table(console(), own[:_SHOWN], new)
    more = f", the first {_SHOWN} above" if len(own) > _SHOWN else ""
    speed = f"{outcome.cases:,} cases in all, {time.monotonic() - began:,.0f} s"
    what = f"{counted(len(own), 'finding')} in {out}" + (" that --known does not have" if known else "")
    click.echo(logged(what + (f", {len(new)} of them new{more}" if own else "") + f"; {speed}"))
    if outcome.dead:
        return Exit.ADAPTER_DEAD
    return Exit.FAILED if own else Exit.PASSED


def _refuse_planted_link(out: Path) -> None:
    """Raise a usage error if the folder is the default one and a link, which may be part of a clone."""
    source = click.get_current_context().get_parameter_source("out")
    if source is ParameterSource.DEFAULT and out.is_symlink():
        raise click.UsageError(f"{out} is a symbolic link; if you want to follow it, name it with --out")


@contextmanager
def _live() -> Iterator[OnProgress]:
    """Show the progress on stderr if it is a terminal."""
    if not animated():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:
        due = 0.0

        def show(progress: Progress) -> None:
            nonlocal due
            if time.monotonic() >= due:
                due = time.monotonic() + _INTERVAL
                live.update(_progress_text(progress))

        yield show


def _progress_text(progress: Progress) -> str:
    from urlharness.fuzz.store import class_counts, inputs_in_words

    rate = progress.cases_of_run / progress.seconds if progress.seconds else 0
    speed = f"{progress.cases:,} cases, {rate:,.0f}/s"
    covered = f"{progress.taken} of {progress.transitions} transitions"
    kept = f"{progress.pool:,} texts kept; {counted(len(progress.findings), 'finding')}"
    lines = [f"{speed}; {covered}; {kept}"]
    if progress.findings:
        lines.append("  ".join(f"{name} {count}" for name, count in class_counts(progress.findings).items()))
    if progress.last is not None:
        lines.append(f"last: {progress.last.id}  {inputs_in_words(progress.last.input)}")
    return "\n".join(map(plain, lines))


@fuzz.command()
@click.argument("folder", metavar="DIR", type=_Folder)
@click.argument("identifier", metavar="[ID]", required=False)
def show(folder: Path, identifier: str | None) -> int:
    """List the findings of a campaign, the most severe first. With ID, show one finding."""
    from urlharness.fuzz.store import read_folder

    found = read_folder(folder)
    if identifier is None:
        if found:
            _print_table(console(), found)
        click.echo(logged(f"{counted(len(found), 'finding')} in {folder}"))
        return Exit.PASSED
    chosen = [one for one in found if one.id == identifier or one.id.endswith(f"-{identifier}")]
    if not chosen:
        raise click.UsageError(f"{folder} has no finding {identifier}")
    for one in chosen:
        _print_one(console(), one, folder / one.id)
    return Exit.PASSED


def _print_table(out: Console, found: Sequence[CampaignFinding], new: Collection[str] = ()) -> None:
    """Print findings. Mark those with an id in `new`.

    Each printed line is escaped as a whole, because the table breaks long texts, so that every part of a text
    can become the beginning of a line.
    """
    from rich.table import Table

    from urlharness.fuzz.store import inputs_in_words

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("severity", no_wrap=True)
    table.add_column("input", overflow="fold", ratio=2)
    table.add_column("what each answers", overflow="fold", ratio=5)
    for one in found:
        lines = [plain(f"{_group(name, one.groups)}: {answer}") for name, answer in _contrast(one)]
        mark = "\nnew" if one.id in new else ""
        if one.severity != one.component:
            lines.append(plain(f"{one.severity} differs in {inputs_in_words(one.worst.input)}"))
        lines.append(plain(f"{one.cause}: {one.id}"))
        severity = clipped(plain(one.severity), _CLIPPED)
        table.add_row(severity + mark, clipped(inputs_in_words(one.input), _CLIPPED), "\n".join(lines))
    with out.capture() as captured:
        out.print(table, width=min(out.width, _WIDTH))
    with ignoring_broken_pipe():
        click.echo("\n".join(map(without_commands, captured.get().split("\n"))), nl=False)


def _group(first: str, groups: Sequence[Sequence[str]], most: int = _NAMES) -> str:
    """Return the names of the group of an adapter, at most `most` of them."""
    names = next((group for group in groups if first in group), [first])
    left = len(names) - most
    return ", ".join(names) if left < 2 else f"{', '.join(names[:most])} and {left} more"


def _contrast(finding: CampaignFinding) -> Iterator[tuple[str, str]]:
    """Yield (adapter, what tells its answer from the others) for each adapter.

    This is the component of the finding, and what else differs: if the panel folds, by more than spelling. Of
    more than two answers, refusals are shown without their reasons.
    """
    from urlharness.fuzz.findings import answer_in_words
    from urlharness.panel.answer import BY_HARM, without_spelling

    answers = {name: one.without_message for name, one in finding.answers.items()}
    own = "host" if finding.component == "authority" else finding.component
    parsed = [
        without_spelling(one) if finding.fold else one for one in answers.values() if one.kind == "parsed"
    ]
    values = {part: {one.components.get(part) for one in parsed} for part in (own, *BY_HARM, "authority")}
    telling = [
        part
        for part, found in values.items()
        if part == own or len(found) > 1 or (len(parsed) == 1 and any(found))
    ]
    for name, one in answers.items():
        given = {part: one.components[part] for part in telling if part in one.components}
        full = {part: value for part, value in given.items() if value or part == own} or given
        shown = [
            f"no {part}" if value is None else f"{part} {clipped(visible(value), _CLIPPED) or '(empty)'}"
            for part, value in full.items()
        ]
        if one.kind == "rejected" and len(answers) > 2:
            yield name, "reject"
        elif one.kind == "parsed":
            yield name, "  ".join(shown) or "accept"
        else:
            yield name, plain(answer_in_words(finding.answers[name]))


def _print_one(out: Console, one: CampaignFinding, folder: Path | None = None) -> None:
    from urlharness.fuzz.findings import answer_in_words
    from urlharness.fuzz.store import inputs_in_words, repro

    lines = [
        one.id,
        f"  {one.operation} {inputs_in_words(one.input)}",
        *(
            f"    {_group(name, one.groups, len(one.adapters))}: {plain(answer_in_words(answer))}"
            for name, answer in one.answers.items()
        ),
        f"  differs in {one.component}" + (f" ({one.side} refuses or ends)" if one.side else ""),
        f"  {one.cause}, class {one.class_ or 'none'}, {one.spec} section {one.section or '?'}",
        *(
            f"  also in {effect.component}, class {effect.class_ or 'none'}: {inputs_in_words(effect.input)}"
            for effect in one.effects
        ),
        f"  found in {inputs_in_words(one.origin.input)} ({one.origin.how})",
    ]
    if folder is not None or "$" not in repro(one):  # without a folder, not every finding has a command
        lines.append(f"  {repro(one, folder)}")
    for line in lines:
        out.print(logged(line), soft_wrap=True)


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
    from urlharness.fuzz.store import inputs_in_words, read_finding, read_folder
    from urlharness.panel.panel import adapter_name

    found = [read_finding(folder)] if (folder / "finding.json").is_file() else read_folder(folder)
    groups: dict[tuple[tuple[str, ...], Spec], list[CampaignFinding]] = {}
    for one in found:
        groups.setdefault((one.adapters, one.spec), []).append(one)
    adapters = [adapter_name(name) for names, _ in groups for name in names]
    if not trust:
        _ask_for_trust(folder, [name for name in dict.fromkeys(adapters) if names_code(name)])
    states: dict[str, int] = {}
    for (names, spec), own in groups.items():
        with _panel(names, spec) as panel:
            for one in own:
                state = _state(panel, one)
                states[state] = states.get(state, 0) + 1
                click.echo(logged(f"{state:12}{one.id}  {inputs_in_words(one.input)}"))
    click.echo(", ".join(f"{count} {state}" for state, count in states.items()) or "no findings")
    return Exit.FAILED if set(states) - {"gone"} else Exit.PASSED


def _ask_for_trust(folder: Path, commands: Sequence[str]) -> None:
    """Show the commands that findings name, and ask whether to run them, if there are any.

    Raise a usage error if the answer is no, or if there is no terminal to ask.
    """
    if not commands:
        return
    if not sys.stdin.isatty():
        what = first_names([repr(clipped(name, _CLIPPED)) for name in commands], _NAMES)
        why = f"{folder}: the findings name code to run: {what}; to run it, give --trust"
        raise click.UsageError(why, click.get_current_context())
    print_stderr(logged(f"The findings in {folder} name code to run in the current folder:"))
    for name in commands:
        print_stderr(logged(f"  {name}"))
    if not click.confirm("Run it?", err=True):
        raise click.UsageError("nothing was run")


def _state(panel: CampaignPanel, finding: CampaignFinding) -> str:
    from urlharness.fuzz.difference import AnswerComparison

    (given,) = panel.ask(finding.operation, [finding.text])
    comparison = AnswerComparison(panel, fold=finding.fold)
    groups = [[panel.names[at] for at in group] for group in comparison.groups(given)]
    if len(groups) < 2:
        return "gone"
    now = {panel.names[at]: one.answer.without_message for at, one in enumerate(given)}
    same = all(before.without_message == now[name] for name, before in finding.answers.items())
    return "still there" if same and groups == [*map(list, finding.groups)] else "changed"


@contextmanager
def _panel(names: Sequence[str], spec: Spec) -> Iterator[CampaignPanel]:
    from urlharness.fuzz.panel import CampaignPanel
    from urlharness.panel.panel import adapter_name

    adapters = [adapter_named(adapter_name(name)) for name in names]
    with prints_to_stderr() if sys.stdout.isatty() else nullcontext():
        panel = CampaignPanel(adapters, spec, USUAL)
    with closing(panel):
        yield panel


def _two(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) != 2:
        raise click.UsageError("give FILE and two adapters")
    return names


@fuzz.command()
@click.argument("file", metavar="FILE", type=click.File("rb"))
@click.argument("names", metavar="ADAPTER ADAPTER", nargs=-1, callback=_two)
@_operation
@_spec
@click.option("--base", metavar="URL", help="The base, if the operation is resolve.")
@click.option("--fold/--no-fold", default=True, show_default=True,
              help="Leave out differences in spelling alone.")  # fmt: skip
def minimise(
    file: BinaryIO,
    names: tuple[str, str],
    operation: FuzzOperation,
    spec: Spec,
    base: str | None,
    fold: bool,
) -> int:
    """Reduce an input that two adapters answer differently.

    The input is in FILE (- is stdin). The result is minimal, and differs in the same component, class and
    manner.
    Exit with 1 if the adapters answer the input differently.
    """
    from urlharness.fuzz.difference import AnswerComparison
    from urlharness.fuzz.findings import TextOrigin
    from urlharness.fuzz.panel import SEPARATOR, input_of
    from urlharness.fuzz.register import Register

    content = file.read().removesuffix(b"\n").removesuffix(b"\r")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise click.ClickException(f"{file.name}: not UTF-8") from None
    if (operation == "resolve") is (base is None):
        raise click.UsageError("--op resolve and --base must be used together")
    text = text if base is None else f"{base}{SEPARATOR}{text}"
    with _panel(names, spec) as panel, busy("minimising"):
        if not panel.offered(operation):
            raise click.UsageError(f"at least one of the adapters cannot {operation}")
        (given,) = panel.ask(operation, [text])
        divergence = AnswerComparison(panel, fold=fold).between(text, given, 0, 1)
        if divergence is None:
            click.echo("the answers do not differ")
            return Exit.PASSED
        register = Register(panel, spec, (), fold=fold, keep_class=True)
        origin = TextOrigin(input_of(operation, text), "given by the user")
        register.add(operation, text, divergence, 0, origin)
    for finding in register.findings:
        _print_one(console(), finding)
    return Exit.FAILED


@fuzz.command()
@click.argument("folder", metavar="FINDING", type=_Folder)
def promote(folder: Path) -> int:
    """Propose a vector for the corpus from a finding.

    The proposal is written to vector.json in the folder of the finding, and the statements of the section are
    printed. The proposed answer comes from the oracle, so it has to be confirmed from the text of the RFC.
    """
    from urlharness.fuzz.candidate import candidate
    from urlharness.fuzz.store import read_finding
    from urlharness.jsonio import write_atomically
    from urlharness.system.files import below

    path = below(folder, "vector.json")
    refuse_overwriting("FINDING", [path], {"the finding": folder / "finding.json"})
    found = candidate(read_finding(folder))
    write_atomically(path, json.dumps(found, indent=1) + "\n")
    for one in found["statements"]:
        place = f"section {one['section']}, paragraph {one['paragraph']}"
        click.echo(logged(f"{one['requirement']}  {place}: {one['statement']}"))
    click.echo(logged(f"{path}: to be confirmed: {escaped_json(json.dumps(found['proposed']))}"))
    click.echo(logged(found["command"]))
    return Exit.PASSED
