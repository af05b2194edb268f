"""Fixtures for the tests of the doctor: a check on an adapter with a planted fault."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from urlharness.doctor.client import Patience
from urlharness.doctor.examination import examine
from urlharness.doctor.model import CheckResult

#: So patient that a busy machine changes no result, and quick to measure. Only an adapter that says that time
#: passes runs into a timeout: see `signs` in tests/conftest.py.
PATIENT = Patience(start=1000, answer=1000, ending=1000, measuring=0.02, slow=0, total=10_000)


@pytest.fixture
def forked_servers() -> None:
    """Start adapters as the command does: that is what these tests are about."""


@pytest.fixture
def patient() -> Patience:
    """The patience of most tests."""
    return PATIENT


@pytest.fixture
def check(good_adapter, signs) -> Callable[..., CheckResult]:
    """Return a function that runs one check on a good adapter with something special, for its result."""

    def run(special: str, name: str, **patience: float) -> CheckResult:
        report = examine(good_adapter(special), PATIENT._replace(**patience), only=[name])
        check_results = {check_result.name: check_result for check_result in report.checks}
        check_result = check_results[name]
        assert report.healthy == (check_result.state != "broken")
        return check_result

    return run
