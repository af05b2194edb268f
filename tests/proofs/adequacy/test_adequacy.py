"""The mutants of whole RFCs: there are many, compiled as changed grammars are, and noticed as expected."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import pytest

from urlauthor.adequacy import analysis, plan
from urlharness.adequacy import choice, resolution
from urlharness.adequacy.kill import Bench, split_difference
from urlharness.adequacy.mutants import edits
from urlharness.adequacy.resolution import oracle_answer, oracle_function
from urlharness.adequacy.subjects import SPECS, Subject, subjects
from urlharness.adequacy.suites import AskedText
from urlharness.corpus.specifications import facts
from urloracle.grammar.expression import Reference
from urloracle.rfcs import specification
from urloracle.splitting import split_table

from ...harness.adequacy.test_mutants import check_no_mutant_twice  # noqa: TID252 - tests are not an installed package
from ...harness.adequacy.test_subjects import check_mutants  # noqa: TID252 - tests are not an installed package

#: The RFCs with resolution functions that are changed.
RESOLVING = [spec for spec in SPECS if facts(spec).resolution_functions]

#: A rule with few mutants.
NEWS = Subject(specification("rfc1738"), "newsurl")


def bench_of(*texts, subject=NEWS):
    """Return a bench whose only suite, the core, asks these texts under the rule of the subject."""
    rule = subject.rule
    return Bench(subject, {"core": [AskedText(rule, *text) for text in texts]}, ())


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_mutants_are_those_of_the_changed_grammar(spec):
    for subject in subjects(spec):
        check_mutants(subject)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_twenty_pairs_of_mutants_of_each_rule_compile(spec):
    """The automaton has a column for each class of characters."""
    for subject in subjects(spec):
        for first, second in subject.pairs(20, seed=1):
            automaton = subject.compiler.automaton(subject.rule, {**first.changes, **second.changes})
            assert len(automaton.table[automaton.start]) == len(set(automaton.classes.values())), (
                first,
                second,
            )


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_no_mutant_is_made_twice(spec):
    check_no_mutant_twice(spec)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", RESOLVING)
def test_the_algorithms_of_an_rfc_have_at_least_sixty_mutants(spec):
    mutants = [list(edits(oracle_function(name))) for name in facts(spec).resolution_functions]
    assert sum(map(len, mutants)) >= 60


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", RESOLVING)
def test_the_reference_gives_an_admitted_answer_to_every_seventh_pair_of_base_and_reference(spec):
    """The answers to all pairs would take seven times as long."""
    pairs = resolution.pairs_for_witnesses(spec)
    assert len(pairs) > 5000
    for pair in pairs[::7]:
        assert oracle_answer(spec, pair.base, pair.reference) in pair.answers, pair


#: RFC 2396 section 3.2.2: without IPv4address the address is a reg_name, whose host is not shown.
WITHOUT_IPV4ADDRESS = {"host": Reference("hostname")}


def test_a_core_with_components_notices_a_mutant_that_verdicts_do_not():
    components = ({"authority": "1.2.3.4", "host": "1.2.3.4"},)
    texts = [("//1.2.3.4", True, None, components), ("//a", True)]
    examined = bench_of(*texts, subject=subjects("rfc2396")[0]).examine(WITHOUT_IPV4ADDRESS)
    assert "core" in examined.noticed


@pytest.fixture(scope="module")
def examined_without_components():
    """The mutant of the host alone, examined with a core that has no components."""
    return bench_of(("//1.2.3.4", True), subject=subjects("rfc2396")[0]).examine(WITHOUT_IPV4ADDRESS)


def test_a_core_without_components_does_not_notice_a_mutant_of_the_host_alone(examined_without_components):
    assert "core" not in examined_without_components.noticed


def test_a_mutant_of_the_host_alone_has_a_witness_that_components_distinguish(examined_without_components):
    assert examined_without_components.witness is not None
    assert examined_without_components.components


class Survivors(NamedTuple):
    """The numbers of mutants that an empty core misses, and the texts that notice each of them."""

    numbers: frozenset[int]
    noticed: choice.Kills


@pytest.fixture(scope="module")
def survivors(computed_once):
    """The mutants of a sample that an empty core misses and a verdict distinguishes."""
    return Survivors(*computed_once("survivors", _find_survivors))


def _find_survivors():
    bench = Bench(NEWS, {"core": []}, ())
    # some mutants of each rule, since those of a rule stand together
    every_45th = range(0, len(NEWS.mutants), 45)
    judged = analysis.examine_mutants(bench, every_45th)
    missed = [
        judgement
        for judgement in judged
        if judgement.result.witness is not None and not judgement.result.components
    ]
    noticed = choice.find_kills(bench, missed, choice.candidate_texts(bench, missed))
    return frozenset(judgement.number for judgement in missed), noticed


@pytest.mark.long
def test_a_cover_has_fewer_texts_than_survivors(survivors):
    assert 1 < len(choice.choose_cover(survivors.noticed)) < len(survivors.numbers)


@pytest.mark.long
def test_the_texts_of_a_cover_leave_no_survivor(survivors):
    covered = set(chain.from_iterable(choice.choose_cover(survivors.noticed).values()))
    assert covered == survivors.numbers


@pytest.mark.long
def test_without_any_text_of_a_cover_a_survivor_is_left(survivors):
    cover = set(choice.choose_cover(survivors.noticed))
    assert cover != set()
    for left_out in cover:
        remaining = cover - {left_out}
        assert any(texts.isdisjoint(remaining) for texts in survivors.noticed.values()), left_out


@pytest.fixture(scope="module")
def figures_of_a_sample(computed_once, tmp_path_factory):
    """The figures of ten mutants of each subject of RFC 1738."""

    def measure():
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
            return plan.figures(plan.run(plan.Plan(("rfc1738",), 10)))

    return computed_once("figures of a sample", measure)


@pytest.mark.long
def test_a_sample_of_rfc1738_misses_no_goal(figures_of_a_sample):
    assert list(plan.missed_goals(figures_of_a_sample, 10)) == []


@pytest.mark.long
def test_a_sample_of_rfc1738_has_many_mutants_that_are_alive(figures_of_a_sample):
    assert figures_of_a_sample["rfc1738"]["core"]["first_order"]["live"] > 100


@pytest.mark.long
def test_the_whole_corpus_has_no_figure_of_held_out_mutants(figures_of_a_sample):
    assert "held_out" not in figures_of_a_sample["rfc1738"]["whole"]


def test_a_large_table_does_not_differ_from_itself():
    table = split_table("rfc3986", "URI-reference")
    assert split_difference(table, table) is None
