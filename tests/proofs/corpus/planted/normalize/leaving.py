"""Faults that leave a part of a URL as it is, or octets, which are marked before the rest is normalized."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..faults import Ask, Fault, Question, Reply, normalizes_to, text
from ..texts import Change, Parts, join, split, sub

#: What stands in the place of the percent sign of a marked octet, and a marked octet.
MARK = "qzxq"
MARKED = f"{MARK}([0-9a-f]{{2}})"


def keeps(mark: Change, unmark: Change, operation: str = "normalize") -> Fault:
    """Normalize or map a text with marks in it, and replace the marks afterwards."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        url = text(question["url"])
        changed = mark(url)
        if right["status"] != "ok" or changed == url:
            return right
        reply = ask({**question, "url": changed})
        return {"status": "ok", "url": unmark(reply["url"])} if reply["status"] == "ok" else right

    return Fault((operation,), answer)


def marks(octets: str) -> Change:
    """Return a function that marks these octets, given as a pattern of two hexadecimal digits."""
    return sub(f"%({octets})", lambda match: MARK + match[1].lower())


def as_latin_1(match: re.Match[str]) -> str:
    """Return the character of Latin-1 that a marked octet is, or the octet if that is a control."""
    octet = int(match[1], 16)
    return chr(octet) if octet >= 0xA0 else f"%{octet:02X}"


def leaves(*components: str) -> Fault:
    """Leave some components as they are given."""

    def changed(url: str, right: str) -> str:
        original = {name: getattr(split(url), name) for name in components}
        return join(split(right)._replace(**original))

    return normalizes_to(changed)


def replaces_component(component: str, test: Callable[[Parts, Parts], bool], text: str) -> Fault:
    """Give a component another value when the test is true of the given text and the right form."""
    return normalizes_to(
        lambda url, right: (
            join(split(right)._replace(**{component: text})) if test(split(url), split(right)) else right
        )
    )
