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


@pytest.fixture(scope="module", params=RULES, ids="-".join)
def automaton(request):
    spec, rule = request.param
    return specification(spec).automaton(rule)


@pytest.fixture(scope="module")
def words(automaton):
    """150 words of the automaton, of up to 30 characters."""
    sampler = Sampler(automaton, range(31), weigh_by_class(automaton))
    return list(islice(sampler.draw_distinct(Random(4)), 150))


@pytest.fixture(scope="module")
def mutator(automaton):
    return Mutator(automaton)


def check(automaton, mutator, broken):
    """Check that a broken text is no word, and leaves the language at its offset, in its state and class."""
    assert not automaton.accepts(broken.text)
    length, state = automaton.longest_viable_prefix(broken.text)
    assert length == broken.offset
    assert state == broken.state
    wrong_char = broken.text[length : length + 1]
    expected_class = mutator.class_of(wrong_char) if wrong_char else None  # none if the text ends too early
    assert broken.class_name == expected_class


KINDS_OF_EDITS = {"replace", "insert", "delete", "cut", "append"}


@pytest.fixture(scope="module")
def drawn_breaks(words, mutator):
    """Pairs of a word and a break of it that was drawn: as many of each word as there are kinds of edits."""
    random = Random(9)
    return [(word, mutator.break_at_random(word, random)) for word in words for _ in KINDS_OF_EDITS]


def test_drawn_edits_break_words(automaton, mutator, drawn_breaks):
    for _, broken in drawn_breaks:
        check(automaton, mutator, broken)


def test_a_drawn_edit_makes_the_broken_text_of_its_word(drawn_breaks):
    wrong = [(word, broken) for word, broken in drawn_breaks if broken.edit.apply(word) != broken.text]
    assert wrong == []


def test_edits_of_every_kind_are_drawn(drawn_breaks):
    assert {broken.edit.kind for _, broken in drawn_breaks} == KINDS_OF_EDITS


@pytest.fixture(scope="module")
def last_word(words):
    *_, word = words
    return word


@pytest.fixture(scope="module")
def all_breaks(mutator, last_word):
    """All breaks of the last word."""
    return list(mutator.all_breaks(last_word))


def test_a_deletion_leaves_out_one_character(last_word, all_breaks):
    texts = {broken.text for broken in all_breaks if broken.edit.kind == "delete"}
    shorter_texts = {last_word[:offset] + last_word[offset + 1 :] for offset in range(len(last_word))}
    assert texts != set()
    assert texts <= shorter_texts


def test_all_breaks_leave_the_language(automaton, mutator, all_breaks):
    for broken in all_breaks:
        check(automaton, mutator, broken)


def test_the_edit_of_a_break_makes_its_text(last_word, all_breaks):
    assert [broken for broken in all_breaks if broken.edit.apply(last_word) != broken.text] == []


def test_a_word_is_broken_by_characters_that_no_rule_has(all_breaks):
    class_names = {broken.class_name for broken in all_breaks}
    assert {"beyond ASCII", "no UTF-8", "control", "blank"} <= class_names


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


def test_a_near_miss_ends_too_early_or_in_a_forbidden_character(address_mutator):
    ends = {broken.text.removeprefix(BEGINNING) for broken in address_mutator.near_misses(BEGINNING)}
    assert {"", "6", "a", " ", "\0"} <= ends


def test_near_misses_have_every_forbidden_class(address_mutator):
    class_names = {broken.class_name for broken in address_mutator.near_misses(BEGINNING)}
    assert {None, "6 7 8 9", "blank"} <= class_names


def test_an_allowed_character_makes_no_near_miss(address_mutator):
    assert "25." not in {broken.text for broken in address_mutator.near_misses(BEGINNING)}


def test_a_word_does_not_end_too_early(address_mutator):
    kinds = {broken.class_name for broken in address_mutator.near_misses("1.2.3.4")}
    assert "blank" in kinds
    assert None not in kinds


def test_splices_are_words(automaton, mutator, words):
    random = Random(9)
    pairs = product(words[:30], words[30:60])  # all pairs of words would take minutes
    splices = [mutator.splice(first, second, random) for first, second in pairs]
    spliced_texts = [text for text, _edit in filter(None, splices)]
    assert len(spliced_texts) > len(splices) / 9  # the others have no common place, or are one text
    assert [text for text in spliced_texts if not automaton.accepts(text)] == []


@pytest.fixture(scope="module")
def uri_mutator():
    return Mutator(specification("rfc3986").automaton("URI"))


def test_a_splice_differs_from_both(uri_mutator):
    text, _ = uri_mutator.splice("http://a/", "ftp://b?q", Random(1))
    assert text not in ("http://a/", "ftp://b?q")


def test_a_splice_is_an_edit_of_the_first_word(uri_mutator):
    text, edit = uri_mutator.splice("http://a/", "ftp://b?q", Random(1))
    assert edit.kind == "splice"
    assert edit.apply("http://a/") == text


def test_a_word_has_no_splice_with_itself(uri_mutator):
    assert uri_mutator.splice("a:b", "a:b", Random(1)) is None


def test_the_empty_word_is_broken_by_an_appended_character():
    mutator = Mutator(specification("rfc3986").automaton("path-empty"))
    assert mutator.break_at_random("", Random(1)).edit.kind == "append"


@pytest.mark.parametrize(
    ("char", "name"),
    [("\u4e2d", "beyond ASCII"), ("\udc99", "no UTF-8"), ("\0", "control")],
    ids=["beyond-ascii", "no-utf-8", "control"],
)
def test_any_character_has_a_class(uri_mutator, char, name):
    assert uri_mutator.class_of(char) == name


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


def test_an_iri_is_broken_at_every_place(iri_mutator):
    assert {broken.edit.at for broken in iri_mutator.all_breaks(IRI)} == set(range(len(IRI) + 1))


def test_all_breaks_of_an_iri_leave_the_language(iri_mutator):
    automaton = specification("rfc3987").automaton("IRI")
    for broken in iri_mutator.all_breaks(IRI):
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
