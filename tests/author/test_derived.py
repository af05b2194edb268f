"""Derived vectors: which letters are replaceable, and the files of a small corpus."""

from __future__ import annotations

import json
import shutil
from typing import Any

import msgspec
import pytest

from urlauthor.derived import component_at, counterpart, derive, is_replaceable
from urlharness.corpus.loader import load
from urlharness.corpus.model import Case, Corpus, Vector, corpus_dir
from urlharness.exitcodes import Exit

RULES = [
    ("URI-reference", "IRI-reference"),
    ("absolute-URI", "absolute-IRI"),
    ("host", "ihost"),
    ("relative-ref", "irelative-ref"),
    ("port", "port"),
]


@pytest.mark.parametrize(("rule", "expected"), RULES)
def test_a_rule_has_a_counterpart(rule, expected):
    assert counterpart(rule) == expected


COMPONENTS = [
    ("http://u@h:1/p?q#f", 0, "scheme"),
    ("http://u@h:1/p?q#f", 7, "userinfo"),
    ("http://u@h:1/p?q#f", 9, "host"),
    ("http://u@h:1/p?q#f", 11, "port"),
    ("http://u@h:1/p?q#f", 13, "path"),
    ("http://u@h:1/p?q#f", 15, "query"),
    ("http://u@h:1/p?q#f", 17, "fragment"),
    ("http://u@h:1/p?q#f", 4, "reference"),
    ("//[::a]/", 5, "host"),
    ("a", 0, "path"),
]


@pytest.mark.parametrize(("text", "offset", "component"), COMPONENTS)
def test_a_character_is_in_a_component(text, offset, component):
    assert component_at(text, offset) == component


def vector(url: str, at: int | None = None, rule: str = "URI-reference") -> Vector:
    expect = {"valid": True} if at is None else {"valid": False, "at": at}
    fields = {
        "id": "rfc3986-3-x",
        "requirement": "rfc3986-3-x",
        "level": "grammar",
        "binding": "required",
        "op": "validate",
        "rule": rule,
        "url": url,
        "expect": expect,
    }
    return msgspec.convert(fields, Vector)


REPLACEABLE = {
    "host": (vector("http://a/"), 7, "\u00e9"),
    "before-the-wrong-character": (vector("http://a/ b", 9), 7, "\u00e9"),
    "first-segment": (vector("a/b"), 0, "\u00e9"),
    "private-in-a-query": (vector("?a"), 1, "\ue000"),
    "ends-too-early": (vector("//a%", 4), 2, "\u00e9"),
}
NOT_REPLACEABLE = {
    "scheme": (vector("http://a/"), 0, "\u00e9"),
    "scheme-or-segment": (vector("a:b"), 0, "\u00e9"),
    "digit-of-a-triplet": (vector("//%4a"), 4, "\u00e9"),
    "address-in-brackets": (vector("//[::a]/"), 5, "\u00e9"),
    "future-address": (vector("//[v1.a]/"), 6, "\u00e9"),
    "private-in-a-path": (vector("/a"), 1, "\ue000"),
    "no-character-of-the-ranges": (vector("/a"), 1, "\ufffd"),
    "scheme-that-might-go-on": (vector("a b", 1), 0, "\u00e9"),
}


@pytest.mark.parametrize(("original", "offset", "character"), REPLACEABLE.values(), ids=REPLACEABLE)
def test_a_letter_is_replaceable_if_the_rule_goes_on_alike(original, offset, character):
    assert is_replaceable(original, offset, character)


@pytest.mark.parametrize(("original", "offset", "character"), NOT_REPLACEABLE.values(), ids=NOT_REPLACEABLE)
def test_a_letter_is_not_replaceable_if_the_rule_goes_on_differently(original, offset, character):
    assert not is_replaceable(original, offset, character)


def small_corpus(*vectors: Vector) -> Corpus:
    """Return the corpus with these vectors alone."""
    corpus = load()
    (example, *_) = (case for case in corpus.cases if case.spec == "rfc3986")
    cases = [msgspec.structs.replace(example, vector=new_vector) for new_vector in vectors]
    return msgspec.structs.replace(corpus, cases=cases)


def derived_vectors(corpus: Corpus) -> list[dict[str, Any]]:
    return [entry for text in derive(corpus).values() for entry in json.loads(text)["vectors"]]


def test_the_answer_is_that_of_the_original():
    offset = len("http://a/")
    (derived,) = derived_vectors(small_corpus(vector("http://a/ b", offset)))
    assert derived["expect"] == {"valid": False, "at": offset}


def test_components_have_the_character():
    parsed = msgspec.convert(
        {
            "id": "rfc3986-3-x",
            "requirement": "rfc3986-3-x",
            "level": "must",
            "binding": "required",
            "op": "parse",
            "url": "//a",
            "expect": {"components": components_of_host("a")},
        },
        Vector,
    )
    (derived,) = derived_vectors(small_corpus(parsed))
    character = derived["url"][2]
    assert not character.isascii()
    assert derived["expect"] == {"components": components_of_host(character)}


def components_of_host(host: str) -> dict[str, str | None]:
    absent = dict.fromkeys(("scheme", "userinfo", "port", "query", "fragment"))
    return {**absent, "authority": host, "host": host, "path": ""}


def test_a_vector_without_a_replaceable_letter_derives_none():
    assert derived_vectors(small_corpus(vector("a:1"))) == []


def test_a_derived_vector_stays_if_another_comes_before_its_original():
    original = vector("/a")
    (derived,) = derived_vectors(small_corpus(original))
    corpus = small_corpus(msgspec.structs.replace(vector("/b"), id="rfc3986-3-w"), original)
    iri_case: Case = msgspec.structs.replace(corpus.cases[0], spec="rfc3987")
    old_case = msgspec.structs.replace(iri_case, vector=msgspec.convert(derived, Vector))
    enlarged = msgspec.structs.replace(corpus, cases=[*corpus.cases, old_case])
    assert derived in derived_vectors(enlarged)


def test_files_that_differ_are_reported(authoring, tmp_path):
    for name in ("classes.json", "flags.json", "paragraphs.json", "rulings.json"):
        shutil.copy(corpus_dir() / name, tmp_path)
    shutil.copytree(corpus_dir() / "requirements", tmp_path / "requirements")
    (tmp_path / "rfc3987").mkdir()
    (tmp_path / "rfc3987" / "2.2-derived.json").write_text(derived_file())
    done = authoring("derive", "--vectors", tmp_path)
    assert done.err == "1 files differ\n", done.error
    assert done.code == Exit.FAILED


def derived_file() -> str:
    """Return a file whose vector has no original."""
    derived = {
        "id": "rfc3987-2.2-derived-x",
        "requirement": "rfc3987-2.2-bnf-ipchar",
        "level": "grammar",
        "op": "validate",
        "rule": "IRI-reference",
        "url": "/\u00e9",
        "expect": {"valid": True},
        "binding": "required",
        "origin": "derived",
    }
    head = {"schema": "urlvectors-1", "spec": "rfc3987", "section": "2.2", "title": "Derived"}
    return json.dumps({**head, "vectors": [derived]})
