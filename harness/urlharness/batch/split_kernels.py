"""The loops that split texts, compiled: one pass notes where each component begins and ends.

A table is one array: at `state << 8 | byte` stands `next state << 8 | slot`, the slot being the one that the
position of the byte goes to.  Positions count from the begin of a text.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from urlharness.batch.compiling import kernel

#: Begin and end of a component that is absent, and of all components of a text that is invalid.
ABSENT, INVALID = -1, -2

#: Texts that are read at a time.
LANES = 4


@kernel
def _note(text: int, final: Any, slots: Any, bounds: Any) -> None:
    """Write the bounds of the components of one text, and forget its positions."""
    for number in range(len(final) // 3):
        begin = end = INVALID
        if final[0] != 0:
            begin = end = slots[final[3 * number + 2]]
            if end >= 0:
                begin = slots[final[3 * number]] + final[3 * number + 1]
        bounds[2 * number, text], bounds[2 * number + 1, text] = begin, end
    slots[:] = ABSENT


@kernel
def split_texts(  # noqa: C901 - calls in this loop would cost what it gains
    data: Any,
    offsets: Any,
    first: int,
    last: int,
    following: Any,
    starts: Any,
    finals: Any,
    slots: Any,
    bounds: Any,
) -> None:
    """Write to `bounds[:, text]` begin and end of each component of the texts from `first` to before `last`.

    `starts` has the state that each text begins in, or one for all of them.  `finals` has for each state
    three numbers a component: the slot of its begin, what is added to that, and the slot of its end, which
    holds -1 where it is absent; zeros for a state in which no valid text ends.  `slots` has a row for each
    lane, -1 everywhere; the length of a text goes to slot 1.
    """
    position, end = np.zeros(LANES, np.uintp), np.zeros(LANES, np.uintp)
    begin, entry = np.zeros(LANES, np.uintp), np.zeros(LANES, np.uintp)
    text = np.full(LANES, -1)
    byte, slot, state = np.uintp(8), np.uintp(255), ~np.uintp(255)
    slots0, slots1, slots2, slots3 = slots[0], slots[1], slots[2], slots[3]
    waiting, drained = first, False
    while True:
        steps = np.uintp(np.iinfo(np.int64).max)
        for lane in range(LANES):
            while position[lane] == end[lane]:
                if text[lane] >= 0:
                    slots[lane, 1] = end[lane] - begin[lane]
                    _note(text[lane], finals[entry[lane] >> byte], slots[lane], bounds)
                if waiting == last:
                    text[lane] = -1
                    drained = True
                    break
                text[lane] = waiting
                entry[lane] = np.uintp(starts[waiting if len(starts) > 1 else 0]) << byte
                begin[lane] = position[lane] = offsets[waiting]
                end[lane] = offsets[waiting + 1]
                waiting += 1
            steps = min(steps, end[lane] - position[lane])
        if drained:
            break
        p0, p1, p2, p3 = position[0], position[1], position[2], position[3]
        b0, b1, b2, b3 = p0 - begin[0], p1 - begin[1], p2 - begin[2], p3 - begin[3]
        e0, e1, e2, e3 = entry[0], entry[1], entry[2], entry[3]
        for step in range(steps):
            e0 = np.uintp(following[e0 & state | np.uintp(data[p0 + step])])
            e1 = np.uintp(following[e1 & state | np.uintp(data[p1 + step])])
            e2 = np.uintp(following[e2 & state | np.uintp(data[p2 + step])])
            e3 = np.uintp(following[e3 & state | np.uintp(data[p3 + step])])
            slots0[e0 & slot] = b0 + step
            slots1[e1 & slot] = b1 + step
            slots2[e2 & slot] = b2 + step
            slots3[e3 & slot] = b3 + step
        entry[0], entry[1], entry[2], entry[3] = e0, e1, e2, e3
        for lane in range(LANES):
            position[lane] += steps
    for lane in range(LANES):
        if text[lane] >= 0:
            e0, b0 = entry[lane], begin[lane]
            for p0 in range(position[lane], end[lane]):
                e0 = np.uintp(following[e0 & state | np.uintp(data[p0])])
                slots[lane, e0 & slot] = p0 - b0
            slots[lane, 1] = end[lane] - b0
            _note(text[lane], finals[e0 >> byte], slots[lane], bounds)


@kernel
def copy_spans(data: Any, offsets: Any, begins: Any, targets: Any, copied: Any) -> None:
    """Copy a span of each text to `copied`, from its place in `targets` up to that of the next one."""
    for text in range(len(begins)):
        source, target = offsets[text] + begins[text], targets[text]
        for number in range(targets[text + 1] - target):
            copied[target + number] = data[source + number]


@kernel
def starting_states(
    data: Any, offsets: Any, following: Any, start: int, tables: Any, other: int, starts: Any
) -> None:
    """Write the state that each text begins in: that which `tables` has for its scheme, else `other`.

    `following` reads a text up to its first colon; `tables` has 0 for its states behind no scheme.
    """
    byte = np.uintp(8)
    for text in range(len(starts)):
        state = np.uintp(start)
        starts[text] = other
        for position in range(offsets[text], offsets[text + 1]):
            state = np.uintp(following[state << byte | np.uintp(data[position])])
            if state == 0:
                break
            if tables[state] != 0:
                starts[text] = tables[state]
                break
