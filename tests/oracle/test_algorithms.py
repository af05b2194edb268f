"""The algorithms of an RFC: a record of functions that is complete where the RFC defines an operation."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

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
#: The header lines `Obsoletes:` of the RFCs.
OBSOLETES = {
    "rfc1738": (),
    "rfc1808": (),
    "rfc2396": (),
    "rfc2732": (),
    "rfc3986": ("rfc2732", "rfc2396", "rfc1808"),
    "rfc3987": (),
}
#: The header lines `Updates:` of the RFCs; RFC 1808 and 2732 say it in their text.
UPDATES = {
    "rfc1738": (),
    "rfc1808": ("rfc1738",),
    "rfc2396": ("rfc1808", "rfc1738"),
    "rfc2732": ("rfc2396",),
    "rfc3986": ("rfc1738",),
    "rfc3987": (),
}


@pytest.mark.parametrize("operation", NEEDED)
@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_an_operation_is_defined_exactly_if_there_is_an_algorithm(spec, operation):
    specification = SPECIFICATIONS[spec]
    has_algorithm = getattr(specification.algorithms, NEEDED[operation]) is not None
    assert specification.defines(operation) == has_algorithm


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_exactly_an_rfc_with_a_normal_form_has_other_forms_too(spec):
    algorithms = SPECIFICATIONS[spec].algorithms
    has_normal_form = algorithms.normalize is not None
    has_other_forms = algorithms.variants is not None or algorithms.normal_forms is not None
    assert has_other_forms == has_normal_form


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_specification_names_the_rfcs_that_it_obsoletes(spec):
    assert SPECIFICATIONS[spec].obsoletes == OBSOLETES[spec]


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_specification_names_the_rfcs_that_it_updates(spec):
    assert SPECIFICATIONS[spec].updates == UPDATES[spec]


def test_an_algorithm_cannot_change_its_rules():
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'spec'"):
        SPECIFICATIONS["rfc3986"].rules.spec = "rfc2396"


@pytest.fixture
def specification_of_few_algorithms():
    """RFC 3986 with the algorithms that every specification has, and no other."""
    algorithms = SPECIFICATIONS["rfc3986"].algorithms
    few_algorithms = type(algorithms)(
        reader=algorithms.reader, asdict=algorithms.asdict, recompose=algorithms.recompose
    )
    return replace(SPECIFICATIONS["rfc3986"], sections={}, algorithms=few_algorithms)


def test_an_rfc_without_an_algorithm_for_readings_knows_no_other_reading(specification_of_few_algorithms):
    assert specification_of_few_algorithms.readings(parse("URL:http://h/", "rfc3986")) == ()


@pytest.mark.parametrize("operation", ["resolve", "base", "normalize", "equivalent", "extract"])
def test_an_rfc_does_not_define_an_operation_without_an_algorithm(operation, specification_of_few_algorithms):
    assert not specification_of_few_algorithms.defines(operation)
