"""Each fault in the hello, the lines, the ids or the end of an adapter is found by its check."""

from __future__ import annotations

import pytest

from urlharness.adapters.registry import find
from urlharness.doctor.examination import examine

_CHUNKS = """
def lines():
    while chunk := os.read(0, 1 << 16):
        if chunk.strip():
            yield chunk.FIRST
"""
#: Questions that come in one write are answered under other ids, made of theirs by ORDER.
_MIXED = """
def lines():
    while chunk := os.read(0, 1 << 20):
        messages = [json.loads(line) for line in chunk.splitlines()]
        ids = [message.get("id") for message in messages]
        for message, number in zip(messages, ORDER):
            yield json.dumps({**message, "id": number})
"""
#: Something is written after the third answer.
_STRAY = """
n = []
def reply(q):
    write({"id": q["id"], **guarded(q)})
    n.append(q)
    if len(n) == 3: EXTRA
"""


def stray(extra: str) -> str:
    """Write something more after the third answer."""
    return _STRAY.replace("EXTRA", extra)


#: What is planted, the check that finds it, its state, and words of its message.
FAULTS = [
    # hello
    pytest.param("def hello(): hang()", "hello", "broken", "no hello within 3000 s", id="never-hello"),
    pytest.param("hang()", "hello", "broken", "no hello within 3000 s", id="never-reads"),
    pytest.param("os.write(1, b'{\"type\":'); hang()", "hello", "broken",
                 "only the beginning of a line", id="half-a-hello"),
    pytest.param("print('Welcome!', flush=True)", "hello", "broken", "'Welcome!'", id="banner"),
    pytest.param(r"out(b'\xef\xbb\xbf')", "hello", "broken", "byte order mark", id="bom"),
    pytest.param("HELLO['protocol'] = 99", "hello", "broken", "99", id="protocol-99"),
    pytest.param("del HELLO['specs']", "hello", "broken", "specs is missing", id="no-specs"),
    pytest.param("sys.exit('no licence')", "hello", "broken", "stderr: no licence", id="exits"),
    pytest.param("def hello(): os.kill(os.getpid(), 11)", "hello", "broken", "SIGSEGV", id="signal"),
    pytest.param("HELLO['ops'] += ['guess']", "hello", "warning",
                 "unknown operation 'guess'; expected one of validate,", id="unknown-operation"),
    pytest.param("HELLO['specs'] = ['RFC 3986']", "hello", "broken", "'RFC 3986'; expected one of rfc1738,",
                 id="no-spec"),
    pytest.param("HELLO['specs'] += ['RFC 3986']", "hello", "warning", "'RFC 3986'; expected one of rfc1738,",
                 id="unknown-spec"),
    pytest.param("HELLO['ops'] = []", "hello", "broken", "so no question is asked", id="no-operation"),
    pytest.param("HELLO['ops'] = ['valid']", "hello", "broken", "so no question is asked",
                 id="only-unknown-operations"),
    pytest.param("HELLO['modes'] = ['sintax', 'syntax']", "hello", "warning",
                 "unknown mode 'sintax'; expected one of syntax, scheme", id="unknown-mode"),
    pytest.param("HELLO['modes'] = []; HELLO['ops'] += ['normalize']", "hello", "warning",
                 "it offers normalize, but in no known mode, so it is never asked", id="no-mode"),
    pytest.param("HELLO['modes'] = []; HELLO['ops'] = ['normalize']", "hello", "broken",
                 "so no question is asked", id="only-without-mode"),
    # lines
    pytest.param(_CHUNKS.replace("FIRST", "strip()"), "split lines", "broken", "exit code 1; stderr: ",
                 id="chunks"),
    pytest.param("def lines(): return (line for line in sys.stdin.buffer if json.loads(line))",
                 "empty lines", "warning", "the harness never writes this", id="empty-lines"),
    pytest.param("def lines():\n    for line in sys.stdin.buffer:\n"
                 "        if line[-2:] == b'\\r\\n': time_passes()\n"
                 "        else: yield line",
                 "CRLF", "warning", "the harness never writes this", id="crlf"),
    pytest.param("def lines(): return (x.decode('latin-1') for x in sys.stdin.buffer if x.strip())",
                 "raw UTF-8", "warning", "the usual form with", id="latin-1-in"),
    pytest.param("def reply(q): write({**guarded(q), 'id': q['id'] & 0xffffffff})", "ids", "broken",
                 "a reply to 4294967295, which is not in flight", id="short-ids"),
    # several at once
    pytest.param(_CHUNKS.replace("FIRST", "splitlines()[0]")
                 + "            if len(chunk.splitlines()) > 1: time_passes()\n",
                 "several at once", "broken", "1 of 16", id="first-of-chunk"),
    pytest.param(_MIXED.replace("ORDER", "ids[::-1]"), "several at once", "broken",
                 "of 16 questions at once, id 1", id="answers-change-places"),
    pytest.param(_MIXED.replace("ORDER", "ids[1:] + ids[:1]"), "several at once", "broken",
                 "of 16 questions at once", id="answers-move-on"),
    pytest.param("HELLO['window'] = 64\n" + _MIXED.replace("ORDER", "ids[::-1] if len(ids) > 16 else ids"),
                 "several at once", "broken", "of 64 questions at once", id="many-change-places"),
    pytest.param(_MIXED.replace("ORDER", "ids").replace("yield", "message['many'] = len(ids); yield")
                 + "old = answer\ndef answer(q): return old(q) if q['many'] == 1 else {'status': 'reject'}",
                 "several at once", "broken", "but alone with", id="busy"),
    pytest.param(_MIXED.replace("ORDER", "ids")
                 + "old = answer\ndef answer(q):\n"
                 "    if q['id'] != 3 or q.get('url') != 'http://h2/': return old(q)\n"
                 "    return {'status': 'error', 'message': str(os.getpid()), 'at': os.getpid()}",
                 "several at once", "broken", "id 3", id="unstable"),
    # the end
    pytest.param("def bye(): hang()", "bye", "broken", "every run has to kill it", id="deaf"),
    pytest.param("def bye(): pass", "bye", "warning", "bye does not end it", id="no-bye"),
    pytest.param("def bye(): sys.exit(7)", "bye", "warning", "exit code 7", id="bye-status"),
    pytest.param("def bye(): out(b'bye\\n'); sys.exit()", "bye", "warning", "it writes after bye: 'bye'",
                 id="says-bye"),
    pytest.param("def end(): hang()", "end of input", "warning", "it keeps running", id="no-end"),
    # speed
    pytest.param("old = answer\ndef answer(q): time.sleep(0.02); return old(q)", "speed", "warning",
                 "1,000 cases take about", id="slow"),
    *(pytest.param(stray(f"out({line!r})"), "speed", "broken", "not a reply", id=f"stray-{name}")
      for name, line in (("text", b"note\n"), ("number", b"5\n"), ("null", b"null\n"), ("list", b"[1]\n"),
                         ("bytes", b"\xff\xfe\n"))),
    pytest.param(stray("write({'id': 3, **guarded(q)})"), "speed", "broken", "a reply to 3", id="double"),
    pytest.param(stray("write({'id': 0, **guarded(q)})"), "speed", "broken", "a reply to 0", id="unasked"),
    pytest.param("old = answer\nn = []\n"
                 "def answer(q): n.append(q); return old(q) if len(n) % 4 else {'status': 'reject'}",
                 "speed", "broken", 'answer 4 to the same question is {"status":"reject"}',
                 id="every-fourth"),
]  # fmt: skip

