"""The hooks for a run with an adapter: they collect the vectors and judge the session."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from urlharness.adapters.registry import UnknownAdapter
from urlharness.config import FILE, TABLE
from urlharness.corpus.lock import CorpusIds, known_ids
from urlharness.corpus.model import case_kind
from urlharness.gate.baseline import BaselineError, read_baseline
from urlharness.gate.findings import findings
from urlharness.gate.gate import NO_REQUIRED_ANSWER, JudgedRun, old_format
from urlharness.pytest_plugin.items import ROOT, AdapterNode, AdapterRun, VectorItem, includes_node, make_node
from urlharness.pytest_plugin.settings import settings
from urlharness.results.model import AskedVector, Header, Participant, Result, Results
from urlharness.results.verdict import Outcome
from urlharness.runner import adapter_of
from urlharness.text import logged
from urlharness.wording import counted

_NODE = re.compile(rf"(?:\.\./)*(?P<node>{ROOT}(?:/[^:]*)?(?:::.*)?)")

#: The attribute of a report that contains [id, outcome] of a vector. pytest-xdist sends it as JSON.
_OUTCOME = "urlconform_outcome"

#: The keys of what a worker of pytest-xdist sends to the controller: the node ids that it did not find, and
#: the ids of the vectors whose operation the adapter does not offer.
_MISSING = "urlconform_missing"
_NOT_OFFERED = "urlconform_not_offered"


class Vectors:
    """The hooks, which collect the vectors, judge the session, and end the adapter.

    If `wanted` is False, no vectors are collected. With pytest-xdist, each worker has an instance of this
    class, and so does the controller. The controller collects nothing, but it receives all reports.
    """

    def __init__(self, run: AdapterRun, *, wanted: bool) -> None:
        self._run = run
        self._wanted = wanted
        self._outcomes: dict[str, Outcome] = {}
        self._not_offered: Sequence[str] = ()
        self._problems: list[str] = []

    def pytest_report_header(self, config: pytest.Config) -> list[str]:
        """Return the header lines: the adapter, its file, the baseline, and the tiers that are not asked."""
        run = self._run
        listed = "" if run.baseline is None else f", {len(run.baseline.entries)} known wrong answers"
        tiers = ", ".join(run.settings.generated)
        left_out = f", generated tiers ({tiers}) are not asked" if tiers else ""
        note = "" if run.baseline is None else old_format(run.baseline)
        lines = [f"{run.name}{listed}{left_out}", self._file_above(config.invocation_params.dir), note]
        return [f"urlconform: {line}" for line in lines if line]

    def _file_above(self, here: Path) -> str:
        """Return a line with the file that names the adapter, or nothing if it is in the folder `here`."""
        folder = self._run.settings.folder
        if folder is None or folder == here.resolve():
            return ""
        return logged(f"the adapter is that of [{TABLE}] in {folder / FILE}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the vectors to the items before other plugins select items by word, marker or id.

        Raise a usage error if an id on the command line is not found.
        """
        if not self._wanted:
            return
        run = self._run
        root = make_node(AdapterNode, session, run.name, ROOT, run=run)
        found = list(session.genitems(root))
        lost = (id_ for id_ in run.ids if not any(includes_node(id_, item.nodeid) for item in found))
        if run.collected and (missing := list(lost)):
            getattr(session.config, "workeroutput", {})[_MISSING] = missing
            raise _not_found(missing)
        self._not_offered = [case.vector.id for case in run.not_offered]
        items.extend(found)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Do not report the vectors that are not offered if the user selects vectors by word or marker."""
        if any(isinstance(item, VectorItem) for item in items):
            self._not_offered = ()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell the controller of pytest-xdist which vectors are not offered."""
        getattr(session.config, "workeroutput", {})[_NOT_OFFERED] = list(self._not_offered)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Receive what a worker sent. Raise a usage error if the worker did not find an id.

        The worker raises the same error, but pytest-xdist does not show it.
        """
        output = getattr(node, "workeroutput", {})
        if missing := output.get(_MISSING):
            raise _not_found(missing)
        self._not_offered = output.get(_NOT_OFFERED, ())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Add the id and the outcome of a vector to its report."""
        report = yield
        if isinstance(item, VectorItem) and report.when == "call" and item.result is not None:
            setattr(report, _OUTCOME, [item.result.id, item.result.outcome.value])
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the outcome of a vector. If the vector is asked again, the last outcome counts."""
        if found := getattr(report, _OUTCOME, None):
            identifier, outcome = found
            self._outcomes[identifier] = Outcome(outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the session if too few vectors were answered. A single unanswered item is only skipped."""
        if not hasattr(session.config, "workerinput") and self._outcomes:  # a worker has only some vectors
            self._problems = list(self._judge())
        if self._problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the number of vectors without an item, and the reasons why the session failed as a whole."""
        if count := len(self._not_offered):
            why = f"{self._run.name} does not offer their operations"
            line = f"{counted(count, 'vector')} deselected: {why} (--urlconform-all-operations asks them)"
            terminalreporter.write_line(f"urlconform: {line}")
        for line in self._problems:
            terminalreporter.write_line(f"urlconform: {line}", red=True)

    def pytest_unconfigure(self) -> None:
        """End the adapter."""
        self._run.close()

    def _judge(self) -> Iterator[str]:
        """Yield each reason why the session as a whole fails: no answers, or fewer than in the baseline."""
        run, results = self._run, self._results()
        specs, name = run.settings.selection.specs, run.name
        judged = JudgedRun(results, name, (), run.policy)
        nothing = judged.nothing_answered() or judged.unanswered(specs)
        if nothing and not (nothing == NO_REQUIRED_ANSWER and run.ids):
            yield f"nothing was judged: {name}: {nothing}"
        if run.baseline is not None and run.baseline.answered:
            known = CorpusIds((*run.entries, *run.baseline.generated))
            known.removed = known_ids(run.corpus, run.settings.vectors).ids.removed
            for found in findings(run.baseline, results, name, known=known):
                if found.kind == "coverage" and found.result is not None:
                    yield f"loss of coverage: {name}: {found.id}: {found.result.detail}"
                elif found.kind == "lost" and found.id not in {*run.entries, *run.locked}:
                    # all other lost answers are failed items
                    yield f"lost: {name}: {found.id}: {found.detail}"

    def _results(self) -> Results:
        """Return the outcomes of the session as results.

        The outcome of a vector is `unsupported` if the adapter does not offer its operation.
        """
        run, corpus = self._run, self._run.corpus
        outcomes = {**dict.fromkeys(self._not_offered, Outcome.UNSUPPORTED), **self._outcomes}
        cases = [case for case in corpus.cases if case.vector.id in outcomes]
        kinds = {case.vector.id: case_kind(case) for case in cases}
        asked = [AskedVector(case, corpus.requirements[case.vector.requirement], "") for case in cases]
        return Results(
            Header("urlresults-1", "", corpus.digest, (), "", "", "", sizes=dict(corpus.sizes)),
            {one.case.vector.id: one for one in asked},
            (Participant(run.name, "ran"),),
            {run.name: {id_: Result(id_, run.name, outcome) for id_, outcome in outcomes.items()}},
            complete=True,
            asked=Counter(kinds.values()),
            counted={run.name: Counter((kinds[id_], outcome) for id_, outcome in outcomes.items())},
        )


def plugin(config: pytest.Config, name: str) -> Vectors:
    """Return the plugin for the adapter of this name. Raise pytest.UsageError if a setting is invalid."""
    chosen = settings(config, name)
    given = config.hook.pytest_urlconform_adapter(name=chosen.adapter, config=config)
    try:
        adapter = adapter_of(chosen.adapter, chosen.folder) if given is None else adapter_of(given)
        baseline = None if chosen.baseline is None else read_baseline(chosen.baseline)
    except (UnknownAdapter, BaselineError) as error:
        raise pytest.UsageError(f"urlconform: {error}") from None
    ids = _take_ids(config)
    run = AdapterRun(adapter, chosen, baseline, ids, named=given is None or isinstance(given, str))
    # if only the ini file names the adapter, and the command line names files, pytest runs only these files
    with_arguments = config.args_source is pytest.Config.ArgsSource.ARGS
    return Vectors(run, wanted=bool(config.getoption("--urlconform") or ids) or not with_arguments)


def _take_ids(config: pytest.Config) -> list[str]:
    """Remove the node ids of vectors from the arguments, because pytest takes arguments for files.

    Return the ids.
    """
    ids = []
    for argument in list(config.args):
        found = _NODE.fullmatch(argument)
        path = config.invocation_params.dir / argument.partition("::")[0]
        if found is not None and not path.exists():
            config.args.remove(argument)
            ids.append(found["node"].rstrip("/"))
    return ids


def _not_found(missing: list[str]) -> pytest.UsageError:
    return pytest.UsageError(f"urlconform: not found: {', '.join(missing)} (no selected vector has this id)")
