"""The named classes of difference, and the answers of all RFCs side by side, as frozen records.

A file that cannot be read or matched to its record is one `CorpusError`, as in the corpus itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from urlharness.corpus.model import CorpusError, Expected, Flag, Mode, Spec, corpus_dir

_FROZEN: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "omit_defaults": True}


_T = TypeVar("_T")


class DifferenceClass(msgspec.Struct, **_FROZEN):
    """A kind of difference: what it is about, what it does in practice, and where the RFCs speak of it.

    `varies` is true where the RFCs themselves differ, false where implementations alone do.
    """

    id: str
    number: int
    title: str
    statement: str
    effect: str
    flags: tuple[Flag, ...]
    sections: Mapping[Spec, tuple[str, ...]]
    varies: bool
    rulings: tuple[str, ...] = ()


class ClassFile(msgspec.Struct, **_FROZEN):
    """The table of classes."""

    schema: Literal["urlclasses-1"]
    classes: tuple[DifferenceClass, ...]


class Side(msgspec.Struct, **_FROZEN):
    """What one RFC says to a question: an expectation, or the reason why it defines no answer."""

    section: str
    expect: Expected | None = None
    undefined: bool = False
    reason: str | None = None
    ruling: str | None = None

    def __post_init__(self) -> None:
        """Refuse a side without an answer, and one with an answer and none."""
        if (self.expect is None) is not self.undefined:
            raise ValueError("expected one of `expect` and `undefined`")
        if self.undefined is not (self.reason is not None):
            raise ValueError("`undefined` goes with a reason")


class Difference(msgspec.Struct, **_FROZEN):
    """One question, and what each RFC says to it.

    Without `rule` a whole URL is meant, under the profile that is the default of each RFC (G-06).
    """

    id: str
    op: Literal["validate", "parse", "resolve", "normalize", "equivalent"]
    answers: Mapping[Spec, Side]
    rule: str | None = None
    mode: Mode | None = None
    url: str | None = None
    other: str | None = None
    base: str | None = None
    reference: str | None = None
    note: str | None = None

    def question(self, spec: Spec) -> dict[str, str]:
        """The question to ask under one RFC, in the fields of the wire protocol."""
        names = ("rule", "mode", "url", "other", "base", "reference")
        inputs = {name: getattr(self, name) for name in names}
        return {
            "op": self.op,
            "spec": spec,
            **{name: text for name, text in inputs.items() if text is not None},
        }


class DifferenceFile(msgspec.Struct, **_FROZEN):
    """The differences of one class."""

    schema: Literal["urldifferences-1"]
    class_: str = msgspec.field(name="class")
    differences: tuple[Difference, ...]


def load_classes(directory: Path | None = None) -> dict[str, DifferenceClass]:
    """The classes of the corpus in `directory` (the installed one by default) by id, in their order."""
    content = _decode((directory or corpus_dir()) / "classes.json", ClassFile)
    return {entry.id: entry for entry in content.classes}


def load_differences(directory: Path | None = None) -> dict[str, tuple[Difference, ...]]:
    """For each class of the corpus in `directory` (the installed one by default) its differences."""
    files = [_decode(path, DifferenceFile) for path in difference_files(directory or corpus_dir())]
    return {content.class_: content.differences for content in files}


def difference_files(directory: Path) -> list[Path]:
    """Every file of differences below `directory`, in the order of their names."""
    return sorted((directory / "differences").glob("*.json"))


def _decode(path: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: {error}") from None
