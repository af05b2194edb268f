"""`urlconform explain --base`: each step of the resolution of each RFC, and what it removed."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from urlharness.cli.understand.explain import explain as command
from urlharness.explain.gather import changes
from urloracle.explanation import resolution_steps
from urloracle.operations import parse

pytestmark = pytest.mark.once

BASE = "http://a/b/c/d;p?q"


def explain(*arguments: str) -> str:
    """What the command prints in a pipe."""
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert done.exception is None, done.exception
    assert done.return_value == 0
    return done.output


@pytest.mark.parametrize(
    ("spec", "target", "lines"),
    [
        (
            "rfc1808",
            "http://a/../g",
            [r"6c   a segment is removed with the `..` behind it: c/..\s+/b/../../g"],
        ),
        (
            "rfc2396",
            "http://a/../g",
            [r"6g   it still begins", r"or      http://a/g  \(excess-dropped, R-2396-18\)"],
        ),
        (
            "rfc3986",
            "http://a/g",
            [
                r"  2C    removes c from the output, with the `..`\s+/b \| /../../g",
                r"  2C    drops `..`: there is",
            ],
        ),
    ],
)
def test_steps(spec, target, lines):
    """RFC 1808, 4; RFC 2396, 5.2; RFC 3986, 5.2.4."""
    out = explain("../../../g", "--base", BASE, "--spec", spec)
    assert f"  target  {target}\n" in out
    for line in lines:
        assert re.search(line, out), line
    answer = json.loads(explain("../../../g", "--base", BASE, "--spec", spec, "--json"))["answers"][spec]
    assert answer["steps"][-1]["value"] == answer["url"] == target


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
def test_what_is_removed_makes_up_what_is_missing(spec, reference):
    """The merged path, the segments that the steps removed, and the path of the target: none is lost."""
    found = changes(resolution_steps("http://a/b/c/d", reference, spec))
    merged = f"/b/c/{reference}" if not reference.startswith("/") else reference
    target = parse(found[-1].step.value, "rfc3986").path
    removed = [segment for change in found for segment in change.removed]
    if spec == "rfc3986":
        removed += [".." for change in found if change.step.label == "  2D"]
        lost = [segment for segment in removed if segment != ".."]
        kept = [segment for segment in target.split("/") if segment]
        names = [segment for segment in merged.split("/") if segment not in ("", ".", "..")]
        assert sorted(lost + kept) == sorted(names)
    elif not reference.startswith("/") and ";" not in reference:
        both = removed + [segment for segment in target.split("/") if segment]
        assert sorted(both) == sorted(segment for segment in merged.split("/") if segment)


def test_rfcs_with_the_same_steps_stand_together():
    out = explain("../g", "--base", BASE)
    assert "RFC 1738 does not define relative references.\n" in out
    assert "\nRFC 2396, 2732\n  1" in out


def test_a_base_that_is_refused():
    """RFC 2396, section 5."""
    out = explain("g", "--base", "mailto:u@h", "--spec", "2396")
    assert "RFC 2396 (5): no path in an opaque base to be relative to (section 5, R-2396-21)" in out
    answer = json.loads(explain("g", "--base", "mailto:u@h", "--spec", "2396", "--json"))["answers"][
        "rfc2396"
    ]
    assert (answer["valid"], answer["invalid"], answer["at"]) == (False, "mailto:u@h", 7)
