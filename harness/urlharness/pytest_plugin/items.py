"""Pytest nodes, shared adapter, failure text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from urlharness.adapters.registry import Adapter as registry_Adapter
from urlharness.adapters.registry import NotInstalled
from urlharness.corpus.describe import asked, expectation
from urlharness.corpus.loader import load
from urlharness.corpus.lock import known_ids
from urlharness.corpus.model import SPECS, Case, Corpus, CorpusError, Requirement, explained
from urlharness.corpus.selection import within
from urlharness.gate.baseline import Baseline, BaselineError, Entry
from urlharness.gate.findings import Finding, finding, misfit
from urlharness.gate.gate import judged_specs, nameless
from urlharness.gate.policy import Policy, PolicyError, policy
from urlharness.limits import AdapterDead
from urlharness.pytest_plugin.settings import Settings
from urlharness.results.model import Result, answer
from urlharness.results.verdict import Outcome
from urlharness.runner import ConnectedAdapter
from urlharness.shell import again, again_in_pytest, shrink
from urlharness.text import logged

# -------------------- pytest_plugin.story: What a failing vector tells its reader: requirement, question, both answers, and how to ask again.


#: What is left of an answer that a hostile adapter made long.
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Story:
    """One vector and what became of it; `command` asks it again."""

    case: Case
    requirement: Requirement
    result: Result
    command: str
    finding: Finding | None = None

    @property
    def headline(self) -> str:
        """One line: what was found, and what differs."""
        result = self.result
        what = f"{result.outcome}: {result.detail}" if result.detail else result.outcome
        if self.finding is not None and self.finding.listed is not None:
            what = f"{_FOUND[self.finding.kind]} {told(self.finding.listed)}; now {what}"
        return shown_in_log(what)

    @property
    def text(self) -> str:
        """All of it, a labelled line each; what an adapter wrote can do nothing to a terminal."""
        case, requirement, result = self.case, self.requirement, self.result
        vector = case.vector
        listed = self.finding.listed if self.finding is not None else None
        question = ", ".join(f"{name} {value}" for name, value in asked(vector))
        got = answer(result)
        lines = (
            ("", self.headline),
            ("requirement", f"{requirement.statement} ({requirement.id})"),
            ("section", place(case, requirement)),
            *(("flag", flag) for flag in explained(case.flags)),
            ("ruling", vector.ruling or ""),
            ("question", " ".join(filter(None, (vector.op, vector.rule, question)))),
            ("expected", expectation(vector.expect)),
            ("listed", told(listed) if listed is not None else ""),
            ("got", msgspec.json.encode(got).decode() if got else result.outcome),
            ("says", str(result.got.get("message", ""))),
            ("stderr", result.stderr.strip()),
            ("again", self.command),
        )
        return "\n".join(
            f"{label:13}{shown_in_log(text)}" if label else shown_in_log(text)
            for label, text in lines
            if text
        )


def place(case: Case, requirement: Requirement) -> str:
    """Where the requirement stands: RFC, section and paragraph."""
    paragraph = requirement.paragraph
    numbers = paragraph if isinstance(paragraph, tuple) else (paragraph,)
    shown = " and ".join(map(str, numbers))
    return f"RFC {case.spec.removeprefix('rfc')}, section {requirement.section}, paragraph {shown}"


def reason(entry: Entry, baseline: Path) -> str:
    """Why a listed vector is expected to fail."""
    why = " ".join(filter(None, (entry.note, entry.issue)))
    return shown_in_log(f"{baseline.name}: {entry.outcome}" + (f", {why}" if why else ""))


def told(entry: Entry) -> str:
    """What a baseline lists: the outcome and the answer."""
    got = f" {msgspec.json.encode(entry.got).decode()}" if entry.got else ""
    return f"{entry.outcome}{got}"


_FOUND = {
    "changed": "changed: another wrong answer than the one listed,",
    "moved": "moved: the vector is not the one that was listed as",
}


def shown_in_log(text: str) -> str:
    """What anybody but us wrote, as pytest prints it: a line of at most 2,000 characters, and no command.

    Terminals obey escapes, build servers `##[error]`.
    """
    shown = logged(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}… ({len(shown)} characters)"


# -------------------- pytest_plugin.exam: What the items of a run share: the corpus, the adapter, which is opened once, and the baseline.


@dataclass
class Exam:
    """One adapter, asked by one process of pytest; each process of pytest-xdist has its own.

    `ids` are the node ids that were named on the command line, all of them where none was; `nameable` says
    whether the adapter has a name that the command line knows.  `collected` says whether the vectors could be
    collected.
    """

    adapter: registry_Adapter
    settings: Settings
    baseline: Baseline | None
    ids: Sequence[str]
    nameable: bool
    collected: bool = False
    policy: Policy = field(init=False)
    _corpus: Corpus | None = None
    _opened: ConnectedAdapter | None = None
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
        self._opened = ConnectedAdapter(self.adapter, settings.limits)
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
        there = known_ids(self.corpus, self.settings.vectors) if self._entries else None
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


# -------------------- pytest_plugin.nodes: The tree that pytest sees: an adapter, the sections it is asked about, and one item for each vector.


ROOT = "urlconform"


class Wrong(Exception):
    """An answer that fails the run: wrong and not listed, or not as it is listed."""

    def __init__(self, story: Story) -> None:
        super().__init__(story.text)
        self.headline = story.headline


class Known(Wrong):
    """The wrong answer that the baseline lists, which is expected."""


class Adapter(pytest.Collector):
    """The adapter: collecting starts it, so that one that is dead is one error, and no thousand."""

    exam: Exam

    def collect(self) -> Iterator[pytest.Collector]:
        """Yield the sections that are selected, and last the entries of the baseline that no vector has."""
        exam = self.exam
        sections: dict[tuple[str, str], list[Case]] = {}
        for case in exam.cases():
            sections.setdefault((case.spec, case.section), []).append(case)
        for (spec, section), cases in sections.items():
            title = exam.corpus.titles.get((spec, section), "")
            name = f"RFC {spec.removeprefix('rfc')} {section} {title}".rstrip()
            yield _made(Section, self, name, f"{ROOT}/{spec}/{section}", exam=exam, cases=cases)
        unknown = exam.unknown()
        if unknown:
            yield _made(Unknown, self, "unknown ids", f"{ROOT}/baseline", exam=exam, reasons=unknown)
        exam.collected = True


class Section(pytest.Collector):
    """One section of one RFC."""

    exam: Exam
    cases: Sequence[Case]

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the vectors."""
        for case in self.cases:
            identifier = case.vector.id
            node = f"{self.nodeid}::{identifier}"
            if self.exam.wants(node):
                yield _made(Vector, self, identifier, node, exam=self.exam, case=case)


