"""Other readings of a grammar, and the verdicts that they admit."""

from __future__ import annotations

from collections import Counter
from unittest.mock import Mock

import pytest

from urloracle import readings
from urloracle.readings import READINGS, other_readings, other_verdicts
from urloracle.rfcs import specification

# (RFC, rule, profile, text, the ruling of each other verdict)
VERDICTS = [
    ("rfc1738", "url", None, "HTTP://h/", ["R-1738-03"]),
    ("rfc1738", "genericurl", None, "X:y", ["R-1738-03"]),
    ("rfc1738", "scheme", None, "X", []),  # the rule itself has small letters only
    ("rfc1738", "url", None, "http://h/A", []),
    ("rfc1738", None, None, "http://192.0.2.256/", ["R-1738-07"]),
    ("rfc1738", "url", "generic", "http://192.0.2.256/", []),  # any text of a scheme part (R-1738-01)
    ("rfc1738", "url", None, "http://h:99999/", []),  # R-1738-41: the port is bounded under `prose` only
    ("rfc1738", "url", "prose", "http://h:99999/", ["G-06"]),
    ("rfc1738", "url", "prose", "http://192.0.2.256/", ["G-06"]),
    ("rfc1738", "url", "prose", "http://h/", []),
    ("rfc1738", "url", None, "ftp://h/a;TYPE=a", ["G-03"]),
    ("rfc1738", "url", None, "gopher://h/0a%0Ab", ["R-1738-19"]),
    ("rfc1738", "url", None, "gopher://h/7a%09b%0D", ["R-1738-19"]),
    ("rfc1738", "url", None, "gopher://h/1a%09%09+%091%0D%0A", []),  # section 3.4.9
    ("rfc1738", "url", None, "nntp://h/g", ["R-1738-28"]),
    ("rfc2396", None, None, "?y", ["R-2396-02"]),
    ("rfc2396", "relativeURI", None, "a?y", []),
    ("rfc2732", "IPv6address", None, "1", ["R-2732-01"]),
    ("rfc2732", "IPv6address", None, "::13.1.68.3", []),  # a worked example
    ("rfc2732", "IPv6address", None, "1:2:3:4:5:6:7::", ["R-2732-08"]),
    ("rfc2732", None, None, "foo:[a", ["R-2732-03"]),
    ("rfc3986", None, None, "http://h/", []),
]


@pytest.mark.parametrize(("spec", "rule", "profile", "text", "rulings"), VERDICTS)
def test_other_readings_have_their_verdicts(spec, rule, profile, text, rulings):
    rfc = specification(spec)
    verdicts = other_verdicts(text, rfc, rule, profile)
    assert [verdict.reading.ruling for verdict in verdicts] == rulings
    valid = rfc.problem(text, rule, profile) is None
    assert [verdict for verdict in verdicts if verdict.valid is valid] == []


@pytest.mark.parametrize(
    ("spec", "rule", "text"),
    [
        ("rfc1738", "nntpurl", "nntp://h/g"),
        ("rfc2396", "relativeURI", "?y"),
        ("rfc2732", "absoluteURI", "a:[b"),
    ],
)
def test_the_automaton_of_a_reading_gives_the_same_verdict(spec, rule, text):
    rfc = specification(spec)
    (verdict,) = other_verdicts(text, rfc, rule)
    automata = {reading.ruling: automaton for reading, automaton in other_readings(rfc, rule)}
    assert automata[verdict.reading.ruling].accepts(text) is verdict.valid


def test_every_reading_has_a_verdict_in_the_table():
    listed = {ruling for *_, rulings in VERDICTS for ruling in rulings}
    assert {reading.ruling for readings in READINGS.values() for reading in readings} | {"G-06"} == listed


def test_the_rules_of_a_reading_are_read_once(monkeypatch):
    readings._rules.cache_clear()  # other tests have read them
    reader = Mock(wraps=readings.read)
    monkeypatch.setattr(readings, "read", reader)
    for number in range(3):
        other_verdicts(f"http://192.0.2.{number}/", specification("rfc1738"))
    times_read = Counter(rules for (rules, _), _ in reader.call_args_list)
    assert set(times_read.values()) == {1}
