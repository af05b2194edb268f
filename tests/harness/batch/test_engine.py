"""The engine answers as the oracle does; tests/proofs/batch has all of the corpus and every transition."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pytest

from urlharness.batch import Engine
from urlharness.batch.kernels import INVALID
from urloracle.errors import InvalidURL
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Unsupported

from .conftest import expected, transition_cover

TEXTS = [
    "",
    "http://u@h:80/a;b?c#d",
    "//[::1]",
    "mailto:a@b?c",
    "foo:a?b",
    "ftp://h/a;type=i",
    "../g",
    "http://h/a b",
]


def test_verdicts_and_offsets_are_those_of_the_oracle(corpus):
    """Some texts of the corpus under each RFC; texts of one RFC are near misses of the others."""
    urls = sorted({case.vector.url for case in corpus.cases if isinstance(case.vector.url, str)})[::7]
    for spec in SPECIFICATIONS.values():
        problems = [spec.problem(text) for text in urls]
        engine = Engine(spec)
        column = pa.array(urls)
        assert engine.accepts(column).to_pylist() == [problem is None for problem in problems]
        assert engine.offsets(column).to_pylist() == [
            -1 if problem is None else problem.position for problem in problems
        ]


def test_every_transition_is_judged_and_split_as_by_the_automaton():
    """A word for each transition; the split table decides as the automaton does."""
    automaton = SPECIFICATIONS["rfc3986"].automaton("URI")
    words = list(transition_cover(automaton))
    engine = Engine("rfc3986", "URI")
    assert engine.offsets(pa.array(words)).to_pylist() == [expected(automaton, word) for word in words]
    assert engine.split(pa.array(words)).is_valid().equals(engine.accepts(pa.array(words)))


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_random_bytes_are_judged_as_by_the_automaton(spec):
    """Bytes of every value; what is no ASCII is in no URL (RFC 3986 section 2, and before)."""
    random = Random(1738)
    specification = SPECIFICATIONS[spec]
    automaton = specification.automaton(specification.default_rule)
    octets = [random.randbytes(random.randrange(12)) for _ in range(1_000)]
    octets += [b"http://h/" + octet for octet in octets]
    texts = [octet.decode("latin-1") for octet in octets]
    expected_answers = [expected(automaton, text) for text in texts]
    assert Engine(spec).offsets(pa.array(octets, pa.binary())).to_pylist() == expected_answers


def components_of(spec, rule, profile, text):
    """The components of a text with the name and value pairs of prospero as they stand in it."""
    try:
        parts = spec.asdict(spec.parse(text, rule, profile))
    except (InvalidURL, Unsupported):  # prose may derive what the grammar does not
        return None
    if parts.get("fieldspecs"):
        parts["fieldspecs"] = "".join(f";{name}={value}" for name, value in parts["fieldspecs"])
    return parts


@pytest.mark.parametrize(
    ("spec", "rule"),
    [*((spec, None) for spec in SPECIFICATIONS), ("rfc1738", "genericurl"), ("rfc1738", "ftpurl")],
)
def test_components_and_spans_are_those_of_the_oracle(spec, rule):
    """Strings and spans; a component of another scheme is absent."""
    engine = Engine(spec, rule)
    split = engine.split(pa.array(TEXTS)).to_pylist()
    spans = engine.spans(pa.array(TEXTS)).to_pylist()
    expected_components = [components_of(SPECIFICATIONS[spec], rule, None, text) for text in TEXTS]
    assert any(expected_components)
    for text, parts, bounds, right in zip(TEXTS, split, spans, expected_components, strict=True):
        assert parts == (right and dict.fromkeys(engine.components) | right), text
        cut = bounds and {
            name: None if at["begin"] < 0 else text[at["begin"] : at["end"]] for name, at in bounds.items()
        }
        assert cut == parts, text


def test_a_rule_without_components_cannot_be_split():
    """A port has no parts."""
    with pytest.raises(Unsupported, match="no components for port"):
        Engine("rfc3986", "port").spans(pa.array(["80"]))


def test_a_planted_store_is_seen(monkeypatch):
    """If transitions store the position in another slot, a span is wrong."""
    engine = Engine("rfc3986")
    column = pa.array(["http://u@h:80/p?q#f", "//h", "a:b?#"])
    right = engine.spans(column)
    divider = engine._divider
    divider_table = divider._made
    caught = 0
    noted = [
        index
        for index in range(len(divider_table.following))
        if divider_table.following[index] & 255 and divider_table.following[index] >> 8
    ]
    for char in ":/@?#":
        faulty = divider_table.following.copy()
        places = [index for index in noted if index & 255 == ord(char)]
        faulty[places] -= faulty[places] & 255
        faulty.flags.writeable = False
        monkeypatch.setattr(divider, "_made", divider_table._replace(following=faulty))
        caught += not engine.spans(column).equals(right)
    assert caught == 5
    assert INVALID not in {bound for row in right.to_pylist() for at in row.values() for bound in at.values()}
