"""The verdict on one answer: what a reply is worth against what a vector expects and its binding obliges."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

import msgspec

from urlharness.corpus import Case, Expected, Hex, Text, Vector
from urlharness.protocol import Components, ComponentValue, Reply

Outcome = Literal[
    "pass",
    "variant",
    "partial",
    "fail",
    "unsupported",
    "error",
    "timeout",
    "crash",
    "garbage",
    "no-answer",
    "aborted",
]

#: Outcomes that fail the gate on a required vector.
FAILING: frozenset[Outcome] = frozenset(
    ("fail", "error", "timeout", "crash", "garbage", "no-answer", "aborted")
)


class Verdict(NamedTuple):
    """The outcome of one case, the name of the variant, and a clause that says what differs."""

    outcome: Outcome
    variant: str = ""
    detail: str = ""


_RANK = {"pass": 0, "variant": 1, "partial": 2, "fail": 3}


def judge(case: Case, reply: Reply, features: Collection[str], *, strict: bool = False) -> Verdict:
    """The verdict on a reply; `strict` judges the offset and the open rules of a rejection as well."""
    if reply.status == "unsupported":
        return Verdict("unsupported", detail=reply.message)
    if reply.status == "error":
        return Verdict("error", detail=reply.message)
    vector = case.vector
    best = min(
        (_match(case, expected, reply, features, strict=strict) for expected in vector.expect.alternatives),
        key=lambda verdict: _RANK[verdict.outcome],
    )
    if best.outcome == "fail" and vector.binding in ("impl-defined", "unspecified"):
        return Verdict("variant", "other", best.detail)
    return best


def _match(
    case: Case, expected: Expected, reply: Reply, features: Collection[str], *, strict: bool
) -> Verdict:
    found = _compare(case, expected, reply, features, strict=strict)
    if found.outcome == "pass" and expected.variant:
        return Verdict("variant", expected.variant)
    return found


def _compare(
    case: Case, expected: Expected, reply: Reply, features: Collection[str], *, strict: bool
) -> Verdict:
    vector = case.vector
    if expected.valid is False:
        if reply.status != "reject":
            return Verdict("fail", detail="accepted, but no valid text")
        return _compare_rejection(expected, reply) if strict else Verdict("pass")
    if reply.status == "reject":
        return Verdict("fail", detail=f"rejected: {reply.message}" if reply.message else "rejected")
    if expected.valid is True:
        return Verdict("pass")
    if not isinstance(expected.components, msgspec.UnsetType):
        if isinstance(reply.components, msgspec.UnsetType):
            return Verdict("fail", detail="no components in the answer")
        return compare_components(case.spec, expected.components, reply.components, features)
    if expected.same_document:
        return Verdict("pass" if reply.same_document else "fail", detail="not the same document")
    if isinstance(reply.url, msgspec.UnsetType):
        return Verdict("fail", detail="no url in the answer")
    assert isinstance(expected.result, str)  # the only kind of expectation left
    if _same_text(vector, expected.result, reply.url):
        return Verdict("pass")
    return Verdict("fail", detail=f"got {show(reply.url)}")


def _compare_rejection(expected: Expected, reply: Reply) -> Verdict:
    if expected.at is not msgspec.UNSET and reply.at != expected.at:
        return Verdict("fail", detail=f"rejected at offset {reply.at}, not {expected.at}")
    missing = set(expected.rules) - set(reply.rules)
    if missing:
        return Verdict("fail", detail=f"rule {', '.join(sorted(missing))} is not open there")
    return Verdict("pass")


def compare_components(
    spec: str, expected: Mapping[str, ComponentValue], got: Components, features: Collection[str]
) -> Verdict:
    """Components against components: a missing key or an indistinguishable empty one makes it partial."""
    apart = "absent-vs-empty" in features
    wrong, hidden = [], []
    for name, value in expected.items():
        if name not in got:
            hidden.append(name)
        elif not _same_component(spec, name, value, got[name], apart=apart):
            wrong.append(f"{name} is {show(got[name])}, not {show(value)}")
        elif value == "" and not apart and not _always_present(spec, name):
            hidden.append(name)
    if wrong:
        return Verdict("fail", detail="; ".join(wrong))
    if hidden:
        return Verdict("partial", detail=f"not exposed: {', '.join(hidden)}")
    return Verdict("pass")


def _always_present(spec: str, name: str) -> bool:
    """Is an empty component no news?  A path is never absent except in RFC 1738."""
    return name == "path" and spec != "rfc1738"


def _same_component(
    spec: str, name: str, expected: ComponentValue, got: ComponentValue, *, apart: bool
) -> bool:
    if isinstance(expected, list) or isinstance(got, list):
        return _pairs(expected) == _pairs(got)
    if expected == got:
        return True
    if name in ("scheme", "host") and isinstance(expected, str) and isinstance(got, str):
        return expected.lower() == got.lower()  # G-11
    # RFC 1808, section 2.4, calls empty and absent the same: "" for an absent component passes (G-09)
    blur = not apart or (spec == "rfc1808" and expected is None)
    return blur and {expected, got} <= {None, ""}


def _pairs(value: ComponentValue) -> list[tuple[str, str]] | None:
    return [(name, text) for name, text in value] if isinstance(value, list) else None


def _same_text(vector: Vector, expected: str, got: Text) -> bool:
    if expected == got:
        return True
    if vector.op != "resolve" or not isinstance(got, str):
        return False
    # scheme and host fold only where base or reference supplied them in mixed case (G-11)
    supplied = [text for text in (vector.base, vector.reference) if isinstance(text, str)]
    mixed = any(text != _fold_scheme_and_host(text) for text in supplied)
    return mixed and _fold_scheme_and_host(expected) == _fold_scheme_and_host(got)


def _fold_scheme_and_host(text: str) -> str:
    before, slashes, rest = text.partition("//")
    if slashes and not set(before) & set("/?#"):
        end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
        start = rest.rfind("@", 0, end) + 1
        return f"{before.lower()}//{rest[:start]}{rest[start:end].lower()}{rest[end:]}"
    scheme, colon, rest = text.partition(":")
    return f"{scheme.lower()}:{rest}" if colon and not set(scheme) & set("/?#") else text


def show(value: ComponentValue) -> str:
    """A component in words: absent and empty are told apart."""
    match value:
        case None:
            return "absent"
        case "":
            return "empty"
        case Hex(digits):
            return f"hex {digits}"
        case list():
            return ", ".join(f"{name}={text}" for name, text in value) or "empty list"
        case _:
            return repr(value)


def expectation(expected: Expected) -> str:
    """What a vector expects, in words; admissible answers joined by "or"."""
    return " or ".join(_expectation(answer) for answer in expected.alternatives)


def _expectation(answer: Expected) -> str:
    named = f" ({answer.variant})" if answer.variant else ""
    if answer.valid is True:
        return f"valid{named}"
    if answer.valid is False:
        where = f" at {answer.at}" if isinstance(answer.at, int) else ""
        return f"invalid{where}{named}"
    if answer.same_document:
        return f"the same document{named}"
    if isinstance(answer.components, dict):
        parts = ", ".join(f"{name} {show(value)}" for name, value in answer.components.items())
        return f"{parts}{named}"
    return f"{answer.result!r}{named}"
