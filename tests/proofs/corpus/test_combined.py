"""Vectors that combine parts of URLs have the answers of the oracle and of independent implementations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import resources

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
from urlharness.corpus.specifications import DEFAULT_SPEC, SPECS, Spec, facts
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urlharness.runner import question

from ..generate import independent_decoding, independent_equivalence, independent_normalization  # noqa: TID252 - tests are not an installed package
from ..generate.independent_recomposition import texts  # noqa: TID252 - likewise
from ..generate.independent_resolution import RESOLVERS  # noqa: TID252 - likewise
from ..oracle.abnf_dfas import AbnfDfas  # noqa: TID252 - likewise
from ..oracle.independent_oracle.components import components  # noqa: TID252 - likewise
from ..oracle.independent_oracle.recogniser import verdict  # noqa: TID252 - likewise


@pytest.fixture(scope="module")
def combined_cases(corpus: Corpus) -> list[Case]:
    """The cases that combine parts of URLs."""
    cases = [case for case in corpus.cases if case.file.endswith(PAIRS)]
    assert len(cases) > 2000
    return cases


@pytest.mark.long
def test_the_files_of_combined_vectors_are_those_that_the_parts_give(corpus: Corpus):
    used_ids = {case.vector.id for case in corpus.cases} | read_lock(corpus_dir() / LOCK).tombstones.keys()
    files = {path.relative_to(corpus_dir()).as_posix(): path for path in corpus_dir().glob(f"rfc*/*{PAIRS}")}
    derived = derive(corpus, used_ids).files
    assert derived.keys() == files.keys()
    for name, path in files.items():
        assert with_vectors_by_id(path.read_text("ascii")) == with_vectors_by_id(derived[name]), name


def with_vectors_by_id(text: str) -> dict[str, object]:
    """Return a file of vectors in which their order does not matter."""
    document = json.loads(text)
    return {**document, "vectors": {vector["id"]: vector for vector in document["vectors"]}}


@pytest.mark.parametrize("spec", SPECS)
def test_at_most_three_percent_of_the_levels_are_in_no_vector(combined_cases, spec):
    """Some levels have no row whose answer the RFC decides, or whose question nobody else asks."""
    comments = [case.vector.comment or "" for case in combined_cases if case.spec == spec]
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


def is_answered_alone(case: Case) -> bool:
    """Return True if the reference gives the answer of a vector, and no other where it is required."""
    reply = reference.answer(msgspec.to_builtins(question(case)))
    outcome = judge(
        case, msgspec.convert({**reply, "id": 0}, Reply), {"absent-vs-empty"}, strict=True
    ).outcome
    admits_others = bool(reply.get("also"))
    return outcome == "pass" and not (admits_others and case.vector.binding == "required")


def test_the_oracle_gives_the_answer_of_every_combined_vector_and_no_other(combined_cases):
    assert [case.vector.id for case in combined_cases if not is_answered_alone(case)] == []


def test_the_oracle_does_not_give_an_altered_answer(combined_cases):
    case = next(case for case in combined_cases if case.vector.op == "resolve")
    altered = msgspec.structs.replace(case.vector.expect, result="http://x/")
    vector = msgspec.structs.replace(case.vector, expect=altered)
    assert not is_answered_alone(msgspec.structs.replace(case, vector=vector))


def answers(case: Case) -> Iterator[tuple[object, object]]:
    """Yield the answer of a vector and that of an independent implementation, with the others admitted.

    Where a character beyond ASCII is like a letter, the implementations of RFC 3986 answer for RFC 3987.
    """
    vector = case.vector
    spec = DEFAULT_SPEC if facts(case.spec).iris else case.spec
    expect = json.loads(msgspec.json.encode(vector.expect))
    match vector.op:
        case "validate":
            yield (expect["valid"], expect.get("at")), independent_verdict(vector.url, case.spec, vector.rule)
        case "parse":
            rule = {"rfc1738": "url", "rfc1808": "URL"}.get(spec, "URI-reference")
            yield expect["components"], json.loads(json.dumps(components(vector.url, spec, rule)))
        case "resolve":
            targets = RESOLVERS[spec](vector.base, vector.reference)
            yield (expect["result"], frozenset()), (targets.recommended, targets.others)
        case "recompose":
            yield expect["result"], texts(msgspec.to_builtins(vector.components), spec)[0]
        case "normalize":
            recommended, *others = [admitted["result"] for admitted in expect.get("any", [expect])]
            forms = independent_normalization.forms(vector.url, spec, vector.mode or "syntax")
            yield (recommended, frozenset(others)), (forms.recommended, forms.others)
        case "equivalent":
            mode = vector.mode or "syntax"
            first, second = map(with_triplets, (vector.url, vector.other))
            verdicts = independent_equivalence.verdicts(first, second, spec, mode)
            yield (expect["equal"], frozenset()), (verdicts.recommended, verdicts.others)
        case "decode":
            views = independent_decoding.views(vector.url)
            yield (with_octets(expect["decoded"]), []), (with_octets(views.recommended), list(views.others))


def with_triplets(text: str) -> str:
    """Return a text with characters beyond ASCII as triplets, by which RFC 3987 compares (5.3.2.3)."""
    return "".join(
        char if char.isascii() else "".join(f"%{octet:02X}" for octet in char.encode()) for char in text
    )


def independent_verdict(url: str, spec: Spec, rule: str) -> tuple[bool, int | None]:
    """Return whether a text is valid, and the offset of its first wrong character."""
    if facts(spec).iris:
        wrong = dfas_of_abnf().first_wrong(url, rule)
        return wrong is None, wrong
    recognised = verdict(url, spec, rule)
    return recognised.valid, recognised.at


@cache
def dfas_of_abnf() -> AbnfDfas:
    return AbnfDfas((resources.files("urloracle") / "grammars" / "rfc3987.abnf").read_text("ascii"))


def with_octets(view: object) -> object:
    """Return a view with bytes for texts."""
    match view:
        case {"hex": str(digits)}:
            return bytes.fromhex(digits)
        case dict():
            return {name: part if name == "scheme" else with_octets(part) for name, part in view.items()}
        case list() | tuple():
            return [with_octets(part) for part in view]
        case str():
            return view.encode()
    return view


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_the_independent_implementations_give_the_answers_of_combined_vectors(combined_cases, spec):
    cases = [case for case in combined_cases if case.spec == spec]
    assert cases
    for case in cases:
        for answer, independent_answer in answers(case):
            assert independent_answer == answer, case.vector.id
