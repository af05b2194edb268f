"""The engine gives the answers of the oracle: in the corpus, and on every transition."""

from __future__ import annotations

from itertools import chain, product
from random import Random
from typing import NamedTuple

import pyarrow as pa
import pytest

from urlharness.batch import Engine
from urlharness.batch.tables import Table, dfa_table
from urlharness.corpus.specifications import SPECS, url_specs
from urloracle.rfcs import SPECIFICATIONS

from ...harness.batch.test_engine import components_of  # noqa: TID252 - tests are not an installed package
from ...harness.batch.test_kernels import kernel_offsets  # noqa: TID252 - tests are not an installed package
from .conftest import expected, transition_cover

#: Rules with automata of their own, besides the default rule, and the profile: None is that of the rule.
OTHER_RULES = {
    "rfc1738": (
        ("httpurl", None),
        ("otherurl", None),
        ("hostport", None),
        ("otherurl", "scheme-specific"),
    ),
    "rfc3986": (("IPv6address", None), ("URI", None)),
    "rfc3987": (("ihost", None), ("IRI", None)),
}


def parameter_of_automaton(spec, rule, profile):
    """Return the parameter of an automaton; the id says which."""
    return pytest.param(spec, rule, profile, id=f"{spec.id}-{rule or 'default'}-{profile or 'default'}")


def parameters_of_automata():
    """Yield the specification, the rule and the profile of each automaton whose transitions are covered."""
    for name in SPECS:
        spec = SPECIFICATIONS[name]
        for profile in (None, "generic", "scheme-specific", "prose"):
            yield parameter_of_automaton(spec, None, profile)
        for rule, profile in OTHER_RULES.get(name, ()):
            yield parameter_of_automaton(spec, rule, profile)


AUTOMATA = list(parameters_of_automata())


def offset_of(problem):
    """Return the offset of a problem as the engine gives it: -1 for a valid text."""
    return -1 if problem is None else problem.position


def test_the_engine_gives_the_offsets_of_the_oracle_in_the_corpus(questions):
    """A text is judged under the rule and profile of its vector."""
    for (spec, rule, profile), texts in questions.items():
        offsets = Engine(spec, rule, profile).offsets(pa.array(texts)).to_pylist()
        for text, offset in zip(texts, offsets, strict=True):
            assert offset == offset_of(SPECIFICATIONS[spec].problem(text, rule, profile)), text


def test_the_engine_gives_the_verdicts_of_the_oracle_in_the_corpus(questions):
    """A text is judged under the rule and profile of its vector."""
    for (spec, rule, profile), texts in questions.items():
        verdicts = Engine(spec, rule, profile).accepts(pa.array(texts)).to_pylist()
        for text, verdict in zip(texts, verdicts, strict=True):
            assert verdict == (SPECIFICATIONS[spec].problem(text, rule, profile) is None), text


