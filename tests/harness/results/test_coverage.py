"""Coverage of a run: which RFCs and tiers were asked in full."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from urlharness.corpus.model import corpus_dir
from urlharness.report import badge, markdown, terminal
from urlharness.results.model import Participant, Result, Tally
from urlharness.results.verdict import Outcome

LIB = Participant("lib", "ran")


def outcomes_of(counts):
    return {Outcome(name): count for name, count in counts.items()}


@pytest.fixture
def run(corpus, record):
    """A run in which everything passes that was asked of RFC 2732, which is some of it or all."""

    def make(*, whole: bool, end: bool = True):
        cases = [case for case in corpus.cases if case.spec == "rfc2732" and (whole or case.section == "3")]
        results = record(
            cases, LIB, *(Result(case.vector.id, "lib", Outcome.PASS) for case in cases), end=end
        )
        return _of_corpus(results, corpus)

    return make


def _of_corpus(results, corpus):
    header = msgspec.structs.replace(results.header, corpus=corpus.digest, sizes=dict(corpus.sizes))
    return msgspec.structs.replace(results, header=header)


def in_terminal(results) -> str:
    stream = io.StringIO()
    terminal.print_report(Console(file=stream, width=200), results, sections=True)
    return stream.getvalue()


#: Is the RFC asked whole, did the run come to its end; the words of the terminal, of Markdown, of the badge.
RUNS = [
    pytest.param(True, True, "yes", "✅ complies", "complies", id="whole"),
    pytest.param(False, True, "so far", "16 held", "some vectors only", id="some"),
    pytest.param(True, False, "so far", "20 held", "run cut short", id="cut"),
    pytest.param(False, False, "so far", "16 held", "run cut short", id="some-and-cut"),
]


@pytest.mark.parametrize(("whole", "end", "sentence", "marked", "badged"), RUNS)
def test_compliance_is_said_alike_in_every_report(run, whole, end, sentence, marked, badged):
    results = run(whole=whole, end=end)
    text = in_terminal(results)
    (word,) = re.findall(r"^  complies +(yes|no|so far)(?:, \d+ %)?$", text, re.MULTILINE)
    assert word == sentence
    assert bool(re.search(r"^lib( +[\d,]+)+  RFC 2732$", text, re.MULTILINE)) is (sentence == "yes")
    (word,) = re.findall(r"^\| \*\*lib\*\* \| ([^|]*) \|$", markdown.render(results), re.MULTILINE)
    assert word == marked
    assert badge.badges(results)["lib"]["rfc2732"].message == badged


#: The parts of a tier that were asked, the digest of each, and whether they are the tier.
TIERS = [
    pytest.param(("rfc3986-URI",), "0" * 12, False, id="one-rule"),
    pytest.param(None, "0" * 12, True, id="every-rule"),
    pytest.param(None, "", False, id="not-every-case"),
]


@pytest.mark.parametrize(("parts", "digest", "whole"), TIERS)
def test_a_generated_tier_complies_only_as_a_whole(make_case, record, parts, digest, whole):
    from urlharness.generate.tiers import parts as parts_of

    names = parts or [part.name for part in parts_of("complete", "rfc3986")]
    counts = {"pass": 5}
    rates = {"coverage": (5, 5), "accepted": (5, 5), "compliance": (5, 5)}
    tallies = tuple(
        Tally(
            "lib", name, "complete", "rfc3986", outcomes_of(counts), outcomes_of(counts), rates, name, digest
        )
        for name in names
    )
    results = record([make_case("rfc3986-3.3-x")], LIB)
    results = msgspec.structs.replace(results, tallies=tallies)
    text = in_terminal(results)
    table = text.partition("RFC 3986 tier complete")[2]
    (word,) = re.findall(r"^  complies +(yes|so far)$", table, re.MULTILINE)
    assert word == ("yes" if whole else "so far")
    assert f" | 0 wrong of {5 * len(names)} answered |" in markdown.render(results)
    some = parts is not None
    assert (
        bool(re.search(r"Only 1 of the \d+ rules of RFC 3986, tier complete, were selected\.", text)) is some
    )


OTHERS = [
    pytest.param("directory", ("--section", "5.2"), id="directory"),
    pytest.param("lines", ("--rule", "relativeURI"), id="lines"),
]


@pytest.mark.parametrize(("shape", "selection"), OTHERS)
def test_some_vectors_of_another_corpus_do_not_comply(urlconform, tmp_path, shape, selection):
    """The results file has the number of vectors, so the other corpus need not be installed."""
    vectors_folder, results = str(tmp_path / "own"), str(tmp_path / "results.jsonl")
    if shape == "directory":
        shutil.copytree(corpus_dir(), vectors_folder)
        shutil.rmtree(f"{vectors_folder}/rfc1738")
    else:
        parts = [
            urlconform(
                "generate", "--tier", "complete", "--spec", "rfc2396", "--rule", rule, "--limit", "9"
            ).stdout
            for rule in ("absoluteURI", "relativeURI")
        ]
        Path(vectors_folder).write_text("".join(parts), "utf-8")
    ran = urlconform(
        "run", "reference", "--vectors", vectors_folder, *selection, "--report", f"json={results}"
    )
    assert ran.returncode == 0, ran.stderr
    again = urlconform("report", results)
    for text in (ran.stdout, again.stdout):
        assert re.search(r"Only \d+ of the [\d,]+ vectors of RFC (2396|3986) were selected\.", text)
        assert "complies" not in text
