"""The plugin in a session: node ids on the command line, and sessions with too few answers."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import NamedTuple

import pytest

from urlharness.corpus.model import OPERATIONS
from urlharness.gate.baseline import FORMAT, Baseline, Entry, write_baseline

NODE = "urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-"
#: The settings of a project select the normal examples that RFC 3986, section 5.4.1, prints.
EXAMPLES = 23
#: Settings of pytest that select no vectors.
PLAIN_INI = """
[pytest]
addopts = -p no:cacheprovider -p no:hypothesispytest
filterwarnings = error
"""

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


@pytest.mark.parametrize(
    ("arguments", "vectors", "own_tests"),
    [
        pytest.param([], EXAMPLES, 1, id="whole-run"),
        pytest.param(["test_own.py"], 0, 1, id="file"),
        pytest.param(["urlconform/rfc3986"], EXAMPLES, 0, id="vectors"),
        pytest.param(["test_own.py", "--urlconform", "lib"], EXAMPLES, 1, id="file-and-adapter"),
    ],
)
def test_an_adapter_of_the_ini_file_is_for_whole_runs(project, pytester, arguments, vectors, own_tests):
    """With a file on the command line only that file is run, unless an adapter is named there too."""
    project(ini="urlconform = lib\n")
    pytester.makepyfile(test_own="def test_own(): pass")
    session = pytester.runpytest_inprocess(*arguments)
    assert session.parseoutcomes() == {"passed": vectors + own_tests}


def test_a_folder_named_as_the_vectors_is_a_folder(project, pytester):
    project()
    folder = pytester.mkdir("urlconform")
    (folder / "test_own.py").write_text("def test_own(): pass\n", "utf-8")
    session = pytester.runpytest_inprocess("urlconform", "--urlconform", "lib", "-k", "own")
    assert session.parseoutcomes() == {"passed": 1, "deselected": EXAMPLES}


def test_an_id_relative_to_a_folder_below_the_root_selects_the_vector(project, pytester, monkeypatch):
    """pytest prints ids relative to the current directory."""
    project()
    monkeypatch.chdir(pytester.mkdir("below"))
    arguments = ("--rootdir", "..", "-c", "../tox.ini", "--urlconform", "urllib", "-rA")
    session = pytester.runpytest_inprocess(*arguments, "-k", "ex-01")
    node_id = "../urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-01"
    session.stdout.fnmatch_lines([f"PASSED {node_id}"])
    assert pytester.runpytest_inprocess(*arguments, node_id).parseoutcomes() == {"passed": 1}


@pytest.mark.sampled(4)
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
    """pytest ends in the same way if a file of the command line does not exist."""
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


@pytest.fixture
def after_two_failures(project, pytester):
    """Return a function that runs pytest after a session in which two vectors failed, by the cache."""
    project({"../g": "http://a/g", "g;x": "x:"})
    keep = ("--urlconform", "lib", "-o", "addopts=-p no:hypothesispytest")
    assert pytester.runpytest_inprocess(*keep).parseoutcomes() == {"passed": EXAMPLES - 2, "failed": 2}
    return lambda *arguments: pytester.runpytest_inprocess(*keep, *arguments)


#: References of two vectors, and wrong answers that lose the host of the target.
WITHOUT_HOST = {"../g": "http:/b/g", "g;x": "http:/b/c/g;x"}
SECTION = "=* urlconform: what differs =*"


def test_failures_that_differ_in_the_same_way_are_a_group(project, pytester):
    project(WITHOUT_HOST)
    session = pytester.runpytest_inprocess("--urlconform", "lib")
    session.stdout.re_match_lines_random(
        [SECTION, r"host missing in 2 answers, such as rfc3986-5\.4\.1-ex-\d+$"]
    )


def test_a_group_says_what_is_new_beside_the_baseline(project, baseline, pytester):
    project(WITHOUT_HOST)
    baseline({})
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-baseline", "baseline.json")
    session.stdout.re_match_lines_random([r"host missing in 2 answers \(2 regressions\), such as rfc3986-"])


def test_known_failures_are_in_no_group(project, baseline, pytester):
    project(WITHOUT_HOST)
    baseline({"rfc3986-5.4.1-ex-20": "http:/b/g", "rfc3986-5.4.1-ex-13": "http:/b/c/g;x"})
    session = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-baseline", "baseline.json")
    session.stdout.no_re_match_line(SECTION)


def test_a_single_failure_is_no_group(project, pytester):
    project({"../g": "http:/b/g"})
    pytester.runpytest_inprocess("--urlconform", "lib").stdout.no_re_match_line(SECTION)


def test_last_failed_selects_the_vectors_that_failed(after_two_failures):
    session = after_two_failures("--lf", "urlconform/rfc3986")
    assert session.parseoutcomes() == {"failed": 2, "deselected": EXAMPLES - 2}


def test_last_failed_ignores_vectors_that_are_no_longer_selected(after_two_failures, ids_of_section):
    """The user has typed none of their ids, so none is an id that does not exist."""
    session = after_two_failures("--lf", "--urlconform-section", "5.4.2")
    assert session.parseoutcomes() == {"passed": len(ids_of_section("5.4.2"))}
    assert session.ret == 0


def test_last_failed_does_not_ignore_an_id_that_was_typed(after_two_failures):
    session = after_two_failures("--lf", f"{NODE}99")
    session.stderr.fnmatch_lines([f"ERROR: urlconform: not found: {NODE}99 (*"])
    assert session.ret == pytest.ExitCode.USAGE_ERROR


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

{hook}
"""
NOTHING = "urlconform: nothing was judged: lib: it answered no vector that was selected"
NOTHING_OF_RFC_1808 = (
    "urlconform: nothing was judged: lib: it answered no vector of rfc1808 that was selected"
)
CAN_FAIL = "urlconform: nothing was judged: lib: it answered no vector that can fail"
NOTHING_BINDS = (
    "urlconform: nothing was judged: lib: "
    "the RFC leaves the answer to every selected vector open, and the policy judges none"
)
WHOLE = ("--urlconform-section", "5.4", "--urlconform-spec", "rfc3986")


