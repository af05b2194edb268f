"""The verdict on a reply: compare it with the expectation of its vector.

Without the feature `absent-vs-empty`, an adapter cannot tell an absent component from an empty one. Then the
comparison treats both as equal. But if an empty component is expected, the answer is only partial.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.describe import show_base, show_equal, show_pair, show_urls, show_value
from urlharness.corpus.longtext import is_abbreviation
from urlharness.corpus.model import AUTHORITY, Case, Decoded, DecodedValue, Expected, Hex, Text, Vector
from urlharness.corpus.specifications import facts
from urlharness.protocol.messages import TELLS_EMPTY, ComponentValue, Reply, ReplyComponents
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
    def wrong(self) -> bool:
        """True if the outcome is failing and the case was asked."""
        return self in _WRONG

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
_WRONG = _FAILING - {Outcome.ABORTED}


class Verdict(NamedTuple):
    """The outcome of one case.

    If the adapter gave an admissible answer other than the recommended one, `variant` is the name of this
    answer. The name is `other` if the vector does not list the answer, but its binding allows any answer.
    `detail` is a clause that says what differs from the expected answer.
    """

    outcome: Outcome
    variant: str = ""
    detail: str = ""


# `compare_components` tells these verdicts apart by `is`
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
    best = _best_verdict(case, reply, features, strict=strict)
    if best.outcome is Outcome.FAIL and not isinstance(reply.urls, msgspec.UnsetType):
        with_first_readings = _with_first_readings(vector.expect, reply)
        best = _best_verdict(case, with_first_readings, features, strict=strict)
    if best.outcome is Outcome.FAIL and admits_every_answer(vector):
        return Verdict(Outcome.VARIANT, "other", best.detail)
    return best


def admits_every_answer(vector: Vector) -> bool:
    """Return True if the binding of a vector also admits the answers that the vector does not list."""
    return vector.binding in ("impl-defined", "unspecified")


def _best_verdict(case: Case, reply: Reply, features: Collection[str], *, strict: bool) -> Verdict:
    """Compare a reply with each admissible answer, and return the best verdict."""
    verdicts = []
    for expected in case.vector.expect.alternatives:
        verdict = _compare(case, expected, reply, features, strict=strict)
        if verdict.outcome is Outcome.PASS and expected.variant:
            verdict = Verdict(Outcome.VARIANT, expected.variant)
        verdicts.append(verdict)
    return min(verdicts, key=lambda verdict: _RANK.index(verdict.outcome))


def _with_first_readings(expect: Expected, reply: Reply) -> Reply:
    """Return a reply to `extract` with only the first reading of each URL, if all readings are admissible.

    A reading is admissible if an admissible answer with the same number of URLs contains it for this URL. If
    a reading is not admissible, return the reply unchanged.
    """
    assert not isinstance(reply.urls, msgspec.UnsetType)
    count = len(reply.urls)
    alternatives = [
        expected.urls
        for expected in expect.alternatives
        if isinstance(expected.urls, tuple) and len(expected.urls) == count
    ]
    if not alternatives:
        return reply
    for index, readings in enumerate(reply.urls):
        admissible: set[str] = set()
        for urls in alternatives:
            admissible.update(urls[index])
        if not readings or not admissible.issuperset(readings):
            return reply
    return msgspec.structs.replace(reply, urls=[readings[:1] for readings in reply.urls])


def _compare(
    case: Case, expected: Expected, reply: Reply, features: Collection[str], *, strict: bool
) -> Verdict:
    """Compare a reply with one admissible answer: first whether the text is valid, then the answer."""
    if expected.valid is False:
        if reply.status != "reject":
            return _failure("accepted, although it is not valid")
        return _compare_rejection(expected, reply) if strict else _PASS
    if reply.status == "reject":
        reason = f": {reply.message}" if reply.message else ""
        return _failure(f"rejected{reason}")
    if expected.valid is True:
        return _PASS
    return _compare_answer(case, expected, reply, features)


def _compare_answer(case: Case, expected: Expected, reply: Reply, features: Collection[str]) -> Verdict:
    """Compare the answer about a valid text with one admissible answer."""
    # components are the most common, and `kind` is slow
    kind = "components" if expected.components is not msgspec.UNSET else expected.kind
    expectation: Any = getattr(expected, kind)
    field = "url" if kind == "result" else kind
    got: Any = getattr(reply, field)
    if got is msgspec.UNSET:
        return _failure(f"no {field} in the answer")
    match kind:
        case "components" | "decoded" if expectation and got.keys().isdisjoint(expectation):
            return Verdict(Outcome.UNSUPPORTED, detail="none of the expected parts is exposed")
        case "components":
            return compare_components(case.spec, expectation, got, features)
        case "decoded":
            return compare_decoded(expectation, got, features)
        case "urls":
            return _compare_urls(expectation, got)
        case "base":
            return _compare_base(case.vector, expectation, got, features)
        case "result":
            is_equal = equal_urls(case.vector, expectation, got)
            return _PASS if is_equal else _failure(_wrong_url(got, expectation))
        case "equal":
            return _PASS if got == expectation else _failure(f"got {show_equal(got)}")
    # the only kind left is `same_document`, which no vector expects to be false
    return _PASS if reply.same_document else _failure("not the same document")


def _failure(detail: str) -> Verdict:
    """Return the verdict that an answer is wrong. `detail` is a clause that says why."""
    return Verdict(Outcome.FAIL, detail=detail)


def _wrong_url(got: Text, expected: str) -> str:
    """Say which URL is wrong. Of long URLs, show both around their difference."""
    words, expected_words = show_pair(got, expected)
    return f"got {words}" if words == show_value(got) else f"got {words}, not {expected_words}"


def _compare_urls(expected: Sequence[Sequence[str]], got: Sequence[Sequence[str]]) -> Verdict:
    """Compare extracted URLs. Their number must be right, and every reading of each URL admissible."""
    if len(got) != len(expected):
        return _failure(f"{counted(len(got), 'URL')} found, not {len(expected)}: {show_urls(got)}")
    wrong = []
    for number, (readings, admissible) in enumerate(zip(got, expected, strict=True), 1):
        not_admissible = [reading for reading in readings if reading not in admissible]
        if not_admissible or not readings:
            wrong.append(f"URL {number} is {show_urls([not_admissible])}, not {show_urls([admissible])}")
    return _verdict_on_parts(wrong)


def _compare_base(
    vector: Vector, expected: str | None, got: Text | None, features: Collection[str]
) -> Verdict:
    """Compare bases. None and the empty base of RFC 1808 are treated like absent and empty components."""
    if not expected and not got and TELLS_EMPTY not in features:
        blurred = ["base"] if expected == "" else []
        return _verdict_on_parts([], blurred=blurred)
    is_same = expected == got
    if expected and got:
        is_same = equal_urls(vector, expected, got)
    return _PASS if is_same else _failure(f"got {show_base(got)}")


def _compare_rejection(expected: Expected, reply: Reply) -> Verdict:
    """Compare the offset of a rejection, then its rules. The reply may name further rules."""
    if expected.at is not msgspec.UNSET and reply.at != expected.at:
        return _failure(f"rejected at offset {reply.at}, not {expected.at}")
    missing = sorted(set(expected.rules) - set(reply.rules))
    return _failure(f"rejected, but `rules` lacks {', '.join(missing)}") if missing else _PASS


def compare_components(
    spec: str, expected: Mapping[str, ComponentValue], got: ReplyComponents, features: Collection[str]
) -> Verdict:
    """Compare components, and return one verdict for those of `judge_components`.

    The verdict is `fail` if one component is wrong. Otherwise, it is `partial` if one is partial.
    """
    verdicts = judge_components(spec, expected, got, features)
    has_wrong_part = any(verdicts[name].outcome is Outcome.FAIL for name in AUTHORITY if name in verdicts)
    if has_wrong_part and "authority" not in got:
        verdicts.pop("authority", None)  # it is derived from a component that is reported as wrong
    wrong = []
    hidden = []
    blurred = []
    for name, verdict in verdicts.items():
        if verdict.outcome is Outcome.FAIL:
            wrong.append(verdict.detail)
        elif verdict is _HIDDEN:
            hidden.append(name)
        elif verdict is _BLURRED:
            blurred.append(name)
    return _verdict_on_parts(wrong, hidden, blurred)


def judge_components(
    spec: str, expected: Mapping[str, ComponentValue], got: ReplyComponents, features: Collection[str]
) -> dict[str, Verdict]:
    """Return the verdict on each expected component.

    It is `partial` if the library does not expose the component, or if an empty component is expected and the
    library cannot tell it from an absent one. An authority that is not exposed is derived from userinfo, host
    and port (RFC 3986, section 3.2).
    """
    tells_empty = TELLS_EMPTY in features
    verdicts = {}
    for name, expected_component in expected.items():
        if name not in got and name == "authority":
            verdicts[name] = _judge_authority(expected_component, got, tells_empty=tells_empty)
            continue
        if name not in got:
            verdicts[name] = _HIDDEN
            continue
        component = got[name]
        if component == expected_component and (expected_component or tells_empty):  # the common case
            verdicts[name] = _PASS
        elif not _same_component(spec, name, expected_component, component, tells_empty=tells_empty):
            words, expected_words = show_pair(component, expected_component)
            detail = f"{name} is {words}, not {expected_words}"
            verdicts[name] = Verdict(Outcome.FAIL, detail=detail)
        elif expected_component == "" and not tells_empty and can_be_absent(spec, name):
            verdicts[name] = _BLURRED
        else:
            verdicts[name] = _PASS
    return verdicts


def can_be_absent(spec: str, name: str) -> bool:
    """Return True if a component can be absent in an RFC. A path is there in most RFCs, perhaps empty."""
    return name != "path" or facts(spec).absent_paths


def _judge_authority(expected: ComponentValue, got: ReplyComponents, *, tells_empty: bool) -> Verdict:
    """Judge the authority that userinfo, host and port make.

    It counts as not exposed if one of the three is not exposed or is not text, if results abbreviate it, or
    if an authority is expected but there is no host. If not `tells_empty`, the adapter cannot tell absent
    from empty, so an empty userinfo or port may be absent.
    """
    is_exposed = got.keys() >= {*AUTHORITY}
    if not is_exposed or is_abbreviation(expected):  # abbreviations of long texts cannot be joined
        return _HIDDEN
    userinfo = got["userinfo"]
    host = got["host"]
    port = got["port"]
    if not (
        isinstance(userinfo, str | None) and isinstance(host, str | None) and isinstance(port, str | None)
    ):
        return _HIDDEN
    if host is None or (not host and not tells_empty):
        return _judge_absent_authority(expected, tells_empty=tells_empty)
    before_host = f"{userinfo}@" if userinfo or (tells_empty and userinfo is not None) else ""
    after_host = f":{port}" if port or (tells_empty and port is not None) else ""
    if _same_authority(expected, before_host, host, after_host):
        return _PASS
    if not tells_empty:  # what it shows as absent may be an empty userinfo or port
        for before in (before_host or "@", before_host):
            for after in (after_host or ":", after_host):
                if _same_authority(expected, before, host, after):
                    return _BLURRED
    joined = show_value(before_host + host + after_host)
    detail = f"the authority made from its parts is {joined}, not {show_value(expected)}"
    return Verdict(Outcome.FAIL, detail=detail)


def _judge_absent_authority(expected: ComponentValue, *, tells_empty: bool) -> Verdict:
    """Judge an authority without a host. If one is expected, the library may have it but not expose it."""
    if expected is None:
        return _PASS
    return _BLURRED if expected == "" and not tells_empty else _HIDDEN


def _same_authority(expected: ComponentValue, before: str, host: str, after: str) -> bool:
    """Return True if these parts make the authority. The case of the host is ignored (G-11).

    `before` ends with the @ of the userinfo, and `after` begins with the colon of the port. Either may be
    empty.
    """
    if not isinstance(expected, str) or len(expected) != len(before) + len(host) + len(after):
        return False
    middle = expected[len(before) : len(expected) - len(after)]
    return before + middle + after == expected and middle.lower() == host.lower()


def _verdict_on_parts(
    wrong: Sequence[str], hidden: Sequence[str] = (), blurred: Sequence[str] = ()
) -> Verdict:
    """Return the verdict: `fail` if something is wrong, else `partial` if something is hidden or blurred.

    `wrong` are clauses, `hidden` and `blurred` names of parts.
    """
    if wrong:
        return Verdict(Outcome.FAIL, detail="; ".join(wrong))
    missing = {"not exposed": hidden, "cannot tell absent from empty": blurred}
    notes = [f"{reason}: {', '.join(names)}" for reason, names in missing.items() if names]
    return Verdict(Outcome.PARTIAL, detail="; ".join(notes)) if notes else _PASS


def compare_decoded(expected: Decoded, got: Decoded, features: Collection[str]) -> Verdict:
    """Compare decoded views by their bytes. A part that is not exposed makes the answer partial.

    So does an expected empty part that the library cannot tell from an absent one. The request of a gopher
    URL is always compared exactly, because null means that no request can be sent.
    """
    tells_empty = TELLS_EMPTY in features
    wrong = []
    hidden = []
    blurred = []
    for name, part in expected.items():
        exact = tells_empty or name == "request"
        if name not in got:
            hidden.append(name)
        elif not _same_decoded(name, part, got[name], exact=exact):
            words, expected_words = show_pair(got[name], part)
            wrong.append(f"{name} is {words}, not {expected_words}")
        elif part == "" and not exact:
            blurred.append(name)
    return _verdict_on_parts(wrong, hidden, blurred)


def _same_decoded(name: str, expected: DecodedValue, got: DecodedValue, *, exact: bool) -> bool:
    """Return True if two parts of decoded views are equal. Unless `exact`, absent equals empty.

    The case of scheme and host never counts.
    """
    expected_bytes = _bytes_of(expected)
    got_bytes = _bytes_of(got)
    if name in ("scheme", "host") and isinstance(expected_bytes, bytes) and isinstance(got_bytes, bytes):
        return expected_bytes.lower() == got_bytes.lower()  # G-11
    if not exact and {expected_bytes, got_bytes} <= {None, b""}:
        return True
    return type(expected_bytes) is type(got_bytes) and expected_bytes == got_bytes


def _bytes_of(part: ComponentValue | DecodedValue | tuple[Text, Text]) -> Hashable:
    """Return a part with its texts as bytes, for comparison."""
    match part:
        case str():
            return part.encode()
        case Hex(digits):
            return bytes.fromhex(digits)
        case list() | tuple():
            return tuple(map(_bytes_of, part))
        case _:
            return part


def _same_component(
    spec: str, name: str, expected: ComponentValue, got: ComponentValue, *, tells_empty: bool
) -> bool:
    """Return True if two components are equal, by the rules on case, lists, and absent and empty ones."""
    if isinstance(expected, list) or isinstance(got, list):
        return _bytes_of(expected) == _bytes_of(got)
    if expected == got:
        return True
    if name in ("scheme", "host") and isinstance(expected, str) and isinstance(got, str):
        return expected.lower() == got.lower()  # G-11
    if name in ("authority", "net_loc") and isinstance(expected, str) and isinstance(got, str):
        return _with_folded_host(expected) == _with_folded_host(got)
    # RFC 1808, section 2.4, does not tell empty from absent, so "" passes for an absent component (G-09)
    empty_is_absent = not tells_empty or (expected is None and facts(spec).empty_is_absent)
    return empty_is_absent and {expected, got} <= {None, ""}


def _with_folded_host(authority: str) -> str:
    """Return an authority with its host in lower case (G-11)."""
    userinfo, at, host_and_port = authority.rpartition("@")
    return userinfo + at + host_and_port.lower()


def equal_urls(vector: Vector, expected: str, got: Text) -> bool:
    """Return True if the URL in a reply equals the URL that a vector expects (`ignores_case`)."""
    if expected == got:
        return True
    if not isinstance(got, str) or not ignores_case(vector):
        return False
    return _fold_scheme_and_host(expected) == _fold_scheme_and_host(got)


def ignores_case(vector: Vector) -> bool:
    """Return True if the case of scheme and host does not count in the URL that answers a vector (G-11).

    That is so for `resolve` and `base` if an input has capital letters there.
    """
    if vector.op not in ("resolve", "base"):
        return False
    inputs = (vector.base, vector.reference, *vector.layers.values())
    texts = [text for text in inputs if isinstance(text, str)]
    return any(text != _fold_scheme_and_host(text) for text in texts)


def _fold_scheme_and_host(text: str) -> str:
    """Return a reference with its scheme and its host in lower case, or unchanged if it has neither."""
    before, slashes, rest = text.partition("//")
    if slashes and set(before).isdisjoint("/?#"):
        authority, *_ = re.split("[/?#]", rest, maxsplit=1)
        after_authority = rest[len(authority) :]
        return f"{before.lower()}//{_with_folded_host(authority)}{after_authority}"
    scheme, colon, after_scheme = text.partition(":")
    if colon and set(scheme).isdisjoint("/?#"):
        return f"{scheme.lower()}:{after_scheme}"
    return text
