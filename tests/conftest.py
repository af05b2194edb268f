"""What all tests share: the corpus, and the RFC texts where they are at hand."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from urlharness.corpus.loader import load
from urlharness.corpus.model import SPECS, Corpus

pytest_plugins = ["pytester"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rfc-dir",
        type=Path,
        default=os.environ.get("URLCONFORM_RFC_DIR"),
        help="folder with rfc1738.txt, rfc1808.txt, rfc2396.txt, rfc2732.txt and rfc3986.txt",
    )


def pytest_configure() -> None:
    """Let no test inherit that signals are ignored, as they are behind `nohup` and an `&` of a script."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)  # to whom we start it is the default again


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Modules of which nothing would be asked are not even imported: that took longer than many a test."""
    if config.option.markexpr != "not once" or collection_path.suffix != ".py":
        return None
    return "\npytestmark = pytest.mark.once\n" in collection_path.read_text("utf-8") or None


@pytest.fixture(scope="session")
def rfc_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of the RFC texts; tests that need it are skipped, and say so, where there is none."""
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
