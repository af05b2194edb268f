"""Functions named `python:MODULE:FUNCTION` that cannot be served: one line says why, whoever asks them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.adapters.registry import find
from urlharness.limits import AdapterDead
from urlharness.runner import function_adapter

pytestmark = pytest.mark.once

CASE = "rfc1808-5.1-segment"
FILES = {
    "boom.py": "import os\nraise ValueError('no good')\n",
    "lines.py": "raise ValueError('one\\n\\ttwo\\x1b[31m')\n",
    "lacks.py": "x = 1\nimport no_such_module\n",
    "syntax.py": "def answer(question):\n    return (\n",
    "asks.py": "import syntax\n",
    "exits.py": "import sys\n\nsys.exit(4)\n",
    "panics.py": "class Panic(BaseException): ...\nraise Panic('all')\n",
    "keys.py": "import os\nKEY = os.environ['MY_KEY']\n",
    "deep.py": "import helper\n\nhelper.help()\n",
    "helper.py": "import json\n\ndef help():\n    json.loads('x')\n",
    "package/__init__.py": "from . import part\n",
    "package/part.py": "\n1 / 0\n",
    ".venv/site-packages/lib.py": "raise OSError('of a library')\n",
    "installed.py": "import sys\nsys.path.append('.venv/site-packages')\nimport lib\n",
    "good.py": "notfunc = 5\n\ndef answer(question):\n    return {'status': 'ok'}\n",
    "hello.py": "\ndef answer(question): ...\nanswer.hello = 5\n",
    "asked.py": "def __getattr__(name): raise OSError('no names')\n",
}

#: What is named, and what is said of it: all of the line, FOLDER being where the files are.
FAULTS = [
    pytest.param("boom:f", "boom.py:2: ValueError: no good", id="exception"),
    pytest.param("lines:f", r"lines.py:1: ValueError: one two\u{1b}[31m", id="several-lines"),
    pytest.param("lacks:f", "lacks.py:2: ModuleNotFoundError: No module named 'no_such_module'", id="lacks"),
    pytest.param(
        "gone:f",
        "ModuleNotFoundError: No module named 'gone'; it was looked for in FOLDER, and where Python finds "
        "its modules",
        id="gone",
    ),
    pytest.param(
        "good.py:answer",
        "ModuleNotFoundError: No module named 'good.py'; 'good' is not a package; "
        "a module is named as import does it, with a dot for each / and without .py",
        id="a-file",
    ),
    pytest.param("syntax:f", "syntax.py:2: SyntaxError: '(' was never closed", id="no-python"),
    pytest.param("asks:f", "syntax.py:2: SyntaxError: '(' was never closed", id="imports-no-python"),
    pytest.param("exits:f", "exits.py:3: SystemExit: 4", id="exits"),
    pytest.param("panics:f", "panics.py:2: Panic: all", id="beyond-exception"),
    pytest.param("keys:f", "keys.py:2: KeyError: 'MY_KEY'", id="environment"),
    pytest.param("package:f", "package/part.py:2: ZeroDivisionError: division by zero", id="package"),
    pytest.param("package.part:f", "package/part.py:2: ZeroDivisionError: division by zero", id="part"),
    pytest.param(
        "installed:f",
        "installed.py:3: OSError: of a library (raised in .venv/site-packages/lib.py:1)",
        id="library",
    ),
    pytest.param(
        "good:answr",
        "good.py: AttributeError: module 'good' has no attribute 'answr'; did you mean answer?",
        id="no-such-name",
    ),
    pytest.param("good:notfunc", "good.py: notfunc is no function, but of type int", id="a-number"),
    pytest.param(
        "hello:answer", "hello.py:2: answer has a hello of type int, which is no mapping", id="hello"
    ),
    pytest.param("asked:f", "asked.py: OSError: no names", id="no-names"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(("name", "said"), FAULTS)
def test_why_there_is_none(urlconform, folder, name, said):
    """To `serve`, which a run asks, it is all that is said."""
    done = urlconform("serve", f"python:{name}")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"urlconform: {said.replace('FOLDER', str(folder))}\n"


def test_where_a_library_raised_it(urlconform, folder):
    """The line of the author's own is the one to mend, and that of the library is told as well."""
    done = urlconform("serve", "python:deep:f")
    place = rf"{re.escape(json.__path__[0])}/decoder\.py:\d+"
    assert re.fullmatch(
        rf"urlconform: helper\.py:4: JSONDecodeError: Expecting .* \(raised in {place}\)\n", done.stderr
    )


