"""The C engine compiled for the tests, with and without faults, and the oracle with and without it."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from inspect import isfunction
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from urloracle import native
from urloracle.errors import InvalidURL
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification
from urloracle.splitting import SPLITTINGS, packed_tables

from ..oracle.conftest import near_misses, walks  # noqa: TID252 - tests are not an installed package
from .entering import loaded, operations_anew
from .odd_calls import ENTERED

__all__ = ["near_misses", "walks"]

SOURCE = Path(native.__file__).with_name("_native.c")
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")
#: Texts that are on no walk: other characters, other types of str, the schemes of RFC 1738.
ODD = [
    "", "a", ":", "//", "http://", "http:", "HTTP://H:80/P", "http://h/\x00", "\x00", "http://h/\u00e9",
    "\u00e9", "http://h/\ud800", "\U0001f600",
    "http://h/" + "a" * 5000, "http://h/" + "\u00e9" * 5000, "a" * 20 + "://h",
    "//\u00e9@\u6f22:1/\U0001f600?\ue123#\u00e9", "\u00e9\u07ff\u0800\uffef\U00010000\U000efffd",
    "?\uf8ff\ue000", "/\u007f\u0080", "/\u009f", "/\ufdd0", "?\ufffd", "/\U0001fffe", "?\U0010fffd",
    "?\U0010ffff", "\u00e9:x", "[\u00e9]",
    "FTP://u:p@h:1/a/b;type=i", "file:///a", "file://localhost/a", "gopher://h/1a%09b%09c", "mailto:a@b",
    "news:*", "nntp://h/g/1",
    "telnet://h", "wais://h/d?s", "wais://h/d/t/p", "prospero://h/a;b=c;d=e", "x:y", "x://u@h/p",
    "x://h", "https://h/p", "httpx:y", "newsx:*", "htt:p",
]  # fmt: skip
_SEGMENTS = (".", "..", "", "a", ".b", "..c", "d.")


def compiled(folder: Path, source: str, *flags: str) -> Path:
    """Compile C source into a folder and return the module's file; skip if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    code = folder / "_native.c"
    target = folder / "_native.abi3.so"
    code.write_text(source, encoding="utf-8")
    include = sysconfig.get_paths()["include"]
    arguments = (f'-DSOURCE="{native.digest(source)}"', *FLAGS, *flags, "-fPIC", "-shared", f"-I{include}")
    command = [compiler, *arguments, str(code), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


@contextmanager
def running(module: Any, tables: bytes) -> Iterator[dict[str, Specification]]:
    """Yield specifications that use this engine, or Python if the module is None."""
    engine = None if module is None else native._engine_of(module, tables)
    assert (engine is None) == (module is None)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(native, "_engine", lambda: engine)
            native._view_class.cache_clear()
            yield {name: replace(spec) for name, spec in SPECIFICATIONS.items()}
    finally:
        native._view_class.cache_clear()


@contextmanager
def entered(module: Any, tables: bytes) -> Iterator[ModuleType]:
    """Yield the operations, entered in this engine, or in Python if the module is None.

    Each has read a text, so that what it makes at the first call is there.
    """
    with running(module, tables) as specs, pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "_module", lambda: module)
        for name, spec in specs.items():
            patch.setitem(SPECIFICATIONS, name, spec)
        fresh = operations_anew()
        assert [name for name in ENTERED if isfunction(getattr(fresh, name)) != (module is None)] == []
        for name, spec in specs.items():
            for function in (fresh.parse, fresh.validate, fresh.view):
                function("http://h/", name)
            if spec.defines("resolve"):
                fresh.resolve("http://h/", "g", name)
        yield fresh


@pytest.fixture(scope="session")
def tables() -> bytes:
    """The content of the tables' file."""
    return packed_tables()


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The engine without faults."""
    return loaded(compiled(tmp_path_factory.mktemp("engine"), SOURCE.read_text(encoding="utf-8"), "-O1"))


@pytest.fixture
def ask_both(engine: ModuleType, tables: bytes) -> Callable[..., tuple[Any, Any]]:
    """Return a function that asks the engine and Python the same and returns both answers."""

    def ask(question: Callable[..., Any], spec: str, *arguments: Any) -> tuple[Any, Any]:
        with running(engine, tables) as specs:
            answer = question(specs[spec], *arguments)
        with running(None, tables) as specs:
            return answer, question(specs[spec], *arguments)

    return ask


def answers(spec: Specification, texts: Sequence[str]) -> list[Any]:
    """Return all that a specification says about each text."""
    answers_to_texts = []
    for text in texts:
        components = spec.read(text)
        view = spec.view(text)
        answers_to_texts.append(
            (
                spec.accepts(text),
                type(components).__name__,
                components,
                view and view.astuple(),
                spec.reader.offset(text),
            )
        )
    return answers_to_texts


def resolutions(spec: Specification, pairs: Sequence[tuple[str, str]]) -> list[Any]:
    """Return the type and the target of each reference, or the message of the error."""
    targets: list[Any] = []
    for base, reference in pairs:
        try:
            target = spec.resolve(base, reference)
        except InvalidURL as problem:
            targets.append(str(problem))
        else:
            targets.append((type(target).__name__, target))
    return targets


@cache
def pairs(count: int, seed: int = 1) -> list[tuple[str, str]]:
    """Return bases and references with all kinds of dot segments and empty components."""
    draw = Random(seed)

    def tail() -> str:
        return draw.choice(("", "", "", "?q", "#f", ";p", "?", "#", ";", "?q#f", ";p?q"))

    def path() -> str:
        return "/".join(draw.choice(_SEGMENTS) for _ in range(draw.randrange(6)))

    bases = ("http://h/", "http://h", "x:", "x:/", "file:///", "HTTP://u@h:1/", "x://", "")
    starts = ("", "", "", "/", "//g", "//g/", "//", "http:", "X:", "y:", "y://z/")
    return [
        (draw.choice(bases) + path() + tail(), draw.choice(starts) + path() + tail()) for _ in range(count)
    ]


def pairs_for(spec: str, count: int) -> list[tuple[str, str]]:
    """Return such pairs for a specification; those for RFC 3987 have letters beyond ASCII."""
    if spec != "rfc3987":
        return pairs(count)
    letters = str.maketrans({"a": "\u00e9", "g": "\u6f22", "q": "\ue123"})
    return [(base.translate(letters), reference.translate(letters)) for base, reference in pairs(count)]


@pytest.fixture(scope="session")
def questions(request: pytest.FixtureRequest) -> Callable[..., list[str]]:
    """Return a function that returns texts for a specification.

    They are members of each rule, near misses, and odd texts.
    """
    walks = request.getfixturevalue("walks")
    near_misses = request.getfixturevalue("near_misses")

    @cache
    def make(spec: str, count: int, seed: int = 1) -> list[str]:
        texts = list(ODD)
        for rule in native_rules(spec):
            for member in walks(spec, rule).members(count, seed=seed):
                texts += [member, *near_misses(member, 2, seed=seed)]
        return texts

    return make


def native_rules(spec: str) -> list[str]:
    """Return the rules that have tables."""
    return list(SPLITTINGS[spec].components)
