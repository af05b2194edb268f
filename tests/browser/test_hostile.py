"""Hostile results and invisible characters are shown, and do nothing."""

import unicodedata
from urllib.parse import quote

import msgspec
import pytest
import report_samples

from urlharness.corpus import loader
from urlharness.jsonio import ascii_line
from urlharness.protocol.messages import Implementation
from urlharness.report.html.page import render
from urlharness.results.model import Participant, Result, read_results
from urlharness.runner import question
from urlharness.text import needs_escape


def unfold(page, where="document"):
    """Open everything that is folded."""
    page.evaluate(f"{where}.querySelectorAll('details').forEach(element => {{ element.open = true }})")


#: Controls, a line separator, an override of the direction and a blank without width.
UNSEEN = frozenset("\x00\x1b\x7f\u2028\u202e\u200b")


def test_hostile_results_are_shown_and_do_nothing(visit):
    """Every case is opened, and everything in it is unfolded."""
    page = visit("hostile", "#q=")
    assert page.inner_text("#count").startswith(f"{len(report_samples.hostile_cases())} ")
    page.focus("#list")
    for asked_vector in report_samples.hostile_cases():
        page.keyboard.press("ArrowDown")
        identity = asked_vector.case.vector.id
        # the rest of an id may have characters that are shown as code points
        assert page.inner_text("#detail h3").startswith(identity[:6]), identity
        unfold(page, "document.getElementById('detail')")
    assert page.evaluate("globalThis.pwned") is None
    assert page.locator("script").count() == 1
    assert page.locator("img, iframe, object, a[href^='javascript:']").count() == 0
    text = page.evaluate("document.querySelector('main').textContent")
    assert UNSEEN.isdisjoint(text)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("#case=../nowhere", id="unknown-case"),
        pytest.param("#q=outcome:__proto__+impl:%3Cb%3E+spec:x+section:y+constructor:1+%22", id="words"),
        pytest.param("#q=odd:+passes:-1+passes:x+-+--+:+::+,&case=", id="empty-words"),
        pytest.param("#case=%00%E2%80%AE&q=%5C", id="control-characters"),
        pytest.param("#q=%ED%A0%80%F0&q=2", id="not-utf8"),
        pytest.param("#=&=", id="empty-names"),
        pytest.param("#%%%", id="no-triplets"),
    ],
)
@pytest.mark.sampled(3)
def test_any_address_hash_is_harmless(visit, state):
    page = visit("corpus", state)
    assert page.is_visible("#count")


def test_a_hostile_id_can_be_linked_to(visit, until):
    page = visit("hostile")
    for asked_vector in report_samples.hostile_cases()[::7]:  # all of them take long
        identity = asked_vector.case.vector.id
        page.evaluate("hash => { location.hash = hash }", "case=" + quote(identity, safe=""))
        until(
            page,
            "start => (document.querySelector('#detail h3') || {}).textContent?.startsWith(start)",
            identity[:6],  # the rest may have characters that are shown as code points
        )


def test_links_of_hostile_names_find_their_cases(visit, until):
    page = visit("hostile")
    links = page.evaluate(
        """[...document.querySelectorAll('#summary-table tbody a')]
          .map(element => element.getAttribute('href'))"""
    )
    count = len(report_samples.hostile_cases())
    assert len(links) == len(report_samples.hostile_participants())
    for link in links:
        page.evaluate("hash => { location.hash = hash }", link)
        until(page, "hash => location.hash === hash", link)
        assert page.inner_text("#count") == f"1 of {count} cases.", link  # the only one that is required


def test_heads_of_hostile_names_find_their_cases(visit):
    """With all heads pressed, every case is shown that all implementations fail."""
    page = visit("hostile")
    page.fill("#f-q", "outcome:failing")
    for head in page.locator("#columns button").all():
        head.click()
        assert "does not know" not in page.inner_text("#count"), head.inner_text()
    participants = len(report_samples.hostile_participants())
    assert page.locator("#columns [aria-pressed='true']").count() == participants
    count = len(report_samples.hostile_cases())
    note = f"{count - 1} of them are not required; tables and gate count only those that are."
    assert page.inner_text("#count") == f"{count} of {count} cases. {note}"


#: The length of the longest text among the hostile cases.
LONG = 20_000


