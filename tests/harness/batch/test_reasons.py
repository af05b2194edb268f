"""Reasons are those of the oracle, also if many texts share one."""

from __future__ import annotations

import pyarrow as pa
import pytest

from urlharness.batch import Engine, Reason
from urlharness.corpus.specifications import SPECS
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification


def reason_of(spec, rule, profile, text):
    """Return the section and rule of the reason of one text, asked of the oracle alone.

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
    _, continuation = spec.language(judge, profile).viable_prefix(before)
    return problem.section, continuation.cited


#: Texts that fail in different ways.
FAULTY = [
    "http://a b",
    "http://a/%4",
    "ftp://h/a;type=x",
    "mailto:",
    "foo:{",
    "~",
    "http://h:x",
    "//[::g]",
    "",
    "foo",
    "foo/bar",
    "/foo",
    "foo bar",
    " foo",
    "1foo",
    "http://\u00e9/\ue000",
    "\u00e9/\ufffe",
    "http://h/%\u00e9",
    "\u00e9:\u00e9",
]


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("kind", ["default_rule", "absolute"])
@pytest.mark.parametrize("name", SPECS)
def test_a_reason_has_the_section_and_rule_of_the_oracle(name, kind):
    spec = SPECIFICATIONS[name]
    engine = Engine(spec, getattr(spec, kind))
    numbers = engine.judge(pa.array(FAULTY)).reason.indices.to_pylist()
    places = [(reason.section, reason.rule) for reason in engine.reasons]
    places_of_texts = [None if number is None else places[number] for number in numbers]
    assert places_of_texts == [reason_of(spec, engine.rule, None, text) for text in FAULTY]


#: Texts, and how the character that is not allowed is named.
CHARACTER_NAMES = {
    "http://a b": "blank",
    'http://a"': "double quote",
    "http://a<": "'<'",
    "http://a\t": "U+0009",
    "http://a\x7f": "U+007F",
    "http://a/\u00e9": "a character outside ASCII",
    "http://a/%4": "it ends too early",
}


@pytest.mark.parametrize("text", CHARACTER_NAMES)
def test_a_reason_names_the_character_that_is_not_allowed(text):
    (reason,) = Engine("rfc3986").judge(pa.array([text])).reason.to_pylist()
    assert reason.endswith(f": {CHARACTER_NAMES[text]}")


#: Bytes after `http://\u00e9/`, and the reason under RFC 3987 and profile `prose`.
REASONS_BEYOND_ASCII = [
    pytest.param("\ue000", "section 2.2, IRI: a private character", id="private"),
    pytest.param(
        "\u202e", "section 4.1, IRI: a character that controls the direction of text", id="formatting"
    ),
    pytest.param("%\u00e9", "section 2.2, pct-encoded: a character beyond ASCII", id="triplet"),
    pytest.param("\ufffe", "section 2.2, IRI: a character that no IRI has", id="noncharacter"),
    pytest.param("\u00e9<", "section 2.2, IRI: '<'", id="ascii"),
    pytest.param(b"\xc3(", "section 2.2, IRI: bytes that are no UTF-8", id="cut"),
    pytest.param(b"\xed\xa0\x80", "section 2.2, IRI: bytes that are no UTF-8", id="surrogate"),
    pytest.param(b"\xe0\x80\xaf", "section 2.2, IRI: bytes that are no UTF-8", id="overlong"),
    pytest.param(b"\xf4\x90\x80\x80", "section 2.2, IRI: bytes that are no UTF-8", id="above-10FFFF"),
    pytest.param(b"\xf0\x9f", "section 2.2, IRI: bytes that are no UTF-8", id="cut-by-the-end"),
    pytest.param(b"\xff", "section 2.2, IRI: bytes that are no UTF-8", id="no-first-byte"),
]


@pytest.mark.parametrize(("ending", "reason"), REASONS_BEYOND_ASCII)
@pytest.mark.sampled(4)
def test_a_reason_names_the_kind_of_a_character_beyond_ascii(ending, reason):
    """RFC 3987, sections 2.2 and 4.1; RFC 3629, section 3."""
    octets = ending if isinstance(ending, bytes) else ending.encode()
    column = pa.array(["http://\u00e9/".encode() + octets], pa.binary())
    assert Engine("rfc3987", None, "prose").judge(column).reason.to_pylist() == [reason]


@pytest.mark.parametrize(
    ("text", "valid", "offset", "reason"),
    [
        pytest.param("a", True, None, None, id="valid"),
        pytest.param("http://a b", False, 8, "section 3, URI: blank", id="blank"),
        pytest.param(None, None, None, None, id="null"),
    ],
)
def test_a_text_is_judged_with_a_verdict_an_offset_and_a_reason(text, valid, offset, reason):
    judged = Engine("rfc3986").judge(pa.array(["%", text]))
    assert judged.valid.to_pylist() == [False, valid]
    assert judged.offset.to_pylist() == [1, offset]
    _reason_of_percent, reason_of_text = judged.reason.to_pylist()
    assert reason_of_text == reason


def test_a_reason_has_one_number_in_all_batches():
    engine = Engine("rfc3986")
    _, number_in_first_batch = engine.judge(pa.array(["%", "http://a b"])).reason.indices.to_pylist()
    (number_in_second_batch,) = engine.judge(pa.array(["http://b c"])).reason.indices.to_pylist()
    assert number_in_second_batch == number_in_first_batch


def test_a_reason_of_several_batches_is_listed_once():
    engine = Engine("rfc3986")
    for text in ("http://a b", "http://b c"):
        engine.judge(pa.array([text]))
    assert list(engine.reasons) == [Reason("3", "URI", "blank")]


def test_a_reason_names_section_rule_and_character():
    assert str(Reason("3", "URI", "blank")) == "section 3, URI: blank"


def test_the_oracle_is_asked_once(monkeypatch):
    """A thousand texts with the same fault are one question to the oracle."""
    asked_texts = []
    problem = Specification.problem

    def recording_problem(specification, text, *rule_and_profile):
        asked_texts.append(text)
        return problem(specification, text, *rule_and_profile)

    monkeypatch.setattr(Specification, "problem", recording_problem)
    Engine("rfc3986").judge(pa.array([f"http://{number}.example/ {number}" for number in range(1000)]))
    assert len(asked_texts) == 1


class Series:
    """A column of another library, which exports itself as a stream of one array, as those of Polars do."""

    def __init__(self, *arrays):
        self._arrays = pa.chunked_array(arrays)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._arrays.__arrow_c_stream__(requested_schema)


def test_a_series_in_one_piece_is_judged():
    judged = Engine("rfc3986").judge(Series(pa.array(["a", "%"])))
    assert judged.valid.to_pylist() == [True, False]


def test_a_series_in_several_pieces_is_refused():
    with pytest.raises(TypeError, match="give it the chunks one by one"):
        Engine("rfc3986").judge(Series(pa.array(["a"]), pa.array(["%"])))
