"""Panels: what each adapter is asked, those that do not start, interrupts, and panels that keep running."""

from __future__ import annotations

import pytest

from urlharness.adapters.registry import find
from urlharness.panel.answer import Answer
from urlharness.panel.panel import Panel, TextQuestions, panel_names
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import USUAL
from urlharness.protocol.messages import CONNECT, Question


def test_bytes_are_asked_as_bytes(tmp_path):
    """A text that is not UTF-8, decoded by `surrogateescape`."""
    source = "def answer(q):\n    return {'status': 'ok', 'components': {'path': repr(q['url'])}}\n"
    (tmp_path / "lib.py").write_text(f"{source}answer.hello = {{'ops': ['parse'], 'specs': []}}\n", "utf-8")
    (library,) = Panel([find("python:lib:answer", tmp_path)]).ask(TextQuestions(["http://h/\udcff", "é"]))
    assert [answer.components["path"] for answer in library.answers] == [
        "{'hex': '687474703a2f2f682fff'}",
        "'é'",
    ]


VALIDATOR = """
def answer(question):
    return {"status": "ok"} if question["op"] == "validate" else {"status": "error"}
answer.hello = {"ops": ["validate"], "specs": []}
"""


@pytest.fixture
def validator(tmp_path):
    """A library that only validates."""
    (tmp_path / "lib.py").write_text(VALIDATOR, "utf-8")
    return find("python:lib:answer", tmp_path)


def test_a_library_that_does_not_parse_is_asked_whether_texts_are_valid(validator):
    validating, parsing = Panel([validator, find("urllib")]).ask(TextQuestions(["http://h/", "//g"]))
    assert list(validating.answers) == [Answer("valid")] * 2
    assert [answer.components["host"] for answer in parsing.answers] == ["h", "g"]


def test_a_library_that_does_not_resolve_is_not_asked_for_a_reference(validator):
    """RFC 3986, section 5.2.4."""
    questions = TextQuestions(["../g"], "http://a/b/c")
    validating, resolving = Panel([validator, find("urllib")]).ask(questions)
    assert [answer.kind for answer in validating.answers] == ["not offered"]
    assert [answer.text for answer in resolving.answers] == ["http://a/g"]


def test_an_adapter_that_does_not_start_hides_no_other():
    dead, urllib = Panel([find("jsonl:/no/such"), find("urllib")]).ask(TextQuestions(["http://h/"]))
    assert "/no/such: no such file" in dead.problem
    assert [answer.kind for answer in dead.answers] == ["none"]
    assert [answer.kind for answer in urllib.answers] == ["parsed"]


def test_each_adapter_gets_its_own_questions(validator):
    questions = [TextQuestions(["a:b"]), TextQuestions(["a:c", "a:d"])]
    first, second = Panel([validator, validator]).ask_each(questions)
    assert first.answers == [Answer("valid")]
    assert second.answers == [Answer("valid"), Answer("valid")]


def test_an_adapter_gets_the_first_operation_that_it_offers(validator):
    (validating,) = Panel([validator]).ask(TextQuestions(["a:b"], operations=(CONNECT, "validate")))
    assert validating.operation == "validate"


def test_an_adapter_that_offers_none_of_the_operations_is_not_asked(validator):
    (validating,) = Panel([validator]).ask(TextQuestions(["a:b"], operations=(CONNECT,)))
    assert validating.answers == [Answer("not offered")]


def test_an_adapter_is_reported_as_soon_as_it_has_answered():
    reported = []
    answers = Panel([find("urllib"), find("reference")]).ask(TextQuestions(["a:b"]), reported.append)
    assert sorted(reported) == sorted(answers)


def test_without_texts_the_adapters_only_say_what_they_are():
    ready, dead = Panel([find("urllib"), find("jsonl:false")]).ask(TextQuestions(()))
    assert ready.hello.implementation.name == "urllib.parse"
    assert isinstance(dead.failure, AdapterDead)


def test_an_interrupt_ends_the_adapters_after_the_current_question(good_adapter, tmp_path):
    """The other questions are not asked."""

    def interrupt(_answers):
        raise KeyboardInterrupt

    log = tmp_path / "asked.txt"
    log.touch()
    slow = good_adapter(
        f"def components(url):\n    import time\n    time.sleep(0.05)\n    open({str(log)!r}, 'a').write('x')"
    )
    with pytest.raises(KeyboardInterrupt):
        Panel([find("jsonl:false"), slow]).ask(TextQuestions(["a:b"] * 10_000), interrupt)
    assert log.stat().st_size < 10_000


def test_a_running_panel_is_asked_again_and_again():
    panel = Panel([find("urllib"), find("urllib")]).start()
    question = Question(0, "parse", "rfc3986", url="a:b")
    replies = [*panel.ask(1, [question]), *panel.ask(1, [question])]
    panel.close()
    assert [reply.components["path"] for reply in replies] == ["b", "b"]


def test_the_names_of_equal_adapters_differ():
    assert panel_names([find("urllib"), find("urllib")]) == ("urllib", "urllib (2)")


def test_an_adapter_that_is_given_up_raises_after_its_last_answer(good_adapter):
    program = good_adapter("def components(url):\n    os._exit(3)")
    panel = Panel([program], USUAL._replace(restarts=1)).start()
    replies = panel.ask(0, [Question(0, "parse", "rfc3986", url="a")] * 5)
    outcomes = [next(replies).outcome]
    with pytest.raises(AdapterDead, match="it had to be started again more than 1 times"):
        outcomes.extend(reply.outcome for reply in replies)
    panel.close()
    assert outcomes == ["crash", "crash"]


def test_an_adapter_that_does_not_start_is_named():
    with pytest.raises(AdapterDead, match="jsonl:false: "):
        Panel([find("urllib"), find("jsonl:false")]).start()
