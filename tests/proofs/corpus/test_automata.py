"""The verdicts of vectors are those of the automata; else a mutant could be killed by a wrong vector."""

from __future__ import annotations

import pytest

from urlharness.adequacy.subjects import SPECS, subjects
from urlharness.adequacy.suites import corpus_texts


@pytest.mark.parametrize("spec", SPECS)
def test_the_verdict_of_a_vector_is_that_of_the_automaton_of_its_rule(spec, corpus):
    for subject in subjects(spec):
        automata = {rule: subject.compiler.minimal(rule) for rule in (subject.rule, *subject.kin)}
        texts = corpus_texts(corpus, subject)
        assert len(texts) > 20
        for question in texts:
            assert automata[question.rule].accepts(question.text) == question.valid, question
