"""What becomes of single mutants: noticed by a verdict, by components alone, equivalent, or by nobody."""

from __future__ import annotations

import pytest

from urlauthor.adequacy import analysis
from urlauthor.adequacy.analysis import candidates
from urlauthor.adequacy.kill import Bench
from urlauthor.adequacy.subjects import SPECS, Mutant, subjects
from urlauthor.adequacy.suites import AskedText, corpus_texts
from urlharness.corpus.loader import load
from urloracle.grammar.expression import Alternation, Characters, Reference, Sequence


NEWS = next(subject for subject in subjects("rfc1738") if subject.rule == "newsurl")


def _bench(*texts, subject=NEWS):
    rule = subject.rule
    return Bench(subject, {"core": [AskedText(rule, *text) for text in texts]}, ())


def _letters(*rules):
    return Alternation(tuple(map(Reference, rules)))


# what changes, and the texts of a core that notices; RFC 1738, section 5
CHANGES = {
    "asterisk-dropped": ({"grouppart": _letters("group", "article")}, ("news:*", True)),
    "slash-for-at": (
        {"article": Sequence((Reference("uchar"), Characters(frozenset("/")), Reference("host")))},
        ("news:a@b", True),
    ),
    "digit-forgotten": ({"alpha": Reference("lowalpha")}, ("news:A", True)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_verdict_notices(name):
    changes, text = CHANGES[name]
    finding = _bench(text).examine(changes)
    assert finding.witness is not None
    assert "core" in finding.noticed
    assert "core" not in _bench(("news:aa", True)).examine(changes).noticed


def test_components_alone_notice():
    """RFC 2396 section 3.2.2: without IPv4address the address is a reg_name, whose host is not told."""
    subject = subjects("rfc2396")[0]
    changes = {"host": Reference("hostname")}
    components = ({"authority": "1.2.3.4", "host": "1.2.3.4"},)
    finding = _bench(("//1.2.3.4", True, None, components), ("//a", True), subject=subject).examine(changes)
    assert finding.components
    assert "core" in finding.noticed
    assert finding.witness is not None
    assert "core" not in _bench(("//1.2.3.4", True), subject=subject).examine(changes).noticed


def test_an_equivalent_mutant():
    """RFC 1738 section 5: a digit is a hex digit already."""
    hexes = NEWS.grammar.character_class(Reference("hex"))
    assert _bench().examine({"hex": Characters(hexes)}).witness is None


@pytest.mark.parametrize("spec", SPECS)
def test_the_corpus_answers_as_the_automata(spec):
    """Else a mutant could be killed by what is no vector's answer."""
    corpus = load()
    for subject in subjects(spec):
        automata = {rule: subject.compiler.minimal(rule) for rule in (subject.rule, *subject.kin)}
        questions = corpus_texts(corpus, subject)
        assert len(questions) > 20
        assert [one for one in questions if automata[one.rule].accepts(one.text) != one.valid] == []


def test_witnesses_of_other_operators_only():
    """A witness of one's own fold does not help."""
    bench = _bench()
    judged = list(analysis.first_order(bench, range(0, len(NEWS.mutants), 40)))
    witnesses = analysis.witnesses_of_others(bench, judged)
    names = analysis.operators(NEWS.mutants)
    assert len(names) > analysis.FOLDS
    for number, finding in judged:
        fold = analysis.fold_of(NEWS.mutants[number].operator, names)
        others = {
            one.result.witness
            for one in judged
            if analysis.fold_of(NEWS.mutants[one.number].operator, names) != fold
        }
        assert finding.witness is None or (finding.witness in witnesses[fold]) == (finding.witness in others)


def test_every_witness_tells_its_mutant():
    """Put to the core, the witnesses of a sample leave no survivor: they become vectors as they stand."""
    numbers = range(0, len(NEWS.mutants), 60)
    judged = list(analysis.first_order(_bench(), numbers))
    survivors = list(analysis.survivors(_bench(), judged))
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
    found = candidates("rfc1738", rows)
    assert len({one["url"] for one in found}) == len(found)
    texts = [(one["url"], one["expect"]["valid"], one["expect"].get("at")) for one in found]
    mutants = [m for m, f in survivors if not f.components]
    assert all("core" in _bench(*texts).examine(mutant.changes).noticed for mutant in mutants)


def test_a_mutant_is_its_change():
    assert Mutant("host", "drop-element", Reference("hostname")).changes == {"host": Reference("hostname")}
