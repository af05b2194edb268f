"""Run the analysis in several processes, return its figures, and check them against `GOALS`.

The result of each task is kept in the user's cache.  Its key has the digest of the texts that the task reads,
which the functions here hand to `Tasks.submit`: with a digest of too little, old figures would come back.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from random import Random
from typing import Any, NamedTuple

from urlauthor.adequacy import analysis, faults
from urlauthor.adequacy.analysis import BARE, FIRST_ORDER, TIERS
from urlauthor.adequacy.faults import DOMAINS, NONE, Coverage, coverage
from urlharness.adequacy import cache, choice, operations, resolution
from urlharness.adequacy.cache import Progress, Tasks, open_pool
from urlharness.adequacy.choice import CandidateText, Examined, Kills
from urlharness.adequacy.kill import Bench, MutantResult
from urlharness.adequacy.subjects import Change, Subject, subjects
from urlharness.adequacy.suites import Count, Suite, corpus_texts, lent_texts, tier_suite
from urlharness.corpus.jsonl import case_line
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus, Tier
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers import cases, parts
from urloracle.rfcs import specification

COLUMNS = ("first_order", "second_order", "held_out", "resolution", "operations", "faults")

#: The minimum rate of each figure, by tier.
GOALS: Mapping[tuple[str, str], float] = {
    ("core", "first_order"): 1.0,
    ("whole", "first_order"): 1.0,
    ("whole", "second_order"): 0.99,
    ("whole", "held_out"): 0.95,
    ("whole", "resolution"): 1.0,
    ("core", "operations"): 1.0,
    ("complete", "faults"): 1.0,
    ("bytes", "faults"): 1.0,
    ("k1", "faults"): 1.0,
}

#: The probability below which a sample counts as evidence that a goal below 100 % is missed.
_CHANCE = 0.001
#: (package, folder in it) of the source files of this package, on which results depend too.
_SOURCES = (("urlauthor", "adequacy"),)
#: The number of faults of each kind for the largest tier; only full runs use this tier.
_FEW = 50
_MUTANT_TIERS: tuple[Tier, ...] = ("complete", "bytes")

#: The identity of a mutant: its change, and True if it is made to the grammar with the overlay.
Identity = tuple[Change, bool]
Key = tuple[str, str, bool]


class _FaultFigures(NamedTuple):
    """The counts of faults by suite and kind, and the transitions that each suite takes."""

    counts: dict[str, dict[str, Count]]
    covered: dict[str, Coverage]


@dataclass(frozen=True)
class Plan:
    """The extent of an analysis.

    For each subject, a full run examines all mutants, `pairs` pairs of mutants, and `faults` faults of each
    kind.  If `sample` is not None, it limits each of these numbers, and no mutant is held out.  If `cover` is
    true, the witnesses are few texts that together notice all survivors; otherwise each survivor has its own
    shortest witness.
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

    `single` counts a first-order mutant as killed only if the core notices this very mutant.  `settled`
    contains the mutants that have a witness in at least one subject.  `idle` contains the mutants that have
    no witness in at least one subject.
    """

    first: dict[str, Count] = field(default_factory=dict)
    second: dict[str, Count] = field(default_factory=dict)
    held_out: dict[str, Count] = field(default_factory=dict)
    resolution: dict[str, Count] = field(default_factory=dict)
    operations: dict[str, Count] = field(default_factory=dict)
    faults: dict[str, dict[str, Count]] = field(default_factory=dict)
    transitions: dict[str, Coverage] = field(default_factory=dict)
    single: Count = field(default_factory=Count)
    by_offset: int = 0
    survivors: list[dict[str, Any]] = field(default_factory=list)
    idle: dict[Identity, MutantResult] = field(default_factory=dict)
    settled: set[Identity] = field(default_factory=set)

    def still_idle(self) -> Count:
        """Count the mutants without a witness in any subject: equivalent, undecided and open ones."""
        never = [self.idle[identity] for identity in self.idle.keys() - self.settled]
        return analysis.count_noticed(never, ())


def figures(measured: Mapping[str, Measured]) -> dict[str, Any]:
    """Return the figures as `{spec: {tier: {figure: {rate, killed, live, …}}}}`."""
    return {spec: _tier_figures(measured_spec) for spec, measured_spec in measured.items()}


def missed_goals(figures: Mapping[str, Any], sample: int | None = None) -> Iterator[str]:
    """Yield a line for each goal that is not reached.

    A sample misses a goal of 100 % if it misses one mutant.  It misses a lower goal only if a full run that
    reaches the goal would give so many misses in a sample of this size with a probability below `_CHANCE`.
    """
    is_estimate = sample is not None
    for spec, tiers in figures.items():
        for (tier, figure), goal in GOALS.items():
            count = tiers.get(tier, {}).get(figure)
            if count is not None and _misses_goal(count, goal, is_estimate=is_estimate):
                reached = f"{count['killed']} of {count['live']} is {count['rate']:.2%}"
                yield f"{spec} {tier} {figure}: {reached}, but the goal is {goal:.0%}"


def _misses_goal(count: Mapping[str, Any], goal: float, *, is_estimate: bool) -> bool:
    """Return True if a count is below a goal or, for an estimate, if that can hardly be chance."""
    if not is_estimate or goal == 1:
        return bool(count["rate"] < goal)
    live = count["live"]
    # the binomial distribution: the probability that at most so many of the live mutants are killed
    probability = 0.0
    for killed in range(count["killed"] + 1):
        probability += comb(live, killed) * goal**killed * (1 - goal) ** (live - killed)
    return probability < _CHANCE


def rows(figures: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each specification and tier: each figure as rate and killed/live."""
    for spec, tiers in figures.items():
        for tier, tier_figures in tiers.items():
            cells = (_cell(tier_figures.get(column)) for column in COLUMNS)
            domain = tier_figures.get("faults", {}).get("domain", ())
            yield (spec, tier, *cells, ", ".join(domain))


