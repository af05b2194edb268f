"""Faults planted in a copy of the corpus: lint names the file and the case of each."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from urlauthor.lint.lock import lint_lock
from urlauthor.lint.vectors import (
    NOT_IN_EXPLANATIONS,
    NOWHERE,
    ORDERS,
    Citable,
    lint_vector,
    lint_vectors,
    lint_words,
)
from urlharness.corpus.export import canonical_text
from urlharness.corpus.model import Expected, Requirement, Vector, corpus_dir
from urlharness.corpus.rfctext import read_texts
from urlharness.corpus.specifications import SPECS

FTP = "rfc1738/3.2.2-url-path.json"
NORMAL = "rfc1808/5.1-normal.json"
ABNORMAL = "rfc2396/C.2-abnormal.json"
CATALOGUE = "requirements/rfc1808.json"
JOINED = "rfc1738-2.2-octet-char"  # a page break cuts its paragraph

Document = dict[str, Any]
#: Changes a document and gives the id of the entry that lint has to name.
Change = Callable[[Document], str]


@pytest.fixture(scope="module")
def small_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of the corpus that is a corpus of its own: three files, and the requirements they cite."""
    root = tmp_path_factory.mktemp("small")
    for name in ("paragraphs.json", "rulings.json"):
        shutil.copy(corpus_dir() / name, root)
    cited = {"rfc1808-5.2-empty", JOINED}
    for name in (FTP, NORMAL, ABNORMAL):
        (root / name).parent.mkdir()
        shutil.copy(corpus_dir() / name, root / name)
        cited |= {vector["requirement"] for vector in entries(json.loads((root / name).read_bytes()))}
    (root / "requirements").mkdir()
    for spec in SPECS:
        document = json.loads((corpus_dir() / "requirements" / f"{spec}.json").read_bytes())
        first, *_ = entries(document)
        cited_entries = [entry for entry in entries(document) if entry["id"] in cited] or [first]
        text = canonical_text(document | {"requirements": cited_entries})
        (root / "requirements" / f"{spec}.json").write_text(text, "ascii")
    assert lint_vectors(root, {}) == []
    return root


@pytest.fixture
def root(small_corpus: Path, tmp_path: Path) -> Path:
    """A copy of that part, to plant faults in."""
    return Path(shutil.copytree(small_corpus, tmp_path / "corpus"))


def entries(document: Document) -> list[Document]:
    """Return the vectors or requirements of a document."""
    return document["vectors" if "vectors" in document else "requirements"]


def put(first: str | None = None, /, **fields: Any) -> Change:
    """Return a change that sets fields of the first entry, or of the first of an operation.

    None takes a field away.
    """

    def change(document: Document) -> str:
        entry = next(entry for entry in entries(document) if first in (None, entry.get("op")))
        entry |= fields
        for name in [name for name, content in fields.items() if content is None]:
            entry.pop(name, None)
        return entry["id"]

    return change


def again(first: str | None = None, /, **fields: Any) -> Change:
    """Return a change that adds the first entry, or the first of an operation, again with other fields."""

    def change(document: Document) -> str:
        entry = next(entry for entry in entries(document) if first in (None, entry.get("op")))
        entries(document).append(entry | fields)
        return entries(document)[-1]["id"]

    return change


TWO = [{"result": "http://a/../g"}, {"result": "http://a/g", "variant": "excess-dropped"}]
BAD = {"valid": False}

