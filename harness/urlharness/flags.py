"""Flags: words that say how common a case is and what its failure does, so that it explains itself.

A vector has the flags of its class and its own.  One that has neither `basic` nor `edge` after that is an
`edge` where the RFC binds no single answer, and `basic` where it has no class and its RFC prints it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

import msgspec

Flag = Literal["security", "interop", "legacy", "edge", "basic"]

FLAGS: tuple[Flag, ...] = get_args(Flag)


class FlagEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A flag: what a case that has it is, and what its failure does in practice."""

    id: Flag
    statement: str
    effect: str


class FlagFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of flags."""

    schema: Literal["urlflags-1"]
    flags: tuple[FlagEntry, ...]


class _Class(msgspec.Struct, frozen=True):
    id: str
    flags: tuple[Flag, ...] = ()


class ClassFlags(msgspec.Struct, frozen=True):
    """Of the table of classes no more than the flags of each."""

    classes: tuple[_Class, ...] = ()

    def by_class(self) -> dict[str, tuple[Flag, ...]]:
        """The flags of each class by its id."""
        return {entry.id: entry.flags for entry in self.classes}


def derive(vector: Any, by_class: Mapping[str, Collection[Flag]]) -> tuple[Flag, ...]:
    """The flags of a vector in the order of `FLAGS`: those of its class, its own, and what follows."""
    found: set[Flag] = {*vector.flags, *by_class.get(vector.class_, ())}
    if not found & {"basic", "edge"}:
        if vector.binding != "required":
            found.add("edge")
        elif vector.level == "example" and vector.class_ is None:
            found.add("basic")
    return tuple(flag for flag in FLAGS if flag in found)


@cache
def explanations() -> Mapping[str, FlagEntry]:
    """Every flag of the installed corpus by its name; empty for a corpus without a table of flags."""
    path = resources.files("urlvectors") / "flags.json"
    if not path.is_file():
        return {}
    table = msgspec.json.decode(path.read_bytes(), type=FlagFile)
    return {entry.id: entry for entry in table.flags}


def explained(flags: Collection[str]) -> list[str]:
    """Each flag with what a failure does, as in `security: a filter and a client …`."""
    known = explanations()
    return [f"{flag}: {known[flag].effect}" if flag in known else flag for flag in flags]
