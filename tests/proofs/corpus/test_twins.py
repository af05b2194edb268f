"""Twins, which ask for a whole URL what their original asks for a part: each follows from a proved place."""

from __future__ import annotations

from itertools import chain, product
from typing import NamedTuple

import msgspec
import pytest

from urlauthor.lint.vectors import TWIN, TWINS
from urlauthor.twins import Place, counterexample, derive, originals, read_places
from urlharness.corpus.model import Case, Corpus, Vector, corpus_dir
from urlharness.corpus.specifications import SPECS
from urloracle.rfcs import SPECIFICATIONS

#: One character of each kind that the grammars distinguish, and some that are wrong everywhere.
CHARACTERS = "a1g-.%:/?#@[];=&!+~ {é"
PLACES = read_places()


@pytest.fixture(scope="module")
def derived_twins(corpus: Corpus):
    """The twins that follow from the places."""
    return derive(corpus, PLACES)


@pytest.mark.sampled(4, keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_every_place_proves_its_claim(spec):
    places = PLACES.places[spec]
    false_claims = [twin_place.rule for twin_place in places if counterexample(spec, twin_place) is not None]
    assert false_claims == []


def needs_exclusion(twin_place: Place) -> bool:
    """Return True if the claim of a place would be false of all texts of its rule."""
    return bool(twin_place.without) and twin_place.proves != "never"


@pytest.mark.parametrize("spec", SPECS)
def test_without_its_exclusions_a_claim_is_false(spec):
    excluding = [twin_place for twin_place in PLACES.places[spec] if needs_exclusion(twin_place)]
    assert excluding
    loose = [msgspec.structs.replace(twin_place, without="") for twin_place in excluding]
    assert [twin_place for twin_place in loose if counterexample(spec, twin_place) is None] == []


def answer_of_oracle(spec: str, rule: str, text: str) -> dict[str, object]:
    """Return the answer of the oracle in the fields of an expectation."""
    problem = SPECIFICATIONS[spec].problem(text, rule)
    return {"valid": True} if problem is None else {"valid": False, "at": problem.position}


@pytest.mark.sampled(4, keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_the_oracle_gives_the_answers_that_a_place_claims_for_short_texts(spec):
    """The texts have at most two characters; a place that proves only verdicts claims no offset."""
    texts = ["", *CHARACTERS, *map("".join, product(CHARACTERS, repeat=2))]
    claims = 0
    for twin_place in PLACES.places[spec]:
        rule_of_url = twin_place.whole or SPECIFICATIONS[spec].default_rule
        for text in texts:
            claimed = twin_place.answer(spec, text, answer_of_oracle(spec, twin_place.rule, text))
            if claimed is None:
                continue
            claims += 1
            answer = answer_of_oracle(spec, rule_of_url, twin_place.prefix + text + twin_place.suffix)
            claimed_fields = {field: answer.get(field) for field in claimed}
            assert claimed_fields == claimed, (twin_place, text)
    assert claims > 2000


def test_the_files_have_the_twins_that_the_places_prove(derived_twins):
    paths = corpus_dir().glob(f"rfc*/*{TWINS}")
    files = {path.relative_to(corpus_dir()).as_posix(): path.read_text("ascii") for path in paths}
    assert files == derived_twins.files


@pytest.fixture
def host_with_slash():
    """The place of a host, with the false claim that the host may contain a slash."""
    for twin_place in PLACES.places["rfc3986"]:
        if twin_place.rule == "host" and twin_place.proves == "offsets":
            return msgspec.structs.replace(twin_place, without=twin_place.without.replace("/", ""))
    raise AssertionError("no place proves the offsets of a host")


def test_a_place_with_a_false_claim_gives_a_false_answer(host_with_slash):
    """A host ends at its slash, but `http://a/b/` is valid."""
    answer = host_with_slash.answer("rfc3986", "a/b", {"valid": False, "at": len("a")})
    assert answer == {"valid": False, "at": len("http://a")}


def test_a_false_claim_about_a_place_is_refuted_by_a_shortest_text(host_with_slash):
    assert counterexample("rfc3986", host_with_slash) == "/"


def test_every_original_vector_has_a_twin_or_is_listed_without_one(corpus, derived_twins):
    assert {*derived_twins.covered, *derived_twins.missing} == {case.vector.id for case in originals(corpus)}


def test_at_least_nine_of_ten_vectors_have_a_twin(corpus, derived_twins):
    assert len(derived_twins.missing) <= 0.1 * len(originals(corpus))


def test_every_vector_without_a_twin_has_a_reason(derived_twins):
    assert sorted(derived_twins.missing) == sorted(PLACES.reason_by_missing_id())


def test_no_vector_has_two_reasons_for_having_no_twin():
    listed = []
    for reasons in PLACES.missing.values():
        for names in reasons.values():
            listed += names
    assert len(listed) == len(set(listed))


def test_the_vector_that_covers_another_asks_for_its_text_with_the_proved_verdict(corpus, derived_twins):
    """This matters where a twin is left out because another vector asks the same."""
    cases = {case.vector.id: case for case in corpus.cases}
    assert derived_twins.covered != {}
    for name, covering_name in derived_twins.covered.items():
        case = cases[name]
        covering_vector = cases[covering_name].vector
        assert _proved_verdicts(case, covering_vector.url) == {
            covering_vector.expect.alternatives[0].valid
        }, name


def test_no_vector_that_covers_another_is_made_of_a_mutant(corpus, derived_twins):
    covering_names = set(derived_twins.covered.values())
    origins = {case.vector.id: case.vector.origin for case in corpus.cases}
    assert [name for name in covering_names if origins[name] == "mutant"] == []


class TwinPair(NamedTuple):
    """A vector and its twin."""

    original: Vector
    twin: Vector

    @property
    def is_opened_by_place(self):
        """True if the twin is under a ruling of a place that leaves the verdict open, unlike the original."""
        places = chain.from_iterable(PLACES.places.values())
        opening_rulings = {twin_place.open for twin_place in places} - {""}
        return self.twin.ruling in opening_rulings and self.twin.ruling != self.original.ruling


@pytest.fixture
def twin_pairs(corpus, derived_twins):
    vectors = {case.vector.id: case.vector for case in corpus.cases}
    return [
        TwinPair(vectors[name], vectors[twin])
        for name, twin in derived_twins.covered.items()
        if twin == name + TWIN
    ]


def test_a_twin_in_a_place_that_leaves_the_verdict_open_is_open(twin_pairs):
    opened = [pair for pair in twin_pairs if pair.is_opened_by_place]
    assert opened != []
    assert {pair.twin.binding for pair in opened} == {"impl-defined"}


def test_a_twin_in_another_place_has_the_binding_of_its_original(twin_pairs):
    others = [pair for pair in twin_pairs if not pair.is_opened_by_place]
    assert others != []
    for pair in others:
        assert pair.twin.binding == pair.original.binding, pair.twin.id


def test_a_dotted_group_above_255_is_open_in_brackets_alone(corpus):
    bindings = {case.vector.id: case.vector.binding for case in corpus.cases}
    assert bindings["rfc2732-3-ipv4address-range"] == "required"
    assert bindings["rfc2732-3-ipv4address-range-twin"] == "impl-defined"
    assert bindings["rfc2732-3-ipv4address-zeros-twin"] == "required"


def _proved_verdicts(case: Case, url: str) -> set[bool]:
    """Return the verdicts on a URL that places prove from the vector of a case, whose text stands in it."""
    answer_of_vector = msgspec.to_builtins(case.vector.expect.alternatives[0])
    proved = set()
    for twin_place in PLACES.places[case.spec]:
        is_of_rule = twin_place.rule == case.vector.rule
        if is_of_rule and twin_place.prefix + case.vector.url + twin_place.suffix == url:
            answer = twin_place.answer(case.spec, case.vector.url, answer_of_vector)
            if answer:
                proved.add(answer["valid"])
    return proved
