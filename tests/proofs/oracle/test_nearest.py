"""No text that is proposed for an invalid one misleads; the latter come from `generate --invalid`."""

from __future__ import annotations

import json
import os

import pytest

from urlharness.corpus.specifications import url_specs
from urloracle.explanation import nearest_valid

from ...oracle import nearest_checks  # noqa: TID252 - tests are not an installed package

#: The number of texts for each RFC and each of the options.
COUNT = 2000

#: The options for texts of any scheme, and of the one that browsers and RFCs divide in different ways.
OPTIONS = {"any-scheme": (), "http": ("--scheme", "http")}


@pytest.fixture(params=OPTIONS)
def invalid_texts(request, urlconform):
    """Return a function that draws invalid texts of an RFC."""

    def draw(spec):
        options = ("--count", str(COUNT), "--spec", spec, *OPTIONS[request.param])
        output = urlconform("generate", "--invalid", *options).stdout
        texts = [json.loads(line)["text"] for line in output.splitlines()]
        assert len(texts) == COUNT
        return [text if isinstance(text, str) else os.fsdecode(bytes.fromhex(text["hex"])) for text in texts]

    return draw


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.proof
@pytest.mark.parametrize("spec", url_specs())
def test_no_text_that_is_proposed_misleads(spec, invalid_texts):
    proposals = 0
    for text in invalid_texts(spec):
        nearest = nearest_valid(text, spec)
        if nearest is not None:
            assert nearest_checks.faults(text, nearest.text, spec) == [], text
            proposals += 1
    # with few proposals the test would say little; the rest of the texts are too far from valid ones
    assert proposals > COUNT / 4
