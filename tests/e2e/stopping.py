"""Adapters that stop in the middle of a run and say so in a file, and a function that waits for that."""

from __future__ import annotations

import time
from collections.abc import Callable

#: How many questions the adapter answers.
ANSWERED = 20
#: An adapter that answers some questions, writes its process id to the file `reached`, and then hangs.
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

#: A function that hangs in the same way, at one reference.
SLOW_FUNCTION = """
import os, time
from pathlib import Path
def answer(question):
    if question.get("reference") == "./g":
        Path("pid").write_text(str(os.getpid()))
        Path("pid").rename("reached")
        time.sleep(60)
    return {"status": "ok", "url": "x"}
"""
#: A program that calls this function and is started anew for each case.
SLOW_PROGRAM = "import json, sys; sys.path.insert(0, '.'); import slow; slow.answer(json.load(sys.stdin))"

#: The seconds after which a condition counts as never met, however busy the machine is.
PATIENCE = 600


def wait_until(is_met: Callable[[], object]) -> None:
    """Return when a condition is met; fail if that takes too long."""
    deadline = time.monotonic() + PATIENCE
    while not is_met():
        assert time.monotonic() < deadline, f"not met within {PATIENCE} s"
        time.sleep(0.02)
