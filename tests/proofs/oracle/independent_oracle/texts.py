"""Random questions: a rule, and a text from its grammar, an edit away from one, at random, or stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from random import Random
from typing import NamedTuple

from .components import WHOLE
from .recogniser import FILES, HELPERS, grammar

#: What edits put in: delimiters, characters of every class, and characters that no grammar has.
INTRUDERS = ":/?#[]@!$&'()*+,;=%-._~aAfFgGzZ019\"<>\\^`{|} \t\r\n\x00\x7f\x80\u00e9\u2028\U0001f600"

#: Pieces that random texts are made of.
PIECES = (
    *":/?#[]@;=&%.-+~*aA1h",
    *("", "//", "..", "./", "../", "::", "%09", "%2E", "%2f", "%7e", "%C3", "255", "256", "h.x", "x-"),
    *("http:", "ftp://", "file:///", "gopher://h/", "news:", "wais://", "prospero://h/", "mailto:"),
    *("localhost", ";type=", "[::1]", "v1.", "Base:", "<URL:", ":80", ":0"),
)


class Question(NamedTuple):
    """A question: does a rule of an RFC accept a text?"""

    spec: str
    rule: str
    text: str


def questions(spec: str, count: int, seed: int, stored: Sequence[str]) -> Iterator[Question]:
    """Yield so many questions about an RFC; every second one is about a whole URL or reference.

    The others are about each rule in turn, the rules for one character less often.  `stored` are texts that
    fit no rule in particular.
    """
    random = Random(f"{seed} {spec}")
    names = grammar(spec).names - HELPERS.get(spec, set())
    rules = cycle(3 * sorted(names - grammar(spec).classes) + sorted(names & grammar(spec).classes))
    whole = cycle(sorted(WHOLE[spec]))
    for number in range(count):
        rule = next(whole if number % 2 else rules)
        yield Question(spec, rule, _text(random, spec, rule, stored))


def _text(random: Random, spec: str, rule: str, stored: Sequence[str]) -> str:
    """Return a text of one of several kinds; most are texts of the rule, or edits of such texts."""
    (kind,) = random.choices(("walk", "edit", "elsewhere", "random", "stored"), (35, 40, 10, 5, 10))
    match kind:
        case "walk":
            return grammar(spec).walk(random, rule)
        case "edit":
            start = random.choice(stored) if random.random() < 0.2 else grammar(spec).walk(random, rule)
            return _edited(random, start)
        case "elsewhere":
            return _other(random, spec, rule)
        case "random":
            alphabet = random.choices(PIECES, k=random.randint(2, 6))
            return "".join(random.choices(alphabet, k=random.randint(0, 10)))
    return random.choice(stored)


def _other(random: Random, spec: str, rule: str) -> str:
    """Return a text of the same rule in another RFC if there is one, or of another rule."""
    others = [file for file in FILES if file != spec and rule in grammar(file).names]
    if others and random.random() < 0.5:
        return grammar(random.choice(others)).walk(random, rule)
    file_name = random.choice(list(FILES))
    return grammar(file_name).walk(
        random, random.choice(sorted(WHOLE[file_name] if rule in WHOLE[spec] else grammar(file_name).names))
    )


def _edited(random: Random, text: str) -> str:
    """Return the text after one edit: a character is new, lost, doubled, in other case, or the next one."""
    marks = [index for index, char in enumerate(text) if not char.isalnum()]
    if marks and random.random() < 0.4:
        return _edited_at(random, text, random.choice(marks))
    return _edited_at(random, text, random.randint(0, len(text)))


def _edited_at(random: Random, text: str, index: int) -> str:
    """Return the text after an edit at an index, which may do nothing."""
    new = random.choice(random.choice((INTRUDERS, text or "a")))
    before = text[:index]
    character = text[index : index + 1]
    after = text[index + 1 :]
    match random.randrange(7):
        case 0:
            return before + new + character + after
        case 1:
            return before + new + after
        case 2:
            return before + after
        case 3:
            return before + character + character + after
        case 4:
            return before + character.swapcase() + after
        case 5 if character and ord(character) < 127:
            return before + chr(ord(character) + random.choice((-1, 1)) & 127) + after
    return before
