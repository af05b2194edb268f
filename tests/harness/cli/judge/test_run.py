"""`run`: questions, output, reports, the decision of the gate and the commands it proposes."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from urlharness.adapters.registry import BUNDLED, ProgramPerCase
from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

from ...report.report_checks import suites_of_cases  # noqa: TID252 - tests are not an installed package

SECTION_5_1 = ("--spec", "1808", "--section", "5.1")
SECTION_5_2 = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"
RIGHT_ANSWER = {"status": "ok", "url": "http://a/b/c/g."}

#: Required vectors of this section that urllib answers wrongly, as most of its versions do.
FAILURES_OF_URLLIB = 7

#: Required vectors of this section.
REQUIRED_OF_5_2 = 17

UPDATE = f"urlconform baseline update b.json {LIB} --spec rfc1808 --section 5.2"

#: An adapter that ends after every fifth answer.
FLAKY_ADAPTER = """
import json
import sys

HELLO = {
    "type": "hello",
    "protocol": 1,
    "implementation": {"name": "x", "version": "1"},
    "ops": ["resolve"],
    "specs": [],
}
answers = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(HELLO), flush=True)
    elif message["type"] == "run":
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
        answers += 1
        if answers == 5:
            sys.exit(9)
"""


def test_list_prints_the_ids_of_the_selected_vectors(urlconform, cases_of_section):
    lines = urlconform("run", "--list", *SECTION_5_1).stdout.splitlines()
    assert sorted(lines) == sorted(case.vector.id for case in cases_of_section("rfc1808", "5.1"))


#: A function that claims RFCs.
CLAIMING = """\
def answer(question):
    return {{"status": "unsupported"}}

