"""Fixtures for all tests of the harness: the installed corpus is loaded once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from urlharness import api
from urlharness.cli.judge import exam
from urlharness.corpus.loader import load
from urlharness.corpus.lock import KnownIds, known_ids
from urlharness.corpus.model import Corpus
from urlharness.pytest_plugin import items


@pytest.fixture(scope="session")
def installed_ids(corpus: Corpus) -> Callable[[], KnownIds]:
    """Return a function that returns the ids of the installed corpus, which are read once."""
    return cache(lambda: known_ids(corpus))


@pytest.fixture(autouse=True)
def loaded_once(
    corpus: Corpus, installed_ids: Callable[[], KnownIds], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Load the installed corpus and its lock once, not for each command, report or session."""

    def load_once(path: Path | None = None) -> Corpus:
        return corpus if path is None else load(path)

    for module in (api, exam, items):
        monkeypatch.setattr(module, "load", load_once)
    monkeypatch.setattr(
        exam,
        "known_ids",
        lambda loaded, path=None: installed_ids() if loaded is corpus else known_ids(loaded, path),
    )
