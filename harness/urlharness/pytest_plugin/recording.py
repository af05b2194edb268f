"""Record what the tests of a project ask a function, one JSON line for each distinct call.

The function is replaced by a wrapper for the session: in its own module, and in every loaded module that has
imported it by name. A module that is imported later gets the wrapper. What holds the function in another way,
such as a default argument or a table, still calls it unrecorded.

With pytest-xdist, each process appends to the same file, and the first process leaves out repeated calls.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import local
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from urlharness.text import clipped

#: The operations that a recording can have.
OPERATIONS = ("validate", "parse", "resolve", "normalize")
#: Parts of function names by operation; the first that occurs decides.
_NAMES = {
    "resolve": ("resolve", "join"),
    "normalize": ("normal", "canonical"),
    "validate": ("valid", "is_", "check"),
    "parse": ("parse", "split", "from_"),
}
_TARGET = re.compile(
    r"python:(?P<module>[^:=]+):(?P<function>[^:=]+)(?::(?P<operation>[^:=]+))?=(?P<file>.+)"
)
_FORM = "python:MODULE:FUNCTION=FILE, or python:MODULE:FUNCTION:OPERATION=FILE"

#: The maximum number of characters of an exception, and of an answer that is no JSON.
_LONGEST = 1000


class RecordedFunction(NamedTuple):
    """A function to record, its operation (empty: it follows from name and answer), and the file to write.

    The module is also looked for in `folder`, the current one, as a test file beside it would find it.
    """

    module: str
    function: str
    operation: str
    file: Path
    folder: Path

    @property
    def name(self) -> str:
        """The name of the function."""
        return f"{self.module}:{self.function}"


def read_target(option: str, folder: Path) -> RecordedFunction:
    """Read the value of `--urlconform-record`. Raise pytest.UsageError if it has another form."""
    match = _TARGET.fullmatch(option)
    if match is None:
        raise pytest.UsageError(f"--urlconform-record: {option!r} is not {_FORM}")
    operation = match["operation"] or ""
    if operation and operation not in OPERATIONS:
        known_operations = ", ".join(OPERATIONS)
        raise pytest.UsageError(
            f"--urlconform-record: no operation {operation!r}; choose from {known_operations}"
        )
    return RecordedFunction(match["module"], match["function"], operation, folder / match["file"], folder)


def register_recorders(config: pytest.Config, options: Sequence[str]) -> None:
    """Register a plugin for each value of `--urlconform-record`.

    Raise pytest.UsageError if one has another form, or if there is no such function or folder.
    """
    for number, option in enumerate(options):
        target = read_target(option, config.invocation_params.dir)
        recorder = Recorder(target, is_worker=hasattr(config, "workerinput"))
        config.pluginmanager.register(recorder, f"urlconform-record-{number}")


class Recorder:
    """The plugin that records one function."""

    def __init__(self, target: RecordedFunction, *, is_worker: bool) -> None:
        """Empty the file of the recording, unless this is a worker, and replace the function.

        Raise pytest.UsageError if the function cannot be imported, or if the file cannot be written.
        """
        self._target = target
        self._is_worker = is_worker
        self._test: str | None = None
        self._seen: set[str] = set()
        #: By thread: `inside` is True during a call of the function.
        self._depth = local()
        self._function = _import_function(target)
        self._wrapper = self._wrap(self._function)
        try:
            if not is_worker:
                target.file.write_bytes(b"")
            self._stream = target.file.open("ab")
        except OSError as error:
            raise pytest.UsageError(f"--urlconform-record: {target.file}: {error.strerror}") from None
        self._replaced = list(_replace_everywhere(self._function, self._wrapper))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:  # noqa: D102 - a hook of pytest
        self._test = item.nodeid
        try:
            return (yield)
        finally:
            self._test = None

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say how many calls were recorded, in which file."""
        if not self._is_worker:
            number = len(_distinct_lines(self._target.file))
            calls = "1 distinct call" if number == 1 else f"{number:,} distinct calls"
            line = f"urlconform: {calls} of {self._target.name} in {self._target.file}"
            terminalreporter.write_line(line, yellow=number == 0)

    def pytest_unconfigure(self) -> None:
        """Put the function back, and leave out what several processes have recorded."""
        for module, name in self._replaced:
            setattr(module, name, self._function)
        self._stream.close()
        if not self._is_worker:
            self._target.file.write_bytes(b"".join(_distinct_lines(self._target.file)))

    def _wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that records its calls. A call from inside the function is not recorded."""

        @functools.wraps(function)
        def recorded(*arguments: Any, **named_arguments: Any) -> Any:
            if getattr(self._depth, "inside", False):
                return function(*arguments, **named_arguments)
            self._depth.inside = True
            try:
                answer = function(*arguments, **named_arguments)
            except Exception as error:
                self._record(arguments, named_arguments, answer=None, error=error)
                raise
            else:
                self._record(arguments, named_arguments, answer, error=None)
                return answer
            finally:
                self._depth.inside = False

        return recorded

    def _record(
        self,
        arguments: tuple[Any, ...],
        named_arguments: Mapping[str, Any],
        answer: object,
        error: Exception | None,
    ) -> None:
        """Write a call, unless an equal call was written. `answer` counts only if there is no `error`."""
        argument_by_name = self._argument_by_name(arguments, named_arguments)
        inputs = {name: _as_json(argument) for name, argument in argument_by_name.items()}
        call = json.dumps(inputs, sort_keys=True)
        if call in self._seen:
            return
        self._seen.add(call)
        line: dict[str, Any] = {"operation": self._operation(inputs, answer), "arguments": inputs}
        if error is None:
            line["result"] = _as_json(answer)
        else:
            line["exception"] = clipped(f"{type(error).__name__}: {error}", _LONGEST)
        line["test"] = self._test
        self._stream.write(json.dumps(line).encode("ascii") + b"\n")  # one write, so that lines stay whole
        self._stream.flush()

    def _argument_by_name(
        self, arguments: tuple[Any, ...], named_arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the arguments by name, in the order of the call, or by number if the names are unknown."""
        try:
            bound = inspect.signature(self._function).bind(*arguments, **named_arguments)
        except (TypeError, ValueError):  # such as a function of an extension module
            by_number = {str(number): argument for number, argument in enumerate(arguments)}
            return {**by_number, **named_arguments}
        return dict(bound.arguments)

    def _operation(self, inputs: Mapping[str, Any], answer: object) -> str:
        """Return the operation: as named in the option, or by the function's name, inputs and answer."""
        if self._target.operation:
            return self._target.operation
        name = self._target.function.lower()
        for operation, parts in _NAMES.items():
            if any(part in name for part in parts):
                return operation
        texts = [text for text in inputs.values() if isinstance(text, str)]
        if len(texts) > 1:  # a base and a reference
            return "resolve"
        return "validate" if isinstance(answer, bool) else "parse"


