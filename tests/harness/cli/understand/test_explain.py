"""`urlconform diff`: exit codes, witnesses, counts, and usage errors."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def diff(urlconform):
    """Run the command in this process."""
    return lambda *arguments: urlconform("diff", *arguments)


PAIRS = {
    "same": ("rfc3986", "RFC3986:URI-reference", "equal"),
    "rule-and-rule": ("1738:hex", "3986:HEXDIG", "equal"),
    "included": ("3986:segment-nz", "3986:segment", "included"),
    "superset": ("3986:segment", "3986:segment-nz", "includes"),
    "disjoint": ("3986:URI", "3986:relative-ref", "disjoint"),
    "profile": ("1738:url:generic", "1738:url:scheme-specific", "includes"),
    "default-profile": ("1738", "1738:url:scheme-specific", "equal"),
    "empty-rule": ("1738::prose", "1738:url:prose", "equal"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_verdict(diff, name):
    """The exit code is 0 if the languages are equal, otherwise 1."""
    left, right, verdict = PAIRS[name]
    done = diff(left, right, "--json")
    assert (done.returncode, done.stderr) == (int(verdict != "equal"), "")
    assert json.loads(done.stdout)["verdict"] == verdict


def test_json(diff):
    """The output has a witness for each side, and a row for each length."""
    found = json.loads(diff("2732:uric", "2396:uric", "--length", "1", "--json").stdout)
    assert found == {
        "verdict": "includes",
        "only_left": "[",
        "only_right": None,
        "both": "!",
        "counts": [
            {"length": 0, "left": 0, "right": 0, "only_left": 0, "only_right": 0},
            {"length": 1, "left": 83, "right": 81, "only_left": 2, "only_right": 0},
        ],
    }


def test_text(diff):
    """The output is a sentence, the shortest words and a table; an empty word is not shown as `none`."""
    done = diff("3986:segment", "3986:segment-nz", "--length", "2")
    assert done.returncode == 1
    sentence, alone, other, both, _, _, *rows = done.stdout.splitlines()
    assert sentence == "3986:segment is a proper superset of 3986:segment-nz."
    assert alone == "  shortest in 3986:segment alone: <>"
    assert other == "  shortest in 3986:segment-nz alone: none"
    assert both.startswith("  shortest in both: <")
    assert [row.split() for row in rows if row.strip()][-3:] == [
        ["0", "1", "0", "1", "0"],
        ["1", "79", "79", "0", "0"],
        ["2", "6,241", "6,241", "0", "0"],
    ]


SENTENCES = {
    ("3986:port", "3986:port"): "3986:port and 3986:port are the same language.",
    ("3986:segment-nz", "3986:segment"): "3986:segment-nz is a proper subset of 3986:segment.",
    ("3986:port", "3986:scheme"): "3986:port and 3986:scheme have no word in common.",
    ("3986:port", "3986:h16"): "3986:port and 3986:h16 overlap; neither includes the other.",
}


@pytest.mark.parametrize("pair", SENTENCES)
def test_sentence(diff, pair):
    assert diff(*pair).stdout.splitlines()[0] == SENTENCES[pair]


USAGE = {
    "no-specification": (("rfc3987", "3986"), "no specification named 'rfc3987'"),
    "no-rule": (("3986:URL", "3986"), "no rule named 'URL'"),
    "no-profile": (("3986", "1738:url:loose"), "the profiles are scheme-specific, generic, prose"),
    "too-many-parts": (("1738:url:prose:x", "3986"), "SPEC[:RULE[:PROFILE]]"),
    "one-language": (("3986",), "Missing argument"),
    "too-long": (("3986", "3986", "--length", "65"), "0<=x<=64"),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage(diff, name):
    """The exit code of a usage error is 2, and the message says why."""
    arguments, message = USAGE[name]
    done = diff(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
