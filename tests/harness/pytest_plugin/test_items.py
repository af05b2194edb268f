"""Items of vectors: selection, skips, expected failures, explanations."""

from __future__ import annotations

import re
import sys

import pytest

from urlharness.gate.baseline import Entry

NODE = "urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-"
#: The settings of a project select the normal examples that RFC 3986, section 5.4.1, prints.
EXAMPLES = 23
#: Answers of a library to two of the examples, which are wrong.
WRONG = {"../g": "http://a/g", "g;x": ValueError("a semicolon")}


def test_each_vector_is_an_item(project, pytester, normal_examples):
    project()
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--collect-only", "-q")
    nodes = [line for line in session.outlines if line.startswith("urlconform")]
    assert nodes == [f"urlconform/rfc3986/5.4.1::{identifier}" for identifier in normal_examples]


def test_items_are_collected_by_adapter_and_section(project, pytester):
    project()
    tree = pytester.runpytest_inprocess("--urlconform", "lib", "--collect-only", f"{NODE}07")
    tree.stdout.fnmatch_lines(
        ["<AdapterNode lib>", "  <SectionNode RFC 3986 5.4.1 *>", "    <VectorItem rfc3986-5.4.1-ex-07>"]
    )


def test_the_settings_select_the_normal_examples_of_rfc_3986(normal_examples):
    assert len(normal_examples) == EXAMPLES


def test_a_right_library_passes(project, pytester):
    project()
    assert pytester.runpytest_inprocess("--urlconform", "lib").parseoutcomes() == {"passed": EXAMPLES}


def test_a_failure_is_explained(project, pytester):
    project(WRONG)
    session = pytester.runpytest_inprocess("--urlconform", "lib")
    assert session.parseoutcomes() == {"passed": EXAMPLES - 2, "failed": 2}
    session.stdout.fnmatch_lines(
        [
            "urlconform/rfc3986/5.4.1 ............F......F...*",
            "*_ rfc3986-5.4.1-ex-13 (lib) _*",
            "fail: rejected: a semicolon",
            "*_ rfc3986-5.4.1-ex-20 (lib) _*",
            "fail: got 'http://a/g'",
            "requirement  *(rfc3986-5.4.1*)",
            "section      RFC 3986, section 5.4.1, paragraph *",
            "flag         basic: *",
            "question     resolve base <http://a/b/c/d;p?q>, reference <../g>",
            "expected     'http://a/b/g'",
            'got          {"status":"ok","url":"http://a/g"}',
            f"again        pytest --urlconform lib {NODE}20",
            f"FAILED {NODE}20 - *",
        ],
        consecutive=False,
    )


def test_a_failure_has_no_traceback(project, pytester):
    project(WRONG)
    session = pytester.runpytest_inprocess("--urlconform", "lib")
    assert session.parseoutcomes() == {"passed": EXAMPLES - 2, "failed": 2}
    session.stdout.no_fnmatch_line("*Traceback*")
    session.stdout.no_fnmatch_line("*nodes.py*")


@pytest.fixture
def wrong_project(project, pytester):
    """A project whose library gives two wrong answers, and with a test of its own."""
    project(WRONG)
    pytester.makepyfile(test_own="def test_own():\n    pass\n")


@pytest.mark.usefixtures("wrong_project")
@pytest.mark.parametrize(
    ("node_id", "counts"),
    [
        (f"{NODE}20", {"failed": 1}),
        ("urlconform/rfc3986/5.4", {"passed": EXAMPLES - 2, "failed": 2}),
        ("urlconform/rfc3986", {"passed": EXAMPLES - 2, "failed": 2}),
    ],
    ids=["vector", "section", "rfc"],
)
def test_a_node_id_selects_its_vectors_and_no_other_test(pytester, node_id, counts):
    assert pytester.runpytest_inprocess("--urlconform", "lib", node_id).parseoutcomes() == counts


@pytest.mark.usefixtures("wrong_project")
def test_a_session_without_a_node_id_runs_vectors_and_other_tests(pytester):
    counts = pytester.runpytest_inprocess("--urlconform", "lib").parseoutcomes()
    right_answers = EXAMPLES - len(WRONG)
    own_tests = 1
    assert counts == {"passed": right_answers + own_tests, "failed": len(WRONG)}


