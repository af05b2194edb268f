"""The verdict on a reply: compare it with the expectation of its vector.

Without the feature `absent-vs-empty`, an adapter cannot tell an absent component from an empty one. Then the
comparison treats both as equal. But if an empty component is expected, the answer is only partial.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.describe import show_base, show_equal, show_urls, show_value
from urlharness.corpus.longtext import is_abbreviation
from urlharness.corpus.model import AUTHORITY, Case, Decoded, DecodedValue, Expected, Hex, Text, Vector
from urlharness.corpus.specifications import facts
from urlharness.protocol.messages import ComponentValue, Reply, ReplyComponents
from urlharness.wording import counted


class Outcome(StrEnum):
    """The outcome of one test case."""

    PASS = "pass"  # noqa: S105 - not a password
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
        """True if the adapter gave an admissible, complete answer."""
        return self in _PASSING

    @property
    def failing(self) -> bool:
        """True if a required vector with this outcome fails the gate."""
        return self in _FAILING

    @property
    def abnormal(self) -> bool:
        """True if there was an error or no valid reply."""
        return self in _ABNORMAL

    @property
    def answered(self) -> bool:
        """True if the adapter gave an answer: right, wrong or partial."""
        return self in _ANSWERED

    @property
    def complete(self) -> bool:
        """True unless the outcome is `unsupported` or `partial`."""
        return self not in _INCOMPLETE


_PASSING = frozenset((Outcome.PASS, Outcome.VARIANT))
_INCOMPLETE = frozenset((Outcome.UNSUPPORTED, Outcome.PARTIAL))
_ANSWERED = _PASSING | {Outcome.PARTIAL, Outcome.FAIL}
_ABNORMAL = frozenset(Outcome) - _ANSWERED - {Outcome.UNSUPPORTED}
_FAILING = _ABNORMAL | {Outcome.FAIL}


class Verdict(NamedTuple):
    """The outcome of one case.

    If the adapter gave an admissible answer other than the recommended one, `variant` is the name of this
    answer. The name is `other` if the vector does not list the answer, but its binding allows any answer.
    `detail` is a clause that says what differs from the expected answer.
    """

    outcome: Outcome
    variant: str = ""
    detail: str = ""


_PASS = Verdict(Outcome.PASS)
_HIDDEN = Verdict(Outcome.PARTIAL, detail="not exposed")
_BLURRED = Verdict(Outcome.PARTIAL, detail="cannot tell absent from empty")

#: Outcomes from the best to the worst, to choose among alternatives.
_RANK = (Outcome.PASS, Outcome.VARIANT, Outcome.PARTIAL, Outcome.UNSUPPORTED, Outcome.FAIL)


def judge(case: Case, reply: Reply, features: Collection[str], *, strict: bool = False) -> Verdict:
    """Judge a reply of an adapter with these features.

    With `strict`, also judge the offset and the rules of a rejection.
    """
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
    """Compare a reply with each admissible answer, and return the best verdict."""
    verdicts = []
    for expected in case.vector.expect.alternatives:
        found = _compare(case, expected, reply, features, strict=strict)
        if found.outcome is Outcome.PASS and expected.variant:
            found = Verdict(Outcome.VARIANT, expected.variant)
        verdicts.append(found)
    return min(verdicts, key=lambda verdict: _RANK.index(verdict.outcome))


def _first_readings(expect: Expected, reply: Reply) -> Reply:
    """Return the reply with only the first reading of each URL, if all its readings are admissible.

    A reading is admissible if an admissible answer with the same number of URLs contains it for this URL. If
    a reading is not admissible, return the reply unchanged.
    """
    assert not isinstance(reply.urls, msgspec.UnsetType)
    count = len(reply.urls)
    same = [one.urls for one in expect.alternatives if isinstance(one.urls, tuple) and len(one.urls) == count]
    admissible = [frozenset().union(*readings) for readings in zip(*same, strict=True)]
    if not same or not all(
        readings and allowed.issuperset(readings)
        for readings, allowed in zip(reply.urls, admissible, strict=True)
    ):
        return reply
    return msgspec.structs.replace(reply, urls=[readings[:1] for readings in reply.urls])


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
    return _compare_answer(case, expected, reply, features)


def _compare_answer(case: Case, expected: Expected, reply: Reply, features: Collection[str]) -> Verdict:
    # components are the most common, and `kind` is slow
    kind = "components" if expected.components is not msgspec.UNSET else expected.kind
    wanted: Any = getattr(expected, kind)
    field = "url" if kind == "result" else kind
    got: Any = getattr(reply, field)
    if got is msgspec.UNSET:
        return Verdict(Outcome.FAIL, detail=f"no {field} in the answer")
    match kind:
        case "components" | "decoded" if wanted and got.keys().isdisjoint(wanted):
            return Verdict(Outcome.UNSUPPORTED, detail="none of the expected parts is exposed")
        case "components":
            return compare_components(case.spec, wanted, got, features)
        case "decoded":
            return compare_decoded(wanted, got, features)
        case "urls":
            return _compare_urls(wanted, got)
        case "base":
            return _compare_base(case.vector, wanted, got, features)
        case "result":
            return _sum_up([] if equal_urls(case.vector, wanted, got) else [f"got {show_value(got)}"])
        case "equal":
            return _sum_up([] if got == wanted else [f"got {show_equal(got)}"])
    return _sum_up([] if reply.same_document else ["not the same document"])


def _compare_urls(expected: Sequence[Sequence[str]], got: Sequence[Sequence[str]]) -> Verdict:
    """Compare extracted URLs. Their number must be right, and every reading of each URL admissible."""
    if len(got) != len(expected):
        return _sum_up([f"{counted(len(got), 'URL')} found, not {len(expected)}: {show_urls(got)}"])
    wrong = []
    for number, (readings, admissible) in enumerate(zip(got, expected, strict=True), 1):
        others = [reading for reading in readings if reading not in admissible]
        if others or not readings:
            wrong.append(f"URL {number} is {show_urls([others])}, not {show_urls([admissible])}")
    return _sum_up(wrong)


def _compare_base(
    vector: Vector, expected: str | None, got: Text | None, features: Collection[str]
) -> Verdict:
    """Compare bases. None and the empty base of RFC 1808 are treated like absent and empty components."""
    if not expected and not got and "absent-vs-empty" not in features:
        return _sum_up([], blurred=["base"] if expected == "" else [])
    same = expected == got or (expected and got and equal_urls(vector, expected, got))
    return _sum_up([] if same else [f"got {show_base(got)}"])


def _compare_rejection(expected: Expected, reply: Reply) -> Verdict:
    if expected.at is not msgspec.UNSET and reply.at != expected.at:
        return _sum_up([f"rejected at offset {reply.at}, not {expected.at}"])
    missing = sorted(set(expected.rules) - set(reply.rules))
    return _sum_up([f"rejected, but `rules` lacks {', '.join(missing)}"] if missing else [])


def compare_components(
    spec: str, expected: Mapping[str, ComponentValue], got: ReplyComponents, features: Collection[str]
) -> Verdict:
    """Compare components, and sum up the verdicts of `judge_components`.

    The verdict is `fail` if one component is wrong. Otherwise, it is `partial` if one is partial.
    """
    verdicts = judge_components(spec, expected, got, features)
    if "authority" not in got and any(
        verdicts[name].outcome is Outcome.FAIL for name in {*AUTHORITY} & {*verdicts}
    ):
        verdicts.pop("authority", None)  # it is derived from a component that is reported as wrong
    wrong, hidden, blurred = [], [], []
    for name, verdict in verdicts.items():
        if verdict.outcome is Outcome.FAIL:
            wrong.append(verdict.detail)
        elif verdict is _HIDDEN:
            hidden.append(name)
        elif verdict is _BLURRED:
            blurred.append(name)
    return _sum_up(wrong, hidden, blurred)


def judge_components(
    spec: str, expected: Mapping[str, ComponentValue], got: ReplyComponents, features: Collection[str]
) -> dict[str, Verdict]:
    """Return the verdict on each expected component.

    It is `partial` if the library does not expose the component, or if an empty component is expected and the
    library cannot tell it from an absent one. An authority that is not exposed is derived from userinfo, host
    and port (RFC 3986, section 3.2).
    """
    apart = "absent-vs-empty" in features
    found = {}
    for name, value in expected.items():
        if name not in got:
            found[name] = _judge_authority(value, got, apart=apart) if name == "authority" else _HIDDEN
        elif got[name] == value and (value or apart):  # the common case
            found[name] = _PASS
        elif not _same_component(spec, name, value, got[name], apart=apart):
            detail = f"{name} is {show_value(got[name])}, not {show_value(value)}"
            found[name] = Verdict(Outcome.FAIL, detail=detail)
        elif value == "" and not apart and (name != "path" or facts(spec).absent_paths):
            found[name] = _BLURRED
        else:
            found[name] = _PASS
    return found


def _judge_authority(expected: ComponentValue, got: ReplyComponents, *, apart: bool) -> Verdict:
    """Judge the authority that userinfo, host and port make.

    It counts as not exposed if one of the three is not exposed, or if an authority is expected but there is
    no host. If `apart` is False, the adapter cannot tell absent from empty, so an empty userinfo or port may
    be absent.
    """
    if not got.keys() >= {*AUTHORITY}:
        return _HIDDEN
    userinfo, host, port = got["userinfo"], got["host"], got["port"]
    if is_abbreviation(expected):
        return _HIDDEN  # results contain abbreviations of long texts, which cannot be joined
    if not (
        isinstance(userinfo, str | None) and isinstance(host, str | None) and isinstance(port, str | None)
    ):
        return _HIDDEN
    if host is None or not (host or apart):
        return _PASS if expected is None else _BLURRED if expected == "" and not apart else _HIDDEN
    before = f"{userinfo}@" if userinfo or (apart and userinfo is not None) else ""
    after = f":{port}" if port or (apart and port is not None) else ""
    if _same_authority(expected, before, host, after):
        return _PASS
    if not apart and any(
        _same_authority(expected, *spelled)
        for spelled in product((before or "@", before), (host,), (after or ":", after))
    ):
        return _BLURRED
    joined = show_value(before + host + after)
    return Verdict(
        Outcome.FAIL, detail=f"the authority made from its parts is {joined}, not {show_value(expected)}"
    )


def _same_authority(expected: ComponentValue, before: str, host: str, after: str) -> bool:
    """Return True if these parts make the authority. The case of the host is ignored (G-11).

    `before` ends with the @ of the userinfo, and `after` begins with the colon of the port. Either may be
    empty.
    """
    if not isinstance(expected, str) or len(expected) != len(before) + len(host) + len(after):
        return False
    middle = expected[len(before) : len(expected) - len(after)]
    return before + middle + after == expected and middle.lower() == host.lower()


def _sum_up(wrong: Sequence[str], hidden: Sequence[str] = (), blurred: Sequence[str] = ()) -> Verdict:
    if wrong:
        return Verdict(Outcome.FAIL, detail="; ".join(wrong))
    missing = {"not exposed": hidden, "cannot tell absent from empty": blurred}
    notes = [f"{what}: {', '.join(names)}" for what, names in missing.items() if names]
    return Verdict(Outcome.PARTIAL, detail="; ".join(notes)) if notes else _PASS


def compare_decoded(expected: Decoded, got: Decoded, features: Collection[str]) -> Verdict:
    """Compare decoded views by their bytes. A missing part makes the answer partial.

    The request of a gopher URL is always compared exactly, because null means that no request can be sent.
    """
    apart = "absent-vs-empty" in features
    wrong, hidden, blurred = [], [], []
    for name, value in expected.items():
        exact = apart or name == "request"
        if name not in got:
            hidden.append(name)
        elif not _same_decoded(name, value, got[name], exact=exact):
            wrong.append(f"{name} is {show_value(got[name])}, not {show_value(value)}")
        elif value == "" and not exact:
            blurred.append(name)
    return _sum_up(wrong, hidden, blurred)


def _same_decoded(name: str, expected: DecodedValue, got: DecodedValue, *, exact: bool) -> bool:
    one, other = _bytes_of(expected), _bytes_of(got)
    if name in ("scheme", "host") and isinstance(one, bytes) and isinstance(other, bytes):
        return one.lower() == other.lower()  # G-11
    if not exact and {one, other} <= {None, b""}:
        return True
    return type(one) is type(other) and one == other


def _bytes_of(value: ComponentValue | DecodedValue | tuple[Text, Text]) -> Hashable:
    """Return a value with its texts as bytes, for comparison."""
    match value:
        case str():
            return value.encode()
        case Hex(digits):
            return bytes.fromhex(digits)
        case list() | tuple():
            return tuple(map(_bytes_of, value))
        case _:
            return value


def _same_component(
    spec: str, name: str, expected: ComponentValue, got: ComponentValue, *, apart: bool
) -> bool:
    if isinstance(expected, list) or isinstance(got, list):
        return _bytes_of(expected) == _bytes_of(got)
    if expected == got:
        return True
    if name in ("scheme", "host") and isinstance(expected, str) and isinstance(got, str):
        return expected.lower() == got.lower()  # G-11
    # RFC 1808, section 2.4, does not tell empty from absent, so "" passes for an absent component (G-09)
    blur = not apart or (expected is None and facts(spec).empty_is_absent)
    return blur and {expected, got} <= {None, ""}


def equal_urls(vector: Vector, expected: str, got: Text) -> bool:
    """Return True if the URL in a reply equals the URL that a vector expects.

    For `resolve` and `base`, ignore the case of scheme and host if an input has capital letters there (G-11).
    """
    if expected == got:
        return True
    if vector.op not in ("resolve", "base") or not isinstance(got, str):
        return False
    inputs = (vector.base, vector.reference, *vector.layers.values())
    texts = [text for text in inputs if isinstance(text, str)]
    mixed = any(text != _fold_scheme_and_host(text) for text in texts)
    return mixed and _fold_scheme_and_host(expected) == _fold_scheme_and_host(got)


def _fold_scheme_and_host(text: str) -> str:
    before, slashes, rest = text.partition("//")
    if slashes and not set(before) & set("/?#"):
        end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
        start = rest.rfind("@", 0, end) + 1
        return f"{before.lower()}//{rest[:start]}{rest[start:end].lower()}{rest[end:]}"
    scheme, colon, rest = text.partition(":")
    return f"{scheme.lower()}:{rest}" if colon and not set(scheme) & set("/?#") else text
