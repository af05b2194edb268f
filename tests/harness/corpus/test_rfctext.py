"""Paragraphs of an RFC text: sections, numbers, page breaks and digests."""

from __future__ import annotations

import pytest

from urlharness.corpus.model import Requirement
from urlharness.corpus.rfctext import (
    FOLDER,
    Citations,
    cited_paragraphs,
    paragraph_digest,
    read_configured_texts,
    read_texts,
)

TEXT = """\
Network Working Group

1. Introduction

   The first paragraph
   of two lines.

   The second begins here

Masinter    [Page 1]
\f
RFC 1738     Uniform Resource Locators     December 1994

   and goes on.

1.1. Details

   1. not a heading
   because it has two lines

Appendix A. More

   Appendix.

References

   [1]  A book
"""


@pytest.fixture
def citations():
    return Citations(TEXT.split("\n"))


def test_sections_have_their_titles(citations):
    assert citations.titles == {
        "front": "Front matter",
        "1": "Introduction",
        "1.1": "Details",
        "A": "More",
        "references": "References",
    }


def test_numbers_restart_after_each_heading(citations):
    places = [(paragraph.section, paragraph.number) for paragraph in citations]
    assert places == [
        ("front", 1),
        ("1", 1),
        ("1", 2),
        ("1", 3),
        ("1.1", 1),
        ("A", 1),
        ("references", 1),
    ]


def test_a_page_break_ends_a_paragraph_and_is_no_text(citations):
    assert citations.text("1", (2, 3)) == "   The second begins here    and goes on."


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        pytest.param(1, " The first\n\tparagraph of two lines. ", id="paragraph"),
        pytest.param((2, 3), "The second begins here and goes on.", id="two-paragraphs"),
    ],
)
def test_white_space_does_not_change_a_digest(citations, numbers, text):
    assert citations.digest("1", numbers) == paragraph_digest(text)


def test_a_letter_changes_a_digest(citations):
    assert citations.digest("1", 1) != paragraph_digest("The first paragraph of two line.")


def test_a_section_has_a_digest_for_each_paragraph(citations):
    assert citations.digests("1") == [citations.digest("1", number) for number in (1, 2, 3)]


def test_a_paragraph_that_does_not_exist_is_an_error(citations):
    with pytest.raises(KeyError, match=r"\('1', 4\)"):
        citations.text("1", 4)


def test_only_texts_in_the_folder_are_read(tmp_path):
    (tmp_path / "rfc1808.txt").write_text(TEXT, "ascii")
    assert list(read_texts(tmp_path, ("rfc1738", "rfc1808"))) == ["rfc1808"]


def test_bytes_that_are_not_utf_8_become_replacement_characters(tmp_path):
    (tmp_path / "rfc1808.txt").write_bytes(b"1. One\n\n   A caf\xe9.\n")
    texts = read_texts(tmp_path, ("rfc1808",))
    assert texts["rfc1808"].text("1", 1) == "   A caf\ufffd."


@pytest.mark.parametrize(
    ("section", "numbers", "text", "printed"),
    [
        pytest.param(
            "1",
            1,
            "The first paragraph of two lines.",
            ["   The first paragraph\n   of two lines."],
            id="paragraph",
        ),
        pytest.param(
            "1",
            (2, 3),
            "The second begins here and goes on.",
            ["   The second begins here", "   and goes on."],
            id="two-paragraphs",
        ),
        pytest.param("1", 1, "Another edition.", [], id="another-text"),
        pytest.param("1", 9, "The first paragraph of two lines.", [], id="no-such-paragraph"),
        pytest.param("7", 1, "", [], id="no-such-section"),
    ],
)
def test_only_the_cited_paragraphs_are_quoted(citations, section, numbers, text, printed):
    requirement = Requirement("r", section, numbers, paragraph_digest(text), "must", "States it.")
    assert cited_paragraphs(citations, requirement) == printed


@pytest.mark.parametrize(
    ("folder", "specs"),
    [
        pytest.param(None, [], id="no-folder"),
        pytest.param(".", ["rfc1808"], id="folder"),
        pytest.param("none", [], id="missing-folder"),
    ],
)
def test_the_texts_are_read_from_the_folder_that_the_user_names(tmp_path, monkeypatch, folder, specs):
    (tmp_path / "rfc1808.txt").write_text(TEXT, encoding="utf-8")
    monkeypatch.delenv(FOLDER, raising=False)
    if folder is not None:
        monkeypatch.setenv(FOLDER, str(tmp_path / folder))
    assert list(read_configured_texts()) == specs
