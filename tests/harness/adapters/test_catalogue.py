"""The catalogue: every file can be read, names are unique, and errors name the file."""

from __future__ import annotations

import json
import re

import pytest

from urlharness.adapters import catalogue as catalogue_module
from urlharness.adapters.catalogue import PROGRAMS, RFCS, CatalogueError, catalogue, clients
from urlharness.adapters.registry import BUNDLED, Program, UnknownAdapter, find
from urlharness.corpus.specifications import SPECS
from urloracle.rfcs import specification

VALID_FILE = 'run = ["x"]\n[[library]]\nname = "a"\n'


def test_names_are_not_those_of_bundled_adapters():
    assert catalogue().keys().isdisjoint(BUNDLED)


ENTRIES = [*catalogue().values(), *clients().values()]


@pytest.mark.parametrize("library", ENTRIES, ids=lambda library: library.name)
def test_a_library_is_an_argument_of_the_program_of_its_language(library):
    assert library.language.folder.parent == PROGRAMS
    assert "{library}" in " ".join(library.language.run)


#: The package managers whose packages have a version in the catalogue.
VERSIONED = {library.manager for library in ENTRIES} - {"none", "apt"}


def libraries_of(managers):
    """A parameter `library`: the entries of the catalogue with these package managers."""
    entries = [library for library in ENTRIES if library.manager in managers]
    return pytest.mark.parametrize("library", entries, ids=lambda library: library.name)


@libraries_of(VERSIONED)
def test_a_library_of_a_manager_with_versions_has_packages_and_a_version(library):
    assert library.packages
    assert library.version


@libraries_of({"apt"})
def test_a_library_of_apt_has_packages_without_a_version(library):
    assert library.packages
    assert not library.version


@libraries_of({"none"})
def test_a_library_of_no_manager_has_neither_packages_nor_a_version(library):
    assert not library.packages
    assert not library.version


@libraries_of({"pip"})
def test_a_library_of_pip_has_a_module(library):
    assert library.module


@libraries_of({library.manager for library in ENTRIES} - {"pip"})
def test_a_library_of_another_language_has_no_python_module(library):
    assert not library.module


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run = [", "Invalid value"),
        ('[[library]]\nname = "a"\n', "'run'"),
        (VALID_FILE + 'colour = "red"\n', "a: unknown colour"),
        (VALID_FILE + 'modes = ["syntax"]\n', "a: modes and normalize go together"),
        (VALID_FILE + 'normalize = "x"\n', "a: modes and normalize go together"),
        (VALID_FILE + 'modes = ["sintax"]\nnormalize = "x"\n', "a: no mode named 'sintax'"),
        (VALID_FILE + 'functions = {prase = "f"}\n', "a: no operation named 'prase'"),
        (VALID_FILE + 'manager = "brew"\n', "a: no package manager 'brew'"),
        (VALID_FILE + '[[library]]\nname = "a"\n', "the name 'a' is also in x"),
    ],
    ids=["toml", "run", "field", "no-source", "no-modes", "mode", "operation", "manager", "twice"],
)
def test_an_invalid_file_is_named(tmp_path, monkeypatch, text, message):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "catalogue.toml").write_text(text, "utf-8")
    monkeypatch.setattr(catalogue_module, "PROGRAMS", tmp_path)
    with pytest.raises(CatalogueError, match=message) as error:
        catalogue.__wrapped__()  # past the cache, which has the catalogue of the package
    assert "x/catalogue.toml" in str(error.value)


def test_the_clients_are_requests_and_aiohttp():
    assert clients().keys() == {"requests", "aiohttp"}


def test_clients_are_not_among_the_libraries_that_are_compared():
    assert catalogue().keys().isdisjoint(clients())


def test_a_client_is_found_by_its_name():
    assert find("requests").name == "requests"


@pytest.fixture(scope="module")
def rfcs_of_programs():
    """The data of the RFCs that programs read."""
    return json.loads(RFCS.read_bytes())


@pytest.mark.parametrize("table", ["default", "rules", "components"])
def test_programs_have_each_table_for_every_rfc(rfcs_of_programs, table):
    assert rfcs_of_programs[table].keys() == set(SPECS)


@pytest.mark.parametrize("spec", SPECS)
def test_the_rules_of_programs_are_spelled_as_in_the_grammar(rfcs_of_programs, spec):
    grammar = specification(spec).grammar
    rules = list(rfcs_of_programs["rules"][spec])
    assert rules != []
    assert [grammar.canonical_name(rule) for rule in rules] == rules


@pytest.mark.parametrize("spec", SPECS)
def test_the_default_rule_of_programs_is_that_of_the_rfc(rfcs_of_programs, spec):
    assert rfcs_of_programs["default"][spec] == specification(spec).default_rule


@pytest.mark.parametrize("name", ["rfc3986", "rfc3986@cache"])
def test_the_adapter_of_a_library_is_a_program(name):
    assert isinstance(find(name), Program)


def test_a_similar_library_is_suggested():
    with pytest.raises(UnknownAdapter, match="Did you mean 'rfc3986'"):
        find("rfc3896")


