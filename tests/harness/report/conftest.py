"""Helpers of the tests of reports: `report_samples`, `report_checks` and `html_text` can be imported."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from urlharness.report import terminal
from urlharness.results.model import Results

sys.path.append(str(Path(__file__).parent))


@pytest.fixture
def on_terminal() -> Callable[..., str]:
    """Return a function that prints the summary, tables, and the failures of `name`, and returns the text."""

    def show(
        results: Results,
        name: str = "",
        *,
        width: int = 400,
        tty: bool = False,
        color: str | None = None,
        **options: Any,
    ) -> str:
        stream = io.StringIO()
        console = Console(
            file=stream,
            width=width,
            force_terminal=tty,
            color_system=color,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )
        terminal.print_report(console, results, **options)
        if name:
            terminal.print_first_failures(console, results, name)
        return stream.getvalue()

    return show
