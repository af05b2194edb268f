"""Campaigns: rounds of shards, which one process or several processes run.

A shard is a fixed number of cases with its own random seed. All shards of a round draw from the same pool,
and their results are merged in the order of the shards. The texts that a round keeps are added to the pool
before the next round. So the findings depend on the seed and the number of cases, but not on the number of
processes.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from urlharness.adapters.registry import Adapter
from urlharness.corpus.loader import short_digest
from urlharness.corpus.model import offers
from urlharness.corpus.specifications import DEFAULT_SPEC, Spec, facts
from urlharness.fuzz import MAPPINGS, OPERATIONS, FuzzError, FuzzOperation
from urlharness.fuzz.difference import AnswerComparison, Divergence
from urlharness.fuzz.feedback import Feedback, Transitions, shape_of_answers
from urlharness.fuzz.findings import CampaignFinding, TextOrigin, cut_to
from urlharness.fuzz.inputs import Draw, Inputs, Pool, first_texts
from urlharness.fuzz.panel import ORACLE, AdapterAnswer, CampaignPanel, input_of
from urlharness.fuzz.register import Register
from urlharness.fuzz.store import SCHEMA, Campaign, PoolText, Round, Store
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import USUAL, Limits
from urlharness.system.portability import can_fork
from urlharness.wording import rfc
from urloracle.rfcs import SPECIFICATIONS

#: The number of cases in a shard.
SHARD = 250
#: The number of shards in a round.
ROUND = 8

#: Adapters are taken for versions of one library if they answer at most this share of the seeds differently.
_LARGEST_SHARE = 0.1
#: The maximum number of seeds of each operation that are asked to find that out.
_COMPARED_SEEDS = 500

#: The number of seconds in which a process must end before it is killed.
_PATIENCE = 10.0

#: The maximum number of adapters that a message names.
_NAMED = 5


class PlanError(FuzzError):
    """A campaign that cannot be run. The message says why."""


@dataclass(frozen=True)
class CampaignPlan:
    """The settings of a campaign.

    If `operations` is empty, the campaign asks the first operation that all adapters offer. Without
    `feedback`, all texts are new words of the rule instead of mutations of texts that showed something new.
    `texts` are the user's own texts. `fold` says how the panel compares. None stands for False if the
    adapters are versions of one library, and otherwise for True.
    """

    adapters: tuple[Adapter, ...]
    spec: Spec = DEFAULT_SPEC
    operations: tuple[FuzzOperation, ...] = ()
    seed: int = 0
    feedback: bool = True
    fold: bool | None = None
    texts: tuple[str, ...] = ()
    limits: Limits = USUAL

    def start_panel(self, *, patient: bool = False) -> CampaignPanel:
        """Start the adapters. If `patient`, no adapter is given up, however often its process ends."""
        limits = self.limits._replace(restarts=sys.maxsize) if patient else self.limits
        return CampaignPanel(self.adapters, self.spec, limits)


class Progress(NamedTuple):
    """The progress of a campaign.

    `cases` is the number of cases in all runs of the campaign, `cases_of_run` the number in this run, and
    `seconds` the time that this run has taken. `taken` is the number of transitions that texts have taken, of
    `transitions` in all. `pool` is the number of texts in the pools. `last` is the latest new finding, or
    None.
    """

    cases: int
    cases_of_run: int
    seconds: float
    taken: int
    transitions: int
    pool: int
    findings: Sequence[CampaignFinding]
    last: CampaignFinding | None


OnProgress = Callable[[Progress], None]


class _Entry(NamedTuple):
    """A text, and what the answers to it show.

    `codes` are those of its features that are new with this shape. `leaves_at` is the code of the place where
    the text leaves the language.
    """

    text: str
    how: str
    shape: str
    codes: set[int]
    leaves_at: int
    divergences: list[Divergence]


class _ShardResult(NamedTuple):
    """The result of a shard.

    `entries` are the texts that show a new pair of shape and feature, or on which adapters disagree.
    `restarts` says how often each adapter was started again. `dead` says why an adapter was given up before
    the end of the shard, or is empty.
    """

    cases: int
    entries: list[_Entry]
    restarts: Counter[str]
    dead: str = ""


class _ShardRunner:
    """Runs shards: draws their texts, asks a panel, and looks at the answers."""

    def __init__(self, plan: CampaignPlan, operations: Sequence[FuzzOperation], panel: CampaignPanel) -> None:
        self._plan = plan
        self._operations = operations
        self._panel = panel
        spec = SPECIFICATIONS[plan.spec]
        #: By operation: the source of texts, the first texts, the pool, and the feedback.
        self.inputs: list[Inputs] = []
        self._seeds: list[list[str]] = []
        for operation in operations:
            inputs = Inputs(spec, spec.default_rule, pairs=operation == "resolve")
            texts = (*plan.texts, *first_texts(operation))
            self.inputs.append(inputs)
            self._seeds.append(inputs.seeds(texts, plan.seed))
        automaton = self.inputs[0].automaton
        self.pools = [Pool(automaton, seeds) for seeds in self._seeds]
        self._feedback = [Feedback() for _ in operations]
        self.transitions = Transitions(automaton)
        #: How answers are compared. It depends on the answers to the seeds whether differences are folded.
        self.comparison = AnswerComparison(panel, fold=plan.fold or False)

    def run_shard(self, number: int, count: int) -> _ShardResult:
        """Ask the `count` texts of the shard with this number, which are first the seeds.

        The operations take turns: the number of the shard determines its operation.
        """
        turn, track = divmod(number, len(self._operations))
        operation = self._operations[track]
        seeds = self._seeds[track][turn * SHARD :]
        draws = [Draw(text, "seed") for text in seeds[:count]]
        draws += self._draw(number, track, count - len(draws))
        restarts_before = self._panel.restarts
        texts = [draw.text for draw in draws]
        rows, dead = self._panel.ask_until_dead(operation, texts)
        restarts = self._panel.restarts - restarts_before
        entries = []
        for draw, answers in zip(draws, rows, strict=False):  # fewer rows if an adapter was given up
            entry = self._examine(draw, answers, self._feedback[track])
            if entry.codes or entry.divergences:
                entries.append(entry)
        reason = "" if dead is None else str(dead)
        return _ShardResult(len(rows), entries, restarts, dead=reason)

    def _draw(self, number: int, track: int, count: int) -> Iterator[Draw]:
        """Draw the texts of a shard that come after the seeds."""
        pool = self.pools[track] if self._plan.feedback else None
        return self.inputs[track].draw_shard(self._plan.seed, number, count, pool)

    def _examine(self, draw: Draw, answers: Sequence[AdapterAnswer], feedback: Feedback) -> _Entry:
        """Return what the answers to a text show, and remember what is new."""
        divergences = self.comparison.divergences(draw.text, answers)
        codes, leaves_at = self.transitions.features(draw.text)
        answers_shape = shape_of_answers(draw.text, answers, divergences)
        new_codes = feedback.new_codes(answers_shape, codes)
        if new_codes:
            feedback.add(answers_shape, new_codes)
        return _Entry(draw.text, draw.how, answers_shape, new_codes, leaves_at, divergences)

    def ask_if_versions(self, panel: CampaignPanel) -> bool:
        """Ask the adapters seeds. Return True if they answer most equally, as versions of one library do.

        Return False, and ask nothing, if one of them is the oracle.
        """
        if any(adapter.name == ORACLE for adapter in self._plan.adapters):
            return False
        comparison = AnswerComparison(panel, fold=False)
        answered = 0
        differing = 0
        for operation, seeds in zip(self._operations, self._seeds, strict=True):
            step = 1 + len(seeds) // _COMPARED_SEEDS
            texts = seeds[::step]
            rows, _ = panel.ask_until_dead(operation, texts)
            answered += len(rows)
            differing += sum(len(comparison.groups(answers)) > 1 for answers in rows)
        return differing <= answered * _LARGEST_SHARE

    @property
    def pool_size(self) -> int:
        """The number of texts in all pools."""
        return sum(len(pool.texts) for pool in self.pools)

    def add_to_pools(self, texts: Sequence[PoolText]) -> None:
        """Add texts to the pools."""
        for pool_text in texts:
            self.pools[pool_text.track].add(pool_text.text)


@dataclass
class CampaignResult:
    """The outcome of a run.

    `cases` is the number of cases of the campaign, including those of earlier runs.
    `new` are the findings of this run. `dead` says why the run ended early, or is empty. `restarts` says
    how often an adapter was started again while texts were asked.
    """

    cases: int = 0
    new: list[CampaignFinding] = field(default_factory=list)
    dead: str = ""
    restarts: Counter[str] = field(default_factory=Counter)


def run(
    plan: CampaignPlan,
    store: Store,
    *,
    cases: int | None,
    seconds: float | None = None,
    jobs: int = 1,
    known: Sequence[CampaignFinding] = (),
    progress: OnProgress = lambda _: None,
) -> CampaignResult:
    """Run or continue a campaign, until all its runs together have `cases` cases, or for `seconds` seconds.

    A limit of None does not apply. Each finding is written to the store when it is found. The findings in
    `known` are not reported again. `jobs` is the number of processes. Raise PlanError, StoreError,
    NotInstalled or AdapterDead if the campaign cannot start, and OSError if a file cannot be written.
    """
    workers = _Workers(plan, jobs)  # before the adapters start, so that no process inherits their pipes
    try:
        with ExitStack() as opened:
            panel = opened.enter_context(closing(plan.start_panel(patient=True)))
            operations = _choose_operations(plan, panel)
            panel.check(operations[0])
            # other processes run the shards with their own adapters, or else this process does
            shard_panel = panel if jobs > 1 else opened.enter_context(closing(plan.start_panel()))
            shards = _ShardRunner(plan, operations, shard_panel)
            fold = not shards.ask_if_versions(panel) if plan.fold is None else plan.fold
            shards.comparison = AnswerComparison(shard_panel, fold=fold)
            rounds = store.resume(_journal_header(plan, panel, operations, fold=fold))
            workers.start(shards, operations, fold)
            register = Register(panel, plan.spec, known, fold=fold)
            campaign = _Run(plan, store, register, operations, shards, workers, known, progress)
            campaign.resume(rounds)
            return campaign.run(cases, seconds)
    finally:
        workers.close()


def _choose_operations(plan: CampaignPlan, panel: CampaignPanel) -> tuple[FuzzOperation, ...]:
    """Return the operations that a campaign asks: those of the plan, or else the first that all offer.

    Raise PlanError if not all adapters offer them, or if there are fewer than two adapters.
    """
    operations = [operation for operation in OPERATIONS if _is_defined(operation, plan.spec)]
    for operation in plan.operations:
        if operation not in operations:
            raise PlanError(f"{rfc(plan.spec)} does not define {operation}; use --spec rfc3987")
        if not panel.is_offered_by_all(operation):
            raise PlanError(f"{_adapters_without(operation, panel)} cannot {operation}")
    if len(panel.names) < 2:
        raise PlanError("a campaign compares at least two adapters")
    if plan.operations:
        return plan.operations
    for operation in operations:
        if panel.is_offered_by_all(operation):
            return (operation,)
    missing = [f"{operation}: not {_adapters_without(operation, panel)}" for operation in operations]
    raise PlanError(f"the adapters have no operation in common ({'; '.join(missing)}); leave some out")


def _is_defined(operation: FuzzOperation, spec: Spec) -> bool:
    """Return True if a campaign may ask an operation: a mapping only if the RFC defines it."""
    return operation not in MAPPINGS or facts(spec).defines(operation)


def _adapters_without(operation: str, panel: CampaignPanel) -> str:
    """Return the names of the adapters that do not offer an operation, at most `_NAMED` of them."""
    pairs = zip(panel.names, panel.hellos, strict=True)
    names = [name for name, hello in pairs if not offers(hello, operation)]
    if len(names) <= _NAMED + 1:  # rather than to write "and 1 more"
        return " and ".join(names)
    first_names = ", ".join(names[:_NAMED])
    return f"{first_names} and {len(names) - _NAMED} more"


def _journal_header(
    plan: CampaignPlan, panel: CampaignPanel, operations: tuple[FuzzOperation, ...], *, fold: bool
) -> Campaign:
    """Return the first line of the journal."""
    digest = ""
    if plan.texts:
        lines = "\n".join(plan.texts)
        digest = short_digest(lines.encode("utf-8", "surrogatepass"))
    return Campaign(SCHEMA, panel.names, plan.spec, operations, plan.seed, plan.feedback, fold, digest)


class _Run:
    """One run of a campaign: it merges the results of shards, records rounds, and writes findings.

    `operations` are those of the campaign, whose shards take turns. The findings in `known` are those of
    earlier campaigns. `progress` is called with what the run has reached.
    """

    def __init__(
        self,
        plan: CampaignPlan,
        store: Store,
        register: Register,
        operations: tuple[FuzzOperation, ...],
        shard_runner: _ShardRunner,
        workers: _Workers,
        known: Sequence[CampaignFinding],
        progress: OnProgress,
    ) -> None:
        self._plan = plan
        self._store = store
        self._register = register
        self._operations = operations
        self._shard_runner = shard_runner
        self._workers = workers
        self._progress = progress
        self._known = {finding.id for finding in known}
        #: By operation: the pairs of shape and feature that the merged shards have shown.
        self._seen = [Feedback() for _ in operations]
        #: The numbers of shards and cases of the campaign, and of cases of this run.
        self._shards = 0
        self._cases = 0
        self._cases_of_run = 0
        #: The number of transitions that texts have taken.
        self._taken = 0
        #: The findings that are written, by id.
        self._saved = {finding.id: finding for finding in store.read_findings()}
        #: The findings that an interrupted round has written, until this round was repeated.
        self._interrupted: list[CampaignFinding] = []
        self._outcome = CampaignResult()
        self._began = time.monotonic()
        self._seconds: float | None = None
        #: True if the time ran out before all disagreements of a shard were examined.
        self._cut = False
        register.listener = self

    def resume(self, rounds: Sequence[Round]) -> None:
        """Restore the state after the finished rounds, so that `run` continues there.

        The files of an interrupted round stay, but the register does not have their findings and effects,
        because the round is repeated.
        """
        effects: dict[str, int] = {}
        for finished in rounds:
            for pool_text in finished.kept:
                self._seen[pool_text.track].add(pool_text.shape, pool_text.codes)
            self._add_to_pools(finished.kept)
            self._register.restore_counts(finished.changes.counts)
            effects.update(finished.changes.effects)
            self._shards = finished.shards
            self._cases = finished.cases
        for name, count in effects.items():
            if name in self._saved:
                self._register.restore(cut_to(self._saved[name], count))
        self._interrupted = [finding for name, finding in self._saved.items() if name not in effects]
        self._outcome.cases = self._cases

    def run(self, cases: int | None, seconds: float | None) -> CampaignResult:
        """Run rounds until there are enough cases, the time has run out, or an adapter is given up.

        The time is checked before each disagreement. If it has run out, the round ends with the last shard
        whose disagreements are all examined.
        """
        self._seconds = seconds
        while not self._outcome.dead and (cases is None or self._cases < cases):
            if self._is_late:
                break
            try:
                self._run_round(cases)
            except AdapterDead as dead:  # it cannot be started again
                self._outcome.dead = str(dead)
        return self._outcome

    @property
    def _is_late(self) -> bool:
        return self._seconds is not None and time.monotonic() - self._began >= self._seconds

    def _run_round(self, cases: int | None) -> None:
        """Run the shards of a round and record it, or only a part of it if the time runs out.

        A round in which an adapter is given up is not recorded, and so is repeated by the next run.
        """
        remaining = SHARD * ROUND if cases is None else cases - self._cases
        starts = range(0, min(remaining, SHARD * ROUND), SHARD)
        sizes = [min(SHARD, remaining - start) for start in starts]
        tasks = list(enumerate(sizes, self._shards))
        pool_texts: list[PoolText] = []
        merged_shards = 0
        for (number, _), shard in zip(tasks, self._workers.run_shards(tasks), strict=True):
            self._cases += shard.cases
            self._cases_of_run += shard.cases
            self._outcome.restarts += shard.restarts
            self._report_progress()
            pool_texts += self._examine_shard(number, shard)
            codes = (code for feedback in self._seen for code in feedback.codes)
            self._taken = self._shard_runner.transitions.count_taken(codes)
            self._report_progress()
            if shard.dead:
                self._outcome.dead = shard.dead
                return
            if self._cut:  # the next run repeats the shard, but the pools keep its texts
                self._cases -= shard.cases
                break
            merged_shards += 1
            self._outcome.cases = self._cases
            if self._is_late:
                break
        self._finish(pool_texts, merged_shards)

    def _finish(self, pool_texts: Sequence[PoolText], shards: int) -> None:
        """Record a round, which has fewer shards than usual if the time has run out."""
        self._add_to_pools(pool_texts)
        self._shards += shards
        self._keep_interrupted()
        changes = self._register.take_changes()
        self._store.write_round(Round(self._shards, self._cases, tuple(pool_texts), changes))
        self._store.write_lists()

    def _keep_interrupted(self) -> None:
        """After a round was repeated, register the findings that only the interrupted round has shown.

        There are some only if an adapter does not answer the same again. Then, no finding is lost.
        """
        keys = {finding.cause_key for finding in self._register.findings}
        for finding in self._interrupted:
            if finding.cause_key not in keys:
                self._register.record(finding)
        self._interrupted = []

    def _add_to_pools(self, texts: Sequence[PoolText]) -> None:
        """Add texts to the pools of all processes. Without feedback, no text is drawn from a pool."""
        if self._plan.feedback and texts:
            self._shard_runner.add_to_pools(texts)
            self._workers.add_to_pools(texts)

    def _examine_shard(self, number: int, shard: _ShardResult) -> list[PoolText]:
        """Examine the disagreements of a shard, and return the texts that a pool keeps.

        These are the texts with new codes, which count as seen from now on.
        """
        track = number % len(self._operations)
        seen = self._seen[track]
        pool_texts = []
        for entry in shard.entries:
            codes = seen.new_codes(entry.shape, entry.codes)
            if codes:
                seen.add(entry.shape, codes)
                codes_in_order = tuple(sorted(codes))
                pool_texts.append(PoolText(track, entry.text, entry.shape, codes_in_order))
            self._examine_entry(self._operations[track], entry, number)
        return pool_texts

    def _examine_entry(self, operation: FuzzOperation, entry: _Entry, shard: int) -> None:
        """Examine how adapters differ on a text, unless the time has run out."""
        origin = TextOrigin(input_of(operation, entry.text), entry.how, shard)
        for divergence in entry.divergences:
            if self._is_late:
                self._cut = True
                return
            self._register.examine(operation, entry.text, divergence, entry.leaves_at, origin)

    def receive(self, finding: CampaignFinding) -> None:
        """Write a finding that is new or has grown, unless it was known before the campaign.

        A round that is repeated finds the same again, which is not written again.
        """
        if finding.id in self._known or self._saved.get(finding.id) == finding:
            return
        self._store.save(finding)
        is_new = finding.id not in self._saved
        self._saved[finding.id] = finding
        if is_new:
            self._outcome.new.append(finding)
            self._report_progress()

    def _report_progress(self) -> None:
        """Report how far the run has come, and the findings of the campaign."""
        # those that were known before the campaign are not saved
        findings = [finding for finding in self._register.findings if finding.id in self._saved]
        new_findings = self._outcome.new
        progress = Progress(
            cases=self._cases,
            cases_of_run=self._cases_of_run,
            seconds=time.monotonic() - self._began,
            taken=self._taken,
            transitions=self._shard_runner.transitions.total,
            pool=self._shard_runner.pool_size,
            findings=findings,
            last=new_findings[-1] if new_findings else None,
        )
        self._progress(progress)


# ---- processes


class _Workers:
    """Runs shards in this process or, if `jobs` is more than 1, in as many others with their own adapters."""

    def __init__(self, plan: CampaignPlan, jobs: int) -> None:
        self._shard_runner: _ShardRunner | None = None
        self._pipes: list[Connection] = []
        self._processes: list[BaseProcess] = []
        if jobs == 1 or not can_fork():
            return
        # an adapter can be a function, which cannot be sent to a process that is not a copy
        context = multiprocessing.get_context("fork")
        for _ in range(jobs):
            own_end, worker_end = context.Pipe()
            inherited = [*self._pipes, own_end]
            process = context.Process(target=_run_worker, args=(plan, worker_end, inherited))
            process.start()
            worker_end.close()
            self._pipes.append(own_end)
            self._processes.append(process)

    def start(self, shard_runner: _ShardRunner, operations: Sequence[FuzzOperation], fold: bool) -> None:
        """Let the processes start their adapters. If there are none, `shard_runner` will run the shards."""
        self._shard_runner = shard_runner
        for pipe in self._pipes:
            _send(pipe, (operations, fold))

    def run_shards(self, tasks: Sequence[tuple[int, int]]) -> Iterator[_ShardResult]:
        """Yield the results of shards in the order of `tasks`, which are (number, number of cases)."""
        if not self._pipes:
            assert self._shard_runner is not None
            yield from (self._shard_runner.run_shard(*task) for task in tasks)
            return
        jobs = len(self._pipes)
        for first, pipe in enumerate(self._pipes):
            tasks_of_worker = tasks[first::jobs]
            if tasks_of_worker:
                _send(pipe, tasks_of_worker)
        for position in range(len(tasks)):
            try:
                yield self._pipes[position % jobs].recv()
            except (EOFError, OSError):
                yield _dead_shard("a process of the campaign was killed")

    def add_to_pools(self, texts: Sequence[PoolText]) -> None:
        """Add texts to the pools of all processes."""
        for pipe in self._pipes:
            _send(pipe, texts)

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(_PATIENCE)
            if process.is_alive():
                process.kill()


def _send(pipe: Connection, message: object) -> None:
    with suppress(OSError):  # if the process has ended, `run_shards` finds that out when it reads the answer
        pipe.send(message)


def _dead_shard(reason: str) -> _ShardResult:
    """Return the result of a shard that was not asked."""
    return _ShardResult(cases=0, entries=[], restarts=Counter(), dead=reason)


def _run_worker(plan: CampaignPlan, pipe: Connection, inherited: Sequence[Connection]) -> None:
    """Run the shards and keep the texts that the pipe delivers, until it is closed.

    `inherited` are the ends of the main process in this and earlier pipes, which the process inherits.
    """
    for end_of_parent in inherited:  # if left open, they hide that the main process has ended
        end_of_parent.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        operations, fold = pipe.recv()
        try:
            panel = plan.start_panel()
        except AdapterDead as dead:
            pipe.send(_dead_shard(str(dead)))
            return
        try:
            shard_runner = _ShardRunner(plan, operations, panel)
            shard_runner.comparison = AnswerComparison(panel, fold=fold)
            while True:
                _handle_message(pipe.recv(), shard_runner, pipe)
        finally:
            panel.close()


def _handle_message(message: Sequence[Any], shard_runner: _ShardRunner, pipe: Connection) -> None:
    """Keep the texts of a message, or run its shards and send their results. A message is never empty."""
    if isinstance(message[0], PoolText):
        shard_runner.add_to_pools(message)
        return
    for task in message:
        pipe.send(shard_runner.run_shard(*task))
