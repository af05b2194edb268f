"""Checks of what an answer holds: its field, the names and bounds of components, what is absent or empty."""

from __future__ import annotations

from collections import Counter

import msgspec

from urlharness.doctor.findings import Check, Found, broken, ok, skipped, warning
from urlharness.doctor.questions import FULL, GENERIC, INVALID, MEANT, PARTS, PLAIN, asked, spec_for
from urlharness.doctor.replies import Subject, shown
from urlharness.doctor.subjects import PerCase
from urlharness.protocol import Components

#: The field of an ok answer, by operation.
SHAPES = {
    "parse": "components",
    "resolve": "url",
    "recompose": "url",
    "normalize": "url",
    "extract": "urls",
    "equivalent": "equal",
    "decode": "decoded",
    "base": "base",
}
_JUDGES = ("validate", "parse", "resolve", "normalize", "equivalent")
_EVERY_NAME = {*PARTS, "net_loc", "params", "user", "password"}


def operations(subject: Subject) -> Found:
    """Each operation that it offers is answered, in its shape, for the plainest question."""
    offered = [op for op in subject.hello.ops if op == "validate" or op in SHAPES]
    refused = []
    for op in offered:
        (reply,) = subject.ask(asked(op, subject.hello.specs))
        if reply.status == "unsupported":
            refused.append(op)
        elif reply.status == "error":
            return broken(f"{op} of {PLAIN} is an error: {reply.message or 'without a message'}")
        elif reply.status == "reject" and op in _JUDGES:
            return broken(f"{op} rejects {PLAIN}: {reply.message or 'without a message'}")
        elif reply.status == "ok" and op in SHAPES and getattr(reply, SHAPES[op]) is msgspec.UNSET:
            return broken(f"{op} answers ok without {SHAPES[op]!r}")
    answered = [op for op in offered if op not in refused]
    if isinstance(subject, PerCase) and answered:  # it promised nothing
        subject.hello = msgspec.structs.replace(subject.hello, ops=answered)
        return ok(" ".join(answered))
    if refused and not answered:
        return warning("it answers every operation with unsupported: in a run there is nothing to judge")
    if refused:
        return warning(f"it offers {', '.join(refused)}, and answers the plainest question with unsupported")
    return ok(" ".join(answered))


def components(subject: Subject) -> Found:
    """Components have the names of the RFC, and no delimiters."""
    found = _parts(subject, FULL)
    if isinstance(found, Found):
        return found
    for name, value in found.items():
        if name not in _EVERY_NAME:
            hint = f"; the RFC's name is {MEANT[name]}" if name in MEANT else ""
            return broken(f"no component is named {name!r}{hint}")
        right = PARTS.get(name)
        if isinstance(value, str) and right is not None and value != right and value.strip(":/?#@") == right:
            return broken(f"{name} of {FULL} is {value!r}: its delimiter is not part of it")
    wrong = [name for name, right in PARTS.items() if name in found and found[name] != right]
    if wrong:
        shown = ", ".join(f"{name} {found[name]!r}" for name in wrong)
        return warning(f"of {FULL} it has {shown}: is it the library, or the adapter?")
    missing = [name for name in PARTS if name not in found]
    return ok(f"without {', '.join(missing)}: such cases count as partial" if missing else "all of RFC 3986")


def absent_or_empty(subject: Subject) -> Found:
    """What is absent is null, what is empty is empty, if it says that it tells them apart."""
    absent, empty = _parts(subject, "http://h/p"), _parts(subject, "http://h/p?#")
    if isinstance(absent, Found):
        return absent
    if isinstance(empty, Found):
        return empty
    tells = "absent-vs-empty" in subject.hello.features
    names = [name for name in ("query", "fragment") if name in absent and name in empty]
    if tells and (filled := [name for name in names if absent[name] is not None]):
        return broken(
            f"it says absent-vs-empty, but {filled[0]} of http://h/p is {absent[filled[0]]!r}, not null"
        )
    if tells and (lost := [name for name in names if empty[name] is None]):
        return warning(f"it says absent-vs-empty, but {lost[0]} of http://h/p?# is null, not empty")
    if not tells and names and all(absent[name] is None and empty[name] == "" for name in names):
        return warning("it seems to tell absent from empty: say so, or cases with an empty part stay partial")
    return ok("told apart" if tells else "not told apart, and not claimed")


def refusals(subject: Subject) -> Found:
    """A library that refuses nothing offers no validate."""
    if "validate" not in subject.hello.ops:
        return skipped("it does not offer validate")
    replies = subject.ask(*(asked("validate", subject.hello.specs, text) for text in INVALID))
    said = Counter(reply.status for reply in replies)
    if said["ok"] == len(INVALID):
        return warning(f"it accepts {' '.join(INVALID)}: a library that refuses nothing offers no validate")
    if not said["reject"]:
        counts = ", ".join(f"{count} {status}" for status, count in said.items())
        return warning(f"it refuses none of {len(INVALID)} invalid texts: {counts}; a refusal is reject")
    return ok(f"it refuses {said['reject']} of {len(INVALID)} invalid texts")


def _parts(subject: Subject, text: str) -> Components | Found:
    spec = spec_for("parse", subject.hello.specs)
    if "parse" not in subject.hello.ops or spec not in GENERIC:
        return skipped("it does not parse by RFC 2396 or RFC 3986")
    (reply,) = subject.ask(asked("parse", subject.hello.specs, text))
    if reply.status == "unsupported":
        return skipped(f"it does not parse {text}")
    if reply.components is msgspec.UNSET:
        return broken(f"parse of {text} is {shown(reply)}")
    return reply.components


_COMPONENT = "a component is null when absent, empty when present but empty, and left out when not exposed"

OPERATIONS = Check(
    "operations", "an operation of `ops` is asked, and an ok has the field of its operation", operations
)
CHECKS = (
    OPERATIONS,
    Check("components", _COMPONENT, components),
    Check(
        "absent or empty",
        "without the feature absent-vs-empty, null and empty compare equal",
        absent_or_empty,
    ),
    Check("refusals", "a library whose parser can refuse answers validate", refusals),
)
