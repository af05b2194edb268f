"""The corpus as values: vector files and requirement catalogues decoded into frozen records.

A file that cannot be read, decoded or matched to its record is one `CorpusError` that names the file
and the place in it.  The published JSON Schemas say the same as the types here; tests hold them together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from urlharness import release
from urlharness.entries import entry_of
from urlharness.flags import ClassFlags, Flag, derive
from urlharness.operations import INPUTS, LAYERS, OPERATIONS
from urlharness.versions import decoding_error

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


def load(directory: Path | None = None) -> Corpus:
    """The corpus in `directory` (the installed one by default); raises CorpusError."""
    root = directory or corpus_dir()
    requirements: dict[str, Requirement] = {}
    cases: list[Case] = []
    for spec in SPECS:
        path = root / "requirements" / f"{spec}.json"
        if path.is_file():
            catalogue = _decode(path, RequirementFile)
            requirements.update((r.id, r) for r in catalogue.requirements)
    table = root / "classes.json"
    by_class = _decode(table, ClassFlags).by_class() if table.is_file() else {}
    for path in vector_files(root):
        content = _decode(path, VectorFile)
        name = path.relative_to(root).as_posix()
        for vector in content.vectors:
            if vector.requirement not in requirements:
                raise CorpusError(f"{name}: {vector.id}: unknown requirement {vector.requirement!r}")
            cases.append(Case(content.spec, content.section, vector, name, derive(vector, by_class)))
    if not cases:
        raise CorpusError(f"{root}: no vector files found")
    _refuse_repeated_ids(cases)
    index = _decode(root / "paragraphs.json", dict[str, dict[str, IndexedSection]])
    titles = {(spec, label): found.title for spec in index for label, found in index[spec].items()}
    digest = release.digest(root)
    sizes = Counter(case.spec for case in cases)
    return Corpus(tuple(cases), requirements, titles, digest, release.version(root, digest), sizes)


def _decode(path: Path, kind: type[_T]) -> _T:
    try:
        octets = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    try:
        return msgspec.json.decode(octets, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        where = entry_of(octets, str(error), ("vectors", "requirements"))
        raise CorpusError(f"{path}: {decoding_error(octets, error, kind)}{where}") from None


def _refuse_repeated_ids(cases: Iterable[Case]) -> None:
    seen: dict[str, str] = {}
    for case in cases:
        if case.vector.id in seen:
            earlier = seen[case.vector.id]
            raise CorpusError(f"{case.file}: {case.vector.id}: id already used in {earlier}")
        seen[case.vector.id] = case.file
