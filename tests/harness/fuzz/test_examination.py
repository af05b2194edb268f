"""Examination: which minimal text is left, what its difference is, and who is asked."""

from __future__ import annotations

from itertools import product

import pytest

from urlharness.fuzz.difference import AnswerComparison, Difference
from urlharness.fuzz.examination import Examiner
from urlharness.panel.answer import Answer


def examined(panel, text, **options):
    """Return the minimal text of the only disagreement about a text."""
    (answers,) = panel.ask("parse", [text])
    (divergence,) = AnswerComparison(panel, fold=options["fold"]).divergences(text, answers)
    return Examiner(panel, "rfc3986", **options).minimise("parse", text, divergence)


#: What a bug changes, a text that shows it, the options, the minimal text and its difference.
SPECIMENS = {
    "the class that matters stays": (
        {"host": lambda host: host.replace("_", "--")},
        "http://u@x_y.example:80/z?q",
        {"fold": True},
        "//_",
        Difference("host", "host-label", "unlike"),
    ),
    "a class that does not matter is left": (
        {"host": lambda host: host * 2},
        "//a\\b\\c",
        {"fold": True},
        "//a",
        Difference("host", None, "unlike:  / a"),
    ),
    "it stays if that is wanted": (
        {"host": lambda host: host * 2},
        "//a\\b\\c",
        {"fold": True, "keep_class": True},
        "//\\",
        Difference("host", "backslash", "unlike"),
    ),
    "versions keep any difference": (
        {"change": lambda text: text.replace("\\", "/")},
        "http://a\\@b/",
        {"fold": False},
        "\\",
        Difference("path", None, "unlike: / / \\"),
    ),
}


@pytest.mark.parametrize("name", SPECIMENS)
def test_a_text_is_minimised_with_its_difference(name, parser, open_panel):
    change, text, options, least, difference = SPECIMENS[name]
    specimen = examined(open_panel(parser(), parser(**change)), text, **options)
    assert specimen.text == least
    assert specimen.difference == difference


def test_a_library_that_is_late_only_once_does_not_differ(parser, open_panel):
    panel = open_panel(parser(), parser("two"))
    ((first, second),) = panel.ask("parse", ["http://a/"])
    late = second._replace(answer=Answer("none", text="timeout"))
    (divergence,) = AnswerComparison(panel, fold=False).divergences("http://a/", (first, late))
    assert Examiner(panel, "rfc3986", fold=False).minimise("parse", "http://a/", divergence) is None


@pytest.fixture
def record_questions(monkeypatch):
    """Return a function that records what a panel is asked from now on.

    It returns the list of questions, which are pairs of a text and the place of an adapter.
    """

    def record(panel):
        ask = panel.ask
        questions = []

        def recording_ask(operation, texts, places=None):
            questions.extend(product(texts, places))
            return ask(operation, texts, places)

        monkeypatch.setattr(panel, "ask", recording_ask)
        return questions

    return record


def test_answers_are_remembered(parser, open_panel, record_questions):
    panel = open_panel(parser(), parser())
    questions = record_questions(panel)
    examiner = Examiner(panel, "rfc3986", fold=False)
    answers_to_a, answers_to_b = examiner.ask("parse", ["a", "b"], (0, 1))
    assert examiner.ask("parse", ["b", "a"], (0, 1)) == [answers_to_b, answers_to_a]
    assert sorted(questions) == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]


def test_only_the_adapters_that_differ_are_asked(parser, open_panel, record_questions):
    panel = open_panel(parser(), parser(), parser(host=str.upper))
    (answers,) = panel.ask("parse", ["http://a/"])
    divergence = AnswerComparison(panel, fold=False).divergences("http://a/", answers)[0]
    questions = record_questions(panel)
    Examiner(panel, "rfc3986", fold=False).minimise("parse", "http://a/", divergence)
    assert {adapter for _, adapter in questions} == {*divergence.places}


@pytest.fixture
def panel_with_an_end(parser, open_panel):
    """A panel whose first adapter ends on every text."""

    def end(text):
        raise OSError(text)

    return open_panel(parser(change=end), parser())


def test_an_adapter_that_ends_gives_no_answer(panel_with_an_end):
    ((first, _),) = panel_with_an_end.ask("parse", ["a"])
    assert first.answer.kind == "none"


def test_that_an_adapter_ended_is_not_remembered(panel_with_an_end, record_questions):
    questions = record_questions(panel_with_an_end)
    examiner = Examiner(panel_with_an_end, "rfc3986", fold=False)
    examiner.ask("parse", ["a"], (0,))
    examiner.ask("parse", ["a"], (0,))
    assert questions == [("a", 0), ("a", 0)]
