"""Questions that three libraries answer differently, and what the words of a query select among them.

The command and the page of a report have the same words, and both are tested by this table.
"""

from __future__ import annotations

from answer_samples import BASE, REJECT, parts, url
from run_samples import make_question, make_run

NAMES = ("right", "urllib", "node-url")

RIGHT = parts("http", "h", "/p", port="80")
NO_PORT = parts("http", "h", "/p")
HEXADECIMAL = parts("http", "0x7f.1", "/p")
LOOPBACK = parts("http", "127.0.0.1", "/p")
EMPTY_HOST = url("http:///g")
HOST_OF_BASE = url("http://a/g")

#: A question each: by its name, the base, the text, and the answers of the three libraries.
ROWS = {
    "spelled": (None, "http://h:80/p", (RIGHT, NO_PORT, RIGHT)),
    "host": (None, "http://0x7f.1/p", (HEXADECIMAL, LOOPBACK, HEXADECIMAL)),
    "refused": (None, "http://h:80/P", (parts("http", "h", "/P", port="80"), REJECT, REJECT)),
    "resolved": (BASE, "///g", (EMPTY_HOST, HOST_OF_BASE, url("http://g/"))),
}
ALL = set(ROWS)

#: A query, and the questions that it selects.
QUERIES = [
    ("", ALL),
    ("is:different", ALL - {"spelled"}),
    ("only:urllib", {"spelled", "host", "resolved"}),
    ("only:node-url", {"resolved"}),
    ("only:right", {"refused", "resolved"}),
    ("urllib=wrong", ALL),
    ("urllib=right", set()),
    ("node-url=right", {"spelled", "host"}),
    ("node-url=wrong urllib=wrong", {"refused", "resolved"}),
    ("urllib=reject", {"refused"}),
    ("urllib=accept", ALL - {"refused"}),
    ("host:", {"host", "resolved"}),
    ("differs:host", {"host", "resolved"}),
    ("differs:port,host,query", {"host", "resolved"}),
    ("-differs:host,path is:different", {"refused"}),
    ("severity:host", {"host", "resolved"}),
    ("severity:verdict", {"refused"}),
    ("severity:port", set()),
    ("port:", set()),
    ("verdict:", {"refused"}),
    ("host:127.0.0.1", {"host"}),
    ("host:g", {"resolved"}),
    ("port:80", {"spelled", "refused"}),
    ("class:ipv4-forms", {"host"}),
    ("class:default-port", {"spelled"}),
    ("class:none", {"refused"}),
    ("cause:defect", {"refused"}),
    ("cause:Decoding", {"spelled"}),
    ('cause:"browser behaviour"', {"host", "resolved"}),
    ("op:resolve", {"resolved"}),
    ("op:parse", ALL - {"resolved"}),
    ("-op:resolve", ALL - {"resolved"}),
    ("-is:different", {"spelled"}),
    ("-urllib=accept", {"refused"}),
]


def query_results(make_case, record):
    """Return the results of a run of these questions, in their order."""
    rows = []
    for number, (base, text, answers) in enumerate(ROWS.values()):
        case = make_question(make_case, text, answers[0], base=base, number=number)
        rows.append((case, dict(zip(NAMES, answers, strict=True))))
    return make_run(record, *rows)
