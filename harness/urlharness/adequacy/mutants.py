"""Mutation operators: one small change at one place in a right-hand side or in a function."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from urlharness.words.letters import PRINTED, PRIVATE_LETTERS, letters_in
from urloracle.grammar.alphabet import ASCII
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
        return compile_edited(self.tree, self.name)


def edits(function: FunctionType) -> Iterator[Edit]:
    """Yield all distinct edits of a function, except in `if note:` statements, which only report steps."""
    source = textwrap.dedent(inspect.getsource(function))
    tree = _WithoutNotes().visit(ast.parse(source))
    seen = {ast.dump(tree)}
    count = sum(1 for _ in ast.walk(tree))
    for number in range(count):
        for operator, line, changed in _changed_trees(tree, number):
            text = ast.dump(changed)
            if text not in seen:
                seen.add(text)
                yield Edit(operator, line, changed, function.__name__)


def compile_edited(tree: ast.Module, name: str) -> CodeType:
    """Compile the function `name` in the tree, with bounded loops."""
    bounded = ast.fix_missing_locations(_BoundLoops().visit(copy.deepcopy(tree)))
    constants = compile(bounded, "<edit>", "exec", dont_inherit=True).co_consts
    return next(code for code in constants if isinstance(code, CodeType) and code.co_name == name)


class _WithoutNotes(ast.NodeTransformer):
    """Removes the `if` statements that test `note`."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        names = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
        return None if "note" in names else node


class _BoundLoops(ast.NodeTransformer):
    """Replaces each `while` by a bounded `for`, because an edit may make a loop endless."""

    def visit_While(self, node: ast.While) -> ast.AST:
        # the template is parsed, and then gets the condition and the body of the loop
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


def _changed_trees(tree: ast.Module, number: int) -> Iterator[tuple[str, int, ast.Module]]:
    """Yield (operator, line, tree) for each change to the node with this number in `ast.walk`."""
    node = list(ast.walk(tree))[number]
    for operator, change in _changes(node):
        changed = copy.deepcopy(tree)
        change(list(ast.walk(changed))[number])
        yield operator, getattr(node, "lineno", 0), changed


_Change = Callable[[Any], None]

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}


#: Longer texts are names and messages, which are not changed.
_LONGEST_DELIMITER = 4


def _changes(node: ast.AST) -> Iterator[tuple[str, _Change]]:  # noqa: C901, PLR0912 - a case for each operator
    """Yield (operator, change) for each mutation of a node.

    A change edits, in place, the same node of a copied tree.
    """
    match node:
        case ast.Compare(ops=[operator]):
            yield "negate", _set("ops", [_OPPOSITE[type(operator)]()])
            if isinstance(operator, ast.Is | ast.IsNot):
                yield "empty-as-absent", _test_emptiness
        case ast.BoolOp(op=operator, values=values):
            is_and = isinstance(operator, ast.And)
            yield "and-or", _set("op", ast.Or() if is_and else ast.And())
            for index in range(len(values)):
                yield "drop-condition", _set_condition(index, verdict=is_and)  # which decides nothing
        case ast.If() | ast.IfExp():
            for verdict in (True, False):
                yield "force-condition", _set("test", ast.Constant(verdict))
            yield "negate", _negate
        case ast.Constant(value=bool() | None):
            pass  # a bool is an int, too, but is not off by one
        case ast.Constant(value=int(number)):
            for neighbour in (number - 1, number + 1):
                yield "off-by-one", _set("value", neighbour)
        case ast.Constant(value=str(text)) if len(text) <= _LONGEST_DELIMITER:
            for changed_text in sorted({text[1:], text[:-1], f"{text}/", "."} - {text}):
                yield "text", _set("value", changed_text)
        case ast.Tuple(elts=parts):
            for index in range(len(parts) - 1):
                yield "swap-components", _swap("elts", index)
        case ast.Call(func=ast.Attribute(attr="find" | "rfind" as name)):
            yield "other-end", _call_method({"find": "rfind", "rfind": "find"}[name])
        case ast.Call(args=[_], keywords=[]):
            yield "skip-call", _skip_call
        case ast.BinOp(op=ast.Add()):
            yield "drop-operand", _keep_only("left")
            yield "drop-operand", _keep_only("right")
        case ast.Name(id=name, ctx=ast.Load()) if name in _INHERITED:
            yield "inherit-wrongly", _set("id", _INHERITED[name])
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        if isinstance(block, list) and not isinstance(node, ast.Module):
            yield from _changes_of_block(field, block)


