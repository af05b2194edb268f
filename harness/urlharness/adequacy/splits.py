"""Two split tables compared exactly: equal, or a shortest text that they split in two ways.

Both tables read one text at a time.  What matters of the positions in their slots is which of them are the
same, and which are neighbours, since a beginning may be noted one character early; so a state of the
comparison is a state of each table and that pattern, and there are finitely many.
"""

from __future__ import annotations

from typing import NamedTuple

from urlharness.adequacy.comparing import ORDER
from urloracle.automaton import SINK, Automaton
from urloracle.transducer import END, SplitTable


class _Pattern(NamedTuple):
    """The block of each slot of both tables; blocks of one position each, numbered as they first occur.

    `absent` is the block of -1, `last` that of the character just read; `neighbours` are pairs of blocks the
    second of which is one position further on.
    """

    blocks: tuple[int, ...]
    absent: int
    last: int
    neighbours: frozenset[tuple[int, int]]


def split_difference(left: SplitTable, right: SplitTable) -> str | None:
    """A shortest text that one table splits and the other does not, or not so; None where there is none."""
    assert left.components == right.components
    letters: dict[tuple[int, int], str] = {}
    for char in ORDER:
        letters.setdefault((left.classes[ord(char)], right.classes[ord(char)]), char)
    slots = left.slots + right.slots
    before = _Pattern((0,) * slots, 0, 0, frozenset())  # -1 is one position before the first character
    start = (left.start, right.start, before)
    words = {start: ""}
    queue = [start]
    for state in queue:
        one, other, pattern = state
        if _differ(left, right, one, other, pattern):
            return words[state]
        for (first, second), char in letters.items():
            after_one, after_other = left.table[one][first], right.table[other][second]
            if after_one == SINK and after_other == SINK:
                continue
            stored = (left.stores[one][first], left.slots + right.stores[other][second])
            after = (after_one, after_other, _stored(pattern, stored, left.slots))
            if after not in words:
                words[after] = words[state] + char
                queue.append(after)
    return None


def _stored(pattern: _Pattern, stored: tuple[int, int], width: int) -> _Pattern:
    """The pattern after the position of the next character is put into a slot of each table."""
    new = max(*pattern.blocks, pattern.absent, pattern.last) + 1
    blocks = [new if slot in stored else block for slot, block in enumerate(pattern.blocks)]
    for slot in (0, END, width, width + END):  # what is discarded, and what is only known at the end
        blocks[slot] = new
    numbers: dict[int, int] = {}
    for block in (pattern.absent, new, *blocks):
        numbers.setdefault(block, len(numbers))
    pairs = {*pattern.neighbours, (pattern.last, new)}
    return _Pattern(
        tuple(numbers[block] for block in blocks),
        0,
        numbers[new],
        frozenset((numbers[a], numbers[b]) for a, b in pairs if a in numbers and b in numbers),
    )


def _differ(left: SplitTable, right: SplitTable, one: int, other: int, pattern: _Pattern) -> bool:
    first, second = left.finals[one], right.finals[other]
    if bool(first) != bool(second):
        return True
    ending = max(pattern.blocks) + 1  # the length: one position behind the last character
    neighbours = pattern.neighbours | {(pattern.last, ending)}

    def block(slot: int, width: int) -> int:
        return ending if slot == END else pattern.blocks[width + slot]

    for number in range(len(first) // 2):
        begin, end = (block(slot, 0) for slot in first[2 * number : 2 * number + 2])
        start, stop = (block(slot, left.slots) for slot in second[2 * number : 2 * number + 2])
        if (end == pattern.absent) != (stop == pattern.absent) or end != stop:
            return True
        if end == pattern.absent:
            continue
        match left.offsets[number] - right.offsets[number]:
            case 0:
                same = begin == start
            case 1:
                same = (begin, start) in neighbours
            case _:
                same = (start, begin) in neighbours
        if not same:
            return True
    return False


def verdicts(table: SplitTable) -> Automaton:
    """The automaton of the texts that a table splits."""
    classes = {chr(code): kind for code, kind in enumerate(table.classes[:128])}
    accepting = frozenset(state for state, final in enumerate(table.finals) if final)
    return Automaton(classes, table.table, table.start, accepting)


def canonical(table: SplitTable) -> tuple[object, ...]:
    """The table with states and slots numbered in the order in which texts come upon them.

    Tables that are equal so split every text alike; others may still, which `split_difference` decides.
    """
    states, queue = {SINK: 0, table.start: 1}, [table.start]
    slots: dict[int, int] = {0: 0, END: 1}
    rows: list[tuple[tuple[int, int], ...]] = []
    finals = []
    for state in queue:
        row = []
        for code in range(128):
            kind = table.classes[code]
            target = table.table[state][kind]
            if target == SINK:
                row.append((0, 0))
                continue
            if target not in states:
                states[target] = len(states)
                queue.append(target)
            slot = table.stores[state][kind]
            row.append((states[target], slots.setdefault(slot, len(slots))))
        rows.append(tuple(row))
        finals.append(tuple(slots.setdefault(slot, len(slots)) for slot in table.finals[state]))
    return table.components, tuple(rows), tuple(finals), table.offsets
