"""Gather an explanation: the answers of the RFCs to a text or to a reference with a base, also as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from urlharness.corpus.differences import load_rulings
from urlharness.corpus.loader import load_classes
from urlharness.explain.by_rfc import compare_resolutions, compare_splits
from urlharness.explain.classify import AgreeingRFCs, Differences, NamedDifference, classify
from urlharness.explain.mappings import ExplainedMapping, explain_mapping
from urloracle.errors import InvalidURL
from urloracle.explanation import Explanation, explain
from urloracle.operations import resolve
from urloracle.rfc.resolution import Alternative, Resolution, Step
from urloracle.rfcs import SPECIFICATIONS, specification
from urloracle.specification import Specification


@dataclass(frozen=True)
class Explained:
    """The answers of RFCs to a text.

    `others` contains other ways to split the text, by RFC. It is empty if there is a base. `targets` contains
    the targets by RFC. It is empty if there is no base. `silent` contains the RFCs that do not define an
    answer. `mappings` contains what the text becomes as a URI or an IRI, by RFC on IRIs. It is empty if there
    is a base. `generic` is true if RFC 1738 refuses the text by the rule of the scheme, but the generic form
    of RFC 1738 derives the text.
    """

    text: str
    base: str | None
    answers: Mapping[str, Explanation]
    others: Mapping[str, Sequence[Mapping[str, Any]]]
    targets: Mapping[str, Resolution]
    differences: Differences
    silent: tuple[str, ...] = ()
    mappings: Mapping[str, ExplainedMapping] = field(default_factory=dict)
    generic: bool = False


def gather_explanations(text: str, specs: Sequence[str], base: str | None = None) -> Explained:
    """Return the answers of the RFCs to a text, and the classes of their differences.

    With a base, the text is a reference. RFCs that do not define references are then silent.
    """
    defining = list(specs)
    if base is not None:
        defining = [spec for spec in specs if specification(spec).defines("resolve")]
    silent = [spec for spec in specs if spec not in defining]
    answers = {spec: explain(text, spec, base=base) for spec in defining}
    accepting = [spec for spec, answer in answers.items() if answer.valid]
    refusing = [specification(spec) for spec in defining if spec not in accepting]
    classified = [spec for spec in defining if spec in SPECIFICATIONS]  # there are no classes for others
    others: dict[str, Sequence[Mapping[str, Any]]] = {}
    targets: dict[str, Resolution] = {}
    mappings: dict[str, ExplainedMapping] = {}
    if base is None:
        question = compare_splits(text, classified)
        others = {spec: _other_splits(answer) for spec, answer in answers.items()}
        mappings = _mappings(text, accepting)
    else:
        question = compare_resolutions(base, text, classified)
        targets = {spec: resolve(base, text, spec) for spec in accepting}
    return Explained(
        text=text,
        base=base,
        answers=answers,
        others=others,
        targets=targets,
        differences=classify(question, load_classes()),
        silent=tuple(silent),
        mappings=mappings,
        generic=any(_derives_by_generic_form(spec, text) for spec in refusing),
    )


def _mappings(text: str, accepting: Sequence[str]) -> dict[str, ExplainedMapping]:
    """Return what a text becomes under each RFC on IRIs among those that accept it."""
    mappings = {}
    for spec in accepting:
        if not specification(spec).defines("to_uri"):
            continue
        mapping = explain_mapping(text, spec)
        if mapping is not None:
            mappings[spec] = mapping
    return mappings


def _derives_by_generic_form(spec: Specification, text: str) -> bool:
    """Return True if an RFC whose schemes have rules of their own derives a text by the rule for others."""
    return spec.by_scheme is not None and spec.problem(text, spec.unknown_scheme) is None


def _other_splits(answer: Explanation) -> list[dict[str, Any]]:
    """Return the other ways to split the text that rulings allow."""
    if answer.components is None:
        return []
    spec = specification(answer.spec)
    return [reading._asdict() for reading in spec.readings(spec.parse(answer.text))]


def as_json(explained: Explained) -> dict[str, Any]:
    """Return the explanation as JSON data. docs/explain.md describes its format."""
    answers: dict[str, dict[str, Any]] = {}
    for spec in explained.silent:
        title = specification(spec).title
        answers[spec] = {"unsupported": f"{title} does not define relative references"}
    for spec in explained.answers:
        answers[spec] = _answer_json(explained, spec)
    named = [_difference_json(difference) for difference in explained.differences.named]
    unnamed = [list(map(_side_json, sides)) for sides in explained.differences.unnamed]
    return {
        "text": explained.text,
        "base": explained.base,
        "answers": answers,
        "differences": named,
        "unnamed": unnamed,
    }


def _answer_json(explained: Explained, spec: str) -> dict[str, Any]:
    """Return the answer of an RFC: a refusal, a target with its steps, or components."""
    answer = explained.answers[spec]
    if answer.problem is not None:
        return _refusal_json(answer, answer.problem, resolves=explained.base is not None)
    fields: dict[str, Any] = {"valid": True}
    if spec in explained.targets:
        fields |= _target_json(explained.targets[spec], answer.steps)
    else:
        fields["also"] = [dict(split) for split in explained.others[spec]]
    if spec in explained.mappings:
        mapping = explained.mappings[spec]
        fields[mapping.operation] = mapping.as_json()
    fields["components"] = answer.components
    fields["derivation"] = None if answer.derivation is None else dataclasses.asdict(answer.derivation)
    return fields


def _refusal_json(answer: Explanation, problem: InvalidURL, *, resolves: bool) -> dict[str, Any]:
    """Return a refusal and the nearest valid text. With `resolves`, name the text: base or reference."""
    fields: dict[str, Any] = {"valid": False}
    if resolves:
        fields["invalid"] = problem.text
    fields |= problem.asdict()
    fields["nearest"] = answer.nearest._asdict() if answer.nearest else None
    return fields


def _target_json(target: Resolution, steps: Iterable[Step]) -> dict[str, Any]:
    """Return a target with the other admissible targets and the steps that lead to it."""
    return {
        "url": target.text,
        "same_document": target.same_document,
        "also": [_alternative_json(alternative) for alternative in target.also],
        "steps": [_step_json(step) for step in steps],
    }


def _alternative_json(alternative: Alternative) -> dict[str, Any]:
    """Return another admissible target, with the ruling that admits it."""
    return {"url": alternative.text, "variant": alternative.variant, "ruling": alternative.ruling}


def _step_json(step: Step) -> dict[str, Any]:
    """Return a step of resolution: its label in the RFC, what it does, and what the text is afterwards."""
    return {"label": step.label, "what": step.what, "value": step.value, "removed": list(step.removed)}


def _difference_json(named: NamedDifference) -> dict[str, Any]:
    """Return a difference with its class, its sides, and the readings that its rulings choose."""
    entry = named.entry
    every_reading = load_rulings()
    readings = {ruling: every_reading.get(ruling, "") for ruling in named.rulings}
    return {
        "class": entry.id,
        "title": entry.title,
        "what": entry.statement,
        "effect": entry.effect,
        "sides": [_side_json(side) for side in named.sides],
        "rulings": readings,
    }


def _side_json(side: AgreeingRFCs) -> dict[str, Any]:
    """Return the RFCs of a side, the sections that they rest on, and what they do."""
    return {"specs": list(side.sections), "sections": dict(side.sections), "what": side.words}
