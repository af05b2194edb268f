"""`urlconform explain` on terminals of any width, in pipes, as JSON, and on the page that describes it."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len
from rich.console import Console

from urlharness.cli.understand.explain import explain as command
from urlharness.corpus.differences import load_rulings
from urlharness.explain.gather import gather
from urlharness.explain.page import show_explanation
from urloracle.rfcs import SPECIFICATIONS

pytestmark = pytest.mark.once

EXAMPLE = "http://user@host/a;b?c/d#e"
BASE = "http://a/b/c/d;p?q"
HOSTILE = ["http://\x1b[31m/", "\u202eh", "a\r\nb", "http://h/\u4f8b", "\ud800", "x" * 5000 + "~", ""]
DOCUMENT = (Path(__file__).parents[2] / "docs" / "explain.md").read_text(encoding="utf-8")


def explain(*arguments: str) -> str:
    """What the command prints in a pipe."""
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert done.exception is None, done.exception
    assert done.return_value == 0
    return done.output


def on_terminal(text: str, width: int, base: str | None = None, *, tree: bool = False, **options) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=width, highlight=False, markup=False, **options)
    show_explanation(console, gather(text, _specs(base), base), tree=tree)
    return out.getvalue()


def _specs(base):
    return [spec for spec in SPECIFICATIONS if base is None or SPECIFICATIONS[spec].resolver]


def without_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_derivation_on_a_terminal_has_guides():
    out = without_colour(on_terminal("//a/b", 100, tree=True))
    assert "├─ authority > host > reg-name" in out
    assert "RFC 2396, 2732: the derivation" in out


PRINTED = [(EXAMPLE, None), ("../../../g", BASE), ("1http://~u@h:/", None), ("", "http://a/b/../c?q#f")]


@pytest.mark.parametrize(("text", "base"), PRINTED)
def test_a_pipe_gets_sober_lines(text, base):
    out = explain("--tree", "--", text) if base is None else explain("--base", base, "--", text)
    assert "\x1b" not in out
    assert not re.search("[\u2500-\u257f]", out)
    assert [line for line in out.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize(("text", "base"), PRINTED)
def test_a_terminal_is_not_overrun(text, base, width):
    """Only a derivation may be wider, where its rules alone are."""
    lines = without_colour(on_terminal(text, width, base)).splitlines()
    assert [line for line in lines if cell_len(line) > width] == []
    assert [line for line in lines if line != line.rstrip()] == []


def test_colours_are_for_terminals_that_want_them(monkeypatch):
    assert "\x1b[31m" in on_terminal(EXAMPLE, 80, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", on_terminal(EXAMPLE, 80, color_system="standard"))


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_untrusted_text_is_spelled_out(text):
    for out in (explain("--tree", "--", text), explain("--base", BASE, "--", text)):
        assert out.replace("\n", "").isprintable()


# JSON


def test_json_is_complete():
    found = json.loads(explain(EXAMPLE, "--json"))
    assert set(found) == {"text", "base", "answers", "differences", "unnamed"}
    assert set(found["answers"]["rfc1738"]) == {
        "valid",
        "at",
        "expected",
        "rules",
        "section",
        "message",
        "nearest",
    }
    valid = found["answers"]["rfc1808"]
    assert set(valid) == {"valid", "also", "components", "derivation"}
    assert valid["components"]["params"] == "b"
    assert valid["derivation"]["rule"] == "URL"
    (params,) = (one for one in found["differences"] if one["class"] == "params")
    assert set(params) == {"class", "title", "what", "effect", "sides", "rulings"}
    assert params["sides"][0] == {
        "specs": ["rfc1808"],
        "sections": {"rfc1808": "2.4.5"},
        "what": "path /a, params b",
    }
    assert params["rulings"]["R-1808-08"] == load_rulings()["R-1808-08"]


def test_json_of_a_resolution():
    found = json.loads(explain("../../../g", "--base", BASE, "--json"))
    assert list(found["answers"]) == list(SPECIFICATIONS)
    assert "unsupported" in found["answers"]["rfc1738"]
    answer = found["answers"]["rfc2396"]
    assert answer["also"][0] == {"url": "http://a/g", "variant": "excess-dropped", "ruling": "R-2396-18"}
    assert [step["removed"] for step in answer["steps"] if step["removed"]] == [["c", ".."], ["b", ".."]]


def test_other_readings_stand_beside_components():
    """RFC 2396, appendix B: an opaque part with a question mark in it."""
    answer = json.loads(explain("foo:a?b", "--json"))["answers"]["rfc2396"]
    assert [(one["ruling"], one["components"]["path"]) for one in answer["also"]] == [("R-2396-04", "a?b")]


# the page that describes it


EXAMPLES = re.findall(
    r"```sh\n(urlconform explain .*?)\n```\n\n```(text|json)\n(.*?)```", DOCUMENT, re.DOTALL
)


@pytest.mark.parametrize(("line", "kind", "shown"), EXAMPLES, ids=[line for line, *_ in EXAMPLES])
def test_the_page_shows_what_is_printed(line, kind, shown):
    """Text line by line; JSON as a part of the answer."""
    out = explain(*shlex.split(line)[2:])
    if kind == "json":
        assert within(json.loads(shown), json.loads(out))
        return
    for part in shown.split("…\n"):
        assert part in out


def within(part, whole) -> bool:
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            name in whole and within(part[name], whole[name]) for name in part
        )
    if isinstance(part, list):
        return isinstance(whole, list) and all(any(within(one, other) for other in whole) for one in part)
    return part == whole


def test_the_page_has_examples_of_both_kinds():
    assert {kind for _, kind, _ in EXAMPLES} == {"text", "json"}
    assert not within({"a": [1]}, {"a": [2]})
