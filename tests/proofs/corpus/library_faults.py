"""Faults of libraries, as functions: what a library answers that has one bug and is right otherwise.

A fault changes an answer of the reference, or asks it about a changed text. The library that it imitates
reads whole URLs, so a fault of reading leaves the questions about other rules alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

Question = Mapping[str, Any]
Reply = Mapping[str, Any]
Ask = Callable[[Question], Reply]
Change = Callable[[str], str]
Values = Mapping[str, Any]


class Fault(NamedTuple):
    """The operations that are affected, and the answer in place of that of the reference."""

    operations: tuple[str, ...]
    answer: Callable[[Question, Reply, Ask], Reply]


READING = ("validate", "parse")

#: The rules of whole URLs, in lower case; RFC 1738 has one for each scheme, which ends in `url`.
WHOLE = {"uri", "uri-reference", "absolute-uri", "relative-ref", "absoluteuri", "relativeuri", "absoluteurl"}

REJECTED: Reply = {"status": "reject"}
CRASHED: Reply = {"status": "error"}


def whole(question: Question) -> bool:
    """Tell if the question is about a whole URL."""
    rule = (question.get("rule") or "url").lower()
    return rule in WHOLE or rule.endswith("url")


def text(value: str | Mapping[str, str]) -> str:
    """Return the text of a field; bytes that are not UTF-8 become surrogates."""
    if isinstance(value, str):
        return value
    return bytes.fromhex(value["hex"]).decode("utf-8", "surrogateescape")


def sub(pattern: str, replacement: str | Callable[[re.Match[str]], str], count: int = 0) -> Change:
    """Return a function that replaces what a pattern matches."""
    compiled = re.compile(pattern, re.DOTALL)
    return lambda given: compiled.sub(replacement, given, count)


def has(pattern: str) -> Callable[[str], bool]:
    """Return a function that tells if a pattern matches somewhere."""
    compiled = re.compile(pattern, re.DOTALL)
    return lambda given: compiled.search(given) is not None


TRIPLET = "%[0-9A-Fa-f]{2}"


def decoded(octets: str) -> Change:
    """Return a function that decodes these octets, given as a pattern of two hexadecimal digits."""
    return sub(f"%(?i:{octets})", lambda found: unquote(found[0]))


def encoded(characters: str) -> Change:
    """Return a function that percent-encodes these characters, given as a pattern."""
    return sub(characters, lambda found: f"%{ord(found[0]):02X}")


#: Repeated slashes become one.
collapse = sub("/{2,}", "/")


# Faults of reading.


def rejects(test: Callable[[str], bool], reply: Reply = REJECTED) -> Fault:
    """Refuse the valid URLs that the test is true of."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        wrong = right["status"] == "ok" and whole(question) and test(text(question["url"]))
        return reply if wrong else right

    return Fault(READING, answer)


def rejects_parts(test: Callable[[Values], bool], reply: Reply = REJECTED) -> Fault:
    """Refuse the valid URLs of whose components (RFC 3986) the test is true."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        if right["status"] != "ok" or not whole(question):
            return right
        parsed = ask({"op": "parse", "spec": question["spec"], "url": question["url"]})
        return reply if parsed["status"] == "ok" and test(parsed["components"]) else right

    return Fault(READING, answer)


def crashes(test: Callable[[str], bool]) -> Fault:
    """End in an error at the texts, valid or not, that the test is true of."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        return CRASHED if whole(question) and test(text(question["url"])) else right

    return Fault(READING, answer)


def tolerates(change: Change) -> Fault:
    """Accept an invalid text that the change makes valid."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        given = text(question["url"])
        if right["status"] != "reject" or not whole(question) or (changed := change(given)) == given:
            return right
        found = ask({**question, "url": changed})
        return found if found["status"] == "ok" else right

    return Fault(READING, answer)


def shows(change: Callable[[Values], Values | None]) -> Fault:
    """Give other values to some components."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        if right["status"] != "ok" or not (changed := change(right["components"])):
            return right
        return {"status": "ok", "components": {**right["components"], **changed}}

    return Fault(("parse",), answer)


# Faults of writing.


def _written(operation: str, change: Callable[[Question, str], str | None], mode: str | None = None) -> Fault:
    """Give another text than the right one, in one mode or in all; None is an exception."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        if right["status"] != "ok" or mode not in (None, question.get("mode") or "syntax"):
            return right
        changed = change(question, right["url"])
        if changed == right["url"]:
            return right
        return CRASHED if changed is None else {"status": "ok", "url": changed}

    return Fault((operation,), answer)


def writes(change: Callable[[str], str | None]) -> Fault:
    """Give a normal form that depends on the right one."""
    return _written("normalize", lambda _, right: change(right))


def normalizes_to(change: Callable[[str, str], str | None]) -> Fault:
    """Give a normal form that depends on the given text and the right form."""
    return _written("normalize", lambda question, right: change(text(question["url"]), right))


def normalizes(change: Change) -> Fault:
    """Normalize another text than the given one."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        given = text(question["url"])
        changed = change(given)
        return right if changed == given or right["status"] != "ok" else ask({**question, "url": changed})

    return Fault(("normalize",), answer)


def recomposed(change: Change) -> Fault:
    """Give a text that depends on the right one."""
    return _written("recompose", lambda _, right: change(right))


def recomposed_as(change: Callable[[Values, str], str]) -> Fault:
    """Give a text that depends on the components and the right text."""
    return _written("recompose", lambda question, right: change(question["components"], right))


def recomposes(change: Callable[[Values], Values | None]) -> Fault:
    """Recompose other components than the given ones."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        changed = change(question["components"])
        if right["status"] != "ok" or not changed:
            return right
        return ask({**question, "components": {**question["components"], **changed}})

    return Fault(("recompose",), answer)


# A resolver of RFC 3986 of which each step can be replaced.


class Parts(NamedTuple):
    """The five components of RFC 3986; None is absent."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


