"""Causes and classes of the differences between the answer of a library and the answer of an RFC."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import msgspec

from urlharness.compare.manners import Manner, ValuePair, classes_of, compare_texts, compare_values
from urlharness.compare.whole_questions import abbreviated_answer, whole_vector
from urlharness.corpus.differences import DifferenceClass
from urlharness.corpus.loader import load_classes
from urlharness.corpus.longtext import is_abbreviation
from urlharness.corpus.model import AUTHORITY, Case, Expected, Vector
from urlharness.corpus.specifications import SPECS, facts
from urlharness.explain.by_rfc import Comparison, RFCAnswer, comparisons, resolutions, splits, verdicts
from urlharness.explain.classify import CHARACTERS, classify, has_zone, split_generic
from urlharness.explain.refusal import HOST_ONLY
from urlharness.panel.answer import (
    BY_HARM,
    OTHER,
    VERDICT,
    Answer,
    differing_components,
    harm,
    hidden_differences,
    parts_of,
    recorded_answer,
    without_spelling,
)
from urlharness.panel.spelling import (
    COMPONENTS,
    have_like_beginnings,
    split,
    without_dots,
    without_repeated_authority,
)
from urlharness.results.model import Participant, Result
from urlharness.results.verdict import Outcome
from urloracle.errors import InvalidURL
from urloracle.rfcs import SPECIFICATIONS

#: For longer texts, the answers of the RFCs are not used to find a class.
_MAX_CLASSIFIED_LENGTH = 2_000


class Cause(StrEnum):
    """A reason why an answer is not the one that the RFC recommends, the most harmless first."""

    ALLOWED = "allowed by the RFC"
    OTHER_RFC = "right under another RFC"
    BROWSER = "browser behaviour"
    BROWSERS_DISAGREE = "browsers disagree"
    SPELLING = "decoding or case only"
    ABBREVIATED = "unknown, as a text is abbreviated"
    DEFECT = "defect"

    @property
    def rank(self) -> int:
        """The place in the order of causes. Of two causes, reports show the one with the higher rank."""
        return list(Cause).index(self)


#: The answers of RFCs by id. The recommended answer of an RFC comes first.
RfcAnswers = Mapping[str, Sequence[Answer]]


def cause_of(
    case: Case,
    result: Result,
    answer: Answer,
    browsers: Sequence[Answer],
    *,
    tells_empty: bool = True,
) -> Cause | None:
    """Return the cause of the difference from the recommended answer, or None if there is no difference.

    `browsers` contains the different readings of the browsers; see `browser_readings`. Only the first, that
    of Ada, can excuse an answer. If `tells_empty` is False, the library cannot tell empty components from
    absent ones, so losing one is not held against it. Otherwise an empty component is more than spelling:
    RFC 3986, section 6.2.3, keeps its delimiter, except that of an empty port.
    """
    if result.outcome in (Outcome.PASS, Outcome.PARTIAL, Outcome.UNSUPPORTED):
        return None
    expected = expected_answers(case.vector.expect)
    if result.outcome is Outcome.VARIANT:
        listed = result.variant != "other"
        if listed or _keeps_what_is_fixed(case.vector, answer, expected):
            return Cause.ALLOWED
    if not answer.answered:
        return Cause.DEFECT
    # a URL in an answer shows whether the delimiter of an empty component is there
    keep_empty = tells_empty or answer.kind == "url"
    keep_dots = case.vector.op == "resolve"  # section 5.2.4 removes them there, and normalization elsewhere
    normal = without_spelling(answer, keep_empty=keep_empty, keep_dots=keep_dots)
    for admissible in expected:
        normal_admissible = without_spelling(admissible, keep_empty=keep_empty, keep_dots=keep_dots)
        same = not differing_components(normal, normal_admissible)
        if same and _has_letters_of(answer, admissible):
            return Cause.SPELLING
    wrong = differing_components(answer, expected[0])
    if _excusing_rfcs(case, result, answer, wrong):
        return Cause.OTHER_RFC
    spelled = without_spelling(answer, keep_empty=keep_empty)
    excused = browsers and _excuses(without_spelling(browsers[0], keep_empty=keep_empty), spelled, wrong)
    if excused and ("host" not in wrong or _has_letters_of(answer, browsers[0])):
        return Cause.BROWSER if len(browsers) == 1 else Cause.BROWSERS_DISAGREE
    return Cause.ABBREVIATED if _may_be_excused(case, answer, expected[0], wrong) else Cause.DEFECT


def _may_be_excused(case: Case, answer: Answer, right: Answer, wrong: frozenset[str]) -> bool:
    """Return True if results do not keep enough of long texts to tell why an answer is wrong.

    Either the whole text of the question is not known, so that no other RFC and no browser can be asked. Or
    the answers agree in what is kept of them, so that the difference may be one of spelling.
    """
    if whole_vector(case) is None:
        return True
    if not wrong or wrong != hidden_differences(answer, right):
        return False
    if wrong == {OTHER}:
        return have_like_beginnings(answer.text, right.text)
    parts = parts_of(answer)
    right_parts = parts_of(right)
    return all(have_like_beginnings(parts[name] or "", right_parts[name] or "") for name in wrong)


def _has_letters_of(answer: Answer, other: Answer) -> bool:
    """Return True unless only one of two hosts is ASCII: a host that IDNA maps is another text."""
    host = parts_of(answer).get("host") or ""
    other_host = parts_of(other).get("host") or ""
    return host.isascii() is other_host.isascii()


def right_under_a_claimed_rfc(case: Case, result: Result, participant: Participant) -> bool:
    """Return True if a failed answer is right under another RFC that the library claims."""
    answer = recorded_answer(result.got, tells_empty="absent-vs-empty" in participant.features)
    if not answer.answered:
        return False
    wrong = differing_components(answer, expected_answers(case.vector.expect)[0])
    return not _excusing_rfcs(case, result, answer, wrong).isdisjoint(participant.specs)


def _excusing_rfcs(case: Case, result: Result, answer: Answer, wrong: frozenset[str]) -> frozenset[str]:
    """Return the other RFCs under which an answer is right in the `wrong` components."""
    answers = _rfc_answers_as_shown(case, result)
    excusing = set()
    for spec, admitted in answers.items():
        if spec != case.spec and any(_excuses(rfc_answer, answer, wrong) for rfc_answer in admitted):
            excusing.add(spec)
    return frozenset(excusing)


def _rfc_answers_as_shown(case: Case, result: Result) -> RfcAnswers:
    """Return the answers of each RFC, without the authority if the library does not show authorities."""
    answers = rfc_answers(case)
    if "authority" in result.got.get("components", {}):
        return answers
    return {spec: [_without_authority(answer) for answer in admitted] for spec, admitted in answers.items()}


def _without_authority(answer: Answer) -> Answer:
    components = {name: value for name, value in answer.components.items() if name != "authority"}
    return msgspec.structs.replace(answer, components=components)


def _keeps_what_is_fixed(vector: Vector, answer: Answer, expected: Sequence[Answer]) -> bool:
    """Return True if an answer that no vector lists differs from the listed ones only in what is left open.

    The scheme, the authority, the path and the query of a target are fixed (RFC 3986, section 5.2.2). Only
    how a path begins that would read as an authority is left open (sections 3.3 and 5.3), and the fragment
    of a base that has one (section 5.1).
    """
    listed = [admissible.text for admissible in expected if admissible.kind == "url"]
    if answer.kind != "url" or vector.op not in ("resolve", "normalize") or not listed:
        return True
    fixed = without_spelling(Answer("url", text=_with_one_slash(answer.text)), keep_empty=True)
    for text in listed:
        admissible = without_spelling(Answer("url", text=_with_one_slash(text)), keep_empty=True)
        if differing_components(fixed, admissible) <= {"fragment"}:
            return True
    return False


#: The beginning of a path with two slashes, with what libraries put there so that no authority is read.
_SLASHES_AND_GUARDS = re.compile("/(?:/|[.](?=/))*")


def _with_one_slash(url: str) -> str:
    """Return a URL with one slash for all the slashes, and guards between them, before the path."""
    scheme, authority, path, query, _ = split_generic(url)
    hierarchy = path if authority is None else f"//{authority}{path}"
    if hierarchy.startswith("/"):
        hierarchy = _SLASHES_AND_GUARDS.sub("/", hierarchy, count=1)
    before = "" if scheme is None else f"{scheme}:"
    after = "" if query is None else f"?{query}"
    return before + hierarchy + after


def _excuses(other: Answer, answer: Answer, wrong: frozenset[str]) -> bool:
    """Return True if `other` shows the `wrong` components and agrees with `answer`."""
    login = any(answer.components.get(name) for name in _LOGIN) and wrong & {VERDICT, *_LOGIN}
    if login and other.kind == "parsed" and "host" not in other.components:
        return False  # the RFC of `other` does not divide authorities
    is_url = other.kind in ("url", "rejected") or is_abbreviation(other.text)
    shown = (VERDICT, OTHER, *COMPONENTS) if is_url else (VERDICT, *other.components)
    return not differing_components(other, answer) and all(name in shown for name in wrong)


def expected_answers(expect: Expected) -> Sequence[Answer]:
    """Return the admissible answers to a case."""
    return [_expected(one) for one in expect.alternatives]


def _expected(expect: Expected) -> Answer:
    if expect.valid is not msgspec.UNSET:
        return Answer("valid" if expect.valid else "rejected")
    got = msgspec.to_builtins(expect)
    if "result" in got:
        got["url"] = got.pop("result")
    return recorded_answer({"status": "ok", **got}, tells_empty=True)


# ---- other RFCs


def rfc_answers(case: Case) -> RfcAnswers:
    """Return the answers of each RFC that defines one for the question of a case, the recommended one first.

    Their long texts are abbreviated. If the whole text of the question is not known, no RFC has an answer.
    """
    vector = whole_vector(case)
    if vector is None:
        return {}
    inputs = (vector.op, vector.rule, vector.url, vector.base, vector.reference, vector.other)
    return _rfc_answers(*(text if isinstance(text, str) else None for text in inputs))


@lru_cache(maxsize=65536)
def _rfc_answers(
    op: str | None,
    rule: str | None,
    url: str | None,
    base: str | None,
    reference: str | None,
    other: str | None,
) -> RfcAnswers:
    if op == "validate" and url is not None and rule in _WHOLE_KINDS:
        return {spec: [verdict] for spec, verdict in _verdicts_of_kind(url, _WHOLE_KINDS[rule]).items()}
    comparison = _comparison(op, rule, url, base, reference, other)
    if comparison is None:
        return {}
    answers = {spec: [abbreviated_answer(_rfc_answer(answer))] for spec, answer in comparison.answers.items()}
    if op == "parse" and url is not None:
        for spec in answers:
            if facts(spec).opaque_parts:
                answers[spec] += _other_reading(answers[spec][0])
    texts = [text for text in (url, other) if text is not None]
    return {spec: admitted for spec, admitted in answers.items() if _judges(spec, texts)}


def _other_reading(answer: Answer) -> Sequence[Answer]:
    """Return the reading in which an opaque part contains its `?`, by R-2396-04, if there is one."""
    components = answer.components
    path = components.get("path") or ""
    query = components.get("query")
    is_opaque = components.get("scheme") is not None and components.get("host") is None
    if not is_opaque or path.startswith("/") or query is None:
        return ()
    with_query = {**components, "path": f"{path}?{query}", "query": None}
    return (msgspec.structs.replace(answer, components=with_query),)


def _judges(spec: str, texts: Sequence[str]) -> bool:
    """Return True if an RFC judges whole texts, perhaps with a fragment.

    An RFC without a rule for relative references says nothing of these. In RFC 1738 a `#` delimits a URL from
    a fragment (section 2.2), of which the RFC says nothing. So such an RFC refuses a text with a fragment
    only if it refuses the URL before the `#`.
    """
    known = facts(spec)
    if known.relative_rule is None and any(split(text)["scheme"] is None for text in texts):
        return False
    if known.fragments or not any("#" in text for text in texts):
        return True
    return any(SPECIFICATIONS[spec].problem(text.partition("#")[0]) is not None for text in texts)


def is_whole_rule(rule: str) -> bool:
    """Return True if an RFC has whole URLs of any scheme under this rule."""
    return any(rule in known.rules_of_any_scheme for known in SPECS.values())


class _Kind(NamedTuple):
    """The texts of a rule of whole URLs: absolute or relative, with or without a fragment."""

    absolute: bool
    fragment: bool


#: The kind of each rule of whole URLs that is not the default rule of its RFC.
_WHOLE_KINDS: Mapping[str | None, _Kind] = {
    "genericurl": _Kind(absolute=True, fragment=False),
    "absoluteURL": _Kind(absolute=True, fragment=False),
    "absoluteURI": _Kind(absolute=True, fragment=False),
    "absolute-URI": _Kind(absolute=True, fragment=False),
    "URI": _Kind(absolute=True, fragment=True),
    "relativeURL": _Kind(absolute=False, fragment=False),
    "relativeURI": _Kind(absolute=False, fragment=False),
    "relative-ref": _Kind(absolute=False, fragment=True),
}


def _verdicts_of_kind(text: str, kind: _Kind) -> Mapping[str, Answer]:
    """Return the verdict of each RFC that has URLs of a kind."""
    answers = {}
    for spec, known in SPECS.items():
        rule = known.absolute_rule if kind.absolute else known.relative_rule
        if rule is None or (kind.fragment and not _judges(spec, [text])):
            continue
        answers[spec] = Answer("valid" if _is_of_kind(text, spec, rule, kind) else "rejected")
    return answers


def _is_of_kind(text: str, spec: str, rule: str, kind: _Kind) -> bool:
    """Return True if an RFC derives a text by a rule, followed by a fragment if the kind has one."""
    specification = SPECIFICATIONS[spec]
    without_fragment, mark, fragment = text.partition("#")
    if mark and not (kind.fragment and "fragment" in specification.grammar.rules):
        return False
    if specification.problem(without_fragment, rule) is not None:
        return False
    return not mark or specification.problem(fragment, "fragment") is None


def _comparison(
    op: str | None,
    rule: str | None,
    url: str | None,
    base: str | None,
    reference: str | None,
    other: str | None,
) -> Comparison | None:
    """Return the answers of the RFCs to a question, or None if `explain` does not compare its operation."""
    if op == "resolve" and base is not None and reference is not None:
        return resolutions(base, reference)
    if url is None:
        return None
    if op == "equivalent" and other is not None:
        return comparisons(url, other)
    if op == "parse" or (op == "validate" and (rule is None or is_whole_rule(rule))):
        return splits(url)
    return verdicts(url, rule=rule) if op == "validate" else None


def _rfc_answer(answer: RFCAnswer) -> Answer:
    if answer.problem is not None:
        return Answer("rejected")
    if answer.equal is not None:
        return Answer("other", text="true" if answer.equal else "false")
    if answer.result is not None:
        return Answer("url", text=answer.result)
    if not answer.components:
        return Answer("valid")
    return Answer("parsed", without_repeated_authority(answer.components))


# ---- classes


#: The beginning of a text up to the end of the authority, or what a library may read as two slashes.
_HEAD = re.compile(r"[\x00-\x20]*(?:[^:/?#]+:)?(?://[^/?#]*|[/\\\x00-\x20]*)")


class _Texts:
    """The parts of a text, and of its base if it is a reference, that can explain a difference."""

    def __init__(self, text: str, base: str | None) -> None:
        self.text, self.lower = text, text.lower()
        self.reference = base is not None
        parts, base_parts = split(text), split(base or "")
        self.empty = [name for name in ("userinfo", "port", "query", "fragment") if parts[name] == ""]
        self.empty_in_base = re.search(r"\?(#|$)|#$|//@|//[^/?#]*:(/|\?|#|$)", base or "") is not None
        self.relative_path = parts["scheme"] is None and parts["host"] is None
        #: The text or, if it inherits its authority, the base up to the end of the authority.
        found = _HEAD.match(base if base and self.relative_path else text)
        self.head = found[0] if found else ""
        head = split(self.head)
        self.head_scheme = (head["scheme"] or "").lower()
        self.host, self.port, self.userinfo = head["host"], head["port"], head["userinfo"]
        self.authority = self.head.partition("//")[2]
        self.path, self.scheme = parts["path"] or "", parts["scheme"] or ""
        self.schemes = [one for one in (parts["scheme"], base_parts["scheme"]) if one is not None]
        self.base_scheme = (base_parts["scheme"] or "").lower()
        self.has_authority = parts["host"] is not None
        self.leaves_two_slashes = parts["host"] is None and without_dots(self.path).startswith("//")
        self.relative = (base_parts if base is not None else parts)["scheme"] is None
        self.base_host, self.base_path = base_parts["host"], base_parts["path"] or ""
        #: The query and the fragment. Dots and slashes there are data (RFC 3986, sections 3.4 and 3.5).
        inherited = parts["query"] is None and self.relative_path
        self.query = (base_parts if inherited else parts)["query"] or ""
        self.fragment = parts["fragment"] or ""
        self.behind_path = f"{self.query}/{self.fragment}"
        merged = self.relative_path and not self.path.startswith("/")
        #: The paths from which the path of the target is made.
        self.paths = f"{self.base_path}/{self.path}" if merged and self.base_path else self.path
        self._whole = text if base is None else f"{base}/{text}"
        self.base = base
        #: The text, or the base if the text inherits its authority.
        self.authority_source = base if base and self.relative_path else text
        #: True if the path of the target begins with that of the base.
        self.merges = self.reference and merged

    def part(self, component: str) -> str:
        """Return the text in which the characters can explain a difference in a component."""
        if component in (*_LOGIN, "scheme"):
            return self.head
        rest = {"path": self.paths, "query": self.query, "fragment": self.fragment}
        return rest.get(component, self._whole)

    def problems(self) -> Sequence[InvalidURL]:
        """Return why RFC 3986 refuses the text and its base, if it does."""
        found = (
            SPECIFICATIONS["rfc3986"].problem(text) for text in (self.text, self.base) if text is not None
        )
        return [problem for problem in found if problem is not None]

    def contains(self, pattern: str) -> bool:
        """Return True if a regular expression matches anywhere in the lower-case text."""
        return re.search(pattern, self.lower) is not None

    def in_host(self, pattern: str) -> bool:
        """Return True if a regular expression matches anywhere in the lower-case host."""
        return re.search(pattern, (self.host or "").lower()) is not None


def _is_odd_port(port: str | None) -> bool:
    if not port:
        return False
    return not (port.isascii() and port.isdigit()) or port != str(int(port)) or not 0 < int(port) <= 65535


#: Classes of what RFC 1738 alone refuses. They are the last of the reasons why the RFCs differ.
_BROAD = ("fragment", "tilde", "search-slash", "opaque-query", "userinfo-not-allowed", "relative-reference")

_DOTS = re.compile(r"(^|/)\.\.?(/|$)")

_DOTTED_NAME = re.compile(r"(^|/)(\.[^./]|\.\.[^/]|[^/]*[^./]\.(/|$))")


def _climbs_too_high(one: _Texts) -> bool:
    """Return True if the `..` of a path exceed the segments to remove (RFC 3986, section 5.4.2)."""
    from_base = one.relative_path and not one.path.startswith("/")
    levels = max(0, one.base_path.count("/") - 1) if from_base else 0
    for segment in one.path.removeprefix("/").split("/"):
        levels += (segment != ".") - 2 * (segment == "..")
        if levels < 0:
            return True
    return False


#: The schemes that every library with a list of schemes knows.
_LISTED = frozenset(("http", "https", "ftp", "file", "ws", "wss"))

#: The components in the authority, and those behind it.
_LOGIN = frozenset(AUTHORITY)
_REST = frozenset(("path", "query", "fragment"))

#: For each group of classes, the components in which they can explain a difference. Other classes, such as
#: those of a scheme or of a reference, can explain a difference in any component.
_GROUPS: Mapping[tuple[str, ...], frozenset[str]] = {
    ("several-ats", "login-delimiter"): _LOGIN,
    ("userinfo-not-allowed",): frozenset(("userinfo",)),
    ("netloc-end", "ipv4-forms", "ipv4-range", "ipv6-literal", "zone-id", "host-label", "trailing-dot",
     "escape-in-host", "empty-host"): frozenset(("host",)),
    ("empty-port", "port-digits"): frozenset(("host", "port")),
    ("default-port", "foreign-port"): frozenset(("port",)),
    ("scheme-case",): frozenset(("scheme", "host")),
    ("params", "ftp-type", "telnet-path", "prospero-fields", "empty-segment", "empty-path", "encoded-dots",
     "dots-in-base", "dots-in-absolute-path", "excess-dotdot"): frozenset(("path",)),
    ("ftp-question", "gopher-parts", "opaque-query", "wais-parts", "mailto-address",
     "news-grouppart"): frozenset(("path", "query")),
    ("search-slash",): frozenset(("query",)),
    ("fragment", "lone-hash"): frozenset(("fragment",)),
    ("tilde", "bracket", "second-hash", "escaped-unreserved", "encoded-delimiter", "empty-component",
     "dots-elsewhere", "rootless"): _REST,
}  # fmt: skip
_EXPLAINED = {name: components for names, components in _GROUPS.items() for name in names}

#: Classes of characters that must occur in the part that differs.
_VISIBLE: Mapping[str, Callable[[str], object]] = {
    **{name: test for name, test in CHARACTERS.items() if name != "second-hash"},
    **{name: re.compile(pattern).search for name, pattern in {
        "tilde": "~", "bracket": r"[\[\]]", "escaped-unreserved": "%", "encoded-dots": "(?i)%2e",
        "encoded-delimiter": "(?i)%(2[13-9a-cf]|3[abdf]|40|5[bd])", "colon-in-segment": ":",
    }.items()},
}  # fmt: skip


def _explains(entry: str, component: str, one: _Texts) -> bool:
    """Return True if a class can be the reason for a difference in a component."""
    if component in (VERDICT, OTHER):
        return True
    if component not in _EXPLAINED.get(entry, (component,)):
        return False
    if entry in ("relative-reference", "unknown-scheme"):  # a library may see an authority where none is
        return component == "scheme" or one.host is None
    if entry == "colon-in-segment" and component in _LOGIN and one.host is not None:
        return False  # the colon of a reference without an authority
    if entry == "slash-count":
        return _SLASHES[entry](one)
    if entry == "dots-elsewhere":
        return (_DOTTED_NAME if component == "path" else _DOTS).search(one.part(component)) is not None
    return entry not in _VISIBLE or bool(_VISIBLE[entry](one.part(component)))


def _character(one: _Texts, component: str) -> str | None:
    """Return the class of a character in the part of a text that differs, or None."""
    part, login = one.part(component), component in (*_LOGIN, "scheme")
    for name, test in CHARACTERS.items():
        if test(part) or (name == "second-hash" and not login and test(one.text)):
            return name
    if not login and re.search(r"[\[\]]", part.replace(one.authority, "", 1)):
        return "bracket"
    return "zone-id" if component not in _REST and has_zone(one.authority) else None


def has_unlisted_scheme(text: str) -> bool:
    """Return True if a text has a scheme that libraries may not know."""
    return _scheme_class(_Texts(text, None)) == "unknown-scheme"


def _scheme_class(one: _Texts) -> str | None:
    """Return the class of a scheme that libraries do not know or do not take for a scheme, or None."""
    unlisted = [scheme for scheme in one.schemes if scheme.lower() not in _LISTED]
    if any(re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", scheme) for scheme in unlisted):
        return "unknown-scheme"
    return (
        "scheme-first-char" if any(re.fullmatch("[0-9+.-][A-Za-z0-9+.-]*", one) for one in unlisted) else None
    )


def _has_odd_scheme(one: _Texts) -> bool:
    """Return True if a scheme has other characters than letters, which some libraries do not expect."""
    return _scheme_class(one) == "unknown-scheme" and any(
        re.search("[^A-Za-z]", name) for name in one.schemes
    )


_Forms = Mapping[str, Callable[[_Texts], bool]]

#: Classes by the form of a reference and its base, for any component.
_REFERENCES: _Forms = {
    "same-scheme": lambda one: one.contains("^[^:/?#]+:(?!//)") and one.scheme.lower() == one.base_scheme,
    "double-slash": lambda one: one.reference and not one.base_host and one.leaves_two_slashes,
}

#: A scheme that has an authority, with another number of slashes than two.
_ODD_SLASHES = re.compile("(https?|ftp|wss?):(?!//[^/])")

_SLASHES: _Forms = {
    "slash-count": lambda one: _ODD_SLASHES.match(one.lower) is not None,
    "file-host": lambda one: one.contains("^file:"),
}

#: An IPv6 address without its brackets, perhaps with a port.
_BARE_IPV6 = re.compile("[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*", re.IGNORECASE)


def _is_bare_ipv6(host: str) -> bool:
    return _BARE_IPV6.fullmatch(host) is not None


_SEVERAL: _Forms = {
    "several-ats": lambda one: one.authority.count("@") > 1,
    "ipv6-literal": lambda one: "[" in one.authority or _is_bare_ipv6(one.authority.rpartition("@")[2]),
}

_EMPTY: _Forms = {"empty-component": lambda one: bool(one.empty) or one.empty_in_base}

#: Classes by the component that differs, then by the form of the text.
_FORMS: Mapping[str, _Forms] = {
    "host": {
        **_SEVERAL,
        "escape-in-host": lambda one: "%" in (one.host or ""),
        "ipv4-forms": lambda one: one.in_host(r"^(0x)?[0-9a-f]*[0-9][0-9a-f]*([.](0x)?[0-9a-f]+)*[.]?$"),
        "trailing-dot": lambda one: one.in_host("[.]$"),
        "port-digits": lambda one: _is_odd_port(one.port),
        **_SLASHES,
        "empty-host": lambda one: one.host == "",
        "host-label": lambda one: one.in_host(r"[^a-z0-9.:\[\]-]|\.\.|^[.-]|-$|-\.|\.-|[^.]{64}|.{254}"),
        "scheme-case": lambda one: (one.host or "") != (one.host or "").lower(),
    },
    "userinfo": {
        "several-ats": _SEVERAL["several-ats"],
        "login-delimiter": lambda one: re.search(":.*:|[;?]", one.userinfo or "") is not None,
        "empty-component": lambda one: one.userinfo == "" or (one.userinfo or "").endswith(":"),
        "userinfo-not-allowed": lambda one: one.userinfo is not None and one.head_scheme in HOST_ONLY,
    },
    "port": {
        "empty-port": lambda one: one.port == "",
        "default-port": lambda one: one.port in ("80", "443", "21"),
        **_SEVERAL,
        "port-digits": lambda one: bool(one.port),
    },
    VERDICT: {"several-ats": _SEVERAL["several-ats"]},
    "scheme": {"scheme-case": lambda one: one.scheme != one.scheme.lower()},
    "query": _EMPTY,
    "fragment": _EMPTY,
}

#: Classes by the form of the text, for any component that they can explain. They are tried last.
_LAST: _Forms = {
    "encoded-dots": lambda one: "%2e" in one.lower,
    "encoded-delimiter": lambda one: bool(_VISIBLE["encoded-delimiter"](one.text)),
    "escaped-unreserved": lambda one: "%" in one.text,
    "empty-reference": lambda one: one.text == "",
    "network-path": lambda one: one.reference and one.text.startswith("//"),
    "query-only": lambda one: one.reference and one.text.startswith("?"),
    **_EMPTY,
    "unknown-scheme": lambda one: _scheme_class(one) is not None,
    "pathless-base": lambda one: bool(one.base_host) and not one.base_path,
    "double-slash": lambda one: one.reference and ("//" in one.path or "//" in one.base_path),
    "dots-in-base": lambda one: _DOTS.search(one.base_path) is not None,
    "dots-in-absolute-path": lambda one: _DOTS.search(one.path) is not None and not one.reference,
    "excess-dotdot": _climbs_too_high,
    "dots-elsewhere": lambda one: bool(_DOTS.search(one.behind_path) or _DOTTED_NAME.search(one.path)),
    "search-slash": lambda one: re.search("[/?]", one.query) is not None,
    "params": lambda one: ";" in one.paths,
    "colon-in-segment": lambda one: ":" in one.path,
    "opaque-query": lambda one: one.host is None and "?" in one.text and not one.reference,
    **_SLASHES,
    "relative-reference": lambda one: one.relative,
    "empty-path": lambda one: bool(one.host) and not one.path,
}


#: An authority that ends at a question mark or a number sign, or has a semicolon.
_NETLOC_END = re.compile("(?:[^:/?#]+:)?//(?:[^/?#]+[?#]|[^/?#]*;)")

#: Classes of characters that no URL has.
_ODD_CHARACTERS = ("backslash", "white-space", "control-character", "unsafe-character")

#: The forms that a class must have if the manner of the difference leaves a choice of classes.
_TESTS: _Forms = {
    **_LAST,
    **_FORMS["userinfo"],
    **_FORMS["host"],
    **_REFERENCES,
    "empty-component": lambda one: bool(one.empty) or one.empty_in_base or (one.userinfo or "").endswith(":"),
    "unknown-scheme": lambda one: (
        _scheme_class(one) == "unknown-scheme" and one.scheme.lower() not in _LISTED
    ),
    "scheme-first-char": lambda one: _scheme_class(one) == "scheme-first-char",
    "scheme-case": lambda one: any(scheme != scheme.lower() for scheme in one.schemes),
    "empty-port": lambda one: one.port == "",
    "port-digits": lambda one: _is_odd_port(one.port),
    "default-port": _FORMS["port"]["default-port"],
    "netloc-end": lambda one: _NETLOC_END.match(one.authority_source) is not None,
    "host-label": lambda one: _is_odd_name(one.host or ""),
    "escape-in-host": lambda one: "%" in (one.host or ""),
    "non-ascii": lambda one: not (one.host or "").isascii(),
    "bad-escape": lambda one: one.in_host("%(?![0-9a-f]{2})"),
    "ipv4-forms": lambda one: _is_odd_number(one.host or "") and not _is_four_decimals(one.host or ""),
    "ipv4-range": lambda one: _is_odd_number(one.host or "") and _is_four_decimals(one.host or ""),
    **{
        name: (lambda one, test=CHARACTERS[name]: test(one.head))  # type: ignore[misc]
        for name in _ODD_CHARACTERS
    },
    "query-only": lambda one: one.reference and one.text.startswith("?"),
    "empty-reference": lambda one: one.reference and not one.text.partition("#")[0],
    "pathless-base": lambda one: bool(one.base_host) and not one.base_path and one.merges,
    "rootless": lambda one: (
        (one.merges and bool(one.base_path) and not one.base_path.startswith("/"))
        or (bool(one.scheme) and not one.path.startswith("/") and _DOTS.search(one.path) is not None)
    ),
    "dots-in-base": lambda one: one.merges and _DOTS.search(one.base_path) is not None,
    "dots-in-absolute-path": lambda one: (
        (bool(one.scheme) or one.path.startswith("/")) and _DOTS.search(one.path) is not None
    ),
    "dots-elsewhere": lambda one: _DOTTED_NAME.search(one.paths) is not None,
    "excess-dotdot": _climbs_too_high,
    "encoded-dots": lambda one: (
        re.search("(?i)(^|/)([.]|%2e){1,2}(/|$)", one.paths) is not None and "%2e" in one.paths.lower()
    ),
    "lone-hash": lambda one: one.text == "#",
    "second-hash": lambda one: one.text.count("#") > 1,
    "fragment": lambda one: "#" in one.text,
    "file-drive": lambda one: (
        one.head_scheme in ("", "file") and re.match("/?[A-Za-z](:|[|]|%3A|%7C)", one.path) is not None
    ),
    "empty-segment": lambda one: "//" in one.paths,
    "empty-scheme-part": lambda one: re.fullmatch("[^:/?#]+:(#.*)?", one.text) is not None,
    "ftp-question": lambda one: one.head_scheme in ("ftp", "file") and "?" in one.text,
    "ftp-type": lambda one: one.head_scheme == "ftp" and ";type=" in one.paths,
    "prospero-fields": lambda one: one.head_scheme == "prospero" and ";" in one.paths,
    "mailto-address": lambda one: one.scheme.lower() == "mailto",
    "gopher-parts": lambda one: one.head_scheme == "gopher",
    "opaque-query": lambda one: bool(one.scheme) and one.host is None and "?" in one.text,
}

#: What a library may refuse in an authority, although the RFC accepts it.
_ODD_AUTHORITY = (
    "several-ats", "login-delimiter", "ipv6-literal", "ipv4-range", "ipv4-forms", "escape-in-host",
    "non-ascii", "empty-host", "trailing-dot", "host-label", "empty-port", "port-digits",
)  # fmt: skip

#: What a library may refuse in a text, although the RFC accepts it, besides the differences of the RFCs.
_ODD = (
    *_ODD_AUTHORITY, "unknown-scheme", "scheme-first-char", "relative-reference", "file-host", "slash-count",
    "same-scheme", "rootless", "empty-scheme-part", "pathless-base", "query-only", "network-path",
    "excess-dotdot", "double-slash", "userinfo-not-allowed", "scheme-case",
)  # fmt: skip

#: Classes that say how a reference looks. A library seldom refuses a reference for that, so that other things
#: in it, or in its base, are more likely reasons.
_FORMS_OF_REFERENCES = frozenset(("query-only", "empty-reference"))

#: The manners in which a library without a notion of the scheme may differ in the other components.
_WITHOUT_SCHEME = frozenset(
    (Manner.NO_AUTHORITY, Manner.NEW_AUTHORITY, Manner.LOST, Manner.SLASH, Manner.OTHER)
)

#: The most groups of an IPv4 address.
_IPV4_GROUPS = 4


def _is_odd_name(host: str) -> bool:
    """Return True if DNS does not allow a name: other characters, empty labels, or too long."""
    name = re.sub("%[0-9a-f]{2}", "a", host.lower()).removesuffix(".")
    return (
        re.search(r"[^a-z0-9.:\[\]\x80-\U0010ffff-]|\.\.|^[.-]|-$|-\.|\.-|[^.]{64}|.{254}", name) is not None
    )


def _is_odd_number(host: str) -> bool:
    """Return True if programs in C read a host as an IPv4 address, but RFC 3986 does not."""
    groups = host.lower().removesuffix(".").split(".")
    if len(groups) > _IPV4_GROUPS or not all(re.fullmatch("0x[0-9a-f]*|[0-9]+", group) for group in groups):
        return False
    return SPECIFICATIONS["rfc3986"].problem(host, "IPv4address") is not None


def _is_octal(one: _Texts) -> bool:
    """Return True if programs in C read a group of the host as an octal number."""
    return _is_odd_number(one.host or "") and re.search("(^|[.])0[0-9]", one.host or "") is not None


def _ends_in_a_number(one: _Texts) -> bool:
    """Return True if the last label of a name has only digits, but the name is no address of RFC 3986."""
    host = (one.host or "").removesuffix(".")
    if re.search("(^|[.])[0-9]+$", host) is None:
        return False
    return SPECIFICATIONS["rfc3986"].problem(host, "IPv4address") is not None


def _is_four_decimals(host: str) -> bool:
    return re.fullmatch("[0-9]+([.][0-9]+){3}", host) is not None


#: What else a library may refuse in a text, or in its base, although the RFC accepts it.
_ODD_TO_LIBRARIES: _Forms = {
    "unknown-scheme": lambda one: _scheme_class(one) is not None,
    # browsers read a host whose last label is a number as an address, and refuse it
    "ipv4-forms": _ends_in_a_number,
    # a library may know the scheme, and its syntax
    "mailto-address": lambda one: one.scheme.lower() == "mailto",
    # two hyphens there are reserved for labels such as xn--tda (RFC 5891, section 4.2.3.1)
    "host-label": lambda one: one.in_host("(^|[.])(?!xn)..--"),
    "slash-count": lambda one: _ODD_SLASHES.match((one.base or "").lower()) is not None,
    # a base should have no fragment (RFC 3986, sections 4.3 and 5.1)
    "fragment": lambda one: "#" in (one.base or ""),
}


def class_of(
    vector: Vector,
    component: str,
    *,
    scheme: bool = False,
    answers: tuple[Answer, Answer] | None = None,
) -> str | None:
    """Return the id of the class of a difference in a component, or None if no class fits.

    `answers` are the two answers that differ. A class must name what differs in them. `scheme` is True if the
    schemes in the answers differ, too. If the vector names a class that can explain the difference, return
    that class.
    """
    base = vector.base if isinstance(vector.base, str) else None
    text = vector.reference if base is not None else vector.url
    if vector.op == "recompose":
        text = vector.expect.alternatives[0].result
        if component == "host" and _would_read_as_authority(vector):
            return "double-slash"
    if not isinstance(text, str) or (vector.rule is not None and not is_whole_rule(vector.rule)):
        return vector.class_
    if answers is not None and component in hidden_differences(*answers):
        return None
    other = vector.other if isinstance(vector.other, str) else None
    pair = None
    if answers is not None and component not in (VERDICT, OTHER):
        pair = value_pair(component, text, base, *answers)
    named = vector.class_
    if component == VERDICT and _is_combined(vector):
        named = None  # a combination names one of its parts, and the library may refuse another one
    entry = class_of_text(text, component, base, other, scheme=scheme, named=named, values=pair)
    if vector.op == "recompose" and component == "host" and entry == "unknown-scheme":
        return None  # the library was given the host, and did not look for it in a text
    return entry


def _would_read_as_authority(vector: Vector) -> bool:
    """Return True if the path of a question to recompose begins with two slashes, without an authority."""
    components = vector.components
    if not isinstance(components, Mapping) or components.get("authority") or components.get("host"):
        return False
    path = components.get("path")
    return isinstance(path, str) and path.startswith("//")


def _is_combined(vector: Vector) -> bool:
    """Return True if a vector combines parts, each with something to say; see docs/authoring.md."""
    return "-pair-" in vector.id


def value_pair(component: str, text: str, base: str | None, one: Answer, other: Answer) -> ValuePair:
    """Return how a component of two answers to a text, or to a reference with its base, differs."""
    parts = split(text)
    inherits = base is not None and parts["scheme"] is None and parts["host"] is None
    host = split(base or "")["host"] if inherits else parts["host"]
    return compare_values(component, one, other, host=host)


@lru_cache(maxsize=65536)
def class_of_text(
    text: str,
    component: str,
    base: str | None = None,
    other: str | None = None,
    *,
    scheme: bool = False,
    named: str | None = None,
    values: ValuePair | None = None,
) -> str | None:
    """Return the id of the class of a difference in a component, or None; see `class_of`.

    `base` is the base if `text` is a reference. `other` is the second text of an `equivalent` question.
    `named` is the class that a person gave to the question. Without `values`, the form of the text decides.
    """
    start = None if base is None else _beginning(base)
    texts = [_Texts(_beginning(one), start) for one in (text, other) if one is not None]
    component = _general(component)
    is_long = len(text) >= _MAX_CLASSIFIED_LENGTH or any(map(is_abbreviation, (text, base, other)))
    if is_long and component == VERDICT:
        return named
    if is_long and values is None:
        candidates = _candidates(texts, component, [], scheme=scheme, named=named)
        return next(filter(None, candidates), None)
    reasons = [] if is_long else _reasons(text, base, other)
    if component == VERDICT:
        return _class_of_verdict(texts, reasons, named)
    if component == OTHER and other is not None:
        return named or _class_of_comparison(texts, text, other, reasons)
    if values is not None:
        return _class_of_values(texts, component, values, reasons, scheme=scheme, named=named)
    candidates = _candidates(texts, component, reasons, scheme=scheme, named=named)
    return next(filter(None, candidates), None)


def _class_of_values(
    texts: Sequence[_Texts],
    component: str,
    values: ValuePair,
    reasons: Sequence[str],
    *,
    scheme: bool,
    named: str | None,
) -> str | None:
    """Return the class of the manner in which two values differ, or None."""
    if scheme and (component == "scheme" or values.manner in _WITHOUT_SCHEME):
        shown = {f"{value.lower()}:" for value in (values.one, values.other) if value}
        if component == "scheme" and any(
            one.relative and one.host is None and _occurs(shown, one.lower) for one in texts
        ):
            return "colon-in-segment"
        entry = next(_fitting(("unknown-scheme", "scheme-first-char"), texts, reasons), None)
        if entry is not None or any(one.relative for one in texts):
            return entry or "relative-reference"
    if values.manner is Manner.UNDIVIDED or (component == "host" and values.manner is Manner.LOST):
        return _class_of_lost_host(texts, values.manner, reasons, named)
    if values.manner is Manner.NEW_AUTHORITY and any(map(_leaves_two_slashes, texts)):
        return "double-slash"
    merged = any(one.merges and values.rest and one.text.startswith(values.rest) for one in texts)
    if component == "host" and merged and any(map(_TESTS["pathless-base"], texts)):
        return "pathless-base"
    possible = classes_of(component, values, texts[0].part(component))
    if values.manner is Manner.SAME_TARGET and any(map(_is_octal, texts)):
        return named if named in ("ipv4-forms", "ipv4-range") else "ipv4-forms"
    if component == "host" and values.manner is Manner.OTHER:
        possible = tuple(entry for entry in possible if _may_explain_other_host(entry, texts, values))
    if values.manner is Manner.TRIPLETS and component != "host":
        fitting = list(possible)
    else:
        fitting = list(_fitting(possible, texts, reasons))
    return named if named in fitting else next(iter(fitting), None)


def _class_of_lost_host(
    texts: Sequence[_Texts], manner: Manner, reasons: Sequence[str], named: str | None
) -> str | None:
    """Return the class of a host that one library does not find, or does not divide from its authority."""
    odd = (
        (*_ODD_AUTHORITY, "unknown-scheme", "relative-reference") if manner is Manner.LOST else _ODD_AUTHORITY
    )
    # a label with such a character is odd only because of it
    unusual = list(_fitting(_ODD_CHARACTERS, texts, reasons)) or list(_fitting(odd, texts, reasons))
    if not unusual and any(one.reference for one in texts):
        unusual = list(_fitting(sorted(_FORMS_OF_REFERENCES), texts, reasons))
    return _only_or_named(unusual, named)


#: Dot segments before a slash. A library that only drops them makes an authority of what follows.
_DOTS_BEFORE_SLASHES = re.compile(r"/?(?:[.]{1,2}/)+/")


def _leaves_two_slashes(one: _Texts) -> bool:
    """Return True if the path of a text without an authority begins with two slashes once dots are gone."""
    if one.base_host:
        return False
    has_dots = not one.has_authority and _DOTS_BEFORE_SLASHES.match(one.path) is not None
    return one.leaves_two_slashes or has_dots


def _may_explain_other_host(entry: str, texts: Sequence[_Texts], values: ValuePair) -> bool:
    """Return True if a class can be the reason for two unlike hosts.

    Those of delimiters move the end of the userinfo, too; those of a base put its host into one answer.
    """
    if entry in ("several-ats", "login-delimiter"):
        return "userinfo" in values.components
    if entry in ("network-path", "same-scheme"):
        return any(one.base_host in (values.one, values.other) for one in texts)
    return True


def _fitting(entries: Iterable[str], texts: Sequence[_Texts], reasons: Sequence[str]) -> Iterator[str]:
    """Yield the classes of which a text has the form. Without a test of the form, the RFCs must differ so."""
    for entry in entries:
        test = _TESTS.get(entry)
        if any(map(test, texts)) if test is not None else entry in reasons:
            yield entry


def _only_or_named(fitting: Sequence[str], named: str | None) -> str | None:
    """Return the class that a person named if it fits, or the only one, or None if there are several."""
    if named in fitting:
        return named
    return fitting[0] if len(fitting) == 1 else None


def _occurs(words: Iterable[str], text: str) -> bool:
    return any(word in text for word in words)


def _class_of_verdict(texts: Sequence[_Texts], reasons: Sequence[str], named: str | None) -> str | None:
    """Return the class of a difference between an accepting and a refusing answer, or None.

    If RFC 3986 refuses the text, its first fault is the reason. If it accepts the text, a library may refuse
    whatever is unusual in it. If that is more than one thing, its answer does not show the reason.
    """
    problems = [problem for one in texts for problem in one.problems()]
    if problems:
        # a delimiter of running text or a bar of a drive is the first wrong character there
        if named in ("url-wrapper", "file-drive"):
            return named
        return next(filter(None, map(_class_of_fault, problems)), named)
    unusual = set(_fitting(_ODD, texts, reasons)).union(name for name in reasons if name not in _BROAD)
    unusual.update(entry for entry, test in _ODD_TO_LIBRARIES.items() if any(map(test, texts)))
    if "double-slash" in (*unusual, named):  # the RFC leaves open what to do with such a target
        return "double-slash"
    things = unusual or {name for name in _BROAD if name in reasons}
    if named in things - _FORMS_OF_REFERENCES:
        return named
    # some libraries know http only, so that another scheme may be the reason
    knows_scheme = all(one.head_scheme not in ("ftp", "file", "ws", "wss") for one in texts)
    return things.pop() if len(things) == 1 and knows_scheme else None


def _class_of_fault(problem: InvalidURL) -> str | None:
    """Return the class of the first fault of a text, or None."""
    before, rest = problem.text[: problem.position], problem.text[problem.position :]
    character = rest[:1]
    if re.search("%[0-9A-Fa-f]?$", before):
        return "bad-escape"
    for name in ("backslash", "control-character", "white-space", "non-ascii", "unsafe-character"):
        if CHARACTERS[name](character):
            return name
    authority = re.fullmatch("(?:[^:/?#]+:)?//([^/?#]*)", before)
    if authority is not None and character not in ("/", "?", "#"):
        return _class_of_authority_fault(authority[1], re.match("[^/?#]*", rest)[0])  # type: ignore[index]
    if character == ":" and re.search("[:/?#]", before) is None:
        like_scheme = re.fullmatch("[A-Za-z0-9+.-]+", before) is not None
        return "scheme-first-char" if like_scheme else "colon-in-segment"
    return {"[": "bracket", "]": "bracket", "#": "second-hash"}.get(character)


def _class_of_authority_fault(before: str, rest: str) -> str | None:
    """Return the class of the first fault of an authority, with the text before it and that from it on."""
    if before.rfind("[") > before.rfind("]"):
        return "zone-id" if has_zone(before + rest) else "ipv6-literal"
    if rest.startswith("@"):
        return "several-ats"
    host = before.rpartition("@")[2]
    if rest.startswith(("[", "]")) or host.endswith("]") or _is_bare_ipv6((host + rest).rpartition("@")[2]):
        return "ipv6-literal"
    return "port-digits" if ":" in host else None


def _class_of_comparison(
    texts: Sequence[_Texts], text: str, other: str, reasons: Sequence[str]
) -> str | None:
    """Return the class of the component in which two compared texts differ, or None if there are several."""
    parts, others = split(text), split(other)
    found = set()
    for component in COMPONENTS:
        if parts[component] != others[component]:
            values = compare_texts(component, parts[component], others[component])
            found.add(_class_of_values(texts, component, values, reasons, scheme=False, named=None))
    return found.pop() if len(found) == 1 else None


def _candidates(
    texts: Sequence[_Texts], component: str, reasons: Sequence[str], *, scheme: bool, named: str | None
) -> Iterator[str | None]:
    """Yield the classes of a difference, the best one first, and None where none is found.

    `reasons` are the classes by which the RFCs differ.
    """

    def fitting(entries: Iterable[str]) -> str | None:
        return next((name for name in entries if any(_explains(name, component, one) for one in texts)), None)

    if scheme:
        yield from map(_scheme_class, texts)
    if named is not None:
        yield fitting([named])
    yield from (_character(one, component) for one in texts)
    yield from (_first(table, texts) for table in (_REFERENCES, _FORMS.get(component, {})))
    yield fitting(name for name in reasons if name not in _BROAD)
    if component == VERDICT and any(map(_has_odd_scheme, texts)):
        yield "unknown-scheme"
    yield fitting(sorted(set(_BROAD) & {*reasons}, key=_BROAD.index))
    more = _FORMS.values() if component in (VERDICT, OTHER) else ()
    for table in (*more, _LAST):
        yield fitting(name for name, test in table.items() if any(map(test, texts)))


def _general(component: str) -> str:
    """Return the component of RFC 3986 to which a component belongs; those of old RFCs belong to the path."""
    if component in (VERDICT, OTHER):
        return component
    place = harm("host" if component == "authority" else component)
    return BY_HARM[place] if place < len(BY_HARM) else "path"


def _reasons(text: str, base: str | None, other: str | None) -> list[str]:
    """Return the classes by which the RFCs differ about a question."""
    asked = (
        resolutions(base, text) if base is not None else comparisons(text, other) if other else splits(text)
    )
    return [one.entry.id for one in classify(asked, _classes()).named]


def _beginning(text: str) -> str:
    """Return a text. If it is an abbreviation, return only its beginning, without a triplet cut in two."""
    if not is_abbreviation(text):
        return text
    return re.sub("%.?$", "", text.rpartition("… (")[0])


def _first(table: Mapping[str, Callable[[_Texts], bool]], texts: Sequence[_Texts]) -> str | None:
    return next((name for name, test in table.items() if any(map(test, texts))), None)


@lru_cache(maxsize=1)
def _classes() -> Mapping[str, DifferenceClass]:
    return load_classes()
