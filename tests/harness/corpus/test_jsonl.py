"""A corpus as JSON Lines: what `generate` writes is read again, case by case, and each fault is named."""

from __future__ import annotations

import json

import pytest

from urlharness.corpus.foreign import load_foreign
from urlharness.corpus.jsonl import CaseLines, case_line, requirement_of
from urlharness.corpus.model import CorpusError
from urlharness.corpus.selection import Selection


@pytest.fixture
def sample_cases(corpus):
    """Each 40th case without the flags of its class and other answers, which a line does not have."""
    cases = [case for case in corpus.cases if not case.flags and case.vector.expect.any == ()]
    return cases[::40]


@pytest.fixture
def write_lines(tmp_path):
    """Return a function that writes a file with these octets, and returns its path."""

    def write(octets: bytes, name: str = "cases.jsonl"):
        path = tmp_path / name
        path.write_bytes(octets)
        return path

    return write


def content_of(cases):
    return [(case.spec, case.section, case.vector) for case in cases]


def test_the_lines_of_cases_are_read_as_the_same_cases(sample_cases, write_lines):
    loaded = load_foreign(write_lines(b"".join(map(case_line, sample_cases))))
    assert loaded.in_own_format
    assert content_of(loaded.corpus.cases) == content_of(sample_cases)


def test_lines_are_a_sequence_of_cases(sample_cases, write_lines):
    cases = load_foreign(write_lines(b"".join(map(case_line, sample_cases)))).corpus.cases
    assert isinstance(cases, CaseLines)
    assert len(cases) == len(sample_cases)


@pytest.mark.parametrize(
    "places", [slice(3, 9, 2), slice(-1, None), slice(None)], ids=["every-other", "last", "all"]
)
def test_lines_are_sliced_as_a_list(sample_cases, write_lines, places):
    cases = load_foreign(write_lines(b"".join(map(case_line, sample_cases)))).corpus.cases
    assert content_of(cases[places]) == content_of(sample_cases[places])


def test_a_line_is_read_by_its_place_from_the_end(sample_cases, write_lines):
    cases = load_foreign(write_lines(b"".join(map(case_line, sample_cases)))).corpus.cases
    assert cases[-1].vector == sample_cases[-1].vector


def test_lines_with_reversed_keys_and_blank_lines_are_read(sample_cases, write_lines):
    """The last line of the file has no line end either."""
    texts = []
    for case in sample_cases:
        fields = json.loads(case_line(case))
        texts.append(json.dumps(dict(reversed(fields.items()))))
    path = write_lines("\n\n".join(texts).encode())
    assert [case.vector for case in load_foreign(path).corpus.cases] == [case.vector for case in sample_cases]


def test_selected_cases_stay_lines(sample_cases, write_lines):
    """No case is kept in memory."""
    cases = load_foreign(write_lines(b"".join(map(case_line, sample_cases)))).corpus.cases
    selected = Selection(("rfc3986",)).pick(cases)
    assert isinstance(selected, CaseLines)
    assert [case.vector for case in selected] == [
        case.vector for case in sample_cases if case.spec == "rfc3986"
    ]


def test_a_selection_without_conditions_is_the_file_itself(sample_cases, write_lines):
    cases = load_foreign(write_lines(b"".join(map(case_line, sample_cases)))).corpus.cases
    assert Selection().pick(cases) is cases


def test_a_requirement_of_no_catalogue_has_the_comment_as_its_statement(make_case):
    case = make_case("rfc3986-3.3-x", comment="A path.")
    assert requirement_of(case.section, case.vector).statement == "A path."


def test_a_requirement_of_no_catalogue_has_the_id_that_its_vector_names(make_case):
    case = make_case("rfc3986-3.3-x", requirement="rfc3986-3.3-y")
    assert requirement_of(case.section, case.vector).id == "rfc3986-3.3-y"


def test_a_requirement_of_no_catalogue_has_the_section_of_its_case(make_case):
    case = make_case("rfc3986-3.3-x", requirement="rfc3986-3.3-y")
    assert requirement_of(case.section, case.vector).section == "3.3"


def changed_fields(line, **fields):
    """Return a line with other fields, or without those that are `...`."""
    content = {name: field for name, field in (json.loads(line) | fields).items() if field is not ...}
    return json.dumps(content).encode() + b"\n"


#: What makes a faulty line of a line, and what is said of it.
FAULTS = [
    pytest.param(lambda _: b'{"spec":"rfc3986"\n', "Input data was truncated", id="no-json"),
    pytest.param(lambda _: b'{"id":"x"}\n', "Expected `str`, got `null`", id="no-place"),
    pytest.param(
        lambda line: changed_fields(line, spec="std1738"),
        "Expected `str` matching regex '^rfc[0-9]+$'",
        id="no-rfc",
    ),
    pytest.param(
        lambda line: changed_fields(line, op=..., what="parse"),
        "Object contains unknown field `what`",
        id="field",
    ),
    pytest.param(lambda _: b'{"id":' + b"[" * 5000 + b"\n", "nested too deeply", id="deep"),
    pytest.param(
        lambda _: b'{"spec":"rfc3986","section":"3","id":"\xff"}\n',
        "Invalid UTF-8 encoded string",
        id="octets",
    ),
]


@pytest.mark.parametrize(("change", "words"), FAULTS)
def test_a_faulty_line_is_refused_with_file_and_line(sample_cases, write_lines, change, words):
    lines = [case_line(case) for case in sample_cases[:3]]
    path = write_lines(b"".join([*lines, change(lines[0])]))
    with pytest.raises(CorpusError) as caught:
        load_foreign(path)
    assert str(caught.value).startswith(f"{path}: line 4: {words}")


def test_an_id_that_comes_twice_is_refused(sample_cases, write_lines):
    line = case_line(sample_cases[0])
    with pytest.raises(CorpusError) as caught:
        load_foreign(write_lines(line + line))
    name = sample_cases[0].vector.id
    assert str(caught.value) == f"cases.jsonl: {name}: id already used in cases.jsonl"
