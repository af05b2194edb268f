"""The engine answers as the oracle does; tests/proofs/batch has all of the corpus and every transition."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pytest

from urlharness.batch import Engine
from urlharness.batch.kernels import INVALID
from urlharness.corpus.specifications import SPECS, url_specs
from urloracle.errors import InvalidURL
from urloracle.grammar.alphabet import RANGES
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
    "http://\u00e9@\u65e5\u672c:80/\U0001f600;\u00fc?\ue000#\u00e9",
    "\u00e9?\u00e9",
    "//[::1\u00e9]",
]


@pytest.fixture(scope="module")
def some_urls(corpus):
    """Each seventh URL of the corpus: valid texts of one RFC are near misses of the others."""
    urls = {case.vector.url for case in corpus.cases if isinstance(case.vector.url, str)}
    return sorted(urls)[::7]


@pytest.mark.parametrize("spec", SPECS)
def test_verdicts_are_those_of_the_oracle(some_urls, spec):
    verdicts = [SPECIFICATIONS[spec].problem(url) is None for url in some_urls]
    assert Engine(spec).accepts(pa.array(some_urls)).to_pylist() == verdicts


@pytest.mark.parametrize("spec", SPECS)
def test_offsets_are_those_of_the_oracle(some_urls, spec):
    offsets = []
    for url in some_urls:
        problem = SPECIFICATIONS[spec].problem(url)
        offsets.append(-1 if problem is None else problem.position)
    assert Engine(spec).offsets(pa.array(some_urls)).to_pylist() == offsets


@pytest.fixture(scope="module")
def word_of_each_transition():
    """A word for each transition of the automaton of a URI."""
    return list(transition_cover(SPECIFICATIONS["rfc3986"].automaton("URI")))


def test_every_transition_is_judged_as_by_the_automaton(word_of_each_transition):
    automaton = SPECIFICATIONS["rfc3986"].automaton("URI")
    offsets = Engine("rfc3986", "URI").offsets(pa.array(word_of_each_transition)).to_pylist()
    assert offsets == [expected(automaton, word) for word in word_of_each_transition]


def test_the_texts_that_are_split_are_those_that_are_accepted(word_of_each_transition):
    engine = Engine("rfc3986", "URI")
    column = pa.array(word_of_each_transition)
    assert engine.split(column).is_valid().equals(engine.accepts(column))


@pytest.mark.parametrize("spec", url_specs())
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


#: The edges of the ranges of RFC 3987, and the characters next to them, in UTF-8 (RFC 3987, section 2.2).
EDGES = [
    chr(code).encode()
    for span in RANGES
    for code in (span.first - 1, span.first, span.last, span.last + 1)
    if not 0xD800 <= code < 0xE000  # UTF-8 has no surrogates
]

#: Bytes that are no UTF-8 (RFC 3629, section 3).
NO_UTF8 = [
    pytest.param(b"\x80", id="continuation-byte-alone"),
    pytest.param(b"\xc3", id="cut-after-one-byte"),
    pytest.param(b"\xe2\x82", id="cut-after-two-bytes"),
    pytest.param(b"\xf0\x9f\x98", id="cut-after-three-bytes"),
    pytest.param(b"\xc3(", id="cut-by-a-character"),
    pytest.param(b"\xc3\xc3\xa9", id="cut-by-another-first-byte"),
    pytest.param(b"\xc0\xaf", id="overlong"),
    pytest.param(b"\xe0\x80\xaf", id="overlong-with-three-bytes"),
    pytest.param(b"\xed\xa0\x80", id="surrogate"),
    pytest.param(b"\xf4\x90\x80\x80", id="above-10FFFF"),
    pytest.param(b"\xff", id="no-first-byte"),
]


@pytest.mark.parametrize(
    "before", [b"", b"http://h/", b"http://h/?", b"http://", "http://\u00e9/\u65e5".encode()]
)
def test_the_edges_of_ranges_are_judged_as_by_the_oracle(before):
    texts = [before + edge + b"/" for edge in EDGES]
    problems = [SPECIFICATIONS["rfc3987"].problem(text.decode()) for text in texts]
    offsets = [-1 if problem is None else problem.position for problem in problems]
    assert len(set(offsets)) == 2  # some are valid, and some are not
    assert Engine("rfc3987").offsets(pa.array(texts, pa.binary())).to_pylist() == offsets


@pytest.mark.parametrize("after", [b"", b"/"])
@pytest.mark.parametrize("octets", NO_UTF8)
def test_bytes_that_are_no_utf8_are_wrong_at_their_first_byte(octets, after):
    """Before them are two characters of one byte, and then one of two bytes and one of four."""
    text = "a/\u00e9\U0001f600".encode() + octets + after
    assert Engine("rfc3987").offsets(pa.array([text], pa.binary())).to_pylist() == [4]


def components_of(spec, rule, profile, text):
    """Return the components of a text with the name and value pairs of prospero as they stand in it."""
    try:
        parts = spec.asdict(spec.parse(text, rule, profile))
    except (InvalidURL, Unsupported):  # prose may derive what the grammar does not
        return None
    if parts.get("fieldspecs"):
        parts["fieldspecs"] = "".join(f";{name}={content}" for name, content in parts["fieldspecs"])
    return parts


#: Each RFC with its default rule, and two rules of RFC 1738 that have components of their own.
EACH_RULE_WITH_COMPONENTS = pytest.mark.parametrize(
    ("spec", "rule"),
    [
        *(pytest.param(spec, None, id=spec) for spec in SPECS),
        pytest.param("rfc1738", "genericurl", id="genericurl"),
        pytest.param("rfc1738", "ftpurl", id="ftpurl"),
    ],
)


@EACH_RULE_WITH_COMPONENTS
@pytest.mark.sampled(6)
def test_components_are_those_of_the_oracle(spec, rule):
    engine = Engine(spec, rule)
    components_of_texts = engine.split(pa.array(TEXTS)).to_pylist()
    absent_components = dict.fromkeys(engine.components)
    valid_texts = []
    for text, components in zip(TEXTS, components_of_texts, strict=True):
        right_components = components_of(SPECIFICATIONS[spec], rule, None, text)
        if right_components is not None:
            valid_texts.append(text)
            # the engine has a column for the components of each scheme
            right_components = absent_components | right_components
        assert components == right_components, text
    assert valid_texts != []


def cut_out(text, bounds):
    """Return the parts of a text in bytes between bounds, or None for a text without bounds.

    The beginning of an absent component is negative.
    """
    if bounds is None:
        return None
    parts = {}
    for name, bound in bounds.items():
        is_absent = bound["begin"] < 0
        parts[name] = None if is_absent else text[bound["begin"] : bound["end"]].decode()
    return parts


@EACH_RULE_WITH_COMPONENTS
@pytest.mark.sampled(6)
def test_spans_cut_the_components_out_of_the_text(spec, rule):
    engine = Engine(spec, rule)
    components = engine.split(pa.array(TEXTS)).to_pylist()
    spans = engine.spans(pa.array(TEXTS)).to_pylist()
    parts_between_bounds = [cut_out(text.encode(), bounds) for text, bounds in zip(TEXTS, spans, strict=True)]
    assert [parts for parts in parts_between_bounds if parts] != []
    assert parts_between_bounds == components


def test_a_rule_without_components_cannot_be_split():
    """A port has no parts."""
    with pytest.raises(Unsupported, match="no components for port"):
        Engine("rfc3986", "port").spans(pa.array(["80"]))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("delimiter", ":/@?#")
def test_a_planted_wrong_store_changes_a_span(monkeypatch, delimiter):
    """If transitions store the position in another slot, a span is wrong.

    The table has 256 entries for each state, one for each byte. The last eight bits of an entry are the slot,
    or 0. The other bits are the state that follows, which is 0 if there is none.
    """
    engine = Engine("rfc3986")
    column = pa.array(["http://u@h:80/p?q#f", "//h", "a:b?#"])
    right_spans = engine.spans(column)
    right_table = engine._divider._splitter
    faulty = right_table.following.copy()
    for index, entry in enumerate(right_table.following):
        reads_the_delimiter = index & 255 == ord(delimiter)
        slot = entry & 255
        if reads_the_delimiter and slot and entry >> 8:
            faulty[index] -= slot
    faulty.flags.writeable = False
    monkeypatch.setattr(engine._divider, "_splitter", right_table._replace(following=faulty))
    assert not engine.spans(column).equals(right_spans)


def test_no_component_of_a_valid_text_has_the_bounds_of_an_invalid_text():
    valid_texts = ["http://u@h:80/p?q#f", "//h", "a:b?#"]
    for spans in Engine("rfc3986").spans(pa.array(valid_texts)).to_pylist():
        for component, span in spans.items():
            assert span["begin"] != INVALID, component
            assert span["end"] != INVALID, component
