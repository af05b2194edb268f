"""The probes of the doctor are questions of the protocol."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from urlharness.corpus.model import OPERATIONS, USUAL_MODES
from urlharness.corpus.specifications import DEFAULT_SPECS, SPECS
from urlharness.doctor.questions import (
    distinct_probes,
    plain_probe,
    probe,
    probe_families,
    probes_of_operations,
    same_answer,
    text_of,
)
from urlharness.protocol.messages import Hello, Implementation, Question, Reply


def hello(*ops: str, specs: list[str] | None = None, modes: tuple[str, ...] = USUAL_MODES) -> Hello:
    return Hello(1, Implementation("x", "1"), list(ops), specs or [], modes=modes)


@pytest.mark.parametrize("spec", SPECS)
def test_every_probe_is_a_question(spec):
    probes = [probe(op, [spec], "http://h/") for op in OPERATIONS]
    for family in probe_families(hello(*OPERATIONS, specs=[spec])).values():
        probes += family
    for fields in probes:
        question = msgspec.convert({"type": "run", "id": 1, **fields}, Question)  # raises if it is none
        assert question.op == fields["op"]


@pytest.mark.parametrize("op", sorted({*OPERATIONS} - {"recompose"}))
def test_a_probe_has_the_text_that_it_asks_about(op):
    assert "http://h/" in text_of(probe(op, ["rfc3986"], "http://h/"))


def test_a_probe_of_components_has_no_text():
    assert text_of(probe("recompose", ["rfc3986"], "http://h/")) == ""


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("op", sorted({*OPERATIONS} - {"decode", "to_uri", "to_iri"}))
def test_a_probe_is_of_the_claimed_rfc(op, spec):
    assert probe(op, [spec], "http://h/")["spec"] == spec


@pytest.mark.parametrize("spec", SPECS)
def test_a_probe_to_decode_is_of_rfc_1738_whatever_is_claimed(spec):
    """No other RFC says what the octets of a URL mean."""
    assert probe("decode", [spec], "http://h/")["spec"] == "rfc1738"


@pytest.mark.parametrize("op", ["to_uri", "to_iri"])
def test_a_mapping_is_probed_under_rfc_3987(op):
    assert probe(op, ["rfc3986", "rfc3987"], "http://h/")["spec"] == "rfc3987"


MAPPINGS = {"to_uri", "to_iri"}


@pytest.mark.parametrize(
    ("claims", "operations"),
    [(["rfc3987"], {*OPERATIONS}), (["rfc3986"], {*OPERATIONS} - MAPPINGS), ([], {*OPERATIONS} - MAPPINGS)],
    ids=["rfc3987", "rfc3986", "none"],
)
def test_mappings_are_probed_only_if_rfc_3987_is_claimed(claims, operations):
    """The adapter offers every operation."""
    probes = probes_of_operations(hello(*OPERATIONS, specs=claims))
    assert {fields["op"] for fields in probes} == operations


@pytest.mark.parametrize(
    ("claims", "asked"),
    [
        pytest.param([], DEFAULT_SPECS, id="none"),
        pytest.param(["rfc9999"], (*DEFAULT_SPECS, "rfc9999"), id="the-new-one"),
    ],
)
def test_the_probes_that_differ_in_the_rfc_are_of_a_new_rfc_only_if_it_is_claimed(claims, asked, monkeypatch):
    monkeypatch.setitem(SPECS, "rfc9999", replace(SPECS["rfc3986"], id="rfc9999"))
    probes = probe_families(hello("parse", specs=claims))["spec"]
    assert {question["spec"] for question in probes} == {*asked}


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param(["rfc1808", "rfc2396"], id="the-last-claim"),
        pytest.param(["rfc2396", "rfc1808"], id="the-first-claim"),
        pytest.param(["rfc2732", "rfc2396"], id="not-the-newest"),
    ],
)
def test_of_several_claimed_rfcs_the_one_first_in_reports_is_probed(claims):
    """Reports begin with the newest RFC, but RFC 2732 comes after RFC 2396, which it amends."""
    assert probe("parse", claims)["spec"] == "rfc2396"


@pytest.mark.parametrize(
    ("operations", "operation"),
    [
        pytest.param(("resolve", "parse"), "parse", id="two"),
        pytest.param(("validate",), "validate", id="validate"),
        pytest.param(("base",), "base", id="base"),
    ],
)
def test_the_plain_probe_is_of_the_most_detailed_operation_that_is_offered(operations, operation):
    assert plain_probe(hello(*operations))["op"] == operation


@pytest.mark.parametrize(
    ("modes", "mode"),
    [(USUAL_MODES, None), (("syntax",), None), (("scheme",), "scheme")],
    ids=["both", "only-syntax", "only-scheme"],
)
def test_the_plain_probe_has_an_offered_mode(modes, mode):
    """A probe without a mode asks for the default, which is syntax."""
    assert plain_probe(hello("normalize", modes=modes)).get("mode") == mode


def test_a_probe_of_an_operation_without_modes_has_none():
    assert "mode" not in plain_probe(hello("parse", modes=("scheme",)))


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_one_mode_is_no_family(mode):
    assert "mode" not in probe_families(hello(*OPERATIONS, modes=(mode,)))


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_normalize_is_probed_in_the_only_mode(mode):
    family = probe_families(hello(*OPERATIONS, modes=(mode,)))["op"]
    modes = [fields.get("mode", "syntax") for fields in family if fields["op"] == "normalize"]
    assert modes == [mode]


def test_probes_of_several_questions_differ():
    probes = distinct_probes(hello("validate", "parse"), 64)
    assert len({str(fields) for fields in probes}) == 64


def test_there_are_as_many_distinct_probes_as_asked_for():
    assert len(distinct_probes(hello("validate", "parse"), 64)) == 64


def test_distinct_probes_are_of_every_offered_operation():
    probes = distinct_probes(hello("validate", "parse"), 64)
    assert {fields["op"] for fields in probes} == {"validate", "parse"}


def test_an_operation_of_few_questions_has_no_distinct_probes():
    assert distinct_probes(hello("base"), 64) == []


FAMILIES = probe_families(hello(*OPERATIONS))


def test_an_adapter_of_every_operation_has_all_families():
    assert set(FAMILIES) == {"rule", "reference", "base", "mode", "other", "url", "spec", "op"}


@pytest.mark.parametrize("field", FAMILIES)
def test_a_family_has_several_probes(field):
    assert len(FAMILIES[field]) > 1


@pytest.mark.parametrize("field", FAMILIES)
def test_the_probes_of_a_family_differ(field):
    family = FAMILIES[field]
    assert len({str(fields) for fields in family}) == len(family)


@pytest.mark.parametrize("field", FAMILIES)
def test_the_probes_of_a_family_differ_in_its_field_only(field):
    """A rule belongs to an operation, so it may differ with it."""
    other_fields_of_probes = []
    for fields in FAMILIES[field]:
        other_fields = {name: text for name, text in fields.items() if name not in (field, "rule")}
        other_fields_of_probes.append(other_fields)
    assert [fields for fields in other_fields_of_probes if fields != other_fields_of_probes[0]] == []


def test_answers_that_differ_in_id_and_message_are_the_same():
    assert same_answer(Reply(1, "error", "one"), Reply(2, "error", "two"))


def test_refusals_at_different_offsets_are_different_answers():
    assert not same_answer(Reply(1, "reject", at=1), Reply(1, "reject", at=2))
