"""Which class of difference accounts for what the RFCs answer differently.

`SIGNS` is the table: how each class shows, as a predicate of one refusal, of two answers, or of an answer
that one RFC admits. `classify` applies it to the answers to a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from urlharness.corpus.differences import DifferenceClass
from urlharness.explain.answers import Answer, Comparison
from urlharness.explain.refusal import SLASHED, Reading, Refusal, all_refusals, faults
from urloracle.operations import resolve

# RFC 3986, appendix B
_PARTS = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_NET_LOC = re.compile(r"(?:[A-Za-z0-9+.-]+:)?//([^/#]*)")
_LOGIN = ("authority", "userinfo", "host", "port")
_RFC2396 = ("rfc2396", "rfc2732")


class Parts(NamedTuple):
    """The components of any text by the expression of RFC 3986, appendix B."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def absolute(self) -> bool:
        """Return True if the target takes nothing from the path of the base."""
        return self.scheme is not None or self.authority is not None or self.path.startswith("/")

    @property
    def rootless(self) -> bool:
        """Return True for a path without a leading slash and without an authority."""
        return self.authority is None and not self.path.startswith("/")

    @property
    def segments(self) -> list[str]:
        """The segments of the path without its leading slash."""
        return self.path.removeprefix("/").split("/")

    @property
    def dotted(self) -> bool:
        """Return True for a path with dot segments."""
        return any(segment in (".", "..") for segment in self.segments)


def parts(text: str) -> Parts:
    """Split any text; RFC 3986, appendix B."""
    found = _PARTS.fullmatch(text)
    assert found is not None  # it matches every text
    return Parts(*found.groups())


def net_loc(text: str) -> str:
    """Return the network location by RFC 1808, section 2.4.3, or an empty string."""
    found = _NET_LOC.match(text)
    return found[1] if found else ""


