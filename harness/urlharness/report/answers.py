"""Answers of a run for the HTML report: equal ones are stored once, and what differs in one is marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus import Case, Decoded, Expected
from urlharness.protocol import Components
from urlharness.report.figures import KIND_OF
from urlharness.results import Result
from urlharness.verdict import Verdict, compare_components, compare_decoded

#: Numbers that a script would read as others: of so many digits, or with an exponent.
_INEXACT = re.compile(rb"\d{16}|\d[eE]")
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"')
#: What a reply says besides its answer.
_ASIDE = frozenset(("id", "message", "also", "rules", "rulings", "may_reject", "layer", "section"))


class Marks(NamedTuple):
    """The number of the nearest admissible answer, the parts that differ from it, and those it leaves untold.

    Untold is a part that the library does not expose, or of which it cannot tell absent from empty.
    """

    nearest: int
    wrong: list[str]
    untold: list[str]


class Answers:
    """Answers interned by value: a row `[outcome, variant, detail, got, stderr, marks, raw]` for each.

    `raw` is the reply as JSON text where a script could not read its numbers, else empty.  `likeness` has
    for each row what it is compared by: two answers are alike where that is the same, and None compares
    with nothing.
    """

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self.likeness: list[bytes | None] = []
        self._known: dict[tuple[bytes, bytes, tuple[str, ...]], int] = {}
        self._numbers: dict[bytes, int] = {}
        self._encode = msgspec.json.Encoder().encode

    def number(self, case: Case, result: Result, features: tuple[str, ...]) -> int:
        """The number of an answer, stored when it is new."""
        got = {name: value for name, value in result.got.items() if name != "id"}  # differs in every reply
        octets = self._encode((result.outcome, result.variant, result.detail, got, result.stderr))
        parts = _has_parts(case) and result.outcome in ("fail", "partial", "variant")
        key = (octets, self._encode(case.vector.expect), features) if parts else (octets, b"", ())
        found = self._known.get(key)
        if found is None:
            marks = component_marks(case, result, features) if parts else None
            raw = self._encode(got)
            exact = raw.decode() if _INEXACT.search(_STRINGS.sub(b"", raw)) else ""
            row = [result.outcome, result.variant, result.detail, got, result.stderr, marks, exact]
            found = self._known[key] = self._numbers.setdefault(self._encode(row), len(self.rows))
            if found == len(self.rows):
                self.rows.append(row)
                self.likeness.append(self._compared(result, got))
        return found

    def _compared(self, result: Result, got: Mapping[str, Any]) -> bytes | None:
        """The right answer, a refusal, a death and each wrong answer, without what is said around it."""
        kind = KIND_OF[result.outcome]
        if kind == "unsupported":
            return None
        if result.outcome == "pass" or kind == "abnormal":
            return result.outcome.encode()
        if got.get("status") == "reject":
            return b"reject"
        return self._encode({name: value for name, value in got.items() if name not in _ASIDE})


def _has_parts(case: Case) -> bool:
    return case.vector.op in ("parse", "decode")


def component_marks(case: Case, result: Result, features: tuple[str, ...]) -> Marks | None:
    """Which parts differ from the nearest admissible answer, and which of them it leaves untold.

    Parts are components, or those of a decoded view; None where neither is asked for.
    """
    if result.outcome not in ("fail", "partial", "variant"):
        return None
    best: Marks | None = None
    for number, expected in enumerate(case.vector.expect.alternatives):
        try:
            verdicts = _part_by_part(case, expected, result, features)
        except msgspec.ValidationError:
            return None  # a reply of any shape may stand here
        if verdicts is None:
            continue
        wrong = [name for name, verdict in verdicts.items() if verdict.outcome == "fail"]
        untold = [name for name, verdict in verdicts.items() if verdict.outcome == "partial"]
        if best is None or len(wrong) < len(best.wrong):
            best = Marks(number, wrong, untold)
    return best


def _part_by_part(
    case: Case, expected: Expected, result: Result, features: tuple[str, ...]
) -> dict[str, Verdict] | None:
    """The verdict on each part that is expected; None for an expectation without parts."""
    if isinstance(expected.components, dict):
        got = msgspec.convert(result.got.get("components"), Components)
        return {
            name: compare_components(case.spec, {name: value}, got, features)
            for name, value in expected.components.items()
        }
    if isinstance(expected.decoded, dict):
        view = msgspec.convert(result.got.get("decoded"), Decoded)
        return {
            name: compare_decoded({name: value}, view, features) for name, value in expected.decoded.items()
        }
    return None
