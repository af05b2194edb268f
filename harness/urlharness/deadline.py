"""Slow work in a property test that does not count towards the deadline of an example."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

_Argument = TypeVar("_Argument")
_Returned = TypeVar("_Returned")


def without_deadline(function: Callable[[_Argument], _Returned], argument: _Argument) -> _Returned:
    """Return `function(argument)`. In a property test, the call does not count towards the deadline.

    Use it for work that only the first example does. Otherwise that example may exceed the deadline, which
    depends on how busy the machine is. Hypothesis does not count the time in which it draws values, so the
    function is called while a value is drawn.
    """
    hypothesis = sys.modules.get("hypothesis")  # a property test has imported it
    if hypothesis is None or not hypothesis.currently_in_test_context():
        return function(argument)
    from hypothesis.control import current_build_context  # noqa: PLC0415 - an extra
    from hypothesis.strategies import deferred, just  # noqa: PLC0415

    answer: _Returned = current_build_context().data.draw(deferred(lambda: just(function(argument))))
    return answer
