"""The view of a case: question, expectation, answers and replies; and the search in answers."""

import re
from typing import Any, NamedTuple

import msgspec
import pytest
import report_samples

from urlharness.corpus.model import Case, Requirement, Vector
from urlharness.report.html.page import render
from urlharness.results.model import AskedVector, Participant, Result

#: One library, which tells absent from empty components.
RAN = (Participant("lib", "ran", features=("absent-vs-empty",)),)


class Asked(NamedTuple):
    """A question with what it expects, a wrong reply with its verdict, and what the page says of them."""

    question: dict[str, Any]
    reply: dict[str, Any]
    verdict: str
    words_of_input: list[str]
    words_of_expectation: list[str]
    words_of_answer: list[str]


CASES = {
    "extract": Asked(
        question={"text": "see <a:b-\n  c>", "expect": {"urls": [["a:b-c", "a:bc"], ["d:e"]]}},
        reply={"urls": [["a:c"], []]},
        verdict="URL 1 is 'a:c', not 'a:b-c' or 'a:bc'",
        words_of_input=["see <a:b-U+000A\nU+0020U+0020c>"],
        words_of_expectation=["a:b-c or a:bc", "d:e"],
        words_of_answer=["a:c", "(no reading)", "URL 1 is 'a:c', not 'a:b-c' or 'a:bc'"],
    ),
    "equivalent": Asked(
        question={"url": "A:b", "other": "a:b", "mode": "scheme", "expect": {"equal": True}},
        reply={"equal": False},
        verdict="got different",
        words_of_input=["A:b", "a:b"],
        words_of_expectation=["equivalent"],
        words_of_answer=["different"],
    ),
    "decode": Asked(
        question={
            "url": "ftp://h/%2Fa//%FF",
            "expect": {"decoded": {"cwd": ["/a", ""], "name": {"hex": "ff"}}},
        },
        reply={"decoded": {"cwd": ["a"], "name": {"hex": "ff"}, "local": True, "fields": [["x", ""]]}},
        verdict="cwd is ['a'], not ['/a', '']",
        words_of_input=["ftp://h/%2Fa//%FF"],
        words_of_expectation=["[/a, (empty string)]", "(octets) ff"],
        words_of_answer=["[a]", "true", "x = (empty string)"],
    ),
    "base": Asked(
        question={"embedded": "", "retrieval": "http://a/b", "expect": {"base": "http://a/b"}},
        reply={"base": None, "layer": "embedded"},
        verdict="got no base",
        words_of_input=["embedded\n(empty string)", "retrieval\nhttp://a/b"],
        words_of_expectation=["http://a/b"],
        words_of_answer=["(no base)"],
    ),
    "base-header": Asked(
        question={"header": "Base: <a:b>", "expect": {"valid": False, "at": 7}},
        reply={"base": "a:b"},
        verdict="accepted, although it is not valid",
        words_of_input=["header", "Base: <a:b>"],
        words_of_expectation=["a refusal from offset 7"],
        words_of_answer=["a:b", "accepted, although it is not valid"],
    ),
    "base-none": Asked(
        question={"expect": {"base": None}},
        reply={"base": ""},
        verdict="got the empty base",
        words_of_input=["layers\n(none has a base)"],
        words_of_expectation=["(no base)"],
        words_of_answer=["(empty string)"],
    ),
}


@pytest.fixture(scope="module")
def page_of_questions(site):
    """Write the page `questions` with the cases of `CASES`."""
    requirement = Requirement("rfc3986-5.1-y", "5.1", 1, "0" * 12, "must", "It is so.")
    lines = []
    for name, case in CASES.items():
        fixed = {"id": name, "requirement": requirement.id, "level": "must", "binding": "required"}
        vector = msgspec.convert({**fixed, "op": name.partition("-")[0], **case.question}, Vector)
        lines.append(AskedVector(Case("rfc3986", "5.1", vector, "x.json"), requirement, "Base"))

    def answer(case, participant):
        sample = CASES[case.vector.id]
        got = {"status": "ok", **sample.reply}
        return Result(case.vector.id, participant.name, "fail", detail=sample.verdict, got=got)

    results = report_samples.write(site / "questions.jsonl", lines, RAN, answer)
    (site / "questions.html").write_text(render(results), encoding="utf-8")


def squeezed(text):
    """Return the lines of a text without blanks between them; cells of a table are separate lines."""
    return "\n".join(" ".join(line.split()) for line in text.replace("\t", "\n").split("\n") if line.strip())


