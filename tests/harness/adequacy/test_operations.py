"""Faults of the operations: which there are, and who notices them."""

from __future__ import annotations

import pytest

from urlharness.adequacy import operations
from urlharness.adequacy.operations import Fault, Noticed, count_noticed, examine_faults, operation_faults
from urlharness.adequacy.suites import Count
from urlharness.corpus.model import Case, Expected, Vector
from urlharness.corpus.specifications import SPECS
from urloracle.rfcs import specification

#: The RFCs that define operations themselves.
OWN = [spec for spec in SPECS if operations.has_own_operations(spec)]


def _case(spec, op, answer, binding="required", **inputs):
    vector = Vector(
        id=f"{spec}-1-x",
        requirement=f"{spec}-1-x",
        level="must",
        op=op,
        expect=answer,
        binding=binding,
        **inputs,
    )
    return Case(spec, "1", vector, "x")


@pytest.mark.parametrize("spec", OWN)
def test_no_two_faults_of_an_rfc_have_one_name(spec):
    names = [fault.name for fault in operation_faults(spec)]
    assert names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("spec", OWN)
def test_the_name_of_a_fault_begins_with_its_operation(spec):
    faults = list(operation_faults(spec))
    assert faults != []
    assert [fault.name for fault in faults if not fault.name.startswith(f"{fault.op}-")] == []


@pytest.mark.parametrize(
    ("spec", "name", "inputs", "answer"),
    [
        ("rfc3986", "normalize-dots-kept", {"op": "normalize", "url": "http://h/a/../b"}, "http://h/a/../b"),
        ("rfc3986", "normalize-dots-before-decoding", {"op": "normalize", "url": "f:/a/%2E"}, "f:/a/."),
        ("rfc3986", "normalize-scheme-kept", {"op": "normalize", "url": "HTTP://H/"}, "HTTP://h/"),
        ("rfc3986", "normalize-query-sorted", {"op": "normalize", "url": "f:?b&a"}, "f:?a&b"),
        ("rfc3986", "equivalent-ignores-query", {"op": "equivalent", "url": "f:?a", "other": "f:?b"}, True),
        ("rfc3986", "equivalent-by-text", {"op": "equivalent", "url": "F:", "other": "f:"}, False),
        (
            "rfc2396",
            "equivalent-3-R-2396-26-missing",
            {"op": "equivalent", "url": "http://h/%61", "other": "http://h/a"},
            False,
        ),
        (
            "rfc1738",
            "equivalent-1-G-11-missing",
            {"op": "equivalent", "url": "http://H/", "other": "http://h/"},
            False,
        ),
    ],
)
def test_a_fault_gives_its_wrong_answer(spec, name, inputs, answer):
    (fault,) = [fault for fault in operation_faults(spec) if fault.name == name]
    case = _case(spec, answer=Expected(valid=True), **inputs)
    assert fault.answer(specification(spec), case.vector) == answer


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("decode-ftp-name-twice", {"name": "a%b"}),
        ("decode-ftp-cwd-split-late", {"cwd": ["d", "e"]}),
        ("decode-ftp-default-port-80", {"default_port": "80"}),
        ("decode-http-segments-twice", {}),
    ],
    ids=["name", "folders", "default-port", "another-scheme"],
)
def test_a_fault_of_decoding_changes_the_view_of_one_scheme(name, changed):
    """The view of an ftp URL stays under a fault of http."""
    view = {
        "scheme": "ftp",
        "host": "h",
        "port": None,
        "default_port": "21",
        "user": None,
        "password": None,
        "cwd": ["d/e"],
        "name": "a%25b",
        "typecode": None,
    }
    (fault,) = [fault for fault in operation_faults("rfc1738") if fault.name == name]
    case = _case("rfc1738", "decode", Expected(valid=True), url="ftp://h/d%2Fe/a%2525b")
    assert fault.answer(specification("rfc1738"), case.vector) == view | changed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("recompose-query-without-delimiter", "f:/aq#x"),
        ("recompose-fragment-lost", "f:/a?q"),
        ("recompose-scheme-without-delimiter", "f/a?q#x"),
    ],
)
def test_a_fault_of_recomposition_changes_the_text(name, text):
    (fault,) = [fault for fault in operation_faults("rfc3986") if fault.name == name]
    components = {"scheme": "f", "authority": None, "path": "/a", "query": "q", "fragment": "x"}
    case = _case("rfc3986", "recompose", Expected(result="f:/a?q#x"), components=components)
    assert fault.answer(specification("rfc3986"), case.vector) == text


@pytest.mark.parametrize(
    ("name", "suite"),
    [
        pytest.param("normalize-dots-kept", "required", id="first-suite-that-the-rfc-decides"),
        pytest.param("normalize-scheme-kept", None, id="no-suite"),
    ],
)
def test_a_fault_is_noticed_only_by_a_suite_whose_answers_the_rfc_decides(name, suite):
    expected = Expected(result="http://h/b")
    cases = {
        binding: [_case("rfc3986", "normalize", expected, binding, url="http://h/a/../b")]
        for binding in ("impl-defined", "required")
    }
    suites = {noticed.fault.name: noticed.suite for noticed in examine_faults("rfc3986", cases)}
    assert suites[name] == suite


def test_a_fault_of_equivalence_replaces_the_ladder_of_rfc1738_only_while_it_answers():
    before = operations.equivalence.LADDER_1738
    case = _case("rfc1738", "equivalent", Expected(equal=True), url="http://h/", other="http://h/")
    faults = [fault for fault in operation_faults("rfc1738") if fault.op == "equivalent"]
    assert faults
    for fault in faults:
        fault.answer(specification("rfc1738"), case.vector)
    assert operations.equivalence.LADDER_1738 is before


def test_noticed_faults_are_counted_by_suite():
    fault = Fault("x", "normalize", lambda *_: None)
    noticed = [Noticed(fault, "core"), Noticed(fault, "tiers"), Noticed(fault, None)]
    assert count_noticed(noticed, ("core",)) == Count(killed=1, live=2, equivalent=1)


def test_a_sample_of_the_faults_has_the_size_that_was_asked_for():
    assert len(list(examine_faults("rfc1808", {}, sample=5))) == 5
