"""The lines to paste: what asks a vector again, and what takes an entry out of the baseline."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from os.path import relpath
from pathlib import Path

from urlharness.adapters.registry import Adapter
from urlharness.limits import Limits
from urlharness.pasting import Place, patience, place_of


def again(adapter: Adapter, identifier: str, vectors: Path | None, limits: Limits) -> str:
    """The line that puts a vector to an adapter again, of its corpus, and with the time that it had."""
    place = place_of([adapter])
    more = [*_from(vectors, place), *patience(*limits.unusual)]
    return place.line(["urlconform", "repro", identifier, "-a", adapter.name, *more])


def again_in_pytest(adapter: Adapter, options: Sequence[str], node: str) -> str:
    """The same for an adapter that only a conftest knows: by the node, and the options that selected it."""
    return shlex.join(["pytest", "--urlconform", adapter.name, *options, node])


def shrink(adapter: Adapter, baseline: Path, vectors: Path | None, deciding: Sequence[str] = ()) -> str:
    """The line that removes what has become right from a baseline, by the options that judged it so."""
    place = place_of([adapter])
    words = [_seen(baseline, place), adapter.name, *deciding, *_from(vectors, place), "--only-shrink"]
    return place.line(["urlconform", "baseline", "update", *words])


def _from(vectors: Path | None, place: Place) -> list[str]:
    return [] if vectors is None else ["--vectors", _seen(vectors, place)]


def _seen(path: Path, place: Place) -> str:
    """A path as seen from a place, however the configuration has it."""
    return place.seen(relpath(path))
