"""The pinned digests of the generated tiers: what a generator has to give again, byte for byte.

The digest of a part is the SHA-256 of its cases as JSON Lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import msgspec

from urlharness.corpus.model import Case, CorpusError, Spec, corpus_dir
from urlharness.corpus.selection import Selection, Tier, within
from urlharness.generate.tiers import TIERS, Part, cases, parts, requirement
from urlharness.results.generated import Counted, Stream


class Pinned(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How many cases a part has, and their digest."""

    tier: Tier
    spec: Spec
    cases: int
    digest: str
    rule: str | None = None

    @property
    def part(self) -> Part:
        """The part itself."""
        return Part(self.tier, self.spec, self.rule)


class PinnedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `tiers.json` of the corpus."""

    schema: Literal["urltiers-1"]
    tiers: tuple[Pinned, ...]


def pinned(directory: Path | None = None) -> Mapping[Part, Counted]:
    """The pinned count and digest of every part; raises CorpusError where the file is not one."""
    path = (directory or corpus_dir()) / "tiers.json"
    try:
        content = msgspec.json.decode(path.read_bytes(), type=PinnedFile)
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise CorpusError(f"{path}: {error}") from None
    return {entry.part: Counted(entry.cases, entry.digest) for entry in content.tiers}


def pin(found: Mapping[Part, Counted], directory: Path | None = None) -> None:
    """Write `tiers.json`: what was found, and of every other part what was pinned before."""
    root = directory or corpus_dir()
    known = {**(pinned(root) if (root / "tiers.json").exists() else {}), **found}
    (root / "tiers.json").write_text("".join(_written(known)), encoding="ascii")


def _written(known: Mapping[Part, Counted]) -> Iterator[str]:
    """The file, an entry a line, so that a change of one digest is a change of one line."""
    entries = []
    for part in (part for tier in TIERS for part in parts(tier) if part in known):
        entry: dict[str, Any] = {name: value for name, value in part._asdict().items() if value is not None}
        entries.append(msgspec.json.encode({**entry, **known[part]._asdict()}).decode())
    yield '{"schema":"urltiers-1","tiers":[\n'
    yield ",\n".join(entries)
    yield "\n]}\n"


# -------------------- generate.selected: The generated part of a run: streams of the tiers that are asked for, as far as the selection goes.


def streams(tiers: Sequence[Tier], selection: Selection) -> list[Stream]:
    """The parts of the tiers that the selection leaves; words of the id choose among their cases."""
    known = pinned()
    found = []
    for part in chain.from_iterable(map(parts, dict.fromkeys(tiers))):
        stated = requirement(part)
        if _meets(selection, part, stated.section):
            total = known[part].cases if part in known else 0
            made = _made(part, selection.words)
            found.append(
                Stream(part.name, part.tier, part.spec, part.rule, stated, total, made, not selection.words)
            )
    return found


def digests(found: Sequence[Stream]) -> Mapping[str, str]:
    """The pinned digest of each stream that is whole, by the name of its part."""
    known = {part.name: counted.digest for part, counted in pinned().items()}
    return {stream.part: known.get(stream.part, "") for stream in found if stream.whole}


def _meets(selection: Selection, part: Part, section: str) -> bool:
    return (
        not selection.flags  # generated cases have none
        and (not selection.specs or part.spec in selection.specs)
        and (not selection.sections or any(within(section, wanted) for wanted in selection.sections))
        and (not selection.rules or (part.rule or "").lower() in map(str.lower, selection.rules))
    )


def _made(part: Part, words: Sequence[str]) -> Callable[[], Iterator[Case]]:
    def made() -> Iterator[Case]:
        return (case for case in cases(part) if all(word in case.vector.id for word in words))

    return made
