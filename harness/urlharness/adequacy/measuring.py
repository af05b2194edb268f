"""Measure the tests of a project: wrong labels, and the mistakes that the right ones do not notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from urlharness.adequacy.cache import Progress, Tasks, open_pool
from urlharness.adequacy.mistakes import Catalogue, Mistake, find_catalogue, find_noticed
from urlharness.adequacy.readers import ProjectTests, ResolutionTest, VerdictTest
from urlharness.adequacy.resolution import Target, admissible_targets
from urlharness.adequacy.resolving import find_noticed_resolutions, find_resolution_catalogue
from urlharness.adequacy.suites import readings_of
from urlharness.corpus.model import section_key
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers.resolution import label_pair
from urlharness.wording import rfc
from urloracle.rfcs import specification

#: What each operator of `mutants` makes of a rule, as an implementation shows it.
OPERATOR_IN_WORDS: Mapping[str, str] = {
    "add-character": "accepts a character too many",
    "bound": "counts one more or fewer, or without end",
    "drop-alternative": "refuses one of the alternatives",
    "drop-element": "leaves out a part",
    "duplicate": "expects a part twice",
    "literal-case": "takes upper case for lower case",
    "literal-drop": "expects a shorter word",
    "literal-substitute": "expects another word",
    "make-optional": "does not insist on a part",
    "optional-never": "refuses an optional part",
    "optional-repeated": "accepts an optional part twice",
    "optional-required": "insists on an optional part",
    "remove-character": "refuses a character",
    "replace-reference": "expects another rule",
    "swap-delimiter": "expects another delimiter",
    "swap-neighbours": "expects two parts in reverse order",
    "and-or": "takes “and” for “or”",
    "drop-condition": "forgets a condition",
    "drop-operand": "leaves out a part of the URL",
    "drop-statement": "forgets a step",
    "empty-as-absent": "takes empty for absent",
    "force-condition": "ignores a condition",
    "inherit-wrongly": "confuses base and reference",
    "negate": "reverses a condition",
    "off-by-one": "counts one more or fewer",
    "other-end": "searches from the other end",
    "reorder": "takes two steps in reverse order",
    "skip-call": "forgets a step",
    "swap-components": "confuses two components",
    "text": "expects other characters",
}


class WrongTest(NamedTuple):
    """A test whose answer is not that of the RFC. `rule` is empty for a resolution."""

    location: str
    spec: str
    rule: str
    inputs: tuple[str, ...]
    expected: bool | str | None
    answer: bool | str | None
    offset: int | None

    @property
    def reason(self) -> str:
        """What the RFC says, as a clause."""
        if not self.rule:
            target = "a refusal" if self.answer is None else self.answer
            return f"{rfc(self.spec)}: {target}"
        if self.answer:
            return f"{rfc(self.spec)}: valid under rule {self.rule}"
        return f"{rfc(self.spec)}: invalid under rule {self.rule}, at offset {self.offset}"


class UnnoticedKind(NamedTuple):
    """A kind of mistakes that no test notices.

    `details` are the characters that are accepted or refused by mistake, or the line of a function. `answer`
    is the right answer to the inputs of the witness.
    """

    rule: str
    section: str
    operator: str
    details: tuple[str, ...]
    witness: tuple[str, ...]
    answer: bool | str | None


class MeasuredTests(NamedTuple):
    """What the tests of one rule notice, or the tests of resolution if the rule of the catalogue is empty.

    `noticed` has the bits of the mistakes that they notice.
    """

    catalogue: Catalogue
    tests: int
    noticed: int

    @property
    def noticed_kind_count(self) -> int:
        """The number of kinds of which the tests notice a mistake."""
        return self.catalogue.kinds_of(self.noticed).bit_count()

    @property
    def share(self) -> float:
        """The share of the kinds that are noticed, in percent."""
        if not self.catalogue.kind_count:
            return 100.0
        return 100 * self.noticed_kind_count / self.catalogue.kind_count

    def unnoticed_kinds(self) -> Iterator[UnnoticedKind]:
        """Yield the kinds that no test notices, in the order of the grammar's rules."""
        noticed_kinds = self.catalogue.kinds_of(self.noticed)
        of_kind: dict[int, list[Mistake]] = {}
        for mistake in self.catalogue.mistakes:
            if not noticed_kinds >> mistake.kind & 1:
                of_kind.setdefault(mistake.kind, []).append(mistake)
        answers = {candidate.inputs: candidate.answer for candidate in self.catalogue.candidates}
        for mistakes in of_kind.values():
            first = min(mistakes, key=lambda mistake: (sum(map(len, mistake.witness)), mistake.witness))
            details = tuple(sorted({mistake.detail for mistake in mistakes} - {""}))
            answer = answers[first.witness]
            yield UnnoticedKind(first.rule, first.section, first.operator, details, first.witness, answer)

    def sections(self) -> dict[str, tuple[int, int]]:
        """Map each section to the numbers of its kinds that are noticed, and of all its kinds."""
        noticed_kinds = self.catalogue.kinds_of(self.noticed)
        kinds: dict[str, set[int]] = {}
        for mistake in self.catalogue.mistakes:
            kinds.setdefault(mistake.section, set()).add(mistake.kind)
        counts = {}
        for section in sorted(kinds, key=section_key):
            noticed_of_section = sum(noticed_kinds >> kind & 1 for kind in kinds[section])
            counts[section] = (noticed_of_section, len(kinds[section]))
        return counts


