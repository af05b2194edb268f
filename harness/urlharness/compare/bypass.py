"""Bypasses: texts in which the parser that checks a URL and the one that fetches it see different hosts."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple

from urlharness.adapters.registry import Adapter, ProgramPerCase
from urlharness.compare.answers import Asked, LibraryAnswer, ask_all, differing, folded
from urlharness.compare.causes import class_of_text
from urlharness.corpus.model import SPECS
from urlharness.explain.answers import splits

#: A program that must be started for each text gets at most this number of texts.
MOST_FOR_A_PROGRAM_PER_TEXT = 1_000

#: A text as its scheme, its slashes, and the rest.
_BEGINNING = re.compile(r"([A-Za-z][^:/?#]*:)?([/\\]*)(.*)", re.DOTALL)

#: Delimiters, triplets, and groups of characters that are as good as one.
_MARKS = re.compile(
    "(?P<digits>[0-9]+)|(?P<control>[\x00-\x1f\x7f])|(?P<letters>[^\x00-\x7f]+)|%[0-9A-Fa-f]{2}|[^A-Za-z]"
)


class Witness(NamedTuple):
    """A text that both parsers accept, with the host that each of them sees."""

    text: str
    checked: str | None
    fetched: str


class BypassClass(NamedTuple):
    """The texts of one class of difference, the shortest first. `entry` is the id of the class, or None."""

    entry: str | None
    witnesses: tuple[Witness, ...]

    @property
    def shortest(self) -> Witness:
        """The shortest text."""
        return self.witnesses[0]


class Remedy(NamedTuple):
    """A possible fix: refuse all texts that an RFC refuses. `left` counts the bypasses that remain then."""

    spec: str
    left: int


class Bypass(NamedTuple):
    """The result for two parsers: the texts that pass the check as one host and are fetched from another.

    `texts` counts all texts, `both` the texts that both parsers accept, `same` the texts in which their hosts
    differ only in spelling, and `hostless` the texts in which only the fetching parser sees a host. If one of
    them is a program that must be started for each text, `left_out` counts the texts that were not asked.
    """

    check: Asked
    fetch: Asked
    texts: int
    both: int
    same: int
    hostless: int
    classes: tuple[BypassClass, ...]
    remedies: tuple[Remedy, ...]
    left_out: int = 0

    @property
    def passing(self) -> int:
        """The number of texts that pass as one host and are fetched from another."""
        return sum(len(one.witnesses) for one in self.classes)


def find_bypasses(check: Adapter, fetch: Adapter, texts: Sequence[str]) -> Bypass:
    """Ask both parsers about the texts, and return those in which they see different hosts, by class."""
    slow = isinstance(check, ProgramPerCase) or isinstance(fetch, ProgramPerCase)
    chosen = various(texts, MOST_FOR_A_PROGRAM_PER_TEXT) if slow else texts
    asked = ask_all([check, fetch], chosen)
    return compare_hosts(asked[0], asked[1], chosen)._replace(left_out=len(texts) - len(chosen))


def various(texts: Sequence[str], size: int) -> list[str]:
    """Return up to `size` texts that are as different as possible, since equal delimiters make equal classes.

    The shortest text with each set of delimiters comes before the second shortest of any set. Sets of few
    delimiters come first, and among them those after `http://`, which every parser knows.
    """
    kinds: dict[tuple[str, frozenset[str]], list[str]] = {}
    for text in sorted(texts, key=len):
        scheme, slashes, rest = _BEGINNING.fullmatch(text).groups()  # type: ignore[union-attr]
        kind = "" if scheme is None else "http:" if scheme.lower() == "http:" else "x:"
        found = Counter(one.lastgroup or one[0].lower() for one in _MARKS.finditer(rest))
        marks = frozenset((*found, *(f"{mark} twice" for mark, count in found.items() if count > 1)))
        kinds.setdefault((f"{kind}{slashes[:4]}", marks), []).append(text)
    alike = [
        own for _, own in sorted(kinds.items(), key=lambda one: len(one[0][1]) + 2 * (one[0][0] != "http://"))
    ]
    rounds = zip_longest(*alike)
    return list(islice((text for each in rounds for text in each if text is not None), size))


def compare_hosts(check: Asked, fetch: Asked, texts: Sequence[str]) -> Bypass:
    """Return the texts in which two parsers see different hosts, by class.

    `check` and `fetch` are the answers of the parsers to `texts`.
    """
    both = same = hostless = 0
    found: dict[str | None, list[Witness]] = {}
    for text, checked, fetched in zip(texts, check.answers, fetch.answers, strict=True):
        if not _has_host(checked) or not _has_host(fetched):
            continue
        both += 1
        one, other = checked.components["host"], fetched.components["host"]
        if one == other or not other:
            continue
        parts = differing(folded(checked), folded(fetched))
        if "host" not in parts:
            same += 1
        elif not one:
            hostless += 1
        else:
            entry = (
                "ipv4-forms" if _ipv4(one) == other else class_of_text(text, "host", scheme="scheme" in parts)
            )
            found.setdefault(entry, []).append(Witness(text, one, other))
    classes = [
        BypassClass(entry, tuple(sorted(own, key=lambda one: (len(one.text), one.text))))
        for entry, own in found.items()
    ]
    classes.sort(key=lambda one: (one.entry is None, len(one.shortest.text), -len(one.witnesses)))
    return Bypass(check, fetch, len(texts), both, same, hostless, tuple(classes), _remedies(found))


def _ipv4(host: str) -> str | None:
    """Return the dotted form of a host that C reads as an IPv4 number, such as 0x7f.1, or None."""
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return None


def _has_host(answer: LibraryAnswer) -> bool:
    return answer.kind == "parsed" and "host" in answer.components


def _remedies(found: Mapping[str | None, Iterable[Witness]]) -> tuple[Remedy, ...]:
    left: Counter[str] = Counter()
    for own in found.values():
        for witness in own:
            left.update(
                spec for spec, answer in splits(witness.text).answers.items() if answer.problem is None
            )
    return tuple(Remedy(spec, left[spec]) for spec in reversed(SPECS))


def rfc_hosts(text: str) -> Mapping[str, str]:
    """Map each RFC to what it sees in a text: a host, an undivided authority, `no host`, or `invalid`."""
    words = {}
    for spec, answer in splits(text).answers.items():
        components = answer.components or {}
        whole = components.get("authority")
        host = components.get("host", whole and f"authority {whole}")
        words[spec] = "invalid" if answer.problem is not None else host or "no host"
    return words
