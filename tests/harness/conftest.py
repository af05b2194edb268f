"""Fixtures for all tests of the harness: the installed corpus is loaded once."""

from __future__ import annotations

import errno
import fcntl
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from urlharness import api
from urlharness.cli import exam
from urlharness.cli.author import adequacy, export
from urlharness.cli.judge import baseline
from urlharness.cli.understand import explain
from urlharness.compare import bypass
from urlharness.corpus import foreign, jsonl, loader
from urlharness.corpus.loader import load
from urlharness.corpus.lock import KnownIds, known_ids, vector_digest
from urlharness.corpus.model import Case, Corpus
from urlharness.fuzz import candidate
from urlharness.pytest_plugin import items
from urlharness.results import coverage

from . import forks

#: A long name of an adapter, but for its end.
LONG = "exec:python3 /home/somebody/projects/of/names/length/adapter.py --lib="
_BETWEEN = "exec:/opt/{}/a/path/that/goes/on/and/on/and/on/adapter --with --many --options"
#: Two long names that are alike but for a word.
LONG_NAMES = [
    pytest.param((LONG + "alpha", LONG + "beta"), id="differ-at-the-end"),
    pytest.param(
        (_BETWEEN.format("x" * 40 + "alpha"), _BETWEEN.format("x" * 40 + "beta")), id="differ-in-the-middle"
    ),
]


@pytest.fixture(scope="session")
def installed_ids(corpus: Corpus) -> Callable[[], KnownIds]:
    """Return a function that returns the ids of the installed corpus, which are read once."""
    return cache(lambda: known_ids(corpus))


@pytest.fixture(scope="session")
def digest_once() -> Callable[[Case], str]:
    """Return a function that returns the digest of a case, which is computed once."""
    digests: dict[int, tuple[Case, str]] = {}  # by identity; the cases stay alive

    def digest(case: Case) -> str:
        if id(case) not in digests:
            digests[id(case)] = (case, vector_digest(case))
        _, digest_of_case = digests[id(case)]
        return digest_of_case

    return digest


@pytest.fixture(scope="module", autouse=True)
def loaded_once(
    corpus: Corpus, installed_ids: Callable[[], KnownIds], digest_once: Callable[[Case], str]
) -> Iterator[None]:
    """Load the installed corpus and its lock once, not for each command, report or session."""

    def load_once(path: Path | None = None) -> Corpus:
        return corpus if path is None else load(path)

    def read_ids_once(loaded: Corpus, path: Path | None = None) -> KnownIds:
        return installed_ids() if loaded is corpus else known_ids(loaded, path)

    with pytest.MonkeyPatch.context() as patch:
        for module in (adequacy, api, bypass, candidate, coverage, exam, explain, export, items, loader):
            patch.setattr(module, "load", load_once)
        for format_of_cases in (foreign, jsonl):
            patch.setattr(format_of_cases, "load_corpus", load_once)
        patch.setattr(baseline, "vector_digest", digest_once)
        patch.setattr(exam, "known_ids", read_ids_once)
        yield


@pytest.fixture(autouse=True)
def forked_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a copy of this process serve adapters: to start Python and to import takes longer than most tests.

    Tests of sessions start them as the command does, and so do those of tests/e2e.
    """
    with_forks = SimpleNamespace(
        Popen=forks.start, PIPE=subprocess.PIPE, TimeoutExpired=subprocess.TimeoutExpired
    )
    monkeypatch.setattr("urlharness.sessions.process.subprocess", with_forks)


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file system has no locks."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
