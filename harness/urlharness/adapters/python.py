"""Load python:MODULE:FUNCTION; build an adapter from plain functions."""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from urlharness.limits import AdapterDead
from urlharness.protocol.server import told
from urlharness.text import clipped

# -------------------- adapters.own_function: The function that `python:MODULE:FUNCTION` names, and its hello; or why there is none, in one line.


Answer = Callable[[dict[str, Any]], dict[str, Any]]


_LONGEST = 1000  # characters of an error, which is told in one line


_INSTALLED = frozenset(("site-packages", "dist-packages"))


class _Place(NamedTuple):
    """A line of a file; 0 where it is not known."""

    file: str
    line: int

    def __str__(self) -> str:
        path = Path.cwd() / self.file
        shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        return f"{shown}:{self.line}" if self.line else str(shown)


def load(module_name: str, function_name: str, folder: Path | None) -> tuple[dict[str, Any], Answer]:
    """The hello and the function; its module is looked for in the folder first, or in the current one.

    Raises AdapterDead, whose cause is what the module raised, from the first line of it on.
    """
    here = str(folder or Path.cwd())
    if here not in (sys.path if folder is None else sys.path[:1]):  # a folder of its own goes before others
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a user's module may do anything
        raise AdapterDead(_not_loaded(error, module_name, Path(here))) from (
            error.with_traceback(_theirs(error.__traceback__))
        )
    file = getattr(module, "__file__", None)
    place = _Place(file, 0) if isinstance(file, str) else module_name
    try:
        function: Any = getattr(module, function_name)
    except Exception as error:  # noqa: BLE001 - a module may look up its names by itself
        raise AdapterDead(f"{place}: {_line(error)}{_meant(function_name, module)}") from None
    if fault := fault_of(function):
        raise AdapterDead(f"{_begins(function) or place}: {function_name} {fault}")
    version = str(getattr(module, "__version__", "unknown"))
    return hello_of(function, f"{module_name}:{function_name}", version), function


def fault_of(function: Any) -> str:
    """Why a value is no adapter, as it goes on after its name; empty where it is one."""
    if not callable(function):
        return f"is no function, but of type {type(function).__name__}"
    own = getattr(function, "hello", {})
    if not isinstance(own, Mapping):
        return f"has a hello of type {type(own).__name__}, which is no mapping"
    return ""


def hello_of(function: Any, name: str, version: str = "unknown") -> dict[str, Any]:
    """What a function says of itself: the usual, and over it what it carries in an attribute `hello`."""
    return {
        "type": "hello",
        "protocol": 1,
        "implementation": {"name": name, "version": version, "language": "python"},
        "ops": ["validate", "parse", "resolve", "recompose", "normalize"],
        "specs": [],
        **getattr(function, "hello", {}),
    }


def _not_loaded(error: BaseException, module: str, folder: Path) -> str:
    """Why a module was not loaded: the line of it that is to be mended, and what was raised there."""
    lines = _lines(_theirs(error.__traceback__))
    if isinstance(error, SyntaxError) and isinstance(error.filename, str) and Path(error.filename).is_file():
        return f"{_Place(error.filename, error.lineno or 0)}: {_line(error)}"
    if not lines:
        return (
            f"{_line(error)}{_looked_for(module, folder) if isinstance(error, ModuleNotFoundError) else ''}"
        )
    # of what it calls and imports in its turn, the last that is no library
    own = [line for line in lines if _own(line, folder)] or lines[:1]
    raised = f" (raised in {lines[-1]})" if lines[-1].file != own[-1].file else ""
    return f"{own[-1]}: {_line(error)}{raised}"


def _looked_for(module: str, folder: Path) -> str:
    """What to say of a module that is not there: the places, or how it is named."""
    if module.endswith(".py") or "/" in module:
        return "; a module is named as import does it, with a dot for each / and without .py"
    return f"; it was looked for in {folder}, and where Python finds its modules"


