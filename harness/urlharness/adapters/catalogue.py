"""The catalogue of libraries with bundled adapters: `programs/*/catalogue*.toml`.

The libraries themselves are installed separately. The folder of a language contains one adapter program and a
list of libraries. The name of the library is an argument of the program. docs/adapters.md describes the
fields of the list. `catalogue-full.toml` lists libraries that take long to build. The program is built
separately for them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from urlharness.corpus.model import MODES, OPERATIONS

#: The folder of the adapter programs.
PROGRAMS = Path(__file__).resolve().parent / "programs"
#: The file with the rules and component names of the RFCs, which adapter programs read.
RFCS = PROGRAMS / "rfcs.json"

#: Package managers. `none` is for libraries in the runtime of the language. `npm-unlocked` is for npm
#: packages that are too big for the lock file of the language.
Manager = Literal["none", "apt", "pip", "npm", "npm-unlocked", "maven", "cargo", "go"]
MANAGERS: tuple[Manager, ...] = get_args(Manager)

#: The suffix of an adapter's name that selects the library of the install cache, even if the Python
#: environment contains the library, too.
FROM_CACHE = "@cache"

#: The fields that a library may have in a catalogue file.
_FIELDS = frozenset(
    (
        *("name", "library", "manager", "packages", "module", "spoken", "default", "distinct"),
        *("whatwg", "run", "modes", "normalize", "iris", "claims", "functions", "omits_brackets"),
    )
)


class CatalogueError(Exception):
    """A catalogue file is invalid. The message names the file and the cause."""


class Language(NamedTuple):
    """The adapter program of a language.

    `name` is the name of the folder plus the suffix of the catalogue file, such as `rust-full`. `needs` are
    the programs that must be on the PATH, and `packages` are the Debian packages that contain them, in the
    same order. `build` and `run` are commands with placeholders: {source} (the folder of the program), {out}
    (the folder of its build), {scratch} (an empty folder), {libraries} (the folder of the package manager),
    {python} (the Python interpreter), {library} (the name of the library) and {rfcs} (the file of the RFCs).
    """

    name: str
    folder: Path
    needs: tuple[str, ...]
    packages: tuple[str, ...]
    build: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]


class Implementation(NamedTuple):
    """A library, and how to install it.

    `library` is the argument of the program. `packages` are the packages to install, with versions unless the
    package manager chooses them. `module` is the Python module of the library. `spoken` is the language of
    the library. It may differ from the language of the program: Kotlin and Scala libraries run in a Java
    program. `default` is True if the library belongs to the default set. `distinct` is False for a mode or
    version of another implementation. `whatwg` is True if the library follows the URL standard of the
    browsers. If `run` is not empty, it replaces the command of the language: Bun and Deno run the program for
    Node.js. `client` is True for an HTTP client. It only says what it would connect to, so it is not among
    the libraries that are compared with each other. `normalize` cites the documentation or source that says
    what the normalizing function does, and `modes` are its modes; both are empty if there is no such
    function. `iris` cites the documentation or source that says that the library reads or converts IRIs
    (RFC 3987). It is empty if the adapter does not claim that. `claims` cites the documentation or source
    that names the RFCs which the adapter claims. It is empty if the catalogue does not say. `functions` maps
    operations to the functions of the library that the program asks. `omits_brackets` is True if the function
    that gives the host omits the brackets of an IP literal, and the program adds them as the library writes
    them elsewhere.
    """

    name: str
    language: Language
    library: str
    manager: Manager
    packages: tuple[str, ...]
    module: str
    spoken: str
    default: bool
    distinct: bool
    whatwg: bool = False
    run: tuple[str, ...] = ()
    client: bool = False
    modes: tuple[str, ...] = ()
    normalize: str = ""
    iris: str = ""
    claims: str = ""
    functions: Mapping[str, str] = MappingProxyType({})
    omits_brackets: bool = False

    @property
    def version(self) -> str:
        """The version to install, or an empty string if the package manager chooses the version."""
        if not self.packages:
            return ""
        return self.packages[0].partition("==")[2]


@cache
def catalogue() -> Mapping[str, Implementation]:
    """Return all libraries by name, in the order of the files, without the HTTP clients.

    Raise CatalogueError if a file is invalid, or if two entries have the same name.
    """
    return {name: entry for name, entry in _all_entries().items() if not entry.client}


@cache
def clients() -> Mapping[str, Implementation]:
    """Return the HTTP clients by name; see `catalogue`."""
    return {name: entry for name, entry in _all_entries().items() if entry.client}


def _all_entries() -> Mapping[str, Implementation]:
    """Return the libraries and the clients of all files; see `catalogue`."""
    entries: dict[str, Implementation] = {}
    for path in sorted(PROGRAMS.glob("*/catalogue*.toml")):
        for entry in _read_file(path):
            if entry.name in entries:
                language = entries[entry.name].language
                raise CatalogueError(f"{path}: the name {entry.name!r} is also in {language.name}")
            entries[entry.name] = entry
    return entries


def _read_file(path: Path) -> Sequence[Implementation]:
    """Return the libraries of a catalogue file, then its clients. Raise CatalogueError if it is invalid."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
        language = _language(path, document)
        manager = document.get("manager", "none")
        libraries = [_implementation(table, language, manager) for table in document["library"]]
        clients = []
        for table in document.get("client", ()):
            implementation = _implementation(table, language, manager)
            clients.append(implementation._replace(client=True))
    except (tomllib.TOMLDecodeError, KeyError, ValueError) as error:
        raise CatalogueError(f"{path}: {error!r}") from None
    return [*libraries, *clients]


