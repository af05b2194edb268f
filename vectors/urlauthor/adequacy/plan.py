"""Run `urlauthor.adequacy.analysis` in several processes, return its figures, check them against `GOALS`."""

from __future__ import annotations

import signal
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import active_children
from random import Random
from typing import Any

from urlauthor.adequacy import analysis, faults, resolution
from urlauthor.adequacy.analysis import BARE, TIERS, Examined
from urlauthor.adequacy.faults import DOMAINS, NONE, Coverage, coverage
from urlauthor.adequacy.kill import Bench, MutantResult
from urlauthor.adequacy.subjects import Change, Subject, subjects
from urlauthor.adequacy.suites import Count, corpus_texts, is_witness, tier_suite
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus, Tier
from urlharness.generate.tiers import cases, parts

SCHEMA = "urladequacy-1"
COLUMNS = ("first_order", "second_order", "held_out", "resolution", "faults")

#: The minimum rate of each figure, by tier.
GOALS: Mapping[tuple[str, str], float] = {
    ("core", "first_order"): 1.0,
    ("whole", "second_order"): 0.99,
    ("whole", "held_out"): 0.95,
    ("whole", "resolution"): 1.0,
    ("complete", "faults"): 1.0,
    ("bytes", "faults"): 1.0,
    ("k1", "faults"): 1.0,
}

#: The number of mutants per task.
_CHUNK = 60
#: The number of faults of each kind for the largest tier, which only full runs use.
_FEW = 50
_MUTANT_TIERS: tuple[Tier, ...] = ("complete", "bytes")

#: A change, and True if it applies to the grammar with the overlay.
Identity = tuple[Change, bool]
Key = tuple[str, str, bool]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Plan:
    """The extent of an analysis.

    A full run examines all mutants of a subject, and `pairs` and `faults` of it; `sample` limits each number.
    If `cover`, a few texts that together notice all survivors become the witnesses.
    """

    specs: tuple[str, ...]
    sample: int | None = None
    seed: int = 1
    pairs: int = 300
    faults: int = 200
    processes: int = 2
    cover: bool = False

    def limit(self, number: int) -> int:
        """Return the number, or the size of the sample if that is smaller."""
        return number if self.sample is None else min(self.sample, number)


@dataclass
class Measured:
    """The results for one specification, summed over its subjects.

    `settled` has the mutants with a witness in some subject, `idle` those without one in some subject.
    """

    first: dict[str, Count] = field(default_factory=dict)
    second: dict[str, Count] = field(default_factory=dict)
    held_out: dict[str, Count] = field(default_factory=dict)
    resolution: dict[str, Count] = field(default_factory=dict)
    faults: dict[str, dict[str, Count]] = field(default_factory=dict)
    transitions: dict[str, Coverage] = field(default_factory=dict)
    by_offset: int = 0
    survivors: list[dict[str, Any]] = field(default_factory=list)
    idle: dict[Identity, MutantResult] = field(default_factory=dict)
    settled: set[Identity] = field(default_factory=set)

    def still_idle(self) -> Count:
        """Count the mutants without a witness in any subject: equivalent, undecided and open ones."""
        never = (result for identity, result in self.idle.items() if identity not in self.settled)
        return analysis.count_noticed(never, ())


def figures(measured: Mapping[str, Measured]) -> dict[str, Any]:
    """Return the figures as `{spec: {tier: {figure: {rate, killed, live, …}}}}`."""
    return {spec: _tier_figures(found) for spec, found in measured.items()}


def document(found: Mapping[str, Any], corpus: str, sample: int | None, seed: int) -> dict[str, Any]:
    """Return the figures of a run together with its inputs."""
    return {"schema": SCHEMA, "corpus": corpus, "sample": sample, "seed": seed, "specs": dict(found)}


