"""The HTML file: self-contained, safe against hostile results, and complete in its head."""

import base64
import hashlib
import re
import shlex
from pathlib import Path

import pytest
import report_samples
from html_text import Page

from urlharness.corpus import loader
from urlharness.report.html import page as html_page
from urlharness.report.html.page import SCRIPTS, STYLES, link, render, script_source


def test_nothing_is_loaded_from_elsewhere(page):
    loading = {"src", "srcset", "data", "poster", "action", "formaction", "background", "xlink:href"}
    for tag, attributes in page.elements:
        assert not loading & set(attributes), (tag, attributes)
        if tag == "link":
            assert attributes["href"].startswith("data:")
        assert "style" not in attributes  # the policy would refuse it
        assert not any(name.startswith("on") for name in attributes)
        assert tag not in ("iframe", "object", "embed", "base", "img")
    (style,) = page.styles
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_names_the_hashes_of_the_one_script_and_style(page):
    policy = page.policy()
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    (script,) = (text for attributes, text in page.scripts if "type" not in attributes)
    (style,) = page.styles
    for kind, text in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy


def test_the_script_cannot_write_markup(page):
    (script,) = (text for attributes, text in page.scripts if "type" not in attributes)
    for name in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "fetch(",
    ):
        assert name not in script
    assert "</script" not in script.lower()
    assert "<!--" not in script


def test_the_page_is_the_same_for_the_same_results(results, page_source):
    assert render(results) == page_source


def test_hostile_texts_change_no_element(hostile, results):
    page = Page(render(hostile))
    tame = Page(render(results))
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in tame.elements}
    assert len(page.scripts) == 3
    assert "</script><script>" in page.text  # shown as text


def test_hostile_texts_leave_no_invisible_character(hostile):
    text = render(hostile)
    for char in ("\x1b", "\x00", "\x7f", "\u2028", "\u202e", "\u200b", "\ufeff"):
        assert char not in text
    assert "⟨U+001B⟩" in text


def test_ids_are_unique_and_links_lead_to_them(page):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.elements:
        assert attributes.get("aria-labelledby", ids[0]) in ids
        if tag == "a" and re.fullmatch(r"#[\w.-]+", attributes.get("href", "")):  # the script links tiles
            assert attributes["href"][1:] in ids
        if tag == "th":
            assert attributes["scope"] in ("row", "col")


def test_every_part_of_script_and_style_is_in_the_page(page):
    assets = Path(html_page.__file__).parent / "assets"
    for folder, suffix, names in (("script", "js", SCRIPTS), ("style", "css", STYLES)):
        assert {file.name for file in (assets / folder).iterdir()} == {f"{name}.{suffix}" for name in names}
        for name in names:
            text = (assets / folder / f"{name}.{suffix}").read_text(encoding="utf-8")
            assert len(text.splitlines()) < 300
    assert script_source() in page.scripts[-1][1]


@pytest.mark.parametrize(
    ("atoms", "address"),
    [
        ({"spec": "rfc1808", "section": "5.2"}, "#q=spec:rfc1808%20section:5.2"),
        ({"impl": "a b", "outcome": "failing"}, "#q=impl:%22a%20b%22%20outcome:failing"),
        ({"impl": 'jsonl:"x, y"'}, "#q=impl:%22jsonl:%20x%2C%20y%20%22"),
        ({"rule": "", "tier": "complete"}, "#q=tier:complete"),
    ],
)
def test_a_link_holds_its_query(atoms, address):
    assert link(**atoms) == address


def test_the_head_has_the_facts_of_the_run(page):
    for text in ("0123456789ab", "2025-11-20 13:00:00 UTC, complete", "Linux-6.1-x86_64", "0.1.0"):
        assert text in page.text
    table = {row[0]: row for row in page.table("plain")}
    assert table["ada"][1] == "not installed"
    assert table["jsonl:./my adapter"][1] == "could not start"
    assert "no hello within 30 s" in table["jsonl:./my adapter"][-1]
    assert table["urllib"][2] == "urllib.parse 3.13.1"


def test_the_start_of_a_run_is_shown_in_utc(tmp_path):
    asked_vectors = report_samples.asked_of(loader.load(), 1)
    results = report_samples.write(tmp_path / "r.jsonl", asked_vectors, started="2026-01-01T01:30:00+02:00")
    page = Page(render(results))
    assert "2025-12-31 23:30:00 UTC, complete" in page.text
    assert "URL conformance report, 2025-12-31" in page.text


@pytest.mark.parametrize(
    "argv",
    [
        ("run", "urllib", "--report", "html=u.html"),
        ("run", "exec:./my adapter --fast", "--section", "5.4", "--vectors", "it's $HOME; <b>.json", ""),
    ],
)
def test_the_command_can_be_pasted(tmp_path, argv):
    results = report_samples.write(tmp_path / "r.jsonl", report_samples.asked_of(loader.load(), 1), argv=argv)
    page = Page(render(results))
    at = next(n for n, text in enumerate(page.texts) if text == "Command")
    line = "".join(page.texts[at + 1 :]).partition("\n")[0]
    assert shlex.split(line) == ["urlconform", *argv]
