"""The Python interface: put the vectors to an adapter, and get outcomes, scores and the gate as values.

    from urlharness import functions, run
    report = run(functions("tinyurl", resolve=tinyurl.join), spec="rfc3986")
    assert report.gate(baseline="urlconform-baseline.json").passed

An adapter is a name as on the command line, a function from a question to a reply, or a value of
`urlharness.adapters.registry`.  By its name, `python:MODULE:FUNCTION`, a function is asked in a child
process, which may hang or end and harms nothing; a function as such is asked in this one.

Errors say in a line what is wrong: UnknownAdapter, SelectionError and PolicyError for names, ValueError for
numbers that the command line refuses as well, NothingSelected, NotInstalled and AdapterDead where nothing
could be asked, CorpusError, BaselineError and ResultsError for files.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from urlharness.adapters.python import Functions, functions
from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.corpus.loader import load
from urlharness.corpus.lock import known_ids
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.selection import Selection, SelectionError, spec_name
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, read_baseline
from urlharness.gate.findings import Finding
from urlharness.gate.gate import code_of, counting, judgements
from urlharness.gate.policy import PLAIN
from urlharness.gate.policy import policy as make_policy
from urlharness.limits import LEAST_SECONDS, MOST_JOBS, MOST_SECONDS, AdapterDead, Limits
from urlharness.results.coverage import asked_sizes, partial, section_sizes
from urlharness.results.model import Result, Results, open_exclusively, read_results
from urlharness.results.scores import Score, by_section, by_spec
from urlharness.runner import ConnectedAdapter, Given, adapter_of, open_results
from urlharness.runner import run as run_adapter
from urlharness.shell import place_of

__all__ = ["Functions", "Gate", "NothingSelected", "Report", "functions", "run", "stream"]


Names = str | Iterable[str]


class NothingSelected(SelectionError):
    """A selection that no vector meets."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What the gate says: the exit code of the command line, a line for each reason, and the findings."""

    code: Exit
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """True where the command would end with 0; entries that have become stale fail as well."""
        return self.code is Exit.PASSED


