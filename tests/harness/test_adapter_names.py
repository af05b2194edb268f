"""The names of adapters: bundled ones, and those that lead to a function or a command."""

from __future__ import annotations

import pytest

from urlharness.adapters.registry import BUNDLED, UnknownAdapter, find
from urlharness.engine.client import open_client
from urlharness.limits import Limits
from urlharness.protocol.messages import Question, Reply

pytestmark = pytest.mark.once

UNKNOWN = [
    *("", "nope", "Reference", "python", "python:", "python:module", "python::function", "python:module:"),
    *("jsonl:", "jsonl: ", "exec:", "exec: ", "jsonl:'open", 'exec:"open', "http://x/"),
]


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_names(name):
    with pytest.raises(UnknownAdapter):
        find(name)


@pytest.mark.parametrize("name", ["jsonl:", "jsonl: ", "exec:", "python:"])
def test_what_is_empty_is_named(name):
    """It is said what stands behind the colon, not that there is no such adapter."""
    with pytest.raises(
        UnknownAdapter, match=rf"^{name.strip()} the \w+ is empty; expected {name.strip()}[A-Z]"
    ):
        find(name)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_names(name):
    assert find(name).name == name


@pytest.mark.parametrize(
    ("command", "words"),
    [
        pytest.param(r"x 'a b' c\ d", ["x", "a b", "c d"], id="blanks"),
        pytest.param(r"x a\$b 'a$b' 'a\$b'", ["x", "a$b", "a$b", r"a\$b"], id="dollar"),
        pytest.param(r'x "a\"b" "a\\b"', ["x", 'a"b', r"a\b"], id="escapes-in-double-quotes"),
        pytest.param(r'x "a\$b" "a\`b"', ["x", r"a\$b", r"a\`b"], id="no-escapes-in-double-quotes"),
        pytest.param(
            "x ~ * ${y} `z` && #", ["x", "~", "*", "${y}", "`z`", "&&", "#"], id="nothing-is-expanded"
        ),
    ],
)
def test_how_a_command_is_split(command, words):
    """As docs/protocol.md says; between double quotes it is less than a shell takes away."""
    adapter = find(f"exec:{command}")
    assert adapter.command == words


def test_commands_are_split_as_a_shell_would_and_run_without_one(python, tmp_path):
    marker = tmp_path / "two words"
    code = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    adapter = find(f"exec:{' '.join(python)} -c {code!r} '{marker}' '$HOME; false'")
    asked = Question(id=0, op="validate", spec="rfc3986", rule="URI", url="a:b")
    assert list(open_client(adapter, Limits(case=60), "tests").ask([asked])) == [(0, Reply(0, "ok"))]
    assert marker.read_text("ascii") == "$HOME; false"
