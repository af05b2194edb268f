"""What became of the vectors of a session, as the reports of its items tell, and what that leaves unjudged.

The items of a run under pytest-xdist are in its workers, and their reports come to the controller, which has
no answer but these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pytest

from urlharness.answered import SHORT
from urlharness.baseline import Baseline, findings
from urlharness.corpus import Case, Corpus
from urlharness.facts import Facts, facts
from urlharness.results import Header, Result, Results

#: The attribute of a report that has the facts of its vector, and the outcome.
_NOTED = "urlconform_settled"


def note(report: pytest.TestReport, case: Case, result: Result) -> None:
    """Put into the report of an item what became of its vector, in values that go over any wire."""
    setattr(report, _NOTED, [*facts(case), result.outcome])


class Settled:
    """The vectors that were asked, each with its outcome; one that is asked again has the last."""

    def __init__(self) -> None:
        self._outcomes: dict[str, tuple[Facts, Any]] = {}

    def add(self, report: pytest.TestReport) -> None:
        """Take over what a report has of a vector; most reports are of something else."""
        noted = getattr(report, _NOTED, None)
        if noted is not None:
            *known, outcome = noted
            self._outcomes[report.nodeid] = Facts(*known), outcome

    @property
    def any(self) -> bool:
        """True where a vector was asked."""
        return bool(self._outcomes)

    def unanswered(self, specs: Sequence[str], *, strict: bool) -> Iterator[str]:
        """A clause for what was asked and never answered in full: everything, or an RFC that was named.

        Strictly an answer in part is one.
        """
        asked = {of.spec for of, _ in self._outcomes.values()}
        short = {"unsupported"} if strict else SHORT
        answered = {of.spec for of, outcome in self._outcomes.values() if outcome not in short}
        if not answered:
            yield f"answered no vector that was selected{self._in_part(asked)}"
            return
        for spec in specs:
            if spec in asked - answered:
                yield f"answered no vector of {spec} that was selected{self._in_part({spec})}"

    def _in_part(self, specs: Collection[str]) -> str:
        parts = any(of.spec in specs and outcome == "partial" for of, outcome in self._outcomes.values())
        return ", only parts of some, which --urlconform-strict judges" if parts else ""

    def losses(self, baseline: Baseline, name: str, corpus: Corpus) -> Iterator[str]:
        """A clause for what is answered less than when the list was made, of RFCs that were asked whole."""
        counted: dict[tuple[Facts, Any], int] = {}
        for of in self._outcomes.values():
            counted[of] = counted.get(of, 0) + 1
        header = Header("urlresults-1", "", corpus.digest, (), "", "", "", sizes=dict(corpus.sizes))
        results = Results(header, {}, (), {}, complete=True, counted={name: counted})
        for one in findings(baseline, results, name, known=baseline.by_id()):
            if one.kind == "coverage" and one.found is not None:
                yield f"{one.id}: {one.found.detail}"
