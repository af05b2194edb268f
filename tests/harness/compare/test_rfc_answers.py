"""Answers of the RFCs to a question: of each that has one, and of no other."""

from __future__ import annotations

import pytest
from answer_samples import ACCEPT, parts, url

from urlharness.compare.rfc_answers import open_resolutions, rfc_answers
from urlharness.corpus.longtext import abbreviation

PARSED = dict.fromkeys(("rfc1808", "rfc2396", "rfc2732", "rfc3986"), "parsed")


def kinds_of(answers):
    """Return the kinds of the answers of each RFC."""
    kinds = {}
    for spec, admitted in answers.items():
        kinds[spec] = [answer.kind for answer, _ in admitted]
    return kinds


#: Texts, and the kind of the answer of each RFC that has one.
RFCS = [
    # RFC 1738, 2.2: a # delimits a URL from a fragment, of which the RFC says nothing; 3.3: no user name
    pytest.param("http://u@h/?q#f", {**PARSED, "rfc1738": "rejected"}, id="before-a-fragment"),
    # RFC 3986, 3.2; RFC 1738 says nothing of relative URLs
    pytest.param("//a@b@c", {**PARSED, "rfc3986": "rejected"}, id="ats"),
]


@pytest.mark.parametrize(("text", "kinds"), RFCS)
def test_each_rfc_that_has_an_answer_gives_it(question, text, kinds):
    recommended_kinds = {}
    for spec, (recommended, *_) in rfc_answers(question(text, parts())).items():
        recommended_kinds[spec] = recommended.answer.kind
    assert recommended_kinds == kinds


#: An operation with its inputs, an RFC, and each answer that it admits besides the recommended one, in words,
#: with the rulings that admit it.
ADMITTED = [
    pytest.param(
        {"op": "parse", "url": "http://u@@h/"},
        "rfc2396",
        {
            "host h  userinfo u@  scheme http  path /": ("R-2396-11",),
            "host @h  userinfo u  scheme http  path /": ("R-2396-11",),
        },
        id="divided-registry-name",
    ),
    pytest.param(
        {"op": "parse", "url": "q://u@1.2.3.256:8/"},
        "rfc2396",
        {"no host  authority u@1.2.3.256:8  scheme q  path /": ("R-2396-13",)},
        id="address-above-255-as-a-name",
    ),
    pytest.param({"op": "parse", "url": "q://u@1.2.3.255:8/"}, "rfc2396", {}, id="address"),
    pytest.param(
        {"op": "parse", "url": f"q://{'a' * 64}/"},
        "rfc2732",
        {f"no host  authority {'a' * 64}  scheme q  path /": ("R-2396-13",)},
        id="long-label-as-a-name",
    ),
    pytest.param({"op": "parse", "url": f"q://{'a' * 63}./"}, "rfc2396", {}, id="longest-label"),
    pytest.param(
        {"op": "parse", "url": "a:b?c"},
        "rfc2396",
        {"no host  scheme a  path b?c": ("R-2396-04",)},
        id="query-in-an-opaque-part",
    ),
    pytest.param(
        {"op": "parse", "url": "/p?#"},
        "rfc1808",
        {"no authority  path /p": ("G-09",)},
        id="empty-components-as-absent",
    ),
    pytest.param(
        {"op": "parse", "url": "ftp://h/a?b"},
        "rfc1738",
        {"host h  scheme ftp  path /a  query b": ("R-1738-12",)},
        id="query-of-ftp",
    ),
    pytest.param(
        {"op": "parse", "url": "foo://h/p"},
        "rfc1738",
        {"no host  scheme foo  path //h/p": ("R-1738-02",)},
        id="undivided-scheme-part",
    ),
    pytest.param(
        {"op": "parse", "url": "foo:///p"},
        "rfc1738",
        {"no host  scheme foo  path ///p": ("R-1738-02", "R-1738-06")},
        id="scheme-part-that-is-no-login",
    ),
    pytest.param({"op": "parse", "url": "?y"}, "rfc2396", {"reject": ("R-2396-02",)}, id="published-grammar"),
    pytest.param(
        {"op": "parse", "url": "http://[1:2:3:4:5:6:7:8:9]/"},
        "rfc2732",
        {"host [1:2:3:4:5:6:7:8:9]  scheme http  path /": ("R-2732-01",)},
        id="published-grammar-that-accepts",
    ),
    pytest.param(
        {"op": "validate", "rule": "relative-ref", "url": "?y"},
        "rfc2396",
        {"reject": ("R-2396-02",)},
        id="published-rule",
    ),
    pytest.param(
        {"op": "resolve", "base": "http://a/b", "reference": "../../g"},
        "rfc2396",
        {"http://a/g": ("R-2396-18",), "reject": ("R-2396-18",)},
        id="excess",
    ),
    pytest.param(
        {"op": "resolve", "base": "http://a/b#f", "reference": "g"},
        "rfc3986",
        {"reject": ("R-3986-12",)},
        id="base-with-a-fragment",
    ),
    pytest.param(
        {"op": "equivalent", "url": "http://h", "other": "http://h/", "mode": "syntax"},
        "rfc2396",
        {"true": ("R-2396-27",)},
        id="empty-path",
    ),
]


