"""The exam: the cases that a command asks, and the function that asks adapters these cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import get_args

from urlharness.adapters.registry import Adapter
from urlharness.cli.options import CaseOptions
from urlharness.cli.output import busy, printing_to_stderr, progress
from urlharness.cli.side_by_side import SideBySide, Task
from urlharness.corpus.foreign import Foreign, load_foreign
from urlharness.corpus.loader import load
from urlharness.corpus.lock import KnownIds, known_ids
from urlharness.corpus.model import Case, Corpus, Tier
from urlharness.gate.policy import FailureTest, is_plain_failure
from urlharness.protocol.limits import Limits
from urlharness.results.generated import Stream
from urlharness.results.model import LineWriter, open_exclusively
from urlharness.runner import Progress, adapters_folder, open_results
from urlharness.runner import run as run_adapter


@dataclass(frozen=True)
class Exam:
    """The cases that a command asks: selected stored cases, and streams of generated cases.

    `digests` maps each generated part to its pinned digest. `foreign` is the foreign corpus, if there is one.
    `vectors` is the path of the corpus, or None for the installed one.
    """

    corpus: Corpus
    cases: Sequence[Case]
    streams: Sequence[Stream]
    digests: Mapping[str, str]
    foreign: Foreign | None = None
    vectors: Path | None = None

    @property
    def is_empty(self) -> bool:
        """True if the selection matches no case."""
        return not self.cases and not self.streams

    @property
    def foreign_specs(self) -> Sequence[str]:
        """The RFCs of a foreign corpus, or none."""
        return () if self.foreign is None else self.foreign.specs

    @property
    def blind(self) -> tuple[str, ...]:
        """The features that verdicts on the cases ignore. Only a foreign corpus has such features."""
        return () if self.foreign is None else self.foreign.blind

    def known_ids(self) -> KnownIds:
        """Return the ids in the corpus, and the ids that were removed from it.

        Raise CorpusError if the corpus is invalid.
        """
        folder = self.vectors if self.foreign is None else None
        return known_ids(self.corpus, folder)


def load_exam(options: CaseOptions) -> Exam:
    """Load the corpus and select the cases. Raise CorpusError if the corpus is invalid.

    A foreign corpus, which is a file, has no tiers: its cases are asked whatever tiers are selected.
    """
    vectors = options.vectors
    foreign = None
    if vectors is not None and not vectors.is_dir():
        foreign = load_foreign(vectors)
    corpus = load(vectors) if foreign is None else foreign.corpus
    cases: Sequence[Case] = []
    if "core" in options.tiers or foreign is not None:
        cases = options.selection.pick(corpus.cases)
    streams: list[Stream] = []
    digests: Mapping[str, str] = {}
    tiers = [tier for tier in get_args(Tier) if tier in options.tiers]
    if tiers:
        from urlharness.generate.tiers.digests import stream_digests, tier_streams

        streams = tier_streams(tiers, options.selection)
        digests = stream_digests(streams)
    return Exam(corpus, cases, streams, digests, foreign, vectors)


def ask_adapters(
    adapters: Sequence[Adapter],
    exam: Exam,
    path: Path,
    limits: Limits,
    maxfail: int | None = None,
    is_failure: FailureTest = is_plain_failure,
    meanwhile: Callable[[], None] = lambda: None,
) -> bool:
    """Ask every adapter all cases, and write the results file `path`. There must be at least one adapter.

    An adapter is stopped after `maxfail` cases for which `is_failure` returns True. `meanwhile` is called
    while other processes ask, when all lines in the file are whole. Return True if the user interrupted the
    run. Raise ResultsError if another run is writing the file.
    """
    with busy("writing the questions"):
        writer = open_results(
            open_exclusively(path),
            exam.corpus,
            exam.cases,
            exam.digests,
            folder=adapters_folder(adapters),
            vectors=exam.vectors,
            limits=limits,
        )
    ask = partial(_ask_task, exam.blind, limits, maxfail, is_failure)
    total = len(exam.cases) + sum(stream.total for stream in exam.streams)
    interrupted = True
    try:
        with suppress(KeyboardInterrupt), printing_to_stderr():
            divisible = maxfail is None and limits.total is None
            side_by_side = SideBySide(adapters, exam.cases, exam.streams, ask, divisible=divisible)
            with closing(side_by_side) as processes, progress(adapters[0].name, total) as report:
                processes.run(writer, report, meanwhile)
            interrupted = False
    finally:
        writer.close(interrupted=interrupted)
    return interrupted


def _ask_task(
    blind: tuple[str, ...],
    limits: Limits,
    maxfail: int | None,
    is_failure: FailureTest,
    task: Task,
    lines: LineWriter,
    report: Progress,
) -> None:
    """Ask the adapter of a task its cases, in this process or another one. The lines go to the writer.

    On the limits and failures, see `ask_adapters`. `report` is called after each case.
    """
    run_adapter(
        task.adapter,
        task.cases,
        lines,
        limits,
        streams=task.streams,
        maxfail=maxfail,
        is_failure=is_failure,
        blind=blind,
        progress=report,
    )
