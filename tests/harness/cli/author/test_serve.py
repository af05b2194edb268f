"""`urlconform serve`: the adapters that it serves, and what it loads."""

from __future__ import annotations

import subprocess
import sys

from urlharness.exitcodes import Exit


def test_serve_loads_no_report_and_no_doctor():
    """`serve` must start quickly, because it runs each adapter that is a Python function."""
    code = "import sys, urlharness.cli.author.serve; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()).isdisjoint(("rich", "urlharness.doctor", "urlharness.report"))


def test_a_program_for_each_case_cannot_be_served(urlconform):
    done = urlconform("serve", "exec:true")
    assert "an `exec:` adapter cannot be served" in done.stderr
    assert done.returncode == Exit.USAGE


def test_a_program_that_cannot_be_started_is_a_dead_adapter(urlconform):
    done = urlconform("serve", "jsonl:/no/such/program")
    assert "/no/such/program: no such file or directory" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD
