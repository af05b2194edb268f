"""The register: one finding for each cause, whatever text shows it first."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

import pytest

from urlharness.adapters.python import functions
from urlharness.compare.answers import LibraryAnswer
from urlharness.fuzz.findings import TextOrigin, rank
from urlharness.fuzz.panel import Panel
from urlharness.fuzz.register import Register
from urlharness.runner import function_adapter

from .conftest import split


class Listener:
    def __init__(self):
        self.put_ids, self.dropped = [], []

    def put(self, finding):
        self.put_ids.append(finding.id)

    def drop(self, finding):
        self.dropped.append(finding.id)


def examine(panel: Panel, *texts, known=()):
    listener = Listener()
    register = Register(panel, "rfc3986", known, listener, {finding.id for finding in known})
    register.note_reasons([(1, "shout"), (1, "one"), (1, "two")])
    for index, text in enumerate(texts):
        (question_answers,) = panel.ask("parse", [text])
        for kind in panel.kinds(question_answers):
            register.add("parse", text, kind, index, TextOrigin({"url": text}, "test"))
    return list(register.findings.values()), listener


# a bug, texts that show it in different components, the minimal texts and their class
BUGS = {
    "backslash": (
        {"change": lambda text: text.replace("\\", "/")},
        ("http://a\\@b/", "c\\d", "//e:80\\f"),
        ("\\", "//\\"),
        "backslash",
    ),
    "case": ({"host": str.upper}, ("http://a.b/", "//z@y", "ftp://x:1"), ("//a",), None),
    "triplets": ({"change": unquote}, ("http://a%40b/", "/%41", "?%3f#%23"), ("%aa", "//%aa", "?%aa"), None),
    "empty": ({"fragment": lambda value: value or None}, ("http://a#", "#", "//b?c#"), ("",), None),
    "beginning": (
        {"change": lambda text: f"_{text[2:]}" if text.startswith(" \0") else text},
        (" \0//a", " \0b:"),
        (" \0",),
        "control-character",
    ),
    "number": (
        {"port": lambda port: str(int(port) % 256)},
        ("http://a:256/", "//b:65535", "//c@d:00999"),
        ("//:256",),
        None,
    ),
}


@pytest.mark.parametrize("name", BUGS)
def test_one_bug_is_one_finding(name, parser, open_panel):
    bug, texts, least, class_ = BUGS[name]
    panel = open_panel(parser(), parser(**bug))
    for order in (texts, texts[::-1]):
        (finding,), listener = examine(panel, *order)
        assert finding.text in least
        assert class_ in (None, finding.class_)
        assert {*listener.put_ids} - {*listener.dropped} == {finding.id}


def test_two_bugs_are_two_findings(parser, open_panel):
    bugs = {"host": str.upper, "query": lambda query: query.replace("+", " ")}
    panel = open_panel(parser(), parser(**bugs))
    findings, _ = examine(panel, "http://a/?b+c", "http://d/?e", "?f+g")
    assert sorted((finding.component, finding.text) for finding in findings) == [
        ("host", "//a"),
        ("query", "?+"),
    ]


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


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[::-1]], ids=["in order", "reversed"])
def test_each_bug_of_an_unlike_library_is_one_finding(texts, parser, open_panel):
    """A minimal text differs in the same component, class and way as the text from which it is made."""
    findings, _ = examine(open_panel(parser(), parser(**UNLIKE), fold=True), *texts)
    assert sorted((finding.component, finding.how, finding.text) for finding in findings) == [
        ("host", "unlike", "//_"),
        ("path", "encoded", "^"),
        ("query", "unlike", "?+"),
        ("verdict", "", "|"),
    ]
    assert not any(finding.effects for finding in findings)


def undivided(text):
    """Do not divide an authority with a `!` or `^`."""
    parts = split(text)
    if not {"!", "^"}.intersection(netloc := urlsplit(text).netloc):
        return parts
    return {**parts, "userinfo": None, "host": None, "port": None, "authority": netloc}


def any_scheme(text):
    """Allow any character after the first one of a scheme."""
    scheme, colon, rest = text.partition(":")
    return {**split(rest), "scheme": scheme} if colon and scheme[:1].isalpha() else split(text)


def refuse_shouts(text):
    if re.search("//.*(!|@@)", text):
        raise ValueError("a shout")
    return split(text)


def decoded_query(text):
    parts = split(text)
    return {
        **parts,
        "query": re.sub("^%5b|(?<=!)%aa", lambda components: unquote(components[0]), parts["query"]),
    }


# What an unlike library does, texts that show it in several classes and components, and what is found.
CAUSES = {
    "the authority of valid and of other texts is not divided": (
        undivided,
        ("//a!", "//@!:1", "ftp://a!\\", "a://!@[::1]", "http://a^b"),
        [("host", "undivided", "//!"), ("host", "undivided", "//^")],
    ),
    "the host follows from the scheme": (any_scheme, ("a!:", "a[://b"), [("scheme", "present", "a!:")]),
    "the reason of a refusal counts more than the class": (
        refuse_shouts,
        ("//@@", "//a!"),
        [("verdict", "", "//@@")],
    ),
    "escapes are decoded": (
        decoded_query,
        ("?%5b", "?!%aa"),
        [("query", "decoded", "?%5b")],
    ),
}


@pytest.mark.parametrize("name", CAUSES)
def test_a_cause_is_one_finding(name, parser, open_panel):
    parse, texts, expected = CAUSES[name]
    other_adapter = function_adapter(functions("other", parse=parse, absent_vs_empty=True))
    panel = open_panel(parser(), other_adapter, fold=True)
    findings, _ = examine(panel, *texts)
    assert sorted((finding.component, finding.how, finding.text) for finding in findings) == expected


def test_a_class_that_does_not_matter_is_left(parser, open_panel):
    """The backslash is not the cause, although a text with a backslash shows the difference first."""
    (finding,), _ = examine(open_panel(parser(), parser(host=lambda host: host * 2), fold=True), "//a\\b\\c")
    assert finding.text == "//a"
    assert finding.class_ is None


def test_a_bug_of_several_libraries_is_one_finding(parser, open_panel):
    bug = {"host": lambda host: host.replace("_", "--")}
    panel = open_panel(parser(), parser(**bug), parser(), parser(**bug), fold=True)
    (finding,), _ = examine(panel, "http://a_/", "//_b")
    assert finding.groups == (("one", "one (3)"), ("one (2)", "one (4)"))
    assert [*finding.answers] == ["one", "one (2)"]


def test_a_finding_of_a_group_has_an_input_for_each_library(parser, open_panel):
    """The third library has the bug of the second one only with userinfo."""
    bug = {"host": lambda host: host.replace("_", "--")}
    late = {"change": lambda text: text.replace("_", "--") if "@" in text else text}
    findings, _ = examine(open_panel(parser(), parser(**bug), parser(**late), fold=True), "//_", "//a@_")
    assert {finding.text for finding in findings} | {
        e.input["url"] for finding in findings for e in finding.effects
    } == {
        "//_",
        "//@_",
    }


def test_a_finding_tells_all(parser, open_panel):
    panel = open_panel(parser(), parser(change=lambda text: text.replace("\\", "/")))
    (finding,), _ = examine(panel, "http://a\\@b/", "c\\d")
    assert finding.operation == "parse"
    assert finding.adapters == ("one", "one (2)")
    assert {name: answer.in_words() for name, answer in finding.answers.items()} == {
        "one": "no host  scheme (empty)  path \\  query (empty)  fragment (empty)",
        "one (2)": "no host  scheme (empty)  path /  query (empty)  fragment (empty)",
    }
    assert finding.cause == "defect"
    assert finding.section == "A"
    assert finding.severity == "host"
    assert finding.worst.component == "host"
    assert finding.worst.input["url"].startswith("//")


def test_a_refusal_names_its_side_and_reason(parser, open_panel):
    def refuse(text):
        if "!" in text:
            raise ValueError("too loud")
        return text

    (finding,), _ = examine(open_panel(parser(), parser(change=refuse)), "http://a!/", "b!")
    assert finding.component == "verdict"
    assert finding.side == "one (2)"
    assert finding.reason == "too-loud"
    assert finding.text == "!"


def test_known_findings_stay(parser, open_panel):
    panel = open_panel(parser(), parser(host=str.upper))
    before, _ = examine(panel, "http://a/")
    after, _ = examine(panel, "http://b/", "//c@d", known=before)
    assert [finding.id for finding in after] == [finding.id for finding in before]


def test_a_register_is_restored(parser, open_panel):
    """Rounds follow each other, so a later count replaces an earlier one."""
    panel = open_panel(parser(), parser(change=lambda text: text.replace("\\", "/")))
    whole, again = (Register(panel, "rfc3986", ()) for _ in range(2))
    for text in ("\\", "a\\", "ab\\", "abc\\"):
        (question_answers,) = panel.ask("parse", [text])
        (kind,) = panel.kinds(question_answers)
        whole.add("parse", text, kind, len(text), TextOrigin({"url": text}, "test"))
        again.restore(whole.take_changes())
    assert vars(again)["_counts"] == vars(whole)["_counts"]
    assert max(vars(whole)["_counts"].values()) > 1
    assert again.findings == whole.findings


def test_severe_findings_come_first(parser, open_panel):
    bugs = {
        "host": str.upper,
        "query": lambda query: query.replace("+", " "),
        "path": lambda path: path.replace(";", ","),
    }
    findings, _ = examine(open_panel(parser(), parser(**bugs)), "http://h", "?+q", ";p", "http://a/b;")
    assert [finding.component for finding in sorted(findings, key=rank)] == ["host", "path", "query"]


def test_a_library_that_is_late_only_once_is_no_finding(parser, open_panel):
    panel = open_panel(parser(), parser("two"))
    (question_answers,) = panel.ask("parse", ["http://a/"])
    late = question_answers[1]._replace(answer=LibraryAnswer("none", text="timeout"))
    (kind,) = panel.kinds((question_answers[0], late))
    register = Register(panel, "rfc3986", ())
    register.add("parse", "http://a/", kind, 0, TextOrigin({"url": "http://a/"}, "test"))
    assert not register.findings
