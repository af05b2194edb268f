"""`urlconform vectors add`: a new vector with its id, beside what every RFC answers by the oracle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from urlharness.cli.writing import refuse_installed
from urlharness.exitcodes import Exit
from urlharness.operations import INPUTS, OPERATIONS

if TYPE_CHECKING:
    from urlharness.corpus import Case

_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)
_JSON_INPUTS = ("components",)


class _Json(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.2
    """JSON on the command line."""

    name = "JSON"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value that it says."""
        try:
            return json.loads(value)
        except ValueError as error:
            self.fail(f"not JSON: {error}", param, ctx)


def _inputs(command: Any) -> Any:
    """Add an option for each input of an operation."""
    for name in reversed(INPUTS):
        option = {"type": _Json(), "metavar": "JSON"} if name in _JSON_INPUTS else {"metavar": "TEXT"}
        command = click.option(f"--{name}", name, **option)(command)
    return command


@click.command("add")
@click.option("--requirement", required=True, metavar="ID", help="The statement that it tests.")
@click.option("--op", required=True, type=click.Choice(list(OPERATIONS)), help="The operation.")
@_inputs
@click.option("--expect", required=True, type=_Json(), help="What the RFC says, such as '{\"valid\": true}'.")
@click.option("--spec", default="", metavar="SPEC", help="The RFC; that of the requirement.")
@click.option("--section", default="", metavar="N", help="The section; that of the requirement.")
@click.option("--level", default="", metavar="LEVEL", help="The level; else that of the requirement.")
@click.option(
    "--binding", default="required", show_default=True, metavar="BINDING", help="What the text obliges."
)
@click.option("--class", "class_", default="", metavar="CLASS", help="A class of difference.")
@click.option("--flag", "flags", multiple=True, metavar="FLAG", help="A flag beside those of the class.")
@click.option("--ruling", default="", metavar="RULING", help="The ruling that decides.")
@click.option("--comment", default="", metavar="TEXT", help="What a reader should know.")
@click.option("--fields", type=_Json(), help="More fields of the vector, for what a shell cannot spell.")
@click.option(
    "--slug", default="", metavar="SLUG", help="The end of the id; that of the requirement by default."
)
@click.option("--file", default="", metavar="NAME", help="Its file, such as 3.2.2-host.json.")
@click.option("--title", default="", metavar="TEXT", help="The title of a new file.")
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
@click.option("--write", "wanted", is_flag=True, help="Write it; without this nothing is written.")
def add(directory: Path | None, slug: str, file: str, title: str, wanted: bool, **given: Any) -> int:
    """Make a vector of what the RFC says, show what the oracle answers under every RFC, and write it.

    The oracle is shown, never copied: what is written is what --expect says, also where the oracle disagrees.
    Then one of them is wrong, and the text of the RFC says which.  6 where the vector is none.
    """
    from urlharness.authoring.adding import AddingError, draft, problems, write
    from urlharness.corpus import corpus_dir, load

    if wanted:
        refuse_installed(directory)
    root = directory or corpus_dir()
    corpus = load(root)
    try:
        _check_place(given.pop("spec"), given.pop("section"), given["requirement"])
        made = draft(root, corpus, _fields(given), slug=slug, file=file, title=title)
    except AddingError as error:
        raise click.UsageError(str(error)) from None
    wrong = problems(root, corpus, made)
    if wrong:
        for problem in wrong:
            click.echo(f"urlconform: {made.case.vector.id}: {problem}", err=True)
        return Exit.INVALID_FILE
    agrees = _show(made.case)
    if not agrees:
        click.echo("urlconform: the oracle says otherwise; read the paragraph again", err=True)
    if wanted:
        write(root, made)
    state = "written to" if wanted else "would stand in"
    click.echo(f"{made.case.vector.id} {state} {made.case.file}{'' if wanted else ' (--write writes it)'}")
    return Exit.PASSED


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    """The fields of the vector: what was given, without what was left out."""
    more = given.pop("fields")
    more = {} if more is None else more
    if not isinstance(more, dict):
        raise click.BadParameter("an object is needed", param_hint="--fields")
    flags = list(given.pop("flags"))
    texts = {name: given[name] for name in given if name in INPUTS or name == "expect"}
    words = {name.rstrip("_"): given[name] for name in given if name not in texts}
    return {
        **{name: value for name, value in words.items() if value},
        **{name: value for name, value in texts.items() if value is not None},
        **({"flags": flags} if flags else {}),
        **more,
    }


def _check_place(spec: str, section: str, requirement: str) -> None:
    """The place that was named is that of the requirement, whose id says it."""
    from urlharness.authoring.adding import AddingError
    from urlharness.selection import spec_name

    named = "-".join(filter(None, (spec and spec_name(spec), section)))
    if named and f"-{named}-" not in f"-{requirement}":
        raise AddingError(f"requirement {requirement} does not belong to {named}")


def _show(case: Case) -> bool:
    """Print the claim and the answer of every RFC; False where the oracle's answer is not the one claimed."""
    import msgspec

    from urlharness.adapters import reference
    from urlharness.cli.output import console
    from urlharness.corpus import SPECS
    from urlharness.protocol import Reply
    from urlharness.report.terminal import plain
    from urlharness.runner import question
    from urlharness.verdict import judge
    from urlharness.words import asked, expectation

    out = console()
    vector = case.vector
    given = "  ".join(f"{name} {value}" for name, value in asked(vector))
    out.print(plain(f"{vector.op}  {given}"), soft_wrap=True)
    out.print(plain(f"{'claimed':10}{expectation(vector.expect)}"), soft_wrap=True)
    agrees = True
    for spec in SPECS:
        reply = reference.answer({**msgspec.to_builtins(question(case)), "spec": spec})
        of_spec = msgspec.structs.replace(case, spec=spec)
        verdict = judge(of_spec, msgspec.convert({**reply, "id": 0}, Reply), {"absent-vs-empty"}, strict=True)
        own = spec == case.spec
        agrees = agrees and (not own or verdict.outcome in ("pass", "variant"))
        told = {"pass": "as claimed", "variant": f"variant {verdict.variant}", "unsupported": "no answer"}
        same = told.get(verdict.outcome, "otherwise")
        mark = ">" if own else " "
        shown = json.dumps({name: value for name, value in reply.items() if name != "message"})
        out.print(plain(f"{mark} {spec:9}{same:12}{shown}"), soft_wrap=True)
    return agrees
