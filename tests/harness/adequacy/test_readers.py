"""Tests of other projects are read as questions with answers; what says nothing is counted."""

from __future__ import annotations

import json

import pytest

from urlharness.adequacy.readers import Defaults, ResolutionTest, VerdictTest, read_tests, resolved
from urlharness.corpus.model import CorpusError

DEFAULTS = Defaults("rfc3986")


@pytest.fixture
def read(tmp_path):
    """Writes a file, and reads its tests."""

    def write_and_read(name, content, defaults=DEFAULTS):
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / name).write_text(text, "utf-8")
        return read_tests([tmp_path / name], defaults)

    return write_and_read


def verdict(location, text, valid, rule="URI", spec="rfc3986"):
    return VerdictTest(location, spec, rule, text, valid)


def group(name, *tests):
    return {
        "description": "a group",
        "schema": {"format": name},
        "tests": [
            {"description": f"test of {text!r}", "data": text, "valid": valid} for text, valid in tests
        ],
    }


@pytest.mark.parametrize(("name", "rule"), [("uri", "URI"), ("uri-reference", "URI-reference")])
def test_tests_of_a_json_schema_format_are_read(read, name, rule):
    tests = read("f.json", [group(name, ("a:b", True))])
    assert tests.form == "format-tests"
    assert tests.verdicts == [verdict("f.json, entry 0: test of 'a:b'", "a:b", True, rule)]


def test_tests_of_a_json_schema_format_that_say_nothing_of_a_text_are_counted(read):
    tests = read("f.json", [group("uri", ("a:b", True), (12, True)), group("date", ("2020", False))])
    assert tests.left_out == {"without a text": 1, "with format date": 1}


@pytest.fixture
def tests_of_browsers(read):
    """The tests of a file in the format of browsers, which RFC 3986 answers alike or otherwise."""
    entries = [
        {"input": "http://h/p", "href": "http://h/p"},
        {"input": "http://h:99999", "failure": True},  # RFC 3986 accepts
        {"input": "http://h/a b", "href": "http://h/a%20b"},  # RFC 3986 refuses
        {"input": "http://h/[", "failure": True},
        {"input": "../d", "base": "http://h/a/b", "href": "http://h/d"},
        {"input": "D", "base": "http://H/a/b", "href": "http://h/a/D"},  # RFC 3986 keeps the `H`
        {"input": "d", "base": "about:blank", "failure": True},  # RFC 3986 resolves to about:d
    ]
    return read("urltestdata.json", entries)


def test_a_file_of_browsers_is_recognized_by_its_content(tests_of_browsers):
    assert tests_of_browsers.form == "urls"


def test_verdicts_of_browsers_are_read_where_the_rfc_agrees(tests_of_browsers):
    verdicts = {test.text: test.valid for test in tests_of_browsers.verdicts}
    assert verdicts == {"http://h/p": True, "http://h/[": False}


def test_resolutions_of_browsers_are_read_where_the_rfc_agrees(tests_of_browsers):
    assert tests_of_browsers.resolutions == [
        ResolutionTest("urltestdata.json, entry 4", "rfc3986", "http://h/a/b", "../d", "http://h/d")
    ]


def test_tests_of_browsers_that_the_rfc_answers_otherwise_are_counted(tests_of_browsers):
    assert tests_of_browsers.left_out == {
        "that browsers accept and RFC 3986 refuses": 1,
        "that browsers refuse and RFC 3986 accepts": 1,
        "that browsers resolve otherwise than RFC 3986": 2,
    }


def vector(number, **fields):
    common = {"id": f"v-{number}", "requirement": "r", "level": "grammar", "binding": "required"}
    return {**common, **fields}


@pytest.fixture
def tests_of_vectors(read):
    """The tests of a file of vectors, of which some are no verdicts, no resolutions, or left open."""
    vectors = [
        vector(1, op="validate", rule="URI", url="a b", expect={"valid": False}),
        vector(2, op="parse", url="a:b", expect={"components": {"scheme": "a"}}),
        vector(3, op="resolve", base="a:/b", reference="c", expect={"result": "a:/c"}),
        vector(4, op="normalize", url="A:b", expect={"result": "a:b"}),
        vector(5, op="validate", rule="URI", url="x", binding="impl-defined", expect={"valid": True}),
        vector(6, op="validate", rule="URI", url={"hex": "ff"}, expect={"valid": False}),
    ]
    document = {"schema": "urlvectors-1", "spec": "rfc3986", "section": "3", "title": "t", "vectors": vectors}
    return read("v.json", document)


def test_a_file_of_vectors_is_recognized_by_its_content(tests_of_vectors):
    assert tests_of_vectors.form == "vectors"


