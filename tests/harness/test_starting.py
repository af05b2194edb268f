"""Adapters that do not start: what is wrong is named, by the doctor, `run` and `repro`; the line shows it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

SAID = "#!/usr/bin/env bash\necho '{}'\n"
Files = dict[str, tuple[bytes, int]]
FILES: Files = {
    "crlf.sh": (b"#!/usr/bin/bash\r\necho hi\r\n", 0o755),
    "env.sh": (b"#!/usr/bin/env bash\r\necho hi\r\n", 0o755),
    "gone.sh": (b"#!/no/such/interpreter -x\necho hi\n", 0o755),
    "plain.py": (b"import os\nopen('touched', 'w')\n", 0o755),
    "empty": (b"", 0o755),
    "octets": (b"ab\0c", 0o755),
    "damaged": (b"\x7fELF\2\1\1" + bytes(40), 0o755),
    "closed.sh": (SAID.encode(), 0o644),
    "here.sh": (SAID.encode(), 0o755),
    "lines.sh": (b"while read line; do\r\n  echo\r\ndone\r\n", 0o644),
    "beside.sh": (b"#!bin/empty\n", 0o755),
    "none.sh": (b"#!bin/none\n", 0o755),
    "needs.py": (b"import nosuchmodule\n", 0o644),
}

#: The command, what is said of it, and the line to paste.
STARTS = [
    pytest.param("./crlf.sh", r"'/usr/bin/bash\r' is asked for", "env ./crlf.sh </dev/null", id="crlf"),
    pytest.param("./env.sh", r"its #! line ends with CRLF, so that 'bash\r'", None, id="crlf-env"),
    pytest.param("./gone.sh", "its interpreter /no/such/interpreter is not there", None, id="interpreter"),
    pytest.param("./plain.py", "it has no #! line", "head -n 1 ./plain.py | cat -A", id="no-shebang"),
    pytest.param("./empty", "the file is empty", "head -n 1 ./empty | cat -A", id="empty"),
    pytest.param("./octets", "it is no program", "head -n 1 ./octets | cat -A", id="octets"),
    pytest.param("./damaged", "another machine or system, or is damaged", None, id="damaged"),
    pytest.param("./closed.sh", "chmod +x closed.sh", "env ./closed.sh </dev/null", id="closed"),
    pytest.param("./folder", "it is a directory", "env ./folder </dev/null", id="folder"),
    pytest.param("here.sh", "there is one in this folder: write ./here.sh", None, id="not-on-the-path"),
    pytest.param("A=1 bash here.sh", "write env A=1 bash here.sh", "'A=1' bash here.sh </dev/null", id="set"),
    pytest.param("cd . && bash x", "bash -c '...' does", "env cd . '&&' bash x </dev/null", id="cd"),
    pytest.param("bash lines.sh", "the lines of lines.sh end with CRLF", None, id="crlf-lines"),
    pytest.param(f"{sys.executable} needs.py", "`env NAME=value COMMAND` gives", None, id="environment"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, (octets, mode) in FILES.items():
        (tmp_path / name).write_bytes(octets)
        (tmp_path / name).chmod(mode)
    (tmp_path / "folder").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "empty").touch(0o755)
    return tmp_path


@pytest.mark.parametrize(("command", "words", "line"), STARTS)
def test_the_doctor(urlconform, folder, command, words, line):
    """It names what is wrong; its line fails in bash as well, and runs nothing that the harness does not."""
    done = urlconform("adapters", "doctor", f"jsonl:{command}", "--json")
    first, *_ = json.loads(done.stdout)["checks"]
    assert (done.returncode, first["state"]) == (3, "broken")
    assert words in first["message"]
    assert line in (None, first["reproduce"])
    pasted = subprocess.run(
        ["bash", "-c", first["reproduce"]], cwd=folder, capture_output=True, text=True, check=False
    )
    assert pasted.returncode != 0 or first["reproduce"].startswith("head")
    assert not (folder / "touched").exists()


@pytest.mark.parametrize(("command", "words", "line"), STARTS)
def test_a_run(urlconform, folder, command, words, line):
    done = urlconform("run", f"jsonl:{command}", "--spec", "rfc1808")
    assert done.returncode == 3
    assert words in done.stderr


#: The command of a configured adapter, and what is said of it in a folder below: FOLDER is where it lives.
CONFIGURED = [
    pytest.param("./crlf.sh", "jsonl", r"./crlf.sh: its #! line ends with CRLF", id="crlf"),
    pytest.param(
        "./gone.sh", "jsonl", "./gone.sh: its interpreter /no/such/interpreter is", id="interpreter"
    ),
    pytest.param("./beside.sh", "jsonl", "./beside.sh: Exec format error\n", id="interpreter-beside-it"),
    pytest.param("./none.sh", "jsonl", "./none.sh: its interpreter bin/none is not", id="no-interpreter"),
    pytest.param("./plain.py", "jsonl", "./plain.py: it has no #! line", id="no-shebang"),
    pytest.param("./closed.sh", "jsonl", "chmod +x FOLDER/closed.sh", id="closed"),
    pytest.param("./folder", "jsonl", "./folder: it is a directory", id="folder"),
    pytest.param("here.sh", "jsonl", "; there is one in FOLDER: write ./here.sh", id="not-on-the-path"),
    pytest.param("here.sh", "exec", "; there is one in FOLDER: write ./here.sh", id="exec-not-on-the-path"),
    pytest.param("below.sh", "jsonl", "below.sh: No such file or directory\n", id="in-the-current-one-alone"),
    pytest.param("bash lines.sh", "jsonl", "FOLDER/lines.sh end with CRLF", id="crlf-lines"),
]


@pytest.mark.parametrize(("command", "kind", "words"), CONFIGURED)
def test_a_configured_adapter(program, environment, folder, command, kind, words):
    """It is looked at where it is run, in the folder of the configuration, and not in the current one."""
    below = folder / "below"
    below.mkdir()
    (below / "below.sh").write_text(SAID, "ascii")
    table = f"[tool.urlconform]\nadapters = ['{kind}:{command}']\n"
    (folder / "pyproject.toml").write_text(table, "utf-8")
    line = [program, "run", "--spec", "rfc1808", "--section", "5.2"]
    done = subprocess.run(line, cwd=below, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert words.replace("FOLDER", str(folder)) in done.stderr


@pytest.mark.parametrize("kind", ["jsonl", "exec"])
def test_repro(urlconform, folder, kind):
    """The tap in between changes nothing of what is said."""
    done = urlconform("repro", "rfc1808-5.1-segment", "-a", f"{kind}:./plain.py")
    assert done.returncode == 3
    assert "it has no #! line" in done.stderr
    assert "by hand     head -n 1 ./plain.py | cat -A\n" in done.stdout


def test_the_line_has_the_environment_of_an_adapter(urlconform, environment, tmp_path):
    """What a shell has and an adapter has not makes no difference to the pasted line."""
    (tmp_path / "needs.py").write_text("import os\nos.environ['MY_KEY']\n", "utf-8")
    command = f"{shlex.quote(sys.executable)} needs.py"
    done = urlconform("adapters", "doctor", f"jsonl:{command}", "--json", env={"MY_KEY": "x"})
    line = json.loads(done.stdout)["checks"][0]["reproduce"]
    pasted = subprocess.run(
        ["bash", "-c", line],
        cwd=tmp_path,
        env={**environment, "MY_KEY": "x"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "KeyError: 'MY_KEY'" in pasted.stderr
