"""Witnesses: candidate vectors for the mutants that survive."""

from __future__ import annotations

import pytest

from urlauthor.adequacy import analysis
from urlauthor.adequacy.analysis import candidate_vectors
from urlharness.adequacy.choice import Examined
from urlharness.adequacy.kill import Bench, MutantResult, shortest_binding_difference, shortest_difference
from urlharness.adequacy.subjects import Mutant, Subject
from urlharness.adequacy.suites import AskedText
from urloracle.grammar.expression import Reference
from urloracle.grammar.notation import RFC822, read
from urloracle.readings import other_readings
from urloracle.rfcs import specification

NEWS = Subject(specification("rfc1738"), "newsurl")
FTP = Subject(specification("rfc1738"), "ftpurl")


def _bench(*texts, subject=NEWS):
    rule = subject.rule
    return Bench(subject, {"core": [AskedText(rule, *text) for text in texts]}, ())


def _numbers_of_mutants(rule, operator, characters):
    """Return the numbers of the mutants of a rule that an operator makes with some characters."""
    return [
        number
        for number, mutant in enumerate(NEWS.mutants)
        if (mutant.rule, mutant.operator) == (rule, operator) and mutant.character in characters
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("added_rule", "witness", "rule"),
    [("tail", "//[::0.0.0.x]", "IPv6address"), ("opaque_no_slash", "a:%", "uric_no_slash")],
)
def test_a_candidate_names_the_rule_of_the_rfc_for_a_rule_of_this_project(added_rule, witness, rule):
    """RFC 2732 section 3 has neither `tail` nor `opaque_no_slash`."""
    survivor = _survivor(Mutant(added_rule, "bound", Reference("x")), witness, rule="URI-reference")
    (candidate,) = candidate_vectors("rfc2732", [survivor])
    assert candidate["mutants"] == [(rule, "bound")]


def test_a_candidate_expects_the_open_rule_of_the_rfc():
    survivor = _survivor(Mutant("tail", "bound", Reference("x")), "//[::0.0.0.x]", rule="URI-reference")
    (candidate,) = candidate_vectors("rfc2732", [survivor])
    assert candidate["expect"]["rules"] == ["IPv6address"]


def _survivor(mutant, witness, *, rule=NEWS.rule):
    """Return the row of a mutant that survived, with a text whose verdict distinguishes it."""
    return {
        "rule": rule,
        "changed": mutant.rule,
        "operator": mutant.operator,
        "witness": witness,
        "components": False,
    }


#: `|`, backslash and `^` stand in no URL, so they are alike where a hex digit is expected; `g` is a letter.
INTRUDERS = "|\\^g"


@pytest.mark.parametrize(
    ("tiers", "count"),
    [pytest.param((), 4, id="no-tier-notices-them"), pytest.param(("bytes",), 2, id="a-tier-notices-them")],
)
def test_alike_survivors_need_one_text_unless_every_tier_misses_them(tiers, count):
    """Four mutants, of which three are alike: either all need a text, or one of the three and that of `g`."""
    survivors = [
        Examined(number, MutantResult("x", noticed=frozenset(tiers)))
        for number in _numbers_of_mutants("hex", "add-character", INTRUDERS)
    ]
    assert len(analysis.survivors_needing_witness(_bench(), survivors)) == count


def _ftp_with_the_word(word):
    """Return the automaton of ftp URLs with other words for `type`."""
    printed = f'ftpurl = "ftp://" login [ "/" fpath [ ";" {word} "=" ftptype ]]'
    (production,) = read(printed, RFC822).productions
    return FTP.compiler.automaton("ftpurl", {"ftpurl": production.expression})


@pytest.fixture
def other_ftp_readings():
    """The automata of the readings of ftp URLs that rulings leave open."""
    return [automaton for _, automaton in other_readings(FTP.spec, "ftpurl")]


