"""Components of columns are those of `parse`, text by text."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.conftest import transition_cover

from urlharness.batch import Engine
from urlharness.batch.kernels import INVALID
from urloracle.errors import InvalidURL
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Unsupported

pytestmark = pytest.mark.once

RULES = [
    (spec, rule, profile)
    for spec, rule in (
        *((spec, None) for spec in SPECIFICATIONS),
        *(("rfc1738", rule) for rule in ("httpurl", "ftpurl", "newsurl", "prosperourl", "genericurl")),
        ("rfc1808", "relativeURL"),
        ("rfc2396", "absoluteURI"),
        ("rfc3986", "absolute-URI"),
    )
    for profile in (None, "generic", "prose")
    if rule is None or profile is None
]


def _parsed(spec, rule, profile, text):
    """The components of a text with the name and value pairs of prospero as they stand in it."""
    try:
        parts = spec.asdict(spec.parse(text, rule, profile))
    except (InvalidURL, Unsupported):  # prose may derive what the grammar does not
        return None
    if parts.get("fieldspecs"):
        parts["fieldspecs"] = "".join(f";{name}={value}" for name, value in parts["fieldspecs"])
    return parts


@pytest.mark.parametrize(("spec", "rule", "profile"), RULES)
def test_components(spec, rule, profile, questions):
    """On the corpus and on every transition; a component of another scheme is absent."""
    chosen = SPECIFICATIONS[spec]
    words = {word for some in questions.values() for word in some}
    words |= set(transition_cover(chosen.automaton(rule or chosen.default_rule, profile)))
    texts = sorted(words)[:: 5 if profile == "prose" else 1]  # the oracle takes its time there
    engine = Engine(spec, rule, profile)
    column = pa.array(texts)
    split, spans = engine.split(column).to_pylist(), engine.spans(column).to_pylist()
    seen = 0
    for text, parts, bounds in zip(texts, split, spans, strict=True):
        wanted = _parsed(chosen, rule, profile, text)
        if wanted is None:
            assert parts is None, text
            assert bounds is None, text
            continue
        seen += 1
        assert {name: value for name, value in parts.items() if value is not None} == {
            name: value for name, value in wanted.items() if value is not None
        }, text
        cut = {n: None if at["begin"] < 0 else text[at["begin"] : at["end"]] for n, at in bounds.items()}
        assert cut == parts, text
    assert seen > 10


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_split_and_verdict_agree(spec):
    """The split table decides as the automaton of the rule does, on every transition of it."""
    chosen = SPECIFICATIONS[spec]
    engine = Engine(spec)
    column = pa.array(list(transition_cover(chosen.automaton(chosen.default_rule))))
    assert engine.split(column).is_valid().equals(engine.accepts(column))


def test_rule_without_components():
    """A port has no parts."""
    with pytest.raises(Unsupported, match="no components for port"):
        Engine("rfc3986", "port").spans(pa.array(["80"]))


def test_a_planted_store_is_seen(monkeypatch):
    """One transition that notes its position elsewhere: a span is wrong."""
    engine, column = Engine("rfc3986"), pa.array(["http://u@h:80/p?q#f", "//h", "a:b?#"])
    right = engine.spans(column)
    divider = engine._divider
    made = divider._made
    caught = 0
    noted = [
        place
        for place in range(len(made.following))
        if made.following[place] & 255 and made.following[place] >> 8
    ]
    for char in ":/@?#":
        faulty = made.following.copy()
        places = [place for place in noted if place & 255 == ord(char)]
        faulty[places] -= faulty[places] & 255
        faulty.flags.writeable = False
        monkeypatch.setattr(divider, "_made", made._replace(following=faulty))
        caught += not engine.spans(column).equals(right)
    assert caught == 5
    assert INVALID not in {bound for row in right.to_pylist() for at in row.values() for bound in at.values()}
