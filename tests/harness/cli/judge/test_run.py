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

NORMAL = ("--spec", "1808", "--section", "5.1")
ONE = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"
RIGHT = {"status": "ok", "url": "http://a/b/c/g."}
UPDATE = f"urlconform baseline update b.json {LIB} --spec rfc1808 --section 5.2"

FLAKY = """
import json, sys
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "implementation": {"name": "x", "version": "1"},
                          "ops": ["resolve"], "specs": []}), flush=True)
    elif message["type"] == "run":
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
        asked += 1
        if asked == 5:
            sys.exit(9)
"""


def test_list_prints_ids(urlconform):
    lines = urlconform("run", "--list", *NORMAL).stdout.splitlines()
    assert len(lines) == 24
    assert all(line.startswith("rfc1808-5.1-") for line in lines)


def test_the_origin_selects_vectors(urlconform):
    """Those that a person made, and those that a program made, are all."""
    listed = [
        urlconform("run", "--list", "--spec", "rfc2732", *options).stdout.splitlines()
        for options in ((), ("--origin", "human"), ("--origin", "mutant"))
    ]
    assert sorted(listed[0]) == sorted(listed[1] + listed[2])
    assert all(listed)


def test_tables_are_printed_if_they_are_wanted(urlconform, tmp_path):
    """By the run and by its report alike."""
    adapters = ("reference", "urllib")
    names = ("--sections", "--components", "-a", "urllib")
    ran = urlconform(
        "run", *adapters, "--spec", "1808", "--section", "2.1", *names, "--report", "json=r.jsonl"
    )
    shown = urlconform("report", "r.jsonl", *names)
    assert shown.returncode == 0
    assert shown.stdout in ran.stdout
    assert "2.1 URL Syntactic Components" in shown.stdout
    assert "net_loc" in shown.stdout
    plain = urlconform("report", "r.jsonl").stdout
    assert "net_loc" not in plain
    assert "urlconform report r.jsonl --sections" in plain


def test_a_survey_proposes_commands_with_its_selection(urlconform):
    done = urlconform(
        "run", "--spec", "1808", "--section", "2.1", "--origin", "human", env={"PATH": "/nowhere"}
    )
    assert "urlconform run --spec rfc1808 --section 2.1 --origin human --sections\n" in done.stdout


@pytest.mark.parametrize(("count", "said"), [(0, ""), (1, "1 more library is"), (3, "3 more libraries are")])
def test_a_survey_counts_the_libraries_that_it_leaves_out(urlconform, monkeypatch, count, said):
    here = [*BUNDLED.values()][1:] + [ProgramPerCase(f"more-{number}", ["true"]) for number in range(count)]
    monkeypatch.setattr("urlharness.cli.judge.run.available", lambda: here)
    text = urlconform("run", "--spec", "1808", "--section", "5.2").stdout
    assert text.count(f"\n{said} here: urlconform compare\n") == (count > 0)
    assert (
        "urlconform compare" not in urlconform("run", "urllib", "--spec", "1808", "--section", "5.2").stdout
    )


def test_a_survey_gates_only_the_reference(urlconform, tmp_path):
    """Without an adapter, and without a command, every installed library is judged."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.urlconform]\nspec = ["1808"]\nsection = ["5.1"]\n', "ascii"
    )
    done = urlconform(env={"PATH": "/nowhere"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == urlconform("run", env={"PATH": "/nowhere"}).stdout
    assert "node-url: not installed: " in done.stdout
    assert re.search(r"^RFC 1808 .*urllib", done.stdout, re.MULTILINE) or "urllib" in done.stdout


def test_reports_are_written_and_rendered_again(urlconform, tmp_path):
    wanted = [f"{form}={form}.1" for form in ("json", "junit", "html")]
    first = urlconform("run", "urllib", *NORMAL, *(word for one in wanted for word in ("--report", one)))
    assert first.returncode == 1
    results = read_results(tmp_path / "json.1")
    assert (results.complete, len(results.of("urllib"))) == (True, 24)
    assert len(list(ET.parse(tmp_path / "junit.1").iter("testcase"))) == 24
    assert "<!doctype html>" in (tmp_path / "html.1").read_text("utf-8").lower()
    again = urlconform("report", "json.1", "--report", "junit=junit.2", "--report", "html=html.2")
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.partition("\nNext\n")[0] in first.stdout
    assert (tmp_path / "junit.2").read_bytes() == (tmp_path / "junit.1").read_bytes()
    with_gate, without = ((tmp_path / f"html.{number}").read_text("utf-8") for number in (1, 2))
    decision = "gate failed on required vectors"
    assert (decision in with_gate, decision in without) == (True, False), "the results do not contain it"


@pytest.mark.parametrize("target", ["/dev/stdout", "/dev/null"])
def test_results_go_to_a_pipe_or_a_device(urlconform_process, target):
    done = urlconform_process("run", "reference", *NORMAL, "--report", f"json={target}")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [lines[0]["type"], lines[-1]["type"]] == ["header", "footer"] if "stdout" in target else not lines
    assert (done.returncode, "Statements" in done.stdout) == (0, True)


@pytest.mark.parametrize(("option", "code"), [((), 0), (("--strict",), 1)], ids=["plain", "strict"])
def test_strict_rejects_partial_answers(urlconform, tmp_path, option, code):
    text = """from urlharness.adapters import reference
