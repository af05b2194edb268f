"""The line that removes stale entries judges as the session did; else it would remove what still fails."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from urlharness.adapters.registry import find
from urlharness.pytest_plugin.settings import settings

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--spec rfc2396 --section 5.2 --policy R-2396-18=error",
        "--flag security --fail-on must --strict --timeout 0.5 --start-timeout 60",
    ],
)
def test_what_decided_is_said_again(pytester, monkeypatch, options):
    named = shlex.split(options.replace("--", "--urlconform-"))
    config = pytester.parseconfigure("--urlconform", "urllib", *named)
    line = shrink(find("urllib"), Path("b.json"), None, settings(config, "urllib").deciding)
    assert shlex.split(line)[3:] == ["b.json", "urllib", *shlex.split(options), "--only-shrink"]
