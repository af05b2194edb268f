"""`repro`: the exact lines of the exchange, the verdict, and a command that repeats the exchange."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.exitcodes import Exit

CASE = "rfc1808-5.1-segment"
RESOLVED = {"status": "ok", "url": "http://a/b/c/g"}
WRONG = {"status": "ok", "url": "é"}


@pytest.fixture
def run_by_hand(environment, tmp_path):
    """Return a function that runs the command `by hand` in bash, and returns the lines that it prints."""

    def paste(out: str) -> list[str]:
        (line,) = re.findall(r"^by hand +(.*)$", out, re.MULTILINE)
        path = f"{Path(sys.executable).parent}:{environment['PATH']}"
        env = {**environment, "PATH": path}
        command = ["bash", "-c", line]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return paste


def wire(out: str) -> list[tuple[str, str]]:
    """Return (direction, line) for each line of the exchange."""
    return re.findall(r"^(?:exchange|) +(->|<-) (.*)$", out, re.MULTILINE)


@pytest.fixture
def repro_of_program(urlconform, good_adapter):
    """The finished `repro` of a case that a conforming program passes."""
    return urlconform("repro", CASE, "-a", good_adapter().name)


#: The first lines of it.
LINES_ABOUT_THE_CASE = """\
case        rfc1808-5.1-segment
requirement Against the sample base, g gives http://a/b/c/g. (rfc1808-5.1-segment)
place       RFC 1808, section 5.1, paragraph 1, by R-1808-21
flag        basic: Ordinary URLs are misread; mend this first.
binding     required, R-1808-21
question    {"op":"resolve","spec":"rfc1808","base":"http://a/b/c/d;p?q#f","reference":"g"}
answer      {"status":"ok","url":"http://a/b/c/g"}
expected    {"result":"http://a/b/c/g"}
outcome     pass
exchange    -> """


def test_the_case_and_its_outcome_are_shown(repro_of_program):
    assert repro_of_program.stdout.startswith(LINES_ABOUT_THE_CASE)
    assert repro_of_program.stderr == ""
    assert repro_of_program.returncode == Exit.PASSED


@pytest.fixture
def exchanged_messages(repro_of_program):
    """The messages to and from the program, in their order."""
    return [json.loads(line) for _, line in wire(repro_of_program.stdout)]


def test_the_harness_and_a_program_speak_in_turn(repro_of_program):
    lines = wire(repro_of_program.stdout)
    assert [direction for direction, _ in lines] == ["->", "<-", "->", "<-", "->"]


def test_the_exchange_with_a_program_begins_with_two_hellos(exchanged_messages):
    greeting, hello, *_ = exchanged_messages
    assert greeting["type"] == "hello"
    assert hello["implementation"]["name"] == "made up"


def test_the_exchange_with_a_program_has_the_question_of_the_case(exchanged_messages):
    _, _, question, *_ = exchanged_messages
    assert question["type"] == "run"
    assert question["reference"] == "g"


def test_the_exchange_with_a_program_has_its_reply(exchanged_messages):
    _, _, question, reply, _ = exchanged_messages
    assert reply == {"id": question["id"], **RESOLVED}


def test_the_exchange_with_a_program_ends_with_a_goodbye(exchanged_messages):
    assert exchanged_messages[-1] == {"type": "bye"}


def test_the_exchange_with_a_program_can_be_repeated_by_hand(repro_of_program, run_by_hand):
    received = [line for direction, line in wire(repro_of_program.stdout) if direction == "<-"]
    assert len(received) == 2
    assert run_by_hand(repro_of_program.stdout) == received


@pytest.fixture
def repro_on_terminal(urlconform, terminal):
    """Return a function that returns the lines of `repro` on a terminal of some columns."""

    def lines(width):
        terminal("judge.repro", width)
        return urlconform("repro", "rfc3986-A-authority-backslash-twin", "-a", "urllib").stdout.splitlines()

    return lines


#: A width at which no line is broken.
WIDE = 1000


def test_a_terminal_breaks_lines_only_between_words(repro_on_terminal):
    whole_lines = repro_on_terminal(WIDE)
    lines = repro_on_terminal(50)
    assert len(lines) > len(whole_lines)
    assert " ".join(lines).split() == " ".join(whole_lines).split()


#: The labels of lines with JSON or a command.
LABELS_TO_COPY = ("question ", "answer ", "expected ", "exchange ", "by hand ")


def is_to_copy(line: str) -> bool:
    """Return True if a line has one of these labels, or is a further line of the exchange."""
    return line.startswith(LABELS_TO_COPY) or line.lstrip().startswith(("-> ", "<- "))


def test_a_terminal_breaks_sentences_but_neither_json_nor_commands(repro_on_terminal):
    """The user can copy JSON and commands."""
    whole_lines = [line for line in repro_on_terminal(WIDE) if is_to_copy(line)]
    assert max(map(len, whole_lines)) > 50
    lines = repro_on_terminal(50)
    assert [line for line in lines if is_to_copy(line)] == whole_lines
    assert [line for line in lines if len(line) > 50 and line not in whole_lines] == []


def test_the_command_to_ask_a_bundled_program_by_hand_starts_it_in_an_empty_folder(
    urlconform, run_by_hand, cache
):
    done = urlconform("repro", "rfc3986-5.4.2-ex-01", "-a", "node-url")
    assert f"| (cd {cache}/urlconform/empty && " in done.stdout
    first_line, *_ = run_by_hand(done.stdout)
    assert json.loads(first_line)["type"] == "hello"


@pytest.fixture
def repro_of_long_text(urlconform):
    """The finished `repro` of a case whose text, answer and expectation have 70,009 characters."""
    return urlconform("repro", "rfc3986-6.2.1-normal-path-70000", "-a", "reference")


#: No line with an abbreviated text is longer; the text itself has 70,009 characters.
LONGEST_ABBREVIATED_LINE = 1000


@pytest.mark.parametrize("label", ["question", "answer", "expected"])
def test_long_texts_are_abbreviated(repro_of_long_text, label):
    (line,) = re.findall(rf"^{label} +(.*)$", repro_of_long_text.stdout, re.MULTILINE)
    assert "(70,009 characters, SHA-256 " in line
    assert len(line) <= LONGEST_ABBREVIATED_LINE


def test_long_texts_are_abbreviated_in_the_exchange(repro_of_long_text):
    (question,) = (line for _, line in wire(repro_of_long_text.stdout) if '"run"' in line)
    assert "(70,009 characters, SHA-256 " in json.loads(question)["url"]


def test_no_command_repeats_an_abbreviated_exchange(repro_of_long_text):
    assert wire(repro_of_long_text.stdout) != []
    assert "by hand" not in repro_of_long_text.stdout


@pytest.mark.parametrize("label", ["question", "answer", "expected"])
def test_whole_abbreviates_no_text(urlconform, label):
    done = urlconform("repro", "rfc3986-6.2.1-normal-path-70000", "-a", "reference", "--whole")
    (line,) = re.findall(rf"^{label} +(.*)$", done.stdout, re.MULTILINE)
    assert len(line) > 70_000


def test_whole_abbreviates_no_line_of_the_exchange(urlconform):
    done = urlconform("repro", "rfc3986-6.2.1-normal-path-70000", "-a", "reference", "--whole")
    lines = [json.loads(line) for _, line in wire(done.stdout)]
    lengths = [len(fields["url"]) for fields in lines if "url" in fields]
    assert lengths == [70_009, 70_009]  # of the question and of the answer, which is the same URL


def test_the_requirement_of_a_parse_question_says_why_it_is_asked(urlconform):
    done = urlconform(
        "repro", "difference-parse-rfc3986-3.2.2-refused-non-ascii-behind-1000-labels", "-a", "reference"
    )
    assert "difference: a parsed text that is no URL" in done.stdout


@pytest.fixture
def repro_of_echo(urlconform, tmp_path):
    """The finished `repro` of a program per case that writes the question that it reads, and refuses it."""
    (tmp_path / "echo.py").write_text(
        "import sys\nsys.stdout.write(sys.stdin.read())\nsys.exit(1)\n", "utf-8"
    )
    return urlconform("repro", CASE, "-a", f"exec:{sys.executable} -I -S echo.py")


def test_the_exchange_with_a_program_per_case_has_question_output_and_exit_code(repro_of_echo):
    exchange = wire(repro_of_echo.stdout)
    (_, question), *_ = exchange
    assert json.loads(question)["reference"] == "g"
    assert exchange == [("->", question), ("<-", question), ("<-", "exit code 1")]


def test_the_exit_code_of_a_program_per_case_is_its_answer(repro_of_echo):
    assert re.search(r"^outcome +fail rejected$", repro_of_echo.stdout, re.MULTILINE)
    assert repro_of_echo.returncode == Exit.FAILED


def test_the_exchange_with_a_program_per_case_can_be_repeated_by_hand(repro_of_echo, run_by_hand):
    (_, question), *_ = wire(repro_of_echo.stdout)
    assert run_by_hand(repro_of_echo.stdout) == [question, "exit code 1"]


def test_a_program_per_case_that_is_killed_is_shown_with_its_signal(urlconform):
    done = urlconform("repro", CASE, "-a", "exec:sh -c 'kill -9 $$'")
    (sent, question), (_, ended) = wire(done.stdout)
    assert sent == "->"
    assert json.loads(question)["reference"] == "g"
    assert ended == "killed by SIGKILL"


@pytest.fixture
def repro_of_function(urlconform, tmp_path):
    """Return a function that runs `repro` on an adapter function with this body."""

    def repro(body: str, *options: str):
        source = f"import os, time\ndef answer(question):\n    {body}\n"
        (tmp_path / "mine.py").write_text(source, "utf-8")
        return urlconform("repro", CASE, "-a", "python:mine:answer", *options)

    return repro


#: The body of a function that answers, and its reply.
ANSWERING = [
    pytest.param("return {'status': 'ok', 'url': 'http://a/b/c/g'}", RESOLVED, id="right"),
    pytest.param("return {'status': 'ok', 'url': '\\u00e9'}", WRONG, id="wrong"),
]


@pytest.mark.parametrize(("body", "reply"), ANSWERING)
def test_the_exchange_with_a_function_shows_the_lines_of_its_process(repro_of_function, body, reply):
    lines = [json.loads(line) for _, line in wire(repro_of_function(body).stdout)]
    _greeting, _hello, question, shown_reply, _goodbye = lines
    assert question["reference"] == "g"
    assert shown_reply == {"id": 1, **reply}


@pytest.mark.parametrize(
    ("reply", "code"), [(RESOLVED, Exit.PASSED), (WRONG, Exit.FAILED)], ids=["right", "wrong"]
)
def test_the_exit_code_is_that_of_the_answer_of_a_function(repro_of_function, reply, code):
    done = repro_of_function(f"return {reply!r}")
    assert done.stderr == ""
    assert done.returncode == code


@pytest.mark.parametrize(("body", "reply"), ANSWERING)
def test_the_exchange_with_a_function_can_be_repeated_by_hand(repro_of_function, run_by_hand, body, reply):
    _hello_by_hand, reply_by_hand = run_by_hand(repro_of_function(body).stdout)
    assert json.loads(reply_by_hand) == {"id": 1, **reply}


#: What a function does instead of answering, and the outcome.
WITHOUT_ANSWER = {
    "no-json": ("return {'status': {1}, 2j: b''}", "garbage"),
    "exit": ("raise SystemExit(4)", "crash it called exit(4)"),
    "ends-its-process": ("os._exit(9)", "crash exit code 9"),
}


@pytest.mark.parametrize(("body", "outcome"), WITHOUT_ANSWER.values(), ids=WITHOUT_ANSWER)
def test_a_function_without_an_answer_has_an_abnormal_outcome(repro_of_function, body, outcome):
    done = repro_of_function(body)
    assert f"\noutcome     {outcome}" in done.stdout
    assert done.returncode == Exit.FAILED


def test_a_function_that_does_not_answer_in_time_has_an_abnormal_outcome(repro_of_function):
    done = repro_of_function("time.sleep(1000)", "--timeout", "0.3")
    assert "\noutcome     timeout no answer within 0.3 s" in done.stdout
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize("name", WITHOUT_ANSWER)
def test_the_messages_before_an_abnormal_end_are_shown(repro_of_function, name):
    body, _outcome = WITHOUT_ANSWER[name]
    (_, greeting), (_, hello), (_, question), *_ = wire(repro_of_function(body).stdout)
    assert json.loads(greeting)["type"] == "hello"
    assert json.loads(hello)["type"] == "hello"
    assert json.loads(question)["type"] == "run"


@pytest.fixture
def line_with_label(urlconform, tmp_path):
    """Return a function that finds a line of `repro` by its label. The library answers with bytes."""
    components = {"scheme": "http", "host": {"hex": "61ff"}, "path": ""}
    reply = {"status": "ok", "components": components}
    (tmp_path / "mine.py").write_text(f"def answer(question):\n    return {reply!r}\n", "utf-8")
    done = urlconform("repro", "rfc3986-3.2.2-parse-100-leading-zeros", "-a", "python:mine:answer")

    def line(label):
        (text,) = re.findall(f"^{label} +(.*)$", done.stdout, re.MULTILINE)
        return text

    return line


def test_bytes_in_an_answer_are_shown_as_text(line_with_label):
    assert r'"host":"a\xff"' in line_with_label("answer")


def test_bytes_in_an_outcome_are_shown_as_text(line_with_label):
    assert r"host is bytes 'a\xff', not " in line_with_label("outcome")


#: What a program does instead of answering, the outcome, and the last line of the exchange.
ABNORMAL = [
    pytest.param("def reply(q): out(b'\\x1b[2J\\xff\\n')", "garbage", r"\u{1b}[2J\xff", id="garbage"),
    pytest.param("def reply(q): out(b'{\"id\"'); hang()", "timeout", '{"id" (the line', id="half-a-line"),
]


@pytest.mark.usefixtures("signs")
@pytest.mark.parametrize(("reply_function", "outcome", "last"), ABNORMAL)
def test_a_program_without_an_answer_has_an_abnormal_outcome(
    urlconform, good_adapter, reply_function, outcome, last
):
    done = urlconform("repro", CASE, "--timeout", "1000", "-a", good_adapter(reply_function).name)
    assert done.returncode == Exit.FAILED, done.stderr
    assert re.search(rf"^outcome +{outcome}", done.stdout, re.MULTILINE)
    assert "\x1b" not in done.stdout
    _hello, reply = [line for direction, line in wire(done.stdout) if direction == "<-"]
    assert reply.startswith(last)


@pytest.mark.usefixtures("signs")
def test_the_exchange_with_a_program_that_was_killed_ends_with_its_hello(urlconform, good_adapter):
    killed = f"def reply(q): os.kill(os.getpid(), {signal.SIGSEGV:d})"
    done = urlconform("repro", CASE, "--timeout", "1000", "-a", good_adapter(killed).name)
    assert done.returncode == Exit.FAILED, done.stderr
    assert re.search(r"^outcome +crash killed by SIGSEGV", done.stdout, re.MULTILINE)
    (answer,) = [line for direction, line in wire(done.stdout) if direction == "<-"]
    assert json.loads(answer)["type"] == "hello"


#: An adapter that sends no hello, the lines that it wrote, and a part of the error.
UNHEARD = [
    pytest.param("print('Welcome!', flush=True)", "Welcome!", "not a valid hello", id="banner"),
    pytest.param("def hello(): os._exit(7)", "nothing", "exit code 7", id="exits"),
]


@pytest.mark.parametrize(("without_hello", "line", "words"), UNHEARD)
def test_a_program_without_a_hello_is_an_error(urlconform, good_adapter, without_hello, line, words):
    done = urlconform("repro", CASE, "-a", good_adapter(without_hello).name)
    assert words in done.stderr, done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD, done.stderr
    (_, greeting), answer, *_ = wire(done.stdout)
    assert json.loads(greeting)["type"] == "hello"
    assert answer == ("<-", line)


def test_a_missing_program_is_named(urlconform):
    done = urlconform("repro", CASE, "-a", "jsonl:./no-such")
    assert "./no-such: no such file" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


def test_the_start_timeout_is_that_of_the_option(urlconform, tmp_path):
    (tmp_path / "silent.py").write_text("import sys; sys.stdin.read()", "utf-8")
    done = urlconform("repro", CASE, "-a", f"jsonl:{sys.executable} silent.py", "--start-timeout", "0.2")
    assert "no hello: no answer within 0.2 s" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


def test_stderr_cannot_look_like_the_exchange(urlconform, good_adapter):
    forging = "def reply(q): print('exchange    -> fake', file=sys.stderr, flush=True); os._exit(1)"
    done = urlconform("repro", CASE, "-a", good_adapter(forging).name)
    assert "stderr      | exchange    -> fake\n" in done.stdout


def test_a_generated_case_is_asked_again(urlconform):
    done = urlconform("repro", "resolution-rfc1808-000002", "-a", "reference")
    assert done.stdout.startswith("case        resolution-rfc1808-000002\n")
    assert done.stderr == ""
    assert done.returncode == Exit.PASSED


def test_a_case_of_generated_lines_is_asked_again(urlconform):
    urlconform("generate", "--tier", "resolution", "--spec", "rfc1808", "--limit", "3", "-o", "cases.jsonl")
    done = urlconform("repro", "resolution-rfc1808-000002", "-a", "reference", "--vectors", "cases.jsonl")
    assert done.stderr == ""
    assert done.returncode == Exit.PASSED


@pytest.fixture
def foreign_case(urlconform, tmp_path):
    """The id of a case of another corpus, theirs.json, which the reference fails."""
    urls = [
        {"input": "http://h/a b", "base": None, "href": "http://h/a%20b", "protocol": "http:", "host": "h"}
    ]
    (tmp_path / "theirs.json").write_text(json.dumps(urls), "utf-8")
    first, *_ = urlconform("run", "reference", "--vectors", "theirs.json", "--list").stdout.split()
    return first


def test_a_case_of_another_corpus_is_asked_with_its_file(urlconform, foreign_case):
    done = urlconform("repro", foreign_case, "-a", "reference", "--vectors", "theirs.json")
    assert re.search(r"^place +theirs.json, section ", done.stdout, re.MULTILINE)
    assert "http://h/a b" in done.stdout
    assert done.stderr == ""
    assert done.returncode == Exit.FAILED


def test_a_case_of_another_corpus_is_unknown_without_its_file(urlconform, foreign_case):
    done = urlconform("repro", foreign_case, "-a", "reference")
    assert f"no vector named '{foreign_case}'" in done.stderr
    assert done.returncode == Exit.USAGE


def test_quotes_survive_the_shell(urlconform, run_by_hand, tmp_path, good_adapter):
    path = "'\"$(echo x)`x`\\\\n!é\u202e"
    vector = {
        "id": "rfc3986-3-quotes",
        "requirement": "rfc3986-3-x",
        "level": "grammar",
        "op": "parse",
        "url": f"a:{path}",
        "expect": {"components": {"scheme": "a"}},
        "binding": "required",
    }
    content = {"schema": "urlvectors-1", "spec": "rfc3986", "section": "3", "title": "x", "vectors": [vector]}
    (tmp_path / "own.json").write_text(json.dumps(content), "utf-8")
    done = urlconform("repro", vector["id"], "-a", good_adapter().name, "--vectors", "own.json")
    assert done.stderr == ""
    _hello, reply = run_by_hand(done.stdout)
    assert json.loads(reply)["components"]["path"] == path


def test_a_similar_id_is_suggested(urlconform):
    done = urlconform("repro", "rfc1808-5.1-segmnt", "-a", "reference")
    assert "Did you mean 'rfc1808-5.1-segment'" in done.stderr
    assert done.returncode == Exit.USAGE
