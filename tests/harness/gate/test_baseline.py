"""The baseline file: schema, types, canonical form, errors."""

from __future__ import annotations

import json
import resource
import stat
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec import UNSET, structs
from referencing import Registry, Resource

from urlharness.corpus.loader import load
from urlharness.corpus.lock import Lock, Tombstone, known_ids, locked_vector, render_lock
from urlharness.corpus.lock import locked_vectors as locked
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.specifications import SPECS
from urlharness.gate.baseline import (
    FORMAT,
    OLD_FORMAT,
    Baseline,
    BaselineError,
    Entry,
    canonical_text,
    parse_baseline,
    read_baseline,
    write_baseline,
)
from urlharness.generate.tiers import part_of
from urlharness.generate.tiers.digests import pinned_digests

_SCHEMAS = Registry().with_resources(
    (content["$id"], Resource.from_contents(content))
    for content in (json.loads(path.read_bytes()) for path in (corpus_dir() / "schemas").iterdir())
)


SCHEMAS = {
    name: Draft202012Validator({"$ref": f"urn:urlconform:schema:{name}"}, registry=_SCHEMAS)
    for name in (OLD_FORMAT, FORMAT)
}


ENTRY = {
    "id": "rfc3986-3.3-x",
    "outcome": "fail",
    "got": {"status": "ok", "url": "x:y"},
    "digest": "0123456789ab",
}


FILE = {
    "schema": "urlbaseline-1",
    "corpus": "0123456789ab",
    "implementation": "lib",
    "spec": ["rfc3986"],
    "entries": [ENTRY],
}


def file(**fields):
    """Return the document of a baseline with other fields; a field with UNSET is left out."""
    return {name: field for name, field in (FILE | fields).items() if field is not UNSET}


def entry(**fields):
    """Return the document of a baseline whose entry has other fields; a field with UNSET is left out."""
    changed = {name: field for name, field in (ENTRY | fields).items() if field is not UNSET}
    return file(entries=[changed])


GOOD = [
    pytest.param(FILE, id="plain"),
    pytest.param(file(entries=[]), id="nothing-listed"),
    pytest.param(file(spec=[]), id="no-rfc"),
    pytest.param(file(spec=list(SPECS)), id="every-rfc"),
    pytest.param(file(implementation="\x1b[31m"), id="escape-in-a-name"),
    pytest.param(entry(issue="#1", note="line\nline"), id="issue-and-note"),
    pytest.param(entry(got={}), id="no-answer"),
    pytest.param(entry(got={"components": {"host": None, "x": [["a", "b"]]}}), id="components"),
    pytest.param(entry(id="complete-rfc3986-URI"), id="generated-part"),
    pytest.param(entry(id="../../etc/passwd"), id="path-like-id"),
    *(
        pytest.param(entry(outcome=outcome), id=outcome)
        for outcome in ("pass", "variant", "partial", "timeout", "crash")
    ),
    pytest.param(entry(outcome="unsupported"), id="unsupported-fails-strictly"),
    pytest.param(file(answered={}), id="nothing-answered-whole"),
    pytest.param(file(answered={"rfc3986": {}}), id="nothing-answered"),
    pytest.param(file(spec=list(SPECS), answered={"rfc3986": {"parse": 0}, "rfc1808": {}}), id="answered"),
    pytest.param(file(generated={}), id="no-part-generated"),
    pytest.param(file(spec=[], generated={"k1-URI": {"parse": 0}, '"': {}}), id="generated-parts"),
    pytest.param(file(generated={"k1-rfc3986-URI": {"parse": 1}}), id="generated-of-its-rfc"),
    pytest.param(file(spec=[], generated={"k1-rfc39867-URI": {}, "rfc3986": {}}), id="generated-of-no-rfc"),
]


