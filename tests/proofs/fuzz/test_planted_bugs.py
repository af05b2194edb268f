"""Planted bugs: each changes its witness, some escape the corpus, and campaigns report each once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from urlharness.corpus.model import Case, Corpus
from urlharness.fuzz.campaign import CampaignPlan, run
from urlharness.fuzz.findings import CampaignFinding
from urlharness.fuzz.store import Store
from urlharness.protocol.messages import Reply
from urlharness.protocol.server import call_function
from urlharness.results.verdict import judge
from urlharness.runner import function_adapter, question

from .planted_bugs import BUGS, Bug, Library, adapter, original, patched

#: Texts in which no bug shows.
ORDINARY = (
    "",
    "/",
    "a",
    "a/b",
    "/a/b",
    "../a",
    "?a=b",
    "#a",
    "a?b#c",
    "//a/b",
    "http://a",
    "http://a/",
    "http://a/b?c=d#e",
    "http://a:8080/b",
    "https://www.a.example/b/c.html",
    "http://b@a/",
    "http://192.0.2.1/a",
    "http://[2001:db8::1]:8080/",
    "mailto:a@b.example",
    "urn:a:b",
)

#: The base for a reference.
BASE = "http://a/b/c"


#: The operations of the libraries; the corpus has more.
OPERATIONS = frozenset(("validate", "parse", "resolve", "recompose", "normalize"))

#: The number of cases of a campaign, and its seed.
CASES = 100_000
SEED = 1

#: Bugs that so many cases show.
QUICK = ("host_after_first_at", "password_after_last_colon", "excess_dotdot_kept", "port_80_dropped")
QUICK_CASES = 5_000

UNSEEN = [bug for bug in BUGS if bug.unseen]

every_bug = pytest.mark.parametrize("bug", BUGS, ids=[bug.id for bug in BUGS])
every_unseen_bug = pytest.mark.parametrize("bug", UNSEEN, ids=[bug.id for bug in UNSEEN])


class Asked(NamedTuple):
    """A case of the corpus, and its question."""

    case: Case
    question: Mapping[str, Any]


@pytest.fixture(scope="module")
def asked_cases(corpus: Corpus) -> list[Asked]:
    """The cases of the corpus that the libraries are asked."""
    asked_cases = []
    for case in corpus.cases:
        if case.vector.op in OPERATIONS:
            fields = msgspec.to_builtins(question(case))
            present_fields = {name: field for name, field in fields.items() if field is not None}
            asked_cases.append(Asked(case, present_fields))
    return asked_cases


@pytest.fixture(scope="module")
def right_answers(asked_cases: list[Asked]) -> Callable[[Library], list[Reply]]:
    """Return a function that returns the answers of a library without a bug to the cases of the corpus."""

    @cache
    def answers(library: Library) -> list[Reply]:
        whole = adapter(library)
        return [call_function(whole, dict(asked_case.question), 0) for asked_case in asked_cases]

    return answers


def question_to(bug: Bug, inputs: Mapping[str, str]) -> dict[str, Any]:
    """Return a question of the operation that a bug changes."""
    return {"op": bug.op, "spec": bug.spec, **inputs}


def inputs_with(bug: Bug, text: str) -> Mapping[str, str]:
    """Return the inputs that the operation of a bug needs for a text, which is a reference or a URL."""
    return {"base": BASE, "reference": text} if bug.op == "resolve" else {"url": text}


def answer_to(answer: Callable[[Any], Any], inputs: dict[str, Any]) -> Reply:
    """Return an answer; fail if it is an error."""
    reply = call_function(answer, inputs, 0)
    assert reply.status in ("ok", "reject"), (inputs, reply)
    return reply


@every_bug
def test_a_bug_changes_the_answer_to_its_witness(bug):
    witness = question_to(bug, bug.witness)
    assert answer_to(original(bug), witness) != answer_to(patched(bug), witness)


@every_bug
def test_a_bug_changes_no_answer_to_an_ordinary_text(bug):
    right = original(bug)
    wrong = patched(bug)
    for text in ORDINARY:
        ordinary_question = question_to(bug, inputs_with(bug, text))
        assert answer_to(right, ordinary_question) == answer_to(wrong, ordinary_question), text


def test_each_bug_has_an_id_of_its_own():
    ids = [bug.id for bug in BUGS]
    assert len(set(ids)) == len(ids)


def test_the_bugs_cover_the_operations_of_campaigns():
    assert {bug.op for bug in BUGS} == {"validate", "parse", "resolve", "normalize"}


#: The number of unseen bugs below which some of the table must have got lost.
LEAST_UNSEEN = 8


def test_many_bugs_are_listed_as_unseen():
    assert len(UNSEEN) >= LEAST_UNSEEN


@pytest.mark.sampled(9)
@pytest.mark.filterwarnings("ignore:Please use rfc3986.validators:DeprecationWarning")
@every_unseen_bug
def test_an_unseen_bug_changes_the_outcome_of_no_vector(bug, asked_cases, right_answers):
    """All operations of the library are asked; a bug that the corpus notices now is no longer `unseen`."""
    assert next(changed_vectors(bug, asked_cases, right_answers(bug.library)), None) is None


def changed_vectors(bug: Bug, asked_cases: list[Asked], right: list[Reply]) -> Iterator[str]:
    """Yield the vectors whose outcome a bug changes; `right` has the answers of the library without it."""
    whole = adapter(bug.library, bug.id)
    features = frozenset(whole.hello["features"])
    for (case, inputs), before in zip(asked_cases, right, strict=True):
        after = call_function(whole, dict(inputs), 0)
        if before != after:
            verdict_before = judge(case, before, features)
            verdict_after = judge(case, after, features)
            # the third field of a verdict, the detail, has the words of the answer
            if (verdict_before.outcome, verdict_before.variant) != (
                verdict_after.outcome,
                verdict_after.variant,
            ):
                yield case.vector.id


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", QUICK)
def test_a_short_campaign_reports_a_bug_once(name, campaign):
    (bug,) = (bug for bug in BUGS if bug.id == name)
    assert len(campaign(bug, QUICK_CASES)) == 1


@pytest.mark.long
@every_bug
def test_a_campaign_reports_a_bug_once(bug, campaign):
    assert len(campaign(bug, CASES)) == 1


#: If campaigns without feedback missed fewer bugs than these, the bugs would not show what feedback finds.
LEAST_MISSED = 6


@pytest.mark.long
def test_campaigns_without_feedback_miss_many_bugs(campaign):
    missed = [bug.id for bug in BUGS if not campaign(bug, CASES, feedback=False)]
    assert len(missed) >= LEAST_MISSED


@pytest.mark.parametrize("cases", [5_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_equal_adapters_have_no_findings(cases, campaign):
    assert campaign(None, cases) == []


@pytest.fixture
def campaign(tmp_path: Path) -> Callable[..., list[CampaignFinding]]:
    """Return a function that runs a campaign over a library and the one with a bug, and returns the findings.

    Without a bug, the two libraries are equal. The oracle takes no part.
    """

    def run_campaign(bug: Bug | None, cases: int, *, feedback: bool = True) -> list[CampaignFinding]:
        pair = [original(BUGS[0])] * 2 if bug is None else [original(bug), patched(bug)]
        adapters = tuple(map(function_adapter, pair))
        chosen_bug = BUGS[0] if bug is None else bug
        plan = CampaignPlan(adapters, chosen_bug.spec, (chosen_bug.op,), SEED, feedback)
        with closing(Store(tmp_path / (bug.id if bug else "equal"))) as store:
            outcome = run(plan, store, cases=cases)
            assert outcome.cases == cases
            assert outcome.dead == ""
            return store.read_findings()

    return run_campaign
