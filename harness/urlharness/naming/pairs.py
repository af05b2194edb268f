"""Two RFCs that answer differently in one component, target or equality, and what could be the cause."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from urlharness.naming.answers import Answer, Question
from urlharness.naming.authority import faults
from urloracle import resolve

# RFC 3986, appendix B
_PARTS = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_NET_LOC = re.compile(r"(?:[A-Za-z0-9+.-]+:)?//([^/#]*)")
_LOGIN = ("authority", "userinfo", "host", "port")
_RFC2396 = ("rfc2396", "rfc2732")


class Parts(NamedTuple):
    """A text cut as RFC 3986, appendix B, cuts it."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def absolute(self) -> bool:
        """True where the path of a reference is its own: it takes nothing from that of the base."""
        return self.scheme is not None or self.authority is not None or self.path.startswith("/")

    @property
    def rootless(self) -> bool:
        """True for a path that has no slash in front of it and no authority either."""
        return self.authority is None and not self.path.startswith("/")

    @property
    def segments(self) -> list[str]:
        """The segments of the path; the slash before it precedes none."""
        return self.path.removeprefix("/").split("/")

    @property
    def dotted(self) -> bool:
        """True for a path with dot segments."""
        return any(segment in (".", "..") for segment in self.segments)


def parts(text: str) -> Parts:
    """The parts of any text."""
    found = _PARTS.fullmatch(text)
    assert found is not None  # it matches every text
    return Parts(*found.groups())


def net_loc(text: str) -> str:
    """What RFC 1808, section 2.4.3, takes for the network location; nothing where there is none."""
    found = _NET_LOC.match(text)
    return found[1] if found else ""


@dataclass(frozen=True)
class Pair:
    """The answers of two RFCs, the earlier one first, and the name of what differs in them."""

    question: Question
    name: str
    one: Answer
    other: Answer

    @cached_property
    def text(self) -> Parts:
        """The text, or the reference."""
        return parts(self.question.text)

    @cached_property
    def base(self) -> Parts | None:
        """The base of a resolution."""
        return None if self.question.base is None else parts(self.question.base)

    @property
    def scheme(self) -> str:
        """The scheme of the text in small letters; empty where it has none."""
        return (self.text.scheme or "").lower()

    def of(self, spec: str) -> Answer | None:
        """The answer of one RFC, where it is one of the two."""
        return next((answer for answer in (self.one, self.other) if answer.spec == spec), None)

    # components

    @cached_property
    def authority_faults(self) -> frozenset[str]:
        """The classes of what is odd in the authority that one of the two finds another end or no host in."""
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
        return frozenset() if wide is None or self.of("rfc1808") is None else faults(wide)

    @property
    def old_question(self) -> bool:
        """True where RFC 1738 keeps a question mark in what is the path of another."""
        path = self._component("rfc1738", "path")
        return self.name == "path" and path is not None and "?" in path

    def old_cut(self, delimiter: str) -> bool:
        """True where RFC 1738 ends a path at a delimiter that the other has in its path."""
        old, later = self._component("rfc1738", "path"), self._component(self.other.spec, "path")
        return self.name == "path" and old is not None and (later or "").startswith(f"{old}{delimiter}")

    def old_parts(self, scheme: str) -> bool:
        """True for what RFC 1738 divides by a rule of this scheme."""
        return self.scheme == scheme and self.of("rfc1738") is not None and self.name in ("path", "query")

    def old_slashes(self, scheme: str) -> bool:
        """True where RFC 1738 has two slashes inside the data of a scheme."""
        return self.scheme == scheme and self.of("rfc1738") is not None and self.text.authority is not None

    @property
    def cut_at_semicolon(self) -> bool:
        """True where RFC 1808 cuts parameters off the path of the other, or resolves otherwise for them."""
        if self.base is None:
            path, params = self._component("rfc1808", "path"), self._component("rfc1808", "params")
            other = self.other if self.one.spec == "rfc1808" else self.one
            whole = (other.components or {}).get("path") or ""
            return self.name == "path" and params is not None and whole.startswith(f"{path};{params}")
        known = self.of("rfc1808")
        if known is None or known.result is None or self.question.base is None:
            return False
        base, reference = (text.replace(";", "%3B") for text in (self.question.base, self.question.text))
        without = resolve(base, reference, "rfc1808").text
        return without.replace("%3B", ";") != known.result.replace("%3B", ";")

    @property
    def empty_in_rfc1808(self) -> bool:
        """True where RFC 1808 finds a component of base or reference empty, and so as good as absent."""
        if self.of("rfc1808") is None or self.base is None or self.question.text == "#":
            return False
        return any(
            text.path.endswith(";") or "" in (text.query, text.fragment) for text in (self.text, self.base)
        )

    def _component(self, spec: str, name: str) -> str | None:
        answer = self.of(spec)
        return None if answer is None else (answer.components or {}).get(name)

    # targets

    @property
    def targets(self) -> tuple[Parts, Parts]:
        """The two targets; those of a question without a base are empty."""
        return parts(self.one.result or ""), parts(self.other.result or "")

    @property
    def triplets(self) -> bool:
        """True where one of two compared texts has a percent triplet."""
        return "%" in self.question.text + (self.question.other or "")

    @property
    def empty_authority(self) -> bool:
        """True for a reference with an empty authority, which RFC 1808 takes for none."""
        return self.base is not None and self.text.authority == "" and self.of("rfc1808") is not None

    @property
    def segment_dropped(self) -> bool:
        """True where RFC 2396 drops the last segment of the base before a query alone, the other not."""
        if self.base is None or not self.question.text.startswith("?"):
            return False
        later = (self.one.spec in _RFC2396) is not (self.other.spec in _RFC2396)
        return later and bool(self.base.path) and not self.base.path.endswith("/")

    @property
    def pathless_base(self) -> bool:
        """True for a base that ends with its authority, and a reference that takes the path from it."""
        if self.base is None or self.text.absolute or self._net_loc_faults():
            return False
        asked = bool(self.text.path) or self.text.query is not None
        return asked and self.base.authority is not None and not self.base.path

    @property
    def rootless(self) -> bool:
        """True where a rootless path of the base, or dots in one of the reference, have to be resolved."""
        if self.base is None:
            return False
        if self.text.scheme is None:
            return self.base.rootless and not self.text.absolute
        return self.text.rootless and self.text.dotted and self.of("rfc3986") is not None

    @property
    def excess(self) -> bool:
        """True where `..` above the root stays in one target and not in the other."""
        if self.base is None or self.text.absolute:
            return False
        one, other = (target.segments[0] == ".." for target in self.targets)
        return one is not other

    @property
    def dots_of_base(self) -> bool:
        """True where dot segments of the base are left in one target and not in the other."""
        if self.base is None or self.text.absolute or not self.base.dotted:
            return False
        one, other = (target.dotted for target in self.targets)
        return one is not other

    @property
    def dots_of_reference(self) -> bool:
        """True where RFC 3986 removes dots from a path that the reference brings along whole."""
        whole = self.base is not None and self.text.absolute and self.text.dotted
        return whole and (self.of("rfc3986") is not None)
