"""Readers of whole URLs: the one in Python has the methods of the engine's, and one serves all functions."""

from __future__ import annotations

import pytest

from urloracle import operations
from urloracle.errors import InvalidURL, Unsupported
from urloracle.readers import ENGINE_KINDS, PureReader
from urloracle.rfcs import SPECIFICATIONS
from urloracle.splitting import SPLITTINGS


def pure_reader(spec):
    """Return the reader in Python, whether or not there is an engine."""
    return PureReader(spec.algorithms, spec.rules, lambda text: spec.languages[spec.judging_rule(text)])


READERS = {name: pure_reader(spec) for name, spec in SPECIFICATIONS.items()}
INVALID = {**dict.fromkeys(SPECIFICATIONS, "a b"), "rfc1738": "http://h/a b"}


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_reader_in_python_reads_a_valid_text(spec):
    assert READERS[spec].read("http://h/") == operations.parse("http://h/", spec)


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_reader_in_python_views_a_valid_text(spec):
    assert READERS[spec].view("http://h/").scheme == "http"


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_reader_in_python_accepts_a_valid_text(spec):
    assert READERS[spec].accepts("http://h/")


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_reader_in_python_neither_reads_nor_views_nor_accepts_an_invalid_text(spec):
    assert READERS[spec].read(INVALID[spec]) is None
    assert READERS[spec].view(INVALID[spec]) is None
    assert not READERS[spec].accepts(INVALID[spec])


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_reader_in_python_has_the_offset_of_the_blank_in_an_invalid_text(spec):
    assert READERS[spec].offset(INVALID[spec]) == INVALID[spec].index(" ")


def test_a_reader_in_python_accepts_no_bytes():
    """The reader of the C engine accepts none, either."""
    assert not READERS["rfc3986"].accepts(b"http://h/")


@pytest.mark.parametrize("spec", [name for name, spec in SPECIFICATIONS.items() if spec.defines("resolve")])
def test_a_reader_in_python_resolves(spec):
    assert READERS[spec].resolve("http://h/a", "b").text == "http://h/b"


def test_a_reader_of_an_rfc_without_resolution_says_so():
    with pytest.raises(Unsupported, match="RFC 1738 does not define relative references"):
        _ = READERS["rfc1738"].resolve


@pytest.mark.parametrize(("spec", "ruling"), [("rfc1808", "R-1808-13"), ("rfc2396", "R-2396-17")])
def test_the_literal_alternative_has_the_ruling_of_the_rfc(spec, ruling):
    """The engine asks for it: a base with an authority and an empty path."""
    (alternative,) = READERS[spec].alternatives("http://h/g", None, "http://hg").also
    assert alternative == ("http://hg", "literal", ruling)


#: The fields of a prospero URL are pairs, which Python makes.
NOT_SPLIT_BY_THE_ENGINE = {"rfc1738": {"prosperourl"}}


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_the_engine_has_a_class_for_each_rule_that_it_splits(spec):
    without_class = SPLITTINGS[spec].components.keys() - ENGINE_KINDS.keys()
    assert without_class == NOT_SPLIT_BY_THE_ENGINE.get(spec, set())


def test_all_functions_share_one_reader(anew):
    """Whichever function is asked first opens the reader, and the others find it."""
    spec = anew("rfc3986")
    operations.validate("x:", "rfc3986")
    assert list(operations._READERS.values()) == [spec.reader]
    operations.parse("x:", "rfc3986")
    operations.view("x:", "rfc3986")
    operations.resolve("x:", "y:", "rfc3986")
    assert list(operations._READERS.values()) == [spec.reader]


@pytest.mark.parametrize("function", [operations.validate, operations.parse, operations.view])
@pytest.mark.parametrize(
    ("text", "error"), [("a b", InvalidURL), (None, TypeError)], ids=["invalid", "no-text"]
)
def test_the_first_text_of_an_rfc_is_refused_like_later_ones(anew, function, text, error):
    anew("rfc3986")
    with pytest.raises(error) as first:
        function(text, "rfc3986")
    with pytest.raises(error) as second:
        function(text, "rfc3986")
    assert repr(first.value) == repr(second.value)
