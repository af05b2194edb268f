"""How each class of difference shows: in what an RFC refuses, gives as component or target, or admits.

Only a class of which the RFCs themselves differ has a sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from urlharness.naming.answers import Answer
from urlharness.naming.pairs import Pair
from urlharness.naming.refusals import SLASHED, Refusal


@dataclass(frozen=True)
class Sign:
    """What makes a class known: predicates of one refusal, of two answers, and of a variant that one admits.

    `admits` are the names of such variants; `admitted` looks at both answers, and at the one that admits it.
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
    """A text that RFC 1738 gives up before any colon."""
    return refusal.spec == "rfc1738" and not refusal.asked and refusal.scheme is None and _plain(refusal)


def _plain(refusal: Refusal) -> bool:
    return not refusal.char or refusal.char not in "~[]"


def _no_slashes(refusal: Refusal) -> bool:
    """A scheme of RFC 1738 that is written with two slashes, and is not here."""
    return refusal.known and refusal.scheme in SLASHED and refusal.wide is None and _plain(refusal)


def _without_slashes_at_all(refusal: Refusal) -> bool:
    found = _no_slashes(refusal) and refusal.scheme != "file"
    return found and not refusal.text.startswith("/", refusal.behind)


def _slash_count(refusal: Refusal) -> bool:
    if _no_scheme(refusal) and refusal.text[: refusal.at].lower() in SLASHED:
        return refusal.text.startswith("//", refusal.at)
    return "slash-count" in refusal.faults or (_no_slashes(refusal) and refusal.scheme != "file")


def _drive(refusal: Refusal) -> bool:
    drive = re.compile("[A-Za-z]:").match(refusal.text, refusal.behind) is not None
    found = _no_slashes(refusal) and refusal.scheme == "file" and drive
    return found or "file-drive" in refusal.faults


def _file_host(refusal: Refusal) -> bool:
    found = _no_slashes(refusal) and refusal.scheme == "file" and not _drive(refusal)
    missing = refusal.own_path and refusal.scheme == "file" and not refusal.in_path
    return found or missing or "file-host" in refusal.faults


def _later_colon(refusal: Refusal) -> bool:
    """A colon behind no scheme of RFC 2396, 3.1, or RFC 3986, 3.1."""
    later = refusal.spec in ("rfc2396", "rfc2732", "rfc3986") and not refusal.asked
    return later and refusal.char == ":" and ":" not in refusal.text[: refusal.at]


def _scheme_like(refusal: Refusal) -> bool:
    prefix = refusal.text[: refusal.at]
    return bool(prefix) and all(char.isalnum() or char in "+-." for char in prefix)


def _bracket(refusal: Refusal) -> bool:
    found = refusal.char and refusal.char in "[]"
    return bool(found) and "ipv6-literal" not in refusal.faults


def _nothing_behind(refusal: Refusal) -> bool:
    """RFC 2396, section 3: an opaque part has a character at least."""
    later = refusal.spec in ("rfc2396", "rfc2732") and refusal.scheme is not None
    return later and refusal.at == refusal.behind and refusal.char in ("", "#")


def _opaque_base(refusal: Refusal) -> bool:
    return bool(refusal.reason) and refusal.scheme is not None


# The section behind each class is that in which the RFC on the narrower side says it.
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
    "empty-scheme-part": Sign(_nothing_behind),  # RFC 2396, 3
    "slash-count": Sign(_slash_count),  # RFC 1738, 3.1
    "scheme-rule": Sign(  # RFC 1738, 5: a scheme of the list has its own rule alone
        lambda refusal: (
            _without_slashes_at_all(refusal) or (_path_of("prospero")(refusal) and not refusal.in_path)
        ),
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