answer.hello = {{"ops": ["validate"], "specs": {specs!r}}}
"""


@pytest.mark.parametrize(
    ("specs", "are_listed"), [([], False), (["rfc3986"], False), (["rfc3987"], True)], ids=str
)
def test_list_leaves_out_what_no_adapter_would_be_asked(urlconform, tmp_path, specs, are_listed):
    (tmp_path / "lib.py").write_text(CLAIMING.format(specs=specs), "utf-8")
    done = urlconform("run", "--list", "python:lib:answer", "--spec", "rfc3987", "--section", "3.1")
    assert (done.stdout != "") == are_listed
    assert done.returncode == Exit.PASSED


def test_list_says_that_no_adapter_starts(urlconform):
    done = urlconform("run", "--list", "python:nowhere:answer", *SECTION_5_1)
    assert done.stdout == ""
    assert "python:nowhere:answer: " in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


def test_each_vector_is_made_by_a_person_or_by_a_program(urlconform):
    """The option --origin selects the vectors of one of both."""

    def listed_ids(*options):
        return urlconform("run", "--list", "--spec", "rfc2732", *options).stdout.splitlines()

    by_persons = listed_ids("--origin", "human")
    by_programs = listed_ids("--origin", "mutant")
    assert by_persons != []
    assert by_programs != []
    assert sorted([*by_persons, *by_programs]) == sorted(listed_ids())


TABLES = ("--sections", "--components", "-a", "urllib")


@pytest.fixture
def run_with_tables(urlconform):
    """A run that prints both tables, and writes r.jsonl."""
    selection = ("--spec", "1808", "--section", "2.1")
    return urlconform("run", "reference", "urllib", *selection, *TABLES, "--report", "json=r.jsonl")


def test_a_report_prints_the_tables_of_its_run(urlconform, run_with_tables):
    done = urlconform("report", "r.jsonl", *TABLES)
    assert "2.1 URL Syntactic Components" in done.stdout
    assert "net_loc" in done.stdout
    assert done.stdout in run_with_tables.stdout
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("run_with_tables")
def test_a_report_proposes_the_tables_that_it_does_not_print(urlconform):
    text = urlconform("report", "r.jsonl").stdout
    assert "net_loc" not in text
    assert "urlconform report r.jsonl --sections" in text


def test_a_survey_proposes_commands_with_its_selection(urlconform):
    done = urlconform(
        "run", "--spec", "1808", "--section", "2.1", "--origin", "human", env={"PATH": "/nowhere"}
    )
    assert "urlconform run --spec rfc1808 --section 2.1 --origin human --sections\n" in done.stdout


@pytest.fixture
def programs(monkeypatch):
    """Return a function that makes only the bundled libraries and a number of others available."""

    def make_available(count: int) -> None:
        _, *bundled = BUNDLED.values()
        others = [ProgramPerCase(f"more-{number}", ["true"]) for number in range(count)]
        monkeypatch.setattr("urlharness.cli.judge.run.available_adapters", lambda: [*bundled, *others])

    return make_available


@pytest.mark.parametrize(
    ("count", "note"),
    [(1, "1 more library is here: more-0"), (2, "2 more libraries are here: more-0, more-1")],
    ids=["one", "several"],
)
def test_a_survey_names_the_libraries_that_it_leaves_out(urlconform, programs, count, note):
    programs(count)
    done = urlconform("run", *SECTION_5_2, env={"PATH": "/nowhere"})
    assert done.stdout.count(f"\n{note}\n") == 1


@pytest.mark.parametrize(("count", "names"), [(0, ()), (3, ("urllib",))], ids=["no-others", "named"])
def test_a_run_that_leaves_out_no_library_proposes_no_comparison(urlconform, programs, count, names):
    programs(count)
    assert "urlconform compare" not in urlconform("run", *names, *SECTION_5_2).stdout


@pytest.fixture
def survey(urlconform, configure):
    """Return a function that runs the command without an adapter; node-url cannot be installed."""
    configure('spec = ["1808"]\nsection = ["5.1"]')
    return lambda *arguments: urlconform(*arguments, env={"PATH": "/nowhere"})


def test_a_survey_gates_only_the_reference(survey):
    """A survey passes although urllib has wrong answers."""
    done = survey("run")
    _, head, table = done.stdout.partition(" right  wrong  exposed  offered\n")
    assert head != ""
    name, _right, wrong, *_ = table.split()
    assert name == "urllib"
    assert int(wrong) > 0
    assert done.returncode == Exit.PASSED


def test_a_survey_prints_no_message(survey):
    assert survey("run").stderr == ""


def test_a_survey_names_the_libraries_that_are_not_installed(survey):
    assert "node-url: not installed: " in survey("run").stdout


def test_the_command_without_arguments_is_a_survey(survey):
    done = survey()
    assert done.stdout == survey("run").stdout
    assert done.returncode == Exit.PASSED


@pytest.fixture
def run_with_reports(urlconform):
    """A run that has written json.1, junit.1 and html.1."""
    reports = ("--report", "json=json.1", "--report", "junit=junit.1", "--report", "html=html.1")
    return urlconform("run", "urllib", *SECTION_5_1, *reports)


def test_a_run_with_reports_may_fail(run_with_reports):
    assert run_with_reports.returncode == Exit.FAILED


@pytest.fixture
def ids_of_section_5_1(cases_of_section):
    """The ids of the vectors of RFC 1808, section 5.1."""
    return {case.vector.id for case in cases_of_section("rfc1808", "5.1")}


@pytest.mark.usefixtures("run_with_reports")
def test_a_failing_run_writes_all_its_results(ids_of_section_5_1, tmp_path):
    results = read_results(tmp_path / "json.1")
    assert results.complete
    assert results.of("urllib").keys() == ids_of_section_5_1


@pytest.mark.usefixtures("run_with_reports")
def test_a_failing_run_writes_all_its_tests_for_junit(ids_of_section_5_1, tmp_path):
    tests = []
    for suite in suites_of_cases(ET.parse(tmp_path / "junit.1").getroot()):
        tests += suite.iter("testcase")
    assert len(tests) == len(ids_of_section_5_1)


@pytest.mark.usefixtures("run_with_reports")
def test_a_failing_run_writes_its_page(tmp_path):
    assert "<!doctype html>" in (tmp_path / "html.1").read_text("utf-8").lower()


def test_the_summary_is_rendered_again_from_the_results(run_with_reports, urlconform):
    done = urlconform("report", "json.1")
    tables, next_heading, _ = done.stdout.partition("\nNext\n")
    assert next_heading != ""
    assert tables != ""
    assert tables in run_with_reports.stdout
    assert done.stderr == ""
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("run_with_reports")
def test_a_report_is_rendered_again_from_the_results(urlconform, tmp_path):
    done = urlconform("report", "json.1", "--report", "junit=junit.2")
    assert done.stderr == ""
    assert done.returncode == Exit.PASSED
    before = suites_of_cases(ET.parse(tmp_path / "junit.1").getroot())
    again = suites_of_cases(ET.parse(tmp_path / "junit.2").getroot())
    assert before != []
    assert list(map(ET.tostring, again)) == list(map(ET.tostring, before))


@pytest.mark.usefixtures("run_with_reports")
def test_a_report_from_the_results_has_no_decision_of_the_gate(urlconform, tmp_path):
    """The results do not contain it."""
    urlconform("report", "json.1", "--report", "html=html.2")
    decision = "gate failed on required vectors"
    assert decision in (tmp_path / "html.1").read_text("utf-8")
    assert decision not in (tmp_path / "html.2").read_text("utf-8")


#: A library whose every answer takes longer than the summary lets pass, and that to `;x` longest.
SLOW = """
import time
from urlharness import functions
def resolve(base, reference):
    time.sleep(1 if reference == ";x" else 0.3)
    return base
