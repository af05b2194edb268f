"""Normal forms of rows, and rows whose normal form is open."""

from __future__ import annotations

import pytest

from urlauthor.cover.models import models

MODELS = {model.name: model for model in models("rfc3986")}
PLAIN = {
    "scheme": "http",
    "userinfo": "none",
    "host": "name",
    "port": "none",
    "path": "empty",
    "query": "none",
    "fragment": "none",
}

NORMAL = [
    pytest.param("syntax", {"scheme": "capitals", "path": "encoded-dots"}, "http://h.example/b", id="dots"),
    pytest.param("scheme", {"port": "default-of-http"}, "http://h.example/", id="port"),
    pytest.param("syntax", {"scheme": "none", "path": "dots-inside"}, "//h.example/a/../b", id="relative"),
]


@pytest.mark.parametrize(("mode", "changed", "result"), NORMAL)
def test_a_row_is_asked_for_its_normal_form(mode, changed, result):
    fields = MODELS[f"normalize-{mode}"].ask({**PLAIN, **changed}).fields
    assert fields["expect"] == {"result": result}


BARE_SCHEME = {"path": "empty", "host": "none"}

CITED = [
    pytest.param(BARE_SCHEME, "6.2.2.1-scheme-host", id="a-bare-scheme"),
    pytest.param({**BARE_SCHEME, "scheme": "none"}, "6.2.2.1-rest", id="an-empty-text"),
    pytest.param({**BARE_SCHEME, "query": "capitals"}, "6.2.2.1-rest", id="another-component"),
]


@pytest.mark.parametrize(("changed", "cites"), CITED)
def test_the_normal_form_of_a_text_that_stays_cites_what_it_is_about(changed, cites):
    """The case of other components is nothing that a text without them shows."""
    assert MODELS["normalize-syntax"].ask({**PLAIN, **changed}).cites == cites


OPEN = [
    pytest.param("syntax", {"port": "empty"}, id="empty-port"),
    pytest.param("syntax", {"port": "default-of-http"}, id="default-port"),
    pytest.param("syntax", {}, id="empty-path"),
    pytest.param("scheme", {"scheme": "unknown"}, id="empty-path-of-unknown-scheme"),
    pytest.param("syntax", {"scheme": "file", "host": "none", "path": "slash"}, id="file-without-host"),
]


@pytest.mark.parametrize(("mode", "changed"), OPEN)
def test_what_the_rfc_leaves_open_is_not_asked(mode, changed):
    assert not MODELS[f"normalize-{mode}"].allowed({**PLAIN, **changed})


DIFFERENCES = [
    pytest.param({}, True, id="the-first-level-of-its-component"),
    pytest.param({"scheme": "none"}, False, id="relative-references"),
    pytest.param({"path": "two-segments"}, False, id="another-level-of-its-component"),
]


@pytest.mark.parametrize(("changed", "allowed"), DIFFERENCES)
def test_a_difference_takes_the_place_of_the_first_level_of_its_component(changed, allowed):
    model = MODELS["equivalent"]
    difference = next(level for level in model.factors["difference"] if level.startswith("path "))
    row = {name: levels[0] for name, levels in model.factors.items()}
    row |= {"scheme": "http", "difference": difference, **changed}
    assert model.allowed(row) is allowed
