"""`validate`, `parse`, `resolve`, `recompose`, `normalize`, `extract`, `equivalent`, `decode`, `base`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import click
from rich.text import Text

from urlharness.adapters.reference import decoded_as_json
from urlharness.cli.output import console
from urlharness.corpus.selection import spec_name
from urlharness.exitcodes import Exit
from urlharness.text import plain
from urloracle.errors import InvalidURL
from urloracle.explanation import nearest_valid
from urloracle.grammar.grammar import UnknownRule
from urloracle.operations import base_header, base_url, normal_forms
from urloracle.operations import decode as decode_url
from urloracle.operations import equivalent as compare
from urloracle.operations import extract as extract_urls
from urloracle.operations import recompose as recompose_components
from urloracle.operations import resolve as resolve_reference
from urloracle.rfc.resolution import Resolution
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification
from urloracle.specification import Specification, Unsupported

Command = Callable[..., Any]


def _spec_option(*, required: bool) -> Callable[[Command], Command]:
    """Return the option `--spec`, whose value is a specification."""
    return click.option(
        "--spec", metavar="SPEC", required=required, callback=_specification, help="The RFC, such as rfc3986."
    )


def _specification(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> Specification | None:
    if value is None:
        return None
    try:
        return specification(spec_name(value))
    except UnknownSpecification as unknown:
        raise click.BadParameter(str(unknown)) from None


_rule_option = click.option("--rule", metavar="RULE", help="The rule of its grammar; default: a whole URL.")
_profile_option = click.option(
    "--profile",
    type=click.Choice(["scheme-specific", "generic", "prose"]),
    help="Grammar alone, schemes apart, or prose too.",
)
_mode_option = click.option(
    "--mode",
    type=click.Choice(["syntax", "scheme"]),
    default="syntax",
    show_default=True,
    help="By the generic syntax alone, or with what is known of the scheme.",
)
_json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


def _answers_refusals(command: Command) -> Command:
    """Wrap a command: an invalid text ends with exit code 1, an unsupported question is a usage error."""

    @wraps(command)
    def answered(**given: Any) -> Any:
        try:
            return command(**given)
        except InvalidURL as problem:
            click.echo(str(problem))
            return Exit.FAILED
        except Unsupported as unsupported:
            raise click.UsageError(str(unsupported)) from None

    return answered


@click.command()
@click.argument("url")
@_spec_option(required=True)
@_rule_option
@_profile_option
@_json_option
def validate(url: str, spec: Specification, rule: str | None, profile: Any, as_json: bool) -> int:
    """Say whether a rule of an RFC derives URL; exit code 1 if it does not."""
    problem = _problem(url, spec, rule, profile)
    if problem is None:
        valid = f"valid {rule or spec.default_rule} of {spec.title}"
        click.echo(json.dumps({"valid": True}) if as_json else valid)
        return Exit.PASSED
    repair = nearest_valid(url, spec, rule, profile)
    if as_json:
        nearest = repair._asdict() if repair else None
        click.echo(json.dumps({"valid": False, **problem.asdict(), "nearest": nearest}))
        return Exit.FAILED
    click.echo(str(problem))
    if repair is not None:
        edit = f"{repair.edit} {repair.character!r} at offset {repair.offset}"
        click.echo(f"nearest: {plain(repair.text) or '(the empty text)'}  ({plain(edit)})")
    return Exit.FAILED


@click.command()
@click.argument("url")
@_spec_option(required=True)
@_rule_option
@_profile_option
@_json_option
@_answers_refusals
def parse(url: str, spec: Specification, rule: str | None, profile: Any, as_json: bool) -> int:
    """Print the components of URL; exit code 1 if it is not valid."""
    problem = _problem(url, spec, rule, profile)
    if problem is not None:
        click.echo(json.dumps({"valid": False, **problem.asdict()}) if as_json else str(problem))
        return Exit.FAILED
    parts = spec.asdict(spec.parse(url, rule, profile))
    if as_json:
        click.echo(json.dumps(parts))
        return Exit.PASSED
    _print_table({name: _component(value) for name, value in parts.items()})
    return Exit.PASSED


@click.command()
@click.argument("base")
@click.argument("reference")
@_spec_option(required=False)
@_json_option
def resolve(base: str, reference: str, spec: Specification | None, as_json: bool) -> int:
    """Resolve REFERENCE against BASE under each RFC, or under one.

    If an RFC admits several results, the recommended one comes first; exit code 1 if no RFC gives any.
    """
    if spec is not None and spec.resolver is None:
        raise click.UsageError(f"{spec.title} does not define relative references")
    specs = [spec] if spec else [one for one in SPECIFICATIONS.values() if one.resolver]
    answers = {one.id: _resolve(base, reference, one) for one in specs}
    if as_json:
        click.echo(json.dumps({name: _resolution_json(answer) for name, answer in answers.items()}))
    else:
        out = console()
        for name, answer in answers.items():
            out.print(_resolution_text(SPECIFICATIONS[name].title, answer), soft_wrap=True)
    resolved = any(isinstance(answer, Resolution) for answer in answers.values())
    return Exit.PASSED if resolved else Exit.FAILED


@click.command()
@click.argument("url")
@_spec_option(required=False)
@_mode_option
@_json_option
@_answers_refusals
def normalize(url: str, spec: Specification | None, mode: Any, as_json: bool) -> int:
    """Print URL in normal form (RFC 3986 unless another is named); exit code 1 if it is not valid.

    If the RFC admits other normal forms they follow, each with the ruling that says so.
    """
    found = normal_forms(url, spec or SPECIFICATIONS["rfc3986"], mode)
    if as_json:
        also = [other._asdict() for other in found.also]
        click.echo(json.dumps({"url": found.text, "also": also}))
        return Exit.PASSED
    click.echo(plain(found.text))
    for other in found.also:
        shown = "refusing it" if other.text is None else plain(other.text)
        click.echo(f"  or {shown}  ({other.variant}, {other.ruling})")
    return Exit.PASSED


def _print_table(rows: Mapping[str, str]) -> None:
    width = max(map(len, rows))
    for name, text in rows.items():
        click.echo(f"{name:{width}}  {text}")


def _component(value: Any) -> str:
    """Return a component for a reader, who must see whether it is absent or empty."""
    if value is None:
        return "(absent)"
    if value == "":
        return "(empty)"
    if isinstance(value, list):
        return ", ".join(f"{name}={text}" for name, text in value)
    return plain(str(value))


def _problem(url: str, spec: Specification, rule: str | None, profile: Any) -> InvalidURL | None:
    try:
        return spec.problem(url, rule, profile)
    except UnknownRule as unknown:
        names = ", ".join(unknown.known)
        raise click.BadParameter(
            f"{spec.title} has {unknown}; there are {names}", param_hint="--rule"
        ) from None


def _resolve(base: str, reference: str, spec: Specification) -> Resolution | InvalidURL | Unsupported:
    try:
        return resolve_reference(base, reference, spec)
    except (InvalidURL, Unsupported) as refused:
        return refused


def _resolution_json(answer: Resolution | InvalidURL | Unsupported) -> dict[str, Any]:
    match answer:
        case Resolution():
            also = [
                {"url": other.text, "variant": other.variant, "ruling": other.ruling} for other in answer.also
            ]
            return {"url": answer.text, "same_document": answer.same_document, "also": also}
        case InvalidURL():
            return {"invalid": answer.text, **answer.asdict()}
        case Unsupported():
            return {"unsupported": str(answer)}


def _resolution_text(title: str, answer: Resolution | InvalidURL | Unsupported) -> Text:
    text = Text(f"{title}  ", style="bold")
    match answer:
        case Resolution():
            note = "  (same document, R-2396-06)" if answer.same_document else ""
            text.append(plain(answer.text), style="not bold green").append(note, style="not bold dim")
            for other in answer.also:
                shown = "refusing it" if other.text is None else plain(other.text)
                text.append(f"\n       or  {shown}", style="not bold")
                text.append(f"  ({other.variant}, {other.ruling})", style="not bold dim")
        case InvalidURL():
            text.append("refused: ", style="not bold red").append(str(answer), style="not bold")
        case Unsupported():
            text.append(str(answer), style="not bold dim")
    return text


@click.command()
@click.argument("file", type=click.File(encoding="utf-8", errors="surrogateescape"), default="-")
@_spec_option(required=False)
@_json_option
@_answers_refusals
def extract(file: Any, spec: Specification | None, as_json: bool) -> int:
    """Print the URLs in the text of FILE (default: stdin), by RFC 3986 unless another is named.

    White space inside delimiters is dropped.  A URL that a reader may also ignore is marked; a line that
    begins with `or` is another reading of the one above.  The exit code is 1 if the text holds none.
    """
    chosen = spec or SPECIFICATIONS["rfc3986"]
    found = extract_urls(file.read(), chosen)
    if as_json:
        extracts = [{**one._asdict(), "readings": [each._asdict() for each in one.readings]} for one in found]
        click.echo(json.dumps(extracts))
    for one in () if as_json else found:
        first, *others = one.readings
        mark = "  (optional)" if one.optional else ""
        click.echo(f"{_line(first.text, first.fragment)}{mark}")
        for other in others:
            click.echo(f"  or {_line(other.text, other.fragment)}  ({other.ruling})")
    return Exit.PASSED if found else Exit.FAILED


@click.command()
@click.argument("one")
@click.argument("other")
@_spec_option(required=False)
@_mode_option
@_json_option
@_answers_refusals
def equivalent(one: str, other: str, spec: Specification | None, mode: Any, as_json: bool) -> int:
    """Say whether ONE and OTHER are equivalent by RFC 3986 or the one named; exit code 1 if they are not."""
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


@click.command()
@click.argument("url")
@_json_option
@_answers_refusals
def decode(url: str, as_json: bool) -> int:
    """Show the parts of an RFC 1738 URL as a client uses them, decoded; exit code 1 if it is not valid."""
    view = decoded_as_json(decode_url(url))
    if as_json:
        click.echo(json.dumps(view))
        return Exit.PASSED
    _print_table({name: _decoded(value) for name, value in view.items()})
    return Exit.PASSED


@click.command()
@_spec_option(required=False)
@click.option("--embedded", metavar="URL", help="The base that the document itself names.")
@click.option("--header", metavar="FIELD", help="The same, as a field `Base: <URL:...>` of RFC 1808.")
@click.option("--encapsulating", metavar="URL", help="The base of the entity around it.")
@click.option("--retrieval", metavar="URL", help="The URL that the document was retrieved with.")
@click.option("--default", metavar="URL", help="The base that the application falls back on.")
@_json_option
@_answers_refusals
def base(
    spec: Specification | None,
    embedded: str | None,
    header: str | None,
    encapsulating: str | None,
    retrieval: str | None,
    default: str | None,
    as_json: bool,
) -> int:
    """Say which base URL applies, by RFC 3986 unless another is named; exit code 1 if there is none.

    Only RFC 1808 has the header field; --header implies it.
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


