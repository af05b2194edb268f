"""`run`: questions, output, reports, the decision of the gate and the commands it proposes."""

from __future__ import annotations

import json
import re
import shlex
import sys
from xml.etree import ElementTree as ET

import pytest

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
    assert again.stdout in first.stdout
    for form in ("junit", "html"):
        assert (tmp_path / f"{form}.2").read_bytes() == (tmp_path / f"{form}.1").read_bytes()


@pytest.mark.parametrize("target", ["/dev/stdout", "/dev/null"])
def test_results_go_to_a_pipe_or_a_device(urlconform_process, target):
    done = urlconform_process("run", "reference", *NORMAL, "--report", f"json={target}")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [lines[0]["type"], lines[-1]["type"]] == ["header", "footer"] if "stdout" in target else not lines
    assert (done.returncode, "Complies with" in done.stdout) == (0, True)


def test_maxfail_stops_one_adapter(urlconform, tmp_path):
    (tmp_path / "mine.py").write_text("def answer(question): return {'status': 'error'}", "utf-8")
    urlconform("run", LIB, "reference", *NORMAL, "--maxfail", "2", "--report", "json=r")
    results = read_results(tmp_path / "r")
    assert (len(results.of(LIB)), len(results.of("reference"))) == (2, 24)


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


def test_results_are_in_the_order_of_the_corpus(urlconform, tmp_path):
    urlconform("run", "reference", "urllib", "--spec", "2732", "--report", "json=r")
    results = read_results(tmp_path / "r")
    for name in ("reference", "urllib"):
        assert list(results.of(name)) == list(results.vectors)


def test_restarts_are_shown(urlconform, tmp_path):
    """A fault after an answer is not blamed on the case, but the table shows it."""
    (tmp_path / "flaky.py").write_text(FLAKY, encoding="utf-8")
    done = urlconform("run", f"jsonl:{sys.executable} flaky.py", *ONE, "--report", "json=r.jsonl")
    assert "had to be started again" in done.stdout
    footer = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    (counts,) = footer["counts"].values()
    assert list(footer["restarts"].values()) == [(sum(counts.values()) - 1) // 5]
    assert "crash" not in counts


def test_an_adapter_that_dies_midway_leaves_its_partial_results(urlconform, adapter, tmp_path):
    """If an adapter is killed by a question and cannot be started again, the other adapters still run."""
    marker = tmp_path / "started"
    special = f"""
    if os.path.exists({str(marker)!r}):
        sys.exit("only once")
    open({str(marker)!r}, "w").close()
    def right(message):
        if message["reference"] == "./g":
            os._exit(1)
        return {{"id": message["id"], "status": "ok", "url": "x"}}
    """
    name = f"jsonl:{' '.join(adapter(special))}"
    done = urlconform("run", name, "reference", *NORMAL, "--report", "json=r.jsonl")
    assert done.returncode == Exit.ADAPTER_DEAD
    results = read_results(tmp_path / "r.jsonl")
    assert results.complete
    assert [result.outcome for result in results.of(name).values()] == ["fail"] * 2 + ["aborted"] * 22
    assert {result.outcome for result in results.of("reference").values()} == {"pass"}


def test_a_second_run_does_not_write_the_same_file(urlconform, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / "r.jsonl").open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.write(b"mine")
        stream.flush()
        done = urlconform("run", "urllib", *ONE, "--report", "json=r.jsonl")
        assert (done.returncode, done.stderr) == (6, "urlconform: r.jsonl: another run is writing it\n")
        assert (tmp_path / "r.jsonl").read_bytes() == b"mine"


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
    pytest.param(lambda b: b.update(spec=["rfc9"]), {}, 6, ["b.json: Invalid enum value"], id="invalid"),
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
