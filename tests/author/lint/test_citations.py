"""Faults planted in what is cited: rules, rulings, paragraphs, and the origin of a vector."""

from __future__ import annotations

import json
import re

import click
import pytest

from urlauthor.lint.differences import lint_differences
from urlauthor.lint.vectors import lint_vectors
from urlharness.corpus.export import canonical_text
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.rfctext import read_texts
from urlharness.corpus.specifications import SPECS
from urlharness.exitcodes import Exit

FTP = "rfc1738/3.2.2-url-path.json"
NORMAL = "rfc1808/5.1-normal.json"
ABNORMAL = "rfc2396/C.2-abnormal.json"
CATALOGUE = "requirements/rfc1808.json"
INDEX = "paragraphs.json"
RULINGS = "rulings.json"


def refused(*rules: str) -> dict:
    return {"valid": False, "at": 0, "rules": list(rules)}


FAULTS = [
    pytest.param(FTP, {"rule": "nosuchrule"}, "rfc1738 has no rule nosuchrule", id="rule"),
    pytest.param(FTP, {"rule": "URI-reference"}, "rfc1738 has no rule URI-reference", id="rule-of-another"),
    pytest.param(FTP, {"rule": "FTPURL"}, "rule FTPURL is spelled ftpurl", id="rule-in-capitals"),
    pytest.param(
        FTP,
        {"expect": refused("ftpurl", "nosuchrule")},
        "rfc1738 has no rule nosuchrule",
        id="open-rule",
    ),
    pytest.param(
        FTP,
        {"expect": refused("ftpurl", "mailtourl")},
        "rule mailtourl is never open in ftpurl",
        id="open-rule-beside",
    ),
    pytest.param(
        FTP,
        {"rule": "fpath", "expect": refused("ftpurl", "fpath")},
        "rule ftpurl is never open in fpath",
        id="open-rule-above",
    ),
    pytest.param(FTP, {"expect": refused("FPath")}, "rule FPath is spelled fpath", id="open-rule-capitals"),
    pytest.param(
        ABNORMAL, {"expect": refused("nosuchrule")}, "rfc2396 has no rule nosuchrule", id="of-a-whole-url"
    ),
    pytest.param(
        ABNORMAL, {"expect": refused("delims")}, "rule delims is never open in a whole URL", id="beside-a-url"
    ),
    pytest.param(
        ABNORMAL,
        {"expect": {"any": [{"result": "a:b"}, refused("delims") | {"variant": "x"}]}},
        "rule delims is never open",
        id="open-rule-of-a-variant",
    ),
    pytest.param(NORMAL, {"ruling": "R-3986-99"}, "there is no ruling R-3986-99", id="ruling"),
    pytest.param(CATALOGUE, {"ruling": "G-99"}, "there is no ruling G-99", id="ruling-of-a-statement"),
    pytest.param(CATALOGUE, {"paragraph": 0}, "paragraph 0 has digest e3b0c44298fc", id="digest-of-nothing"),
    pytest.param(
        CATALOGUE,
        {"id": "rfc1808-9.9-x", "section": "9.9", "paragraph": 0, "digest": "e3b0c44298fc"},
        "no paragraph 0 in section 9.9",
        id="section-cited-as-a-whole",
    ),
    pytest.param(
        FTP,
        {"comment": "The rule no-tab derives it."},
        "comment: no-tab is not a rule of rfc1738; use selector instead",
        id="rule-of-our-own",
    ),
    pytest.param(
        NORMAL,
        {"origin": "mutant", "comment": "Shows a slip in rooted (bound)."},
        "comment: rooted is not a rule of rfc1808; use abs_path instead",
        id="slip-in-a-rule-of-our-own",
    ),
    pytest.param(
        NORMAL,
        {"origin": "mutant", "comment": "Shows a slip in nosuchrule (bound)."},
        "comment: rfc1808 has no rule nosuchrule",
        id="slip-in-no-rule",
    ),
    pytest.param(
        NORMAL, {"origin": "mutant"}, "`origin` is mutant, but the file is 5.1-normal.json", id="origin-added"
    ),
    pytest.param(
        NORMAL, {"id": "rfc1808-5.1-mutant-x"}, "the id is that of a mutant's witness", id="id-of-a-mutant"
    ),
]


@pytest.mark.parametrize(("name", "fields", "words"), FAULTS)
def test_a_wrong_citation_is_reported_with_its_file_and_case(part, change, name, fields, words):
    case = change(part / name, lambda entry: entry.get("op") != "parse", **fields)
    errors = [error for error in lint_vectors(part, {}) if words in error.message]
    assert [(error.file, error.case) for error in errors] == [(name, case)]


def test_a_part_of_the_corpus_without_a_planted_fault_has_no_errors(part):
    assert lint_vectors(part, {}) == []


