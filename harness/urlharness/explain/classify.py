"""Find the classes of difference that explain the disagreements between RFCs.

`RECOGNIZERS` maps each class to predicates that recognize it. They test one refusal, two answers that differ,
or a variant that only one RFC allows. `classify` applies these predicates to the answers to a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from urlharness.corpus.differences import DifferenceClass
from urlharness.corpus.model import AUTHORITY
from urlharness.corpus.specifications import SpecificationFacts, facts
from urlharness.explain.by_rfc import Comparison, RFCAnswer
from urlharness.explain.refusal import SLASHED, Refusal, Refusals, all_refusals, faults
from urloracle.operations import resolve

# RFC 3986, appendix B
_PARTS = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_NET_LOC = re.compile(r"(?:[A-Za-z0-9+.-]+:)?//([^/#]*)")
_DRIVE = re.compile("[A-Za-z]:")
_LOGIN = ("authority", *AUTHORITY)

#: The classes that can be recognized by the characters of a text, without the answers of the RFCs.
CHARACTERS: Mapping[str, Callable[[str], bool]] = {
    "backslash": lambda text: "\\" in text,
    "control-character": lambda text: re.search("[\x00-\x1f\x7f]", text) is not None,
    "white-space": lambda text: " " in text,
    "non-ascii": lambda text: not text.isascii(),
    "bad-escape": lambda text: re.search("%(?![0-9A-Fa-f]{2})", text) is not None,
    "unsafe-character": lambda text: re.search('[<>"{}|^`]', text) is not None,
    "second-hash": lambda text: text.count("#") > 1,
}


def has_zone(authority: str) -> bool:
    """Return True if an IPv6 address in an authority has a zone."""
    return re.search(r"\[[^\]]*%", authority) is not None


#: An absent and an empty component, as shown to users.
ABSENT, EMPTY = "∅", '""'
_ACCEPTED = "accepts it"
#: The words for each variant in an explanation.
_VARIANTS = {
    "case-sensitive": "may refuse upper case",
    "other-split": "admits another split",
    "empty-as-absent": "may treat an empty component as absent",
    "net-loc-dropped": "may drop the slashes of an empty network location",
    "delimiter-kept": "may keep the delimiter of an empty component",
    "whole-base": "may return the whole base",
    "same-document": "treats it as the current document",
    "loophole": "may ignore the scheme of the reference",
    "non-strict": "may ignore the scheme of the reference",
    "excess-dropped": "may drop `..` segments that lead above the root, or refuse the reference",
    "normalized-base": "may resolve against the normal form of the base",
}


class Parts(NamedTuple):
    """The components that the regular expression of RFC 3986, appendix B, finds in any text."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def absolute(self) -> bool:
        """True if a reference with these components does not take any part of its path from the base."""
        return self.scheme is not None or self.authority is not None or self.path.startswith("/")

    @property
    def rootless(self) -> bool:
        """True if there is no authority and the path has no leading slash."""
        return self.authority is None and not self.path.startswith("/")

    @property
    def segments(self) -> list[str]:
        """The segments of the path without its leading slash."""
        return self.path.removeprefix("/").split("/")

    @property
    def dotted(self) -> bool:
        """True if the path contains dot segments."""
        return any(segment in (".", "..") for segment in self.segments)


def split_generic(text: str) -> Parts:
    """Split any text by the regular expression of RFC 3986, appendix B."""
    found = _PARTS.fullmatch(text)
    assert found is not None  # the expression matches every text
    return Parts(*found.groups())


def _net_loc(text: str) -> str:
    """Return the network location under RFC 1808, section 2.4.3, or an empty string."""
    found = _NET_LOC.match(text)
    return found[1] if found else ""


