"""Requests: texts of every kind, the same everywhere; requests that cannot be met; answers of all RFCs."""

from __future__ import annotations

import dataclasses
import hashlib

import msgspec
import pytest

from urlharness.corpus.specifications import url_specs
from urlharness.generate.kinds import Generator, RequestError, Sample, WrongLabel
from urlharness.generate.requests import KINDS, Request, Texts, answer_by_spec
from urloracle.operations import parse, resolve
from urloracle.rfcs import SPECIFICATIONS

REFUSED = [
    pytest.param({"spec": "rfc9"}, "no specification named 'rfc9'", id="spec"),
    pytest.param({"rule": "nothing"}, "no rule named 'nothing'", id="rule"),
    pytest.param({"rule": "IPv4address", "length": range(1, 4)}, "has a length from 1 to 3", id="length"),
    pytest.param({"scheme": "1"}, "no valid text with scheme 1", id="scheme"),
    pytest.param({"length": range(5000)}, "drawn up to length 4,096", id="long"),
    pytest.param({"length": range(2000), "uniform": True}, "drawn up to length 1,000", id="long-uniform"),
    pytest.param({"spec": "rfc1738", "resolution": True}, "RFC 1738 does not define", id="no-resolution"),
]


@pytest.mark.parametrize(("fields", "message"), REFUSED)
def test_a_request_that_cannot_be_met_is_an_error(fields, message):
    """The refusal comes before the first text."""
    with pytest.raises(RequestError, match=message):
        Texts(Request(**{"spec": "rfc3986", "valid": True} | fields))


@pytest.mark.parametrize(
    ("spec", "weights", "message"),
    [
        pytest.param("rfc3986", "[rules]\nnothing = 1", "w.toml: no rule named 'nothing'", id="rule"),
        pytest.param("rfc1738", "[rules]\nhost = 2", "the rule of one scheme", id="scheme"),
        pytest.param("rfc1738", "[alternatives]\nhost = [2, 1]", "the rule of one scheme", id="scheme-too"),
        pytest.param("rfc3986", "[alternatives]\nhost = [1]", "w.toml: host has 3 alternatives", id="number"),
        pytest.param(
            "rfc3986", "[rules]\nURI-reference = 0", "no valid text with these weights has", id="nothing"
        ),
    ],
)
def test_weights_that_cannot_be_met_are_an_error(tmp_path, spec, weights, message):
    (tmp_path / "w.toml").write_text(weights, "utf-8")
    with pytest.raises(RequestError, match=message):
        Texts(Request(spec=spec, valid=True, weights=tmp_path / "w.toml"))


@pytest.fixture
def texts_of_four_kinds(tmp_path):
    """The texts of a request for four kinds, two of which have fewer texts than asked for."""
    (tmp_path / "given").write_bytes(b"a:b\r\nnot one\n")
    request = Request(
        spec="rfc3986",
        rule="dec-octet",
        valid=True,
        cover=True,
        resolution=True,
        mutate=tmp_path / "given",
        number=400,
    )
    return Texts(request)


def test_the_texts_of_a_kind_are_numbered_from_1(texts_of_four_kinds):
    valid = [case for case in texts_of_four_kinds if case.kind == "valid"]
    assert [case.number for case in valid] == list(range(1, 257))


def test_each_line_of_a_file_to_mutate_is_a_text(texts_of_four_kinds):
    """Nothing is mutated, because none of the lines is a valid text."""
    mutated = [case for case in texts_of_four_kinds if case.kind == "mutate"]
    assert [case.content.text for case in mutated] == ["a:b", "not one"]


def test_the_summary_counts_the_texts_of_each_kind(texts_of_four_kinds):
    list(texts_of_four_kinds)  # the summary is known when all texts are drawn
    assert list(texts_of_four_kinds.summary()) == [
        "valid: 256 texts of rfc3986 dec-octet; there are no more",
        "cover: 20 texts of rfc3986 dec-octet; 20 take every transition, fewer than 20 cannot",
        "resolution: 400 pairs of rfc3986",
        "mutate: 2 texts of rfc3986 dec-octet; there are no more",
    ]


