"""Checks of components: their names and bounds, what is escaped in them, what is absent or empty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

import msgspec

from urlharness.doctor.findings import Check, Found, broken, ok, skipped, warning
from urlharness.doctor.questions import FULL, GENERIC, MEANT, PARTS, asked, spec_for
from urlharness.doctor.replies import Subject, shown
from urlharness.protocol import Components, ComponentValue
from urlharness.report.texts import clipped

_EVERY_NAME = {*PARTS, "net_loc", "params", "user", "password"}
#: A host that has brackets, and the RFCs that have such hosts.
_LITERAL = "[2001:db8::1]"
_WITH_LITERALS = ("rfc3986", "rfc2732")
#: Components with an escaped sign, which is another text when it is decoded.
_ESCAPED = {"userinfo": "u%2Fi", "path": "/a%2Fb", "query": "c%20d", "fragment": "e%2Ff"}
_ESCAPES = "http://u%2Fi@h/a%2Fb?c%20d#e%2Ff"

_AFTER_HOST = ("userinfo", "user", "password", "port", "query", "fragment")
#: Texts, and the components that none of them has, or has with nothing in it.
_WITHOUT = {
    "http://h/p": _AFTER_HOST,
    "http://h:/p?#": _AFTER_HOST,
    "p": ("scheme", "authority", "net_loc", "host", *_AFTER_HOST),
    "http://h": (*_AFTER_HOST, "path"),
}
#: What a language writes for nothing when it is made a text, or its library for “there is none”.
_NOTHING = ("none", "null", "undefined", "nil", "nan", "-1")
_SHOWN = 60  # characters of a value, or of a name
_TOLD = 5  # of many faults of one kind


def components(subject: Subject) -> Found:
    """Components have the names of the RFC, no delimiters, and the text that was there."""
    found = _parts(subject, FULL)
    if isinstance(found, Found):
        return found
    faults = [said for said in (_misnamed(found), _with_delimiters(found)) if said]
    differing = _differing(found)
    if faults:
        return broken("; ".join((*faults, differing) if differing else faults))
    if differing:
        return warning(differing)
    if not found:
        return warning(f"parse of {FULL} is ok without any component: no case of parse can be judged")
    missing = [name for name in PARTS if name not in found]
    said = f"without {', '.join(missing)}: such cases count as partial" if missing else "all of RFC 3986"
    return _unbracketed(subject) or _decoded(subject) or ok(said)


def _misnamed(found: Components) -> str:
    """The names that no component has, all of them, so that nobody mends one to hear of the next."""
    names = [name for name in found if name not in _EVERY_NAME]
    hints = {name: f"; the RFC's name is {MEANT[name]}" for name in names if name in MEANT}
    return _several([f"no component is named {_short(name)}{hints.get(name, '')}" for name in names], "; ")


def _with_delimiters(found: Components) -> str:
    """The components that are right but for delimiters at their ends."""
    said = [
        f"{name} of {FULL} is {_short(value)}" for name, value in found.items() if _delimited(name, value)
    ]
    if not said:
        return ""
    rule = "its delimiter is not part of it" if len(said) == 1 else "delimiters are no part of components"
    return f"{_several([said[0], *(one.replace(f' of {FULL}', '') for one in said[1:])])}: {rule}"


def _differing(found: Components) -> str:
    """The components that are others, which may be the way of the library."""
    said = [
        f"{name} {_short(found[name])}"
        for name, right in PARTS.items()
        if name in found and found[name] != right and not _delimited(name, found[name])
    ]
    return f"of {FULL} it has {_several(said)}: is it the library, or the adapter?" if said else ""


def _delimited(name: str, value: ComponentValue) -> bool:
    right = PARTS.get(name)
    return isinstance(value, str) and value != right and value.strip(":/?#@") == right


def _short(value: ComponentValue) -> str:
    return clipped(repr(value), _SHOWN)


def _several(faults: Sequence[str], between: str = ", ") -> str:
    """All of them; of many the first, and how many more there are."""
    more = f"{between}and {len(faults) - _TOLD} more" if len(faults) > _TOLD else ""
    return f"{between.join(faults[:_TOLD])}{more}"


def _unbracketed(subject: Subject) -> Found | None:
    """A host whose brackets are taken away, which are part of it (RFC 3986, section 3.2.2)."""
    text = f"http://{_LITERAL}/"
    if spec_for("parse", subject.hello.specs) not in _WITH_LITERALS:
        return None
    host = (_optional(subject, text) or {}).get("host")
    if host != _LITERAL.strip("[]"):
        return None
    return warning(
        f"host of {text} is {host!r}, and by RFC 3986, section 3.2.2, {_LITERAL!r}: "
        "it may be the library's way, the adapter can put the brackets back"
    )


def _decoded(subject: Subject) -> Found | None:
    """Components in which what was escaped is not any more."""
    found = _optional(subject, _ESCAPES) or {}
    wrong = [name for name, sent in _ESCAPED.items() if found.get(name) == unquote(sent)]
    if not wrong:
        return None
    shown = ", ".join(f"{name} {found[name]!r} where {_ESCAPED[name]!r} was sent" for name in wrong)
    return warning(
        f"of {_ESCAPES} it has {shown}: percent-encodings are decoded; "
        "it may be the library's way, or it has another function that leaves them"
    )


def absent_or_empty(subject: Subject) -> Found:
    """What is absent is null, what is empty is empty, if it says that it tells them apart."""
    absent, empty = _parts(subject, "http://h/p"), _parts(subject, "http://h/p?#")
    if isinstance(absent, Found):
        return absent
    if isinstance(empty, Found):
        return empty
    filled = _filled(subject)
    if filled and filled.state == "broken":
        return filled
    tells = "absent-vs-empty" in subject.hello.features
    names = [name for name in ("query", "fragment") if name in absent and name in empty]
    if tells and (there := [name for name in names if absent[name] is not None]):
        what = _several([f"{name} of http://h/p is {_short(absent[name])}" for name in there])
        return broken(f"it says absent-vs-empty, but {what}, not null")
    if filled:
        return filled
    if tells and (lost := [name for name in names if empty[name] is None]):
        what = _several([f"{name} of http://h/p?# is null" for name in lost])
        return warning(f"it says absent-vs-empty, but {what}, not empty")
    if not tells and names and all(absent[name] is None and empty[name] == "" for name in names):
        return warning("it seems to tell absent from empty: say so, or cases with an empty part stay partial")
    return ok("told apart" if tells else "not told apart, and not claimed")


def _filled(subject: Subject) -> Found | None:
    """Something in place of nothing: a word for it, which is the adapter's, or what a library makes of it."""
    found = [
        _Filled(text, name, value)
        for text, names in _WITHOUT.items()
        for name, value in (_optional(subject, text) or {}).items()
        if name in names and value and isinstance(value, str)
    ]
    words = _once(one for one in found if one.value.casefold() in _NOTHING)
    if words:
        what = _several([f"{one.name} of {one.text} is the text {one.value!r}" for one in words])
        return broken(f"{what}: what is absent is null, what is empty is ''")
    # there is always a path, and a library may write `/` for it
    others = _once(one for one in found if one.name != "path")
    if others:
        what = _several([f"{one.name} of {one.text} is {_short(one.value)}" for one in others])
        return warning(
            f"{what}, where there is none: it may be the library, such as a default for it, or the adapter"
        )
    return None


class _Filled(NamedTuple):
    """A text, and a component that it has not, with what stands there."""

    text: str
    name: str
    value: str


def _once(found: Iterable[_Filled]) -> list[_Filled]:
    """Of each component the first."""
    first: dict[str, _Filled] = {}
    for one in found:
        first.setdefault(one.name, one)
    return [*first.values()]


def _optional(subject: Subject, text: str) -> Components | None:
    """The components of a text that a library need not take."""
    (reply,) = subject.ask(asked("parse", subject.hello.specs, text))
    return None if reply.components is msgspec.UNSET else reply.components


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

CHECKS = (
    Check("components", _COMPONENT, components),
    Check(
        "absent or empty",
        "a component is null when absent, empty when present but empty; "
        "without the feature absent-vs-empty, null and empty compare equal",
        absent_or_empty,
    ),
)
