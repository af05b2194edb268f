"""RUNNER.md says all rules of comparison: a judge that was written from it alone agrees with the harness."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from urlharness.adapters.registry import find
from urlharness.bundle.cases import case_document
from urlharness.corpus.model import Case, Requirement, Vector
from urlharness.gate.baseline import Entry
from urlharness.gate.findings import vector_finding
from urlharness.protocol.limits import USUAL
from urlharness.protocol.messages import TELLS_EMPTY, Reply
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome, judge
from urlharness.runner import ConnectedAdapter

from .odd_answers import odd_answer
from .second_judge import SecondJudge, finding_on

RULE = re.compile(r"^\| (\d+) \|", re.MULTILINE)


def document_of(case):
    """Return a case as a reader of the bundle gets it."""
    requirement = Requirement("rfc3986-1-y", "1", 1, "", "must", "A statement.")
    return json.loads(json.dumps(case_document(case, requirement)))


def case_of(op, expect, binding="required", spec="rfc3986", **inputs):
    vector = {
        "id": f"{spec}-1-x",
        "requirement": f"{spec}-1-y",
        "level": "must",
        "op": op,
        "expect": expect,
        "binding": binding,
        **inputs,
    }
    return Case(spec, "1", msgspec.convert(vector, Vector), "1-x.json")


def outcome_of_harness(case: Case, answer: Mapping[str, Any], *, tells_empty: bool) -> tuple[str, str]:
    """Return the outcome that the harness gives to an answer, and the name of the variant."""
    reply = msgspec.convert({"id": 1, **answer}, Reply)
    verdict = judge(case, reply, [TELLS_EMPTY] if tells_empty else [])
    return verdict.outcome, verdict.variant


# ---- one answer for each rule, on which a judge without this rule stumbles


class RuleRow(NamedTuple):
    """A case, an answer, and its outcome: by the rule, and by a judge in which a fault replaces a method."""

    case: Case
    answer: dict[str, Any]
    outcome: str
    method: str
    fault: Any
    outcome_with_fault: str
    variant: str = ""
    tells_empty: bool = True


VALID = {"valid": True}
INVALID = {"valid": False}
REJECTED = {"status": "reject"}
ACCEPTED = {"status": "ok"}
TEXT = {"url": "a:b", "rule": "URI"}
LOGIN = {"authority": "U@h:1", "path": "/"}
SPREAD_READINGS = {"any": [{"urls": [["a:b"]]}, {"urls": [["a:-b"]], "variant": "hyphen"}]}
TWO_RESULTS = {"any": [{"result": "a:b"}, {"result": "a:c", "variant": "literal"}]}
FTP = {"url": "ftp://h/a"}


def components(**parts):
    return {"status": "ok", "components": parts}


def decoded(**parts):
    return {"status": "ok", "decoded": parts}


RULES = {
    1: RuleRow(
        case_of("validate", VALID, "unspecified", **TEXT),
        {"status": "error"},
        outcome="error",
        method="is_no_answer",
        fault=lambda *_: False,
        outcome_with_fault="pass",
    ),
    2: RuleRow(
        case_of("validate", INVALID, **TEXT),
        ACCEPTED,
        outcome="fail",
        method="compare_reject",
        fault=lambda *_: "right",
        outcome_with_fault="pass",
    ),
    3: RuleRow(
        case_of("validate", VALID, **TEXT),
        REJECTED,
        outcome="fail",
        method="compare_rejected",
        fault=lambda *_: "right",
        outcome_with_fault="pass",
    ),
    4: RuleRow(
        case_of("parse", {"components": {"path": "b"}}, url="a:b"),
        ACCEPTED,
        outcome="fail",
        method="without_field",
        fault=lambda *_: "unsupported",
        outcome_with_fault="unsupported",
    ),
    5: RuleRow(
        case_of("resolve", {"result": "http://h/Q"}, base="HTTP://h/p", reference="Q"),
        {"status": "ok", "url": "http://h/q"},
        outcome="fail",
        method="equal_urls",
        fault=lambda _self, _case, expected, got: expected.lower() == str(got).lower(),
        outcome_with_fault="pass",
    ),
    6: RuleRow(
        case_of("equivalent", {"equal": False}, url="a:b", other="a:c"),
        {"status": "ok", "equal": True},
        outcome="fail",
        method="equal_truth",
        fault=lambda *_: True,
        outcome_with_fault="pass",
    ),
    7: RuleRow(
        case_of("extract", {"urls": [["a:b", "a:-b"]]}, text="<a:-\n b>"),
        {"status": "ok", "urls": [["a:b", "a:c"]]},
        outcome="fail",
        method="equal_readings",
        fault=lambda _self, expected, got: len(expected) == len(got),
        outcome_with_fault="pass",
    ),
    8: RuleRow(
        case_of("extract", SPREAD_READINGS, "permitted-set", text="<a:-\n b>"),
        {"status": "ok", "urls": [["a:-b", "a:b"]]},
        outcome="variant",
        variant="hyphen",
        method="with_first_readings",
        fault=lambda _self, _case, answer: answer,
        outcome_with_fault="fail",
    ),
    9: RuleRow(
        case_of("parse", {"components": {"path": "b"}}, url="a:b"),
        components(query=None),
        outcome="unsupported",
        method="has_none_of",
        fault=lambda *_: False,
        outcome_with_fault="partial",
    ),
    10: RuleRow(
        case_of("decode", {"decoded": {"host": "h", "name": "a"}}, spec="rfc1738", **FTP),
        decoded(host="h", name="A"),
        outcome="fail",
        method="compare_decoded",
        fault=lambda *_: "right",
        outcome_with_fault="pass",
    ),
    11: RuleRow(
        case_of("parse", {"components": {"path": "b", "query": None}}, url="a:b"),
        components(path="b"),
        outcome="partial",
        method="hidden",
        fault=lambda *_: "right",
        outcome_with_fault="pass",
    ),
    12: RuleRow(
        case_of("parse", {"components": LOGIN}, url="//U@h:1/"),
        components(authority="u@h:1", path="/"),
        outcome="fail",
        method="equal_in_lower_case",
        fault=lambda _self, _name, expected, got: expected.lower() == got.lower(),
        outcome_with_fault="pass",
    ),
    13: RuleRow(
        case_of("decode", {"decoded": {"cwd": ["a"], "name": "b"}}, spec="rfc1738", **FTP),
        decoded(cwd=[{"hex": "61"}], name={"hex": "62"}),
        outcome="pass",
        method="equal_bytes",
        fault=lambda _self, expected, got: expected == got,
        outcome_with_fault="fail",
    ),
    14: RuleRow(
        case_of("parse", {"components": {"path": "b", "query": None}}, spec="rfc1808", url="a:b"),
        components(path="b", query=""),
        outcome="pass",
        method="may_be_empty",
        fault=lambda *_: False,
        outcome_with_fault="fail",
    ),
    15: RuleRow(
        case_of("parse", {"components": {"path": "b", "query": ""}}, url="a:b?"),
        components(path="b", query=None),
        outcome="partial",
        method="blurred_or_right",
        fault=lambda *_: "right",
        outcome_with_fault="pass",
        tells_empty=False,
    ),
    16: RuleRow(
        case_of("parse", {"components": {"path": "b", "query": None, "scheme": "a"}}, url="a:b"),
        components(path="c", query=None),
        outcome="fail",
        method="sum_up",
        fault=lambda _self, parts: "partial" if "hidden" in parts else "right",
        outcome_with_fault="partial",
    ),
    17: RuleRow(
        case_of("parse", {"components": LOGIN}, url="//U@h:1/"),
        components(userinfo="U", host="h", port=None, path="/"),
        outcome="fail",
        method="derived_authority",
        fault=lambda *_: "hidden",
        outcome_with_fault="partial",
    ),
    18: RuleRow(
        case_of("base", {"base": None}, embedded="a"),
        {"status": "ok", "base": ""},
        outcome="fail",
        method="compare_base",
        fault=lambda *_: "right",
        outcome_with_fault="pass",
    ),
    19: RuleRow(
        case_of("normalize", TWO_RESULTS, "permitted-set", url="a:b"),
        {"status": "ok", "url": "a:c"},
        outcome="variant",
        variant="literal",
        method="listed",
        fault=lambda *_: ("pass", ""),
        outcome_with_fault="pass",
    ),
    20: RuleRow(
        case_of("normalize", {"result": "a:b"}, "impl-defined", url="a:b"),
        {"status": "ok", "url": "a:d"},
        outcome="variant",
        variant="other",
        method="unlisted",
        fault=lambda *_: ("fail", ""),
        outcome_with_fault="fail",
    ),
}

EACH_RULE = pytest.mark.parametrize("row", RULES.values(), ids=[f"rule-{number}" for number in RULES])


def test_each_rule_has_an_answer():
    text = (resources.files("urlharness.bundle") / "runner.md").read_text("utf-8")
    assert [int(number) for number in RULE.findall(text)] == list(RULES)


@EACH_RULE
def test_the_harness_gives_the_outcome_of_the_rule(row):
    outcome = outcome_of_harness(row.case, row.answer, tells_empty=row.tells_empty)
    assert outcome == (row.outcome, row.variant)


@EACH_RULE
def test_a_judge_by_the_rules_gives_the_outcome_of_the_rule(row):
    second_judge = SecondJudge(tells_empty=row.tells_empty)
    assert second_judge.outcome(document_of(row.case), row.answer) == (row.outcome, row.variant)


@EACH_RULE
def test_a_judge_without_the_rule_gives_a_different_outcome(row, monkeypatch):
    monkeypatch.setattr(SecondJudge, row.method, row.fault)
    outcome, _ = SecondJudge(tells_empty=row.tells_empty).outcome(document_of(row.case), row.answer)
    assert outcome == row.outcome_with_fault
    assert outcome != row.outcome


# ---- known failures


GOT = {"status": "ok"}
OTHER_GOT = {"status": "ok", "equal": True}
ENTRIES = {
    "no-entry": None,
    "fail": {"outcome": "fail", "got": GOT},
    "crash": {"outcome": "crash", "got": {}},
    "moved": {"outcome": "fail", "got": GOT, "digest": "0" * 12},
}
ANSWERS = {
    "pass": ("pass", GOT),
    "variant": ("variant", GOT),
    "known": ("fail", GOT),
    "other-answer": ("fail", OTHER_GOT),
    "partial": ("partial", GOT),
    "unsupported": ("unsupported", {}),
    "crash": ("crash", {}),
}


def finding_of_harness(entry, case, outcome, got):
    """Return the word that RUNNER.md has for the finding of the gate."""
    listed = None if entry is None else Entry(id=case.vector.id, **entry)
    finding = vector_finding(listed, case, Result(case.vector.id, "x", Outcome(outcome), got=got))
    if finding is None:
        return ""
    return "new" if finding.kind == "regression" else finding.kind


@pytest.mark.parametrize("binding", ["required", "permitted-set"])
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
@pytest.mark.parametrize(("outcome", "got"), ANSWERS.values(), ids=ANSWERS)
def test_known_failures_are_judged_as_by_the_gate(binding, entry, outcome, got):
    case = case_of("validate", {"valid": False}, binding, **TEXT)
    document = document_of(case)
    listed = None if entry is None else {"digest": document["digest"], **entry}
    assert finding_on(document, listed, outcome, got) == finding_of_harness(listed, case, outcome, got)


# ---- the whole corpus

#: The quick tests ask each case of this number.
STEP = 50
ODD_ANSWERS_TO_A_CASE = 6

QUICK_OR_ALL = pytest.mark.parametrize(
    "step", [STEP, pytest.param(1, marks=pytest.mark.long)], ids=["quick", "all"]
)


class JudgedAnswer(NamedTuple):
    """An answer to a case of a bundle, and the outcome and variant that the harness gives to it."""

    document: Mapping[str, Any]
    answer: Mapping[str, Any]
    tells_empty: bool
    outcome: tuple[str, str]


@pytest.fixture(scope="module")
def judged_odd_answers(corpus):
    """Return a function that returns odd answers to some cases, with the outcomes of the harness."""

    @cache
    def judge_answers(step):
        judged_answers = []
        for case in corpus.cases[::step]:
            document = document_of(case)
            random = Random(case.vector.id)
            for _ in range(ODD_ANSWERS_TO_A_CASE):
                answer = odd_answer(document, random)
                for tells_empty in (True, False):
                    outcome = outcome_of_harness(case, answer, tells_empty=tells_empty)
                    judged_answers.append(JudgedAnswer(document, answer, tells_empty, outcome))
        return judged_answers

    return judge_answers


def disagreements(judged_answers):
    """Yield the answers to which the second judge gives another outcome than the harness."""
    judges = {tells_empty: SecondJudge(tells_empty=tells_empty) for tells_empty in (True, False)}
    for judged in judged_answers:
        outcome = judges[judged.tells_empty].outcome(judged.document, judged.answer)
        if outcome != judged.outcome:
            yield judged.document["id"], judged.answer


@QUICK_OR_ALL
def test_both_judges_agree_on_odd_answers(judged_odd_answers, step):
    assert list(disagreements(judged_odd_answers(step))) == []


@QUICK_OR_ALL
def test_odd_answers_have_every_outcome_of_an_answer(judged_odd_answers, step):
    outcomes = {outcome for _, _, _, (outcome, _variant) in judged_odd_answers(step)}
    assert outcomes == {"pass", "variant", "partial", "fail", "unsupported", "error"}


@pytest.mark.long
@EACH_RULE
def test_odd_answers_notice_a_judge_without_the_rule(judged_odd_answers, row, monkeypatch):
    monkeypatch.setattr(SecondJudge, row.method, row.fault)
    assert next(disagreements(judged_odd_answers(1)), None) is not None


@QUICK_OR_ALL
def test_both_judges_agree_on_the_answers_of_urllib(corpus, step):
    connected = ConnectedAdapter(find("urllib"), USUAL, whole=True)
    tells_empty = TELLS_EMPTY in connected.participant.features
    judged_answers = []
    outcomes = set()
    for case, result_of_case in connected.ask(corpus.cases[::step]):
        outcomes.add(result_of_case.outcome)
        recorded_answer = json.loads(json.dumps(result_of_case.got))
        answer = recorded_answer or {"status": str(result_of_case.outcome)}
        outcome = (result_of_case.outcome, result_of_case.variant)
        judged_answers.append(JudgedAnswer(document_of(case), answer, tells_empty, outcome))
    assert list(disagreements(judged_answers)) == []
    assert {"pass", "fail", "variant"} <= set(map(str, outcomes)), "the answers are not all alike"
