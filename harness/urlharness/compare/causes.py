"""Causes and classes of the differences between the answer of a library and the answer of an RFC."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

import msgspec

from urlharness.adapters.catalogue import FROM_CACHE, catalogue
from urlharness.compare.answers import (
    COMPONENTS,
    OTHER,
    VERDICT,
    LibraryAnswer,
    answer_of,
    differing,
    folded,
    group_answers,
    split,
    without_dots,
)
from urlharness.corpus.differences import DifferenceClass
from urlharness.corpus.loader import load_classes
from urlharness.corpus.longtext import is_abbreviation
from urlharness.corpus.model import Case, Expected, Vector
from urlharness.explain.answers import Answer, Comparison, comparisons, resolutions, splits, verdicts
from urlharness.explain.classify import CHARACTERS, classify, has_zone
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome

#: The bundled adapter that follows the browsers' standard (WHATWG). The catalogue marks the other libraries.
_BROWSERS = frozenset({"node-url"})

#: The operations that the browsers' standard defines. Only answers to these can count as browser behaviour.
_BROWSER_OPERATIONS = frozenset(("validate", "parse", "resolve", "normalize", "equivalent"))

#: The rules of whole URLs, under the different names in all RFCs.
WHOLE_RULES = frozenset(("url", "genericurl", "URL", "absoluteURL", "relativeURL", "URI-reference",
                         "absoluteURI", "relativeURI", "URI", "absolute-URI", "relative-ref"))  # fmt: skip


#: For longer texts, the answers of the RFCs are not used to find a class.
_LONGEST = 2_000


class Cause(StrEnum):
    """A reason why an answer is not the one that the RFC recommends, the most harmless first."""

    ALLOWED = "allowed by the RFC"
    OTHER_RFC = "right under another RFC"
    BROWSER = "browser behaviour"
    SPELLING = "decoding or case only"
    DEFECT = "defect"

    @property
    def rank(self) -> int:
        """The place in the order of causes. Of two causes, reports show the one with the higher rank."""
        return list(Cause).index(self)


def is_browser(name: str) -> bool:
    """Return True if the library of this adapter follows the browsers' standard (WHATWG)."""
    library = catalogue().get(name.removesuffix(FROM_CACHE))
    return name in _BROWSERS or (library is not None and library.whatwg)


def browser_answers(case: Case, answers: Mapping[str, LibraryAnswer]) -> Sequence[LibraryAnswer]:
    """Return the different answers of the libraries that follow the browsers' standard, each once."""
    if case.vector.op not in _BROWSER_OPERATIONS:
        return []
    own = [(name, one) for name, one in answers.items() if one.answered and is_browser(name)]
    own.sort(key=lambda item: -len(item[1].components))
    given = dict(own)
    return [given[group.names[0]] for group in group_answers((name, folded(one)) for name, one in own)]


def cause_of(
    case: Case, result: Result, answer: LibraryAnswer, browser: Sequence[LibraryAnswer]
) -> Cause | None:
    """Return the cause of the difference from the recommended answer, or None if there is no difference.

    `browser` contains the different answers of the libraries that follow the browsers' standard. If there is
    only one, it can excuse the answer.
    """
    if result.outcome in (Outcome.PASS, Outcome.PARTIAL, Outcome.UNSUPPORTED):
        return None
    if result.outcome is Outcome.VARIANT:
        return Cause.ALLOWED
    if not answer.answered:
        return Cause.DEFECT
    expected = expected_answers(case.vector.expect)
    if any(not differing(folded(answer), folded(one)) for one in expected):
        return Cause.SPELLING
    wrong = differing(answer, expected[0])
    if any(_excuses(other, answer, wrong) for spec, other in rfc_answers(case).items() if spec != case.spec):
        return Cause.OTHER_RFC
    if len(browser) == 1 and _excuses(folded(browser[0]), folded(answer), wrong):
        return Cause.BROWSER
    return Cause.DEFECT