@dataclass(frozen=True)
class AnswerPair:
    """The answers of two RFCs to a question, the earlier RFC first.

    `name` is the component or result to compare, or `admits` if the admissible variants are compared.
    """

    question: Comparison
    name: str
    one: RFCAnswer
    other: RFCAnswer

    @cached_property
    def text(self) -> Parts:
        """The components of the text."""
        return split_generic(self.question.text)

    @cached_property
    def base(self) -> Parts:
        """The components of the base. They are all absent or empty if the question has no base."""
        return split_generic(self.question.base or "")

    @property
    def resolves(self) -> bool:
        """True if the text is resolved against a base."""
        return self.question.base is not None

    @property
    def merges(self) -> bool:
        """True if the path of the target may come from the base."""
        return self.resolves and not self.text.absolute

    @property
    def scheme(self) -> str:
        """The scheme of the text in lower case, or an empty string."""
        return (self.text.scheme or "").lower()

    def involves(self, holds: Callable[[SpecificationFacts], object]) -> bool:
        """Return True if a fact holds of one of the two RFCs."""
        return any(holds(facts(answer.spec)) for answer in (self.one, self.other))

    @property
    def by_scheme(self) -> RFCAnswer | None:
        """The answer of the RFC whose schemes have rules of their own, as in RFC 1738, if it is the first."""
        return self.one if facts(self.one.spec).by_scheme else None

    def only_one(self, predicate: Callable[[Parts], bool]) -> bool:
        """Return True if the components of exactly one of the two targets meet a predicate."""
        one, other = (predicate(split_generic(answer.result or "")) for answer in (self.one, self.other))
        return one is not other

    @cached_property
    def faults(self) -> frozenset[str]:
        """The classes of the faults in the authority.

        The set is empty unless the two RFCs can disagree about the end or the parts of the authority.
        """
        if self.resolves:
            texts = (self.question.text, self.question.base or "")
            net_loc = next((cut for cut in map(_net_loc, texts) if "?" in cut), "")
            in_location = self.involves(lambda known: known.question_mark_in_location)
            return faults(net_loc) if net_loc and in_location else frozenset()
        net_loc = _net_loc(self.question.text)
        if "?" in net_loc and self.involves(lambda known: known.question_mark_in_location):
            return faults(net_loc) if self.name in (*_LOGIN, "path", "query") else frozenset()
        hosts = [(answer.components or {}).get("host", "") for answer in (self.one, self.other)]
        if self.name in _LOGIN and (hosts[0] is None) is not (hosts[1] is None):
            return faults(self.text.authority or "")
        return frozenset()


@dataclass(frozen=True)
class Recognizer:
    """The predicates that recognize a class of difference. It is enough if one of them is true.

    `refused` tests a refusal, and `differs` a pair of different answers. `admits` contains variants that
    belong to the class if only one RFC of a pair allows them. In this case, `admitted` tests the pair and the
    answer of the RFC that allows the variant.
    """

    refused: Callable[[Refusal], bool] | None = None
    differs: Callable[[AnswerPair], bool] | None = None
    admits: frozenset[str] = frozenset()
    admitted: Callable[[AnswerPair, RFCAnswer], bool] = lambda _pair, _answer: True


# refusals


def _path_of(*schemes: str) -> Callable[[Refusal], bool]:
    return lambda refusal: refusal.in_scheme_path and refusal.scheme in schemes


def _no_scheme(refusal: Refusal) -> bool:
    """Return True if an RFC without relative references refuses a text because it has no scheme."""
    absolute_only = refusal.facts.relative_rule is None and not refusal.rule
    return absolute_only and refusal.scheme is None and refusal.char not in ("~", "[", "]")


def _no_slashes(refusal: Refusal, *, file: bool) -> bool:
    """Return True if RFC 1738 requires two slashes after the scheme but they are missing.

    If `file` is true, the scheme must be `file`. Otherwise, the scheme must be a different one.
    """
    needed = refusal.has_rule and refusal.scheme in SLASHED and refusal.net_loc is None
    return needed and refusal.char not in ("~", "[", "]") and (refusal.scheme == "file") is file


