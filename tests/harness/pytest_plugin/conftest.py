"""Fixtures for the tests of the pytest plugin: a library with settable wrong answers, and its baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from urlharness.corpus.lock import locked_vector
from urlharness.corpus.model import Case, Corpus
from urlharness.gate.baseline import Baseline, Entry, write_baseline

#: A library over urljoin, correct for all of section 5.4; `WRONG` maps references to other answers.
CONFTEST = """
from urllib.parse import urljoin
from urlharness import functions

WRONG = {wrong!r}

def join(base, reference):
    answer = WRONG.get(reference)
    if isinstance(answer, Exception):
        raise answer
    return urljoin(base, reference) if answer is None else answer

def pytest_urlconform_adapter(name):
    return functions("lib", "1", specs={specs!r}, {operation}=join) if name == "lib" else None
"""

#: The strictest settings of pytest.
INI = """
[pytest]
addopts = --strict-markers --strict-config -p no:cacheprovider -p no:hypothesispytest
filterwarnings = error
xfail_strict = true
urlconform_section = 5.4.1
"""

Project = Callable[..., Path]


@pytest.fixture
def ids_of_section(cases_of_section: Callable[[str, str], list[Case]]) -> Callable[[str], list[str]]:
    """Return a function that returns the ids of the vectors of a section of RFC 3986."""

    def ids(section: str) -> list[str]:
        return [case.vector.id for case in cases_of_section("rfc3986", section)]

    return ids


@pytest.fixture
def normal_examples(ids_of_section: Callable[[str], list[str]]) -> list[str]:
    """The ids of the vectors that the settings select: those of RFC 3986, section 5.4.1."""
    return ids_of_section("5.4.1")


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    """Return a function that writes a project whose library gives these answers to these references.

    The library claims these RFCs and offers this operation alone.
    """

    def write(
        wrong: dict[str, object] | None = None,
        ini: str = "",
        *,
        specs: Sequence[str] = ("rfc3986",),
        operation: str = "resolve",
    ) -> Path:
        conftest = CONFTEST.format(wrong=wrong or {}, specs=list(specs), operation=operation)
        pytester.makeconftest(conftest)
        pytester.makeini(INI + ini)
        return pytester.path

    return write


@pytest.fixture
def baseline(corpus: Corpus, pytester: pytest.Pytester) -> Callable[..., Path]:
    """Return a function that writes a baseline of these answers; `also` are further entries.

    The entries have the digests of their vectors, or all of them another one.
    """
    cases: dict[str, Case] = {case.vector.id: case for case in corpus.cases}

    def write(
        answers: dict[str, str],
        also: Iterable[Entry] = (),
        *,
        library: str = "lib",
        specs: tuple[str, ...] = ("rfc3986",),
        digest: str = "",
    ) -> Path:
        entries = []
        for identifier, answer in answers.items():
            vector_digest = digest or locked_vector(cases[identifier]).digest
            entries.append(Entry(identifier, "fail", {"status": "ok", "url": answer}, vector_digest))
        path = pytester.path / "baseline.json"
        write_baseline(Baseline("urlbaseline-1", corpus.digest, library, specs, (*entries, *also)), path)
        return path

    return write
