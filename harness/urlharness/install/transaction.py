"""Install libraries: one transaction for each package manager, then one build for each language.

Everything is installed in the user's cache, except Debian packages. Only root can install these.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from urlharness.adapters.builds import (
    BuildError,
    build,
    build_commands,
    build_folder,
    debian_packages,
    has_debian_package,
    main_manager,
    manager_folder,
    status,
)
from urlharness.adapters.catalogue import Implementation, Language, Manager, catalogue

Set = Literal["default", "full"]

#: The name of the lock file of pip. Every lock file is in the folder of its language.
_CONSTRAINTS = "constraints.txt"


#: The beginning of an apt command. It waits up to 300 seconds if another apt is running.
_APT = ("apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends")


class InstallError(Exception):
    """A command failed. The message contains the command and the reason, such as its exit code."""


class Transaction(NamedTuple):
    """The commands of one package manager, in order.

    `names` contains the implementations that the commands install. If `root` is True, only root may run the
    commands.
    """

    manager: Manager
    commands: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    root: bool = False

    @property
    def lines(self) -> list[str]:
        """The commands, quoted for a shell."""
        return [shlex.join(words) for words in self.commands]


def chosen(names: Sequence[str], which: Set | None) -> list[Implementation]:
    """Return the named implementations and the implementations of a set, in the order of the catalogue.

    If `which` is None, no set is added. Raise KeyError with the first unknown name.
    """
    known = catalogue()
    wanted = {*names, *(name for name, one in known.items() if which and (one.default or which == "full"))}
    if unknown := next((name for name in names if name not in known), None):
        raise KeyError(unknown)
    return [one for name, one in known.items() if name in wanted]


def transactions(implementations: Iterable[Implementation]) -> list[Transaction]:
    """Return the transactions that install what is missing. Debian packages come first."""
    wanted: dict[Manager, list[Implementation]] = {"apt": []}
    debian: dict[str, None] = {}
    for one in implementations:
        for program, package in zip(one.language.needs, one.language.packages, strict=False):
            if shutil.which(program) is None:
                debian[package] = None
        state = status(one).state
        if state == "installed":
            continue
        # a program links all of its libraries, so its package manager is needed even for a library of the
        # runtime
        manager = main_manager(one.language) if one.manager == "none" and one.language.build else one.manager
        if manager == "apt":
            debian |= _lacking(one)
            wanted["apt"].append(one)
        elif manager != "none":
            wanted.setdefault(manager, []).append(one)
    found = []
    if debian:
        words = (*_APT, *debian)
        found.append(Transaction("apt", (words,), tuple(one.name for one in wanted["apt"]), root=True))
    for manager, own in wanted.items():
        if manager != "apt":
            commands = _COMMANDS[manager](own, manager_folder(manager))
            found.append(Transaction(manager, tuple(map(tuple, commands)), tuple(one.name for one in own)))
    return found


def run(transaction: Transaction) -> None:
    """Run the commands of a transaction.

    Their output goes to stderr. Raise InstallError if a command fails.
    """
    manager_folder(transaction.manager).mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in transaction.commands:
        try:
            subprocess.run(words, check=True, stdout=sys.stderr, env=environment)  # noqa: S603 - our catalogue
        except (OSError, subprocess.SubprocessError) as error:
            raise InstallError(f"{shlex.join(words)}: {error}") from None


def languages_to_build(implementations: Iterable[Implementation]) -> list[Language]:
    """Return the languages of these implementations whose program is not built but can be built here."""
    found = {one.language.name: one.language for one in implementations if one.language.build}
    return [
        one
        for one in found.values()
        if not build_folder(one).is_dir() and all(shutil.which(program) for program in one.needs)
    ]


def build_lines(implementations: Sequence[Implementation]) -> list[str]:
    """Return the commands that build programs after `transactions` have run, as comments of a shell.

    They are comments because their folder is made for one build: a pasted line could not run. A program is
    built again if Debian packages of its libraries are not installed yet.
    """
    renewed = {one.language.name for one in implementations if one.manager == "apt" and _lacking(one)}
    found = {one.language.name: one.language for one in implementations if one.language.build}
    return [
        f"# {line}"
        for one in found.values()
        if one.name in renewed or not build_folder(one).is_dir()
        for line in (
            f"build {one.name} in a copy of {one.folder}:",
            *(f"  {shlex.join(words)}" for words in build_commands(one)),
        )
    ]


def _lacking(one: Implementation) -> dict[str, None]:
    """Return the Debian packages of a library that are not installed: of alternatives, the first in apt."""
    lacking = (names for names in debian_packages(one) if not any(map(has_debian_package, names)))
    return dict.fromkeys(
        names[0] if len(names) == 1 else next(filter(_is_in_apt, names), names[0]) for names in lacking
    )


@cache
def _is_in_apt(package: str) -> bool:
    """Return True if apt knows a package. A system without apt knows none."""
    words = ["apt-cache", "show", package]
    with suppress(OSError):
        return subprocess.run(words, capture_output=True, check=False).returncode == 0  # noqa: S603 - our catalogue
    return False


def build_all(languages: Iterable[Language], report: Callable[[str], None]) -> list[str]:
    """Build adapter programs and return a message for each failure.

    Call `report` with the name of each language before its build.
    """
    failed = []
    for one in languages:
        report(one.name)
        try:
            build(one)
        except BuildError as error:
            failed.append(f"{one.name}: {error}")
    return failed


# ---- package managers

_Commands = Callable[[Sequence[Implementation], Path], list[Sequence[str]]]


def _pip(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install packages in a virtual environment, with the versions of the lock file."""
    python, lock = folder / "bin" / "python", wanted[0].language.folder / _CONSTRAINTS
    begin = [] if python.exists() else [[sys.executable, "-m", "venv", str(folder)]]
    packages = [package for one in wanted for package in one.packages]
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return [*begin, [*install, "--constraint", str(lock), *packages]]


