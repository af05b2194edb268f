"""New vectors: ids, places and refusals; the claim is written, not the oracle's answer; adopted witnesses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from urlauthor.add import (
    AddError,
    adopt_witnesses,
    draft_vector,
    lint_draft,
    new_id,
    witness_class,
    write_draft,
)
from urlauthor.adequacy.analysis import candidate_vectors
from urlauthor.lint.vectors import lint_vectors
from urlauthor.lock import relock
from urlharness.adequacy.suites import is_witness
from urlharness.cli import cli
from urlharness.corpus.export import canonical_text
from urlharness.corpus.loader import load
from urlharness.corpus.lock import LockError, read_lock, render_lock
from urlharness.corpus.model import corpus_dir
from urlharness.exitcodes import Exit

NORMAL = "rfc1808/5.1-normal.json"
FTP = "rfc1738/3.2.2-url-path.json"
ASKED = {"op": "resolve", "base": "http://a/b", "reference": "new", "expect": {"result": "http://a/new"}}


@pytest.fixture
def requirement(part):
    """The first requirement of RFC 1808, section 5.1, that has vectors."""
    return _first_case(part).vector.requirement


def _first_case(root):
    """Return the first case of RFC 1808, section 5.1."""
    first, *_ = [case for case in load(root).cases if case.file == NORMAL]
    return first


def _vector_of(root, name):
    """Return the vector of a corpus that has this id."""
    (vector,) = [case.vector for case in load(root).cases if case.vector.id == name]
    return vector


def drafted(root, requirement, slug="new", **fields):
    """Return the draft of a vector to resolve, with these fields besides."""
    return draft_vector(root, load(root), {"requirement": requirement, **ASKED, **fields}, slug=slug)


def test_the_id_of_a_new_vector_is_its_place_and_its_slug(part, requirement):
    assert drafted(part, requirement).case.vector.id == "rfc1808-5.1-new"


def test_the_id_of_a_vector_without_a_slug_begins_with_that_of_its_requirement(part, requirement):
    assert drafted(part, requirement, slug="").case.vector.id.startswith(requirement)


@pytest.mark.parametrize(
    ("taken_ids", "expected"),
    [
        pytest.param(set(), "rfc1808-5.1-new", id="free"),
        pytest.param({"rfc1808-5.1-new"}, "rfc1808-5.1-new-2", id="taken"),
        pytest.param({"rfc1808-5.1-new", "rfc1808-5.1-new-2"}, "rfc1808-5.1-new-3", id="taken-twice"),
    ],
)
def test_a_new_id_has_a_number_if_its_slug_is_taken(part, requirement, taken_ids, expected):
    assert new_id(load(part).requirements[requirement], "new", taken_ids) == expected


def test_an_id_of_a_tombstone_is_taken(part):
    document = json.loads((part / NORMAL).read_bytes())
    gone, *remaining = document["vectors"]
    (part / NORMAL).write_text(canonical_text(document | {"vectors": remaining}), "ascii")
    lock = relock(load(part), read_lock(part / "vectors.lock"), reason="gone")
    (part / "vectors.lock").write_text(render_lock(lock), "ascii")
    slug = gone["id"].removeprefix("rfc1808-5.1-")
    first_remaining, *_ = remaining
    draft = drafted(part, first_remaining["requirement"], slug=slug)
    assert draft.case.vector.id == f"{gone['id']}-2"


@pytest.mark.parametrize("slug", ["New", "a--b", "-a", "a-", "a b", "é", "a.b"])
def test_an_invalid_slug_is_refused(part, requirement, slug):
    with pytest.raises(AddError, match="is not a slug"):
        drafted(part, requirement, slug=slug)


def test_the_level_of_a_new_vector_is_that_of_its_requirement(part, requirement):
    assert drafted(part, requirement).case.vector.level == load(part).requirements[requirement].level


def test_a_new_vector_may_have_another_level_than_its_requirement(part, requirement):
    assert drafted(part, requirement, level="note").case.vector.level == "note"


def test_the_answer_of_a_new_vector_is_required(part, requirement):
    assert drafted(part, requirement).case.vector.binding == "required"


NEW_FTP_VECTOR = {"op": "validate", "rule": "ftpurl", "url": "ftp://h/new", "expect": {"valid": True}}


@pytest.fixture
def vectors_of_ftp(part):
    """The vectors of a file of RFC 1738, as it has them."""
    return json.loads((part / FTP).read_bytes())["vectors"]


@pytest.fixture
def requirement_of_ftp(vectors_of_ftp):
    """The requirement that the first of these vectors cites."""
    first, *_ = vectors_of_ftp
    return first["requirement"]


def test_a_new_vector_follows_the_last_one_of_its_requirement(part, vectors_of_ftp):
    """A draft is not written, so each one is made from the same files."""
    loaded = load(part)
    requirements = [vector["requirement"] for vector in vectors_of_ftp]
    assert len(set(requirements)) > 1
    for requirement in set(requirements):
        last = max(number for number, cited in enumerate(requirements) if cited == requirement)
        draft = draft_vector(part, loaded, {"requirement": requirement, **NEW_FTP_VECTOR}, slug="new")
        assert draft.document["vectors"][last + 1]["id"] == "rfc1738-3.2.2-new", requirement


def test_a_new_vector_leaves_the_others_of_its_file_in_order(part, vectors_of_ftp, requirement_of_ftp):
    draft = draft_vector(part, load(part), {"requirement": requirement_of_ftp, **NEW_FTP_VECTOR}, slug="new")
    others = [vector for vector in draft.document["vectors"] if vector["id"] != "rfc1738-3.2.2-new"]
    assert others == vectors_of_ftp


def test_a_new_vector_is_written_to_the_file_of_its_requirement(part, requirement_of_ftp):
    draft = draft_vector(part, load(part), {"requirement": requirement_of_ftp, **NEW_FTP_VECTOR}, slug="new")
    assert draft.path == part / FTP


def test_a_new_vector_is_written_beside_those_about_its_rule(corpus):
    """Two files have vectors of this requirement."""
    question = {"op": "validate", "rule": "scheme", "url": "a*new", "expect": {"valid": False}}
    fields = {"requirement": "rfc3986-3.1-bnf-scheme", **question}
    draft = draft_vector(corpus_dir(), corpus, fields, slug="new")
    assert draft.path == corpus_dir() / "rfc3986/3.1-scheme.json"


def test_the_first_vector_of_a_requirement_follows_earlier_requirements(part):
    """The order of requirements is that of the catalogue."""
    document = json.loads((part / NORMAL).read_bytes())
    first, second, *_ = [name for name in load(part).requirements if name.startswith("rfc1808-5.1-")]
    remaining = [vector for vector in document["vectors"] if vector["requirement"] != second]
    (part / NORMAL).write_text(canonical_text(document | {"vectors": remaining}), "ascii")
    (part / "vectors.lock").unlink()
    draft = drafted(part, second)
    names = [vector["requirement"] for vector in draft.document["vectors"]]
    vectors_of_first = names.count(first)
    assert vectors_of_first
    assert names[: vectors_of_first + 1] == [first] * vectors_of_first + [second]


def test_a_new_file_without_a_title_is_refused(part, requirement):
    with pytest.raises(AddError, match="needs a title"):
        draft_vector(part, load(part), {"requirement": requirement, **ASKED}, file="5.1-more.json")


@pytest.fixture
def draft_in_a_new_file(part, requirement):
    """The draft of a vector in a file that there is not yet."""
    fields = {"requirement": requirement, **ASKED}
    return draft_vector(part, load(part), fields, file="5.1-more.json", title="More")


def test_a_new_file_has_the_section_of_its_requirement_and_the_title(draft_in_a_new_file):
    assert draft_in_a_new_file.document["section"] == "5.1"
    assert draft_in_a_new_file.document["title"] == "More"


def test_lint_reports_nothing_of_a_vector_in_a_new_file(part, draft_in_a_new_file):
    assert lint_draft(part, load(part), draft_in_a_new_file) == []


def test_a_vector_that_was_written_to_a_new_file_is_in_the_corpus(part, draft_in_a_new_file):
    write_draft(part, draft_in_a_new_file)
    assert draft_in_a_new_file.case in load(part).cases


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("../x.json", id="folder-above"),
        pytest.param("/x.json", id="root"),
        pytest.param("a/b.json", id="folder-below"),
        pytest.param("5.1-more.txt", id="no-json"),
    ],
)
def test_only_a_json_file_in_the_folder_of_the_rfc_is_accepted(part, requirement, file):
    with pytest.raises(AddError, match="expected a file in folder"):
        draft_vector(part, load(part), {"requirement": requirement, **ASKED}, file=file, title="x")


REFUSED = [
    pytest.param({"expect": {"valid": True, "result": "x"}}, "exactly one of", id="two-answers"),
    pytest.param({"expect": {"odd": 1}}, "unknown field", id="unknown-answer"),
    pytest.param({"surplus": 1}, "unknown field", id="unknown-field"),
    pytest.param({"level": "odd"}, "Invalid enum value", id="unknown-level"),
    pytest.param({"requirement": "rfc1808-5.1-none"}, "unknown requirement", id="unknown-requirement"),
]


@pytest.mark.parametrize(("fields", "words"), REFUSED)
def test_an_invalid_vector_is_refused(part, requirement, fields, words):
    vector = {"requirement": requirement, **ASKED, **fields}
    with pytest.raises(AddError, match=words):
        draft_vector(part, load(part), vector, slug="new")


def test_a_vector_without_an_input_of_its_operation_is_refused(part, requirement):
    vector = {"requirement": requirement, **ASKED}
    del vector["reference"]
    with pytest.raises(AddError, match=r"^operation resolve needs reference$"):
        draft_vector(part, load(part), vector, slug="new")


REJECTED = {"valid": False, "at": 0, "rules": ["nosuchrule"]}
DOUBTS = [
    pytest.param({"expect": {"base": None}}, "cannot be answered", id="foreign-answer"),
    pytest.param({"rule": "URL"}, "takes no rule", id="foreign-input"),
    pytest.param({"class": "none-such"}, "unknown class none-such", id="unknown-class"),
    pytest.param({"binding": "unspecified"}, "needs a ruling", id="no-ruling"),
    pytest.param({"ruling": "R-1"}, "does not match", id="form-of-ruling"),
    pytest.param({"comment": "x" * 201}, ".comment", id="long-comment"),
    pytest.param(
        {"comment": "It should fail."}, "'should' is not a statement of fact", id="comment-that-obliges"
    ),
    pytest.param({"ruling": "R-3986-99"}, "there is no ruling R-3986-99", id="unknown-ruling"),
    pytest.param({"expect": REJECTED}, "rfc1808 has no rule nosuchrule", id="unknown-open-rule"),
]


@pytest.mark.parametrize(("fields", "words"), DOUBTS)
def test_an_error_that_lint_would_report_is_reported_of_a_draft(part, requirement, fields, words):
    (problem,) = lint_draft(part, load(part), drafted(part, requirement, **fields))
    assert words in problem


def test_a_witness_in_a_new_file_of_other_vectors_is_reported_of_a_draft(part, requirement):
    witness = {"requirement": requirement, **ASKED, "origin": "mutant"}
    corpus = load(part)
    draft = draft_vector(part, corpus, witness, slug="new", file="5.1-more.json", title="More")
    message = "`origin` is mutant, but the file is 5.1-more.json"
    assert len([problem for problem in lint_draft(part, corpus, draft) if message in problem]) == 1


def test_an_unknown_rule_is_reported_of_a_draft(part, requirement):
    vector = {
        "requirement": requirement,
        "op": "parse",
        "rule": "nosuchrule",
        "url": "a:b",
        "expect": {"valid": True},
    }
    corpus = load(part)
    (problem,) = lint_draft(part, corpus, draft_vector(part, corpus, vector, slug="new"))
    assert "rfc1808 has no rule nosuchrule" in problem


def test_a_missing_table_of_rulings_is_reported_of_a_draft(part, requirement):
    (part / "rulings.json").unlink()
    (problem,) = lint_draft(part, load(part), drafted(part, requirement))
    assert "rulings.json: no table" in problem


@pytest.fixture
def file_of_witnesses(part, requirement):
    """A file with a witness that cites the requirement."""
    document = json.loads((part / NORMAL).read_bytes())
    cited_vector, *_ = [vector for vector in document["vectors"] if vector["requirement"] == requirement]
    witness = cited_vector | {"id": "rfc1808-5.1-mutant-x", "origin": "mutant", "reference": "other"}
    path = part / "rfc1808" / "5.1-mutants.json"
    path.write_text(canonical_text(document | {"vectors": [witness]}), "ascii")
    return path


@pytest.mark.usefixtures("file_of_witnesses")
def test_a_new_vector_is_not_written_among_witnesses(part, requirement):
    """A witness cites its requirement, too."""
    assert drafted(part, requirement).path == part / NORMAL


def test_a_new_witness_is_written_among_witnesses(part, requirement, file_of_witnesses):
    draft = drafted(part, requirement, slug="mutant-y", origin="mutant")
    assert draft.path == file_of_witnesses
    assert lint_draft(part, load(part), draft) == []


def test_a_question_that_is_asked_already_is_reported_of_a_draft(part):
    case = _first_case(part)
    draft = drafted(part, case.vector.requirement, base=case.vector.base, reference=case.vector.reference)
    assert lint_draft(part, load(part), draft) == [f"asks the same as {case.vector.id}"]


def test_writing_a_vector_adds_its_entry_to_the_lock(part, requirement):
    before = read_lock(part / "vectors.lock").entries
    write_draft(part, drafted(part, requirement))
    after = read_lock(part / "vectors.lock").entries
    assert after.keys() - before.keys() == {"rfc1808-5.1-new"}


def test_a_corpus_with_a_written_vector_is_that_of_its_lock(part, requirement):
    write_draft(part, drafted(part, requirement))
    assert load(part).version == read_lock(part / "vectors.lock").version


def test_writing_a_vector_locks_no_change_of_another(part, requirement, change):
    """Another change that is not locked yet stays one that lint finds."""
    other_vector = change(part / FTP, level="note")
    before = read_lock(part / "vectors.lock").entries[other_vector]
    write_draft(part, drafted(part, requirement))
    assert read_lock(part / "vectors.lock").entries[other_vector] == before


def arguments(requirement, *options, expect='{"result": "http://a/new"}'):
    """Return the arguments of a command that adds a vector to resolve."""
    citation = ("--requirement", requirement, "--slug", "new")
    question = ("--op", "resolve", "--base", "http://a/b", "--reference", "new")
    return ("add", *citation, *question, "--expect", expect, *options)


def contents(folder):
    """Return the content of every file below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_add_changes_no_file_unless_asked_to_write(part, requirement, authoring):
    before = contents(part)
    assert authoring(*arguments(requirement, "--vectors", part)).code == Exit.PASSED
    assert contents(part) == before


