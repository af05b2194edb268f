"""Panels: questions, who is asked, and the adapters that are given up."""

from __future__ import annotations

import pytest

from urlharness import functions
from urlharness.adapters.registry import find
from urlharness.fuzz.panel import SEPARATOR, CampaignPanel, input_of, question, text_of
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import USUAL
from urlharness.runner import function_adapter


def test_only_the_adapters_at_the_given_places_are_asked(parser, open_panel):
    panel = open_panel(parser(), parser(host=str.upper), parser())
    (answers,) = panel.ask("parse", ["//a"], (0, 1))
    assert [answer.answer.kind for answer in answers] == ["parsed", "parsed", "not offered"]


def test_a_pair_of_base_and_reference_is_one_text():
    text = f"a:b{SEPARATOR}c"
    assert input_of("resolve", text) == {"base": "a:b", "reference": "c"}
    assert text_of({"base": "a:b", "reference": "c"}) == text
    assert question("resolve", text, "rfc3986").reference == "c"


def test_an_adapter_that_is_given_up_ends_the_answers(good_adapter):
    """What was answered before is kept."""
    program = good_adapter("def components(url):\n    os._exit(3)")
    panel = CampaignPanel([find("urllib"), program], "rfc3986", USUAL._replace(restarts=1))
    answers, dead = panel.ask_until_dead("parse", ["a"] * 5)
    assert len(answers) < 5
    assert "it had to be started again more than 1 times" in str(dead)
    with pytest.raises(AdapterDead, match="started again"):
        panel.ask("parse", ["a"])
    panel.close()


MODES = [
    pytest.param(["syntax"], ["syntax"], True, id="syntax"),
    pytest.param(["scheme"], ["scheme"], True, id="scheme"),
    pytest.param(["syntax", "scheme"], ["syntax", "scheme"], True, id="both"),
    pytest.param(["syntax", "scheme"], ["syntax"], True, id="one-in-common"),
    pytest.param(["scheme"], ["syntax"], False, id="none-in-common"),
]


@pytest.mark.parametrize(("first_modes", "second_modes", "offered"), MODES)
def test_normalize_is_offered_if_there_is_a_common_mode(open_panel, first_modes, second_modes, offered):
    first = function_adapter(functions("a", normalize=str.lower, modes=first_modes))
    second = function_adapter(functions("b", normalize=str.lower, modes=second_modes))
    assert open_panel(first, second).is_offered_by_all("normalize") is offered
