"""Names of files that are made from any text, such as the name of an adapter."""

from __future__ import annotations

import re

from urlharness.report.texts import digest

_LONGEST = 60  # characters that are taken from the text


def file_name(text: str, taken: dict[str, str]) -> str:
    """A name of letters, digits and `-._`, the same for the same text and another for another.

    One that is not the text itself has its digest, whatever else is written; so has one that differs from
    another of them only by its capitals, which not every file system tells apart.  `taken` is what one call
    after another remembers, for names that stand in one folder.
    """
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:_LONGEST] or "unnamed"
    changed = name != text or taken.setdefault(name.lower(), text) != text
    return f"{name}-{digest(text)}" if changed else name