def answer(question):
    reply = reference.answer(question)
    if "components" in reply and question["op"] == "parse":
        reply["components"] = {"path": reply["components"]["path"]}
    return reply
answer.hello = reference.hello()"""
    (tmp_path / "mine.py").write_text(text, "utf-8")
    done = urlconform("run", LIB, "--spec", "1808", "--section", "2.4.2", *option)
    assert (done.returncode, "partial" in done.stderr) == (code, bool(option))


def test_timeout(urlconform, tmp_path):
    (tmp_path / "mine.py").write_text("import time\ndef answer(question): time.sleep(60)", "utf-8")
    done = urlconform("run", LIB, "--spec", "1808", "-k", "5.1-segment-query", "--timeout", "0.05")
    assert (done.returncode, "timeout: no answer within 0.05 s" in done.stdout) == (1, True)


def test_restarts_are_shown(urlconform, tmp_path):
    """A fault after an answer is not blamed on the case, but the table shows it."""
    (tmp_path / "flaky.py").write_text(FLAKY, encoding="utf-8")
    done = urlconform("run", f"jsonl:{sys.executable} flaky.py", *ONE, "--report", "json=r.jsonl")
    assert "started again" in done.stdout
    footer = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    (counts,) = footer["counts"].values()
    assert list(footer["restarts"].values()) == [(sum(counts.values()) - 1) // 5]
    assert "crash" not in counts


def test_an_encoding_without_our_characters(urlconform_process):
    done = urlconform_process("run", "reference", *NORMAL, env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr, done.stdout.isascii()) == (0, "", True)


def proposed(stderr: str, what: str) -> tuple[list[str], str]:
    """Return the words of the command after `see one:` or `accept:`, and the option to add then."""
    line, _, then = re.findall(rf"^  {what}: (.*)$", stderr, re.MULTILINE)[0].partition(", then ")
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
    assert (again.returncode, again.stderr, "http://a b/" in again.stdout) == (1, "", True)
    words, then = proposed(done.stderr, "accept")
    assert urlconform(*words).returncode == 0
    assert urlconform(*run, *shlex.split(then)).returncode == 0


def test_each_of_several_adapters_gets_a_baseline(urlconform, answers):
    run = ("run", LIB, "urllib", *ONE)
    done = urlconform(*run)
    assert done.returncode == Exit.FAILED
    for number in (1, 2):
        words, then = proposed(done.stderr, "accept")
        assert urlconform(*words).returncode == 0
        run = (*run, *shlex.split(then))
        done = urlconform(*run)
        assert done.returncode == (Exit.FAILED if number == 1 else Exit.PASSED)


@pytest.mark.parametrize(
    ("right", "proposes"), [("", False), ("question.get('reference') == 'g.' or ", True)]
)
def test_no_baseline_is_proposed_if_every_answer_is_garbage(urlconform, tmp_path, right, proposes):
    reply = "{'status': 'ok', 'url': 'x:'}"
    text = f"def answer(question): return {reply} if {right}question['op'] == 'x' else 5"
    (tmp_path / "mine.py").write_text(text, "utf-8")
    done = urlconform("run", LIB, *ONE)
    assert (done.returncode, "garbage" in done.stderr) == (Exit.FAILED, True)
    assert ("accept: " in done.stderr, "see one: " in done.stderr) == (proposes, True)


def test_the_proposed_baseline_is_a_new_file(urlconform, tmp_path):
    for name in ("baseline.json", "baseline-2.json"):
        words, then = proposed(urlconform("run", "urllib", *ONE).stderr, "accept")
        assert (words[-1], then) == (name, f"--baseline {name}")
        (tmp_path / name).touch()


#: A change of the baseline or the adapter, the exit code of the run, and parts of its reasons.
FINDINGS = [
    pytest.param(None, {}, 0, ["known"], id="as-listed"),
    pytest.param(
        lambda b: b["entries"].pop(0), {}, 1,
        ["1 regression", "see one: urlconform repro rfc1808-5.2-", f"accept: {UPDATE}\n"],
        id="regression",
    ),
    pytest.param(None, {"g.": RIGHT}, 4, ["1 stale", f"remove them: {UPDATE} --only-shrink\n"], id="stale"),
    pytest.param(None, {"g.": RIGHT | {"url": "y"}}, 1, ["1 changed"], id="changed"),
    pytest.param(None, {"g.": {"status": "error", "message": "\x1b[2J"}}, 1, ["1 changed"], id="error"),
    pytest.param(lambda b: b["entries"][0].update(digest="0" * 12), {}, 1, ["1 moved"], id="moved"),
    pytest.param(
        lambda b: b["entries"].append(b["entries"][0] | {"id": "rfc1808-5.2-nope"}), {}, 1,
        ["1 unknown id", "unknown id: rfc1808-5.2-nope ("], id="unknown-id",
    ),
    pytest.param(
        lambda b: b["entries"].append(b["entries"].pop(0) | {"id": "rfc1808-5.2-nope"}), {"g.": RIGHT}, 1,
        ["1 regression, 1 unknown id, 1 stale"], id="several",
    ),
    pytest.param(lambda b: b.update(implementation="lib"), {}, 6, ["'lib'"], id="another's"),
    pytest.param(lambda b: b.update(spec=["rfc3986"]), {}, 6, ["rfc1808"], id="of-another-rfc"),
    pytest.param(
        lambda b: b.update(spec=["rfc9"]), {}, 6, ["b.json: no specification named 'rfc9'"], id="invalid"
    ),
    pytest.param(lambda b: b["entries"].append(b["entries"][0]), {}, 6, ["listed twice"], id="twice"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "says", "code", "words"), FINDINGS)
def test_a_run_with_a_baseline(urlconform, answers, listed, changed, change, says, code, words):
    answers(**says)
    if change is not None:
        changed(change)
    done = urlconform("run", LIB, *ONE, "--baseline", "b.json")
    assert done.returncode == code, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    for word in words:
        assert word in done.stderr


def test_a_failing_gate_begins_with_new_findings_in_full(urlconform, answers, listed, changed):
    """Known failures are one line; the ids follow on stderr."""
    changed(lambda b: [b["entries"].pop() for _ in range(len(listed) - 3)])
    done = urlconform("run", LIB, *ONE, "--baseline", "b.json")
    lines = done.stdout.splitlines()
    heads = [line for line in lines if line.endswith("  regression")]
    assert done.stderr.startswith(f"urlconform: {lines[0]} (b.json)\n")
    assert lines[1] == ""
    assert (len(heads), lines[2]) == (10, heads[0])
    labels = [line.split()[0] for line in lines[3 : lines.index("", 2)]]
    assert [one for one in labels if one != "flags"] == [
        *("input", "expected", "got", "statement", "section", "repeat")
    ]
    more = f"... and {len(listed) - 13} more; see --report html=FILE"
    known = f"{LIB}: 3 known failures, all in the baseline"
    assert lines.index(heads[-1]) < lines.index(more) < lines.index(known)
    for known_id in listed[:3]:
        assert f"{known_id}  " not in done.stdout
    assert f"{len(listed) - 3} regressions" in done.stderr
    (seen,) = re.findall(r"see one: urlconform repro (\S+)", done.stderr)
    (ids,) = re.findall(r"^  regression: (.*) and \d+ more$", done.stderr, re.MULTILINE)
    shown = [head.partition(" ")[0] for head in heads]
    assert (ids.split(", "), seen) == (shown[: ids.count(", ") + 1], shown[0])
    assert all(len(line) < 200 for line in done.stderr.splitlines() if "urlconform baseline" not in line)


def test_an_unknown_implementation_to_show_is_an_error(urlconform, tmp_path):
    """Before anything runs."""
    for names, has in (((), "reference, urllib"), (("urllib",), "urllib.")):
        done = urlconform("run", *names, *ONE, "-a", "urlib", "--report", "json=r.jsonl")
        assert (done.returncode, done.stdout) == (Exit.USAGE, "")
        assert f"'urlib' is not in this run, which has {has}" in done.stderr
        assert "Did you mean 'urllib'?" in done.stderr
        assert not (tmp_path / "r.jsonl").exists()
    urlconform("run", "reference", *ONE, "--report", "json=r.jsonl")
    done = urlconform("report", "r.jsonl", "-a", "urllib", "--report", "html=r.html")
    assert (done.returncode, (tmp_path / "r.html").exists()) == (Exit.USAGE, False)
    assert "which has reference." in done.stderr


def test_of_many_adapters_few_failures_each_are_in_full(urlconform, tmp_path):
    names = [f"python:mine:{name}" for name in "abcd"]
    text = "def a(question): return {'status': 'ok', 'url': 'x:'}\nb = c = d = a\n"
    (tmp_path / "mine.py").write_text(text, "utf-8")
    for count, full in ((1, 10), (4, 2)):
        done = urlconform("run", "reference", *names[:count], "--spec", "1808")  # the reference passes
        heads = [line for line in done.stdout.splitlines() if line.endswith("  failure")]
        assert (done.returncode, len(heads)) == (Exit.FAILED, count * full)
        assert len(re.findall(r"^\.\.\. and [\d,]+ more; see", done.stdout, re.MULTILINE)) == count


def test_a_listed_answer_that_is_not_given_any_more_is_lost(urlconform, answers, tmp_path):
    answers(**{"g.": RIGHT | {"url": "x:"}})
    assert urlconform("baseline", "create", LIB, "--spec", "1808", "-o", "b.json").returncode == 0
    answers(**{"g.": {"status": "unsupported"}})
    done = urlconform("run", LIB, "--spec", "1808", "--baseline", "b.json", "--report", "github=g")
    assert (done.returncode, "1 lost answer" in done.stderr) == (Exit.FAILED, True)
    assert re.search(
        r"^  before     answered wrong, now not offered; listed as fail \{", done.stdout, re.MULTILINE
    )
    assert re.search(r"lost%3A \S+ is not answered as before::input: ", (tmp_path / "g").read_text("utf-8"))
    left = urlconform("baseline", "update", "b.json", LIB, "--spec", "1808")
    assert (left.returncode, ": it is not answered any more\n" in left.stdout) == (0, True)
    assert urlconform("run", LIB, "--spec", "1808", "--baseline", "b.json").returncode == 0


def test_a_lost_answer_is_printed_with_what_was_before(urlconform, answers, tmp_path):
    answers(**{"g.": RIGHT})
    whole = (LIB, "--spec", "1808")
    assert urlconform("baseline", "create", *whole, "-o", "b.json").returncode == 0
    answers(**{"g.": {"status": "unsupported"}})
    for selection in (whole, (*whole, "--section", "5.2")):
        done = urlconform(
            "run", *selection, "--baseline", "b.json", "--report", "github=g", "--report", "junit=j"
        )
        assert done.returncode == Exit.FAILED
        _, _, first, *lines = done.stdout.splitlines()
        assert (first.partition("  ")[2], "  before     answered right, now not offered" in lines) == (
            "lost",
            True,
        )
        assert re.search(r"^  lost: rfc1808-5", done.stderr, re.MULTILINE)
        annotations = (tmp_path / "g").read_text("utf-8")
        assert "is not answered as before::input: " in annotations
        assert "%0Abefore: answered right, now not offered%0A" in annotations
        suite = ET.parse(tmp_path / "j").find("testsuite")
        assert suite is not None
        (failure,) = next(iter(suite.iter("testcase")))
        assert (failure.tag, failure.attrib["type"]) == ("failure", "lost")
        assert "before: answered right, now not offered" in (failure.text or "")
    shrunk = urlconform("baseline", "update", "b.json", *whole, "--only-shrink")
    assert (shrunk.returncode, " lost left" in shrunk.stderr) == (Exit.FAILED, True)
    done = urlconform("baseline", "update", "b.json", *whole)
    assert (done.returncode, ": answered right, now not offered\n" in done.stdout) == (0, True)
    assert urlconform("run", *whole, "--baseline", "b.json").returncode == 0
    assert "all current" in urlconform("baseline", "check", "b.json").stdout


@pytest.mark.parametrize("selection", [("-k", "dot"), ("--section", "5.2", "--maxfail", "1")])
def test_a_selection_makes_nothing_stale(urlconform, listed, selection):
    done = urlconform("run", LIB, "--spec", "1808", *selection, "--baseline", "b.json")
    assert (done.returncode, done.stderr.count("\n")) == ((1, 4) if "dot" in selection else (0, 1))
    assert "stale" not in done.stderr


def test_several_adapters_with_a_baseline_each(urlconform, answers, listed):
    """One stale entry gives exit code 4; together with a regression of another adapter it is 1."""
    assert urlconform("baseline", "create", "urllib", *ONE, "-o", "u.json").returncode == 0
    answers(**{"g.": RIGHT})
    files = ("--baseline", f"{LIB}=b.json", "--baseline", "urllib=u.json")
    assert urlconform("run", LIB, "urllib", *ONE, *files).returncode == Exit.STALE
    assert urlconform("run", LIB, "urllib", *ONE, *files[:2]).returncode == Exit.FAILED


@pytest.mark.parametrize(("answer", "code"), [("excess-dropped", 0), ("recommended", 1), ("error", 1)])
def test_a_policy_pins_an_answer(urlconform, answer, code):
    """RFC 2396, section 5.2, step 6g leaves excess `..` to the implementation (R-2396-18)."""
    policy = ("--policy", f"R-2396-18={answer}")
    done = urlconform("run", "urllib", "--spec", "2396", "-k", "5.2-6g-end", *policy)
    assert (done.returncode, "1 variant" in done.stderr) == (code, bool(code))


#: Selection, levels and exit code.
LEVELS = [
    pytest.param((*ONE, "--fail-on", "note"), Exit.NOTHING_RAN, id="no-such-vector"),
    pytest.param((*ONE, "--fail-on", "example"), Exit.FAILED, id="such-vectors"),
    pytest.param((*ONE, "--fail-on", "note", "--fail-on", "example"), Exit.FAILED, id="one-of-two"),
]


@pytest.mark.parametrize(("arguments", "code"), LEVELS)
def test_a_level_that_no_vector_has_judges_nothing(urlconform, answers, arguments, code):
    done = urlconform("run", LIB, *arguments)
    words = "nothing was judged: no vector of level note was selected"
    assert (done.returncode, words in done.stderr) == (code, code is Exit.NOTHING_RAN)


def test_the_total_timeout_is_named(urlconform, adapter, tmp_path):
    name = f"jsonl:{' '.join(adapter('def right(message): time.sleep(60)'))}"
    head = {"schema": "urlbaseline-1", "corpus": "0" * 12, "implementation": name}
    (tmp_path / "b.json").write_text(json.dumps(head | {"spec": ["rfc1808"], "entries": []}), "utf-8")
    limits = ("--total-timeout", "0.3")
    done = urlconform("run", name, *ONE, "--baseline", "b.json", *limits)
    assert (done.returncode, "0.3 s" in done.stderr) == (Exit.ADAPTER_DEAD, True)
    done = urlconform("baseline", "create", name, *ONE, "-o", "c.json", *limits)
    assert (done.returncode, "0.3 s" in done.stderr) == (Exit.ADAPTER_DEAD, True)


def test_junit_marks_known_failures(urlconform, listed, tmp_path):
    """The report of the run shows the baseline; a later report of the results does not."""
    reports = ("--report", "junit=j.xml", "--report", "json=r.jsonl")
    assert urlconform("run", LIB, *ONE, "--baseline", "b.json", *reports).returncode == 0
    gated = (tmp_path / "j.xml").read_text("utf-8")
    assert (gated.count(' type="known"'), gated.count("<failure")) == (len(listed), 0)
    assert urlconform("report", "r.jsonl", "--report", "junit=j.xml").returncode == 0
    plain = (tmp_path / "j.xml").read_text("utf-8")
    assert (plain.count(' type="known"'), plain.count("<failure")) == (0, len(listed))
