"""The verdicts of vectors are those of the automata; a wrong vector could notice a mutant that is right."""

from __future__ import annotations

import pytest

from urlharness.adequacy.subjects import SPECS, subjects
from urlharness.adequacy.suites import corpus_texts


@pytest.mark.parametrize("spec", SPECS)
def test_the_verdict_of_a_vector_is_that_of_the_automaton_of_its_rule(spec, corpus):
    for subject in subjects(spec):
        automata = {rule: subject.compiler.minimal(rule) for rule in (subject.rule, *subject.kin)}
        questions = corpus_texts(corpus, subject)
        assert len(questions) > 20, subject.rule
        for question in questions:
            assert automata[question.rule].accepts(question.text) == question.valid, question
