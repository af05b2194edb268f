"""Answers of libraries, and comparisons of two answers by component."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any, Literal, NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.compare.hosts import host_spelling, same_host
from urlharness.corpus.longtext import LONGEST, abbreviated_beginning, is_abbreviation
from urlharness.corpus.model import encoded_text
from urlharness.corpus.specifications import DEFAULT_SPEC
from urlharness.engine.client import open_client
from urlharness.engine.process import with_error_line
from urlharness.explain.classify import split_generic
from urlharness.limits import Abnormal, AdapterDead, Limits
from urlharness.protocol.messages import CONNECT, Hello, Question, Reply
from urlharness.text import visible

#: The components of a URL in order. Userinfo, host and port form the authority.
COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")

#: The components in the order of display. A difference in an earlier component does more harm.
BY_HARM = ("host", "userinfo", "scheme", "port", "path", "query", "fragment")

#: The components in the authority, in their order.
AUTHORITY = ("userinfo", "host", "port")

#: Names of differences outside components: only one of two answers accepts (`verdict`), or two answers
#: without components differ (`answer`).
VERDICT, OTHER = "verdict", "answer"

#: Components of the other RFCs, each mapped to the component of RFC 3986 to which it belongs.
_MEANS = {
    "net_loc": "host", "user": "userinfo", "password": "userinfo", "hpath": "path", "fpath": "path",
    "ppath": "path", "urlpath": "path", "schemepart": "path", "selector": "path", "search": "query",
}  # fmt: skip

#: The number of threads that start and ask libraries. The threads mostly wait.
_THREADS = 6

_LIMITS = Limits(start=20.0, case=5.0)

# RFC 3986, section 3.2
_AUTHORITY = re.compile(r"(?:(.*)@)?((?:\[[^\]]*\])?[^:]*)(?::(.*))?", re.DOTALL)
#: An authority that no library can divide in another way.
_CLEAR_AUTHORITY = re.compile(r"(?:[^@]*@)?(?:\[[^\]@]*\]|[^:@\[\]]*)(?::[^:@]*)?")
_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}

#: The kind of an answer: `parsed` has components, `valid` tells only validity, `url` and `other` have a text.
Kind = Literal["parsed", "valid", "url", "other", "rejected", "not offered", "none"]


class LibraryAnswer(NamedTuple):
    """The answer of a library to a question.

    `components` maps each component that the library exposes to its value, or to None if it is absent.
    `text` is the returned URL, or the answer to another operation as JSON. If `kind` is `none`, `text` says
    how the adapter ended. `message` comes from the library or the adapter.
    """

    kind: Kind
    components: Mapping[str, str | None] = {}
    text: str = ""
    message: str = ""

    @property
    def accepts(self) -> bool:
        """True if the library accepts the text."""
        return self.kind in ("parsed", "valid", "url", "other")

    @property
    def answered(self) -> bool:
        """True if the library accepts or refuses the text."""
        return self.accepts or self.kind == "rejected"

    def in_words(self) -> str:
        """Return the answer in one line: the host first, then the rest."""
        if self.kind != "parsed":
            words = {"rejected": "reject", "valid": "accept"}
            return _shown(self.text) or ("(empty)" if self.kind == "url" else words.get(self.kind, self.kind))
        names = dict.fromkeys(("host", "authority", *BY_HARM, *self.components))
        shown = [(name, value) for name in names if (value := self.components.get(name)) is not None]
        parts = [f"{name} {_shown(value) or '(empty)'}" for name, value in shown]
        whole = {"host" if "host" in self.components else "authority", "net_loc"} & self.components.keys()
        known = not whole or whole & {name for name, _ in shown}
        return "  ".join(parts if known else ["no host", *parts])


def _shown(text: str) -> str:
    """Return a component or a URL for a reader. An abbreviation is ours, and stays as it is."""
    return text if is_abbreviation(text) else visible(text)


def answer_of(got: Mapping[str, Any], *, tells_empty: bool) -> LibraryAnswer:
    """Return the answer in a reply. `got` contains the fields of `Reply`.

    If not `tells_empty`, the library cannot tell empty components from absent ones. Empty components then
    become None, except an empty path.
    """
    message = got.get("message", "")
    match got.get("status"):
        case "reject":
            return LibraryAnswer("rejected", message=message)
        case "unsupported":
            return LibraryAnswer("not offered", message=message)
        case "ok":
            pass
        case _:
            return LibraryAnswer("none", text=got.get("status", "no answer"), message=message)
    if (url := got.get("url")) is not None:
        return LibraryAnswer("url", text=_as_text(url))
    for name in ("urls", "equal", "decoded", "base"):
        if name in got:
            return LibraryAnswer("other", text=json.dumps(got[name], ensure_ascii=False))
    if "components" not in got:
        return LibraryAnswer("valid", message=message)
    components = {
        name: _component(value) if tells_empty or name == "path" else _component(value) or None
        for name, value in got["components"].items()
    }
    return LibraryAnswer("parsed", without_repeated_authority(components))


def without_repeated_authority(components: Mapping[str, str | None]) -> Mapping[str, str | None]:
    """Return components without an authority that only repeats userinfo, host and port.

    An authority that they contradict stays: RFC 2396, section 3.2.1, has authorities without a host.
    """
    if components.keys().isdisjoint(AUTHORITY) or contradicts(components):
        return components
    return {name: value for name, value in components.items() if name != "authority"}


def contradicts(components: Mapping[str, str | None]) -> bool:
    """Return True if userinfo, host and port disagree with the authority by more than spelling."""
    if not components.keys() >= {"authority", *AUTHORITY}:
        return False
    whole, (userinfo, host, port) = components["authority"], (components[name] for name in AUTHORITY)
    joined = f"{userinfo or ''}{'@' if userinfo else ''}{host or ''}{':' if port else ''}{port or ''}"
    if not whole or whole == joined or any(map(is_abbreviation, (userinfo, host))):
        return False
    if is_abbreviation(whole):
        return len(joined) <= LONGEST  # such parts make no authority that is abbreviated
    again, scheme = split(f"//{whole}"), components.get("scheme")
    own, other = (
        folded(LibraryAnswer("parsed", {"scheme": scheme, **{name: one.get(name) for name in AUTHORITY}}))
        for one in (components, again)
    )
    return own != other


def _component(value: Any) -> str | None:
    return None if value is None else _as_text(value)


def _as_text(value: Any) -> str:
    """Return a value of a reply as text. Bytes that are not UTF-8 are decoded by `surrogateescape`."""
    match value:
        case str():
            return value
        case {"hex": str(digits)}:
            return bytes.fromhex(digits).decode("utf-8", "surrogateescape")
    return json.dumps(value)


# ---- differences


def harm(name: str) -> int:
    """Return the rank of a difference in a component. The most harmful difference has rank 0."""
    known = _MEANS.get(name, name)
    return BY_HARM.index(known) if known in BY_HARM else len(BY_HARM) + (name != VERDICT)


def differing(one: LibraryAnswer, other: LibraryAnswer) -> frozenset[str]:
    """Return the components that both answers expose and that differ.

    Return `verdict` if only one answer accepts the text. Return `answer` if the answers have no components,
    or if an abbreviation hides in which component they differ.
    """
    if one.accepts is not other.accepts:
        return frozenset({VERDICT})
    if one.kind == other.kind == "other":
        return frozenset() if one.text == other.text else frozenset({OTHER})
    has_abbreviation = is_abbreviation(one.text) or is_abbreviation(other.text)
    if has_abbreviation and one.text == other.text:
        return frozenset()
    parts, others = parts_of(one), parts_of(other)
    shared = parts.keys() & others.keys()
    found = [name for name in shared if parts[name] != others[name]]
    if "host" in shared and ("authority" in parts) is not ("authority" in others):
        found.append("authority")  # in only one answer, the authority contradicts its parts
    if has_abbreviation and not found:
        return frozenset({OTHER})
    return frozenset(found)


def hidden_differences(one: LibraryAnswer, other: LibraryAnswer) -> frozenset[str]:
    """Return the components that differ, but by what, an abbreviation of a long text hides.

    Return `answer` if it hides the component, too.
    """
    if is_abbreviation(one.text) or is_abbreviation(other.text):
        return differing(one, other) & {OTHER}
    parts, others = parts_of(one), parts_of(other)
    return frozenset(
        name
        for name in differing(one, other) & parts.keys() & others.keys()
        if is_abbreviation(parts[name]) or is_abbreviation(others[name])
    )


def have_like_beginnings(text: str, other: str) -> bool:
    """Return True if the beginnings of two texts, of which one is abbreviated, differ at most in spelling."""
    beginnings = [
        abbreviated_beginning(beginning) if is_abbreviation(beginning) else beginning
        for beginning in (text, other)
    ]
    if any("/." in beginning for beginning in beginnings):
        return True  # dot segments may be all that differs
    # an abbreviation can cut a triplet
    first, second = (re.sub("%.?$", "", beginning) for beginning in beginnings)
    first = _TRIPLET.sub(_triplet, first).lower()
    second = _TRIPLET.sub(_triplet, second).lower()
    return first.startswith(second) or second.startswith(first)


def beyond_spelling(one: LibraryAnswer, other: LibraryAnswer, parts: frozenset[str]) -> frozenset[str]:
    """Return the components in which two answers differ by more than spelling.

    `parts` are the components that differ after `folded`. Hosts are compared by `same_host` instead, because
    a host that a library decodes or maps by IDNA is another text for everyone who compares texts.
    """
    if not (one.accepts and other.accepts):
        return parts
    parts -= hidden_differences(one, other)
    parts_of_one, parts_of_other = parts_of(one), parts_of(other)
    if "host" not in parts_of_one or "host" not in parts_of_other:
        return parts
    if same_host(parts_of_one["host"], parts_of_other["host"]):
        return parts - {"host"}
    return parts | {"host"}


def parts_of(answer: LibraryAnswer) -> Mapping[str, str | None]:
    """Return the components of an answer. If the answer is a URL, split it.

    Of an abbreviated URL, return the components that are whole in its beginning.
    """
    if answer.kind != "url":
        return answer.components
    return _whole_parts(answer.text) if is_abbreviation(answer.text) else split(answer.text)


def _whole_parts(abbreviation: str) -> Mapping[str, str | None]:
    """Return the components that end before the end of the beginning that an abbreviation keeps."""
    parts = split(abbreviated_beginning(abbreviation))
    if parts["scheme"] is None and parts["host"] is None and not re.search("[/?#]", parts["path"] or ""):
        return {}  # a colon may follow
    present = [name for name in COMPONENTS if parts[name]]
    if not present:
        return {}
    last = "userinfo" if present[-1] in AUTHORITY else present[-1]  # an `@` may follow
    return {name: parts[name] for name in COMPONENTS[: COMPONENTS.index(last)]}


def split(text: str) -> dict[str, str | None]:
    """Split any text into components by the regular expression of RFC 3986, appendix B."""
    scheme, authority, path, query, fragment = split_generic(text)
    login = None if authority is None else _AUTHORITY.fullmatch(authority)
    userinfo, host, port = (None, authority, None) if login is None else login.groups()
    return {"scheme": scheme, "userinfo": userinfo, "host": host, "port": port, "path": path,
            "query": query, "fragment": fragment}  # fmt: skip


def folded(answer: LibraryAnswer, *, keep_empty: bool = False) -> LibraryAnswer:
    """Return the normalized answer, so that answers that differ only in spelling become equal.

    The components are normalized as in RFC 3986, section 6.2: the case of scheme and host, triplets and dot
    segments (6.2.2), the default port and the empty path after a host (6.2.3). A host also loses its
    brackets, an IPv6 address is compressed, and a name becomes ASCII. Empty components become absent; if
    `keep_empty` is true, only an empty port does. An answer that is a URL is split and keeps its dot
    segments. Abbreviations stay as they are, and an abbreviated URL stays as text beside its components.
    """
    if answer.kind not in ("parsed", "url"):
        return answer
    parts = parts_of(answer)
    abbreviations = {name: value for name, value in parts.items() if is_abbreviation(value)}
    found: dict[str, str | None] = {
        name: _TRIPLET.sub(_triplet, value) if value else value if keep_empty else None
        for name, value in parts.items()
    }
    if scheme := found.get("scheme"):
        found["scheme"] = scheme.lower()
    for name in ("host", "net_loc"):
        if value := found.get(name):
            found[name] = _plain_host(value)
    if found.get("port") == "":
        found["port"] = None
    if port := found.get("port"):
        number = port.lstrip("0") or "0"
        found["port"] = None if number == _DEFAULT_PORTS.get(found.get("scheme") or "") else number
    if "path" in found:
        path = found["path"] or ("/" if found.get("host") else "")
        found["path"] = without_dots(path) if answer.kind == "parsed" else path
    text = answer.text if is_abbreviation(answer.text) else ""
    return LibraryAnswer("parsed", {**found, **abbreviations}, text)


@lru_cache(maxsize=4096)
def _plain_host(host: str) -> str:
    plain_host = host.lower().removeprefix("[").removesuffix("]")
    if ":" in plain_host:
        with suppress(ValueError):  # some encode the % before a zone
            return IPv6Address(plain_host.replace("%25", "%")).compressed
    if not plain_host.isascii():
        with suppress(UnicodeError):
            return plain_host.encode("idna").decode()
    return plain_host


def _triplet(found: re.Match[str]) -> str:
    character = chr(int(found[0][1:], 16))
    return (
        character
        if character.isascii() and (character.isalnum() or character in "-._~")
        else found[0].upper()
    )


def without_dots(path: str) -> str:
    """Return a path without dot segments. In a relative path, `..` never removes the first segment."""
    kept: list[str] = []
    segments = path.split("/")
    for number, segment in enumerate(segments):
        last = number == len(segments) - 1
        if segment == "..":
            if len(kept) > 1 and kept[-1] != "..":
                kept.pop()
            elif not path.startswith("/"):
                kept.append(segment)
        elif segment != ".":
            kept.append(segment)
        if last and segment in (".", ".."):
            kept.append("")
    return "/".join(kept)


# ---- asking


class Asked(NamedTuple):
    """The answers of one adapter to some texts.

    `problem` says why it did not start, or is empty. `connects` is True if the answers are the hosts that a
    client connects to.
    """

    name: str
    answers: Sequence[LibraryAnswer]
    problem: str = ""
    connects: bool = False


def ask_all(
    adapters: Sequence[Adapter],
    texts: Sequence[str],
    base: str | None = None,
    report: Callable[[Asked], None] = lambda _: None,
) -> list[Asked]:
    """Ask each adapter to parse the texts, or to resolve them if there is a base, by RFC 3986.

    If an adapter does not start, the others are asked nevertheless. As soon as an adapter has answered,
    `report` is called with its answers in another thread.
    """

    def ask(adapter: Adapter) -> Asked:
        asked = ask_one(adapter, texts, base)
        report(asked)
        return asked

    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(ask, adapters))


def ask_one(
    adapter: Adapter,
    texts: Sequence[str],
    base: str | None = None,
    operations: Sequence[str] = ("parse", "validate"),
) -> Asked:
    """Ask one adapter; see `ask_all`. Without a base, use the first of the operations that it offers."""
    try:
        client = open_client(adapter, _LIMITS, "urlconform")
    except (AdapterDead, NotInstalled) as problem:
        none = LibraryAnswer("none", text="did not start", message=str(problem))
        return Asked(adapter.name, [none] * len(texts), str(problem))
    try:
        tells_empty = "absent-vs-empty" in client.hello.features
        connects = base is None and CONNECT in operations and CONNECT in client.hello.ops
        questions = [
            _question(client.hello, number, text, base, operations) for number, text in enumerate(texts)
        ]
        replies = (reply for _, reply in client.ask([one for one in questions if one is not None]))
        offered = LibraryAnswer("not offered")
        answers = [
            offered if one is None else _reply_answer(next(replies), tells_empty=tells_empty)
            for one in questions
        ]
    finally:
        client.close()
    return Asked(adapter.name, answers, connects=connects)


def _question(
    hello: Hello, number: int, text: str, base: str | None, operations: Sequence[str]
) -> Question | None:
    """Return the question about a text: `resolve` if there is a base, otherwise the first of the operations.

    Texts that are not UTF-8, decoded by `surrogateescape`, are sent as bytes. Return None if the library does
    not offer the operation.
    """
    if base is not None:
        if "resolve" not in hello.ops:
            return None
        return Question(
            number, "resolve", DEFAULT_SPEC, base=encoded_text(base), reference=encoded_text(text)
        )
    operation = next((name for name in operations if name in hello.ops), None)
    return Question(number, operation, DEFAULT_SPEC, url=encoded_text(text)) if operation else None


def _reply_answer(reply: Reply | Abnormal, *, tells_empty: bool) -> LibraryAnswer:
    if isinstance(reply, Abnormal):
        return LibraryAnswer("none", text=reply.outcome, message=with_error_line(reply.detail, reply.stderr))
    return answer_of(msgspec.to_builtins(reply), tells_empty=tells_empty)


# ---- groups


class AnswerGroup(NamedTuple):
    """Libraries with the same answer. `answer` is from the library that exposes the most components."""

    answer: LibraryAnswer
    names: tuple[str, ...]


def group_answers(answers: Iterable[tuple[str, LibraryAnswer]]) -> list[AnswerGroup]:
    """Return the groups of equal answers, the largest first.

    An answer with fewer components joins the largest group with equal values of these components. An
    undivided authority equals a userinfo, host and port only if it cannot be divided in another way.
    """
    groups: list[AnswerGroup] = []
    for name, one in sorted(answers, key=lambda item: -len(item[1].components)):
        fitting = [number for number, group in enumerate(groups) if _agrees(group.answer, one)]
        if fitting:
            number = max(fitting, key=lambda number: len(groups[number].names))
            groups[number] = groups[number]._replace(names=(*groups[number].names, name))
        else:
            groups.append(AnswerGroup(one, (name,)))
    return sorted(groups, key=lambda group: -len(group.names))


def _agrees(group: LibraryAnswer, one: LibraryAnswer) -> bool:
    if group.kind != one.kind or group.text != one.text or differing(group, one):
        return False
    whole, divided = sorted((one.components, group.components), key=lambda parts: "host" in parts)
    if "host" in whole or "host" not in divided or "authority" not in whole:
        return True
    authority = whole["authority"]
    if authority is None or is_abbreviation(authority):
        return (authority is None) is (divided["host"] is None)
    parts, clear = split(f"//{authority}"), _CLEAR_AUTHORITY.fullmatch(authority) is not None
    return clear and all(parts[name] == divided[name] for name in AUTHORITY if name in divided)


def hosts(answers: Iterable[LibraryAnswer]) -> Collection[str | None]:
    """Return the different hosts that libraries see in a text, each in one spelling; see `same_host`.

    None stands for no host, or for an empty one.
    """
    seen: dict[str, str | None] = {}
    for answer in answers:
        if "host" in answer.components:
            host = answer.components["host"] or None
            seen.setdefault(host_spelling(host or ""), host)
    return list(seen.values())


def consensus(groups: Iterable[AnswerGroup]) -> AnswerGroup | None:
    """Return the largest group of libraries that answered.

    Return None if it is not larger than every other group by at least two libraries.
    """
    sizes = sorted((group for group in groups if group.answer.answered), key=lambda group: -len(group.names))
    if not sizes or (len(sizes) > 1 and len(sizes[0].names) - len(sizes[1].names) < 2):
        return None
    return sizes[0]