def _cell(count: Mapping[str, Any] | None) -> str:
    """Return a figure as rate and killed/live, or a dot if there is none."""
    if count is None or "rate" not in count:
        return "·"
    return f"{count['rate']:.2%} {count['killed']}/{count['live']}"


def _tier_figures(measured: Measured) -> dict[str, Any]:
    """Return the figures of a specification by tier."""
    tiers: dict[str, dict[str, Any]] = {tier: {} for tier in TIERS}
    counted = {
        "first_order": measured.first,
        "second_order": measured.second,
        "held_out": measured.held_out,
        "resolution": measured.resolution,
        "operations": measured.operations,
    }
    for figure, counts in counted.items():
        for tier, count in counts.items():
            tiers.setdefault(tier, {})[figure] = count.asdict()
    for tier, kinds in measured.faults.items():
        tiers.setdefault(tier, {})["faults"] = _fault_figures(tier, kinds)
    for tier, covered in measured.transitions.items():
        tiers[tier]["transitions"] = _transition_figures(covered)
    tiers["core"]["single"] = measured.single.asdict()
    tiers["core"]["offset_alone"] = measured.by_offset
    return tiers


def _transition_figures(covered: Coverage) -> dict[str, Any]:
    """Return the figures of live and of rejecting transitions.  Those that are taken count as killed."""
    live = Count(covered.live_covered, covered.live)
    rejecting = Count(covered.rejecting_covered, covered.rejecting)
    return {"live": live.asdict(), "rejecting": rejecting.asdict()}


def _fault_figures(tier: str, kinds: Mapping[str, Count]) -> dict[str, Any]:
    """Return the figures of faults: one for the whole fault domain, and one for each kind outside it."""
    domain = [kind for kind in DOMAINS.get(tier, ()) if kind in kinds]
    total = Count()
    for kind in domain:
        total = total.plus(kinds[kind])
    figures: dict[str, Any] = {"domain": domain}
    if domain:
        figures |= total.asdict()
    beyond = {kind: count.asdict() for kind, count in kinds.items() if kind not in domain}
    if beyond:
        figures["beyond"] = beyond
    return figures


def run(plan: Plan, report: Progress | None = None) -> dict[str, Measured]:
    """Run a plan and return the results by specification; call `report(finished, total)` after each task."""
    measured = {spec: Measured() for spec in plan.specs}
    with open_pool(plan.processes) as pool:
        tasks = Tasks(pool, report or _report_nothing, _SOURCES)
        algorithms = _submit_algorithms(plan, tasks)
        if plan.sample is not None:
            _run_samples(plan, measured, tasks)
        else:
            for spec in plan.specs:
                for subject in subjects(spec):
                    _run_subject(plan, subject, measured[spec], tasks)
        for measured_spec in measured.values():
            for tier in TIERS:
                _add_count(measured_spec.first, tier, measured_spec.still_idle())
        for future in tasks.as_completed(list(algorithms)):
            spec, figure = algorithms[future]
            setattr(measured[spec], figure, future.result())
    return measured


