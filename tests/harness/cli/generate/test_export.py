"""`urlconform export`: what is printed where, and what is refused."""

from __future__ import annotations

import json
import re

import pytest

from urlharness.exitcodes import Exit


@pytest.fixture
def export(urlconform):
    """Return a function that runs `export` in this process."""
    return lambda *arguments: urlconform("export", *arguments)


def test_only_the_pattern_is_on_stdout(export):
    done = export("regex", "--rule", "port")
    assert done.stdout == "\\A[0-9]*\\z\n"
    assert done.returncode == Exit.PASSED


def test_the_length_and_the_complexity_are_on_stderr(export):
    done = export("regex", "--rule", "port", "--flavour", "go")
    assert done.stderr.startswith("RFC 3986, section 3.2.3, port: 10 characters, linear\n")


def test_the_default_is_a_reference_of_rfc_3986(export):
    assert "RFC 3986, section 4.1, URI-reference" in export("regex").stderr


def test_groups_are_listed(export):
    done = export("regex", "--spec", "1738", "--rule", "httpurl", "--groups")
    assert "(?<host>" in done.stdout
    assert "groups: scheme, host, port, hpath and search" in done.stderr


def test_several_groups_of_a_component_are_listed(export):
    done = export("regex", "--rule", "relative-ref", "--groups", "--flavour", "ecmascript")
    assert "path (path, path2)" in done.stderr


def test_json_has_the_pattern_and_its_properties(export):
    done = export("regex", "--rule", "port", "--json")
    answer = json.loads(done.stdout)
    assert answer.pop("use")
    assert answer == {
        "pattern": r"\A[0-9]*\z",
        "flavour": "pcre2",
        "length": 10,
        "complexity": "backtracking, unambiguous, measured on ten hostile families to 1 MB",
        "groups": {},
        "spec": "rfc3986",
        "rule": "port",
        "section": "3.2.3",
    }
    assert done.stderr == ""


#: Arguments that are refused, and the message.
REFUSED = {
    "rule": (["regex", "--rule", "hots"], "no rule named 'hots'"),
    "rule-of-dfa": (["dfa", "--rule", "hots"], "no rule named 'hots'"),
    "flavour": (["regex", "--flavour", "perl"], "'perl' is not one of"),
    "limit": (["regex", "--spec", "rfc3987", "--flavour", "posix"], "no escape for characters such as U"),
    "groups": (["regex", "--spec", "rfc2396", "--groups"], "divides <//> in two ways"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_said_is_refused(export, name):
    arguments, message = REFUSED[name]
    done = export(*arguments)
    assert message in done.stderr
    assert done.stdout == ""
    assert done.returncode == Exit.USAGE


def test_an_automaton_is_json(export):
    assert json.loads(export("dfa", "--rule", "port").stdout)["states"] == 1


def test_an_automaton_is_a_graph(export):
    done = export("dfa", "--rule", "port", "--format", "dot")
    assert re.search(r"^  0 -> 0 \[label=", done.stdout, re.MULTILINE)
