"""New vectors: drafts with an id and a place in a file, and vectors for mutants that the corpus misses."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlauthor.documents import LintError, read_document
from urlauthor.lint.citations import read_rulings
from urlauthor.lint.vectors import MUTANT, MUTANTS, PAIRS, Citable, lint_vector
from urlauthor.stats import vector_side
from urlharness.bundle.folder import bundle_digest
from urlharness.corpus.differences import DifferenceClass
from urlharness.corpus.export import canonical_text
from urlharness.corpus.loader import LOCK, load, load_classes
from urlharness.corpus.lock import locked_vector, question_key, question_of, read_lock, render_lock
from urlharness.corpus.model import Case, Corpus, Requirement, Vector, VectorFile, derive_flags
from urlharness.corpus.specifications import facts
from urlharness.system.files import write_below

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

#: The end of the id of the requirement for all productions that an RFC takes over from another RFC.
_REST = "rest"
#: Maps the refused character of a witness to the class of difference.  If the character is not listed,
#: `_PRODUCTIONS` maps the changed production to the class.
_CHARACTERS: Mapping[str, str] = {
    **dict.fromkeys([*map(chr, range(0x20)), chr(0x7F)], "control-character"),
    **dict.fromkeys('{}|^`"<>', "unsafe-character"),
    " ": "white-space",
    "\\": "backslash",
    "#": "second-hash",
}
_PRODUCTIONS: Mapping[str, str] = {
    **dict.fromkeys(("ipv6address", "ipvfuture", "ip-literal", "ls32"), "ipv6-literal"),
    **dict.fromkeys(("dec-octet", "ipv4address"), "ipv4-range"),
    **dict.fromkeys(("toplabel", "domainlabel", "hostname", "host", "hostport"), "host-label"),
    **dict.fromkeys(("hex", "hexdig", "pct-encoded"), "bad-escape"),
    **dict.fromkeys(("userinfo", "user", "password"), "login-delimiter"),
    **dict.fromkeys(("group", "article", "grouppart"), "news-grouppart"),
    **dict.fromkeys(("fieldname", "fieldvalue", "ppath", "prosperourl"), "prospero-fields"),
    **dict.fromkeys(("waisdoc", "waisindex", "waisdatabase", "wtype", "wpath", "database"), "wais-parts"),
    **dict.fromkeys(("segment-nz-nc", "rel-segment", "path-noscheme"), "colon-in-segment"),
    **dict.fromkeys(("params", "param"), "params"),
    "hostnumber": "ipv4-forms",
    "port": "port-digits",
    **dict.fromkeys(("gopherurl", "selector"), "gopher-parts"),
    "ftptype": "ftp-type",
    "telneturl": "telnet-path",
    "net-loc": "netloc-end",
    "fragment": "fragment",
}

#: The names of files with generated texts end with this.  Only `--file` puts a new vector into such a file.
_LONG_TEXTS = "-scale.json"

_MUTANTS_TITLE = "Texts that tell the productions from small mistakes in them"


class AddError(ValueError):
    """The given fields do not form a vector; the message says why."""


class Draft(NamedTuple):
    """A vector that is not yet written: its case, and the path and new content of its file."""

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
    """Draft a vector with a new id for the corpus at `root`.  Raise AddError if the fields do not make one.

    `fields` are the fields of a vector, without `id`; level and binding have defaults.  The id consists of
    specification, section and `slug` (default: the slug of the requirement), and a number if the id is or
    was taken.  Without `file`, the vector is added to the only file with vectors of the requirement or, if
    the requirement has no vectors, to the only file of its section.  Witnesses of mutants have separate
    files.  A new file needs `file` and `title`.
    """
    requirement = corpus.requirements.get(str(fields.get("requirement")))
    if requirement is None:
        raise AddError(f"unknown requirement {fields.get('requirement')!r}")
    name = new_id(requirement, slug, used_ids(root, corpus))
    content = {"level": requirement.level, "binding": "required", **fields, "id": name}
    try:
        vector = msgspec.convert(content, Vector)
    except msgspec.ValidationError as error:
        raise AddError(str(error)) from None
    path = _named_file(root, requirement, file) if file else _only_file_of(root, corpus, requirement, vector)
    document = _with_vector(path, requirement, content, list(corpus.requirements), title)
    name_in_corpus = path.relative_to(root).as_posix()
    flags_of_classes = {class_id: entry.flags for class_id, entry in _classes(root).items()}
    flags = derive_flags(vector, flags_of_classes)
    case = Case(document["spec"], document["section"], vector, name_in_corpus, flags)
    return Draft(case, path, document)


def _named_file(root: Path, requirement: Requirement, file: str) -> Path:
    """Return the path of a file for a vector of a requirement.

    Raise AddError if it is not the name of a JSON file in the folder of the RFC.
    """
    spec = requirement.spec
    path = root / spec / file
    if path.suffix != ".json" or path.parent != root / spec:
        raise AddError(f"{file}: expected a file in folder {spec}, such as {requirement.section}-host.json")
    return path


def new_id(requirement: Requirement, slug: str, used: Collection[str]) -> str:
    """Return `SPEC-SECTION-SLUG`, followed by the first free number from 2 if that id is used.

    The default of `slug` is the slug of the requirement.  Raise AddError if it is not a slug.
    """
    prefix = f"{requirement.spec}-{requirement.section}-"
    end = slug or requirement.id.removeprefix(prefix).removeprefix("bnf-")
    if not _SLUG.fullmatch(end):
        raise AddError(f"{end!r} is not a slug: use lower-case letters and digits, joined by single hyphens")
    unnumbered = prefix + end
    name = unnumbered
    number = 1
    while name in used:
        number += 1
        name = f"{unnumbered}-{number}"
    return name


def lint_draft(root: Path, corpus: Corpus, draft: Draft) -> list[str]:
    """Return the lint errors in the draft, as messages."""
    errors: list[LintError] = []
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / draft.path.relative_to(root)
        copy.parent.mkdir(parents=True)
        copy.write_text(canonical_text(draft.document), encoding="ascii")
        read_document(copy, Path(scratch), VectorFile, errors)
    if errors:
        return [error.message for error in errors]
    return list(_lint_in_corpus(root, corpus, draft))


def write_draft(root: Path, draft: Draft) -> None:
    """Write the file of a draft.

    If there is a lock, update only its digests and the line of the vector.
    """
    write_below(root, draft.path.relative_to(root).as_posix(), canonical_text(draft.document))
    corpus = load(root)  # raises if the corpus is broken now
    path = root / LOCK
    if path.is_file():
        old = read_lock(path)
        entries = {**old.entries, draft.case.vector.id: locked_vector(draft.case)}
        new = old._replace(digest=corpus.digest, entries=entries, bundle=bundle_digest(corpus, old.version))
        write_below(root, LOCK, render_lock(new))


class WitnessFile(NamedTuple):
    """An RFC's file of witnesses: its path, its new text, and the number of vectors that are new in it."""

    path: Path
    text: str
    new_count: int


