"""Adapters answer as their library does: facts checked by hand, with the transcript of the library.

A library that is not installed is skipped, unless URLCONFORM_LIBRARIES names its set (`default` or `full`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest

from urlharness.adapters.builds import status
from urlharness.adapters.catalogue import FROM_CACHE, PROGRAMS, catalogue, clients
from urlharness.adapters.registry import find
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question
from urlharness.sessions.client import open_client

from .direct.frame import is_cached

#: The set of libraries that must be installed here.
REQUIRED = os.environ.get("URLCONFORM_LIBRARIES", "")


#: Formatters of programs; if a program needs a change, they fail or print it.
FORMATTERS = [
    ("c/*.[ch]", "clang-format --dry-run -Werror"),
    ("cpp/*.[ch]pp", "clang-format --dry-run -Werror"),
    ("crystal/*.cr", "crystal tool format --check"),
    ("elixir/*.ex", "mix format --check-formatted"),
    ("go/*.go", "gofmt -l"),
    ("javascript/*.mjs", "prettier --list-different"),
    ("perl/*.pl", f"perltidy --assert-tidy -o {os.devnull}"),
    ("php/*.mjs", "prettier --list-different"),
    ("python/*.py", "ruff format --check --quiet"),
    ("rust/**/*.rs", "rustfmt --check --edition=2024"),
]


def read_facts():
    """Yield the facts of all languages."""
    for path in sorted((Path(__file__).parent / "facts").glob("*.toml")):
        yield from tomllib.loads(path.read_text("utf-8"))["fact"]


FACTS = list(read_facts())

#: Each library, and each client, has at least so many facts.
FEWEST_FACTS = 6

#: How a fact writes a component that is null, and one that the reply leaves out.
NOTHING = ("(absent)", "(not shown)")

KNOWN = {**catalogue(), **clients()}


def is_required(implementation):
    """Return True if a library or a client must be installed here."""
    return REQUIRED == "full" or (REQUIRED == "default" and implementation.default)


@cache
def client(name):
    """Return the adapter of a library or a client, opened once."""
    cached = name in KNOWN and is_cached(KNOWN[name])
    return open_client(find(name + FROM_CACHE if cached else name), Limits(), "urlconform")


def why_not_checked(name):
    """Return why nothing is known about a library here: it is missing, or this Python has another version."""
    if name not in KNOWN or is_cached(KNOWN[name]):
        return ""
    state = status(KNOWN[name])
    return state.reason if state.state == "installed" else f"{name} is {state.state}: {state.reason}"


@pytest.mark.parametrize("name", KNOWN)
def test_every_library_and_every_client_has_at_least_six_facts(name):
    assert len([fact for fact in FACTS if fact["library"] == name]) >= FEWEST_FACTS


def test_every_fact_has_a_transcript():
    """It is of the library's own interpreter or program, or of a client that prints the address."""
    assert [fact for fact in FACTS if not fact["transcript"].strip()] == []


@pytest.mark.parametrize("name", clients())
def test_the_facts_of_a_client_are_about_connections(name):
    assert {fact["question"]["op"] for fact in FACTS if fact["library"] == name} == {"connect"}


@pytest.mark.parametrize("name", KNOWN)
def test_required_libraries_are_installed(name):
    implementation = KNOWN[name]
    if not is_required(implementation):
        pytest.skip(f"{name} is not in the set that URLCONFORM_LIBRARIES names")
    assert status(implementation).state == "installed", status(implementation).reason


@pytest.mark.parametrize("name", KNOWN)
def test_the_hello_names_version_runtime_and_homepage(name):
    if status(KNOWN[name]).state != "installed":
        pytest.skip(f"{name} is not installed")
    implementation = client(name).hello.implementation
    assert implementation.version
    assert implementation.language
    assert implementation.homepage


def installed(name):
    """Return a library of the catalogue; skip if it is not installed."""
    library = catalogue()[name]
    if status(library).state != "installed":
        pytest.skip(f"{name} is not installed")
    return library


