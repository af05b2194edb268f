"""The commands that map IRIs to URIs and URIs to IRIs (RFC 3987, sections 3.1 and 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import click

from urlharness.cli.oracle_options import oracle_command, print_json, rule_option, url_argument
from urlharness.exitcodes import Exit
from urlharness.explain.mappings import REASONS
from urlharness.text import plain, without_commands
from urloracle import operations
from urloracle.errors import InvalidURL
from urloracle.grammar.grammar import UnknownRule
from urloracle.rfc.admission import ruling_on_triplets
from urloracle.rfc.mapping import KEEPING_STEP, EncodedCharacter, Forms
from urloracle.rfcs import RFC3987


@oracle_command(url_argument("iri"), rule_option)
def to_uri(iri: str, rule: str | None, as_json: bool) -> int:
    """Map IRI to a URI (RFC 3987, section 3.1).

    Other URIs that the RFC admits follow, each with its ruling, and then what it admits besides. With --rule,
    IRI is a component, such as an isegment. Exit with 1 if it is invalid.
    """
    _check_rule(rule)
    forms = operations.uri_forms(iri, RFC3987, rule)
    rulings = operations.rulings_on_further_uris(iri, RFC3987, rule)
    further = [_FurtherAnswers(_FURTHER_URIS[ruling], ruling) for ruling in rulings]
    if forms.text is None:
        refusal = RFC3987.refusal(iri, rule)
        return _print_refusal(refusal, str(refusal), forms, further, as_json=as_json)
    _print_forms(forms, [], further, as_json=as_json)
    return Exit.PASSED


@oracle_command(url_argument("uri"), rule_option)
def to_iri(uri: str, rule: str | None, as_json: bool) -> int:
    """Convert URI to an IRI (RFC 3987, section 3.2).

    Other IRIs that the RFC admits follow, each with its ruling, then the triplets that may stay encoded, with
    the ruling, and those that stay, with the reason and the step of the RFC. With --rule, URI is a component,
    such as an iquery. Exit with 1 if it is invalid.
    """
    _check_rule(rule)
    forms = operations.iri_forms(uri, RFC3987, rule)
    if forms.text is None:
        refusal = operations.refusal_of_uri(uri, RFC3987, rule)
        description = str(refusal)
        is_iri = RFC3987.problem(uri, rule) is None
        if is_iri:
            description = f"not a URI: {refusal.problem}\n{refusal.caret()}"
        return _print_refusal(refusal, description, forms, [], as_json=as_json)
    triplets = operations.examined_triplets(uri, RFC3987, rule)
    remaining = [encoded for encoded in triplets if encoded.reason != "decoded"]
    further = []
    for encoded in triplets:
        ruling = ruling_on_triplets(encoded)
        if ruling is not None:
            words = f"{encoded.written} may stay at offset {encoded.offset}"
            further.append(_FurtherAnswers(words, ruling))
    _print_forms(forms, remaining, further, as_json=as_json)
    return Exit.PASSED


def _check_rule(rule: str | None) -> None:
    """Raise a usage error if RFC 3987 has no such rule."""
    try:
        RFC3987.grammar.canonical_name(rule or RFC3987.default_rule)
    except UnknownRule as unknown:
        raise click.BadParameter(f"{RFC3987.title} has {unknown}", param_hint="--rule") from None


class _FurtherAnswers(NamedTuple):
    """Admissible answers that are not listed, in words, and the ruling that admits them."""

    words: str
    ruling: str


#: Admissible answers to an IRI that are not listed, by ruling.
_FURTHER_URIS = {
    "R-3987-06": "a refusal is admitted, since section 4.1 forbids a character",
    "R-3987-20": "a host by another version of IDNA is admitted, or a refusal if that has none",
    "R-3987-38": "lower-case digits of new triplets are admitted",
}


def _print_forms(
    forms: Forms, remaining: Sequence[EncodedCharacter], further: Sequence[_FurtherAnswers], *, as_json: bool
) -> None:
    """Print the answer, which is no refusal, the other admissible answers, and the triplets that stay."""
    if as_json:
        answer: dict[str, Any] = {"url": forms.text, **_alternatives_as_json(forms, further)}
        triplets = [encoded._asdict() for encoded in remaining]
        if triplets:
            answer["kept"] = triplets
        print_json(answer)
        return
    click.echo(plain(forms.text or ""))
    for line in _alternative_lines(forms, further):
        click.echo(line)
    for encoded in remaining:
        click.echo(_remaining_line(encoded))


def _print_refusal(
    problem: InvalidURL, description: str, forms: Forms, further: Sequence[_FurtherAnswers], *, as_json: bool
) -> int:
    """Print why a text is refused, and what a program may make of it; return the exit code.

    `description` says why in words.
    """
    if as_json:
        print_json({"valid": False, **problem.asdict(), **_alternatives_as_json(forms, further)})
        return Exit.FAILED
    click.echo(without_commands(description))
    for line in _alternative_lines(forms, further):
        click.echo(line)
    return Exit.FAILED


def _alternatives_as_json(forms: Forms, further: Sequence[_FurtherAnswers]) -> dict[str, Any]:
    """Return the other admissible answers as JSON data: those that are listed, and `further` ones."""
    fields: dict[str, Any] = {"also": [alternative._asdict() for alternative in forms.also]}
    if further:
        fields["further"] = [answers._asdict() for answers in further]
    return fields


def _alternative_lines(forms: Forms, further: Sequence[_FurtherAnswers]) -> Iterator[str]:
    """Yield a line for each other admissible answer, or kind of them, with the ruling that admits it."""
    for alternative in forms.also:
        text = "a refusal" if alternative.text is None else plain(alternative.text)
        yield f"  or {text}  ({alternative.variant}, {alternative.ruling})"
    for answers in further:
        yield f"  {answers.words}  ({answers.ruling})"


def _remaining_line(encoded: EncodedCharacter) -> str:
    """Return a line on a triplet that stays encoded, with the reason and the step of the RFC."""
    step = KEEPING_STEP[encoded.reason]
    return f"{encoded.written} stays at offset {encoded.offset}: {REASONS[encoded.reason]} (step {step})"
