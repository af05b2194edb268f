"""Generated texts of RFC 3987 have the labels of the second method, which reads the ranges from the ABNF."""

from __future__ import annotations

from itertools import islice

import pytest

from urlharness.generate.requests import Request, Texts
from urloracle.rfcs import specification

from ..oracle.second_iris import IPRIVATE, UCSCHAR, is_in, with_stand_ins_of_ascii  # noqa: TID252 - tests are not an installed package

#: The rules of RFC 3987 for which RFC 3986 has a rule of the same texts in ASCII.
RULES = {"IRI-reference": "URI-reference", "IRI": "URI"}
KINDS = ("valid", "invalid", "near_miss", "boundary", "cover", "mutate")
#: How many texts of a kind are judged: in the environments `proofs` and `long` of tox.
COUNTS = [300, pytest.param(20_000, marks=pytest.mark.long)]

LINES = "x:\u00fc\u4e00/\U00010333?\ue123\n//\u0301.example/#\U0010fffd\nhttp://[::1]/\u05d0\n"


@pytest.fixture(scope="module", params=COUNTS)
def samples_by_rule(request, tmp_path_factory):
    """Samples of every kind by rule."""
    path = tmp_path_factory.mktemp("texts") / "lines"
    path.write_text(LINES, "utf-8")
    samples = {}
    for rule in RULES:
        samples[rule] = []
        for kind in KINDS:
            selection = {kind: path if kind == "mutate" else True}
            number = None if kind in ("near_miss", "boundary", "cover") else request.param
            texts = Texts(Request(spec="rfc3987", rule=rule, number=number, seed=3, **selection))
            samples[rule] += [text.content for text in islice(texts, request.param)]
    return samples


@pytest.mark.parametrize("rule", RULES)
def test_a_text_has_the_verdict_of_the_second_method(samples_by_rule, rule):
    spec = specification("rfc3986")
    for sample in samples_by_rule[rule]:
        in_ascii = with_stand_ins_of_ascii(sample.text)
        assert sample.valid is (spec.problem(in_ascii, RULES[rule]) is None), ascii(sample)


@pytest.mark.parametrize("rule", RULES)
def test_an_error_has_the_offset_of_the_second_method(samples_by_rule, rule):
    spec = specification("rfc3986")
    invalid_samples = [sample for sample in samples_by_rule[rule] if not sample.valid]
    assert invalid_samples
    for sample in invalid_samples:
        problem = spec.problem(with_stand_ins_of_ascii(sample.text), RULES[rule])
        assert sample.offset == problem.position, ascii(sample)


@pytest.mark.parametrize("rule", RULES)
def test_texts_have_characters_of_every_range(samples_by_rule, rule):
    drawn = {char for sample in samples_by_rule[rule] if sample.valid for char in sample.text}
    without_characters = [
        (low, high)
        for low, high in UCSCHAR + IPRIVATE
        if not any(is_in(char, [(low, high)]) for char in drawn)
    ]
    assert without_characters == []
