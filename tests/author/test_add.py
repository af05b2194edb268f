"""New vectors: ids, places and refusals; the claim is written, not the oracle's answer; adopted witnesses."""

from __future__ import annotations

import json
import shutil

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
from urlauthor.adequacy.analysis import candidates
from urlauthor.adequacy.suites import is_witness
from urlauthor.lint.vectors import lint_vectors
from urlauthor.lock import relock
from urlharness.cli import cli
from urlharness.corpus.export import canonical
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
    return load(part).cases[_first(part)].vector.requirement


def _first(root):
    return next(n for n, case in enumerate(load(root).cases) if case.file == NORMAL)


def drafted(root, requirement, slug="new", **fields):
    return draft_vector(root, load(root), {"requirement": requirement, **ASKED, **fields}, slug=slug)


def test_the_id_is_place_and_slug(part, requirement):
    assert drafted(part, requirement).case.vector.id == "rfc1808-5.1-new"
    slug = requirement.removeprefix("rfc1808-5.1-")
    assert drafted(part, requirement, slug="").case.vector.id.startswith(f"rfc1808-5.1-{slug}")


def test_an_id_that_is_taken_gets_a_number(part, requirement):
    requirement_text = load(part).requirements[requirement]
    taken_ids = {"rfc1808-5.1-new", "rfc1808-5.1-new-2"}
    assert new_id(requirement_text, "new", taken_ids) == "rfc1808-5.1-new-3"
    assert new_id(requirement_text, "new", set()) == "rfc1808-5.1-new"


def test_an_id_of_a_tombstone_is_taken(part, requirement):
    document = json.loads((part / NORMAL).read_bytes())
    gone, *remaining = document["vectors"]
    (part / NORMAL).write_text(canonical(document | {"vectors": remaining}), "ascii")
    lock = relock(load(part), read_lock(part / "vectors.lock"), reason="gone")
    (part / "vectors.lock").write_text(render_lock(lock), "ascii")
    slug = gone["id"].removeprefix("rfc1808-5.1-")
    assert drafted(part, remaining[0]["requirement"], slug=slug).case.vector.id == f"{gone['id']}-2"


@pytest.mark.parametrize("slug", ["New", "a--b", "-a", "a-", "a b", "é", "a.b"])
def test_an_invalid_slug_is_refused(part, requirement, slug):
    with pytest.raises(AddError, match="is not a slug"):
        drafted(part, requirement, slug=slug)


def test_level_and_binding_have_defaults(part, requirement):
    vector = drafted(part, requirement).case.vector
    assert vector.level == load(part).requirements[requirement].level
    assert vector.binding == "required"
    assert drafted(part, requirement, level="note").case.vector.level == "note"


def test_a_vector_follows_the_last_one_of_its_requirement(part):
    document = json.loads((part / FTP).read_bytes())
    order = [vector["requirement"] for vector in document["vectors"]]
    for requirement in dict.fromkeys(order):
        fields = {"op": "validate", "rule": "ftpurl", "url": "ftp://h/new", "expect": {"valid": True}}
        draft = draft_vector(part, load(part), {"requirement": requirement, **fields}, slug="new")
        names = [vector["id"] for vector in draft.document["vectors"]]
        assert draft.path == part / FTP
        last = len(order) - order[::-1].index(requirement)
        assert names.index("rfc1738-3.2.2-new") == last
        assert [name for name in names if name != "rfc1738-3.2.2-new"] == [
            v["id"] for v in document["vectors"]
        ]


def test_the_first_vector_of_a_requirement_follows_earlier_requirements(part):
    """In the order of the catalogue."""
    document = json.loads((part / NORMAL).read_bytes())
    order = [name for name in load(part).requirements if name.startswith("rfc1808-5.1-")]
    assert len(order) > 2
    second = order[1]
    remaining = [vector for vector in document["vectors"] if vector["requirement"] != second]
    (part / NORMAL).write_text(canonical(document | {"vectors": remaining}), "ascii")
    (part / "vectors.lock").unlink()
    draft = drafted(part, second)
    names = [vector["requirement"] for vector in draft.document["vectors"]]
    assert all(order.index(name) < 1 for name in names[: names.index(second)])
    assert names.index(second) == max(n for n, name in enumerate(names) if name == order[0]) + 1


def test_a_new_file_needs_a_title(part, requirement):
    corpus = load(part)
    fields = {"requirement": requirement, **ASKED}
    with pytest.raises(AddError, match="needs a title"):
        draft_vector(part, corpus, fields, file="5.1-more.json")
    draft = draft_vector(part, corpus, fields, file="5.1-more.json", title="More")
    assert draft.document["section"] == "5.1"
    assert draft.document["title"] == "More"
    assert lint_draft(part, corpus, draft) == []
    write_draft(part, draft)
    assert draft.case in load(part).cases


