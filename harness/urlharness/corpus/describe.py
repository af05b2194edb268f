"""Describe inputs, expectations and values in words. All reports use these descriptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from urlharness.corpus.loader import load
from urlharness.corpus.longtext import (
    MAX_WHOLE_LENGTH,
    abbreviated,
    abbreviation,
    around_difference,
    is_abbreviation,
)
from urlharness.corpus.model import Case, DecodedValue, Expected, Hex, Requirement, Vector
from urlharness.text import plain
from urlharness.wording import rfc


def describe_inputs(vector: Vector) -> list[tuple[str, str]]:
    """Return (name, description) of each input of a vector.

    Layers without a base are left out. If no layer has a base and there is no other input, say so.
    """
    inputs = [(name, _describe_input(content)) for name, content in vector.inputs.items()]
    return inputs or [("layers", "none has a base")]


def describe_expected(expected: Expected) -> str:
    """Return the expectation of a vector in words. Several admissible answers are joined by "or"."""
    return " or ".join(map(_describe_answer, expected.alternatives))


def describe_place(case: Case, requirement: Requirement) -> str:
    """Return the RFC, section and paragraphs of a requirement, and the ruling on which the answer rests.

    For a case of a foreign corpus, return the file and the section.
    """
    if case.vector.level == "note" and not requirement.digest:
        return f"{case.file}, section {requirement.section}"
    paragraphs = requirement.paragraph
    if isinstance(paragraphs, int):
        paragraphs = (paragraphs,)
    citation = f"{rfc(case.spec)}, section {requirement.section}"
    numbers = [str(number) for number in paragraphs if number]  # 0 stands for no paragraph
    if numbers:
        citation += f", paragraph {' and '.join(numbers)}"
    ruling = ruling_of_answer(case.vector, requirement)
    return f"{citation}, by {ruling}" if ruling else citation


def ruling_of_answer(vector: Vector, requirement: Requirement) -> str | None:
    """Return the ruling on which the answer to a vector rests, or None.

    It is that of the vector, or else that of its requirement. But if vectors of the requirement name the
    ruling themselves, the answers of the others do not rest on it, except those of combined vectors.
    """
    if vector.ruling is not None:
        return vector.ruling
    if vector.combined or requirement.id not in _requirements_with_some_rulings():
        return requirement.ruling
    return None


@lru_cache(maxsize=1)
def _requirements_with_some_rulings() -> frozenset[str]:
    """Return the ids of the requirements whose rulings are also those of some of their vectors."""
    corpus = load()
    ids = set()
    for case in corpus.cases:
        vector = case.vector
        ruling = corpus.requirements[vector.requirement].ruling
        if vector.ruling is not None and vector.ruling == ruling:
            ids.add(vector.requirement)
    return frozenset(ids)


def show_value(value: DecodedValue | Sequence[Any]) -> str:
    """Show a component, or a part of the answer to `decode`. Absent and empty values look different."""
    match value:
        case None:
            return "absent"
        case "":
            return "empty"
        case Hex(digits):
            short = abbreviated({"hex": digits})  # a text if they are long
            return short if isinstance(short, str) else _show_bytes(digits)
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(_show_element, value))}]" if value else "empty list"
        case str():
            return _quoted(value)
        case _:
            return repr(value)


def show_pair(
    value: DecodedValue | Sequence[Any], counterpart: DecodedValue | Sequence[Any]
) -> tuple[str, str]:
    """Show two different values. If both are texts and one is long, cut both around their difference.

    The beginnings of long texts are often equal. If a value is an abbreviation already, its end is not known.
    """
    if isinstance(value, str) and isinstance(counterpart, str):
        is_long = max(len(value), len(counterpart)) > MAX_WHOLE_LENGTH
        if is_long and not is_abbreviation(value) and not is_abbreviation(counterpart):
            return _cut(value, counterpart), _cut(counterpart, value)
    return show_value(value), show_value(counterpart)


def _cut(text: str, counterpart: str) -> str:
    """Show a text around its difference, with the length of the whole text."""
    if not text:
        return show_value(text)
    return f"{around_difference(text, counterpart)!r} ({len(text):,} characters)"


def show_urls(urls: Sequence[Sequence[str]]) -> str:
    """Show the URLs that were found in a text, in order. The readings of each URL are joined by "or"."""
    shown_urls = [" or ".join(map(_quoted, readings)) or "no reading" for readings in urls]
    return ", ".join(shown_urls) or "no URL"


def show_equal(equal: bool) -> str:
    """Return the answer to `equivalent` in words."""
    return "equivalent" if equal else "different"


def show_base(base: str | Hex | None) -> str:
    """Show the base that applies.

    It is None if there is no base, and may be empty (RFC 1808, section 3.4).
    """
    if base is None:
        return "no base"
    return show_value(base) if base else "the empty base"


def _show_element(element: Any) -> str:
    """Show an element of a list: a text, or a pair of name and value."""
    if isinstance(element, str):
        return _quoted(element)
    if isinstance(element, Hex):
        return show_value(element)
    return "=".join(map(_show_element, element))


def _describe_input(content: Any) -> str:
    """Return an input in words: components, bytes, or a text between angle brackets."""
    if isinstance(content, Mapping):
        return _show_parts(content)
    return show_value(content) if isinstance(content, Hex) else f"<{abbreviation(content)}>"


def _show_bytes(digits: str) -> str:
    r"""Show bytes that are given as hex digits: UTF-8 as text, and other bytes as escapes such as `\xff`."""
    return f"bytes '{plain(bytes.fromhex(digits).decode('utf-8', 'surrogateescape'))}'"


def _quoted(text: str) -> str:
    return repr(abbreviation(text))


def _show_parts(parts: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {show_value(part)}" for name, part in parts.items())


_ANSWERS: Mapping[str, Callable[[Any], str]] = {
    "components": _show_parts,
    "result": _quoted,
    "urls": show_urls,
    "equal": show_equal,
    "decoded": _show_parts,
    "base": show_base,
}


def _describe_answer(answer: Expected) -> str:
    """Return one admissible answer in words, with the name of its variant if it has one."""
    description = _describe_content(answer)
    return f"{description} ({answer.variant})" if answer.variant else description


def _describe_content(answer: Expected) -> str:
    """Return one admissible answer in words, without its variant."""
    if answer.valid is True:
        return "valid"
    if answer.valid is False:
        return f"invalid at {answer.at}" if isinstance(answer.at, int) else "invalid"
    if answer.same_document:
        return "the same document"
    return _ANSWERS[answer.kind](getattr(answer, answer.kind))
