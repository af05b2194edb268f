"""Characters that may stay encoded, and those that must not."""

from __future__ import annotations

import pytest

from urloracle.rfc.doubtful import ruling_on

#: Characters of each kind that section 6.1 names.
ADVISED_AGAINST = {
    "blank": "\u3000",
    "line-separator": "\u2028",
    "without-a-width": "\u200b",
    "joiner": "\u200d",
    "soft-hyphen": "\u00ad",
    "selector": "\ufe0f",
    "description-of-an-ideograph": "\u2ff0",
    "full-width": "\uff21",
    "half-width": "\uff76",
    "ligature": "\ufb01",
    "superscript": "\u00b2",
    "kelvin": "\u212a",
    "look-alike-of-the-slash": "\u2044",
    "look-alike-of-the-full-stop": "\u3002",
    "look-alike-of-the-quote": "\u201d",
    "cyrillic-a": "\u0430",
    "greek-omicron": "\u03bf",
    "armenian-oh": "\u0585",
    "cherokee-a": "\u13aa",
}


@pytest.mark.parametrize("char", ADVISED_AGAINST.values(), ids=ADVISED_AGAINST)
def test_a_character_against_which_the_rfc_advises_may_stay(char):
    assert ruling_on(char) == "R-3987-08"


@pytest.mark.parametrize("char", "\u061c\u2066\u2067\u2068\u2069", ids=ascii)
def test_a_formatting_character_of_later_years_may_stay(char):
    assert ruling_on(char) == "R-3987-07"


#: A letter, a mark, an unassigned character, an ideograph, a letter that looks like none of ASCII, a symbol.
ORDINARY = "\u00e9\u0301\u0378\u4e2d\u0416\u0394\u05d0\u20ac\U0001f600\U000e1000"


@pytest.mark.parametrize("char", ORDINARY, ids=ascii)
def test_an_ordinary_character_is_decoded(char):
    assert ruling_on(char) is None


@pytest.mark.parametrize("char", "A~ -", ids=ascii)
def test_a_character_of_ascii_is_never_doubtful(char):
    assert ruling_on(char) is None
