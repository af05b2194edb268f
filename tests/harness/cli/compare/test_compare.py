"""`compare`: a survey, a pair, one library, who checks and who fetches, old and new, and reports."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import re
import shutil
from functools import partial

import pytest

from urlharness.adapters.registry import find
from urlharness.cli.compare import compare
from urlharness.compare.matrix import Matrix
from urlharness.corpus.loader import load
from urlharness.exitcodes import Exit
from urlharness.report.html import cases
from urlharness.results.model import read_results

#: Four parsers: by the RFC's delimiters, by those of browsers, one that sees no port, and one that decodes
#: the host and splits as browsers do.
LIB = r"""
import re
from urllib.parse import unquote

URL = r"(?:([a-z]+):)?//(?:([^/?#ENDS@]*)@)?([^/?#ENDS:]*)(?::([0-9]*))?([^?#]*)"

def parse(question, ends=""):
    match = re.fullmatch(URL.replace("ENDS", ends), question["url"])
    if not match:
        return {"status": "reject"}
    names = ("scheme", "userinfo", "host", "port", "path")
    components = {**dict(zip(names, match.groups())), "query": None, "fragment": None}
    return {"status": "ok", "components": components}

def strict(question):
    return parse(question)

def lax(question):
    return parse(question, r"\\")

def portless(question):
    reply = strict(question)
    if "components" not in reply:
        return reply
    return {**reply, "components": {**reply["components"], "port": None}}

def decoding(question):
    answer = lax(question)
    if "components" not in answer:
        return answer
    return {**answer, "components": {**answer["components"], "host": unquote(answer["components"]["host"])}}