#: Of each command, where it says why.
SAYING = [
    pytest.param("run -k segment", "stderr", "urlconform: python:NAME: dead: SAID", id="run"),
    pytest.param("run -k segment --jobs 2", "stderr", "urlconform: python:NAME: dead: SAID", id="jobs"),
    pytest.param(f"repro {CASE} -a", "stderr", "urlconform: python:NAME: SAID", id="repro"),
    pytest.param(f"repro {CASE} -a", "stdout", "outcome     aborted SAID", id="outcome"),
    pytest.param("adapters doctor", "stdout", "hello             broken    SAID", id="doctor"),
    pytest.param("baseline create -o b.json", "stderr", "urlconform: python:NAME: SAID", id="baseline"),
]


@pytest.mark.parametrize("name", ["boom:f", "lacks:f", "gone:f", "good:answr", "good:notfunc"])
@pytest.mark.parametrize(("arguments", "stream", "line"), SAYING)
def test_every_command_says_it(urlconform, folder, arguments, stream, line, name):
    """In the words of `serve`, as a line of its own; the exit code is that of an adapter that is none."""
    (said,) = [case.values[1] for case in FAULTS if case.values[0] == name]
    done = urlconform(*arguments.split(), f"python:{name}")
    assert done.returncode == 3
    expected = line.replace("NAME", name).replace("SAID", said.replace("FOLDER", str(folder)))
    assert expected in getattr(done, stream).splitlines()


#: What a module writes around its fault.
NOISE = [
    pytest.param("print('loading')", id="line"),
    pytest.param("import os; os.write(2, b'loading')", id="no-end-of-line"),
    pytest.param("import sys; sys.stdout.write('loading')", id="buffered"),
    pytest.param("import atexit; atexit.register(print, 'bye')", id="at-its-end"),
    pytest.param("import sys; sys.stdout = None", id="no-stream"),
]


@pytest.mark.parametrize("noise", NOISE)
def test_what_a_module_writes_hides_nothing(urlconform, folder, noise):
    (folder / "boom.py").write_text(f"{noise}\nraise ValueError('no good')\n", "utf-8")
    for command in ("run -k segment", "adapters doctor"):
        done = urlconform(*command.split(), "python:boom:f")
        assert done.returncode == 3
        lines = (done.stderr or done.stdout).splitlines()
        assert re.search(r"(dead:|broken   ) boom\.py:2: ValueError: no good$", lines[0]), done


def test_the_doctor_cites_what_a_function_is(urlconform, folder):
    done = urlconform("adapters", "doctor", "python:boom:f", "--json")
    cited = json.loads(done.stdout)["checks"][0]["protocol"]
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
    section, says = re.fullmatch(r"docs/protocol\.md, “(.*)”: (.*)", cited).groups()
    assert f"\n## {section}\n" in page
    assert "python:MODULE:FUNCTION` | a function that takes a question (a dict) and gives a reply" in page
    assert says.startswith("`python:MODULE:FUNCTION` is a function that takes a question")


def test_a_module_that_ends_its_process_gets_no_advice_for_programs(urlconform, folder):
    """No `env NAME=value COMMAND`, for there is no command of its author's."""
    (folder / "ends.py").write_text("import os\nos.write(2, b'the end')\nos._exit(9)\n", "utf-8")
    done = urlconform("adapters", "doctor", "python:ends:f", "--json")
    (found, _) = json.loads(done.stdout)["checks"]
    assert found["message"] == "it ended with exit code 9 without an answer; it wrote: the end"


