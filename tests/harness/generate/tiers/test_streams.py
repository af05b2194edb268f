"""Cases of the generated tiers, and a run of them: counted, judged and reported like stored ones."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from itertools import islice
from typing import NamedTuple

import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from urlharness import runner
from urlharness.corpus.jsonl import case_line
from urlharness.corpus.model import OPERATION_TIERS, corpus_dir
from urlharness.corpus.selection import Selection
from urlharness.corpus.specifications import SPECS, facts
from urlharness.exitcodes import Exit
from urlharness.gate.gate import decide
from urlharness.generate.tiers import TIERS, Part, cases, part_of, parts
from urlharness.generate.tiers.digests import pinned_digests, tier_streams
from urlharness.results import generated
from urlharness.results.model import Participant, Result, Tally, read_results
from urlharness.results.scores import scores_by_rule, scores_by_tier
from urlharness.results.verdict import Outcome
from urloracle.rfcs import specification

SMALL = ("--tier", "complete", "--spec", "2396", "--rule", "relativeURI")
PART = Part("complete", "rfc2396", "relativeURI")

#: An adapter that accepts every text and answers no other question.
YES = """
HELLO = {"implementation": {"name": "yes", "version": "1"}, "ops": ["validate"], "specs": []}
def answer(question):
    return {"status": "ok"}
