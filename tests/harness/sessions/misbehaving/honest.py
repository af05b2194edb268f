"""An adapter that does everything right; each script beside it does one thing wrong.

It is run as `python honest.py WINDOW SIGNS`.  In the file SIGNS it leaves an octet where time has to pass:
the clock of the tests runs fast then, so that nobody waits for a hang, and no slow machine is taken for one.
"""

import json
import os
import select
import sys
import time
from pathlib import Path

WINDOW = int(sys.argv[1])
SIGNS = Path(sys.argv[2])
HELLO = {
    "type": "hello",
    "protocol": 1,
    "implementation": {"name": "made up", "version": "1"},
    "ops": ["validate", "resolve"],
    "specs": [],
    "window": WINDOW,
}


def out(octets):
    """Write octets to stdout, all of them."""
    while octets:
        octets = octets[os.write(1, octets) :]


def line(message):
    """Return the octets of a message."""
    return json.dumps(message).encode() + b"\n"


def send(message):
    out(line(message))


def right(message):
    """Return the right reply to a question."""
    if message["op"] == "resolve":
        return {"id": message["id"], "status": "ok", "url": message["base"] + message["reference"]}
    return {"id": message["id"], "status": "reject" if " " in message["url"] else "ok"}


def time_passes():
    """Let the clock of the tests run fast."""
    with SIGNS.open("ab") as file:
        file.write(b".")


def hang():
    time_passes()
    time.sleep(60)


def leave_a_child(*, apart):
    """Start a child that holds the pipes of the adapter open; `apart` puts it out of reach."""
    child = os.fork()
    if child == 0:
        if apart:
            os.setsid()
        time.sleep(20)
        os._exit(0)
    with SIGNS.with_name("apart" if apart else "children").open("a") as file:
        file.write(f"{child}\n")


def converse(target=None, answer=lambda message: send(right(message)), hello=lambda: send(HELLO)):
    """Talk until the end; `target` is given one question, `answer` all the others."""
    for text in sys.stdin.buffer:
        message = json.loads(text)
        if message["type"] == "hello":
            hello()
        elif message["type"] == "bye":
            break
        elif target is not None and message.get("reference") == "TARGET":
            target(message)
        else:
            answer(message)


def another():
    """Tell whether one more question has come, or comes soon."""
    select.select([0], [], [], 0.05)
    os.set_blocking(0, False)
    try:
        return bool(sys.stdin.buffer.peek(1))
    finally:
        os.set_blocking(0, True)


if __name__ == "__main__":
    converse()
