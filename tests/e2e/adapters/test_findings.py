"""The findings of the documentation: each text, put to the adapter, has the answer that the page shows.

A library that is not installed, or that this Python has in another version, is skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from urlharness.adapters.registry import NotInstalled
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import Question, Reply

from .test_libraries import client, why_not_checked

PAGE = (Path(__file__).parents[3] / "docs" / "findings.md").read_text("utf-8")
#: The sections of the page by the numbers of the findings.
SECTIONS = {
    int(number): text
    for number, text in re.findall(r"^## (\d+)\. (.+?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL)
}

BACKSLASH = r"http://a.example\@b.example/"
ATS = "http://a.example@b.example@c.example/"
NETWORK = "/.//h"
PORT = "http://h:99999999999/"
PLUS = "http://a.example:+81/"

#: Hosts that libraries see: the finding, the text, the library, the host.
HOSTS = [
    (1, BACKSLASH, "urllib", "b.example"),
    (1, BACKSLASH, "httpx", "b.example"),
    (1, BACKSLASH, "libcurl", "b.example"),
    (1, BACKSLASH, "urllib3", "a.example"),
    (1, BACKSLASH, "node-url", "a.example"),
    (1, BACKSLASH, "okhttp", "a.example"),
    (2, ATS, "parse_url", "c.example"),
    (2, ATS, "go-net-url", "c.example"),
    (2, ATS, "mojo-url", "b.example@c.example"),
    (2, ATS, "httpcore5", "b.example@c.example"),
    (2, ATS, "boost-url", "b.example"),
    (3, "http:a.example/", "node-url", "a.example"),
    (3, "http:a.example/", "okhttp", "a.example"),
    (3, "http:///a.example/", "node-url", "a.example"),
    (3, "http:///a.example/", "libcurl", "a.example"),
    (3, "http:///a.example/", "urllib", None),
    (4, "http://0x7f.1/", "node-url", "127.0.0.1"),
    (4, "http://0x7f.1/", "libcurl", "127.0.0.1"),
    (4, "http://0x7f.1/", "urllib", "0x7f.1"),
    (4, "http://2130706433/", "uritools", ""),
    (5, "http://a%2Fb/", "httpcore5", "a/b"),
    (5, "http://a%2Fb/", "glib", "a/b"),
    (5, "http://a%2Fb/", "perl-uri", "a/b"),
    (5, "http://a.example%2eb.example/", "node-url-parse", "a.example"),
    (6, "http://[::1]a.example/", "rust-http", "[::1]"),
    (6, "http://[::1]a.example/", "jetty-http", "[::1]"),
    (7, "http://a.example#@b.example/", "luasocket", "b.example"),
    (7, "http://a.example#@b.example/", "neon", "a.example#@b.example"),
    (8, "http:a.example/", "ktor-http", "localhost"),
    (9, "a:80", "guzzle-psr7", "a"),
    (9, "a:80", "parse_url", "a"),
    (9, "a:80", "node-url-parse", "80"),
    (9, "b.://h/", "urllib3", "b."),
    (9, "b.://h/", "urllib", "h"),
    (14, "http://a.example\0.b.example/", "guile-web-uri", "a.example"),
    (14, "http://a.example\0.b.example/", "crystal-uri", "a.example"),
    (14, "http://a.example\0.b.example/", "swi-uri", "a.example"),
    (16, "http://[::1:2:3:4:5:6:7]/", "system-uri", "[::]"),
    (16, "http://@a.example:/", "mojo-url", "@a.example:"),
    (16, "http://a.example]b.example/", "nim-uri", "a.exampleb.example"),
    (16, "http://a.example\0.b.example/", "parse_url", "a.example_.b.example"),
    (16, "://a.example/", "httpx", "a.example"),
    (16, "://a.example/", "furl", "a.example"),
    (16, "://a.example/", "urijs", "a.example"),
    (16, "://a.example/", "nim-uri", "a.example"),
    (16, "://a.example/", "yarl", None),
    (16, PLUS, "perl-uri", "a.example:+81"),
    (16, PLUS, "uritools", "a.example:+81"),
    (16, PLUS, "mojo-url", "a.example:+81"),
]

#: Ports that libraries see.
PORTS = [
    (14, "http://h:65616/", "fpc-uriparser", "80"),
    (6, "http://[::1]/9090/x", "neon", "9090"),
    (14, PORT, "jetty-http", "1215752191"),
    (14, PORT, "neon", "1215752191"),
    *((16, PLUS, library, "81") for library in ("yarl", "java-net-url", "parse_url")),
]

OVERRIDE = "http://a/%E2%80%AE"
PERCENT = "http://a/%"

#: Questions about IRIs, the library, what it writes.
CONVERSIONS = [
    ({"op": "to_uri", "url": "//\U000f0000/"}, "rfc3986", "/"),
    ({"op": "normalize", "url": "http://a/b/\uff0e\uff0e/c"}, "addressable", "http://a/c"),
    ({"op": "to_uri", "url": "http://a\uff0eb/"}, "perl-uri", "http://xn--ab-yu3n/"),
    ({"op": "to_uri", "url": "http://a/\U00010300"}, "uri-js", "http://a/%ED%A0%80%ED%BC%80"),
    ({"op": "to_iri", "url": "http://a/%3C%20"}, "hyperlink", "http://a/< "),
    ({"op": "normalize", "url": "http://a/%C3%A9"}, "@hyperjump/uri", "http://a/\u00c3\u00a9"),
    ({"op": "to_iri", "url": "http://a/%3C"}, "werkzeug", "http://a/<"),
    ({"op": "to_iri", "url": "http://a/%3C"}, "iri", "http://a/<"),
    *(
        ({"op": "to_iri", "url": OVERRIDE}, library, "http://a/\u202e")
        for library in ("hyperlink", "werkzeug", "iri", "perl-uri")
    ),
    *(
        ({"op": "normalize", "url": OVERRIDE}, library, "http://a/\u202e")
        for library in ("fluent-uri", "iri-string")
    ),
    ({"op": "to_uri", "url": PERCENT}, "rfc3986", "http://a/%25"),
    *(
        ({"op": "to_uri", "url": PERCENT}, library, PERCENT)
        for library in ("uri-js", "iri", "perl-uri", "hyperlink", "werkzeug")
    ),
]

#: Results of resolution and normalization: the finding, the fields of the question, the library, the result.
RESULTS = [
    (10, {"op": "normalize", "url": NETWORK}, "rfc3986", "//h"),
    (10, {"op": "normalize", "url": NETWORK}, "hyperlink", "//h"),
    (10, {"op": "normalize", "url": NETWORK}, "uri_string", "//h"),
    (11, {"op": "resolve", "base": "http://[::1]/a", "reference": "g"}, "boltons", "http://::1/g"),
    (11, {"op": "resolve", "base": "http://a", "reference": "g"}, "iri", "http://ag"),
    (11, {"op": "resolve", "base": "http://a", "reference": "g"}, "fpc-uriparser", "http://ag"),
    (15, {"op": "normalize", "url": "urn:%30"}, "uri-js", "urn:undefined:undefined"),
    (15, {"op": "normalize", "url": "foo:a%41b%42c"}, "system-uri", "foo:a%41b%42caAbBc"),
    (15, {"op": "normalize", "url": "http://u:p@h/"}, "network-uri", "http://u:...@h/"),
    *((17, {"spec": "rfc3987", **fields}, library, written) for fields, library, written in CONVERSIONS),
]

#: Crashes and exceptions: the finding, the fields of the question, the library, what it says.
#: Debian compiles Boost without assertions, so the abort of finding 12 is not among them.
FAILURES = [
    (12, {"op": "resolve", "base": "http://a", "reference": "."}, "iri", "timed out"),
    (12, {"op": "resolve", "base": "f:/a", "reference": NETWORK}, "uriparse", "TwoSlashes"),
    (12, {"op": "equivalent", "url": "http://h/#%aF", "other": "http://h/#%Af"}, "iref", "panicked"),
    (13, {"op": "parse", "url": "http://[::1]@/"}, "yarl", "IndexError"),
    (13, {"op": "parse", "url": "//a:b:c@h"}, "purl", "UnboundLocalError"),
    (13, {"op": "parse", "url": "http://[::1]"}, "jetty-http", "StringIndexOutOfBounds"),
    (13, {"op": "parse", "url": "http://[1:2:3:4:5:6:7::8]/"}, "okhttp", "ArrayIndexOutOfBounds"),
    (13, {"op": "parse", "url": PORT}, "jena-iri3986", "NumberFormatException"),
    (13, {"op": "parse", "url": PORT}, "galimatias", "NumberFormatException"),
    (13, {"op": "parse", "url": PORT}, "spring-rfc", "IllegalStateException"),
    (13, {"op": "parse", "url": PORT}, "crystal-uri", "OverflowError"),
    (13, {"op": "resolve", "base": "f:/a", "reference": ".//g"}, "glib", "NULL"),
    (17, {"spec": "rfc3987", "op": "to_iri", "url": "http://a/%C0%AF"}, "iri", "URI malformed"),
    (
        17,
        {
            "spec": "rfc3987",
            "op": "equivalent",
            "mode": "syntax",
            "url": "http://a/%E9",
            "other": "http://a/\u00e9",
        },
        "iref",
        "panicked",
    ),
]

EVERY = [*HOSTS, *PORTS, *RESULTS, *FAILURES]


def rows_with_ids(rows):
    """Return the rows of a table as parameters, with the finding and the library in their ids."""
    numbers = Counter()
    parameters = []
    for row in rows:
        finding, _, library, _ = row
        numbers[finding, library] += 1
        parameters.append(pytest.param(*row, id=f"{finding}-{library}-{numbers[finding, library]}"))
    return parameters


def answer(library: str, **fields: str) -> Reply | Abnormal:
    """Return the answer of a library; skip if it is not installed, or not in the version of the catalogue."""
    if reason := why_not_checked(library):
        pytest.skip(reason)
    try:
        opened = client(library)
    except NotInstalled as missing:
        pytest.skip(str(missing))
    question = msgspec.convert({"type": "run", "id": 0, "spec": "rfc3986", **fields}, Question)
    ((_, reply),) = opened.ask([question])
    return reply


def component(library: str, text: str, name: str) -> str | None:
    """Return a component of a text as a library shows it, or None if it shows none."""
    reply = msgspec.to_builtins(answer(library, op="parse", url=text))
    return reply["components"].get(name)


@pytest.mark.parametrize(("finding", "text", "library", "host"), rows_with_ids(HOSTS))
def test_a_library_shows_the_host_that_the_page_says(finding, text, library, host):
    assert component(library, text, "host") == host


@pytest.mark.parametrize(("finding", "text", "library", "port"), rows_with_ids(PORTS))
def test_a_library_shows_the_port_that_the_page_says(finding, text, library, port):
    assert component(library, text, "port") == port


@pytest.mark.parametrize(("finding", "fields", "library", "result"), rows_with_ids(RESULTS))
def test_a_library_gives_the_result_that_the_page_says(finding, fields, library, result):
    assert answer(library, **fields).url == result


@pytest.mark.parametrize(("finding", "fields", "library", "words"), rows_with_ids(FAILURES))
def test_a_library_fails_as_the_page_says(finding, fields, library, words):
    """The failure is an exception that the library does not document, or the end of its process."""
    outcome, text = failure(answer(library, **fields))
    assert outcome in ("crash", "error")
    assert words in text


def failure(reply: Reply | Abnormal) -> tuple[str, str]:
    """Return the outcome of a question, and what the library says about it: on stderr, or in its message."""
    if isinstance(reply, Abnormal):
        return reply.outcome, reply.stderr
    return reply.status, reply.message


def test_the_findings_are_numbered():
    assert list(SECTIONS) == [*range(1, len(SECTIONS) + 1)]


def test_every_finding_is_tested():
    assert {finding for finding, *_ in EVERY} == SECTIONS.keys()


@pytest.mark.parametrize("finding", SECTIONS)
def test_a_finding_has_a_reproduction_a_section_of_the_rfc_and_advice(finding):
    """The three parts are in this order."""
    _, _, after_begin = SECTIONS[finding].partition("```text\n")
    reproduction, _, after_reproduction = after_begin.partition("```")
    section = re.search("^- RFC 398[67] §", after_reproduction, re.MULTILINE)
    assert reproduction != ""
    assert section is not None
    assert "\n- Do: " in after_reproduction[section.end() :]


LIBRARIES_OF_FINDINGS = sorted({(finding, library) for finding, _, library, _ in EVERY})


@pytest.mark.parametrize(("finding", "library"), LIBRARIES_OF_FINDINGS)
def test_a_finding_names_each_library_that_is_asked_for_it(finding, library):
    assert re.search(rf"(?<!\w){re.escape(library)}\b", SECTIONS[finding])


#: The words that are read in eight minutes.
MOST_WORDS = 2000


def test_the_page_is_short():
    assert len(PAGE.split()) <= MOST_WORDS
