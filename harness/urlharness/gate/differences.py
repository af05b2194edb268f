"""The difference of an answer from the expected one, or from that of a baseline, in a few words.

Failures that differ in the same way usually have the same cause, so reports group them by these words. For a
listed answer that has changed, the answer before is the measure, because a change of the library made the
difference. Otherwise it is the admissible answer with the fewest differences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

import msgspec

from urlharness.corpus.describe import show_base, show_equal, show_urls
from urlharness.corpus.loader import load
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH, abbreviation, is_abbreviation
from urlharness.corpus.model import AUTHORITY, Case, Decoded, DecodedValue, Expected, Vector
from urlharness.corpus.specifications import facts
from urlharness.gate.findings import part_in_words, shown_parts
from urlharness.panel.severity import general_component, harm_rank
from urlharness.panel.spelling import split, unabbreviated_components
from urlharness.protocol.messages import ReplyComponents
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome, compare_decoded, judge_components
from urlharness.wording import counted, enumerated

#: How an adapter ended, in words, with the preposition that leads to the question.
_ENDS: Mapping[Outcome, tuple[str, str]] = {
    Outcome.CRASH: ("crash", "on"),
    Outcome.TIMEOUT: ("timeout", "on"),
    Outcome.ERROR: ("error", "on"),
    Outcome.GARBAGE: ("invalid reply", "to"),
    Outcome.NO_ANSWER: ("no answer", "to"),
    Outcome.ABORTED: ("given up", "before"),
}

#: How a part of an answer can differ. A part that should be there, but empty, is missing too. A text can be
#: changed in a manner that says more than that it is wrong.
_MISSING = "missing"
_EMPTY_MISSING = "missing, although empty"
_ADDED = "added"
_LOWER_CASED = "lower-cased"
_UPPER_CASED = "upper-cased"
_DECODED = "decoded"
_ESCAPED = "escaped"
_WRONG = "wrong"
_CHANGED = "changed"

#: The differences that name no operation: they have the same cause in all operations.
_ALIKE_IN_OPERATIONS = {_MISSING, _ADDED, _LOWER_CASED, _UPPER_CASED, _DECODED, _ESCAPED}


class Difference(NamedTuple):
    """The difference of answers: some words, such as "fragment missing", and the components that differ.

    `preposition` and `noun` belong to a number of cases: "in 626 answers", "on 12 questions". `narrow` are
    words for a special case, such as "empty fragment missing", or empty.
    """

    words: str
    components: tuple[str, ...] = ()
    preposition: str = "in"
    noun: str = "answer"
    narrow: str = ""

    def counted(self, number: int) -> str:
        """Return the words with a number of cases, such as "fragment missing in 626 answers"."""
        return f"{self.words} {self.preposition} {counted(number, self.noun)}"


class Before(NamedTuple):
    """The entry of a case in a baseline: the listed answer, and the locked components. Both can be empty."""

    answer: Mapping[str, Any] = {}
    locked: Mapping[str, Any] = {}


#: Without a baseline, or if it has nothing for a case.
NOTHING_BEFORE = Before()


def difference(
    case: Case, answer: Result, features: Collection[str], before: Before = NOTHING_BEFORE
) -> Difference:
    """Return how the answer to a case differs from what it should be.

    `features` are those of the adapter. `before` has an answer only if the answer has changed since.
    """
    outcome = answer.outcome
    if outcome.abnormal:
        words, preposition = _ENDS[outcome]
        return Difference(words, preposition=preposition, noun="question")
    if outcome is Outcome.UNSUPPORTED:
        return _difference_of_lost_answer(case.vector, answer)
    if outcome is Outcome.PARTIAL:
        return _difference_of_partial_answer(case, answer, features, before.locked)
    if outcome is Outcome.VARIANT:
        return Difference(f"admissible answer {answer.variant!r}, which the policy refuses,")
    vector = case.vector
    reply = answer.got
    if before.answer.get("status") == reply.get("status") == "ok":
        changes = _changes_of_reply(before.answer, reply)
        if changes:
            return _difference_in_parts(vector, changes)
    candidates = [
        _difference_from_expected(case, expected, reply, features) for expected in vector.expect.alternatives
    ]
    return min(candidates, key=lambda candidate: len(candidate.components))


def answer_in_words(answer: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return a listed answer in words, or only its parts that differ from those of the answer now."""
    for field in ("components", "decoded"):
        if field in answer and field in now:
            return "; ".join(_changed_parts(answer[field], now[field]))
        if field in answer:
            return ", ".join(f"{name} {part_in_words(part)}" for name, part in answer[field].items())
    return _whole_answer_in_words(answer)


