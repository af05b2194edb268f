"""Refuse names that say nothing about the thing they are bound to.

usage: python tests/lint_names.py [FOLDER...]     (default: the folders of sources and tests)

A filler name, such as `one`, `found` or `value`, makes the reader look up what was assigned.  Every such name
that a module or a function binds is printed with its line, and the exit code is 1.  Exempt are

- parameters of public functions and methods, which callers may pass by keyword,
- `other` in a special method, the name that Python itself uses for the second operand,
- `left` beside `right`, the two sides of a tree, and `x` beside `y`, the coordinates of a drawing.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDERS = ("oracle/urloracle", "harness/urlharness", "vectors/urlauthor", "tests")
# Programs and templates for other languages: each is read on its own, by people who do not know this project.
SKIPPED_FOLDERS = frozenset({"programs", "templates"})

PRONOUNS = "one other own each more what where here there mine place left"
PARTICIPLES = "found given made asked told kept shown chosen wanted known read taken said"
EMPTY_NOUNS = "item value data result obj x"
FILLERS = frozenset(f"{PRONOUNS} {PARTICIPLES} {EMPTY_NOUNS}".split())


#: A name that says something beside its counterpart in the same function.
PAIRS = {"left": "right", "x": "y"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Filler(NamedTuple):
    """A filler name that is bound in a file."""

    path: Path
    line: int
    name: str
    function: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name!r} in {self.function} says nothing: name the thing"


class _Bindings(ast.NodeVisitor):
    """Collects the filler names that a module binds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fillers: list[Filler] = []
        self._functions: list[Function] = []

    def visit_FunctionDef(self, function: ast.FunctionDef) -> None:
        self._visit_function(function)

    def visit_AsyncFunctionDef(self, function: ast.AsyncFunctionDef) -> None:
        self._visit_function(function)

    def _visit_function(self, function: Function) -> None:
        self._functions.append(function)
        self.generic_visit(function)
        self._functions.pop()

    def visit_ClassDef(self, definition: ast.ClassDef) -> None:
        # The fields of a class are its interface, like parameters: only its methods are read.
        for statement in definition.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.visit(statement)

    def visit_Name(self, name: ast.Name) -> None:
        if isinstance(name.ctx, ast.Store):
            self._bind(name.id, name.lineno)

    def visit_arg(self, argument: ast.arg) -> None:
        function = self._functions[-1] if self._functions else None
        is_parameter = function is not None and argument in _parameters(function)
        if not (is_parameter and function is not None and _is_public(function)):
            self._bind(argument.arg, argument.lineno)

    def visit_ExceptHandler(self, handler: ast.ExceptHandler) -> None:
        if handler.name:
            self._bind(handler.name, handler.lineno)
        self.generic_visit(handler)

    def visit_MatchAs(self, pattern: ast.MatchAs) -> None:
        if pattern.name:
            self._bind(pattern.name, pattern.lineno)
        self.generic_visit(pattern)

    def visit_MatchStar(self, pattern: ast.MatchStar) -> None:
        if pattern.name:
            self._bind(pattern.name, pattern.lineno)

    def visit_alias(self, alias: ast.alias) -> None:
        if alias.asname:
            self._bind(alias.asname, alias.lineno)

    def _bind(self, name: str, line: int) -> None:
        if name in FILLERS and not self._is_exempt(name):
            function = self._functions[-1].name if self._functions else "the module"
            self.fillers.append(Filler(self.path, line, name, function))

    def _is_exempt(self, name: str) -> bool:
        if not self._functions:
            return False
        function = self._functions[-1]
        if name == "other":
            return function.name.startswith("__") and function.name.endswith("__")
        return name in PAIRS and PAIRS[name] in _bound_names(function)


def _parameters(function: Function) -> list[ast.arg]:
    arguments = function.args
    variadic = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *variadic]


def _is_public(function: Function) -> bool:
    is_special = function.name.startswith("__") and function.name.endswith("__")
    return is_special or not function.name.startswith("_")


def _bound_names(function: ast.AST) -> set[str]:
    bound = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        if isinstance(node, ast.arg):
            bound.add(node.arg)
    return bound


def fillers(source: str, path: Path) -> list[Filler]:
    """Return the filler names that a module binds, in the order of its lines."""
    bindings = _Bindings(path)
    bindings.visit(ast.parse(source))
    return sorted(bindings.fillers, key=lambda filler: filler.line)


def modules(folder: Path) -> Iterator[Path]:
    """Return the Python files of a folder, or the file itself."""
    if folder.is_file():
        yield folder
        return
    for path in sorted(folder.rglob("*.py")):
        if SKIPPED_FOLDERS.isdisjoint(path.parts):
            yield path


def main(arguments: list[str]) -> int:
    """Print every filler name, and return the exit code."""
    folders = [Path(argument) for argument in arguments] or [ROOT / folder for folder in FOLDERS]
    count = 0
    for folder in folders:
        for path in modules(folder):
            for filler in fillers(path.read_text("utf-8"), path):
                print(filler)
                count += 1
    if count:
        print(f"{count} filler names")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
