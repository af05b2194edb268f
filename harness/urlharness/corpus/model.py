"""The record types (Vector, Expected, Requirement, Case, Corpus) and the operations, levels and flags.

The published JSON Schemas describe the same files as these types. The schemas also check the spelling of ids
and texts. Tests check that schemas and types agree.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeVar, get_args

import msgspec

from urlharness.corpus.longtext import GENERATED_SCHEMA, expanded, has_generated
from urlharness.corpus.specifications import SPECS, Spec, check_specs
from urlharness.jsonio import NOT_JSON, decoding_error
from urlharness.wording import os_reason

Level = Literal["grammar", "algorithm", "must", "should", "may", "example", "note"]
Operation = Literal[
    "validate",
    "parse",
    "resolve",
    "recompose",
    "normalize",
    "extract",
    "equivalent",
    "decode",
    "base",
    "to_uri",
    "to_iri",
]
Profile = Literal["scheme-specific", "generic", "prose"]
#: A mode of normalization, and of comparison by normal forms.
NormalizationMode = Literal["syntax", "scheme"]
#: A mode of comparison. In mode `simple`, texts are compared as they are (RFC 3987, section 5.3.1).
Mode = Literal[NormalizationMode, "simple"]
MODES: tuple[Mode, ...] = get_args(Mode)
#: The modes of an adapter whose hello names none.
USUAL_MODES: tuple[NormalizationMode, ...] = get_args(NormalizationMode)
Binding = Literal["required", "permitted-set", "impl-defined", "literal-only", "unspecified"]
Flag = Literal["security", "interop", "legacy", "edge", "basic"]
#: The schemas of vector files. Only the second one allows generated texts.
VectorSchema = Literal["urlvectors-1", "urlvectors-2"]
#: The generated tiers. The tier `core` is not among them, because it is the stored corpus.
Tier = Literal[
    "complete", "bytes", "k1", "resolution", "normalization", "equivalence", "decoding", "recomposition"
]

LEVELS: tuple[Level, ...] = get_args(Level)
FLAGS: tuple[Flag, ...] = get_args(Flag)
VECTOR_SCHEMAS: tuple[VectorSchema, ...] = get_args(VectorSchema)

#: The levels whose required vectors count for compliance.
COMPLIANCE_LEVELS = frozenset(("grammar", "algorithm", "must", "example"))
#: The word that selects all of these levels.
COMPLIANCE = "compliance"

Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
#: The components in a vector, by name. Those of prospero URLs include a list of pairs.
Components = dict[str, str | list[tuple[str, str]] | None]

_FROZEN: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "omit_defaults": True}
_T = TypeVar("_T")


class CorpusError(Exception):
    """A corpus file is missing, unreadable or invalid. The message names the file, and the entry or line."""


class Signature(NamedTuple):
    """The inputs and possible answers of an operation.

    `needs` are the required inputs and `may_have` the optional ones. `answers` are the fields of `expect`
    that may contain the answer.
    """

    needs: tuple[str, ...]
    may_have: tuple[str, ...]
    answers: frozenset[str]

    @property
    def takes(self) -> tuple[str, ...]:
        """All inputs that the operation accepts."""
        return self.needs + self.may_have


#: The layers that may define a base, innermost first (RFC 1808 section 3, RFC 2396 and 3986 section 5.1).
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
    # a question contains either a header or layers
    "base": Signature((), ("header", *LAYERS), frozenset(("base", "valid"))),
    # without a rule, the text is a reference, and with one, a component
    "to_uri": Signature(("url",), ("rule",), frozenset(("result", "valid"))),
    "to_iri": Signature(("url",), ("rule",), frozenset(("result", "valid"))),
}

#: The operations whose questions have a mode.
WITH_MODE = frozenset(op for op, signature in OPERATIONS.items() if "mode" in signature.takes)

#: All inputs in the order of reports: rule, profile and mode first.
INPUTS = tuple(
    dict.fromkeys(chain(("rule", "profile", "mode"), *(signature.takes for signature in OPERATIONS.values())))
)


class Claims(Protocol):
    """The part of a hello that says which questions an adapter accepts."""

    @property
    def ops(self) -> Sequence[str]:
        """The operations."""

    @property
    def modes(self) -> Sequence[str]:
        """The modes of normalize and equivalent."""


def offers(claims: Claims, op: str, mode: str | None = None) -> bool:
    """Return True if an adapter accepts questions of this operation.

    `mode` is the mode of the question (None: `syntax`). It matters for normalize and equivalent only.
    """
    return op in claims.ops and (op not in WITH_MODE or (mode or "syntax") in claims.modes)


class OperationTier(NamedTuple):
    """A generated tier of one operation.

    `level` is the level of its cases, and `inputs` is the word for their inputs in reports, such as `pairs`.
    """

    op: Operation
    level: Level
    inputs: str


#: The generated tiers of one operation. The cases of all other generated tiers validate and parse texts of a
#: rule.
OPERATION_TIERS: Mapping[Tier, OperationTier] = {
    "resolution": OperationTier("resolve", "algorithm", "pairs"),
    "normalization": OperationTier("normalize", "should", "URLs"),
    "equivalence": OperationTier("equivalent", "should", "pairs"),
    "decoding": OperationTier("decode", "must", "URLs"),
    "recomposition": OperationTier("recompose", "algorithm", "components"),
}


class Hex(msgspec.Struct, **_FROZEN):
    """A text that is not well-formed Unicode, given as the hex digits of its bytes."""

    hex: Annotated[str, msgspec.Meta(pattern="^(?:[0-9a-f]{2})+$")]


Text = str | Hex

#: The components that make up an authority, in their order (RFC 3986, section 3.2).
AUTHORITY = ("userinfo", "host", "port")

#: A percent-encoded byte (RFC 3986, section 2.1).
TRIPLET = re.compile("%[0-9A-Fa-f]{2}")

#: The reserved characters, which are not equivalent to their triplets (RFC 3986, section 2.2).
RESERVED = frozenset(":/?#[]@!$&'()*+,;=")


def encoded_text(text: str) -> Text:
    """Return a text as the corpus and the protocol write it: as Hex if its bytes are not UTF-8.

    The caller decodes bytes that are not UTF-8 by `surrogateescape`.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return Hex(text.encode("utf-8", "surrogateescape").hex())
    return text


