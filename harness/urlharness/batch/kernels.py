"""Loops over the bytes of a column, compiled by numba: verdicts, places of errors, splits.

The texts of a column are stored one after the other: text i is `octets[offsets[i]:offsets[i + 1]]`. An
automaton is one flat array: `following[state << 8 | byte]` is the next state, and state 0 is the sink. A loop
waits for each next state, because the memory must deliver it first. Therefore the two loops over all bytes
read four texts in turn, so that four look-ups overlap; their bodies are written out four times, because a
call or an inner loop over the lanes would cost what this gains.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

#: The offset of the error of a valid text.
VALID = -1
#: A number that stands for the code point at the end of a text, where there is no character.
END = 0x110000
#: A number that stands for the code point of bytes that are no UTF-8.
NO_UTF8 = 0x110001
#: The number of texts read in parallel. With fewer texts, the CPU waits for table look-ups. More texts do not
#: fit into its registers. Do not change it alone: `write_final_states` and `split_texts` are written out for
#: four.
LANES = 4
#: Begin and end of an absent component, and of every component of an invalid text.
ABSENT, INVALID = -1, -2


def _import_numba() -> Any:
    """Import numba, and let it read no settings from the current folder.

    A file `.numba_config.yaml` there could name a folder of compiled functions, which numba loads and runs.
    """
    current_folder = os.open(".", os.O_RDONLY)
    os.chdir("/")
    try:
        numba = import_module("numba")
    finally:
        os.fchdir(current_folder)
        os.close(current_folder)
    vars(numba.core.config)["_config_fname"] = ""  # numba looks again before it compiles a function
    return numba


numba = _import_numba()

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])


def kernel(function: _Kernel) -> _Kernel:
    """Compile a function of arrays and numbers to machine code that runs without the GIL.

    The code is cached next to the module or in the user's cache folder. If neither is writable, each process
    compiles the function again.
    """
    try:
        compiled: _Kernel = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no cache folder is writable
        compiled = numba.njit(nogil=True)(function)
    return compiled


@kernel
def write_final_states(  # noqa: C901 - calls in this loop would cost what it gains
    octets: NDArray[Any],
    offsets: NDArray[Any],
    first: int,
    last: int,
    following: NDArray[Any],
    start: int,
    states: NDArray[Any],
) -> None:
    """Write to `states` the final state of each text from `first` up to, but excluding, `last`.

    Each step waits for the state that the previous step loads, so the loop interleaves four texts.
    """
    position = np.zeros(LANES, np.uintp)
    end = np.zeros(LANES, np.uintp)
    state = np.zeros(LANES, np.uintp)
    text = np.full(LANES, -1)
    octet_bits = np.uintp(8)
    waiting = first
    drained = False
    while True:
        steps = np.uintp(np.iinfo(np.int64).max)
        for lane in range(LANES):
            while position[lane] == end[lane]:
                if text[lane] >= 0:
                    states[text[lane]] = state[lane]
                if waiting == last:
                    text[lane] = -1
                    drained = True
                    break
                text[lane] = waiting
                state[lane] = start
                position[lane] = offsets[waiting]
                end[lane] = offsets[waiting + 1]
                waiting += 1
            steps = min(steps, end[lane] - position[lane])
        if drained:
            break
        p0, p1, p2, p3 = position[0], position[1], position[2], position[3]
        s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
        for step in range(steps):
            s0 = np.uintp(following[(s0 << octet_bits) | np.uintp(octets[p0 + step])])
            s1 = np.uintp(following[(s1 << octet_bits) | np.uintp(octets[p1 + step])])
            s2 = np.uintp(following[(s2 << octet_bits) | np.uintp(octets[p2 + step])])
            s3 = np.uintp(following[(s3 << octet_bits) | np.uintp(octets[p3 + step])])
        state[0], state[1], state[2], state[3] = s0, s1, s2, s3
        for lane in range(LANES):
            position[lane] += steps
    for lane in range(LANES):
        if text[lane] >= 0:
            rest_state = state[lane]
            for rest_position in range(position[lane], end[lane]):
                rest_octet = np.uintp(octets[rest_position])
                rest_state = np.uintp(following[(rest_state << octet_bits) | rest_octet])
            states[text[lane]] = rest_state


@kernel
def _continues(octet: int) -> bool:
    """Return True for a continuation byte of UTF-8."""
    return (octet & 0xC0) == 0x80


@kernel
def write_error_places(
    octets: NDArray[Any],
    offsets: NDArray[Any],
    first: int,
    last: int,
    following: NDArray[Any],
    start: int,
    inside: int,
    accepting: int,
    states: NDArray[Any],
    places: NDArray[Any],
) -> None:
    """Write the place of the error of each text to `places`, in bytes, or VALID.

    `states` holds the final states. The error is at the first byte of the first character that cannot
    continue a valid text, or at the end of a text that ends too early.
    """
    octet_bits = np.uintp(8)
    for number in range(first, last):
        if states[number] >= accepting:
            places[number] = VALID
            continue
        begin = offsets[number]
        end = offsets[number + 1]
        position = end
        before_error = np.uintp(states[number])
        if before_error == 0:
            before_error = np.uintp(start)
            position = begin
            while position < end:
                state = np.uintp(following[(before_error << octet_bits) | np.uintp(octets[position])])
                if state == 0:
                    break
                before_error = state
                position += 1
        if inside <= before_error < accepting:  # go back to the first byte of the character
            position -= 1
            while _continues(octets[position]):
                position -= 1
        places[number] = position - begin


@kernel
def write_code_points(octets: NDArray[Any], offsets: NDArray[Any], places: NDArray[Any]) -> None:
    """Turn the places of errors from bytes into code points. VALID stays."""
    for number in range(len(places)):
        begin = offsets[number]
        continuations = 0
        for position in range(begin, begin + places[number]):
            if _continues(octets[position]):
                continuations += 1
        places[number] -= continuations


@kernel
def _code_point(octets: NDArray[Any], position: int, end: int) -> Any:
    """Return the code point of the character at a position, or NO_UTF8 (RFC 3629, section 3)."""
    lead = np.int64(octets[position])
    if lead < 0x80:
        return lead
    if 0xC0 <= lead < 0xE0:
        length, least, code = 2, 0x80, lead & 0x1F
    elif 0xE0 <= lead < 0xF0:
        length, least, code = 3, 0x800, lead & 0x0F
    elif 0xF0 <= lead < 0xF8:
        length, least, code = 4, 0x10000, lead & 0x07
    else:
        return NO_UTF8
    if end - position < length:
        return NO_UTF8
    for following in range(position + 1, position + length):
        if not _continues(octets[following]):
            return NO_UTF8
        code = code << 6 | np.int64(octets[following]) & 0x3F
    is_surrogate = 0xD800 <= code < 0xE000
    if code < least or code > 0x10FFFF or is_surrogate:
        return NO_UTF8
    return code


@kernel
def write_rejections(
    octets: NDArray[Any],
    offsets: NDArray[Any],
    texts: NDArray[Any],
    places: NDArray[Any],
    following: NDArray[Any],
    start: int,
    states: NDArray[Any],
    errors: NDArray[Any],
) -> None:
    """Write the state before the error of each of `texts` to `states`, and what is there to `errors`.

    `places` are in bytes. An error is the code point of a character, END, or NO_UTF8.
    """
    octet_bits = np.uintp(8)
    for number in range(len(texts)):
        begin = np.uintp(offsets[texts[number]])
        end = np.uintp(offsets[texts[number] + 1])
        wrong = begin + np.uintp(places[number])
        state = np.uintp(start)
        for position in range(begin, wrong):
            state = np.uintp(following[(state << octet_bits) | np.uintp(octets[position])])
        states[number] = state
        errors[number] = _code_point(octets, wrong, end) if wrong < end else END


@kernel
def _write_bounds(text: int, final: Any, slots: NDArray[Any], bounds: NDArray[Any]) -> None:
    """Write the bounds of the components of one text, and reset its slots.

    `final` has the three numbers of each component for the last state, as in `split_texts`.
    """
    for number in range(len(final) // 3):
        begin = end = INVALID
        if final[0] != 0:
            begin = end = slots[final[3 * number + 2]]
            if end >= 0:
                begin = slots[final[3 * number]] + final[3 * number + 1]
        bounds[2 * number, text] = begin
        bounds[2 * number + 1, text] = end
    slots[:] = ABSENT


@kernel
def split_texts(  # noqa: C901 - calls in this loop would cost what it gains
    octets: NDArray[Any],
    offsets: NDArray[Any],
    first: int,
    last: int,
    following: NDArray[Any],
    starts: NDArray[Any],
    finals: NDArray[Any],
    slots: NDArray[Any],
    bounds: NDArray[Any],
) -> None:
    """Write begin and end of each component of the texts from `first` up to, but excluding, `last`.

    The bounds go to `bounds[:, text]`. `starts` holds one start state per text, or one for all texts.
    `finals` holds three numbers per state and component: the slot of its begin, a number to add to it, and
    the slot of its end, which holds -1 if the component is absent. All three are 0 if no valid text ends in
    the state. `slots` has one row, filled with -1, for each of the LANES texts. Slot 1 receives the length of
    the text.
    """
    position = np.zeros(LANES, np.uintp)
    end = np.zeros(LANES, np.uintp)
    begin = np.zeros(LANES, np.uintp)
    entry = np.zeros(LANES, np.uintp)
    text = np.full(LANES, -1)
    octet_bits = np.uintp(8)
    # an entry is the next state, shifted by a byte, and the slot that receives the position
    slot_bits = np.uintp(255)
    state_bits = ~np.uintp(255)
    slots0, slots1, slots2, slots3 = slots[0], slots[1], slots[2], slots[3]
    waiting = first
    drained = False
    while True:
        steps = np.uintp(np.iinfo(np.int64).max)
        for lane in range(LANES):
            while position[lane] == end[lane]:
                if text[lane] >= 0:
                    slots[lane, 1] = end[lane] - begin[lane]
                    _write_bounds(text[lane], finals[entry[lane] >> octet_bits], slots[lane], bounds)
                if waiting == last:
                    text[lane] = -1
                    drained = True
                    break
                text[lane] = waiting
                entry[lane] = np.uintp(starts[waiting if len(starts) > 1 else 0]) << octet_bits
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
            e0 = np.uintp(following[(e0 & state_bits) | np.uintp(octets[p0 + step])])
            e1 = np.uintp(following[(e1 & state_bits) | np.uintp(octets[p1 + step])])
            e2 = np.uintp(following[(e2 & state_bits) | np.uintp(octets[p2 + step])])
            e3 = np.uintp(following[(e3 & state_bits) | np.uintp(octets[p3 + step])])
            slots0[e0 & slot_bits] = b0 + step
            slots1[e1 & slot_bits] = b1 + step
            slots2[e2 & slot_bits] = b2 + step
            slots3[e3 & slot_bits] = b3 + step
        entry[0], entry[1], entry[2], entry[3] = e0, e1, e2, e3
        for lane in range(LANES):
            position[lane] += steps
    for lane in range(LANES):
        if text[lane] >= 0:
            e0 = entry[lane]
            b0 = begin[lane]
            for p0 in range(position[lane], end[lane]):
                e0 = np.uintp(following[(e0 & state_bits) | np.uintp(octets[p0])])
                slots[lane, e0 & slot_bits] = p0 - b0
            slots[lane, 1] = end[lane] - b0
            _write_bounds(text[lane], finals[e0 >> octet_bits], slots[lane], bounds)


@kernel
def copy_spans(
    octets: NDArray[Any],
    offsets: NDArray[Any],
    begins: NDArray[Any],
    targets: NDArray[Any],
    copied: NDArray[Any],
) -> None:
    """Copy a span of each text to `copied`.

    `begins` contains the begin of each span in its text. `targets` contains the offset of each span in
    `copied`, and finally the end of the last span.
    """
    for number in range(len(begins)):
        source = offsets[number] + begins[number]
        target = targets[number]
        for position in range(targets[number + 1] - target):
            copied[target + position] = octets[source + position]


@kernel
def write_starting_states(
    octets: NDArray[Any],
    offsets: NDArray[Any],
    following: NDArray[Any],
    start: int,
    tables: NDArray[Any],
    default: int,
    starts: NDArray[Any],
) -> None:
    """Write the start state of each text to `starts`.

    `following` reads the text up to its first colon. If `tables` contains a number other than 0 for a state
    that is reached, the scheme is known, and the start state is this number. Otherwise, it is `default`.
    """
    octet_bits = np.uintp(8)
    for number in range(len(starts)):
        state = np.uintp(start)
        starts[number] = default
        for position in range(offsets[number], offsets[number + 1]):
            state = np.uintp(following[(state << octet_bits) | np.uintp(octets[position])])
            if state == 0:
                break
            if tables[state] != 0:
                starts[number] = tables[state]
                break
