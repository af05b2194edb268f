"""The pytest nodes: the adapter, the sections, and an item for each vector."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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
from urlharness.corpus.selection import is_within
from urlharness.corpus.specifications import DEFAULT_SPECS
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.findings import Finding, locked_answers, misfit_reason, vector_finding
from urlharness.gate.gate import judged_specs, unclaimed_note, unknown_specs_note
from urlharness.gate.policy import Policy, PolicyError, make_policy
from urlharness.protocol.failures import AdapterDead
from urlharness.pytest_plugin.settings import Settings
from urlharness.results.model import Participant, Result
from urlharness.results.verdict import Outcome
from urlharness.runner import ConnectedAdapter, cases_to_ask
from urlharness.shell import baseline_update_command, join, repro_command
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
        return safe_line(self.adapter.name)

    @property
    def participant(self) -> Participant | None:
        """The adapter with its description of itself, or None if it was not started in this process."""
        return None if self._connected is None else self._connected.participant

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
    def locked_components(self) -> Mapping[str, Mapping[str, Any]]:
        """The components that the answer to each locked vector must show, by id (empty: all of them)."""
        if self.baseline is None:
            return {}
        return locked_answers(self.baseline, self.corpus.cases, self.corpus.digest)

    def start(self) -> Sequence[Case]:
        """Start the adapter and return the cases to ask.

        Raise CollectError if the adapter cannot be started, if a setting does not fit the adapter or the
        corpus, or if there is nothing to judge.
        """
        settings = self.settings
        try:
            policy = self.policy  # raises PolicyError before the adapter is started
            self._connected = ConnectedAdapter(self.adapter, settings.limits)
        except (CorpusError, PolicyError, AdapterDead, NotInstalled) as error:
            raise self._collect_error(str(error)) from None
        participant = self._connected.participant
        self.policy = policy.claiming(participant)
        judged = judged_specs(settings.selection.specs, participant.specs, self.baseline)
        self._check_claims(judged, participant)
        selected = settings.selection.pick(self.corpus.cases)
        cases_asked = cases_to_ask(selected, participant.specs)
        cases = [case for case in cases_asked if not judged or case.spec in judged]
        if not cases:
            nothing = settings.selection.no_match_message(self.corpus.cases)
            raise pytest.Collector.CollectError(safe_line(f"urlconform: {nothing}"))
        if self.ids or settings.all_operations:
            return cases
        self.not_offered = self._not_offered_of(cases, participant)
        ids_not_offered = {case.vector.id for case in self.not_offered}
        # if none is left, the items say so
        return [case for case in cases if case.vector.id not in ids_not_offered] or cases

    def _check_claims(self, judged: Collection[str], participant: Participant) -> None:
        """Raise CollectError if the adapter does not fit the baseline, or claims no RFC that is judged."""
        settings = self.settings
        if self.baseline is not None:
            misfit = misfit_reason(self.baseline, participant, judged or DEFAULT_SPECS)
            if misfit:
                raise self._collect_error(f"{settings.baseline}: {misfit}")
        why = unknown_specs_note(judged)
        if why:
            raise self._collect_error(f"nothing is judged: {why}")
        why = unclaimed_note(settings.selection.specs, participant.specs)
        if why:
            raise self._collect_error(f"nothing is asked: {why}")

    def _collect_error(self, problem: str) -> pytest.Collector.CollectError:
        """Return an error of the collection, which names the adapter."""
        return pytest.Collector.CollectError(safe_line(f"urlconform: {self.name}: {problem}"))

    def _not_offered_of(self, cases: Sequence[Case], participant: Participant) -> list[Case]:
        """Return the cases whose operation the adapter does not offer, except those of the baseline."""
        in_baseline = self.entries.keys() | self.locked_components.keys()
        not_offered = []
        for case in cases:
            vector = case.vector
            if vector.id not in in_baseline and not offers(participant, vector.op, vector.mode):
                not_offered.append(case)
        return not_offered

    def unknown_ids(self) -> dict[str, str]:
        """Map each unknown id of the baseline to the reason why the corpus does not have it."""
        if not self.entries:
            return {}
        corpus_ids = known_ids(self.corpus, self.settings.vectors)
        existing_or_removed = corpus_ids.ids | corpus_ids.ids.removed
        return {
            identifier: corpus_ids.why_missing(identifier)
            for identifier in self.entries
            if identifier not in existing_or_removed
        }

    def selects(self, node: str) -> bool:
        """Return True if the command line names this node or a node above it, or names no node at all."""
        return not self.ids or any(includes_node(named, node) for named in self.ids)

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
        name = self.adapter.name
        settings = self.settings
        if not self.named:
            return join(["pytest", "--urlconform", name, *settings.pytest_options, node])
        vectors = str(settings.vectors or "")
        timeout, start_timeout = settings.limits.unusual_seconds
        return repro_command(
            case.vector.id, name, vectors=vectors, timeout=timeout, start_timeout=start_timeout
        )


def includes_node(ancestor: str, node: str) -> bool:
    """Return True if the node with the id `node` is the node `ancestor` or is below it."""
    ancestor_path, _, ancestor_vector = ancestor.partition("::")
    path, _, vector = node.partition("::")
    is_below = path.startswith(f"{ancestor_path}/") or is_within(path, ancestor_path)
    return is_below and ancestor_vector in ("", vector)


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
            node = f"{ROOT}/{spec}/{section}"
            yield make_node(SectionNode, self, name, node, run=run, cases=cases)
        for identifier, why in run.unknown_ids().items():
            node = f"{ROOT}/baseline::{identifier}"
            if run.selects(node):
                yield make_node(UnknownId, self, identifier, node, run=run, why=why)
        run.collected = True


class SectionNode(pytest.Collector):
    """One section of one RFC."""

    run: AdapterRun
    cases: Sequence[Case]

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each vector of the section that the command line does not exclude."""
        for case in self.cases:
            node = f"{self.nodeid}::{case.vector.id}"
            if self.run.selects(node):
                name = case.vector.id
                vector: VectorItem = make_node(VectorItem, self, name, node, run=self.run, case=case)
                vector.add_markers()
                yield vector


