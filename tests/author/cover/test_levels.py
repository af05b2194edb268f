"""Tables of levels: they name parts that exist, hosts without capital letters, and texts with one URL."""

from __future__ import annotations

import pytest

from urlauthor.cover import levels
from urlauthor.cover.parts import read_parts

TABLES = {
    "BARE": levels.BARE,
    "SITES": levels.SITES,
    "SHAPES": levels.SHAPES,
    "AUTHORITIES": levels.AUTHORITIES,
    "FORMS": levels.FORMS,
    "RECOMPOSED": levels.RECOMPOSED,
    "MORE_RECOMPOSED": levels.MORE_RECOMPOSED,
    "EXTRACTED": levels.EXTRACTED,
    **{kind: few for kind, (few, _) in levels.CROSSED.items()},
}


@pytest.mark.parametrize("name", TABLES)
def test_every_level_is_a_part(name):
    parts = {}
    for component in read_parts().components:
        parts[component.name] = {part.name for part in component.parts}
    components = {name: listed for name, listed in TABLES[name].items() if not name.endswith("network")}
    assert components
    for component, listed in components.items():
        assert set(listed) <= parts[component.removeprefix("base-")], component


@pytest.mark.parametrize("name", [*levels.NETWORKS, *levels.ENDS])
def test_the_host_of_a_base_has_no_capital_letter(name):
    """A library may fold them (G-11); digits of triplets are capital in normal form."""
    host = (levels.NETWORKS | levels.ENDS)[name]["host"] or ""
    assert host.replace("%C3%A9", "") == host.replace("%C3%A9", "").lower()


@pytest.mark.parametrize("name", [*levels.AROUND, *levels.MORE_AROUND])
def test_a_text_has_one_place_for_a_url(name):
    assert (levels.AROUND | levels.MORE_AROUND)[name].format("g:h").count("g:h") == 1
