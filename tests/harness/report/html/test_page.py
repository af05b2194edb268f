"""The HTML report as text: self-contained, and safe against hostile results."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
import report_samples
from html_text import Page

from urlharness.corpus import loader
from urlharness.report.html import page as html_page
from urlharness.report.html.page import SCRIPTS, STYLES, link, render, source
from urlharness.results.model import read_results


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


def test_the_script_has_no_way_to_write_markup(page):
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


def test_the_page_is_the_same_for_the_same_results(results):
    assert render(results) == render(results)


def test_hostile_texts_change_no_element(hostile, results):
    page = Page(render(hostile))
    tame = Page(render(results))
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in tame.elements}
    assert len(page.scripts) == 3
    assert "</script><script>" in page.text  # shown as text


def test_hostile_texts_leave_no_shapeless_character(hostile):
    text = render(hostile)
    for char in ("\x1b", "\x00", "\x7f", "\u2028", "\u202e", "\u200b", "\ufeff"):
        assert char not in text
    assert "⟨U+001B⟩" in text


def test_the_page_is_well_formed_for_readers_of_the_structure(page):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.elements:
        assert attributes.get("aria-labelledby", ids[0]) in ids
        if tag == "a" and re.fullmatch(r"#[\w.-]+", attributes["href"]):
            assert attributes["href"][1:] in ids
        if tag == "th":
            assert attributes["scope"] in ("row", "col")


def test_every_part_of_script_and_style_is_in_the_page(page):
    """No asset is left over, and none has grown beyond what one can read."""
    assets = Path(html_page.__file__).parent / "assets"
    for folder, suffix, names in (("script", "js", SCRIPTS), ("style", "css", STYLES)):
        assert {file.name for file in (assets / folder).iterdir()} == {f"{name}.{suffix}" for name in names}
        for name in names:
            text = (assets / folder / f"{name}.{suffix}").read_text(encoding="utf-8")
            assert len(text.splitlines()) < 300
    assert source() in page.scripts[-1][1]


@pytest.mark.parametrize(
    ("atoms", "address"),
    [
        ({"spec": "rfc1808", "section": "5.2"}, "#q=spec:rfc1808%20section:5.2"),
        ({"impl": "a b", "outcome": "failing"}, "#q=impl:%22a%20b%22%20outcome:failing"),
        ({"impl": 'jsonl:"x, y"'}, "#q=impl:%22jsonl:%20x%2C%20y%20%22"),
        ({"rule": "", "tier": "complete"}, "#q=tier:complete"),
    ],
)
def test_links_are_queries(atoms, address):
    assert link(**atoms) == address


def test_results_that_stay_on_disk_give_the_same_page(tmp_path):
    report_samples.write(tmp_path / "r.jsonl", report_samples.asked_of(loader.load(), 300))
    held, on_disk = (read_results(tmp_path / "r.jsonl", held=octets) for octets in (1 << 30, 0))
    assert render(held) == render(on_disk)
