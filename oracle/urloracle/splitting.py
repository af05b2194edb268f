"""The split tables of the rules for whole URLs, and the components that the tables find.

A split table is the second way to find components, beside the `re` patterns: an automaton that reads a text
once and remembers where each component begins and ends (see `automata.split_table`).  It is made of the same
expression as the patterns (see `rfc.captures`), so both find the same components.  The C engine runs packed
tables; the harness runs tables to check what the patterns find, and to split whole columns of URLs.
"""

from __future__ import annotations

from urloracle import native
from urloracle.automata.packed import pack, unpack
from urloracle.automata.split_table import SplitTable, build_split_table
from urloracle.grammar.expression import Expression
from urloracle.rfc.captures import SPLITTINGS, capture_components
from urloracle.rfcs import specification
from urloracle.specification import Specification

__all__ = ["SPLITTINGS", "packed_tables", "ready_split_table", "split_expression", "split_table"]


def split_expression(spec: Specification, rule: str) -> tuple[tuple[str, ...], Expression]:
    """Return the names of a rule's components, and an expression of the rule that captures them.

    Raise KeyError if `SPLITTINGS` does not contain the rule.
    """
    return capture_components(spec.id, rule, spec.grammar)


def split_table(spec: str | Specification, rule: str) -> SplitTable:
    """Return the split table of a rule.  Raise KeyError if `SPLITTINGS` does not contain the rule."""
    return build_split_table(*split_expression(specification(spec), rule))


def ready_split_table(spec: str | Specification, rule: str) -> SplitTable:
    """Return a table that splits as `split_table` does: that of the C engine, or a new one if there is none.

    To unpack a table takes 1 to 11 ms, to build one 20 to 100.
    """
    rfc = specification(spec)
    packed = native.packed_table(rfc.grammar, rule)
    if packed is None:
        return split_table(rfc, rule)
    components, _ = split_expression(rfc, rule)
    _, split = unpack(packed, components)
    assert split is not None  # each of these rules has components
    return split


def packed_tables() -> bytes:
    """Return the content of the file `native.TABLES`, which contains the tables of the C engine."""
    packed = {}
    for name, splitting in SPLITTINGS.items():
        spec = specification(name)
        for rule in splitting.components:
            table = pack(spec.languages[rule].automaton, split_table(spec, rule))
            packed[native.digest(spec.grammar.text), rule] = table
    return native.tables_content(packed)
