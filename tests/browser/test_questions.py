"""The case view of extract, equivalent, decode and base: question, expected, got."""

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
def test_case_view(visit, name):
    _, _, _, asked, expected, got = CASES[name]
    page = visit("questions", f"#case={name}")
    text = squeezed(page.inner_text("#detail"))
    inputs = squeezed(page.inner_text("#detail .inputs"))
    for part in asked:
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
