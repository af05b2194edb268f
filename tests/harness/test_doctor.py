"""The doctor: each planted fault is found by the check that is for it, and a good adapter has none."""

from __future__ import annotations

import subprocess

import msgspec
import pytest

from urlharness.doctor.examination import CHECKS, examine
from urlharness.doctor.subjects import Patience

pytestmark = pytest.mark.once

USUAL = Patience(start=30, answer=30, measuring=0.02)


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
