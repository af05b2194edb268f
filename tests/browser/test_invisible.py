"""Invisible characters are shown as code points: in names, tables, inputs, replies."""

import unicodedata

import msgspec
import report_samples

from urlharness.corpus import loader
from urlharness.protocol.messages import Implementation
from urlharness.report.html.page import render
from urlharness.results.model import Participant, Result
from urlharness.text import needs_escape

#: Every character that Python prints and a reader would not see, or not for itself.
HIDDEN = [char for char in map(chr, range(0x110000)) if char.isprintable() and needs_escape(char)]
SEEN = "\u00e9\u4e2d\U0001f600"
NAME = "\u3164\u2800"


def test_no_character_is_hidden(visit, until, site):
    """In a name, a detail, standard error and a reply, and all of them in the input of a case."""
    assert len(HIDDEN) > 2000
    assert all(unicodedata.category(char)[0] in "LMS" for char in HIDDEN)
    (asked,) = report_samples.asked_of(loader.load(), 1)
    vector = msgspec.structs.replace(asked.case.vector, url="".join(HIDDEN) + SEEN)
    case = msgspec.structs.replace(asked.case, vector=vector)
    said = "path is '//\u034fa', not '//a'"

    def answer(case, participant):
        got = {"status": "ok", "url": "//\u034fa"}
        return Result(case.vector.id, participant.name, "fail", detail=said, got=got, stderr="e\u0301")

    ran = [Participant(NAME, "ran", Implementation(NAME, "1")), Participant("b\ufe0f", "ran")]
    line = msgspec.structs.replace(asked, case=case)
    results = report_samples.write(site / "shapeless.jsonl", [line], ran, answer)
    (site / "shapeless.html").write_text(render(results), encoding="utf-8")
    page = visit("shapeless", f"#case={vector.id}")
    until(page, "id => document.querySelector('#case-head')?.textContent === id", vector.id)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    for more in page.locator("#detail button.inline").all():
        more.click()
    text = page.evaluate("document.querySelector('main').textContent")
    assert "U+034F" in text
    assert SEEN in text
    assert [hex(ord(char)) for char in set(text) if char.isprintable() and needs_escape(char)] == []
    heads = page.locator("#summary-table thead th").all_inner_texts()
    assert any("U+3164" in head for head in heads)
