"""The mapping of section 3.1 on the automata: what the rules of RFC 3987 become is what RFC 3986 derives.

Each rule of RFC 3987 that has a counterpart in RFC 3986 is compared with it, for all texts at once: every URI
is an IRI, the IRIs of ASCII are the URIs, and the URIs to which the IRIs map are the URIs.  So the verdicts
of RFC 3986 hold in RFC 3987 (R-3987-36).  The bytes of a range are found here, from its ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from urloracle.automata.dfa import SINK, Automaton, difference
from urloracle.grammar.alphabet import ASCII, span_of
from urloracle.grammar.expression import Alternation, Characters, Expression, Sequence
from urloracle.rfcs import RFC3986, RFC3987

from . import pattern_proofs

_DIGITS = "0123456789ABCDEF"
#: The rules that are not made of the same parts: a character beyond ASCII is no unreserved one in RFC 3986.
_WITHOUT_COUNTERPART = frozenset(("iunreserved", "ucschar", "iprivate"))


#: The rule that derives one character, and so no URI of a character of several bytes.
_OF_ONE_CHARACTER = "ipchar"


def counterpart(rule: str) -> str:
    """Return the name of the rule of RFC 3986 that a rule of RFC 3987 stands for."""
    return rule.replace("IRI", "URI") if "IRI" in rule else rule.removeprefix("i")


RULES = [
    rule
    for rule in RFC3987.grammar
    if (rule.startswith("i") or "IRI" in rule) and rule not in _WITHOUT_COUNTERPART
]


def byte_ranges(first: int, last: int) -> Iterator[list[tuple[int, int]]]:
    """Yield sequences of ranges of bytes; together they are the UTF-8 of the characters of a range.

    A range is cut until all of its characters have as many bytes, and each byte is independent of the others.
    """
    cut = _cut(first, last)
    if cut is None:
        yield list(zip(chr(first).encode(), chr(last).encode(), strict=True))
    else:
        yield from byte_ranges(first, cut - 1)
        yield from byte_ranges(cut, last)


def _cut(first: int, last: int) -> int | None:
    """Return where a range has to be cut, or None."""
    for longer in (0x80, 0x800, 0x10000):  # from here on, characters have a byte more
        if first < longer <= last:
            return longer
    for size in (64, 64**2, 64**3):  # the characters that have all but their last bytes in common
        if first // size != last // size:
            if first % size:
                return first - first % size + size
            if (last + 1) % size:
                return last - last % size
    return None


def triplets(low: int, high: int) -> Expression:
    """Return the expression of the triplets of a range of bytes."""
    by_first_digit: dict[str, str] = {}
    for byte in range(low, high + 1):
        first, second = f"{byte:02X}"
        by_first_digit[first] = by_first_digit.get(first, "") + second
    return Alternation(
        tuple(
            Sequence(tuple(Characters(frozenset(members)) for members in ("%", first, seconds)))
            for first, seconds in by_first_digit.items()
        )
    )


@cache
def encoded(letters: frozenset[str]) -> Automaton:
    """Return the automaton of the triplets of all characters that letters stand for."""
    alternatives = [
        Sequence(tuple(triplets(*span) for span in ranges))
        for letter in letters
        for ranges in byte_ranges(*span_of(letter))
    ]
    return pattern_proofs.automaton_of(Alternation(tuple(alternatives)))


class Place(NamedTuple):
    """A state of the automaton of IRIs; inside the triplets of a character, it is the state after them.

    `kind` is then the class of the character, and `inside` a state of the automaton of its triplets.
    """

    state: int
    kind: int | None = None
    inside: int = SINK


class Image:
    """The places that a text can have reached whose IRI is read by an automaton."""

    def __init__(self, iris: Automaton) -> None:
        self.iris = iris
        letters_by_kind: dict[int, set[str]] = {}
        for letter, kind in iris.classes.items():
            if not letter.isascii():
                letters_by_kind.setdefault(kind, set()).add(letter)
        self.beyond = {kind: encoded(frozenset(letters)) for kind, letters in letters_by_kind.items()}

    def moves(self, place: Place, char: str) -> Iterator[Place]:
        """Yield the places after a character of ASCII."""
        if place.kind is not None:
            yield from self._step(place, char)
            return
        row = self.iris.table[place.state]
        if char in self.iris.classes and row[self.iris.classes[char]] != SINK:
            yield Place(row[self.iris.classes[char]])
        for kind, automaton in self.beyond.items():
            if row[kind] != SINK:
                yield from self._step(Place(row[kind], kind, automaton.start), char)

    def _step(self, current: Place, char: str) -> Iterator[Place]:
        """Yield the place after a character inside triplets, if there is one."""
        assert current.kind is not None
        automaton = self.beyond[current.kind]
        if char not in automaton.classes:
            return
        reached = automaton.table[current.inside][automaton.classes[char]]
        if reached in automaton.accepting:  # the triplets of no character begin with those of another one
            yield Place(current.state)
        elif reached != SINK:
            yield current._replace(inside=reached)


def image(iris: Automaton) -> Automaton:
    """Return the automaton of the URIs to which the members of an automaton map."""
    places_after = Image(iris)
    start = frozenset({Place(iris.start)})
    numbers = {frozenset[Place](): SINK, start: 1}
    queue = list(numbers)
    table = []
    for places in queue:  # which grows in the loop
        row = []
        for char in ASCII:
            reached = frozenset(target for source in places for target in places_after.moves(source, char))
            if reached not in numbers:
                numbers[reached] = len(queue)
                queue.append(reached)
            row.append(numbers[reached])
        table.append(tuple(row))
    accepted = {Place(state) for state in iris.accepting}
    accepting = {number for places, number in numbers.items() if accepted & places}
    return Automaton({char: ord(char) for char in ASCII}, table, 1, frozenset(accepting))


def test_the_counterparts_of_the_rules_of_iris_are_the_rules_that_rfc3987_renames():
    """RFC 3987, section 2.2, has the other rules of RFC 3986 under their own names."""
    renamed_rules = set(RFC3986.grammar) - set(RFC3987.grammar)
    assert {counterpart(rule) for rule in RULES} == renamed_rules


@pytest.mark.parametrize("rule", RULES)
def test_every_uri_is_an_iri(rule):
    uris = RFC3986.automaton(counterpart(rule))
    assert difference(uris, RFC3987.automaton(rule)).shortest_member() is None


@pytest.mark.parametrize("rule", RULES)
def test_the_iris_of_ascii_are_the_uris(rule):
    iris = RFC3987.automaton(rule)
    classes = {char: kind for char, kind in iris.classes.items() if char.isascii()}
    iris_of_ascii = Automaton(classes, iris.table, iris.start, iris.accepting)
    assert pattern_proofs.same(iris_of_ascii, RFC3986.automaton(counterpart(rule)))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != _OF_ONE_CHARACTER])
def test_the_uris_of_the_iris_are_the_uris(rule):
    assert pattern_proofs.same(image(RFC3987.automaton(rule)), RFC3986.automaton(counterpart(rule)))


def test_a_character_of_two_bytes_maps_to_two_characters():
    longer = difference(image(RFC3987.automaton(_OF_ONE_CHARACTER)), RFC3986.automaton("pchar"))
    assert longer.accepts("%C3%A9")
    assert not longer.accepts("%C3")


#: A range, and its first, last or some other character beside the ranges of UTF-8.
EDGES = [
    pytest.param("\u00a0", "\u200d", id="two-and-three-bytes"),
    pytest.param("\uf900", "\ufdcf", id="three-bytes"),
    pytest.param("\U000f0000", "\U000ffffd", id="four-bytes"),
]


@pytest.mark.parametrize(("first", "last"), EDGES)
def test_a_range_has_the_triplets_of_its_characters_alone(first, last):
    triplets_of_range = encoded(frozenset(first))
    members = [first, chr(ord(first) + 1), chr((ord(first) + ord(last)) // 2), last]
    others = [chr(ord(first) - 1), chr(ord(last) + 1)]
    accepted = [char for char in members + others if triplets_of_range.accepts(as_triplets(char))]
    assert accepted == members


def as_triplets(char: str) -> str:
    """Return the triplets of a character in UTF-8."""
    return "".join(f"%{byte:02X}" for byte in char.encode())
