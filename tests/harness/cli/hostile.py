"""A hostile current folder, and a cell for each command: what is planted in the folder must not run there.

Whatever is planted leaves a file that ends with `.ran` beside it if it runs.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from urlharness.adapters.catalogue import catalogue
from urlharness.bundle.folder import write_bundle
from urlharness.cli import cli
from urlharness.corpus.loader import load
from urlharness.corpus.selection import Selection

#: Modules that the program imports beside those of the standard library.
_DEPENDENCIES = (
    *(
        "click",
        "hypothesis",
        "jinja2",
        "llvmlite",
        "markupsafe",
        "msgspec",
        "numba",
        "numpy",
        "pip",
        "psutil",
    ),
    *("pyarrow", "pygments", "rich", "setuptools", "sitecustomize", "usercustomize", "yaml", "zstandard"),
    *("urlauthor", "urlharness", "urloracle", "urlvectors"),
)

_PYTHON = "open(__file__ + '.ran', 'w').close()\n"
_LUA = "io.open('FOLDER/NAME.ran', 'w'):close()\n"
_PHP = "<?php touch(__FILE__ . '.ran');\n"
_JAVASCRIPT = "require('node:fs').writeFileSync(__filename + '.ran', '');\n"
_PERL = "open my $file, '>', __FILE__ . '.ran'; 1;\n"
_RUBY = "File.write(__FILE__ + '.ran', '')\n"
_SCHEME = '(close-port (open-output-file "FOLDER/NAME.ran"))\n'
_SHELL = '#!/bin/sh\ntouch "FOLDER/NAME.ran"\nexec "$@"\n'

#: The planted files by path, except Python modules and what is compiled. FOLDER and NAME are filled in.
_FILES: Mapping[str, str] = {
    **dict.fromkeys(("cjson.lua", "socket.lua", "socket/url.lua", "uri.lua", "uri/_util.lua"), _LUA),
    **dict.fromkeys(("GuzzleHttp/Psr7/autoload.php", "Net/URL2.php", "Psr/Http/Message/autoload.php"), _PHP),
    "php.ini": "auto_prepend_file = FOLDER/prepended.php\n",
    "prepended.php": _PHP,
    **dict.fromkeys(("URI.pm", "JSON/PP.pm", "Mojo/URL.pm", "Module/Load.pm"), _PERL),
    **dict.fromkeys(("uri.rb", "json.rb", "addressable/uri.rb"), _RUBY),
    **dict.fromkeys(("json.scm", "web/uri.scm"), _SCHEME),
    "pkgIndex.tcl": "close [open FOLDER/NAME.ran w]\n",
    "init.pl": ":- open('FOLDER/NAME.ran', write, File), close(File).\n",
    ".erlang": 'file:write_file("FOLDER/NAME.ran", <<>>).\n',
    # managers and compilers
    ".cargo/config.toml": '[build]\nrustc-wrapper = "FOLDER/wrapper.sh"\n',
    "rust-toolchain.toml": '[toolchain]\npath = "FOLDER/toolchain"\n',
    **dict.fromkeys(("wrapper.sh", "toolchain/bin/cargo", "toolchain/bin/node"), _SHELL),
    ".tool-versions": "nodejs path:FOLDER/toolchain\n",
    ".npmrc": "node-options=--require=FOLDER/required.js\nscript-shell=FOLDER/wrapper.sh\n",
    "required.js": _JAVASCRIPT,
    "package.json": '{"scripts": {"preinstall": "touch FOLDER/NAME.ran"}, "dependencies": {"uri-js": "1"}}\n',
    **{
        f"node_modules/{library.packages[0].partition('==')[0]}/index.js": _JAVASCRIPT
        for library in catalogue().values()
        if library.manager == "npm" and not library.packages[0].startswith("@")
    },
    "bunfig.toml": 'preload = ["FOLDER/required.js"]\n',
    ".mvn/jvm.config": "-XX:+UnlockDiagnosticVMOptions -XX:+LogVMOutput -XX:LogFile=FOLDER/NAME.ran\n",
    "pip.conf": "[global]\nlog = FOLDER/NAME.ran\n",
    "setup.cfg": "[global]\nlog = FOLDER/NAME.ran\n",
    "go.work": "go 1.1\nuse ./nothing\n",
    "nim.cfg": '--nimcache:"FOLDER/NAME.ran"\n',
    "config.nims": 'exec "touch FOLDER/NAME.ran"\n',
    "Makefile": "$(shell touch FOLDER/NAME.ran)\n",
    "Directory.Build.props": "<Project/>\n",
    "shard.yml": "name: nothing\nscripts:\n  postinstall: touch FOLDER/NAME.ran\n",
    # the program itself
    ".numba_config.yaml": "cache_dir: FOLDER/NAME.ran\n",
    "pyproject.toml": '[project]\nname = "nothing"\n',
}


def plant(folder: Path) -> None:
    """Put everything into a folder that can be written as text.

    The Python modules have the names of all modules of the standard library, of the dependencies, and of the
    libraries of the catalogue.
    """
    libraries = {library.module.partition(".")[0] for library in catalogue().values()} - {""}
    for name in {*sys.stdlib_module_names, *_DEPENDENCIES, *libraries}:
        (folder / f"{name}.py").write_text(_PYTHON, "utf-8")
    for name, text in _FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("FOLDER", str(folder)).replace("NAME", name), "utf-8")
        path.chmod(0o755)


def ran(folder: Path) -> list[str]:
    """Return what has run, relative to the folder."""
    return sorted(str(path.relative_to(folder)).removesuffix(".ran") for path in folder.rglob("*.ran"))


class Cell(NamedTuple):
    """A command in a hostile folder.

    `arguments` follow the name of the command. `code` is the exit code that shows that the command did its
    work. The commands `before` prepare the folder before anything is planted.
    """

    arguments: Sequence[str] = ()
    code: int = 0
    stdin: str = ""
    before: Sequence[Sequence[str]] = ()


_EX = ("--spec", "3986", "--section", "5.4.2")
_RESULTS = ("run", "urllib", *_EX, "--report", "json=results.jsonl")
_BASELINE = ("baseline", "create", "node-url", *_EX, "-o", "baseline.json")
_CAMPAIGN = ("fuzz", "run", "reference", "urllib", "--cases", "60", "--seed", "1", "-o", "findings")
_CORPUS = ("--vectors", "corpus")
_VECTOR = (
    *("--requirement", "rfc1808-5.1-opaque", "--op", "resolve", "--base", "http://a/b"),
    *("--reference", "new", "--expect", '{"result": "http://a/new"}'),
)
_HELLO = '{"type":"hello","protocol":[1],"harness":"test"}\n{"type":"bye"}\n'

#: A cell for each command of the command line. Its files are those of `prepare`.
CELLS: Mapping[str, Cell] = {
    "run": Cell(["reference", "urllib", "node-url", "java-net-uri", *_EX, "--jobs", "2"], code=1),
    "report": Cell(["results.jsonl", "--report", "html=report.html"], before=[_RESULTS]),
    "repro": Cell(["rfc3986-5.4.2-ex-01", "-a", "node-url"]),
    "baseline create": Cell(["node-url", *_EX, "-o", "baseline.json"]),
    "baseline update": Cell(["baseline.json", "node-url", *_EX], before=[_BASELINE]),
    "baseline check": Cell(["baseline.json"], before=[_BASELINE]),
    "compare": Cell(["urllib", "node-url", "java-net-uri", "--texts", "few.txt"]),
    "ask": Cell(["-a", "reference", "-a", "node-url", "http://a/"]),
    "explain": Cell(["http://a/"]),
    "validate": Cell(["http://a/"]),
    "parse": Cell(["http://a/"]),
    "resolve": Cell(["http://a/b", "../c"]),
    "normalize": Cell(["http://a/"]),
    "equivalent": Cell(["http://a/", "HTTP://a/"]),
    "recompose": Cell(["scheme=a", "path=b"]),
    "to-iri": Cell(["http://a/"]),
    "export regex": Cell(["--rule", "port"]),
    "export dfa": Cell(["--rule", "port"]),
    "to-uri": Cell(["http://a/"]),
    "extract": Cell(stdin="see <http://a/>\n"),
    "decode": Cell(["http://a/"]),
    "base": Cell(["--embedded", "http://a/"]),
    "diff": Cell(["rfc3986:port", "rfc2396:port"]),
    "section": Cell(["3986", "3.2"]),
    "ruling": Cell(["G-01"]),
    "check": Cell(["texts.txt", "--spec", "3986"]),
    "generate": Cell(["--valid", "--spec", "3986", "--count", "100", "--jobs", "2"]),
    "fuzz run": Cell(["reference", "urllib", "--cases", "60", "--seed", "1", "--jobs", "2"], code=1),
    "fuzz show": Cell(["findings"], before=[_CAMPAIGN]),
    "fuzz replay": Cell(["findings"], code=1, before=[_CAMPAIGN]),
    "fuzz minimise": Cell(["few.txt", "reference", "urllib"], code=1),
    "fuzz promote": Cell(["findings/FINDING"], before=[_CAMPAIGN]),
    "adapters list": Cell(),
    "adapters install": Cell(["uritools", "--dry-run"]),
    "adapters doctor": Cell(["node-url"]),
    "adapters new": Cell(["shell"]),
    "serve": Cell(["java-net-uri"], stdin=_HELLO),
    "vectors add": Cell([*_CORPUS, *_VECTOR, "--slug", "new"]),
    "vectors adequacy": Cell(["--spec", "rfc2732", "--sample", "2", "--processes", "2"]),
    "vectors adopt": Cell([*_CORPUS, "none.json"]),
    "vectors changelog": Cell(["corpus/vectors.lock", "corpus/vectors.lock"]),
    # it would take a minute with the whole corpus, and starts no process
    "vectors cover": Cell(["--vectors", "empty"], code=6),
    "vectors derive": Cell(_CORPUS),
    "vectors export": Cell(["exported", "--section", "5.4.2"]),
    "vectors fmt": Cell([*_CORPUS, "--check"]),
    "vectors lint": Cell(_CORPUS, code=6),  # of a part of the corpus
    "vectors lock": Cell([*_CORPUS, "--check"]),
    "vectors stats": Cell(_CORPUS),
    "vectors sync": Cell(["bundle", "-o", "urlvectors-rfc1808.json"], code=4),
    "vectors twins": Cell(_CORPUS),
}


def prepare(folder: Path, corpus: Path) -> None:
    """Put the files that the cells name into a folder. `corpus` is a part of the corpus."""
    shutil.copytree(corpus, folder / "corpus")
    (folder / "empty").mkdir()
    write_bundle(corpus, load(corpus), folder / "bundle", Selection(), force=False)
    (folder / "few.txt").write_text("\\\\a\n", "utf-8")
    (folder / "none.json").write_text("{}", "utf-8")
    # so long that `check` compiles its functions
    (folder / "texts.txt").write_text("http://a.example/b\n" * 20_000, "utf-8")


def words(cell: Cell, folder: Path) -> list[str]:
    """Return the arguments of a cell, with the id of the first finding in the folder for FINDING."""
    finding = next((path.parent.name for path in folder.glob("findings/[!.]*/finding.json")), "")
    return [word.replace("FINDING", finding) for word in cell.arguments]


def commands(command: click.Command = cli, *names: str) -> Iterator[str]:
    """Yield the name of every command of the command line, such as `fuzz run`."""
    if not isinstance(command, click.Group):
        yield " ".join(names)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, *names, name)
