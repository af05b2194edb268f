"""The exam: the cases that a command asks, and the function that asks adapters these cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from urlharness.adapters.registry import Adapter
from urlharness.cli.options import Chosen
from urlharness.cli.output import busy, prints_to_stderr, progress
from urlharness.corpus.foreign import Foreign, load_foreign
from urlharness.corpus.loader import load
from urlharness.corpus.lock import KnownIds, known_ids
from urlharness.corpus.model import Case, Corpus, Tier
from urlharness.gate.policy import FailureTest, is_plain_failure
from urlharness.protocol.limits import Limits
from urlharness.results.generated import Stream
from urlharness.results.model import open_exclusively
from urlharness.runner import adapters_folder, open_results
from urlharness.runner import run as run_adapter


@dataclass(frozen=True)
class Exam:
    """The cases that a command asks: selected stored cases, and streams of generated cases.

    `digests` maps each generated part to its pinned digest. `other` is the foreign corpus, if there is one.
    `vectors` is the path of the corpus, or None for the installed one.
    """

    corpus: Corpus
    cases: Sequence[Case]
    streams: Sequence[Stream]
    digests: Mapping[str, str]
    other: Foreign | None = None
    vectors: Path | None = None

    @property
    def empty(self) -> bool:
        """True if the selection matches no case."""
        return not self.cases and not self.streams

    def known(self) -> KnownIds:
        """Return the ids in the corpus, and the ids that were removed from it.

        Raise CorpusError if the corpus is invalid.
        """
        return known_ids(self.corpus, self.vectors if self.other is None else None)


def exam(chosen: Chosen) -> Exam:
    """Load the corpus and select the cases. Raise CorpusError if the corpus is invalid."""
    vectors = chosen.vectors
    other = load_foreign(vectors) if vectors is not None and not vectors.is_dir() else None
    corpus = load(vectors) if other is None else other.corpus
    cases = chosen.selection.pick(corpus.cases) if "core" in chosen.tiers or other is not None else []
    streams: list[Stream] = []
    digests: Mapping[str, str] = {}
    if tiers := [tier for tier in get_args(Tier) if tier in chosen.tiers]:
        from urlharness.generate.tiers.digests import stream_digests, tier_streams

        streams = tier_streams(tiers, chosen.selection)
        digests = stream_digests(streams)
    return Exam(corpus, cases, streams, digests, other, vectors)


def ask(
    adapters: Sequence[Adapter],
    asked: Exam,
    path: Path,
    limits: Limits,
    maxfail: int | None = None,
    counts: FailureTest = is_plain_failure,
) -> bool:
    """Ask every adapter all cases, and write the results file `path`.

    An adapter is stopped after `maxfail` cases for which `counts` returns True. Return True if the user
    interrupted the run. Raise ResultsError if another run is writing the file.
    """
    with busy("writing the questions"):
        writer = open_results(
            open_exclusively(path),
            asked.corpus,
            asked.cases,
            asked.digests,
            folder=adapters_folder(adapters),
            vectors=asked.vectors,
            limits=limits,
        )
    blind = () if asked.other is None else asked.other.blind
    total = len(asked.cases) + sum(stream.total for stream in asked.streams)
    interrupted = True
    try:
        with suppress(KeyboardInterrupt), prints_to_stderr(), progress(adapters[0].name, total) as report:
            for adapter in adapters:
                run_adapter(
                    adapter,
                    asked.cases,
                    writer,
                    limits,
                    streams=asked.streams,
                    maxfail=maxfail,
                    counts=counts,
                    blind=blind,
                    progress=report,
                )
            interrupted = False
    finally:
        writer.close(interrupted=interrupted)
    return interrupted
