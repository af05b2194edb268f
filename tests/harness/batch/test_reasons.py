"""Reasons are those of the oracle, also if many texts share one."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
import pytest

from urlharness.batch import Engine, Reason
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification


def reason_of(spec, rule, profile, text):
    """The section and rule of the reason of one text, asked of the oracle alone.

    If the error is where a scheme would end, or at the start, they are those of the whole rule.
    """
    problem = spec.problem(text, rule, profile)
    if problem is None:
        return None
    before = text[: problem.position]
    character = text[problem.position : problem.position + 1]
    if rule == spec.absolute and ":" not in before and (not before or character in ("", *"/?# ")):
        return spec.grammar.section(rule), rule
    judge = spec.judging_rule(text, rule, profile)
    _, continuation = spec.language(judge, profile).viable(before)
    return problem.section, continuation.innermost


def test_a_reason_has_the_section_and_rule_of_the_oracle():
    """Those of the oracle, for texts that fail in different ways under each rule that may decide."""
    texts = [
        "http://a b",
        "http://a/%4",
        "ftp://h/a;type=x",
        "mailto:",
        "foo:{",
        "~",
        "http://h:x",
        "//[::g]",
        *("", "foo", "foo/bar", "/foo", "foo bar", " foo", "1foo"),
    ]
    for spec, rule in product(SPECIFICATIONS.values(), ("default_rule", "absolute")):
        engine = Engine(spec, getattr(spec, rule))
        judged = engine.judge(pa.array(texts)).reason.indices.to_pylist()
        reasons = list(engine.reasons)
        for text, number in zip(texts, judged, strict=True):
            section_and_rule = None if number is None else (reasons[number].section, reasons[number].rule)
            assert section_and_rule == reason_of(spec, engine.rule, None, text), text


WHAT = {
    "http://a b": "blank",
    'http://a"': "double quote",
    "http://a<": "'<'",
    "http://a\t": "U+0009",
    "http://a\x7f": "U+007F",
    "http://a/\u00e9": "a character outside ASCII",
    "http://a/%4": "it ends too early",
}


@pytest.mark.parametrize("text", WHAT)
def test_invisible_characters_are_named_in_reasons(text):
    """Invisible characters are named."""
    (reason,) = Engine("rfc3986").judge(pa.array([text])).reason.to_pylist()
    assert reason.endswith(f": {WHAT[text]}")


def test_a_reason_has_one_number_in_all_batches():
    """One number for a reason over all batches, and the dictionary of a batch holds those known by then."""
    engine = Engine("rfc3986")
    first = engine.judge(pa.array(["a", "http://a b", None, "%"]))
    assert first.valid.to_pylist() == [True, False, None, False]
    assert first.offset.to_pylist() == [None, 8, None, 1]
    assert first.reason.null_count == 2
    second = engine.judge(pa.array(["http://b c"]))
    assert second.reason.to_pylist() == [first.reason.to_pylist()[1]]
    assert len(list(engine.reasons)) == 2
    assert Reason("3", "URI", "blank") in list(engine.reasons)
    assert str(Reason("3", "URI", "blank")) == "section 3, URI: blank"


def test_the_oracle_is_asked_once(monkeypatch):
    """A thousand texts with the same fault are one question to the oracle."""
    asked_texts = []
    problem = Specification.problem
    monkeypatch.setattr(Specification, "problem", lambda *text: asked_texts.append(text) or problem(*text))
    Engine("rfc3986").judge(pa.array([f"http://{number}.example/ {number}" for number in range(1000)]))
    assert len(asked_texts) == 1
