"""The commands `adapters list`, `adapters install`, `adapters doctor` and `adapters new`."""

from __future__ import annotations

import math
import shlex
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec
from click.core import ParameterSource

from urlharness.adapters.builds import (
    State,
    build_folder,
    debian_packages,
    debian_versions,
    manager_folder,
    status,
)
from urlharness.adapters.catalogue import Implementation, Language, catalogue, clients
from urlharness.adapters.registry import (
    BUNDLED,
    NotInstalled,
    UnknownAdapter,
    find,
)
from urlharness.adapters.scaffold import LANGUAGES, OTHER_NAMES, ScaffoldError, create_adapter
from urlharness.cli.options import start_timeout_option, timeout_option
from urlharness.exitcodes import Exit
from urlharness.jsonio import ascii_json, escaped_commands
from urlharness.protocol.limits import USUAL
from urlharness.protocol.messages import Hello
from urlharness.shell import join
from urlharness.system.portability import user_id
from urlharness.text import logged, plain, well_formed
from urlharness.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from urlharness.doctor.examination import DoctorReport, Examination
    from urlharness.doctor.model import CheckResult
    from urlharness.install.transaction import Set, Transaction

#: The state of a bundled adapter.
AdapterState = Literal["ready", "not installed", "dead"]

#: The minimum width of a terminal for `adapters list` to show operations and claims.
_WIDE = 80

#: The seconds after which a step that is still at work says so, again and again.
_SECONDS_BETWEEN_SIGNS = 10.0

#: The space before the details of a check: they are below its message.
_MARGIN = " " * 28

#: The style of each state of a check.
_STYLES = {"ok": "green", "warning": "yellow", "broken": "bold red", "skipped": "dim"}


@click.group()
def adapters() -> None:
    """List adapters, install libraries, write a new adapter, or examine one."""


#: The languages of the bundled adapters, which say nothing themselves if they do not run.
_BUNDLED_LANGUAGES = {
    "reference": "python",
    "urllib": "python",
    "node-url": "javascript",
    "java-net-uri": "java",
}


class ListedAdapter(msgspec.Struct, frozen=True):
    """An adapter and its state on this machine.

    `message` says why it does not run. `hello` is the hello of a bundled adapter that runs. The adapter of a
    library in the catalogue is not started. For such an adapter, `state` says whether the library is
    installed. `language` is the language of the library. `version` is the version found, and `wanted` the one
    that `adapters install` installs; each is empty if it is not known. If the library does not run, `install`
    is the command that installs it. A wrong version in the Python environment runs.
    """

    name: str
    state: AdapterState | State
    message: str = ""
    language: str = ""
    hello: Hello | None = None
    version: str = ""
    wanted: str = ""
    install: str = ""


# ---- list