def lines_on_nothing(session):
    """Return the lines that say that nothing was judged."""
    return [line for line in session.outlines if "nothing was judged" in line]


@pytest.fixture
def silent_library(pytester):
    """Return a function that writes a library that only answers `resolve`, and not for these RFCs.

    `hook` is another hook of the project.
    """

    def write(*specs: str, hook: str = "") -> None:
        pytester.makeconftest(SILENT.format(silent=specs, hook=hook))
        pytester.makeini(PLAIN_INI)

    return write


@pytest.mark.parametrize(
    ("specs", "arguments", "message"),
    [
        pytest.param(["rfc1808", "rfc3986"], WHOLE, NOTHING, id="nothing"),
        pytest.param(["rfc1808", "rfc3986"], [*WHOLE, "-k", "ex-01"], NOTHING, id="nothing-of-two"),
        pytest.param(
            ["rfc1808"],
            [*WHOLE, "--urlconform-spec", "1808", "--urlconform-section", "5.1"],
            NOTHING_OF_RFC_1808,
            id="an-rfc-that-was-named",
        ),
    ],
)
def test_a_session_without_answers_fails(silent_library, pytester, specs, arguments, message):
    """The session fails even if other tests pass, as `urlconform run` ends with 5."""
    silent_library(*specs)
    pytester.makepyfile(test_own="def test_own(): pass")
    session = pytester.runpytest_inprocess("--urlconform", "lib", *arguments)
    assert lines_on_nothing(session) == [message]
    assert session.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize(
    ("specs", "arguments"),
    [
        pytest.param([], WHOLE, id="everything"),
        pytest.param(
            ["rfc3986"], ["--urlconform-section", "5.1", "-k", "not params-only"], id="an-rfc-that-it-claims"
        ),
        pytest.param(["rfc1808", "rfc3986"], ["-m", "not urlconform"], id="own-tests-only"),
    ],
)
def test_a_session_with_answers_or_without_vectors_passes(silent_library, pytester, specs, arguments):
    silent_library(*specs)
    pytester.makepyfile(test_own="def test_own(): pass")
    session = pytester.runpytest_inprocess("--urlconform", "lib", *arguments)
    assert lines_on_nothing(session) == []
    assert session.ret == pytest.ExitCode.OK


