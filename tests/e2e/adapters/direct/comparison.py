"""How the reply of an adapter differs from what the direct program prints."""

from __future__ import annotations

import ipaddress
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.model import encoded_text
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import Question, Reply

from .frame import HERE, DirectLibrary

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")

#: The address of a later version of IP, as in RFC 3986, section 3.2.2.
_IP_FUTURE = re.compile(r"[vV][0-9A-Fa-f]+\.[^/?#@\[\]]+")

#: Only the beginning of a long message is compared.
_MESSAGE_LENGTH = 200

_NOT_SHOWN = "(not shown)"


class DirectQuestion(NamedTuple):
    """A question: its name, such as `parse-mailto`, and the fields that the direct program reads."""

    name: str
    fields: Mapping[str, str]

    @property
    def for_adapter(self) -> Question:
        """The same question in the wire protocol."""
        return msgspec.convert({"type": "run", "id": 0, "spec": "rfc3986", **self.fields}, Question)


class Difference(NamedTuple):
    """A difference between a library and its adapter.

    `subject` is what differs: a component, `outcome`, `url` or `message`. `library` and `adapter` are the two
    answers.
    """

    question: str
    subject: str
    library: str
    adapter: str

    def __str__(self) -> str:
        return f"{self.question}, {self.subject}: the library {self.library}, the adapter {self.adapter}"


class Listed(NamedTuple):
    """A difference that exceptions.toml lists."""

    library: str
    question: str
    subject: str


def questions(library: DirectLibrary | None = None) -> list[DirectQuestion]:
    """Return the questions of questions.toml, as they are put to a library."""
    table = tomllib.loads((HERE / "questions.toml").read_text("utf-8"))
    parse = "validate" if library is not None and library.validates else "parse"
    questions_of_library = list(_questions_of_table(table, parse))
    if library is not None and library.iris:
        for question in _questions_of_table(table["iri"], "parse"):
            about_iris = {**question.fields, "spec": "rfc3987"}
            questions_of_library.append(DirectQuestion(question.name, about_iris))
    return questions_of_library


def _questions_of_table(table: Mapping[str, Any], parse: str) -> Iterator[DirectQuestion]:
    """Yield the questions of a table. `parse` is the operation for the texts to parse."""
    for name, url in table["parse"].items():
        yield DirectQuestion(f"{parse}-{name}", {"op": parse, "url": url})
    for name, (base, reference) in table["resolve"].items():
        yield DirectQuestion(f"resolve-{name}", {"op": "resolve", "base": base, "reference": reference})
    for mode in ("syntax", "scheme"):
        for name, url in table["normalize"].items():
            yield DirectQuestion(f"normalize-{mode}-{name}", {"op": "normalize", "url": url, "mode": mode})
    for operation in ("to_uri", "to_iri"):
        for name, url in table.get(operation, {}).items():
            yield DirectQuestion(f"{operation}-{name}", {"op": operation, "url": url})


def exceptions() -> Iterator[tuple[Listed, str]]:
    """Yield each listed difference with its reason."""
    table = tomllib.loads((HERE / "exceptions.toml").read_text("utf-8"))
    for entry in table["exception"]:
        for library in entry["libraries"]:
            for question in entry["questions"]:
                for subject in entry["subjects"]:
                    yield Listed(library, question, subject), entry["reason"]


def differences(
    library: DirectLibrary,
    question: DirectQuestion,
    printed: Mapping[str, Any],
    reply: Reply | Abnormal,
    *,
    tells_empty: bool,
) -> list[Difference]:
    """Return how the reply of an adapter differs from what the direct program printed.

    If the adapter does not claim to tell empty from absent components, these two are equal.
    """
    mode = question.fields.get("mode")
    expected = {"offered": False} if mode is not None and mode not in library.modes else printed
    outcome = reply.outcome if isinstance(reply, Abnormal) else reply.status
    if outcome not in _expected_outcomes(library, question, expected):
        return [Difference(question.name, "outcome", str(expected), f"{outcome}: {_fields(reply)}")]
    if isinstance(reply, Abnormal) or outcome == "unsupported":
        return []
    if "accessors" in expected:
        accessors = expected["accessors"]
        return _component_differences(library, question, accessors, reply, tells_empty=tells_empty)
    if "url" in expected and encoded_text(expected["url"]) != reply.url:
        return [Difference(question.name, "url", repr(expected["url"]), repr(reply.url))]
    message = expected.get("refused") or expected.get("failed") or ""
    if not _same_message(message, reply.message):
        return [Difference(question.name, "message", repr(message), repr(reply.message))]
    return []