FAULTS = [
    pytest.param(NORMAL, put(surplus=1), "'surplus' was unexpected", id="unknown-field"),
    pytest.param(NORMAL, put(level="perhaps"), "'perhaps' is not one of", id="unknown-level"),
    pytest.param(NORMAL, put(op="guess"), "'guess' is not one of", id="unknown-operation"),
    pytest.param(NORMAL, put(binding=None), "'binding' is a required property", id="missing-field"),
    pytest.param(NORMAL, put(base=None), "'base' is a required property", id="missing-input"),
    pytest.param(NORMAL, put(expect={}), "$.vectors[0].expect", id="no-answer"),
    pytest.param(NORMAL, put(expect={"result": "g:h", "valid": True}), ".expect", id="two-answers-in-one"),
    pytest.param(NORMAL, put(id="rfc1808-5.1-Capital"), "does not match", id="form-of-id"),
    pytest.param(NORMAL, put(ruling="R-1"), "does not match", id="form-of-ruling"),
    pytest.param(NORMAL, put(base={"hex": "0"}), ".base", id="half-an-octet"),
    pytest.param(NORMAL, put(base="http://\ud800/"), "a lone surrogate", id="lone-surrogate"),
    pytest.param(
        NORMAL, put(requirement="rfc1808-5.1-nope"), "unknown requirement", id="unknown-requirement"
    ),
    pytest.param(NORMAL, put(requirement="rfc1808-5.2-empty"), "belongs to section 5.2", id="of-elsewhere"),
    pytest.param(NORMAL, put(id="rfc1808-5.2-g"), "does not begin with rfc1808-5.1-", id="section-in-id"),
    pytest.param(NORMAL, put(rule="URL"), "resolve takes no rule", id="foreign-input"),
    pytest.param(NORMAL, put(embedded="a:b"), "resolve takes no embedded", id="layer-of-another-question"),
    pytest.param(NORMAL, put(expect={"base": None}), "cannot be answered", id="base-for-a-result"),
    pytest.param(NORMAL, put(expect={"components": {"path": ""}}), "cannot be answered", id="foreign-answer"),
    pytest.param(
        NORMAL,
        put(expect={"any": TWO}),
        "binding required does not allow several answers",
        id="several-but-required",
    ),
    pytest.param(
        NORMAL, put(binding="permitted-set", ruling="G-01"), "needs several answers", id="set-of-one"
    ),
    pytest.param(NORMAL, put(binding="unspecified", ruling=None), "needs a ruling", id="no-ruling"),
    pytest.param(NORMAL, again(), "id already used in rfc1808/5.1-normal.json", id="repeated-id"),
    pytest.param(
        NORMAL, again(id="rfc1808-5.1-twin"), "asks the same as rfc1808-5.1-", id="repeated-question"
    ),
    pytest.param(
        FTP,
        again("validate", profile="generic", id="rfc1738-3.2.2-twin"),
        "asks the same",
        id="default-profile-spelled-out",
    ),
    pytest.param(
        ABNORMAL, put(expect={"any": TWO[::-1]}), "must not name a variant", id="variant-on-first-answer"
    ),
    pytest.param(
        ABNORMAL,
        put(expect={"any": TWO}, binding="literal-only"),
        "the variant name literal",
        id="no-literal",
    ),
    pytest.param(FTP, put("validate", expect=BAD), "needs the offset", id="no-offset"),
    pytest.param(
        FTP,
        put("validate", expect=BAD | {"at": 999}),
        "is after the end of the text",
        id="offset-after-the-end",
    ),
    pytest.param(FTP, put("validate", expect={"valid": True, "at": 1}), "no bad character", id="valid-at"),
    pytest.param(CATALOGUE, put(digest="0" * 12), "has digest", id="wrong-digest"),
    pytest.param(CATALOGUE, put(digest="xyz"), "does not match", id="form-of-digest"),
    pytest.param(CATALOGUE, put(paragraph=99), "no paragraph 99", id="no-such-paragraph"),
    pytest.param(
        CATALOGUE, put(section="5.9", id="rfc1808-5.9-x", paragraph=1), "no paragraph 1", id="no-section"
    ),
    pytest.param(CATALOGUE, put(id="rfc1808-9.9-x"), "does not begin with", id="section-in-requirement"),
    pytest.param(CATALOGUE, put(statement=""), ".statement", id="empty-statement"),
    pytest.param(CATALOGUE, put(testable="no", reason="", ruling="G-01"), ".reason", id="empty-reason"),
    pytest.param(CATALOGUE, again(), "id used twice", id="repeated-requirement"),
]


def problems_of_a_vector_of_ftptype(name: str) -> list[str]:
    """Return what lint says of a vector with this id that cites `ftptype` of RFC 1738, section 5."""
    requirements = {
        entry["id"]: msgspec.convert(entry, Requirement)
        for entry in entries(json.loads((corpus_dir() / "requirements/rfc1738.json").read_bytes()))
    }
    vector = Vector(
        id=name,
        requirement="rfc1738-5-bnf-ftptype",
        level="grammar",
        op="validate",
        rule="ftptype",
        url="A",
        expect=Expected(valid=True),
        binding="required",
    )
    return list(lint_vector("rfc1738", "5", "5-ftp.json", vector, Citable(requirements, None)))


def test_a_vector_that_cites_a_production_may_have_the_section_of_its_prose_in_its_id() -> None:
    """Section 3.2.2 tells what the typecode means."""
    assert problems_of_a_vector_of_ftptype("rfc1738-3.2.2-p") == []