@pytest.mark.parametrize(("fields", "spec", "admitted"), ADMITTED)
def test_an_rfc_admits_what_its_rulings_admit(make_case, fields, spec, admitted):
    case = make_case("rfc3986-3-x", **{"rule": None, "expect": {"valid": True}, **fields})
    _recommended, *admitted_answers = rfc_answers(case)[spec]
    assert {answer.in_words(): rulings for answer, rulings in admitted_answers} == admitted


#: A mode of comparison, and what RFC 2396 says of two URLs that differ by a default port only.
MODES = [pytest.param("syntax", "false", id="syntax"), pytest.param("scheme", "true", id="scheme")]


@pytest.mark.parametrize(("mode", "verdict"), MODES)
def test_two_urls_are_compared_in_the_mode_of_the_question(make_case, mode, verdict):
    """RFC 2396, section 6: only who knows the scheme can say that a port is the default one."""
    fields = {"op": "equivalent", "rule": None, "mode": mode, "expect": {"equal": True}}
    case = make_case("rfc3986-6.2-x", url="http://h:80/", other="http://h/", **fields)
    recommended = rfc_answers(case)["rfc2396"][0]
    assert recommended.answer.text == verdict


#: A reference and a base, and the rulings by which RFCs leave open what becomes of the reference.
OPEN = [
    pytest.param("g", "a:b", {"rfc2396": "R-2396-21", "rfc2732": "R-2396-21"}, id="opaque"),
    pytest.param("//g", "a:b", {"rfc2396": "R-2396-21", "rfc2732": "R-2396-21"}, id="network-path"),
    pytest.param("g", "NEWS:/b", {"rfc1808": "R-1808-18"}, id="news"),
    pytest.param("#f", "a:b", {}, id="same-document"),
    pytest.param("a:g", "a:b", {}, id="absolute-reference"),
    pytest.param("g", "a:/b", {}, id="hierarchical"),
    pytest.param("g", "a:", {}, id="refused-base"),
    pytest.param("[", "a:b", {}, id="refused-reference"),
]


@pytest.mark.parametrize(("reference", "base", "rulings"), OPEN)
def test_rfcs_leave_open_what_becomes_of_a_reference_to_an_unsuitable_base(
    question, reference, base, rulings
):
    """RFC 2396, section 5, and RFC 1808, section 2.3."""
    assert open_resolutions(question(reference, url("x"), base=base)) == rulings


@pytest.mark.parametrize(("reference", "base", "rulings"), OPEN)
def test_the_answer_about_an_unsuitable_base_rests_on_the_ruling(question, reference, base, rulings):
    answers = rfc_answers(question(reference, url("x"), base=base))
    cited = {}
    for spec in rulings:
        recommended, *_ = answers[spec]
        cited[spec] = recommended.rulings[0]
    assert cited == rulings


def test_each_rfc_that_defines_resolution_has_an_answer_for_an_opaque_base(question):
    """RFC 2396, section 3: an opaque part has no path to resolve against."""
    assert kinds_of(rfc_answers(question("g", url("x"), base="a:b"))) == {
        "rfc1808": ["url"],
        "rfc2396": ["rejected"],
        "rfc2732": ["rejected"],
        "rfc3986": ["url"],
    }


