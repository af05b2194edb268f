"""What the doctor found, for readers and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click
import msgspec
from rich.console import Console
from rich.text import Text

from urlharness.adapters.registry import Adapter
from urlharness.cli.output import busy, console
from urlharness.doctor.examination import CHECKS, Report, examine
from urlharness.doctor.subjects import Patience
from urlharness.exitcodes import Exit
from urlharness.report.texts import counted, plain

_STYLES = {"ok": "green", "warning": "yellow", "broken": "bold red", "skipped": "dim"}
_INDENT = " " * 28


def show(adapter: Adapter, patience: Patience, checks: Sequence[str], *, as_json: bool) -> Exit:
    """Examine an adapter by all checks, or those named, and print the findings; 3 where it is broken."""
    known = [check.name for check in CHECKS]
    for name in checks:
        if name not in known:
            raise click.BadParameter(f"no check {name!r}; there are {', '.join(known)}", param_hint="--check")
    with busy(f"examining {plain(adapter.name)}"):
        report = examine(adapter, patience, checks)
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
    else:
        _print(console(), report)
    return Exit.PASSED if report.healthy else Exit.ADAPTER_DEAD


def _print(out: Console, report: Report) -> None:
    for finding in report.checks:
        line = Text.assemble(
            f"{finding.name:18}", (f"{finding.state:8}", _STYLES[finding.state]), "  ", plain(finding.message)
        )
        out.print(line, soft_wrap=True)
        if finding.protocol:
            out.print(Text(f"{_INDENT}{finding.protocol}", "dim"), soft_wrap=True)
        if finding.reproduce:
            out.print(Text(f"{_INDENT}{plain(finding.reproduce)}"), soft_wrap=True)
    out.print()
    out.print(Text(_summary(report)), soft_wrap=True)


def _summary(report: Report) -> str:
    states = Counter(finding.state for finding in report.checks)
    warnings = f", with {counted(states['warning'], 'warning')}" if states["warning"] else ""
    if report.healthy and warnings:
        return f"healthy{warnings}: what fails in a run is said of the library, or of what they name"
    if report.healthy:
        return "healthy: what fails in a run is said of the library"
    checks = counted(states["broken"], "check")
    return f"broken in {checks}{warnings}: what fails in a run may be said of the adapter"
