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
    if admission_of is None or isinstance(reply, Abnormal):
        return None
    if reply.status == "reject":
        return admission_of(text, None, spec)
    if reply.status == "ok" and isinstance(reply.url, str):
        return admission_of(text, reply.url, spec)
    return None


def with_admitted_answers(
    expectation: Expected, operation: str, spec: str, text: str, replies: Iterable[Reply | Abnormal]
) -> Expected:
    """Return an expectation together with those replies to a mapping that the RFC admits."""
    alternatives = list(expectation.alternatives)
    answers = {_answer_of(alternative) for alternative in alternatives}
    for reply in replies:
        admission = admission_of_reply(operation, spec, text, reply)
        if admission is None or not admission.admitted:
            continue
        assert isinstance(reply, Reply)  # anything else has no admission
        answer = reply.url if reply.status == "ok" and isinstance(reply.url, str) else None
        if answer not in answers:
            answers.add(answer)
            variant = "+".join(admission.rulings)
            admitted = Expected(valid=False) if answer is None else Expected(result=answer)
            alternatives.append(msgspec.structs.replace(admitted, variant=variant))
    if len(alternatives) == len(expectation.alternatives):
        return expectation
    return Expected(any=tuple(alternatives))


def _answer_of(expectation: Expected) -> str | None:
    """Return the text that is expected, or None for a refusal."""
    return expectation.result if isinstance(expectation.result, str) else None