adapter = functions("slow", "1", specs=["rfc1808"], resolve=resolve)
"""


@pytest.fixture
def slow_run(urlconform, tmp_path):
    """A run of two vectors by a slow library, which writes r.jsonl."""
    (tmp_path / "slow.py").write_text(SLOW, "ascii")
    two_vectors = (*SECTION_5_1, "-k", "5.1-params")
    return urlconform("run", "python:slow:adapter", *two_vectors, "--report", "json=r.jsonl")


def slowest_answers(stdout: str) -> list[str]:
    """Return which answers a summary calls the slowest."""
    return re.findall(r"^Slowest: [\d.]+ s for (.*\)); 2 cases took", stdout, re.MULTILINE)


def test_the_summary_names_the_slowest_answer(slow_run):
    assert slowest_answers(slow_run.stdout) == ["rfc1808-5.1-params-only (python:slow:adapter)"]


@pytest.mark.usefixtures("slow_run")
def test_the_summary_of_the_results_names_the_slowest_answer(urlconform):
    stdout = urlconform("report", "r.jsonl").stdout
    assert slowest_answers(stdout) == ["rfc1808-5.1-params-only (python:slow:adapter)"]


#: The reference, but of the components of a URL it shows only the path.
PATH_ONLY_ADAPTER = """
from urlharness.adapters import reference


def answer(question):
    reply = reference.answer(question)
    if "components" in reply and question["op"] == "parse":
        reply["components"] = {"path": reply["components"]["path"]}
    return reply


