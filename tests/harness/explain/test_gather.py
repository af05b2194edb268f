"""The data of an explanation: what each step of a resolution removes, and JSON."""

from __future__ import annotations

import json

import pytest

from urlharness.corpus.differences import load_rulings
from urloracle.explanation import resolution_steps
from urloracle.operations import parse
from urloracle.rfcs import SPECIFICATIONS

EXAMPLE = "http://user@host/a;b?c/d#e"
BASE = "http://a/b/c/d;p?q"
PATHS = [
    "g",
    "../g",
    "../../../g",
    "./g/.",
    "g/..",
    "../..",
    "..",
    "./../g",
    "g;x=1/../y",
    "/a/./b",
    "a/./././b",
]


def segments_of(path):
    return [segment for segment in path.split("/") if segment]


def removed_and_target(reference, spec):
    """Return the segments that the steps of a resolution remove, and those of its target."""
    steps = resolution_steps("http://a/b/c/d", reference, spec)
    removed = [segment for step in steps for segment in step.removed]
    return removed, segments_of(parse(steps[-1].result, "rfc3986").path)


@pytest.mark.parametrize("reference", PATHS)
def test_rfc_3986_removes_the_segments_that_are_missing_from_the_target(reference):
    """Dot segments are not counted."""
    removed, target = removed_and_target(reference, "rfc3986")
    merged_path = reference if reference.startswith("/") else f"/b/c/{reference}"
    names = [segment for segment in segments_of(merged_path) if segment not in (".", "..")]
    removed_names = [segment for segment in removed if segment != ".."]
    assert sorted(removed_names + target) == sorted(names)


#: Paths that RFC 1808 and RFC 2396 merge with the path of the base; parameters are no part of the path.
MERGED_PATHS = [path for path in PATHS if not path.startswith("/") and ";" not in path]


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396"])
@pytest.mark.parametrize("reference", MERGED_PATHS)
def test_earlier_rfcs_remove_the_segments_that_are_missing_from_the_target(spec, reference):
    removed, target = removed_and_target(reference, spec)
    assert sorted(removed + target) == sorted(segments_of(f"/b/c/{reference}"))


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


def test_json_has_answers_and_differences(document):
    assert set(document) == {"text", "base", "answers", "differences", "unnamed", "browsers"}


def test_json_explains_a_refusal(document):
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


def test_json_has_the_targets_of_a_resolution(explain):
    document = json.loads(explain("../../../g", "--base", BASE, "--json"))
    assert list(document["answers"]) == list(SPECIFICATIONS)
    assert "unsupported" in document["answers"]["rfc1738"]


def test_json_has_other_targets_and_the_steps_of_a_resolution(explain):
    answer = json.loads(explain("../../../g", "--base", BASE, "--json"))["answers"]["rfc2396"]
    assert answer["also"] == [
        {"url": "http://a/g", "variant": "excess-dropped", "ruling": "R-2396-18"},
        {"url": None, "variant": "error", "ruling": "R-2396-18"},
    ]
    assert [step["removed"] for step in answer["steps"] if step["removed"]] == [["c", ".."], ["b", ".."]]
