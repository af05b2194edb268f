"""The whole analysis, divided among processes by subject and run of mutants."""

from __future__ import annotations

import signal
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children
from random import Random
from typing import Any

from urlharness.adequacy import analysis, covering, faults, resolving
from urlharness.adequacy.analysis import BARE, Judged
from urlharness.adequacy.bench import Bench, Finding
from urlharness.adequacy.counting import Count
from urlharness.adequacy.coverage import NONE, Coverage, coverage
from urlharness.adequacy.measured import Identity, Measured, Plan
from urlharness.adequacy.subjects import Subject, subjects
from urlharness.adequacy.texts import asked, is_witness
from urlharness.adequacy.tiers import generated
from urlharness.corpus import Corpus, load
from urlharness.generate.tiers import Tier, cases, parts

_CHUNK = 60  # mutants of one task
_FEW = 50  # faults of each kind for the largest tier, which estimates leave out
_MUTANT_TIERS: tuple[Tier, ...] = ("complete", "bytes")

Key = tuple[str, str, bool]
Report = Callable[[int, int], None]


def run(plan: Plan, report: Report | None = None) -> dict[str, Measured]:
    """What the plan asks for, by specification; `report` is told of tasks done."""
    found = {spec: Measured() for spec in plan.specs}
    with _pool(plan.processes) as pool:
        progress = _Progress(report or (lambda *_: None))
        for spec in plan.specs:
            for subject in subjects(spec):
                _run_subject(plan, subject, found[spec], pool, progress)
            for tier in analysis.TIERS:
                _add(found[spec].first, tier, found[spec].still_idle())
        futures = {
            pool.submit(_resolution, spec): spec for spec in plan.specs if spec in resolving.ALGORITHMS
        }
        for future in progress.all(list(futures)):
            found[futures[future]].resolution = future.result()
    return found


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end at once where this one is interrupted, and say nothing of it themselves."""
    with ProcessPoolExecutor(
        processes, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.kill()
            raise


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
    fresh = _fresh(subject, found.settled)
    numbers = _numbers(plan, subject, fresh)
    chunks = [numbers[at : at + _CHUNK] for at in range(0, len(numbers), _CHUNK)]
    first = [pool.submit(_first, subject.key, chunk) for chunk in chunks]
    pairs = plan.pairs_of_subject
    others = [
        pool.submit(_second, subject.key, plan.seed, fresh, pairs, at, min(at + _CHUNK, pairs))
        for at in range(0, pairs, _CHUNK)
    ]
    injected = (
        []
        if subject.laid_over or not plan.faults
        else [pool.submit(_faults, subject.key, plan.faults_of_subject, plan.seed, whole=plan.sample is None)]
    )
    judged = sorted(one for future in progress.all(first) for one in future.result())
    missed = _add_first(found, subject, judged)
    found.survivors += _witnesses(subject, missed, pool if plan.cover else None, progress)
    bench_free = Bench(subject, {}, ())
    witnesses = analysis.witnesses_of_others(bench_free, judged)
    unsure = [one for one in judged if _must_be_held(one)]
    held = [
        pool.submit(_held, subject.key, unsure[at : at + _CHUNK], witnesses)
        for at in range(0, len(unsure), _CHUNK)
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


def _add_first(found: Measured, subject: Subject, judged: list[Judged]) -> list[Judged]:
    """Count them; the result are those that the core does not notice."""
    live = [one.finding for one in judged if one.finding.witness is not None]
    for tier, suites in analysis.TIERS.items():
        _add(found.first, tier, analysis.count(live, suites))
    for number, finding in judged:
        identity = (subject.mutants[number].change, subject.laid_over)
        if finding.witness is None:
            found.idle[identity] = finding
        else:
            found.settled.add(identity)
    missed = [one for one in judged if one.finding.witness is not None and "core" not in one.finding.noticed]
    found.by_offset += sum(one.finding.offset for one in missed)
    return missed


def _witnesses(
    subject: Subject, missed: list[Judged], pool: ProcessPoolExecutor | None, progress: _Progress
) -> Iterator[dict[str, Any]]:
    """Each survivor with its own shortest witness, or with a pool one that many share."""
    texts = {one.number: (one.finding.witness, one.finding.components) for one in missed}
    if pool is not None:
        chunks = [missed[at : at + _CHUNK] for at in range(0, len(missed), _CHUNK)]
        candidates = covering.texts(Bench(subject, {}, ()), missed)
        futures = [pool.submit(_kills, subject.key, chunk, candidates) for chunk in chunks]
        noticed = {
            number: some for future in progress.all(futures) for number, some in future.result().items()
        }
        texts |= {number: text for text, told in covering.cover(noticed).items() for number in told}
    for number, (text, components) in texts.items():
        mutant = subject.mutants[number]
        changed = subject.grammar.names[mutant.rule]
        yield {
            "rule": subject.rule,
            "changed": changed,
            "operator": mutant.operator,
            "witness": text,
            "components": components,
        }


def _add(counts: dict[str, Count], name: str, more: Count) -> None:
    counts[name] = counts.get(name, Count()).plus(more)


def _fresh(subject: Subject, settled: Container[Identity]) -> list[int]:
    """The numbers of the mutants that no earlier subject has settled."""
    return [
        number
        for number, mutant in enumerate(subject.mutants)
        if (mutant.change, subject.laid_over) not in settled
    ]


def _numbers(plan: Plan, subject: Subject, fresh: list[int]) -> list[int]:
    if plan.sample is None or plan.sample >= len(fresh):
        return fresh
    random = Random(f"{plan.seed} {subject.key}")  # noqa: S311 - samples are no secret
    return sorted(random.sample(fresh, plan.sample))


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


def _kills(key: Key, missed: list[Judged], candidates: dict[bool, list[str]]) -> covering.Kills:
    return covering.kills(_bench_of(key), missed, candidates)


def _second(key: Key, seed: int, fresh: list[int], count: int, begin: int, end: int) -> list[Finding]:
    bench = _bench_of(key)
    return list(analysis.second_order(bench, bench.subject.pairs(count, seed, fresh)[begin:end]))


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
