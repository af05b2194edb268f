"""Generated cases that are counted as they pass."""

from __future__ import annotations

import hashlib

import pytest

from urlharness.corpus.jsonl import case_line
from urlharness.corpus.model import Requirement
from urlharness.results.generated import EXAMPLES, Digest, Stream, TallyCounter
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome

REQUIREMENT = Requirement("x", "3.3", 0, "", "grammar", "It is so.")


@pytest.fixture
def counted(make_case):
    """Counts cases with these outcomes, all of them required or none, and returns counter and examples."""

    def count(*outcomes: Outcome, whole: bool = True, finished: bool = True, binding: str = "required"):
        cases = [make_case(f"rfc3986-3.3-{number}", binding=binding) for number in range(len(outcomes))]
        stream = Stream(
            "part", "k1", "rfc3986", "URI", REQUIREMENT, len(cases), lambda: iter(cases), whole=whole
        )
        counter = TallyCounter("lib", stream, finished=finished)
        kept_flags = [
            counter.add(case, Result(case.vector.id, "lib", outcome, got={"status": "ok", "message": "m"}))
            for case, outcome in zip(cases, outcomes, strict=True)
        ]
        return counter.tally, [is_kept for is_kept in kept_flags if is_kept is not None], cases

    return count


def test_a_tally_counts_outcomes(counted):
    tally, examples, cases = counted(Outcome.PASS, Outcome.FAIL, Outcome.PARTIAL, Outcome.UNSUPPORTED)
    assert tally.outcomes == tally.required == {"pass": 1, "fail": 1, "partial": 1, "unsupported": 1}
    assert tally.answered == {"validate": 2}
    assert tally.rates["coverage"] == (3, 4)
    assert tally.failing == 1
    assert [example.result.id for example in examples] == ["rfc3986-3.3-1"]
    assert tally.digest == hashlib.sha256(b"".join(map(case_line, cases))).hexdigest()


def test_the_digest_is_that_of_the_lines(make_case):
    digest = Digest()
    case = make_case("rfc3986-3.3-x")
    digest.add(case_line(case))
    assert digest.counted == (1, hashlib.sha256(case_line(case)).hexdigest())


@pytest.mark.parametrize(("whole", "finished"), [(False, True), (True, False)])
def test_a_part_that_was_not_asked_in_full_has_no_digest(counted, whole, finished):
    tally, *_ = counted(Outcome.FAIL, whole=whole, finished=finished)
    assert tally.digest == ""
    assert tally.failing_digest == ""


def test_the_failing_digest_tells_which_cases_fail(counted):
    digests = {
        counted(*outcomes)[0].failing_digest
        for outcomes in (
            (Outcome.FAIL, Outcome.PASS),
            (Outcome.PASS, Outcome.FAIL),
            (Outcome.CRASH, Outcome.PASS),
            (Outcome.PARTIAL, Outcome.PASS),
            (Outcome.PASS, Outcome.PASS),
        )
    }
    assert len(digests) == 5
    same = counted(Outcome.VARIANT, Outcome.UNSUPPORTED)[0].failing_digest
    assert same in digests, "what does not fail is not in it"


def test_few_failures_are_kept(counted):
    tally, examples, _ = counted(*[Outcome.FAIL] * (EXAMPLES + 5))
    assert len(examples) == EXAMPLES
    assert tally.failing == EXAMPLES + 5


def test_cases_that_are_not_required_are_no_examples(counted):
    tally, examples, _ = counted(Outcome.FAIL, binding="unspecified")
    assert examples == []
    assert tally.required == {}
    assert tally.failing == 0
