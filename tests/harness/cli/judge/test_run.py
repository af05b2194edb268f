"""`run`: questions, output, reports, the decision of the gate and the commands it proposes."""

from __future__ import annotations

import json
import re
import shlex
import sys
from xml.etree import ElementTree as ET

import pytest

from urlharness.adapters.registry import BUNDLED, ProgramPerCase
from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

SECTION_5_1 = ("--spec", "1808", "--section", "5.1")
SECTION_5_2 = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"
RIGHT_ANSWER = {"status": "ok", "url": "http://a/b/c/g."}
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
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(HELLO), flush=True)
    elif message["type"] == "run":
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
        asked += 1
        if asked == 5:
            sys.exit(9)
"""


def test_list_prints_the_ids_of_the_selected_vectors(urlconform, corpus):
    lines = urlconform("run", "--list", *SECTION_5_1).stdout.splitlines()
    selected = [case for case in corpus.cases if (case.spec, case.section) == ("rfc1808", "5.1")]
    assert sorted(lines) == sorted(case.vector.id for case in selected)


def test_each_vector_is_made_by_a_person_or_by_a_program(urlconform):
    """The option --origin selects the vectors of one of both."""

    def listed_ids(*options):
        return urlconform("run", "--list", "--spec", "rfc2732", *options).stdout.splitlines()

    by_persons = listed_ids("--origin", "human")
    by_programs = listed_ids("--origin", "mutant")
    assert by_persons != []
    assert by_programs != []
    assert sorted([*by_persons, *by_programs]) == sorted(listed_ids())


def test_tables_are_printed_if_they_are_wanted(urlconform, tmp_path):
    """By the run and by its report alike."""
    adapters = ("reference", "urllib")
    names = ("--sections", "--components", "-a", "urllib")
    ran = urlconform(
        "run", *adapters, "--spec", "1808", "--section", "2.1", *names, "--report", "json=r.jsonl"
    )
    process = urlconform("report", "r.jsonl", *names)
    assert process.stdout in ran.stdout
    assert "2.1 URL Syntactic Components" in process.stdout
    assert "net_loc" in process.stdout
    assert process.returncode == Exit.PASSED
    plain = urlconform("report", "r.jsonl").stdout
    assert "net_loc" not in plain
    assert "urlconform report r.jsonl --sections" in plain


def test_a_survey_proposes_commands_with_its_selection(urlconform):
    done = urlconform(
        "run", "--spec", "1808", "--section", "2.1", "--origin", "human", env={"PATH": "/nowhere"}
    )
    assert "urlconform run --spec rfc1808 --section 2.1 --origin human --sections\n" in done.stdout


@pytest.fixture
def programs(monkeypatch):
    """Make only the adapters of this process and a number of other libraries available."""

    def make_available(count: int) -> None:
        _, *bundled = BUNDLED.values()
        others = [ProgramPerCase(f"more-{number}", ["true"]) for number in range(count)]
        monkeypatch.setattr("urlharness.cli.judge.run.available_adapters", lambda: [*bundled, *others])

    return make_available


@pytest.mark.parametrize(("count", "note"), [(1, "1 more library is"), (3, "3 more libraries are")])
def test_a_survey_counts_the_libraries_that_it_leaves_out(urlconform, programs, count, note):
    programs(count)
    assert urlconform("run", *SECTION_5_2).stdout.count(f"\n{note} here: urlconform compare\n") == 1


@pytest.mark.parametrize(("count", "names"), [(0, ()), (3, ("urllib",))], ids=["no-others", "named"])
def test_a_run_that_leaves_out_no_library_proposes_no_comparison(urlconform, programs, count, names):
    programs(count)
    assert "urlconform compare" not in urlconform("run", *names, *SECTION_5_2).stdout


def test_a_survey_gates_only_the_reference(urlconform, tmp_path):
    """Without an adapter, and without a command, every installed library is judged."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.urlconform]\nspec = ["1808"]\nsection = ["5.1"]\n', "ascii"
    )
    done = urlconform(env={"PATH": "/nowhere"})
    assert done.stderr == ""
    assert done.stdout == urlconform("run", env={"PATH": "/nowhere"}).stdout
    assert "node-url: not installed: " in done.stdout
    assert "urllib" in done.stdout
    assert done.returncode == Exit.PASSED


@pytest.fixture
def reported(urlconform):
    """A run that has written json.1, junit.1 and html.1."""
    reports = [word for form in ("json", "junit", "html") for word in ("--report", f"{form}={form}.1")]
    return urlconform("run", "urllib", *SECTION_5_1, *reports)


