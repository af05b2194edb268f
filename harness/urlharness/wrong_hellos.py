"""What is wrong with a hello, field by field, in the words of the protocol and not in those of a decoder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from urlharness.protocol import PROTOCOL, Hello, Implementation
from urlharness.wrong_fields import Wrong, fits, kind_of, left_out, nulls, shown

_NEEDED = "a hello needs type, protocol, implementation.name and .version, ops and specs"


class _What(NamedTuple):
    """The type in Python of the values of a field, and what these are."""

    kind: type
    says: str


_TEXT = _What(str, "it is a text")
_NAMES = _What(list, "it is a list of names")
_FIELDS: Mapping[str, _What] = {
    "protocol": _What(int, f"it is the integer {PROTOCOL}"),
    "implementation": _What(dict, "it is an object with name and version"),
    "ops": _What(list, 'it is a list of names, such as ["parse", "resolve"]'),
    "specs": _What(list, 'it is a list of names, such as ["rfc3986"]'),
    "components": _NAMES,
    "features": _NAMES,
    "window": _What(int, "it is a whole number from 1 to 65536"),
    "implementation.name": _What(str, "it is a text that is not empty"),
}


def other_protocol(hello: object) -> str:
    """Which protocol a hello speaks, where it is none of ours; empty where that is not to be seen."""
    spoken = hello.get("protocol") if isinstance(hello, dict) else None
    if type(spoken) not in (int, list) or spoken == PROTOCOL:
        return ""
    return f"it speaks protocol {shown(spoken)}, not {PROTOCOL}"


def wrong_hello(hello: object) -> list[Wrong]:
    """Everything wrong with JSON that stands where a hello should; empty where that is not to be seen."""
    if not isinstance(hello, dict):
        return [Wrong("", f"it is {kind_of(hello)}, not an object")]
    kind = hello.get("type", "hello")
    if kind != "hello":
        return [Wrong("type", f'type is {_given(kind, str)}: it is "hello"')]
    about = hello.get("implementation")
    parts: list[tuple[dict[str, Any], type[msgspec.Struct], str]] = [(hello, Hello, "")]
    if isinstance(about, dict):
        parts.append((about, Implementation, "implementation."))
    absent = [f"{before}{name}" for part, kind, before in parts for name in nulls(part, kind)]
    return [
        *_lacking(hello),
        *([Wrong(absent[0], left_out(absent))] if absent else ()),
        *(wrong for part, kind, before in parts for wrong in _unfit(part, kind, before)),
    ]


def not_said(given: Mapping[str, Any]) -> str:
    """Why what a function says of itself is no hello; empty where that is not to be seen."""
    try:
        return in_words(json.loads(json.dumps({**given, "type": "hello"})))
    except Exception:  # noqa: BLE001 - it may hold anything, and itself
        return ""


def in_words(hello: object) -> str:
    """Everything wrong with JSON that stands where a hello should, as one text; empty as above."""
    return "; ".join(wrong.says for wrong in wrong_hello(hello))


def _lacking(hello: Mapping[str, Any]) -> Iterator[Wrong]:
    names = ["type", *(field.encode_name for field in msgspec.structs.fields(Hello) if field.required)]
    lacking = [name for name in names if name not in hello]
    about = hello.get("implementation")
    if isinstance(about, dict):
        lacking += [f"implementation.{name}" for name in ("name", "version") if name not in about]
    if lacking:
        yield Wrong(lacking[0], f"it has no {', '.join(lacking)}: {_NEEDED}")


def _unfit(part: Mapping[str, Any], kind: type[msgspec.Struct], before: str) -> Iterator[Wrong]:
    """The fields of a hello, or of its implementation, whose values the types do not take."""
    for field in msgspec.structs.fields(kind):
        name = f"{before}{field.encode_name}"
        value = part.get(field.encode_name, ...)
        left = value is ... or (value is None and not field.required)
        if left or (isinstance(value, dict) and field.type is Implementation) or fits(value, field.type):
            continue
        what = _FIELDS.get(name, _TEXT)
        if isinstance(value, list) and what.kind is list:
            at, one = next((at, one) for at, one in enumerate(value) if not isinstance(one, str))
            yield Wrong(name, f"{name}[{at}] is {_given(one, str)}: a name is a text")
        else:
            yield Wrong(name, f"{name} is {_given(value, what.kind)}: {what.says}")


def _given(value: object, wanted: type) -> str:
    """A value, and its kind where that is wrong."""
    if value is None or type(value) is wanted:
        return shown(value)
    kind = "a number with a decimal point" if isinstance(value, float) else kind_of(value)
    return f"{shown(value)}, {kind}"
