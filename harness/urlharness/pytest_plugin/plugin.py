"""The plugin proper, loaded where an adapter is named: it adds the vectors to what pytest has collected."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from urlharness.adapters.registry import UnknownAdapter
from urlharness.baseline import BaselineError, read_baseline
from urlharness.opened import adapter_of
from urlharness.pytest_plugin.exam import Exam
from urlharness.pytest_plugin.nodes import ROOT, Vector, tree
from urlharness.pytest_plugin.settings import settings
from urlharness.pytest_plugin.settled import Settled, note

_NODE = re.compile(rf"(?:\.\./)*(?P<node>{ROOT}(?:/[^:]*)?(?:::.*)?)")
#: What a worker of pytest-xdist tells of ids that it did not find.
_MISSING = "urlconform_missing"


class Vectors:
    """Collects the vectors, and ends the adapter with the session.

    Under pytest-xdist it is in every worker, and in the controller, which collects nothing and is told of
    everything.
    """

    def __init__(self, exam: Exam, *, wanted: bool) -> None:
        self._exam = exam
        self._wanted = wanted
        self._settled = Settled()
        self._wrong: list[str] = []

    def pytest_report_header(self) -> str:
        """Name the adapter and the baseline, and what is left out."""
        exam = self._exam
        listed = "" if exam.baseline is None else f", {len(exam.baseline.entries)} known wrong answers"
        tiers = exam.settings.generated
        left = f", generated tiers ({', '.join(tiers)}) are not asked" if tiers else ""
        return f"urlconform: {exam.name}{listed}{left}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the vectors before anyone selects by word, marker or id."""
        if not self._wanted:
            return
        found = list(session.genitems(tree(session, self._exam)))
        missing = self._exam.missing([item.nodeid for item in found])
        if missing:
            _output(session.config)[_MISSING] = missing
            raise _unfound(missing)
        items.extend(found)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Fail as the worker does that did not find an id: pytest-xdist drops its errors of usage."""
        missing = getattr(node, "workeroutput", {}).get(_MISSING)
        if missing:
            raise _unfound(missing)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Note in the report of a vector what became of it."""
        report = yield
        if isinstance(item, Vector) and report.when == "call" and item.result is not None:
            note(report, item.case, item.result, self._exam.policy)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the vectors."""
        self._settled.add(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail where what was asked was not answered, or less than the baseline says: all that is skipped."""
        if not hasattr(session.config, "workerinput"):  # a worker knows of some vectors only
            self._wrong = list(self._whole())
        if self._wrong and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say why."""
        for line in self._wrong:
            terminalreporter.write_line(f"urlconform: {line}", red=True)

    def pytest_unconfigure(self) -> None:
        """End the adapter."""
        self._exam.close()

    def _whole(self) -> Iterator[str]:
        """What fails the session as a whole, a line each."""
        exam = self._exam
        if not self._settled.any:
            return
        settings = exam.settings
        for clause in self._settled.unanswered(settings.selection.specs, picked=bool(exam.ids)):
            yield f"nothing was judged: {exam.name} {clause}"
        if exam.baseline is not None and exam.baseline.answered:
            for clause in self._settled.losses(exam.baseline, exam.name, exam.corpus):
                yield f"loss of coverage: {exam.name}: {clause}"


def plugin(config: pytest.Config, name: str) -> Vectors:
    """The plugin for the adapter of this name; raises pytest.UsageError."""
    chosen = settings(config, name)
    given = config.hook.pytest_urlconform_adapter(name=chosen.adapter, config=config)
    try:
        adapter = adapter_of(chosen.adapter, chosen.folder) if given is None else adapter_of(given)
        baseline = None if chosen.baseline is None else read_baseline(chosen.baseline)
    except (UnknownAdapter, BaselineError) as error:
        raise pytest.UsageError(f"urlconform: {error}") from None
    ids = _take_ids(config)
    exam = Exam(adapter, chosen, baseline, ids, nameable=given is None or isinstance(given, str))
    # an adapter of the ini file is for whole runs: who names a file means that file
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    wanted = bool(config.getoption("--urlconform")) or not named or bool(ids)
    return Vectors(exam, wanted=wanted)


def _take_ids(config: pytest.Config) -> list[str]:
    """The node ids of vectors among the arguments, which are taken out: pytest looks for files."""
    ids = []
    for argument in list(config.args):
        found = _NODE.fullmatch(argument)
        here = config.invocation_params.dir / argument.partition("::")[0]
        if found is not None and not here.exists():
            config.args.remove(argument)
            ids.append(found["node"].rstrip("/"))
    return ids


def _output(config: pytest.Config) -> dict[str, Any]:
    """What a worker of pytest-xdist tells the controller at its end; of no use elsewhere."""
    output: dict[str, Any] = getattr(config, "workeroutput", {})
    return output


def _unfound(missing: list[str]) -> pytest.UsageError:
    """What pytest says of an id of its own."""
    ids = ", ".join(missing)
    return pytest.UsageError(
        f"urlconform: not found: {ids} (nothing that is asked has this id or is below it)"
    )