def test_vectors_are_read_as_verdicts(tests_of_vectors):
    """A text that is parsed is valid."""
    assert tests_of_vectors.verdicts == [
        verdict("v.json: v-1", "a b", False),
        verdict("v.json: v-2", "a:b", True, "URI-reference"),
    ]


def test_vectors_are_read_as_resolutions(tests_of_vectors):
    target = ResolutionTest("v.json: v-3", "rfc3986", "a:/b", "c", "a:/c")
    assert tests_of_vectors.resolutions == [target]


def test_vectors_that_are_neither_verdicts_nor_resolutions_are_counted(tests_of_vectors):
    assert tests_of_vectors.left_out == {
        "that ask neither for a verdict nor for a resolution": 1,
        "whose answer the RFC leaves open": 1,
        "whose input is no text": 1,
    }


CSV = [
    pytest.param("text,valid\na:b,true\n", verdict("t.csv, line 2", "a:b", True), id="verdict"),
    pytest.param("Valid, Text \nno,a\n", verdict("t.csv, line 2", "a", False), id="order-and-case"),
    pytest.param('text,valid\n"a\n",0\n', verdict("t.csv, line 3", "a\n", False), id="quoted"),
    pytest.param(
        "text,valid,spec,rule\nh,1,1738,host\n",
        verdict("t.csv, line 2", "h", True, "host", "rfc1738"),
        id="spec-and-rule",
    ),
    pytest.param("text,valid\n,false\n", verdict("t.csv, line 2", "", False), id="empty-text"),
    pytest.param(
        "base,reference,result\na:/b,c,a:/c\n",
        ResolutionTest("t.csv, line 2", "rfc3986", "a:/b", "c", "a:/c"),
        id="resolution",
    ),
    pytest.param(
        "base,reference,result\na:/b,,\n",
        ResolutionTest("t.csv, line 2", "rfc3986", "a:/b", "", None),
        id="refusal",
    ),
]


@pytest.mark.parametrize(("content", "test"), CSV)
def test_a_row_of_a_csv_file_is_read_as_a_test(read, content, test):
    tests = read("t.csv", content)
    assert [*tests.verdicts, *tests.resolutions] == [test]


@pytest.mark.parametrize(
    ("line", "test"),
    [
        pytest.param({"text": "a:b", "valid": True}, verdict("t.jsonl, line 1", "a:b", True), id="verdict"),
        pytest.param(
            {"base": "a:/b", "reference": "%", "result": None},
            ResolutionTest("t.jsonl, line 1", "rfc3986", "a:/b", "%", None),
            id="resolution",
        ),
    ],
)
def test_a_line_of_json_is_read_as_a_test(read, line, test):
    tests = read("t.jsonl", json.dumps(line) + "\n\n")
    assert tests.form == "lines"
    assert [*tests.verdicts, *tests.resolutions] == [test]


def test_a_test_that_names_no_rule_has_the_default_rule(read):
    tests = read("t.csv", "text,valid\na,true\n", Defaults("rfc3986", "uri-reference"))
    assert tests.verdicts[0].rule == "URI-reference"


#: Recorded calls: the operation, the answer, and the verdict that it means.
CALLS = [
    pytest.param("validate", {"result": True}, True, id="true"),
    pytest.param("validate", {"result": None}, True, id="nothing"),
    pytest.param("validate", {"result": False}, False, id="false"),
    pytest.param("validate", {"exception": "ValueError: no"}, False, id="exception"),
    pytest.param("parse", {"result": {"type": "URL", "text": "a:b"}}, True, id="parsed"),
    pytest.param("parse", {"result": None}, False, id="not-parsed"),
]


@pytest.mark.parametrize(("operation", "answer", "valid"), CALLS)
def test_a_recorded_call_is_read_as_a_verdict(read, operation, answer, valid):
    call = {"operation": operation, "arguments": {"url": "a:b"}, "test": "t.py::t", **answer}
    tests = read("calls.jsonl", call)
    assert tests.form == "recording"
    assert tests.verdicts == [verdict("calls.jsonl, line 1 (t.py::t)", "a:b", valid)]


@pytest.mark.parametrize(
    ("answer", "target"),
    [
        pytest.param({"result": "a:/c"}, "a:/c", id="text"),
        pytest.param({"result": {"type": "URL", "text": "a:/c"}}, "a:/c", id="object"),
        pytest.param({"exception": "ValueError: no"}, None, id="exception"),
    ],
)
def test_a_recorded_call_is_read_as_a_resolution(read, answer, target):
    call = {"operation": "resolve", "arguments": {"base": "a:/b", "ref": "c"}, "test": None, **answer}
    assert read("calls.jsonl", call).resolutions[0].target == target


