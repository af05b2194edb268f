"""The algorithms of an RFC: a record of functions that is complete where the RFC defines an operation."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from urloracle.algorithms import Rules
from urloracle.operations import parse
from urloracle.rfcs import SPECIFICATIONS

#: The algorithm without which an operation is not defined.
NEEDED = {
    "resolve": "resolver",
    "base": "base",
    "normalize": "normalize",
    "equivalent": "compare",
    "extract": "extract",
    "recompose": "recompose",
}
#: The header lines `Obsoletes:` and `Updates:` of the RFCs; RFC 1808 and 2732 say it in their text.
PLACES = {
    "rfc1738": ((), ()),
    "rfc1808": ((), ("rfc1738",)),
    "rfc2396": ((), ("rfc1808", "rfc1738")),
    "rfc2732": ((), ("rfc2396",)),
    "rfc3986": (("rfc2732", "rfc2396", "rfc1808"), ("rfc1738",)),
}


@pytest.mark.parametrize("operation", NEEDED)
@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_an_operation_is_defined_if_there_is_an_algorithm(spec, operation):
    chosen = SPECIFICATIONS[spec]
    assert chosen.defines(operation) == (getattr(chosen.algorithms, NEEDED[operation]) is not None)


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_the_variants_belong_to_the_normal_form(spec):
    algorithms = SPECIFICATIONS[spec].algorithms
    assert (algorithms.variants is None) == (algorithms.normalize is None)


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_the_place_of_an_rfc_among_the_others(spec):
    chosen = SPECIFICATIONS[spec]
    assert (chosen.obsoletes, chosen.updates) == PLACES[spec]


def test_rules_have_nothing_of_the_specification_but_what_they_list():
    """An algorithm cannot reach the other algorithms, and cannot change what it is given."""
    rules = SPECIFICATIONS["rfc3986"].rules
    assert [field.name for field in fields(Rules)] == [
        "spec",
        "title",
        "languages",
        "schemes",
        "absolute",
        "read",
        "parse",
        "refusal",
        "resolve",
    ]
    with pytest.raises(FrozenInstanceError):
        rules.spec = "rfc2396"


def test_an_rfc_with_few_algorithms():
    """What is not given is not defined, and no other reading of a text is known."""
    algorithms = SPECIFICATIONS["rfc3986"].algorithms
    few = replace(
        SPECIFICATIONS["rfc3986"],
        sections={},
        algorithms=type(algorithms)(
            reader=algorithms.reader, asdict=algorithms.asdict, recompose=algorithms.recompose
        ),
    )
    assert few.readings(parse("URL:http://h/", "rfc3986")) == ()
    assert not few.defines("resolve")
