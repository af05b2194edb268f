"""`urlconform repro`: the lines of the wire as they were, and a line to paste that does it again."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

CASE = "rfc1808-5.1-segment"
RESOLVED = {"status": "ok", "url": "http://a/b/c/g"}
WRONG = {"status": "ok", "url": "é"}


def pasted(out: str, environment: dict[str, str], where: Path) -> subprocess.CompletedProcess[str]:
    """What bash says to the line `by hand`."""
    (line,) = re.findall(r"^by hand +(.*)$", out, re.MULTILINE)
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=where,
        env={**environment, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def wire(out: str) -> list[tuple[str, str]]:
    """Directions and lines of the exchange."""
    return re.findall(r"^(?:exchange|) +(->|<-) (.*)$", out, re.MULTILINE)


def test_a_program(urlconform, environment, tmp_path, good_adapter):
    """Its hello, the question, the answer and the end, in both directions; pasted it says the same."""
    done = urlconform("repro", CASE, "-a", good_adapter().name)
    assert (done.returncode, done.stderr) == (0, "")
    lines = wire(done.stdout)
    assert [direction for direction, _ in lines] == ["->", "<-", "->", "<-", "->"]
    messages = [json.loads(line) for _, line in lines]
    assert [message.get("type") for message in messages] == ["hello", "hello", "run", None, "bye"]
    assert messages[2]["reference"] == "g"
    assert messages[3] == {"id": messages[2]["id"], "status": "ok", "url": "http://a/b/c/g"}
    (question,) = re.findall(r"^question +(.*)$", done.stdout, re.MULTILINE)
    sent = {name: value for name, value in messages[2].items() if name not in ("type", "id")}
    assert json.loads(question) == sent
    again = pasted(done.stdout, environment, tmp_path)
    assert again.returncode == 0
    assert again.stdout.splitlines() == [line for direction, line in lines if direction == "<-"]


def test_a_program_per_case(urlconform, environment, tmp_path):
    program = (
        "import sys; q = sys.stdin.read(); print('that is wrong', file=sys.stderr); print(q); sys.exit(1)"
    )
    (tmp_path / "one.py").write_text(program, "utf-8")
    done = urlconform("repro", CASE, "-a", f"exec:{sys.executable} -I -S one.py")
    assert done.returncode == 1
    (_, asked), (_, answered), *_, status = wire(done.stdout)
    (question,) = re.findall(r"^question +(.*)$", done.stdout, re.MULTILINE)
    assert sorted(asked.strip("{}").split(",")) == sorted(['"type":"run"', *question.strip("{}").split(",")])
    assert '"reference":"g"' in question
    assert answered == asked
    assert status == ("<-", "exit code 1")  # which is the answer
    assert re.search(r"^outcome +fail rejected", done.stdout, re.MULTILINE)
    again = pasted(done.stdout, environment, tmp_path)
    assert again.stdout.splitlines()[-1] == "exit code 1"
    assert again.stdout.splitlines()[0] == asked


FUNCTIONS = [
    pytest.param("return {'status': 'ok', 'url': 'http://a/b/c/g'}", 0, "pass", RESOLVED, id="right"),
    pytest.param("return {'status': 'ok', 'url': '\\u00e9'}", 1, "fail", WRONG, id="wrong"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "code", "outcome", "reply"), FUNCTIONS)
def test_a_function(urlconform, environment, tmp_path, body, code, outcome, reply):
    """What its child process was sent, and sent, as of a program; pasted it is served again."""
    (tmp_path / "mine.py").write_text(f"def answer(question):\n    {body}\n", "utf-8")
    done = urlconform("repro", CASE, "-a", "python:mine:answer")
    assert (done.returncode, done.stderr) == (code, "")
    assert re.search(rf"^outcome +{outcome}", done.stdout, re.MULTILINE)
    lines = wire(done.stdout)
    assert [direction for direction, _ in lines] == ["->", "<-", "->", "<-", "->"]
    messages = [json.loads(line) for _, line in lines]
    assert [message.get("type") for message in messages] == ["hello", "hello", "run", None, "bye"]
    assert messages[1]["implementation"]["name"] == "mine:answer"
    assert (messages[2]["id"], messages[2]["reference"]) == (1, "g")
    assert messages[3] == {"id": 1, **reply}
    hello, answered = pasted(done.stdout, environment, tmp_path).stdout.splitlines()
    assert json.loads(hello)["implementation"]["name"] == "mine:answer"
    assert json.loads(answered) == {"id": 1, **reply}


def test_a_bundled_function(urlconform):
    """It is served for this, and its lines are those of a program, too."""
    done = urlconform("repro", CASE, "-a", "urllib")
    messages = [json.loads(line) for _, line in wire(done.stdout)]
    assert [message.get("type") for message in messages] == ["hello", "hello", "run", None, "bye"]
    assert messages[1]["implementation"]["name"] == "urllib.parse"


#: What a function does instead of an answer, the outcome, and the last line of its child process.
ODD = [
    pytest.param("return {'status': {1}, 2j: b''}", "garbage not a reply: Expected", "garbage", id="no-json"),
    pytest.param("raise SystemExit(4)", "crash it called exit(4)", "crash", id="exit"),
    pytest.param("os._exit(9)", "crash exit code 9", None, id="ends-its-process"),
    pytest.param("time.sleep(60)", "timeout no answer within 1 s", None, id="hangs"),
]


@pytest.mark.parametrize(("body", "outcome", "layer"), ODD)
def test_a_function_without_an_answer(urlconform, tmp_path, body, outcome, layer):
    """The lines are those that there were: what is no reply, and a call of exit, its child tells in words."""
    (tmp_path / "mine.py").write_text(f"import os, time\ndef answer(question):\n    {body}\n", "utf-8")
    done = urlconform("repro", CASE, "-a", "python:mine:answer", "--timeout", "1")
    assert done.returncode == 1
    assert f"\noutcome     {outcome}" in done.stdout
    hello, *answers = [json.loads(line) for direction, line in wire(done.stdout) if direction == "<-"]
    assert hello["type"] == "hello"
    assert [answer["layer"] for answer in answers] == ([layer] if layer else [])
    assert all(answer["message"] in f"{outcome} {done.stdout}" for answer in answers)


#: What an adapter does instead of an answer, the outcome, and the last of the exchange.
ABNORMAL = [
    pytest.param("def reply(q): os.kill(os.getpid(), 11)", "crash killed by SIGSEGV", None, id="signal"),
    pytest.param("def reply(q): os._exit(9)", "crash exit code 9", None, id="exit-code"),
    pytest.param("def reply(q): out(b'\\x1b[2J\\xff\\n')", "garbage", r"\u{1b}[2J\xff", id="garbage"),
    pytest.param(
        "def reply(q): out(b'{\"id\"'); time.sleep(60)", "timeout", '{"id" (the line', id="half-a-line"
    ),
]


@pytest.mark.parametrize(("special", "outcome", "last"), ABNORMAL)
def test_no_answer(urlconform, good_adapter, special, outcome, last):
    """The tap ends as the adapter does, and shows what came."""
    done = urlconform("repro", CASE, "--timeout", "2", "-a", good_adapter(special).name)
    assert done.returncode == 1, done.stderr
    assert re.search(rf"^outcome +{outcome}", done.stdout, re.MULTILINE)
    assert "\x1b" not in done.stdout
    answers = [line for direction, line in wire(done.stdout) if direction == "<-"]
    assert len(answers) == (1 if last is None else 2)
    assert last is None or answers[1].startswith(last)


def test_a_program_per_case_that_reads_nothing(urlconform):
    """What it was asked and how it ended are all of the exchange."""
    done = urlconform("repro", CASE, "-a", "exec:sh -c 'kill -9 $$'")
    (sent, asked), (_, ended) = wire(done.stdout)
    assert (sent, json.loads(asked)["reference"], ended) == ("->", "g", "killed by SIGKILL")


#: An adapter without a hello, and what of it stands in the exchange.
UNHEARD = [
    pytest.param("print('Welcome!', flush=True)", ["Welcome!"], "no hello of protocol 1", id="banner"),
    pytest.param("def hello(): os._exit(7)", ["nothing"], "exit code 7", id="exits"),
]


@pytest.mark.parametrize(("special", "came", "words"), UNHEARD)
def test_no_hello(urlconform, environment, tmp_path, good_adapter, special, came, words):
    """What was exchanged all the same, and the line that does it again; the exit code is that of a run."""
    done = urlconform("repro", CASE, "-a", good_adapter(special).name)
    assert (done.returncode, words in done.stderr) == (3, True)
    (_, greeting), *answers = wire(done.stdout)
    assert json.loads(greeting)["type"] == "hello"
    # behind a banner the program may have come to more before it was killed
    assert answers[: len(came)] == [("<-", line) for line in came]
    assert pasted(done.stdout, environment, tmp_path).stdout.splitlines()[:1] == [
        line for line in came if line != "nothing"
    ]


def test_a_function_is_asked_by_hand_as_in_a_run(urlconform, environment, tmp_path):
    """With the environment that its child process has, and the modules that it can import."""
    text = "import os\ndef f(_):\n    return {'status': 'ok', 'url': 'h:' + os.environ.get('SECRET', '')}\n"
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "envy.py").write_text(text, "utf-8")
    own = {"SECRET": "x", "PYTHONPATH": str(tmp_path / "lib")}
    done = urlconform("repro", CASE, "-a", "python:envy:f", env=own)
    *_, (_, answer), _ = wire(done.stdout)
    _, again = pasted(done.stdout, environment | own, tmp_path).stdout.splitlines()
    assert json.loads(answer)["url"] == json.loads(again)["url"] == "h:"


def test_an_answer_that_is_kept_back(urlconform, good_adapter):
    """The pasted line leaves the input open a while, for at its end the answer comes."""
    kept = "def write(m): print(json.dumps(m), flush=m is HELLO)"
    done = urlconform("repro", CASE, "--timeout", "1", "-a", good_adapter(kept).name)
    assert done.returncode == 1
    assert re.search(r"^by hand +\{ printf .*; sleep 3; \} \| env -i ", done.stdout, re.MULTILINE)


def test_a_case_of_generated_lines(urlconform):
    """Of a file that `generate` wrote, by the line that the run prints."""
    urlconform("generate", "--tier", "resolution", "--spec", "rfc1808", "-o", "cases.jsonl")
    done = urlconform("repro", "resolution-rfc1808-000002", "-a", "reference", "--vectors", "cases.jsonl")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_generated_case(urlconform, environment, tmp_path, good_adapter):
    done = urlconform("repro", "complete-rfc3986-URI-000002", "-a", good_adapter().name)
    assert done.returncode in (0, 1)
    assert '"rule":"URI"' in done.stdout
    assert pasted(done.stdout, environment, tmp_path).returncode == 0


def test_a_case_of_another_corpus(urlconform, environment, tmp_path, good_adapter):
    """With the file that has it; without, it is unknown."""
    urls = [
        {"input": "http://h/a b", "base": None, "href": "http://h/a%20b", "protocol": "http:", "host": "h"}
    ]
    (tmp_path / "theirs.json").write_text(json.dumps(urls), "utf-8")
    listed = urlconform("run", "reference", "--vectors", "theirs.json", "--list").stdout.split()
    assert listed
    name = good_adapter().name
    done = urlconform("repro", listed[0], "-a", name, "--vectors", "theirs.json")
    assert (done.returncode in (0, 1), done.stderr) == (True, "")
    assert re.search(r"^place +theirs.json, section ", done.stdout, re.MULTILINE)
    assert "http://h/a b" in done.stdout
    assert pasted(done.stdout, environment, tmp_path).stdout.count("\n") == 2
    unknown = urlconform("repro", listed[0], "-a", name)
    assert unknown.returncode == 2
    assert "no vector named" in unknown.stderr


def test_quotes_survive(urlconform, environment, tmp_path, good_adapter):
    """A text with every kind of quote is pasted as it is."""
    text = "a:'\"$(echo x)`x`\\\\n!é\u202e" + "z" * 300
    vector = {
        "id": "rfc3986-3-quotes", "requirement": "rfc3986-3-x", "level": "grammar", "op": "parse",
        "url": text, "expect": {"components": {"scheme": "a"}}, "binding": "required",
    }  # fmt: skip
    content = {"schema": "urlvectors-1", "spec": "rfc3986", "section": "3", "title": "x", "vectors": [vector]}
    (tmp_path / "own.json").write_text(json.dumps(content), "utf-8")
    done = urlconform("repro", vector["id"], "-a", good_adapter().name, "--vectors", "own.json")
    assert done.stderr == ""
    reply = json.loads(pasted(done.stdout, environment, tmp_path).stdout.splitlines()[1])
    assert reply["components"]["path"] == text[2:]


def test_a_near_name_is_suggested(urlconform):
    done = urlconform("repro", "rfc1808-5.1-segmnt", "-a", "reference")
    assert done.returncode == 2
    assert "did you mean rfc1808-5.1-segment?" in done.stderr
