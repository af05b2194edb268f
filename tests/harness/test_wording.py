"""Parts of sentences: plurals, shortened lists, suggestions, sections and reasons."""

from __future__ import annotations

import errno
import signal

import pytest

from urlharness.wording import (
    counted,
    did_you_mean,
    first_names,
    os_reason,
    section_label,
    section_place,
    signal_name,
)


@pytest.mark.parametrize(
    ("number", "plural", "words"),
    [
        pytest.param(1, "", "1 case", id="singular"),
        pytest.param(0, "", "0 cases", id="none"),
        pytest.param(1065, "", "1,065 cases", id="thousands"),
        pytest.param(2, "instances", "2 instances", id="other-plural"),
    ],
)
def test_a_noun_agrees_with_its_number(number, plural, words):
    assert counted(number, "case", plural) == words


@pytest.mark.parametrize(("limit", "joined"), [(3, "a, b, c"), (2, "a, b, and 1 more")])
def test_names_beyond_the_limit_are_counted(limit, joined):
    assert first_names(["a", "b", "c"], limit) == joined


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("validat", "Did you mean 'validate'?"),
        ("pars", "Did you mean 'parse' or 'parser'?"),
        ("resolve", ""),
    ],
)
def test_similar_names_are_suggested(name, question):
    assert did_you_mean(name, ("validate", "parse", "parser")) == question


def test_the_label_of_a_section_is_its_number():
    assert section_label("3.2", "Authority") == ("3.2", "Authority")


@pytest.mark.parametrize(("title", "heading"), [("Appendix A", "Appendix A"), ("", "Appendix")])
def test_the_label_of_a_part_without_a_number_is_its_heading(title, heading):
    assert section_label("appendix", title) == (heading, "")


def test_a_sentence_names_a_section_by_its_number():
    assert section_place("3.2", "Authority") == "section 3.2"


def test_a_sentence_names_a_part_without_a_number_by_its_heading():
    assert section_place("front", "Abstract") == "Abstract"


def test_the_reason_of_an_error_begins_in_lower_case():
    assert os_reason(OSError(errno.ENOENT, "No such file or directory")) == "no such file or directory"


def test_a_signal_is_named_as_the_system_names_it():
    assert signal_name(signal.SIGSEGV) == "SIGSEGV"


def test_a_signal_without_a_name_is_named_by_its_number():
    assert signal_name(0) == "signal 0"
