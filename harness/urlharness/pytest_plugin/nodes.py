"""The tree that pytest sees: an adapter, the sections it is asked about, and one item for each vector.

Node ids are `urlconform/SPEC/SECTION::ID`: they read as paths, group by section, and can be pasted back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from urlharness.corpus import Case
from urlharness.findings import finding
from urlharness.pytest_plugin.exam import Exam
from urlharness.pytest_plugin.story import Story, reason, shown_in_log
from urlharness.results import Result

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
        if result.outcome == "aborted":
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
    if result.outcome in ("unsupported", "partial"):
        pytest.skip(why)
    if result.outcome not in ("pass", "variant"):
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
