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


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc3986"])
@pytest.mark.parametrize("reference", PATHS)
def test_removed_segments_are_those_missing_from_the_target(spec, reference):
    """The merged path, the segments that the steps removed, and the path of the target: none is lost."""
    steps = resolution_steps("http://a/b/c/d", reference, spec)
    merged = f"/b/c/{reference}" if not reference.startswith("/") else reference
    target = parse(steps[-1].result, "rfc3986").path
    removed = [segment for step in steps for segment in step.removed]
    if spec == "rfc3986":
        removed += [".." for step in steps if step.label == "  2D"]
        lost = [segment for segment in removed if segment != ".."]
        segments = [segment for segment in target.split("/") if segment]
        names = [segment for segment in merged.split("/") if segment not in ("", ".", "..")]
        assert sorted(lost + segments) == sorted(names)
    elif not reference.startswith("/") and ";" not in reference:
        both = removed + [segment for segment in target.split("/") if segment]
        assert sorted(both) == sorted(segment for segment in merged.split("/") if segment)


def test_dots_above_the_root_remove_nothing():
    """The output buffer of RFC 3986, section 5.2.4, is empty at first."""
    steps = resolution_steps("http://a/b/c", "/../g", "rfc3986")
    (turn,) = (step for step in steps if step.label == "  2C")
    assert turn.removed == ("..",)
    assert (turn.output, turn.input) == ("", "/g")


def test_json_has_answers_and_differences(explain):
    document = json.loads(explain(EXAMPLE, "--json"))
    assert set(document) == {"text", "base", "answers", "differences", "unnamed"}
    assert set(document["answers"]["rfc1738"]) == {
        "valid",
        "at",
        "expected",
        "rules",
        "section",
        "message",
        "nearest",
    }
    valid = document["answers"]["rfc1808"]
    assert set(valid) == {"valid", "also", "components", "derivation"}
    assert valid["components"]["params"] == "b"
    assert valid["derivation"]["rule"] == "URL"
    (params,) = (difference for difference in document["differences"] if difference["class"] == "params")
    assert set(params) == {"class", "title", "what", "effect", "sides", "rulings"}
    assert params["sides"][0] == {
        "specs": ["rfc1808"],
        "sections": {"rfc1808": "2.4.5"},
        "what": "path /a, params b",
    }
    assert params["rulings"]["R-1808-08"] == load_rulings()["R-1808-08"]


def test_json_has_the_targets_of_a_resolution(explain):
    document = json.loads(explain("../../../g", "--base", BASE, "--json"))
    assert list(document["answers"]) == list(SPECIFICATIONS)
    assert "unsupported" in document["answers"]["rfc1738"]
    answer = document["answers"]["rfc2396"]
    assert answer["also"][0] == {"url": "http://a/g", "variant": "excess-dropped", "ruling": "R-2396-18"}
    assert [step["removed"] for step in answer["steps"] if step["removed"]] == [["c", ".."], ["b", ".."]]
