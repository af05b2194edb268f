"""Mutants of the three resolution algorithms, and the suites that notice them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import product
from random import Random
from types import FunctionType
from typing import NamedTuple

from urlauthor.adequacy.mutants import Edit, edits
from urlauthor.adequacy.suites import Count
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH
from urlharness.corpus.model import Case, Expected
from urlharness.generate.tiers.resolution import label_pair
from urloracle.errors import InvalidURL
from urloracle.rfcs import specification

#: The functions of each algorithm, as `module.function` in `urloracle.rfc`.
ALGORITHMS: Mapping[str, tuple[str, ...]] = {
    "rfc1808": (
        "resolution.resolve_rfc1808",
        "resolution._transform_rfc1808",
        "resolution._directory",
        "resolution.remove_dots",
        "resolution._remove_or_keep",
        "recomposition.recompose_rfc1808",
    ),
    "rfc2396": (
        "resolution.resolve_rfc2396",
        "resolution._transform_rfc2396",
        "resolution.merge",
        "resolution.remove_dots",
        "resolution._remove_or_keep",
        "recomposition.recompose_parts",
    ),
    "rfc3986": (
        "resolution._transform_rfc3986",
        "resolution.merge",
        "resolution.remove_dot_segments",
        "resolution._rootless",
        "recomposition.recompose_parts",
    ),
}

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


def answer(spec: str, base: str, reference: str) -> Target:
    """Return the recommended answer of the oracle.

    If an edited function raises an unexpected exception, the answer is the name of the exception.
    """
    try:
        found = specification(spec).resolve(base, reference)
        return Target(None if found.same_document else found.text, found.same_document)
    except InvalidURL:
        return Target(None)
    except Exception as error:  # noqa: BLE001 - an edited function may fail in any way
        return Target(f"<{type(error).__name__}>")


def mutate(
    spec: str, suites: Mapping[str, Iterable[Pair]], sample: int | None = None, seed: int = 1
) -> Iterator[MutatedFunction]:
    """Yield the mutants of the algorithm of an RFC, with the suites that notice them.

    If `sample` is given, examine only this number of mutants, drawn at random with the seed.
    """
    pairs = {name: list(some) for name, some in suites.items()}
    product_of(spec)  # cached before anything is edited
    every = [(where, edit) for where in ALGORITHMS[spec] for edit in edits(_function(where))]
    if sample is not None:
        random = Random(f"{seed} {spec}")  # noqa: S311 - not for security
        every = random.sample(every, min(sample, len(every)))
    for where, edit in every:
        with _edited(_function(where), edit):
            noticed = frozenset(name for name, some in pairs.items() if _failing(spec, some) is not None)
            witness = _failing(spec, product_of(spec))
        yield MutatedFunction(where, edit, witness and (witness.base, witness.reference), noticed)


def _failing(spec: str, pairs: Iterable[Pair]) -> Pair | None:
    """Return the first pair to which the oracle gives no admissible answer, or None."""
    return next((one for one in pairs if answer(spec, one.base, one.reference) not in one.answers), None)


def count_noticed(found: Iterable[MutatedFunction], suites: Collection[str]) -> Count:
    """Count the mutants that the given suites notice.

    A mutant counts as equivalent only if it has no witness and no suite at all notices it.
    """
    killed = live = equivalent = 0
    for mutant in found:
        if mutant.witness is None and not mutant.noticed:
            equivalent += 1
        else:
            live += 1
            killed += not mutant.noticed.isdisjoint(suites)
    return Count(killed, live, equivalent)


@contextmanager
def _edited(function: FunctionType, edit: Edit) -> Iterator[None]:
    before = function.__code__
    function.__code__ = edit.code
    try:
        yield
    finally:
        function.__code__ = before


def _function(where: str) -> FunctionType:
    module, _, name = where.partition(".")
    found: FunctionType = getattr(import_module(f"urloracle.rfc.{module}"), name)
    return found


def corpus_pairs(cases: Iterable[Case], spec: str) -> list[Pair]:
    """Return the pairs of an RFC's resolution vectors, except where the library may choose the answer."""
    return [
        Pair(vector.base, vector.reference, _admissible(vector.expect))
        for case in cases
        if case.spec == spec and (vector := case.vector).op == "resolve"
        if vector.binding not in _OPEN and isinstance(vector.base, str) and isinstance(vector.reference, str)
        if len(vector.base) + len(vector.reference) <= MAX_WHOLE_LENGTH
    ]


def _admissible(expect: Expected) -> frozenset[Target]:
    return frozenset(
        Target(None, same_document=True)
        if one.same_document
        else Target(one.result if isinstance(one.result, str) else None)
        for one in expect.alternatives
    )


_SEGMENTS = ("", ".", "..", "x", "..y")

_QUERIES = ("", "?", "?q")


def _paths() -> list[str]:
    """Return all paths of up to three segments (also dot segments), with and without a leading slash."""
    found = [""]
    for length in (1, 2, 3):
        for segments in product(_SEGMENTS, repeat=length):
            path = "/".join(segments)
            found += [path, f"/{path}"]
    return list(dict.fromkeys(found))


@cache
def product_of(spec: str) -> tuple[Pair, ...]:
    """Return many pairs of base and reference.  A mutant that passes all of them counts as equivalent.

    As in the resolution tier, the admissible answers are the recommended answer and the answers that rulings
    admit.  A pair is left out if the RFC's grammar refuses it, or if the RFC leaves the result open.
    """
    bases = [
        f"a:{authority}{path}{query}"
        for authority in ("", "//", "//h")
        for path in ("", "/", "/b", "/b/", "/b/c", "/b/../c", "/./b/.", "/../b", "//b/c", "b/c")
        for query in ("", ";p?q", "?q#f")
    ]
    references = [
        f"{scheme}{authority}{path}{rest}"
        for scheme, authority in product(("", "a:", "z:"), ("", "//", "//g"))
        for path in ("", "x", "/x", "./x", "/../x", "..")
        for rest in ("", ";", ";r", "?", "?q", "#", "#s", ";r?q#s")
    ]
    paths = _paths()
    few = ("a://h/b/c/d;p?q", "a:/b/../c", "a://h", "a:b/c", "a:/")
    chosen = [*product(few, references), *product(few, paths), *product(bases, references[::7])]
    chosen += product(bases, paths[::5])
    whole = specification(spec)
    automaton = whole.automaton(whole.default_rule)
    found = []
    for base, reference in dict.fromkeys(chosen):
        if automaton.accepts(base) and automaton.accepts(reference):
            label = label_pair(whole, base, reference)
            if label.binding not in _OPEN:
                found.append(Pair(base, reference, _admissible(label.expect)))
    return tuple(found)
