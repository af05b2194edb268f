"""Builds and states: a build appears at once or not at all, its key follows the source, states are found."""

from __future__ import annotations

import importlib.metadata
import sys

import pytest

from urlharness.adapters import builds
from urlharness.adapters.builds import (
    BuildError,
    build,
    build_folder,
    command,
    remove_interrupted_builds,
    status,
)
from urlharness.adapters.catalogue import Implementation, Language
from urlharness.system.cache import lock


@pytest.fixture(autouse=True)
def _cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def language(tmp_path, *commands, needs=("sh",)):
    """Return a made-up language whose program is built by these commands."""
    folder = tmp_path / "made"
    folder.mkdir(exist_ok=True)
    (folder / "program").write_text("one", "utf-8")
    return Language("made", folder, needs, ("dash",), commands, ("{out}/program", "{library}", "{rfcs}"))


def implementation(toolchain, manager="none", packages=(), module=""):
    """Return a made-up library of a language."""
    return Implementation(
        "a", toolchain, "lib", manager, packages, module, "made", default=False, distinct=True
    )


@pytest.fixture
def logged_build(tmp_path):
    """A language whose build copies its program to the cache, and adds a line to a log."""
    script = f"cp {{source}}/program {{out}} && echo built >>{tmp_path / 'log'}"
    return language(tmp_path, ("sh", "-c", script))


def test_a_build_copies_the_program_to_the_cache(logged_build):
    folder = build(logged_build)
    assert folder == build_folder(logged_build)
    assert (folder / "program").read_text("utf-8") == "one"


def test_a_program_is_built_once(logged_build, tmp_path):
    folder = build(logged_build)
    assert build(logged_build) == folder
    assert (tmp_path / "log").read_text("utf-8") == "built\n"


def test_a_library_is_installed_when_its_program_is_built(logged_build):
    library = implementation(logged_build)
    assert status(library).state == "not built"
    build(logged_build)
    assert status(library).state == "installed"


def test_a_library_is_asked_by_the_built_program(logged_build):
    folder = build(logged_build)
    program, name, *_ = command(implementation(logged_build))
    assert program == str(folder / "program")
    assert name == "lib"


def test_a_changed_source_has_another_build_folder(tmp_path):
    toolchain = language(tmp_path, ("true",))
    before = build_folder(toolchain)
    (toolchain.folder / "program").write_text("two", "utf-8")
    assert build_folder(toolchain) != before


def test_a_failed_build_keeps_the_earlier_one(tmp_path):
    earlier = build(language(tmp_path, ("true",)))
    with pytest.raises(BuildError, match=r"^false failed with exit code 1$"):
        build(language(tmp_path, ("false",)))
    assert earlier.is_dir()


def test_a_complete_build_replaces_earlier_ones(tmp_path):
    """The builds of a language whose name begins alike stay."""
    of_another_language = build(language(tmp_path, ("true",))._replace(name="made-full"))
    build(language(tmp_path, ("true",)))
    latest = build(language(tmp_path, ("true", "again")))
    assert sorted(latest.parent.iterdir()) == sorted([of_another_language, latest])


def test_a_failed_build_leaves_nothing(tmp_path):
    toolchain = language(tmp_path, ("sh", "-c", "touch {out}/program; echo what is wrong >&2; exit 3"))
    with pytest.raises(BuildError, match=r"exit code 3\nwhat is wrong"):
        build(toolchain)
    assert list(build_folder(toolchain).parent.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "busy_name", "remains"),
    [
        ("made", "", False),
        ("made-full", "made", False),
        ("made", "made", True),
        ("made-full", "made-full", True),
    ],
    ids=["nobody", "another-language", "at-work", "at-work-on-a-second-program"],
)
def test_an_interrupted_build_is_removed_unless_a_process_holds_it(tmp_path, name, busy_name, remains):
    work = tmp_path / "cache" / "urlconform" / "programs" / f".building-{name}-77"
    work.mkdir(parents=True)
    with lock(f"program-{busy_name}"):
        remove_interrupted_builds()
    assert work.is_dir() is remains


