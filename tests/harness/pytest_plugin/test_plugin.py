"""The plugin in a session: node ids on the command line, and sessions with too few answers."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from urlharness.corpus.model import OPERATIONS
from urlharness.gate.baseline import FORMAT, Baseline, Entry, write_baseline

NODE = "urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-"

UNUSED = """
import sys
import pytest

code = pytest.main(["-q", "-p", "no:cacheprovider", "test_own.py"])
assert code == 0, code
ours = ("urlharness", "urlvectors", "msgspec")
print(*sorted(name for name in sys.modules if name.partition(".")[0] in ours))
"""


def test_nothing_is_loaded_without_an_adapter(tmp_path):
    """At its start pytest loads only the module with the options."""
    (tmp_path / "test_own.py").write_text("def test_own(): pass\n", "utf-8")
    command = [sys.executable, "-c", UNUSED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "urlharness urlharness.pytest_plugin"


def test_the_module_of_the_options_needs_nothing_that_pytest_has_not_loaded():
    code = textwrap.dedent(
        """
        import importlib.metadata, sys, pytest
        known = set(sys.modules)
        import urlharness.pytest_plugin
        print(*sorted(set(sys.modules) - known))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["urlharness", "urlharness.pytest_plugin"]


def test_an_adapter_of_the_ini_file_is_for_whole_runs(project, pytester):
    """With a file on the command line only that file is run, unless an adapter is named there too."""
    project(ini="urlconform = lib\n")
    pytester.makepyfile(test_own="def test_own(): pass")
    assert pytester.runpytest_inprocess().parseoutcomes() == {"passed": 24}
    assert pytester.runpytest_inprocess("test_own.py").parseoutcomes() == {"passed": 1}
    assert pytester.runpytest_inprocess("urlconform/rfc3986").parseoutcomes() == {"passed": 23}
    both = pytester.runpytest_inprocess("test_own.py", "--urlconform", "lib")
    assert both.parseoutcomes() == {"passed": 24}


def test_a_folder_named_as_the_vectors_is_a_folder(project, pytester):
    project()
    folder = pytester.mkdir("urlconform")
    (folder / "test_own.py").write_text("def test_own(): pass\n", "utf-8")
    session = pytester.runpytest_inprocess("urlconform", "--urlconform", "lib", "-k", "own")
    assert session.parseoutcomes()["passed"] == 1


def test_an_id_may_come_from_below(project, pytester, monkeypatch):
    """pytest prints ids relative to the current directory."""
    project()
    monkeypatch.chdir(pytester.mkdir("below"))
    arguments = ("--rootdir", "..", "-c", "../tox.ini", "--urlconform", "urllib", "-rA")
    session = pytester.runpytest_inprocess(*arguments, "-k", "ex-01")
    node_id = "../urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-01"
    session.stdout.fnmatch_lines([f"PASSED {node_id}"])
    assert pytester.runpytest_inprocess(*arguments, node_id).parseoutcomes() == {"passed": 1}


@pytest.mark.parametrize(
    "gone",
    [
        pytest.param("urlconform/nonsense", id="no-rfc"),
        pytest.param("urlconform/rfc9999/1::typo", id="nothing-of-it"),
        pytest.param(f"{NODE}99", id="no-vector"),
        pytest.param("urlconform/rfc3986/5.4.2::rfc3986-5.4.1-ex-01", id="another-section"),
        pytest.param("urlconform/rfc3986/5.4.2::rfc3986-5.4.2-ex-01", id="not-selected"),
        pytest.param("urlconform/baseline::rfc3986-gone", id="no-entry"),
    ],
)
@pytest.mark.parametrize("others", [[], [f"{NODE}01"], ["test_own.py"]], ids=["alone", "an-id", "a-file"])
def test_an_id_that_does_not_exist_is_an_error_of_usage(project, pytester, gone, others):
    """An id that is not found is a usage error, as for files."""
    project()
    pytester.makepyfile(test_own="def test_own(): pass")
    session = pytester.runpytest_inprocess("--urlconform", "lib", gone, *others)
    assert session.ret == pytest.ExitCode.USAGE_ERROR
    session.stderr.fnmatch_lines([f"ERROR: urlconform: not found: {gone} (*"])
    assert session.parseoutcomes() == {}


def test_every_id_that_does_not_exist_is_reported(project, pytester):
    project()
    session = pytester.runpytest_inprocess("--urlconform", "lib", "urlconform/a", f"{NODE}01", "urlconform/b")
    session.stderr.fnmatch_lines(["ERROR: urlconform: not found: urlconform/a, urlconform/b (*"])