def _changes_of_block(field: str, block: list[ast.stmt]) -> Iterator[tuple[str, _Change]]:
    """Yield changes that drop a statement of a block, or swap it with the next one."""
    for index, statement in enumerate(block):
        is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring:
            yield "drop-statement", _drop_statement(field, index)
            if index + 1 < len(block):
                yield "reorder", _swap(field, index)


#: Variables that an implementer may confuse: components of base and reference.
_INHERITED = {
    "base_authority": "authority",
    "base_path": "path",
    "base_query": "query",
    "base_net_loc": "net_loc",
    "base_params": "params",
    "whole_path": "path",
    "authority": "base_authority",
    "path": "base_path",
    "query": "base_query",
    "params": "base_params",
    "base": "reference",
    "reference": "base",
    "base_text": "reference_text",
    "reference_text": "base_text",
}


def _set(field: str, content: object) -> _Change:
    """Return a change that gives a field of the node this content."""
    return lambda node: setattr(node, field, content)


def _test_emptiness(node: ast.Compare) -> None:
    """Replace `x is None` by a test for empty values, and `x is not None` by a test for non-empty ones."""
    negative = isinstance(node.ops[0], ast.Is)
    node.left = ast.Call(ast.Name("bool", ast.Load()), [node.left], [])
    node.ops = [ast.Is()]
    node.comparators = [ast.Constant(value=not negative)]


def _negate(node: ast.If | ast.IfExp) -> None:
    """Reverse a condition."""
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _set_condition(index: int, *, verdict: bool) -> _Change:
    """Return a change that replaces one of the conditions that `and` or `or` joins by a verdict."""

    def change(node: ast.BoolOp) -> None:
        node.values[index] = ast.Constant(value=verdict)

    return change


def _swap(field: str, index: int) -> _Change:
    """Return a change that swaps two neighbours in a list of nodes: that with the index and the next one."""

    def change(node: ast.AST) -> None:
        nodes = getattr(node, field)
        nodes[index], nodes[index + 1] = nodes[index + 1], nodes[index]

    return change


def _drop_statement(field: str, index: int) -> _Change:
    """Return a change that replaces a statement of a block by `pass`."""

    def change(node: ast.AST) -> None:
        getattr(node, field)[index] = ast.Pass()

    return change


def _call_method(name: str) -> _Change:
    """Return a change of a call of a method: another method is called."""

    def change(node: ast.Call) -> None:
        assert isinstance(node.func, ast.Attribute)
        node.func.attr = name

    return change


def _skip_call(node: ast.Call) -> None:
    """Replace a call by its argument: the called function becomes `lambda value: value`."""
    parameters = ast.arguments([], [ast.arg("value")], None, [], [], None, [])
    node.func = ast.Lambda(parameters, ast.Name("value", ast.Load()))


def _keep_only(field: str) -> _Change:
    """Return a change of a sum that keeps only one operand, and adds nothing to it."""

    def change(node: ast.BinOp) -> None:
        operand = getattr(node, field)
        node.left = operand
        node.right = ast.BinOp(copy.deepcopy(operand), ast.Mult(), ast.Constant(0))  # adds nothing

    return change


#: Single-character literals that an implementer may confuse.
DELIMITERS = ":/?#[]@;=&,.%"

#: Characters that mutants add to a class: all printable ones, the usual control characters, and DEL.
INTRUDERS = (*ASCII[32:127], "\x00", "\x01", "\t", "\n", "\r", "\x1f", "\x7f")

#: The same beyond ASCII: a control, the replacement character, and a tag.
_INTRUDERS_BEYOND = "\x80\ufffd\U000e0001"

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
    for mutation in _mutations_of_all_parts(expression, class_of, kin):
        if mutation.expression not in seen:
            seen.add(mutation.expression)
            yield mutation


def _mutations_of_all_parts(expression: Expression, class_of: ClassOf, kin: Kin) -> Iterator[Mutation]:
    """Yield the mutations of an expression and of its parts; a class of characters is one part."""
    members = class_of(expression)
    if members is not None and not isinstance(expression, Reference):
        yield from _mutations_of_class(expression, members, class_of, kin)
        return
    yield from _mutations_of_whole(expression, class_of, kin)
    for number, (element, rebuild) in enumerate(_children(expression, class_of)):
        for mutation in _mutations_of_all_parts(element, class_of, kin):
            changed = rebuild(mutation.expression)
            yield Mutation(mutation.operator, changed, mutation.character, (number, *mutation.place))


