"""The engine answers as the oracle does: on the whole corpus, on every transition, and its components."""

from __future__ import annotations

from itertools import chain
from random import Random

import pyarrow as pa
import pytest

from urlharness.batch import Engine
from urlharness.batch.tables import dfa_table
from urloracle.rfcs import SPECIFICATIONS

from ...harness.batch.test_engine import components_of  # noqa: TID252 - tests are not an installed package
from ...harness.batch.test_kernels import kernel_offsets  # noqa: TID252 - tests are not an installed package
from .conftest import expected, transition_cover

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


def offset_of(problem):
    """Return the offset of a problem as the engine gives it: -1 for a valid text."""
    return -1 if problem is None else problem.position


def test_the_engine_gives_the_offsets_of_the_oracle_in_the_corpus(questions):
    """Under the rule and profile of each vector."""
    for (spec, rule, profile), texts in questions.items():
        offsets = Engine(spec, rule, profile).offsets(pa.array(texts)).to_pylist()
        for text, offset in zip(texts, offsets, strict=True):
            assert offset == offset_of(SPECIFICATIONS[spec].problem(text, rule, profile)), text


def test_the_engine_gives_the_verdicts_of_the_oracle_in_the_corpus(questions):
    """Under the rule and profile of each vector."""
    for (spec, rule, profile), texts in questions.items():
        verdicts = Engine(spec, rule, profile).accepts(pa.array(texts)).to_pylist()
        for text, verdict in zip(texts, verdicts, strict=True):
            assert verdict == (SPECIFICATIONS[spec].problem(text, rule, profile) is None), text


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_the_engine_gives_the_offsets_of_the_automaton_in_the_corpus_under_every_rfc(questions, spec):
    """Texts of one RFC are near misses of the others."""
    texts = sorted(set(chain.from_iterable(questions.values())))
    specification = SPECIFICATIONS[spec]
    automaton = specification.automaton(specification.default_rule)
    offsets = Engine(spec).offsets(pa.array(texts)).to_pylist()
    for text, offset in zip(texts, offsets, strict=True):
        assert offset == expected(automaton, text), text


@pytest.mark.parametrize(("spec", "rule", "profile"), WHOLE)
class TestTransitions:
    """Each transition of an automaton, those to the sink included, decides about some word."""

    def test_the_engine_gives_the_offsets_of_the_automaton(self, spec, rule, profile):
        automaton = spec.automaton(rule or spec.default_rule, profile)
        words = list(transition_cover(automaton))
        assert len(words) >= len(automaton.table) - 1
        offsets = Engine(spec, rule, profile).offsets(pa.array(words)).to_pylist()
        assert offsets == [expected(automaton, word) for word in words]

    def test_the_engine_gives_the_verdicts_of_the_automaton(self, spec, rule, profile):
        automaton = spec.automaton(rule or spec.default_rule, profile)
        words = list(transition_cover(automaton))
        verdicts = Engine(spec, rule, profile).accepts(pa.array(words)).to_pylist()
        assert verdicts == [automaton.accepts(word) for word in words]


@pytest.mark.parametrize("spec", SPECIFICATIONS.values(), ids=str)
def test_every_rule_is_judged_as_by_the_automaton(spec):
    """All rules of the grammar, the shortest way into each transition of each."""
    for rule in spec.grammar.rules:
        automaton = spec.automaton(rule)
        words = list(transition_cover(automaton))
        assert Engine(spec, rule).offsets(pa.array(words)).to_pylist() == [
            expected(automaton, word) for word in words
        ], rule


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_planted_transitions_are_seen(spec):
    """Any one class of transitions led elsewhere: some word of the cover tells."""
    specification = SPECIFICATIONS[spec]
    random = Random(3986)
    automaton = specification.automaton(specification.default_rule)
    words = list(transition_cover(automaton))
    transitions = dfa_table(automaton)
    right = kernel_offsets(transitions, words)
    assert right == [expected(automaton, word) for word in words]
    rows = transitions.following.reshape(-1, 256)
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
            assert kernel_offsets(transitions._replace(following=faulty), words) != right
            continue
        # between two live states: the ending that tells them apart need not be the shortest one
        word = _telling(transitions, state, columns[0], elsewhere)
        assert kernel_offsets(transitions._replace(following=faulty), [word]) != kernel_offsets(
            transitions, [word]
        )


def _telling(transitions, state, byte, elsewhere):
    """A word through a transition, and on to where its target and another state differ."""
    rows = transitions.following.reshape(-1, 256)

    def shortest(start, distances):
        queue = [(start, "")]
        seen = {start}
        for at, word in queue:
            if distances(at):
                return word
            for char in range(128):
                to = tuple(rows[state, char] for state in at)
                if to not in seen:
                    seen.add(to)
                    queue.append((to, word + chr(char)))
        raise AssertionError("minimal states differ, and all are reached")

    # the way there avoids the transition itself, which a shortest way passes at its end only
    access = shortest((transitions.start,), lambda at: at == (state,))
    right = int(rows[state, byte])
    accepts = lambda state: state >= transitions.accepting  # noqa: E731
    ending = shortest((right, elsewhere), lambda at: accepts(at[0]) != accepts(at[1]))
    return access + chr(byte) + ending


RULES = [
    (spec, rule, profile)
    for spec, rule in (
        *((spec, None) for spec in SPECIFICATIONS),
        *(("rfc1738", rule) for rule in ("httpurl", "ftpurl", "newsurl", "prosperourl", "genericurl")),
        ("rfc1808", "relativeURL"),
        ("rfc2396", "absoluteURI"),
        ("rfc3986", "absolute-URI"),
    )
    for profile in (None, "generic", "prose")
    if rule is None or profile is None
]


@pytest.mark.parametrize(("spec", "rule", "profile"), RULES)
def test_components_are_those_of_the_oracle(spec, rule, profile, questions):
    """On the corpus and on every transition; a component of another scheme is absent."""
    specification = SPECIFICATIONS[spec]
    words = set(chain.from_iterable(questions.values()))
    words |= set(transition_cover(specification.automaton(rule or specification.default_rule, profile)))
    texts = sorted(words)[:: 5 if profile == "prose" else 1]  # the oracle takes its time there
    engine = Engine(spec, rule, profile)
    column = pa.array(texts)
    split = engine.split(column).to_pylist()
    spans = engine.spans(column).to_pylist()
    seen = 0
    for text, parts, bounds in zip(texts, split, spans, strict=True):
        expected_components = components_of(specification, rule, profile, text)
        if expected_components is None:
            assert parts is None, text
            assert bounds is None, text
            continue
        seen += 1
        assert present(parts) == present(expected_components), text
        assert {name: text_of_span(text, span) for name, span in bounds.items()} == parts, text
    assert seen > 10


def present(components):
    """Return the components that are not absent."""
    return {name: text for name, text in components.items() if text is not None}


def text_of_span(text, span):
    """Return the piece of a text that a span of the engine is; an absent component begins at -1."""
    return None if span["begin"] < 0 else text[span["begin"] : span["end"]]


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_split_and_verdict_agree(spec):
    """The split table decides as the automaton of the rule does, on every transition of it."""
    specification = SPECIFICATIONS[spec]
    engine = Engine(spec)
    column = pa.array(list(transition_cover(specification.automaton(specification.default_rule))))
    assert engine.split(column).is_valid().equals(engine.accepts(column))
