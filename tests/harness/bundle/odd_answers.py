"""A library with odd answers: right ones, and what becomes of them by small changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Answer = dict[str, Any]

#: What a program may make of a text.
TEXT_CHANGES: tuple[Callable[[str], Any], ...] = (
    str,
    str.upper,
    str.lower,
    str.swapcase,
    lambda text: text[1:],
    lambda text: text + "x",
    lambda text: f"@{text}",
    lambda text: f"{text}:",
    lambda text: text.partition("@")[2],
    lambda _: "",
    lambda _: None,
    lambda text: {"hex": text.encode().hex()} if text else "",
)
TEXTS_FOR_NOTHING = ("", None, "x")
NO_ANSWERS = ("unsupported", "error")


def odd_answer(case: Mapping[str, Any], random: Random) -> Answer:
    """Return an answer to a case of a bundle: mostly a right one, or one with few changes."""
    if random.random() < 0.05:
        return {"status": random.choice(NO_ANSWERS)}
    if random.random() < 0.1:
        return {"status": "reject"}
    admitted = random.choice(case["answers"])
    kind = admitted["kind"]
    match kind:
        case "reject":
            return {"status": random.choice(("ok", "reject"))}
        case "accept":
            return {"status": "ok"}
        case "same_document":
            return {"status": "ok", "same_document": random.random() < 0.7}
    if random.random() < 0.05:
        return {"status": "ok"}
    return {"status": "ok", kind: changed_content(case, kind, admitted[kind], random)}


def changed_content(case: Mapping[str, Any], kind: str, content: Any, random: Random) -> Any:
    """Return what an answer of this kind contains, perhaps changed."""
    match kind:
        case "url":
            return changed_text(content, random, rare=True)
        case "base":
            return changed_part(content, random)
        case "equal":
            return random.choice((True, False))
        case "urls":
            return changed_readings(case, content, random)
        case "components":
            return changed_parts(content, random)
    parts = changed_parts(content, random)
    return {name: in_hex(part) if random.random() < 0.1 else part for name, part in parts.items()}


def changed_text(text: str, random: Random, *, rare: bool = False) -> Any:
    if rare and random.random() < 0.5:
        return text
    changed = random.choice(TEXT_CHANGES)(text)
    return text if rare and changed is None else changed  # a URL is a text


def changed_part(part: Any, random: Random) -> Any:
    """Return a component, a base or a part of a decoded view, perhaps changed."""
    if random.random() < 0.5:
        return part
    if isinstance(part, bool):
        return random.choice((True, False, None, "true"))
    if isinstance(part, str):
        return changed_text(part, random)
    if isinstance(part, list):
        return random.choice((part, part[1:], [*part, *part], None, "", "x"))
    return random.choice(TEXTS_FOR_NOTHING)


def in_hex(part: Any) -> Any:
    """Return a part of a decoded view with its texts, in lists too, as the hex digits of their bytes."""
    if isinstance(part, str):
        return {"hex": part.encode().hex()} if part else part
    return [in_hex(element) for element in part] if isinstance(part, list) else part


def changed_parts(parts: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Return components, or a decoded view, with some parts changed and some left out."""
    changed = {}
    left_out = random.choice((0.0, 0.0, 0.2, 0.9))
    changes = random.choice((0.0, 0.2, 1.0))
    for name, part in parts.items():
        if random.random() < left_out:
            continue
        changed[name] = changed_part(part, random) if random.random() < changes else part
    if random.random() < 0.3:
        changed.pop("authority", None)
    return changed


def changed_readings(case: Mapping[str, Any], readings: list[list[str]], random: Random) -> list[list[str]]:
    """Return the readings of URLs: one of each, or some of all answers, or other numbers of either."""
    one_reading = [[random.choice(readings_of_url)] for readings_of_url in readings]
    answers = [admitted["urls"] for admitted in case["answers"] if admitted["kind"] == "urls"]
    further_readings = random.choice(answers)
    together = []
    for readings_of_url, further in zip(readings, further_readings, strict=False):
        together.append(readings_of_url + further[:1])
    with_unlisted_reading = [[*readings_of_url, "x:y"] for readings_of_url in readings]
    without_readings: list[list[str]] = [[] for _ in readings]
    fewer = readings[1:]
    with_further_url = [*readings, ["x:y"]]
    choices = (
        readings,
        one_reading,
        together,
        with_unlisted_reading,
        without_readings,
        fewer,
        with_further_url,
    )
    return random.choice(choices)