def _slash_count(refusal: Refusal) -> bool:
    if _no_scheme(refusal) and refusal.text[: refusal.at].lower() in SLASHED:
        return refusal.text.startswith("//", refusal.at)
    return "slash-count" in refusal.faults or _no_slashes(refusal, file=False)


def _drive(refusal: Refusal) -> bool:
    drive = _DRIVE.match(refusal.text, refusal.after_scheme) is not None
    return (drive and _no_slashes(refusal, file=True)) or "file-drive" in refusal.faults


def _file_host(refusal: Refusal) -> bool:
    no_path = refusal.in_scheme_path and refusal.scheme == "file" and not refusal.in_path
    no_host = _no_slashes(refusal, file=True) and not _drive(refusal)
    return no_host or no_path or "file-host" in refusal.faults


def _later_colon(refusal: Refusal, *, scheme_like: bool) -> bool:
    """Return True if the first colon is refused because no scheme precedes it.

    This follows from section 3.1 of RFC 2396 and 3986. If `scheme_like` is true, the text before the colon
    must consist of letters, digits, `+`, `-` and `.`. Otherwise, it must be empty or contain any other
    character.
    """
    before = refusal.text[: refusal.at]
    later = refusal.facts.letter_begins_scheme and not refusal.rule
    like = bool(before) and all(char.isalnum() or char in "+-." for char in before)
    return later and refusal.char == ":" and ":" not in before and like is scheme_like


def _has_no_opaque_part(refusal: Refusal) -> bool:
    """Return True if an RFC reads an authority after two slashes whatever the scheme, as RFC 3986 does."""
    return refusal.facts.generic and not refusal.facts.opaque_parts


# two answers that differ


def _has_params(known: SpecificationFacts) -> bool:
    return known.params


def _drops_empty(known: SpecificationFacts) -> bool:
    return known.empty_is_absent


def _removes_dots(known: SpecificationFacts) -> bool:
    return known.removes_dots


def _component_of(answer: RFCAnswer | None, name: str) -> str | None:
    """Return a component of an answer, or None if there is no answer or the component is absent."""
    return None if answer is None or answer.components is None else answer.components.get(name)


def _question_in_path(pair: AnswerPair) -> bool:
    """Return True if RFC 1738 keeps a question mark in the path."""
    return pair.name == "path" and "?" in (_component_of(pair.by_scheme, "path") or "")


def _path_ends(pair: AnswerPair, delimiter: str) -> bool:
    """Return True if the path ends at the delimiter under RFC 1738 but continues under the other RFC."""
    old = _component_of(pair.by_scheme, "path")
    later = _component_of(pair.other, "path") or ""
    return pair.name == "path" and old is not None and later.startswith(f"{old}{delimiter}")


def _slashes_in_data(pair: AnswerPair, scheme: str) -> bool:
    """Return True if two slashes follow this scheme but do not begin an authority under RFC 1738."""
    return pair.scheme == scheme and pair.by_scheme is not None and pair.text.authority is not None


def _params(pair: AnswerPair) -> bool:
    """Return True if parameters, which RFC 1808 separates, cause the difference in the path or the target."""
    base, text = pair.question.base, pair.question.text
    if not pair.involves(_has_params):
        return False
    old, other = (pair.one, pair.other) if _has_params(facts(pair.one.spec)) else (pair.other, pair.one)
    if base is None:
        path = _component_of(old, "path")
        params = _component_of(old, "params")
        whole = _component_of(other, "path") or ""
        return pair.name == "path" and params is not None and whole.startswith(f"{path};{params}")
    without = resolve(base.replace(";", "%3B"), text.replace(";", "%3B"), old.spec).text
    return without.replace("%3B", ";") != (old.result or "").replace("%3B", ";")


