"""The notations of the RFCs: RFC 822 notation (used by RFC 1738, 1808 and 2396) and ABNF (RFC 2234).

One reader reads both notations.  A `Dialect` contains the two options in which they differ.

Comments that begin with `;!` are directives.  `section N` names the section of the rules after it.
`fold-scheme RULING RULE…` lists rules whose scheme is case-insensitive.  `core RULE…` lists rules that only
name letters and digits for the others, as the core rules of RFC 2234 do.  The reader ignores `extends SPEC`,
and `published RULING` with the `;!` lines after it, which quote the production as the RFC prints it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from urloracle.grammar.alphabet import letters_between
from urloracle.grammar.expression import (
    EMPTY,
    Alternation,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    literal,
    optional,
)


class NotationError(ValueError):
    """A grammar text has a syntax error, defines a rule twice, or refers to an undefined rule."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The options of a notation.

    `fold_literals` is true if quoted literals are case-insensitive (G-03).  If
    `brackets_group_after_repetition` is true, `2[x]` means `xx`, because brackets after a number only group
    (G-01).
    """

    fold_literals: bool
    brackets_group_after_repetition: bool


RFC822 = Dialect(fold_literals=False, brackets_group_after_repetition=True)
ABNF = Dialect(fold_literals=True, brackets_group_after_repetition=False)


class Production(NamedTuple):
    """One rule: its name, its expression, and the section of the RFC that defines it."""

    name: str
    expression: Expression
    section: str


@dataclass(frozen=True, slots=True)
class GrammarText:
    """The contents of a grammar file."""

    productions: tuple[Production, ...]
    fold_scheme: frozenset[str] = frozenset()
    core: frozenset[str] = frozenset()


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+)|(?P<line>\n)|;!(?P<directive>[^\n]*)|(?P<comment>;[^\n]*)
      |(?P<rule>[A-Za-z][A-Za-z0-9+_-]*)(?=[ \t]*=)
      |(?P<name>[A-Za-z][A-Za-z0-9+_-]*)
      |"(?P<literal>[^"\n]*)"|(?P<quote><">)|<(?P<prose>[^>\n]*)>
      |%x(?P<range>[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)?)
      |(?P<repeat>\d*\*\d*|\d+)|(?P<equals>=)|(?P<either>[|/])|(?P<bracket>[\[\]()])""",
    re.VERBOSE,
)


