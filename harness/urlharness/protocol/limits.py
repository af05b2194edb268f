"""The limits of an adapter: seconds, processes and restarts."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec

#: The minimum and the maximum of timeouts in seconds. Clocks and timers of every platform accept this range.
LEAST_SECONDS = 0.001
MOST_SECONDS = 1_000_000

#: The maximum number of processes in which an adapter is asked.
MOST_JOBS = 256

#: The numbers that users set.
Seconds = Annotated[float, msgspec.Meta(ge=LEAST_SECONDS, le=MOST_SECONDS)]
Jobs = Annotated[int, msgspec.Meta(ge=1, le=MOST_JOBS)]
AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]


class Limits(NamedTuple):
    """The limits of an adapter.

    Three limits are times in seconds: `start` until the hello, `case` for one case, and `total` from the
    first start to the end of all cases (None: no limit). `restarts` is the restart budget. `jobs` is the
    number of processes that share the questions.
    """

    start: float = 30.0
    case: float = 5.0
    restarts: int = 300
    total: float | None = None
    jobs: int = 1

    @property
    def unusual_seconds(self) -> tuple[float | None, float | None]:
        """(Seconds for one case, seconds for the start), each None if it is the default."""
        case = None if self.case == USUAL.case else self.case
        start = None if self.start == USUAL.start else self.start
        return case, start


#: The default limits.
USUAL = Limits()
