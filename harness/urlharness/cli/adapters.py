"""`urlconform adapters`: which adapters there are, a new one to begin with, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import click

from urlharness.adapters.languages import LANGUAGES
from urlharness.cli.seconds import Seconds
from urlharness.exitcodes import Exit

_SETTINGS = {"help_option_names": ["-h", "--help"]}


@click.group(context_settings=_SETTINGS)
def adapters() -> None:
    """List the adapters, begin a new one, examine one."""


@adapters.command("list", context_settings=_SETTINGS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> int:
    """Print each bundled adapter: what it wraps, and whether it runs here."""
    from urlharness.cli import adapters_list

    return adapters_list.show(as_json=as_json)


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

    from urlharness.adapters.beginning import CannotBegin, begin
    from urlharness.report.texts import plain

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
    from urlharness.cli import adapters_doctor
    from urlharness.doctor.subjects import Patience

    return adapters_doctor.show(find(name), Patience(start_timeout, timeout), checks, as_json=as_json)