answer.hello = reference.hello()
"""


@pytest.fixture
def path_only(tmp_path):
    """Write the adapter."""
    (tmp_path / "mine.py").write_text(PATH_ONLY_ADAPTER, "utf-8")


@pytest.fixture
def counts_of_2_4_2(cases_of_section):
    """The number of vectors of RFC 1808, section 2.4.2, by operation."""
    return Counter(case.vector.op for case in cases_of_section("rfc1808", "2.4.2"))


@pytest.mark.usefixtures("path_only")
def test_partial_answers_pass(urlconform, counts_of_2_4_2):
    """Each question to parse is answered in part, and each of the others whole."""
    done = urlconform("run", LIB, "--spec", "1808", "--section", "2.4.2")
    total = counts_of_2_4_2.total()
    partly = counts_of_2_4_2["parse"]
    decision = f"passed; {total - partly} of {total} vectors of rfc1808 answered, {partly} more in part"
    assert done.stderr.startswith(f"urlconform: {LIB}: {decision}\n")
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("path_only")
def test_partial_answers_fail_a_strict_run(urlconform, counts_of_2_4_2):
    done = urlconform("run", LIB, "--spec", "1808", "--section", "2.4.2", "--strict")
    decision = f"gate failed on required vectors of rfc1808: {counts_of_2_4_2['parse']} partial"
    assert done.stderr.startswith(f"urlconform: {LIB}: {decision}\n")
    assert done.returncode == Exit.FAILED


def test_an_answer_after_the_timeout_fails(urlconform, tmp_path):
    (tmp_path / "mine.py").write_text("import time\ndef answer(question): time.sleep(60)", "utf-8")
    done = urlconform("run", LIB, "--spec", "1808", "-k", "5.1-segment-query", "--timeout", "0.05")
    assert "timeout: no answer within 0.05 s" in done.stdout
    assert done.returncode == Exit.FAILED


def test_an_end_after_an_answer_is_a_restart_and_no_crash(urlconform, tmp_path):
    (tmp_path / "flaky.py").write_text(FLAKY_ADAPTER, encoding="utf-8")
    done = urlconform("run", f"jsonl:{sys.executable} flaky.py", *SECTION_5_2, "--report", "json=r.jsonl")
    footer = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    (counts,) = footer["counts"].values()
    assert counts.keys() == {"unsupported"}
    restarts_after_five_answers = (counts["unsupported"] - 1) // 5  # none after the last answer
    assert list(footer["restarts"].values()) == [restarts_after_five_answers]
    assert f"started again {restarts_after_five_answers} times" in done.stdout


def proposed_command(stderr: str, kind: str) -> tuple[list[str], str]:
    """Return the words of the command after `see one:` or `accept:`, and the option to add then."""
    line, _, then = re.findall(rf"^  {kind}: (.*)$", stderr, re.MULTILINE)[0].partition(", then ")
    return shlex.split(line)[1:], then


FOREIGN_RUN = ("run", "python:urllib.parse:urlsplit", "--vectors", "a b/urls.json")


@pytest.fixture
def foreign_run(urlconform, tmp_path):
    """Return a function that runs a library, which fails, on a corpus in a folder named `a b`."""
    (tmp_path / "a b").mkdir()
    urls = [{"input": "http://a b/", "failure": True}]
    (tmp_path / "a b" / "urls.json").write_text(json.dumps(urls), "utf-8")
    return lambda *options: urlconform(*FOREIGN_RUN, *options)


@pytest.mark.parametrize(
    "timeout",
    [(), ("--timeout", "7.5"), ("--start-timeout", "60")],
    ids=["no-timeout", "timeout", "start-timeout"],
)
def test_the_command_to_see_a_failure_repeats_corpus_and_timeout(foreign_run, timeout):
    done = foreign_run(*timeout)
    words, _ = proposed_command(done.stderr, "see one")
    library = "python:urllib.parse:urlsplit"
    corpus = ["--vectors", "a b/urls.json"]
    assert words == ["repro", "urls-0-validate", "-a", library, *corpus, *timeout]


def test_the_command_to_see_a_failure_is_on_stderr_and_on_stdout(foreign_run):
    done = foreign_run()
    words, _ = proposed_command(done.stderr, "see one")
    assert f"  {shlex.join(['urlconform', *words])}\n" in done.stdout


def test_the_command_to_see_a_failure_shows_it(urlconform, foreign_run):
    words, _ = proposed_command(foreign_run().stderr, "see one")
    done = urlconform(*words)
    assert done.stderr == ""
    assert "http://a b/" in done.stdout
    assert done.returncode == Exit.FAILED


def test_after_the_command_to_accept_the_run_passes(urlconform, foreign_run):
    words, then = proposed_command(foreign_run().stderr, "accept")
    assert urlconform(*words).returncode == Exit.PASSED
    assert foreign_run(*shlex.split(then)).returncode == Exit.PASSED


@pytest.mark.usefixtures("answers")
def test_accepting_one_adapter_after_the_other_passes_the_gate(urlconform):
    """The run proposes a baseline for the first adapter that fails."""
    run = ("run", LIB, "urllib", *SECTION_5_2)
    words, then = proposed_command(urlconform(*run).stderr, "accept")
    urlconform(*words)
    run_with_one_baseline = (*run, *shlex.split(then))
    done = urlconform(*run_with_one_baseline)
    assert done.returncode == Exit.FAILED
    words, then = proposed_command(done.stderr, "accept")
    urlconform(*words)
    assert urlconform(*run_with_one_baseline, *shlex.split(then)).returncode == Exit.PASSED


#: An adapter whose answers are garbage, but for one reference.
GARBAGE_ADAPTER = """
def answer(question):
    if question.get("reference") == RIGHT_REFERENCE:
        return {"status": "ok", "url": "x:"}
    return 5