MUTANTS_FILE = "rfc1808/2.2-mutants.json"
WITNESS = {
    "id": "rfc1808-2.2-mutant-url",
    "requirement": "rfc1808-2.2-bnf-url",
    "level": "grammar",
    "op": "validate",
    "rule": "URL",
    "url": "a:b",
    "expect": {"valid": True},
    "binding": "required",
    "origin": "mutant",
}
ORIGINS = [
    pytest.param(
        MUTANTS_FILE,
        {"origin": ...},
        {
            "`origin` is not mutant, but the file is 2.2-mutants.json",
            "the id is that of a mutant's witness, but `origin` is not mutant",
        },
        id="dropped",
    ),
    pytest.param(
        MUTANTS_FILE,
        {"id": "rfc1808-2.2-bnf-url-2"},
        {"`origin` is mutant, but the slug in the id does not begin with `mutant-`"},
        id="id-of-another",
    ),
    pytest.param(
        "rfc1808/2.2-urls.json",
        {},
        {"`origin` is mutant, but the file is 2.2-urls.json"},
        id="in-the-file-of-another",
    ),
    pytest.param(
        MUTANTS_FILE,
        {"origin": ..., "id": "rfc1808-2.2-bnf-url-2"},
        {"`origin` is not mutant, but the file is 2.2-mutants.json"},
        id="of-a-person",
    ),
]


@pytest.fixture
def lint_vector(part):
    """Return a function that writes a vector to a file of its own and lints the part with it."""
    catalogue = json.loads((corpus_dir() / CATALOGUE).read_bytes())
    (part / CATALOGUE).write_text(canonical_text(catalogue), "ascii")

    def lint(name, vector):
        head = {"schema": "urlvectors-1", "spec": "rfc1808", "section": "2.2", "title": "x"}
        (part / name).write_text(canonical_text(head | {"vectors": [vector]}), "ascii")
        return lint_vectors(part, {})

    return lint


def test_a_witness_with_its_origin_and_id_in_the_file_of_mutants_has_no_problem(lint_vector):
    assert lint_vector(MUTANTS_FILE, WITNESS) == []


@pytest.mark.parametrize(("name", "fields", "messages"), ORIGINS)
def test_origin_file_and_id_must_agree_on_whether_a_vector_is_a_witness(lint_vector, name, fields, messages):
    vector = {field: content for field, content in (WITNESS | fields).items() if content is not ...}
    problems = lint_vector(name, vector)
    assert {error.message for error in problems} == messages
    assert {(error.file, error.case) for error in problems} == {(name, vector["id"])}


def _emptied(table):
    table.clear()


def _without_an_rfc(table):
    del table["rfc2732"]


def _of_another_rfc(table):
    table["rfc9999"] = {}


def _digest_changed(table):
    table["rfc2396"]["1.4"]["digests"][0] = "0" * 12


def _title_changed(table):
    table["rfc2396"]["1.4"]["title"] = "Anything"


def _section_dropped(table):
    del table["rfc2396"]["1.4"]


def _no_id(table):
    table["R-1"] = "A ruling that has no id."


def _no_text(table):
    table["G-01"] = 1


def _half_a_reading(table):
    table["G-01"] = "Brackets after a repetition"


def _hedge(table):
    table["G-01"] = "Brackets after a repetition probably group."


#: A table, a function that falsifies it, and the case and the beginning of the message of its one error.
TABLE_FAULTS = [
    pytest.param(
        INDEX,
        _without_an_rfc,
        "rfc2732",
        "the paragraphs of this RFC are missing",
        id="index-without-an-rfc",
    ),
    pytest.param(
        INDEX, _of_another_rfc, "rfc9999", "this RFC is not part of the corpus", id="index-of-another-rfc"
    ),
    pytest.param(RULINGS, _emptied, "", "no table of rulings", id="rulings-emptied"),
    pytest.param(RULINGS, _no_id, "", "no table of rulings", id="id-of-a-ruling"),
    pytest.param(RULINGS, _no_text, "", "no table of rulings", id="reading-that-is-a-number"),
    pytest.param(RULINGS, _half_a_reading, "", "no table of rulings", id="reading-without-its-end"),
    pytest.param(
        RULINGS, _hedge, "G-01", "reading: 'probably' is not a statement of fact", id="reading-that-hedges"
    ),
]


@pytest.fixture
def falsify(part):
    """Return a function that changes a table of the part by another function."""

    def write(name, fault):
        table = json.loads((part / name).read_bytes())
        fault(table)
        (part / name).write_text(canonical_text(table), "ascii")

    return write


@pytest.mark.parametrize(("name", "fault", "case", "words"), TABLE_FAULTS)
@pytest.mark.parametrize("with_texts", [False, True], ids=["alone", "with-the-texts"])
def test_a_falsified_table_is_reported_with_its_name_and_case(
    part, falsify, request, name, fault, case, words, with_texts
):
    texts = read_texts(request.getfixturevalue("rfc_dir"), SPECS) if with_texts else {}
    falsify(name, fault)
    (error,) = lint_vectors(part, texts)
    assert error.file == name
    assert error.case == case
    assert error.message.startswith(words)


