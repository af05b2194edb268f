"""A run that `--maxfail` stopped: it counts what is new, it is cut, and it has not passed."""

from __future__ import annotations

import importlib
import io
import re
import sys

import pytest
from msgspec import structs

from urlharness import functions, run
from urlharness.adapters.registry import InProcess
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry, digest
from urlharness.gate.gate import counting, judgements
from urlharness.gate.policy import PLAIN
from urlharness.gate.update import create
from urlharness.limits import Limits
from urlharness.report import badge, github, junit, markdown
from urlharness.results.coverage import missing
from urlharness.results.model import read_results
from urlharness.runner import open_results
from urlharness.runner import run as run_adapter

pytestmark = pytest.mark.once

SECTION = {"spec": "rfc3986", "section": "5.4.1"}
HELLO = {
    "type": "hello",
    "protocol": 1,
    "implementation": {"name": "lib", "version": "1"},
    "ops": ["resolve"],
    "specs": ["rfc3986"],
}
LIB = InProcess("lib", lambda: (HELLO, lambda _: {"status": "ok", "url": "x"}))


@pytest.fixture(scope="module")
def cases(corpus):
    return [case for case in corpus.cases if (case.spec, case.section) == ("rfc3986", "5.4.1")]


@pytest.fixture
def stopped(corpus, cases, tmp_path):
    """A run of an adapter that is wrong throughout, stopped at so many failures by this list."""

    def ask(maxfail, listed=()):
        entries = [
            Entry(case.vector.id, "fail", {"status": "ok", "url": "x"}, digest(case)) for case in listed
        ]
        baseline = Baseline("urlbaseline-1", corpus.digest, "lib", ("rfc3986",), tuple(entries))
        writer = open_results((tmp_path / "r").open("wb"), corpus, cases)
        counts = counting(["lib"], (), PLAIN, {"lib": baseline})
        run_adapter(LIB, cases, writer, Limits(), maxfail=maxfail, counts=counts)
        writer.close()
        return read_results(tmp_path / "r"), baseline

    return ask


def judged(results, baseline):
    (judgement,) = judgements(results, ["lib"], baselines={"lib": baseline})
    return judgement


def test_listed_failures_do_not_count(stopped, cases):
    results, baseline = stopped(2, cases)
    assert (results.complete, results.stopped, len(results.of("lib"))) == (True, {}, len(cases))
    assert judged(results, baseline).code is Exit.PASSED
    results, baseline = stopped(2, cases[3:-2])
    assert (len(results.of("lib")), results.stopped) == (2, {"lib": 2})
    results, baseline = stopped(4, cases[3:-2])
    assert (len(results.of("lib")), results.stopped) == (len(cases) - 1, {"lib": 4})
    assert judged(results, baseline).code is Exit.FAILED


@pytest.mark.parametrize("maxfail", [0, -1])
def test_a_limit_that_no_run_can_stop_at_is_refused(corpus, cases, maxfail):
    """It would be met after the first case, or by none."""
    writer = open_results(io.BytesIO(), corpus, cases)
    with pytest.raises(ValueError, match=f"maxfail is {maxfail}, and no whole number from 1 on"):
        run_adapter(LIB, cases, writer, Limits(), maxfail=maxfail)
    writer.close()


def test_a_listed_failure_that_changed_counts(stopped, cases):
    results, baseline = stopped(None, cases)
    other = structs.replace(baseline.entries[0], got={"status": "ok", "url": "y"})
    counts = counting(["lib"], (), PLAIN, {"lib": structs.replace(baseline, entries=(other,))})
    (participant,) = results.participants
    assert counts(participant, cases[0], results.of("lib")[other.id], "")
    assert not counting(["lib"], (), PLAIN, {"lib": baseline})(
        participant, cases[0], results.of("lib")[other.id], ""
    )


