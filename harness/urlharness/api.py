"""The Python interface: put the vectors to an adapter, and get outcomes, scores and the gate as values.

    from urlharness import functions, run
    report = run(functions("tinyurl", resolve=tinyurl.join), spec="rfc3986")
    assert report.gate(baseline="urlconform-baseline.json").passed

An adapter is a name as on the command line, a function from a question to a reply, or a value of
`urlharness.adapters.registry`.  Errors say in a line what is wrong: UnknownAdapter, SelectionError and
PolicyError for names, NothingSelected, NotInstalled and AdapterDead where nothing could be asked, CorpusError
and BaselineError for files.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.baseline import Baseline, Finding, read_baseline
from urlharness.corpus import Case, Corpus, load
from urlharness.exitcodes import Exit
from urlharness.gate import code_of, counting, judgements
from urlharness.known_ids import known
from urlharness.opened import Given, Opened, adapter_of
from urlharness.plain_functions import Functions, functions
from urlharness.policy import PLAIN
from urlharness.policy import policy as make_policy
from urlharness.results import Result, Results, read_results
from urlharness.runner import open_results
from urlharness.runner import run as run_adapter
from urlharness.scores import Score, by_section, by_spec
from urlharness.selection import Selection, SelectionError, spec_name
from urlharness.session import AdapterDead, Limits

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
        """The score of each section by RFC and number: `sections["rfc3986", "5.2.4"].results.value`."""
        return {
            place: row[self.adapter] for place, row in by_section(self.results).items() if self.adapter in row
        }

    @cached_property
    def totals(self) -> Mapping[str, Score]:
        """The score of each RFC."""
        return {spec: row[self.adapter] for spec, row in by_spec(self.results).items() if self.adapter in row}

    def gate(
        self,
        baseline: Baseline | Path | str | None = None,
        *,
        fail_on: Names = (),
        policy: Mapping[str, str] | None = None,
        strict: bool = False,
    ) -> Gate:
        """Judge as `urlconform run` does: by the RFCs that were named, or that the adapter claims.

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
            known=known(self.corpus).ids if listed is not None else None,
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
    maxfail: int | None = None,
    results: Path | str | None = None,
) -> Report:
    """Put the vectors to an adapter and return when all are settled.

    `spec`, `section`, `rule`, `flag` and `words` select as the options of `urlconform run` do, each one name
    or several; timeouts are seconds, for one case and for the hello.  After `maxfail` failures of the RFCs
    that are judged nothing more is asked, and no gate is passed; there is no baseline yet, and listed ones
    count too.  `results` keeps the record as a file of JSON Lines, for `urlconform report`.
    """
    asked = adapter_of(adapter)
    corpus, cases, specs = _selected(spec, section, rule, flag, words)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "results.jsonl") if results is None else Path(results)
        interrupted = True
        writer = open_results(path.open("wb"), corpus, cases)
        try:
            limits, counts = Limits(start_timeout, timeout), counting([asked.name], specs, PLAIN, {})
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
) -> Generator[tuple[Case, Result], None, None]:
    """Each vector with its result as soon as it is settled, which need not be the order of the corpus.

    The adapter starts with the first step of the iterator and ends with it, or where it is closed early.
    """
    asked = adapter_of(adapter)
    _, cases, _ = _selected(spec, section, rule, flag, words)
    return _streamed(asked, Limits(start_timeout, timeout), cases)


def _streamed(
    adapter: Adapter, limits: Limits, cases: Sequence[Case]
) -> Generator[tuple[Case, Result], None, None]:
    with contextlib.closing(Opened(adapter, limits)) as opened:
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
