"""The command `urlconform`; a command's modules are loaded when it runs."""

from __future__ import annotations

import os
import signal
import stat
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Any

import click

from urlharness.limits import interrupt

#: Every command: its module, the function in it, and one line for the help.
_COMMANDS = {
    "run": ("urlharness.cli.judge.run", "run", "Judge adapters and print their compliance by RFC section."),
    "report": ("urlharness.cli.judge.reports", "report", "Render the results of a run again."),
    "repro": ("urlharness.cli.judge.repro", "repro", "Put one case to one adapter and show the exchange."),
    "baseline": (
        "urlharness.cli.judge.baseline",
        "baseline",
        "Make, update and check lists of known wrong answers.",
    ),
    "explain": (
        "urlharness.cli.understand.explain",
        "explain",
        "Show what a URL is under each RFC, or how a reference resolves.",
    ),
    "validate": (
        "urlharness.cli.understand.answers",
        "validate",
        "Say whether a rule of an RFC derives a text.",
    ),
    "parse": ("urlharness.cli.understand.answers", "parse", "Print the components of a URL."),
    "resolve": (
        "urlharness.cli.understand.answers",
        "resolve",
        "Resolve a reference against a base under each RFC.",
    ),
    "check": ("urlharness.cli.check", "check", "Judge files of URLs: parquet, CSV or text."),
    "recompose": ("urlharness.cli.understand.answers", "recompose", "Print the text of components."),
    "normalize": ("urlharness.cli.understand.answers", "normalize", "Print a URL in normal form."),
    "diff": (
        "urlharness.cli.understand.explain",
        "diff",
        "Compare two rules of the RFCs as languages, exactly.",
    ),
    "extract": ("urlharness.cli.understand.answers", "extract", "Find the URLs in a text."),
    "equivalent": ("urlharness.cli.understand.answers", "equivalent", "Say whether two URLs are equivalent."),
    "decode": (
        "urlharness.cli.understand.answers",
        "decode",
        "Show what the parts of an RFC 1738 URL mean to a client.",
    ),
    "base": ("urlharness.cli.understand.answers", "base", "Say which base URL applies."),
    "generate": (
        "urlharness.cli.generate",
        "generate",
        "Write the cases of a generated tier, or their digests.",
    ),
    "serve": (
        "urlharness.cli.adapters",
        "serve",
        "Answer protocol questions on stdin with a bundled adapter.",
    ),
    "adapters": ("urlharness.cli.adapters", "adapters", "List the adapters and their state on this machine."),
    "vectors": ("urlauthor.cli", "vectors", "Check and format the corpus."),
}


_HANGUP = getattr(signal, "SIGHUP", None)


class _Commands(click.Group):
    """The commands by name; none of their modules is imported for the help of the group."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Name the commands in the order of the table."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command."""
        if cmd_name not in _COMMANDS:
            return None
        module, name, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in _COMMANDS.items()])


def _version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from urlharness.corpus.loader import load
        from urlharness.exitcodes import package_version
        from urlharness.protocol.messages import PROTOCOL

        corpus = load()
        click.echo(
            f"urlconform {package_version()}, corpus {corpus.version} {corpus.digest} "
            f"({len(corpus.cases)} vectors), protocol {PROTOCOL}"
        )
        ctx.exit()


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True,
              help="Show the versions of package, corpus and protocol.")  # fmt: skip
@click.pass_context
def cli(ctx: click.Context) -> Any:
    """Conformance tests and a reference oracle for URLs: RFC 1738, 1808, 2396, 2732 and 3986.

    Without a command every library found in this environment is judged, as by `urlconform run`.
    """
    if ctx.invoked_subcommand is None:
        command = cli.get_command(ctx, "run")
        assert command is not None  # it is in the table
        with command.make_context("run", [], parent=ctx) as sub:
            return command.invoke(sub)
    return None


def _terminate(number: int, frame: FrameType | None) -> None:
    """End as on Ctrl-C: adapters are ended and the results file is closed."""
    if number == _HANGUP:  # the terminal has gone: what would still be written there goes nowhere
        for stream in (1, 2):
            with suppress(OSError):
                if stat.S_ISCHR(os.fstat(stream).st_mode) and not os.isatty(stream):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    interrupt(number, frame)


def main() -> None:
    """Run the command line; every failure is one line and the exit code of its kind."""
    from urlharness.cli.errors import exit_code_of, gone

    signal.signal(signal.SIGTERM, _terminate)
    if _HANGUP and signal.getsignal(_HANGUP) is not signal.SIG_IGN:  # as `nohup` has it
        signal.signal(_HANGUP, _terminate)
    if sys.stdout is None:  # closed by who called: there is nothing to say, but a verdict to give
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as we live
    stdout = sys.stdout
    if isinstance(stdout, TextIOWrapper):
        stdout.reconfigure(errors="backslashreplace")  # what an encoding does not have is spelled out
    try:
        status: Any = cli.main(prog_name="urlconform", standalone_mode=False)
        stdout.flush()
    except BaseException as error:  # noqa: BLE001 - translated, or raised again by exit_code_of
        # who read ours has seen enough, unless there is a verdict: a gate does not end like this
        status = 0 if gone(error) else exit_code_of(error)
        if gone(error) or isinstance(error, OSError):
            # what is left goes nowhere, lest the interpreter complain of it at its exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
    with suppress(OSError):
        stdout.flush()
        os.dup2(2, 1)  # what an adapter in this process prints at its end is no part of our output
    sys.exit(status if isinstance(status, int) else 0)
