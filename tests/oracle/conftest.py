"""Fixtures for all tests of the oracle: walks through automata, and faults planted in the oracle."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import sys
import textwrap
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from types import CodeType, ModuleType
from typing import Any

import msgspec
import pytest

from urlharness.adapters import reference
from urlharness.corpus.model import Corpus
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import Verdict, judge
from urlharness.runner import question
from urloracle import native, operations
from urloracle.automata.dfa import SINK, Automaton
from urloracle.grammar import grammar
from urloracle.grammar.alphabet import span_of
from urloracle.rfcs import SPECIFICATIONS, specification
from urloracle.specification import Profile, Specification

#: Characters that near misses put in: delimiters, letters, and what no grammar here allows.
_INTRUDERS = ":/?#[]@!$&'()*+,;=%-._~aAzZ09gG \t\n\r\"<>\\^`{|}\x00\x7f\x80\u00e9\u2028\U0001f600"


class Walks:
    """Random words of an automaton, equal in every run, and a shortest way from each state to a member."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        characters: dict[int, list[str]] = {}
        for char, number in automaton.classes.items():
            characters.setdefault(number, []).append(char)
        self._moves = [
            [(characters[number], target) for number, target in enumerate(row) if target != SINK]
            for row in automaton.table
        ]
        self._endings = self._shortest_endings()

    def _shortest_endings(self) -> dict[int, str]:
        """Map each state to a shortest way to a member."""
        sources: dict[int, list[tuple[str, int]]] = {}
        for state, moves in enumerate(self._moves):
            for choices, target in moves:
                char, *_ = choices
                sources.setdefault(target, []).append((char, state))
        endings = dict.fromkeys(self.automaton.accepting, "")
        queue = deque(sorted(endings))
        while queue:
            target = queue.popleft()
            for char, state in sources.get(target, ()):
                if state not in endings:
                    endings[state] = char + endings[target]
                    queue.append(state)
        return endings

    def complete(self, prefix: str) -> str | None:
        """Return a member that begins with the prefix, None where there is none."""
        length, state = self.automaton.longest_viable_prefix(prefix)
        return prefix + self._endings[state] if length == len(prefix) and state in self._endings else None

    def members(self, count: int, seed: int = 0, longest: int = 24) -> Iterator[str]:
        """Yield members of many lengths: a random walk, then the shortest ending."""
        random = Random(seed)
        assert self.automaton.start in self._endings, "the language is empty"
        for _ in range(count):
            state = self.automaton.start
            word = ""
            for _ in range(random.randrange(longest + 1)):
                if not self._moves[state]:
                    break
                choices, state = random.choice(self._moves[state])
                word += random.choice(choices)
            yield _inside_ranges(word + self._endings[state], random)


def _inside_ranges(word: str, random: Random) -> str:
    """Return a word with a random character of its range in the place of each letter beyond ASCII."""
    return "".join(letter if letter.isascii() else chr(random.randint(*span_of(letter))) for letter in word)


def _near_misses(word: str, count: int, seed: int = 0) -> Iterator[str]:
    """Yield texts that a random edit makes of a word."""
    random = Random(f"{seed}{word}")
    for _ in range(count):
        position = random.randrange(len(word) + 1)
        intruder = random.choice(_INTRUDERS)
        yield random.choice(
            (
                word[:position] + intruder + word[position:],
                word[:position] + intruder + word[position + 1 :],
                word[:position] + word[position + 1 :],
                word[:position],
                word[:position] + word[position:].swapcase(),
            )
        )


@pytest.fixture(scope="session")
def walks() -> Callable[..., Walks]:
    """Return a function that returns the walks of a rule, such as `walks("rfc3986", "host")`."""

    @cache
    def make(spec: str, rule: str, profile: Profile | None = None) -> Walks:
        return Walks(specification(spec).automaton(rule, profile))

    return make


@pytest.fixture(scope="session")
def near_misses() -> Callable[..., Iterator[str]]:
    """Return a function that returns texts one edit away from a word: `near_misses(word, count)`."""
    return _near_misses


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Specification]]:
    """Return a function that puts a specification that has compiled nothing in the place of the one named.

    It returns the new specification.
    """

    def forget() -> None:
        operations._READERS.clear()
        operations._ENTRANCE.clear()

    def make(spec: str) -> Specification:
        forget()  # what is remembered of the earlier value would hide a fault, and keep every value alive
        fresh = dataclasses.replace(specification(spec))
        monkeypatch.setitem(SPECIFICATIONS, spec, fresh)
        return fresh

    yield make
    forget()