QUESTIONS = [
    pytest.param(ACCEPT, {"op": "validate", "rule": "URI-reference"}, id="validate-reference"),
    pytest.param(ACCEPT, {"op": "validate", "rule": "URI"}, id="validate-uri"),
    pytest.param(parts(), {"op": "parse"}, id="parse"),
]


@pytest.mark.parametrize(("right", "fields"), QUESTIONS)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("http://h/#f", id="fragment"),
        pytest.param("foo://u@a..b:99999/?#", id="other-scheme"),
        pytest.param("/#f", id="relative"),
    ],
)
def test_rfc1738_says_nothing_of_fragments(question, text, right, fields):
    """RFC 1738, section 2.2: a # delimits a URL from a fragment."""
    assert "rfc1738" not in rfc_answers(question(text, right, **fields))


@pytest.mark.parametrize(("right", "fields"), QUESTIONS)
def test_rfc1738_refuses_what_is_wrong_before_a_fragment(question, right, fields):
    """RFC 1738, section 3.3: no user name."""
    assert "rfc1738" in rfc_answers(question("http://u@h/#f", right, **fields))


#: A text to normalize, and the RFCs that refuse it: for brackets RFC 2396, section 2.4.3, for a scheme alone
#: section 3.
REFUSED = [
    pytest.param("http://[::1]/", {"rfc1738", "rfc1808", "rfc2396"}, id="brackets"),
    pytest.param("http:", {"rfc1738", "rfc2396", "rfc2732"}, id="scheme-alone"),
    pytest.param("http://1.1.1.300/", {"rfc1738"}, id="may-be-refused"),
    pytest.param("http://h/a", set(), id="valid-everywhere"),
]


@pytest.mark.parametrize(("text", "specs"), REFUSED)
def test_an_rfc_says_of_a_normal_form_only_that_it_refuses_the_text(question, text, specs):
    answers = rfc_answers(question(text, url(text), op="normalize"))
    assert kinds_of(answers) == {spec: ["rejected"] for spec in specs}


def test_an_abbreviated_text_is_not_judged_by_the_rfcs(question):
    assert rfc_answers(question(abbreviation("http://" + "h" * 2000), parts())) == {}


#: A text that has a second number sign, and the RFCs that admit its components, with the ruling that says so.
SECOND_HASH = [
    pytest.param(
        "a#b#c",
        {"rfc1808": "R-1808-29", "rfc2396": "R-2396-24", "rfc2732": "R-2396-24"},
        id="else-valid",
    ),
    pytest.param("a b#b#c", {}, id="another-fault"),
    pytest.param("a#b", {}, id="one-sign"),
]


@pytest.mark.parametrize(("text", "rulings"), SECOND_HASH)
def test_old_rfcs_admit_the_components_of_a_text_with_a_second_hash(question, text, rulings):
    """RFC 1808, section 2.4.1, and RFC 2396, appendix B, divide a text at its first `#`."""
    cited = {}
    for spec, admitted in rfc_answers(question(text, parts())).items():
        for answer, rulings_on_answer in admitted:
            if answer.components.get("fragment") == "b#c":
                (cited[spec],) = rulings_on_answer
    assert cited == rulings


#: A text, an RFC, and the rulings on which its verdict rests.
VERDICTS = [
    pytest.param("a:[", "rfc2732", ("R-2732-03",), id="bracket-after-a-scheme"),
    pytest.param("a:x[", "rfc2732", (), id="bracket-in-an-opaque-part"),
    pytest.param("http://1.1.1.300/", "rfc1738", ("R-1738-07",), id="address-group-above-255"),
    pytest.param("http://h/", "rfc1738", (), id="one-reading"),
    pytest.param("http://u@h/", "rfc1738", ("R-1738-01",), id="scheme-with-a-rule-of-its-own"),
    pytest.param("http://u@h/#f", "rfc1738", ("R-1738-01",), id="before-a-fragment"),
    pytest.param("http://h/~", "rfc1738", (), id="refused-under-every-rule"),
]