def test_reports_are_written(reported, tmp_path):
    assert reported.returncode == Exit.FAILED
    results = read_results(tmp_path / "json.1")
    assert results.complete
    assert len(results.of("urllib")) == 24
    assert len(list(ET.parse(tmp_path / "junit.1").iter("testcase"))) == 24
    assert "<!doctype html>" in (tmp_path / "html.1").read_text("utf-8").lower()


def test_reports_are_rendered_again(reported, urlconform, tmp_path):
    """Except the decision of the gate, which the results do not contain."""
    again = urlconform("report", "json.1", "--report", "junit=junit.2", "--report", "html=html.2")
    assert again.stderr == ""
    assert again.stdout.partition("\nNext\n")[0] in reported.stdout
    assert again.returncode == Exit.PASSED
    assert (tmp_path / "junit.2").read_bytes() == (tmp_path / "junit.1").read_bytes()
    decision = "gate failed on required vectors"
    assert decision in (tmp_path / "html.1").read_text("utf-8")
    assert decision not in (tmp_path / "html.2").read_text("utf-8")


def test_results_go_to_a_pipe(urlconform_process):
    done = urlconform_process("run", "reference", *SECTION_5_1, "--report", "json=/dev/stdout")
    first, *_, last = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert first["type"] == "header"
    assert last["type"] == "footer"
    assert "Statements" in done.stdout
    assert done.returncode == Exit.PASSED


def test_results_go_to_a_device(urlconform_process):
    done = urlconform_process("run", "reference", *SECTION_5_1, "--report", "json=/dev/null")
    assert "{" not in done.stdout
    assert "Statements" in done.stdout
    assert done.returncode == Exit.PASSED


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
    (tmp_path / "mine.py").write_text(PATH_ONLY_ADAPTER, "utf-8")


@pytest.mark.usefixtures("path_only")
def test_a_run_with_partial_answers_passes(urlconform):
    done = urlconform("run", LIB, "--spec", "1808", "--section", "2.4.2")
    assert "partial" not in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("path_only")
def test_a_strict_run_with_partial_answers_fails(urlconform):
    done = urlconform("run", LIB, "--spec", "1808", "--section", "2.4.2", "--strict")
    assert "partial" in done.stderr
    assert done.returncode == Exit.FAILED


def test_an_answer_after_the_timeout_fails(urlconform, tmp_path):
    (tmp_path / "mine.py").write_text("import time\ndef answer(question): time.sleep(60)", "utf-8")
    done = urlconform("run", LIB, "--spec", "1808", "-k", "5.1-segment-query", "--timeout", "0.05")
    assert "timeout: no answer within 0.05 s" in done.stdout
    assert done.returncode == Exit.FAILED


