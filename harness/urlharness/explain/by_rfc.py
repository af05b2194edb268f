"""The answers of the RFCs to one question, side by side: verdicts, components, targets, admissible variants.

Each function asks the oracle one question for several RFCs and returns a `Comparison`. What is compared must
have one name: RFC 1738 has a `user` and an `hpath`, RFC 1808 a `net_loc`, and the later RFCs a `userinfo`, a
`path` and an `authority`. `with_common_names` gives the components of each RFC the names of RFC 3986. A
component that an RFC does not define is left out, so that nothing is compared that only one RFC knows.

An RFC may allow more than it recommends. `RFCAnswer.recommended` is what two answers are compared by, and
`RFCAnswer.admits` names the variants that the RFC also allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from urlharness.corpus.specifications import facts, url_specs
from urloracle.errors import InvalidURL
from urloracle.operations import equivalent, resolve
from urloracle.rfc.normalization import Mode
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification, Unsupported

#: The number of answers that are remembered, because causes and classes of differences need the same ones.
_REMEMBERED = 16_384

_SCHEME = re.compile("([A-Za-z0-9+.-]+):")
#: Rulings that admit another split of the query or of the authority.
_OTHER_SPLITS = frozenset(("R-1738-02", "R-1738-12", "R-2396-04"))
#: Components of RFC 1738: first those that contain everything after the scheme, then those that begin a path.
_OPAQUE = ("encoded822addr", "group", "article", "grouppart", "schemepart")
_PATHS = ("hpath", "fpath", "ppath", "urlpath", "database", "group")


@dataclass(frozen=True)
class RFCAnswer:
    """The answer of one RFC: a refusal, components by common names, a target, or a verdict on two URLs.

    `problem` is the refusal, `result` the target, and `equal` the verdict. `admits` contains the names of the
    variants that the RFC also allows.
    """

    spec: str
    problem: InvalidURL | None = None
    components: Mapping[str, str | None] | None = None
    result: str | None = None
    equal: bool | None = None
    admits: frozenset[str] = frozenset()

    @property
    def recommended(self) -> Mapping[str, Any]:
        """The components, the target and the verdict on two URLs by name, if the answer contains them."""
        recommended: dict[str, Any] = dict(self.components or {})
        if self.result is not None:
            recommended["target"] = self.result
        if self.equal is not None:
            recommended["equal"] = self.equal
        return recommended


@dataclass(frozen=True)
class Comparison:
    """A text, and the answer of each RFC that defines an answer.

    If `base` is set, the text is a reference to resolve. If `other` is set, the text and `other` are two URLs
    to compare. If `rule` is set, the answers are verdicts under this rule.
    """

    text: str
    answers: Mapping[str, RFCAnswer]
    base: str | None = None
    other: str | None = None
    rule: str | None = None

    @property
    def unanimous(self) -> bool:
        """True if all RFCs give the same answer.

        Refusals are the same if text, offset and reason are equal.
        """
        comparable_answers = []
        for answer in self.answers.values():
            problem = answer.problem
            refusal = None if problem is None else (problem.text, problem.position, problem.reason)
            comparable_answers.append((refusal, answer.recommended, answer.admits))
        return all(answer == comparable_answers[0] for answer in comparable_answers)


def compare_verdicts(text: str, specs: Iterable[str] | None = None, rule: str | None = None) -> Comparison:
    """Validate a text under each RFC that defines the rule (default: the rule of whole URLs)."""
    answers = {}
    for spec in _specifications(specs):
        if rule is None or _defines_rule(spec, rule):
            problem = spec.problem(text, rule)
            answers[spec.id] = RFCAnswer(spec.id, problem, admits=_scheme_case_variants(spec, text))
    return Comparison(text, answers, rule=rule)


def _defines_rule(spec: Specification, rule: str) -> bool:
    """Return True if the grammar of an RFC has a rule. Names ignore case (RFC 5234, section 2.1)."""
    folded_names = {name.lower() for name in spec.grammar.rules}
    return rule.lower() in folded_names


def compare_splits(text: str, specs: Iterable[str] | None = None) -> Comparison:
    """Split a text under each RFC."""
    answers = {spec.id: _split(spec, text) for spec in _specifications(specs)}
    return Comparison(text, answers)


def compare_resolutions(base: str, reference: str, specs: Iterable[str] | None = None) -> Comparison:
    """Resolve a reference under each RFC that defines resolution."""
    defining = [spec for spec in _specifications(specs) if spec.defines("resolve")]
    answers = {spec.id: _resolve(spec, base, reference) for spec in defining}
    return Comparison(reference, answers, base=base)


def compare_equivalence(
    first: str, second: str, specs: Iterable[str] | None = None, mode: Mode = "syntax"
) -> Comparison:
    """Compare two URLs in a mode under each RFC that defines equivalence."""
    defining = [spec for spec in _specifications(specs) if spec.defines("equivalent")]
    answers = {spec.id: _compare(spec, first, second, mode) for spec in defining}
    return Comparison(first, answers, other=second)


def ruling_on_unsuitable_base(spec: str, base: str, reference: str) -> str | None:
    """Return the ruling by which an RFC leaves open what a relative reference becomes, because of its base.

    RFC 2396, section 5, allows no relative reference where the base is opaque, and RFC 1808, section 2.3,
    never uses the schemes mailto, news and telnet as a base. Neither says what the result is. Return None if
    the RFC defines the result, or refuses one of the texts.
    """
    scheme = _SCHEME.match(base)
    if scheme is None or _SCHEME.match(reference):
        return None
    spec_facts = facts(spec)
    ruling = spec_facts.unsuitable_schemes.get(scheme[1].lower())
    is_opaque = not base[scheme.end() :].startswith("/")
    # RFC 2396, section 5.2, step 2: a reference to the current document does not need the path of the base
    is_same_document = not reference.partition("#")[0]
    if spec_facts.opaque_base is not None and is_opaque and not is_same_document:
        ruling = spec_facts.opaque_base
    if ruling is None:
        return None
    specification = SPECIFICATIONS[spec]
    are_valid = specification.problem(base) is None and specification.problem(reference) is None
    return ruling if are_valid else None


def _specifications(names: Iterable[str] | None) -> list[Specification]:
    """Return the specifications with these names (None: those of URLs)."""
    return [SPECIFICATIONS[name] for name in (url_specs() if names is None else names)]


@lru_cache(maxsize=_REMEMBERED)
def _resolve(spec: Specification, base: str, reference: str) -> RFCAnswer:
    """Resolve a reference under one RFC."""
    try:
        resolution = resolve(base, reference, spec)
    except InvalidURL as problem:
        if problem.text != base or problem.reason or problem.rule == spec.default_rule:
            return RFCAnswer(spec.id, problem.with_traceback(None))
        # RFC 3986 judges a base by its rule `URI`, and the other RFCs judge it by their default rules. To
        # compare with them, return the error of the base as a reference.
        return RFCAnswer(spec.id, spec.problem(base))
    admits = {alternative.variant for alternative in resolution.also}
    if resolution.same_document:
        admits.add("same-document")
    return RFCAnswer(spec.id, result=resolution.text, admits=frozenset(admits))


def _compare(spec: Specification, first: str, second: str, mode: Mode) -> RFCAnswer:
    """Compare two URLs under one RFC. The answer is a refusal if it refuses one of them."""
    try:
        return RFCAnswer(spec.id, equal=equivalent(first, second, spec, mode).equal)
    except InvalidURL as problem:
        return RFCAnswer(spec.id, problem)


def _scheme_case_variants(spec: Specification, text: str) -> frozenset[str]:
    """Return {`case-sensitive`} if a program may refuse the capital letters of the scheme, else an empty set.

    RFC 1738, section 2.1, lets a program refuse upper case in a scheme.
    """
    scheme = _SCHEME.match(text)
    has_capitals = scheme is not None and scheme[1] != scheme[1].lower()
    if has_capitals and facts(spec.id).capitals_refusable:
        return frozenset({"case-sensitive"})
    return frozenset()


@lru_cache(maxsize=_REMEMBERED)
def _split(spec: Specification, text: str) -> RFCAnswer:
    """Split a text under one RFC. If it has no components for the text, the answer is a verdict only."""
    admits = _scheme_case_variants(spec, text)
    try:
        parts = spec.parse(text)
    except InvalidURL as problem:
        return RFCAnswer(spec.id, problem.with_traceback(None), admits=admits)
    except Unsupported:
        return RFCAnswer(spec.id, admits=admits)
    components = with_common_names(spec.id, spec.asdict(parts))
    if any(reading.ruling in _OTHER_SPLITS for reading in spec.readings(parts)):
        admits |= {"other-split"}
    droppable = (components.get(name) for name in ("params", "query", "fragment"))
    if facts(spec.id).empty_is_absent and "" in droppable:
        admits |= {"empty-as-absent"}
    return RFCAnswer(spec.id, components=components, admits=admits)


def with_common_names(spec: str, components: Mapping[str, Any]) -> dict[str, Any]:
    """Return components under the names that the RFCs share.

    A component becomes its counterpart in RFC 3986, such as `net_loc` the authority. One without a
    counterpart keeps its name. If schemes have rules of their own (RFC 1738), the login becomes the
    authority, and the path includes its leading slash. If no slashes follow the scheme, everything after the
    scheme becomes the path.
    """
    spec_facts = facts(spec)
    if spec_facts.by_scheme:
        return _with_common_names_by_scheme(components)
    return {spec_facts.components.get(name) or name: text for name, text in components.items()}


def _with_common_names_by_scheme(components: Mapping[str, Any]) -> dict[str, Any]:
    """Return components of RFC 1738 under the names of RFC 3986; see `with_common_names`."""
    common_names: dict[str, Any] = {"scheme": components["scheme"]}
    has_no_login = "host" not in components or (components["host"] is None and "schemepart" in components)
    if has_no_login:
        return common_names | _common_opaque_part(components)
    common_names |= _common_login(components)
    path = _common_path(components)
    if path is not None:
        common_names["path"] = path
        for name in ("search", "query"):  # `query` in the reading of R-1738-12
            if name in components:
                common_names["query"] = components[name]
    return common_names


def _common_opaque_part(components: Mapping[str, Any]) -> dict[str, str | None]:
    """Return what follows the scheme of an RFC 1738 URL without a login: a path without an authority.

    Of a scheme that the RFC does not know, the part after the scheme can begin with two slashes without
    having the form of a login. Then authority and path are left out.
    """
    opaque = next(components[name] for name in _OPAQUE if components.get(name) is not None)  # there is one
    if "schemepart" in components and opaque.startswith("//"):
        return {"userinfo": None, "host": None, "port": None}
    return {"authority": None, "path": opaque}


def _common_login(components: Mapping[str, Any]) -> dict[str, str | None]:
    """Return authority, userinfo, host and port of an RFC 1738 URL with a login, which has a host (3.1)."""
    host = components["host"]
    port = components.get("port")
    userinfo = components.get("user")
    if components.get("password") is not None:
        userinfo = f"{userinfo}:{components['password']}"
    authority = "" if userinfo is None else f"{userinfo}@"
    authority += host if port is None else f"{host}:{port}"
    return {"authority": authority, "userinfo": userinfo, "host": host, "port": port}


def _common_path(components: Mapping[str, Any]) -> str | None:
    """Return the path of an RFC 1738 URL with its leading slash, or None if the scheme has no path."""
    if "gtype" in components:
        gopher_type = components["gtype"]
        return "" if gopher_type is None else f"/{gopher_type}{components['selector']}"
    path_name = next((name for name in _PATHS if name in components), None)
    if path_name is None:
        return None
    # an nntp path also has digits, and a wais path a type and a path
    parts = [components.get(name) for name in (path_name, "digits", "wtype", "wpath")]
    present = [part for part in parts if part is not None]
    return f"/{'/'.join(present)}" if present else ""
