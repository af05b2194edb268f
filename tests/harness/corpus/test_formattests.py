"""The export for the JSON Schema Test Suite: its files, its rules for them, and verdicts of the vectors."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from typing import NamedTuple

import pytest
from jsonschema import Draft202012Validator

from urlharness.adequacy.noticing import NoticedKinds
from urlharness.corpus.export import ExportError
from urlharness.corpus.foreign import load_foreign
from urlharness.corpus.formattests import (
    SUITE_FILES,
    SuiteBatch,
    format_tests,
    groups_of_file,
    read_beside,
    select_tests,
    split_into_batches,
    write_format_tests,
)
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus, Hex, Requirement, corpus_dir
from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit

FOLDER = "tests/draft2020-12/optional/format"

NAMES = ("uri", "uri-reference", "iri", "iri-reference")
FORMATS_OF_NEWER_VERSIONS = {name: {"validation": "7.3.5"} for name in NAMES}

#: The schema of each version, and the section of JSON Schema that defines each of its formats.
VERSIONS = {
    "tests/v1/format": (
        {"$schema": "https://json-schema.org/v1"},
        FORMATS_OF_NEWER_VERSIONS,
    ),
    "tests/draft2020-12/optional/format": (
        {"$schema": "https://json-schema.org/draft/2020-12/schema"},
        FORMATS_OF_NEWER_VERSIONS,
    ),
    "tests/draft2019-09/optional/format": (
        {"$schema": "https://json-schema.org/draft/2019-09/schema"},
        FORMATS_OF_NEWER_VERSIONS,
    ),
    "tests/draft7/optional/format": (
        {},
        FORMATS_OF_NEWER_VERSIONS,
    ),
    "tests/draft6/optional/format": (
        {},
        {"uri": {"validation": "8.3.6"}, "uri-reference": {"validation": "8.3.7"}},
    ),
    "tests/draft4/optional/format": ({}, {"uri": {"validation": "7.3.6"}}),
    "tests/draft3/optional/format": ({}, {"uri": {"core": "5.23"}}),
}

#: What test-schema.json of the suite demands of a file.
TEXT = {"type": "string"}
SECTION = {"type": "string", "pattern": r"^[0-9a-zA-Z]+(\.[0-9a-zA-Z]+)*$"}
SPECIFICATION = {
    "type": "array",
    "minItems": 1,
    "uniqueItems": True,
    "items": {
        "minProperties": 1,
        "properties": {"core": SECTION, "validation": SECTION},
        "patternProperties": {r"^rfc\d+$": SECTION},
        "additionalProperties": False,
    },
}
SUITE = {
    "type": "array",
    "minItems": 1,
    "items": {
        "required": ["description", "schema", "tests"],
        "properties": {
            "description": TEXT,
            "comment": TEXT,
            "schema": True,
            "specification": SPECIFICATION,
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
def suite_files(tmp_path_factory):
    """The files made from the corpus, by format."""
    target = tmp_path_factory.mktemp("suite") / "out"
    corpus = load()
    write_format_tests(corpus_dir(), corpus, target, [SuiteBatch("", all_tests(corpus))], force=False)
    return {name: target / FOLDER / f"{name}.json" for name in NAMES}


def all_tests(corpus):
    """Return all tests that a corpus decides, by file of the suite."""
    tests = select_tests(corpus, Selection()).tests
    return {file: tests[file.name] for file in SUITE_FILES}


@pytest.fixture
def small_corpus(part):
    """A corpus with the URLs of two sections of RFC 3986, without a lock."""
    (part / "vectors.lock").unlink()
    (part / "rfc3986").mkdir()
    for name in ("3.1-scheme.json", "3.1-scale.json", "4.3-absolute.json"):
        shutil.copy(corpus_dir() / "rfc3986" / name, part / "rfc3986")
    shutil.copy(corpus_dir() / "requirements" / "rfc3986.json", part / "requirements")
    return part


def listed_tests(path):
    """Return the tests of a file of the suite."""
    tests = []
    for group in json.loads(path.read_bytes()):
        tests += group["tests"]
    return tests


EACH_FORMAT = pytest.mark.parametrize("name", NAMES)


@pytest.mark.sampled(2)
@EACH_FORMAT
def test_the_files_meet_the_schema_of_the_suite(suite_files, name):
    groups = json.loads(suite_files[name].read_text("ascii"))
    assert list(Draft202012Validator(SUITE).iter_errors(groups)) == []


#: The suite asks for descriptions of groups and of tests with fewer characters.
END_OF_GROUP_TITLE = 150
END_OF_TEST_TITLE = 70


@pytest.mark.sampled(2)
@EACH_FORMAT
def test_titles_of_groups_are_unique(suite_files, name):
    titles = [group["description"] for group in json.loads(suite_files[name].read_bytes())]
    assert titles != []
    assert [title for title, count in Counter(titles).items() if count > 1] == []


@EACH_FORMAT
def test_titles_of_groups_are_short(suite_files, name):
    titles = [group["description"] for group in json.loads(suite_files[name].read_bytes())]
    assert max(map(len, titles)) < END_OF_GROUP_TITLE


@EACH_FORMAT
def test_each_text_is_tested_once(suite_files, name):
    texts = [test["data"] for test in listed_tests(suite_files[name])]
    assert texts != []
    assert [text for text, count in Counter(texts).items() if count > 1] == []


@EACH_FORMAT
def test_no_tested_text_is_longer_than_1_kib(suite_files, name):
    texts = [test["data"] for test in listed_tests(suite_files[name])]
    assert max(len(text.encode()) for text in texts) <= 1024


#: The folder of each version, with each format that it has.
FORMATS_OF_VERSIONS = [
    (folder, name) for folder, (_, section_of_format) in VERSIONS.items() for name in section_of_format
]


def root_of_suite(suite_files):
    """Return the folder that contains FOLDER, which has four parts."""
    return suite_files["uri"].parents[4]


def test_each_version_has_a_file_of_each_of_its_formats(suite_files):
    root = root_of_suite(suite_files)
    paths = {path.relative_to(root).as_posix() for path in root.joinpath("tests").rglob("*.json")}
    assert paths == {f"{folder}/{name}.json" for folder, name in FORMATS_OF_VERSIONS}


@pytest.fixture
def groups_of_version(suite_files):
    """Return a function that reads the groups of a format in the folder of a version."""

    def read(folder, name):
        groups = json.loads((root_of_suite(suite_files) / folder / f"{name}.json").read_bytes())
        assert groups != []
        return groups

    return read


@pytest.mark.parametrize(("folder", "name"), FORMATS_OF_VERSIONS)
def test_each_group_has_the_schema_of_its_version_and_format(groups_of_version, folder, name):
    dialect, _ = VERSIONS[folder]
    groups = groups_of_version(folder, name)
    assert [group["schema"] for group in groups] == [{**dialect, "format": name}] * len(groups)


@pytest.mark.parametrize(("folder", "name"), FORMATS_OF_VERSIONS)
def test_each_group_cites_the_section_on_its_format(groups_of_version, folder, name):
    _, section_of_format = VERSIONS[folder]
    groups = groups_of_version(folder, name)
    for group in groups:
        citation_of_format, _citation_of_rfc = group["specification"]
        assert citation_of_format == section_of_format[name]


@pytest.mark.parametrize(("folder", "name"), FORMATS_OF_VERSIONS)
def test_each_group_cites_another_section_of_the_rfc(groups_of_version, folder, name):
    groups = groups_of_version(folder, name)
    spec = "rfc3987" if name.startswith("iri") else "rfc3986"
    sections = set()
    for group in groups:
        _citation_of_format, citation_of_rfc = group["specification"]
        sections.add(citation_of_rfc[spec])
    assert len(sections) == len(groups)


@EACH_FORMAT
def test_descriptions_of_tests_are_short(suite_files, name):
    assert max(len(test["description"]) for test in listed_tests(suite_files[name])) < END_OF_TEST_TITLE


@EACH_FORMAT
def test_a_description_is_unique_in_its_group(suite_files, name):
    groups = json.loads(suite_files[name].read_bytes())
    assert groups != []
    for group in groups:
        counts = Counter(test["description"] for test in group["tests"])
        assert [description for description, count in counts.items() if count > 1] == []


@EACH_FORMAT
def test_descriptions_state_facts(suite_files, name):
    """The suite asks for descriptions without `should` and `test that`."""
    groups = json.loads(suite_files[name].read_bytes())
    descriptions = [group["description"] for group in groups]
    descriptions += [test["description"] for test in listed_tests(suite_files[name])]
    assert descriptions != []
    assert [text for text in descriptions if re.search(r"should|test that", text.lower())] == []


@pytest.fixture
def tests_with_vectors(suite_files, name):
    """Each test of a format, with the vector that its comment names."""
    vectors = {case.vector.id: case.vector for case in load().cases}
    return [(test, vectors[test["comment"].split()[-1]]) for test in listed_tests(suite_files[name])]


@pytest.mark.sampled(4)
@EACH_FORMAT
def test_each_test_has_the_text_of_the_vector_that_it_names(tests_with_vectors):
    """A scheme may stand before it."""
    wrong = []
    for test, vector in tests_with_vectors:
        has_scheme = "with a scheme before it" in test["comment"]
        if test["data"] != ("x:" + vector.url if has_scheme else vector.url):
            wrong.append(test["data"])
    assert wrong == []


@pytest.mark.sampled(4)
@EACH_FORMAT
def test_each_test_names_a_required_vector(tests_with_vectors):
    assert {vector.binding for _, vector in tests_with_vectors} == {"required"}


@pytest.mark.sampled(4)
@EACH_FORMAT
def test_a_test_of_a_rule_has_the_verdict_of_its_vector(tests_with_vectors, name):
    tests_of_rule = [
        (test, vector)
        for test, vector in tests_with_vectors
        if vector.op == "validate" and vector.rule.lower() == name and test["data"] == vector.url
    ]
    assert tests_of_rule != []
    assert [vector.id for test, vector in tests_of_rule if vector.expect.valid != test["valid"]] == []


@EACH_FORMAT
def test_each_format_has_valid_and_invalid_texts(suite_files, name):
    assert {test["valid"] for test in listed_tests(suite_files[name])} == {True, False}


@pytest.mark.sampled(2)
@EACH_FORMAT
def test_the_reference_passes_the_tests_of_each_format(suite_files, urlconform, name):
    assert urlconform("run", "reference", "--vectors", str(suite_files[name])).returncode == Exit.PASSED


@EACH_FORMAT
def test_a_file_of_tests_is_read_without_loss(suite_files, name):
    assert load_foreign(suite_files[name]).left_out == {}


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


def verdicts_on(text, tests):
    """Return the verdicts of those tests that ask for a text."""
    return [test.valid for test in tests if test.text == text]


@pytest.mark.parametrize("row", VERDICTS)
def test_a_vector_decides_tests_of_its_formats(make_case, row):
    """RFC 3986 section 4.1: a URI-reference without scheme and colon is a relative reference."""
    case = make_case("rfc3986-4.1-x", rule=row.rule, url=row.text, expect={"valid": row.valid})
    tests = format_tests([case]).tests
    assert verdicts_on(row.text, tests["uri"]) == row.uri
    assert verdicts_on(row.text, tests["uri-reference"]) == row.reference


#: A vector of a rule of RFC 3987, and the verdicts of the tests of both formats that it makes.
VERDICTS_ON_IRIS = [
    pytest.param("IRI", True, "a:\u00e9", [True], [True], id="iri"),
    pytest.param("IRI", False, "\u00e9", [False], [], id="no-iri"),
    pytest.param("absolute-IRI", True, "a:\u00e9", [True], [True], id="absolute"),
    pytest.param("absolute-IRI", False, "a:\u00e9#", [], [], id="no-absolute-iri"),
    pytest.param("irelative-ref", True, "\u00e9", [False], [True], id="relative"),
    pytest.param("irelative-ref", False, "a:\u00e9", [], [], id="not-relative"),
    pytest.param("IRI-reference", True, "a:\u00e9", [True], [True], id="reference-with-scheme"),
    pytest.param("IRI-reference", True, "\u00e9:", [False], [True], id="reference-without-scheme"),
    pytest.param("IRI-reference", False, "a:\ue000", [False], [False], id="no-reference"),
    pytest.param("URI", True, "a:b", [], [], id="rule-of-uris"),
]


@pytest.mark.parametrize(("rule", "valid", "text", "as_iri", "as_reference"), VERDICTS_ON_IRIS)
def test_a_vector_of_rfc_3987_decides_tests_of_iris(make_case, rule, valid, text, as_iri, as_reference):
    case = make_case("rfc3987-2.2-x", rule=rule, url=text, expect={"valid": valid})
    tests = format_tests([case]).tests
    assert verdicts_on(text, tests["iri"]) == as_iri
    assert verdicts_on(text, tests["iri-reference"]) == as_reference


def test_vectors_that_become_no_test_are_counted_by_reason(make_case):
    ask = {"rule": "URI", "expect": {"valid": False}}
    cases = [
        make_case("rfc3986-3-a", url="a", **ask),
        make_case("rfc3986-3-b", url="a", **ask),  # repeated
        make_case("rfc3986-3-c", url=Hex("ff"), **ask),  # not Unicode
        make_case("rfc3986-3-d", url="a" * 1025, **ask),  # longer than 1 KiB
        make_case("rfc3986-3-e", url="\u00e9" * 513, **ask),  # longer than 1 KiB in UTF-8
        # these are no candidates, and not counted: the RFC leaves their verdict open, or not only the grammar
        # decides it
        make_case("rfc3986-3-f", url="b", rule="URI", expect={"any": [{"valid": True}, {"valid": False}]}),
        make_case("rfc3986-3-g", url="c", binding="impl-defined", **ask),
        make_case("rfc3986-3-h", url="d", profile="prose", **ask),
    ]
    suite = format_tests(cases)
    assert suite.counts == {"uri": 1, "uri-reference": 0, "iri": 0, "iri-reference": 0}
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


def groups_of(name, cases, statement=""):
    """Return the groups of a format in a corpus of these cases, whose requirements have one statement."""
    requirements = {
        case.vector.requirement: Requirement(
            id=case.vector.requirement, section="3", paragraph=1, digest="", level="must", statement=statement
        )
        for case in cases
    }
    corpus = Corpus(cases, requirements if statement else {}, {}, "", "")
    (file,) = [file for file in SUITE_FILES if file.path == f"{FOLDER}/{name}.json"]
    return groups_of_file(corpus, file, format_tests(cases).tests[name])


@pytest.mark.parametrize(("text", "refusal", "fact"), FACTS)
def test_a_description_states_a_fact(make_case, text, refusal, fact):
    case = make_case("rfc3986-3-a", rule="URI-reference", url=text, expect={"valid": False, **refusal})
    (group,) = groups_of("uri-reference", [case])
    assert [test["description"] for test in group["tests"] if test["data"] == text] == [fact]


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("uri", "validation of URIs, RFC 3986 section 3"),
        ("uri-reference", "validation of URI References, RFC 3986 section 3"),
    ],
)
def test_the_description_of_a_group_names_its_format_and_section(make_case, name, description):
    (group,) = groups_of(name, [make_case("rfc3986-3-a", rule="URI", url="a:b", expect={"valid": True})])
    assert group["description"] == description


#: The statement of a text, and the description of its test.
STATEMENTS = {
    "with-fact": ("A path is required.", "A path is required; valid: scheme and path"),
    "with-short-fact": (
        "A path is required in each and every text of these.",
        "A path is required in each and every text of these; valid",
    ),
    "too-long": (
        "A path is required, and it is possible that it has no character at all.",
        "valid: scheme and path",
    ),
    "first-clause": (
        "A path is required; it is possible that it has no character at all, as here.",
        "A path is required; valid: scheme and path",
    ),
    "no-fact": ("Each text should have a path.", "valid: scheme and path"),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_description_is_the_statement_with_a_fact(make_case, name):
    statement, description = STATEMENTS[name]
    case = make_case("rfc3986-3-a", rule="URI", url="a:b", expect={"valid": True})
    (group,) = groups_of("uri", [case], statement)
    (test,) = group["tests"]
    assert test["description"] == description


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_statement_is_in_the_description_or_in_the_comment(make_case, name):
    statement, _ = STATEMENTS[name]
    case = make_case("rfc3986-3-a", rule="URI", url="a:b", expect={"valid": True})
    (group,) = groups_of("uri", [case], statement)
    (test,) = group["tests"]
    in_description = test["description"].startswith(statement.rstrip("."))
    in_comment = test["comment"].startswith(statement.rstrip("."))
    assert in_comment is not in_description


def test_later_texts_that_show_the_same_fact_have_a_number(make_case):
    ask = {"rule": "URI", "expect": {"valid": True}}
    cases = [make_case(f"rfc3986-3-{name}", url=f"{name}://h/?", **ask) for name in "abc"]
    (group,) = groups_of("uri", cases)
    assert [test["description"] for test in group["tests"]] == [
        "valid: scheme, authority, path and query",
        "valid: scheme, authority, path and query (2)",
        "valid: scheme, authority, path and query (3)",
    ]


def test_a_description_with_a_number_is_short(make_case):
    statement = "A path is required in each and every one of all texts of these two"
    ask = {"rule": "URI", "expect": {"valid": True}}
    cases = [make_case(f"rfc3986-3-{name}", url=f"{name}:", **ask) for name in "abc"]
    (group,) = groups_of("uri", cases, statement)
    assert [test["description"] for test in group["tests"]] == [
        statement,
        "valid: scheme",
        "valid: scheme (2)",
    ]


def test_a_clause_with_a_fact_distinguishes_texts_of_one_statement(make_case):
    ask = {"rule": "URI", "expect": {"valid": True}}
    cases = [
        make_case(f"rfc3986-3-{name}", url=text, **ask)
        for name, text in zip("ab", ["a:", "a:b"], strict=True)
    ]
    (group,) = groups_of("uri", cases, "A path is required: at least one that has no character at all")
    assert [test["description"] for test in group["tests"]] == [
        "A path is required: at least one that has no character at all; valid",
        "A path is required; valid: scheme and path",
    ]


#: A reference, and whether it becomes a URI after a scheme (RFC 3986 sections 3 and 4.2).
AFTER_A_SCHEME = {
    "network-path": ("//h", True),
    "absolute-path": ("/a:b", True),
    "segment": ("a/b:c", True),
    "query": ("?a:b", True),
    "empty": ("", True),
    "colon-in-first-segment": ("a:b", False),
    "no-scheme-before-colon": ("1:b", False),
}


@pytest.mark.parametrize("format_name", ["uri", "uri-reference"])
@pytest.mark.parametrize("valid", [True, False])
@pytest.mark.parametrize("name", AFTER_A_SCHEME)
def test_only_a_relative_reference_that_becomes_a_uri_is_also_asked_after_a_scheme(
    make_case, name, valid, format_name
):
    """A first segment without colon follows the rules of a path after a scheme (RFC 3986 section 3.3)."""
    text, becomes_uri = AFTER_A_SCHEME[name]
    case = make_case("rfc3986-4.2-a", rule="URI-reference", url=text, expect={"valid": valid})
    verdicts = {test.text: test.valid for test in format_tests([case]).tests[format_name]}
    assert verdicts.get(f"x:{text}") is (valid if becomes_uri else None)


@pytest.mark.parametrize(("at", "is_asked"), [(0, True), (1, False), (2, False)])
def test_a_reference_is_asked_after_a_scheme_if_its_error_is_before_a_colon(make_case, at, is_asked):
    """What comes after the error does not change the verdict."""
    expect = {"valid": False, "at": at}
    case = make_case("rfc3986-4.2-a", rule="URI-reference", url="[:1]", expect=expect)
    assert ("x:[:1]" in {test.text for test in format_tests([case]).tests["uri"]}) is is_asked


def test_the_offset_of_an_error_after_a_scheme_counts_the_scheme(make_case):
    expect = {"valid": False, "at": 2, "rules": ["segment"]}
    case = make_case("rfc3986-3-a", rule="URI-reference", url="/a<", expect=expect)
    (group,) = groups_of("uri", [case])
    assert [test["description"] for test in group["tests"]] == [
        'invalid: "<" at offset 2 cannot continue segment',
        'invalid: "<" at offset 4',
    ]


def test_a_text_with_components_is_valid(make_case):
    expect = {"components": {"scheme": None, "path": "b"}}
    case = make_case("rfc3986-3-a", op="parse", rule=None, url="b", expect=expect)
    tests = format_tests([case]).tests
    assert [(test.text, test.valid) for test in tests["uri-reference"]] == [("b", True), ("x:b", True)]
    assert [(test.text, test.valid) for test in tests["uri"]] == [("b", False), ("x:b", True)]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_batch_has_few_texts_of_one_statement(small_corpus, size):
    batches = split_into_batches(all_tests(load(small_corpus)), size)
    assert max(len(batch.tests) for batch in batches) <= size
    for batch in batches:
        requirements = {test.case.vector.requirement for test in batch.tests}
        assert len(requirements) == 1


def test_batches_have_every_test_once(small_corpus):
    files = all_tests(load(small_corpus))
    batches = split_into_batches(files, 3)
    for file, tests in files.items():
        tests_of_batches = []
        for batch in batches:
            tests_of_batches += batch.files[file]
        assert sorted(tests_of_batches, key=str) == sorted(tests, key=str), file


def suite_file(tests, name="uri"):
    """Return the text of a file of the suite with these texts and verdicts."""
    documents = [{"description": text, "data": text, "valid": valid} for text, valid in tests.items()]
    return json.dumps([{"description": "x", "schema": {"format": name}, "tests": documents}])


def test_the_tests_of_a_folder_are_those_of_all_versions(tmp_path):
    (tmp_path / "uri.json").write_text(suite_file({"a:": True}))
    beside = read_beside(tmp_path)
    assert {file.path.removesuffix("/uri.json") for file in beside} == VERSIONS.keys()
    assert [tests.verdicts for tests in beside.values()] == [{"a:": True}] * len(VERSIONS)


def test_the_tests_of_a_checkout_are_those_of_their_version(tmp_path):
    folder = tmp_path / "tests" / "draft7" / "optional" / "format"
    folder.mkdir(parents=True)
    (folder / "uri.json").write_text(suite_file({"a:": True}))
    assert [file.path for file in read_beside(tmp_path)] == ["tests/draft7/optional/format/uri.json"]


def test_a_folder_without_tests_of_the_formats_is_refused(tmp_path):
    with pytest.raises(ExportError, match=r"uri\.json, uri-reference\.json, iri\.json and iri-ref"):
        read_beside(tmp_path)


@pytest.fixture
def command(small_corpus, tmp_path):
    """The words of a command that exports the small corpus as format tests."""
    words = ("vectors", "export", str(tmp_path / "out"), "--vectors", str(small_corpus))
    return (*words, "--format", "json-schema-test-suite")


@pytest.fixture
def lengths_as_kinds_of_mistakes(monkeypatch):
    """A text notices its length, as if that were a kind of mistake. There are 99 kinds."""

    def find_noticed(_spec, _rule, texts, _tasks):
        return NoticedKinds({text: frozenset((len(text),)) for text in texts}, 99)

    monkeypatch.setattr("urlharness.cli.author.export.find_noticed", find_noticed)


def texts_of(tmp_path, name="uri", folder=FOLDER):
    return [test["data"] for test in listed_tests(tmp_path / "out" / folder / f"{name}.json")]


def test_export_writes_all_tests_and_counts_them(command, urlconform, tmp_path):
    done = urlconform(*command, "--all")
    of_uri = len(texts_of(tmp_path))
    of_reference = len(texts_of(tmp_path, "uri-reference"))
    assert done.stdout == (
        f"{tmp_path / 'out'}: {of_uri + of_reference} tests: {of_uri} of uri, {of_reference} of uri-reference"
        " (left out: 1 longer than 1 KiB)\n"
    )
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("lengths_as_kinds_of_mistakes")
def test_export_writes_few_tests_that_notice_as_much(command, urlconform, tmp_path):
    urlconform(*command, "--all")
    lengths = {len(text) for text in texts_of(tmp_path)}
    done = urlconform(*command, "--force")
    assert sorted(map(len, texts_of(tmp_path))) == sorted(lengths)
    assert f"{len(lengths)} tests: together {len(lengths)} of 99 kinds of mistakes" in done.stdout


@pytest.mark.usefixtures("lengths_as_kinds_of_mistakes")
def test_export_writes_what_the_tests_beside_do_not_notice(command, urlconform, tmp_path):
    urlconform(*command)
    lengths = set(map(len, texts_of(tmp_path)))
    (tmp_path / "uri.json").write_text(suite_file({"ab:c": True}))
    done = urlconform(*command, "--force", "--beside", str(tmp_path))
    assert set(map(len, texts_of(tmp_path))) == lengths - {len("ab:c")}
    assert "beside 1, which alone notice 1: together" in done.stdout


def test_export_does_not_repeat_a_test_beside(command, urlconform, tmp_path):
    urlconform(*command, "--all")
    first, *others = texts_of(tmp_path)
    (tmp_path / "uri.json").write_text(suite_file({first: True}))
    urlconform(*command, "--all", "--force", "--beside", str(tmp_path))
    assert texts_of(tmp_path) == others


def test_export_names_a_wrong_test_beside(command, urlconform, tmp_path):
    (tmp_path / "uri.json").write_text(suite_file({"1:": True}))
    done = urlconform(*command, "--all", "--beside", str(tmp_path))
    line = f"{tmp_path / 'uri.json'}: wrong test: '1:' is valid there, but not by RFC 3986\n"
    assert done.stderr == line
    assert done.returncode == Exit.PASSED


@pytest.fixture
def batches(command, urlconform, tmp_path):
    """The folders of an export in batches, and what the command prints."""
    done = urlconform(*command, "--all", "--batch", "5")
    return sorted(path for path in (tmp_path / "out").iterdir() if path.is_dir()), done.stdout


def test_export_counts_the_batches(batches):
    folders, printed = batches
    assert len(folders) > 1
    assert f", in {len(folders)} batches" in printed


def test_export_writes_a_table_of_the_batches(batches):
    folders, _ = batches
    _head, _line, *rows = (folders[0].parent / "README.md").read_text("ascii").splitlines()
    names = [row.split(" | ")[0].strip("| /") for row in rows]  # a row is "| NAME/ | ..."
    assert names == [folder.name for folder in folders]


def test_a_batch_has_the_folders_of_the_suite(batches):
    folders, _ = batches
    assert (folders[0] / FOLDER / "uri.json").is_file()


@pytest.mark.parametrize("option", ["--all", "--batch=1", "--beside=."])
def test_options_of_the_suite_need_its_format(urlconform, tmp_path, option):
    done = urlconform("vectors", "export", str(tmp_path / "out"), option)
    assert "--format json-schema-test-suite" in done.stderr
    assert done.returncode == Exit.USAGE


def test_export_does_not_replace_format_tests(command, urlconform, tmp_path):
    urlconform(*command, "--all")
    exported_file = tmp_path / "out" / FOLDER / "uri.json"
    exported_file.write_text("mine", "ascii")
    done = urlconform(*command, "--all")
    assert f"{tmp_path / 'out'} is not empty (use --force to replace an earlier export)" in done.stderr
    assert done.returncode == Exit.USAGE
    assert exported_file.read_text("ascii") == "mine"


def test_export_replaces_format_tests_by_force(command, urlconform, tmp_path):
    urlconform(*command, "--all")
    count_before = len(texts_of(tmp_path))
    assert urlconform(*command, "--all", "--force", "--section", "3.1").returncode == Exit.PASSED
    assert 0 < len(texts_of(tmp_path)) < count_before


def test_vectors_that_contradict_each_other_are_refused(make_case):
    cases = [
        make_case(f"rfc3986-3-{valid}", rule="URI", url="a:", expect={"valid": valid})
        for valid in (True, False)
    ]
    with pytest.raises(ExportError, match="rfc3986-3-True and rfc3986-3-False"):
        format_tests(cases)