@dataclass(frozen=True)
class Pair:
    """Answers of two RFCs, the earlier one first, and the name of the component or result that differs."""

    question: Comparison
    name: str
    one: Answer
    other: Answer

    @cached_property
    def text(self) -> Parts:
        """The components of the text or reference."""
        return parts(self.question.text)

    @cached_property
    def base(self) -> Parts | None:
        """The components of the base of a resolution."""
        return None if self.question.base is None else parts(self.question.base)

    @property
    def scheme(self) -> str:
        """The scheme of the text in lower case, or an empty string."""
        return (self.text.scheme or "").lower()

    def by(self, spec: str) -> Answer | None:
        """Return the answer of an RFC if it is one of the two, or None."""
        return next((answer for answer in (self.one, self.other) if answer.spec == spec), None)

    # components

    @cached_property
    def authority_faults(self) -> frozenset[str]:
        """The classes of faults in an authority that the two RFCs end or split differently."""
        if self.base is not None:
            return self._net_loc_faults()
        wide = net_loc(self.question.text)
        if "?" in wide and {self.one.spec, self.other.spec} & {"rfc1738", "rfc1808"}:
            return faults(wide) if self.name in (*_LOGIN, "path", "query") else frozenset()
        hosts = [(answer.components or {}).get("host", "") for answer in (self.one, self.other)]
        if self.name in _LOGIN and (hosts[0] is None) is not (hosts[1] is None):
            return faults(self.text.authority or "")
        return frozenset()

    def _net_loc_faults(self) -> frozenset[str]:
        texts = (self.question.text, self.question.base or "")
        wide = next((cut for cut in map(net_loc, texts) if "?" in cut), None)
        return frozenset() if wide is None or self.by("rfc1808") is None else faults(wide)

    @property
    def old_question(self) -> bool:
        """Return True if RFC 1738 keeps a question mark in the path."""
        path = self._component("rfc1738", "path")
        return self.name == "path" and path is not None and "?" in path

    def old_cut(self, delimiter: str) -> bool:
        """Return True if RFC 1738 ends the path at a delimiter that the other keeps in it."""
        old, later = self._component("rfc1738", "path"), self._component(self.other.spec, "path")
        return self.name == "path" and old is not None and (later or "").startswith(f"{old}{delimiter}")

    def old_parts(self, scheme: str) -> bool:
        """Return True if RFC 1738 splits path or query by the rule of this scheme."""
        return self.scheme == scheme and self.by("rfc1738") is not None and self.name in ("path", "query")

    def old_slashes(self, scheme: str) -> bool:
        """Return True if RFC 1738 has two slashes inside the data of this scheme."""
        return self.scheme == scheme and self.by("rfc1738") is not None and self.text.authority is not None

    @property
    def cut_at_semicolon(self) -> bool:
        """Return True if the parameters of RFC 1808 explain another path or another target."""
        if self.base is None:
            path, params = self._component("rfc1808", "path"), self._component("rfc1808", "params")
            other = self.other if self.one.spec == "rfc1808" else self.one
            whole = (other.components or {}).get("path") or ""
            return self.name == "path" and params is not None and whole.startswith(f"{path};{params}")
        known = self.by("rfc1808")
        if known is None or known.result is None or self.question.base is None:
            return False
        base, reference = (text.replace(";", "%3B") for text in (self.question.base, self.question.text))
        without = resolve(base, reference, "rfc1808").text
        return without.replace("%3B", ";") != known.result.replace("%3B", ";")

    @property
    def empty_in_rfc1808(self) -> bool:
        """Return True if base or reference has an empty component, which RFC 1808 treats as absent."""
        if self.by("rfc1808") is None or self.base is None or self.question.text == "#":
            return False
        return any(
            text.path.endswith(";") or "" in (text.query, text.fragment) for text in (self.text, self.base)
        )

    def _component(self, spec: str, name: str) -> str | None:
        answer = self.by(spec)
        return None if answer is None else (answer.components or {}).get(name)

    # targets

    @property
    def targets(self) -> tuple[Parts, Parts]:
        """The components of the two targets."""
        return parts(self.one.result or ""), parts(self.other.result or "")

    @property
    def triplets(self) -> bool:
        """Return True if one of two compared texts has a percent sign."""
        return "%" in self.question.text + (self.question.other or "")

    @property
    def empty_authority(self) -> bool:
        """Return True for a reference with an empty authority, which RFC 1808 treats as absent."""
        return self.base is not None and self.text.authority == "" and self.by("rfc1808") is not None

    @property
    def segment_dropped(self) -> bool:
        """Return True if only RFC 2396 drops the last segment of the base before a lone query."""
        if self.base is None or not self.question.text.startswith("?"):
            return False
        later = (self.one.spec in _RFC2396) is not (self.other.spec in _RFC2396)
        return later and bool(self.base.path) and not self.base.path.endswith("/")

    @property
    def pathless_base(self) -> bool:
        """Return True for a base without a path and a reference that needs one."""
        if self.base is None or self.text.absolute or self._net_loc_faults():
            return False
        asked = bool(self.text.path) or self.text.query is not None
        return asked and self.base.authority is not None and not self.base.path

    @property
    def rootless(self) -> bool:
        """Return True if a rootless path of the base, or dots in one of the reference, must be resolved."""
        if self.base is None:
            return False
        if self.text.scheme is None:
            return self.base.rootless and not self.text.absolute
        return self.text.rootless and self.text.dotted and self.by("rfc3986") is not None

    @property
    def excess(self) -> bool:
        """Return True if `..` above the root remains in only one target."""
        if self.base is None or self.text.absolute:
            return False
        one, other = (target.segments[0] == ".." for target in self.targets)
        return one is not other

    @property
    def dots_of_base(self) -> bool:
        """Return True if dot segments of the base remain in only one target."""
        if self.base is None or self.text.absolute or not self.base.dotted:
            return False
        one, other = (target.dotted for target in self.targets)
        return one is not other

    @property
    def dots_of_reference(self) -> bool:
        """Return True if RFC 3986 removes dots from a path that comes from the reference alone."""
        whole = self.base is not None and self.text.absolute and self.text.dotted
        return whole and (self.by("rfc3986") is not None)


@dataclass(frozen=True)
class Sign:
    """How a class shows: predicates of one refusal, of two answers, and of a variant that one RFC admits.

    `admits` has the names of such variants; `admitted` gets both answers and the one that admits it.
    """

    refused: Callable[[Refusal], bool] | None = None
    differs: Callable[[Pair], bool] | None = None
    admits: frozenset[str] = frozenset()
    admitted: Callable[[Pair, Answer], bool] = lambda _pair, _answer: True


