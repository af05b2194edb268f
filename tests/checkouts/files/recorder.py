"""An adapter that appends what it is sent to `exchange.jsonl`, and has a simple answer to each operation."""

import json
import sys
from pathlib import Path
from urllib.parse import urljoin, urlsplit

OPERATIONS = [
    "validate",
    "parse",
    "resolve",
    "recompose",
    "normalize",
    "extract",
    "equivalent",
    "decode",
    "base",
]
HELLO = {
    "type": "hello",
    "protocol": 1,
    "implementation": {"name": "recorder", "version": "1"},
    "ops": OPERATIONS,
    "specs": ["rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986"],
    "features": ["absent-vs-empty"],
}


def answer(question):
    """Return the fields of the reply: simple, but not the same for all texts."""
    text = question.get("url", "")
    match question["op"]:
        case "validate" if isinstance(text, str) and ":" in text:
            return {"status": "ok"}
        case "validate":
            return {"status": "reject", "at": 0, "message": "no colon"}
        case "parse" if isinstance(text, str):
            try:
                parts = urlsplit(text)
            except ValueError as error:
                return {"status": "reject", "message": str(error)}
            return {"status": "ok", "components": {"scheme": parts.scheme or None, "path": parts.path}}
        case "resolve" if isinstance(question["base"], str) and isinstance(question["reference"], str):
            try:
                return {"status": "ok", "url": urljoin(question["base"], question["reference"])}
            except ValueError as error:
                return {"status": "reject", "message": str(error)}
        case "normalize" if isinstance(text, str):
            return {"status": "ok", "url": text.lower()}
        case "equivalent":
            return {"status": "ok", "equal": text == question["other"]}
        case _:
            return {"status": "unsupported"}


def main():
    """Answer question after question until `bye` or the end of stdin."""
    with Path("exchange.jsonl").open("a", encoding="utf-8") as exchange:
        for line in sys.stdin:
            exchange.write(line)
            exchange.flush()
            message = json.loads(line)
            if message["type"] == "bye":
                return
            reply = HELLO if message["type"] == "hello" else {"id": message["id"], **answer(message)}
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
