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

SECTION_5_2 = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"
RIGHT_ANSWER = {"status": "ok", "url": "http://a/b/c/g."}

#: Required vectors of this section that urllib answers wrongly, as most of its versions do.
FAILURES_OF_URLLIB = 7


def add_issues(baseline) -> None:
    for entry in baseline["entries"]:
        entry["issue"] = "#1"


@pytest.fixture
def with_issues(urlconform, answers, baseline_file, change_baseline):
    """The baseline b.json with issues; one answer is right now, another is wrong in another way."""
    change_baseline(add_issues)
    assert urlconform("baseline", "check", "b.json").returncode == Exit.FAILED, "not canonical any more"
    assert urlconform("baseline", "check", "b.json", "--fix").returncode == Exit.PASSED
    answers(**{"g.": RIGHT_ANSWER, ".g": {"status": "reject"}})


#: The vectors of the two answers: one is right now, and one is wrong in another way.
RIGHT_NOW = "rfc1808-5.2-name-dot"
CHANGED = "rfc1808-5.2-dot-name"


@pytest.fixture
def shrinking_update(urlconform, with_issues):
    """An update with `--only-shrink` of the baseline with issues."""
    return urlconform("baseline", "update", "b.json", LIB, *SECTION_5_2, "--only-shrink")


def test_only_shrink_drops_what_is_right(shrinking_update):
    assert "0 added, 0 changed, 1 removed" in shrinking_update.stdout
    assert f"\n  - {RIGHT_NOW}: it passes now\n" in shrinking_update.stdout


def test_only_shrink_fails_if_it_leaves_a_changed_entry(shrinking_update):
    assert f"\n  ! {CHANGED} changed\n" in shrinking_update.stdout
    assert "1 changed left" in shrinking_update.stderr
    assert shrinking_update.returncode == Exit.FAILED


@pytest.mark.usefixtures("with_issues")
def test_only_shrink_changes_no_entry(urlconform, tmp_path):
    before = read_baseline(tmp_path / "b.json").entries
    urlconform("baseline", "update", "b.json", LIB, *SECTION_5_2, "--only-shrink")
    remaining = [entry for entry in before if entry.id != RIGHT_NOW]
    assert list(read_baseline(tmp_path / "b.json").entries) == remaining


@pytest.mark.usefixtures("with_issues")
def test_an_update_drops_what_is_right(urlconform, baseline_ids, tmp_path):
    done = urlconform("baseline", "update", "b.json", LIB, *SECTION_5_2)
    assert done.stderr == ""
    assert "0 added, 1 changed, 1 removed" in done.stdout
    assert done.returncode == Exit.PASSED
    remaining = [identifier for identifier in baseline_ids if identifier != RIGHT_NOW]
    assert [entry.id for entry in read_baseline(tmp_path / "b.json").entries] == remaining


@pytest.mark.usefixtures("with_issues")
def test_an_update_keeps_issues(urlconform, tmp_path):
    urlconform("baseline", "update", "b.json", LIB, *SECTION_5_2)
    assert {entry.issue for entry in read_baseline(tmp_path / "b.json").entries} == {"#1"}


@pytest.mark.usefixtures("with_issues")
def test_a_second_update_changes_nothing(urlconform, tmp_path):
    urlconform("baseline", "update", "b.json", LIB, *SECTION_5_2)
    updated = (tmp_path / "b.json").read_bytes()
    assert "b.json: unchanged" in urlconform("baseline", "update", "b.json", LIB, *SECTION_5_2).stdout
    assert (tmp_path / "b.json").read_bytes() == updated


@pytest.mark.usefixtures("with_issues")
def test_a_run_passes_after_an_update_of_its_baseline(urlconform, baseline_ids):
    urlconform("baseline", "update", "b.json", LIB, *SECTION_5_2)
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", f"{LIB}=b.json")
    failures_left = len(baseline_ids) - 1  # one answer is right now
    assert f"urlconform: {LIB}: passed; {failures_left} known failures, " in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.fixture
def recorded(urlconform, baseline_file):
    """The results r.jsonl of two adapters, the first of which has the baseline b.json."""
    urlconform("run", LIB, "reference", "--spec", "1808", "--section", "5", "--report", "json=r.jsonl")


