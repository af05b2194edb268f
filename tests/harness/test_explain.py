"""`urlconform explain`: what a reader of the RFCs shows a colleague, on a terminal and as JSON."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


def explain(*arguments: str) -> str:
    line = [sys.executable, "-m", "urlharness.cli", "explain", *arguments]
    return subprocess.run(line, capture_output=True, encoding="utf-8", check=True).stdout


def test_side_by_side():
    out = explain("http://user@host/")
    assert "RFC 1738" in out
    assert "invalid at 11" in out
    assert "The generic form of RFC 1738 derives it" in out


def test_a_tree_of_one_rfc():
    out = explain("http://h/a", "--spec", "3986")
    assert "└── URI  http://h/a  3" in out
    assert "RFC 2396" not in out


@pytest.mark.parametrize(
    ("spec", "target"),
    [("rfc1808", "http://a/../g"), ("rfc2396", "http://a/../g"), ("rfc3986", "http://a/g")],
)
def test_steps(spec, target):
    out = explain("../../../g", "--base", "http://a/b/c/d;p?q", "--spec", spec)
    assert out.rstrip().endswith(target)
    steps = json.loads(explain("../../../g", "--base", "http://a/b/c/d;p?q", "--spec", spec, "--json"))
    assert steps[spec][-1]["value"] == target


def test_a_base_that_is_refused():
    out = explain("g", "--base", "mailto:u@h", "--spec", "2396")
    assert "refused" in out
    assert "R-2396-21" in out


def test_json_holds_verdict_components_and_derivation():
    found = json.loads(explain("http://h/a b", "--json"))
    assert found["rfc3986"]["at"] == 10
    found = json.loads(explain("http://h/a", "--json"))
    assert found["rfc1808"]["components"]["net_loc"] == "h"
    assert found["rfc3986"]["derivation"]["rule"] == "URI-reference"
