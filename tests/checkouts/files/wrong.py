"""An adapter that answers wrongly, crashes, and writes garbage."""

import json
import sys

HELLO = {
    "type": "hello",
    "protocol": 1,
    "implementation": {"name": "wrong", "version": "1"},
    "ops": ["parse", "validate"],
    "specs": ["rfc3986"],
}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    text = str(message.get("url"))
    if "[::1]" in text:
        sys.exit("the parser crashed")
    if "@" in text:
        print("garbage", flush=True)
        continue
    if message["type"] == "hello":
        reply = HELLO
    elif "?" in text:
        reply = {"id": message["id"], "status": "error", "message": "IndexError"}
    else:
        reply = {"id": message["id"], "status": "ok", "components": {"path": text}}
    print(json.dumps(reply), flush=True)
