"""New vectors; adopted witnesses."""

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
from urlauthor.stats import side
from urlharness.corpus.differences import DifferenceClass, load_classes
from urlharness.corpus.export import canonical
from urlharness.corpus.loader import load
from urlharness.corpus.lock import LOCK, corpus_digest, locked_vector, question_key, read_lock, render_lock
from urlharness.corpus.model import Case, Corpus, Requirement, Vector, derive

# -------------------- authoring.adding: A new vector: its id, its file and its place there, and what is wrong with it before it is written.


_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class AddingError(ValueError):
    """A vector that cannot be made of what was given; the message says why."""


class Draft(NamedTuple):
    """A vector before it is written: the case it would be, its file with the vector in its place."""

    case: Case
    path: Path
    document: Mapping[str, Any]


def draft(
    root: Path,
    corpus: Corpus,
    fields: Mapping[str, Any],
    *,
    slug: str = "",
    file: str = "",
    title: str = "",
) -> Draft:
    """The vector of `fields` with an id of its own, at its place in the corpus at `root`.

    `fields` are those of a vector file without `id`; level and binding have defaults.  The id is
    specification, section and `slug`, by default that of the requirement; a number is added where it is or
    was taken.  The file is the one named, else the one in which the requirement has vectors, else the only
    one of its section; witnesses of mutants stand apart.  A new file needs a name and a title.
    Raises AddingError.
    """
    requirement = corpus.requirements.get(str(fields.get("requirement")))
    if requirement is None:
        raise AddingError(f"unknown requirement {fields.get('requirement')!r}")
    spec = requirement.id.partition("-")[0]
    taken = {case.vector.id for case in corpus.cases} | _tombstones(root)
    name = identifier(requirement, slug, taken)
    given = {"level": requirement.level, "binding": "required", **fields, "id": name}
    try:
        vector = msgspec.convert(given, Vector)
    except msgspec.ValidationError as error:
        raise AddingError(str(error)) from None
    path = root / spec / file if file else _file_of(root, corpus, requirement, vector)
    if path.suffix != ".json" or path.parent != root / spec:
        raise AddingError(f"{file}: a name such as {requirement.section}-host.json in the folder {spec}")
    document = _with_vector(path, requirement, given, list(corpus.requirements), title)
    by_class = {name: entry.flags for name, entry in _classes(root).items()}
    place = document["spec"], document["section"]
    case = Case(*place, vector, path.relative_to(root).as_posix(), derive(vector, by_class))
    return Draft(case, path, document)


def identifier(requirement: Requirement, slug: str, taken: Collection[str]) -> str:
    """Specification, section and slug; with the first number from 2 that makes it new where it is taken."""
    spec = requirement.id.partition("-")[0]
    prefix = f"{spec}-{requirement.section}-"
    slug = slug or requirement.id.removeprefix(prefix).removeprefix("bnf-")
    if not _SLUG.fullmatch(slug):
        raise AddingError(f"{slug!r} is no slug: small letters, digits, and single hyphens between them")
    name, number = prefix + slug, 2
    while name in taken:
        name, number = f"{prefix}{slug}-{number}", number + 1
    return name


