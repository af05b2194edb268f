"""Ambiguities planted in grammars and lists of components: the proof of one split for each text fails."""

from __future__ import annotations

import pytest

from urloracle.rfcs import SPECIFICATIONS

from . import split_rulings
from .ambiguity import bracketed_language

READ, RULINGS, REFERENCE, ruled = (
    split_rulings.READ,
    split_rulings.RULINGS,
    split_rulings.REFERENCE,
    split_rulings.ruled,
)


def test_a_ruling_that_drops_too_much_is_seen():
    """Were every authority without a host dropped, the empty one would have no split left (R-2396-10)."""
    spec = SPECIFICATIONS["rfc2396"]
    authority, server = RULINGS["rfc2396", REFERENCE]
    whole = server._replace(
        dropped=server.dropped.replace("[ userinfo", "[ [ userinfo").replace("hostport", "hostport ]")
    )
    case = (REFERENCE, READ["rfc2396", REFERENCE])
    language = ruled(spec, *case, [authority, whole])
    assert language.ambiguity() is None
    assert not language.texts().accepts("//")
    assert ruled(spec, *case, RULINGS["rfc2396", REFERENCE]).texts().accepts("//")


# grammar file, rule, source text, replacement: a shortest text with two splits
FAULTS = {
    "colon-in-name-and-port": (
        "rfc3986.abnf",
        REFERENCE,
        ("reg-name      = *( unreserved", 'reg-name = *( ":" / unreserved'),
        "//:",
    ),
    "userinfo-without-at": ("rfc3986.abnf", REFERENCE, ('userinfo "@" ]', 'userinfo [ "@" ] ]'), "//"),
    "question-mark-in-path": (
        "rfc3986.abnf",
        REFERENCE,
        ('/ ":" / "@"\n', '/ ":" / "@" / "?"\n'),
        "/?",
    ),
    "colon-in-user-and-password": (
        "rfc1738.bnf",
        "ftpurl",
        ("user           = *[ uchar", 'user = *[ ":" | uchar'),
        "ftp://:@a",
    ),
    "question-mark-in-hsegment": (
        "rfc1738.bnf",
        "httpurl",
        ("hsegment       = *[ uchar", 'hsegment = *[ "?" | uchar'),
        "http://a/?",
    ),
    "slash-in-database": (
        "rfc1738.bnf",
        "waisurl",
        ("database       = *uchar", 'database = *[ uchar | "/" ]'),
        "wais://a///",
    ),
    "at-in-group": (
        "rfc1738.bnf",
        "newsurl",
        ('alpha | digit | "-" | "." | "+"', 'alpha | digit | "@" | "." | "+"'),
        "news:a@a",
    ),
    "slash-in-group": (
        "rfc1738.bnf",
        "nntpurl",
        ('alpha | digit | "-" | "." | "+"', 'alpha | digit | "/" | "." | "+"'),
        "nntp://a/a/0",
    ),
    "slash-may-lack": (
        "rfc1738.bnf",
        "prosperourl",
        ('hostport "/" ppath', 'hostport [ "/" ] ppath'),
        "prospero://aa",
    ),
    "crosshatch-in-query": (
        "rfc2396.bnf",
        REFERENCE,
        ("query         = *uric", 'query = *( "#" | uric )'),
        "?#",
    ),
    "empty-first-segment": ("rfc1808.bnf", "URL", ("fsegment    = 1*pchar", "fsegment = *pchar"), ""),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_in_a_grammar_is_seen(name, anew, plant):
    """An ambiguity put into a grammar is found in spite of the rulings, with a shortest ambiguous text."""
    file, rule, change, text = FAULTS[name]
    spec = anew(file.partition(".")[0])
    case = (rule, READ[spec.id, rule], RULINGS.get((spec.id, rule), []))
    assert ruled(spec, *case).ambiguity() is None
    plant(file, *change)
    found = ruled(anew(spec.id), *case).ambiguity()
    assert found is not None
    assert (found.text, found.one != found.other) == (text, True)


# components that the oracle does not read, and a shortest text with two splits
COMPONENTS = {
    "one-kind-of-host": ("rfc3986", REFERENCE, ("authority", "authority/host=IPv4address"), "//0.0.0.0"),
    "one-kind-of-path": ("rfc2396", REFERENCE, ("path=abs_path",), "//"),
    "one-kind-of-absolute-url": ("rfc1808", "URL", ("generic-RL",), "a:"),
    "the-latter-of-two-alternatives": ("rfc1738", "genericurl", ("ip-schemepart",), "a://a"),
}


@pytest.mark.parametrize("name", COMPONENTS)
def test_fault_in_components_is_seen(name):
    """A component has no certain place where another rule beside it derives the same texts."""
    spec, rule, components, text = COMPONENTS[name]
    found = bracketed_language(SPECIFICATIONS[spec].grammar, rule, components).ambiguity()
    assert found is not None
    assert found.text == text