@pytest.mark.usefixtures("wrong_project")
def test_a_node_id_and_a_file_select_both(pytester):
    session = pytester.runpytest_inprocess("--urlconform", "lib", f"{NODE}01", "test_own.py")
    assert session.parseoutcomes() == {"passed": 2}


def test_the_line_to_paste_has_what_selected_the_vector(project, pytester, ids_of_section):
    """The proposed command repeats the options that override the ini file."""
    project({"g;x=1/./y": "x:"})
    options = (
        "--urlconform-section",
        "5.4.2",
        "--urlconform-timeout",
        "7",
        "--urlconform-start-timeout",
        "40",
    )
    session = pytester.runpytest_inprocess("--urlconform", "lib", *options)
    assert session.parseoutcomes() == {"passed": len(ids_of_section("5.4.2")) - 1, "failed": 1}
    (line,) = [line for line in session.outlines if line.startswith("again")]
    _again, program, *arguments, node = line.split()
    assert program == "pytest"
    assert arguments == ["--urlconform", "lib", *options]
    assert pytester.runpytest_inprocess(*arguments, node).parseoutcomes() == {"failed": 1}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(
            ["-k", "ex-20 or ex-01"], {"passed": 1, "failed": 1, "deselected": EXAMPLES - 2}, id="word"
        ),
        pytest.param(
            ["-m", "urlconform(flag='security')"], {"passed": 2, "deselected": EXAMPLES - 2}, id="flag"
        ),
        pytest.param(["-m", "urlconform(level='must')"], {"deselected": EXAMPLES}, id="level"),
        pytest.param(
            ["-m", "urlconform(section='5.4.1')"], {"passed": EXAMPLES - 2, "failed": 2}, id="place"
        ),
        pytest.param(["-m", "not urlconform"], {"deselected": EXAMPLES}, id="none-of-them"),
        # `g;x`, the thirteenth example, is the first to which the answer is wrong
        pytest.param(["-x"], {"passed": 12, "failed": 1}, id="first"),
        pytest.param(
            ["--deselect", f"{NODE}13"], {"passed": EXAMPLES - 2, "failed": 1, "deselected": 1}, id="deselect"
        ),
        pytest.param(["--urlconform-flag", "security"], {"passed": 2}, id="own-flag"),
        pytest.param(["--urlconform-fail-on", "must"], {"passed": EXAMPLES - 2, "xfailed": 2}, id="levels"),
    ],
)
def test_an_option_selects_vectors_and_levels(project, pytester, arguments, expected):
    project(WRONG)
    assert pytester.runpytest_inprocess("--urlconform", "lib", *arguments).parseoutcomes() == expected


def test_the_option_of_a_section_overrides_the_ini_file(project, pytester, ids_of_section):
    project()
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-section", "5.4.2")
    assert session.parseoutcomes() == {"passed": len(ids_of_section("5.4.2"))}


BASELINE = {"rfc3986-5.4.1-ex-20": "http://a/g"}


@pytest.fixture
def session_with_baseline(project, baseline, pytester):
    """Return a function that asks a library with these wrong answers; the baseline lists one for `../g`."""

    def run(wrong):
        project(wrong, "urlconform_baseline = baseline.json")
        baseline(BASELINE)
        return pytester.runpytest_inprocess("--urlconform", "lib")

    return run


def test_a_wrong_answer_that_the_baseline_lists_is_an_expected_failure(session_with_baseline):
    session = session_with_baseline({"../g": "http://a/g"})
    assert session.parseoutcomes() == {"passed": EXAMPLES - 1, "xfailed": 1}
    assert session.ret == pytest.ExitCode.OK


