"""The cache: where it is, the folder in which adapters start, and locks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.system import cache
from urlharness.system.cache import cache_folder, empty_folder, lock


@pytest.fixture(autouse=True)
def _environment(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    (tmp_path / "temporary").mkdir()


@pytest.fixture
def homeless(monkeypatch):
    """A user without HOME and without an entry in passwd."""

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)


@pytest.mark.parametrize(
    ("configured", "folder"),
    [("/cache", "/cache/urlconform"), ("cache", ".cache/urlconform"), ("", ".cache/urlconform")],
    ids=["absolute", "relative", "empty"],
)
def test_the_cache_is_where_the_xdg_specification_says(monkeypatch, tmp_path, configured, folder):
    monkeypatch.setenv("XDG_CACHE_HOME", configured)
    assert cache_folder() == tmp_path / "home" / folder


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_folder_has_the_cache_in_the_temporary_folder(tmp_path):
    assert cache_folder() == tmp_path / "temporary" / f"urlconform-{os.geteuid()}"


@pytest.mark.usefixtures("homeless")
def test_only_this_user_can_read_the_cache_in_the_temporary_folder():
    assert cache_folder().stat().st_mode & 0o777 == 0o700


def _make_writable_by_all(folder):
    folder.mkdir()
    folder.chmod(0o777)


def _make_a_link(folder):
    folder.symlink_to(folder.parent.parent)


@pytest.mark.usefixtures("homeless")
@pytest.mark.parametrize("make_folder", [_make_writable_by_all, _make_a_link], ids=["writable", "link"])
def test_a_folder_of_others_is_not_used(tmp_path, make_folder):
    """Any user can make a folder in the temporary folder, and put programs there."""
    make_folder(tmp_path / "temporary" / f"urlconform-{os.geteuid()}")
    with pytest.raises(PermissionError, match="belongs to others, or they can write to it"):
        cache_folder()


@pytest.mark.usefixtures("homeless")
def test_a_relative_temporary_folder_is_ignored(monkeypatch):
    monkeypatch.setattr(cache, "_safe_folder", lambda folder, _mode: folder)
    monkeypatch.setenv("TMPDIR", "temporary")
    assert cache_folder() == Path(f"/tmp/urlconform-{os.geteuid()}")


def test_the_empty_folder_is_in_the_cache():
    assert empty_folder() == cache_folder() / "empty"


def test_the_empty_folder_has_no_files():
    assert list(empty_folder().iterdir()) == []


def test_nobody_can_write_to_the_empty_folder():
    assert empty_folder().stat().st_mode & 0o222 == 0


def _make_a_file(path):
    path.touch()


def _make_its_empty_folder_writable(path):
    (path / "urlconform").mkdir(parents=True)
    _make_writable_by_all(path / "urlconform" / "empty")


def _make_its_empty_folder_a_link(path):
    (path / "urlconform").mkdir(parents=True)
    _make_a_link(path / "urlconform" / "empty")


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(_make_a_file, id="file"),
        pytest.param(_make_its_empty_folder_writable, id="writable"),
        pytest.param(_make_its_empty_folder_a_link, id="link"),
    ],
)
def test_the_empty_folder_is_in_the_temporary_folder_if_the_cache_cannot_be_used(tmp_path, spoil):
    (tmp_path / "home").mkdir()
    spoil(tmp_path / "home" / ".cache")
    assert empty_folder() == tmp_path / "temporary" / f"urlconform-{os.geteuid()}" / "empty"


def test_there_is_no_empty_folder_if_nothing_can_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "file"))
    with pytest.raises(NotADirectoryError):
        empty_folder()


def test_a_lock_that_is_held_is_not_given_again():
    with lock("a") as first, lock("a", wait=False) as second:
        assert first is not None
        assert second is None


def test_locks_of_other_names_are_free():
    with lock("a"), lock("b", wait=False) as of_another_name:
        assert of_another_name is not None


def test_a_lock_is_free_after_the_body():
    with pytest.raises(ZeroDivisionError), lock("a"):
        raise ZeroDivisionError
    with lock("a", wait=False) as held:
        assert held is not None


#: Starts a program that keeps a lock, and is killed.
KILLED_WITH_A_LOCK = """
import os, signal, subprocess
from urlharness.system.cache import lock
with lock("a") as descriptor:
    subprocess.Popen(["cat"], pass_fds=[descriptor])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_program_holds_the_lock_of_a_killed_process():
    """The lock is free when the program ends, because it may still write to the cache before that."""
    reading, writing = os.pipe()
    killed_process = [sys.executable, "-c", KILLED_WITH_A_LOCK]
    subprocess.run(killed_process, stdin=reading, stdout=subprocess.DEVNULL, check=False)
    os.close(reading)
    with lock("a", wait=False) as held:
        assert held is None
    os.close(writing)  # ends the program
    with lock("a") as held:
        assert held is not None
