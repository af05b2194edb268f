"""Vectors that combine parts of URLs: the oracle and independent implementations answer as the parts do."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec
import pytest

from urlauthor.cover.models import models
from urlauthor.cover.pairs import derive, row_of
from urlauthor.cover.schemes import scheme_models
from urlauthor.lint.vectors import PAIRS
from urlharness.adapters import reference
from urlharness.corpus.loader import LOCK
from urlharness.corpus.lock import read_lock
from urlharness.corpus.model import Case, Corpus, corpus_dir
from urlharness.corpus.specifications import SPECS
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urlharness.runner import question

from ..generate import independent_decoding, independent_equivalence, independent_normalization  # noqa: TID252 - tests are not an installed package
from ..generate.independent_recomposition import texts  # noqa: TID252 - likewise
from ..generate.independent_resolution import RESOLVERS  # noqa: TID252 - likewise
from ..oracle.independent_oracle.components import components  # noqa: TID252 - likewise
from ..oracle.independent_oracle.recogniser import verdict  # noqa: TID252 - likewise


@pytest.fixture(scope="module")
def combined(corpus: Corpus) -> list[Case]:
    cases = [case for case in corpus.cases if case.file.endswith(PAIRS)]
    assert len(cases) > 2000
    return cases


def test_the_files_of_combined_vectors_are_those_that_the_parts_give(corpus: Corpus):
    taken = {case.vector.id for case in corpus.cases} | read_lock(corpus_dir() / LOCK).tombstones.keys()
    files = {path.relative_to(corpus_dir()).as_posix(): path for path in corpus_dir().glob(f"rfc*/*{PAIRS}")}
    derived = derive(corpus, taken).files
    assert derived.keys() == files.keys()
    for name, path in files.items():
        assert _by_id(path.read_text("ascii")) == _by_id(derived[name]), name


def _by_id(text: str) -> dict[str, object]:
    document = json.loads(text)
    return {**document, "vectors": {vector["id"]: vector for vector in document["vectors"]}}


@pytest.mark.parametrize("spec", SPECS)
def test_at_most_three_percent_of_the_levels_are_in_no_vector(combined, spec):
    """Some levels have no row whose answer the RFC decides, or whose question nobody else asks."""
    comments = [case.vector.comment or "" for case in combined if case.spec == spec]
    listed = set()
    used = set()
    for model in scheme_models() if spec == "rfc1738" else models(spec):
        operation = model.name.partition("-")[0]
        for factor, levels in model.factors.items():
            listed |= {(operation, factor, level) for level in levels}
        for comment in comments:
            row = row_of(comment, model) or {}
            used |= {(operation, factor, level) for factor, level in row.items()}
    assert len(listed - used) <= 0.03 * len(listed), sorted(listed - used)


def _strict(case: Case) -> bool:
    """If the reference gives the answer of the vector and admits no other."""
    reply = reference.answer(msgspec.to_builtins(question(case)))
    outcome = judge(
        case, msgspec.convert({**reply, "id": 0}, Reply), {"absent-vs-empty"}, strict=True
    ).outcome
    admits_others = bool(reply.get("also"))
    return outcome == "pass" and not (admits_others and case.vector.binding == "required")


def test_the_oracle_gives_the_answer_of_every_combined_vector_and_no_other(combined):
    assert [case.vector.id for case in combined if not _strict(case)] == []


def test_the_oracle_does_not_give_an_altered_answer(combined):
    case = next(case for case in combined if case.vector.op == "resolve")
    altered = msgspec.structs.replace(case.vector.expect, result="http://x/")
    vector = msgspec.structs.replace(case.vector, expect=altered)
    assert not _strict(msgspec.structs.replace(case, vector=vector))


def _independent(case: Case) -> Iterator[tuple[object, object]]:
    """The answer of a vector, that of an independent implementation, and the others that it admits."""
    vector, spec = case.vector, case.spec
    expect = json.loads(msgspec.json.encode(vector.expect))
    match vector.op:
        case "validate":
            found = verdict(vector.url, spec, vector.rule)
            yield (expect["valid"], expect.get("at")), (found.valid, found.at)
        case "parse":
            rule = {"rfc1738": "url", "rfc1808": "URL"}.get(spec, "URI-reference")
            yield expect["components"], json.loads(json.dumps(components(vector.url, spec, rule)))
        case "resolve":
            found = RESOLVERS[spec](vector.base, vector.reference)
            yield (expect["result"], frozenset()), (found.recommended, found.others)
        case "recompose":
            yield expect["result"], texts(msgspec.to_builtins(vector.components), spec)[0]
        case "normalize":
            recommended, *others = [admitted["result"] for admitted in expect.get("any", [expect])]
            found = independent_normalization.forms(vector.url, spec, vector.mode or "syntax")
            yield (recommended, frozenset(others)), (found.recommended, found.others)
        case "equivalent":
            found = independent_equivalence.verdicts(vector.url, vector.other, spec, vector.mode or "syntax")
            yield (expect["equal"], frozenset()), (found.recommended, found.others)
        case "decode":
            found = independent_decoding.views(vector.url)
            yield (_octets(expect["decoded"]), []), (_octets(found.recommended), list(found.others))


def _octets(value: object) -> object:
    """A view with bytes for texts."""
    match value:
        case {"hex": str(digits)}:
            return bytes.fromhex(digits)
        case dict():
            return {name: one if name == "scheme" else _octets(one) for name, one in value.items()}
        case list() | tuple():
            return [_octets(one) for one in value]
        case str():
            return value.encode()
    return value


@pytest.mark.parametrize("spec", SPECS)
def test_the_independent_implementations_give_the_answers_of_combined_vectors(combined, spec):
    compared = 0
    for case in combined:
        if case.spec != spec:
            continue
        for answer, independent_answer in _independent(case):
            compared += 1
            assert independent_answer == answer, case.vector.id
    assert compared > 70