#: Fields of the new format only.
GOOD_LOCKS = [
    pytest.param({"answered": {"rfc3986": {}}}, id="nothing-answered"),
    pytest.param({"partly": {}, "unanswered": {}}, id="no-exceptions"),
    pytest.param({"answered": {"rfc3986": {}}, "partly": {"rfc3986": {}}}, id="no-partial-answer"),
    pytest.param(
        {"answered": {"rfc3986": {}}, "partly": {"rfc3986": {"b": {}, "a": {"x": [["a", "b"]], "h": None}}}},
        id="partial-answers",
    ),
    pytest.param(
        {
            "answered": {"rfc3986": {"parse": 1}},
            "unanswered": {"rfc3986": {"base": "all", "parse": ["b", "a"]}},
        },
        id="unanswered",
    ),
    pytest.param(
        {"answered": {"rfc3986": {}}, "unanswered": {"rfc3986": {"base": []}}}, id="none-unanswered"
    ),
    pytest.param({"complete": {}}, id="no-complete-answers"),
    pytest.param(
        {"answered": {"rfc3986": {"parse": 2}}, "complete": {"rfc3986": {"base": [], "parse": ["b", "a"]}}},
        id="complete-answers",
    ),
]


BAD_LOCKS = [
    pytest.param({"partly": {"rfc3986": {}}}, id="partial-answers-without-counts"),
    pytest.param({"unanswered": {"rfc3986": {}}}, id="unanswered-without-counts"),
    pytest.param({"complete": {"rfc3986": {}}}, id="complete-without-counts"),
    pytest.param({"answered": {"rfc3986": {}}, "complete": {"rfc3986": {"base": "all"}}}, id="all-complete"),
    pytest.param({"answered": {"rfc3986": {}}, "complete": {"rfc3986": {"split": []}}}, id="complete-split"),
    pytest.param(
        {"answered": {"rfc3986": {}}, "complete": {"rfc3986": {"base": ["a", "a"]}}}, id="complete-twice"
    ),
    *(
        pytest.param(
            {
                "spec": list(SPECS),
                "answered": {name: {} for name in SPECS if name != spec},
                field: {spec: {}},
            },
            id=f"{field}-of-{spec}-without-counts",
        )
        for spec in SPECS
        for field in ("partly", "unanswered", "complete")
    ),
    pytest.param({"answered": {"rfc1808": {}}}, id="counts-of-another-rfc"),
    pytest.param({"answered": {"rfc3986": {}}, "partly": {"rfc3986": ["a"]}}, id="partial-answers-as-list"),
    pytest.param({"answered": {"rfc3986": {}}, "partly": {"rfc3986": {"a": None}}}, id="null-components"),
    pytest.param({"answered": {"rfc3986": {}}, "partly": {"rfc3986": {"a b": {}}}}, id="id-with-a-blank"),
    pytest.param({"answered": {"rfc3986": {}}, "unanswered": {"rfc3986": ["a"]}}, id="no-operation"),
    pytest.param(
        {"answered": {"rfc3986": {}}, "unanswered": {"rfc3986": {"split": []}}}, id="unknown-operation"
    ),
    pytest.param({"answered": {"rfc3986": {}}, "unanswered": {"rfc3986": {"base": "none"}}}, id="not-all"),
    pytest.param(
        {"answered": {"rfc3986": {}}, "unanswered": {"rfc3986": {"base": ["a", "a"]}}}, id="id-twice"
    ),
    pytest.param({"answered": {"rfc3986": {}}, "unanswered": {"rfc3986": {"base": [1]}}}, id="number-as-id"),
    pytest.param({"answered": {"9": {}}, "unanswered": {"9": {}}}, id="no-rfc"),
]


