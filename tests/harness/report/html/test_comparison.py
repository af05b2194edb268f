"""The comparison on a page: causes, classes, selection, order, links, and bypasses with their remedies."""

from urllib.parse import quote

import pytest
import query_samples
from html_text import Page
from report_samples import sample_bypass

from urlharness.compare.bypass import BypassClass, BypassRow, Witness
from urlharness.compare.causes import Cause
from urlharness.compare.matrix import disagreements_in, make_matrix
from urlharness.compare.query import select
from urlharness.corpus.loader import load_classes
from urlharness.report.comparison import repeat_blocks
from urlharness.report.html.comparison import PageSelection, compare_one, compare_several, harm_shade
from urlharness.report.html.page import render, render_bypasses


@pytest.fixture
def matrix(make_case, record):
    """Four questions that three libraries answer differently."""
    return make_matrix(query_samples.query_results(make_case, record))


@pytest.fixture
def chapter(matrix):
    """The comparison of these libraries."""
    return compare_several(matrix, matrix.disagreements, load_classes(), [], PageSelection())


def blocks_of(chapter, kind):
    """Return the contents of all blocks of a kind."""
    return [content for part in chapter.parts for name, content in part.blocks if name == kind]


def cards_of(chapter):
    """Return the unfolded and the folded cards."""
    cards = []
    for cards_of_block in (*blocks_of(chapter, "cards"), *blocks_of(chapter, "folded")):
        cards += cards_of_block
    return cards


def test_causes_have_their_counts_and_meanings_the_worst_first(chapter):
    causes = blocks_of(chapter, "table")[0]
    assert [tuple(cell.text for cell in row) for row in causes.rows] == [
        ("defect", "1", Cause.DEFECT.meaning),
        ("decoding or case only", "1", Cause.SPELLING.meaning),
        ("browser behaviour", "2", Cause.BROWSER.meaning),
    ]


def test_a_cause_links_to_its_questions(chapter, matrix):
    rows = blocks_of(chapter, "table")[0].rows
    counts = {
        name.text: len(select(matrix.disagreements, name.query, matrix.names)) for name, _count, _ in rows
    }
    assert counts == {"defect": 1, "decoding or case only": 1, "browser behaviour": 2}


def test_a_class_links_to_its_questions(chapter, matrix):
    """Each of the three classes has one question; the fourth differs in spelling only, and is in no class."""
    counts = [len(select(matrix.disagreements, card.query, matrix.names)) for card in cards_of(chapter)]
    assert counts == [1, 1, 1]


def test_the_most_harmful_class_comes_first(chapter):
    assert [card.listing.severity for card in cards_of(chapter)] == ["host", "host", "verdict"]


def test_a_class_shows_the_answer_of_the_rfc_and_of_each_library_with_its_cause(chapter):
    (card,) = (card for card in cards_of(chapter) if "ipv4-forms" in card.query)
    assert [(answer.label, answer.words, answer.note) for answer in card.listing.answers] == [
        ("RFC 3986", "host 0x7f.1  scheme http  path /p", ""),
        ("right, node-url", "host 0x7f.1  scheme http  path /p", ""),
        ("urllib", "host 127.0.0.1  scheme http  path /p", "browser behaviour"),
    ]


def test_differences_in_spelling_are_counted(chapter):
    lines = [line for lines in blocks_of(chapter, "lines") for line in lines]
    assert "Besides: 1 question with differences in spelling only." in lines


@pytest.fixture
def selected_chapter(matrix):
    """The comparison with `--only host`."""
    selected = disagreements_in(matrix.disagreements, ["host"])
    selection = PageSelection("--only host", "differs:host")
    return compare_several(matrix, selected, load_classes(), [], selection)


def test_the_selection_is_named_with_what_it_leaves_out(selected_chapter):
    words = "Selected by --only host: 2 of 4 questions with different answers."
    assert selected_chapter.selection == words


def test_the_headline_counts_all_differences_and_those_selected(selected_chapter):
    end = "4 questions, 4 with different answers, 2 of them selected"
    assert selected_chapter.headline == f"RFC 3986: 3 libraries, {end}"


