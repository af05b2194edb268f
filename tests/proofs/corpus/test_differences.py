"""Classes and differences: every class has its file, and the oracle gives the answers of every RFC."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlauthor.lint.differences import differ, lint_differences
from urlharness.adapters import reference
from urlharness.corpus.differences import (
    ClassFile,
    Difference,
    DifferenceFile,
    difference_files,
    load_differences,
)
from urlharness.corpus.loader import load_classes
from urlharness.corpus.model import Case, Corpus, Expected, Vector, corpus_dir
from urlharness.corpus.specifications import DEFAULT_SPECS
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge

CLASSES = load_classes()
DIFFERENCES = load_differences()
ALL = {difference.id: difference for entries in DIFFERENCES.values() for difference in entries}

#: The rule of a whole URL, which a difference without `rule` asks for.
START = {"rfc1738": "url", "rfc1808": "URL"}

#: Where the reference answers, or refuses the base, although the RFC defines no answer, and why.
ANSWERED_ALL_THE_SAME = {
    "default-port-http": "RFC 1738 names the default port of each scheme (section 3.1)",
    "default-port-http-other": "RFC 1738 names the default port of each scheme (section 3.1)",
    "default-port-normal-form": "RFC 2396 states the equivalence (R-2396-27)",
    "double-slash-no-authority": "it follows the algorithm (R-1808-23, R-2396-32)",
    "empty-path-equivalence": "it admits both (R-1738-35, R-2396-27)",
    "empty-path-normal-form": "it applies what RFC 2396 states and no more (R-2396-27)",
    "encoded-dots-normal-form": "it applies what RFC 2396 states and no more (R-2396-26)",
    "encoded-dots-twice": "it applies what RFC 2396 states and no more (R-2396-26)",
    "escape-in-host-letter-normal-form": "it applies what RFC 2396 states and no more (R-2396-26)",
    "escaped-unreserved-normal-form": "it applies what RFC 2396 states and no more (R-2396-26)",
    "rootless-up": "RFC 2396 calls the base unfit, and it refuses (R-2396-21)",
    "rootless-up-from-below": "RFC 2396 calls the base unfit, and it refuses (R-2396-21)",
    "rootless-inside": "RFC 2396 calls the base unfit, and it refuses (R-2396-21)",
    "rootless-sibling": "RFC 2396 calls the base unfit, and it refuses (R-2396-21)",
}


def schema(name: str) -> Draft202012Validator:
    """Return the published schema of a kind of file."""
    return Draft202012Validator(json.loads((corpus_dir() / "schemas" / f"{name}.schema.json").read_bytes()))


def reply_of(difference: Difference, spec: str) -> Reply:
    """Return the reply of the reference to the question of a difference under an RFC."""
    return msgspec.convert({**reference.answer(difference.question(spec)), "id": 0}, Reply)


def outcome(difference: Difference, spec: str, reply: Reply, expect: Expected) -> str:
    """Return the outcome of a reply, judged as that of a vector which obliges to the expectation."""
    fields = difference.question(spec)
    fields.pop("spec")
    rule = fields.pop("rule", START.get(spec, "URI-reference"))
    vector = Vector(
        id="x", requirement="x", level="grammar", binding="required", expect=expect, rule=rule, **fields
    )
    case = Case(spec, "1", vector, "x")
    return judge(case, reply, {"absent-vs-empty"}, strict=True).outcome


def test_lint_finds_nothing():
    assert [str(finding) for finding in lint_differences(corpus_dir())] == []


def test_the_file_of_classes_meets_its_schema():
    assert schema("classes").is_valid(json.loads((corpus_dir() / "classes.json").read_bytes()))


def test_the_file_of_classes_is_converted_to_its_record():
    document = json.loads((corpus_dir() / "classes.json").read_bytes())
    assert [entry.id for entry in msgspec.convert(document, ClassFile).classes] == list(CLASSES)


by_file = pytest.mark.parametrize("path", difference_files(corpus_dir()), ids=lambda path: path.stem)


@by_file
def test_a_file_of_differences_meets_its_schema(path):
    assert schema("differences").is_valid(json.loads(path.read_bytes()))


@by_file
def test_a_file_of_differences_is_converted_to_its_record(path):
    assert msgspec.convert(json.loads(path.read_bytes()), DifferenceFile).class_ == path.stem


def differing_inputs(name):
    """Return the inputs of a class to which the RFCs give different answers."""
    return [difference for difference in DIFFERENCES[name] if differs(difference)]


@pytest.mark.parametrize("name", [name for name, entry in CLASSES.items() if entry.varies])
def test_a_class_where_the_rfcs_vary_has_three_inputs_and_one_that_shows_no_difference(name):
    assert len(DIFFERENCES[name]) >= 3
    assert 0 < len(differing_inputs(name)) < len(DIFFERENCES[name])


@pytest.mark.parametrize("name", [name for name in DIFFERENCES if not CLASSES[name].varies])
def test_a_class_where_the_rfcs_agree_has_inputs_and_no_difference(name):
    assert DIFFERENCES[name]
    assert differing_inputs(name) == []


def test_numbers_count_the_classes():
    assert [entry.number for entry in CLASSES.values()] == list(range(1, len(CLASSES) + 1))


def test_vectors_name_known_classes(corpus: Corpus):
    named = {case.vector.class_ for case in corpus.cases if case.vector.class_}
    assert named != set()
    assert named - CLASSES.keys() == set()


def test_every_ruling_cited_exists():
    text = (Path(__file__).parents[3] / "docs" / "rulings.md").read_text("utf-8")
    headings = set(re.findall(r"^### ((?:G|R-\d{4})-\d{2})\b", text, re.MULTILINE))
    cited = set()
    for entry in CLASSES.values():
        cited.update(entry.rulings)
    for difference in ALL.values():
        cited.update(side.ruling for side in difference.answers.values() if side.ruling)
    assert cited
    assert cited - headings == set()


@pytest.mark.parametrize("difference", ALL.values(), ids=ALL)
def test_the_reference_gives_every_answer(difference):
    outcomes = {
        spec: outcome(difference, spec, reply_of(difference, spec), expect)
        for spec, expect in defined(difference)
    }
    assert outcomes == dict.fromkeys(outcomes, "pass")


def test_the_reference_leaves_undefined_what_the_rfcs_do():
    answered = set()
    for difference in ALL.values():
        undefined = [spec for spec, side in difference.answers.items() if side.undefined]
        if {reply_of(difference, spec).status for spec in undefined} - {"unsupported"}:
            answered.add(difference.id)
    assert answered == ANSWERED_ALL_THE_SAME.keys()


def test_rfc1738_defines_no_resolution():
    resolutions = [difference for difference in ALL.values() if difference.op == "resolve"]
    assert resolutions
    for difference in resolutions:
        assert difference.answers["rfc1738"].undefined, difference.id
        assert reply_of(difference, "rfc1738").status == "unsupported", difference.id


def defined(difference: Difference) -> list[tuple[str, Expected]]:
    """Return the RFCs that define an answer, and the answers."""
    return [(spec, side.expect) for spec, side in difference.answers.items() if side.expect is not None]


def differs(difference: Difference) -> bool:
    """Return True if two RFCs give different answers."""
    expectations = [expect for _, expect in defined(difference)]
    return any(differ(first, second) for first, second in combinations(expectations, 2))


#: Differences, and two RFCs that answer them differently. Components are left out: they have other names in
#: RFC 1738 and 1808.
DIFFERING_ANSWERS = [
    pytest.param(
        difference, (spec, expect), (other_spec, other_expect), id=f"{difference.id}-{spec}-{other_spec}"
    )
    for difference in ALL.values()
    if difference.op != "parse"
    for (spec, expect), (other_spec, other_expect) in combinations(defined(difference), 2)
    if differ(expect, other_expect)
]


def test_some_answers_differ():
    assert DIFFERING_ANSWERS != []


@pytest.mark.parametrize(("difference", "first", "second"), DIFFERING_ANSWERS)
def test_the_reference_fails_when_differing_answers_of_two_rfcs_are_exchanged(difference, first, second):
    """The test of the answers can therefore fail."""
    first_spec, first_expect = first
    second_spec, second_expect = second
    exchanged = [
        outcome(difference, first_spec, reply_of(difference, first_spec), second_expect),
        outcome(difference, second_spec, reply_of(difference, second_spec), first_expect),
    ]
    assert exchanged != ["pass", "pass"]


def test_entries_that_note_no_difference_have_none():
    noted = [entry for entry in ALL.values() if (entry.note or "").startswith("No difference")]
    assert noted
    assert [entry.id for entry in noted if differs(entry)] == []


def test_questions_have_the_fields_of_the_protocol():
    assert {tuple(entry.question("rfc3986")) for entry in ALL.values()} == {
        ("op", "spec", "url"),
        ("op", "spec", "rule", "url"),
        ("op", "spec", "mode", "url"),
        ("op", "spec", "url", "other"),
        ("op", "spec", "mode", "url", "other"),
        ("op", "spec", "base", "reference"),
    }


def test_every_difference_has_an_entry_for_each_rfc_on_urls():
    assert [entry for entry in ALL.values() if not set(DEFAULT_SPECS) <= set(entry.answers)] == []
