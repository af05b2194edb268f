"""Answers of a case: replies as they were read, parts that are not exposed, and search."""

import re

import msgspec
import pytest
import report_samples

from urlharness.corpus.model import Case, Requirement, Vector
from urlharness.report.html.page import render
from urlharness.results.model import AskedVector, Participant, Result

#: Two libraries: one tells absent from empty, the other does not.
RAN = (
    Participant("lib", "ran", features=("absent-vs-empty",)),
    Participant("blurred", "ran"),
)
EMPTY_HOST = {"scheme": "a", "authority": "", "host": "", "port": None}
PARSE = {"op": "parse", "url": "a:///b", "expect": {"components": EMPTY_HOST}}
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
    asked = {**dict.fromkeys(ENDS, EXTRACT), **dict.fromkeys(SHAPES, EXTRACT), "empty-host": PARSE}
    lines = [
        AskedVector(
            Case("rfc3986", "3", msgspec.convert({"id": name, **fixed, **fields}, Vector), "x.json"),
            requirement,
            "Syntax",
        )
        for name, fields in asked.items()
    ]

    def answer(case, participant):
        name = case.vector.id
        if name in ENDS:
            return Result(name, participant.name, name, detail=ENDS[name][0])
        if name in SHAPES:
            return Result(name, participant.name, "fail", got={"status": "ok", **SHAPES[name][0]})
        got = {"status": "ok", "components": {"scheme": "a", "authority": "", "host": None}}
        detail = "cannot tell absent from empty: authority, host"
        return Result(name, participant.name, "partial", detail=f"not exposed: port; {detail}", got=got)

    results = report_samples.write(site / "answers.jsonl", lines, RAN, answer)
    (site / "answers.html").write_text(render(results), encoding="utf-8")


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.usefixtures("page_of_answers")
def test_what_came_in_place_of_a_reply_is_told(visit, name):
    page = visit("answers", f"#case={name}")
    detail, said = ENDS[name]
    answer = page.locator("#detail .answer").first
    assert detail in answer.inner_text()
    exchange = answer.locator("details", has_text="Question and reply")
    assert said in exchange.inner_text()
    assert exchange.locator(".exchange").count() == 1  # the question alone
    others = {text for other, (_, text) in ENDS.items() if other != name}
    assert not [text for text in others if text in exchange.inner_text()]


@pytest.mark.usefixtures("page_of_answers")
def test_a_reply_is_no_line_of_the_wire(visit):
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
def test_a_part_that_cannot_be_told_is_not_called_hidden(visit):
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


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("page_of_answers")
def test_a_search_reads_every_text_of_an_answer(visit, ask, shape):
    page = visit("answers", "#q=")
    assert ask(page, SHAPES[shape][1]) == 1
    assert re.search(rf"\b{shape}\b", page.inner_text("#rows .row:not([hidden])"))
