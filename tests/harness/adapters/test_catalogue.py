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


@pytest.mark.parametrize(
    "library", [*catalogue().values(), *clients().values()], ids=lambda library: library.name
)
def test_an_entry_is_complete(library):
    """A package of a manager with versions has one; the library is an argument of the program."""
    assert library.language.folder.parent == PROGRAMS
    assert any("{library}" in word for word in library.language.run)
    assert bool(library.packages) == (library.manager != "none")
    assert bool(library.version) == (library.manager not in ("none", "apt"))
    assert bool(library.module) == (library.manager == "pip")


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


@pytest.mark.parametrize(
    "library",
    [library for library in catalogue().values() if library.modes],
    ids=lambda library: library.name,
)
def test_a_normalization_is_cited_by_version_and_function(library):
    """The source is one of the library, not a web address."""
    assert set(library.modes) <= {"syntax", "scheme"}
    assert re.search(r"\d", library.normalize), "the version"
    assert library.normalize.count(",") + library.normalize.count(":") >= 2, "the place, and what it says"
    assert "http://www" not in library.normalize
    assert "https://" not in library.normalize


def test_every_normalizing_library_cites_a_source():
    assert sum(bool(library.normalize) for library in catalogue().values()) == NORMALIZING
