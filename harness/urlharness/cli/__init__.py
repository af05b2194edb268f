"""The program `urlconform`: a group of commands. The module of a command is imported when the command runs.

There is a package for each purpose in the help: `judge`, `compare`, `understand`, `columns`, `generate` and
`author`. Its modules are commands. No command imports from another command: what several commands need is in
a module of this package.

This package may import every other package of urlharness. No other package imports it.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from urlharness.cli.interrupts import HeldSignals, InterruptHandler, ignore_signals

_SIGNALS = HeldSignals()
with _SIGNALS:  # the import takes most of the time before `main`
    import click

#: The commands by purpose. Each name is mapped to MODULE:FUNCTION and to its line in the help, which is the
#: beginning of the command's own help. Module names are relative to `urlharness.cli`, unless they
#: begin with `urlauthor`.
_GROUPS = {
    "Judge a library": {
        "run": ("judge.run:run", "Judge adapters, and print how many statements of each RFC hold."),
        "report": ("judge.report:report", "Print the summary of an earlier run, and write reports."),
        "repro": ("judge.repro:repro", "Ask an adapter one case, and show the exchange and the verdict."),
        "baseline": (
            "judge.baseline:baseline",
            "Make, update and check baselines: lists of known wrong answers.",
        ),
    },
    "Compare libraries": {
        "compare": ("compare.compare:compare", "Compare libraries: where they disagree."),
        "ask": ("compare.ask:ask", "Ask every library found here to parse TEXT."),
    },
    "Understand the RFCs": {
        "explain": ("understand.explain:explain", "Show what each RFC says of URL."),
        "validate": ("understand.oracle:validate", "Decide whether URL is valid under each RFC."),
        "parse": ("understand.oracle:parse", "Print the components of URL under each RFC."),
        "resolve": ("understand.oracle:resolve", "Resolve REFERENCE against BASE under each RFC."),
        "normalize": ("understand.oracle:normalize", "Print URL in normal form under each RFC."),
        "equivalent": (
            "understand.oracle:equivalent",
            "Decide whether ONE and OTHER are equivalent under each RFC.",
        ),
        "to-uri": ("understand.mapping:to_uri", "Map IRI to a URI (RFC 3987, section 3.1)."),
        "to-iri": ("understand.mapping:to_iri", "Convert URI to an IRI (RFC 3987, section 3.2)."),
        "recompose": ("understand.oracle:recompose", "Compose a URL under each RFC from components."),
        "extract": ("understand.oracle:extract", "Print the URLs in the text of FILE (default: stdin)."),
        "decode": ("understand.oracle:decode", "Show the decoded parts of an RFC 1738 URL."),
        "base": ("understand.oracle:base", "Print the base URL that applies under each RFC."),
        "diff": ("understand.explain:diff", "Decide whether the same texts are valid under two rules."),
        "section": ("understand.explain:section", "Print the statements of a section of an RFC."),
        "ruling": (
            "understand.explain:ruling",
            "Print a ruling: how we read a text that allows several readings.",
        ),
    },
    "Columns of URLs": {
        "check": ("columns.check:check", "Judge every URL in parquet, CSV or text files."),
    },
    "Generate": {
        "generate": ("generate.generate:generate", "Write texts with expected answers (labels)."),
        "export": (
            "generate.export:export",
            "Write a rule as a regular expression or as an automaton, for other programs.",
        ),
        "fuzz": ("generate.fuzz:fuzz", "Find texts on which libraries disagree; report each cause once."),
    },
    "Write adapters and vectors": {
        "adapters": ("author.adapters:adapters", "List adapters, install libraries, write a new adapter."),
        "serve": ("author.serve:serve", "Answer protocol questions (version 1, a JSON object per line)."),
        "vectors": ("urlauthor.cli:vectors", "Write, check, measure and export the corpus."),
    },
}
_COMMANDS = {name: entry for group in _GROUPS.values() for name, entry in group.items()}

#: The number of new objects that starts a garbage collection. It is high, because commands keep most objects
#: until their end.
_GC_THRESHOLD = 50_000


class _Commands(click.Group):
    """The group of commands. To show its help, it imports no module of a command."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands in the order of the table."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the module of a command and return the command, or None if the name is unknown."""
        if cmd_name not in _COMMANDS:
            return None
        location, _ = _COMMANDS[cmd_name]
        module, _, name = location.partition(":")
        root = "" if module.startswith("urlauthor") else "urlharness.cli."
        command: click.Command = getattr(import_module(root + module), name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments. If the first is an option that the group does not have, call the command `run`."""
        group_options = {option for parameter in self.get_params(ctx) for option in parameter.opts}
        if args and args[0].startswith("-") and args[0] not in group_options:
            return super().parse_args(ctx, ["run", *args])
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names. Raise a usage error if there is none.

        An argument that begins with a hyphen is left to click.
        """
        if args[0] in _COMMANDS or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        from urlharness.wording import did_you_mean

        hint = did_you_mean(args[0], _COMMANDS)
        raise click.UsageError(f"No such command {args[0]!r}. {hint}", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and return what it returns: an exit code.

        After an interrupt, only a terminal gets the line end that follows its ^C.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            if sys.stderr.isatty():
                raise  # click prints the line end, and raises Abort
            raise click.Abort from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the groups of commands without importing their modules."""
        width = max(map(len, _COMMANDS))
        for title, commands in _GROUPS.items():
            with formatter.section(title):
                rows = [(f"{name:{width}}", line) for name, (_, line) in commands.items()]
                formatter.write_dl(rows)


