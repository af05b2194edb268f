"""Calls of the public functions that a user may make, but hardly on purpose."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from urloracle import parse
from urloracle.rfcs import SPECIFICATIONS

#: The functions that are entered in C.
ENTERED = ("validate", "parse", "view", "resolve")


class Text(str):
    """A str that answers for itself."""

    __slots__ = ()

    def isascii(self) -> bool:
        raise AssertionError("not asked")


class _Asking(str):
    """A name that asks the same function again, about another specification, when it is compared."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, operand: object) -> bool:
        parse("x:y", "rfc2396")
        return str.__eq__(self, operand)


class _NoHash:
    def __hash__(self) -> int:
        raise ValueError("no hash")


class _NoEqual:
    def __hash__(self) -> int:
        return hash("rfc3986")

    def __eq__(self, operand: object) -> bool:
        raise ValueError("not comparable")


_H = "http://h/"
_TEXTS: list[Any] = [
    "http://u@h:1/p?q#f", "", "http://h/a b", "http://h/\u00e9", _H + "\u00e9" * 5000, "http://h/\x00",
    "\ud800", Text("http://h/p"), Text("a b"), b"http://h/", None, [_H], (_H,), 1,
]  # fmt: skip
_SPECS: list[Any] = [
    SPECIFICATIONS["rfc1808"], Text("rfc2396"), _Asking("rfc3986"), "rfc1", None, b"rfc3986", [], _NoHash(),
    _NoEqual(), True,
]  # fmt: skip
#: Positional arguments, by what is odd with them.
_POSITIONAL: dict[str, list[tuple[Any, ...]]] = {
    "number": [(), (_H,), *((_H, "rfc3986", *[None] * count) for count in (1, 2, 3))],
    "rule": [
        ("h", "rfc3986", "host"), ("//h", "rfc3986", "URI"), ("x:", "rfc3986", "no rule"),
        ("a b", "rfc3986", []), ("x:", "rfc3986", "rfc3986"), ("x:", "rfc3986", "rfc3986", "rfc3986"),
    ],
    "profile": [("http://h:x", "rfc1738", "url", "generic"), ("x:", "rfc3986", "URI", "no profile")],
    "order": [("rfc3986", _H), (_H, "rfc3986", "rfc1738"), ("rfc3986", _H, "g")],
    "base": [
        ("//h/", "g", "rfc1808"), ("http://h", "g", "rfc1808"), ("http://h", "g", "rfc2396"),
        ("http://h", "../g", "rfc2396"), ("x:y", "g", "rfc2396"), (_H, "g", "rfc1738"),
        (_H, "g", "rfc3986", None),
    ],
    "text": [
        arguments
        for text in _TEXTS
        for arguments in (
            (text, "rfc1738"), (text, "rfc3986"), (text, text, "rfc3986"), (_H, text, "rfc2396"),
            (text, "g", "rfc1808"),
        )
    ],
    "spec": [arguments for spec in _SPECS for arguments in ((_H, spec), ("a b", spec), (_H, "g", spec))],
}  # fmt: skip
#: Positional and named arguments.
_NAMED: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {"text": _H, "spec": "rfc3986"}), ((_H,), {"spec": "rfc1738"}), (("a b",), {"spec": "rfc3986"}),
    ((), {"spec": "rfc3986"}), ((_H,), {"other": "rfc3986"}), ((_H, "rfc3986"), {"other": 1}),
    ((_H, "rfc3986"), {"text": "x:"}), ((_H, "rfc3986"), {"spec": "x:"}), ((_H, "rfc3986"), {"rule": None}),
    (("a@h", "rfc3986"), {"rule": "authority"}), (("//h", "rfc3986"), {"rule": "URI"}),
    ((_H, "rfc1738"), {"profile": None}), (("http://h:x", "rfc1738"), {"profile": "generic"}),
    ((_H, "g"), {"spec": "rfc3986"}), ((), {"base": "http://h", "reference": "?q", "spec": "rfc1808"}),
]  # fmt: skip
#: The name of a function, and its positional and named arguments.
CALLS = [
    (name, call, named)
    for name in ENTERED
    for call, named in (*((arguments, {}) for row in _POSITIONAL.values() for arguments in row), *_NAMED)
]


def outcomes(module: ModuleType) -> list[Any]:
    """Return the result or the error of each call; then all calls are made once more."""
    outcomes_seen: list[Any] = []
    for name, arguments, named in CALLS * 2:
        try:
            answer = getattr(module, name)(*arguments, **named)
        except Exception as problem:  # noqa: BLE001 - they are compared
            outcomes_seen.append((type(problem), str(problem)))
        else:
            parts = answer.astuple() if name == "view" else answer
            outcomes_seen.append((type(answer).__name__.removesuffix("View"), type(parts), parts))
    return outcomes_seen


def with_other_methods(engine: ModuleType) -> bool:
    """Return True if a function calls only methods that take the arguments as those of a reader do."""
    methods = {"python": lambda text: text, "tuple": engine.new_function, "one": str.upper}
    function = engine.new_function(lambda *arguments: arguments, methods, 2, "f", "f(*given)\n--\n\n", "m")
    return all(function("a", spec) == ("a", spec) for spec in methods)


def with_changed_methods(engine: ModuleType) -> list[Any]:
    """Return the results of a function before and after the method of a specification is changed."""
    methods: dict[str, Any] = {"s": len}

    def change(*argument: str) -> tuple[str, ...]:
        methods["s"] = ord
        return argument

    function = engine.new_function(change, methods, 2, "f", "f(*given)\n--\n\n", "m")
    outcomes_seen = [function("a", "s")]
    methods.clear()
    return [*outcomes_seen, function("a", "s"), function("a", "s"), function("b", "s")]
