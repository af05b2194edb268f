"""The public operations: any text gets an answer or InvalidURL, and wrong names are errors."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from urloracle import operations
from urloracle.errors import InvalidURL
from urloracle.grammar.grammar import UnknownRule
from urloracle.operations import (
    base_url,
    decode,
    equivalent,
    extract,
    normalize,
    parse,
    resolutions,
    resolve,
    validate,
    view,
)
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Unsupported

_STEADY = settings(derandomize=True, deadline=None, max_examples=200, database=None)


def rules_with_profiles():
    """Yield each rule of each RFC with the default profile, and those that prose narrows with prose too."""
    for spec in SPECIFICATIONS.values():
        for rule in spec.grammar:
            yield spec.id, rule, None
            if rule in ("url", "host", "authority"):
                yield spec.id, rule, "prose"


CASES = list(rules_with_profiles())


NOISE = st.text(max_size=20) | st.binary(max_size=20).map(
    lambda octets: octets.decode("utf-8", "surrogateescape")
)


@_STEADY
@given(st.sampled_from(CASES), NOISE)
def test_any_text_is_parsed_or_refused(rule_of_rfc, text):
    """Any text, well-formed Unicode or not, has components or raises one of two exceptions."""
    spec, rule, profile = rule_of_rfc
    if SPECIFICATIONS[spec].problem(text, rule, profile) is not None:
        with pytest.raises(InvalidURL):
            parse(text, spec, rule, profile)
    elif _is_no_url(spec, rule):
        with pytest.raises(Unsupported):
            parse(text, spec, rule, profile)
    else:
        assert parse(text, spec, rule, profile) is not None


@_STEADY
@given(st.sampled_from(CASES), NOISE)
def test_the_error_of_any_text_has_a_message_and_a_place(rule_of_rfc, text):
    spec, rule, profile = rule_of_rfc
    problem = SPECIFICATIONS[spec].problem(text, rule, profile)
    assume(problem is not None)
    assert str(problem).startswith(f"not a valid {rule} of RFC ")
    assert problem.position in range(len(text) + 1)


def _is_no_url(spec, rule):
    """Return True if the rule does not derive whole URLs; in RFC 1738 only rules that fold the scheme do."""
    if spec == "rfc1738":
        return rule.lower() not in SPECIFICATIONS[spec].grammar.fold_scheme
    return rule.lower() not in SPECIFICATIONS[spec].whole


@pytest.mark.parametrize(
    ("spec", "rule", "text"),
    [
        ("rfc1738", "host", "h"),
        ("rfc1738", "schemepart", "x:y"),
        ("rfc1738", "scheme", "http"),
        ("rfc2396", "unwise", "{"),
        ("rfc3986", "port", "80"),
        ("rfc1808", "segment", "80"),
        ("rfc2732", "IPv6reference", "[::1]"),
        ("rfc3986", "IP-literal", "[::1]"),
    ],
)
def test_a_rule_that_is_not_a_url_has_no_components(spec, rule, text):
    """A lesser rule derives the text, and no RFC says what the components of such a text are."""
    validate(text, spec, rule)
    with pytest.raises(Unsupported, match=rf"^RFC {spec[3:]} has no components for {rule}$"):
        parse(text, spec, rule)


@pytest.mark.parametrize("rule", ["URI", "URI-references", "path empty"])
def test_an_unknown_rule_is_an_error(rule):
    """A rule that the RFC does not have is an error of the caller, not a verdict."""
    with pytest.raises(UnknownRule, match=f"no rule named '{rule}'"):
        validate("x", "rfc1808", rule)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        pytest.param(lambda: resolve("http://a/", "g", "rfc1738"), "relative references", id="resolve"),
        pytest.param(lambda: normalize("http://a/", "rfc1808"), "normalization", id="normalize"),
        pytest.param(lambda: equivalent("http://a/", "http://a/", "rfc1808"), "equivalence", id="equivalent"),
        pytest.param(lambda: extract("http://a/", "rfc1808"), "URLs in text", id="extract"),
        pytest.param(lambda: base_url("rfc1738"), "relative references", id="base_url"),
        pytest.param(lambda: decode("x:y"), "the parts of x", id="decode"),
    ],
)
def test_what_an_rfc_does_not_define_is_unsupported(call, words):
    with pytest.raises(Unsupported, match=words):
        call()


@pytest.mark.parametrize(
    "ask", [normalize, lambda *text: equivalent("a:", *text)], ids=["normalize", "equivalent"]
)
def test_an_unknown_mode_is_an_error(ask):
    with pytest.raises(ValueError, match="no mode 'strict'; there are syntax, scheme"):
        ask("a:b", "rfc3986", "strict")


# (base, reference, the results for other bases): RFC 3986, sections 5.1 and 5.2.1; None is a refusal
OTHER_BASES = [
    ("http://a/b/c", "g", []),
    ("http://a/b/..", "g", ["http://a/g"]),  # R-3986-38
    ("http://a/b/c/..", "?y", ["http://a/b/?y"]),
    ("http://a:80/%7Eb", "#s", ["http://a:80/~b#s", "http://a/~b#s"]),
    ("HTTP://a?q", "", ["http://a?q", "http://a/?q"]),
    ("file:/a/b", "c", ["file:///a/c"]),  # R-3986-42
    ("http://a/b#f", "g", [None]),  # R-3986-12
    ("http://a/b/..", "ftp:x", []),
]


by_base_and_reference = pytest.mark.parametrize(("base", "reference", "targets_of_other_bases"), OTHER_BASES)


@by_base_and_reference
def test_targets_for_normalized_bases_are_admitted_beside_those_of_the_base(
    base, reference, targets_of_other_bases
):
    admitted_for_base = {target.text for target in resolve(base, reference, "rfc3986").also}
    admitted = {target.text for target in resolutions(base, reference, "rfc3986").also}
    assert admitted == admitted_for_base | set(targets_of_other_bases)


@by_base_and_reference
def test_the_target_for_the_base_as_it_is_comes_first(base, reference, targets_of_other_bases):
    first_target = resolutions(base, reference, "rfc3986").text
    assert first_target == resolve(base, reference, "rfc3986").text


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc2732"])
def test_an_rfc_before_rfc_3986_normalizes_no_base(spec):
    assert resolutions("http://a:80/b/..", "g", spec) == resolve("http://a:80/b/..", "g", spec)


NOT_STRS = [1, None, b"http://a/", ["http://a/"], ("http://a/",)]


def _error_of(not_a_str):
    """Expect the error of a text that is no str."""
    return pytest.raises(TypeError, match=f"^the text must be a str, not {type(not_a_str).__name__}$")


@pytest.mark.parametrize("spec", SPECIFICATIONS)
@pytest.mark.parametrize("not_a_str", NOT_STRS, ids=repr)
@pytest.mark.parametrize("function", [validate, parse, view])
def test_what_is_not_a_str_is_an_error(spec, not_a_str, function):
    with _error_of(not_a_str):
        function(not_a_str, spec)


@pytest.mark.parametrize("spec", [spec for spec in SPECIFICATIONS if spec != "rfc1738"])
@pytest.mark.parametrize("not_a_str", NOT_STRS, ids=repr)
@pytest.mark.parametrize("function", [resolve, resolutions])
def test_a_base_that_is_not_a_str_is_an_error(spec, not_a_str, function):
    with _error_of(not_a_str):
        function(not_a_str, "g", spec)


@pytest.mark.parametrize("spec", [spec for spec in SPECIFICATIONS if spec != "rfc1738"])
@pytest.mark.parametrize("not_a_str", NOT_STRS, ids=repr)
def test_a_base_that_is_not_a_str_is_an_error_in_the_first_call(spec, not_a_str, monkeypatch):
    monkeypatch.setattr(operations, "_READERS", {})  # as in a new process: no RFC was asked before
    with _error_of(not_a_str):
        resolve(not_a_str, "g", spec)


@pytest.mark.parametrize("spec", [spec for spec in SPECIFICATIONS if spec != "rfc1738"])
@pytest.mark.parametrize("not_a_str", NOT_STRS, ids=repr)
@pytest.mark.parametrize("function", [resolve, resolutions])
def test_a_reference_that_is_not_a_str_is_an_error(spec, not_a_str, function):
    with _error_of(not_a_str):
        function("http://a/", not_a_str, spec)


@pytest.mark.parametrize("spec", [spec for spec in SPECIFICATIONS if spec != "rfc1808"])
@pytest.mark.parametrize("not_a_str", NOT_STRS, ids=repr)
def test_comparing_what_is_not_a_str_is_an_error(spec, not_a_str):
    with _error_of(not_a_str):
        equivalent(not_a_str, "x:", spec)


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_specification_is_as_good_as_its_name(spec):
    assert parse("http://h/a", SPECIFICATIONS[spec]) == parse("http://h/a", spec)
