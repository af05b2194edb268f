"""What a decoder of JSON does not say: which entry an error speaks of, and which key is repeated."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from typing import Any

import msgspec


def entry_of(octets: bytes, message: str, lists: Collection[str]) -> str:
    """The id of the entry in one of these lists, in quotes and brackets behind a space, or that it has none.

    Empty where the error is elsewhere, or the file no JSON further down.
    """
    index = re.search(rf"\$\.({'|'.join(lists)})\[(\d+)\]", message)
    if index is None:
        return ""
    try:
        entry = msgspec.json.decode(octets)[index[1]][int(index[2])]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""
    return f" ({entry.get('id', 'no id')!r})" if isinstance(entry, dict) else ""


class _Repeated(Exception):
    """A key that an object has twice."""


def repeated_key(octets: bytes) -> str | None:
    """The first key that an object of a JSON text has twice, of which a decoder keeps the last; else None.

    The text has been decoded before, so that it is JSON and not nested too deeply.
    """
    try:
        json.loads(octets, object_pairs_hook=_once, parse_int=str, parse_float=str)
    except _Repeated as error:
        return str(error)
    return None


def _once(pairs: Sequence[tuple[str, Any]]) -> None:
    """Raises _Repeated where a key is repeated; no value is of interest."""
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            raise _Repeated(key)
        seen.add(key)
