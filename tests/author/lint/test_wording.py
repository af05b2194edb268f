"""What is written in the corpus states facts: hedges and orders are found wherever they stand."""

from __future__ import annotations

import json

import pytest

from urlauthor.lint.lock import lint_lock
from urlauthor.lint.vectors import lint_vectors
from urlauthor.lint.wording import NOT_IN_EXPLANATIONS, NOWHERE, ORDERS, lint_words
from urlharness.corpus.export import canonical

NORMAL = "rfc1808/5.1-normal.json"
CATALOGUE = "requirements/rfc1808.json"
PLANTED = "This checks that the parser should maybe reject the thing!"

PLACES = [
    pytest.param(NORMAL, {"comment": PLANTED}, "comment states no fact: 'This checks'", id="comment"),
    pytest.param(
        CATALOGUE, {"statement": PLANTED}, "statement states no fact: 'This checks'", id="statement"
    ),
    pytest.param(
        CATALOGUE, {"testable": "client", "reason": "Reject it."}, "gives an order: 'Reject'", id="reason"
    ),
    pytest.param("flags.json", {"statement": PLANTED}, "statement states no fact: 'This checks'", id="flag"),
    pytest.param("flags.json", {"effect": "You see."}, "effect states no fact: 'You'", id="effect-of-a-flag"),
]


@pytest.mark.parametrize(("name", "fields", "words"), PLACES)
def test_words_are_found_where_they_stand(part, change, name, fields, words):
    case = change(part / name, **fields)
    found = [*lint_vectors(part, {}), *lint_lock(part)]
    assert (name, case) in {(one.file, one.case) for one in found if words in one.message}


def test_the_title_of_a_file_is_read(part):
    document = json.loads((part / NORMAL).read_bytes()) | {"title": "TODO: name it"}
    (part / NORMAL).write_text(canonical(document), "ascii")
    assert [str(finding) for finding in lint_vectors(part, {})] == [f"{NORMAL}: title states no fact: 'TODO'"]


# a text, and whether it may stand in a comment, and in a statement
TEXTS = [
    pytest.param("The slash ends the host.", True, True, id="fact"),
    pytest.param("It might still be user information.", True, True, id="possibility"),
    pytest.param("Two dots are no segment that may be removed.", True, True, id="permission"),
    pytest.param("A client should fold the scheme.", False, True, id="obligation-of-an-rfc"),
    pytest.param("A port, possibly empty.", False, True, id="doubt-of-an-rfc"),
    pytest.param("The grammar probably means this.", False, False, id="doubt"),
    pytest.param("Probably the grammar means this.", False, False, id="doubt-in-front"),
    pytest.param("It seems valid.", False, False, id="seems"),
    pytest.param("Obviously invalid.", False, False, id="emphasis"),
    pytest.param("Tests that the host is empty.", False, False, id="about-the-test"),
    pytest.param("This verifies the port.", False, False, id="about-the-vector"),
    pytest.param("A test of the port.", True, True, id="test-as-a-noun"),
    pytest.param("Make sure it is refused.", False, False, id="make-sure"),
    pytest.param("Reject the empty host.", False, True, id="order"),
    pytest.param("The host is empty; refuse it.", True, True, id="no-capital"),
    pytest.param("The host is empty. Refuse it.", False, True, id="order-in-a-second-sentence"),
    pytest.param("Rejected by the grammar.", True, True, id="participle"),
    pytest.param("It is wrong!", False, False, id="exclamation"),
    pytest.param("The characters $ - _ . + ! * ' are safe.", True, True, id="exclamation-mark-as-data"),
    pytest.param("The text a!b is a path.", True, True, id="exclamation-mark-in-a-url"),
    pytest.param('The path is "/maybe/should".', True, True, id="quoted"),
    pytest.param("The path is `/you/must`.", True, True, id="in-backticks"),
    pytest.param("As you like it.", False, False, id="to-the-reader"),
    pytest.param("A seemly, justified, unlikely mustard.", True, True, id="parts-of-words"),
]


@pytest.mark.parametrize(("text", "as_comment", "as_statement"), TEXTS)
def test_a_text(text, as_comment, as_statement):
    assert (not list(lint_words("x", text, explains=True))) is as_comment
    assert (not list(lint_words("x", text, explains=False))) is as_statement


@pytest.mark.parametrize("word", [word for word in (*NOWHERE, *NOT_IN_EXPLANATIONS) if "(" not in word])
def test_every_word_of_the_lists_counts(word):
    word = word.replace("?", "")
    explained, stated = (list(lint_words("x", f"So {word} it is.", explains=one)) for one in (True, False))
    assert explained == [f"x states no fact: {word!r}"]
    assert bool(stated) is (word not in NOT_IN_EXPLANATIONS)


@pytest.mark.parametrize("word", ORDERS)
def test_every_order_counts(word):
    assert list(lint_words("x", f"{word} it.", explains=True))
    assert not list(lint_words("x", f"{word} it.", explains=False))
