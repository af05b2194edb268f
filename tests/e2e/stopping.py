"""Adapters that stop in the middle of a run, when they have said so in a file, and a wait for it."""

from __future__ import annotations

import time
from collections.abc import Callable

#: How many questions the adapter answers.
ANSWERED = 20
#: Answers some questions, then says so in a file and nothing more.
STOPPING = """
import json, os, sys, time
from pathlib import Path
HELLO = {"type": "hello", "protocol": 1, "implementation": {"name": "x", "version": "1"},
         "ops": ["resolve"], "specs": []}
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(HELLO), flush=True)
    elif message["type"] == "run":
        asked += 1
        if asked == ANSWERED + 1:
            Path("pid").write_text(str(os.getpid()))
            Path("pid").rename("reached")
            time.sleep(float(sys.argv[1]))
        time.sleep(0.01)  # results are written to the file about every 50 ms
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
"""

#: The same as a function, and as a program for each case.
FUNCTION = """
import os, time
from pathlib import Path
def answer(question):
    if question.get("reference") == "./g":
        Path("pid").write_text(str(os.getpid()))
        Path("pid").rename("reached")
        time.sleep(60)
    return {"status": "ok", "url": "x"}
"""
EACH = "import json, sys; sys.path.insert(0, '.'); import slow; slow.answer(json.load(sys.stdin))"


def until(met: Callable[[], object]) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + 600
    while not met():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
