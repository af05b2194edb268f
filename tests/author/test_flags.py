"""Flags: explained once, derived by one rule, selected by, and shown beside a failing case."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlauthor.lint.lock import lint_lock
from urlharness.corpus.differences import load_classes
from urlharness.corpus.export import canonical
from urlharness.corpus.loader import load
from urlharness.corpus.model import (
    FLAGS,
    Corpus,
    CorpusError,
    FlagFile,
    Vector,
    corpus_dir,
    derive_flags,
    explain_flags,
    load_flags,
)
from urlharness.corpus.selection import Selection, SelectionError
from urlharness.report import junit, terminal
from urlharness.report.html import cases
from urlharness.results.model import Participant, Result, ResultsWriter, read_results
from urlharness.runner import open_results


NORMAL = "rfc1808/5.1-normal.json"
CLASSES = {"rare": ("interop", "edge"), "hostile": ("security",), "plain": ("basic",)}


def vector(**fields: object) -> Vector:
    sample = {
        "id": "rfc3986-3.3-x",
        "requirement": "rfc3986-3.3-y",
        "level": "grammar",
        "op": "validate",
        "rule": "URI",
        "url": "a:b",
        "expect": {"valid": True},
        "binding": "required",
    }
    return msgspec.convert({**sample, **fields}, Vector)


RULE = [
    pytest.param({}, "", id="a-plain-statement"),
    pytest.param({"level": "example"}, "basic", id="printed-by-the-rfc"),
    pytest.param({"binding": "impl-defined"}, "edge", id="no-single-answer"),
    pytest.param({"binding": "permitted-set", "level": "example"}, "edge", id="binding-before-level"),
    pytest.param({"class": "rare"}, "interop edge", id="class"),
    pytest.param({"class": "rare", "level": "example"}, "interop edge", id="class-before-level"),
    pytest.param({"class": "hostile", "level": "example"}, "security", id="hostile-example-is-not-basic"),
    pytest.param({"class": "hostile", "binding": "unspecified"}, "security edge", id="class-and-binding"),
    pytest.param({"class": "plain", "binding": "unspecified"}, "basic", id="basic-stays"),
    pytest.param({"flags": ["legacy"]}, "legacy", id="own"),
    pytest.param({"flags": ["legacy"], "level": "example"}, "legacy basic", id="own-and-level"),
    pytest.param({"flags": ["edge"], "level": "example"}, "edge", id="own-before-level"),
    pytest.param({"flags": ["basic"], "class": "hostile"}, "security basic", id="own-and-class"),
    pytest.param({"class": "unknown"}, "", id="class-without-flags"),
]


@pytest.mark.parametrize(("fields", "flags"), RULE)
def test_rule(fields, flags):
    assert derive_flags(vector(**fields), CLASSES) == tuple(flags.split())


def test_an_unknown_flag_is_refused():
    with pytest.raises(msgspec.ValidationError):
        vector(flags=["odd"])


def test_every_flag_is_explained_and_used(corpus: Corpus):
    assert list(load_flags()) == list(FLAGS)
    assert {flag for case in corpus.cases for flag in case.flags} == set(FLAGS)
    classes = load_classes()
    for case in corpus.cases:
        assert set(case.vector.flags) <= set(case.flags), case.vector.id
        if case.vector.class_:
            assert set(classes[case.vector.class_].flags) <= set(case.flags), case.vector.id
        assert not {"basic", "edge"} <= set(case.flags), case.vector.id


def test_the_table_meets_schema_and_types():
    document = json.loads((corpus_dir() / "flags.json").read_bytes())
    schema = json.loads((corpus_dir() / "schemas" / "flags.schema.json").read_bytes())
    assert Draft202012Validator(schema).is_valid(document)
    assert [entry.id for entry in msgspec.convert(document, FlagFile).flags] == list(FLAGS)
    assert (corpus_dir() / "flags.json").read_text("ascii") == canonical(document)


def test_schemas_and_types_know_the_same_flags():
    for name in ("vectors", "classes", "flags"):
        text = (corpus_dir() / "schemas" / f"{name}.schema.json").read_text("utf-8")
        assert json.dumps(list(FLAGS)) in text, name


def test_a_corpus_without_classes_has_flags_of_its_own(part, change):
    name = change(part / NORMAL, flags=["security"])
    (part / "classes.json").unlink()
    cases = {case.vector.id: case for case in load(part).cases}
    assert cases[name].flags == ("security", "basic")


def test_broken_classes_are_one_error(part):
    (part / "classes.json").write_text('{"classes": [{"id": "x", "flags": ["odd"]}]}')
    with pytest.raises(CorpusError, match=r"classes\.json"):
        load(part)


def _table(edit):
    def plant(root: Path) -> None:
        document = json.loads((root / "flags.json").read_bytes())
        edit(document["flags"])
        (root / "flags.json").write_text(canonical(document), "ascii")

    return plant


FAULTS = [
    pytest.param(lambda root: (root / "flags.json").unlink(), "the table of flags is missing", id="no-table"),
    pytest.param(_table(lambda flags: flags.pop()), "it explains security", id="flag-unexplained"),
    pytest.param(_table(lambda flags: flags.append(flags[0])), "it explains security", id="flag-twice"),
    pytest.param(_table(lambda flags: flags.reverse()), "it explains basic", id="order"),
    pytest.param(_table(lambda flags: flags[0].update(effect="")), ".effect", id="no-effect"),
    pytest.param(_table(lambda flags: flags[0].update(id="odd")), "'odd' is not one of", id="unknown-flag"),
    pytest.param(lambda root: (root / "flags.json").write_text("{}"), "required property", id="no-flags"),
    pytest.param(lambda root: (root / "flags.json").write_text("{"), "not JSON", id="cut"),
]


@pytest.mark.parametrize(("fault", "words"), FAULTS)
def test_a_fault_of_the_table_is_named(part, fault, words):
    fault(part)
    assert any(finding.file == "flags.json" and words in finding.message for finding in lint_lock(part))


OWN = [
    pytest.param(
        NORMAL,
        {"class_": "query-only", "flags": ["legacy"]},
        "flag legacy is that of its class",
        id="said-twice",
    ),
    pytest.param(NORMAL, {"flags": ["edge", "basic"]}, "both basic and edge", id="daily-and-rare"),
    pytest.param(
        NORMAL, {"class_": "query-only", "flags": ["edge"]}, "both basic and edge", id="against-its-class"
    ),
    pytest.param("classes.json", {"flags": ["edge", "basic"]}, "both basic and edge", id="class"),
]


@pytest.mark.parametrize(("name", "fields", "words"), OWN)
def test_a_fault_of_flags_is_named(part, change, name, fields, words):
    case = change(part / name, **fields)
    findings = lint_lock(part)
    assert [f.case for f in findings if f.file == name and words in f.message] == [case]


def test_flags_select():
    corpus = load()
    some = Selection(flags=("security", "legacy")).pick(corpus.cases)
    assert some
    assert some == [case for case in corpus.cases if {"security", "legacy"} & set(case.flags)]
    assert all(
        case.spec == "rfc3986" for case in Selection(specs=("rfc3986",), flags=("edge",)).pick(corpus.cases)
    )
    with pytest.raises(SelectionError, match="no flag named 'odd'"):
        Selection(flags=("odd",))


def test_an_explanation_is_the_effect():
    assert explain_flags(["basic", "odd"]) == [f"basic: {load_flags()['basic'].effect}", "odd"]


@pytest.fixture
def failed(tmp_path):
    """A results file in which the first case of flag `security` fails."""
    corpus = load()
    some = Selection(flags=("security",)).pick(corpus.cases)
    case = next(case for case in some if case.vector.binding == "required")
    writer: ResultsWriter = open_results((tmp_path / "r.jsonl").open("wb"), corpus, [case])
    writer.write(Participant("made-up", "ran"))
    writer.write(Result(case.vector.id, "made-up", "fail", detail="no"))
    writer.close()
    return case, tmp_path / "r.jsonl"


def test_a_failing_case_explains_itself(failed):
    case, path = failed
    results = read_results(path)
    line = f"security: {load_flags()['security'].effect}"
    assert results.vectors[case.vector.id].case.flags == case.flags
    assert json.loads(path.read_bytes().splitlines()[1])["case"]["flags"] == list(case.flags)
    assert line in junit.render(results)
    parts = [str(part) for part in terminal.first_failures(results, "made-up").renderables]
    assert f"  flags {', '.join(case.flags)}\n" in parts[0]
    assert line in parts
    data = json.loads(cases.data_blocks(results).listed)
    assert data["flagsets"][data["cases"][0][6]] == list(case.flags)
    assert data["flags"]["security"] == load_flags()["security"].effect


def test_results_without_flags_are_read(failed):
    """Results that an earlier version wrote."""
    _, path = failed
    head, asked, *_ = path.read_bytes().splitlines(keepends=True)
    asked = json.loads(asked)
    del asked["case"]["flags"]
    path.write_bytes(head + json.dumps(asked).encode() + b"\n")
    assert [asked.case.flags for asked in read_results(path).vectors.values()] == [()]
