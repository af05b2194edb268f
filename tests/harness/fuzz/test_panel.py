"""Panels: questions, who is asked, and the adapters that are given up."""

from __future__ import annotations

from contextlib import closing

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


#: A base and a reference as one text.
PAIR = f"a:b{SEPARATOR}c"


def test_a_text_is_divided_into_base_and_reference():
    assert input_of("resolve", PAIR) == {"base": "a:b", "reference": "c"}


def test_base_and_reference_are_joined_to_a_text():
    assert text_of({"base": "a:b", "reference": "c"}) == PAIR


def test_the_question_of_a_pair_has_base_and_reference():
    question_of_pair = question("resolve", PAIR, "rfc3986")
    assert question_of_pair.base == "a:b"
    assert question_of_pair.reference == "c"


@pytest.fixture
def panel_with_a_crash(good_adapter):
    """A panel with an adapter that crashes at every text, and may be started again once."""
    program = good_adapter("def components(url):\n    os._exit(3)")
    with closing(CampaignPanel([find("urllib"), program], "rfc3986", USUAL._replace(restarts=1))) as panel:
        yield panel


def test_an_adapter_that_is_given_up_ends_the_answers(panel_with_a_crash):
    answers, dead = panel_with_a_crash.ask_until_dead("parse", ["a"] * 5)
    assert len(answers) == 2  # one for each of its processes
    assert "it had to be started again more than 1 times" in str(dead)


def test_an_adapter_that_is_given_up_is_not_asked_again(panel_with_a_crash):
    panel_with_a_crash.ask_until_dead("parse", ["a"] * 5)
    with pytest.raises(AdapterDead, match="started again"):
        panel_with_a_crash.ask("parse", ["a"])


@pytest.fixture
def normalizers(open_panel):
    """Return a function that opens a panel of two libraries that normalize in these modes."""

    def opened(first_modes, second_modes):
        first = function_adapter(functions("a", normalize=str.lower, modes=first_modes))
        second = function_adapter(functions("b", normalize=str.lower, modes=second_modes))
        return open_panel(first, second)

    return opened


MODES = [
    pytest.param(["syntax"], ["syntax"], id="syntax"),
    pytest.param(["scheme"], ["scheme"], id="scheme"),
    pytest.param(["syntax", "scheme"], ["syntax", "scheme"], id="both"),
    pytest.param(["syntax", "scheme"], ["syntax"], id="one-in-common"),
]


@pytest.mark.parametrize(("first_modes", "second_modes"), MODES)
def test_normalize_is_offered_if_there_is_a_common_mode(normalizers, first_modes, second_modes):
    assert normalizers(first_modes, second_modes).is_offered_by_all("normalize")


def test_normalize_is_not_offered_without_a_common_mode(normalizers):
    assert not normalizers(["scheme"], ["syntax"]).is_offered_by_all("normalize")


@pytest.mark.parametrize(
    ("text", "answer", "is_admitted"),
    [
        pytest.param("/%E3%80%80", "/%E3%80%80", True, id="doubtful"),
        pytest.param("/%C3%A9", "/%C3%A9", False, id="letter"),
    ],
)
def test_the_oracle_admits_mappings_that_it_does_not_list(text, answer, is_admitted):
    library = function_adapter(functions("a", specs=["rfc3987"], to_iri=lambda _: answer))
    with closing(CampaignPanel([find("reference"), library], "rfc3987", USUAL)) as panel:
        ((oracle, answer_of_library),) = panel.ask("to_iri", [text])
    assert (answer_of_library.answer in oracle.also_admitted) == is_admitted
