"""The bundle: files of cases, a manifest with their digests, a schema, and pages that need nothing else."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from urlharness.bundle.folder import MOST_ANSWERS, write_bundle, write_cases
from urlharness.corpus.export import ExportError
from urlharness.corpus.loader import load
from urlharness.corpus.lock import LockError
from urlharness.corpus.model import OPERATIONS
from urlharness.corpus.selection import Selection

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def bundle(part_of_the_corpus, tmp_path_factory):
    """The folder of a bundle of a small corpus; not to be changed."""
    target = tmp_path_factory.mktemp("bundle") / "urls"
    write_bundle(part_of_the_corpus, load(part_of_the_corpus), target, Selection(), force=False)
    return target


@pytest.fixture(scope="module")
def manifest(bundle):
    return json.loads((bundle / "manifest.json").read_bytes())


@pytest.fixture(scope="module")
def documents(bundle):
    """The files of cases by name."""
    return {path.name: json.loads(path.read_bytes()) for path in bundle.glob("urlvectors-*.json")}


def cases_of(documents):
    cases = []
    for document in documents.values():
        cases += document["cases"]
    return cases


def test_the_bundle_has_every_case_of_the_corpus(documents, part_of_the_corpus):
    cases = load(part_of_the_corpus).cases
    assert sorted(case["id"] for case in cases_of(documents)) == sorted(case.vector.id for case in cases)


def test_a_case_has_the_statement_of_its_requirement(documents, part_of_the_corpus):
    requirements = load(part_of_the_corpus).requirements
    wrong = [
        case["id"]
        for case in cases_of(documents)
        if case["statement"] != requirements[case["requirement"]].statement
    ]
    assert wrong == []


def test_a_file_has_the_cases_of_one_rfc(documents):
    for document in documents.values():
        assert {case["spec"] for case in document["cases"]} == {document["spec"]}


def test_two_bundles_of_a_corpus_are_equal(bundle, part_of_the_corpus, tmp_path):
    write_bundle(part_of_the_corpus, load(part_of_the_corpus), tmp_path / "again", Selection(), force=False)
    contents = {path.name: path.read_bytes() for path in bundle.iterdir()}
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == contents


def test_each_case_is_a_line_with_sorted_keys(bundle, documents):
    lines = []
    for name in documents:
        _head, *lines_of_cases, _end = (bundle / name).read_text("ascii").splitlines()
        lines += [line.removesuffix(",") for line in lines_of_cases]
    assert lines == [json.dumps(case, sort_keys=True) for case in cases_of(documents)]


def test_lines_end_with_a_line_feed(bundle):
    for path in bundle.iterdir():
        content = path.read_bytes()
        assert content.endswith(b"\n")
        assert b"\r" not in content


def test_the_manifest_counts_the_cases(manifest, documents):
    assert manifest["cases"] == len(cases_of(documents))
    assert {file["name"]: file["cases"] for file in manifest["files"]} == {
        name: len(document["cases"]) for name, document in documents.items()
    }


def test_the_manifest_names_the_corpus(manifest, part_of_the_corpus):
    corpus = load(part_of_the_corpus)
    assert manifest["corpus"] == {"version": corpus.version, "digest": corpus.digest}


def test_the_digest_of_the_bundle_can_be_computed_from_its_files(manifest, bundle):
    paths = sorted(bundle.glob("urlvectors-*.json"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths]
    assert manifest["digest"] == hashlib.sha256("".join(lines).encode()).hexdigest()


@pytest.fixture(scope="module")
def validator(bundle):
    return Draft202012Validator(json.loads((bundle / "bundle.schema.json").read_bytes()))


def test_the_schema_is_one_of_json_schema(validator):
    Draft202012Validator.check_schema(validator.schema)


def test_the_manifest_meets_the_schema(validator, manifest):
    assert [error.message for error in validator.iter_errors(manifest)] == []


#: Of the cases, each of this number is validated, because that takes long.
STEP = 20


def problems_of(validator, documents):
    problems = []
    for document in documents.values():
        some_cases = {**document, "cases": document["cases"][::STEP]}
        problems += [error.message for error in validator.iter_errors(some_cases)]
    return problems


def test_every_file_of_cases_meets_the_schema(validator, documents):
    assert problems_of(validator, documents) == []


@pytest.mark.long
def test_the_files_of_the_whole_corpus_meet_the_schema(validator, corpus, tmp_path):
    write_cases(corpus, corpus.cases, tmp_path, left_out=0)
    paths = tmp_path.glob("urlvectors-*.json")
    assert problems_of(validator, {path.name: json.loads(path.read_bytes()) for path in paths}) == []


@pytest.mark.parametrize("field", ["answers", "unlisted", "class"])
def test_the_schema_requires_every_field(validator, documents, field):
    document = next(iter(documents.values()))
    case = {name: content for name, content in document["cases"][0].items() if name != field}
    assert not validator.is_valid({**document, "cases": [case]})


def test_the_licence_is_that_of_the_project(bundle):
    assert (bundle / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")


@pytest.mark.parametrize("name", ["README.md", "RUNNER.md"])
def test_a_page_has_no_field_to_fill_in(bundle, name):
    assert re.findall(r"\{[a-z_]+\}", (bundle / name).read_text("utf-8")) == []


@pytest.mark.parametrize("name", ["README.md", "RUNNER.md"])
def test_the_links_of_a_page_lead_to_files_of_the_bundle(bundle, name):
    links = re.findall(r"\]\(([^)]*)\)", (bundle / name).read_text("utf-8"))
    assert [link for link in links if not (bundle / link).is_file()] == []


def test_the_readme_has_a_row_for_each_file(bundle, documents):
    text = (bundle / "README.md").read_text("utf-8")
    assert [name for name in documents if f"| `{name}` |" not in text] == []


def test_the_readme_explains_each_field_of_a_case(bundle, documents):
    text = (bundle / "README.md").read_text("utf-8")
    explained = set()
    for line in text.splitlines():
        if line.startswith("| `"):
            first_column = line.split("|")[1]
            explained.update(re.findall(r"`(\w+)`", first_column))
    assert cases_of(documents)[0].keys() <= explained


def test_the_readme_explains_each_operation(bundle):
    text = (bundle / "README.md").read_text("utf-8")
    assert [op for op in OPERATIONS if f"`{op}`" not in text] == []


LONG_TEXT = "a:" + "b" * 1023
SHORT_TEXT = "a:" + "b" * 1022


@pytest.fixture
def bundle_of_changed(part, change, tmp_path):
    """Return a function that changes a vector of the corpus, and returns the folder of its bundle."""

    def write(**fields):
        path = next((part / "rfc1808").iterdir())
        identifier = change(path, lambda vector: vector["op"] == "resolve", **fields)
        (part / "vectors.lock").unlink()
        write_bundle(part, load(part), tmp_path / "out", Selection(), force=False)
        return identifier, tmp_path / "out"

    return write


def ids_in(path):
    return [case["id"] for case in json.loads(path.read_bytes())["cases"]] if path.exists() else []


@pytest.mark.parametrize(
    ("text", "is_long"), [(LONG_TEXT, True), (SHORT_TEXT, False)], ids=["1025-characters", "1024"]
)
def test_cases_of_long_texts_have_a_file_of_their_own(bundle_of_changed, text, is_long):
    identifier, target = bundle_of_changed(reference=text)
    assert (identifier in ids_in(target / "urlvectors-rfc1808-long.json")) is is_long
    assert (identifier in ids_in(target / "urlvectors-rfc1808.json")) is not is_long


@pytest.mark.parametrize(("count", "left_out"), [(MOST_ANSWERS, 0), (MOST_ANSWERS + 1, 1)])
def test_a_case_with_too_many_answers_is_left_out_and_counted(bundle_of_changed, count, left_out):
    answers = [{"result": "a:b"}]
    answers += [{"result": f"a:{number}", "variant": f"v-{number}"} for number in range(1, count)]
    identifier, target = bundle_of_changed(expect={"any": answers}, binding="permitted-set")
    assert json.loads((target / "manifest.json").read_bytes())["left_out"] == left_out
    assert (identifier in ids_in(target / "urlvectors-rfc1808.json")) is (left_out == 0)


def test_a_selection_is_a_bundle_of_its_own(part_of_the_corpus, tmp_path):
    selection = Selection(specs=("rfc1808",))
    write_bundle(part_of_the_corpus, load(part_of_the_corpus), tmp_path / "out", selection, force=False)
    assert [path.name for path in (tmp_path / "out").glob("urlvectors-*")] == ["urlvectors-rfc1808.json"]


def test_a_selection_without_cases_is_refused(part_of_the_corpus, tmp_path):
    selection = Selection(sections=("99",))
    with pytest.raises(ExportError, match="no vector meets the selection: section 99"):
        write_bundle(part_of_the_corpus, load(part_of_the_corpus), tmp_path / "out", selection, force=False)


def test_a_bundle_replaces_an_earlier_one_by_force(bundle, part_of_the_corpus, tmp_path):
    target = shutil.copytree(bundle, tmp_path / "out")
    selection = Selection(specs=("rfc1808",))
    write_bundle(part_of_the_corpus, load(part_of_the_corpus), target, selection, force=True)
    assert [path.name for path in target.glob("urlvectors-*")] == ["urlvectors-rfc1808.json"]


def test_a_corpus_that_differs_from_its_lock_is_refused(part, change, tmp_path):
    change(next((part / "rfc1808").iterdir()), comment="changed")
    with pytest.raises(LockError, match="the corpus differs from its lock"):
        write_bundle(part, load(part), tmp_path / "out", Selection(), force=False)