@pytest.mark.usefixtures("recorded")
def test_the_baseline_of_a_results_file_is_that_of_its_adapter(urlconform, tmp_path):
    created = urlconform("baseline", "create", "r.jsonl", *SECTION_5_2, "-a", LIB, "-o", "c.json")
    assert created.returncode == Exit.PASSED
    assert (tmp_path / "c.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.usefixtures("recorded")
def test_an_update_by_the_results_of_the_same_answers_changes_nothing(urlconform, tmp_path):
    before = (tmp_path / "b.json").read_bytes()
    updated = urlconform("baseline", "update", "b.json", "r.jsonl", "-a", LIB, *SECTION_5_2)
    assert "b.json: unchanged" in updated.stdout
    assert (tmp_path / "b.json").read_bytes() == before


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
    assert (tmp_path / "cut.jsonl").read_bytes() == written[: len(written) // 2]


#: Arguments, exit code, and a part of stderr.
CODES = [
    pytest.param(("run", "--baseline", "b.json"), Exit.USAGE, "it needs a named ADAPTER", id="2-survey"),
    pytest.param(
        ("run", LIB, "urllib", "--baseline", "b.json"),
        Exit.USAGE,
        "ADAPTER=FILE with an adapter",
        id="2-which",
    ),
    pytest.param(
        ("run", LIB, "--baseline", "b.json", "--baseline", "b.json"),
        Exit.USAGE,
        "already has a baseline",
        id="2-two",
    ),
    pytest.param(("run", LIB, "--policy", "x"), Exit.USAGE, "'x' is not KEY=ANSWER", id="2-policy"),
    pytest.param(("run", LIB, "--policy", "x=y"), Exit.USAGE, "x is not a binding", id="2-policy-key"),
    pytest.param(("run", LIB, "--fail-on", "x"), Exit.USAGE, "'x' is not one of", id="2-level"),
    pytest.param(
        ("run", LIB, "--baseline", "no.json"), Exit.INVALID_FILE, "no.json: no such file", id="6-missing"
    ),
    pytest.param(
        ("baseline", "check", "mine.py"), Exit.INVALID_FILE, "mine.py: JSON is malformed", id="6-check"
    ),
    pytest.param(
        ("baseline", "check", "no.json"), Exit.INVALID_FILE, "no.json: no such file", id="6-check-missing"
    ),
    pytest.param(
        ("baseline", "create", LIB, "-o", "b.json"), Exit.USAGE, "b.json: exists already; ", id="2-exists"
    ),
    pytest.param(("baseline", "create", "nope", "-o", "c"), Exit.USAGE, "nope: no such file", id="2-source"),
    pytest.param(
        ("baseline", "create", "mine.py", "-o", "c"), Exit.INVALID_FILE, "mine.py: line 1: ", id="6-results"
    ),
    pytest.param(
        ("baseline", "create", LIB, "-k", "nope", "-o", "c"),
        Exit.NOTHING_RAN,
        "no vector meets",
        id="5-nothing",
    ),
    pytest.param(
        ("baseline", "create", "jsonl:./no", "-o", "c"), Exit.ADAPTER_DEAD, "./no: no such file", id="3-dead"
    ),
    pytest.param(
        ("baseline", "create", LIB, *SECTION_5_2, "-o", "no/c"), Exit.USAGE, "no/c: no such", id="2-folder"
    ),
    pytest.param(
        ("baseline", "create", LIB, *SECTION_5_2, "-o", ""),
        Exit.USAGE,
        "a file name is missing",
        id="2-no-name",
    ),
    pytest.param(
        ("baseline", "update", "b.json", "urllib", *SECTION_5_2),
        Exit.INVALID_FILE,
        "b.json: it was made for implementation 'mine:answer', but this one is 'urllib.parse'",
        id="6-update",
    ),
    pytest.param(
        ("run", LIB, "--spec", "3986", "-k", "parse"),
        Exit.NOTHING_RAN,
        "nothing was judged",
        id="5-no-such-op",
    ),
    pytest.param(
        ("run", "jsonl:/bin/false", *SECTION_5_2),
        Exit.ADAPTER_DEAD,
        "no hello: exit code 1",
        id="3-bin-false",
    ),
    pytest.param(
        ("run", "jsonl:cat", *SECTION_5_2),
        Exit.ADAPTER_DEAD,
        "its first line is not a valid hello",
        id="3-echo",
    ),
    pytest.param(
        ("run", "exec:sh -c 'exit 3'", *SECTION_5_2),
        Exit.NOTHING_RAN,
        "nothing was judged",
        id="5-unsupported",
    ),
]


@pytest.mark.usefixtures("baseline_file")
@pytest.mark.parametrize(("arguments", "code", "words"), CODES)
@pytest.mark.sampled(2)
def test_each_command_that_judges_nothing_has_its_exit_code_and_one_message(
    urlconform, arguments, code, words
):
    done = urlconform(*arguments)
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    first_line, *broken_off_lines = done.stderr.splitlines()
    assert first_line.startswith("urlconform: ")
    assert len(broken_off_lines) <= 1
    assert [line for line in broken_off_lines if not line.startswith("  ")] == []


@pytest.mark.parametrize("program", ["/bin/false", "cat"])
def test_a_program_per_case_that_answers_nonsense_fails_the_gate(urlconform, program):
    done = urlconform("run", f"exec:{program}", *SECTION_5_2)
    assert done.stderr.startswith(f"urlconform: exec:{program}: gate failed on ")
    assert done.returncode == Exit.FAILED


#: The source of a baseline, further options, the file of `-o`, and the input that it would overwrite.
READ = [
    pytest.param("r.jsonl", (), "r.jsonl", "the results file", id="results"),
    pytest.param("r.jsonl", (), "link", "the results file", id="link-to-results"),
    pytest.param("urllib", ("--vectors", "v.json"), "v.json", "the file of --vectors", id="vectors"),
    pytest.param("urllib", (), "pyproject.toml", "the configuration of the project", id="configuration"),
]


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["plain", "force"])
@pytest.mark.parametrize(("source", "options", "output", "origin"), READ)
def test_a_baseline_overwrites_nothing_that_it_is_made_from(
    urlconform, tmp_path, source, options, output, origin, force
):
    for name in ("r.jsonl", "v.json", "pyproject.toml"):
        (tmp_path / name).write_text("mine\n", "ascii")
    (tmp_path / "link").symlink_to("r.jsonl")
    done = urlconform("baseline", "create", source, "--no-config", *options, "-o", output, *force)
    assert done.stderr.count("\n") == 1
    assert f"-o: '{output}' would overwrite {origin}" in done.stderr
    assert done.returncode == Exit.USAGE
    assert (tmp_path / output).read_text("ascii") == "mine\n"


def test_a_bundled_adapter_goes_before_a_file_of_its_name(urlconform, tmp_path):
    (tmp_path / "urllib").write_text("mine", "ascii")
    created = urlconform("baseline", "create", "urllib", *SECTION_5_2, "-o", "b.json")
    counts = f"{FAILURES_OF_URLLIB} entries: {FAILURES_OF_URLLIB} fail"
    assert created.stdout.startswith(f"b.json: {counts} (rfc1808)\n")
    assert created.returncode == Exit.PASSED


def test_force_overwrites_a_file_that_the_baseline_is_not_made_from(urlconform, tmp_path):
    (tmp_path / "urllib").write_text("mine", "ascii")
    created = urlconform("baseline", "create", "urllib", *SECTION_5_2, "-o", "urllib", "--force")
    assert created.returncode == Exit.PASSED
    assert len(read_baseline(tmp_path / "urllib").entries) == FAILURES_OF_URLLIB


def test_force_writes_a_baseline_to_a_device(urlconform):
    created = urlconform("baseline", "create", "urllib", *SECTION_5_2, "-o", "/dev/null", "--force")
    counts = f"{FAILURES_OF_URLLIB} entries: {FAILURES_OF_URLLIB} fail"
    assert created.stdout.startswith(f"/dev/null: {counts} (rfc1808)\n")
    assert created.returncode == Exit.PASSED


@pytest.fixture
def unstable_results(urlconform, adapter, signs):
    """The results r.jsonl of an adapter that hangs at one question and crashes at another."""
    unstable = """
    def right(message):
        if message["reference"] == "g.":
            hang()
        if message["reference"] == ".g":
            os._exit(7)
        return {"id": message["id"], "status": "ok", "url": "x"}
    """
    name = f"jsonl:{' '.join(adapter(unstable))}"
    done = urlconform("run", name, *SECTION_5_2, "--timeout", "1000", "--report", "json=r.jsonl")
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("unstable_results")
def test_a_baseline_lists_timeouts_and_crashes(urlconform, tmp_path):
    created = urlconform("baseline", "create", "r.jsonl", "-o", "b.json")
    assert created.returncode == Exit.PASSED
    entries = read_baseline(tmp_path / "b.json").entries
    outcomes = {entry.id: entry.outcome for entry in entries if entry.outcome != "fail"}
    assert outcomes == {"rfc1808-5.2-name-dot": "timeout", "rfc1808-5.2-dot-name": "crash"}


@pytest.mark.usefixtures("unstable_results")
def test_an_update_by_the_same_timeouts_and_crashes_changes_nothing(urlconform, tmp_path):
    urlconform("baseline", "create", "r.jsonl", "-o", "b.json")
    before = (tmp_path / "b.json").read_bytes()
    assert "b.json: unchanged" in urlconform("baseline", "update", "b.json", "r.jsonl").stdout
    assert (tmp_path / "b.json").read_bytes() == before


def test_an_adapter_that_dies_midway_makes_no_baseline(urlconform, make_dying_adapter, tmp_path):
    done = urlconform("baseline", "create", make_dying_adapter("g."), *SECTION_5_2, "-o", "b.json")
    assert "only once" in done.stderr
    assert "a baseline needs an answer to every case" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD
    assert not (tmp_path / "b.json").exists()


def test_the_baseline_is_not_named_for_an_adapter_that_did_not_start(urlconform):
    """Its file would read as if it were the one that is missing."""
    urlconform("baseline", "create", "urllib", *SECTION_5_2, "-o", "b.json")
    done = urlconform("run", "--gate", "jsonl:./no", *SECTION_5_2, "--baseline", "b.json")
    assert done.stderr.splitlines()[-1].endswith("no such file or directory")


OTHER_CORPUS_NOTE = "b.json: the baseline was made with corpus 0123456789ab"


@pytest.fixture
def of_another_corpus(urlconform, baseline_file, change_baseline):
    """The baseline b.json of another corpus."""
    change_baseline(lambda baseline: baseline.update(corpus="0123456789ab"))
    urlconform("baseline", "check", "b.json", "--fix")


@pytest.mark.usefixtures("baseline_file")
def test_a_run_with_a_baseline_of_its_corpus_has_no_note(urlconform):
    assert OTHER_CORPUS_NOTE not in urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json").stderr


@pytest.mark.usefixtures("of_another_corpus")
def test_a_run_that_passes_notes_a_baseline_of_another_corpus(urlconform):
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json")
    assert f"\nurlconform: {OTHER_CORPUS_NOTE}" in done.stderr
    assert "corpus 0123" not in done.stdout.splitlines()[0]
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("of_another_corpus")
def test_a_run_that_fails_notes_a_baseline_of_another_corpus(urlconform, change_baseline):
    change_baseline(lambda baseline: baseline["entries"][0].update(digest="0" * 12))
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json")
    assert f"\nurlconform: {OTHER_CORPUS_NOTE}" in done.stderr
    assert "corpus 0123" not in done.stdout.splitlines()[0]
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("of_another_corpus")
def test_check_notes_a_baseline_of_another_corpus_that_is_current(urlconform):
    checked = urlconform("baseline", "check", "b.json")
    assert OTHER_CORPUS_NOTE in checked.stdout
    assert "all current" in checked.stdout
    assert checked.returncode == Exit.PASSED


@pytest.mark.usefixtures("of_another_corpus")
def test_check_notes_a_baseline_of_another_corpus_that_is_not_current(urlconform, change_baseline):
    change_baseline(lambda baseline: baseline["entries"][0].update(digest="0" * 12))
    checked = urlconform("baseline", "check", "b.json")
    assert OTHER_CORPUS_NOTE in checked.stdout
    assert "all current" not in checked.stdout
    assert checked.returncode == Exit.FAILED


@pytest.mark.usefixtures("of_another_corpus")
def test_an_update_gives_the_baseline_the_corpus_of_the_run(urlconform):
    updated = urlconform("baseline", "update", "b.json", LIB, *SECTION_5_2)
    assert "  ~ made with corpus 0123456789ab, now " in updated.stdout
    assert OTHER_CORPUS_NOTE not in urlconform("baseline", "check", "b.json").stdout


OLD_FORMAT_NOTE = "the baseline is of format urlbaseline-1, which locks neither"


@pytest.fixture
def old_format(urlconform, baseline_file, change_baseline):
    """The baseline b.json in the old format."""
    change_baseline(
        lambda baseline: baseline.update(schema="urlbaseline-1", answered={"rfc1808": {"resolve": 1}})
    )
    urlconform("baseline", "check", "b.json", "--fix")


@pytest.mark.usefixtures("baseline_file")
def test_a_baseline_of_the_new_format_is_not_noted(urlconform):
    assert OLD_FORMAT_NOTE not in urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json").stderr


@pytest.mark.usefixtures("old_format")
def test_a_baseline_of_the_old_format_gates_as_before_and_is_noted(urlconform):
    done = urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json")
    assert done.stderr.count(OLD_FORMAT_NOTE) == 1
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("old_format")
def test_check_notes_a_baseline_of_the_old_format(urlconform):
    assert OLD_FORMAT_NOTE in urlconform("baseline", "check", "b.json").stdout


@pytest.mark.usefixtures("old_format")
@pytest.mark.parametrize(
    "options", [SECTION_5_2, ("--spec", "1808", "--only-shrink")], ids=["part", "only-shrink"]
)
def test_a_baseline_of_the_old_format_is_kept_by_a_partial_update(urlconform, options):
    assert OLD_FORMAT_NOTE in urlconform("baseline", "update", "b.json", LIB, *options).stdout


@pytest.mark.usefixtures("old_format")
def test_a_baseline_of_the_old_format_is_lifted_by_a_whole_update(urlconform, tmp_path):
    lifted = urlconform("baseline", "update", "b.json", LIB, "--spec", "1808")
    assert OLD_FORMAT_NOTE not in lifted.stdout
    assert "  ~ of format urlbaseline-1, now urlbaseline-2\n" in lifted.stdout
    assert lifted.returncode == Exit.PASSED
    # the adapter only resolves, which a baseline of the new format locks
    assert read_baseline(tmp_path / "b.json").unanswered["rfc1808"]["validate"] == "all"


@pytest.mark.usefixtures("old_format")
def test_a_baseline_that_was_lifted_to_the_new_format_is_not_noted(urlconform):
    urlconform("baseline", "update", "b.json", LIB, "--spec", "1808")
    done = urlconform("run", LIB, "--spec", "1808", "--baseline", "b.json")
    assert OLD_FORMAT_NOTE not in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.fixture
def misspelled_ids(urlconform, tmp_path):
    """Two ids of b.json that the corpus does not have, in place of a partly answered and an open vector."""
    urlconform("baseline", "create", "urllib", "--spec", "1808", "-o", "b.json")
    assert "all current" in urlconform("baseline", "check", "b.json").stdout
    baseline = read_baseline(tmp_path / "b.json")
    partly_answered, *_ = baseline.partly["rfc1808"]
    unanswered, *_ = baseline.unanswered["rfc1808"]["validate"]
    text = (tmp_path / "b.json").read_text("utf-8")
    for known_id in (partly_answered, unanswered):
        text = text.replace(f'"{known_id}"', f'"{known_id}-x"')
    (tmp_path / "b.json").write_text(text, "utf-8")
    return {f"{partly_answered}-x", f"{unanswered}-x"}


def test_check_finds_unknown_ids_among_locked_answers(urlconform, misspelled_ids):
    done = urlconform("baseline", "check", "b.json")
    unknown_ids = set(re.findall(r"^b.json: rfc1808: unknown id: (\S+): ", done.stdout, re.MULTILINE))
    assert unknown_ids == misspelled_ids
    assert done.returncode == Exit.FAILED


@pytest.fixture
def resolve_count(corpus) -> int:
    """The number of vectors of RFC 1808 to resolve."""
    return sum(case.spec == "rfc1808" and case.vector.op == "resolve" for case in corpus.cases)


@pytest.mark.usefixtures("baseline_file")
def test_check_accepts_as_many_answers_as_there_are_vectors(urlconform, change_baseline, resolve_count):
    change_baseline(lambda baseline: baseline.update(answered={"rfc1808": {"resolve": resolve_count}}))
    urlconform("baseline", "check", "b.json", "--fix")
    assert urlconform("baseline", "check", "b.json").returncode == Exit.PASSED


@pytest.mark.usefixtures("baseline_file")
def test_check_refuses_more_answers_than_there_are_vectors(urlconform, change_baseline, resolve_count):
    change_baseline(lambda baseline: baseline.update(answered={"rfc1808": {"resolve": resolve_count + 1}}))
    urlconform("baseline", "check", "b.json", "--fix")
    checked = urlconform("baseline", "check", "b.json")
    too_many = f"the baseline counts {resolve_count + 1} answers, but the corpus has only {resolve_count}"
    assert f"rfc1808 resolve: {too_many}" in checked.stdout
    assert checked.returncode == Exit.FAILED


@pytest.mark.usefixtures("baseline_file")
def test_check_refuses_answers_to_an_operation_without_vectors(urlconform, change_baseline):
    change_baseline(lambda baseline: baseline.update(answered={"rfc1808": {"normalize": 1}}))
    urlconform("baseline", "check", "b.json", "--fix")
    checked = urlconform("baseline", "check", "b.json")
    too_many = "the baseline counts 1 answer, but the corpus has only 0"
    assert f"rfc1808 normalize: {too_many}" in checked.stdout
    assert checked.returncode == Exit.FAILED


@pytest.fixture
def claim_given_up(urlconform, tmp_path):
    """A baseline b.json of an adapter that has other answers now, and does not claim RFC 1808 any more."""

    def write_adapter(url, specs):
        hello = {"ops": ["resolve"], "specs": specs}
        text = f"def answer(question): return {{'status': 'ok', 'url': {url!r}}}\nanswer.hello = {hello!r}\n"
        (tmp_path / "mine.py").write_text(text, "utf-8")

    write_adapter("x", ["rfc1808", "rfc2396"])
    assert urlconform("baseline", "create", LIB, "-k", "-5.2-", "-o", "b.json").returncode == Exit.PASSED
    write_adapter("yy", ["rfc2396"])


@pytest.mark.usefixtures("claim_given_up")
def test_a_run_judges_an_rfc_of_its_baseline_that_the_adapter_does_not_claim_any_more(urlconform):
    done = urlconform("run", LIB, "-k", "-5.2-", "--baseline", "b.json")
    assert re.search(r"  changed: .*rfc1808-5\.2-", done.stderr)
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("claim_given_up")
def test_an_update_has_the_rfcs_that_the_run_judges(urlconform):
    assert urlconform("baseline", "update", "b.json", LIB, "-k", "-5.2-").returncode == Exit.PASSED
    done = urlconform("run", LIB, "-k", "-5.2-", "--baseline", "b.json")
    assert f"urlconform: {LIB}: passed; " in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("answers")
def test_a_new_baseline_of_a_part_of_an_rfc_says_that_coverage_is_not_checked(urlconform):
    created = urlconform("baseline", "create", LIB, *SECTION_5_2, "-o", "c.json")
    assert "\n  coverage of " in created.stdout.lower()


@pytest.mark.usefixtures("answers")
def test_a_new_baseline_of_a_whole_rfc_does_not_mention_coverage(urlconform):
    created = urlconform("baseline", "create", LIB, "--spec", "1808", "-o", "d.json")
    assert "coverage" not in created.stdout.lower()


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


@pytest.mark.usefixtures("baseline_file")
@pytest.mark.parametrize(
    ("end", "code", "words"),
    [
        pytest.param(b"", Exit.PASSED, "all current", id="canonical"),
        pytest.param(b" ", Exit.FAILED, "not in canonical form (use --fix)", id="not-canonical"),
    ],
)
def test_check_reads_a_pipe_once(urlconform, tmp_path, end, code, words):
    with pipe_with((tmp_path / "b.json").read_bytes() + end) as path:
        done = urlconform("baseline", "check", path)
    assert f"{path}: " in done.stdout
    assert words in done.stdout
    assert done.returncode == code


#: Commands that would write the baseline to the pipe that they read.
REWRITING = [
    pytest.param(("check", "--fix"), (), "--fix cannot rewrite it", id="check-fix"),
    pytest.param(("update",), (LIB, *SECTION_5_2), "it cannot be updated", id="update"),
]


@pytest.mark.usefixtures("baseline_file")
@pytest.mark.parametrize(("command", "words", "why"), REWRITING)
def test_a_pipe_is_not_rewritten(urlconform, tmp_path, command, words, why):
    with pipe_with((tmp_path / "b.json").read_bytes() + b" ") as path:
        done = urlconform("baseline", *command, path, *words)
    assert done.stderr.startswith(f"urlconform: {path}: not a regular file, so ")
    assert why in done.stderr
    assert done.returncode == Exit.INVALID_FILE


@pytest.mark.usefixtures("answers")
def test_an_update_of_a_named_pipe_does_not_wait(urlconform, tmp_path):
    """No process ever writes to it."""
    os.mkfifo(tmp_path / "pipe")
    done = urlconform("baseline", "update", "pipe", LIB, *SECTION_5_2)
    assert "pipe: not a regular file" in done.stderr
    assert done.returncode == Exit.INVALID_FILE


# ---- the next corpus

#: An adapter that answers as the reference does, and one of the same name that gave up two operations.
WEAK_ADAPTERS = """
from urlharness.adapters import reference


def all(question):
    return reference.answer(question)


def fewer(question):
    if question["op"] in ("recompose", "equivalent"):
        return {"status": "unsupported"}
    return reference.answer(question)


all.hello = fewer.hello = {
    "implementation": {"name": "weak", "version": "1"},
    "ops": ["validate", "parse", "resolve", "recompose", "normalize", "extract", "equivalent", "base"],
}
"""


@pytest.fixture
def baseline_before_upgrade(urlconform_once, tmp_path):
    """The baseline b.json of `weak:all`, whose corpus does not have one vector of the installed one."""
    ignored = shutil.ignore_patterns("*.py", "__pycache__")
    old = shutil.copytree(corpus_dir(), tmp_path / "old", ignore=ignored)
    # the largest file, which has vectors left without its last one
    path = max((old / "rfc2732").glob("*.json"), key=lambda file: file.stat().st_size)
    document = json.loads(path.read_text("utf-8"))
    document["vectors"].pop()
    path.write_text(json.dumps(document), "utf-8")
    (tmp_path / "weak.py").write_text(WEAK_ADAPTERS, "utf-8")
    created = urlconform_once(
        "baseline", "create", "python:weak:all", "--spec", "2732", "--vectors", "old", "-o", "b.json"
    )
    assert created.returncode == Exit.PASSED


@pytest.mark.usefixtures("baseline_before_upgrade")
def test_a_library_that_gives_up_operations_fails_after_an_upgrade_of_the_corpus(urlconform):
    done = urlconform("run", "--gate", "python:weak:fewer", "--spec", "2732", "--baseline", "b.json")
    assert "lost answers" in done.stderr
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("baseline_before_upgrade")
def test_an_unchanged_library_passes_after_an_upgrade_of_the_corpus(urlconform):
    done = urlconform("run", "--gate", "python:weak:all", "--spec", "2732", "--baseline", "b.json")
    assert "lost answers" not in done.stderr
    assert done.returncode == Exit.PASSED
