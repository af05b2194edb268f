"""`urlconform extract`, `equivalent`, `decode` and `base`: questions to the oracle beyond a single URL."""

from __future__ import annotations

import json
from typing import Any

import click

from urlharness.adapters.reference import plain_octets
from urlharness.cli.ask import json_option, refusals, spec_option
from urlharness.exitcodes import Exit
from urlharness.report.terminal import plain
from urloracle import SPECIFICATIONS, base_header, base_url
from urloracle import decode as decode_url
from urloracle import equivalent as compare
from urloracle import extract as extract_urls
from urloracle.answers import Extract, Specification

_HELP = {"help_option_names": ["-h", "--help"]}


@click.command(context_settings=_HELP)
@click.argument("file", type=click.File(encoding="utf-8", errors="surrogateescape"), default="-")
@spec_option(required=False)
@json_option
@refusals
def extract(file: Any, spec: Specification | None, as_json: bool) -> int:
    """Print the URLs in the text of FILE (default: stdin), by RFC 3986 unless another is named.

    White space inside delimiters is dropped.  A URL that a reader may also leave alone is marked; a line that
    begins with `or` is another reading of the one above.  1 where the text holds none.
    """
    chosen = spec or SPECIFICATIONS["rfc3986"]
    found = extract_urls(file.read(), chosen)
    if as_json:
        click.echo(json.dumps([_json(one) for one in found]))
    for one in () if as_json else found:
        first, *others = one.readings
        mark = "  (optional)" if one.optional else ""
        click.echo(f"{_line(first.text, first.fragment)}{mark}")
        for other in others:
            click.echo(f"  or {_line(other.text, other.fragment)}  ({other.ruling})")
    return Exit.PASSED if found else Exit.FAILED


@click.command(context_settings=_HELP)
@click.argument("one")
@click.argument("other")
@spec_option(required=False)
@click.option(
    "--mode",
    type=click.Choice(["syntax", "scheme"]),
    default="syntax",
    show_default=True,
    help="By the generic syntax alone, or with what is known of the scheme.",
)
@json_option  # fmt: skip
@refusals
def equivalent(one: str, other: str, spec: Specification | None, mode: Any, as_json: bool) -> int:
    """Say whether ONE and OTHER are equivalent, by RFC 3986 unless another is named; 1 where they are not."""
    found = compare(one, other, spec or "rfc3986", mode)
    if as_json:
        also = [{"equal": verdict.equal, "ruling": verdict.ruling} for verdict in found.also]
        click.echo(json.dumps({"equal": found.equal, "also": also, "differs": list(found.differs)}))
    else:
        differs = f": {', '.join(found.differs)}" if found.differs else ""
        click.echo("equivalent" if found.equal else f"different{differs}")
        for verdict in found.also:
            word = "equivalent" if verdict.equal else "different"
            click.echo(f"  {word} is admissible too ({verdict.ruling})")
    return Exit.PASSED if found.equal else Exit.FAILED


@click.command(context_settings=_HELP)
@click.argument("url")
@json_option
@refusals
def decode(url: str, as_json: bool) -> int:
    """Show the parts of an RFC 1738 URL as its client uses them, decoded once; 1 where it is not valid."""
    view = plain_octets(decode_url(url))
    if as_json:
        click.echo(json.dumps(view))
        return Exit.PASSED
    width = max(map(len, view))
    for name, value in view.items():
        click.echo(f"{name:{width}}  {_shown(value)}")
    return Exit.PASSED


@click.command(context_settings=_HELP)
@spec_option(required=False)
@click.option("--embedded", metavar="URL", help="The base that the document itself names.")
@click.option("--header", metavar="FIELD", help="The same, as a field `Base: <URL:...>` of RFC 1808.")
@click.option("--encapsulating", metavar="URL", help="The base of the entity around it.")
@click.option("--retrieval", metavar="URL", help="The URL that the document was retrieved with.")
@click.option("--default", metavar="URL", help="The base that the application falls back on.")
@json_option
@refusals
def base(
    spec: Specification | None,
    embedded: str | None,
    header: str | None,
    encapsulating: str | None,
    retrieval: str | None,
    default: str | None,
    as_json: bool,
) -> int:
    """Say which base applies, by RFC 3986 unless another is named; 1 where there is none or it is invalid.

    Only RFC 1808 has the header field, and is the one meant where --header is given.
    """
    chosen = spec or SPECIFICATIONS["rfc3986" if header is None else "rfc1808"]
    if header is not None and (embedded is not None or chosen.id != "rfc1808"):
        raise click.UsageError("--header is a base of RFC 1808, and takes the place of --embedded")
    found = base_url(
        chosen,
        embedded=embedded if header is None else base_header(header),
        encapsulating=encapsulating,
        retrieval=retrieval,
        default=default,
    )
    if as_json:
        click.echo(json.dumps(found._asdict()))
    else:
        click.echo(f"{plain(found.url or '(none)')}  ({found.source}, section {found.section})")
    return Exit.PASSED if found.url else Exit.FAILED


def _json(found: Extract) -> dict[str, Any]:
    readings = [reading._asdict() for reading in found.readings]
    return {**found._asdict(), "readings": readings}


def _line(text: str, fragment: str | None) -> str:
    return plain(text if fragment is None else f"{text} with fragment {fragment}")


def _shown(value: Any) -> str:
    if value is None:
        return "(absent)"
    return plain(value) if isinstance(value, str) and value else json.dumps(value)
