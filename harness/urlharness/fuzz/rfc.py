"""The answer of an RFC to a text of a campaign, and how bad a difference from it is.

The oracle answers for the RFC. Its answer becomes the expectation of a case, so that `compare` judges the
answers of the adapters as it judges those to a vector of the corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from urlharness.adapters.reference import answer as oracle_answer
from urlharness.compare.browsers import BrowserReading, browser_readings, target_on_page
from urlharness.compare.causes import Cause
from urlharness.compare.matrix import Disagreement, JudgedAnswer, find_disagreement
from urlharness.corpus.model import Case, Expected, Mode, Vector
from urlharness.corpus.specifications import Spec
from urlharness.fuzz import FuzzOperation
from urlharness.fuzz.panel import input_of, question
from urlharness.generate.admission import with_admitted_answers
from urlharness.panel.answer import answer_of
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import TELLS_EMPTY, Hello, Reply
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome, judge
from urloracle.rfcs import SPECIFICATIONS

#: The id of the vector that is made of a text, and of its requirement. They are never shown.
_ID = "fuzz"


def oracle_expectation(operation: str, spec: Spec, text: str, mode: Mode = "syntax") -> Expected | None:
    """Return the answer of the oracle as an expectation, or None if the RFC defines no answer."""
    message = msgspec.to_builtins(question(operation, text, spec, mode))
    reply: dict[str, Any] = oracle_answer(message)
    match reply["status"]:
        case "unsupported":
            return None
        case "reject":
            refusal = Expected(valid=False)
            # an RFC on IRIs recommends to refuse what is no IRI, and admits another answer of some
            admitted = [Expected(result=form, variant="other") for form in reply.get("also", [])]
            return Expected(any=(refusal, *admitted)) if admitted else refusal
    if operation == "validate":
        return Expected(valid=True)
    field = "components" if operation == "parse" else "result"
    answer: Any = reply.get("components", reply.get("url"))
    recommended = Expected(**{field: answer})
    alternatives = [Expected(**{field: admitted}, variant="other") for admitted in reply.get("also", [])]
    if reply.get("may_reject"):
        alternatives.append(Expected(valid=False, variant="rejected"))
    return Expected(any=(recommended, *alternatives)) if alternatives else recommended


def is_valid(operation: str, spec: Spec, text: str) -> bool:
    """Return True if the RFC defines an answer to a text other than a refusal."""
    expectation = oracle_expectation(operation, spec, text)
    return expectation is not None and expectation.valid is not False


def judged_disagreement(
    operation: FuzzOperation,
    spec: Spec,
    text: str,
    replies: Mapping[str, Reply | Abnormal],
    hellos: Mapping[str, Hello],
    mode: Mode = "syntax",
) -> Disagreement | None:
    """Return the disagreement of adapters about a text, as judged by the RFC.

    `mode` is that of a question of `normalize`. `replies` and `hellos` are by the name of the adapter. Return
    None if the adapters do not disagree, or if the RFC defines no answer.
    """
    case = _case(operation, spec, text, mode, replies.values())
    if case is None:
        return None
    judged = {name: _judged(case, name, reply, hellos[name]) for name, reply in replies.items()}
    answers = {name: judgement.answer for name, judgement in judged.items()}
    readings = browser_readings(case, answers) or _refusal_by_browsers(operation, text)
    return find_disagreement(case, judged, readings)


def _refusal_by_browsers(operation: FuzzOperation, text: str) -> Sequence[BrowserReading]:
    """Return the refusal of a relative reference by browsers, if they refuse it on every http page (`//`).

    Without a base, browsers read no relative reference. So there is no reading of a reference that they take
    on a page, and none of an operation with a base.
    """
    if operation not in ("parse", "validate"):
        return []
    target = target_on_page(text)
    return [BrowserReading(target, ())] if target is not None and target.kind == "rejected" else []


def cause_by_rfc(judged: Disagreement | None) -> Cause:
    """Return the cause of a disagreement. An adapter that ended, and no answer of the RFC, are defects."""
    return Cause.DEFECT if judged is None else judged.cause


def _case(
    operation: FuzzOperation, spec: Spec, text: str, mode: Mode, replies: Iterable[Reply | Abnormal]
) -> Case | None:
    """Return a case with the oracle's answer to a text, or None if the RFC defines no answer.

    Replies to a mapping that the RFC admits are among the expected answers, too.
    """
    expectation = oracle_expectation(operation, spec, text, mode)
    if expectation is None:
        return None
    expectation = with_admitted_answers(expectation, operation, spec, text, replies)
    inputs: dict[str, Any] = dict(input_of(operation, text, mode))
    if operation == "validate":
        inputs["rule"] = SPECIFICATIONS[spec].default_rule
    vector = Vector(
        id=_ID,
        requirement=_ID,
        level="note",
        op=operation,
        expect=expectation,
        binding="required",
        **inputs,
    )
    return Case(spec, _ID, vector, _ID)


def _judged(case: Case, name: str, reply: Reply | Abnormal, hello: Hello) -> JudgedAnswer:
    """Return the answer of an adapter and its verdict, which is the outcome if the adapter has ended."""
    tells_empty = TELLS_EMPTY in hello.features
    answer = answer_of(reply, tells_empty=tells_empty)
    if isinstance(reply, Abnormal):
        judged = Result(_ID, name, Outcome(reply.outcome), detail=reply.detail)
    else:
        outcome, variant, detail = judge(case, reply, hello.features)
        judged = Result(_ID, name, outcome, variant, detail, msgspec.to_builtins(reply))
    return JudgedAnswer(answer, judged, tells_empty)