def problems(root: Path, corpus: Corpus, made: Draft) -> list[str]:
    """What lint would say of the new vector, each as a clause."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / made.path.relative_to(root)
        copy.parent.mkdir(parents=True)
        copy.write_text(canonical(made.document), encoding="ascii")
        findings: list[LintError] = []
        read_document(copy, Path(scratch), "vectors", findings)
    found = [finding.message for finding in findings]
    return found or list(_doubts(root, corpus, made))


def write(root: Path, made: Draft) -> None:
    """Write the file, and the line of the vector in the lock where there is one; other lines stay."""
    made.path.parent.mkdir(exist_ok=True)
    made.path.write_text(canonical(made.document), encoding="ascii")
    path = root / LOCK
    if path.is_file():
        old = read_lock(path)
        entries = {**old.entries, made.case.vector.id: locked_vector(made.case)}
        path.write_text(
            render_lock(old._replace(digest=corpus_digest(root), entries=entries)), encoding="ascii"
        )
    load(root)  # raises where the corpus is none any more


def _doubts(root: Path, corpus: Corpus, made: Draft) -> Iterator[str]:
    vector, requirement = made.case.vector, corpus.requirements[made.case.vector.requirement]
    plain = next(one for one in made.document["vectors"] if one["id"] == vector.id)
    findings: list[LintError] = []
    known = Citable({requirement.id: msgspec.to_builtins(requirement)}, read_rulings(root, findings))
    yield from map(str, findings)
    yield from lint_vector(made.document, made.path.name, plain, known)
    if requirement.side is not None and requirement.side != side(vector):
        yield f"the requirement has vectors on its {requirement.side} side alone"
    key = question_key(made.case.spec, plain)
    for case in corpus.cases:
        if case.spec == made.case.spec and question_key(case.spec, msgspec.to_builtins(case.vector)) == key:
            yield f"asks the same as {case.vector.id}"
    if vector.class_ is not None and vector.class_ not in _classes(root):
        yield f"unknown class {vector.class_}"


def _classes(root: Path) -> Mapping[str, DifferenceClass]:
    return load_classes(root) if (root / "classes.json").is_file() else {}


def _tombstones(root: Path) -> set[str]:
    path = root / LOCK
    return set(read_lock(path).tombstones) if path.is_file() else set()


def _file_of(root: Path, corpus: Corpus, requirement: Requirement, vector: Vector) -> Path:
    spec = requirement.id.partition("-")[0]
    place = (spec, requirement.section)
    alike = [case for case in corpus.cases if case.file.endswith(MUTANTS) is (vector.origin == "mutant")]
    citing = {case.file for case in alike if case.vector.requirement == requirement.id}
    files = sorted(citing or {case.file for case in alike if (case.spec, case.section) == place})
    if len(files) != 1:
        which = f": {', '.join(files)}" if files else f" in section {requirement.section}"
        raise AddingError(f"{len(files)} files{which}; name one (--file)")
    return root / files[0]


def _with_vector(
    path: Path, requirement: Requirement, vector: Mapping[str, Any], order: list[str], title: str
) -> dict[str, Any]:
    """The document of a file with a vector more: behind the last whose requirement does not come later."""
    spec, _, _ = requirement.id.partition("-")
    if path.is_file():
        document: dict[str, Any] = json.loads(path.read_bytes())
    elif title:
        document = {
            "schema": "urlvectors-1",
            "spec": spec,
            "section": requirement.section,
            "title": title,
            "vectors": [],
        }
    else:
        raise AddingError(f"{path.name} is new and needs a title (--title)")
    rank = {name: number for number, name in enumerate(order)}
    own = rank[requirement.id]
    vectors = document["vectors"]
    same = [n for n, one in enumerate(vectors) if one["requirement"] == requirement.id]
    before = [n for n, one in enumerate(vectors) if rank.get(one["requirement"], own) < own]
    place = max(same or before, default=-1) + 1
    return {**document, "vectors": [*vectors[:place], dict(vector), *vectors[place:]]}


# -------------------- authoring.adopting: Witnesses of mutants made into vectors: each cites the production whose mutant it tells.


#: The section that collects the productions of each RFC, and what the ids of statements on them begin with.
_GRAMMAR: Mapping[str, str] = {
    "rfc1738": "5-bnf-",
    "rfc1808": "2.2-bnf-",
    "rfc2396": "A-",
    "rfc2732": "3-",
    "rfc3986": "A-",
}


#: The statement on the productions that an RFC takes over from another.
_REST = "rest"


_TITLE = "Texts that tell the productions from small mistakes in them"


class AdoptingError(ValueError):
    """A candidate of which no vector can be made; the message names it."""


def adopted(
    root: Path, corpus: Corpus, spec: str, candidates: Sequence[Mapping[str, Any]]
) -> tuple[Path, str, int]:
    """The file of an RFC with the candidates as vectors: its path, its text, and how many are new.

    A candidate is as `urlharness.adequacy.witnesses` makes them; what the corpus asks already is left out.
    Raises AdoptingError.
    """
    section = _GRAMMAR[spec].partition("-")[0]
    path = root / spec / f"{section}{MUTANTS}"
    head = {"schema": "urlvectors-1", "spec": spec, "section": section, "title": _TITLE}
    made: list[dict[str, Any]] = []
    if path.is_file():
        made = json.loads(path.read_bytes())["vectors"]
    before = len(made)
    taken = {case.vector.id for case in corpus.cases}
    if (root / LOCK).is_file():
        taken |= set(read_lock(root / LOCK).tombstones)
    asked = _questions(root, spec)
    for candidate in candidates:
        vector = _vector(corpus, spec, candidate)
        if question_key(spec, vector) in asked:
            continue
        requirement = corpus.requirements[vector["requirement"]]
        production = requirement.id.removeprefix(f"{spec}-{section}-").removeprefix("bnf-")
        vector["id"] = identifier(requirement, f"{MUTANT}{production}", taken)
        taken.add(vector["id"])
        made.append(vector)
    rank = {name: number for number, name in enumerate(corpus.requirements)}
    vectors = sorted(made, key=lambda vector: rank[vector["requirement"]])
    return path, canonical({**head, "vectors": vectors}), len(made) - before


def _vector(corpus: Corpus, spec: str, candidate: Mapping[str, Any]) -> dict[str, Any]:
    mutants = candidate["mutants"]
    requirement = _requirement(corpus, spec, mutants, candidate["rule"])
    fields = {name: candidate[name] for name in ("op", "rule", "url", "expect", "binding")}
    if "ruling" in candidate:
        fields["ruling"] = candidate["ruling"]
    changed, operator = mutants[0]
    more = f", and {len(mutants) - 1} more" if len(mutants) > 1 else ""
    comment = f"Shows a slip in {changed} ({operator}){more}."
    origin = {"origin": "mutant", "comment": comment}
    return {"requirement": requirement.id, "level": "grammar", **fields, **origin}


def _requirement(corpus: Corpus, spec: str, mutants: Sequence[Sequence[str]], rule: str) -> Requirement:
    """The statement on the first changed production that has one of its own, else on the rule of the text.

    Rules that rulings lay over the printed ones have none.
    """
    names = (*(changed for changed, _ in mutants), _REST, rule)
    for slug in (name.lower().replace("_", "-").replace("+", "plus") for name in names):
        found = corpus.requirements.get(f"{spec}-{_GRAMMAR[spec]}{slug}")
        if found is not None:
            return found
    unknown = ", ".join(sorted({rule, *(name for name, _ in mutants)}))
    raise AdoptingError(f"{spec}: no statement on any of {unknown}")


def _questions(root: Path, spec: str) -> set[str]:
    found = set()
    for path in (root / spec).glob("*.json"):
        for vector in json.loads(path.read_bytes())["vectors"]:
            found.add(question_key(spec, vector))
    return found