def _language(path: Path, document: Mapping[str, Any]) -> Language:
    """Return the adapter program of a catalogue file.  Raise KeyError if it has no command to run."""
    suffix = path.stem.removeprefix("catalogue")  # such as -full
    build_commands = document.get("build", ())
    return Language(
        name=f"{path.parent.name}{suffix}",
        folder=path.parent,
        needs=tuple(document.get("needs", ())),
        packages=tuple(document.get("packages", ())),
        build=tuple(map(tuple, build_commands)),
        run=tuple(document["run"]),
    )


def _implementation(table: Mapping[str, Any], language: Language, usual_manager: str) -> Implementation:
    """Return the implementation in a table of a catalogue file.

    Raise KeyError if the table has no name, and ValueError if another field is wrong.
    """
    name = table["name"]
    implementation = Implementation(
        name=name,
        language=language,
        library=table.get("library", name),
        manager=table.get("manager", usual_manager),
        packages=tuple(table.get("packages", ())),
        module=table.get("module", ""),
        spoken=table.get("spoken", language.folder.name),
        default=table.get("default", False),
        distinct=table.get("distinct", True),
        whatwg=table.get("whatwg", False),
        run=tuple(table.get("run", ())),
        modes=tuple(table.get("modes", ())),
        normalize=table.get("normalize", ""),
        iris=table.get("iris", ""),
        claims=table.get("claims", ""),
        functions=table.get("functions", {}),
        omits_brackets=table.get("omits_brackets", False),
    )
    problem = _problem_in_words(implementation, table.keys())
    if problem:
        raise ValueError(f"{name}: {problem}")
    return implementation


def _problem_in_words(implementation: Implementation, fields: Iterable[str]) -> str:
    """Return what is wrong with a table that has these fields, or an empty text."""
    unknown_fields = sorted(set(fields) - _FIELDS)
    if unknown_fields:
        return f"unknown {', '.join(unknown_fields)}"
    if implementation.manager not in MANAGERS:
        return f"no package manager {implementation.manager!r}"
    if bool(implementation.modes) != bool(implementation.normalize):
        return "modes and normalize go together: the modes, and the source that they are from"
    unknown_modes = sorted(set(implementation.modes) - set(MODES))
    if unknown_modes:
        return f"no mode named {unknown_modes[0]!r}"
    unknown_operations = sorted(implementation.functions.keys() - OPERATIONS.keys())
    if unknown_operations:
        return f"no operation named {unknown_operations[0]!r}"
    return ""
