"""A case of the bundle: a question with everything that a runner needs to judge an answer to it.

What `urlharness.results.verdict` looks up or computes from the vector is written out here: defaults, the
parts that only a library with the feature `absent-vs-empty` can answer completely, and whether the case of
scheme and host counts. So a runner needs few rules, and RUNNER.md has them all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from urlharness.corpus.lock import vector_digest
from urlharness.corpus.model import WITH_MODE, Case, Expected, Requirement, Vector
from urlharness.corpus.specifications import facts
from urlharness.results.verdict import admits_every_answer, can_be_absent, ignores_case

#: The inputs that have fields of their own in a case of the bundle.
_NAMED = frozenset(("rule", "profile", "mode"))

#: Maps the field of an expectation to the field of a reply that contains the answer, which is also the kind
#: of the answer in the bundle. The other kinds, `accept`, `reject` and `same_document`, have no such field.
_FIELDS = {
    "components": "components",
    "result": "url",
    "urls": "urls",
    "equal": "equal",
    "decoded": "decoded",
    "base": "base",
}


def case_document(case: Case, requirement: Requirement) -> dict[str, Any]:
    """Return a case of the bundle as JSON data. `requirement` is the one that its vector cites."""
    vector = case.vector
    fields = msgspec.json.decode(msgspec.json.encode(vector))
    expectations = fields["expect"].get("any") or [fields["expect"]]
    answers = [_answer_document(case.spec, expectation) for expectation in expectations]
    question = {name: fields[name] for name in vector.inputs if name not in _NAMED}
    mode = None
    if vector.op in WITH_MODE:
        mode = vector.mode or "syntax"
    return {
        "id": vector.id,
        "digest": vector_digest(case),
        "spec": case.spec,
        "section": case.section,
        "requirement": vector.requirement,
        "statement": requirement.statement,
        "paragraphs": _paragraphs(requirement),
        "level": vector.level,
        "binding": vector.binding,
        "class": vector.class_,
        "flags": list(case.flags),
        "op": vector.op,
        "rule": _rule(case),
        "profile": _profile(case),
        "mode": mode,
        "question": question,
        "answers": answers,
        "may_reject": any(answer["kind"] == "reject" for answer in answers),
        "unlisted": "variant" if admits_every_answer(vector) else "fail",
        "ignore_case": ignores_case(vector),
    }


def _paragraphs(requirement: Requirement) -> list[int]:
    """Return the numbers of the paragraphs of the section in which the RFC says it, if they are known."""
    numbers = requirement.paragraph
    if isinstance(numbers, int):
        return [numbers] if numbers else []
    return list(numbers)


def count_answers(vector: Vector) -> int:
    """Return how many answers a vector admits. Each choice of readings of URLs is an answer of its own."""
    return sum(map(_count_choices, vector.expect.alternatives))


def _count_choices(answer: Expected) -> int:
    """Return the number of ways to choose one reading of each URL, or 1 if the answer has no URLs."""
    if isinstance(answer.urls, msgspec.UnsetType):
        return 1
    return math.prod(len(readings) for readings in answer.urls)


def _rule(case: Case) -> str | None:
    """Return the rule of the text: the default rule if a question of validate or parse names none."""
    vector = case.vector
    if vector.op in ("validate", "parse"):
        return vector.rule or facts(case.spec).default_rule
    return vector.rule


def _profile(case: Case) -> str | None:
    """Return the profile of a question of validate or parse.

    By default, a whole text is asked by the rule of its scheme if the RFC has such rules (G-06).
    """
    vector = case.vector
    if vector.op not in ("validate", "parse"):
        return None
    if vector.profile:
        return vector.profile
    by_scheme = facts(case.spec).by_scheme
    is_by_scheme = by_scheme is not None and _rule(case) == by_scheme
    return "scheme-specific" if is_by_scheme else "generic"


def _answer_document(spec: str, expectation: Mapping[str, Any]) -> dict[str, Any]:
    """Return an admitted answer as JSON data. The variant of the recommended answer is empty.

    `expectation` is the answer as the corpus writes it.
    """
    document = {"variant": expectation.get("variant", "")}
    if expectation.get("same_document"):
        document["kind"] = "same_document"
    elif expectation.get("valid") is True:
        document["kind"] = "accept"
    elif expectation.get("valid") is False:
        document["kind"] = "reject"
        document["at"] = expectation.get("at")
        document["rules"] = expectation.get("rules", [])
    else:
        name = next(name for name in _FIELDS if name in expectation)
        kind = _FIELDS[name]
        document["kind"] = kind
        document[kind] = expectation[name]
        document |= _names_of_empty_parts(spec, kind, expectation[name])
    return document


def _names_of_empty_parts(spec: str, kind: str, content: Any) -> dict[str, list[str]]:
    """Name the parts of an answer whose absence or emptiness some libraries cannot tell, or need not.

    Parts in `empty` are present and empty. Components in `or_empty` are absent, but the RFC does not tell
    absent from empty (RFC 1808, section 2.4). Answers of other kinds than these three name no parts.
    """
    match kind:
        case "components":
            empty = [name for name, part in content.items() if part == "" and can_be_absent(spec, name)]
            absent = [name for name, part in content.items() if part is None]
            or_empty = sorted(absent) if facts(spec).empty_is_absent else []
            return {"empty": sorted(empty), "or_empty": or_empty}
        case "decoded":
            # null is the request of a URL for which none can be sent, which no library confuses with ""
            empty = [name for name, part in content.items() if part == "" and name != "request"]
            return {"empty": sorted(empty)}
        case "base":
            return {"empty": ["base"] if content == "" else []}
    return {}
