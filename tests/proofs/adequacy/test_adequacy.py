"""The mutants of whole RFCs: enough of them, compiled as a changed grammar is, and noticed as expected."""

from __future__ import annotations

import pytest

from urlauthor.adequacy import analysis, plan, resolution
from urlauthor.adequacy.kill import Bench, split_difference
from urlauthor.adequacy.mutants import edits
from urlauthor.adequacy.resolution import ALGORITHMS, answer
from urlauthor.adequacy.subjects import SPECS, Subject, subjects
from urlauthor.adequacy.suites import AskedText
from urloracle.grammar.expression import Reference
from urloracle.rfcs import specification
from urloracle.splitting import split_table

from ...author.adequacy.test_mutants import check_no_mutant_twice  # noqa: TID252 - tests are not an installed package
from ...author.adequacy.test_subjects import check_mutants  # noqa: TID252 - tests are not an installed package

NEWS = Subject(specification("rfc1738"), "newsurl")


def _bench(*texts, subject=NEWS):
    rule = subject.rule
    return Bench(subject, {"core": [AskedText(rule, *text) for text in texts]}, ())


@pytest.mark.parametrize("spec", SPECS)
def test_mutants_are_those_of_the_changed_grammar(spec):
    for subject in subjects(spec):
        check_mutants(subject)


@pytest.mark.parametrize("spec", SPECS)
def test_every_pair_of_mutants_compiles(spec):
    for subject in subjects(spec):
        for first, second in subject.pairs(20, 1):
            assert subject.compiler.automaton(subject.rule, {**first.changes, **second.changes}).table


@pytest.mark.parametrize("spec", SPECS)
def test_no_mutant_is_made_twice(spec):
    check_no_mutant_twice(spec)


@pytest.mark.parametrize("spec", ALGORITHMS)
def test_every_algorithm_has_at_least_sixty_mutants(spec):
    assert sum(1 for algorithm in ALGORITHMS[spec] for _ in edits(resolution._function(algorithm))) >= 60


@pytest.mark.parametrize("spec", ALGORITHMS)
def test_the_reference_gives_the_labels_of_the_product(spec):
    questions = resolution.product_of(spec)
    assert len(questions) > 5000
    assert [
        question
        for question in questions[::7]
        if answer(spec, question.base, question.reference) not in question.answers
    ] == []


def test_components_notice_a_mutant_that_verdicts_do_not():
    """RFC 2396 section 3.2.2: without IPv4address the address is a reg_name, whose host is not told."""
    subject = subjects("rfc2396")[0]
    changes = {"host": Reference("hostname")}
    components = ({"authority": "1.2.3.4", "host": "1.2.3.4"},)
    finding = _bench(("//1.2.3.4", True, None, components), ("//a", True), subject=subject).examine(changes)
    assert finding.components
    assert "core" in finding.noticed
    assert finding.witness is not None
    assert "core" not in _bench(("//1.2.3.4", True), subject=subject).examine(changes).noticed


def test_texts_of_a_cover_leave_no_survivor():
    """And without any one of them some survivor is left."""
    bench = Bench(NEWS, {"core": []}, ())
    judged = list(analysis.first_order(bench, range(0, len(NEWS.mutants), 15)))
    survivors = [
        judgement
        for judgement in judged
        if judgement.result.witness is not None and not judgement.result.components
    ]
    noticed = analysis.find_kills(bench, survivors, analysis.candidate_texts(bench, survivors))
    cover = analysis.choose_cover(noticed)
    assert 1 < len(cover) < len(survivors)
    assert {number for mutants in cover.values() for number in mutants} == {
        survivor.number for survivor in survivors
    }
    for left_out in cover:
        others = set(cover) - {left_out}
        assert any(some.isdisjoint(others) for some in noticed.values())


def test_a_sample_of_rfc_1738_misses_no_goal(tmp_path, monkeypatch):
    """Hosts are judged in http URLs, as in a full run, and not where no vector asks for them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    figures = plan.figures(plan.run(plan.Plan(("rfc1738",), 10)))
    assert list(plan.missed(figures, 10)) == []
    assert figures["rfc1738"]["core"]["first_order"]["live"] > 100
    assert "held_out" not in figures["rfc1738"]["whole"]


def test_a_large_table_does_not_differ_from_itself():
    table = split_table("rfc3986", "URI-reference")
    assert split_difference(table, table) is None
