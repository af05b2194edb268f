"""The mistakes that an implementation of resolution can make, and the pairs that notice them.

A mistake is an edit of a function of the algorithm (`mutants.edits`) under which some pair of base and
reference has an inadmissible target. Mistakes are of one kind if the same operator edits the same line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import lru_cache

from urlharness.adequacy import cache
from urlharness.adequacy.cache import Tasks
from urlharness.adequacy.mistakes import Candidate, Catalogue, Mistake
from urlharness.adequacy.mutants import Edit, edits
from urlharness.adequacy.resolution import (
    Pair,
    Target,
    edited,
    oracle_answer,
    oracle_function,
    pairs_for_witnesses,
)
from urlharness.corpus.specifications import facts

#: Only every eleventh pair of `pairs_for_witnesses` is asked: all of them would take eleven times as long.
#: Bases are paired with the same list of references one after the other. If the stride and the length of a
#: list had a common factor, every base would be asked about the same few references.
_STRIDE = 11
#: The number of edits per task.
_CHUNK = 20

#: The section of each function of the algorithms, if it has one of its own.
_SECTIONS = {
    "rfc1808": dict.fromkeys(("recomposition.recompose_rfc1808",), "2.1"),
    "rfc2396": {},
    "rfc3986": {
        "resolution._transform_rfc3986": "5.2.2",
        "resolution.merge": "5.2.3",
        "resolution.remove_dot_segments": "5.2.4",
        "resolution._remove_dots_of_rootless": "5.2.4",
        "recomposition.recompose_parts": "5.3",
    },
}
_WHOLE_SECTIONS = {"rfc1808": "4", "rfc2396": "5.2", "rfc3986": "5.2"}


def find_resolution_catalogue(spec: str, tasks: Tasks) -> Catalogue:
    """Return the catalogue of an RFC's resolution; it is kept in the cache like that of a rule."""
    key = cache.key_of("resolution catalogue", spec)
    loaded = cache.load(key)
    if isinstance(loaded, Catalogue):
        return loaded
    numbers = range(len(_edits(spec)))
    noticing: dict[int, list[int]] = {}
    for future in tasks.as_completed(_submit(tasks, "", spec, numbers, None)):
        noticing |= future.result()
    catalogue = _make_catalogue(spec, noticing)
    cache.save(key, catalogue)
    return catalogue


def find_noticed_resolutions(
    catalogue: Catalogue, targets: Mapping[tuple[str, str], str | None], tasks: Tasks
) -> int:
    """Return the bits of the mistakes that pairs of base and reference with these right targets notice."""
    pairs = tuple(sorted(targets.items(), key=lambda pair: pair[0]))
    position = {mistake.mutant: number for number, mistake in enumerate(catalogue.mistakes)}
    noticed = 0
    for future in tasks.as_completed(_submit(tasks, "", catalogue.spec, sorted(position), pairs)):
        for mutant, noticing in future.result().items():
            if noticing:
                noticed |= 1 << position[mutant]
    return noticed


def _make_catalogue(spec: str, noticing: Mapping[int, Sequence[int]]) -> Catalogue:
    """Return the catalogue, given the numbers of the pairs that notice each edit."""
    pairs = _pairs(spec)
    kinds: dict[object, int] = {}
    notices: dict[int, int] = defaultdict(int)
    mistakes: list[Mistake] = []
    for mutant in sorted(noticing):
        pair_numbers = noticing[mutant]
        if not pair_numbers:
            continue
        for number in pair_numbers:
            notices[number] |= 1 << len(mistakes)
        function, edit = _edits(spec)[mutant]
        kind = kinds.setdefault((function, edit.operator, edit.line), len(kinds))
        section = _SECTIONS[spec].get(function, _WHOLE_SECTIONS[spec])
        shortest = min(pair_numbers, key=lambda number: len(pairs[number].base + pairs[number].reference))
        witness = (pairs[shortest].base, pairs[shortest].reference)
        name = function.partition(".")[2].strip("_")
        mistakes.append(Mistake(mutant, kind, name, section, edit.operator, str(edit.line), witness))
    candidates = []
    for number, bits_of_mistakes in sorted(notices.items()):
        pair = pairs[number]
        (answer,) = pair.answers
        candidates.append(Candidate((pair.base, pair.reference), answer.text, bits_of_mistakes))
    return Catalogue(spec, "", tuple(mistakes), tuple(candidates))


def _submit(
    tasks: Tasks,
    texts: str,
    spec: str,
    numbers: Sequence[int],
    pairs: tuple[tuple[tuple[str, str], str | None], ...] | None,
) -> list[Future[dict[int, list[int]]]]:
    """Submit a task for each chunk of edits."""
    chunks = [numbers[start : start + _CHUNK] for start in range(0, len(numbers), _CHUNK)]
    return [tasks.submit(_find_noticing_pairs, texts, spec, tuple(chunk), pairs) for chunk in chunks]


# The tasks.  They run in the processes of the pool.


def _find_noticing_pairs(
    spec: str, numbers: Sequence[int], targets: tuple[tuple[tuple[str, str], str | None], ...] | None
) -> dict[int, list[int]]:
    """Map each edit to the numbers of the pairs that it answers wrongly.

    The pairs are those with `targets`, or those of `_pairs` if `targets` is None.
    """
    pairs: Sequence[Pair] = _pairs(spec)
    if targets is not None:
        pairs = [Pair(base, reference, frozenset((Target(target),))) for (base, reference), target in targets]
    noticing = {}
    for number in numbers:
        function, edit = _edits(spec)[number]
        with edited(oracle_function(function), edit):
            noticing[number] = [
                index
                for index, pair in enumerate(pairs)
                if oracle_answer(spec, pair.base, pair.reference) not in pair.answers
            ]
    return noticing


@lru_cache(maxsize=1)
def _edits(spec: str) -> tuple[tuple[str, Edit], ...]:
    """Return the edits of the functions that resolve references, each with the name of the function."""
    functions = facts(spec).resolution_functions
    return tuple((name, edit) for name in functions for edit in edits(oracle_function(name)))


@lru_cache(maxsize=1)
def _pairs(spec: str) -> tuple[Pair, ...]:
    """Return pairs of base and reference with one admissible target."""
    pairs = pairs_for_witnesses(spec)[::_STRIDE]
    return tuple(pair for pair in pairs if len(pair.answers) == 1 and not _is_same_document(pair))


def _is_same_document(pair: Pair) -> bool:
    return any(answer.same_document for answer in pair.answers)
