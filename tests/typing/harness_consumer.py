"""Uses of the harness by a strictly typed program: mypy checks this file, and nothing runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_type

from hypothesis.strategies import SearchStrategy

import urlharness
from urlharness import Report, assert_conforms, functions, run, stream
from urlharness.adapters.python import Functions
from urlharness.api import Gate
from urlharness.corpus.model import Case
from urlharness.results.model import Result
from urlharness.strategies import InvalidText, invalid_urls, url_pairs, urls


def adapters(url: str) -> None:
    """Names, functions and what `functions` makes are adapters."""

    def answer(question: dict[str, Any]) -> Mapping[str, Any]:
        return {"status": "ok", "url": question["url"]}

    adapter = functions("own", resolve=lambda base, reference: base + reference)
    assert_type(adapter, Functions)
    assert_type(run("urllib", spec="rfc3986"), Report)
    assert_type(run(answer, section=["5.4", "5.3"]), Report)
    assert_type(run(adapter, timeout=1, total_timeout=60.0, jobs=2, maxfail=1), Report)
    assert_type(urlharness.__version__, str)


def reports(report: Report) -> bool:
    """A report and its gate are typed."""
    assert_type(report.outcomes, Mapping[str, Result])
    assert_type(report.sections["rfc3986", "5.4"].results.value, float | None)
    for case, answered in stream("urllib"):
        assert_type(case, Case)
        assert_type(answered, Result)
    gate = report.gate("baseline.json", policy={"permitted-set": "listed"})
    assert_type(gate, Gate)
    return gate.passed


def properties(parse: Callable[[str], dict[str, str | None]]) -> None:
    """Strategies are typed by what they draw; `assert_conforms` takes functions of a library."""
    assert_type(urls("rfc1738", scheme="ftp"), SearchStrategy[str])
    assert_type(invalid_urls(), SearchStrategy[InvalidText])
    assert_type(url_pairs(), SearchStrategy[tuple[str, str]])
    assert_conforms("http://a/", parse=parse, absent_vs_empty=True)


def mistakes() -> None:
    """Mistakes that a type checker must refuse; an ignore that is not needed is an error itself."""
    run(3)  # type: ignore[arg-type]
    run("urllib", specs="rfc3986")  # type: ignore[call-arg]
    functions("own", resolve=len)  # type: ignore[arg-type]
    assert_conforms("a", parse=len)  # type: ignore[arg-type]
    _ = urlharness.nothing  # type: ignore[attr-defined]
