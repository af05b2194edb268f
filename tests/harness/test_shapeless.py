"""Characters without a shape of their own are spelled out, in every report and message."""

from __future__ import annotations

import io
import runpy
import sys
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from urlharness.protocol.messages import Implementation
from urlharness.report import github, junit, markdown, terminal
from urlharness.report.html import page
from urlharness.results.model import Participant, Result
from urlharness.text import logged, plain, needs_escape
from urloracle.errors import InvalidURL

pytestmark = pytest.mark.once

CHECKS = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("report_checks.py"))))

SPELLED = [
    pytest.param("//\u034fa", "//\\u{34f}a", id="grapheme-joiner"),
    pytest.param("\u115f\u1160\u3164\uffa0", "\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}", id="hangul-fillers"),
    pytest.param("\u17b4\u17b5", "\\u{17b4}\\u{17b5}", id="khmer-vowels"),
    pytest.param("\u180b\u180e\u180f", "\\u{180b}\\u{180e}\\u{180f}", id="mongolian"),
    pytest.param("\u2800", "\\u{2800}", id="blank-of-braille"),
    pytest.param("a\ufe0f\U000e0100", "a\\u{fe0f}\\u{e0100}", id="variation-selectors"),
    pytest.param("e\u0301", "e\\u{301}", id="mark"),
    pytest.param("a\u0903", "a\\u{903}", id="spacing-mark"),
    pytest.param("a\u20dd", "a\\u{20dd}", id="enclosing-mark"),
    pytest.param("\x1b\u202e\u00ad\ud800", "\\u{1b}\\u{202e}\\u{ad}\\u{d800}", id="not-printable"),
    pytest.param("\u00e9\u4e2d\U0001f600 a", "\u00e9\u4e2d\U0001f600 a", id="what-is-seen-stays"),
]


@pytest.mark.parametrize(("text", "shown"), SPELLED)
def test_what_has_no_shape_is_spelled_out(text, shown):
    assert plain(text) == logged(text) == shown


@pytest.mark.parametrize(("text", "shown"), SPELLED)
def test_a_caret_stands_below_what_is_spelled_out(text, shown):
    """The message of the oracle spells as its printer does, or the caret would stand elsewhere."""
    line, caret = InvalidURL(f"{text}x", "rfc3986", "URI", len(text)).caret().split("\n")
    assert line == f"  {shown}x"
    assert caret.index("^") == line.index(f"{shown}x") + len(shown)


def test_all_code_points_are_told_alike():
    """By the message of the oracle, and by a list that is not ours: no mark is left, nothing unprintable."""
    for char in map(chr, range(sys.maxunicode + 1)):
        alone = InvalidURL(char, "rfc3986", "URI", 0).caret().split("\n")[0]
        assert (alone != f"  {char}") is needs_escape(char), hex(ord(char))
        if unicodedata.category(char) in ("Mn", "Mc", "Me") or not char.isprintable():
            assert needs_escape(char), hex(ord(char))


@pytest.fixture
def results(make_case, record):
    """A wrong answer that looks right, of an implementation whose name nobody would see."""
    case = make_case("rfc3986-3.3-x", op="parse", expect={"components": {"path": "//a"}})
    name = "\u3164\u2800"
    wrong = Result(case.vector.id, name, "fail", detail="path is '//\u034fa', not '//a'", stderr="e\u0301")
    return record([case], Participant(name, "ran", Implementation(name, "1")), wrong)


def on_terminal(results) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=200, color_system=None, markup=False, emoji=False)
    terminal.print_tables(console, results)
    console.print(terminal.first_failures(results, results.participants[0].name), soft_wrap=True)
    return stream.getvalue()


RENDERED = {
    "terminal": (on_terminal, "\\u{3164}\\u{2800}", "'//\\u{34f}a'"),
    "markdown": (markdown.render, "\\u{3164}\\u{2800}", "'//\\u{34f}a'"),
    "junit": (junit.render, "\\u{3164}\\u{2800}", "'//\\u{34f}a'"),
    "github": (github.render, "\\u{3164}\\u{2800}", "'//\\u{34f}a'"),
    "html": (page.render, "⟨U+3164⟩⟨U+2800⟩</", ""),
}


@pytest.mark.parametrize("form", RENDERED)
def test_no_report_hides_a_character(results, form):
    render, name, detail = RENDERED[form]
    text = render(results)
    assert name in text
    assert detail in text
    if form != "html":  # which has marks of its own
        assert CHECKS.readable(text.replace("\n", ""))
