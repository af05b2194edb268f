"""Names of implementations in little room: whatever they share, no two look the same."""

from __future__ import annotations

import itertools
import random

import pytest

from urlharness.report.terminal import HEAD, labels

pytestmark = pytest.mark.once

PAGES = [
    pytest.param(["urllib", "node-url"], ["urllib", "node-url"], id="short"),
    pytest.param(
        ["jsonl:python3 a.py", "jsonl:python3 b.py"], ["jsonl:python3 a.py", "jsonl:python3 b.py"], id="room"
    ),
    pytest.param(
        [f"jsonl:python3 adapters/{x}.py" for x in "abc"], ["…a.py", "…b.py", "…c.py"], id="beginning"
    ),
    pytest.param(
        ["urllib", *(f"jsonl:python3 adapters/{x}.py" for x in "ab")],
        ["urllib", "…a.py", "…b.py"],
        id="beside-a-short-one",
    ),
    pytest.param(
        ["urllib", *(f"exec:./a-very-long-program-{x}" for x in "ab"), "jsonl:node one-more-program.js"],
        ["urllib", "exec:.…ong-program-a", "exec:.…ong-program-b", "jsonl:…re-program.js"],
        id="middle",
    ),
    pytest.param(
        [*(f"jsonl:python3 {x}.py --verbose --strict" for x in "ab"), "exec:./something-else {url}"],
        ["…a.py --verbose --s…", "…b.py --verbose --s…", "exec:./something-el…"],
        id="where-they-part",
    ),
    pytest.param(["jsonl:python3 adapters/a.py"], ["jsonl:…adapters/a.py"], id="alone"),
]


@pytest.mark.parametrize(("names", "shown"), PAGES)
def test_what_is_left_out(names, shown):
    made = labels(names)
    assert len(set(made)) == len(names)
    assert max(map(len, made)) <= HEAD
    assert made == shown


HARD = [
    pytest.param([f"jsonl:python3 adapters/url-{n:02}.py --strict" for n in range(40)], id="forty"),
    pytest.param([f"jsonl:{a} {b} {'x' * 30}" for a in "ab" for b in "cd"], id="parting-twice"),
    pytest.param(["x" * n for n in range(15, 60)], id="beginnings-of-each-other"),
    pytest.param([f"{'x' * a}y{'x' * b}" for a in range(20, 24) for b in range(20, 24)], id="one-letter"),
    pytest.param([f"…{n}{'x' * 30}" for n in range(9)] + [f"…{n}" for n in range(9)], id="like-labels"),
    pytest.param(["\u202e" * 9 + str(n) for n in range(9)], id="spelled-out"),
    pytest.param([f"{'漢' * 19}{n}" for n in range(9)], id="wide"),
]


@pytest.mark.parametrize("names", HARD)
def test_no_two_are_equal(names):
    made = labels(names)
    assert len(set(made)) == len(names)
    assert max(map(len, made)) <= HEAD


@pytest.mark.parametrize("seed", range(20))
def test_no_two_are_equal_whatever_they_are(seed):
    dice = random.Random(seed)
    words = ("jsonl:", "a", "b", " ", "/", "…", "python3", "xxxxxxxxxxxx", " 2")
    names = list({"".join(dice.choices(words, k=dice.randint(1, 9))) for _ in range(60)})
    for room in (HEAD, 12, 80):
        made = labels(names, room)
        assert not [pair for pair in itertools.combinations(made, 2) if pair[0] == pair[1]]
        assert max(map(len, made)) <= room
