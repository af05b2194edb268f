"""The HSI method: complete test suites of a minimal automaton, from state cover and separating families.

A suite is complete for `k` extra states if every automaton with at most that many states more than the given
one either accepts the same words, or differs on a text of the suite. The suite is built from harmonised state
identifiers (HSI):

1. a state cover: a shortest word to each state (the access words);
2. after each access word, every text of up to `k` + 1 characters, because each extra state can hide a fault
   one character further;
3. after each of these texts, the separating family of the state that the text should reach. Any two states
   have a common word in their families that one of them accepts and the other does not. A wrong state shows
   itself by it.

Texts that a shorter prefix already gave are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from urlharness.words.members import ALL_MEMBERS, OUTSIDE
from urlharness.words.paths import ORDER, characters_by_column
from urloracle.automata.dfa import SINK, Automaton
from urloracle.grammar.alphabet import FORMATTING, RANGES, stand_ins

#: Characters outside ASCII that a program may turn into ASCII or accept as ASCII: when it folds case, tests
#: for letters or digits, normalizes, truncates to eight bits, or strips invisible characters.
BEYOND_ASCII = (
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
ALL_BYTES = "".join(map(chr, range(0xDC80, 0xDD00)))
EVERY = ORDER + BEYOND_ASCII + ALL_BYTES
#: The second character of each range beyond ASCII, but not of those of formatting characters (R-3987-06).
SECOND_OF_RANGE = "".join(chr(span.first + 1) for span in RANGES if chr(span.first) not in FORMATTING)
#: The same for rules that have ranges beyond ASCII: also characters inside, at the ends and just outside.
EVERY_BEYOND = "".join(dict.fromkeys(EVERY + ALL_MEMBERS + SECOND_OF_RANGE + OUTSIDE))

#: By state: the words that separate the state from the others, shortest first.
Families = tuple[tuple[str, ...], ...]
_States = frozenset[int]


class NotMinimal(ValueError):
    """The automaton has two states that no word separates."""


def every_character(automaton: Automaton) -> str:
    """Return all characters to try in each state if none is to stand for others."""
    return EVERY_BEYOND if automaton.reads_beyond_ascii else EVERY


def representatives(automaton: Automaton) -> str:
    """Return one character per class, in the order of `ORDER`.

    Classes with equal columns count as one class. So do all characters that no word contains.
    """
    groups = characters_by_column(automaton)
    return "".join(characters[0] for characters in groups.values())


def transition_rows(automaton: Automaton, alphabet: Iterable[str]) -> list[dict[str, int]]:
    """Return for each state a map from character to next state. Characters without a class lead to SINK."""
    kinds = {char: automaton.classes.get(stand_ins(char)) for char in alphabet}
    rows = []
    for row in automaton.table:
        targets = {char: SINK if kind is None else row[kind] for char, kind in kinds.items()}
        rows.append(targets)
    return rows


def separating_families(automaton: Automaton) -> Families:
    """Return the harmonised separating families. Raise NotMinimal if the automaton is not minimal."""
    rows = transition_rows(automaton, representatives(automaton))
    accepting = frozenset(automaton.accepting)
    rejecting = frozenset(range(len(rows))) - accepting
    return families_of(rows, [accepting, rejecting], minimal=True)


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
        division = _best_division(block, words, weights)
        if division is not None:
            word, part = division
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
    for state in queue:  # which grows in the loop
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
    families_by_state = separating_families(automaton) if families is None else families
    rows = transition_rows(automaton, alphabet or representatives(automaton))
    cover = state_cover(automaton)
    access_words = set(cover.values())
    continuations = [_continuations(family) for family in families_by_state]
    for access_word in cover.values():
        path = [automaton.start]
        for char in access_word:
            path.append(rows[path[-1]][char])
        # a word, the states along it, and how many characters may still follow; the last entry comes next
        stack = [(access_word, tuple(path), k + 1)]
        while stack:
            word, states, steps_left = stack.pop()
            repeated_ends = _repeated_ends(word, states, continuations)
            for end in families_by_state[states[-1]]:
                if end not in repeated_ends:
                    yield word + end
            if steps_left == 0:
                continue
            for char, target in reversed(rows[states[-1]].items()):
                if word + char not in access_words:  # an access word has its own turn
                    stack.append((word + char, (*states, target), steps_left - 1))


def _separating_words(
    outputs: Sequence[_States], rows: Sequence[Mapping[str, int]]
) -> list[tuple[str, _States]]:
    """Return the candidates for separating words, each with the states that accept it.

    A candidate is a shortest word that separates further states, or such a word after one more character.
    """
    blocks = [block for block in outputs if block]
    first_blocks = blocks[:1] if len(blocks) == 2 else blocks  # of two outputs, one is enough
    words = dict.fromkeys(first_blocks, "")
    queue = list(words)
    for accepting in queue:  # which grows in the loop
        for char in rows[0]:
            sources = _sources(accepting, char, rows)
            divided = _divided(blocks, sources)
            if len(divided) > len(blocks):
                blocks = divided
                words[sources] = char + words[accepting]
                queue.append(sources)
    for accepting, word in list(words.items()):
        for char in rows[0]:
            words.setdefault(_sources(accepting, char, rows), char + word)
    return [(word, accepting) for accepting, word in words.items()]


def _divided(blocks: Iterable[_States], states: _States) -> list[_States]:
    """Divide each block into the states that are among the given ones, and those that are not.

    Empty parts are left out.
    """
    parts = []
    for block in blocks:
        parts += [block & states, block - states]
    return [part for part in parts if part]


def _sources(targets: _States, char: str, rows: Sequence[Mapping[str, int]]) -> _States:
    """Return the states from which a character leads to one of the targets."""
    return frozenset(state for state, row in enumerate(rows) if row[char] in targets)


def _best_division(
    block: _States, words: Sequence[tuple[str, _States]], weights: Mapping[int, int]
) -> tuple[str, _States] | None:
    """Return the word that divides a block of states best, and the states of the block that accept it.

    Return None if no word divides the block.
    """

    def cost(part: _States) -> int:
        return len(part) * sum(weights[state] + 1 for state in part)

    def cost_of_division(division: tuple[str, _States]) -> int:
        _, part = division
        return cost(part) + cost(block - part)

    candidates = ((word, block & accepting) for word, accepting in words)
    divisions = [(word, part) for word, part in candidates if 0 < len(part) < len(block)]
    return min(divisions, default=None, key=cost_of_division)


def _continuations(family: Sequence[str]) -> Mapping[str, set[str]]:
    """Map each non-empty prefix of a word of the family to the set of its continuations."""
    continuations: dict[str, set[str]] = {}
    for word in family:
        for end in range(1, len(word) + 1):
            continuations.setdefault(word[:end], set()).add(word[end:])
    return continuations


def _repeated_ends(
    word: str, states: Sequence[int], continuations: Sequence[Mapping[str, set[str]]]
) -> set[str]:
    """Return the ends of those texts of the suite that begin with `word` and come from a shorter prefix.

    The suite appends to each prefix of `word` the family of the state after it. Some of these texts begin
    with `word`. `states` are the states after the prefixes, and `continuations` those of the families by
    state.
    """
    ends: set[str] = set()
    for length, state in enumerate(states[:-1]):
        ends |= continuations[state].get(word[length:], set())
    return ends