def _fault(name: str) -> Callable[[Refusal], bool]:
    return lambda refusal: name in refusal.faults


def _odd(name: str) -> Callable[[Pair], bool]:
    return lambda pair: name in pair.authority_faults


def _path_of(*schemes: str) -> Callable[[Refusal], bool]:
    return lambda refusal: refusal.own_path and refusal.scheme in schemes


def _no_scheme(refusal: Refusal) -> bool:
    """RFC 1738 refuses a text before any colon."""
    return refusal.spec == "rfc1738" and not refusal.asked and refusal.scheme is None and _plain(refusal)


def _plain(refusal: Refusal) -> bool:
    return not refusal.char or refusal.char not in "~[]"


def _no_slashes(refusal: Refusal) -> bool:
    """The two slashes are missing after a scheme of RFC 1738 that needs them."""
    return refusal.known and refusal.scheme in SLASHED and refusal.wide is None and _plain(refusal)


def _without_slashes(refusal: Refusal) -> bool:
    found = _no_slashes(refusal) and refusal.scheme != "file"
    return found and not refusal.text.startswith("/", refusal.after_scheme)


def _slash_count(refusal: Refusal) -> bool:
    if _no_scheme(refusal) and refusal.text[: refusal.at].lower() in SLASHED:
        return refusal.text.startswith("//", refusal.at)
    return "slash-count" in refusal.faults or (_no_slashes(refusal) and refusal.scheme != "file")


def _drive(refusal: Refusal) -> bool:
    drive = re.compile("[A-Za-z]:").match(refusal.text, refusal.after_scheme) is not None
    found = _no_slashes(refusal) and refusal.scheme == "file" and drive
    return found or "file-drive" in refusal.faults


def _file_host(refusal: Refusal) -> bool:
    found = _no_slashes(refusal) and refusal.scheme == "file" and not _drive(refusal)
    missing = refusal.own_path and refusal.scheme == "file" and not refusal.in_path
    return found or missing or "file-host" in refusal.faults


def _later_colon(refusal: Refusal) -> bool:
    """A colon that does not end a scheme: RFC 2396, 3.1; RFC 3986, 3.1."""
    later = refusal.spec in ("rfc2396", "rfc2732", "rfc3986") and not refusal.asked
    return later and refusal.char == ":" and ":" not in refusal.text[: refusal.at]


def _scheme_like(refusal: Refusal) -> bool:
    prefix = refusal.text[: refusal.at]
    return bool(prefix) and all(char.isalnum() or char in "+-." for char in prefix)


def _bracket(refusal: Refusal) -> bool:
    found = refusal.char and refusal.char in "[]"
    return bool(found) and "ipv6-literal" not in refusal.faults


def _empty_opaque_part(refusal: Refusal) -> bool:
    """RFC 2396, section 3: an opaque part has at least one character."""
    later = refusal.spec in ("rfc2396", "rfc2732") and refusal.scheme is not None
    return later and refusal.at == refusal.after_scheme and refusal.char in ("", "#")


def _opaque_base(refusal: Refusal) -> bool:
    return bool(refusal.reason) and refusal.scheme is not None