def _changed_parts(before: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[str]:
    """Yield a clause for each part that differs, also if it is not exposed in one of the answers."""
    for name in dict.fromkeys((*before, *parts)):
        was = part_in_words(before[name]) if name in before else "not exposed"
        is_now = part_in_words(parts[name]) if name in parts else "not exposed"
        if was != is_now:
            yield f"{name} was {was}, now {is_now}"


def _whole_answer_in_words(answer: Mapping[str, Any]) -> str:
    """Return an answer without parts in words. Of a generated part, these are numbers of failures."""
    match answer:
        case {"required": dict(counts)}:
            return ", ".join(f"{number:,} {outcome}" for outcome, number in counts.items())
        case {"status": "reject"}:
            return "rejected"
        case {"url": url}:
            return part_in_words(url)
        case {"base": base}:
            return show_base(base)
        case {"equal": bool(equal)}:
            return show_equal(equal)
        case {"urls": list(urls)}:
            return show_urls(urls)
        case {"same_document": bool(is_same)}:
            return "the same document" if is_same else "not the same document"
        case {"status": "ok"}:
            return "accepted"
    return msgspec.json.encode(answer).decode()


def component_at(url: str, offset: int) -> str:
    """Return the first component that does not end before an offset, or an empty string."""
    components = split(url)
    delimiters = _delimiters_before(components)
    end = 0
    for name, text in components.items():
        if text is None:
            continue
        end += len(delimiters[name]) + len(text)
        if end >= offset:
            return name
    return ""


def _delimiters_before(components: Mapping[str, str | None]) -> dict[str, str]:
    """Map each component to the delimiter that stands before it, which depends on those that are present."""
    after_scheme = "" if components["scheme"] is None else ":"
    before_authority = f"{after_scheme}//"
    return {
        "scheme": "",
        "userinfo": before_authority,
        "host": before_authority if components["userinfo"] is None else "@",
        "port": ":",
        "path": after_scheme if components["host"] is None else "",
        "query": "?",
        "fragment": "#",
    }


# ---- no complete answer


def _difference_of_lost_answer(vector: Vector, answer: Result) -> Difference:
    """Return the difference of a lost answer: the operation, or all that is expected of it, is missing."""
    if answer.got.get("status") == "ok":
        return Difference("no expected part exposed any more")
    mode = f" in mode {vector.mode}" if vector.mode else ""
    return Difference(f"{vector.op}{mode} not offered any more", preposition="for", noun="question")


def _difference_of_partial_answer(
    case: Case, answer: Result, features: Collection[str], locked: Mapping[str, Any]
) -> Difference:
    """Return the difference of a partial answer: what is not exposed, or differs from a locked component."""
    parts = shown_parts(case, answer)
    missing = [name for name in locked if name not in parts]
    changed = [name for name in locked if name in parts and not _is_same(parts[name], locked[name])]
    if not missing and not changed:
        missing = _not_exposed(case, answer, features)
    clauses = []
    if missing:
        clauses.append(f"{', '.join(missing)} not exposed")
    if changed:
        clauses.append(f"{', '.join(changed)} changed")
    words = "; ".join(clauses) or "answer in part"
    return Difference(words, components=(*missing, *changed))


def _not_exposed(case: Case, answer: Result, features: Collection[str]) -> list[str]:
    """Return the parts of the recommended answer that a partial answer lacks or cannot tell from empty ones.

    Other admissible answers are not looked at: a report shows the recommended one.
    """
    expected = case.vector.expect.alternatives[0]
    if isinstance(expected.components, dict) and "components" in answer.got:
        components = msgspec.convert(answer.got["components"], ReplyComponents)
        verdicts = judge_components(case.spec, expected.components, components, features)
        names = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.PARTIAL]
        return _without_derived_authority(names)
    if isinstance(expected.decoded, dict):
        decoded = msgspec.convert(answer.got, _Decoded).decoded
        return [
            name
            for name, part in expected.decoded.items()
            if name not in decoded or _is_partial(name, part, decoded[name], features)
        ]
    return []


def _is_partial(name: str, part: Any, decoded_part: Any, features: Collection[str]) -> bool:
    """Return True if a decoded part cannot be told from an empty one by an adapter with these features."""
    return compare_decoded({name: part}, {name: decoded_part}, features).outcome is Outcome.PARTIAL


# ---- wrong answers