BAD = [
    pytest.param([], id="list"),
    *(pytest.param(file(**{name: UNSET}), id=f"without-{name}") for name in FILE),
    *(pytest.param(entry(**{name: UNSET}), id=f"entry-without-{name}") for name in ENTRY),
    pytest.param(file(schema="urlbaseline-3"), id="other-version"),
    pytest.param(file(more=1), id="unknown-field"),
    pytest.param(file(implementation=""), id="no-name"),
    pytest.param(file(spec=["9"]), id="no-rfc"),
    pytest.param(file(spec="rfc3986"), id="rfc-as-text"),
    pytest.param(file(entries={}), id="entries-as-object"),
    pytest.param(file(corpus=None), id="null-corpus"),
    pytest.param(file(corpus=""), id="no-corpus"),
    pytest.param(file(corpus="1.0.0"), id="corpus-by-its-version"),
    pytest.param(file(corpus="0123456789AB"), id="corpus-in-capitals"),
    pytest.param(file(corpus="0123456789ab\n"), id="corpus-with-an-end-of-line"),
    pytest.param(entry(isue="#1"), id="misspelt-field"),
    pytest.param(entry(issue=None), id="null-issue"),
    pytest.param(file(answered=[]), id="answered-as-list"),
    pytest.param(file(answered={"9": {}}), id="answered-of-no-rfc"),
    *(
        pytest.param(
            file(spec=[name for name in SPECS if name != spec], answered={spec: {}}),
            id=f"{spec}-is-not-listed",
        )
        for spec in SPECS
    ),
    pytest.param(file(answered={"rfc3986": 1}), id="answered-of-a-whole-rfc"),
    pytest.param(file(answered={"rfc3986": {"split": 1}}), id="answered-of-no-operation"),
    pytest.param(file(answered={"rfc3986": {"parse": -1}}), id="answered-less-than-nothing"),
    pytest.param(file(answered={"rfc3986": {"parse": "1"}}), id="answered-as-text"),
    pytest.param(file(generated=[]), id="generated-as-list"),
    pytest.param(file(generated={"": {}}), id="generated-without-a-name"),
    pytest.param(file(generated={"a b": {}}), id="generated-with-a-blank"),
    pytest.param(file(generated={"k1-rfc3986-URI": {"parse": -1}}), id="generated-less-than-nothing"),
    pytest.param(file(generated={"k1-rfc3986-URI": 1}), id="generated-of-a-whole-part"),
    pytest.param(file(generated={"k1-rfc3986-URI": {"split": 1}}), id="generated-of-no-operation"),
    *(
        pytest.param(
            file(spec=[name for name in SPECS if name != spec], generated={f"{tier}-{spec}": {}}),
            id=f"{tier}-{spec}",
        )
        for spec in SPECS
        for tier in ("resolution", "")
    ),
    *(
        pytest.param(
            file(spec=[name for name in SPECS if name != spec], generated={f"k1-{spec}-x": {}}),
            id=f"k1-{spec}",
        )
        for spec in SPECS
    ),
    pytest.param(entry(outcome="aborted"), id="aborted-is-no-outcome-of-a-vector"),
    pytest.param(entry(outcome="failed"), id="unknown-outcome"),
    pytest.param(entry(got=None), id="null-got"),
    pytest.param(entry(got="x"), id="got-as-text"),
    pytest.param(entry(digest="0123456789AB"), id="digest-in-capitals"),
    pytest.param(entry(digest="0123456789abc"), id="long-digest"),
    pytest.param(entry(digest="0123456789ab\n"), id="digest-with-an-end-of-line"),
    pytest.param(entry(id=""), id="empty-id"),
    pytest.param(entry(id="a b"), id="id-with-a-blank"),
    pytest.param(entry(id="a\n"), id="id-with-an-end-of-line"),
    pytest.param(entry(id="\x1b[2J"), id="id-with-an-escape"),
]


def is_parsed(document) -> bool:
    """Return True if a document can be read as a baseline."""
    try:
        parse_baseline(json.dumps(document).encode(), "b.json")
    except BaselineError:
        return False
    return True


