"""The engine answers as the oracle does: on the corpus, on every transition, on random octets."""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa
import pytest
from tests.conftest import expected, transition_cover

from urlharness.batch import Engine
from urlharness.batch.kernels import final_states, rejecting_offsets
from urlharness.batch.tables import table
from urloracle.rfcs import SPECIFICATIONS

pytestmark = pytest.mark.once

WHOLE = [
    pytest.param(spec, rule, profile, id=f"{spec.id}-{rule or 'default'}-{profile or 'default'}")
    for spec in SPECIFICATIONS.values()
    for rule, profile in (
        (None, None),
        (None, "generic"),
        (None, "scheme-specific"),
        (None, "prose"),
        *(((rule, None) for rule in ("httpurl", "otherurl", "hostport")) if spec.id == "rfc1738" else ()),
        *(((rule, None) for rule in ("IPv6address", "URI")) if spec.id == "rfc3986" else ()),
        *((("otherurl", "scheme-specific"),) if spec.id == "rfc1738" else ()),
    )
]


def test_corpus(questions):
    """Verdict and offset of every text of the corpus, under the rule and profile of its vector."""
    for (spec, rule, profile), texts in questions.items():
        engine, column = Engine(spec, rule, profile), pa.array(texts)
        problems = [SPECIFICATIONS[spec].problem(text, rule, profile) for text in texts]
        assert engine.offsets(column).to_pylist() == [
            -1 if problem is None else problem.position for problem in problems
        ], (spec, rule, profile)
        assert engine.accepts(column).to_pylist() == [problem is None for problem in problems]


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_corpus_under_every_specification(questions, spec):
    """Texts of one RFC are near misses of the others."""
    texts = sorted({text for some in questions.values() for text in some})
    chosen = SPECIFICATIONS[spec]
    automaton = chosen.automaton(chosen.default_rule)
    assert Engine(spec).offsets(pa.array(texts)).to_pylist() == [expected(automaton, t) for t in texts]


@pytest.mark.parametrize(("spec", "rule", "profile"), WHOLE)
def test_every_transition(spec, rule, profile):
    """Each transition of the automaton, those to the sink included, decides about some word."""
    automaton = spec.automaton(rule or spec.default_rule, profile)
    words = list(transition_cover(automaton))
    assert len(words) >= len(automaton.table) - 1
    wanted = [expected(automaton, word) for word in words]
    engine = Engine(spec, rule, profile)
    assert engine.offsets(pa.array(words)).to_pylist() == wanted
    assert engine.accepts(pa.array(words)).to_pylist() == [place < 0 for place in wanted]


@pytest.mark.parametrize("spec", SPECIFICATIONS.values(), ids=str)
def test_every_rule(spec):
    """All rules of the grammar, the shortest way into each transition of each."""
    for rule in spec.grammar.rules:
        automaton = spec.automaton(rule)
        words = list(transition_cover(automaton))
        assert Engine(spec, rule).offsets(pa.array(words)).to_pylist() == [
            expected(automaton, word) for word in words
        ], rule


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_random_octets(spec):
    """Octets of every value; what is no ASCII is in no URL (RFC 3986 section 2, and before)."""
    random, chosen = Random(1738), SPECIFICATIONS[spec]
    automaton = chosen.automaton(chosen.default_rule)
    octets = [random.randbytes(random.randrange(12)) for _ in range(20_000)]
    octets += [b"http://h/" + one for one in octets]
    texts = [one.decode("latin-1") for one in octets]
    wanted = [expected(automaton, text) for text in texts]
    assert Engine(spec).offsets(pa.array(octets, pa.binary())).to_pylist() == wanted


def _answers(made, words):
    """What the kernels say of words by a table."""
    octets = [word.encode() for word in words]
    data = np.frombuffer(b"".join(octets), np.uint8)
    offsets = np.cumsum([0, *map(len, octets)], dtype=np.int32)
    data.flags.writeable = offsets.flags.writeable = False
    states, places = np.empty(len(words), np.uint16), np.empty(len(words), np.int32)
    final_states(data, offsets, 0, len(words), made.following, made.start, states)
    rejecting_offsets(
        data, offsets, 0, len(words), made.following, made.start, made.accepting, states, places
    )
    return places.tolist()


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_planted_transitions_are_seen(spec):
    """Any one class of transitions led elsewhere: some word of the cover tells."""
    chosen, random = SPECIFICATIONS[spec], Random(3986)
    automaton = chosen.automaton(chosen.default_rule)
    words, made = list(transition_cover(automaton)), table(automaton)
    right = _answers(made, words)
    assert right == [expected(automaton, word) for word in words]
    rows = made.following.reshape(-1, 256)
    for _ in range(60):
        faulty = rows.copy()
        number = random.choice(sorted(automaton.classes.values()))
        columns = [ord(char) for char, of in automaton.classes.items() if of == number]
        state = random.randrange(1, len(rows))
        elsewhere = (int(rows[state, columns[0]]) + random.randrange(1, len(rows))) % len(rows)
        faulty[state, columns] = elsewhere
        faulty = faulty.reshape(-1)
        faulty.flags.writeable = False
        if elsewhere == 0 or rows[state, columns[0]] == 0:
            assert _answers(made._replace(following=faulty), words) != right
            continue
        # between two live states: the ending that tells them apart need not be the shortest one
        word = _telling(made, state, columns[0], elsewhere)
        assert _answers(made._replace(following=faulty), [word]) != _answers(made, [word])


def _telling(made, state, byte, elsewhere):
    """A word through a transition, and on to where its target and another state differ."""
    rows = made.following.reshape(-1, 256)

    def shortest(start, found):
        queue, seen = [(start, "")], {start}
        for at, word in queue:
            if found(at):
                return word
            for char in range(128):
                to = tuple(rows[one, char] for one in at)
                if to not in seen:
                    seen.add(to)
                    queue.append((to, word + chr(char)))
        raise AssertionError("minimal states differ, and all are reached")

    # the way there avoids the transition itself, which a shortest way passes at its end only
    access = shortest((made.start,), lambda at: at == (state,))
    right = int(rows[state, byte])
    accepts = lambda one: one >= made.accepting  # noqa: E731
    ending = shortest((right, elsewhere), lambda at: accepts(at[0]) != accepts(at[1]))
    return access + chr(byte) + ending


def test_a_planted_acceptance_is_seen():
    """A state that accepts too much, or too little."""
    chosen = SPECIFICATIONS["rfc3986"]
    automaton = chosen.automaton("URI-reference")
    words, made = list(transition_cover(automaton)), table(automaton)
    for shift in (-1, 1):
        assert _answers(made._replace(accepting=made.accepting + shift), words) != _answers(made, words)
