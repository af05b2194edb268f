"""Recomposition: the reverse of parsing, where the RFC lets it be one."""

from __future__ import annotations

import pytest

from urloracle.operations import parse, recompose, recompositions
from urloracle.rfc.recomposition import MissingComponent, derive
from urloracle.rfcs import SPECIFICATIONS

SCHEMES = SPECIFICATIONS["rfc1738"].schemes


by_whole_rule = pytest.mark.parametrize(
    ("spec", "rule"),
    [(spec.id, spec.default_rule) for spec in SPECIFICATIONS.values()]
    + [("rfc1738", rule) for rule in (*SCHEMES.values(), "genericurl")],
)


@pytest.mark.sampled(keep="rfc3986")
@by_whole_rule
def test_recomposition_reverses_parsing(spec, rule, walks):
    """RFC 1808 4.7, 2396 5.2.7, 3986 5.3, and the productions of RFC 1738: text, parts, the same text.

    No component of RFC 1738 has the slash of sections 3.4.1 and 3.8, and RFC 1808 treats empty and absent
    alike: there the text is one of several.
    """
    specification = SPECIFICATIONS[spec]
    for text in walks(spec, rule).members(300, seed=9):
        components = specification.asdict(parse(text, spec, rule))
        assert text in recompositions(components, spec), text


@pytest.mark.sampled(keep="rfc3986")
@by_whole_rule
def test_components_are_recomposed_to_the_first_of_their_texts(spec, rule, walks):
    specification = SPECIFICATIONS[spec]
    for text in walks(spec, rule).members(300, seed=9):
        components = specification.asdict(parse(text, spec, rule))
        first_text, *_ = recompositions(components, spec)
        assert recompose(components, spec) == first_text, text


@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732", "rfc3986"])
def test_the_generic_rfcs_admit_one_text_for_parsed_components(spec, walks):
    specification = SPECIFICATIONS[spec]
    for text in walks(spec, specification.default_rule).members(300, seed=9):
        assert recompositions(specification.asdict(parse(text, spec)), spec) == [text], text


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rule", [SPECIFICATIONS["rfc1738"].default_rule, *SCHEMES.values(), "genericurl"])
def test_every_admitted_text_of_rfc1738_has_the_same_components(rule, walks):
    specification = SPECIFICATIONS["rfc1738"]
    for text in walks("rfc1738", rule).members(300, seed=9):
        parts = parse(text, "rfc1738", rule)
        texts = recompositions(specification.asdict(parts), "rfc1738")
        assert {parse(admitted, "rfc1738", rule) for admitted in texts} == {parts}, text


# (spec, components, every admissible text)
SEVERAL = [
    ("rfc1738", {"scheme": "telnet", "host": "h"}, ["telnet://h/", "telnet://h"]),  # section 3.8
    ("rfc1738", {"scheme": "gopher", "host": "h"}, ["gopher://h/", "gopher://h"]),  # section 3.4.1
    ("rfc1738", {"scheme": "gopher", "host": "h", "gtype": "1", "selector": ""}, ["gopher://h/1"]),
    ("rfc1808", {"path": "a", "query": ""}, ["a", "a?"]),  # R-1808-09
    ("rfc1808", {"path": "a", "params": "", "fragment": ""}, ["a", "a#", "a;", "a;#"]),
    ("rfc1808", {"scheme": "file", "net_loc": "", "path": "/a"}, ["file:///a", "file:/a"]),  # R-1808-22
    ("rfc3986", {"path": "a", "query": ""}, ["a?"]),  # section 5.3: empty is not undefined
    ("rfc3986", {"scheme": "f", "path": "//g"}, ["f://g"]),  # G-18
]


@pytest.mark.parametrize(("spec", "components", "texts"), SEVERAL)
def test_the_recompositions_of_components_are_all_admissible_texts(spec, components, texts):
    assert recompositions(components, spec) == texts


