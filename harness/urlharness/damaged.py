"""What became of a results file that is not as its run wrote it, in words: what is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from urlharness.mistaken import baseline_instead

Counts = Mapping[str, Mapping[str, int]]

#: What to do with it.
AGAIN = "the file was changed after the run: take the original, or run again"
#: What other files begin with, and how one becomes a results file.
_OTHERS = {
    b"\x1f\x8b": "it is compressed with gzip; unpack it first",
    b"PK\x03\x04": "it is a zip archive; unpack it first",
    b"\xff\xfe": "it is UTF-16, as a shell may write it; take the original, which is ASCII",
    b"\xef\xbb\xbf": "it begins with a byte order mark; take the original, which is ASCII",
}
#: Differing counts that are told.
_TOLD = 2


def headless(path: Path, octets: bytes) -> str:
    """What is wrong with a file that has no header, but begins with a line without an end, or is empty."""
    return _other_file(path, octets) or "not a results file: it has no header"


def undecodable(path: Path, octets: bytes, number: int, why: str) -> str:
    """What is wrong with a line of a file that could not be decoded; `why` is what its decoder says."""
    if number == 1:
        return _other_file(path, octets) or why
    what = "it is empty" if not octets.strip() else why.rstrip(".")
    return f"{what}; {AGAIN}"


def by_name(counts: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """Counts of outcomes for each implementation, from those by both."""
    found: dict[str, dict[str, int]] = {}
    for (name, outcome), count in sorted(counts.items()):
        found.setdefault(name, {})[outcome] = count
    return found


def unfit(footer: Counts, found: Counts, octets: bytes) -> str:
    """Why a footer does not fit the lines above it.

    `footer` are the outcomes of each implementation that it counts and `found` those of the lines; `octets`
    are the line of the footer, whose end is that of the others.
    """
    if octets.endswith(b"\r\n"):
        return f"its lines end in CRLF, where a run writes LF; {AGAIN}"
    wrong = list(_differing(footer, found))
    if wrong:
        more = f" and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        return f"it does not fit the lines above: it counts {', '.join(wrong[:_TOLD])}{more}; {AGAIN}"
    return f"it does not fit the lines above: its counts are theirs, its digest is not; {AGAIN}"


def _other_file(path: Path, octets: bytes) -> str:
    """What a file is that begins so, and what to do; empty where it may be a results file."""
    known = (why for begin, why in _OTHERS.items() if octets.startswith(begin))
    return next(known, "") or baseline_instead(path)


def _differing(footer: Counts, found: Counts) -> Iterator[str]:
    for name in dict.fromkeys((*footer, *found)):
        counted, there = footer.get(name, {}), found.get(name, {})
        for outcome in dict.fromkeys((*counted, *there)):
            numbers = counted.get(outcome, 0), there.get(outcome, 0)
            if numbers[0] != numbers[1]:
                yield f"{numbers[0]:,} {outcome} of {name} where there are {numbers[1]:,}"
