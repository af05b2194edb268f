"""From what was done to an adapter to one line of shell that does it again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from urlharness.doctor.talk import Step

_RUN = re.compile(r"(.)\1{255,}", re.DOTALL)
_PLAIN = re.compile(r"[\x20-\x7e]*")


def piped(steps: Sequence[Step], command: Sequence[str], *, wait: bool = False) -> str:
    """A shell line (bash) that writes the steps to a program; with `wait` its input stays open a while."""
    writes = [written for step in _merged(steps) for written in _writes(step)]
    if wait:
        writes.append("sleep 3")
    if not writes:
        return f"{shlex.join(command)} </dev/null"
    joined = writes[0] if len(writes) == 1 else "{ " + "; ".join(writes) + "; }"
    return f"{joined} | {shlex.join(command)}"


def _merged(steps: Sequence[Step]) -> list[Step]:
    """Steps without a wait between them as one."""
    merged: list[Step] = []
    for step in steps:
        before = merged.pop().octets if merged and not merged[-1].seconds else b""
        merged.append(Step(before + step.octets, step.seconds))
    return merged


def _writes(step: Step) -> list[str]:
    text = step.octets.decode("utf-8", "surrogateescape")
    *lines, rest = text.split("\n")
    writes = []
    if lines:
        writes.append(" ".join(("printf '%s\\n'", *map(quoted, lines))))
    if rest:
        writes.append(f"printf %s {quoted(rest)}")
    if step.seconds:
        writes.append(f"sleep {step.seconds:g}")
    return writes


def quoted(text: str) -> str:
    """A text as a word of bash; a long run of one character is made there, not pasted."""
    words, at = [], 0
    for run in _RUN.finditer(text):
        words.append(_word(text[at : run.start()]))
        words.append(f"\"$(head -c {len(run[0])} /dev/zero | tr '\\0' {_word(run[1])})\"")
        at = run.end()
    words.append(_word(text[at:]))
    return "".join(words) or "''"


def _word(text: str) -> str:
    if not text:
        return ""
    if _PLAIN.fullmatch(text):
        return shlex.quote(text)
    octets = text.encode("utf-8", "surrogateescape")
    escaped = "".join(
        chr(octet) if 32 <= octet < 127 and octet not in b"'\\" else f"\\x{octet:02x}" for octet in octets
    )
    return f"$'{escaped}'"