def _empty_component(pair: AnswerPair) -> bool:
    """Return True if the base or the reference has an empty component. RFC 1808 treats it as absent."""
    if not pair.involves(_drops_empty) or not pair.resolves or pair.question.text == "#":
        return False
    texts = (pair.text, pair.base)
    return any(text.path.endswith(";") or "" in (text.query, text.fragment) for text in texts)


def _query_only(pair: AnswerPair) -> bool:
    """Return True if the reference consists of a query and exactly one of the two RFCs is RFC 2396 or 2732.

    For such a reference, only these two RFCs drop the last segment of the base path.
    """
    one, other = (facts(answer.spec).query_drops_segment for answer in (pair.one, pair.other))
    later = one is not other
    dropped = bool(pair.base.path) and not pair.base.path.endswith("/")
    return later and dropped and pair.question.text.startswith("?")


def _pathless_base(pair: AnswerPair) -> bool:
    """Return True if the base has no path and the reference must be merged with the base."""
    nonempty = bool(pair.text.path) or pair.text.query is not None
    pathless = pair.base.authority is not None and not pair.base.path
    return pair.merges and nonempty and pathless and not pair.faults


def _rootless(pair: AnswerPair) -> bool:
    """Return True if a rootless path causes the difference.

    A reference without a scheme must be merged with a base that has a rootless path. A reference with a
    scheme must have a rootless path with dot segments itself.
    """
    if pair.text.scheme is None:
        return pair.merges and pair.base.rootless
    return pair.resolves and pair.text.rootless and pair.text.dotted and pair.involves(_removes_dots)


def _fault(name: str) -> Recognizer:
    """Return the recognizer of a fault in an authority.

    Some RFCs refuse the fault, others split it differently.
    """
    return Recognizer(lambda refusal: name in refusal.faults, lambda pair: name in pair.faults)


