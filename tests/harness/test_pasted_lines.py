"""Lines to paste: what was written to an adapter is written again, in as few characters as may be read."""

from __future__ import annotations

import json
import random
import shlex
import subprocess

import pytest

from urlharness.doctor.client import GREETING, Patience, PerCase, Step
from urlharness.doctor.pasting import clean, one_by_one, piped

pytestmark = pytest.mark.once

LONGEST = 2100


def asked(number: int, **fields: object) -> bytes:
    message = {"type": "run", "id": number, **fields}
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def plain(number: int) -> bytes:
    return asked(number, op="parse", spec="rfc3986", url="http://h/%41\\'\"é")


def texts(count: int, length: int) -> list[bytes]:
    chance = random.Random(1)
    made = ("".join(chance.choices("ab%\\'\" ", k=length)) for _ in range(count))
    return [asked(number, op="parse", spec="rfc3986", url=text) for number, text in enumerate(made, 1)]


OPS = ("parse", "validate", "normalize")

#: What was written.
WRITTEN = {
    "nothing": [],
    "one": [plain(1)],
    "no-message": [b"\n\n", b"half"],
    "same": [plain(number) for number in range(1, 5001)],
    "same-other-ids": [plain(3 * number) for number in range(1, 50)],
    "texts": texts(20, 10),
    "a-prefix": [
        asked(number, op="parse", spec="rfc3986", url="x" * (number % 7)) for number in range(1, 60)
    ],
    "operations": [asked(n, op=OPS[n % 3], spec="rfc3986", url="http://h/") for n in range(1, 20)],
    "then-another": [*(plain(number) for number in range(1, 100)), b"{}\n", plain(100), plain(101)],
    "long-text": [asked(1, url="z" * 100_000 + "%"), *(asked(n, url="é" * 200) for n in range(2, 9))],
    "empty-between": [asked(n, url="x" * 40 + "b" * (n % 2) + "c" * 40) for n in range(1, 60)],
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_the_octets_are_those_that_were_written(written):
    line = piped([Step(GREETING), *map(Step, written)], "cat")
    assert len(line) <= LONGEST
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True)
    assert done.stdout == GREETING + b"".join(written)


def test_of_too_many_different_lines_the_last():
    """With the greeting, and a word that there were more; the waits stay in their places."""
    written = texts(3000, 30)
    line = piped([Step(GREETING), *map(Step, written[:-1]), Step(written[-1], 0.01)], "cat")
    assert len(line) <= LONGEST
    assert line.endswith(" of 3,001 lines")
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True)
    first, *rest = done.stdout.splitlines(keepends=True)
    assert first == GREETING
    assert rest == written[-len(rest) :]


def test_few_lines_are_shown_as_they_are():
    line = piped([Step(plain(1)), Step(plain(2))], "cat")
    assert (
        line
        == f"printf '%s\\n' {shlex.quote(plain(1)[:-1].decode())} {shlex.quote(plain(2)[:-1].decode())} | cat"
    )


ANSWERS = """
import json, sys
question = json.loads(sys.stdin.read())
print(json.dumps({"components": {"query": ""}}) if question["op"] == "parse" else "")
sys.exit(0 if question["op"] == "parse" else 3)
"""


@pytest.fixture
def per_case(tmp_path):
    (tmp_path / "one.py").write_text(ANSWERS, "utf-8")
    subject = PerCase(["python3", str(tmp_path / "one.py")], Patience(answer=30))
    subject.end()
    subject.end()
    return subject


def pasted(line: str) -> list[str]:
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=True
    ).stdout.splitlines()


def test_a_program_per_case_is_asked_all_of_a_check(per_case):
    """All questions of one operation since the check began; none of the check before."""
    per_case.ask({"op": "validate"})
    per_case.ask({"op": "parse", "url": "a"})
    per_case.ask({"op": "parse", "url": "b"})
    line = per_case.repetition(wait=False)
    assert ("validate" in line, line.count('"op":"parse"')) == (False, 2)
    assert pasted(line) == ['{"components": {"query": ""}}', "exit code 0"] * 2
    per_case.end()
    per_case.end()
    per_case.ask({"op": "parse", "url": "c"})
    assert pasted(per_case.repetition(wait=False)) == ['{"components": {"query": ""}}', "exit code 0"]


def test_a_question_that_was_asked_twice_is_repeated_twice(per_case):
    question = {"op": "parse", "url": "a"}
    per_case.ask(question, question)
    assert pasted(per_case.repetition(wait=False)).count("exit code 0") == 2


def test_many_questions_of_a_program_per_case():
    questions = texts(200, 30)
    line = one_by_one(questions, clean(["cat"]))
    assert len(line) <= LONGEST
    assert pasted(line)[-2].encode() + b"\n" == questions[-1]
