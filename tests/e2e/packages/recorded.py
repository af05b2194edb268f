"""Files of recorded answers for runners in other languages, with the outcomes that the harness gives to them.

The first line of a file is what the library says of itself, `{"tells_empty_from_absent": true}`. Each further
line has the id of a case, the answer, and its outcome and variant.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from urlharness.adapters.registry import find
from urlharness.bundle.cases import case_document
from urlharness.corpus.model import Case, Corpus, Vector
from urlharness.protocol.limits import USUAL
from urlharness.protocol.messages import TELLS_EMPTY, Reply
from urlharness.results.verdict import judge
from urlharness.runner import ConnectedAdapter

from ...harness.bundle.odd_answers import odd_answer  # noqa: TID252 - tests are not an installed package

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "docs" / "results" / "rfc3986.jsonl.xz"

#: Libraries that together offer most operations, and answer in every way: some of them crash or fail.
LIBRARIES = ("go-net-url", "iref", "java-net-uri", "perl-uri", "ruby-uri", "urllib")

#: The outcomes without an answer that an adapter in a process of its own can have.
ABNORMAL = ("timeout", "crash", "garbage", "no-answer")

#: One in so many answers is such an outcome.
ABNORMAL_STEP = 200

#: How JSON writes the end of the beginning that an abbreviated text keeps.
_ABBREVIATED = b"\\u2026 ("


class RecordedAnswer(NamedTuple):
    """An answer to a case, and the outcome and the variant that the harness gives to it."""

    id: str
    answer: Mapping[str, Any]
    outcome: str
    variant: str = ""


class Recording(NamedTuple):
    """The answers of one library, and whether it tells empty from absent components."""

    tells_empty: bool
    answers: Sequence[RecordedAnswer]

    def write(self, path: Path) -> None:
        """Write a file of recorded answers."""
        lines = [json.dumps({"tells_empty_from_absent": self.tells_empty})]
        lines += [json.dumps(answer._asdict()) for answer in self.answers]
        path.write_text("\n".join(lines) + "\n", "ascii")


def numbers_of_rules() -> list[str]:
    """Return the numbers of the rules for runners, in the order of their table in runner.md."""
    text = (ROOT / "harness" / "urlharness" / "bundle" / "runner.md").read_text("utf-8")
    return re.findall(r"^\| (\d+) \|", text, re.MULTILINE)


def judged(case: Case, answer: Mapping[str, Any], *, tells_empty: bool) -> RecordedAnswer:
    """Return an answer with the outcome that the harness gives to it."""
    if answer["status"] in ABNORMAL:
        return RecordedAnswer(case.vector.id, answer, answer["status"])
    reply = msgspec.convert({"id": 1, **answer}, Reply)
    verdict = judge(case, reply, [TELLS_EMPTY] if tells_empty else [])
    return RecordedAnswer(case.vector.id, answer, str(verdict.outcome), verdict.variant)


def published_recordings(cases: Iterable[Case], libraries: Sequence[str] = LIBRARIES) -> dict[str, Recording]:
    """Return the published answers of some libraries to those of the cases that they were asked.

    Abbreviated answers are left out, because a runner would judge the whole ones.
    """
    cases_by_id = {case.vector.id: case for case in cases}
    tells_empty: dict[str, bool] = {}
    answers: dict[str, list[RecordedAnswer]] = {name: [] for name in libraries}
    names_one = re.compile('"(?:{})"'.format("|".join(libraries)).encode())
    with lzma.open(RESULTS) as lines:
        for line in lines:
            if names_one.search(line) is None:
                continue  # the file has the answers of many libraries, and decoding is slow
            record = json.loads(line)
            if record["type"] == "implementation":
                tells_empty[record["name"]] = TELLS_EMPTY in record["features"]
            if record["type"] != "case" or _ABBREVIATED in line:
                continue
            name = record["implementation"]
            case = cases_by_id.get(record["id"])
            if name in answers and case is not None:
                answer = record.get("got") or {"status": record["outcome"]}
                answers[name].append(judged(case, answer, tells_empty=tells_empty[name]))
    return {name: Recording(tells_empty[name], answers[name]) for name in libraries}


def reference_recording(cases: Iterable[Case]) -> Recording:
    """Return the answers of the reference, which has every operation."""
    connected = ConnectedAdapter(find("reference"), USUAL, whole=True)
    answers = []
    for case, case_result in connected.ask(cases):
        answer = json.loads(json.dumps(case_result.got))
        answers.append(judged(case, answer, tells_empty=True))
    connected.close()
    return Recording(tells_empty=True, answers=answers)


def odd_recording(corpus: Corpus, *, tells_empty: bool) -> Recording:
    """Return right answers to all cases with small changes, and some outcomes without an answer."""
    abnormal = cycle(ABNORMAL)
    answers = []
    for number, case in enumerate(corpus.cases):
        requirement = corpus.requirements[case.vector.requirement]
        document = json.loads(json.dumps(case_document(case, requirement)))
        answer = odd_answer(document, Random(f"{case.vector.id} {tells_empty}"))
        if number % ABNORMAL_STEP == 0:
            answer = {"status": next(abnormal)}
        answers.append(judged(case, answer, tells_empty=tells_empty))
    return Recording(tells_empty, answers)


def failures_of_one_side(cases: Iterable[Case], recording: Recording, listed: Collection[str]) -> list[str]:
    """Return the ids that only one side has: the list of an example, or the failures of an adapter's answers.

    Both are about required vectors of RFC 3986 that an example asks.
    """
    outcomes = {answer.id: answer.outcome for answer in recording.answers}
    different = []
    for case in cases:
        vector = case.vector
        if vector.id in outcomes and case.spec == "rfc3986" and _is_asked_by_example(vector):
            fails = outcomes[vector.id] == "fail" and vector.binding == "required"
            if fails != (vector.id in listed):
                different.append(vector.id)
    return different


def _is_asked_by_example(vector: Vector) -> bool:
    """Return True if an example answers a vector: it resolves, and it parses and validates whole texts."""
    if vector.op in ("validate", "parse"):
        return vector.rule in (None, "URI-reference")
    return vector.op == "resolve"