def test_without_a_selection_none_is_named(chapter):
    assert chapter.selection == ""


def test_a_link_keeps_the_selection(selected_chapter):
    assert [card.query.split()[0] for card in cards_of(selected_chapter)] == ["differs:host"] * 2


def rows_in_order(chapter, matrix):
    """Return the names of the questions in the order of their rows."""
    names = dict(zip(matrix.results.vectors, query_samples.ROWS, strict=True))
    return [names[identifier] for identifier in sorted(chapter.order, key=chapter.order.__getitem__)]


def test_rows_come_by_harm(chapter, matrix):
    assert rows_in_order(chapter, matrix) == ["host", "resolved", "refused", "spelled"]


def test_selected_rows_come_first(selected_chapter, matrix):
    assert rows_in_order(selected_chapter, matrix)[:2] == ["host", "resolved"]


@pytest.fixture
def page(matrix, chapter):
    """The page of the comparison."""
    return Page(render(matrix.results, matrix=matrix, start="is:different", comparison=chapter))


def test_the_page_begins_with_the_comparison(page):
    landmarks = [
        "URL comparison",
        "RFC 3986: 3 libraries, 4 questions, 4 with different answers",
        "Why they differ",
        "Cases\n",
        "Verdict by RFC",
    ]
    assert sorted(landmarks, key=page.text.index) == landmarks


def test_the_page_explains_every_cause(page):
    assert [cause for cause in Cause if cause.meaning not in page.text] == []


def test_the_page_links_a_class_to_its_cases(page, chapter):
    queries = [card.query for card in cards_of(chapter)]
    assert len(queries) == 3
    assert {f"#q={quote(query, safe=':')}" for query in queries} - page.targets() == set()


def briefs_of(page, identifier):
    """Return the severity of the row of a case, and (label, words) of its answers."""
    number = [case_id for _, case_id, *_ in page.data()["cases"]].index(identifier)
    briefs = page.data("details")["briefs"]
    severity, *numbers = briefs["cases"][number]
    texts = [briefs["texts"][text] for text in numbers]
    labels, words = texts[::2], texts[1::2]  # they take turns
    return briefs["severities"][severity], list(zip(labels, words, strict=True))


BRIEFS = [
    pytest.param(
        "host",
        "host",
        [("RFC 3986", "host 0x7f.1"), ("right, node-url", "host 0x7f.1"), ("urllib", "host 127.0.0.1")],
        id="host",
    ),
    pytest.param(
        "resolved",
        "host",
        [
            ("RFC 3986", "http:///g"),
            ("right", "http:///g"),
            ("urllib", "http://a/g"),
            ("node-url", "http://g/"),
        ],
        id="short-results",
    ),
    pytest.param(
        "spelled",
        "port",
        [("RFC 3986", "port 80"), ("right, node-url", "port 80"), ("urllib", "no port")],
        id="spelling",
    ),
    pytest.param(
        "refused",
        "verdict",
        [
            ("RFC 3986", "host h  scheme http  port 80  path /P"),
            ("urllib, node-url", "reject"),
            ("right", "host h  scheme http  port 80  path /P"),
        ],
        id="verdict",
    ),
]


@pytest.mark.parametrize(("name", "severity", "answers"), BRIEFS)
def test_a_row_has_the_severity_and_every_answer(page, matrix, name, severity, answers):
    names = dict(zip(query_samples.ROWS, matrix.results.vectors, strict=True))
    assert briefs_of(page, names[name]) == (severity, answers)


@pytest.fixture
def chapter_of_urllib(matrix):
    """The comparison of one library with the RFC."""
    wrong = matrix.differences_from_rfc("urllib")
    return compare_one(matrix, "urllib", wrong, load_classes(), [], PageSelection())


def test_the_page_of_one_library_has_its_answer_first(matrix, chapter_of_urllib):
    page = Page(render(matrix.results, matrix=matrix, comparison=chapter_of_urllib))
    assert matrix.results.vectors
    for identifier in matrix.results.vectors:
        _severity, answers = briefs_of(page, identifier)
        _of_rfc, (label, _words), *_ = answers
        assert "urllib" in label, identifier