# The comment after each class cites the section of the stricter RFC.
RECOGNIZERS: Mapping[str, Recognizer] = {
    # the scheme
    "relative-reference": Recognizer(_no_scheme),  # RFC 1738, 5: every rule begins with a scheme
    "scheme-case": Recognizer(  # RFC 1738, 2.1
        lambda refusal: refusal.rule == "scheme" and refusal.char.isupper(),
        admits=frozenset({"case-sensitive"}),
    ),
    "scheme-first-char": Recognizer(  # RFC 2396 and 3986, 3.1: the first character is a letter
        lambda refusal: _later_colon(refusal, scheme_like=True)
    ),
    "colon-in-segment": Recognizer(  # RFC 2396, 5; RFC 3986, 4.2
        lambda refusal: _later_colon(refusal, scheme_like=False)
    ),
    "empty-scheme-part": Recognizer(  # RFC 2396, 3: an opaque part has at least one character
        lambda refusal: (
            refusal.facts.opaque_parts
            and refusal.scheme is not None
            and refusal.at == refusal.after_scheme
            and refusal.char in ("", "#")
        )
    ),
    "slash-count": Recognizer(_slash_count),  # RFC 1738, 3.1
    "scheme-rule": Recognizer(  # RFC 1738, 5: a URL with a listed scheme must match the rule of this scheme
        lambda refusal: (
            (_no_slashes(refusal, file=False) and not refusal.text.startswith("/", refusal.after_scheme))
            or (_path_of("prospero")(refusal) and not refusal.in_path)
        ),
        lambda pair: pair.scheme == "prospero" and _question_in_path(pair),
    ),
    # the authority
    "userinfo-not-allowed": Recognizer(  # RFC 1738, 3.1 and 3.3
        lambda refusal: "userinfo-not-allowed" in refusal.faults
    ),
    "several-ats": _fault("several-ats"),  # RFC 1738, 3.1; RFC 3986, 3.2.1
    "login-delimiter": _fault("login-delimiter"),  # RFC 1738, 3.1
    "empty-host": Recognizer(  # RFC 1738, 3.1; RFC 1808, 4, step 3; RFC 2396, 3.2.2
        lambda refusal: "empty-host" in refusal.faults,
        lambda pair: (
            (pair.resolves and pair.text.authority == "" and pair.involves(_drops_empty))
            or ("empty-host" in pair.faults and pair.scheme != "file")
        ),
        admits=frozenset({"net-loc-dropped"}),
    ),
    "host-label": _fault("host-label"),  # RFC 1738, 3.1; RFC 2396, 3.2.2
    "trailing-dot": _fault("trailing-dot"),  # RFC 1738, 3.1
    "escape-in-host": _fault("escape-in-host"),  # RFC 1738, 5; RFC 3986, 3.2.2
    "ipv4-forms": _fault("ipv4-forms"),  # RFC 1738, 5; RFC 3986, 3.2.2
    "ipv4-range": Recognizer(  # RFC 2732, 3; RFC 3986, 3.2.2
        lambda refusal: refusal.rule == "IPv4address" and refusal.char.isdigit(),
        lambda pair: "ipv4-range" in pair.faults,
    ),
    "ipv6-literal": _fault("ipv6-literal"),  # RFC 2732, 3; RFC 3986, 3.2.2
    "empty-port": _fault("empty-port"),  # RFC 1738, 3.1
    "port-digits": _fault("port-digits"),  # RFC 1738, 5; RFC 3986, 3.2.3
    "netloc-end": _fault("netloc-end"),  # RFC 1738, 3.3; RFC 1808, 2.4.3
    # the part after the login, which the rule of the scheme defines: RFC 1738, 3.2 to 3.11
    "file-host": Recognizer(  # 3.10
        _file_host, lambda pair: "empty-host" in pair.faults and pair.scheme == "file"
    ),
    "file-drive": Recognizer(_drive),  # 3.10
    "ftp-question": Recognizer(  # 3.2.2 and 3.10: no search part
        None,
        lambda pair: pair.scheme in ("ftp", "file") and _question_in_path(pair),
        frozenset({"other-split"}),
        lambda pair, answer: bool(facts(answer.spec).by_scheme) and pair.scheme in ("ftp", "file"),
    ),
    "ftp-type": Recognizer(  # 3.2.2
        lambda refusal: "ftp-type" in refusal.faults or (refusal.in_path and _path_of("ftp")(refusal)),
        lambda pair: pair.scheme == "ftp" and _path_ends(pair, ";type="),
    ),
    "search-slash": Recognizer(  # 3.3 and 3.9
        lambda refusal: refusal.in_search and refusal.char in ("/", "?")
    ),
    "gopher-parts": Recognizer(  # 3.4.1
        lambda refusal: "gopher-parts" in refusal.faults,
        lambda pair: (
            pair.scheme == "gopher" and pair.by_scheme is not None and pair.name in ("path", "query")
        ),
    ),
    "mailto-address": Recognizer(  # 3.5
        lambda refusal: (
            _path_of("mailto")(refusal)
            or (refusal.scheme == "mailto" and _has_no_opaque_part(refusal) and bool(refusal.faults))
        ),
        lambda pair: _slashes_in_data(pair, "mailto"),
    ),
    "news-grouppart": Recognizer(  # 3.6 and 3.7
        _path_of("news", "nntp"), lambda pair: _slashes_in_data(pair, "news")
    ),
    "telnet-path": Recognizer(_path_of("telnet")),  # 3.8
    "wais-parts": Recognizer(_path_of("wais")),  # 3.9
    "prospero-fields": Recognizer(  # 3.11
        lambda refusal: refusal.in_path and _path_of("prospero")(refusal),
        lambda pair: pair.scheme == "prospero" and _path_ends(pair, ";"),
    ),
    # characters
    "tilde": Recognizer(  # RFC 1738 and 1808, 2.2
        lambda refusal: refusal.char == "~" and not refusal.facts.safe_tilde
    ),
    "bracket": Recognizer(  # RFC 2732, 3, changes what is reserved
        lambda refusal: refusal.char in ("[", "]") and "ipv6-literal" not in refusal.faults
    ),
    "fragment": Recognizer(  # RFC 1738, 2.2: the crosshatch is unsafe
        lambda refusal: refusal.char == "#" and not refusal.facts.fragments and refusal.text != "#"
    ),
    "escaped-unreserved": Recognizer(  # RFC 2396, 2.3
        differs=lambda pair: pair.name == "equal" and "%" in f"{pair.question.text}{pair.question.other}"
    ),
    # path, parameters, query
    "params": Recognizer(  # RFC 1738, 3.10; RFC 1808, 2.4.5
        lambda refusal: refusal.in_path and _path_of("file")(refusal), _params
    ),
    "opaque-query": Recognizer(  # RFC 1738, 2.1; RFC 2396, B
        None,
        lambda pair: pair.scheme not in SLASHED and _question_in_path(pair),
        frozenset({"other-split"}),
        lambda _, answer: not facts(answer.spec).by_scheme,
    ),
    "empty-segment": Recognizer(  # RFC 1808, 2.2: fsegment
        lambda refusal: (
            refusal.char == "/" and not refusal.facts.empty_segments and "hex" not in refusal.rules
        )
    ),
    "empty-component": Recognizer(  # RFC 1808, 2.4 and 4
        None,
        _empty_component,
        frozenset({"delimiter-kept", "empty-as-absent"}),
        lambda pair, _: pair.question.text != "#",
    ),
    # kinds of references: RFC 1808, 4; RFC 2396, 5.2; RFC 3986, 5.2.2
    "empty-reference": Recognizer(
        lambda refusal: _no_scheme(refusal) and not refusal.text,
        lambda pair: pair.resolves and not pair.question.text,
        frozenset({"same-document"}),
        lambda pair, _: pair.question.text != "#",
    ),
    "lone-hash": Recognizer(
        lambda refusal: not refusal.facts.fragments and refusal.text == "#",
        lambda pair: pair.question.text == "#",
        frozenset({"delimiter-kept", "whole-base", "same-document", "empty-as-absent"}),
        lambda pair, _: pair.question.text == "#",
    ),
    "query-only": Recognizer(
        lambda refusal: _no_scheme(refusal) and refusal.text.startswith("?"), _query_only
    ),
    "same-scheme": Recognizer(admits=frozenset({"loophole", "non-strict"})),
    "pathless-base": Recognizer(differs=_pathless_base),
    "rootless": Recognizer(lambda refusal: bool(refusal.reason) and refusal.scheme is not None, _rootless),
    # dot segments: RFC 1808, 4, step 6; RFC 2396, 5.2, step 6; RFC 3986, 5.2.4
    "excess-dotdot": Recognizer(
        differs=lambda pair: pair.merges and pair.only_one(lambda target: target.segments[0] == ".."),
        admits=frozenset({"excess-dropped"}),
    ),
    "dots-in-base": Recognizer(
        differs=lambda pair: pair.merges and pair.base.dotted and pair.only_one(lambda target: target.dotted),
        admits=frozenset({"normalized-base"}),
    ),
    "dots-in-absolute-path": Recognizer(
        differs=lambda pair: (
            pair.resolves and pair.text.absolute and pair.text.dotted and pair.involves(_removes_dots)
        )
    ),
}


