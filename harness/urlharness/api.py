"""The Python interface: ask an adapter the vectors; get outcomes, scores and the gate's decision as values.

    from urlharness import functions, run
    report = run(functions("tinyurl", resolve=tinyurl.join), spec="rfc3986")
    assert report.gate(baseline="urlconform-baseline.json").passed

An adapter is a name as on the command line, a function from question to reply, or a value of
`urlharness.adapters.registry`. A function that is named, `python:MODULE:FUNCTION`, is called in a child
process, where it may hang or exit; a function object is called in this process.

The message of every error is one line. Besides the errors of `run` there are PolicyError, and for files
CorpusError, BaselineError and ResultsError.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypedDict, TypeVar

import msgspec

from urlharness.adapters.python import Functions, functions
from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.corpus.loader import load
from urlharness.corpus.lock import known_ids
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.selection import Selection, SelectionError, spec_name
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, read_baseline
from urlharness.gate.findings import Finding
from urlharness.gate.gate import decide, failure_test
from urlharness.gate.policy import PLAIN, make_policy
from urlharness.limits import AdapterDead, AtLeastOne, Jobs, Limits, Seconds
from urlharness.results.coverage import asked_sizes, partial, section_sizes
from urlharness.results.model import Result, Results, open_exclusively, read_results
from urlharness.results.scores import Score, by_section, by_spec
from urlharness.runner import ConnectedAdapter, Given, adapter_of, adapters_folder, open_results
from urlharness.runner import run as run_adapter

__all__ = ["Functions", "Gate", "NothingSelected", "Report", "functions", "run", "stream"]

Names = str | Iterable[str]
_Row = TypeVar("_Row")


class _Numbers(TypedDict):
    timeout: Seconds
    start_timeout: Seconds
    total_timeout: Seconds | None
    jobs: Jobs
    maxfail: AtLeastOne | None


class NothingSelected(SelectionError):
    """The selection matches no vector."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The decision of the gate: the exit code of the command line, the reasons, and the findings."""

    code: Exit
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """True if the command would exit with 0. Stale entries of a baseline also make it False."""
        return self.code is Exit.PASSED


@dataclass(frozen=True)
class Report:
    """The results of one adapter: the whole record as `results`, and the figures computed from it."""

    results: Results
    adapter: str
    specs: tuple[str, ...]
    corpus: Corpus

    @property
    def outcomes(self) -> Mapping[str, Result]:
        """The result of each vector by its id: outcome, variant, detail, and the reply as `got`."""
        return self.results.of(self.adapter)

    @cached_property
    def sections(self) -> Mapping[tuple[str, str], Score]:
        """The score of each section by RFC and number: `sections["rfc3986", "5.2.4"].results.value`.

        A section does not include its subsections. `complies` is False if some vectors of the section were
        not asked, or the run was cut short.
        """
        sizes, asked = section_sizes(self.corpus), asked_sizes(self.results)
        return self._scores(by_section(self.results), lambda place: asked[place] == sizes[place])

    @cached_property
    def totals(self) -> Mapping[str, Score]:
        """The score of each RFC; `complies` is False under the same conditions as in `sections`."""
        in_part = partial(self.results)
        return self._scores(by_spec(self.results), lambda spec: (spec, "") not in in_part)

    def _scores(
        self, rows: Mapping[_Row, Mapping[str, Score]], whole: Callable[[_Row], bool]
    ) -> dict[_Row, Score]:
        return {
            key: replace(row[self.adapter], whole=self.results.complete and whole(key))
            for key, row in rows.items()
            if self.adapter in row
        }

    def gate(
        self,
        baseline: Baseline | Path | str | None = None,
        *,
        fail_on: Names = (),
        policy: Mapping[str, str] | None = None,
        strict: bool = False,
    ) -> Gate:
        """Return the decision that `urlconform run` would make on these results.

        It is about the selected RFCs or, if none was selected, those that the adapter or the baseline claims.
        `baseline` lists known wrong answers. `fail_on` names the levels that can fail, all by default.
        `policy` says which admissible answers are accepted, as in `{"permitted-set": "listed"}`. With
        `strict`, partial answers fail, and so do unsupported cases of operations that the adapter claims.

        Raise BaselineError if the baseline cannot be used, and PolicyError if `policy` or `fail_on` is
        invalid.
        """
        listed = read_baseline(Path(baseline)) if isinstance(baseline, str | Path) else baseline
        decision = decide(
            self.results,
            [self.adapter],
            self.specs,
            policy=make_policy((policy or {}).items(), self.corpus.cases, _names(fail_on), strict=strict),
            baselines={} if listed is None else {self.adapter: listed},
            known=known_ids(self.corpus).ids if listed is not None else None,
        )
        found = (finding for judgement in decision.judgements for finding in judgement.findings)
        return Gate(decision.code, tuple(decision.reasons), tuple(found))