@pytest.mark.parametrize("name", catalogue())
def test_a_library_normalizes_if_its_row_cites_a_source_of_its_modes(name):
    offers_normalization = "normalize" in client(installed(name).name).hello.ops
    assert offers_normalization == (catalogue()[name].normalize != "")


@pytest.mark.parametrize("name", [name for name, library in catalogue().items() if library.modes])
def test_the_modes_of_the_hello_are_those_of_the_cited_source(name):
    assert tuple(client(installed(name).name).hello.modes) == catalogue()[name].modes


#: For each mode, texts of which only its section of RFC 3986 makes another text: 6.2.2 and 6.2.3.
TEXTS_OF_MODES = {
    "syntax": {"http://h/b/../a": "http://h/a", "http://h/%7e": "http://h/~", "HTTP://H/": "http://h/"},
    "scheme": {"http://h:80/": "http://h/", "http://h": "http://h/"},
}


@pytest.mark.parametrize(
    ("name", "mode"),
    [(name, mode) for name, library in catalogue().items() for mode in library.modes],
)
def test_a_library_takes_a_step_of_each_mode_that_it_offers(name, mode):
    adapter = installed(name).name
    questions = []
    for number, text in enumerate(TEXTS_OF_MODES[mode]):
        questions.append(Question(number, "normalize", "rfc3986", url=text, mode=mode))
    normal_forms = [msgspec.to_builtins(reply).get("url") for _, reply in client(adapter).ask(questions)]
    expected_forms = TEXTS_OF_MODES[mode].values()
    pairs = zip(normal_forms, expected_forms, strict=True)
    assert any(normal_form == expected for normal_form, expected in pairs)


@pytest.mark.parametrize("name", catalogue())
def test_a_library_claims_rfc_3987_if_its_row_cites_a_source_of_that(name):
    claims_iris = "rfc3987" in client(installed(name).name).hello.specs
    assert claims_iris == (catalogue()[name].iris != "")


@pytest.mark.parametrize(
    "fact",
    [pytest.param(fact, id=f"{fact['library']}-{number}") for number, fact in enumerate(FACTS)],
)
def test_the_reply_of_the_adapter_has_the_fields_and_components_of_the_fact(fact):
    expected = dict(fact["reply"])
    expected_components = expected.pop("components", {})
    reply = reply_to(fact)
    components = reply.get("components", {})
    assert {field: reply[field] for field in expected} == expected
    texts = {part: None if text in NOTHING else text for part, text in expected_components.items()}
    assert {part: components.get(part) for part in texts} == texts
    not_exposed = {part for part, text in expected_components.items() if text == "(not shown)"}
    assert not_exposed.isdisjoint(components)


def reply_to(fact):
    """Return the fields of the adapter's reply to the question of a fact; skip if it cannot be asked."""
    name = fact["library"]
    if reason := why_not_checked(name):
        pytest.skip(reason)
    question = msgspec.convert({"type": "run", "id": 0, "spec": "rfc3986", **fact["question"]}, Question)
    ((_, reply),) = client(name).ask([question])
    return msgspec.to_builtins(reply)


def test_no_fact_of_a_library_is_listed_twice():
    seen = Counter(repr((fact["library"], fact["question"])) for fact in FACTS)
    assert [fact for fact, count in seen.items() if count > 1] == []


@pytest.mark.parametrize(("files", "command"), FORMATTERS, ids=[files for files, _ in FORMATTERS])
def test_a_program_is_formatted(files, command):
    tool, *options = command.split()
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool}")
    paths = sorted(PROGRAMS.glob(files))
    assert paths
    done = subprocess.run(
        [tool, *options, *paths], cwd=paths[0].parent, capture_output=True, text=True, check=False
    )
    assert done.stdout == "", done.stdout + done.stderr
    assert done.returncode == 0, done.stdout + done.stderr
