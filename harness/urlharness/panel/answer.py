"""The answer of a library to a question, how two answers differ, and groups of equal answers.

An answer is made from what a session returns: a reply, or the reason why there is none. Its components are
compared one by one, and only those that both libraries expose: a library that shows no port says nothing
about ports. So equality is not transitive, and `grouped` puts an answer with few components into the largest
group that it fits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from urlharness.corpus.longtext import is_abbreviation
from urlharness.corpus.model import AUTHORITY, Hex
from urlharness.panel.hosts import host_spelling, same_host
from urlharness.panel.severity import BY_HARM, OTHER, VERDICT
from urlharness.panel.spelling import (
    have_similar_beginnings,
    may_differ_by_dots,
    normal_form,
    split,
    unabbreviated_components,
    without_repeated_authority,
)
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import ComponentTexts, ComponentValue, Reply
from urlharness.text import visible

#: The maximum length of a URL that is short enough for a row of a list.
_SHORT = 36

#: By how many libraries the largest group must be larger than every other one to be a consensus.
_LEAD = 2

#: The number of URLs whose components are remembered.
_REMEMBERED = 4096

#: An authority that no library can divide in another way.
_CLEAR_AUTHORITY = re.compile(r"(?:[^@]*@)?(?:\[[^\]@]*\]|[^:@\[\]]*)(?::[^:@]*)?")

#: The kind of an answer: `parsed` has components, `valid` tells only validity, `url` and `other` have a text.
AnswerKind = Literal["parsed", "valid", "url", "other", "rejected", "not offered", "none"]

_ACCEPTING: Collection[AnswerKind] = frozenset(("parsed", "valid", "url", "other"))
_ANSWERING: Collection[AnswerKind] = frozenset((*_ACCEPTING, "rejected"))

#: The fields of a reply that an answer is made from, besides `url` and `components`.
_OTHER_FIELDS = ("urls", "equal", "decoded", "base")
_FIELDS = ("status", "message", "url", "components", *_OTHER_FIELDS)

#: A component or a URL of a reply. In a results file, bytes that are not UTF-8 are an object `{"hex": …}`.
_ReplyValue = ComponentValue | Mapping[str, str]


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of a library to a question.

    `components` maps each component that the library exposes to its value, or to None if it is absent.
    `text` is the returned URL, or the answer to another operation as JSON. If `kind` is `none`, `text` says
    how the adapter ended. `message` comes from the library or the adapter. The findings of a campaign store
    these fields.
    """

    kind: AnswerKind
    components: Mapping[str, str | None] = {}
    text: str = ""
    message: str = ""

    @property
    def accepts(self) -> bool:
        """True if the library accepts the text."""
        return self.kind in _ACCEPTING

    @property
    def answered(self) -> bool:
        """True if the library accepts or refuses the text."""
        return self.kind in _ANSWERING

    @property
    def without_message(self) -> Answer:
        """The answer without its message, which can vary."""
        return msgspec.structs.replace(self, message="")

    def in_words(self) -> str:
        """Return the answer in one line: the host first, then the rest."""
        if self.kind == "parsed":
            return _components_in_words(self.components)
        if self.text:
            return _for_display(self.text)
        words = {"rejected": "reject", "valid": "accept", "url": "(empty)"}
        return words.get(self.kind, self.kind)

    def part_in_words(self, name: str) -> str:
        """Return only this component in words, or the whole answer if it is short or does not expose it.

        A URL is split into its components.
        """
        if self.kind == "url" and len(self.text) <= _SHORT:
            return self.in_words()
        components = parts_of(self)
        if name not in components:
            return self.in_words()
        text = components[name]
        return f"no {name}" if text is None else f"{name} {_for_display(text) or '(empty)'}"


def _components_in_words(components: ComponentTexts) -> str:
    """Return components in one line. An authority that is absent is said so first."""
    present = present_components(components)
    words = [f"{name} {_for_display(text) or '(empty)'}" for name, text in present.items()]
    absent = absent_authority(components)
    if absent:
        words.insert(0, absent)
    return "  ".join(words)


def present_components(components: ComponentTexts) -> dict[str, str]:
    """Return the components that are not absent, in the order of display."""
    in_order = {name: components.get(name) for name in ("host", "authority", *BY_HARM, *components)}
    return {name: text for name, text in in_order.items() if text is not None}


