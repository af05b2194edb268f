"""Coverage of a run: which RFCs and tiers were asked in full."""

from __future__ import annotations

import io
import re
import shutil
from typing import Literal, NamedTuple

import msgspec
import pytest
from rich.console import Console

from urlharness.corpus.model import corpus_dir
from urlharness.exitcodes import Exit
from urlharness.generate.tiers import parts
from urlharness.report import badge, markdown, terminal
from urlharness.results.model import Participant, Result, Tally
from urlharness.results.verdict import Outcome

LIB = Participant("lib", "ran")

PARTS_OF_TIER = tuple(part.name for part in parts("complete", "rfc3986"))


def outcomes_of(counts):
    """Return counts by outcome for counts by the names of outcomes."""
    return {Outcome(name): count for name, count in counts.items()}


@pytest.fixture
def run(corpus, record):
    """Return a function that makes a run of RFC 2732, or of its section 3, in which every answer is right."""

    def make(*, whole: bool, end: bool = True):
        cases = [case for case in corpus.cases if case.spec == "rfc2732" and (whole or case.section == "3")]
        answers = [Result(case.vector.id, "lib", Outcome.PASS) for case in cases]
        return _of_corpus(record(cases, LIB, *answers, end=end), corpus)

    return make


def _of_corpus(results, corpus):
    """Return results whose header has the digest and the sizes of the corpus."""
    header = msgspec.structs.replace(results.header, corpus=corpus.digest, sizes=dict(corpus.sizes))
    return msgspec.structs.replace(results, header=header)


def in_terminal(results) -> str:
    """Return what the terminal shows of results, with the tables of sections."""
    stream = io.StringIO()
    terminal.print_report(Console(file=stream, width=200), results, sections=True)
    return stream.getvalue()


class CoverageRow(NamedTuple):
    """The part of an RFC that is asked, whether the run came to its end, and the words of each report."""

    asked: Literal["all", "some"]
    end: Literal["ended", "cut"]
    on_terminal: str
    in_list: list[str]
    in_markdown: str
    on_badge: str


#: The words of Markdown are a regular expression.
ROWS = {
    "whole": CoverageRow("all", "ended", "yes", ["RFC 2732"], "✅ complies", "complies"),
    "selected": CoverageRow("some", "ended", "so far", [], r"\d+ held", "some vectors only"),
    "cut": CoverageRow("all", "cut", "so far", [], r"\d+ held", "run cut short"),
    "selected-and-cut": CoverageRow("some", "cut", "so far", [], r"\d+ held", "run cut short"),
}


@pytest.fixture(params=ROWS.values(), ids=ROWS)
def row(request):
    return request.param


@pytest.fixture
def results_of_row(run, row):
    return run(whole=row.asked == "all", end=row.end == "ended")


def test_the_terminal_says_complies_only_of_a_whole_finished_run(results_of_row, row):
    text = in_terminal(results_of_row)
    words = re.findall(r"^  complies +(yes|no|so far)(?:, \d+ %)?$", text, re.MULTILINE)
    assert words == [row.on_terminal]


def test_the_terminal_lists_only_an_rfc_of_a_whole_finished_run(results_of_row, row):
    text = in_terminal(results_of_row)
    assert re.findall(r"^lib(?: +[\d,]+)+  (RFC 2732)$", text, re.MULTILINE) == row.in_list


def test_markdown_says_complies_only_of_a_whole_finished_run(results_of_row, row):
    text = markdown.render(results_of_row)
    (words,) = re.findall(r"^\| \*\*lib\*\* \| ([^|]*) \|$", text, re.MULTILINE)
    assert re.fullmatch(row.in_markdown, words)


def test_a_badge_says_complies_only_of_a_whole_finished_run(results_of_row, row):
    assert badge.badges(results_of_row)["lib"]["rfc2732"].message == row.on_badge


#: The digest of the cases of a part, of which all or not all were asked.
EVERY_CASE = "0" * 12
NOT_EVERY_CASE = ""

ONE_RULE = ("rfc3986-URI",)