class Measurement(NamedTuple):
    """The measurement of tests: wrong labels, what is left out by reason, and a part for each rule."""

    wrong_labels: Sequence[WrongTest]
    left_out: Mapping[str, int]
    parts: Sequence[MeasuredTests]

    @property
    def lowest_share(self) -> float:
        """The lowest share of a part, in percent."""
        return min((part.share for part in self.parts), default=100.0)


def measure(tests: ProjectTests, processes: int, report: Progress) -> Measurement:
    """Measure tests in several processes. Call `report(finished, total)` after each task."""
    left_out = Counter(tests.left_out)
    wrong_labels: list[WrongTest] = []
    verdicts = _right_verdicts(tests.verdicts, wrong_labels, left_out)
    targets = _right_targets(tests.resolutions, wrong_labels, left_out)
    parts = []
    with open_pool(processes) as pool:
        tasks = Tasks(pool, report)
        for (spec, rule), texts in verdicts.items():
            catalogue = find_catalogue(spec, rule, tasks)
            parts.append(MeasuredTests(catalogue, len(texts), find_noticed(catalogue, texts, tasks)))
        for spec, pairs in targets.items():
            catalogue = find_resolution_catalogue(spec, tasks)
            noticed = find_noticed_resolutions(catalogue, pairs, tasks)
            parts.append(MeasuredTests(catalogue, len(pairs), noticed))
    return Measurement(wrong_labels, left_out, parts)


def _right_verdicts(
    tests: Iterable[VerdictTest], wrong_labels: list[WrongTest], left_out: Counter[str]
) -> dict[tuple[str, str], dict[str, bool]]:
    """Return the verdicts that the RFC confirms, by RFC and rule.

    Add tests that the RFC contradicts to `wrong_labels`, and count the others in `left_out`, by reason.
    """
    verdicts: dict[tuple[str, str], dict[str, bool]] = {}
    for test in tests:
        rule = specification(test.spec).grammar.names[test.rule.lower()]
        automaton = specification(test.spec).automaton(rule)
        is_valid = automaton.accepts(test.text)
        if any(reading.accepts(test.text) != is_valid for reading in readings_of(test.spec, rule)):
            left_out["whose answer the RFC leaves open"] += 1
        elif is_valid == test.valid:
            verdicts.setdefault((test.spec, rule), {})[test.text] = is_valid
        else:
            offset = None if is_valid else automaton.longest_viable_prefix(test.text).length
            label = WrongTest(test.location, test.spec, rule, (test.text,), test.valid, is_valid, offset)
            wrong_labels.append(label)
    return verdicts


def _right_targets(
    tests: Iterable[ResolutionTest], wrong_labels: list[WrongTest], left_out: Counter[str]
) -> dict[str, dict[tuple[str, str], str | None]]:
    """Return the targets that the RFC confirms, by RFC.

    Add tests that the RFC contradicts to `wrong_labels`, and count the others in `left_out`, by reason.
    """
    targets: dict[str, dict[tuple[str, str], str | None]] = {}
    for test in tests:
        spec = specification(test.spec)
        accepts = spec.automaton(spec.default_rule).accepts
        if not facts(test.spec).resolution_functions:
            left_out[f"of resolution, which {rfc(test.spec)} does not define"] += 1
            continue
        if not accepts(test.base) or not accepts(test.reference):
            left_out["whose base or reference is invalid"] += 1
            continue
        answers = _targets_of(test.spec, test.base, test.reference)
        if Target(test.target) in answers:
            targets.setdefault(test.spec, {})[test.base, test.reference] = test.target
        elif len(answers) > 1:
            left_out["whose answer the RFC leaves open"] += 1
        else:
            (answer,) = answers
            inputs = (test.base, test.reference)
            wrong = WrongTest(test.location, test.spec, "", inputs, test.target, answer.text, None)
            wrong_labels.append(wrong)
    return targets


@cache
def _targets_of(spec: str, base: str, reference: str) -> frozenset[Target]:
    """Return the admissible targets of a valid reference."""
    return admissible_targets(label_pair(specification(spec), base, reference).expect)