def test_a_dead_adapter_is_reported_before_missing_ids(project, pytester):
    """If the adapter does not start, no id is reported as missing, because the ids are unknown."""
    project()
    session = pytester.runpytest_inprocess("--urlconform", "python:gone:f", f"{NODE}99")
    assert session.parseoutcomes() == {"errors": 1}
    assert session.ret == pytest.ExitCode.INTERRUPTED


def test_an_id_of_the_baseline_can_be_named(project, baseline, pytester):
    project()
    baseline({}, [Entry("rfc3986-5.4.1-gone", "fail", {}, "0" * 12)])
    named = ("--urlconform-baseline", "baseline.json", "urlconform/baseline::rfc3986-5.4.1-gone")
    assert pytester.runpytest_inprocess("--urlconform", "lib", *named).parseoutcomes() == {"failed": 1}


def test_last_failed_may_name_vectors_that_are_gone(project, pytester):
    """`--lf` ignores vectors of the cache that are no longer selected, because nobody typed their ids."""
    project({"../g": "http://a/g", "g;x": "x:"})
    keep = ("--urlconform", "lib", "-o", "addopts=-p no:hypothesispytest")
    assert pytester.runpytest_inprocess(*keep).parseoutcomes() == {"passed": 21, "failed": 2}
    again = pytester.runpytest_inprocess(*keep, "--lf", "urlconform/rfc3986")
    assert again.parseoutcomes() == {"failed": 2, "deselected": 21}
    elsewhere = pytester.runpytest_inprocess(*keep, "--lf", "--urlconform-section", "5.4.2")
    assert elsewhere.parseoutcomes() == {"passed": 26}
    assert elsewhere.ret == 0
    wrong = pytester.runpytest_inprocess(*keep, "--lf", f"{NODE}99")
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR


SILENT = """
from urllib.parse import urljoin
from urlharness import functions

def pytest_urlconform_adapter(name):
    library = functions("lib", "1", specs=["rfc1808", "rfc3986"], resolve=urljoin)
    def answer(question):
        if question["op"] != "resolve" or question["spec"] in {silent!r}:
            return {{"status": "unsupported"}}
        return library(question)
    answer.hello = library.hello
    return answer
"""
NOTHING = "urlconform: nothing was judged: lib: it answered no vector that was selected"
CAN_FAIL = NOTHING.replace("was selected", "can fail")
NOTHING_BINDS = (
    "urlconform: nothing was judged: lib: "
    "the RFC leaves the answer to every selected vector open, and the policy judges none"
)
WHOLE = ("--urlconform-section", "5.4", "--urlconform-spec", "rfc3986")


@pytest.fixture
def silent(pytester):
    """Return a function that writes a library that only answers `resolve`, and not for these RFCs."""

    def write(*specs: str) -> None:
        pytester.makeconftest(SILENT.format(silent=specs))
        pytester.makeini(
            "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\nfilterwarnings = error"
        )

    return write


@pytest.mark.parametrize(
    ("specs", "arguments", "code", "message"),
    [
        pytest.param(["rfc1808", "rfc3986"], WHOLE, 1, NOTHING, id="nothing"),
        pytest.param(["rfc1808", "rfc3986"], [*WHOLE, "-k", "ex-01"], 1, NOTHING, id="nothing-of-two"),
        pytest.param([], WHOLE, 0, "", id="everything"),
        pytest.param(
            ["rfc3986"],
            ["--urlconform-section", "5.1", "-k", "not params-only"],
            0,
            "",
            id="an-rfc-that-it-claims",
        ),
        pytest.param(
            ["rfc1808"],
            [*WHOLE, "--urlconform-spec", "1808", "--urlconform-section", "5.1"],
            1,
            NOTHING.replace("vector", "vector of rfc1808"),
            id="an-rfc-that-was-named",
        ),
        pytest.param(["rfc1808", "rfc3986"], ["-k", "nowhere"], 5, "", id="none-selected"),
        pytest.param(["rfc1808", "rfc3986"], ["-m", "not urlconform"], 0, "", id="own-tests-only"),
    ],
)
def test_a_session_without_answers_fails(silent, pytester, specs, arguments, code, message):
    """The session fails even if other tests pass, as `urlconform run` ends with 5."""
    silent(*specs)
    if code != 5:
        pytester.makepyfile(test_own="def test_own(): pass")
    session = pytester.runpytest_inprocess("--urlconform", "lib", *arguments)
    lines = [line for line in session.outlines if "nothing was judged" in line]
    assert lines == ([message] if message else [])
    assert session.ret == code