def test_a_very_long_text_is_shown_in_parts(visit):
    """The first part is short; a button shows more, which is not yet all."""
    vectors = [asked_vector.case.vector for asked_vector in report_samples.hostile_cases()]
    long_vector = next(vector for vector in vectors if vector.url == "x" * LONG)
    page = visit("hostile", "#case=" + quote(long_vector.id))
    at_first = len(page.inner_text("#detail .big"))
    page.locator("#detail .big button").click()
    later = len(page.inner_text("#detail .big"))
    assert at_first < LONG / 2
    assert at_first < later < LONG


def test_hostile_generated_cases_are_shown_and_do_nothing(visit, ask, sample):
    page = visit("generated")
    assert ask(page, "tier:complete") == len(report_samples.HOSTILE)
    assert ask(page, "tier:complete odd:any") == 0
    assert ask(page, "tier:complete urllib:fail") > 0
    for row in page.locator(".row:visible").all():
        row.click()
        assert "generated" in page.inner_text("#detail .pairs"), row.inner_text()
        assert "not kept" in page.inner_text("#detail .o-none"), row.inner_text()
    assert page.evaluate("globalThis.pwned") is None
    results = read_results(sample("generated").with_suffix(".jsonl"))
    assert ask(page, "") == len(results.vectors)  # no generated cases


def test_questions_are_shown_as_the_harness_writes_them(visit, until, cases_of_page):
    """A case of each operation, and some of those with an odd character, which is escaped."""
    cases = [line.case for line in cases_of_page]
    with_escapes = [case for case in cases if b"\\" in ascii_line(question(case))]
    assert with_escapes
    by_operation = {case.vector.op: case for case in cases}
    page = visit("corpus")
    for case in [*with_escapes[::100], *by_operation.values()]:  # all of them take too long
        page.evaluate("id => { location.hash = 'case=' + id }", case.vector.id)
        until(page, "id => document.querySelector('#case-head')?.textContent === id", case.vector.id)
        line = page.evaluate("document.querySelector('#detail .exchange code').textContent")
        assert line == ascii_line(msgspec.structs.replace(question(case), id=1)).decode().rstrip("\n"), (
            case.vector.id
        )


@pytest.mark.parametrize(
    ("got", "printed"),
    [
        pytest.param('{"status":"ok","extra":' + "12345" * 6 + "}", "12345" * 6, id="large-number"),
        pytest.param('{"status":"ok","at":' + "9" * 300 + "}", "9" * 300, id="huge-number"),
        pytest.param('{"status":"ok","extra":' + "[" * 400 + "1" + "]" * 400 + "}", "[[[[1]]]]", id="deep"),
        pytest.param(
            '{"status":"ok","__proto__":{"deep":1},"constructor":"x"}',
            '"__proto__":{"deep":1}',
            id="properties-of-objects",
        ),
        pytest.param('{"status":"ok","url":"\\ud83d\\ude00\\u202e"}', "U+202E", id="invisible-character"),
    ],
)
def test_replies_of_any_shape_are_shown(visit, site, got, printed):
    (asked_vector,) = report_samples.asked_of(loader.load(), 1)

    def answer(case, participant):
        return Result(case.vector.id, participant.name, "fail", got=msgspec.json.decode(got))

    participants = report_samples.PARTICIPANTS[:1]
    results = report_samples.write(site / "reply.jsonl", [asked_vector], participants, answer)
    (site / "reply.html").write_text(render(results), encoding="utf-8")
    page = visit("reply", f"#case={asked_vector.case.vector.id}")
    assert printed in page.inner_text("#detail .exchange >> nth=1")


@pytest.mark.parametrize(
    ("letter", "beside"),
    [pytest.param("\uff48", '"U+FF48"', id="full-width"), pytest.param("\u00e9", "none", id="accent")],
)
def test_another_form_of_a_letter_has_its_code_point_beside_it(visit, site, letter, beside):
    (asked_vector,) = report_samples.asked_of(loader.load(), 1)
    vector = msgspec.structs.replace(asked_vector.case.vector, op="parse", rule=None, url=f"http://{letter}/")
    case = msgspec.structs.replace(asked_vector.case, vector=vector)
    participants = report_samples.PARTICIPANTS[:1]
    results = report_samples.write(
        site / "letter.jsonl",
        [msgspec.structs.replace(asked_vector, case=case)],
        participants,
        lambda case, participant: Result(case.vector.id, participant.name, "fail"),
    )
    (site / "letter.html").write_text(render(results), encoding="utf-8")
    page = visit("letter")
    assert page.locator(".row .foreign").first.text_content() == letter
    after = "getComputedStyle(document.querySelector('.row .foreign'), '::after').content"
    assert page.evaluate(after) == beside


