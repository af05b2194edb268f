"""Adapters made from Python functions.

`python:MODULE:FUNCTION` is a function that answers questions. `functions` makes such a function from plain
functions of a library.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from urlharness.corpus.model import LAYERS, MODES, WITH_MODE, Mode
from urlharness.corpus.specifications import (
    DEFAULT_SPEC,
    SPECS,
    is_component,
    meant_component,
)
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.messages import TELLS_EMPTY, ComponentTexts, QuestionDict, ReplyDict
from urlharness.protocol.server import Responder, exception_text
from urlharness.text import clipped

#: The rules for any reference, absolute or relative. A question without a rule is answered for these rules.
REFERENCES = ("URI-reference", "URL", "IRI-reference")

#: The fields of questions that are texts.
_TEXTS = ("url", "base", "reference", "text", "other", "header", *LAYERS)

_MAX_EXCEPTION_LENGTH = 1000  # the maximum number of characters of an error message
_INSTALLED = frozenset(("site-packages", "dist-packages"))


def load(module_name: str, function_name: str, folder: Path | None) -> tuple[dict[str, Any], Responder]:
    """Import a module from a folder (default: the current one) and return (hello, function).

    A given folder becomes the first of `sys.path` and stays there, and so does the current one, unless
    `sys.path` contains it.
    Raise AdapterDead if the function cannot be used. If the module raised an exception, this exception is the
    cause of AdapterDead.
    """
    search_folder = str(folder or Path.cwd())
    searched_so_far = sys.path if folder is None else sys.path[:1]  # a given folder must be the first
    if search_folder not in searched_so_far:
        sys.path.insert(0, search_folder)
    try:
        module = importlib.import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a module may do anything
        module_error = error.with_traceback(_without_import(error.__traceback__))
        location = _location(module_error, Path(search_folder))
        raise AdapterDead(f"{location}{_one_line(module_error)}") from module_error
    try:
        function: Any = getattr(module, function_name)
    except Exception as error:  # noqa: BLE001 - a module may define __getattr__
        raise AdapterDead(_one_line(error)) from None
    name = f"{module_name}:{function_name}"
    if problem := function_problem(function):
        raise AdapterDead(f"{name} {problem}")
    version = str(getattr(module, "__version__", "unknown"))
    return function_hello(function, name, version), function


def function_problem(function: Any) -> str:
    """Return the reason why a value is not an adapter, such as `is not a function …`.

    Return an empty string if the value is an adapter.
    """
    if not callable(function):
        return f"is not a function (its type is {type(function).__name__})"
    hello = getattr(function, "hello", {})
    if not isinstance(hello, Mapping):
        return f"has a hello that is not a mapping (its type is {type(hello).__name__})"
    return ""


def function_hello(function: Any, name: str, version: str = "unknown") -> dict[str, Any]:
    """Return the default hello of a function, updated with the attribute `hello` of the function."""
    default = _hello(name, version, ["validate", "parse", "resolve", "recompose", "normalize"])
    return {**default, **getattr(function, "hello", {})}


def _hello(name: str, version: str, operations: Iterable[str], specs: Iterable[str] = ()) -> dict[str, Any]:
    """Return a hello that offers some operations and claims some RFCs."""
    implementation = {"name": name, "version": version, "language": "python"}
    return {
        "type": "hello",
        "protocol": 1,
        "implementation": implementation,
        "ops": list(operations),
        "specs": list(specs),
    }


def _without_import(trace: TracebackType | None) -> TracebackType | None:
    """Return the traceback without the frames of the import system at the beginning."""
    this_file = load.__code__.co_filename
    import_files = ("<frozen importlib", this_file, importlib.import_module.__code__.co_filename)
    rest = trace
    while rest and rest.tb_frame.f_code.co_filename.startswith(import_files):
        rest = rest.tb_next
    return rest


def _location(error: BaseException, folder: Path) -> str:
    """Return `FILE:LINE: ` of the innermost frame whose file is in `folder` and not an installed package.

    Return an empty string if there is no such frame.
    """
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(folder) and not _INSTALLED & set(path.parts):
            current = Path.cwd()
            short_path = path.relative_to(current) if path.is_relative_to(current) else path
            return f"{short_path}:{frame.lineno}: "
    return ""


def _one_line(error: BaseException) -> str:
    """Return the type and message of an exception in one line, which is cut if it is very long."""
    return clipped(" ".join(exception_text(error).split()), _MAX_EXCEPTION_LENGTH)


@dataclass(frozen=True, slots=True)
class Functions:
    """An adapter made from functions. Call it with a question to get the reply.

    `hello` contains its claims, and `operations` maps each operation to its function.
    """

    hello: Mapping[str, Any]
    operations: Mapping[str, Callable[[QuestionDict], ReplyDict]]
    rejects: tuple[type[Exception], ...]

    @property
    def name(self) -> str:
        """The name of the library in reports."""
        return str(self.hello["implementation"]["name"])

    def __call__(self, question: QuestionDict) -> ReplyDict:
        """Return the reply to a question. Exceptions that are not in `rejects` are not caught.

        Raise TypeError if `parse` returns a component with an unknown name.
        """
        operation = self.operations.get(question["op"])
        if operation is None:
            return _unsupported(f"no {question['op']}")
        mode = question.get("mode") or "syntax"
        if question["op"] in WITH_MODE and mode not in self.hello["modes"]:
            return _unsupported(f"no {question['op']} in mode {mode}")
        if any(isinstance(question.get(name), Mapping) for name in _TEXTS):
            return _unsupported("its functions take text, not bytes")
        try:
            reply = operation(question)
        except self.rejects as error:
            return {"status": "reject", "message": str(error)}
        _check_component_names(reply.get("components", {}), question.get("spec", ""))
        return reply


def functions(
    name: str,
    version: str = "unknown",
    *,
    specs: Iterable[str] = (),
    validate: Callable[[str], object] | Mapping[str, Callable[[str], object]] | None = None,
    parse: Callable[[str], ComponentTexts] | None = None,
    resolve: Callable[[str, str], str] | None = None,
    recompose: Callable[[ComponentTexts], str] | None = None,
    normalize: Callable[[str], str] | None = None,
    extract: Callable[[str], Iterable[str | Sequence[str]]] | None = None,
    equivalent: Callable[[str, str], bool] | None = None,
    decode: Callable[[str], Mapping[str, object]] | None = None,
    base: Callable[[Mapping[str, str]], str | None] | None = None,
    to_uri: Callable[[str], str] | None = None,
    to_iri: Callable[[str], str] | None = None,
    modes: Iterable[Mode] = ("syntax",),
    rejects: tuple[type[Exception], ...] = (ValueError,),
    absent_vs_empty: bool = False,
) -> Functions:
    """Make an adapter from functions of a library. An operation without a function is unsupported.

    `specs` are the RFCs that the library claims, such as `rfc3986`. The gate judges by these RFCs. A library
    that claims none is asked about RFC 1738, RFC 1808, RFC 2396, RFC 2732 and RFC 3986, and judged by them.

    A function rejects a text if it raises one of `rejects`. `validate` may also return False to reject a
    text. It is either a function for whole references, or a mapping with a function for each rule, such as
    `{"URI-reference": f, "host": g}`.

    `parse` returns a mapping from the RFC names of components to text. None means absent, "" means present
    but empty, and a component that the library does not expose is left out. An unknown name, such as
    `hostname`, is an error of the question. Set `absent_vs_empty` if the library distinguishes None from "".

    `modes` says what `normalize` and `equivalent` do. Under RFC 3986, `syntax` is the normalization of
    section 6.2.2, and `scheme` is that of section 6.2.3, which includes it. In mode `simple`, `equivalent`
    compares two texts as they are (RFC 3987, section 5.3.1). A question in another mode is unsupported.

    `extract` takes a text and returns its URLs in order. A URL that can be read in several ways is a list of
    its readings.

    `equivalent` takes two URLs and returns whether they are equivalent.

    `decode` returns a mapping from the names of a decoded view to values: text, bytes, None, or lists of text
    or bytes.

    `base` takes a mapping with those of the layers `embedded`, `encapsulating`, `retrieval` and `default`
    that have a base, innermost first, or with the `header` alone. It returns the base URL, or None if there
    is none.

    `to_uri` maps an IRI to a URI, and `to_iri` converts a URI to an IRI (RFC 3987, sections 3.1 and 3.2).
    They are only asked of a library that claims `rfc3987`, and only about whole references.

    Raise TypeError if `modes` is a text, and ValueError if a mode is unknown, or if `normalize` or
    `equivalent` has no mode.
    """
    if isinstance(modes, str):  # its letters are no modes
        raise TypeError(f"modes is a list of modes, such as [{modes!r}]")
    offered_modes = list(modes)
    unknown = sorted(set(offered_modes) - set(MODES))
    if unknown:
        raise ValueError(f"no mode named {unknown[0]!r}; choose from {', '.join(MODES)}")
    by_operation = {
        "validate": validate,
        "parse": parse,
        "resolve": resolve,
        "recompose": recompose,
        "normalize": normalize,
        "extract": extract,
        "equivalent": equivalent,
        "decode": decode,
        "base": base,
        "to_uri": to_uri,
        "to_iri": to_iri,
    }
    operations = {}
    for op, function in by_operation.items():
        if function is not None:
            operations[op] = partial(_ANSWERS[op], function)
    if not offered_modes and not WITH_MODE.isdisjoint(operations):
        raise ValueError(f"modes is empty, so no {' or '.join(sorted(WITH_MODE))} would be asked")
    hello = _hello(name, version, operations, specs)
    hello["features"] = []
    if absent_vs_empty:
        hello["features"].append(TELLS_EMPTY)
    if validate is not None and validate is parse:  # a text is valid if the parser accepts it
        hello["features"].append("validate-by-parse")
    hello["modes"] = offered_modes
    return Functions(hello, operations, rejects)


def _validate(
    validate: Callable[[str], object] | Mapping[str, Callable[[str], object]], question: QuestionDict
) -> ReplyDict:
    """Reply with the verdict of the function for the rule of a question.

    Only False refuses, or an exception, which the caller handles.
    """
    rules = dict.fromkeys(REFERENCES, validate) if callable(validate) else validate
    rule = question.get("rule") or _default_rule(question.get("spec", ""), rules)
    function = rules.get(rule)
    if function is None:
        return _unsupported(f"no function for {rule or 'references'}")
    if function(question["url"]) is False:  # not falsy: a function may return nothing
        return {"status": "reject"}
    return {"status": "ok"}


def _default_rule(spec: str, rules: Collection[str]) -> str:
    """Return the rule of references by which to answer a question without a rule, or "" if there is none.

    The rule of the RFC is preferred. If it has no function, that of another RFC will do.
    """
    default_rule = SPECS[spec].default_rule if spec in SPECS else ""
    for rule in (default_rule, *REFERENCES):
        if rule in REFERENCES and rule in rules:
            return rule
    return ""


def _components_reply(components: object) -> ReplyDict:
    """Reply with components.  Raise TypeError if they are no mapping."""
    if not isinstance(components, Mapping):
        raise TypeError(f"parse returned a {type(components).__name__}, not a mapping")
    return {"status": "ok", "components": dict(components)}


def _check_component_names(components: Mapping[object, object], spec: str) -> None:
    """Raise TypeError if a reply to a question of the RFC `spec` cannot have one of these components."""
    for name in components:
        if not is_component(name, spec):
            names = ", ".join(SPECS.get(spec, SPECS[DEFAULT_SPEC]).components)
            fault = f"parse returned the unknown component {name!r}{meant_component(name, spec)}"
            raise TypeError(f"{fault}; the names are {names}")


def _url_reply(text: str) -> ReplyDict:
    return {"status": "ok", "url": text}


def _map_reply(function: Callable[[str], str], question: QuestionDict) -> ReplyDict:
    """Reply with what a function makes of a whole reference. It cannot tell what a component is."""
    rule = question.get("rule")
    if rule not in (None, *REFERENCES):
        return _unsupported(f"no function for {rule}")
    return _url_reply(function(question["url"]))


def _urls_reply(urls: Iterable[str | Sequence[str]]) -> ReplyDict:
    """Reply with URLs, each as the list of its readings."""
    readings = [[url] if isinstance(url, str) else [*url] for url in urls]
    return {"status": "ok", "urls": readings}


def _equal_reply(equal: object) -> ReplyDict:
    """Reply with a verdict on two URLs.  Raise TypeError if it is no bool."""
    if not isinstance(equal, bool):
        raise TypeError(f"equivalent returned a {type(equal).__name__}, not a bool")
    return {"status": "ok", "equal": equal}


def _decoded_reply(view: object) -> ReplyDict:
    """Reply with a decoded view.  Raise TypeError if it is no mapping."""
    if not isinstance(view, Mapping):
        raise TypeError(f"decode returned a {type(view).__name__}, not a mapping")
    decoded = {name: _protocol_value(part) for name, part in view.items()}
    return {"status": "ok", "decoded": decoded}


def _protocol_value(part: object) -> object:
    """Return a decoded part as the protocol writes it.

    Bytes become text if they are UTF-8, otherwise hex digits.
    """
    if isinstance(part, bytes):
        try:
            return part.decode()
        except UnicodeDecodeError:
            return {"hex": part.hex()}
    if isinstance(part, list | tuple):
        return [_protocol_value(member) for member in part]
    return part


def _layers(question: QuestionDict) -> Mapping[str, str]:
    """Return the layers that have a base, innermost first, or the header."""
    present = {name: question.get(name) for name in (*LAYERS, "header")}
    return {name: base for name, base in present.items() if base is not None}


def _unsupported(message: str) -> ReplyDict:
    return {"status": "unsupported", "message": message}


#: The reply of each operation to a question, given the function of the library.
_ANSWERS: Mapping[str, Callable[[Any, QuestionDict], ReplyDict]] = {
    "validate": _validate,
    "parse": lambda parse, question: _components_reply(parse(question["url"])),
    "resolve": lambda resolve, question: _url_reply(resolve(question["base"], question["reference"])),
    "recompose": lambda recompose, question: _url_reply(recompose(question["components"])),
    "normalize": lambda normalize, question: _url_reply(normalize(question["url"])),
    "extract": lambda extract, question: _urls_reply(extract(question["text"])),
    "equivalent": lambda equivalent, question: _equal_reply(equivalent(question["url"], question["other"])),
    "decode": lambda decode, question: _decoded_reply(decode(question["url"])),
    "base": lambda base, question: {"status": "ok", "base": base(_layers(question))},
    "to_uri": _map_reply,
    "to_iri": _map_reply,
}