@dataclass(frozen=True)
class AgreeingRFCs:
    """RFCs that give the same answer.

    `sections` maps each RFC to the section from which its answer follows. `what` is the answer in words.
    """

    sections: Mapping[str, str]
    what: str


@dataclass(frozen=True)
class NamedDifference:
    """A difference that a class explains: the class, the RFCs on each side, and the rulings that apply."""

    entry: DifferenceClass
    sides: tuple[AgreeingRFCs, ...]
    rulings: tuple[str, ...]


@dataclass(frozen=True)
class Differences:
    """The differences between the answers: those with a class (`named`), and those without (`unnamed`)."""

    named: tuple[NamedDifference, ...]
    unnamed: tuple[tuple[AgreeingRFCs, ...], ...]


class _Clause(NamedTuple):
    """One statement in words about the answer of an RFC.

    `section` may be empty if the class cites a section.
    """

    spec: str
    what: str
    section: str = ""


#: A difference: the ids of the classes that explain it, and the answers of the RFCs in words.
_Difference = tuple[list[str], list[_Clause]]


def classify(question: Comparison, classes: Mapping[str, DifferenceClass]) -> Differences:
    """Classify the differences between the answers. `classes` maps ids to the classes of the corpus."""
    if question.unanimous:
        return Differences((), ())
    by_class: dict[str, list[_Clause]] = {}
    unnamed: list[tuple[AgreeingRFCs, ...]] = []
    for ids, clauses in (*_refusals(question), *_disagreements(question), *_variants(question)):
        for class_id in ids:
            by_class.setdefault(class_id, []).extend(clauses)
        if not ids and (sides := _sides(clauses, {})) not in unnamed:
            unnamed.append(sides)
    accepting = [spec for spec, answer in question.answers.items() if answer.problem is None]
    named = [_named(classes[class_id], clauses, accepting) for class_id, clauses in by_class.items()]
    return Differences(tuple(named), tuple(unnamed))


