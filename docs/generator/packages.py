"""The drawing of the packages: a box for each, in layers, with the imports that others do not imply."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from importlib import resources
from pathlib import Path

from generator.svg import WIDTH, box, curve, document, mono, text

_ROW, _TOP, _HEIGHT = 74, 92, 34
#: Maps each distribution package to the colour of its boxes.
_COLOURS = {"urlauthor": "g2", "urlharness": "g0", "urloracle": "g1", "urlvectors": "g3"}

Graph = Mapping[str, frozenset[str]]


def drawing() -> str:
    """Return the whole drawing as SVG."""
    graph = packages()
    rows = layers(graph)
    places = dict(_places(rows))
    body = [
        text(32, 40, "Packages and their imports", 20, "f-ink bold"),
        text(32, 62, "Arrows run down only. An import that others imply is left out.", 13, "f-soft"),
    ]
    for name, below in reduced(graph).items():
        body += [_edge(places[name], places[imported]) for imported in sorted(below)]
    for name, (x, y) in places.items():
        width, colour = _width(name), _COLOURS[name.partition(".")[0]]
        body.append(box(x - width / 2, y, width, _HEIGHT, "f-card", 8))
        body.append(box(x - width / 2, y, width, _HEIGHT, f"s-{colour}", 8, ' stroke-width="1.6"'))
        body.append(mono(x, y + 22, _label(name), 12.5, f"f-{colour}", "middle"))
    height = _TOP + _ROW * len(rows) + 8
    described = "; ".join(
        f"{name} imports {', '.join(sorted(graph[name]))}" for name in sorted(graph) if graph[name]
    )
    return document(height, "Packages and their imports", described, body)


def packages() -> Graph:
    """Map each package to the packages it imports; a module in the root of the harness counts as one."""
    imports: dict[str, set[str]] = {}
    for root in _COLOURS:
        folder = Path(str(resources.files(root)))
        for path in sorted(folder.rglob("*.py")):
            if "templates" in path.parts:
                continue
            module = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
            name = _package(module)
            imported = {
                _package(module_name)
                for module_name in _imports(path)
                if module_name.partition(".")[0] in _COLOURS
            }
            if module != "urlharness":  # it loads the Python API only when it is first used
                imports.setdefault(name, set()).update(imported - {name, "urlharness"})
    return {name: frozenset(imported & imports.keys()) for name, imported in imports.items()}


def _package(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "urlharness" else parts[0]


def _imports(path: Path) -> Iterator[str]:
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
    return rows[::-1]


def reduced(graph: Graph) -> Graph:
    """Return the transitive reduction: the imports that no chain of other imports implies."""
    below: dict[str, frozenset[str]] = {}
    for name in TopologicalSorter(graph).static_order():
        below[name] = graph[name].union(*(below[package] for package in graph[name]))
    return {
        name: imported - frozenset[str]().union(*(below[package] for package in imported))
        for name, imported in graph.items()
    }


def _places(rows: list[list[str]]) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the middle of the upper edge of each box."""
    for number, row in enumerate(rows):
        gap = WIDTH / (len(row) + 1)
        for column, name in enumerate(row, 1):
            yield name, (gap * column, _TOP + _ROW * number)


def _label(name: str) -> str:
    return name.removeprefix("urlharness.")


def _width(name: str) -> float:
    return 8 * len(_label(name)) + 24


def _edge(upper: tuple[float, float], lower: tuple[float, float]) -> str:
    x, y = upper[0], upper[1] + _HEIGHT
    to_x, to_y = lower
    bend = (to_y - y) / 2
    line = f"M{x:g} {y:g} C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}"
    head = f"M{to_x - 4:g} {to_y - 6:g} L{to_x:g} {to_y:g} L{to_x + 4:g} {to_y - 6:g}"
    return curve(line, "s-line") + curve(head, "s-soft")
