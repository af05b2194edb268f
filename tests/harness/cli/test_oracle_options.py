"""The options that commands of the oracle share, and how their errors end a command."""

from __future__ import annotations

import pytest

from urlharness.exitcodes import Exit


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ("validate", "x", "--spec", "rfc9999"),
            "no specification named 'rfc9999'; choose from ",
            id="specification",
        ),
        pytest.param(
            ("extract", "-", "--spec", "rfc3987"),
            "RFC 3987 does not define URLs in text",
            id="operation-without-definition",
        ),
        pytest.param(
            ("equivalent", "a:", "a:", "--mode", "simple"),
            "RFC 3986 has no mode simple; use --spec rfc3987",
            id="mode",
        ),
        pytest.param(
            ("validate", "x", "--spec", "1738", "--rule", "nope"),
            "RFC 1738 has no rule named 'nope'; choose from ",
            id="rule",
        ),
        pytest.param(
            ("parse", "{", "--spec", "2396", "--rule", "unwise"),
            "RFC 2396 has no components for unwise",
            id="rule-without-components",
        ),
        pytest.param(("validate", "x", "--profile", "nope"), "'nope' is not one of", id="profile"),
    ],
)
def test_a_question_that_the_rfc_does_not_answer_is_a_usage_error(urlconform, arguments, message):
    done = urlconform(*arguments)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.returncode == Exit.USAGE


def test_an_invalid_url_is_an_answer_and_fails(urlconform):
    done = urlconform("decode", "http://h/{")
    assert done.stdout.startswith("not a valid url of RFC 1738: '{' at offset 9; ")
    assert done.stderr == ""
    assert done.returncode == Exit.FAILED