# The section after each class is that of the RFC that accepts less.
SIGNS: Mapping[str, Sign] = {
    # the scheme, and whether there is one
    "relative-reference": Sign(_no_scheme),  # RFC 1738, 5: every rule begins with a scheme
    "scheme-case": Sign(  # RFC 1738, 2.1
        lambda refusal: refusal.asked == "scheme" and refusal.char.isupper(),
        admits=frozenset({"case-sensitive"}),
    ),
    "scheme-first-char": Sign(  # RFC 2396 and 3986, 3.1: a letter first
        lambda refusal: _later_colon(refusal) and _scheme_like(refusal)
    ),
    "colon-in-segment": Sign(  # RFC 2396, 5; RFC 3986, 4.2
        lambda refusal: _later_colon(refusal) and not _scheme_like(refusal)
    ),
    "empty-scheme-part": Sign(_empty_opaque_part),  # RFC 2396, 3
    "slash-count": Sign(_slash_count),  # RFC 1738, 3.1
    "scheme-rule": Sign(  # RFC 1738, 5: a scheme of the list has its own rule alone
        lambda refusal: _without_slashes(refusal) or (_path_of("prospero")(refusal) and not refusal.in_path),
        lambda pair: pair.scheme == "prospero" and pair.old_question,
    ),
    # the authority
    "userinfo-not-allowed": Sign(_fault("userinfo-not-allowed")),  # RFC 1738, 3.1 and 3.3
    "several-ats": Sign(_fault("several-ats"), _odd("several-ats")),  # RFC 1738, 3.1; RFC 3986, 3.2.1
    "login-delimiter": Sign(_fault("login-delimiter"), _odd("login-delimiter")),  # RFC 1738, 3.1
    "empty-host": Sign(  # RFC 1738, 3.1; RFC 1808, 4, step 3; RFC 2396, 3.2.2
        _fault("empty-host"),
        lambda pair: (
            pair.empty_authority or ("empty-host" in pair.authority_faults and pair.scheme != "file")
        ),
        admits=frozenset({"net-loc-dropped"}),
    ),
    "host-label": Sign(_fault("host-label"), _odd("host-label")),  # RFC 1738, 3.1; RFC 2396, 3.2.2
    "trailing-dot": Sign(_fault("trailing-dot"), _odd("trailing-dot")),  # RFC 1738, 3.1
    "escape-in-host": Sign(_fault("escape-in-host"), _odd("escape-in-host")),  # RFC 1738, 5; RFC 3986, 3.2.2
    "ipv4-forms": Sign(_fault("ipv4-forms"), _odd("ipv4-forms")),  # RFC 1738, 5; RFC 3986, 3.2.2
    "ipv4-range": Sign(  # RFC 2732, 3; RFC 3986, 3.2.2
        lambda refusal: refusal.asked == "IPv4address" and refusal.char.isdigit(), _odd("ipv4-range")
    ),
    "ipv6-literal": Sign(_fault("ipv6-literal"), _odd("ipv6-literal")),  # RFC 2732, 3; RFC 3986, 3.2.2
    "empty-port": Sign(_fault("empty-port"), _odd("empty-port")),  # RFC 1738, 3.1
    "port-digits": Sign(_fault("port-digits"), _odd("port-digits")),  # RFC 1738, 5; RFC 3986, 3.2.3
    "netloc-end": Sign(_fault("netloc-end"), _odd("netloc-end")),  # RFC 1738, 3.3; RFC 1808, 2.4.3
    # what follows the login by the rule of a scheme: RFC 1738, 3.2 to 3.11
    "file-host": Sign(  # 3.10
        _file_host, lambda pair: "empty-host" in pair.authority_faults and pair.scheme == "file"
    ),
    "file-drive": Sign(_drive),  # 3.10
    "ftp-question": Sign(  # 3.2.2 and 3.10: no search part
        None,
        lambda pair: pair.scheme in ("ftp", "file") and pair.old_question,
        frozenset({"other-split"}),
        lambda pair, answer: answer.spec == "rfc1738" and pair.scheme in ("ftp", "file"),
    ),
    "ftp-type": Sign(  # 3.2.2
        lambda refusal: "ftp-type" in refusal.faults or (refusal.in_path and _path_of("ftp")(refusal)),
        lambda pair: pair.scheme == "ftp" and pair.old_cut(";type="),
    ),
    "search-slash": Sign(  # 3.3 and 3.9
        lambda refusal: refusal.in_search and bool(refusal.char) and refusal.char in "/?"
    ),
    "gopher-parts": Sign(_fault("gopher-parts"), lambda pair: pair.old_parts("gopher")),  # 3.4.1
    "mailto-address": Sign(  # 3.5
        lambda refusal: (
            _path_of("mailto")(refusal)
            or (refusal.scheme == "mailto" and refusal.spec == "rfc3986" and bool(refusal.faults))
        ),
        lambda pair: pair.old_slashes("mailto"),
    ),
    "news-grouppart": Sign(  # 3.6 and 3.7
        _path_of("news", "nntp"), lambda pair: pair.old_slashes("news")
    ),
    "telnet-path": Sign(_path_of("telnet")),  # 3.8
    "wais-parts": Sign(_path_of("wais")),  # 3.9
    "prospero-fields": Sign(  # 3.11
        lambda refusal: refusal.in_path and _path_of("prospero")(refusal),
        lambda pair: pair.scheme == "prospero" and pair.old_cut(";"),
    ),
    # characters
    "tilde": Sign(  # RFC 1738 and 1808, 2.2
        lambda refusal: refusal.char == "~" and refusal.spec in ("rfc1738", "rfc1808")
    ),
    "bracket": Sign(_bracket),  # RFC 2732, 3, changes what is reserved
    "fragment": Sign(  # RFC 1738, 2.2: the crosshatch is unsafe
        lambda refusal: refusal.char == "#" and refusal.spec == "rfc1738" and refusal.text != "#"
    ),
    "escaped-unreserved": Sign(differs=lambda pair: pair.name == "equal" and pair.triplets),  # RFC 2396, 2.3
    # path, parameters, query
    "params": Sign(  # RFC 1738, 3.10; RFC 1808, 2.4.5
        lambda refusal: refusal.in_path and _path_of("file")(refusal), lambda pair: pair.cut_at_semicolon
    ),
    "opaque-query": Sign(  # RFC 1738, 2.1; RFC 2396, B
        None,
        lambda pair: pair.scheme not in SLASHED and pair.old_question,
        frozenset({"other-split"}),
        lambda _, answer: answer.spec != "rfc1738",
    ),
    "empty-segment": Sign(  # RFC 1808, 2.2: fsegment
        lambda refusal: refusal.char == "/" and refusal.spec == "rfc1808" and "hex" not in refusal.rules
    ),
    "empty-component": Sign(  # RFC 1808, 2.4 and 4
        None,
        lambda pair: pair.empty_in_rfc1808,
        frozenset({"delimiter-kept", "empty-as-absent"}),
        lambda pair, _: pair.question.text != "#",
    ),
    # kinds of references: RFC 1808, 4; RFC 2396, 5.2; RFC 3986, 5.2.2
    "empty-reference": Sign(
        lambda refusal: _no_scheme(refusal) and not refusal.text,
        lambda pair: pair.base is not None and not pair.question.text,
        frozenset({"same-document"}),
        lambda pair, _: pair.question.text != "#",
    ),
    "lone-hash": Sign(
        lambda refusal: refusal.spec == "rfc1738" and refusal.text == "#",
        lambda pair: pair.question.text == "#",
        frozenset({"delimiter-kept", "whole-base", "same-document", "empty-as-absent"}),
        lambda pair, _: pair.question.text == "#",
    ),
    "query-only": Sign(
        lambda refusal: _no_scheme(refusal) and refusal.text.startswith("?"),
        lambda pair: pair.segment_dropped,
    ),
    "same-scheme": Sign(admits=frozenset({"loophole", "non-strict"})),
    "pathless-base": Sign(differs=lambda pair: pair.pathless_base),
    "rootless": Sign(_opaque_base, lambda pair: pair.rootless),
    # dot segments: RFC 1808, 4, step 6; RFC 2396, 5.2, step 6; RFC 3986, 5.2.4
    "excess-dotdot": Sign(differs=lambda pair: pair.excess, admits=frozenset({"excess-dropped"})),
    "dots-in-base": Sign(differs=lambda pair: pair.dots_of_base, admits=frozenset({"normalized-base"})),
    "dots-in-absolute-path": Sign(differs=lambda pair: pair.dots_of_reference),
}


