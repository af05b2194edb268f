"""Covering arrays: few rows that contain every wanted pair of levels of two factors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations

#: Maps each factor to its level.  A row that is still being made lacks factors.
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
    missing: dict[Levels, None] = {
        pair: None
        for one, other in combinations(factors, 2)
        for level in factors[one]
        for second in factors[other]
        if (one, level) in common or (other, second) in common
        for pair in [((one, level), (other, second))]
    }
    missing |= {((name, level),): None for name in factors for level in factors[name]}
    for row in rows:
        _remove(missing, row)
    found: list[Row] = []
    while missing:
        first = next(iter(missing))
        made = _completed(dict(first), factors, allowed, missing, len(found))
        if made is None:
            del missing[first]
        else:
            found.append(made)
            _remove(missing, made)
    return found


def _remove(missing: dict[Levels, None], row: Row) -> None:
    for pair in levels_of(row):
        missing.pop(pair, None)


def _completed(
    row: dict[str, str],
    factors: Mapping[str, Sequence[str]],
    allowed: Callable[[Row], bool],
    missing: Mapping[Levels, None],
    turn: int,
) -> Row | None:
    """Return an allowed row with the given levels, or None if there is none.

    For each other factor, the level with the most missing pairs is tried first.  If several levels have
    equally many, `turn` decides between them.
    """
    if not allowed(row):
        return None
    free = _next(row, factors)
    if free is None:
        return {name: row[name] for name in factors}
    order = list(factors)
    levels = factors[free]
    shifted = [levels[(place + turn) % len(levels)] for place in range(len(levels))]

    def gain(level: str) -> int:
        here = (free, level)
        pairs = [
            (one, here) if order.index(one[0]) < order.index(free) else (here, one) for one in row.items()
        ]
        return sum(pair in missing for pair in [*pairs, (here,)])

    for level in sorted(shifted, key=gain, reverse=True):
        complete = _completed({**row, free: level}, factors, allowed, missing, turn)
        if complete is not None:
            return complete
    return None


def _next(row: Row, factors: Mapping[str, Sequence[str]]) -> str | None:
    """Return a factor without a level, or None if the row has all factors.

    If the row begins with a factor of the base, such as `base-path`, other factors of the base come first.
    """
    free = [name for name in factors if name not in row]
    based = [name for name in free if name.startswith("base-")]
    return next(iter((based or free) if next(iter(row)).startswith("base-") else free), None)
