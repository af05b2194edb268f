"""Mutation operators: one small change at one place in a right-hand side or in a function."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from urloracle.automata.dfa import ASCII
from urloracle.grammar.expression import (
    EMPTY,
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    optional,
)
from urloracle.grammar.expression import Sequence as Chain

#: Iterations after which a loop counts as endless.
_FUEL = 10_000


class Edit(NamedTuple):
    """A mutant of a function: the operator, the changed line, the changed module, and the function's name."""

    operator: str
    line: int
    tree: ast.Module
    name: str

    @property
    def code(self) -> CodeType:
        """The code of the changed function."""
        return compiled(self.tree, self.name)


def edits(function: FunctionType) -> Iterator[Edit]:
    """Yield all distinct edits of a function, except in `if note:` statements, which only report steps."""
    source = textwrap.dedent(inspect.getsource(function))
    tree = _WithoutNotes().visit(ast.parse(source))
    seen = {ast.dump(tree)}
    count = sum(1 for _ in ast.walk(tree))
    for number in range(count):
        for operator, line, changed in _at(tree, number):
            text = ast.dump(changed)
            if text not in seen:
                seen.add(text)
                yield Edit(operator, line, changed, function.__name__)


def compiled(tree: ast.Module, name: str) -> CodeType:
    """Compile the function `name` in the tree, with bounded loops."""
    limited = ast.fix_missing_locations(_Limited().visit(copy.deepcopy(tree)))
    constants = compile(limited, "<edit>", "exec", dont_inherit=True).co_consts
    return next(code for code in constants if isinstance(code, CodeType) and code.co_name == name)


