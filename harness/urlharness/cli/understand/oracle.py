"""The commands that ask the oracle one question, such as `validate`, `parse` and `resolve`.

Without `--spec` they show the answers of all five RFCs, and the answer of RFC 3986 decides the exit code.
Only `extract` without `--spec` uses RFC 3986 alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import click
import msgspec

from urlharness.cli.oracle_options import Decorator, oracle_command, profile_option, rule_option, spec_option
from urlharness.corpus.model import Components
from urlharness.corpus.specifications import DEFAULT_SPEC, facts
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
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification, Unsupported

#: The RFC that decides the exit code without `--spec`.
_DECIDING = SPECIFICATIONS[DEFAULT_SPEC]


_mode_option: Decorator = click.option(
    "--mode", type=click.Choice(["syntax", "scheme"]), default="syntax", show_default=True,
    help="Apply the generic syntax only, or also the rules of the scheme.",
)  # fmt: skip


class PrintedAnswer(NamedTuple):
    """The answer of one RFC, as JSON and as lines, with the exit code.

    `problem` is the error if the RFC rejects the text, otherwise None.
    """

    json: object
    lines: Iterable[str]
    code: Exit = Exit.PASSED
    problem: InvalidURL | None = None


def _print(as_json: bool, answer: object, lines: Iterable[str]) -> None:
    for line in [json.dumps(answer)] if as_json else lines:
        click.echo(line)


def _answer(spec: Specification | None, as_json: bool, ask: Callable[[Specification], PrintedAnswer]) -> int:
    """Print the reply of one RFC or, if `spec` is None, the replies of all RFCs. Return the exit code."""
    if spec is not None:
        reply = ask(spec)
        _print(as_json, reply.json, reply.lines)
        return reply.code
    replies = _replies(ask)
    _print(as_json, _by_rfc(replies), _rows(replies))
    return replies[_DECIDING].code


def _replies(ask: Callable[[Specification], PrintedAnswer]) -> dict[Specification, PrintedAnswer]:
    """Return the reply of each RFC. Raise a usage error if RFC 3986 does not define the answer."""
    replies: dict[Specification, PrintedAnswer] = {}
    silent: dict[Specification, str] = {}
    for spec in SPECIFICATIONS.values():
        try:
            replies[spec] = ask(spec)
        except InvalidURL as problem:
            replies[spec] = PrintedAnswer({"valid": False, **problem.asdict()}, [], Exit.FAILED, problem)
        except UnknownRule as unknown:
            silent[spec] = f"{spec.title} has {unknown}"
        except Unsupported as unsupported:
            silent[spec] = str(unsupported)
    if _DECIDING in silent:
        others = " or ".join(spec.id for spec in replies)
        raise click.UsageError(silent[_DECIDING] + (f"; use --spec {others}" if others else ""))
    answers = {spec: PrintedAnswer({"unsupported": why}, [why]) for spec, why in silent.items()}
    return {spec: (replies | answers)[spec] for spec in SPECIFICATIONS.values()}


def _by_rfc(replies: Mapping[Specification, PrintedAnswer]) -> dict[str, object]:
    return {spec.id: reply.json for spec, reply in replies.items()}


def _rows(replies: Mapping[Specification, PrintedAnswer]) -> Iterator[str]:
    """Yield the lines of each reply. The first line begins with the title of the RFC, others are indented."""
    for spec, reply in replies.items():
        lines = list(reply.lines)
        if reply.problem is not None:
            lines[:1] = [f"invalid: {reply.problem.fault}"]
        head = spec.title
        for line in lines:
            yield f"{head}  {line.removeprefix(f'{spec.title} ').removesuffix(f' of {spec.title}')}"
            head = " " * len(spec.title)


def _table(rows: dict[str, Any]) -> list[str]:
    """Return a line for each part of a URL, including absent parts and empty ones."""
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


@oracle_command(click.argument("url"), spec_option(), rule_option, profile_option)
def validate(url: str, spec: Specification | None, rule: str | None, profile: Any, as_json: bool) -> int:
    """Decide under each RFC whether a rule derives URL.

    Exit with 1 if the rule of RFC 3986, or of the RFC of --spec, does not derive it.
    """

    def ask(spec: Specification) -> PrintedAnswer:
        problem = spec.problem(url, rule, profile)
        if problem is None:
            return PrintedAnswer({"valid": True}, [f"valid {rule or spec.default_rule} of {spec.title}"])
        repair, lines = nearest_valid(url, spec, rule, profile), [str(problem)]
        if repair is not None:
            shown = plain(repair.text) or "(empty text)"
            lines.append(f"nearest: {shown}  ({plain(repair.description)})")
        nearest = repair._asdict() if repair else None
        answer = {"valid": False, **problem.asdict(), "nearest": nearest}
        return PrintedAnswer(answer, lines, Exit.FAILED, problem)

    return _answer(spec, as_json, ask)


@oracle_command(click.argument("url"), spec_option(), rule_option, profile_option)
def parse(url: str, spec: Specification | None, rule: str | None, profile: Any, as_json: bool) -> int:
    """Print the components of URL under each RFC.

    Exit with 1 if RFC 3986, or the RFC of --spec, refuses URL.
    """
    splits: dict[str, tuple[InvalidURL | None, dict[str, Any] | None]] = {}

    def ask(spec: Specification) -> PrintedAnswer:
        try:
            parts = spec.asdict(spec.parse(url, rule, profile))
        except InvalidURL as problem:
            splits[spec.id] = problem, None
            return PrintedAnswer({"valid": False, **problem.asdict()}, [str(problem)], Exit.FAILED, problem)
        splits[spec.id] = None, parts
        return PrintedAnswer(parts, _table(parts))

    if spec is not None or as_json:
        return _answer(spec, as_json, ask)
    from urlharness.cli.output import console
    from urlharness.explain.page import show_components

    replies = _replies(ask)
    show_components(console(), splits)
    others = {spec: reply for spec, reply in replies.items() if splits.get(spec.id, (1, 0))[1] is None}
    if others:
        click.echo()
        _print(False, None, _rows(others))
    return replies[_DECIDING].code


def _base_as_option(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise click.UsageError(
            "the base is the first argument, not an option: urlconform resolve BASE REFERENCE"
        )


@oracle_command(
    click.argument("base"),
    click.argument("reference"),
    spec_option(),
    click.option("--base", "_", hidden=True, is_eager=True, expose_value=False, callback=_base_as_option),
)
def resolve(base: str, reference: str, spec: Specification | None, as_json: bool) -> int:
    """Resolve REFERENCE against BASE under each RFC.

    If an RFC admits several results, the recommended one comes first. Exit with 1 if RFC 3986, or the RFC of
    --spec, gives no result.
    """

    def ask(spec: Specification) -> PrintedAnswer:
        if not spec.defines("resolve"):
            raise Unsupported(f"{spec.title} does not define relative references")
        answer = _resolution(base, reference, spec)
        code = Exit.PASSED if isinstance(answer, Resolution) else Exit.FAILED
        return PrintedAnswer(_resolution_json(answer), [_resolution_text(answer)], code)

    replies = _replies(ask) if spec is None else {spec: ask(spec)}
    _print(as_json, _by_rfc(replies), _rows(replies))
    return replies[spec or _DECIDING].code


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


def _resolution_text(answer: Resolution | InvalidURL | Unsupported) -> str:
    match answer:
        case Resolution():
            note = "  (same document, R-2396-06)" if answer.same_document else ""
            return "\n       or  ".join([f"{plain(answer.text)}{note}", *_others(answer.also)])
        case InvalidURL():
            return f"refused: {answer}"
        case Unsupported():
            return str(answer)


def _others(admitted: Iterable[Any]) -> list[str]:
    """Return a line for each other admissible result: the text, its variant and the ruling that admits it."""
    texts = ((one, "an error" if one.text is None else plain(one.text)) for one in admitted)
    return [f"{text}  ({one.variant}, {one.ruling})" for one, text in texts]


@oracle_command(click.argument("url"), spec_option(), _mode_option)
def normalize(url: str, spec: Specification | None, mode: Any, as_json: bool) -> int:
    """Print URL in normal form under each RFC.

    Other normal forms that the RFC admits follow, each with the ruling that admits it. Exit with 1 if RFC
    3986, or the RFC of --spec, refuses URL.
    """

    def ask(spec: Specification) -> PrintedAnswer:
        found = normal_forms(url, spec, mode)
        answer = {"url": found.text, "also": [other._asdict() for other in found.also]}
        return PrintedAnswer(answer, [plain(found.text), *(f"  or {other}" for other in _others(found.also))])

    return _answer(spec, as_json, ask)


@oracle_command(
    click.argument("file", metavar="[FILE]", default="-"),
    spec_option(text="The RFC, such as rfc1738 (default: rfc3986)."),
)
def extract(file: str, spec: Specification | None, as_json: bool) -> int:
    """Print the URLs in the text of FILE (default: stdin) under an RFC (default: 3986).

    White space inside delimiters is dropped. “(optional)” marks a URL that a program may also ignore. A line
    that begins with `or` is another reading of the URL above it. Exit with 1 if the text contains no URL.
    """
    with click.open_file(file, encoding="utf-8", errors="surrogateescape") as stream:
        text = stream.read()
    found = extract_urls(text, spec or SPECIFICATIONS[DEFAULT_SPEC])
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
    """Decide whether ONE and OTHER are equivalent under each RFC.

    Exit with 1 if they are not equivalent under RFC 3986, or under the RFC of --spec.
    """
    words = {True: "equivalent", False: "different", None: "a refusal"}

    def ask(spec: Specification) -> PrintedAnswer:
        found = compare(one, other, spec, mode)
        also = [{"equal": verdict.equal, "ruling": verdict.ruling} for verdict in found.also]
        differs = f": {', '.join(found.differs)}" if found.differs else ""
        lines = [f"{words[found.equal]}{differs}"]
        lines += [f"  {words[verdict.equal]} is admissible too ({verdict.ruling})" for verdict in found.also]
        answer = {"equal": found.equal, "also": also, "differs": list(found.differs)}
        return PrintedAnswer(answer, lines, Exit.PASSED if found.equal else Exit.FAILED)

    return _answer(spec, as_json, ask)


@oracle_command(click.argument("url"))
def decode(url: str, as_json: bool) -> int:
    """Show the decoded parts of an RFC 1738 URL, as a client uses them.

    Exit with 1 if URL is not valid.
    """
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
    """Print the base URL that applies under each RFC.

    Only RFC 1808 defines the header field, so --header selects RFC 1808. Exit with 1 if no base applies under
    RFC 3986, or under the RFC of --spec.
    """
    if header is not None:
        spec = spec or next(spec for spec in SPECIFICATIONS.values() if facts(spec.id).base_header)
        if layers["embedded"] is not None or facts(spec.id).base_header is None:
            raise click.UsageError("--header cannot be combined with --embedded or an RFC other than 1808")
        layers["embedded"] = base_header(header)

    if not as_json and not any(layers.values()):
        click.echo("no base URL: give --embedded, --header, --encapsulating, --retrieval or --default")
        return Exit.FAILED

    def ask(spec: Specification) -> PrintedAnswer:
        found = base_url(spec, **layers)
        text = f"{plain(found.url or '(none)')}  ({found.source}, section {found.section})"
        return PrintedAnswer(found._asdict(), [text], Exit.PASSED if found.url else Exit.FAILED)

    return _answer(spec, as_json, ask)


@oracle_command(click.argument("components", nargs=-1, required=True, metavar="NAME=VALUE..."), spec_option())
def recompose(components: tuple[str, ...], spec: Specification | None, as_json: bool) -> int:
    """Compose a URL under each RFC from components with the names that `urlconform parse` prints.

    A component that is not given is absent, but `query=` gives an empty query. `-` reads from stdin the JSON
    object that `urlconform parse --json --spec SPEC` prints. Exit with 1 if RFC 3986, or the RFC of --spec,
    does not allow the components.
    """
    given = _from_stdin() if components == ("-",) else dict(map(_pair, components))

    def ask(spec: Specification) -> PrintedAnswer:
        try:
            text = recompose_components(given, spec)
        except (TypeError, ValueError) as error:
            return PrintedAnswer({"invalid": str(error)}, [plain(str(error))], Exit.FAILED)
        return PrintedAnswer({"url": text}, [plain(text)])

    return _answer(spec, as_json, ask)


def _pair(argument: str) -> tuple[str, Any]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise click.UsageError(f"{argument!r} is not of the form NAME=VALUE")
    if name == "fieldspecs":  # a list of name=value pairs, separated by semicolons
        return name, [field.partition("=")[::2] for field in value.split(";")]
    return name, value


def _from_stdin() -> Components:
    try:
        return msgspec.json.decode(sys.stdin.buffer.read(), type=Components)
    except msgspec.DecodeError as error:
        why = f"stdin is not an object of components such as `urlconform parse --json` prints: {error}"
        raise click.UsageError(why) from None
