"""Collection, session result."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from urlharness.adapters.registry import UnknownAdapter
from urlharness.corpus.model import Case, CaseKind, Corpus, case_kind
from urlharness.gate.baseline import Baseline, BaselineError, read_baseline
from urlharness.gate.findings import findings
from urlharness.gate.gate import NOTHING_BINDS, names
from urlharness.gate.policy import Policy
from urlharness.pytest_plugin.items import ROOT, Exam, Vector, tree
from urlharness.pytest_plugin.settings import settings
from urlharness.results.model import Header, Result, Results
from urlharness.results.verdict import Outcome
from urlharness.runner import adapter_of

# -------------------- pytest_plugin.settled: What became of the vectors of a session, as the reports of its items tell, and what that leaves unjudged.


#: The attribute of a report that has the facts of its vector, and the outcome.
_NOTED = "urlconform_settled"


class _Noted(NamedTuple):
    """What became of a vector, and whether the policy lets any outcome of it fail."""

    of: CaseKind
    outcome: Outcome
    judged: bool


def note(report: pytest.TestReport, case: Case, result: Result, policy: Policy) -> None:
    """Put into the report of an item what became of its vector, in values that go over any wire."""
    setattr(report, _NOTED, [*case_kind(case), result.outcome.value, policy.judges(case)])


class Settled:
    """The vectors that were asked, each with its outcome; one that is asked again has the last."""

    def __init__(self) -> None:
        self._noted: dict[str, _Noted] = {}

    def add(self, report: pytest.TestReport) -> None:
        """Take over what a report has of a vector; most reports are of something else."""
        noted = getattr(report, _NOTED, None)
        if noted is not None:
            *known, outcome, judged = noted
            self._noted[report.nodeid] = _Noted(CaseKind(*known), Outcome(outcome), judged)

    @property
    def any(self) -> bool:
        """True where a vector was asked."""
        return bool(self._noted)

    def unanswered(self, specs: Sequence[str], *, picked: bool) -> Iterator[str]:
        """A clause for what can fail and was never answered: everything, or an RFC that was named.

        Where nothing can fail there is a clause too, unless somebody `picked` the vectors by their node ids.
        """
        asked = {one.of.spec for one in self._noted.values() if one.judged}
        said = [one for one in self._noted.values() if one.outcome is not Outcome.UNSUPPORTED]
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
        counted: dict[tuple[CaseKind, Outcome], int] = {}
        for one in self._noted.values():
            kind = (one.of, one.outcome)
            counted[kind] = counted.get(kind, 0) + 1
        header = Header("urlresults-1", "", corpus.digest, (), "", "", "", sizes=dict(corpus.sizes))
        results = Results(header, {}, (), {}, complete=True, counted={name: counted})
        for found in findings(baseline, results, name, known=[*baseline.by_id(), *baseline.generated]):
            if found.kind == "coverage" and found.found is not None:
                yield f"{found.id}: {found.found.detail}"


# -------------------- pytest_plugin.plugin: The plugin proper, loaded where an adapter is named: it adds the vectors to what pytest has collected.


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
