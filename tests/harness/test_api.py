"""The Python interface: adapters of every kind, outcomes, scores, the gate, and the iterator."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from msgspec import structs

import urlharness
from urlharness import assert_conforms, functions, run, stream
from urlharness.adapters.registry import BUNDLED, NotInstalled, Program, ProgramPerCase, UnknownAdapter
from urlharness.api import NothingSelected
from urlharness.corpus.selection import SelectionError
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import read_baseline, write_baseline
from urlharness.gate.policy import PolicyError
from urlharness.gate.update import create
from urlharness.protocol.failures import AdapterDead
from urlharness.results.model import read_results
from urlharness.results.scores import State
from urlharness.runner import adapter_of
from urloracle import resolve

SECTION = {"spec": "rfc3986", "section": "5.4.1"}
WRONG = {"../g": "http://a/g"}


def join(base: str, reference: str) -> str:
    """Resolve a reference, one of which wrongly."""
    return WRONG.get(reference) or urljoin(base, reference)


def answer(question: dict) -> dict:
    """Answer questions of resolution only."""
    if question["op"] != "resolve":
        return {"status": "unsupported"}
    return {"status": "ok", "url": urljoin(question["base"], question["reference"])}


RIGHT = functions("right", "1", specs=["rfc3986"], resolve=urljoin)
LIBRARY = functions("library", "1", specs=["rfc3986"], resolve=join)


@pytest.mark.parametrize(
    ("adapter", "name"),
    [
        pytest.param("urllib", "urllib", id="name"),
        pytest.param(BUNDLED["urllib"], "urllib", id="value"),
        pytest.param(answer, f"{__name__}:answer", id="function"),
        pytest.param(RIGHT, "right", id="functions"),
        pytest.param(Program("mine", lambda: ["urlconform", "serve", "urllib"]), "mine", id="program"),
    ],
)
def test_every_kind_of_adapter_is_run(adapter, name, monkeypatch, program):
    monkeypatch.setenv("PATH", str(Path(program).parent), prepend=":")
    report = run(adapter, **SECTION)
    assert report.adapter == name
    assert {recorded.outcome for recorded in report.outcomes.values()} == {"pass"}
    assert report.gate().passed


def test_a_report_has_the_outcomes_of_the_selected_vectors(cases_of_section):
    ids = {case.vector.id for case in cases_of_section("rfc3986", "5.4.1")}
    assert run(RIGHT, **SECTION).outcomes.keys() == ids


def test_the_outcome_of_a_wrong_answer_shows_the_answer():
    report = run(LIBRARY, **SECTION)
    wrong = report.outcomes["rfc3986-5.4.1-ex-20"]
    assert wrong.outcome == "fail"
    assert wrong.detail == "got 'http://a/g'"
    assert wrong.got["url"] == "http://a/g"


def test_a_report_counts_right_and_wrong_answers_of_a_section():
    report = run(LIBRARY, **SECTION)
    score = report.sections["rfc3986", "5.4.1"]
    assert score.required.wrong == 1
    assert score.required.right == len(report.outcomes) - 1


def test_a_report_counts_failed_statements_by_section_and_by_rfc():
    report = run(LIBRARY, **SECTION)
    assert report.sections["rfc3986", "5.4.1"].states[State.FAILED] == 1
    assert report.totals["rfc3986"].failing == 1


def test_the_gate_without_a_baseline_passes_right_answers():
    gate = run(RIGHT, **SECTION).gate(None)
    assert gate.findings == ()
    assert gate.code == Exit.PASSED
    assert gate.passed


@pytest.mark.parametrize(
    ("options", "code"),
    [
        pytest.param({}, Exit.FAILED, id="wrong"),
        pytest.param({"fail_on": "example"}, Exit.FAILED, id="level"),
        pytest.param({"fail_on": "must"}, Exit.NOTHING_RAN, id="level-of-nothing"),
    ],
)
def test_the_gate_without_a_baseline_does_not_pass_a_wrong_answer(options, code):
    gate = run(LIBRARY, **SECTION).gate(None, **options)
    assert gate.findings == ()
    assert gate.code == code
    assert not gate.passed


@pytest.fixture
def baseline_path(tmp_path):
    """Return a function that writes the failures of the wrong library as the baseline of an adapter.

    It returns the path of the baseline.
    """

    def write(adapter):
        report = run(LIBRARY, **SECTION)
        (participant,) = report.results.participants
        baseline = create(report.results, participant, ["rfc3986"])
        path = tmp_path / "baseline.json"
        write_baseline(structs.replace(baseline, implementation=adapter.name), path)
        return path

    return write


#: The forms in which a baseline is handed to the gate.
BASELINE_FORMS = [
    pytest.param(read_baseline, id="baseline"),
    pytest.param(Path, id="path"),
    pytest.param(str, id="text-of-the-path"),
]


@pytest.mark.parametrize("form", BASELINE_FORMS)
def test_the_gate_passes_a_failure_that_the_baseline_lists(baseline_path, form):
    gate = run(LIBRARY, **SECTION).gate(form(baseline_path(LIBRARY)))
    assert gate.findings == ()
    assert gate.code == Exit.PASSED
    assert gate.passed


@pytest.mark.parametrize("form", BASELINE_FORMS)
def test_the_gate_reports_an_entry_of_the_baseline_that_passes_now(baseline_path, form):
    gate = run(RIGHT, **SECTION).gate(form(baseline_path(RIGHT)))
    assert [finding.kind for finding in gate.findings] == ["stale"]
    assert gate.code == Exit.STALE
    assert not gate.passed


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        pytest.param(lambda: run("nobody"), UnknownAdapter, "no adapter named", id="adapter"),
        pytest.param(lambda: run(3), UnknownAdapter, "3 is not a function", id="no-adapter"),
        pytest.param(
            lambda: run(_adapter_without_a_hello()), AdapterDead, "its hello is invalid", id="hello"
        ),
        pytest.param(lambda: run("urllib", spec="rfc1"), SelectionError, "no specification", id="spec"),
        pytest.param(lambda: run("urllib", section="99"), NothingSelected, "no vector", id="nothing"),
        pytest.param(lambda: run("python:gone:f"), AdapterDead, "python:gone:f: ModuleNotFound", id="dead"),
        pytest.param(lambda: run(Program("x", _no_runtime)), NotInstalled, "x: no runtime", id="runtime"),
        pytest.param(lambda: stream("urllib", section="99"), NothingSelected, "no vector", id="stream"),
        pytest.param(
            lambda: next(stream(ProgramPerCase("x", ["./gone"]))),
            AdapterDead,
            r"^\./gone: no such program$",
            id="program",
        ),
        pytest.param(
            lambda: run(RIGHT, **SECTION).gate(policy={"may": "x"}),
            PolicyError,
            "may is not a binding",
            id="policy",
        ),
    ],
)
def test_a_run_that_cannot_begin_names_what_is_wrong(call, error, message):
    with pytest.raises(error, match=message):
        call()


#: An argument with a number that it may not have, and the name that its error says.
WRONG_NUMBERS = [
    ({"maxfail": 0}, "at `$.maxfail`"),
    ({"maxfail": -1}, "at `$.maxfail`"),
    ({"maxfail": 1.5}, "at `$.maxfail`"),
    ({"jobs": 0}, "at `$.jobs`"),
    ({"jobs": 257}, "at `$.jobs`"),
    ({"timeout": 0}, "at `$.timeout`"),
    ({"timeout": -1.0}, "at `$.timeout`"),
    ({"timeout": "5"}, "at `$.timeout`"),
    ({"start_timeout": 0.0009}, "at `$.start_timeout`"),
    ({"total_timeout": float("nan")}, "at `$.total_timeout`"),
    ({"total_timeout": float("inf")}, "at `$.total_timeout`"),
]


#: A function, and each wrong number. An iterator has no `maxfail`, since whoever follows it stops it.
CALLS = [
    *((run, arguments, words) for arguments, words in WRONG_NUMBERS),
    *((stream, arguments, words) for arguments, words in WRONG_NUMBERS if "maxfail" not in arguments),
]


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        pytest.param(call, arguments, words, id=f"{call.__name__}-{name}-{number}")
        for call, arguments, words in CALLS
        for name, number in arguments.items()
    ],
)
def test_a_number_that_the_command_refuses_is_refused(call, arguments, message):
    """No question is asked with such a number."""

    def answer(_: dict) -> dict:
        raise AssertionError("it was asked")

    with pytest.raises(ValueError, match=re.escape(message)):
        call(answer, **SECTION, **arguments)


def test_two_processes_share_the_cases(program, tmp_path):
    noting = tmp_path / "serve.sh"  # each process of the program adds a line
    noting.write_text(f'echo >> "{tmp_path}/starts"\nexec "{program}" serve urllib\n', "utf-8")
    shared = run(Program("mine", lambda: ["sh", str(noting)]), **SECTION, jobs=2)
    assert (tmp_path / "starts").read_text("utf-8") == "\n\n"
    assert {answer.outcome for answer in shared.outcomes.values()} == {"pass"}


def test_cases_that_are_not_settled_in_the_total_time_are_aborted():
    late = run(lambda _: time.sleep(0.3), **SECTION, total_timeout=0.2)
    assert {answer.outcome for answer in late.outcomes.values()} == {"aborted"}
    assert late.gate().code is Exit.ADAPTER_DEAD


def _adapter_without_a_hello():
    adapter = partial(answer)
    adapter.hello = {"implementation": "mine"}
    return adapter


def _no_runtime() -> list[str]:
    raise NotInstalled("no runtime")


@pytest.mark.parametrize(
    ("selection", "rfcs", "sections"),
    [
        pytest.param({"spec": "rfc2732"}, ["rfc2732"], ["2", "3"], id="whole"),
        pytest.param({"spec": "rfc2732", "section": "3"}, [], ["3"], id="a-section"),
        pytest.param({"spec": "rfc2732", "words": "3-host-name"}, [], [], id="some-of-a-section"),
    ],
)
@pytest.mark.sampled(3)
def test_compliance_needs_every_vector_of_the_rfc(selection, rfcs, sections):
    """If a vector was not asked, neither its RFC nor its section complies."""
    report = run("reference", **selection)
    assert [spec for spec, score in report.totals.items() if score.complies] == rfcs
    assert [section for (_, section), score in report.sections.items() if score.complies] == sections


def test_wrong_answers_comply_with_nothing():
    report = run(lambda _: {"status": "reject"}, spec="rfc2732")
    assert {score.complies for score in report.totals.values()} == {False}
    assert {score.complies for score in report.sections.values()} == {False}


def test_a_section_that_passed_does_not_comply_in_a_stopped_run():
    """Every vector of the section was asked before the run was stopped at another RFC."""
    hello, right = adapter_of("reference").load()

    def wrong_later(question: dict) -> dict:
        return right(question) if question["spec"] == "rfc1738" else {"status": "error"}

    wrong_later.hello = hello
    report = run(wrong_later, spec=["rfc1738", "rfc2732"], maxfail=1)
    assert not report.results.complete
    score = report.sections["rfc1738", "5"]
    assert score.compliance.total > 0
    assert score.compliance.passed == score.compliance.total
    assert not score.complies


def without_time(answer):
    """Return an answer that took no time."""
    return structs.replace(answer, seconds=0.0)


def test_the_iterator_gives_what_a_report_has():
    """Only the times differ, which a busy machine can make longer."""
    streamed = {case.vector.id: without_time(answer) for case, answer in stream(LIBRARY, **SECTION)}
    outcomes = run(LIBRARY, **SECTION).outcomes
    assert streamed == {identifier: without_time(answer) for identifier, answer in outcomes.items()}


def test_an_iterator_that_is_closed_ends_its_adapter(adapter, tmp_path, alive):
    command = adapter(f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))")
    following = stream(Program("mine", lambda: command), spec="rfc3986")
    next(following)
    pid = int((tmp_path / "pid").read_text("ascii"))
    following.close()
    assert not alive(pid)


def test_the_results_file_of_a_run_has_its_timeouts(tmp_path):
    """Whoever asks a case again needs them."""
    path = tmp_path / "results.jsonl"
    run(LIBRARY, **SECTION, results=path, timeout=7, start_timeout=40)
    results = read_results(path)
    assert results.complete
    assert results.header.timeout == 7
    assert results.header.start_timeout == 40


def test_a_report_does_not_need_its_results_file(tmp_path):
    path = tmp_path / "results.jsonl"
    report = run(LIBRARY, **SECTION, results=path)
    path.unlink()
    assert report.outcomes["rfc3986-5.4.1-ex-20"].outcome == "fail"


def refuse_bad(url: str) -> None:
    """Refuse one text by an exception."""
    if url == "bad":
        raise ValueError("no")


@pytest.fixture
def lib():
    """An adapter with two rules to validate, and without a function that resolves."""
    return functions(
        "lib",
        validate={"URI-reference": refuse_bad, "host": lambda url: url != "x"},
        parse=lambda url: {"path": url},
        normalize=str.lower,
        recompose=lambda parts: "".join(filter(None, parts.values())),
    )


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        pytest.param({"op": "validate", "url": "a"}, {"status": "ok"}, id="default-rule"),
        pytest.param({"op": "validate", "rule": "URI-reference", "url": "a"}, {"status": "ok"}, id="rule"),
        pytest.param(
            {"op": "validate", "rule": "URI-reference", "url": "bad"},
            {"status": "reject", "message": "no"},
            id="refused-by-an-exception",
        ),
        pytest.param(
            {"op": "validate", "rule": "host", "url": "x"}, {"status": "reject"}, id="refused-by-false"
        ),
        pytest.param({"op": "parse", "url": "a"}, {"status": "ok", "components": {"path": "a"}}, id="parse"),
        pytest.param({"op": "normalize", "url": "A"}, {"status": "ok", "url": "a"}, id="normalize"),
        pytest.param(
            {"op": "recompose", "components": {"path": "a"}}, {"status": "ok", "url": "a"}, id="recompose"
        ),
    ],
)
def test_functions_answer_questions(lib, question, reply):
    assert lib({"spec": "rfc3986", **question}) == reply


@pytest.mark.parametrize(
    ("question", "message"),
    [
        pytest.param({"op": "validate", "rule": "port", "url": "x"}, "no function for port", id="rule"),
        pytest.param(
            {"op": "validate", "url": {"hex": "ff"}}, "its functions take text, not bytes", id="bytes"
        ),
        pytest.param(
            {"op": "normalize", "mode": "scheme", "url": "A"}, "no normalize in mode scheme", id="mode"
        ),
        pytest.param({"op": "resolve", "base": "a:", "reference": "b"}, "no resolve", id="operation"),
    ],
)
def test_a_question_without_a_function_is_unsupported(lib, question, message):
    assert lib({"spec": "rfc3986", **question}) == {"status": "unsupported", "message": message}


def _raise_key_error(url: str) -> dict:
    raise KeyError(url)


def test_the_hello_of_functions_names_operations_and_features():
    library = functions(
        "lib",
        "2",
        specs=["rfc1808"],
        validate=_raise_key_error,
        parse=_raise_key_error,
        absent_vs_empty=True,
    )
    assert library.hello["implementation"] == {"name": "lib", "version": "2", "language": "python"}
    assert library.hello["ops"] == ["validate", "parse"]
    assert library.hello["features"] == ["absent-vs-empty", "validate-by-parse"]


def test_an_exception_of_a_function_is_raised():
    library = functions("lib", specs=["rfc1808"], parse=_raise_key_error)
    with pytest.raises(KeyError, match=r"^'a'$"):
        library({"op": "parse", "spec": "rfc1808", "url": "a"})


def test_the_import_of_the_package_loads_no_module_of_it():
    code = """