def _difference_from_expected(
    case: Case, expected: Expected, reply: Mapping[str, Any], features: Collection[str]
) -> Difference:
    """Return how a wrong reply differs from one admissible answer."""
    vector = case.vector
    is_rejected = reply.get("status") == "reject"
    if expected.valid is False and is_rejected:
        return Difference("reason of a rejection wrong")
    if expected.valid is False:
        return _difference_of_accepted_text(case, expected)
    if is_rejected:
        subject = f"valid {vector.rule or 'text'}"
        by_operation = "" if vector.op == "validate" else f" by {vector.op}"
        return Difference(f"{subject} rejected{by_operation}")
    if expected.same_document:
        return Difference("same document not recognized")
    if isinstance(expected.equal, bool):
        verdict = "equivalent URLs told apart" if expected.equal else "different URLs called equivalent"
        return Difference(verdict)
    if isinstance(expected.urls, tuple):
        return _difference_in_urls(len(expected.urls), len(reply.get("urls", ())))
    changes = _changes_from_expected(case, expected, reply, features)
    return _difference_in_parts(vector, changes) if changes else Difference(f"{vector.op} wrong")


def _difference_of_accepted_text(case: Case, expected: Expected) -> Difference:
    """Return the difference of an invalid text that is accepted: the wrong component, or else the rule."""
    vector = case.vector
    component = _invalid_component(case, expected)
    subject = component or vector.rule or "text"
    by_operation = "" if vector.op == "validate" else f" by {vector.op}"
    components = (component,) if component else ()
    return Difference(f"invalid {subject} accepted{by_operation}", components)


def _invalid_component(case: Case, expected: Expected) -> str:
    """Return the component where a whole URL is invalid.

    Return an empty string if the text is not a whole URL or is empty, or if the text or the offset of its
    first wrong character is not known.
    """
    rule = case.vector.rule
    if rule and rule not in facts(case.spec).rules_of_whole_texts:
        return ""
    url = case.vector.inputs.get("url")
    if not isinstance(url, str) or not url or is_abbreviation(url):
        return ""
    return component_at(url, expected.at) if isinstance(expected.at, int) else ""


def _difference_in_urls(expected_count: int, count: int) -> Difference:
    """Return how extracted URLs differ."""
    if count == expected_count:
        return Difference("bounds of a URL wrong")
    return Difference("URL not found" if count < expected_count else "too many URLs found")


def _changes_from_expected(
    case: Case, expected: Expected, reply: Mapping[str, Any], features: Collection[str]
) -> dict[str, str]:
    """Map each wrong part of a reply to how it differs from the expected part."""
    if isinstance(expected.components, dict):
        components = msgspec.convert(reply.get("components", {}), ReplyComponents)
        verdicts = judge_components(case.spec, expected.components, components, features)
        wrong = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL]
        return {
            name: _change_in_words(expected.components[name], components.get(name), _WRONG) for name in wrong
        }
    if isinstance(expected.decoded, dict):
        return dict(_changes_of_decoded(expected.decoded, reply, features))
    if expected.result is not msgspec.UNSET:
        return _changes_of_text(expected.result, reply.get("url"), _WRONG)
    if expected.base is not msgspec.UNSET:
        return _changes_of_text(expected.base, reply.get("base"), _WRONG)
    return {}