answer.hello = HELLO
"""


def first_case(part):
    """Return the first case of a part of a tier."""
    return next(iter(cases(part)))


def test_a_line_is_a_vector_with_its_place():
    case = first_case(Part("complete", "rfc1738", "mailtourl"))
    document = json.loads(case_line(case))
    assert document == {"spec": "rfc1738", "section": "3.5", **msgspec.to_builtins(case.vector)}


@pytest.mark.parametrize(
    ("identifier", "part"),
    [
        ("complete-rfc3986-URI-reference-000123", Part("complete", "rfc3986", "URI-reference")),
        ("resolution-rfc1808-000001", Part("resolution", "rfc1808")),
        ("equivalence-rfc1738-000001", Part("equivalence", "rfc1738")),
    ],
    ids=["rule", "resolution", "equivalence"],
)
def test_the_id_of_a_generated_case_names_its_part(identifier, part):
    assert part_of(identifier) == part


@pytest.mark.parametrize(
    "identifier",
    [
        pytest.param("decoding-rfc1808-000001", id="tier-without-this-rfc"),
        pytest.param("k1-rfc1808-000001", id="tier-of-rules-without-a-rule"),
        pytest.param("complete-rfc3986-URI-reference", id="no-number"),
        pytest.param("rfc1808-5.2-excess-dotdot", id="vector"),
    ],
)
def test_an_id_of_no_generated_case_names_no_part(identifier):
    assert part_of(identifier) is None


def test_every_scheme_of_rfc_1738_has_its_rule():
    assert set(facts("rfc1738").suites) == set(specification("rfc1738").schemes.values())


@pytest.mark.parametrize("spec", SPECS)
def test_rules_are_spelled_as_in_their_grammar(spec):
    names = list(SPECS[spec].suites)
    grammar = specification(spec).grammar
    assert [grammar.canonical_name(name) for name in names] == names


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec != "rfc1738"])
def test_the_default_rule_comes_first(spec):
    assert next(iter(SPECS[spec].suites)) == specification(spec).default_rule


@pytest.mark.parametrize("tier", TIERS)
def test_a_tier_has_parts_for_exactly_the_rfcs_that_define_its_operation(tier):
    operation = OPERATION_TIERS[tier].op if tier in OPERATION_TIERS else "validate"
    defining_specs = {spec for spec in SPECS if facts(spec).defines(operation)}
    assert {part.spec for part in parts(tier)} == defining_specs


@pytest.fixture(scope="module")
def schema():
    """The schema of results, which refers to other ones."""
    documents = [json.loads(path.read_bytes()) for path in (corpus_dir() / "schemas").iterdir()]
    schemas = {document["$id"]: document for document in documents if "$id" in document}
    registry = Registry().with_resources(
        (identifier, Resource.from_contents(document)) for identifier, document in schemas.items()
    )
    return Draft202012Validator(schemas["urn:urlconform:schema:urlresults-1"], registry=registry)


@pytest.fixture
def reference_run(urlconform_once):
    """The command that asks the reference a small part of a tier, and writes a results file."""
    return urlconform_once("run", "reference", *SMALL, "--report", "json=r.jsonl")


@pytest.fixture
def reference_results(reference_run, tmp_path):
    return read_results(tmp_path / "r.jsonl")


def schema_errors(schema, path):
    """Return each line of a results file that does not meet the schema, with its errors."""
    lines = path.read_text("utf-8").splitlines()
    assert lines != []
    errors = {line: list(schema.iter_errors(json.loads(line))) for line in lines}
    return {line: errors_of_line for line, errors_of_line in errors.items() if errors_of_line}


def test_the_reference_passes_every_case_of_a_part(reference_results):
    (tally,) = reference_results.tallies
    assert tally.outcomes == {"pass": pinned_digests()[PART].cases}


def test_the_run_of_a_part_that_passes_ends_with_exit_code_0(reference_run):
    assert reference_run.returncode == Exit.PASSED, reference_run.stderr


def test_the_results_of_a_part_have_the_pinned_digest(reference_results):
    (tally,) = reference_results.tallies
    assert reference_results.header.tiers == {PART.name: pinned_digests()[PART].digest}
    assert tally.digest == pinned_digests()[PART].digest


def test_passed_cases_are_not_recorded(reference_results):
    assert reference_results.complete
    assert reference_results.vectors == {}
    assert reference_results.examples == ()


def test_passed_cases_are_counted(reference_run):
    assert f"{pinned_digests()[PART].cases:,} generated cases" in reference_run.stdout


@pytest.mark.usefixtures("reference_run")
def test_the_results_of_a_part_meet_the_schema(tmp_path, schema):
    assert schema_errors(schema, tmp_path / "r.jsonl") == {}


def test_core_and_generated_cases_are_asked_in_one_run(urlconform, tmp_path):
    done = urlconform("run", "reference", "--tier", "core", *SMALL, "--report", "json=r.jsonl")
    assert done.returncode == Exit.PASSED
    results = read_results(tmp_path / "r.jsonl")
    assert {vector.case.vector.rule for vector in results.vectors.values()} == {"relativeURI"}
    assert [tally.part for tally in results.tallies] == [PART.name]


@pytest.mark.long
def test_the_tier_of_resolution_is_run(urlconform, tmp_path):
    done = urlconform(
        "run", "reference", "--tier", "resolution", "--spec", "2396", "--report", "json=r.jsonl"
    )
    assert done.returncode == Exit.PASSED, done.stdout[-2000:]
    (tally,) = read_results(tmp_path / "r.jsonl").tallies
    assert sum(tally.outcomes.values()) == pinned_digests()[Part("resolution", "rfc2396")].cases


class TierOfOperation(NamedTuple):
    """A part of a tier of an operation, and what its cases are."""

    part: Part
    op: str
    section: str
    level: str


EACH_OPERATION = pytest.mark.parametrize(
    "tier",
    [
        TierOfOperation(Part("resolution", "rfc1808"), op="resolve", section="4", level="algorithm"),
        TierOfOperation(Part("normalization", "rfc3986"), op="normalize", section="6.2", level="should"),
        TierOfOperation(Part("equivalence", "rfc1738"), op="equivalent", section="2.2", level="should"),
        TierOfOperation(Part("decoding", "rfc1738"), op="decode", section="3", level="must"),
        TierOfOperation(Part("recomposition", "rfc2396"), op="recompose", section="5.2", level="algorithm"),
    ],
    ids=lambda tier: tier.part.name,
)


@EACH_OPERATION
def test_the_cases_of_a_tier_have_its_operation_section_and_level(tier):
    case = first_case(tier.part)
    assert case.vector.op == tier.op
    assert case.section == tier.section
    assert case.vector.level == tier.level


@EACH_OPERATION
def test_the_first_case_of_a_tier_has_number_1(tier):
    assert first_case(tier.part).vector.id == f"{tier.part.name}-000001"


@EACH_OPERATION
def test_the_id_of_a_case_of_a_tier_names_its_part(tier):
    assert part_of(first_case(tier.part).vector.id) == tier.part


@EACH_OPERATION
def test_a_tally_has_operation_level_and_subject_of_its_tier(tier):
    tally = Tally("lib", tier.part.name, tier.part.tier, tier.part.spec, {}, {}, {})
    assert tally.op == tier.op
    assert tally.level == tier.level
    assert tally.subject == OPERATION_TIERS[tier.part.tier].inputs


@pytest.fixture
def accepting_run(urlconform_once, tmp_path):
    """A run of a library that accepts everything, with three reports."""
    (tmp_path / "yes.py").write_text(YES, "utf-8")
    reports = ("--report", "json=r.jsonl", "--report", "junit=j.xml", "--report", "html=h.html")
    return urlconform_once("run", "python:yes:answer", *SMALL, *reports)


@pytest.fixture
def accepting_results(accepting_run, tmp_path):
    results = read_results(tmp_path / "r.jsonl")
    (tally,) = results.tallies
    assert tally.failing > generated.EXAMPLES
    return results


def test_the_gate_fails_a_library_that_accepts_everything(accepting_run):
    assert "gate failed on required vectors" in accepting_run.stderr
    assert accepting_run.returncode == Exit.FAILED


@pytest.fixture
def accepting_score(accepting_results):
    """The score of the library that accepts everything."""
    return scores_by_rule(accepting_results)["rfc2396", "complete"]["relativeURI"]["python:yes:answer"]


def test_a_library_that_accepts_everything_has_no_discernment(accepting_score):
    """Its J is 0."""
    assert accepting_score.j == 0


def test_the_score_of_a_rule_counts_the_failures_of_its_tally(accepting_score, accepting_results):
    (tally,) = accepting_results.tallies
    assert accepting_score.failing == tally.failing


def test_only_a_few_failures_of_a_part_are_recorded(accepting_results):
    assert len(accepting_results.examples) == generated.EXAMPLES


def test_the_terminal_counts_failures_and_repeats_one_of_each_difference(accepting_run, accepting_results):
    (tally,) = accepting_results.tallies
    differences = re.findall(r"^\w.* accepted in \d+ of the \d+ shown$", accepting_run.stdout, re.MULTILINE)
    assert differences != []
    assert f"... and {tally.failing - generated.EXAMPLES:,} more" in accepting_run.stdout
    commands = [
        f"urlconform repro {example.asked.case.vector.id} -a python:yes:answer"
        for example in accepting_results.examples
    ]
    shown_commands = [command for command in commands if command in accepting_run.stdout]
    assert len(shown_commands) == len(differences)


@pytest.mark.usefixtures("accepting_run")
def test_the_results_with_failures_of_a_part_meet_the_schema(tmp_path, schema):
    assert schema_errors(schema, tmp_path / "r.jsonl") == {}


def test_junit_counts_the_failures_of_a_part(accepting_results, tmp_path):
    (tally,) = accepting_results.tallies
    failures = ET.parse(tmp_path / "j.xml").findall(".//failure")
    (failure,) = [node for node in failures if node.get("message").startswith(f"{tally.failing} of ")]
    first_example, *_ = accepting_results.examples
    assert first_example.asked.case.vector.id in failure.text


def test_the_page_counts_the_failures_of_a_part(accepting_results, tmp_path):
    (tally,) = accepting_results.tallies
    only_counted = f"{tally.failing - generated.EXAMPLES:,} more generated cases"
    assert only_counted in (tmp_path / "h.html").read_text("utf-8")


def test_repro_finds_a_generated_case(urlconform):
    done = urlconform("repro", "resolution-rfc3986-000042", "-a", "reference")
    assert done.returncode == Exit.PASSED, done.stderr
    assert "RFC 3986, section 5.2\n" in done.stdout


#: Selects the cases from 40 to 49.
FORTIES = (*SMALL, "-k", "-00004")


def test_words_choose_among_generated_cases(urlconform):
    listed = urlconform("run", *FORTIES, "--list").stdout.split()
    assert listed == [f"{PART.name}-{number:06}" for number in range(40, 50)]


def test_a_part_of_a_part_has_no_digest(urlconform, tmp_path):
    urlconform("run", "reference", *FORTIES, "--report", "json=r.jsonl")
    (tally,) = read_results(tmp_path / "r.jsonl").tallies
    assert tally.outcomes == {"pass": 10}
    assert tally.digest == ""


def test_maxfail_ends_a_stream(urlconform, tmp_path):
    (tmp_path / "yes.py").write_text(YES, "utf-8")
    urlconform(
        "run",
        "python:yes:answer",
        *SMALL,
        "--maxfail",
        "3",
        "--report",
        "json=r.jsonl",
        env={"PYTHONPATH": str(tmp_path)},
    )
    (tally,) = read_results(tmp_path / "r.jsonl").tallies
    assert tally.failing == 3
    assert tally.digest == ""


def test_cases_are_made_in_batches(monkeypatch):
    """Only one batch of a stream is in memory; the next is made when it is needed."""
    (stream,) = tier_streams(["complete"], Selection(("rfc1738",), rules=("ftpurl",)))
    monkeypatch.setattr(runner, "_BATCH", 50)
    assert stream.total > 100
    sizes = []

    class Client:
        def ask(self, batch):
            sizes.append(len(batch))
            return ((case, None) for case in batch)

    answers = runner._ask_in_batches(Client(), stream.cases())
    assert len(list(islice(answers, 50))) == 50
    assert sizes == [50]


@pytest.fixture
def failing_results(record):
    """The results of an adapter that fails every case of a rule of RFC 1808."""
    (stream,) = tier_streams(["complete"], Selection(("rfc1808",), rules=("absoluteURL",)))
    tallying = generated.TallyCounter("x", stream)
    for case in stream.cases():
        tallying.add(case, Result(case.vector.id, "x", Outcome.FAIL))
    results = record([])
    assert tallying.tally.failing > 0
    return msgspec.structs.replace(
        results, participants=(Participant("x", "ran"),), tallies=(tallying.tally,)
    )


def test_the_gate_counts_failing_generated_cases(failing_results):
    (tally,) = failing_results.tallies
    (reason,) = decide(failing_results, ["x"], ["rfc1808"]).reasons
    assert f" {tally.failing} fail" in reason


def test_generated_cases_of_an_rfc_that_is_not_judged_are_no_answers(failing_results):
    assert decide(failing_results, ["x"], ["rfc3986"]).code == Exit.NOTHING_RAN


def test_the_score_of_a_tier_counts_failing_generated_cases(failing_results):
    score = scores_by_tier(failing_results)["rfc1808", "complete"]["x"]
    (tally,) = failing_results.tallies
    assert tally.failing > 0
    assert score.failing == tally.failing
