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
    main_manager,
    manager_folder,
    missing_debian_packages,
    status,
)
from urlharness.adapters.catalogue import Implementation, Language, Manager, catalogue, clients
from urlharness.system.cache import empty_folder, interrupted_installs, lock, record_install
from urlharness.wording import os_reason

Set = Literal["default", "full"]

#: The name of the lock file of pip. Every lock file is in the folder of its language.
_REQUIREMENTS = "requirements.txt"

#: An entry of the lock file of pip, which begins with the name of the package.
_ENTRY = re.compile(r"^(?P<name>[\w.-]+)==.*\n(?:[ ].*\n)*", re.MULTILINE)

#: The megabytes on disk of all libraries of a manager, measured in November 2026. Of pip and npm-unlocked,
#: only the named ones are installed. What apt installs is not known before.
_MOST_MEGABYTES: dict[Manager, int] = {
    "pip": 75,
    "npm": 5,
    "npm-unlocked": 270,
    "maven": 105,
    "cargo": 45,
    "go": 150,
}

#: A line of `apt-get --simulate` about a package that is upgraded: its name, the old and the new version.
_UPGRADE = re.compile(r"^Inst (\S+) \[(\S+)\] \((\S+)", re.MULTILINE)

#: The beginning of the apt command. It waits up to 300 seconds if another apt is running.
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
    def title(self) -> str:
        """The manager, the libraries that are named to it, and the greatest size on disk."""
        of_libraries = f" for {', '.join(self.names)}" if self.names else ""
        megabytes = _MOST_MEGABYTES.get(self.manager)
        size = "" if megabytes is None else f", at most about {megabytes} MB"
        return f"{self.manager}{of_libraries}{size}"

    @property
    def shell_lines(self) -> list[str]:
        """The commands, quoted for a shell, after the line that enters their folder.

        Requirements are too long to be shown. A comment says what they are.
        """
        commands = [shlex.join(words) for words in self.commands]
        if self.root:
            return commands
        folder = manager_folder(self.manager)
        quoted = shlex.quote(str(folder))
        lines = [f"mkdir -p {quoted} && cd {quoted}"]
        if self.requirements:
            path = _requirements_file(folder)
            names = ", ".join(self.names)
            lines.append(f"# {path} has the lines of the lock file for {names}")
        return [*lines, *commands]


def select_implementations(names: Sequence[str], extra: Set | None) -> list[Implementation]:
    """Return the named implementations and the implementations of a set, in the order of the catalogue.

    If `extra` is None, no set is added. Raise KeyError with the first unknown name.
    """
    implementations = {**catalogue(), **clients()}
    for name in names:
        if name not in implementations:
            raise KeyError(name)
    selected = []
    for name, implementation in implementations.items():
        in_set = extra == "full" or (extra == "default" and implementation.default)
        if in_set or name in names:
            selected.append(implementation)
    return selected


def transactions(implementations: Iterable[Implementation]) -> list[Transaction]:
    """Return the transactions that install what is missing. Debian packages come first.

    These include the packages of programs that the languages need, even for libraries that are installed.
    """
    by_manager: dict[Manager, list[Implementation]] = {}
    debian: dict[str, None] = {}  # the names of packages, in order
    for implementation in implementations:
        language = implementation.language
        # not strict: the last programs may be in no Debian package
        for program, package in zip(language.needs, language.packages, strict=False):
            if shutil.which(program) is None:
                debian[package] = None
        if status(implementation).state == "installed":
            continue
        manager = _manager_of(implementation)
        if manager == "none":
            continue
        by_manager.setdefault(manager, []).append(implementation)
        if manager == "apt":
            debian |= dict.fromkeys(_debian_packages_to_install(implementation))
    apt_implementations = by_manager.pop("apt", [])
    ordered = [_transaction(manager, missing) for manager, missing in by_manager.items()]
    if debian:
        ordered.insert(0, _debian_transaction(list(debian), apt_implementations))
    return ordered