def _npm(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install all packages of the lock file, even packages that are not wanted.

    They are small, and `npm ci` cannot install only some of them.
    """
    files = [str(wanted[0].language.folder / name) for name in ("package.json", "package-lock.json")]
    options = ["--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"]
    return [["cp", *files, str(folder)], ["npm", "ci", "--prefix", str(folder), *options]]


def _npm_unlocked(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install packages that are too big for the lock file.

    Because of `--save-exact`, npm keeps them when it installs others later.
    """
    packages = dict.fromkeys(package.replace("==", "@") for one in wanted for package in one.packages)
    options = ["--save-exact", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    return [["npm", "install", "--prefix", str(folder), *options, *packages]]


def _maven(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that replace all jars, so that no class exists in two versions.

    The jars are copied from a repository in the install cache, not from the user's own.
    """
    pom, local = wanted[0].language.folder / "pom.xml", f"-Dmaven.repo.local={folder / 'repository'}"
    copy = ["mvn", "-q", "-B", "-f", str(pom), local, "dependency:copy-dependencies"]
    remove = ["find", str(folder), "-maxdepth", "1", "-name", "*.jar", "-delete"]
    return [remove, [*copy, f"-DoutputDirectory={folder}"]]


def _cargo(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    manifest = str(wanted[0].language.folder / "Cargo.toml")
    return [
        ["env", f"CARGO_HOME={folder}", "cargo", "fetch", "--quiet", "--locked", "--manifest-path", manifest]
    ]


def _go(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return the command that downloads the modules of the file `NAME.mod`.

    NAME is the name of the language.
    """
    source, name = str(wanted[0].language.folder), wanted[0].language.name
    settings = [f"GOMODCACHE={folder}", f"GOFLAGS=-modcacherw -modfile={name}.mod"]
    return [["env", *settings, "go", "-C", source, "mod", "download"]]


_COMMANDS: dict[Manager, _Commands] = {
    "pip": _pip,
    "npm": _npm,
    "npm-unlocked": _npm_unlocked,
    "maven": _maven,
    "cargo": _cargo,
    "go": _go,
}
