"""`adapters list|doctor|new`, `serve`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from traceback import print_exception
from typing import Literal

import click
import msgspec
from rich.console import Console
from rich.text import Text

from urlharness.adapters.registry import (
    BUNDLED,
    Adapter,
    InProcess,
    NotInstalled,
    Program,
    UnknownAdapter,
    find,
)
from urlharness.adapters.scaffold import LANGUAGES
from urlharness.cli.config import elsewhere
from urlharness.cli.errors import say
from urlharness.cli.options import Seconds
from urlharness.cli.output import busy, console
from urlharness.doctor.checks import Finding
from urlharness.doctor.client import Patience
from urlharness.doctor.examination import CHECKS, UNASKED, Examination, Report
from urlharness.engine.client import open_client
from urlharness.engine.diagnosis import not_started
from urlharness.exitcodes import Exit
from urlharness.jsonio import ascii_json, no_command
from urlharness.limits import AdapterDead, Limits, tell_interrupts
from urlharness.protocol.messages import Hello
from urlharness.protocol.server import serve as serve_adapter
from urlharness.text import counted, logged, plain, well_formed

# -------------------- cli.adapters: `urlconform adapters`: which adapters there are, a new one to begin with, and what is wrong with one.


_SETTINGS = {"help_option_names": ["-h", "--help"]}


@click.group(context_settings=_SETTINGS)
def adapters() -> None:
    """List the adapters, begin a new one, examine one."""


@adapters.command("list", context_settings=_SETTINGS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> int:
    """Print each bundled adapter: what it wraps, and whether it runs here."""

    return show_list(as_json=as_json)


@adapters.command("new", context_settings=_SETTINGS)
@click.argument("language", type=click.Choice(list(LANGUAGES)), metavar="LANGUAGE")
@click.option("-o", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              default=Path("urlconform-adapter"), show_default=True,
              help="The folder to write into.")  # fmt: skip
@click.option("--library", default="", metavar="NAME",
              help="The library that will be called: until it is, every answer is unsupported.")  # fmt: skip
def new(language: str, folder: Path, library: str) -> int:
    """Write a working adapter of at most 40 lines, and say what to type next.

    LANGUAGE is python, node, go, rust, java, ruby, php, perl, c or shell.  The adapter calls the URL
    functions of the language, or where there are none splits by itself, in the place of your library.
    """
    import shlex

    from urlharness.adapters.scaffold import CannotBegin, begin
    from urlharness.text import plain

    try:
        begun = begin(LANGUAGES[language], folder, library)
    except CannotBegin as problem:
        raise click.UsageError(str(problem)) from None
    for path in begun.files:
        click.echo(f"wrote {plain(str(path))}")
    if library:
        click.echo(f"your library goes where it says “{library} is not called yet”")
        click.echo("its version is to be filled in, and the specs that it claims")
    click.echo("next:")
    if begun.build:
        click.echo(f"  {plain(shlex.join(begun.build))}")
    click.echo(f"  urlconform adapters doctor {plain(shlex.quote(begun.adapter))}")
    click.echo(f"  urlconform run {plain(shlex.quote(begun.adapter))}")
    return Exit.PASSED


@adapters.command("doctor", context_settings=_SETTINGS)
@click.argument("name", metavar="ADAPTER")
@click.option("--timeout", type=Seconds(), default=5.0, show_default=True, metavar="S",
              help="Seconds for one answer.")  # fmt: skip
@click.option("--start-timeout", type=Seconds(), default=10.0, show_default=True,
              metavar="S", help="Seconds for the adapter to say hello; a run gives it 30.")  # fmt: skip
@click.option("--check", "checks", multiple=True, metavar="NAME",
              help="Only the handshake and this check, such as “long line”.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(name: str, timeout: float, start_timeout: float, checks: tuple[str, ...], as_json: bool) -> int:
    """Tell a broken adapter from a library that does not conform.

    Whatever is wrong is shown with what the protocol says and a line to paste that repeats it.
    """
    from urlharness.adapters.registry import find
    from urlharness.doctor.client import Patience

    return show_doctor(find(name), Patience(start_timeout, timeout), checks, as_json=as_json)


# -------------------- cli.adapters_doctor: What the doctor found, for readers and for programs.


_STYLES = {"ok": "green", "warning": "yellow", "broken": "bold red", "skipped": "dim"}


_INDENT = " " * 28


def show_doctor(adapter: Adapter, patience: Patience, checks: Sequence[str], *, as_json: bool) -> Exit:
    """Examine an adapter by all checks, or those named, and print each finding; 3 where it is broken.

    Whoever interrupts it has what was found so far.
    """
    known = [check.name for check in CHECKS]
    for name in checks:
        if name not in known:
            raise click.BadParameter(f"no check {name!r}; there are {', '.join(known)}", param_hint="--check")
    examination = Examination(adapter, patience, checks)
    findings = iter(examination)
    out = console()
    try:
        with closing(findings):
            while finding := _next(findings, f"examining {plain(adapter.name)}"):
                if not as_json:
                    _print(out, finding)
    except KeyboardInterrupt:
        _close(out, examination.report(), "interrupted: the other checks were not done", as_json=as_json)
        raise
    report = examination.report()
    _close(out, report, _summary(report), as_json=as_json)
    unasked = report.checks[-1:] == (UNASKED,)
    if unasked and (hint := elsewhere(adapter.name)):
        say(logged(f"urlconform: {hint}"))
    return Exit.PASSED if report.healthy else Exit.ADAPTER_DEAD


def _next(findings: Iterator[Finding], what: str) -> Finding | None:
    """The next finding, None where there is none; what takes long is said meanwhile."""
    with busy(what):
        return next(findings, None)


def _print(out: Console, finding: Finding) -> None:
    line = Text.assemble(
        f"{finding.name:18}", (f"{finding.state:8}", _STYLES[finding.state]), "  ", logged(finding.message)
    )
    out.print(line, soft_wrap=True)
    if finding.protocol:
        out.print(Text(f"{_INDENT}{finding.protocol}", "dim"), soft_wrap=True)
    if finding.reproduce:
        out.print(Text(f"{_INDENT}{logged(finding.reproduce)}"), soft_wrap=True)


def _close(out: Console, report: Report, summary: str, *, as_json: bool) -> None:
    """Say last what all of it means; for programs all of it is said here."""
    if as_json:
        click.echo(no_command(ascii_json(msgspec.json.encode(report))))
        return
    out.print()
    out.print(Text(summary), soft_wrap=True)


def _summary(report: Report) -> str:
    states = Counter(finding.state for finding in report.checks)
    warnings = f", with {counted(states['warning'], 'warning')}" if states["warning"] else ""
    if report.healthy and warnings:
        return f"healthy{warnings}: what fails in a run is said of the library, unless a warning explains it"
    if report.healthy:
        return "healthy: what fails in a run is said of the library"
    checks = counted(states["broken"], "check")
    return f"broken in {checks}{warnings}: what fails in a run may be said of the adapter"


# -------------------- cli.adapters_list: The list of the bundled adapters, each with its state on this machine.


_WIDE = 80  # columns in which there is room for what each offers


class Listed(msgspec.Struct, frozen=True):
    """One adapter: its state here, why it does not run, and what it says of itself."""

    name: str
    state: Literal["ready", "not installed", "dead"]
    message: str = ""
    hello: Hello | None = None


def show_list(*, as_json: bool) -> Exit:
    """Print the list: a table, or JSON for programs."""
    listed = [_listed(name, adapter) for name, adapter in BUNDLED.items()]
    if as_json:
        click.echo(ascii_json(msgspec.json.encode(listed)))
    else:
        _adapters_list_print(listed)
    return Exit.PASSED


def _listed(name: str, adapter: Adapter) -> Listed:
    try:
        asker = open_client(adapter, Limits(), "urlconform")
    except NotInstalled as missing:
        return Listed(name, "not installed", well_formed(str(missing)))
    except (AdapterDead, UnknownAdapter) as dead:
        return Listed(name, "dead", well_formed(str(dead)))
    hello = asker.hello
    asker.close()
    return Listed(name, "ready", hello=hello)


def _adapters_list_print(listed: list[Listed]) -> None:
    from rich import box
    from rich.table import Table

    from urlharness.cli.output import console
    from urlharness.text import plain

    out = console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    titles = ("adapter", "state", "implementation", "operations", "claims")
    shown = titles if out.width >= _WIDE else titles[:3]
    for title in shown:  # a name is there to be typed
        longest = max(len(one.name) for one in listed) if title == "adapter" else None
        table.add_column(title, min_width=longest, overflow="fold")
    for one in listed:
        said = [one.message]
        if one.hello is not None:
            about = one.hello.implementation
            said = [
                f"{about.name} {about.version}",
                " ".join(one.hello.ops),
                " ".join(one.hello.specs) or "none",
            ]
        table.add_row(*[one.name, one.state, *map(plain, said)][: len(shown)])
    out.print(table)
    out.print(
        "and of your own: python:MODULE:FUNCTION, jsonl:COMMAND, exec:COMMAND (urlconform adapters new)",
        soft_wrap=True,
    )


# -------------------- cli.serve: `urlconform serve`: an in-process adapter behind the wire protocol.


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", metavar="ADAPTER")
@click.option("--apart", is_flag=True, hidden=True)  # for a run, whose child process this is
def serve(name: str, apart: bool) -> int:
    """Answer protocol questions (version 1, one JSON object a line) on stdin until `bye` or the end."""
    adapter = find(name)
    match adapter:
        case InProcess():
            tell_interrupts()
            try:
                serve_adapter(adapter.load, abnormal=apart)
            except AdapterDead as dead:
                if apart and dead.__cause__ is not None:  # of its stderr, the end is kept
                    with suppress(Exception):  # the stream may be anything by now
                        sys.stdout.flush()
                    print_exception(dead.__cause__)
                raise
        case Program():
            command = adapter.command()
            try:
                os.execvp(command[0], command)  # noqa: S606 - it speaks the protocol by itself
            except OSError as error:
                raise AdapterDead(not_started(command, str(error.strerror))) from None
        case _:
            raise click.BadParameter("a program per case cannot be served", param_hint="ADAPTER")
    return Exit.PASSED
