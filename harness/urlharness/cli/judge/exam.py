"""The asking part of the commands that run adapters: what is asked, of whom, and the results as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from urlharness.adapters.registry import Adapter
from urlharness.cli.options import Chosen
from urlharness.cli.output import apart, busy, progress
from urlharness.corpus import foreign
from urlharness.corpus.foreign import Foreign
from urlharness.corpus.loader import load
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.selection import Selection, Tier
from urlharness.gate.policy import Counts, counts_plainly
from urlharness.limits import Limits
from urlharness.results.generated import Stream
from urlharness.results.model import ResultsWriter, open_exclusively
from urlharness.runner import open_results
from urlharness.runner import run as run_adapter
from urlharness.shell import place_of

if TYPE_CHECKING:
    from urlharness.corpus.lock import KnownIds


@dataclass(frozen=True)
class Exam:
    """What is asked: cases, streams of generated ones, their pinned digests, and whose corpus it is.

    `vectors` is where that corpus was read, None for the installed one.
    """

    corpus: Corpus
    cases: Sequence[Case]
    streams: Sequence[Stream]
    digests: Mapping[str, str]
    other: Foreign | None = None
    vectors: Path | None = None

    @property
    def empty(self) -> bool:
        """True where no vector meets the selection."""
        return not self.cases and not self.streams

    def known(self) -> KnownIds:
        """The ids of the corpus, and those that it once had; raises CorpusError."""
        from urlharness.corpus.lock import known_ids

        return known_ids(self.corpus, self.vectors if self.other is None else None)


def exam(chosen: Chosen) -> Exam:
    """The exam that was chosen; raises CorpusError."""
    vectors = chosen.vectors
    other = foreign.load(vectors) if vectors is not None and not vectors.is_dir() else None
    corpus = load(vectors) if other is None else other.corpus
    cases = chosen.selection.pick(corpus.cases) if "core" in chosen.tiers or other is not None else []
    streams, digests = _generated(chosen.tiers, chosen.selection)
    return Exam(corpus, cases, streams, digests, other, vectors)


def _generated(tiers: Sequence[str], selection: Selection) -> tuple[list[Stream], Mapping[str, str]]:
    """The streams of the generated tiers, and the digest that each part of them should have."""
    wanted = [tier for tier in get_args(Tier) if tier in tiers]
    if not wanted:
        return [], {}
    from urlharness.generate.digests import digests, streams

    found = streams(wanted, selection)
    return found, digests(found)


def ask(
    adapters: Sequence[Adapter],
    asked: Exam,
    path: Path,
    limits: Limits,
    maxfail: int | None = None,
    counts: Counts = counts_plainly,
) -> bool:
    """Put the exam to every adapter and write the results; True where the user interrupted.

    An adapter is stopped after `maxfail` cases that `counts`.  The results file is closed in any case.
    Raises ResultsError where another run is writing that file.
    """
    with busy("writing the questions"):
        writer: ResultsWriter = open_results(
            open_exclusively(path),
            asked.corpus,
            asked.cases,
            asked.digests,
            place=place_of(adapters),
            vectors=asked.vectors,
            limits=limits,
        )
    blind = () if asked.other is None else asked.other.blind
    interrupted = True
    try:
        total = len(asked.cases) + sum(stream.total for stream in asked.streams)
        with apart(), progress([adapter.name for adapter in adapters], total) as told:
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
                    progress=told,
                )
        interrupted = False
    except KeyboardInterrupt:
        pass
    finally:
        writer.close(interrupted=interrupted)
    return interrupted
