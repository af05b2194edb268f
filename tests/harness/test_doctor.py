"""The doctor: each planted fault is found by the check that is for it, and a good adapter has none."""

from __future__ import annotations

import json
import subprocess

import msgspec
import pytest

from urlharness.doctor.client import Patience
from urlharness.doctor.examination import CHECKS, examine

pytestmark = pytest.mark.once

USUAL = Patience(start=30, answer=30, measuring=0.02, slow=0)


def test_nothing_is_wrong_with_a_good_adapter(good_adapter):
    report = examine(good_adapter(), USUAL)
    assert report.healthy
    assert report.hello is not None
    assert [(found.name, found.state, found.message) for found in report.checks if found.state != "ok"] == []
    assert [found.name for found in report.checks] == [check.name for check in CHECKS]


_CHUNKS = """
def lines():
    while chunk := os.read(0, 1 << 16):
        if chunk.strip():
            yield chunk.FIRST
"""

#: A planted fault, its check, and what the pasted line shows of it.
SHOWN = [
    pytest.param("def encode(m): return json.dumps(m).encode() + b'x'", "hello", '"window": 16', id="hello"),
    pytest.param("def reply(q): write({'id': q['id'] & 0xff, **guarded(q)})", "ids", '"id": 255,', id="ids"),
    pytest.param(
        "def lines(): return iter(lambda: sys.stdin.buffer.readline(65536), b'')",
        "long line", '"hello"', id="long",
    ),
    pytest.param(_CHUNKS.replace("FIRST", "strip()"), "split lines", '"hello"', id="pieces"),
]  # fmt: skip


@pytest.mark.parametrize(("special", "name", "shown"), SHOWN)
def test_the_line_to_paste_shows_the_fault(good_adapter, special, name, shown):
    """Pasted into bash it does to the adapter what the check did."""
    report = examine(good_adapter(special), USUAL, only=[name])
    finding = {found.name: found for found in report.checks}[name]
    assert finding.state == "broken"
    done = subprocess.run(
        ["bash", "-c", finding.reproduce], capture_output=True, text=True, timeout=60, check=False
    )
    assert shown in done.stdout
    if name in ("long line", "split lines"):
        assert "JSONDecodeError" in done.stderr


#: What libraries do to texts, and the doctor says nothing of.
UNACCUSED = [
    pytest.param("def components(url): return {'scheme': 'http', 'query': None}", id="few-components"),
    pytest.param(
        "old = components\ndef components(url):\n    from urllib.parse import quote\n"
        "    return {**old(url), 'path': quote(old(url)['path'])}",
        id="percent-encoded",
    ),
    pytest.param(
        "old = components\ndef components(url):\n    from unicodedata import normalize\n"
        "    return {**old(url), 'path': normalize('NFD', old(url)['path'])}",
        id="decomposed",
    ),
    pytest.param(
        "old = components\ndef components(url):\n    found = old(url)\n"
        "    if not url.isascii(): found['path'] = {'hex': found['path'].encode().hex()}\n"
        "    return found",
        id="octets",
    ),
    pytest.param(
        "old = answer\ndef answer(q):\n"
        "    text = str(q.get('url', q.get('reference')))\n"
        "    return old(q) if text.isascii() and len(text) < 500 else {'status': 'reject'}",
        id="refused",
    ),
    pytest.param("def accepts(q): return {'status': 'ok'}", id="lenient"),
    pytest.param(
        "old = components\n"
        "def components(url): return old(url.replace('\\t', '').strip(' ').replace('\\u2003', '%E2%80%83'))",
        id="cleaned-as-by-whatwg",
    ),
    pytest.param(
        "old = components\ndef components(url): return old(url.strip('<> \\u2003'))", id="found-in-a-text"
    ),
    pytest.param(
        "old = components\ndef components(url): return {**old(url), 'path': old(url)['path'] or '/'}",
        id="path-of-nothing",
    ),
]


@pytest.mark.parametrize("special", UNACCUSED)
def test_what_a_library_may_do_is_no_fault(good_adapter, special):
    names = ("non-ASCII", "long line", "both inputs", "any order", "case and space")
    report = examine(good_adapter(special), USUAL, only=names)
    assert [(found.state, found.message) for found in report.checks if found.state != "ok"] == []


def test_one_fault_is_told_once(good_adapter):
    """The base in place of a long reference is not a text that was cut, nor one that lost its letters."""
    swapped = good_adapter("old = resolved\ndef resolved(base, reference): return old(reference, base)")
    report = examine(swapped, USUAL, only=("non-ASCII", "long line", "both inputs"))
    assert [found.name for found in report.checks if found.state != "ok"] == ["both inputs"]


def test_a_program_that_is_not_there(urlconform):
    """The line to paste runs it, and the rule that is cited is that of commands."""
    done = urlconform("adapters", "doctor", "jsonl:nosuchprogram", "--json")
    (found, _) = json.loads(done.stdout)["checks"]
    assert (done.returncode, found["reproduce"]) == (3, "env nosuchprogram </dev/null")
    assert "a command is split as a shell would" in found["protocol"]


def test_warnings_are_no_clean_bill(good_adapter, urlconform):
    """Where there is a warning, what fails is not simply said of the library."""
    done = urlconform(
        "adapters", "doctor", good_adapter("HELLO['ops'] += ['guess']").name, "--check", "hello"
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].endswith(
        "1 warning: what fails in a run is said of the library, unless a warning explains it"
    )


def test_hostile_words_are_not_obeyed(good_adapter, urlconform):
    """Neither escapes nor commands to a build server come through, and JSON stays JSON."""
    nasty = r"HELLO['implementation']['version'] = '\x1b]0;x\x07\n::error::y'; sys.stderr.write('\x1b[2J')"
    adapter = good_adapter(nasty)
    name = adapter.name
    done = urlconform("adapters", "doctor", name, "--check", "stderr")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "\n::error" not in done.stdout
    report = msgspec.json.decode(urlconform("adapters", "doctor", name, "--json", "--check", "stderr").stdout)
    assert report["hello"]["implementation"]["version"] == "\x1b]0;x\x07\n::error::y"
    assert report["healthy"] is True
