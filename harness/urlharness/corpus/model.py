"""The record types: Vector, Expected, Requirement, Case, Corpus; operations, levels, flags."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args

import msgspec

# -------------------- flags: Flags: words that say how common a case is and what its failure does, so that it explains itself.


Flag = Literal["security", "interop", "legacy", "edge", "basic"]


FLAGS: tuple[Flag, ...] = get_args(Flag)


class FlagEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A flag: what a case that has it is, and what its failure does in practice."""

    id: Flag
    statement: str
    effect: str


class FlagFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of flags."""

    schema: Literal["urlflags-1"]
    flags: tuple[FlagEntry, ...]


class _Class(msgspec.Struct, frozen=True):
    id: str
    flags: tuple[Flag, ...] = ()


class ClassFlags(msgspec.Struct, frozen=True):
    """Of the table of classes no more than the flags of each."""

    classes: tuple[_Class, ...] = ()

    def by_class(self) -> dict[str, tuple[Flag, ...]]:
        """The flags of each class by its id."""
        return {entry.id: entry.flags for entry in self.classes}


def derive(vector: Any, by_class: Mapping[str, Collection[Flag]]) -> tuple[Flag, ...]:
    """The flags of a vector in the order of `FLAGS`: those of its class, its own, and what follows."""
    found: set[Flag] = {*vector.flags, *by_class.get(vector.class_, ())}
    if not found & {"basic", "edge"}:
        if vector.binding != "required":
            found.add("edge")
        elif vector.level == "example" and vector.class_ is None:
            found.add("basic")
    return tuple(flag for flag in FLAGS if flag in found)


@cache
def explanations() -> Mapping[str, FlagEntry]:
    """Every flag of the installed corpus by its name; empty for a corpus without a table of flags."""
    path = resources.files("urlvectors") / "flags.json"
    if not path.is_file():
        return {}
    table = msgspec.json.decode(path.read_bytes(), type=FlagFile)
    return {entry.id: entry for entry in table.flags}


def explained(flags: Collection[str]) -> list[str]:
    """Each flag with what a failure does, as in `security: a filter and a client …`."""
    known = explanations()
    return [f"{flag}: {known[flag].effect}" if flag in known else flag for flag in flags]


# -------------------- operations: The operations: what each of them takes, and which kinds of expectation answer it.


class Signature(NamedTuple):
    """The inputs that a question needs, those that it may have, and the fields of `expect` that answer it."""

    needs: tuple[str, ...]
    may_have: tuple[str, ...]
    answers: frozenset[str]

    @property
    def takes(self) -> tuple[str, ...]:
        """Every input."""
        return self.needs + self.may_have


#: The layers that may have a base, innermost first (RFC 1808 section 3, RFC 2396 and 3986 section 5.1).
LAYERS = ("embedded", "encapsulating", "retrieval", "default")


OPERATIONS: Mapping[str, Signature] = {
    "validate": Signature(("rule", "url"), ("profile",), frozenset(("valid",))),
    "parse": Signature(("url",), ("rule", "profile"), frozenset(("components", "valid"))),
    "resolve": Signature(("base", "reference"), (), frozenset(("result", "same_document", "valid"))),
    "recompose": Signature(("components",), (), frozenset(("result",))),
    "normalize": Signature(("url",), ("mode",), frozenset(("result", "valid"))),
    "extract": Signature(("text",), (), frozenset(("urls",))),
    "equivalent": Signature(("url", "other"), ("mode",), frozenset(("equal", "valid"))),
    "decode": Signature(("url",), (), frozenset(("decoded", "valid"))),
    # a header stands for itself: with it there are no layers
    "base": Signature((), ("header", *LAYERS), frozenset(("base", "valid"))),
}


_CONDITIONS = ("rule", "profile", "mode")


#: Every input, in the order in which a reader meets them: under which conditions, then of what.
INPUTS = tuple(
    dict.fromkeys((*_CONDITIONS, *(name for operation in OPERATIONS.values() for name in operation.takes)))
)


# -------------------- corpus: The corpus as values: vector files and requirement catalogues decoded into frozen records.


SPECS = ("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986")


Spec = Literal["rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986"]


Level = Literal["grammar", "algorithm", "must", "should", "may", "example", "note"]


Operation = Literal[
    "validate", "parse", "resolve", "recompose", "normalize", "extract", "equivalent", "decode", "base"
]


Profile = Literal["scheme-specific", "generic", "prose"]


Mode = Literal["syntax", "scheme"]


Binding = Literal["required", "permitted-set", "impl-defined", "literal-only", "unspecified"]


Components = dict[str, str | list[tuple[str, str]] | None]


_T = TypeVar("_T")


_FROZEN: dict[str, Any] = {
    "frozen": True,
    "forbid_unknown_fields": True,
    "omit_defaults": True,
}


class CorpusError(Exception):
    """A corpus file is missing, unreadable or not of its schema; the message names file and place."""


class Hex(msgspec.Struct, **_FROZEN):
    """A text that is not well-formed Unicode, given as the hex digits of its octets."""

    hex: Annotated[str, msgspec.Meta(pattern="^(?:[0-9a-f]{2})+$")]


Text = str | Hex


#: A value of a decoded view: octets as text where they are UTF-8, lists of them, pairs of them.
DecodedValue = Text | bool | list[Text | tuple[Text, Text]] | None


Decoded = dict[str, DecodedValue]


#: The admissible readings of one URL in a text.
Readings = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]


class Expected(msgspec.Struct, **_FROZEN):
    """What a vector expects: one kind of answer, or several admissible ones in `any`.

    `urls` holds for each URL in a text the list of its readings; `base` is None where there is none.
    """

    valid: bool | msgspec.UnsetType = msgspec.UNSET
    at: Annotated[int, msgspec.Meta(ge=0)] | msgspec.UnsetType = msgspec.UNSET
    rules: tuple[str, ...] = ()
    components: Components | msgspec.UnsetType = msgspec.UNSET
    result: str | msgspec.UnsetType = msgspec.UNSET
    same_document: bool = False
    urls: tuple[Readings, ...] | msgspec.UnsetType = msgspec.UNSET
    equal: bool | msgspec.UnsetType = msgspec.UNSET
    decoded: Decoded | msgspec.UnsetType = msgspec.UNSET
    base: str | msgspec.UnsetType | None = msgspec.UNSET
    variant: str | None = None
    any: tuple[Expected, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is no answer, or several at once."""
        answers = self.same_document + sum(getattr(self, kind) is not msgspec.UNSET for kind in _KINDS)
        if self.any:
            if answers or len(self.any) < 2 or [answer for answer in self.any if answer.any]:
                raise ValueError("`any` stands alone, with two answers or more")
        elif answers != 1:
            raise ValueError(f"expected one of {', '.join(_KINDS)}, same_document and any")
        if self.at is not msgspec.UNSET and self.valid is msgspec.UNSET:
            raise ValueError("`at` goes with `valid`")
        if self.rules and self.at is msgspec.UNSET:
            raise ValueError("`rules` goes with `at`")

    @property
    def kind(self) -> str:
        """The field that holds the answer; of several in `any` each has its own."""
        found = (kind for kind in _KINDS if getattr(self, kind) is not msgspec.UNSET)
        return next(found, "same_document")

    @property
    def alternatives(self) -> tuple[Expected, ...]:
        """The admissible answers, the recommended one first."""
        return self.any or (self,)


