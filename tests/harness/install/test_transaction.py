"""Transactions: one for each package manager, only for what is missing, with the lines that run."""

from __future__ import annotations

import os
import re
import shlex
import time
from typing import NamedTuple

import pytest

from urlharness.adapters import builds
from urlharness.adapters.builds import build_folder, manager_folder, status
from urlharness.adapters.catalogue import Implementation, Language, catalogue, clients
from urlharness.cli.author import adapters as authoring
from urlharness.exitcodes import Exit
from urlharness.install import transaction
from urlharness.install.transaction import (
    InstallError,
    Transaction,
    build_lines,
    run_transaction,
    select_implementations,
    system_upgrades,
    transactions,
)
from urlharness.system.cache import interrupted_installs


@pytest.fixture(autouse=True)
def _cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def make(name, manager, package, *, needs=(), build=(), tmp_path=None):
    """Return a made-up library, which one package has, of a made-up language."""
    language = Language("made", tmp_path, needs, ("made-compiler",), build, ("x", "{library}"))
    return Implementation(
        name, language, name, manager, (package,), "no_such_module", "made", default=True, distinct=True
    )


#: A lock file of pip: `a` needs `shared`, which needs `below`.
LOCK = """# a comment
below==1 \\
    --hash=sha256:00
    # via shared-package
no-such-a==1 \\
    --hash=sha256:01 \\
    --hash=sha256:02
no-such-c==2 ; python_version > '3' \\
    --hash=sha256:03
Shared-Package==3 \\
    --hash=sha256:04
    # via no-such-a, other
"""


@pytest.fixture
def lock_file(tmp_path):
    """The lock file of pip in the folder of the language."""
    (tmp_path / "requirements.txt").write_text(LOCK, "utf-8")


@pytest.fixture
def steps(tmp_path, lock_file):
    """The transactions of six libraries of four package managers, by manager and in their order."""
    libraries = [
        make("a", "pip", "no-such-a==1", tmp_path=tmp_path),
        make("b", "apt", "no-such-b", tmp_path=tmp_path),
        make("c", "pip", "no-such-c==2", tmp_path=tmp_path),
        make("d", "npm", "no-such-d==3", needs=("no-such-compiler",), tmp_path=tmp_path),
        make("e", "npm-unlocked", "@no/such-e==4", tmp_path=tmp_path),
        make("f", "npm-unlocked", "@no/such-e==4", tmp_path=tmp_path),  # another class of the same package
    ]
    planned = transactions(libraries)
    assert len({step.manager for step in planned}) == len(planned), "one transaction for each manager"
    return {step.manager: step for step in planned}


def test_each_manager_has_one_transaction_with_its_libraries(steps):
    assert {manager: step.names for manager, step in steps.items()} == {
        "apt": ("b",),
        "pip": ("a", "c"),
        "npm": ("d",),
        "npm-unlocked": ("e", "f"),
    }


def test_apt_comes_first(steps):
    first_manager, *_ = steps
    assert first_manager == "apt"


def test_only_apt_needs_root(steps):
    assert [manager for manager, step in steps.items() if step.root] == ["apt"]


def test_apt_installs_packages_and_missing_compilers(steps):
    assert steps["apt"].shell_lines == [
        "apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends no-such-b made-compiler"
    ]


def test_pip_installs_into_the_cache_with_hashes(steps):
    enter_folder, *_ = steps["pip"].shell_lines
    assert enter_folder.endswith("/urlconform/libraries/pip")
    assert "--require-hashes" in steps["pip"].commands[-1]


def test_npm_installs_what_is_locked(steps):
    assert "npm ci" in steps["npm"].shell_lines[-1]


def test_npm_installs_an_unlocked_package_once(steps):
    assert steps["npm-unlocked"].shell_lines[-1].endswith("--loglevel=error @no/such-e@4")


@pytest.mark.usefixtures("lock_file")
def test_pip_gets_the_hashes_of_a_library_and_of_all_that_it_needs(tmp_path):
    (step,) = transactions([make("a", "pip", "No_Such.A==1", tmp_path=tmp_path)])
    names = [line.partition("==")[0] for line in step.requirements.splitlines() if "==" in line]
    assert names == ["no-such-a", "Shared-Package", "below"]
    assert step.requirements.count("--hash=sha256:") == 4


