"""The bundled adapters that are programs: known behaviour of node's URL and of java.net.URI."""

from __future__ import annotations

import msgspec
import pytest

from urlharness.adapters.registry import NotInstalled, find
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.results.verdict import judge
from urlharness.runner import question
from urlharness.sessions.client import open_client

from ..harness.adapters.test_urllib_parse import hexed, resolve  # noqa: TID252 - tests are not an installed package

PROGRAMS = ("node-url", "java-net-uri")


@pytest.fixture(scope="module")
def clients(cache):
    """The adapters that are installed, each opened once; for the others the reason."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))  # where the Java adapter is compiled
        opened = {}
        missing = {}
        for name in PROGRAMS:
            try:
                opened[name] = open_client(find(name), Limits(start=600, case=600), "tests")
            except NotInstalled as reason:
                missing[name] = f"{name} is not installed: {reason}"
        yield opened, missing
        for client in opened.values():
            client.close()


@pytest.fixture
def client(clients):
    """Return a function that returns an adapter by its name; it skips the test if that is not installed."""

    def get(name: str):
        opened, missing = clients
        if name in missing:
            pytest.skip(missing[name])
        return opened[name]

    return get


def ask(client, op: str, spec: str, **fields) -> Reply:
    """Return the reply of an adapter; fail if the adapter gives none."""
    question = msgspec.convert({"type": "run", "id": 0, "op": op, "spec": spec, **fields}, Question)
    ((_, reply),) = client.ask([question])
    assert isinstance(reply, Reply), reply
    return reply


#: Adapter, operation, RFC, question; then the status and fields of the reply.
FACTS = [
    ("node-url", "validate", "rfc3986", {"url": "http://h/a b", "rule": "URI"}, "ok", {}),
    ("node-url", "validate", "rfc3986", {"url": "http:\\\\h\\p", "rule": "URI"}, "ok", {}),
    ("node-url", "validate", "rfc3986", {"url": "http://h:65536/"}, "reject", {}),
    ("node-url", "validate", "rfc3986", {"url": "http://"}, "reject", {}),
    (
        "node-url",
        "validate",
        "rfc3986",
        {"url": "", "rule": "URI-reference"},
        "ok",
        {"message": "only with a base"},
    ),
    ("node-url", "validate", "rfc3986", {"url": "", "rule": "URI"}, "reject", {}),
    ("node-url", "validate", "rfc3986", {"url": "a:b", "rule": "relative-ref"}, "reject", {}),
    ("node-url", "validate", "rfc2396", {"url": "http://h/#", "rule": "absoluteURI"}, "reject", {}),
    ("node-url", "validate", "rfc1738", {"url": "http://h/", "rule": "ftpurl"}, "reject", {}),
    ("node-url", "validate", "rfc3986", {"url": "h", "rule": "host"}, "unsupported", {}),
    ("node-url", "validate", "rfc3986", {"url": hexed(b"http://h/\xff")}, "unsupported", {}),
    ("node-url", "validate", "rfc3986", {"url": "http:", "rule": "relative-ref"}, "reject", {}),
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
    ("node-url", "parse", "rfc3986", {"url": hexed(b"http://h/\xff")}, "unsupported", {}),
    ("node-url", "parse", "rfc3986", {"url": "http:?q=1"}, "reject", {}),
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
    ("java-net-uri", "validate", "rfc2396", {"url": "http://h/a b"}, "reject", {"at": 10}),
    ("java-net-uri", "validate", "rfc2396", {"url": "http://h/%zz"}, "reject", {"at": 9}),
    ("java-net-uri", "validate", "rfc2396", {"url": "http://a_b/"}, "ok", {}),
    ("java-net-uri", "validate", "rfc2396", {"url": "http://h/\u00e9"}, "ok", {}),
    ("java-net-uri", "validate", "rfc3986", {"url": "a:b#c", "rule": "absolute-URI"}, "reject", {}),
    ("java-net-uri", "validate", "rfc3986", {"url": "a:b", "rule": "relative-ref"}, "reject", {}),
    ("java-net-uri", "validate", "rfc1738", {"url": "http://h/", "rule": "ftpurl"}, "reject", {}),
    ("java-net-uri", "validate", "rfc2396", {"url": "h", "rule": "host"}, "unsupported", {}),
    ("java-net-uri", "validate", "rfc2396", {"url": hexed(b"a:\xff")}, "unsupported", {}),
    ("java-net-uri", "validate", "rfc2396", {"url": hexed(b"a:b")}, "ok", {}),
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
    (
        "java-net-uri",
        "parse",
        "rfc2396",
        {"url": "mailto:a@b"},
        "ok",
        {"scheme": "mailto", "authority": None},
    ),
    ("java-net-uri", "parse", "rfc1738", {"url": "mailto:a@b"}, "ok", {"encoded822addr": "a@b"}),
    ("java-net-uri", "parse", "rfc1738", {"url": "http://h/a?s"}, "ok", {"hpath": "a", "search": "s"}),
    ("java-net-uri", "resolve", "rfc2396", resolve("?y"), "ok", {"url": "http://a/b/c/?y"}),
    ("java-net-uri", "resolve", "rfc2396", resolve("../g"), "ok", {"url": "http://a/b/g"}),
    ("java-net-uri", "resolve", "rfc2396", resolve("g", "b"), "ok", {"url": "g"}),
    ("java-net-uri", "resolve", "rfc2396", resolve("g", ""), "ok", {"url": "g"}),
    ("java-net-uri", "normalize", "rfc2396", {"url": "http://h/a/../b/./c"}, "ok", {"url": "http://h/b/c"}),
    ("java-net-uri", "normalize", "rfc2396", {"url": "a:b", "mode": "scheme"}, "unsupported", {}),
    ("java-net-uri", "recompose", "rfc2396", {"components": {"scheme": "a"}}, "unsupported", {}),
]


def id_of_fact(fact) -> str:
    """Return the adapter, the operation, the RFC, and what was asked."""
    name, op, spec, fields, *_ = fact
    text = fields.get("url", fields.get("reference", fields.get("components")))
    return f"{name}-{op}-{spec}-{fields.get('rule', '')}-{text}".encode("ascii", "backslashreplace").decode()


@pytest.mark.parametrize("fact", FACTS, ids=id_of_fact)
def test_a_library_answers_as_it_is_known_to(client, fact):
    name, op, spec, fields, status, expected = fact
    reply = ask(client(name), op, spec, **fields)
    assert reply.status == status
    answer = msgspec.to_builtins(reply)
    answer |= answer.get("components", {})
    assert {key: answer[key] for key in expected} == expected


def is_answered(fact) -> bool:
    """Return True if the status of a fact is `ok`."""
    *_, status, _ = fact
    return status == "ok"


@pytest.mark.parametrize("fact", [fact for fact in FACTS if not is_answered(fact)], ids=id_of_fact)
def test_an_answer_other_than_ok_has_a_message(client, fact):
    name, op, spec, fields, *_ = fact
    assert ask(client(name), op, spec, **fields).message


@pytest.mark.parametrize("name", ["path", "query"])
def test_an_opaque_uri_has_neither_path_nor_query_in_java(client, name):
    reply = ask(client("java-net-uri"), "parse", "rfc2396", url="mailto:a@b?c")
    assert name not in msgspec.to_builtins(reply)["components"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_offers_to_validate_parse_and_resolve(client, name):
    assert {"validate", "parse", "resolve"} <= set(client(name).hello.ops)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_says_that_it_validates_by_parsing(client, name):
    assert "validate-by-parse" in client(name).hello.features


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_names_the_version_of_its_library(client, name):
    assert client(name).hello.implementation.version[0].isdigit()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_takes_several_questions_at_once(client, name):
    assert client(name).hello.window > 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_question_of_the_corpus_has_an_answer(client, corpus, name):
    """No answer is a crash, garbage or an error, or has a component of a name that the RFC does not have."""
    opened = client(name)
    cases = [case for case in corpus.cases if case.vector.op in opened.hello.ops]
    outcomes = set()
    for index, reply in opened.ask([question(case) for case in cases]):
        assert not isinstance(reply, Abnormal), (cases[index].vector.id, reply)
        outcomes.add(judge(cases[index], reply, opened.hello.features).outcome)
    assert "pass" in outcomes
    assert outcomes <= {"pass", "variant", "partial", "fail", "unsupported"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_unknown_operation_is_unsupported(client, name):
    assert ask(client(name), "guess", "rfc3986", url="a:b").status == "unsupported"


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_unknown_rule_is_unsupported(client, name):
    assert ask(client(name), "validate", "rfc3986", url="a:b", rule="no-such-rule").status == "unsupported"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_question_without_its_text_is_an_error(client, name):
    opened = client(name)
    assert ask(opened, "validate", "rfc3986").status == "error"
    # the same question with a text is answered, so the missing text is the reason
    assert ask(opened, "validate", "rfc3986", url="http://h/").status == "ok"


@pytest.mark.parametrize(
    ("name", "differ", "absent_query"),
    [
        pytest.param("node-url", False, "", id="node-url"),
        pytest.param("java-net-uri", True, None, id="java-net-uri"),
    ],
)
def test_absent_and_empty_components_differ_if_the_hello_says_so(client, name, differ, absent_query):
    opened = client(name)
    assert ("absent-vs-empty" in opened.hello.features) is differ
    assert ask(opened, "parse", "rfc3986", url="http://h/").components["query"] == absent_query
    assert ask(opened, "parse", "rfc3986", url="http://h/?").components["query"] == ""
