"""The catalogue: every file can be read, names are unique, and errors name the file."""

from __future__ import annotations

import json
import re

import pytest

from urlharness.adapters import catalogue as module
from urlharness.adapters.catalogue import PROGRAMS, RFCS, CatalogueError, catalogue, clients
from urlharness.adapters.registry import BUNDLED, Program, UnknownAdapter, find
from urlharness.corpus.specifications import SPECS
from urloracle.rfcs import specification

GOOD = 'run = ["x"]\n[[library]]\nname = "a"\n'


def test_names_are_not_those_of_bundled_adapters():
    assert catalogue().keys().isdisjoint(BUNDLED)


@pytest.mark.parametrize("one", [*catalogue().values(), *clients().values()], ids=lambda one: one.name)
def test_an_entry_is_complete(one):
    """A package of a manager with versions has one; the library is an argument of the program."""
    assert one.language.folder.parent == PROGRAMS
    assert any("{library}" in word for word in one.language.run)
    assert bool(one.packages) == (one.manager != "none")
    assert bool(one.version) == (one.manager not in ("none", "apt"))
    assert bool(one.module) == (one.manager == "pip")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("run = [", "Invalid value"),
        ('[[library]]\nname = "a"\n', "'run'"),
        (GOOD + 'colour = "red"\n', "a: unknown colour"),
        (GOOD + 'modes = ["syntax"]\n', "a: modes and normalize go together"),
        (GOOD + 'normalize = "x"\n', "a: modes and normalize go together"),
        (GOOD + 'modes = ["sintax"]\nnormalize = "x"\n', "a: no mode named 'sintax'"),
        (GOOD + 'manager = "brew"\n', "a: no package manager 'brew'"),
        (GOOD + '[[library]]\nname = "a"\n', "the name 'a' is also in x"),
    ],
    ids=["toml", "run", "field", "no-source", "no-modes", "mode", "manager", "twice"],
)
def test_an_invalid_file_is_named(tmp_path, monkeypatch, text, says):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "catalogue.toml").write_text(text, "utf-8")
    monkeypatch.setattr(module, "PROGRAMS", tmp_path)
    with pytest.raises(CatalogueError, match=says) as error:
        catalogue.__wrapped__()
    assert "x/catalogue.toml" in str(error.value)


def test_clients_are_found_by_name_but_not_compared():
    assert clients().keys() == {"requests", "aiohttp"}
    assert catalogue().keys().isdisjoint(clients())
    assert isinstance(find("requests"), Program)


def test_rules_and_components_are_those_of_the_rfcs():
    """The data that programs read: rules of whole URLs, and names of components as `parse` has them."""
    data = json.loads(RFCS.read_bytes())
    assert data["default"].keys() == data["rules"].keys() == data["components"].keys() == set(SPECS)
    for spec in SPECS:
        grammar = specification(spec).grammar
        assert [grammar.canonical_name(rule) for rule in data["rules"][spec]] == list(data["rules"][spec])
        assert data["default"][spec] == specification(spec).default_rule


def test_the_adapter_of_a_library_is_a_program():
    assert isinstance(find("rfc3986"), Program)
    assert isinstance(find("rfc3986@cache"), Program)
    with pytest.raises(UnknownAdapter, match="Did you mean 'rfc3986'"):
        find("rfc3896")


#: The number of libraries whose hello offers normalize.
NORMALIZING = 45


@pytest.mark.parametrize("one", [one for one in catalogue().values() if one.modes], ids=lambda one: one.name)
def test_a_normalization_is_cited_by_version_and_function(one):
    """The source is one of the library, not a web address."""
    assert set(one.modes) <= {"syntax", "scheme"}
    assert re.search(r"\d", one.normalize), "the version"
    assert one.normalize.count(",") + one.normalize.count(":") >= 2, "the place, and what it says"
    assert "http://www" not in one.normalize
    assert "https://" not in one.normalize


def test_every_normalizing_library_cites_a_source():
    assert sum(bool(one.normalize) for one in catalogue().values()) == NORMALIZING
