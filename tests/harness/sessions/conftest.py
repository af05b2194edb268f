"""Fixtures of the tests of sessions: twelve cases, and their results with a misbehaving adapter."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from urlharness.corpus.model import Case
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urlharness.runner import question
from urlharness.sessions.client import ClientPool
from urlharness.sessions.session import Session

SCRIPTS = Path(__file__).parent / "misbehaving"
#: Only a script that says that time passes runs into a timeout: see `signs` in tests/conftest.py.
PATIENT = Limits(start=1000, case=1000)

Verdicts = dict[str, tuple[str, str]]
Examine = Callable[..., Verdicts]


@pytest.fixture
def forked_servers() -> None:
    """Start adapters as the command does: that is what these tests are about."""


@pytest.fixture
def cases(make_case: Callable[..., Case]) -> dict[str, Case]:
    """Texts to accept, texts to reject and references to resolve; most scripts misbehave for TARGET."""

    def validate(name: str, url: str, *, valid: bool) -> Case:
        return make_case(f"rfc3986-3-{name}", url=url, expect={"valid": valid})

    def resolve(name: str) -> Case:
        expect = {"result": f"http://h/{name}"}
        return make_case(
            f"rfc3986-5-{name}", op="resolve", rule=None, base="http://h/", reference=name, expect=expect
        )

    def make_named(name: str) -> Case:
        if name.startswith("yes"):
            return validate(name, "http://h/", valid=True)
        if name.startswith("no"):
            return validate(name, "http://h/ ", valid=False)
        return resolve(name)

    names = ("yes1", "no1", "ref1", "yes2", "ref2", "no2", "TARGET", "yes3", "ref3", "yes4", "no3", "ref4")
    return {name: make_named(name) for name in names}


@pytest.fixture
def command(signs: Path) -> Iterator[Callable[[str, int], list[str]]]:
    """Return a function that returns the command of a script and a window.

    Children in other process groups are killed after the test.
    """
    yield lambda script, window: [
        *(sys.executable, "-S", "-E", str(SCRIPTS / f"{script}.py"), str(window), str(signs))
    ]
    for pid in _children(signs, "apart"):
        with contextlib.suppress(ProcessLookupError):  # it ends by itself in the long run
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def examine(
    cases: dict[str, Case],
    command: Callable[[str, int], list[str]],
    signs: Path,
    alive: Callable[..., bool],
) -> Examine:
    """Return a function that puts all cases to a script; it returns outcome and detail by name of case."""

    def run(
        script: str,
        window: int,
        session_class: Callable[..., Any] = Session,
        limits: Limits = PATIENT,
        patience: float = 600,
    ) -> Verdicts:
        questions = list(cases.values())
        session = session_class(command(script, window), limits, "tests")
        if isinstance(session, Session):
            session = ClientPool([session], session.budget, session.poller)
        outcomes: dict[int, tuple[str, str]] = {}
        for index, got in session.ask(question(case) for case in questions):
            assert index not in outcomes, "two results for one question"
            outcomes[index] = _outcome(questions[index], got)
        session.close()
        assert list(outcomes) == list(range(len(questions))), "a result for each question, in order"
        remaining = [pid for pid in _children(signs, "children") if alive(pid, patience)]
        assert remaining == [], "a child process is left"
        return dict(zip(cases, outcomes.values(), strict=True))

    return run


def _outcome(case: Case, got: Reply | Abnormal) -> tuple[str, str]:
    """Return the outcome of a case, and its detail."""
    if isinstance(got, Abnormal):
        return got.outcome, got.detail
    verdict = judge(case, got, ())
    return verdict.outcome, verdict.detail


def _children(signs: Path, kind: str) -> list[int]:
    """Return the numbers of the processes that scripts have left, as they wrote them down."""
    path = signs.with_name(kind)
    return [int(pid) for pid in path.read_text("ascii").split()] if path.exists() else []
