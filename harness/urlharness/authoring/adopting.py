"""Witnesses of mutants made into vectors: each cites the production whose mutant it tells.

They stand in a file of their own, in the section that collects the productions of an RFC, and say
`"origin": "mutant"`: where operators are held out, vectors that were made of mutants are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from urlharness.authoring.adding import identifier
from urlharness.authoring.lock import read
from urlharness.corpus import Corpus, Requirement
from urlharness.documents import canonical
from urlharness.lint import MUTANT, MUTANTS
from urlharness.locked import question_key
from urlharness.release import LOCK

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
        taken |= set(read(root / LOCK).tombstones)
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