def _changes_of_decoded(
    expected: Decoded, reply: Mapping[str, Any], features: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield (name, how it differs) for each wrong part of a decoded view."""
    decoded = msgspec.convert(reply, _Decoded).decoded
    for name, part in expected.items():
        if name in decoded:
            verdict = compare_decoded({name: part}, {name: decoded[name]}, features)
            if verdict.outcome is Outcome.FAIL:
                yield name, _change_in_words(part, decoded[name], _WRONG)


def _changes_of_reply(before: Mapping[str, Any], reply: Mapping[str, Any]) -> dict[str, str]:
    """Map each part in which two replies differ to how it differs. Other fields of replies do not count."""
    for field in ("components", "decoded"):
        if field in before and field in reply:
            return dict(_changes_of_parts(before[field], reply[field], _CHANGED))
    for field in ("url", "base"):
        if field in before and field in reply:
            return _changes_of_text(before[field], reply[field], _CHANGED)
    return {}


def _changes_of_text(before: Any, text: Any, word: str) -> dict[str, str]:
    """Map each component in which two URLs differ to how it differs.

    If a URL is no text, it differs as a whole. So does one that results abbreviate, unless a component says
    why: one at the beginning, which an abbreviation shows, or one that is missing from a text of the corpus.
    """
    if before == text:
        return {}
    if not isinstance(before, str) or not isinstance(text, str):
        return {"long URL": _change_in_words(before, text, word)}
    if not is_abbreviation(before) and not is_abbreviation(text):
        return dict(_changes_of_parts(split(before), split(text), word))
    shown_before = _shown_components(before)
    shown_now = _shown_components(text)
    shown_in_both = [name for name in shown_before if name in shown_now]
    for name in shown_in_both:
        if shown_before[name] != shown_now[name]:
            return {name: _change_in_words(shown_before[name], shown_now[name], word)}
    lost = _lost_from_long_text(before, text)
    return {lost: _MISSING} if lost else {"long URL": word}


def _shown_components(url: str) -> Mapping[str, str | None]:
    """Return the components of a URL; of an abbreviated one, those that it shows whole."""
    return unabbreviated_components(url) if is_abbreviation(url) else split(url)


def _lost_from_long_text(before: str, text: str) -> str:
    """Return the one component at the end of an abbreviated URL whose loss gives a text, or "".

    The text of the abbreviation is that of a vector, whose expected answer the corpus has in full.
    """
    whole_text = _long_texts().get(before, "")
    up_to_query, number_sign, fragment = whole_text.partition("#")
    up_to_path, _, _ = up_to_query.partition("?")
    if abbreviation(up_to_query) == text:
        return "fragment"
    without_query = f"{up_to_path}{number_sign}{fragment}"
    if abbreviation(without_query) == text:
        return "query"
    return ""


@cache
def _long_texts() -> Mapping[str, str]:
    """Map the abbreviation of each long URL that the corpus expects as an answer to the URL."""
    texts = {}
    for case in load().cases:
        for expected in case.vector.expect.alternatives:
            if isinstance(expected.result, str) and len(expected.result) > MAX_WHOLE_LENGTH:
                texts[abbreviation(expected.result)] = expected.result
    return texts


def _changes_of_parts(
    before: Mapping[str, Any], parts: Mapping[str, Any], word: str
) -> Iterator[tuple[str, str]]:
    """Yield (name, how it differs) for each part that differs."""
    for name in dict.fromkeys((*before, *parts)):
        if not _is_same(before.get(name), parts.get(name)):
            yield name, _change_in_words(before.get(name), parts.get(name), word)


def _is_same(before: Any, part: Any) -> bool:
    """Return True if two parts are equal. A pair is a list in a baseline, and a tuple in a result."""
    return before == part or msgspec.json.encode(before) == msgspec.json.encode(part)


def _change_in_words(before: Any, part: Any, word: str) -> str:
    """Say how a part differs: it is missing, it is added, its text is changed in a manner, or else `word`."""
    if part is None and before == "":
        return _EMPTY_MISSING
    if part is None or (part == "" and before is not None):
        return _MISSING
    if before is None or before == "":
        return _ADDED
    if isinstance(before, str) and isinstance(part, str):
        return _manner_of_change(before, part) or word
    return word


def _manner_of_change(before: str, part: str) -> str:
    """Say in what manner a text was changed, or return an empty string if there is no simple one."""
    if part == before.lower():
        return _LOWER_CASED
    if part == before.upper():
        return _UPPER_CASED
    if _decoded_bytes(part) != _decoded_bytes(before) or part.count("%") == before.count("%"):
        return ""
    return _DECODED if len(part) < len(before) else _ESCAPED


def _decoded_bytes(text: str) -> bytes:
    """Return a text as bytes, with its percent-encoded triplets decoded."""
    return unquote_to_bytes(text.encode("utf-8", "surrogatepass"))


def _difference_in_parts(vector: Vector, changes: Mapping[str, str]) -> Difference:
    """Return the difference in some parts, the most harmful first.

    A part that is only wrong can be so for other reasons in another operation, which the words name then.
    """
    names = sorted(_without_derived_authority(changes), key=harm_rank)
    if changes.get("host") == _MISSING:  # without a host, there is neither userinfo nor port
        names = [name for name in names if name == "host" or name not in AUTHORITY]
    names_by_change: dict[str, list[str]] = {}
    for name in names:
        # "missing, although empty" counts as "missing" in the words for all parts
        change, _, _ = changes[name].partition(",")
        names_by_change.setdefault(change, []).append(name)
    clauses = [f"{enumerated(changed_names)} {change}" for change, changed_names in names_by_change.items()]
    words = ", ".join(clauses)
    if names_by_change.keys() - _ALIKE_IN_OPERATIONS:
        words = f"{vector.op}: {words}"
    components = tuple(map(general_component, names))
    are_all_empty = all(changes[name] == _EMPTY_MISSING for name in names)
    narrow = f"empty {words}" if are_all_empty else ""
    return Difference(words, components, narrow=narrow)


def _without_derived_authority(names: Iterable[str]) -> list[str]:
    """Return names of components, without the authority if its own parts are there."""
    listed = [*names]
    has_parts = any(name in AUTHORITY for name in listed)
    return [name for name in listed if name != "authority" or not has_parts]


class _Decoded(msgspec.Struct):
    """The decoded view in a reply."""

    decoded: dict[str, DecodedValue] = {}