def test_a_session_without_selected_tests_has_the_code_of_pytest(silent_library, pytester):
    silent_library("rfc1808", "rfc3986")
    session = pytester.runpytest_inprocess("--urlconform", "lib", "-k", "nowhere")
    assert lines_on_nothing(session) == []
    assert session.ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.fixture
def parsing_session(pytester):
    """Return a function that asks a library whose answer to each text is this expression."""

    def run(components, *arguments):
        pytester.makeconftest(f"""
from urllib.parse import urlsplit
from urlharness import functions
def pytest_urlconform_adapter(name):
    return functions("lib", "1", specs=["rfc3986"], parse=lambda text: {components})
""")
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", "--urlconform", "lib", *arguments)

    return run


SECTION_3_4 = ("--urlconform-spec", "rfc3986", "--urlconform-section", "3.4")


@pytest.mark.parametrize("strict_option", [(), ("--urlconform-strict",)], ids=["plain", "strict"])
def test_empty_components_are_not_an_answer(parsing_session, strict_option):
    session = parsing_session("{}", *SECTION_3_4, *strict_option)
    assert lines_on_nothing(session) == [NOTHING]
    assert session.ret == pytest.ExitCode.TESTS_FAILED


def test_some_of_the_components_are_an_answer(parsing_session):
    """`urlconform run` counts them as an answer too."""
    session = parsing_session("{'path': urlsplit(text).path}", *SECTION_3_4)
    assert lines_on_nothing(session) == []
    assert session.ret == pytest.ExitCode.OK


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
    ],
)
def test_a_session_in_which_nothing_can_fail_fails(parsing_session, arguments, message):
    session = parsing_session("{}", *arguments)
    assert lines_on_nothing(session) == [message]
    assert session.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(
            [
                "--urlconform-spec",
                "rfc3986",
                "-k",
                "B-well-formed",
                "--urlconform-policy",
                "unspecified=answered",
            ],
            id="a-policy-judges-them",
        ),
        pytest.param(OPEN, id="picked-by-node-id"),
    ],
)
def test_a_session_of_open_answers_passes_if_the_user_asks_for_them(parsing_session, arguments):
    session = parsing_session("{}", *arguments)
    assert lines_on_nothing(session) == []
    assert session.ret == pytest.ExitCode.OK


def test_a_session_without_answers_that_a_test_ends_keeps_the_code_of_the_test(
    silent_library, pytester, normal_examples
):
    """The vectors come after the tests of files; in reverse order, they are skipped before a test exits."""
    silent_library("rfc3986", hook="def pytest_collection_modifyitems(items): items.reverse()")
    pytester.makepyfile(
        test_own="import pytest\ndef test_own(): pass\ndef test_over(): pytest.exit('over', 7)"
    )
    arguments = ("urlconform/rfc3986/5.4.1", "test_own.py", "--urlconform", "lib")
    session = pytester.runpytest_inprocess(*arguments)
    assert session.parseoutcomes() == {"skipped": len(normal_examples)}
    assert session.ret == 7


@pytest.fixture
def answers_of_reference(corpus):
    """The number of vectors to resolve of RFC 2732, all of which the reference answers."""
    return sum(case.spec == "rfc2732" and case.vector.op == "resolve" for case in corpus.cases)


