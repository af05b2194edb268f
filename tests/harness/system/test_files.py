"""Paths below a folder that someone else may have made: names and links that lead out are refused."""

from __future__ import annotations

import errno
import os

import pytest

from urlharness.system.files import (
    OutsideError,
    linked_path,
    open_below,
    path_below,
    read_below,
    remove_below,
    write_below,
)


@pytest.fixture
def folder(tmp_path):
    """A folder with a file and links that lead out, and a victim beside it."""
    path = tmp_path / "folder"
    path.mkdir()
    (path / "file").write_text("mine")
    (path / "to-file").symlink_to("../victim/file")
    (path / "to-folder").symlink_to("../victim")
    (path / "to-nothing").symlink_to("../created")
    os.mkfifo(path / "pipe")
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "file").write_text("theirs")
    return path


#: Names that lead out of the folder, and none that is below it.
OUTSIDE = ["..", "../victim/file", "a/../../victim/file", "/etc/passwd"]
NO_NAMES = ["", ".", *OUTSIDE, "a//b", "a/", "./a", "a\0b", "a\nb", "a\\..\\b"]
#: Names whose way leads through something that is no file or folder, and what the error says of it.
LEADING_OUT = [
    *(
        (name, "a symbolic link, which is not followed here")
        for name in ("to-file", "to-folder", "to-folder/file", "to-nothing", "to-nothing/file")
    ),
    ("pipe", "neither a file nor a folder"),
]


@pytest.mark.parametrize("name", ["file", "new", "new/file", "a.b-c_d", "..a", "a b"])
def test_a_name_below_the_folder_is_found(folder, name):
    assert path_below(folder, name) == folder / name


NO_NAME_BELOW = "is not the name of a file in this folder"


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name_below_the_folder_is_refused(folder, name):
    with pytest.raises(OutsideError, match=NO_NAME_BELOW):
        path_below(folder, name)


@pytest.mark.parametrize(("name", "message"), LEADING_OUT)
def test_a_name_that_leads_out_of_the_folder_is_refused(folder, name, message):
    with pytest.raises(OutsideError, match=message):
        path_below(folder, name)


@pytest.mark.parametrize(("name", "message"), LEADING_OUT)
def test_writing_stays_below_the_folder(folder, tmp_path, name, message):
    with pytest.raises(OutsideError, match=message):
        write_below(folder, name, "changed")
    assert (tmp_path / "victim" / "file").read_text() == "theirs"
    assert not (tmp_path / "created").exists()


@pytest.mark.parametrize(("name", "message"), LEADING_OUT)
def test_reading_stays_below_the_folder(folder, name, message):
    """A pipe is not read, because that would wait for its other end."""
    with pytest.raises(OutsideError, match=message):
        read_below(folder, name)


def test_a_file_is_written_in_new_folders(folder):
    write_below(folder, "a/b/c", "\u00e9")
    assert read_below(folder, "a/b/c") == "\u00e9".encode()


def test_a_file_is_appended_to(folder):
    with open_below(folder, "file", "ab") as stream:
        stream.write(b" and more")
    assert (folder / "file").read_text() == "mine and more"


@pytest.mark.parametrize("name", ["to-file", "to-folder", "to-nothing"])
def test_of_a_link_only_the_link_is_removed(folder, tmp_path, name):
    remove_below(folder, name)
    assert not (folder / name).is_symlink()
    assert (tmp_path / "victim" / "file").read_text() == "theirs"


@pytest.mark.parametrize(
    ("name", "message"),
    [*((name, NO_NAME_BELOW) for name in NO_NAMES), ("to-folder/file", "a symbolic link, which is not")],
)
def test_removing_stays_below_the_folder(folder, tmp_path, name, message):
    with pytest.raises(OutsideError, match=message):
        remove_below(folder, name)
    assert (tmp_path / "victim" / "file").read_text() == "theirs"


def test_links_in_a_removed_folder_are_not_followed(folder, tmp_path):
    (folder / "sub").mkdir()
    (folder / "sub" / "link").symlink_to(tmp_path / "victim")
    remove_below(folder, "sub")
    assert not (folder / "sub").exists()
    assert (tmp_path / "victim" / "file").exists()


def test_removing_nothing_is_no_error_and_changes_nothing(folder):
    before = sorted(folder.iterdir())
    remove_below(folder, "nothing")
    assert sorted(folder.iterdir()) == before


def test_a_linked_folder_of_the_user_is_followed(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    assert read_below(tmp_path / "link", "file") == b"mine"


def test_a_loop_of_links_is_an_error_of_the_system(tmp_path):
    (tmp_path / "link").symlink_to("link")
    with pytest.raises(OSError, match=rf"^\[Errno {errno.ELOOP}\] "):
        linked_path(tmp_path / "link")


def test_links_are_followed_to_their_end(folder, tmp_path):
    assert linked_path(folder / "to-nothing") == (tmp_path / "created").resolve()
