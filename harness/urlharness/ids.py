"""Ids of questions: they rise, none is used twice, and none is guessed by who counts or adds to another one.

An id that an adapter makes up belongs to no question then, and is found out at once, whatever it is in
flight beside.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate, cycle

#: Steps from one id to the next: two million questions stay below 2³¹.
_STEPS = range(512, 1536)
_DRAWN = 4096  # at once; drawing each one would take a tenth of the time that a question takes


def ids() -> Iterator[int]:
    """Ids without an end, from 1 on; the steps are others in every session."""
    steps = random.Random().choices(_STEPS, k=_DRAWN)  # noqa: S311 - nobody is kept out by them
    return accumulate(cycle(steps), initial=1)
