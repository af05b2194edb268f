"""Imports run one way, and modules stay small: vectors import nothing, the oracle only itself."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

PACKAGES = ("urlvectors", "urloracle", "urlharness")
LONGEST = 300

# Modules of the harness that may ask the oracle: the reference adapter, the commands that ask, explain or
# compare, and the engine that judges columns by the automata of the oracle.
ASKS_THE_ORACLE = {
    "urlharness.adapters.reference",
    "urlauthor.adequacy.kill",
    "urlauthor.adequacy.kill",
    "urlauthor.adequacy.subjects",
    "urlauthor.adequacy.faults",
    "urlauthor.adequacy.faults",
    "urlauthor.adequacy.mutants",
    "urlauthor.adequacy.resolution",
    "urlauthor.adequacy.kill",
    "urlauthor.adequacy.subjects",
    "urlauthor.adequacy.suites",
    "urlauthor.adequacy.suites",
    "urlauthor.adequacy.subjects",
    "urlauthor.adequacy.analysis",
    "urlharness.batch.check",
    "urlharness.batch.engine",
    "urlharness.batch.engine",
    "urlharness.batch.reasons",
    "urlharness.batch.tables",
    "urlharness.batch.tables",
    "urlharness.cli.understand.answers",
    "urlharness.cli.understand.explain",
    "urlharness.cli.understand.explain",
    "urlharness.cli.understand.answers",
    "urlharness.cli.understand.answers",
    "urlharness.generate.hsi",
    "urlharness.generate.labels",
    "urlharness.generate.labels",
    "urlharness.generate.resolution",
    "urlharness.generate.hsi",
    "urlharness.generate.split_cover",
    "urlharness.generate.hsi",
    "urlharness.generate.tiers",
    "urlauthor.lint.vectors",
    "urlharness.explain.answers",
    "urlharness.explain.classify",
    "urlharness.explain.refusal",
    "urlharness.explain.refusal",
    "urlharness.explain.gather",
    "urlharness.explain.page",
    "urlharness.explain.page",
    "urlharness.explain.page",
    "urlauthor.cli",
    "urlauthor.cli",
}


class Module:
    """A module as text: its name, and the modules that it imports, inside functions as well."""

    def __init__(self, path: Path, root: Path) -> None:
        parts = path.relative_to(root.parent).with_suffix("").parts
        self.package = path.stem == "__init__"
        self.name = ".".join(parts[:-1] if self.package else parts)
        self.text = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)

    def imports(self, known: set[str], *, when_loaded: bool = False) -> set[str]:
        """Names of the imported modules; `from package import module` names the module where it is known."""
        nodes = self._top_level() if when_loaded else ast.walk(self.tree)
        found = set()
        for node in nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                origin = self._origin(node)
                for alias in node.names:
                    inner = f"{origin}.{alias.name}"
                    found.add(inner if inner in known else origin)
        return found

    def _origin(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        above = parts[: len(parts) - node.level + self.package]
        return ".".join([*above, *([node.module] if node.module else [])])

    def _top_level(self) -> Iterator[ast.AST]:
        """Every statement that runs when the module is loaded: none inside functions."""
        queue: list[ast.AST] = [self.tree]
        for node in queue:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                yield node
                queue.extend(ast.iter_child_nodes(node))


def violations(root: Path) -> list[str]:
    """Everything below the folder of one package that breaks a rule of the layers."""
    modules = [Module(path, root) for path in sorted(root.rglob("*.py"))]
    known = {module.name for module in modules}
    found = []
    for module in modules:
        imported = module.imports(known)
        found += [
            f"{module.name} imports {name}" for name in sorted(imported) if not _allowed(module.name, name)
        ]
        lines = module.text.count("\n")
        if lines >= LONGEST:
            found.append(f"{module.name} has {lines} lines")
        if not ast.get_docstring(module.tree):
            found.append(f"{module.name} does not say what it is")
    graph = {module.name: module.imports(known, when_loaded=True) & known for module in modules}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        found.append(f"import cycle: {' -> '.join(cycle.args[1])}")
    return found


def _allowed(importer: str, imported: str) -> bool:
    """May a module import another?  The design, section 4: harness over vectors; the oracle beside them."""
    package, target = importer.partition(".")[0], imported.partition(".")[0]
    match package, target:
        case "urlvectors", _:
            return False
        case "urloracle", _:
            return target == "urloracle" or target in sys.stdlib_module_names
        case "urlharness", "urloracle":
            return importer in ASKS_THE_ORACLE
        case "urlharness", "urlharness":
            return not imported.startswith("urlharness.cli") or importer.startswith("urlharness.cli")
        case _:
            return True


@pytest.mark.parametrize("package", PACKAGES)
def test_layers(package):
    """Nothing in the package breaks a rule."""
    assert violations(Path(str(resources.files(package)))) == []


def test_every_module_is_seen():
    """The check reads the packages that are installed, all of their modules."""
    for package in PACKAGES:
        root = Path(str(resources.files(package)))
        names = {Module(path, root).name for path in root.rglob("*.py")}
        assert package in names
    assert names >= ASKS_THE_ORACLE


# a file, what stands in it, and what the check says of it
PLANTED = {
    "vectors-import": ("urlvectors/more.py", "import json", "urlvectors.more imports json"),
    "oracle-imports-harness": ("urloracle/a.py", "import urlharness", "urloracle.a imports urlharness"),
    "oracle-imports-a-library": ("urloracle/a.py", "import msgspec", "urloracle.a imports msgspec"),
    "oracle-imports-vectors": (
        "urloracle/a.py",
        "def f():\n    from urlvectors import x",
        "urloracle.a imports urlvectors",
    ),
    "runner-asks-the-oracle": (
        "urlharness/runner.py",
        "from urloracle import parse",
        "urlharness.runner imports urloracle",
    ),
    "command-asks-the-oracle": (
        "urlharness/cli/run.py",
        "def run():\n    import urloracle.errors",
        "urlharness.cli.judge.run imports urloracle.errors",
    ),
    "library-imports-command": (
        "urlharness/a.py",
        "from urlharness import cli",
        "urlharness.a imports urlharness.cli",
    ),
    "library-imports-command-relatively": (
        "urlharness/a.py",
        "from .cli import run",
        "urlharness.a imports urlharness.cli",
    ),
    "too-long": ("urloracle/a.py", "x = 1\n" * 300, "urloracle.a has 302 lines"),
}


@pytest.fixture
def tree(tmp_path):
    """Three packages without a fault."""
    for package in (*PACKAGES, "urlharness/cli"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text('"""A package."""\n', encoding="utf-8")
    assert [violations(tmp_path / package) for package in PACKAGES] == [[], [], []]
    return tmp_path


def _write(path, text):
    path.write_text(f'"""A module."""\n{text}\n', encoding="utf-8")


@pytest.mark.parametrize("name", PLANTED)
def test_planted_violation_is_seen(name, tree):
    """Each rule is one that can be broken, and the check says by whom."""
    path, text, message = PLANTED[name]
    _write(tree / path, text)
    assert violations(tree / path.partition("/")[0]) == [message]


def test_planted_cycle_is_seen(tree):
    """Two modules that need each other to be loaded; within a function an import is no cycle."""
    _write(tree / "urloracle" / "a.py", "from urloracle import b")
    _write(tree / "urloracle" / "b.py", "def f():\n    from urloracle.a import x")
    assert violations(tree / "urloracle") == []
    _write(tree / "urloracle" / "b.py", "if True:\n    from .a import x")
    (message,) = violations(tree / "urloracle")
    assert message in (
        "import cycle: urloracle.a -> urloracle.b -> urloracle.a",
        "import cycle: urloracle.b -> urloracle.a -> urloracle.b",
    )


def test_planted_silence_is_seen(tree):
    """A module opens with what it is for."""
    (tree / "urlharness" / "a.py").write_text("x = 1\n", encoding="utf-8")
    assert violations(tree / "urlharness") == ["urlharness.a does not say what it is"]


def test_what_is_allowed(tree):
    """The harness imports libraries, vectors and itself; its commands import each other."""
    _write(tree / "urlharness" / "a.py", "import msgspec\nimport urlvectors\nfrom urlharness import b")
    _write(tree / "urlharness" / "b.py", "import json")
    _write(
        tree / "urlharness" / "cli" / "ask.py", "from urloracle import parse\nfrom urlharness.cli import x"
    )
    _write(tree / "urloracle" / "a.py", "import re\nimport urloracle.b")
    _write(tree / "urloracle" / "b.py", "from collections.abc import Iterator")
    assert [violations(tree / package) for package in PACKAGES] == [[], [], []]
