"""The pytest nodes: the adapter, the sections, and an item for each vector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import pytest

from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.corpus.describe import describe_expected, describe_inputs, describe_place
from urlharness.corpus.loader import load
from urlharness.corpus.lock import known_ids
from urlharness.corpus.model import Case, Corpus, CorpusError, explain_flags, offers
from urlharness.corpus.selection import within
from urlharness.corpus.specifications import SPECS
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.findings import Finding, locked_answers, misfit, vector_finding
from urlharness.gate.gate import judged_specs, unknown_specs
from urlharness.gate.policy import Policy, PolicyError, make_policy
from urlharness.protocol.failures import AdapterDead
from urlharness.pytest_plugin.settings import Settings
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome
from urlharness.runner import ConnectedAdapter
from urlharness.shell import baseline_update, join, repro
from urlharness.text import clipped, logged
from urlharness.wording import rfc

#: The first part of every node id.
ROOT = "urlconform"

#: Longer texts are cut after this many characters.
_MAX_LINE_LENGTH = 2000

_CHANGED = {
    "changed": "changed: the answer is wrong in another way than listed in the baseline,",
    "moved": "moved: the vector has changed since the baseline listed it as",
}


@dataclass
class AdapterRun:
    """The state that all items share: corpus, baseline, and the adapter, which is started once.

    With pytest-xdist, each process has its own state. `ids` are the node ids on the command line (empty: all
    nodes). `named` is False for an adapter that only a conftest can find. `collected` is True after the
    collection. `not_offered` are the selected vectors that have no item because the adapter does not offer
    their operation.
    """

    adapter: Adapter
    settings: Settings
    baseline: Baseline | None
    ids: Sequence[str]
    named: bool
    collected: bool = field(default=False, init=False)
    not_offered: list[Case] = field(default_factory=list, init=False)
    _connected: ConnectedAdapter | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The name of the adapter, safe for a log."""
        return safe(self.adapter.name)

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus, loaded when it is first needed."""
        return load(self.settings.vectors)

    @cached_property
    def policy(self) -> Policy:
        """The policy that decides what fails. `start` replaces it by the policy for this adapter."""
        settings = self.settings
        return make_policy(settings.policy, self.corpus.cases, settings.levels, strict=settings.strict)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The entries of the baseline by id."""
        return self.baseline.by_id() if self.baseline is not None else {}

    @cached_property
    def locked(self) -> Mapping[str, Mapping[str, Any]]:
        """The answers that the baseline locks, by vector id, as `locked_answers` returns them."""
        if self.baseline is None:
            return {}
        return locked_answers(self.baseline, self.corpus.cases, self.corpus.digest)

    def start(self) -> Sequence[Case]:
        """Start the adapter and return the cases to ask.

        Raise CollectError if the adapter cannot be started, if a setting does not fit the adapter or the
        corpus, or if there is nothing to judge.
        """
        settings, baseline, problem = self.settings, self.baseline, ""
        try:
            policy = self.policy  # raises PolicyError before the adapter is started
            self._connected = ConnectedAdapter(self.adapter, settings.limits)
            participant = self._connected.participant
            self.policy = policy.claiming(participant)
            judged = judged_specs(settings.selection.specs, participant.specs, baseline)
            if baseline is not None and (unfit := misfit(baseline, participant, judged or SPECS)):
                problem = f"{settings.baseline}: {unfit}"
            elif unknown := unknown_specs(judged):
                problem = f"nothing is judged: {unknown}"
        except (CorpusError, PolicyError, AdapterDead, NotInstalled) as error:
            problem = str(error)
        if problem:
            raise pytest.Collector.CollectError(safe(f"urlconform: {self.name}: {problem}"))
        cases = settings.selection.pick(self.corpus.cases)
        asked = [case for case in cases if not judged or case.spec in judged]
        if not asked:
            nothing = settings.selection.nothing_selected(self.corpus.cases)
            raise pytest.Collector.CollectError(safe(f"urlconform: {nothing}"))
        if not (self.ids or settings.all_operations):
            offered = {
                case.vector.id for case in asked if offers(participant, case.vector.op, case.vector.mode)
            }
            kept = offered | self.entries.keys() | self.locked.keys()
            self.not_offered = [case for case in asked if case.vector.id not in kept]
            asked = [case for case in asked if case.vector.id in kept] or asked
        return asked

    def unknown_ids(self) -> dict[str, str]:
        """Map each unknown id of the baseline to the reason why the corpus does not have it."""
        if not self.entries:
            return {}
        known = known_ids(self.corpus, self.settings.vectors)
        there = known.ids | known.ids.removed
        return {name: known.why(name) for name in self.entries if name not in there}

    def wants(self, node: str) -> bool:
        """Return True if the command line names this node or a node above it, or names no node at all."""
        return not self.ids or any(includes_node(given, node) for given in self.ids)

    def ask(self, case: Case) -> Result:
        """Ask the adapter one case."""
        assert self._connected is not None, "items run after the collection, which starts the adapter"
        return self._connected.ask_one(case)

    def close(self) -> None:
        """End the adapter."""
        if self._connected is not None:
            self._connected.close()

    def repro_command(self, case: Case, node: str) -> str:
        """Return the shell command that asks the case again."""
        name, settings = self.adapter.name, self.settings
        if not self.named:
            return join(["pytest", "--urlconform", name, *settings.pytest_options, node])
        vectors, (timeout, start_timeout) = str(settings.vectors or ""), settings.limits.unusual
        return repro(case.vector.id, name, vectors=vectors, timeout=timeout, start_timeout=start_timeout)