class _Item(pytest.Item):
    """An item of a run with an adapter. `make_node` sets the attributes."""

    run: AdapterRun

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return (path of the node, None instead of a line, heading of a failure)."""
        name_of_path, _, _ = self.nodeid.partition("::")
        path = self.config.rootpath / name_of_path
        return path, None, f"{self.name} ({self.run.name})"


class VectorItem(_Item):
    """One vector. It passes if the answer of the adapter is admissible."""

    case: Case
    result: Result | None = None

    def add_markers(self) -> None:
        """Add the markers of the vector, and xfail if the baseline lists it.

        The requirement becomes a user property, which pytest writes to reports.
        """
        vector = self.case.vector
        mark = pytest.mark.urlconform
        facts = {"op": vector.op, "level": vector.level, "binding": vector.binding}
        self.add_marker(mark(spec=self.case.spec, section=self.case.section, **facts))
        for flag in self.case.flags:
            self.add_marker(mark(flag=flag))
        self.user_properties.append(("requirement", vector.requirement))
        entry = self.run.entries.get(vector.id)
        if entry is not None:
            reason = safe_line(self._reason_to_expect_failure(entry))
            self.add_marker(pytest.mark.xfail(strict=True, raises=KnownFailure, reason=reason))

    def _reason_to_expect_failure(self, entry: Entry) -> str:
        """Return the outcome that the baseline lists, with the note and the issue of its entry."""
        baseline = self.run.settings.baseline
        assert baseline is not None  # it has the entry
        notes = [note for note in (entry.note, entry.issue) if note]
        details = f", {' '.join(notes)}" if notes else ""
        return f"{baseline.name}: {entry.outcome}{details}"

    def runtest(self) -> None:
        """Ask the adapter, and compare the answer with the vector and with the baseline.

        Raise KnownFailure if the answer is wrong as the baseline says, and WrongAnswer if it is wrong in
        another way. The test passes if the answer is right, with a note if it is listed as wrong. If there
        was no answer, the test is skipped. A wrong answer that the policy accepts is an xfail.
        """
        run = self.run
        case = self.case
        self.result = case_result = run.ask(case)
        outcome = case_result.outcome
        if outcome is Outcome.ABORTED:
            why = f"{run.name} cannot be started again: {case_result.detail}"
            self.session.shouldfail = safe_line(f"urlconform: {why}")
        entry = run.entries.get(case.vector.id)
        locked = run.locked_components.get(case.vector.id)
        finding = vector_finding(entry, case, case_result, run.policy, locked)
        if finding is not None and finding.kind != "stale":
            raise WrongAnswer(self._explanation(case_result, finding))
        if entry is not None and finding is None:
            raise KnownFailure(self._explanation(case_result, finding=None))
        why = safe_line(f"{outcome}: {case_result.detail}".rstrip(": "))
        if entry is not None:
            self.add_report_section("call", "urlconform", self._note_on_stale(entry))
        elif not outcome.complete:
            pytest.skip(why)
        elif not outcome.passing:
            pytest.xfail(f"not gated: {why}")

    def _note_on_stale(self, entry: Entry) -> str:
        """Return the note that a listed vector passes now, with the command that removes its entry."""
        settings = self.run.settings
        command = baseline_update_command(
            str(settings.baseline), self.run.adapter.name, settings.gate_options, only_shrink=True
        )
        return safe_line(f"the vector passes, but {_entry_in_words(entry)} is listed; remove it: {command}")

    def _explanation(self, wrong: Result, finding: Finding | None) -> str:
        """Return the explanation of a failure: a headline, then a named fact per line."""
        answer = str(wrong.outcome)
        if wrong.answer:
            answer = msgspec.json.encode(wrong.answer).decode()
        listed = ""
        if finding is not None and finding.entry is not None:
            listed = _entry_in_words(finding.entry)
        message = str(wrong.got.get("message", ""))
        command = self.run.repro_command(self.case, self.nodeid)
        facts = [
            *self._question_facts(),
            ("listed", listed),
            ("got", answer),
            ("says", message),
            ("stderr", wrong.stderr.strip()),
            ("again", command),
        ]
        lines = [safe_line(_headline(wrong, finding))]
        lines += [f"{label:13}{safe_line(text)}" for label, text in facts if text]
        return "\n".join(lines)

    def _question_facts(self) -> list[tuple[str, str]]:
        """Return named facts about the question and the expected answer."""
        vector = self.case.vector
        requirement = self.run.corpus.requirements[vector.requirement]
        inputs = ", ".join(f"{name} {description}" for name, description in describe_inputs(vector))
        words = [word for word in (vector.op, vector.rule, inputs) if word]
        question = " ".join(words)
        flags = [("flag", explanation) for explanation in explain_flags(self.case.flags)]
        return [
            ("requirement", f"{requirement.statement} ({requirement.id})"),
            ("section", describe_place(self.case, requirement)),
            *flags,
            ("ruling", vector.ruling or ""),
            ("question", question),
            ("expected", describe_expected(vector.expect)),
        ]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the explanation of a wrong answer, for which pytest shows no traceback.

        Other failures are explained by pytest.
        """
        if isinstance(excinfo.value, pytest.xfail.Exception):
            return excinfo.getrepr(style="value")  # a traceback that nobody sees takes a tenth of a second
        if not isinstance(excinfo.value, WrongAnswer):
            return super().repr_failure(excinfo, style)
        explanation = excinfo.getrepr(style="value")
        if explanation.reprcrash is not None:
            explanation.reprcrash.message = str(excinfo.value).partition("\n")[0]
            explanation.reprcrash.path = self.nodeid
            explanation.reprcrash.lineno = 1
        if self.config.getoption("tbstyle") == "line":  # show only the line of reprcrash
            explanation.reprtraceback.reprentries = ()
        return explanation


