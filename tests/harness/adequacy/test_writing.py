"""Texts to add are written in the format of the tests, and read back as the same tests."""

from __future__ import annotations

import json

import pytest

from urlharness.adequacy.additions import Addition
from urlharness.adequacy.readers import Defaults, read_tests
from urlharness.adequacy.writing import AddedTexts, UnsuitableFormat, additions_text, notices_in_words

VALID = Addition(
    ("a:/b",), answer=True, section="3.3", kinds=12, mistakes=30, rules={"path-absolute": 10, "hier-part": 2}
)
INVALID = Addition(("a:[",), answer=False, section="3.3", kinds=1, mistakes=1, rules={"pchar": 1})
TEXTS = AddedTexts("rfc3986", "URI", [VALID, INVALID])
TARGET = Addition(("a:/b", "../c"), answer="a:/c", section="5.2.4", kinds=3, mistakes=4, rules={"merge": 3})
REFUSED = Addition(("a:/b", "%"), answer=None, section="5.2.2", kinds=1, mistakes=1, rules={"transform": 1})
PAIRS = AddedTexts("rfc3986", "", [TARGET, REFUSED])

SUFFIXES = {
    "format-tests": ".json",
    "urls": ".json",
    "vectors": ".json",
    "case-lines": ".jsonl",
    "csv": ".csv",
    "lines": ".jsonl",
    "recording": ".jsonl",
}


def read_back(folder, form, texts):
    file = folder / f"more{SUFFIXES[form]}"
    file.write_text(additions_text(form, texts), "utf-8")
    return read_tests([file], Defaults("rfc3986"))


@pytest.mark.parametrize("form", SUFFIXES)
def test_texts_are_read_back(tmp_path, form):
    tests = read_back(tmp_path, form, [TEXTS])
    assert [(test.spec, test.rule, test.text, test.valid) for test in tests.verdicts] == [
        ("rfc3986", "URI", "a:/b", True),
        ("rfc3986", "URI", "a:[", False),
    ]


@pytest.mark.parametrize("form", [form for form in SUFFIXES if form not in ("format-tests", "urls")])
def test_pairs_are_read_back(tmp_path, form):
    tests = read_back(tmp_path, form, [PAIRS])
    assert [(test.spec, test.base, test.reference, test.target) for test in tests.resolutions] == [
        ("rfc3986", "a:/b", "../c", "a:/c"),
        ("rfc3986", "a:/b", "%", None),
    ]


@pytest.mark.parametrize("form", [form for form, suffix in SUFFIXES.items() if suffix == ".jsonl"])
def test_each_line_of_json_lines_is_an_object(form):
    lines = additions_text(form, [TEXTS]).removesuffix("\n").split("\n")
    assert [type(json.loads(line or "null")) for line in lines] == [dict, dict]


@pytest.mark.parametrize("form", SUFFIXES)
def test_each_text_says_where_its_answer_comes_from(form):
    content = additions_text(form, [TEXTS])
    assert content.count("minimal DFA of RFC 3986, rule URI") == 2


@pytest.mark.parametrize(
    ("texts", "source"),
    [
        pytest.param(TEXTS, "automata", id="texts"),
        pytest.param(PAIRS, "the resolution algorithm", id="pairs"),
    ],
)
def test_added_texts_know_the_source_of_their_answers(texts, source):
    assert texts.source == source


#: What `VALID` notices, as formats with a field for it have it; the others have it in words.
NOTICES_IN_FIELDS = {
    "csv": "12,path-absolute hier-part",
    "lines": '"notices":12,"in":"path-absolute hier-part"',
    "recording": '"notices":12,"in":"path-absolute hier-part"',
}


@pytest.mark.parametrize("form", SUFFIXES)
def test_a_text_says_what_it_notices(form):
    notices = NOTICES_IN_FIELDS.get(form, notices_in_words(VALID))
    assert notices in additions_text(form, [TEXTS])


def test_json_schema_tests_are_grouped_by_section():
    invalid_scheme = INVALID._replace(section="3.1")
    texts = AddedTexts("rfc3986", "URI", [VALID, invalid_scheme])
    groups = json.loads(additions_text("format-tests", [texts]))
    assert [group["specification"] for group in groups] == [[{"rfc3986": "3.3"}], [{"rfc3986": "3.1"}]]
    assert {group["schema"]["format"] for group in groups} == {"uri"}


def test_descriptions_of_a_group_differ():
    (group,) = json.loads(additions_text("format-tests", [AddedTexts("rfc3986", "URI", [VALID] * 2)]))
    assert len({test["description"] for test in group["tests"]}) == 2


UNSUITABLE = [
    pytest.param("format-tests", [PAIRS], "no format for resolution", id="pairs-as-format-tests"),
    pytest.param(
        "format-tests", [TEXTS._replace(rule="host")], "no format for rule host", id="rule-without-format"
    ),
    pytest.param("csv", [TEXTS, PAIRS], "either texts with verdicts or references", id="mixed-csv"),
    pytest.param("vectors", [TEXTS, TEXTS._replace(spec="rfc2396")], "--spec", id="two-rfcs"),
]


@pytest.mark.parametrize(("form", "texts", "message"), UNSUITABLE)
def test_a_format_without_a_place_for_texts_is_refused(form, texts, message):
    with pytest.raises(UnsuitableFormat, match=message):
        additions_text(form, texts)


@pytest.mark.parametrize(
    ("addition", "words"),
    [
        (INVALID, "notices 1 more kind of mistakes (in pchar)"),
        (
            VALID._replace(rules=dict.fromkeys("abcde", 1)),
            "notices 12 more kinds of mistakes (in a, b, c and 2 more rules)",
        ),
    ],
    ids=["one-rule", "many-rules"],
)
def test_words_say_what_a_text_notices(addition, words):
    assert notices_in_words(addition) == words
