"""Coverage of a run: what was asked and answered in full, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from urlharness.corpus.loader import load
from urlharness.corpus.lock import read_tiers
from urlharness.corpus.model import Corpus, Operation
from urlharness.corpus.specifications import Spec, is_asked
from urlharness.results.model import Participant, Results
from urlharness.results.verdict import Outcome
from urlharness.text import plain
from urlharness.wording import counted, first_names, rfc

#: (RFC, section), (RFC, tier) or (RFC, WHOLE_RFC).
Place = tuple[str, str]

#: Instead of a section or tier, it stands for the whole RFC.
WHOLE_RFC = ""

#: Names that a sentence lists before "and N more".
_NAMES = 5


class PartlyAsked(NamedTuple):
    """An RFC, or a generated tier of an RFC, that was asked only in part.

    For an RFC, `tier` is WHOLE_RFC, and `asked` and `total` count vectors. For a tier, they count rules.
    """

    spec: str
    tier: str
    asked: int
    total: int


# ---- what one adapter answered, for the gate


def answered_by_spec(
    results: Results,
    implementation: str,
    specs: Collection[str] = (),
    corpus_ids: Collection[str] | None = None,
) -> dict[Spec, dict[Operation, int]]:
    """Map each RFC that was asked in full to the number of complete answers, right or wrong, by operation.

    `specs` are the judged RFCs (empty: all). `corpus_ids` are the ids of the whole corpus, which are counted
    only if the file does not state the number of vectors. A caller that does not check coverage has no
    `corpus_ids`, and the result is empty.
    """
    if corpus_ids is None:
        return {}
    settled_whole = _settled_whole_by_spec(results, implementation, specs, corpus_ids)
    complete = {spec: Counter[Operation]() for spec, is_whole in settled_whole.items() if is_whole}
    for (kind, outcome), count in results.counted_of(implementation).items():
        if outcome.complete and kind.spec in complete:
            complete[kind.spec][kind.op] += count
    return {spec: dict(sorted(counts.items())) for spec, counts in complete.items()}


def answered_by_part(
    results: Results,
    implementation: str,
    specs: Collection[str] = (),
    corpus_ids: Collection[str] | None = None,
) -> dict[str, dict[Operation, int]]:
    """Map each generated part that was asked in full to the number of complete answers, by operation.

    The arguments are those of `answered_by_spec`. Without `corpus_ids`, the result is empty.
    """
    if corpus_ids is None:
        return {}
    tallies = sorted(results.tallies_of(implementation, specs), key=lambda tally: tally.part)
    return {tally.part: dict(tally.answered) for tally in tallies if tally.digest}


def partly_asked_names(
    results: Results,
    implementation: str,
    specs: Collection[str] = (),
    corpus_ids: Collection[str] | None = None,
) -> list[str]:
    """Return the RFCs and generated parts that were asked only in part. Their coverage is unknown.

    The arguments are those of `answered_by_spec`. Without `corpus_ids`, the result is empty.
    """
    if corpus_ids is None:
        return []
    settled_whole = _settled_whole_by_spec(results, implementation, specs, corpus_ids)
    partial_specs = [spec for spec, is_whole in settled_whole.items() if not is_whole]
    tallies = results.tallies_of(implementation, specs)
    return [*partial_specs, *sorted(tally.part for tally in tallies if not tally.digest)]


def _settled_whole_by_spec(
    results: Results, implementation: str, specs: Collection[str], corpus_ids: Collection[str]
) -> dict[Spec, bool]:
    """Map each RFC that was asked, sorted, to True if all its vectors have an outcome.

    The number of vectors of an RFC comes from the results file. If the file does not state it, the ids in
    `corpus_ids` are counted.
    """
    settled = Counter[Spec]()
    for (kind, _), count in results.counted_of(implementation, specs).items():
        settled[kind.spec] += count
    sizes = Counter[str](results.header.sizes)
    if not sizes:
        for identifier in corpus_ids:
            spec, _, _ = identifier.partition("-")  # the id of a vector begins with its RFC
            sizes[spec] += 1
    return {spec: settled[spec] == sizes[spec] for spec in sorted(settled)}


# ---- how an adapter ended


def stop_in_words(results: Results, name: str) -> str:
    """Say when `--maxfail` stopped an adapter, or return an empty string if it did not.

    The words are the end of a sentence, without the name of the adapter and without a full stop.
    """
    failures = results.stopped.get(name)
    if failures is None:
        return ""
    settled = sum(results.counted_of(name).values())
    settled += sum(sum(tally.outcomes.values()) for tally in results.tallies_of(name))
    return f"stopped at {counted(failures, 'failure')}, after {counted(settled, 'case')}"


def reason_given_up(results: Results, name: str) -> str:
    """Return why an adapter was given up, or an empty string if none of its cases was aborted.

    The first aborted case with a detail gives the reason, the stored cases before the generated ones. If none
    has a detail, the reason is only that the adapter was not asked again.
    """
    outcomes = {outcome for _, outcome in results.counted_of(name)}
    for tally in results.tallies_of(name):
        outcomes.update(tally.outcomes)
    if Outcome.ABORTED not in outcomes:
        return ""
    generated = [example.result for example in results.examples if example.result.implementation == name]
    for answer in (*results.of(name).values(), *generated):
        if answer.outcome is Outcome.ABORTED and answer.detail:
            return answer.detail
    return "it was not asked again"


def last_fatal_case(results: Results, name: str) -> str:
    """Return the id of the last case that ended the adapter before the adapter was given up.

    Return an empty string if the adapter was not given up, or if there is no such case.
    """
    last = ""
    for answer in results.of(name).values():
        if answer.outcome is Outcome.ABORTED:
            return last
        if answer.outcome.abnormal and answer.outcome is not Outcome.ERROR:  # after an error, it goes on
            last = answer.id
    return ""


# ---- how much of the corpus a run covers, for the reports


def section_sizes(corpus: Corpus) -> Mapping[Place, int]:
    """Count the vectors of each section of a corpus."""
    return Counter((case.spec, case.section) for case in corpus.cases)


def corpus_sizes(results: Results) -> Mapping[Place, int] | None:
    """Count the vectors of each section in the corpus of the run.

    Return None if that is not the installed corpus.
    """
    installed = _installed_corpus()
    return installed.sizes if installed.digest == results.header.corpus else None


class _CorpusSizes(NamedTuple):
    """The digest of a corpus, and the number of its vectors in each section."""

    digest: str
    sizes: Mapping[Place, int]


@cache
def _installed_corpus() -> _CorpusSizes:
    """Return the digest and the sizes of the installed corpus, which is loaded for them only once."""
    corpus = load()
    return _CorpusSizes(corpus.digest, section_sizes(corpus))


def asked_sizes(results: Results) -> Mapping[Place, int]:
    """Count the vectors of each section that the run asked."""
    sizes = Counter[Place]()
    for kind, count in results.asked.items():
        sizes[kind.spec, kind.section] += count
    return sizes


def extent_in_words(results: Results) -> str:
    """Return how many cases a run asked of each implementation, in words.

    If not all of them were asked the same generated cases, the most that one was asked count.
    """
    vectors = sum(results.asked.values())
    parts: dict[str, int] = {}
    for tally in results.tallies:
        parts[tally.part] = max(parts.get(tally.part, 0), sum(tally.outcomes.values()))
    words = []
    if vectors or not parts:
        words.append(counted(vectors, "vector"))
    if parts:
        words.append(counted(sum(parts.values()), "generated case"))
    return " and ".join(words)


def partly_asked(results: Results) -> list[PartlyAsked]:
    """Return the RFCs and tiers that the run asked only in part, the RFCs first."""
    return [*_partly_asked_specs(results), *_partly_asked_tiers(results)]


def _partly_asked_specs(results: Results) -> Iterator[PartlyAsked]:
    """Yield the RFCs of which the run asked only some vectors."""
    counts = Counter[Spec]()
    for kind, count in results.asked.items():
        counts[kind.spec] += count
    for spec, count in counts.items():
        total = results.header.sizes.get(spec, 0)  # 0 if the file does not state it
        if count < total:
            yield PartlyAsked(spec, WHOLE_RFC, count, total)


def _partly_asked_tiers(results: Results) -> Iterator[PartlyAsked]:
    """Yield the tiers of RFCs of which the run asked only some rules. Each part of a tier is for one rule."""
    asked_parts = {(tally.spec, tally.tier, tally.part) for tally in results.tallies}
    if not asked_parts:  # the file of the tiers need not be read
        return
    counts = Counter((spec, tier) for spec, tier, _ in sorted(asked_parts))
    totals = Counter((part.spec, part.tier) for part in read_tiers())
    for (spec, tier), count in counts.items():
        total = totals[spec, tier]
        if count < total:
            yield PartlyAsked(spec, tier, count, total)


def incomplete_places(results: Results) -> frozenset[Place]:
    """Return (RFC, WHOLE_RFC) for each RFC, and (RFC, tier) for each tier, that was asked only in part.

    The figures of such an RFC or tier do not show compliance.
    """
    partly = {(part.spec, part.tier) for part in partly_asked(results)}
    unfinished = {(tally.spec, tally.tier) for tally in results.tallies if not tally.digest}
    return frozenset(partly | unfinished)


def caveats(results: Results) -> list[str]:
    """Return the warnings for a reader if the run was cut short, or if it asked only some cases.

    If it was cut short, the first warning says so.
    """
    warnings = []
    if not results.complete:
        cause = "interrupted" if results.interrupted else "cut short"
        warnings.append(f"The run was {cause}: the figures count only cases with an outcome.")
        warnings += missing_in_words(results)
    for part in partly_asked(results):
        subject = f"vectors of {rfc(part.spec)}"
        if part.tier:
            subject = f"rules of {rfc(part.spec)}, tier {part.tier},"
        warnings.append(f"Only {part.asked:,} of the {part.total:,} {subject} were selected.")
    unfinished = dict.fromkeys(tally.part for tally in results.tallies if not tally.digest)
    if unfinished:
        warnings.append(f"Not all generated cases of {first_names([*unfinished], _NAMES)} were asked.")
    return warnings


def missing_in_words(results: Results) -> list[str]:
    """Return sentences on what is missing in the results, or an empty list if the run is complete.

    The first sentence is the most important: commands may print it alone.
    """
    if results.complete:
        return []
    sentences = []
    if results.cut_line:
        sentences.append(f"The file ends in the middle of line {results.cut_line:,}.")
    elif not (results.interrupted or results.stopped):
        sentences.append("The file has no footer: the run was killed, or is still running.")
    sentences += [f"{plain(name)}: {stop_in_words(results, name)}." for name in results.stopped]
    if not results.participants:
        sentences.append("No adapter was asked, and the file may not list all vectors of the run.")
        return sentences
    for participant in results.participants:
        sentences += _unsettled_in_words(results, participant)
    if results.interrupted or not results.stopped:
        sentences.append("Adapters that were not asked yet may be missing.")
    return sentences


def _unsettled_in_words(results: Results, participant: Participant) -> Iterator[str]:
    """Yield sentences on the vectors without an outcome and the unfinished generated parts of an adapter."""
    if participant.state != "ran":  # reports say in another place why
        return
    name = plain(participant.name)
    vectors = sum(count for kind, count in results.asked.items() if is_asked(kind.spec, participant.specs))
    settled = sum(results.counted_of(participant.name).values())
    if settled < vectors:
        yield f"{name}: {settled:,} of {vectors:,} vectors have an outcome."
    finished = {tally.part for tally in results.tallies_of(participant.name) if tally.digest}
    unfinished = [part for part in results.header.tiers if part not in finished]
    if unfinished:
        yield f"{name}: generated parts that were not asked to the end: {first_names(unfinished, _NAMES)}."
