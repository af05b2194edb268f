"""The whole analysis, divided among processes by subject and run of mutants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from random import Random
from typing import Any

from urlharness.adequacy import analysis, faults, resolving
from urlharness.adequacy.analysis import BARE, Judged
from urlharness.adequacy.bench import Bench, Finding
from urlharness.adequacy.counting import Count
from urlharness.adequacy.coverage import NONE, Coverage, coverage
from urlharness.adequacy.subjects import Subject, subjects
from urlharness.adequacy.texts import asked, is_witness
from urlharness.adequacy.tiers import generated
from urlharness.corpus import Corpus, load
from urlharness.generate.tiers import Tier, cases, parts

_CHUNK = 60  # mutants of one task
_FEW = 50  # faults of each kind for the largest tier, which estimates leave out
_MUTANT_TIERS: tuple[Tier, ...] = ("complete", "bytes")


@dataclass(frozen=True)
class Plan:
    """How much is done: `sample` mutants, pairs and faults of each subject, None for all mutants.

    `pairs` and `faults` are the numbers of a full run.
    """

    specs: tuple[str, ...]
    sample: int | None = None
    seed: int = 1
    pairs: int = 300
    faults: int = 200
    processes: int = 2

    @property
    def pairs_of_subject(self) -> int:
        """How many second-order mutants of each subject."""
        return self.pairs if self.sample is None else min(self.sample, self.pairs)

    @property
    def faults_of_subject(self) -> int:
        """How many faults of each kind in each subject."""
        return self.faults if self.sample is None else min(self.sample, self.faults)


@dataclass
class Measured:
    """What was found of one specification, added up over its subjects."""

    first: dict[str, Count] = field(default_factory=dict)
    second: dict[str, Count] = field(default_factory=dict)
    held_out: dict[str, Count] = field(default_factory=dict)
    resolution: dict[str, Count] = field(default_factory=dict)
    faults: dict[str, dict[str, Count]] = field(default_factory=dict)
    transitions: dict[str, Coverage] = field(default_factory=dict)
    by_offset: int = 0
    survivors: list[dict[str, Any]] = field(default_factory=list)


Key = tuple[str, str, bool]
Report = Callable[[int, int], None]


def run(plan: Plan, report: Report | None = None) -> dict[str, Measured]:
    """What the plan asks for, by specification; `report` is told of tasks done."""
    found = {spec: Measured() for spec in plan.specs}
    with ProcessPoolExecutor(plan.processes) as pool:
        progress = _Progress(report or (lambda *_: None))
        for spec in plan.specs:
            for subject in subjects(spec):
                _run_subject(plan, subject, found[spec], pool, progress)
        futures = {
            pool.submit(_resolution, spec): spec for spec in plan.specs if spec in resolving.ALGORITHMS
        }
        for future in progress.all(list(futures)):
            found[futures[future]].resolution = future.result()
    return found


@dataclass
class _Progress:
    report: Report
    done: int = 0
    total: int = 0

    def all(self, futures: Sequence[Future[Any]]) -> Iterator[Future[Any]]:
        """The futures as they are done, each told to the report."""
        self.total += len(futures)
        for future in as_completed(futures):
            self.done += 1
            self.report(self.done, self.total)
            yield future


def _run_subject(
    plan: Plan, subject: Subject, found: Measured, pool: ProcessPoolExecutor, progress: _Progress
) -> None:
    numbers = _numbers(plan, subject)
    chunks = [numbers[at : at + _CHUNK] for at in range(0, len(numbers), _CHUNK)]
    first = [pool.submit(_first, subject.key, chunk) for chunk in chunks]
    pairs = plan.pairs_of_subject
    others = [
        pool.submit(_second, subject.key, plan.seed, pairs, at, min(at + _CHUNK, pairs))
        for at in range(0, pairs, _CHUNK)
    ]
    injected = (
        []
        if subject.laid_over
        else [pool.submit(_faults, subject.key, plan.faults_of_subject, plan.seed, whole=plan.sample is None)]
    )
    judged = sorted(one for future in progress.all(first) for one in future.result())
    _add_first(found, subject, judged)
    bench_free = Bench(subject, {}, ())
    witnesses = analysis.witnesses_of_others(bench_free, judged)
    missed = [one for one in judged if _must_be_held(one)]
    held = [
        pool.submit(_held, subject.key, missed[at : at + _CHUNK], witnesses)
        for at in range(0, len(missed), _CHUNK)
    ]
    by_others = {number for future in progress.all(held) for number in future.result()}
    live = [one for one in judged if one.finding.witness is not None]
    for tier, suites in analysis.TIERS.items():
        bare = {BARE if name == "core" else name for name in suites}
        killed = sum(one.number in by_others or not one.finding.noticed.isdisjoint(bare) for one in live)
        _add(found.held_out, tier, Count(killed, len(live)))
    for future in progress.all(others):
        for tier, suites in analysis.TIERS.items():
            _add(found.second, tier, analysis.count(future.result(), suites))
    for future in progress.all(injected):
        counted, covered = future.result()
        for tier, kinds in counted.items():
            for kind, one in kinds.items():
                _add(found.faults.setdefault(tier, {}), kind, one)
        for tier, taken in covered.items():
            found.transitions[tier] = found.transitions.get(tier, NONE).plus(taken)


def _must_be_held(one: Judged) -> bool:
    """Only what some tier misses without witnesses has to be put to those of the others."""
    finding = one.finding
    return finding.witness is not None and any(
        finding.noticed.isdisjoint({BARE if name == "core" else name for name in suites})
        for suites in analysis.TIERS.values()
    )


def _add_first(found: Measured, subject: Subject, judged: list[Judged]) -> None:
    for tier, suites in analysis.TIERS.items():
        _add(found.first, tier, analysis.count((one.finding for one in judged), suites))
    for number, finding in judged:
        if finding.witness is not None and "core" not in finding.noticed:
            mutant = subject.mutants[number]
            found.by_offset += finding.offset
            found.survivors.append(
                {
                    "rule": subject.rule,
                    "changed": subject.grammar.names[mutant.rule],
                    "operator": mutant.operator,
                    "witness": finding.witness,
                    "components": finding.components,
                }
            )


def _add(counts: dict[str, Count], name: str, more: Count) -> None:
    counts[name] = counts.get(name, Count()).plus(more)


def _numbers(plan: Plan, subject: Subject) -> list[int]:
    everything = range(len(subject.mutants))
    if plan.sample is None or plan.sample >= len(everything):
        return list(everything)
    random = Random(f"{plan.seed} {subject.key}")  # noqa: S311 - samples are no secret
    return sorted(random.sample(everything, plan.sample))


# In the processes.  What a subject needs is made once in each and kept while the subject lasts.

_corpus: list[Corpus] = []
_bench: dict[Key, Bench] = {}


def _bench_of(key: Key) -> Bench:
    if key not in _bench:
        _bench.clear()
        if not _corpus:
            _corpus.append(load())
        spec, rule, laid = key
        subject = next(one for one in subjects(spec) if one.key == (spec, rule, laid))
        core = {"core": asked(_corpus[0], subject)}
        core[BARE] = (
            asked(_corpus[0], subject, witnesses=False)
            if any(map(is_witness, _corpus[0].cases))
            else core["core"]
        )
        _bench[key] = Bench(subject, core, _MUTANT_TIERS)
    return _bench[key]


def _first(key: Key, numbers: list[int]) -> list[Judged]:
    return list(analysis.first_order(_bench_of(key), numbers))


def _second(key: Key, seed: int, count: int, begin: int, end: int) -> list[Finding]:
    bench = _bench_of(key)
    return list(analysis.second_order(bench, bench.subject.pairs(count, seed)[begin:end]))


def _held(key: Key, judged: list[Judged], witnesses: list[frozenset[str]]) -> list[int]:
    found = analysis.held_out(_bench_of(key), judged, witnesses)
    return [one.number for one, noticed in found if noticed]


def _faults(
    key: Key, number: int, seed: int, *, whole: bool
) -> tuple[dict[str, dict[str, Count]], dict[str, Coverage]]:
    bench = _bench_of(key)
    automaton = bench.subject.automaton
    suites = {"core": bench.suites["core"]}
    for tier in _MUTANT_TIERS:
        if (suite := generated(bench.subject, tier, with_open=True)).verdicts:
            suites[tier] = suite
    covered = {tier: coverage(automaton, suite) for tier, suite in suites.items()}
    counted = faults.noticed(automaton, suites, number, f"{seed} {key}")
    if whole and (largest := generated(bench.subject, "k1", with_open=True)).verdicts:
        counted |= faults.noticed(automaton, {"k1": largest}, min(number, _FEW), f"{seed} {key}")
    return counted, covered


def _resolution(spec: str) -> dict[str, Count]:
    corpus = load()
    tier = [case for part in parts("resolution", spec) for case in cases(part)]
    suites = {"core": resolving.questions(corpus.cases, spec), "resolution": resolving.questions(tier, spec)}
    found = list(resolving.steps(spec, suites))
    counts = {name: resolving.count(found, (name,)) for name in suites}
    return counts | {"whole": resolving.count(found, tuple(suites))}


def specs_of(wanted: Iterable[str], every: Sequence[str]) -> tuple[str, ...]:
    """The specifications asked for, all where none is, in their order."""
    chosen = set(wanted)
    return tuple(spec for spec in every if not chosen or spec in chosen)
