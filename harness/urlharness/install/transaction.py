"""Installing libraries: one transaction for each package manager, then one build for each language.

Everything goes to the user's cache, except Debian packages, which only root can install.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from urlharness.adapters.builds import (
    BuildError,
    build,
    build_folder,
    has_debian_package,
    main_manager,
    manager_folder,
    status,
)
from urlharness.adapters.catalogue import Implementation, Language, Manager, catalogue

Set = Literal["default", "full"]

#: The lock file of pip; like those of the others, it is in the folder of the language.
_CONSTRAINTS = "constraints.txt"


#: The command waits for up to 300 seconds if another apt is at work.
_APT = ("apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends")


class InstallError(Exception):
    """A command failed; the message has the command and its exit code."""


class Transaction(NamedTuple):
    """The commands of one package manager, in order, and the names of the implementations they install.

    If `root` is True, only root may run them.
    """

    manager: Manager
    commands: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    root: bool = False

    @property
    def lines(self) -> list[str]:
        """The commands as a shell takes them."""
        return [shlex.join(words) for words in self.commands]


def chosen(names: Sequence[str], which: Set | None) -> list[Implementation]:
    """Return the named implementations and those of a set, in the order of the catalogue.

    Raise KeyError with the first name that is unknown.
    """
    known = catalogue()
    wanted = {*names, *(name for name, one in known.items() if which and (one.default or which == "full"))}
    if unknown := next((name for name in names if name not in known), None):
        raise KeyError(unknown)
    return [one for name, one in known.items() if name in wanted]


def transactions(implementations: Iterable[Implementation]) -> list[Transaction]:
    """Return the transactions that install what is missing, Debian packages first."""
    wanted: dict[Manager, list[Implementation]] = {"apt": []}
    debian: dict[str, None] = {}
    for one in implementations:
        for program, package in zip(one.language.needs, one.language.packages, strict=False):
            if shutil.which(program) is None:
                debian[package] = None
        state = status(one).state
        if state == "installed":
            continue
        # a program that is built needs what its package manager installs, for all of its libraries
        manager = main_manager(one.language) if one.manager == "none" and one.language.build else one.manager
        if manager == "apt":
            debian |= dict.fromkeys(name for name in one.packages if not has_debian_package(name))
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
    """Run the commands of a transaction; their output goes to stderr.  Raise InstallError."""
    manager_folder(transaction.manager).mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in transaction.commands:
        try:
            subprocess.run(words, check=True, stdout=sys.stderr, env=environment)  # noqa: S603 - our catalogue
        except (OSError, subprocess.SubprocessError) as error:
            raise InstallError(f"{shlex.join(words)}: {error}") from None


def languages_to_build(implementations: Iterable[Implementation]) -> list[Language]:
    """Return the languages whose adapter program is not built, but can be built here."""
    found = {one.language.name: one.language for one in implementations if one.language.build}
    return [
        one
        for one in found.values()
        if not build_folder(one).is_dir() and all(shutil.which(program) for program in one.needs)
    ]


def build_all(languages: Iterable[Language], report: Callable[[str], None]) -> list[str]:
    """Build adapter programs, and return a message for each that failed; `report` gets each name first."""
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
    """Install into a virtual environment, with the versions of the lock file."""
    python, lock = folder / "bin" / "python", wanted[0].language.folder / _CONSTRAINTS
    begin = [] if python.exists() else [[sys.executable, "-m", "venv", str(folder)]]
    packages = [package for one in wanted for package in one.packages]
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return [*begin, [*install, "--constraint", str(lock), *packages]]


def _npm(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Install all packages of the lock file, wanted or not, because they are small."""
    files = [str(wanted[0].language.folder / name) for name in ("package.json", "package-lock.json")]
    options = ["--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"]
    return [["cp", *files, str(folder)], ["npm", "ci", "--prefix", str(folder), *options]]


def _npm_unlocked(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Install what is too big for the lock file.  `--save-exact` records it, so that npm keeps it."""
    packages = [package.replace("==", "@") for one in wanted for package in one.packages]
    options = ["--save-exact", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    return [["npm", "install", "--prefix", str(folder), *options, *packages]]


def _maven(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Replace the jars, so that no class has two versions.  The local repository is ours, not the user's."""
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
    """Download the modules of `NAME.mod`, where NAME is that of the language."""
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