#: Files of texts to mutate, and their texts.
LINES = {
    "LF": (b"a:b\n[\n", ["a:b", "["]),
    "CRLF": (b"a:b\r\n[\r\n", ["a:b", "["]),
    "no-end": (b"a:b\n[", ["a:b", "["]),
    "CR-at-the-end": (b"a:b\n[\r", ["a:b", "[\r"]),
    "empty-line": (b"a:b\n\n", ["a:b", ""]),
    "empty-file": (b"", []),
}


@pytest.mark.parametrize(("content", "texts"), LINES.values(), ids=LINES)
def test_texts_to_mutate_are_lines_without_their_ends(tmp_path, content, texts):
    (tmp_path / "given").write_bytes(content)
    request = Request(spec="rfc3986", rule="URI", mutate=tmp_path / "given", number=max(1, len(texts)))
    assert [case.content.text for case in Texts(request)] == texts


#: SHA-256 of the cases of every kind that is drawn, 300 each, with seed 15.
DIGESTS = {
    "rfc3986": "6a8cf0f153e24f84c57b4d065f2b3907db04df1e74d198fa555a36455ce902e7",
    "rfc1738": "65d3c50795565b1e764be613665bff3fe66529fe453be9ad2992794830c4b89f",
}


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", DIGESTS)
def test_a_seed_gives_the_same_texts_everywhere(spec):
    request = Request(
        spec=spec,
        valid=True,
        invalid=True,
        near_miss=True,
        boundary=True,
        cover=True,
        resolution=spec == "rfc3986",
        number=300,
        seed=15,
    )
    state = hashlib.sha256()
    for case in Texts(request):
        state.update(f"{case.kind} {msgspec.to_builtins(case.content)}\n".encode("utf-8", "surrogateescape"))
    assert state.hexdigest() == DIGESTS[spec]


def test_every_kind_is_a_field_of_a_request():
    assert {*KINDS.values()} <= set(Request.__dataclass_fields__)


def test_processes_give_the_same_texts():
    """More than one shard of two kinds, made by two processes."""
    request = Request(spec="rfc3986", rule="IPv4address", valid=True, near_miss=True, number=4500, seed=3)
    assert list(Texts(request, jobs=2)) == list(Texts(request))


def fifty_texts(kind, seed):
    """Return texts of RFC 3986 of a kind, drawn with a seed."""
    return [
        case.content.text for case in Texts(Request(spec="rfc3986", number=50, seed=seed, **{kind: True}))
    ]


by_drawn_kind = pytest.mark.parametrize("kind", ["near_miss", "boundary"])


@by_drawn_kind
def test_the_same_seed_draws_the_same_near_misses_and_boundaries(kind):
    assert fifty_texts(kind, seed=1) == fifty_texts(kind, seed=1)


@by_drawn_kind
def test_another_seed_draws_other_near_misses_and_boundaries(kind):
    """Some texts are near every valid one, but most are drawn."""
    texts = set(fifty_texts(kind, seed=1))
    texts_of_both_seeds = texts & set(fifty_texts(kind, seed=2))
    assert len(texts_of_both_seeds) < len(texts) / 2


def test_a_longer_request_begins_with_the_texts_of_a_shorter_one():
    shorter = list(Texts(Request(spec="rfc3986", invalid=True, number=50)))
    longer = list(Texts(Request(spec="rfc3986", invalid=True, number=300)))
    assert longer[:50] == shorter


