"""Mutants of an algorithm: every edit of one place of a function's syntax tree, as one step done wrong.

The edits are those of mutation testing: a condition negated, forced, or one of its parts forgotten; absent
taken for empty; a statement dropped, or two of them exchanged; a constant off by one; a call left out; two
components exchanged, or that of the base taken for that of the reference.
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

_FUEL = 10_000  # passes after which a loop is taken to be endless


class Edit(NamedTuple):
    """What it is, the line of the function it is in, and the code that takes the function's place."""

    operator: str
    line: int
    code: CodeType


def edits(function: FunctionType) -> Iterator[Edit]:
    """Every edit of a function that compiles to other code, none twice."""
    source = textwrap.dedent(inspect.getsource(function))
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    count = sum(1 for _ in ast.walk(tree))
    for number in range(count):
        for operator, line, changed in _at(tree, number):
            text = ast.dump(changed)
            if text not in seen:
                seen.add(text)
                yield Edit(operator, line, compiled(changed, function.__name__))


def compiled(tree: ast.Module, name: str) -> CodeType:
    """The code of the function of a tree; its loops end."""
    limited = ast.fix_missing_locations(_Limited().visit(copy.deepcopy(tree)))
    constants = compile(limited, "<edit>", "exec", dont_inherit=True).co_consts
    return next(code for code in constants if isinstance(code, CodeType) and code.co_name == name)


class _Limited(ast.NodeTransformer):
    """Puts `for` with a bound in the place of `while`, whose end an edit may have taken away."""

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        text = f"for _ in range({_FUEL}):\n    if not 0:\n        break\nelse:\n    raise RuntimeError"
        (loop,) = ast.parse(text).body
        assert isinstance(loop, ast.For)
        (test,) = loop.body
        assert isinstance(test, ast.If)
        assert isinstance(test.test, ast.UnaryOp)
        test.test.operand = node.test
        loop.body += node.body
        return loop


def _at(tree: ast.Module, number: int) -> Iterator[tuple[str, int, ast.Module]]:
    """The trees that differ in the node of a number, as `ast.walk` counts."""
    node = list(ast.walk(tree))[number]
    for operator, change in _changes(node):
        changed = copy.deepcopy(tree)
        place = list(ast.walk(changed))[number]
        change(place)
        yield operator, getattr(node, "lineno", 0), changed


_Change = Callable[[Any], None]

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn,
    ast.NotIn: ast.In, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip


def _changes(node: ast.AST) -> Iterator[tuple[str, _Change]]:  # noqa: C901, PLR0912 - a case for each operator
    match node:
        case ast.Compare(ops=[operator]):
            yield "negate", _setting("ops", [_OPPOSITE[type(operator)]()])
            if isinstance(operator, ast.Is | ast.IsNot):
                yield "empty-as-absent", _truthy
        case ast.BoolOp(op=operator, values=values):
            yield "and-or", _setting("op", ast.Or() if isinstance(operator, ast.And) else ast.And())
            for place in range(len(values)):
                yield "drop-condition", _forget(place, absorbing=isinstance(operator, ast.And))
        case ast.If() | ast.IfExp():
            for value in (True, False):
                yield "force-condition", _setting("test", ast.Constant(value))
            yield "negate", _negated
        case ast.Constant(value=bool() | None):
            pass
        case ast.Constant(value=int(value)):
            for other in (value - 1, value + 1):
                yield "off-by-one", _setting("value", other)
        case ast.Constant(value=str(text)) if len(text) <= 4:
            for longer in sorted({text[1:], text[:-1], f"{text}/", "."} - {text}):
                yield "text", _setting("value", longer)
        case ast.Tuple(elts=parts):
            for place in range(len(parts) - 1):
                yield "swap-components", _swap("elts", place)
        case ast.Call(func=ast.Attribute(attr="find" | "rfind" as name)):
            yield "other-end", _renamed({"find": "rfind", "rfind": "find"}[name])
        case ast.Call(args=[_], keywords=[]):
            yield "skip-call", _argument_alone
        case ast.BinOp(op=ast.Add()):
            yield "drop-operand", _becoming("left")
            yield "drop-operand", _becoming("right")
        case ast.Name(id=name, ctx=ast.Load()) if name in _INHERITED:
            yield "inherit-wrongly", _setting("id", _INHERITED[name])
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        if isinstance(block, list) and not isinstance(node, ast.Module):
            yield from _of_block(field, block)


def _of_block(field: str, block: list[ast.stmt]) -> Iterator[tuple[str, _Change]]:
    for place, statement in enumerate(block):
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
            yield "drop-statement", _dropped(field, place)
            if place + 1 < len(block):
                yield "reorder", _swap(field, place)


#: The names of components of base and reference in the algorithms.
_INHERITED = {
    "base_authority": "authority", "base_path": "path", "base_query": "query", "base_net_loc": "net_loc",
    "base_params": "params", "whole_path": "path", "authority": "base_authority", "path": "base_path",
    "query": "base_query", "params": "base_params", "base": "reference", "reference": "base",
    "base_text": "reference_text", "reference_text": "base_text", "kept": "output", "rooted": "base_path",
}  # fmt: skip


def _setting(field: str, value: object) -> _Change:
    return lambda node: setattr(node, field, value)


def _truthy(node: ast.Compare) -> None:
    """`x is None` becomes true of what is empty, and `x is not None` of what is not."""
    negative = isinstance(node.ops[0], ast.Is)
    node.left = ast.Call(ast.Name("bool", ast.Load()), [node.left], [])
    node.ops = [ast.Is()]
    node.comparators = [ast.Constant(value=not negative)]


def _negated(node: ast.If | ast.IfExp) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _forget(place: int, *, absorbing: bool) -> _Change:
    def change(node: ast.BoolOp) -> None:
        node.values[place] = ast.Constant(value=absorbing)

    return change


def _swap(field: str, place: int) -> _Change:
    def change(node: ast.AST) -> None:
        items = getattr(node, field)
        items[place], items[place + 1] = items[place + 1], items[place]

    return change


def _dropped(field: str, place: int) -> _Change:
    def change(node: ast.AST) -> None:
        getattr(node, field)[place] = ast.Pass()

    return change


def _renamed(name: str) -> _Change:
    def change(node: ast.Call) -> None:
        assert isinstance(node.func, ast.Attribute)
        node.func.attr = name

    return change


def _argument_alone(node: ast.Call) -> None:
    """A call of one argument becomes that argument, as a conditional that says so: a node keeps its type."""
    node.func = ast.Lambda(
        ast.arguments([], [ast.arg("value")], None, [], [], None, []), ast.Name("value", ast.Load())
    )


def _becoming(field: str) -> _Change:
    def change(node: ast.BinOp) -> None:
        kept = getattr(node, field)
        node.left, node.right = kept, ast.BinOp(copy.deepcopy(kept), ast.Mult(), ast.Constant(0))

    return change
