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


#: A table, a component or one of the base (`base-path`), and its levels in the table. Networks are those of
#: `levels.NETWORKS`, which are no parts.
LISTED_PARTS = [
    pytest.param(component.removeprefix("base-"), listed, id=f"{name}-{component}")
    for name, table in TABLES.items()
    for component, listed in table.items()
    if component.removeprefix("base-") != "network"
]


@pytest.fixture(scope="module")
def parts():
    """By component: the names of its parts."""
    return {component.name: {part.name for part in component.parts} for component in read_parts().components}


@pytest.mark.parametrize(("component", "listed"), LISTED_PARTS)
def test_every_level_is_a_part(parts, component, listed):
    assert set(listed) - parts[component] == set()


#: The same of networks.
LISTED_NETWORKS = [
    pytest.param(listed, id=f"{name}-{component}")
    for name, table in TABLES.items()
    for component, listed in table.items()
    if component.removeprefix("base-") == "network"
]


@pytest.mark.parametrize("listed", LISTED_NETWORKS)
def test_every_level_of_a_network_is_in_the_table_of_networks(listed):
    assert set(listed) - levels.NETWORKS.keys() == set()


@pytest.mark.parametrize("name", [*levels.NETWORKS, *levels.ENDS])
def test_the_host_of_a_base_has_no_capital_letter(name):
    """A library may fold them (G-11); digits of triplets are capital in normal form."""
    host = (levels.NETWORKS | levels.ENDS)[name]["host"] or ""
    assert host.replace("%C3%A9", "") == host.replace("%C3%A9", "").lower()


@pytest.mark.parametrize("name", [*levels.AROUND, *levels.MORE_AROUND])
def test_a_text_has_one_place_for_a_url(name):
    assert (levels.AROUND | levels.MORE_AROUND)[name].format("g:h").count("g:h") == 1