@pytest.mark.parametrize("file", ["../x.json", "/x.json", "5.1-more.txt", "a/b.json"])
def test_a_file_of_another_folder_is_refused(part, requirement, file):
    with pytest.raises(AddError, match="expected a file in folder"):
        draft_vector(part, load(part), {"requirement": requirement, **ASKED}, file=file, title="x")


REFUSED = [
    pytest.param({"expect": {"valid": True, "result": "x"}}, "exactly one of", id="two-answers"),
    pytest.param({"expect": {"odd": 1}}, "unknown field", id="unknown-answer"),
    pytest.param({"reference": ...}, "needs base and reference|needs reference", id="missing-input"),
    pytest.param({"surplus": 1}, "unknown field", id="unknown-field"),
    pytest.param({"level": "odd"}, "Invalid enum value", id="unknown-level"),
    pytest.param({"requirement": "rfc1808-5.1-none"}, "unknown requirement", id="unknown-requirement"),
]


@pytest.mark.parametrize(("fields", "words"), REFUSED)
def test_an_invalid_vector_is_refused(part, requirement, fields, words):
    fields_given = {"requirement": requirement, **ASKED, **fields}
    fields_given = {name: value for name, value in fields_given.items() if value is not ...}
    with pytest.raises(AddError, match=words):
        draft_vector(part, load(part), fields_given, slug="new")


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
    pytest.param({"op": "parse", "rule": "nosuchrule"}, "rfc1808 has no rule nosuchrule", id="unknown-rule"),
    pytest.param({"expect": REJECTED}, "rfc1808 has no rule nosuchrule", id="unknown-open-rule"),
    pytest.param(
        {"origin": "mutant"}, "`origin` is mutant, but the file is 5.1-more.json", id="witness-of-a-mutant"
    ),
]


@pytest.mark.parametrize(("fields", "words"), DOUBTS)
def test_errors_that_lint_would_report_are_reported_first(part, requirement, fields, words):
    fields_given = {"requirement": requirement, **ASKED, **fields}
    if fields_given["op"] == "parse":
        fields_given |= {"url": "a:b", "expect": {"valid": True}}
        del fields_given["base"], fields_given["reference"]
    file = {"file": "5.1-more.json", "title": "More"} if "origin" in fields else {}
    problems = lint_draft(part, load(part), draft_vector(part, load(part), fields_given, slug="new", **file))
    assert any(words in problem for problem in problems), problems


def test_missing_rulings_are_noted(part, requirement):
    (part / "rulings.json").unlink()
    assert any(
        "rulings.json: no table" in note for note in lint_draft(part, load(part), drafted(part, requirement))
    )


def test_a_new_vector_is_not_written_among_witnesses(part, requirement):
    """Also where both cite its requirement."""
    document = json.loads((part / NORMAL).read_bytes())
    cited_vector = next(vector for vector in document["vectors"] if vector["requirement"] == requirement)
    witness = cited_vector | {"id": "rfc1808-5.1-mutant-x", "origin": "mutant", "reference": "other"}
    text = canonical(document | {"vectors": [witness]})
    (part / "rfc1808" / "5.1-mutants.json").write_text(text, "ascii")
    assert drafted(part, requirement).path == part / NORMAL
    draft = drafted(part, requirement, slug="mutant-y", origin="mutant")
    assert draft.path == part / "rfc1808" / "5.1-mutants.json"
    assert lint_draft(part, load(part), draft) == []


def test_a_question_is_asked_once(part):
    case = load(part).cases[_first(part)]
    draft = drafted(part, case.vector.requirement, base=case.vector.base, reference=case.vector.reference)
    assert lint_draft(part, load(part), draft) == [f"asks the same as {case.vector.id}"]


def test_writing_adds_one_line_to_the_lock(part, requirement):
    before = (part / "vectors.lock").read_text("ascii").splitlines()
    write_draft(part, drafted(part, requirement))
    after = (part / "vectors.lock").read_text("ascii").splitlines()
    added = [line for line in after if line not in before]
    assert [line.split(" ")[0] for line in added] == ["digest", "rfc1808-5.1-new"]
    assert load(part).version == "1.0.0"


def test_writing_locks_nothing_else(part, requirement, change):
    """Another change that is not locked yet stays one that lint finds."""
    other_vector = change(part / FTP, level="note")
    before = read_lock(part / "vectors.lock").entries[other_vector]
    write_draft(part, drafted(part, requirement))
    assert read_lock(part / "vectors.lock").entries[other_vector] == before