def _meant(name: str, module: object) -> str:
    """The function of a module that was meant, if one has nearly that name."""
    there = [one for one, value in getattr(module, "__dict__", {}).items() if callable(value)]
    near = difflib.get_close_matches(name, there, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _line(error: BaseException) -> str:
    """An exception in one line; where a SyntaxError is, is said before it."""
    said = f"{type(error).__name__}: {error.msg}" if isinstance(error, SyntaxError) else told(error)
    return clipped(" ".join(said.split()), _LONGEST)


def _begins(function: Any) -> _Place | None:
    """Where a function begins; None of what is none of Python."""
    code = getattr(function, "__code__", None)
    return _Place(code.co_filename, code.co_firstlineno) if code is not None else None


def _theirs(trace: TracebackType | None) -> TracebackType | None:
    """A traceback from the first line on that is not of the import itself."""
    while trace is not None and _importing(trace):
        trace = trace.tb_next
    return trace


def _importing(trace: TracebackType) -> bool:
    file = trace.tb_frame.f_code.co_filename
    return file.startswith("<frozen importlib") or file in (
        load.__code__.co_filename,
        importlib.import_module.__code__.co_filename,
    )


def _lines(trace: TracebackType | None) -> list[_Place]:
    """The lines of a traceback, outermost first, but those of the import itself."""
    lines = []
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not (_importing(trace) or file.startswith("<")):  # which is no file
            lines.append(_Place(file, trace.tb_lineno))
        trace = trace.tb_next
    return lines


def _own(place: _Place, folder: Path) -> bool:
    """True for a line that the author may mend."""
    path = Path(place.file)
    return path.is_relative_to(folder) and not _INSTALLED & set(path.parts)


# -------------------- plain_functions: An adapter made of plain functions: `parse(url)`, `resolve(base, reference)` and their kin.


Question = Mapping[str, Any]


FunctionAnswer = dict[str, Any]


Components = Mapping[str, str | None]


#: The rules that stand for any reference, whole or relative; what is asked where no rule is named.
REFERENCES = frozenset(("URL", "URI-reference"))


@dataclass(frozen=True, slots=True)
class Functions:
    """An adapter: called with a question it gives the reply; `hello` says what it is and what it offers."""

    hello: Mapping[str, Any]
    operations: Mapping[str, Callable[[Question], FunctionAnswer]]
    rejects: tuple[type[Exception], ...]

    @property
    def name(self) -> str:
        """The name of the library, as reports show it."""
        name: str = self.hello["implementation"]["name"]
        return name

    def __call__(self, question: Question) -> FunctionAnswer:
        """The reply to one question; an exception that is no rejection passes through."""
        operation = self.operations.get(question["op"])
        if operation is None:
            return {"status": "unsupported", "message": f"no {question['op']}"}
        if any(isinstance(question.get(name), Mapping) for name in ("url", "base", "reference")):
            return {"status": "unsupported", "message": "its functions take text, no octets"}
        try:
            return operation(question)
        except self.rejects as error:
            return {"status": "reject", "message": str(error)}


def functions(
    name: str,
    version: str = "unknown",
    *,
    specs: Iterable[str] = (),
    validate: Callable[[str], object] | Mapping[str, Callable[[str], object]] | None = None,
    parse: Callable[[str], Components] | None = None,
    resolve: Callable[[str, str], str] | None = None,
    recompose: Callable[[Components], str] | None = None,
    normalize: Callable[[str], str] | None = None,
    rejects: tuple[type[Exception], ...] = (ValueError,),
    absent_vs_empty: bool = False,
) -> Functions:
    """An adapter from the functions of a library; an operation without a function is unsupported.

    `specs` are the RFCs that the library claims, such as `rfc3986`; the gate judges those, and all where it
    claims none.  A text is rejected by an exception of `rejects`, in `validate` also by the answer False.
    `validate` is one function, which is asked of whole references, or one for each rule, as in
    `{"URI-reference": f, "host": g}`.  `parse` answers with components by their RFC names: None is absent, ""
    present but empty, and one that is left out is not exposed.  `absent_vs_empty` says that the library
    tells None from "" at all.
    """
    operations: dict[str, Callable[[Question], FunctionAnswer]] = {}
    if validate is not None:
        rules = dict.fromkeys(REFERENCES, validate) if callable(validate) else dict(validate)
        operations["validate"] = lambda question: _validate(rules, question)
    if parse is not None:
        operations["parse"] = lambda question: {"status": "ok", "components": dict(parse(question["url"]))}
    if resolve is not None:
        operations["resolve"] = lambda question: _text(resolve(question["base"], question["reference"]))
    if recompose is not None:
        operations["recompose"] = lambda question: _text(recompose(question["components"]))
    if normalize is not None:
        operations["normalize"] = lambda question: _normalize(normalize, question)
    features = {
        "absent-vs-empty": absent_vs_empty,
        "validate-by-parse": validate is not None and validate is parse,
    }
    hello = {
        "type": "hello",
        "protocol": 1,
        "implementation": {"name": name, "version": version, "language": "python"},
        "ops": list(operations),
        "specs": list(specs),
        "features": [feature for feature, offered in features.items() if offered],
    }
    return Functions(hello, operations, rejects)


def _validate(rules: Mapping[str, Callable[[str], object]], question: Question) -> FunctionAnswer:
    rule = question.get("rule") or next(iter(REFERENCES & rules.keys()), "")
    function = rules.get(rule)
    if function is None:
        return {"status": "unsupported", "message": f"it does not judge {rule or 'references'} by itself"}
    if function(question["url"]) is False:
        return {"status": "reject"}
    return {"status": "ok"}


def _normalize(normalize: Callable[[str], str], question: Question) -> FunctionAnswer:
    if question.get("mode") == "scheme":
        return {"status": "unsupported", "message": "it does not normalize by scheme"}
    return _text(normalize(question["url"]))


def _text(text: str) -> FunctionAnswer:
    return {"status": "ok", "url": text}