def test_the_content_policy_stops_planted_markup(browser, site, sample):
    """The policy protects a page where the escaping would fail."""
    planted = "<img src=x onerror=globalThis.pwned=1><script>globalThis.pwned=1</script>"
    text = sample("generated").read_text(encoding="utf-8")
    assert text.count("<main>") == 1
    (site / "planted.html").write_text(text.replace("<main>", f"<main>{planted}"), encoding="utf-8")
    page = browser.new_page()
    refused = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto((site / "planted.html").as_uri())
    page.wait_for_selector("html[data-ready]", timeout=120_000)
    assert page.evaluate("globalThis.pwned") is None
    assert any("Content Security Policy" in text for text in refused)
    page.close()


@pytest.fixture(scope="module")
def invisible_characters():
    """Every character that Python calls printable and a reader would not see, or not as itself."""
    return [char for char in map(chr, range(0x110000)) if char.isprintable() and needs_escape(char)]


#: Characters beyond ASCII that a reader sees.
VISIBLE = "\u00e9\u4e2d\U0001f600"
#: A name of characters that look like blanks.
INVISIBLE_NAME = "\u3164\u2800"


def test_the_characters_that_the_page_of_invisible_ones_contains_are_invisible(invisible_characters):
    assert {"\u034f", "\ufe0f", *INVISIBLE_NAME} <= set(invisible_characters)


def test_only_letters_marks_and_symbols_are_printable_and_invisible(invisible_characters):
    """Their Unicode categories begin with L, M or S; all other characters are not printable, or visible."""
    assert {unicodedata.category(char)[0] for char in invisible_characters} == {"L", "M", "S"}


@pytest.fixture
def page_of_invisible_characters(visit, until, site, invisible_characters):
    """A page of them in a name, a detail, standard error and a reply, and all in the input of its case.

    The case is open, and everything on the page is unfolded.
    """
    (asked_vector,) = report_samples.asked_of(loader.load(), 1)
    vector = msgspec.structs.replace(asked_vector.case.vector, url="".join(invisible_characters) + VISIBLE)
    case = msgspec.structs.replace(asked_vector.case, vector=vector)
    explanation = "path is '//\u034fa', not '//a'"

    def answer(case, participant):
        got = {"status": "ok", "url": "//\u034fa"}
        return Result(case.vector.id, participant.name, "fail", detail=explanation, got=got, stderr="e\u0301")

    ran = [
        Participant(INVISIBLE_NAME, "ran", Implementation(INVISIBLE_NAME, "1")),
        Participant("b\ufe0f", "ran"),
    ]
    line = msgspec.structs.replace(asked_vector, case=case)
    results = report_samples.write(site / "shapeless.jsonl", [line], ran, answer)
    (site / "shapeless.html").write_text(render(results), encoding="utf-8")
    page = visit("shapeless", f"#case={vector.id}")
    until(page, "id => document.querySelector('#case-head')?.textContent === id", vector.id)
    unfold(page)
    for button in page.locator("#detail button.inline").all():  # each shows more of a long text
        button.click()
    return page


def test_invisible_characters_are_shown_as_code_points(page_of_invisible_characters):
    text = page_of_invisible_characters.evaluate("document.querySelector('main').textContent")
    assert "U+034F" in text
    assert [hex(ord(char)) for char in set(text) if char.isprintable() and needs_escape(char)] == []


def test_characters_beyond_ascii_that_a_reader_sees_are_shown_as_they_are(page_of_invisible_characters):
    assert VISIBLE in page_of_invisible_characters.evaluate("document.querySelector('main').textContent")


def test_an_invisible_name_is_shown_as_code_points_in_the_summary(page_of_invisible_characters):
    heads = page_of_invisible_characters.locator("#summary-table tbody th").all_inner_texts()
    assert [head for head in heads if "U+3164" in head] != []
