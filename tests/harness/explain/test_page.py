"""The page of an explanation: side by side, differences, steps, errors with a caret, derivations."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from urlharness.cli.browsers import browser_answer
from urlharness.corpus.differences import load_rulings
from urlharness.corpus.loader import load_classes
from urlharness.explain.gather import gather_explanations
from urlharness.explain.page import show_explanation
from urloracle.rfcs import SPECIFICATIONS

from ..cli.browser_label import with_installed_ada  # noqa: TID252 - tests are not an installed package

EXAMPLE = "http://user@host/a;b?c/d#e"
BASE = "http://a/b/c/d;p?q"
HOSTILE = ["http://\x1b[31m/", "\u202eh", "a\r\nb", "http://h/\u4f8b", "\ud800", "x" * 5000 + "~", ""]
DOCUMENT = (Path(__file__).parents[3] / "docs" / "explain.md").read_text(encoding="utf-8")


def on_terminal(text: str, width: int, base: str | None = None, *, tree: bool = False, **options) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=width, highlight=False, markup=False, **options)
    explanation = gather_explanations(text, _specs(base), base)
    show_explanation(console, explanation, tree=tree, remarks=[browser_answer(text, base).line])
    return out.getvalue()


def _specs(base):
    return [spec for spec in SPECIFICATIONS if base is None or SPECIFICATIONS[spec].defines("resolve")]


def without_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_derivation_on_a_terminal_has_guides():
    out = without_colour(on_terminal("//a/b", 100, tree=True))
    assert "├─ authority > host > reg-name" in out
    assert "RFC 2396, 2732: the derivation" in out


PRINTED = [(EXAMPLE, None), ("../../../g", BASE), ("1http://~u@h:/", None), ("", "http://a/b/../c?q#f")]
COMMANDS = [("--tree", "--", text) for text, base in PRINTED if base is None]
COMMANDS += [("--base", base, "--", text) for text, base in PRINTED if base is not None]


@pytest.mark.parametrize("options", COMMANDS, ids=" ".join)
def test_a_pipe_gets_plain_lines(explain, options):
    out = explain(*options)
    assert re.findall("[\x1b\u2500-\u257f]", out) == []
    assert [line for line in out.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize(("text", "base"), PRINTED)
def test_lines_without_a_derivation_fit_the_terminal(text, base, width):
    """The rules of a derivation alone may be wider than a narrow terminal."""
    lines = without_colour(on_terminal(text, width, base, tree=False)).splitlines()
    assert [line for line in lines if cell_len(line) > width] == []


@pytest.mark.parametrize(("text", "base"), PRINTED)
def test_no_line_on_a_terminal_ends_with_blanks(text, base):
    lines = without_colour(on_terminal(text, 80, base)).splitlines()
    assert [line for line in lines if line != line.rstrip()] == []


def test_a_terminal_with_colours_gets_them():
    assert "\x1b[31m" in on_terminal(EXAMPLE, 80, color_system="standard")


def test_no_color_turns_colours_off(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", on_terminal(EXAMPLE, 80, color_system="standard"))


@pytest.mark.parametrize("options", [("--tree",), ("--base", BASE)], ids=["alone", "with-a-base"])
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_untrusted_text_is_escaped(explain, text, options):
    assert explain(*options, "--", text).replace("\n", "").isprintable()


# the examples of docs/explain.md


def examples_of(kind: str) -> list[tuple[str, str]]:
    """Return the command lines of the document whose output is of a kind, each with the output."""
    pattern = rf"```sh\nurlconform explain ([^\n]*)\n```\n\n```{kind}\n(.*?)```"
    return re.findall(pattern, DOCUMENT, re.DOTALL)


TEXT_EXAMPLES, JSON_EXAMPLES = examples_of("text"), examples_of("json")


@pytest.mark.parametrize(("line", "printed"), TEXT_EXAMPLES, ids=[line for line, _ in TEXT_EXAMPLES])
def test_the_document_shows_the_text_that_is_printed(explain, line, printed):
    output = explain(*shlex.split(line))
    assert [part for part in with_installed_ada(printed).split("…\n") if part not in output] == []


@pytest.mark.parametrize(("line", "printed"), JSON_EXAMPLES, ids=[line for line, _ in JSON_EXAMPLES])
def test_the_document_shows_a_part_of_the_json(explain, line, printed):
    assert is_part_of(json.loads(printed), json.loads(explain(*shlex.split(line))))


def is_part_of(part, document) -> bool:
    """Check that mappings have these names, and lists these entries, and perhaps others."""
    if isinstance(part, dict):
        if not isinstance(document, dict) or not part.keys() <= document.keys():
            return False
        return all(is_part_of(part[name], document[name]) for name in part)
    if isinstance(part, list):
        if not isinstance(document, list):
            return False
        return all(any(is_part_of(entry, candidate) for candidate in document) for entry in part)
    return part == document


def test_the_document_has_examples_of_both_kinds():
    assert TEXT_EXAMPLES
    assert JSON_EXAMPLES


def test_a_list_with_an_entry_of_its_own_is_no_part_of_a_document():
    assert not is_part_of({"a": [1]}, {"a": [2]})


# the table


def columns_of(line):
    return re.split(r"\s{3,}", line.strip())


def test_neighbours_with_one_answer_share_a_column(explain):
    text, _, head, verdicts, *_ = explain(EXAMPLE).splitlines()
    assert text == EXAMPLE
    assert columns_of(head) == ["RFC 3986, 2396, 2732", "RFC 1808", "RFC 1738"]
    assert columns_of(verdicts) == ["verdict", "valid", "valid", "invalid at 11"]


def test_only_components_that_some_rfc_has_are_rows(explain):
    lines = explain(EXAMPLE).splitlines()
    assert [line.split() for line in lines if line.startswith("params")] == [["params", "b"]]
    assert [line for line in lines if line.startswith("port")] == []


@pytest.mark.parametrize(
    ("text", "name", "cells"),
    [
        pytest.param("http://h/p?", "query / search", ['""', '""', '""'], id="empty"),
        pytest.param("//", "host", ['""', "∅"], id="empty-and-absent"),
    ],
)
def test_absent_and_empty_components_have_signs_of_their_own(explain, text, name, cells):
    assert [name, *cells] in [columns_of(line) for line in explain(text).splitlines()]


@pytest.mark.parametrize(
    ("text", "legend"),
    [
        pytest.param("http://h/p?", '"" empty', id="empty"),
        pytest.param("//", '∅ absent, "" empty', id="empty-and-absent"),
    ],
)
def test_the_legend_explains_only_the_signs_in_the_table(explain, text, legend):
    _text, _table, legend_shown, *_ = explain(text).split("\n\n")
    assert legend_shown == legend


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("prospero://h/a;f=v;g=", ["fieldspecs", "f=v, g="]),
        ("ftp://h/a;type=i", ["ftptype", "i"]),
        ("news:a@b", ["article", "a@b"]),
    ],
    ids=["prospero", "ftp", "news"],
)
def test_components_of_one_scheme_are_shown(explain, text, row):
    assert row in [columns_of(line) for line in explain(text).splitlines()]


# where they differ


def test_a_class_is_shown_with_sides_sections_and_rulings(explain):
    """Title, both sides with their sections (RFC 1738, 3.3), statement, effect, rulings and readings."""
    entry = load_classes()["search-slash"]
    out = explain("http://h/?a/b")
    block = out.partition("Where they differ\n\n")[2].partition("\n\n")[0].splitlines()
    assert block == [
        f"{entry.title}  [search-slash]",
        "  RFC 3986 (3.4), 2396 (3.4), 2732 (3), 1808 (2.2): accepts it",
        "  RFC 1738 (3.3): refuses '/' at 11",
        f"  {entry.statement}",
        f"  Effect: {entry.effect}",
        *(f"  {ruling} {load_rulings()[ruling]}" for ruling in ("R-1738-14", "R-1738-25")),
    ]


@pytest.mark.parametrize("text", ["http://h.a/p", "http://h/{a}", "http://h/a b"])
def test_no_difference_is_shown_if_all_rfcs_agree(explain, text):
    assert "Where they differ" not in explain(text)
    assert json.loads(explain(text, "--json"))["differences"] == []


def test_a_difference_without_a_class_is_shown(explain):
    """RFC 1808, section 4, step 1: an unknown base."""
    out = explain("g", "--base", "")
    assert "A difference without a class\n  RFC 3986, 2396, 2732: a base must be absolute" in out
    assert "\n  RFC 1808: accepts it\n" in out
    assert len(json.loads(explain("g", "--base", "", "--json"))["unnamed"]) == 1


def test_every_cited_ruling_has_a_text():
    cited = set()
    for entry in load_classes().values():
        cited.update(entry.rulings)
    assert [ruling for ruling in cited if not load_rulings().get(ruling)] == []


# what is wrong


def test_the_page_says_why_a_text_is_invalid(explain):
    out = explain("http://h/a b", "--spec", "3986")
    assert out.endswith(
        "Not valid\n\n"
        "RFC 3986 (3): a blank at offset 10\n"
        "  http://h/a b\n"
        "            ^\n"
        "  expected: a-z A-Z 0-9 ! # $ % & ' ( ) * + , - . / : ; = ? @ _ ~\n"
        "  nearest: http://h/a%20b (escape ' ' at offset 10)\n"
    )


GENERIC_FORM = "The generic form of RFC 1738 derives the text;"


def test_the_generic_form_of_rfc_1738_is_noted_if_only_it_accepts_the_text(explain):
    assert GENERIC_FORM in explain("http://user@host/")


@pytest.mark.parametrize("text", ["http://h/#", "http://h/"], ids=["refused-too", "accepted-by-the-scheme"])
def test_the_generic_form_of_rfc_1738_is_not_noted_if_it_makes_no_difference(explain, text):
    assert GENERIC_FORM not in explain(text)


def test_the_caret_is_below_the_character(explain):
    """Invisible characters are escaped, and a long text is cut around the offset."""
    _, _, message = explain(f"{'x' * 100}\x1b{'y' * 100}", "--spec", "3986").partition("Not valid\n")
    text_line, mark = message.splitlines()[2:4]
    assert text_line.startswith("  ...xxx")
    assert text_line.endswith("yyy...")
    assert text_line.index(r"\u{1b}") == mark.index("^")


# the derivation


def test_a_derivation_in_a_pipe_is_an_indented_table(explain):
    """Rules that derive the same share a line; each part is below its place (RFC 3986, 3)."""
    out = explain("http://a/b/../c", "--spec", "3986")
    assert out.partition("RFC 3986: the derivation\n")[2].splitlines() == [
        "                                 http://a/b/../c",
        "URI-reference > URI              http://a/b/../c  4.1, 3",
        "  scheme                         http             3.1",
        "  hier-part                           //a/b/../c  3",
        "    authority > host > reg-name         a         3.2, 3.2.2",
        "    path-abempty                         /b/../c  3.3",
        "      segment                             b       3.3",
        "      segment                               ..    3.3",
        "      segment                                  c  3.3",
    ]


def test_only_twelve_of_many_segments_are_shown_and_the_others_counted(explain):
    out = explain("//h/" + "/".join("abcdefghijklmnopqrst"), "--spec", "3986")
    assert "… 8 more" in out
    assert out.count(" segment ") == 12


def test_derivations_are_not_shown_without_a_request(explain):
    assert "the derivation" not in explain("http://h/")


def test_derivations_are_shown_on_request(explain):
    assert "RFC 1808: the derivation" in explain("http://h/", "--tree")


@pytest.mark.parametrize(
    ("spec", "target", "lines"),
    [
        (
            "rfc1808",
            "http://a/../g",
            [r"6c   a segment is removed with the `..` after it: c/..\s+/b/../../g"],
        ),
        (
            "rfc2396",
            "http://a/../g",
            [r"6g   the path still begins", r"or      http://a/g  \(excess-dropped, R-2396-18\)"],
        ),
        (
            "rfc3986",
            "http://a/g",
            [
                r"  2C    removes c from the output, with the `..`\s+/b \| /../../g",
                r"  2C    drops `..`; the output has no",
            ],
        ),
    ],
    ids=["rfc1808", "rfc2396", "rfc3986"],
)
def test_the_steps_of_a_resolution_are_shown(explain, spec, target, lines):
    """RFC 1808, 4; RFC 2396, 5.2; RFC 3986, 5.2.4."""
    out = explain("../../../g", "--base", BASE, "--spec", spec)
    assert f"  target  {target}\n" in out
    assert [line for line in lines if not re.search(line, out)] == []


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc3986"])
def test_the_last_step_of_a_resolution_is_its_target(explain, spec):
    document = json.loads(explain("../../../g", "--base", BASE, "--spec", spec, "--json"))
    answer = document["answers"][spec]
    *_, last_step = answer["steps"]
    assert last_step["value"] == answer["url"]


def test_rfcs_with_the_same_steps_are_one_group(explain):
    out = explain("../g", "--base", BASE)
    assert "RFC 1738 does not define relative references.\n" in out
    assert "\nRFC 2396, 2732\n  1" in out


def test_a_refused_base_is_named_with_the_section_and_the_ruling(explain):
    """RFC 2396, section 5."""
    out = explain("g", "--base", "mailto:u@h", "--spec", "2396")
    assert "RFC 2396 (5): an opaque base has no path to resolve against (section 5, R-2396-21)" in out


def test_json_has_the_base_that_is_refused_and_the_offset(explain):
    document = json.loads(explain("g", "--base", "mailto:u@h", "--spec", "2396", "--json"))
    answer = document["answers"]["rfc2396"]
    assert answer["valid"] is False
    assert answer["invalid"] == "mailto:u@h"
    assert answer["at"] == 7
