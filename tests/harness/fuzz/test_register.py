"""The register: one finding for each cause, whatever text shows it first."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

import pytest

from urlharness.adapters.python import functions
from urlharness.fuzz.difference import AnswerComparison
from urlharness.fuzz.findings import TextOrigin, rank
from urlharness.fuzz.panel import CampaignPanel
from urlharness.fuzz.register import Register
from urlharness.runner import function_adapter

from .conftest import split


class Listener:
    """Keeps the ids of the findings that a register has put or changed."""

    def __init__(self):
        self.put_ids = []

    def receive(self, finding):
        self.put_ids.append(finding.id)


def add(register, panel, text, leaves_at, *, fold):
    """Let the register examine all disagreements about a text."""
    (answers,) = panel.ask("parse", [text])
    for divergence in AnswerComparison(panel, fold=fold).divergences(text, answers):
        register.examine("parse", text, divergence, leaves_at, TextOrigin({"url": text}, "test"))


def examine(panel: CampaignPanel, *texts, known=(), fold=False, listener=None):
    """Return the findings of a register that examines the disagreements about texts."""
    register = Register(panel, "rfc3986", known, fold=fold)
    register.listener = listener or Listener()
    for number, text in enumerate(texts):  # each text leaves the language at another place
        add(register, panel, text, number, fold=fold)
    return list(register.findings)


#: A bug, texts that show it in different components, the minimal text and its class.
BUGS = {
    "backslash": (
        {"change": lambda text: text.replace("\\", "/")},
        ("http://a\\@b/", "c\\d", "//e:80\\f"),
        "\\",
        "backslash",
    ),
    "case": ({"host": str.upper}, ("http://a.b/", "//z@y", "ftp://x:1"), "//a", None),
    "triplets": ({"change": unquote}, ("http://a%40b/", "/%41", "?%3f#%23"), "%aa", None),
    "empty": ({"fragment": lambda fragment: fragment or None}, ("http://a#", "#", "//b?c#"), "", None),
    "beginning": (
        {"change": lambda text: f"_{text[2:]}" if text.startswith(" \0") else text},
        (" \0//a", " \0b:"),
        " \0",
        "control-character",
    ),
    "number": (
        {"port": lambda port: str(int(port) % 256)},
        ("http://a:256/", "//b:65535", "//c@d:00999"),
        "//:256",
        "port-digits",
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("step", [1, -1], ids=["in-order", "reversed"])
@pytest.mark.parametrize("name", BUGS)
def test_one_bug_is_one_finding(name, step, parser, open_panel):
    bug, texts, minimal_text, class_ = BUGS[name]
    listener = Listener()
    (finding,) = examine(open_panel(parser(), parser(**bug)), *texts[::step], listener=listener)
    assert finding.text == minimal_text
    assert finding.class_ == class_
    assert set(listener.put_ids) == {finding.id}


def test_two_bugs_are_two_findings(parser, open_panel):
    bugs = {"host": str.upper, "query": lambda query: query.replace("+", " ")}
    panel = open_panel(parser(), parser(**bugs))
    findings = examine(panel, "http://a/?b+c", "http://d/?e", "?f+g")
    assert {finding.component: finding.text for finding in findings} == {"host": "//a", "query": "?+"}
    assert len(findings) == 2


def test_a_finding_keeps_its_effect_when_it_gets_a_second_one_from_the_same_text(parser, open_panel):
    """The minimal text of the second text is `#a`, but as a whole it differs in the userinfo."""
    panel = open_panel(parser(), parser(query=str.upper, fragment=str.upper, userinfo=str.upper))
    (finding,) = examine(panel, "?a", "//u@#a")
    assert [effect.component for effect in finding.effects] == ["fragment", "userinfo"]


def summaries(findings):
    """Return the component, manner and text of each finding, sorted."""
    return sorted((finding.component, finding.manner, finding.text) for finding in findings)


def refuse_bars(text):
    if "|" in text:
        raise ValueError("a bar")
    return text


# Bugs of an unlike library, and a text that shows all of them, so that a minimal text of one could be that of
# another one.
UNLIKE = {
    "change": refuse_bars,
    "host": lambda host: host.replace("_", "--"),
    "path": lambda path: path.replace("^", "%5E"),
    "query": lambda query: query.replace("+", "ab"),
}
TEXTS = ("//a_b/^?+#|", "//a_b/^?+", "//b/^?+", "c^?d+", "http://a/b?+", "http:|")


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[::-1]], ids=["in-order", "reversed"])
def test_each_bug_of_an_unlike_library_is_one_finding(texts, parser, open_panel):
    """A minimal text differs in the same component, class and way as the text from which it is made."""
    findings = examine(open_panel(parser(), parser(**UNLIKE)), *texts, fold=True)
    assert summaries(findings) == [
        ("host", "unlike", "//_"),
        ("path", "encoded", "^"),
        ("query", "unlike: + / a", "?+"),
        ("verdict", "refused by one (2)", "|"),
    ]
    assert [finding for finding in findings if finding.effects] == []


def undivided(text):
    """Do not divide an authority with a `!` or `^`."""
    parts = split(text)
    netloc = urlsplit(text).netloc
    if "!" not in netloc and "^" not in netloc:
        return parts
    return {**parts, "userinfo": None, "host": None, "port": None, "authority": netloc}


def any_scheme(text):
    """Allow any character after the first one of a scheme."""
    scheme, colon, rest = text.partition(":")
    if colon and scheme[:1].isalpha():
        return {**split(rest), "scheme": scheme}
    return split(text)


def refuse_shouts(text):
    if re.search("//.*(!|@@)", text):
        raise ValueError("a shout")
    return split(text)


def decoded_query(text):
    parts = split(text)
    return {**parts, "query": re.sub("^%5b|(?<=!)%aa", lambda match: unquote(match[0]), parts["query"])}


# What an unlike library does, texts that show it in several classes and components, and a finding per cause.
CAUSES = {
    "the authority of valid and of other texts is not divided": (
        undivided,
        ("//a!", "//@!:1", "ftp://a!\\", "a://!@[::1]", "http://a^b"),
        [("host", "undivided", "//!"), ("host", "undivided, invalid", '//!"')],
    ),
    "the host follows from the scheme": (any_scheme, ("a!:", "a[://b"), [("scheme", "absent", "a!:")]),
    "the class of a refusal counts more than its reason": (
        refuse_shouts,
        ("//@@", "//a!"),
        [("verdict", "refused by other", "//!"), ("verdict", "refused by other", "//@@")],
    ),
    "escapes are decoded": (
        decoded_query,
        ("?%5b", "?!%aa"),
        [("query", "decoded", "?%5b")],
    ),
}


@pytest.mark.parametrize("name", CAUSES)
def test_each_cause_is_one_finding_whatever_text_shows_it(name, parser, open_panel):
    parse, texts, expected = CAUSES[name]
    unlike = function_adapter(functions("other", parse=parse, absent_vs_empty=True))
    findings = examine(open_panel(parser(), unlike), *texts, fold=True)
    assert summaries(findings) == expected


def test_a_finding_has_no_class_that_is_not_its_cause(parser, open_panel):
    """The backslash is not the cause, although a text with a backslash shows the difference first."""
    panel = open_panel(parser(), parser(host=lambda host: host * 2))
    (finding,) = examine(panel, "//a\\b\\c", fold=True)
    assert finding.text == "//a"
    assert finding.class_ is None


def test_a_bug_of_several_libraries_is_one_finding(parser, open_panel):
    bug = {"host": lambda host: host.replace("_", "--")}
    panel = open_panel(parser(), parser(**bug), parser(), parser(**bug))
    (finding,) = examine(panel, "http://a_/", "//_b", fold=True)
    assert finding.groups == (("one", "one (3)"), ("one (2)", "one (4)"))
    assert list(finding.answers) == ["one", "one (2)"]


def test_a_finding_of_a_group_has_an_input_for_each_library(parser, open_panel):
    """The third library has the bug of the second one only with userinfo."""
    bug = {"host": lambda host: host.replace("_", "--")}
    late = {"change": lambda text: text.replace("_", "--") if "@" in text else text}
    findings = examine(open_panel(parser(), parser(**bug), parser(**late)), "//_", "//a@_", fold=True)
    texts = set()
    for finding in findings:
        texts.add(finding.text)
        texts.update(effect.text for effect in finding.effects)
    assert texts == {"//_", "//@_"}


@pytest.fixture
def backslash_finding(parser, open_panel):
    """The finding of a bug that takes a backslash for a slash, in the path and in the host."""
    panel = open_panel(parser(), parser(change=lambda text: text.replace("\\", "/")))
    (finding,) = examine(panel, "http://a\\@b/", "c\\d")
    return finding


def test_a_finding_has_the_answers_of_its_adapters(backslash_finding):
    assert backslash_finding.operation == "parse"
    assert backslash_finding.adapters == ("one", "one (2)")
    assert {name: answer.in_words() for name, answer in backslash_finding.answers.items()} == {
        "one": "no host  scheme (empty)  path \\  query (empty)  fragment (empty)",
        "one (2)": "no host  scheme (empty)  path /  query (empty)  fragment (empty)",
    }


def test_a_difference_that_no_rfc_admits_is_a_defect(backslash_finding):
    assert backslash_finding.cause == "defect"


def test_a_finding_has_the_section_that_its_class_cites(backslash_finding):
    """No rule of RFC 3986 has a backslash: the class `backslash` cites appendix A, the whole grammar."""
    assert backslash_finding.section == "A"


def test_the_severity_of_a_finding_is_that_of_its_worst_effect(backslash_finding):
    """The minimal text differs in the path, and another one differs in the host."""
    assert backslash_finding.component == "path"
    assert backslash_finding.severity == "host"


def test_the_worst_effect_of_a_finding_is_the_most_harmful_one(backslash_finding):
    assert backslash_finding.worst_effect.component == "host"
    assert backslash_finding.worst_effect.text.startswith("//")


@pytest.fixture
def refusal_finding(parser, open_panel):
    """The finding of a library that refuses an exclamation mark."""

    def refuse(text):
        if "!" in text:
            raise ValueError("too loud")
        return text

    (finding,) = examine(open_panel(parser(), parser(change=refuse)), "http://a!/", "b!")
    return finding


def test_a_refusal_has_the_text_that_is_refused_alone(refusal_finding):
    assert refusal_finding.component == "verdict"
    assert refusal_finding.text == "!"


def test_a_refusal_names_its_side_and_reason(refusal_finding):
    assert refusal_finding.side == "one (2)"
    assert refusal_finding.reason == "too-loud"


def test_known_findings_stay(parser, open_panel):
    panel = open_panel(parser(), parser(host=str.upper))
    before = examine(panel, "http://a/")
    (known_finding,) = before
    after = examine(panel, "http://b/", "//c@d", known=before)
    assert list(after) == [known_finding]


@pytest.fixture
def restored_register(parser, open_panel):
    """A register that has grown in four rounds, and one that was restored from the changes of each."""
    panel = open_panel(parser(), parser(change=lambda text: text.replace("\\", "/")))
    grown = Register(panel, "rfc3986", (), fold=False)
    copy = Register(panel, "rfc3986", (), fold=False)
    for text in ("\\", "a\\", "ab\\", "abc\\"):
        add(grown, panel, text, len(text), fold=False)
        copy.restore_counts(grown.take_changes().counts)
    for finding in grown.findings:
        copy.restore(finding)
    return grown, copy


def test_the_counts_of_a_register_are_restored(restored_register):
    """Rounds follow each other, so a later count replaces an earlier one.

    Counts show only in which texts a later round examines, so the private dictionaries are compared.
    """
    grown, copy = restored_register
    assert max(grown._counts.values()) > 1
    assert copy._counts == grown._counts


def test_the_findings_of_a_register_are_restored(restored_register):
    grown, copy = restored_register
    assert list(grown.findings) != []
    assert list(copy.findings) == list(grown.findings)


def test_what_has_the_key_of_a_finding_is_not_asked_again(parser, open_panel, monkeypatch):
    panel = open_panel(parser(), parser(host=lambda host: host.replace("_", "--")))
    register = Register(panel, "rfc3986", (), fold=True)
    add(register, panel, "//a_b", 0, fold=True)
    (answers,) = panel.ask("parse", ["//c_"])
    (divergence,) = AnswerComparison(panel, fold=True).divergences("//c_", answers)
    monkeypatch.setattr(panel, "ask", None)  # a question would fail
    register.examine("parse", "//c_", divergence, 1, TextOrigin({"url": "//c_"}, "test"))
    assert len(register.findings) == 1


def test_findings_are_ranked_by_the_harm_of_their_component(parser, open_panel):
    bugs = {
        "host": str.upper,
        "query": lambda query: query.replace("+", " "),
        "path": lambda path: path.replace(";", ","),
    }
    findings = examine(open_panel(parser(), parser(**bugs)), "http://h", "?+q", ";p", "http://a/b;")
    assert [finding.component for finding in sorted(findings, key=rank)] == ["host", "path", "query"]
