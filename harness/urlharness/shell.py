"""The one place that builds a command line to paste: repro, baseline create/update, wire input."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

from urlharness.adapters.registry import Adapter
from urlharness.limits import Limits
from urlharness.results.model import Header, Results

# -------------------- called: How a line for a shell calls the command that runs now, whatever the PATH has.


NAME = "urlconform"


def called() -> list[str]:
    """The words that a shell runs this command by: its name, where the PATH leads to it.

    Otherwise its path, or where no file of that name is known, the Python that runs it and its module.
    """
    script = _script()
    if script is None:
        return [sys.executable, "-m", "urlharness.cli"]
    found = shutil.which(NAME)
    return [NAME] if found is not None and script.samefile(found) else [str(script)]


def _script() -> Path | None:
    """The file of the command: what was started, or else what was installed beside the Python that runs."""
    for path in (Path(sys.argv[0]).absolute(), Path(sys.executable).with_name(NAME)):
        if path.name == NAME and path.is_file():
            return path
    return None


# -------------------- doctor.shellwords: Texts as words of bash.


_RUN = re.compile(r"(.)\1{255,}", re.DOTALL)


_PLAIN = re.compile(r"[\x20-\x7e]*")


def quoted(text: str) -> str:
    """A text as a word of bash; a long run of one character is made there, not pasted."""
    words, at = [], 0
    for run in _RUN.finditer(text):
        words.append(_word(text[at : run.start()]))
        words.append(f"\"$(head -c {len(run[0])} /dev/zero | tr '\\0' {_word(run[1])})\"")
        at = run.end()
    words.append(_word(text[at:]))
    return "".join(words) or "''"


def _word(text: str) -> str:
    if not text:
        return ""
    if _PLAIN.fullmatch(text):
        return shlex.quote(text)
    octets = text.encode("utf-8", "surrogateescape")
    escaped = "".join(
        chr(octet) if 32 <= octet < 127 and octet not in b"'\\" else f"\\x{octet:02x}" for octet in octets
    )
    return f"$'{escaped}'"


# -------------------- pasting: Lines to paste: a command as it is run where its adapter is, with files as seen from there.


class Place(NamedTuple):
    """Where a command is run: the folder, as seen from the current one, and empty for that one itself."""

    folder: str = ""

    def seen(self, path: Path | str) -> str:
        """A path, which is relative to the current folder or absolute, as seen from there."""
        return relpath(path, self.folder) if self.folder else str(path)

    @property
    def around(self) -> tuple[str, str]:
        """What a line for a shell has before and behind a command that is run there."""
        # -P: the folder was found from where we are, whatever links led here
        return (f"(cd -P {shlex.quote(self.folder)} && ", ")") if self.folder else ("", "")

    def line(self, words: Sequence[str]) -> str:
        """The line for a shell that runs a command there."""
        before, behind = self.around
        return f"{before}{shlex.join(words)}{behind}"


def patience(timeout: float | None, start_timeout: float | None) -> list[str]:
    """The options of `urlconform repro` for seconds that are not the usual ones (None)."""
    seconds = {"--timeout": timeout, "--start-timeout": start_timeout}
    return [word for name, value in seconds.items() if value is not None for word in (name, f"{value:.15g}")]


#: The current folder.
HERE = Place()


def place_of(adapters: Iterable[Adapter]) -> Place:
    """Where adapters are looked up by their names: here, or in the folder of the configuration that has them.

    Bundled ones are found everywhere.
    """
    folders = (adapter.folder for adapter in adapters)
    found = next((folder for folder in folders if folder is not None), None)
    return Place("" if found is None or found == Path.cwd() else relpath(found))


# -------------------- pytest_plugin.pasting: The lines to paste: what asks a vector again, and what takes an entry out of the baseline.


def again(adapter: Adapter, identifier: str, vectors: Path | None, limits: Limits) -> str:
    """The line that puts a vector to an adapter again, of its corpus, and with the time that it had."""
    place = place_of([adapter])
    more = [*_from(vectors, place), *patience(*limits.unusual)]
    return place.line(["urlconform", "repro", identifier, "-a", adapter.name, *more])


def again_in_pytest(adapter: Adapter, options: Sequence[str], node: str) -> str:
    """The same for an adapter that only a conftest knows: by the node, and the options that selected it."""
    return shlex.join(["pytest", "--urlconform", adapter.name, *options, node])


def shrink(adapter: Adapter, baseline: Path, vectors: Path | None, deciding: Sequence[str] = ()) -> str:
    """The line that removes what has become right from a baseline, by the options that judged it so."""
    place = place_of([adapter])
    words = [_seen(baseline, place), adapter.name, *deciding, *_from(vectors, place), "--only-shrink"]
    return place.line(["urlconform", "baseline", "update", *words])


def _from(vectors: Path | None, place: Place) -> list[str]:
    return [] if vectors is None else ["--vectors", _seen(vectors, place)]


def _seen(path: Path, place: Place) -> str:
    """A path as seen from a place, however the configuration has it."""
    return place.seen(relpath(path))


# -------------------- report.repeating: The line for a shell that asks a case again, of the corpus that it came from.


class Around(NamedTuple):
    """What stands around `urlconform repro ID -a ADAPTER`: `corpus` is for stored cases alone."""

    before: str
    corpus: str
    behind: str


def around(header: Header) -> Around:
    """What a line that asks a case of a run again has, whichever case it is, and whichever adapter.

    It is run where the adapters of the run live, and a stored case is looked up where the run had it from;
    the adapter is given the time that it had.
    """
    before, behind = Place(header.folder).around
    corpus = f" --vectors {shlex.quote(header.vectors)}" if header.vectors else ""
    limits = "".join(f" {word}" for word in patience(header.timeout, header.start_timeout))
    return Around(before, corpus, f"{limits}{behind}")


def repro_line(results: Results, identifier: str, implementation: str) -> str:
    """The line that puts a case of a run to an implementation again; it works where the run was made.

    Generated cases are of no file.
    """
    before, corpus, behind = around(results.header)
    line = f"urlconform repro {shlex.quote(identifier)} -a {shlex.quote(implementation)}"
    return f"{before}{line}{corpus if identifier in results.vectors else ''}{behind}"