def _children(
    expression: Expression, class_of: ClassOf
) -> Iterator[tuple[Expression, Callable[[Expression], Expression]]]:
    """Yield the parts of an expression, each with a function that replaces this part."""
    match expression:
        case Chain(elements) if not _is_literal(expression):
            for number, element in enumerate(elements):
                yield element, partial(_with_element, Chain, elements, number)
        case Alternation(elements):
            for number, element in enumerate(elements):
                if class_of(element) is None or isinstance(element, Reference):
                    yield element, partial(_with_element, Alternation, elements, number)
        case Repetition(element, minimum, maximum):
            yield element, lambda new: Repetition(new, minimum, maximum)
        case Capture(name, element):
            yield element, lambda new: Capture(name, new)


def _with_element(
    make: Callable[[tuple[Expression, ...]], Expression],
    elements: tuple[Expression, ...],
    number: int,
    new: Expression,
) -> Expression:
    return make(_replaced(elements, number, new))


def _mutations_of_whole(expression: Expression, class_of: ClassOf, kin: Kin) -> Iterator[Mutation]:
    """Yield the mutations of an expression that leave its parts as they are."""
    match expression:
        case Reference(name):
            for rule in kin(name):
                yield Mutation("replace-reference", Reference(rule))
        case Chain() if _is_literal(expression):
            yield from _mutations_of_literal(expression)
        case Chain(elements):
            yield from _mutations_of_sequence(elements)
        case Alternation(elements):
            for number in range(len(elements)):
                yield Mutation("drop-alternative", _alternation_of(_replaced(elements, number)))
            yield from _mutations_of_mixed_alternatives(elements, class_of)
        case Repetition(element, 0, 1):
            yield Mutation("optional-required", element)
            yield Mutation("optional-never", EMPTY)
            yield Mutation("optional-repeated", Repetition(element, 0, None))
        case Repetition():
            yield from _mutations_of_bounds(expression)


def _mutations_of_sequence(elements: tuple[Expression, ...]) -> Iterator[Mutation]:
    """Yield the sequence with one element missing, optional or doubled, or with two elements swapped."""
    for number, element in enumerate(elements):
        without = _replaced(elements, number)
        yield Mutation("drop-element", _sequence_of(without))
        with_optional = _replaced(elements, number, optional(element))
        yield Mutation("make-optional", Chain(with_optional))
        doubled = _replaced(elements, number, element, element)
        yield Mutation("duplicate", Chain(doubled))
    for number in range(len(elements) - 1):
        swapped = [*elements]
        swapped[number] = elements[number + 1]
        swapped[number + 1] = elements[number]
        yield Mutation("swap-neighbours", Chain(tuple(swapped)))


def _mutations_of_bounds(repetition: Repetition) -> Iterator[Mutation]:
    """Yield the repetition with other bounds: changed by one, or with a finite or no maximum."""
    low = repetition.minimum
    high = repetition.maximum
    bounds: list[tuple[int, int | None]] = []
    if low > 0:
        bounds.append((low - 1, high))
    if high is None:
        bounds.append((low + 1, None))
        bounds += [(low, max(low, finite)) for finite in _FINITE]
    else:
        bounds += [(low, high + 1), (low, None)]
        if high > low:
            bounds += [(low, high - 1), (low + 1, high)]
        else:
            bounds += [(low - 1, high - 1), (low + 1, high + 1)]
    for minimum, maximum in bounds:
        yield Mutation("bound", Repetition(repetition.element, minimum, maximum))


def _mutations_of_literal(literal: Chain) -> Iterator[Mutation]:
    """Yield mutations of a literal of several characters."""
    elements = literal.elements
    for number, element in enumerate(elements):
        assert isinstance(element, Characters)
        yield Mutation("literal-drop", _sequence_of(_replaced(elements, number)))
        substitute = Characters(frozenset("y" if "x" in element.members else "x"))
        yield Mutation("literal-substitute", Chain(_replaced(elements, number, substitute)))
    yield from _mutations_of_case(literal)


def _mutations_of_case(literal: Chain) -> Iterator[Mutation]:
    """Yield a literal with letters in both cases, in lower case only and in upper case only."""
    sets = [element.members for element in literal.elements if isinstance(element, Characters)]
    if not any(min(members).isalpha() for members in sets):
        return
    for forms in ((str.lower, str.upper), (str.lower,), (str.upper,)):
        changed = []
        for members in sets:
            letters = [form(char) for char in members for form in forms]
            changed.append(Characters(frozenset(letters)))
        yield Mutation("literal-case", Chain(tuple(changed)))


def _mutations_of_class(
    expression: Expression, members: frozenset[str], class_of: ClassOf, kin: Kin
) -> Iterator[Mutation]:
    """Yield mutations of an expression that derives only single characters.

    Each mutation is a set of characters.
    """
    if len(members) == 1:
        (single,) = members
        yield from _mutations_of_character(single)
        return
    if isinstance(expression, Alternation):
        yield from _mutations_of_references(expression.elements, class_of, kin)
    for char in filter(str.isascii, sorted(members)):
        yield Mutation("remove-character", Characters(members - {char}), char)
    for char in INTRUDERS:
        yield Mutation("add-character", Characters(members | {char}), char)
    for operator, changed_members, char in _mutations_of_ranges(members):
        yield Mutation(operator, Characters(changed_members), char)


