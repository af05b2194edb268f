"""Edits: one edge out of the language, near misses, splices."""

from __future__ import annotations

from itertools import islice, product
from random import Random

import pytest

from urlharness.words.mutation import Edit, Mutator
from urlharness.words.sampling import Sampler
from urlharness.words.weights import weigh_by_class
from urloracle.rfcs import specification

RULES = [("rfc3986", "URI-reference"), ("rfc1738", "url"), ("rfc1808", "URL"), ("rfc3986", "IPv4address")]


@pytest.fixture(params=RULES, ids="-".join)
def automaton(request):
    spec, rule = request.param
    return specification(spec).automaton(rule)


def words(automaton):
    """Return 150 words of an automaton, of up to 30 characters."""
    sampler = Sampler(automaton, range(31), weigh_by_class(automaton))
    return list(islice(sampler.draw_distinct(Random(4)), 150))


def check(automaton, mutator, broken):
    """Check that a broken text is no word, and leaves the language at its offset, in its state and class."""
    assert not automaton.accepts(broken.text)
    length, state = automaton.longest_viable_prefix(broken.text)
    assert length == broken.offset
    assert state == broken.state
    wrong_char = broken.text[length : length + 1]
    expected_class = mutator.class_of(wrong_char) if wrong_char else None  # none if the text ends too early
    assert broken.class_name == expected_class


def test_drawn_edits_break_words(automaton):
    mutator = Mutator(automaton)
    random = Random(9)
    kinds = set()
    for word in words(automaton):
        for _ in range(5):  # there are five kinds of edits
            broken = mutator.break_at_random(word, random)
            check(automaton, mutator, broken)
            assert broken.edit.apply(word) == broken.text, (word, broken)
            kinds.add(broken.edit.kind)
    assert kinds == {"replace", "insert", "delete", "cut", "append"}


def test_a_deletion_leaves_out_one_character(automaton):
    *_, word = words(automaton)
    deleted = {edit.text for edit in Mutator(automaton).all_breaks(word) if edit.edit.kind == "delete"}
    shorter_texts = {word[:offset] + word[offset + 1 :] for offset in range(len(word))}
    assert deleted != set()
    assert deleted - shorter_texts == set()


def test_all_breaks_leave_the_language_with_a_character_of_every_kind(automaton):
    mutator = Mutator(automaton)
    *_, word = words(automaton)
    edits = list(mutator.all_breaks(word))
    for broken in edits:
        check(automaton, mutator, broken)
        assert broken.edit.apply(word) == broken.text, broken
    assert {"beyond ASCII", "no UTF-8", "control", "blank"} - {broken.class_name for broken in edits} == set()


#: The beginning of an address, which some digits or a dot may follow.
BEGINNING = "25"


@pytest.fixture(scope="module")
def address_mutator():
    return Mutator(specification("rfc3986").automaton("IPv4address"))


def test_near_misses_leave_the_language(address_mutator):
    misses = list(address_mutator.near_misses(BEGINNING))
    assert misses != []
    for broken in misses:
        check(specification("rfc3986").automaton("IPv4address"), address_mutator, broken)


def test_near_misses_have_every_forbidden_class(address_mutator):
    misses = list(address_mutator.near_misses(BEGINNING))
    assert {"", "6", "a", " ", "\0"} - {broken.text.removeprefix(BEGINNING) for broken in misses} == set()
    assert {None, "6 7 8 9", "blank"} - {broken.class_name for broken in misses} == set()


def test_an_allowed_character_makes_no_near_miss(address_mutator):
    assert "25." not in {broken.text for broken in address_mutator.near_misses(BEGINNING)}


def test_a_word_does_not_end_too_early(address_mutator):
    kinds = {broken.class_name for broken in address_mutator.near_misses("1.2.3.4")}
    assert "blank" in kinds
    assert None not in kinds


def test_splices_are_words(automaton):
    mutator = Mutator(automaton)
    random = Random(9)
    samples = words(automaton)
    pairs = product(samples[:30], samples[30:60])  # all pairs of words would take minutes
    splices = [mutator.splice(first, second, random) for first, second in pairs]
    spliced_texts = [text for text, _edit in filter(None, splices)]
    assert len(spliced_texts) > len(splices) / 9  # the others have no common place, or are one text
    assert [text for text in spliced_texts if not automaton.accepts(text)] == []


def test_a_splice_differs_from_both():
    mutator = Mutator(specification("rfc3986").automaton("URI"))
    text, edit = mutator.splice("http://a/", "ftp://b?q", Random(1))
    assert text not in ("http://a/", "ftp://b?q")
    assert edit.apply("http://a/") == text
    assert edit.kind == "splice"


def test_a_word_has_no_splice_with_itself():
    mutator = Mutator(specification("rfc3986").automaton("URI"))
    assert mutator.splice("a:b", "a:b", Random(1)) is None


def test_the_empty_word_is_broken_by_an_appended_character():
    mutator = Mutator(specification("rfc3986").automaton("path-empty"))
    assert mutator.break_at_random("", Random(1)).edit.kind == "append"


@pytest.mark.parametrize(
    ("char", "name"), [("\u4e2d", "beyond ASCII"), ("\udc99", "no UTF-8"), ("\0", "control")]
)
def test_any_character_has_a_class(char, name):
    assert Mutator(specification("rfc3986").automaton("URI")).class_of(char) == name


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (Edit("insert", 1, "", "x"), "axbc"),
        (Edit("replace", 1, "b", "x"), "axc"),
        (Edit("delete", 1, "b"), "ac"),
        (Edit("cut", 1, "bc"), "a"),
    ],
    ids=["insert", "replace", "delete", "cut"],
)
def test_an_edit_is_applied_to_a_text(edit, text):
    assert edit.apply("abc") == text


#: An IRI whose characters beyond ASCII are no letters of the automaton, and no members of them either.
IRI = "x:\u00fc\u4e00/\U00010333?\ue123"


@pytest.fixture(scope="module")
def iri_mutator():
    return Mutator(specification("rfc3987").automaton("IRI"))


def test_an_iri_is_broken_where_a_character_is_forbidden(iri_mutator):
    automaton = specification("rfc3987").automaton("IRI")
    breaks = list(iri_mutator.all_breaks(IRI))
    assert {broken.edit.at for broken in breaks} == set(range(len(IRI) + 1))
    for broken in breaks:
        check(automaton, iri_mutator, broken)


def test_private_characters_break_a_path_and_no_query(iri_mutator):
    private = {broken.edit.at for broken in iri_mutator.all_breaks(IRI) if broken.class_name == "iprivate"}
    assert private == set(range(IRI.index("?") + 1))


def test_a_deletion_breaks_an_iri_where_what_follows_cannot_stand(iri_mutator):
    deleted = {broken.edit.at for broken in iri_mutator.all_breaks(IRI) if broken.edit.kind == "delete"}
    assert deleted == {0, 1, IRI.index("?")}


def test_iris_are_spliced_where_they_pass_the_same_state(iri_mutator):
    spliced = {word for word, _ in iri_mutator.all_splices("x:\u00fc?a", "y:\u4e00?b")}
    assert spliced >= {"x:\u00fc?b", "x:\u4e00?b"}


CLASSES_OF_IRIS = {"\u00fc": "ucschar", "\ue123": "iprivate", "\ufdd0": "beyond ASCII", "\udc80": "no UTF-8"}


@pytest.mark.parametrize("char", CLASSES_OF_IRIS, ids=ascii)
def test_a_character_has_the_class_of_its_range(iri_mutator, char):
    assert iri_mutator.class_of(char) == CLASSES_OF_IRIS[char]
