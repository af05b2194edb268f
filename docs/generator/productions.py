"""The productions of a grammar file, each with its section and the published form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from urloracle.grammar.grammar import source

_START = re.compile(r"^([A-Za-z][\w+-]*)\s*=")


@dataclass(frozen=True)
class Production:
    """A production; `published` is what the RFC prints instead, `ruling` the reason for the correction."""

    name: str
    text: str
    section: str
    ruling: str = ""
    published: str = ""


def productions(file: str) -> list[Production]:
    """Return the productions of a grammar file, in order."""
    return read(source(file))


def read(text: str) -> list[Production]:
    """Return the productions of the text of a grammar, without comments."""
    read_productions: list[Production] = []
    section = ""
    ruling = ""
    lines: list[str] = []
    published: list[str] = []
    for line in [*text.splitlines(), ""]:  # the empty line ends the last production
        if lines and line.startswith(" "):
            lines.append(line)
            continue
        if lines:
            name = lines[0].partition("=")[0].strip()
            read_productions.append(Production(name, "\n".join(lines), section, ruling, "\n".join(published)))
            lines = []
            published = []
            ruling = ""
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
    return read_productions