def with_format(document, schema):
    """Return a baseline of the old format in another format, and anything else as it is."""
    if isinstance(document, dict) and document.get("schema") == OLD_FORMAT:
        return {**document, "schema": schema}
    return document


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("document", GOOD)
def test_the_types_and_the_schema_accept_a_good_baseline(document, schema):
    baseline = with_format(document, schema)
    assert SCHEMAS[schema].is_valid(baseline)
    assert is_parsed(baseline)


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("document", BAD)
def test_the_types_and_the_schema_refuse_a_bad_baseline(document, schema):
    baseline = with_format(document, schema)
    assert not SCHEMAS[schema].is_valid(baseline)
    assert not is_parsed(baseline)


@pytest.mark.parametrize("fields", GOOD_LOCKS)
def test_the_types_and_the_schema_accept_good_locked_answers(fields):
    document = file(schema=FORMAT, **fields)
    assert SCHEMAS[FORMAT].is_valid(document)
    assert is_parsed(document)


@pytest.mark.parametrize("fields", BAD_LOCKS)
def test_the_types_and_the_schema_refuse_bad_locked_answers(fields):
    document = file(schema=FORMAT, **fields)
    assert not SCHEMAS[FORMAT].is_valid(document)
    assert not is_parsed(document)


LOCK_FIELDS = pytest.mark.parametrize("field", ["partly", "unanswered", "complete"])


@LOCK_FIELDS
def test_the_schema_of_the_old_format_refuses_locked_answers(field):
    assert not SCHEMAS[OLD_FORMAT].is_valid(file(answered={"rfc3986": {}}, **{field: {}}))


@LOCK_FIELDS
def test_the_error_about_locked_answers_in_the_old_format_names_the_new_one(field):
    document = file(answered={"rfc3986": {}}, **{field: {}})
    with pytest.raises(
        BaselineError, match=f"{field}: urlbaseline-1 has no such field; urlbaseline-2 has it"
    ):
        parse_baseline(json.dumps(document).encode(), "b.json")


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("document", GOOD)
def test_canonical_text_is_valid_and_parses_to_the_same_baseline(document, schema):
    octets = json.dumps(with_format(document, schema)).encode()
    baseline = parse_baseline(octets, "b.json")
    text = canonical_text(baseline)
    assert text.isascii()
    SCHEMAS[schema].validate(json.loads(text))
    assert parse_baseline(text.encode(), "b.json") == baseline


def text_with(**fields) -> str:
    """Return the canonical text of a baseline of the new format with these fields."""
    return canonical_text(parse_baseline(json.dumps(file(schema=FORMAT, **fields)).encode(), "b.json"))


@pytest.mark.parametrize("fields", GOOD_LOCKS)
def test_the_canonical_text_of_locked_answers_is_valid(fields):
    SCHEMAS[FORMAT].validate(json.loads(text_with(**fields)))


@pytest.mark.parametrize("fields", GOOD_LOCKS)
def test_the_canonical_text_of_locked_answers_is_its_own_canonical_text(fields):
    text = text_with(**fields)
    assert canonical_text(parse_baseline(text.encode(), "b.json")) == text


def test_the_canonical_text_has_one_line_for_each_unanswered_id():
    """A diff shows which answers were lost."""
    unanswered = {"rfc3986": {"base": "all", "parse": ["b", "a"]}}
    text = text_with(answered={"rfc3986": {"parse": 1}}, unanswered=unanswered)
    lines = text.splitlines()
    start = lines.index(' "unanswered": {')
    expected = [
        ' "unanswered": {',
        '  "rfc3986": {',
        '   "base": "all",',
        '   "parse": [',
        '    "a",',
        '    "b"',
        "   ]",
        "  }",
    ]
    assert lines[start : start + len(expected)] == expected


def test_the_canonical_text_has_one_line_for_each_partial_answer():
    partly = {"rfc3986": {"b": {}, "a": {"x": [["a", "b"]], "h": None}}}
    text = text_with(answered={"rfc3986": {}}, partly=partly)
    assert '   "a": {"h": null, "x": [["a", "b"]]},' in text.splitlines()


