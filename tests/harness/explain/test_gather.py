"""The data of an explanation: what each step of a resolution removes, and JSON."""

from __future__ import annotations

import json

import pytest

from urlharness.corpus.differences import load_rulings
from urloracle.explanation import resolution_steps

EXAMPLE = "http://user@host/a;b?c/d#e"
BASE = "http://a/b/c/d;p?q"

#: A reference that is resolved against `http://a/b/c/d`, and the segments that RFC 3986 removes (5.2.4, 2C):
#: those before a `..`, each with it.
REMOVED_BY_RFC_3986 = [
    ("g", []),
    ("../g", ["c", ".."]),
    ("../../../g", ["c", "..", "b", "..", ".."]),
    ("./g/.", []),
    ("g/..", ["g", ".."]),
    ("../..", ["c", "..", "b", ".."]),
    ("..", ["c", ".."]),
    ("./../g", ["c", ".."]),
    ("g;x=1/../y", ["g;x=1", ".."]),
    ("/a/./b", []),
    ("a/./././b", []),
]

#: The same for RFC 1808 (4, 6) and RFC 2396 (5.2, 6), which remove each `.` in a step of its own, no `..`
#: above the root, and nothing from an absolute path.
REMOVED_BY_EARLIER_RFCS = [
    ("g", []),
    ("../g", ["c", ".."]),
    ("../../../g", ["c", "..", "b", ".."]),
    ("./g/.", [".", "."]),
    ("g/..", ["g", ".."]),
    ("../..", ["c", "..", "b", ".."]),
    ("..", ["c", ".."]),
    ("./../g", [".", "c", ".."]),
    ("/a/./b", []),
    ("a/./././b", [".", ".", "."]),
]


def removed_segments(reference, spec):
    """Return the segments that the steps of a resolution remove, in their order."""
    steps = resolution_steps("http://a/b/c/d", reference, spec)
    return [segment for step in steps for segment in step.removed]


@pytest.mark.parametrize(("reference", "removed"), REMOVED_BY_RFC_3986)
def test_rfc_3986_removes_each_segment_with_the_dots_after_it(reference, removed):
    assert removed_segments(reference, "rfc3986") == removed


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396"])
@pytest.mark.parametrize(("reference", "removed"), REMOVED_BY_EARLIER_RFCS)
def test_earlier_rfcs_remove_dots_and_each_segment_with_the_dots_after_it(spec, reference, removed):
    assert removed_segments(reference, spec) == removed


@pytest.mark.parametrize(
    ("spec", "removed"), [("rfc1808", []), ("rfc2396", ["g;x=1", ".."])], ids=["rfc1808", "rfc2396"]
)
def test_a_segment_with_parameters_is_removed_if_they_are_part_of_the_path(spec, removed):
    """RFC 1808, section 2.4.5, splits parameters from the path; RFC 2396, section 3.3, does not."""
    assert removed_segments("g;x=1/../y", spec) == removed


def test_dots_above_the_root_remove_nothing():
    """The output buffer of RFC 3986, section 5.2.4, is empty at first."""
    steps = resolution_steps("http://a/b/c", "/../g", "rfc3986")
    (turn,) = (step for step in steps if step.label == "  2C")
    assert turn.removed == ("..",)
    assert turn.output == ""
    assert turn.input == "/g"


@pytest.fixture
def document(explain):
    """The explanation of the example as JSON."""
    return json.loads(explain(EXAMPLE, "--json"))


def test_json_has_the_parts_of_an_explanation(document):
    assert set(document) == {"text", "base", "answers", "differences", "unnamed", "browsers"}


def test_a_refusal_in_json_has_its_place_its_reason_and_a_repair(document):
    assert set(document["answers"]["rfc1738"]) == {
        "valid",
        "at",
        "expected",
        "rules",
        "section",
        "message",
        "nearest",
    }


def test_json_has_components_and_derivation_of_a_valid_text(document):
    answer = document["answers"]["rfc1808"]
    assert set(answer) == {"valid", "also", "components", "derivation"}
    assert answer["components"]["params"] == "b"
    assert answer["derivation"]["rule"] == "URL"


def test_json_has_the_sides_and_rulings_of_a_difference(document):
    (params,) = (difference for difference in document["differences"] if difference["class"] == "params")
    assert set(params) == {"class", "title", "what", "effect", "sides", "rulings"}
    with_params, _without = params["sides"]
    assert with_params == {
        "specs": ["rfc1808"],
        "sections": {"rfc1808": "2.4.5"},
        "what": "path /a, params b",
    }
    assert params["rulings"]["R-1808-08"] == load_rulings()["R-1808-08"]


def test_json_has_the_mapping_of_an_iri_that_is_valid(explain):
    answers = json.loads(explain("http://a/\u00e9", "--json"))["answers"]
    assert answers["rfc3987"]["to_uri"]["url"] == "http://a/%C3%A9"


def test_json_has_the_conversion_of_a_uri_for_the_rfc_on_iris(explain):
    answers = json.loads(explain("http://a/%C3%A9", "--spec", "rfc3987", "--json"))["answers"]
    assert answers["rfc3987"]["to_iri"]["url"] == "http://a/\u00e9"


def test_json_has_no_mapping_of_a_text_that_is_no_iri(explain):
    answers = json.loads(explain("http://a/|\u00e9", "--json"))["answers"]
    assert "to_uri" not in answers["rfc3987"]


def test_json_has_the_target_of_a_reference_beyond_ascii(explain):
    answers = json.loads(explain("\u00e9", "--base", "http://a/", "--json"))["answers"]
    assert answers["rfc3987"]["url"] == "http://a/\u00e9"


def test_json_has_the_targets_of_a_resolution(explain):
    document = json.loads(explain("../../../g", "--base", BASE, "--json"))
    assert {spec: answer.get("url") for spec, answer in document["answers"].items()} == {
        "rfc1738": None,
        "rfc1808": "http://a/../g",
        "rfc2396": "http://a/../g",
        "rfc2732": "http://a/../g",
        "rfc3986": "http://a/g",
    }


def test_json_says_which_rfc_does_not_define_resolution(explain):
    document = json.loads(explain("../../../g", "--base", BASE, "--json"))
    assert [spec for spec, answer in document["answers"].items() if "unsupported" in answer] == ["rfc1738"]


def test_json_has_other_targets_and_the_steps_of_a_resolution(explain):
    answer = json.loads(explain("../../../g", "--base", BASE, "--json"))["answers"]["rfc2396"]
    assert answer["also"] == [
        {"url": "http://a/g", "variant": "excess-dropped", "ruling": "R-2396-18"},
        {"url": None, "variant": "error", "ruling": "R-2396-18"},
    ]
    assert [step["removed"] for step in answer["steps"] if step["removed"]] == [["c", ".."], ["b", ".."]]
