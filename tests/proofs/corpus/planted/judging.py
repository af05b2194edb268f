"""Tell if an answer fails a vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from urlharness.corpus.model import Case
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urlharness.runner import question

#: What an answer may contain; the reference reports an absent component as one.
FEATURES = {"absent-vs-empty"}


def fails(case: Case, reply: Mapping[str, Any]) -> bool:
    """Tell if an answer fails a vector."""
    return judge(case, msgspec.convert({**reply, "id": 0}, Reply), FEATURES).outcome.failing


def present_fields(case: Case) -> dict[str, Any]:
    """Return the fields of the question of a vector, without those that are absent."""
    fields = msgspec.to_builtins(question(case))
    return {name: field for name, field in fields.items() if field is not None}