@pytest.fixture
def installed_libraries(tmp_path, monkeypatch):
    """The cache of a user with libraries of several managers.

    npm has `there` 1.0, npm-unlocked `big` 1.0, maven `there` 1.0; apt has put `there` into the system.
    """
    libraries = tmp_path / "cache" / "urlconform" / "libraries"
    for manager, package in (("npm", "there"), ("npm-unlocked", "big")):
        folder = libraries / manager / "node_modules" / package
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"version": "1.0"}', "utf-8")
    (libraries / "maven").mkdir()
    (libraries / "maven" / "there-1.0.jar").touch()
    monkeypatch.setattr(builds, "_DPKG", tmp_path)
    (tmp_path / "there:amd64.list").touch()


@pytest.mark.parametrize(
    ("manager", "packages", "state"),
    [
        pytest.param("npm", ["there==1.0"], "installed", id="npm"),
        pytest.param("npm", ["there==2.0"], "wrong version", id="npm-other-version"),
        pytest.param("npm", ["not-there==1.0"], "missing", id="npm-missing"),
        pytest.param("npm-unlocked", ["there==1.0"], "missing", id="npm-unlocked-in-the-other-folder"),
        pytest.param("npm-unlocked", ["big==1.0"], "installed", id="npm-unlocked"),
        pytest.param("maven", ["g:there==1.0"], "installed", id="maven"),
        pytest.param("maven", ["g:there==1.1"], "missing", id="maven-other-version"),
        pytest.param("apt", ["there"], "installed", id="apt"),
        pytest.param("apt", ["there", "not-there"], "missing", id="apt-one-of-two"),
        pytest.param("apt", ["not-there | there"], "installed", id="apt-alternative"),
        pytest.param("none", [], "installed", id="no-manager"),
    ],
)
@pytest.mark.usefixtures("installed_libraries")
def test_the_state_of_a_library_follows_what_its_manager_has_installed(tmp_path, manager, packages, state):
    assert status(implementation(language(tmp_path), manager, tuple(packages), "")).state == state


@pytest.mark.parametrize(
    ("package", "module", "state"),
    [
        pytest.param("msgspec==0.0.1", "msgspec", "installed", id="of-any-version"),
        pytest.param("no-such-package==1", "no_such_package", "missing", id="missing"),
    ],
)
def test_a_library_of_pip_is_installed_if_the_environment_has_its_module(tmp_path, package, module, state):
    assert status(implementation(language(tmp_path), "pip", (package,), module)).state == state


def test_a_missing_program_is_named(tmp_path):
    toolchain = language(tmp_path, needs=("no-such-compiler",))
    state, message, *_ = status(implementation(toolchain))
    assert state == "no program"
    assert message == "no-such-compiler is not on the PATH"


def test_the_version_is_that_of_the_environment(tmp_path):
    library_status = status(implementation(language(tmp_path), "pip", ("msgspec==0.0.1",), "msgspec"))
    assert library_status.version == importlib.metadata.version("msgspec")


def test_an_unexpected_version_in_the_environment_is_mentioned(tmp_path):
    library_status = status(implementation(language(tmp_path), "pip", ("msgspec==0.0.1",), "msgspec"))
    version = importlib.metadata.version("msgspec")
    assert library_status.reason == f"msgspec==0.0.1 is expected, but {version} is installed"


@pytest.fixture
def python_library(tmp_path):
    """A library that the Python environment has, although it is not installed in the cache."""
    toolchain = language(tmp_path)._replace(run=("{python}", "{library}"))
    return implementation(toolchain, "pip", ("msgspec==0.0.1",), "msgspec")


def test_a_library_of_the_environment_is_run_by_its_interpreter(python_library):
    assert command(python_library) == [sys.executable, "lib"]


def test_the_copy_of_a_library_in_the_cache_is_run_by_the_interpreter_of_the_cache(python_library, tmp_path):
    python = tmp_path / "cache" / "urlconform" / "libraries" / "pip" / "bin" / "python"
    assert command(python_library, cached=True) == [str(python), "lib"]


def test_a_library_may_have_its_own_command(tmp_path):
    """The folder is that of the package manager of the library, which need not be that of the language."""
    library = implementation(language(tmp_path), "npm-unlocked", ("big==1.0",))
    words = command(library._replace(run=("{libraries}/big", "{library}")))
    assert words == [str(tmp_path / "cache" / "urlconform" / "libraries" / "npm-unlocked" / "big"), "lib"]
