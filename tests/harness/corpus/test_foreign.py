"""Foreign corpora: their shapes, what becomes a case, exact outcomes, and errors that name the entry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from urlharness.adapters.registry import BUNDLED
from urlharness.corpus.foreign import Foreign, load_foreign
from urlharness.corpus.model import Corpus, CorpusError
from urlharness.exitcodes import Exit
from urlharness.gate.gate import decide
from urlharness.protocol.limits import Limits
from urlharness.results.model import Results, read_results
from urlharness.results.scores import scores_by_spec
from urlharness.runner import open_results, run

URLS: list[Any] = [
    "# Plain",
    "and more",
    {
        "input": "HTTP://Red.Example/x/../y",
        "base": None,
        "href": "http://red.example/y",
        "protocol": "http:",
        "username": "",
        "password": "",
        "host": "red.example",
        "hostname": "red.example",
        "port": "",
        "pathname": "/x/../y",
        "search": "",
        "hash": "",
    },
    {
        "input": "../c?#",
        "base": "ftp://u:p@h:8080/a/b",
        "href": "ftp://u:p@h:8080/c?#",
        "protocol": "ftp:",
        "username": "u",
        "password": "p",
        "host": "h:8080",
        "port": "8080",
        "pathname": "/c",
        "search": "",
        "hash": "",
    },
    "# Refused",
    {"input": "http://a b/", "base": None, "failure": True},
    {"input": "http://[::1", "base": "http://h/", "failure": True, "comment": "no closing bracket"},
    "# Slashes that lean back",
    {"input": "http:\\\\h\\p", "href": "http://h/p", "hostname": "h"},
    {"input": "//[::1]:9/", "base": "http://h/", "href": "http://[::1]:9/", "host": "[::1]:9"},
]

#: The place of the first entry that is no comment.
FIRST_URL = 2

FORMATS: list[Any] = [
    {
        "description": "absolute ones",
        "schema": {"format": "uri"},
        "tests": [
            {"description": "all of it", "data": "http://u@h:1/p?q#f", "valid": True},
            {"description": "relative", "data": "a/b", "valid": False},
            {"description": "a backslash", "data": "http://h\\p", "valid": False},
            {"description": "a number is no text", "data": 12, "valid": True},
        ],
    },
    {
        "description": "references",
        "schema": {"format": "uri-reference"},
        "tests": [
            {"description": "relative", "data": "a/b", "valid": True},
            {"description": "a blank", "data": "a b", "valid": False},
        ],
    },
    {
        "description": "addresses",
        "schema": {"format": "ipv4"},
        "tests": [{"description": "one", "data": "1.2.3.4", "valid": True}],
    },
]

OWN = {
    "schema": "urlvectors-1",
    "spec": "rfc1808",
    "section": "4",
    "title": "Ours",
    "vectors": [
        {
            "id": "mine-1",
            "requirement": "mine-1",
            "level": "grammar",
            "op": "resolve",
            "binding": "required",
            "base": "http://a/b",
            "reference": "c",
            "expect": {"result": "http://a/c"},
            "comment": "a sibling",
        },
    ],
}


def write(tmp_path: Path, content: Any, name: str = "mini.json") -> Path:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def results_of(foreign: Foreign, tmp_path: Path, *names: str) -> Results:
    path = tmp_path / "results.jsonl"
    writer = open_results(path.open("wb"), foreign.corpus, foreign.corpus.cases)
    for name in names:
        run(BUNDLED[name], foreign.corpus.cases, writer, Limits(), blind=foreign.blind)
    writer.close()
    return read_results(path)


def questions_of(corpus: Corpus) -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    return {case.vector.id: (case.section, case.vector.inputs) for case in corpus.cases}


def test_urls_become_cases(tmp_path):
    """A URL alone is validated, resolved against a base of another scheme, and parsed.

    One with a base is resolved, and its target is parsed.
    """
    corpus = load_foreign(write(tmp_path, URLS)).corpus
    assert questions_of(corpus) == {
        "mini-2-validate": ("mini.1", {"rule": "URI", "url": "HTTP://Red.Example/x/../y"}),
        "mini-2-resolve": ("mini.1", {"base": "about:blank", "reference": "HTTP://Red.Example/x/../y"}),
        "mini-2-parse": ("mini.1", {"url": "HTTP://Red.Example/x/../y"}),
        "mini-3-resolve": ("mini.1", {"base": "ftp://u:p@h:8080/a/b", "reference": "../c?#"}),
        "mini-3-parse": ("mini.1", {"url": "ftp://u:p@h:8080/c?#"}),
        "mini-5-validate": ("mini.2", {"rule": "URI", "url": "http://a b/"}),
        "mini-6-resolve": ("mini.2", {"base": "http://h/", "reference": "http://[::1"}),
        "mini-8-validate": ("mini.3", {"rule": "URI", "url": "http:\\\\h\\p"}),
        "mini-8-resolve": ("mini.3", {"base": "about:blank", "reference": "http:\\\\h\\p"}),
        "mini-8-parse": ("mini.3", {"url": "http:\\\\h\\p"}),
        "mini-9-resolve": ("mini.3", {"base": "http://h/", "reference": "//[::1]:9/"}),
        "mini-9-parse": ("mini.3", {"url": "http://[::1]:9/"}),
    }


def test_urls_become_cases_of_rfc_3986(tmp_path):
    corpus = load_foreign(write(tmp_path, URLS)).corpus
    assert {case.spec for case in corpus.cases} == {"rfc3986"}


def test_comments_between_urls_are_titles_of_sections(tmp_path):
    assert load_foreign(write(tmp_path, URLS)).corpus.titles == {
        ("rfc3986", "mini.1"): "Plain and more",
        ("rfc3986", "mini.2"): "Refused",
        ("rfc3986", "mini.3"): "Slashes that lean back",
    }


def test_the_comment_of_an_entry_is_its_statement(tmp_path):
    urls = [{"input": "http://[::1", "base": "http://h/", "failure": True, "comment": "no closing bracket"}]
    corpus = load_foreign(write(tmp_path, urls)).corpus
    assert corpus.requirements["mini-0"].statement == "mini.json, entry 0: no closing bracket"


def test_ids_have_only_printable_ascii_of_the_file_name(tmp_path):
    """A baseline takes no other ids."""
    corpus = load_foreign(write(tmp_path, [{"input": "x:", "href": "x:"}], "my ü\ttests.json")).corpus
    identifiers = {case.vector.id for case in corpus.cases}
    assert identifiers == {"my-tests-0-validate", "my-tests-0-resolve"}


def test_the_version_of_a_foreign_corpus_is_its_file_name(tmp_path):
    corpus = load_foreign(write(tmp_path, URLS, "my ü\ttests.json")).corpus
    assert corpus.version == "my ü\ttests.json"


#: The parts of an entry, as the URL Standard names them, and the components of RFC 3986.
PARTS = [
    pytest.param(
        {
            "protocol": "http:",
            "username": "",
            "password": "",
            "host": "red.example",
            "hostname": "red.example",
            "port": "",
            "pathname": "/x/../y",
            "search": "",
            "hash": "",
        },
        {
            "scheme": "http",
            "userinfo": None,
            "host": "red.example",
            "port": None,
            "path": "/x/../y",
            "query": None,
            "fragment": None,
        },
        id="empty-parts-are-absent",
    ),
    pytest.param(
        {
            "protocol": "ftp:",
            "username": "u",
            "password": "p",
            "host": "h:8080",
            "port": "8080",
            "pathname": "/c",
            "search": "",
            "hash": "",
        },
        {
            "scheme": "ftp",
            "userinfo": "u:p",
            "host": "h",
            "port": "8080",
            "path": "/c",
            "query": None,
            "fragment": None,
        },
        id="user-and-port",
    ),
    pytest.param({"hostname": "h"}, {"host": "h"}, id="hostname"),
    pytest.param({"host": "[::1]:9"}, {"host": "[::1]"}, id="host-with-port"),
]


@pytest.mark.parametrize(("parts", "components"), PARTS)
def test_parts_get_the_names_of_rfc_3986(tmp_path, parts, components):
    foreign = load_foreign(write(tmp_path, [{"input": "x:", "href": "x:", **parts}]))
    expected = {case.vector.id: case.vector.expect.components for case in foreign.corpus.cases}
    assert expected["mini-0-parse"] == components


OUTCOMES = {  # the reference, urllib
    "mini-2-validate": ("pass", "pass"),
    "mini-2-resolve": ("pass", "fail"),  # urljoin leaves the dots of an absolute reference
    "mini-2-parse": ("pass", "pass"),
    "mini-3-resolve": ("pass", "fail"),  # urljoin drops empty parts
    "mini-3-parse": ("pass", "pass"),  # empty and absent are one here
    "mini-5-validate": ("pass", "fail"),
    "mini-6-resolve": ("pass", "pass"),
    "mini-8-validate": ("fail", "pass"),  # RFC 3986, section 2: no backslash
    "mini-8-resolve": ("fail", "fail"),
    "mini-8-parse": ("fail", "fail"),
    "mini-9-resolve": ("pass", "pass"),
    "mini-9-parse": ("pass", "pass"),
}


def test_urls_have_the_outcomes_of_two_libraries(tmp_path):
    foreign = load_foreign(write(tmp_path, URLS))
    results = results_of(foreign, tmp_path, "reference", "urllib")
    assert outcomes(results) == OUTCOMES


def outcomes(results: Results) -> dict[str, tuple[str, ...]]:
    """Return the outcomes of each vector, in the order of the participants."""
    names = [participant.name for participant in results.participants]
    outcomes_of_vectors = {}
    for identifier in results.vectors:
        outcomes_of_vectors[identifier] = tuple(results.of(name)[identifier].outcome for name in names)
    return outcomes_of_vectors


def test_a_planted_expectation_fails(tmp_path):
    """An expectation that is wrong by one character is seen."""
    urls = json.loads(json.dumps(URLS))
    urls[FIRST_URL] |= {"href": "http://red.example/x", "pathname": "/x/../x"}  # was /y and /x/../y
    results = results_of(load_foreign(write(tmp_path, urls)), tmp_path, "reference", "urllib")
    changed = {key: outcome for key, outcome in outcomes(results).items() if outcome != OUTCOMES[key]}
    assert changed == {"mini-2-resolve": ("fail", "fail"), "mini-2-parse": ("fail", "fail")}


def test_formats_have_the_outcomes_of_two_libraries(tmp_path):
    foreign = load_foreign(write(tmp_path, FORMATS))
    assert outcomes(results_of(foreign, tmp_path, "reference", "urllib")) == {
        "mini-0.0-validate": ("pass", "pass"),
        "mini-0.1-validate": ("pass", "pass"),
        "mini-0.2-validate": ("pass", "fail"),  # urlsplit accepts a backslash
        "mini-1.0-validate": ("pass", "pass"),
        "mini-1.1-validate": ("pass", "fail"),  # urlsplit accepts a blank
    }


def test_format_tests_that_are_no_texts_of_urls_are_left_out(tmp_path):
    foreign = load_foreign(write(tmp_path, FORMATS))
    assert foreign.left_out == {"without a text": 1, "with format ipv4": 1}


def test_descriptions_of_format_tests_are_titles_of_sections(tmp_path):
    assert load_foreign(write(tmp_path, FORMATS)).corpus.titles == {
        ("rfc3986", "mini.1"): "absolute ones",
        ("rfc3986", "mini.2"): "references",
    }


def test_vectors_in_our_format_keep_their_rfc_section_and_level(tmp_path):
    (case,) = load_foreign(write(tmp_path, OWN)).corpus.cases
    assert case.spec == "rfc1808"
    assert case.section == "4"
    assert case.vector.level == "grammar"


def test_an_unknown_requirement_of_a_vector_in_our_format_has_the_comment_as_its_statement(tmp_path):
    corpus = load_foreign(write(tmp_path, OWN)).corpus
    assert corpus.requirements["mine-1"].statement == "a sibling"


def test_vectors_in_our_format_are_not_foreign(tmp_path):
    foreign = load_foreign(write(tmp_path, OWN))
    assert foreign.in_own_format
    assert foreign.blind == ()
    assert foreign.specs == ()
    assert foreign.note == ""


def test_vectors_in_our_format_count_for_compliance(tmp_path):
    foreign = load_foreign(write(tmp_path, OWN))
    results = results_of(foreign, tmp_path, "urllib")
    assert scores_by_spec(results)["rfc1808"]["urllib"].complies


def test_a_foreign_corpus_gives_no_compliance(tmp_path):
    foreign = load_foreign(write(tmp_path, URLS))
    scores = scores_by_spec(results_of(foreign, tmp_path, "reference", "urllib"))["rfc3986"]
    assert scores["reference"].compliance.total == 0
    assert scores["urllib"].compliance.total == 0


def test_the_gate_judges_a_foreign_corpus(tmp_path):
    foreign = load_foreign(write(tmp_path, URLS))
    results = results_of(foreign, tmp_path, "reference", "urllib")
    decision = decide(results, ["urllib"], foreign.specs)
    (reason,) = decision.reasons
    assert decision.code == Exit.FAILED
    assert "5 fail" in reason


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        pytest.param('"\\ud800x"', "�x", id="high-alone"),
        pytest.param('"x\\udc00"', "x�", id="low-alone"),
        pytest.param('"\\udc00\\ud800"', "��", id="wrong-order"),
        pytest.param('"\\ud83d\\ude00"', "\U0001f600", id="pair"),
    ],
)
def test_lone_surrogates_become_replacement_characters(tmp_path, text, replaced):
    """Each becomes U+FFFD, also where it would break the results file."""
    content = f'[{text}, {{"input": {text}, "base": {text}, "href": {text}, "comment": {text}}}]'
    foreign = load_foreign(write(tmp_path, content))
    (case,) = foreign.corpus.cases
    assert case.vector.inputs == {"base": replaced, "reference": replaced}
    assert case.vector.expect.result == replaced
    assert outcomes(results_of(foreign, tmp_path, "urllib")) == {"mini-1-resolve": ("pass",)}


def entry(**fields: Any) -> list[Any]:
    """Return a list of URLs whose second entry is as given."""
    return [URLS[FIRST_URL], {"input": "x:", "base": None, "href": "x:"} | fields]


def group(**fields: Any) -> list[Any]:
    """Return a list of format tests whose second group is as given."""
    return [FORMATS[0], {"schema": {"format": "uri"}, "tests": []} | fields]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("[", "Expecting value: line 1 column 2", id="no-json"),
        pytest.param("[" * 200_000, "nested too deeply", id="deep"),
        pytest.param({}, "unknown format: expected URLs ('input'), format tests", id="object"),
        pytest.param([], "unknown format: expected URLs", id="empty"),
        pytest.param(["a heading"], "unknown format: expected URLs", id="headings-alone"),
        pytest.param([[URLS[FIRST_URL]]], "unknown format: expected URLs", id="list-in-list"),
        pytest.param([*entry(), 5], "$[2]`", id="number"),
        pytest.param([{"href": "x:"}, *entry()], "field `input` - at `$[0]`", id="no-input"),
        pytest.param(entry(input=None), "got `null` - at `$[1].input`", id="null-input"),
        pytest.param(entry(base=1), "got `int` - at `$[1].base`", id="base"),
        pytest.param(entry(href=[]), "$[1].href`", id="href"),
        pytest.param(entry(failure="yes"), "$[1].failure`", id="failure"),
        pytest.param(
            entry(failure=True), "exactly one of `href` and `failure` is required - at `$[1]`", id="both"
        ),
        pytest.param(
            entry(href=None), "exactly one of `href` and `failure` is required - at `$[1]`", id="neither"
        ),
        pytest.param(entry(pathname={}), "$[1].pathname`", id="part"),
        pytest.param([*group(), "x"], "$[2]`", id="group"),
        pytest.param(group(tests=None), "$[1].tests`", id="tests"),
        pytest.param(group(schema="uri"), "$[1].schema`", id="schema"),
        pytest.param(group(tests=[1]), "$[1].tests[0]`", id="test"),
        pytest.param(group(tests=[{"data": "a"}]), "field `valid` - at `$[1].tests[0]`", id="no-valid"),
        pytest.param(group(tests=[{"valid": True}]), "field `data` - at `$[1].tests[0]`", id="no-data"),
        pytest.param(
            [group for group in FORMATS if group["description"] == "addresses"],
            "the file contains no usable test (left out: 1 with format ipv4)",
            id="none",
        ),
        pytest.param(OWN | {"spec": "rfc9"}, "no specification named 'rfc9'", id="own-spec"),
        pytest.param(OWN | {"vectors": OWN["vectors"] * 2}, "mine-1: id already used", id="own-twice"),
    ],
)
def test_an_invalid_file_is_refused_with_file_and_entry(tmp_path, content, message):
    path = write(tmp_path, content)
    with pytest.raises(CorpusError) as caught:
        load_foreign(path)
    assert path.name in str(caught.value)
    assert message in str(caught.value)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "mini.json"
    path.write_bytes(b'["\xff"]')
    with pytest.raises(CorpusError, match="invalid start byte"):
        load_foreign(path)


def test_a_byte_order_mark_is_skipped(tmp_path):
    plain = load_foreign(write(tmp_path, URLS)).corpus.cases
    assert load_foreign(write(tmp_path, "\ufeff" + json.dumps(URLS))).corpus.cases == plain


@pytest.fixture
def run_vectors(urlconform, tmp_path):
    """Runs adapters over vectors of a file, with an HTML and a JUnit report."""

    def call(content, *arguments):
        path = write(tmp_path, content)
        reports = ("--report", "html=x.html", "--report", "junit=x.xml")
        return urlconform("run", *arguments, "--vectors", str(path), *reports, env={"PATH": "/nowhere"})

    return call


#: The content of a file, the arguments of `run`, the exit code, and a part of the message.
COMMANDS = [
    pytest.param(URLS, ("urllib",), Exit.FAILED, "5 fail", id="gate"),
    pytest.param(URLS, ("reference", "--section", "mini.1"), Exit.PASSED, "not from an RFC", id="section"),
    pytest.param(URLS, (), Exit.PASSED, "mini.json: the expectations come from this file", id="survey"),
    pytest.param(
        FORMATS, ("reference",), Exit.PASSED, "(left out: 1 with format ipv4, 1 without", id="formats"
    ),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("content", "arguments", "code", "message"), COMMANDS)
def test_run_judges_no_compliance_by_foreign_vectors(run_vectors, content, arguments, code, message):
    done = run_vectors(content, *arguments)
    assert message in done.stderr
    assert "complies" not in done.stdout
    assert done.returncode == code, done.stderr


def test_run_names_an_invalid_entry_of_a_foreign_file(run_vectors):
    done = run_vectors(entry(href=1), "urllib")
    assert "- at `$[1].href`" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.returncode == Exit.INVALID_FILE


def test_run_judges_compliance_by_vectors_of_our_format(run_vectors):
    done = run_vectors(OWN, "urllib")
    assert "complies" in done.stdout
    assert done.returncode == Exit.PASSED, done.stderr


IRI_TESTS = [
    {
        "description": "validation of IRIs",
        "schema": {"format": "iri"},
        "tests": [{"description": "a letter", "data": "a:\u00e9", "valid": True}],
    }
]


def test_tests_of_iris_are_asked_of_rfc_3987(tmp_path):
    (case,) = load_foreign(write(tmp_path, IRI_TESTS)).corpus.cases
    assert case.spec == "rfc3987"
    assert case.vector.rule == "IRI"


def test_the_gate_judges_by_the_rfcs_of_the_formats(tmp_path):
    assert load_foreign(write(tmp_path, [*FORMATS, *IRI_TESTS])).specs == ("rfc3986", "rfc3987")
