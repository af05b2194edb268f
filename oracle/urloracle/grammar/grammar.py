"""Grammars: the rules of one RFC by name, with the section that defines each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from os.path import commonprefix
from typing import Any

from urloracle.grammar.alphabet import only_character
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    references,
)
from urloracle.grammar.notation import ABNF, RFC822, GrammarText, NotationError, Production, read


class UnknownRule(KeyError):
    """The grammar has no rule with this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known

    def __str__(self) -> str:
        return f"no rule named {self.name!r}"


@dataclass(frozen=True)
class Grammar:
    """The rules of an RFC, their printed names and their sections, all by lower-case name.

    `fold_scheme` contains the lower-case names of the rules whose scheme is case-insensitive, and `core`
    those of the rules that only name letters and digits for the others.
    """

    rules: Mapping[str, Expression]
    names: Mapping[str, str]
    sections: Mapping[str, str]
    fold_scheme: frozenset[str] = frozenset()
    core: frozenset[str] = frozenset()
    #: The text of the files, or "" if the grammar was changed after it was read.
    text: str = field(default="", init=False, compare=False, repr=False)
    #: Cache of rules with expanded references, by lower-case name (filled by `regex.rewriting.expand`).
    expanded: dict[str, Expression] = field(default_factory=dict, init=False, compare=False, repr=False)
    #: Cache of the position automata of rules, by printed name (filled by `automata.positions`).
    automata: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    _classes: dict[str, frozenset[str] | None] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    _reachable: dict[str, frozenset[str]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __getitem__(self, name: str) -> Expression:
        try:
            return self.rules[name.lower()]
        except KeyError:
            raise UnknownRule(name, tuple(self)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names.values())

    def __contains__(self, name: str) -> bool:
        return name.lower() in self.rules

    def canonical_name(self, name: str) -> str:
        """Return the name as the RFC prints it.  Raise UnknownRule if there is no such rule."""
        self[name]  # raises UnknownRule
        return self.names[name.lower()]

    def section(self, name: str) -> str:
        """Return the section of the RFC that defines the rule."""
        return self.sections[name.lower()]

    def reachable(self, name: str) -> frozenset[str]:
        """Return the lower-case names of a rule and of all rules that it uses, directly or indirectly."""
        folded = name.lower()
        if folded not in self._reachable:
            inside = (self.reachable(reference) for reference in references(self[name]))
            self._reachable[folded] = frozenset((folded,)).union(*inside)
        return self._reachable[folded]

    def character_class(self, expression: Expression) -> frozenset[str] | None:
        """Return the set of characters if the expression is a choice of single characters, otherwise None.

        References are followed. A sequence or repetition is None even if all its words have one character.
        """
        match expression:
            case Characters(members):
                return members
            case Reference(name):
                if name not in self._classes:
                    self._classes[name] = self.character_class(self[name])
                return self._classes[name]
            case Alternation(elements):
                united: set[str] = set()
                for element in elements:
                    characters = self.character_class(element)
                    if characters is None:
                        return None
                    united |= characters
                return frozenset(united)
            case _:
                return None

    def literal_prefix(self, expression: Expression) -> str:
        """Return a literal text with which every word of the expression begins, or an empty text.

        It need not be the longest: repetitions, for instance, are not examined.
        """
        match expression:
            case Characters(members):
                return only_character(members) or ""
            case Reference(name):
                return self.literal_prefix(self[name])
            case Sequence(elements):
                prefix = ""
                for element in elements:
                    prefix += self.literal_prefix(element)
                    if not isinstance(element, Characters):
                        break
                return prefix
            case Alternation(elements):
                return commonprefix([self.literal_prefix(element) for element in elements])  # noqa: RUF071 - of strings
            case Repetition() | Capture():
                return ""

    def overlay(self, text: GrammarText) -> Grammar:
        """Return the grammar with the rules of another file, which replace the rules with the same names."""
        added = _grammar(text)
        return replace(
            self,
            rules={**self.rules, **added.rules},
            names={**self.names, **added.names},
            sections={**self.sections, **added.sections},
            fold_scheme=self.fold_scheme | added.fold_scheme,
            core=self.core | added.core,
        )


def load(*files: str) -> Grammar:
    """Return the grammar of the first file in `grammars/`, overlaid with the other files in order.

    Raise NotationError if a file has a syntax error, defines a rule twice, or refers to an undefined rule.
    """
    texts = [source(name) for name in files]
    notations = (ABNF if name.endswith(".abnf") else RFC822 for name in files)
    first, *overlays = map(read, texts, notations)
    grammar = _grammar(first)
    for overlay in overlays:
        grammar = grammar.overlay(overlay)
    for name in grammar:
        for reference in references(grammar[name]):
            if reference not in grammar:
                raise NotationError(f"rule {name} refers to {reference}, which is not defined")
    # set here, because a grammar that `replace` or `overlay` makes has no text
    object.__setattr__(grammar, "text", "".join(texts))
    return grammar


def source(name: str) -> str:
    """Return the text of a file in `grammars/`."""
    return (resources.files("urloracle") / "grammars" / name).read_text(encoding="ascii")


def _grammar(text: GrammarText) -> Grammar:
    """Return the grammar of one file.  Raise NotationError if it defines a rule twice."""
    productions: dict[str, Production] = {}  # by lower-case name
    for production in text.productions:
        name = production.name.lower()
        if name in productions:
            raise NotationError(f"rule {production.name} is defined twice")
        productions[name] = production
    return Grammar(
        rules={name: production.expression for name, production in productions.items()},
        names={name: production.name for name, production in productions.items()},
        sections={name: production.section for name, production in productions.items()},
        fold_scheme=text.fold_scheme,
        core=text.core,
    )