@pytest.mark.parametrize("name", ["rfc1738-9.9-p", "rfc1808-5.1-p"], ids=["no-section", "other-rfc"])
def test_a_vector_that_cites_a_production_has_no_other_section_in_its_id(name: str) -> None:
    assert problems_of_a_vector_of_ftptype(name) == ["the id does not begin with rfc1738-5-"]


def change_file(root: Path, name: str, change: Change) -> str:
    """Change a file of the corpus, and return the id of the entry that lint has to name."""
    document = json.loads((root / name).read_bytes())
    case = change(document)
    (root / name).write_text(
        canonical_text(document) if _ordered(document) else json.dumps(document), "ascii"
    )
    return case


def _ordered(document: Document) -> bool:
    """Tell whether a document can be written in canonical form, which has no fields that no schema knows."""
    return not any("surplus" in entry for entry in entries(document))


@pytest.mark.parametrize(("name", "change", "words"), FAULTS)
def test_a_planted_fault_is_reported_with_its_file_and_case(root, name, change, words):
    case = change_file(root, name, change)
    errors = lint_vectors(root, {})
    assert {(error.file, error.case) for error in errors if words in error.message} == {(name, case)}
    other_files = {error.file for error in errors} - {name}
    assert other_files <= {NORMAL}  # its vectors cite the entries of the catalogue, which a fault can remove


@pytest.fixture
def cited_untestable(root: Path) -> Document:
    """A vector whose requirement is marked untestable, without a reason."""
    vector, *_ = json.loads((root / NORMAL).read_bytes())["vectors"]

    def change(document: Document) -> str:
        (entry,) = [entry for entry in entries(document) if entry["id"] == vector["requirement"]]
        entry["testable"] = "no"
        entry.pop("reason", None)
        return entry["id"]

    change_file(root, CATALOGUE, change)
    return vector


def test_an_untestable_requirement_without_a_reason_is_reported(root, cited_untestable):
    problems = {(error.file, error.case, error.message) for error in lint_vectors(root, {})}
    requirement = cited_untestable["requirement"]
    assert (CATALOGUE, requirement, "untestable, but `reason` is missing") in problems


def test_a_vector_of_an_untestable_requirement_is_reported(root, cited_untestable):
    problems = {(error.file, error.case, error.message) for error in lint_vectors(root, {})}
    message = f"requirement {cited_untestable['requirement']} is marked untestable"
    assert (NORMAL, cited_untestable["id"], message) in problems


def _not_json(path: Path) -> None:
    path.write_text(path.read_text("ascii")[:-20], "ascii")


def _not_utf8(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"title", b"t\xfftle"))


def _other_form(path: Path) -> None:
    path.write_text(json.dumps(json.loads(path.read_bytes())), "ascii")


def _other_order(path: Path) -> None:
    document = json.loads(path.read_bytes())
    entries(document)[0] = dict(reversed(entries(document)[0].items()))
    path.write_text(json.dumps(document, indent=1) + "\n", "ascii")


def _list(path: Path) -> None:
    path.write_text("[]\n", "ascii")


def _no_object(path: Path) -> None:
    document = json.loads(path.read_bytes())
    entries(document)[0] = "g:h"
    path.write_text(json.dumps(document), "ascii")


def _other_folder(path: Path) -> None:
    path.write_text(path.read_text("ascii").replace('"spec": "rfc1808"', '"spec": "rfc2396"'), "ascii")


def _other_section(path: Path) -> None:
    path.write_text(path.read_text("ascii").replace('"section": "5.1"', '"section": "5.2"'), "ascii")


FILE_FAULTS = [
    pytest.param(NORMAL, _not_json, "not JSON", id="cut"),
    pytest.param(NORMAL, _not_utf8, "not JSON", id="not-utf-8"),
    pytest.param(NORMAL, _other_form, "not in canonical form", id="one-line"),
    pytest.param(NORMAL, _other_order, "not in canonical form", id="order-of-keys"),
    pytest.param(NORMAL, _list, "$: [] is not of type 'object'", id="a-list"),
    pytest.param(NORMAL, _no_object, "vectors[0]: $.vectors[0]: 'g:h' is not of type 'object'", id="a-text"),
    pytest.param(NORMAL, _other_folder, "must be in the folder rfc2396", id="other-folder"),
    pytest.param(NORMAL, _other_section, "does not begin with section 5.2", id="other-section"),
    pytest.param(CATALOGUE, _not_json, "not JSON", id="catalogue-cut"),
    pytest.param(CATALOGUE, Path.unlink, "the catalogue is missing", id="catalogue-missing"),
    pytest.param("paragraphs.json", Path.unlink, "no paragraph index", id="index-missing"),
    pytest.param("paragraphs.json", _not_json, "no paragraph index", id="index-cut"),
    pytest.param("paragraphs.json", _list, "no paragraph index", id="index-of-another-shape"),
]


