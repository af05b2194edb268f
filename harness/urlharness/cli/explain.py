"""`urlconform explain`: a text under each RFC side by side, its derivation, or how a reference resolves."""

from __future__ import annotations

import json

import click

from urlharness.exitcodes import Exit


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("url")
@click.option("--spec", metavar="SPEC", help="This RFC alone, such as rfc3986, with its derivation.")
@click.option("--base", metavar="BASE", help="Resolve URL against this base, step by step.")
@click.option("--tree", is_flag=True, help="Show the derivations too; implied by --spec.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, derivations included.")
def explain(url: str, spec: str | None, base: str | None, tree: bool, as_json: bool) -> int:
    """Show what each RFC says of URL, where the RFCs differ and why, and where an invalid text goes wrong.

    With --base, URL is a reference, and each step of the resolution of each RFC is shown.  Exits with 0
    whatever the verdicts are.
    """
    from urlharness.report.explanation.gathering import as_json as told
    from urlharness.report.explanation.gathering import gather

    specs = _specifications(spec, base)
    explained = gather(url, specs, base)
    if as_json:
        click.echo(json.dumps(told(explained)))
        return Exit.PASSED
    from urlharness.cli.output import console
    from urlharness.report.explanation.page import show

    show(console(), explained, tree=tree or (spec is not None and base is None))
    return Exit.PASSED


def _specifications(named: str | None, base: str | None) -> list[str]:
    """The RFC that was asked for, or all of them; raises a usage error."""
    from urlharness.selection import spec_name
    from urloracle import SPECIFICATIONS, specification
    from urloracle.answers import UnknownSpecification

    if named is None:
        return list(SPECIFICATIONS)
    try:
        chosen = specification(spec_name(named))
    except UnknownSpecification as unknown:
        raise click.BadParameter(str(unknown), param_hint="--spec") from None
    if base is not None and chosen.resolver is None:
        raise click.UsageError(f"{chosen.title} does not define relative references")
    return [chosen.id]