@pytest.mark.parametrize(
    ("components", "arguments", "message"),
    [
        ("{}", (), NOTHING),
        ("{}", ("--urlconform-strict",), NOTHING),
        ("{'path': urlsplit(text).path}", (), ""),
    ],
    ids=["nothing", "nothing-strictly", "a-part"],
)
def test_empty_components_are_not_an_answer(pytester, components, arguments, message):
    """Partial components count as an answer, as in `urlconform run`."""
    pytester.makeconftest(f"""
from urllib.parse import urlsplit
from urlharness import functions
def pytest_urlconform_adapter(name):
    return functions("lib", "1", specs=["rfc3986"], parse=lambda text: {components})
""")
    part = ("--urlconform-spec", "rfc3986", "--urlconform-section", "3.4")
    session = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--urlconform", "lib", *part, *arguments)
    lines = [line for line in session.outlines if "nothing was judged" in line]
    assert lines == ([message] if message else [])
    assert session.ret == (1 if message else 0)
    assert ("failed" in session.parseoutcomes()) is bool(arguments)


#: Two vectors without a right answer, in addition to those that have one.
OPEN = (
    "urlconform/rfc3986/B::rfc3986-B-well-formed-digit",
    "urlconform/rfc3986/B::rfc3986-B-well-formed-blank",
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["--urlconform-spec", "rfc3986", "--urlconform-section", "B"],
            CAN_FAIL,
            id="beside-others",
        ),
        pytest.param(
            ["--urlconform-spec", "rfc3986", "-k", "B-well-formed"],
            NOTHING_BINDS,
            id="alone",
        ),
        pytest.param(
            [
                "--urlconform-spec",
                "rfc3986",
                "-k",
                "B-well-formed",
                "--urlconform-policy",
                "unspecified=answered",
            ],
            "",
            id="a-policy-judges-them",
        ),
        pytest.param(OPEN, "", id="picked-by-node-id"),
    ],
)
def test_a_session_in_which_nothing_can_fail_fails(pytester, arguments, message):
    pytester.makeconftest("""
from urlharness import functions
def pytest_urlconform_adapter(name):
    return functions("lib", "1", specs=["rfc3986"], parse=lambda text: {})
""")
    session = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--urlconform", "lib", *arguments)
    lines = [line for line in session.outlines if "nothing was judged" in line]
    assert lines == ([message] if message else [])
    assert session.ret == (1 if message else 0)


def test_a_session_that_fails_anyway_keeps_its_code(silent, pytester):
    silent("rfc3986")
    with (pytester.path / "conftest.py").open("a", encoding="utf-8") as stream:
        stream.write("\ndef pytest_collection_modifyitems(items): items.reverse()\n")
    pytester.makepyfile(
        test_own="import pytest\ndef test_own(): pass\ndef test_over(): pytest.exit('over', 7)"
    )
    arguments = ("urlconform/rfc3986/5.4.1", "test_own.py", "--urlconform", "lib")
    session = pytester.runpytest_inprocess(*arguments)
    assert session.parseoutcomes() == {"skipped": 23}
    assert session.ret == 7


@pytest.mark.parametrize(
    ("extra_options", "arguments", "code"),
    [
        pytest.param(0, [], 0, id="as-many"),
        pytest.param(1, [], 1, id="fewer"),
        pytest.param(1, ["-k", "url-3"], 0, id="not-the-whole-rfc"),
    ],
)
def test_coverage_that_is_lost_fails(corpus, pytester, extra_options, arguments, code):
    """The whole RFC was asked, but fewer vectors were answered than the baseline counts."""
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\nfilterwarnings = error")
    now = sum(case.spec == "rfc2732" and case.vector.op == "resolve" for case in corpus.cases)
    answered = {"rfc2732": {"resolve": now + extra_options}}
    listed = Baseline("urlbaseline-1", corpus.digest, "reference", ("rfc2732",), (), answered)
    write_baseline(listed, pytester.path / "baseline.json")
    options = (
        "--urlconform",
        "reference",
        "--urlconform-spec",
        "2732",
        "--urlconform-baseline",
        "baseline.json",
    )
    session = pytester.runpytest_inprocess(*options, *arguments)
    numbers = f"{now + 1} vectors were answered, now {now}"
    numbers = f"urlconform: loss of coverage: reference: rfc2732 resolve: {numbers}"
    session.stdout.fnmatch_lines(
        ["urlconform: the baseline is of format urlbaseline-1, which locks neither *"]
    )
    lines = [line for line in session.outlines if "loss of coverage" in line]
    assert lines == [numbers] * code
    assert session.ret == code


LOSING = """
from urlharness import functions

def shown(url):
    return {COMPONENT: None}

def pytest_urlconform_adapter(name):
    return functions("lib", specs=["rfc3986"], absent_vs_empty=True, OPERATION)
"""


