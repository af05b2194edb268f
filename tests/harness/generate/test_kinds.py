"""Kinds of texts: labels by exhaustion, what each kind holds, wrong labels, requests that cannot be met."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import islice, product
from random import Random

import msgspec
import pytest

from urlharness.corpus.model import Expected
from urlharness.generate import kinds
from urlharness.generate.kinds import KINDS, Generator, Request, RequestError, Texts, WrongLabel, resolutions
from urlharness.generate.labels import Label
from urlharness.words import mutation
from urlharness.words.paths import BEYOND, BYTES
from urlharness.words.weights import Weights
from urloracle.automata.dfa import ASCII
from urloracle.operations import validate
from urloracle.rfcs import SPECIFICATIONS, specification

RULES = [
    ("rfc3986", "URI"), ("rfc3986", "IPv6address"), ("rfc1738", "url"), ("rfc1738", "ftpurl"),
    ("rfc1808", "URL"), ("rfc2396", "URI-reference"), ("rfc2732", "URI-reference"),
]  # fmt: skip


@pytest.fixture(params=RULES, ids="-".join)
def generator(request):
    spec, rule = request.param
    return Generator(specification(spec), rule, range(41))


def agree(generator, samples):
    """Every label is that of the oracle's own check."""
    for sample in samples:
        problem = generator.spec.problem(sample.text, generator.rule)
        assert sample.valid == (problem is None)
        if problem is not None:
            assert sample.offset == problem.position
            assert generator.spec.grammar.section(sample.broken) == problem.section
            assert (sample.class_ is None) == (sample.offset == len(sample.text))


@pytest.mark.parametrize("kind", ["valid", "invalid", "near_misses"])
def test_drawn_texts(generator, kind):
    """They differ, have the lengths asked for, and their labels are right."""
    found = list(islice(getattr(generator, kind)(Random(1)), 400))
    assert len({sample.text for sample in found}) == len(found) == 400
    assert {sample.valid for sample in found} == {kind == "valid"}
    assert all(len(sample.text) <= 40 for sample in found)
    agree(generator, found)


def test_boundaries_and_covers(generator):
    found = list(generator.boundaries())
    assert {True} <= {sample.valid for sample in found}
    agree(generator, found[::7])
    covering = list(generator.covering())
    assert [sample.text for sample in covering] == list(generator.cover.words)
    agree(generator, covering[::7])


def test_all_short_texts_are_found():
    """Of a small language every valid text, and every text of one character that is none."""
    spec = specification("rfc3986")
    found = {sample.text for sample in Generator(spec, "dec-octet", range(5)).valid(Random(0))}
    texts = ("".join(one) for n in range(5) for one in product("0123456789", repeat=n))
    assert found == {text for text in texts if spec.problem(text, "dec-octet") is None}
    found = {sample.text for sample in Generator(spec, "dec-octet", range(2)).invalid(Random(0))}
    assert found == {"", *ASCII, *BEYOND, *BYTES} - set("0123456789")


def test_few_texts_end():
    generator = Generator(specification("rfc3986"), "path-empty", range(41))
    assert [sample.text for sample in generator.valid(Random(0))] == [""]
    assert all(len(sample.text) == 1 for sample in generator.invalid(Random(0)))
    assert {sample.class_ for sample in generator.near_misses(Random(0))} >= {"blank", "control"}


def test_near_misses_without_drawing_have_every_state():
    generator = Generator(specification("rfc3986"), "IPv4address", range(41))
    found = list(generator.near_misses(None))
    assert {"256", "0.0.0.0.", "00", "", "0."} <= {sample.text for sample in found}


@pytest.mark.parametrize("weights", [None, Weights({"host": Fraction(2)}, {})], ids=["default", "weights"])
@pytest.mark.parametrize(("spec", "rule", "scheme"), [("rfc3986", "URI", "ws"), ("rfc1738", "ftpurl", "FTP")])
def test_scheme(spec, rule, scheme, weights):
    generator = Generator(specification(spec), rule, range(41), scheme=scheme, weights=weights)
    found = list(islice(generator.valid(Random(2)), 50))
    assert all(sample.text.lower().startswith(f"{scheme.lower()}:") for sample in found)
    assert list(generator.boundaries())


def test_mutations_keep_break_and_splice():
    given = ["http://a:80/b?c#d", "ftp://u@h/;x", "not a url", "http://[::1]/", "caf\udce9:x"]
    generator = Generator(specification("rfc3986"), "URI", range(41))
    found = list(islice(generator.mutations(given, Random(3)), 300))
    assert [sample.text for sample in found[:5]] == given
    assert [sample.valid for sample in found[:5]] == [True, True, False, True, False]
    assert found[4].class_ == "no UTF-8"
    spliced = [sample for sample in found if sample.edit and sample.edit.kind == "splice"]
    assert spliced
    assert all(sample.valid for sample in spliced)
    assert sum(not sample.valid for sample in found[5:]) > 50
    agree(generator, found)


def test_mutations_of_nothing_valid_end():
    generator = Generator(specification("rfc3986"), "URI", range(41))
    assert [sample.valid for sample in generator.mutations(["%", " "], Random(0))] == [False, False]


@pytest.mark.parametrize("spec", sorted(SPECIFICATIONS.keys() - {"rfc1738"}))
def test_pairs(spec):
    found = list(islice(resolutions(specification(spec), range(31), Random(1)), 300))
    assert len({(pair.base, pair.reference) for pair in found}) == 300
    assert sum(".." in pair.reference for pair in found) > 5
    for pair in found:
        validate(pair.reference, spec)


