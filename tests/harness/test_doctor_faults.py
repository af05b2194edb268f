"""Planted faults: each is found by the check of the doctor that is for it."""

from __future__ import annotations

import subprocess

import pytest

from urlharness.adapters.registry import find
from urlharness.doctor.client import Patience
from urlharness.doctor.examination import CHECKS, examine

pytestmark = pytest.mark.once

_CHUNKS = """
def lines():
    while chunk := os.read(0, 1 << 16):
        if chunk.strip():
            yield chunk.FIRST
"""

#: What is planted, the check that finds it, the state, and words of what it says.
FAULTS = [
    pytest.param("def hello(): time.sleep(60)", "hello", "broken", "no hello within 2.7 s", id="never-hello"),
    pytest.param("print('Welcome!', flush=True)", "hello", "broken", "is it a banner?", id="banner"),
    pytest.param(r"out(b'\xef\xbb\xbf')", "hello", "broken", "byte order mark", id="bom"),
    pytest.param("HELLO['protocol'] = 99", "hello", "broken", "it speaks protocol 99", id="protocol-99"),
    pytest.param("del HELLO['specs']", "hello", "broken", "it has no specs: ", id="no-specs"),
    pytest.param("sys.exit('no licence')", "hello", "broken", "it wrote: no licence", id="exits"),
    pytest.param("def hello(): os.kill(os.getpid(), 11)", "hello", "broken", "by SIGSEGV", id="signal"),
    pytest.param("nosuchprogram", "hello", "broken", "nosuchprogram: No such file", id="no-program"),
    pytest.param("HELLO['ops'] += ['guess']", "hello", "warning", "named 'guess'", id="promises"),
    pytest.param(
        "def write(m): print(json.dumps(m), flush=m is HELLO)",
        "operations", "broken", "not flushed", id="buffered"
    ),
    pytest.param(
        "def reply(q): write({**guarded(q), 'id': q['id'] + 1})",
        "operations", "broken", "is not asked", id="wrong-id"
    ),
    pytest.param(
        "def answer(q): print('debug', q, flush=True)", "operations", "broken", "not a reply", id="debug",
    ),
    pytest.param(
        "def answer(q): return {'status': 'reject'}", "operations", "broken", "rejects http", id="reject-all",
    ),
    pytest.param(
        "def answer(q): return {'status': 'ok'}", "operations", "broken", "ok without", id="bare-ok",
    ),
    pytest.param(
        "def answer(q): return 1 / 0", "operations", "broken", "ZeroDivisionError", id="error-always",
    ),
    pytest.param(
        "HELLO['ops'] += ['normalize']", "operations", "warning", "it offers normalize", id="over-claims",
    ),
    pytest.param(
        "old = components\ndef components(url): return {**old(url), 'port': 8042}",
        "operations", "broken", "components.port is 8042, a", id="port-is-a-number",
    ),
    pytest.param(
        "once = reply\ndef reply(q): once(q); once(q)",
        "operations", "broken", "which is not asked", id="twice"
    ),
    pytest.param(
        "old = components\ndef components(url): return {**old(url), 'scheme': f\"{old(url)['scheme']}:\"}",
        "components", "broken", "its delimiter is not part of it", id="delimiter",
    ),
    pytest.param(
        "old = components\ndef components(url):\n    found = old(url)\n"
        "    found['hostname'] = found.pop('host')\n    return found",
        "components", "broken", "the RFC's name is host", id="other-names",
    ),
    pytest.param(
        "old = components\ndef components(url): return {n: v or '' for n, v in old(url).items()}",
        "absent or empty", "broken", "query of http://h/p is ''", id="absent-is-empty",
    ),
    pytest.param(
        "old = components\ndef components(url): return {n: v or None for n, v in old(url).items()}",
        "absent or empty", "warning", "is null, not empty", id="empty-is-absent",
    ),
    pytest.param("HELLO['features'] = []", "absent or empty", "warning", "say so", id="under-claims"),
    pytest.param(
        "def accepts(q): return {'status': 'ok'}", "refusals", "warning", "refuses nothing", id="accept-all",
    ),
    pytest.param(
        "def accepts(q): return {'status': 'unsupported'}",
        "refusals", "warning", "none of 4 invalid texts: 4 unsupported", id="unsupported-always",
    ),
    pytest.param(
        "def accepts(q): return {'status': 'error' if q['url'] != PLAIN else 'ok'}",
        "refusals", "warning", "none of 4 invalid texts: 4 error", id="errors-for-refusals",
    ),
    pytest.param(
        "old = resolved\ndef resolved(base, reference): return old(reference, base)",
        "both inputs", "warning", "may mix up base and reference", id="base-and-reference-swapped",
    ),
    pytest.param(
        "old = resolved\ndef resolved(base, reference):\n"
        "    assert SPLIT.match(reference)[1], 'a base is absolute'\n    return old(reference, base)",
        "both inputs", "warning", "may mix up base and reference", id="swapped-and-refused",
    ),
    pytest.param(
        "def resolved(base, reference): return reference",
        "both inputs", "warning", "may leave out the base", id="base-ignored",
    ),
    pytest.param(
        "old = resolved\ndef resolved(base, reference): return old(PLAIN, reference)",
        "both inputs", "warning", "may leave out the base", id="base-of-its-own",
    ),
    pytest.param(
        "def resolved(base, reference): return base",
        "both inputs", "warning", "or leave out the reference", id="reference-ignored",
    ),
    pytest.param(
        "def resolved(base, reference): return base + reference",
        "both inputs", "warning", "is it the library", id="appended",
    ),
    pytest.param(
        "HELLO['ops'] += ['equivalent']\nold = answer\n"
        "def answer(q): return {'status': 'ok', 'equal': True} if q['op'] == 'equivalent' else old(q)",
        "both inputs", "warning", "may leave out one", id="other-ignored",
    ),
    pytest.param(
        "def accepts(q): return {'status': 'ok'}", "unknown rule", "warning", "read `rule`?", id="any-rule",
    ),
    pytest.param(
        "def answer(q): return {'status': 'ok', 'components': {}}",
        "unknown operation", "broken", "does not read `op`", id="any-operation",
    ),
    pytest.param(
        "def reply(q): write(typed(**q))\ndef typed(type, id, op, spec, url=None, **rule):\n"
        "    assert set(rule) <= {'rule'}\n    return {'id': id, 'status': 'unsupported'}",
        "unknown fields", "broken", "it ended with exit code 1", id="unknown-fields",
    ),
    pytest.param(
        _CHUNKS.replace("FIRST", "strip()"), "split lines", "broken", "it ended with exit code 1", id="chunks"
    ),
    pytest.param(
        _CHUNKS.replace("FIRST", "splitlines()[0]"),
        "several at once", "broken", "1 of 16", id="first-of-chunk"
    ),
    pytest.param(
        "def reply(q): write({**guarded(q), 'id': q['id'] & 0xffffffff})",
        "ids", "broken", "not asked", id="short-ids"
    ),
    pytest.param(
        "def encode(m): return json.dumps(m, ensure_ascii=False).encode().decode('latin-1').encode()",
        "non-ASCII", "broken", "garbled", id="mojibake",
    ),
    pytest.param(
        "def encode(m): return json.dumps(m, ensure_ascii=False).encode('latin-1', 'replace')",
        "non-ASCII", "broken", "not a reply", id="latin-1",
    ),
    pytest.param(
        "old = answer\ndef answer(q): return old({n: asked(v) for n, v in q.items()})\n"
        "def asked(v): return v.encode('ascii', 'replace').decode() if isinstance(v, str) else v",
        "non-ASCII", "broken", "came to parse as `?`", id="question-marks",
    ),
    pytest.param(
        "old = components\ndef components(url): return old(url.replace('\\u00e9', '?'))",
        "non-ASCII", "broken", "came to parse as `?`", id="question-mark-of-a-letter",
    ),
    pytest.param(
        "old = components\ndef components(url): return old(url.encode('ascii', 'ignore').decode())",
        "non-ASCII", "warning", "has lost \u00e9 and U+1F600", id="letters-lost",
    ),
    pytest.param(
        "old = components\ndef components(url): return old(re.sub('[\\U00010000-\\U0010ffff]', '', url))",
        "non-ASCII", "warning", "has lost U+1F600", id="astral-lost",
    ),
    pytest.param(
        "HELLO['ops'] = ['validate']\nold = accepts\n"
        "def accepts(q): return old({**q, 'url': q['url'].encode('ascii', 'replace').decode()})",
        "non-ASCII", "warning", "may arrive as", id="validated-with-question-marks",
    ),
    pytest.param(
        "old = resolved\n"
        "def resolved(base, reference): return old(base, reference.encode('ascii', 'replace').decode())",
        "non-ASCII", "broken", "came to resolve as", id="resolved-with-question-marks",
    ),
    pytest.param(
        "old = components\ndef components(url): return old(url.lower())",
        "case and space", "warning", "in another case", id="lower-case",
    ),
    pytest.param(
        "def lines(): return (x.decode('latin-1') for x in sys.stdin.buffer if x.strip())",
        "raw UTF-8", "warning", "read its input as UTF-8?", id="latin-1-in",
    ),
    pytest.param(
        "old = components\ndef components(url): return old(url.split('\\0')[0])",
        "NUL", "warning", "cut", id="nul"
    ),
    pytest.param(
        "def guarded(q):\n    assert not isinstance(q['url'], dict)\n    return answer(q)",
        "octets", "broken", "it ended with exit code 1", id="octets",
    ),
    pytest.param(
        "def lines(): return iter(lambda: sys.stdin.buffer.readline(65536), b'')",
        "long line", "broken", "it ended with exit code 1", id="short-lines",
    ),
    pytest.param(
        "old = components\ndef components(url): return old(url[:1000])",
        "long line", "broken", "991 come back", id="cut",
    ),
    pytest.param(
        "old = resolved\ndef resolved(base, reference): return old(base, reference[:65535])",
        "long line", "broken", "come back from resolve", id="resolved-cut",
    ),
    pytest.param(
        "HELLO['ops'] = ['validate']\nold = accepts\n"
        "def accepts(q): return old({**q, 'url': q['url'][:1000]})",
        "long line", "broken", "is accepted", id="validated-cut",
    ),
    pytest.param(
        "def guarded(q):\n    assert q['url'] != '//'\n    return answer(q)",
        "odd texts", "broken", "it ended with exit code 1", id="uncaught",
    ),
    pytest.param(
        "def guarded(q):\n    q['url']\n    return answer(q)",
        "missing input", "warning", "not survived", id="no-input"
    ),
    pytest.param(
        "n = []\ndef accepts(q): n.append(q); return {'status': 'ok' if len(n) % 2 else 'reject'}",
        "same twice", "broken", "asked again is", id="flaky",
    ),
    pytest.param(
        "def accepts(q): return {'status': 'ok', 'at': os.getpid()}",
        "same twice", "broken", "by a fresh process", id="by-process",
    ),
    pytest.param(
        "kept = {}\nold = answer\n"
        "def answer(q): return kept.setdefault((q['op'], q.get('url')), old(q))",
        "any order", "broken", "`rule`", id="kept-by-op-and-url",
    ),
    pytest.param(
        "kept = {}\nold = answer\n"
        "def answer(q): return kept.setdefault((q['op'], q.get('url'), q.get('rule')), old(q))",
        "any order", "broken", "`reference`", id="kept-without-reference",
    ),
    pytest.param(
        "kept = {}\nold = resolved\n"
        "def resolved(base, reference): return kept.setdefault(reference, old(base, reference))",
        "any order", "broken", "`base`", id="kept-without-base",
    ),
    pytest.param(
        "kept = {}\nold = answer\ndef answer(q):\n"
        "    found = old(q) if q['spec'] != 'rfc1738' else {'status': 'unsupported'}\n"
        "    return kept.setdefault(tuple((n, v) for n, v in q.items() if n not in ('id', 'spec')), found)",
        "any order", "broken", "`spec`", id="kept-without-spec",
    ),
    pytest.param(
        "kept = {}\nold = answer\n"
        "def answer(q): return kept.setdefault((known(**q), q.get('rule') == 'URI'), old(q))\n"
        "def known(spec, url=None, reference=None, base=None, **rest): return spec, url, reference, base",
        "any order", "broken", "`op`", id="kept-without-op",
    ),
    pytest.param(
        "old = answer\ndef answer(q): time.sleep(0.1); return old(q)",
        "speed", "warning", "a run of the core", id="slow",
    ),
    pytest.param(
        "def bye(): time.sleep(60)", "bye", "broken", "every run has to kill it", id="deaf"
    ),
    pytest.param("def bye(): pass", "bye", "warning", "bye does not end it", id="no-bye"),
    pytest.param("def bye(): sys.exit(7)", "bye", "warning", "exit code 7", id="bye-status"),
    pytest.param("def end(): time.sleep(60)", "end of input", "warning", "leave it behind", id="no-end"),
    pytest.param("sys.stderr.write('x' * 100000 + chr(27))", "stderr", "warning", "100,", id="noise"),
    pytest.param(
        "def lines(): return (line for line in sys.stdin.buffer if json.loads(line))",
        "empty lines", "warning", "after an empty line", id="empty-lines",
    ),
    pytest.param(
        "def lines(): return (line for line in sys.stdin.buffer if line[-2:] != b'\\r\\n')",
        "CRLF", "warning", "whoever types by hand", id="crlf",
    ),
]  # fmt: skip

