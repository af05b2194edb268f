"""Whole-URL twins: the answers that a place proves, false claims, and the files of a small corpus."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from click.testing import CliRunner

from urlauthor import twins
from urlauthor.cli import vectors
from urlauthor.lint.vectors import lint_vectors
from urlauthor.twins import Place, Places, counterexample, derive, originals
from urlharness.corpus.export import canonical_text
from urlharness.corpus.loader import load
from urlharness.corpus.model import corpus_dir
from urlharness.exitcodes import Exit

OCTET = {
    "rule": "dec-octet",
    "prefix": "http://[::1.2.3.",
    "suffix": "]/",
    "without": "]",
    "proves": "offsets",
}
HOST = {"rule": "host", "prefix": "http://", "suffix": "/", "without": "#/:?@", "proves": "offsets"}
NAME = {"rule": "hostname", "prefix": "http://", "suffix": "/", "proves": "other", "other": "reg_name"}
NONE = {"rule": "unwise", "prefix": "http://h/", "shortest": 1, "longest": 1, "proves": "never"}
VERDICTS = HOST | {"proves": "verdicts"}
VALID, REFUSED = {"valid": True}, {"valid": False}


def refused(at: int, **options: Any) -> dict[str, Any]:
    """Return a refusal at an offset."""
    return {"valid": False, "at": at, **options}


class TwinAnswer(NamedTuple):
    """A text with its answer under the rule of a place, and the answer of the twin, None for no twin."""

    spec: str
    twin_place: dict[str, Any]
    text: str
    answer: dict[str, Any]
    expected: dict[str, Any] | None


ANSWERS = [
    pytest.param(TwinAnswer("rfc3986", OCTET, "255", VALID, expected=VALID), id="valid"),
    pytest.param(
        TwinAnswer("rfc3986", OCTET, "256", refused(2, rules=["x"]), expected=refused(18)), id="moved"
    ),
    pytest.param(TwinAnswer("rfc3986", OCTET, "", refused(0), expected=refused(16)), id="nothing"),
    pytest.param(
        TwinAnswer("rfc3986", HOST, "a b/c", refused(1), expected=refused(8)), id="wrong-before-delimiter"
    ),
    pytest.param(TwinAnswer("rfc3986", HOST, "a/b", refused(1), expected=None), id="delimiter"),
    pytest.param(TwinAnswer("rfc3986", HOST, "a/", VALID, expected=None), id="delimiter-valid"),
    pytest.param(TwinAnswer("rfc3986", VERDICTS, "a b", refused(1), expected=REFUSED), id="no-offset"),
    pytest.param(TwinAnswer("rfc3986", VERDICTS, "a b/", refused(1), expected=None), id="all-counts"),
    pytest.param(
        TwinAnswer("rfc3986", HOST | {"proves": "accepts"}, "a b", refused(1), expected=None),
        id="accepts-only",
    ),
    pytest.param(
        TwinAnswer("rfc3986", HOST | {"begin": "["}, "[::", refused(3), expected=None), id="colon-after-begin"
    ),
    pytest.param(
        TwinAnswer("rfc3986", HOST | {"begin": "["}, "a", VALID, expected=None), id="begins-otherwise"
    ),
    pytest.param(
        TwinAnswer("rfc3986", HOST | {"longest": 1}, "a|", refused(1), expected=None), id="too-long"
    ),
    pytest.param(TwinAnswer("rfc3986", HOST | {"shortest": 1}, "", VALID, expected=None), id="too-short"),
    pytest.param(TwinAnswer("rfc2396", NAME, "a_b", refused(1), expected=VALID), id="other-rule"),
    pytest.param(TwinAnswer("rfc2396", NAME, "a b", refused(1), expected=None), id="not-of-other-rule"),
    pytest.param(TwinAnswer("rfc2396", NAME, "a", VALID, expected=None), id="other-rule-valid"),
    pytest.param(TwinAnswer("rfc2396", NONE, "{", VALID, expected=refused(9)), id="never"),
    pytest.param(TwinAnswer("rfc2396", NONE, "~", refused(0), expected=None), id="never-refused"),
    pytest.param(TwinAnswer("rfc2396", NONE, "{}", VALID, expected=None), id="never-two"),
    pytest.param(
        TwinAnswer("rfc3986", OCTET, "256", refused(2, variant="x"), expected=refused(18, variant="x")),
        id="variant",
    ),
]


@pytest.mark.parametrize("row", ANSWERS)
def test_a_twin_has_the_answer_of_its_place(row):
    assert Place(**row.twin_place).answer(row.spec, row.text, row.answer) == row.expected


PORT = {"rule": "port", "prefix": "http://h:", "suffix": "0/", "proves": "verdicts"}
EMPTY = {"rule": "path-abempty", "prefix": "http://h", "proves": "verdicts"}
ANY = {"rule": "reserved", "prefix": "http://h/", "proves": "accepts"}
BARE = OCTET | {"prefix": "http://1.2.3.", "suffix": "/"}
INSIDE = NAME | {"prefix": "http://[", "suffix": "]/", "other": "h16"}

#: A place with a false claim, and a shortest text that refutes it.
FALSE = [
    pytest.param("rfc3986", HOST | {"without": "#?:@"}, "/", id="slash-ends-the-host"),
    pytest.param("rfc3986", HOST | {"without": "#?/@"}, ":", id="colon-ends-the-host"),
    pytest.param("rfc3986", BARE, "", id="dec-octet-in-a-reg-name"),
    pytest.param("rfc3986", OCTET | {"without": ""}, "0]", id="offset-after-bracket"),
    pytest.param("rfc3986", EMPTY, "#", id="verdicts"),
    pytest.param("rfc3986", ANY, "[", id="accepts"),
    pytest.param("rfc3986", INSIDE, "0", id="other"),
    pytest.param("rfc2396", NONE | {"rule": "delims"}, "#", id="never"),
    pytest.param("rfc3986", PORT | {"proves": "offsets", "without": "/?@#"}, "!", id="offset-of-userinfo"),
    pytest.param("rfc1738", PORT, "", id="suffix"),
    pytest.param("rfc3986", HOST | {"prefix": "http://[h"}, "", id="no-beginning-of-a-url"),
]


@pytest.mark.parametrize(("spec", "twin_place", "text"), FALSE)
def test_a_false_claim_is_refuted(spec, twin_place, text):
    assert counterexample(spec, Place(**twin_place)) == text


@pytest.mark.parametrize(
    ("spec", "twin_place"),
    [("rfc3986", OCTET), ("rfc3986", HOST), ("rfc2396", NAME), ("rfc2396", NONE)],
    ids=["octet", "host", "name", "none"],
)
def test_a_true_claim_has_no_counterexample(spec, twin_place):
    assert counterexample(spec, Place(**twin_place)) is None


def test_an_end_that_the_suffix_can_follow_is_refuted():
    """`1.2.3` is no IPv4address, and no URL goes on with `.x`; but it goes wrong only at the x."""
    end = {
        "rule": "IPv4address",
        "prefix": "http://[::7:",
        "begin": "1.2.3",
        "longest": 5,
        "proves": "offsets",
    }
    assert counterexample("rfc3986", Place(**end, suffix="x]/")) is None
    assert counterexample("rfc3986", Place(**end, suffix=".x]/")) == "1.2.3"


AUTHORITY_FILE = "rfc3986/A-authority.json"
TWO = msgspec.convert({"places": {"rfc3986": (OCTET, HOST)}, "missing": {}}, Places)


@pytest.fixture
def small_corpus(tmp_path: Path) -> Path:
    """A corpus with the first vectors of dec-octet and host."""
    root = tmp_path / "corpus"
    for name in ("paragraphs.json", "rulings.json", "classes.json", "flags.json"):
        root.mkdir(exist_ok=True)
        shutil.copy(corpus_dir() / name, root)
    shutil.copytree(corpus_dir() / "requirements", root / "requirements")
    document = json.loads((corpus_dir() / AUTHORITY_FILE).read_bytes())
    remaining = [vector for vector in document["vectors"] if vector.get("rule") in ("dec-octet", "host")]
    (root / "rfc3986").mkdir()
    (root / AUTHORITY_FILE).write_text(canonical_text(document | {"vectors": remaining}), "ascii")
    return root


@pytest.fixture
def run(small_corpus, monkeypatch) -> Callable[..., Any]:
    """Return a function that runs `urlconform vectors twins` on that corpus, with these places."""

    def twin(*options: str, places=(OCTET, HOST), missing=()) -> Any:
        listed = {"places": {"rfc3986": places}, "missing": {"rfc3986": {"a delimiter": missing}}}
        monkeypatch.setattr(twins, "read_places", lambda: msgspec.convert(listed, Places))
        arguments = ["twins", "--vectors", str(small_corpus), *options]
        return CliRunner().invoke(vectors, arguments, standalone_mode=False)

    return twin


@pytest.fixture
def derived_twins(small_corpus):
    """The twins of the small corpus, which are not written yet."""
    return derive(load(small_corpus), TWO)


def test_each_vector_has_a_twin_or_is_listed_without_one(small_corpus, derived_twins):
    assert derived_twins.covered
    assert derived_twins.missing
    assert {*derived_twins.covered, *derived_twins.missing} == {
        case.vector.id for case in originals(load(small_corpus))
    }


def test_twins_that_are_not_written_are_stale(derived_twins, run):
    stale = run(missing=derived_twins.missing)
    assert "1 files differ" in stale.stderr
    first_missing, *_ = derived_twins.missing
    assert f"{first_missing}: a delimiter" in stale.stdout
    assert stale.return_value == Exit.FAILED


@pytest.fixture
def written_twins(small_corpus, derived_twins, run):
    """The twins of the small corpus by id, which are written now."""
    assert run("--write", missing=derived_twins.missing).return_value == Exit.PASSED
    return {case.vector.id: case.vector for case in load(small_corpus).cases if case.vector.origin == "twin"}


def test_every_twin_is_written(derived_twins, written_twins):
    assert written_twins.keys() == set(derived_twins.covered.values())


def test_a_twin_asks_for_the_text_in_a_whole_url(written_twins):
    assert written_twins["rfc3986-A-host-ipv4-twin"].url == "http://1.2.3.4/"


@pytest.mark.usefixtures("written_twins")
def test_twins_that_are_written_are_not_stale(derived_twins, run):
    assert run(missing=derived_twins.missing).return_value == Exit.PASSED


@pytest.mark.usefixtures("written_twins")
def test_lint_reports_nothing_of_written_twins(small_corpus):
    errors = lint_vectors(small_corpus, {})
    assert [error for error in errors if "twin" in error.case or "twin" in error.file] == []


FTP_HOST = HOST | {"prefix": "ftp://"}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("places", "code"),
    [
        pytest.param((OCTET, FTP_HOST, HOST), Exit.PASSED, id="new-place-before-the-old-one"),
        pytest.param((OCTET, FTP_HOST), Exit.FAILED, id="old-place-gone"),
    ],
)
@pytest.mark.usefixtures("written_twins")
def test_a_written_twin_keeps_its_question_while_its_place_stands(derived_twins, run, places, code):
    assert run(places=places, missing=derived_twins.missing).return_value == code


@pytest.mark.parametrize(
    ("places", "message"),
    [
        pytest.param((OCTET, HOST | {"without": ""}), "is false for", id="false-claim"),
        pytest.param((OCTET, HOST), "it has no twin, and places.json gives no reason", id="no-reason"),
    ],
)
def test_a_false_claim_or_a_missing_reason_stops_the_writing(small_corpus, run, places, message):
    done = run("--write", places=places)
    assert message in done.stderr
    assert done.return_value == Exit.INVALID_FILE
    assert not list(small_corpus.glob("rfc*/*-twins.json"))


def test_a_human_made_vector_takes_the_place_of_a_twin(small_corpus):
    path = small_corpus / AUTHORITY_FILE
    document = json.loads(path.read_bytes())
    human_vector = {
        **document["vectors"][0],
        "id": "rfc3986-A-host-own",
        "rule": "URI-reference",
        "url": "http://1.2.3.4/",
        "expect": VALID,
    }
    path.write_text(canonical_text(document | {"vectors": [*document["vectors"], human_vector]}), "ascii")
    derived = derive(load(small_corpus), TWO)
    assert derived.covered["rfc3986-A-host-ipv4"] == "rfc3986-A-host-own"
    assert "rfc3986-A-host-ipv4-twin" not in derived.files["rfc3986/A-twins.json"]
