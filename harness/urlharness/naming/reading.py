"""What an RFC refuses in a text when it is read on: one refusal after the other, each mended for the next.

An RFC stops at the first character that it refuses and says nothing of the rest.  To compare what all of them
say of the rest, the smallest part that caused the refusal is made good, and the text is asked again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from urlharness.naming.refusals import SLASHED, Refusal
from urloracle import SPECIFICATIONS, InvalidURL

_LONGEST = 2_000  # characters of a text that is read on; of a longer one the first refusal is known
_MOST = 16  # refusals of one text by one RFC

_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")


class Edit(NamedTuple):
    """The characters from `start` to `end` make way for `put`."""

    start: int
    end: int
    put: str = ""


@dataclass(frozen=True)
class Reading:
    """The refusals of a text by one RFC, by offset in the text as it was given.

    `skipped` are the offsets that the RFC was not asked about, as those behind `end` are not.
    """

    refusals: tuple[tuple[int, Refusal], ...]
    skipped: frozenset[int]
    end: int

    def takes(self, offset: int) -> bool:
        """True where the RFC has nothing against the character at an offset."""
        refused = {at for at, _ in self.refusals}
        return offset not in refused and offset not in self.skipped and offset <= self.end


def read_on(text: str, spec: str, problem: InvalidURL | None, rule: str | None = None) -> Reading:
    """All that an RFC refuses in a text, the first of it as `problem`; with a rule only that."""
    origins = list(range(len(text) + 1))
    refusals: list[tuple[int, Refusal]] = []
    skipped: set[int] = set()
    end = len(text)
    while problem is not None and len(refusals) < _MOST:
        at = origins[problem.position]
        if any(at == before for before, _ in refusals):
            return Reading(tuple(refusals), frozenset(skipped), at)
        refusal = Refusal(
            spec, problem.text, problem.position, problem.rules, problem.section, problem.reason, rule
        )
        refusals.append((at, refusal))
        edit = None if rule or len(text) > _LONGEST else mend(refusal, problem.expected)
        if edit is None:
            return Reading(tuple(refusals), frozenset(skipped), at)
        if edit.end == len(problem.text) and not edit.put:
            end = min(end, origins[edit.start])
        skipped.update(origins[edit.start : edit.end])
        origins[edit.start : edit.end] = [origins[edit.start]] * len(edit.put)
        mended = f"{problem.text[: edit.start]}{edit.put}{problem.text[edit.end :]}"
        problem = SPECIFICATIONS[spec].problem(mended)
    return Reading(tuple(refusals), frozenset(skipped), end)


def mend(refusal: Refusal, expected: frozenset[str]) -> Edit | None:
    """The edit that takes away what is refused, and no more where that can be told; None where it cannot."""
    at, text = refusal.at, refusal.text
    if refusal.reason or (refusal.spec == "rfc1738" and refusal.scheme is None):
        return None
    if refusal.char == "%" and not _TRIPLET.match(text, at):
        return None  # what is refused here by one RFC is refused behind the sign by another
    if refusal.char == "#":
        return Edit(at, len(text))
    if expected and expected <= _HEX_DIGITS and "%" in text[max(at - 2, 0) : at]:  # a broken triplet
        sign = text.rindex("%", 0, at)
        return Edit(sign, sign + 1, "a")
    if refusal.faults:
        return _mend_authority(refusal)
    if refusal.scheme is None and refusal.char == ":":  # no scheme to the later RFCs
        return Edit(0, 1, "a") if text[0] in "0123456789+-." else Edit(at, at + 1, "-")
    if at == refusal.behind and refusal.scheme is not None and refusal.wide is None:
        return Edit(at, at, "x") if refusal.scheme not in SLASHED else None
    if refusal.own_path:
        end = text.find("#", at)
        return Edit(at, len(text) if end < 0 else end)
    instead = next((char for char in "a0-" if char in expected), None)
    return None if instead is None or not refusal.char else Edit(at, at + 1, instead)


def _mend_authority(refusal: Refusal) -> Edit | None:
    """The part of the login that is at fault goes, or a host stands in for it."""
    authority, start, at = refusal.authority or "", refusal.start, refusal.at
    if len(_TRIPLET.findall(authority)) < authority.count("%"):
        return None
    last = start + authority.rfind("@") + 1
    end = start + len(authority)
    if "@" in authority[at - start :]:
        return Edit(start, last)
    colon = authority.find(":", last - start)
    port = end if colon < 0 else start + colon
    fault = min(refusal.faults)
    if fault in ("netloc-end", "ftp-type"):
        return Edit(min(at, end), min(at, end), "/") if refusal.char else None
    if fault == "gopher-parts":
        return Edit(at, at, "/1")
    if fault in ("empty-port", "port-digits", "file-host", "file-drive"):
        return Edit(port, end)
    if fault == "login-delimiter":
        return None
    return Edit(last, end if fault == "ipv6-literal" else port, "h")