USUAL = Patience(start=30, answer=30, measuring=0.02, slow=0)
#: Of faults that are silence, how long it lasts.
SHORT = {"never-hello": Patience(0.3, 5), "buffered": Patience(30, 1), "first-of-chunk": Patience(30, 1),
         "deaf": Patience(30, 0.3), "no-bye": Patience(30, 0.5), "no-end": Patience(30, 0.3),
         "crlf": Patience(30, 0.5), "slow": Patience(30, 30, 0.02, slow=20)}  # fmt: skip


@pytest.mark.parametrize(("special", "name", "state", "words"), FAULTS)
def test_a_planted_fault(good_adapter, request, special, name, state, words):
    """It is found by its check, which cites the protocol and gives a line to paste."""
    patience = SHORT.get(request.node.callspec.id, USUAL)
    adapter = find("jsonl:nosuchprogram") if special == "nosuchprogram" else good_adapter(special)
    report = examine(adapter, patience, only=[name])
    finding = {found.name: found for found in report.checks}[name]
    assert (finding.state, words in finding.message) == (state, True), finding.message
    assert report.healthy == (state != "broken")
    assert finding.protocol.startswith("docs/protocol.md, “")
    parsed = subprocess.run(["bash", "-n", "-c", finding.reproduce], capture_output=True, check=False)
    assert (parsed.returncode, parsed.stderr) == (0, b""), finding.reproduce


def test_every_check_finds_a_fault():
    found = {case.values[1] for case in FAULTS}
    assert {check.name for check in CHECKS} == found