import sys, urlharness
print(*[name for name in sys.modules if name.startswith("urlharness.")])
"""
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert completed.stdout.strip() == ""


@pytest.mark.parametrize("name", urlharness.__all__)
def test_the_package_has_every_name_of_its_interface(name):
    assert hasattr(urlharness, name)


def test_an_unknown_name_of_the_package_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = urlharness.nothing


def refuse(_):
    raise ValueError("no")


#: A text, and functions that answer rightly for it.
AGREEMENTS = [
    pytest.param("../g", {"base": "http://a/b/c/d", "resolve": urljoin}, id="resolve"),
    pytest.param("http://a/%7e", {"normalize": lambda _: "http://a/~"}, id="normalize"),
    pytest.param("http://a/", {"validate": str, "parse": lambda _: {"host": "a"}}, id="validate-and-parse"),
    pytest.param("http://a/[", {"parse": refuse}, id="refusal"),
    pytest.param("b", {"validate": refuse, "rule": "URI"}, id="rule"),  # a relative reference is no URI
]

#: A text, and functions that answer rightly for it under RFC 3987.
AGREEMENTS_ON_IRIS = [
    pytest.param(
        "x:\u00e9", {"validate": str, "parse": lambda _: {"path": "\u00e9"}}, id="validate-and-parse"
    ),
    pytest.param("\u00fc", {"base": "x:/\u00e9", "resolve": lambda *_: "x:/\u00fc"}, id="resolve"),
    pytest.param("x:%c3%a9", {"normalize": lambda _: "x:\u00e9"}, id="normalize"),
    pytest.param("x:%c3%a9", {"normalize": lambda _: "x:%C3%A9"}, id="normalize-ascii-alone"),
    pytest.param("x:\u00e9", {"to_uri": lambda _: "x:%C3%A9"}, id="to-uri"),
    pytest.param("http://\u00e9/", {"to_uri": lambda _: "http://xn--9ca/"}, id="to-uri-with-idna"),
    pytest.param(
        "http://fa\u00df/", {"to_uri": lambda _: "http://xn--fa-hia/"}, id="to-uri-with-idna-of-2008"
    ),
    pytest.param("http://\u2603/", {"to_uri": refuse}, id="to-uri-refused-by-idna-of-2008"),
    pytest.param("x:|", {"to_uri": lambda _: "x:%7c"}, id="to-uri-in-lower-case"),
    pytest.param("x:%E3%80%80", {"to_iri": str}, id="to-iri-of-a-blank-that-stays"),
    pytest.param("x:%D8%9C", {"to_iri": str}, id="to-iri-of-a-mark-that-stays"),
    pytest.param(
        "x:%EF%BC%9F%EF%BC%A1", {"to_iri": lambda _: "x:\uff1f%EF%BC%A1"}, id="to-iri-of-one-that-stays"
    ),
    pytest.param("x:|", {"to_uri": refuse}, id="to-uri-refused"),
    pytest.param("x:|", {"to_uri": lambda _: "x:%7C"}, id="to-uri-of-what-is-no-iri"),
    pytest.param("x:%c3%a9%2f", {"to_iri": lambda _: "x:\u00e9%2f"}, id="to-iri"),
    pytest.param("x:\u00e9", {"to_iri": refuse}, id="to-iri-refused"),
    pytest.param("x:\u202e", {"validate": refuse, "parse": refuse}, id="formatting-character"),
]


@pytest.mark.parametrize(("text", "call"), AGREEMENTS)
def test_a_right_answer_conforms(text, call):
    assert_conforms(text, **call)


@pytest.mark.parametrize(("text", "call"), AGREEMENTS_ON_IRIS)
def test_a_right_answer_about_an_iri_conforms(text, call):
    assert_conforms(text, spec="rfc3987", **call)


@pytest.mark.parametrize("result", ["http://a/g", "http://a/../g"])
def test_every_admitted_answer_conforms(result):
    """R-2396-18: segments `..` that are too many may be kept or dropped."""
    assert_conforms("../g", base="http://a/b", resolve=lambda *_: result, spec="rfc2396")


#: A call that fails, and its message.
DISAGREEMENTS = {
    "parse": (
        {"text": "http://a/B", "parse": lambda text: {"path": urlsplit(text).path.lower()}},
        (
            "parse does not conform to RFC 3986, section 3.3\n"
            "  text      'http://a/B'\n"
            "  expected  scheme 'http', authority 'a', userinfo absent, host 'a', port absent, path '/B', "
            "query absent, fragment absent\n"
            "  actual    path is '/b', not '/B'"
        ),
    ),
    "resolve": (
        {"text": "../g", "base": "http://a/b/c/d", "resolve": lambda base, reference: base + reference},
        (
            "resolve does not conform to RFC 3986, section 5.2\n"
            "  base      'http://a/b/c/d'\n"
            "  reference '../g'\n"
            "  expected  'http://a/b/g'\n"
            "  actual    'http://a/b/c/d../g'"
        ),
    ),
    "normalize": (
        {"text": "HTTP://a/", "normalize": str},
        (
            "normalize does not conform to RFC 3986, section 6.2\n"
            "  text      'HTTP://a/'\n"
            "  expected  'http://a/'\n"
            "  actual    'HTTP://a/'"
        ),
    ),
    "refuses": (
        {"text": "a:b", "validate": lambda _: False},
        (
            "validate does not conform to RFC 3986, section 4.1\n"
            "  text      'a:b'\n"
            "  expected  valid\n"
            "  actual    rejected"
        ),
    ),
    "accepts": (
        {"text": "b", "validate": lambda _: True, "rule": "URI"},
        (
            "validate does not conform to RFC 3986, section 3\n"
            "  text      'b'\n"
            "  expected  invalid\n"
            "  because   it ends too early; expected a-z A-Z 0-9 + - . : (section 3)\n"
            "  actual    accepted, although it is not valid"
        ),
    ),
}


DISAGREEMENTS |= {
    "normalize-iri": (
        {"text": "x:%c3%a9", "normalize": lambda _: "x:e", "spec": "rfc3987"},
        (
            "normalize does not conform to RFC 3987, section 5.3\n"
            "  text      'x:%c3%a9'\n"
            "  expected  'x:\u00e9' or 'x:%C3%A9' (ucs-encoded)\n"
            "  actual    'x:e'"
        ),
    ),
    "to-uri": (
        {"text": "x:\U00010300", "to_uri": lambda _: "x:%ED%A0%80%ED%BC%80", "spec": "rfc3987"},
        (
            "to_uri does not conform to RFC 3987, section 3.1\n"
            "  text      'x:\U00010300'\n"
            "  expected  'x:%F0%90%8C%80' or 'x:%f0%90%8c%80' (lower-case)\n"
            "  because   no admitted URI continues as this one does at offset 3\n"
            "  actual    'x:%ED%A0%80%ED%BC%80'"
        ),
    ),
    "to-iri": (
        {"text": "x:%e2%80%ae", "to_iri": lambda _: "x:\u202e", "spec": "rfc3987"},
        (
            "to_iri does not conform to RFC 3987, section 3.2\n"
            "  text      'x:%e2%80%ae'\n"
            "  expected  'x:%E2%80%AE' or 'x:%e2%80%ae' (case-kept)\n"
            "  because   %e2%80%ae at offset 2 must stay\n"
            "  actual    'x:\\u202e'"
        ),
    ),
}


@pytest.mark.parametrize("name", DISAGREEMENTS)
def test_a_wrong_answer_does_not_conform(name):
    call, message = DISAGREEMENTS[name]
    with pytest.raises(AssertionError) as caught:
        assert_conforms(**call)
    assert str(caught.value) == message


#: A call that asks nothing, and its message.
NOTHING_ASKED = [
    pytest.param({}, "no function to ask", id="no-function"),
    pytest.param({"resolve": urljoin}, "`resolve` needs a `base`", id="resolve-without-a-base"),
    pytest.param({"parse": dict, "base": "a:"}, "`base` is only for `resolve`", id="base-for-parse"),
    pytest.param({"parse": dict, "rule": "URI"}, "`rule` is only for `validate`", id="rule-for-parse"),
    pytest.param(
        {"normalize": str, "spec": "rfc1808"}, "RFC 1808 does not define how to normalize", id="no-operation"
    ),
    pytest.param({"to_uri": str}, "RFC 3986 does not define", id="no-mapping"),
]


@pytest.mark.parametrize(("call", "message"), NOTHING_ASKED)
def test_assert_conforms_refuses_calls_that_ask_nothing(call, message):
    with pytest.raises(ValueError, match=message):
        assert_conforms("a", **call)


#: A call whose function returns no answer, and its message.
NO_ANSWERS = [
    pytest.param({"parse": lambda _: {"port": 80}}, "components.port is 80, expected a string", id="number"),
    pytest.param({"parse": urlsplit}, "parse returned a SplitResult, not a mapping", id="tuple"),
    pytest.param({"parse": lambda _: None}, "parse returned a NoneType, not a mapping", id="nothing"),
    pytest.param(
        {"parse": lambda _: {"scheme": "http", "hostname": "WRONG"}},
        "unknown component 'hostname'; a component is called host; the names are scheme, authority, userinfo",
        id="hostname",
    ),
    pytest.param({"parse": lambda _: {"Path": ""}}, "'Path'; a component is called path", id="capital"),
    pytest.param(
        {"parse": lambda _: {"netloc": "WRONG"}, "spec": "rfc1808"},
        "'netloc'; a component is called net_loc; the names are scheme, net_loc, path",
        id="name-of-the-rfc",
    ),
    pytest.param(
        {"parse": lambda _: {"x": ""}, "rejects": (Exception,)}, "unknown component 'x'; the", id="other"
    ),
    pytest.param({"normalize": lambda _: None}, "normalize returned no valid answer: url is null", id="null"),
    pytest.param(
        {"resolve": lambda *texts: resolve(*texts, "rfc3986"), "base": "http://h/"},
        "; return its .text$",
        id="record-with-text",
    ),
    pytest.param({"normalize": str.encode}, "url is a bytes, expected a string", id="bytes"),
]


@pytest.mark.parametrize(("call", "message"), NO_ANSWERS)
def test_a_function_that_returns_no_answer_does_not_conform(call, message):
    with pytest.raises(TypeError, match=message):
        assert_conforms("http://a:80/", **call)
