"""Checks of rulings.json, one line for each ruling, and of what cites rulings: none is made up."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from urlharness.documents import Finding, canonical

FILE = "rulings.json"

_Id = Annotated[str, msgspec.Meta(pattern=r"^(?:G|R-\d{4})-\d{2}$")]
_Reading = Annotated[str, msgspec.Meta(min_length=10, max_length=140, pattern=r"\.$")]
_Table = Annotated[dict[_Id, _Reading], msgspec.Meta(min_length=1)]


def read_rulings(root: Path, findings: list[Finding]) -> dict[str, str] | None:
    """The reading of each ruling by its id; None, and a finding, where there is no table that can be read."""
    try:
        octets = (root / FILE).read_bytes()
        msgspec.json.decode(octets, type=_Table)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        findings.append(
            Finding(FILE, "", f"no table of rulings, so none that is cited was looked up: {said}")
        )
        return None
    table: dict[str, str] = json.loads(octets)
    if octets != canonical(table).encode():
        findings.append(Finding(FILE, "", "not in canonical form (urlconform vectors fmt)"))
    return table


def made_up(cited: Sequence[str | None], rulings: Collection[str] | None) -> Iterator[str]:
    """A clause for each ruling that is cited and not there; nothing where there is no table of them."""
    for ruling in cited:
        if rulings is not None and ruling is not None and ruling not in rulings:
            yield f"there is no ruling {ruling}"
