"""Two copies of one parser, of which the second may have a bug."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from urlharness.adapters.python import functions
from urlharness.adapters.registry import InProcess
from urlharness.fuzz.campaign import CampaignPlan, CampaignResult, run
from urlharness.fuzz.panel import CampaignPanel
from urlharness.fuzz.store import Store
from urlharness.protocol.limits import USUAL
from urlharness.runner import function_adapter

Parts = dict[str, str | None]


def split(text: str) -> Parts:
    """Split a text as `urllib.parse` does."""
    parts = urlsplit(text)
    userinfo, at, _ = parts.netloc.rpartition("@")
    return {
        "scheme": parts.scheme,
        "userinfo": userinfo if at else None,
        "host": parts.hostname,
        "port": None if parts.port is None else str(parts.port),
        "path": parts.path,
        "query": parts.query,
        "fragment": parts.fragment,
    }


@pytest.fixture
def parser() -> Callable[..., InProcess]:
    """Return a function that makes an adapter of a parser.

    `change` edits each text before it is parsed. A function with the name of a component edits its value.
    """

    def make(name: str = "one", change: Callable[[str], str] = str, **components: Any) -> InProcess:
        def parse(text: str) -> Parts:
            parts = split(change(text))
            for name_of_part, edit in components.items():
                part = parts[name_of_part]
                parts[name_of_part] = None if part is None else edit(part)
            return parts

        return function_adapter(functions(name, parse=parse, absent_vs_empty=True))

    return make


@pytest.fixture
def open_panel() -> Any:
    """Return a function that opens a panel of adapters, which is closed after the test."""
    panels: list[CampaignPanel] = []

    def start(*adapters: InProcess) -> CampaignPanel:
        panels.append(CampaignPanel(adapters, "rfc3986", USUAL))
        return panels[-1]

    yield start
    for panel in panels:
        panel.close()


@pytest.fixture
def campaign(tmp_path: Any) -> Callable[..., CampaignResult]:
    """Return a function that runs a campaign in a folder, which is `out` unless it is given."""

    def start(
        *adapters: Any, cases: int = 500, jobs: int = 1, folder: str = "out", **plan: Any
    ) -> CampaignResult:
        run_options = {name: plan.pop(name) for name in ("known", "seconds", "progress") if name in plan}
        store = Store(tmp_path / folder)
        try:
            return run(CampaignPlan(adapters, **plan), store, cases=cases, jobs=jobs, **run_options)
        finally:
            store.close()

    return start
