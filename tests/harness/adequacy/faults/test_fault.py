"""Faults read URLs that are text."""

from __future__ import annotations

import pytest

from urlharness.adequacy.faults.fault import url_text
from urlharness.corpus.model import Hex


def test_a_url_that_is_text_is_read():
    assert url_text("/\u00e9") == "/\u00e9"


def test_bytes_are_refused():
    with pytest.raises(ValueError, match="not UTF-8"):
        url_text(Hex("ff"))
