"""The commands that ask the oracle one question, such as `validate`, `parse` and `resolve`.

Without `--spec` they show the answers of all RFCs, but that of RFC 3987 only if a text has characters beyond
ASCII. The answer of RFC 3986 comes first and decides the exit code; those of the RFCs that it obsoletes and
updates come last, below a line that says so. As JSON, the RFCs are in the order of the corpus. Only `extract`
without `--spec` uses RFC 3986 alone.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from urlharness.cli.oracle_options import (
    Decorator,
    oracle_command,
    print_json,
    profile_option,
    rule_option,
    spec_option,
    url_argument,
)
from urlharness.corpus.model import MODES, USUAL_MODES, Components, Mode, NormalizationMode
from urlharness.corpus.specifications import DEFAULT_SPEC, facts, in_reading_order, older_specs, specs_for
from urlharness.exitcodes import Exit
from urlharness.jsonio import decoded_as_json
from urlharness.text import plain, without_commands
from urloracle.errors import InvalidURL
from urloracle.explanation import nearest_valid
from urloracle.grammar.grammar import UnknownRule
from urloracle.nearest import Repair, zone_in_words
from urloracle.operations import base_header, base_url, normal_forms
from urloracle.operations import decode as decode_url
from urloracle.operations import equivalent as compare
from urloracle.operations import extract as extract_urls
from urloracle.operations import recompose as recompose_components
from urloracle.operations import resolve as resolve_reference
from urloracle.readings import condition_in_words
from urloracle.rfc.equivalence import Equivalence
from urloracle.rfc.extraction import ExtractedURL
from urloracle.rfc.normalization import OTHER_PORTS
from urloracle.rfc.resolution import Alternative, Resolution
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Profile, Specification, Unsupported

if TYPE_CHECKING:
    from urlharness.cli.browsers import BrowserAnswer

#: The RFC that decides the exit code without `--spec`.
_DECIDING = SPECIFICATIONS[DEFAULT_SPEC]

#: The brackets with which a URL between white space may end.
_CLOSING_BRACKETS = ")]"

#: Why two URLs that are equivalent by the rules of the scheme count as different.
_WHY_DIFFERENT = "the exit status is 1, as the default is --mode syntax; with --mode scheme it is 0"

#: A text in which people take the beginning for a host and a port.
_HOST_AND_PORT = re.compile(r"(?:localhost|[a-z][^:/?#]*\.[^:/?#]*):[0-9]+(?:[/?#].*)?", re.IGNORECASE)


def _mode_option(modes: Sequence[str], text: str) -> Decorator:
    """Return the option `--mode` with these modes. The first one is the default."""
    return click.option("--mode", type=click.Choice(modes), default=modes[0], show_default=True, help=text)


class PrintedAnswer(NamedTuple):
    """The answer of one RFC, as JSON and as lines, with the exit code.

    `problem` is the error if the RFC rejects the text, otherwise None. `components` are those of `parse`.
    """

    json: object
    lines: Iterable[str]
    code: Exit = Exit.PASSED
    problem: InvalidURL | None = None
    components: Mapping[str, Any] | None = None


#: A question, as a function that asks it of one RFC. It may raise InvalidURL, UnknownRule or Unsupported.
_Ask = Callable[[Specification], PrintedAnswer]


# ---- commands


@oracle_command(url_argument("url"), spec_option(), rule_option, profile_option)
def validate(
    url: str, spec: Specification | None, rule: str | None, profile: Profile | None, as_json: bool
) -> int:
    """Decide whether URL is valid under each RFC.

    A line says what browsers make of it. Exit with 1 if it is not valid under RFC 3986, or under the RFC of
    --spec.
    """
    deciding_spec = spec or _DECIDING

    def ask(asked_spec: Specification) -> PrintedAnswer:
        """Return the answer of one RFC."""
        has_details = asked_spec is deciding_spec
        problem = asked_spec.problem(url, rule, profile)
        if problem is None:
            return _valid_answer(asked_spec, url, rule, profile, has_details=has_details)
        repair = nearest_valid(url, asked_spec, rule, profile)
        return _invalid_answer(problem, repair, has_details=has_details)

    has_browser_answer = spec is None and rule is None
    browsers = _browser_answer(url) if has_browser_answer else None
    return _print_answer(spec, as_json, ask, [url], browsers)


def _valid_answer(
    spec: Specification, url: str, rule: str | None, profile: Profile | None, *, has_details: bool
) -> PrintedAnswer:
    """Return the answer of an RFC about a valid text.

    Without a profile it names the condition in prose that the text does not meet. With details, it says what
    the text is if that may surprise.
    """
    lines = [f"valid {rule or spec.default_rule} of {spec.title}"]
    condition = condition_in_words(url, spec, rule) if profile is None else ""
    if condition:
        lines.append(condition)
    if rule is None and has_details:
        lines += _surprising_scheme_lines(spec, url, profile)
    return PrintedAnswer({"valid": True}, lines)


def _invalid_answer(problem: InvalidURL, repair: Repair | None, *, has_details: bool) -> PrintedAnswer:
    """Return the answer of an RFC about an invalid text, with the nearest valid text if there is one.

    With details, it has a line on the zone of an address.
    """
    lines = [str(problem)]
    zone = zone_in_words(problem)
    if zone and has_details:
        lines.append(zone)
    if repair is not None:
        repaired = plain(repair.text) or "(empty text)"
        lines.append(f"nearest: {repaired}  ({plain(repair.description)})")
    nearest = repair._asdict() if repair else None
    answer = {"valid": False, **problem.asdict(), "nearest": nearest}
    return PrintedAnswer(answer, lines, Exit.FAILED, problem)


def _surprising_scheme_lines(spec: Specification, url: str, profile: Profile | None) -> Iterator[str]:
    """Yield a line on a valid text that is probably not what the user takes it for.

    Either it has no scheme, or it begins with a host and a port, which make a scheme and a path.
    """
    components = spec.asdict(spec.parse(url, profile=profile))
    scheme = components["scheme"]
    if scheme is None:
        part = "authority"
        text = components[facts(spec.id).component_for("authority")]  # under the name of the RFC
        if text is None:
            part = "path"
            text = components["path"]
        words = plain(text) if text else "(empty)"
        yield f"it has no scheme, so it is a relative reference, with the {part} {words}"
    elif _HOST_AND_PORT.fullmatch(url):
        yield f"its scheme is {scheme}, and it has no host, which would come after //: http://{plain(url)}"


@oracle_command(url_argument("url"), spec_option(), rule_option, profile_option)
def parse(
    url: str, spec: Specification | None, rule: str | None, profile: Profile | None, as_json: bool
) -> int:
    """Print the components of URL under each RFC, and those that browsers see.

    Exit with 1 if RFC 3986, or the RFC of --spec, refuses URL.
    """
    deciding_spec = spec or _DECIDING

    def ask(asked_spec: Specification) -> PrintedAnswer:
        """Return the answer of one RFC."""
        try:
            parts = asked_spec.asdict(asked_spec.parse(url, rule, profile))
        except InvalidURL as problem:
            return _refusal(problem, has_details=asked_spec is deciding_spec)
        return PrintedAnswer(parts, _table_lines(parts), components=parts)

    browsers = _browser_answer(url) if spec is None and rule is None else None
    if spec is not None or as_json:
        return _print_answer(spec, as_json, ask, [url], browsers)
    replies = _in_reading_order(_ask_all(ask, [url]))
    _print_table_of_components(replies, browsers)
    return replies[_DECIDING].code


def _print_table_of_components(
    replies: Mapping[Specification, PrintedAnswer], browsers: BrowserAnswer | None
) -> None:
    """Print the components of all RFCs side by side, then the refusals and the answer of browsers."""
    from urlharness.cli.output import console
    from urlharness.explain.page import show_components

    splits = {}
    for rfc, reply in replies.items():
        is_defined = reply.problem is not None or reply.components is not None
        if is_defined:
            splits[rfc.id] = (reply.problem, reply.components)
    show_components(console(), splits)
    click.echo()
    for rfc, reply in replies.items():
        if reply.problem is not None:
            _print_lines(_titled_lines(rfc, reply))
    if browsers is not None:
        _print_lines([browsers.line])
    _print_lines(["", f"{facts(DEFAULT_SPEC).precedence}."])


def _refuse_base_option(_context: click.Context, _parameter: click.Parameter, base: str | None) -> None:
    """Raise a usage error that says where the base belongs, if it is given as an option."""
    if base is not None:
        raise click.UsageError(
            "the base is the first argument, not an option: urlconform resolve BASE REFERENCE"
        )


@oracle_command(
    url_argument("base"),
    url_argument("reference"),
    spec_option(),
    click.option("--base", "_", hidden=True, is_eager=True, expose_value=False, callback=_refuse_base_option),
)
def resolve(base: str, reference: str, spec: Specification | None, as_json: bool) -> int:
    """Resolve REFERENCE against BASE under each RFC.

    If an RFC admits several results, the recommended one comes first. A line shows the target of browsers.
    Exit with 1 if RFC 3986, or the RFC of --spec, gives no result.
    """
    deciding_spec = spec or _DECIDING

    def ask(asked_spec: Specification) -> PrintedAnswer:
        """Return the answer of one RFC."""
        return _resolution_answer(base, reference, asked_spec, has_details=asked_spec is deciding_spec)

    if spec is None:
        replies = _ask_all(ask, [base, reference])
        browsers = _browser_answer(reference, base)
        _print_replies(as_json, replies, browsers)
    else:
        replies = {spec: ask(spec)}
        _print_replies(as_json, replies)
    return replies[deciding_spec].code


def _resolution_answer(base: str, reference: str, spec: Specification, *, has_details: bool) -> PrintedAnswer:
    """Return the target under an RFC, or its refusal. With details, a refusal says if a zone is the reason.

    Raise Unsupported if the RFC does not define relative references.
    """
    if not spec.defines("resolve"):
        raise Unsupported(f"{spec.title} does not define relative references")
    answer = _resolution_or_refusal(base, reference, spec)
    lines = [_resolution_in_words(answer)]
    if isinstance(answer, InvalidURL) and has_details:
        zone = zone_in_words(answer)
        if zone:
            lines.append(zone)
    code = Exit.PASSED if isinstance(answer, Resolution) else Exit.FAILED
    return PrintedAnswer(_resolution_as_json(answer), lines, code)


@oracle_command(
    url_argument("url"),
    spec_option(),
    _mode_option(USUAL_MODES, "Apply the generic syntax only, or also the rules of the scheme."),
)
def normalize(url: str, spec: Specification | None, mode: NormalizationMode, as_json: bool) -> int:
    """Print URL in normal form under each RFC.

    Other normal forms that the RFC admits follow, each with the ruling that admits it. Exit with 1 if RFC
    3986, or the RFC of --spec, refuses URL.
    """

    def ask(asked_spec: Specification) -> PrintedAnswer:
        """Return the answer of one RFC."""
        forms = normal_forms(url, asked_spec, mode)
        also = [admitted._asdict() for admitted in forms.also]
        lines = [plain(forms.text)]
        lines += [f"  or {line}" for line in _admitted_lines(forms.also)]
        return PrintedAnswer({"url": forms.text, "also": also}, lines)

    return _print_answer(spec, as_json, ask, [url])


@oracle_command(
    click.argument("file", metavar="[FILE]", default="-"),
    spec_option(text="The RFC, such as rfc1738 (default: rfc3986)."),
)
def extract(file: str, spec: Specification | None, as_json: bool) -> int:
    """Print the URLs in the text of FILE (default: stdin) under an RFC (default: 3986).

    White space inside delimiters is dropped. “(optional)” marks a URL that a program may also ignore. A line
    that begins with `or` is another reading of the URL above it. The first is the recommended one, unless
    another one only closes its brackets. Exit with 1 if the text contains no URL.
    """
    with click.open_file(file, encoding="utf-8", errors="surrogateescape") as stream:
        text = stream.read()
    urls = extract_urls(text, spec or SPECIFICATIONS[DEFAULT_SPEC])
    answer = []
    lines = []
    for url in urls:
        readings = [reading._asdict() for reading in url.readings]
        answer.append({**url._asdict(), "readings": readings})
        first, *further = _with_closed_brackets_first(url.readings)
        mark = "  (optional)" if url.optional else ""
        lines.append(f"{_extracted_in_words(first)}{mark}")
        lines += [f"  or {_extracted_in_words(reading)}  ({reading.ruling})" for reading in further]
    _print_json_or_lines(as_json, answer, lines)
    return Exit.PASSED if urls else Exit.FAILED


def _with_closed_brackets_first(readings: Sequence[ExtractedURL]) -> Sequence[ExtractedURL]:
    """Return the readings of a URL, the recommended one first, unless another one only closes its brackets.

    Both are admitted, but a reader of the text means the whole `/Blur_(band)`, and takes the recommended
    `/Blur_(band` for a mistake.
    """
    recommended, *others = readings
    for reading in others:
        if not reading.text.startswith(recommended.text):
            continue
        addition = reading.text.removeprefix(recommended.text)
        if not addition.strip(_CLOSING_BRACKETS):
            further = [admitted for admitted in others if admitted is not reading]
            return [reading, recommended, *further]
    return readings


def _extracted_in_words(url: ExtractedURL) -> str:
    """Return a URL that was extracted in words, with its fragment if that is no part of it."""
    fragment = "" if url.fragment is None else f" with fragment {url.fragment}"
    return plain(f"{url.text}{fragment}")


@oracle_command(
    url_argument("first", metavar="ONE"),
    url_argument("second", metavar="OTHER"),
    spec_option(),
    _mode_option(
        MODES, "Apply the generic syntax only, or also the rules of the scheme, or (RFC 3987 only) neither."
    ),
)
def equivalent(first: str, second: str, spec: Specification | None, mode: Mode, as_json: bool) -> int:
    """Decide whether ONE and OTHER are equivalent under each RFC.

    If only the rules of the scheme make them equivalent, the answer begins with that. It also begins with
    what a default port would change that none of the RFCs defines, such as that of https. Exit with 1 if they
    are not equivalent in the mode of --mode under RFC 3986, or under the RFC of --spec.
    """
    deciding_spec = spec or _DECIDING
    if mode == "simple":
        _check_simple_mode(deciding_spec)

    def ask(asked_spec: Specification) -> PrintedAnswer:
        """Return the answer of one RFC."""
        return _equivalence_answer(first, second, asked_spec, mode, decides=asked_spec is deciding_spec)

    return _print_answer(spec, as_json, ask, [first, second])


def _equivalence_answer(
    first: str, second: str, spec: Specification, mode: Mode, *, decides: bool
) -> PrintedAnswer:
    """Return the verdict of an RFC on two URLs, or which of them it refuses.

    If this RFC decides about the exit code, the answer has the details.
    """
    try:
        verdict = compare(first, second, spec, mode)
    except InvalidURL as problem:
        name = "ONE" if problem.text == first else "OTHER"
        return _refusal_of_operand(name, problem, has_details=decides)
    code = Exit.PASSED if verdict.equal else Exit.FAILED
    answer = _verdict_as_json(verdict)
    if mode == "simple":
        return PrintedAnswer(answer, _verdict_in_words(verdict), code)
    by_scheme = verdict
    if mode == "syntax":
        by_scheme = compare(first, second, spec, "scheme")
        answer["scheme"] = _verdict_as_json(by_scheme)
    if verdict.equal:
        lines = _verdict_in_words(verdict)
    elif by_scheme.equal:
        lines = _lines_equal_by_scheme(spec, verdict, decides=decides)
    else:
        lines = _lines_different(first, second, spec, mode, verdict)
    return PrintedAnswer(answer, lines, code)


def _refusal_of_operand(name: str, problem: InvalidURL, *, has_details: bool) -> PrintedAnswer:
    """Return the answer that one of two URLs, the argument `name`, is invalid."""
    lines = [f"{name} is invalid: {problem.fault}"]
    if has_details:
        lines = [f"{name} is invalid: {problem.problem}", *problem.caret().splitlines()]
        zone = zone_in_words(problem)
        if zone:
            lines.append(zone)
    refusal = {"valid": False, "invalid": problem.text, **problem.asdict()}
    return PrintedAnswer(refusal, lines, Exit.FAILED)


def _lines_equal_by_scheme(spec: Specification, by_syntax: Equivalence, *, decides: bool) -> list[str]:
    """Return the verdict on two URLs that are equivalent by the rules of the scheme, but not by syntax.

    If this RFC decides about the exit status, a line says why that is 1.
    """
    sections = facts(spec.id).mode_sections
    source = f"section {sections['scheme']}, --mode scheme" if sections else "--mode scheme"
    by_scheme = f"equivalent by the rules of the scheme ({source})"
    lines = [by_scheme, *_verdict_in_words(by_syntax, _by_syntax_alone(spec))]
    return [*lines, _WHY_DIFFERENT] if decides else lines


def _lines_different(
    first: str, second: str, spec: Specification, mode: Mode, verdict: Equivalence
) -> list[str]:
    """Return the verdict on two URLs that are different both in a mode and by the rules of the scheme."""
    port_lines = _lines_equal_by_other_port(first, second, spec)
    manner = ""
    if port_lines:
        manner = _by_syntax_alone(spec) if mode == "syntax" else " otherwise"
    return [*port_lines, *_verdict_in_words(verdict, manner)]


def _by_syntax_alone(spec: Specification) -> str:
    """Return the end of the sentence that two URLs are different, if only their syntax was compared."""
    sections = facts(spec.id).mode_sections
    return f" by syntax alone (section {sections['syntax']})" if sections else " by syntax alone"


def _lines_equal_by_other_port(first: str, second: str, spec: Specification) -> list[str]:
    """Say that two URLs are equivalent if a default port counts that none of the RFCs defines.

    Return no lines if they are not, or if the RFC has no section on the rules of schemes (R-3986-39).
    """
    sections = facts(spec.id).mode_sections
    if not sections:
        return []
    first_without_port = _without_other_port(first, spec)
    second_without_port = _without_other_port(second, spec)
    has_other_port = first_without_port != first or second_without_port != second
    if not has_other_port:
        return []
    if not compare(first_without_port, second_without_port, spec, "scheme").equal:
        return []
    scheme = spec.parse(first).scheme.lower()
    section = sections["scheme"]
    return [
        f"equivalent if {OTHER_PORTS[scheme]} is the default port of {scheme} (section {section});",
        "other RFCs say so, but here only those of RFC 1738 count (R-3986-39)",
    ]


def _without_other_port(url: str, spec: Specification) -> str:
    """Return a URL without its port, if that is a default port that none of the RFCs defines."""
    components = spec.asdict(spec.parse(url))
    other_port = OTHER_PORTS.get(components["scheme"].lower())
    if other_port is None or components["port"] != other_port:
        return url
    # the authority has the port, and its parts alone suffice
    return recompose_components({**components, "authority": None, "port": None}, spec)


def _check_simple_mode(spec: Specification) -> None:
    """Raise a usage error if an RFC does not compare texts character by character."""
    if spec.algorithms.compare_simply is None:
        comparing = [rfc.id for rfc in SPECIFICATIONS.values() if rfc.algorithms.compare_simply]
        raise click.UsageError(f"{spec.title} has no mode simple; use --spec {' or '.join(comparing)}")


def _verdict_as_json(verdict: Equivalence) -> dict[str, Any]:
    """Return the verdict on two URLs as JSON data, with the other admissible verdicts."""
    admitted = [{"equal": variant.equal, "ruling": variant.ruling} for variant in verdict.also]
    return {"equal": verdict.equal, "also": admitted, "differs": list(verdict.differs)}


def _verdict_in_words(verdict: Equivalence, manner: str = "") -> list[str]:
    """Return the verdict on two URLs in words, with the other admissible verdicts on lines of their own.

    `manner` says by which rules the URLs are compared.
    """
    words = {True: "equivalent", False: "different", None: "a refusal"}  # only another verdict can be None
    differs = f": {', '.join(verdict.differs)}" if verdict.differs else ""
    lines = [f"{words[verdict.equal]}{manner}{differs}"]
    lines += [f"  {words[variant.equal]} is admissible too ({variant.ruling})" for variant in verdict.also]
    return lines


@oracle_command(url_argument("url"))
def decode(url: str, as_json: bool) -> int:
    """Show the decoded parts of an RFC 1738 URL, as a client uses them.

    Exit with 1 if URL is not valid.
    """
    view = decoded_as_json(decode_url(url))
    _print_json_or_lines(as_json, view, _table_lines(view))
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
    selected_spec = spec
    bases = dict(layers)
    if header is not None:
        selected_spec = _spec_of_header()
        if layers["embedded"] is not None or spec not in (None, selected_spec):
            raise click.UsageError("--header cannot be combined with --embedded or an RFC other than 1808")
        bases["embedded"] = base_header(header)
    texts = [text for text in bases.values() if text]
    if not as_json and not texts:  # as JSON, each RFC says that there is none
        click.echo("no base URL: give --embedded, --header, --encapsulating, --retrieval or --default")
        return Exit.FAILED

    def ask(asked_spec: Specification) -> PrintedAnswer:
        """Return the answer of one RFC."""
        answer = base_url(asked_spec, **bases)
        url = plain(answer.url) if answer.url else "(none)"
        line = f"{url}  ({answer.source}, section {answer.section})"
        code = Exit.PASSED if answer.url else Exit.FAILED
        return PrintedAnswer(answer._asdict(), [line], code)

    return _print_answer(selected_spec, as_json, ask, texts)


def _spec_of_header() -> Specification:
    """Return the only RFC that defines a header field for the base."""
    (header_spec,) = (spec for spec in SPECIFICATIONS.values() if facts(spec.id).base_header)
    return header_spec


@oracle_command(click.argument("components", nargs=-1, required=True, metavar="NAME=VALUE..."), spec_option())
def recompose(components: tuple[str, ...], spec: Specification | None, as_json: bool) -> int:
    """Compose a URL under each RFC from components with the names that `urlconform parse` prints.

    A component that is not given is absent, but `query=` gives an empty query. `-` reads from stdin the JSON
    object that `urlconform parse --json --spec SPEC` prints. Exit with 1 if RFC 3986, or the RFC of --spec,
    does not allow the components.
    """
    parts = _read_components() if components == ("-",) else _components_from_arguments(components)

    def ask(asked_spec: Specification) -> PrintedAnswer:
        """Return the answer of one RFC."""
        try:
            text = recompose_components(parts, asked_spec)
        except (TypeError, ValueError) as error:
            return PrintedAnswer({"invalid": str(error)}, [plain(str(error))], Exit.FAILED)
        return PrintedAnswer({"url": text}, [plain(text)])

    texts = [part for part in parts.values() if isinstance(part, str)]
    return _print_answer(spec, as_json, ask, texts)


def _components_from_arguments(arguments: Sequence[str]) -> Components:
    """Return the components of arguments `NAME=TEXT`. Raise a usage error if one has no equals sign.

    If a name is given twice, the last text counts. The text of `fieldspecs` (RFC 1738) becomes a list of
    (name, content).
    """
    components: Components = {}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        if not equals:
            raise click.UsageError(f"{argument!r} is not of the form NAME=VALUE")
        components[name] = _fields_of(text) if name == "fieldspecs" else text
    return components


def _fields_of(text: str) -> list[tuple[str, str]]:
    """Return the (name, content) of each field in `NAME=CONTENT;NAME=CONTENT`."""
    fields = []
    for field in text.split(";"):
        name, _, content = field.partition("=")
        fields.append((name, content))
    return fields


def _read_components() -> Components:
    """Read components from stdin. Raise a usage error if they are not those of `urlconform parse --json`."""
    try:
        return msgspec.json.decode(sys.stdin.buffer.read(), type=Components)
    except msgspec.DecodeError as error:
        why = f"stdin is not an object of components such as `urlconform parse --json` prints: {error}"
        raise click.UsageError(why) from None


# ---- results of resolution, and further admissible results


def _resolution_or_refusal(
    base: str, reference: str, spec: Specification
) -> Resolution | InvalidURL | Unsupported:
    """Return the target, or why the RFC gives none: `resolve` shows all refusals beside each other."""
    try:
        return resolve_reference(base, reference, spec)
    except (InvalidURL, Unsupported) as refusal:
        return refusal


def _resolution_as_json(answer: Resolution | InvalidURL | Unsupported) -> dict[str, Any]:
    """Return a target, a refusal or a missing definition as JSON data."""
    match answer:
        case Resolution():
            also = [
                {"url": admitted.text, "variant": admitted.variant, "ruling": admitted.ruling}
                for admitted in answer.also
            ]
            return {"url": answer.text, "same_document": answer.same_document, "also": also}
        case InvalidURL():
            return {"invalid": answer.text, **answer.asdict()}
        case Unsupported():
            return {"unsupported": str(answer)}


def _resolution_in_words(answer: Resolution | InvalidURL | Unsupported) -> str:
    """Return an answer in words. Other admissible targets follow on lines of their own."""
    match answer:
        case Resolution():
            target = plain(answer.text)
            if answer.same_document:
                target += "  (same document, R-2396-06)"
            return "\n       or  ".join([target, *_admitted_lines(answer.also)])
        case InvalidURL():
            return f"refused: {answer}"
        case Unsupported():
            return str(answer)


def _admitted_lines(admitted_results: Iterable[Alternative]) -> Iterator[str]:
    """Yield a line for each other admissible result: the text, its variant and the ruling that admits it."""
    for admitted in admitted_results:
        text = "an error" if admitted.text is None else plain(admitted.text)
        yield f"{text}  ({admitted.variant}, {admitted.ruling})"


# ---- the answers of one RFC, or of all of them side by side


def _browser_answer(text: str, base: str | None = None) -> BrowserAnswer:
    """Return what browsers make of a text, or of a reference. Their parser is loaded only for that."""
    from urlharness.cli.browsers import browser_answer

    return browser_answer(text, base)


def _print_answer(
    spec: Specification | None,
    as_json: bool,
    ask: _Ask,
    texts: Iterable[str],
    browsers: BrowserAnswer | None = None,
) -> int:
    """Print the reply of one RFC or, if `spec` is None, the replies of all RFCs and the answer of browsers.

    The RFCs are those that have something to say on the texts of the question. Return the exit code. If all
    RFCs are asked, it is that of `_DECIDING`.
    """
    if spec is not None:
        reply = ask(spec)
        _print_json_or_lines(as_json, reply.json, reply.lines)
        return reply.code
    replies = _ask_all(ask, texts)
    _print_replies(as_json, replies, browsers)
    return replies[_DECIDING].code


def _ask_all(ask: _Ask, texts: Iterable[str]) -> dict[Specification, PrintedAnswer]:
    """Ask each RFC, and return its reply: an answer, a refusal, or why the RFC does not define the answer.

    An RFC on IRIs is asked only if one of the texts of the question has characters beyond ASCII.

    Raise a usage error if RFC 3986 does not define the answer.
    """
    replies: dict[Specification, PrintedAnswer] = {}
    reasons: dict[Specification, str] = {}  # of the RFCs that do not define the answer
    for spec_id in specs_for(*texts):
        spec = SPECIFICATIONS[spec_id]
        try:
            replies[spec] = ask(spec)
        except InvalidURL as problem:
            replies[spec] = _refusal(problem, has_details=spec is _DECIDING)
        except UnknownRule as unknown:
            reasons[spec] = f"{spec.title} has {unknown}"
        except Unsupported as unsupported:
            reasons[spec] = str(unsupported)
        if spec in reasons:
            replies[spec] = PrintedAnswer({"unsupported": reasons[spec]}, [reasons[spec]])
    if _DECIDING in reasons:
        answering = " or ".join(spec.id for spec in replies if spec not in reasons)
        hint = f"; use --spec {answering}" if answering else ""
        raise click.UsageError(f"{reasons[_DECIDING]}{hint}")
    return replies


def _refusal(problem: InvalidURL, *, has_details: bool) -> PrintedAnswer:
    """Return the reply of an RFC that refuses a text. With details, it says if this is because of a zone."""
    lines = [str(problem)]
    zone = zone_in_words(problem) if has_details else ""
    if zone:
        lines.append(zone)
    return PrintedAnswer({"valid": False, **problem.asdict()}, lines, Exit.FAILED, problem)


def _print_replies(
    as_json: bool,
    replies: Mapping[Specification, PrintedAnswer],
    browsers: BrowserAnswer | None = None,
) -> None:
    """Print the replies of RFCs, and the answer of browsers if there is one.

    If RFC 3986 is among them, the older RFCs come last, below a line that says which RFC takes precedence.
    """
    if as_json:
        by_rfc: dict[str, object] = {spec.id: reply.json for spec, reply in replies.items()}
        if browsers is not None:
            by_rfc["browsers"] = browsers.json
        print_json(by_rfc)
        return
    older = older_specs() if _DECIDING in replies else frozenset()
    below_heading: list[str] = []
    for spec, reply in _in_reading_order(replies).items():
        lines = _titled_lines(spec, reply)
        if spec.id in older:
            below_heading += lines
        else:
            _print_lines(lines)
    if browsers is not None:
        _print_lines([browsers.line])
    if below_heading:
        _print_lines(["", f"{facts(DEFAULT_SPEC).precedence}:", *below_heading])


def _in_reading_order(
    replies: Mapping[Specification, PrintedAnswer],
) -> dict[Specification, PrintedAnswer]:
    """Return the replies in the order in which people read them."""
    order = in_reading_order(spec.id for spec in replies)
    specs = sorted(replies, key=lambda spec: order.index(spec.id))
    return {spec: replies[spec] for spec in specs}


def _titled_lines(spec: Specification, reply: PrintedAnswer) -> Iterator[str]:
    """Yield the lines of a reply. The first line begins with the title of the RFC, others are indented."""
    lines = list(reply.lines)
    if reply.problem is not None:
        lines[0] = f"invalid: {reply.problem.fault}"  # shorter than the message, which has several lines
    margin = spec.title
    for line in lines:
        # the margin names the RFC already
        words = line.removeprefix(f"{spec.title} ").removesuffix(f" of {spec.title}")
        words = words.replace(f" of {spec.title}: ", ": ", 1)
        yield f"{margin}  {words}"
        margin = " " * len(spec.title)


def _print_json_or_lines(as_json: bool, answer: object, lines: Iterable[str]) -> None:
    """Print an answer: as one line of JSON, or else as lines for people."""
    if as_json:
        print_json(answer)
    else:
        _print_lines(lines)


def _print_lines(lines: Iterable[str]) -> None:
    """Print each line on stdout."""
    for line in lines:
        click.echo(without_commands(line))


def _table_lines(parts: dict[str, Any]) -> list[str]:
    """Return a line for each part of a URL, including absent parts and empty ones."""
    width = max(map(len, parts))
    return [f"{name:{width}}  {_part_in_words(part)}" for name, part in parts.items()]


def _part_in_words(part: Any) -> str:
    """Return a part of a URL in words. Parts that are no text, such as a list of fields, become JSON."""
    match part:
        case None:
            return "(absent)"
        case "":
            return "(empty)"
        case str():
            return plain(part)
    return json.dumps(part)
