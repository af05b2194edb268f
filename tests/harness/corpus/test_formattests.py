"""The export for the JSON Schema Test Suite: its files, its rules for them, and verdicts of the vectors."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from typing import NamedTuple

import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.export import ExportError
from urlharness.corpus.foreign import load_foreign
from urlharness.corpus.formattests import format_tests, write_format_tests
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus, Hex, corpus_dir
from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit

FOLDER = "tests/draft2020-12/optional/format"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

#: What test-schema.json of the suite demands of a file.
TEXT = {"type": "string"}
SUITE = {
    "type": "array",
    "minItems": 1,
    "items": {
        "required": ["description", "schema", "tests"],
        "properties": {
            "description": TEXT,
            "comment": TEXT,
            "schema": True,
            "tests": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "required": ["description", "data", "valid"],
                    "properties": {
                        "description": TEXT,
                        "comment": TEXT,
                        "data": True,
                        "valid": {"type": "boolean"},
                    },
                    "additionalProperties": False,
                },
            },
        },
        "additionalProperties": False,
    },
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The files made from the corpus, by format."""
    target = tmp_path_factory.mktemp("suite") / "out"
    write_format_tests(corpus_dir(), load(), target, Selection(), force=False)
    return {name: target / FOLDER / f"{name}.json" for name in ("uri", "uri-reference")}


@pytest.fixture
def small(part):
    """A corpus with the URLs of two sections of RFC 3986, without a lock."""
    (part / "vectors.lock").unlink()
    (part / "rfc3986").mkdir()
    for name in ("3.1-scheme.json", "3.1-scale.json", "4.3-absolute.json"):
        shutil.copy(corpus_dir() / "rfc3986" / name, part / "rfc3986")
    shutil.copy(corpus_dir() / "requirements" / "rfc3986.json", part / "requirements")
    return part


def _tests(path):
    return [test for group in json.loads(path.read_bytes()) for test in group["tests"]]


FORMATS = pytest.mark.parametrize("name", ["uri", "uri-reference"])


@FORMATS
def test_the_files_meet_the_schema_of_the_suite(written, name):
    groups = json.loads(written[name].read_text("ascii"))
    assert list(Draft202012Validator(SUITE).iter_errors(groups)) == []


@FORMATS
def test_titles_of_groups_are_short_and_unique(written, name):
    titles = [group["description"] for group in json.loads(written[name].read_bytes())]
    assert len(set(titles)) == len(titles)
    assert max(map(len, titles)) < 150


@FORMATS
def test_each_text_is_tested_once(written, name):
    texts = [test["data"] for test in _tests(written[name])]
    assert len(set(texts)) == len(texts)


@FORMATS
def test_no_tested_text_is_longer_than_1_kib(written, name):
    texts = [test["data"] for test in _tests(written[name])]
    assert max(len(text.encode()) for text in texts) <= 1024


@FORMATS
def test_each_group_has_the_schema_of_its_format(written, name):
    groups = json.loads(written[name].read_bytes())
    assert groups != []
    assert [group["schema"] for group in groups] == [{"$schema": DIALECT, "format": name}] * len(groups)


@FORMATS
def test_descriptions_of_tests_are_short(written, name):
    assert max(len(test["description"]) for test in _tests(written[name])) < 70


@FORMATS
def test_a_description_is_unique_in_its_group(written, name):
    groups = json.loads(written[name].read_bytes())
    titles = [(group["description"], test["description"]) for group in groups for test in group["tests"]]
    assert titles != []
    assert [title for title, count in Counter(titles).items() if count > 1] == []


@FORMATS
def test_descriptions_state_facts(written, name):
    """The suite asks for descriptions without `should` and `test that`."""
    groups = json.loads(written[name].read_bytes())
    descriptions = [entry["description"] for group in groups for entry in (group, *group["tests"])]
    assert descriptions != []
    assert [text for text in descriptions if re.search(r"\bshould\b|test that", text.lower())] == []


@pytest.fixture
def tests_with_vectors(written, name):
    """Each test of a format, with the vector that its comment names."""
    vectors = {case.vector.id: case.vector for case in load().cases}
    return [(test, vectors[test["comment"].split()[-1]]) for test in _tests(written[name])]