#: The parts of a tier that were asked, the digest of each, and the word of the report.
ASKED_TIERS = [
    pytest.param(ONE_RULE, EVERY_CASE, "so far", id="one-rule"),
    pytest.param(PARTS_OF_TIER, EVERY_CASE, "yes", id="every-rule"),
    pytest.param(PARTS_OF_TIER, NOT_EVERY_CASE, "so far", id="not-every-case"),
]


@pytest.fixture
def tier_results(make_case, record):
    """Return a function that makes results in which five cases of each of these parts pass."""

    def make(names, digest=EVERY_CASE):
        counts = outcomes_of({"pass": 5})
        rates = {"coverage": (5, 5), "accepted": (5, 5), "compliance": (5, 5)}
        tallies = tuple(
            Tally("lib", name, "complete", "rfc3986", counts, counts, rates, name, digest) for name in names
        )
        return msgspec.structs.replace(record([make_case("rfc3986-3.3-x")], LIB), tallies=tallies)

    return make


@pytest.mark.parametrize(("names", "digest", "word"), ASKED_TIERS)
def test_a_generated_tier_complies_only_as_a_whole(tier_results, names, digest, word):
    _, _, table = in_terminal(tier_results(names, digest)).partition("RFC 3986 tier complete")
    assert re.findall(r"^  complies +(yes|so far)$", table, re.MULTILINE) == [word]


@pytest.mark.parametrize("names", [ONE_RULE, PARTS_OF_TIER], ids=["one-rule", "every-rule"])
def test_markdown_counts_the_cases_of_a_generated_tier(tier_results, names):
    text = markdown.render(tier_results(names))
    assert f" | 0 wrong of {5 * len(names)} answered |" in text


ONLY_ONE_RULE = r"Only 1 of the \d+ rules of RFC 3986, tier complete, were selected\."


def test_a_tier_of_which_one_rule_was_selected_says_so(tier_results):
    assert re.search(ONLY_ONE_RULE, in_terminal(tier_results(ONE_RULE)))


@pytest.mark.parametrize("digest", [EVERY_CASE, NOT_EVERY_CASE], ids=["every-case", "not-every-case"])
def test_a_tier_of_which_every_rule_was_selected_does_not_say_so(tier_results, digest):
    assert not re.search(ONLY_ONE_RULE, in_terminal(tier_results(PARTS_OF_TIER, digest)))


@pytest.fixture
def own_folder(tmp_path):
    """A corpus in a folder, without one RFC of the installed one."""
    folder = tmp_path / "own"
    shutil.copytree(corpus_dir(), folder)
    shutil.rmtree(folder / "rfc1738")
    return folder


@pytest.fixture
def own_lines(urlconform, tmp_path):
    """A corpus in a file of lines, with cases of two rules."""
    options = ("--tier", "complete", "--spec", "rfc2396", "--limit", "9")
    lines = [
        urlconform("generate", *options, "--rule", rule).stdout for rule in ("absoluteURI", "relativeURI")
    ]
    path = tmp_path / "own"
    path.write_text("".join(lines), "utf-8")
    return path


@pytest.mark.parametrize(
    ("corpus_fixture", "selection"),
    [("own_folder", ("--section", "5.2")), ("own_lines", ("--rule", "relativeURI"))],
    ids=["folder", "lines"],
)
def test_a_selection_of_another_corpus_does_not_comply(
    urlconform, request, tmp_path, corpus_fixture, selection
):
    """The results file has the number of vectors, so the other corpus need not be installed."""
    vectors = request.getfixturevalue(corpus_fixture)
    results = tmp_path / "results.jsonl"
    ran = urlconform("run", "reference", "--vectors", str(vectors), *selection, "--report", f"json={results}")
    assert ran.returncode == Exit.PASSED, ran.stderr
    reported = urlconform("report", str(results))
    for text in (ran.stdout, reported.stdout):
        assert re.search(r"Only \d+ of the [\d,]+ vectors of RFC (2396|3986) were selected\.", text)
        assert "complies" not in text
