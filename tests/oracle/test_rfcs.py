"""The specifications: one text under each of those on URLs, and names that do not exist."""

from __future__ import annotations

import pytest

from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification

#: The specifications of URLs in their order; RFC 3987 on IRIs follows them.
ORDER = ("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986")


#: For a whole URL or reference the offset of its error under each of these RFCs, or None if it is valid:
#: RFC 1738, 1808, 2396, 2732 and 3986.
EVERYWHERE = {
    "": (0, None, None, None, None),
    "x": (1, None, None, None, None),
    "x:": (None, None, 2, 2, None),
    "4x:y": (None, None, 2, 2, 2),
    "~x": (0, 0, None, None, None),
    "x/~y": (1, 2, None, None, None),
    "ftp://x/~y": (8, 8, None, None, None),
    "HTTP://x/y": (None, None, None, None, None),
    "http://x/y#z": (10, None, None, None, None),
    "http://x/#y#z": (9, 11, 11, 11, 11),
    "http://x?y": (8, None, None, None, None),
    "http://x/?y?z": (11, None, None, None, None),
    "http://x_y/": (8, None, None, None, None),
    "http://x:/": (9, None, None, None, None),
    "http://x:8a/": (10, None, None, None, 11),
    "http://u@x/": (8, None, None, None, None),
    "ftp://u?:p@x/": (None, None, None, None, None),
    "http://[::1]/": (7, 7, 7, None, None),
    "http://[::1]": (7, 7, 7, None, None),
    "http://x/[y]": (9, 9, 9, 9, 9),
    "http://x/?[y]": (10, 10, 10, None, 10),
    "x y": (1, 1, 1, 1, 1),
    "http://x/%4": (11, 11, 11, 11, 11),
    "http://x/%4g": (11, 11, 11, 11, 11),
    "http://x/%zz": (10, 10, 10, 10, 10),
    "http://x/\u00e9": (9, 9, 9, 9, 9),
    "http://x/\x7f": (9, 9, 9, 9, 9),
    "//x//y": (0, 4, None, None, None),
    "a_b:c": (1, None, 3, 3, 3),
    ":a": (0, None, 0, 0, 0),
    "?a": (0, None, None, None, None),
    "news:*": (None, None, None, None, None),
    "news:*x": (7, None, None, None, None),
    "telnet://x/y": (11, None, None, None, None),
}


@pytest.mark.parametrize("text", EVERYWHERE)
def test_every_rfc_gives_its_verdict(text):
    """The RFCs differ exactly as RFC 2396 appendix G, 2732 section 3 and 3986 appendix D list."""
    problems = {spec: SPECIFICATIONS[spec].problem(text) for spec in ORDER}
    offsets = {spec: None if problem is None else problem.position for spec, problem in problems.items()}
    assert offsets == dict(zip(ORDER, EVERYWHERE[text], strict=True))


def test_an_unknown_specification_is_an_error():
    """The error names the specifications that there are."""
    with pytest.raises(UnknownSpecification) as caught:
        specification("rfc3988")
    assert str(caught.value) == (
        "no specification named 'rfc3988'; choose from rfc1738, rfc1808, rfc2396, rfc2732, rfc3986, rfc3987"
    )


def test_a_specification_stands_for_itself():
    assert [specification(spec) for spec in SPECIFICATIONS.values()] == list(SPECIFICATIONS.values())


def test_specifications_are_in_the_order_of_their_numbers():
    assert list(SPECIFICATIONS) == [*ORDER, "rfc3987"]


#: What an RFC does not define.
UNDEFINED = {
    "rfc1738": {"resolve", "normalize", "base"},
    "rfc1808": {"normalize", "extract", "equivalent", "decode"},
    "rfc2396": {"decode"},
    "rfc2732": {"decode"},
    "rfc3986": {"decode"},
}


@pytest.mark.parametrize("spec", ORDER)
def test_each_rfc_defines_its_operations(spec):
    names = ("resolve", "normalize", "base", "extract", "equivalent", "recompose", "decode")
    assert {name for name in names if not SPECIFICATIONS[spec].defines(name)} == UNDEFINED[spec]
