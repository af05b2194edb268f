"""DFAs that are made of the text of the ABNF of RFC 3987 by derivatives; nothing here comes from the oracle.

A state is an expression: what may follow the characters that have been read.  The state after a character is
the derivative of the expression by this character.  A state that derives nothing is never kept, so the first
character without a next state is the first wrong one.

The reader takes the text of the RFC itself, or that of a file in which its productions are printed.  It finds
the characters that need no state of their own from the numbers that the ABNF prints.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from functools import cache

#: The core rules that the ABNF refers to (RFC 2234, section 6.1).
CORE = """
ALPHA = %x41-5A / %x61-7A
DIGIT = %x30-39
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
"""

_RUNNING_LINES = re.compile(r"^(?:\S.*\[Page \d+\]|RFC \d+ .*)$", re.MULTILINE)
_PRODUCTION = re.compile(r"^ {0,3}([A-Za-z][\w-]*) *=(.*)$")
_CONTINUATION = re.compile(r"^ {4,}\S")
_COMMENT = re.compile(r'("[^"\n]*")|;[^\n]*')
_TOKEN = re.compile(r'"[^"]*"|%x[0-9A-F]+(?:-[0-9A-F]+)?|<[^>]*>|\d*\*\d*|\d+|[A-Za-z][\w-]*|[\[\]()/]')

#: An expression is a tuple whose first member says what it is; `ranges` are pairs of code points.
Expression = tuple[object, ...]
NOTHING: Expression = ("choice", frozenset())
EMPTY: Expression = ("empty",)


def section_of_abnf(rfc_text: str) -> str:
    """Return the part of RFC 3987 that prints the ABNF, without the lines at the ends of pages."""
    begin = rfc_text.index("The following rules are different from those in [RFC3986]:")
    end = rfc_text.index("This syntax does not support IPv6 scoped addressing zone identifiers.")
    return _RUNNING_LINES.sub("", rfc_text[begin:end])


def productions(text: str) -> dict[str, list[str]]:
    """Return the tokens of each production; a line with a greater indentation continues it."""
    bodies: dict[str, str] = {}
    name = ""
    for line in _COMMENT.sub(lambda match: match[1] or "", text).splitlines():
        production = _PRODUCTION.match(line)
        if production:
            name = production[1].lower()
            bodies[name] = production[2]
        elif name and _CONTINUATION.match(line):
            bodies[name] += line
    return {name: _TOKEN.findall(body) for name, body in bodies.items()}


class AbnfDfas:
    """The DFAs of the rules of an ABNF."""

    def __init__(self, text: str) -> None:
        self._tokens = productions(CORE) | productions(text)
        self._rules = {name: self._choice(deque(tokens)) for name, tokens in self._tokens.items()}
        self._cuts = sorted(self._ends_of_ranges())
        self._derivative = cache(self._derivative_by_kind)
        self._nullable = cache(self._is_nullable)

    @property
    def names(self) -> frozenset[str]:
        """The names of the rules, in lower case."""
        return frozenset(self._rules)

    def first_wrong(self, text: str, rule: str) -> int | None:
        """Return the offset of the first character with which no text of the rule goes on.

        Return the length of a text that ends too early, and None for a text of the rule.
        """
        state = self._rules[rule.lower()]
        for offset, char in enumerate(text):
            state = self._derivative(state, self._kind(char))
            if state == NOTHING:
                return offset
        return None if self._nullable(state) else len(text)

    # ---- reading

    def _choice(self, tokens: deque[str]) -> Expression:
        alternatives = [self._row(tokens)]
        while tokens and tokens[0] == "/":
            tokens.popleft()
            alternatives.append(self._row(tokens))
        return choice(*alternatives)

    def _row(self, tokens: deque[str]) -> Expression:
        elements = []
        while tokens and tokens[0] not in "/)]":
            elements.append(self._element(tokens))
        expression = EMPTY
        for element in reversed(elements):
            expression = row(element, expression)
        return expression

    def _element(self, tokens: deque[str]) -> Expression:
        times = tokens.popleft() if tokens[0][0].isdigit() or tokens[0][0] == "*" else "1"
        token = tokens.popleft()
        if token in ("(", "["):
            element = self._choice(tokens)
            tokens.popleft()
            if token == "[":
                element = choice(element, EMPTY)
        elif token.startswith("%x"):
            low, _, high = token[2:].partition("-")
            element = ("ranges", ((int(low, 16), int(high or low, 16)),))
        elif token.startswith('"'):
            element = literal(token[1:-1])
        else:
            element = ("rule", token.strip("<>").lower())
        low, star, high = times.partition("*")
        return repeated(element, int(low or 0), int(high or -1) if star else int(low))

    # ---- states

    def _ends_of_ranges(self) -> set[int]:
        """Return the first code point of each range of characters, and the one after each."""
        cuts = {0}
        for tokens in self._tokens.values():
            for token in tokens:
                if token.startswith("%x"):
                    low, _, high = token[2:].partition("-")
                    cuts |= {int(low, 16), int(high or low, 16) + 1}
                elif token.startswith('"'):
                    for char in token[1:-1].lower() + token[1:-1].upper():
                        cuts |= {ord(char), ord(char) + 1}
        return cuts

    def _kind(self, char: str) -> int:
        """Return the first code point of those that every rule treats as it treats a character."""
        return self._cuts[bisect_right(self._cuts, ord(char)) - 1]

    def _is_nullable(self, state: Expression) -> bool:
        match state:
            case ("empty",) | ("star", _):
                return True
            case ("rule", name):
                return self._nullable(self._rules[name])
            case ("row", first, rest):
                return self._nullable(first) and self._nullable(rest)
            case ("choice", alternatives):
                return any(map(self._nullable, alternatives))
        return False

    def _derivative_by_kind(self, state: Expression, code: int) -> Expression:
        match state:
            case ("ranges", ranges):
                return EMPTY if any(low <= code <= high for low, high in ranges) else NOTHING
            case ("rule", name):
                return self._derivative(self._rules[name], code)
            case ("star", repeated_part):
                return row(self._derivative(repeated_part, code), state)
            case ("choice", alternatives):
                return choice(*(self._derivative(part, code) for part in alternatives))
            case ("row", first, rest):
                after_first = row(self._derivative(first, code), rest)
                if not self._nullable(first):
                    return after_first
                return choice(after_first, self._derivative(rest, code))
        return NOTHING


def choice(*alternatives: Expression) -> Expression:
    """Return the expression of all alternatives; their order and repetitions do not matter."""
    members: set[Expression] = set()
    for alternative in alternatives:
        members |= alternative[1] if alternative[0] == "choice" else {alternative}
    return members.pop() if len(members) == 1 else ("choice", frozenset(members))


def row(first: Expression, rest: Expression) -> Expression:
    """Return the expression of two parts, one after the other."""
    if NOTHING in (first, rest):
        return NOTHING
    if EMPTY in (first, rest):
        return rest if first == EMPTY else first
    if first[0] == "row":
        return ("row", first[1], row(first[2], rest))
    return ("row", first, rest)


def repeated(element: Expression, least: int, most: int) -> Expression:
    """Return the expression of an element that stands `least` to `most` times; -1 means without a limit."""
    expression = ("star", element) if most < 0 else EMPTY
    for _ in range(most - least):
        expression = choice(EMPTY, row(element, expression))
    for _ in range(least):
        expression = row(element, expression)
    return expression


def literal(text: str) -> Expression:
    """Return the expression of a quoted text, which matches in either case (RFC 2234, section 2.3)."""
    expression = EMPTY
    for char in reversed(text):
        codes = {ord(char.lower()), ord(char.upper())}
        expression = row(("ranges", tuple((code, code) for code in sorted(codes))), expression)
    return expression