@pytest.mark.parametrize(("text", "spec", "rulings"), VERDICTS)
def test_a_verdict_rests_on_the_ruling_that_has_another_reading(question, text, spec, rulings):
    (recommended, *_) = rfc_answers(question(text, ACCEPT))[spec]
    assert recommended.rulings == rulings


@pytest.mark.parametrize(
    ("text", "rulings"),
    [
        pytest.param("file://u@h/", ("R-1738-01",), id="scheme-with-a-rule-of-its-own"),
        pytest.param("http://h/~", (), id="refused-under-every-rule"),
    ],
)
def test_a_verdict_by_a_rule_rests_on_the_same_ruling(question, text, rulings):
    (recommended, *_) = rfc_answers(question(text, ACCEPT, rule="URI"))["rfc1738"]
    assert recommended.rulings == rulings


def test_a_refusal_to_compare_rests_on_the_same_ruling(make_case):
    fields = {"op": "equivalent", "rule": None, "mode": "syntax", "expect": {"equal": True}}
    case = make_case("rfc3986-6.2-x", url="http://h/", other="http://u@h/", **fields)
    assert rfc_answers(case)["rfc1738"][0].rulings == ("R-1738-01",)


#: Two URLs in mode `syntax`, and what RFC 1738 says of them: "true" or "false" for each verdict that it or a
#: ruling on it fixes.
VERDICTS_OF_1738 = [
    # R-1738-36 compares no authorities, and section 2.2 says that an encoding usually makes no difference
    pytest.param("foo://h%2D1/", "foo://h-1/", [], id="triplet-in-a-host"),
    pytest.param("ftp://%61@h/", "ftp://a@h/", [], id="triplet-in-a-login"),
    pytest.param("foo://h%2D1/a", "foo://h-1/%61", [], id="triplet-in-a-host-with-another-spelling"),
    pytest.param("foo://h%2D1", "foo://h-1/", [], id="triplet-in-a-host-with-an-open-path"),
    pytest.param("foo://h%2D1/", "foo://h-1/b", ["false"], id="triplet-in-a-host-and-another-path"),
    pytest.param("foo://h%2D1/", "foo://h%2D1/a", ["false"], id="another-path-alone"),
    pytest.param("foo://h/%62", "foo://h/b", ["true"], id="triplet-in-a-path"),
    # G-11: hosts are case-insensitive, so no verdict against that is right by it
    pytest.param("http://H/", "http://h/", ["true"], id="case-of-a-host"),
    pytest.param("file://localhost/a", "file:///a", ["true"], id="localhost"),
    pytest.param("mailto:a@H", "mailto:a@h", ["false"], id="case-of-a-mail-domain"),
    # R-1738-35 and R-1738-42 leave both verdicts
    pytest.param("http://h", "http://h/", ["false", "true"], id="empty-path"),
    pytest.param("http://h/%3A", "http://h/:", ["false", "true"], id="character-that-http-does-not-reserve"),
    pytest.param("http://h/a", "http://h/b", ["false"], id="no-triplet"),
]


@pytest.mark.parametrize(("text", "second_text", "verdicts"), VERDICTS_OF_1738)
def test_an_rfc_gives_only_verdicts_on_two_urls_that_it_fixes(make_case, text, second_text, verdicts):
    fields = {"op": "equivalent", "rule": None, "mode": "syntax", "expect": {"equal": True}}
    case = make_case("rfc3986-6.2-x", url=text, other=second_text, **fields)
    assert [admitted.answer.text for admitted in rfc_answers(case).get("rfc1738", [])] == verdicts


#: A reference, an RFC, and the rulings on which its target rests.
TARGETS = [
    pytest.param("#", "rfc1808", ("R-1808-11", "R-1808-09"), id="lone-hash"),
    pytest.param("../../../g", "rfc2396", ("R-2396-18",), id="excess"),
    pytest.param("g", "rfc2396", (), id="one-reading"),
]


@pytest.mark.parametrize(("reference", "spec", "rulings"), TARGETS)
def test_a_target_rests_on_the_ruling_that_has_another_one(question, reference, spec, rulings):
    (recommended, *_) = rfc_answers(question(reference, url("x"), base="http://a/b/c/d;p?q"))[spec]
    assert recommended.rulings == rulings