@dataclass(frozen=True)
class Report:
    """The results of one adapter: the record as `results`, and the common questions to it."""

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

        Its vectors are those of the section itself.  Where some of them were not asked, or the run was cut,
        `complies` is False.
        """
        sizes, asked = section_sizes(self.corpus), asked_sizes(self.results)
        return {
            place: self._score(row[self.adapter], whole=asked[place] == sizes[place])
            for place, row in by_section(self.results).items()
            if self.adapter in row
        }

    @cached_property
    def totals(self) -> Mapping[str, Score]:
        """The score of each RFC.

        Where some vectors of the RFC were not asked, or the run was cut, `complies` is False: whoever passes
        what was asked has not complied.
        """
        partly = partial(self.results)
        return {
            spec: self._score(row[self.adapter], whole=(spec, "") not in partly)
            for spec, row in by_spec(self.results).items()
            if self.adapter in row
        }

    def _score(self, score: Score, *, whole: bool) -> Score:
        return replace(score, whole=whole and self.results.complete)

    def gate(
        self,
        baseline: Baseline | Path | str | None = None,
        *,
        fail_on: Names = (),
        policy: Mapping[str, str] | None = None,
        strict: bool = False,
    ) -> Gate:
        """Judge as `urlconform run` does: by the RFCs that were named, or that adapter and baseline claim.

        `baseline` lists known wrong answers; `fail_on` names the levels that count, all by default; `policy`
        says which admissible answers are accepted, as in `{"permitted-set": "listed"}`; with `strict` partial
        answers fail, and what is unsupported of operations that the adapter claims.  Raises BaselineError and
        PolicyError.
        """
        listed = read_baseline(Path(baseline)) if isinstance(baseline, str | Path) else baseline
        chosen = make_policy((policy or {}).items(), self.corpus.cases, _names(fail_on), strict=strict)
        found = judgements(
            self.results,
            [self.adapter],
            self.specs,
            policy=chosen,
            baselines={} if listed is None else {self.adapter: listed},
            known=known_ids(self.corpus).ids if listed is not None else None,
        )
        reasons = tuple(one.reason for one in found if one.reason)
        return Gate(code_of(found), reasons, tuple(finding for one in found for finding in one.findings))


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
    """Put the vectors to an adapter and return when all are settled.

    `spec`, `section`, `rule`, `flag` and `words` select as the options of `urlconform run` do, each one name
    or several.  Timeouts are seconds, 0.001 to a million: for one case, for the hello and for all cases;
    what is not settled when the last is over is aborted.  `jobs` processes of the adapter, 1 to 256, share
    the cases; a function that is no name has none but this one.
    After `maxfail` failures of the RFCs that are judged, at least 1, nothing more is asked, and no gate is
    passed; there is no baseline yet, and listed ones count too.  `results` keeps the record as a file of
    JSON Lines, for `urlconform report`, which no other run writes meanwhile.

    Raises UnknownAdapter and SelectionError for names, ValueError for a number that is none of these, which
    it names, and ResultsError where another run, of this process or any other, is writing that file; and
    NothingSelected, NotInstalled and AdapterDead where nothing could be asked.
    """
    limits = _limits(timeout, start_timeout, total_timeout, jobs)
    if maxfail is not None:
        _whole("maxfail", maxfail)
    asked = adapter_of(adapter)
    corpus, cases, specs = _selected(spec, section, rule, flag, words)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "results.jsonl") if results is None else Path(results).absolute()
        interrupted = True
        writer = open_results(open_exclusively(path), corpus, cases, place=place_of([asked]), limits=limits)
        try:
            counts = counting([asked.name], specs, PLAIN, {})
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
    """Each vector with its result as soon as it is settled, which need not be the order of the corpus.

    The adapter starts with the first step of the iterator and ends with it, or where it is closed early.
    The arguments are those of `run`.
    """
    limits = _limits(timeout, start_timeout, total_timeout, jobs)
    asked = adapter_of(adapter)
    _, cases, _ = _selected(spec, section, rule, flag, words)
    return _streamed(asked, limits, cases)


def _streamed(
    adapter: Adapter, limits: Limits, cases: Sequence[Case]
) -> Generator[tuple[Case, Result], None, None]:
    with contextlib.closing(ConnectedAdapter(adapter, limits)) as opened:
        yield from opened.ask(cases)


def _selected(
    spec: Names, section: Names, rule: Names, flag: Names, words: Names
) -> tuple[Corpus, Sequence[Case], tuple[str, ...]]:
    specs = tuple(map(spec_name, _names(spec)))
    selection = Selection(specs, _names(section), _names(rule), _names(words), _names(flag))
    corpus = load()
    cases = selection.pick(corpus.cases)
    if not cases:
        raise NothingSelected("no vector meets the selection")
    return corpus, list(cases), specs


def _names(given: Names) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _limits(timeout: float, start_timeout: float, total_timeout: float | None, jobs: int) -> Limits:
    """The limits of an adapter; raises ValueError."""
    seconds = {"timeout": timeout, "start_timeout": start_timeout}
    if total_timeout is not None:
        seconds["total_timeout"] = total_timeout
    for name, value in seconds.items():
        if not (_is(value, int, float) and LEAST_SECONDS <= value <= MOST_SECONDS):
            what = f"no number of seconds from {LEAST_SECONDS} to {MOST_SECONDS}"
            raise ValueError(f"{name} is {value!r}, and {what}")
    _whole("jobs", jobs, MOST_JOBS)
    return Limits(start_timeout, timeout, total=total_timeout, jobs=jobs)


def _whole(name: str, value: int, most: int | None = None) -> None:
    """Refuse what is no whole number from 1 on; raises ValueError."""
    if not _is(value, int) or value < 1 or (most is not None and value > most):
        end = "on" if most is None else f"to {most}"
        raise ValueError(f"{name} is {value!r}, and no whole number from 1 {end}")


def _is(value: object, *types: type) -> bool:
    """True for a value of these types: not every caller has a type checker."""
    return isinstance(value, types) and not isinstance(value, bool)