def test_add_says_where_the_vector_would_be_added(part, requirement, authoring):
    ended = authoring(*arguments(requirement, "--vectors", part))
    assert ended.out.endswith(f"rfc1808-5.1-new would be added to {NORMAL} (use --write to add it)\n")


@pytest.fixture
def shown_answers(part, requirement, authoring):
    """The line of `add` with the claim, and the lines with the answers of the five RFCs."""
    _question, claim, *lines = authoring(*arguments(requirement, "--vectors", part)).out.splitlines()
    return claim, lines[:5]


def test_add_shows_the_claim_above_the_answers(shown_answers):
    claim, _answers = shown_answers
    assert claim.split() == ["claimed", "'http://a/new'"]


def test_add_shows_the_answer_of_every_rfc_and_marks_its_own(shown_answers):
    _claim, answers = shown_answers
    width = len("> rfc1738")
    names = [line[:width] for line in answers]
    assert names == ["  rfc1738", "> rfc1808", "  rfc2396", "  rfc2732", "  rfc3986"]


def test_add_says_which_rfcs_answer_as_claimed(shown_answers):
    """RFC 1738 defines no resolution."""
    _claim, (of_rfc1738, *of_later_rfcs) = shown_answers
    assert "no answer" in of_rfc1738
    assert [line for line in of_later_rfcs if "as claimed" not in line] == []


