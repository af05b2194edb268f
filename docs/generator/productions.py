"""The productions of a grammar file as they stand there, each with its section and the printed form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from urloracle.grammar.grammar import source

_START = re.compile(r"^([A-Za-z][\w+-]*)\s*=")


@dataclass(frozen=True)
class Production:
    """A production; `published` is what the RFC prints in its place, by which `ruling` it was corrected."""

    name: str
    text: str
    section: str
    ruling: str = ""
    published: str = ""


def productions(file: str) -> list[Production]:
    """The productions of a file of the oracle's grammars, in its order."""
    return read(source(file))


def read(text: str) -> list[Production]:
    """The productions of a grammar's text; comments are left out."""
    found: list[Production] = []
    section = ruling = ""
    lines: list[str] = []
    published: list[str] = []
    for line in [*text.splitlines(), ""]:
        if lines and line.startswith(" "):
            lines.append(line)
            continue
        if lines:
            name = lines[0].partition("=")[0].strip()
            found.append(Production(name, "\n".join(lines), section, ruling, "\n".join(published)))
            lines, published, ruling = [], [], ""
        directive, _, argument = line.partition(" ")
        match directive:
            case ";!section":
                section = argument.strip()
            case ";!published":
                ruling = argument.strip()
            case ";!":
                published.append(argument)
        if _START.match(line):
            lines = [line]
    return found
