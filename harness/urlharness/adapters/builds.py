"""The libraries and adapter programs in the user's cache: folders, states, and builds.

A library is in the folder of its package manager. It is installed if its files are there: no list beside them
could be wrong.

A build is in a folder whose name ends with a digest of everything that it depends on: the source, the
commands, the compilers and the libraries. A program whose source has changed is therefore not built, and
nothing has to be compared. The build is made in a work folder and renamed when it is complete, so a folder
with this name is always a whole build.
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
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from urlharness.adapters.catalogue import RFCS, Implementation, Language, Manager, catalogue
from urlharness.system.cache import cache_folder, interrupted_installs, lock

#: The time limit of one build command, in seconds.
BUILD_TIMEOUT = 900

#: The beginning of the name of a folder in which a program is being built.
_BUILDING = ".building-"

#: The number of hexadecimal digits at the end of the name of a build.
_KEY_LENGTH = 16

State = Literal["installed", "not built", "wrong version", "missing", "no program"]

#: The folder where dpkg lists the files of each installed package.
_DPKG = Path("/var/lib/dpkg/info")

#: Prints the name, the state and the version of each package.
_LIST_DEBIAN_PACKAGES = ("dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status} ${Version}\\n")


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


def status(implementation: Implementation, *, cached: bool = False) -> Status:
    """Return the state of an implementation.

    If `cached` is true, ignore libraries of the Python environment.
    """
    language = implementation.language
    for program in language.needs:
        if shutil.which(program) is None:
            return Status("no program", f"{program} is not on the PATH")
    library_status = _library_status(implementation, cached=cached)
    if library_status.state == "installed" and language.build and not build_folder(language).is_dir():
        return Status(
            "not built", f"the adapter program of {language.name} is not built", library_status.version
        )
    return library_status


def command(implementation: Implementation, *, cached: bool = False) -> list[str]:
    """Return the command that runs an implementation. Its state must be `installed`.

    `cached` is as in `status`.
    """
    language = implementation.language
    manager = implementation.manager
    if manager == "none" or (not cached and is_in_environment(implementation)):
        python = Path(sys.executable)
    else:
        python = manager_folder("pip") / "bin" / "python"
    # apt and none have no folder of libraries; the program uses that of its language
    library_manager = main_manager(language) if manager in ("none", "apt") else manager
    placeholders = {
        "{python}": python,
        "{source}": language.folder,
        "{out}": build_folder(language) if language.build else language.folder,
        "{libraries}": manager_folder(library_manager),
        "{library}": implementation.library,
        "{rfcs}": RFCS,
    }
    return [_filled(word, placeholders) for word in implementation.run or language.run]


def _library_status(implementation: Implementation, *, cached: bool) -> Status:
    """Return the state of a library, without that of its program; `cached` is as in `status`."""
    manager = implementation.manager
    packages = " ".join(implementation.packages)
    from_environment = manager == "pip" and not cached and is_in_environment(implementation)
    if not from_environment and implementation.name in interrupted_installs(manager):
        return Status("missing", f"the install of {packages} did not end")
    version = _installed_version(implementation, cached=cached)
    if version is None:
        return Status("missing", f"{packages} is not installed")
    if not version or version == implementation.version:
        return Status("installed", version=version)
    reason = f"{implementation.packages[0]} is expected, but {version} is installed"
    # the user's own environment decides which version a user has, so another one is not wrong
    return Status("installed" if from_environment else "wrong version", reason, version)


def _installed_version(implementation: Implementation, *, cached: bool) -> str | None:
    """Return the installed version of a library, "" if it is not known, or None if none is installed."""
    expected = implementation.version
    match implementation.manager:
        case "pip":
            return _pip_package_version(implementation, cached=cached)
        case "npm" | "npm-unlocked":
            return _npm_package_version(implementation.manager, _main_package(implementation))
        case "maven":
            artifact = _main_package(implementation).rpartition(":")[2]
            jar = manager_folder("maven") / f"{artifact}-{expected}.jar"
            return expected if jar.is_file() else None
        case "apt":
            return "" if not missing_debian_packages(implementation) else None
        case "cargo" | "go":
            # the lock file fixes the version; the program contains the library
            has_build = build_folder(implementation.language).is_dir()
            has_sources = manager_folder(implementation.manager).is_dir()
            return expected if has_build or has_sources else None
        case "none":  # the library is part of the language
            return ""


def _main_package(implementation: Implementation) -> str:
    """Return the name of the first package, whose version is that of the library."""
    return implementation.packages[0].partition("==")[0]


def is_in_environment(implementation: Implementation) -> bool:
    """Return True if the current Python environment contains the module of a library."""
    with suppress(ImportError, ValueError):
        return importlib.util.find_spec(implementation.module) is not None
    return False


def _pip_package_version(implementation: Implementation, *, cached: bool) -> str | None:
    """Return the version of a pip package: "" if only its module is there, None if it is not installed."""
    package = _main_package(implementation)
    if not cached and is_in_environment(implementation):
        with suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(package)
        return ""
    folders = map(str, manager_folder("pip").glob("lib/python*/site-packages"))
    distributions = importlib.metadata.distributions(name=package, path=list(folders))
    return next((distribution.version for distribution in distributions), None)


def _npm_package_version(manager: Manager, package: str) -> str | None:
    """Return the version in the package.json of an npm package, or None if there is none to read."""
    path = manager_folder(manager) / "node_modules" / package / "package.json"
    with suppress(OSError, ValueError, KeyError):
        return str(json.loads(path.read_bytes())["version"])
    return None


def has_debian_package(package: str) -> bool:
    """Return True if dpkg has installed a package."""
    # a file is named zlib1g:amd64.list, or without the architecture
    names = _dpkg_files(".list")
    return f"{package}.list" in names or any(name.startswith(f"{package}:") for name in names)


def debian_packages(implementation: Implementation) -> list[list[str]]:
    """Return the Debian packages of a library, each as the list of its alternatives."""
    return [package.split(" | ") for package in implementation.packages]


def missing_debian_packages(implementation: Implementation) -> list[list[str]]:
    """Return the Debian packages of a library of which no alternative is installed."""
    packages = debian_packages(implementation)
    return [names for names in packages if not any(map(has_debian_package, names))]


def debian_versions() -> Mapping[str, str]:
    """Return the versions of the installed Debian packages of the catalogue by name.

    Return an empty mapping if the system is not Debian.
    """
    packages = _names_of_debian_packages(catalogue().values())
    try:
        query = subprocess.run(  # noqa: S603 - our catalogue
            [*_LIST_DEBIAN_PACKAGES, *packages], capture_output=True, text=True, check=False
        )
    except OSError:  # not Debian
        return {}
    rows = (line.split(" ") for line in query.stdout.splitlines())
    return {name: version for name, state, version in rows if state == "installed"}


def _names_of_debian_packages(implementations: Iterable[Implementation]) -> list[str]:
    """Return the names of all Debian packages of libraries and their alternatives, sorted."""
    names: set[str] = set()
    for implementation in implementations:
        if implementation.manager == "apt":
            names.update(*debian_packages(implementation))
    return sorted(names)


def _dpkg_files(suffix: str) -> tuple[str, ...]:
    """Return the names of the files of dpkg with a suffix, or nothing if the system is not Debian."""
    if not _DPKG.is_dir():
        return ()
    return _names_with_suffix(_DPKG, _DPKG.stat().st_mtime_ns, suffix)


@cache
def _names_with_suffix(folder: Path, _changed: int, suffix: str) -> tuple[str, ...]:
    """Return the names of the files of a folder with a suffix, sorted.

    The time of the last change is part of the cache key. They are no paths, which take ten times as long: a
    system has thousands of these files, and each library is looked for among them.
    """
    return tuple(sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(suffix)))


# ---- builds


def build_folder(language: Language) -> Path:
    """Return the folder for the build of a program in its present state.

    It exists if the build is complete.
    """
    return cache_folder() / "programs" / f"{language.name}-{_build_key(language)}"


def _build_key(language: Language) -> str:
    """Return a digest of everything that a build depends on.

    These are the source, the commands, the paths of the compilers, and the Debian packages of the libraries.
    """
    commands = repr((language.build, language.run))
    digest = hashlib.sha256(commands.encode())
    digest.update(RFCS.read_bytes())
    for path in sorted(language.folder.rglob("*")):
        if path.is_file() and not path.match("catalogue*.toml"):
            name = path.relative_to(language.folder).as_posix()
            digest.update(name.encode() + b"\0" + path.read_bytes())
    for program in language.needs:
        digest.update(os.fsencode(shutil.which(program) or ""))
    for package in _names_of_debian_packages(_implementations_of(language)):
        for name in _dpkg_files(".md5sums"):
            # also packages with a longer name, since an update of theirs only causes a needless build
            if name.startswith(package):
                digest.update((_DPKG / name).read_bytes())
    return digest.hexdigest()[:_KEY_LENGTH]


def _implementations_of(language: Language) -> list[Implementation]:
    """Return the libraries that the program of a language asks."""
    implementations = catalogue().values()
    return [library for library in implementations if library.language.name == language.name]


def build(language: Language) -> Path:
    """Build the program of a language unless it is already built, and return the folder of the build.

    A new build replaces the earlier ones. Raise BuildError if a command fails.
    """
    target = build_folder(language)
    if target.is_dir() or not language.build:
        return target
    with lock(_lock_name(language.name)) as lock_file:
        if target.is_dir():  # another process has built it while this one waited
            return target
        _build_into(target, language, lock_file)
        for build_of_language in target.parent.glob(f"{language.name}-{'[0-9a-f]' * _KEY_LENGTH}"):
            if build_of_language != target:
                shutil.rmtree(build_of_language, ignore_errors=True)
    return target


def _build_into(target: Path, language: Language, lock_file: int | None) -> None:
    """Build a program in a work folder, and rename the result to `target`."""
    work = _work_folder(language)
    shutil.rmtree(work, ignore_errors=True)  # it may be left from an earlier process with the same number
    try:
        for folder in ("out", "scratch"):
            (work / folder).mkdir(parents=True)
        shutil.copytree(language.folder, work / "source")
        for words in build_commands(language):
            _run(words, work / "source", lock_file)
        (work / "out").replace(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def remove_interrupted_builds() -> None:
    """Remove the work folders of builds that were killed. Those in which a process is at work stay."""
    for work in (cache_folder() / "programs").glob(f"{_BUILDING}*-*"):
        language = work.name.removeprefix(_BUILDING).rpartition("-")[0]
        with lock(_lock_name(language), wait=False) as lock_file:
            if lock_file is not None:
                shutil.rmtree(work, ignore_errors=True)


def _lock_name(language: str) -> str:
    return f"program-{language}"


def build_commands(language: Language) -> list[list[str]]:
    """Return the commands with which this process builds a program. The placeholders are filled in."""
    work = _work_folder(language)
    placeholders = {
        "{out}": work / "out",
        "{scratch}": work / "scratch",
        "{source}": work / "source",
        "{libraries}": manager_folder(main_manager(language)),
    }
    return [[_filled(word, placeholders) for word in words] for words in language.build]


def _work_folder(language: Language) -> Path:
    """Return the folder in which this process builds a program. It will contain a copy of the source."""
    name = f"{_BUILDING}{language.name}-{os.getpid()}"
    return cache_folder() / "programs" / name


def _filled(word: str, placeholders: Mapping[str, object]) -> str:
    """Return a word of a command with its placeholders filled in."""
    filled = word
    for placeholder, content in placeholders.items():
        filled = filled.replace(placeholder, str(content))
    return filled


def main_manager(language: Language) -> Manager:
    """Return the package manager of the libraries of a language. Prefer managers other than apt.

    Return apt if there is no other package manager.
    """
    managers = {implementation.manager for implementation in _implementations_of(language)}
    # a language has one other manager, or npm, which is preferred to npm-unlocked
    return min(managers - {"apt", "none"}, default="apt")


def _run(words: list[str], folder: Path, lock_file: int | None) -> None:
    """Run a command in a folder. The command holds the lock with this file descriptor, too.

    Raise BuildError, with the end of the output, if the command fails or takes too long.
    """
    line = " ".join(words)
    inherited = () if lock_file is None else (lock_file,)
    try:
        subprocess.run(  # noqa: S603 - our own program
            words,
            check=True,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=BUILD_TIMEOUT,
            pass_fds=inherited,
        )
    except subprocess.CalledProcessError as error:
        output = (error.stdout + error.stderr).strip()
        last_lines = output.splitlines()[-20:]
        end = "\n".join(last_lines)
        raise BuildError(f"{line} failed with exit code {error.returncode}\n{end}") from None
    except (OSError, subprocess.SubprocessError) as error:
        raise BuildError(f"{line}: {error}") from None
