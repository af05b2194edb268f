"""The generated tiers: the cases of one rule or one operation, which the automata and rulings decide.

A tier is a list of cases in a fixed order, so that its digest can be pinned. The package may import what
`generate` may import, but no module of `generate` itself.
"""

from urlharness.generate.tiers.streams import (
    TIERS,
    Part,
    UnknownPart,
    cases,
    part_of,
    parts,
    requirement,
    suite_texts,
)

__all__ = ["TIERS", "Part", "UnknownPart", "cases", "part_of", "parts", "requirement", "suite_texts"]
