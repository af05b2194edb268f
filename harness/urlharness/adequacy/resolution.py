"""Mutants of the functions that resolve references, and the suites that notice them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import product
from random import Random
from types import FunctionType
from typing import NamedTuple

from urlharness.adequacy.mutants import Edit, edits
from urlharness.adequacy.suites import Count
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH
from urlharness.corpus.model import Case, Expected, Vector
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers.resolution import label_pair
from urloracle.errors import InvalidURL
from urloracle.rfcs import specification

#: Bindings that leave the answer to the library.
_OPEN = ("impl-defined", "unspecified")


class Target(NamedTuple):
    """The result of a resolution.

    If `text` is None, the target is the same document (`same_document` is true), or it is a refusal.
    """

    text: str | None
    same_document: bool = False


class Pair(NamedTuple):
    """A base, a reference, and the admissible answers."""

    base: str
    reference: str
    answers: frozenset[Target]


class MutatedFunction(NamedTuple):
    """A mutant of a function, and the suites that notice it.

    `witness` is a pair (base, reference) that the mutant answers wrongly, or None.
    """

    function: str
    edit: Edit
    witness: tuple[str, str] | None
    noticed: frozenset[str]


def oracle_answer(spec: str, base: str, reference: str) -> Target:
    """Return the recommended answer of the oracle.

    If an edited function raises an unexpected exception, the answer is the name of the exception.
    """
    try:
        resolution = specification(spec).resolve(base, reference)
        text = None if resolution.same_document else resolution.text
        return Target(text, resolution.same_document)
    except InvalidURL:
        return Target(None)
    except Exception as error:  # noqa: BLE001 - an edited function may fail in any way
        return Target(f"<{type(error).__name__}>")


def examine_mutants(
    spec: str, suites: Mapping[str, Iterable[Pair]], sample: int | None = None, seed: int = 1
) -> Iterator[MutatedFunction]:
    """Yield the mutants of the algorithm of an RFC, with the suites that notice them.

    If `sample` is given, examine only this number of mutants, drawn at random with the seed.
    """
    pairs_of_suites = {name: list(pairs) for name, pairs in suites.items()}
    pairs_for_witnesses(spec)  # cached before anything is edited
    functions = facts(spec).resolution_functions
    mutants = [(name, edit) for name in functions for edit in edits(oracle_function(name))]
    if sample is not None:
        random = Random(f"{seed} {spec}")  # noqa: S311 - not for security
        mutants = random.sample(mutants, min(sample, len(mutants)))
    for name, edit in mutants:
        with edited(oracle_function(name), edit):
            noticing_suites = set()
            for suite, pairs in pairs_of_suites.items():
                if _wrongly_answered(spec, pairs) is not None:
                    noticing_suites.add(suite)
            witness = _wrongly_answered(spec, pairs_for_witnesses(spec))
        inputs = None if witness is None else (witness.base, witness.reference)
        yield MutatedFunction(name, edit, inputs, frozenset(noticing_suites))


def _wrongly_answered(spec: str, pairs: Iterable[Pair]) -> Pair | None:
    """Return the first pair to which the oracle gives no admissible answer, or None."""
    for pair in pairs:
        if oracle_answer(spec, pair.base, pair.reference) not in pair.answers:
            return pair
    return None


def count_noticed(mutants: Iterable[MutatedFunction], suites: Collection[str]) -> Count:
    """Count the mutants that the given suites notice.

    A mutant counts as equivalent only if it has no witness and no suite at all notices it.
    """
    killed = 0
    live = 0
    equivalent = 0
    for mutant in mutants:
        if mutant.witness is None and not mutant.noticed:
            equivalent += 1
        else:
            live += 1
            killed += not mutant.noticed.isdisjoint(suites)
    return Count(killed, live, equivalent)


@contextmanager
def edited(function: FunctionType, edit: Edit) -> Iterator[None]:
    """Run the edited code in place of the function, for all of its callers."""
    original = function.__code__
    function.__code__ = edit.code
    try:
        yield
    finally:
        function.__code__ = original


def oracle_function(name: str) -> FunctionType:
    """Return the function of the oracle with a name such as `resolution.merge`."""
    module, _, function_name = name.partition(".")
    function: FunctionType = getattr(import_module(f"urloracle.rfc.{module}"), function_name)
    return function


def corpus_pairs(cases: Iterable[Case], spec: str) -> list[Pair]:
    """Return the pairs of an RFC's resolution vectors, except where the library may choose the answer."""
    pairs = (_pair(case.vector) for case in cases if case.spec == spec and case.vector.op == "resolve")
    return [pair for pair in pairs if pair is not None]


