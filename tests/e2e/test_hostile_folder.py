"""Commands in a hostile current folder, as processes: nothing that is planted there runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import chain

import pytest

from urlharness.adapters.builds import status
from urlharness.adapters.catalogue import catalogue
from urlharness.exitcodes import Exit
from urlharness.system.cache import cache_folder

from ..harness.cli.hostile import CELLS, plant, prepare, ran, words  # noqa: TID252 - tests are not an installed package

#: The set of libraries that must be installed here.
REQUIRED = os.environ.get("URLCONFORM_LIBRARIES", "")

#: A shared library that leaves a file beside it when it is loaded.
SHARED = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

__attribute__((constructor)) static void leave_file(void)
{
    Dl_info info;
    char path[4096];
    if (dladdr((void *)leave_file, &info)) {
        snprintf(path, sizeof path, "%s.ran", info.dli_fname);
        FILE *file = fopen(path, "w");
        if (file)
            fclose(file);
    }
}
"""

#: A module of Erlang that leaves a file in the current folder when it is loaded.
BEAM = '-module(NAME).\n-on_load(run/0).\nrun() -> file:write_file("NAME.beam.ran", <<>>), ok.\n'

#: Libraries whose interpreters search the current folder: Lua, PHP, Erlang, Elixir, Racket.
SEARCHING = ("lua-uri", "luasocket", "guzzle-psr7", "net_url2", "uri_string", "elixir-uri", "racket-net-url")

#: The questions to these libraries.
COMMANDS = {
    "ask": ["http://a/"],
    "compare": ["--texts", "few.txt"],
    "run": ["--spec", "3986", "--section", "5.4.2"],
}


@pytest.fixture(scope="session")
def compiled_files(tmp_path_factory):
    """A folder with what has to be compiled. Without a compiler, a file is there that cannot be loaded."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "source.c").write_text(SHARED, "utf-8")
    shared = ("cjson.so", "socket/core.so", "libobj.so", "jiffy.so")
    for name in shared:
        path = folder / "planted" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        if shutil.which("cc"):
            subprocess.run(["cc", "-shared", "-fPIC", "-o", path, folder / "source.c"], check=True)
    for name in ("jiffy", "string"):
        (folder / f"{name}.erl").write_text(BEAM.replace("NAME", name), "utf-8")
        (folder / "planted" / f"{name}.beam").touch()
        if shutil.which("erlc"):
            subprocess.run(["erlc", "-o", folder / "planted", folder / f"{name}.erl"], check=True)
    return folder / "planted"


@pytest.fixture
def hostile_folder(tmp_path, part_of_the_corpus, compiled_files):
    """The path of a folder with the files of the cells, and a function that plants everything there."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    prepare(folder, part_of_the_corpus)

    def plant_all():
        plant(folder)
        shutil.copytree(compiled_files, folder, dirs_exist_ok=True)

    return folder, plant_all


@pytest.fixture
def environment_with_libraries(environment):
    """The environment of the command, with the cache in which the libraries are installed."""
    return environment | {"XDG_CACHE_HOME": str(cache_folder().parent)}


def run(program, folder, arguments, environment, stdin=""):
    """Run the command in a folder, and return its exit code and output."""
    return subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.sampled(8, keep="[run]")
@pytest.mark.parametrize("name", CELLS)
def test_commands_run_nothing_of_the_current_folder(program, environment, hostile_folder, name):
    cell = CELLS[name]
    folder, plant_all = hostile_folder
    for arguments in cell.before:
        run(program, folder, arguments, environment)
    plant_all()
    done = run(program, folder, [*name.split(), *words(cell, folder)], environment, cell.stdin)
    assert ran(folder) == []
    assert done.returncode == cell.code, done.stderr


def installed(names):
    """Return those libraries that are installed. Those of the set URLCONFORM_LIBRARIES must be."""
    installed_names = [name for name in names if status(catalogue()[name]).state == "installed"]
    required = [name for name in names if REQUIRED == "full" or (REQUIRED and catalogue()[name].default)]
    assert set(required) <= set(installed_names)
    return installed_names


def skip_unless_installed(name):
    """Skip the test if a library is not installed. One of the set URLCONFORM_LIBRARIES must be."""
    if not installed([name]):
        pytest.skip(f"{name} is not installed")


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", catalogue())
def test_libraries_run_nothing_of_the_current_folder(
    program, environment_with_libraries, hostile_folder, name
):
    skip_unless_installed(name)
    folder, plant_all = hostile_folder
    plant_all()
    done = run(program, folder, ["ask", "-a", name, "http://a/"], environment_with_libraries)
    assert ran(folder) == []
    assert "\n     " in done.stdout, done.stderr  # the library has answered


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_ask_libraries_run_nothing_of_the_current_folder(
    program, environment_with_libraries, hostile_folder, command
):
    names = installed(SEARCHING)
    if not names:
        pytest.skip("none of the libraries is installed")
    folder, plant_all = hostile_folder
    plant_all()
    options = list(chain.from_iterable(("-a", name) for name in names))
    adapters = options if command == "ask" else names
    done = run(program, folder, [command, *adapters, *COMMANDS[command]], environment_with_libraries)
    assert ran(folder) == []
    assert done.returncode in (Exit.PASSED, Exit.FAILED), done.stderr


@pytest.mark.sampled(7)
@pytest.mark.parametrize("command", ["serve", "adapters doctor"])
@pytest.mark.parametrize("name", SEARCHING)
def test_a_served_library_runs_nothing_of_the_current_folder(
    program, environment_with_libraries, hostile_folder, command, name
):
    skip_unless_installed(name)
    folder, plant_all = hostile_folder
    plant_all()
    done = run(program, folder, [*command.split(), name], environment_with_libraries, CELLS["serve"].stdin)
    assert ran(folder) == []
    assert done.returncode == Exit.PASSED, done.stderr


@pytest.mark.long
@pytest.mark.skipif(not REQUIRED, reason="URLCONFORM_LIBRARIES does not name a set of libraries")
def test_installs_run_nothing_of_the_current_folder_and_its_parent(
    program, environment, hostile_folder, tmp_path
):
    """A library of pip and one of npm are installed."""
    parent, plant_all = hostile_folder
    plant_all()
    folder = parent / "below"
    shutil.copytree(parent, folder, ignore=shutil.ignore_patterns(folder.name))
    cache = environment | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = run(program, folder, ["adapters", "install", "purl", "uri-js"], cache)
    assert ran(parent) == []
    assert done.returncode == Exit.PASSED, done.stderr