@pytest.fixture
def case_of(view, until):
    """Return a function that opens a case on a page, which is loaded once, and returns the page."""

    def open_case(name, identity):
        page = view(name)
        page.evaluate("id => { location.hash = 'case=' + id }", identity)
        until(page, "id => document.querySelector('#case-head')?.textContent === id", identity)
        return page

    return open_case


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("page_of_questions")
def test_an_open_case_shows_question_expected_and_given_answer(case_of, name):
    case = CASES[name]
    page = case_of("questions", name)
    text = squeezed(page.inner_text("#detail"))
    inputs = squeezed(page.inner_text("#detail .inputs"))
    assert [words for words in case.words_of_input if squeezed(words) not in inputs] == []
    assert [words for words in case.words_of_expectation + case.words_of_answer if words not in text] == []
    assert "undefined" not in text
    assert page.locator("#detail .answer .pill").inner_text() == "fail"


@pytest.mark.usefixtures("page_of_questions")
def test_the_wrong_part_of_an_answer_is_marked(case_of):
    page = case_of("questions", "decode")
    assert page.locator(".compare td.wrong").count() == 1
    assert "[a]" in page.inner_text(".compare td.wrong")


@pytest.mark.usefixtures("page_of_questions")
def test_the_column_of_parts_has_a_head(case_of):
    page = case_of("questions", "decode")
    assert page.inner_text(".compare th:first-child >> nth=0") == "Part"


@pytest.mark.usefixtures("page_of_questions")
def test_the_character_of_a_refusal_is_marked(case_of):
    page = case_of("questions", "base-header")
    assert page.inner_text("#detail .big mark") == "a"


@pytest.mark.usefixtures("page_of_questions")
def test_rows_show_the_question(view):
    """An empty query shows all cases, not only the failing ones."""
    page = view("questions", "#q=")
    rows = [squeezed(row) for row in page.locator(".row .input").all_inner_texts()]
    assert rows == [
        "see <a:b-U+000AU+0020U+0020c>",
        "A:b and a:b",
        "ftp://h/%2Fa//%FF",
        "embedded (empty string) retrieval http://a/b",
        "header Base: <a:b>",
        "(no layer has a base)",
    ]


#: Two libraries: one tells absent from empty, the other does not.
TWO = (
    Participant("lib", "ran", features=("absent-vs-empty",)),
    Participant("blurred", "ran"),
)


EMPTY_HOST = {"scheme": "a", "authority": "", "host": "", "port": None}
#: Questions: for an empty host, for an authority that a library does not expose, and for the URLs of a text.
PARSE_EMPTY_HOST = {"op": "parse", "url": "a:///b", "expect": {"components": EMPTY_HOST}}
PARSE_AUTHORITY = {"op": "parse", "url": "a://u@h:2", "expect": {"components": {"authority": "u@h:2"}}}
EXTRACT = {"op": "extract", "text": "b", "expect": {"urls": []}}


#: Outcomes without a reply: the verdict, and the text in place of the reply.
ENDS = {
    "garbage": ("not a reply: JSON is malformed: 'Hello!'", "The output was not a valid reply"),
    "crash": ("it ended with signal 11", "process ended"),
    "timeout": ("no answer within 5 s", "No reply came in time"),
    "no-answer": ("it went on to others", "without one"),
    "aborted": ("given up", "may never have been sent"),
    "error": ("boom", "No reply is kept"),
}


#: A reply of each shape with a unique text, and what is searched for.
SHAPES = {
    "url": ({"url": "http://h/1:2"}, '"HTTP://h/1:2"'),
    "components": ({"components": {"scheme": "x", "host": "only.example"}}, "only.ex"),
    "octets": ({"url": {"hex": "c0ffee"}}, "c0ffee"),
    "urls": ({"urls": [["a:b", "mailto:deep"]]}, "mailto:deep"),
    "message": ({"message": "not my day"}, '"my day"'),
    "extra": ({"also": [[{"x": ["in a corner"]}]]}, '"in a corner"'),
    "wide": ({"also": ["x"] * 300_000 + ["last of many"]}, '"last of many"'),
}


