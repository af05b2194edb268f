"""Which field of a reply is wrong, and how, in the words of the protocol and not in those of a decoder."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

import msgspec

from urlharness.corpus import Text
from urlharness.protocol import ComponentValue, Count, Reply, Status, well_formed

#: What is said of fields that are null and may not be, as many encoders write what is absent.
LEFT_OUT = "a field without a value is left out"

_SHOWN = 40  # characters of a value
_STATUSES = ", ".join(get_args(Status))
#: Fields that are one value: the type of each, and what it is.
_SINGLE: Mapping[str, tuple[Any, str]] = {
    "url": (Text, 'it is a text or {"hex": …}'),
    "base": (Text | None, 'it is a text, {"hex": …} or null'),
    "equal": (bool, "it is true or false"),
    "at": (Count | None, "it is an integer from 0, or left out"),
    "urls": (list[list[str]], "it is a list that has for each URL the list of its readings"),
    "message": (str, "it is a text"),
}


class Wrong(NamedTuple):
    """A field, empty for the reply itself, and what is wrong with it."""

    field: str
    says: str


def wrong_field(reply: object) -> Wrong | None:
    """What is wrong first with JSON that stands where a reply should; None where that is not to be seen."""
    if not isinstance(reply, dict):
        return Wrong("", f"it is {kind_of(reply)}, not an object")
    return _status(reply) or _nulls(reply) or _components(reply) or _single(reply) or _id(reply)


def not_given(answered: object) -> str:
    """Why what a function gave is no reply, whose `id` is not its own; empty where that is not to be seen.

    Whatever it gave is looked at, and none of its code is run, but for mappings of JSON.
    """
    if inspect.iscoroutine(answered):
        answered.close()
        return "the function gave a coroutine, not a mapping: write def, not async def"
    if answered is None:
        return "the function gave None, not a mapping: is a return missing?"
    if type(answered) in (bool, int, float):
        return f"the function gave {answered!r}, not a mapping"
    if type(answered) in (str, bytes, list, tuple, set):
        return f"the function gave a {type(answered).__name__}, not a mapping"
    if type(answered) is not dict:
        return ""
    try:
        wrong = wrong_field(json.loads(json.dumps({**answered, "id": 0})))
    except Exception:  # noqa: BLE001 - it may hold anything, and itself
        return ""
    return wrong.says if wrong else ""


def _status(reply: dict[str, Any]) -> Wrong | None:
    if "status" not in reply:
        return Wrong("status", f"it has no status, which is one of {_STATUSES}")
    if fits(reply["status"], Status):
        return None
    return Wrong("status", f"status is {shown(reply['status'])}: one of {_STATUSES}")


def _nulls(reply: dict[str, Any]) -> Wrong | None:
    found = nulls(reply, Reply)
    return Wrong(found[0], left_out(found)) if found else None


def nulls(message: object, kind: type[msgspec.Struct]) -> list[str]:
    """The optional fields of a message that are null, where that is no value of theirs."""
    there = message if isinstance(message, dict) else {}
    return [
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if not field.required and there.get(field.encode_name, ...) is None and not fits(None, field.type)
    ]


def left_out(names: list[str]) -> str:
    """What is said of fields that are null, by their names; empty where there are none."""
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} null: {LEFT_OUT}" if names else ""


def _components(reply: dict[str, Any]) -> Wrong | None:
    found = reply.get("components", {})
    if not isinstance(found, dict):
        return Wrong("components", f"components is {valued(found)}: it is an object of names and texts")
    for name, value in found.items():
        if not fits(value, ComponentValue):
            what = 'components are texts, {"hex": …} or null'
            return Wrong("components", f"components.{clipped(name)} is {valued(value)}: {what}")
    return None


def _single(reply: dict[str, Any]) -> Wrong | None:
    for name, (kind, what) in _SINGLE.items():
        if name in reply and not fits(reply[name], kind):
            return Wrong(name, f"{name} is {valued(reply[name])}: {what}")
    return None


def _id(reply: dict[str, Any]) -> Wrong | None:
    """What is wrong with its id, which is not shown: it was drawn by lot."""
    if "id" not in reply:
        return Wrong("id", "it has no id, which is that of its question")
    number = reply["id"]
    if fits(number, Count):
        return None
    kind = "a number with a decimal point" if isinstance(number, float) else kind_of(number)
    return Wrong("id", f"id is {kind}: it is the integer of its question")


def fits(value: object, kind: Any) -> bool:
    """True of a JSON value that a type takes."""
    try:
        msgspec.convert(value, kind)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True


def valued(value: object) -> str:
    """A value, and its kind where it is one that could be taken for another."""
    return "null" if value is None else f"{shown(value)}, {kind_of(value)}"


def kind_of(value: object) -> str:
    """The kind of a JSON value, such as `a text`."""
    if value is None:
        return "null"
    kinds = {bool: "a truth value", int: "a number", float: "a number", str: "a text", list: "a list"}
    return kinds.get(type(value), "an object")


def shown(value: object) -> str:
    """JSON, of which a reader sees where it is from."""
    return clipped(json.dumps(value, ensure_ascii=False))


def clipped(text: str) -> str:
    """The beginning of a text, which any encoder takes."""
    return well_formed(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
