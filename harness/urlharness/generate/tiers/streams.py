"""The generated tiers as streams of cases.

A stream contains the cases of one operation, or of one rule: the rule of a scheme or a rule of whole texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, get_args

from urlharness.corpus.model import OPERATION_TIERS, Case, Requirement, Tier, Vector, encoded_text
from urlharness.corpus.specifications import SPECS, Spec, facts
from urlharness.generate.tiers import equivalence, normalization
from urlharness.generate.tiers.decoding import label_urls
from urlharness.generate.tiers.hsi import EVERY, hsi_suite
from urlharness.generate.tiers.labels import Label, Labeller, rule_table
from urlharness.generate.tiers.recomposition import label_forms
from urlharness.generate.tiers.resolution import label_pairs
from urlharness.generate.tiers.split_cover import split_cover
from urloracle.rfcs import specification
from urloracle.specification import Specification

TIERS: tuple[Tier, ...] = get_args(Tier)

_STATEMENTS: Mapping[Tier, str] = {
    "resolution": "A reference is resolved against a base as the section says.",
    "normalization": "A URL has the normal form that the section gives.",
    "equivalence": "Two URLs are equivalent or not, as the section says.",
    "decoding": "The parts of a URL are decoded as the section of its scheme says.",
    "recomposition": "Components are recomposed to a text as the section says.",
}


class Part(NamedTuple):
    """One stream of a tier: the cases of one rule or, in a tier of one operation, of one RFC."""

    tier: Tier
    spec: Spec
    rule: str | None = None

    @property
    def name(self) -> str:
        """The name of the part. The id of a case consists of this name, a hyphen and a number."""
        return "-".join(filter(None, self))


class UnknownPart(ValueError):
    """The tier has no part for this RFC or rule."""


def parts(tier: Tier, spec: str | None = None, rule: str | None = None) -> list[Part]:
    """Return the parts of a tier, or only those of one RFC or rule. Raise UnknownPart if there are none."""
    if tier in OPERATION_TIERS:
        operation = OPERATION_TIERS[tier].op
        found = [Part(tier, entry.id) for entry in SPECS.values() if entry.defines(operation)]
    else:
        found = [Part(tier, entry.id, suite) for entry in SPECS.values() for suite in entry.suites]
    found = [part for part in found if spec in (None, part.spec)]
    found = [part for part in found if rule is None or rule.lower() == (part.rule or "").lower()]
    if not found:
        raise UnknownPart(f"tier {tier} has no cases for {' '.join(filter(None, (spec, rule)))}")
    return found


def part_of(identifier: str) -> Part | None:
    """Return the part that the case with this id belongs to, or None."""
    name, _, number = identifier.rpartition("-")
    found = {part.name: part for tier in TIERS for part in parts(tier)}
    return found.get(name) if number.isdigit() else None


def suite_texts(part: Part) -> Iterator[str]:
    """Yield each text of a part once. Bytes that are not UTF-8 are decoded by `surrogateescape`.

    The texts of the HSI suite come first, then further texts that cover the split table.
    """
    assert part.rule is not None  # parts of one operation have no rule
    spec = specification(part.spec)
    automaton = spec.automaton(part.rule)
    every = part.tier == "bytes"
    cover = dict.fromkeys(split_cover(rule_table(spec, part.rule), automaton, every_character=every))
    for text in hsi_suite(automaton, int(part.tier == "k1"), alphabet=EVERY if every else None):
        cover.pop(text, None)
        yield text
    yield from cover


def cases(part: Part) -> Iterator[Case]:
    """Yield the cases of a part.

    Each text has a `validate` case and, if it is valid, a `parse` case. In a tier of one operation, each
    input has one case.
    """
    stated = requirement(part)
    questions = _texts(part, part.rule) if part.rule else _QUESTIONS[part.tier](specification(part.spec))
    for number, (inputs, answer) in enumerate(questions, 1):
        vector = Vector(
            id=f"{part.name}-{number:06}",
            requirement=stated.id,
            level=stated.level,
            expect=answer.expect,
            binding=answer.binding,
            ruling=answer.ruling,
            **inputs,
        )
        yield Case(part.spec, stated.section, vector, part.name)


def requirement(part: Part) -> Requirement:
    """Return the requirement that the cases of a part test."""
    if part.rule is None:
        tier = OPERATION_TIERS[part.tier]
        section = facts(part.spec).sections[tier.op]
        identifier = f"{part.spec}-{section}-{part.tier}"
        return Requirement(identifier, section, 0, "", tier.level, _STATEMENTS[part.tier])
    section = specification(part.spec).grammar.section(part.rule)
    statement = f"Whether rule {part.rule} derives the text and, if so, which components it has."
    return Requirement(f"{part.spec}-{section}-{part.rule}", section, 0, "", "grammar", statement)


_Questions = Iterator[tuple[dict[str, Any], Label]]


def _texts(part: Part, rule: str) -> _Questions:
    labeller = Labeller(specification(part.spec), rule)
    for text in suite_texts(part):
        url = encoded_text(text)
        verdict, components = labeller.labels(text)
        yield {"op": "validate", "rule": rule, "url": url}, verdict
        if components is not None:
            yield {"op": "parse", "rule": rule, "url": url}, components


def _resolutions(spec: Specification) -> _Questions:
    for base, reference, answer in label_pairs(spec):
        yield {"op": "resolve", "base": base, "reference": reference}, answer


def _normalizations(spec: Specification) -> _Questions:
    for url, mode, answer in normalization.label_urls(spec):
        yield {"op": "normalize", "mode": mode, "url": url}, answer


def _comparisons(spec: Specification) -> _Questions:
    for url, other, mode, answer in equivalence.label_pairs(spec):
        yield {"op": "equivalent", "mode": mode, "url": url, "other": other}, answer


def _decodings(spec: Specification) -> _Questions:
    for url, answer in label_urls(spec):
        yield {"op": "decode", "url": url}, answer


def _recompositions(spec: Specification) -> _Questions:
    for components, answer in label_forms(spec):
        yield {"op": "recompose", "components": components}, answer


_QUESTIONS: Mapping[Tier, Callable[[Specification], _Questions]] = {
    "resolution": _resolutions,
    "normalization": _normalizations,
    "equivalence": _comparisons,
    "decoding": _decodings,
    "recomposition": _recompositions,
}
