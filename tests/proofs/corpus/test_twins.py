"""Whole-URL twins: every place proves its claim, and every twin in the corpus follows from one."""

from __future__ import annotations

import json
from itertools import product

import msgspec
import pytest

from urlauthor.lint.vectors import TWIN, TWINS
from urlauthor.twins import Place, counterexample, derive, originals, read_places
from urlharness.corpus.export import canonical
from urlharness.corpus.model import Corpus, corpus_dir
from urlharness.corpus.specifications import SPECS
from urloracle.rfcs import SPECIFICATIONS

#: One character of each kind that the grammars tell apart, and some that are wrong everywhere.
CHARACTERS = "a1g-.%:/?#@[];=&!+~ {é"
PLACES = read_places()
EACH = [
    pytest.param(spec, number, id=f"{spec}-{place.rule}-{number}")
    for spec in SPECS
    for number, place in enumerate(PLACES.places[spec])
]


@pytest.fixture(scope="module")
def derived(corpus: Corpus):
    return derive(corpus, PLACES)


@pytest.mark.parametrize(("spec", "number"), EACH)
def test_every_place_proves_its_claim(spec, number):
    assert counterexample(spec, PLACES.places[spec][number]) is None


def _needs_exclusion(place: Place) -> bool:
    return bool(place.without) and place.proves != "never"


@pytest.mark.parametrize("spec", SPECS)
def test_without_its_exclusions_a_claim_is_false(spec):
    excluding = [place for place in PLACES.places[spec] if _needs_exclusion(place)]
    assert len(excluding) > 5
    loose = [msgspec.structs.replace(place, without="") for place in excluding]
    assert [place for place in loose if counterexample(spec, place) is None] == []


def _answer(spec: str, rule: str, text: str) -> dict[str, object]:
    problem = SPECIFICATIONS[spec].problem(text, rule)
    return {"valid": True} if problem is None else {"valid": False, "at": problem.position}


@pytest.mark.parametrize("spec", SPECS)
def test_short_texts_are_answered_in_their_places_as_the_claims_say(spec):
    """Answers of places and the patterns of the rules are the same for all texts of up to two characters."""
    texts = ["", *CHARACTERS, *map("".join, product(CHARACTERS, repeat=2))]
    answered = 0
    for place in PLACES.places[spec]:
        whole = place.whole or SPECIFICATIONS[spec].default_rule
        for text in texts:
            given = place.answer(spec, text, _answer(spec, place.rule, text))
            if given is not None:
                answered += 1
                found = _answer(spec, whole, place.prefix + text + place.suffix)
                assert given.items() <= found.items(), (place, text)
    assert answered > 2000


def _differing(files: dict[str, str], documents: dict[str, str]) -> list[str]:
    return sorted(name for name in files.keys() | documents if files.get(name) != documents.get(name))


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    """The files of twins by name."""
    found = corpus_dir().glob(f"rfc*/*{TWINS}")
    return {path.relative_to(corpus_dir()).as_posix(): path.read_text("ascii") for path in found}


def test_the_files_have_the_twins_that_the_places_prove(derived, files):
    assert _differing(files, derived.files) == []


def test_an_altered_answer_is_noticed(derived, files):
    name = "rfc3986/A-twins.json"
    document = json.loads(files[name])
    altered = next(vector for vector in document["vectors"] if vector["expect"] == {"valid": True})
    altered["expect"] = {"valid": False, "at": 0}
    assert _differing(files | {name: canonical(document)}, derived.files) == [name]


def test_a_false_claim_about_a_place_is_noticed():
    """A host that may contain a slash would make `a/b` an invalid URL; the claim is refuted."""
    host = next(
        place for place in PLACES.places["rfc3986"] if place.rule == "host" and place.proves == "offsets"
    )
    loose = msgspec.structs.replace(host, without=host.without.replace("/", ""))
    assert loose.answer("rfc3986", "a/b", {"valid": False, "at": 1}) == {"valid": False, "at": 8}
    assert counterexample("rfc3986", loose) == "/"


def test_nine_of_ten_vectors_have_a_twin_and_the_others_a_reason(corpus, derived):
    assert {*derived.covered, *derived.missing} == {case.vector.id for case in originals(corpus)}
    assert len(derived.missing) <= 0.1 * len(originals(corpus))
    assert sorted(derived.missing) == sorted(PLACES.reasons())
    listed = [name for found in PLACES.missing.values() for names in found.values() for name in names]
    assert len(listed) == len(set(listed))


def test_the_vector_that_covers_another_asks_for_its_text_with_the_proved_verdict(corpus, derived):
    """This matters where a twin is left out because another vector asks the same."""
    cases = {case.vector.id: case for case in corpus.cases}
    for name, other in derived.covered.items():
        case, vector = cases[name], cases[other].vector
        assert vector.origin != "mutant"
        wanted = msgspec.to_builtins(case.vector.expect.alternatives[0])
        proved = {
            answer["valid"]
            for place in PLACES.places[case.spec]
            if place.rule == case.vector.rule and place.prefix + case.vector.url + place.suffix == vector.url
            if (answer := place.answer(case.spec, case.vector.url, wanted))
        }
        assert proved == {vector.expect.alternatives[0].valid}, name
        assert other != name + TWIN or vector.binding == case.vector.binding
