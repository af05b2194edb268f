"""`urlconform diff`, `section` and `ruling`: what they print, exit codes, and usage errors."""

from __future__ import annotations

import json
import os
import re

import pytest

from urlharness.corpus.differences import load_ruling_texts, load_rulings
from urlharness.corpus.rfctext import FOLDER
from urlharness.exitcodes import Exit


@pytest.fixture
def diff(urlconform):
    """Return a function that runs `diff` in this process."""
    return lambda *arguments: urlconform("diff", *arguments)


PAIRS = {
    "same": ("rfc3986", "RFC3986:URI-reference", "equal"),
    "rule-and-rule": ("1738:hex", "3986:HEXDIG", "equal"),
    "included": ("3986:segment-nz", "3986:segment", "included"),
    "superset": ("3986:segment", "3986:segment-nz", "includes"),
    "disjoint": ("3986:URI", "3986:relative-ref", "disjoint"),
    "profile": ("1738:url:generic", "1738:url:scheme-specific", "includes"),
    "default-profile": ("1738", "1738:url:scheme-specific", "equal"),
    "empty-rule": ("1738::prose", "1738:url:prose", "equal"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_verdict_compares_two_languages(diff, name):
    left, right, verdict = PAIRS[name]
    done = diff(left, right, "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout)["verdict"] == verdict


def test_equal_languages_pass(diff):
    left, right, _verdict = PAIRS["same"]
    assert diff(left, right).returncode == Exit.PASSED


@pytest.mark.parametrize("name", ["included", "disjoint"])
def test_different_languages_fail(diff, name):
    left, right, _verdict = PAIRS[name]
    assert diff(left, right).returncode == Exit.FAILED


def test_json_has_witnesses_and_counts(diff):
    """A `uric` of one character is one of 81 in RFC 2396; RFC 2732 adds the brackets."""
    document = json.loads(diff("2732:uric", "2396:uric", "--length", "1", "--json").stdout)
    assert document == {
        "verdict": "includes",
        "only_left": "[",
        "only_right": None,
        "both": "!",
        "counts": [
            {"length": 0, "left": 0, "right": 0, "only_left": 0, "only_right": 0},
            {"length": 1, "left": 83, "right": 81, "only_left": 2, "only_right": 0},
        ],
    }


#: A word that is empty is shown as <>, which is not the same as none.
SEGMENTS = """\
3986:segment is a proper superset of 3986:segment-nz.
  shortest in 3986:segment alone: <>
  shortest in 3986:segment-nz alone: none
  shortest in both: <!>
length   3986:segment   3986:segment-nz   3986:segment alone   3986:segment-nz alone
────────────────────────────────────────────────────────────────────────────────────
     0              1                 0                    1                       0
     1             79                79                    0                       0
     2          6,241             6,241                    0                       0
"""


def test_the_text_is_a_sentence_witnesses_and_a_table(diff):
    done = diff("3986:segment", "3986:segment-nz", "--length", "2")
    assert done.stdout == SEGMENTS
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize(
    ("width", "columns", "rows", "sentences"),
    [
        pytest.param(120, 5, 9, [], id="wide"),
        pytest.param(80, 5, 7, ["The terminal is too narrow for length 7 and above."], id="rows"),
        pytest.param(
            40,
            3,
            6,
            ["The terminal is too narrow for the other columns and length 6 and above."],
            id="columns-and-rows",
        ),
    ],
)
def test_a_terminal_that_is_too_narrow_leaves_out_rows_and_columns(
    diff, terminal, width, columns, rows, sentences
):
    terminal("understand.explain", width)
    output = diff("rfc2396", "rfc3986").stdout
    assert max(map(len, output.splitlines())) <= width
    # the rows of the table have a length and counts
    table = [line.split() for line in output.splitlines() if re.match(r" +\d [ \d,]+$", line)]
    assert [row[0] for row in table] == [str(length) for length in range(rows)]
    assert {len(row) for row in table} == {columns}
    assert re.findall(r"The terminal is too narrow .*?\.", " ".join(output.split())) == sentences


SENTENCES = {
    ("3986:port", "3986:port"): "3986:port and 3986:port are the same language.",
    ("3986:segment-nz", "3986:segment"): "3986:segment-nz is a proper subset of 3986:segment.",
    ("3986:port", "3986:scheme"): "3986:port and 3986:scheme have no word in common.",
    ("3986:port", "3986:h16"): "3986:port and 3986:h16 overlap; neither includes the other.",
}


@pytest.mark.parametrize("pair", SENTENCES)
def test_the_sentence_says_how_two_languages_are_related(diff, pair):
    assert diff(*pair).stdout.splitlines()[0] == SENTENCES[pair]


USAGE = {
    "no-specification": (("rfc9999", "3986"), "no specification named 'rfc9999'"),
    "no-rule": (("3986:URL", "3986"), "no rule named 'URL'"),
    "no-profile": (("3986", "1738:url:loose"), "the profiles are scheme-specific, generic, prose"),
    "too-many-parts": (("1738:url:prose:x", "3986"), "SPEC[:RULE[:PROFILE]]"),
    "one-language": (("3986",), "Missing argument"),
    "too-long": (("3986", "3986", "--length", "65"), "0<=x<=64"),
}


@pytest.mark.parametrize("name", USAGE)
def test_a_usage_error_says_why(diff, name):
    arguments, message = USAGE[name]
    done = diff(*arguments)
    assert done.stdout == ""
    assert message in " ".join(done.stderr.split())
    assert done.returncode == Exit.USAGE


@pytest.fixture(params=["R-3986-08", "r-3986-08"])
def ruling_text(urlconform, request):
    """The text that `ruling` prints of a ruling whose id is given in upper and in lower case."""
    done = urlconform("ruling", request.param)
    assert done.returncode == Exit.PASSED
    return done.stdout


def test_a_ruling_is_shown_with_its_title_and_its_chapters(ruling_text):
    assert ruling_text.startswith("R-3986-08  Rootless paths in remove_dot_segments\n")
    labels = re.findall(r"^([A-Za-z]+):(?: |$)", ruling_text, re.MULTILINE)
    assert labels == ["Text", "Readings", "Ruling", "Why", "Vectors", "statements", "vectors"]


def test_the_text_of_a_ruling_has_no_mark_up(ruling_text):
    assert "**" in load_ruling_texts()["R-3986-08"].text
    assert "**" not in ruling_text


def test_a_ruling_is_shown_with_all_its_vectors(ruling_text, corpus):
    ids = [case.vector.id for case in corpus.cases if case.vector.ruling == "R-3986-08"]
    assert ids != []
    _, _, list_of_vectors = ruling_text.partition("\nvectors:\n")
    assert list_of_vectors == "".join(f"  {vector_id}\n" for vector_id in ids)


def test_a_ruling_is_printed_as_json(urlconform, corpus):
    document = json.loads(urlconform("ruling", "G-09", "--json").stdout)
    assert document["reading"] == load_rulings()["G-09"]
    assert document["vectors"] == [case.vector.id for case in corpus.cases if case.vector.ruling == "G-09"]


def test_every_ruling_has_a_text():
    assert load_ruling_texts().keys() == load_rulings().keys()
    texts = load_ruling_texts().values()
    assert [ruling for ruling in texts if not ruling.title or not ruling.text] == []


def test_the_text_of_a_ruling_ends_before_the_next_chapter():
    texts = load_ruling_texts().values()
    assert [ruling for ruling in texts if re.search(r"^(#|---)", ruling.text, re.MULTILINE)] == []


def test_a_similar_ruling_is_suggested(urlconform):
    done = urlconform("ruling", "R-3986-80")
    assert done.stdout == ""
    assert "Did you mean 'R-3986-48' or 'R-3986-40' or " in done.stderr
    assert done.returncode == Exit.USAGE


def test_the_rulings_to_choose_from_are_named(urlconform):
    done = urlconform("ruling", "x")
    last_ids = {}  # by group, such as R-3986
    for ruling_id in sorted(load_rulings()):
        group, _, _number = ruling_id.rpartition("-")
        last_ids[group] = ruling_id
    ranges = [f"{group}-01 to {last_id}" for group, last_id in last_ids.items()]
    assert f"Choose from {', '.join(ranges)}" in done.stderr
    assert done.returncode == Exit.USAGE


# ---- a section

SECTION = ("rfc1808", "2.2")


@pytest.fixture
def statements(corpus):
    """The statements of the section, by id."""
    return {
        statement.id: statement
        for statement in corpus.requirements.values()
        if (statement.spec, statement.section) == SECTION
    }


@pytest.fixture
def vectors(corpus, statements):
    """The vectors that test the statements of the section."""
    return [case.vector for case in corpus.cases if case.vector.requirement in statements]


@pytest.fixture
def section_text(urlconform):
    """The text that `section` prints of the section."""
    return urlconform("section", *SECTION).stdout


def test_a_section_is_shown_with_its_title(section_text, corpus):
    assert section_text.startswith(f"RFC 1808, section 2.2  {corpus.titles[SECTION]}\n")


def test_an_rfc_may_be_named_by_its_number(urlconform, section_text):
    assert urlconform("section", "1808", "2.2").stdout == section_text


def test_a_section_shows_its_statements(section_text, statements):
    entries = [
        f"\n{id_}  ({statement.level})\n  {statement.statement}\n" for id_, statement in statements.items()
    ]
    assert entries != []
    assert [entry for entry in entries if entry not in section_text] == []


def test_a_section_shows_the_rulings_of_its_statements(section_text, statements):
    rulings = {statement.ruling for statement in statements.values()} - {None}
    assert rulings != set()
    lines = [f"\n  {ruling} {load_rulings()[ruling]}\n" for ruling in rulings]
    assert [line for line in lines if line not in section_text] == []


def vectors_in(text):
    """Return the ids of the vectors that `section` prints."""
    return re.findall(r"^    (\S+) (?:validate|parse|resolve|extract) ", text, re.MULTILINE)


def test_a_section_shows_its_vectors_without_witnesses(section_text, vectors):
    ids = [vector.id for vector in vectors if vector.origin != "mutant"]
    assert sorted(vectors_in(section_text)) == sorted(ids)


def test_a_section_counts_its_witnesses(section_text, vectors):
    witnesses = [vector for vector in vectors if vector.origin == "mutant"]
    assert witnesses != []
    assert sum(map(int, re.findall(r"and (\d+) witness", section_text))) == len(witnesses)


def test_a_section_shows_its_witnesses_if_they_are_asked_for(urlconform, vectors):
    text = urlconform("section", *SECTION, "--witnesses").stdout
    assert sorted(vectors_in(text)) == sorted(vector.id for vector in vectors)


def test_a_section_quotes_no_other_text_than_that_of_the_rfc(urlconform, corpus, section_text, tmp_path):
    content = f"2.2.  {corpus.titles[SECTION]}\n\n   Another text.\n"
    (tmp_path / "rfc1808.txt").write_text(content, "utf-8")
    assert urlconform("section", *SECTION, "--rfc-dir", ".").stdout == section_text


def test_a_section_is_found_in_lower_case(urlconform):
    text = urlconform("section", "rfc2396", "b").stdout
    assert text.startswith("RFC 2396, section B  ")
    assert text == urlconform("section", "rfc2396", "B").stdout


def test_a_section_is_printed_as_json(urlconform):
    document = json.loads(urlconform("section", "3986", "3.1", "--json").stdout)
    assert document["title"] == "Scheme"
    statements = {statement["id"]: statement for statement in document["statements"]}
    fields = statements["rfc3986-3.1-bnf-scheme"].keys()
    assert fields >= {"level", "statement", "paragraph", "paragraphs", "vectors"}
    assert document["rulings"].keys() >= {"G-05", "G-11"}


@pytest.mark.skipif(not os.environ.get(FOLDER), reason="needs the texts of the RFCs")
def test_a_section_quotes_each_paragraph_once(urlconform):
    text = urlconform("section", "3986", "3.1", "--rfc-dir", os.environ[FOLDER]).stdout
    quotes = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    (production,) = [quote for quote in quotes if "ALPHA *( ALPHA / DIGIT" in quote]
    assert production.startswith("|")
    assert len(quotes) == len(set(quotes))


@pytest.mark.skipif(not os.environ.get(FOLDER), reason="needs the texts of the RFCs")
def test_a_section_keeps_the_lines_of_a_quote(urlconform):
    """Pseudo-code stays indented."""
    out = urlconform("section", "3986", "5.2.2", "--rfc-dir", os.environ[FOLDER]).stdout
    assert re.search(r"^\| if defined.*then\n\|    +T\.scheme +=", out, re.MULTILINE)


@pytest.fixture
def sections(corpus):
    """The sections of RFC 2732 with a statement."""
    statements = corpus.requirements.values()
    return {statement.section for statement in statements if statement.spec == "rfc2732"}


def test_the_sections_of_an_rfc_are_listed_with_counts(urlconform, sections):
    lines = urlconform("section", "rfc2732").stdout.splitlines()
    counted = re.compile(r"(\S+) .*  \(\d+ statements?, [\d,]+ vectors?\)")
    assert [line for line in lines if not counted.fullmatch(line)] == []
    assert [line.split()[0] for line in lines] == sorted(sections)


def test_the_sections_of_an_rfc_are_listed_as_json(urlconform, sections):
    assert json.loads(urlconform("section", "rfc2732", "--json").stdout).keys() == sections


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ("rfc3986", "5.2.9"),
            "RFC 3986 has no section 5.2.9 with a statement. Did you mean '5.2.4' or ",
            id="misspelled",
        ),
        pytest.param(
            ("rfc3986", "zzz"),
            "no section zzz with a statement. `urlconform section rfc3986` lists all",
            id="like-no-other",
        ),
        pytest.param(("rfc9", "5"), "no RFC named 'rfc9'; choose from rfc1738, ", id="unknown-rfc"),
    ],
)
def test_an_unknown_section_is_a_usage_error(urlconform, arguments, message):
    done = urlconform("section", *arguments)
    assert done.stdout == ""
    assert message in done.stderr
    assert done.returncode == Exit.USAGE