_FAMILIES = {"rfc2732": ("R-2732", "R-2396")}  # RFC 2732 keeps what it does not change of RFC 2396


@dataclass(frozen=True)
class Side:
    """RFCs with the same answer, each with its section, and the answer in words."""

    sections: Mapping[str, str]
    what: str


@dataclass(frozen=True)
class Named:
    """A class that accounts for a difference: the RFCs on each side, and the rulings that apply."""

    entry: DifferenceClass
    sides: tuple[Side, ...]
    rulings: tuple[str, ...]


@dataclass(frozen=True)
class Differences:
    """The classes that account for the answers to a question, and the differences without a class."""

    named: tuple[Named, ...]
    unnamed: tuple[tuple[Side, ...], ...]


@dataclass(frozen=True)
class _Fact:
    """What one RFC says, with a section if it is not that of the class."""

    spec: str
    what: str
    section: str = ""


_ACCEPTED = "takes it"
_Claim = tuple[list[str], list[_Fact]]


def classify(question: Comparison, classes: Mapping[str, DifferenceClass]) -> Differences:
    """Return the classes of the differences between the answers; `classes` are those of the corpus, by id."""
    if question.unanimous:
        return Differences((), ())
    facts: dict[str, list[_Fact]] = {}
    unnamed: list[tuple[Side, ...]] = []
    for claims, told in (*_refusals(question), *_disagreements(question)):
        for known in claims:
            facts.setdefault(known, []).extend(told)
        if not claims and (sides := _sides(told, {})) not in unnamed:
            unnamed.append(sides)
    for known, told in _admissions(question):
        facts.setdefault(known, []).extend(told)
    heard = [spec for spec, answer in question.answers.items() if answer.problem is None]
    named = [_named(classes[known], told, heard) for known, told in facts.items()]
    return Differences(tuple(named), tuple(unnamed))