ANSWERS = st.dictionaries(
    st.text(max_size=3),
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


IDS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=4)


ENTRIES = st.builds(
    Entry,
    id=IDS,
    outcome=st.sampled_from(["fail", "timeout", "variant"]),
    got=ANSWERS,
    digest=st.from_regex(r"[0-9a-f]{12}", fullmatch=True),
    issue=TEXT,
    note=TEXT,
)


BASELINES = st.builds(
    Baseline,
    schema=st.just("urlbaseline-1"),
    corpus=st.from_regex(r"[0-9a-f]{12}", fullmatch=True),
    implementation=TEXT.filter(bool),
    spec=st.lists(st.sampled_from(list(SPECS))).map(tuple),
    entries=st.lists(ENTRIES, max_size=4, unique_by=lambda entry: entry.id).map(tuple),
    answered=st.dictionaries(
        st.sampled_from(list(SPECS)),
        st.dictionaries(st.sampled_from(["parse", "resolve", "base"]), st.integers(0, 9), max_size=3),
        max_size=2,
    ),
    generated=st.dictionaries(IDS, st.dictionaries(st.just("parse"), st.integers(0, 9)), max_size=3),
).map(lambda baseline: structs.replace(baseline, spec=(*baseline.spec, *baseline.answered)))


@given(BASELINES)
def test_the_canonical_text_is_its_own_canonical_text(baseline):
    text = canonical_text(baseline)
    assert canonical_text(parse_baseline(text.encode(), "b.json")) == text


@given(BASELINES)
def test_the_canonical_text_has_the_entries_by_id(baseline):
    lines = canonical_text(baseline).splitlines()
    listed = [json.loads(line.rstrip(","))["id"] for line in lines if line.startswith("  {")]
    assert listed == sorted(baseline.by_id())


@given(BASELINES)
def test_the_canonical_text_has_the_counts_by_rfc_and_part(baseline):
    names = []
    for line in canonical_text(baseline).splitlines():
        if line.startswith('  "'):  # the counts of an RFC or of a part: its name, and an object
            names += json.loads("{" + line.rstrip(",") + "}")
    assert names == [*sorted(baseline.answered), *sorted(baseline.generated)]


def test_the_canonical_text_has_one_line_for_each_entry():
    """The entries by id, one a line, so that a diff shows what changed; names of an answer are sorted."""
    second = ENTRY | {"id": "rfc3986-3.2-a", "got": {"url": "\u00e9", "status": "ok"}, "issue": "#7"}
    octets = json.dumps(file(entries=[ENTRY, second])).encode()
    text = canonical_text(parse_baseline(octets, "b.json"))
    assert text == (
        '{\n "schema": "urlbaseline-1",\n "corpus": "0123456789ab",\n "implementation": "lib",\n'
        ' "spec": ["rfc3986"],\n "entries": [\n'
        '  {"id": "rfc3986-3.2-a", "outcome": "fail", "got": {"status": "ok", "url": "\\u00e9"}, '
        '"digest": "0123456789ab", "issue": "#7"},\n'
        '  {"id": "rfc3986-3.3-x", "outcome": "fail", "got": {"status": "ok", "url": "x:y"}, '
        '"digest": "0123456789ab"}\n ]\n}\n'
    )


#: A baseline that has every field.
WHOLE_BASELINE = Baseline(
    schema=FORMAT,
    corpus="0123456789ab",
    implementation="lib",
    spec=("rfc1808", "rfc3986"),
    entries=(
        Entry("rfc3986-3.2-a", "fail", {"status": "ok", "url": "\u00e9"}, "0123456789ab", "#7", "a note"),
        Entry("rfc3986-3.3-x", "crash", {}, "ab" * 6),
    ),
    answered={"rfc3986": {"base": 1, "parse": 2}},
    generated={"k1-rfc3986-URI": {"parse": 3}},
    partly={"rfc3986": {"rfc3986-3-p": {"host": None}}},
    unanswered={"rfc3986": {"decode": "all", "parse": ("rfc3986-3-q",)}},
    complete={"rfc3986": {"parse": ("rfc3986-3-r", "rfc3986-3-s")}},
)


