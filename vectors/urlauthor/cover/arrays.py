"""Covering arrays: few rows that contain every wanted pair of levels of two factors."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from itertools import combinations, product

#: Maps each factor to its level.  Factors are missing in a row that is still being made.
Row = Mapping[str, str]
#: One or two factors, each with its level.
Levels = tuple[tuple[str, str], ...]


def levels_of(row: Row) -> Iterator[Levels]:
    """Yield all pairs of (factor, level) in a row, in the order of the row, and then each one alone."""
    yield from combinations(row.items(), 2)
    yield from combinations(row.items(), 1)


def cover(
    factors: Mapping[str, Sequence[str]],
    common: Collection[tuple[str, str]],
    allowed: Callable[[Row], bool],
    rows: Collection[Row] = (),
) -> list[Row]:
    """Return rows that, together with `rows`, contain each level and each pair in which a level is common.

    `allowed` returns False for a complete or incomplete row that must not be used.  Levels and pairs that no
    allowed row contains are left out.  Equal arguments give equal results.
    """
    missing = _required(factors, common)
    for row in rows:
        _discard(missing, row)
    new_rows: list[Row] = []
    while missing:
        first = next(iter(missing))
        new_row = _complete(dict(first), factors, allowed, missing, len(new_rows))
        if new_row is None:
            del missing[first]
        else:
            new_rows.append(new_row)
            _discard(missing, new_row)
    return new_rows


def _required(
    factors: Mapping[str, Sequence[str]], common: Collection[tuple[str, str]]
) -> dict[Levels, None]:
    """Return the pairs with a common level, and then each level alone.

    The mapping is a set that keeps its order, which decides what the rows are.
    """
    levels_by_factor = {name: [(name, level) for level in levels] for name, levels in factors.items()}
    required: dict[Levels, None] = {}
    for first, second in combinations(factors, 2):
        for pair in product(levels_by_factor[first], levels_by_factor[second]):
            if pair[0] in common or pair[1] in common:
                required[pair] = None
    for levels in levels_by_factor.values():
        required |= {(level,): None for level in levels}
    return required


def _discard(missing: dict[Levels, None], row: Row) -> None:
    """Remove the levels and pairs of a row from the missing ones."""
    for levels in levels_of(row):
        missing.pop(levels, None)


def _complete(
    row: dict[str, str],
    factors: Mapping[str, Sequence[str]],
    allowed: Callable[[Row], bool],
    missing: Mapping[Levels, None],
    turn: int,
) -> Row | None:
    """Return an allowed row that contains the levels of `row`, or None if there is none.

    For each further factor, the level with the most missing pairs is tried first.  If several levels have
    equally many, `turn` decides between them.
    """
    if not allowed(row):
        return None
    factor = _next_factor(row, factors)
    if factor is None:
        return {name: row[name] for name in factors}
    levels = deque(factors[factor])
    levels.rotate(-turn)
    order = list(factors)
    gains = {level: _count_gained(row, (factor, level), order, missing) for level in levels}
    # sorting is stable: of levels that gain equally much, the one whose turn it is comes first
    for level in sorted(levels, key=gains.__getitem__, reverse=True):
        complete_row = _complete({**row, factor: level}, factors, allowed, missing, turn)
        if complete_row is not None:
            return complete_row
    return None


def _count_gained(row: Row, added: tuple[str, str], order: Sequence[str], missing: Container[Levels]) -> int:
    """Return the number of missing levels and pairs that a row has with an added level, and not without it.

    In a pair, the factors have the given order.
    """
    gained = 1 if (added,) in missing else 0
    for present in row.items():
        is_before = order.index(present[0]) < order.index(added[0])
        pair = (present, added) if is_before else (added, present)
        if pair in missing:
            gained += 1
    return gained


def _next_factor(row: Row, factors: Mapping[str, Sequence[str]]) -> str | None:
    """Return a factor without a level, or None if the row has all factors.

    If the row begins with a factor of the base, such as `base-path`, other factors of the base come first.
    """
    free = [name for name in factors if name not in row]
    if next(iter(row)).startswith("base-"):
        base_factors = [name for name in free if name.startswith("base-")]
        free = base_factors or free
    return free[0] if free else None
