"""The commands `to-uri` and `to-iri`: answers, reasons, refusals and exit codes."""

from __future__ import annotations

import json

import pytest

from urlharness.exitcodes import Exit

#: A command, and its lines.
ANSWERS = {
    "to-uri": (
        ("to-uri", "http://r\u00e9sum\u00e9.org/"),
        [
            "http://r%C3%A9sum%C3%A9.org/",
            "  or http://r%c3%a9sum%c3%a9.org/  (lower-case, R-3987-38)",
            "  or http://xn--rsum-bpad.org/  (idna, R-3987-19)",
        ],
    ),
    "to-uri-may-fail": (
        ("to-uri", "http://\u00e9_/"),
        [
            "http://%C3%A9_/",
            "  or http://%c3%a9_/  (lower-case, R-3987-38)",
            "  or a refusal  (error, R-3987-21)",
        ],
    ),
    "to-uri-by-other-versions-of-idna": (
        ("to-uri", "http://fa\u00df/"),
        [
            "http://fa%C3%9F/",
            "  or http://fa%c3%9f/  (lower-case, R-3987-38)",
            "  or http://fass/  (idna, R-3987-19)",
            "  a host by another version of IDNA is admitted, or a refusal if that has none  (R-3987-20)",
        ],
    ),
    "to-uri-of-a-formatting-character": (
        ("to-uri", "/\u202e"),
        [
            "/%E2%80%AE",
            "  or /%e2%80%ae  (lower-case, R-3987-38)",
            "  a refusal is admitted, since section 4.1 forbids a character  (R-3987-06)",
        ],
    ),
    "to-iri-of-doubtful-characters": (
        ("to-iri", "/%E3%80%80%D8%9C"),
        [
            "/\\u{3000}\\u{61c}",
            "  %E3%80%80 may stay at offset 1  (R-3987-08)",
            "  %D8%9C may stay at offset 10  (R-3987-07)",
        ],
    ),
    "to-uri-of-a-component": (("to-uri", "--rule", "isegment", ":"), [":"]),
    "to-iri": (("to-iri", "/%41"), ["/A"]),
    "to-iri-with-reasons": (
        ("to-iri", "/%C3%A9%2F%FC%EE%80%80"),
        [
            "/\u00e9%2F%FC%EE%80%80",
            "%2F stays at offset 7: reserved, or % (step 2)",
            "%FC stays at offset 10: no part of legal UTF-8 (step 3)",
            "%EE%80%80 stays at offset 13: private characters are in queries only, section 2.2 (step 4)",
        ],
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_has_its_alternatives_and_reasons(urlconform, name):
    arguments, lines = ANSWERS[name]
    done = urlconform(*arguments)
    assert done.stdout.splitlines() == lines
    assert done.returncode == Exit.PASSED


#: A command that is refused, the beginning of the answer, and its last line.
REFUSALS = {
    "brackets": (("to-uri", "/[\u00e9]"), "not a valid IRI-reference of RFC 3987: '[' at offset 1", "   ^"),
    "unsafe": (
        ("to-uri", "/\u00e9|"),
        "not a valid IRI-reference of RFC 3987: '|' at offset 2",
        "  lower-case digits of new triplets are admitted  (R-3987-38)",
    ),
    "iri": (
        ("to-iri", "/\u00e9"),
        "not a URI: U+00E9 at offset 1: a URI has only characters of ASCII",
        "  or /\u00e9  (iri-kept, R-3987-16)",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_says_what_a_program_may_make_of_the_text(urlconform, name):
    arguments, beginning, last = REFUSALS[name]
    done = urlconform(*arguments)
    assert done.stdout.startswith(beginning)
    assert done.stdout.splitlines()[-1] == last
    assert done.returncode == Exit.FAILED


#: A command, its exit code, and fields of its answer in JSON.
JSON = {
    "to-uri": (("to-uri", "/\u00e9"), Exit.PASSED, {"url": "/%C3%A9"}),
    "to-iri": (
        ("to-iri", "--rule", "iquery", "%EE%80%80%FC"),
        Exit.PASSED,
        {
            "url": "\ue000%FC",
            "kept": [{"offset": 9, "written": "%FC", "character": "", "reason": "no-utf-8"}],
        },
    ),
    "doubtful": (
        ("to-iri", "/%E3%80%80"),
        Exit.PASSED,
        {"further": [{"words": "%E3%80%80 may stay at offset 1", "ruling": "R-3987-08"}]},
    ),
    "refusal": (("to-uri", "/ "), Exit.FAILED, {"valid": False, "at": 1}),
    "admitted": (
        ("to-uri", "/ "),
        Exit.FAILED,
        {"also": [{"text": "/%20", "variant": "encoded", "ruling": "R-3987-25"}]},
    ),
}


@pytest.mark.parametrize("name", JSON)
def test_an_answer_in_json_has_the_same_fields(urlconform, name):
    arguments, code, fields = JSON[name]
    done = urlconform(*arguments, "--json")
    answer = json.loads(done.stdout)
    assert {field: answer[field] for field in fields} == fields
    assert done.returncode == code


@pytest.mark.parametrize("command", ["to-uri", "to-iri"])
def test_an_unknown_rule_is_a_usage_error(urlconform, command):
    done = urlconform(command, "--rule", "nope", "x")
    assert "RFC 3987 has no rule named 'nope'" in done.stderr
    assert done.returncode == Exit.USAGE