def _expected_outcomes(
    library: DirectLibrary, question: DirectQuestion, printed: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the outcomes of an adapter that say what the direct program printed."""
    (kind,) = printed
    match kind:
        case "offered":
            return ("unsupported",)
        case "refused" if not library.references and _is_relative(question):
            return ("reject", "unsupported")
        case "refused":
            return ("reject",)
        case "failed":
            return ("error", "crash")
        case "crashed":
            return ("crash",)
        case "valid":
            return ("ok",) if printed["valid"] else ("reject",)
        case _:
            return ("ok",)


def _is_relative(question: DirectQuestion) -> bool:
    return "url" in question.fields and not _SCHEME.match(question.fields["url"])


def _same_message(library: str, adapter: str) -> bool:
    """Return True if an adapter shows the message of the library, a part of it, or none."""
    return adapter in library or library[:_MESSAGE_LENGTH] in adapter


def _fields(reply: Reply | Abnormal) -> str:
    if isinstance(reply, Abnormal):
        return reply.stderr[-500:]
    fields = msgspec.to_builtins(reply)
    return str({name: text for name, text in fields.items() if name not in ("id", "status")})


# ---- components


def _component_differences(
    library: DirectLibrary,
    question: DirectQuestion,
    accessors: Mapping[str, Any],
    reply: Reply,
    *,
    tells_empty: bool,
) -> list[Difference]:
    by_library = components(library, accessors)
    by_adapter: dict[str, Any] = dict(reply.components)  # type: ignore[arg-type]
    component_differences = []
    for name in sorted((by_library.keys() | by_adapter.keys()) - library.unchecked.keys()):
        text = by_library.get(name, _NOT_SHOWN)
        expected = text if text is None else encoded_text(text)
        actual = by_adapter.get(name, _NOT_SHOWN)
        both_empty = not tells_empty and not expected and not actual
        if expected != actual and not both_empty:
            difference = Difference(question.name, name, repr(expected), repr(actual))
            component_differences.append(difference)
    return component_differences


def components(library: DirectLibrary, accessors: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the components that accessors show, under the names of the wire protocol."""
    by_name = {
        name: component(rule, accessors)
        for name, rule in library.components.items()
        if _is_shown(rule, accessors)
    }
    if "path" in by_name:
        by_name["path"] = by_name["path"] or ""  # in RFC 3986 a path may be empty, but is never absent
    return by_name


def component(rule: str | Mapping[str, Any], accessors: Mapping[str, Any]) -> str | None:
    """Return the component that a rule of a table reads from accessors, or None if it is absent.

    A rule is the name of an accessor or a table. The README describes its keys.
    """
    if isinstance(rule, str):
        return _text(accessors[rule])
    if "join" in rule:
        first, second = (component(part, accessors) for part in rule["join"])
        return first if second is None else f"{first or ''}{rule['by']}{second}"
    if "within" in rule and accessors[rule["within"]] in (None, False):
        return None
    returned = accessors[rule["accessor"]]
    is_absent = returned in (None, *rule.get("absent", ()))
    if is_absent and "otherwise" in rule:
        return _text(accessors[rule["otherwise"]])
    if is_absent and not ("forced" in rule and accessors[rule["forced"]]):
        return None
    if isinstance(returned, list):
        return _from_list(returned, rule, accessors)
    text = str(returned)
    if "before" in rule:
        text = text.partition(rule["before"])[0]
    text = text.removeprefix(rule.get("prefix", "")).removesuffix(rule.get("suffix", ""))
    return f"[{text}]" if _has_brackets(text, rule, accessors) else text


def _has_brackets(host: str, rule: Mapping[str, Any], accessors: Mapping[str, Any]) -> bool:
    """Return True if a host that an accessor shows without brackets has them in another accessor of the rule.

    If the rule names none, or if that one is null, an IP literal has them.
    """
    brackets = rule.get("brackets", False)
    authority = accessors[brackets] if isinstance(brackets, str) else None
    if authority is None:
        return bool(brackets) and _is_ip_literal(host)
    _, _, host_and_port = authority.rpartition("@")
    return host_and_port.startswith(f"[{host}]")


def _is_ip_literal(text: str) -> bool:
    """Return True if a host without brackets is an IPv6 address, perhaps with a zone, or a later version."""
    with suppress(ValueError):
        return bool(ipaddress.IPv6Address(text.partition("%")[0]))
    return _IP_FUTURE.fullmatch(text) is not None


def _is_shown(rule: str | Mapping[str, Any], accessors: Mapping[str, Any]) -> bool:
    """Return True if the library shows a component of this text, even if only as absent."""
    if isinstance(rule, str):
        return rule in accessors
    if "join" in rule:
        return all(_is_shown(part, accessors) for part in rule["join"])
    if "needs" in rule and accessors[rule["needs"]] is None:
        return False
    returned = accessors.get(rule["accessor"])
    if "unless" in rule and returned is not None and returned == accessors[rule["unless"]]:
        return False
    return rule["accessor"] in accessors


def _text(content: str | int | None) -> str | None:
    return None if content is None else str(content)


def _from_list(parts: list[Any], rule: Mapping[str, Any], accessors: Mapping[str, Any]) -> str:
    """Return the text of a path given as segments, or of a query given as pairs."""
    words = [part if isinstance(part, str) else _pair(*part) for part in parts]
    lead = "/" if words and "rooted" in rule and accessors[rule["rooted"]] else ""
    return lead + rule["separator"].join(words)


def _pair(name: str, text: str | None) -> str:
    return name if text is None else f"{name}={text}"