@pytest.fixture
def verdicts(
    corpus: Corpus, anew: Callable[[str], Specification]
) -> Callable[..., Iterator[tuple[str, Verdict]]]:
    """Return a function that judges the reference adapter by each vector of a specification, made anew first.

    `verdicts(spec)` takes all of its vectors, `verdicts(spec, "resolve", ...)` those of some operations.
    """
    features = frozenset(reference.hello()["features"])

    def judged(spec: str, *operations: str) -> Iterator[tuple[str, Verdict]]:
        anew(spec)
        for case in corpus.cases:
            if case.spec == spec and (not operations or case.vector.op in operations):
                fields = msgspec.to_builtins(question(case))
                yield case.vector.id, judge(case, _reply(fields), features, strict=True)

    return judged


def _reply(question_fields: dict[str, Any]) -> Reply:
    """Return the answer of the reference adapter; whatever it raises is an error, as the harness has it."""
    try:
        return msgspec.convert({**reference.answer(question_fields), "id": 0}, Reply)
    except Exception as error:  # noqa: BLE001
        return Reply(0, "error", repr(error))


@pytest.fixture
def plant(
    monkeypatch: pytest.MonkeyPatch, anew: Callable[[str], Specification]
) -> Callable[[str, str, str], None]:
    """Return a function that puts a fault into the oracle: `plant(location, before, after)` changes its text.

    `location` is a grammar file, or the dotted name of a function, method or constant below `urloracle`.
    The piece must be there exactly once.
    """

    def put(location: str, before: str, after: str) -> None:
        if native.engine() == "native":  # it, and what has its readers, would not run the faulty code
            monkeypatch.setattr(native, "_engine", lambda: None)
            for name in SPECIFICATIONS:
                anew(name)
        if location.endswith("bnf"):
            original = grammar.source
            text = _changed(original(location), before, after)
            monkeypatch.setattr(grammar, "source", lambda name: text if name == location else original(name))
            return
        module, names = _located(location)
        target = module
        for name in names:
            target = getattr(target, name)
        target = getattr(target, "func", getattr(target, "fget", target))  # of a (cached) property
        if inspect.isfunction(target):
            monkeypatch.setattr(target, "__code__", _changed_code(target, before, after))
            return
        (name,) = names
        faulty_constant = _changed_constant(module, name, before, after)
        monkeypatch.setattr(module, name, faulty_constant)
        if isinstance(faulty_constant, Specification):
            monkeypatch.setitem(SPECIFICATIONS, faulty_constant.id, faulty_constant)

    return put


def _located(location: str) -> tuple[ModuleType, list[str]]:
    """Return the module that a dotted name below `urloracle` begins with, and the names inside it."""
    names = location.split(".")
    module_found = importlib.import_module("urloracle")
    while (module := f"{module_found.__name__}.{names[0]}") in sys.modules or hasattr(
        module_found, "__path__"
    ):
        module_found = importlib.import_module(module)
        del names[0]
    return module_found, names


def _changed(text: str, before: str, after: str) -> str:
    """Return a text with its only `before` replaced."""
    assert before != after
    assert text.count(before) == 1, f"{before!r} occurs {text.count(before)} times"
    return text.replace(before, after)


def _instructions(code: CodeType) -> tuple[object, ...]:
    """Return what a function does, without its place in a file."""
    return code.co_code, code.co_consts, code.co_names


def _changed_code(function: Callable[..., object], before: str, after: str) -> CodeType:
    """Return the code of a function with a piece of its text replaced."""
    text = _changed(textwrap.dedent(inspect.getsource(function)), before, after)
    constants = compile(text, "<planted fault>", "exec").co_consts
    codes = [constant for constant in constants if isinstance(constant, CodeType)]
    (code,) = [code for code in codes if code.co_name == function.__name__]
    assert _instructions(code) != _instructions(function.__code__)
    return code


def _changed_constant(module: ModuleType, name: str, before: str, after: str) -> object:
    """Return the value of a constant with a piece of its text replaced."""
    text = inspect.getsource(module)
    for node in ast.parse(text).body:
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return eval(_changed(ast.get_source_segment(text, node.value), before, after), vars(module))
    raise AssertionError(f"{module.__name__} has no constant {name}")
