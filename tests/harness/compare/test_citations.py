"""The section and the ruling that a page cites for a wrong answer."""

from __future__ import annotations

import pytest
from answer_samples import ACCEPT, REJECT, expected, url

from urlharness.compare.causes import excuses_of
from urlharness.compare.citations import cited_section
from urlharness.compare.matrix import make_matrix
from urlharness.corpus.longtext import abbreviation
from urloracle.rfcs import RFC3986

#: A section on normalization, a text, its normal form, the answer of a library, and the section to cite.
STEPS = [
    pytest.param("6.2.1", "//1.01", "//1.01", "//1.1", "3.2.2", id="an-address-that-is-no-alias"),
    pytest.param("6.2.1", "ws://h/a#f", "ws://h/a#f", "ws://h/a", "3.5", id="a-lost-fragment"),
    pytest.param("6.2.1", "a:b:c", "a:b:c", "a:b%3Ac", "2.2", id="an-encoded-colon"),
    pytest.param("6.2.1", "a://h/B", "a://h/B", "a://h/b", "6.2.2.1", id="the-case-of-a-path"),
    pytest.param("6.2.2.1", "HTTP://h/", "http://h/", "HTTP://h/", "6.2.2.1", id="case"),
    pytest.param("6.2.2.1", "http://h/%7e%3a", "http://h/~%3A", "http://h/~%3a", "6.2.2.1", id="triplets"),
    pytest.param("6.2.2.1", "//0x7f000001", "//0x7f000001", "//127.0.0.1", "3.2.2", id="an-address"),
    pytest.param("6.2.2.1", "//h:0", "//h:0", "//h", "3.2.3", id="a-lost-port"),
    pytest.param("6.2.2.2", "//h/%41", "//h/A", "//h/%41", "6.2.2.2", id="a-triplet-that-stays"),
    pytest.param("6.2.2.2", "//u@h/", "//u@h/", "//h/", "3.2.1", id="a-lost-userinfo"),
    pytest.param("6.2.2.3", "//h/a/../b", "//h/b", "//h/a/../b", "6.2.2.3", id="dots-that-stay"),
    pytest.param("6.2.2.3", "//h:0//a", "//h:0//a", "//h//a", "3.2.3", id="a-lost-port-beside-slashes"),
    pytest.param("6.2.2.3", "//h/a/..%2e", "//h/a/...", "//h/a/..%2E", "6.2.2.2", id="a-triplet-beside-dots"),
    pytest.param("6.2.2.3", "//h/./#%7e", "//h/#~", "//h/#%7e", "6.2.2.2", id="a-triplet-in-a-fragment"),
    pytest.param("6.2.2.3", "//H/./", "//h/", "//H/", "6.2.2.1", id="case-beside-dots"),
    pytest.param("6.2.2.3", "./a:b", "./a:b", "a:b", "6.2.2.3", id="a-path-that-becomes-a-scheme"),
    pytest.param("6.2.2.3", "/.//h", "/.//h", "//h", "6.2.2.3", id="a-path-that-becomes-an-authority"),
    pytest.param("6.2.2.3", "f:///a/..", "f:///", "f:/", "3.2", id="a-lost-authority"),
    pytest.param("6.2.2.2", "//h//%41", "//h//A", "//h/A", "3.3", id="a-lost-segment"),
    pytest.param("7.4", "//0X7.1/a", "//0x7.1/a", "//0x7.1/", "3.3", id="a-path-beside-an-address"),
    pytest.param("2.3", "//h/%7e", "//h/~", "//h/%7e", "2.3", id="characters"),
    pytest.param("2.3", "//h//%7e", "//h//~", "//h/~", "3.3", id="a-lost-segment-beside-characters"),
    pytest.param("6.2.3", "http://h:80/", "http://h/", "http://h:80/", "6.2.3", id="rules-of-a-scheme"),
    pytest.param("6.2.2.1", "HTTP://h/", "http://h/", None, "6.2.2.1", id="a-refusal"),
    pytest.param("6.2.2.1", "a:/%2Fb", "a:/%2Fb", "a:/b", "6.2.2.2", id="a-decoded-slash"),
    pytest.param("6.2.2.3", "a:..", "a:", "a:/", "6.2.2.3", id="a-slash-instead-of-dots"),
    pytest.param(
        "6.2.2.3", "a:/b%2F../c", "a:/b%2F../c", "a:/c", "6.2.2.2", id="a-decoded-slash-before-dots"
    ),
    pytest.param("6.2.2.1", "//%21", "//%21", "//!", "6.2.2.2", id="a-decoded-host-in-a-question-on-case"),
    pytest.param(
        "6.2.2.1", "//[::1]:08", "//[::1]:08", "//[0::1]:08", "3.2.2, by R-3986-46", id="an-ipv6-address"
    ),
    pytest.param("6.2.2.2", "a:/b%41", "a:/bA", "a:%2FbA", "2.2", id="an-encoded-slash"),
    pytest.param("6.2.2.3", "a:/b/./c", "a:/b/c", "a:%2Fb%2Fc", "2.2", id="encoded-slashes-beside-dots"),
    pytest.param("6.2.2.1", "a:%3a", "a:%3A", "a:%3a", "6.2.2.1", id="the-case-of-an-encoded-delimiter"),
]


