"""Checks of the words of the corpus: what is written there states facts, and neither hedges nor gives orders.

Two lists of words: one for every text, and one more for what explains a case.  A statement of an RFC and the
reading of a ruling may oblige, for they tell what the RFC says; a comment tells what is so.  What stands in
quotation marks or backticks is somebody else's word and counts as none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Doubt, emphasis without content, talk to the reader, and notes that somebody left for later.
NOWHERE = (
    "apparently", "arguably", "basically", "clearly", "hopefully", "I think", "likely", "maybe", "obviously",
    "of course", "presumably", "probably", "roughly", "seem", "seemingly", "seems", "simply", "somewhat",
    "sort of", "supposedly", "surely", "unclear", "unsure",
    "make sure", "our", "please", "we", "you", "your",
    "FIXME", "TBD", "TODO", "XXX",
    "ensures? that", "(?:it|that|this|vector|case) (?:asserts|checks|ensures|tests|verifies)",
    "(?:checks|tests|verif(?:y|ies)) (?:if|that|whether)",
)  # fmt: skip


#: Words of obligation and of doubt, which only the text of an RFC may have.
NOT_IN_EXPLANATIONS = (
    "expect", "expected", "expects", "just", "must", "ought", "perhaps", "possibly", "shall", "should",
    "supposed",
)  # fmt: skip


#: What a sentence of a statement does not begin with: an order.
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
    """What is wrong with the words of a field, as clauses; `explains` tells what is no text of an RFC."""
    own = _QUOTED.sub("``", text)
    found = (_EXPLAINED if explains else _STATED).search(own)
    if found:
        yield f"{field} states no fact: {found[1]!r}"
    if _EMPHASIS.search(own):
        yield f"{field} states no fact: '!'"
    order = _ORDER.search(own) if explains else None
    if order:
        yield f"{field} gives an order: {order[1]!r}"