#: The kinds of answer, but for `same_document`, which is only ever true.
_KINDS = ("valid", "components", "result", "urls", "equal", "decoded", "base")


class Vector(msgspec.Struct, **_FROZEN):
    """One case: a question, the answer that the RFC gives, and the requirement it comes from."""

    id: str
    requirement: str
    level: Level
    op: Operation
    expect: Expected
    binding: Binding
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
    class_: str | None = msgspec.field(name="class", default=None)
    flags: tuple[Flag, ...] = ()
    ruling: str | None = None
    origin: Literal["mutant"] | None = None
    comment: str | None = None

    def __post_init__(self) -> None:
        """Refuse an operation without its inputs, and a header beside layers."""
        needs = OPERATIONS[self.op].needs
        missing = [name for name in needs if getattr(self, name) in (None, msgspec.UNSET)]
        if missing:
            raise ValueError(f"operation {self.op} needs {' and '.join(missing)}")
        if self.header is not msgspec.UNSET and self.layers:
            raise ValueError("a header and layers are two questions")

    @property
    def layers(self) -> dict[str, Text]:
        """The layers that have a base, innermost first; `""` is one that is empty."""
        values = ((name, getattr(self, name)) for name in LAYERS)
        return {name: value for name, value in values if value is not None}

    @property
    def inputs(self) -> dict[str, Any]:
        """What the operation is asked of, by name, in the order of a reader."""
        values = ((name, getattr(self, name)) for name in INPUTS)
        return {name: value for name, value in values if value is not None and value is not msgspec.UNSET}


