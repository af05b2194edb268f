"""Adapters that are nearly right: it shows under load, in odd texts, or where there is nothing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from urlharness.doctor import examination, framing
from urlharness.doctor.checks import Check, ok
from urlharness.doctor.client import Patience
from urlharness.doctor.examination import examine

pytestmark = pytest.mark.once

#: Questions that come in one write are answered, under ids that the text ORDER makes of theirs.
_MIXED = """
def lines():
    while chunk := os.read(0, 1 << 20):
        found = [json.loads(line) for line in chunk.splitlines()]
        ids = [m.get("id") for m in found]
        for message, number in zip(found, ORDER):
            yield json.dumps({**message, "id": number})
"""
#: Something more is written behind the third answer.
_STRAY = """
n = []
def reply(q):
    write({"id": q["id"], **guarded(q)})
    n.append(q)
    if len(n) == 3: EXTRA
"""
#: It ends after an answer, on what the text WHEN says.
_ENDS = "def reply(q):\n    write({'id': q['id'], **guarded(q)})\n    if WHEN: sys.exit(1)"
_OTHER_PARTS = "old = components\ndef components(url): return {n: CHANGED for n, v in old(url).items()}"
_INPUT = (
    "old = answer\ndef answer(q): return old({n: changed(v) for n, v in q.items()})\n"
    "def changed(v): return v.CHANGE if isinstance(v, str) else v"
)


def stray(extra: str) -> str:
    return _STRAY.replace("EXTRA", extra)


def parts(changed: str) -> str:
    return _OTHER_PARTS.replace("CHANGED", changed)


def texts(change: str) -> str:
    return _INPUT.replace("CHANGE", change)


#: What is planted, the check that finds it, the state, and words of what it says.
MUTANTS = [
    pytest.param(
        _MIXED.replace("ORDER", "ids[::-1]"),
        "several at once", "broken", "and the other way round", id="answers-change-places"
    ),
    pytest.param(
        _MIXED.replace("ORDER", "ids[1:] + ids[:1]"),
        "several at once", "broken", "has the answer to id 16", id="answers-move-on"
    ),
    pytest.param(
        "HELLO['window'] = 64\n" + _MIXED.replace("ORDER", "ids[::-1] if len(ids) > 16 else ids"),
        "several at once", "broken", "of 64 questions at once", id="many-change-places"
    ),
    pytest.param(
        _MIXED.replace("ORDER", "ids").replace("yield", "message['many'] = len(ids); yield")
        + "old = answer\ndef answer(q): return old(q) if q['many'] == 1 else {'status': 'reject'}",
        "several at once", "broken", "is answered with", id="busy"
    ),
    pytest.param(
        _MIXED.replace("ORDER", "ids") + "old = answer\n"
        "def answer(q): return old(q) if q['id'] != 3 or q.get('url') != 'http://h2/' else "
        "{'status': 'error', 'message': str(os.getpid()), 'at': os.getpid()}",
        "several at once", "broken", "and was with", id="unstable-alone"
    ),
    *(
        pytest.param(stray(f"out({line!r})"), "speed", "broken", "not a reply", id=f"stray-{name}")
        for name, line in (("text", b"note\n"), ("number", b"5\n"), ("null", b"null\n"), ("list", b"[1]\n"),
                           ("octets", b"\xff\xfe\n"))
    ),
    pytest.param(stray("write({'id': 3, **guarded(q)})"), "speed", "broken", "a reply to 3", id="double"),
    pytest.param(stray("write({'id': 0, **guarded(q)})"), "speed", "broken", "a reply to 0", id="unasked"),
    pytest.param(
        "old = answer\nn = []\n"
        "def answer(q): n.append(q); return old(q) if len(n) % 4 else {'status': 'reject'}",
        "speed", "broken", 'answer 4 to the same question is {"status":"reject"}', id="every-fourth"
    ),
    *(
        pytest.param(parts(f"v or {word!r}"), "absent or empty", "broken", f"is the text {word!r}", id=word)
        for word in ("None", "null", "undefined", "nil", "-1")
    ),
    pytest.param(
        parts("str(v) if n == 'port' else v"),
        "absent or empty", "broken", "port of http://h/p is the text 'None'", id="port-None"
    ),
    pytest.param(
        parts("'null' if v == '' and n != 'path' else v"),
        "absent or empty", "broken", "of http://h:/p?# is the text 'null'", id="empty-is-a-word"
    ),
    pytest.param(
        parts("'null' if v == '' and n == 'path' else v"),
        "absent or empty", "broken", "path of http://h is the text 'null'", id="no-path-is-a-word"
    ),
    pytest.param(
        parts("'None' if n == 'scheme' and not v else v"),
        "absent or empty", "broken", "scheme of p is the text 'None'", id="no-scheme-is-a-word"
    ),
    pytest.param(
        parts("v or '80' if n == 'port' else v"),
        "absent or empty", "warning", "port of http://h/p is '80', where there is none", id="default-port"
    ),
    pytest.param(
        parts("'2001:db8::1' if n == 'host' and '[' in url else v"),
        "components", "warning", "'2001:db8::1', and by RFC 3986, section 3.2.2,", id="no-brackets"
    ),
    pytest.param(
        parts("urllib.parse.unquote(v) if v else v"),
        "components", "warning", "path '/a/b' where '/a%2Fb' was sent", id="decoded"
    ),
    pytest.param("def components(url): return {}", "components", "warning", "can be judged", id="none"),
    pytest.param(
        "def hello(): time.sleep(1.2); write(HELLO)",
        "hello", "warning", "slow: hello after 1.", id="slow-to-start"
    ),
    pytest.param(
        "HELLO['ops'] = ['parse']\nold = answer\ndef answer(q): time.sleep(0.7); return old(q)",
        "operations", "warning", "slow: an answer after 0.", id="slow-to-answer"
    ),
    pytest.param("time.sleep(60)", "hello", "broken", "it has not read what was written", id="never-reads"),
    pytest.param(texts("replace('\\0', '')"), "NUL", "warning", "without its NUL", id="nul-dropped"),
    pytest.param(
        "old = resolved\ndef resolved(base, reference): return old(base, reference.split('\\0')[0])",
        "NUL", "warning", "resolve has a text cut at NUL", id="nul-of-a-reference"
    ),
    pytest.param(texts("strip()"), "case and space", "warning", "U+2003 at the end", id="stripped"),
    pytest.param(texts("strip(' ')"), "case and space", "warning", "a space at the end", id="trimmed"),
    pytest.param(
        texts("replace('AbC', 'ABC')"), "case and space", "warning", "AbC of http://h/AbC", id="upper"
    ),
    pytest.param(
        "HELLO['ops'] = ['recompose']\n"
        "def answer(q): return {'status': 'ok', 'url': q.get('components', {'path': ''})['path'].lower()}",
        "case and space", "warning", "comes back from recompose", id="recomposed-lower"
    ),
    pytest.param(
        _ENDS.replace("WHEN", "q['op'] not in HELLO['ops']"),
        "unknown operation", "broken", "and the next question is not", id="answers-and-ends"
    ),
    pytest.param(
        _ENDS.replace("WHEN", "'such' in q.get('rule', '')"),
        "unknown rule", "broken", "and the next question is not", id="answers-a-rule-and-ends"
    ),
    pytest.param("HELLO['specs'] = ['RFC 3986']", "hello", "broken", "; is it 'rfc3986'?", id="RFC-3986"),
    pytest.param(
        "HELLO['specs'] = ['RFC 3986', 'rfc3986']", "hello", "warning", "; is it 'rfc3986'?", id="one-of-two"
    ),
    pytest.param("HELLO['ops'] = []", "hello", "broken", "so nothing is asked", id="no-operation"),
    pytest.param("HELLO['ops'] = ['valid']", "hello", "broken", "so nothing is asked", id="none-that-is"),
    pytest.param("HELLO['ops'] += ['valid']", "hello", "warning", "; is it 'validate'?", id="valid"),
    pytest.param(
        "def answer(q): return {'status': 'reject'}",
        "operations", "broken", "ferret, and says no more", id="without-a-message"
    ),
]  # fmt: skip

USUAL = Patience(start=30, answer=30, measuring=0.2, slow=0)
SHORT = {
    "slow-to-start": Patience(1, 30),
    "slow-to-answer": Patience(30, 0.5),
    "never-reads": Patience(0.3, 5),
}


@pytest.mark.parametrize(("special", "name", "state", "words"), MUTANTS)
def test_a_mutant(good_adapter, request, special, name, state, words):
    """It is found by its check, with a line that bash takes."""
    patience = SHORT.get(request.node.callspec.id, USUAL)
    report = examine(good_adapter(special), patience, only=[name])
    finding = {found.name: found for found in report.checks}[name]
    assert (finding.state, words in finding.message) == (state, True), finding.message
    assert report.healthy == (state != "broken")
    parsed = subprocess.run(["bash", "-n", "-c", finding.reproduce], capture_output=True, check=False)
    assert (parsed.returncode, parsed.stderr) == (0, b""), finding.reproduce


#: A fault that shows under load, and what the protocol says of it.
QUOTED = [
    pytest.param(stray("write({'id': 0, **guarded(q)})"), "a reply has the id of its question", id="unasked"),
    pytest.param(stray("out(b'5\\n')"), "a reply that is no JSON", id="stray"),
    pytest.param(
        "n = []\ndef accepts(q): n.append(q); return {'status': 'ok' if len(n) % 4 else 'reject'}\n"
        "HELLO['ops'] = ['validate']",
        "answers depend on nothing but the question", id="changed"
    ),
    pytest.param(
        "old = answer\ndef answer(q): time.sleep(0.1); return old(q)",
        "`--jobs N` divides the cases", id="slow"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("special", "words"), QUOTED)
def test_the_rule_is_that_of_the_fault(good_adapter, special, words):
    report = examine(good_adapter(special), USUAL._replace(slow=20), only=["speed"])
    assert words in report.checks[-1].protocol


def test_a_check_that_fails_loses_nothing(good_adapter, monkeypatch):
    """It is a finding of its own, and the others are told."""
    checks = (framing.HANDSHAKE, Check("first", "x", lambda _: 1 / 0), Check("second", "x", lambda _: ok()))
    monkeypatch.setattr(examination, "CHECKS", checks)
    report = examine(good_adapter(), USUAL)
    assert [(found.name, found.state) for found in report.checks] == [
        ("hello", "ok"), ("first", "broken"), ("second", "ok")
    ]  # fmt: skip
    assert "ZeroDivisionError: division by zero" in report.checks[1].message


@pytest.fixture
def hanging(good_adapter, environment, tmp_path):
    """Starts the doctor on an adapter that does not answer what is odd."""
    adapter = good_adapter(
        "def answer(q):\n"
        "    time.sleep(60 if q['op'] not in HELLO['ops'] else 0)\n    return {'status': 'unsupported'}\n"
        "def guarded(q): open('seen', 'a').write(q['op'] + '\\n'); return answer(q)"
    )

    def start(*options: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "urlharness.cli", "adapters", "doctor", adapter.name, *options],
            cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    return start


def test_who_interrupts_has_what_was_found(hanging):
    """Each finding is printed as soon as it is known, into a pipe as well; the code is 130."""
    doctor = hanging("--timeout", "60")
    while not doctor.stdout.readline().startswith("unknown rule"):
        assert doctor.poll() is None
    doctor.send_signal(signal.SIGINT)
    out, err = doctor.communicate(timeout=30)
    assert (doctor.returncode, err.strip()) == (130, "urlconform: interrupted")
    assert out.splitlines()[-1] == "interrupted: the other checks were not done"


def test_who_interrupts_has_json(hanging, tmp_path):
    doctor = hanging("--timeout", "60", "--json")
    seen = tmp_path / "seen"
    while not (seen.exists() and "no-such-op" in seen.read_text("utf-8")):
        assert doctor.poll() is None
    doctor.send_signal(signal.SIGTERM)
    out, _ = doctor.communicate(timeout=30)
    report = json.loads(out)
    assert (doctor.returncode, report["healthy"], report["checks"][0]["name"]) == (130, False, "hello")
    assert report["checks"][-1]["name"] == "unknown rule"


@pytest.mark.parametrize(
    "words",
    [
        ("adapters", "doctor", "urllib", "--timeout"),
        ("adapters", "doctor", "urllib", "--start-timeout"),
        ("run", "urllib", "--timeout"),
        ("run", "urllib", "--total-timeout"),
        ("repro", "x", "-a", "urllib", "--timeout"),
    ],
    ids=" ".join,
)
def test_nan_is_no_time(urlconform, words):
    done = urlconform(*words, "nan")
    assert (done.returncode, "'nan' is not a number of seconds" in done.stderr) == (2, True)