def read(text: str, dialect: Dialect) -> GrammarText:
    """Parse a grammar file.  Raise NotationError if it has a syntax error."""
    return _Reader(text, dialect).grammar()


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the tokens of a grammar file, without blanks and comments, and at last one of kind `end`.

    Raise NotationError at a character that begins no token.
    """
    position = 0
    line = 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise NotationError(f"line {line}: unexpected {text[position]!r}")
        kind = match.lastgroup
        assert kind is not None  # every alternative is named
        if kind == "line":
            line += 1
        elif kind not in ("blank", "comment"):
            yield _Token(kind, match[kind], line)
        position = match.end()
    yield _Token("end", "", line)


@dataclass
class _Reader:
    """A recursive-descent parser: the method of a construct reads it, and returns its expression.

    The method of a directive only notes what it says.
    """

    text: str
    dialect: Dialect
    section: str = ""
    productions: list[Production] = field(default_factory=list)
    fold_scheme: set[str] = field(default_factory=set)
    core: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._stream = list(_tokens(self.text))
        self._position = 0

    def grammar(self) -> GrammarText:
        """Read the whole text. Raise NotationError where it is not in the notation."""
        while self._kind != "end":
            if self._kind == "directive":
                self._directive()
                continue
            name = self._take("rule", "a rule name followed by =").text
            self._take("equals", "=")
            self.productions.append(Production(name, self._alternation(), self.section))
        return GrammarText(tuple(self.productions), frozenset(self.fold_scheme), frozenset(self.core))

    @property
    def _kind(self) -> str:
        return self._stream[self._position].kind

    def _next(self) -> _Token:
        token = self._stream[self._position]
        self._position += 1
        return token

    def _take(self, kind: str, expected: str) -> _Token:
        """Read a token.  Raise NotationError, with what was expected, if it is of another kind."""
        token = self._next()
        if token.kind != kind:
            raise _unexpected(token, expected)
        return token

    def _directive(self) -> None:
        token = self._next()
        word, _, rest = token.text.partition(" ")
        if word == "section":
            self.section = rest.strip()
        elif word == "fold-scheme":
            rules = rest.split()[1:]  # after the ruling
            self.fold_scheme.update(name.lower() for name in rules)
        elif word == "core":
            self.core.update(name.lower() for name in rest.split())
        elif word not in ("extends", "published", ""):  # "": a blank after `;!` continues `published`
            raise NotationError(f"line {token.line}: unknown directive {word!r}")

    def _alternation(self) -> Expression:
        elements = [self._sequence()]
        while self._kind == "either":
            self._next()
            elements.append(self._sequence())
        return elements[0] if len(elements) == 1 else Alternation(tuple(elements))

    def _sequence(self) -> Expression:
        elements: list[Expression] = []
        while self._kind in _STARTS or self._is_at_opening_bracket:
            elements.append(self._repetition())
        if not elements:
            raise _unexpected(self._stream[self._position], "an element")
        return elements[0] if len(elements) == 1 else Sequence(tuple(elements))

    @property
    def _is_at_opening_bracket(self) -> bool:
        token = self._stream[self._position]
        return token.kind == "bracket" and token.text in "[("

    def _repetition(self) -> Expression:
        if self._kind != "repeat":
            return self._element(after_repetition=False)
        token = self._next()
        low, star, high = token.text.partition("*")
        minimum = int(low) if low else 0
        maximum: int | None = minimum
        if star:
            maximum = int(high) if high else None
        if maximum is not None and maximum < minimum:
            raise NotationError(f"line {token.line}: {token.text}: the maximum is below the minimum")
        if self._kind == "prose" and maximum == 0:
            self._next()  # RFC 3986, rule path-empty: `0<pchar>`
            return EMPTY
        return Repetition(self._element(after_repetition=True), minimum, maximum)

    def _element(self, *, after_repetition: bool) -> Expression:
        token = self._next()
        if token.kind == "bracket" and token.text in "[(":
            inner = self._alternation()
            bracket = ")" if token.text == "(" else "]"
            closing = self._take("bracket", bracket)
            if closing.text != bracket:
                raise _unexpected(closing, bracket)
            groups = after_repetition and self.dialect.brackets_group_after_repetition
            return inner if token.text == "(" or groups else optional(inner)
        if token.kind == "literal":
            if not token.text.isascii():  # RFC 2234, section 2.3
                raise NotationError(f'line {token.line}: "{token.text}" is not ASCII')
            return literal(token.text, fold_case=self.dialect.fold_literals)
        if token.kind in _ELEMENTS:
            return _ELEMENTS[token.kind](token)
        raise _unexpected(token, "an element")


def _unexpected(token: _Token, expected: str) -> NotationError:
    actual = repr(token.text) if token.kind != "end" else "the end"
    return NotationError(f"line {token.line}: expected {expected}, found {actual}")


def _prose(token: _Token) -> Expression:
    raise NotationError(f"line {token.line}: prose is not supported: <{token.text}>")


def _range(token: _Token) -> Expression:
    """Return the expression of `%xLOW-HIGH` or `%xCODE`.

    Raise NotationError if the range divides a range of the alphabet, whose characters are one letter.
    """
    first, _, last = token.text.partition("-")
    low = int(first, 16)
    high = int(last, 16) if last else low
    letters = letters_between(low, high)
    if letters is None:
        raise NotationError(f"line {token.line}: %x{token.text} is not a range of the alphabet")
    return Characters(letters)


_ELEMENTS: Mapping[str, Callable[[_Token], Expression]] = {
    "name": lambda token: Reference(token.text),
    "quote": lambda _: Characters(frozenset('"')),  # <"> is one double quote (G-04)
    "prose": _prose,
    "range": _range,
}

#: The kinds of tokens, other than brackets, with which a repetition or an element begins.
_STARTS = frozenset({"repeat", "literal", *_ELEMENTS})
