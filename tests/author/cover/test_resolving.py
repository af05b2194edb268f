"""Rows of base and reference, and their targets."""

from __future__ import annotations

import pytest

from urlauthor.cover.models import models

MODELS = {model.name: model for model in models("rfc3986")}

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
def test_a_relative_reference_meets_a_base_of_each_kind(kind, changed, base, result):
    model = MODELS[f"resolve-{kind}"]
    row = {**BASE, **RELATIVE, "path": "rootless", **changed}
    assert model.allowed(row)
    fields = model.ask(row).fields
    assert fields["base"] == base
    assert fields["expect"] == {"result": result}


@pytest.mark.parametrize(("kind", "changed", "base", "result"), CROSSED)
def test_a_kind_of_base_has_its_levels_in_its_model(kind, changed, base, result):
    factors = MODELS[f"resolve-{kind}"].factors
    assert [name for name, level in changed.items() if level not in factors[name]] == []


def test_a_base_of_file_without_authority_is_left_open():
    row = {**BASE, **RELATIVE, "base-scheme": "file", "base-network": "none", "base-path": "drive"}
    assert not MODELS["resolve-schemes"].allowed({**row, "path": "rootless"})
