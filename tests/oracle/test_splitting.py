"""Split tables give the components that the oracle reads."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.automata.split_table import SplitTable
from urloracle.errors import InvalidURL
from urloracle.operations import parse
from urloracle.rfcs import SPECIFICATIONS
from urloracle.splitting import SPLITTINGS, split_table

RULES = [(spec, rule) for spec, splitting in SPLITTINGS.items() for rule in splitting.components]
by_rule = pytest.mark.parametrize(("spec", "rule"), RULES)
table = cache(split_table)


def read(spec: str, rule: str, text: str) -> dict[str, str | None] | None:
    """The components that the oracle reads, None where it refuses the text; fields as they are written."""
    try:
        found = SPECIFICATIONS[spec].asdict(parse(text, spec, rule))
    except InvalidURL:
        return None
    if found.get("fieldspecs") is not None:
        found["fieldspecs"] = "".join(f";{name}={value}" for name, value in found["fieldspecs"])
    return found


def named(made: SplitTable, text: str) -> dict[str, str | None] | None:
    """The components that a table gives, by name."""
    found = made.split(text)
    return None if found is None else dict(zip(made.components, found, strict=True))


@by_rule
def test_same_components_in_the_corpus(spec, rule, corpus):
    """Every text of the corpus, whatever it is there for."""
    made = table(spec, rule)
    texts = {getattr(case.vector, place) for case in corpus.cases for place in ("url", "base", "reference")}
    verdicts = set()
    for text in filter(lambda text: isinstance(text, str), texts):
        found = named(made, text)
        verdicts.add(found is None)
        assert found == read(spec, rule, text), text
    assert verdicts == {True, False}


@settings(derandomize=True, deadline=None, max_examples=150, database=None)
@given(st.sampled_from(RULES), st.text(max_size=10), st.integers(0, 10**6))
def test_same_components_of_any_text(walks, case, intruder, seed):
    """A member, with any text at all put into it: characters beyond ASCII are refused (G-07)."""
    (member,) = walks(*case).members(1, seed=seed)
    place = seed % (len(member) + 1)
    for text in (member, intruder, member[:place] + intruder + member[place:]):
        assert named(table(*case), text) == read(*case, text)
