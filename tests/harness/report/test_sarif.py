"""SARIF 2.1.0: the fields that the standard requires, and hostile texts."""

from __future__ import annotations

import json

import pytest

from urlharness.compare.bypass import Bypass, BypassClass, BypassRow, Witness
from urlharness.corpus.loader import load_classes
from urlharness.panel.panel import AdapterAnswers
from urlharness.report.sarif import render


def bypass_of(*classes, check="check", fetch="fetch"):
    """Return a bypass with these classes."""
    return Bypass(AdapterAnswers(check, []), AdapterAnswers(fetch, []), 9, 9, 0, 0, classes, ())


def log_of(bypass, *location):
    """Return the log of a bypass, for a file of the user or for none."""
    return json.loads(render(bypass, load_classes(), *location))


def run_of(bypass, *location):
    """Return the only run of the log of a bypass."""
    (run,) = log_of(bypass, *location)["runs"]
    return run


BACKSLASH = BypassClass(
    BypassRow.OTHER_TARGET,
    "backslash",
    (Witness("//a\\@b/", "b", "a"), Witness("http://aa\\@b/", "b", "aa")),
    Witness("http://evil.example\\@good.example/", "good.example", "evil.example"),
)
UNNAMED = BypassClass(BypassRow.SAME_TARGET, None, (Witness("http://a/", "a", "b"),))
HOSTLESS = BypassClass(BypassRow.FETCHER_ONLY, "slash-count", (Witness("http:a/", None, "a"),))
RULES = [
    "other-target",
    "same-target-by-another-text",
    "only-the-fetcher-sees-a-host",
    "spelling-only",
    "trailing-dot-only",
]


@pytest.fixture
def sarif_log():
    """The log of a bypass with three classes."""
    return log_of(bypass_of(BACKSLASH, UNNAMED, HOSTLESS))


def test_the_log_names_its_version(sarif_log):
    """SARIF 2.1.0, section 3.13.2."""
    assert sarif_log["version"] == "2.1.0"


def test_the_driver_of_the_log_names_its_rules(sarif_log):
    """SARIF 2.1.0, section 3.19.2."""
    driver = sarif_log["runs"][0]["tool"]["driver"]
    assert driver["name"] == "urlconform"
    assert [rule["id"] for rule in driver["rules"]] == RULES


def test_each_rule_of_the_log_has_descriptions(sarif_log):
    """SARIF 2.1.0, section 3.49.3."""
    rules = sarif_log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == RULES
    assert [rule["id"] for rule in rules if rule["shortDescription"]["text"] == ""] == []
    assert [rule["id"] for rule in rules if rule["fullDescription"]["text"] == ""] == []


def test_each_result_of_the_log_has_a_rule_and_a_message(sarif_log):
    """SARIF 2.1.0, sections 3.27.11 and 3.11.2."""
    results = sarif_log["runs"][0]["results"]
    assert [log_result["ruleId"] for log_result in results] == RULES[:3]  # the log has no other results
    assert [log_result for log_result in results if log_result["message"]["text"] == ""] == []


def test_each_result_of_the_log_is_an_error(sarif_log):
    """SARIF 2.1.0, section 3.27.10."""
    levels = [log_result["level"] for log_result in sarif_log["runs"][0]["results"]]
    assert levels == ["error"] * 3


def test_a_result_names_the_text_and_both_hosts():
    """The exploit, if there is one, and its meaning."""
    run = run_of(bypass_of(BACKSLASH, check="urllib", fetch="exec:./my client"))
    (log_result,) = run["results"]
    assert log_result["message"]["text"] == (
        "http://evil.example\\@good.example/: urllib sees host good.example, exec:./my client goes to "
        "evil.example; passes as one host, is fetched from another (Backslashes, 2 texts)."
    )
    assert log_result["properties"] == {
        "text": "http://evil.example\\@good.example/",
        "shortest": "//a\\@b/",
        "class": "backslash",
        "texts": 2,
    }


def test_the_message_says_that_the_check_sees_no_host():
    run = run_of(bypass_of(HOSTLESS))
    (log_result,) = run["results"]
    assert log_result["message"]["text"].startswith("http:a/: check sees no host, fetch goes to a; ")


@pytest.mark.parametrize(
    ("location", "uri"),
    [
        pytest.param((), "pyproject.toml", id="none-named"),
        pytest.param(("src/my fetch.py",), "src/my%20fetch.py", id="named"),
    ],
)
def test_the_place_is_the_file_that_the_user_names_or_else_pyproject(location, uri):
    """SARIF 2.1.0, section 3.28.3."""
    run = run_of(bypass_of(BACKSLASH), *location)
    (sarif_location,) = run["results"][0]["locations"]
    assert sarif_location["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_the_logical_name_of_the_place_is_that_of_both_parsers():
    """SARIF 2.1.0, section 3.28.4."""
    run = run_of(bypass_of(BACKSLASH))
    (sarif_location,) = run["results"][0]["locations"]
    assert sarif_location["logicalLocations"] == [{"fullyQualifiedName": "check/fetch"}]


def fingerprint_of(fetcher: str, class_: BypassClass = BACKSLASH) -> str:
    """Return the fingerprint of the result of a bypass with this fetcher and this class."""
    run = run_of(bypass_of(class_, fetch=fetcher))
    return run["results"][0]["partialFingerprints"]["class"]


def test_results_of_two_pairs_have_two_fingerprints():
    """Section 3.27.17: a scanner compares runs by the fingerprint."""
    assert fingerprint_of("curl") != fingerprint_of("wget")


def test_two_classes_have_two_fingerprints():
    assert fingerprint_of("curl", BACKSLASH) != fingerprint_of("curl", UNNAMED)


def test_a_class_has_one_fingerprint_whatever_its_witnesses_are():
    """A later run may find other texts of the class, and no exploit."""
    without_exploit = BypassClass(BACKSLASH.row, BACKSLASH.entry, (Witness("//c\\@d/", "d", "c"),))
    assert fingerprint_of("curl", without_exploit) == fingerprint_of("curl", BACKSLASH)


def test_no_bypass_is_an_empty_list():
    """Section 3.14.23: the run happened and found nothing."""
    run = run_of(bypass_of())
    assert run["results"] == []


@pytest.mark.parametrize("char", ["\x1b", "\n", "\x00", "\u202e", "\u2028"])
def test_control_characters_are_escaped(char):
    """In words; the property has the text itself, in JSON of ASCII."""
    text = f"http://a{char}@b/"
    witness = Witness(text, f"b{char}", f"a{char}")
    bypass = bypass_of(BypassClass(BypassRow.OTHER_TARGET, "control-character", (witness,)))
    written = render(bypass, load_classes())
    assert written.isascii()
    (log_result,) = json.loads(written)["runs"][0]["results"]
    assert log_result["message"]["text"].isprintable()
    assert log_result["properties"]["text"] == text
