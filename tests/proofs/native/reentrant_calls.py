"""Calls of the engine during which code in Python calls it again, or drops what the engine works with.

Each case is a function of the engine and a packed table with components.  It passes if it returns; it runs
in a process that AddressSanitizer watches.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import ModuleType
from typing import Any

Case = Callable[[ModuleType, bytes], None]
Function = Callable[..., Any]


class _CallingKey(str):
    """A key of a dictionary that calls `action` whenever it is compared."""

    __slots__ = ("action",)
    __hash__ = str.__hash__

    def __eq__(self, operand: object) -> bool:
        self.action()
        return str.__eq__(self, operand)


class _CallingWhenFreed:
    """An object that calls `action` when it is freed."""

    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action

    def __del__(self) -> None:
        self.action()


class _CallingWhenShown:
    """An object that calls `action` when it is asked for its `__repr__`."""

    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action

    def __repr__(self) -> str:
        self.action()
        return "shown"


def _fresh(text: str) -> str:
    """Return an equal text that nothing else refers to."""
    return "".join([*text, ""])


def _function(engine: ModuleType, methods: dict[str, Any]) -> Function:
    """Return a function in C that returns its arguments if there is no method for the specification."""
    return engine.new_function(lambda *arguments: arguments, methods, 2, "f", "f(*given)\n--\n\n", "m")


def _with_calling_key(engine: ModuleType, table: bytes) -> Function:
    """Return a function whose lookup of "spec-1" calls it for "spec-2", and replaces all other methods."""
    methods: dict[str, Any] = {}
    function = _function(engine, methods)

    def call_again() -> None:
        function("a", _fresh("spec-2"))
        for name in ("spec-0", "spec-2"):
            methods.pop(name, None)
        gc.collect()
        methods[_fresh("spec-0")] = engine.Reader(table, None).offset
        methods[_fresh("spec-2")] = engine.Reader(table, None).offset

    key = _CallingKey("spec-1")
    key.action = call_again
    methods[key] = engine.Reader(table, None).offset
    methods[_fresh("spec-0")] = engine.Reader(table, None).offset
    methods[_fresh("spec-2")] = engine.Reader(table, None).offset
    return function


def a_key_calls_the_function_again(engine: ModuleType, table: bytes) -> None:
    function = _with_calling_key(engine, table)
    for _ in range(100):
        for name in ("spec-0", "spec-1", "spec-2"):
            assert function("x:", _fresh(name)) in (2, ("x:", name))


def keys_call_the_function_again_from_threads(engine: ModuleType, table: bytes) -> None:
    function = _with_calling_key(engine, table)
    problems: list[Exception] = []

    def call_often() -> None:
        try:
            for _ in range(50):
                for name in ("spec-0", "spec-1", "spec-2"):
                    with suppress(RuntimeError, KeyError):  # the dictionary changes during the lookup
                        assert function("x:", _fresh(name)) in (2, ("x:", name))
        except Exception as problem:  # noqa: BLE001 - reported in the main thread
            problems.append(problem)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [Thread(target=call_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(before)
    assert problems == []


def a_key_empties_the_methods(engine: ModuleType, table: bytes) -> None:
    methods: dict[str, Any] = {}
    function = _function(engine, methods)
    for _ in range(20):
        key = _CallingKey("spec")
        key.action = methods.clear
        methods[key] = engine.Reader(table, None).offset
        assert function("x:", _fresh("spec")) in (2, ("x:", "spec"))
        methods.clear()


def a_finalizer_calls_another_method(engine: ModuleType, table: bytes) -> None:
    """The reader of the last call is freed when it is replaced; its finalizer calls another method."""
    methods: dict[str, Any] = {"list": [].count, "text": "-".join}
    function = _function(engine, methods)
    answers: list[Any] = []
    for _ in range(20):
        last_words = _CallingWhenFreed(lambda: answers.append(function("ab", "text")))
        methods["reader"] = engine.Reader(table, last_words).offset
        del last_words
        assert function("x:", "reader") == 2
        del methods["reader"]
        assert function("x:", "list") == 0
    assert answers == ["a-b"] * 20


def a_choice_is_shown(engine: ModuleType, table: bytes) -> None:
    """The message of the exception asks the key for its `__repr__`, which removes the reader of the key."""
    choices: dict[Any, Any] = {}
    key = _CallingWhenShown(choices.clear)
    for _ in range(20):
        choices[key] = engine.Reader(table, None)
        with suppress(ValueError):
            engine.Reader(table, None, choices=choices)
            raise AssertionError("a key that is no text was accepted")


def an_order_is_computed(engine: ModuleType, table: bytes) -> None:
    """Only bytes are accepted; what `__buffer__` returns (from Python 3.12) lives no longer than the call."""

    class Order:
        def __buffer__(self, flags: int) -> memoryview:
            return memoryview(bytes(range(6)))

    with suppress(TypeError):
        engine.Reader(table, None, tuple, None, {}, tuple, "rfc3986", Order())
        raise AssertionError("an order that is not bytes was accepted")


def a_class_hides_the_dictionary_of_its_instances(engine: ModuleType, table: bytes) -> None:
    class Kind(tuple[str, ...]):  # noqa: SLOT001 - instances have a dictionary
        def __getattribute__(self, name: str) -> Any:
            raise AttributeError(name)

    with suppress(TypeError):
        engine.Reader(table, None, Kind)
        raise AssertionError("instances of the class are more than tuples")


def a_finalizer_keeps_every_object(engine: ModuleType, table: bytes) -> None:
    """The collector of cycles runs as often as it can, and finalizers find what is being made."""
    methods: dict[str, Any] = {"spec": engine.Reader(table, None, tuple).read}
    function = _function(engine, methods)
    kept_objects: list[list[Any]] = []

    def keep_every_object() -> None:
        kept_objects[:] = [gc.get_objects()]

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for number in range(200):
            garbage = _CallingWhenFreed(keep_every_object)
            garbage.cycle = garbage  # type: ignore[attr-defined]
            del garbage
            name = "spec" if number % 2 else "other"
            answer = function("x:y", name)
            assert answer == (("x:y", name) if name == "other" else tuple(answer))
            with suppress(ValueError):
                engine.Reader(b"no table", None)
    finally:
        gc.set_threshold(*before)
        kept_objects.clear()


def python_calls_the_reader_that_asks_it(engine: ModuleType, table: bytes) -> None:
    """What Python answers for the engine calls the same reader, and drops the last reference to it."""
    readers: list[Any] = []

    class Pure:
        def read(self, _text: str) -> tuple[Any, ...]:
            answer = readers[-1].read("x:y")
            readers.clear()
            gc.collect()
            return answer

    class Text(str):
        __slots__ = ()

    for _ in range(20):
        readers.append(engine.Reader(table, Pure(), tuple))
        assert readers[-1].read(Text("x:y"))[0] == "x"


CASES: dict[str, Case] = {
    case.__name__: case
    for case in (
        a_key_calls_the_function_again,
        keys_call_the_function_again_from_threads,
        a_key_empties_the_methods,
        a_finalizer_calls_another_method,
        a_choice_is_shown,
        an_order_is_computed,
        a_class_hides_the_dictionary_of_its_instances,
        a_finalizer_keeps_every_object,
        python_calls_the_reader_that_asks_it,
    )
}
