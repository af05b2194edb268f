"""Read corpus files, and check their JSON against the published schema and the canonical form."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

from urlharness.corpus.differences import ClassFile, DifferenceFile
from urlharness.corpus.export import canonical_text, schema_of
from urlharness.corpus.longtext import GENERATED_SCHEMA, has_generated
from urlharness.corpus.model import FlagFile, RequirementFile, VectorFile, convert_document
from urlharness.jsonio import decoding_error
from urlharness.wording import os_reason

#: Maps each kind of corpus file with a published schema to the name of its list of entries.
_KINDS: dict[type, str] = {
    VectorFile: "vectors",
    RequirementFile: "requirements",
    ClassFile: "classes",
    DifferenceFile: "differences",
    FlagFile: "flags",
}
#: The maximum number of characters of a message of the schema.
_LONGEST_MESSAGE = 160

_T = TypeVar("_T")


class LintError(NamedTuple):
    """One error in the corpus."""

    file: str
    case: str
    message: str

    def __str__(self) -> str:
        entry = f"{self.file}: {self.case}" if self.case else self.file
        return f"{entry}: {self.message}"


def read_document(path: Path, root: Path, kind: type[_T], errors: list[LintError]) -> _T | None:
    """Decode a file as `kind`, and add the errors in it to `errors`.  Return None if decoding fails.

    A file that is not in canonical form has an error, too, but is decoded.
    """
    name = path.relative_to(root).as_posix()
    entries = _KINDS[kind]
    try:
        text = path.read_text(encoding="utf-8")
        document: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        errors.append(LintError(name, "", f"not JSON: {error}"))
        return None
    problems = _schema_errors(entries, text)
    if problems:
        for problem in problems:
            message = f"{problem.json_path}: {_reason(document, problem)}"
            errors.append(LintError(name, _entry_of(document, entries, problem), message))
        return None
    if not _is_well_formed(document):
        broken = [entry["id"] for entry in document[entries] if not _is_well_formed(entry)]
        message = "contains a lone surrogate; give such text as hex"
        # if no entry is broken, the surrogate is elsewhere in the document
        errors += [LintError(name, case, message) for case in broken or [""]]
        return None
    if text != canonical_text(document):
        errors.append(LintError(name, "", "not in canonical form; run `urlconform vectors fmt`"))
    try:
        return convert_document(document, kind)
    except msgspec.ValidationError as error:
        errors.append(LintError(name, "", decoding_error(text.encode(), error, kind, (entries,))))
        return None


def read_table(path: Path, kind: type[_T], failure: str, errors: list[LintError]) -> _T | None:
    """Decode a table that has no published schema.

    If that fails, add an error to `errors`, and return None; `failure` is the beginning of its message.  A
    table that is not in canonical form has an error, too, but is decoded.
    """
    try:
        content = path.read_bytes()
        table = msgspec.json.decode(content, type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else error
        errors.append(LintError(path.name, "", f"{failure}: {reason}"))
        return None
    if content != canonical_text(json.loads(content)).encode():
        errors.append(LintError(path.name, "", "not in canonical form; run `urlconform vectors fmt`"))
    return table


@lru_cache(maxsize=512)
def _schema_errors(kind: str, text: str) -> tuple[ValidationError, ...]:
    """Return the schema errors of a text, which must be JSON.

    `kind` names the schema, but a generated file is checked by the schema of generated files.  The errors are
    cached, because several checks read the same files.
    """
    document = json.loads(text)
    is_generated = isinstance(document, dict) and document.get("schema") == GENERATED_SCHEMA
    schema = "vectors-2" if is_generated else kind
    return tuple(_validator(schema).iter_errors(document))


@cache
def _validator(kind: str) -> Draft202012Validator:
    """Return the validator of a schema, which may refer to definitions in that of vectors."""
    vectors: Resource[Any] = Resource.from_contents(schema_of("vectors"))
    return Draft202012Validator(schema_of(kind), registry=vectors @ Registry())


def _reason(document: Any, problem: ValidationError) -> str:
    """Return the message of a schema error, and for generated text in a plain file the schema to use."""
    is_plain = isinstance(document, dict) and document.get("schema") == "urlvectors-1"
    if is_plain and problem.validator in ("oneOf", "anyOf", "type") and has_generated(problem.instance):
        return f"not a text; a generated text (`repeat`) needs the schema {GENERATED_SCHEMA}"
    return problem.message[:_LONGEST_MESSAGE]  # the message of a large entry contains all of it


def _entry_of(document: dict[str, Any], kind: str, problem: ValidationError) -> str:
    """Return the id of the entry with the problem, or its index (`vectors[0]`) if it has no id.

    Return '' if the problem is not inside an entry.
    """
    match list(problem.absolute_path):
        case [_, int(index), *_]:  # such as vectors, 0, url
            entry = document[kind][index]
            identifier = str(entry.get("id", "")) if isinstance(entry, dict) else ""
            return identifier or f"{kind}[{index}]"
        case _:
            return ""


def _is_well_formed(document: Any) -> bool:
    """Return True if no string in a document contains a lone surrogate."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
