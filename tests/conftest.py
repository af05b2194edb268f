"""What all tests share: the corpus, the RFC texts if they are at hand, and the markers of the slow folders."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from urlharness.corpus.loader import load
from urlharness.corpus.model import SPECS, Corpus

pytest_plugins = ["pytester"]

#: The folders of tests that are no quick ones, each with the marker of its tests.
SLOW = {"proofs": "proof", "e2e": "e2e", "browser": "browser"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rfc-dir",
        type=Path,
        default=os.environ.get("URLCONFORM_RFC_DIR"),
        help="folder with rfc1738.txt, rfc1808.txt, rfc2396.txt, rfc2732.txt and rfc3986.txt",
    )


def pytest_configure() -> None:
    """Let no test inherit ignored signals, as a script started with `nohup` or `&` passes them on."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)  # a child process has the default again


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the folders that the marker expression leaves out."""
    marker = SLOW.get(collection_path.name) if collection_path.parent == Path(__file__).parent else None
    return True if marker and f"not {marker}" in config.option.markexpr else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of the slow folders."""
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    if folder in SLOW:
        item.add_marker(SLOW[folder])


@pytest.fixture(scope="session")
def rfc_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of the RFC texts; without one the tests that need it are skipped."""
    directory = request.config.getoption("--rfc-dir")
    if directory is None:
        pytest.skip("the RFC texts are not at hand: give --rfc-dir or URLCONFORM_RFC_DIR")
    missing = [spec for spec in SPECS if not (Path(directory) / f"{spec}.txt").is_file()]
    if missing:
        pytest.fail(f"{directory} has no text of {', '.join(missing)}")
    return Path(directory)


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """The installed corpus."""
    return load()