def _manager_of(implementation: Implementation) -> Manager:
    """Return the package manager that an implementation needs.

    A program links all of its libraries, so it needs their package manager even for a library of the runtime.
    """
    language = implementation.language
    if implementation.manager == "none" and language.build:
        return main_manager(language)
    return implementation.manager


def _debian_transaction(packages: Sequence[str], implementations: Sequence[Implementation]) -> Transaction:
    """Return the transaction that installs packages of Debian, which these implementations need."""
    names = tuple(implementation.name for implementation in implementations)
    return Transaction("apt", ((*_APT, *packages),), names, root=True)


def _transaction(manager: Manager, implementations: Sequence[Implementation]) -> Transaction:
    """Return the transaction that installs implementations, at least one, by a manager other than apt."""
    commands = _COMMANDS[manager](implementations, manager_folder(manager))
    names = tuple(implementation.name for implementation in implementations)
    requirements = _locked_requirements(implementations) if manager == "pip" else ""
    return Transaction(manager, tuple(map(tuple, commands)), names, requirements=requirements)


def system_upgrades(transaction: Transaction) -> list[str]:
    """Return the system packages that a transaction of apt would upgrade, each with both versions."""
    upgrades: list[str] = []
    if not transaction.root:  # no other manager changes the system
        return upgrades
    for words in transaction.commands:
        simulation = [words[0], "--simulate", *words[1:]]
        with suppress(OSError):  # not Debian
            done = subprocess.run(simulation, capture_output=True, text=True, check=False)  # noqa: S603
            upgrades += [f"{name} ({old} to {new})" for name, old, new in _UPGRADE.findall(done.stdout)]
    return upgrades


def run_transaction(transaction: Transaction) -> None:
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
    """Run the commands of a transaction while this process holds the lock, and record that they run."""
    manager = transaction.manager
    folder = manager_folder(manager)
    folder.mkdir(parents=True, exist_ok=True)
    with lock(f"libraries-{manager}") as lock_file, record_install(manager, set(transaction.names)):
        if transaction.requirements:
            _requirements_file(folder).write_text(transaction.requirements, "utf-8")
        _run_all(transaction.commands, folder, lock_file)