@pytest.mark.parametrize(("section", "text", "normal_form", "answer", "cited"), STEPS)
def test_a_step_of_normalization_is_cited_for_what_it_changes(
    make_case, run, section, text, normal_form, answer, cited
):
    right = url(normal_form)
    case = make_case(
        f"rfc3986-{section}-x", op="normalize", rule=None, mode="syntax", url=text, expect=expected(right)
    )
    results = run((case, {"lib": REJECT if answer is None else url(answer), "right": right}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert cited_section(disagreement, results.vectors[case.vector.id]) == cited


@pytest.fixture
def cite_for_components(make_case, run):
    """Return a function that returns the section that is cited for wrong components of a parsed text.

    The question is in `section`, and rests on a ruling.
    """

    def cite(section, text, wrong):
        right = RFC3986.asdict(RFC3986.parse(text))
        fields = {"op": "parse", "rule": None, "url": text, "ruling": "R-3986-19"}
        case = make_case(f"rfc3986-{section}-x", expect={"components": right}, **fields)
        results = run((case, {"lib": {"status": "ok", "components": {**right, **wrong}}}))
        (disagreement,) = make_matrix(results).differences_from_rfc("lib")
        return cited_section(disagreement, results.vectors[case.vector.id])

    return cite


#: The section of a question, a text, the components in which an answer is wrong, and what is cited: the
#: section of RFC 3986 on these, and rulings on the difference. The ruling of the question is not about them.
OTHER_COMPONENTS = [
    pytest.param("3", "a://h", {"path": "/"}, "3.3", id="all-components"),
    pytest.param("3.2", "a://u:@h", {"userinfo": "u%3A"}, "3.2.1, by G-13", id="an-encoded-colon"),
    pytest.param("3.2.2", "a://@h", {"authority": "h"}, "3.2", id="an-authority"),
    pytest.param("3.3", "a://h", {"host": "g"}, "3.2.2", id="a-host"),
    pytest.param("3.3", "a://h", {"host": None, "authority": None}, "3.2", id="a-lost-authority"),
    pytest.param("7.4", "a://127.1:8", {"port": None}, "3.2.3", id="a-port-beside-a-rare-address"),
    pytest.param("7.2", "a://h/%0d", {"path": "/%0D"}, "3.3", id="the-case-of-a-control-character"),
    pytest.param("2.4", "a://h:08/", {"port": "8"}, "3.2.3", id="a-port-beside-a-triplet"),
    pytest.param("3.4", "f:///b?", {"host": None, "authority": None}, "3.2.2, by G-09", id="an-empty-host"),
    # 4.1: a relative reference has no scheme
    pytest.param("3.2.2", "//h", {"scheme": "http"}, "4.1", id="a-scheme-that-comes-from-nowhere"),
]


@pytest.mark.parametrize(("section", "text", "wrong", "cited"), OTHER_COMPONENTS)
def test_the_section_on_the_component_is_cited_if_the_question_is_about_another(
    cite_for_components, section, text, wrong, cited
):
    assert cite_for_components(section, text, wrong) == cited


#: The section of a question, a text, the components in which an answer is wrong, and what is cited: the same
#: section, because RFC 3986 treats these components there, its ruling, and those on the difference.
COMPONENTS_OF_QUESTIONS = [
    # 3.2: what begins and ends an authority also delimits its host
    pytest.param("3.2", "a://h", {"host": "g"}, "3.2, by R-3986-19", id="the-authority-of-a-host"),
    # 3.3, 3.4 and 3.5: the component itself
    pytest.param("3.3", "a://h/b", {"path": "b"}, "3.3, by R-3986-19 and G-10", id="a-lost-slash"),
    pytest.param("3.3", "a:/b", {"path": "b"}, "3.3, by R-3986-19", id="a-lost-slash-without-a-host"),
    pytest.param("3.4", "a:?", {"query": None}, "3.4, by R-3986-19 and G-09", id="an-empty-query"),
    pytest.param("3.5", "a:#%00", {"fragment": "\0"}, "3.5, by R-3986-19 and G-13", id="a-decoded-triplet"),
    # 2.4 and 7.2: when triplets must not be decoded, in whatever component
    pytest.param("2.4", "a://h/%2f", {"path": "/%2F"}, "2.4, by R-3986-19", id="a-triplet"),
    pytest.param("7.2", "a:b%0d", {"path": "b\r"}, "7.2, by R-3986-19 and G-13", id="a-decoded-line-end"),
    # 7.4: rare forms of an address, which is a host
    pytest.param("7.4", "a://127.1", {"host": "127.0.0.1"}, "7.4, by R-3986-19", id="a-rare-address"),
    # appendix B: all components
    pytest.param("B", "a://h", {"host": None, "authority": None}, "B, by R-3986-19", id="no-component"),
]


@pytest.mark.parametrize(("section", "text", "wrong", "cited"), COMPONENTS_OF_QUESTIONS)
def test_the_section_of_the_question_is_cited_if_it_is_about_the_wrong_component(
    cite_for_components, section, text, wrong, cited
):
    assert cite_for_components(section, text, wrong) == cited


#: A section on resolution, a base, a reference, the target, the answer of a library, and the section to cite.
TARGETS = [
    pytest.param("5.2.4", "a:b", "..", "a:", "..", "5.2.2", id="a-lost-scheme"),
    pytest.param("5.2.3", "a://h", "b", "a://h/b", "a://hb", "5.2.2", id="another-host"),
    pytest.param("5.2.4", "a:/b", "../c", "a:/c", "a:/../c", "5.2.4", id="dots"),
    pytest.param("5.2.4", "a:/b", "/c", "a:/c", "a://c", "5.2.2", id="an-invented-authority"),
    pytest.param(
        "5.2.4", "a:/b", "/.//c", "a:/.//c", "a://c", "5.2.4", id="a-path-that-reads-as-an-authority"
    ),
    pytest.param("5.1", "a:/b#f", "/c", "a:/c", "a:/c#f", "5.1", id="a-fragment-of-the-base"),
    pytest.param("5.1", "a:/b", "/c", "a:/c", "/c", "5.2.2", id="a-scheme-in-a-question-on-bases"),
    pytest.param("4.2", "a:/b", "/c", "a:/c", "/c", "4.2", id="another-section"),
    pytest.param("5.2", "a://u@h/b", "c", "a://u@h/c", "a://h/c", "5.2.2", id="a-lost-userinfo"),
    pytest.param("5.2", "a://h/b", "c", "a://h/c", None, "5.2.2", id="a-refusal"),
    pytest.param("5.2.4", "a:b/c", "..", "a:", None, "5.2.4", id="a-refusal-of-a-step"),
    pytest.param("5.2.2", "a:/b/c", "./d", "a:/b/d", "a:/b/./d", "5.2.4", id="a-dot-that-stays"),
    pytest.param("5.2.2", "a:/C:/d", "../", "a:/", "a:/C:/", "5.2.4", id="a-segment-that-dots-do-not-remove"),
    pytest.param("5.2.3", "a://h", "..", "a://h/", "a://h", "5.2.3", id="a-slash-that-a-merge-adds"),
    pytest.param("5.2.2", "a:///b/c", "..//d", "a:////d", "a:/d", "5.2.4", id="a-lost-empty-segment"),
    pytest.param("5.2.3", "a://h", "..;x", "a://h/..;x", "a://h/;x", "5.2.4", id="dots-that-are-no-segment"),
    pytest.param("5.2.2", "a://h/b/c", "d", "a://h/b/d", "a://h/d", "5.2.3", id="another-merge"),
    pytest.param("5.2.4", "a:/b", "/%7e", "a:/%7e", "a:/~", "5.2.2", id="a-decoded-triplet"),
    pytest.param("5.2.2", "a://h/b", "?", "a://h/b?", "a://h/b", "5.2.2, by G-09", id="an-empty-query"),
    pytest.param("5.2.2", "http://u@[v1.a]/b", "c", "http://u@[v1.a]/c", None, "3.2.2", id="a-refused-host"),
    pytest.param("5.2.2", "http://my--site/d", "c", "http://my--site/c", None, "3.2.2", id="a-refused-label"),
    pytest.param(
        "5.2.3", "a://h//b", "c", "a://h//c", "a://h/c", "5.2.3", id="a-merge-with-an-empty-segment"
    ),
    pytest.param(
        "5.2.4", "a://h/b", "/c//d", "a://h/c//d", "a://h/c/d", "5.2.2", id="an-empty-segment-without-dots"
    ),
    pytest.param("5.2.1", "f:", "g", "f:g", "f:/g", "5.2.3", id="a-merge-in-a-question-on-bases"),
    pytest.param("3.3", "a://h/b", "c", "a://h/c", "a://g/c", "5.2.2", id="a-host-in-a-question-on-paths"),
    pytest.param("5.1", "a:b#/c", "#s", "a:b#s", "a:///b#s", "5.2.2", id="a-path-in-a-question-on-bases"),
    pytest.param(
        "5.2.4",
        "a://h/b/c",
        abbreviation(f"d?{'../' * 1000}"),
        abbreviation(f"a://h/b/d?{'../' * 1000}"),
        abbreviation(f"a://h/b/d?{'..%2F' * 1000}"),
        "5.2.2",
        id="dots-in-an-abbreviated-query",
    ),
]


@pytest.mark.parametrize(("section", "base", "reference", "target", "answer", "cited"), TARGETS)
def test_the_step_that_gives_another_target_is_cited(
    make_case, run, section, base, reference, target, answer, cited
):
    fields = {"op": "resolve", "rule": None, "base": base, "reference": reference}
    case = make_case(f"rfc3986-{section}-x", expect=expected(url(target)), **fields)
    reply = REJECT if answer is None else url(answer)
    results = run((case, {"lib": reply}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    wrong_answer = disagreement.side_of["lib"].answer
    excuses = excuses_of(case, results.of("lib")[case.vector.id], wrong_answer, results.participant("lib"))
    assert cited_section(disagreement, results.vectors[case.vector.id], excuses) == cited


#: A base without a root, a reference, the target, another one, and what a page cites.
ROOTLESS = [
    pytest.param("f:a/c", ".", "f:a/", "f:/a/", "5.2.4", id="a-dot"),
    pytest.param("f:a/b/c", "..", "f:a/", "f:/a/", "5.2.4", id="the-second-segment"),
    pytest.param("f:a/b", "..", "f:/", "f:", "5.2.4, by R-3986-08", id="the-first-segment"),
    pytest.param("f:a", "../b", "f:b", "f:../b", "5.2.4, by R-3986-08", id="dots-at-the-beginning"),
]


@pytest.mark.parametrize(("base", "reference", "target", "answer", "cited"), ROOTLESS)
def test_the_ruling_on_rootless_paths_is_cited_only_if_dots_remove_the_first_segment(
    make_case, run, base, reference, target, answer, cited
):
    fields = {"op": "resolve", "rule": None, "base": base, "reference": reference, "ruling": "R-3986-08"}
    case = make_case("rfc3986-5.2.4-x", expect=expected(url(target)), **fields)
    results = run((case, {"lib": url(answer)}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert cited_section(disagreement, results.vectors[case.vector.id]) == cited


#: A section on a component, a valid text that a library refuses, and the section to cite.
REFUSED = [
    pytest.param("3.2.2", "file://u@h/", "3.2.1", id="a-user"),
    pytest.param("3.2.2", "http://h_1/", "3.2.2, by R-3986-19", id="the-host-of-the-question"),
    pytest.param("3.4", "foo://[::1]/?q", "3.2.2", id="an-address-that-three-rfcs-refuse"),
    pytest.param("3.4", "wais://u@[::1]/?q", "3.4, by R-3986-19", id="a-user-or-an-address"),
    pytest.param("3.2", "http://h_1/", "3.2, by R-3986-19", id="a-part-of-the-component"),
    pytest.param("7.3", "http://%00/", "7.3, by R-3986-19", id="another-section"),
]


@pytest.mark.parametrize(("section", "text", "cited"), REFUSED)
def test_a_refusal_is_cited_by_the_component_that_is_refused(make_case, run, section, text, cited):
    right = RFC3986.asdict(RFC3986.parse(text))
    fields = {"op": "parse", "rule": None, "url": text, "ruling": "R-3986-19"}
    case = make_case(f"rfc3986-{section}-x", expect={"components": right}, **fields)
    results = run((case, {"lib": REJECT}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    answer = disagreement.side_of["lib"].answer
    excuses = excuses_of(case, results.of("lib")[case.vector.id], answer, results.participant("lib"))
    assert cited_section(disagreement, results.vectors[case.vector.id], excuses) == cited


#: A section, a rule, an invalid text that a library accepts, and the section to cite.
ACCEPTED = [
    pytest.param("A", "URI-reference", "a\\:", "2, by R-3986-19", id="a-character-of-no-rule"),
    pytest.param(
        "3", "URI-reference", "f:///c|/x", "2, by R-3986-19", id="a-bar-in-a-question-on-components"
    ),
    pytest.param("A", "URI-reference", "a[:", "3.3, by R-3986-19", id="a-bracket-in-the-first-segment"),
    pytest.param("A", "URI", "a[:", "3.1, by R-3986-19", id="a-bracket-in-a-scheme"),
    pytest.param("A", "URI", "//h", "3.1, by R-3986-19", id="no-scheme"),
    pytest.param("A", "URI-reference", "//a@b@c", "3.2.1", id="a-second-at-sign"),
    pytest.param("A", "URI-reference", "//::]", "3.2.2, by R-3986-19", id="a-bracket-behind-colons"),
    pytest.param("A", "URI-reference", "//[::1/", "3.2.2, by R-3986-19", id="an-open-bracket"),
    pytest.param("A", "URI-reference", "//h:x/", "3.2", id="an-authority-that-ends-too-early"),
    pytest.param("A", "URI-reference", "?[", "3.4", id="a-bracket-in-a-query"),
    pytest.param("A", "URI-reference", "##", "3.5", id="a-second-hash"),
    pytest.param("A", "URI-reference", "%a/", "2.1, by R-3986-19", id="a-broken-triplet"),
    pytest.param("3.2", "URI-reference", "//h:x/", "3.2, by R-3986-19", id="the-section-of-the-question"),
    pytest.param("C", "URI-reference", "URL: http://h/", "2, by G-05", id="a-blank-of-running-text"),
    pytest.param("C", "URI-reference", "http://h/ ", "2, by G-08", id="a-blank-after-a-url"),
    pytest.param("C", "URI-reference", "<http://h/>", "2", id="a-bracket-of-running-text"),
]


@pytest.mark.parametrize(("section", "rule", "text", "cited"), ACCEPTED)
def test_a_text_that_should_be_refused_is_cited_by_its_first_fault(
    make_case, run, section, rule, text, cited
):
    fields = {"op": "validate", "rule": rule, "url": text, "ruling": "R-3986-19"}
    case = make_case(f"rfc3986-{section}-x", expect={"valid": False}, **fields)
    results = run((case, {"lib": ACCEPT}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert cited_section(disagreement, results.vectors[case.vector.id]) == cited


def test_a_path_that_a_library_refuses_is_cited_if_the_question_is_on_all_rules(make_case, run):
    fields = {
        "op": "validate",
        "rule": "URI",
        "url": "a:/.//b",
        "ruling": "R-3986-09",
        "class": "double-slash",
    }
    case = make_case("rfc3986-A-x", expect={"valid": True}, **fields)
    results = run((case, {"lib": REJECT}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert cited_section(disagreement, results.vectors[case.vector.id]) == "3.3"


def test_a_refused_empty_host_rests_on_the_ruling_that_allows_it(make_case, run):
    fields = {"op": "resolve", "rule": None, "base": "a://", "reference": "g", "class": "empty-host"}
    case = make_case("rfc3986-5.2.3-x", expect=expected(url("a:///g")), **fields)
    results = run((case, {"lib": REJECT}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert cited_section(disagreement, results.vectors[case.vector.id]) == "3.2.2, by R-3986-19"


#: A section, two URLs that are not the same, and what a page cites for an answer that they are.
COMPARISONS = [
    pytest.param("6.1", "a://@h/b", "a://h/b", "6.2.3, by R-3986-22", id="empty-user"),
    pytest.param("6.2.3", "a://h/b?", "a://h/b", "6.2.3, by R-3986-22", id="empty-query"),
    pytest.param("6.1", "a://h/b", "a://h/c", "6.1", id="another-path"),
]


@pytest.mark.parametrize(("section", "text", "second_text", "cited"), COMPARISONS)
def test_an_empty_component_in_a_comparison_is_cited_by_the_rule_that_keeps_it(
    make_case, run, section, text, second_text, cited
):
    fields = {"op": "equivalent", "rule": None, "mode": "scheme", "url": text, "other": second_text}
    case = make_case(f"rfc3986-{section}-x", expect={"equal": False}, **fields)
    results = run((case, {"lib": {"status": "ok", "equal": True}}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert cited_section(disagreement, results.vectors[case.vector.id]) == cited