def adopt_witnesses(
    root: Path, corpus: Corpus, spec: str, candidates: Sequence[Mapping[str, Any]]
) -> WitnessFile:
    """Return an RFC's file of witnesses with the candidates added.  The file is not written.

    `candidates` come from `urlauthor.adequacy.analysis.candidate_vectors`.
    Questions that the corpus already asks are skipped.  Raise AddError if a candidate has no requirement.
    """
    section = facts(spec).grammar_section
    path = root / spec / f"{section}{MUTANTS}"
    old_vectors: list[dict[str, Any]] = []
    if path.is_file():
        old_vectors = json.loads(path.read_bytes())["vectors"]
    new_vectors = list(_new_witnesses(root, corpus, spec, candidates))
    rank = {name: number for number, name in enumerate(corpus.requirements)}
    vectors = sorted([*old_vectors, *new_vectors], key=lambda vector: rank[vector["requirement"]])
    head = {"schema": "urlvectors-1", "spec": spec, "section": section, "title": _MUTANTS_TITLE}
    return WitnessFile(path, canonical_text({**head, "vectors": vectors}), len(new_vectors))


def _new_witnesses(
    root: Path, corpus: Corpus, spec: str, candidates: Iterable[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield a vector with a new id for each candidate whose question the corpus does not ask."""
    section = facts(spec).grammar_section
    ids = used_ids(root, corpus)
    questions = {question_of(case) for case in corpus.cases if case.spec == spec}
    for candidate in candidates:
        requirement = _grammar_requirement(corpus, spec, candidate["mutants"], candidate["rule"])
        vector = _witness_fields(requirement, candidate)
        if question_key(spec, vector) in questions:
            continue
        production = requirement.id.removeprefix(f"{spec}-{section}-").removeprefix("bnf-")
        vector["id"] = new_id(requirement, f"{MUTANT}{production}", ids)
        ids.add(vector["id"])
        yield vector


def used_ids(root: Path, corpus: Corpus) -> set[str]:
    """Return the ids of all current and removed vectors.  None of them may be given to a new vector.

    Without a lock, no removed vector is known.
    """
    ids = {case.vector.id for case in corpus.cases}
    lock = root / LOCK
    if lock.is_file():
        ids |= read_lock(lock).tombstones.keys()
    return ids


def _classes(root: Path) -> Mapping[str, DifferenceClass]:
    """Return the classes of difference by id, none if the corpus has no table of them."""
    return load_classes(root) if (root / "classes.json").is_file() else {}


def _lint_in_corpus(root: Path, corpus: Corpus, draft: Draft) -> Iterator[str]:
    """Yield the errors of a draft as a vector of the corpus, such as a question that is already asked."""
    spec = draft.case.spec
    vector = draft.case.vector
    requirement = corpus.requirements[vector.requirement]
    errors: list[LintError] = []
    citable = Citable({requirement.id: requirement}, read_rulings(root, errors))
    yield from map(str, errors)
    yield from lint_vector(spec, draft.case.section, draft.path.name, vector, citable)
    if requirement.side is not None and requirement.side != vector_side(vector):
        yield f"the requirement allows only {requirement.side} vectors"
    question = question_of(draft.case)
    for case in corpus.cases:
        if case.spec == spec and question_of(case) == question:
            yield f"asks the same as {case.vector.id}"
    if vector.class_ is not None and vector.class_ not in _classes(root):
        yield f"unknown class {vector.class_}"


def _only_file_of(root: Path, corpus: Corpus, requirement: Requirement, vector: Vector) -> Path:
    """Return the file in which a vector belongs.

    It is the only file with vectors of the requirement that ask the same of the same rule, or else with
    vectors of the requirement, or else of its section.  Vectors of another origin do not count, nor do files
    with generated texts or with combined parts.  Raise AddError if there is no such file or more than one.
    """
    section = (requirement.spec, requirement.section)
    files_of_question = set()
    files_of_requirement = set()
    files_of_section = set()
    for case in corpus.cases:
        if case.vector.origin != vector.origin or case.file.endswith((_LONG_TEXTS, PAIRS)):
            continue
        if case.vector.requirement == requirement.id:
            files_of_requirement.add(case.file)
            if (case.vector.op, case.vector.rule) == (vector.op, vector.rule):
                files_of_question.add(case.file)
        if (case.spec, case.section) == section:
            files_of_section.add(case.file)
    files = sorted(files_of_question or files_of_requirement or files_of_section)
    if not files:
        raise AddError(f"found 0 possible files in section {requirement.section}; choose one (--file)")
    if len(files) > 1:
        raise AddError(f"found {len(files)} possible files: {', '.join(files)}; choose one (--file)")
    return root / files[0]


def _with_vector(
    path: Path, requirement: Requirement, vector: Mapping[str, Any], order: list[str], title: str
) -> dict[str, Any]:
    """Return the content of the file with the vector added, in the order of the requirements.

    `order` are the ids of all requirements.  A missing file begins with `title`; raise AddError if that is
    empty.
    """
    if path.is_file():
        document: dict[str, Any] = json.loads(path.read_bytes())
    elif title:
        document = {
            "schema": "urlvectors-1",
            "spec": requirement.spec,
            "section": requirement.section,
            "title": title,
            "vectors": [],
        }
    else:
        raise AddError(f"{path.name} is new and needs a title (--title)")
    vectors = document["vectors"]
    cited = [entry["requirement"] for entry in vectors]
    vectors.insert(_index_of_new(requirement.id, cited, order), dict(vector))
    return document


def _index_of_new(requirement: str, cited: Sequence[str], order: Sequence[str]) -> int:
    """Return the index at which a vector of a requirement goes into a file.

    It goes after the last vector of the same requirement or, without one, of an earlier requirement.  `cited`
    are the requirements of the vectors in the file, and `order` are all requirements.
    """
    earlier = order[: order.index(requirement)]
    index_after_same = 0
    index_after_earlier = 0
    for index, name in enumerate(cited, 1):
        if name == requirement:
            index_after_same = index
        elif name in earlier:
            index_after_earlier = index
    return index_after_same or index_after_earlier


def _witness_fields(requirement: Requirement, candidate: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a vector made from a candidate, without `id`."""
    vector = {"requirement": requirement.id, "level": "grammar", "origin": "mutant"}
    for name in ("op", "rule", "url", "expect", "binding", "ruling"):
        if name in candidate:  # `ruling` may be missing
            vector[name] = candidate[name]
    expect = candidate["expect"]
    class_ = witness_class(requirement.id, candidate["url"], expect.get("at"), expect.get("rules", ()))
    if class_ is not None:
        vector["class"] = class_
    (changed, operator), *further_mutants = candidate["mutants"]
    further = f", and {len(further_mutants)} more" if further_mutants else ""
    vector["comment"] = f"Shows a slip in {changed} ({operator}){further}."
    return vector


def witness_class(requirement: str, url: Any, at: int | None, rules: Iterable[str] = ()) -> str | None:
    """Return the class of difference of a witness, or None if it has none.

    `requirement` is the id of the statement about a production, `at` the offset of the refused character, and
    `rules` are the rules that are open there.
    """
    refused = url[at : at + 1] if isinstance(url, str) and at is not None else ""
    if not refused.isascii():
        return "non-ascii"
    production = re.sub(r"^[^-]*-[^-]*-(bnf-)?", "", requirement)  # without RFC and section
    if refused in ("[", "]") and _PRODUCTIONS.get(production) != "ipv6-literal":
        return "bracket"
    if refused in _CHARACTERS:
        return _CHARACTERS[refused]
    open_productions = [rule.lower().replace("_", "-") for rule in rules]
    for name in (production, *open_productions):
        if name in _PRODUCTIONS:
            return _PRODUCTIONS[name]
    return None


def _grammar_requirement(
    corpus: Corpus, spec: str, mutants: Sequence[Sequence[str]], rule: str
) -> Requirement:
    """Return the requirement for the first changed production that has one.

    If none has one, return the requirement for the rest of the productions (`_REST`) or else for `rule`.
    Rules that rulings add to a grammar have no requirement.  Raise AddError if there is none at all.
    """
    changed = [name for name, _ in mutants]
    for name in (*changed, _REST, rule):
        slug = name.lower().replace("_", "-").replace("+", "plus")
        requirement = corpus.requirements.get(f"{spec}-{facts(spec).grammar_ids}{slug}")
        if requirement is not None:
            return requirement
    unknown = ", ".join(sorted({rule, *changed}))
    raise AddError(f"{spec}: there is no requirement for any of the rules {unknown}")
