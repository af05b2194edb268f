"""Every normal form that an RFC admits: RFC 3986 section 6.2.3 and the rulings, RFC 2396 section 6."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from urloracle.errors import InvalidURL
from urloracle.operations import normal_forms, normalize, parse
from urloracle.rfc.resolution import remove_dot_segments
from urloracle.specification import Unsupported


class NormalForms(NamedTuple):
    """The normal forms of a text in mode `syntax` and in mode `scheme`."""

    by_syntax: str
    by_scheme: str


def same_in_both_modes(form):
    return NormalForms(form, form)


#: By text: percent-encoding, case, dots, then what the scheme adds (R-3986-16 to R-3986-22, R-3986-37).
FORMS_OF_RFC3986 = {
    "HTTP://H.X/": same_in_both_modes("http://h.x/"),
    "s:%7e%41%2d%5F": same_in_both_modes("s:~A-_"),
    "s:%2f%3a%20%ff%00": same_in_both_modes("s:%2F%3A%20%FF%00"),
    "s:%2541": same_in_both_modes("s:%2541"),
    "s:%21%2a%27": same_in_both_modes("s:%21%2A%27"),
    "s://%41%c3%89X/": same_in_both_modes("s://a%C3%89x/"),
    "s://U%73Er:%70@H/P?%61Q#%62F": same_in_both_modes("s://UsEr:p@h/P?aQ#bF"),
    "s://[2001:DB8::A]/": same_in_both_modes("s://[2001:db8::a]/"),
    "s:/a/./b/../c": same_in_both_modes("s:/a/c"),
    "s:/a/%2E%2e/c": same_in_both_modes("s:/c"),
    "s:/a%2F../c": same_in_both_modes("s:/a%2F../c"),
    "s:/a/..//b": same_in_both_modes("s:/.//b"),
    "s:/.//b": same_in_both_modes("s:/.//b"),
    "s:a/../b": same_in_both_modes("s:/b"),
    "s://h/..//b": same_in_both_modes("s://h//b"),
    "s://h/?": same_in_both_modes("s://h/?"),
    "s://h/#": same_in_both_modes("s://h/#"),
    "s://u:@h/": same_in_both_modes("s://u:@h/"),
    "s://@h/": same_in_both_modes("s://@h/"),
    "s:": same_in_both_modes("s:"),
    "http://h": NormalForms("http://h", "http://h/"),
    "http://h?q": NormalForms("http://h?q", "http://h/?q"),
    "http://h:": NormalForms("http://h:", "http://h/"),
    "http://h:80/": NormalForms("http://h:80/", "http://h/"),
    "http://h:080/": NormalForms("http://h:080/", "http://h/"),  # R-3986-45
    "http://h:8080/": same_in_both_modes("http://h:8080/"),
    "ftp://h:80/": same_in_both_modes("ftp://h:80/"),
    "FTP://h:21/": NormalForms("ftp://h:21/", "ftp://h/"),
    "s://h:/": NormalForms("s://h:/", "s://h/"),
    "file://": NormalForms("file://", "file:///"),
    "//H%41:/%61": same_in_both_modes("//ha:/a"),
    "./A:%42": same_in_both_modes("./A:B"),
    "../G": same_in_both_modes("../G"),
    "%2e%2e/G": same_in_both_modes("../G"),
    "": same_in_both_modes(""),
}


@pytest.mark.parametrize("text", FORMS_OF_RFC3986)
def test_rfc3986_has_a_normal_form_by_syntax(text):
    assert normalize(text, "rfc3986", "syntax") == FORMS_OF_RFC3986[text].by_syntax


@pytest.mark.parametrize("text", FORMS_OF_RFC3986)
def test_rfc3986_has_a_normal_form_by_scheme(text):
    assert normalize(text, "rfc3986", "scheme") == FORMS_OF_RFC3986[text].by_scheme


@pytest.mark.parametrize("text", FORMS_OF_RFC3986)
def test_the_normal_form_without_a_mode_is_that_by_syntax(text):
    assert normalize(text, "rfc3986") == FORMS_OF_RFC3986[text].by_syntax


#: By text: case of scheme and host, the default port, escapes that a scheme declares the same (R-2396-27).
FORMS_OF_RFC2396 = {
    "HTTP://H.X/P": same_in_both_modes("http://h.x/P"),
    "http://U@H:80/": NormalForms("http://U@h:80/", "http://U@h/"),
    "http://h:/": same_in_both_modes("http://h:/"),
    "http://h": same_in_both_modes("http://h"),
    "http://h/%61%2f%7E": NormalForms("http://h/%61%2f%7E", "http://h/a%2f~"),
    "ftp://h/%61": same_in_both_modes("ftp://h/%61"),
    "http://h/?%61#%61": same_in_both_modes("http://h/?%61#%61"),
    "http://A_B/x/../y": same_in_both_modes("http://A_B/x/../y"),
    "MAILTO:A@B": same_in_both_modes("mailto:A@B"),
    "//H/": same_in_both_modes("//h/"),
    "X/./Y": same_in_both_modes("X/./Y"),
}


@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732"])
@pytest.mark.parametrize("text", FORMS_OF_RFC2396)
def test_rfc2396_has_a_normal_form_by_syntax(text, spec):
    assert normalize(text, spec, "syntax") == FORMS_OF_RFC2396[text].by_syntax


@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732"])
@pytest.mark.parametrize("text", FORMS_OF_RFC2396)
def test_rfc2396_has_a_normal_form_by_scheme(text, spec):
    assert normalize(text, spec, "scheme") == FORMS_OF_RFC2396[text].by_scheme


MODES = [(spec, mode) for spec in ("rfc2396", "rfc2732", "rfc3986") for mode in ("syntax", "scheme")]


@pytest.mark.parametrize(("spec", "mode"), MODES)
def test_a_normal_form_is_its_own_normal_form(spec, mode, walks):
    """R-3986-16: the normal form is valid, and its own normal form."""
    for text in _texts(spec, walks):
        normal = normalize(text, spec, mode)
        assert normalize(normal, spec, mode) == normal, text


def _texts(spec, walks):
    yield from walks(spec, "URI-reference").members(400, seed=7)
    dotted = "/%2e%2E/./..//a%41/%2f/%7E"
    for member in walks(spec, "URI-reference").members(200, seed=8, longest=12):
        head, mark, tail = member.partition("/")
        if tail.startswith("/"):  # two slashes may begin an authority, which the dots have to follow
            yield member + dotted
        elif mark:
            yield head + dotted + mark + tail
    for head in ("http:", "s:a", "HTTP://H:80", "", "a"):
        yield head + dotted
    if spec == "rfc3986":
        yield f"s://%41{dotted}"
    else:
        yield "s://%41"


UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")


def _decoded(text):
    """Return a component with its unreserved characters decoded once and its triplets in upper case."""
    if text is None:
        return None

    def decode(match):
        char = chr(int(match[1], 16))
        return char if UNRESERVED.fullmatch(char) else match[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", decode, text)


def _normal_path(components):
    """Return the path without dot segments; only a path after a scheme is one from the root (R-3986-09)."""
    path = _decoded(components.path)
    if components.scheme is None:
        return path
    path = remove_dot_segments(path)
    if components.authority is None and path.startswith("//"):
        return f"/.{path}"
    return path


def _upper(text):
    return text and text.upper()


def test_rfc3986_normalizes_every_component_by_itself(walks):
    """Sections 6.2.2.1 to 6.2.2.3; a host may have triplets, so its case is left to the next test."""
    for text in _texts("rfc3986", walks):
        before = parse(text, "rfc3986")
        after = parse(normalize(text, "rfc3986"), "rfc3986")
        expected = {
            "scheme": before.scheme and before.scheme.lower(),
            "userinfo": _decoded(before.userinfo),
            "host": _upper(_decoded(before.host)),
            "port": before.port,
            "path": _normal_path(before),
            "query": _decoded(before.query),
            "fragment": _decoded(before.fragment),
        }
        components = {name: getattr(after, name) for name in expected}
        assert {**components, "host": _upper(after.host)} == expected, text


def test_rfc3986_decodes_every_unreserved_character_of_a_host(walks):
    """Section 6.2.2.2; the letters of a triplet are in upper case (section 6.2.2.1)."""
    hosts = {parse(normalize(text, "rfc3986"), "rfc3986").host for text in _texts("rfc3986", walks)}
    assert [host for host in hosts if host != _decoded(host)] == []


def _without_port_and_path(components):
    """The authority has the port, too."""
    return components._replace(authority=None, port=None, path="")


def test_scheme_mode_only_removes_a_port_and_adds_a_slash_for_an_empty_path(walks):
    """Section 6.2.3: everything else is as in the syntax-based normal form."""
    for text in _texts("rfc3986", walks):
        by_syntax = parse(normalize(text, "rfc3986", "syntax"), "rfc3986")
        by_scheme = parse(normalize(text, "rfc3986", "scheme"), "rfc3986")
        assert _without_port_and_path(by_scheme) == _without_port_and_path(by_syntax), text
        assert by_scheme.port in (by_syntax.port, None), text
        assert by_scheme.path in (by_syntax.path, by_syntax.path or "/"), text


@pytest.mark.parametrize("spec", ["rfc1738", "rfc1808"])
def test_rfc1738_and_rfc1808_have_no_normal_form(spec):
    with pytest.raises(Unsupported, match=f"RFC {spec[3:]} does not define normalization"):
        normalize("http://h/", spec)


def test_invalid_text_has_no_normal_form():
    """G-12: an invalid text is refused, not repaired."""
    with pytest.raises(InvalidURL) as caught:
        normalize("http://h/%zz", "rfc3986")
    assert caught.value.position == 10


#: For a text, a specification and a mode the other forms with their variants.
FORMS = {
    ("http://h:/p", "rfc3986", "syntax"): {"http://h/p": "port-removed"},
    ("http://h:/p", "rfc3986", "scheme"): {},
    ("http://h:0080/p", "rfc3986", "scheme"): {"http://h:0080/p": "port-kept"},
    ("http://h:0080/p", "rfc3986", "syntax"): {"http://h/p": "port-removed"},
    ("ftp://u@h:21", "rfc3986", "syntax"): {
        "ftp://u@h": "port-removed",
        "ftp://u@h:21/": "slash-added",
        "ftp://u@h/": "port-removed+slash-added",
    },
    ("ftp://h:21/x", "rfc3986", "scheme"): {"ftp://h:21/x": "port-kept"},
    ("foo://h", "rfc3986", "scheme"): {"foo://h": "path-kept"},
    ("f:/.//g", "rfc3986", "syntax"): {"f://g": "literal", None: "error"},
    ("/.//g", "rfc3986", "syntax"): {},
    ("http:///x", "rfc3986", "scheme"): {None: "error"},
    ("http:///x", "rfc3986", "syntax"): {},
    ("//h:/", "rfc3986", "scheme"): {},
    ("http://h/%61/../b", "rfc2396", "syntax"): {
        "http://h/a/../b": "unescaped",
        "http://h/b": "dots-removed",
    },
    ("http://h/a/../b", "rfc2396", "syntax"): {"http://h/b": "dots-removed"},
    ("http://h:80", "rfc2396", "syntax"): {"http://h": "port-removed"},  # the example of section 6
    ("http://h:", "rfc2396", "scheme"): {
        "http://h:/": "slash-added",
        "http://h": "port-removed",
        "http://h/": "slash-added+port-removed",
    },
    ("https://h:443/", "rfc2396", "scheme"): {"https://h/": "port-removed"},  # R-2396-34
    ("https://h:443/", "rfc3986", "scheme"): {"https://h/": "port-removed"},  # R-3986-39
    # sections 3.2.2 and 6.2.3: the default host of scheme file
    ("file:/x", "rfc3986", "scheme"): {"file:/x": "authority-kept"},
    ("file:/x", "rfc3986", "syntax"): {"file:///x": "scheme-aware"},
    ("file:x", "rfc3986", "scheme"): {},
    ("file://localhost/x", "rfc3986", "scheme"): {"file://localhost/x": "host-kept"},
    ("file://localhost/x", "rfc3986", "syntax"): {"file:///x": "scheme-aware"},
    ("file://u@localhost/x", "rfc3986", "scheme"): {},
    ("file://localhost:1/x", "rfc3986", "syntax"): {},
    ("mailto:A@B.c,d@E", "rfc3986", "scheme"): {"mailto:A@B.c,d@E": "case-kept"},
    ("mailto:A@B%2f", "rfc3986", "syntax"): {"mailto:A@b%2F": "domain-folded"},
    ("a/%2e./g", "rfc3986", "syntax"): {"a/%2E./g": "kept"},  # R-3986-40
    ("../g", "rfc3986", "syntax"): {},
    ("a:b", "rfc2396", "scheme"): {},
}


@pytest.mark.parametrize(("text", "spec", "mode"), FORMS, ids=str)
def test_the_recommended_one_of_all_normal_forms_is_the_normal_form(text, spec, mode):
    assert normal_forms(text, spec, mode).text == normalize(text, spec, mode)


@pytest.mark.parametrize(("text", "spec", "mode"), FORMS, ids=str)
def test_every_admissible_form_has_its_variant(text, spec, mode):
    variants = {form.text: form.variant for form in normal_forms(text, spec, mode).also}
    assert variants == FORMS[text, spec, mode]


@pytest.mark.parametrize(("text", "spec", "mode"), FORMS, ids=str)
def test_every_admissible_form_has_a_ruling(text, spec, mode):
    forms = normal_forms(text, spec, mode).also
    assert [form for form in forms if not form.ruling] == []


@pytest.fixture
def normalized_cases(corpus):
    """The cases of the corpus that ask for the normal form of a valid text."""
    cases = []
    for case in corpus.cases:
        if case.vector.op != "normalize" or not isinstance(case.vector.url, str):
            continue
        if case.vector.expect.alternatives[0].valid is not False:
            cases.append(case)
    return cases


def test_some_vectors_of_the_corpus_admit_several_normal_forms(normalized_cases):
    """Without such vectors, the test of their forms would be about nothing."""
    assert [case for case in normalized_cases if len(case.vector.expect.alternatives) > 1]


def test_the_corpus_admits_only_normal_forms_of_the_oracle(normalized_cases):
    """Every form that a vector lists is one of these."""
    not_admitted = {}
    for case in normalized_cases:
        vector = case.vector
        forms = normal_forms(vector.url, case.spec, vector.mode or "syntax")
        admitted = {forms.text, *(form.text for form in forms.also)}
        listed = set()
        for alternative in vector.expect.alternatives:
            listed.add(None if alternative.valid is False else alternative.result)
        if not listed <= admitted:
            not_admitted[vector.id] = listed - admitted
    assert not_admitted == {}


def test_rfc1808_has_no_other_normal_forms():
    with pytest.raises(Unsupported, match="RFC 1808 does not define normalization"):
        normal_forms("http://a/", "rfc1808")


def test_an_unknown_mode_has_no_normal_forms():
    with pytest.raises(ValueError, match="no mode"):
        normal_forms("http://a/", "rfc3986", "Scheme")
