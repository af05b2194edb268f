"""Long texts: generated texts in corpus files, and abbreviations in results and reports.

A generated text is a JSON array of strings and repetitions, for example:
`["http://h/", {"repeat": "../", "times": 5000}]`.
The text is the concatenation of its parts. The repeated text may itself be generated. Only files of the
schema `urlvectors-2` may contain generated texts.

A text of more than `MAX_WHOLE_LENGTH` characters is abbreviated to its beginning, its length and its SHA-256.
The abbreviation is itself a text, which is not abbreviated further. Different texts have different
abbreviations.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

#: The schema of vector files that may contain generated texts.
GENERATED_SCHEMA = "urlvectors-2"

#: Texts with more characters are abbreviated.
MAX_WHOLE_LENGTH = 1024

#: The number of characters at the beginning that an abbreviation keeps.
_KEPT = 80

#: The number of characters before a difference, and after it, that a cut text keeps.
_KEPT_AROUND = 40

#: The maximum number of characters of a generated text. It must fit in a line of the protocol (1 MiB).
_MOST = 1_000_000

_ABBREVIATION = re.compile(r".*… \([\d,]+ (?:characters|bytes), SHA-256 [0-9a-f]{64}\)", re.DOTALL)
_BYTES = re.compile("(?:[0-9A-Fa-f]{2})+")
_ABBREVIATED_TEXT = re.compile(r"(.*)… \([\d,]+ characters, SHA-256 [0-9a-f]{64}\)", re.DOTALL)


def has_generated(value: Any) -> bool:
    """Return True if a JSON value contains a generated text at any depth."""
    if isinstance(value, Mapping):
        return any(map(has_generated, value.values()))
    return isinstance(value, list) and (_is_generated(value) or any(map(has_generated, value)))


def expanded(value: Any) -> Any:
    """Return a JSON value with each generated text replaced by a string.

    Raise ValueError if one is invalid.
    """
    if isinstance(value, Mapping):
        return {name: expanded(child) for name, child in value.items()}
    if not isinstance(value, list):
        return value
    return _concatenated(value) if _is_generated(value) else [expanded(child) for child in value]


def abbreviation(text: str) -> str:
    """Return a short text unchanged. Abbreviate a long text to its beginning, its length and its SHA-256.

    The hash is computed from the UTF-8 of the text. Lone surrogates are encoded like other characters. A text
    from an adapter cannot contain them.
    """
    if len(text) <= MAX_WHOLE_LENGTH:
        return text
    return _shortened(text[:_KEPT], len(text), "characters", text.encode("utf-8", "surrogatepass"))


def around_difference(text: str, counterpart: str) -> str:
    """Return the part of a text around the first character in which it differs from its counterpart.

    An ellipsis stands for what is left out.
    """
    position = min(len(text), len(counterpart))
    for offset, (char, other_char) in enumerate(zip(text, counterpart, strict=False)):
        if char != other_char:
            position = offset
            break
    start = max(0, position - _KEPT_AROUND)
    end = position + _KEPT_AROUND
    before = "…" if start else ""
    after = "…" if end < len(text) else ""
    return f"{before}{text[start:end]}{after}"


def abbreviated(value: Any) -> Any:
    """Return a JSON value with its long texts abbreviated.

    If it contains no long text, return the value itself. Long bytes in hex, `{"hex": "00ff…"}`, are replaced
    by an abbreviation, which is a string.
    """
    return _abbreviate(value) if _has_long(value) else value


def is_abbreviation(value: object) -> bool:
    """Return True if a value is an abbreviation."""
    # the last character decides for almost all texts, in a fraction of the time
    return isinstance(value, str) and value.endswith(")") and _ABBREVIATION.fullmatch(value) is not None


def abbreviated_beginning(abbreviation: str) -> str:
    """Return the beginning that an abbreviation of a text keeps. Of bytes in hex, return an empty string."""
    match = _ABBREVIATED_TEXT.fullmatch(abbreviation)
    return "" if match is None else match[1]


def _is_generated(array: list[Any]) -> bool:
    return any(isinstance(part, Mapping) and "repeat" in part for part in array)


def _concatenated(parts: list[Any]) -> str:
    """Concatenate the parts of a generated text.

    Raise ValueError if the parts are invalid or the text too long. The length is checked before the text is
    built, so that a huge text needs no memory.
    """
    texts: list[str] = []
    for part in parts:
        match part:
            case str():
                text = part
                times = 1
            case {"repeat": str() | list() as repeated, "times": int(times), **rest} if (
                times > 0
                and times is not True  # in Python, the JSON value true is an int, too
                and not rest
            ):
                text = repeated if isinstance(repeated, str) else _concatenated(repeated)
            case _:
                raise ValueError("a generated text consists of strings and objects with `repeat` and `times`")
        if len(text) * times + sum(map(len, texts)) > _MOST:
            raise ValueError(f"a generated text has at most {_MOST:,} characters")
        texts.append(text * times)
    return "".join(texts)


def _has_long(node: Any) -> bool:
    """Return True if a JSON value is or contains a long text."""
    if isinstance(node, str):
        return len(node) > MAX_WHOLE_LENGTH
    if isinstance(node, dict):
        return any(map(_has_long, node.values()))
    return isinstance(node, list | tuple) and any(map(_has_long, node))


def _abbreviate(node: Any) -> Any:
    """Return a copy of a JSON value with its long texts, and long bytes in hex, abbreviated."""
    match node:
        case str():
            return abbreviation(node)
        case {"hex": str(digits)} if (
            len(node) == 1
            and len(digits) > MAX_WHOLE_LENGTH
            and _BYTES.fullmatch(digits)  # an adapter may reply anything under this name
        ):
            content = bytes.fromhex(digits)
            return _shortened(f"hex {digits[:_KEPT]}", len(content), "bytes", content)
        case dict():
            return {name: _abbreviate(child) for name, child in node.items()}
        case list() | tuple():
            return [_abbreviate(child) for child in node]
        case _:
            return node


def _shortened(beginning: str, length: int, unit: str, content: bytes) -> str:
    """Return an abbreviation: the beginning, then the length and the hash of the whole content."""
    digest = hashlib.sha256(content).hexdigest()
    return f"{beginning}… ({length:,} {unit}, SHA-256 {digest})"
