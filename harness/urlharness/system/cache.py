"""The user's cache: where it is, who is at work in it, and the empty folder in which adapters start.

Each part of the cache (the libraries of a package manager, the program of a language) has a lock. A process
holds it while it changes the part, and so do the programs that it starts: if the process is killed, the lock
is free when the last of them has ended. What is unfinished although nobody holds the lock was interrupted.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from urlharness.system.locks import acquire_lock, release_lock
from urlharness.system.portability import user_id

#: The name of the folder in which adapters start.
_EMPTY = "empty"


def cache_folder() -> Path:
    """Return the folder of everything that is built or installed for the user.

    It is in the folder XDG_CACHE_HOME, or else in `.cache` of the home folder. A relative path is ignored, as
    the XDG Base Directory Specification requires. For a user without a home folder, it is in the temporary
    folder. Raise OSError if that is not possible.
    """
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if configured.is_absolute():
        return configured / "urlconform"
    with suppress(RuntimeError):  # HOME is not set, and passwd does not have the user
        home = Path.home()
        if home.is_absolute():
            return home / ".cache" / "urlconform"
    return _temporary_folder()


def empty_folder() -> Path:
    """Return an empty folder that others cannot write to.

    Interpreters search the current folder for modules and configuration, and must find nothing. The folder is
    in the cache, or in the temporary folder if the cache cannot be written. Raise OSError if that is not
    possible either.
    """
    with suppress(OSError):
        return _safe_folder(cache_folder() / _EMPTY, 0o555)
    return _safe_folder(_temporary_folder() / _EMPTY, 0o555)


def _temporary_folder() -> Path:
    """Return the folder of this user in TMPDIR or /tmp, and make it if it does not exist.

    `tempfile.gettempdir` is not used, because it may return the current folder.
    """
    configured = Path(os.environ.get("TMPDIR", ""))
    parent = configured if configured.is_absolute() else Path("/tmp")  # noqa: S108 - the folder is checked
    return _safe_folder(parent / f"urlconform-{user_id()}", 0o700)


def _safe_folder(folder: Path, mode: int) -> Path:
    """Make a folder if it does not exist, and return it.

    Raise PermissionError if it is a link, belongs to another user than this one and root, or can be written
    by others.
    """
    if not folder.is_dir():
        folder.mkdir(mode, parents=True, exist_ok=True)
    state = folder.lstat()
    is_ours = stat.S_ISDIR(state.st_mode) and state.st_uid in (user_id(), 0)
    if not is_ours or state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(
            errno.EPERM, "the folder belongs to others, or they can write to it", str(folder)
        )
    return folder


# ---- locks


@contextmanager
def lock(part: str, *, wait: bool = True) -> Iterator[int | None]:
    """Hold the lock of a part of the cache, and yield its file descriptor for the programs that are started.

    If another process holds it, wait, or yield None if `wait` is false. On a file system without locks, do
    not wait.
    """
    path = cache_folder() / "locks" / part
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not acquire_lock(file, wait=wait):
            yield None
            return
        try:
            yield file
        finally:
            # A server that a compiler has started, such as that of sccache, may keep the file open.
            release_lock(file)
    finally:
        os.close(file)


# ---- interrupted installs


def interrupted_installs(manager: str) -> set[str]:
    """Return the names of the libraries whose install by a manager has begun, but has not succeeded."""
    try:
        return set(_record_file(manager).read_text("utf-8").split())
    except FileNotFoundError:
        return set()


@contextmanager
def record_install(manager: str, names: set[str]) -> Iterator[None]:
    """Record that libraries are being installed, until the body succeeds.

    If it fails or the process is killed, the record stays. Call this only while the lock is held.
    """
    record = _record_file(manager)
    still_interrupted = interrupted_installs(manager) - names
    record.write_text("\n".join(sorted(still_interrupted | names)), "utf-8")
    yield
    if still_interrupted:
        record.write_text("\n".join(sorted(still_interrupted)), "utf-8")
    else:
        record.unlink()


def _record_file(manager: str) -> Path:
    """Return the file with the names of the libraries whose install by a manager has begun."""
    return cache_folder() / "libraries" / f".installing-{manager}"