class Vector(pytest.Item):
    """One vector; it passes where its answer is admissible."""

    exam: Exam
    case: Case
    result: Result | None = None

    def prepare(self) -> None:
        """Take over what the vector says of itself, and whether it is known to fail."""
        vector = self.case.vector
        mark = pytest.mark.urlconform
        self.add_marker(
            mark(
                spec=self.case.spec,
                section=self.case.section,
                op=vector.op,
                level=vector.level,
                binding=vector.binding,
            )
        )
        for flag in self.case.flags:
            self.add_marker(mark(flag=flag))
        self.user_properties.append(("requirement", vector.requirement))
        entry = self.exam.entry(vector.id)
        if entry is not None:
            assert self.exam.baseline_path is not None
            why = reason(entry, self.exam.baseline_path)
            self.add_marker(pytest.mark.xfail(strict=True, raises=Known, reason=why))

    def runtest(self) -> None:
        """Ask the adapter, and compare with the vector and with the baseline."""
        exam, case = self.exam, self.case
        self.result = result = exam.ask(case)
        if result.outcome is Outcome.ABORTED:
            self.session.shouldfail = shown_in_log(
                f"urlconform: {exam.name} cannot be started again: {result.detail}"
            )
        entry = exam.entry(case.vector.id)
        found = finding(entry, case, result, exam.policy)
        if found is not None and found.kind == "stale":
            self.add_report_section("call", "urlconform", exam.stale(found))
        elif found is not None:
            raise Wrong(exam.story(case, result, self.nodeid, found))
        if entry is not None and found is None:
            raise Known(exam.story(case, result, self.nodeid))
        if entry is None:
            _excuse(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The story of the vector, without a traceback of ours."""
        if not isinstance(excinfo.value, Wrong):
            return super().repr_failure(excinfo, style)
        shown = excinfo.getrepr(style="value")
        if shown.reprcrash is not None:
            shown.reprcrash.message = excinfo.value.headline
            shown.reprcrash.path, shown.reprcrash.lineno = self.nodeid, 1
        if self.config.getoption("tbstyle") == "line":  # that line is all
            shown.reprtraceback.reprentries = ()
        return shown

    def reportinfo(self) -> tuple[Path, None, str]:
        """Say where the vector stands in the run, and under which heading it fails."""
        return _place(self), None, f"{self.name} ({self.exam.name})"


class Unknown(pytest.Collector):
    """The ids of the baseline that the corpus does not have."""

    exam: Exam
    reasons: Mapping[str, str]

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each."""
        for identifier, why in self.reasons.items():
            node = f"{self.nodeid}::{identifier}"
            if self.exam.wants(node):
                yield _made(UnknownId, self, identifier, node, exam=self.exam, why=why)


class UnknownId(pytest.Item):
    """An id of the baseline that no vector has; it fails."""

    exam: Exam
    why: str

    def runtest(self) -> None:
        """Say why."""
        pytest.fail(shown_in_log(f"unknown id in {self.exam.baseline_path}: {self.why}"), pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Say where the entry stands in the run."""
        return _place(self), None, f"{self.name} (baseline)"


def _excuse(result: Result) -> None:
    """Skip what is not answered or not in full; what is wrong without failing the gate is expected to be."""
    why = shown_in_log(f"{result.outcome}: {result.detail}".rstrip(": "))
    if not result.outcome.complete:
        pytest.skip(why)
    if not result.outcome.passing:
        pytest.xfail(f"not gated, {why}")


def _place(node: pytest.Item) -> Path:
    return node.config.rootpath / node.nodeid.partition("::")[0]


def _made(kind: type[Any], parent: pytest.Collector, name: str, nodeid: str, **fields: object) -> Any:
    """A node with its fields; pytest makes nodes by `from_parent` alone."""
    node = kind.from_parent(parent, name=name, nodeid=nodeid)
    for field, value in fields.items():
        setattr(node, field, value)
    if isinstance(node, Vector):
        node.prepare()
    return node


def tree(session: pytest.Session, exam: Exam) -> Adapter:
    """The root of the tree."""
    root: Adapter = _made(Adapter, session, exam.name, ROOT, exam=exam)
    return root
