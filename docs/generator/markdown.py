"""Markdown as GitHub renders it: anchors of headings, cells of tables, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_FENCE = re.compile(r"^(`{3,}|~{3,})")
_HEADING = re.compile(r"^#{1,6} +(.*?) *#*$")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_CODE = re.compile(r"(`+)(.+?)\1")
#: An inline link or image; its target has no blanks and no parentheses.
_TARGET = re.compile(r"!?\[[^\[\]]*\]\(([^()\s]+)\)")


def slug(heading: str) -> str:
    """Return the anchor of a heading: lower case, without punctuation, with hyphens for blanks."""
    text = _LINK.sub(r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def prose(text: str) -> Iterator[str]:
    """Yield the lines of a page that are not in a block of code."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line.strip())
        if fence:
            if mark and line.strip() == mark[1] and mark[1].startswith(fence):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            yield line


def anchors(text: str) -> list[str]:
    """Return the anchors of all headings of a page; a repeated one gets a number."""
    names: list[str] = []
    times: dict[str, int] = {}
    for line in prose(text):
        heading = _HEADING.match(line)
        if heading:
            name = slug(heading[1])
            count = times.get(name, 0)
            times[name] = count + 1
            names.append(f"{name}-{count}" if count else name)
    return names


def targets(text: str) -> list[str]:
    """Return the targets of all links of a page, in order, except those in code."""
    in_order: list[str] = []
    for line in prose(text):
        in_order += _TARGET.findall(_CODE.sub("``", line))
    return in_order


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code of a page in one language."""
    contents = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [str(block) for block in contents]


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a column whose title begins with # has numbers."""
    marks = ["---:" if title.startswith("#") else "---" for title in columns]
    titles = [title.removeprefix("#") for title in columns]
    lines = [f"| {' | '.join(map(cell, row))} |\n" for row in (titles, marks, *rows)]
    return "".join(lines)


def cell(text: str) -> str:
    """Return a text as the cell of a table; bars are escaped, also in code."""
    return text.replace("|", "\\|").replace("\n", " ")


def code(text: str) -> str:
    """Return a text as inline code, with as many backticks as needed, or "(empty)"."""
    if not text:
        return "(empty)"
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def link(text: str, target: str) -> str:
    """Return a link."""
    return f"[{text}]({target})"


def count(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun: 1 vector, 2 vectors."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
