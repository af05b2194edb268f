"""The pytest plugin under pytest-xdist: each worker has an adapter, the controller judges the session."""

from __future__ import annotations

import json

import pytest

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
    """Runs pytest with two workers over one section."""
    pytester.makeconftest(CONFTEST)
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider\nurlconform_section = 5.4.1\n")

    def start(*arguments, adapter="lib"):
        return pytester.runpytest_subprocess("--urlconform", adapter, "-n", "2", *arguments, timeout=120)

    return start


def test_workers_share_the_vectors(run, pytester):
    """The same items, each once; JUnit XML groups them by section."""
    session = run("--junitxml", "junit.xml", "-q", "-rf")
    assert session.parseoutcomes() == {"failed": 23}
    failed = {line.split()[1] for line in session.outlines if line.startswith("FAILED")}
    assert failed == {f"{NODE}{number:02}" for number in range(1, 24)}
    assert set((pytester.path / "workers").read_text("utf-8").split()) == {"gw0", "gw1"}
    assert 'classname="urlconform.rfc3986.5.4.1"' in (pytester.path / "junit.xml").read_text("utf-8")


def test_the_controller_knows_of_all_workers(run, pytester):
    (pytester.path / "silent").touch()
    session = run()
    lines = [line for line in session.outlines if "judged" in line]
    words = "urlconform: nothing was judged: lib: it answered no vector that was selected"
    assert lines == [words]
    assert session.ret == 1


def test_an_id_that_does_not_exist_is_wrong_use(run):
    session = run(f"{NODE}01", "urlconform/rfc9999/1::typo")
    assert session.ret == pytest.ExitCode.USAGE_ERROR
    session.stderr.fnmatch_lines(["ERROR: urlconform: not found: urlconform/rfc9999/1::typo (*"])
    assert session.parseoutcomes() == {}


def test_a_dead_adapter_is_an_error(run):
    session = run(adapter="python:gone:f")
    assert session.ret != 0
    session.stdout.fnmatch_lines(["*No module named 'gone'*"])


def test_the_controller_counts_what_is_not_offered(run):
    """Each worker leaves out the same vectors; the controller counts them once."""
    session = run("--urlconform-section", "5.3")
    lines = [line for line in session.outlines if "deselected" in line]
    assert len(lines) == 1
    assert lines[0].startswith("urlconform: ")


def test_workers_record_calls_in_one_file(pytester):
    """`--urlconform-record`: each distinct call once, although two workers make it."""
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
