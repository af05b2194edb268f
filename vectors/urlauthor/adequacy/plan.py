"""The analysis, divided among processes; figures and goals."""

from __future__ import annotations

import signal
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import active_children
from random import Random
from typing import Any

from urlauthor.adequacy import analysis, faults, resolution
from urlauthor.adequacy.analysis import BARE, TIERS, Judged
from urlauthor.adequacy.faults import DOMAINS, NONE, Coverage, coverage
from urlauthor.adequacy.kill import Bench, Finding
from urlauthor.adequacy.subjects import Change, Subject, subjects
from urlauthor.adequacy.suites import Count, asked, generated, is_witness
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus
from urlharness.corpus.model import Tier
from urlharness.generate.tiers import cases, parts

# -------------------- adequacy.measured: How much an analysis does, and what it found of one specification.


#: What is changed, and whether in the grammar that is laid over.
Identity = tuple[Change, bool]


@dataclass(frozen=True)
class Plan:
    """How much is done: `sample` mutants, pairs and faults of each subject, None for all mutants.

    `pairs` and `faults` are the numbers of a full run.  `cover`: few texts are
    found that notice all survivors.
    """

    specs: tuple[str, ...]
    sample: int | None = None
    seed: int = 1
    pairs: int = 300
    faults: int = 200
    processes: int = 2
    cover: bool = False

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
    """What was found of one specification, added up over its subjects.

    A mutant is `settled` in the first subject where some text can tell it; until then it is `idle`.
    """

    first: dict[str, Count] = field(default_factory=dict)
    second: dict[str, Count] = field(default_factory=dict)
    held_out: dict[str, Count] = field(default_factory=dict)
    resolution: dict[str, Count] = field(default_factory=dict)
    faults: dict[str, dict[str, Count]] = field(default_factory=dict)
    transitions: dict[str, Coverage] = field(default_factory=dict)
    by_offset: int = 0
    survivors: list[dict[str, Any]] = field(default_factory=list)
    idle: dict[Identity, Finding] = field(default_factory=dict)
    settled: set[Identity] = field(default_factory=set)

    def still_idle(self) -> Count:
        """Of the mutants that no subject can tell, how many are equivalent, undecided and open."""
        never = (finding for identity, finding in self.idle.items() if identity not in self.settled)
        return analysis.count(never, ())


# -------------------- adequacy.report: The figures as a document and as a table, and the goals that they are held against.


SCHEMA = "urladequacy-1"


#: The least rate of each figure, by tier.
GOALS: Mapping[tuple[str, str], float] = {
    ("core", "first_order"): 1.0,
    ("whole", "second_order"): 0.99,
    ("whole", "held_out"): 0.95,
    ("whole", "resolution"): 1.0,
    ("complete", "faults"): 1.0,
    ("bytes", "faults"): 1.0,
    ("k1", "faults"): 1.0,
}


def figures(measured: Mapping[str, Measured]) -> dict[str, Any]:
    """`{spec: {tier: {figure: {rate, killed, live, …}}}}`."""
    return {spec: _tiers(found) for spec, found in measured.items()}


def _tiers(found: Measured) -> dict[str, Any]:
    tiers: dict[str, dict[str, Any]] = {}
    for tier in TIERS:
        tiers[tier] = {
            "first_order": found.first[tier].asdict(),
            "second_order": found.second[tier].asdict(),
            "held_out": found.held_out[tier].asdict(),
        }
    for tier, count in found.resolution.items():
        tiers.setdefault(tier, {})["resolution"] = count.asdict()
    for tier, kinds in found.faults.items():
        tiers.setdefault(tier, {})["faults"] = _faults(tier, kinds)
    for tier, coverage in found.transitions.items():
        tiers[tier]["transitions"] = _coverage(coverage)
    tiers["core"]["offset_alone"] = found.by_offset
    return tiers


