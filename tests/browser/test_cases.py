"""The view of a case: question, expectation and answer, replies as they were read, and search in answers."""

import re

import msgspec
import pytest
import report_samples

from urlharness.corpus.model import Case, Requirement, Vector
from urlharness.report.html.page import render
from urlharness.results.model import AskedVector, Participant, Result

RAN = (Participant("lib", "ran", features=("absent-vs-empty",)),)

#: Question and expectation, a wrong reply, its verdict; words of the input, the expectation, the answer.
CASES = {
    "extract": (
        {"text": "see <a:b-\n  c>", "expect": {"urls": [["a:b-c", "a:bc"], ["d:e"]]}},
        {"urls": [["a:c"], []]},
        "URL 1 is 'a:c', not 'a:b-c' or 'a:bc'",
        ["see <a:b-U+000A\nU+0020U+0020c>"],
        ["a:b-c or a:bc", "d:e"],
        ["a:c", "(no reading)", "URL 1 is 'a:c', not 'a:b-c' or 'a:bc'"],
    ),
    "equivalent": (
        {"url": "A:b", "other": "a:b", "mode": "scheme", "expect": {"equal": True}},
        {"equal": False},
        "got different",
        ["A:b", "a:b"],
        ["equivalent"],
        ["different"],
    ),
    "decode": (
        {"url": "ftp://h/%2Fa//%FF", "expect": {"decoded": {"cwd": ["/a", ""], "name": {"hex": "ff"}}}},
        {"decoded": {"cwd": ["a"], "name": {"hex": "ff"}, "local": True, "fields": [["x", ""]]}},
        "cwd is ['a'], not ['/a', '']",
        ["ftp://h/%2Fa//%FF"],
        ["[/a, (empty string)]", "(octets) ff"],
        ["[a]", "true", "x = (empty string)"],
    ),
    "base": (
        {"embedded": "", "retrieval": "http://a/b", "expect": {"base": "http://a/b"}},
        {"base": None, "layer": "embedded"},
        "got no base",
        ["embedded\n(empty string)", "retrieval\nhttp://a/b"],
        ["http://a/b"],
        ["(no base)"],
    ),
    "base-header": (
        {"header": "Base: <a:b>", "expect": {"valid": False, "at": 7}},
        {"base": "a:b"},
        "accepted, although it is not valid",
        ["header", "Base: <a:b>"],
        ["a refusal from offset 7"],
        ["a:b", "accepted, although it is not valid"],
    ),
    "base-none": (
        {"expect": {"base": None}},
        {"base": ""},
        "got the empty base",
        ["layers\n(none has a base)"],
        ["(no base)"],
        ["(empty string)"],
    ),
}


@pytest.fixture(scope="module")
def page_of_questions(site):
    requirement = Requirement("rfc3986-5.1-y", "5.1", 1, "0" * 12, "must", "It is so.")
    lines = []
    for name, (fields, *_) in CASES.items():
        fixed = {"id": name, "requirement": requirement.id, "level": "must", "binding": "required"}
        vector = msgspec.convert({**fixed, "op": name.partition("-")[0], **fields}, Vector)
        lines.append(AskedVector(Case("rfc3986", "5.1", vector, "x.json"), requirement, "Base"))

    def answer(case, participant):
        _, got, detail, *_ = CASES[case.vector.id]
        return Result(case.vector.id, participant.name, "fail", detail=detail, got={"status": "ok", **got})

    results = report_samples.write(site / "questions.jsonl", lines, RAN, answer)
    (site / "questions.html").write_text(render(results), encoding="utf-8")


def squeezed(text):
    """Return the lines of a text without blanks between them; cells of a table are separate lines."""
    return "\n".join(" ".join(line.split()) for line in text.replace("\t", "\n").split("\n") if line.strip())


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("page_of_questions")
def test_an_open_case_shows_question_expected_and_given_answer(visit, name):
    _, _, _, question, expected, got = CASES[name]
    page = visit("questions", f"#case={name}")
    text = squeezed(page.inner_text("#detail"))
    inputs = squeezed(page.inner_text("#detail .inputs"))
    for part in question:
        assert squeezed(part) in inputs
    for part in (*expected, *got):
        assert part in text
    assert "undefined" not in text
    assert page.locator("#detail .answer .pill").inner_text() == "fail"


@pytest.mark.usefixtures("page_of_questions")
def test_wrong_parts_and_characters_are_marked(visit):
    page = visit("questions", "#case=decode")
    assert page.locator(".compare td.wrong").count() == 1
    assert "[a]" in page.inner_text(".compare td.wrong")
    assert page.inner_text(".compare th:first-child >> nth=0") == "Part"
    page = visit("questions", "#case=base-header")
    assert page.inner_text("#detail .big mark") == "a"


