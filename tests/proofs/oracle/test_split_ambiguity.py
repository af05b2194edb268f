"""Ambiguous splits, decided on bracketed words: where a text has two splits, a ruling chooses.

For each rule by which the oracle splits, with the components that it asks for: either no text has two
splits, or each ruling decides the shortest text that those before it leave open.  After them every text has
one split, and that is the oracle's.
"""

from __future__ import annotations

import pytest

from urloracle.derivation import derivation
from urloracle.operations import parse
from urloracle.rfcs import SPECIFICATIONS

from . import pattern_proofs, split_rulings

READ, RULINGS, REFERENCE, ruled = (
    split_rulings.READ,
    split_rulings.RULINGS,
    split_rulings.REFERENCE,
    split_rulings.ruled,
)

CASES = [
    *((*case, components, RULINGS.get(case, [])) for case, components in READ.items()),
    ("rfc1738", "genericurl", split_rulings.TWO_STEPS, [split_rulings.SCHEMEPART]),
    ("rfc3986", REFERENCE, split_rulings.HOST_KINDS, [split_rulings.HOST_KIND]),
]
by_rule = pytest.mark.parametrize(
    ("spec", "rule", "components", "rulings"),
    [pytest.param(*case, id="-".join((*case[:2], *(r.id for r in case[3])))) for case in CASES],
)


@by_rule
def test_one_split_for_each_text(spec, rule, components, rulings):
    """No text of the rule has two splits that the rulings leave, and none has lost all of its splits."""
    chosen = SPECIFICATIONS[spec]
    for number, ruling in enumerate(rulings):
        undecided = ruled(chosen, rule, components, rulings[:number])
        found = undecided.ambiguity()
        assert found is not None
        assert found.text == ruling.text
        assert found.one != found.other
        assert all(split in undecided.splits(found.text) for split in (found.one, found.other))
    language = ruled(chosen, rule, components, rulings)
    assert language.ambiguity() is None
    assert pattern_proofs.same(language.texts(), chosen.language(rule).automaton)


@by_rule
def test_the_oracle_reads_what_is_ruled(spec, rule, components, rulings, walks):
    """The pattern's split is the one that is left; the reader's answer is listed with the ruling."""
    chosen = SPECIFICATIONS[spec]
    language = ruled(chosen, rule, components, rulings)
    if READ[spec, rule] == components and spec != "rfc1808":
        pattern = chosen.languages.pattern(rule, components)
        for text in (*(ruling.text for ruling in rulings), *walks(spec, rule).members(150)):
            (split,) = language.splits(text)
            assert tuple(split.values()) == pattern.split(text), text
    for ruling in rulings:
        found = chosen.asdict(parse(ruling.text, chosen, rule))
        assert {name: value for name, value in found.items() if value is not None} == ruling.parsed


def test_steps_of_rfc1808(walks):
    """Section 2.4 reads the one split that is left, wherever that knows more than the scheme (R-1808-07)."""
    spec = SPECIFICATIONS["rfc1808"]
    language = ruled(spec, "URL", READ["rfc1808", "URL"], RULINGS["rfc1808", "URL"])
    read = 0
    for text in walks("rfc1808", "URL").members(1000):
        (split,) = language.splits(text)
        found = parse(text, spec).asdict()
        if split["scheme"] is None or split["path"] is not None or split["net_loc"] is not None:
            # the rule's path lacks the slash before it (G-10), and may be absent
            found["path"] = found["path"].removeprefix("/")
            assert found == {**split, "path": split["path"] or ""}
            read += 1
    assert read > 500
    assert language.splits("a:////") == [dict.fromkeys(READ["rfc1808", "URL"]) | {"scheme": "a"}]
    assert parse("a:////", spec) == ("a", "", "//", None, None, None)


def test_kind_of_a_host():
    """RFC 3986, section 3.2.2: the first rule that matches."""
    rules, queue = (
        [],
        [derivation(SPECIFICATIONS["rfc3986"].grammar, REFERENCE, split_rulings.HOST_KIND.text)],
    )
    for node in queue:
        rules.append(node.rule)
        queue += node.children
    assert "IPv4address" in rules
    assert "reg-name" not in rules


def test_every_ruling_is_listed(request):
    """The rulings are those of docs/rulings.md, and the rules are all that the oracle splits by."""
    listed = (request.config.rootpath / "docs" / "rulings.md").read_text(encoding="utf-8")
    for _, _, _, rulings in CASES:
        for ruling in rulings:
            assert f"### {ruling.id} " in listed
    assert RULINGS.keys() < READ.keys()
    assert len(READ) == 10 + 3 + 4  # schemes; fieldspec, genericurl and ip-schemepart; the other RFCs
