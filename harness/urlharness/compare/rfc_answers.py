"""Answers of the RFCs to the question of a case: of each RFC that has one, the answers that it admits.

An RFC is asked only by a rule that corresponds to the rule of the question. RFC 1738 has no relative
references, so it says nothing of `a/b`. No RFC derives `xy` as an absolute URL, although later ones accept it
as a reference.

An RFC admits its recommended answer, and what its rulings admit besides: another reading of its grammar, of
the components, of the target or of the verdict on two URLs. No library fails under its own RFC for these, so
they count as right under another RFC, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from urlharness.compare.whole_questions import abbreviated_answer, whole_vector
from urlharness.corpus.model import Case
from urlharness.corpus.specifications import SPECS, facts, url_specs
from urlharness.explain.by_rfc import (
    Comparison,
    RFCAnswer,
    compare_equivalence,
    compare_resolutions,
    compare_splits,
    compare_verdicts,
    ruling_on_unsuitable_base,
    with_common_names,
)
from urlharness.explain.generic_parts import split_generic
from urlharness.panel.answer import Answer, without_empty
from urlharness.panel.spelling import decode_unreserved, split, without_repeated_authority
from urloracle.operations import equivalent, resolutions
from urloracle.readings import READINGS, GrammarReading, other_specifications, other_verdicts
from urloracle.rfc.components import URI, Reading
from urloracle.rfc.normalization import Mode
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification

#: The ruling by which RFC 1808 does not distinguish empty components from absent ones.
_EMPTY_AS_ABSENT = "G-09"

#: The open question of which numbers of an address, and which labels, are too large for a host.
_LIMITS_OF_HOST = "limits-of-host"

#: The longest label and the longest name, without a dot at its end (RFC 1034, section 3.1).
_LONGEST_LABEL = 63
_LONGEST_NAME = 253


class AdmittedAnswer(NamedTuple):
    """An answer that an RFC admits, and the rulings on which that rests.

    The rulings decide how the RFC is read where its text allows another answer.
    """

    answer: Answer
    rulings: tuple[str, ...] = ()


#: The answers of RFCs by id. The recommended answer of an RFC comes first.
RfcAnswers = Mapping[str, Sequence[AdmittedAnswer]]


def rfc_answers(case: Case, specs: Collection[str] | None = None) -> RfcAnswers:
    """Return the answers of each RFC that defines one for the question of a case, the recommended one first.

    Only the RFCs in `specs` are asked (None: those of URLs), because the languages of an RFC are compiled
    when it is first asked.
    Long texts of the answers are abbreviated. If the whole text of the question is not known, no RFC has an
    answer.
    """
    vector = whole_vector(case)
    if vector is None or vector.mode == "simple":  # no other RFC compares texts as they are
        return {}
    question = _Question(
        op=vector.op,
        rule=vector.rule,
        mode=vector.normalization_mode,
        url=_unless_bytes(vector.url),
        base=_unless_bytes(vector.base),
        reference=_unless_bytes(vector.reference),
        second_url=_unless_bytes(vector.other),
    )
    return _answers_to_question(question, _specs_to_ask(specs))


def open_resolutions(case: Case, specs: Collection[str] | None = None) -> Mapping[str, str]:
    """Return the RFCs of `specs` that leave open what a relative reference becomes, because of its base.

    Each comes with the ruling that says so; see `ruling_on_unsuitable_base`.
    """
    vector = whole_vector(case)
    if vector is None or vector.op != "resolve":
        return {}
    base = _unless_bytes(vector.base)
    reference = _unless_bytes(vector.reference)
    if base is None or reference is None:
        return {}
    rulings: dict[str, str] = {}
    for spec in _specs_to_ask(specs):
        ruling = ruling_on_unsuitable_base(spec, base, reference)
        if ruling is not None:
            rulings[spec] = ruling
    return rulings


def _unless_bytes(text: object) -> str | None:
    """Return a text of a vector, or None if it is absent or has bytes: no RFC says anything of bytes."""
    return text if isinstance(text, str) else None


def is_whole_rule(rule: str) -> bool:
    """Return True if an RFC has whole URLs of any scheme under this rule of its grammar."""
    return any(rule in rfc.rules_of_any_scheme for rfc in SPECS.values())


class _Question(NamedTuple):
    """A question as texts, which are hashable. A vector is not. Of absent texts and bytes, there is None."""

    op: str
    rule: str | None
    mode: Mode
    url: str | None
    base: str | None
    reference: str | None
    second_url: str | None


def _specs_to_ask(specs: Collection[str] | None) -> tuple[str, ...]:
    """Return RFCs (None: those of URLs) in the order of the corpus."""
    if specs is None:
        return url_specs()
    return tuple(spec for spec in SPECS if spec in specs)


@lru_cache(maxsize=65536)
def _answers_to_question(question: _Question, specs: tuple[str, ...]) -> RfcAnswers:
    """Return the answers of the RFCs to a question, or {} if none has one; see `rfc_answers`.

    Callers must not change them.
    """
    url = question.url
    if question.op == "validate" and url is not None and question.rule in _WHOLE_KINDS:
        return _verdicts_of_kind(url, _WHOLE_KINDS[question.rule], specs)
    comparison = _comparison(question, specs)
    if comparison is None:
        return {}
    answers: dict[str, Sequence[AdmittedAnswer]] = {}
    texts = [text for text in (url, question.second_url) if text is not None]
    for spec, rfc_answer in comparison.answers.items():
        if not _judges(spec, texts):
            continue
        admitted = _admitted_answers(question, spec, _answer_of_rfc(rfc_answer))
        if question.op == "normalize":
            # other RFCs have other normal forms, but a refusal is right where the RFC refuses the text
            admitted = filter(_is_refusal, admitted)
        abbreviated = [entry._replace(answer=abbreviated_answer(entry.answer)) for entry in admitted]
        if abbreviated:
            answers[spec] = abbreviated
    return answers


def _is_refusal(admitted: AdmittedAnswer) -> bool:
    return admitted.answer.kind == "rejected"


def _admitted_answers(question: _Question, spec: str, answer: Answer) -> Iterator[AdmittedAnswer]:
    """Yield the recommended answer of an RFC, which is `answer`, then the others that its rulings admit."""
    url = question.url
    if question.op == "resolve" and question.base is not None and question.reference is not None:
        yield from _admitted_targets(question.base, question.reference, spec, answer)
    elif question.op == "equivalent" and url is not None and question.second_url is not None:
        yield from _admitted_verdicts(url, question.second_url, question.mode, spec, answer)
    elif url is not None:
        yield from _admitted_answers_to_text(question, url, spec, answer)


def _admitted_targets(base: str, reference: str, spec: str, answer: Answer) -> Iterator[AdmittedAnswer]:
    """Yield the target of a reference by an RFC, or its refusal, then the others that its rulings admit."""
    others = list(_other_targets(base, reference, spec)) if answer.accepts else []
    rulings: list[str] = []
    if answer.accepts and reference == "#":
        rulings += facts(spec).lone_hash
    open_by = ruling_on_unsuitable_base(spec, base, reference)
    if open_by is not None:
        rulings.append(open_by)
    rulings += _deciding_rulings(others)
    yield AdmittedAnswer(answer, tuple(dict.fromkeys(rulings)))
    yield from others


def _deciding_rulings(others: Iterable[AdmittedAnswer]) -> tuple[str, ...]:
    """Return the rulings that decide against other answers, so that the recommended one rests on them."""
    return tuple(dict.fromkeys(ruling for _, rulings in others for ruling in rulings))


def _admitted_verdicts(
    first: str, second: str, mode: Mode, spec: str, answer: Answer
) -> Iterator[AdmittedAnswer]:
    """Yield the verdict of an RFC on two URLs, then the others that its rulings admit.

    Yield nothing if the RFC does not say whether they are equivalent.
    """
    if not answer.accepts:
        # two relative references are refused, too, though both are valid
        refused = [text for text in (first, second) if SPECIFICATIONS[spec].problem(text) is not None]
        yield AdmittedAnswer(answer, _rulings_on_own_rules(refused[0], spec) if refused else ())
        return
    if not _is_equivalence_open(first, second, mode, spec):
        others = list(_other_equivalences(first, second, mode, spec))
        yield AdmittedAnswer(answer, _deciding_rulings(others))
        yield from others


def _is_equivalence_open(first: str, second: str, mode: Mode, spec: str) -> bool:
    """Return True if only triplets of unreserved characters in authorities may tell two URLs apart.

    RFC 1738 lets most characters be encoded (section 2.2), but has no encoding in a host, so it does not say
    whether `foo://h%2D1/` is `foo://h-1/`. It says that two URLs differ if they do so without the triplets.
    """
    if facts(spec).untested_triplets is None:
        return False
    if split_generic(first).authority == split_generic(second).authority:
        return False
    decoded_first = _with_decoded_authority(first)
    decoded_second = _with_decoded_authority(second)
    if (decoded_first, decoded_second) == (first, second):
        return False
    if any(SPECIFICATIONS[spec].problem(text) is not None for text in (decoded_first, decoded_second)):
        return False
    verdict = equivalent(decoded_first, decoded_second, spec, mode)
    return verdict.equal or any(alternative.equal for alternative in verdict.also)


def _with_decoded_authority(text: str) -> str:
    """Return a URL in which the triplets of unreserved characters in the authority are decoded."""
    authority = split_generic(text).authority or ""
    return text.replace(authority, decode_unreserved(authority), 1)


def _other_targets(base: str, reference: str, spec: str) -> Iterator[AdmittedAnswer]:
    """Yield the other targets of a reference, or refusals of it, that rulings on an RFC admit."""
    for target in resolutions(base, reference, spec).also:
        answer = Answer("rejected") if target.text is None else Answer("url", text=target.text)
        yield AdmittedAnswer(answer, (target.ruling,))


def _other_equivalences(first: str, second: str, mode: Mode, spec: str) -> Iterator[AdmittedAnswer]:
    """Yield the other verdicts on two URLs, or refusals of one, that rulings on an RFC admit."""
    for verdict in equivalent(first, second, spec, mode).also:
        if verdict.ruling in facts(spec).unstated_equivalences:
            continue
        answer = Answer("rejected") if verdict.equal is None else _answer_on_equivalence(verdict.equal)
        yield AdmittedAnswer(answer, (verdict.ruling,))


def _admitted_answers_to_text(
    question: _Question, url: str, spec: str, answer: Answer
) -> Iterator[AdmittedAnswer]:
    """Yield the answers of an RFC to one text: its verdict, or the components if the operation is `parse`.

    By another reading of the grammar the verdict is the opposite one: RFC 1738, for example, lets a client
    refuse an address with a number above 255 (R-1738-41).
    """
    op = question.op
    rule = _rule_of_part(question.rule) if op == "validate" else None
    verdicts = other_verdicts(url, SPECIFICATIONS[spec], rule)
    rulings = tuple(dict.fromkeys(verdict.reading.ruling for verdict in verdicts))
    if not answer.accepts and rule is None:
        rulings += _rulings_on_own_rules(url, spec)
    if op == "parse":
        yield from _admitted_components(url, spec, answer, rulings)
    else:
        yield AdmittedAnswer(answer, rulings)
    if not verdicts:
        return
    if answer.accepts:
        yield AdmittedAnswer(Answer("rejected"), rulings)
    elif op == "parse":
        for verdict in verdicts:
            yield _components_by_reading(url, spec, verdict.reading)
    else:
        yield AdmittedAnswer(Answer("valid"), rulings)


def _rulings_on_own_rules(url: str, spec: str) -> tuple[str, ...]:
    """Return the ruling by which an RFC refuses a text that its grammar derives as one of an unknown scheme.

    Return an empty tuple if the grammar does not derive the text at all.
    """
    rfc = facts(spec)
    if rfc.own_rules is None:
        return ()
    before_fragment = url if rfc.fragments else url.partition("#")[0]
    is_derived = SPECIFICATIONS[spec].problem(before_fragment, rfc.unknown_scheme) is None
    return (rfc.own_rules,) if is_derived else ()


def _admitted_components(
    url: str, spec: str, answer: Answer, rulings: tuple[str, ...]
) -> Iterator[AdmittedAnswer]:
    """Yield the answer of an RFC to `parse`, which rests on `rulings`, and other components of the text."""
    splits = [AdmittedAnswer(answer)]
    if answer.kind == "parsed":
        splits += _other_components(url, spec, answer)
    second_hash = facts(spec).second_hash
    if second_hash is not None:
        for divided, rulings_on_split in _split_at_first_hash(url, spec):
            splits.append(AdmittedAnswer(divided, (*rulings_on_split, second_hash)))
    for split_answer, rulings_on_split in splits:
        yield AdmittedAnswer(split_answer, (*rulings, *rulings_on_split))
    if not facts(spec).empty_is_absent:
        return
    for split_answer, rulings_on_split in splits:
        answer_without_empty = without_empty(split_answer)
        if answer_without_empty != split_answer:
            yield AdmittedAnswer(answer_without_empty, (*rulings, *rulings_on_split, _EMPTY_AS_ABSENT))


def _other_components(url: str, spec: str, answer: Answer) -> Iterator[AdmittedAnswer]:
    """Yield the components of a valid text by the readings that an RFC has besides the recommended one."""
    specification = SPECIFICATIONS[spec]
    parsed_url = specification.parse(url)
    undivided = _common_components(spec, specification.asdict(parsed_url))
    if undivided != answer.components:  # the recommended answer does not show what follows the scheme
        yield AdmittedAnswer(Answer("parsed", undivided), facts(spec).undivided)
    for reading in (*specification.readings(parsed_url), *_readings_as_name(spec, parsed_url)):
        components = _common_components(spec, reading.components)
        yield AdmittedAnswer(Answer("parsed", components), (reading.ruling,))


def _readings_as_name(spec: str, url: URI) -> Sequence[Reading]:
    """Return the readings, at most one, of an authority as a registered name if its host may be none.

    A ruling lets a library hold addresses and labels to limits that the grammar does not have. Then what
    exceeds them is no server.
    """
    ruling = facts(spec).rulings.get(_LIMITS_OF_HOST)
    if ruling is None or not url.host or not _exceeds_limits(url.host, SPECIFICATIONS[spec]):
        return ()
    undivided = {**url.asdict(), "userinfo": None, "host": None, "port": None}
    return (Reading(undivided, ruling),)


def _exceeds_limits(host: str, specification: Specification) -> bool:
    """Return True if a host is an address with a number above 255, or too long for a name."""
    if specification.problem(host, "IPv4address") is None:
        return specification.problem(host, "IPv4address", "prose") is not None
    if host.startswith("["):
        return False
    name = host.removesuffix(".")
    longest_label = max(name.split("."), key=len)
    return len(name) > _LONGEST_NAME or len(longest_label) > _LONGEST_LABEL


def _common_components(spec: str, components: Mapping[str, Any]) -> Mapping[str, str | None]:
    """Return the components of a reading under the names that the RFCs share.

    Everything after the scheme is the path if the reading does not divide it, slashes included.
    """
    common_names = with_common_names(spec, components)
    if "path" not in common_names and components.get("schemepart") is not None:
        common_names["path"] = components["schemepart"]
    return without_repeated_authority(common_names)


def _components_by_reading(url: str, spec: str, reading: GrammarReading) -> AdmittedAnswer:
    """Return the components of a text that only this reading of the grammar derives."""
    # the other specifications are in the order of the readings
    number = READINGS[spec].index(reading)
    as_read = other_specifications(SPECIFICATIONS[spec])[number]
    components = as_read.asdict(as_read.parse(url))
    return AdmittedAnswer(Answer("parsed", _common_components(spec, components)), (reading.ruling,))


def _split_at_first_hash(url: str, spec: str) -> Iterator[AdmittedAnswer]:
    """Yield the components of a text that an RFC refuses only for a second `#`, if it does.

    A ruling admits them, because the steps of parsing divide the text at its first `#`; see `second_hash`.
    What precedes that can have several readings.
    """
    before, _, fragment = url.partition("#")
    if "#" not in fragment:
        return
    escaped_fragment = fragment.replace("#", "%23")
    escaped_url = f"{before}#{escaped_fragment}"
    answer = compare_splits(escaped_url, [spec]).answers[spec]
    if answer.problem is not None or not answer.components:
        return
    for split_answer, rulings in _admitted_components(escaped_url, spec, _answer_of_rfc(answer), ()):
        if split_answer.components.get("fragment") is not None:
            components = {**split_answer.components, "fragment": fragment}
            yield AdmittedAnswer(msgspec.structs.replace(split_answer, components=components), rulings)


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


def _verdicts_of_kind(text: str, kind: _Kind, specs: Collection[str]) -> RfcAnswers:
    """Return the verdicts of each of these RFCs that has URLs of a kind.

    If URLs of the kind have a fragment, RFCs that do not judge the text are left out, too.
    """
    answers = {}
    for spec in specs:
        rfc = facts(spec)
        rule = rfc.absolute_rule if kind.absolute else rfc.relative_rule
        if rule is None or (kind.fragment and not _judges(spec, [text])):
            continue
        answers[spec] = list(_verdicts_by_rule(text, spec, rule, kind))
    return answers


def _verdicts_by_rule(text: str, spec: str, rule: str, kind: _Kind) -> Iterator[AdmittedAnswer]:
    """Yield the verdict of an RFC on a text by a rule, followed by a fragment if the kind has one.

    The opposite verdict follows if another reading of the rule gives it.
    """
    specification = SPECIFICATIONS[spec]
    without_fragment, mark, fragment = text.partition("#")
    if mark and not (kind.fragment and _is_fragment(fragment, specification)):
        yield AdmittedAnswer(Answer("rejected"))
        return
    verdicts = other_verdicts(without_fragment, specification, rule)
    rulings = tuple(dict.fromkeys(verdict.reading.ruling for verdict in verdicts))
    answer = Answer("valid")
    opposite = Answer("rejected")
    if specification.problem(without_fragment, rule) is not None:
        answer = Answer("rejected")
        opposite = Answer("valid")
        rulings += _rulings_on_own_rules(without_fragment, spec)
    yield AdmittedAnswer(answer, rulings)
    if verdicts:
        yield AdmittedAnswer(opposite, rulings)


def _is_fragment(text: str, specification: Specification) -> bool:
    """Return True if an RFC has fragments, and a text is one."""
    has_fragments = "fragment" in specification.grammar.rules
    return has_fragments and specification.problem(text, "fragment") is None


def _comparison(question: _Question, specs: Collection[str]) -> Comparison | None:
    """Return the answers of the RFCs to a question, or None if `explain` does not compare its operation."""
    op = question.op
    if op == "resolve" and question.base is not None and question.reference is not None:
        return compare_resolutions(question.base, question.reference, specs)
    url = question.url
    if url is None:
        return None
    if op == "equivalent" and question.second_url is not None:
        return compare_equivalence(url, question.second_url, specs, question.mode)
    if op == "parse":
        return compare_splits(url, specs)
    if op == "validate":
        return compare_verdicts(url, specs, rule=_rule_of_part(question.rule))
    if op == "normalize":
        return compare_verdicts(url, specs)
    return None


def _rule_of_part(rule: str | None) -> str | None:
    """Return a rule of a part of URLs, or None for one of whole URLs, which each RFC names differently."""
    return None if rule is None or is_whole_rule(rule) else rule


def _answer_of_rfc(answer: RFCAnswer) -> Answer:
    """Return the answer of an RFC as that of a library. Without components, it is a verdict only."""
    if answer.problem is not None:
        return Answer("rejected")
    if answer.equal is not None:
        return _answer_on_equivalence(answer.equal)
    if answer.result is not None:
        return Answer("url", text=answer.result)
    if not answer.components:
        return Answer("valid")
    return Answer("parsed", without_repeated_authority(answer.components))


def _answer_on_equivalence(is_equal: bool) -> Answer:
    return Answer("other", text="true" if is_equal else "false")