def test_restarts_are_shown(urlconform, tmp_path):
    """A fault after an answer is not blamed on the case, but the table shows it."""
    (tmp_path / "flaky.py").write_text(FLAKY_ADAPTER, encoding="utf-8")
    done = urlconform("run", f"jsonl:{sys.executable} flaky.py", *SECTION_5_2, "--report", "json=r.jsonl")
    assert "started again" in done.stdout
    footer = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    (counts,) = footer["counts"].values()
    assert list(footer["restarts"].values()) == [(sum(counts.values()) - 1) // 5]
    assert "crash" not in counts


def test_an_ascii_encoding_gets_ascii_tables(urlconform_process):
    done = urlconform_process("run", "reference", *SECTION_5_1, env={"PYTHONIOENCODING": "ascii"})
    assert done.stderr == ""
    assert done.stdout.isascii()
    assert done.returncode == Exit.PASSED


def proposed(stderr: str, kind: str) -> tuple[list[str], str]:
    """Return the words of the command after `see one:` or `accept:`, and the option to add then."""
    line, _, then = re.findall(rf"^  {kind}: (.*)$", stderr, re.MULTILINE)[0].partition(", then ")
    return shlex.split(line)[1:], then


@pytest.mark.parametrize("seconds", [(), ("--timeout", "7.5"), ("--start-timeout", "60")])
def test_proposed_commands_do_what_they_say(urlconform, tmp_path, seconds):
    """The proposed commands repeat the corpus and the timeouts; after `accept` the run passes."""
    (tmp_path / "a b").mkdir()
    urls = [{"input": "http://a b/", "failure": True}]
    (tmp_path / "a b" / "urls.json").write_text(json.dumps(urls), "utf-8")
    run = ("run", "python:urllib.parse:urlsplit", "--vectors", "a b/urls.json", *seconds)
    done = urlconform(*run)
    assert done.returncode == Exit.FAILED
    words, _ = proposed(done.stderr, "see one")
    assert words[-len(seconds) - 2 :] == ["--vectors", "a b/urls.json", *seconds]
    assert f"  {shlex.join(['urlconform', *words])}\n" in done.stdout
    again = urlconform(*words)
    assert again.stderr == ""
    assert "http://a b/" in again.stdout
    assert again.returncode == Exit.FAILED
    words, then = proposed(done.stderr, "accept")
    assert urlconform(*words).returncode == Exit.PASSED
    assert urlconform(*run, *shlex.split(then)).returncode == Exit.PASSED


def test_accepting_one_adapter_after_the_other_passes_the_gate(urlconform, answers):
    """The run proposes a baseline for the first adapter that fails."""
    run = ("run", LIB, "urllib", *SECTION_5_2)
    words, then = proposed(urlconform(*run).stderr, "accept")
    urlconform(*words)
    run_with_one_baseline = (*run, *shlex.split(then))
    done = urlconform(*run_with_one_baseline)
    assert done.returncode == Exit.FAILED
    words, then = proposed(done.stderr, "accept")
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
    """Run an adapter whose answers are garbage, but for one reference."""

    def run(right_reference):
        text = f"RIGHT_REFERENCE = {right_reference!r}\n{GARBAGE_ADAPTER}"
        (tmp_path / "mine.py").write_text(text, "utf-8")
        return urlconform("run", LIB, *SECTION_5_2)

    return run


def test_no_baseline_is_proposed_if_every_answer_is_garbage(garbage_run):
    done = garbage_run(None)
    assert "garbage" in done.stderr
    assert "see one: " in done.stderr
    assert "accept: " not in done.stderr
    assert done.returncode == Exit.FAILED


def test_a_baseline_is_proposed_if_one_answer_is_no_garbage(garbage_run):
    done = garbage_run("g.")
    assert "garbage" in done.stderr
    assert "accept: " in done.stderr
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
    words, then = proposed(urlconform("run", "urllib", *SECTION_5_2).stderr, "accept")
    assert words[-1] == proposed_name
    assert then == f"--baseline {proposed_name}"


#: A change of the baseline or the adapter, the exit code of the run, and parts of its reasons.
FINDINGS = [
    pytest.param(None, {}, Exit.PASSED, ["known"], id="as-listed"),
    pytest.param(
        lambda b: b["entries"].pop(0),
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
    pytest.param(lambda b: b["entries"][0].update(digest="0" * 12), {}, Exit.FAILED, ["1 moved"], id="moved"),
    pytest.param(
        lambda b: b["entries"].append(b["entries"][0] | {"id": "rfc1808-5.2-nope"}),
        {},
        Exit.FAILED,
        ["1 unknown id", "unknown id: rfc1808-5.2-nope ("],
        id="unknown-id",
    ),
    pytest.param(
        lambda b: b["entries"].append(b["entries"].pop(0) | {"id": "rfc1808-5.2-nope"}),
        {"g.": RIGHT_ANSWER},
        Exit.FAILED,
        ["1 regression, 1 unknown id, 1 stale"],
        id="several",
    ),
    pytest.param(lambda b: b.update(implementation="lib"), {}, Exit.INVALID_FILE, ["'lib'"], id="another's"),
    pytest.param(
        lambda b: b.update(spec=["rfc3986"]), {}, Exit.INVALID_FILE, ["rfc1808"], id="of-another-rfc"
    ),
    pytest.param(
        lambda b: b.update(spec=["rfc9"]),
        {},
        Exit.INVALID_FILE,
        ["b.json: no specification named 'rfc9'"],
        id="invalid",
    ),
    pytest.param(
        lambda b: b["entries"].append(b["entries"][0]), {}, Exit.INVALID_FILE, ["listed twice"], id="twice"
    ),
]


@pytest.mark.parametrize(("change", "says", "code", "words"), FINDINGS)
def test_a_run_fails_only_for_what_its_baseline_does_not_list(
    urlconform, answers, listed, changed, change, says, code, words
):
    answers(**says)
    if change is not None:
        changed(change)
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json")
    assert done.returncode == code, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    for word in words:
        assert word in done.stderr


def test_a_failing_gate_begins_with_new_findings_in_full(urlconform, answers, listed, changed):
    """Known failures are one line; the ids follow on stderr."""
    changed(lambda b: [b["entries"].pop() for _ in range(len(listed) - 3)])
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json")
    lines = done.stdout.splitlines()
    heads = [line for line in lines if line.endswith("  regression")]
    assert done.stderr.startswith(f"urlconform: {lines[0]} (b.json)\n")
    assert lines[1] == ""
    assert len(heads) == 10
    assert lines[2] == heads[0]
    labels = [line.split()[0] for line in lines[3 : lines.index("", 2)]]
    assert [label for label in labels if label != "flags"] == [
        *("input", "expected", "got", "statement", "section", "repeat")
    ]
    rest_line = f"... and {len(listed) - 13} more; see --report html=FILE"
    known_line = f"{LIB}: 3 known failures, all in the baseline"
    assert lines.index(heads[-1]) < lines.index(rest_line) < lines.index(known_line)
    for known_id in listed[:3]:
        assert f"{known_id}  " not in done.stdout
    assert f"{len(listed) - 3} regressions" in done.stderr
    (seen,) = re.findall(r"see one: urlconform repro (\S+)", done.stderr)
    (ids,) = re.findall(r"^  regression: (.*) and \d+ more$", done.stderr, re.MULTILINE)
    heads_shown = [head.partition(" ")[0] for head in heads]
    assert ids.split(", ") == heads_shown[: ids.count(", ") + 1]
    assert seen == heads_shown[0]
    assert [
        line for line in done.stderr.splitlines() if "urlconform baseline" not in line and len(line) >= 200
    ] == []


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


@pytest.mark.parametrize(("count", "shown_of_each"), [(1, 10), (4, 2)], ids=["one", "four"])
def test_the_more_adapters_fail_the_fewer_failures_of_each_are_in_full(
    urlconform, tmp_path, count, shown_of_each
):
    names = [f"python:mine:{name}" for name in "abcd"]
    text = "def a(question):\n    return {'status': 'ok', 'url': 'x:'}\n\n\nb = c = d = a\n"
    (tmp_path / "mine.py").write_text(text, "utf-8")
    done = urlconform("run", "reference", *names[:count], "--spec", "1808")  # the reference passes
    heads = [line for line in done.stdout.splitlines() if line.endswith("  failure")]
    assert len(heads) == count * shown_of_each
    assert len(re.findall(r"^\.\.\. and [\d,]+ more; see", done.stdout, re.MULTILINE)) == count
    assert done.returncode == Exit.FAILED


def test_a_listed_answer_that_is_not_given_any_more_is_lost(urlconform, answers, tmp_path):
    answers(**{"g.": RIGHT_ANSWER | {"url": "x:"}})
    assert urlconform("baseline", "create", LIB, "--spec", "1808", "-o", "b.json").returncode == Exit.PASSED
    answers(**{"g.": {"status": "unsupported"}})
    done = urlconform("run", LIB, "--spec", "1808", "--baseline", "b.json", "--report", "github=g")
    assert "1 lost answer" in done.stderr
    assert re.search(
        r"^  before     answered wrong, now not offered; listed as fail \{", done.stdout, re.MULTILINE
    )
    assert done.returncode == Exit.FAILED
    assert re.search(r"lost%3A \S+ is not answered as before::input: ", (tmp_path / "g").read_text("utf-8"))
    process = urlconform("baseline", "update", "b.json", LIB, "--spec", "1808")
    assert ": it is not answered any more\n" in process.stdout
    assert process.returncode == Exit.PASSED
    assert urlconform("run", LIB, "--spec", "1808", "--baseline", "b.json").returncode == Exit.PASSED


WHOLE_RFC = (LIB, "--spec", "1808")


@pytest.fixture
def lost(urlconform, answers):
    """A baseline b.json of RFC 1808, one answer of which is not given any more."""
    answers(**{"g.": RIGHT_ANSWER})
    assert urlconform("baseline", "create", *WHOLE_RFC, "-o", "b.json").returncode == Exit.PASSED
    answers(**{"g.": {"status": "unsupported"}})


@pytest.mark.usefixtures("lost")
@pytest.mark.parametrize("selection", [(), ("--section", "5.2")], ids=["whole", "section"])
def test_a_lost_answer_is_printed_with_what_was_before(urlconform, tmp_path, selection):
    reports = ("--report", "github=g", "--report", "junit=j")
    done = urlconform("run", *WHOLE_RFC, *selection, "--baseline", "b.json", *reports)
    _, _, first, *lines = done.stdout.splitlines()
    assert first.partition("  ")[2] == "lost"
    assert "  before     answered right, now not offered" in lines
    assert re.search(r"^  lost: rfc1808-5", done.stderr, re.MULTILINE)
    assert done.returncode == Exit.FAILED
    annotations = (tmp_path / "g").read_text("utf-8")
    assert "is not answered as before::input: " in annotations
    assert "%0Abefore: answered right, now not offered%0A" in annotations
    suite = ET.parse(tmp_path / "j").find("testsuite")
    assert suite is not None
    (failure,) = next(iter(suite.iter("testcase")))
    assert failure.tag == "failure"
    assert failure.attrib["type"] == "lost"
    assert "before: answered right, now not offered" in (failure.text or "")


@pytest.mark.usefixtures("lost")
def test_only_shrink_leaves_a_lost_answer(urlconform):
    shrunk = urlconform("baseline", "update", "b.json", *WHOLE_RFC, "--only-shrink")
    assert " lost left" in shrunk.stderr
    assert shrunk.returncode == Exit.FAILED


@pytest.mark.usefixtures("lost")
def test_an_update_accepts_a_lost_answer(urlconform):
    done = urlconform("baseline", "update", "b.json", *WHOLE_RFC)
    assert ": answered right, now not offered\n" in done.stdout
    assert done.returncode == Exit.PASSED
    assert urlconform("run", *WHOLE_RFC, "--baseline", "b.json").returncode == Exit.PASSED
    assert "all current" in urlconform("baseline", "check", "b.json").stdout


@pytest.mark.parametrize(
    ("selection", "lines", "code"),
    [
        pytest.param(("-k", "dot"), 4, Exit.FAILED, id="word"),
        pytest.param(("--section", "5.2", "--maxfail", "1"), 1, Exit.PASSED, id="section"),
    ],
)
def test_a_selection_makes_nothing_stale(urlconform, listed, selection, lines, code):
    done = urlconform("run", LIB, "--spec", "1808", *selection, "--baseline", "b.json")
    assert done.stderr.count("\n") == lines
    assert "stale" not in done.stderr
    assert done.returncode == code


def test_each_of_several_adapters_is_judged_by_its_baseline(urlconform, answers, listed):
    """One stale entry gives exit code 4; together with a regression of another adapter it is 1."""
    assert urlconform("baseline", "create", "urllib", *SECTION_5_2, "-o", "u.json").returncode == Exit.PASSED
    answers(**{"g.": RIGHT_ANSWER})
    files = ("--baseline", f"{LIB}=b.json", "--baseline", "urllib=u.json")
    assert urlconform("run", LIB, "urllib", *SECTION_5_2, *files).returncode == Exit.STALE
    assert urlconform("run", LIB, "urllib", *SECTION_5_2, *files[:2]).returncode == Exit.FAILED


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


def test_a_level_that_no_selected_vector_has_judges_nothing(urlconform, answers):
    done = urlconform("run", LIB, *SECTION_5_2, "--fail-on", "note")
    assert "nothing was judged: no vector of level note was selected" in done.stderr
    assert done.returncode == Exit.NOTHING_RAN


@pytest.mark.parametrize("levels", [["example"], ["note", "example"]], ids=["its-level", "two-levels"])
def test_a_level_that_a_selected_vector_has_judges_it(urlconform, answers, levels):
    options = [word for level in levels for word in ("--fail-on", level)]
    done = urlconform("run", LIB, *SECTION_5_2, *options)
    assert "nothing was judged" not in done.stderr
    assert done.returncode == Exit.FAILED


@pytest.fixture
def sleeping(adapter) -> str:
    """An adapter that does not answer for a minute."""
    special = """
    def right(message):
        time.sleep(60)
    """
    return f"jsonl:{' '.join(adapter(special))}"


def test_a_run_names_the_total_timeout_that_ended_it(urlconform, sleeping):
    done = urlconform("run", sleeping, *SECTION_5_2, "--total-timeout", "0.3")
    assert "0.3 s" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


def test_baseline_create_names_the_total_timeout_that_ended_it(urlconform, sleeping):
    done = urlconform("baseline", "create", sleeping, *SECTION_5_2, "-o", "c.json", "--total-timeout", "0.3")
    assert "0.3 s" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


def test_junit_marks_known_failures_of_a_run(urlconform, listed, tmp_path):
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json", "--report", "junit=j.xml")
    text = (tmp_path / "j.xml").read_text("utf-8")
    assert text.count(' type="known"') == len(listed)
    assert text.count("<failure") == 0
    assert done.returncode == Exit.PASSED


def test_junit_of_the_results_marks_no_failure_as_known(urlconform, listed, tmp_path):
    """The results do not have the baseline."""
    urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json", "--report", "json=r.jsonl")
    done = urlconform("report", "r.jsonl", "--report", "junit=j.xml")
    text = (tmp_path / "j.xml").read_text("utf-8")
    assert text.count(' type="known"') == 0
    assert text.count("<failure") == len(listed)
    assert done.returncode == Exit.PASSED