@pytest.mark.sampled(4, keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_the_engine_gives_the_offsets_of_the_automaton_in_the_corpus_under_every_rfc(questions, spec):
    """Texts of one RFC are near misses of the others."""
    texts = sorted(set(chain.from_iterable(questions.values())))
    specification = SPECIFICATIONS[spec]
    automaton = specification.automaton(specification.default_rule)
    offsets = Engine(spec).offsets(pa.array(texts)).to_pylist()
    for text, offset in zip(texts, offsets, strict=True):
        assert offset == expected(automaton, text), text


@pytest.mark.parametrize(("spec", "rule", "profile"), AUTOMATA)
def test_the_engine_gives_the_offsets_of_the_automaton_on_every_transition(spec, rule, profile):
    """Each transition of an automaton, those to the sink included, decides about some word."""
    automaton = spec.automaton(rule or spec.default_rule, profile)
    words = list(transition_cover(automaton))
    assert len(words) >= len(automaton.table) - 1
    offsets = Engine(spec, rule, profile).offsets(pa.array(words)).to_pylist()
    assert offsets == [expected(automaton, word) for word in words]


@pytest.mark.parametrize(("spec", "rule", "profile"), AUTOMATA)
def test_the_engine_gives_the_verdicts_of_the_automaton_on_every_transition(spec, rule, profile):
    automaton = spec.automaton(rule or spec.default_rule, profile)
    words = list(transition_cover(automaton))
    verdicts = Engine(spec, rule, profile).accepts(pa.array(words)).to_pylist()
    assert verdicts == [automaton.accepts(word) for word in words]


@pytest.mark.sampled(4, keep="3986")
@pytest.mark.parametrize("spec", [SPECIFICATIONS[spec] for spec in SPECS], ids=str)
def test_the_engine_gives_the_offsets_of_the_automaton_of_every_rule(spec):
    """A shortest word goes through each transition of each rule of the grammar."""
    for rule in spec.grammar.rules:
        automaton = spec.automaton(rule)
        words = list(transition_cover(automaton))
        assert Engine(spec, rule).offsets(pa.array(words)).to_pylist() == [
            expected(automaton, word) for word in words
        ], rule


class PlantedTransition(NamedTuple):
    """A table in which the transitions of a state with a class of characters lead to another state."""

    transitions: Table
    state: int
    byte: int
    right: int
    wrong: int

    @property
    def is_between_live_states(self):
        """True if neither the right nor the wrong target is the sink."""
        return self.right != 0 and self.wrong != 0


def planted_transitions(automaton, count, seed):
    """Yield tables of an automaton with one fault each, drawn at random."""
    random = Random(seed)
    transitions = dfa_table(automaton)
    rows = transitions.following.reshape(-1, 256)
    for _ in range(count):
        kind = random.choice(sorted(automaton.classes.values()))
        columns = [ord(char) for char, kind_of_char in automaton.classes.items() if kind_of_char == kind]
        state = random.randrange(1, len(rows))
        right = int(rows[state, columns[0]])
        wrong = (right + random.randrange(1, len(rows))) % len(rows)
        faulty = rows.copy()
        faulty[state, columns] = wrong
        faulty = faulty.reshape(-1)
        faulty.flags.writeable = False
        yield PlantedTransition(transitions._replace(following=faulty), state, columns[0], right, wrong)


@pytest.mark.parametrize("spec", url_specs())
def test_some_word_of_the_cover_notices_a_wrong_transition_from_or_to_the_sink(spec):
    specification = SPECIFICATIONS[spec]
    automaton = specification.automaton(specification.default_rule)
    words = list(transition_cover(automaton))
    right_offsets = kernel_offsets(dfa_table(automaton), words)
    assert right_offsets == [expected(automaton, word) for word in words]
    faults = [fault for fault in planted_transitions(automaton, 60, 3986) if not fault.is_between_live_states]
    assert faults
    unnoticed = [fault for fault in faults if kernel_offsets(fault.transitions, words) == right_offsets]
    assert unnoticed == []


@pytest.mark.parametrize("spec", url_specs())
def test_a_wrong_transition_between_live_states_is_noticed_by_a_word_that_distinguishes_them(spec):
    """The ending of this word need not be the shortest one, which the cover has."""
    specification = SPECIFICATIONS[spec]
    automaton = specification.automaton(specification.default_rule)
    transitions = dfa_table(automaton)
    faults = [fault for fault in planted_transitions(automaton, 60, 3986) if fault.is_between_live_states]
    assert faults
    for fault in faults:
        words = [distinguishing_word(transitions, fault)]
        assert kernel_offsets(fault.transitions, words) != kernel_offsets(transitions, words), fault


def distinguishing_word(transitions, fault):
    """Return a word through a transition, and on to where its right and its wrong target differ."""
    # the way there avoids the transition itself, which a shortest way passes at its end only
    access = shortest_word(transitions, (transitions.start,), lambda states: states == (fault.state,))

    def differ(states):
        return len({state >= transitions.accepting for state in states}) > 1

    return access + chr(fault.byte) + shortest_word(transitions, (fault.right, fault.wrong), differ)


def shortest_word(transitions, start, is_end):
    """Return a shortest word that leads from states to others that meet a condition."""
    rows = transitions.following.reshape(-1, 256)
    queue = [(start, "")]
    seen = {start}
    for states, word in queue:
        if is_end(states):
            return word
        for char in range(128):
            targets = tuple(int(rows[state, char]) for state in states)
            if targets not in seen:
                seen.add(targets)
                queue.append((targets, word + chr(char)))
    raise AssertionError("minimal states differ, and all are reached")


#: The specification, the rule and the profile of each engine whose components are compared: the default rule
#: under three profiles, and some other rules under their own.
SPLIT = [
    *(
        pytest.param(spec, None, profile, id=f"{spec}-default-{profile or 'default'}")
        for spec, profile in product(SPECS, (None, "generic", "prose"))
    ),
    *(
        pytest.param(spec, rule, None, id=f"{spec}-{rule}-default")
        for spec, rule in (
            ("rfc1738", "httpurl"),
            ("rfc1738", "ftpurl"),
            ("rfc1738", "newsurl"),
            ("rfc1738", "prosperourl"),
            ("rfc1738", "genericurl"),
            ("rfc1808", "relativeURL"),
            ("rfc2396", "absoluteURI"),
            ("rfc3986", "absolute-URI"),
            ("rfc3987", "IRI"),
        )
    ),
]


def texts_to_split(spec, rule, profile, questions):
    """Return the texts of the corpus, and words for every transition."""
    specification = SPECIFICATIONS[spec]
    texts = set(chain.from_iterable(questions.values()))
    texts |= set(transition_cover(specification.automaton(rule or specification.default_rule, profile)))
    return sorted(texts)


@pytest.mark.sampled(7, keep="rfc3986-default-default")
@pytest.mark.parametrize(("spec", "rule", "profile"), SPLIT)
def test_components_are_those_of_the_oracle(spec, rule, profile, questions):
    """Texts are those of the corpus and of every transition; a component of another scheme is absent."""
    texts = texts_to_split(spec, rule, profile, questions)
    if profile == "prose":  # the oracle takes its time there
        texts = texts[::5]
    split = Engine(spec, rule, profile).split(pa.array(texts)).to_pylist()
    valid_texts = 0
    for text, parts in zip(texts, split, strict=True):
        expected_components = components_of(SPECIFICATIONS[spec], rule, profile, text)
        assert present(parts) == present(expected_components), text
        valid_texts += expected_components is not None
    assert valid_texts > 10


def present(components):
    """Return the components that are not absent, or None for those of an invalid text."""
    if components is None:
        return None
    return {name: text for name, text in components.items() if text is not None}


@pytest.mark.sampled(7, keep="rfc3986-default-default")
@pytest.mark.parametrize(("spec", "rule", "profile"), SPLIT)
def test_the_spans_of_a_text_are_the_places_of_its_components(spec, rule, profile, questions):
    """Texts are those of the corpus and of every transition; an invalid one has no spans or components."""
    texts = texts_to_split(spec, rule, profile, questions)
    engine = Engine(spec, rule, profile)
    split = engine.split(pa.array(texts)).to_pylist()
    spans = engine.spans(pa.array(texts)).to_pylist()
    for text, parts, bounds in zip(texts, split, spans, strict=True):
        pieces = bounds and {name: text_of_span(text, span) for name, span in bounds.items()}
        assert pieces == parts, text


def text_of_span(text, span):
    """Return the piece of a text that a span of the engine is, in bytes. An absent component begins at -1."""
    return None if span["begin"] < 0 else text.encode()[span["begin"] : span["end"]].decode()


@pytest.mark.parametrize("spec", url_specs())
def test_exactly_the_accepted_texts_are_split(spec):
    """The split table decides as the automaton of the rule does, on every transition of it."""
    specification = SPECIFICATIONS[spec]
    engine = Engine(spec)
    column = pa.array(list(transition_cover(specification.automaton(specification.default_rule))))
    assert engine.split(column).is_valid().equals(engine.accepts(column))
