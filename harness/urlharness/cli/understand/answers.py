"""The commands that ask the oracle one question, such as `validate`, `parse` and `resolve`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import click
import msgspec

from urlharness.corpus.selection import spec_name
from urlharness.exitcodes import Exit
from urlharness.jsonio import decoded_as_json
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
from urloracle.rfc.extraction import ExtractedURL
from urloracle.rfc.resolution import Resolution
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification
from urloracle.specification import PROFILES, Specification, Unsupported

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

#: The components of a URL as `urlconform parse --json` prints them.
_Components = dict[str, str | list[tuple[str, str]] | None]


def spec_option(*, required: bool = False, text: str = "The RFC, such as rfc3986.") -> Decorator:
    """Return the option `--spec`; its value is a Specification, or None if it is not given."""
    return click.option("--spec", metavar="SPEC", required=required, callback=_specification, help=text)


def _specification(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> Specification | None:
    try:
        return None if value is None else specification(spec_name(value))
    except UnknownSpecification as unknown:
        raise click.BadParameter(str(unknown)) from None


json_option: Decorator = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
rule_option: Decorator = click.option(
    "--rule", metavar="RULE", help="The rule of the grammar of the RFC (default: the rule of whole URLs)."
)
profile_option: Decorator = click.option(
    "--profile",
    type=click.Choice(PROFILES),
    help="What counts as valid: the rules of schemes, the generic form, or also the prose.",
)
_mode_option: Decorator = click.option(
    "--mode", type=click.Choice(["syntax", "scheme"]), default="syntax", show_default=True,
    help="Apply the generic syntax only, or also the rules of the scheme.",
)  # fmt: skip


def oracle_command(*options: Decorator) -> Callable[[Command], click.Command]:
    """Return a decorator that makes a command with these options and `--json`.

    If the command raises InvalidURL, its exit code is 1; an unknown rule or an unsupported question is a
    usage error.
    """

    def decorate(command: Command) -> click.Command:
        @wraps(command)
        def answered(**given: Any) -> Any:
            try:
                return command(**given)
            except InvalidURL as problem:
                click.echo(str(problem))
                return Exit.FAILED
            except UnknownRule as unknown:
                why = f"{given['spec'].title} has {unknown}; there are {', '.join(unknown.known)}"
                raise click.BadParameter(why, param_hint="--rule") from None
            except Unsupported as unsupported:
                raise click.UsageError(str(unsupported)) from None

        decorated: Command = json_option(answered)
        for option in reversed(options):
            decorated = option(decorated)
        return click.command()(decorated)

    return decorate


def _print(as_json: bool, answer: object, lines: Iterable[str]) -> None:
    for line in [json.dumps(answer)] if as_json else lines:
        click.echo(line)


def _table(rows: dict[str, Any]) -> list[str]:
    """Return a line for each part of a URL; it says whether the part is absent or empty."""
    width = max(map(len, rows))
    return [f"{name:{width}}  {_shown(value)}" for name, value in rows.items()]


def _shown(value: Any) -> str:
    match value:
        case None:
            return "(absent)"
        case "":
            return "(empty)"
        case str():
            return plain(value)
    return json.dumps(value)


@oracle_command(click.argument("url"), spec_option(required=True), rule_option, profile_option)
def validate(url: str, spec: Specification, rule: str | None, profile: Any, as_json: bool) -> int:
    """Decide whether a rule of an RFC derives URL; exit with 1 if it does not."""
    problem = spec.problem(url, rule, profile)
    if problem is None:
        _print(as_json, {"valid": True}, [f"valid {rule or spec.default_rule} of {spec.title}"])
        return Exit.PASSED
    repair, lines = nearest_valid(url, spec, rule, profile), [str(problem)]
    if repair is not None:
        edit = f"{repair.edit} {repair.character!r} at offset {repair.offset}"
        lines.append(f"nearest: {plain(repair.text) or '(empty text)'}  ({plain(edit)})")
    nearest = repair._asdict() if repair else None
    _print(as_json, {"valid": False, **problem.asdict(), "nearest": nearest}, lines)
    return Exit.FAILED


@oracle_command(click.argument("url"), spec_option(required=True), rule_option, profile_option)
def parse(url: str, spec: Specification, rule: str | None, profile: Any, as_json: bool) -> int:
    """Print the components of URL; exit with 1 if it is not valid."""
    try:
        parts = spec.asdict(spec.parse(url, rule, profile))
    except InvalidURL as problem:
        _print(as_json, {"valid": False, **problem.asdict()}, [str(problem)])
        return Exit.FAILED
    _print(as_json, parts, _table(parts))
    return Exit.PASSED


@oracle_command(click.argument("base"), click.argument("reference"), spec_option())
def resolve(base: str, reference: str, spec: Specification | None, as_json: bool) -> int:
    """Resolve REFERENCE against BASE under each RFC, or under the one of --spec.

    If an RFC admits several results, the recommended one comes first. Exit with 1 if no RFC gives a result.
    """
    if spec is not None and spec.resolver is None:
        raise click.UsageError(f"{spec.title} does not define relative references")
    specs = [spec] if spec else [one for one in SPECIFICATIONS.values() if one.resolver]
    answers = {one: _resolution(base, reference, one) for one in specs}
    shown = {one.id: _resolution_json(answer) for one, answer in answers.items()}
    _print(as_json, shown, [_resolution_text(one.title, answer) for one, answer in answers.items()])
    resolved = any(isinstance(answer, Resolution) for answer in answers.values())
    return Exit.PASSED if resolved else Exit.FAILED


def _resolution(base: str, reference: str, spec: Specification) -> Resolution | InvalidURL | Unsupported:
    try:
        return resolve_reference(base, reference, spec)
    except (InvalidURL, Unsupported) as refused:
        return refused


def _resolution_json(answer: Resolution | InvalidURL | Unsupported) -> dict[str, Any]:
    match answer:
        case Resolution():
            also = [{"url": one.text, "variant": one.variant, "ruling": one.ruling} for one in answer.also]
            return {"url": answer.text, "same_document": answer.same_document, "also": also}
        case InvalidURL():
            return {"invalid": answer.text, **answer.asdict()}
        case Unsupported():
            return {"unsupported": str(answer)}


def _resolution_text(title: str, answer: Resolution | InvalidURL | Unsupported) -> str:
    match answer:
        case Resolution():
            note = "  (same document, R-2396-06)" if answer.same_document else ""
            return "\n       or  ".join([f"{title}  {plain(answer.text)}{note}", *_others(answer.also)])
        case InvalidURL():
            return f"{title}  refused: {answer}"
        case Unsupported():
            return f"{title}  {answer}"


def _others(admitted: Iterable[Any]) -> list[str]:
    """Describe the other admissible results, each with its variant and the ruling that admits it."""
    texts = ((one, "an error" if one.text is None else plain(one.text)) for one in admitted)
    return [f"{text}  ({one.variant}, {one.ruling})" for one, text in texts]


@oracle_command(click.argument("url"), spec_option(), _mode_option)
def normalize(url: str, spec: Specification | None, mode: Any, as_json: bool) -> int:
    """Print URL in normal form (default: RFC 3986); exit with 1 if it is not valid.

    Other normal forms that the RFC admits follow, each with the ruling that admits it.
    """
    found = normal_forms(url, spec or SPECIFICATIONS["rfc3986"], mode)
    answer = {"url": found.text, "also": [other._asdict() for other in found.also]}
    _print(as_json, answer, [plain(found.text), *(f"  or {other}" for other in _others(found.also))])
    return Exit.PASSED


@oracle_command(
    click.argument("file", type=click.File(encoding="utf-8", errors="surrogateescape"), default="-"),
    spec_option(),
)
def extract(file: Any, spec: Specification | None, as_json: bool) -> int:
    """Print the URLs in the text of FILE (default: stdin) by an RFC (default: 3986).

    White space inside delimiters is dropped. “(optional)” marks a URL that a program may also ignore; a line
    that begins with `or` is another reading of the URL above it. Exit with 1 if the text has no URL.
    """
    found = extract_urls(file.read(), spec or SPECIFICATIONS["rfc3986"])
    extracts = [{**one._asdict(), "readings": [each._asdict() for each in one.readings]} for one in found]
    lines = []
    for one in found:
        first, *others = one.readings
        lines.append(_reading(first) + ("  (optional)" if one.optional else ""))
        lines += [f"  or {_reading(other)}  ({other.ruling})" for other in others]
    _print(as_json, extracts, lines)
    return Exit.PASSED if found else Exit.FAILED


def _reading(one: ExtractedURL) -> str:
    return plain(one.text if one.fragment is None else f"{one.text} with fragment {one.fragment}")


@oracle_command(click.argument("one"), click.argument("other"), spec_option(), _mode_option)
def equivalent(one: str, other: str, spec: Specification | None, mode: Any, as_json: bool) -> int:
    """Decide whether ONE and OTHER are equivalent by an RFC (default: 3986); exit with 1 if they are not."""
    found = compare(one, other, spec or "rfc3986", mode)
    also = [{"equal": verdict.equal, "ruling": verdict.ruling} for verdict in found.also]
    words = {True: "equivalent", False: "different"}
    differs = f": {', '.join(found.differs)}" if found.differs else ""
    lines = [f"{words[found.equal]}{differs}"]
    lines += [f"  {words[verdict.equal]} is admissible too ({verdict.ruling})" for verdict in found.also]
    _print(as_json, {"equal": found.equal, "also": also, "differs": list(found.differs)}, lines)
    return Exit.PASSED if found.equal else Exit.FAILED


@oracle_command(click.argument("url"))
def decode(url: str, as_json: bool) -> int:
    """Show the decoded parts of an RFC 1738 URL, as a client uses them; exit with 1 if it is not valid."""
    view = decoded_as_json(decode_url(url))
    _print(as_json, view, _table(view))
    return Exit.PASSED


@oracle_command(
    spec_option(),
    click.option("--embedded", metavar="URL", help="The base that the document itself states."),
    click.option(
        "--header", metavar="FIELD", help="The embedded base as a field `Base: <URL:...>` (RFC 1808)."
    ),
    click.option("--encapsulating", metavar="URL", help="The base of the entity that contains the document."),
    click.option("--retrieval", metavar="URL", help="The URL from which the document was retrieved."),
    click.option("--default", metavar="URL", help="The default base of the application."),
)
def base(spec: Specification | None, header: str | None, as_json: bool, **layers: str | None) -> int:
    """Print the base URL that applies by an RFC (default: 3986); exit with 1 if none applies.

    Only RFC 1808 defines the header field, so --header selects RFC 1808.
    """
    chosen = spec or SPECIFICATIONS["rfc3986" if header is None else "rfc1808"]
    if header is not None:
        if layers["embedded"] is not None or chosen.id != "rfc1808":
            raise click.UsageError("--header cannot be combined with --embedded or an RFC other than 1808")
        layers["embedded"] = base_header(header)
    found = base_url(chosen, **layers)
    text = f"{plain(found.url or '(none)')}  ({found.source}, section {found.section})"
    _print(as_json, found._asdict(), [text])
    return Exit.PASSED if found.url else Exit.FAILED


@click.command()
@click.argument("components", nargs=-1, required=True, metavar="NAME=VALUE...")
@spec_option(required=True)
def recompose(components: tuple[str, ...], spec: Specification) -> int:
    """Compose a URL from components, named as `urlconform parse` prints them.

    A component that is not given is absent; `query=` gives an empty query. `-` reads from stdin the JSON
    object that `urlconform parse --json` prints. Exit with 1 if the RFC does not allow the components.
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
    if name == "fieldspecs":  # a list of name=value pairs, separated by semicolons
        return name, [field.partition("=")[::2] for field in value.split(";")]
    return name, value


def _from_stdin() -> _Components:
    try:
        return msgspec.json.decode(sys.stdin.buffer.read(), type=_Components)
    except msgspec.DecodeError as error:
        why = f"stdin is not an object of components such as `urlconform parse --json` prints: {error}"
        raise click.UsageError(why) from None
