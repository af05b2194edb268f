"""The count of the generated cases of one rule with one implementation: a line of a results file."""

from __future__ import annotations

import msgspec

from urlharness.corpus import Operation, Spec
from urlharness.facts import Count, Positive
from urlharness.selection import Tier
from urlharness.verdict import FAILING, Outcome


class Tally(msgspec.Struct, tag="tally", tag_field="type", frozen=True, omit_defaults=True):
    """The outcomes of the generated cases of one rule with one implementation.

    `rates` has for each figure of a score how many cases passed, of how many; `required` are the outcomes of
    required cases.  `answered` has for an operation how many cases were answered in full.  `digest` is that
    of all the cases, `failing_digest` of the required ones that went wrong, each with its outcome and answer;
    both are empty where not all of the cases were asked.
    """

    implementation: str
    part: str
    tier: Tier
    spec: Spec
    outcomes: dict[Outcome, Positive]
    required: dict[Outcome, Positive]
    rates: dict[str, tuple[Count, Count]]
    rule: str | None = None
    digest: str = ""
    answered: dict[Operation, Positive] = {}
    failing_digest: str = ""

    @property
    def failing(self) -> int:
        """How many required cases have an outcome that fails the gate."""
        return sum(self.required.get(outcome, 0) for outcome in FAILING)
