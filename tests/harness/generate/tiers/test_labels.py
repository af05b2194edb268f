"""Labels of generated texts: by hand, by ruling, and independent of the patterns."""

from __future__ import annotations

import msgspec
import pytest

from urlharness.corpus.model import Expected
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers import labels
from urlharness.generate.tiers.labels import Labeller
from urloracle.language import Language
from urloracle.readings import READINGS, other_readings
from urloracle.rfcs import specification

VALID = {"valid": True}

#: Specification, rule, text, the admissible verdicts, binding and ruling.
VERDICTS = [
    ("rfc3986", "URI-reference", "http://a/%4", [{"valid": False, "at": 11}], "required", None),
    ("rfc3986", "URI-reference", "//[::1", [{"valid": False, "at": 6}], "required", None),
    ("rfc3986", "URI-reference", "a b", [{"valid": False, "at": 1}], "required", None),
    ("rfc3986", "absolute-URI", "a:#", [{"valid": False, "at": 2}], "required", None),
    ("rfc1738", "httpurl", "http://u@h/", [{"valid": False, "at": 8}], "required", None),
    ("rfc1738", "httpurl", "hTtp://h/", [VALID, {"valid": False, "at": 1}], "impl-defined", "R-1738-03"),
    ("rfc1738", "ftpurl", "ftp://h/a;Type=i", [{"valid": False, "at": 10}, VALID], "impl-defined", "G-03"),
    ("rfc1738", "ftpurl", "ftp://0.0.0.256", [VALID, {"valid": False, "at": 15}],
     "impl-defined", "R-1738-07"),
    ("rfc1738", "gopherurl", "gopher://h/1%0d", [VALID, {"valid": False, "at": 14}],
     "impl-defined", "R-1738-19"),
    ("rfc1738", "nntpurl", "nntp://h/g", [VALID, {"valid": False, "at": 10}], "impl-defined", "R-1738-28"),
    ("rfc2396", "URI-reference", "?y", [VALID, {"valid": False, "at": 0}], "literal-only", "R-2396-02"),
    ("rfc2396", "absoluteURI", "a:", [{"valid": False, "at": 2}], "required", None),
    ("rfc2732", "URI-reference", "//[1]", [{"valid": False, "at": 4}, VALID], "literal-only", "R-2732-01"),
    ("rfc2732", "URI-reference", "a:[", [VALID, {"valid": False, "at": 2}], "impl-defined", "R-2732-03"),
    ("rfc1808", "URL", "~", [{"valid": False, "at": 0}], "required", None),
]  # fmt: skip


def plain(expect):
    """The alternatives of an expectation without the names of their variants."""
    alternatives = []
    for alternative in expect.alternatives:
        fields = {"valid": alternative.valid, "at": alternative.at}
        alternatives.append({name: field for name, field in fields.items() if field is not msgspec.UNSET})
    return alternatives


@pytest.mark.parametrize(
    ("spec", "rule", "text", "verdicts", "binding", "ruling"),
    VERDICTS,
    ids=lambda argument: str(argument)[:24],
)
def test_a_text_is_labelled_with_verdict_binding_and_ruling(spec, rule, text, verdicts, binding, ruling):
    label, _ = Labeller(specification(spec), rule).labels(text)
    assert plain(label.expect) == verdicts
    assert label.binding == binding
    assert label.ruling == ruling


#: Specification, rule, text, the components of each admissible answer (None: rejected), binding and ruling.
COMPONENTS = [
    (
        "rfc1738", "prosperourl", "prospero://h/o;a=b;=",
        [{"scheme": "prospero", "host": "h", "port": None, "ppath": "o",
          "fieldspecs": [("a", "b"), ("", "")]}],
        "required", None,
    ),
    (
        "rfc1738", "fileurl", "file:///a?b",
        [{"scheme": "file", "host": "", "fpath": "a?b"},
         {"scheme": "file", "host": "", "fpath": "a", "query": "b"}],
        "permitted-set", "R-1738-12",
    ),
    (
        "rfc1738", "gopherurl", "gopher://h/%31s%09q",
        [{"scheme": "gopher", "host": "h", "port": None, "gtype": "%31", "selector": "s", "search": "q",
          "gopher+_string": None}, None],
        "impl-defined", "R-1738-20",
    ),
    (
        "rfc1808", "URL", "//;#",
        [{"scheme": None, "net_loc": ";", "path": "", "params": None, "query": None, "fragment": ""},
         {"scheme": None, "net_loc": ";", "path": "", "params": None, "query": None, "fragment": None}],
        "permitted-set", "G-09",
    ),
    (
        "rfc2396", "URI-reference", "//a_b/c",
        [{"scheme": None, "authority": "a_b", "path": "/c", "query": None, "fragment": None}],
        "required", None,
    ),
    (
        "rfc2396", "URI-reference", "a:b?c",
        [{"scheme": "a", "authority": None, "userinfo": None, "host": None, "port": None, "path": "b",
          "query": "c", "fragment": None},
         {"scheme": "a", "authority": None, "userinfo": None, "host": None, "port": None, "path": "b?c",
          "query": None, "fragment": None}],
        "impl-defined", "R-2396-04",
    ),
    (
        "rfc3986", "relative-ref", "//u@h:1?#",
        [{"scheme": None, "authority": "u@h:1", "userinfo": "u", "host": "h", "port": "1", "path": "",
          "query": "", "fragment": ""}],
        "required", None,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "rule", "text", "admissible", "binding", "ruling"),
    COMPONENTS,
    ids=lambda argument: str(argument)[:24],
)
def test_a_text_is_labelled_with_components_binding_and_ruling(spec, rule, text, admissible, binding, ruling):
    _, label = Labeller(specification(spec), rule).labels(text)
    assert [
        alternative.components if alternative.kind == "components" else None
        for alternative in label.expect.alternatives
    ] == admissible
    assert label.binding == binding
    assert label.ruling == ruling


@pytest.mark.parametrize("text", ["a:b?c", "//h/", "%", "?"])
def test_labels_do_not_depend_on_patterns(monkeypatch, text):
    labels_with_patterns = Labeller(specification("rfc2396"), "URI-reference").labels(text)

    def broken(*_):
        raise AssertionError("a pattern is asked")

    monkeypatch.setattr(Language, "accepts", broken)
    monkeypatch.setattr(Language, "pattern", property(broken))
    assert Labeller(specification("rfc2396"), "URI-reference").labels(text) == labels_with_patterns


@pytest.mark.parametrize("spec", READINGS)
def test_every_reading_changes_some_verdict(spec):
    rulings = {
        reading.ruling
        for rule in facts(spec).suites
        for reading, _ in other_readings(specification(spec), rule)
    }
    assert rulings == {reading.ruling for reading in READINGS[spec]}


def test_the_freest_binding_counts():
    """If two rulings apply to a text, a library may follow either of them."""
    others = [
        labels.Label(Expected(valid=False, at=0), "literal-only", "R-2396-02"),
        labels.Label(Expected(valid=False, at=1), "impl-defined", "R-2732-03"),
    ]
    freest = labels.label(labels.VALID, others)
    assert freest.binding == "impl-defined"
    assert freest.ruling == "R-2732-03"
    assert len(freest.expect.any) == 3