def test_only_what_is_judged_counts(make_case, stopped, cases):
    results, _ = stopped(None)
    participant, one = results.participants[0], next(iter(results.of("lib").values()))
    other = make_case("rfc1808-5.2-x")
    assert counting(["lib"], (), PLAIN, {})(participant, cases[0], one, "")
    assert not counting(["lib"], (), PLAIN, {})(participant, other, one, "")
    assert counting([], (), PLAIN, {})(participant, other, one, ""), "in a survey everything does"


def test_at_the_last_case_nothing_is_cut(stopped, cases):
    results, _ = stopped(len(cases))
    assert (results.complete, results.stopped) == (True, {})


@pytest.mark.parametrize("code", [Exit.PASSED, Exit.STALE, Exit.FAILED])
def test_it_has_not_passed(stopped, cases, code):
    """Whatever the gate found: all as listed, an entry that is stale, a regression."""
    results, _ = stopped(3)
    asked = [results.vectors[name].case for name in results.of("lib")]
    _, whole = stopped(None, asked if code is not Exit.FAILED else ())
    if code is Exit.STALE:
        results = structs.replace(
            results,
            results={
                "lib": {one: structs.replace(of, outcome="pass") for one, of in results.of("lib").items()}
            },
        )
    judgement = judged(results, whole)
    assert judgement.code is Exit.FAILED
    assert "stopped at 3 failures, after 3 cases" in judgement.reason
    done = judged(structs.replace(results, stopped={}), whole)
    assert done.code is code, "without the cut"
    if code is Exit.PASSED:
        assert done.reason == "lib: as the baseline says, 3 known outcomes"


def test_what_was_seen_is_counted(stopped, cases):
    """Of a list of 23 a run that asked three has seen three."""
    results, _ = stopped(3)
    _, whole = stopped(None, cases)
    done = judged(structs.replace(results, stopped={}), whole)
    assert done.reason == f"lib: as the baseline says, 3 of {len(cases)} known outcomes"


def test_every_report_says_so(stopped, cases):
    results, baseline = stopped(2, cases[3:])
    found = [judged(results, baseline)]
    assert missing(results) == [
        "lib: stopped at 2 failures, after 2 cases.",
        f"lib: 2 of {len(cases)} vectors were settled.",
    ]
    page = markdown.render(results, found)
    assert page.startswith("## ❌ ")
    assert "stopped at 2 failures" in page
    assert "✅" not in page
    assert "::error title=incomplete run::" in github.render(results, found)
    assert "The run was cut short" in junit.render(results)
    assert "run cut short" in badge.render(results)


def test_the_gate_of_a_report():
    library = functions("library", "1", specs=["rfc3986"], resolve="{0}{1}x".format)
    report = run(library, **SECTION)
    baseline = create(report.results, report.results.participants[0], ["rfc3986"])
    assert report.gate(baseline).passed
    cut = run(library, **SECTION, maxfail=3)
    gate = cut.gate(baseline)
    assert (gate.code, gate.passed, len(cut.outcomes)) == (Exit.FAILED, False, 3)
    assert re.search("stopped at 3 failures, after 3 cases; .* the rest was not judged", gate.reasons[0])


def test_no_list_is_made_of_it(tmp_path, monkeypatch, capsys):
    from urlharness.cli import cli
    from urlharness.cli.errors import exit_code_of

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    text = "def answer(question): return {'status': 'error'}\nanswer.hello = {'ops': ['resolve']}\n"
    (tmp_path / "mine_maxfail.py").write_text(text, "utf-8")
    importlib.invalidate_caches()
    one = ("--spec", "1808", "--section", "5.1")
    ask = ("run", "python:mine_maxfail:answer", *one, "--maxfail", "2", "--report", "json=r.jsonl")
    assert cli.main(ask, "urlconform", standalone_mode=False) == Exit.FAILED
    assert "stopped at 2 failures" in capsys.readouterr().err
    with pytest.raises(Exception, match="a baseline needs all of it") as error:
        cli.main(("baseline", "create", "r.jsonl", "-o", "b"), "urlconform", standalone_mode=False)
    assert exit_code_of(error.value) == Exit.INVALID_FILE
    assert not (tmp_path / "b").exists()
