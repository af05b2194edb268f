"""Tables of levels: they name parts that exist, hosts without capital letters, and texts with one URL."""

from __future__ import annotations

import pytest

from urlauthor.cover import levels
from urlauthor.cover.parts import read_parts

TABLES = {
    name: getattr(levels, name)
    for name in (
        *("BARE", "SITES", "SHAPES", "AUTHORITIES", "FORMS"),
        *("RECOMPOSED", "MORE_RECOMPOSED", "EXTRACTED"),
    )
} | {kind: few for kind, (few, _) in levels.CROSSED.items()}


@pytest.mark.parametrize("name", TABLES)
def test_every_level_is_a_part(name):
    listed = {
        (component.removeprefix("base-"), level)
        for component, names in TABLES[name].items()
        if not component.endswith("network")
        for level in names
    }
    parts = {component.name: {part.name for part in component.parts} for component in read_parts().components}
    assert {pair for pair in listed if pair[1] not in parts[pair[0]]} == set()


@pytest.mark.parametrize("name", [*levels.NETWORKS, *levels.ENDS])
def test_the_host_of_a_base_has_no_capital_letter(name):
    """A library may fold them (G-11); digits of triplets are capital in normal form."""
    host = (levels.NETWORKS | levels.ENDS)[name]["host"] or ""
    assert host.replace("%C3%A9", "") == host.replace("%C3%A9", "").lower()


@pytest.mark.parametrize("name", [*levels.AROUND, *levels.MORE_AROUND])
def test_a_text_has_one_place_for_a_url(name):
    assert (levels.AROUND | levels.MORE_AROUND)[name].format("g:h").count("g:h") == 1