class UnknownId(_Item):
    """An item that fails because the corpus does not have an id of the baseline."""

    why: str

    def runtest(self) -> None:
        """Fail with the reason."""
        pytest.fail(safe_line(f"unknown id in {self.run.settings.baseline}: {self.why}"), pytrace=False)


def make_node(kind: type[Any], parent: Any, name: str, nodeid: str, **fields: object) -> Any:
    """Return a node with these attributes, made by `from_parent` as pytest requires."""
    node = kind.from_parent(parent, name=name, nodeid=nodeid)
    for name_of_field, content in fields.items():
        setattr(node, name_of_field, content)
    return node


def _headline(wrong: Result, finding: Finding | None) -> str:
    """Return the first line of the explanation of a failure."""
    headline = f"{wrong.outcome}: {wrong.detail}" if wrong.detail else str(wrong.outcome)
    if finding is None:
        return headline
    if finding.kind == "lost":
        lost = f"lost: {finding.detail}"
        repeats_detail = bool(wrong.detail) and wrong.detail in finding.detail
        return lost if repeats_detail else f"{lost}: {headline}"
    if finding.entry is not None:
        return f"{_CHANGED[finding.kind]} {_entry_in_words(finding.entry)}; now {headline}"
    return headline


def _entry_in_words(entry: Entry) -> str:
    """Return the outcome and the answer of a baseline entry as text."""
    if not entry.got:
        return str(entry.outcome)
    answer = msgspec.json.encode(entry.got).decode()
    return f"{entry.outcome} {answer}"


def safe_line(text: str) -> str:
    """Return untrusted text as one line of at most 2,000 characters, safe for terminals and build logs."""
    return clipped(logged(text), _MAX_LINE_LENGTH)