def _excuses(other: LibraryAnswer, answer: LibraryAnswer, wrong: frozenset[str]) -> bool:
    """Return True if `other` shows the `wrong` components and agrees with `answer`."""
    login = any(answer.components.get(name) for name in _LOGIN) and wrong & {VERDICT, *_LOGIN}
    if login and other.kind == "parsed" and "host" not in other.components:
        return False  # the RFC of `other` does not divide authorities
    shown = (
        (VERDICT, OTHER, *COMPONENTS) if other.kind in ("url", "rejected") else (VERDICT, *other.components)
    )
    return not differing(other, answer) and all(name in shown for name in wrong)


def expected_answers(expect: Expected) -> Sequence[LibraryAnswer]:
    """Return the admissible answers to a case."""
    return [_expected(one) for one in expect.alternatives]


def _expected(expect: Expected) -> LibraryAnswer:
    if expect.valid is not msgspec.UNSET:
        return LibraryAnswer("valid" if expect.valid else "rejected")
    got = msgspec.to_builtins(expect)
    if "result" in got:
        got["url"] = got.pop("result")
    return answer_of({"status": "ok", **got}, tells_empty=True)


# ---- other RFCs


def rfc_answers(case: Case) -> Mapping[str, LibraryAnswer]:
    """Return the answer of each RFC that defines one for the question of a case."""
    vector = case.vector
    asked = (vector.op, vector.rule, vector.url, vector.base, vector.reference, vector.other)
    return _rfc_answers(*(one if isinstance(one, str) else None for one in asked))


@lru_cache(maxsize=65536)
def _rfc_answers(*asked: str | None) -> Mapping[str, LibraryAnswer]:
    found = _comparison(*asked)
    return {} if found is None else {spec: _rfc_answer(one) for spec, one in found.answers.items()}


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
    if op == "parse" or (op == "validate" and (rule is None or rule in WHOLE_RULES)):
        return splits(url)
    return verdicts(url, rule=rule) if op == "validate" else None


def _rfc_answer(answer: Answer) -> LibraryAnswer:
    if answer.problem is not None:
        return LibraryAnswer("rejected")
    if answer.equal is not None:
        return LibraryAnswer("other", text="true" if answer.equal else "false")
    if answer.result is not None:
        return LibraryAnswer("url", text=answer.result)
    components = {name: value for name, value in (answer.components or {}).items() if name != "authority"}
    return LibraryAnswer("parsed", components) if components else LibraryAnswer("valid")


# ---- classes


class _Texts:
    """The parts of a text, and of its base if it is a reference, that the predicates below use."""

    def __init__(self, text: str, base: str | None) -> None:
        self.text, self.lower = text, text.lower()
        self.reference = base is not None
        parts, base_parts = split(text), split(base or "")
        self.empty = [name for name in ("userinfo", "port", "query", "fragment") if parts[name] == ""]
        self.empty_in_base = re.search(r"\?(#|$)|#$|//@|//[^/?#]*:(/|\?|#|$)", base or "") is not None
        found = re.match("(?:[^:/?#]+:)?//([^/?#]*)", text)
        self.authority = found[1] if found else ""
        self.before_path = text[: found.end()] if found else text
        self.host, self.port = parts["host"], parts["port"] or ""
        self.relative_path = parts["scheme"] is None and parts["host"] is None
        self.userinfo = (base_parts if self.relative_path else parts)["userinfo"]
        self.path = parts["path"] or ""
        self.scheme = parts["scheme"] or ""
        self.schemes = [one for one in (parts["scheme"], base_parts["scheme"]) if one is not None]
        self.base_scheme = (base_parts["scheme"] or "").lower()
        self.leaves_two_slashes = parts["host"] is None and without_dots(self.path).startswith("//")
        self.relative = (base_parts if base is not None else parts)["scheme"] is None
        self.base_host, self.base_path = base_parts["host"], base_parts["path"] or ""
        #: The queries. Dots and slashes after the path are data (RFC 3986, sections 3.4 and 3.5).
        queries = (parts["query"], base_parts["query"])
        self.query = " ".join(filter(None, queries))
        self.behind_path = " ".join(filter(None, (*queries, parts["fragment"])))

    def contains(self, pattern: str) -> bool:
        """Return True if a regular expression matches anywhere in the lower-case text."""
        return re.search(pattern, self.lower) is not None

    def in_host(self, pattern: str) -> bool:
        """Return True if a regular expression matches anywhere in the lower-case host."""
        return re.search(pattern, (self.host or "").lower()) is not None


