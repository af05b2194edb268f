"""Generated texts have the labels of the independent oracle, and pairs the results of the independent one."""

from __future__ import annotations

import dataclasses
import runpy
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from urlharness.corpus.differences import load_differences
from urlharness.corpus.specifications import url_specs
from urlharness.generate.compiled import CompiledSampler
from urlharness.generate.kinds import Generator, Pair, RequestError, pairs_to_resolve
from urlharness.generate.requests import Request, Texts
from urloracle.rfcs import specification

from ..oracle.independent_oracle.recogniser import verdict  # noqa: TID252 - tests are not an installed package

independent = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("independent_resolution.py"))))

#: How many texts all RFCs get, in the environments `proofs` and `long` of tox.
TEXTS = (1_000, 200_000)

#: Any number: it only makes the texts the same in each run.
SEED = 15

RULES = [
    *((spec, specification(spec).default_rule) for spec in url_specs()),
    ("rfc3986", "URI"),
    ("rfc3986", "IPv6address"),
    ("rfc1738", "ftpurl"),
    ("rfc1738", "prosperourl"),
    ("rfc2732", "absoluteURI"),
]

#: The kinds that compiled sampling draws.
FAST_KINDS = {"valid": True, "invalid": True}

LINES = b"http://a:80/b?c#d\nftp://u:p@h/x;type=i\nx\nhttp://[::1]:1/\n//h/..\nnews:a@b\n%zz\ncaf\xe9:\n"


def texts(spec, rule, number, seed, path):
    """Yield texts of every kind, by weights and uniformly.

    Every class of differences is drawn for every rule in the environment `long`, else for every third.
    """
    path.write_bytes(LINES)
    kinds = {
        "valid": True,
        "invalid": True,
        "near_miss": True,
        "boundary": True,
        "cover": True,
        "mutate": path,
    }
    ways = [{}, {"uniform": True}, {"explore": True}]
    for way in ways:
        share = number // (len(ways) * (len(kinds) + 2)) + 1
        request = Request(spec=spec, rule=rule, number=share, seed=seed, length=range(41), **kinds, **way)
        yield from Texts(request)
        fast_request = dataclasses.replace(request, **{**dict.fromkeys(kinds, None), **FAST_KINDS})
        yield from Texts(fast_request, fast_sampler=CompiledSampler)
    classes = list(load_differences())
    if number <= TEXTS[0] // len(RULES):
        classes = classes[RULES.index((spec, rule)) % 3 :: 3]
    for name in classes:
        with suppress(RequestError):  # a class about resolution only
            count = number // 384 + 1  # so all classes together have about a sixth of the texts
            yield from Texts(
                Request(spec=spec, rule=rule, difference=name, texts_only=True, number=count, seed=seed)
            )


def disagreements(spec, rule, number, seed, path):
    """Yield the texts with another label than that of the independent oracle, and the latter."""
    for case in texts(spec, rule, number, seed, path):
        sample = case.content
        if (sample.valid, sample.offset) != verdict(sample.text, spec, rule):
            yield case, verdict(sample.text, spec, rule)


@pytest.mark.sampled(keep="rfc3986-URI-reference")
@pytest.mark.parametrize("number", [TEXTS[0], pytest.param(TEXTS[1], marks=pytest.mark.long)])
@pytest.mark.parametrize(("spec", "rule"), RULES, ids=str)
def test_labels_are_those_of_the_independent_oracle(spec, rule, number, tmp_path):
    share = number // len(RULES)
    assert next(disagreements(spec, rule, share, SEED, tmp_path / "lines"), None) is None


def test_a_wrong_label_is_noticed(monkeypatch):
    """The texts are those of a larger language, and nothing else checks their labels."""
    monkeypatch.setattr("urlharness.generate.kinds._LabelJudge._refuse", lambda *_: None)
    generator = Generator(specification("rfc3986"), "URI", range(41))
    monkeypatch.setattr(generator, "automaton", specification("rfc3986").automaton("URI-reference"))
    samples = list(islice(generator.valid_texts().draw_shard(Random(1)), 200))
    assert any(not verdict(sample.text, "rfc3986", "URI").valid for sample in samples)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", independent.RESOLVERS)
def test_results_are_those_of_the_independent_resolution(spec):
    pairs = list(islice(pairs_to_resolve(specification(spec), range(61)).draw_shard(Random(15)), 1500))
    for name in load_differences():
        contents = [case.content for case in Texts(Request(spec=spec, difference=name, number=30))]
        pairs += [content for content in contents if isinstance(content, Pair)]
    assert len(pairs) > 1500
    for pair in pairs:
        recommended, *_ = pair.label.expect.alternatives
        target, _ = independent.RESOLVERS[spec](pair.base, pair.reference)
        if target is None:
            assert recommended.kind == "valid", pair
        else:
            assert recommended.result == target, pair
