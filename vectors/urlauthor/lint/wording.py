"""Checks of the wording of the corpus: its texts state facts; they do not hedge, and do not give orders.

Two lists of words: one for every text, and another for texts that explain a case.  The statement of an RFC
and the reading of a ruling may oblige, since they say what the RFC says; a comment says what is true.  Words
in quotation marks or backticks are quotations, and are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Doubt, empty emphasis, words to the reader, and notes to do something later.
NOWHERE = (
    "apparently", "arguably", "basically", "clearly", "hopefully", "I think", "likely", "maybe", "obviously",
    "of course", "presumably", "probably", "roughly", "seem", "seemingly", "seems", "simply", "somewhat",
    "sort of", "supposedly", "surely", "unclear", "unsure",
    "make sure", "our", "please", "we", "you", "your",
    "FIXME", "TBD", "TODO", "XXX",
    "ensures? that", "(?:it|that|this|vector|case) (?:asserts|checks|ensures|tests|verifies)",
    "(?:checks|tests|verif(?:y|ies)) (?:if|that|whether)",
)  # fmt: skip

#: Words of obligation and of doubt, which only statements of an RFC may have.
NOT_IN_EXPLANATIONS = (
    "expect", "expected", "expects", "just", "must", "ought", "perhaps", "possibly", "shall", "should",
    "supposed",
)  # fmt: skip

#: Orders, which no sentence of an explanation begins with.
ORDERS = (
    "Accept", "Assert", "Check", "Do not", "Ensure", "Expect", "Make", "Never", "Note", "Parse", "Refuse",
    "Reject", "Remember", "Resolve", "Return", "Test", "Try", "Verify",
)  # fmt: skip


_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")
_ORDER = re.compile(rf"(?:^|[.;:!?] )({'|'.join(ORDERS)})\b")
_EMPHASIS = re.compile(r"[A-Za-z]{2}(!)(?=\s|$)")


def _words(*lists: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(word for words in lists for word in words)})\b", re.IGNORECASE)


_STATED = _words(NOWHERE)
_EXPLAINED = _words(NOWHERE, NOT_IN_EXPLANATIONS)


def lint_words(field: str, text: str, *, explains: bool) -> Iterator[str]:
    """Yield what is wrong with the words of a field; `explains` is True if the text is not an RFC's."""
    unquoted = _QUOTED.sub("``", text)
    found = (_EXPLAINED if explains else _STATED).search(unquoted)
    if found:
        yield f"{field} states no fact: {found[1]!r}"
    if _EMPHASIS.search(unquoted):
        yield f"{field} states no fact: '!'"
    order = _ORDER.search(unquoted) if explains else None
    if order:
        yield f"{field} gives an order: {order[1]!r}"
