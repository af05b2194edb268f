"""The pytest plugin under pytest-xdist: each worker has an adapter, the controller judges the session."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

#: An adapter that gives wrong answers, or none if there is a file `silent`, and notes which worker asks it.
CONFTEST = """
from pathlib import Path
from urllib.parse import urljoin
from urlharness import functions

def pytest_urlconform_adapter(name, config):
    if name != "lib":
        return None
    library = functions("lib", "1", specs=["rfc3986"], resolve=lambda *_: "x:")
    def answer(question):
        with open("workers", "a") as stream:
            print(getattr(config, "workerinput", {}).get("workerid"), file=stream)
        return {"status": "unsupported"} if Path("silent").exists() else library(question)
    answer.hello = library.hello
    return answer
"""
NODE = "urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-"


@pytest.fixture
def run(pytester):
    """Return a function that runs pytest with two workers over one section, and returns its result."""
    pytester.makeconftest(CONFTEST)
    options = "-p no:cacheprovider -p no:hypothesispytest"
    pytester.makeini(f"[pytest]\naddopts = {options}\nurlconform_section = 5.4.1\n")

    def start(*arguments, adapter="lib"):
        return pytester.runpytest_subprocess("--urlconform", adapter, "-n", "2", *arguments, timeout=120)

    return start


#: RFC 3986, section 5.4.1, has so many examples.
EXAMPLES = 23


class FailingSession(NamedTuple):
    """The output of a session in which every vector fails, and the files that it writes."""

    outcomes: dict[str, int]
    lines: list[str]
    workers: str
    junit: str


@pytest.fixture
def failing_session(run, pytester, computed_once):
    """The session in which every vector fails; it runs once for the tests that read it."""

    def read():
        session = run("-q", "-rf", "--junitxml", "junit.xml")
        workers, junit = ((pytester.path / name).read_text("utf-8") for name in ("workers", "junit.xml"))
        return session.parseoutcomes(), session.outlines, workers, junit

    return FailingSession(*computed_once("failing-session-of-workers", read))


def test_workers_share_the_vectors(failing_session):
    """Each vector is asked once."""
    assert failing_session.outcomes == {"failed": EXAMPLES}
    failed = {line.split()[1] for line in failing_session.lines if line.startswith("FAILED")}
    assert failed == {f"{NODE}{number:02}" for number in range(1, EXAMPLES + 1)}
    assert set(failing_session.workers.split()) == {"gw0", "gw1"}


def test_junit_xml_of_workers_groups_vectors_by_section(failing_session):
    assert 'classname="urlconform.rfc3986.5.4.1"' in failing_session.junit


def test_a_session_in_which_no_worker_judged_anything_fails_with_one_message(run, pytester):
    (pytester.path / "silent").touch()
    session = run()
    lines = [line for line in session.outlines if "was judged" in line]
    assert lines == ["urlconform: nothing was judged: lib: it answered no vector that was selected"]
    assert session.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.long
def test_an_id_that_does_not_exist_is_wrong_use(run):
    session = run(f"{NODE}01", "urlconform/rfc9999/1::typo")
    assert session.ret == pytest.ExitCode.USAGE_ERROR
    session.stderr.fnmatch_lines(["ERROR: urlconform: not found: urlconform/rfc9999/1::typo (*"])
    assert session.parseoutcomes() == {}


def test_a_dead_adapter_is_an_error(run):
    session = run(adapter="python:gone:f")
    session.stdout.fnmatch_lines(["*No module named 'gone'*"])
    assert session.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.long
def test_vectors_that_are_not_offered_are_counted_once(run, corpus):
    """Each worker leaves out the same vectors, those of recomposition, and the controller counts them."""
    cases = [case for case in corpus.cases if (case.spec, case.section) == ("rfc3986", "5.3")]
    not_offered = [case for case in cases if case.vector.op == "recompose"]
    session = run("--urlconform-section", "5.3")
    (line,) = [line for line in session.outlines if "deselected" in line]
    assert line.startswith(f"urlconform: {len(not_offered)} vectors deselected")


def test_workers_record_each_distinct_call_once_in_one_file(pytester):
    """Six tests make the call for `a:b` (`--urlconform-record`)."""
    pytester.makepyfile(library="def is_url(text):\n    return ':' in text\n")
    pytester.makepyfile(
        test_own="""
        import library, pytest
        @pytest.mark.parametrize("number", range(6))
        def test_it(number):
            library.is_url("a:b")
            library.is_url(f"a:{number}")
    """
    )
    option = "--urlconform-record=python:library:is_url=calls.jsonl"
    pytester.runpytest_subprocess("-n", "2", option, timeout=120)
    lines = (pytester.path / "calls.jsonl").read_text("ascii").splitlines()
    texts = sorted(json.loads(line)["arguments"]["text"] for line in lines)
    assert texts == [*(f"a:{number}" for number in range(6)), "a:b"]
