"""An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line."""

import json
import platform
import sys
from urllib.parse import urljoin, urlsplit

HELLO = {
    "type": "hello", "protocol": 1, "window": 64, "ops": ["validate", "parse", "resolve"], "specs": ["rfc3986"],
    "implementation": {"name": "urllib.parse", "version": platform.python_version(), "language": "python"},
    "features": ["validate-by-parse"],  # and "absent-vs-empty" if it distinguishes http://h from http://h?
}


def answer(q):
    """Your library goes here: None is absent, "" is present but empty; leave out what it does not have."""
    known = q["spec"] in ("rfc2396", "rfc2732", "rfc3986") and q.get("rule") in (None, "URI", "URI-reference")
    raw = any(isinstance(q.get(name), dict) for name in ("url", "base", "reference"))
    if raw or not (q["op"] == "resolve" or (q["op"] in ("validate", "parse") and known)):
        return {"status": "unsupported", "message": "not this operation, specification, rule or bytes"}
    if q["op"] == "resolve":
        return {"status": "ok", "url": urljoin(q["base"], q["reference"])}
    u = urlsplit(q["url"])  # its ValueError is a rejection, like the ValueError of u.port
    parts = {"scheme": u.scheme, "authority": u.netloc, "path": u.path, "query": u.query, "fragment": u.fragment,
             "userinfo": u.netloc.rpartition("@")[0] if "@" in u.netloc else None,
             "host": f"[{u.hostname}]" if u.hostname and ":" in u.hostname else u.hostname,
             "port": None if u.port is None else str(u.port)}
    if q.get("rule") == "URI" and not u.scheme:
        return {"status": "reject", "message": "no scheme"}
    return {"status": "ok", "components": parts} if q["op"] == "parse" else {"status": "ok"}


for message in (json.loads(line) for line in sys.stdin.buffer if line.strip()):
    if message["type"] == "bye":
        break
    try:
        reply = HELLO if message["type"] == "hello" else answer(message)
    except Exception as error:  # an exception fails only this question
        reply = {"status": "reject" if isinstance(error, ValueError) else "error", "message": repr(error)}
    print(json.dumps({**reply, "id": message.get("id", 0)}), flush=True)
