"""Tasks of adapters that are asked side by side, and the order of their lines."""

from __future__ import annotations

import io
from collections import Counter
from contextlib import closing
from itertools import chain

import pytest

from urlharness.adapters.registry import BUNDLED, find
from urlharness.cli import side_by_side
from urlharness.cli.side_by_side import SideBySide, Task, tasks_of
from urlharness.corpus.specifications import SPECS
from urlharness.results.model import EncodedLines, Header, Participant, ResultsWriter

REFERENCE = BUNDLED["reference"]
URLLIB = BUNDLED["urllib"]
NODE = BUNDLED["node-url"]

HEADER = Header("urlresults-1", "0", "0", (), "2026-01-01T00:00:00+00:00", "", "")


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch):
    monkeypatch.setattr(side_by_side, "usable_processors", lambda: 2)


#: So few cases of a function are asked without another process, and of so few the reference is one task.
FEW = side_by_side._FEW


@pytest.fixture(scope="module")
def cases(corpus):
    return [*corpus.cases]


def test_every_adapter_is_a_task_with_all_cases(cases):
    assert tasks_of([URLLIB, NODE], cases, (), divisible=True) == [Task(URLLIB, cases), Task(NODE, cases)]


@pytest.fixture
def reference_tasks(cases):
    """The tasks of the reference with a stream."""
    return tasks_of([REFERENCE], cases, ["stream"], divisible=True)


def test_the_reference_has_a_task_for_each_rfc(reference_tasks):
    for spec, task in zip(SPECS, reference_tasks, strict=True):
        assert {case.spec for case in task.cases} == {spec}


def test_the_tasks_of_the_reference_have_all_cases_in_order(reference_tasks, cases):
    assert list(chain.from_iterable(task.cases for task in reference_tasks)) == cases


def test_only_the_first_task_of_the_reference_begins_it(reference_tasks):
    first, *others = reference_tasks
    assert first.begins
    assert [task for task in others if task.begins] == []


def test_the_last_task_of_the_reference_has_the_streams(reference_tasks):
    *others, last = reference_tasks
    assert last.streams == ["stream"]
    assert [task for task in others if task.streams != ()] == []


@pytest.mark.parametrize(
    ("choose", "divisible", "processors"),
    [
        pytest.param(list, False, 2, id="a-limit-for-all-cases-together"),
        pytest.param(list, True, 1, id="one-processor"),
        pytest.param(lambda cases: cases[: FEW - 1], True, 2, id="few-cases"),
        pytest.param(tuple, True, 2, id="cases-that-are-read-one-by-one"),
        # as many cases, from the first RFC to the last one seven times
        pytest.param(lambda cases: cases[::7] * 7, True, 2, id="the-rfcs-are-mixed"),
    ],
)
def test_the_reference_is_one_task(cases, monkeypatch, choose, divisible, processors):
    monkeypatch.setattr(side_by_side, "usable_processors", lambda: processors)
    cases_of_run = choose(cases)
    tasks = tasks_of([REFERENCE], cases_of_run, (), divisible=divisible)
    assert tasks == [Task(REFERENCE, cases_of_run)]


@pytest.mark.parametrize(
    ("adapter", "count"),
    [
        pytest.param(NODE, 1, id="a-program"),
        pytest.param(find("python:module:function"), 1, id="a-function-in-a-process-of-its-own"),
        pytest.param(URLLIB, FEW, id="a-function-with-many-cases"),
    ],
)
def test_a_process_is_forked_for_what_takes_longer(cases, adapter, count):
    assert side_by_side._takes_long(Task(adapter, cases[:count]))


def test_no_process_is_forked_for_a_function_with_one_case(cases):
    assert not side_by_side._takes_long(Task(URLLIB, cases[:1]))


