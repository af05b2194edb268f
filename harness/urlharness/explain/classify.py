"""Find the classes of difference that explain the disagreements between RFCs.

From derivation to sentence, a disagreement goes through these steps:

1. `by_rfc` asks the oracle. Each RFC refuses the text, or gives components, a target or a verdict.
2. Two RFCs can disagree in three ways, and `classify` looks for each: one of them refuses what the other one
   accepts (`refusal` finds all refusals of a text, because the first one may hide others); both accept, and a
   component, the target or the verdict differs; or one of them allows a variant that the other one does not.
3. `RECOGNIZERS` maps each class of the corpus to the predicates that recognize it in one of these three ways.
   They see the characters and the facts about the two RFCs, never the id of an RFC. Several classes may
   explain one difference. Without a class it is reported as unnamed.
4. Each RFC's part of the difference becomes a clause in words, with the section that says so. RFCs with the
   same words are on one side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from urlharness.corpus.differences import DifferenceClass
from urlharness.corpus.model import AUTHORITY
from urlharness.corpus.specifications import SpecificationFacts, facts
from urlharness.explain.by_rfc import Comparison, RFCAnswer
from urlharness.explain.generic_parts import Parts, split_generic
from urlharness.explain.refusal import SLASHED, Refusal, Refusals, authority_faults, find_refusals
from urloracle.errors import quoted
from urloracle.operations import resolve

_NET_LOC = re.compile(r"(?:[A-Za-z0-9+.-]+:)?//([^/#]*)")
_DRIVE = re.compile("[A-Za-z]:")
_LOGIN = ("authority", *AUTHORITY)
_UNTIL_QUERY = (*_LOGIN, "path", "query")

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
    return re.search(r"\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*%", authority) is not None


#: An absent and an empty component, as shown to users.
ABSENT = "∅"
EMPTY = '""'
_ACCEPTED = "accepts it"
#: Characters whose refusal has a class of its own, wherever they are.
_WITH_OWN_CLASS = ("~", "[", "]")
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


def _net_loc(text: str) -> str:
    """Return the network location under RFC 1808, section 2.4.3, or an empty string."""
    match = _NET_LOC.match(text)
    return match[1] if match else ""


@dataclass(frozen=True)
class AnswerPair:
    """The answers of two RFCs to a question.

    `name` is the component or result to compare, or `admits` if the admissible variants are compared.
    """

    question: Comparison
    name: str
    earlier: RFCAnswer
    later: RFCAnswer

    @cached_property
    def parts(self) -> Parts:
        """The components of the text."""
        return split_generic(self.question.text)

    @cached_property
    def base_parts(self) -> Parts:
        """The components of the base. They are all absent or empty if the question has no base."""
        return split_generic(self.question.base or "")

    @property
    def resolves(self) -> bool:
        """True if the text is resolved against a base."""
        return self.question.base is not None

    @property
    def merges(self) -> bool:
        """True if the path of the target may come from the base."""
        return self.resolves and not self.parts.absolute

    @property
    def scheme(self) -> str:
        """The scheme of the text in lower case, or an empty string."""
        return (self.parts.scheme or "").lower()

    def involves(self, holds: Callable[[SpecificationFacts], object]) -> bool:
        """Return True if a fact holds of one of the two RFCs."""
        return any(holds(facts(answer.spec)) for answer in (self.earlier, self.later))

    @property
    def answer_by_scheme(self) -> RFCAnswer | None:
        """The answer of the RFC whose schemes have rules of their own, as in RFC 1738, if it is the first."""
        return self.earlier if facts(self.earlier.spec).by_scheme else None

    def only_one_target(self, predicate: Callable[[Parts], bool]) -> bool:
        """Return True if the components of exactly one of the two targets meet a predicate."""
        earlier_target = split_generic(self.earlier.result or "")
        later_target = split_generic(self.later.result or "")
        return predicate(earlier_target) is not predicate(later_target)

    @cached_property
    def faults(self) -> frozenset[str]:
        """The classes of the faults in the authority.

        The set is empty unless the two RFCs can disagree about the end or the parts of the authority.
        """
        net_loc = _net_loc(self.question.text)
        if self.resolves and "?" not in net_loc:
            net_loc = _net_loc(self.question.base or "")
        if "?" in net_loc and self.involves(_has_question_mark_in_location):
            # the end of the authority is also where the path or the query begins
            depends_on_end = self.resolves or self.name in _UNTIL_QUERY
            return authority_faults(net_loc) if depends_on_end else frozenset()
        if self.resolves or self.name not in _LOGIN:
            return frozenset()
        if _lacks_host(self.earlier) is _lacks_host(self.later):
            return frozenset()
        return authority_faults(self.parts.authority or "")


def _lacks_host(answer: RFCAnswer) -> bool:
    """Return True if the host is absent. An answer without components says nothing about the host."""
    return answer.components is not None and answer.components.get("host", "") is None


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


def _is_in_path_of(refusal: Refusal, *schemes: str) -> bool:
    """Return True if a refusal follows from the path rule of one of these schemes."""
    return refusal.in_scheme_path and refusal.scheme in schemes


def _requires_scheme(refusal: Refusal) -> bool:
    """Return True if an RFC without relative references refuses a whole text because it has no scheme.

    Characters with classes of their own are left to these classes.
    """
    absolute_only = refusal.facts.relative_rule is None and not refusal.rule
    return absolute_only and refusal.scheme is None and refusal.char not in _WITH_OWN_CLASS


def _lacks_slashes(refusal: Refusal) -> bool:
    """Return True if RFC 1738 requires two slashes after the scheme but they are missing.

    Characters with classes of their own are left to these classes.
    """
    requires_slashes = refusal.has_rule and refusal.scheme in SLASHED
    return requires_slashes and refusal.net_loc is None and refusal.char not in _WITH_OWN_CLASS


def _file_lacks_slashes(refusal: Refusal) -> bool:
    """Return True if the slashes of a file URL are missing (`_lacks_slashes`)."""
    return refusal.scheme == "file" and _lacks_slashes(refusal)


def _network_scheme_lacks_slashes(refusal: Refusal) -> bool:
    """Return True if the slashes of a URL with another scheme than `file` are missing (`_lacks_slashes`)."""
    return refusal.scheme != "file" and _lacks_slashes(refusal)


def _has_wrong_slash_count(refusal: Refusal) -> bool:
    """Return True if there are more or fewer slashes than two, also after a scheme without its colon."""
    if _requires_scheme(refusal) and refusal.text[: refusal.at].lower() in SLASHED:
        return refusal.text.startswith("//", refusal.at)
    return "slash-count" in refusal.faults or _network_scheme_lacks_slashes(refusal)


def _breaks_scheme_rule(refusal: Refusal) -> bool:
    """Return True if a URL has no slash at all after its scheme, or is a prospero URL without a path."""
    has_slash = refusal.text.startswith("/", refusal.after_scheme)
    lacks_both_slashes = _network_scheme_lacks_slashes(refusal) and not has_slash
    lacks_prospero_path = _is_in_path_of(refusal, "prospero") and not refusal.in_path
    return lacks_both_slashes or lacks_prospero_path


def _has_drive_as_host(refusal: Refusal) -> bool:
    """Return True if a file URL has a drive letter where its host must be."""
    begins_with_drive = _DRIVE.match(refusal.text, refusal.after_scheme) is not None
    return (begins_with_drive and _file_lacks_slashes(refusal)) or "file-drive" in refusal.faults


def _has_file_host_fault(refusal: Refusal) -> bool:
    """Return True if the host of a file URL, or the path after it, is missing or wrong."""
    lacks_path = refusal.in_scheme_path and refusal.scheme == "file" and not refusal.in_path
    lacks_host = _file_lacks_slashes(refusal) and not _has_drive_as_host(refusal)
    return lacks_host or lacks_path or "file-host" in refusal.faults


def _has_empty_scheme_part(refusal: Refusal) -> bool:
    """Return True if nothing but a fragment follows the scheme, where an opaque part must."""
    at_end_of_scheme = refusal.scheme is not None and refusal.at == refusal.after_scheme
    return refusal.facts.opaque_parts and at_end_of_scheme and refusal.char in ("", "#")


def _has_colon_without_scheme(refusal: Refusal, *, scheme_like: bool) -> bool:
    """Return True if the first colon of a whole text is refused because no scheme precedes it.

    This follows from section 3.1 of RFC 2396 and 3986. If `scheme_like` is true, the text before the colon
    must consist of letters, digits, `+`, `-` and `.`. Otherwise, it must be empty or contain any other
    character.
    """
    before = refusal.text[: refusal.at]
    if not refusal.facts.letter_begins_scheme or refusal.rule:
        return False
    if refusal.char != ":" or ":" in before:
        return False
    is_like_scheme = bool(before) and all(char.isalnum() or char in "+-." for char in before)
    return is_like_scheme is scheme_like


def _has_no_opaque_part(refusal: Refusal) -> bool:
    """Return True if an RFC reads an authority after two slashes whatever the scheme, as RFC 3986 does."""
    return refusal.facts.generic and not refusal.facts.opaque_parts


# facts about an RFC, for `AnswerPair.involves`


def _has_params(spec_facts: SpecificationFacts) -> bool:
    """Return True if the RFC separates parameters from the path, as RFC 1808 does."""
    return spec_facts.params


def _treats_empty_as_absent(spec_facts: SpecificationFacts) -> bool:
    """Return True if an empty component may be given as an absent one, as in RFC 1808."""
    return spec_facts.empty_is_absent


def _removes_dots(spec_facts: SpecificationFacts) -> bool:
    """Return True if resolution removes the dot segments of every path, also of an absolute reference."""
    return spec_facts.removes_dots


def _has_question_mark_in_location(spec_facts: SpecificationFacts) -> bool:
    """Return True if a question mark does not end the network location, as in RFC 1808."""
    return spec_facts.question_mark_in_location


# two answers that differ


def _component_of(answer: RFCAnswer | None, name: str) -> str | None:
    """Return a component of an answer, or None if there is no answer or the component is absent."""
    if answer is None or answer.components is None:
        return None
    return answer.components.get(name)


def _keeps_question_mark_in_path(pair: AnswerPair) -> bool:
    """Return True if RFC 1738 keeps a question mark in the path."""
    return pair.name == "path" and "?" in (_component_of(pair.answer_by_scheme, "path") or "")


def _path_ends_at(pair: AnswerPair, delimiter: str) -> bool:
    """Return True if the path ends at the delimiter under RFC 1738 but continues under the other RFC."""
    path_by_scheme = _component_of(pair.answer_by_scheme, "path")
    later_path = _component_of(pair.later, "path") or ""
    if pair.name != "path" or path_by_scheme is None:
        return False
    return later_path.startswith(f"{path_by_scheme}{delimiter}")


def _has_slashes_in_data(pair: AnswerPair, scheme: str) -> bool:
    """Return True if two slashes follow this scheme but do not begin an authority under RFC 1738."""
    return pair.scheme == scheme and pair.answer_by_scheme is not None and pair.parts.authority is not None


def _params_cause_difference(pair: AnswerPair) -> bool:
    """Return True if parameters, which RFC 1808 separates, cause the difference in the path or the target."""
    if not pair.involves(_has_params):
        return False
    is_earlier = _has_params(facts(pair.earlier.spec))
    with_params = pair.earlier if is_earlier else pair.later
    without_params = pair.later if is_earlier else pair.earlier
    if pair.resolves:
        return _params_change_target(pair.question, with_params)
    params = _component_of(with_params, "params")
    if pair.name != "path" or params is None:
        return False
    path = _component_of(with_params, "path")
    whole_path = _component_of(without_params, "path") or ""
    return whole_path.startswith(f"{path};{params}")


def _params_change_target(question: Comparison, answer: RFCAnswer) -> bool:
    """Return True if the target is another one if semicolons, which separate parameters, are encoded."""
    base = (question.base or "").replace(";", "%3B")
    reference = question.text.replace(";", "%3B")
    target = resolve(base, reference, answer.spec).text
    usual_target = answer.result or ""
    return target.replace("%3B", ";") != usual_target.replace("%3B", ";")


def _has_dropped_component(pair: AnswerPair) -> bool:
    """Return True if the base or the reference has an empty component. RFC 1808 treats it as absent.

    A lone `#` has a class of its own.
    """
    if not pair.involves(_treats_empty_as_absent) or not pair.resolves or pair.question.text == "#":
        return False
    return _has_empty_component(pair.parts) or _has_empty_component(pair.base_parts)


def _has_empty_component(parts: Parts) -> bool:
    """Return True if parameters, query or fragment are present and empty."""
    return parts.path.endswith(";") or parts.query == "" or parts.fragment == ""


def _only_one_drops_last_segment(pair: AnswerPair) -> bool:
    """Return True if the reference consists of a query and exactly one of the two RFCs is RFC 2396 or 2732.

    For such a reference, only these two RFCs drop the last segment of the base path, if there is one.
    """
    earlier_drops = facts(pair.earlier.spec).query_drops_segment
    later_drops = facts(pair.later.spec).query_drops_segment
    base_path = pair.base_parts.path
    has_last_segment = bool(base_path) and not base_path.endswith("/")
    only_one_drops = earlier_drops is not later_drops
    return only_one_drops and has_last_segment and pair.question.text.startswith("?")


def _merges_with_pathless_base(pair: AnswerPair) -> bool:
    """Return True if the base has no path and the reference must be merged with the base.

    A reference with a fragment only has nothing to merge. A fault in the authority has a class of its own.
    """
    has_path_or_query = bool(pair.parts.path) or pair.parts.query is not None
    base_lacks_path = pair.base_parts.authority is not None and not pair.base_parts.path
    return pair.merges and has_path_or_query and base_lacks_path and not pair.faults


def _has_rootless_path(pair: AnswerPair) -> bool:
    """Return True if a rootless path causes the difference.

    A reference without a scheme must be merged with a base that has a rootless path. A reference with a
    scheme must have a rootless path with dot segments itself.
    """
    if pair.parts.scheme is None:
        return pair.merges and pair.base_parts.rootless
    return pair.resolves and pair.parts.rootless and pair.parts.dotted and pair.involves(_removes_dots)


def _has_empty_host(pair: AnswerPair) -> bool:
    """Return True if an empty host causes the difference. A fault in a file URL has a class of its own."""
    if pair.resolves and pair.parts.authority == "" and pair.involves(_treats_empty_as_absent):
        return True
    return "empty-host" in pair.faults and pair.scheme != "file"


def _fault_recognizer(name: str) -> Recognizer:
    """Return the recognizer of a fault in an authority.

    Some RFCs refuse the fault, others split it differently.
    """
    return Recognizer(lambda refusal: name in refusal.faults, lambda pair: name in pair.faults)


# The comment after each class cites the section of the stricter RFC.
RECOGNIZERS: Mapping[str, Recognizer] = {
    # the scheme
    "relative-reference": Recognizer(_requires_scheme),  # RFC 1738, 5: every rule begins with a scheme
    "scheme-case": Recognizer(  # RFC 1738, 2.1
        lambda refusal: refusal.rule == "scheme" and refusal.char.isupper(),
        admits=frozenset({"case-sensitive"}),
    ),
    "scheme-first-char": Recognizer(  # RFC 2396 and 3986, 3.1: the first character is a letter
        lambda refusal: _has_colon_without_scheme(refusal, scheme_like=True)
    ),
    "colon-in-segment": Recognizer(  # RFC 2396, 5; RFC 3986, 4.2
        lambda refusal: _has_colon_without_scheme(refusal, scheme_like=False)
    ),
    "empty-scheme-part": Recognizer(  # RFC 2396, 3: an opaque part has at least one character
        _has_empty_scheme_part
    ),
    "slash-count": Recognizer(_has_wrong_slash_count),  # RFC 1738, 3.1
    "scheme-rule": Recognizer(  # RFC 1738, 5: a URL with a listed scheme must match the rule of this scheme
        _breaks_scheme_rule, lambda pair: pair.scheme == "prospero" and _keeps_question_mark_in_path(pair)
    ),
    # the authority
    "userinfo-not-allowed": Recognizer(  # RFC 1738, 3.1 and 3.3
        lambda refusal: "userinfo-not-allowed" in refusal.faults
    ),
    "several-ats": _fault_recognizer("several-ats"),  # RFC 1738, 3.1; RFC 3986, 3.2.1
    "login-delimiter": _fault_recognizer("login-delimiter"),  # RFC 1738, 3.1
    "empty-host": Recognizer(  # RFC 1738, 3.1; RFC 1808, 4, step 3; RFC 2396, 3.2.2
        lambda refusal: "empty-host" in refusal.faults,
        _has_empty_host,
        admits=frozenset({"net-loc-dropped"}),
    ),
    "host-label": _fault_recognizer("host-label"),  # RFC 1738, 3.1; RFC 2396, 3.2.2
    "trailing-dot": _fault_recognizer("trailing-dot"),  # RFC 1738, 3.1
    "escape-in-host": _fault_recognizer("escape-in-host"),  # RFC 1738, 5; RFC 3986, 3.2.2
    "ipv4-forms": _fault_recognizer("ipv4-forms"),  # RFC 1738, 5; RFC 3986, 3.2.2
    "ipv4-range": Recognizer(  # RFC 2732, 3; RFC 3986, 3.2.2
        lambda refusal: refusal.rule == "IPv4address" and refusal.char.isdigit(),
        lambda pair: "ipv4-range" in pair.faults,
    ),
    "ipv6-literal": _fault_recognizer("ipv6-literal"),  # RFC 2732, 3; RFC 3986, 3.2.2
    "empty-port": _fault_recognizer("empty-port"),  # RFC 1738, 3.1
    "port-digits": _fault_recognizer("port-digits"),  # RFC 1738, 5; RFC 3986, 3.2.3
    "netloc-end": _fault_recognizer("netloc-end"),  # RFC 1738, 3.3; RFC 1808, 2.4.3
    # the part after the login, which the rule of the scheme defines: RFC 1738, 3.2 to 3.11
    "file-host": Recognizer(  # 3.10
        _has_file_host_fault, lambda pair: "empty-host" in pair.faults and pair.scheme == "file"
    ),
    "file-drive": Recognizer(_has_drive_as_host),  # 3.10
    "ftp-question": Recognizer(  # 3.2.2 and 3.10: no search part
        differs=lambda pair: pair.scheme in ("ftp", "file") and _keeps_question_mark_in_path(pair),
        admits=frozenset({"other-split"}),
        admitted=lambda pair, answer: bool(facts(answer.spec).by_scheme) and pair.scheme in ("ftp", "file"),
    ),
    "ftp-type": Recognizer(  # 3.2.2
        lambda refusal: "ftp-type" in refusal.faults or (refusal.in_path and _is_in_path_of(refusal, "ftp")),
        lambda pair: pair.scheme == "ftp" and _path_ends_at(pair, ";type="),
    ),
    "search-slash": Recognizer(  # 3.3 and 3.9
        lambda refusal: refusal.in_search and refusal.char in ("/", "?")
    ),
    "gopher-parts": Recognizer(  # 3.4.1
        lambda refusal: "gopher-parts" in refusal.faults,
        lambda pair: (
            pair.scheme == "gopher" and pair.answer_by_scheme is not None and pair.name in ("path", "query")
        ),
    ),
    "mailto-address": Recognizer(  # 3.5
        lambda refusal: (
            _is_in_path_of(refusal, "mailto")
            or (refusal.scheme == "mailto" and _has_no_opaque_part(refusal) and bool(refusal.faults))
        ),
        lambda pair: _has_slashes_in_data(pair, "mailto"),
    ),
    "news-grouppart": Recognizer(  # 3.6 and 3.7
        lambda refusal: _is_in_path_of(refusal, "news", "nntp"),
        lambda pair: _has_slashes_in_data(pair, "news"),
    ),
    "telnet-path": Recognizer(lambda refusal: _is_in_path_of(refusal, "telnet")),  # 3.8
    "wais-parts": Recognizer(lambda refusal: _is_in_path_of(refusal, "wais")),  # 3.9
    "prospero-fields": Recognizer(  # 3.11
        lambda refusal: refusal.in_path and _is_in_path_of(refusal, "prospero"),
        lambda pair: pair.scheme == "prospero" and _path_ends_at(pair, ";"),
    ),
    # characters
    "non-ascii": Recognizer(  # RFC 3987, 2.1: IRIs have characters beyond ASCII
        lambda refusal: not refusal.char.isascii() and not refusal.facts.iris
    ),
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
        lambda refusal: refusal.in_path and _is_in_path_of(refusal, "file"), _params_cause_difference
    ),
    "opaque-query": Recognizer(  # RFC 1738, 2.1; RFC 2396, B
        differs=lambda pair: pair.scheme not in SLASHED and _keeps_question_mark_in_path(pair),
        admits=frozenset({"other-split"}),
        admitted=lambda _, answer: not facts(answer.spec).by_scheme,
    ),
    "empty-segment": Recognizer(  # RFC 1808, 2.2: fsegment
        lambda refusal: (
            refusal.char == "/" and not refusal.facts.empty_segments and "hex" not in refusal.rules
        )
    ),
    "empty-component": Recognizer(  # RFC 1808, 2.4 and 4
        differs=_has_dropped_component,
        admits=frozenset({"delimiter-kept", "empty-as-absent"}),
        admitted=lambda pair, _: pair.question.text != "#",
    ),
    # kinds of references: RFC 1808, 4; RFC 2396, 5.2; RFC 3986, 5.2.2
    "empty-reference": Recognizer(
        lambda refusal: _requires_scheme(refusal) and not refusal.text,
        lambda pair: pair.resolves and not pair.question.text,
        admits=frozenset({"same-document"}),
        admitted=lambda pair, _: pair.question.text != "#",
    ),
    "lone-hash": Recognizer(
        lambda refusal: not refusal.facts.fragments and refusal.text == "#",
        lambda pair: pair.question.text == "#",
        admits=frozenset({"delimiter-kept", "whole-base", "same-document", "empty-as-absent"}),
        admitted=lambda pair, _: pair.question.text == "#",
    ),
    "query-only": Recognizer(
        lambda refusal: _requires_scheme(refusal) and refusal.text.startswith("?"),
        _only_one_drops_last_segment,
    ),
    "same-scheme": Recognizer(admits=frozenset({"loophole", "non-strict"})),
    "pathless-base": Recognizer(differs=_merges_with_pathless_base),
    "rootless": Recognizer(
        lambda refusal: bool(refusal.reason) and refusal.scheme is not None, _has_rootless_path
    ),
    # dot segments: RFC 1808, 4, step 6; RFC 2396, 5.2, step 6; RFC 3986, 5.2.4
    "excess-dotdot": Recognizer(
        differs=lambda pair: pair.merges and pair.only_one_target(lambda target: target.segments[0] == ".."),
        admits=frozenset({"excess-dropped"}),
    ),
    "dots-in-base": Recognizer(
        differs=lambda pair: (
            pair.merges and pair.base_parts.dotted and pair.only_one_target(lambda target: target.dotted)
        ),
        admits=frozenset({"normalized-base"}),
    ),
    "dots-in-absolute-path": Recognizer(
        differs=lambda pair: (
            pair.resolves and pair.parts.absolute and pair.parts.dotted and pair.involves(_removes_dots)
        )
    ),
}


@dataclass(frozen=True)
class AgreeingRFCs:
    """RFCs that give the same answer.

    `sections` maps each RFC to the section from which its answer follows. `words` is the answer in words.
    """

    sections: Mapping[str, str]
    words: str


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
    words: str
    section: str = ""


class _Difference(NamedTuple):
    """A difference: the ids of the classes that explain it, if any, and the answers of the RFCs in words."""

    class_ids: list[str]
    clauses: list[_Clause]


def classify(question: Comparison, classes: Mapping[str, DifferenceClass]) -> Differences:
    """Classify the differences between the answers. `classes` maps ids to the classes of the corpus."""
    if question.unanimous:
        return Differences((), ())
    by_class: dict[str, list[_Clause]] = {}
    unnamed: list[tuple[AgreeingRFCs, ...]] = []
    for difference in _find_differences(question):
        for class_id in difference.class_ids:
            by_class.setdefault(class_id, []).extend(difference.clauses)
        if not difference.class_ids:
            sides = _sides(difference.clauses, {})
            if sides not in unnamed:
                unnamed.append(sides)
    accepting = [spec for spec, answer in question.answers.items() if answer.problem is None]
    named = [
        _named_difference(classes[class_id], clauses, accepting) for class_id, clauses in by_class.items()
    ]
    return Differences(tuple(named), tuple(unnamed))


def ids_of_classes(question: Comparison) -> list[str]:
    """Return the ids of the classes that `classify` names, without the words and sections of each RFC."""
    if question.unanimous:
        return []
    class_ids: list[str] = []
    for difference in _find_differences(question):
        class_ids += difference.class_ids
    return list(dict.fromkeys(class_ids))


def _find_differences(question: Comparison) -> Iterator[_Difference]:
    """Yield the differences of refusals, then those of answers, then those of admissible variants."""
    yield from _refusal_differences(question)
    yield from _answer_differences(question)
    yield from _variant_differences(question)


def _refusal_differences(question: Comparison) -> Iterator[_Difference]:
    """Yield the differences between refusals, for each text of the question.

    Refusals are grouped by class, or by offset if they have no class. A group is a difference if another RFC
    accepts the text at one of its offsets.
    """
    texts = (question.text, question.other, question.base)
    present_texts = [text for text in texts if text is not None]
    for text in dict.fromkeys(present_texts):
        by_spec = {}
        for spec, answer in question.answers.items():
            # an RFC that refuses another text of the question has not said anything about this one
            if answer.problem is None or answer.problem.text == text:
                by_spec[spec] = find_refusals(text, spec, answer.problem, question.rule)
        yield from _differences_of_one_text(by_spec)


#: Refusals of one class, with their offsets in the text, by RFC.
_RefusalGroup = dict[str, tuple[int, Refusal]]


def _differences_of_one_text(by_spec: Mapping[str, Refusals]) -> Iterator[_Difference]:
    """Yield the differences between the refusals of one text; see `_refusal_differences`."""
    for class_id, group in _refusal_groups(by_spec):
        accepting = [
            spec
            for spec, spec_refusals in by_spec.items()
            if spec not in group and _accepts(spec_refusals, group)
        ]
        if not accepting:
            continue
        clauses = []
        for spec, (at, refusal) in group.items():
            first_offset, _ = by_spec[spec].refusals[0]
            words = _refusal_in_words(refusal, at, first_offset)
            clauses.append(_Clause(spec, words, refusal.section))
        clauses += [_Clause(spec, _ACCEPTED) for spec in accepting]
        class_ids = [class_id] if class_id else []
        yield _Difference(class_ids, clauses)


def _refusal_groups(by_spec: Mapping[str, Refusals]) -> Iterator[tuple[str, _RefusalGroup]]:
    """Yield pairs (class, group). Refusals without a class are grouped by offset, under an empty id."""
    groups: dict[tuple[str, int], _RefusalGroup] = {}
    for spec, spec_refusals in by_spec.items():
        for at, refusal in spec_refusals.refusals:
            class_ids = [
                class_id
                for class_id, recognizer in RECOGNIZERS.items()
                if recognizer.refused and recognizer.refused(refusal)
            ]
            keys = [(class_id, 0) for class_id in class_ids] or [("", at)]
            for key in keys:
                groups.setdefault(key, {}).setdefault(spec, (at, refusal))
    for (class_id, _), group in groups.items():
        yield class_id, group


def _accepts(spec_refusals: Refusals, group: _RefusalGroup) -> bool:
    """Return True if another RFC, which has these refusals, accepts what a group refuses.

    A text that is refused as a base is refused as a whole: to accept it, an RFC must refuse nothing in it.
    """
    is_refused_as_base = any(refusal.reason for _, refusal in group.values())
    if is_refused_as_base and spec_refusals.refusals:
        return False
    return any(spec_refusals.accepts(at) for at, _ in group.values())


def _refusal_in_words(refusal: Refusal, at: int, first_offset: int) -> str:
    """Return a refusal at an offset in words. `first_offset` is that of the first refusal of the text.

    The words are "would refuse" if this refusal appears only after the first one is repaired.
    """
    if refusal.reason:
        return refusal.reason
    is_first = at == first_offset
    if refusal.char:
        verb = "refuses" if is_first else "would refuse"
        return f"{verb} {character_in_words(refusal.char)} at {at}"
    verb = "says" if is_first else "would say"
    return f"{verb} that the text ends too early, at offset {at}"


def character_in_words(char: str) -> str:
    """Return a printable ASCII character in quotes, or `a blank` for a space.

    Return the code point of any other character.
    """
    if char.isascii() and char.isprintable():
        return "a blank" if char == " " else quoted(char)
    return f"U+{ord(char):04X}"


def _answer_differences(question: Comparison) -> Iterator[_Difference]:
    """Yield each difference of two RFCs in a component, a target or a verdict on equality."""
    for earlier, later in combinations(question.answers.values(), 2):
        for name in _differing_names(question, earlier, later):
            pair = AnswerPair(question, name, earlier, later)
            class_ids = [
                class_id
                for class_id, recognizer in RECOGNIZERS.items()
                if recognizer.differs and recognizer.differs(pair)
            ]
            # without a class, do not report a refusal here: `_refusal_differences` reports it
            if class_ids or (earlier.problem is None and later.problem is None):
                clauses = [
                    _Clause(answer.spec, _answer_in_words(answer, name)) for answer in (earlier, later)
                ]
                yield _Difference(class_ids, clauses)


def _differing_names(question: Comparison, earlier: RFCAnswer, later: RFCAnswer) -> list[str]:
    """Return the names of the components or results in which two answers differ."""
    compares_urls = question.other is not None
    if compares_urls and (earlier.problem is None) is not (later.problem is None):
        return ["equal"]
    earlier_answer = earlier.recommended
    later_answer = later.recommended
    return [
        name for name in earlier_answer if name in later_answer and earlier_answer[name] != later_answer[name]
    ]


def _answer_in_words(answer: RFCAnswer, name: str) -> str:
    """Return a component or result of an answer in words. A path of RFC 1808 is shown with its parameters."""
    if answer.problem is not None:
        return "refuses a text"
    if name == "equal":
        return "equivalent" if answer.equal else "not equivalent"
    if name == "target":
        return f"gives {answer.result or EMPTY}"
    components = answer.components or {}
    words = f"{name} {_component_in_words(components[name])}"
    params = components.get("params")
    if name == "path" and params is not None:
        words += f", params {_component_in_words(params)}"
    return words


def _component_in_words(text: str | None) -> str:
    """Return the text of a component, or the sign of an absent or empty one."""
    if text is None:
        return ABSENT
    return text or EMPTY


def _variant_differences(question: Comparison) -> Iterator[_Difference]:
    """Yield the variants that belong to a class and that one RFC allows but another RFC does not.

    The variants of an RFC are not compared with those of one that refuses the text.
    """
    for earlier, later in combinations(question.answers.values(), 2):
        pair = AnswerPair(question, "admits", earlier, later)
        if later.problem is None:
            yield from _variants_of_one(pair, earlier, earlier.admits - later.admits)
        if earlier.problem is None:
            yield from _variants_of_one(pair, later, later.admits - earlier.admits)


def _variants_of_one(pair: AnswerPair, answer: RFCAnswer, only_here: frozenset[str]) -> Iterator[_Difference]:
    """Yield each class with the variants that only `answer`, one answer of the pair, admits."""
    if not only_here:
        return
    for class_id, recognizer in RECOGNIZERS.items():
        variants = sorted(recognizer.admits & only_here)
        if variants and recognizer.admitted(pair, answer):
            clauses = [_Clause(answer.spec, _VARIANTS[variant]) for variant in variants]
            yield _Difference([class_id], clauses)


def _named_difference(
    entry: DifferenceClass, clauses: Sequence[_Clause], accepting: Sequence[str]
) -> NamedDifference:
    """Return the difference that a class explains. `accepting` are the RFCs that accept the text."""
    sides = _sides(clauses, entry.sections)
    if len(sides) == 1:  # a variant that only one RFC allows
        other_specs = [spec for spec in accepting if spec not in sides[0].sections]
        no_variants = [_Clause(spec, "allows no variant") for spec in other_specs]
        sides += _sides(no_variants, entry.sections)
    specs: set[str] = set()
    for side in sides:
        specs.update(side.sections)
    return NamedDifference(entry, sides, _rulings_on(specs, entry.rulings))


def _rulings_on(specs: Collection[str], rulings: Iterable[str]) -> tuple[str, ...]:
    """Return those rulings that are about one of these RFCs, an RFC that it amends, or all RFCs.

    The id of a ruling begins with R and the number of its RFC, or with G if it is about all RFCs.
    """
    prefixes = {"G"}
    for spec in specs:
        for cited_spec in (spec, facts(spec).amends):
            if cited_spec is not None:
                number = cited_spec.removeprefix("rfc")
                prefixes.add(f"R-{number}")
    return tuple(ruling for ruling in rulings if ruling.rpartition("-")[0] in prefixes)


def _sides(clauses: Iterable[_Clause], sections: Mapping[Any, Sequence[str]]) -> tuple[AgreeingRFCs, ...]:
    """Join the clauses of each RFC, and put RFCs with the same joined text on one side.

    `sections` contains the sections of the class by RFC. The first one is cited if a clause cites none.
    """
    words_by_spec: dict[str, list[str]] = {}
    section_by_spec: dict[str, str] = {}
    for clause in clauses:
        words = words_by_spec.setdefault(clause.spec, [])
        if clause.words not in words:
            words.append(clause.words)
        class_sections = sections.get(clause.spec) or ("",)
        section_by_spec.setdefault(clause.spec, clause.section or class_sections[0])
    sections_by_words: dict[str, dict[str, str]] = {}
    for spec, words in sorted(words_by_spec.items()):
        if len(words) > 1 and _ACCEPTED in words:
            words.remove(_ACCEPTED)  # another clause says more
        joined_words = ", ".join(words)
        agreeing_sections = sections_by_words.setdefault(joined_words, {})
        agreeing_sections[spec] = section_by_spec[spec]
    return tuple(
        AgreeingRFCs(agreeing_sections, joined_words)
        for joined_words, agreeing_sections in sections_by_words.items()
    )
