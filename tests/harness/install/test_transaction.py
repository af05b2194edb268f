"""Transactions: one for each package manager, only for what is missing, with the lines that run."""

from __future__ import annotations

import os
import shlex

import pytest

from urlharness.adapters.builds import build_folder
from urlharness.adapters.catalogue import Implementation, Language, catalogue
from urlharness.install import transaction
from urlharness.install.transaction import InstallError, Transaction, build_lines, chosen, run, transactions


@pytest.fixture(autouse=True)
def _cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def make(name, manager, package, *, language="made", needs=(), tmp_path=None):
    made = Language(language, tmp_path, needs, ("made-compiler",), (), ("x", "{library}"))
    return Implementation(name, made, name, manager, (package,), "no_such_module", "made", True, True)


def test_one_transaction_for_each_manager(tmp_path):
    wanted = [
        make("a", "pip", "no-such-a==1", tmp_path=tmp_path),
        make("b", "apt", "no-such-b", tmp_path=tmp_path),
        make("c", "pip", "no-such-c==2", tmp_path=tmp_path),
        make("d", "npm", "no-such-d==3", needs=("no-such-compiler",), tmp_path=tmp_path),
        make("e", "npm-unlocked", "@no/such-e==4", tmp_path=tmp_path),
        make("f", "npm-unlocked", "@no/such-e==4", tmp_path=tmp_path),  # another class of the same package
    ]
    found = transactions(wanted)
    assert [(one.manager, one.names, one.root) for one in found] == [
        ("apt", ("b",), True), ("pip", ("a", "c"), False), ("npm", ("d",), False),
        ("npm-unlocked", ("e", "f"), False),
    ]  # fmt: skip
    assert found[0].lines == [
        "apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends no-such-b made-compiler"
    ]
    assert found[1].lines[-1].endswith("no-such-a==1 no-such-c==2")
    assert "npm ci" in found[2].lines[-1]
    assert found[3].lines[-1].endswith("--loglevel=error @no/such-e@4")


@pytest.mark.parametrize(
    ("known", "taken"), [("new", "new"), ("no-such-old", "no-such-old"), ("", "no-such-old")]
)
def test_of_alternatives_the_first_in_apt_is_installed(tmp_path, monkeypatch, known, taken):
    (tmp_path / "apt-cache").write_text(f"#!/bin/sh\ntest \"$2\" = '{known}'\n", "utf-8")
    (tmp_path / "apt-cache").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    transaction._is_in_apt.cache_clear()
    (found,) = transactions([make("a", "apt", "no-such-old | new | newest", tmp_path=tmp_path)])
    assert found.commands[0][-1] == taken
    transaction._is_in_apt.cache_clear()


def test_nothing_is_installed_twice(tmp_path):
    assert transactions([make("a", "none", "x", tmp_path=tmp_path)]) == []


def test_the_library_of_a_runtime_comes_with_the_packages_of_its_program():
    """java.net.URL needs no package of Maven, but its program does not compile without them."""
    (maven,) = (one for one in transactions([catalogue()["java-net-url"]]) if one.manager == "maven")
    assert "-Dmaven.repo.local=" in maven.lines[-1]


@pytest.mark.parametrize(("which", "least"), [("default", 5), ("full", 10)])
def test_sets(which, least):
    assert len(chosen([], which)) >= least
    assert {one.name for one in chosen([], "default")} <= {one.name for one in chosen([], "full")}


def test_names_are_those_of_the_catalogue():
    assert [one.name for one in chosen(["uritools", "rfc3986"], None)] == ["rfc3986", "uritools"]
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
    assert (done.returncode, done.stdout) == (0, "apt-get install no-such\n")
    done = urlconform("adapters", "install", "rfc3986")
    assert "run as root, then install again: apt-get install no-such\n" in done.stderr
    monkeypatch.setattr(transaction, "transactions", lambda _: [])
    assert urlconform("adapters", "install", "rfc3986", "--dry-run").stdout == "nothing to install or build\n"


def test_a_dry_run_prints_the_commands_of_a_build(urlconform):
    """They follow those of the package manager."""
    lines = urlconform("adapters", "install", "rust-url", "--dry-run").stdout.splitlines()
    fetch, *built = (line for line in lines if not line.startswith("apt-get"))
    assert all(line.startswith("# ") for line in built)  # pasted, they do nothing
    title, build, copy = (shlex.split(line[1:]) for line in built)
    assert title == ["build", "rust", "in", "a", "copy", "of", f"{catalogue()['rust-url'].language.folder}:"]
    work = copy[1].removesuffix("/scratch/release/adapter")
    assert work.endswith(f"/urlconform/programs/.building-rust-{os.getpid()}")
    home = f"CARGO_HOME={work.partition('/programs/')[0]}/libraries/cargo"
    assert shlex.split(fetch)[1] == build[1] == home
    assert build[2:5] == [f"CARGO_TARGET_DIR={work}/scratch", "cargo", "build"]
    assert copy == ["cp", f"{work}/scratch/release/adapter", f"{work}/out/adapter"]


@pytest.mark.parametrize(
    ("built", "package", "lines"),
    [(False, "dpkg", ["true x"]), (True, "dpkg", []), (True, "no-such-b", ["true x"])],
    ids=["not-built", "built", "package-is-new"],
)
def test_a_build_is_printed_if_it_will_run(tmp_path, built, package, lines):
    """A new Debian package is another build."""
    one = make("b", "apt", package, tmp_path=tmp_path / "source")
    one = one._replace(language=one.language._replace(build=(("true", "x"),)))
    (tmp_path / "source").mkdir()
    if built:
        build_folder(one.language).mkdir(parents=True)
    assert [line.removeprefix("#   ") for line in build_lines([one])][1:] == lines


@pytest.mark.parametrize(
    ("arguments", "says"),
    [((), "give a NAME or --set"), (("zzz",), "no library 'zzz'")],
    ids=["none", "unknown"],
)
def test_wrong_use(urlconform, arguments, says):
    done = urlconform("adapters", "install", *arguments)
    assert (done.returncode, says in done.stderr) == (2, True)