PYTHON = [library for library in catalogue().values() if library.manager == "pip"]


@pytest.mark.parametrize("library", PYTHON, ids=lambda library: library.name)
def test_a_python_library_is_locked_in_the_version_of_the_catalogue(library):
    package, *_ = library.packages
    name, version = package.split("==")
    entry = rf"^{re.sub('[-_.]', '.', name)}=={re.escape(version)} "
    assert re.search(entry, transaction._locked_requirements([library]), re.IGNORECASE | re.MULTILINE)


def test_every_entry_of_the_lock_file_of_pip_has_a_hash():
    text = transaction._locked_requirements(PYTHON)
    entries = [entry[0] for entry in transaction._ENTRY.finditer(text)]
    assert entries != []
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


#: A library of each package manager that installs into the cache, and the program that is started first.
MANAGED = {
    "purl": "python",
    "uri-js": "npm",
    "bun": "npm",
    "okhttp": "mvn",
    "rust-url": "cargo",
    "fasthttp": "go",
}

#: Stands for a package manager: it writes down where it was started, and with which words.
STUB = """#!/bin/sh
pwd >>"$CALLS"
printf '%s\\n' "$@" >>"$CALLS"
"""


@pytest.fixture
def stubs(tmp_path, monkeypatch):
    """Stubs in place of all package managers, which write to the file that is returned."""
    (tmp_path / "bin").mkdir()
    for program in MANAGED.values():
        (tmp_path / "bin" / program).write_text(STUB, "utf-8")
        (tmp_path / "bin" / program).chmod(0o755)
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.setattr(transaction.sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setattr(transaction, "_has_pip", lambda _: False)
    return tmp_path / "calls"


@pytest.fixture
def foreign_folder(tmp_path, monkeypatch):
    """The current folder, which is not one of ours."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def start_folder(foreign_folder, stubs):
    """Return a function that installs a library with the stubs, and returns where the first one started."""

    def install(library) -> str:
        library = library._replace(language=library.language._replace(needs=()))
        (step,) = [step for step in transactions([library]) if not step.root]
        if library.manager == "pip":  # the second command is a program of the environment
            step = step._replace(commands=step.commands[:1])
        run_transaction(step)
        started_in, *_ = stubs.read_text("utf-8").splitlines()
        return started_in

    return install


# Cargo starts elsewhere, as the next test shows.
@pytest.mark.parametrize("name", [name for name in MANAGED if name != "rust-url"])
def test_package_managers_start_in_their_folder_of_the_cache(tmp_path, start_folder, name):
    """Neither the current folder nor a parent of the adapter program is where they look for configuration."""
    library = catalogue()[name]
    assert start_folder(library) == str(tmp_path / "urlconform" / "libraries" / library.manager)


def test_cargo_starts_in_the_root(start_folder):
    """Cargo and rustup search all parents of the folder in which they start."""
    assert start_folder(catalogue()["rust-url"]) == "/"


@pytest.mark.parametrize("name", MANAGED)
def test_an_install_writes_nothing_to_the_current_folder(foreign_folder, start_folder, name):
    start_folder(catalogue()[name])
    assert list(foreign_folder.iterdir()) == []


def test_python_is_isolated_from_the_folder_in_which_it_is_started():
    (step,) = transactions([catalogue()["purl"]])
    assert {option for _python, option, *_ in step.commands} == {"-I"}


def test_apt_runs_in_an_empty_folder(tmp_path):
    script = f"pwd >{tmp_path}/where; ls -A >>{tmp_path}/where"
    run_transaction(Transaction("apt", (("sh", "-c", script),), ("a",), root=True))
    assert (tmp_path / "where").read_text("utf-8") == f"{tmp_path}/urlconform/empty\n"


@pytest.mark.parametrize("inside", [True, False], ids=["in-the-home-folder", "elsewhere"])
def test_the_configuration_of_cargo_in_the_home_folder_applies(tmp_path, monkeypatch, inside):
    """Cargo starts in the root, so it does not find it, even if the cache is in the home folder."""
    home = tmp_path if inside else tmp_path / "home"
    (home / ".cargo").mkdir(parents=True)
    (home / ".cargo" / "config.toml").touch()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("CARGO_HOME", raising=False)
    library = catalogue()["rust-url"]
    commands = transaction._cargo_commands([library], tmp_path / "urlconform" / "libraries" / "cargo")
    linked = [target for program, _option, target, *_ in commands if program == "ln"]
    assert linked == [str(home / ".cargo" / "config.toml")]


# ---- interrupted installs


@pytest.fixture
def library(tmp_path):
    """A library of pip whose files are in the cache."""
    packages = tmp_path / "urlconform" / "libraries" / "pip" / "lib" / "python3" / "site-packages"
    (packages / "no_such_a-1.dist-info").mkdir(parents=True)
    (packages / "no_such_a-1.dist-info" / "METADATA").write_text("Name: no-such-a\nVersion: 1\n", "utf-8")
    return make("a", "pip", "no-such-a==1", tmp_path=tmp_path)


def test_a_library_is_missing_after_a_failed_install(library):
    assert status(library).state == "installed"
    with pytest.raises(InstallError, match=r"^false: "):
        run_transaction(Transaction("pip", (("false",),), ("a",)))
    state, message, *_ = status(library)
    assert state == "missing"
    assert message == "the install of no-such-a==1 did not end"


@pytest.fixture
def next_step(library, lock_file):
    """The transaction of a library after an install of it and another one has failed."""
    with pytest.raises(InstallError):
        run_transaction(Transaction("pip", (("false",),), ("a", "b")))
    (step,) = transactions([library])
    return step


def test_the_next_install_overwrites_what_may_be_incomplete(next_step):
    assert "--ignore-installed" in next_step.commands[-1]


def test_a_complete_install_ends_the_interruption_of_its_libraries(next_step, library):
    run_transaction(next_step._replace(commands=(("true",),)))
    assert status(library).state == "installed"
    assert interrupted_installs("pip") == {"b"}


@pytest.fixture
def command_of_environment(lock_file, tmp_path):
    """Return a function that returns the command that makes an environment which has these files now."""

    def first_command(*files):
        for name in files:
            path = tmp_path / "urlconform" / "libraries" / "pip" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        (step,) = transactions([make("a", "pip", "no-such-a==1", tmp_path=tmp_path)])
        return step.commands[0]

    return first_command


INTERPRETER = "bin/python"
PIP = "lib/python3/site-packages/pip-24.dist-info/RECORD"


@pytest.mark.parametrize(
    "files",
    [
        pytest.param([], id="nothing"),
        pytest.param([INTERPRETER], id="no-pip"),
        pytest.param([INTERPRETER, "lib/python3/site-packages/pip/__main__.py"], id="a-part-of-pip"),
        pytest.param([PIP], id="no-python"),
    ],
)
def test_an_environment_that_is_not_complete_is_made_anew(command_of_environment, files):
    assert "--clear" in command_of_environment(*files)


def test_a_complete_environment_is_not_made_anew(command_of_environment):
    assert "--clear" not in command_of_environment(INTERPRETER, PIP)


def programs_of(library):
    """Return the programs that the only transaction of a library runs."""
    (step,) = transactions([library])
    return [program for program, *_ in step.commands]


def test_npm_begins_anew_after_an_interrupted_install(tmp_path):
    library = make("e", "npm-unlocked", "@no/such-e==4", tmp_path=tmp_path)
    assert programs_of(library) == ["npm"]
    with pytest.raises(InstallError, match=r"^false: "):
        run_transaction(Transaction("npm-unlocked", (("false",),), ("e",)))
    assert programs_of(library) == ["rm", "npm"]


def test_the_next_install_removes_what_a_killed_one_has_left(urlconform, tmp_path, monkeypatch):
    leftover = tmp_path / "urlconform" / "programs" / ".building-rust-full-77"
    leftover.mkdir(parents=True)
    monkeypatch.setattr(transaction, "transactions", lambda _: [])
    urlconform("adapters", "install", "parse_url", env={"XDG_CACHE_HOME": str(tmp_path)})
    assert not leftover.exists()


def test_a_cache_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(InstallError, match=r"/file.*: not a directory"):
        run_transaction(Transaction("pip", (("true",),), ("a",)))


@pytest.fixture
def apt_has(tmp_path, monkeypatch):
    """Return a function that puts an apt in the place of the installed one, which has only one package."""

    def put(package):
        (tmp_path / "apt-cache").write_text(f"#!/bin/sh\ntest \"$2\" = '{package}'\n", "utf-8")
        (tmp_path / "apt-cache").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    transaction._is_in_apt.cache_clear()
    yield put
    transaction._is_in_apt.cache_clear()


@pytest.mark.parametrize(
    ("available", "picked"),
    [("newer", "newer"), ("no-such-old", "no-such-old"), ("", "no-such-old")],
    ids=["second", "first", "none"],
)
def test_of_alternatives_the_first_that_apt_has_is_installed(tmp_path, apt_has, available, picked):
    apt_has(available)
    (step,) = transactions([make("a", "apt", "no-such-old | newer | newest", tmp_path=tmp_path)])
    (command,) = step.commands
    *_, installed = command
    assert installed == picked


def test_a_library_that_needs_no_package_has_no_transaction(tmp_path):
    assert transactions([make("a", "none", "x", tmp_path=tmp_path)]) == []


def test_the_library_of_a_runtime_comes_with_the_packages_of_its_program():
    """java.net.URL needs no package of Maven, but its program does not compile without them."""
    (maven,) = [step for step in transactions([catalogue()["java-net-url"]]) if step.manager == "maven"]
    assert "-Dmaven.repo.local=" in maven.shell_lines[-1]


def test_the_full_set_has_every_library_and_client():
    names = {library.name for library in select_implementations([], "full")}
    assert names == catalogue().keys() | clients().keys()


def test_the_default_set_has_the_libraries_that_the_catalogue_names():
    selected = select_implementations([], "default")
    implementations = [*catalogue().values(), *clients().values()]
    assert selected == [implementation for implementation in implementations if implementation.default]
    assert 0 < len(selected) < len(implementations)


def test_libraries_are_selected_by_name_in_the_order_of_the_catalogue():
    assert [library.name for library in select_implementations(["uritools", "rfc3986"], None)] == [
        "rfc3986",
        "uritools",
    ]


def test_an_unknown_name_cannot_be_selected():
    with pytest.raises(KeyError) as caught:
        select_implementations(["rfc3986", "zzz"], None)
    assert caught.value.args == ("zzz",)


def test_a_command_that_fails_is_named():
    with pytest.raises(InstallError, match=r"false: .*exit status 1"):
        run_transaction(Transaction("pip", (("false",),), ("a",)))


@pytest.fixture
def needs_apt(monkeypatch):
    """One package of apt is missing, and the user is not root."""
    step = Transaction("apt", (("apt-get", "install", "no-such"),), ("rfc3986",), root=True)
    monkeypatch.setattr(transaction, "transactions", lambda _: [step])
    monkeypatch.setattr("os.geteuid", lambda: 1000)


@pytest.mark.usefixtures("needs_apt")
def test_a_dry_run_prints_the_commands(urlconform):
    done = urlconform("adapters", "install", "rfc3986", "--dry-run")
    assert done.stdout == "# apt for rfc3986:\napt-get install no-such\n"
    assert done.returncode == Exit.PASSED


#: What `apt-get --simulate` prints: a package that is new, and one that is upgraded.
SIMULATION = """#!/bin/sh
test "$1" = --simulate || exit 1
echo "Inst no-such (1.0 Debian:12/stable [amd64])"
echo "Inst libcurl4 [7.88.1-10] (7.88.1-11 Debian:12/stable [amd64]) []"
echo "Conf libcurl4 (7.88.1-11 Debian:12/stable [amd64])"
"""


@pytest.fixture
def simulated_apt(tmp_path):
    """An environment with an apt-get that can only simulate."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "apt-get").write_text(SIMULATION, "utf-8")
    (tmp_path / "bin" / "apt-get").chmod(0o755)
    return {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.usefixtures("needs_apt")
def test_a_dry_run_says_which_system_packages_would_be_upgraded(urlconform, simulated_apt):
    done = urlconform("adapters", "install", "rfc3986", "--dry-run", env=simulated_apt)
    assert done.stdout.splitlines() == [
        "# apt for rfc3986:",
        "# this also upgrades system packages: libcurl4 (7.88.1-10 to 7.88.1-11)",
        "apt-get install no-such",
    ]


def test_a_system_without_apt_upgrades_nothing(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    step = Transaction("apt", (("apt-get", "install", "no-such"),), ("a",), root=True)
    assert system_upgrades(step) == []


@pytest.fixture
def _two_managers(monkeypatch):
    """Two package managers, each of which writes two megabytes."""

    def write_library(step):
        folder = manager_folder(step.manager)
        folder.mkdir(parents=True)
        (folder / "library").write_bytes(bytes(2_000_000))

    steps = [Transaction("pip", (("a",),), ("purl",)), Transaction("go", (("b",),), ("fasthttp",))]
    monkeypatch.setattr(transaction, "transactions", lambda _: steps)
    monkeypatch.setattr(transaction, "run_transaction", write_library)


@pytest.mark.usefixtures("_two_managers")
def test_an_install_says_how_far_it_is_and_how_much_it_has_installed(urlconform):
    done = urlconform("adapters", "install", "purl")
    assert re.findall(r"^installing .*$", done.stdout, re.MULTILINE) == [
        "installing 1 of 2: pip for purl, at most about 75 MB",
        "installing 2 of 2: go for fasthttp, at most about 150 MB",
    ]
    assert re.search(r"^  \d+ s; /.*/libraries/pip has 2 MB$", done.stdout, re.MULTILINE)


def test_a_build_says_how_far_it_is(urlconform, monkeypatch):
    languages = [catalogue()[name].language for name in ("rust-url", "okhttp")]
    monkeypatch.setattr(transaction, "transactions", lambda _: [])
    monkeypatch.setattr(transaction, "languages_to_build", lambda _: languages)
    monkeypatch.setattr(transaction, "build_program", lambda language: f"{language.name}: no compiler")
    done = urlconform("adapters", "install", "rust-url", "okhttp")
    assert re.findall(r"^building .*$", done.stdout, re.MULTILINE) == [
        "building 1 of 2: rust",
        "building 2 of 2: java",
    ]
    assert "urlconform: rust: no compiler\n" in done.stderr


@pytest.mark.usefixtures("_two_managers")
@pytest.mark.parametrize(
    ("seconds", "is_said"), [pytest.param(0.01, True, id="long"), pytest.param(1000.0, False, id="short")]
)
def test_a_step_that_takes_long_says_that_it_is_at_work(urlconform, monkeypatch, seconds, is_said):
    monkeypatch.setattr(authoring, "_SECONDS_BETWEEN_SIGNS", seconds)
    monkeypatch.setattr(transaction, "run_transaction", lambda _: time.sleep(0.2))
    done = urlconform("adapters", "install", "purl")
    at_work = re.search(r"^installing 1 .*\n  at work for 0 s\n", done.stdout, re.MULTILINE)
    assert (at_work is not None) is is_said


def test_the_first_install_of_jars_removes_nothing():
    (step,) = transactions([catalogue()["okhttp"]])
    assert [words[0] for words in step.commands] == ["cp", "mvn"]


def test_the_next_install_of_jars_removes_those_that_it_replaces():
    jar = manager_folder("maven") / "okhttp-1.jar"
    jar.parent.mkdir(parents=True)
    jar.touch()
    (step,) = transactions([catalogue()["okhttp"]])
    assert [words[0] for words in step.commands] == ["cp", "rm", "mvn"]
    assert step.commands[1] == ("rm", "-f", str(jar))


@pytest.mark.usefixtures("needs_apt")
def test_a_user_who_is_not_root_is_shown_the_command_of_root(urlconform):
    done = urlconform("adapters", "install", "rfc3986")
    assert "run as root, then install again: apt-get install no-such\n" in done.stderr


def test_a_dry_run_without_anything_to_do_says_so(urlconform, monkeypatch):
    monkeypatch.setattr(transaction, "transactions", lambda _: [])
    done = urlconform("adapters", "install", "rfc3986", "--dry-run")
    assert done.stdout == "nothing to install or build\n"
    assert done.returncode == Exit.PASSED


CARGO_TITLE = "# cargo for rust-url, at most about 45 MB:"


class RustLines(NamedTuple):
    """The lines that a dry run prints for a library of Rust, on fetching its crates and building it."""

    fetch: str
    title_of_build: str
    build: str
    copy: str


@pytest.fixture
def rust_lines(urlconform):
    """The lines of a dry run for a library of Rust, without those of apt."""
    lines = urlconform("adapters", "install", "rust-url", "--dry-run").stdout.splitlines()
    _title, _enter, _copy, *fetch_and_build = lines[lines.index(CARGO_TITLE) :]
    return RustLines(*fetch_and_build)


def test_the_title_of_a_build_names_the_folder_of_its_program(rust_lines):
    folder = catalogue()["rust-url"].language.folder
    assert rust_lines.title_of_build == f"# build rust in a copy of {folder}:"


def test_the_commands_of_a_build_are_comments(rust_lines):
    """Pasted, they do nothing."""
    assert rust_lines.build.startswith("# ")
    assert rust_lines.copy.startswith("# ")


def test_a_build_uses_the_crates_that_were_fetched(rust_lines):
    env, option, folder, home, *_cargo_and_its_words = shlex.split(rust_lines.fetch)
    assert [env, option, folder] == ["env", "-C", "/"]
    assert home.startswith("CARGO_HOME=")
    assert home.endswith("/urlconform/libraries/cargo")
    words_of_build = shlex.split(rust_lines.build.removeprefix("# "))
    assert words_of_build[:4] == [env, option, folder, home]


def test_a_build_is_copied_from_its_own_folder(rust_lines):
    _copy, built_file, target = shlex.split(rust_lines.copy.lstrip("#"))
    work = built_file.removesuffix("/scratch/release/adapter")
    assert work.endswith(f"/urlconform/programs/.building-rust-{os.getpid()}")
    assert target == f"{work}/out/adapter"
    assert f"CARGO_TARGET_DIR={work}/scratch cargo build" in rust_lines.build


@pytest.fixture
def compiled_library(tmp_path, monkeypatch):
    """Return a function that returns a library with a build, where Debian has installed `made-lib` alone."""
    source = tmp_path / "source"
    source.mkdir()
    dpkg = tmp_path / "dpkg"
    dpkg.mkdir()
    (dpkg / "made-lib.list").touch()
    monkeypatch.setattr(builds, "_DPKG", dpkg)
    return lambda package: make("b", "apt", package, build=(("true", "x"),), tmp_path=source)


def lines_of_the_build(library):
    """Return all lines that show the build of a library."""
    return [f"# build made in a copy of {library.language.folder}:", "#   true x"]


def test_a_build_that_is_missing_is_printed(compiled_library):
    library = compiled_library("made-lib")
    assert build_lines([library]) == lines_of_the_build(library)


def test_a_finished_build_is_not_printed(compiled_library):
    library = compiled_library("made-lib")
    build_folder(library.language).mkdir(parents=True)
    assert build_lines([library]) == []


def test_a_finished_build_is_printed_if_a_debian_package_is_missing(compiled_library):
    """A new Debian package is another build."""
    library = compiled_library("no-such-lib")
    build_folder(library.language).mkdir(parents=True)
    assert build_lines([library]) == lines_of_the_build(library)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((), "give a NAME or --set"), (("zzz",), "no library 'zzz'")],
    ids=["none", "unknown"],
)
def test_an_install_of_nothing_that_is_known_is_a_usage_error(urlconform, arguments, message):
    done = urlconform("adapters", "install", *arguments)
    assert message in done.stderr
    assert done.returncode == Exit.USAGE
