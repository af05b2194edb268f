"""Figures of the analysis: how many were noticed of how many that can be, and the rate."""

from __future__ import annotations

from typing import Any, NamedTuple


class Count(NamedTuple):
    """`killed` of `live`; the rest is not counted among them.

    `equivalent` are those that no text can tell, `undecided` those not found out, `open` those of which a
    ruling leaves open all that they change.
    """

    killed: int = 0
    live: int = 0
    equivalent: int = 0
    undecided: int = 0
    open: int = 0

    def plus(self, other: Count) -> Count:
        """The sums."""
        return Count(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def rate(self) -> float:
        """The share of the live ones that were noticed; 1 where there are none."""
        return self.killed / self.live if self.live else 1.0

    def asdict(self) -> dict[str, Any]:
        """The figure as JSON has it; the rate is rounded down, so that 1 says all."""
        found: dict[str, Any] = {"rate": int(self.rate * 10_000) / 10_000}
        found |= {"killed": self.killed, "live": self.live}
        found |= {name: value for name, value in self._asdict().items() if value and name not in found}
        return found
