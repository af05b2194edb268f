"""The doctor asks a program per case with the octets of a run, and writes them into its lines to paste."""

from __future__ import annotations

import shlex
import sys

import msgspec
import pytest

from urlharness.adapters.registry import find
from urlharness.corpus.model import OPERATIONS, SPECS
from urlharness.doctor.client import Patience, PerCase
from urlharness.doctor.examination import examine
from urlharness.doctor.questions import asked
from urlharness.engine.client import open_client
from urlharness.limits import Limits
from urlharness.protocol.messages import Question

pytestmark = pytest.mark.once

USUAL = Patience(start=30, answer=30, measuring=0.02, slow=0)
LOG = """
import sys
with open(sys.argv[1], "ab") as log:
    log.write(sys.stdin.buffer.read())
sys.exit(3)
"""
ANSWERS = """
import json, re, sys
q = json.loads(sys.stdin.read())
{special}
if q["op"] == "validate" and q.get("rule") in (None, "URI-reference") and isinstance(q.get("url"), str):
    sys.exit(1 if re.search(r'[^!-~]|[<>"{{}}|\\\\^`]|//\\[?[^/?#\\]]*$|:port', q["url"]) else 0)
sys.exit(3)
"""


@pytest.fixture
def logging(tmp_path):
    """The command of a program that writes down what it reads, and what it has written so far."""
    (tmp_path / "log.py").write_text(LOG, "utf-8")
    log = tmp_path / "log"

    def written() -> bytes:
        octets = log.read_bytes()
        log.unlink()
        return octets

    return [sys.executable, "-I", "-S", str(tmp_path / "log.py"), str(log)], written


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("op", OPERATIONS)
def test_the_octets_are_those_of_a_run(logging, op, spec):
    command, written = logging
    question = asked(op, [spec], "http://h/\x7f\u00e9\u202e")
    PerCase(command, USUAL).ask(question)
    of_the_doctor = written()
    asker = open_client(find(f"exec:{shlex.join(command)}"), Limits(start=30, case=30), "tests")
    list(asker.ask([msgspec.convert({**question, "type": "run", "id": 7}, Question)]))
    asker.close()
    assert of_the_doctor == written()
    assert of_the_doctor.startswith(b'{"type":"run","op":')


#: What a program does with the type of its question, and whether it is healthy.
TYPED = [
    pytest.param("if q.get('type') != 'run': sys.exit(9)", True, id="wants-it"),
    pytest.param("if 'type' in q: sys.exit(9)", False, id="chokes-on-it"),
    pytest.param("if 'id' in q: sys.exit(9)", True, id="wants-no-id"),
]


@pytest.mark.parametrize(("special", "healthy"), TYPED)
def test_a_program_is_what_it_is_in_a_run(tmp_path, special, healthy):
    (tmp_path / "one.py").write_text(ANSWERS.format(special=special), "utf-8")
    report = examine(
        find(f"exec:{shlex.join([sys.executable, '-I', '-S', str(tmp_path / 'one.py')])}"), USUAL
    )
    assert report.healthy == healthy, report.checks
    pasted = [finding.reproduce for finding in report.checks if finding.reproduce]
    assert healthy or pasted
    assert all('{"type":"run","op":' in line for line in pasted if '"op"' in line)