def test_repro_shows_what_the_child_wrote(urlconform, folder):
    """All of the traceback, from the first line of the module on, each line behind a mark."""
    (folder / "boom.py").write_text("print('-> loading')\nraise ValueError('no good')\n", "utf-8")
    done = urlconform("repro", CASE, "-a", "python:boom:f")
    first, *rest = re.findall(r"^(?:stderr|) +\| (.*)$", done.stdout, re.MULTILINE)
    assert (first, rest[-1]) == ("-> loading", "urlconform: boom.py:2: ValueError: no good")
    assert rest[0] == "Traceback (most recent call last):"
    assert rest[1] == f'  File "{folder}/boom.py", line 2, in <module>'
    assert "importlib" not in done.stdout
    exchange = re.findall(r"^(?:exchange|) +(->|<-) (.*)$", done.stdout, re.MULTILINE)
    assert [direction for direction, _ in exchange] == ["->", "<-"]
    assert exchange[1][1] == "nothing"


def test_repro_shows_what_a_program_wrote_before_its_hello(urlconform, folder):
    done = urlconform("repro", CASE, "-a", f"jsonl:{sys.executable} boom.py")
    assert done.returncode == 3
    rows = re.findall(r"^(?:stderr|) +\| (.*)$", done.stdout, re.MULTILINE)
    assert (rows[0], rows[-1]) == ("Traceback (most recent call last):", "ValueError: no good")


@pytest.mark.parametrize("python_path", [False, True], ids=["plain", "python-path"])
@pytest.mark.parametrize("name", ["python:boom:f", "reference"])
def test_the_lines_to_paste_run_it_alike(urlconform, environment, folder, name, python_path):
    """Those of the doctor and of `repro`: in the environment of its child process."""
    own = {"SECRET": "x", "PATH": f"{Path(sys.executable).parent}:{environment['PATH']}"}
    own |= {"PYTHONPATH": str(folder)} if python_path else {}
    by_hand = urlconform("repro", CASE, "-a", name, env=own).stdout.splitlines()[-1]
    doctor = ""
    if name != "reference":  # which has no fault to show
        report = json.loads(urlconform("adapters", "doctor", name, "--json", env=own).stdout)
        doctor = report["checks"][0]["reproduce"]
    for line in filter(None, (by_hand, doctor)):
        command = line.rpartition("| ")[2]
        assert command.startswith("env -i PATH=")
        assert ('PYTHONPATH="$PYTHONPATH"' in command, "SECRET" in command) == (python_path, False)
        assert command.endswith(f" urlconform serve {name}")
    pasted = subprocess.run(
        ["bash", "-c", (doctor or by_hand).removeprefix("by hand").strip()],
        cwd=folder, env={**environment, **own}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert pasted.returncode == (3 if doctor else 0)


def test_a_value_that_is_no_function_is_told_as_such():
    """Of the two faults the one that it has."""
    for given, words in (
        (3, "3 is no function, but of type int"),
        (_Strange(), "a hello of type int, which"),
    ):
        with pytest.raises(ValueError, match=words):
            function_adapter(given)


class _Strange:
    hello = 5

    def __call__(self, question: object) -> None: ...


def test_a_module_is_looked_for_in_its_own_folder(folder, monkeypatch):
    """A configured one: its folder is named, and its files as they are seen from the current one."""
    below = folder / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(AdapterDead, match=rf"it was looked for in {re.escape(str(folder))}, and"):
        find("python:gone_from_here:f", folder).load()
    with pytest.raises(AdapterDead, match=rf"^{re.escape(shlex.quote(str(folder)))}/boom\.py:2: ValueError"):
        find("python:boom:f", folder).load()