def test_the_page_of_one_library_has_its_column_first(matrix, chapter_of_urllib):
    page = Page(render(matrix.results, matrix=matrix, comparison=chapter_of_urllib))
    columns = page.data()["quality"]
    assert page.data()["ordered"] == "quality"
    assert page.data()["implementations"][columns[0]] == "urllib"
    assert sorted(columns) == [0, 1, 2]


def test_the_page_of_several_libraries_has_the_columns_of_the_run(matrix, chapter):
    page = Page(render(matrix.results, matrix=matrix, comparison=chapter))
    assert page.data()["ordered"] == "run"


def test_the_page_of_one_library_lists_what_only_it_gets_wrong(chapter_of_urllib):
    titles = [part.title for part in chapter_of_urllib.parts if part.title.startswith("Only ")]
    assert titles == ["Only urllib: 3 classes, 3 questions"]


SHADES = [("host", "grave"), ("net_loc", "grave"), ("path", "part"), ("verdict", "verdict"), ("", "verdict")]


@pytest.mark.parametrize(("component", "shade"), SHADES)
def test_the_shade_says_how_harmful_a_component_is(component, shade):
    assert harm_shade(component) == shade


# ---- who checks, who fetches


BACKSLASH = BypassClass(
    BypassRow.OTHER_TARGET,
    "backslash",
    tuple(Witness(f"//a\\@b/{'x' * number}", "b", "a") for number in range(60)),
    Witness("http://evil.example\\@good.example/", "good.example", "evil.example"),
)


def bypass_page(*groups):
    """Return the page of bypasses of these classes, some of which each RFC but the first leaves."""
    return Page(render_bypasses(sample_bypass(*groups, remaining=range(5)), load_classes()))


def test_the_page_says_that_there_is_a_bypass():
    assert "check check, fetch fetch: BYPASSABLE in 1 way" in bypass_page(BACKSLASH).text


def test_the_page_says_how_to_close_a_bypass():
    page = bypass_page(BACKSLASH)
    assert page.text.index("How to close it") < page.text.index("The texts, by class")
    assert "refuses leaves 0 of 60." in page.text


def test_each_text_of_a_bypass_has_both_hosts():
    _, first, *_ = bypass_page(BACKSLASH).table("grid", 1)
    assert first == ["//a\\@b/", "b", "a"]


def test_the_shortest_texts_of_a_large_class_are_shown():
    """The texts of the class begin with the shortest, and a page shows no more than 50."""
    _head, *rows = bypass_page(BACKSLASH).table("grid", 1)
    assert [text for text, _checked, _fetched in rows] == [
        witness.text for witness in BACKSLASH.witnesses[:50]
    ]


def test_the_page_says_how_many_of_the_texts_are_shown():
    assert "The 50 shortest of 60 texts" in bypass_page(BACKSLASH).text


def test_the_page_of_a_bypass_ends_with_how_to_repeat_it():
    bypasses = sample_bypass(BACKSLASH)
    repeat = list(repeat_blocks(bypasses, "urlconform compare --check 'a b'", "2026-01-02 03:04:05"))
    page = Page(render_bypasses(bypasses, load_classes(), repeat=repeat))
    _, _, after_heading_of_texts = page.text.partition("The texts, by class")
    _, _, last_part = after_heading_of_texts.partition("How to repeat it")
    assert "2026-01-02 03:04:05 UTC" in last_part
    assert "urlconform compare --check 'a b'" in last_part


def test_the_page_of_a_bypass_has_no_script():
    page = bypass_page(BACKSLASH)
    assert page.scripts == []
    assert "script-src 'none'" in page.policy()


def test_without_a_bypass_there_is_nothing_to_close():
    page = bypass_page()
    assert "no bypass in 10 texts" in page.text
    assert "How to close it" not in page.text


def test_a_hostile_text_is_only_text():
    text = "http://<script>globalThis.pwned=1</script>\u202e/"
    group = BypassClass(BypassRow.OTHER_TARGET, None, (Witness(text, "<b>", "a"),))
    page = bypass_page(group)
    assert page.scripts == []
    assert "<script>globalThis.pwned=1</script>\\u{202e}" in page.text
