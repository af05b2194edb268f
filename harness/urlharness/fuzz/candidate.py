"""A candidate for a vector: the question of a finding, and the statements of the RFC that may decide it.

The oracle does not label its own exam: its answer is only a proposal. The author of the vector must confirm
it from the text of the RFC.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import msgspec

from urlharness.corpus.loader import load
from urlharness.corpus.model import Case, Corpus, Mode, Requirement
from urlharness.corpus.specifications import facts
from urlharness.fuzz import FuzzError
from urlharness.fuzz.findings import CampaignFinding
from urlharness.fuzz.rfc import oracle_expectation
from urlharness.shell import join

#: The maximum number of proposed statements.
_MAX_STATEMENTS = 5
#: Files with these ends have their own kind of vectors: combined vectors, and generated texts.
_SPECIAL_FILES = ("-combined.json", "-scale.json")


class CandidateError(FuzzError):
    """A finding cannot become a vector. The message says why."""


def make_candidate(finding: CampaignFinding) -> dict[str, Any]:
    """Return a candidate as JSON data: the fields of the vector, the proposed answer, and the statements.

    `command` is the command line that adds the vector. The author of the vector replaces the word ANSWER in
    it. Raise CandidateError if the RFC has no answer to the question, or if no statement fits.
    """
    mode: Mode = "scheme" if finding.input.get("mode") == "scheme" else "syntax"
    proposed = oracle_expectation(finding.operation, finding.spec, finding.text, mode)
    if proposed is None:
        raise CandidateError(f"{finding.spec} has no answer to {finding.operation}")
    corpus = load()
    statements = _deciding_requirements(corpus, finding)
    if not statements:
        raise CandidateError(f"{finding.spec} has no statement for {finding.class_ or finding.section}")
    requirement = statements[0]
    fields: dict[str, Any] = {"requirement": requirement.id, "op": finding.operation, **finding.input}
    if finding.class_ is not None:
        fields["class"] = finding.class_
    if finding.operation == "validate":
        fields["rule"] = facts(finding.spec).default_rule
    file = _file_with_like_vectors(corpus, requirement, finding)
    return {
        "fields": fields,
        "proposed": msgspec.to_builtins(proposed),
        "confirmed": False,
        "statements": list(map(_statement_fields, statements)),
        "command": _command(fields, file),
        "finding": msgspec.to_builtins(finding.answers),
    }


def _command(fields: Mapping[str, str], file: str) -> str:
    """Return the command line that adds a vector with these fields, to a file if its name is not empty."""
    words = ["urlconform", "vectors", "add"]
    for name, text in fields.items():
        words += [f"--{name}", text]
    if file:
        words += ["--file", file]
    return f"{join(words)} --expect ANSWER"


def _statement_fields(requirement: Requirement) -> dict[str, Any]:
    """Return what a candidate says about a statement that may decide the question."""
    return {
        "requirement": requirement.id,
        "section": requirement.section,
        "paragraph": requirement.paragraph,
        "statement": requirement.statement,
    }


def _file_with_like_vectors(corpus: Corpus, requirement: Requirement, finding: CampaignFinding) -> str:
    """Return the name of a file with vectors like that of the finding, or an empty text.

    The file is one of the section. The requirement counts more than the class, and the class more than the
    operation.
    """

    def may_get_vector(case: Case) -> bool:
        """Return True if the file of a case is one of the section, and not of a special kind."""
        if case.spec != finding.spec or case.section != requirement.section:
            return False
        return case.vector.origin is None and not case.file.endswith(_SPECIAL_FILES)

    def likeness(case: Case) -> tuple[bool, bool, bool]:
        """Return a key that is greatest for the vector that is most like the finding."""
        vector = case.vector
        return (
            vector.requirement == requirement.id,
            vector.class_ == finding.class_,
            vector.op == finding.operation,
        )

    cases = filter(may_get_vector, corpus.cases)
    most_like = max(cases, key=likeness, default=None)
    return "" if most_like is None else PurePosixPath(most_like.file).name


def _deciding_requirements(corpus: Corpus, finding: CampaignFinding) -> list[Requirement]:
    """Return the requirements whose statements may decide a finding, the most likely ones first.

    First come the requirements of vectors with the class and operation of the finding, then those of vectors
    with its class and another operation, then those of its section.
    """
    same_operation: list[str] = []
    same_class: list[str] = []
    for case in corpus.cases:
        vector = case.vector
        if case.spec == finding.spec and finding.class_ is not None and vector.class_ == finding.class_:
            names = same_operation if vector.op == finding.operation else same_class
            names.append(vector.requirement)
    section = (finding.spec, finding.section)
    requirements = corpus.requirements.values()
    same_section = [entry.id for entry in requirements if (entry.spec, entry.section) == section]
    all_names = dict.fromkeys([*same_operation, *same_class, *same_section])
    deciding = [corpus.requirements[name] for name in all_names if name in corpus.requirements]
    return deciding[:_MAX_STATEMENTS]
