"""A list is written whole or not at all: issues and notes in it are nobody's to lose."""

from __future__ import annotations

import resource

import pytest

from urlharness.gate.baseline import Baseline, canonical, read_baseline, write_baseline

LIST = Baseline("urlbaseline-1", "0" * 12, "lib", ("rfc3986",), ())
LONG = Baseline("urlbaseline-1", "0" * 12, "l" * 20_000, ("rfc3986",), ())


@pytest.fixture
def small_files():
    """No file may have more than 4,096 octets: a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_list_as_it_was(tmp_path, small_files):
    path = tmp_path / "b.json"
    write_baseline(LIST, path)
    with pytest.raises(OSError, match=r"File too large: .*b\.json"):
        write_baseline(LONG, path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text("ascii") == canonical(LIST)


def test_a_link_and_the_mode_of_a_file_stay(tmp_path):
    path, link = tmp_path / "b.json", tmp_path / "link.json"
    write_baseline(LIST, path)
    path.chmod(0o640)
    link.symlink_to("b.json")
    write_baseline(LONG, link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert read_baseline(path) == LONG