# (spec, components, text); what is not named is absent
TEXTS = [
    ("rfc1808", {}, ""),
    ("rfc1808", {"path": "", "params": "", "query": "", "fragment": ""}, ""),
    ("rfc1808", {"scheme": "s", "net_loc": "", "path": "/p"}, "s:///p"),
    ("rfc1808", {"scheme": "s", "net_loc": None, "path": "p", "params": "a", "fragment": "f"}, "s:p;a#f"),
    ("rfc2396", {"path": "p", "query": ""}, "p?"),
    ("rfc2396", {"scheme": "s", "authority": "", "path": ""}, "s://"),
    ("rfc2732", {"authority": "[::1]:", "path": "/"}, "//[::1]:/"),
    ("rfc3986", {"scheme": "s", "authority": "a", "path": "", "query": "q", "fragment": ""}, "s://a?q#"),
    ("rfc3986", {"userinfo": "", "host": "", "port": "", "path": ""}, "//@:"),
    ("rfc3986", {"host": "h", "path": "/p"}, "//h/p"),
    ("rfc3986", {"userinfo": None, "host": "h", "port": "1"}, "//h:1"),
    ("rfc3986", {"authority": "a", "host": "b", "path": ""}, "//a"),
    ("rfc1738", {"scheme": "http", "host": "h"}, "http://h"),
    ("rfc1738", {"scheme": "HTTP", "host": "h", "hpath": ""}, "HTTP://h/"),
    ("rfc1738", {"scheme": "http", "host": "h", "port": "1", "hpath": "a", "search": ""}, "http://h:1/a?"),
    ("rfc1738", {"scheme": "ftp", "user": "", "host": "h"}, "ftp://@h"),
    ("rfc1738", {"scheme": "ftp", "user": "", "password": "", "host": "h", "fpath": ""}, "ftp://:@h/"),
    ("rfc1738", {"scheme": "ftp", "host": "h", "fpath": "a/b", "ftptype": "i"}, "ftp://h/a/b;type=i"),
    ("rfc1738", {"scheme": "file", "host": "", "fpath": "/x"}, "file:////x"),
    ("rfc1738", {"scheme": "gopher", "host": "h", "gtype": "1", "selector": ""}, "gopher://h/1"),
    (
        "rfc1738",
        {"scheme": "gopher", "host": "h", "gtype": "7", "selector": "", "search": "", "gopher+_string": ""},
        "gopher://h/7%09%09",
    ),
    ("rfc1738", {"scheme": "news", "grouppart": "*"}, "news:*"),
    ("rfc1738", {"scheme": "news", "article": "a@h"}, "news:a@h"),
    ("rfc1738", {"scheme": "nntp", "host": "h", "group": "g", "digits": "1"}, "nntp://h/g/1"),
    ("rfc1738", {"scheme": "wais", "host": "h", "database": "", "wtype": "", "wpath": ""}, "wais://h///"),
    (
        "rfc1738",
        {"scheme": "prospero", "host": "h", "ppath": "a", "fieldspecs": [["b", "c"], ["", ""]]},
        "prospero://h/a;b=c;=",
    ),
    ("rfc1738", {"scheme": "x", "host": "h", "urlpath": ""}, "x://h/"),
    ("rfc1738", {"scheme": "x", "schemepart": "//h", "host": "other"}, "x://h"),
]


@pytest.mark.parametrize(("spec", "components", "text"), TEXTS)
def test_delimiters_stand_for_what_is_not_absent(spec, components, text):
    """G-09: an empty component has its delimiter, except in RFC 1808, and an absent one has none."""
    assert recompose(components, spec) == text


@pytest.mark.parametrize(("spec", "components", "text"), TEXTS)
def test_a_component_that_is_none_is_absent(spec, components, text):
    absent = {"query": None, "fragment": None}
    assert recompose({**absent, **components}, spec) == text


NO_PLACE = [
    ({"scheme": "http"}, "httpurl derives no text with exactly these components: none"),
    (
        {"scheme": "http", "host": "h", "search": "q"},
        "httpurl derives no text with exactly these components: host, search",
    ),
    (
        {"scheme": "http", "host": "h", "user": "u"},
        "httpurl derives no text with exactly these components: host, user",
    ),
    (
        {"scheme": "ftp", "host": "h", "password": "p"},
        "ftpurl derives no text with exactly these components: host, password",
    ),
    ({"scheme": "mailto"}, "mailtourl derives no text with exactly these components: none"),
    (
        {"scheme": "wais", "host": "h", "database": "d", "search": "s", "wtype": "t", "wpath": "p"},
        "waisurl derives no text with exactly these components: database, host, search, wpath, wtype",
    ),
    ({"scheme": "x", "urlpath": "p"}, "ip-schemepart derives no text with exactly these components: urlpath"),
    (
        {"scheme": "x", "host": "h", "query": "q"},
        "ip-schemepart derives no text with exactly these components: host, query",
    ),
]


@pytest.mark.parametrize(("components", "message"), NO_PLACE)
def test_components_without_a_place_are_an_error(components, message):
    """The production of the scheme says which components go together."""
    with pytest.raises(MissingComponent) as caught:
        recompose(components, "rfc1738")
    assert str(caught.value) == message


def test_derive_takes_the_alternative_that_holds_every_component():
    rules = SPECIFICATIONS["rfc1738"].grammar
    names = ("database", "search", "wtype", "wpath", "host", "port")
    components = {"host": "h", "database": "d", "wtype": "t", "wpath": "p"}
    assert derive(rules, "waisurl", components, names) == "wais://h/d/t/p"


def test_derive_takes_the_literal_alternative_without_components():
    rules = SPECIFICATIONS["rfc1738"].grammar
    assert derive(rules, "grouppart", {}, ("group", "article")) == "*"


def test_derive_finds_no_text_of_a_rule_without_components_and_literals():
    rules = SPECIFICATIONS["rfc1738"].grammar
    with pytest.raises(MissingComponent, match="port derives no text with exactly these components: none"):
        derive(rules, "port", {}, ())
