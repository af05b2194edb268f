"""The C engine `_native`, if it is installed: its tables, its readers, and views of components.

The tables are packed when a wheel with the engine is built (`splitting.packed_tables`).  The file `TABLES`
contains lines of text, an empty line, and the packed tables.  The first line contains two digests: that of
the code that makes tables and of the engine's source, and that of the rest of the file.  Each other line
contains the digest of a grammar, a rule of this grammar, and the offsets where the table of the rule begins
and ends.

A grammar that has no line, such as a changed grammar or another reading, is handled in Python.  The engine is
not used if the file is damaged, or if the file or the engine was not made by the installed code.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from urloracle.grammar.grammar import Grammar

TABLES = "tables.bin"
_PACKAGE = Path(__file__).parent
#: The components that the engine resolves, in the order in which its argument `order` lists them.
_PARTS = ("scheme", "authority", "path", "params", "query", "fragment")
#: The parts that have another name in some RFC.
_PART_OF_COMPONENT = {"net_loc": "authority"}
_MAKERS = ("_native.c", "splitting.py", "rfc/captures.py", "automata", "grammar", "regex")

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Engine(NamedTuple):
    """The module of the engine, and its tables.

    `spans` maps (digest of a grammar, rule) to the span of the rule's table in `tables`.
    """

    module: Any
    tables: bytes
    spans: Mapping[tuple[str, str], slice]


def engine() -> Literal["native", "pure"]:
    """Return "native" if the C engine is installed and in use, or "pure" if Python computes all answers.

    The environment variable URLCONFORM_PURE=1 switches the engine off.  If the engine is there but was built
    from other code or is damaged, it is not used, and `urlconform --version` says why.

    >>> from urloracle import engine
    >>> engine() in ("native", "pure")
    True
    """
    return "pure" if _engine() is None else "native"


def unused_reason() -> str:
    """Return why the C engine is not used although it is there.

    Return an empty text if it is used, is not there or is switched off.
    """
    module = _installed()
    if module is None or _engine() is not None:
        return ""
    if isinstance(module, ImportError):
        return str(module)
    try:
        _engine_of(_module(), _read_tables())
    except (OSError, ValueError) as problem:
        return str(problem)
    return "it was compiled from another _native.c"


class Entrance:
    """The functions of a module that users call for each text.  With the engine, they are entered in C.

    A function in C has a dictionary from specifications to the methods of their readers.  If a caller gives
    only the required arguments, by position, it calls the method of the specification, which is the last of
    them.  It calls the function in Python for everything else: if there is no method yet, if the result of
    the method is None or False, for other arguments.
    """

    def __init__(self) -> None:
        self._methods: dict[str, dict[Any, Any]] = {}

    def enters(self, method: str) -> Callable[[_Function], _Function]:
        """Return a decorator that chooses the engine or Python for a function.

        `method` is the method of readers that the function calls.  If there is no engine, the decorator
        returns the function itself.  No table is read here.
        """

        def choose(function: _Function) -> _Function:
            module = _module()
            if module is None:
                return function
            methods = self._methods.setdefault(method, {})
            entered: _Function = _in_c(module.new_function, function, methods)
            return entered

        return choose

    def register(self, specification: Any, reader: Any) -> None:
        """Let the functions in C call the methods of a reader for this specification.

        Nothing happens if the reader is not one of the engine.
        """
        module = _module()
        if module is None or not isinstance(reader, module.Reader):
            return
        for name, methods in self._methods.items():
            methods[specification] = getattr(reader, name)

    def clear(self) -> None:
        """Forget all readers."""
        for methods in self._methods.values():
            methods.clear()


def _in_c(make: Callable[..., Any], function: Any, methods: dict[Any, Any]) -> Any:
    """Return a function in C, made by `make`, with the signature and the docstring of a function in Python.

    It looks up the `methods` at each call, so that `Entrance.register` can add to them.
    """
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = function.__defaults__ or ()
    required = len(names) - len(defaults)
    parameters = list(names[:required])
    for name, default in zip(names[required:], defaults, strict=True):
        parameters.append(f"{name}={default!r}")
    signature = f"{function.__name__}({', '.join(parameters)})"
    docstring = f"{signature}\n--\n\n{function.__doc__}"  # the form that `inspect.signature` understands
    return make(function, methods, required, function.__name__, docstring, function.__module__)


def reader(grammar: Grammar, rule: str, pure: Any, **options: Any) -> Any:
    """Return a `_native.Reader` for a rule, or None if there is no engine or no table for this grammar.

    `pure` is an object whose methods the reader calls for answers that the engine cannot give.  `options` are
    the other arguments of the reader.
    """
    compiled = _engine()
    packed = packed_table(grammar, rule)
    if compiled is None or packed is None:
        return None
    return compiled.module.Reader(packed, pure, **options)


def packed_table(grammar: Grammar, rule: str) -> bytes | None:
    """Return the packed table of a rule, or None if there is no engine or no table for this grammar."""
    compiled = _engine()
    if compiled is None or not grammar.text:  # a changed grammar has no text
        return None
    span = compiled.spans.get((digest(grammar.text), rule))
    return None if span is None else compiled.tables[span]


def url_reader(
    grammar: Grammar,
    rules: Mapping[str, str],
    tuple_classes: Mapping[str, type[tuple[Any, ...]]],
    pure: Any,
    resolution_class: type[tuple[Any, ...]],
    resolution_algorithm: str,
) -> Any:
    """Return a `_native.Reader` for whole URLs, or None if there is no engine or a table is missing.

    `rules` maps each scheme to its rule, and "" to the rule for all other schemes.  `tuple_classes` maps each
    rule that the engine splits to the class of the resulting tuple.  `pure` is as in `reader`.
    `resolution_class` is the class of the result of a resolution.  `resolution_algorithm` is the name of the
    algorithm; it is empty if the RFC does not define resolution.  If it is not, `tuple_classes` must contain
    the rule for all other schemes.
    """
    if _engine() is None:
        return None
    choices = {}
    for scheme, rule in rules.items():
        if scheme:
            choices[f"{scheme}:"] = reader(grammar, rule, pure, **_splitting_options(tuple_classes.get(rule)))
    if None in choices.values():  # a table is missing
        return None
    default_rule = rules[""]
    # the names of these options are those of the parameters of `Reader` in the C source
    options = _splitting_options(tuple_classes.get(default_rule))
    if choices:
        options["choices"] = choices
    if resolution_algorithm:
        options["resolution"] = resolution_class
        options["steps"] = resolution_algorithm
        options["order"] = _order_of_parts(tuple_classes[default_rule])
    return reader(grammar, default_rule, pure, **options)


def _splitting_options(kind: type[tuple[Any, ...]] | None) -> dict[str, Any]:
    """Return the options of a reader that splits texts into tuples of a class, or none if it does not."""
    return {} if kind is None else {"kind": kind, "view": _view_class(kind)}


def _order_of_parts(kind: Any) -> bytes:
    """Return the index of each of `_PARTS` among the fields of a tuple; too large if it is absent."""
    names = [_PART_OF_COMPONENT.get(name, name) for name in kind._fields]
    return bytes(names.index(part) if part in names else len(names) for part in _PARTS)


@cache
def _module() -> Any:
    """Return the module of the C engine, or None if it was not compiled from the installed source."""
    module = _installed()
    return module if module is not None and getattr(module, "source", "") == source_digest() else None


@cache
def _installed() -> Any:
    """Return the module of the C engine, the error of its import, or None if it is absent or switched off."""
    if os.environ.get("URLCONFORM_PURE", "0") not in ("", "0"):
        return None
    try:
        return import_module("urloracle._native")
    except ModuleNotFoundError:  # it is not in every installation
        return None
    except ImportError as problem:
        return problem


@cache
def _engine() -> _Engine | None:
    """Return the engine, whose tables are read when the first text is."""
    module = _module()
    if module is None:
        return None
    try:
        return _engine_of(module, _read_tables())
    except (OSError, ValueError):
        return None


def _read_tables() -> bytes:
    return (_PACKAGE / TABLES).read_bytes()


def _engine_of(module: Any, written: bytes) -> _Engine:
    """Return the engine with the tables in `written`, the content of a file `TABLES`.

    Raise ValueError if the file is not whole, or if the code that made it differs from the installed code.
    """
    first, _, rest = written.partition(b"\n")
    if first != f"{digest_of_makers()} {_digest(rest)}".encode():
        raise ValueError(f"{TABLES} is damaged, or other code made it")
    head, _, tables = rest.partition(b"\n\n")
    spans = {}
    for line in head.decode("ascii").splitlines():
        grammar_digest, rule, begin, end = line.split()
        spans[grammar_digest, rule] = slice(int(begin), int(end))
    return _Engine(module, tables, spans)


def tables_content(tables: Mapping[tuple[str, str], bytes]) -> bytes:
    """Return the content of the file `TABLES`.

    `tables` maps (digest of the grammar, rule) to the packed table of the rule.
    """
    lines = []
    end = 0
    for (grammar_digest, rule), table in tables.items():
        lines.append(f"{grammar_digest} {rule} {end} {end + len(table)}")
        end += len(table)
    rest = "\n".join(lines).encode("ascii") + b"\n\n" + b"".join(tables.values())
    return f"{digest_of_makers()} {_digest(rest)}\n".encode("ascii") + rest


@cache
def digest(text: str) -> str:
    """Return the length and the CRC-32 of a text: enough to see a change, without the 3 ms of hashlib."""
    return _digest(text.encode())


def _digest(content: bytes) -> str:
    return f"{len(content)}-{zlib.crc32(content):08x}"


def source_digest() -> str:
    """Return a digest of the engine's source, which the build gives to the compiler as SOURCE."""
    return digest_of_files(("_native.c",))


