"""Checks of reports that must hold for any text of an adapter, and hostile texts."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import rdflib

from urlharness.report import badge, github, junit, markdown
from urlharness.results.model import Results

if TYPE_CHECKING:
    from xmlschema import XMLSchema10

EARL = rdflib.Namespace("http://www.w3.org/ns/earl#")

#: Attacks on terminals, XML, Markdown, logs of build servers and file systems.
TEXTS = (
    "\x1b[31mred\x1b[0m\x1b]0;title\x07",
    "\x1b]8;;http://evil.example/\x1b\\click\x1b]8;;\x1b\\",
    "\x9b31m\x9d8;;x\x9c",
    "a\rb\x08\x7f\x0b\x0c",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "]]></failure></testcase><testcase name='x'>&<![CDATA[",
    "\ufffe\uffff\x00",
    "\n::error title=x::owned\r\n::stop-commands::t",
    "::add-mask::x",
    "\n::error::x\n ::set-output name=x::y\n\t::notice::z\n##[error]w\n##vso[task.complete result=Failed;]",
    "##teamcity[buildStatus status='FAILURE']",
    "##[error]x ##vso[task.complete]",
    "%0A::error::x,file=y:z",
    "../../etc/passwd",
    "/absolute/../..",
    "| a | b |\n|---|---|\n| c |",
    "a\\|b\\\\|c",
    "\n```\nfence\n````\n~~~",
    "`tick` ``ticks`` \\`",
    "@everyone and @octo-cat, #1, GH-1, 0123456789abcdef0123456789abcdef01234567",
    "[x](javascript:alert(1)) ![i](http://evil.example/i.png) <http://evil.example/>",
    "https://evil.example/ www.evil.example",
    "\n\n# heading\n\n- item\n\n***",
    "<!-- comment --> &lt;b&gt; &#64;x",
    "\u202egnp.exe\u2066\u200b\ufeff",
    "a\u2028b\u2029c\x85d",
    "$(touch owned); `touch owned` '\"",
    "   ",
    "x" * 5000,
    "1. one",
    "- - -",
    "{{7*7}}{% raw %}",
    "//\u034fa \u115f\u1160\u17b4\u180b\u3164\uffa0\u2800",
    "e\u0301 \u20dd \u0903 \ufe0f \U000e0100 \u00ad",
)

#: Printable to Python and no marks, but invisible.
UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def readable(text: str) -> bool:
    """Return True if every character is visible on its own."""
    marks = any(unicodedata.category(char) in ("Mn", "Mc", "Me") for char in text)
    return text.isprintable() and not marks and UNSEEN.isdisjoint(text)


@cache
def junit_schema() -> XMLSchema10:
    """Return the schema of the structure that build servers agree on."""
    return _read_schema(Path(__file__).with_name("junit.xsd"))


@cache
def jenkins_schema() -> XMLSchema10 | None:
    """Return the schema of Jenkins, or None if URLCONFORM_JUNIT_XSD does not name its file.

    The sdist of pytest has a copy: testing/example_scripts/junit-10.xsd.
    """
    path = os.environ.get("URLCONFORM_JUNIT_XSD")
    return _read_schema(Path(path)) if path is not None else None


def _read_schema(path: Path) -> XMLSchema10:
    from xmlschema import XMLSchema10  # slow to import, and most runs select no test that needs it

    return XMLSchema10(path.read_text("utf-8"))


def validate_junit(text: str) -> None:
    """Validate a JUnit report by every schema that is available."""
    junit_schema().validate(text)
    jenkins = jenkins_schema()
    if jenkins is not None:
        jenkins.validate(text)


def suites_of_cases(root: ET.Element) -> list[ET.Element]:
    """Return the suites of a JUnit report without those of the groups of new findings."""
    return [suite for suite in root.iter("testsuite") if not suite.attrib["name"].endswith(".new")]


def check_log(text: str) -> None:
    """Check that no line is a command to a build server."""
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert not re.search(r"##\w*\[", text)


def check_junit(text: str) -> ET.Element:
    """Check that a report is well-formed, valid and readable; return its root."""
    check_log(text)
    validate_junit(text)
    root = ET.fromstring(text.encode("utf-8"))
    for element in root.iter():
        texts = [*element.attrib.values(), (element.text or "").replace("\n", "")]
        assert [text for text in texts if not readable(text)] == []
    return root


def check_ctrf(text: str) -> dict[str, Any]:
    """Check that a CTRF report has only readable texts and right counts; return the document."""
    document: dict[str, Any] = json.loads(text)
    tests = document["results"]["tests"]
    for test in tests:
        lines = [test["name"], test.get("message", ""), *test.get("trace", "").splitlines()]
        assert [line for line in lines if not readable(line)] == []
        check_log(test.get("trace", ""))
    summary = document["results"]["summary"]
    assert summary["tests"] == len(tests)
    statuses = Counter(test["status"] for test in tests)
    assert {status: summary[status] for status in statuses} == statuses
    return document


def check_markdown(text: str) -> None:
    """Check the size of a report, and that it contains nothing but the elements of one."""
    check_log(text)
    assert len(text.encode("utf-8")) <= markdown.LIMIT
    assert readable(text.replace("\n", "").replace("\u26a0\ufe0f", ""))  # our own sign of a warning
    from markdown_it import MarkdownIt  # slow to import

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inner = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inner)}
    allowed = (
        "heading",
        "paragraph",
        "bullet_list",
        "list_item",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    )
    assert kinds <= {
        *(f"{kind}_{end}" for kind in (*allowed, "strong", "em") for end in ("open", "close")),
        *("inline", "text", "code_inline", "fence", "softbreak"),
    }
    loose = " ".join(token.content for token in inner if token.type == "text")
    assert not re.search(r"[@<>\[\]|`\\]|://|www\.|#\d|gh-\d", loose, re.IGNORECASE)
    for token in tokens:
        if token.type == "fence":
            assert token.info == "sh"
            commands = token.content.splitlines()
            assert [line for line in commands if not line.startswith("urlconform repro ")] == []
    widths = [line.count("|") for line in text.split("\n") if line.startswith("| ")]
    rules = [line.count("|") for line in text.split("\n") if line.startswith("| ---")]
    assert set(widths) <= set(rules)


def check_earl(text: str) -> None:
    """Check that a report is Turtle with harmless lines, and has an outcome for each assertion."""
    assert not re.search(r"##\w*\[", text)
    assert [line for line in text.splitlines() if not readable(line)] == []
    graph = rdflib.Graph().parse(data=text, format="turtle")
    assertions = set(graph.subjects(rdflib.RDF.type, EARL.Assertion))
    nodes = [graph.value(assertion, EARL.result) for assertion in assertions]
    assert nodes != []
    assert [node for node in nodes if graph.value(node, EARL.outcome) is None] == []


def check_github(text: str) -> None:
    """Check that each line is an annotation, that there are no more than are shown, and one notice."""
    assert not re.search(r"##\w*\[", text)
    lines = text.rstrip("\n").split("\n")
    commands = [re.fullmatch(r"::(error|warning|notice) ([^:]*)::([^\r]*)", line) for line in lines]
    assert [line for line, command in zip(lines, commands, strict=True) if command is None] == []
    for command in commands:
        names = [part.partition("=")[0] for part in command[2].split(",")]
        assert names in (["title"], ["file", "line", "title"])
        assert readable(command[0])
    counts = Counter(command[1] for command in commands)
    assert counts["error"] <= github.SHOWN
    assert counts["warning"] <= github.SHOWN
    assert counts["notice"] == 1


def check_badge(value: object) -> None:
    """Check the fields that a badge server reads."""
    assert isinstance(value, dict)
    assert list(value) == ["schemaVersion", "label", "message", "color"]
    assert value["schemaVersion"] == 1
    assert value["color"] in ("brightgreen", "yellow", "orange", "red", "lightgrey")
    assert [key for key in ("label", "message") if not (value[key] and readable(value[key]))] == []


def check_all(results: Results) -> None:
    """Check every report except HTML."""
    check_junit(junit.render(results))
    check_markdown(markdown.render(results))
    check_github(github.render(results))
    check_log(badge.render(results))
    for library_badges in json.loads(badge.render(results)).values():
        for library_badge in library_badges.values():
            check_badge(library_badge)