@pytest.mark.parametrize(
    ("operation", "arguments", "reason"),
    [
        ("validate", {"url": 3}, "whose input is no text"),
        ("normalize", {"url": "a:b"}, "that ask neither for a verdict nor for a resolution"),
    ],
    ids=["no-text", "another-operation"],
)
def test_a_recorded_call_that_says_nothing_is_left_out(read, operation, arguments, reason):
    useful = {"operation": "validate", "arguments": {"url": "a:b"}, "result": True}
    call = {"operation": operation, "arguments": arguments, "result": "a"}
    tests = read("calls.jsonl", f"{json.dumps(useful)}\n{json.dumps(call)}")
    assert tests.left_out == {reason: 1}


def test_a_text_that_is_too_long_is_left_out(read):
    tests = read("t.csv", f"text,valid\na:b,true\na:{'b' * 2000},true\n")
    assert tests.left_out == {"longer than 1,024 characters": 1}


def test_a_test_that_occurs_twice_is_used_once(tmp_path, read):
    read("t.csv", "text,valid\na:b,true\na:b,true\n")
    assert len(read_tests([tmp_path / "t.csv", tmp_path / "t.csv"], DEFAULTS).verdicts) == 1


def test_a_folder_has_the_tests_of_its_files(tmp_path, read):
    (tmp_path / "package.json").write_text("{}", "utf-8")
    read("a.json", [group("uri", ("a:b", True))])
    read("b.csv", "text,valid\na:c,true\n")
    tests = read_tests([tmp_path], DEFAULTS)
    assert [test.text for test in tests.verdicts] == ["a:b", "a:c"]


INVALID = [
    pytest.param("t.csv", "url,ok\n", "line 1: expected the names of columns", id="columns"),
    pytest.param("t.csv", "text,valid\na,true,b\n", "line 2: the line does not have 2 columns", id="width"),
    pytest.param("t.csv", "text,valid\na,maybe\n", "line 2: `valid` must be true or false", id="verdict"),
    pytest.param("t.csv", "text,valid,rule\na,true,urn\n", "line 2: RFC 3986 has no rule 'urn'", id="rule"),
    pytest.param(
        "t.csv", "text,valid,spec\na,true,rfc1\n", "line 2: no specification named 'rfc1'", id="spec"
    ),
    pytest.param("t.csv", 'text,valid\n"a,true\n', "line 2: unexpected end", id="quotes"),
    pytest.param("t.csv", '"text,valid\n', "line 1: unexpected end", id="quotes-of-head"),
    pytest.param("t.csv", "text,valid\n", "the file contains no usable test", id="empty"),
    pytest.param("t.jsonl", "\n{bad", "line 2, column 2: Expecting property name", id="json"),
    pytest.param("t.jsonl", "[" * 100_000, "line 1: nested too deeply", id="deep-json"),
    pytest.param("t.jsonl", "[]", "line 1: expected an object", id="no-object"),
    pytest.param("t.jsonl", '{"url": "a"}', "line 1: expected `text` and `valid`", id="no-test"),
    pytest.param(
        "t.jsonl", '{"base": "a", "reference": "b", "result": 1}', "line 1: `result` must be", id="result"
    ),
    pytest.param(
        "t.jsonl", '{"operation": "parse", "arguments": []}', "`arguments` must be an object", id="arguments"
    ),
    pytest.param("t.json", "{}", "unknown format", id="format"),
]


@pytest.mark.parametrize(("name", "content", "message"), INVALID)
def test_an_invalid_file_is_named_with_its_line(read, tmp_path, name, content, message):
    with pytest.raises(CorpusError) as raised:
        read(name, content)
    assert str(raised.value).startswith(f"{tmp_path / name}: ")
    assert message in str(raised.value)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_a_line_that_is_no_text_is_named(tmp_path, name):
    (tmp_path / name).write_bytes(b"text,valid\n\xff")
    with pytest.raises(CorpusError, match=rf"{name}: line 2: invalid start byte in UTF-8"):
        read_tests([tmp_path / name], DEFAULTS)


def test_a_folder_without_tests_is_named(tmp_path):
    (tmp_path / "a.json").write_text("{}", "utf-8")
    with pytest.raises(CorpusError, match=r"no file below this folder contains a usable test \(1 files\)"):
        read_tests([tmp_path], DEFAULTS)


def test_a_pair_resolves_to_its_target_by_the_algorithm_of_the_rfc():
    """RFC 3986, section 5.2.2."""
    assert resolved("rfc3986", "a:/b", "c") == "a:/c"


def test_a_pair_with_an_invalid_reference_has_no_target():
    assert resolved("rfc3986", "a:/b", "%") is None