def test_a_baseline_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "b.json"
    write_baseline(WHOLE_BASELINE, path)
    assert read_baseline(path) == WHOLE_BASELINE


def test_a_baseline_finds_its_entries_by_id():
    baseline = parse_baseline(json.dumps(FILE).encode(), "b.json")
    assert baseline.by_id() == {"rfc3986-3.3-x": baseline.entries[0]}


#: A baseline without its last characters.
CUT = json.dumps(FILE)[:-9].encode()

#: A baseline with an answer whose lists are nested too deeply to be read.
DEEP = json.dumps(entry(got={"x": [[]] * 9})).replace("[]", "[" * 50_000 + "]" * 50_000).encode()

WRONG = [
    pytest.param(b"", "b.json: Input data was truncated", id="empty"),
    pytest.param(b"\xff\xfe", "b.json: JSON is malformed: invalid character", id="not-utf-8"),
    pytest.param(CUT, "b.json: Input data was truncated", id="cut"),
    pytest.param(b"<<<<<<< ours\n", "b.json: JSON is malformed", id="merge-conflict"),
    pytest.param(b"[" * 100_000, "b.json: Expected `object`", id="nested"),
    pytest.param(DEEP, "b.json: nested too deeply", id="nested-answer"),
    pytest.param(
        json.dumps(entry(outcome="x")).encode(), "`$.entries[0].outcome` ('rfc3986-3.3-x')", id="place"
    ),
    pytest.param(json.dumps(entry(id="\x1b[2J")).encode(), "`$.entries[0].id` ('\\x1b[2J')", id="escape"),
    pytest.param(json.dumps(file(entries=[ENTRY, ENTRY])).encode(), "-3.3-x: listed twice", id="twice"),
    pytest.param(
        json.dumps(file(answered={"rfc3986": {}, "rfc1808": {"parse": 3}})).encode(),
        "b.json: answered.rfc1808: rfc1808 is not in `spec`; add it there, ",
        id="numbers-of-another-rfc",
    ),
    pytest.param(
        json.dumps(file(spec=["rfc9"])).encode(),
        "b.json: no specification named 'rfc9'; choose from rfc1738, ",
        id="unknown-rfc",
    ),
    pytest.param(
        json.dumps(file(answered={"rfc9": {}})).encode(),
        "b.json: no specification named 'rfc9'",
        id="numbers-of-an-unknown-rfc",
    ),
    pytest.param(
        json.dumps(file(answered={"rfc3986": {"split": 3}})).encode(),
        "b.json: Invalid enum value 'split' - at `key` in `$.answered[...]`",
        id="numbers-of-no-operation",
    ),
    pytest.param(
        json.dumps(FILE).replace('"entries"', '"entries": [], "entries"').encode(),
        "b.json: the key 'entries' appears twice in one object",
        id="two-lists",
    ),
    pytest.param(
        json.dumps(FILE).replace('"outcome"', '"outcome": "crash", "outcome"').encode(),
        "b.json: the key 'outcome' appears twice in one object",
        id="two-outcomes",
    ),
    pytest.param(
        json.dumps(entry(got={"a": 1})).replace('"a"', '"\\u0061": 2, "a"').encode(),
        "b.json: the key 'a' appears twice",
        id="a-key-in-two-spellings",
    ),
]


