"""Kinds of mistakes that texts notice, against the verdicts of each mutant, and the texts that are chosen."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from urlharness.adequacy import cache
from urlharness.adequacy.cache import Tasks
from urlharness.adequacy.kill import shortest_difference
from urlharness.adequacy.noticing import NoticedKinds, choose_texts, find_noticed, wrong_verdicts
from urlharness.adequacy.subjects import Subject
from urloracle.rfcs import specification

SCHEME = Subject(specification("rfc3986"), "scheme")
IUNRESERVED = Subject(specification("rfc3987"), "iunreserved", overlaid=False)
TEXTS = ("", "1", "A", "a", "a+", "a-", "a.", "a1", "a_", "aa", "z")


@pytest.fixture
def tasks(tmp_path, monkeypatch):
    """Tasks in a thread, with an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache._delete_unused.cache_clear()
    with ThreadPoolExecutor(1) as pool:
        yield Tasks(pool, lambda *_: None)


def kinds_by_hand(texts, subject=SCHEME):
    """The kinds that each text notices, and all kinds, by asking every mutant about every text."""
    by_text = {text: set() for text in texts}
    kinds = set()
    accepts = subject.automaton.accepts
    for number, mutant in enumerate(subject.mutants):
        automaton = subject.compiler.automaton(subject.rule, mutant.changes)
        kind = subject.kind(mutant) or number
        if shortest_difference(subject.automaton, automaton) is not None:
            kinds.add(kind)
        for text in texts:
            if automaton.accepts(text) is not accepts(text):
                by_text[text].add(kind)
    return by_text, kinds


def test_a_text_notices_the_mistakes_that_change_its_verdict(tasks):
    by_text, _ = kinds_by_hand(TEXTS)
    noticed = find_noticed("rfc3986", "scheme", TEXTS, tasks)
    numbers = {text: len(noticed.by_text.get(text, ())) for text in TEXTS}
    assert numbers == {text: len(kinds) for text, kinds in by_text.items()}


#: Texts for a rule of RFC 3987, section 2.2: the edges of its ranges, and what is beside them.
TEXTS_BEYOND_ASCII = ("", "a", "\u009f", "\u00a0", "\u00e9", "\ud7ff", "\ue000", "\U00010000", "\U000efffd")


def test_a_text_beyond_ascii_notices_the_mistakes_that_change_its_verdict(tasks):
    by_text, kinds = kinds_by_hand(TEXTS_BEYOND_ASCII, IUNRESERVED)
    noticed = find_noticed("rfc3987", "iunreserved", TEXTS_BEYOND_ASCII, tasks)
    numbers = {text: len(noticed.by_text.get(text, ())) for text in TEXTS_BEYOND_ASCII}
    assert numbers == {text: len(kinds_of_text) for text, kinds_of_text in by_text.items()}
    assert noticed.kinds == len(kinds)


def test_automata_that_differ_beyond_ascii_alone_are_told_apart():
    """RFC 3987, section 2.2: only a query may have private characters."""
    rfc3987 = specification("rfc3987")
    private_alone = shortest_difference(rfc3987.automaton("iquery"), rfc3987.automaton("ifragment"))
    assert private_alone in {"\ue000", "\U000f0000", "\U00100000"}


def test_two_texts_notice_together_what_either_notices(tasks):
    by_text, _ = kinds_by_hand(TEXTS)
    noticed = find_noticed("rfc3986", "scheme", TEXTS, tasks)
    assert len(noticed.together(("a1", "1"))) == len(by_text["a1"] | by_text["1"])


@pytest.mark.parametrize("texts", [TEXTS, ("",), ()], ids=["many", "one", "none"])
def test_all_kinds_of_mistakes_are_counted(tasks, texts):
    """A mistake that no text notices counts too; a mutant with the same texts is none."""
    _, kinds = kinds_by_hand(TEXTS)
    assert find_noticed("rfc3986", "scheme", texts, tasks).kinds == len(kinds)


#: The kinds that each text notices, the texts that the suite has, and those that are chosen beside them.
CHOICES = {
    "most-first": ({"a": {1}, "b": {1, 2, 3}, "c": {4}}, (), ["b", "c"]),
    "shortest-of-equals": ({"aa": {1}, "b": {1}}, (), ["b"]),
    "left-out-again": ({"a": {1, 2, 3, 4}, "b": {1, 2, 5}, "c": {3, 4, 6}}, (), ["b", "c"]),
    "beside": ({"a": {1, 2}, "b": {2, 3}}, ("a",), ["b"]),
    "nothing-beside": ({"a": {1}, "b": {1}}, ("a",), []),
    "nothing": ({}, (), []),
}


@pytest.mark.parametrize("name", CHOICES)
def test_the_fewest_texts_that_notice_all_kinds_are_chosen(name):
    by_text, beside, choice = CHOICES[name]
    kinds_of = {text: frozenset(kinds) for text, kinds in by_text.items()}
    noticed = NoticedKinds(kinds_of, kinds=6)  # no text above notices a seventh
    candidates = [text for text in by_text if text not in beside]
    assert choose_texts(noticed, candidates, beside) == choice


def test_no_chosen_text_can_be_left_out(tasks):
    noticed = find_noticed("rfc3986", "scheme", TEXTS, tasks)
    choice = choose_texts(noticed, TEXTS)
    kinds_of_all_texts = noticed.together(TEXTS)
    assert noticed.together(choice) == kinds_of_all_texts
    for text in choice:
        rest = [remaining for remaining in choice if remaining != text]
        assert noticed.together(rest) < kinds_of_all_texts, text


def test_a_verdict_that_is_not_that_of_the_rule_is_wrong():
    verdicts = {"a": True, "1": True, "a_": False, "b": False}
    assert wrong_verdicts("rfc3986", "scheme", verdicts) == ["1", "b"]