def _is_odd_port(port: str) -> bool:
    return bool(port) and (
        not (port.isascii() and port.isdigit()) or port != str(int(port)) or not 0 < int(port) <= 65535
    )


#: The least specific class: RFC 1738 refuses every relative reference.
_BROADEST = "relative-reference"

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

#: The components of an authority. Text after the authority cannot cause a difference in these components.
_LOGIN = frozenset(("host", "userinfo", "port"))


def _of_text(test: Callable[[str], bool]) -> Callable[[_Texts], bool]:
    return lambda one: test(one.text)


#: Classes by the characters of a text, tried first. The first class that fits names the difference.
_CHARACTERS: Mapping[str, Callable[[_Texts], bool]] = {
    **{name: _of_text(test) for name, test in CHARACTERS.items()},
    "bracket": lambda one: re.search(r"[\[\]]", one.text.replace(one.authority, "", 1)) is not None,
    "zone-id": lambda one: has_zone(one.authority),
}

#: Classes by the form of a reference and its base, for any component.
_REFERENCES: Mapping[str, Callable[[_Texts], bool]] = {
    "same-scheme": lambda one: one.contains("^[^:/?#]+:(?!//)") and one.scheme.lower() == one.base_scheme,
    "double-slash": lambda one: one.reference and not one.base_host and one.leaves_two_slashes,
}

#: Classes by the component that differs, then by the form of the text.
_FORMS: Mapping[str, Mapping[str, Callable[[_Texts], bool]]] = {
    "host": {
        "several-ats": lambda one: one.authority.count("@") > 1,
        "ipv6-literal": lambda one: "[" in one.authority or one.authority.rpartition("@")[2].count(":") > 1,
        "escape-in-host": lambda one: "%" in (one.host or ""),
        "ipv4-forms": lambda one: one.in_host(r"^(0x)?[0-9a-f]*[0-9][0-9a-f]*([.](0x)?[0-9a-f]+)*[.]?$"),
        "trailing-dot": lambda one: one.in_host("[.]$"),
        "port-digits": lambda one: _is_odd_port(one.port),
        "slash-count": lambda one: one.contains("^(https?|ftp|wss?):(?!//[^/])"),
        "file-host": lambda one: one.contains("^file:"),
        "empty-host": lambda one: one.host == "",
        "host-label": lambda one: one.in_host(r"[^a-z0-9.:\[\]-]|\.\.|^[.-]|-$|-\.|\.-|[^.]{64}|.{254}"),
        "scheme-case": lambda one: (one.host or "") != (one.host or "").lower(),
    },
    "userinfo": {
        "several-ats": lambda one: one.authority.count("@") > 1,
        "login-delimiter": lambda one: (one.userinfo or "").count(":") > 1,
        "empty-component": lambda one: "userinfo" in one.empty or (one.userinfo or "").endswith(":"),
        "userinfo-not-allowed": lambda one: one.userinfo is not None,
    },
    "port": {
        "empty-port": lambda one: "port" in one.empty,
        "port-digits": lambda one: _is_odd_port(one.port),
        "default-port": lambda one: one.port in ("80", "443", "21"),
    },
    VERDICT: {"several-ats": lambda one: one.authority.count("@") > 1},
    "scheme": {"scheme-case": lambda one: one.scheme != one.scheme.lower()},
    "query": {"empty-component": lambda one: bool(one.empty) or one.empty_in_base},
    "fragment": {"empty-component": lambda one: bool(one.empty) or one.empty_in_base},
}

