"""Models: the question of a row, and offsets of refused parts."""

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

REFUSED = [
    pytest.param("host future-without-address", {"userinfo": "user"}, "http://u@[v1.]", 13, id="host"),
    pytest.param("host bracket-not-closed", {"port": "other"}, "http://[::1:8080", 16, id="not-closed"),
    pytest.param("port letter", {}, "http://h.example:8a", 19, id="port-or-password"),
    pytest.param("port letter", {"userinfo": "user"}, "http://u@h.example:8a", 20, id="port"),
    pytest.param("query bar", {"fragment": "one"}, "http://h.example?a|b#f", 18, id="query"),
    pytest.param("path scp", {"scheme": "none", "host": "none"}, "git@github.com:u/r", 14, id="path"),
]


@pytest.mark.parametrize(("part", "changed", "url", "at"), REFUSED)
def test_a_refused_part_is_refused_at_its_offset(part, changed, url, at):
    fields = MODELS["refuse"].ask({"refused": part, **PLAIN, **changed}).fields
    assert fields["url"] == url
    assert fields["expect"] == {"valid": False, "at": at}


NORMAL = [
    pytest.param("syntax", {"scheme": "capitals", "path": "encoded-dots"}, "http://h.example/b", id="dots"),
    pytest.param("scheme", {"port": "default-of-http"}, "http://h.example/", id="port"),
    pytest.param("syntax", {"scheme": "none", "path": "dots-inside"}, "//h.example/a/../b", id="relative"),
]


@pytest.mark.parametrize(("mode", "changed", "result"), NORMAL)
def test_a_row_is_asked_for_its_normal_form(mode, changed, result):
    fields = MODELS[f"normalize-{mode}"].ask({**PLAIN, **changed}).fields
    assert fields["expect"] == {"result": result}


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


CITED = [
    pytest.param("rfc1808", "validate", {"path": "r-colon-later"}, "2.2-bnf-segment", None, id="later-colon"),
    pytest.param("rfc1808", "resolve-relative", {"path": "empty"}, "4-step2a", None, id="empty-reference"),
    pytest.param(
        "rfc1808", "resolve-relative", {"path": "dots"}, "4-step4", "R-1808-15", id="dots-that-stay"
    ),
    pytest.param("rfc2396", "validate", {"path": "r-dots"}, "3-opaque-part", None, id="opaque"),
    pytest.param(
        "rfc2396", "validate", {"path": "r-dots", "scheme": "none"}, "5-rel-path", None, id="relative"
    ),
    pytest.param("rfc3986", "validate", {"path": "r-star"}, "3.3-bnf-path-rootless", None, id="rootless"),
    pytest.param(
        "rfc3986",
        "validate",
        {"path": "r-star", "scheme": "none"},
        "3.3-bnf-path-noscheme",
        None,
        id="noscheme",
    ),
    pytest.param("rfc3986", "validate", {"host": "empty"}, "3.2.2-empty-host", "R-3986-19", id="empty-host"),
    pytest.param(
        "rfc3986", "resolve-absolute", {"path": "r-dots"}, "5.2.2-scheme", "R-3986-08", id="rootless-dots"
    ),
]


@pytest.mark.parametrize(("spec", "name", "changed", "cites", "ruling"), CITED)
def test_a_row_cites_its_statement_and_its_ruling(spec, name, changed, cites, ruling):
    model = next(model for model in models(spec) if model.name == name)
    row = {**PLAIN, "params": "none", "host": "none", "network": "none", **changed}
    if name == "resolve-relative":
        row["scheme"] = "none"
    row |= {"base-scheme": "unknown", "base-network": "name", "base-path": "two-segments"}
    row |= {"base-params": "none", "base-query": "none"}
    question = model.ask({factor: row[factor] for factor in model.factors})
    assert question.cites == cites
    assert question.ruling == ruling


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc2732", "rfc3986"])
def test_recomposition_has_no_capitals_that_a_library_may_fold(spec):
    model = next(model for model in models(spec) if model.name == "recompose")
    assert {"capitals", "ipv6-full"}.isdisjoint([*model.factors["scheme"], *model.factors["host"]])


BASE = {"base-scheme": "http", "base-network": "name", "base-path": "empty", "base-query": "none"}
RELATIVE = dict.fromkeys(("network", "scheme", "query", "fragment"), "none")
CROSSED = [
    pytest.param(
        "hosts", {"base-network": "around-3"}, "http://3.example.3", "http://3.example.3/b/c", id="host"
    ),
    pytest.param("schemes", {"base-scheme": "wss"}, "wss://h.example", "wss://h.example/b/c", id="scheme"),
    pytest.param(
        "paths", {"base-path": "slashes-last"}, "http://h.example/a//", "http://h.example/a//b/c", id="path"
    ),
]


@pytest.mark.parametrize(("kind", "changed", "base", "result"), CROSSED)
def test_every_reference_meets_every_kind_of_base(kind, changed, base, result):
    model = MODELS[f"resolve-{kind}"]
    row = {**BASE, **RELATIVE, "path": "rootless", **changed}
    assert model.allowed(row)
    fields = model.ask(row).fields
    assert fields["base"] == base
    assert fields["expect"] == {"result": result}
    assert {level for name, level in changed.items()} <= {
        level for levels in model.factors.values() for level in levels
    }


def test_a_base_of_file_without_authority_is_left_open():
    row = {**BASE, **RELATIVE, "base-scheme": "file", "base-network": "none", "base-path": "drive"}
    assert not MODELS["resolve-schemes"].allowed({**row, "path": "rootless"})


AROUND = [
    pytest.param("another-before", ["ftp://o.example/x", "http://h.example"], "C-angle", id="another-before"),
    pytest.param("another-behind", ["http://h.example", "ftp://o.example/x"], "C-angle", id="another-behind"),
    pytest.param("object", ["http://h.example"], "C-quotes", id="quotes"),
]


@pytest.mark.parametrize(("around", "urls", "cites"), AROUND)
def test_urls_are_extracted_from_running_text(around, urls, cites):
    question = MODELS["extract"].ask({**PLAIN, "around": around})
    assert question.fields["expect"] == {"urls": [[url] for url in urls]}
    assert question.cites == cites
