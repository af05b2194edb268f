"""A document on a terminal and as Markdown: no line is too long, and each text is shown as it is."""

from __future__ import annotations

import io

import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len
from rich.console import Console

from urlharness.report.document import (
    WIDTH,
    AnswerLine,
    Grid,
    Heading,
    Lines,
    Listing,
    as_markdown,
    code_block,
    code_span,
    print_blocks,
    table_lines,
    words_or_code,
)


def printed(blocks, width=WIDTH):
    """Return what a terminal of this width shows."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None, legacy_windows=False, force_terminal=True)
    print_blocks(console, blocks)
    return stream.getvalue()


LONG = "n" * 150 + "界" * 80
BLOCKS = [
    Heading(f"{LONG} {LONG}"),
    Lines([LONG, " ".join(["word"] * 90)]),
    Grid([LONG, "b", "c"], [[LONG, LONG, "3"], ["", "x", LONG]], frozenset({2})),
    Listing(
        LONG, LONG, [AnswerLine(LONG, LONG, "defect"), AnswerLine("a", LONG), AnswerLine("b", "")], "again"
    ),
    Listing("a", "b", [], f"urlconform ask {LONG}"),
    Listing("a", f"{'n' * 96}… (2,000 characters)", []),
]


@pytest.mark.parametrize("width", [40, 80, 100, 400])
def test_no_line_is_too_long(width):
    lines = printed(BLOCKS, width).splitlines()
    assert max(map(cell_len, lines)) <= min(width, WIDTH)


def test_a_cause_is_not_cut():
    assert printed(BLOCKS).count("  [defect]\n") == 1


def test_an_abbreviation_is_not_abbreviated_again():
    assert "……" not in printed(BLOCKS)


def test_a_command_is_shown():
    assert "\n    again\n" in printed(BLOCKS)


def test_a_terminal_does_not_show_a_command_that_does_not_fit():
    assert "urlconform ask" not in printed(BLOCKS)


def test_markdown_shows_a_command_of_any_length():
    assert f"urlconform ask {LONG}" in as_markdown(BLOCKS)


# ---- as Markdown


UNESCAPED = [
    "Several @, or user information that looks like a host",
    "News groups, articles and *",
    "go_net_url and parse_url",
    "a | b",
    "1 < 2 & 3",
    "a ] b",
]


@pytest.mark.parametrize("text", UNESCAPED)
def test_markdown_escapes_no_sign_without_a_meaning(text):
    assert as_markdown([Heading(text)]) == f"# {text}\n"


ESCAPED = [
    "*a*", "_a_ _", "`a`", "~~a~~", "[a](b)", "![a](b)", "<b>", "&lt;", "\\*a*", "* a", "> a", "a\\",
    "<!-- a -->",
]  # fmt: skip


@pytest.mark.parametrize("text", ESCAPED)
def test_markdown_shows_a_line_as_it_is(text):
    tokens = MarkdownIt("commonmark").enable("strikethrough").parse(as_markdown([Lines([text])]))
    (line,) = (token for token in tokens if token.type == "inline")
    kinds = {child.type for child in line.children}
    content = "".join(child.content for child in line.children)
    assert content == text
    assert kinds == {"text"}


def test_markdown_mentions_nobody():
    assert "@octo" not in as_markdown([Heading("by @octo-cat")])


def test_every_block_has_its_markdown():
    grid = Grid(["library", "count"], [["a|b", "3"]], frozenset({1}))
    listing = Listing(
        "title", "parse <x>", [AnswerLine("lib", "host a", "defect"), AnswerLine("more", "")], "urlconform x"
    )
    assert as_markdown([Heading("One"), Heading("Two"), Lines(["a line"]), grid, listing]) == (
        "# One\n\n## Two\n\n- a line\n\n"
        "| library | count |\n| --- | ---: |\n| `a\\u{7c}b` | 3 |\n\n"
        "### title\n\n`parse <x>`\n\n- lib: `host a` (defect)\n- more\n\n"
        "```sh\nurlconform x\n```\n"
    )


#: A text, and how it is shown in a line.
INLINE = [
    ("Path Component", "Path Component"),
    ("section 5.2.4 (a)", "section 5.2.4 (a)"),
    ("BNF for specific URL schemes", "BNF for specific URL schemes"),
    ("Network Location/Login", "Network Location/Login"),
    ("URL's Syntax", "URL's Syntax"),
    ("a|b", "`a|b`"),
    ("see @octocat", "`see @octocat`"),
    ("#12", "`#12`"),
    ("GH-12", "`GH-12`"),
    ("example.com", "`example.com`"),
    ("www", "`www`"),
    ("http://a/", "`http://a/`"),
    ("*a*", "`*a*`"),
    ("1. one", "`1. one`"),
    ("0123456789abcdef", "`0123456789abcdef`"),
    ("a`b", "``a`b``"),
    ("`", "`` ` ``"),
    (" a", "`  a `"),
    ("", "*empty*"),
    ("  ", "*2 blanks*"),
    ("a\nb", "`a\\u{a}b`"),
    ("\u202ea", "`\\u{202e}a`"),
]


@pytest.mark.parametrize(("text", "printed"), INLINE)
def test_texts_are_escaped_inline(text, printed):
    assert words_or_code(text) == printed


def test_a_plain_word_is_code_as_it_is():
    assert code_span("word") == "`word`"


def test_a_fence_is_longer_than_the_backticks_in_it():
    assert code_block(["a", "````"], "sh") == "`````sh\na\n````\n`````"


def test_a_bar_in_a_cell_is_a_code_point():
    assert table_lines(["a", "b"], [["`x|y`", "1"]]) == ["| a | b |", "| --- | ---: |", "| `x\\u{7c}y` | 1 |"]


def names_in_markdown(count):
    """Return the lines of a page that lists so many names."""
    names = ", ".join(f"@group/library-{number}" for number in range(count))
    page = as_markdown([Listing("title", "question", [AnswerLine("same host", names, names=True)])])
    return page.split("\n")


def test_markdown_shows_twelve_names_in_a_line():
    (line,) = (line for line in names_in_markdown(12) if line.startswith("- same host"))
    assert line.count("library-") == 12


def test_markdown_begins_a_longer_list_with_four_names():
    (line,) = (line for line in names_in_markdown(13) if line.startswith("- same host"))
    assert line.count("library-") == 4
    assert line.endswith(" and 9 more")


def test_markdown_folds_all_names_of_a_longer_list():
    page = "\n".join(names_in_markdown(80))
    _, _, folded = page.partition("<details><summary>all 80</summary>")
    assert [number for number in range(80) if f"library-{number}" not in folded] == []


def test_no_line_of_folded_names_is_long():
    lines = names_in_markdown(80)
    beginning = lines.index("  <details><summary>all 80</summary>")
    assert max(map(len, lines[beginning:])) <= len("  ") + WIDTH


def test_folded_names_are_a_paragraph_of_the_item():
    tokens = MarkdownIt("commonmark").parse("\n".join(names_in_markdown(80)))
    kinds = [token.type for token in tokens if token.type.endswith(("_open", "block"))]
    item_kinds = ["paragraph_open", "html_block", "paragraph_open", "html_block"]
    assert kinds[kinds.index("list_item_open") + 1 :] == item_kinds


def test_folded_names_mention_nobody():
    assert "@group" not in "\n".join(names_in_markdown(80))


def test_markdown_does_not_cut_an_abbreviation():
    abbreviation = f"{'x' * 150}… (2,009 characters, SHA-256 {'0' * 64})"
    listing = Listing("title", "question", [AnswerLine("RFC 3986", abbreviation)], again="command")
    assert f"`{abbreviation}`" in as_markdown([listing])


def test_markdown_says_that_results_abbreviate_a_text():
    abbreviation = f"x… (2,009 characters, SHA-256 {'0' * 64})"
    listing = Listing("title", "question", [AnswerLine("RFC 3986", abbreviation)], again="command")
    assert "are shortened; the command prints the question whole" in as_markdown([listing])


def test_markdown_cuts_a_text_before_the_name_of_a_component():
    # the limit of 200 characters falls inside the word `path`, so the 8 characters from its blanks on are cut
    words = f"host {'h' * 190}  path /"
    listing = Listing("title", "question", [AnswerLine("RFC 3986", words)], again="command")
    assert f"{'h' * 190}… (and 8 characters more)" in as_markdown([listing])