@cache
def digest_of_makers() -> str:
    """Return a digest of the code that makes tables and of the source of the engine that reads them."""
    return digest_of_files(_MAKERS)


def digest_of_files(names: tuple[str, ...]) -> str:
    """Return a digest of the sources among these files of the package, and in these folders of it."""
    files: list[Path] = []
    for path in (_PACKAGE / name for name in names):
        files += path.iterdir() if path.is_dir() else [path]
    sources = [file for file in files if file.name.endswith((".c", ".py")) and file.is_file()]
    texts = [file.read_text(encoding="utf-8") for file in sources]
    texts.sort()  # a folder lists its files in no certain order
    return digest("\n".join(texts))


@cache
def _view_class(kind: Any) -> Any:
    """Return a class of views of the engine that has the fields of the named tuple class `kind`."""
    compiled = _engine()
    assert compiled is not None
    views = compiled.module.new_view_class(f"{__name__}.{kind.__name__}View")
    for index, name in enumerate(kind._fields):
        setattr(views, name, getattr(views, f"component_{index}"))
    _add_methods(views, kind)
    return views


@cache
def _pure_view_class(kind: Any) -> Any:
    """Return a class of views in Python that has the fields of the named tuple class `kind`."""
    fields = {name: _part_property(index) for index, name in enumerate(kind._fields)}
    views = type(f"{kind.__name__}View", (), {"__slots__": ("_parts",), **fields})
    _add_methods(views, kind)
    return views


def _part_property(index: int) -> property:
    """Return the property of a view in Python that is the component with an index."""
    return property(lambda view: view._parts[index])  # noqa: SLF001


def pure_view(parts: Any) -> Any:
    """Return a view of the components in a named tuple, or None if `parts` is None."""
    if parts is None:
        return None
    kind: Any = type(parts)
    view: Any = object.__new__(_pure_view_class(kind))
    view._parts = parts  # noqa: SLF001
    return view


def _add_methods(views: Any, kind: Any) -> None:
    """Add the methods that all views have to a class of views."""

    def astuple(view: Any) -> Any:
        """Return the named tuple of all components."""
        return kind(*(getattr(view, name) for name in kind._fields))

    def equal(view: Any, other: Any) -> bool:
        return getattr(other, "_kind", None) is kind and astuple(view) == astuple(other)

    views._kind = kind  # noqa: SLF001
    views.astuple = astuple
    views.__eq__ = equal
    views.__hash__ = lambda view: hash(astuple(view))
    views.__reduce__ = lambda view: (pure_view, (astuple(view),))  # a copy does not depend on the engine
    views.__repr__ = lambda view: f"<view of {astuple(view)}>"