def _report_nothing(_finished: int, _total: int) -> None:
    """Take the progress of tasks, and do not show it."""


def _submit_algorithms(plan: Plan, tasks: Tasks) -> dict[Future[Any], tuple[str, str]]:
    """Submit the tasks that mutate algorithms, and map each to its specification and figure."""
    futures = {}
    for spec in plan.specs:
        if facts(spec).resolution_functions:
            digest_of_pairs = cache.digest(resolution.corpus_pairs(_corpus().cases, spec))
            future = tasks.submit(_count_resolution, digest_of_pairs, spec, plan.sample, plan.seed)
            futures[future] = spec, "resolution"
        if operations.has_own_operations(spec):
            digest_of_vectors = _digest_of_operation_vectors(spec)
            future = tasks.submit(_count_operations, digest_of_vectors, spec, plan.sample, plan.seed)
            futures[future] = spec, "operations"
    return futures


def _digest_of_operation_vectors(spec: str) -> str:
    """Return the digest of the vectors that ask the operations of an RFC."""
    cases_of_spec = (case for case in _corpus().cases if case.spec == spec)
    lines = [case_line(case) for case in cases_of_spec if case.vector.op in operations.OPERATIONS]
    return cache.digest(lines)


class _Drawn(NamedTuple):
    """The sample of a subject: the numbers of its mutants, and those of the mutants that it is drawn from."""

    sample: list[int]
    fresh: list[int]


def _run_subject(plan: Plan, subject: Subject, measured: Measured, tasks: Tasks) -> None:
    """Examine all mutants of a subject that no earlier subject has settled, pairs of them, and faults."""
    fresh = _fresh_mutants(subject, measured.settled)
    digest_of_texts = _digest_of_texts(subject)
    first = tasks.submit_chunks(_examine_mutants, digest_of_texts, subject.key, fresh)
    pairs = range(plan.pairs)
    second = tasks.submit_chunks(
        _examine_pairs, digest_of_texts, subject.key, pairs, plan.seed, fresh, len(pairs)
    )
    injected = _submit_faults(plan, subject, tasks) if plan.faults and not subject.overlaid else []
    examined: list[Examined] = []
    for future in tasks.as_completed(first):
        examined += future.result()
    examined.sort()
    survivors = _add_first_order(measured, subject, examined)
    measured.survivors += _find_witnesses(plan, subject, survivors, tasks)
    _add_held_out(measured, subject, examined, tasks)
    for future in tasks.as_completed(second):
        _add_second_order(measured, future.result())
    for future in tasks.as_completed(injected):
        _add_faults(measured, future.result())


def _submit_faults(plan: Plan, subject: Subject, tasks: Tasks) -> list[Future[Any]]:
    """Submit the tasks that count faults: for the core, for the tiers, and for the largest tier."""
    key = subject.key
    few = min(plan.faults, _FEW)
    core = tasks.submit(_count_faults_of_core, _digest_of_texts(subject), key, plan.faults, plan.seed)
    # the texts of a tier do not depend on vectors, so these two have no digest
    tiers = tasks.submit(_count_faults_of_tiers, "", key, _MUTANT_TIERS, plan.faults, plan.seed)
    largest_tier = tasks.submit(_count_faults_of_tiers, "", key, ("k1",), few, plan.seed)
    return [core, tiers, largest_tier]


def _run_samples(plan: Plan, measured: Mapping[str, Measured], tasks: Tasks) -> None:
    """Examine a sample of each subject.

    The subjects of one rule are one task, so that no two processes build the same suites.
    """
    pairs = plan.limit(plan.pairs)
    number_of_faults = plan.limit(plan.faults)
    futures: dict[Future[list[_Sampled]], list[Subject]] = {}
    for spec in plan.specs:
        for samples in _draw_samples(plan, subjects(spec)):
            digest_of_texts = cache.digest([_digest_of_texts(subject) for subject in samples])
            drawn = [(subject.key, sample) for subject, sample in samples.items()]
            future = tasks.submit(
                _examine_samples, digest_of_texts, drawn, pairs, number_of_faults, plan.seed
            )
            futures[future] = [*samples]
    for _ in tasks.as_completed(list(futures)):
        pass  # the results are added in the order of the subjects, so that each run gives the same survivors
    for future, examined in futures.items():
        for subject, sampled in zip(examined, future.result(), strict=True):
            measured_spec = measured[subject.spec.id]
            survivors = _add_first_order(measured_spec, subject, sampled.first)
            measured_spec.survivors += _find_witnesses(plan, subject, survivors, tasks)
            _add_second_order(measured_spec, sampled.second)
            for figures_of_faults in sampled.faults:
                _add_faults(measured_spec, figures_of_faults)


