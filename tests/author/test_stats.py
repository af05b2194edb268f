"""Coverage figures: what is counted, and every kind of hole that is planted is listed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from urlauthor.cli import grammar_rules, vectors
from urlauthor.stats import KINDS, Figures, Stats, Uncovered, measure, vector_kind, vector_side
from urlharness.corpus.export import canonical_text
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus
from urlharness.corpus.specifications import SPECS
from urlharness.exitcodes import Exit
from urloracle.rfcs import SPECIFICATIONS

CATALOGUE = "requirements/rfc1738.json"
FTP = "rfc1738/3.2.2-url-path.json"


def keep(path: Path, is_kept) -> None:
    """Take some of the vectors out of a file, but not all: those that do not meet a condition."""
    document = json.loads(path.read_bytes())
    remaining = [vector for vector in document["vectors"] if is_kept(vector)]
    assert 0 < len(remaining) < len(document["vectors"])
    path.write_text(canonical_text(document | {"vectors": remaining}), "ascii")


def holes(root: Path, rules=()) -> list[Uncovered]:
    """Return what is uncovered in a corpus, if these rules of RFC 1738 are counted."""
    return list(measure(load(root), {"rfc1738": list(rules)}).uncovered)


@pytest.fixture(scope="module")
def stats(corpus: Corpus) -> Stats:
    """The figures of the corpus."""
    return measure(corpus, grammar_rules())


def test_every_rfc_has_figures(stats: Stats):
    assert list(stats.specs) == list(SPECS)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("figure", [field.name for field in fields(Figures)])
def test_a_figure_of_the_sections_adds_up_to_that_of_the_rfc(stats: Stats, spec, figure):
    total: Counter[str] = Counter()
    for (spec_of_section, _), figures in stats.sections.items():
        if spec_of_section == spec:
            total += getattr(figures, figure)
    assert total == getattr(stats.specs[spec], figure)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("figure", ["vectors", "levels", "bindings"])
def test_every_vector_has_a_kind_a_level_and_a_binding(stats: Stats, corpus: Corpus, spec, figure):
    cases = [case for case in corpus.cases if case.spec == spec]
    assert getattr(stats.specs[spec], figure).total() == len(cases)


@pytest.mark.parametrize("spec", SPECS)
def test_the_vectors_of_an_rfc_are_counted_by_known_kinds(stats: Stats, spec):
    assert set(stats.specs[spec].vectors) <= set(KINDS)


@pytest.mark.parametrize("spec", SPECS)
def test_every_vector_with_a_class_is_counted_by_its_class(stats: Stats, corpus: Corpus, spec):
    classes = [case.vector.class_ for case in corpus.cases if case.spec == spec]
    assert stats.specs[spec].classes == Counter(name for name in classes if name is not None)


@pytest.mark.parametrize("spec", SPECS)
def test_every_verdict_on_a_counted_rule_is_counted_by_its_side(stats: Stats, corpus: Corpus, spec):
    count = sum(rule.accepting + rule.rejecting for rule in stats.rules[spec].values())
    counted_rules = {rule.lower() for rule in stats.rules[spec]}
    vectors = [case.vector for case in corpus.cases if case.spec == spec and case.vector.op == "validate"]
    assert count == len([vector for vector in vectors if vector.rule.lower() in counted_rules])


def test_every_requirement_is_counted(stats: Stats, corpus: Corpus):
    total = sum(figures.requirements.total() for figures in stats.specs.values())
    assert total == len(corpus.requirements)


def test_sections_are_ordered_by_their_numbers_with_the_appendix_last(corpus: Corpus):
    sections = [section for spec, section in measure(corpus, {}).sections if spec == "rfc1738"]
    expected = ["3.2.5", "3.9", "3.10", "appendix"]
    assert [section for section in sections if section in expected] == expected


KIND = [
    pytest.param("rfc1808-5.1-", "resolve", {"resolution"}, id="resolution"),
    pytest.param("rfc3986-3.1-", "parse", {"components"}, id="parse"),
    pytest.param("rfc3986-", "validate", {"accepting", "rejecting"}, id="verdicts"),
    pytest.param("rfc1738-appendix-", "extract", {"other"}, id="extract"),
]


@pytest.mark.parametrize(("prefix", "op", "kinds"), KIND)
def test_the_vectors_of_an_operation_are_of_its_kinds(corpus, prefix, op, kinds):
    vectors = [case.vector for case in corpus.cases if case.vector.id.startswith(prefix)]
    assert {vector_kind(vector) for vector in vectors if vector.op == op} == kinds


def test_every_vector_of_the_rejecting_kind_is_on_the_rejecting_side(corpus):
    rejecting = [case.vector for case in corpus.cases if vector_kind(case.vector) == "rejecting"]
    assert {vector_side(vector) for vector in rejecting} == {"rejecting"}


def test_rules_are_counted_for_every_rfc():
    assert [spec for spec, rules in grammar_rules().items() if rules] == list(SPECIFICATIONS)


@pytest.mark.parametrize(
    ("spec", "rule"), [("rfc1738", "ftpurl"), ("rfc1808", "net_loc"), ("rfc2396", "reg_name")]
)
def test_rules_that_an_rfc_defines_are_counted_for_it(spec, rule):
    assert rule in grammar_rules()[spec]


def test_the_counted_rules_of_rfc3986_are_those_of_its_grammar():
    assert set(grammar_rules()["rfc3986"]) == set(SPECIFICATIONS["rfc3986"].grammar)


@pytest.mark.parametrize(("rule", "counted"), [("ipv6reference", True), ("scheme", False)])
def test_only_rules_that_rfc2732_changes_are_counted_for_it(rule, counted):
    """RFC 2732, section 3, defines `ipv6reference`; `scheme` is as RFC 2396 has it."""
    rules = {name.lower() for name in grammar_rules()["rfc2732"]}
    assert (rule in rules) is counted


def test_no_rule_is_uncovered(corpus: Corpus):
    assert [hole for hole in measure(corpus, grammar_rules()).uncovered if not hole.section] == []


def test_every_statement_has_a_vector(corpus: Corpus):
    assert [hole for hole in measure(corpus, {}).uncovered if hole.lacks == "no vector"] == []


def test_a_statement_without_vectors_is_listed(part):
    cited = load(part).cases[0].vector.requirement
    before = holes(part)
    keep(part / FTP, lambda vector: vector["requirement"] != cited)
    new_holes = [hole for hole in holes(part) if hole not in before]
    assert new_holes == [Uncovered("rfc1738", "3.2.2", cited, "no vector")]


def test_a_hole_is_a_line_with_its_place_its_name_and_what_is_missing():
    hole = Uncovered("rfc1738", "3.2.2", "rfc1738-3.2.2-x", "no vector")
    assert str(hole) == "rfc1738 3.2.2 rfc1738-3.2.2-x: no vector"


@pytest.mark.parametrize("testable", ["client", "no"])
def test_an_untestable_statement_needs_no_vector(part, change, testable):
    cited = load(part).cases[0].vector.requirement
    keep(part / FTP, lambda vector: vector["requirement"] != cited)
    assert cited in {hole.name for hole in holes(part)}
    change(part / CATALOGUE, lambda entry: entry["id"] == cited, testable=testable, reason="why")
    assert cited not in {hole.name for hole in holes(part)}


def two_sided_statement(root: Path) -> str:
    """Return the id of a grammar statement of the part that has vectors on both sides."""
    sides: dict[str, set[str]] = {}
    corpus = load(root)
    for case in corpus.cases:
        if corpus.requirements[case.vector.requirement].level == "grammar":
            sides.setdefault(case.vector.requirement, set()).add(vector_side(case.vector))
    return next(name for name, side in sides.items() if len(side) == 2)


@pytest.fixture(params=["accepting", "rejecting"])
def lost_side(request) -> str:
    """One of the two sides."""
    return request.param


@pytest.fixture
def one_sided(part, lost_side) -> str:
    """A grammar statement of the part whose vectors of one side are taken out."""
    name = two_sided_statement(part)
    ids = {
        case.vector.id
        for case in load(part).cases
        if case.vector.requirement == name and vector_side(case.vector) == lost_side
    }
    keep(part / FTP, lambda vector: vector["id"] not in ids)
    return name


def test_a_statement_of_the_grammar_with_one_side_is_listed(part, lost_side, one_sided):
    assert Uncovered("rfc1738", "3.2.2", one_sided, f"no {lost_side} vector") in holes(part)


def test_a_statement_with_the_only_side_that_it_can_have_is_not_listed(part, change, lost_side, one_sided):
    remaining_side = "accepting" if lost_side == "rejecting" else "rejecting"
    change(part / CATALOGUE, lambda entry: entry["id"] == one_sided, side=remaining_side)
    assert one_sided not in {hole.name for hole in holes(part)}


@pytest.fixture
def verdicts_of_ftp(part):
    """The vectors of RFC 1738 in the part that ask for a verdict."""
    vectors_of_rfc = [case.vector for case in load(part).cases if case.spec == "rfc1738"]
    return [vector for vector in vectors_of_rfc if vector.op == "validate"]


@pytest.mark.parametrize("side", ["accepting", "rejecting"])
def test_a_rule_is_counted_by_the_side_of_its_verdicts(part, verdicts_of_ftp, side):
    sides = [vector_side(vector) for vector in verdicts_of_ftp if vector.rule == "ftpurl"]
    figures = measure(load(part), {"rfc1738": ["ftpurl"]}).rules["rfc1738"]["ftpurl"]
    assert side in sides
    assert getattr(figures, side) == sides.count(side)


def _has_open_rule(vector, rule) -> bool:
    """Tell whether a rule is open in some answer that a vector expects."""
    return any(rule in alternative.rules for alternative in vector.expect.alternatives)


def test_a_rule_is_counted_where_it_is_open(part, verdicts_of_ftp):
    open_count = 0
    for vector in verdicts_of_ftp:
        if _has_open_rule(vector, "ftpurl"):
            open_count += 1
    figures = measure(load(part), {"rfc1738": ["ftpurl"]}).rules["rfc1738"]["ftpurl"]
    assert open_count > 0
    assert figures.open == open_count


def test_a_rule_is_counted_whatever_the_case_of_its_letters(part):
    capitals = measure(load(part), {"rfc1738": ["FTPURL"]}).rules["rfc1738"]["FTPURL"]
    assert capitals == measure(load(part), {"rfc1738": ["ftpurl"]}).rules["rfc1738"]["ftpurl"]


def test_a_rule_without_a_vector_is_listed(part):
    assert Uncovered("rfc1738", "", "nonsense", "no vector tests the rule") in holes(part, ["nonsense"])


def test_an_open_rule_is_counted_once_for_each_vector(corpus):
    open_count = 0
    for case in corpus.cases:
        if case.spec == "rfc3986" and _has_open_rule(case.vector, "HEXDIG"):
            open_count += 1
    figures = measure(corpus, {"rfc3986": ["HEXDIG"]}).rules["rfc3986"]["HEXDIG"]
    assert open_count > 0
    assert figures.open == open_count


def test_only_verdicts_ask_a_rule(part, change):
    before = measure(load(part), {"rfc1738": ["ftpurl"]}).rules
    change(part / FTP, lambda entry: entry["op"] == "parse" and "rule" not in entry, rule="ftpurl")
    assert measure(load(part), {"rfc1738": ["ftpurl"]}).rules == before


def test_a_rule_with_one_side_is_listed(part, lost_side):
    lost_ids = {
        case.vector.id
        for case in load(part).cases
        if case.vector.rule == "ftpurl" and vector_side(case.vector) == lost_side
    }
    keep(part / FTP, lambda vector: vector["id"] not in lost_ids)
    missing_side = Uncovered("rfc1738", "", "ftpurl", f"no {lost_side} vector tests the rule")
    assert missing_side in holes(part, ["ftpurl"])


def test_stats_lists_what_is_uncovered(part, authoring):
    done = authoring("stats", "--uncovered", "--vectors", part)
    uncovered = measure(load(part), grammar_rules()).uncovered
    assert uncovered
    assert done.out.splitlines() == [str(hole) for hole in uncovered]
    assert done.code == Exit.FAILED


def test_stats_lists_what_is_uncovered_in_one_rfc_as_json(part, authoring):
    done = authoring("stats", "--uncovered", "--json", "--spec", "2396", "--vectors", part)
    assert {hole["spec"] for hole in json.loads(done.out)} == {"rfc2396"}


def test_stats_ends_well_where_nothing_is_uncovered(part, authoring, monkeypatch):
    monkeypatch.setattr("urlauthor.cli.grammar_rules", dict)
    path = part / "requirements/rfc1808.json"
    cited = {case.vector.requirement for case in load(part).cases}
    document = json.loads(path.read_bytes())
    cited_requirements = [entry for entry in document["requirements"] if entry["id"] in cited]
    path.write_text(canonical_text(document | {"requirements": cited_requirements}))
    done = authoring("stats", "--uncovered", "--spec", "1808", "--vectors", part)
    assert done.out == ""
    assert done.code == Exit.PASSED


@pytest.fixture(scope="module")
def figures_as_json():
    """The figures of each RFC, as `stats --json` prints them."""
    done = CliRunner().invoke(vectors, ["stats", "--json"], standalone_mode=False)
    return json.loads(done.stdout)["specs"]


def test_stats_prints_the_figures_of_a_section_as_json(figures_as_json, stats):
    resolutions = stats.sections["rfc1808", "5.1"].vectors["resolution"]
    assert resolutions > 0
    assert figures_as_json["rfc1808"]["sections"]["5.1"]["vectors"]["resolution"] == resolutions


def test_stats_prints_the_figures_of_a_rule_as_json(figures_as_json, stats):
    rule = stats.rules["rfc3986"]["pct-encoded"]
    assert figures_as_json["rfc3986"]["rules"]["pct-encoded"] == {
        "accepting": rule.accepting,
        "rejecting": rule.rejecting,
        "open": rule.open,
    }


def test_stats_prints_the_figures_of_the_selected_rfc(authoring):
    text = authoring("stats", "--spec", "2732").out
    assert "RFC 2732" in text
    assert "RFC 3986" not in text
