"""Models: the question of a row, and offsets of refused parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

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


class Citation(NamedTuple):
    """Levels of a row in a model, and the statement and the ruling that the row cites."""

    spec: str
    name: str
    changed: Mapping[str, str]
    cites: str
    ruling: str | None = None


CITED = [
    pytest.param(
        Citation("rfc1808", "validate", {"path": "r-colon-later"}, cites="2.2-bnf-segment"), id="later-colon"
    ),
    pytest.param(
        Citation(
            "rfc1808",
            "resolve-relative",
            {"path": "empty", "scheme": "none"},
            cites="4-step2a",
        ),
        id="empty-reference",
    ),
    pytest.param(
        Citation(
            "rfc1808",
            "resolve-relative",
            {"path": "dots", "scheme": "none"},
            cites="4-step4",
            ruling="R-1808-15",
        ),
        id="dots-that-stay",
    ),
    pytest.param(Citation("rfc2396", "validate", {"path": "r-dots"}, cites="3-opaque-part"), id="opaque"),
    pytest.param(
        Citation("rfc2396", "validate", {"path": "r-dots", "scheme": "none"}, cites="5-rel-path"),
        id="relative",
    ),
    pytest.param(
        Citation("rfc3986", "validate", {"path": "r-star"}, cites="3.3-bnf-path-rootless"), id="rootless"
    ),
    pytest.param(
        Citation(
            "rfc3986",
            "validate",
            {"path": "r-star", "scheme": "none"},
            cites="3.3-bnf-path-noscheme",
        ),
        id="noscheme",
    ),
    pytest.param(
        Citation("rfc3986", "validate", {"host": "empty"}, cites="3.2.2-empty-host", ruling="R-3986-19"),
        id="empty-host",
    ),
    pytest.param(
        Citation("rfc3986", "resolve-absolute", {"path": "r-dots"}, cites="5.2.2-scheme", ruling="R-3986-08"),
        id="rootless-dots",
    ),
]


@pytest.mark.parametrize("citation", CITED)
def test_a_row_cites_its_statement_and_its_ruling(citation):
    (model,) = [model for model in models(citation.spec) if model.name == citation.name]
    levels = {**PLAIN, "params": "none", "host": "none", "network": "none", **citation.changed}
    levels |= {"base-scheme": "unknown", "base-network": "name", "base-path": "two-segments"}
    levels |= {"base-params": "none", "base-query": "none"}
    question = model.ask({factor: levels[factor] for factor in model.factors})
    assert question.cites == citation.cites
    assert question.ruling == citation.ruling


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc2732", "rfc3986"])
def test_recomposition_has_no_capitals_that_a_library_may_fold(spec):
    (model,) = [model for model in models(spec) if model.name == "recompose"]
    assert {"capitals", "ipv6-full"}.isdisjoint([*model.factors["scheme"], *model.factors["host"]])


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