def _draw_samples(plan: Plan, spec_subjects: Sequence[Subject]) -> list[dict[Subject, _Drawn]]:
    """Draw a sample of each subject of an RFC, from the mutants that no earlier subject has.

    A full run examines each of these mutants too.  For each rule, map its subjects to their samples.
    """
    earlier: set[Identity] = set()
    by_rule: dict[str, dict[Subject, _Drawn]] = {}
    for subject in spec_subjects:
        fresh = _fresh_mutants(subject, earlier)
        earlier |= {(subject.mutants[number].change, subject.overlaid) for number in fresh}
        drawn = _Drawn(_draw_sample(plan, subject, fresh), fresh)
        by_rule.setdefault(subject.rule, {})[subject] = drawn
    return [*by_rule.values()]


def _add_first_order(measured: Measured, subject: Subject, examined: list[Examined]) -> list[Examined]:
    """Add the results of first-order mutants to the counts in `measured`.

    Also note there which changes need not be examined again.  Return the survivors: live mutants that the
    suites of some goal miss.
    """
    live = _live(examined)
    results = [examination.result for examination in live]
    for tier, suites in FIRST_ORDER.items():
        _add_count(measured.first, tier, analysis.count_noticed(results, suites))
    measured.single = measured.single.plus(analysis.count_noticed(results, TIERS["core"]))
    for number, mutant_result in examined:
        identity = (subject.mutants[number].change, subject.overlaid)
        if mutant_result.witness is None:
            measured.idle[identity] = mutant_result
        else:
            measured.settled.add(identity)
    goals = [FIRST_ORDER[tier] for tier, figure in GOALS if figure == "first_order"]
    survivors = [examination for examination in live if _is_missed(examination.result, goals)]
    noticed_by_offset = [survivor for survivor in survivors if survivor.result.offset]
    measured.by_offset += len(noticed_by_offset)
    return survivors


def _live(examined: Iterable[Examined]) -> list[Examined]:
    """Return the live mutants: those that a text shows."""
    return [examination for examination in examined if examination.result.witness is not None]


def _is_missed(mutant_result: MutantResult, tiers: Iterable[Collection[str]]) -> bool:
    """Return True if all suites of some tier miss a mutant."""
    return any(mutant_result.noticed.isdisjoint(suites) for suites in tiers)


def _add_second_order(measured: Measured, results: list[MutantResult]) -> None:
    """Add the results of second-order mutants to the counts in `measured`."""
    for tier, suites in TIERS.items():
        _add_count(measured.second, tier, analysis.count_noticed(results, suites))


def _add_faults(measured: Measured, figures_of_faults: _FaultFigures) -> None:
    """Count faults and transitions by tier."""
    for tier, kinds in figures_of_faults.counts.items():
        counts_of_tier = measured.faults.setdefault(tier, {})
        for kind, count in kinds.items():
            _add_count(counts_of_tier, kind, count)
    for tier, tier_coverage in figures_of_faults.covered.items():
        measured.transitions[tier] = measured.transitions.get(tier, NONE).plus(tier_coverage)


def _add_held_out(measured: Measured, subject: Subject, examined: list[Examined], tasks: Tasks) -> None:
    """Count mutants by the suites that notice them without the witnesses of their own operator.

    A mutant is killed if a tier, a vector that is not a witness, or a witness of other operators notices it.
    """
    without_witnesses = {}
    for tier, names in TIERS.items():
        without_witnesses[tier] = {BARE if name == "core" else name for name in names}
    live = _live(examined)
    # witnesses of other operators are only needed for mutants that some tier misses
    all_suites = without_witnesses.values()
    unsure = [examination for examination in live if _is_missed(examination.result, all_suites)]
    witnesses = analysis.witnesses_of_others(Bench(subject, {}, ()), examined)
    futures = tasks.submit_chunks(_hold_out, _digest_of_texts(subject), subject.key, unsure, witnesses)
    noticed_by_others: set[int] = set()
    for future in tasks.as_completed(futures):
        noticed_by_others.update(future.result())
    for tier, suites in without_witnesses.items():
        missed = [number for number, mutant_result in live if mutant_result.noticed.isdisjoint(suites)]
        killed = len(live) - len(set(missed) - noticed_by_others)
        _add_count(measured.held_out, tier, Count(killed, len(live)))


