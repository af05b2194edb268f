"""What became of the vectors of a session, as the reports of its items tell, and what that leaves unjudged.

The items of a run under pytest-xdist are in its workers, and their reports come to the controller, which has
no answer but these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from urlharness.baseline import Baseline
from urlharness.corpus import Case, Corpus
from urlharness.facts import Facts, facts
from urlharness.findings import findings
from urlharness.judgement import names
from urlharness.policy import Policy
from urlharness.results import Header, Result, Results
from urlharness.unjudged import NOTHING_BINDS

#: The attribute of a report that has the facts of its vector, and the outcome.
_NOTED = "urlconform_settled"


class _Noted(NamedTuple):
    """What became of a vector, and whether the policy lets any outcome of it fail."""

    of: Facts
    outcome: Any
    judged: bool


def note(report: pytest.TestReport, case: Case, result: Result, policy: Policy) -> None:
    """Put into the report of an item what became of its vector, in values that go over any wire."""
    setattr(report, _NOTED, [*facts(case), result.outcome, policy.judges(case)])


class Settled:
    """The vectors that were asked, each with its outcome; one that is asked again has the last."""

    def __init__(self) -> None:
        self._noted: dict[str, _Noted] = {}

    def add(self, report: pytest.TestReport) -> None:
        """Take over what a report has of a vector; most reports are of something else."""
        noted = getattr(report, _NOTED, None)
        if noted is not None:
            *known, outcome, judged = noted
            self._noted[report.nodeid] = _Noted(Facts(*known), outcome, judged)

    @property
    def any(self) -> bool:
        """True where a vector was asked."""
        return bool(self._noted)

    def unanswered(self, specs: Sequence[str], *, picked: bool) -> Iterator[str]:
        """A clause for what can fail and was never answered: everything, or an RFC that was named.

        Where nothing can fail there is a clause too, unless somebody `picked` the vectors by their node ids.
        """
        asked = {one.of.spec for one in self._noted.values() if one.judged}
        said = [one for one in self._noted.values() if one.outcome != "unsupported"]
        answered = {one.of.spec for one in said if one.judged}
        if answered:
            silent = [[spec] for spec in specs if spec in asked - answered]
        elif said and not asked:
            if not picked:
                yield f"was asked nothing that can fail: {NOTHING_BINDS}"
            return
        else:
            silent = [[]]
        for of in silent:
            others = any(not of or one.of.spec in of for one in said)
            which = "that can fail" if others else "that was selected"
            yield f"answered no vector{f' of {names(of)}' if of else ''} {which}"

    def losses(self, baseline: Baseline, name: str, corpus: Corpus) -> Iterator[str]:
        """A clause for what is answered less than when the list was made, of RFCs that were asked whole."""
        counted: dict[tuple[Facts, Any], int] = {}
        for one in self._noted.values():
            kind = (one.of, one.outcome)
            counted[kind] = counted.get(kind, 0) + 1
        header = Header("urlresults-1", "", corpus.digest, (), "", "", "", sizes=dict(corpus.sizes))
        results = Results(header, {}, (), {}, complete=True, counted={name: counted})
        for found in findings(baseline, results, name, known=[*baseline.by_id(), *baseline.generated]):
            if found.kind == "coverage" and found.found is not None:
                yield f"{found.id}: {found.found.detail}"