def _run_all(commands: Iterable[Sequence[str]], folder: Path, lock_file: int | None = None) -> None:
    """Run commands in a folder. They hold the lock with this file descriptor, too.

    Their output goes to stderr. Raise InstallError at the first command that fails.
    """
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    descriptors = () if lock_file is None else (lock_file,)
    for words in commands:
        try:
            subprocess.run(  # noqa: S603 - our catalogue
                words, check=True, cwd=folder, stdout=sys.stderr, env=environment, pass_fds=descriptors
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise InstallError(f"{shlex.join(words)}: {error}") from None


def languages_to_build(implementations: Iterable[Implementation]) -> list[Language]:
    """Return the languages of these implementations whose program is not built but can be built here."""
    languages = []
    for language in _compiled_languages(implementations):
        is_built = build_folder(language).is_dir()
        if not is_built and all(map(shutil.which, language.needs)):
            languages.append(language)
    return languages


def _compiled_languages(implementations: Iterable[Implementation]) -> Iterable[Language]:
    """Return the languages of implementations whose programs must be built, each once."""
    languages = (implementation.language for implementation in implementations)
    return {language.name: language for language in languages if language.build}.values()


def build_lines(implementations: Sequence[Implementation]) -> list[str]:
    """Return the commands that build programs after `transactions` have run, as comments of a shell.

    They are comments because their folder is made for one build: a pasted line could not run. A program is
    built again if Debian packages of its libraries are not installed yet.
    """
    changing = set()  # the names of languages
    for implementation in implementations:
        if implementation.manager == "apt" and missing_debian_packages(implementation):
            changing.add(implementation.language.name)
    lines = []
    for language in _compiled_languages(implementations):
        if language.name in changing or not build_folder(language).is_dir():
            lines.append(f"# build {language.name} in a copy of {language.folder}:")
            lines += [f"#   {shlex.join(words)}" for words in build_commands(language)]
    return lines


def _debian_packages_to_install(implementation: Implementation) -> list[str]:
    """Return the missing Debian packages of a library.

    Of alternatives, return the first that apt knows, or else the first.
    """
    packages = []
    for alternatives in missing_debian_packages(implementation):
        if len(alternatives) == 1:  # then apt need not be asked, which is slow
            packages += alternatives
        else:
            packages.append(next(filter(_is_in_apt, alternatives), alternatives[0]))
    return packages


@cache
def _is_in_apt(package: str) -> bool:
    """Return True if apt knows a package. A system without apt knows none."""
    words = ["apt-cache", "show", package]
    with suppress(OSError):
        query = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - our catalogue
        return query.returncode == 0
    return False


def build_program(language: Language) -> str | None:
    """Build the adapter program of a language, and return why that failed, or None."""
    try:
        build(language)
    except (BuildError, OSError) as error:
        return f"{language.name}: {error}"
    return None


# ---- package managers: the commands that install implementations in a folder

_Commands = Callable[[Sequence[Implementation], Path], list[Sequence[str]]]


def _pip_commands(_: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install the requirements of a transaction in a virtual environment.

    The option -I keeps Python from looking for its modules in the current folder. After an interrupted
    install, pip overwrites packages that may be incomplete. An environment without pip was interrupted before
    any library was in it.
    """
    commands: list[Sequence[str]] = []
    if not _has_pip(folder):
        commands.append([sys.executable, "-I", "-m", "venv", "--clear", str(folder)])
    python = str(folder / "bin" / "python")
    install = [python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if interrupted_installs("pip"):
        install.append("--ignore-installed")
    install += ["--require-hashes", "--requirement", str(_requirements_file(folder))]
    commands.append(install)
    return commands


def _requirements_file(folder: Path) -> Path:
    """Return the file of the requirements. It is beside the environment, which may be made again."""
    return folder.with_name(f"{folder.name}-{_REQUIREMENTS}")


def _has_pip(folder: Path) -> bool:
    """Return True if a virtual environment is complete: pip writes the file RECORD of a package last."""
    records = folder.glob("lib/python*/site-packages/pip-*.dist-info/RECORD")
    return (folder / "bin" / "python").exists() and any(records)


def _locked_requirements(implementations: Sequence[Implementation]) -> str:
    """Return the lines of the lock file of pip for libraries and everything that they need.

    An entry of the file is `NAME==VERSION`, lines with hashes, and the comment `# via NAME, NAME`, which
    names what needs it.
    """
    text = (_lock_file_folder(implementations) / _REQUIREMENTS).read_text("utf-8")
    entries = {_normal_name(entry["name"]): entry.group() for entry in _ENTRY.finditer(text)}
    names = (package.partition("==")[0] for package in _packages(implementations))
    needed: dict[str, None] = {}
    added = set(map(_normal_name, names))
    while added:  # then what these need, and so on
        needed |= dict.fromkeys(sorted(added))
        needed_by_added = {name for name, entry in entries.items() if not added.isdisjoint(_needed_by(entry))}
        added = needed_by_added - needed.keys()
    return "".join(entries[name] for name in needed)


def _needed_by(entry: str) -> list[str]:
    """Return the names of the packages that need a package of the lock file."""
    names = entry.rpartition("# via ")[2]
    return names.strip().split(", ")


def _normal_name(package: str) -> str:
    """Return the normal form of the name of a Python package, as PyPA's name normalization defines it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def _npm_commands(implementations: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install all packages of the lock file, even packages that are not wanted.

    They are small, and `npm ci` cannot install only some of them. It removes everything first.
    """
    source = _lock_file_folder(implementations)
    files = [str(source / "package.json"), str(source / "package-lock.json")]
    copy = ["cp", *files, str(folder)]
    options = ["--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"]
    return [copy, ["npm", "ci", "--prefix", str(folder), *options]]


def _npm_unlocked_commands(implementations: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that install packages that are too big for the lock file.

    Because of `--save-exact`, npm keeps them when it installs others later. It does not notice packages that
    are incomplete after an interrupted install, so they are removed first.
    """
    commands: list[Sequence[str]] = []
    if interrupted_installs("npm-unlocked"):
        commands.append(["rm", "-rf", str(folder / "node_modules")])
    packages = dict.fromkeys(package.replace("==", "@") for package in _packages(implementations))
    options = ["--save-exact", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    commands.append(["npm", "install", "--prefix", str(folder), *options, *packages])
    return commands


def _maven_commands(implementations: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that replace the jars of an earlier install, so that no class has two versions.

    The jars are copied from a repository in the install cache, not from the user's own. Maven refuses a file
    that does not have the checksum of its repository.
    """
    pom = folder / "pom.xml"
    options = [
        "-q",
        "-B",
        "-Dstyle.color=never",
        "--strict-checksums",
        "-f",
        str(pom),
        f"-Dmaven.repo.local={folder / 'repository'}",
    ]
    copy_pom = ["cp", str(_lock_file_folder(implementations) / pom.name), str(pom)]
    copy_jars = ["mvn", *options, "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
    earlier_jars = sorted(map(str, folder.glob("*.jar")))
    if not earlier_jars:
        return [copy_pom, copy_jars]
    return [copy_pom, ["rm", "-f", *earlier_jars], copy_jars]


def _cargo_commands(implementations: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return commands that fetch all crates of the lock file.

    The folder is CARGO_HOME, and the configuration of the user is linked there. Cargo and rustup search the
    current folder and its parents for more, so they start in the root.
    """
    source = folder / "source"
    commands: list[Sequence[str]] = [["cp", "-RT", str(_lock_file_folder(implementations)), str(source)]]
    configuration = _cargo_configuration()
    if configuration is not None:
        commands.append(["ln", "-sf", str(configuration), str(folder / configuration.name)])
    fetch = ["cargo", "fetch", "--quiet", "--locked", "--manifest-path", str(source / "Cargo.toml")]
    commands.append(["env", "-C", "/", f"CARGO_HOME={folder}", *fetch])
    return commands


def _cargo_configuration() -> Path | None:
    """Return the file of the user's configuration of Cargo, or None if there is none."""
    home = os.environ.get("CARGO_HOME")
    with suppress(RuntimeError):  # HOME is not set, and passwd does not have the user
        folder = Path(home) if home else Path.home() / ".cargo"
        path = folder / "config.toml"
        if path.is_file():
            return path.absolute()
    return None


def _go_commands(implementations: Sequence[Implementation], folder: Path) -> list[Sequence[str]]:
    """Return the command that downloads the modules of the file `NAME.mod`.

    NAME is the name of the language. A file go.work in a parent of the program's folder is not read.
    """
    language = implementations[0].language
    settings = [
        f"GOMODCACHE={folder}",
        "GOWORK=off",
        f"GOFLAGS=-modcacherw -modfile={language.name}.mod",
    ]
    return [["env", *settings, "go", "-C", str(language.folder), "mod", "download"]]


def _lock_file_folder(implementations: Sequence[Implementation]) -> Path:
    """Return the folder with the lock file. A package manager belongs to one language."""
    return implementations[0].language.folder


def _packages(implementations: Iterable[Implementation]) -> list[str]:
    """Return the packages of implementations, with versions. A package of several of them is repeated."""
    return [package for implementation in implementations for package in implementation.packages]


_COMMANDS: dict[Manager, _Commands] = {
    "pip": _pip_commands,
    "npm": _npm_commands,
    "npm-unlocked": _npm_unlocked_commands,
    "maven": _maven_commands,
    "cargo": _cargo_commands,
    "go": _go_commands,
}
