"""Faults planted in classes and differences: lint names the file and the case of each."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from urlauthor.lint.differences import differ, lint_differences
from urlharness.corpus.export import canonical_text
from urlharness.corpus.model import Expected, corpus_dir

TABLE = "classes.json"
VARYING = "differences/query-only.json"
STEADY = "differences/backslash.json"
VECTORS = "rfc2396/C.1-normal.json"

Document = dict[str, Any]
#: Changes a document and gives the id of the entry that lint has to name.
Change = Callable[[Document], str]


def entries(document: Document) -> list[Document]:
    """Return the classes, differences or vectors of a document."""
    return next(document[kind] for kind in ("classes", "differences", "vectors") if kind in document)


def write(path: Path, document: Document) -> None:
    """Write a document in canonical form."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(canonical_text(document), "ascii")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A part of the corpus: two classes, their files, and a file of vectors; no documents stand beside it."""
    root = tmp_path / "corpus"
    for name in (VARYING, STEADY, VECTORS, "paragraphs.json", "rulings.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(corpus_dir() / name, root / name)
    table = json.loads((corpus_dir() / TABLE).read_bytes())
    cited_classes = {"query-only", "backslash", *classes_of(root / VECTORS)}
    remaining = [entry for entry in entries(table) if entry["id"] in cited_classes]
    write(root / TABLE, table | {"classes": remaining})
    for name in cited_classes:
        shutil.copy(corpus_dir() / "differences" / f"{name}.json", root / "differences")
    assert lint_differences(root) == []
    return root


def classes_of(path: Path) -> set[str]:
    """Return the classes of the vectors in a file."""
    return {entry["class"] for entry in entries(json.loads(path.read_bytes())) if "class" in entry}


def put(number: int = 0, /, **fields: Any) -> Change:
    """Return a change that sets fields of an entry; None takes a field away, and `class_` is `class`."""

    def change(document: Document) -> str:
        entry = entries(document)[number]
        entry |= {name.rstrip("_"): content for name, content in fields.items()}
        for name in [name for name, content in fields.items() if content is None]:
            del entry[name]
        return entry["id"]

    return change


def side(spec: str, /, **fields: Any) -> Change:
    """Return a change that sets fields of what one RFC says to the first question."""

    def change(document: Document) -> str:
        entry = entries(document)[0]
        entry["answers"][spec] |= fields
        return entry["id"]

    return change


def reason(text: str) -> Change:
    """Return a change by which RFC 1738 defines no answer to the first question, for that reason."""

    def change(document: Document) -> str:
        entry = entries(document)[0]
        entry["answers"]["rfc1738"] = {"undefined": True, "reason": text, "section": "1"}
        return entry["id"]

    return change


def again(**fields: Any) -> Change:
    """Return a change that adds the first entry once more, with some fields changed."""

    def change(document: Document) -> str:
        entries(document).append(entries(document)[0] | fields)
        return entries(document)[-1]["id"]

    return change


def without(spec: str) -> Change:
    """Return a change that takes away what one RFC says to the first question."""

    def change(document: Document) -> str:
        entry = entries(document)[0]
        del entry["answers"][spec]
        return entry["id"]

    return change


def sections(spec: str, *named: str) -> Change:
    """Return a change that sets the sections of one RFC in the first class."""

    def change(document: Document) -> str:
        entry = entries(document)[0]
        entry["sections"][spec] = list(named)
        return entry["id"]

    return change


def without_sections(spec: str) -> Change:
    """Return a change that removes the sections of one RFC from the first class."""

    def change(document: Document) -> str:
        entry = entries(document)[0]
        del entry["sections"][spec]
        return entry["id"]

    return change


def as_rfc3986(document: Document) -> str:
    """Give every RFC that answers at all the answer of RFC 3986."""
    for entry in entries(document):
        for answer in entry["answers"].values():
            if "expect" in answer:
                answer["expect"] = entry["answers"]["rfc3986"]["expect"]
    return ""


def of_file(change: Change) -> Change:
    """Return a change that does the same, and of which lint names the file, but no entry."""

    def change_without_entry(document: Document) -> str:
        change(document)
        return ""

    return change_without_entry


def of_class(name: str) -> Change:
    """Return a change by which the file is that of a class."""

    def change(document: Document) -> str:
        document["class"] = name
        return ""

    return change


TWO = [{"result": "http://a/b/c/d;p?y"}, {"result": "http://a/b/c/?y"}]
NAMED = [{**TWO[0], "variant": "first"}, {**TWO[1], "variant": "second"}]
BAD = {"valid": False}

FAULTS = [
    pytest.param(TABLE, put(surplus=1), "'surplus' was unexpected", id="unknown-field"),
    pytest.param(TABLE, put(flags=["odd"]), "'odd' is not one of", id="unknown-flag"),
    pytest.param(TABLE, put(statement=None), "'statement' is a required property", id="missing-field"),
    pytest.param(TABLE, put(title="\ud800"), "a lone surrogate", id="lone-surrogate"),
    pytest.param(TABLE, again(number=999), "used twice", id="repeated-class"),
    pytest.param(TABLE, again(id="twin"), "number 2 used twice", id="repeated-number"),
    pytest.param(TABLE, sections("rfc3986", "3.9"), "rfc3986 has no section 3.9", id="section-of-class"),
    pytest.param(TABLE, without_sections("rfc1808"), "no entry for rfc1808", id="class-without-an-rfc"),
    pytest.param(TABLE, put(rulings=["R-1738-99"]), "there is no ruling R-1738-99", id="ruling-of-class"),
    pytest.param(TABLE, again(id="fresh", number=999), "no differences/fresh.json", id="class-without-file"),
    pytest.param(VECTORS, put(class_="fresh"), "unknown class fresh", id="class-of-a-vector"),
    pytest.param(
        VARYING, of_class("backslash"), "its name is not backslash.json", id="file-of-another-class"
    ),
    pytest.param(VARYING, of_class("fresh"), "unknown class fresh", id="file-of-no-class"),
    pytest.param(VARYING, put(op="decode"), "'decode' is not one of", id="unknown-operation"),
    pytest.param(VARYING, put(base=None), "'base' is a required property", id="missing-input"),
    pytest.param(VARYING, without("rfc2732"), "there is no entry for rfc2732", id="missing-answer"),
    pytest.param(VARYING, side("rfc1808", reason="x"), ".answers.rfc1808", id="reason-of-an-answer"),
    pytest.param(VARYING, side("rfc1738", expect=BAD), ".answers.rfc1738", id="answer-and-none"),
    pytest.param(VARYING, side("rfc1808", section="5.9"), "no section 5.9", id="section-of-answer"),
    pytest.param(VARYING, side("rfc2396", ruling="G-99"), "there is no ruling G-99", id="ruling-of-answer"),
    pytest.param(VARYING, put(rule="nosuchrule"), "rfc3986 has no rule nosuchrule", id="unknown-rule"),
    pytest.param(
        VARYING, put(note="It should be so."), "note: 'should' is not a statement of fact", id="note-hedges"
    ),
    pytest.param(
        STEADY, reason("Maybe none."), "reason: 'Maybe' is not a statement of fact", id="reason-hedges"
    ),
    pytest.param(TABLE, put(effect="Make it so."), "'Make' is an order", id="effect-orders"),
    pytest.param(TABLE, put(title="A thing!"), "title contains '!'", id="title-shouts"),
    pytest.param(
        TABLE, put(statement="Clearly so."), "'Clearly' is not a statement of fact", id="statement-hedges"
    ),
    pytest.param(VARYING, put(id="query-alone"), "does not begin with query-only-", id="class-in-id"),
    pytest.param(VARYING, put(mode="scheme"), "resolve takes no mode", id="foreign-input"),
    pytest.param(VARYING, again(), f"id already used in {VARYING}", id="repeated-id"),
    pytest.param(VARYING, side("rfc3986", expect={"equal": True}), "cannot be answered", id="foreign-answer"),
    pytest.param(
        VARYING, side("rfc3986", expect={"any": NAMED}), "must not name a variant", id="first-is-variant"
    ),
    pytest.param(VARYING, side("rfc3986", expect={"any": TWO}), "needs the name", id="second-is-no-variant"),
    pytest.param(VARYING, as_rfc3986, "the same answer to every difference", id="nothing-varies"),
    pytest.param(
        STEADY,
        of_file(side("rfc1808", expect={"valid": True})),
        "answer backslash-before-at differently",
        id="it-varies",
    ),
    pytest.param(STEADY, side("rfc1808", expect=BAD), "needs the offset", id="no-offset"),
    pytest.param(
        STEADY,
        side("rfc1808", expect=BAD | {"at": 99}),
        "is after the end of the text",
        id="offset-after-the-end",
    ),
    pytest.param(STEADY, put(3, answers={}), "{} should be non-empty", id="no-answers"),
    pytest.param(
        STEADY, side("rfc1808", expect={"valid": True, "at": 1}), "no bad character", id="offset-of-valid"
    ),
]


def change_file(root: Path, name: str, change: Change) -> str:
    """Change a file of the corpus, and return the id of the entry that lint has to name."""
    document = json.loads((root / name).read_bytes())
    case = change(document)
    is_flawless = not any("surplus" in entry for entry in entries(document))
    (root / name).write_text(canonical_text(document) if is_flawless else json.dumps(document), "ascii")
    return case


@pytest.mark.parametrize(("name", "change", "words"), FAULTS)
def test_a_planted_fault_is_reported_with_its_file_and_case(root, name, change, words):
    """A fault of the file itself has no case."""
    case = change_file(root, name, change)
    errors = [error for error in lint_differences(root) if words in error.message]
    assert {(error.file, error.case) for error in errors} == {(name, case)}


def test_an_id_of_another_file_is_reported(root):
    id_of_another_file = entries(json.loads((root / STEADY).read_bytes()))[0]["id"]
    change_file(root, VARYING, put(id=id_of_another_file))
    errors = [error for error in lint_differences(root) if STEADY in error.message]
    assert [(error.file, error.case) for error in errors] == [(VARYING, id_of_another_file)]


def _not_json(path: Path) -> None:
    path.write_text(path.read_text("ascii")[:-20], "ascii")


def _one_line(path: Path) -> None:
    path.write_text(json.dumps(json.loads(path.read_bytes())), "ascii")


def _other_order(path: Path) -> None:
    document = json.loads(path.read_bytes())
    of_rfcs = "sections" if "classes" in document else "answers"
    entry = entries(document)[0]
    entry[of_rfcs] = dict(reversed(entry[of_rfcs].items()))
    path.write_text(json.dumps(document, indent=1) + "\n", "ascii")


def _not_ascii(path: Path) -> None:
    document = json.loads(path.read_bytes())
    entries(document)[0]["title" if "classes" in document else "note"] = "\u00e9"
    path.write_text(canonical_text(document).replace("\\u00e9", "\u00e9"), "utf-8")


FILE_FAULTS = [
    pytest.param(TABLE, Path.unlink, "the table of classes is missing", id="table-missing"),
    pytest.param(VARYING, _not_json, "not JSON", id="cut"),
    pytest.param(TABLE, _not_json, "not JSON", id="table-cut"),
    pytest.param(VARYING, _one_line, "not in canonical form", id="one-line"),
    pytest.param(VARYING, _other_order, "not in canonical form", id="order-of-rfcs"),
    pytest.param(TABLE, _other_order, "not in canonical form", id="table-order-of-rfcs"),
    pytest.param(VARYING, _not_ascii, "not in canonical form", id="not-ascii"),
    pytest.param(TABLE, _not_ascii, "not in canonical form", id="table-not-ascii"),
]


@pytest.mark.parametrize(("name", "fault", "words"), FILE_FAULTS)
def test_a_broken_file_of_differences_is_reported_with_its_fault(root, name, fault, words):
    fault(root / name)
    problems = [problem for problem in lint_differences(root) if words in problem.message]
    assert {problem.file for problem in problems} == {name}


def test_a_missing_table_of_rulings_is_the_only_error_of_unknown_rulings(root):
    change_file(root, TABLE, put(rulings=["R-1738-99"]))
    (root / "rulings.json").unlink()
    (problem,) = lint_differences(root)
    assert problem.file == "rulings.json"
    assert "no citation of a ruling was checked" in problem.message


def test_a_missing_index_is_not_an_error_of_differences(root):
    """It is reported by `lint`, once."""
    (root / "paragraphs.json").unlink()
    assert lint_differences(root) == []


def test_a_fault_of_a_difference_is_reported_without_an_index(root):
    (root / "paragraphs.json").unlink()
    change_file(root, VARYING, put(id="query-alone"))
    assert [error.case for error in lint_differences(root)] == ["query-alone"]


def test_unreadable_vectors_are_not_an_error_of_differences(root):
    """Another check reports them."""
    _not_json(root / VECTORS)
    assert lint_differences(root) == []


A, B = {"result": "a"}, {"result": "b"}
PARTS = {"scheme": "x", "authority": "h", "path": "/p", "query": None}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(A, A, False, id="same"),
        pytest.param(A, B, True, id="other-result"),
        pytest.param({"any": [A, B]}, A, False, id="same-recommended"),
        pytest.param({"any": [A, B]}, B, True, id="recommended-not-admitted"),
        pytest.param({"any": [A, B]}, {"any": [B, A]}, False, id="both-admitted"),
        pytest.param({"valid": False, "at": 1}, {"valid": False, "at": 2}, False, id="other-offset"),
        pytest.param({"valid": True}, {"valid": False, "at": 2}, True, id="verdict"),
        pytest.param({"valid": False}, A, True, id="rejection-and-result"),
        pytest.param({"valid": False}, {"components": PARTS}, True, id="rejection-and-components"),
        pytest.param({"same_document": True}, A, True, id="same-document-and-result"),
        pytest.param({"equal": False}, {"equal": True}, True, id="equal"),
        pytest.param(
            {"components": PARTS}, {"components": PARTS | {"query": ""}}, True, id="empty-component"
        ),
        pytest.param(
            {"components": PARTS}, {"components": PARTS | {"more": "x"}}, False, id="more-components"
        ),
        pytest.param(
            {"components": PARTS}, {"components": {"net_loc": "g"}}, True, id="net_loc-is-authority"
        ),
        pytest.param(
            {"components": PARTS}, {"components": {"hpath": "p", "search": None}}, False, id="hpath"
        ),
        pytest.param({"components": PARTS}, {"components": {"hpath": None}}, True, id="no-hpath"),
        pytest.param(
            {"components": PARTS}, {"components": {"encoded822addr": "/q"}}, True, id="address-is-path"
        ),
        pytest.param(
            {"components": PARTS}, {"components": {"host": "h", "schemepart": "//h/p"}}, False, id="split"
        ),
    ],
)
@pytest.mark.parametrize("in_order", [True, False], ids=["in-order", "swapped"])
def test_two_answers_differ_as_in_the_table_in_either_order(first, second, expected, in_order):
    left = msgspec.convert(first, Expected)
    right = msgspec.convert(second, Expected)
    differing = differ(left, right) if in_order else differ(right, left)
    assert differing is expected


