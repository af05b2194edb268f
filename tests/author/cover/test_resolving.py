"""Rows of base and reference, and their targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from urlauthor.cover.models import models

MODELS = {model.name: model for model in models("rfc3986")}

BASE = {"base-scheme": "http", "base-network": "name", "base-path": "empty", "base-query": "none"}
RELATIVE = dict.fromkeys(("network", "scheme", "query", "fragment"), "none")


class Crossed(NamedTuple):
    """Levels of a base in a model, the base that they give, and the target of a relative reference."""

    kind: str
    changed: Mapping[str, str]
    base: str
    target: str


CROSSED = [
    pytest.param(
        Crossed(
            "hosts", {"base-network": "around-3"}, base="http://3.example.3", target="http://3.example.3/b/c"
        ),
        id="host",
    ),
    pytest.param(
        Crossed("schemes", {"base-scheme": "wss"}, base="wss://h.example", target="wss://h.example/b/c"),
        id="scheme",
    ),
    pytest.param(
        Crossed(
            "paths",
            {"base-path": "slashes-last"},
            base="http://h.example/a//",
            target="http://h.example/a//b/c",
        ),
        id="path",
    ),
]


@pytest.mark.parametrize("row", CROSSED)
def test_a_relative_reference_meets_a_base_of_each_kind(row):
    model = MODELS[f"resolve-{row.kind}"]
    levels = {**BASE, **RELATIVE, "path": "rootless", **row.changed}
    assert model.allowed(levels)
    fields = model.ask(levels).fields
    assert fields["base"] == row.base
    assert fields["expect"] == {"result": row.target}


@pytest.mark.parametrize("row", CROSSED)
def test_a_kind_of_base_has_its_levels_in_its_model(row):
    factors = MODELS[f"resolve-{row.kind}"].factors
    assert [name for name, level in row.changed.items() if level not in factors[name]] == []


def test_a_base_of_file_without_authority_is_left_open():
    row = {**BASE, **RELATIVE, "base-scheme": "file", "base-network": "none", "base-path": "drive"}
    assert not MODELS["resolve-schemes"].allowed({**row, "path": "rootless"})
