"""What the doctor found, for readers and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing

import click
import msgspec
from rich.console import Console
from rich.text import Text

from urlharness.adapters.registry import Adapter
from urlharness.asciijson import ascii_json, no_command
from urlharness.cli.elsewhere import elsewhere
from urlharness.cli.output import busy, console
from urlharness.cli.readers import say
from urlharness.doctor.examination import CHECKS, UNASKED, Examination, Report
from urlharness.doctor.findings import Finding
from urlharness.doctor.subjects import Patience
from urlharness.exitcodes import Exit
from urlharness.report.texts import counted, logged, plain

_STYLES = {"ok": "green", "warning": "yellow", "broken": "bold red", "skipped": "dim"}
_INDENT = " " * 28


def show(adapter: Adapter, patience: Patience, checks: Sequence[str], *, as_json: bool) -> Exit:
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
