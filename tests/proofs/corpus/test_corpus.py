"""The corpus as a whole: it is sound, cites the RFCs, is large enough, and asks no question twice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from urlauthor.lint.citations import paragraph_index
from urlauthor.lint.vectors import lint_vectors
from urlharness.adapters import reference
from urlharness.corpus import rfctext
from urlharness.corpus.lock import question_key
from urlharness.corpus.model import Case, Corpus, corpus_dir, vector_files
from urlharness.corpus.specifications import SPECS, facts
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urlharness.runner import question

#: Where the reference gives an admitted answer that is not the recommended one, and why.
REFERENCE_VARIANTS = {
    "rfc1738-3.1-ipv4-range-prose": "under `prose` it applies the range of the text (R-1738-07)",
    "rfc1738-3.1-port-big-prose": "under `prose` it applies the range of the text (R-1738-10)",
    "rfc1738-3.1-port-65536-prose": "likewise",
    "rfc1738-3.1-port-655350-prose": "likewise",
    "rfc1738-3.1-port-ftp-prose": "likewise",
    "rfc1738-3.5-local-only-prose": "under `prose` it demands an addr-spec with @ (R-1738-26)",
    "rfc1738-5-mailtourl-prose-no-at": "under `prose` it demands an addr-spec with @ (R-1738-26)",
    "rfc1738-appendix-extract-hyphen-blank-break": "blanks before a line break belong to it",
    "rfc1738-appendix-extract-lower-prefix": "it knows the prefix in either case (R-1738-33)",
    "rfc1738-appendix-extract-prefix-twice": "it knows no scheme in capitals (R-1738-33)",
    "rfc1808-2.4.1-second-hash": "it splits only what the grammar derives (R-1808-29)",
    "rfc1808-2.4.3-four-slashes": "it splits only what the grammar derives (R-1808-07)",
    "rfc2396-E-extract-alone-white-space": "it finds first what has delimiters (R-2396-28)",
    "rfc2396-E-extract-white-space-only-text": "likewise",
    "rfc2396-E-extract-white-space-comma": "likewise",
    "rfc2396-E-extract-parentheses": "it finds first what has delimiters (R-2396-37)",
    "rfc2396-E-extract-parentheses-comma": "likewise",
    "rfc2396-E-extract-apostrophes": "it finds first what has delimiters (R-2396-35)",
    "rfc2396-E-extract-prefix-lower": "it knows the prefix in either case (R-2396-28)",
    "rfc3986-C-extract-alone-white-space": "it finds first what has delimiters (R-3986-35)",
    "rfc3986-C-extract-white-space-only-text": "likewise",
    "rfc3986-C-extract-white-space-comma": "likewise",
    "rfc3986-C-extract-parentheses": "it finds first what has delimiters (R-3986-47)",
    "rfc3986-C-extract-parentheses-comma": "likewise",
    "rfc3986-C-extract-prefix-lower": "it knows the prefix in either case (R-3986-35)",
    "rfc3986-C-extract-bare-tel": "it finds first what has delimiters (R-3986-43)",
    "rfc3986-C-extract-bare-urn": "likewise",
    "rfc3986-C-extract-apostrophes": "it finds first what has delimiters (R-3986-44)",
}


@pytest.fixture(scope="module")
def texts(rfc_dir: Path) -> dict[str, rfctext.Citations]:
    """The paragraphs of the texts of the RFCs."""
    return dict(rfctext.read_texts(rfc_dir, SPECS))


def documents() -> list[dict]:
    """Return the files of vectors."""
    return [json.loads(path.read_bytes()) for path in vector_files(corpus_dir())]


@pytest.mark.long  # `urlconform vectors lint` in `tox -e lint` reads the same texts
def test_lint_with_the_texts_of_the_rfcs_reports_nothing_of_the_corpus(texts):
    assert [str(error) for error in lint_vectors(corpus_dir(), texts)] == []


@pytest.mark.parametrize(
    ("spec", "section", "paragraph", "digest"),
    [
        pytest.param("rfc1808", "5.2", 4, "41db2c11b1f6", id="1808-5.2-p4"),
        pytest.param("rfc1808", "5.2", 5, "4f745a21ddec", id="1808-5.2-p5"),
        pytest.param("rfc1738", "2.2", 2, "770c72bd25fa", id="1738-2.2-p2"),
    ],
)
def test_a_paragraph_that_was_counted_by_hand_has_its_digest(texts, spec, section, paragraph, digest):
    assert texts[spec].digest(section, paragraph) == digest


def test_every_cited_digest_follows_from_the_texts(texts, corpus: Corpus):
    cited = [requirement for requirement in corpus.requirements.values() if requirement.paragraph != 0]
    assert cited
    for requirement in cited:
        numbers = requirement.paragraph
        spec = requirement.id.partition("-")[0]
        assert texts[spec].digest(requirement.section, numbers) == requirement.digest, requirement.id


def test_the_paragraph_index_is_what_the_texts_give(texts):
    committed = json.loads((corpus_dir() / "paragraphs.json").read_bytes())
    assert committed == json.loads(msgspec.json.encode(paragraph_index(texts)))


def sections_of_requirements(corpus: Corpus) -> set[tuple[str, str]]:
    """Return the RFC and the section of every requirement."""
    return {
        (requirement.id.partition("-")[0], requirement.section)
        for requirement in corpus.requirements.values()
    }


def test_exactly_the_sections_of_the_texts_have_requirements(texts, corpus: Corpus):
    sections = set()
    for spec, citations in texts.items():
        sections.update((spec, section) for section in citations.titles)
    assert sections_of_requirements(corpus) == sections


def test_exactly_the_sections_of_the_index_have_requirements(corpus: Corpus):
    assert sections_of_requirements(corpus) == set(corpus.titles)


def test_every_untestable_requirement_gives_a_reason(corpus: Corpus):
    untestable = [requirement for requirement in corpus.requirements.values() if requirement.testable == "no"]
    assert untestable
    assert [requirement.id for requirement in untestable if not requirement.reason] == []


#: The numbers below which some of the corpus cannot have been read.
LEAST_VECTORS = 800
LEAST_STATEMENTS = 300


def test_the_corpus_has_many_vectors(corpus: Corpus):
    assert len(corpus.cases) >= LEAST_VECTORS


def test_many_statements_have_vectors(corpus: Corpus):
    statements = {case.vector.requirement for case in corpus.cases}
    assert len(statements) >= LEAST_STATEMENTS


def test_no_two_vectors_ask_the_same():
    id_by_question: dict[str, str] = {}
    for document in documents():
        for vector in document["vectors"]:
            key = question_key(document["spec"], vector)
            assert key not in id_by_question, f"{vector['id']} asks the same as {id_by_question.get(key)}"
            id_by_question[key] = vector["id"]


def test_every_vector_stands_in_the_section_of_its_requirement(corpus: Corpus):
    elsewhere = [
        case.vector.id
        for case in corpus.cases
        if corpus.requirements[case.vector.requirement].section != case.section
    ]
    assert elsewhere == []


def section_in_id(case: Case) -> str:
    """Return the section that the id of a vector names."""
    return case.vector.id.removeprefix(f"{case.spec}-").partition("-")[0]


def test_the_id_of_a_vector_names_its_section(corpus: Corpus):
    """The id of a vector of a production may name that of an older citation."""
    of_prose = [case for case in corpus.cases if case.section != facts(case.spec).grammar_section]
    assert [case.vector.id for case in of_prose if section_in_id(case) != case.section] == []


def test_the_section_in_the_id_of_a_vector_exists(corpus: Corpus):
    named_sections = {(case.spec, section_in_id(case)) for case in corpus.cases}
    assert named_sections - corpus.titles.keys() == set()


def test_every_ruling_cited_is_in_the_document(corpus: Corpus):
    # the one test that reads the repository: the documents are not part of the wheel
    rulings = Path(__file__).parents[3] / "docs" / "rulings.md"
    headings = set(re.findall(r"^### ((?:G|R-\d{4})-\d{2})\b", rulings.read_text("utf-8"), re.MULTILINE))
    cited = {case.vector.ruling for case in corpus.cases if case.vector.ruling}
    cited |= {requirement.ruling for requirement in corpus.requirements.values() if requirement.ruling}
    assert cited
    assert cited - headings == set()


def test_the_files_of_the_corpus_are_ascii():
    files = corpus_dir().rglob("*.json")
    assert [path.name for path in files if not path.read_bytes().isascii()] == []


def test_the_files_of_the_corpus_have_at_most_eleven_megabytes():
    assert sum(path.stat().st_size for path in corpus_dir().rglob("*.json")) <= 11_000_000


def test_the_reference_gives_the_recommended_answer_but_for_the_listed_variants(corpus: Corpus):
    outcomes = {}
    for case in corpus.cases:
        reply = reference.answer(msgspec.to_builtins(question(case)))
        verdict = judge(case, msgspec.convert({**reply, "id": 0}, Reply), {"absent-vs-empty"}, strict=True)
        if verdict.outcome != "pass":
            outcomes[case.vector.id] = verdict.outcome
    assert outcomes == dict.fromkeys(REFERENCE_VARIANTS, "variant")