#: To measure the speed takes long enough to see every fault, and ends with the first.
LASTING = {"measuring": 600}
#: The patience with an adapter that ends late, three times as long as this, and with a slow one.
IMPATIENT = {
    "no-bye": {"ending": 2},
    "slow": {"slow": 100},
}


@pytest.mark.parametrize(("special", "name", "state", "words"), FAULTS)
@pytest.mark.sampled(2)
def test_a_planted_fault_is_found_by_its_check(check, request, special, name, state, words):
    check_result = check(special, name, **IMPATIENT.get(request.node.callspec.id, LASTING))
    assert check_result.state == state, check_result.message
    assert words in check_result.message, check_result.message
    assert check_result.protocol.startswith("docs/protocol.md, “")
    assert check_result.exchange


def test_every_check_of_framing_finds_a_fault():
    names = set()
    for fault in FAULTS:
        _special, name, _state, _words = fault.values
        names.add(name)
    assert names == {
        "hello",
        "split lines",
        "several at once",
        "CRLF",
        "empty lines",
        "raw UTF-8",
        "ids",
        "bye",
        "end of input",
        "speed",
    }


#: A fault that shows under load, and what the protocol says of it.
RULES = [
    pytest.param(
        stray("write({'id': 0, **guarded(q)})"), "A reply needs the `id` of its question", id="unasked"
    ),
    pytest.param(stray("out(b'note\\n')"), "One JSON object per line", id="no-json"),
    pytest.param(
        "n = []\ndef accepts(q): n.append(q); return {'status': 'ok' if len(n) % 4 else 'reject'}\n"
        "HELLO['ops'] = ['validate']",
        "each answer depends only on its question",
        id="changed",
    ),
    pytest.param("old = answer\ndef answer(q): time.sleep(0.02); return old(q)", "`--jobs N`", id="slow"),
]


@pytest.mark.parametrize(("special", "words"), RULES)
def test_the_rule_is_the_one_that_the_fault_breaks(check, request, special, words):
    patience = IMPATIENT.get(request.node.callspec.id, LASTING)
    assert words in check(special, "speed", **patience).protocol


def test_answers_in_another_order_are_no_fault(check):
    reverse = _MIXED.replace("zip(messages, ORDER)", "zip(messages[::-1], ids[::-1])")
    check_result = check(reverse, "several at once")
    assert check_result.state == "ok"
    assert check_result.message == "16 questions at once are answered, out of order"


@pytest.fixture
def checks_of_missing_program(patient):
    """The results of the checks of a program that does not exist."""
    return examine(find("jsonl:nosuchprogram x"), patient).checks


def test_a_missing_program_is_named(checks_of_missing_program):
    hello, _ = checks_of_missing_program
    assert hello.state == "broken"
    assert "nosuchprogram: no such file" in hello.message


def test_a_missing_program_breaks_the_rule_of_commands(checks_of_missing_program):
    hello, _ = checks_of_missing_program
    assert "splits a command like a shell" in hello.protocol


def test_the_line_to_paste_runs_a_missing_program(checks_of_missing_program):
    hello, _ = checks_of_missing_program
    assert hello.reproduce == "nosuchprogram x </dev/null"


def test_nothing_else_is_checked_of_a_missing_program(checks_of_missing_program):
    assert [check_result.name for check_result in checks_of_missing_program] == ["hello", "all others"]
