"""The pinned digests of the generated tiers, and the streams of generated cases that a run selects.

The digest of a part is the SHA-256 of its cases as JSON Lines. Every generation must produce the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from urlharness.corpus.lock import TIERS_FILE, PinnedPart, read_tiers
from urlharness.corpus.model import Case, Tier, corpus_dir
from urlharness.corpus.selection import Selection
from urlharness.generate.tiers.streams import TIERS, Part, cases, parts, requirement
from urlharness.results.generated import Counted, Stream


def pinned_digests(directory: Path | None = None) -> Mapping[Part, Counted]:
    """Return the pinned count and digest of every part. Raise CorpusError if they cannot be read."""
    digests = {}
    for pinned in read_tiers(directory):
        part = Part(pinned.tier, pinned.spec, pinned.rule)
        digests[part] = Counted(pinned.cases, pinned.digest)
    return digests


def pin_digests(counted: Mapping[Part, Counted], directory: Path | None = None) -> None:
    """Write the counts and digests of these parts to `tiers.json`. Keep the entries of all other parts."""
    root = directory or corpus_dir()
    tiers_file = root / TIERS_FILE
    pinned = dict(pinned_digests(root)) if tiers_file.exists() else {}
    pinned.update(counted)
    entries = []
    for part in chain.from_iterable(map(parts, TIERS)):
        if part in pinned:
            entry = PinnedPart(**part._asdict(), **pinned[part]._asdict())
            entries.append(msgspec.json.encode(entry))
    # one line per part, so a new digest changes one line
    tiers_file.write_bytes(b'{"schema":"urltiers-1","tiers":[\n%b\n]}\n' % b",\n".join(entries))


def tier_streams(tiers: Sequence[Tier], selection: Selection) -> list[Stream]:
    """Return the selected parts of the tiers as streams.

    A stream yields only the cases whose id contains all of `selection.words`.
    """
    pinned = pinned_digests()
    streams = []
    for part in chain.from_iterable(map(parts, dict.fromkeys(tiers))):
        tested = requirement(part)
        vectors_only = selection.flags or selection.origins  # generated cases have neither
        if vectors_only or not selection.meets_place(part.spec, tested.section, part.rule):
            continue
        total = pinned[part].cases if part in pinned else 0
        make = _case_maker(part, selection.words)
        streams.append(Stream(part.name, *part, tested, total, cases=make, whole=not selection.words))
    return streams


def stream_digests(streams: Sequence[Stream]) -> Mapping[str, str]:
    """Map each stream that yields all cases of its part to the pinned digest, or to "" if none is pinned."""
    digests = {part.name: counted.digest for part, counted in pinned_digests().items()}
    return {stream.part: digests.get(stream.part, "") for stream in streams if stream.whole}


def _case_maker(part: Part, words: Sequence[str]) -> Callable[[], Iterator[Case]]:
    """Return a function that generates the cases of a part whose id contains all words."""

    def make() -> Iterator[Case]:
        for case in cases(part):
            if all(word in case.vector.id for word in words):
                yield case

    return make
