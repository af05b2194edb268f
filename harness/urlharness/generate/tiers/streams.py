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
from urlharness.generate.tiers.hsi import every_character, hsi_suite
from urlharness.generate.tiers.labels import Label, Labeller, rule_table
from urlharness.generate.tiers.recomposition import label_forms
from urlharness.generate.tiers.resolution import label_pairs
from urlharness.generate.tiers.split_cover import split_cover
from urlharness.words.members import vary_members
from urlharness.words.paths import characters_by_column
from urloracle.automata.dfa import Automaton
from urloracle.automata.split_table import SplitTable
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
    selected = []
    for part in _all_parts(tier):
        has_rule = rule is None or rule.lower() == (part.rule or "").lower()
        if has_rule and spec in (None, part.spec):
            selected.append(part)
    if not selected:
        request = " ".join(filter(None, (spec, rule)))
        raise UnknownPart(f"tier {tier} has no cases for {request}")
    return selected


def _all_parts(tier: Tier) -> Iterator[Part]:
    """Yield the parts of a tier: of each rule with a suite, or of each RFC that defines its operation."""
    for spec_facts in SPECS.values():
        if tier not in OPERATION_TIERS:
            for suite in spec_facts.suites:
                yield Part(tier, spec_facts.id, suite)
        elif spec_facts.defines(OPERATION_TIERS[tier].op):
            yield Part(tier, spec_facts.id)


def part_of(identifier: str) -> Part | None:
    """Return the part that the case with this id belongs to, or None."""
    name, _, number = identifier.rpartition("-")
    by_name = {part.name: part for tier in TIERS for part in parts(tier)}
    return by_name.get(name) if number.isdigit() else None


def suite_texts(part: Part) -> Iterator[str]:
    """Return each text of a part once. Bytes that are not UTF-8 are decoded by `surrogateescape`.

    The texts of the HSI suite come first, then further texts that cover the split table. Characters beyond
    ASCII that the rule treats alike take turns, unless every character has texts of its own.
    """
    assert part.rule is not None  # parts of one operation have no rule
    spec = specification(part.spec)
    automaton = spec.automaton(part.rule)
    is_by_character = part.tier == "bytes"
    words = _suite_words(part, automaton, rule_table(spec, part.rule), is_by_character=is_by_character)
    if is_by_character or not automaton.reads_beyond_ascii:
        return words
    return vary_members(words, map("".join, characters_by_column(automaton).values()))


def _suite_words(
    part: Part, automaton: Automaton, table: SplitTable, *, is_by_character: bool
) -> Iterator[str]:
    """Yield the words of the HSI suite, then further ones that cover the split table."""
    further_words = dict.fromkeys(split_cover(table, automaton, every_character=is_by_character))
    extra_states = 1 if part.tier == "k1" else 0
    alphabet = every_character(automaton) if is_by_character else None
    for word in hsi_suite(automaton, extra_states, alphabet=alphabet):
        further_words.pop(word, None)
        yield word
    yield from further_words


def cases(part: Part) -> Iterator[Case]:
    """Yield the cases of a part.

    Each text has a `validate` case and, if it is valid, a `parse` case. In a tier of one operation, each
    input has one case.
    """
    tested = requirement(part)
    for number, (inputs, answer) in enumerate(_questions(part), 1):
        vector = Vector(
            id=f"{part.name}-{number:06}",
            requirement=tested.id,
            level=tested.level,
            expect=answer.expect,
            binding=answer.binding,
            ruling=answer.ruling,
            **inputs,
        )
        yield Case(part.spec, tested.section, vector, part.name)


def requirement(part: Part) -> Requirement:
    """Return the requirement that the cases of a part test."""
    if part.rule is None:
        tier = OPERATION_TIERS[part.tier]
        section = facts(part.spec).sections[tier.op]
        identifier = f"{part.spec}-{section}-{part.tier}"
        level = tier.level
        statement = _STATEMENTS[part.tier]
    else:
        section = specification(part.spec).grammar.section(part.rule)
        identifier = f"{part.spec}-{section}-{part.rule}"
        level = "grammar"
        statement = f"Whether rule {part.rule} derives the text and, if so, which components it has."
    return Requirement(identifier, section, paragraph=0, digest="", level=level, statement=statement)


#: The input fields of each vector, and the label of its answer.
_Questions = Iterator[tuple[dict[str, Any], Label]]


def _questions(part: Part) -> _Questions:
    """Yield the questions of a part, which are those of a rule or of an operation."""
    if part.rule is not None:
        return _verdicts_and_splits(part, part.rule)
    questions_of = _QUESTIONS[part.tier]
    return questions_of(specification(part.spec))


def _verdicts_and_splits(part: Part, rule: str) -> _Questions:
    """Yield for each text whether the rule derives it and, if so, which components it has."""
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
    for first, second, mode, answer in equivalence.label_pairs(spec):
        yield {"op": "equivalent", "mode": mode, "url": first, "other": second}, answer


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