@FORMATS
def test_each_test_has_the_text_of_the_vector_that_it_names(tests_with_vectors):
    texts = [vector.url for _, vector in tests_with_vectors]
    assert texts != []
    assert [test["data"] for test, _ in tests_with_vectors] == texts


@FORMATS
def test_each_test_names_a_required_vector(tests_with_vectors):
    assert {vector.binding for _, vector in tests_with_vectors} == {"required"}


@FORMATS
def test_a_test_of_a_rule_has_the_verdict_of_its_vector(tests_with_vectors, name):
    of_rule = [(test, vector) for test, vector in tests_with_vectors if vector.rule.lower() == name]
    assert of_rule != []
    assert [vector.id for test, vector in of_rule if vector.expect.valid != test["valid"]] == []


@FORMATS
def test_each_format_has_valid_and_invalid_texts(written, name):
    assert {test["valid"] for test in _tests(written[name])} == {True, False}


@FORMATS
def test_the_reference_passes_the_tests_of_each_format(written, urlconform, name):
    assert urlconform("run", "reference", "--vectors", str(written[name])).returncode == Exit.PASSED


@FORMATS
def test_a_file_of_tests_is_read_without_loss(written, name):
    assert load_foreign(written[name]).left_out == {}


class DecidedTests(NamedTuple):
    """Rule and verdict of a vector, its text, and the verdicts of the tests of both formats."""

    rule: str
    valid: bool
    text: str
    uri: list[bool]
    reference: list[bool]


VERDICTS = [
    pytest.param(DecidedTests("URI", valid=True, text="a:b", uri=[True], reference=[True]), id="uri"),
    pytest.param(
        DecidedTests("URI", valid=False, text="b", uri=[False], reference=[]),
        id="no-uri-says-nothing-about-references",
    ),
    pytest.param(
        DecidedTests("absolute-URI", valid=True, text="a:b", uri=[True], reference=[True]), id="absolute"
    ),
    pytest.param(
        DecidedTests("absolute-URI", valid=False, text="a:b#", uri=[], reference=[]),
        id="no-absolute-uri-says-nothing",
    ),
    pytest.param(
        DecidedTests("URI-reference", valid=True, text="a+.-1:b", uri=[True], reference=[True]),
        id="reference-with-scheme",
    ),
    pytest.param(
        DecidedTests("URI-reference", valid=True, text="./a:b", uri=[False], reference=[True]),
        id="reference-without-scheme",
    ),
    pytest.param(
        DecidedTests("URI-reference", valid=True, text="", uri=[False], reference=[True]),
        id="empty-reference",
    ),
    pytest.param(
        DecidedTests("URI-reference", valid=False, text="a:<", uri=[False], reference=[False]),
        id="no-reference",
    ),
    pytest.param(
        DecidedTests("relative-ref", valid=True, text="b", uri=[False], reference=[True]), id="relative"
    ),
    pytest.param(
        DecidedTests("relative-ref", valid=False, text="a:b", uri=[], reference=[]),
        id="not-relative-says-nothing",
    ),
    pytest.param(DecidedTests("host", valid=True, text="a", uri=[], reference=[]), id="other-rule"),
]


@pytest.mark.parametrize("row", VERDICTS)
def test_a_vector_decides_tests_of_its_formats(make_case, row):
    """RFC 3986 section 4.1: a URI-reference without scheme and colon is a relative reference."""
    case = make_case("rfc3986-4.1-x", rule=row.rule, url=row.text, expect={"valid": row.valid})
    suite = format_tests(Corpus([case], {}, {}, "", ""), [case])
    verdicts = {
        name: [test["valid"] for group in groups for test in group["tests"]]
        for name, groups in suite.groups.items()
    }
    assert verdicts == {"uri": row.uri, "uri-reference": row.reference}


def test_vectors_that_become_no_test_are_counted_by_reason(make_case):
    ask = {"rule": "URI", "expect": {"valid": False}}
    cases = [
        make_case("rfc3986-3-a", url="a", **ask),
        make_case("rfc3986-3-b", url="a", **ask),
        make_case("rfc3986-3-c", url=Hex("ff"), **ask),
        make_case("rfc3986-3-d", url="a" * 1025, **ask),
        make_case("rfc3986-3-e", url="\u00e9" * 513, **ask),
        make_case("rfc3986-3-f", url="b", rule="URI", expect={"any": [{"valid": True}, {"valid": False}]}),
        make_case("rfc3986-3-g", url="c", binding="impl-defined", **ask),
        make_case("rfc3986-3-h", url="d", profile="prose", **ask),
    ]
    suite = format_tests(Corpus(cases, {}, {}, "", ""), cases)
    assert suite.counts == {"uri": 1, "uri-reference": 0}
    assert suite.left_out == {"repeated": 1, "not Unicode": 1, "longer than 1 KiB": 2}


