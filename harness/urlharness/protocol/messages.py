"""The messages of the wire protocol, version 1: one JSON object per line."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import accumulate, cycle
from typing import Annotated, Any, Literal

import msgspec

from urlharness.corpus.model import USUAL_MODES, Components, DecodedValue, Hex, Mode, Profile, Text
from urlharness.corpus.specifications import Spec

PROTOCOL = 1
#: The operation of HTTP clients, which no vector asks: the host and the port that they would connect to.
CONNECT = "connect"
#: The feature of adapters that tell empty components from absent ones.
TELLS_EMPTY = "absent-vs-empty"
LINE_LIMIT = 1 << 20  # the maximum number of bytes in a line
LARGEST_ID = 2**53 - 1
LARGEST_WINDOW = 1 << 16

QuestionDict = Mapping[str, Any]
ReplyDict = dict[str, Any]
ComponentValue = str | Hex | list[tuple[str, str]] | None
#: The components in a reply, by name.
ReplyComponents = dict[str, ComponentValue]
#: Components as a library exposes them: a text, or None if the component is absent.
ComponentTexts = Mapping[str, str | None]
Status = Literal["ok", "reject", "unsupported", "error"]
#: An integer that every JSON reader can represent exactly.
Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_ID)]
#: A further admissible answer to any operation: a verdict, a text, readings, components or decoded parts.
Admitted = bool | str | list[str] | dict[str, DecodedValue]

_ID_STEPS = range(512, 1536)  # with these steps, two million ids stay below 2³¹
_STEP_COUNT = 4096  # the random steps repeat after so many; to draw a step for each question would be slow


def ids() -> Iterator[int]:
    """Yield ids in ascending order from 1 on, without end, in random steps that differ in each session.

    Therefore an adapter that counts the questions, or adds a number to an id, does not produce the id of
    another question by accident.
    """
    steps = random.Random().choices(_ID_STEPS, k=_STEP_COUNT)  # noqa: S311 - not for security
    return accumulate(cycle(steps), initial=1)


class Implementation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The library under test."""

    name: Annotated[str, msgspec.Meta(min_length=1)]
    version: str
    language: str = ""
    runtime: str = ""
    homepage: str = ""


class HarnessHello(msgspec.Struct, frozen=True, tag="hello"):
    """The first message of the harness: the protocol versions that it offers, and its name with version."""

    protocol: list[int]
    harness: str


class Hello(msgspec.Struct, frozen=True, tag="hello", omit_defaults=True):
    """The first message of the adapter: the library under test, and which questions the adapter accepts.

    `modes` are the modes in which the adapter accepts questions of normalize and equivalent.
    """

    protocol: Literal[1]
    implementation: Implementation
    ops: list[str]
    specs: list[str]
    components: list[str] = []
    features: list[str] = []
    modes: tuple[str, ...] = USUAL_MODES
    window: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_WINDOW)] = 1


class Question(msgspec.Struct, frozen=True, tag="run", omit_defaults=True):
    """A question: a vector without its expected answer."""

    id: Count
    op: str
    spec: Spec
    rule: str | None = None
    profile: Profile | None = None
    mode: Mode | None = None
    url: Text | msgspec.UnsetType = msgspec.UNSET
    base: Text | msgspec.UnsetType = msgspec.UNSET
    reference: Text | msgspec.UnsetType = msgspec.UNSET
    components: Components | msgspec.UnsetType = msgspec.UNSET
    text: Text | msgspec.UnsetType = msgspec.UNSET
    other: Text | msgspec.UnsetType = msgspec.UNSET
    header: Text | msgspec.UnsetType = msgspec.UNSET
    embedded: Text | None = None
    encapsulating: Text | None = None
    retrieval: Text | None = None
    default: Text | None = None


class Bye(msgspec.Struct, frozen=True, tag="bye"):
    """The last message of the harness."""


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to one question.

    `url` is the resulting URL of `resolve`, `recompose` or `normalize`, and `urls` the readings of each URL
    in a text. Only the reference adapter sets `rules`, `same_document` and the fields after `base`.
    """

    id: Count
    status: Status
    message: str = ""
    at: Count | None = None
    rules: list[str] = []
    url: Text | msgspec.UnsetType = msgspec.UNSET
    components: ReplyComponents | msgspec.UnsetType = msgspec.UNSET
    same_document: bool = False
    urls: list[list[str]] | msgspec.UnsetType = msgspec.UNSET
    equal: bool | msgspec.UnsetType = msgspec.UNSET
    decoded: dict[str, DecodedValue] | msgspec.UnsetType = msgspec.UNSET
    base: Text | msgspec.UnsetType | None = msgspec.UNSET
    layer: str = ""
    section: str = ""
    also: list[Admitted] = []
    may_reject: bool = False
    may_accept: bool = False
    rulings: list[str] = []


encode = msgspec.json.Encoder().encode
decode_reply = msgspec.json.Decoder(Reply).decode
_decode_first = msgspec.json.Decoder(Hello | Bye).decode  # msgspec requires `type` only in a union


def decode_hello(line: bytes) -> Hello:
    """Decode the hello of an adapter. Raise one of `errors.DECODE_ERRORS` if it is invalid."""
    hello = _decode_first(line)
    if not isinstance(hello, Hello):
        raise msgspec.ValidationError("Expected a hello")
    return hello
