"""What a fault is: what a library answers that has one bug and is right otherwise.

A fault changes an answer of the reference, or asks it about a changed text. The library that it imitates
reads whole URLs, so a fault of reading leaves the questions about other rules alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .texts import Change

Question = Mapping[str, Any]
Reply = Mapping[str, Any]
Ask = Callable[[Question], Reply]
Values = Mapping[str, Any]


class Fault(NamedTuple):
    """The operations that are affected, and the answer in place of that of the reference."""

    operations: tuple[str, ...]
    answer: Callable[[Question, Reply, Ask], Reply]


READING = ("validate", "parse")

#: The rules of whole URLs, in lower case; RFC 1738 has one for each scheme, which ends in `url`.
WHOLE = {
    "uri",
    "uri-reference",
    "absolute-uri",
    "relative-ref",
    "absoluteuri",
    "relativeuri",
    "absoluteurl",
    "iri",
    "iri-reference",
    "absolute-iri",
    "irelative-ref",
}

REJECTED: Reply = {"status": "reject"}
CRASHED: Reply = {"status": "error"}


def is_whole(question: Question) -> bool:
    """Tell if the question is about a whole URL."""
    rule = (question.get("rule") or "url").lower()
    return rule in WHOLE or rule.endswith("url")


def text(field: str | Mapping[str, str]) -> str:
    """Return the text of a field; bytes that are not UTF-8 become surrogates."""
    if isinstance(field, str):
        return field
    return bytes.fromhex(field["hex"]).decode("utf-8", "surrogateescape")


# Faults of reading.


def rejects(test: Callable[[str], bool], reply: Reply = REJECTED) -> Fault:
    """Refuse the valid URLs that the test is true of."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        wrong = right["status"] == "ok" and is_whole(question) and test(text(question["url"]))
        return reply if wrong else right

    return Fault(READING, answer)


def rejects_parts(test: Callable[[Values], bool], reply: Reply = REJECTED) -> Fault:
    """Refuse the valid URLs of whose components (RFC 3986) the test is true."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        if right["status"] != "ok" or not is_whole(question):
            return right
        parsed = ask({"op": "parse", "spec": question["spec"], "url": question["url"]})
        return reply if parsed["status"] == "ok" and test(parsed["components"]) else right

    return Fault(READING, answer)


def crashes(test: Callable[[str], bool]) -> Fault:
    """End in an error at the texts, valid or not, that the test is true of."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        return CRASHED if is_whole(question) and test(text(question["url"])) else right

    return Fault(READING, answer)


def crashes_at_parts(test: Callable[[Values], bool]) -> Fault:
    """End in an error at the valid URLs of whose components (RFC 3986) the test is true."""
    return rejects_parts(test, CRASHED)


def tolerates(change: Change, operations: tuple[str, ...] = READING) -> Fault:
    """Accept an invalid text that the change makes valid."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        url = text(question["url"])
        if right["status"] != "reject" or not is_whole(question):
            return right
        changed = change(url)
        if changed == url:
            return right
        reply = ask({**question, "url": changed})
        return reply if reply["status"] == "ok" else right

    return Fault(operations, answer)


def shows(change: Callable[[Values], Values | None]) -> Fault:
    """Give other values to some components."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        if right["status"] != "ok" or not (changed := change(right["components"])):
            return right
        return {"status": "ok", "components": {**right["components"], **changed}}

    return Fault(("parse",), answer)


def shows_when(test: Callable[[Values], bool], change: Callable[[Values], Values | None]) -> Fault:
    """Give other values to some components when the test is true of all."""
    return shows(lambda parts: change(parts) if test(parts) else None)


def reads(operation: str, change: Change) -> Fault:
    """Read another text than the given one, if that is valid."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        url = text(question["url"])
        changed = change(url)
        return right if changed == url or right["status"] != "ok" else ask({**question, "url": changed})

    return Fault((operation,), answer)


# Faults of writing.


def writes_other(
    operation: str, change: Callable[[Question, str], str | None], mode: str | None = None
) -> Fault:
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
    return writes_other("normalize", lambda _, right: change(right))


def normalizes_to(change: Callable[[str, str], str | None]) -> Fault:
    """Give a normal form that depends on the given text and the right form."""
    return writes_other("normalize", lambda question, right: change(text(question["url"]), right))


def normalizes(change: Change) -> Fault:
    """Normalize another text than the given one."""
    return reads("normalize", change)


def recomposed(change: Change) -> Fault:
    """Give a text that depends on the right one."""
    return writes_other("recompose", lambda _, right: change(right))


def recomposed_as(change: Callable[[Values, str], str]) -> Fault:
    """Give a text that depends on the components and the right text."""
    return writes_other("recompose", lambda question, right: change(question["components"], right))


def recomposes(change: Callable[[Values], Values | None]) -> Fault:
    """Recompose other components than the given ones."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        changed = change(question["components"])
        if right["status"] != "ok" or not changed:
            return right
        return ask({**question, "components": {**question["components"], **changed}})

    return Fault(("recompose",), answer)


# Faults of comparison.


def compares(change: Callable[[str, str, bool], bool], mode: str | None = None) -> Fault:
    """Give another verdict on two URLs, in one mode or in all."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        if right["status"] != "ok" or mode not in (None, question.get("mode") or "syntax"):
            return right
        equal = change(text(question["url"]), text(question["other"]), right["equal"])
        return right if equal == right["equal"] else {"status": "ok", "equal": equal}

    return Fault(("equivalent",), answer)


def equates(change: Change, mode: str | None = None) -> Fault:
    """Call two URLs equal, too, that the change makes equal."""
    return compares(lambda first, second, equal: equal or change(first) == change(second), mode)


# Faults of extraction.


def finds(change: Callable[[str, str], str | None]) -> Fault:
    """Find another URL in a text instead of each; None finds nothing."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        document = text(question["text"])
        urls = []
        for readings in right["urls"]:
            changed = [change(document, url) for url in readings]
            if None not in changed:
                urls.append(list(dict.fromkeys(changed)))
        return right if urls == right["urls"] else {"status": "ok", "urls": urls}

    return Fault(("extract",), answer)


def cuts_at(pattern: str) -> Fault:
    """Cut each URL before the first match of a pattern."""
    compiled = re.compile(pattern, re.DOTALL)
    return finds(lambda _, url: compiled.split(url, maxsplit=1)[0])


def strips(pattern: str) -> Fault:
    """Leave out what a pattern matches at the end of each URL."""
    return finds(lambda _, url: re.sub(f"(?:{pattern})$", "", url))


def misses(pattern: str) -> Fault:
    """Miss the URLs in which a pattern matches somewhere."""
    return finds(lambda _, url: None if re.search(pattern, url) else url)


# Faults of the other operations.


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
        has_both = question.get("retrieval") and question.get(layer)
        return ask({**question, layer: None}) if has_both else right

    return Fault(("base",), answer)