def absent_authority(components: ComponentTexts) -> str:
    """Say that there is no host, or no authority if no host is exposed. Say nothing if there is one.

    A library that shows no hosts does not say which host it sees.
    """
    if "host" in components:
        is_absent = components["host"] is None and components.get("net_loc") is None
        return "no host" if is_absent else ""
    exposed = components.keys() & {"authority", "net_loc"}
    is_absent = bool(exposed) and all(components[name] is None for name in exposed)
    return "no authority" if is_absent else ""


def _for_display(text: str) -> str:
    """Return a component or a URL for a reader. Abbreviations, which the harness makes, stay as they are."""
    return text if is_abbreviation(text) else visible(text)


# ---- from replies


def answer_of(reply: Reply | Abnormal, *, tells_empty: bool) -> Answer:
    """Return the answer in a reply, or the answer of kind `none` of an adapter that gave no reply.

    If not `tells_empty`, the library cannot tell empty components from absent ones. Empty components then
    become None, except an empty path.
    """
    if isinstance(reply, Abnormal):
        return Answer("none", text=reply.outcome, message=reply.detail)
    match reply.status:
        case "ok":
            return _accepted_answer(reply, tells_empty=tells_empty)
        case "reject":
            return Answer("rejected", message=reply.message)
        case "unsupported":
            return Answer("not offered", message=reply.message)
    return Answer("none", text=reply.status, message=reply.message)


def _accepted_answer(reply: Reply, *, tells_empty: bool) -> Answer:
    """Return the answer in a reply with status `ok`.

    The URL makes it, or else the first of `_OTHER_FIELDS` that the reply has, or else the components. Without
    any of them, the answer is only that the text is valid.
    """
    if reply.url is not msgspec.UNSET and reply.url is not None:
        return Answer("url", text=_as_text(reply.url))
    for name in _OTHER_FIELDS:
        content = getattr(reply, name)
        if content is not msgspec.UNSET:
            return Answer("other", text=_as_json(content))
    if reply.components is msgspec.UNSET:
        return Answer("valid", message=reply.message)
    components: ComponentTexts = {
        name: _component_text(content) for name, content in reply.components.items()
    }
    if not tells_empty:
        components = _with_empty_as_absent(components)
    return Answer("parsed", without_repeated_authority(components))


def _with_empty_as_absent(components: ComponentTexts) -> ComponentTexts:
    """Return the components with None for each empty one, except the path, which is never absent."""
    return {name: text if text or name == "path" else None for name, text in components.items()}


def without_empty(answer: Answer) -> Answer:
    """Return an answer in which empty components are absent, except the path, which is never absent."""
    return msgspec.structs.replace(answer, components=_with_empty_as_absent(answer.components))


def recorded_answer(got: Mapping[str, Any], *, tells_empty: bool) -> Answer:
    """Return the answer in a reply that was recorded in a results file. `got` contains its fields.

    Texts in it may be abbreviated. If it has no status, there was no reply.
    """
    if "status" not in got:
        return Answer("none", text="no answer", message=got.get("message", ""))
    fields = {name: got[name] for name in _FIELDS if name in got}
    return answer_of(Reply(id=0, **fields), tells_empty=tells_empty)


def _component_text(content: _ReplyValue) -> str | None:
    return None if content is None else _as_text(content)


def _as_text(content: _ReplyValue) -> str:
    """Return a value of a reply as text. Bytes that are not UTF-8 are decoded by `surrogateescape`.

    A list of pairs, the parameters of a query, becomes JSON.
    """
    match content:
        case str():
            return content
        case Hex(hex=digits) | {"hex": str(digits)}:  # the second is one of a results file
            return bytes.fromhex(digits).decode("utf-8", "surrogateescape")
    return json.dumps(content)


def _as_json(content: object) -> str:
    """Return the answer to another operation as JSON. Bytes in it become `{"hex": "00ff"}`."""
    return json.dumps(content, ensure_ascii=False, default=msgspec.to_builtins)


# ---- differences


def differing_components(first: Answer, second: Answer) -> frozenset[str]:
    """Return the components that both answers expose and that differ.

    Return `verdict` if only one answer accepts the text. Return `answer` if the answers have no components,
    or if an abbreviation hides in which component they differ.
    """
    if first.accepts is not second.accepts:
        return frozenset({VERDICT})
    if first.kind == second.kind == "other":
        return frozenset() if first.text == second.text else frozenset({OTHER})
    has_text = bool(first.text or second.text)  # most answers have components instead
    has_abbreviation = has_text and (is_abbreviation(first.text) or is_abbreviation(second.text))
    if has_abbreviation and first.text == second.text:
        return frozenset()
    first_parts = parts_of(first)
    second_parts = parts_of(second)
    shared = first_parts.keys() & second_parts.keys()
    differing = {name for name in shared if first_parts[name] != second_parts[name]}
    if "host" in shared and ("authority" in first_parts) is not ("authority" in second_parts):
        differing.add("authority")  # in only one answer, the authority contradicts its parts
    if has_abbreviation and not differing:
        return frozenset({OTHER})
    return frozenset(differing)