def _refusals(question: Comparison) -> Iterator[_Claim]:
    """Yield each offset that one RFC refuses and another accepts, with the classes that account for it."""
    texts = (question.text, question.other, question.base)
    for text in dict.fromkeys(text for text in texts if text is not None):
        readings = {spec: _reading(text, told, question.rule) for spec, told in question.answers.items()}
        yield from _refusals_of(readings)


def _reading(text: str, answer: Answer, rule: str | None) -> Reading:
    """Return the refusals of one text of the question, unknown if the RFC refused another one."""
    problem = answer.problem
    if problem is not None and problem.text != text:
        return Reading((), frozenset(), -1)
    return all_refusals(text, answer.spec, problem, rule)


def _refusals_of(readings: Mapping[str, Reading]) -> Iterator[_Claim]:
    found: dict[str, dict[str, tuple[int, Refusal]]] = {}
    for spec, reading in readings.items():
        for at, refusal in reading.refusals:
            claims = [known for known, sign in SIGNS.items() if sign.refused and sign.refused(refusal)]
            for known in claims or [""]:
                found.setdefault(known if claims else f" {at}", {}).setdefault(spec, (at, refusal))
    for known, refused in found.items():
        offsets = {at for at, _ in refused.values()}
        whole = any(refusal.reason for _, refusal in refused.values())
        takers = [
            spec
            for spec, reading in readings.items()
            if spec not in refused
            and any(reading.accepts(at) for at in offsets)
            and not (whole and reading.refusals)
        ]
        if takers:
            told = [_refused(spec, *refused[spec], first=readings[spec].refusals[0][0]) for spec in refused]
            told += [_Fact(spec, _ACCEPTED) for spec in takers]
            yield [] if known.startswith(" ") else [known], told


def _refused(spec: str, at: int, refusal: Refusal, *, first: int) -> _Fact:
    """Put a refusal into words; later ones are those of the text without the earlier faults."""
    if refusal.reason:
        return _Fact(spec, refusal.reason, refusal.section)
    if refusal.char:
        verb = "refuses" if at == first else "would refuse"
        return _Fact(spec, f"{verb} {character(refusal.char)} at {at}", refusal.section)
    verb = "finds" if at == first else "would find"
    return _Fact(spec, f"{verb} it cut short at {at}", refusal.section)


def character(char: str) -> str:
    """Name a character: quoted, a blank, or its code point."""
    if char.isascii() and char.isprintable():
        return "a blank" if char == " " else repr(char)
    return f"U+{ord(char):04X}"


def _disagreements(question: Comparison) -> Iterator[_Claim]:
    """Yield each component, target or verdict of equality in which two RFCs differ."""
    for one, other in combinations(question.answers.values(), 2):
        if one.problem is not None or other.problem is not None:
            if question.other is not None and (one.problem is None) is not (other.problem is None):
                yield from _disagreement(Pair(question, "equal", one, other))
            continue
        told = one.recommended, other.recommended
        for shared in told[0]:
            if shared in told[1] and told[0][shared] != told[1][shared]:
                yield from _disagreement(Pair(question, shared, one, other))