def includes_node(given: str, node: str) -> bool:
    """Return True if the node with the id `node` is the node `given` or is below it."""
    above, _, wanted = given.partition("::")
    place, _, identifier = node.partition("::")
    return (place.startswith(f"{above}/") or within(place, above)) and wanted in ("", identifier)


class WrongAnswer(Exception):
    """A wrong answer that is not in the baseline or differs from its entry. It fails the run."""


class KnownFailure(WrongAnswer):
    """A wrong answer that equals its entry in the baseline. It is expected."""


class AdapterNode(pytest.Collector):
    """The node of the adapter.

    If the adapter does not start, this is a single error of this node, not an error of every vector.
    """

    run: AdapterRun

    def collect(self) -> Iterator[pytest.Collector | pytest.Item]:
        """Yield the selected sections, and an item for each unknown id of the baseline."""
        run = self.run
        sections: dict[tuple[str, str], list[Case]] = {}
        for case in run.start():
            sections.setdefault((case.spec, case.section), []).append(case)
        for (spec, section), cases in sections.items():
            title = run.corpus.titles.get((spec, section), "")
            name = f"{rfc(spec)} {section} {title}".rstrip()
            yield make_node(SectionNode, self, name, f"{ROOT}/{spec}/{section}", run=run, cases=cases)
        for identifier, why in run.unknown_ids().items():
            node = f"{ROOT}/baseline::{identifier}"
            if run.wants(node):
                yield make_node(UnknownId, self, identifier, node, run=run, why=why)
        run.collected = True


class SectionNode(pytest.Collector):
    """One section of one RFC."""

    run: AdapterRun
    cases: Sequence[Case]

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each vector of the section."""
        for case in self.cases:
            node = f"{self.nodeid}::{case.vector.id}"
            if self.run.wants(node):
                item: VectorItem = make_node(VectorItem, self, case.vector.id, node, run=self.run, case=case)
                item.mark()
                yield item


class _Item(pytest.Item):
    run: AdapterRun

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return (path of the node, None instead of a line, heading of a failure)."""
        place = self.nodeid.partition("::")[0]
        return self.config.rootpath / place, None, f"{self.name} ({self.run.name})"