@pytest.fixture
def counted_session(corpus, pytester):
    """Return a function that asks the reference; its baseline counts so many answers to `resolve`."""

    def run(count, *arguments):
        pytester.makeini(PLAIN_INI)
        answered = {"rfc2732": {"resolve": count}}
        listed = Baseline("urlbaseline-1", corpus.digest, "reference", ("rfc2732",), (), answered)
        write_baseline(listed, pytester.path / "baseline.json")
        options = ("--urlconform-spec", "2732", "--urlconform-baseline", "baseline.json")
        return pytester.runpytest_inprocess("--urlconform", "reference", *options, *arguments)

    return run


def test_coverage_that_is_lost_fails(counted_session, answers_of_reference):
    """The whole RFC was asked, but fewer vectors were answered than the baseline counts."""
    session = counted_session(answers_of_reference + 1)
    loss = f"{answers_of_reference + 1} vectors were answered, now {answers_of_reference}"
    session.stdout.fnmatch_lines([f"urlconform: loss of coverage: reference: rfc2732 resolve: {loss}"])
    assert session.ret == pytest.ExitCode.TESTS_FAILED


def test_as_many_answers_as_counted_are_no_loss(counted_session, answers_of_reference):
    session = counted_session(answers_of_reference)
    session.stdout.no_fnmatch_line("*loss of coverage*")
    assert session.ret == pytest.ExitCode.OK


def test_fewer_answers_to_a_part_of_an_rfc_are_no_loss(counted_session, answers_of_reference):
    session = counted_session(answers_of_reference + 1, "-k", "url-3")
    session.stdout.no_fnmatch_line("*loss of coverage*")
    assert session.ret == pytest.ExitCode.OK


def test_a_session_notes_that_a_baseline_of_the_old_format_locks_nothing(
    counted_session, answers_of_reference
):
    counted_session(answers_of_reference, "-k", "url-3").stdout.fnmatch_lines(
        ["urlconform: the baseline is of format urlbaseline-1, which locks neither *"]
    )


LOSING = """
from urlharness import functions

def shown(url):
    return {COMPONENT: None}

def pytest_urlconform_adapter(name):
    return functions("lib", specs=["rfc3986"], absent_vs_empty=True, OPERATION)
"""


#: Vectors of `parse` about URLs without query and fragment. `-k` selects every id that contains a word, so
#: none of them is a part of another id.
LOCKED_IDS = (
    "rfc3986-1.1-ex-1",
    "rfc3986-1.1-ex-2",
    "rfc3986-1.1.2-ex-1",
    "rfc3986-1.1.2-ex-2",
    "rfc3986-1.1.2-ex-4",
)


@pytest.fixture
def losing_session(corpus, pytester):
    """Return a function that asks a library for the vectors of `LOCKED_IDS`, whose query the baseline locks.

    The library offers one operation, by a function of the conftest (`LOSING`). The only component that it
    shows is absent.
    """

    def run(*, operation, component):
        pytester.makeconftest(LOSING.replace("OPERATION", operation).replace("COMPONENT", repr(component)))
        pytester.makeini(PLAIN_INI)
        parse_ids = {
            case.vector.id for case in corpus.cases if case.spec == "rfc3986" and case.vector.op == "parse"
        }
        partly = {"rfc3986": {identifier: {"query": None} for identifier in LOCKED_IDS}}
        unanswered = {**dict.fromkeys(OPERATIONS, "all"), "parse": sorted(parse_ids - {*LOCKED_IDS})}
        locks = {"answered": {"rfc3986": {}}, "partly": partly, "unanswered": {"rfc3986": unanswered}}
        listed = Baseline(FORMAT, corpus.digest, "lib", ("rfc3986",), (), **locks)
        write_baseline(listed, pytester.path / "baseline.json")
        keyword = ("-k", " or ".join(LOCKED_IDS))
        arguments = ("--urlconform", "lib", "--urlconform-baseline", "baseline.json", *keyword)
        return pytester.runpytest_inprocess(*arguments)

    return run


