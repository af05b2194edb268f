"""The probes of the doctor are questions of the protocol."""

from __future__ import annotations

import msgspec
import pytest

from urlharness.corpus.model import MODES, OPERATIONS
from urlharness.corpus.specifications import SPECS
from urlharness.doctor.questions import distinct_probes, plain_probe, probe, probe_families, same_answer
from urlharness.protocol.messages import Hello, Implementation, Question, Reply


def hello(*ops: str, specs: list[str] | None = None, modes: tuple[str, ...] = MODES) -> Hello:
    return Hello(1, Implementation("x", "1"), list(ops), specs or [], modes=modes)


@pytest.mark.parametrize("spec", SPECS)
def test_every_probe_is_a_question(spec):
    probes = [probe(op, [spec], "http://h/") for op in OPERATIONS]
    probes += [
        question
        for family in probe_families(hello(*OPERATIONS, specs=[spec])).values()
        for question in family
    ]
    for fields in probes:
        msgspec.convert({"type": "run", "id": 1, **fields}, Question)
    assert {fields["spec"] for fields in probes[: len(OPERATIONS)]} <= {spec, "rfc1738"}


def test_the_newest_claimed_rfc_is_asked():
    assert probe("parse", ["rfc1808", "rfc2396"])["spec"] == "rfc2396"
    assert probe("decode", ["rfc3986"])["spec"] == "rfc1738"


def test_the_plain_probe_is_of_an_offered_operation():
    assert [plain_probe(hello(*ops))["op"] for ops in (("resolve", "parse"), ("validate",), ("base",))] == [
        "parse",
        "validate",
        "base",
    ]


@pytest.mark.parametrize(("modes", "mode"), [(MODES, None), (("syntax",), None), (("scheme",), "scheme")])
def test_the_plain_probe_has_an_offered_mode(modes, mode):
    assert plain_probe(hello("normalize", modes=modes)).get("mode") == mode
    assert plain_probe(hello("parse", modes=modes)).get("mode") is None


@pytest.mark.parametrize("modes", [("syntax",), ("scheme",)])
def test_one_mode_is_no_family(modes):
    families = probe_families(hello(*OPERATIONS, modes=modes))
    assert "mode" not in families
    assert {probe.get("mode", "syntax") for probe in families["op"] if probe["op"] == "normalize"} == set(
        modes
    )


def test_probes_of_several_questions_differ():
    probes = distinct_probes(hello("validate", "parse"), 64)
    assert len({str(fields) for fields in probes}) == len(probes) == 64
    assert {fields["op"] for fields in probes} == {"validate", "parse"}
    assert distinct_probes(hello("base"), 64) == []


def test_a_family_differs_in_its_field_only():
    families = probe_families(hello(*OPERATIONS))
    assert set(families) == {"rule", "reference", "base", "mode", "other", "url", "spec", "op"}
    for field, family in families.items():
        rest = [
            {name: value for name, value in fields.items() if name not in (field, "rule")}
            for fields in family
        ]
        assert len({str(fields) for fields in family}) == len(family) > 1
        assert all(fields == rest[0] for fields in rest)


def test_ids_and_messages_make_no_other_answer():
    assert same_answer(Reply(1, "error", "one"), Reply(2, "error", "two"))
    assert not same_answer(Reply(1, "reject", at=1), Reply(1, "reject", at=2))