@pytest.fixture(scope="module")
def page_of_answers(site):
    """Write the page `answers`, with a case for each of `ENDS` and `SHAPES`, and two of components."""
    requirement = Requirement("rfc3986-3-y", "3", 1, "0" * 12, "must", "It is so.")
    fixed = {"requirement": requirement.id, "level": "must", "binding": "required"}
    questions = {
        **dict.fromkeys(ENDS, EXTRACT),
        **dict.fromkeys(SHAPES, EXTRACT),
        "empty-host": PARSE_EMPTY_HOST,
        "derived": PARSE_AUTHORITY,
    }
    lines = [
        AskedVector(
            Case("rfc3986", "3", msgspec.convert({"id": name, **fixed, **fields}, Vector), "x.json"),
            requirement,
            "Syntax",
        )
        for name, fields in questions.items()
    ]

    def answer(case, participant):
        name = case.vector.id
        if name in ENDS:
            return Result(name, participant.name, name, detail=ENDS[name][0])
        if name in SHAPES:
            return Result(name, participant.name, "fail", got={"status": "ok", **SHAPES[name][0]})
        if name == "derived":
            parts = {"userinfo": "u", "host": "h", "port": "1"}
            return Result(name, participant.name, "fail", got={"status": "ok", "components": parts})
        got = {"status": "ok", "components": {"scheme": "a", "authority": "", "host": None}}
        detail = "cannot tell absent from empty: authority, host"
        return Result(name, participant.name, "partial", detail=f"not exposed: port; {detail}", got=got)

    results = report_samples.write(site / "answers.jsonl", lines, TWO, answer)
    (site / "answers.html").write_text(render(results), encoding="utf-8")


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.usefixtures("page_of_answers")
def test_an_abnormal_end_is_described_in_place_of_the_reply(case_of, name):
    page = case_of("answers", name)
    detail, description = ENDS[name]
    answer = page.locator("#detail .answer").first
    assert detail in answer.inner_text()
    exchange = answer.locator("details", has_text="Question and reply")
    assert description in exchange.inner_text()
    assert exchange.locator(".exchange").count() == 1  # the question alone
    others = {text for other_end, (_, text) in ENDS.items() if other_end != name}
    assert [text for text in others if text in exchange.inner_text()] == []


@pytest.mark.usefixtures("page_of_answers")
def test_a_reply_is_shown_as_it_was_read(case_of):
    """The results keep only what was read: no id, unknown fields or repeated keys."""
    page = case_of("answers", "components")
    exchange = page.locator("#detail .answer").first.locator("details", has_text="Question and reply")
    question, reply = exchange.locator(".exchange").all()
    reply_as_read = '{"status":"ok","components":{"scheme":"x","host":"only.example"}}'
    assert question.locator(".said").inner_text() == "Question, as a line of the protocol"
    assert reply.locator(".said").inner_text() == "Reply, as it was read"
    assert reply.locator("code").inner_text() == reply_as_read
    assert "The results do not keep the lines as they were sent" in exchange.inner_text()
    # "on the wire" would say that the lines were kept
    assert "wire" not in page.inner_text("#detail").lower()


@pytest.mark.usefixtures("page_of_answers")
def test_an_ambiguous_part_is_not_marked_as_hidden(case_of):
    page = case_of("answers", "empty-host")
    assert {part: cells[-1] for part, cells in cells_by_part(page).items()} == {
        "scheme": "a",
        "authority": "(empty string) (cannot tell absent from empty)",
        "host": "(absent) (cannot tell absent from empty)",
        "port": "(not exposed)",
    }


@pytest.mark.usefixtures("page_of_answers")
def test_a_part_is_ambiguous_only_in_the_column_of_the_library_that_cannot_tell(case_of):
    page = case_of("answers", "empty-host")
    for part, cells in cells_by_part(page).items():
        *cells_before, _ = cells  # the last column is that of the library that cannot tell
        assert len(cells_before) == 2, part
        assert [cell for cell in cells_before if "cannot tell" in cell] == [], part


@pytest.mark.usefixtures("page_of_answers")
def test_an_ambiguous_answer_is_explained_in_words(case_of):
    page = case_of("answers", "empty-host")
    assert "cannot tell an absent part from an empty one" in page.inner_text("section.reading")


def cells_by_part(page):
    """Return the cells of each row of the comparison: what is expected, then an answer for each library."""
    return {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in page.locator(".compare tbody tr").all()
    }


@pytest.mark.usefixtures("page_of_answers")
def test_an_authority_that_is_not_exposed_is_derived(case_of):
    """The verdict compares what userinfo, host and port make up; the value says so."""
    page = case_of("answers", "derived")
    (row,) = (row for row in page.locator(".compare tbody tr").all() if "authority" in row.inner_text())
    assert row.locator("td").last.inner_text().split() == ["≠", "differs:", "u@h:1", "(derived)"]
    assert row.locator("td.wrong").count() == 1


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("page_of_answers")
def test_a_search_reads_every_text_of_an_answer(view, ask, shape):
    page = view("answers", "#q=")
    assert ask(page, SHAPES[shape][1]) == 1
    assert re.search(rf"\b{shape}\b", page.inner_text("#rows .row:not([hidden])"))
