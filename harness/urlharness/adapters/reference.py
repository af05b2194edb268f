"""The reference adapter: the oracle behind the wire protocol, every operation and every specification."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from urlharness.protocol import OPERATIONS
from urloracle import (
    SPECIFICATIONS,
    InvalidURL,
    Mode,
    Specification,
    UnknownRule,
    UnknownSpecification,
    Unsupported,
    normalize,
    recompose,
    resolve,
    specification,
)

Question = Mapping[str, Any]
Answer = dict[str, Any]


def hello() -> Answer:
    """What the oracle says of itself."""
    return {
        "type": "hello",
        "protocol": 1,
        "implementation": {
            "name": "urloracle",
            "version": version("urlconform"),
            "language": "python",
        },
        "ops": list(OPERATIONS),
        "specs": list(SPECIFICATIONS),
        "components": ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"],
        "features": ["absent-vs-empty"],
        "window": 64,
    }


def answer(question: Question) -> Answer:
    """The oracle's reply to one question, without its id."""
    operation = _OPERATIONS.get(question["op"])
    if operation is None:
        return _unsupported(f"no operation {question['op']!r}")
    try:
        return operation(specification(question["spec"]), question)
    except InvalidURL as problem:
        return {
            "status": "reject",
            "at": problem.position,
            "rules": list(problem.rules),
            "message": problem.problem,
        }
    except UnknownRule as unknown:
        return _unsupported(f"{question['spec']} has {unknown}")
    except UnknownSpecification as unknown:
        return _unsupported(str(unknown))
    except Unsupported as unsupported:
        return _unsupported(str(unsupported))
    except ValueError as error:
        return {"status": "reject", "message": str(error)}


def _validate(spec: Specification, question: Question) -> Answer:
    problem = spec.problem(_text(question["url"]), question.get("rule"), question.get("profile"))
    if problem is not None:
        raise problem
    return {"status": "ok"}


def _parse(spec: Specification, question: Question) -> Answer:
    text, rule, profile = _text(question["url"]), question.get("rule"), question.get("profile")
    parts = spec.parse(text, rule, profile)
    reply: Answer = {"status": "ok", "components": spec.asdict(parts)}
    readings = spec.readings(parts)
    if readings:
        reply["also"] = [reading.components for reading in readings]
        reply["rulings"] = [reading.ruling for reading in readings]
    return reply


def _resolve(spec: Specification, question: Question) -> Answer:
    found = resolve(_text(question["base"]), _text(question["reference"]), spec)
    reply: Answer = {"status": "ok", "url": found.text}
    if found.same_document:
        reply["same_document"] = True
    if found.also:
        reply["also"] = [other.text for other in found.also if other.text is not None]
        reply["may_reject"] = any(other.text is None for other in found.also)
        reply["rulings"] = list(dict.fromkeys(other.ruling for other in found.also))
    return reply


def _recompose(spec: Specification, question: Question) -> Answer:
    return {"status": "ok", "url": recompose(question["components"], spec)}


def _normalize(spec: Specification, question: Question) -> Answer:
    mode: Mode = question.get("mode") or "syntax"
    return {"status": "ok", "url": normalize(_text(question["url"]), spec, mode)}


_OPERATIONS: Mapping[str, Callable[[Specification, Question], Answer]] = {
    "validate": _validate,
    "parse": _parse,
    "resolve": _resolve,
    "recompose": _recompose,
    "normalize": _normalize,
}


def _text(value: str | Mapping[str, str]) -> str:
    """A text; octets that are no UTF-8 become characters that no rule allows, each at its offset."""
    if isinstance(value, str):
        return value
    return bytes.fromhex(value["hex"]).decode("utf-8", "surrogateescape")


def _unsupported(message: str) -> Answer:
    return {"status": "unsupported", "message": message}