def _mutations_of_character(single: str) -> Iterator[Mutation]:
    """Yield mutations of a single character: other delimiters for a delimiter, other cases for a letter.

    Other characters have none.  A delimiter is also replaced by itself.
    """
    if single in DELIMITERS:
        for delimiter in DELIMITERS:
            yield Mutation("swap-delimiter", Characters(frozenset(delimiter)))
    elif single.isalpha():
        yield Mutation("literal-case", Characters(frozenset((single.lower(), single.upper()))))
        yield Mutation("literal-case", Characters(frozenset(single.swapcase())))


def _mutations_of_references(
    elements: tuple[Expression, ...], class_of: ClassOf, kin: Kin
) -> Iterator[Mutation]:
    """Yield mutations of an alternation of classes: one without, or with another rule for, each reference."""
    for number, element in enumerate(elements):
        if not isinstance(element, Reference):
            continue
        rest = _united_classes(_replaced(elements, number), class_of)
        if rest:
            yield Mutation("drop-alternative", Characters(rest))
        for rule in kin(element.name):
            replaced = rest | _united_classes([Reference(rule)], class_of)
            yield Mutation("replace-reference", Characters(replaced))


def _mutations_of_mixed_alternatives(
    elements: tuple[Expression, ...], class_of: ClassOf
) -> Iterator[Mutation]:
    """Yield mutations of an alternation that derives single characters and longer words.

    Each mutation adds or removes one of the single characters.
    """
    classes = [element for element in elements if class_of(element) is not None]
    members = _united_classes(classes, class_of)
    if len(members) < 2:
        return
    longer = tuple(element for element in elements if class_of(element) is None)
    for char in filter(str.isascii, sorted(members)):
        yield Mutation("remove-character", Alternation((Characters(members - {char}), *longer)), char)
    for char in INTRUDERS:
        if char not in members:
            yield Mutation("add-character", Alternation((Characters(members | {char}), *longer)), char)
    for operator, changed_members, char in _mutations_of_ranges(members):
        yield Mutation(operator, Alternation((Characters(changed_members), *longer)), char)


def _mutations_of_ranges(members: frozenset[str]) -> Iterator[tuple[str, frozenset[str], str]]:
    """Yield (operator, changed class, a changed character) for the ranges beyond ASCII of a class."""
    ranges = [printed for printed in PRINTED if letters_in(printed) <= members]
    for printed in ranges:
        letters = letters_in(printed)
        first = chr(printed.first)
        last = chr(printed.last)
        if letters != members:
            yield "drop-range", members - letters, first
        yield "range-end", members - {first}, first
        yield "range-end", members - {last}, last
        for neighbour in (printed.first - 1, printed.last + 1):
            is_surrogate = 0xD800 <= neighbour <= 0xDFFF
            if not is_surrogate and chr(neighbour) not in members:
                yield "range-end", members | {chr(neighbour)}, chr(neighbour)
    if not ranges:
        return
    for char in _INTRUDERS_BEYOND:
        yield "add-character", members | {char}, char
    if members.isdisjoint(PRIVATE_LETTERS):
        yield "add-private", members | PRIVATE_LETTERS, min(PRIVATE_LETTERS)


def _united_classes(elements: Sequence[Expression], class_of: ClassOf) -> frozenset[str]:
    """Return the characters of all the expressions whose words are single characters."""
    return frozenset[str]().union(*(class_of(element) or () for element in elements))


def _is_literal(expression: Expression) -> bool:
    """Return True for a text of several characters, each perhaps in both cases."""
    if not isinstance(expression, Chain) or len(expression.elements) < 2:
        return False
    return all(
        isinstance(element, Characters) and len(set(map(str.lower, element.members))) == 1
        for element in expression.elements
    )


def _replaced(elements: tuple[Expression, ...], number: int, *instead: Expression) -> tuple[Expression, ...]:
    """Return the elements with one of them replaced by any number of others, or by none."""
    return (*elements[:number], *instead, *elements[number + 1 :])


def _sequence_of(elements: tuple[Expression, ...]) -> Expression:
    return elements[0] if len(elements) == 1 else Chain(elements)


def _alternation_of(elements: tuple[Expression, ...]) -> Expression:
    return elements[0] if len(elements) == 1 else Alternation(elements)
