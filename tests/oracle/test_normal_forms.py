"""Every normal form that an RFC admits: RFC 3986 section 6.2.3 and the rulings, RFC 2396 section 6."""

from __future__ import annotations

import pytest

from urloracle.operations import normal_forms, normalize
from urloracle.specification import Unsupported

# text, specification, mode: the other forms with their variants
FORMS = {
    ("http://h:/p", "rfc3986", "syntax"): {"http://h/p": "port-removed"},
    ("http://h:/p", "rfc3986", "scheme"): {},
    ("http://h:0080/p", "rfc3986", "scheme"): {"http://h/p": "port-removed"},
    ("ftp://u@h:21", "rfc3986", "syntax"): {
        "ftp://u@h": "port-removed",
        "ftp://u@h:21/": "slash-added",
        "ftp://u@h/": "port-removed+slash-added",
    },
    ("ftp://h:21/x", "rfc3986", "scheme"): {"ftp://h:21/x": "port-kept"},
    ("foo://h", "rfc3986", "scheme"): {"foo://h": "path-kept"},
    ("f:/.//g", "rfc3986", "syntax"): {"f://g": "literal"},
    ("http:///x", "rfc3986", "scheme"): {None: "error"},
    ("http:///x", "rfc3986", "syntax"): {},
    ("//h:/", "rfc3986", "scheme"): {},
    ("http://h/%61/../b", "rfc2396", "syntax"): {"http://h/a/../b": "unescaped"},
    ("http://h/a/../b", "rfc2396", "syntax"): {"http://h/b": "dots-removed"},
    ("http://h:80", "rfc2396", "syntax"): {
        "http://h:80/": "slash-added",
        "http://h": "port-removed",
        "http://h/": "slash-added+port-removed",
    },
    ("a:b", "rfc2396", "scheme"): {},
}


@pytest.mark.parametrize(("text", "spec", "mode"), FORMS, ids=lambda value: value)
def test_forms(text, spec, mode):
    found = normal_forms(text, spec, mode)
    assert found.text == normalize(text, spec, mode)
    assert {other.text: other.variant for other in found.also} == FORMS[text, spec, mode]
    assert all(other.ruling for other in found.also)


def test_the_corpus_admits_nothing_else(corpus):
    """Every form that a vector lists is one of these."""
    asked = 0
    for case in corpus.cases:
        vector = case.vector
        if vector.op != "normalize" or not isinstance(vector.url, str):
            continue
        alternatives = vector.expect.alternatives
        if alternatives[0].valid is False:
            continue
        found = normal_forms(vector.url, case.spec, vector.mode or "syntax")
        known = {found.text, *(other.text for other in found.also)}
        listed = {None if one.valid is False else one.result for one in alternatives}
        assert listed <= known, vector.id
        asked += len(alternatives) > 1
    assert asked >= 20


def test_where_there_is_no_normal_form():
    with pytest.raises(Unsupported):
        normal_forms("http://a/", "rfc1808")
    with pytest.raises(ValueError, match="no mode"):
        normal_forms("http://a/", "rfc3986", "Scheme")