def _print_version(ctx: click.Context, _parameter: click.Parameter, is_asked_for: bool) -> None:
    """Print the versions and end the command, if the option is given: the callback of `--version`."""
    if not is_asked_for:
        return
    from importlib.metadata import version

    from urlharness.adapters.reference import engine, unused_reason
    from urlharness.corpus.loader import load
    from urlharness.protocol.messages import PROTOCOL

    corpus = load()
    program_words = f"urlconform {version('urlconform')}"
    corpus_words = f"corpus {corpus.version} {corpus.digest} ({len(corpus.cases)} vectors)"
    oracle_words = f"oracle {engine()}"
    reason = unused_reason()
    if reason:
        oracle_words += f" (the C engine is not used: {reason}; install again)"
    click.echo(f"{program_words}, {corpus_words}, protocol {PROTOCOL}, {oracle_words}")
    ctx.exit()


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    callback=_print_version,
    expose_value=False,
    is_eager=True,
    help="Show the versions, and the engine of the oracle.",
)
@click.pass_context
def cli(ctx: click.Context) -> Any:
    """Conformance tests and a reference oracle for URLs and IRIs: RFC 1738, 1808, 2396, 2732, 3986 and 3987.

    Without a command, it works like `urlconform run` and takes the same options: it judges the libraries that
    need no install.
    """
    if ctx.invoked_subcommand is None:
        command = cli.get_command(ctx, "run")
        assert command is not None  # it is in the table
        with command.make_context("run", [], parent=ctx) as sub:
            return command.invoke(sub)
    return None


def execute(arguments: Sequence[str] | None = None) -> int:
    """Run one command in this process and return its exit code. `arguments` default to `sys.argv`.

    For an expected error, print one line on stderr and return the exit code of the error.
    """
    words = sys.argv[1:] if arguments is None else arguments
    variable = _completion_variable(words)
    try:
        status: Any = cli.main(
            arguments, prog_name="urlconform", standalone_mode=False, complete_var=variable
        )
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - described, or raised again
        from urlharness.cli.output import report_error

        return report_error(error)
    return int(status) if isinstance(status, int) else 0


def _completion_variable(arguments: Sequence[str]) -> str:
    """Return the name of the environment variable by which a shell asks for completions, or "" for none.

    The shells that click supports call the program without arguments and pass the words to complete in
    COMP_WORDS. With arguments, a variable that was inherited would end any command with 0 before it runs.
    """
    return "" if arguments else "_URLCONFORM_COMPLETE"


def main() -> None:
    """Run the command that `sys.argv` gives, and exit."""
    gc.set_threshold(_GC_THRESHOLD)
    InterruptHandler().install()
    _open_closed_streams()
    stdout = sys.stdout
    if isinstance(stdout, TextIOWrapper):
        stdout.reconfigure(errors="backslashreplace")  # escapes characters that the encoding lacks
    try:
        _SIGNALS.release()
        status = execute()
        ignore_signals()
    except KeyboardInterrupt as interrupt:  # after the command, before its signals were ignored
        ignore_signals()
        from urlharness.cli.output import report_error

        status = report_error(interrupt)
    with suppress(OSError):
        stdout.flush()
        os.dup2(2, 1)  # what an adapter in this process prints at exit is not our output
    sys.exit(status)


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that the caller closed.

    Otherwise another file could get its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