FALSE_CLAIM = '{"result": "http://a/else"}'


def test_add_warns_of_a_claim_that_is_not_the_answer_of_the_oracle(part, requirement, authoring):
    ended = authoring(*arguments(requirement, "--vectors", part, expect=FALSE_CLAIM))
    assert "the oracle gives another answer" in ended.err
    assert ended.code == Exit.PASSED


def test_add_does_not_warn_of_a_claim_that_is_the_answer_of_the_oracle(part, requirement, authoring):
    ended = authoring(*arguments(requirement, "--vectors", part))
    assert ended.err == ""
    assert ended.code == Exit.PASSED


def test_add_writes_the_claim_and_not_the_answer_of_the_oracle(part, requirement, authoring):
    authoring(*arguments(requirement, "--write", "--vectors", part, expect=FALSE_CLAIM))
    assert _vector_of(part, "rfc1808-5.1-new").expect.result == "http://a/else"


def test_lint_does_not_report_a_claim_that_is_not_the_answer_of_the_oracle(part, requirement, authoring):
    authoring(*arguments(requirement, "--write", "--vectors", part, expect=FALSE_CLAIM))
    assert "rfc1808-5.1-new" in {case.vector.id for case in load(part).cases}
    assert "rfc1808-5.1-new" not in authoring("lint", "--vectors", part).out


