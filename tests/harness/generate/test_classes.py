"""Texts of a class of difference: each shows the class, and every class has texts."""

from __future__ import annotations

import re

import pytest

from urlharness.corpus.differences import load_differences
from urlharness.generate.classes import shows_class, texts_of_class
from urlharness.generate.kinds import Generator, Pair, RequestError
from urlharness.generate.requests import Request, Texts
from urlharness.words.shards import random_of
from urloracle.rfcs import specification

#: What the statement of a class says, read once more.
FORMS = {
    "backslash": r"\\",
    "several-ats": "//[^/?#]*@",
    "second-hash": "#.*#",
    "tilde": "~",
    "empty-port": "//[^/?#]*:(/|$)",
    "zone-id": r"//\[[^]]*%",
    "url-wrapper": "^<.*>$|^(?i:url):",
    "ipv6-literal": r"[\[:]",
    "scheme-case": "[A-Z].*:",
    "non-ascii": "[^\x00-\x7f]",
}


def contents_of(name):
    """Return texts or pairs of a class, up to twelve."""
    return [case.content for case in Texts(Request(spec="rfc3986", difference=name, number=12))]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", load_differences())
def test_texts_of_a_class_name_it(name):
    assert {content.difference for content in contents_of(name)} == {name}


def is_shown(name, content):
    """True if a text or a pair shows a class."""
    if isinstance(content, Pair):
        return shows_class(name, content.reference, content.base)
    return shows_class(name, content.text)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", load_differences())
def test_every_class_has_texts_that_show_it(name):
    assert {is_shown(name, content) for content in contents_of(name)} == {True}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name in load_differences() if name != "mailto-address"])
def test_a_class_has_as_many_texts_as_asked_for(name):
    assert len(contents_of(name)) == 12


def test_the_class_of_mail_addresses_has_only_two_texts():
    assert len(contents_of("mailto-address")) == 2


@pytest.mark.parametrize("name", FORMS)
def test_the_texts_of_a_class_have_the_form_that_its_statement_says(name):
    texts = [content.text for content in contents_of(name) if not isinstance(content, Pair)]
    assert texts != []
    assert [text for text in texts if not re.search(FORMS[name], text)] == []


@pytest.mark.parametrize("name", FORMS)
def test_the_texts_of_a_class_have_right_verdicts(name):
    accepts = specification("rfc3986").automaton("URI-reference").accepts
    samples = [content for content in contents_of(name) if not isinstance(content, Pair)]
    assert samples != []
    assert [sample for sample in samples if sample.valid != accepts(sample.text)] == []


#: Texts that look like a class and are not of it.
LOOKALIKES = [
    ("backslash", "http://h/a%5Cb"),
    ("second-hash", "http://h/a#b%23"),
    ("bad-escape", "http://h/%41"),
    ("zone-id", "http://h/[%25"),
    ("default-port", "http://h:443/"),
    ("default-port", "http://80/"),
    ("foreign-port", "telnet://h:23/"),
    ("unknown-scheme", "HTTPS://h/"),
    ("unknown-scheme", "1x:y"),
    ("scheme-characters", "foo:y"),
    ("scheme-characters", "1x:y"),
    ("colon-digits", "f://h:80"),
    ("colon-digits", "f:80a"),
    ("zone-id", "http://[v1.x%25]/"),
    ("encoded-dots", "http://h/%2eg/"),
    ("encoded-delimiter", "http://h/%41"),
    ("escaped-unreserved", "http://h/%2F"),
    ("empty-path", "http://h/"),
    ("empty-path", "h:"),
    ("dots-elsewhere", "http://h/a/../b"),
    ("several-ats", "http://u@h/"),
    ("tilde", "http://h/%7E"),
]


@pytest.mark.parametrize(("name", "text"), LOOKALIKES)
def test_a_text_that_only_looks_like_a_class_does_not_show_it(name, text):
    assert not shows_class(name, text)


def test_a_result_whose_path_begins_with_two_slashes_shows_its_class():
    assert shows_class("double-slash", ".//g", base="f:/a")


@pytest.mark.parametrize(
    ("base", "reference"),
    [
        pytest.param("http://h/a", ".//g", id="base-with-a-host"),
        pytest.param("f:/a", "./g", id="one-slash"),
        pytest.param("f:/a", "//g", id="host-of-the-reference"),
    ],
)
def test_a_result_whose_path_cannot_be_an_authority_does_not_show_the_class(base, reference):
    assert not shows_class("double-slash", reference, base=base)


@pytest.mark.parametrize(
    ("spec", "rule", "name", "pairs", "message"),
    [
        pytest.param(
            "rfc3986",
            "URI",
            "several-at",
            True,
            "'several-at'; Did you mean 'several-ats'",
            id="unknown-class",
        ),
        pytest.param("rfc3987", "IRI", "bidi-formatting", True, "is one of mappings", id="of-mappings"),
        pytest.param("rfc3986", "URI", "same-scheme", False, "pairs to resolve, not texts", id="no-pairs"),
        pytest.param(
            "rfc1738",
            "url",
            "same-scheme",
            True,
            "RFC 1738 has no texts of class same-scheme: the class is about",
            id="rfc-without-pairs",
        ),
    ],
)
def test_a_class_that_cannot_be_met_is_an_error(spec, rule, name, pairs, message):
    generator = Generator(specification(spec), rule, range(9))
    with pytest.raises(RequestError, match=message):
        texts_of_class(generator, name, pairs=pairs)


def test_texts_of_a_class_have_the_length_asked_for():
    texts = Texts(Request(spec="rfc3986", difference="backslash", number=40, length=range(60, 81)))
    lengths = [len(case.content.text) for case in texts]
    assert len(lengths) == 40
    assert [length for length in lengths if not 60 <= length <= 80] == []


def test_a_class_without_texts_of_the_length_has_none():
    source = texts_of_class(Generator(specification("rfc3986"), "URI", range(5)), "backslash", pairs=True)
    assert list(source.draw_first(random_of(0, "", 0))) == []
