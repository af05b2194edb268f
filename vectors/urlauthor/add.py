"""New vectors: drafts with their id, file and place; vectors made of the witnesses of mutants."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlauthor.documents import LintError, read_document
from urlauthor.lint.citations import read_rulings
from urlauthor.lint.vectors import MUTANT, MUTANTS, Citable, lint_vector
from urlauthor.stats import vector_side
from urlharness.corpus.differences import DifferenceClass
from urlharness.corpus.export import canonical
from urlharness.corpus.loader import LOCK, corpus_digest, load, load_classes
from urlharness.corpus.lock import locked_vector, question_key, read_lock, render_lock
from urlharness.corpus.model import Case, Corpus, Requirement, Vector, VectorFile, derive_flags

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

#: The section with the productions of each RFC, and the beginning of the ids of statements on them.
_GRAMMAR: Mapping[str, str] = {
    "rfc1738": "5-bnf-",
    "rfc1808": "2.2-bnf-",
    "rfc2396": "A-",
    "rfc2732": "3-",
    "rfc3986": "A-",
}
#: The statement on the productions that an RFC takes over from another.
_REST = "rest"
_MUTANTS_TITLE = "Texts that tell the productions from small mistakes in them"


class AddError(ValueError):
    """No vector can be made of the given fields; the message says why."""


class Draft(NamedTuple):
    """A vector before it is written: its case, and its file with the vector in its place."""

    case: Case
    path: Path
    document: Mapping[str, Any]


def draft_vector(
    root: Path,
    corpus: Corpus,
    fields: Mapping[str, Any],
    *,
    slug: str = "",
    file: str = "",
    title: str = "",
) -> Draft:
    """Make a vector of `fields` with a new id, at its place in the corpus at `root`; raises AddError.

    `fields` are those of a vector file without `id`; level and binding have defaults.  The id consists of
    specification, section and `slug` (by default that of the requirement), and a number if it is or was
    taken.  The file is the named one, else the one in which the requirement has vectors, else the only one
    of its section; witnesses of mutants have files of their own.  A new file needs a name and a title.
    """
    requirement = corpus.requirements.get(str(fields.get("requirement")))
    if requirement is None:
        raise AddError(f"unknown requirement {fields.get('requirement')!r}")
    spec = _spec_of(requirement)
    name = new_id(requirement, slug, _taken_ids(root, corpus))
    given = {"level": requirement.level, "binding": "required", **fields, "id": name}
    try:
        vector = msgspec.convert(given, Vector)
    except msgspec.ValidationError as error:
        raise AddError(str(error)) from None
    path = root / spec / file if file else _file_of(root, corpus, requirement, vector)
    if path.suffix != ".json" or path.parent != root / spec:
        raise AddError(f"{file}: a name such as {requirement.section}-host.json in the folder {spec}")
    document = _with_vector(path, requirement, given, list(corpus.requirements), title)
    by_class = {name: entry.flags for name, entry in _classes(root).items()}
    place = document["spec"], document["section"]
    case = Case(*place, vector, path.relative_to(root).as_posix(), derive_flags(vector, by_class))
    return Draft(case, path, document)


def new_id(requirement: Requirement, slug: str, taken: Collection[str]) -> str:
    """Return specification, section and slug, with the first free number from 2 if that is taken."""
    prefix = f"{_spec_of(requirement)}-{requirement.section}-"
    slug = slug or requirement.id.removeprefix(prefix).removeprefix("bnf-")
    if not _SLUG.fullmatch(slug):
        raise AddError(f"{slug!r} is not a slug: small letters, digits, and single hyphens between them")
    name, number = prefix + slug, 2
    while name in taken:
        name, number = f"{prefix}{slug}-{number}", number + 1
    return name


def lint_draft(root: Path, corpus: Corpus, draft: Draft) -> list[str]:
    """Return what lint would say of the new vector."""
    errors: list[LintError] = []
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / draft.path.relative_to(root)
        copy.parent.mkdir(parents=True)
        copy.write_text(canonical(draft.document), encoding="ascii")
        read_document(copy, Path(scratch), VectorFile, errors)
    return [error.message for error in errors] or list(_lint_in_corpus(root, corpus, draft))


def write_draft(root: Path, draft: Draft) -> None:
    """Write the file, and the line of the vector in the lock if there is one; other lines stay."""
    draft.path.parent.mkdir(exist_ok=True)
    draft.path.write_text(canonical(draft.document), encoding="ascii")
    path = root / LOCK
    if path.is_file():
        old = read_lock(path)
        entries = {**old.entries, draft.case.vector.id: locked_vector(draft.case)}
        new = old._replace(digest=corpus_digest(root), entries=entries)
        path.write_text(render_lock(new), encoding="ascii")
    load(root)  # raises if the corpus is broken now


def adopt_witnesses(
    root: Path, corpus: Corpus, spec: str, candidates: Sequence[Mapping[str, Any]]
) -> tuple[Path, str, int]:
    """Add the candidates of an RFC to its file of witnesses; return path, text, and how many are new.

    Candidates are as `urlauthor.adequacy.analysis.candidates` returns them; questions that the corpus asks
    already are left out.  Raises AddError.
    """
    section = _GRAMMAR[spec].partition("-")[0]
    path = root / spec / f"{section}{MUTANTS}"
    head = {"schema": "urlvectors-1", "spec": spec, "section": section, "title": _MUTANTS_TITLE}
    vectors: list[dict[str, Any]] = json.loads(path.read_bytes())["vectors"] if path.is_file() else []
    before = len(vectors)
    taken = _taken_ids(root, corpus)
    asked = {
        question_key(spec, msgspec.to_builtins(case.vector)) for case in corpus.cases if case.spec == spec
    }
    for candidate in candidates:
        requirement = _grammar_statement(corpus, spec, candidate["mutants"], candidate["rule"])
        vector = _witness(requirement, candidate)
        if question_key(spec, vector) in asked:
            continue
        production = requirement.id.removeprefix(f"{spec}-{section}-").removeprefix("bnf-")
        vector["id"] = new_id(requirement, f"{MUTANT}{production}", taken)
        taken.add(vector["id"])
        vectors.append(vector)
    rank = {name: number for number, name in enumerate(corpus.requirements)}
    vectors.sort(key=lambda vector: rank[vector["requirement"]])
    return path, canonical({**head, "vectors": vectors}), len(vectors) - before


def _spec_of(requirement: Requirement) -> str:
    return requirement.id.partition("-")[0]


def _taken_ids(root: Path, corpus: Corpus) -> set[str]:
    """Return the ids that exist or existed."""
    removed = read_lock(root / LOCK).tombstones if (root / LOCK).is_file() else {}
    return {case.vector.id for case in corpus.cases} | removed.keys()


def _classes(root: Path) -> Mapping[str, DifferenceClass]:
    return load_classes(root) if (root / "classes.json").is_file() else {}


def _lint_in_corpus(root: Path, corpus: Corpus, draft: Draft) -> Iterator[str]:
    case, vector = draft.case, draft.case.vector
    requirement = corpus.requirements[vector.requirement]
    errors: list[LintError] = []
    known = Citable({requirement.id: requirement}, read_rulings(root, errors))
    yield from map(str, errors)
    yield from lint_vector(case.spec, case.section, draft.path.name, vector, known)
    if requirement.side is not None and requirement.side != vector_side(vector):
        yield f"the requirement has only {requirement.side} vectors"
    key = question_key(case.spec, msgspec.to_builtins(vector))
    for other in corpus.cases:
        if other.spec == case.spec and question_key(case.spec, msgspec.to_builtins(other.vector)) == key:
            yield f"asks the same as {other.vector.id}"
    if vector.class_ is not None and vector.class_ not in _classes(root):
        yield f"unknown class {vector.class_}"


def _file_of(root: Path, corpus: Corpus, requirement: Requirement, vector: Vector) -> Path:
    place = (_spec_of(requirement), requirement.section)
    alike = [case for case in corpus.cases if case.file.endswith(MUTANTS) is (vector.origin == "mutant")]
    citing = {case.file for case in alike if case.vector.requirement == requirement.id}
    files = sorted(citing or {case.file for case in alike if (case.spec, case.section) == place})
    if len(files) != 1:
        which = f": {', '.join(files)}" if files else f" in section {requirement.section}"
        raise AddError(f"{len(files)} files{which}; name one (--file)")
    return root / files[0]


def _with_vector(
    path: Path, requirement: Requirement, vector: Mapping[str, Any], order: list[str], title: str
) -> dict[str, Any]:
    """Return a file with one vector more: after the last whose requirement is not later in the catalogue."""
    if path.is_file():
        document: dict[str, Any] = json.loads(path.read_bytes())
    elif title:
        place = {"spec": _spec_of(requirement), "section": requirement.section}
        document = {"schema": "urlvectors-1", **place, "title": title, "vectors": []}
    else:
        raise AddError(f"{path.name} is new and needs a title (--title)")
    rank = {name: number for number, name in enumerate(order)}
    own = rank[requirement.id]
    vectors = document["vectors"]
    same = [n for n, one in enumerate(vectors) if one["requirement"] == requirement.id]
    before = [n for n, one in enumerate(vectors) if rank.get(one["requirement"], own) < own]
    at = max(same or before, default=-1) + 1
    return {**document, "vectors": [*vectors[:at], dict(vector), *vectors[at:]]}


def _witness(requirement: Requirement, candidate: Mapping[str, Any]) -> dict[str, Any]:
    """Return the vector of a candidate, without its id."""
    mutants = candidate["mutants"]
    fields = {name: candidate[name] for name in ("op", "rule", "url", "expect", "binding")}
    if "ruling" in candidate:
        fields["ruling"] = candidate["ruling"]
    changed, operator = mutants[0]
    more = f", and {len(mutants) - 1} more" if len(mutants) > 1 else ""
    return {
        "requirement": requirement.id,
        "level": "grammar",
        **fields,
        "origin": "mutant",
        "comment": f"Shows a slip in {changed} ({operator}){more}.",
    }


def _grammar_statement(corpus: Corpus, spec: str, mutants: Sequence[Sequence[str]], rule: str) -> Requirement:
    """Return the statement on the first changed production that has one, else on the rule of the text.

    Rules that rulings lay over the printed ones have no statement.
    """
    names = (*(changed for changed, _ in mutants), _REST, rule)
    for slug in (name.lower().replace("_", "-").replace("+", "plus") for name in names):
        found = corpus.requirements.get(f"{spec}-{_GRAMMAR[spec]}{slug}")
        if found is not None:
            return found
    unknown = ", ".join(sorted({rule, *(name for name, _ in mutants)}))
    raise AddError(f"{spec}: no statement on any of {unknown}")
