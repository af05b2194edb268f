"""The reference adapter: the oracle answers every operation for every specification."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any, get_args

from urlharness.corpus.model import LAYERS, MODES, OPERATIONS, USUAL_MODES
from urlharness.corpus.specifications import facts
from urlharness.jsonio import decoded_as_json
from urlharness.protocol.messages import TELLS_EMPTY, QuestionDict, ReplyDict
from urloracle import operations
from urloracle.errors import InvalidURL
from urloracle.grammar.grammar import UnknownRule
from urloracle.native import engine as engine  # noqa: PLC0414 - for --version
from urloracle.native import unused_reason as unused_reason  # noqa: PLC0414
from urloracle.readings import other_verdicts
from urloracle.rfc.equivalence import ComparisonMode
from urloracle.rfc.extraction import Extract
from urloracle.rfc.mapping import Forms
from urloracle.rfc.normalization import Mode
from urloracle.rfc.recomposition import MissingComponent
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
        "features": [TELLS_EMPTY],
        "modes": list(MODES),
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
    """Return a reply with the verdict.

    If the opposite verdict is admissible, too, add the rulings under whose readings of the grammar it is.
    """
    profile = _one_of(question, "profile", PROFILES)
    text = _text(question["url"])
    rule = question.get("rule")
    problem = spec.problem(text, rule, profile)
    reply: ReplyDict = {"status": "ok"} if problem is None else _rejection(problem)
    opposite_verdicts = other_verdicts(text, spec, rule, profile)
    if opposite_verdicts:
        permission = "may_reject" if problem is None else "may_accept"
        reply[permission] = True
        reply["rulings"] = [verdict.reading.ruling for verdict in opposite_verdicts]
    return reply


def _rejection(problem: InvalidURL) -> ReplyDict:
    """Return a reply that rejects a text, with the place of its error."""
    return {
        "status": "reject",
        "at": problem.position,
        "rules": list(problem.rules),
        "message": problem.problem,
    }


def _with_refusals(reply: ReplyDict, spec: Specification, *texts: str, **restriction: Any) -> ReplyDict:
    """Add `may_reject` and the rulings to a reply if a reading of the grammar refuses one of the texts.

    `restriction` may contain the rule and the profile of the question.
    """
    refusals = [verdict for text in texts for verdict in other_verdicts(text, spec, **restriction)]
    if not refusals:
        return reply
    rulings = list(reply.get("rulings", ()))
    rulings += [refusal.reading.ruling for refusal in refusals]
    return {**reply, "may_reject": True, "rulings": list(dict.fromkeys(rulings))}


def _parse(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the components, and in `also` those of the other readings."""
    profile = _one_of(question, "profile", PROFILES)
    text = _text(question["url"])
    rule = question.get("rule")
    parts = spec.parse(text, rule, profile)
    reply: ReplyDict = {"status": "ok", "components": spec.asdict(parts)}
    readings = spec.readings(parts)
    if readings:
        reply["also"] = [reading.components for reading in readings]
        reply["rulings"] = [reading.ruling for reading in readings]
    return _with_refusals(reply, spec, text, rule=rule, profile=profile)


