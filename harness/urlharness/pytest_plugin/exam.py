"""What the items of a run share: the corpus, the adapter, which is opened once, and the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.baseline import Baseline, BaselineError, Entry
from urlharness.corpus import SPECS, Case, Corpus, CorpusError, load
from urlharness.findings import Finding, misfit
from urlharness.gate import judged_specs
from urlharness.known_ids import known
from urlharness.opened import Opened
from urlharness.policy import Policy, PolicyError, policy
from urlharness.pytest_plugin.pasting import again, again_in_pytest, shrink
from urlharness.pytest_plugin.settings import Settings
from urlharness.pytest_plugin.story import Story, shown_in_log, told
from urlharness.results import Result
from urlharness.selection import within
from urlharness.session import AdapterDead
from urlharness.unjudged import nameless


@dataclass
class Exam:
    """One adapter, asked by one process of pytest; each process of pytest-xdist has its own.

    `ids` are the node ids that were named on the command line, all of them where none was; `nameable` says
    whether the adapter has a name that the command line knows.  `collected` says whether the vectors could be
    collected.
    """

    adapter: Adapter
    settings: Settings
    baseline: Baseline | None
    ids: Sequence[str]
    nameable: bool
    collected: bool = False
    policy: Policy = field(init=False)
    _corpus: Corpus | None = None
    _opened: Opened | None = None
    _entries: dict[str, Entry] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the adapter."""
        return shown_in_log(self.adapter.name)

    @property
    def corpus(self) -> Corpus:
        """The corpus, loaded when it is first needed."""
        if self._corpus is None:
            self._corpus = load(self.settings.vectors)
        return self._corpus

    @property
    def baseline_path(self) -> Path | None:
        """The file of the baseline."""
        return self.settings.baseline

    def cases(self) -> list[Case]:
        """Start the adapter and give the vectors it is asked; raises CollectError."""
        try:
            selected = self._selected()
        except (CorpusError, BaselineError, PolicyError, AdapterDead, NotInstalled) as error:
            why = shown_in_log(f"urlconform: {self.name}: {error}")
            raise pytest.Collector.CollectError(why) from None
        if not selected:
            raise pytest.Collector.CollectError("urlconform: no vector meets the selection")
        return selected

    def _selected(self) -> list[Case]:
        settings = self.settings
        self.policy = policy(settings.policy, self.corpus.cases, settings.levels, strict=settings.strict)
        self._opened = Opened(self.adapter, settings.limits)
        participant = self._opened.participant
        self.policy = self.policy.claiming(participant.ops)
        judged = judged_specs(settings.selection.specs, participant.specs, self.baseline)
        if self.baseline is not None:
            problem = misfit(self.baseline, participant, judged or SPECS)
            if problem:
                raise BaselineError(f"{settings.baseline}: {problem}")
            self._entries = self.baseline.by_id()
        if why := nameless(judged):
            raise AdapterDead(f"nothing is judged: {why}")
        cases = settings.selection.pick(self.corpus.cases)
        return [case for case in cases if not judged or case.spec in judged]

    def unknown(self) -> dict[str, str]:
        """The ids of the baseline that the corpus does not have, each with the reason."""
        there = known(self.corpus, self.settings.vectors) if self._entries else None
        return (
            {}
            if there is None
            else {name: there.why(name) for name in self._entries if name not in there.ids}
        )

    def entry(self, identifier: str) -> Entry | None:
        """What the baseline lists of a vector."""
        return self._entries.get(identifier)

    def wants(self, node: str) -> bool:
        """True for a node that was named on the command line, or is below one that was."""
        return not self.ids or any(_names(named, node) for named in self.ids)

    def missing(self, nodes: Sequence[str]) -> list[str]:
        """What was named on the command line and is none of these nodes; empty where nobody could collect."""
        if not self.collected:
            return []
        return [named for named in self.ids if not any(_names(named, node) for node in nodes)]

    def ask(self, case: Case) -> Result:
        """The result of one case."""
        assert self._opened is not None, "an item runs after it has been collected"
        return self._opened.ask_one(case)

    def story(self, case: Case, result: Result, node: str, found: Finding | None = None) -> Story:
        """What there is to tell of a result."""
        identifier, requirement = case.vector.id, self.corpus.requirements[case.vector.requirement]
        chosen = self.settings
        if self.nameable:
            command = again(self.adapter, identifier, chosen.vectors, chosen.limits)
        else:
            command = again_in_pytest(self.adapter, chosen.narrowed, node)
        return Story(case, requirement, result, command, found)

    def stale(self, found: Finding) -> str:
        """What to do about an entry of the baseline that passes now."""
        assert self.settings.baseline is not None
        assert found.listed is not None
        chosen = self.settings
        command = shrink(self.adapter, self.settings.baseline, chosen.vectors, chosen.deciding)
        return shown_in_log(f"{told(found.listed)} is listed; remove it: {command}")

    def close(self) -> None:
        """End the adapter."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def _names(named: str, node: str) -> bool:
    """True for the node that was named, and for those below it."""
    above, _, wanted = named.partition("::")
    place, _, identifier = node.partition("::")
    return (place.startswith(f"{above}/") or within(place, above)) and wanted in ("", identifier)