HELLO = {"ops": ["parse"], "specs": [], "features": ["absent-vs-empty"]}
strict.hello = lax.hello = portless.hello = decoding.hello = HELLO
"""
STRICT = "python:lib:strict"
LAX = "python:lib:lax"
PORTLESS = "python:lib:portless"
NAMES = (STRICT, LAX, PORTLESS)
#: The parser that decodes is asked only beside another one.
DECODING = "python:lib:decoding"

#: Two texts that the parsers split alike, one with a port, and one with a backslash.
TEXTS = "http://h/p\n//g\nhttp://h:80/\nhttp://a\\@b/\n"


@pytest.fixture
def lib(tmp_path):
    """Write the parsers and the texts."""
    (tmp_path / "lib.py").write_text(LIB, "utf-8")
    (tmp_path / "texts.txt").write_text(TEXTS, "utf-8")


@pytest.fixture
def command(lib, urlconform, monkeypatch):
    """Return a function that runs `compare` where no library is installed but urllib."""
    monkeypatch.setattr(compare, "available_adapters", lambda: [find("urllib")])
    return lambda *arguments, **options: urlconform("compare", *arguments, **options)


@pytest.fixture(scope="module")
def texts_of_results() -> list[str]:
    """A list that keeps the text of the results file, once it was made."""
    return []


@pytest.fixture
def results(command, texts_of_results, tmp_path):
    """A results file of the three parsers."""
    if not texts_of_results:
        done = command(*NAMES, "--texts", "texts.txt", "--report", "json=first.jsonl")
        assert done.returncode == Exit.PASSED
        texts_of_results.append((tmp_path / "first.jsonl").read_text("utf-8"))
    (text,) = texts_of_results
    (tmp_path / "old.jsonl").write_text(text, "utf-8")
    return "old.jsonl"


# ---- several libraries


def test_a_survey_asks_all_libraries_and_probes_traits(command):
    done = command("--texts", "-", stdin=TEXTS)
    assert done.stdout.startswith("RFC 3986: 1 library, 4 questions, 0 with different answers\n")
    assert "decodes %7E" in done.stdout
    assert done.stderr == ""
    assert done.returncode == Exit.PASSED


def test_a_pair_is_compared_on_the_texts_of_a_file(command):
    done = command(STRICT, LAX, "--texts", "texts.txt")
    assert done.stdout.startswith("RFC 3986: 2 libraries, 4 questions, 1 with different answers\n")
    assert "host: Backslashes (backslash), 1 question\n" in done.stdout
    assert f"urlconform ask -a {STRICT} -a {LAX} 'http://a\\@b/'" in done.stdout
    assert done.returncode == Exit.PASSED


def test_the_core_and_the_differences_are_asked_without_texts(
    command, monkeypatch, part_of_the_corpus, tmp_path
):
    monkeypatch.setattr("urlharness.corpus.loader.load", partial(load, part_of_the_corpus))
    done = command(STRICT, PORTLESS, "--spec", "1738", "--report", "json=r.jsonl")
    assert done.stdout.startswith("RFC 1738: 2 libraries, ")
    vectors = read_results(tmp_path / "r.jsonl").vectors.values()
    folders = {vector.case.file.partition("/")[0] for vector in vectors}
    assert folders == {"rfc1738", "differences"}


def test_earlier_results_are_compared_without_probing_traits(command, results):
    done = command("--results", results)
    assert done.stdout.startswith("RFC 3986: 3 libraries, 4 questions, 2 with different answers\n")
    assert "Harmless habits" not in done.stdout


def test_all_libraries_of_earlier_results_are_compared_if_none_is_named(command, results):
    assert command("--results", results).stdout == command(*NAMES, "--results", results).stdout


def test_a_library_that_is_named_twice_is_compared_once(command, results):
    done = command(LAX, STRICT, LAX, "--results", results)
    assert done.stdout.startswith("RFC 3986: 2 libraries, 4 questions, 1 with different answers\n")


def test_a_library_without_results_is_a_usage_error(command, results):
    done = command("urllib", "--results", results)
    assert "old.jsonl has no answers of urllib" in done.stderr
    assert done.returncode == Exit.USAGE


#: Options of a comparison, and how its title ends.
SELECTED = [
    pytest.param((), "", id="all"),
    pytest.param(("--only", "host"), ", 1 of them selected", id="host"),
    pytest.param(("--only", "path"), ", 1 of them selected", id="path"),
    pytest.param(("--only", "port"), ", 0 of them selected", id="port"),
    pytest.param(("--only", "port", "--only", "host"), ", 1 of them selected", id="either"),
    pytest.param(("--where", "-is:different"), ", 1 of them selected", id="spelling"),
    pytest.param(("--where", f"only:{LAX}"), ", 1 of them selected", id="alone"),
    pytest.param(("--where", f"{LAX}=wrong host:a"), ", 1 of them selected", id="wrong"),
    pytest.param(("--where", "is:different", "--only", "query"), ", 0 of them selected", id="both"),
]


@pytest.mark.parametrize(("options", "end"), SELECTED)
def test_options_select_the_differences_that_count(command, results, options, end):
    done = command("--results", results, *options)
    title, *_ = done.stdout.splitlines()
    assert title == f"RFC 3986: 3 libraries, 4 questions, 2 with different answers{end}"
    assert done.returncode == Exit.PASSED


def test_an_adapter_that_does_not_start_hides_no_other(command):
    done = command(STRICT, "jsonl:/no/such/program", LAX, "--texts", "texts.txt")
    assert done.stdout.startswith("RFC 3986: 2 libraries, 4 questions, 1 with different answers\n")
    assert "jsonl:/no/such/program: could not start: " in done.stdout
    assert done.returncode == Exit.PASSED


@pytest.mark.parametrize("options", [(), ("jsonl:/nor/this",)], ids=["alone", "both"])
def test_nothing_is_compared_if_no_library_starts(command, options):
    done = command("jsonl:/no/such/program", *options, "--texts", "texts.txt")
    assert "jsonl:/no/such/program: could not start: " in done.stderr
    assert "no library was compared" in done.stderr
    assert done.returncode == Exit.NOTHING_RAN


# ---- one library


#: RFC 3986, section 2, has no backslash; the port is a habit of another library.
WHAT_LAX_DOES = f"""\
{LAX} (python) under RFC 3986, beside 2 other libraries
3 right, 1 wrong, 0 not exposed, 0 not offered.
{LAX} claims no RFC.
A class names what stands in the question or its target where the answers differ, not why.
Answers are compared in the component before the class (verdict: accept or reject, answer: all).
"Only": no other library that was asked and shows this component has the same there.
"N of M others" have the most common answer of those that show it or reject (a URL: the whole).
Without a base, browsers are a cause only of refusing what they refuse on every http page (as //).
A library that reads a reference only with a base is given one where it accepts or refuses it.

{LAX} and others: 1 class, 1 question

verdict: Backslashes (backslash), 1 question
  parse url <http://a\\@b/>
    RFC 3986, texts  reject
    {LAX}   host a  scheme http  path \\@b/  [defect]
    also accept      {PORTLESS}, {STRICT}
    urlconform ask -a {LAX} 'http://a\\@b/'
"""


def test_a_maintainer_sees_which_others_accept_a_wrong_text(command, results):
    done = command(LAX, "--results", results)
    assert done.stdout == WHAT_LAX_DOES
    assert done.returncode == Exit.PASSED


def test_for_a_maintainer_no_disagreements_of_the_other_libraries_are_found(command, results, monkeypatch):
    """To find them takes a third of the time, and none is shown in the terminal."""
    monkeypatch.delattr(Matrix, "disagreements")
    done = command(LAX, "--results", results)
    assert done.stdout == WHAT_LAX_DOES


def test_a_maintainer_is_shown_faults_beside_one_library(command):
    """Whether another library is right or not."""
    done = command(LAX, "--texts", "texts.txt")
    assert "beside 1 other library" in done.stdout
    assert "(backslash)" in done.stdout


def test_a_maintainer_sees_the_classes_of_a_selected_component(command, results):
    text = command(LAX, "--results", results, "--only", "verdict").stdout
    assert text.startswith(f"{LAX} (python) under RFC 3986")
    assert "(backslash)" in text


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--where", "-backslash -\\"), id="other-classes"),
        pytest.param(("--only", "host"), id="another-component"),
    ],
)
def test_a_maintainer_does_not_see_classes_that_are_not_selected(command, results, options):
    text = command(LAX, "--results", results, *options).stdout
    assert text.startswith(f"{LAX} (python) under RFC 3986")
    assert "(backslash)" not in text


# ---- reports


def test_a_comparison_is_written_as_a_page(command, results, tmp_path):
    done = command("--results", results, "--report", "html=report.html")
    assert (tmp_path / "report.html").read_text("utf-8").lower().startswith("<!doctype html>")
    assert done.returncode == Exit.PASSED


def test_a_comparison_is_written_as_markdown(command, results, tmp_path):
    done = command("--results", results, "--report", "markdown=report.md")
    assert (tmp_path / "report.md").read_text("utf-8").startswith("# RFC 3986: 3 libraries")
    assert done.returncode == Exit.PASSED


def test_a_comparison_is_written_as_a_table_of_the_questions_with_differences(command, results, tmp_path):
    done = command("--results", results, "--report", "csv=report.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "report.csv").read_text("utf-8"))))
    assert [row["text"] for row in rows] == ["http://h:80/", "http://a\\@b/"]
    assert set(NAMES) - rows[0].keys() == set()
    assert done.returncode == Exit.PASSED


PAGES = [
    pytest.param((), (), NAMES, "is:different", id="all"),
    pytest.param(NAMES[:2], (), NAMES[:2], "is:different", id="some"),
    pytest.param((LAX,), (), NAMES, f'impl:"{LAX}" outcome:wrong', id="one"),
    pytest.param(NAMES[:2], ("--only", "host", "--only", "path"), NAMES[:2], "differs:host,path", id="only"),
    pytest.param(
        (),
        ("--where", f"{LAX}=wrong host:a", "--only", "port"),
        NAMES,
        f"{LAX}=wrong host:a differs:port",
        id="where",
    ),
]


@pytest.mark.parametrize(("names", "options", "printed", "start"), PAGES)
def test_the_page_shows_the_selection(
    command, results, monkeypatch, tmp_path, names, options, printed, start
):
    monkeypatch.setattr(cases, "make_matrix", None)  # the page compares nothing again
    done = command(*names, *options, "--results", results, "--report", "html=x.html")
    assert done.returncode == Exit.PASSED
    # the cases that the page lists are a compressed block of data
    block = re.search('id="listed"[^>]*>([^<]*)<', (tmp_path / "x.html").read_text("utf-8"))[1]
    listed = json.loads(gzip.decompress(base64.b64decode(block)))
    assert tuple(listed["implementations"]) == printed
    assert listed["start"] == start


def test_the_json_report_is_a_results_file(command, tmp_path):
    assert command(STRICT, "--texts", "texts.txt", "--report", "json=r.jsonl").returncode == Exit.PASSED
    results = read_results(tmp_path / "r.jsonl")
    assert [participant.name for participant in results.participants] == [STRICT, "urllib"]
    assert [vector.case.vector.url for vector in results.vectors.values()] == TEXTS.splitlines()


# ---- who checks, who fetches


@pytest.fixture
def fetching_source(tmp_path):
    """A source file, in which code scanners show what the check lets through."""
    (tmp_path / "fetch.py").write_text("", "utf-8")
    return "fetch.py"


def bypass(command, check, fetch, *options, texts="texts.txt"):
    """Compare a parser that checks with one that fetches, on the texts of a file."""
    return command("--check", check, "--fetch", fetch, "--texts", texts, *options)


def test_a_bypass_fails_and_says_how_to_close_it(command):
    done = bypass(command, STRICT, LAX)
    assert done.stdout.startswith(f"check {STRICT}, fetch {LAX}: BYPASSABLE in 1 way\n")
    assert "Refusing what RFC 1738, 1808, 2396, 2732 or 3986 refuses leaves 0 of 1." in done.stdout
    assert done.returncode == Exit.FAILED


def test_a_bypass_is_reported_as_markdown(command, tmp_path):
    bypass(command, STRICT, LAX, "--report", "markdown=report.md")
    heading = f"# check {STRICT}, fetch {LAX}: BYPASSABLE in 1 way\n"
    assert (tmp_path / "report.md").read_text("utf-8").startswith(heading)


def test_a_bypass_says_how_to_repeat_it(command, tmp_path):
    done = bypass(command, STRICT, LAX, "--host", "a.test", "--report", "markdown=report.md")
    repeat = f"urlconform compare --check {STRICT} --fetch {LAX} --texts texts.txt --host a.test\n"
    markdown = (tmp_path / "report.md").read_text("utf-8")
    assert f"\n{repeat}" in done.stdout
    assert f"```sh\n{repeat}```" in markdown


#: The time at which a bypass was seen, such as 2026-01-31 12:00:00 UTC.
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC")


def test_a_bypass_says_by_which_versions_and_when_it_was_seen(command, tmp_path):
    done = bypass(command, STRICT, LAX, "--report", "markdown=report.md")
    markdown = (tmp_path / "report.md").read_text("utf-8")
    for text in (done.stdout, markdown):
        assert f"fetch {LAX} (" in text
        words = " ".join(text.split())  # on one line
        assert re.search(r"urlconform \d", words)
        assert TIME.search(words)


@pytest.fixture
def page_of_bypass(command, tmp_path):
    """The HTML page of a bypass."""
    assert bypass(command, STRICT, LAX, "--report", "html=report.html").returncode == Exit.FAILED
    return (tmp_path / "report.html").read_text("utf-8")


def test_a_bypass_is_reported_as_a_page(page_of_bypass):
    assert f"check {STRICT}, fetch {LAX}: BYPASSABLE in 1 way" in page_of_bypass


def test_the_page_of_a_bypass_says_when_it_was_seen_and_how_to_repeat_it(page_of_bypass):
    assert TIME.search(page_of_bypass)
    assert f"<code>urlconform compare --check {STRICT} --fetch {LAX} " in page_of_bypass


def test_a_bypass_is_reported_as_sarif(command, tmp_path, fetching_source):
    bypass(command, STRICT, LAX, "--report", "sarif=report.sarif", "--sarif-location", fetching_source)
    (run,) = json.loads((tmp_path / "report.sarif").read_text("utf-8"))["runs"]
    assert [finding["ruleId"] for finding in run["results"]] == ["other-target"]


def test_an_exploit_has_the_hosts_of_the_user(command):
    done = bypass(command, STRICT, LAX, "--host", "mine.test", "--host", "other.test")
    assert "  http://other.test\\@mine.test/\n" in done.stdout


def test_sarif_names_the_file_that_the_user_names(command, tmp_path, fetching_source):
    bypass(command, STRICT, LAX, "--report", "sarif=x.sarif", "--sarif-location", fetching_source)
    (run,) = json.loads((tmp_path / "x.sarif").read_text("utf-8"))["runs"]
    (location,) = run["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == fetching_source


def test_sarif_names_no_file_that_is_missing(command):
    done = bypass(command, STRICT, LAX, "--report", "sarif=x.sarif")
    assert done.stderr.startswith("urlconform: no file pyproject.toml: name one of your sources by")
    assert done.returncode == Exit.USAGE


def test_a_missing_file_that_the_user_names_is_refused_without_a_sarif_report(command):
    done = bypass(command, STRICT, LAX, "--sarif-location", "setup.cfg")
    assert done.stderr.startswith("urlconform: no file setup.cfg: name one of your sources by")
    assert done.returncode == Exit.USAGE


#: Texts that urllib checks and node-url fetches, and the row of each.
HIDDEN = [
    pytest.param("http://127%2e0%2e0%2e1/", "same target by another text", id="encoded-dots"),
    pytest.param("http://%6cocalhost/", "same target by another text", id="encoded-letter"),
    pytest.param("http://ⓛocalhost/", "same target by another text", id="circled-letter"),
    pytest.param("http://127。0。0。1/", "same target by another text", id="ideographic-dots"),
    pytest.param("http:a.example/", "only the fetcher sees a host", id="no-slashes"),
    pytest.param("http:///a.example/", "only the fetcher sees a host", id="three-slashes"),
    pytest.param("http://a.example\\@b.example/", "other target", id="backslash"),
]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not on the PATH")
@pytest.mark.parametrize(("text", "row"), HIDDEN)
def test_node_bypasses_a_check_by_urllib(command, tmp_path, text, row):
    (tmp_path / "hidden.txt").write_text(f"{text}\n", "utf-8")
    done = bypass(command, "urllib", "node-url", texts="hidden.txt")
    assert f"\n{row}, 1 text: " in done.stdout
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        pytest.param("http://a\\@b/", (), Exit.FAILED, id="other-target-among-all"),
        pytest.param("http://a\\@b/", ("--only", "other-target"), Exit.FAILED, id="other-target"),
        pytest.param("http://%61/", (), Exit.FAILED, id="same-target-among-all"),
        pytest.param("http://%61/", ("--only", "other-target"), Exit.PASSED, id="same-target"),
    ],
)
def test_only_other_targets_fail_if_only_they_are_asked_for(command, tmp_path, text, options, code):
    (tmp_path / "one.txt").write_text(f"{text}\n", "utf-8")
    done = bypass(command, STRICT, DECODING, *options, texts="one.txt")
    assert done.returncode == code


def test_the_first_line_says_what_was_selected(command, tmp_path):
    (tmp_path / "one.txt").write_text("http://a.b/\n", "utf-8")
    done = bypass(command, STRICT, LAX, "--only", "other-target", texts="one.txt")
    assert done.stdout.startswith(f"check {STRICT}, fetch {LAX}: no bypass in 1 text (--only other-target)\n")


def test_parsers_that_see_the_same_hosts_have_no_bypass(command):
    done = bypass(command, STRICT, PORTLESS)
    assert "no bypass in 4 texts" in done.stdout
    assert done.returncode == Exit.PASSED


def test_nothing_is_judged_if_both_parsers_accept_no_text(command, tmp_path):
    (tmp_path / "odd.txt").write_text("a b\n", "utf-8")
    done = bypass(command, STRICT, LAX, texts="odd.txt")
    assert "no text with a host from both parsers" in done.stderr
    assert done.returncode == Exit.NOTHING_RAN


@pytest.mark.parametrize("names", [("jsonl:/no/such", LAX), (LAX, "jsonl:/no/such")], ids=["check", "fetch"])
def test_a_parser_that_does_not_start_is_an_error(command, names):
    done = bypass(command, *names)
    assert "jsonl:/no/such: /no/such: no such file or directory\n" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


def test_without_texts_the_standard_ones_are_asked(command, monkeypatch):
    monkeypatch.setattr("urlharness.compare.bypass.host_texts", lambda: iter(["http://a\\@b/"]))
    monkeypatch.setattr(
        "urlharness.compare.bypass.planted_texts", lambda names: iter([f"http://{names[0]}/"])
    )
    monkeypatch.setattr(
        "urlharness.compare.bypass.urls_with_authority", lambda _: ["http://h/", "http://a\\@b/"]
    )
    done = command("--check", STRICT, "--fetch", LAX)
    assert "3 texts; both accept 3." in done.stdout  # http://a\\@b/ comes twice
    assert done.returncode == Exit.FAILED


# ---- old and new


@pytest.fixture
def versions(results, tmp_path):
    """Two results files of one library, lib: with.jsonl has the port of a URL, without.jsonl loses it."""
    lines = [json.loads(line) for line in (tmp_path / results).read_text("utf-8").splitlines()]
    name_fields = {"implementation": "name", "case": "implementation"}  # by the type of a line
    for file, source in (("with.jsonl", STRICT), ("without.jsonl", PORTLESS)):
        lines_of_version = []
        for line in lines:
            name_field = name_fields.get(line["type"])
            if line["type"] in ("header", "vector"):
                lines_of_version.append(line)
            elif name_field is not None and line[name_field] == source:
                lines_of_version.append({**line, name_field: "lib"})
        text = "".join(f"{json.dumps(line)}\n" for line in lines_of_version)
        (tmp_path / file).write_text(text, "utf-8")


HISTORIES = [
    pytest.param("with", "without", "broken 1, fixed 0, changed 0", Exit.FAILED, id="broken"),
    pytest.param("without", "with", "broken 0, fixed 1, changed 0", Exit.PASSED, id="fixed"),
    pytest.param("without", "without", "broken 0, fixed 0, changed 0", Exit.PASSED, id="same"),
]


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize(("old", "new", "counts", "code"), HISTORIES)
def test_history_counts_what_was_broken_and_fixed(command, tmp_path, old, new, counts, code):
    done = command("--history", f"{old}.jsonl", f"{new}.jsonl", "--report", "markdown=report.md")
    assert done.stdout.startswith(f"{counts} (the same corpus)\n")
    assert done.returncode == code
    assert (tmp_path / "report.md").read_text("utf-8").startswith(f"# {counts}")


# ---- mistakes

MISTAKES = [
    pytest.param(
        ("--where", "only:nobody", "--results", "old.jsonl"),
        "'only:nobody': expected is:different, or only:NAME with one of ",
        id="where",
    ),
    pytest.param(("--where", f"{LAX}=odd", "--results", "old.jsonl"), "'odd' is not one of", id="state"),
    pytest.param(("--where", "class:nosuch"), "'class:nosuch': no class nosuch. There are ", id="class"),
    pytest.param(("--only", "hots"), "'hots' is not one of 'host', ", id="only"),
    pytest.param(("--check", "urllib"), "--check and --fetch must be used together", id="check-alone"),
    pytest.param(("--fetch", "urllib"), "--check and --fetch must be used together", id="fetch-alone"),
    pytest.param(("--report", "sarif=x"), "--report sarif needs --check and --fetch", id="sarif"),
    pytest.param(
        ("--only", "other-target"), "--only other-target needs --check and --fetch", id="only-target"
    ),
    pytest.param(("--host", "a"), "--host needs --check and --fetch", id="host"),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--host", ""),
        "--host (empty) is no registered name",
        id="empty-host",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--host", "a b"),
        "--host a b is no registered name and no address (RFC 3986, 3.2.2)",
        id="blank-in-host",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--host", "h/p"),
        "--host h/p is no registered name",
        id="path-in-host",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--host", "::1"),
        "--host ::1 is no registered name",
        id="no-brackets",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--host", "EVIL.example"),
        "--host EVIL.example is also the host to fetch from",
        id="the-other-planted-host",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--host", "a", "--host", "a."),
        "--host a is also the host to fetch from",
        id="one-host-twice",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, *("--host", "a") * 3),
        "--host can be given twice",
        id="three-hosts",
    ),
    pytest.param(
        ("--results", "old.jsonl", "--spec", "1738"),
        "--spec cannot be used with --results",
        id="results-spec",
    ),
    pytest.param(
        ("--results", "old.jsonl", "--texts", "texts.txt"),
        "--texts cannot be used with --results",
        id="results-texts",
    ),
    pytest.param(
        ("--results", "old.jsonl", "--report", "json=x"),
        "--report json cannot be used with --results",
        id="results-json",
    ),
    pytest.param(
        ("--history", "old.jsonl", "old.jsonl", LAX),
        "ADAPTER cannot be used with --history",
        id="history-adapter",
    ),
    pytest.param(
        ("--history", "old.jsonl", "old.jsonl", "--where", "a"),
        "--where cannot be used with --history",
        id="history-where",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--results", "old.jsonl"),
        "--results cannot be used with --check and --fetch",
        id="check-results",
    ),
    pytest.param(
        (PORTLESS, "--check", STRICT, "--fetch", LAX),
        "ADAPTER cannot be used with --check and --fetch",
        id="check-adapter",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--only", "host"),
        "take --only other-target, not host",
        id="only-host",
    ),
    pytest.param(
        ("--check", STRICT, "--fetch", LAX, "--report", "json=x"),
        "--check and --fetch write html, markdown, csv, sarif, not json",
        id="bypass-json",
    ),
    pytest.param(
        ("--history", "old.jsonl", "old.jsonl", "--report", "html=x"),
        "--history writes markdown, not html",
        id="history-html",
    ),
    pytest.param(("no-such-adapter",), "no adapter named 'no-such-adapter'", id="adapter"),
    pytest.param(("--texts", "none.txt", STRICT), "none.txt: no such file or directory", id="no-file"),
    pytest.param(("--texts", "-", STRICT), "-: no text to compare", id="no-text"),
    pytest.param(("--spec", "9999", STRICT), "no specification named 'rfc9999'", id="spec"),
]


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize(("options", "message"), MISTAKES)
def test_options_that_do_not_fit_are_a_usage_error(command, options, message):
    done = command(*options)
    assert message in done.stderr
    assert done.stdout == ""
    assert done.returncode == Exit.USAGE


#: Commands that ask a library, with a client in its place.
WITH_A_CLIENT = [
    pytest.param(("run", "requests"), id="run"),
    pytest.param(("ask", "-a", "requests", "http://h/"), id="ask"),
    pytest.param(("compare", "requests", "urllib"), id="compare"),
    pytest.param(("compare", "--check", "requests", "--fetch", "urllib"), id="check"),
]


@pytest.mark.parametrize("arguments", WITH_A_CLIENT)
def test_a_client_is_asked_only_as_fetch(urlconform, arguments):
    done = urlconform(*arguments)
    assert "requests is an HTTP client: it answers only as --fetch of `urlconform compare`" in done.stderr
    assert done.returncode == Exit.USAGE
