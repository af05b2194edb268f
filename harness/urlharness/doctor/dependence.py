"""Checks of what an answer depends on: every input of its question, and nothing but its question."""

from __future__ import annotations

from typing import Any

import msgspec

from urlharness.corpus import SPECS
from urlharness.doctor.findings import Check, Found, broken, ok, skipped, warning
from urlharness.doctor.questions import FULL, PLAIN, TRYING, asked, spec_for
from urlharness.doctor.replies import ALONE, Subject, same, shown, telling_question
from urlharness.doctor.shapes import SHAPES
from urlharness.doctor.subjects import Question, Speaking
from urlharness.protocol import Reply

#: The base of the examples of RFC 1808, section 5, RFC 2396, appendix C, and RFC 3986, section 5.4.
_BASE = "http://a/b/c/d;p?q"
_OTHER_BASE = "http://x/y/z"
#: Two rules of an RFC by which a text is not judged alike.
_RULES = {"rfc1738": ("url", "ftpurl", "http://h/"), "rfc1808": ("URL", "absoluteURL", "a/b")}
_GENERIC_RULES = ("URI-reference", "URI", "a/b")


def both_inputs(subject: Subject) -> Found:
    """Of two inputs each has its place: the base and the reference, a URL and the other."""
    offered = [op for op in ("resolve", "equivalent") if op in subject.hello.ops]
    if not offered:
        return skipped("it offers neither resolve nor equivalent")
    found = _resolution(subject) if "resolve" in offered else None
    if found is None and "equivalent" in offered:
        found = _equivalence(subject)
    return found or ok(" ".join(offered))


def _resolution(subject: Subject) -> Found | None:
    spec = spec_for("resolve", subject.hello.specs)
    pairs = ((_BASE, "g"), (_OTHER_BASE, "g"), (_BASE, _OTHER_BASE))
    near, elsewhere, absolute = subject.ask(
        *({"op": "resolve", "spec": spec, "base": base, "reference": text} for base, text in pairs)
    )
    if near.status == "unsupported":
        return skipped("it does not resolve 'g'")
    if absolute.url == _BASE:
        return warning(
            f"the reference {_OTHER_BASE} against the base {_BASE} is the base: "
            "the adapter may mix up base and reference, or leave out the reference"
        )
    if near.url == elsewhere.url != msgspec.UNSET:
        return warning(
            f"'g' is {near.url!r} against {_BASE} and against {_OTHER_BASE}: "
            "the adapter may leave out the base"
        )
    if near.url != "http://a/b/c/g":
        return warning(f"'g' against {_BASE} is {shown(near)}: is it the library, or the adapter?")
    return None


def _equivalence(subject: Subject) -> Found | None:
    alike, different = subject.ask(
        *({**asked("equivalent", subject.hello.specs), "other": other} for other in (PLAIN, _OTHER_BASE))
    )
    if alike.status == different.status == "ok" and alike.equal == different.equal:
        equal = "equivalent" if alike.equal else "not equivalent"
        return warning(
            f"{PLAIN} is {equal} to itself and to {_OTHER_BASE}: the adapter may leave out one of the two"
        )
    return None


def same_twice(subject: Subject) -> Found:
    """The same question has the same answer, in this process and in the next."""
    offered = [op for op in subject.hello.ops if op == "validate" or op in SHAPES]
    questions = [asked(op, subject.hello.specs) for op in offered]
    questions += [dict(telling_question(subject, text)) for text in TRYING]
    first = subject.ask(*questions, *questions)
    subject.end()
    again = subject.ask(*questions)
    half = len(questions)
    for question, one, two, three in zip(questions, first, first[half:], again, strict=False):
        for other, when in ((two, "again"), (three, "by a fresh process")):
            if not same(one, other):
                return broken(f"{question['op']} asked {when} is {shown(other)}, and was {shown(one)}")
    return ok(f"{half} questions, three times each")


def any_order(subject: Speaking) -> Found:
    """Questions that differ in one field are answered alike in either order."""
    families = _families(subject)
    questions = [question for family in families.values() for question in family]
    if not questions:
        return skipped("it offers no operation with two questions that differ in one field")
    forward = subject.ask(*questions)
    backward = _backward(subject, questions)
    at = 0
    for field, family in families.items():
        here = slice(at, at + len(family))
        at += len(family)
        for question, one, other in zip(family, forward[here], backward[here], strict=True):
            if not same(one, other):
                _shorten(subject, family, forward[here])
                return broken(
                    f"after other questions {question['op']} is {shown(other)}, and was {shown(one)}: "
                    f"does it keep answers without looking at `{field}`?"
                )
    return ok(f"{len(questions)} questions, forth and back")


def _backward(subject: Speaking, questions: list[Question]) -> list[Reply]:
    """The answers of a fresh process that is asked the last question first."""
    subject.end()
    return subject.ask(*reversed(questions))[::-1]


def _shorten(subject: Speaking, family: list[Question], before: list[Reply]) -> None:
    """Where a few questions show it, let those be what is repeated."""
    steps = subject.steps
    if all(map(same, before, _backward(subject, family))):
        subject.steps = steps


def _families(subject: Speaking) -> dict[str, list[Question]]:
    """By the field in which they differ, questions that the library should answer differently."""
    ops, specs = subject.hello.ops, subject.hello.specs
    families: dict[str, list[Question]] = {}

    def add(field: str, question: dict[str, Any], *values: str) -> None:
        families[field] = [{**question, field: value} for value in values]

    if "validate" in ops:
        *rules, text = _RULES.get(spec_for("validate", specs), _GENERIC_RULES)
        add("rule", asked("validate", specs, text), *rules)
    if "resolve" in ops:
        question = asked("resolve", specs, "g")
        add("reference", question, "g", "../g")
        add("base", {**question, "reference": "./g"}, _BASE, _OTHER_BASE)
    if "normalize" in ops:
        add("mode", asked("normalize", specs, "HTTP://h:80/%7e"), "syntax", "scheme")
    if "equivalent" in ops:
        add("other", asked("equivalent", specs), PLAIN, _OTHER_BASE)
    if "parse" in ops:
        add("url", asked("parse", specs), PLAIN, FULL)
    for op in ("parse", "validate"):
        if op in ops:
            add("spec", {"op": op, "url": "http://[::1]/~a;b"}, *SPECS)
            break
    named = [op for op in ("validate", "parse", "normalize") if op in ops]
    if len(named) > 1:
        families["op"] = [asked(op, specs, "http://h/a/../b") for op in named]
    return families


BOTH_INPUTS = Check(
    "both inputs", "resolve takes `base` and `reference`, equivalent `url` and `other`", both_inputs
)
TWICE = (
    Check("same twice", ALONE.says, same_twice, section=ALONE.section, repeats=True),
    Check("any order", ALONE.says, any_order, wire=True, section=ALONE.section, repeats=True),
)
