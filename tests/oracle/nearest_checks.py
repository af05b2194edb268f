"""What must hold of a text that the oracle proposes in place of an invalid one, without the oracle's code.

Ada, the parser of browsers, says which host it sees. That a text differs only by escapes, slashes, and within
three characters of the error is seen in both texts after decoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

import ada_url

from urloracle.rfcs import SPECIFICATIONS

NEAR = 3
SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*://")


def faults(text: str, repaired: str, spec: str) -> list[str]:
    """Return what is wrong with a text that is proposed in place of an invalid one."""
    problem = SPECIFICATIONS[spec].problem(text)
    assert problem is not None, text
    holds = {
        "not valid": SPECIFICATIONS[spec].problem(repaired) is None,
        "another host for browsers": browsers_see_one_host(text, repaired),
        "user information in the host": keeps_user_information(text, repaired),
        "far from the error": differs_near(text, repaired, problem.position),
    }
    return [f"{fault}: {spec} {text!r} {repaired!r}" for fault, is_absent in holds.items() if not is_absent]


def browsers_see_one_host(text: str, repaired: str) -> bool:
    """Return whether Ada sees the same host in both texts, or refuses one of them."""
    hosts = {host_for_browsers(text), host_for_browsers(repaired)} - {None}
    return len(hosts) < 2


def host_for_browsers(text: str) -> str | None:
    """Return the host, or None if Ada refuses the text."""
    try:
        return ada_url.URL(text).hostname
    except ValueError:
        return None


def keeps_user_information(text: str, repaired: str) -> bool:
    """Return whether the host stays, or else the user information stays as it is.

    A host that Ada refuses may be user information itself if an `@` comes after the authority. An address in
    brackets is none.
    """
    after_slashes = text.partition("//")[2]
    is_user = re.match(r"[^][/?#@]*:[^][/?#@]*[/?#].*@", after_slashes, re.DOTALL) is not None
    text_for_ada = text.encode("utf-8", "replace").decode()  # bytes that are no UTF-8 are no reason to refuse
    if is_user and SCHEME.match(text) and host_for_browsers(text_for_ada) is None:
        return False
    user, host = divided(text)
    repaired_user, repaired_host = divided(repaired)
    if host is None or unescaped(host) == unescaped(repaired_host or ""):
        return True
    return unescaped(user or "") == unescaped(repaired_user or "")


def unescaped(text: str) -> str:
    """Return a text without triplets."""
    return unquote(text, errors="surrogateescape")


def divided(text: str) -> tuple[str | None, str | None]:
    """Return user information and host as RFC 3986 delimits them, each None if absent.

    A backslash before them counts as a slash, but not if browsers take none of the scheme for a slash. Tabs
    and line ends do not count.
    """
    cleaned = re.sub("[\t\r\n]", "", text)
    slashes = "(?:[^:/?#]+:)?//|(?:(?:https?|wss?|ftp|file):)?[/\\\\]{2}"
    authority = re.match(rf"(?:{slashes})([^/?#]*)", cleaned, re.IGNORECASE)
    if authority is None:
        return None, None
    user, at, server = authority[1].rpartition("@")
    return (user if at else None), re.match(r"\[[^]]*\]|[^:]*", server)[0]


def differs_near(text: str, repaired: str, position: int) -> bool:
    """Return whether texts differ only by escapes, slashes, and within `NEAR` characters of an offset.

    White space around the first text does not count, nor do two delimiters around it.
    """
    text_inside = text.strip(" \t\r\n")
    if re.fullmatch('<.*>|".*"', text_inside, re.DOTALL):
        text_inside = text_inside[1:-1].strip(' \t\r\n<>"')
    if repaired.strip(" \t\r\n") == repaired and text_inside:
        position = max(0, position - text.index(text_inside))
        text = text_inside
    before = list(decoded(text))
    after = [byte for _, byte in decoded(repaired)]
    equal_at_start = 0
    while (
        equal_at_start < min(len(before), len(after)) and before[equal_at_start][1] == after[equal_at_start]
    ):
        equal_at_start += 1
    remaining = min(len(before), len(after)) - equal_at_start
    equal_at_end = 0
    while equal_at_end < remaining and before[-1 - equal_at_end][1] == after[-1 - equal_at_end]:
        equal_at_end += 1
    offsets = [offset for offset, _ in before]
    changed = offsets[equal_at_start : len(offsets) - equal_at_end]
    if not changed and len(before) == len(after):
        return True
    first_change = offsets[equal_at_start] if equal_at_start < len(offsets) else len(text)
    return all(abs(offset - position) <= NEAR for offset in (first_change, *changed))


def decoded(text: str) -> Iterator[tuple[int, int]]:
    """Yield (offset, byte) of a text in which triplets are decoded and backslashes are slashes."""
    for match in re.finditer(r"%([0-9A-Fa-f]{2})|(.)", text, re.DOTALL):
        digits, char = match.groups()
        for byte in bytes.fromhex(digits) if digits else char.encode("utf-8", "surrogateescape"):
            yield match.start(), ord("/") if byte == ord("\\") else byte
