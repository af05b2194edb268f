"""The steps by which an IRI becomes a URI, and a URI an IRI (RFC 3987, sections 3.1 and 3.2)."""

from __future__ import annotations

import pytest

from urlharness.explain.mappings import REASONS, explain_mapping
from urloracle.rfc.mapping import KEEPING_STEP

#: A text, and the label, action and result of each step.
STEPS = {
    "to-uri": (
        "/\u00e9?\U00010300",
        [
            ("1c", "the characters are taken without normalization", "/\u00e9?\U00010300"),
            ("2.1", "U+00E9 at offset 1 has the bytes C3 A9 in UTF-8", "%C3%A9"),
            ("2.1", "U+10300 at offset 3 has the bytes F0 90 8C 80 in UTF-8", "%F0%90%8C%80"),
            ("2.3", "the triplets replace the characters", "/%C3%A9?%F0%90%8C%80"),
        ],
    ),
    "to-iri": (
        "/%c3%a9%2f%fc",
        [
            ("1", "the URI is read as bytes of ASCII", "/%c3%a9%2f%fc"),
            ("2", "%c3%a9 at offset 1 is decoded: U+00E9", "\u00e9"),
            ("2", "%2f at offset 7 stays: reserved, or %", "%2f"),
            ("3", "%fc at offset 10 stays: no part of legal UTF-8", "%FC"),
            ("5", "the bytes are read as UTF-8", "/\u00e9%2f%FC"),
        ],
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_mapping_has_the_steps_of_the_rfc(name):
    text, steps = STEPS[name]
    mapping = explain_mapping(text, "rfc3987")
    assert [(step.label, step.action, step.result) for step in mapping.steps] == steps


@pytest.mark.parametrize(("name", "operation"), [("to-uri", "to_uri"), ("to-iri", "to_iri")])
def test_a_text_beyond_ascii_is_mapped_and_one_with_triplets_is_converted(name, operation):
    text, _ = STEPS[name]
    assert explain_mapping(text, "rfc3987").operation == operation


@pytest.mark.parametrize("name", STEPS)
def test_the_last_step_has_the_result(name):
    text, _ = STEPS[name]
    mapping = explain_mapping(text, "rfc3987")
    *_, last_step = mapping.steps
    assert last_step.result == mapping.forms.text


def test_a_text_without_triplets_is_a_uri_and_an_iri():
    assert explain_mapping("http://a/b?c", "rfc3987") is None


def test_a_mapping_as_json_has_the_other_results_with_their_rulings():
    mapping = explain_mapping("http://\u00e9/", "rfc3987").as_json()
    assert mapping["url"] == "http://%C3%A9/"
    assert {"url": "http://xn--9ca/", "variant": "idna", "ruling": "R-3987-19"} in mapping["also"]


def test_a_mapping_as_json_has_its_steps():
    (_, step, _) = explain_mapping("\u00e9", "rfc3987").as_json()["steps"]
    assert step == {
        "label": "2.1",
        "what": "U+00E9 at offset 0 has the bytes C3 A9 in UTF-8",
        "value": "%C3%A9",
    }


def test_every_reason_has_words():
    assert REASONS.keys() == KEEPING_STEP.keys()
