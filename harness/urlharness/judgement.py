"""What the gate says of one adapter, and by what it was judged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from urlharness.baseline import Baseline, Entry
from urlharness.exitcodes import Exit
from urlharness.findings import Finding
from urlharness.policy import Policy


@dataclass(frozen=True)
class Group:
    """Vectors that fail in the same way: an outcome or a kind of finding, the first ids, and their count."""

    what: str
    ids: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class Measure:
    """By what a named adapter was judged: the RFCs, all of them if empty, the policy, and its baseline."""

    specs: frozenset[str]
    policy: Policy
    baseline: Baseline | None = None

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """What the baseline lists, by id."""
        return self.baseline.by_id() if self.baseline is not None else {}

    def judges(self, spec: str) -> bool:
        """True where something of this RFC can fail."""
        return of(spec, self.specs)


@dataclass(frozen=True)
class Judgement:
    """What the gate says of one adapter: the code, one sentence, and the vectors it is about.

    The sentence is empty where there is nothing to say.  `shown` is the id of a case that shows why.  `by` is
    None in a survey.  `listable` is False where the gate would not pass by any list.
    """

    name: str
    code: Exit
    reason: str = ""
    groups: tuple[Group, ...] = ()
    findings: tuple[Finding, ...] = ()
    shown: str = ""
    installed: bool = True
    by: Measure | None = None
    listable: bool = True


def of(spec: str, judged: Collection[str]) -> bool:
    """True where an RFC is among those that are judged, which are all of them if none is named."""
    return not judged or spec in judged


def names(specs: Collection[str]) -> str:
    """RFCs in a sentence."""
    return ", ".join(sorted(specs))