@pytest.mark.parametrize(
    ("operation", "component", "kind"),
    [
        pytest.param("parse=shown", "query", "", id="as-it-was"),
        pytest.param("parse=shown", "fragment", "query no longer exposed", id="hidden"),
        pytest.param("resolve=print", "query", "had query, now not offered", id="not-offered"),
    ],
)
def test_a_lost_answer_is_a_failed_item(corpus, pytester, operation, component, kind):
    """Also if the adapter does not offer the operation any more, so that its vectors would be no items."""
    pytester.makeconftest(LOSING.replace("OPERATION", operation).replace("COMPONENT", repr(component)))
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\nfilterwarnings = error")
    cases = [case for case in corpus.cases if case.spec == "rfc3986" and case.vector.op == "parse"]
    ids = [case.vector.id for case in cases]
    with_neither = [
        case.vector.id
        for case in cases
        if case.vector.expect.components and not {"#", "?"} & {*str(case.vector.url)}
    ][5:10]
    partly = {"rfc3986": {name: {"query": None} for name in with_neither}}
    unanswered = {**dict.fromkeys(OPERATIONS, "all"), "parse": sorted({*ids} - {*with_neither})}
    locks = {"answered": {"rfc3986": {}}, "partly": partly, "unanswered": {"rfc3986": unanswered}}
    listed = Baseline(FORMAT, corpus.digest, "lib", ("rfc3986",), (), **locks)
    write_baseline(listed, pytester.path / "baseline.json")
    keyword = ("-k", " or ".join(with_neither))
    session = pytester.runpytest_inprocess(
        "--urlconform", "lib", "--urlconform-baseline", "baseline.json", *keyword
    )
    failed = session.parseoutcomes().get("failed", 0)
    assert failed == (5 if kind else 0)
    assert "urlbaseline-1" not in session.stdout.str()
    if kind:
        session.stdout.fnmatch_lines([f"lost: {kind}: *"])


def test_an_unknown_rfc_in_the_hello_is_an_error(pytester):
    """The message does not blame the selection."""
    pytester.makeconftest(
        "from urlharness import functions\n"
        "def pytest_urlconform_adapter(name):\n"
        "    return functions('lib', specs=['RFC 3986'], resolve=lambda base, reference: 'x:')\n"
    )
    session = pytester.runpytest_inprocess("--urlconform", "lib", "-p", "no:cacheprovider")
    assert session.ret != 0
    session.stdout.fnmatch_lines(
        ["*lib: nothing is judged: its hello claims 'RFC 3986'; it can claim rfc1738, *"]
    )


def deselected(count: int) -> str:
    why = "lib does not offer their operations (--urlconform-all-operations asks them)"
    return f"urlconform: {count} vectors deselected: {why}"


def test_vectors_of_operations_that_are_not_offered_are_deselected(project, pytester, corpus):
    """The library offers `resolve` alone, and is wrong about the only reference of section 5.3."""
    project()
    arguments = ("--urlconform", "lib", "--urlconform-section", "5.3", "--urlconform-section", "5.4.1")
    ops = [case.vector.op for case in corpus.cases if (case.spec, case.section) == ("rfc3986", "5.3")]
    count = len(ops) - ops.count("resolve")
    session = pytester.runpytest_inprocess(*arguments)
    session.stdout.fnmatch_lines([deselected(count)])
    counts = session.parseoutcomes()
    assert counts == {"passed": 23, "failed": ops.count("resolve")}
    session = pytester.runpytest_inprocess(*arguments, "--urlconform-all-operations")
    assert session.parseoutcomes() == {**counts, "skipped": count}
    session = pytester.runpytest_inprocess(*arguments, "-k", "ex-01")
    session.stdout.no_fnmatch_line("urlconform: * vectors deselected*")


def test_an_id_is_asked_even_if_its_operation_is_not_offered(project, pytester, corpus):
    project()
    case = next(case for case in corpus.cases if (case.spec, case.section) == ("rfc3986", "5.3"))
    node = f"urlconform/rfc3986/5.3::{case.vector.id}"
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-section", "5.3", node)
    assert session.parseoutcomes() == {"skipped": 1}


def test_an_operation_that_is_no_longer_offered_is_a_loss(pytester, corpus):
    """The baseline counts an answer to an operation that the library does not offer any more."""
    pytester.makeconftest(
        "from urlharness import functions\n"
        "def pytest_urlconform_adapter(name):\n"
        "    return functions('lib', specs=['rfc2732'], resolve=lambda base, reference: 'x:')\n"
    )
    answered = {"rfc2732": {"validate": 1}}
    listed = Baseline("urlbaseline-1", corpus.digest, "lib", ("rfc2732",), (), answered)
    write_baseline(listed, pytester.path / "baseline.json")
    arguments = ("--urlconform-baseline", "baseline.json", "--urlconform-fail-on", "may")
    session = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--urlconform", "lib", *arguments)
    session.stdout.fnmatch_lines(
        ["urlconform: loss of coverage: lib: rfc2732 validate: 1 vector* answered, now 0"]
    )
