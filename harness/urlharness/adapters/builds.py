"""The libraries and adapter programs in the user's cache: folders, states, and builds.

A library is in the folder of its package manager. A build is in a folder whose name ends with a digest of the
source, the commands and the libraries. The folder does not exist before the build is complete.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from urlharness.adapters.cache import cache_folder, interrupted_installs, lock
from urlharness.adapters.catalogue import RFCS, Implementation, Language, Manager, catalogue

#: The time limit of one build command, in seconds.
BUILD_TIMEOUT = 900

#: The beginning of the name of a folder in which a program is being built.
_BUILDING = ".building-"

#: The number of hexadecimal digits at the end of the name of a build.
_KEY_LENGTH = 16

State = Literal["installed", "not built", "wrong version", "missing", "no program"]

#: The folder where dpkg lists the files of each installed package.
_DPKG = Path("/var/lib/dpkg/info")


class BuildError(Exception):
    """A command of a build failed. The message contains the command and the end of its output."""


class Status(NamedTuple):
    """The state of an implementation on this machine.

    `reason` says what is missing or wrong. If the implementation is installed, `reason` is empty, or names
    the other version that the Python environment contains. `version` is the version found, or an empty string
    if it is not known.
    """

    state: State
    reason: str = ""
    version: str = ""


def manager_folder(manager: Manager) -> Path:
    """Return the folder into which a package manager installs libraries."""
    return cache_folder() / "libraries" / manager


def status(one: Implementation, *, cached: bool = False) -> Status:
    """Return the state of an implementation.

    If `cached` is true, ignore libraries of the Python environment.
    """
    for program in one.language.needs:
        if shutil.which(program) is None:
            return Status("no program", f"{program} is not on the PATH")
    found = _library_status(one, cached=cached)
    if found.state == "installed" and one.language.build and not build_folder(one.language).is_dir():
        return Status("not built", f"the adapter program of {one.language.name} is not built", found.version)
    return found


def command(one: Implementation, *, cached: bool = False) -> list[str]:
    """Return the command that runs an implementation. Its state must be `installed`."""
    language, python = one.language, manager_folder("pip") / "bin" / "python"
    if one.manager == "none" or (not cached and in_environment(one)):
        python = Path(sys.executable)
    manager = main_manager(language) if one.manager in ("none", "apt") else one.manager
    places = {
        "{python}": python,
        "{source}": language.folder,
        "{out}": build_folder(language) if language.build else language.folder,
        "{libraries}": manager_folder(manager),
        "{library}": one.library,
        "{rfcs}": RFCS,
    }
    return [_filled(word, places) for word in one.run or language.run]


def _library_status(one: Implementation, *, cached: bool) -> Status:
    from_environment = one.manager == "pip" and not cached and in_environment(one)
    if not from_environment and one.name in interrupted_installs(one.manager):
        return Status("missing", f"the install of {' '.join(one.packages)} did not end")
    match one.manager:
        case "pip":
            version = _python_version(one, cached=cached)
        case "npm" | "npm-unlocked":
            version = _npm_version(one.manager, _package(one))
        case "maven":
            jar = manager_folder("maven") / f"{_package(one).rpartition(':')[2]}-{one.version}.jar"
            version = one.version if jar.is_file() else None
        case "apt":
            found = (any(map(has_debian_package, names)) for names in debian_packages(one))
            version = "" if all(found) else None
        case "cargo" | "go":
            built = build_folder(one.language).is_dir() or manager_folder(one.manager).is_dir()
            version = one.version if built else None
        case _:
            version = ""
    if version is None:
        return Status("missing", f"{' '.join(one.packages)} is not installed")
    if not version or version == one.version:
        return Status("installed", version=version)
    reason = f"{one.packages[0]} is expected, but {version} is installed"
    return Status("installed" if from_environment else "wrong version", reason, version)


def _package(one: Implementation) -> str:
    return one.packages[0].partition("==")[0]


def in_environment(one: Implementation) -> bool:
    """Return True if the current Python environment contains the module of a library."""
    with suppress(ImportError, ValueError):
        return importlib.util.find_spec(one.module) is not None
    return False


def _python_version(one: Implementation, *, cached: bool) -> str | None:
    if not cached and in_environment(one):
        with suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(_package(one))
        return ""
    folders = manager_folder("pip").glob("lib/python*/site-packages")
    for found in importlib.metadata.distributions(name=_package(one), path=[*map(str, folders)]):
        return found.version
    return None


def _npm_version(manager: Manager, package: str) -> str | None:
    path = manager_folder(manager) / "node_modules" / package / "package.json"
    with suppress(OSError, ValueError, KeyError):
        return str(json.loads(path.read_bytes())["version"])
    return None


def has_debian_package(package: str) -> bool:
    """Return True if dpkg has installed a package."""
    return any(path.stem.partition(":")[0] == package for path in _dpkg_files(".list"))  # zlib1g:amd64.list


def debian_packages(one: Implementation) -> list[list[str]]:
    """Return the Debian packages of a library, each as the list of its alternatives."""
    return [package.split(" | ") for package in one.packages]


def debian_versions() -> Mapping[str, str]:
    """Return the versions of the installed Debian packages of the catalogue by name.

    Return an empty mapping if the system is not Debian.
    """
    libraries = (one for one in catalogue().values() if one.manager == "apt")
    packages = {name for one in libraries for names in debian_packages(one) for name in names}
    words = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status} ${Version}\\n"]
    try:
        done = subprocess.run(  # noqa: S603 - our catalogue
            [*words, *sorted(packages)], capture_output=True, text=True, check=False
        )
    except OSError:  # not Debian
        return {}
    rows = (line.split(" ") for line in done.stdout.splitlines())
    return {name: version for name, state, version in rows if state == "installed"}


def _dpkg_files(suffix: str) -> tuple[Path, ...]:
    return _listed(_DPKG, _DPKG.stat().st_mtime_ns, suffix) if _DPKG.is_dir() else ()


@cache
def _listed(folder: Path, _changed: int, suffix: str) -> tuple[Path, ...]:
    """Return the files of a folder with a suffix, sorted.

    The time of the last change is part of the cache key.
    """
    return tuple(sorted(path for path in folder.iterdir() if path.suffix == suffix))


# ---- builds


def build_folder(language: Language) -> Path:
    """Return the folder for the build of a program in its present state.

    It exists if the build is complete.
    """
    return cache_folder() / "programs" / f"{language.name}-{_key(language)}"


def _key(language: Language) -> str:
    """Return a digest of everything that a build depends on.

    These are the source, the commands, the paths of the compilers, and the Debian packages of the libraries.
    """
    digest = hashlib.sha256(repr((language.build, language.run)).encode())
    digest.update(RFCS.read_bytes())
    for path in sorted(language.folder.rglob("*")):
        if path.is_file() and not path.match("catalogue*.toml"):
            digest.update(path.relative_to(language.folder).as_posix().encode() + b"\0" + path.read_bytes())
    for program in language.needs:
        digest.update(os.fsencode(shutil.which(program) or ""))
    for package in _debian_packages(language):
        for path in _dpkg_files(".md5sums"):
            if path.name.startswith(package):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:_KEY_LENGTH]


def _debian_packages(language: Language) -> list[str]:
    own = (one for one in catalogue().values() if one.language.name == language.name and one.manager == "apt")
    return sorted({name for one in own for names in debian_packages(one) for name in names})


def build(language: Language) -> Path:
    """Build the program of a language unless it is already built, and return the folder of the build.

    A new build replaces the earlier ones. Raise BuildError if a command fails.
    """
    target = build_folder(language)
    if target.is_dir() or not language.build:
        return target
    with lock(_lock_name(language.name)) as held:
        if target.is_dir():  # another process has built it meanwhile
            return target
        work = _work_folder(language)
        shutil.rmtree(work, ignore_errors=True)  # it may be left from an earlier process with the same number
        try:
            for folder in ("out", "scratch"):
                (work / folder).mkdir(parents=True)
            shutil.copytree(language.folder, work / "source")
            for words in build_commands(language):
                _run(words, work / "source", held)
            (work / "out").replace(target)
        finally:
            shutil.rmtree(work, ignore_errors=True)
        for earlier in target.parent.glob(f"{language.name}-{'[0-9a-f]' * _KEY_LENGTH}"):
            if earlier != target:
                shutil.rmtree(earlier, ignore_errors=True)
    return target


def remove_interrupted_builds() -> None:
    """Remove the work folders of builds that were killed. Those in which a process is at work stay."""
    for work in (cache_folder() / "programs").glob(f"{_BUILDING}*-*"):
        language = work.name.removeprefix(_BUILDING).rpartition("-")[0]
        with lock(_lock_name(language), wait=False) as held:
            if held is not None:
                shutil.rmtree(work, ignore_errors=True)


def _lock_name(language: str) -> str:
    return f"program-{language}"


def build_commands(language: Language) -> list[list[str]]:
    """Return the commands with which this process builds a program. The placeholders are filled in."""
    work, libraries = _work_folder(language), manager_folder(main_manager(language))
    folders = {f"{{{name}}}": work / name for name in ("out", "scratch", "source")}
    places = {**folders, "{libraries}": libraries}
    return [[_filled(word, places) for word in words] for words in language.build]


def _work_folder(language: Language) -> Path:
    """Return the folder in which this process builds a program. It will contain a copy of the source."""
    return cache_folder() / "programs" / f"{_BUILDING}{language.name}-{os.getpid()}"


def _filled(word: str, places: Mapping[str, object]) -> str:
    """Return a word of a command with its placeholders filled in."""
    for name, value in places.items():
        word = word.replace(name, str(value))
    return word


def main_manager(language: Language) -> Manager:
    """Return the package manager of the libraries of a language. Prefer managers other than apt.

    Return apt if there is no other package manager.
    """
    own = {one.manager for one in catalogue().values() if one.language.name == language.name}
    return next(iter(sorted(own - {"apt", "none"})), "apt")


def _run(words: list[str], folder: Path, held: int | None) -> None:
    """Run a command in a folder. The command holds the lock with the file descriptor `held`, too."""
    try:
        subprocess.run(  # noqa: S603 - our own program
            words,
            check=True,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=BUILD_TIMEOUT,
            pass_fds=() if held is None else (held,),
        )
    except subprocess.CalledProcessError as error:
        end = "\n".join((error.stdout + error.stderr).strip().splitlines()[-20:])
        raise BuildError(f"{' '.join(words)} failed with exit code {error.returncode}\n{end}") from None
    except (OSError, subprocess.SubprocessError) as error:
        raise BuildError(f"{' '.join(words)}: {error}") from None
