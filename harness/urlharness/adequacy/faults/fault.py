"""Faults of an operation: each has a name, and gives wrong answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from urlharness.corpus.model import Hex, Operation, Vector
from urloracle.specification import Specification

#: The answer of a fault; None is a refusal.
FaultAnswer = str | bool | Mapping[str, Any] | None


class Fault(NamedTuple):
    """A named fault of one operation.  `answer` returns its answer, given the RFC and the question."""

    name: str
    op: Operation
    answer: Callable[[Specification, Vector], FaultAnswer]


def url_text(url: Any) -> str:
    """Return a URL that is text.  If it is bytes, raise ValueError, which makes the fault refuse."""
    if isinstance(url, Hex):
        raise ValueError("bytes that are not UTF-8")  # noqa: TRY004 - the error of an invalid text
    return str(url)
