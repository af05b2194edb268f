"""An adapter for urlconform, protocol 1.

Questions come on stdin, answers go to stdout, one JSON object per line.

A library of IRIs adds "rfc3987" to specs, and to ops "to_uri" and "to_iri",
whose answers have a url.
"""

import json
import platform
import sys
from urllib.parse import urljoin, urlsplit

HELLO = {
    "type": "hello",
    "protocol": 1,
    "window": 64,
    "ops": ["validate", "parse", "resolve"],
    "specs": ["rfc3986"],  # the RFCs that it claims
    "implementation": {
        "name": "urllib.parse",
        "version": platform.python_version(),
        "language": "python",
    },
    # and "absent-vs-empty" if it distinguishes http://h from http://h?
    "features": ["validate-by-parse"],
}
UNSUPPORTED = {
    "status": "unsupported",
    "message": "not this operation, specification, rule or bytes",
}


def answer(question):
    """Your library goes here.

    None is absent, "" is present but empty; leave out what it does not have.
    """
    op, rule = question["op"], question.get("rule")
    texts = [question.get(name, "") for name in ("url", "base", "reference")]
    if not all(isinstance(text, str) for text in texts):
        return UNSUPPORTED  # bytes that are no text
    if op == "resolve":
        return {"status": "ok", "url": urljoin(question["base"], question["reference"])}
    known_spec = question["spec"] in ("rfc2396", "rfc2732", "rfc3986", "rfc3987")
    known_rule = rule in (None, "URI", "URI-reference", "IRI", "IRI-reference")
    if op not in ("validate", "parse") or not known_spec or not known_rule:
        return UNSUPPORTED
    url = urlsplit(question["url"])  # its ValueError is a rejection
    port = url.port  # as well
    if rule in ("URI", "IRI") and not url.scheme:
        return {"status": "reject", "message": "no scheme"}
    if op == "validate":
        return {"status": "ok"}
    host = url.hostname
    components = {
        "scheme": url.scheme,
        "authority": url.netloc,
        "userinfo": url.netloc.rpartition("@")[0] if "@" in url.netloc else None,
        "host": f"[{host}]" if host and ":" in host else host,
        "port": None if port is None else str(port),
        "path": url.path,
        "query": url.query,
        "fragment": url.fragment,
    }
    return {"status": "ok", "components": components}


def main():
    """Answer each line until `bye` or the end of the input."""
    for line in sys.stdin.buffer:
        message = json.loads(line) if line.strip() else {}
        if message.get("type") == "bye":
            break
        if not message:
            continue
        try:
            reply = HELLO if message["type"] == "hello" else answer(message)
        except ValueError as error:
            reply = {"status": "reject", "message": repr(error)}
        except Exception as error:  # noqa: BLE001 - it fails only this question
            reply = {"status": "error", "message": repr(error)}
        print(json.dumps({**reply, "id": message.get("id", 0)}), flush=True)


if __name__ == "__main__":
    main()