def test_a_rule_that_the_rfc_does_not_have_is_refused(part, authoring, requirement_of_ftp):
    """Even with --write, the file stays as it was."""
    before = (part / FTP).read_bytes()
    question = ("--op", "validate", "--rule", "nosuchrule", "--url", "ftp://h/")
    answer = ("--expect", '{"valid": true}')
    citation = ("--requirement", requirement_of_ftp)
    done = authoring("add", *citation, *question, *answer, "--write", "--vectors", part)
    assert "rfc1738 has no rule nosuchrule" in done.err
    assert done.code == Exit.INVALID_FILE
    assert (part / FTP).read_bytes() == before


def test_a_vector_to_resolve_that_has_a_rule_is_refused(part, requirement, authoring):
    done = authoring(*arguments(requirement, "--write", "--rule", "URL", "--vectors", part))
    assert "takes no rule" in done.err
    assert done.code == Exit.INVALID_FILE
    assert "rfc1808-5.1-new" not in (part / NORMAL).read_text("ascii")


#: Options of `add`, and a part of the message.
WRONG_USE = [
    pytest.param(("--spec", "3986"), " does not belong to rfc3986", id="other-specification"),
    pytest.param(("--section", "5.2"), " does not belong to 5.2", id="other-section"),
    pytest.param(("--section", "5"), " does not belong to 5", id="section-above"),
    pytest.param(("--fields", "[]"), "expected a JSON object", id="fields-no-object"),
    pytest.param(("--fields", "{"), "not JSON: Expecting property name", id="fields-no-json"),
    pytest.param(("--slug", "No Slug"), "'No Slug' is not a slug: ", id="slug"),
]