#: Classes by the form of the text, for any component. They are tried last.
_LAST: Mapping[str, Callable[[_Texts], bool]] = {
    "encoded-dots": lambda one: "%2e" in one.lower,
    "encoded-delimiter": lambda one: one.contains("%(2[13-9a-cf]|3[abdf]|40|5[bd])"),
    "escaped-unreserved": lambda one: "%" in one.text,
    "empty-reference": lambda one: one.text == "",
    "network-path": lambda one: one.reference and one.text.startswith("//"),
    "query-only": lambda one: one.reference and one.text.startswith("?"),
    "empty-component": lambda one: bool(one.empty) or one.empty_in_base,
    "unknown-scheme": lambda one: any(scheme.lower() not in _LISTED for scheme in one.schemes),
    "pathless-base": lambda one: bool(one.base_host) and not one.base_path,
    "double-slash": lambda one: "//" in one.path or "//" in one.base_path,
    "dots-in-base": lambda one: _DOTS.search(one.base_path) is not None,
    "dots-in-absolute-path": lambda one: _DOTS.search(one.path) is not None and not one.reference,
    "excess-dotdot": _climbs_too_high,
    "dots-elsewhere": lambda one: bool(_DOTS.search(one.behind_path) or _DOTTED_NAME.search(one.path)),
    "search-slash": lambda one: re.search("[/?]", one.query) is not None,
    "params": lambda one: ";" in (one.path or one.base_path),
    "colon-in-segment": lambda one: ":" in one.path,
    "opaque-query": lambda one: one.host is None and "?" in one.text and not one.reference,
    "relative-reference": lambda one: one.relative,
    "empty-path": lambda one: bool(one.host) and not one.path,
    "userinfo-not-allowed": lambda one: one.userinfo is not None,
}


def class_of(vector: Vector, component: str) -> str | None:
    """Return the id of the class of a difference in a component, or None if no class fits.

    If the vector names a class, return that class. Otherwise try in turn: the characters of the text, the
    form of the component, the reason why the RFCs differ, and other forms of the text.
    """
    if vector.class_ is not None:
        return vector.class_
    base = vector.base if isinstance(vector.base, str) else None
    text = vector.reference if base is not None else vector.url
    if vector.op == "recompose":
        text = vector.expect.alternatives[0].result
    if not isinstance(text, str) or (vector.rule is not None and vector.rule not in WHOLE_RULES):
        return None
    other = vector.other if isinstance(vector.other, str) else None
    return class_of_text(text, component, base, other)


@lru_cache(maxsize=65536)
def class_of_text(text: str, component: str, base: str | None = None, other: str | None = None) -> str | None:
    """Return the id of the class of a difference in a component, or None; see `class_of`.

    `base` is the base if `text` is a reference. `other` is the second text of an `equivalent` question.
    """
    whole = not any(one is not None and is_abbreviation(one) for one in (text, base, other))
    start = None if base is None else _beginning(base)
    texts = [_Texts(_beginning(one), start) for one in (text, other) if one is not None]
    login = [_Texts(one.before_path, base) for one in texts] if component in _LOGIN else texts
    tables = (
        (_CHARACTERS, login),
        (_REFERENCES, texts),
        (_FORMS.get(component, {}), texts),
        (_CHARACTERS, texts),
    )
    if found := next(filter(None, (_first(*one) for one in tables)), None):
        return found
    if whole and len(text) < _LONGEST:
        asked = (
            resolutions(base, text)
            if base is not None
            else comparisons(text, other)
            if other
            else splits(text)
        )
        if named := [one.entry.id for one in classify(asked, _classes()).named]:
            return next((entry for entry in named if entry != _BROADEST), _BROADEST)
    forms = (table for name, table in _FORMS.items() if name != component)
    return next(filter(None, (_first(table, texts) for table in (*forms, _LAST))), None)


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
