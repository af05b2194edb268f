"""The entries of a fuzzer's dictionary: literals, delimiters, triplets, numbers, characters of IRIs."""

from __future__ import annotations

from collections.abc import Iterator

from urlharness.words.boundary import DELIMITERS, NUMBERS
from urlharness.words.members import ALL_MEMBERS
from urloracle.grammar.expression import Characters, Expression, Reference, Sequence, walk
from urloracle.grammar.grammar import Grammar

#: Encoded delimiters, dots, line ends, NUL, a percent sign, bytes that are UTF-8 or not.
_TRIPLETS = (
    "%00",
    "%09",
    "%0A",
    "%0D",
    "%0D%0A",
    "%20",
    "%23",
    "%25",
    "%2525",
    "%2E",
    "%2e%2e",
    "%2F",
    "%3A",
    "%3F",
    "%40",
    "%5B",
    "%5C",
    "%5D",
    "%7E",
    "%7F",
    "%80",
    "%C0%AF",
    "%C3%A9",
    "%FF",
)
_DELIMITERS = (
    "://",
    "//",
    "/",
    "/./",
    "/../",
    "..",
    ":@",
    "@",
    "?",
    "#",
    "[",
    "]",
    "[::]",
    "::",
    "\\",
    ";",
    "%",
)


def dictionary_entries(grammar: Grammar, rule: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) of each entry for a rule, without repetition."""
    seen = {""}
    groups = {
        "literal": literals(grammar, rule),
        "delimiter": iter((*_DELIMITERS, *DELIMITERS)),
        "triplet": iter(_TRIPLETS),
        "number": iter(NUMBERS),
        "character": iter(ALL_MEMBERS if _reads_beyond_ascii(grammar, rule) else ""),
    }
    for kind, texts in groups.items():
        for text in texts:
            if text not in seen:
                seen.add(text)
                yield kind, text


def literals(grammar: Grammar, rule: str) -> Iterator[str]:
    """Yield the literals of two or more characters in a rule and the rules that it refers to."""
    for part in _parts(grammar, rule):
        yield from _runs(part)


def _reads_beyond_ascii(grammar: Grammar, rule: str) -> bool:
    """Return True if a text of a rule may have a character beyond ASCII."""
    for part in _parts(grammar, rule):
        if isinstance(part, Characters) and not all(map(str.isascii, part.members)):
            return True
    return False


def _parts(grammar: Grammar, rule: str) -> Iterator[Expression]:
    """Yield the expressions in a rule and in the rules that it refers to."""
    names = sorted({grammar.canonical_name(rule), *grammar.reachable(rule)})
    for name in names:
        yield from walk(grammar[name])


def _runs(expression: Expression) -> Iterator[str]:
    """Yield the literals in a sequence, in lower case: runs of items that allow only one character."""
    if not isinstance(expression, Sequence):
        return
    run = ""
    end_of_sequence = Reference("")
    for part in (*expression.elements, end_of_sequence):
        if isinstance(part, Characters) and len({char.lower() for char in part.members}) == 1:
            run += min(part.members).lower()
            continue
        if len(run) > 1:
            yield run
        run = ""