@pytest.mark.parametrize(
    ("wrong", "expected", "patterns"),
    [
        pytest.param(
            {}, {"passed": EXAMPLES - 1, "failed": 1}, [r"XPASS\(strict\)\] baseline.json: fail"], id="stale"
        ),
        pytest.param(
            {"../g": "http://a/c/g"},
            {"passed": EXAMPLES - 1, "failed": 1},
            [r"^changed: .*http://a/g.*now fail: got 'http://a/c/g'", "^listed .*http://a/g"],
            id="changed",
        ),
        pytest.param(
            {"../g": "http://a/g", "g;x": "x:"},
            {"passed": EXAMPLES - 2, "failed": 1, "xfailed": 1},
            ["^fail: got 'x:'"],
            id="regression",
        ),
    ],
)
def test_an_answer_other_than_the_baseline_lists_fails(session_with_baseline, wrong, expected, patterns):
    session = session_with_baseline(wrong)
    output = session.stdout.str()
    assert [pattern for pattern in patterns if not re.search(pattern, output, re.MULTILINE)] == []
    assert session.parseoutcomes() == expected
    assert session.ret == pytest.ExitCode.TESTS_FAILED


def test_a_listed_answer_that_is_not_offered_any_more_is_lost(project, baseline, pytester):
    project(ini="urlconform_baseline = baseline.json", operation="recompose")
    baseline(BASELINE)
    text = pytester.runpytest_inprocess("--urlconform", "lib").stdout.str()
    assert re.search("^lost: answered wrong, now not offered", text, re.MULTILINE)
    assert re.search("^listed .*http://a/g", text, re.MULTILINE)
    assert text.count("lost: ") == 2  # the failed item and its line in the summary


def test_a_vector_that_has_moved_fails(project, baseline, pytester):
    project({"../g": "http://a/g"})
    baseline(BASELINE, digest="0" * 12)
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-baseline", "baseline.json")
    session.stdout.fnmatch_lines(["moved: the vector has changed since the baseline listed it*"])
    assert session.parseoutcomes() == {"passed": EXAMPLES - 1, "failed": 1}


def test_an_unknown_id_fails(project, baseline, pytester):
    project()
    baseline({}, [Entry("rfc3986-5.4.1-gone", "fail", {}, "0" * 12)])
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-baseline", "baseline.json")
    assert session.parseoutcomes() == {"passed": EXAMPLES, "failed": 1}
    session.stdout.fnmatch_lines(
        ["unknown id in *baseline.json: *", "FAILED urlconform/baseline::rfc3986-5.4.1-gone*"]
    )


def test_runxfail_fails_known_wrong_answers_with_their_explanation(project, baseline, pytester):
    project({"../g": "http://a/g"})
    baseline(BASELINE)
    session = pytester.runpytest_inprocess(
        "--urlconform", "lib", "--urlconform-baseline", "baseline.json", "--runxfail"
    )
    assert session.parseoutcomes() == {"passed": EXAMPLES - 1, "failed": 1}
    session.stdout.fnmatch_lines(["fail: got 'http://a/g'"])


SILENT_CONFTEST = """
def answer(question):
    return {"status": "unsupported"}


answer.hello = {"ops": ["resolve"], "specs": ["rfc3986"]}


def pytest_urlconform_adapter(name):
    return answer
"""


@pytest.mark.parametrize(
    ("strict_option", "outcome"),
    [((), "skipped"), (("--urlconform-strict",), "failed")],
    ids=["plain", "strict"],
)
def test_a_vector_of_a_claimed_operation_without_an_answer_is_skipped_and_fails_strictly(
    pytester, strict_option, outcome
):
    pytester.makeconftest(SILENT_CONFTEST)
    arguments = ("--urlconform", "lib", "--urlconform-section", "5.4.1", "-p", "no:hypothesispytest")
    assert pytester.runpytest_inprocess(*arguments, *strict_option).parseoutcomes() == {outcome: EXAMPLES}


def test_a_vector_without_an_answer_is_skipped_with_the_reason(project, pytester, cases_of_section):
    """The library offers `resolve` alone."""
    project()
    ops = [case.vector.op for case in cases_of_section("rfc3986", "3.1")]
    session = pytester.runpytest_inprocess(
        "--urlconform", "lib", "urlconform/rfc3986/3.1", "-rs", "--urlconform-section", "3.1"
    )
    assert session.parseoutcomes()["skipped"] == len(ops) - ops.count("resolve")
    session.stdout.fnmatch_lines(["SKIPPED * unsupported: no *"])