def _line(text: str, fragment: str | None) -> str:
    return plain(text if fragment is None else f"{text} with fragment {fragment}")


def _decoded(value: Any) -> str:
    if value is None:
        return "(absent)"
    return plain(value) if isinstance(value, str) and value else json.dumps(value)


@click.command()
@click.argument("components", nargs=-1, required=True, metavar="NAME=VALUE...")
@_spec_option(required=True)
def recompose(components: tuple[str, ...], spec: Specification) -> int:
    """Print the text of components, by the names that `urlconform parse` prints.

    A component that is not named is absent, and `query=` is an empty one.  `-` reads them from stdin as the
    JSON object that `urlconform parse --json` prints.  The exit code is 1 if the RFC does not allow them.
    """
    given = _from_stdin() if components == ("-",) else dict(map(_pair, components))
    try:
        click.echo(plain(recompose_components(given, spec)))
    except (TypeError, ValueError) as error:
        click.echo(plain(str(error)))
        return Exit.FAILED
    return Exit.PASSED


def _pair(argument: str) -> tuple[str, Any]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise click.UsageError(f"{argument!r} is not of the form NAME=VALUE")
    if name == "fieldspecs":  # the one component that is a list: name=value pairs, separated by semicolons
        return name, [field.partition("=")[::2] for field in value.split(";")]
    return name, value


def _from_stdin() -> dict[str, Any]:
    try:
        given = json.load(sys.stdin)
    except ValueError as error:
        raise click.UsageError(f"stdin is not JSON: {error}") from None
    if not isinstance(given, dict) or not all(map(_is_component, given.values())):
        raise click.UsageError("stdin is not an object of components, as `urlconform parse --json` prints it")
    return given


def _is_component(value: Any) -> bool:
    pairs = isinstance(value, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in value)
    return value is None or isinstance(value, str) or pairs
