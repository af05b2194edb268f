"""Two automata compared exactly: equal, or a shortest text on which they differ."""

from __future__ import annotations

from urloracle.automaton import ASCII, SINK, Automaton

#: The order in which characters stand for their class in a witness: letters first, then what is readable.
ORDER = sorted(ASCII, key=lambda c: (not c.islower(), not c.isalnum(), not c.isprintable() or c == " ", c))


def shortest_difference(left: Automaton, right: Automaton) -> str | None:
    """A shortest text that one automaton accepts and the other does not; None where they are equal."""
    kinds: dict[tuple[int, int], str] = {}
    for char in ORDER:
        pair = (left.classes.get(char, -1), right.classes.get(char, -1))
        if pair != (-1, -1):
            kinds.setdefault(pair, char)
    letters = [(one, other, char) for (one, other), char in kinds.items()]
    start = (left.start, right.start)
    came: dict[tuple[int, int], tuple[tuple[int, int], str]] = {}
    seen, queue = {start}, [start]
    for pair in queue:
        if (pair[0] in left.accepting) != (pair[1] in right.accepting):
            return _word(pair, start, came)
        first, second = left.table[pair[0]], right.table[pair[1]]
        for one, other, char in letters:
            after = (first[one] if one >= 0 else SINK, second[other] if other >= 0 else SINK)
            if after not in seen:
                seen.add(after)
                came[after] = (pair, char)
                queue.append(after)
    return None


def _word(
    pair: tuple[int, int],
    start: tuple[int, int],
    came: dict[tuple[int, int], tuple[tuple[int, int], str]],
) -> str:
    letters = []
    while pair != start:
        pair, char = came[pair]
        letters.append(char)
    return "".join(reversed(letters))
