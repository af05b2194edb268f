"""Fixtures for the tests of the batch engine: texts of the corpus, and words that take every transition."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import pytest

from urlharness.corpus.specifications import SPECS
from urloracle.automata.dfa import SINK, Automaton
from urloracle.grammar.alphabet import span_of

pytest.importorskip("numba", reason="the extra `batch` is not installed", exc_type=ImportError)
pytest.importorskip("pyarrow", reason="the extra `batch` is not installed", exc_type=ImportError)

#: A blank stands for the characters of no text; of what is not ASCII one has two bytes, one has four.
OUTSIDE = (" ", "\x00", "\x7f", "\u00e9", "\U0001f600")


def transition_cover(automaton: Automaton) -> Iterator[str]:
    """For each state and class a shortest way there, a character of the class, and a way to a member.

    A letter beyond ASCII stands for a range, of which the words have the last character.
    """
    characters: dict[int, str] = {}  # one of each class
    ranges = []
    for letter, number in automaton.classes.items():
        character = chr(span_of(letter).last)
        characters.setdefault(number, character)
        if not letter.isascii():
            ranges.append((number, character))
    access = {automaton.start: ""}
    queue = deque([automaton.start])
    while queue:
        state = queue.popleft()
        for number, char in characters.items():
            following = automaton.table[state][number]
            if following != SINK and following not in access:
                access[following] = access[state] + char
                queue.append(following)
    endings = _endings(automaton, characters)
    for state, word in access.items():
        yield word
        for number, char in (*characters.items(), *ranges):
            yield word + char + endings.get(automaton.table[state][number], endings.get(state, ""))
        for char in OUTSIDE:
            yield word + char + endings.get(state, "")


def _endings(automaton: Automaton, characters: dict[int, str]) -> dict[int, str]:
    """Map each state to a shortest way to a member, by characters that stand for their classes."""
    endings = dict.fromkeys(automaton.accepting, "")
    queue = deque(sorted(endings))
    while queue:
        target = queue.popleft()
        for state, row in enumerate(automaton.table):
            if state not in endings:
                for number, following in enumerate(row):
                    if following == target:
                        endings[state] = characters[number] + endings[target]
                        queue.append(state)
                        break
    return endings


def expected(automaton: Automaton, text: str) -> int:
    """Return the offset at which a text goes wrong, -1 where it does not."""
    length, state = automaton.longest_viable_prefix(text)
    return -1 if length == len(text) and state in automaton.accepting else length


@pytest.fixture(scope="session")
def questions(corpus) -> dict[tuple, list[str]]:
    """Every text of the corpus that is judged or parsed, by specification, rule and profile."""
    by_rule: dict[tuple, list[str]] = {}
    for case in corpus.cases:
        vector = case.vector
        for text in (vector.url, vector.base, vector.reference):
            if isinstance(text, str):
                by_rule.setdefault((case.spec, vector.rule, vector.profile), []).append(text)
    assert {*SPECS} == {spec for spec, _, _ in by_rule}
    return by_rule