NOT_TEXT = [
    pytest.param(put(class_=["a"]), id="list-as-class"),
    pytest.param(put(class_={"a": 1}), id="object-as-class"),
    pytest.param(put(id=["a"], class_="fresh"), id="list-as-id"),
]


@pytest.mark.parametrize("broken", NOT_TEXT)
def test_an_id_or_class_of_a_vector_that_is_not_text_is_left_to_the_schema(root, broken):
    change_file(root, VECTORS, broken)
    assert lint_differences(root) == []


MALFORMED = [
    pytest.param('{"vectors": ["a"]}', id="text-as-vector"),
    pytest.param('{"vectors": 1}', id="number-as-vectors"),
    pytest.param("[]", id="list-as-document"),
    pytest.param("{", id="not-json"),
    pytest.param("[" * 100_000, id="nested-too-deeply"),
]


@pytest.mark.parametrize("document", MALFORMED)
def test_a_file_that_is_not_a_file_of_vectors_is_left_to_the_schema(root, document):
    (root / VECTORS).write_text(document, "ascii")
    assert lint_differences(root) == []


def lint_of_class_without_differences(root: Path, **sections: list[str]) -> list[str]:
    """Return what lint says of a class with these sections that has no file of differences."""
    table = json.loads((root / TABLE).read_bytes())
    entry = {**entries(table)[0], "id": "new", "number": 999, "sections": sections}
    write(root / TABLE, table | {"classes": [*entries(table), entry]})
    return [error.message for error in lint_differences(root) if error.case == "new"]


def test_a_class_of_mappings_needs_no_differences(root):
    assert lint_of_class_without_differences(root, rfc3987=["3.2"]) == []


def test_a_class_of_an_rfc_on_urls_needs_differences(root):
    messages = lint_of_class_without_differences(root, rfc3986=["3"], rfc3987=["3.2"])
    assert "there is no differences/new.json" in messages
