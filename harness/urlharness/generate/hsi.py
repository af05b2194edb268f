"""Complete test suites: state cover, separating families, HSI."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from urloracle.automata.dfa import ASCII, SINK, Automaton

# -------------------- generate.alphabet: Which characters a suite is written in: one for each class, or every one of them.


#: Readable characters first: of a class its first one here is written.
_READABLE = f"{string.ascii_lowercase}{string.digits}{string.ascii_uppercase}"


ORDER = "".join(sorted(ASCII, key=lambda char: (char not in _READABLE, not "!" <= char <= "~", char)))
ORDER = _READABLE + ORDER[len(_READABLE) :]


#: Characters beyond ASCII that a program takes for one of ASCII when it folds case, asks whether something
#: is a letter or a digit, normalizes, cuts to eight bits, or strips what it cannot see.
BEYOND = (
    "\x80\x85\xa0\xad"  # controls, a blank and a hyphen of Latin-1
    "\xaa\xdf\xe9\xff"  # letters of Latin-1
    "\u0130\u0131\u017f\u212a"  # letters that fold to i, s and k
    "\u012f\u013a\u0140"  # / : and @ when cut to eight bits
    "\u0660\u0966\uff10"  # digits
    "\u2024\u3002\uff0e"  # dots
    "\uff0f\uff1a\uff1f\uff03\uff20\uff05\uff21"  # full width / : ? # @ % A
    "\u200d\u2028\ufeff\ufffd"  # unseen, a line's end, a byte order mark, a replacement
    "\U0001d7ce\U0010ffff"  # a digit and the last of all
)


#: Octets above 127, each by itself no UTF-8, as `surrogateescape` writes them.
OCTETS = "".join(map(chr, range(0xDC80, 0xDD00)))


#: All of ASCII, the characters beyond, and the octets.
EVERY = ORDER + BEYOND + OCTETS


def representatives(automaton: Automaton) -> str:
    """One character of each class, in the order of `ORDER`; classes with the same column are one."""
    columns = list(zip(*automaton.table, strict=True))
    unknown = (SINK,) * len(automaton.table)
    found: dict[tuple[int, ...], str] = {}
    for char in ORDER:
        number = automaton.classes.get(char)
        found.setdefault(unknown if number is None else columns[number], char)
    return "".join(found.values())


def rows(automaton: Automaton, alphabet: Iterable[str]) -> list[dict[str, int]]:
    """For each state the next state by character of the alphabet; SINK for what no member has."""
    places = [(char, automaton.classes.get(char)) for char in alphabet]
    return [
        {char: SINK if number is None else row[number] for char, number in places} for row in automaton.table
    ]


# -------------------- generate.separation: Words that tell states apart: harmonised separating families from a splitting tree.


#: For each state its separating words, shortest first.
Families = tuple[tuple[str, ...], ...]


_States = frozenset[int]


class NotMinimal(ValueError):
    """An automaton with two states that no word tells apart."""


def separating_families(automaton: Automaton) -> Families:
    """The separating families of a minimal automaton; raises NotMinimal."""
    following = rows(automaton, representatives(automaton))
    everything = frozenset(range(len(following)))
    accepting = frozenset(automaton.accepting)
    families, left = _families(following, [accepting, everything - accepting])
    if left:
        raise NotMinimal(f"no word tells the states {sorted(left)} apart")
    return families


def families_of(following: Sequence[Mapping[str, int]], outputs: Sequence[_States]) -> Families:
    """The separating families of a machine whose states show one of several outputs, and not only a verdict.

    `outputs` are the states that show the same.  States that no word tells apart are left together.
    """
    return _families(following, list(outputs))[0]


def _families(
    following: Sequence[Mapping[str, int]], blocks: list[_States]
) -> tuple[Families, _States | None]:
    """The families that refine the blocks, which the empty word tells apart; and states left together."""
    words = _separating_words(blocks, following)
    left: _States | None = None
    # a transition into a state costs a word for each of its family: what is reached often is told apart early
    weights = Counter(target for row in following for target in row.values())
    families: list[list[str]] = [[""] for _ in following]
    while blocks:
        block = blocks.pop()
        if len(block) < 2:
            continue
        best = _best(block, words, weights)
        if best is None:
            left = block
            continue
        word, part = best
        for state in block:
            families[state].append(word)
        blocks += [part, block - part]
    return tuple(tuple(sorted(family, key=lambda word: (len(word), word))) for family in families), left


def _separating_words(
    outputs: Sequence[_States], following: Sequence[Mapping[str, int]]
) -> list[tuple[str, _States]]:
    """Words enough to tell all states apart that can be, and the states from which each shows one output.

    They are the shortest ones, and those with one character before them, which gives the tree a choice.
    """
    blocks = [block for block in outputs if block]
    found = dict.fromkeys(blocks[: len(blocks) - (len(blocks) == 2)], "")  # of two the one says the other
    queue = list(found)
    for accepted in queue:
        for char in following[0]:
            before = _before(accepted, char, following)
            divided = [part for block in blocks for part in (block & before, block - before) if part]
            if len(divided) > len(blocks):
                blocks = divided
                found[before] = char + found[accepted]
                queue.append(before)
    for accepted, word in list(found.items()):
        for char in following[0]:
            found.setdefault(_before(accepted, char, following), char + word)
    return [(word, accepted) for accepted, word in found.items()]


def _before(accepted: _States, char: str, following: Sequence[Mapping[str, int]]) -> _States:
    """The states from which a character leads to one of those."""
    return frozenset(state for state, row in enumerate(following) if row[char] in accepted)


def _best(
    block: _States, words: Sequence[tuple[str, _States]], weights: Mapping[int, int]
) -> tuple[str, _States] | None:
    """The word that divides a block best, and its states from which it is accepted; None for no word."""

    def cost(part: _States) -> int:
        return len(part) * sum(weights[state] + 1 for state in part)

    candidates = ((word, block & accepted) for word, accepted in words)
    parts = [(word, part) for word, part in candidates if 0 < len(part) < len(block)]
    return min(parts, default=None, key=lambda found: cost(found[1]) + cost(block - found[1]))


# -------------------- generate.suites: Complete test suites of an automaton: the HSI method, a state cover extended by separating families.


def state_cover(automaton: Automaton) -> Mapping[int, str]:
    """For each state, the sink included, a shortest word that leads to it, by breadth-first search."""
    following = rows(automaton, representatives(automaton))
    words = {automaton.start: ""}
    queue = [automaton.start]
    for state in queue:
        for char, target in following[state].items():
            if target not in words:
                words[target] = words[state] + char
                queue.append(target)
    return words


def suite(
    automaton: Automaton, k: int = 0, *, alphabet: str | None = None, families: Families | None = None
) -> Iterator[str]:
    """The words of the suite of a minimal automaton with `k` extra states; each once, in a fixed order.

    `alphabet` are the characters of transitions, one of each class by default; it has to contain those.
    `families` replaces the separating families, for those who test what a poor choice misses.  Nothing is
    kept of the words already given.  Raises NotMinimal for an automaton that is not.
    """
    if families is None:
        families = separating_families(automaton)
    following = rows(automaton, alphabet or representatives(automaton))
    cover = state_cover(automaton)
    inner = set(cover.values())
    rests = [_rests(family) for family in families]
    for state, access in cover.items():
        path = [automaton.start]
        for char in access:
            path.append(following[path[-1]][char])
        assert path[-1] == state
        pending = [(access, tuple(path), k + 1)]
        while pending:
            word, states, more = pending.pop()
            given = _given(word, states, rests)
            for end in families[states[-1]]:
                if end not in given:
                    yield word + end
            if more:
                pending += [
                    (longer, (*states, target), more - 1)
                    for char, target in reversed(following[states[-1]].items())
                    if (longer := word + char) not in inner
                ]


def _rests(family: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """By each beginning of a word of the family what may follow it; the empty beginning is left out."""
    found: dict[str, set[str]] = {}
    for word in family:
        for cut in range(1, len(word) + 1):
            found.setdefault(word[:cut], set()).add(word[cut:])
    return {begin: frozenset(ends) for begin, ends in found.items()}


def _given(word: str, states: Sequence[int], rests: Sequence[Mapping[str, frozenset[str]]]) -> frozenset[str]:
    """The ends with which the word has been given before: by a prefix and a word of that prefix's family.

    Every prefix of what a suite extends is extended itself, so a look at the families is enough.
    """
    given: frozenset[str] = frozenset()
    for cut in range(len(word)):
        ends = rests[states[cut]].get(word[cut:])
        if ends is not None:
            given |= ends
    return given
