"""The reference adapter: the oracle answers every operation for every specification."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib.metadata import version
from typing import Any, get_args

from urlharness.corpus.model import LAYERS, MODES, OPERATIONS
from urlharness.corpus.specifications import facts
from urlharness.jsonio import decoded_as_json
from urlharness.protocol.messages import QuestionDict, ReplyDict
from urloracle import operations
from urloracle.errors import InvalidURL
from urloracle.grammar.grammar import UnknownRule
from urloracle.native import engine as engine  # noqa: PLC0414 - for --version
from urloracle.native import unused as unused  # noqa: PLC0414
from urloracle.readings import other_verdicts
from urloracle.rfc.extraction import Extract
from urloracle.rfc.normalization import Mode
from urloracle.rfc.resolution import Alternative
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification
from urloracle.specification import Profile, Specification, Unsupported

PROFILES = get_args(Profile)


def hello() -> ReplyDict:
    """Return the hello of the oracle."""
    return {
        "type": "hello",
        "protocol": 1,
        "implementation": {"name": "urloracle", "version": version("urlconform"), "language": "python"},
        "ops": list(OPERATIONS),
        "specs": list(SPECIFICATIONS),
        "components": ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"],
        "features": ["absent-vs-empty"],
        "window": 64,
    }


def answer(question: QuestionDict) -> ReplyDict:
    """Return the reply to a question, without its id."""
    operation = _OPERATIONS.get(question["op"])
    if operation is None:
        return _unsupported(f"no operation {question['op']!r}")
    try:
        return operation(specification(question["spec"]), question)
    except InvalidURL as problem:
        return _rejection(problem)
    except UnknownRule as unknown:
        return _unsupported(f"{question['spec']} has {unknown}")
    except (UnknownSpecification, Unsupported) as unsupported:
        return _unsupported(str(unsupported))


def _validate(spec: Specification, question: QuestionDict) -> ReplyDict:
    profile = _one_of(question, "profile", PROFILES)
    text, rule = _text(question["url"]), question.get("rule")
    problem = spec.problem(text, rule, profile)
    reply: ReplyDict = {"status": "ok"} if problem is None else _rejection(problem)
    if others := other_verdicts(text, spec, rule, profile):
        reply["may_reject" if problem is None else "may_accept"] = True
        reply["rulings"] = [other.reading.ruling for other in others]
    return reply


def _rejection(problem: InvalidURL) -> ReplyDict:
    return {
        "status": "reject",
        "at": problem.position,
        "rules": list(problem.rules),
        "message": problem.problem,
    }


def _may_refuse(reply: ReplyDict, spec: Specification, *texts: str, **asked: Any) -> ReplyDict:
    """Add `may_reject` and the rulings to a reply if a reading of the grammar refuses one of the texts."""
    others = [other for text in texts for other in other_verdicts(text, spec, **asked)]
    if others:
        rulings = [*reply.get("rulings", ()), *(other.reading.ruling for other in others)]
        reply |= {"may_reject": True, "rulings": list(dict.fromkeys(rulings))}
    return reply


def _parse(spec: Specification, question: QuestionDict) -> ReplyDict:
    profile = _one_of(question, "profile", PROFILES)
    text, rule = _text(question["url"]), question.get("rule")
    parts = spec.parse(text, rule, profile)
    reply: ReplyDict = {"status": "ok", "components": spec.asdict(parts)}
    if readings := spec.readings(parts):
        reply["also"] = [reading.components for reading in readings]
        reply["rulings"] = [reading.ruling for reading in readings]
    return _may_refuse(reply, spec, text, rule=rule, profile=profile)


def _resolve(spec: Specification, question: QuestionDict) -> ReplyDict:
    found = operations.resolutions(_text(question["base"]), _text(question["reference"]), spec)
    reply: ReplyDict = {"status": "ok", "url": found.text}
    if found.same_document:
        reply["same_document"] = True
    return reply | _others(found.also)


def _others(also: tuple[Alternative, ...]) -> ReplyDict:
    """Return the fields of a reply for other admissible answers. Return no fields if `also` is empty."""
    if not also:
        return {}
    return {
        "also": [other.text for other in also if other.text is not None],
        "may_reject": any(other.text is None for other in also),
        "rulings": list(dict.fromkeys(other.ruling for other in also)),
    }


def _recompose(spec: Specification, question: QuestionDict) -> ReplyDict:
    try:
        text, *others = operations.recompositions(question["components"], spec)
    except ValueError as error:  # the rule does not have these components
        return {"status": "reject", "message": str(error)}
    return {"status": "ok", "url": text, **({"also": others} if others else {})}


def _normalize(spec: Specification, question: QuestionDict) -> ReplyDict:
    mode: Mode = _one_of(question, "mode", MODES) or "syntax"
    found = operations.normal_forms(_text(question["url"]), spec, mode)
    return {"status": "ok", "url": found.text, **_others(found.also)}


def _extract(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the URLs that must be found. Its field `also` lists URLs that may be found, too."""
    found = operations.extract(_text(question["text"]), spec)
    reply: ReplyDict = {"status": "ok", "urls": [_readings(one) for one in found if not one.optional]}
    if optional := [_readings(one) for one in found if one.optional]:
        reply["also"] = optional
    rulings = dict.fromkeys(reading.ruling for one in found for reading in one.readings)
    return {**reply, "rulings": [ruling for ruling in rulings if ruling]}