@pytest.mark.parametrize(("name", "fault", "words"), FILE_FAULTS)
def test_a_broken_file_of_vectors_catalogue_or_index_is_named(root, name, fault, words):
    fault(root / name)
    errors = [error for error in lint_vectors(root, {}) if words in str(error)]
    assert {error.file for error in errors} == {name}


def _wrong_digest_of_a_joined_paragraph(root: Path) -> None:
    """A digest that fits the index: the index alone cannot tell the digest of several paragraphs."""
    path = root / "requirements/rfc1738.json"
    document = json.loads(path.read_bytes())
    (entry,) = [entry for entry in entries(document) if entry["id"] == JOINED]
    assert len(entry["paragraph"]) == 2
    entry["digest"] = "0" * 12
    path.write_text(canonical_text(document), "ascii")


def _change_index(root: Path, change: Callable[[Document], None]) -> None:
    path = root / "paragraphs.json"
    index = json.loads(path.read_bytes())
    change(index)
    path.write_text(canonical_text(index), "ascii")


def _one_digest_too_many(root: Path) -> None:
    _change_index(root, lambda index: index["rfc1808"]["5.1"]["digests"].append("0" * 12))


def _section_that_the_rfc_does_not_have(root: Path) -> None:
    _change_index(root, lambda index: index["rfc1808"].update({"5.9": {"title": "More", "digests": []}}))


TEXT_FAULTS = [
    pytest.param(
        _wrong_digest_of_a_joined_paragraph,
        "requirements/rfc1738.json",
        JOINED,
        id="digest-of-a-joined-paragraph",
    ),
    pytest.param(_one_digest_too_many, "paragraphs.json", "rfc1808 5.1", id="one-digest-too-many"),
    pytest.param(_section_that_the_rfc_does_not_have, "paragraphs.json", "rfc1808 5.9", id="unknown-section"),
]


@pytest.mark.parametrize(("fault", "name", "case"), TEXT_FAULTS)
def test_digests_and_sections_are_recomputed_from_the_texts(root, rfc_dir, fault, name, case):
    fault(root)
    errors = lint_vectors(root, read_texts(rfc_dir, SPECS))
    assert {(error.file, error.case) for error in errors} == {(name, case)}


def test_without_the_texts_the_digest_of_a_joined_paragraph_is_not_checked(root):
    _wrong_digest_of_a_joined_paragraph(root)
    assert lint_vectors(root, {}) == []


def test_without_the_texts_an_index_that_is_not_the_released_one_is_reported(root):
    _section_that_the_rfc_does_not_have(root)
    assert [(error.file, error.case) for error in lint_vectors(root, {})] == [("paragraphs.json", "rfc1808")]


#: A text with everything that a statement of fact has not.
ORDERING_TEXT = "This checks that the parser should maybe reject the thing!"

WORDED = [
    pytest.param(
        NORMAL, {"comment": ORDERING_TEXT}, "comment: 'This checks' is not a statement of fact", id="comment"
    ),
    pytest.param(
        CATALOGUE,
        {"statement": ORDERING_TEXT},
        "statement: 'This checks' is not a statement of fact",
        id="statement",
    ),
    pytest.param(
        CATALOGUE, {"testable": "client", "reason": "Reject it."}, "'Reject' is an order", id="reason"
    ),
    pytest.param(
        "flags.json",
        {"statement": ORDERING_TEXT},
        "statement: 'This checks' is not a statement of fact",
        id="flag",
    ),
    pytest.param(
        "flags.json",
        {"effect": "You see."},
        "effect: 'You' is not a statement of fact",
        id="effect-of-a-flag",
    ),
]


@pytest.mark.parametrize(("name", "fields", "words"), WORDED)
def test_the_words_of_every_field_are_checked(part, change, name, fields, words):
    case = change(part / name, **fields)
    problems = [*lint_vectors(part, {}), *lint_lock(part)]
    assert (name, case) in {(problem.file, problem.case) for problem in problems if words in problem.message}