@adapters.command("list", short_help="List the adapters and their states.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> int:
    """Print the bundled adapters, and the libraries that `adapters install` can install.

    The command starts each bundled adapter to see whether it runs. For libraries, it only checks whether they
    are installed.
    """
    bundled = _start_bundled()
    debian = debian_versions()
    libraries = [_listed_library(library, debian) for library in _installable_libraries().values()]
    if as_json:
        click.echo(ascii_json(msgspec.json.encode([*bundled, *libraries])))
    else:
        _print_bundled(bundled)
        _print_libraries(libraries)
    return Exit.PASSED


def _start_bundled() -> list[ListedAdapter]:
    """Start the bundled adapters, and return their states. They are asked nothing."""
    from urlharness.panel.panel import Panel, TextQuestions

    bundled = []
    panel = Panel([*BUNDLED.values()], USUAL)
    for adapter in panel.ask(TextQuestions(())):
        state: AdapterState = "ready"
        if isinstance(adapter.failure, NotInstalled):
            state = "not installed"
        elif adapter.failure is not None:
            state = "dead"
        listed = ListedAdapter(
            adapter.name,
            state,
            well_formed(adapter.problem),
            language=_BUNDLED_LANGUAGES[adapter.name],
            hello=adapter.hello,
            version=adapter.hello.implementation.version if adapter.hello else "",
        )
        bundled.append(listed)
    return bundled


def _installable_libraries() -> dict[str, Implementation]:
    """Return the libraries and HTTP clients that can be installed, by name."""
    return {**catalogue(), **clients()}


def _listed_library(library: Implementation, debian: Mapping[str, str]) -> ListedAdapter:
    """Return a library of the catalogue and its state.

    `debian` maps the Debian packages that are installed to their versions.
    """
    state, reason, version = status(library)
    if library.manager == "apt":
        alternatives, *_ = debian_packages(library)  # of the main package; the others are needed besides
        version = _version_of_any(alternatives, debian)
    install = "" if state == "installed" else _install_command([library.name])
    # a wrong version in the Python environment runs, so it needs no install, but is listed as such
    listed_state = "wrong version" if state == "installed" and reason else state
    return ListedAdapter(
        library.name,
        listed_state,
        reason,
        library.spoken,
        version=version,
        wanted=library.version,
        install=install,
    )


def _version_of_any(alternatives: Sequence[str], debian: Mapping[str, str]) -> str:
    """Return the version of the first Debian package that is installed of several, or "" if none is."""
    for package in alternatives:
        if package in debian:
            return debian[package]
    return ""


def _install_command(names: Sequence[str]) -> str:
    """Return the command that installs libraries."""
    return join(["urlconform", "adapters", "install", *names])


def _print_bundled(bundled: list[ListedAdapter]) -> None:
    """Print the bundled adapters. If the terminal is narrow, operations and claims are left out."""
    from rich import box
    from rich.table import Table

    from urlharness.cli.output import console

    out = console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    titles = ("adapter", "state", "implementation", "operations", "claims")
    columns = len(titles) if out.width >= _WIDE else titles.index("operations")
    for title in titles[:columns]:
        table.add_column(title, no_wrap=title == "adapter", overflow="fold")
    for adapter in bundled:
        cells = _cells_of_bundled(adapter)
        table.add_row(*map(plain, cells[:columns]))
    out.print(table)
    out.print("and your own: python:MODULE:FUNCTION, jsonl:COMMAND, exec:COMMAND (urlconform adapters new)")


def _cells_of_bundled(adapter: ListedAdapter) -> list[str]:
    """Return the cells of the row of a bundled adapter. If it does not run, its message is the last one."""
    hello = adapter.hello
    if hello is None:
        return [adapter.name, adapter.state, adapter.message]
    implementation = f"{hello.implementation.name} {hello.implementation.version}"
    operations = " ".join(hello.ops)
    claims = " ".join(hello.specs) or "none"
    return [adapter.name, adapter.state, implementation, operations, claims]


def _print_libraries(listed: list[ListedAdapter]) -> None:
    """Print the libraries of the catalogue, and the commands that install what is missing."""
    from urlharness.cli.output import console

    out = console()
    libraries = _installable_libraries()
    _print_table_of_libraries(out, listed, libraries)
    # the message begins with the name of the program
    programs = [adapter.message.partition(" ")[0] for adapter in listed if adapter.state == "no program"]
    if programs:
        out.print(f"Not on the PATH: {', '.join(dict.fromkeys(programs))}", soft_wrap=True)
    missing = [adapter.name for adapter in listed if adapter.install]
    if any(libraries[name].default for name in missing):
        out.print("To install the default set: urlconform adapters install --set default", soft_wrap=True)
    install_lines = _install_lines(missing)
    if install_lines:
        out.print("\n".join(["To install all that is missing:", *install_lines]), soft_wrap=True)
    else:
        out.print("All libraries are installed.")


def _print_table_of_libraries(
    out: Console, listed: Sequence[ListedAdapter], libraries: Mapping[str, Implementation]
) -> None:
    """Print the libraries of the catalogue. `libraries` maps their names to their entries."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("library", no_wrap=True)
    for title in ("language", "state", "version"):
        table.add_column(title, overflow="fold")
    for adapter in listed:
        library = libraries[adapter.name]
        version = adapter.version or adapter.wanted
        if adapter.state == "wrong version":
            version = adapter.message
        if library.manager == "none":
            version = f"part of {library.language.needs[0]}"
        table.add_row(adapter.name, library.spoken, adapter.state, plain(version))
    out.print(table)


def _install_lines(names: Sequence[str]) -> list[str]:
    """Return the commands that install libraries, one for each package manager.

    Commands for Debian packages, which only root can run, come first.
    """
    from urlharness.install.transaction import select_implementations, transactions

    libraries = select_implementations(names, extra=None)
    lines: list[str] = []
    for step in transactions(libraries):
        if step.root:
            lines += [f"  {line}  (as root)" for line in step.shell_lines]
    names_by_manager: dict[str, list[str]] = {}
    for library in libraries:
        names_by_manager.setdefault(library.manager, []).append(library.name)
    lines += [f"  {_install_command(group)}" for group in names_by_manager.values()]
    return lines


# ---- install


@adapters.command("install", short_help="Install libraries in the cache, and build their adapters.")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--set", "which", type=click.Choice(["default", "full"]), help="Install a set of libraries.")
@click.option("--dry-run", is_flag=True, help="Only print the commands.")
def install(names: tuple[str, ...], which: Set | None, dry_run: bool) -> int:
    """Install libraries of `adapters list` in the user's cache, and build the programs that call them.

    Each package manager runs once. The commands are printed first, with sizes, and with the system packages
    that they would upgrade. Only root can install Debian packages. For other users, the command that installs
    these is printed, and everything else is installed.
    """
    from urlharness.adapters.builds import remove_interrupted_builds
    from urlharness.install.transaction import (
        build_lines,
        languages_to_build,
        select_implementations,
        transactions,
    )

    try:
        libraries = select_implementations(names, which)
    except KeyError as unknown:
        raise UnknownAdapter(f"no library {unknown.args[0]!r}; see urlconform adapters list") from None
    if not libraries:
        raise click.UsageError("give a NAME or --set", click.get_current_context())
    steps = transactions(libraries)
    lines = [*_lines_of_steps(steps), *build_lines(libraries)]
    for line in lines:
        click.echo(line)
    if dry_run:
        if not lines:
            click.echo("nothing to install or build")
        return Exit.PASSED
    remove_interrupted_builds()
    problems = _run_steps(steps)
    problems += _build_programs(languages_to_build(libraries))
    states = Counter(status(library).state for library in libraries)
    click.echo(", ".join(f"{count} {state}" for state, count in states.items()))
    for problem in problems:
        click.echo(f"urlconform: {logged(problem)}", err=True)
    all_installed = states.total() == states["installed"]
    return Exit.PASSED if all_installed and not problems else Exit.ADAPTER_DEAD


def _lines_of_steps(steps: Sequence[Transaction]) -> Iterator[str]:
    """Yield the commands of package managers, after comments on what they do to the system."""
    from urlharness.install.transaction import system_upgrades

    for step in steps:
        yield f"# {step.title}:"
        upgrades = system_upgrades(step)
        if upgrades:
            yield f"# this also upgrades system packages: {', '.join(upgrades)}"
        yield from step.shell_lines


def _run_steps(steps: Sequence[Transaction]) -> list[str]:
    """Run the package managers, and return the reasons why some of them did not install everything."""
    from urlharness.install.transaction import InstallError, run_transaction

    problems = []
    for number, step in enumerate(steps, 1):
        if step.root and user_id() != 0:
            problems.append(
                f"Debian packages are missing; run as root, then install again: {step.shell_lines[0]}"
            )
            continue
        folder = None if step.root else manager_folder(step.manager)
        with _announced(f"installing {number} of {len(steps)}: {step.title}", folder):
            try:
                run_transaction(step)
            except InstallError as error:
                problems.append(str(error))
    return problems


def _build_programs(languages: Sequence[Language]) -> list[str]:
    """Build adapter programs, and return the reasons why some of them were not built."""
    from urlharness.cli.output import busy, is_animated
    from urlharness.install.transaction import build_program

    problems = []
    for number, language in enumerate(languages, 1):
        title = f"building {number} of {len(languages)}: {language.name}"
        with _announced(title, build_folder(language), has_spinner=is_animated()), busy(title):
            problem = build_program(language)
        if problem is not None:
            problems.append(problem)
    return problems


@contextmanager
def _announced(title: str, folder: Path | None, *, has_spinner: bool = False) -> Iterator[None]:
    """Print the title of a step, and after the body how long it took and how big its folder is.

    Without a folder, print the time only. A step that takes long prints how long it is at work, unless there
    is a spinner, which shows that. If the body raises an error, nothing follows the title.
    """
    click.echo(title)
    begin = time.monotonic()
    with nullcontext() if has_spinner else _signs_of_life(begin):
        yield
    size = "" if folder is None else f"; {folder} has {_megabytes(folder)} MB"
    click.echo(f"  {_duration_since(begin)}{size}")


@contextmanager
def _signs_of_life(begin: float) -> Iterator[None]:
    """Print every few seconds that the body is still at work, and for how long since `begin`."""
    ended = threading.Event()
    thread = threading.Thread(target=_print_signs_of_life, args=(begin, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _print_signs_of_life(begin: float, ended: threading.Event) -> None:
    """Print every few seconds how long it has been since `begin`, until the event."""
    while not ended.wait(_SECONDS_BETWEEN_SIGNS):
        click.echo(f"  at work for {_duration_since(begin)}")


def _duration_since(begin: float) -> str:
    """Return the time in words since `begin`, a reading of the monotonic clock."""
    minutes, seconds = divmod(round(time.monotonic() - begin), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _megabytes(folder: Path) -> int:
    """Return the size of the files in a folder in megabytes, rounded up; 0 if it does not exist."""
    size = sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())
    return math.ceil(size / 1e6)


# ---- new


def _find_language(_context: click.Context, _parameter: click.Parameter, name: str) -> str:
    """Return the usual name of a language. Raise a usage error if there is no template for it."""
    language = OTHER_NAMES.get(name.lower(), name.lower())
    if language not in LANGUAGES:
        similar = get_close_matches(language, LANGUAGES, n=1)
        hint = f" Did you mean {similar[0]!r}?" if similar else ""
        raise click.BadParameter(f"{name!r} is not one of {', '.join(LANGUAGES)}.{hint}")
    return language


@adapters.command("new", short_help="Write a working adapter in one of ten languages.")
@click.argument("language", callback=_find_language, metavar="LANGUAGE")
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    default=Path("urlconform-adapter"),
    show_default=True,
    help="The folder to write into.",
)
@click.option(
    "--library",
    default="",
    metavar="NAME",
    help="The library to call; until you add the calls, every answer is unsupported.",
)
def new(language: str, folder: Path, library: str) -> int:
    """Write a working adapter, and print the commands to run next.

    LANGUAGE is python, node, go, rust, java, ruby, php, perl, c or shell. Without --library the adapter calls
    the URL functions of the language, or splits URLs itself if the language has none.
    """
    source = click.get_current_context().get_parameter_source("folder")
    if source is ParameterSource.DEFAULT and folder.is_symlink():  # it may be part of a clone
        raise click.UsageError(f"{folder} is a symbolic link; if you want to follow it, name it with -o")
    try:
        scaffold = create_adapter(LANGUAGES[language], folder, library)
    except ScaffoldError as problem:
        raise click.UsageError(str(problem)) from None
    lines = [f"wrote {path}" for path in scaffold.files]
    if library:
        lines.append(f"call your library where the code says “{library} is not called yet”")
        lines.append("fill in the version of the library and the specs that it claims")
    lines.append("next:")
    if scaffold.build:
        lines.append(f"  {shlex.join(scaffold.build)}")
    check_command = shlex.join(["urlconform", "adapters", "doctor", scaffold.adapter])
    run_command = shlex.join(["urlconform", "run", scaffold.adapter])
    lines += [f"  {check_command}", f"  {run_command}"]
    click.echo("\n".join(map(plain, lines)))
    return Exit.PASSED


# ---- doctor


@adapters.command("doctor", short_help="Check that an adapter follows the protocol.")
@click.argument("name", metavar="ADAPTER")
@timeout_option("one answer")
@start_timeout_option(default=10.0, remark=f" (`run` allows {USUAL.start:g})")
@click.option(
    "--check",
    "checks",
    multiple=True,
    metavar="NAME",
    help="Run only the handshake and this check, such as “long line”.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(name: str, timeout: float, start_timeout: float, checks: tuple[str, ...], as_json: bool) -> int:
    """Check that an adapter follows the protocol. Wrong answers of its library do not matter.

    For each problem, the command prints the broken rule of the protocol and, if it is short, a command that
    repeats the problem.
    """
    from urlharness.cli.output import console
    from urlharness.doctor.checks import CHECKS
    from urlharness.doctor.client import Patience
    from urlharness.doctor.examination import Examination

    adapter = find(name)
    check_names = [check.name for check in CHECKS]
    for check in checks:
        if check not in check_names:
            why = f"no check named {check!r}; choose from {', '.join(check_names)}"
            raise click.BadParameter(why, param_hint="--check")
    examination = Examination(adapter, Patience(start=start_timeout, answer=timeout), only=checks)
    out = console()
    activity = f"examining {plain(adapter.name)}"
    try:
        with closing(_run_with_spinner(examination, activity)) as check_results:
            for check_result in check_results:
                if not as_json:
                    _print_check(out, check_result)
    except KeyboardInterrupt:
        report = examination.report()
        _print_report(out, report, "interrupted: the other checks were not done", as_json=as_json)
        raise
    report = examination.report()
    _print_report(out, report, _summary_in_words(report), as_json=as_json)
    return Exit.PASSED if report.healthy else Exit.ADAPTER_DEAD


def _run_with_spinner(examination: Examination, activity: str) -> Generator[CheckResult]:
    """Run the checks of an examination, and yield the result of each. Show a spinner while a check runs."""
    from urlharness.cli.output import busy

    with closing(iter(examination)) as results:
        while True:
            with busy(activity):
                check_result = next(results, None)  # runs the next check
            if check_result is None:
                return
            yield check_result


def _print_check(out: Console, check: CheckResult) -> None:
    """Print the state of a check and, if it is broken, the rule, the exchange and how to repeat it."""
    from rich.text import Text

    state = (f"{check.state:8}", _STYLES[check.state])
    out.print(Text.assemble(f"{check.name:18}", state, "  ", logged(check.message)), soft_wrap=True)
    for detail in (check.protocol, *check.exchange):
        _print_detail(out, detail, "dim")
    _print_detail(out, check.reproduce, "")


def _print_detail(out: Console, detail: str, style: str) -> None:
    """Print a detail below its check, unless it is empty."""
    from rich.text import Text

    if detail:
        out.print(Text(f"{_MARGIN}{logged(detail)}", style), soft_wrap=True)


def _print_report(out: Console, report: DoctorReport, summary: str, *, as_json: bool) -> None:
    """Print the whole report as JSON, or only the summary, since the checks were printed one by one."""
    if as_json:
        click.echo(escaped_commands(ascii_json(msgspec.json.encode(report))))
    else:
        out.print(f"\n{summary}", soft_wrap=True)


def _summary_in_words(report: DoctorReport) -> str:
    """Return whether failures in a run are those of the library, or may be those of the adapter."""
    states = Counter(check.state for check in report.checks)
    warnings = f", with {counted(states['warning'], 'warning')}" if states["warning"] else ""
    if report.healthy:
        unless = ", unless a warning explains them" if warnings else ""
        return f"OK{warnings}: failures in a run are failures of the library, not of the adapter{unless}"
    checks = counted(states["broken"], "check")
    return f"broken in {checks}{warnings}: failures in a run may be failures of the adapter"
