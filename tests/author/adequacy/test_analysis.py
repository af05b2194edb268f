"""Witnesses: a few texts that notice every surviving mutant, and none that notices nothing new."""

from __future__ import annotations

import pytest

from urlauthor.adequacy import analysis
from urlauthor.adequacy.analysis import Examined, candidates
from urlauthor.adequacy.kill import Bench, MutantResult, shortest_binding_difference, shortest_difference
from urlauthor.adequacy.subjects import Mutant, Subject
from urlauthor.adequacy.suites import AskedText
from urloracle.grammar.expression import Reference
from urloracle.grammar.notation import RFC822, read
from urloracle.readings import other_readings
from urloracle.rfcs import specification

NEWS = Subject(specification("rfc1738"), "newsurl")
FTP = Subject(specification("rfc1738"), "ftpurl")


def _bench(*texts, subject=NEWS):
    rule = subject.rule
    return Bench(subject, {"core": [AskedText(rule, *text) for text in texts]}, ())


def _k(*texts):
    return frozenset((text, False) for text in texts)


COVERS = {
    "one-for-all": ({1: _k("a", "b"), 2: _k("b"), 3: _k("b", "c")}, {"b": [1, 2, 3]}),
    "shortest-of-equals": ({1: _k("aa", "b")}, {"b": [1]}),
    "first-in-the-alphabet": ({1: _k("b", "a")}, {"a": [1]}),
    "one-each": ({1: _k("a"), 2: _k("b")}, {"a": [1], "b": [2]}),
    "never-noticed": ({1: _k(), 2: _k("b")}, {"b": [2]}),
    "nothing": ({}, {}),
}


@pytest.mark.parametrize("name", COVERS)
def test_the_cover_has_few_texts_that_notice_all_mutants(name):
    noticed, cover = COVERS[name]
    assert analysis.choose_cover(noticed) == {(text, False): mutants for text, mutants in cover.items()}


def test_few_texts_cover_similar_mutants():
    """RFC 1738 section 5: one group with all letters notices each mutant that forgets a letter."""
    bench = Bench(NEWS, {"core": []}, ())
    similar = [
        number
        for number, mutant in enumerate(NEWS.mutants)
        if (mutant.rule, mutant.operator) == ("lowalpha", "remove-character")
    ]
    survivors = list(analysis.first_order(bench, similar))
    cover = analysis.choose_cover(
        analysis.find_kills(bench, survivors, analysis.candidate_texts(bench, survivors))
    )
    assert len(similar) == 26
    assert len(cover) < 4


def test_candidates_name_rules_of_the_rfc():
    """RFC 2732 section 3: `tail` and `opaque_no_slash` are names of this project."""
    rows = [
        {
            "rule": "URI-reference",
            "changed": changed,
            "operator": "bound",
            "witness": text,
            "components": False,
        }
        for changed, text in (("tail", "//[::0.0.0.x]"), ("opaque_no_slash", "a:%"))
    ]
    by_url = {candidate["url"]: candidate for candidate in candidates("rfc2732", rows)}
    assert by_url["//[::0.0.0.x]"]["mutants"] == [("IPv6address", "bound")]
    assert by_url["//[::0.0.0.x]"]["expect"]["rules"] == ["IPv6address"]
    assert by_url["a:%"]["mutants"] == [("uric_no_slash", "bound")]


def test_alike_survivors_need_one_text():
    """Unless every tier misses them."""
    bench = _bench()
    numbers = [
        number
        for number, mutant in enumerate(NEWS.mutants)
        if (mutant.rule, mutant.operator) == ("hex", "add-character") and mutant.character in "|\\^g"
    ]

    def survivors(*noticed):
        return [Examined(number, MutantResult("x", noticed=frozenset(noticed))) for number in numbers]

    assert len(analysis.needed(bench, survivors())) == 4
    assert len(analysis.needed(bench, survivors("bytes"))) == 2


def test_a_mutant_that_a_ruling_allows_is_open():
    """G-03 leaves open whether `;TYPE=` is the suffix of an ftp URL; `;typo=` never is."""
    allowed = [automaton for _, automaton in other_readings(FTP.spec, "ftpurl")]

    def changed(word):
        printed = f'ftpurl = "ftp://" login [ "/" fpath [ ";" {word} "=" ftptype ]]'
        expression = read(printed, RFC822).productions[0].expression
        return FTP.compiler.automaton("ftpurl", {"ftpurl": expression})

    upper, typo = changed('( "T" | "t" ) "ype"'), changed('"typo"')
    assert shortest_difference(FTP.automaton, upper) is not None
    assert shortest_binding_difference(upper, FTP.automaton, allowed) is None
    text = shortest_binding_difference(typo, FTP.automaton, allowed)
    assert text is not None
    assert {automaton.accepts(text) for automaton in (FTP.automaton, *allowed)} == {not typo.accepts(text)}


def test_pairs_that_would_make_a_rule_recursive_are_left_out():
    """Two mutants that insert each other's rule make a recursive grammar, which has no automaton."""
    first = Mutant("group", "replace-reference", Reference("article"))
    second = Mutant("article", "replace-reference", Reference("group"))
    assert NEWS._recursive(first, second)
    assert not NEWS._recursive(first, Mutant("article", "replace-reference", Reference("host")))


def test_a_mutant_faces_only_witnesses_of_other_operators():
    """A mutant faces only the witnesses of other operators."""
    bench = _bench()
    judged = list(analysis.first_order(bench, range(0, len(NEWS.mutants), 80)))
    witnesses = analysis.witnesses_of_others(bench, judged)
    names = analysis.operators(NEWS.mutants)
    assert len(names) > analysis.FOLDS
    for number, result in judged:
        fold = analysis.fold_of(NEWS.mutants[number].operator, names)
        others = {
            judgement.result.witness
            for judgement in judged
            if analysis.fold_of(NEWS.mutants[judgement.number].operator, names) != fold
        }
        assert result.witness is None or (result.witness in witnesses[fold]) == (result.witness in others)


def test_every_witness_distinguishes_its_mutant():
    """With the witnesses of a sample added to the core, no mutant of the sample survives."""
    numbers = range(0, len(NEWS.mutants), 120)
    judged = list(analysis.first_order(_bench(), numbers))
    survivors = [
        (NEWS.mutants[number], result)
        for number, result in judged
        if "core" not in result.noticed and result.witness
    ]
    assert survivors
    rows = [
        {
            "rule": NEWS.rule,
            "changed": m.rule,
            "operator": m.operator,
            "witness": f.witness,
            "components": False,
        }
        for m, f in survivors
        if not f.components
    ]
    proposals = candidates("rfc1738", rows)
    assert len({proposal["url"] for proposal in proposals}) == len(proposals)
    texts = [
        (proposal["url"], proposal["expect"]["valid"], proposal["expect"].get("at")) for proposal in proposals
    ]
    mutants = [m for m, f in survivors if not f.components]
    assert all("core" in _bench(*texts).examine(mutant.changes).noticed for mutant in mutants)