#: A value in the answer to `decode`: bytes, a flag, a list of bytes, or a list of pairs of bytes. Bytes that
#: are UTF-8 are written as text. None means that the part is absent.
DecodedValue = Text | bool | list[Text | tuple[Text, Text]] | None
Decoded = dict[str, DecodedValue]
#: The admissible readings of one of the URLs in a running text.
Readings = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]

#: The fields that may contain the answer, except `same_document`: its default is False instead of unset.
_KINDS = ("valid", "components", "result", "urls", "equal", "decoded", "base")


class Expected(msgspec.Struct, **_FROZEN):
    """The expectation of a vector: either one answer, or several admissible answers in `any`.

    `at` and `rules` describe an invalid text: `at` is the offset of the first character that cannot continue
    a valid text, and `rules` are the rules that were being read there. `urls` contains the readings of each
    URL in a text. `base` is None if no base applies. `variant` is the name of an answer in `any` that is not
    the recommended one.
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
        """Raise ValueError unless the fields are consistent.

        Either exactly one answer or `any` with at least two answers is required. `at` requires `valid`, and
        `rules` requires `at`.
        """
        present = [kind for kind in _KINDS if getattr(self, kind) is not msgspec.UNSET]
        answer_count = len(present) + self.same_document
        if self.any:
            is_nested = any(answer.any for answer in self.any)
            if answer_count or len(self.any) < 2 or is_nested:
                raise ValueError("`any` requires at least two answers, and allows no other field")
        elif answer_count != 1:
            raise ValueError(f"exactly one of {', '.join(_KINDS)}, same_document and any is required")
        if self.at is not msgspec.UNSET and self.valid is msgspec.UNSET:
            raise ValueError("`at` is only allowed with `valid`")
        if self.rules and self.at is msgspec.UNSET:
            raise ValueError("`rules` is only allowed with `at`")

    @property
    def kind(self) -> str:
        """The name of the field that contains the answer.

        It is only meaningful without `any`, because each alternative in `any` has its own kind.
        """
        return next((kind for kind in _KINDS if getattr(self, kind) is not msgspec.UNSET), "same_document")

    @property
    def alternatives(self) -> tuple[Expected, ...]:
        """The admissible answers, the recommended one first."""
        return self.any or (self,)


class Vector(msgspec.Struct, **_FROZEN):
    """A question, its expected answer, and the id of the requirement from which the answer follows."""

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
    origin: Literal["mutant", "twin", "derived"] | None = None
    comment: str | None = None

    def __post_init__(self) -> None:
        """Raise ValueError if an input is missing, or if the vector has both a header and layers."""
        needs = OPERATIONS[self.op].needs
        missing = [name for name in needs if getattr(self, name) in (None, msgspec.UNSET)]
        if missing:
            raise ValueError(f"operation {self.op} needs {' and '.join(missing)}")
        if self.header is not msgspec.UNSET and self.layers:
            raise ValueError(f"`header` cannot be combined with {', '.join(LAYERS[:-1])} or {LAYERS[-1]}")

    @property
    def combined(self) -> bool:
        """True if the vector combines parts, each with something to say; see docs/authoring.md."""
        return "-pair-" in self.id

    @property
    def normalization_mode(self) -> NormalizationMode:
        """The mode in which the texts are brought into normal form: `scheme`, or else `syntax`."""
        return "scheme" if self.mode == "scheme" else "syntax"

    @property
    def layers(self) -> dict[str, Text]:
        """The bases by layer, innermost layer first.

        Layers without a base are missing. `""` is the empty base.
        """
        bases = {name: getattr(self, name) for name in LAYERS}
        return {name: base for name, base in bases.items() if base is not None}

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs that the vector contains, by name, in the order of `INPUTS`."""
        inputs = {name: getattr(self, name) for name in INPUTS}
        return {
            name: content
            for name, content in inputs.items()
            if content is not None and content is not msgspec.UNSET
        }


