"""Survivors grouped by their witnesses: each becomes a candidate for a vector, labelled by the automaton."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from urlharness.generate.labels import Labeller
from urloracle import InvalidURL, validate
from urloracle.expression import Reference
from urloracle.specifications import specification

#: Rules of whole texts, which are open nearly everywhere.
_WHOLE = {
    "URI",
    "absolute-URI",
    "relative-ref",
    "absoluteURI",
    "relativeURI",
    "absoluteURL",
    "relativeURL",
    "generic-RL",
}


def candidates(spec: str, survivors: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each rule and witness a candidate, in the order of rule and text.

    A candidate has `op`, `rule`, `url`, `expect`, `binding` and `ruling` as a vector has them, and in
    `mutants` what it tells: pairs of the changed rule and the operator.
    """
    found: dict[tuple[str, str, bool], set[tuple[str, str]]] = {}
    for one in survivors:
        key = (one["rule"], one["witness"], one["components"])
        found.setdefault(key, set()).add((one["changed"], one["operator"]))
    labellers: dict[str, Labeller] = {}
    result = []
    for (rule, text, components), mutants in sorted(found.items()):
        if rule not in labellers:
            labellers[rule] = Labeller(specification(spec), rule)
        verdict, split = labellers[rule].labels(text)
        label = split if components and split is not None else verdict
        expect = msgspec.to_builtins(label.expect)
        if label.expect.valid is False:
            expect["rules"] = telling_rules(spec, rule, text, {name for name, _ in mutants})
        one = {"op": "parse" if components else "validate", "rule": rule, "url": text, "expect": expect}
        one |= {"binding": label.binding} | ({"ruling": label.ruling} if label.ruling else {})
        result.append({**one, "mutants": sorted(mutants)})
    return result


def telling_rules(spec: str, rule: str, text: str, changed: Collection[str] = ()) -> list[str]:
    """Of the rules that are open where a text is refused those that tell most.

    These are the changed ones; else the innermost that was not open at the beginning, if it can be one that
    derives more than single characters; else the outermost but for the rules of whole texts.
    """
    opened = _open_rules(spec, rule, text)
    if telling := [name for name in opened if name in changed]:
        return telling
    grammar = specification(spec).grammar
    at_first = set(_open_rules(spec, rule, "\x00"))
    later = [name for name in opened if name not in at_first]
    longer = [name for name in later if grammar.character_class(Reference(name)) is None]
    if later:
        return (longer or later)[-1:]
    parts = [name for name in opened if name != rule and name not in _WHOLE]
    return (parts or opened)[:1]


def _open_rules(spec: str, rule: str, text: str) -> list[str]:
    """The rules that are open where the text is refused; the grammar alone says so."""
    try:
        validate(text, spec, rule=rule)
    except InvalidURL as error:
        return list(error.rules)
    raise AssertionError(text)
