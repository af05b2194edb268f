"""The drawing of the packages: a box for each, in layers, with the imports that others do not imply."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from importlib import resources
from pathlib import Path

from generator.svg import WIDTH, arrow_head_down, box, curve, document, mono, text

#: The distance of two rows, the upper edge of the first one, and the height of a box.
_ROW = 74
_TOP = 92
_HEIGHT = 34
#: Maps each distribution package to the colour of its boxes.
_COLOURS = {"urlauthor": "g2", "urlharness": "g0", "urloracle": "g1", "urlvectors": "g3"}

Graph = Mapping[str, frozenset[str]]


def drawing() -> str:
    """Return the whole drawing as SVG."""
    graph = packages()
    rows = layers(graph)
    places = _places(rows)
    body = [
        text(32, 40, "Packages and their imports", 20, "f-ink bold"),
        text(32, 62, "Arrows run down only. An import that others imply is left out.", 13, "f-soft"),
    ]
    for name, below in reduced(graph).items():
        body += [_edge(places[name], places[imported]) for imported in sorted(below)]
    for name, (x, y) in places.items():
        body += _package_box(name, x, y)
    height = _TOP + _ROW * len(rows) + 8
    return document(height, "Packages and their imports", _imports_in_words(graph), body)


def _package_box(name: str, x: float, y: float) -> list[str]:
    """Return the box of a package; (x, y) is the middle of its upper edge."""
    label = name.removeprefix("urlharness.")
    width = 8 * len(label) + 24
    left_edge = x - width / 2
    colour = _COLOURS[name.partition(".")[0]]
    return [
        box(left_edge, y, width, _HEIGHT, "f-card", 8),
        box(left_edge, y, width, _HEIGHT, f"s-{colour}", 8, ' stroke-width="1.6"'),
        mono(x, y + 22, label, 12.5, f"f-{colour}", "middle"),
    ]


def _imports_in_words(graph: Graph) -> str:
    """Return what each package imports, for readers who do not see the drawing."""
    clauses = []
    for name, imported in sorted(graph.items()):
        if imported:
            clauses.append(f"{name} imports {', '.join(sorted(imported))}")
    return "; ".join(clauses)


def packages() -> Graph:
    """Map each package to the packages it imports; a module in the root of the harness counts as one."""
    imports: dict[str, set[str]] = {}
    for root in _COLOURS:
        folder = Path(str(resources.files(root)))
        for path in sorted(folder.rglob("*.py")):
            if "templates" in path.parts:
                continue
            module = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
            if module == "urlharness":  # it loads the Python API only when it is first used
                continue
            name = _package(module)
            ours = [imported for imported in _imports(path) if imported.partition(".")[0] in _COLOURS]
            imports.setdefault(name, set()).update(map(_package, ours))
            imports[name] -= {name, "urlharness"}
    return {name: frozenset(imported & imports.keys()) for name, imported in imports.items()}


def _package(module: str) -> str:
    """Return the name of the box of a module."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "urlharness" else parts[0]


def _imports(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "urlharness":
                yield from (f"urlharness.{alias.name}" for alias in node.names)
            else:
                yield node.module


def layers(graph: Graph) -> list[list[str]]:
    """Return the packages in rows, those without imports last, each as low as its imports allow."""
    rank: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        rank[name] = max((rank[below] + 1 for below in graph[name]), default=0)
    rows: list[list[str]] = [[] for _ in range(max(rank.values()) + 1)]
    for name in sorted(rank):
        rows[rank[name]].append(name)
    rows.reverse()
    return rows


def reduced(graph: Graph) -> Graph:
    """Return the transitive reduction: the imports that no chain of other imports implies."""
    implied: dict[str, frozenset[str]] = {}  # by package: what its imports import, also indirectly
    for name in TopologicalSorter(graph).static_order():
        implied[name] = frozenset()
        for package in graph[name]:
            implied[name] |= graph[package] | implied[package]
    return {name: imported - implied[name] for name, imported in graph.items()}


def _places(rows: list[list[str]]) -> dict[str, tuple[float, float]]:
    """Map each package to the middle of the upper edge of its box."""
    places = {}
    for number, row in enumerate(rows):
        gap = WIDTH / (len(row) + 1)
        for column, name in enumerate(row, 1):
            places[name] = (gap * column, _TOP + _ROW * number)
    return places


def _edge(upper: tuple[float, float], lower: tuple[float, float]) -> str:
    """Return a curved arrow from the lower edge of one box to the upper edge of another."""
    x, top = upper
    y = top + _HEIGHT
    to_x, to_y = lower
    bend = (to_y - y) / 2
    line = f"M{x:g} {y:g} C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}"
    return curve(line, "s-line") + curve(arrow_head_down(to_x, to_y), "s-soft")