def missed(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each goal that is not reached."""
    for spec, tiers in found.items():
        for (tier, figure), least in GOALS.items():
            one = tiers.get(tier, {}).get(figure)
            if one is not None and one["rate"] < least:
                yield (
                    f"{spec} {tier} {figure}: {one['killed']} of {one['live']} is "
                    f"{one['rate']:.2%}, but the goal is {least:.0%}"
                )


def rows(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each specification and tier: each figure as rate and killed/live."""
    for spec, tiers in found.items():
        for tier, tier_figures in tiers.items():
            cells = (_cell(tier_figures.get(column)) for column in COLUMNS)
            yield (spec, tier, *cells, ", ".join(tier_figures.get("faults", {}).get("domain", ())))


def _cell(one: Mapping[str, Any] | None) -> str:
    if one is None or "rate" not in one:
        return "·"
    return f"{one['rate']:.2%} {one['killed']}/{one['live']}"


def _tier_figures(found: Measured) -> dict[str, Any]:
    tiers: dict[str, dict[str, Any]] = {
        tier: {
            "first_order": found.first[tier].asdict(),
            "second_order": found.second[tier].asdict(),
            "held_out": found.held_out[tier].asdict(),
        }
        for tier in TIERS
    }
    for tier, count in found.resolution.items():
        tiers.setdefault(tier, {})["resolution"] = count.asdict()
    for tier, kinds in found.faults.items():
        tiers.setdefault(tier, {})["faults"] = _fault_figures(tier, kinds)
    for tier, taken in found.transitions.items():
        tiers[tier]["transitions"] = {
            "live": Count(taken.live_covered, taken.live).asdict(),
            "rejecting": Count(taken.rejecting_covered, taken.rejecting).asdict(),
        }
    tiers["core"]["offset_alone"] = found.by_offset
    return tiers


def _fault_figures(tier: str, kinds: Mapping[str, Count]) -> dict[str, Any]:
    """Return the figures of faults: one for all kinds in the fault domain, and one for each other kind."""
    domain = [kind for kind in DOMAINS.get(tier, ()) if kind in kinds]
    total = Count()
    for kind in domain:
        total = total.plus(kinds[kind])
    beyond = {kind: count.asdict() for kind, count in kinds.items() if kind not in domain}
    claimed = {"domain": domain, **total.asdict()} if domain else {"domain": []}
    return claimed | ({"beyond": beyond} if beyond else {})


def run(plan: Plan, report: Progress | None = None) -> dict[str, Measured]:
    """Run a plan and return the results by specification; call `report(finished, total)` after each task."""
    found = {spec: Measured() for spec in plan.specs}
    with _open_pool(plan.processes) as pool:
        tasks = _Tasks(pool, report or (lambda *_: None))
        for spec in plan.specs:
            for subject in subjects(spec):
                _run_subject(plan, subject, found[spec], tasks)
            for tier in TIERS:
                _add(found[spec].first, tier, found[spec].still_idle())
        specs = [spec for spec in plan.specs if spec in resolution.ALGORITHMS]
        futures = {tasks.submit(_count_resolution, spec): spec for spec in specs}
        for future in tasks.done(list(futures)):
            found[futures[future]].resolution = future.result()
    return found


@contextmanager
def _open_pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool whose processes are killed, without messages, if this process is interrupted."""
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


class _Tasks:
    """Submits tasks to a pool, and reports how many are finished."""

    def __init__(self, pool: ProcessPoolExecutor, report: Progress) -> None:
        self.submit = pool.submit
        self._report = report
        self._finished = self._total = 0

    def in_chunks(
        self, function: Callable[..., Any], key: Key, items: Sequence[Any], *more: object
    ) -> list[Future[Any]]:
        """Submit a task for each chunk of items."""
        chunks = [items[at : at + _CHUNK] for at in range(0, len(items), _CHUNK)]
        return [self.submit(function, key, chunk, *more) for chunk in chunks]

    def done(self, futures: Sequence[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield the futures as they finish."""
        self._total += len(futures)
        for future in as_completed(futures):
            self._finished += 1
            self._report(self._finished, self._total)
            yield future


def _run_subject(plan: Plan, subject: Subject, found: Measured, tasks: _Tasks) -> None:
    fresh = _fresh_mutants(subject, found.settled)
    first = tasks.in_chunks(_examine_first, subject.key, _sample(plan, subject, fresh))
    pairs = range(plan.limit(plan.pairs))
    second = tasks.in_chunks(_examine_pairs, subject.key, pairs, plan.seed, fresh, len(pairs))
    injected = []
    if plan.faults and not subject.overlaid:
        number, whole = plan.limit(plan.faults), plan.sample is None
        injected.append(tasks.submit(_inject_faults, subject.key, number, plan.seed, whole=whole))
    examined = sorted(one for future in tasks.done(first) for one in future.result())
    survivors = _add_first(found, subject, examined)
    found.survivors += _witnesses(plan, subject, survivors, tasks)
    _add_held_out(found, subject, examined, tasks)
    for future in tasks.done(second):
        for tier, suites in TIERS.items():
            _add(found.second, tier, analysis.count_noticed(future.result(), suites))
    for future in tasks.done(injected):
        counted, covered = future.result()
        for tier, kinds in counted.items():
            for kind, one in kinds.items():
                _add(found.faults.setdefault(tier, {}), kind, one)
        for tier, taken in covered.items():
            found.transitions[tier] = found.transitions.get(tier, NONE).plus(taken)


def _add_first(found: Measured, subject: Subject, examined: list[Examined]) -> list[Examined]:
    """Count first-order mutants; return those that the core does not notice."""
    live = [one for one in examined if one.result.witness is not None]
    for tier, suites in TIERS.items():
        _add(found.first, tier, analysis.count_noticed((one.result for one in live), suites))
    for number, result in examined:
        identity = (subject.mutants[number].change, subject.overlaid)
        if result.witness is None:
            found.idle[identity] = result
        else:
            found.settled.add(identity)
    survivors = [one for one in live if "core" not in one.result.noticed]
    found.by_offset += sum(one.result.offset for one in survivors)
    return survivors


def _add_held_out(found: Measured, subject: Subject, examined: list[Examined], tasks: _Tasks) -> None:
    """Count the mutants noticed by vectors that are not witnesses, or by witnesses of other operators."""
    bare = {tier: {BARE if name == "core" else name for name in suites} for tier, suites in TIERS.items()}
    live = [one for one in examined if one.result.witness is not None]
    # witnesses of other operators are only needed for mutants that some tier misses
    unsure = [one for one in live if any(one.result.noticed.isdisjoint(names) for names in bare.values())]
    witnesses = analysis.witnesses_of_others(Bench(subject, {}, ()), examined)
    futures = tasks.in_chunks(_hold_out, subject.key, unsure, witnesses)
    by_others = {number for future in tasks.done(futures) for number in future.result()}
    for tier, names in bare.items():
        killed = sum(one.number in by_others or not one.result.noticed.isdisjoint(names) for one in live)
        _add(found.held_out, tier, Count(killed, len(live)))


def _witnesses(
    plan: Plan, subject: Subject, survivors: list[Examined], tasks: _Tasks
) -> Iterator[dict[str, Any]]:
    """Yield each survivor with its shortest witness or, with `cover`, with one of the chosen texts."""
    texts = {one.number: (one.result.witness, one.result.components) for one in survivors}
    if plan.cover:
        candidates = analysis.candidate_texts(Bench(subject, {}, ()), survivors)
        futures = tasks.in_chunks(_find_kills, subject.key, survivors, candidates)
        noticed = {number: some for future in tasks.done(futures) for number, some in future.result().items()}
        chosen = analysis.choose_cover(noticed)
        texts |= {number: text for text, numbers in chosen.items() for number in numbers}
    for number, (text, components) in texts.items():
        mutant = subject.mutants[number]
        yield {
            "rule": subject.rule,
            "changed": subject.grammar.names[mutant.rule],
            "operator": mutant.operator,
            "witness": text,
            "components": components,
        }


def _add(counts: dict[str, Count], name: str, more: Count) -> None:
    counts[name] = counts.get(name, Count()).plus(more)


def _fresh_mutants(subject: Subject, settled: Container[Identity]) -> list[int]:
    """Return the numbers of the mutants that no earlier subject has settled."""
    return [
        number
        for number, mutant in enumerate(subject.mutants)
        if (mutant.change, subject.overlaid) not in settled
    ]


def _sample(plan: Plan, subject: Subject, fresh: list[int]) -> list[int]:
    if plan.sample is None or plan.sample >= len(fresh):
        return fresh
    random = Random(f"{plan.seed} {subject.key}")  # noqa: S311 - not for security
    return sorted(random.sample(fresh, plan.sample))


# The tasks, which run in the processes of the pool.  Each process keeps the bench of the latest subject.

_bench: dict[Key, Bench] = {}


@cache
def _corpus() -> Corpus:
    return load()


def _bench_of(key: Key) -> Bench:
    if key not in _bench:
        _bench.clear()
        corpus = _corpus()
        subject = next(one for one in subjects(key[0]) if one.key == key)
        core = {"core": corpus_texts(corpus, subject)}
        core[BARE] = core["core"]
        if any(map(is_witness, corpus.cases)):
            core[BARE] = corpus_texts(corpus, subject, witnesses=False)
        _bench[key] = Bench(subject, core, _MUTANT_TIERS)
    return _bench[key]


def _examine_first(key: Key, numbers: list[int]) -> list[Examined]:
    return list(analysis.first_order(_bench_of(key), numbers))


def _examine_pairs(key: Key, chosen: range, seed: int, fresh: list[int], count: int) -> list[MutantResult]:
    bench = _bench_of(key)
    pairs = bench.subject.pairs(count, seed, fresh)
    return list(analysis.second_order(bench, pairs[chosen.start : chosen.stop]))


def _find_kills(key: Key, survivors: list[Examined], candidates: dict[bool, list[str]]) -> analysis.Kills:
    return analysis.find_kills(_bench_of(key), survivors, candidates)


def _hold_out(key: Key, examined: list[Examined], witnesses: list[frozenset[str]]) -> list[int]:
    found = analysis.held_out(_bench_of(key), examined, witnesses)
    return [one.number for one, noticed in found if noticed]


def _inject_faults(
    key: Key, number: int, seed: int, *, whole: bool
) -> tuple[dict[str, dict[str, Count]], dict[str, Coverage]]:
    bench = _bench_of(key)
    automaton, random_seed = bench.subject.automaton, f"{seed} {key}"
    suites = {"core": bench.suites["core"]}
    for tier in _MUTANT_TIERS:
        if (suite := tier_suite(bench.subject, tier, with_open=True)).verdicts:
            suites[tier] = suite
    covered = {tier: coverage(automaton, suite) for tier, suite in suites.items()}
    counted = faults.count_noticed(automaton, suites, number, random_seed)
    if whole and (largest := tier_suite(bench.subject, "k1", with_open=True)).verdicts:
        counted |= faults.count_noticed(automaton, {"k1": largest}, min(number, _FEW), random_seed)
    return counted, covered


def _count_resolution(spec: str) -> dict[str, Count]:
    tier = [case for part in parts("resolution", spec) for case in cases(part)]
    suites = {
        "core": resolution.corpus_pairs(_corpus().cases, spec),
        "resolution": resolution.corpus_pairs(tier, spec),
    }
    found = list(resolution.mutate(spec, suites))
    counts = {name: resolution.count_noticed(found, (name,)) for name in suites}
    return counts | {"whole": resolution.count_noticed(found, tuple(suites))}
