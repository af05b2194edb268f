"""Panels: questions, differences of answers, and the adapters that are given up."""

from __future__ import annotations

import pytest

from urlharness import functions
from urlharness.adapters.registry import find
from urlharness.fuzz.panel import SEPARATOR, Kind, Panel, input_of, panel_names, question, text_of
from urlharness.limits import USUAL, AdapterDead
from urlharness.runner import function_adapter


def kinds(panel, *texts, operation="parse"):
    return [panel.kinds(question_answers) for question_answers in panel.ask(operation, texts)]


def test_equal_answers_do_not_differ(parser, open_panel):
    panel = open_panel(parser(), parser())
    assert kinds(panel, "", "http://a/", "//[") == [[], [], []]


# what a bug changes, a text, and how the answers differ
DIFFERENCES = {
    "host": ({"host": str.upper}, "//a", ("host", -1)),
    "path": ({"path": str.upper}, "a", ("path", -1)),
    "the most harmful": ({"path": str.upper, "host": lambda host: host * 2}, "//a/a", ("host", -1)),
    "by more than spelling": ({"path": str.upper, "host": str.upper}, "//a/a", ("path", -1)),
    "absent": ({"fragment": lambda _: None}, "#", ("fragment", -1)),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_difference_has_component_and_side(name, parser, open_panel):
    change, text, (component, side) = DIFFERENCES[name]
    panel = open_panel(parser(), parser(**change))
    assert kinds(panel, text) == [[Kind(0, 1, component, side)]]


def test_a_refusal_has_a_side(parser, open_panel):
    panel = open_panel(parser(), parser(change=lambda text: f"//[{text}"))
    assert kinds(panel, "a") == [[Kind(0, 1, "verdict", 1)]]


def test_an_end_without_answer_has_a_side(parser, open_panel):
    def fail(text):
        raise OSError(text)

    assert kinds(open_panel(parser(change=fail), parser()), "a") == [[Kind(0, 1, "error", 0)]]
    assert kinds(open_panel(parser(change=fail), parser(change=fail)), "a") == [[]]


def test_spelling_is_folded(parser, open_panel):
    adapters = parser(), parser(host=str.upper)
    assert kinds(open_panel(*adapters, fold=True), "//a") == [[]]
    assert kinds(open_panel(*adapters, fold=False), "//a") != [[]]


def test_adapters_that_agree_are_a_group(parser, open_panel):
    panel = open_panel(parser(), parser(host=str.upper), parser(), parser(host=str.upper))
    assert kinds(panel, "//a") == [[Kind(0, 1, "host"), Kind(0, 3, "host"), Kind(1, 2, "host")]]
    assert [panel.groups(question_answers) for question_answers in panel.ask("parse", ["//a", "a"])] == [
        [[0, 2], [1, 3]],
        [[0, 1, 2, 3]],
    ]


def test_groups_are_compared_with_the_largest_that_accepts(parser, open_panel):
    def refuse(_):
        raise ValueError

    changing = parser(host=lambda host: host * 2)
    panel = open_panel(parser(change=refuse), parser(change=refuse), parser(), changing, parser())
    refusals = [Kind(0, 2, "verdict", 0), Kind(1, 2, "verdict", 1)]
    assert kinds(panel, "//a") == [[*refusals, Kind(2, 3, "host"), Kind(0, 4, "verdict", 0)]]


# what a bug makes of the query, and how the values then differ
RELATIONS = {
    "encoded": lambda query: query.replace("^", "%5E"),
    "decoded": lambda query: query.replace("%2a", "*"),
    "unlike": lambda query: query * 2,
    "absent": lambda _: None,
}


@pytest.mark.parametrize("name", RELATIONS)
def test_a_difference_is_described_by_its_relation(name, parser, open_panel):
    panel = open_panel(parser(), parser(query=RELATIONS[name]), fold=True)
    assert kinds(panel, "?a^%2a") == [[Kind(0, 1, "query", how=name)]]


def test_only_the_adapters_of_a_kind_are_asked(parser, open_panel):
    panel = open_panel(parser(), parser(host=str.upper), parser())
    (question_answers,) = panel.ask("parse", ["//a"], Kind(0, 1, "host"))
    assert [library_answer.answer.kind for library_answer in question_answers] == [
        "parsed",
        "parsed",
        "not offered",
    ]


def test_the_oracle_admits_other_answers(open_panel):
    """Where RFC 2396 leaves the answer open, urllib does not differ from the oracle."""
    panel = Panel([find("reference"), find("urllib")], "rfc3986", USUAL, fold=True)
    assert kinds(panel, "http://a/b?c#d", "a:?", "//a:@b") == [[], [], []]
    assert kinds(panel, '"') == [[Kind(0, 1, "verdict", 0)]]
    panel.close()


def test_a_pair_is_one_text_with_a_separator():
    text = f"a:b{SEPARATOR}c"
    assert input_of("resolve", text) == {"base": "a:b", "reference": "c"}
    assert text_of(input_of("resolve", text)) == text_of({"base": "a:b", "reference": "c"}) == text
    assert question("resolve", text, "rfc3986").reference == "c"


def test_equal_adapters_get_different_names():
    assert panel_names([find("urllib"), find("urllib")]) == ("urllib", "urllib (2)")


def test_an_adapter_that_is_given_up_ends_the_answers(good_adapter):
    """What was answered before is kept."""
    program = good_adapter("def components(url):\n    os._exit(3)")
    panel = Panel([find("urllib"), program], "rfc3986", USUAL._replace(restarts=1), fold=False)
    answered, dead = panel.ask_until_dead("parse", ["a"] * 5)
    assert len(answered) < 5
    assert "it had to be started again more than 1 times" in str(dead)
    with pytest.raises(AdapterDead, match="started again"):
        panel.ask("parse", ["a"])
    panel.close()


def test_an_adapter_that_does_not_start_is_named():
    with pytest.raises(AdapterDead, match="jsonl:false: "):
        Panel([find("urllib"), find("jsonl:false")], "rfc3986", USUAL, fold=False)


MODES = [
    pytest.param(["syntax"], ["syntax"], True, id="syntax"),
    pytest.param(["scheme"], ["scheme"], True, id="scheme"),
    pytest.param(["syntax", "scheme"], ["syntax", "scheme"], True, id="both"),
    pytest.param(["syntax", "scheme"], ["syntax"], True, id="one-in-common"),
    pytest.param(["scheme"], ["syntax"], False, id="none-in-common"),
]


@pytest.mark.parametrize(("modes", "others", "offered"), MODES)
def test_normalize_is_offered_if_there_is_a_common_mode(open_panel, modes, others, offered):
    normalizers = [
        function_adapter(functions(name, normalize=str.lower, modes=offered))
        for name, offered in (("a", modes), ("b", others))
    ]
    assert open_panel(*normalizers).offered("normalize") is offered