class VectorFile(msgspec.Struct, **_FROZEN):
    """The vectors of one section of one RFC. Generated texts (schema `urlvectors-2`) are already expanded."""

    schema: VectorSchema
    spec: Spec
    section: str
    title: str
    vectors: Annotated[tuple[Vector, ...], msgspec.Meta(min_length=1)]

    def __post_init__(self) -> None:
        """Raise ValueError if there is no such specification."""
        check_specs([self.spec])


class Requirement(msgspec.Struct, **_FROZEN):
    """One testable statement, and its place in the RFC.

    `paragraph` contains one or more paragraph numbers in the section, and `digest` is the digest of these
    paragraphs. In a substitute for a requirement that the corpus does not contain, they are 0 and empty.
    `testable` says which kind of program can be tested for the statement, if any, and `reason` explains why
    it is not a library. `side` is the only side that the vectors of the statement can have, or None if they
    can have both.
    """

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

    @property
    def spec(self) -> str:
        """The identifier of the RFC: the part of the id before the first hyphen."""
        return self.id.partition("-")[0]


class RequirementFile(msgspec.Struct, **_FROZEN):
    """The requirement catalogue of one RFC."""

    schema: Literal["urlrequirements-1"]
    spec: Spec
    requirements: Annotated[tuple[Requirement, ...], msgspec.Meta(min_length=1)]

    def __post_init__(self) -> None:
        """Raise ValueError if there is no such specification."""
        check_specs([self.spec])


class IndexedSection(msgspec.Struct, **_FROZEN):
    """A section of an RFC in paragraphs.json: its heading, and the digests of its paragraphs in order."""

    title: str
    digests: tuple[str, ...]


