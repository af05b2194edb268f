"""Inputs, expectations and rulings in words, for every report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from urlharness.corpus.model import CorpusError, DecodedValue, Expected, Hex, Vector, corpus_dir

# -------------------- rulings: The rulings in one line each: what was decided where an RFC leaves it open.


@cache
def readings() -> dict[str, str]:
    """The reading of each ruling by its id, such as R-1738-03; raises CorpusError."""
    path = corpus_dir() / "rulings.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: {error}") from None


# -------------------- words: Questions and answers in words: what a vector asks and expects, and the values of either.


def asked(vector: Vector) -> list[tuple[str, str]]:
    """The inputs of a vector by name, each in words; layers without a base are left out."""
    inputs = [(name, _input(value)) for name, value in vector.inputs.items()]
    return inputs or [("layers", "none has a base")]


def expectation(expected: Expected) -> str:
    """What a vector expects, in words; admissible answers joined by "or"."""
    return " or ".join(
        _expectation(answer) + (f" ({answer.variant})" if answer.variant else "")
        for answer in expected.alternatives
    )


def show(value: DecodedValue | Sequence[Any]) -> str:
    """A component or a part of a decoded view: absent and empty are told apart."""
    match value:
        case None:
            return "absent"
        case "":
            return "empty"
        case Hex(digits):
            return f"hex {digits}"
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(_element, value))}]" if value else "empty list"
        case _:
            return repr(value)


def show_urls(urls: Sequence[Sequence[str]]) -> str:
    """The URLs of a text in their order, the readings of each joined by "or"."""
    return ", ".join(" or ".join(map(repr, readings)) or "no reading" for readings in urls) or "no URL"


def show_equal(equal: bool) -> str:
    """The verdict on two URLs."""
    return "equivalent" if equal else "different"


def show_base(base: str | Hex | None) -> str:
    """The base that applies; RFC 1808, section 3.4, has an empty one."""
    match base:
        case None:
            return "no base"
        case "":
            return "the empty base"
        case _:
            return show(base)


def _element(value: Any) -> str:
    """An element of a list: a text, or a name and its value."""
    match value:
        case str():
            return repr(value)
        case Hex():
            return show(value)
        case _:
            return "=".join(map(_element, value))


def _input(value: Any) -> str:
    match value:
        case Hex(digits):
            return f"hex {digits}"
        case Mapping():
            return _parts(value)
        case _:
            return f"<{value}>"


def _parts(parts: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {show(value)}" for name, value in parts.items())


def _expectation(answer: Expected) -> str:
    if answer.valid is True:
        return "valid"
    if answer.valid is False:
        return f"invalid at {answer.at}" if isinstance(answer.at, int) else "invalid"
    if answer.same_document:
        return "the same document"
    return _ANSWERS[answer.kind](getattr(answer, answer.kind))


_ANSWERS: Mapping[str, Callable[[Any], str]] = {
    "components": _parts,
    "result": repr,
    "urls": show_urls,
    "equal": show_equal,
    "decoded": _parts,
    "base": show_base,
}
