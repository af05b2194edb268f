"""Transactions: one for each package manager, only for what is missing, with the lines that run."""

from __future__ import annotations

import os
import re
import shlex

import pytest

from urlharness.adapters.builds import build_folder, status
from urlharness.adapters.cache import interrupted_installs
from urlharness.adapters.catalogue import Implementation, Language, catalogue
from urlharness.install import transaction
from urlharness.install.transaction import InstallError, Transaction, build_lines, chosen, run, transactions


@pytest.fixture(autouse=True)
def _cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def make(name, manager, package, *, language="made", needs=(), tmp_path=None):
    toolchain = Language(language, tmp_path, needs, ("made-compiler",), (), ("x", "{library}"))
    return Implementation(name, toolchain, name, manager, (package,), "no_such_module", "made", True, True)


#: A lock file of pip: `a` needs `shared`, which needs `below`.
LOCK = """# a comment
below==1 \\
    --hash=sha256:00
    # via shared
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
    (tmp_path / "requirements.txt").write_text(LOCK.replace("via shared", "via shared-package"), "utf-8")


@pytest.mark.usefixtures("lock_file")
def test_each_manager_has_one_transaction(tmp_path):
    libraries = [
        make("a", "pip", "no-such-a==1", tmp_path=tmp_path),
        make("b", "apt", "no-such-b", tmp_path=tmp_path),
        make("c", "pip", "no-such-c==2", tmp_path=tmp_path),
        make("d", "npm", "no-such-d==3", needs=("no-such-compiler",), tmp_path=tmp_path),
        make("e", "npm-unlocked", "@no/such-e==4", tmp_path=tmp_path),
        make("f", "npm-unlocked", "@no/such-e==4", tmp_path=tmp_path),  # another class of the same package
    ]
    steps = transactions(libraries)
    assert [(step.manager, step.names, step.root) for step in steps] == [
        ("apt", ("b",), True), ("pip", ("a", "c"), False), ("npm", ("d",), False),
        ("npm-unlocked", ("e", "f"), False),
    ]  # fmt: skip
    assert steps[0].lines == [
        "apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends no-such-b made-compiler"
    ]
    assert steps[1].lines[0].endswith("/urlconform/libraries/pip")  # of cd
    assert "--require-hashes" in steps[1].commands[-1]
    assert "npm ci" in steps[2].lines[-1]
    assert steps[3].lines[-1].endswith("--loglevel=error @no/such-e@4")


@pytest.mark.usefixtures("lock_file")
def test_pip_gets_the_hashes_of_a_library_and_of_all_that_it_needs(tmp_path):
    (step,) = transactions([make("a", "pip", "No_Such.A==1", tmp_path=tmp_path)])
    names = [line.partition("==")[0] for line in step.requirements.splitlines() if "==" in line]
    assert names == ["no-such-a", "Shared-Package", "below"]
    assert step.requirements.count("--hash=sha256:") == 4


PYTHON = [library for library in catalogue().values() if library.manager == "pip"]


@pytest.mark.parametrize("library", PYTHON, ids=lambda library: library.name)
def test_a_python_library_is_locked_in_the_version_of_the_catalogue(library):
    name, version = library.packages[0].split("==")
    entry = transaction._locked_requirements([library]).partition("\n    # via")[0]
    assert re.match(rf"{re.sub('[-_.]', '.', name)}=={re.escape(version)} ", entry, re.IGNORECASE)


def test_every_entry_of_the_lock_file_of_pip_has_a_hash():
    text = transaction._locked_requirements(PYTHON)
    entries = [entry[0] for entry in transaction._ENTRY.finditer(text)]
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


#: A library of each package manager that installs into the cache, and the programs that its transaction runs.
MANAGED = [
    ("purl", ["python"]),
    ("uri-js", ["npm"]),
    ("bun", ["npm"]),
    ("okhttp", ["mvn"]),
    ("rust-url", ["cargo"]),
    ("fasthttp", ["go"]),
]

#: Stands for a package manager: it writes down where it was started, and with which words.
STUB = """#!/bin/sh
pwd >>"$CALLS"
printf '%s\\n' "$@" >>"$CALLS"
"""


@pytest.mark.parametrize(("name", "programs"), MANAGED, ids=[name for name, _ in MANAGED])
def test_package_managers_do_not_start_in_the_current_folder(tmp_path, monkeypatch, name, programs):
    """Neither the current folder nor a parent of the adapter program is where they look for configuration."""
    (tmp_path / "bin").mkdir()
    for program in programs:
        (tmp_path / "bin" / program).write_text(STUB, "utf-8")
        (tmp_path / "bin" / program).chmod(0o755)
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    monkeypatch.chdir(hostile)
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.setattr(transaction.sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setattr(transaction, "_has_pip", lambda _: False)
    library = catalogue()[name]
    library = library._replace(language=library.language._replace(needs=()))
    (own_step,) = (step for step in transactions([library]) if not step.root)
    folder = tmp_path / "urlconform" / "libraries" / library.manager
    if library.manager == "pip":  # the second command is a program of the environment
        own_step = own_step._replace(commands=own_step.commands[:1])
    run(own_step)
    # Cargo and rustup search all parents of the folder in which they start
    start = "/" if library.manager == "cargo" else str(folder)
    assert (tmp_path / "calls").read_text("utf-8").splitlines()[0] == start
    assert list(hostile.iterdir()) == []


def test_python_is_isolated_from_the_folder_in_which_it_is_started():
    (step,) = transactions([catalogue()["purl"]])
    assert [words[1] for words in step.commands] == ["-I", "-I"]


def test_apt_runs_in_an_empty_folder(tmp_path):
    run(
        Transaction(
            "apt", (("sh", "-c", f"pwd >{tmp_path}/where; ls -A >>{tmp_path}/where"),), ("a",), root=True
        )
    )
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
    commands = transaction._cargo([library], tmp_path / "urlconform" / "libraries" / "cargo")
    linked = [words[2] for words in commands if words[0] == "ln"]
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
    with pytest.raises(InstallError):
        run(Transaction("pip", (("false",),), ("a",)))
    assert status(library)[:2] == ("missing", "the install of no-such-a==1 did not end")


@pytest.mark.usefixtures("lock_file")
def test_the_next_install_overwrites_what_may_be_incomplete(library):
    with pytest.raises(InstallError):
        run(Transaction("pip", (("false",),), ("a", "b")))
    (step,) = transactions([library])
    assert "--ignore-installed" in step.commands[-1]
    run(step._replace(commands=(("true",),)))
    assert status(library).state == "installed"
    assert interrupted_installs("pip") == {"b"}


@pytest.mark.usefixtures("lock_file")
@pytest.mark.parametrize(
    ("files", "made_anew"),
    [
        ([], True),
        (["bin/python"], True),
        (["bin/python", "lib/python3/site-packages/pip/__main__.py"], True),
        (["bin/python", "lib/python3/site-packages/pip-24.dist-info/RECORD"], False),
        (["lib/python3/site-packages/pip-24.dist-info/RECORD"], True),
    ],
    ids=["nothing", "no-pip", "a-part-of-pip", "complete", "no-python"],
)
def test_an_environment_that_is_not_complete_is_made_anew(tmp_path, files, made_anew):
    for name in files:
        path = tmp_path / "urlconform" / "libraries" / "pip" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (step,) = transactions([make("a", "pip", "no-such-a==1", tmp_path=tmp_path)])
    assert ("--clear" in step.commands[0]) == made_anew


def test_npm_begins_anew_after_an_interrupted_install(tmp_path):
    library = make("e", "npm-unlocked", "@no/such-e==4", tmp_path=tmp_path)
    assert [words[0] for words in transactions([library])[0].commands] == ["npm"]
    with pytest.raises(InstallError):
        run(Transaction("npm-unlocked", (("false",),), ("e",)))
    assert [words[0] for words in transactions([library])[0].commands] == ["rm", "npm"]


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
        run(Transaction("pip", (("true",),), ("a",)))


@pytest.mark.parametrize(
    ("available", "picked"), [("new", "new"), ("no-such-old", "no-such-old"), ("", "no-such-old")]
)
def test_of_alternatives_the_first_in_apt_is_installed(tmp_path, monkeypatch, available, picked):
    (tmp_path / "apt-cache").write_text(f"#!/bin/sh\ntest \"$2\" = '{available}'\n", "utf-8")
    (tmp_path / "apt-cache").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    transaction._is_in_apt.cache_clear()
    (step,) = transactions([make("a", "apt", "no-such-old | new | newest", tmp_path=tmp_path)])
    assert step.commands[0][-1] == picked
    transaction._is_in_apt.cache_clear()


def test_nothing_is_installed_twice(tmp_path):
    assert transactions([make("a", "none", "x", tmp_path=tmp_path)]) == []


def test_the_library_of_a_runtime_comes_with_the_packages_of_its_program():
    """java.net.URL needs no package of Maven, but its program does not compile without them."""
    (maven,) = (
        transaction
        for transaction in transactions([catalogue()["java-net-url"]])
        if transaction.manager == "maven"
    )
    assert "-Dmaven.repo.local=" in maven.lines[-1]


@pytest.mark.parametrize(("which", "least"), [("default", 5), ("full", 10)])
def test_the_sets_have_at_least_their_sizes(which, least):
    assert len(chosen([], which)) >= least
    assert {library.name for library in chosen([], "default")} <= {
        library.name for library in chosen([], "full")
    }


def test_names_are_those_of_the_catalogue():
    assert [library.name for library in chosen(["uritools", "rfc3986"], None)] == ["rfc3986", "uritools"]
    with pytest.raises(KeyError, match="zzz"):
        chosen(["rfc3986", "zzz"], None)


def test_a_command_that_fails_is_named():
    with pytest.raises(InstallError, match=r"false: .*exit status 1"):
        run(Transaction("pip", (("false",),), ("a",)))


def test_a_dry_run_prints_the_commands(urlconform, monkeypatch):
    """The line for apt needs root, and is for the user to run where the user is not root."""
    fake = Transaction("apt", (("apt-get", "install", "no-such"),), ("rfc3986",), root=True)
    monkeypatch.setattr(transaction, "transactions", lambda _: [fake])
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    done = urlconform("adapters", "install", "rfc3986", "--dry-run")
    assert done.stdout == "apt-get install no-such\n"
    assert done.returncode == 0
    done = urlconform("adapters", "install", "rfc3986")
    assert "run as root, then install again: apt-get install no-such\n" in done.stderr
    monkeypatch.setattr(transaction, "transactions", lambda _: [])
    assert urlconform("adapters", "install", "rfc3986", "--dry-run").stdout == "nothing to install or build\n"


def test_a_dry_run_prints_the_commands_of_a_build(urlconform):
    """They follow those of the package manager."""
    lines = urlconform("adapters", "install", "rust-url", "--dry-run").stdout.splitlines()
    _enter, _copy, fetch, *built = (line for line in lines if not line.startswith("apt-get"))
    assert all(line.startswith("# ") for line in built)  # pasted, they do nothing
    title, build, copy = (shlex.split(line[1:]) for line in built)
    assert title == ["build", "rust", "in", "a", "copy", "of", f"{catalogue()['rust-url'].language.folder}:"]
    work = copy[1].removesuffix("/scratch/release/adapter")
    assert work.endswith(f"/urlconform/programs/.building-rust-{os.getpid()}")
    home = f"CARGO_HOME={work.partition('/programs/')[0]}/libraries/cargo"
    assert shlex.split(fetch)[:4] == build[:4] == ["env", "-C", "/", home]
    assert build[4:7] == [f"CARGO_TARGET_DIR={work}/scratch", "cargo", "build"]
    assert copy == ["cp", f"{work}/scratch/release/adapter", f"{work}/out/adapter"]


@pytest.mark.parametrize(
    ("built", "package", "lines"),
    [(False, "dpkg", ["true x"]), (True, "dpkg", []), (True, "no-such-b", ["true x"])],
    ids=["not-built", "built", "package-is-new"],
)
def test_a_build_is_printed_if_it_will_run(tmp_path, built, package, lines):
    """A new Debian package is another build."""
    library = make("b", "apt", package, tmp_path=tmp_path / "source")
    library = library._replace(language=library.language._replace(build=(("true", "x"),)))
    (tmp_path / "source").mkdir()
    if built:
        build_folder(library.language).mkdir(parents=True)
    assert [line.removeprefix("#   ") for line in build_lines([library])][1:] == lines


@pytest.mark.parametrize(
    ("arguments", "says"),
    [((), "give a NAME or --set"), (("zzz",), "no library 'zzz'")],
    ids=["none", "unknown"],
)
def test_a_mistake_is_a_usage_error(urlconform, arguments, says):
    done = urlconform("adapters", "install", *arguments)
    assert says in done.stderr
    assert done.returncode == 2