def hidden_differences(first: Answer, second: Answer) -> frozenset[str]:
    """Return the components that differ, but whose difference is hidden by an abbreviation of a long text.

    What is kept of them may be the beginning of one text in two spellings. Return `answer` if the
    abbreviation also hides which component differs.
    """
    if is_abbreviation(first.text) or is_abbreviation(second.text):
        return differing_components(first, second) & {OTHER}
    first_parts = parts_of(first)
    second_parts = parts_of(second)
    hidden = set()
    for name in first_parts.keys() & second_parts.keys():
        text = first_parts[name]
        other_text = second_parts[name]
        if text != other_text and _may_be_same_text(text, other_text):
            hidden.add(name)
    if not hidden:  # the common case, which needs no comparison of all components
        return frozenset()
    return differing_components(first, second) & hidden


def _may_be_same_text(first: str | None, second: str | None) -> bool:
    """Return True if one of two different components is an abbreviation that begins like the other one."""
    has_abbreviation = is_abbreviation(first) or is_abbreviation(second)
    return has_abbreviation and have_similar_beginnings(first or "", second or "")


def parts_of(answer: Answer) -> ComponentTexts:
    """Return the components of an answer. If the answer is a URL, split it.

    Of an abbreviated URL, return the components that the abbreviation shows whole.
    """
    if answer.kind != "url":
        return answer.components
    return _parts_of_url(answer.text)


@lru_cache(maxsize=_REMEMBERED)
def _parts_of_url(text: str) -> ComponentTexts:
    """Return the components of a URL, which callers must not change: a URL is compared with many others."""
    return unabbreviated_components(text) if is_abbreviation(text) else split(text)


def without_spelling(answer: Answer, *, keep_empty: bool = False, keep_dots: bool = True) -> Answer:
    """Return the answer in normal form, so that answers that differ only in spelling become equal.

    The components are normalized by `normal_form`. An answer that is a URL is split, and keeps its dot
    segments unless `keep_dots` is False. An abbreviated URL stays as text beside its components.
    """
    if answer.kind not in ("parsed", "url"):
        return answer
    is_url = answer.kind == "url"
    parts = parts_of(answer)
    normal = _normal_form(tuple(parts.items()), keep_empty=keep_empty, keep_dots=keep_dots and is_url)
    host = parts.get("host") or ""
    if is_url and host.startswith("[") and ":" not in host:
        # in a URL, an address of a future version that loses its brackets becomes a name
        normal = {**normal, "host": host.lower()}
    text = answer.text if is_abbreviation(answer.text) else ""
    return Answer("parsed", normal, text)


@lru_cache(maxsize=_REMEMBERED)
def _normal_form(
    components: tuple[tuple[str, str | None], ...], *, keep_empty: bool, keep_dots: bool
) -> dict[str, str | None]:
    """Return the normal form of components, which callers must not change: libraries share answers."""
    return normal_form(dict(components), keep_empty=keep_empty, keep_dots=keep_dots)


def agree_on_dots(first: Answer, second: Answer) -> bool:
    """Return False if two paths with one normal form have lost more than dot segments on the way to it.

    A slash, for one: `/..` and `//..` both become `/`.
    """
    first_path = parts_of(first).get("path") or ""
    second_path = parts_of(second).get("path") or ""
    if first_path == second_path or "." not in first_path or "." not in second_path:
        return True  # the common case
    if _normal_path(first, keep_dots=False) != _normal_path(second, keep_dots=False):
        return True
    first_with_dots = _normal_path(first, keep_dots=True)
    second_with_dots = _normal_path(second, keep_dots=True)
    if is_abbreviation(first_with_dots) or is_abbreviation(second_with_dots):
        return True
    return may_differ_by_dots(first_with_dots, second_with_dots)


def _normal_path(answer: Answer, *, keep_dots: bool) -> str:
    """Return the normal form of the path that an answer shows; see `normal_form`."""
    return normal_form(parts_of(answer), keep_dots=keep_dots)["path"] or ""


