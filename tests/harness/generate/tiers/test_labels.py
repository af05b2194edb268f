"""Labels of generated texts: by hand, by ruling, and independent of the patterns."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import pytest

from urlharness.corpus.model import Expected
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers import labels
from urlharness.generate.tiers.labels import Labeller
from urloracle.language import Language
from urloracle.readings import READINGS, other_readings
from urloracle.rfcs import SPECIFICATIONS, specification

VALID = {"valid": True}


class LabelledVerdict(NamedTuple):
    """A text with its admissible verdicts; only an open one has a ruling."""

    spec: str
    rule: str
    text: str
    verdicts: list[dict[str, Any]]
    binding: str = "required"
    ruling: str | None = None


VERDICTS = [
    LabelledVerdict("rfc3986", "URI-reference", "http://a/%4", verdicts=[{"valid": False, "at": 11}]),
    LabelledVerdict("rfc3986", "URI-reference", "//[::1", verdicts=[{"valid": False, "at": 6}]),
    LabelledVerdict("rfc3986", "URI-reference", "a b", verdicts=[{"valid": False, "at": 1}]),
    LabelledVerdict("rfc3986", "absolute-URI", "a:#", verdicts=[{"valid": False, "at": 2}]),
    LabelledVerdict("rfc1738", "httpurl", "http://u@h/", verdicts=[{"valid": False, "at": 8}]),
    LabelledVerdict(
        "rfc1738",
        "httpurl",
        "hTtp://h/",
        verdicts=[VALID, {"valid": False, "at": 1}],
        binding="impl-defined",
        ruling="R-1738-03",
    ),
    LabelledVerdict(
        "rfc1738",
        "ftpurl",
        "ftp://h/a;Type=i",
        verdicts=[{"valid": False, "at": 10}, VALID],
        binding="impl-defined",
        ruling="G-03",
    ),
    LabelledVerdict(
        "rfc1738",
        "ftpurl",
        "ftp://0.0.0.256",
        verdicts=[VALID, {"valid": False, "at": 15}],
        binding="impl-defined",
        ruling="R-1738-07",
    ),
    LabelledVerdict(
        "rfc1738",
        "gopherurl",
        "gopher://h/1%0d",
        verdicts=[VALID, {"valid": False, "at": 14}],
        binding="impl-defined",
        ruling="R-1738-19",
    ),
    LabelledVerdict(
        "rfc1738",
        "nntpurl",
        "nntp://h/g",
        verdicts=[VALID, {"valid": False, "at": 10}],
        binding="impl-defined",
        ruling="R-1738-28",
    ),
    LabelledVerdict(
        "rfc2396",
        "URI-reference",
        "?y",
        verdicts=[VALID, {"valid": False, "at": 0}],
        binding="literal-only",
        ruling="R-2396-02",
    ),
    LabelledVerdict("rfc2396", "absoluteURI", "a:", verdicts=[{"valid": False, "at": 2}]),
    LabelledVerdict(
        "rfc2732",
        "URI-reference",
        "//[1]",
        verdicts=[{"valid": False, "at": 4}, VALID],
        binding="literal-only",
        ruling="R-2732-01",
    ),
    LabelledVerdict(
        "rfc2732",
        "URI-reference",
        "a:[",
        verdicts=[VALID, {"valid": False, "at": 2}],
        binding="impl-defined",
        ruling="R-2732-03",
    ),
    LabelledVerdict("rfc1808", "URL", "~", verdicts=[{"valid": False, "at": 0}]),
]


def plain(expect):
    """Return the alternatives of an expectation without the names of their variants."""
    alternatives = []
    for alternative in expect.alternatives:
        fields = {"valid": alternative.valid, "at": alternative.at}
        alternatives.append({name: field for name, field in fields.items() if field is not msgspec.UNSET})
    return alternatives


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "row",
    VERDICTS,
    ids=[row.text[:24] for row in VERDICTS],
)
def test_a_text_is_labelled_with_verdict_binding_and_ruling(row):
    label, _ = Labeller(specification(row.spec), row.rule).labels(row.text)
    assert plain(label.expect) == row.verdicts
    assert label.binding == row.binding
    assert label.ruling == row.ruling


class LabelledComponents(NamedTuple):
    """A text with the components of each admissible answer, None for a refusal."""

    spec: str
    rule: str
    text: str
    admissible: list[dict[str, Any] | None]
    binding: str = "required"
    ruling: str | None = None


COMPONENTS = [
    LabelledComponents(
        "rfc1738",
        "prosperourl",
        "prospero://h/o;a=b;=",
        admissible=[
            {
                "scheme": "prospero",
                "host": "h",
                "port": None,
                "ppath": "o",
                "fieldspecs": [("a", "b"), ("", "")],
            }
        ],
    ),
    LabelledComponents(
        "rfc1738",
        "fileurl",
        "file:///a?b",
        admissible=[
            {"scheme": "file", "host": "", "fpath": "a?b"},
            {"scheme": "file", "host": "", "fpath": "a", "query": "b"},
        ],
        binding="permitted-set",
        ruling="R-1738-12",
    ),
    LabelledComponents(
        "rfc1738",
        "gopherurl",
        "gopher://h/%31s%09q",
        admissible=[
            {
                "scheme": "gopher",
                "host": "h",
                "port": None,
                "gtype": "%31",
                "selector": "s",
                "search": "q",
                "gopher+_string": None,
            },
            None,
        ],
        binding="impl-defined",
        ruling="R-1738-20",
    ),
    LabelledComponents(
        "rfc1808",
        "URL",
        "//;#",
        admissible=[
            {"scheme": None, "net_loc": ";", "path": "", "params": None, "query": None, "fragment": ""},
            {"scheme": None, "net_loc": ";", "path": "", "params": None, "query": None, "fragment": None},
        ],
        binding="permitted-set",
        ruling="G-09",
    ),
    LabelledComponents(
        "rfc2396",
        "URI-reference",
        "//a_b/c",
        admissible=[{"scheme": None, "authority": "a_b", "path": "/c", "query": None, "fragment": None}],
    ),
    LabelledComponents(
        "rfc2396",
        "URI-reference",
        "a:b?c",
        admissible=[
            {
                "scheme": "a",
                "authority": None,
                "userinfo": None,
                "host": None,
                "port": None,
                "path": "b",
                "query": "c",
                "fragment": None,
            },
            {
                "scheme": "a",
                "authority": None,
                "userinfo": None,
                "host": None,
                "port": None,
                "path": "b?c",
                "query": None,
                "fragment": None,
            },
        ],
        binding="impl-defined",
        ruling="R-2396-04",
    ),
    LabelledComponents(
        "rfc3986",
        "relative-ref",
        "//u@h:1?#",
        admissible=[
            {
                "scheme": None,
                "authority": "u@h:1",
                "userinfo": "u",
                "host": "h",
                "port": "1",
                "path": "",
                "query": "",
                "fragment": "",
            }
        ],
    ),
]


@pytest.mark.parametrize(
    "row",
    COMPONENTS,
    ids=[row.text[:24] for row in COMPONENTS],
)
def test_a_text_is_labelled_with_components_binding_and_ruling(row):
    _, label = Labeller(specification(row.spec), row.rule).labels(row.text)
    components_of_answers = [
        alternative.components if alternative.kind == "components" else None
        for alternative in label.expect.alternatives
    ]
    assert components_of_answers == row.admissible
    assert label.binding == row.binding
    assert label.ruling == row.ruling


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["a:b?c", "//h/", "%", "?"])
def test_labels_do_not_depend_on_patterns(monkeypatch, text):
    labels_with_patterns = Labeller(specification("rfc2396"), "URI-reference").labels(text)

    def broken(*_):
        raise AssertionError("a pattern is asked")

    monkeypatch.setattr(Language, "accepts", broken)
    monkeypatch.setattr(Language, "pattern", property(broken))
    assert Labeller(specification("rfc2396"), "URI-reference").labels(text) == labels_with_patterns


@pytest.mark.sampled(2)
@pytest.mark.parametrize("spec", [spec for spec in READINGS if spec in SPECIFICATIONS])
def test_every_reading_changes_some_verdict(spec):
    rulings = set()
    for rule in facts(spec).suites:
        rulings.update(reading.ruling for reading, _ in other_readings(specification(spec), rule))
    assert rulings == {reading.ruling for reading in READINGS[spec]}


LITERAL = labels.Label(Expected(valid=False, at=0), "literal-only", "R-2396-02")
FREE = labels.Label(Expected(valid=False, at=1), "impl-defined", "R-2732-03")


@pytest.mark.parametrize("alternatives", [[FREE, LITERAL], [LITERAL, FREE]], ids=["first", "last"])
def test_a_label_has_the_freest_binding_with_its_ruling(alternatives):
    """If two rulings apply to a text, a library may follow either of them."""
    label = labels.label(labels.VALID, alternatives)
    assert label.binding == FREE.binding
    assert label.ruling == FREE.ruling


def test_a_label_admits_the_answer_and_each_alternative():
    label = labels.label(labels.VALID, [LITERAL, FREE])
    assert label.expect.any == (labels.VALID, LITERAL.expect, FREE.expect)
