"""Every rule that the doctor cites is in docs/protocol.md, under its heading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from urlharness.doctor import model
from urlharness.doctor.model import Rule

RULES = {name: rule for name, rule in vars(model).items() if isinstance(rule, Rule)}
PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text("utf-8")


@pytest.mark.parametrize("name", RULES)
def test_the_protocol_page_has_each_rule(name):
    rule = RULES[name]
    # a heading, and the lines up to the next heading
    sections = dict(re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE))
    assert " ".join(rule.says.split()) in " ".join(sections[rule.section].split())


def test_a_rule_is_cited_with_its_place():
    assert str(model.STDERR) == (
        "docs/protocol.md, “What the engine promises”: The engine keeps 64 KiB of stderr per process"
    )
