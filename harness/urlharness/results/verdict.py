"""Reply + expectation -> outcome; Outcome is an enum with its properties."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from urlharness.corpus.describe import show, show_base, show_equal, show_urls
from urlharness.corpus.model import Case, Decoded, DecodedValue, Expected, Hex, Text, Vector
from urlharness.protocol.messages import Components, ComponentValue, Reply

# -------------------- same_text: Whether a resolved URL is the expected one, whose scheme and host may fold their case (G-11).


def equal_urls(vector: Vector, expected: str, got: Text) -> bool:
    """True where an answer is the expected text; scheme and host fold where the question mixed their case."""
    if expected == got:
        return True
    if vector.op not in ("resolve", "base") or not isinstance(got, str):
        return False
    # scheme and host fold only where the question supplied them in mixed case (G-11)
    texts = (vector.base, vector.reference, *vector.layers.values())
    supplied = [text for text in texts if isinstance(text, str)]
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


# -------------------- verdict: The verdict on one answer: what a reply is worth against what a vector expects and its binding obliges.


class Outcome(StrEnum):
    """The outcome of one test case."""

    PASS = "pass"
    VARIANT = "variant"
    PARTIAL = "partial"
    FAIL = "fail"
    UNSUPPORTED = "unsupported"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASH = "crash"
    GARBAGE = "garbage"
    NO_ANSWER = "no-answer"
    ABORTED = "aborted"

    @property
    def passing(self) -> bool:
        """Return True if the answer is admissible and complete."""
        return self in _PASSING

    @property
    def failing(self) -> bool:
        """Return True if this outcome fails the gate on a required vector."""
        return self in _FAILING

    @property
    def abnormal(self) -> bool:
        """Return True if there was an error or no reply at all."""
        return self in _ABNORMAL

    @property
    def answered(self) -> bool:
        """Return True if the adapter gave an answer, right or wrong, perhaps only in part."""
        return self in _ANSWERED

    @property
    def complete(self) -> bool:
        """Return True unless the case is unsupported or answered only in part; a crash counts as complete."""
        return self not in _INCOMPLETE


_PASSING = frozenset((Outcome.PASS, Outcome.VARIANT))
_INCOMPLETE = frozenset((Outcome.UNSUPPORTED, Outcome.PARTIAL))
_ANSWERED = _PASSING | {Outcome.PARTIAL, Outcome.FAIL}
_ABNORMAL = frozenset(Outcome) - _ANSWERED - {Outcome.UNSUPPORTED}
_FAILING = _ABNORMAL | {Outcome.FAIL}


class Verdict(NamedTuple):
    """The outcome of one case, the name of the variant, and a clause that says what differs."""

    outcome: Outcome
    variant: str = ""
    detail: str = ""


_PASS = Verdict(Outcome.PASS)


_RANK = {
    Outcome.PASS: 0,
    Outcome.VARIANT: 1,
    Outcome.PARTIAL: 2,
    Outcome.UNSUPPORTED: 3,
    Outcome.FAIL: 4,
}


#: Of an answer that has none of what was asked for, though it may be said to be one.
_NOTHING = Verdict(Outcome.UNSUPPORTED, detail="nothing of it is exposed")


def judge(case: Case, reply: Reply, features: Collection[str], *, strict: bool = False) -> Verdict:
    """The verdict on a reply; `strict` judges the offset and the open rules of a rejection as well."""
    if reply.status == "unsupported":
        return Verdict(Outcome.UNSUPPORTED, detail=reply.message)
    if reply.status == "error":
        return Verdict(Outcome.ERROR, detail=reply.message)
    vector = case.vector
    best = _best(case, reply, features, strict=strict)
    if best.outcome is Outcome.FAIL and not isinstance(reply.urls, msgspec.UnsetType):
        best = _best(case, _first_readings(vector.expect, reply), features, strict=strict)
    if best.outcome is Outcome.FAIL and vector.binding in ("impl-defined", "unspecified"):
        return Verdict(Outcome.VARIANT, "other", best.detail)
    return best


def _best(case: Case, reply: Reply, features: Collection[str], *, strict: bool) -> Verdict:
    """The verdict against the alternative that is met best."""
    expect = case.vector.expect
    if not expect.any:
        return _match(case, expect, reply, features, strict=strict)
    verdicts = (_match(case, expected, reply, features, strict=strict) for expected in expect.any)
    return min(verdicts, key=lambda verdict: _RANK[verdict.outcome])


def _first_readings(expect: Expected, reply: Reply) -> Reply:
    """The reply with the first reading of each URL, where several alternatives together admit all of them."""
    assert not isinstance(reply.urls, msgspec.UnsetType)
    count = len(reply.urls)
    same = [one.urls for one in expect.alternatives if isinstance(one.urls, tuple) and len(one.urls) == count]
    admissible = [frozenset().union(*readings) for readings in zip(*same, strict=True)]
    if not same or not all(
        readings and known.issuperset(readings)
        for readings, known in zip(reply.urls, admissible, strict=True)
    ):
        return reply
    return msgspec.structs.replace(reply, urls=[readings[:1] for readings in reply.urls])


def _match(
    case: Case, expected: Expected, reply: Reply, features: Collection[str], *, strict: bool
) -> Verdict:
    found = _compare(case, expected, reply, features, strict=strict)
    if found.outcome is Outcome.PASS and expected.variant:
        return Verdict(Outcome.VARIANT, expected.variant)
    return found


def _compare(
    case: Case, expected: Expected, reply: Reply, features: Collection[str], *, strict: bool
) -> Verdict:
    if expected.valid is False:
        if reply.status != "reject":
            return Verdict(Outcome.FAIL, detail="accepted, although it is not valid")
        return _compare_rejection(expected, reply) if strict else _PASS
    if reply.status == "reject":
        return Verdict(Outcome.FAIL, detail=f"rejected: {reply.message}" if reply.message else "rejected")
    if expected.valid is True:
        return _PASS
    if expected.components is not msgspec.UNSET:  # most of them, and it takes a while to find the kind
        return _compare_parts(case, expected, reply, features)
    return _COMPARED[expected.kind](case, expected, reply, features)


def _compare_parts(case: Case, expected: Expected, reply: Reply, features: Collection[str]) -> Verdict:
    if isinstance(reply.components, msgspec.UnsetType):
        return Verdict(Outcome.FAIL, detail="no components in the answer")
    assert isinstance(expected.components, dict)
    if expected.components and reply.components.keys().isdisjoint(expected.components):
        return _NOTHING
    return compare_components(case.spec, expected.components, reply.components, features)


def _compare_document(_case: Case, _expected: Expected, reply: Reply, _features: Collection[str]) -> Verdict:
    return _sum_up([] if reply.same_document else ["not the same document"])


def _compare_result(case: Case, expected: Expected, reply: Reply, _features: Collection[str]) -> Verdict:
    if isinstance(reply.url, msgspec.UnsetType):
        return Verdict(Outcome.FAIL, detail="no url in the answer")
    assert isinstance(expected.result, str)
    same = equal_urls(case.vector, expected.result, reply.url)
    return _sum_up([] if same else [f"got {show(reply.url)}"])


def _compare_urls(_case: Case, expected: Expected, reply: Reply, _features: Collection[str]) -> Verdict:
    """As many URLs, in the same order, and of each some of its readings and no other."""
    if isinstance(reply.urls, msgspec.UnsetType):
        return Verdict(Outcome.FAIL, detail="no urls in the answer")
    assert isinstance(expected.urls, tuple)
    if len(reply.urls) != len(expected.urls):
        count = f"{len(reply.urls)} found, not {len(expected.urls)}"
        return Verdict(Outcome.FAIL, detail=f"{count}: {show_urls(reply.urls)}")
    wrong = []
    for number, (readings, admissible) in enumerate(zip(reply.urls, expected.urls, strict=True), 1):
        others = [reading for reading in readings if reading not in admissible]
        if others or not readings:
            wrong.append(f"URL {number} is {show_urls([others])}, not {show_urls([admissible])}")
    return _sum_up(wrong)


def _compare_equal(_case: Case, expected: Expected, reply: Reply, _features: Collection[str]) -> Verdict:
    if isinstance(reply.equal, msgspec.UnsetType):
        return Verdict(Outcome.FAIL, detail="no verdict in the answer")
    return _sum_up([] if reply.equal == expected.equal else [f"got {show_equal(reply.equal)}"])


def _compare_view(_case: Case, expected: Expected, reply: Reply, features: Collection[str]) -> Verdict:
    if isinstance(reply.decoded, msgspec.UnsetType):
        return Verdict(Outcome.FAIL, detail="no decoded view in the answer")
    assert isinstance(expected.decoded, dict)
    if expected.decoded and reply.decoded.keys().isdisjoint(expected.decoded):
        return _NOTHING
    return compare_decoded(expected.decoded, reply.decoded, features)


def _compare_base(case: Case, expected: Expected, reply: Reply, features: Collection[str]) -> Verdict:
    """None and the empty base of RFC 1808 are told apart as absent and empty components are."""
    wanted, got = expected.base, reply.base
    if isinstance(got, msgspec.UnsetType):
        return Verdict(Outcome.FAIL, detail="no base in the answer")
    if not wanted and not got and "absent-vs-empty" not in features:
        return _sum_up([], blurred=["base"] if wanted == "" else [])
    same = wanted == got or (isinstance(wanted, str) and got and equal_urls(case.vector, wanted, got))
    return _sum_up([] if same else [f"got {show_base(got)}"])


_COMPARED: Mapping[str, Callable[[Case, Expected, Reply, Collection[str]], Verdict]] = {
    "components": _compare_parts,
    "result": _compare_result,
    "same_document": _compare_document,
    "urls": _compare_urls,
    "equal": _compare_equal,
    "decoded": _compare_view,
    "base": _compare_base,
}


def _compare_rejection(expected: Expected, reply: Reply) -> Verdict:
    if expected.at is not msgspec.UNSET and reply.at != expected.at:
        return Verdict(Outcome.FAIL, detail=f"rejected at offset {reply.at}, not {expected.at}")
    missing = set(expected.rules) - set(reply.rules)
    if missing:
        return Verdict(Outcome.FAIL, detail=f"rejected, but not inside {', '.join(sorted(missing))}")
    return _PASS


def compare_components(
    spec: str, expected: Mapping[str, ComponentValue], got: Components, features: Collection[str]
) -> Verdict:
    """Components against components: a missing key or an indistinguishable empty one makes it partial."""
    apart = "absent-vs-empty" in features
    wrong, hidden, blurred = [], [], []
    for name, value in expected.items():
        if name not in got:
            hidden.append(name)
        elif got[name] == value and (value or apart):  # nearly all, and nothing to weigh
            continue
        elif not _same_component(spec, name, value, got[name], apart=apart):
            wrong.append(f"{name} is {show(got[name])}, not {show(value)}")
        elif value == "" and not apart and not _always_present(spec, name):
            blurred.append(name)
    return _sum_up(wrong, hidden, blurred)


def _sum_up(wrong: Sequence[str], hidden: Sequence[str] = (), blurred: Sequence[str] = ()) -> Verdict:
    if wrong:
        return Verdict(Outcome.FAIL, detail="; ".join(wrong))
    missing = {"not exposed": hidden, "cannot tell absent from empty": blurred}
    said = [f"{what}: {', '.join(names)}" for what, names in missing.items() if names]
    return Verdict(Outcome.PARTIAL, detail="; ".join(said)) if said else _PASS


def compare_decoded(expected: Decoded, got: Decoded, features: Collection[str]) -> Verdict:
    """A decoded view against another, octets against octets; what is missing makes it partial.

    Without the feature `absent-vs-empty` null and "" compare equal, but as the request of a gopher URL: null
    says there that none can be sent.
    """
    apart = "absent-vs-empty" in features
    wrong, hidden, blurred = [], [], []
    for name, value in expected.items():
        told = apart or name == "request"
        if name not in got:
            hidden.append(name)
        elif not _same_decoded(name, value, got[name], told=told):
            wrong.append(f"{name} is {show(got[name])}, not {show(value)}")
        elif value == "" and not told:
            blurred.append(name)
    return _sum_up(wrong, hidden, blurred)


def _same_decoded(name: str, expected: DecodedValue, got: DecodedValue, *, told: bool) -> bool:
    one, other = _octets(expected), _octets(got)
    if name in ("scheme", "host") and isinstance(one, bytes) and isinstance(other, bytes):
        return one.lower() == other.lower()  # G-11
    if not told and {one, other} <= {None, b""}:
        return True
    return type(one) is type(other) and one == other


def _octets(value: DecodedValue | tuple[Text, Text]) -> Hashable:
    """A part of a decoded view with every text as the octets it stands for."""
    match value:
        case str():
            return value.encode()
        case Hex(digits):
            return bytes.fromhex(digits)
        case list() | tuple():
            return tuple(map(_octets, value))
        case _:
            return value


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
