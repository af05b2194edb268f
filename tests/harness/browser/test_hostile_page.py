"""Hostile results in a real browser: they are shown, and they do nothing."""

import runpy
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest

SAMPLES = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("samples.py"))))


def test_hostile_results_do_nothing(visit):
    page = visit("hostile", "#outcome=all")
    assert page.inner_text("#count").startswith(f"{len(SAMPLES.hostile_cases())} ")
    page.focus("#list")
    for asked in SAMPLES.hostile_cases():
        page.keyboard.press("ArrowDown")
        assert page.inner_text("#detail h3").startswith(asked.case.vector.id[:6])
        page.evaluate("document.querySelectorAll('#detail details').forEach(each => { each.open = true })")
    assert page.evaluate("globalThis.pwned") is None
    assert page.locator("script").count() == 2
    assert page.locator("img, iframe, object, a[href^='javascript:']").count() == 0
    text = page.evaluate("document.querySelector('main').textContent")
    assert not set("\x00\x1b\x7f\u2028\u202e\u200b") & set(text)


@pytest.mark.parametrize(
    "state",
    [
        "#case=../nowhere",
        "#outcome=__proto__&impl=<b>&spec=x&section=y",
        "#case=%00%E2%80%AE&q=%5C",
        "#=&=",
        "#%%%",
    ],
)
def test_a_hash_may_say_anything(visit, state):
    page = visit("corpus", state)
    assert page.is_visible("#count")


def test_every_hostile_id_can_be_linked_to(visit, until):
    page = visit("hostile")
    for asked in SAMPLES.hostile_cases()[::7]:
        identity = asked.case.vector.id
        page.evaluate("hash => { location.hash = hash }", "case=" + quote(identity, safe=""))
        until(
            page,
            "start => (document.querySelector('#detail h3') || {}).textContent?.startsWith(start)",
            identity[:6],
        )


def test_a_very_long_text_is_shown_in_parts(visit):
    long = next(
        asked.case.vector for asked in SAMPLES.hostile_cases() if asked.case.vector.url == "x" * 200_000
    )
    page = visit("hostile", "#case=" + quote(long.id))
    assert len(page.inner_text("#detail .big")) < 10_000
    page.locator("#detail .big button").click()
    assert len(page.inner_text("#detail .big")) < 20_000