"""


@pytest.fixture
def garbage_run(urlconform, tmp_path):
    """Return a function that runs an adapter whose answers are garbage, but for one reference."""

    def run(right_reference):
        text = f"RIGHT_REFERENCE = {right_reference!r}\n{GARBAGE_ADAPTER}"
        (tmp_path / "mine.py").write_text(text, "utf-8")
        return urlconform("run", LIB, *SECTION_5_2)

    return run


def test_no_baseline_is_proposed_if_every_answer_is_garbage(garbage_run):
    done = garbage_run(None)
    reason = f"gate failed on required vectors of rfc1808: {REQUIRED_OF_5_2} garbage"
    assert f"urlconform: {LIB}: {reason}\n" in done.stderr
    assert "see one: " in done.stderr
    assert "accept: " not in done.stderr
    assert done.returncode == Exit.FAILED


def test_a_baseline_is_proposed_if_one_answer_is_no_garbage(garbage_run):
    done = garbage_run("g.")
    reason = f"gate failed on required vectors of rfc1808: 1 fail, {REQUIRED_OF_5_2 - 1} garbage"
    assert f"urlconform: {LIB}: {reason}\n" in done.stderr
    assert "\n  accept: urlconform baseline create " in done.stderr
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize(
    ("existing", "proposed_name"),
    [
        ((), "baseline.json"),
        (("baseline.json",), "baseline-2.json"),
        (("baseline.json", "baseline-2.json"), "baseline-3.json"),
    ],
    ids=["no-file", "one-file", "two-files"],
)
def test_the_proposed_baseline_is_a_file_that_does_not_exist(urlconform, tmp_path, existing, proposed_name):
    for name in existing:
        (tmp_path / name).touch()
    words, then = proposed_command(urlconform("run", "urllib", *SECTION_5_2).stderr, "accept")
    assert words[-1] == proposed_name
    assert then == f"--baseline {proposed_name}"


#: A change of the baseline, changed answers of the adapter, the exit code, and parts of its reasons.
FINDINGS = [
    pytest.param(None, {}, Exit.PASSED, ["known"], id="as-listed"),
    pytest.param(
        lambda baseline: baseline["entries"].pop(0),
        {},
        Exit.FAILED,
        ["1 regression", "see one: urlconform repro rfc1808-5.2-", f"accept: {UPDATE}\n"],
        id="regression",
    ),
    pytest.param(
        None,
        {"g.": RIGHT_ANSWER},
        Exit.STALE,
        ["1 stale", f"remove them: {UPDATE} --only-shrink\n"],
        id="stale",
    ),
    pytest.param(None, {"g.": RIGHT_ANSWER | {"url": "y"}}, Exit.FAILED, ["1 changed"], id="changed"),
    pytest.param(
        None, {"g.": {"status": "error", "message": "\x1b[2J"}}, Exit.FAILED, ["1 changed"], id="error"
    ),
    pytest.param(
        lambda baseline: baseline["entries"][0].update(digest="0" * 12),
        {},
        Exit.FAILED,
        ["1 moved"],
        id="moved",
    ),
    pytest.param(
        lambda baseline: baseline["entries"].append(baseline["entries"][0] | {"id": "rfc1808-5.2-nope"}),
        {},
        Exit.FAILED,
        ["1 unknown id", "unknown id: rfc1808-5.2-nope ("],
        id="unknown-id",
    ),
    pytest.param(
        lambda baseline: baseline["entries"].append(baseline["entries"].pop(0) | {"id": "rfc1808-5.2-nope"}),
        {"g.": RIGHT_ANSWER},
        Exit.FAILED,
        ["1 regression, 1 unknown id, 1 stale"],
        id="several",
    ),
]


@pytest.mark.usefixtures("baseline_file")
@pytest.mark.parametrize(("change", "changed_answers", "code", "words"), FINDINGS)
def test_a_run_reports_each_difference_from_its_baseline(
    urlconform, answers, change_baseline, change, changed_answers, code, words
):
    answers(**changed_answers)
    if change is not None:
        change_baseline(change)
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json")
    assert done.returncode == code, done.stderr
    assert [word for word in words if word not in done.stderr] == []


def test_control_characters_of_a_message_are_escaped(urlconform, answers):
    answers(**{"g.": {"status": "error", "message": "\x1b[2J"}})
    done = urlconform("run", LIB, *SECTION_5_2, "-k", "name-dot")
    assert r"\u{1b}[2J" in done.stdout
    assert "\x1b" not in done.stdout
    assert "\x1b" not in done.stderr


#: A change of the baseline that makes it one that the run cannot have, and a part of the message.
WRONG_BASELINES = [
    pytest.param(
        lambda baseline: baseline.update(implementation="lib"),
        "it was made for implementation 'lib', but this one is 'mine:answer'",
        id="of-another-library",
    ),
    pytest.param(
        lambda baseline: baseline.update(spec=["rfc3986"]),
        "it was made for rfc3986, but this run also judges rfc1808",
        id="of-another-rfc",
    ),
    pytest.param(
        lambda baseline: baseline.update(spec=["rfc9"]),
        "b.json: no specification named 'rfc9'",
        id="of-an-unknown-rfc",
    ),
    pytest.param(
        lambda baseline: baseline["entries"].append(baseline["entries"][0]),
        "b.json: rfc1808-5.2-absolute-dot: listed twice",
        id="with-an-entry-twice",
    ),
]


@pytest.mark.usefixtures("baseline_file")
@pytest.mark.parametrize(("change", "message"), WRONG_BASELINES)
def test_a_baseline_that_the_run_cannot_have_is_an_invalid_file(urlconform, change_baseline, change, message):
    change_baseline(change)
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json")
    assert message in done.stderr
    assert done.returncode == Exit.INVALID_FILE


@pytest.mark.parametrize(
    ("names", "known"), [((), "reference, urllib"), (("urllib",), "urllib.")], ids=["survey", "named"]
)
def test_an_unknown_implementation_to_show_is_an_error_before_anything_runs(
    urlconform, tmp_path, names, known
):
    done = urlconform("run", *names, *SECTION_5_2, "-a", "urlib", "--report", "json=r.jsonl")
    assert done.stdout == ""
    assert f"'urlib' is not in this run, which has {known}" in done.stderr
    assert "Did you mean 'urllib'?" in done.stderr
    assert done.returncode == Exit.USAGE
    assert not (tmp_path / "r.jsonl").exists()


def test_an_implementation_that_is_not_in_the_results_cannot_be_shown(urlconform, tmp_path):
    urlconform("run", "reference", *SECTION_5_2, "--report", "json=r.jsonl")
    done = urlconform("report", "r.jsonl", "-a", "urllib", "--report", "html=r.html")
    assert "which has reference." in done.stderr
    assert done.returncode == Exit.USAGE
    assert not (tmp_path / "r.html").exists()


ALL_OF_RFC_1808 = (LIB, "--spec", "1808")


@pytest.fixture
def lose_answer(urlconform, answers):
    """Return a function that lists an answer in b.json, the baseline of RFC 1808, and gives it no more."""

    def list_and_lose(answer):
        answers(**{"g.": answer})
        assert urlconform("baseline", "create", *ALL_OF_RFC_1808, "-o", "b.json").returncode == Exit.PASSED
        answers(**{"g.": {"status": "unsupported"}})

    return list_and_lose


@pytest.fixture
def lost_right_answer(lose_answer):
    """A right answer that is not given any more."""
    lose_answer(RIGHT_ANSWER)


@pytest.fixture
def lost_wrong_answer(lose_answer):
    """A wrong answer that is not given any more; it is listed, as all failures are."""
    lose_answer(RIGHT_ANSWER | {"url": "x:"})


@pytest.mark.usefixtures("lost_right_answer")
@pytest.mark.parametrize("selection", [(), ("--section", "5.2")], ids=["whole", "section"])
def test_a_lost_right_answer_is_printed_with_what_was_before(urlconform, selection):
    done = urlconform("run", *ALL_OF_RFC_1808, *selection, "--baseline", "b.json")
    _decision, _empty_line, heading, head, *lines = done.stdout.splitlines()
    assert heading == "resolve not offered any more for 1 question"
    _identifier, _, kind = head.partition("  ")
    assert kind == "lost"
    assert "  before     answered right, now not offered" in lines
    assert re.search(r"^  lost: rfc1808-5", done.stderr, re.MULTILINE)
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("lost_wrong_answer")
def test_a_lost_wrong_answer_is_printed_with_what_was_listed(urlconform):
    done = urlconform("run", *ALL_OF_RFC_1808, "--baseline", "b.json")
    before = r"^  before     answered wrong, now not offered; listed as fail: '"
    assert re.search(before, done.stdout, re.MULTILINE)
    assert "1 lost answer" in done.stderr
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("lost_right_answer")
def test_a_lost_answer_is_annotated_on_github_with_what_was_before(urlconform, tmp_path):
    urlconform("run", *ALL_OF_RFC_1808, "--baseline", "b.json", "--report", "github=g")
    annotations = (tmp_path / "g").read_text("utf-8")
    title = "resolve not offered any more for 1 question (1 lost answer)"
    assert re.search(rf"{re.escape(title)}::lost: \S+%0Ainput: ", annotations)
    assert "%0Abefore: answered right, now not offered%0A" in annotations


@pytest.mark.usefixtures("lost_right_answer")
def test_a_lost_answer_is_a_failure_of_junit_with_what_was_before(urlconform, tmp_path):
    urlconform("run", *ALL_OF_RFC_1808, "--baseline", "b.json", "--report", "junit=j")
    suite = ET.parse(tmp_path / "j").find("testsuite")
    assert suite is not None
    first_case = next(iter(suite.iter("testcase")))
    failure = first_case.find("failure[@type='lost']")
    assert failure is not None
    assert "before: answered right, now not offered" in (failure.text or "")


@pytest.mark.usefixtures("lost_right_answer")
def test_only_shrink_leaves_a_lost_answer(urlconform):
    done = urlconform("baseline", "update", "b.json", *ALL_OF_RFC_1808, "--only-shrink")
    assert " lost left" in done.stderr
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("lost_right_answer")
def test_an_update_accepts_a_lost_right_answer(urlconform):
    done = urlconform("baseline", "update", "b.json", *ALL_OF_RFC_1808)
    assert ": answered right, now not offered\n" in done.stdout
    assert done.returncode == Exit.PASSED
    assert urlconform("run", *ALL_OF_RFC_1808, "--baseline", "b.json").returncode == Exit.PASSED
    assert "all current" in urlconform("baseline", "check", "b.json").stdout


@pytest.mark.usefixtures("lost_wrong_answer")
def test_an_update_accepts_a_lost_wrong_answer(urlconform):
    done = urlconform("baseline", "update", "b.json", *ALL_OF_RFC_1808)
    assert ": it is not answered any more\n" in done.stdout
    assert done.returncode == Exit.PASSED
    assert urlconform("run", *ALL_OF_RFC_1808, "--baseline", "b.json").returncode == Exit.PASSED


@pytest.mark.usefixtures("baseline_file")
@pytest.mark.parametrize(
    ("selection", "code"),
    [
        pytest.param(("-k", "dot"), Exit.FAILED, id="word"),  # other sections have failures, too
        pytest.param(("--section", "5.2", "--maxfail", "1"), Exit.PASSED, id="section"),
    ],
)
def test_a_selection_makes_nothing_stale(urlconform, selection, code):
    done = urlconform("run", LIB, "--spec", "1808", *selection, "--baseline", "b.json")
    assert "stale" not in done.stderr
    assert done.returncode == code


@pytest.mark.usefixtures("baseline_file")
def test_each_of_several_adapters_is_judged_by_its_baseline(urlconform, answers):
    """One has a stale entry, and the other passes."""
    assert urlconform("baseline", "create", "urllib", *SECTION_5_2, "-o", "u.json").returncode == Exit.PASSED
    answers(**{"g.": RIGHT_ANSWER})
    baselines = ("--baseline", f"{LIB}=b.json", "--baseline", "urllib=u.json")
    done = urlconform("run", LIB, "urllib", *SECTION_5_2, *baselines)
    assert f"urlconform: {LIB}: the baseline has 1 stale entry (b.json)\n" in done.stderr
    assert f"urlconform: urllib: passed; {FAILURES_OF_URLLIB} known failures" in done.stderr
    assert done.returncode == Exit.STALE


@pytest.mark.usefixtures("baseline_file")
def test_a_regression_decides_the_exit_code_beside_a_stale_entry(urlconform, answers):
    answers(**{"g.": RIGHT_ANSWER})
    done = urlconform("run", LIB, "urllib", *SECTION_5_2, "--baseline", f"{LIB}=b.json")
    assert f"urlconform: {LIB}: the baseline has 1 stale entry (b.json)\n" in done.stderr
    reason = f"gate failed on required vectors of rfc1808: {FAILURES_OF_URLLIB} fail"
    assert f"urlconform: urllib: {reason}\n" in done.stderr
    assert done.returncode == Exit.FAILED


def test_a_policy_accepts_the_pinned_answer(urlconform):
    """RFC 2396, section 5.2, step 6g leaves excess `..` to the implementation (R-2396-18)."""
    policy = ("--policy", "R-2396-18=excess-dropped")
    done = urlconform("run", "urllib", "--spec", "2396", "-k", "5.2-6g-end", *policy)
    assert "1 variant" not in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.mark.parametrize("answer", ["recommended", "error"])
def test_a_policy_refuses_an_answer_other_than_the_pinned_one(urlconform, answer):
    policy = ("--policy", f"R-2396-18={answer}")
    done = urlconform("run", "urllib", "--spec", "2396", "-k", "5.2-6g-end", *policy)
    assert "1 variant" in done.stderr
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("answers")
def test_a_level_that_no_selected_vector_has_judges_nothing(urlconform):
    done = urlconform("run", LIB, *SECTION_5_2, "--fail-on", "note")
    assert "nothing was judged: no vector of level note was selected" in done.stderr
    assert done.returncode == Exit.NOTHING_RAN


@pytest.mark.usefixtures("answers")
@pytest.mark.parametrize("levels", [["example"], ["note", "example"]], ids=["its-level", "two-levels"])
def test_a_level_that_a_selected_vector_has_judges_it(urlconform, levels):
    options = []
    for level in levels:
        options += ["--fail-on", level]
    done = urlconform("run", LIB, *SECTION_5_2, *options)
    assert "nothing was judged" not in done.stderr
    assert done.returncode == Exit.FAILED


@pytest.fixture
def sleeping(adapter) -> str:
    """An adapter that does not answer for a minute."""
    program = """
    def right(message):
        time.sleep(60)
    """
    return f"jsonl:{' '.join(adapter(program))}"


def test_a_run_names_the_total_timeout_that_ended_it(urlconform, sleeping):
    done = urlconform("run", sleeping, *SECTION_5_2, "--total-timeout", "0.3")
    assert "the time limit of 0.3 s for all cases was reached" in " ".join(done.stderr.split())
    assert done.returncode == Exit.ADAPTER_DEAD


def test_baseline_create_names_the_total_timeout_that_ended_it(urlconform, sleeping):
    done = urlconform("baseline", "create", sleeping, *SECTION_5_2, "-o", "c.json", "--total-timeout", "0.3")
    assert "the time limit of 0.3 s for all cases was reached" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


def test_junit_marks_known_failures_of_a_run(urlconform, baseline_ids, tmp_path):
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json", "--report", "junit=j.xml")
    text = (tmp_path / "j.xml").read_text("utf-8")
    assert text.count(' type="known"') == len(baseline_ids)
    assert text.count("<failure") == 0
    assert done.returncode == Exit.PASSED


def test_junit_of_the_results_marks_no_failure_as_known(urlconform, baseline_ids, tmp_path):
    """The results do not have the baseline."""
    urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json", "--report", "json=r.jsonl")
    done = urlconform("report", "r.jsonl", "--report", "junit=j.xml")
    text = (tmp_path / "j.xml").read_text("utf-8")
    assert text.count(' type="known"') == 0
    assert text.count("<failure") == len(baseline_ids)
    assert done.returncode == Exit.PASSED
