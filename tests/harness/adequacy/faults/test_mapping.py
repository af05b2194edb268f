"""Faults of the mappings of RFC 3987: what they answer, and that some text shows each of them."""

from __future__ import annotations

import pytest

from urlharness.adequacy.faults.mapping import mapping_faults, questions
from urlharness.adequacy.operations import examine_faults
from urlharness.corpus.model import Expected, Vector
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import Outcome, judge
from urloracle.operations import to_iri, to_uri
from urloracle.rfcs import specification

RFC3987 = specification("rfc3987")
FAULTS = {fault.name: fault for fault in mapping_faults()}


def _vector(op, text, rule=None):
    identifier = "rfc3987-3-x"
    return Vector(
        id=identifier,
        requirement=identifier,
        level="must",
        op=op,
        rule=rule,
        url=text,
        expect=Expected(valid=True),
        binding="required",
    )


@pytest.mark.parametrize(
    ("name", "text", "answer"),
    [
        ("to_uri-nfc", "/e\u0301", "/%C3%A9"),
        ("to_uri-surrogates", "/\U00010300", "/%ED%A0%80%ED%BC%80"),
        ("to_uri-surrogates", "/\u00e9", "/%C3%A9"),
        ("to_uri-latin-1", "/\u00e9", "/%E9"),
        ("to_uri-query-kept", "/\u00e9?\u00e9", "/%C3%A9?\u00e9"),
        ("to_uri-host-kept", "//\u00e9/\u00e9", "//\u00e9/%C3%A9"),
        ("to_uri-idna-of-all-schemes", "x://\u00e9/", "x://xn--9ca/"),
        ("to_uri-idna-of-all-schemes", "http://\u00e9/", "http://%C3%A9/"),
        ("to_uri-brackets-encoded", "/[\u00e9]", "/%5B%C3%A9%5D"),
        ("to_uri-percent-sign-encoded", "/%\u00e9", "/%25%C3%A9"),
        ("to_uri-private-refused", "?\ue000", None),
        ("to_uri-scheme-case", "HTTP://a/", "http://a/"),
        ("to_iri-nfc", "/e%CC%81", "/\u00e9"),
        ("to_iri-direction-decoded", "/%E2%80%AE", "/\u202e"),
        ("to_iri-private-decoded", "/%EE%80%80", "/\ue000"),
        ("to_iri-controls-decoded", "/%00", "/\x00"),
        ("to_iri-c1-decoded", "/%C2%85", "/\x85"),
        ("to_iri-u+002f-decoded", "/%2F", "//"),
        ("to_iri-four-bytes-kept", "/%F0%90%8C%80", "/%F0%90%8C%80"),
        ("to_iri-latin-1", "/%C3%A9%FC", "/\u00e9\u00fc"),
        ("to_iri-run-with-illegal-byte-kept", "/%C3%A9%FC", "/%C3%A9%FC"),
        ("to_iri-kept-after-illegal-byte", "/a%FC%C3%A9", "/a%FC%C3%A9"),
        ("to_iri-surrogates-joined", "/%ED%A0%80%ED%BC%80", "/\U00010300"),
        ("to_iri-overlong-decoded", "/%C0%AF", "//"),
        ("to_iri-by-byte", "/%C3%A9", "/\u00c3\u00a9"),
        ("to_iri-path-kept", "/%C3%A9?%C3%A9", "/%C3%A9?\u00e9"),
        ("to_iri-takes-iris", "/\u00e9", "/\u00e9"),
    ],
)
def test_a_fault_gives_its_wrong_answer(name, text, answer):
    fault = FAULTS[name]
    assert fault.answer(RFC3987, _vector(fault.op, text)) == answer


def test_a_fault_answers_for_a_component():
    fault = FAULTS["to_iri-private-decoded"]
    assert fault.answer(RFC3987, _vector("to_iri", "%EE%80%80", "iquery")) == "\ue000"
    assert fault.answer(RFC3987, _vector("to_iri", "%C3%A9", "ifragment")) == "\u00e9"


@pytest.fixture(scope="module")
def cases():
    return list(questions(RFC3987))


def test_what_the_conversion_of_a_text_that_is_no_iri_gives_is_open(cases):
    """RFC 3987, section 3.2, begins with a URI and says nothing of other texts (G-12)."""
    bindings = {
        case.vector.binding for case in cases if case.vector.op == "to_iri" and case.vector.url == "%"
    }
    assert bindings == {"unspecified"}


def test_the_answers_of_the_oracle_pass(cases):
    """Every seventh question, since all of them take long."""
    answers = {"to_uri": to_uri, "to_iri": to_iri}
    for case in cases[::7]:
        try:
            reply = Reply(0, "ok", url=answers[case.vector.op](case.vector.url, "rfc3987"))
        except ValueError:
            reply = Reply(0, "reject")
        assert judge(case, reply, ()).outcome is Outcome.PASS, ascii(case.vector.url)


def test_some_text_shows_every_fault_that_changes_what_the_rfc_decides(cases):
    """The case of triplets is left open, for example (R-3987-10)."""
    not_shown = [
        examined.fault.name
        for examined in examine_faults("rfc3987", {"texts": cases})
        if examined.suite is None and examined.fault.name in FAULTS
    ]
    assert not_shown == ["to_iri-letters-decoded", "to_iri-all-upper-case"]


def test_each_fault_has_a_name_of_its_own():
    names = [fault.name for fault in mapping_faults()]
    assert len(names) == len(set(names))