def test_a_library_that_claims_less_than_its_baseline_is_still_judged(project, baseline, pytester):
    """An adapter cannot evade its baseline by no longer claiming an RFC."""
    project(WRONG, specs=["rfc1808"])
    baseline(BASELINE, specs=("rfc1808", "rfc3986"))
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-baseline", "baseline.json")
    assert session.parseoutcomes() == {"passed": EXAMPLES - 2, "failed": 1, "xfailed": 1}


PROGRAM = """
import json
import os
import sys

STARTS = open("starts", "a")
print(os.getpid(), file=STARTS, flush=True)
if DIES and len(open("starts").readlines()) > 1:
    sys.exit(7)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        answer = {
            "type": "hello",
            "protocol": 1,
            "implementation": {"name": "p", "version": "1"},
            "ops": ["resolve"],
            "specs": ["rfc3986"],
            "window": WINDOW,
        }
    elif asked["type"] == "bye":
        break
    elif DIES and asked["reference"] == "g/":
        os._exit(9)
    else:
        answer = {"id": asked["id"], "status": "ok", "url": MESSAGE}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def program(project, pytester):
    """Return a function that writes an adapter program and returns the option that names it."""

    def write(message: str = "x:", *, window: int = 8, dies: bool = False) -> list[str]:
        project()
        settings = f"DIES = {dies}\nMESSAGE = {message!r}\nWINDOW = {window}\n"
        text = f"{settings}{PROGRAM}"
        (pytester.path / "program.py").write_text(text, "utf-8")
        return ["--urlconform", f"jsonl:{sys.executable} program.py"]

    return write


def test_all_vectors_are_asked_in_one_session(program, pytester):
    session = pytester.runpytest_inprocess(*program())
    assert session.parseoutcomes() == {"failed": EXAMPLES}
    assert len((pytester.path / "starts").read_text("utf-8").split()) == 1


def test_an_adapter_that_dies_ends_the_run(program, pytester):
    """All answers are wrong, and `g/`, the fourth vector, kills the adapter. No vector after it is asked."""
    session = pytester.runpytest_inprocess(*program(window=1, dies=True))
    session.stdout.fnmatch_lines(["*cannot be started again*"])
    assert session.parseoutcomes() == {"failed": 4}
    assert session.ret == pytest.ExitCode.TESTS_FAILED


def test_hostile_answers_stay_text(program, pytester):
    """Escape sequences and line breaks of an adapter do not reach the terminal, and long answers are cut."""
    hostile = "x:\x1b[31m\r\n\x07::error::\u202e" + "A" * 100_000
    session = pytester.runpytest_inprocess(*program(hostile), "-k", "ex-01")
    text = session.stdout.str()
    assert session.parseoutcomes() == {"failed": 1, "deselected": EXAMPLES - 1}
    assert {"\x1b", "\x07", "\r", "\u202e"}.isdisjoint(set(text))
    assert [line for line in text.splitlines() if line.startswith("::error")] == []
    assert "A" * 10_000 not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--urlconform", "python:gone:f"], "No module named 'gone'", id="dead"),
        pytest.param(["--urlconform", "jsonl:./gone"], "./gone: no such file", id="no-program"),
        pytest.param(["--urlconform-section", "99"], "no vector meets the selection", id="nothing"),
        pytest.param(["--urlconform-policy", "may=listed"], "may is not a binding", id="policy"),
        pytest.param(["--urlconform-fail-on", "x"], "no level named 'x'", id="level"),
    ],
)
@pytest.mark.sampled(2)
def test_a_run_that_cannot_start_is_one_error(project, pytester, arguments, message):
    """An adapter that does not start is a single error, not one for each vector."""
    project()
    session = pytester.runpytest_inprocess("--urlconform", "lib", *arguments)
    assert session.ret == pytest.ExitCode.INTERRUPTED
    assert session.parseoutcomes() == {"errors": 1}
    session.stdout.fnmatch_lines(["*ERROR collecting urlconform*", f"*{message}*"])


def test_a_baseline_of_another_library_is_an_error(project, baseline, pytester):
    project()
    baseline({}, library="other")
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-baseline", "baseline.json")
    assert session.ret == pytest.ExitCode.INTERRUPTED
    session.stdout.fnmatch_lines(
        ["*baseline.json: it was made for implementation 'other', but this one is 'lib'*"]
    )
