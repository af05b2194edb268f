"""Where an RFC refuses a text: what stands there, seen as a reader of the RFCs would see it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from urlharness.naming.authority import bare_ipv6, cut, host_faults
from urloracle import SPECIFICATIONS

_SCHEME = re.compile(r"([A-Za-z0-9+.-]+):")

#: The schemes of RFC 1738, section 3, whose authority has no user.
HOST_ONLY = frozenset(("http", "gopher", "nntp", "wais", "file", "prospero"))
#: Those that are written with two slashes.
SLASHED = HOST_ONLY | {"ftp", "telnet"}


@dataclass(frozen=True)
class Refusal:
    """The refusal of a text by one RFC: the offset in code points, the rules open there, the section.

    `asked` is the rule, where another was asked for than that of whole URLs.  `reason` is that of a base
    which no reference can be resolved against.
    """

    spec: str
    text: str
    at: int
    rules: tuple[str, ...]
    section: str
    reason: str = ""
    asked: str | None = None

    @property
    def char(self) -> str:
        """The character that is refused; nothing where the text ends too early."""
        return self.text[self.at : self.at + 1]

    @cached_property
    def scheme(self) -> str | None:
        """The scheme in small letters, where the RFC has come to its end."""
        found = _SCHEME.match(self.text)
        return found[1].lower() if found and found.end() <= self.at else None

    @property
    def behind(self) -> int:
        """The offset behind the colon of the scheme; 0 without one."""
        return 0 if self.scheme is None else len(self.scheme) + 1

    @property
    def start(self) -> int:
        """The offset behind the two slashes."""
        return self.behind + 2

    @cached_property
    def wide(self) -> str | None:
        """The authority by RFC 1808, section 2.4.3, up to the next slash; None where there is none."""
        return self._authority("/#")

    @cached_property
    def authority(self) -> str | None:
        """The authority as RFC 3986, section 3.2, cuts it."""
        return self._authority("/?#")

    def _authority(self, ends: str) -> str | None:
        if not self.text.startswith("//", self.behind):
            return None
        return re.split(f"[{ends}]", self.text[self.start :], maxsplit=1)[0]

    @property
    def in_authority(self) -> bool:
        """True where the refused character stands in an authority, or directly behind it."""
        end = self.start + len(self.wide or "")
        return self.wide is not None and self.start <= self.at <= end

    @property
    def in_path(self) -> bool:
        """True behind the authority."""
        return self.wide is not None and self.at > self.start + len(self.wide)

    @property
    def known(self) -> bool:
        """True for the text of a scheme that RFC 1738 has a rule for, refused by that rule."""
        return self.spec == "rfc1738" and self.scheme in SPECIFICATIONS["rfc1738"].schemes

    @property
    def own_path(self) -> bool:
        """True behind the login of a URL whose scheme has a form of its own for what follows there."""
        if not self.known or self.scheme in (None, "http", "gopher") or (self.char and self.char in "~#[]"):
            return False
        if self.scheme in ("mailto", "news"):
            return True
        missing = self.in_authority and not self.char and not self.faults  # the path is not there at all
        return missing or (self.in_path and not (self.in_search and self.char in "/?"))

    @property
    def in_search(self) -> bool:
        """True within the part behind the question mark of RFC 1738, section 3.3 and 3.9."""
        return self.known and "search" in self.rules

    @cached_property
    def faults(self) -> frozenset[str]:
        """The classes of what is wrong in an authority at this place; none where nothing in it is."""
        if not self.in_authority or self.authority is None or self.wide is None:
            return frozenset()
        if self.char == "~" or (self.char == "#" and self.spec == "rfc1738"):
            return frozenset()
        return self._login_faults(self.authority, self.wide, self.at - self.start)

    def _login_faults(self, authority: str, wide: str, offset: int) -> frozenset[str]:
        if "[" in authority or "]" in authority or bare_ipv6(authority):
            return frozenset({"ipv6-literal"})
        if "@" in authority[offset:]:
            several = authority.count("@") > 1
            barred = self.spec == "rfc1738" and self.scheme in HOST_ONLY
            claims = {"several-ats": several, "userinfo-not-allowed": barred}
            return frozenset(name for name, holds in claims.items() if holds) or frozenset(
                {"login-delimiter"}
            )
        begin = authority.rfind("@") + 1
        delimiter = re.search("[?;]", wide[begin:])
        if delimiter is not None and offset >= begin + delimiter.start() and self.spec == "rfc1738":
            _, host, port = cut(wide[begin : begin + delimiter.start()])
            if not host_faults(host) and (port is None or port.isdigit()):
                return frozenset({self._delimiter_fault(wide[begin + delimiter.start() :])})
        _, host, port = cut(authority[begin:])
        if not host:
            return frozenset({"slash-count" if self.char == "/" and not authority else "empty-host"})
        found = host_faults(host) if self.spec == "rfc1738" else frozenset()
        if found or port is None:
            return found
        if self.scheme == "file" and self.spec == "rfc1738":
            drive = len(host) == 1 and host.isalpha() and not port
            return frozenset({"file-drive" if drive else "file-host"})
        if port.isascii() and port.isdigit():
            return frozenset()
        if port and offset == len(authority) and "@" in self.text[self.at :]:
            return frozenset({"login-delimiter"})
        return frozenset({"port-digits" if port else "empty-port"})

    def _delimiter_fault(self, rest: str) -> str:
        """A ? or ; behind a good host."""
        if "@" in rest:
            return "login-delimiter"
        if self.scheme == "ftp" and rest.startswith(";type="):
            return "ftp-type"
        return "gopher-parts" if self.scheme == "gopher" else "netloc-end"
