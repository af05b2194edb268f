"""Facts about whole languages that docs/rulings.md states, decided exactly on the automata."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from urloracle.automata.dfa import Automaton, difference, product
from urloracle.grammar.grammar import source
from urloracle.grammar.notation import ABNF, RFC822, Dialect, read
from urloracle.language import Language
from urloracle.rfcs import SPECIFICATIONS

SCHEMES = ("http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "mailto", "file", "prospero")


def _language(spec: str, expression: str) -> Automaton:
    """Return the automaton of a right-hand side in the notation of a specification, over its own rules."""
    rules = replace(SPECIFICATIONS[spec].grammar, fold_scheme=frozenset())
    if expression in rules:
        return Language(rules, expression).automaton
    text = read(f"fact = {expression}", ABNF if spec == "rfc3986" else RFC822)
    return Language(rules.overlay(text), "fact").automaton


def _witness(left, right):
    """Return a shortest text of the left language that is not in the right one, or None if there is none."""
    return difference(left, right).shortest_member()


#: Two expressions that have one language, by the ruling that says so.
EQUAL = {
    "R-1738-01": ("rfc1738", "url", "rfc1738", "genericurl"),
    "R-1738-02": ("rfc1738", "schemepart", "rfc1738", "*xchar"),
    "R-1738-19": ("rfc1738", "gopherurl", "rfc1738", '"gopher://" hostport [ "/" *xchar ]'),
    "R-1738-23": ("rfc1738", "fileurl", "rfc1738", '"file://" [ host ] "/" fpath'),
    "R-1808-01": ("rfc1808", "absoluteURL", "rfc1808", 'scheme ":" *( uchar | reserved )'),
    "R-2396-02": ("rfc2396", 'relativeURI | "?" query', "rfc2396", "relativeURI"),
    "R-2396-12": ("rfc2396", '"//" path_segments', "rfc2396", "net_path"),
    "R-2396-33": (
        "rfc2396",
        '( [ rel_segment ] [ ( "/" | "?" ) *uric ] | scheme ":" 1*uric ) [ "#" *uric ]',
        "rfc2396",
        "URI-reference",
    ),
    "R-2732-06": ("rfc2732", "IPv6reference", "rfc2732", '"[" ipv6ADDRESS "]"'),
    "R-3986-01": ("rfc3986", "path-empty", "rfc3986", "0pchar"),
    "R-3986-02": ("rfc3986", "HEXDIG", "rfc1738", "hex"),
    "R-3986-03": ("rfc3986", "dec-octet", "rfc3986", " / ".join(f'"{n}"' for n in range(256))),
    "R-3986-04": ("rfc3986", "host", "rfc3986", "IP-literal / reg-name"),
    "R-3986-10": ("rfc3986", "path", "rfc3986", "path-abempty / path-rootless"),
    "R-3986-27": ("rfc2396", "rel_segment", "rfc3986", "segment-nz-nc"),
    "R-3986-28": ("rfc3986", "URI-reference", "rfc3986", "URI / relative-ref"),
}


@pytest.mark.parametrize("ruling", EQUAL)
def test_two_expressions_of_a_ruling_have_one_language(ruling):
    first_spec, first, second_spec, second = EQUAL[ruling]
    left = _language(first_spec, first)
    right = _language(second_spec, second)
    assert _witness(left, right) is None
    assert _witness(right, left) is None


#: A language, one that it is part of, and a shortest text that only the larger one has.
PARTS = {
    "R-1738-01": ("rfc1738", "httpurl", "rfc1738", "genericurl", "+:"),
    "R-1738-02": ("rfc1738", "ip-schemepart", "rfc1738", "*xchar", ""),
    "R-1808-01": ("rfc1808", "generic-RL", "rfc1808", "absoluteURL", "+:////"),
    "R-2396-08": ("rfc2396", "rel_segment", "rfc2396", "segment", ""),
    "R-2396-11": ("rfc2396", "hostport", "rfc2396", "reg_name", "!"),
    "R-2732-04": ("rfc2732", "IPv4address", "rfc2396", "IPv4address", "0.0.0.0000"),
    "R-2732-10": ("rfc2396", "URI-reference", "rfc2732", "URI-reference", "#["),
    "R-3986-04": ("rfc3986", "IPv4address", "rfc3986", "reg-name", ""),
    "R-3986-28": ("rfc3986", "absolute-URI", "rfc3986", "URI", "A:#"),
    **{
        f"R-3986-29-{name}": ("rfc1738", f"{name}url", "rfc3986", "URI", "A:")
        for name in ("http", "nntp", "gopher", "wais", "file", "prospero")
    },
}


@pytest.mark.parametrize("ruling", PARTS)
def test_one_language_of_a_ruling_contains_the_other_and_is_larger(ruling):
    small_spec, small, large_spec, large, extra = PARTS[ruling]
    smaller = _language(small_spec, small)
    larger = _language(large_spec, large)
    assert _witness(smaller, larger) is None
    assert _witness(larger, smaller) == extra


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_urls_of_a_scheme_of_rfc1738_are_some_of_the_uris_of_rfc2396(scheme):
    """R-2396-30 says so."""
    urls = _language("rfc1738", f"{scheme}url")
    uris = _language("rfc2396", "absoluteURI")
    assert _witness(urls, uris) is None
    assert _witness(uris, urls) is not None


#: Two languages, and the language of the texts of the first that are not in the second.
DIFFERENCES = {
    "R-1808-18": (
        ("rfc1808", "absoluteURL"),
        ("rfc1808", "generic-RL"),
        ("rfc1808", 'scheme "://" net_loc "//" *( uchar | reserved )'),
    ),
    "R-2396-11": (("rfc2396", "server"), ("rfc2396", "reg_name"), ("rfc2396", '""')),
    "R-3986-27-abs_path": (
        ("rfc2396", "abs_path"),
        ("rfc3986", "path-absolute"),
        ("rfc2396", '"//" path_segments'),
    ),
    "R-3986-27-rel_path": (
        ("rfc3986", "path-rootless"),
        ("rfc2396", "rel_path"),
        (
            "rfc3986",
            '[ segment-nz-nc ] ":" segment path-abempty',
        ),
    ),
    "R-3986-27-uric": (
        ("rfc2396", "uric"),
        ("rfc3986", 'unreserved / pct-encoded / ";" / "?" / ":" / "@" / "&" / "=" / "+" / "$" / "," / "/"'),
        ("rfc3986", '"!" / "*" / "\'" / "(" / ")"'),
    ),
}


@pytest.mark.parametrize("ruling", DIFFERENCES)
def test_two_languages_of_a_ruling_differ_in_exactly_the_listed_texts(ruling):
    first, second, texts_of_the_first_alone = DIFFERENCES[ruling]
    remaining = difference(_language(*first), _language(*second))
    expected = _language(*texts_of_the_first_alone)
    assert _witness(remaining, expected) is None
    assert _witness(expected, remaining) is None


#: A specification, and alternatives of which no two derive the same text.
DISJOINT = {
    "R-1738-25": ("rfc1738", "waisdatabase", "waisindex", "waisdoc"),
    "R-1738-27": ("rfc1738", "group", "article", '"*"'),
    "R-2396-13": ("rfc2396", "hostname", "IPv4address"),
    "R-2732-07": ("rfc2732", "hostname", "IPv4address", "IPv6reference"),
    "R-3986-05": ("rfc3986", "IPv6address", "IPv4address", "IPvFuture"),
    "R-3986-28": ("rfc3986", "URI", "relative-ref"),
}


@pytest.mark.parametrize("ruling", DISJOINT)
def test_no_text_is_derived_by_two_alternatives(ruling):
    """The order of the alternatives is therefore of no consequence."""
    spec, *expressions = DISJOINT[ruling]
    languages = [_language(spec, expression) for expression in expressions]
    for left, right in combinations(languages, 2):
        assert product(left, right, bool.__and__).shortest_member() is None, (left, right)


#: Examples of the rulings: a text that is in the first language and not in the second.
WITNESSES = [
    ("R-2396-30", "+:", ("rfc1738", "genericurl"), ("rfc2396", "absoluteURI")),
    ("R-2396-30", "1:x", ("rfc1738", "genericurl"), ("rfc2396", "absoluteURI")),
    ("R-2396-30", "a:", ("rfc1738", "genericurl"), ("rfc2396", "absoluteURI")),
    ("R-3986-29", "ftp://:$?@a", ("rfc1738", "ftpurl"), ("rfc3986", "URI")),
    ("R-3986-29", "telnet://:$?@a", ("rfc1738", "telneturl"), ("rfc3986", "URI")),
    ("R-3986-29", "news://:$/@a", ("rfc1738", "newsurl"), ("rfc3986", "URI")),
    ("R-3986-29", "mailto://:$", ("rfc1738", "mailtourl"), ("rfc3986", "URI")),
    ("R-3986-27", "?a", ("rfc2396", "opaque_part"), ("rfc3986", 'path-rootless [ "?" query ]')),
    ("R-3986-27", "a/b", ("rfc2396", "path_segments"), ("rfc3986", "path-abempty")),
    ("R-3986-27", "", ("rfc3986", "reg-name"), ("rfc2396", "hostname")),
    ("R-3986-27", "!", ("rfc3986", "authority"), ("rfc2396", "server")),
    ("R-3986-27", "a_b:1", ("rfc3986", 'host [ ":" port ]'), ("rfc2396", "hostport")),
    ("R-1808-01", "g:////", ("rfc1808", "absoluteURL"), ("rfc1808", "generic-RL")),
    ("R-1808-07", "http://h//x", ("rfc1808", "absoluteURL"), ("rfc1808", "generic-RL")),
    ("R-1738-26", "foo", ("rfc1738", "encoded822addr"), ("rfc1738", '*xchar ( "@" | "%40" ) *xchar')),
]


@pytest.mark.parametrize(
    ("text", "accepting", "refusing"),
    [pytest.param(*languages, id=f"{ruling}-{languages[0]}") for ruling, *languages in WITNESSES],
)
def test_an_example_of_a_ruling_is_valid_in_one_language_and_not_in_the_other(text, accepting, refusing):
    assert _language(*accepting).accepts(text)
    assert not _language(*refusing).accepts(text)


@pytest.mark.parametrize(
    ("rule", "text"), [("genericurl", ":x"), ("newsurl", "news:@h")], ids=["genericurl", "newsurl"]
)
def test_brackets_after_a_repetition_are_a_group(rule, text):
    """G-01: read as optional elements, the brackets of RFC 1738 would make these URLs."""
    rules = SPECIFICATIONS["rfc1738"].grammar
    optional = Dialect(fold_literals=False, brackets_group_after_repetition=False)
    assert Language(rules.overlay(read(source("rfc1738.bnf"), optional)), rule).accepts(text)
    assert not Language(rules, rule).accepts(text)


def test_alternation_binds_weakest():
    """G-02: a label of one letter is a label, which the other reading of `|` would deny."""
    assert _language("rfc1738", "domainlabel").accepts("a")
    assert not _language("rfc1738", "( alphadigit | alphadigit ) *[ alphadigit ] alphadigit").accepts("a")


_CLARK = re.compile(r"(?:[A-Za-z0-9;/?:@&=+$,\-_.!~*'()]|%[0-9A-Fa-f]{2})*")


def _meets_clark(text):
    """Return True if a text meets the four conditions that R-2396-33 quotes."""
    before, _, fragment = text.partition("#")
    if not _CLARK.fullmatch(before) or not _CLARK.fullmatch(fragment):
        return False  # legal characters, well-formed escapes, at most one number sign
    scheme, colon, rest = before.partition(":")
    if not colon or set(scheme) & set("/?"):
        return True
    return bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9+.\-]*", scheme) and rest)


@settings(derandomize=True, deadline=None, max_examples=1000, database=None)
@given(st.text("aZ0:/?#%+-.~[]@ ", max_size=12))
@example("a:")
@example("a:#")
@example(":a")
@example("?:")
@example("a%41:b")
def test_the_informal_conditions_of_clark_are_the_corrected_grammar(text):
    """R-2396-33 says so."""
    assert SPECIFICATIONS["rfc2396"].language("URI-reference").accepts(text) == _meets_clark(text)


@pytest.mark.parametrize(
    ("spec", "rule"),
    [(name, rule) for name, specification in SPECIFICATIONS.items() for rule in specification.grammar],
)
def test_prose_only_takes_away(spec, rule):
    """Profile `prose` adds conditions of the text (G-06): it admits nothing that the grammar refuses."""
    specification = SPECIFICATIONS[spec]
    assert _witness(specification.automaton(rule, "prose"), specification.automaton(rule, "generic")) is None
