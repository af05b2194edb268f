"""A new adapter: the files of a language written into a folder, and the commands to type next."""

from __future__ import annotations

import re
import shlex
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from urlharness.adapters.languages import Language

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+:/@-]{0,79}")  # safe within the quotes of every language


class CannotBegin(Exception):
    """An adapter that is not written; the message says why."""


class Begun(NamedTuple):
    """A written adapter: its files, the command that builds it, if any, and its name for `urlconform run`."""

    files: tuple[Path, ...]
    build: tuple[str, ...]
    adapter: str


def begin(language: Language, folder: Path, library: str = "") -> Begun:
    """Write the adapter of a language into a folder; raises CannotBegin, and OSError of the folder.

    With the name of a library its answers are unsupported until that library is called, and its hello says
    so; it claims no RFC and has no version.  Nothing is overwritten.
    """
    if library and not _NAME.fullmatch(library):
        raise CannotBegin(f"a name of letters, digits and ._+:/@- is needed, not {library!r}")
    texts = {folder / name: _text(language, name) for name in language.files}
    there = [path for path in texts if path.exists() or path.is_symlink()]
    if there:
        raise CannotBegin(f"{there[0]} is there already, and is not overwritten")
    if library:
        first = folder / language.files[0]
        texts[first] = _named(texts[first], language, library)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    where = str(folder) if folder.is_absolute() or folder.parts else "."
    build, run = (
        tuple(word.replace("{}", where) for word in words) for words in (language.build, language.run)
    )
    return Begun(tuple(texts), build, f"jsonl:{shlex.join(run)}")


def _text(language: Language, name: str) -> str:
    root = resources.files("urlharness.adapters") / "templates" / language.name
    return root.joinpath(*name.split("/")).read_text("utf-8")


def _named(text: str, language: Language, library: str) -> str:
    """The template for another library, which it does not call yet."""
    old = language.wraps.strip("\"'").rpartition('"')[2].rpartition("'")[2]
    assert text.count(language.wraps) == 1, language.name
    assert text.count(language.opens) == 1, language.name
    text = text.replace(language.wraps, language.wraps.replace(old, f"{library} (not called yet)"))
    stub = language.stub.replace("MESSAGE", f"{library} is not called yet")
    for claimed, blank in language.claims:
        assert text.count(claimed) == 1, (language.name, claimed)
        text = text.replace(claimed, blank)
    return text.replace(language.opens, language.opens + stub)