def _find_witnesses(
    plan: Plan, subject: Subject, survivors: list[Examined], tasks: Tasks
) -> Iterator[dict[str, Any]]:
    """Yield the survivors that need a witness (`analysis.survivors_needing_witness`), each with its witness.

    This is the shortest witness or, with `plan.cover`, one of few texts that together notice all survivors.
    """
    bench = Bench(subject, {}, ())
    needed = analysis.survivors_needing_witness(bench, survivors)
    witnesses: dict[int, CandidateText] = {}
    for number, survivor in needed:
        assert survivor.witness is not None  # otherwise it would not be live
        witnesses[number] = CandidateText(survivor.witness, survivor.components)
    if plan.cover:
        witnesses |= _find_cover(bench, needed, tasks)
    for number, witness in witnesses.items():
        mutant = subject.mutants[number]
        yield {
            "rule": subject.rule,
            "changed": subject.grammar.names[mutant.rule],
            "operator": mutant.operator,
            "witness": witness.text,
            "components": witness.components,
        }


def _find_cover(bench: Bench, survivors: list[Examined], tasks: Tasks) -> dict[int, CandidateText]:
    """Map the numbers of survivors to few texts that together notice all survivors for which one is known."""
    candidates = choice.candidate_texts(bench, survivors)
    futures = tasks.submit_chunks(_find_kills, "", bench.subject.key, survivors, candidates)
    kills: dict[int, frozenset[CandidateText]] = {}
    for future in tasks.as_completed(futures):
        kills |= future.result()
    text_by_number: dict[int, CandidateText] = {}
    for chosen_text, numbers in choice.choose_cover(kills).items():
        text_by_number |= dict.fromkeys(numbers, chosen_text)
    return text_by_number


def _add_count(counts: dict[str, Count], name: str, count: Count) -> None:
    """Add a count to that of a name in `counts`, which may not be there yet."""
    counts[name] = counts.get(name, Count()).plus(count)


def _fresh_mutants(subject: Subject, settled: Container[Identity]) -> list[int]:
    """Return the numbers of the mutants that are not settled.

    In a full run, mutants with a witness in an earlier subject are settled.  A sample does not know these, so
    all mutants of earlier subjects are.
    """
    return [
        number
        for number, mutant in enumerate(subject.mutants)
        if (mutant.change, subject.overlaid) not in settled
    ]


def _draw_sample(plan: Plan, subject: Subject, fresh: list[int]) -> list[int]:
    """Draw the sample of a subject from its fresh mutants, in order.

    Return all of them if they are no more than a sample, or if the plan has no size of a sample.
    """
    if plan.sample is None or plan.sample >= len(fresh):
        return fresh
    random = Random(f"{plan.seed} {subject.key}")  # noqa: S311 - not for security
    return sorted(random.sample(fresh, plan.sample))


# The tasks.  They run in the processes of the pool, and each process keeps the bench of its latest subject.

_bench: dict[Key, Bench] = {}


@lru_cache(maxsize=1)
def _corpus() -> Corpus:
    """Return the corpus, which each process loads once."""
    return load()


def _bench_of(key: Key) -> Bench:
    """Return the bench of a subject, which replaces that of another subject."""
    if key not in _bench:
        _bench.clear()
        corpus = _corpus()
        spec, rule, overlaid = key
        subject = Subject(specification(spec), rule, overlaid)
        core = {
            "core": corpus_texts(corpus, subject),
            BARE: corpus_texts(corpus, subject, witnesses=False),
        }
        lent = {
            "core": lent_texts(corpus, subject),
            BARE: lent_texts(corpus, subject, witnesses=False),
        }
        _bench[key] = Bench(subject, core, _MUTANT_TIERS, lent if lent["core"] else None)
    return _bench[key]


def _digest_of_texts(subject: Subject) -> str:
    """Return the digest of the texts that are used for a subject."""
    corpus = _corpus()
    return cache.digest(
        corpus_texts(corpus, subject),
        corpus_texts(corpus, subject, witnesses=False),
        lent_texts(corpus, subject),
        lent_texts(corpus, subject, witnesses=False),
    )