#: A text, where and under which rules it is refused, and the fact that its description states.
FACTS = [
    pytest.param(
        "a:<",
        {"at": 2, "rules": ["hier-part"]},
        'invalid: "<" at offset 2 cannot continue hier-part',
        id="character",
    ),
    pytest.param(
        'a:"',
        {"at": 2, "rules": ["hier-part"]},
        "invalid: %x22 at offset 2 cannot continue hier-part",
        id="quotation-mark",
    ),
    pytest.param(
        "a:\u00e9",
        {"at": 2, "rules": ["hier-part"]},
        "invalid: U+00E9 at offset 2 cannot continue hier-part",
        id="beyond-ascii",
    ),
    pytest.param("a:<", {"at": 2}, 'invalid: "<" at offset 2', id="no-rules"),
    pytest.param("//[", {"at": 3, "rules": ["IP-literal"]}, "invalid: ends inside IP-literal", id="end"),
]


@pytest.mark.parametrize(("text", "refusal", "fact"), FACTS)
def test_a_description_states_a_fact(make_case, text, refusal, fact):
    case = make_case("rfc3986-3-a", rule="URI-reference", url=text, expect={"valid": False, **refusal})
    (group,) = format_tests(Corpus([case], {}, {}, "", ""), [case]).groups["uri-reference"]
    assert group["description"] == "validation of URI References, RFC 3986 section 3"
    assert [test["description"] for test in group["tests"]] == [fact]


def test_texts_that_show_the_same_fact_have_the_ids_of_their_vectors(make_case):
    ask = {"rule": "URI", "expect": {"valid": True}}
    cases = [make_case(f"rfc3986-3-{name}", url=f"{name}://h/?", **ask) for name in "ab"]
    (group,) = format_tests(Corpus(cases, {}, {}, "", ""), cases).groups["uri"]
    assert [test["description"] for test in group["tests"]] == [
        "valid: scheme, authority, path and query (3-a)",
        "valid: scheme, authority, path and query (3-b)",
    ]


@pytest.fixture
def command(small, tmp_path):
    """The words of a command that exports the small corpus as format tests."""
    words = ("vectors", "export", str(tmp_path / "out"), "--vectors", str(small))
    return (*words, "--format", "json-schema-test-suite")


def count_of(tmp_path, name):
    return len(_tests(tmp_path / "out" / FOLDER / f"{name}.json"))


def test_export_writes_a_file_for_each_format_and_counts(command, urlconform, tmp_path):
    done = urlconform(*command)
    of_uri = count_of(tmp_path, "uri")
    of_reference = count_of(tmp_path, "uri-reference")
    assert done.stdout == (
        f"{tmp_path / 'out'}: {of_uri + of_reference} tests: {of_uri} of uri, {of_reference} of uri-reference"
        " (left out: 1 longer than 1 KiB)\n"
    )
    assert done.returncode == Exit.PASSED


def test_export_does_not_replace_format_tests(command, urlconform, tmp_path):
    urlconform(*command)
    done = urlconform(*command)
    assert f"{tmp_path / 'out'} is not empty (use --force to replace an earlier export)" in done.stderr
    assert done.returncode == Exit.USAGE


def test_export_replaces_format_tests_by_force(command, urlconform, tmp_path):
    urlconform(*command)
    count_before = count_of(tmp_path, "uri")
    assert urlconform(*command, "--force", "--section", "3.1").returncode == Exit.PASSED
    assert 0 < count_of(tmp_path, "uri") < count_before


def test_vectors_that_contradict_each_other_are_refused(make_case):
    cases = [
        make_case(f"rfc3986-3-{valid}", rule="URI", url="a:", expect={"valid": valid})
        for valid in (True, False)
    ]
    with pytest.raises(ExportError, match="rfc3986-3-True and rfc3986-3-False"):
        format_tests(Corpus(cases, {}, {}, "", ""), cases)
