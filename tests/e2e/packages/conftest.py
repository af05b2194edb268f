"""A folder of the bundle, and files of recorded answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from urlharness.bundle.folder import write_bundle
from urlharness.corpus.model import Corpus, corpus_dir
from urlharness.corpus.selection import Selection

from .recorded import odd_recording, published_recordings, reference_recording


@pytest.fixture(scope="module")
def bundle(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that writes the bundle of an RFC, or of all, and returns its folder."""

    def write(*specs: str) -> Path:
        target = tmp_path_factory.mktemp("bundle") / "urls"
        write_bundle(corpus_dir(), corpus, target, Selection(specs=specs), force=False)
        return target

    return write


@pytest.fixture(scope="module")
def published_answers(
    corpus: Corpus, computed_once: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A folder with the published answers of six libraries to RFC 3986."""
    recordings = computed_once("published-recordings", lambda: published_recordings(corpus.cases))
    folder = tmp_path_factory.mktemp("published")
    for name, recording in recordings.items():
        recording.write(folder / f"{name}.jsonl")
    return folder


@pytest.fixture(scope="module")
def made_answers(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the answers of the reference to all cases, and odd answers."""
    folder = tmp_path_factory.mktemp("made")
    reference_recording(corpus.cases).write(folder / "reference.jsonl")
    odd_recording(corpus, tells_empty=True).write(folder / "odd-tells-empty.jsonl")
    odd_recording(corpus, tells_empty=False).write(folder / "odd.jsonl")
    return folder