class FlagEntry(msgspec.Struct, **_FROZEN):
    """A flag.

    `statement` says what its cases have in common, and `effect` what a failure causes in practice.
    """

    id: Flag
    statement: str
    effect: str


class FlagFile(msgspec.Struct, **_FROZEN):
    """The table of flags."""

    schema: Literal["urlflags-1"]
    flags: tuple[FlagEntry, ...]


class Case(msgspec.Struct, frozen=True):
    """A vector with the specification and section of its file, and with its own, inherited and implied flags.

    `spec` is the identifier of an RFC, such as `rfc3986`. `file` is the name of the file. If the texts of the
    vector are abbreviated, as in results, `digest` is the digest of its lock record. Otherwise `digest` is
    empty.
    """

    spec: Spec
    section: str
    vector: Vector
    file: str
    flags: tuple[Flag, ...] = ()
    digest: str = ""


def is_difference(case: Case) -> bool:
    """Return True if the case comes from a file of named differences. No score counts such cases."""
    return case.file.startswith("differences/")


class Corpus(msgspec.Struct, frozen=True):
    """A corpus: its cases, and their requirements by id.

    The cases of the installed corpus are in the order of RFCs and sections. `titles` maps (RFC, section) to
    the heading, and `sizes` maps each RFC to its number of cases. `version` ends with `+changed` if the
    digest differs from the digest in vectors.lock, and is `unlocked` if there is no lock. For a file outside
    the corpus, `version` is the name of the file.
    """

    cases: Sequence[Case]
    requirements: Mapping[str, Requirement]
    titles: Mapping[tuple[str, str], str]
    digest: str
    version: str
    sizes: Mapping[Spec, int] = {}


class CaseKind(NamedTuple):
    """The properties of a case that scores depend on.

    Reports count cases by kind, because there are millions of generated cases but few kinds. `valid` is None
    if no verdict is expected. `witness` is true for a vector of origin `mutant`: a program made it to
    distinguish the grammar from one small mistake in it.
    """

    spec: Spec
    section: str
    op: Operation
    level: Level
    binding: Binding
    valid: bool | None
    requirement: str
    witness: bool


def case_kind(case: Case) -> CaseKind:
    """Return the kind of a case."""
    vector = case.vector
    verdict = None if vector.expect.valid is msgspec.UNSET else vector.expect.valid
    return CaseKind(
        case.spec,
        case.section,
        vector.op,
        vector.level,
        vector.binding,
        verdict,
        vector.requirement,
        vector.origin == "mutant",
    )


def derive_flags(vector: Vector, by_class: Mapping[str, Collection[Flag]]) -> tuple[Flag, ...]:
    """Return the flags of a vector: its own, those of its class, and an implied one, in the order of `FLAGS`.

    `edge` or `basic` is implied if neither of them is given. `edge` is implied if the binding is not
    `required` or the origin is `mutant`. Otherwise `basic` is implied if the vector is an example without a
    class. `by_class` maps classes to their flags.
    """
    flags_of_class = by_class.get(vector.class_ or "", ())
    is_edge = vector.binding != "required" or vector.origin == "mutant"
    is_basic = not is_edge and vector.level == "example" and vector.class_ is None
    return _complete_flags((*vector.flags, *flags_of_class), is_edge, is_basic)


@cache  # a corpus of thousands of vectors has few combinations
def _complete_flags(flags: tuple[Flag, ...], is_edge: bool, is_basic: bool) -> tuple[Flag, ...]:
    """Return the flags in the order of `FLAGS`, with the implied one unless `edge` or `basic` is there."""
    complete: set[Flag] = set(flags)
    if complete.isdisjoint(("basic", "edge")):
        if is_edge:
            complete.add("edge")
        elif is_basic:
            complete.add("basic")
    return tuple(flag for flag in FLAGS if flag in complete)


