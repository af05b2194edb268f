"""Runs in which libraries give these answers, which are judged as those of an adapter are."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from urlharness.protocol.messages import Implementation, Reply
from urlharness.results.model import Participant, Result
from urlharness.results.verdict import Outcome, judge

sys.path.append(str(Path(__file__).parents[1] / "panel"))

from answer_samples import expected


def make_question(make_case, text, *right, base=None, number=0, **fields):
    """Return a case of RFC 3986: a text, or a base and a reference, and the right answers."""
    inputs = {"url": text} if base is None else {"base": base, "reference": text}
    if base is not None:
        operation = "resolve"
    elif "components" in right[0]:
        operation = "parse"
    else:
        operation = "validate"
    rule = "URI-reference" if operation == "validate" else None
    fields_of_vector = {"op": operation, "rule": rule, "expect": expected(*right), **inputs, **fields}
    return make_case(f"rfc3986-3-x-{number}", **fields_of_vector)


def make_run(record, *rows, blurring=(), claims=None, **options):
    """Return results from (case, {library: reply}); those in `blurring` cannot tell absent from empty.

    `claims` maps libraries to the RFCs that they claim.
    """
    claims_of_libraries = claims or {}
    names = list(dict.fromkeys(name for _, answers in rows for name in answers))
    participants = [
        Participant(
            name,
            "ran",
            Implementation(name, "1", "c"),
            specs=claims_of_libraries.get(name, ()),
            features=() if name in blurring else ("absent-vs-empty",),
        )
        for name in names
    ]
    results = []
    for case, answers in rows:
        answering = [participant for participant in participants if participant.name in answers]
        results += [_result(case, participant, answers[participant.name]) for participant in answering]
    return record([case for case, _ in rows], *participants, *results, **options)


def _result(case, participant, got):
    identifier = case.vector.id
    name = participant.name
    if not got:
        return Result(identifier, name, Outcome.CRASH, detail="signal 11")
    reply = msgspec.convert({"id": 1, **got}, Reply)
    verdict = judge(case, reply, participant.features)
    return Result(identifier, name, verdict.outcome, verdict.variant, verdict.detail, {"id": 1, **got})