def test_an_answer_as_the_baseline_locks_it_is_no_failure(losing_session):
    """An answer with some of the components is skipped."""
    session = losing_session(operation="parse=shown", component="query")
    counts = session.parseoutcomes()
    assert counts.keys() == {"skipped", "deselected"}
    assert counts["skipped"] == len(LOCKED_IDS)


def test_a_session_notes_nothing_about_a_baseline_of_the_present_format(losing_session):
    losing_session(operation="parse=shown", component="query").stdout.no_fnmatch_line("*urlbaseline-1*")


@pytest.mark.parametrize(
    ("operation", "component", "loss"),
    [
        pytest.param("parse=shown", "fragment", "query no longer exposed", id="hidden"),
        pytest.param("resolve=print", "query", "had query, now not offered", id="not-offered"),
    ],
)
def test_a_lost_answer_is_a_failed_item(losing_session, operation, component, loss):
    """It is lost even if the adapter does not offer the operation any more, and its vectors are no items."""
    session = losing_session(operation=operation, component=component)
    session.stdout.fnmatch_lines([f"lost: {loss}: *"])
    assert session.parseoutcomes()["failed"] == len(LOCKED_IDS)


def test_an_unknown_rfc_in_the_hello_is_an_error(pytester):
    """The message does not blame the selection."""
    pytester.makeconftest(
        "from urlharness import functions\n"
        "def pytest_urlconform_adapter(name):\n"
        "    return functions('lib', specs=['RFC 3986'], resolve=lambda base, reference: 'x:')\n"
    )
    session = pytester.runpytest_inprocess("--urlconform", "lib", "-p", "no:cacheprovider")
    session.stdout.fnmatch_lines(
        ["*lib: nothing is judged: its hello claims 'RFC 3986'; it can claim rfc1738, *"]
    )
    assert session.ret == pytest.ExitCode.INTERRUPTED


def deselected(count: int) -> str:
    why = "lib does not offer their operations (--urlconform-all-operations asks them)"
    return f"urlconform: {count} vectors deselected: {why}"


class OfferedCounts(NamedTuple):
    """The vectors of RFC 3986, section 5.3: the number of the operation `resolve`, and that of all others."""

    resolve: int
    others: int


@pytest.fixture
def offered_counts(cases_of_section):
    """Return the counts of vectors that the library of the session below offers to answer, or does not."""
    ops = [case.vector.op for case in cases_of_section("rfc3986", "5.3")]
    return OfferedCounts(ops.count("resolve"), len(ops) - ops.count("resolve"))


#: The vectors of section 5.4.1, which all resolve, and which the library answers right.
RIGHT_ANSWERS = EXAMPLES


@pytest.fixture
def resolving_session(project, pytester):
    """Return a function that asks a library that offers `resolve` alone; it is wrong about section 5.3."""
    project()
    arguments = ("--urlconform", "lib", "--urlconform-section", "5.3", "--urlconform-section", "5.4.1")
    return lambda *options: pytester.runpytest_inprocess(*arguments, *options)


def test_vectors_of_operations_that_are_not_offered_are_deselected(resolving_session, offered_counts):
    session = resolving_session()
    session.stdout.fnmatch_lines([deselected(offered_counts.others)])
    assert session.parseoutcomes() == {"passed": RIGHT_ANSWERS, "failed": offered_counts.resolve}


def test_vectors_of_operations_that_are_not_offered_are_skipped_on_request(resolving_session, offered_counts):
    counts = resolving_session("--urlconform-all-operations").parseoutcomes()
    assert counts == {
        "passed": RIGHT_ANSWERS,
        "failed": offered_counts.resolve,
        "skipped": offered_counts.others,
    }


def test_vectors_that_the_user_deselects_are_not_counted_as_not_offered(resolving_session):
    resolving_session("-k", "ex-01").stdout.no_fnmatch_line("urlconform: * vectors deselected*")


def test_an_id_is_asked_even_if_its_operation_is_not_offered(project, pytester, cases_of_section):
    project()
    case, *_ = cases_of_section("rfc3986", "5.3")
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
