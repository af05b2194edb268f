"""Select cases by specification, section, rule, flag, and words of the id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from urlharness.corpus.jsonl import CaseLines
from urlharness.corpus.model import FLAGS, SPECS, Case


class SelectionError(ValueError):
    """A selection names a specification or flag that does not exist."""


@dataclass(frozen=True)
class Selection:
    """Conditions that a case must meet; an empty selection selects every case."""

    specs: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise SelectionError if a specification or a flag is unknown."""
        for kind, names, known in (("specification", self.specs, SPECS), ("flag", self.flags, FLAGS)):
            for name in names:
                if name not in known:
                    raise SelectionError(f"no {kind} named {name!r}; there are {', '.join(known)}")

    def pick(self, cases: Sequence[Case]) -> Sequence[Case]:
        """Return the cases that meet all conditions, in their order."""
        if isinstance(cases, CaseLines):
            return cases if self == Selection() else cases.where(self._meets)
        return [case for case in cases if self._meets(case)]

    def meets_place(self, spec: str, section: str, rule: str | None) -> bool:
        """Return True if the conditions on specification, section and rule are met."""
        return (
            (not self.specs or spec in self.specs)
            and (not self.sections or any(within(section, wanted) for wanted in self.sections))
            and (not self.rules or (rule or "").lower() in map(str.lower, self.rules))
        )

    def _meets(self, case: Case) -> bool:
        return (
            self.meets_place(case.spec, case.section, case.vector.rule)
            and all(word in case.vector.id for word in self.words)
            and (not self.flags or not set(self.flags).isdisjoint(case.flags))
        )


def spec_name(text: str) -> str:
    """Return the id of a specification from a usual spelling: `RFC3986` or `3986` for `rfc3986`."""
    return "rfc" + text.lower().removeprefix("rfc").strip(" -")


def within(section: str, wanted: str) -> bool:
    """Return True if a section equals the wanted section or is one of its subsections."""
    return section == wanted or section.startswith(f"{wanted}.")