@pytest.mark.parametrize(("options", "message"), WRONG_USE)
def test_options_that_do_not_fit_are_a_usage_error(part, requirement, authoring, options, message):
    error = authoring(*arguments(requirement, *options, "--vectors", part)).error
    assert isinstance(error, click.UsageError)
    assert message in error.message


@pytest.mark.parametrize(
    "options", [("--spec", "1808"), ("--section", "5.1"), ("--spec", "RFC1808", "--section", "5.1")]
)
def test_add_accepts_the_rfc_and_section_of_the_requirement_as_options(part, requirement, authoring, options):
    assert authoring(*arguments(requirement, *options, "--vectors", part)).code == Exit.PASSED


def test_fields_may_be_given_as_json_and_by_options(part, requirement, authoring):
    fields = '{"reference": {"hex": "ff"}, "expect": {"valid": false}}'
    options = ("--fields", fields, "--flag", "edge", "--comment", "Not Unicode.", "--write")
    assert authoring(*arguments(requirement, *options, "--vectors", part)).code == Exit.PASSED
    vector = _vector_of(part, "rfc1808-5.1-new")
    assert vector.reference.hex == "ff"
    assert vector.flags == ("edge",)
    assert vector.comment == "Not Unicode."


def test_add_ends_at_a_lock_that_cannot_be_read(part, requirement, authoring):
    (part / "vectors.lock").write_text("no lock")
    error = authoring(*arguments(requirement, "--vectors", part)).error
    assert isinstance(error, LockError)
    assert str(error).startswith("vectors.lock: the file must begin with urllock-1, ")


def _survivor(changed, text, *, components=False):
    """Return a mutant of a rule that survived, with the text that shows it."""
    return {
        "rule": "URI-reference",
        "changed": changed,
        "operator": "bound",
        "witness": text,
        "components": components,
    }


#: Survivors with texts that no vector asks: RFC 3986, appendix A; RFC 2732, section 3 and what it leaves.
SURVIVORS = {
    "rfc3986": [
        _survivor("h16", "//[::0aBc9]"),
        _survivor("ls32", "//[::0aBc9]"),
        _survivor("port", "//qq:7890", components=True),
    ],
    "rfc2732": [_survivor("fragment", "qq#zz%")],
}