def run(
    adapter: Given,
    *,
    spec: Names = (),
    section: Names = (),
    rule: Names = (),
    flag: Names = (),
    words: Names = (),
    timeout: float = 5.0,
    start_timeout: float = 30.0,
    total_timeout: float | None = None,
    jobs: int = 1,
    maxfail: int | None = None,
    results: Path | str | None = None,
) -> Report:
    """Ask an adapter the vectors, and return when all have an outcome.

    `spec`, `section`, `rule`, `flag` and `words` select vectors like the options of `urlconform run`; each is
    one name or several. Timeouts are seconds from 0.001 to a million: `timeout` for one case, `start_timeout`
    for the hello, and `total_timeout` for all cases, after which the remaining ones are aborted. `jobs`
    processes of the adapter, 1 to 256, share the cases; a function object always runs in this process. After
    `maxfail` failures of the judged RFCs, at least 1, nothing more is asked, and the gate cannot pass; known
    failures count as well. `results` is a file that keeps the record as JSON Lines, for `urlconform report`.

    Raise UnknownAdapter or SelectionError if a name is unknown, ValueError if a number is out of range,
    ResultsError if another run is writing the file, and NothingSelected, NotInstalled or AdapterDead if
    nothing could be asked.
    """
    limits = _limits(timeout, start_timeout, total_timeout, jobs, maxfail)
    asked = adapter_of(adapter)
    corpus, cases, specs = _selected(spec, section, rule, flag, words)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "results.jsonl") if results is None else Path(results).absolute()
        interrupted = True
        file, folder = open_exclusively(path), adapters_folder([asked])
        writer = open_results(file, corpus, cases, folder=folder, limits=limits)
        try:
            counts = failure_test([asked.name], specs, PLAIN, {})
            participant = run_adapter(asked, cases, writer, limits, maxfail=maxfail, counts=counts)
            interrupted = False
        finally:
            writer.close(interrupted=interrupted)
        if participant.state == "not installed":
            raise NotInstalled(f"{asked.name}: {participant.message}")
        if participant.state == "dead":
            raise AdapterDead(f"{asked.name}: {participant.message}")
        return Report(read_results(path), asked.name, specs, corpus)


def stream(
    adapter: Given,
    *,
    spec: Names = (),
    section: Names = (),
    rule: Names = (),
    flag: Names = (),
    words: Names = (),
    timeout: float = 5.0,
    start_timeout: float = 30.0,
    total_timeout: float | None = None,
    jobs: int = 1,
) -> Generator[tuple[Case, Result], None, None]:
    """Yield (case, result) for each vector as soon as it has a result.

    The first step of the iterator starts the adapter; the adapter ends after the last step, or when the
    iterator is closed. The arguments are those of `run`.
    """
    limits = _limits(timeout, start_timeout, total_timeout, jobs)
    asked = adapter_of(adapter)
    _, cases, _ = _selected(spec, section, rule, flag, words)
    return _streamed(asked, limits, cases)


def _streamed(
    adapter: Adapter, limits: Limits, cases: Sequence[Case]
) -> Generator[tuple[Case, Result], None, None]:
    with contextlib.closing(ConnectedAdapter(adapter, limits)) as connected:
        yield from connected.ask(cases)


def _selected(
    spec: Names, section: Names, rule: Names, flag: Names, words: Names
) -> tuple[Corpus, Sequence[Case], tuple[str, ...]]:
    specs = tuple(map(spec_name, _names(spec)))
    selection = Selection(specs, _names(section), _names(rule), _names(words), _names(flag))
    corpus = load()
    cases = selection.pick(corpus.cases)
    if not cases:
        raise NothingSelected(selection.nothing_selected(corpus.cases))
    return corpus, list(cases), specs


def _names(given: Names) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _limits(
    timeout: float, start_timeout: float, total_timeout: float | None, jobs: int, maxfail: int | None = None
) -> Limits:
    """Return the limits of an adapter. Raise ValueError if a number is out of range."""
    given = {"timeout": timeout, "start_timeout": start_timeout, "total_timeout": total_timeout}
    try:
        msgspec.convert({**given, "jobs": jobs, "maxfail": maxfail}, _Numbers)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    return Limits(start_timeout, timeout, total=total_timeout, jobs=jobs)