def arguments(requirement, *options, expect='{"result": "http://a/new"}'):
    return (
        "add", "--requirement", requirement, "--op", "resolve", "--base", "http://a/b", "--reference", "new",
        "--expect", expect, "--slug", "new", *options,
    )  # fmt: skip


def test_nothing_is_written_unless_asked(part, requirement, authoring):
    before = {path: path.read_bytes() for path in part.rglob("*") if path.is_file()}
    done = authoring(*arguments(requirement, "--vectors", part))
    assert done.out.endswith(f"rfc1808-5.1-new would be added to {NORMAL} (use --write to add it)\n")
    assert done.code == Exit.PASSED
    assert {path: path.read_bytes() for path in part.rglob("*") if path.is_file()} == before


def test_every_rfc_is_shown_beside_the_claim(part, requirement, authoring):
    lines = authoring(*arguments(requirement, "--vectors", part)).out.splitlines()
    assert lines[1].split() == ["claimed", "'http://a/new'"]
    assert [line[2:9] for line in lines[2:7]] == ["rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986"]
    assert [line[0] for line in lines[2:7]] == [" ", ">", " ", " ", " "]
    assert "no answer" in lines[2]  # RFC 1738 defines no resolution
    assert all("as claimed" in line for line in lines[3:7])


def test_the_claim_is_written_and_not_the_answer_of_the_oracle(part, requirement, authoring):
    done = authoring(
        *arguments(requirement, "--write", "--vectors", part, expect='{"result": "http://a/else"}')
    )
    assert "the oracle gives another answer" in done.err
    assert done.code == Exit.PASSED
    vector = next(case.vector for case in load(part).cases if case.vector.id == "rfc1808-5.1-new")
    assert vector.expect.result == "http://a/else"
    assert authoring("lint", "--vectors", part).out.count("rfc1808-5.1-new") == 0


def test_an_agreement_warns_of_nothing(part, requirement, authoring):
    assert "otherwise" not in authoring(*arguments(requirement, "--vectors", part)).err


def test_a_rule_that_the_rfc_does_not_have_is_refused(part, authoring):
    """With the file as it was, however much it was asked for."""
    before = (part / FTP).read_bytes()
    done = authoring(
        "add", "--requirement", json.loads(before)["vectors"][0]["requirement"], "--op", "validate", "--rule",
        "nosuchrule", "--url", "ftp://h/", "--expect", '{"valid": true}', "--write", "--vectors", part,
    )  # fmt: skip
    assert "rfc1738 has no rule nosuchrule" in done.err
    assert done.code == Exit.INVALID_FILE
    assert (part / FTP).read_bytes() == before


def test_a_broken_vector_is_refused(part, requirement, authoring):
    done = authoring(*arguments(requirement, "--write", "--rule", "URL", "--vectors", part))
    assert "takes no rule" in done.err
    assert done.code == Exit.INVALID_FILE
    assert "rfc1808-5.1-new" not in (part / NORMAL).read_text("ascii")


WRONG_USE = [
    pytest.param(("--spec", "3986"), id="other-specification"),
    pytest.param(("--section", "5.2"), id="other-section"),
    pytest.param(("--section", "5"), id="section-above"),
    pytest.param(("--fields", "[]"), id="fields-no-object"),
    pytest.param(("--fields", "{"), id="fields-no-json"),
    pytest.param(("--slug", "No Slug"), id="slug"),
]


@pytest.mark.parametrize("options", WRONG_USE)
def test_options_that_do_not_fit_are_a_usage_error(part, requirement, authoring, options):
    assert isinstance(authoring(*arguments(requirement, *options, "--vectors", part)).error, click.UsageError)


@pytest.mark.parametrize(
    "options", [("--spec", "1808"), ("--section", "5.1"), ("--spec", "RFC1808", "--section", "5.1")]
)
def test_the_place_may_be_named(part, requirement, authoring, options):
    assert authoring(*arguments(requirement, *options, "--vectors", part)).code == Exit.PASSED


def test_texts_can_be_given_as_json(part, requirement, authoring):
    fields = '{"reference": {"hex": "ff"}, "expect": {"valid": false}}'
    options = ("--fields", fields, "--flag", "edge", "--comment", "Not Unicode.", "--write")
    assert authoring(*arguments(requirement, *options, "--vectors", part)).code == Exit.PASSED
    vector = next(case.vector for case in load(part).cases if case.vector.id == "rfc1808-5.1-new")
    assert vector.reference.hex == "ff"
    assert vector.flags == ("edge",)
    assert vector.comment == "Not Unicode."


