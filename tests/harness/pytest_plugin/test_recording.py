"""`pytest --urlconform-record`: each distinct call of a function is a line of JSON."""

from __future__ import annotations

import importlib
import json

import pytest

LIBRARY = """
def is_url(text):
    if not isinstance(text, str):
        raise TypeError("no text")
    return ":" in text and " " not in text

def join(base, ref="", *, strict=False):
    return base + ref

def parse(text):
    return Parsed(text) if is_url(text) else None

def twice(text):
    return twice(text[1:]) if text else "end"

class Parsed:
    def __init__(self, text):
        self.text = text
    def __str__(self):
        return self.text
"""
#: Imports the function by name, before the plugin starts.
EARLY = "from library import is_url\ndef check(text): return is_url(text)\n"


@pytest.fixture
def run_pytest(pytester):
    """Return a function that runs pytest in this process; pytester restores the loaded modules."""
    return pytester.runpytest_inprocess


@pytest.fixture
def record(pytester, monkeypatch, run_pytest):
    """Return a function that runs tests while calls are recorded; it returns the run, and the calls."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider\n")
    pytester.makepyfile(library=LIBRARY, early=EARLY)
    pytester.makeconftest("import early\n")

    def run(tests, target="library:is_url", *options):
        pytester.makepyfile(test_own=tests)
        option = f"--urlconform-record=python:{target}=calls.jsonl"
        done = run_pytest("-p", "urlharness.pytest_plugin", option, *options)
        file = pytester.path / "calls.jsonl"
        lines = file.read_text("ascii").splitlines() if file.exists() else []
        return done, [json.loads(line) for line in lines]

    return run


def test_a_call_is_recorded_with_its_answer_and_its_test(record):
    _, calls = record("import library\ndef test_it(): library.is_url('a:b')\n")
    assert calls == [
        {
            "operation": "validate",
            "arguments": {"text": "a:b"},
            "result": True,
            "test": "test_own.py::test_it",
        }
    ]


def test_an_exception_is_recorded_and_raised(record):
    tests = """
        import library, pytest
        def test_it():
            with pytest.raises(TypeError):
                library.is_url(3)
    """
    done, calls = record(tests)
    done.assert_outcomes(passed=1)
    assert calls[0]["arguments"] == {"text": 3}
    assert calls[0]["exception"] == "TypeError: no text"
    assert "result" not in calls[0]


#: Tests that make the same call three times.
EQUAL_CALLS = """
    import library
    def test_it():
        library.is_url("a:b")
        library.is_url(text="a:b")
    def test_again():
        library.is_url("a:b")
"""


def test_equal_calls_are_recorded_once(record):
    _, calls = record(EQUAL_CALLS)
    assert len(calls) == 1


def test_the_distinct_calls_are_counted_at_the_end(record):
    done, _ = record(EQUAL_CALLS)
    done.stdout.fnmatch_lines(["urlconform: 1 distinct call of library:is_url in *calls.jsonl"])


WAYS = {
    "imported-by-name-before": "from early import check\ndef test_it(): check('a:b')",
    "imported-by-name-after": "from library import is_url\ndef test_it(): is_url('a:b')",
    "other-name": "from library import is_url as f\ndef test_it(): f('a:b')",
    "inside-the-library": "import library\ndef test_it(): library.parse('a:b')",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_call_is_recorded_however_the_function_was_imported(record, way):
    _, calls = record(WAYS[way])
    assert [call["arguments"] for call in calls] == [{"text": "a:b"}]


#: A function, a call of it, and the operation, the arguments and the answer that are recorded.
ANSWERS = [
    pytest.param("library:join", "join('a:', 'b')", "resolve", "a:b", id="resolve"),
    pytest.param("library:parse", "parse('a:b')", "parse", {"type": "Parsed", "text": "a:b"}, id="object"),
    pytest.param("library:parse", "parse('a')", "parse", None, id="nothing"),
    pytest.param("library:parse:validate", "parse('a')", "validate", None, id="named-operation"),
    pytest.param("library:twice", "twice('aaa')", "parse", "end", id="recursion"),
]


@pytest.mark.parametrize(("target", "call", "operation", "answer"), ANSWERS)
def test_a_recorded_call_has_its_operation_and_answer(record, target, call, operation, answer):
    _, (recorded,) = record(f"import library\ndef test_it(): library.{call}\n", target)
    assert recorded["operation"] == operation
    assert recorded["result"] == answer


def test_a_call_outside_tests_names_no_test(record):
    _, calls = record("import library\nlibrary.is_url('a:b')\ndef test_it(): pass\n")
    assert calls[0]["test"] is None


def test_the_function_is_put_back(pytester):
    pytester.makepyfile(library=LIBRARY, early=EARLY)
    pytester.makepyfile(test_own="def test_it(): pass\n")
    pytester.syspathinsert()
    library = importlib.import_module("library")
    early = importlib.import_module("early")
    function = library.is_url
    pytester.runpytest_inprocess("--urlconform-record=python:library:is_url=calls.jsonl")
    assert library.is_url is function
    assert early.is_url is function


REFUSED = [
    pytest.param("library", "is not python:MODULE:FUNCTION=FILE", id="no-function"),
    pytest.param("library:is_url:guess", "no operation 'guess'", id="operation"),
    pytest.param("nothing:is_url", "No module named 'nothing'", id="module"),
    pytest.param("library:nothing", "has no attribute 'nothing'", id="function"),
    pytest.param("library:Parsed", "library:Parsed is a class", id="class"),
]


@pytest.mark.parametrize(("target", "message"), REFUSED)
def test_a_function_that_cannot_be_recorded_is_refused(record, target, message):
    done, calls = record("def test_it(): pass\n", target)
    assert calls == []
    done.stderr.fnmatch_lines([f"*{message}*"])


def test_a_file_that_cannot_be_written_is_refused(pytester):
    pytester.makepyfile(library=LIBRARY)
    done = pytester.runpytest_inprocess("--urlconform-record=python:library:is_url=no/calls.jsonl")
    done.stderr.fnmatch_lines(["*no/calls.jsonl: No such file or directory*"])
