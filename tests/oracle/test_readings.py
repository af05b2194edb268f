"""Other readings of a grammar, and the verdicts that they admit."""

from __future__ import annotations

from typing import NamedTuple
from unittest.mock import Mock

import pytest

from urloracle import readings
from urloracle.readings import READINGS, other_readings, other_verdicts
from urloracle.rfcs import specification


class OtherVerdicts(NamedTuple):
    """A text of a rule, and the ruling of each other verdict."""

    spec: str
    rule: str | None
    text: str
    rulings: list[str]
    profile: str | None = None


VERDICTS = [
    OtherVerdicts("rfc1738", "url", text="HTTP://h/", rulings=["R-1738-03"]),
    OtherVerdicts("rfc1738", "genericurl", text="X:y", rulings=["R-1738-03"]),
    OtherVerdicts("rfc1738", "scheme", text="X", rulings=[]),  # the rule itself has small letters only
    OtherVerdicts("rfc1738", "url", text="http://h/A", rulings=[]),
    OtherVerdicts("rfc1738", None, text="http://192.0.2.256/", rulings=["R-1738-07"]),
    OtherVerdicts(
        "rfc1738", "url", profile="generic", text="http://192.0.2.256/", rulings=[]
    ),  # any text of a scheme part (R-1738-01)
    OtherVerdicts(
        "rfc1738", "url", text="http://h:99999/", rulings=[]
    ),  # R-1738-41: the port is bounded under `prose` only
    OtherVerdicts("rfc1738", "url", profile="prose", text="http://h:99999/", rulings=["G-06"]),
    OtherVerdicts("rfc1738", "url", profile="prose", text="http://192.0.2.256/", rulings=["G-06"]),
    OtherVerdicts("rfc1738", "url", profile="prose", text="http://h/", rulings=[]),
    OtherVerdicts("rfc1738", "url", text="ftp://h/a;TYPE=a", rulings=["G-03"]),
    OtherVerdicts("rfc1738", "url", text="gopher://h/0a%0Ab", rulings=["R-1738-19"]),
    OtherVerdicts("rfc1738", "url", text="gopher://h/7a%09b%0D", rulings=["R-1738-19"]),
    OtherVerdicts("rfc1738", "url", text="gopher://h/1a%09%09+%091%0D%0A", rulings=[]),  # section 3.4.9
    OtherVerdicts("rfc1738", "url", text="nntp://h/g", rulings=["R-1738-28"]),
    OtherVerdicts("rfc2396", None, text="?y", rulings=["R-2396-02"]),
    OtherVerdicts("rfc2396", "relativeURI", text="a?y", rulings=[]),
    OtherVerdicts("rfc2732", "IPv6address", text="1", rulings=["R-2732-01"]),
    OtherVerdicts("rfc2732", "IPv6address", text="::13.1.68.3", rulings=[]),  # a worked example
    OtherVerdicts("rfc2732", "IPv6address", text="1:2:3:4:5:6:7::", rulings=["R-2732-08"]),
    OtherVerdicts("rfc2732", None, text="foo:[a", rulings=["R-2732-03"]),
    OtherVerdicts("rfc2732", None, text="http://[::999.1.1.1]/", rulings=["R-2732-11"]),
    OtherVerdicts("rfc2732", None, text="http://[::1.2.3.256]/", rulings=["R-2732-11"]),
    OtherVerdicts("rfc2732", None, text="http://[::255.255.255.001]/", rulings=[]),
    OtherVerdicts("rfc2732", None, text="http://999.1.1.1/", rulings=[]),
    OtherVerdicts("rfc2732", "IPv4address", text="999.1.1.1", rulings=[]),
    OtherVerdicts("rfc3986", None, text="http://h/", rulings=[]),
    OtherVerdicts("rfc3987", None, text="http://h/\u202e", rulings=["R-3987-06"]),
    OtherVerdicts("rfc3987", None, text="http://h/\u00e9", rulings=[]),
    OtherVerdicts("rfc3987", "isegment", text="\u200e", rulings=["R-3987-06"]),
    OtherVerdicts("rfc3987", "IPvFuture", text="v1.a", rulings=[]),
]


by_text = pytest.mark.parametrize(
    "row", VERDICTS, ids=[f"{row.spec}-{row.rule}-{row.text}" for row in VERDICTS]
)


@by_text
def test_a_text_has_another_verdict_by_each_ruling_of_the_table(row):
    verdicts = other_verdicts(row.text, specification(row.spec), row.rule, row.profile)
    assert [verdict.reading.ruling for verdict in verdicts] == row.rulings


@by_text
def test_another_verdict_is_the_opposite_of_the_verdict(row):
    rfc = specification(row.spec)
    is_valid = rfc.problem(row.text, row.rule, row.profile) is None
    for verdict in other_verdicts(row.text, rfc, row.rule, row.profile):
        assert verdict.valid is not is_valid, verdict.reading.ruling


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
    """The readings of the grammars, and that of profile `prose` by the grammar alone (G-06)."""
    rulings_of_readings = {"G-06"}
    for readings_of_rfc in READINGS.values():
        rulings_of_readings.update(reading.ruling for reading in readings_of_rfc)
    rulings_of_table = set()
    for row in VERDICTS:
        rulings_of_table.update(row.rulings)
    assert rulings_of_table == rulings_of_readings


def test_the_rules_of_a_reading_are_read_once(monkeypatch):
    readings._rules.cache_clear()  # other tests have read them
    reader = Mock(wraps=readings.read)
    monkeypatch.setattr(readings, "read", reader)
    for number in range(3):
        other_verdicts(f"http://192.0.2.{number}/", specification("rfc1738"))
    rules_read = [call.args[0] for call in reader.call_args_list]
    assert rules_read != []
    assert len(rules_read) == len(set(rules_read))