def test_a_broken_lock_stops_the_command(part, requirement, authoring):
    (part / "vectors.lock").write_text("no lock")
    assert isinstance(authoring(*arguments(requirement, "--vectors", part)).error, LockError)


# texts that no vector asks: RFC 3986, appendix A; RFC 2732, section 3 and what it leaves as it is
def _survivor(changed, text, *, components=False):
    return {
        "rule": "URI-reference",
        "changed": changed,
        "operator": "bound",
        "witness": text,
        "components": components,
    }


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
            few = canonical(document | {"vectors": document["vectors"][:20]})
            (root / spec / path.name).write_text(few, "ascii")
    for name in ("classes.json", "flags.json", "paragraphs.json", "rulings.json", "requirements"):
        source = corpus_dir() / name
        shutil.copytree(source, root / name) if source.is_dir() else shutil.copy(source, root)
    return root


@pytest.fixture
def root(grammars, tmp_path):
    return shutil.copytree(grammars, tmp_path / "corpus")


def _made(root, spec):
    path, text, count = adopt_witnesses(root, load(root), spec, candidates(spec, SURVIVORS[spec]))
    path.write_text(text, encoding="ascii")
    return path, count, json.loads(text)["vectors"]


@pytest.mark.parametrize("spec", SURVIVORS)
def test_lint_accepts_adopted_witnesses(root, spec):
    before = {case.vector.id for case in load(root).cases}
    path, count, _ = _made(root, spec)
    assert lint_vectors(root, {}) == []
    new = [case for case in load(root).cases if case.vector.id not in before]
    assert len(new) == count > 0
    assert all(is_witness(case) and path.name in case.file for case in new)


def test_an_adopted_witness_has_its_label_and_its_statement(root):
    _, count, vectors = _made(root, "rfc3986")
    by_url = {vector["url"]: vector for vector in vectors}
    refused = by_url["//[::0aBc9]"]
    split = by_url["//qq:7890"]
    assert count == 2
    assert refused["expect"] == {"valid": False, "at": 9, "rules": ["ls32"]}
    assert refused["requirement"] == "rfc3986-A-h16"
    assert refused["comment"] == "Shows a slip in h16 (bound), and 1 more."
    assert split["op"] == "parse"
    assert split["expect"]["components"]["port"] == "7890"


def test_an_adopted_production_of_rfc2396_cites_the_statement_on_the_rest(root):
    """RFC 2732 lists what it changes; the rest is one statement."""
    requirements = {vector["url"]: vector["requirement"] for vector in _made(root, "rfc2732")[2]}
    assert requirements["qq#zz%"] == "rfc2732-3-rest"


def test_no_question_is_adopted_twice(root):
    _made(root, "rfc3986")
    assert _made(root, "rfc3986")[1] == 0


def test_a_rule_without_a_requirement_is_an_error(root):
    candidate = {
        **candidates("rfc3986", SURVIVORS["rfc3986"])[0],
        "mutants": [("unknown", "bound")],
        "rule": "none",
    }
    with pytest.raises(AddError, match="no requirement for any of the rules none, unknown"):
        adopt_witnesses(root, load(root), "rfc3986", [candidate])


@pytest.mark.parametrize("write", [False, True], ids=["dry", "written"])
def test_adopt_writes_only_if_asked(root, tmp_path, write):
    file = tmp_path / "survivors.json"
    file.write_text(json.dumps({spec: candidates(spec, rows) for spec, rows in SURVIVORS.items()}))
    before = len(load(root).cases)
    options = ["--write"] if write else []
    result = CliRunner().invoke(cli, ["vectors", "adopt", str(file), "--vectors", str(root), *options])
    assert "rfc3986/A-mutants.json: 2 new of 2 candidates" in result.output
    assert len(load(root).cases) - before == (3 if write else 0)


BAD_FILES = {
    "no-json": "{",
    "no-rfc": '{"rfc1": []}',
    "no-candidate": '{"rfc3986": [{"op": "parse"}]}',
    "list": "[1]",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_without_candidates_is_refused(root, tmp_path, name):
    file = tmp_path / "survivors.json"
    file.write_text(BAD_FILES[name])
    result = CliRunner().invoke(cli, ["vectors", "adopt", str(file), "--vectors", str(root)])
    assert result.exit_code == 2
    assert "survivors.json" in result.output


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


def test_a_witness_gets_its_class_from_an_open_rule():
    """If neither the character nor the production has one."""
    assert witness_class("rfc1738-5-bnf-alpha", "http://!.a", 7, ["httpurl", "toplabel"]) == "host-label"
    assert witness_class("rfc1738-5-bnf-alpha", "http://!.a", 7, ["httpurl"]) is None
