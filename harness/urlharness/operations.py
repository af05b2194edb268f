"""The operations: what each of them takes, and which kinds of expectation answer it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Operation(NamedTuple):
    """The inputs that a question needs, those that it may have, and the fields of `expect` that answer it."""

    needs: tuple[str, ...]
    may_have: tuple[str, ...]
    answers: frozenset[str]

    @property
    def takes(self) -> tuple[str, ...]:
        """Every input."""
        return self.needs + self.may_have


#: The layers that may have a base, innermost first (RFC 1808 section 3, RFC 2396 and 3986 section 5.1).
LAYERS = ("embedded", "encapsulating", "retrieval", "default")

OPERATIONS: Mapping[str, Operation] = {
    "validate": Operation(("rule", "url"), ("profile",), frozenset(("valid",))),
    "parse": Operation(("url",), ("rule", "profile"), frozenset(("components", "valid"))),
    "resolve": Operation(("base", "reference"), (), frozenset(("result", "same_document", "valid"))),
    "recompose": Operation(("components",), (), frozenset(("result",))),
    "normalize": Operation(("url",), ("mode",), frozenset(("result", "valid"))),
    "extract": Operation(("text",), (), frozenset(("urls",))),
    "equivalent": Operation(("url", "other"), ("mode",), frozenset(("equal", "valid"))),
    "decode": Operation(("url",), (), frozenset(("decoded", "valid"))),
    # a header stands for itself: with it there are no layers
    "base": Operation((), ("header", *LAYERS), frozenset(("base", "valid"))),
}

_CONDITIONS = ("rule", "profile", "mode")

#: Every input, in the order in which a reader meets them: under which conditions, then of what.
INPUTS = tuple(
    dict.fromkeys((*_CONDITIONS, *(name for operation in OPERATIONS.values() for name in operation.takes)))
)