#: The number of libraries whose hello offers normalize.
NORMALIZING = 44


def libraries_of_modes(suits):
    """Return the mark of a test of each library that normalizes and for which `suits` is true."""
    libraries = [library for library in catalogue().values() if library.modes and suits(library)]
    return pytest.mark.parametrize("library", libraries, ids=[library.name for library in libraries])


normalizing_libraries = libraries_of_modes(lambda _: True)


@normalizing_libraries
def test_a_normalization_has_known_modes(library):
    assert set(library.modes) <= {"syntax", "scheme"}


#: How a row names a step of RFC 3986, section 6.2.3.
STEP_OF_SCHEME = re.compile(
    "6[.]2[.]3|default ports?|removes the default|:80|empty path|scheme-based|scheme-dependent|[Pp]orts? of"
    "|SCHEME_|RemoveDefaultPort|PRESERVING_NORMALIZATIONS"
)

#: How a row names the step that leaves out default ports.
DEFAULT_PORT = re.compile("default port|well-known port|scheme-based")

#: How a row says that such a step is not taken by the function that normalizes.
OF_ANOTHER_FUNCTION = re.compile("the parser alone|without it, too|no default ports|is not considered")


@libraries_of_modes(lambda library: "scheme" in library.modes)
def test_a_library_with_mode_scheme_cites_a_step_of_that_mode(library):
    assert STEP_OF_SCHEME.search(library.normalize)


@libraries_of_modes(lambda library: "scheme" not in library.modes and DEFAULT_PORT.search(library.normalize))
def test_a_default_port_that_is_cited_without_mode_scheme_is_of_another_function(library):
    assert OF_ANOTHER_FUNCTION.search(library.normalize)


@normalizing_libraries
def test_a_normalization_cites_a_version_a_place_and_what_is_said_there(library):
    """Such as `uri-js 4.4.1, README, Normalizing: ...`."""
    assert re.search(r"\d", library.normalize), "the version"
    separators = re.findall("[,:]", library.normalize)
    assert len(separators) >= 2, "the place, and what is said there"


@normalizing_libraries
def test_a_normalization_is_not_cited_by_a_web_address(library):
    """A page of the web changes, the source of a version does not."""
    assert "http://www" not in library.normalize  # a quoted example may begin with http://
    assert "https://" not in library.normalize


libraries_of_iris = pytest.mark.parametrize(
    "library",
    [library for library in catalogue().values() if library.iris],
    ids=lambda library: library.name,
)


@libraries_of_iris
def test_a_claim_of_iris_is_cited_by_a_version(library):
    """One or two words and a version begin the citation, such as `Mono 6.8.0, `."""
    assert re.match(r"\S+( \S+)?? \d+\.\d+[.\d]*, ", library.iris)


@libraries_of_iris
def test_a_claim_of_iris_cites_the_version_of_the_catalogue(library):
    assert library.version in library.iris


@libraries_of_iris
def test_a_claim_of_iris_is_cited_by_a_place_and_what_is_said_there(library):
    """After the version, such as `, class System.Uri: implements RFC 3987`."""
    assert re.search(r", .+: .", library.iris)


@libraries_of_iris
def test_a_claim_of_iris_is_not_cited_by_a_web_address(library):
    assert "://" not in library.iris


libraries_with_cited_claims = pytest.mark.parametrize(
    "library",
    [library for library in catalogue().values() if library.claims],
    ids=lambda library: library.name,
)


@libraries_with_cited_claims
def test_claims_are_cited_by_a_version_a_place_and_what_is_said_there(library):
    """Such as `uritools 6.1.2, README: supports RFC 3986`."""
    assert re.match(r"\S+( \S+)?? \d+\.\d+[.\d]*, .+: .*RFC \d{4}", library.claims)


@libraries_with_cited_claims
def test_claims_are_cited_by_the_version_of_the_catalogue(library):
    assert library.version in library.claims


@libraries_with_cited_claims
def test_claims_are_not_cited_by_a_web_address(library):
    assert "://" not in library.claims


def test_a_library_that_maps_or_converts_iris_cites_a_source():
    mapping = [library for library in catalogue().values() if {"to_uri", "to_iri"} & library.functions.keys()]
    assert mapping != []
    assert [library.name for library in mapping if not library.iris] == []


def test_no_library_has_lost_its_modes_by_mistake():
    assert len([library for library in catalogue().values() if library.modes]) == NORMALIZING


def test_every_normalizing_library_cites_a_source():
    libraries = [library for library in catalogue().values() if library.modes]
    assert [library.name for library in libraries if not library.normalize] == []


def test_a_library_that_does_not_normalize_cites_no_source():
    libraries = [library for library in catalogue().values() if not library.modes]
    assert libraries != []
    assert [library.name for library in libraries if library.normalize] == []


def test_every_library_names_its_functions():
    assert [library.name for library in catalogue().values() if not library.functions] == []


def test_a_library_names_its_normalizing_function_if_it_normalizes():
    libraries = catalogue().values()
    normalizing = [library.name for library in libraries if library.modes]
    assert [library.name for library in libraries if "normalize" in library.functions] == normalizing