class VectorFile(msgspec.Struct, **_FROZEN):
    """The vectors of one section of one RFC."""

    schema: Literal["urlvectors-1"]
    spec: Spec
    section: str
    title: str
    vectors: Annotated[tuple[Vector, ...], msgspec.Meta(min_length=1)]


class Requirement(msgspec.Struct, **_FROZEN):
    """One statement of an RFC, with the paragraph it stands in."""

    id: str
    section: str
    paragraph: Annotated[int, msgspec.Meta(ge=0)] | tuple[int, ...]
    digest: str
    level: Level
    statement: str
    ruling: str | None = None
    testable: Literal["library", "client", "no"] = "library"
    side: Literal["accepting", "rejecting"] | None = None
    reason: str | None = None


class RequirementFile(msgspec.Struct, **_FROZEN):
    """The requirement catalogue of one RFC."""

    schema: Literal["urlrequirements-1"]
    spec: Spec
    requirements: Annotated[tuple[Requirement, ...], msgspec.Meta(min_length=1)]


class IndexedSection(msgspec.Struct, **_FROZEN):
    """A section of an RFC in the index: its heading, and the digests of its paragraphs in order."""

    title: str
    digests: tuple[str, ...]


class Case(msgspec.Struct, frozen=True):
    """A vector together with the specification and section of its file, and all of its flags."""

    spec: Spec
    section: str
    vector: Vector
    file: str
    flags: tuple[Flag, ...] = ()


class Corpus(msgspec.Struct, frozen=True):
    """All cases in the order of RFCs and sections, statements they cite, section titles, cases by RFC.

    `version` is `1.0.0+changed` where the digest is not the one of vectors.lock.
    """

    cases: Sequence[Case]
    requirements: Mapping[str, Requirement]
    titles: Mapping[tuple[str, str], str]
    digest: str
    version: str
    sizes: Mapping[Spec, int] = {}


def corpus_dir() -> Path:
    """Directory of the installed corpus."""
    return Path(str(resources.files("urlvectors")))


def vector_files(directory: Path) -> list[Path]:
    """Every vector file below `directory`, RFCs and sections in their natural order."""
    return [
        path
        for spec in SPECS
        for path in sorted((directory / spec).glob("*.json"), key=lambda p: section_key(p.stem))
    ]


def section_key(section: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts 3.2 before 3.10, and lettered appendices behind the numbered sections."""
    label = section.split("-", 1)[0]
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in label.split("."))


# -------------------- facts: The facts of a case that a score depends on: a million cases are counted as a few kinds.


Count = Annotated[int, msgspec.Meta(ge=0)]


Positive = Annotated[int, msgspec.Meta(ge=1)]


class CaseKind(NamedTuple):
    """Where a case stands, what it asks and obliges to; `valid` is None where no verdict is expected."""

    spec: Spec
    section: str
    op: Operation
    level: Level
    binding: Binding
    valid: bool | None


def case_kind(case: Case) -> CaseKind:
    """Those of a case."""
    vector = case.vector
    valid = vector.expect.valid
    known = None if valid is msgspec.UNSET else valid
    return CaseKind(case.spec, case.section, vector.op, vector.level, vector.binding, known)


# -------------------- levels: The levels of vectors, from the grammar to a note, and the word for those that decide on compliance.


LEVELS: tuple[Level, ...] = get_args(Level)


COMPLIANCE = "compliance"


# -------------------- scores: Scores from results: rates for each section of each RFC, and who complies.


#: Levels whose required vectors decide on compliance (should, may and note do not).
COMPLIANCE_LEVELS = frozenset(("grammar", "algorithm", "must", "example"))
