"""The hooks for a run with an adapter: they collect the vectors and judge the session."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from urlharness.adapters.registry import UnknownAdapter
from urlharness.corpus.lock import CorpusIds, known_ids
from urlharness.corpus.model import Corpus
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, BaselineError, read_baseline
from urlharness.gate.findings import findings, vector_finding
from urlharness.gate.gate import NO_REQUIRED_ANSWER, Criteria, JudgedRun, Judgement, old_format_note
from urlharness.pytest_plugin.items import ROOT, AdapterNode, AdapterRun, VectorItem, includes_node, make_node
from urlharness.pytest_plugin.settings import read_settings
from urlharness.results.model import AskedVector, Header, Participant, Result, Results, count_kinds
from urlharness.results.verdict import Outcome
from urlharness.runner import adapter_of
from urlharness.text import logged
from urlharness.wording import counted

_NODE = re.compile(rf"(?:\.\./)*(?P<node>{ROOT}(?:/[^:]*)?(?:::.*)?)")

#: The attribute of a report that contains [id, outcome] of a vector. pytest-xdist sends it as JSON.
_OUTCOME = "urlconform_outcome"

#: The attribute of the report of a failed vector that contains its result. It is sent, too.
_WRONG = "urlconform_wrong"

#: The maximum number of groups of failures to print.
_MOST_GROUPS = 20

#: The keys of what a worker of pytest-xdist sends to the controller: the node ids that it did not find, and
#: the ids of the vectors whose operation the adapter does not offer.
_MISSING = "urlconform_missing"
_NOT_OFFERED = "urlconform_not_offered"


class Vectors:
    """The hooks, which collect the vectors, judge the session, and end the adapter.

    If `collects` is False, no vectors are collected. With pytest-xdist, each worker has an instance of this
    class, and so does the controller. The controller collects nothing, but it receives all reports.
    """

    def __init__(self, run: AdapterRun, *, collects: bool) -> None:
        """Prepare the hooks. The adapter is started by the collection, and ended by `pytest_unconfigure`."""
        self._run = run
        self._collects = collects
        #: By the id of the vector: the outcome, and the result if the test failed.
        self._outcomes: dict[str, Outcome] = {}
        self._wrong: dict[str, Result] = {}
        #: The ids of the vectors that have no item because their operation is not offered.
        self._not_offered: Sequence[str] = ()
        #: Why the session as a whole fails.
        self._problems: list[str] = []

    def pytest_report_header(self, config: pytest.Config) -> list[str]:
        """Return the header lines: the adapter, its file, the baseline, and the tiers that are not asked."""
        run = self._run
        adapter = run.name
        if run.baseline is not None:
            adapter += f", {len(run.baseline.entries)} known wrong answers"
        if run.settings.generated:
            adapter += f", generated tiers ({', '.join(run.settings.generated)}) are not asked"
        lines = [adapter, self._line_about_file(config.invocation_params.dir)]
        if run.baseline is not None:
            lines.append(old_format_note(run.baseline))
        return [f"urlconform: {line}" for line in lines if line]

    def _line_about_file(self, current: Path) -> str:
        """Return a line with the file that names the adapter, or nothing if it is in the current folder."""
        settings = self._run.settings
        if settings.folder is None or settings.folder == current.resolve():
            return ""
        return logged(f"the adapter is that of {settings.location}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the vectors to the items before other plugins select items by word, marker or id.

        Raise a usage error if an id on the command line is not found.
        """
        if not self._collects:
            return
        run = self._run
        root = make_node(AdapterNode, session, run.name, ROOT, run=run)
        vectors = list(session.genitems(root))
        nodes = [vector.nodeid for vector in vectors]
        missing = [named for named in run.ids if not any(includes_node(named, node) for node in nodes)]
        if run.collected and missing:
            _send_to_controller(session.config, _MISSING, missing)
            raise _not_found(missing)
        self._not_offered = [case.vector.id for case in run.not_offered]
        items.extend(vectors)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Do not report the vectors that are not offered if the user selects vectors by word or marker."""
        if any(isinstance(deselected, VectorItem) for deselected in items):
            self._not_offered = ()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell the controller of pytest-xdist which vectors are not offered."""
        _send_to_controller(session.config, _NOT_OFFERED, self._not_offered)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Receive what a worker sent. Raise a usage error if the worker did not find an id.

        The worker raises the same error, but pytest-xdist does not show it.
        """
        output = getattr(node, "workeroutput", {})
        missing = output.get(_MISSING)
        if missing:
            raise _not_found(missing)
        self._not_offered = output.get(_NOT_OFFERED, ())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Add the id and the outcome of a vector to its report, and the result if it failed."""
        report = yield
        if isinstance(item, VectorItem) and report.when == "call" and item.result is not None:
            setattr(report, _OUTCOME, [item.result.id, item.result.outcome.value])
            if report.failed:
                setattr(report, _WRONG, msgspec.to_builtins(item.result))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the outcome of a vector. If the vector is asked again, the last outcome counts."""
        id_and_outcome = getattr(report, _OUTCOME, None)
        if id_and_outcome is None:
            return
        identifier, outcome = id_and_outcome
        self._outcomes[identifier] = Outcome(outcome)
        self._wrong.pop(identifier, None)
        wrong = getattr(report, _WRONG, None)
        if wrong is not None:
            self._wrong[identifier] = msgspec.convert(wrong, Result)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the session if too few vectors were answered. A single unanswered item is only skipped."""
        if not hasattr(session.config, "workerinput") and self._outcomes:  # a worker has only some vectors
            self._problems = list(self._reasons_to_fail())
        if self._problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what differs, how many vectors have no item, and why the session failed as a whole."""
        lines = self._lines_about_groups()
        if lines:
            terminalreporter.section("urlconform: what differs")
            for line in lines:
                terminalreporter.write_line(line)
        if self._not_offered:
            vectors = counted(len(self._not_offered), "vector")
            why = f"{self._run.name} does not offer their operations"
            line = f"{vectors} deselected: {why} (--urlconform-all-operations asks them)"
            terminalreporter.write_line(f"urlconform: {line}")
        for line in self._problems:
            terminalreporter.write_line(f"urlconform: {line}", red=True)

    def pytest_unconfigure(self) -> None:
        """End the adapter."""
        self._run.close()

    def _reasons_to_fail(self) -> Iterator[str]:
        """Yield each reason why the session as a whole fails: no answers, or fewer than in the baseline."""
        run = self._run
        results = self._results()
        judged = JudgedRun(results, run.name, (), run.policy)
        nothing = judged.nothing_answered_note() or judged.unanswered_note(run.settings.selection.specs)
        # a user may name a vector on the command line whose answer the RFC leaves open
        is_intended = nothing == NO_REQUIRED_ANSWER and bool(run.ids)
        if nothing and not is_intended:
            yield f"nothing was judged: {run.name}: {nothing}"
        if run.baseline is not None and run.baseline.answered:
            yield from self._losses(run.baseline, results)

    def _losses(self, baseline: Baseline, results: Results) -> Iterator[str]:
        """Yield each loss of answers that is not the failure of an item."""
        run = self._run
        corpus_ids = CorpusIds((*run.entries, *baseline.generated))
        corpus_ids.removed = known_ids(run.corpus, run.settings.vectors).ids.removed
        ids_of_items = run.entries.keys() | run.locked_components.keys()
        for finding in findings(baseline, results, run.name, corpus_ids=corpus_ids):
            name = f"{run.name}: {finding.id}"
            if finding.kind == "coverage" and finding.result is not None:
                yield f"loss of coverage: {name}: {finding.result.detail}"
            elif finding.kind == "lost" and finding.id not in ids_of_items:
                yield f"lost: {name}: {finding.detail}"

    def _lines_about_groups(self) -> Sequence[str]:
        """Return a line for each group of failed vectors whose answers differ in the same way.

        There are none if at most one vector failed, about which pytest says enough.
        """
        if len(self._wrong) < 2:
            return []
        # loaded here because most sessions have no failure
        from urlharness.report.failures import groups_of_new_findings  # noqa: PLC0415

        name = self._run.name
        outcomes = self._results()
        case_results = {**outcomes.of(name), **self._wrong}
        results = structs.replace(outcomes, results={name: case_results})
        groups = groups_of_new_findings(results, self._judgement_of_failures(results))
        lines = [f"{group.heading_with_kinds}, such as {group.example.id}" for group in groups[:_MOST_GROUPS]]
        if len(groups) > _MOST_GROUPS:
            lines.append(f"and {len(groups) - _MOST_GROUPS:,} more groups")
        return [logged(line) for line in lines]

    def _judgement_of_failures(self, results: Results) -> Judgement:
        """Return the judgement of the gate on the failed vectors. With a baseline, it has their findings."""
        run = self._run
        criteria = Criteria(frozenset(), run.policy, run.baseline)
        if run.baseline is None:
            return Judgement(run.name, Exit.FAILED, criteria=criteria)
        new_findings = []
        for identifier, case_result in self._wrong.items():
            case = results.vectors[identifier].case
            entry = run.entries.get(identifier)
            locked = run.locked_components.get(identifier)
            finding = vector_finding(entry, case, case_result, run.policy, locked)
            if finding is not None:
                new_findings.append(finding)
        return Judgement(run.name, Exit.FAILED, criteria=criteria, findings=tuple(new_findings))

    def _results(self) -> Results:
        """Return the outcomes of the session as results.

        The outcome of a vector is `unsupported` if the adapter does not offer its operation.
        """
        name = self._run.name
        corpus = self._run.corpus
        outcomes = {**dict.fromkeys(self._not_offered, Outcome.UNSUPPORTED), **self._outcomes}
        vectors = {}
        for case in corpus.cases:
            if case.vector.id in outcomes:
                requirement = corpus.requirements[case.vector.requirement]
                vectors[case.vector.id] = AskedVector(case, requirement)
        case_results = {
            identifier: Result(identifier, name, outcome) for identifier, outcome in outcomes.items()
        }
        counts = count_kinds(vectors, {name: case_results})
        return Results(
            _header(corpus),
            vectors,
            (self._run.participant or Participant(name, "ran"),),
            {name: case_results},
            complete=True,
            asked=counts.asked,
            counted=counts.counted,
        )


def _header(corpus: Corpus) -> Header:
    """Return the header of results that are only judged: what says where they come from is empty."""
    return Header(
        schema="urlresults-1",
        urlconform="",
        corpus=corpus.digest,
        argv=(),
        started="",
        platform="",
        python="",
        sizes=dict(corpus.sizes),
    )


def make_plugin(config: pytest.Config, name: str) -> Vectors:
    """Return the plugin for the adapter of this name. Raise pytest.UsageError if a setting is invalid."""
    run_settings = read_settings(config, name)
    own_adapter = config.hook.pytest_urlconform_adapter(name=run_settings.adapter, config=config)
    try:
        if own_adapter is None:
            adapter = adapter_of(run_settings.adapter, run_settings.folder)
        else:
            adapter = adapter_of(own_adapter)
        baseline = None if run_settings.baseline is None else read_baseline(run_settings.baseline)
    except (UnknownAdapter, BaselineError) as error:
        raise pytest.UsageError(f"urlconform: {error}") from None
    ids = _take_ids(config)
    named = own_adapter is None or isinstance(own_adapter, str)
    run = AdapterRun(adapter, run_settings, baseline, ids, named=named)
    # if only the ini file names the adapter, and the command line names files, pytest runs only these files
    with_arguments = config.args_source is pytest.Config.ArgsSource.ARGS
    is_named_on_command_line = bool(config.getoption("--urlconform") or ids)
    return Vectors(run, collects=is_named_on_command_line or not with_arguments)


def _take_ids(config: pytest.Config) -> list[str]:
    """Remove the node ids of vectors from the arguments, because pytest takes arguments for files.

    Return the ids.
    """
    ids = []
    for argument in list(config.args):
        match = _NODE.fullmatch(argument)
        path = config.invocation_params.dir / argument.partition("::")[0]
        if match is not None and not path.exists():
            config.args.remove(argument)
            ids.append(match["node"].rstrip("/"))
    return ids


def _send_to_controller(config: pytest.Config, key: str, names: Sequence[str]) -> None:
    """Send names to the controller of pytest-xdist, if this process is a worker."""
    worker_output: dict[str, object] | None = getattr(config, "workeroutput", None)
    if worker_output is not None:
        worker_output[key] = list(names)


def _not_found(missing: Sequence[str]) -> pytest.UsageError:
    """Return the error that these node ids of the command line select no vector."""
    return pytest.UsageError(f"urlconform: not found: {', '.join(missing)} (no selected vector has this id)")
