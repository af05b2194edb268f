"""The loops over the bytes of a column, compiled: where each text leads, and where it goes wrong.

A table is one array: the state that follows `state` on `byte` stands at `state << 8 | byte`; state 0 is the
sink, and states from `accepting` on accept.  Text i of a column is `data[offsets[i]:offsets[i + 1]]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from urlharness.batch.compiling import kernel

#: The offset of a text that is valid.
VALID = -1

#: What stands for the end of a text where a byte is meant.
END = 256

_LANES = 4  # of fewer texts at a time each waits for its table, and more do not fit the registers


@kernel
def final_states(  # noqa: C901 - calls in this loop would cost what it gains
    data: Any, offsets: Any, first: int, last: int, following: Any, start: int, states: Any
) -> None:
    """Write to `states` the state that each text from `first` to before `last` leads to.

    A step has to wait for the state that the step before it loads; the steps of four texts wait together.
    """
    position, end = np.zeros(_LANES, np.uintp), np.zeros(_LANES, np.uintp)
    state, text = np.zeros(_LANES, np.uintp), np.full(_LANES, -1)
    byte = np.uintp(8)
    waiting, drained = first, False
    while True:
        steps = np.uintp(np.iinfo(np.int64).max)
        for lane in range(_LANES):
            while position[lane] == end[lane]:
                if text[lane] >= 0:
                    states[text[lane]] = state[lane]
                if waiting == last:
                    text[lane] = -1
                    drained = True
                    break
                text[lane], state[lane] = waiting, start
                position[lane], end[lane] = offsets[waiting], offsets[waiting + 1]
                waiting += 1
            steps = min(steps, end[lane] - position[lane])
        if drained:
            break
        p0, p1, p2, p3 = position[0], position[1], position[2], position[3]
        s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
        for step in range(steps):
            s0 = np.uintp(following[s0 << byte | np.uintp(data[p0 + step])])
            s1 = np.uintp(following[s1 << byte | np.uintp(data[p1 + step])])
            s2 = np.uintp(following[s2 << byte | np.uintp(data[p2 + step])])
            s3 = np.uintp(following[s3 << byte | np.uintp(data[p3 + step])])
        state[0], state[1], state[2], state[3] = s0, s1, s2, s3
        for lane in range(_LANES):
            position[lane] += steps
    for lane in range(_LANES):
        if text[lane] >= 0:
            s0 = state[lane]
            for p0 in range(position[lane], end[lane]):
                s0 = np.uintp(following[s0 << byte | np.uintp(data[p0])])
            states[text[lane]] = s0


@kernel
def rejecting_offsets(
    data: Any,
    offsets: Any,
    first: int,
    last: int,
    following: Any,
    start: int,
    accepting: int,
    states: Any,
    places: Any,
) -> None:
    """Write to `places` the offset at which each text goes wrong, given where it leads; VALID for the others.

    That is the first byte with which no valid text goes on, or the length of a text that ends too early.
    """
    byte = np.uintp(8)
    for text in range(first, last):
        if states[text] >= accepting:
            places[text] = VALID
            continue
        begin, end = np.uintp(offsets[text]), np.uintp(offsets[text + 1])
        if states[text] != 0:
            places[text] = end - begin
            continue
        state, position = np.uintp(start), begin
        while position < end:
            state = np.uintp(following[state << byte | np.uintp(data[position])])
            if state == 0:
                break
            position += np.uintp(1)
        places[text] = position - begin


@kernel
def rejections(
    data: Any, offsets: Any, texts: Any, places: Any, following: Any, start: int, found: Any
) -> None:
    """Write to `found`, for each of `texts`, the state before its place << 9 | the byte there, or END."""
    byte = np.uintp(8)
    for number in range(len(texts)):
        begin = np.uintp(offsets[texts[number]])
        end = np.uintp(offsets[texts[number] + 1])
        wrong = begin + np.uintp(places[number])
        state = np.uintp(start)
        for position in range(begin, wrong):
            state = np.uintp(following[state << byte | np.uintp(data[position])])
        found[number] = state << np.uintp(9) | (np.uintp(data[wrong]) if wrong < end else np.uintp(END))