@pytest.mark.parametrize(("octets", "words"), WRONG)
def test_the_error_about_a_file_says_what_is_wrong_in_it(tmp_path, octets, words):
    path = tmp_path / "b.json"
    path.write_bytes(octets)
    with pytest.raises(BaselineError) as caught:
        read_baseline(path)
    assert words in str(caught.value)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(
        BaselineError,
        match=r"none\.json: no such file or directory; create it with urlconform baseline create",
    ):
        read_baseline(tmp_path / "none.json")


def test_a_folder_is_no_baseline(tmp_path):
    with pytest.raises(BaselineError, match="is a directory"):
        read_baseline(tmp_path)


def test_the_digest_of_a_case_is_that_of_the_lock():
    corpus = load()
    lock = locked(corpus)
    sample = corpus.cases[::97]  # all of them would take seconds
    digests = {case.vector.id: locked_vector(case).digest for case in sample}
    assert digests != {}
    assert digests == {identifier: lock[identifier].digest for identifier in digests}


@pytest.fixture
def ids_with_tombstone(tmp_path):
    """The ids of the installed corpus, with a lock in which one vector is removed."""
    tombstones = {"rfc3986-3.3-gone": Tombstone("1.2.0", "asked twice")}
    (tmp_path / "vectors.lock").write_text(render_lock(Lock("1.2.0", "0" * 12, {}, tombstones)), "ascii")
    return known_ids(load(), tmp_path)


@pytest.mark.parametrize(
    ("identifier", "reason"),
    [
        ("rfc3986-3.3-gone", "removed in 1.2.0: asked twice"),
        ("rfc3986-3.3-never", "the corpus never contained it"),
    ],
    ids=["removed", "never-there"],
)
def test_an_unknown_id_has_a_reason(ids_with_tombstone, identifier, reason):
    assert ids_with_tombstone.why_missing(identifier) == reason


def test_a_folder_without_generated_parts_has_no_ids_of_parts(ids_with_tombstone):
    assert ids_with_tombstone.parts == {}


@pytest.fixture(scope="module")
def all_ids():
    return known_ids(load())


def test_each_vector_has_a_known_id(all_ids):
    assert all_ids.ids - all_ids.parts.keys() == {case.vector.id for case in load().cases}


def test_each_generated_part_has_a_known_id(all_ids):
    assert all_ids.parts.keys() == {part.name for part in pinned_digests()}


def test_the_id_of_a_generated_case_leads_to_its_part(all_ids):
    assert all_ids.parts.keys() != set()
    assert [name for name in all_ids.parts if part_of(f"{name}-1").name != name] == []


# ---- writing

SHORT_BASELINE = Baseline("urlbaseline-1", "0" * 12, "lib", ("rfc3986",), ())


LONG_BASELINE = Baseline("urlbaseline-1", "0" * 12, "l" * 20_000, ("rfc3986",), ())


@pytest.fixture
def small_files(monkeypatch):
    """No file may have more than 4,096 bytes, as on a full disk."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a compiled module would be cut off, and stay so
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard_limit))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft_limit, hard_limit))


@pytest.mark.usefixtures("small_files")
def test_a_full_disk_leaves_the_baseline_as_it_was(tmp_path):
    path = tmp_path / "b.json"
    write_baseline(SHORT_BASELINE, path)
    with pytest.raises(OSError, match=r"File too large: .*b\.json"):
        write_baseline(LONG_BASELINE, path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text("ascii") == canonical_text(SHORT_BASELINE)


def test_a_link_to_a_baseline_stays_a_link(tmp_path):
    path = tmp_path / "b.json"
    link = tmp_path / "link.json"
    write_baseline(SHORT_BASELINE, path)
    link.symlink_to("b.json")
    write_baseline(LONG_BASELINE, link)
    assert link.is_symlink()
    assert read_baseline(path) == LONG_BASELINE


def test_a_baseline_keeps_its_file_mode(tmp_path):
    path = tmp_path / "b.json"
    write_baseline(SHORT_BASELINE, path)
    path.chmod(0o640)
    write_baseline(LONG_BASELINE, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