def test_an_adapter_that_this_process_asks_is_not_divided(cases):
    """Its cases are many, but those of each RFC are too few to fork processes for."""
    few_of_each = []
    for spec in SPECS:
        few_of_each += [case for case in cases if case.spec == spec][: FEW // 4]
    assert len(few_of_each) > FEW
    asked_tasks = []
    processes = SideBySide(
        [REFERENCE], few_of_each, (), lambda task, *_: asked_tasks.append(task), divisible=True
    )
    processes.run(None, None)
    assert asked_tasks == [Task(REFERENCE, few_of_each)]


def test_this_process_does_something_else_while_others_ask(cases, file):
    line_counts = []

    def ask(_task, sender, count):
        sender.write(Participant("lib", "ran"))
        count("lib", 1, 1)
        sender.flush()

    processes = SideBySide([URLLIB, REFERENCE], cases[:FEW], (), ask, divisible=False)
    with closing(processes):
        processes.run(
            ResultsWriter(file, HEADER),
            lambda *_: None,
            lambda: line_counts.append(file.getvalue().count(b"\n")),
        )
    assert line_counts[0] == 1, "only the header is written yet"
    assert line_counts[-1] > 1


class Memory(io.BytesIO):
    """A file that can be read after it was closed."""

    def close(self) -> None:
        self.text = self.getvalue().decode()
        super().close()


@pytest.fixture
def file():
    return Memory()


@pytest.fixture
def relay(file):
    """A relay for the tasks 0 to 3, of which 1 and 2 are parts of one adapter."""
    tasks = [Task(NODE, ()), Task(REFERENCE, ()), Task(REFERENCE, (), begins=False), Task(URLLIB, ())]
    return side_by_side._Relay(tasks, ResultsWriter(file, HEADER), lambda *_: None)


def message(text="", **fields):
    """Return a message of a task with a line, or without one."""
    lines = EncodedLines(f"{text}\n".encode() if text else b"", Counter())
    return side_by_side._Message(lines, done=0, **fields)


def written_lines(file):
    """Return the lines after the header."""
    _header, *lines = file.getvalue().decode().splitlines()
    return lines


def test_lines_of_a_task_wait_for_the_end_of_the_tasks_before_it(relay, file):
    relay.add(1, message("b1", is_last=True))
    relay.add(0, message("a1"))
    relay.write_due_lines()
    assert written_lines(file) == ["a1"]
    relay.add(0, message("a2", is_last=True))
    relay.write_due_lines()
    assert written_lines(file) == ["a1", "a2", "b1"]
    assert not relay.is_complete


def test_lines_are_written_in_the_order_of_the_tasks(relay, file):
    for number, text in ((3, "d"), (1, "b"), (2, "c"), (0, "a")):
        relay.add(number, message(text, is_last=True))
    relay.write_due_lines()
    assert written_lines(file) == ["a", "b", "c", "d"]
    assert relay.is_complete


def test_the_error_of_a_task_is_raised_when_its_turn_comes(relay, file):
    relay.add(1, message("b1", error=OSError("full"), is_last=True))
    relay.write_due_lines()
    relay.add(0, message("a1", is_last=True))
    with pytest.raises(OSError, match="full"):
        relay.write_due_lines()
    assert written_lines(file) == ["a1", "b1"]


def test_after_an_interrupt_the_lines_of_all_tasks_are_written(relay, file):
    for number, text in enumerate("abcd"):
        relay.add(number, message(text))
    relay.write_all()
    assert written_lines(file) == ["a", "b", "c", "d"]


def test_after_an_interrupt_there_are_no_lines_of_an_adapter_that_has_not_begun(relay, file):
    for number, text in ((0, "a"), (2, "c"), (3, "d")):
        relay.add(number, message(text))
    relay.write_all()
    assert written_lines(file) == ["a", "d"]


def test_an_error_that_cannot_be_pickled_is_raised_with_its_text():
    class Local(Exception):
        pass

    error = side_by_side._picklable(Local("why"))
    assert type(error) is RuntimeError
    assert str(error) == "Local: why"


def test_an_error_that_can_be_pickled_is_raised_itself():
    error = ValueError("why")
    assert side_by_side._picklable(error) is error
