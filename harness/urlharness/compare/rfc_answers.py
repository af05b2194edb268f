"""Answers of the RFCs to the question of a case: of each RFC that has one, the answers that it admits.

An RFC is asked only by a rule that corresponds to the rule of the question. RFC 1738 has no relative
references, so it says nothing of `a/b`. No RFC derives `xy` as an absolute URL, although later ones accept it
as a reference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from urlharness.compare.whole_questions import abbreviated_answer, whole_vector
from urlharness.corpus.model import Case
from urlharness.corpus.specifications import SPECS, facts
from urlharness.explain.by_rfc import (
    Comparison,
    RFCAnswer,
    compare_equivalence,
    compare_resolutions,
    compare_splits,
    compare_verdicts,
)
from urlharness.panel.answer import Answer
from urlharness.panel.spelling import split, without_repeated_authority
from urloracle.readings import other_verdicts
from urloracle.rfcs import SPECIFICATIONS

#: The ruling that admits a question mark in an opaque part (RFC 2396).
_OPAQUE_READING = "R-2396-04"

#: The answers of RFCs by id. The recommended answer of an RFC comes first.
RfcAnswers = Mapping[str, Sequence[Answer]]


def rfc_answers(case: Case, specs: Collection[str] = SPECIFICATIONS) -> RfcAnswers:
    """Return the answers of each RFC that defines one for the question of a case, the recommended one first.

    Only the RFCs in `specs` are asked, because the languages of an RFC are compiled when it is first asked.
    Long texts of the answers are abbreviated. If the whole text of the question is not known, no RFC has an
    answer.
    """
    vector = whole_vector(case)
    if vector is None:
        return {}
    # no RFC says anything of bytes
    url, base, reference, second_url = (
        text if isinstance(text, str) else None
        for text in (vector.url, vector.base, vector.reference, vector.other)
    )
    asked_specs = tuple(spec for spec in SPECIFICATIONS if spec in specs)
    return _rfc_answers(vector.op, vector.rule, url, base, reference, second_url, asked_specs)


def is_whole_rule(rule: str) -> bool:
    """Return True if an RFC has whole URLs of any scheme under this rule."""
    return any(rule in rfc.rules_of_any_scheme for rfc in SPECS.values())


@lru_cache(maxsize=65536)
def _rfc_answers(
    op: str,
    rule: str | None,
    url: str | None,
    base: str | None,
    reference: str | None,
    second_url: str | None,
    specs: tuple[str, ...],
) -> RfcAnswers:
    """Return the answers of the RFCs to a question, or {} if none has one; see `rfc_answers`.

    It is a function of texts because these are hashable, and cases are not.
    """
    if op == "validate" and url is not None and rule in _WHOLE_KINDS:
        verdicts = _verdicts_of_kind(url, _WHOLE_KINDS[rule], specs)
        return {spec: [verdict] for spec, verdict in verdicts.items()}
    comparison = _comparison(op, rule, url, base, reference, second_url, specs)
    if comparison is None:
        return {}
    answers = {spec: [abbreviated_answer(_rfc_answer(answer))] for spec, answer in comparison.answers.items()}
    if op in ("parse", "validate") and url is not None:
        for spec, admitted in answers.items():
            admitted.extend(_further_readings(op, url, spec, admitted[0]))
    if op == "normalize":
        # other RFCs have other normal forms, but a refusal is right where the RFC refuses the text
        answers = {spec: admitted for spec, admitted in answers.items() if admitted[0].kind == "rejected"}
    texts = [text for text in (url, second_url) if text is not None]
    return {spec: admitted for spec, admitted in answers.items() if _judges(spec, texts)}


def _further_readings(op: str, url: str, spec: str, answer: Answer) -> Iterator[Answer]:
    """Yield what rulings admit besides the recommended answer of an RFC to a URL."""
    if op == "parse" and facts(spec).opaque_parts:
        yield from _opaque_readings(answer)
    if op == "parse" and facts(spec).second_hash is not None:
        yield from _split_at_first_hash(url, spec)
    if answer.accepts and _may_be_refused(url, spec):
        yield Answer("rejected")


def rulings_on(case: Case, spec: str, answer: Answer) -> Sequence[str]:
    """Return the rulings on which an answer of `rfc_answers` rests.

    They decide how the RFC is read where its text allows another verdict, or other components.
    """
    vector = whole_vector(case)
    if vector is None or not isinstance(vector.url, str) or vector.op not in ("parse", "validate"):
        return ()
    rulings = [verdict.reading.ruling for verdict in other_verdicts(vector.url, SPECIFICATIONS[spec])]
    if vector.op == "parse" and answer.accepts:
        first_answer = abbreviated_answer(_rfc_answer(compare_splits(vector.url, [spec]).answers[spec]))
        second_hash = facts(spec).second_hash
        if not first_answer.accepts and second_hash is not None:
            rulings.append(second_hash)
        elif answer in _opaque_readings(first_answer):
            rulings.append(_OPAQUE_READING)
    return tuple(dict.fromkeys(rulings))


def _split_at_first_hash(url: str, spec: str) -> Sequence[Answer]:
    """Return the components, at most one answer, of a text that an RFC refuses only for a second `#`.

    A ruling admits them, because the steps of parsing divide the text at its first `#`; see `second_hash`.
    """
    before, _, fragment = url.partition("#")
    if "#" not in fragment:
        return ()
    escaped_fragment = fragment.replace("#", "%23")
    answer = compare_splits(f"{before}#{escaped_fragment}", [spec]).answers[spec]
    if answer.problem is not None or not answer.components:
        return ()
    parsed = _rfc_answer(answer)
    components = {**parsed.components, "fragment": fragment}
    return (abbreviated_answer(msgspec.structs.replace(parsed, components=components)),)


def _opaque_readings(answer: Answer) -> Sequence[Answer]:
    """Return the readings, at most one, in which an opaque part contains its `?`."""
    components = answer.components
    path = components.get("path") or ""
    query = components.get("query")
    is_opaque = components.get("scheme") is not None and components.get("host") is None
    if not is_opaque or path.startswith("/") or query is None:
        return ()
    with_query = {**components, "path": f"{path}?{query}", "query": None}
    return (msgspec.structs.replace(answer, components=with_query),)


def _may_be_refused(url: str, spec: str) -> bool:
    """Return True if a ruling leaves it to the implementation whether it refuses a URL of an RFC.

    In RFC 1738, for example, that is an address with a number above 255 (R-1738-41).
    """
    verdicts = other_verdicts(url, SPECIFICATIONS[spec])
    return any(not verdict.valid and verdict.reading.binding == "impl-defined" for verdict in verdicts)


def _judges(spec: str, texts: Sequence[str]) -> bool:
    """Return True if an RFC judges whole texts, perhaps with a fragment.

    An RFC without a rule for relative references says nothing of these. In RFC 1738 a `#` delimits a URL from
    a fragment (section 2.2), of which the RFC says nothing. So such an RFC refuses a text with a fragment
    only if it refuses the URL before the `#`.
    """
    rfc = facts(spec)
    if rfc.relative_rule is None and any(split(text)["scheme"] is None for text in texts):
        return False
    if rfc.fragments or not any("#" in text for text in texts):
        return True
    return any(SPECIFICATIONS[spec].problem(text.partition("#")[0]) is not None for text in texts)


class _Kind(NamedTuple):
    """The texts of a rule of whole URLs: absolute or relative, with or without a fragment."""

    absolute: bool
    fragment: bool


#: The kind of each rule of whole URLs that is not the default rule of its RFC.
_WHOLE_KINDS: Mapping[str | None, _Kind] = {
    "genericurl": _Kind(absolute=True, fragment=False),
    "absoluteURL": _Kind(absolute=True, fragment=False),
    "absoluteURI": _Kind(absolute=True, fragment=False),
    "absolute-URI": _Kind(absolute=True, fragment=False),
    "URI": _Kind(absolute=True, fragment=True),
    "relativeURL": _Kind(absolute=False, fragment=False),
    "relativeURI": _Kind(absolute=False, fragment=False),
    "relative-ref": _Kind(absolute=False, fragment=True),
}


def _verdicts_of_kind(text: str, kind: _Kind, specs: Collection[str]) -> Mapping[str, Answer]:
    """Return the verdict of each of these RFCs that has URLs of a kind.

    If URLs of the kind have a fragment, RFCs that do not judge the text are left out, too.
    """
    answers = {}
    for spec in specs:
        rfc = facts(spec)
        rule = rfc.absolute_rule if kind.absolute else rfc.relative_rule
        if rule is None or (kind.fragment and not _judges(spec, [text])):
            continue
        answers[spec] = Answer("valid" if _is_of_kind(text, spec, rule, kind) else "rejected")
    return answers


def _is_of_kind(text: str, spec: str, rule: str, kind: _Kind) -> bool:
    """Return True if an RFC derives a text by a rule, followed by a fragment if the kind has one."""
    specification = SPECIFICATIONS[spec]
    without_fragment, mark, fragment = text.partition("#")
    if mark and not (kind.fragment and "fragment" in specification.grammar.rules):
        return False
    if specification.problem(without_fragment, rule) is not None:
        return False
    return not mark or specification.problem(fragment, "fragment") is None


def _comparison(
    op: str,
    rule: str | None,
    url: str | None,
    base: str | None,
    reference: str | None,
    second_url: str | None,
    specs: Collection[str],
) -> Comparison | None:
    """Return the answers of the RFCs to a question, or None if `explain` does not compare its operation."""
    if op == "resolve" and base is not None and reference is not None:
        return compare_resolutions(base, reference, specs)
    if url is None:
        return None
    if op == "equivalent" and second_url is not None:
        return compare_equivalence(url, second_url, specs)
    if op == "parse":
        return compare_splits(url, specs)
    if op == "validate":
        # each RFC has a rule of whole URLs under its own name
        own_rule = None if rule is None or is_whole_rule(rule) else rule
        return compare_verdicts(url, specs, rule=own_rule)
    if op == "normalize":
        return compare_verdicts(url, specs)
    return None


def _rfc_answer(answer: RFCAnswer) -> Answer:
    """Return the answer of an RFC as that of a library. Without components, it is a verdict only."""
    if answer.problem is not None:
        return Answer("rejected")
    if answer.equal is not None:
        return Answer("other", text="true" if answer.equal else "false")
    if answer.result is not None:
        return Answer("url", text=answer.result)
    if not answer.components:
        return Answer("valid")
    return Answer("parsed", without_repeated_authority(answer.components))
