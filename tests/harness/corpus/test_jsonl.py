"""A corpus as JSON Lines: what `generate` writes is read again, case by case, and each fault is named."""

from __future__ import annotations

import json

import pytest

from urlharness.corpus.foreign import load_foreign
from urlharness.corpus.jsonl import CaseLines, case_line, requirement_of
from urlharness.corpus.model import CorpusError
from urlharness.corpus.selection import Selection


@pytest.fixture
def some(corpus):
    """Cases of every operation, without the flags of their class, which a line does not have."""
    return [case for case in corpus.cases if not case.flags and case.vector.expect.any == ()][::40]


@pytest.fixture
def written(tmp_path):
    def write(octets: bytes, name: str = "cases.jsonl"):
        path = tmp_path / name
        path.write_bytes(octets)
        return path

    return write


def test_lines_are_cases_again(some, written):
    """Vectors as they were, under their specification and section, in any way that a sequence is read."""
    path = written(b"".join(map(case_line, some)))
    loaded = load_foreign(path)
    cases = loaded.corpus.cases
    assert isinstance(cases, CaseLines)
    assert loaded.own
    expected = [(case.spec, case.section, case.vector) for case in some]
    assert [(case.spec, case.section, case.vector) for case in cases] == expected
    assert [(case.spec, case.section, case.vector) for case in cases[3:9:2]] == expected[3:9:2]
    assert cases[-1].vector == some[-1].vector
    assert len(cases) == len(some)


def test_other_orders_and_blank_lines_are_accepted(some, written):
    """Other orders of keys, blank lines, and a last line without an end are accepted."""
    texts = []
    for case in some:
        fields = json.loads(case_line(case))
        texts.append(json.dumps(dict(reversed(fields.items()))))
    path = written("\n\n".join(texts).encode())
    assert [case.vector for case in load_foreign(path).corpus.cases] == [case.vector for case in some]


def test_a_selection_reads_the_lines_once(some, written):
    """Selecting reads the lines once and keeps no case."""
    cases = load_foreign(written(b"".join(map(case_line, some)))).corpus.cases
    selected = Selection(("rfc3986",)).pick(cases)
    assert isinstance(selected, CaseLines)
    assert [case.vector for case in selected] == [case.vector for case in some if case.spec == "rfc3986"]
    assert Selection().pick(cases) is cases


def test_a_requirement_of_no_catalogue_has_the_comment_as_its_statement(make_case):
    case = make_case("rfc3986-3.3-x", comment="A path.")
    requirement = requirement_of(case.section, case.vector)
    assert requirement.id == "rfc3986-3.3-y"
    assert requirement.statement == "A path."
    assert requirement.section == "3.3"


FAULTS = [
    pytest.param(lambda lines: [*lines, b'{"spec":"rfc3986"\n'], "line 4: ", id="no-json"),
    pytest.param(lambda lines: [*lines, b'{"id":"x"}\n'], "line 4: ", id="no-place"),
    pytest.param(lambda lines: [*lines, lines[0]], "id already used", id="twice"),
    pytest.param(lambda lines: [*lines, lines[0].replace(b"rfc", b"std", 1)], "line 4: ", id="spec"),
    pytest.param(lambda lines: [*lines, lines[0].replace(b'"op"', b'"what"', 1)], "line 4: ", id="field"),
    pytest.param(lambda lines: [*lines, b"[" * 5000 + b"\n"], "line 4: ", id="deep"),
    pytest.param(
        lambda lines: [*lines, b'{"spec":"rfc3986","section":"3","id":"\xff"}\n'], "line 4: ", id="octets"
    ),
]


@pytest.mark.parametrize(("change", "words"), FAULTS)
def test_faults_are_named(some, written, change, words):
    path = written(b"".join(change([case_line(case) for case in some[:3]])))
    with pytest.raises(CorpusError, match=words) as error:
        load_foreign(path)
    assert str(error.value).startswith((f"{path}: ", f"{path.name}: "))
