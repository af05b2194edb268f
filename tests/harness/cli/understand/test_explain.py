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
    """Run the command in this process."""
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
    """The exit code is 0 if the languages are equal, otherwise 1."""
    keep, right, verdict = PAIRS[name]
    done = diff(keep, right, "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout)["verdict"] == verdict
    assert done.returncode == int(verdict != "equal")


def test_json_has_witnesses_and_counts(diff):
    """The output has a witness for each side, and a row for each length."""
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


def test_the_text_is_a_sentence_witnesses_and_a_table(diff):
    """The output is a sentence, the shortest words and a table; an empty word is not shown as `none`."""
    done = diff("3986:segment", "3986:segment-nz", "--length", "2")
    assert done.returncode == Exit.FAILED
    sentence, alone, other_line, both, _, _, *rows = done.stdout.splitlines()
    assert sentence == "3986:segment is a proper superset of 3986:segment-nz."
    assert alone == "  shortest in 3986:segment alone: <>"
    assert other_line == "  shortest in 3986:segment-nz alone: none"
    assert both.startswith("  shortest in both: <")
    assert [row.split() for row in rows if row.strip()][-3:] == [
        ["0", "1", "0", "1", "0"],
        ["1", "79", "79", "0", "0"],
        ["2", "6,241", "6,241", "0", "0"],
    ]


@pytest.mark.parametrize(
    ("width", "columns", "rows", "sentence"),
    [
        (120, 5, 9, ""),
        (80, 5, 7, "The terminal is too narrow for length 7 and above."),
        (40, 3, 6, "The terminal is too narrow for the other columns and length 6 and above."),
    ],
)
def test_no_number_is_cut(diff, terminal, width, columns, rows, sentence):
    terminal("understand.explain", width)
    output = diff("rfc2396", "rfc3986").stdout
    assert max(map(len, output.splitlines())) <= width
    table = [line.split() for line in output.splitlines() if re.match(r" +\d [ \d,]+$", line)]
    assert [len(row) for row in table] == [columns] * rows
    assert [row[0] for row in table] == [str(number) for number in range(rows)]
    assert sentence in " ".join(output.split())
    assert ("too narrow" in output) is bool(sentence)


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
    "no-specification": (("rfc3987", "3986"), "no specification named 'rfc3987'"),
    "no-rule": (("3986:URL", "3986"), "no rule named 'URL'"),
    "no-profile": (("3986", "1738:url:loose"), "the profiles are scheme-specific, generic, prose"),
    "too-many-parts": (("1738:url:prose:x", "3986"), "SPEC[:RULE[:PROFILE]]"),
    "one-language": (("3986",), "Missing argument"),
    "too-long": (("3986", "3986", "--length", "65"), "0<=x<=64"),
}


@pytest.mark.parametrize("name", USAGE)
def test_a_usage_error_says_why(diff, name):
    """The exit code of a usage error is 2, and the message says why."""
    arguments, message = USAGE[name]
    done = diff(*arguments)
    assert done.stdout == ""
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize("name", ["R-3986-08", "r-3986-08"])
def test_a_ruling_is_shown_with_its_readings_and_vectors(urlconform, name):
    """Its heading, reading and text, and what it decides."""
    done = urlconform("ruling", name)
    assert done.stdout.startswith("R-3986-08  Rootless paths in remove_dot_segments\n")
    assert done.returncode == Exit.PASSED
    labels = re.findall(r"^([A-Za-z]+):(?: |$)", done.stdout, re.MULTILINE)
    assert labels == ["Text", "Readings", "Ruling", "Why", "Vectors", "statements", "vectors"]
    assert "**" not in done.stdout
    assert done.stdout.rpartition("\nvectors:\n")[2].startswith("  rfc3986-1.2.3-dot-absolute\n  rfc3986-")


def test_a_ruling_is_printed_as_json(urlconform, corpus):
    document = json.loads(urlconform("ruling", "G-09", "--json").stdout)
    assert document["reading"] == load_rulings()["G-09"]
    assert document["vectors"] == [case.vector.id for case in corpus.cases if case.vector.ruling == "G-09"]


def test_every_ruling_has_a_text():
    """Its text says what is ruled, and ends before the next chapter."""
    assert load_ruling_texts().keys() == load_rulings().keys()
    for ruling in load_ruling_texts().values():
        assert ruling.title
        assert ruling.text
        assert "\n#" not in ruling.text
        assert "\n---" not in ruling.text


def test_an_unknown_ruling_is_a_usage_error_with_a_suggestion(urlconform):
    done = urlconform("ruling", "R-3986-80")
    assert done.stdout == ""
    assert "Did you mean 'R-3986-" in done.stderr
    assert done.returncode == Exit.USAGE
    assert "Choose from G-01 to G-18, R-1738-01 to R-1738-" in urlconform("ruling", "x").stderr


