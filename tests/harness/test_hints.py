"""The commands that a run proposes: pasted where it was typed, they ask and judge what it did."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from urlharness.corpus.model import corpus_dir
from urlharness.exitcodes import Exit

pytestmark = pytest.mark.once

#: The library, which is wrong about `./g`; and programs that ask it.
LIBRARY = """from urllib.parse import urljoin
def answer(question):
    if question["op"] != "resolve":
        return {"status": "unsupported"}
    wrong = question["reference"] == "./g"
    return {"status": "ok", "url": "x:" if wrong else urljoin(question["base"], question["reference"])}
answer.hello = {"implementation": {"name": "l", "version": "1"}, "ops": ["resolve"], "specs": ["rfc1808"]}
"""
PROGRAM = """import json, library, sys
for line in sys.stdin:
    asked = json.loads(line)
    hello = {"type": "hello", "protocol": 1, **library.answer.hello}
    said = hello if asked["type"] == "hello" else {"id": asked.get("id", 0), **library.answer(asked)}
    print(json.dumps(said), flush=True)
"""
EACH = """#!/bin/sh
exec python3 -c 'import json, library, sys
print(json.dumps(library.answer(json.loads(sys.stdin.readline()))))'
"""
PYTHON, JSONL, EXEC = "python:library:answer", "jsonl:python3 program.py", "exec:./each.sh"
#: A case of the installed corpus that the library fails, and one that it fails in the other corpus alone.
FAILS, FAILS_THERE = "rfc1808-5.1-dot-segment", "rfc1808-5.1-segment"
TABLE = '[tool.urlconform]\nspec = ["1808"]\nsection = ["5.1"]\n'


class Project(NamedTuple):
    """A folder, one below it, and what is typed and pasted in one of them."""

    top: Path
    environment: dict[str, str]

    def configure(self, text: str) -> None:
        (self.top / "pyproject.toml").write_text(TABLE + text, "utf-8")

    def typed(self, where: str, *words: str) -> subprocess.CompletedProcess[str]:
        return self._done(where, ["urlconform", *words])

    def pasted(self, where: str, line: str) -> subprocess.CompletedProcess[str]:
        return self._done(where, ["bash", "-c", line])

    def _done(self, where: str, command: list[str]) -> subprocess.CompletedProcess[str]:
        options = {"cwd": self.top / where, "env": self.environment, "capture_output": True, "text": True}
        return subprocess.run(command, check=False, timeout=60, **options)


@pytest.fixture
def project(tmp_path, environment, program) -> Project:
    """The library, as every kind of adapter, above a folder in which its name leads to another one."""
    below = tmp_path / "below"
    below.mkdir()
    (below / "library.py").write_text("raise ImportError('the wrong one')\n", "utf-8")
    for name, text in {"library.py": LIBRARY, "program.py": PROGRAM, "each.sh": EACH}.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "each.sh").chmod(0o755)
    _corpus(tmp_path / "corpus")
    path = f"{Path(program).parent}{os.pathsep}{environment['PATH']}"
    return Project(tmp_path, {**environment, "PATH": path})


def _corpus(root: Path) -> None:
    """Another corpus: two vectors of the installed one, and one of them expects something else."""
    for name in (
        "requirements/rfc1808.json",
        "classes.json",
        "flags.json",
        "paragraphs.json",
        "rulings.json",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(corpus_dir() / name, root / name)
    content = json.loads((corpus_dir() / "rfc1808/5.1-normal.json").read_bytes())
    kept = [one for one in content["vectors"] if one["id"] in (FAILS_THERE, "rfc1808-5.1-opaque")]
    next(one for one in kept if one["id"] == FAILS_THERE)["expect"] = {"result": "y:"}
    (root / "rfc1808").mkdir()
    (root / "rfc1808/5.1-normal.json").write_text(json.dumps(content | {"vectors": kept}), "utf-8")


def proposed(what: str, stderr: str) -> str:
    """The line behind `see one:` or `accept:`, up to what is said of it."""
    (line,) = re.findall(rf"^  {what}: (.*?)(?:, then --baseline baseline\.json)?$", stderr, re.MULTILINE)
    return line


def accepted(project: Project, where: str, stderr: str) -> list[str]:
    """Pastes every line behind `accept:`; the options with which the run is to be typed then."""
    options = []
    for line, then in re.findall(r"^  accept: (.*), then (.*)$", stderr, re.MULTILINE):
        made = project.pasted(where, line)
        assert made.returncode == 0, made.stderr
        options += shlex.split(then)
    return options


def configured(adapter: str = "", vectors: str = "") -> str:
    """The lines of the table that name an adapter and a corpus."""
    adapters = f"adapters = [{json.dumps(adapter)}]\n" if adapter else ""
    return adapters + (f"vectors = {json.dumps(vectors)}\n" if vectors else "")


HERE, BELOW = ".", "below"
#: The table, the folder in which `run` is typed, its words, and the case that fails first.
ROWS = [
    pytest.param(configured(PYTHON, "corpus"), HERE, (), FAILS_THERE, id="all-configured"),
    pytest.param(configured(PYTHON, "corpus"), BELOW, (), FAILS_THERE, id="all-configured-below"),
    pytest.param(configured(JSONL, "corpus"), BELOW, (), FAILS_THERE, id="program-below"),
    pytest.param(configured(EXEC, "corpus"), BELOW, (), FAILS_THERE, id="program-per-case-below"),
    pytest.param(configured(PYTHON), BELOW, (), FAILS, id="adapter-below"),
    pytest.param(
        configured(PYTHON, "none"), BELOW, ("--vectors", "../corpus"), FAILS_THERE, id="own-vectors-below"
    ),
    pytest.param(configured("", "corpus"), HERE, (PYTHON,), FAILS_THERE, id="own-adapter"),
    pytest.param(
        configured("", "corpus"), BELOW, ("jsonl:env PYTHONPATH=.. python3 ../program.py",), FAILS_THERE,
        id="own-adapter-below",
    ),
    pytest.param(configured("urllib", "corpus"), BELOW, (), FAILS_THERE, id="bundled-below"),
    pytest.param(
        configured("", "none") + "strict = true\ntimeout = 0.001\n",
        HERE,
        (PYTHON, "--no-config", "--spec", "1808", "--section", "5.1", "--vectors", "corpus"),
        FAILS_THERE,
        id="no-config",
    ),
    pytest.param(
        configured(JSONL, "corpus"),
        BELOW,
        ("jsonl:env PYTHONPATH=.. python3 ../program.py", "--no-config", "--section", "5.1", "-k", "1808"),
        FAILS,
        id="no-config-below",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("table", "where", "words", "fails"), ROWS)
def test_what_is_proposed_works_where_the_run_was_typed(project, table, where, words, fails):
    project.configure(table)
    if "none" in table:
        (project.top / "none").mkdir()
    ran = project.typed(where, "run", *words)
    assert ran.returncode == Exit.FAILED, ran.stderr
    again = project.pasted(where, proposed("see one", ran.stderr))
    assert (again.returncode, fails in again.stdout) == (Exit.FAILED, True), again.stderr
    outcome = {FAILS: "got 'x:'", FAILS_THERE: '"result":"y:"'}[fails]
    assert outcome in again.stdout
    made = project.pasted(where, proposed("accept", ran.stderr))
    assert made.returncode == 0, made.stderr
    settled = project.typed(where, "run", *words, "--baseline", "baseline.json")
    assert settled.returncode == 0, settled.stderr
    assert "as the baseline says" in settled.stderr


def test_the_lists_of_a_run_below_are_brought_up_to_date(project):
    """The path of a list is said as it is seen from where the command goes."""
    project.configure(configured(PYTHON) + 'baseline = "lists/known.json"\n')
    (project.top / "lists").mkdir()
    made = project.typed(HERE, "baseline", "create", "-o", "lists/known.json")
    assert made.returncode == 0, made.stderr
    for text, code, what in (  # each of another length: what was compiled within a second is told by that
        (LIBRARY.replace("x:", "another:"), Exit.FAILED, "accept"),
        (LIBRARY.replace("./g", "./none"), Exit.STALE, "remove them"),
    ):
        (project.top / "library.py").write_text(text, "utf-8")
        ran = project.typed(BELOW, "run")
        assert (ran.returncode, "(../lists/known.json)" in ran.stderr) == (code, True), ran.stderr
        done = project.pasted(BELOW, proposed(what, ran.stderr))
        assert done.returncode == 0, done.stderr
        assert project.typed(BELOW, "run").returncode == 0


def test_a_folder_behind_a_link(project):
    """The folder above is that of the directory, not of the link that the shell came by."""
    project.configure(configured(PYTHON))
    elsewhere = project.top / "a" / "b"
    elsewhere.mkdir(parents=True)
    (elsewhere / "link").symlink_to(project.top / "below")
    ran = project.pasted(HERE, "cd a/b/link && urlconform run")
    again = project.pasted(HERE, f"cd a/b/link && {proposed('see one', ran.stderr)}")
    assert (again.returncode, FAILS in again.stdout) == (Exit.FAILED, True), again.stderr


LISTED = f'{{ {json.dumps(PYTHON)} = "known.json" }}\n'
TWO = f"adapters = [{json.dumps(PYTHON)}, {json.dumps(JSONL)}]\n"
ALIKE = ("exec:./each.sh", "exec:.//each.sh", "exec:.\\/each.sh")
#: The table, the folder in which `run` is typed, its words, and how many of its adapters have no list yet.
SEVERAL = [
    pytest.param("", HERE, (PYTHON, JSONL), 2, id="typed"),
    pytest.param(TWO, BELOW, (), 2, id="configured-below"),
    pytest.param("", HERE, ALIKE, 3, id="names-alike"),
    pytest.param("", HERE, (PYTHON, JSONL, "--baseline", f"{PYTHON}=known.json"), 1, id="one-has-a-list"),
    pytest.param(f"{TWO}baseline = {LISTED}", BELOW, (), 1, id="one-has-one-configured"),
    pytest.param("", HERE, ("urllib", "reference"), 1, id="one-passes"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "where", "words", "new"), SEVERAL)
def test_several_adapters_get_a_list_each(project, table, where, words, new):
    """The lines of all of them can be pasted, and what they say to type then is the whole of it."""
    project.configure(table)
    made = project.typed(HERE, "baseline", "create", PYTHON, "-o", "known.json")
    assert made.returncode == 0, made.stderr
    ran = project.typed(where, "run", *words)
    assert (ran.returncode, ran.stderr.count("  accept: ")) == (Exit.FAILED, new), ran.stderr
    lists = set((project.top / where).glob("*.json"))
    options = accepted(project, where, ran.stderr)
    assert len(set((project.top / where).glob("*.baseline.json")) - lists) == new
    settled = project.typed(where, "run", *words, *options)
    assert settled.returncode == 0, settled.stderr


@pytest.mark.parametrize(
    ("words", "files"),
    [
        pytest.param(
            ("urllib",), ["baseline.json", "baseline-2.json", "baseline-3.json"], id="one"
        ),
        pytest.param(
            ("urllib", "reference"), ["urllib.baseline.json", "urllib.baseline-2.json"], id="of-several"
        ),
    ],
)  # fmt: skip
def test_no_list_is_proposed_where_there_is_a_file(project, words, files):
    project.configure("")
    for file in files:
        ran = project.typed(HERE, "run", *words)
        ((line, then),) = re.findall(r"^  accept: (.*), then (.*)$", ran.stderr, re.MULTILINE)
        assert line.endswith(f" -o {file}")
        assert then == f"--baseline {'urllib=' * (len(words) > 1)}{file}"
        assert project.pasted(HERE, line).returncode == 0


def test_a_survey_has_no_list(project):
    """It takes none: not even where the reference fails, as in a corpus that expects something else."""
    project.configure(configured(vectors="corpus"))
    ran = project.typed(HERE, "run")
    assert (ran.returncode, "see one" in ran.stderr) == (Exit.FAILED, True), ran.stderr
    assert "accept: " not in ran.stderr


#: The table, what is typed, and the options of the command that is proposed.
OPTIONS = [
    pytest.param("strict = true", "", "--strict", id="configured"),
    pytest.param("strict = true", "--no-strict", "--no-strict", id="not-as-configured"),
    pytest.param("", "", "", id="usual"),
    pytest.param("timeout = 20\njobs = 2", "", "--timeout 20 --jobs 2", id="limits"),
    pytest.param("timeout = 20", "--timeout 5", "--timeout 5", id="limit-not-as-configured"),
    pytest.param("", "--total-timeout 600 --start-timeout 9.5",
                 "--start-timeout 9.5 --total-timeout 600", id="limits-typed"),
    pytest.param('tier = ["complete"]', "--tier core", "--tier core", id="tier-not-as-configured"),
    pytest.param('fail-on = ["may"]', "--fail-on example", "--fail-on example", id="level"),
    pytest.param("strict = true", "--no-config --spec 1808 --section 5.1", "--no-config", id="no-config"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "typed", "options"), OPTIONS)
def test_options_are_said_again(project, table, typed, options):
    """Those of the command line and of the configuration; a default where the configuration has another."""
    project.configure(table)
    ran = project.typed(HERE, "run", "urllib", *typed.split())
    assert proposed("accept", ran.stderr) == (
        " ".join(
            [
                "urlconform baseline create urllib --spec rfc1808 --section 5.1",
                *options.split(),
                "-o baseline.json",
            ]
        )
    )
