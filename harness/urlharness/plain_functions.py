"""An adapter made of plain functions: `parse(url)`, `resolve(base, reference)` and their kin.

What it makes is a function of the protocol, from a question to a reply, with its hello beside it.  It can be
named on the command line as `python:MODULE:NAME`, given to `urlharness.run`, or returned from a conftest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Question = Mapping[str, Any]
Answer = dict[str, Any]
Components = Mapping[str, str | None]

#: The rules that stand for any reference, whole or relative; what is asked where no rule is named.
REFERENCES = frozenset(("URL", "URI-reference"))


@dataclass(frozen=True, slots=True)
class Functions:
    """An adapter: called with a question it gives the reply; `hello` says what it is and what it offers."""

    hello: Mapping[str, Any]
    operations: Mapping[str, Callable[[Question], Answer]]
    rejects: tuple[type[Exception], ...]

    @property
    def name(self) -> str:
        """The name of the library, as reports show it."""
        name: str = self.hello["implementation"]["name"]
        return name

    def __call__(self, question: Question) -> Answer:
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
    operations: dict[str, Callable[[Question], Answer]] = {}
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


def _validate(rules: Mapping[str, Callable[[str], object]], question: Question) -> Answer:
    rule = question.get("rule") or next(iter(REFERENCES & rules.keys()), "")
    function = rules.get(rule)
    if function is None:
        return {"status": "unsupported", "message": f"it does not judge {rule or 'references'} by itself"}
    if function(question["url"]) is False:
        return {"status": "reject"}
    return {"status": "ok"}


def _normalize(normalize: Callable[[str], str], question: Question) -> Answer:
    if question.get("mode") == "scheme":
        return {"status": "unsupported", "message": "it does not normalize by scheme"}
    return _text(normalize(question["url"]))


def _text(text: str) -> Answer:
    return {"status": "ok", "url": text}