def _import_function(target: RecordedFunction) -> Callable[..., Any]:
    """Import the function. Raise pytest.UsageError if there is none.

    The folder of the function is added to the end of `sys.path` and stays there, for imports in its module.
    """
    if str(target.folder) not in sys.path:
        sys.path.append(str(target.folder))
    try:
        module = importlib.import_module(target.module)
        function = getattr(module, target.function)
    except (ImportError, AttributeError) as error:
        raise pytest.UsageError(f"--urlconform-record: {target.name}: {error}") from None
    if isinstance(function, type) or not callable(function):
        kind = "a class" if isinstance(function, type) else "not a function"
        raise pytest.UsageError(f"--urlconform-record: {target.name} is {kind}: name a function of a module")
    recorded_function: Callable[..., Any] = function
    return recorded_function


def _replace_everywhere(function: object, wrapper: object) -> Iterator[tuple[ModuleType, str]]:
    """Replace a function in every loaded module, and yield each module and the name that it has there."""
    modules: list[Any] = list(sys.modules.values())  # a program may put other things there
    for module in modules:
        names = getattr(module, "__dict__", None)
        if not isinstance(module, ModuleType) or not isinstance(names, dict):
            continue
        for name, content in list(names.items()):
            if content is function:
                setattr(module, name, wrapper)
                yield module, name


def _distinct_lines(file: Path) -> list[bytes]:
    """Return the lines of a recording without those whose operation and arguments occur before."""
    lines: dict[str, bytes] = {}
    for line in file.read_bytes().splitlines(keepends=True):
        call = json.loads(line)
        key = json.dumps([call["operation"], call["arguments"]], sort_keys=True)
        lines.setdefault(key, line)
    return list(lines.values())


def _as_json(content: Any) -> Any:
    """Return JSON data as it is, bytes as hex digits, and anything else as its type and its text."""
    if content is None or isinstance(content, bool | int | float) or type(content) is str:
        return content
    if isinstance(content, bytes):
        return {"hex": content.hex()}
    if type(content) is list:
        return [_as_json(member) for member in content]
    if type(content) is dict and all(isinstance(name, str) for name in content):
        return {name: _as_json(member) for name, member in content.items()}
    try:
        text = str(content)
    except Exception as error:  # noqa: BLE001 - a library's __str__ may fail in any way
        text = f"<{type(error).__name__}>"
    return {"type": type(content).__name__, "text": clipped(text, _LONGEST)}