def _readings(found: Extract) -> list[str]:
    """Return every admissible reading as text. A separate fragment is appended to its URL (R-1738-32)."""
    readings = found.readings
    texts = (one.text if one.fragment is None else f"{one.text}#{one.fragment}" for one in readings)
    return list(dict.fromkeys(texts))


def _equivalent(spec: Specification, question: QuestionDict) -> ReplyDict:
    mode: Mode = _one_of(question, "mode", MODES) or "syntax"
    texts = _text(question["url"]), _text(question["other"])
    found = operations.equivalent(*texts, spec, mode)
    reply: ReplyDict = {"status": "ok", "equal": found.equal}
    if found.also:
        reply["also"] = [other.equal for other in found.also if other.equal is not None]
        reply["may_reject"] = any(other.equal is None for other in found.also)
        reply["rulings"] = [other.ruling for other in found.also]
    return _may_refuse(reply, spec, *texts)


def _decode(spec: Specification, question: QuestionDict) -> ReplyDict:
    if not spec.defines("decode"):
        raise Unsupported(f"{spec.title} does not define the meaning of the parts of a URL")
    text = _text(question["url"])
    found = operations.decodings(text)
    reply: ReplyDict = {"status": "ok", "decoded": decoded_as_json(found.view)}
    if found.rulings:
        reply["also"] = [decoded_as_json(view) for view in found.also]
        reply |= {"may_reject": found.may_reject, "rulings": list(found.rulings)}
    return _may_refuse(reply, spec, text)


def _base(spec: Specification, question: QuestionDict) -> ReplyDict:
    layers = {name: _text(question[name]) for name in LAYERS if question.get(name) is not None}
    if "header" not in question:
        found = operations.base_url(spec, **layers)
        reply: ReplyDict = {"status": "ok", "base": found.url, "layer": found.source}
        return reply | {"section": found.section} | _others(found.also)
    if facts(spec.id).base_header is None:
        raise Unsupported(f"{spec.title} has no header for a base")
    if layers:
        raise Unsupported("ask with a header or with layers, not with both")
    base = operations.base_header(_text(question["header"]))
    return {"status": "ok", "base": base, "layer": "embedded", "section": facts(spec.id).base_header}


_OPERATIONS: Mapping[str, Callable[[Specification, QuestionDict], ReplyDict]] = {
    "validate": _validate,
    "parse": _parse,
    "resolve": _resolve,
    "recompose": _recompose,
    "normalize": _normalize,
    "extract": _extract,
    "equivalent": _equivalent,
    "decode": _decode,
    "base": _base,
}


def _one_of(question: QuestionDict, name: str, values: Collection[str]) -> Any:
    """Return the value of a field, or None if it is left out. Raise Unsupported if it is not in `values`."""
    value = question.get(name)
    if value is not None and value not in values:
        raise Unsupported(f"no {name} {value!r}")
    return value


def _text(value: str | Mapping[str, str]) -> str:
    """Return the text of a field. Bytes that are not UTF-8 become surrogates, which no rule allows."""
    if isinstance(value, str):
        return value
    return bytes.fromhex(value["hex"]).decode("utf-8", "surrogateescape")


def _unsupported(message: str) -> ReplyDict:
    return {"status": "unsupported", "message": message}
