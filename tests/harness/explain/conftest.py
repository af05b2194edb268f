"""The fixture of the tests of explanations."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner

from urlharness.cli.understand.explain import explain as command


@pytest.fixture
def explain() -> Callable[..., str]:
    """Return what `urlconform explain` prints in a pipe."""

    def run(*arguments: str) -> str:
        names = ["-h", "--help"]  # click keeps the help option of the first call
        done = CliRunner().invoke(command, arguments, standalone_mode=False, help_option_names=names)
        assert done.exception is None, done.exception
        assert done.return_value == 0
        return done.output

    return run
