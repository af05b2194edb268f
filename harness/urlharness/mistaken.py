"""One file of ours that is taken for another: the results of a run for a baseline, or the other way round."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec

_LARGEST = 1 << 26  # octets of what may be a baseline


class _Named(msgspec.Struct):
    """The one field by which a file says what it is."""

    schema: str


def results_instead(octets: bytes, name: str) -> str:
    """That a text of this name, which is no baseline, is the results of a run; empty where it is not."""
    if not _is(octets.partition(b"\n")[0], "urlresults"):
        return ""
    todo = f"urlconform baseline create {shlex.quote(name)} -o FILE makes a baseline of them"
    return f"it is the results of a run, not a baseline: {todo}"


def baseline_instead(path: Path) -> str:
    """That a file, which is no results file, is a baseline; empty where it is not, or is a pipe."""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST or not _is(path.read_bytes(), "urlbaseline"):
            return ""
    except OSError:
        return ""
    todo = "name what --report json=FILE has written; urlconform baseline check looks at baselines"
    return f"it is a baseline, not the results of a run: {todo}"


def _is(octets: bytes, schema: str) -> bool:
    try:
        return msgspec.json.decode(octets, type=_Named).schema.startswith(f"{schema}-")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
