"""`urlconform explain`: a text under each RFC, the differences by name, what is wrong, its derivation."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from urlharness.cli.understand.explain import explain as command
from urlharness.corpus.differences import load_classes, load_rulings
from urlharness.explain.page import caret

pytestmark = pytest.mark.once

EXAMPLE = "http://user@host/a;b?c/d#e"


def explain(*arguments: str) -> str:
    """What the command prints in a pipe."""
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert done.exception is None, done.exception
    assert done.return_value == 0
    return done.output


# the table


def test_side_by_side():
    """Neighbours with one answer share a column; a row that says nothing is not there."""
    lines = explain(EXAMPLE).splitlines()
    assert lines[0] == EXAMPLE
    assert re.split(r"\s{3,}", lines[2].strip()) == ["RFC 1738", "RFC 1808", "RFC 2396, 2732, 3986"]
    assert re.split(r"\s{3,}", lines[3].strip()) == ["verdict", "invalid at 11", "valid", "valid"]
    assert not any(line.startswith("port") for line in lines)
    assert "params                                b" in lines


@pytest.mark.parametrize(
    ("text", "row", "legend"),
    [
        ("http://h/p?", r'query / search\s+""\s+""\s+""', '"" empty'),
        ("//", r'host\s+∅\s+""', '∅ absent, "" empty'),
        ("http://h/", r"scheme\s+http\s+http\s+http", '"" empty'),
    ],
)
def test_absent_and_empty_are_kept_apart(text, row, legend):
    out = explain(text)
    assert re.search(f"^{row}", out, re.MULTILINE)
    assert legend in out.splitlines()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("prospero://h/a;f=v;g=", "fieldspecs            f=v, g="),
        ("ftp://h/a;type=i", "ftptype               i"),
        ("news:a@b", "article   a@b"),
    ],
)
def test_components_of_one_scheme(text, line):
    assert line in explain(text).splitlines()


# where they differ


def test_each_class_says_who_says_what_where_and_why():
    """Title, both sides with their sections (RFC 1738, 3.3), statement, effect, rulings and readings."""
    entry = load_classes()["search-slash"]
    out = explain("http://h/?a/b")
    block = out.partition("Where they differ\n\n")[2].partition("\n\n")[0].splitlines()
    assert block == [
        f"{entry.title}  [search-slash]",
        "  RFC 1738 (3.3): refuses '/' at 11",
        "  RFC 1808 (2.2), 2396 (3.4), 2732 (3), 3986 (3.4): takes it",
        f"  {entry.statement}",
        f"  Effect: {entry.effect}",
        *(f"  {ruling} {load_rulings()[ruling]}" for ruling in ("R-1738-14", "R-1738-25")),
    ]


@pytest.mark.parametrize("text", ["http://h.a/p", "http://h/{a}", "http://h/a b"])
def test_where_all_agree_there_is_no_difference(text):
    assert "Where they differ" not in explain(text)
    assert json.loads(explain(text, "--json"))["differences"] == []


def test_a_difference_without_a_name_is_said_to_be_one():
    """RFC 1808, section 4, step 1: an unknown base."""
    out = explain("g", "--base", "")
    assert "A difference that no class accounts for\n  RFC 1808: takes it\n  RFC 2396, 2732, 3986: a" in out
    assert len(json.loads(explain("g", "--base", "", "--json"))["unnamed"]) == 1


def test_every_reading_is_at_hand():
    cited = {ruling for entry in load_classes().values() for ruling in entry.rulings}
    assert {ruling for ruling in cited if not load_rulings().get(ruling)} == set()


# what is wrong


def test_why_a_text_is_invalid():
    out = explain("http://h/a b", "--spec", "3986")
    assert out.endswith(
        "Not valid\n\nRFC 3986 (3): U+0020 at offset 10\n".replace("U+0020", "a blank") + "  http://h/a b\n"
        "            ^\n"
        "  expected: a-z A-Z 0-9 ! # $ % & ' ( ) * + , - . / : ; = ? @ _ ~\n"
        "  nearest: http://h/ab (delete a blank at offset 10)\n"
    )


def test_the_generic_form_of_rfc_1738():
    said = "The generic form of RFC 1738 derives it"
    assert said in explain("http://user@host/")
    assert said not in explain("http://h/#")
    assert said not in explain("http://h/")


@pytest.mark.parametrize(
    ("text", "position", "width", "expected"),
    [
        ("abc", 1, 60, ["  abc", "   ^"]),
        ("abc", 3, 60, ["  abc", "     ^"]),
        ("a\x00bc", 2, 60, ["  a\\u{0}bc", "        ^"]),
        ("x" * 100 + "~", 100, 30, [f"  ...{'x' * 10}~", "               ^"]),
        ("~" + "x" * 100, 0, 30, [f"  ~{'x' * 19}...", "  ^"]),
    ],
)
def test_the_caret_stands_below_the_character(text, position, width, expected):
    assert caret(text, position, width) == expected


# the derivation


def test_a_derivation_in_a_pipe():
    """Rules that derive the same share a line; each part stands below its place (RFC 3986, 3)."""
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


def test_many_segments_are_counted():
    out = explain("//h/" + "/".join("abcdefghijklmnopqrst"), "--spec", "3986")
    assert "… 8 more" in out
    assert out.count(" segment ") == 12


def test_trees_only_where_asked_for():
    assert "the derivation" not in explain("http://h/")
    assert "RFC 1808: the derivation" in explain("http://h/", "--tree")
