"""Tiers of RFC 3987: every label is right by a second method.

Verdicts and offsets are those of DFAs that are made of the text of the ABNF and know no letters for ranges.
Components are those that RFC 3986 finds with each character beyond ASCII as `~`. The tiers of one operation
are asked of the independent implementations of RFC 3986 (normalization and comparison: as URIs).
"""

from __future__ import annotations

from importlib import resources
from itertools import islice

import pytest

from urlharness.corpus.model import Expected
from urlharness.generate.tiers import equivalence, normalization, parts, suite_texts
from urlharness.generate.tiers.labels import Label, Labeller
from urlharness.words.members import MEMBERS
from urloracle import parse
from urloracle.rfcs import specification

from ..oracle.abnf_dfas import AbnfDfas  # noqa: TID252 - tests are not an installed package
from ..oracle.second_iris import with_stand_ins_of_ascii  # noqa: TID252 - likewise
from . import independent_equivalence, independent_normalization

PRINTED = (resources.files("urloracle") / "grammars" / "rfc3987.abnf").read_text("ascii")
#: The parts and every how many-th of their texts is judged: in the environments `proofs` and `long` of tox.
JUDGED = [pytest.param(part, 97, id=f"{part.name}-few") for part in parts("complete", "rfc3987")]
JUDGED += [
    pytest.param(part, 1, id=part.name, marks=pytest.mark.long)
    for tier in ("complete", "bytes", "k1")
    for part in parts(tier, "rfc3987")
]


@pytest.fixture(scope="module")
def dfas():
    return AbnfDfas(PRINTED)


def with_one_length(component):
    return None if component is None else "".join(char if char.isascii() else "~" for char in component)


@pytest.mark.sampled(keep="IRI-reference-few")
@pytest.mark.parametrize(("part", "stride"), JUDGED)
def test_a_text_has_the_verdict_and_the_components_of_the_second_method(part, stride, dfas):
    labeller = Labeller(specification("rfc3987"), part.rule)
    for text in islice(suite_texts(part), 0, None, stride):
        verdict, components = labeller.labels(text)
        offset = dfas.first_wrong(text, part.rule)
        expected = Expected(valid=True) if offset is None else Expected(valid=False, at=offset)
        assert verdict == Label(expected), ascii(text)
        if components is not None:
            split = parse(with_stand_ins_of_ascii(text), "rfc3986").asdict()
            labelled = components.expect.components
            assert {name: with_one_length(labelled[name]) for name in labelled} == split, ascii(text)
            assert components.binding == "required", ascii(text)


@pytest.mark.sampled(keep="IRI-reference")
@pytest.mark.parametrize("part", parts("complete", "rfc3987"), ids=lambda part: part.name)
def test_characters_beyond_ascii_take_turns(part):
    texts = "".join(islice(suite_texts(part), 0, None, 3))
    assert set(MEMBERS["\xa0"]) <= set(texts)


def encoded(text):
    """Return the URI of an IRI."""
    return "".join(
        char if char.isascii() else "".join(f"%{octet:02X}" for octet in char.encode()) for char in text
    )


def mapped_form(answer):
    """Return the URI of a normal form, or None if the answer is a refusal."""
    return encoded(answer.result) if answer.kind == "result" else None


STRIDES_OF_OPERATIONS = [pytest.param(29, id="few"), pytest.param(1, id="all", marks=pytest.mark.long)]


@pytest.mark.parametrize("stride", STRIDES_OF_OPERATIONS)
def test_the_normal_forms_of_an_iri_map_to_those_of_its_uri(stride, monkeypatch):
    """Which of them is recommended differs only in the case of hosts (R-3987-31)."""
    drawn = list(normalization.spellings())[::stride]
    monkeypatch.setattr(normalization, "spellings", lambda: drawn)
    for iri, mode, label in normalization.label_urls(specification("rfc3987")):
        mapped_forms = {mapped_form(answer) for answer in label.expect.alternatives}
        forms = independent_normalization.forms(encoded(iri), "rfc3986", mode)
        assert mapped_forms >= {forms.recommended, *forms.others}, ascii(iri)


@pytest.mark.parametrize("stride", STRIDES_OF_OPERATIONS)
def test_iris_are_equivalent_if_their_uris_are(stride, monkeypatch):
    drawn = list(equivalence.pairs())[::stride]
    monkeypatch.setattr(equivalence, "pairs", lambda: drawn)
    for first, second, mode, label in equivalence.label_pairs(specification("rfc3987")):
        recommended, *others = (
            answer.equal if answer.kind == "equal" else None for answer in label.expect.alternatives
        )
        verdicts = independent_equivalence.verdicts(encoded(first), encoded(second), "rfc3986", mode)
        assert recommended == verdicts.recommended, ascii((first, second))
        assert set(others) == verdicts.others, ascii((first, second))