@pytest.mark.usefixtures("page_of_questions")
def test_rows_show_the_question(visit):
    page = visit("questions", "#q=")
    rows = [squeezed(row) for row in page.locator(".row .input").all_inner_texts()]
    assert rows[1:] == [
        "A:b and a:b",
        "ftp://h/%2Fa//%FF",
        "embedded (empty string) retrieval http://a/b",
        "header Base: <a:b>",
        "(no layer has a base)",
    ]
    assert rows[0].startswith("see <a:b-U+000A")


#: Two libraries: one tells absent from empty, the other does not.
TWO = (
    Participant("lib", "ran", features=("absent-vs-empty",)),
    Participant("blurred", "ran"),
)


EMPTY_HOST = {"scheme": "a", "authority": "", "host": "", "port": None}


PARSE = {"op": "parse", "url": "a:///b", "expect": {"components": EMPTY_HOST}}


DERIVED = {"op": "parse", "url": "a://u@h:2", "expect": {"components": {"authority": "u@h:2"}}}


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
    requirement = Requirement("rfc3986-3-y", "3", 1, "0" * 12, "must", "It is so.")
    fixed = {"requirement": requirement.id, "level": "must", "binding": "required"}
    questions = {**dict.fromkeys(ENDS, EXTRACT), **dict.fromkeys(SHAPES, EXTRACT), "empty-host": PARSE}
    questions["derived"] = DERIVED
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
def test_an_abnormal_end_is_described_in_place_of_the_reply(visit, name):
    page = visit("answers", f"#case={name}")
    detail, description = ENDS[name]
    answer = page.locator("#detail .answer").first
    assert detail in answer.inner_text()
    exchange = answer.locator("details", has_text="Question and reply")
    assert description in exchange.inner_text()
    assert exchange.locator(".exchange").count() == 1  # the question alone
    others = {text for other_end, (_, text) in ENDS.items() if other_end != name}
    assert not [text for text in others if text in exchange.inner_text()]


@pytest.mark.usefixtures("page_of_answers")
def test_a_reply_is_shown_as_it_was_read(visit):
    """The results keep only what was read: no id, unknown fields or repeated keys."""
    page = visit("answers", "#case=components")
    exchange = page.locator("#detail .answer").first.locator("details", has_text="Question and reply")
    question, reply = exchange.locator(".exchange").all()
    assert question.locator(".said").inner_text() == "Question, as a line of the protocol"
    assert reply.locator(".said").inner_text() == "Reply, as it was read"
    assert (
        reply.locator("code").inner_text()
        == '{"status":"ok","components":{"scheme":"x","host":"only.example"}}'
    )
    assert "The results do not keep the lines as they were sent" in exchange.inner_text()
    assert "wire" not in page.inner_text("#detail").lower()


@pytest.mark.usefixtures("page_of_answers")
def test_an_ambiguous_part_is_not_marked_as_hidden(visit):
    page = visit("answers", "#case=empty-host")
    cells = {}
    for row in page.locator(".compare tbody tr").all():
        cells[row.locator("th").inner_text()] = row.locator("td").all_inner_texts()
    assert cells["authority"][2] == "(empty string) (cannot tell absent from empty)"
    assert cells["host"][2] == "(absent) (cannot tell absent from empty)"
    assert cells["port"][2] == "(not exposed)"
    assert cells["scheme"][2] == "a"
    assert not [cell for row in cells.values() for cell in row[:2] if "cannot tell" in cell]
    assert "cannot tell an absent part from an empty one" in page.inner_text("section.reading")


@pytest.mark.usefixtures("page_of_answers")
def test_an_authority_that_is_not_exposed_is_derived(visit):
    """The verdict compares what userinfo, host and port make up; the value says so."""
    page = visit("answers", "#case=derived")
    (row,) = (row for row in page.locator(".compare tbody tr").all() if "authority" in row.inner_text())
    assert row.locator("td").last.inner_text().split() == ["≠", "differs:", "u@h:1", "(derived)"]
    assert row.locator("td.wrong").count() == 1


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("page_of_answers")
def test_a_search_reads_every_text_of_an_answer(visit, ask, shape):
    page = visit("answers", "#q=")
    assert ask(page, SHAPES[shape][1]) == 1
    assert re.search(rf"\b{shape}\b", page.inner_text("#rows .row:not([hidden])"))
