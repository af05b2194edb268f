"""`urlconform vectors adequacy --tests`: the report, texts to add, and exit codes."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from urlharness.adequacy import cache, measuring
from urlharness.exitcodes import Exit

#: Tests of rule `scheme` (RFC 3986 section 3.1) without a letter in upper case.
GOOD = "text,valid\na,true\n1,false\nb+c,true\n"
WRONG = "text,valid\na,true\n1a,true\n"


@contextmanager
def thread_pool(_processes):
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture(scope="module")
def cache_of_catalogues(tmp_path_factory):
    return tmp_path_factory.mktemp("catalogues")


@pytest.fixture
def adequacy(urlconform, cache_of_catalogues, monkeypatch, tmp_path):
    """Runs the command with tests of rule `scheme`, in this process."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_catalogues))
    monkeypatch.setattr(measuring, "open_pool", thread_pool)
    monkeypatch.chdir(tmp_path)
    cache._delete_unused.cache_clear()  # a process deletes unused files only once

    def run(content, *arguments, rule="scheme"):
        (tmp_path / "t.csv").write_text(content, "utf-8")
        return urlconform("vectors", "adequacy", "--tests", "t.csv", "--rule", rule, *arguments)

    return run


def test_the_report_says_what_is_not_noticed(adequacy):
    """No test has a digit after the first character."""
    first, *lines = adequacy(GOOD).stdout.splitlines()
    assert first == "RFC 3986, rule scheme: mistakes that none of 3 tests notices"
    (mistake,) = [line for line in lines if "refuses a character" in line]
    assert mistake.endswith("  a0 is valid")


def test_no_line_of_a_report_ends_with_blanks(adequacy):
    lines = adequacy(GOOD).stdout.splitlines()
    assert [line for line in lines if line.endswith(" ")] == []


def test_the_report_on_a_single_test_does_not_speak_of_several(adequacy):
    first, *_ = adequacy("text,valid\na,true\n").stdout.splitlines()
    assert first == "RFC 3986, rule scheme: mistakes that the only test does not notice"


def test_mistakes_that_are_not_noticed_do_not_fail(adequacy):
    assert adequacy(GOOD).returncode == Exit.PASSED


def test_the_report_proposes_the_command_that_writes_tests(adequacy):
    command = "urlconform vectors adequacy --tests t.csv --rule scheme --add"
    assert f"To write them: {command}" in adequacy(GOOD).stdout


def test_wrong_labels_come_first(adequacy):
    done = adequacy(WRONG)
    first, location, label, *_ = done.stdout.splitlines()
    assert first == "1 wrong label. Correct these first:"
    assert location == "  t.csv, line 3"
    wrong = "RFC 3986: invalid under rule scheme, at offset 0"
    assert label == f"    1a: the test says valid; {wrong}"
    assert done.returncode == Exit.FAILED


def test_a_wrong_label_under_the_default_rule_mentions_the_option(urlconform, adequacy, tmp_path):
    adequacy(GOOD)  # for the settings of the fixture
    (tmp_path / "t.csv").write_text("text,valid,rule\n1a,true,scheme\n", "utf-8")
    done = urlconform("vectors", "adequacy", "--tests", "t.csv")
    assert "If these texts are not meant for rule scheme, name it: --rule" in done.stdout


def test_a_share_below_the_wanted_one_fails(adequacy):
    done = adequacy(GOOD, "--fail-under", "100")
    assert "--fail-under is 100 %" in done.stderr
    assert done.returncode == Exit.FAILED


def test_a_share_above_the_wanted_one_passes(adequacy):
    done = adequacy(GOOD, "--fail-under", "1")
    assert "--fail-under" not in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.fixture
def complete_tests(adequacy, tmp_path):
    """The tests with all texts that the command adds to them."""
    done = adequacy(GOOD, "--add", "100", "-o", "more.csv")
    assert "texts to add; their answers come from automata" in done.stderr
    _head, *lines = (tmp_path / "more.csv").read_text("utf-8").splitlines()
    added_tests = ""
    for line in lines:
        text, valid, *_ = line.split(",")
        added_tests += f"{text},{valid}\n"
    return GOOD + added_tests


def test_added_texts_notice_everything(adequacy, complete_tests):
    done = adequacy(complete_tests, "--fail-under", "100")
    assert "100.0 % noticed" in done.stdout
    assert "Nothing to add" in done.stdout
    assert done.returncode == Exit.PASSED


def test_nothing_is_written_if_there_is_nothing_to_add(adequacy, complete_tests, tmp_path):
    done = adequacy(complete_tests, "--add", "1", "-o", "none.csv")
    assert "none.csv: not written" in done.stderr
    assert not (tmp_path / "none.csv").exists()


@pytest.fixture
def document(adequacy):
    """The document about tests of which one has a wrong label."""
    return json.loads(adequacy(WRONG, "--json", "--add", "2").stdout)