BASE = "http://h/x/y"
TEXTS = {
    "everywhere": "http://a/b;c?d",
    "not-rfc1738": "//a:b@c?d#e",
    "fields": "prospero://h/a;b=c",
    "gopher": "gopher://h/1a%09b",
    "opaque": "x:y?z",
    "nowhere": "[",
    "no-utf8": "caf\udce9:",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_rfc_answers_a_text(text):
    assert list(answer_by_spec(text, BASE)) == list(url_specs())


def test_the_rfc_on_iris_answers_if_its_texts_were_requested():
    request = Request(spec="rfc3987", valid=True, resolution=True, number=3, all_specs=True)
    answering = {"rfc3987" in text.content.answers for text in Texts(request)}
    assert answering == {True}


def valid_under(name):
    """Return the texts that are valid under an RFC."""
    return [text for text in TEXTS.values() if SPECIFICATIONS[name].problem(text) is None]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", url_specs())
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_answer_of_an_rfc_has_verdict_and_offset(text, name):
    problem = SPECIFICATIONS[name].problem(text)
    assert answer_by_spec(text, BASE)[name].valid is (problem is None)
    assert answer_by_spec(text, BASE)[name].offset == (problem and problem.position)


@pytest.mark.parametrize("name", url_specs())
def test_the_answer_of_an_rfc_has_the_components_of_a_valid_text(name):
    spec = SPECIFICATIONS[name]
    components = {text: answer_by_spec(text, BASE)[name].components for text in valid_under(name)}
    assert components != {}
    assert components == {text: spec.asdict(parse(text, name)) for text in components}


@pytest.mark.parametrize("name", [name for name in url_specs() if name != "rfc1738"])
def test_the_answer_of_an_rfc_has_the_target_of_a_valid_text(name):
    targets = {text: answer_by_spec(text, BASE)[name].result for text in valid_under(name)}
    assert targets != {}
    assert targets == {text: resolve(BASE, text, name).text for text in targets}


def test_the_answer_of_rfc_1738_has_no_target():
    assert {answer_by_spec(text, BASE)["rfc1738"].result for text in valid_under("rfc1738")} == {None}


def test_texts_and_pairs_have_the_answer_of_their_rfc():
    request = Request(spec="rfc3986", valid=True, resolution=True, number=20, all_specs=True)
    assert [case.content.answers["rfc3986"].valid for case in Texts(request)] == [True] * 40


def test_the_answer_to_a_pair_is_the_first_result_of_its_label():
    request = Request(spec="rfc3986", resolution=True, number=20, all_specs=True)
    pairs = [case.content for case in Texts(request)]
    first_results = [pair.label.expect.alternatives[0].result for pair in pairs]
    assert len(first_results) == 20
    assert [pair.answers["rfc3986"].result for pair in pairs] == first_results


def test_a_pair_has_no_answer_of_rfc_1738():
    request = Request(spec="rfc3986", resolution=True, number=20, all_specs=True)
    assert {"rfc1738" in case.content.answers for case in Texts(request)} == {False}


@pytest.mark.parametrize(
    ("by_pattern", "message"),
    [
        (lambda _: None, "pattern and automaton disagree on"),
        (lambda text: parse(text + "/", "rfc3986"), "disagree on the components of"),
    ],
    ids=["verdict", "components"],
)
def test_a_wrong_answer_ends_the_run(monkeypatch, by_pattern, message):
    monkeypatch.setattr("urlharness.generate.requests.url_specs", lambda: ("rfc3986",))
    monkeypatch.setattr("urlharness.generate.requests._split_by_pattern", lambda _: by_pattern)
    with pytest.raises(WrongLabel, match=message):
        answer_by_spec("http://a/b")


class KindSampler:
    """A fast sampler whose texts begin with the kind that it was asked for."""

    def __init__(self, generator):
        assert isinstance(generator, Generator)

    def draw_shard(self, kind, random):
        return [Sample(f"{kind}:{random.getrandbits(9)}", True)]

    def distinct(self, first, shards, _):
        yield [*first]
        yield from shards


VALID_AND_NEAR = Request(spec="rfc3986", valid=True, near_miss=True, number=4)


def test_a_fast_sampler_draws_valid_texts():
    cases = Texts(VALID_AND_NEAR, fast_sampler=KindSampler)
    texts = [case.content.text for case in cases if case.kind == "valid"]
    assert [text.partition(":")[0] for text in texts] == ["valid"] * 4


def test_a_fast_sampler_does_not_draw_near_misses():
    near_misses = [case for case in Texts(VALID_AND_NEAR) if case.kind == "near-miss"]
    cases = Texts(VALID_AND_NEAR, fast_sampler=KindSampler)
    assert [case for case in cases if case.kind == "near-miss"] == near_misses
    assert len(near_misses) == 4


def test_a_fast_sampler_draws_no_texts_with_the_answers_of_all_rfcs():
    """It does not make these answers."""
    request = dataclasses.replace(VALID_AND_NEAR, all_specs=True)
    texts = [case.content.text for case in Texts(request, fast_sampler=KindSampler)]
    assert texts == [case.content.text for case in Texts(request)]
