"""The record types of classes of difference, of differences and of rulings, and functions to load them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from urlharness.corpus.model import Expected, Flag, Mode, corpus_dir, decode_file
from urlharness.corpus.specifications import Spec, check_specs

_FROZEN: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "omit_defaults": True}

#: The inputs of a difference, under the names of the wire protocol.
_INPUTS = ("rule", "mode", "url", "other", "base", "reference")


class DifferenceClass(msgspec.Struct, **_FROZEN):
    """A named kind of difference between parsers.

    `effect` says what the difference causes in practice. `sections` contains the sections of each RFC that
    define the behaviour. `varies` is true if the RFCs themselves differ, and false if only implementations
    differ.
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

    def __post_init__(self) -> None:
        """Raise ValueError if `sections` names a specification that does not exist."""
        check_specs(self.sections)


class ClassFile(msgspec.Struct, **_FROZEN):
    """The table of classes."""

    schema: Literal["urlclasses-1"]
    classes: tuple[DifferenceClass, ...]


class RfcAnswer(msgspec.Struct, **_FROZEN):
    """The answer of one RFC: either an expectation, or the reason why the RFC does not define an answer."""

    section: str
    expect: Expected | None = None
    undefined: bool = False
    reason: str | None = None
    ruling: str | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless there is either an expectation, or `undefined` with a reason."""
        has_answer = self.expect is not None
        if has_answer == self.undefined:
            raise ValueError("exactly one of `expect` and `undefined` is required")
        has_reason = self.reason is not None
        if has_reason != self.undefined:
            raise ValueError("`undefined` requires a `reason`, and only `undefined` may have one")


class Difference(msgspec.Struct, **_FROZEN):
    """One question, and the answer of each RFC.

    If `rule` is None, the question is about a whole URL, and each RFC answers under its default profile
    (G-06).
    """

    id: str
    op: Literal["validate", "parse", "resolve", "normalize", "equivalent"]
    answers: Mapping[Spec, RfcAnswer]
    rule: str | None = None
    mode: Mode | None = None
    url: str | None = None
    other: str | None = None
    base: str | None = None
    reference: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        """Raise ValueError if `answers` names a specification that does not exist."""
        check_specs(self.answers)

    def question(self, spec: Spec) -> dict[str, str]:
        """Return the question under one RFC, with the field names of the wire protocol."""
        inputs = {name: getattr(self, name) for name in _INPUTS}
        present = {name: text for name, text in inputs.items() if text is not None}
        return {"op": self.op, "spec": spec, **present}


class DifferenceFile(msgspec.Struct, **_FROZEN):
    """The differences of one class."""

    schema: Literal["urldifferences-1"]
    class_: str = msgspec.field(name="class")
    differences: tuple[Difference, ...]


def load_differences(directory: Path | None = None) -> dict[str, tuple[Difference, ...]]:
    """Return the differences of a corpus (default: the installed corpus) by the id of their class."""
    files = [decode_file(path, DifferenceFile) for path in difference_files(directory or corpus_dir())]
    return {content.class_: content.differences for content in files}


def difference_files(directory: Path) -> list[Path]:
    """Return the files of differences of the corpus in `directory`, sorted by name."""
    return sorted((directory / "differences").glob("*.json"))


class RulingText(msgspec.Struct, **_FROZEN):
    """The heading and the text of a ruling. Both are copied from the page docs/rulings.md."""

    title: str
    text: str


@cache
def load_ruling_texts() -> Mapping[str, RulingText]:
    """Return the headings and texts of all rulings by id."""
    return decode_file(Path(__file__).with_name("ruling_texts.json"), dict[str, RulingText])


@cache
def load_rulings() -> Mapping[str, str]:
    """Return the readings that the rulings choose, by the id of the ruling, such as R-1738-03."""
    return decode_file(corpus_dir() / "rulings.json", dict[str, str])