@pytest.fixture
def document_of_rule(document):
    """The part of the document about the only rule."""
    (part,) = document["parts"]
    assert part["rule"] == "scheme"
    return part


def test_json_has_the_wrong_labels_with_the_right_answers(document):
    (label,) = document["wrong_labels"]
    assert label["inputs"] == ["1a"]
    assert label["answer"] is False


def test_json_counts_the_tests_of_a_rule_without_wrong_labels(document_of_rule):
    assert document_of_rule["tests"] == 1


def test_json_lists_the_kinds_of_mistakes_that_are_not_noticed(document_of_rule):
    kinds = document_of_rule["kinds"]
    assert len(document_of_rule["unnoticed"]) == kinds["all"] - kinds["noticed"]


def test_json_has_the_share_of_noticed_kinds_in_percent_rounded_down(document_of_rule):
    kinds = document_of_rule["kinds"]
    assert document_of_rule["share"] == int(kinds["noticed"] / kinds["all"] * 10_000) / 100


def test_json_has_the_number_of_texts_that_reach_each_share(document_of_rule):
    assert list(document_of_rule["curve"]) == ["50", "75", "90", "100"]


def test_json_has_as_many_texts_to_add_as_wanted(document_of_rule):
    answered_by = [addition["answered_by"] for addition in document_of_rule["add"]]
    assert answered_by == ["minimal DFA of RFC 3986, rule scheme"] * 2


def test_the_json_document_has_texts_to_add_only_if_wanted(adequacy):
    (part,) = json.loads(adequacy(GOOD, "--json").stdout)["parts"]
    assert "add" not in part


def test_left_out_tests_are_counted(adequacy):
    done = adequacy(f"{GOOD}{'a' * 2000},true\n")
    assert "  1 test longer than 1,024 characters" in done.stdout


def test_without_a_test_of_the_selected_rfc_nothing_is_measured(adequacy, urlconform, tmp_path):
    adequacy(GOOD)  # for the settings of the fixture
    (tmp_path / "t.csv").write_text("text,valid,spec,rule\na,true,rfc3986,scheme\n", "utf-8")
    done = urlconform("vectors", "adequacy", "--tests", "t.csv", "--spec", "rfc1738")
    assert "no test is of RFC 1738" in done.stderr
    assert done.returncode == Exit.NOTHING_RAN


#: Options without one that they need, or with one that excludes them.
CONTRADICTING = [
    pytest.param(["--tests", "t.csv", "-o", "more.csv"], "-o needs --add N", id="output-without-add"),
    pytest.param(["--tests", "t.csv", "--sample", "1"], "--sample is for the corpus", id="sample"),
    pytest.param(["--tests", "t.csv", "--survivors", "s"], "--survivors is for the corpus", id="survivors"),
    pytest.param(["t.csv"], "need --tests FILE", id="file-without-option"),
    pytest.param(["--add", "1"], "need --tests FILE", id="add-without-tests"),
    pytest.param(["--fail-under", "90"], "need --tests FILE", id="fail-under-without-tests"),
]
#: Options whose rule or folder does not exist.
NAMING_NOTHING = [
    pytest.param(["--rule", "urn"], "RFC 3986 has no rule 'urn'", id="rule"),
    pytest.param(["--add", "1", "-o", "no/more.csv"], "no such directory", id="folder"),
]


@pytest.fixture
def refused_adequacy(urlconform, tmp_path, monkeypatch):
    """Return a function that runs the command in a folder with t.csv, and returns its message."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(GOOD, "utf-8")

    def run(*arguments):
        done = urlconform("vectors", "adequacy", *arguments)
        assert done.returncode == Exit.USAGE
        return done.stderr

    return run


@pytest.mark.parametrize(("arguments", "message"), CONTRADICTING)
def test_contradicting_options_are_refused(refused_adequacy, arguments, message):
    assert message in refused_adequacy(*arguments)


@pytest.mark.parametrize(("arguments", "message"), NAMING_NOTHING)
def test_an_option_that_names_what_does_not_exist_is_refused(refused_adequacy, arguments, message):
    assert message in refused_adequacy("--tests", "t.csv", *arguments)


def test_the_proposed_file_does_not_exist(adequacy, tmp_path):
    (tmp_path / "more.csv").touch()
    assert " -o more-2.csv\n" in adequacy(GOOD).stdout


def test_several_files_are_measured_together(adequacy, urlconform, tmp_path):
    adequacy(GOOD)  # writes t.csv, which has three tests
    (tmp_path / "u.csv").write_text("text,valid\nZ,true\n", "utf-8")
    done = urlconform("vectors", "adequacy", "--tests", "t.csv", "u.csv", "--rule", "scheme")
    assert "none of 4 tests" in done.stdout


def test_an_invalid_file_ends_with_its_own_code(adequacy):
    done = adequacy("text,valid\na,perhaps\n")
    assert "t.csv: line 2: `valid` must be true or false, not 'perhaps'" in done.stderr
    assert done.returncode == Exit.INVALID_FILE