def _faults(tier: str, kinds: Mapping[str, Count]) -> dict[str, Any]:
    domain = [kind for kind in DOMAINS.get(tier, ()) if kind in kinds]
    total = Count()
    for kind in domain:
        total = total.plus(kinds[kind])
    beyond = {kind: count.asdict() for kind, count in kinds.items() if kind not in domain}
    claimed = {"domain": domain, **total.asdict()} if domain else {"domain": []}
    return claimed | ({"beyond": beyond} if beyond else {})


def _coverage(coverage: Coverage) -> dict[str, Any]:
    return {
        "live": Count(coverage.live_covered, coverage.live).asdict(),
        "rejecting": Count(coverage.rejecting_covered, coverage.rejecting).asdict(),
    }


def document(found: Mapping[str, Any], corpus: str, sample: int | None, seed: int) -> dict[str, Any]:
    """The result of a run with what it was run on."""
    return {"schema": SCHEMA, "corpus": corpus, "sample": sample, "seed": seed, "specs": dict(found)}


def missed(found: Mapping[str, Any]) -> Iterator[str]:
    """A line for each goal that is not reached."""
    for spec, tiers in found.items():
        for (tier, figure), least in GOALS.items():
            one = tiers.get(tier, {}).get(figure)
            if one is not None and one["rate"] < least:
                yield (
                    f"{spec} {tier} {figure}: {one['killed']} of {one['live']} is "
                    f"{one['rate']:.2%}, the goal {least:.0%}"
                )


COLUMNS = ("first_order", "second_order", "held_out", "resolution", "faults")


def rows(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """A row for each specification and tier: the rates, with killed and live beside them."""
    for spec, tiers in found.items():
        for tier, figures_of in tiers.items():
            cells = (_cell(figures_of.get(column)) for column in COLUMNS)
            yield (spec, tier, *cells, ", ".join(figures_of.get("faults", {}).get("domain", ())))


def _cell(one: Mapping[str, Any] | None) -> str:
    if one is None or "rate" not in one:
        return "·"
    return f"{one['rate']:.2%} {one['killed']}/{one['live']}"


# -------------------- adequacy.running: The whole analysis, divided among processes by subject and run of mutants.


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
            pool.submit(_resolution, spec): spec for spec in plan.specs if spec in resolution.ALGORITHMS
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
        else [
            pool.submit(
                _running_faults, subject.key, plan.faults_of_subject, plan.seed, whole=plan.sample is None
            )
        ]
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
        candidates = analysis.texts(Bench(subject, {}, ()), missed)
        futures = [pool.submit(_kills, subject.key, chunk, candidates) for chunk in chunks]
        noticed = {
            number: some for future in progress.all(futures) for number, some in future.result().items()
        }
        texts |= {number: text for text, told in analysis.cover(noticed).items() for number in told}
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


def _kills(key: Key, missed: list[Judged], candidates: dict[bool, list[str]]) -> analysis.Kills:
    return analysis.kills(_bench_of(key), missed, candidates)


def _second(key: Key, seed: int, fresh: list[int], count: int, begin: int, end: int) -> list[Finding]:
    bench = _bench_of(key)
    return list(analysis.second_order(bench, bench.subject.pairs(count, seed, fresh)[begin:end]))


def _held(key: Key, judged: list[Judged], witnesses: list[frozenset[str]]) -> list[int]:
    found = analysis.held_out(_bench_of(key), judged, witnesses)
    return [one.number for one, noticed in found if noticed]


def _running_faults(
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
    suites = {
        "core": resolution.questions(corpus.cases, spec),
        "resolution": resolution.questions(tier, spec),
    }
    found = list(resolution.steps(spec, suites))
    counts = {name: resolution.count(found, (name,)) for name in suites}
    return counts | {"whole": resolution.count(found, tuple(suites))}


def specs_of(wanted: Iterable[str], every: Sequence[str]) -> tuple[str, ...]:
    """The specifications asked for, all where none is, in their order."""
    chosen = set(wanted)
    return tuple(spec for spec in every if not chosen or spec in chosen)
