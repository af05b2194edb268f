"""Install libraries: one transaction for each package manager, then one build for each language.

Everything is installed in the user's cache, except Debian packages. Only root can install these.

Package managers look for configuration in the current folder, in the folder of their input, and in the
parents of both, and run programs that it names. Therefore each of them runs in its folder of the cache, with
a copy of its input there. The configuration in the home folder applies.
"""

from __future__ import annotations

import os
import re
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
from urlharness.adapters.cache import empty_folder, interrupted_installs, lock, recorded_install
from urlharness.adapters.catalogue import Implementation, Language, Manager, catalogue, clients
from urlharness.wording import os_reason

Set = Literal["default", "full"]

#: The name of the lock file of pip. Every lock file is in the folder of its language.
_REQUIREMENTS = "requirements.txt"

#: An entry of the lock file of pip: its lines, and the name of the package.
_ENTRY = re.compile(r"^([\w.-]+)==.*\n(?:[ ].*\n)*", re.MULTILINE)

#: The beginning of an apt command. It waits up to 300 seconds if another apt is running.
_APT = ("apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends")


class InstallError(Exception):
    """A command failed. The message contains the command and the reason, such as its exit code."""


class Transaction(NamedTuple):
    """The commands of one package manager, in order.

    `names` contains the implementations that the commands install. If `root` is True, only root may run the
    commands. `requirements` is the content of a file that pip reads.
    """

    manager: Manager
    commands: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    root: bool = False
    requirements: str = ""

    @property
    def lines(self) -> list[str]:
        """The commands, quoted for a shell, after the line that enters their folder.

        Requirements are too long to be shown. A comment says what they are.
        """
        lines = [shlex.join(words) for words in self.commands]
        if self.root:
            return lines
        folder = shlex.quote(str(manager_folder(self.manager)))
        begin = [f"mkdir -p {folder} && cd {folder}"]
        if self.requirements:
            path = _requirements_file(manager_folder(self.manager))
            begin.append(f"# {path} has the lines of the lock file for {', '.join(self.names)}")
        return [*begin, *lines]


def chosen(names: Sequence[str], which: Set | None) -> list[Implementation]:
    """Return the named implementations and the implementations of a set, in the order of the catalogue.

    If `which` is None, no set is added. Raise KeyError with the first unknown name.
    """
    known = {**catalogue(), **clients()}
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
            requirements = _locked_requirements(own) if manager == "pip" else ""
            names = tuple(one.name for one in own)
            found.append(Transaction(manager, tuple(map(tuple, commands)), names, requirements=requirements))
    return found


def run(transaction: Transaction) -> None:
    """Run the commands of a transaction, in the cache or, as root, in an empty folder.

    Their output goes to stderr. Wait if another process changes the same libraries of the cache. Raise
    InstallError if a command fails, or if the cache cannot be written.
    """
    try:
        if transaction.root:
            _run_all(transaction.commands, empty_folder())
        else:
            _run_in_cache(transaction)
    except OSError as error:
        raise InstallError(f"{error.filename}: {os_reason(error)}") from None


def _run_in_cache(transaction: Transaction) -> None:
    manager = transaction.manager
    folder = manager_folder(manager)
    folder.mkdir(parents=True, exist_ok=True)
    with lock(f"libraries-{manager}") as held, recorded_install(manager, set(transaction.names)):
        if transaction.requirements:
            _requirements_file(folder).write_text(transaction.requirements, "utf-8")
        _run_all(transaction.commands, folder, held)