def _resolve(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the target of a reference, and in `also` the other admissible targets."""
    base = _text(question["base"])
    reference = _text(question["reference"])
    resolution = operations.resolutions(base, reference, spec)
    reply: ReplyDict = {"status": "ok", "url": resolution.text}
    if resolution.same_document:
        reply["same_document"] = True
    return reply | _alternative_fields(resolution.also)


def _alternative_fields(also: tuple[Alternative, ...]) -> ReplyDict:
    """Return the fields of a reply for other admissible answers. Return no fields if `also` is empty."""
    if not also:
        return {}
    texts = [alternative.text for alternative in also]
    rulings = dict.fromkeys(alternative.ruling for alternative in also)
    return {
        "also": [text for text in texts if text is not None],
        "may_reject": None in texts,  # None stands for a refusal
        "rulings": list(rulings),
    }


def _recompose(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the text of components, or reject components that make no text."""
    try:
        recommended, *also = operations.recompositions(question["components"], spec)
    except MissingComponent as error:
        return {"status": "reject", "message": str(error)}
    reply: ReplyDict = {"status": "ok", "url": recommended}
    if also:
        reply["also"] = also
    return reply


def _normalize(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the normal form, and in `also` the other admissible ones."""
    mode: Mode = _one_of(question, "mode", USUAL_MODES) or "syntax"
    url = _text(question["url"])
    normal_forms = operations.normal_forms(url, spec, mode)
    return {"status": "ok", "url": normal_forms.text, **_alternative_fields(normal_forms.also)}


def _extract(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the URLs that must be found. Its field `also` lists URLs that may be found, too."""
    extracts = operations.extract(_text(question["text"]), spec)
    reply: ReplyDict = {"status": "ok"}
    reply["urls"] = [_readings(extract) for extract in extracts if not extract.optional]
    optional = [_readings(extract) for extract in extracts if extract.optional]
    if optional:
        reply["also"] = optional
    rulings = (reading.ruling for extract in extracts for reading in extract.readings)
    reply["rulings"] = list(dict.fromkeys(filter(None, rulings)))
    return reply


def _readings(extract: Extract) -> list[str]:
    """Return every admissible reading as text. A separate fragment is appended to its URL (R-1738-32)."""
    texts = []
    for url in extract.readings:
        text = url.text if url.fragment is None else f"{url.text}#{url.fragment}"
        texts.append(text)
    return list(dict.fromkeys(texts))


def _equivalent(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply that says whether two URLs are equivalent, with the other admissible verdicts."""
    modes = USUAL_MODES if spec.algorithms.compare_simply is None else MODES
    mode: ComparisonMode = _one_of(question, "mode", modes) or "syntax"
    first = _text(question["url"])
    second = _text(question["other"])
    equivalence = operations.equivalent(first, second, spec, mode)
    reply: ReplyDict = {"status": "ok", "equal": equivalence.equal}
    if equivalence.also:
        verdicts = [alternative.equal for alternative in equivalence.also]
        reply["also"] = [verdict for verdict in verdicts if verdict is not None]
        reply["may_reject"] = None in verdicts  # None stands for a refusal
        reply["rulings"] = [alternative.ruling for alternative in equivalence.also]
    return _with_refusals(reply, spec, first, second)


def _decode(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the decoded parts of a URL, and in `also` the other admissible views.

    Raise Unsupported if the RFC does not define the parts of a URL.
    """
    if not spec.defines("decode"):
        raise Unsupported(f"{spec.title} does not define the meaning of the parts of a URL")
    text = _text(question["url"])
    decoding = operations.full_decoding(text)  # by RFC 1738, the only RFC that defines it
    reply: ReplyDict = {"status": "ok", "decoded": decoded_as_json(decoding.view)}
    if decoding.rulings:
        reply["also"] = [decoded_as_json(view) for view in decoding.also]
        reply["may_reject"] = decoding.may_reject
        reply["rulings"] = list(decoding.rulings)
    return _with_refusals(reply, spec, text)


def _base(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the base that applies: that of the layers, or that of a header if there is one.

    Raise Unsupported if the RFC has no header for a base, or if the question has both.
    """
    layers = {name: _text(question[name]) for name in LAYERS if question.get(name) is not None}
    if "header" not in question:
        base = operations.base_url(spec, **layers)
        reply = {"status": "ok", "base": base.url, "layer": base.source, "section": base.section}
        return reply | _alternative_fields(base.also)
    section = facts(spec.id).base_header
    if section is None:
        raise Unsupported(f"{spec.title} has no header for a base")
    if layers:
        raise Unsupported("ask with a header or with layers, not with both")
    url = operations.base_header(_text(question["header"]))
    return {"status": "ok", "base": url, "layer": "embedded", "section": section}


def _to_uri(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the URI to which an IRI maps."""
    text = _text(question["url"])
    rule = question.get("rule")
    forms = operations.uri_forms(text, spec, rule)
    return _forms_reply(forms, partial(operations.to_uri, text, spec, rule))


def _to_iri(spec: Specification, question: QuestionDict) -> ReplyDict:
    """Return a reply with the IRI to which a URI is converted."""
    text = _text(question["url"])
    rule = question.get("rule")
    forms = operations.iri_forms(text, spec, rule)
    return _forms_reply(forms, partial(operations.to_iri, text, spec, rule))


def _forms_reply(forms: Forms, recommended: Callable[[], str]) -> ReplyDict:
    """Return a reply with the recommended form, or with the refusal if it is recommended, and the others."""
    try:
        reply: ReplyDict = {"status": "ok", "url": recommended()}
    except InvalidURL as problem:
        reply = _rejection(problem)
    return reply | _alternative_fields(forms.also)


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
    "to_uri": _to_uri,
    "to_iri": _to_iri,
}


def _one_of(question: QuestionDict, field: str, allowed: Collection[str]) -> Any:
    """Return the word in a field, or None if it is left out. Raise Unsupported if it is not in `allowed`."""
    word = question.get(field)
    if word is not None and word not in allowed:
        raise Unsupported(f"no {field} {word!r}")
    return word


def _text(content: str | Mapping[str, str]) -> str:
    """Return the text in a field. Bytes that are not UTF-8 become surrogates, which no rule allows."""
    if isinstance(content, str):
        return content
    return bytes.fromhex(content["hex"]).decode("utf-8", "surrogateescape")


def _unsupported(message: str) -> ReplyDict:
    return {"status": "unsupported", "message": message}
