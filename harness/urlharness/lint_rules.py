"""Checks of the names of rules: each is one of the grammar of its RFC, and open where it can be.

Names and references come from the grammars; the oracle is asked for no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from urloracle.grammar import Grammar, load
from urloracle.specifications import SPECIFICATIONS


def has_rule(spec: str, rule: str) -> bool:
    """True where the RFC has a rule of that name, which the RFCs spell in either case."""
    return rule in SPECIFICATIONS[spec].grammar


def lint_rules(spec: str, vector: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the rules that a vector names, as clauses.

    An open rule is one that derives a part of what the asked rule derives; where no rule is asked, of what
    a whole URL or an absolute one is.
    """
    prose = vector.get("profile") == "prose"
    grammar = _grammar(spec, prose=prose)
    asked = vector.get("rule")
    if asked is not None:
        yield from _lint_name(grammar, spec, asked)
        if asked not in grammar:
            return
    reachable = _reachable(spec, asked, prose=prose)
    for answer in vector["expect"].get("any", [vector["expect"]]):
        for rule in answer.get("rules", ()):
            yield from _lint_name(grammar, spec, rule)
            if rule in grammar and rule.lower() not in reachable:
                yield f"rule {rule} is never open in {asked or 'a whole URL'}"


def _lint_name(grammar: Grammar, spec: str, rule: str) -> Iterator[str]:
    if rule not in grammar:
        yield f"{spec} has no rule {rule}"
    elif grammar.canonical_name(rule) != rule:
        yield f"rule {rule} is spelled {grammar.canonical_name(rule)}"


@cache
def _grammar(spec: str, *, prose: bool) -> Grammar:
    found = SPECIFICATIONS[spec]
    return load(*found.files, *found.prose_files) if prose else found.grammar


@cache
def _reachable(spec: str, asked: str | None, *, prose: bool) -> frozenset[str]:
    """Folded names of the rules that may be open: with that of unknown schemes where schemes decide."""
    found = SPECIFICATIONS[spec]
    roots = {asked or found.default_rule}
    if asked is None and found.absolute is not None:
        roots.add(found.absolute)
    if found.unknown_scheme is not None and (asked or found.default_rule).lower() == found.by_scheme:
        roots.add(found.unknown_scheme)
    grammar = _grammar(spec, prose=prose)
    return frozenset().union(*(grammar.reachable(root) for root in roots))
