"""Select cases by specification, section, rule, flag, origin, and words of the id."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from urlharness.corpus.compiled import CompiledCases
from urlharness.corpus.jsonl import CaseLines
from urlharness.corpus.model import FLAGS, Case, section_key
from urlharness.corpus.specifications import SPECS
from urlharness.wording import did_you_mean, first_names

#: Who made a vector: a person (`human`), or a program, to detect a mistake that other vectors overlook
#: (`mutant`). A program also makes twins, but their answers come from a person's vectors. Therefore `human`
#: includes twins, and `twin` selects only twins. The vectors of `derived` follow from vectors of another RFC
#: by a proof.
ORIGINS = ("human", "mutant", "twin", "derived")

#: The origins by which a vector can be selected, by its field `origin`.
_ORIGINS_OF = {
    None: frozenset(("human",)),
    "twin": frozenset(("human", "twin")),
    "mutant": frozenset(("mutant",)),
    "derived": frozenset(("derived",)),
}


class SelectionError(ValueError):
    """A selection names a specification, flag or origin that does not exist."""


@dataclass(frozen=True)
class Selection:
    """Conditions that a case must meet. An empty selection selects every case.

    The id of a case must contain all `words`. For each other field that is not empty, the case must match one
    of the values.
    """

    specs: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise SelectionError if a specification, flag or origin does not exist."""
        _check_names("specification", self.specs, SPECS)
        _check_names("flag", self.flags, FLAGS)
        _check_names("origin", self.origins, ORIGINS)

    def pick(self, cases: Sequence[Case]) -> Sequence[Case]:
        """Return the cases that meet all conditions, in their order."""
        if isinstance(cases, CaseLines):
            return cases if self == Selection() else cases.where(self._meets)
        candidates = cases
        if isinstance(cases, CompiledCases):
            candidates = cases.candidates(self.specs, self.words)
        return [case for case in candidates if self._meets(case)]

    def no_match_message(self, cases: Sequence[Case]) -> str:
        """Return the message that no case meets the conditions. It suggests names that exist in `cases`."""
        conditions = {
            "spec": self.specs,
            "section": self.sections,
            "rule": self.rules,
            "flag": self.flags,
            "origin": self.origins,
            "word": self.words,
        }
        clauses = []
        for kind, names in conditions.items():
            clauses += [f"{kind} {name}" for name in names]
        sentence = "no vector meets the selection"
        if clauses:
            sentence += f": {', '.join(clauses)}"
        return ". ".join([sentence, *self._hints(cases)])

    def _hints(self, cases: Sequence[Case]) -> Iterator[str]:
        """Yield a hint for each section or rule in the conditions that the selected RFCs do not contain."""
        if not self.sections and not self.rules:
            return
        in_specs = [case for case in cases if not self.specs or case.spec in self.specs]
        sections = sorted({case.section for case in in_specs}, key=section_key)
        chapters = dict.fromkeys(section.partition(".")[0] for section in sections)
        every_chapter = f"The sections are {first_names([*chapters], 10)}"
        for name in self.sections:
            if not any(is_within(section, name) for section in sections):
                yield did_you_mean(name, sections) or every_chapter
        rules = sorted({case.vector.rule for case in in_specs if case.vector.rule}, key=str.lower)
        every_rule = f"The rules are {first_names(rules, 10)}"
        lower_case_rules = {rule.lower() for rule in rules}
        for name in self.rules:
            if name.lower() not in lower_case_rules:
                yield did_you_mean(name, rules) or every_rule

    def meets_place(self, spec: str, section: str, rule: str | None) -> bool:
        """Return True if this place meets the conditions on specification, section and rule.

        Rule names are compared case-insensitively. `rule` is None if the question is about a whole URL.
        """
        if self.specs and spec not in self.specs:
            return False
        if self.sections and not any(is_within(section, chapter) for chapter in self.sections):
            return False
        return not self.rules or (rule or "").lower() in map(str.lower, self.rules)

    def _meets(self, case: Case) -> bool:
        """Return True if a case meets all conditions."""
        if not self.meets_place(case.spec, case.section, case.vector.rule):
            return False
        if not all(word in case.vector.id for word in self.words):
            return False
        if self.flags and set(self.flags).isdisjoint(case.flags):
            return False
        return not self.origins or not _origins(case).isdisjoint(self.origins)


def _check_names(kind: str, names: Iterable[str], existing: Collection[str]) -> None:
    """Raise SelectionError if one of the names is not among the existing ones, which it lists."""
    for name in names:
        if name not in existing:
            raise SelectionError(f"no {kind} named {name!r}; choose from {', '.join(existing)}")


def _origins(case: Case) -> frozenset[str]:
    """Return the origins by which a case can be selected."""
    return _ORIGINS_OF[case.vector.origin]


def spec_name(text: str) -> str:
    """Return the id of a specification for a usual spelling: `rfc3986` for `RFC 3986` or `3986`."""
    return "rfc" + text.lower().removeprefix("rfc").strip(" -")


def is_within(section: str, wanted: str) -> bool:
    """Return True if a section equals the wanted section or is one of its subsections."""
    return section == wanted or section.startswith(f"{wanted}.")
