"""Texts at the boundaries of a language: lengths, numbers, empty components.

Not every text is a word. Callers must ask the automaton whether it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlharness.words.paths import Paths
from urloracle.automata.dfa import SINK, Automaton

#: Numbers at the limits of integer types and fields, and spellings that parsers read differently.
NUMBERS = (
    "", "0", "00", "1", "01", "9", "10", "99", "100", "127", "128", "199", "200", "249", "250", "255", "256",
    "260", "300", "999", "0255", "1023", "1024", "32767", "32768", "65535", "65536", "065535", "99999",
    "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
    "18446744073709551615", "18446744073709551616", "0x7f", "ffff", "10000", "fffff",
)  # fmt: skip

#: Lengths at the limits of buffers and fields: labels and names of hosts, lines, 16-bit lengths.
LENGTHS = (
    0,
    1,
    2,
    3,
    63,
    64,
    65,
    127,
    128,
    253,
    254,
    255,
    256,
    257,
    1023,
    1024,
    1025,
    2047,
    2048,
    2083,
    4095,
    4096,
    8190,
    8192,
    65534,
    65535,
    65536,
)

#: Characters between components, in any of the RFCs.
DELIMITERS = ":/?#[]@;=&."


def boundary_texts(automaton: Automaton, longest: int) -> Iterator[str]:
    """Yield texts of at most `longest` characters, each once: empty components, numbers, then lengths."""
    paths = Paths(automaton)
    seen = set()
    groups = (
        texts_with_empty_components(paths),
        texts_with_numbers(paths),
        texts_of_boundary_lengths(paths, longest),
    )
    for texts in groups:
        for text in texts:
            if len(text) <= longest and text not in seen:
                seen.add(text)
                yield text


def texts_with_empty_components(paths: Paths) -> Iterator[str]:
    """Yield words that end with a delimiter or contain two in a row, and the empty word if it is one.

    A word can come several times.
    """
    if paths.automaton.start in paths.automaton.accepting:
        yield ""
    for state, prefix in paths.prefixes.items():
        for first in DELIMITERS:
            state_after_first = paths.follow(state, first)
            if state_after_first not in paths.prefixes:
                continue
            if state_after_first in paths.automaton.accepting:
                yield prefix + first
            for second in DELIMITERS:
                state_after_second = paths.follow(state_after_first, second)
                if state_after_second in paths.prefixes:
                    yield prefix + first + second + paths.suffixes[state_after_second]


def texts_with_numbers(paths: Paths) -> Iterator[str]:
    """Yield texts with each of NUMBERS wherever a number can begin.

    If some characters of the number do not fit, the text continues as if they were missing.
    """
    for state, prefix in paths.prefixes.items():
        allows_a_digit = paths.follow(state, "0") != SINK or paths.follow(state, "1") != SINK
        if prefix[-1:].isalnum() or not allows_a_digit:
            continue
        for number in NUMBERS:
            end = _state_after_fitting(paths, state, number)
            yield prefix + number + paths.suffixes.get(end, "")


def _state_after_fitting(paths: Paths, state: int, number: str) -> int:
    """Return the state after those characters of a number that fit."""
    reached = state
    for char in number:
        following = paths.follow(reached, char)
        if following != SINK:
            reached = following
    return reached


def texts_of_boundary_lengths(paths: Paths, longest: int) -> Iterator[str]:
    """Yield words with a repeated part, so that the part or the whole word has a length from LENGTHS.

    The length is a little smaller if it is no multiple of that of the part.
    """
    for state, prefix in paths.prefixes.items():
        cycle = _shortest_cycle(paths, state)
        if cycle is None:
            continue
        suffix = paths.suffixes[state]
        length_of_others = len(prefix) + len(suffix)
        for length in LENGTHS:
            if length_of_others + length <= longest:
                yield prefix + cycle * (length // len(cycle)) + suffix
            if length_of_others <= length <= longest:
                repeated_length = length - length_of_others
                yield prefix + cycle * (repeated_length // len(cycle)) + suffix


def _shortest_cycle(paths: Paths, state: int) -> str | None:
    """Return a shortest text that leads from a state back to it, or None if there is none."""
    # in reverse order, so that the first character that leads to a target counts
    texts = {target: char for char, target in reversed(paths.steps[state].items())}
    queue = list(texts)
    for reached in queue:  # which grows in the loop
        if reached == state:
            return texts[reached]
        for char, target in paths.steps[reached].items():
            if target not in texts:
                texts[target] = texts[reached] + char
                queue.append(target)
    return None
