"""The reference of the Python interface, from the signatures and docstrings in the source."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import fill

from generator.markdown import anchors, code, link

_ROOT = {"urloracle": "oracle", "urlharness": "harness"}
_WIDTH = 88  # of a line of code
_HEAD = """# The Python interface

Made by `python docs/make.py` from the docstrings. Import the questions from `urloracle` and the types of
their answers from `urloracle.types`. The tests run every example.

A specification is an identifier (`rfc1738`, `rfc1808`, `rfc2396`, `rfc2732`, `rfc3986`, `rfc3987`) or a
`Specification`. An invalid text raises [`InvalidURL`](#invalidurl); a question that the RFC does not answer
raises [`Unsupported`](#unsupported).

`urlharness` tests a library with the corpus, as `urlconform run` does: [gating.md](gating.md#10-from-python)
has an example.
"""
#: For each group, maps the public names of the harness to the modules that define them.
_HARNESS = {
    "The harness: `urlharness`": {
        **dict.fromkeys(
            ("run", "stream", "Report", "Gate", "NothingSelected", "assert_conforms"), "urlharness.api"
        ),
        **dict.fromkeys(("functions", "Functions"), "urlharness.adapters.python"),
        **dict.fromkeys(("Result",), "urlharness.results.model"),
    },
    "Hypothesis: `urlharness.strategies`": dict.fromkeys(
        ("urls", "references", "bases", "url_pairs", "invalid_urls", "near_misses", "InvalidText"),
        "urlharness.strategies",
    ),
    "The corpus: `urlharness.corpus`": {
        "load": "urlharness.corpus.loader",
        **dict.fromkeys(
            ("Corpus", "Case", "Vector", "Expected", "Requirement", "CorpusError", "corpus_dir"),
            "urlharness.corpus.model",
        ),
    },
}


def page() -> str:
    """Return the whole page."""
    groups = {**_groups_of_oracle(), **_groups_of_harness()}
    parts = [_HEAD, _contents(groups)]
    for title, members in groups.items():
        parts.append(f"\n## {title}\n")
        parts += [_entry(name, home) for name, home in members.items()]
    return "".join(parts)


def _groups_of_oracle() -> dict[str, dict[str, str]]:
    """For each group, map the names of the oracle to the modules that define them."""
    root = importlib.import_module("urloracle")
    types = importlib.import_module("urloracle.types")
    groups: dict[str, dict[str, str]] = {
        title: {} for title in ("Questions", "Errors", "Specifications", "Answers")
    }
    for name in dict.fromkeys([*root.__all__, *types.__all__]):
        module = root if name in root.__all__ else types
        definition = getattr(module, name)
        home = _home(name, definition, "urloracle.")
        if isinstance(definition, type) and issubclass(definition, Exception):
            groups["Errors"][name] = home
        elif home.startswith("urloracle.specification"):
            groups["Specifications"][name] = home
        elif inspect.isroutine(definition):
            groups["Questions"][name] = home
        else:
            groups["Answers"][name] = home
    return groups


def _groups_of_harness() -> dict[str, dict[str, str]]:
    """For each group, map the names of the harness to the modules that define them, all of them imported."""
    for names in _HARNESS.values():
        for module in names.values():
            importlib.import_module(module)
    return _HARNESS


def _contents(groups: dict[str, dict[str, str]]) -> str:
    """Return a list of the groups and their names; names that differ only in case have numbered anchors."""
    headings: list[str] = []
    for title, members in groups.items():
        headings += [title, *members]
    anchors_in_order = iter(anchors("\n".join(f"# {heading}" for heading in headings)))
    lines = []
    for title, members in groups.items():
        group = link(title, f"#{next(anchors_in_order)}")
        names = [link(code(name), f"#{next(anchors_in_order)}") for name in members]
        lines.append(f"- {group}: {', '.join(names)}\n")
    return f"\n{''.join(lines)}"


def _entry(name: str, home: str) -> str:
    """Return heading, signature and docstring of a name, and a link to its source."""
    package, *inner = home.split(".")
    file = Path(_file(home)).name
    source = "/".join([_ROOT[package], package, *inner[:-1], file])
    definition = "".join(_blocks(home, _definitions(home, name)))
    return f"\n### {name}\n\n{definition}\n{link(code(home), f'../{source}')}\n"


def _home(name: str, definition: object, package: str) -> str:
    """Return the module that defines a class or function, or the first one that assigns a constant.

    `package` is the beginning of the names of the modules that are searched.
    """
    if isinstance(definition, type) or inspect.isroutine(definition):
        return str(definition.__module__)
    modules = sorted(module for module in sys.modules if module.startswith(package))
    written = (module for module in modules if _file(module).endswith(".py"))  # the C engine is not
    return next(module for module in written if name in _assigned(module))


def _assigned(module: str) -> set[str]:
    """Return the names that a module assigns at its top level."""
    names = set()
    for node in _tree(module).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            names.update(_defined_names(node))
    return names


def _file(module: str) -> str:
    path = sys.modules[module].__file__
    assert path is not None  # a module of these packages is a file
    return path


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(Path(_file(module)).read_text(encoding="utf-8"))


def _statements(module: str, name: str) -> list[ast.stmt]:
    """Return the statements of a module that define a name (several for an overloaded function)."""
    return [node for node in _tree(module).body if name in _defined_names(node)]


def _defined_names(node: ast.stmt) -> list[str]:
    """Return the name that a statement defines, or nothing if it is another kind of statement."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def _definitions(module: str, name: str) -> list[ast.stmt]:
    """Return the statements that define a name, at least one.  Raise LookupError if there is none."""
    statements = _statements(module, name)
    if not statements:
        raise LookupError(f"{module} does not define {name}")
    return statements


def _blocks(home: str, nodes: list[ast.stmt]) -> Iterator[str]:
    """Yield the Markdown of a definition; the members of a union are listed one by one."""
    match nodes[-1]:
        case ast.FunctionDef() as function:
            overloads = [node for node in nodes[:-1] if isinstance(node, ast.FunctionDef)]
            signatures = map(_signature, overloads or [function])
            yield _python("\n".join(signatures))
            yield from _docstring(function)
        case ast.ClassDef() as kind:
            yield from _class(home, kind)
        case node:
            text = _source(node)
            kinds = [kind for kind in _classes(home) if kind.name in _mentioned_names(node)]
            if kinds:
                text = fill(text, _WIDTH, subsequent_indent="    ")
            elif len(text) > _WIDTH:
                text = f"{text.partition('=')[0].strip()} = …"
            yield _python(text)
            for kind in kinds:
                yield "\n"
                yield from _class(home, kind)


def _classes(module: str) -> list[ast.ClassDef]:
    return [node for node in _tree(module).body if isinstance(node, ast.ClassDef)]


def _mentioned_names(node: ast.AST) -> set[str]:
    """Return the names that a type or a value refers to."""
    expression = node.value if isinstance(node, ast.Assign) else getattr(node, "annotation", node)
    return {name.id for name in ast.walk(expression) if isinstance(name, ast.Name)}


def _class(home: str, kind: ast.ClassDef) -> Iterator[str]:
    """Yield the fields with their types, the docstring, and the public methods and properties of a class."""
    fields = [
        node for node in kind.body if isinstance(node, ast.AnnAssign) and _is_public(_source(node.target))
    ]
    literals = _literal_types(home, fields)
    bases = ", ".join(map(_source, kind.bases))
    line = f"class {kind.name}({bases})" if bases else f"class {kind.name}"
    lines = [*literals, ""] if literals else []
    lines.append(f"{line}:" if fields else line)
    lines += [f"    {_source(field)}" for field in fields]
    yield _python("\n".join(lines))
    yield from _docstring(kind)
    methods = [node for node in kind.body if isinstance(node, ast.FunctionDef) and _is_public(node.name)]
    documented = [node for node in methods if ast.get_docstring(node)]
    if documented:
        yield "\n"
    for node in documented:
        yield f"- {code(_member(node))}: {_summary(node)}\n"


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _literal_types(home: str, fields: list[ast.AnnAssign]) -> list[str]:
    """Return the definitions of the short `Literal` types that the fields of a class have."""
    mentioned = set().union(*map(_mentioned_names, fields))
    definitions = []
    for name in sorted(mentioned & _assigned(home)):
        definitions += map(_source, _statements(home, name))
    return [text for text in definitions if "Literal[" in text and len(text) <= _WIDTH]


def _member(node: ast.FunctionDef) -> str:
    """Return the signature of a method on one line, or a property like an attribute."""
    is_property = any("property" in _source(decorator) for decorator in node.decorator_list)
    return _attribute(node) if is_property else _line(node)


def _summary(node: ast.FunctionDef) -> str:
    """Return the first paragraph of a docstring on one line."""
    docstring = ast.get_docstring(node) or ""
    return re.sub(r"\s+", " ", docstring.split("\n\n")[0])


def _attribute(node: ast.FunctionDef) -> str:
    kind = f": {_source(node.returns)}" if node.returns else ""
    return f"{node.name}{kind}"


def _signature(node: ast.FunctionDef) -> str:
    """Return the signature, on one line if it fits, otherwise with one parameter per line."""
    line = f"def {_line(node)}"
    if len(line) <= _WIDTH:
        return line
    inside = "".join(f"    {part},\n" for part in _parameters(node))
    return f"def {node.name}(\n{inside}){_returns(node)}"


def _line(node: ast.FunctionDef) -> str:
    return f"{node.name}({', '.join(_parameters(node))}){_returns(node)}"


def _returns(node: ast.FunctionDef) -> str:
    return f" -> {_source(node.returns)}" if node.returns else ""


def _parameters(node: ast.FunctionDef) -> list[str]:
    """Return each parameter except `self` with its type and default."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    parts = []
    for argument, default in zip(positional, defaults, strict=True):
        if argument.arg != "self":
            parts.append(_parameter(argument, default))
    if arguments.vararg:
        parts.append(f"*{_parameter(arguments.vararg, None)}")
    elif arguments.kwonlyargs:
        parts.append("*")
    parts += map(_parameter, arguments.kwonlyargs, arguments.kw_defaults)
    if arguments.kwarg:
        parts.append(f"**{_parameter(arguments.kwarg, None)}")
    return parts


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    typed = argument.arg
    equals = "="
    if argument.annotation:
        typed += f": {_source(argument.annotation)}"
        equals = " = "
    return typed if default is None else f"{typed}{equals}{_source(default)}"


def _docstring(node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    """Yield a docstring as Markdown: paragraphs, indented text unchanged, and examples."""
    text = ast.get_docstring(node)
    for part in (text or "").split("\n\n"):
        lines = part.strip("\n")
        if lines.lstrip().startswith(">>>"):
            yield f"\n```pycon\n{lines}\n```\n"
        elif lines.startswith("    "):
            yield f"\n```text\n{inspect.cleandoc(lines)}\n```\n"
        elif lines:
            yield f"\n{lines.replace('  ', ' ')}\n"


def _source(node: ast.AST) -> str:
    """Return the source of a node, with double quotes for single ones unless it has both."""
    text = ast.unparse(node)
    return text if '"' in text else text.replace("'", '"')


def _python(text: str) -> str:
    return f"```py\n{text}\n```\n"
