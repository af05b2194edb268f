"""Generated cases that are counted as they pass."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import pytest

from urlharness.corpus.jsonl import case_line
from urlharness.corpus.model import Case, Requirement
from urlharness.results.generated import EXAMPLES, Digest, Stream, TallyCounter
from urlharness.results.model import Example, Result, Tally
from urlharness.results.verdict import Outcome

REQUIREMENT = Requirement("x", "3.3", 0, "", "grammar", "It is so.")


class Counted(NamedTuple):
    """The tally of some cases, the examples that were kept of them, and the cases."""

    tally: Tally
    examples: list[Example]
    cases: list[Case]


@pytest.fixture
def count_cases(make_case):
    """Return a function that counts cases with these outcomes, all of them of one binding."""

    def count(
        *outcomes: Outcome, whole: bool = True, finished: bool = True, binding: str = "required"
    ) -> Counted:
        cases = [make_case(f"rfc3986-3.3-{number}", binding=binding) for number in range(len(outcomes))]
        stream = Stream(
            "part", "k1", "rfc3986", "URI", REQUIREMENT, len(cases), lambda: iter(cases), whole=whole
        )
        counter = TallyCounter("lib", stream, finished=finished)
        examples = []
        for case, outcome in zip(cases, outcomes, strict=True):
            answer = Result(case.vector.id, "lib", outcome, got={"status": "ok", "message": "m"})
            example = counter.add(case, answer)
            if example is not None:
                examples.append(example)
        return Counted(counter.tally, examples, cases)

    return count


@pytest.fixture
def mixed_cases(count_cases) -> Counted:
    """The tally of four cases with different outcomes."""
    return count_cases(Outcome.PASS, Outcome.FAIL, Outcome.PARTIAL, Outcome.UNSUPPORTED)


def test_a_tally_counts_the_outcomes_of_its_cases(mixed_cases):
    assert mixed_cases.tally.outcomes == {"pass": 1, "fail": 1, "partial": 1, "unsupported": 1}


def test_a_tally_counts_the_outcomes_of_required_cases(mixed_cases):
    assert mixed_cases.tally.required == {"pass": 1, "fail": 1, "partial": 1, "unsupported": 1}
    assert mixed_cases.tally.failing == 1


def test_a_tally_counts_complete_answers_by_operation(mixed_cases):
    assert mixed_cases.tally.answered == {"validate": 2}


def test_a_tally_rates_its_coverage(mixed_cases):
    assert mixed_cases.tally.rates["coverage"] == (3, 4)


def test_a_tally_keeps_the_failing_case_as_an_example(mixed_cases):
    assert [example.result.id for example in mixed_cases.examples] == ["rfc3986-3.3-1"]


def test_a_tally_has_the_digest_of_the_lines_of_its_cases(mixed_cases):
    lines = b"".join(case_line(case) for case in mixed_cases.cases)
    assert mixed_cases.tally.digest == hashlib.sha256(lines).hexdigest()


def test_a_digest_counts_lines_and_hashes_them(make_case):
    digest = Digest()
    line = case_line(make_case("rfc3986-3.3-x"))
    digest.add(line)
    assert digest.counted == (1, hashlib.sha256(line).hexdigest())


@pytest.mark.parametrize(
    ("whole", "finished"), [(False, True), (True, False)], ids=["a-selection", "cut-short"]
)
def test_a_part_that_was_not_asked_in_full_has_no_digest(count_cases, whole, finished):
    tally = count_cases(Outcome.FAIL, whole=whole, finished=finished).tally
    assert tally.digest == ""
    assert tally.failing_digest == ""


def test_each_set_of_failures_has_its_own_failing_digest(count_cases):
    rows = [
        (Outcome.FAIL, Outcome.PASS),
        (Outcome.PASS, Outcome.FAIL),
        (Outcome.CRASH, Outcome.PASS),
        (Outcome.PARTIAL, Outcome.PASS),
        (Outcome.PASS, Outcome.PASS),
    ]
    digests = {count_cases(*outcomes).tally.failing_digest for outcomes in rows}
    assert len(digests) == len(rows)


def test_the_failing_digest_does_not_depend_on_cases_that_do_not_fail(count_cases):
    right = count_cases(Outcome.PASS, Outcome.PASS).tally
    not_failing = count_cases(Outcome.VARIANT, Outcome.UNSUPPORTED).tally
    assert not_failing.failing_digest == right.failing_digest


def test_a_tally_keeps_only_the_first_failures_as_examples(count_cases):
    tally, examples, cases = count_cases(*[Outcome.FAIL] * (EXAMPLES + 5))
    assert [example.result.id for example in examples] == [case.vector.id for case in cases[:EXAMPLES]]
    assert tally.failing == EXAMPLES + 5


def test_a_failure_of_a_case_that_is_not_required_is_no_example(count_cases):
    tally, examples, _ = count_cases(Outcome.FAIL, binding="unspecified")
    assert examples == []
    assert tally.required == {}
    assert tally.failing == 0
