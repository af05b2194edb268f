"""The verdicts of vectors are those of the automata; else a mutant could be killed by a wrong vector."""

from __future__ import annotations

import pytest

from urlauthor.adequacy.subjects import SPECS, subjects
from urlauthor.adequacy.suites import corpus_texts


@pytest.mark.parametrize("spec", SPECS)
def test_the_corpus_answers_as_the_automata(spec, corpus):
    for subject in subjects(spec):
        automata = {rule: subject.compiler.minimal(rule) for rule in (subject.rule, *subject.kin)}
        questions = corpus_texts(corpus, subject)
        assert len(questions) > 20
        assert [one for one in questions if automata[one.rule].accepts(one.text) != one.valid] == []
