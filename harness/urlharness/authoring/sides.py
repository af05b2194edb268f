"""Of what kind a vector is: accepting, rejecting, components, resolution or other."""

from __future__ import annotations

from typing import Literal

from urlharness.corpus import Vector

Side = Literal["accepting", "rejecting"]
Kind = Literal["accepting", "rejecting", "components", "resolution", "other"]

KINDS: tuple[Kind, ...] = ("accepting", "rejecting", "components", "resolution", "other")


def side(vector: Vector) -> Side:
    """Rejecting where the recommended answer is that the text is invalid; every other answer accepts it."""
    return "rejecting" if vector.expect.alternatives[0].valid is False else "accepting"


def kind(vector: Vector) -> Kind:
    """What is counted under one name: a verdict by its side, any other answer by what it is of."""
    first = vector.expect.alternatives[0]
    if first.kind == "valid":
        return side(vector)
    if first.kind == "components":
        return "components"
    return "resolution" if vector.op == "resolve" else "other"