@cache
def load_flags() -> Mapping[str, FlagEntry]:
    """Return the flags of the installed corpus by name, or an empty mapping if it has no table of flags."""
    path = corpus_dir() / "flags.json"
    if not path.is_file():
        return {}
    return {entry.id: entry for entry in decode_file(path, FlagFile).flags}


def explain_flags(flags: Collection[str]) -> list[str]:
    """Return each flag with the effect of a failure, as in `security: a filter and a client …`.

    Return only the name of a flag that is not in the table.
    """
    table = load_flags()
    return [f"{flag}: {table[flag].effect}" if flag in table else flag for flag in flags]


def corpus_dir() -> Path:
    """Return the directory of the installed corpus."""
    return Path(str(resources.files("urlvectors")))


def vector_files(directory: Path) -> list[Path]:
    """Return all vector files of the corpus in `directory`, in the order of RFCs and sections.

    Raise CorpusError, which names the folder, if it has vectors of an unknown specification.
    """
    for path in sorted(directory.glob("rfc*/*.json")):
        if path.parent.name not in SPECS:
            why = f"no specification named {path.parent.name!r}; choose from {', '.join(SPECS)}"
            raise CorpusError(f"{path}: {why}")
    paths: list[Path] = []
    for spec in SPECS:
        paths += sorted((directory / spec).glob("*.json"), key=lambda path: section_key(path.stem))
    return paths


@cache
def section_key(section: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key of section numbers: 3.2 before 3.10, and lettered appendices after numbered sections.

    Ignore everything from the first hyphen on, as in `3.2.2-host`.
    """
    label, _, _ = section.partition("-")
    return tuple(map(_part_key, label.split(".")))


def _part_key(part: str) -> tuple[int, int, str]:
    """Return the sort key of one part of a section number: numbers before letters."""
    return (0, int(part), "") if part.isdigit() else (1, 0, part)


#: The lists of corpus files, in which an error is located by the id of the entry.
_LISTS = ("vectors", "requirements", "classes", "differences")


def decode_file(path: Path, kind: type[_T]) -> _T:
    """Decode a corpus file as a record type.

    Raise CorpusError, which names the file and the entry, if the file cannot be read or is invalid.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path}: {os_reason(error)}") from None
    try:
        return decode_document(content, kind)
    except NOT_JSON as error:
        reason = decoding_error(content, error, kind, _LISTS)
        raise CorpusError(f"{path}: {reason}") from None


def decode_document(content: bytes, kind: type[_T]) -> _T:
    """Decode the JSON of a corpus file as a record type. Expand the generated texts of vectors.

    Raise msgspec.MsgspecError or UnicodeDecodeError if the content is not JSON or does not match the type.
    """
    if kind is VectorFile and b'"repeat"' in content:
        return convert_document(msgspec.json.decode(content), kind)
    return msgspec.json.decode(content, type=kind)


def convert_document(document: Any, kind: type[_T]) -> _T:
    """Convert the JSON value of a corpus file to a record type. Expand the generated texts of vectors.

    Raise msgspec.ValidationError, which names the entry by its index, if the value is invalid.
    """
    if kind is VectorFile and isinstance(document, dict) and isinstance(document.get("vectors"), list):
        expanded_document = {**document, "vectors": [*_expanded_vectors(document)]}
        return msgspec.convert(expanded_document, kind)
    return msgspec.convert(document, kind)


def _expanded_vectors(document: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the vectors of a file with their generated texts expanded.

    Raise msgspec.ValidationError if one is invalid, or if the schema of the file allows none.
    """
    for number, vector in enumerate(document["vectors"]):
        location = f"at `$.vectors[{number}]`"
        if document.get("schema") == "urlvectors-1" and has_generated(vector):
            why = f"a generated text (`repeat`) needs the schema {GENERATED_SCHEMA}"
            raise msgspec.ValidationError(f"{why} - {location}")
        try:
            yield expanded(vector)
        except ValueError as error:
            raise msgspec.ValidationError(f"{error} - {location}") from None
