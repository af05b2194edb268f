"""The answers to one text, judged by an RFC as `compare` judges them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from urlharness.adapters.reference import answer as oracle_answer
from urlharness.compare.matrix import Disagreement, make_matrix
from urlharness.corpus.model import Case, Expected, Mode, Requirement, Vector
from urlharness.corpus.specifications import Spec
from urlharness.fuzz import FuzzOperation
from urlharness.fuzz.panel import input_of, question
from urlharness.limits import Abnormal
from urlharness.protocol.messages import Reply
from urlharness.results.model import AskedVector, Header, Participant, Result, Results
from urlharness.results.verdict import Outcome, judge
from urloracle.rfcs import SPECIFICATIONS

#: The only case and its requirement use this name for id, section and file.
_ID = "fuzz"


def disagreement(
    operation: FuzzOperation,
    spec: Spec,
    text: str,
    replies: Mapping[str, Reply | Abnormal],
    features: Mapping[str, Sequence[str]],
    mode: Mode = "syntax",
) -> Disagreement | None:
    """Return the disagreement of adapters about a text, as judged by the RFC.

    `mode` is that of a question of `normalize`. `replies` and `features` map each adapter to its reply and to
    the features of its hello. Return None if the adapters do not disagree, or if the RFC defines no answer.
    """
    expect = expected(operation, spec, text, mode)
    if expect is None:
        return None
    inputs = input_of(operation, text, mode)
    if operation == "validate":
        inputs["rule"] = SPECIFICATIONS[spec].default_rule
    vector = Vector(id=_ID, requirement=_ID, level="note", op=operation, expect=expect,
                    binding="required", **inputs)  # type: ignore[arg-type]  # fmt: skip
    case = Case(spec, _ID, vector, _ID)
    asked = AskedVector(case, Requirement(_ID, _ID, 0, "", "note", "a text of a campaign"))
    results = {name: {_ID: _result(case, name, reply, features[name])} for name, reply in replies.items()}
    header = Header("urlresults-1", "", "", (), "2026-01-01T00:00:00+00:00", "", "")
    ran = tuple(Participant(name, "ran", features=tuple(features[name])) for name in replies)
    found = make_matrix(Results(header, {_ID: asked}, ran, results, complete=True), list(replies))
    return next(iter(found.disagreements), None)


def _result(case: Case, name: str, reply: Reply | Abnormal, features: Sequence[str]) -> Result:
    if isinstance(reply, Abnormal):
        return Result(_ID, name, Outcome(reply.outcome), detail=reply.detail)
    outcome, variant, detail = judge(case, reply, features)
    return Result(_ID, name, outcome, variant, detail, msgspec.to_builtins(reply))


def expected(operation: str, spec: Spec, text: str, mode: Mode = "syntax") -> Expected | None:
    """Return the answer of the oracle as an expectation, or None if the RFC defines no answer."""
    got = oracle_answer(msgspec.to_builtins(question(operation, text, spec, mode)))
    if got["status"] == "unsupported":
        return None
    if got["status"] == "reject":
        return Expected(valid=False)
    if operation == "validate":
        return Expected(valid=True)
    field = "components" if operation == "parse" else "result"
    value: Any = got.get("components", got.get("url"))
    first = Expected(**{field: value})
    also: list[Any] = got.get("also", [])
    others = [Expected(**{field: one}, variant="other") for one in also]
    if got.get("may_reject"):
        others.append(Expected(valid=False, variant="rejected"))
    return Expected(any=(first, *others)) if others else first


def is_valid(operation: str, spec: Spec, text: str) -> bool:
    """Return whether the RFC defines an answer to a text other than a refusal."""
    found = expected(operation, spec, text)
    return found is not None and found.valid is not False