def _disagreement(pair: Pair) -> Iterator[_Claim]:
    claims = [known for known, sign in SIGNS.items() if sign.differs and sign.differs(pair)]
    if pair.name == "equal" and not claims and pair.one.equal is None is not pair.other.equal:
        return  # one of them refuses a text, which is reported as a refusal
    yield claims, [_Fact(answer.spec, _said(answer, pair.name)) for answer in (pair.one, pair.other)]


def _said(answer: Answer, about: str) -> str:
    """Put one part of an answer into words; RFC 1808 has parameters besides its path."""
    if answer.problem is not None:
        return "refuses a text"
    if about == "equal":
        return "equivalent" if answer.equal else "not equivalent"
    if about == "target":
        return f"gives {answer.result or EMPTY}"
    components = answer.components or {}
    told = f"{about} {component(components[about])}"
    params = components.get("params") if about == "path" else None
    return told if params is None else f"{told}, params {component(params)}"


#: How an absent and an empty component are shown.
ABSENT, EMPTY = "∅", '""'


def component(value: str | None) -> str:
    """Format a component; absent and empty look different."""
    return ABSENT if value is None else value or EMPTY


#: Variants in words.
_VARIANTS = {
    "case-sensitive": "may refuse capitals",
    "other-split": "admits another split",
    "empty-as-absent": "may call what is empty absent",
    "net-loc-dropped": "may drop the slashes of an empty network location",
    "delimiter-kept": "may keep the delimiter of what is empty",
    "whole-base": "may give the whole base",
    "same-document": "calls it the current document",
    "loophole": "may pass over the scheme",
    "non-strict": "may pass over the scheme",
    "excess-dropped": "may drop what is too much, or refuse",
    "normalized-base": "may resolve against the normal form of the base",
}


def _admissions(question: Comparison) -> Iterator[tuple[str, list[_Fact]]]:
    """Yield each variant that one RFC admits and another does not."""
    for one, other in combinations(question.answers.values(), 2):
        pair = Pair(question, "admits", one, other)
        for answer, peer in ((one, other), (other, one)):
            for known, sign in SIGNS.items():
                variants = sorted(sign.admits & answer.admits - peer.admits)
                if variants and peer.problem is None and sign.admitted(pair, answer):
                    yield known, [_Fact(answer.spec, _VARIANTS[variant]) for variant in variants]


def _named(entry: DifferenceClass, facts: Sequence[_Fact], heard: Sequence[str]) -> Named:
    sides = _sides(facts, entry.sections)
    if len(sides) == 1:  # a choice that only one RFC admits
        rest = [_Fact(spec, "leaves no choice") for spec in heard if spec not in sides[0].sections]
        sides += _sides(rest, entry.sections)
    specs = [spec for side in sides for spec in side.sections]
    families = {"G", *(family for spec in specs for family in _families(spec))}
    rulings = tuple(ruling for ruling in entry.rulings if ruling[:-3] in families)
    return Named(entry, sides, rulings)


def _families(spec: str) -> tuple[str, ...]:
    return _FAMILIES.get(spec, (f"R-{spec.removeprefix('rfc')}",))


def _sides(facts: Iterable[_Fact], sections: Mapping[Any, Sequence[str]]) -> tuple[Side, ...]:
    """Join the facts of each RFC, and put RFCs with the same text on one side."""
    clauses: dict[str, dict[str, None]] = {}
    places: dict[str, str] = {}
    for fact in facts:
        clauses.setdefault(fact.spec, {})[fact.what] = None
        places.setdefault(fact.spec, fact.section or next(iter(sections.get(fact.spec, ())), ""))
    said: dict[str, dict[str, str]] = {}
    for spec in sorted(clauses):
        told = [what for what in clauses[spec] if what != _ACCEPTED or len(clauses[spec]) == 1]
        said.setdefault(", ".join(told), {})[spec] = places[spec]
    return tuple(Side(found, what) for what, found in said.items())