def _refusals(question: Comparison) -> Iterator[_Difference]:
    """Yield the differences between refusals, for each text of the question.

    Refusals are grouped by class, or by offset if they have no class. A group is a difference if another RFC
    accepts the text at one of its offsets.
    """
    texts = (question.text, question.other, question.base)
    for text in dict.fromkeys(text for text in texts if text is not None):
        found = {}
        for spec, answer in question.answers.items():
            if answer.problem is None or answer.problem.text == text:
                found[spec] = all_refusals(text, spec, answer.problem, question.rule)
        yield from _classified(found)


def _classified(found: Mapping[str, Refusals]) -> Iterator[_Difference]:
    # by class, or by offset if there is no class
    groups: dict[tuple[str, int], dict[str, tuple[int, Refusal]]] = {}
    for spec, one in found.items():
        for at, refusal in one.refusals:
            ids = [name for name, by in RECOGNIZERS.items() if by.refused and by.refused(refusal)]
            for key in [(class_id, 0) for class_id in ids] or [("", at)]:
                groups.setdefault(key, {}).setdefault(spec, (at, refusal))
    for (class_id, _), refused in groups.items():
        offsets = {at for at, _ in refused.values()}
        whole = any(refusal.reason for _, refusal in refused.values())
        accepting = [
            spec
            for spec, one in found.items()
            if spec not in refused and any(map(one.accepts, offsets)) and not (whole and one.refusals)
        ]
        if accepting:
            clauses = [_refused(spec, *refused[spec], first=found[spec].refusals[0][0]) for spec in refused]
            yield [class_id] if class_id else [], clauses + [_Clause(spec, _ACCEPTED) for spec in accepting]


def _refused(spec: str, at: int, refusal: Refusal, *, first: int) -> _Clause:
    """Return a refusal in words. `first` is the offset of the first refusal of the text.

    The words are "would refuse" if this refusal appears only after the first one is repaired.
    """
    what = refusal.reason
    if not what and refusal.char:
        what = f"{'refuses' if at == first else 'would refuse'} {character(refusal.char)} at {at}"
    elif not what:
        what = f"{'says' if at == first else 'would say'} that the text ends too early, at offset {at}"
    return _Clause(spec, what, refusal.section)


def character(char: str) -> str:
    """Return a printable ASCII character in quotes, or `a blank` for a space.

    Return the code point of any other character.
    """
    if char.isascii() and char.isprintable():
        return "a blank" if char == " " else repr(char)
    return f"U+{ord(char):04X}"


