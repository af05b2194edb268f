"""Find all refusals of a text by one RFC.

The oracle reports only the first character that it refuses. To find the next fault, the first one is repaired
by a small change that is certain to remove it and nothing else, and the oracle is asked about the repaired
text: if it refuses that too, this is the next refusal. The search ends at a fault that nobody can repair
without a guess. `Refusals` says up to where the text was examined, and `origins` in `find_refusals` maps the
offsets of the repaired text to those of the original one.

`Refusal` answers questions about one refusal (which part of the URL is it in, does the scheme decide?), from
which `classify` finds its class. `authority_faults` names the faults of an authority, which have the most
classes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from string import hexdigits
from typing import NamedTuple

from urlharness.corpus.model import TRIPLET
from urlharness.corpus.specifications import SpecificationFacts, facts
from urloracle.errors import InvalidURL
from urloracle.rfcs import SPECIFICATIONS

# hostname of RFC 1738, section 5, and RFC 2396, section 3.2.2
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOSTNAME = re.compile(rf"(?:{_LABEL}\.)*(?![0-9]){_LABEL}")
_NUMERIC = re.compile(r"(?:0[xX][0-9A-Fa-f]*|[0-9]+)(?:\.(?:0[xX][0-9A-Fa-f]*|[0-9]+))*")
_OCTET = re.compile("[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]")
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+){3}")
_BARE_IPV6 = re.compile(r"[0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f.:]*")
_BROKEN_TRIPLET = re.compile("%[0-9A-Fa-f]{0,2}")
_SCHEME = re.compile(r"([A-Za-z0-9+.-]+):")

#: The schemes of RFC 1738, section 3, that do not allow a user in the authority.
HOST_ONLY = frozenset(("http", "gopher", "nntp", "wais", "file", "prospero"))
#: The schemes of RFC 1738 that require two slashes.
SLASHED = HOST_ONLY | {"ftp", "telnet"}

#: The maximum length of a text that is repaired. Of a longer text, only the first refusal is found.
_MAX_REPAIRED_LENGTH = 2_000
#: The maximum number of refusals that are found for one text and one RFC.
_MAX_REFUSALS = 16


def _split_login(authority: str) -> tuple[str | None, str, str | None]:
    """Return (userinfo, host, port).

    Split the authority at the last @, and then at the first colon after it.
    """
    userinfo, at, hostport = authority.rpartition("@")
    host, colon, port = hostport.partition(":")
    return userinfo if at else None, host, port if colon else None


def _is_bare_ipv6(authority: str) -> bool:
    """Return True if the authority is an IPv6 address without brackets."""
    return _BARE_IPV6.fullmatch(authority) is not None


def _host_faults(host: str) -> frozenset[str]:
    """Return the classes of the faults in a host under RFC 1738, section 5."""
    if not host:
        return frozenset({"empty-host"})
    if _DECIMAL.fullmatch(host):
        return _decimal_address_faults(host)
    if _HOSTNAME.fullmatch(host):
        return frozenset()
    if _NUMERIC.fullmatch(host):
        return frozenset({"ipv4-forms"})
    without_dot = host.removesuffix(".")
    if without_dot != host and (_HOSTNAME.fullmatch(without_dot) or _NUMERIC.fullmatch(without_dot)):
        return frozenset({"trailing-dot"})
    before, semicolon, _ = host.partition(";")
    if semicolon:  # under RFC 1738, the host ends at the semicolon
        return _host_faults(before) | {"netloc-end"}
    if "%" in host:
        # any letter in the place of the triplets: then the other faults of the host remain
        return _host_faults(_BROKEN_TRIPLET.sub("a", host)) | {"escape-in-host"}
    return frozenset({"host-label"})


def _decimal_address_faults(host: str) -> frozenset[str]:
    """Return the classes of the faults in four decimal numbers.

    RFC 2732, section 3, allows up to three digits in each, and RFC 3986, section 3.2.2, values up to 255.
    """
    numbers = host.split(".")
    if all(_OCTET.fullmatch(number) for number in numbers):
        return frozenset()
    looks_octal = any(len(number) > 3 and number[0] == "0" for number in numbers)
    if looks_octal:
        return frozenset({"ipv4-range", "ipv4-forms"})
    return frozenset({"ipv4-range"})


def authority_faults(authority: str) -> frozenset[str]:
    """Return the classes of those faults in an authority that at least one RFC refuses.

    A question mark, or else an IPv6 address without brackets, is the only fault that is reported.
    """
    _, question_mark, after = authority.partition("?")
    if question_mark:  # RFC 1808, section 2.4.3: the network location ends at the next slash
        is_in_userinfo = "@" in after
        return frozenset({"login-delimiter" if is_in_userinfo else "netloc-end"})
    if _is_bare_ipv6(authority):
        return frozenset({"ipv6-literal"})
    userinfo, host, port = _split_login(authority)
    classes = set(_host_faults(host))
    if userinfo is not None and "@" in userinfo:
        classes.add("several-ats")
    if userinfo is not None and userinfo.count(":") > 1:
        classes.add("login-delimiter")
    if port == "":
        classes.add("empty-port")
    elif port is not None and not _is_number(port):
        classes.add("port-digits")
    return frozenset(classes)


def _is_number(port: str) -> bool:
    """Return True if a port consists of ASCII digits. `isdigit` alone would allow others."""
    return port.isascii() and port.isdigit()


@dataclass(frozen=True)
class Refusal:
    """The refusal of a text by one RFC.

    `at` is the offset in code points, and `rules` are the open rules. `reason` says why a text cannot be a
    base, and is empty for other refusals. `rule` is the rule that was asked for, or None for the rule of
    whole URLs.
    """

    spec: str
    text: str
    at: int
    rules: tuple[str, ...]
    section: str
    reason: str = ""
    rule: str | None = None

    @property
    def char(self) -> str:
        """The refused character, or an empty string if the text ends too early."""
        return self.text[self.at : self.at + 1]

    @cached_property
    def scheme(self) -> str | None:
        """The scheme in lower case, or None if there is no scheme that ends before the refused character."""
        match = _SCHEME.match(self.text)
        if match is None or match.end() > self.at:
            return None
        return match[1].lower()

    @property
    def after_scheme(self) -> int:
        """The offset after the colon of the scheme, or 0 if there is no scheme."""
        return 0 if self.scheme is None else len(self.scheme) + 1

    @property
    def authority_start(self) -> int:
        """The offset after the two slashes, where an authority begins."""
        return self.after_scheme + 2

    @cached_property
    def net_loc(self) -> str | None:
        """The authority under RFC 1808, section 2.4.3, which ends only at the next slash or crosshatch.

        It is None if no slashes precede it.
        """
        return self._authority_before("/#")

    @cached_property
    def authority(self) -> str | None:
        """The authority under RFC 3986, section 3.2, or None if no slashes precede it."""
        return self._authority_before("/?#")

    def _authority_before(self, delimiters: str) -> str | None:
        """Return the authority up to the first of the delimiters, or None if no slashes precede it."""
        if not self.text.startswith("//", self.after_scheme):
            return None
        return re.split(f"[{delimiters}]", self.text[self.authority_start :], maxsplit=1)[0]

    @property
    def in_authority(self) -> bool:
        """True if the refused character is in the authority or directly after it."""
        end = self.authority_start + len(self.net_loc or "")
        return self.net_loc is not None and self.authority_start <= self.at <= end

    @property
    def in_path(self) -> bool:
        """True if the refused character comes after the authority."""
        return self.net_loc is not None and self.at > self.authority_start + len(self.net_loc)

    @property
    def has_rule(self) -> bool:
        """True if the RFC has a rule for the scheme of the text, as RFC 1738 has."""
        return self.scheme in SPECIFICATIONS[self.spec].schemes

    @property
    def facts(self) -> SpecificationFacts:
        """The facts about the RFC."""
        return facts(self.spec)

    @property
    def by_scheme(self) -> bool:
        """True if the schemes have rules of their own, as in RFC 1738."""
        return self.facts.by_scheme is not None

    @property
    def in_scheme_path(self) -> bool:
        """True if the refusal follows from the path rule that RFC 1738 defines for only this scheme.

        It is False for http and gopher, and for characters with classes of their own.
        """
        if not self.has_rule or self.scheme in (None, "http", "gopher"):
            return False
        if self.char in ("~", "#", "[", "]"):  # characters with classes of their own
            return False
        if self.scheme in ("mailto", "news"):
            return True
        lacks_path = self.in_authority and not self.char and not self.faults
        if lacks_path:
            return True
        at_search_delimiter = self.in_search and self.char in "/?"
        return self.in_path and not at_search_delimiter

    @property
    def in_search(self) -> bool:
        """True if the refused character is in the search part of RFC 1738, sections 3.3 and 3.9."""
        return self.has_rule and "search" in self.rules

    @cached_property
    def faults(self) -> frozenset[str]:
        """The classes of the faults in the authority that cause this refusal."""
        if not self.in_authority or self.authority is None or self.net_loc is None:
            return frozenset()
        if self.char == "~" or (self.char == "#" and not self.facts.fragments):
            return frozenset()
        return self._login_faults(self.authority, self.net_loc, self.at - self.authority_start)

    def _login_faults(self, authority: str, net_loc: str, offset: int) -> frozenset[str]:
        """Return the classes of the faults at an offset in an authority, from its beginning to its end."""
        if "[" in authority or "]" in authority or _is_bare_ipv6(authority):
            return frozenset({"ipv6-literal"})
        if "@" in authority[offset:]:
            return self._userinfo_faults(authority)
        host_start = authority.rfind("@") + 1
        if self.by_scheme:
            delimiter_fault = self._delimiter_fault(net_loc[host_start:], offset - host_start)
            if delimiter_fault is not None:
                return frozenset({delimiter_fault})
        _, host, port = _split_login(authority[host_start:])
        if not host:
            has_third_slash = self.char == "/" and not authority
            return frozenset({"slash-count" if has_third_slash else "empty-host"})
        host_faults = _host_faults(host) if self.by_scheme else frozenset()
        if host_faults or port is None:
            return host_faults
        port_fault = self._port_fault(host, port, at_end=offset == len(authority))
        return frozenset() if port_fault is None else frozenset({port_fault})

    def _userinfo_faults(self, authority: str) -> frozenset[str]:
        """Return the classes of the faults at or before the last `@` of an authority."""
        classes = set()
        if authority.count("@") > 1:
            classes.add("several-ats")
        if self.by_scheme and self.scheme in HOST_ONLY:
            classes.add("userinfo-not-allowed")
        return frozenset(classes or {"login-delimiter"})

    def _delimiter_fault(self, host_and_rest: str, offset: int) -> str | None:
        """Return the class of a fault at or after a ? or ; that follows a valid host and port.

        Return None if there is no such delimiter before the offset, or if host or port have a fault.
        """
        delimiter = re.search("[?;]", host_and_rest)
        if delimiter is None or offset < delimiter.start():
            return None
        _, host, port = _split_login(host_and_rest[: delimiter.start()])
        if _host_faults(host) or not (port is None or port.isdigit()):
            return None
        rest = host_and_rest[delimiter.start() :]
        if "@" in rest:
            return "login-delimiter"
        if self.scheme == "ftp" and rest.startswith(";type="):
            return "ftp-type"
        return "gopher-parts" if self.scheme == "gopher" else "netloc-end"

    def _port_fault(self, host: str, port: str, *, at_end: bool) -> str | None:
        """Return the class of a fault in the port, or None if it is a number.

        `at_end` is true if the whole authority is accepted, and the character after it refused.
        """
        if self.scheme == "file" and self.by_scheme:
            is_drive = len(host) == 1 and host.isalpha() and not port
            return "file-drive" if is_drive else "file-host"
        if _is_number(port):
            return None
        if port and at_end and "@" in self.text[self.at :]:
            return "login-delimiter"
        return "port-digits" if port else "empty-port"


class Replacement(NamedTuple):
    """A change to a text: the characters from `start` to `end` become `new`."""

    start: int
    end: int
    new: str = ""


@dataclass(frozen=True)
class Refusals:
    """The refusals of a text by one RFC, each with its offset in the original text.

    Repairs changed the characters at the offsets in `skipped`, so these offsets were not examined. Offsets
    after `end` were not examined either.
    """

    refusals: tuple[tuple[int, Refusal], ...]
    skipped: frozenset[int]
    end: int

    def accepts(self, offset: int) -> bool:
        """Return True if the RFC accepts the character at an offset that was examined."""
        refused = {at for at, _ in self.refusals}
        was_examined = offset not in self.skipped and offset <= self.end
        return was_examined and offset not in refused


class _RepairedText:
    """A text while it is repaired, and where its characters come from.

    `skipped` are the offsets in the original text of the characters that repairs have changed. `end` is the
    last offset there that is examined.
    """

    def __init__(self, text: str) -> None:
        """Begin with the original text, which is examined to its end."""
        self.text = text
        self.skipped: set[int] = set()
        self.end = len(text)
        #: The offset in the original text of each character, and of the end.
        self._origins = list(range(len(text) + 1))

    def origin_of(self, offset: int) -> int:
        """Return the offset in the original text of the character at an offset."""
        return self._origins[offset]

    def repair(self, change: Replacement) -> None:
        """Make a change. If it cuts the rest of the text, nothing after the cut is examined."""
        origin = self._origins[change.start]
        cuts_the_rest = change.end == len(self.text) and not change.new
        if cuts_the_rest:
            self.end = min(self.end, origin)
        replaced = slice(change.start, change.end)
        self.skipped.update(self._origins[replaced])
        self._origins[replaced] = [origin] * len(change.new)
        self.text = f"{self.text[: change.start]}{change.new}{self.text[change.end :]}"


def find_refusals(
    text: str, spec: str, first_problem: InvalidURL | None, rule: str | None = None
) -> Refusals:
    """Return all refusals of a text by one RFC.

    `first_problem` is the first refusal, or None if the RFC accepts the text. If `rule` is given, or if the
    text is too long, return only the first refusal. Also stop after `_MAX_REFUSALS` refusals, and if a fault
    cannot be repaired.
    """
    is_repairable = rule is None and len(text) <= _MAX_REPAIRED_LENGTH
    repaired = _RepairedText(text)
    refusals: list[tuple[int, Refusal]] = []
    problem = first_problem
    while problem is not None:
        at = repaired.origin_of(problem.position)
        if len(refusals) == _MAX_REFUSALS:
            repaired.end = min(repaired.end, at - 1)
            break
        if any(at == earlier for earlier, _ in refusals):  # the last repair did not help
            repaired.end = at
            break
        refusal = Refusal(
            spec, problem.text, problem.position, problem.rules, problem.section, problem.reason, rule
        )
        refusals.append((at, refusal))
        change = _repair(refusal, problem.expected) if is_repairable else None
        if change is None:
            repaired.end = at
            break
        repaired.repair(change)
        problem = SPECIFICATIONS[spec].problem(repaired.text)
    return Refusals(tuple(refusals), frozenset(repaired.skipped), repaired.end)


def _repair(refusal: Refusal, expected: frozenset[str]) -> Replacement | None:
    """Return a small change that is certain to remove the fault, or None if no such change is known.

    `expected` contains the characters that the RFC allows at the offset of the refusal.
    """
    at = refusal.at
    text = refusal.text
    lacks_scheme = refusal.facts.relative_rule is None and refusal.scheme is None
    if refusal.reason or lacks_scheme:
        return None
    if refusal.char == "%" and not TRIPLET.match(text, at):
        return None  # other RFCs report this fault at the character after the percent sign
    if refusal.char == "#":
        return Replacement(at, len(text))
    in_triplet = "%" in text[max(at - 2, 0) : at]
    if in_triplet and expected and expected <= set(hexdigits):
        percent_sign = text.rindex("%", 0, at)
        return Replacement(percent_sign, percent_sign + 1, "a")
    if refusal.faults:
        return _repair_authority(refusal)
    if refusal.scheme is None and refusal.char == ":":  # no scheme under the RFCs after RFC 1738
        return _repair_scheme(text, at)
    if at == refusal.after_scheme and refusal.scheme is not None and refusal.net_loc is None:
        # after such a scheme, any character begins an opaque part; the others need two slashes
        return Replacement(at, at, "x") if refusal.scheme not in SLASHED else None
    if refusal.in_scheme_path:
        end = text.find("#", at)
        return Replacement(at, len(text) if end < 0 else end)
    # a letter, a digit or a hyphen fits into most rules without a change of meaning
    allowed = next((char for char in "a0-" if char in expected), None)
    if allowed is None or not refusal.char:
        return None
    return Replacement(at, at + 1, allowed)


def _repair_scheme(text: str, colon: int) -> Replacement:
    """Return a change that makes a scheme of the text before a colon, or replaces the colon."""
    if text[0] in "0123456789+-.":
        return Replacement(start=0, end=1, new="a")
    return Replacement(colon, colon + 1, "-")


def _repair_authority(refusal: Refusal) -> Replacement | None:
    """Return a change that repairs the authority, or None if no such change is known.

    The change removes the faulty part, replaces the host, or inserts a delimiter.
    """
    authority = refusal.authority or ""
    has_broken_triplet = len(TRIPLET.findall(authority)) < authority.count("%")
    if has_broken_triplet:
        return None
    at = refusal.at
    start = refusal.authority_start
    end = start + len(authority)
    host_start = start + authority.rfind("@") + 1
    if "@" in authority[at - start :]:
        return Replacement(start, host_start)
    colon = authority.find(":", host_start - start)
    port_start = end if colon < 0 else start + colon  # with the colon
    match min(refusal.faults):
        case "netloc-end" | "ftp-type":
            before = min(at, end)
            return Replacement(before, before, "/") if refusal.char else None
        case "gopher-parts":
            return Replacement(at, at, "/1")
        case "empty-port" | "port-digits" | "file-host" | "file-drive":
            return Replacement(port_start, end)
        case "login-delimiter":
            return None
        case "ipv6-literal":
            return Replacement(host_start, end, "h")
        case _:
            return Replacement(host_start, port_start, "h")