def test_a_wrong_result_ends_the_run(monkeypatch):
    spec = specification("rfc3986")
    right = kinds.label_pair

    def label_pair(spec, base, reference):
        found = right(spec, "x://y/z", "a/../b")
        first, *_ = found.expect.alternatives
        return found._replace(expect=msgspec.structs.replace(first, result=f"{first.result}/../c"))

    monkeypatch.setattr(kinds, "label_pair", label_pair)
    with pytest.raises(WrongLabel, match="resolves to something else"):
        list(islice(resolutions(spec, range(31), Random(1)), 50))
    monkeypatch.setattr(kinds, "label_pair", lambda *_: Label(Expected(result="no url")))
    with pytest.raises(WrongLabel, match="the pattern does not match"):
        next(resolutions(spec, range(31), Random(1)))


def test_a_planted_wrong_verdict_is_caught(monkeypatch):
    """The automaton takes other words than the pattern matches."""
    spec = specification("rfc3986")
    generator = Generator(spec, "URI", range(41))
    wrong = spec.automaton("URI-reference")
    monkeypatch.setattr(generator, "_whole", wrong)
    with pytest.raises(WrongLabel, match="the automaton accepts, the pattern does not match"):
        list(islice(generator.valid(Random(1)), 200))
    with pytest.raises(WrongLabel):
        generator.label("//a")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"text": "a:b", "offset": 3}, "the pattern matches", id="valid"),
        pytest.param({"text": "a b:c", "offset": 3, "state": 99}, "nothing shows", id="offset-too-great"),
        pytest.param({"text": "ab c", "offset": 1}, "the offsets are 1 and 2", id="offset-too-small"),
    ],
)
def test_a_planted_wrong_edit_is_caught(monkeypatch, change, message):
    generator = Generator(specification("rfc3986"), "URI", range(41))
    right = mutation.Mutator.breaks
    scheme = specification("rfc3986").automaton("URI").longest_viable_prefix("a").state

    def breaks(self, word, random):
        return right(self, word, random)._replace(**({"state": scheme} | change))

    monkeypatch.setattr(mutation.Mutator, "breaks", breaks)
    with pytest.raises(WrongLabel, match=message):
        next(generator.invalid(Random(1)))


REFUSED = [
    pytest.param({"spec": "rfc9"}, "no specification named 'rfc9'", id="spec"),
    pytest.param({"rule": "nothing"}, "no rule named 'nothing'", id="rule"),
    pytest.param({"rule": "IPv4address", "length": range(1, 4)}, "has a length from 1 to 3", id="length"),
    pytest.param({"scheme": "1"}, "no valid text with scheme 1", id="scheme"),
    pytest.param({"length": range(5000)}, "drawn up to length 4,096", id="long"),
    pytest.param({"length": range(2000), "uniform": True}, "drawn up to length 1,000", id="long-uniform"),
    pytest.param({"spec": "rfc1738", "resolution": True}, "RFC 1738 does not define", id="no-resolution"),
]


@pytest.mark.parametrize(("asked", "message"), REFUSED)
def test_requests_that_cannot_be_met(asked, message):
    """The refusal comes before the first text."""
    with pytest.raises(RequestError, match=message):
        Texts(Request(**{"spec": "rfc3986", "valid": True} | asked))


@pytest.mark.parametrize(
    ("spec", "rules", "message"),
    [
        ("rfc3986", "nothing = 1", "no rule named 'nothing'"),
        ("rfc1738", "host = 2", "the rule of one scheme"),
    ],
)
def test_weights_that_cannot_be_met(tmp_path, spec, rules, message):
    (tmp_path / "w.toml").write_text(f"[rules]\n{rules}\n", "utf-8")
    with pytest.raises(RequestError, match=message):
        Texts(Request(spec=spec, valid=True, weights=tmp_path / "w.toml"))


def test_summary(tmp_path):
    (tmp_path / "given").write_bytes(b"a:b\r\nnot one\n")
    request = Request(
        spec="rfc3986", rule="dec-octet", valid=True, cover=True, resolution=True,
        mutate=tmp_path / "given", number=400,
    )  # fmt: skip
    texts = Texts(request)
    found = list(texts)
    assert [case.number for case in found if case.kind == "valid"] == list(range(1, 257))
    assert [case.content.text for case in found if case.kind == "mutate"] == ["a:b", "not one"]
    assert list(texts.summary()) == [
        "valid: 256 texts of rfc3986 dec-octet; there are no more",
        "cover: 20 texts of rfc3986 dec-octet; 20 take every transition, fewer than 20 cannot",
        "resolution: 400 pairs of rfc3986",
        "mutate: 2 texts of rfc3986 dec-octet; there are no more",
    ]


#: SHA-256 of the cases of every kind that is drawn, 300 each, with seed 15.
DIGESTS = {
    "rfc3986": "f3c7689bf0ca9ed6c2886d09e5e8e5b77c8c04fb49d58650f19fde0620881f31",
    "rfc1738": "a6ca7792b213eaafe0963a2a6e74751b035748f4207caafeb8512d46b68c2861",
}


@pytest.mark.parametrize("spec", DIGESTS)
def test_a_seed_gives_the_same_texts_everywhere(spec):
    request = Request(
        spec=spec, valid=True, invalid=True, near_miss=True, boundary=True, cover=True,
        resolution=spec == "rfc3986", number=300, seed=15,
    )  # fmt: skip
    state = hashlib.sha256()
    for case in Texts(request):
        state.update(f"{case.kind} {msgspec.to_builtins(case.content)}\n".encode("utf-8", "surrogateescape"))
    assert state.hexdigest() == DIGESTS[spec]


def test_kinds_are_fields():
    fields = {name.replace("-", "_") for name in KINDS}
    assert fields <= set(Request.__dataclass_fields__)
