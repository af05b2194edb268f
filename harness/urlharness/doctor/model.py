"""The record types of the doctor, and the rules of docs/protocol.md that its checks cite."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

import msgspec

from urlharness.protocol.messages import Reply

#: The state of a check. `broken` means a breach of the protocol. `warning` means a likely mistake, or that a
#: run loses time or cases.
State = Literal["ok", "warning", "broken", "skipped"]

#: The fields of a question without `type` and `id`. A check may choose invalid values on purpose.
Probe = Mapping[str, Any]


class Rule(NamedTuple):
    """A passage of docs/protocol.md, word for word, and the heading of its section."""

    says: str
    section: str = "The protocol, version 1"

    def __str__(self) -> str:
        return f"docs/protocol.md, “{self.section}”: {self.says}"


class Exchange(NamedTuple):
    """A probe and the reply to it."""

    probe: Probe
    reply: Reply

    @property
    def op(self) -> str:
        """The operation of the probe."""
        return str(self.probe["op"])


class Diagnosis(NamedTuple):
    """The finding of a check, with exchanges that show it.

    `rule` is the rule that is broken, or None if it is the rule that the check tests.
    """

    state: State
    message: str
    exchanges: tuple[Exchange, ...] = ()
    rule: Rule | None = None


class CheckResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The published result of a check.

    `protocol` cites the rule that is broken. `exchange` contains lines that were written and read, and
    `reproduce` is a bash command that repeats the exchange. All three are empty unless the state is `warning`
    or `broken`.
    """

    name: str
    state: State
    message: str
    protocol: str = ""
    exchange: tuple[str, ...] = ()
    reproduce: str = ""


#: A function that returns a diagnosis that nothing is wrong.
ok = partial(Diagnosis, "ok")
#: A function that returns a diagnosis that the check does not apply.
skipped = partial(Diagnosis, "skipped")


def warning(message: str, *exchanges: Exchange, rule: Rule | None = None) -> Diagnosis:
    """Return a diagnosis of a likely mistake, or of a problem that slows a run or leaves cases unjudged."""
    return Diagnosis("warning", message, exchanges, rule)


def broken(message: str, *exchanges: Exchange, rule: Rule | None = None) -> Diagnosis:
    """Return a diagnosis of a breach of the protocol."""
    return Diagnosis("broken", message, exchanges, rule)


_ADAPTERS = "Four ways in"
_ENGINE = "What the engine promises"

COMMAND = Rule("urlconform splits a command like a shell but runs it without a shell", _ADAPTERS)
FUNCTION = Rule("a function that takes a question (a dict) and gives a reply (a dict)", _ADAPTERS)
EXIT_CODES = Rule("1 rejects, 3 is unsupported, any other code is a crash", _ADAPTERS)
JSON_LINES = Rule("One JSON object per line, in UTF-8, at most 1 MiB per line.")
BLANKS = Rule("Blank lines and `\\r\\n` are allowed, a byte order mark is not.")
UNKNOWN_FIELDS = Rule("Both sides ignore unknown fields.")
HELLO = Rule("A hello needs `type`, `protocol`, `implementation.name` and `.version`, `ops` and `specs`.")
CLAIMS = Rule("a list with only other names ends the run with 5")
OFFERS = Rule("An operation that is not in `ops` is not asked and counts as `unsupported`.")
INPUTS = Rule('"op":"resolve","spec":"rfc1808","base":"http://a/b/c/d;p?q","reference":"../g"')
WINDOW = Rule("how many questions may be in flight. Replies may come in any order.")
REPLY = Rule("A reply needs the `id` of its question and a `status`")
BYTES = Rule('Text that is not Unicode is `{"hex":"…"}`, in questions and replies.')
COMPONENTS = Rule('`components`: text, `null` if absent, `""` if present but empty')
ABSENT_OR_EMPTY = Rule('Without the feature `absent-vs-empty`, `null` and `""` compare equal')
VALIDATE = Rule('a library whose parser can refuse answers "it parsed"')
UNSUPPORTED = Rule("the library does not offer it; neither pass nor failure", "Outcomes")
ERROR = Rule("the adapter caught an exception that is not a rejection", "Outcomes")
INDEPENDENT = Rule("each answer depends only on its question", _ENGINE)
TIMEOUT = Rule("the time without a complete line while a case is in flight", _ENGINE)
JOBS = Rule("`--jobs N`, at most 256, shares the cases among N processes.", _ENGINE)
BYE = Rule("The engine sends `bye`, closes stdin, and kills the process after 2 s.", _ENGINE)
END_OF_INPUT = Rule("the adapter sees the end of its input and should end", _ENGINE)
STDERR = Rule("The engine keeps 64 KiB of stderr per process", _ENGINE)