class _WithoutNotes(ast.NodeTransformer):
    """Removes the `if` statements that test `note`."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        noting = any(isinstance(part, ast.Name) and part.id == "note" for part in ast.walk(node.test))
        return None if noting else node


class _Limited(ast.NodeTransformer):
    """Replaces each `while` by a bounded `for`, because an edit may make a loop endless."""

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
    """Yield (operator, line, tree) for each change to the node with this number in `ast.walk`."""
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


#: Variables that an implementer may confuse: components of base and reference.
_INHERITED = {
    "base_authority": "authority", "base_path": "path", "base_query": "query", "base_net_loc": "net_loc",
    "base_params": "params", "whole_path": "path", "authority": "base_authority", "path": "base_path",
    "query": "base_query", "params": "base_params", "base": "reference", "reference": "base",
    "base_text": "reference_text", "reference_text": "base_text", "kept": "output", "rooted": "base_path",
}  # fmt: skip


def _setting(field: str, value: object) -> _Change:
    return lambda node: setattr(node, field, value)


def _truthy(node: ast.Compare) -> None:
    """Replace `x is None` by a test for empty values, and `x is not None` by a test for non-empty ones."""
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
    """Replace a call by its argument: the called function becomes `lambda value: value`."""
    node.func = ast.Lambda(
        ast.arguments([], [ast.arg("value")], None, [], [], None, []), ast.Name("value", ast.Load())
    )


def _becoming(field: str) -> _Change:
    def change(node: ast.BinOp) -> None:
        kept = getattr(node, field)
        node.left, node.right = kept, ast.BinOp(copy.deepcopy(kept), ast.Mult(), ast.Constant(0))

    return change


#: Single-character literals that an implementer may confuse.
DELIMITERS = ":/?#[]@;=&,.%"

#: Characters that mutants add to a class: all printable ones, the usual control characters, and DEL.
INTRUDERS = (*ASCII[32:127], "\x00", "\x01", "\t", "\n", "\r", "\x1f", "\x7f")

#: The finite bounds that replace an infinite one.
_FINITE = (1, 8)


class Mutation(NamedTuple):
    """A changed expression, and the operator that changed it.

    `character` is the character that the operator adds or removes, or empty for other operators.  `place` is
    the path from the whole expression to the changed part: the indexes of parts, outermost first.
    """

    operator: str
    expression: Expression
    character: str = ""
    place: tuple[int, ...] = ()


#: Returns the rules of the same kind as a rule.
Kin = Callable[[str], Sequence[str]]

#: Returns the characters of an expression whose words are single characters, else None.
ClassOf = Callable[[Expression], frozenset[str] | None]


def mutations(expression: Expression, class_of: ClassOf, kin: Kin) -> Iterator[Mutation]:
    """Yield all distinct mutations of an expression; each changes one place."""
    seen = {expression}
    for mutation in _everywhere(expression, class_of, kin):
        if mutation.expression not in seen:
            seen.add(mutation.expression)
            yield mutation


def _everywhere(expression: Expression, class_of: ClassOf, kin: Kin) -> Iterator[Mutation]:
    members = class_of(expression)
    if members is not None and not isinstance(expression, Reference):
        yield from _of_class(expression, members, class_of, kin)
        return
    yield from _here(expression, class_of, kin)
    for number, (item, rebuild) in enumerate(_children(expression, class_of)):
        for operator, changed, char, place in _everywhere(item, class_of, kin):
            yield Mutation(operator, rebuild(changed), char, (number, *place))


def _children(
    expression: Expression, class_of: ClassOf
) -> Iterator[tuple[Expression, Callable[[Expression], Expression]]]:
    """Yield the parts of an expression, each with a function that replaces this part."""
    match expression:
        case Chain(items) if not _is_literal(expression):
            for number, item in enumerate(items):
                yield item, lambda new, at=number: Chain(_put(items, at, new))  # type: ignore[misc]
        case Alternation(items):
            for number, item in enumerate(items):
                if class_of(item) is None or isinstance(item, Reference):
                    yield item, lambda new, at=number: Alternation(_put(items, at, new))  # type: ignore[misc]
        case Repetition(item, minimum, maximum):
            yield item, lambda new: Repetition(new, minimum, maximum)
        case Capture(name, item):
            yield item, lambda new: Capture(name, new)


def _here(expression: Expression, class_of: ClassOf, kin: Kin) -> Iterator[Mutation]:
    match expression:
        case Reference(name):
            for other in kin(name):
                yield Mutation("replace-reference", Reference(other))
        case Chain() if _is_literal(expression):
            yield from _of_literal(expression)
        case Chain(items):
            yield from _of_sequence(items)
        case Alternation(items):
            for number in range(len(items)):
                yield Mutation("drop-alternative", _either(_put(items, number)))
            yield from _of_classes_among(items, class_of)
        case Repetition(item, 0, 1):
            yield Mutation("optional-required", item)
            yield Mutation("optional-never", EMPTY)
            yield Mutation("optional-repeated", Repetition(item, 0, None))
        case Repetition():
            yield from _of_bounds(expression)


def _of_sequence(items: tuple[Expression, ...]) -> Iterator[Mutation]:
    for number, item in enumerate(items):
        yield Mutation("drop-element", _chain(_put(items, number)))
        yield Mutation("make-optional", Chain(_put(items, number, optional(item))))
        yield Mutation("duplicate", Chain(_put(items, number, item, item)))
    for number in range(len(items) - 1):
        swapped = (items[number + 1], items[number])
        yield Mutation("swap-neighbours", Chain((*items[:number], *swapped, *items[number + 2 :])))


def _of_bounds(repetition: Repetition) -> Iterator[Mutation]:
    item, low, high = repetition.element, repetition.minimum, repetition.maximum
    bounds: list[tuple[int, int | None]] = []
    if low > 0:
        bounds.append((low - 1, high))
    if high is None:
        bounds += [(low + 1, None), *((low, max(low, finite)) for finite in _FINITE)]
    else:
        bounds += [(low, high + 1), (low, None)]
        if high > low:
            bounds += [(low, high - 1), (low + 1, high)]
        else:
            bounds += [(low - 1, high - 1), (low + 1, high + 1)]
    for minimum, maximum in bounds:
        yield Mutation("bound", Repetition(item, minimum, maximum))


def _of_literal(literal: Chain) -> Iterator[Mutation]:
    """Yield mutations of a literal of several characters."""
    items = literal.elements
    for number, item in enumerate(items):
        assert isinstance(item, Characters)
        yield Mutation("literal-drop", _chain(_put(items, number)))
        other = "y" if "x" in item.members else "x"
        yield Mutation("literal-substitute", Chain(_put(items, number, Characters(frozenset(other)))))
    yield from _of_case(literal)


def _of_case(literal: Chain) -> Iterator[Mutation]:
    sets = [item.members for item in literal.elements if isinstance(item, Characters)]
    if any(min(members).isalpha() for members in sets):
        for forms in ((str.lower, str.upper), (str.lower,), (str.upper,)):
            items = (Characters(frozenset(form(m) for m in members for form in forms)) for members in sets)
            yield Mutation("literal-case", Chain(tuple(items)))


def _of_class(  # noqa: C901 - one operator after the other
    expression: Expression, members: frozenset[str], class_of: ClassOf, kin: Kin
) -> Iterator[Mutation]:
    """Yield mutations of an expression that derives only single characters.

    Each mutation is a set of characters.
    """
    if len(members) == 1:
        (single,) = members
        if single in DELIMITERS:
            for other in DELIMITERS:
                yield Mutation("swap-delimiter", Characters(frozenset(other)))
        elif single.isalpha():
            yield Mutation("literal-case", Characters(frozenset((single.lower(), single.upper()))))
            yield Mutation("literal-case", Characters(frozenset(single.swapcase())))
        return
    if isinstance(expression, Alternation):
        for number, item in enumerate(expression.elements):
            rest = _union(_put(expression.elements, number), class_of)
            if isinstance(item, Reference):
                if rest:
                    yield Mutation("drop-alternative", Characters(rest))
                for other in kin(item.name):
                    yield Mutation(
                        "replace-reference", Characters(rest | _union([Reference(other)], class_of))
                    )
    for char in sorted(members):
        yield Mutation("remove-character", Characters(members - {char}), char)
    for char in INTRUDERS:
        yield Mutation("add-character", Characters(members | {char}), char)


def _of_classes_among(items: tuple[Expression, ...], class_of: ClassOf) -> Iterator[Mutation]:
    """Yield mutations of an alternation that derives single characters and longer words.

    Each mutation adds or removes one of the single characters.
    """
    classes = [item for item in items if class_of(item) is not None]
    members = _union(classes, class_of)
    if len(members) < 2:
        return
    others = tuple(item for item in items if class_of(item) is None)
    for char in sorted(members):
        yield Mutation("remove-character", Alternation((Characters(members - {char}), *others)), char)
    for char in INTRUDERS:
        if char not in members:
            yield Mutation("add-character", Alternation((Characters(members | {char}), *others)), char)


def _union(items: Sequence[Expression], class_of: ClassOf) -> frozenset[str]:
    return frozenset[str]().union(*(class_of(item) or () for item in items))


def _is_literal(expression: Expression) -> bool:
    return (
        isinstance(expression, Chain)
        and len(expression.elements) > 1
        and all(
            isinstance(i, Characters) and len({m.lower() for m in i.members}) == 1
            for i in expression.elements
        )
    )


def _put(items: tuple[Expression, ...], number: int, *instead: Expression) -> tuple[Expression, ...]:
    return (*items[:number], *instead, *items[number + 1 :])


def _chain(items: tuple[Expression, ...]) -> Expression:
    return items[0] if len(items) == 1 else Chain(items)


def _either(items: tuple[Expression, ...]) -> Expression:
    return items[0] if len(items) == 1 else Alternation(items)
