"""The places that cite rulings: functions, classes and constants of the code, rules of grammars."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import NamedTuple

#: `R-1808-02`, and the rest of an enumeration such as `R-1808-02, -05, -08`.
_CITATION = re.compile(r"\b(G|R-\d{4})(-\d{2})\b((?:, -\d{2}\b)*)")
_RULE = re.compile(r"^([A-Za-z][\w+-]*)\s*=")
ROOTS = {"urloracle": "oracle", "urlharness": "harness"}


class Citation(NamedTuple):
    """A ruling, the file from the top of the repository, and the name there: `Class.method`, or a rule.

    The name is empty if the citation is outside every definition and rule.
    """

    ruling: str
    file: str
    name: str


def citations() -> list[Citation]:
    """Return every citation of a ruling in the oracle and the harness, by file and line."""
    cited = []
    for package, root in ROOTS.items():
        folder = Path(str(resources.files(package)))
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".bnf", ".abnf"):
                file = "/".join((root, package, *path.relative_to(folder).parts))
                cited += cited_in(file, path.read_text(encoding="utf-8"))
    return cited


def cited_in(file: str, text: str) -> list[Citation]:
    """Return the citations of one file."""
    lines = list(rulings_of(text))
    if not lines:
        return []
    source = _Module(text) if file.endswith(".py") else _Grammar(text)
    return [Citation(ruling, file, source.name_at(line)) for line, ruling in lines]


def rulings_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line, ruling) for each citation in a text; lines count from 1."""
    for number, line in enumerate(text.splitlines(), 1):
        for family, first, further in _CITATION.findall(line):
            for ordinal in (first, *re.findall(r"-\d{2}", further)):
                yield number, family + ordinal


class _Module:
    """A Python module; finds the definition that a line belongs to."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.spans = sorted(_spans(ast.parse(text).body))

    def name_at(self, line: int) -> str:
        """Return the innermost definition around a line, or the definition below a comment outside of all.

        Return an empty text if there is none.
        """
        around = [name for first, last, name in self.spans if first <= line <= last]
        if around:
            return around[-1]
        below = line
        while below <= len(self.lines) and self.lines[below - 1].startswith("#"):
            below += 1
        return next((name for first, _, name in self.spans if first == below), "")


def _spans(body: Iterable[ast.stmt], outer: str = "") -> Iterator[tuple[int, int, str]]:
    """Yield first line, last line and name of every function, class, method and constant."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield first, node.end_lineno or first, outer + node.name
            if isinstance(node, ast.ClassDef):
                yield from _spans(node.body, f"{outer}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                yield node.lineno, node.end_lineno or node.lineno, outer + target.id


class _Grammar:
    """A grammar file; finds the rule that a line belongs to."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()

    def name_at(self, line: int) -> str:
        """Return the rule whose production, or the comment directly above it, contains the line.

        Return an empty text if there is none.
        """
        for text in self.lines[line - 1 :]:
            rule = _RULE.match(text)
            if rule:
                return rule[1]
            if not text.startswith(";"):
                return ""
        return ""
