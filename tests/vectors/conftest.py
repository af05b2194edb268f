"""A part of the corpus that is a corpus of its own, locked, for tests that change it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from urlauthor.cli import vectors
from urlauthor.lock import relock
from urlharness.corpus.export import canonical
from urlharness.corpus.loader import load
from urlharness.corpus.lock import render_lock
from urlharness.corpus.model import SPECS, corpus_dir

_FILES = ("rfc1738/3.2.2-url-path.json", "rfc1808/5.1-normal.json", "rfc2396/C.2-abnormal.json")
_WHOLE = ("classes.json", "flags.json", "paragraphs.json", "rulings.json")


class Ended(NamedTuple):
    """How a command ended: its exit code, its stdout, its stderr, what it raised."""

    code: int | None
    out: str
    err: str
    error: BaseException | None


@pytest.fixture(scope="session")
def part_of_the_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three files with the requirements they cite, the tables, and a lock; not to be changed."""
    root = tmp_path_factory.mktemp("part")
    cited = set()
    for name in _FILES:
        (root / name).parent.mkdir()
        shutil.copy(corpus_dir() / name, root / name)
        cited |= {vector["requirement"] for vector in json.loads((root / name).read_bytes())["vectors"]}
    for name in _WHOLE:
        shutil.copy(corpus_dir() / name, root / name)
    (root / "requirements").mkdir()
    for spec in SPECS:
        document = json.loads((corpus_dir() / "requirements" / f"{spec}.json").read_bytes())
        entries = document["requirements"]
        kept = [entry for entry in entries if entry["id"] in cited] or entries[:1]
        (root / "requirements" / f"{spec}.json").write_text(canonical(document | {"requirements": kept}))
    (root / "vectors.lock").write_text(render_lock(relock(load(root), None)), "ascii")
    return root


@pytest.fixture
def part(part_of_the_corpus: Path, tmp_path: Path) -> Path:
    """A copy of that part, to be changed."""
    return Path(shutil.copytree(part_of_the_corpus, tmp_path / "part"))


@pytest.fixture
def authoring() -> Callable[..., Ended]:
    """Runs `urlconform vectors …` in this process."""

    def run(*arguments: object) -> Ended:
        done = CliRunner().invoke(vectors, [str(argument) for argument in arguments], standalone_mode=False)
        return Ended(done.return_value, done.stdout, done.stderr, done.exception)

    return run


@pytest.fixture
def change() -> Callable[..., str]:
    """Changes the first entry of a corpus file, or the one that `where` meets, and gives its id.

    `...` takes a field away; `class_` is the field `class`.
    """

    def edit(path: Path, where: Callable[[Any], bool] = lambda _: True, /, **fields: Any) -> str:
        document = json.loads(path.read_bytes())
        kind = next(name for name in ("vectors", "requirements", "classes", "flags") if name in document)
        entry = next(entry for entry in document[kind] if where(entry))
        entry |= {name.rstrip("_"): value for name, value in fields.items()}
        for name in [name for name, value in fields.items() if value is ...]:
            del entry[name]
        path.write_text(canonical(document), "ascii")
        return entry["id"]

    return edit
