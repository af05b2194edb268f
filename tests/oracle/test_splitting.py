"""Split tables give the components that the oracle reads."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.automata.split_table import SplitTable
from urloracle.errors import InvalidURL
from urloracle.operations import parse
from urloracle.rfcs import specification
from urloracle.splitting import SPLITTINGS, split_table

RULES = [(spec, rule) for spec, splitting in SPLITTINGS.items() for rule in splitting.components]
by_rule = pytest.mark.parametrize(("spec", "rule"), RULES)
table = cache(split_table)


def read(spec: str, rule: str, text: str) -> dict[str, str | None] | None:
    """Return the components that the oracle reads, or None if it refuses the text; fields are as written."""
    try:
        components = specification(spec).asdict(parse(text, spec, rule))
    except InvalidURL:
        return None
    if components.get("fieldspecs") is not None:
        components["fieldspecs"] = "".join(f";{name}={text}" for name, text in components["fieldspecs"])
    return components


def named(split_table: SplitTable, text: str) -> dict[str, str | None] | None:
    """Return the components that a table gives, by name."""
    parts = split_table.split(text)
    return None if parts is None else dict(zip(split_table.components, parts, strict=True))


@pytest.mark.sampled(8)
@by_rule
def test_the_table_gives_the_same_components_in_the_corpus(spec, rule, corpus):
    """Every text of the corpus is split, whatever it is there for."""
    split_table = table(spec, rule)
    texts = set()
    for case in corpus.cases:
        texts.update((case.vector.url, case.vector.base, case.vector.reference))
    refusals = set()
    for text in texts:
        if not isinstance(text, str):  # an absent text, or one that is written in hex
            continue
        parts = named(split_table, text)
        refusals.add(parts is None)
        assert parts == read(spec, rule, text), text
    assert refusals == {True, False}  # some texts of the corpus are split and some refused


@settings(derandomize=True, deadline=None, max_examples=150, database=None)
@given(st.sampled_from(RULES), st.text(max_size=10), st.integers(0, 10**6))
def test_the_table_gives_the_same_components_of_any_text(walks, case, intruder, seed):
    """Any text is put into a member: only RFC 3987 has characters beyond ASCII (G-07)."""
    (member,) = walks(*case).members(1, seed=seed)
    offset = seed % (len(member) + 1)
    for text in (member, intruder, member[:offset] + intruder + member[offset:]):
        assert named(table(*case), text) == read(*case, text), text
