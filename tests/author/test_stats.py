"""Coverage figures: what is counted, and every kind of hole that is planted is listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from urlauthor.cli import grammar_rules
from urlauthor.lint.lock import lint_lock
from urlauthor.stats import KINDS, Uncovered, measure, vector_kind, vector_side
from urlharness.corpus.export import canonical
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus
from urlharness.corpus.specifications import SPECS
from urlharness.exitcodes import Exit
from urloracle.rfcs import SPECIFICATIONS

CATALOGUE = "requirements/rfc1738.json"
FTP = "rfc1738/3.2.2-url-path.json"


def without(path: Path, keeps) -> None:
    """Takes every vector out that is not wanted."""
    document = json.loads(path.read_bytes())
    remaining = [vector for vector in document["vectors"] if keeps(vector)]
    assert 0 < len(remaining) < len(document["vectors"])
    path.write_text(canonical(document | {"vectors": remaining}), "ascii")


def holes(root: Path, rules=()) -> list[Uncovered]:
    return list(measure(load(root), {"rfc1738": list(rules)}).uncovered)


def test_figures_of_sections_add_up_to_those_of_the_rfc(corpus: Corpus):
    stats = measure(corpus, grammar_rules())
    assert list(stats.specs) == list(SPECS)
    for spec in SPECS:
        totals = stats.specs[spec]
        cases = [case for case in corpus.cases if case.spec == spec]
        sections = [figures for (of, _), figures in stats.sections.items() if of == spec]
        for name in ("requirements", "vectors", "levels", "bindings", "classes", "flags"):
            assert sum((getattr(section, name) for section in sections), type(totals.vectors)()) == getattr(
                totals, name
            )
        assert totals.vectors.total() == totals.levels.total() == totals.bindings.total() == len(cases)
        assert set(totals.vectors) <= set(KINDS)
        assert totals.classes.total() == sum(case.vector.class_ is not None for case in cases)
        verdict_count = sum(rule.accepting + rule.rejecting for rule in stats.rules[spec].values())
        validate = [case for case in cases if case.vector.op == "validate"]
        rules = {rule.lower() for rule in stats.rules[spec]}
        assert verdict_count == sum(case.vector.rule.lower() in rules for case in validate)
    assert sum(figures.requirements.total() for figures in stats.specs.values()) == len(corpus.requirements)


def test_sections_stand_in_their_order(corpus: Corpus):
    sections = [section for spec, section in measure(corpus, {}).sections if spec == "rfc1738"]
    assert (
        sections.index("3.2.5") < sections.index("3.9") < sections.index("3.10") < sections.index("appendix")
    )


KIND = [
    pytest.param("rfc1808-5.1-", "resolve", {"resolution"}, id="resolution"),
    pytest.param("rfc3986-3.1-", "parse", {"components", "rejecting"}, id="parse"),
    pytest.param("rfc3986-", "validate", {"accepting", "rejecting"}, id="verdicts"),
    pytest.param("rfc1738-appendix-", "extract", {"other"}, id="extract"),
]


@pytest.mark.parametrize(("prefix", "op", "kinds"), KIND)
def test_every_vector_has_its_kind_and_its_side(corpus, prefix, op, kinds):
    some = [
        case.vector for case in corpus.cases if case.vector.id.startswith(prefix) and case.vector.op == op
    ]
    assert {vector_kind(vector) for vector in some} - kinds == set()
    assert {vector_side(vector) == "rejecting" for vector in some if vector_kind(vector) == "rejecting"} <= {
        True
    }


def test_the_rules_are_those_of_the_grammars():
    rules = grammar_rules()
    assert list(rules) == list(SPECIFICATIONS)
    assert set(rules["rfc3986"]) == set(SPECIFICATIONS["rfc3986"].grammar)
    assert "IPv6reference" in rules["rfc2732"] or "ipv6reference" in map(str.lower, rules["rfc2732"])
    assert "scheme" not in rules["rfc2732"]  # as RFC 2396 has it


def test_no_rule_is_uncovered(corpus: Corpus):
    assert [hole for hole in measure(corpus, grammar_rules()).uncovered if not hole.section] == []


def test_every_statement_has_a_vector(corpus: Corpus):
    assert [hole for hole in measure(corpus, {}).uncovered if hole.lacks == "no vector"] == []


def test_a_statement_without_vectors_is_listed(part):
    cited = load(part).cases[0].vector.requirement
    before = holes(part)
    without(part / FTP, lambda vector: vector["requirement"] != cited)
    new_holes = [hole for hole in holes(part) if hole not in before]
    assert new_holes == [Uncovered("rfc1738", "3.2.2", cited, "no vector")]
    assert str(new_holes[0]) == f"rfc1738 3.2.2 {cited}: no vector"


@pytest.mark.parametrize("testable", ["client", "no"])
def test_an_untestable_statement_needs_no_vector(part, change, testable):
    cited = load(part).cases[0].vector.requirement
    without(part / FTP, lambda vector: vector["requirement"] != cited)
    change(part / CATALOGUE, lambda entry: entry["id"] == cited, testable=testable, reason="why")
    assert cited not in {hole.name for hole in holes(part)}


def _two_sided(root: Path) -> str:
    """A grammar statement of the part that has vectors on both sides."""
    sides: dict[str, set[str]] = {}
    corpus = load(root)
    for case in corpus.cases:
        if corpus.requirements[case.vector.requirement].level == "grammar":
            sides.setdefault(case.vector.requirement, set()).add(vector_side(case.vector))
    return next(name for name, side in sides.items() if len(side) == 2)


@pytest.mark.parametrize("lost", ["accepting", "rejecting"])
def test_a_statement_of_the_grammar_with_one_side_is_listed(part, change, lost):
    name = _two_sided(part)
    ids = {
        case.vector.id
        for case in load(part).cases
        if case.vector.requirement == name and vector_side(case.vector) == lost
    }
    without(part / FTP, lambda vector: vector["id"] not in ids)
    assert Uncovered("rfc1738", "3.2.2", name, f"no {lost} vector") in holes(part)
    remaining_side = "accepting" if lost == "rejecting" else "rejecting"
    change(part / CATALOGUE, lambda entry: entry["id"] == name, side=remaining_side)
    assert name not in {hole.name for hole in holes(part)}


@pytest.mark.parametrize("only", ["accepting", "rejecting"])
def test_an_unexpected_second_side_is_a_finding(part, change, only):
    """A statement is said to have one side, and has vectors on the other."""
    name = _two_sided(part)
    change(part / CATALOGUE, lambda entry: entry["id"] == name, side=only)
    messages = [str(error) for error in lint_lock(part) if f"{name} allows only {only} vectors" in str(error)]
    assert messages


def test_only_grammar_statements_have_sides(part, change):
    name = change(part / CATALOGUE, lambda entry: entry["level"] != "grammar", side="accepting")
    assert ("only a requirement of level `grammar` can have `side`", name) in {
        (f.message, f.case) for f in lint_lock(part)
    }


def test_rules_are_counted_by_side_and_where_they_are_open(part):
    stats = measure(load(part), {"rfc1738": ["FTPURL", "fsegment", "nonsense"]})
    validate = [
        case.vector for case in load(part).cases if case.spec == "rfc1738" and case.vector.op == "validate"
    ]
    asking = [vector for vector in validate if vector.rule == "fsegment"]
    figures = stats.rules["rfc1738"]["fsegment"]
    assert figures.accepting == sum(vector_side(vector) == "accepting" for vector in asking)
    assert figures.rejecting == sum(vector_side(vector) == "rejecting" for vector in asking)
    assert figures.open == sum("fsegment" in vector.expect.rules for vector in validate)
    assert stats.rules["rfc1738"]["FTPURL"].accepting  # in any case of letters
    assert Uncovered("rfc1738", "", "nonsense", "no vector tests the rule") in stats.uncovered


def test_an_open_rule_is_counted_once_for_each_vector(corpus):
    cases = [case for case in corpus.cases if case.spec == "rfc3986"]
    some = [
        case
        for case in cases
        if any("HEXDIG" in alternative.rules for alternative in case.vector.expect.alternatives)
    ]
    assert some
    assert measure(corpus, {"rfc3986": ["HEXDIG"]}).rules["rfc3986"]["HEXDIG"].open == len(some)


def test_only_verdicts_ask_a_rule(part, change):
    before = measure(load(part), {"rfc1738": ["ftpurl"]}).rules
    is_split = lambda entry: entry["op"] == "parse" and "rule" not in entry  # noqa: E731 - a condition
    change(part / FTP, is_split, rule="ftpurl")
    assert measure(load(part), {"rfc1738": ["ftpurl"]}).rules == before


@pytest.mark.parametrize("lost", ["accepting", "rejecting"])
def test_a_rule_with_one_side_is_listed(part, lost):
    without(
        part / FTP,
        lambda vector: (
            vector.get("rule") != "ftpurl"
            or vector["expect"].get("any", [vector["expect"]])[0].get("valid") is not (lost == "accepting")
        ),
    )
    assert Uncovered("rfc1738", "", "ftpurl", f"no {lost} vector tests the rule") in holes(part, ["ftpurl"])


def test_the_command_lists_what_is_uncovered(part, authoring):
    done = authoring("stats", "--uncovered", "--vectors", part)
    assert len(done.out.splitlines()) == len(measure(load(part), grammar_rules()).uncovered)
    assert done.code == Exit.FAILED
    done = authoring("stats", "--uncovered", "--json", "--spec", "2396", "--vectors", part)
    assert {hole["spec"] for hole in json.loads(done.out)} == {"rfc2396"}


def test_the_command_ends_well_where_nothing_is_uncovered(part, authoring, monkeypatch):
    monkeypatch.setattr("urlauthor.cli.grammar_rules", dict)
    path = part / "requirements/rfc1808.json"
    cited = {case.vector.requirement for case in load(part).cases}
    document = json.loads(path.read_bytes())
    cited_requirements = [entry for entry in document["requirements"] if entry["id"] in cited]
    path.write_text(canonical(document | {"requirements": cited_requirements}))
    done = authoring("stats", "--uncovered", "--spec", "1808", "--vectors", part)
    assert done.out == ""
    assert done.code == Exit.PASSED


def test_the_command_prints_json_and_text(authoring, corpus):
    figures = json.loads(authoring("stats", "--json").out)
    assert figures["specs"]["rfc1808"]["sections"]["5.1"]["vectors"]["resolution"] > 20
    assert set(figures["specs"]["rfc3986"]["rules"]["pct-encoded"]) == {"accepting", "rejecting", "open"}
    text = authoring("stats", "--spec", "2732").out
    assert "RFC 2732" in text
    assert "RFC 3986" not in text
