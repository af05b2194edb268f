"""Answers of mappings that an RFC on IRIs admits, although no list has them.

A character against which the RFC advises may stay encoded in an IRI, and a host may have its name by any
version of IDNA.  So the answers of `uri_forms` and `iri_forms` are not all; see `urloracle.rfc.admission`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from urlharness.corpus.model import Expected
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import Reply
from urloracle.operations import admission_of_iri, admission_of_uri
from urloracle.rfc.admission import Admission

_ADMISSIONS: Mapping[str, Callable[[str, str | None, str], Admission]] = {
    "to_uri": admission_of_uri,
    "to_iri": admission_of_iri,
}


def admission_of_reply(operation: str, spec: str, text: str, reply: Reply | Abnormal) -> Admission | None:
    """Return whether an RFC admits a reply to a mapping of a text, with the reason.

    Return None if the operation is no mapping, or if the reply has no answer.
    """
    admission_of = _ADMISSIONS.get(operation)
    answered = _as_expected(reply)
    if admission_of is None or answered is None:
        return None
    return admission_of(text, _answer_of(answered), spec)


def with_admitted_answers(
    expectation: Expected, operation: str, spec: str, text: str, replies: Iterable[Reply | Abnormal]
) -> Expected:
    """Return an expectation together with those replies to a mapping that the RFC admits."""
    alternatives = list(expectation.alternatives)
    answers = {_answer_of(alternative) for alternative in alternatives}
    for reply in replies:
        answered = _as_expected(reply)
        admission = admission_of_reply(operation, spec, text, reply)
        if answered is None or admission is None or not admission.admitted:
            continue
        answer = _answer_of(answered)
        if answer not in answers:
            answers.add(answer)
            variant = "+".join(admission.rulings)
            alternatives.append(msgspec.structs.replace(answered, variant=variant))
    if len(alternatives) == len(expectation.alternatives):
        return expectation
    return Expected(any=tuple(alternatives))


def _as_expected(reply: Reply | Abnormal) -> Expected | None:
    """Return the expectation that a reply to a mapping meets, or None if the reply has no answer."""
    if isinstance(reply, Abnormal):
        return None
    if reply.status == "reject":
        return Expected(valid=False)
    if reply.status == "ok" and isinstance(reply.url, str):
        return Expected(result=reply.url)
    return None


def _answer_of(expectation: Expected) -> str | None:
    """Return the text that is expected, or None for a refusal."""
    return expectation.result if isinstance(expectation.result, str) else None