def _run_all(commands: Iterable[Sequence[str]], folder: Path, held: int | None = None) -> None:
    """Run commands in a folder. They hold the lock with the file descriptor `held`, too."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    descriptors = () if held is None else (held,)
    for words in commands:
        try:
            subprocess.run(  # noqa: S603 - our catalogue
                words, check=True, cwd=folder, stdout=sys.stderr, env=environment, pass_fds=descriptors
            )
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
        done = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - our catalogue
        return done.returncode == 0
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
        except (BuildError, OSError) as error:
            failed.append(f"{one.name}: {error}")
    return failed


# ---- package managers

_Commands = Callable[[Sequence[Implementation], Path], list[Sequence[str]]]


def _pip(_wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install the requirements of a transaction in a virtual environment.

    The option -I keeps Python from looking for its modules in the current folder. After an interrupted
    install, pip overwrites packages that may be incomplete. An environment without pip was interrupted before
    any library was in it.
    """
    python = folder / "bin" / "python"
    create = [] if _has_pip(folder) else [[sys.executable, "-I", "-m", "venv", "--clear", str(folder)]]
    install = [str(python), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    overwrite = ["--ignore-installed"] if interrupted_installs("pip") else []
    return [
        *create,
        [*install, *overwrite, "--require-hashes", "--requirement", str(_requirements_file(folder))],
    ]


def _requirements_file(folder: Path) -> Path:
    """Return the file of the requirements. It is beside the environment, which may be made anew."""
    return folder.with_name(f"{folder.name}-{_REQUIREMENTS}")


def _has_pip(folder: Path) -> bool:
    """Return True if a virtual environment is complete: pip writes the file RECORD of a package last."""
    records = folder.glob("lib/python*/site-packages/pip-*.dist-info/RECORD")
    return (folder / "bin" / "python").exists() and any(records)


def _locked_requirements(wanted: Sequence[Implementation]) -> str:
    """Return the lines of the lock file of pip for libraries and everything that they need.

    An entry of the file is `NAME==VERSION`, lines with hashes, and the comment `# via NAME, NAME`, which
    names what needs it.
    """
    text = (wanted[0].language.folder / _REQUIREMENTS).read_text("utf-8")
    entries = {_normal_name(entry[1]): entry[0] for entry in _ENTRY.finditer(text)}
    selected: dict[str, None] = {}
    added = {_normal_name(package.partition("==")[0]) for one in wanted for package in one.packages}
    while added:
        selected |= dict.fromkeys(sorted(added))
        added = {name for name, entry in entries.items() if not added.isdisjoint(_needed_by(entry))}
        added -= selected.keys()
    return "".join(entries[name] for name in selected)


def _needed_by(entry: str) -> list[str]:
    """Return the names of the packages that need a package of the lock file."""
    return entry.rpartition("# via ")[2].strip().split(", ")


def _normal_name(package: str) -> str:
    """Return the normal form of the name of a Python package, as PyPA's name normalization defines it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def _npm(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install all packages of the lock file, even packages that are not wanted.

    They are small, and `npm ci` cannot install only some of them. It begins anew each time.
    """
    files = [str(wanted[0].language.folder / name) for name in ("package.json", "package-lock.json")]
    options = ["--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"]
    return [["cp", *files, str(folder)], ["npm", "ci", "--prefix", str(folder), *options]]


def _npm_unlocked(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install packages that are too big for the lock file.

    Because of `--save-exact`, npm keeps them when it installs others later. It does not notice packages that
    are incomplete after an interrupted install, so it begins anew then.
    """
    packages = dict.fromkeys(package.replace("==", "@") for one in wanted for package in one.packages)
    options = ["--save-exact", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    remove = [["rm", "-rf", str(folder / "node_modules")]] if interrupted_installs("npm-unlocked") else []
    return [*remove, ["npm", "install", "--prefix", str(folder), *options, *packages]]


def _maven(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that replace all jars, so that no class exists in two versions.

    The jars are copied from a repository in the install cache, not from the user's own. Maven refuses a file
    that does not have the checksum of its repository.
    """
    pom, local = folder / "pom.xml", f"-Dmaven.repo.local={folder / 'repository'}"
    copy = ["mvn", "-q", "-B", "--strict-checksums", "-f", str(pom), local, "dependency:copy-dependencies"]
    remove = ["find", str(folder), "-maxdepth", "1", "-name", "*.jar", "-delete"]
    return [
        ["cp", str(wanted[0].language.folder / pom.name), str(pom)],
        remove,
        [*copy, f"-DoutputDirectory={folder}"],
    ]


def _cargo(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that fetch all crates of the lock file.

    The folder is CARGO_HOME, and the configuration of the user is linked there. Cargo and rustup search the
    current folder and its parents for more, so they start in the root.
    """
    source = folder / "source"
    commands = [["cp", "-RT", str(wanted[0].language.folder), str(source)]]
    configuration = _cargo_configuration()
    if configuration is not None:
        commands.append(["ln", "-sf", str(configuration), str(folder / configuration.name)])
    fetch = ["cargo", "fetch", "--quiet", "--locked", "--manifest-path", str(source / "Cargo.toml")]
    return [*commands, ["env", "-C", "/", f"CARGO_HOME={folder}", *fetch]]


def _cargo_configuration() -> Path | None:
    """Return the file of the user's configuration of Cargo, or None if there is none."""
    home = os.environ.get("CARGO_HOME")
    with suppress(RuntimeError):  # HOME is not set, and passwd does not have the user
        folder = Path(home) if home else Path.home() / ".cargo"
        if (folder / "config.toml").is_file():
            return folder.absolute() / "config.toml"
    return None


def _go(wanted: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return the command that downloads the modules of the file `NAME.mod`.

    NAME is the name of the language. A file go.work in a parent of the program's folder is not read.
    """
    source, name = str(wanted[0].language.folder), wanted[0].language.name
    settings = [f"GOMODCACHE={folder}", "GOWORK=off", f"GOFLAGS=-modcacherw -modfile={name}.mod"]
    return [["env", *settings, "go", "-C", source, "mod", "download"]]


_COMMANDS: dict[Manager, _Commands] = {
    "pip": _pip,
    "npm": _npm,
    "npm-unlocked": _npm_unlocked,
    "maven": _maven,
    "cargo": _cargo,
    "go": _go,
}
