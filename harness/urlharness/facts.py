"""The facts of a case that a score depends on: a million cases are counted as a few kinds."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec

from urlharness.corpus import Binding, Case, Level, Operation, Spec
from urlharness.limits import LEAST_SECONDS, MOST_SECONDS

Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Seconds = Annotated[float, msgspec.Meta(ge=LEAST_SECONDS, le=MOST_SECONDS)]


class Facts(NamedTuple):
    """Where a case stands, what it asks and obliges to; `valid` is None where no verdict is expected."""

    spec: Spec
    section: str
    op: Operation
    level: Level
    binding: Binding
    valid: bool | None


def facts(case: Case) -> Facts:
    """Those of a case."""
    vector = case.vector
    valid = vector.expect.valid
    known = None if valid is msgspec.UNSET else valid
    return Facts(case.spec, case.section, vector.op, vector.level, vector.binding, known)