def _disagreements(question: Comparison) -> Iterator[_Difference]:
    """Yield each difference of two RFCs in a component, a target or a verdict on equality."""
    for one, other in combinations(question.answers.values(), 2):
        values, others = one.recommended, other.recommended
        names = [name for name in values if name in others and values[name] != others[name]]
        if question.other is not None and (one.problem is None) is not (other.problem is None):
            names = ["equal"]
        for name in names:
            pair = AnswerPair(question, name, one, other)
            ids = [class_id for class_id, by in RECOGNIZERS.items() if by.differs and by.differs(pair)]
            # without a class, do not report a refusal here: `_refusals` reports it
            if ids or (one.problem is None and other.problem is None):
                yield ids, [_Clause(answer.spec, _in_words(answer, name)) for answer in (one, other)]


def _in_words(answer: RFCAnswer, name: str) -> str:
    """Return a component or result of an answer in words. A path of RFC 1808 is shown with its parameters."""
    if answer.problem is not None:
        return "refuses a text"
    if name == "equal":
        return "equivalent" if answer.equal else "not equivalent"
    if name == "target":
        return f"gives {answer.result or EMPTY}"
    components = answer.components or {}
    text = f"{name} {_component(components[name])}"
    params = components.get("params") if name == "path" else None
    return text if params is None else f"{text}, params {_component(params)}"


def _component(value: str | None) -> str:
    return ABSENT if value is None else value or EMPTY


def _variants(question: Comparison) -> Iterator[_Difference]:
    """Yield the variants that belong to a class and that one RFC allows but another RFC does not."""
    for one, other in combinations(question.answers.values(), 2):
        pair = AnswerPair(question, "admits", one, other)
        for answer, peer in ((one, other), (other, one)):
            for class_id, by in RECOGNIZERS.items():
                variants = sorted(by.admits & answer.admits - peer.admits)
                if variants and peer.problem is None and by.admitted(pair, answer):
                    yield [class_id], [_Clause(answer.spec, _VARIANTS[variant]) for variant in variants]


def _named(entry: DifferenceClass, clauses: Sequence[_Clause], accepting: Sequence[str]) -> NamedDifference:
    sides = _sides(clauses, entry.sections)
    if len(sides) == 1:  # a variant that only one RFC allows
        rest = [_Clause(spec, "allows no variant") for spec in accepting if spec not in sides[0].sections]
        sides += _sides(rest, entry.sections)
    families = {"G"}
    for side in sides:
        for spec in side.sections:
            families.update(_families(spec))
    return NamedDifference(entry, sides, tuple(ruling for ruling in entry.rulings if ruling[:-3] in families))


def _families(spec: str) -> list[str]:
    """Return the beginnings of the rulings on an RFC: its own, and those of the RFC that it amends."""
    names = filter(None, (spec, facts(spec).amends))
    return [f"R-{name.removeprefix('rfc')}" for name in names]


def _sides(clauses: Iterable[_Clause], sections: Mapping[Any, Sequence[str]]) -> tuple[AgreeingRFCs, ...]:
    """Join the clauses of each RFC, and put RFCs with the same joined text on one side.

    `sections` contains the sections of the class by RFC. The first one is cited if a clause cites none.
    """
    texts: dict[str, dict[str, None]] = {}
    cited: dict[str, str] = {}
    for clause in clauses:
        texts.setdefault(clause.spec, {})[clause.what] = None
        cited.setdefault(clause.spec, clause.section or next(iter(sections.get(clause.spec, ())), ""))
    sides: dict[str, dict[str, str]] = {}
    for spec in sorted(texts):
        shown = [what for what in texts[spec] if what != _ACCEPTED or len(texts[spec]) == 1]
        sides.setdefault(", ".join(shown), {})[spec] = cited[spec]
    return tuple(AgreeingRFCs(found, what) for what, found in sides.items())