def test_the_title_of_a_file_is_read(part):
    document = json.loads((part / NORMAL).read_bytes()) | {"title": "TODO: name it"}
    (part / NORMAL).write_text(canonical_text(document), "ascii")
    assert [str(error) for error in lint_vectors(part, {})] == [
        f"{NORMAL}: title: 'TODO' is not a statement of fact (hedge, appeal to the reader or note)"
    ]


#: A text, and whether a comment and a statement may say it.
TEXTS = [
    pytest.param("The slash ends the host.", True, True, id="fact"),
    pytest.param("It might still be user information.", True, True, id="possibility"),
    pytest.param("Two dots are no segment that may be removed.", True, True, id="permission"),
    pytest.param("A client should fold the scheme.", False, True, id="obligation-of-an-rfc"),
    pytest.param("A port, possibly empty.", False, True, id="doubt-of-an-rfc"),
    pytest.param("The grammar probably means this.", False, False, id="doubt"),
    pytest.param("Probably the grammar means this.", False, False, id="doubt-in-front"),
    pytest.param("It seems valid.", False, False, id="seems"),
    pytest.param("Obviously invalid.", False, False, id="emphasis"),
    pytest.param("Tests that the host is empty.", False, False, id="about-the-test"),
    pytest.param("This verifies the port.", False, False, id="about-the-vector"),
    pytest.param("A test of the port.", True, True, id="test-as-a-noun"),
    pytest.param("Make sure it is refused.", False, False, id="make-sure"),
    pytest.param("Reject the empty host.", False, True, id="order"),
    pytest.param("The host is empty; refuse it.", True, True, id="no-capital"),
    pytest.param("The host is empty. Refuse it.", False, True, id="order-in-a-second-sentence"),
    pytest.param("Rejected by the grammar.", True, True, id="participle"),
    pytest.param("It is wrong!", False, False, id="exclamation"),
    pytest.param("The characters $ - _ . + ! * ' are safe.", True, True, id="exclamation-mark-as-data"),
    pytest.param("The text a!b is a path.", True, True, id="exclamation-mark-in-a-url"),
    pytest.param('The path is "/maybe/should".', True, True, id="quoted"),
    pytest.param("The path is `/you/must`.", True, True, id="in-backticks"),
    pytest.param("As you like it.", False, False, id="to-the-reader"),
    pytest.param("A seemly, justified, unlikely mustard.", True, True, id="parts-of-words"),
]


@pytest.mark.parametrize(("text", "as_comment", "as_statement"), TEXTS)
def test_a_comment_is_reported_if_it_may_not_say_its_text(text, as_comment, as_statement):
    problems = list(lint_words("comment", text, explains=True))
    assert (problems == []) is as_comment


@pytest.mark.parametrize(("text", "as_comment", "as_statement"), TEXTS)
def test_a_statement_is_reported_if_it_may_not_say_its_text(text, as_comment, as_statement):
    problems = list(lint_words("statement", text, explains=False))
    assert (problems == []) is as_statement


@pytest.mark.parametrize("word", [word for word in (*NOWHERE, *NOT_IN_EXPLANATIONS) if "(" not in word])
def test_every_word_of_the_lists_is_reported_where_a_text_explains(word):
    written = word.replace("?", "")  # with the letter that the pattern makes optional
    problems = list(lint_words("x", f"So {written} it is.", explains=True))
    assert problems == [f"x: {written!r} is not a statement of fact (hedge, appeal to the reader or note)"]


@pytest.mark.parametrize(
    ("word", "reported"),
    [
        *((word, True) for word in NOWHERE if "(" not in word),
        *((word, False) for word in NOT_IN_EXPLANATIONS if "(" not in word),
    ],
)
def test_only_words_that_may_stand_nowhere_are_reported_where_a_text_states(word, reported):
    problems = list(lint_words("x", f"So {word.replace('?', '')} it is.", explains=False))
    assert bool(problems) is reported


@pytest.mark.parametrize("word", ORDERS)
def test_every_order_is_reported_where_a_text_explains(word):
    """`Expect` is reported as a hedge too."""
    problems = list(lint_words("x", f"{word} it.", explains=True))
    assert f"x: {word!r} is an order, not a statement of fact" in problems


@pytest.mark.parametrize("word", ORDERS)
def test_no_order_is_reported_where_a_text_states(word):
    assert list(lint_words("x", f"{word} it.", explains=False)) == []
