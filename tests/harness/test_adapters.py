"""The bundled adapters: known facts of their libraries come through the protocol as they are."""

from __future__ import annotations

import msgspec
import pytest

from urlharness.adapters.registry import BUNDLED, NotInstalled, find
from urlharness.engine.client import open_client
from urlharness.limits import Abnormal, Limits
from urlharness.protocol.messages import Hello, Question, Reply
from urlharness.results.verdict import judge
from urlharness.runner import question

pytestmark = pytest.mark.once

LIBRARIES = ("urllib", "node-url", "java-net-uri")


@pytest.fixture(scope="module")
def open_askers(cache):
    """Every bundled adapter whose runtime is here, opened once; for the others the reason."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))  # where the Java adapter is compiled
        askers, missing = {}, {}
        for name in BUNDLED:
            try:
                askers[name] = open_client(find(name), Limits(start=60, case=20), "tests")
            except NotInstalled as reason:
                missing[name] = f"{name} is not installed: {reason}"
        yield askers, missing
        for asker in askers.values():
            asker.close()


@pytest.fixture
def asker(open_askers):
    def get(name: str):
        askers, missing = open_askers
        if name in missing:
            pytest.skip(missing[name])
        return askers[name]

    return get


def ask(asker, op: str, spec: str, **fields) -> Reply:
    asked = msgspec.convert({"type": "run", "id": 0, "op": op, "spec": spec, **fields}, Question)
    ((_, got),) = asker.ask([asked])
    assert isinstance(got, Reply), got
    return got


def octets(text: bytes) -> dict[str, str]:
    return {"hex": text.hex()}


BASE = "http://a/b/c/d;p?q"


def resolve(reference: str, base: str = BASE) -> dict[str, str]:
    return {"base": base, "reference": reference}


#: Adapter, operation, RFC, question; then status, and what the reply holds by what the library documents.
FACTS = [
    # urllib.parse: a splitter, which refuses only ports and brackets
    ("urllib", "validate", "rfc3986", {"url": "http://h/a b"}, "ok", {}),
    ("urllib", "validate", "rfc3986", {"url": "http://h:x/"}, "reject", {}),
    ("urllib", "validate", "rfc3986", {"url": "http://h:65536/"}, "reject", {}),
    ("urllib", "validate", "rfc3986", {"url": "http://[::1/"}, "reject", {}),
    ("urllib", "validate", "rfc3986", {"url": "http://h/", "rule": "relative-ref"}, "reject", {}),
    ("urllib", "validate", "rfc3986", {"url": "a", "rule": "URI"}, "reject", {}),
    ("urllib", "validate", "rfc3986", {"url": "a:b#c", "rule": "absolute-URI"}, "reject", {}),
    ("urllib", "validate", "rfc3986", {"url": "h", "rule": "host"}, "unsupported", {}),
    ("urllib", "validate", "rfc1738", {"url": "http://h/", "rule": "ftpurl"}, "reject", {}),
    ("urllib", "validate", "rfc1738", {"url": "http://h/", "rule": "httpurl"}, "ok", {}),
    ("urllib", "validate", "rfc3986", {"url": octets(b"a:b")}, "unsupported", {}),
    (
        "urllib",
        "parse",
        "rfc3986",
        {"url": "HTTP://U@Host:8/p?q#f"},
        "ok",
        {"scheme": "http", "host": "host"},
    ),
    ("urllib", "parse", "rfc3986", {"url": "HTTP://U@Host:8/p?q#f"}, "ok", {"userinfo": "U", "port": "8"}),
    ("urllib", "parse", "rfc3986", {"url": "http://[::1]/"}, "ok", {"host": "[::1]", "port": None}),
    ("urllib", "parse", "rfc3986", {"url": "a?"}, "ok", {"query": "", "fragment": ""}),
    ("urllib", "parse", "rfc1808", {"url": "//h/p;a?q"}, "ok", {"net_loc": "h", "path": "/p", "params": "a"}),
    ("urllib", "parse", "rfc1738", {"url": "http://h/a?s"}, "ok", {"hpath": "a", "search": "s"}),
    (
        "urllib",
        "parse",
        "rfc1738",
        {"url": "ftp://u:p@h/a"},
        "ok",
        {"user": "u", "password": "p", "fpath": "a"},
    ),
    ("urllib", "resolve", "rfc3986", resolve("../g"), "ok", {"url": "http://a/b/g"}),
    ("urllib", "resolve", "rfc1808", resolve("../../../g"), "ok", {"url": "http://a/g"}),
    ("urllib", "recompose", "rfc3986", {"components": {"scheme": "a", "path": "b"}}, "ok", {"url": "a:b"}),
    ("urllib", "recompose", "rfc1738", {"components": {"scheme": "a"}}, "unsupported", {}),
    ("urllib", "normalize", "rfc3986", {"url": "a:b"}, "unsupported", {}),
    # node's URL: the URL Standard, which repairs what it can
    ("node-url", "validate", "rfc3986", {"url": "http://h/a b", "rule": "URI"}, "ok", {}),
    ("node-url", "validate", "rfc3986", {"url": "http:\\\\h\\p", "rule": "URI"}, "ok", {}),
    ("node-url", "validate", "rfc3986", {"url": "http://h:65536/"}, "reject", {}),
    ("node-url", "validate", "rfc3986", {"url": "http://"}, "reject", {}),
    ("node-url", "validate", "rfc3986", {"url": "", "rule": "URI-reference"}, "ok", {}),
    ("node-url", "validate", "rfc3986", {"url": "", "rule": "URI"}, "reject", {}),
    ("node-url", "validate", "rfc3986", {"url": "a:b", "rule": "relative-ref"}, "reject", {}),
    ("node-url", "validate", "rfc2396", {"url": "http://h/#", "rule": "absoluteURI"}, "reject", {}),
    ("node-url", "validate", "rfc1738", {"url": "http://h/", "rule": "ftpurl"}, "reject", {}),
    ("node-url", "validate", "rfc3986", {"url": "h", "rule": "host"}, "unsupported", {}),
    ("node-url", "validate", "rfc3986", {"url": octets(b"http://h/\xff")}, "ok", {}),
    (
        "node-url",
        "parse",
        "rfc3986",
        {"url": "HTTP://EXAMPLE.com:80/a/../b"},
        "ok",
        {"port": "", "path": "/b"},
    ),
    ("node-url", "parse", "rfc3986", {"url": "http://0x7f.1/"}, "ok", {"host": "127.0.0.1"}),
    ("node-url", "parse", "rfc3986", {"url": "http://u:p@h/"}, "ok", {"userinfo": "u:p", "host": "h"}),
    ("node-url", "parse", "rfc3986", {"url": octets(b"http://h/\xff")}, "ok", {"path": "/%EF%BF%BD"}),
    ("node-url", "parse", "rfc3986", {"url": "//h/"}, "unsupported", {}),
    (
        "node-url",
        "parse",
        "rfc1738",
        {"url": "ftp://u:p@h/a;type=a"},
        "ok",
        {"user": "u", "fpath": "a;type=a"},
    ),
    ("node-url", "resolve", "rfc3986", resolve("../../../g"), "ok", {"url": "http://a/g"}),
    ("node-url", "resolve", "rfc3986", resolve("http:g"), "ok", {"url": "http://a/b/c/g"}),
    ("node-url", "resolve", "rfc3986", resolve("g", "b"), "reject", {}),
    ("node-url", "normalize", "rfc3986", {"url": "a:b"}, "unsupported", {}),
    ("node-url", "recompose", "rfc3986", {"components": {"scheme": "a"}}, "unsupported", {}),
    # java.net.URI: RFC 2396 with the amendments of RFC 2732
    ("java-net-uri", "validate", "rfc2396", {"url": "http://h/a b"}, "reject", {"at": 10}),
    ("java-net-uri", "validate", "rfc2396", {"url": "http://h/%zz"}, "reject", {"at": 9}),
    ("java-net-uri", "validate", "rfc2396", {"url": "http://a_b/"}, "ok", {}),
    ("java-net-uri", "validate", "rfc2396", {"url": "http://h/\u00e9"}, "ok", {}),
    ("java-net-uri", "validate", "rfc3986", {"url": "a:b#c", "rule": "absolute-URI"}, "reject", {}),
    ("java-net-uri", "validate", "rfc3986", {"url": "a:b", "rule": "relative-ref"}, "reject", {}),
    ("java-net-uri", "validate", "rfc1738", {"url": "http://h/", "rule": "ftpurl"}, "reject", {}),
    ("java-net-uri", "validate", "rfc2396", {"url": "h", "rule": "host"}, "unsupported", {}),
    ("java-net-uri", "validate", "rfc2396", {"url": octets(b"a:\xff")}, "unsupported", {}),
    ("java-net-uri", "validate", "rfc2396", {"url": octets(b"a:b")}, "ok", {}),
    (
        "java-net-uri",
        "parse",
        "rfc2396",
        {"url": "http://u@h:8/p?q"},
        "ok",
        {"userinfo": "u", "fragment": None},
    ),
    ("java-net-uri", "parse", "rfc2396", {"url": "http://a_b/"}, "ok", {"authority": "a_b", "host": None}),
    ("java-net-uri", "parse", "rfc2732", {"url": "http://[::1]:8/"}, "ok", {"host": "[::1]", "port": "8"}),
    ("java-net-uri", "parse", "rfc2396", {"url": "mailto:a@b"}, "ok", {"path": "a@b", "authority": None}),
    ("java-net-uri", "parse", "rfc1738", {"url": "http://h/a?s"}, "ok", {"hpath": "a", "search": "s"}),
    ("java-net-uri", "resolve", "rfc2396", resolve("?y"), "ok", {"url": "http://a/b/c/?y"}),
    ("java-net-uri", "resolve", "rfc2396", resolve("../g"), "ok", {"url": "http://a/b/g"}),
    ("java-net-uri", "resolve", "rfc2396", resolve("g", "b"), "reject", {}),
    ("java-net-uri", "normalize", "rfc2396", {"url": "http://h/a/../b/./c"}, "ok", {"url": "http://h/b/c"}),
    ("java-net-uri", "normalize", "rfc2396", {"url": "a:b", "mode": "scheme"}, "unsupported", {}),
    ("java-net-uri", "recompose", "rfc2396", {"components": {"scheme": "a"}}, "unsupported", {}),
]


def _name(fact) -> str:
    name, op, spec, fields, *_ = fact
    asked = fields.get("url", fields.get("reference", fields.get("components")))
    return f"{name}-{op}-{spec}-{fields.get('rule', '')}-{asked}".encode("ascii", "backslashreplace").decode()


@pytest.mark.parametrize("fact", FACTS, ids=_name)
def test_fact(asker, fact):
    name, op, spec, fields, status, expected = fact
    reply = ask(asker(name), op, spec, **fields)
    assert reply.status == status
    got = msgspec.to_builtins(reply)
    got |= got.get("components", {})
    assert {key: got[key] for key in expected} == expected
    assert status == "ok" or reply.message


@pytest.mark.parametrize("name", LIBRARIES)
def test_hello(asker, name):
    hello: Hello = asker(name).hello
    assert {"validate", "parse", "resolve"} <= set(hello.ops)
    assert hello.implementation.version[0].isdigit()
    assert "validate-by-parse" in hello.features
    assert hello.window > 1


@pytest.mark.parametrize("name", BUNDLED)
def test_every_question_of_the_corpus_has_an_answer(asker, corpus, name):
    """No crash, no garbage, no error; and no component under a name that the RFC does not have."""
    opened = asker(name)
    cases = [case for case in corpus.cases if case.vector.op in opened.hello.ops]
    settled = dict(opened.ask([question(case) for case in cases]))
    assert settled.keys() == set(range(len(cases)))
    outcomes = set()
    for index, got in settled.items():
        assert not isinstance(got, Abnormal), (cases[index].vector.id, got)
        outcomes.add(judge(cases[index], got, opened.hello.features).outcome)
    assert outcomes <= {"pass", "variant", "partial", "fail", "unsupported"}
    assert "pass" in outcomes


@pytest.mark.parametrize("name", LIBRARIES)
def test_unknown_operations_and_rfcs_are_unsupported(asker, name):
    assert ask(asker(name), "guess", "rfc3986", url="a:b").status == "unsupported"
    assert ask(asker(name), "validate", "rfc3986", url="a:b", rule="no-such-rule").status == "unsupported"


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_question_without_its_text_is_an_error(asker, name):
    assert ask(asker(name), "validate", "rfc3986").status == "error"


@pytest.mark.parametrize("name", LIBRARIES)
def test_absent_and_empty_as_far_as_the_library_tells(asker, name):
    """Who claims the feature gives null for a query that is not there; who does not gives "" or null."""
    opened = asker(name)
    query = ask(opened, "parse", "rfc3986", url="http://h/").components["query"]
    if "absent-vs-empty" in opened.hello.features:
        assert query is None
        assert ask(opened, "parse", "rfc3986", url="http://h/?").components["query"] == ""
    else:
        assert query in ("", None)