def test_a_mutant_that_a_ruling_allows_has_no_binding_difference(other_ftp_readings):
    """G-03 leaves open whether `;TYPE=` is the suffix of an ftp URL."""
    allowed_mutant = _ftp_with_the_word('( "T" | "t" ) "ype"')
    assert shortest_difference(FTP.automaton, allowed_mutant) is not None
    assert shortest_binding_difference(allowed_mutant, FTP.automaton, other_ftp_readings) is None


def test_all_readings_refute_a_mutant_on_its_binding_difference(other_ftp_readings):
    """`;typo=` is no suffix under any reading."""
    mutant = _ftp_with_the_word('"typo"')
    text = shortest_binding_difference(mutant, FTP.automaton, other_ftp_readings)
    assert text is not None
    verdicts = {automaton.accepts(text) for automaton in (FTP.automaton, *other_ftp_readings)}
    assert verdicts == {not mutant.accepts(text)}


INSERTS_ARTICLE = Mutant("group", "replace-reference", Reference("article"))


def test_two_mutants_that_insert_the_rule_of_each_other_make_a_recursive_grammar():
    """It has no automaton."""
    assert NEWS._is_recursive(INSERTS_ARTICLE, Mutant("article", "replace-reference", Reference("group")))


def test_two_mutants_that_insert_other_rules_make_no_recursive_grammar():
    assert not NEWS._is_recursive(INSERTS_ARTICLE, Mutant("article", "replace-reference", Reference("host")))


def test_there_are_more_operators_than_folds():
    """Each fold therefore has operators."""
    assert len(analysis.operators(NEWS.mutants)) > analysis.FOLDS


def test_a_mutant_faces_the_witnesses_of_other_operators_and_no_others():
    bench = _bench()
    every_320th = range(0, len(NEWS.mutants), 320)  # the whole subject takes minutes
    judged = list(analysis.examine_mutants(bench, every_320th))
    witnesses = analysis.witnesses_of_others(bench, judged)
    names = analysis.operators(NEWS.mutants)

    def fold(number):
        return analysis.fold_of(NEWS.mutants[number].operator, names)

    judged_with_witness = [examined for examined in judged if examined.result.witness is not None]
    assert judged_with_witness
    for examined in judged_with_witness:
        fold_of_mutant = fold(examined.number)
        witnesses_of_other_folds = {
            neighbour.result.witness for neighbour in judged if fold(neighbour.number) != fold_of_mutant
        }
        is_faced = examined.result.witness in witnesses[fold_of_mutant]
        is_of_another = examined.result.witness in witnesses_of_other_folds
        assert is_faced == is_of_another, NEWS.mutants[examined.number]


@pytest.fixture(scope="module")
def survivors_by_verdict():
    """The mutants of a sample that the empty core misses, with texts whose verdicts distinguish them."""
    every_480th = range(0, len(NEWS.mutants), 480)  # the whole subject takes minutes
    judged = analysis.examine_mutants(_bench(), every_480th)
    survivors = []
    for examined in judged:
        verdict = examined.result
        if verdict.witness and "core" not in verdict.noticed and not verdict.components:
            survivors.append((NEWS.mutants[examined.number], verdict.witness))
    return survivors


def test_a_text_that_two_mutants_need_is_proposed_once():
    survivors = [
        _survivor(Mutant("group", "drop-alternative", Reference("x")), "news:("),
        _survivor(Mutant("article", "bound", Reference("x")), "news:("),
    ]
    (candidate,) = candidate_vectors("rfc1738", survivors)
    assert candidate["url"] == "news:("
    assert candidate["mutants"] == [("article", "bound"), ("group", "drop-alternative")]


def test_a_core_with_the_proposed_texts_notices_every_mutant(survivors_by_verdict):
    assert survivors_by_verdict
    rows = [_survivor(mutant, witness) for mutant, witness in survivors_by_verdict]
    texts = []
    for proposal in candidate_vectors("rfc1738", rows):
        expected = proposal["expect"]
        texts.append((proposal["url"], expected["valid"], expected.get("at")))
    bench = _bench(*texts)
    for mutant, _ in survivors_by_verdict:
        assert "core" in bench.examine(mutant.changes).noticed, mutant