def test_an_empty_index_is_reported_of_every_rfc(part, falsify):
    falsify(INDEX, _emptied)
    errors = lint_vectors(part, {})
    assert [error.case for error in errors] == list(SPECS)
    assert {error.message for error in errors} == {"the paragraphs of this RFC are missing"}


INDEX_FAULTS = pytest.mark.parametrize(
    "fault", [_digest_changed, _title_changed, _section_dropped], ids=["digest", "title", "section"]
)


@INDEX_FAULTS
def test_an_index_that_is_not_that_of_the_rfc_is_reported_by_its_digest(part, falsify, fault):
    falsify(INDEX, fault)
    (error,) = lint_vectors(part, {})
    assert error.file == INDEX
    assert error.case == "rfc2396"
    assert error.message.startswith("the index has digest ")


@INDEX_FAULTS
def test_with_the_texts_an_index_that_is_not_that_of_the_rfc_is_reported_with_its_section(
    part, falsify, rfc_dir, fault
):
    falsify(INDEX, fault)
    (error,) = lint_vectors(part, read_texts(rfc_dir, SPECS))
    assert error.file == INDEX
    assert error.case == "rfc2396 1.4"
    assert error.message == "title or paragraph digests differ from the RFC text"


@pytest.mark.parametrize("name", [INDEX, RULINGS])
def test_a_table_in_another_form_is_reported(part, name):
    table = json.loads((part / name).read_bytes())
    (part / name).write_text(json.dumps(table), "ascii")
    assert [str(error) for error in lint_vectors(part, {})] == [
        f"{name}: not in canonical form; run `urlconform vectors fmt`"
    ]


@pytest.mark.parametrize("name", [INDEX, RULINGS])
def test_fmt_brings_a_table_in_canonical_form(part, authoring, name):
    before = (part / name).read_bytes()
    (part / name).write_text(json.dumps(json.loads(before)), "ascii")
    assert authoring("fmt", "--vectors", part).code == Exit.PASSED
    assert (part / name).read_bytes() == before


@pytest.mark.parametrize("name", [INDEX, RULINGS, "classes.json", "flags.json", "vectors.lock"])
def test_a_missing_table_is_reported_in_one_line(part, authoring, name):
    (part / name).unlink()
    ended = authoring("lint", "--vectors", part)
    # lines that name another file are not about the missing table alone
    lines = re.findall(rf"(?m)^{re.escape(name)}: (?!.*\.json).*$", ended.out)
    assert len(lines) == 1
    assert ended.code == Exit.INVALID_FILE


@pytest.mark.parametrize(("folder", "name"), [("..", "part"), (".", "."), (".", "../part")])
def test_lint_prints_the_same_for_a_relative_path(part, authoring, monkeypatch, folder, name):
    expected = authoring("lint", "--vectors", part)
    monkeypatch.chdir(part / folder)
    assert authoring("lint", "--vectors", name) == expected


def test_an_unknown_ruling_is_reported_of_a_corpus_without_documentation(tmp_path):
    """The list of rulings is read from the corpus, not from docs/."""
    for name in ("classes.json", RULINGS, INDEX):
        (tmp_path / name).write_bytes((corpus_dir() / name).read_bytes())
    table = json.loads((tmp_path / "classes.json").read_bytes())
    table["classes"][0]["rulings"] = ["R-1738-99"]
    (tmp_path / "classes.json").write_text(canonical_text(table), "ascii")
    assert "there is no ruling R-1738-99" in {error.message for error in lint_differences(tmp_path)}


RECOMPUTED = [
    pytest.param((), "not recomputed: no RFC texts were given (--rfc-dir)", id="none"),
    pytest.param(SPECS, "recomputed from 6 RFC texts", id="all"),
    pytest.param(list(SPECS)[2:], "recomputed from 4 RFC texts; no text for rfc1738, rfc1808", id="some"),
]


@pytest.mark.parametrize(("specs", "words"), RECOMPUTED)
def test_lint_says_from_which_texts_it_recomputed_the_digests(
    part, authoring, tmp_path, monkeypatch, request, specs, words
):
    monkeypatch.delenv("URLCONFORM_RFC_DIR", raising=False)
    folder = tmp_path / "texts"
    folder.mkdir()
    for spec in specs:
        text = (request.getfixturevalue("rfc_dir") / f"{spec}.txt").read_bytes()
        (folder / f"{spec}.txt").write_bytes(text)
    options = ("--rfc-dir", folder) if specs else ()
    done = authoring("lint", "--vectors", part, *options)
    assert done.err.endswith(f"errors; paragraph digests {words}\n")


def test_a_folder_without_rfc_texts_is_refused(part, authoring, tmp_path):
    """With --rfc-dir, digests must be recomputed; therefore a folder without texts is an error."""
    (tmp_path / "empty").mkdir()
    done = authoring("lint", "--vectors", part, "--rfc-dir", tmp_path / "empty")
    assert isinstance(done.error, click.UsageError)
    assert "no RFC text in" in str(done.error.message)