def _examine_mutants(key: Key, numbers: list[int]) -> list[Examined]:
    """Examine the mutants of a subject that have these numbers."""
    return list(analysis.examine_mutants(_bench_of(key), numbers))


def _examine_pairs(key: Key, numbers: range, seed: int, fresh: list[int], count: int) -> list[MutantResult]:
    """Examine those of `count` pairs of fresh mutants that have these numbers."""
    bench = _bench_of(key)
    pairs = bench.subject.pairs(count, seed, fresh)
    return list(analysis.examine_pairs(bench, pairs[numbers.start : numbers.stop]))


def _find_kills(key: Key, survivors: list[Examined], candidates: list[CandidateText]) -> Kills:
    """Return which survivors each candidate text notices."""
    return choice.find_kills(_bench_of(key), survivors, candidates)


def _hold_out(key: Key, examined: list[Examined], witnesses: list[frozenset[str]]) -> list[int]:
    """Return the numbers of the mutants that witnesses of other operators notice."""
    judged = analysis.examine_held_out(_bench_of(key), examined, witnesses)
    return [examination.number for examination, noticed in judged if noticed]


class _Sampled(NamedTuple):
    """The results of the sample of one subject: mutants, pairs of mutants, and faults of core and tiers."""

    first: list[Examined]
    second: list[MutantResult]
    faults: list[_FaultFigures]


def _examine_samples(drawn: list[tuple[Key, _Drawn]], pairs: int, number: int, seed: int) -> list[_Sampled]:
    """Examine the samples of the subjects of one rule.

    `drawn` has the key of each subject and its sample.  `number` is the number of faults of each kind.
    """
    samples = []
    for key, subject_sample in drawn:
        _, _, is_overlaid = key
        first = _examine_mutants(key, subject_sample.sample)
        second = _examine_pairs(key, range(pairs), seed, subject_sample.fresh, pairs)
        counted = []
        if number and not is_overlaid:
            counted.append(_count_faults_of_core(key, number, seed))
            counted.append(_count_faults_of_tiers(key, _MUTANT_TIERS, number, seed))
        samples.append(_Sampled(first, second, counted))
    return samples


def _count_faults_of_core(key: Key, number: int, seed: int) -> _FaultFigures:
    """Count the faults that the core notices, and the transitions that it takes."""
    return _count_faults(key, {"core": _bench_of(key).suites["core"]}, number, seed)


def _count_faults_of_tiers(key: Key, tiers: Sequence[Tier], number: int, seed: int) -> _FaultFigures:
    """Count the faults that each tier notices, and the transitions that it takes."""
    suites: dict[str, Suite] = {}
    for tier in tiers:
        suite = tier_suite(_bench_of(key).subject, tier, with_open=True)
        if suite:
            suites[tier] = suite
    return _count_faults(key, suites, number, seed)


def _count_faults(key: Key, suites: Mapping[str, Suite], number: int, seed: int) -> _FaultFigures:
    """Count the faults that each suite notices, and the transitions that it takes.

    Tier k1 takes every transition by its construction, so its many texts are not followed.
    """
    automaton = _bench_of(key).subject.automaton
    counts = faults.count_noticed(automaton, suites, number, f"{seed} {key}")
    covered = {name: coverage(automaton, suite) for name, suite in suites.items() if name != "k1"}
    return _FaultFigures(counts, covered)


def _count_resolution(spec: str, sample: int | None, seed: int) -> dict[str, Count]:
    """Count the noticed mutants of the resolution of an RFC: by the core, by its tier, and by both."""
    tier = [case for part in parts("resolution", spec) for case in cases(part)]
    suites = {
        "core": resolution.corpus_pairs(_corpus().cases, spec),
        "resolution": resolution.corpus_pairs(tier, spec),
    }
    mutants = list(resolution.examine_mutants(spec, suites, sample, seed))
    counts = {name: resolution.count_noticed(mutants, (name,)) for name in suites}
    counts["whole"] = resolution.count_noticed(mutants, tuple(suites))
    return counts


def _count_operations(spec: str, sample: int | None, seed: int) -> dict[str, Count]:
    """Count the faults of the operations of an RFC that the core notices."""
    suites = {"core": _corpus().cases}
    if sample is None:  # a fault that only the tiers notice is live, too; a sample counts it as equivalent
        suites["tiers"] = [*operations.tier_cases(spec)]
    faults_of_spec = operations.examine_faults(spec, suites, sample, seed)
    return {"core": operations.count_noticed(faults_of_spec, ("core",))}