class VectorItem(_Item):
    """One vector. It passes if the answer of the adapter is admissible."""

    case: Case
    result: Result | None = None

    def mark(self) -> None:
        """Add the markers of the vector, and xfail if the baseline lists it."""
        case, vector, mark = self.case, self.case.vector, pytest.mark.urlconform
        facts = {"op": vector.op, "level": vector.level, "binding": vector.binding}
        self.add_marker(mark(spec=case.spec, section=case.section, **facts))
        for flag in case.flags:
            self.add_marker(mark(flag=flag))
        self.user_properties.append(("requirement", vector.requirement))
        entry = self.run.entries.get(vector.id)
        if entry is not None:
            assert self.run.settings.baseline is not None
            why = f"{self.run.settings.baseline.name}: {entry.outcome}"
            notes = " ".join(filter(None, (entry.note, entry.issue)))
            reason = safe(f"{why}, {notes}" if notes else why)
            self.add_marker(pytest.mark.xfail(strict=True, raises=KnownFailure, reason=reason))

    def runtest(self) -> None:
        """Ask the adapter, and compare the answer with the vector and with the baseline."""
        run, case = self.run, self.case
        self.result = result = run.ask(case)
        if result.outcome is Outcome.ABORTED:
            self.session.shouldfail = safe(f"urlconform: {run.name} cannot be started again: {result.detail}")
        entry = run.entries.get(case.vector.id)
        found = vector_finding(entry, case, result, run.policy, run.locked.get(case.vector.id))
        if found is not None and found.kind != "stale":
            raise WrongAnswer(self._explain(result, found))
        if entry is not None and found is None:
            raise KnownFailure(self._explain(result, None))
        why = safe(f"{result.outcome}: {result.detail}".rstrip(": "))
        if entry is not None:
            file, options = str(run.settings.baseline), run.settings.gate_options
            command = baseline_update(file, run.adapter.name, options, only_shrink=True)
            line = safe(f"the vector passes, but {_entry(entry)} is listed; remove it: {command}")
            self.add_report_section("call", "urlconform", line)
        elif not result.outcome.complete:
            pytest.skip(why)
        elif not result.outcome.passing:
            pytest.xfail(f"not gated: {why}")

    def _explain(self, result: Result, found: Finding | None) -> str:
        """Return the explanation of a failure: a headline, then a named fact per line."""
        case, vector = self.case, self.case.vector
        requirement = self.run.corpus.requirements[vector.requirement]
        listed = found.entry if found is not None else None
        headline = f"{result.outcome}: {result.detail}" if result.detail else str(result.outcome)
        if found is not None and found.kind == "lost":
            repeated = bool(result.detail) and result.detail in found.detail
            headline = f"lost: {found.detail}" + ("" if repeated else f": {headline}")
        elif found is not None and listed is not None:
            headline = f"{_CHANGED[found.kind]} {_entry(listed)}; now {headline}"
        inputs = ", ".join(f"{name} {value}" for name, value in describe_inputs(vector))
        lines = (
            ("requirement", f"{requirement.statement} ({requirement.id})"),
            ("section", describe_place(case, requirement)),
            *(("flag", flag) for flag in explain_flags(case.flags)),
            ("ruling", vector.ruling or ""),
            ("question", " ".join(filter(None, (vector.op, vector.rule, inputs)))),
            ("expected", describe_expected(vector.expect)),
            ("listed", _entry(listed) if listed is not None else ""),
            ("got", msgspec.json.encode(result.answer).decode() if result.answer else result.outcome),
            ("says", str(result.got.get("message", ""))),
            ("stderr", result.stderr.strip()),
            ("again", self.run.repro_command(case, self.nodeid)),
        )
        return "\n".join([safe(headline), *(f"{label:13}{safe(text)}" for label, text in lines if text)])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the explanation of a wrong answer, for which pytest shows no traceback."""
        if isinstance(excinfo.value, pytest.xfail.Exception):
            return excinfo.getrepr(style="value")  # a traceback that nobody sees takes a tenth of a second
        if not isinstance(excinfo.value, WrongAnswer):
            return super().repr_failure(excinfo, style)
        shown = excinfo.getrepr(style="value")
        if shown.reprcrash is not None:
            shown.reprcrash.message = str(excinfo.value).partition("\n")[0]
            shown.reprcrash.path, shown.reprcrash.lineno = self.nodeid, 1
        if self.config.getoption("tbstyle") == "line":  # show only the line of reprcrash
            shown.reprtraceback.reprentries = ()
        return shown


class UnknownId(_Item):
    """An item that fails because the corpus does not have an id of the baseline."""

    why: str

    def runtest(self) -> None:
        """Fail with the reason."""
        pytest.fail(safe(f"unknown id in {self.run.settings.baseline}: {self.why}"), pytrace=False)


def make_node(kind: type[Any], parent: Any, name: str, nodeid: str, **fields: object) -> Any:
    """Return a node with these attributes, made by `from_parent` as pytest requires."""
    node = kind.from_parent(parent, name=name, nodeid=nodeid)
    for field_name, value in fields.items():
        setattr(node, field_name, value)
    return node


def _entry(entry: Entry) -> str:
    """Return the outcome and the answer of a baseline entry as text."""
    return f"{entry.outcome} {msgspec.json.encode(entry.got).decode()}" if entry.got else str(entry.outcome)


def safe(text: str) -> str:
    """Return untrusted text as one line of at most 2,000 characters, safe for terminals and build logs."""
    return clipped(logged(text), _MAX_LINE_LENGTH)
