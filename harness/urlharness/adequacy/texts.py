"""The texts of the corpus for one subject: what is asked of it, and the true answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from urlharness.adequacy.subjects import Subject
from urlharness.corpus import Case, Corpus, Expected

#: The inputs that a vector takes to be URLs, by operation, and whether the whole RFC's rule judges them.
_URLS = {
    "validate": ("url",),
    "parse": ("url",),
    "normalize": ("url",),
    "decode": ("url",),
    "equivalent": ("url", "other"),
    "resolve": ("base", "reference"),
}


class Asked(NamedTuple):
    """A text, the rule of the subject that it is put to, and the answer of the vector.

    `at` is the offset of a rejection, None where it is not stated; `components` are the admissible sets of
    components, none where the vector does not ask for them.
    """

    rule: str
    text: str
    valid: bool
    at: int | None = None
    components: tuple[dict[str, Any], ...] = ()


def asked(corpus: Corpus, subject: Subject, *, witnesses: bool = True) -> list[Asked]:
    """The questions of the vectors; without `witnesses` those made of mutants are left out."""
    return [
        one
        for case in corpus.cases
        if case.spec == subject.spec.id and (witnesses or not is_witness(case))
        for one in _asked_by(case, subject)
    ]


def is_witness(case: Case) -> bool:
    """True for a vector that was made to tell a mutant."""
    return case.vector.origin == "mutant"


def _asked_by(case: Case, subject: Subject) -> Iterator[Asked]:
    vector, spec = case.vector, subject.spec
    if vector.profile not in (None, "scheme-specific"):
        return
    valid = _validity(vector.expect.alternatives)
    if valid is None or (vector.op != "validate" and not valid):
        return
    for name in _URLS.get(vector.op, ()):
        text = getattr(vector, name)
        if not isinstance(text, str) or (vector.op == "resolve" and not text):
            continue
        rule = spec.judging_rule(text, vector.rule)
        folded = {known.lower(): known for known in (subject.rule, *subject.kin)}
        if rule.lower() in folded:
            at = vector.expect.at if isinstance(vector.expect.at, int) else None
            components = tuple(
                answer.components
                for answer in vector.expect.alternatives
                if isinstance(answer.components, dict)
            )
            yield Asked(folded[rule.lower()], text, valid, at, components if vector.op == "parse" else ())


def _validity(alternatives: tuple[Expected, ...]) -> bool | None:
    """What the expectation takes the URLs for: None where it leaves that open, or says a base is none."""
    found = {answer.valid if isinstance(answer.valid, bool) else True for answer in alternatives}
    return found.pop() if len(found) == 1 else None