def beyond_spelling(first: Answer, second: Answer, components: frozenset[str]) -> frozenset[str]:
    """Return the components in which two answers differ by more than spelling.

    `components` are those that differ after `without_spelling`. Hosts are compared by `same_host` instead,
    because a host that a library decodes or maps by IDNA is another text for everyone who compares texts.
    """
    if not (first.accepts and second.accepts):
        return components
    comparable = components - hidden_differences(first, second)
    if not agree_on_dots(first, second):
        comparable |= {"path"}
    first_parts = parts_of(first)
    second_parts = parts_of(second)
    if "host" not in first_parts or "host" not in second_parts:
        return comparable
    if same_host(first_parts["host"], second_parts["host"]):
        return comparable - {"host"}
    return comparable | {"host"}


# ---- groups


class AnswerGroup(NamedTuple):
    """Libraries with the same answer. `answer` is from the library that exposes the most components."""

    answer: Answer
    names: tuple[str, ...]


class _OpenGroup(NamedTuple):
    """A group that other libraries may still join. `names` grows."""

    answer: Answer
    names: list[str]


def grouped(answers: Iterable[tuple[str, Answer]]) -> list[AnswerGroup]:
    """Return the groups of equal answers, the largest first. `answers` are pairs (name, answer).

    Of groups of one size, those whose answer has more components come first. An answer with fewer components
    joins the largest group with equal values of these components. An undivided authority equals a userinfo,
    host and port only if it cannot be divided in another way.
    """
    groups: list[_OpenGroup] = []
    group: _OpenGroup | None = None
    previous: Answer | None = None
    for name, answer in sorted(answers, key=_most_components_first):
        if group is None or answer is not previous:  # else it fits the same group, which has become larger
            group = _largest_fitting_group(answer, groups)
            if group is None:
                group = _OpenGroup(answer, [])
                groups.append(group)
            previous = answer
        group.names.append(name)
    closed_groups = [AnswerGroup(group.answer, tuple(group.names)) for group in groups]
    return sorted(closed_groups, key=lambda group: -len(group.names))


def _most_components_first(named_answer: tuple[str, Answer]) -> int:
    """Return the sort key of a pair (name, answer)."""
    _, answer = named_answer
    return -len(answer.components)


def _largest_fitting_group(answer: Answer, groups: Iterable[_OpenGroup]) -> _OpenGroup | None:
    """Return the largest group that an answer fits, and the first of equally large ones, or None."""
    fitting = [group for group in groups if _fits_group(answer, group.answer)]
    return max(fitting, key=lambda group: len(group.names), default=None)


def _fits_group(answer: Answer, group_answer: Answer) -> bool:
    """Return True if an answer equals that of a group, as far as both show components.

    If only one of them divides its authority, the other one must be divisible in only one way, and equal.
    """
    if answer.kind != group_answer.kind or answer.text != group_answer.text:
        return False
    if differing_components(answer, group_answer):
        return False
    components = answer.components
    group_components = group_answer.components
    if "host" in components and "host" not in group_components:
        return _is_undivided_authority_of(group_components, components)
    if "host" in group_components and "host" not in components:
        return _is_undivided_authority_of(components, group_components)
    return True


def _is_undivided_authority_of(undivided: ComponentTexts, divided: ComponentTexts) -> bool:
    """Return True if an undivided authority can only be divided as in `divided`, which contains the host.

    An authority that is not shown is accepted. An absent one has no host, and an abbreviated one some host.
    Any other must have the parts that `divided` shows, and no other division.
    """
    if "authority" not in undivided:
        return True
    authority = undivided["authority"]
    if authority is None:
        return divided["host"] is None
    if is_abbreviation(authority):
        return divided["host"] is not None
    if _CLEAR_AUTHORITY.fullmatch(authority) is None:
        return False
    parts = split(f"//{authority}")
    return all(parts[name] == divided[name] for name in AUTHORITY if name in divided)


def distinct_hosts(answers: Iterable[Answer]) -> Collection[str | None]:
    """Return the different hosts that libraries see in a text, each in one spelling; see `same_host`.

    None stands for no host, or for an empty one.
    """
    by_spelling: dict[str, str | None] = {}
    for answer in answers:
        if "host" in answer.components:
            host = answer.components["host"] or None
            by_spelling.setdefault(host_spelling(host or ""), host)
    return list(by_spelling.values())


def consensus(groups: Iterable[AnswerGroup]) -> AnswerGroup | None:
    """Return the largest group of libraries that answered.

    Return None if it is not larger than every other group by at least two libraries.
    """
    answered = [group for group in groups if group.answer.answered]
    answered.sort(key=lambda group: -len(group.names))
    if not answered:
        return None
    largest, *others = answered
    if not others:
        return largest
    second_largest = others[0]
    return largest if len(largest.names) - len(second_largest.names) >= _LEAD else None