def test_a_section_shows_statements_vectors_and_rulings(urlconform, corpus, tmp_path):
    """Statements, vectors and rulings; witnesses are counted; only the RFC's own text is quoted."""
    title = corpus.titles["rfc1808", "2.2"]
    (tmp_path / "rfc1808.txt").write_text(f"2.2.  {title}\n\n   Another text.\n", "utf-8")
    statements = [
        requirement
        for requirement in corpus.requirements.values()
        if (requirement.spec, requirement.section) == ("rfc1808", "2.2")
    ]
    ids = {statement.id for statement in statements}
    cases = [case.vector for case in corpus.cases if case.vector.requirement in ids]
    short = urlconform("section", "1808", "2.2", "--rfc-dir", ".").stdout
    everything = urlconform("section", "rfc1808", "2.2", "--witnesses").stdout
    assert short.startswith(f"RFC 1808, section 2.2  {title}\n")
    assert "Another text" not in short
    for rfc_requirement in statements:
        assert f"\n{rfc_requirement.id}  ({rfc_requirement.level})\n  {rfc_requirement.statement}\n" in short
        assert (
            rfc_requirement.ruling is None
            or f"\n  {rfc_requirement.ruling} {load_rulings()[rfc_requirement.ruling]}\n" in short
        )
    for case in cases:
        assert f"\n    {case.id} {case.op} " in everything
        assert (f"\n    {case.id} {case.op} " in short) is (case.origin != "mutant")
    witnesses = sum(case.origin == "mutant" for case in cases)
    assert witnesses > 20
    assert sum(map(int, re.findall(r"and (\d+) witness", short))) == witnesses


def test_a_section_is_found_in_lower_case(urlconform):
    upper, lower = (urlconform("section", "rfc2396", name).stdout for name in ("B", "b"))
    assert upper == lower
    assert lower.startswith("RFC 2396, section B  ")


def test_a_section_is_printed_as_json(urlconform):
    document = json.loads(urlconform("section", "3986", "3.1", "--json").stdout)
    assert document["title"] == "Scheme"
    (entry,) = (
        statement for statement in document["statements"] if statement["id"] == "rfc3986-3.1-bnf-scheme"
    )
    assert {"level", "statement", "paragraph", "paragraphs", "vectors"} <= entry.keys()
    assert set(document["rulings"]) >= {"G-05", "G-11"}


@pytest.mark.skipif(not os.environ.get(FOLDER), reason="needs the texts of the RFCs")
def test_a_section_quotes_its_paragraphs(urlconform):
    """Each paragraph once, above the statements that are made from it."""
    out = urlconform("section", "3986", "3.1", "--rfc-dir", os.environ[FOLDER]).stdout
    quotes = re.findall(r"(?:^\|.*\n)+", out, re.MULTILINE)
    assert len(quotes) == len(set(quotes)) >= 3
    assert any("ALPHA *( ALPHA / DIGIT" in quote for quote in quotes)


@pytest.mark.skipif(not os.environ.get(FOLDER), reason="needs the texts of the RFCs")
def test_a_section_keeps_the_lines_of_a_quote(urlconform):
    """Pseudo-code stays indented."""
    out = urlconform("section", "3986", "5.2.2", "--rfc-dir", os.environ[FOLDER]).stdout
    assert re.search(r"^\| if defined.*then\n\|    +T\.scheme +=", out, re.MULTILINE)


def test_the_sections_of_an_rfc_are_listed(urlconform, corpus):
    lines = urlconform("section", "rfc2732").stdout.splitlines()
    numbers = [line.split()[0] for line in lines]
    assert numbers == sorted(
        {requirement.section for requirement in corpus.requirements.values() if requirement.spec == "rfc2732"}
    )
    assert [line for line in lines if not re.search(r"  \(\d+ statements?, [\d,]+ vectors?\)$", line)] == []
    assert json.loads(urlconform("section", "rfc2732", "--json").stdout).keys() == set(numbers)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rfc3986", "5.2.9"), "RFC 3986 has no section 5.2.9 with a statement. Did you mean '5.2.4' or "),
        (("rfc3986", "zzz"), "no section zzz with a statement. `urlconform section rfc3986` lists all"),
        (("rfc9", "5"), "no RFC named 'rfc9'; choose from rfc1738, "),
    ],
)
def test_an_unknown_section_is_a_usage_error(urlconform, arguments, message):
    done = urlconform("section", *arguments)
    assert done.stdout == ""
    assert message in done.stderr
    assert done.returncode == Exit.USAGE
