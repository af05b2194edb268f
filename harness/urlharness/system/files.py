"""Paths that are made of a folder and a name in a file: they stay below the folder, and follow no link.

A folder of findings, an export or a project may come from someone else, as a clone does. A name in one of its
files, such as `../../x`, must not lead out of the folder, and neither must a symbolic link in it. So every
path below such a folder comes from `path_below`. Links above the folder are followed, because the user has
named the folder.

The checks do not protect from a process that changes the folder at the same time.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from pathlib import Path
from typing import IO, Any

#: A part of a name: not empty, not `.` or `..`, and without separators and control characters.
_PART = re.compile(r"(?!\.\.?\Z)[^\x00-\x1f\x7f/\\]+")


class OutsideError(OSError):
    """A name or a link would lead out of a folder, or to a device or pipe; the message says which."""


def path_below(folder: Path, name: str) -> Path:
    """Return the path of a file or folder below `folder`. `name` is relative, with `/` between its parts.

    Nothing needs to exist. Raise OutsideError if the name is absolute or has a part such as `..`, if it leads
    through a symbolic link or is one, or if it is neither a file nor a folder.
    """
    path = _without_linked_folders(folder, name)
    _refuse_link(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OutsideError(errno.EPERM, "neither a file nor a folder", str(path))
    return path


def open_below(folder: Path, name: str, mode: str, *, buffering: int = -1) -> IO[Any]:
    """Open a binary file below `folder`.

    Raise OutsideError as `path_below` does, and OSError as `open` does.
    """
    path = path_below(folder, name)
    stream = open(path, mode, buffering, opener=_open_without_links)  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OutsideError(errno.EPERM, "not a regular file", str(path))
    return stream


def read_below(folder: Path, name: str) -> bytes:
    """Return the content of a file below `folder`. Raise OSError if it cannot be read."""
    with open_below(folder, name, "rb") as stream:
        content: bytes = stream.read()
    return content


def write_below(folder: Path, name: str, content: str | bytes) -> None:
    """Write a file below `folder`, and make the folders on the way. A text is written as UTF-8.

    Raise OSError if the file cannot be written.
    """
    path_below(folder, name).parent.mkdir(parents=True, exist_ok=True)
    with open_below(folder, name, "wb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def remove_below(folder: Path, name: str) -> None:
    """Remove a file, or a folder with its content, below `folder`. Of a link, remove only the link itself.

    Do nothing if there is no such file. Raise OSError if it cannot be removed.
    """
    path = _without_linked_folders(folder, name)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)  # which follows no link
    else:
        path.unlink(missing_ok=True)


def linked_path(path: Path) -> Path:
    """Return the absolute path to which a path leads through symbolic links. Raise OSError for a loop."""
    real = Path(os.path.realpath(path))  # Path.resolve raises RuntimeError for a loop until Python 3.13
    if real.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return real


def _without_linked_folders(folder: Path, name: str) -> Path:
    """Return the path of a name, which may be a link.

    Raise OutsideError if the name leads out of the folder, or through a link.
    """
    parts = name.split("/")
    if not all(map(_PART.fullmatch, parts)):
        raise OutsideError(errno.EPERM, f"{name!r} is not the name of a file in this folder", str(folder))
    path = folder
    for part in parts[:-1]:
        path /= part
        _refuse_link(path)
    return path / parts[-1]


def _refuse_link(path: Path) -> None:
    """Raise OutsideError if a path is a symbolic link, also one to nothing."""
    if path.is_symlink():
        raise OutsideError(errno.ELOOP, "a symbolic link, which is not followed here", str(path))


def _open_without_links(path: str, flags: int) -> int:
    """Open a file as `open` does, but no symbolic link. The folders are those of a checked path."""
    # O_NONBLOCK: to open a pipe must not wait for its other end. Windows has neither such links nor pipes.
    safe_flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.open(path, flags | safe_flags, 0o666)
