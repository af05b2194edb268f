"""How much an analysis does, and what it found of one specification."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from urlharness.adequacy import analysis
from urlharness.adequacy.bench import Finding
from urlharness.adequacy.counting import Count
from urlharness.adequacy.coverage import Coverage
from urlharness.adequacy.subjects import Change

#: What is changed, and whether in the grammar that is laid over.
Identity = tuple[Change, bool]


@dataclass(frozen=True)
class Plan:
    """How much is done: `sample` mutants, pairs and faults of each subject, None for all mutants.

    `pairs` and `faults` are the numbers of a full run.  `cover`: few texts are
    found that notice all survivors.
    """

    specs: tuple[str, ...]
    sample: int | None = None
    seed: int = 1
    pairs: int = 300
    faults: int = 200
    processes: int = 2
    cover: bool = False

    @property
    def pairs_of_subject(self) -> int:
        """How many second-order mutants of each subject."""
        return self.pairs if self.sample is None else min(self.sample, self.pairs)

    @property
    def faults_of_subject(self) -> int:
        """How many faults of each kind in each subject."""
        return self.faults if self.sample is None else min(self.sample, self.faults)


@dataclass
class Measured:
    """What was found of one specification, added up over its subjects.

    A mutant is `settled` in the first subject where some text can tell it; until then it is `idle`.
    """

    first: dict[str, Count] = field(default_factory=dict)
    second: dict[str, Count] = field(default_factory=dict)
    held_out: dict[str, Count] = field(default_factory=dict)
    resolution: dict[str, Count] = field(default_factory=dict)
    faults: dict[str, dict[str, Count]] = field(default_factory=dict)
    transitions: dict[str, Coverage] = field(default_factory=dict)
    by_offset: int = 0
    survivors: list[dict[str, Any]] = field(default_factory=list)
    idle: dict[Identity, Finding] = field(default_factory=dict)
    settled: set[Identity] = field(default_factory=set)

    def still_idle(self) -> Count:
        """Of the mutants that no subject can tell, how many are equivalent, undecided and open."""
        never = (finding for identity, finding in self.idle.items() if identity not in self.settled)
        return analysis.count(never, ())
