"""`baseline create|update|check`: exit codes, kept and added entries, and errors."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from urlharness.corpus.model import corpus_dir
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import read_baseline
from urlharness.results.model import read_results

ONE = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"
RIGHT = {"status": "ok", "url": "http://a/b/c/g."}


@pytest.fixture
def with_issues(urlconform, answers, listed, changed):
    """The baseline b.json with issues; one answer is right now, another is wrong in another way."""
    changed(lambda b: [entry.update(issue="#1") for entry in b["entries"]])
    assert urlconform("baseline", "check", "b.json").returncode == Exit.FAILED, "not canonical any more"
    assert urlconform("baseline", "check", "b.json", "--fix").returncode == 0
    answers(**{"g.": RIGHT, ".g": {"status": "reject"}})


@pytest.mark.usefixtures("with_issues")
def test_only_shrink_drops_what_is_right_and_changes_nothing(urlconform):
    shrunk = urlconform("baseline", "update", "b.json", LIB, *ONE, "--only-shrink")
    assert "0 added, 0 changed, 1 removed" in shrunk.stdout
    assert "  ! " in shrunk.stdout
    assert "1 changed left" in shrunk.stderr
    assert shrunk.returncode == Exit.FAILED


@pytest.mark.usefixtures("with_issues")
def test_an_update_keeps_issues_and_drops_what_is_right(urlconform, listed, tmp_path):
    done = urlconform("baseline", "update", "b.json", LIB, *ONE)
    assert done.stderr == ""
    assert "0 added, 1 changed, 1 removed" in done.stdout
    assert done.returncode == 0
    entries = read_baseline(tmp_path / "b.json").entries
    assert len(entries) == len(listed) - 1
    assert {entry.issue for entry in entries} == {"#1"}


@pytest.mark.usefixtures("with_issues")
def test_a_second_update_changes_nothing(urlconform):
    urlconform("baseline", "update", "b.json", LIB, *ONE)
    assert "b.json: unchanged" in urlconform("baseline", "update", "b.json", LIB, *ONE).stdout
    assert urlconform("run", LIB, *ONE, "--baseline", f"{LIB}=b.json").returncode == 0


@pytest.fixture
def recorded(urlconform, listed):
    """The results r.jsonl of two adapters, the first of which has the baseline b.json."""
    urlconform("run", LIB, "reference", "--spec", "1808", "--section", "5", "--report", "json=r.jsonl")


@pytest.mark.usefixtures("recorded")
def test_a_results_file_is_as_good_as_the_adapter(urlconform, tmp_path):
    assert urlconform("baseline", "create", "r.jsonl", *ONE, "-a", LIB, "-o", "c.json").returncode == 0
    assert (tmp_path / "c.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert "unchanged" in urlconform("baseline", "update", "b.json", "r.jsonl", "-a", LIB, *ONE).stdout


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param((), f"--adapter {LIB} or --adapter reference", id="several"),
        pytest.param(("-a", "lib"), "no adapter named 'lib'; choose from", id="unknown"),
    ],
)
def test_a_baseline_of_results_needs_one_of_their_adapters(urlconform, tmp_path, options, message):
    done = urlconform("baseline", "create", "r.jsonl", *options, "-o", "d.json")
    assert message in done.stderr
    assert done.returncode == Exit.USAGE
    assert not (tmp_path / "d.json").exists()


@pytest.mark.usefixtures("recorded")
def test_no_baseline_is_made_of_cut_results(urlconform, tmp_path):
    written = (tmp_path / "r.jsonl").read_bytes()
    (tmp_path / "cut.jsonl").write_bytes(written[: len(written) // 2])
    done = urlconform("baseline", "create", "cut.jsonl", "-a", LIB, "-o", "d.json")
    assert "a baseline needs a complete run" in done.stderr
    assert done.returncode == Exit.INVALID_FILE
    assert not (tmp_path / "d.json").exists()
    assert read_results(tmp_path / "r.jsonl").complete, "it is left as it was"


#: Arguments, exit code, and a part of stderr.
CODES = [
    pytest.param(("run", "--baseline", "b.json"), 2, "it needs a named ADAPTER", id="2-survey"),
    pytest.param(
        ("run", LIB, "urllib", "--baseline", "b.json"), 2, "ADAPTER=FILE with an adapter", id="2-which"
    ),
    pytest.param(
        ("run", LIB, "--baseline", "b.json", "--baseline", "b.json"), 2, "already has a baseline", id="2-two"
    ),
    pytest.param(("run", LIB, "--policy", "x"), 2, "'x' is not KEY=ANSWER", id="2-policy"),
    pytest.param(("run", LIB, "--policy", "x=y"), 2, "x is not a binding", id="2-policy-key"),
    pytest.param(("run", LIB, "--fail-on", "x"), 2, "'x' is not one of", id="2-level"),
    pytest.param(("run", LIB, "--baseline", "no.json"), 6, "no.json: no such file", id="6-missing"),
    pytest.param(("baseline", "check", "mine.py"), 6, "mine.py: JSON is malformed", id="6-check"),
    pytest.param(("baseline", "check", "no.json"), 6, "no.json: no such file", id="6-check-missing"),
    pytest.param(("baseline", "create", LIB, "-o", "b.json"), 2, "b.json: exists already; ", id="2-exists"),
    pytest.param(("baseline", "create", "nope", "-o", "c"), 2, "nope: no such file", id="2-source"),
    pytest.param(("baseline", "create", "mine.py", "-o", "c"), 6, "mine.py: line 1: ", id="6-results"),
    pytest.param(("baseline", "create", LIB, "-k", "nope", "-o", "c"), 5, "no vector meets", id="5-nothing"),
    pytest.param(("baseline", "create", "jsonl:./no", "-o", "c"), 3, "./no: no such file", id="3-dead"),
    pytest.param(("baseline", "create", LIB, *ONE, "-o", "no/c"), 2, "no/c: no such", id="2-folder"),
    pytest.param(("baseline", "create", LIB, *ONE, "-o", ""), 2, "a file name is missing", id="2-no-name"),
    pytest.param(("baseline", "update", "b.json", "urllib", *ONE), 6, "urllib", id="6-update"),
    pytest.param(("run", LIB, "--spec", "3986", "-k", "parse"), 5, "nothing was judged", id="5-no-such-op"),
    pytest.param(("run", "jsonl:/bin/false", *ONE), 3, "no hello", id="3-bin-false"),
    pytest.param(("run", "jsonl:cat", *ONE), 3, "protocol", id="3-echo"),
    pytest.param(("run", "exec:/bin/false", *ONE), 1, "gate failed", id="1-exec-bin-false"),
    pytest.param(("run", "exec:cat", *ONE), 1, "gate failed", id="1-exec-echo"),
    pytest.param(("run", "exec:sh -c 'exit 3'", *ONE), 5, "nothing was judged", id="5-unsupported"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "code", "words"), CODES)
def test_each_misuse_has_its_exit_code_and_one_line(urlconform, listed, arguments, code, words):
    done = urlconform(*arguments)
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert len(re.findall("^(?!  )", done.stderr.strip(), re.MULTILINE)) == 1
    assert done.stderr.count("\n") <= (4 if code == 1 else 2)


#: The source of a baseline, the file of `-o`, and the input that it would overwrite.
READ = [
    pytest.param("r.jsonl", (), "r.jsonl", "the results file", id="results"),
    pytest.param("r.jsonl", (), "link", "the results file", id="link-to-results"),
    pytest.param("urllib", ("--vectors", "v.json"), "v.json", "the file of --vectors", id="vectors"),
    pytest.param("urllib", (), "pyproject.toml", "the configuration of the project", id="configuration"),
]


@pytest.mark.parametrize(("source", "options", "output", "origin"), READ)
def test_a_baseline_overwrites_nothing_that_it_is_made_from(
    urlconform, tmp_path, source, options, output, origin
):
    for name in ("r.jsonl", "v.json", "pyproject.toml"):
        (tmp_path / name).write_text("mine\n", "ascii")
    (tmp_path / "link").symlink_to("r.jsonl")
    for force in ((), ("--force",)):
        done = urlconform("baseline", "create", source, "--no-config", *options, "-o", output, *force)
        assert done.stderr.count("\n") == 1
        assert f"-o: '{output}' would overwrite {origin}" in done.stderr
        assert done.returncode == 2
        assert (tmp_path / output).read_text("ascii") == "mine\n"


def test_a_bundled_adapter_goes_before_a_file_of_its_name(urlconform, tmp_path):
    (tmp_path / "urllib").write_text("mine", "ascii")
    assert urlconform("baseline", "create", "urllib", *ONE, "-o", "urllib", "--force").returncode == 0
    assert urlconform("baseline", "create", "urllib", *ONE, "-o", "/dev/null", "--force").returncode == 0


def test_timeouts_and_crashes_can_be_known(urlconform, adapter, signs, tmp_path):
    special = """
    def right(message):
        if message["reference"] == "g.":
            hang()
        if message["reference"] == ".g":
            os._exit(7)
        return {"id": message["id"], "status": "ok", "url": "x"}
    """
    name = f"jsonl:{' '.join(adapter(special))}"
    first = urlconform("run", name, *ONE, "--timeout", "1000", "--report", "json=r.jsonl")
    process = urlconform("baseline", "create", "r.jsonl", "-o", "b.json")
    outcomes = {entry.outcome for entry in read_baseline(tmp_path / "b.json").entries}
    assert outcomes == {"fail", "timeout", "crash"}
    assert first.returncode == 1
    assert process.returncode == 0
    assert "unchanged" in urlconform("baseline", "update", "b.json", "r.jsonl").stdout


def test_an_adapter_that_dies_midway_makes_no_baseline(urlconform, dying, tmp_path):
    done = urlconform("baseline", "create", dying("g."), *ONE, "-o", "b.json")
    assert "only once" in done.stderr
    assert "a baseline needs an answer to every case" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD
    assert not (tmp_path / "b.json").exists()


def test_a_baseline_of_another_corpus_is_noted(urlconform, listed, changed):
    """The gate and `check` both mention it in a line of its own, and it changes neither exit code."""
    note = "b.json: the baseline was made with corpus 0123456789ab"
    assert note not in urlconform("run", LIB, *ONE, "--baseline", "b.json").stderr
    changed(lambda b: b.update(corpus="0123456789ab"))
    urlconform("baseline", "check", "b.json", "--fix")
    for code in (Exit.PASSED, Exit.FAILED):
        done = urlconform("run", LIB, *ONE, "--baseline", "b.json")
        assert f"\nurlconform: {note}" in done.stderr
        assert "corpus 0123" not in done.stdout.splitlines()[0]
        assert done.returncode == code
        checked = urlconform("baseline", "check", "b.json")
        assert note in checked.stdout
        assert ("all current" in checked.stdout) is (code is Exit.PASSED)
        assert checked.returncode == code
        changed(lambda b: b["entries"][0].update(digest="0" * 12))
    updated = urlconform("baseline", "update", "b.json", LIB, *ONE).stdout
    assert "  ~ made with corpus 0123456789ab, now " in updated
    assert note not in urlconform("baseline", "check", "b.json").stdout


OLD = "the baseline is of format urlbaseline-1, which locks neither"


@pytest.fixture
def old_format(urlconform, listed, changed):
    """The baseline b.json in the old format."""
    changed(lambda b: b.update(schema="urlbaseline-1", answered={"rfc1808": {"resolve": 1}}))
    urlconform("baseline", "check", "b.json", "--fix")


@pytest.mark.usefixtures("listed")
def test_a_baseline_of_the_new_format_is_not_noted(urlconform):
    assert OLD not in urlconform("run", LIB, *ONE, "--baseline", "b.json").stderr


@pytest.mark.usefixtures("old_format")
def test_a_baseline_of_the_old_format_gates_as_before_and_is_noted(urlconform):
    done = urlconform("run", LIB, *ONE, "--baseline", "b.json")
    assert done.stderr.count(OLD) == 1
    assert done.returncode == Exit.PASSED
    assert OLD in urlconform("baseline", "check", "b.json").stdout


@pytest.mark.usefixtures("old_format")
@pytest.mark.parametrize("options", [ONE, ("--spec", "1808", "--only-shrink")], ids=["part", "only-shrink"])
def test_a_baseline_of_the_old_format_is_kept_by_a_partial_update(urlconform, options):
    assert OLD in urlconform("baseline", "update", "b.json", LIB, *options).stdout


@pytest.mark.usefixtures("old_format")
def test_a_baseline_of_the_old_format_is_lifted_by_a_whole_update(urlconform, tmp_path):
    lifted = urlconform("baseline", "update", "b.json", LIB, "--spec", "1808")
    assert OLD not in lifted.stdout
    assert "  ~ of format urlbaseline-1, now urlbaseline-2\n" in lifted.stdout
    assert lifted.returncode == Exit.PASSED
    assert read_baseline(tmp_path / "b.json").unanswered["rfc1808"]["validate"] == "all"
    assert OLD not in urlconform("run", LIB, "--spec", "1808", "--baseline", "b.json").stderr


def test_check_finds_unknown_ids_among_locked_answers(urlconform, tmp_path):
    assert urlconform("baseline", "create", "urllib", "--spec", "1808", "-o", "b.json").returncode == 0
    text = (tmp_path / "b.json").read_text("utf-8")
    assert "all current" in urlconform("baseline", "check", "b.json").stdout
    baseline = read_baseline(tmp_path / "b.json")
    partly = next(iter(baseline.partly["rfc1808"]))
    unanswered = baseline.unanswered["rfc1808"]["validate"][0]
    changed = text.replace(f'"{partly}"', f'"{partly}-x"').replace(f'"{unanswered}"', f'"{unanswered}-x"')
    (tmp_path / "b.json").write_text(changed, "utf-8")
    done = urlconform("baseline", "check", "b.json")
    assert done.returncode == Exit.FAILED
    for name in (partly, unanswered):
        assert f"b.json: rfc1808: unknown id: {name}-x: " in done.stdout


def test_check_knows_how_many_vectors_there_are(urlconform, listed, changed, corpus):
    count = sum(case.spec == "rfc1808" and case.vector.op == "resolve" for case in corpus.cases)
    changed(lambda b: b.update(answered={"rfc1808": {"resolve": count}}))
    urlconform("baseline", "check", "b.json", "--fix")
    assert urlconform("baseline", "check", "b.json").returncode == Exit.PASSED
    changed(lambda b: b.update(answered={"rfc1808": {"resolve": count + 1, "normalize": 1}}))
    urlconform("baseline", "check", "b.json", "--fix")
    checked = urlconform("baseline", "check", "b.json")
    assert (
        f"rfc1808 resolve: the baseline counts {count + 1} answers, but the corpus has only {count}"
        in checked.stdout
    )
    assert "rfc1808 normalize: the baseline counts 1 answer, but the corpus has only 0" in checked.stdout
    assert checked.returncode == Exit.FAILED


def test_update_judges_what_the_gate_judges(urlconform, tmp_path):
    """An RFC in the baseline is judged and updated even if the hello no longer claims it."""
    claiming = "answer.hello = {'ops': ['resolve'], 'specs': %r}\n"
    says = "def answer(question): return {'status': 'ok', 'url': 'x'}\n"
    (tmp_path / "mine.py").write_text(says + claiming % (["rfc1808", "rfc2396"],), "utf-8")
    assert urlconform("baseline", "create", LIB, "-k", "-5.2-", "-o", "b.json").returncode == 0
    (tmp_path / "mine.py").write_text(says.replace("'x'", "'yy'") + claiming % (["rfc2396"],), "utf-8")
    done = urlconform("run", LIB, "-k", "-5.2-", "--baseline", "b.json")
    assert re.search(r"  changed: .*rfc1808-5\.2-", done.stderr)
    assert done.returncode == Exit.FAILED
    assert urlconform("baseline", "update", "b.json", LIB, "-k", "-5.2-").returncode == 0
    assert urlconform("run", LIB, "-k", "-5.2-", "--baseline", "b.json").returncode == 0


def test_coverage_that_is_not_checked_is_noted(urlconform, listed):
    """If only a part of an RFC was run, its coverage is unknown."""
    process = urlconform("baseline", "create", LIB, *ONE, "-o", "c.json")
    assert "\n  coverage of " in process.stdout.lower()
    whole = urlconform("baseline", "create", LIB, "--spec", "1808", "-o", "d.json")
    assert "coverage" not in whole.stdout.lower()


# ---- pipes


@contextmanager
def pipe_with(content: bytes) -> Iterator[str]:
    """Yield the path of a pipe that has this content and then ends."""
    reader, writer = os.pipe()
    try:
        with os.fdopen(writer, "wb") as stream:
            stream.write(content)
        yield f"/dev/fd/{reader}"
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    ("end", "code", "words"),
    [
        pytest.param(b"", Exit.PASSED, "all current", id="canonical"),
        pytest.param(b" ", Exit.FAILED, "not in canonical form (use --fix)", id="not-canonical"),
    ],
)
def test_check_reads_a_pipe_once(urlconform, listed, tmp_path, end, code, words):
    with pipe_with((tmp_path / "b.json").read_bytes() + end) as path:
        done = urlconform("baseline", "check", path)
    assert f"{path}: " in done.stdout
    assert words in done.stdout
    assert done.returncode == code


#: Commands that would write the baseline to the pipe that they read.
REWRITING = [
    pytest.param(("check", "--fix"), (), "--fix cannot rewrite it", id="check-fix"),
    pytest.param(("update",), (LIB, *ONE), "it cannot be updated", id="update"),
]


@pytest.mark.parametrize(("command", "words", "why"), REWRITING)
def test_a_pipe_is_not_rewritten(urlconform, listed, tmp_path, command, words, why):
    with pipe_with((tmp_path / "b.json").read_bytes() + b" ") as path:
        done = urlconform("baseline", *command, path, *words)
    assert done.stderr.startswith(f"urlconform: {path}: not a regular file, so ")
    assert why in done.stderr
    assert done.returncode == Exit.INVALID_FILE


def test_an_update_of_a_named_pipe_does_not_wait(urlconform, answers, tmp_path):
    """No process ever writes to it."""
    os.mkfifo(tmp_path / "pipe")
    done = urlconform("baseline", "update", "pipe", LIB, *ONE)
    assert "pipe: not a regular file" in done.stderr
    assert done.returncode == Exit.INVALID_FILE


# ---- the next corpus


def test_a_library_that_gives_up_operations_is_red_after_an_upgrade(urlconform, corpus, tmp_path):
    """The corpus of the baseline lacks one vector of the installed one, which has many tombstones."""
    old = shutil.copytree(
        corpus_dir(), tmp_path / "old", ignore=shutil.ignore_patterns("*.py", "__pycache__")
    )
    path = max((old / "rfc2732").glob("*.json"), key=lambda file: file.stat().st_size)
    document = json.loads(path.read_text("utf-8"))
    document["vectors"].pop()
    path.write_text(json.dumps(document), "utf-8")
    (tmp_path / "weak.py").write_text(WEAK, "utf-8")
    process = urlconform(
        "baseline", "create", "python:weak:all", "--spec", "2732", "--vectors", "old", "-o", "b.json"
    )
    assert process.returncode == Exit.PASSED
    for name, code in (("all", Exit.PASSED), ("some", Exit.FAILED)):
        done = urlconform("run", "--gate", f"python:weak:{name}", "--spec", "2732", "--baseline", "b.json")
        assert ("lost answers" in done.stderr) is (code == Exit.FAILED)
        assert done.returncode == code


#: An adapter that answers as the reference does, and one of the same name that gave up two operations.
WEAK = """
from urlharness.adapters import reference

def all(question):
    return reference.answer(question)

def some(question):
    if question["op"] in ("recompose", "equivalent"):
        return {"status": "unsupported"}
    return reference.answer(question)

all.hello = some.hello = {
    "implementation": {"name": "weak", "version": "1"},
    "ops": ["validate", "parse", "resolve", "recompose", "normalize", "extract", "equivalent", "base"],
}
"""