@pytest.fixture(scope="module")
def grammars(tmp_path_factory):
    """The grammar sections of two RFCs; not to be changed."""
    root = tmp_path_factory.mktemp("grammars")
    for spec, section in (("rfc3986", "A"), ("rfc2732", "3")):
        (root / spec).mkdir()
        for path in (corpus_dir() / spec).glob(f"{section}-*.json"):
            document = json.loads(path.read_bytes())
            few = canonical_text(document | {"vectors": document["vectors"][:20]})
            (root / spec / path.name).write_text(few, "ascii")
    for name in ("classes.json", "flags.json", "paragraphs.json", "rulings.json", "requirements"):
        source = corpus_dir() / name
        if source.is_dir():
            shutil.copytree(source, root / name)
        else:
            shutil.copy(source, root)
    return root


@pytest.fixture
def root(grammars, tmp_path):
    """A copy of the grammar sections, to be changed."""
    return shutil.copytree(grammars, tmp_path / "corpus")


class Adoption(NamedTuple):
    """The file of adopted witnesses, how many of them are new, and the vectors of the file."""

    path: Path
    count: int
    vectors: list[dict]


def _adopt(root, spec):
    """Adopt the witnesses of an RFC."""
    path, text, count = adopt_witnesses(root, load(root), spec, candidate_vectors(spec, SURVIVORS[spec]))
    path.write_text(text, encoding="ascii")
    return Adoption(path, count, json.loads(text)["vectors"])


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SURVIVORS)
def test_lint_reports_nothing_of_adopted_witnesses(root, spec):
    _adopt(root, spec)
    assert lint_vectors(root, {}) == []


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SURVIVORS)
def test_adopted_witnesses_stand_in_the_file_of_witnesses(root, spec):
    before = {case.vector.id for case in load(root).cases}
    adoption = _adopt(root, spec)
    adopted_cases = [case for case in load(root).cases if case.vector.id not in before]
    assert len(adopted_cases) == adoption.count
    assert {case.file for case in adopted_cases} == {f"{spec}/{adoption.path.name}"}


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SURVIVORS)
def test_an_adopted_vector_is_a_witness(root, spec):
    path = _adopt(root, spec).path
    cases_of_file = [case for case in load(root).cases if case.file == f"{spec}/{path.name}"]
    assert cases_of_file != []
    assert [case for case in cases_of_file if not is_witness(case)] == []


@pytest.fixture
def adopted_by_url(root):
    """The adopted witnesses of RFC 3986 by their URLs."""
    return {vector["url"]: vector for vector in _adopt(root, "rfc3986").vectors}


def test_mutants_with_the_same_witness_have_one_vector(root):
    """Three mutants survived, two of them with the same witness."""
    assert _adopt(root, "rfc3986").count == 2


def test_an_adopted_witness_that_is_refused_expects_offset_and_open_rules(adopted_by_url):
    """RFC 3986, section 3.2.2: h16 has at most four digits."""
    offset = len("//[::0aBc")
    assert adopted_by_url["//[::0aBc9]"]["expect"] == {"valid": False, "at": offset, "rules": ["ls32"]}


def test_an_adopted_witness_cites_the_statement_of_its_first_mutant(adopted_by_url):
    assert adopted_by_url["//[::0aBc9]"]["requirement"] == "rfc3986-A-h16"


def test_an_adopted_witness_names_its_mutants_in_its_comment(adopted_by_url):
    assert adopted_by_url["//[::0aBc9]"]["comment"] == "Shows a slip in h16 (bound), and 1 more."


def test_an_adopted_witness_that_components_distinguish_is_parsed(adopted_by_url):
    witness = adopted_by_url["//qq:7890"]
    assert witness["op"] == "parse"
    absent = dict.fromkeys(("scheme", "userinfo", "query", "fragment"))
    assert witness["expect"] == {
        "components": {"authority": "qq:7890", "host": "qq", "port": "7890", "path": "", **absent}
    }


def test_an_adopted_witness_of_a_rule_that_rfc2732_does_not_change_cites_its_statement_on_the_rest(root):
    """RFC 2732 lists what it changes; one statement takes over all other productions of RFC 2396."""
    vectors = _adopt(root, "rfc2732").vectors
    (witness,) = [vector for vector in vectors if vector["url"] == "qq#zz%"]
    assert witness["requirement"] == "rfc2732-3-rest"


