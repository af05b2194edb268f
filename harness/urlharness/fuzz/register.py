"""The register of findings: one for each cause.

A disagreement goes four steps: its text is made minimal, the difference in the minimal text is named, the
difference has a key, and under this key the finding is stored. Equal keys are one finding. Of several
adapters, a finding can need more than one text: if two adapters give the same answer to its text, but differ
on another text by the same cause, the other text is an effect of the finding. So is the first text that shows
the cause in another component.

Minimising takes most questions of a campaign. So a disagreement is not examined in these cases:

    the difference in the text as it is already has the key of a finding that distinguishes the two adapters,
    and shows the same component
    an earlier text that left the language at the same place, or enough others, differed likewise

Without `fold`, two versions of one library are compared, and one cause shows in many components. Then only
the second case applies, because any part of the text can show a cause that is not known. If the cause of the
minimal text is known, but not in the component in which the whole text differs, a minimal text of this
component becomes an effect.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from urlharness.corpus.specifications import Spec
from urlharness.fuzz import FuzzOperation
from urlharness.fuzz.difference import Difference, Divergence, cause_key
from urlharness.fuzz.examination import Examiner
from urlharness.fuzz.findings import CampaignFinding, Changes, Effect, TextOrigin, with_effect
from urlharness.fuzz.panel import CampaignPanel

#: With `fold`: the maximum number of texts that are examined for one difference of two adapters.
_UNLIKE_TEXTS = 3
#: Without `fold`: the number of texts with one difference that must show nothing new, one after the other,
#: for all further ones to be left out.
_VERSIONS_TEXTS = 40

_Key = tuple[str, ...]


class Listener(Protocol):
    """A receiver of the changes in a register."""

    def receive(self, finding: CampaignFinding) -> None:
        """Receive a finding that is new or has grown."""


class Register:
    """The findings of a panel by the key of their cause."""

    def __init__(
        self,
        panel: CampaignPanel,
        spec: Spec,
        findings: Iterable[CampaignFinding],
        *,
        fold: bool,
        keep_class: bool = False,
    ) -> None:
        """Start with some findings. `keep_class` is passed on to `Examiner`."""
        self._examiner = Examiner(panel, spec, fold=fold, keep_class=keep_class)
        self._names = panel.names
        self._fold = fold
        #: The receiver of each finding that is new or has grown.
        self.listener: Listener | None = None
        self._by_key: dict[_Key, CampaignFinding] = {}
        for finding in findings:
            self._by_key.setdefault(finding.cause_key, finding)
        self._counts: dict[str, int] = defaultdict(int)
        self._changes = Changes()

    @property
    def findings(self) -> Collection[CampaignFinding]:
        """The findings, in the order in which they were found."""
        return self._by_key.values()

    def examine(
        self, operation: FuzzOperation, text: str, divergence: Divergence, leaves_at: int, origin: TextOrigin
    ) -> None:
        """Examine a disagreement about a text, unless it is not due, and record what it shows.

        `leaves_at` is the code of the place where the text leaves the language.
        """
        likely = self._examiner.likely_difference(operation, text, divergence)
        count_name = self._count_if_due(operation, divergence, likely, leaves_at)
        if count_name is None:
            return
        specimen = self._examiner.minimise(operation, text, divergence)
        if specimen is None:
            return
        key = (operation, *cause_key(specimen.difference))
        finding = self._by_key.get(key)
        shows_something_new = True
        if finding is None:
            finding = self._examiner.ask_finding(operation, specimen, origin)
            self.record(finding)
        elif not self._shows(finding, specimen.divergence):
            finding = self._add_effect(finding, self._examiner.ask_effect(operation, specimen))
        else:
            shows_something_new = False
        can_add_component = not self._fold and not divergence.is_end
        if can_add_component and divergence.component not in finding.components:
            self._add_component(finding, operation, text, divergence)
            shows_something_new = True
        if shows_something_new:
            self._set_count(count_name, 0)  # further texts like this one are examined

    def record(self, finding: CampaignFinding) -> None:
        """Record a finding that is new or has grown, and pass it to the listener."""
        self._by_key[finding.cause_key] = finding
        self._changes.effects[finding.id] = len(finding.effects)
        if self.listener is not None:
            self.listener.receive(finding)

    def take_changes(self) -> Changes:
        """Return what has changed since the last call."""
        changes = self._changes
        self._changes = Changes()
        return changes

    def restore_counts(self, counts: Mapping[str, int]) -> None:
        """Restore the counts that another register has taken in a round."""
        self._counts.update(counts)

    def restore(self, finding: CampaignFinding) -> None:
        """Restore a finding of another register. The listener does not receive it."""
        self._by_key[finding.cause_key] = finding

    # ---- what is due

    def _count_if_due(
        self, operation: FuzzOperation, divergence: Divergence, likely: Difference, leaves_at: int
    ) -> str | None:
        """Count a text, and return the name of the count of the texts like it. Return None if it is not due.

        A text that is not due is not counted.
        """
        key = (operation, *cause_key(likely))
        finding = self._by_key.get(key)
        can_be_known = self._fold or divergence.is_end  # otherwise a part of the text can show another cause
        if can_be_known and finding is not None and self._shows(finding, divergence):
            return None
        pair = f"{divergence.first} {divergence.second}"
        count_name = " ".join((*key, pair))
        count_name_of_place = f"{count_name} {leaves_at}"
        most = _UNLIKE_TEXTS if self._fold else _VERSIONS_TEXTS
        if self._counts[count_name_of_place] or self._counts[count_name] >= most:
            return None
        self._set_count(count_name_of_place, 1)
        self._set_count(count_name, self._counts[count_name] + 1)
        return count_name

    def _set_count(self, name: str, count: int) -> None:
        """Set a count, which is then one of the changes of the round."""
        self._counts[name] = count
        self._changes.counts[name] = count

    def _shows(self, finding: CampaignFinding, divergence: Divergence) -> bool:
        """Return True if a finding has the component of a divergence, and distinguishes its two adapters."""
        names = [self._names[position] for position in divergence.places]
        return divergence.component in finding.components and finding.separates(*names)

    # ---- effects

    def _add_effect(self, finding: CampaignFinding, effect: Effect) -> CampaignFinding:
        """Add an effect to a finding, unless it cannot have this one. Return the finding as it is then."""
        grown = with_effect(finding, effect)
        if grown is not finding:  # otherwise `with_effect` has returned the finding itself
            self.record(grown)
        return grown

    def _add_component(
        self, finding: CampaignFinding, operation: FuzzOperation, text: str, divergence: Divergence
    ) -> None:
        """Add the component of a divergence to a finding that has the same cause in other components."""
        specimen = self._examiner.minimise_in_component(operation, text, divergence)
        if specimen is not None and specimen.divergence.component == divergence.component:
            self._add_effect(finding, self._examiner.ask_effect(operation, specimen))
