"""The commands of the authors, in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from urlauthor.cli import vectors


class Ended(NamedTuple):
    """The end of a command: its exit code, its stdout, its stderr, and the exception that it raised."""

    code: int | None
    out: str
    err: str
    error: BaseException | None


@pytest.fixture
def authoring() -> Callable[..., Ended]:
    """Return a function that runs `urlconform vectors …` in this process."""

    def run(*arguments: object) -> Ended:
        done = CliRunner().invoke(vectors, [str(argument) for argument in arguments], standalone_mode=False)
        return Ended(done.return_value, done.stdout, done.stderr, done.exception)

    return run