_SPLIT = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def split(given: str) -> Parts:
    """Split a text as appendix B does."""
    found = _SPLIT.fullmatch(given)
    assert found is not None
    return Parts(*found.groups())


def join(parts: Parts) -> str:
    """Put components together (section 5.3)."""
    scheme = "" if parts.scheme is None else f"{parts.scheme}:"
    authority = "" if parts.authority is None else f"//{parts.authority}"
    query = "" if parts.query is None else f"?{parts.query}"
    fragment = "" if parts.fragment is None else f"#{parts.fragment}"
    return scheme + authority + parts.path + query + fragment


def is_local(reference: Parts) -> bool:
    """Tell if a reference has neither a scheme nor an authority."""
    return reference.scheme is None and reference.authority is None


def merge(base: Parts, path: str) -> str:
    """Merge the path of a reference with that of the base (section 5.2.3)."""
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def remove_dots(path: str) -> str:
    """Remove the dot-segments of a path (section 5.2.4)."""
    rest, output = path, ""
    while rest:
        if rest.startswith(("../", "./")):
            rest = rest.partition("/")[2]
        elif rest.startswith("/./") or rest == "/.":
            rest = "/" + rest[3:]
        elif rest.startswith("/../") or rest == "/..":
            rest, output = "/" + rest[4:], output[: max(output.rfind("/"), 0)]
        elif rest in (".", ".."):
            rest = ""
        else:
            end = rest.find("/", 1)
            end = len(rest) if end < 0 else end
            rest, output = rest[end:], output + rest[:end]
    return output


def inside(component: str, change: Change) -> Change:
    """Return a function on URLs that changes one component."""

    def changed(url: str) -> str:
        parts = split(url)
        value = getattr(parts, component)
        return url if value is None else join(parts._replace(**{component: change(value)}))

    return changed


def target(
    base: Parts,
    reference: Parts,
    dots: Change = remove_dots,
    merge: Callable[[Parts, str], str] = merge,
) -> Parts:
    """Return the components of the target (section 5.2.2)."""
    if reference.scheme is not None:
        return reference._replace(path=dots(reference.path))
    if reference.authority is not None:
        return reference._replace(scheme=base.scheme, path=dots(reference.path))
    if not reference.path:
        query = base.query if reference.query is None else reference.query
        return base._replace(query=query, fragment=reference.fragment)
    path = reference.path if reference.path.startswith("/") else merge(base, reference.path)
    return Parts(base.scheme, base.authority, dots(path), reference.query, reference.fragment)


def dots_kept(base: Parts, reference: Parts) -> Parts:
    """Return the target with its dot-segments."""
    return target(base, reference, dots=lambda path: path)


def merged_at_root(base: Parts, reference: Parts) -> Parts:
    """Return the target with the path of the reference below the root."""
    return target(base, reference, merge=lambda _, path: f"/{path}")


def resolves(wrong: Callable[[Parts, Parts], Parts | str | None], reply: Reply = CRASHED) -> Fault:
    """Resolve in another way; None is the reply."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        base, reference = split(text(question["base"])), split(text(question["reference"]))
        if right["status"] != "ok":
            return right
        found = wrong(base, reference)
        if found is None:
            return reply
        url = join(found) if isinstance(found, Parts) else found
        return right if url == join(target(base, reference)) else {"status": "ok", "url": url}

    return Fault(("resolve",), answer)


def resolves_to(change: Callable[[Parts, Parts, str], str]) -> Fault:
    """Give a target that depends on base, reference and the right target."""

    def changed(question: Question, right: str) -> str:
        return change(split(text(question["base"])), split(text(question["reference"])), right)

    return _written("resolve", changed)


# Faults of the other operations.


def compares(change: Callable[[str, str, bool], bool], mode: str | None = None) -> Fault:
    """Give another verdict on two URLs, in one mode or in all."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        if right["status"] != "ok" or mode not in (None, question.get("mode") or "syntax"):
            return right
        found = change(text(question["url"]), text(question["other"]), right["equal"])
        return right if found == right["equal"] else {"status": "ok", "equal": found}

    return Fault(("equivalent",), answer)


def finds(change: Callable[[str, str], str | None]) -> Fault:
    """Find another URL in a text instead of one; None finds nothing."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        given = text(question["text"])
        found = [[change(given, one) for one in readings] for readings in right["urls"]]
        kept = [list(dict.fromkeys(readings)) for readings in found if None not in readings]
        return right if kept == right["urls"] else {"status": "ok", "urls": kept}

    return Fault(("extract",), answer)


def with_bracket(given: str, one: str) -> str:
    """Append the angle bracket that ends a URL."""
    return f"{one}>" if f"<{one}>" in given else one


def with_quote(given: str, one: str) -> str:
    """Append the quotation mark that ends a URL."""
    return f'{one}"' if f'"{one}"' in given else one


def decodes(scheme: str, change: Callable[[Values, str], Values | None]) -> Fault:
    """Give other values to some parts of the decoded URLs of a scheme; None is a rejection."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        if right["status"] != "ok" or scheme not in ("", right["decoded"]["scheme"]):
            return right
        changed = change(right["decoded"], text(question["url"]))
        if changed is None:
            return REJECTED
        return {"status": "ok", "decoded": {**right["decoded"], **changed}} if changed else right

    return Fault(("decode",), answer)


def bases_without(layer: str) -> Fault:
    """Leave out a layer that has a base, if the URL of the retrieval is known."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        known = question.get("retrieval") and question.get(layer)
        return ask({**question, layer: None}) if known else right

    return Fault(("base",), answer)