def _pair(vector: Vector) -> Pair | None:
    """Return the pair of a resolution vector, or None if it is open, too long or not a text."""
    base = vector.base
    reference = vector.reference
    if vector.binding in _OPEN or not isinstance(base, str) or not isinstance(reference, str):
        return None
    if len(base) + len(reference) > MAX_WHOLE_LENGTH:
        return None
    return Pair(base, reference, admissible_targets(vector.expect))


def admissible_targets(expect: Expected) -> frozenset[Target]:
    """Return the targets that an expected answer and its alternatives admit."""
    return frozenset(map(_expected_target, expect.alternatives))


def _expected_target(expected: Expected) -> Target:
    """Return the target of an expected answer, which is a refusal if it has no result."""
    if expected.same_document:
        return Target(None, same_document=True)
    return Target(expected.result if isinstance(expected.result, str) else None)


#: Only each seventh reference is resolved against all bases. The lists of references are products: their ends
#: repeat after 8, and those of paths after 10, because each of five last segments comes with and without a
#: slash before the path. A stride with a factor of these lengths would draw some of the ends only.
_STRIDE = 7

_SEGMENTS = ("", ".", "..", "x", "..y")


def _paths() -> list[str]:
    """Return all paths of up to three segments (also dot segments), with and without a leading slash."""
    paths = [""]
    for length in (1, 2, 3):
        for segments in product(_SEGMENTS, repeat=length):
            path = "/".join(segments)
            paths += [path, f"/{path}"]
    return list(dict.fromkeys(paths))  # without repetitions, in order


def _bases() -> list[str]:
    """Return bases with all combinations of an authority, a path and what follows it."""
    authorities = ("", "//", "//h")
    paths = ("", "/", "/b", "/b/", "/b/c", "/b/../c", "/./b/.", "/../b", "//b/c", "b/c")
    queries = ("", ";p?q", "?q#f")
    return [f"a:{''.join(parts)}" for parts in product(authorities, paths, queries)]


def _references() -> list[str]:
    """Return references with all combinations of a scheme, an authority, a path and what follows it."""
    schemes = ("", "a:", "z:")
    authorities = ("", "//", "//g")
    paths = ("", "x", "/x", "./x", "/../x", "..")
    rests = ("", ";", ";r", "?", "?q", "#", "#s", ";r?q#s")
    return ["".join(parts) for parts in product(schemes, authorities, paths, rests)]


@cache
def pairs_for_witnesses(spec: str) -> tuple[Pair, ...]:
    """Return many pairs of base and reference.  A mutant that passes all of them has no witness.

    As in the resolution tier, the admissible answers are the recommended answer and the answers that rulings
    admit.  A pair is left out if the RFC's grammar refuses it, or if the RFC leaves the result open.
    """
    few_bases = ("a://h/b/c/d;p?q", "a:/b/../c", "a://h", "a:b/c", "a:/", "a:")
    bases = _bases()
    references = _references()
    paths = _paths()
    texts = [*product(few_bases, references), *product(few_bases, paths)]
    # all bases, but only some references, because all pairs would be too many
    texts += [*product(bases, references[::_STRIDE]), *product(bases, paths[::_STRIDE])]
    whole = specification(spec)
    automaton = whole.automaton(whole.default_rule)
    pairs = []
    for base, reference in dict.fromkeys(texts):
        if automaton.accepts(base) and automaton.accepts(reference):
            label = label_pair(whole, base, reference)
            if label.binding not in _OPEN:
                pairs.append(Pair(base, reference, admissible_targets(label.expect)))
    return tuple(pairs)
