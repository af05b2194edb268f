"""A file of another version is told as such, where a decoder only says that it knows no such schema."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import inspect

from urlharness.moments import in_words


class _Named(msgspec.Struct):
    """The one field by which a file says what it is."""

    schema: str


def decoding_error(octets: bytes, error: Exception, kind: Any) -> str:
    """What is wrong with a text that could not be decoded as a `kind`.

    Where it names another version of that schema, such as urlresults-2, this is said in place of the error.
    """
    try:
        named = msgspec.json.decode(octets, type=_Named).schema
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return in_words(str(error))
    ours = _schema(kind)
    name, _, version = named.rpartition("-")
    if named == ours or name != ours.rpartition("-")[0] or not (version.isascii() and version.isdigit()):
        return in_words(str(error))
    return f"it is of another version, {name}-{version[:9]}; this program reads {ours}"


def _schema(kind: Any) -> str:
    """The schema that a kind of file is of; empty where it names none."""
    found = inspect.type_info(kind)
    if not isinstance(found, inspect.StructType):
        return ""
    types = [field.type for field in found.fields if field.encode_name == "schema"]
    return str(types[0].values[0]) if types and isinstance(types[0], inspect.LiteralType) else ""
