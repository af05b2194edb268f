"""The generated part of a run: streams of the tiers that are asked for, as far as the selection goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from urlharness.corpus import Case
from urlharness.generate.digests import pinned
from urlharness.generate.tiers import Part, cases, parts, requirement
from urlharness.selection import Selection, Tier, within
from urlharness.streams import Stream


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
