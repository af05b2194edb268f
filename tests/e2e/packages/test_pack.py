"""The program that writes the data of the packages."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.corpus.lock import read_lock
from urlharness.corpus.model import corpus_dir

PACK = Path(__file__).parents[3] / "packages" / "pack.py"


def pack(*arguments, options=()):
    command = [sys.executable, *options, PACK, "go", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_a_folder_that_exists_is_not_overwritten(tmp_path):
    done = pack(tmp_path)
    assert f"{tmp_path} exists already" in done.stderr
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_urlconform_has_to_be_installed(tmp_path):
    done = pack(tmp_path / "new", options=["-S"])  # without site-packages
    assert "urlconform is not installed" in done.stderr
    assert done.returncode == 2


@pytest.mark.long
def test_the_packed_data_is_the_locked_bundle(tmp_path):
    assert pack(tmp_path / "new").returncode == 0
    bundle = tmp_path / "new" / "bundle"
    manifest = json.loads((bundle / "manifest.json").read_bytes())
    assert manifest["digest"] == read_lock(corpus_dir() / "vectors.lock").bundle
    for file in manifest["files"]:
        cases = json.loads(gzip.decompress((bundle / f"{file['name']}.gz").read_bytes()))["cases"]
        assert len(cases) == file["cases"]
