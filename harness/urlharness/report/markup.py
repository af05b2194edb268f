"""Markdown that no text can break: blocks of a page, and texts that stay texts inside them.

A text of a run stands in a code span or a fence unless it is a few plain words, so that it can be no markup,
no HTML, no mention of a user and no link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from urlharness.report.texts import clipped, logged, names

#: Words that mean nothing to Markdown or to GitHub: no list, no link, no mention, no issue, no commit.
_WORDS = re.compile(
    r"(?!\d+[.)](?: |$))(?!.*(?:\bgh-\d|\bwww|\b[0-9a-f]{7,40}\b))"
    r"[a-z0-9]+(?:(?:[ ,;]|[-'/]|[,;.:] | ?[()] ?|\.(?=\d))[a-z0-9]+)*[.)]?",
    re.IGNORECASE,
)


def inline(text: str, limit: int = 200) -> str:
    """A text in a line of Markdown: as it is if it is a few words, else as a code span."""
    shown = clipped(logged(text), limit)
    return shown if _WORDS.fullmatch(shown) else _span(shown)


def named_inline(given: Iterable[str], limit: int) -> Mapping[str, str]:
    """Each name in a line of Markdown: a long one cut in its middle, and no two of them alike."""
    return {name: inline(shown, limit) for name, shown in names(given, limit).items()}


def code(text: str, limit: int = 200) -> str:
    """A text as a code span; an empty one as a word."""
    return _span(clipped(logged(text), limit))


def cell(text: str) -> str:
    """A piece of Markdown within a table, where a bar ends the cell even in a code span.

    It is spelled out: behind a backslash of the text itself, parsers differ on what escapes it.
    """
    return text.replace("|", "\\u{7c}")


def fence(lines: Iterable[str], language: str = "") -> str:
    """Lines as a block of code, which nothing in them ends."""
    body = "\n".join(map(logged, lines))
    mark = "`" * max(3, _longest_run(body) + 1)
    return f"{mark}{language}\n{body}\n{mark}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, each cell a piece of Markdown; the first column is text, the others figures."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(map(cell, row))} |" for row in (head, rule, *rows)]


def _span(text: str) -> str:
    if not text.strip(" "):
        return "*empty*" if not text else f"*{len(text)} blanks*"
    mark = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{mark}{pad}{text}{pad}{mark}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
