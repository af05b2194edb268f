"""Uses of the harness by a strictly typed program: mypy checks this file, and nothing runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_type

import urlharness
from urlharness import Report, functions, run, stream
from urlharness.adapters.python import Functions
from urlharness.api import Gate
from urlharness.corpus.model import Case
from urlharness.results.model import Result


def adapters(url: str) -> None:
    """Names, functions and what `functions` makes are adapters."""

    def answer(question: dict[str, Any]) -> Mapping[str, Any]:
        return {"status": "ok", "url": question["url"]}

    own = functions("own", resolve=lambda base, reference: base + reference)
    assert_type(own, Functions)
    assert_type(run("urllib", spec="rfc3986"), Report)
    assert_type(run(answer, section=["5.4", "5.3"]), Report)
    assert_type(run(own, timeout=1, total_timeout=60.0, jobs=2, maxfail=1), Report)
    assert_type(urlharness.__version__, str)


def reports(report: Report) -> bool:
    """A report and its gate are typed."""
    assert_type(report.outcomes, Mapping[str, Result])
    assert_type(report.sections["rfc3986", "5.4"].results.value, float | None)
    for case, result in stream("urllib"):
        assert_type(case, Case)
        assert_type(result, Result)
    gate = report.gate("baseline.json", policy={"permitted-set": "listed"})
    assert_type(gate, Gate)
    return gate.passed


def mistakes() -> None:
    """Mistakes that a type checker must refuse; an ignore that is not needed is an error itself."""
    run(3)  # type: ignore[arg-type]
    run("urllib", specs="rfc3986")  # type: ignore[call-arg]
    functions("own", resolve=len)  # type: ignore[arg-type]
    _ = urlharness.nothing  # type: ignore[attr-defined]
