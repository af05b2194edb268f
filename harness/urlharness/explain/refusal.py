"""Find all refusals of a text by one RFC.

After the first refusal, its fault is repaired. If the RFC refuses the repaired text, this is the next
refusal.
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
    if _DECIMAL.fullmatch(host):  # RFC 2732, section 3: up to three digits; RFC 3986, 3.2.2: up to 255
        groups = host.split(".")
        if all(_OCTET.fullmatch(group) for group in groups):
            return frozenset()
        octal = any(len(group) > 3 and group[0] == "0" for group in groups)
        return frozenset({"ipv4-range", "ipv4-forms"} if octal else {"ipv4-range"})
    if _HOSTNAME.fullmatch(host):
        return frozenset()
    if _NUMERIC.fullmatch(host):
        return frozenset({"ipv4-forms"})
    if host.endswith(".") and (_HOSTNAME.fullmatch(host[:-1]) or _NUMERIC.fullmatch(host[:-1])):
        return frozenset({"trailing-dot"})
    before, semicolon, _ = host.partition(";")
    if semicolon:  # under RFC 1738, the host ends at the semicolon
        return _host_faults(before) | {"netloc-end"}
    if "%" in host:
        return _host_faults(_BROKEN_TRIPLET.sub("a", host)) | {"escape-in-host"}
    return frozenset({"host-label"})


def faults(authority: str) -> frozenset[str]:
    """Return the classes of those faults in an authority that at least one RFC refuses."""
    if "?" in authority:  # RFC 1808, section 2.4.3: the network location ends at the next slash
        return frozenset({"login-delimiter" if "@" in authority.partition("?")[2] else "netloc-end"})
    if _is_bare_ipv6(authority):
        return frozenset({"ipv6-literal"})
    userinfo, host, port = _split_login(authority)
    found = set(_host_faults(host))
    if userinfo is not None and "@" in userinfo:
        found.add("several-ats")
    if userinfo is not None and userinfo.count(":") > 1:
        found.add("login-delimiter")
    if port == "":
        found.add("empty-port")
    elif port is not None and not (port.isascii() and port.isdigit()):
        found.add("port-digits")
    return frozenset(found)


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
        found = _SCHEME.match(self.text)
        return found[1].lower() if found and found.end() <= self.at else None

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
        return self._authority("/#")

    @cached_property
    def authority(self) -> str | None:
        """The authority under RFC 3986, section 3.2, or None if no slashes precede it."""
        return self._authority("/?#")

    def _authority(self, ends: str) -> str | None:
        if not self.text.startswith("//", self.after_scheme):
            return None
        return re.split(f"[{ends}]", self.text[self.authority_start :], maxsplit=1)[0]

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
        """True if the refusal follows from the path rule that RFC 1738 defines for only this scheme."""
        if not self.has_rule or self.scheme in (None, "http", "gopher") or self.char in {*"~#[]"}:
            return False
        if self.scheme in ("mailto", "news"):
            return True
        missing = self.in_authority and not self.char and not self.faults  # the required path is missing
        return missing or (self.in_path and not (self.in_search and self.char in "/?"))

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
        if "[" in authority or "]" in authority or _is_bare_ipv6(authority):
            return frozenset({"ipv6-literal"})
        if "@" in authority[offset:]:
            several = authority.count("@") > 1
            forbidden = self.by_scheme and self.scheme in HOST_ONLY
            tests = {"several-ats": several, "userinfo-not-allowed": forbidden}
            found = frozenset(name for name, applies in tests.items() if applies)
            return found or frozenset({"login-delimiter"})
        begin = authority.rfind("@") + 1
        delimiter = re.search("[?;]", net_loc[begin:])
        if delimiter is not None and offset >= begin + delimiter.start() and self.by_scheme:
            _, host, port = _split_login(net_loc[begin : begin + delimiter.start()])
            if not _host_faults(host) and (port is None or port.isdigit()):
                return frozenset({self._delimiter_fault(net_loc[begin + delimiter.start() :])})
        _, host, port = _split_login(authority[begin:])
        if not host:
            return frozenset({"slash-count" if self.char == "/" and not authority else "empty-host"})
        found = _host_faults(host) if self.by_scheme else frozenset()
        if found or port is None:
            return found
        if self.scheme == "file" and self.by_scheme:
            drive = len(host) == 1 and host.isalpha() and not port
            return frozenset({"file-drive" if drive else "file-host"})
        if port.isascii() and port.isdigit():
            return frozenset()
        if port and offset == len(authority) and "@" in self.text[self.at :]:
            return frozenset({"login-delimiter"})
        return frozenset({"port-digits" if port else "empty-port"})

    def _delimiter_fault(self, rest: str) -> str:
        """Return the class of a fault that begins with ? or ; after a valid host. `rest` begins there."""
        if "@" in rest:
            return "login-delimiter"
        if self.scheme == "ftp" and rest.startswith(";type="):
            return "ftp-type"
        return "gopher-parts" if self.scheme == "gopher" else "netloc-end"


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
        return offset not in refused and offset not in self.skipped and offset <= self.end


def all_refusals(text: str, spec: str, problem: InvalidURL | None, rule: str | None = None) -> Refusals:
    """Return all refusals of a text by one RFC.

    `problem` is the first refusal, or None if the RFC accepts the text. If `rule` is given, or if the text is
    too long, return only the first refusal. Also stop if a fault cannot be repaired.
    """
    origins = list(range(len(text) + 1))
    refusals: list[tuple[int, Refusal]] = []
    skipped: set[int] = set()
    end = len(text)
    while problem is not None and len(refusals) < _MAX_REFUSALS:
        at, edit = origins[problem.position], None
        if all(at != before for before, _ in refusals):
            refusal = Refusal(
                spec, problem.text, problem.position, problem.rules, problem.section, problem.reason, rule
            )
            refusals.append((at, refusal))
            if rule is None and len(text) <= _MAX_REPAIRED_LENGTH:
                edit = _repair(refusal, problem.expected)
        if edit is None:
            end = at
            break
        if edit.end == len(problem.text) and not edit.new:
            end = min(end, origins[edit.start])
        skipped.update(origins[edit.start : edit.end])
        origins[edit.start : edit.end] = [origins[edit.start]] * len(edit.new)
        repaired = f"{problem.text[: edit.start]}{edit.new}{problem.text[edit.end :]}"
        problem = SPECIFICATIONS[spec].problem(repaired)
    return Refusals(tuple(refusals), frozenset(skipped), end)


def _repair(refusal: Refusal, expected: frozenset[str]) -> Replacement | None:
    """Return a small change that is certain to remove the fault, or None if no such change is known.

    `expected` contains the characters that the RFC allows at the offset of the refusal.
    """
    at, text = refusal.at, refusal.text
    if refusal.reason or (refusal.facts.relative_rule is None and refusal.scheme is None):
        return None
    if refusal.char == "%" and not TRIPLET.match(text, at):
        return None  # other RFCs report this fault at the character after the percent sign
    if refusal.char == "#":
        return Replacement(at, len(text))
    if expected and expected <= set(hexdigits) and "%" in text[max(at - 2, 0) : at]:  # a broken triplet
        sign = text.rindex("%", 0, at)
        return Replacement(sign, sign + 1, "a")
    if refusal.faults:
        return _repair_authority(refusal)
    if refusal.scheme is None and refusal.char == ":":  # no scheme under the RFCs after RFC 1738
        return Replacement(0, 1, "a") if text[0] in "0123456789+-." else Replacement(at, at + 1, "-")
    if at == refusal.after_scheme and refusal.scheme is not None and refusal.net_loc is None:
        return Replacement(at, at, "x") if refusal.scheme not in SLASHED else None
    if refusal.in_scheme_path:
        end = text.find("#", at)
        return Replacement(at, len(text) if end < 0 else end)
    allowed = next((char for char in "a0-" if char in expected), None)
    return None if allowed is None or not refusal.char else Replacement(at, at + 1, allowed)


def _repair_authority(refusal: Refusal) -> Replacement | None:
    """Return a change that repairs the authority, or None if no such change is known.

    The change removes the faulty part, replaces the host, or inserts a delimiter.
    """
    authority, start, at = refusal.authority or "", refusal.authority_start, refusal.at
    if len(TRIPLET.findall(authority)) < authority.count("%"):
        return None
    last = start + authority.rfind("@") + 1
    end = start + len(authority)
    if "@" in authority[at - start :]:
        return Replacement(start, last)
    colon = authority.find(":", last - start)
    port = end if colon < 0 else start + colon
    fault = min(refusal.faults)
    if fault in ("netloc-end", "ftp-type"):
        return Replacement(min(at, end), min(at, end), "/") if refusal.char else None
    if fault == "gopher-parts":
        return Replacement(at, at, "/1")
    if fault in ("empty-port", "port-digits", "file-host", "file-drive"):
        return Replacement(port, end)
    if fault == "login-delimiter":
        return None
    return Replacement(last, end if fault == "ipv6-literal" else port, "h")
