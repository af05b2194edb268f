"""The HSI method: complete test suites of a minimal automaton, from state cover and separating families."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from urlharness.words.paths import ORDER
from urloracle.automata.dfa import SINK, Automaton

#: Characters outside ASCII that a program may turn into ASCII or accept as ASCII: when it folds case, tests
#: for letters or digits, normalizes, truncates to eight bits, or strips invisible characters.
BEYOND = (
    "\x80\x85\xa0\xad"  # controls, blank and hyphen of Latin-1
    "\xaa\xdf\xe9\xff"  # letters of Latin-1
    "\u0130\u0131\u017f\u212a"  # letters that fold to i, s and k
    "\u012f\u013a\u0140"  # / : and @ when truncated to eight bits
    "\u0660\u0966\uff10"  # digits
    "\u2024\u3002\uff0e"  # dots
    "\uff0f\uff1a\uff1f\uff03\uff20\uff05\uff21"  # full width / : ? # @ % A
    "\u200d\u2028\ufeff\ufffd"  # invisible, a line end, a byte order mark, a replacement
    "\U0001d7ce\U0010ffff"  # a digit and the last code point
)
#: The bytes above 127, each decoded by `surrogateescape`. A single one is not valid UTF-8.
BYTES = "".join(map(chr, range(0xDC80, 0xDD00)))
EVERY = ORDER + BEYOND + BYTES

#: By state: the words that separate the state from the others, shortest first.
Families = tuple[tuple[str, ...], ...]
_States = frozenset[int]


class NotMinimal(ValueError):
    """The automaton has two states that no word separates."""


def representatives(automaton: Automaton) -> str:
    """Return one character per class, in the order of `ORDER`.

    Classes with equal columns count as one class. So do all characters that no word contains.
    """
    columns = list(zip(*automaton.table, strict=True))
    dead = (SINK,) * len(automaton.table)
    found: dict[tuple[int, ...], str] = {}
    for char in ORDER:
        number = automaton.classes.get(char)
        found.setdefault(dead if number is None else columns[number], char)
    return "".join(found.values())


def transition_rows(automaton: Automaton, alphabet: Iterable[str]) -> list[dict[str, int]]:
    """Return for each state a map from character to next state. Characters without a class lead to SINK."""
    classes = [(char, automaton.classes.get(char)) for char in alphabet]
    return [
        {char: SINK if number is None else row[number] for char, number in classes} for row in automaton.table
    ]


def separating_families(automaton: Automaton) -> Families:
    """Return the harmonised separating families. Raise NotMinimal if the automaton is not minimal."""
    rows = transition_rows(automaton, representatives(automaton))
    accepting = frozenset(automaton.accepting)
    return families_of(rows, [accepting, frozenset(range(len(rows))) - accepting], minimal=True)


def families_of(
    rows: Sequence[Mapping[str, int]], outputs: Sequence[_States], *, minimal: bool = False
) -> Families:
    """Return the separating families of a machine with an output in each state.

    Each set in `outputs` contains the states that share an output. States that no word separates get equal
    families. If `minimal`, raise NotMinimal for such states instead.
    """
    words = _separating_words(outputs, rows)
    # the suite appends the whole family to each transition into a state, so frequent targets come first
    weights = Counter(target for row in rows for target in row.values())
    families: list[list[str]] = [[""] for _ in rows]
    blocks = list(outputs)
    while blocks:
        block = blocks.pop()
        best = _best_division(block, words, weights)
        if best is not None:
            word, part = best
            for state in block:
                families[state].append(word)
            blocks += [part, block - part]
        elif minimal and len(block) > 1:
            raise NotMinimal(f"no word separates the states {sorted(block)}")
    return tuple(tuple(sorted(family, key=lambda word: (len(word), word))) for family in families)


def state_cover(automaton: Automaton) -> Mapping[int, str]:
    """Map each state, including the sink, to a shortest word that leads to it."""
    rows = transition_rows(automaton, representatives(automaton))
    words = {automaton.start: ""}
    queue = [automaton.start]
    for state in queue:
        for char, target in rows[state].items():
            if target not in words:
                words[target] = words[state] + char
                queue.append(target)
    return words


def hsi_suite(
    automaton: Automaton, k: int = 0, *, alphabet: str | None = None, families: Families | None = None
) -> Iterator[str]:
    """Yield the words of the suite that detects up to `k` extra states, each once, in a fixed order.

    `alphabet` contains the characters to try in each state. It must contain the characters of
    `representatives`, which are also the default. `families` replaces the separating families, for tests.
    Raise NotMinimal if the automaton is not minimal.
    """
    if families is None:
        families = separating_families(automaton)
    rows = transition_rows(automaton, alphabet or representatives(automaton))
    cover = state_cover(automaton)
    inner = set(cover.values())
    rests = [_rests(family) for family in families]
    for access in cover.values():
        path = [automaton.start]
        for char in access:
            path.append(rows[path[-1]][char])
        pending = [(access, tuple(path), k + 1)]
        while pending:
            word, states, more = pending.pop()
            given = _given_ends(word, states, rests)
            for end in families[states[-1]]:
                if end not in given:
                    yield word + end
            if more:
                pending += [
                    (longer, (*states, target), more - 1)
                    for char, target in reversed(rows[states[-1]].items())
                    if (longer := word + char) not in inner
                ]


def _separating_words(
    outputs: Sequence[_States], rows: Sequence[Mapping[str, int]]
) -> list[tuple[str, _States]]:
    """Return the candidates for separating words, each with the states that accept it.

    A candidate is a shortest word that separates further states, or such a word after one more character.
    """
    blocks = [block for block in outputs if block]
    found = dict.fromkeys(blocks[: len(blocks) - (len(blocks) == 2)], "")  # of two outputs, one is enough
    queue = list(found)
    for accepted in queue:
        for char in rows[0]:
            before = _before(accepted, char, rows)
            divided = [part for block in blocks for part in (block & before, block - before) if part]
            if len(divided) > len(blocks):
                blocks = divided
                found[before] = char + found[accepted]
                queue.append(before)
    for accepted, word in list(found.items()):
        for char in rows[0]:
            found.setdefault(_before(accepted, char, rows), char + word)
    return [(word, accepted) for accepted, word in found.items()]


def _before(accepted: _States, char: str, rows: Sequence[Mapping[str, int]]) -> _States:
    """Return the states from which `char` leads to a state in `accepted`."""
    return frozenset(state for state, row in enumerate(rows) if row[char] in accepted)


def _best_division(
    block: _States, words: Sequence[tuple[str, _States]], weights: Mapping[int, int]
) -> tuple[str, _States] | None:
    """Return the word that divides a block of states best, and the states of the block that accept it.

    Return None if no word divides the block.
    """

    def cost(part: _States) -> int:
        return len(part) * sum(weights[state] + 1 for state in part)

    candidates = ((word, block & accepted) for word, accepted in words)
    parts = [(word, part) for word, part in candidates if 0 < len(part) < len(block)]
    return min(parts, default=None, key=lambda found: cost(found[1]) + cost(block - found[1]))


def _rests(family: Sequence[str]) -> Mapping[str, set[str]]:
    """Map each non-empty prefix of a word of the family to the set of its continuations."""
    found: dict[str, set[str]] = {}
    for word in family:
        for cut in range(1, len(word) + 1):
            found.setdefault(word[:cut], set()).add(word[cut:])
    return found


def _given_ends(word: str, states: Sequence[int], rests: Sequence[Mapping[str, set[str]]]) -> set[str]:
    """Return the ends of those texts of the suite that begin with `word` and come from a shorter prefix.

    The suite appends to each prefix of `word` the family of the state after it. Some of these texts begin
    with `word`. `states` are the states after the prefixes, and `rests` the results of `_rests` by state.
    """
    given = [ends for cut in range(len(word)) if (ends := rests[states[cut]].get(word[cut:]))]
    return set().union(*given)