def test_no_question_is_adopted_twice(root):
    _adopt(root, "rfc3986")
    assert _adopt(root, "rfc3986").count == 0


def test_a_rule_without_a_requirement_is_an_error(root):
    first, *_ = candidate_vectors("rfc3986", SURVIVORS["rfc3986"])
    candidate = {**first, "mutants": [("unknown", "bound")], "rule": "none"}
    with pytest.raises(AddError, match="no requirement for any of the rules none, unknown"):
        adopt_witnesses(root, load(root), "rfc3986", [candidate])


@pytest.fixture
def adopt(root, tmp_path):
    """A function that runs `vectors adopt` on a file with a content."""

    def run(content, *options):
        file = tmp_path / "survivors.json"
        file.write_text(content)
        return CliRunner().invoke(cli, ["vectors", "adopt", str(file), "--vectors", str(root), *options])

    return run


@pytest.fixture(scope="module")
def candidates():
    """The candidates of both RFCs, as `vectors adequacy --survivors` writes them."""
    return {spec: candidate_vectors(spec, rows) for spec, rows in SURVIVORS.items()}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("options", [pytest.param([], id="dry"), pytest.param(["--write"], id="written")])
def test_adopt_says_how_many_candidates_are_new(adopt, options, candidates):
    output = adopt(json.dumps(candidates), *options).output
    assert "rfc3986/A-mutants.json: 2 new of 2 candidates" in output


def test_adopt_changes_no_file_unless_asked_to_write(root, adopt, candidates):
    before = contents(root)
    adopt(json.dumps(candidates))
    assert contents(root) == before


def test_adopt_writes_a_vector_for_each_candidate(root, adopt, candidates):
    before = len(load(root).cases)
    adopt(json.dumps(candidates), "--write")
    assert len(load(root).cases) - before == sum(map(len, candidates.values()))


#: The text of a file of candidates, and why it is refused.
BAD_FILES = [
    pytest.param("{", "Expecting property name", id="no-json"),
    pytest.param('{"rfc1": []}', "unknown RFC 'rfc1'", id="no-rfc"),
    pytest.param(
        '{"rfc3986": [{"op": "parse"}]}', "a candidate of rfc3986 has no `mutants`", id="no-mutants"
    ),
    pytest.param("[1]", "expected an object of RFCs and their candidates", id="list"),
    pytest.param('{"rfc3986": 1}', "expected an object of RFCs and their candidates", id="number"),
]


@pytest.mark.parametrize(("text", "message"), BAD_FILES)
def test_a_file_without_candidates_is_refused_with_the_reason(adopt, text, message):
    ended = adopt(text)
    assert f"survivors.json: {message}" in ended.output
    assert ended.exit_code == Exit.USAGE


@pytest.mark.parametrize(
    ("requirement", "url", "at", "expected"),
    [
        pytest.param("rfc3986-A-userinfo", "//\x1f@", 2, "control-character", id="by-the-character"),
        pytest.param("rfc3986-A-rest", "a:\u00e9", 2, "non-ascii", id="non-ascii"),
        pytest.param("rfc3986-A-query", "?[", 1, "bracket", id="bracket"),
        pytest.param("rfc3986-A-ipv6address", "//[[", 3, "ipv6-literal", id="bracket-in-an-address"),
        pytest.param("rfc3986-A-dec-octet", "//[::0.0.0.25C]", 13, "ipv4-range", id="by-the-production"),
        pytest.param("rfc1738-5-bnf-ftptype", "ftp://a/;type=f", 14, "ftp-type", id="rfc1738"),
        pytest.param("rfc3986-A-ipv6address", "//[::]", None, "ipv6-literal", id="valid"),
        pytest.param("rfc3986-A-alpha", "a1", 2, None, id="none"),
    ],
)
def test_a_witness_gets_its_class_from_rule_and_character(requirement, url, at, expected):
    assert witness_class(requirement, url, at) == expected


@pytest.mark.parametrize(
    ("open_rules", "expected"),
    [
        pytest.param(["httpurl", "toplabel"], "host-label", id="rule-with-a-class"),
        pytest.param(["httpurl"], None, id="no-rule-with-a-class"),
    ],
)
def test_a_witness_gets_its_class_from_an_open_rule(open_rules, expected):
    """Neither the character `!` nor the production `alpha` has a class, which would come first."""
    assert witness_class("rfc1738-5-bnf-alpha", "http://!.a", 7, open_rules) == expected
