"""The compiled set of texts: equal to a set of Python."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from urlharness.generate.seen import SeenTexts

NEVER = 1 << 30


def arrays(texts):
    """Return the octets of texts, where each begins and the last ends, and that each of them fits."""
    octets = np.frombuffer("".join(texts).encode("ascii"), np.uint8).copy()
    return octets, np.cumsum([0, *map(len, texts)]), np.ones(len(texts), np.bool_)


@pytest.fixture
def seen():
    return SeenTexts()


def test_texts_are_new_once(seen):
    is_new, _ = seen.add(*arrays(["a", "b", "a", "", "ab", "", "b"]))
    assert is_new.tolist() == [True, True, False, True, True, False, False]


def test_a_set_that_grows_knows_its_first_texts(seen):
    """There are more texts than slots at first, and more bytes."""
    random = Random(1)
    expected = set()
    for _ in range(30):
        texts = ["".join(random.choices("abcdef", k=random.randrange(60))) for _ in range(1000)]
        is_new, _ = seen.add(*arrays(texts), NEVER)
        for text, is_new_text in zip(texts, is_new.tolist(), strict=True):
            assert is_new_text == (text not in expected), text
            expected.add(text)


def test_a_text_that_does_not_fit_is_not_new(seen):
    octets, offsets, _ = arrays(["a", "b"])
    is_new, _ = seen.add(octets, offsets, np.array([False, True]))
    assert is_new.tolist() == [False, True]


def test_adding_ends_after_many_known_texts(seen):
    is_new, has_ended = seen.add(*arrays(["a", "b", "a", "a", "c"]), 2)
    assert has_ended
    assert is_new.tolist() == [True, True, False, False, False]


def test_known_texts_are_counted_from_one_call_to_the_next(seen):
    seen.add(*arrays(["a", "a"]), 3)
    _, has_ended = seen.add(*arrays(["a", "a"]), 3)
    assert has_ended


def test_a_new_text_ends_the_row_of_known_ones(seen):
    _, has_ended = seen.add(*arrays(["a", "a", "b", "a"]), 2)
    assert not has_ended


@pytest.mark.parametrize("text", ["", "a", "\udcff"], ids=["empty", "ascii", "no-utf-8"])
def test_a_single_text_is_new_once(seen, text):
    is_new_first, is_new_again = [seen.add_text(text) for _ in range(2)]
    assert is_new_first
    assert not is_new_again
