"""Uses of the oracle by a strictly typed program: mypy checks this file, and nothing runs it."""

from __future__ import annotations

from typing import assert_type

from urloracle.derivation import Derivation
from urloracle.errors import InvalidURL
from urloracle.explanation import Explanation, explain
from urloracle.nearest import Repair
from urloracle.operations import (
    base_header,
    base_url,
    equivalent,
    extract,
    normalize,
    parse,
    recompose,
    resolve,
    validate,
)
from urloracle.rfc.base import Base
from urloracle.rfc.components import URI, RelativeURL
from urloracle.rfc.equivalence import Equivalence
from urloracle.rfc.extraction import Extract
from urloracle.rfc.resolution import Resolution, Step
from urloracle.rfcs import SPECIFICATIONS, specification
from urloracle.specification import Specification


def questions(text: str) -> None:
    """Every question has a type of its own."""
    assert_type(parse(text, "rfc3986"), URI)
    assert_type(parse(text, "rfc1808").net_loc, str | None)
    assert_type(parse(text, "rfc1808"), RelativeURL)
    assert_type(resolve(text, "g", "rfc3986"), Resolution)
    assert_type(normalize(text, "rfc3986", "scheme"), str)
    assert_type(equivalent(text, text, "rfc3986"), Equivalence)
    assert_type(extract(text, "rfc3986"), list[Extract])
    assert_type(base_url("rfc3986", retrieval=text), Base)
    assert_type(base_header(text), str)
    assert_type(recompose({"scheme": "a", "path": ""}, "rfc3986"), str)
    assert_type(specification("rfc3986"), Specification)
    assert_type(SPECIFICATIONS["rfc3986"], Specification)


def explanation(text: str) -> None:
    """An explanation has all parts, each of which may be missing."""
    explanation = explain(text, "rfc3986", base="http://a/")
    assert_type(explanation, Explanation)
    assert_type(explanation.derivation, Derivation | None)
    assert_type(explanation.nearest, Repair | None)
    assert_type(explanation.steps, tuple[Step, ...])


def refusal(text: str) -> str:
    """The fields of the exception are typed."""
    try:
        validate(text, "rfc3986", "host", "generic")
    except InvalidURL as problem:
        assert_type(problem.position, int)
        assert_type(problem.expected, frozenset[str])
        return problem.section
    return ""


def mistakes(text: str) -> None:
    """Mistakes that a type checker must refuse; an ignore that is not needed is an error itself."""
    validate(text, "rfc3986", profile="strict")  # type: ignore[arg-type]
    normalize(text, "rfc3986", "wrong")  # type: ignore[arg-type]
    resolve(text, "rfc3986")  # type: ignore[call-arg]
    base_url("rfc3986", "http://a/")  # type: ignore[call-arg]
    validate(b"http://a/", "rfc3986")  # type: ignore[arg-type]
