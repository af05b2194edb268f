"""Which cases to run: by specification, section, rule, flag, and words of the id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from urlharness.corpus.jsonl import CaseLines
from urlharness.corpus.model import FLAGS, SPECS, Case

#: The generated tiers; the tier `core` is the corpus that is stored.
Tier = Literal["complete", "bytes", "k1", "resolution"]


class SelectionError(ValueError):
    """A selection that names something which does not exist."""


@dataclass(frozen=True)
class Selection:
    """The conditions that a case has to meet, all of them; an empty one is met by every case."""

    specs: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse specifications and flags that are not in the corpus."""
        for spec in self.specs:
            if spec not in SPECS:
                raise SelectionError(f"no specification named {spec!r}; there are {', '.join(SPECS)}")
        for flag in self.flags:
            if flag not in FLAGS:
                raise SelectionError(f"no flag named {flag!r}; there are {', '.join(FLAGS)}")

    def pick(self, cases: Sequence[Case]) -> Sequence[Case]:
        """The cases that meet every condition, in their order."""
        if isinstance(cases, CaseLines):
            return cases if self == Selection() else cases.where(self._meets)
        return [case for case in cases if self._meets(case)]

    def _meets(self, case: Case) -> bool:
        return (
            (not self.specs or case.spec in self.specs)
            and (not self.sections or any(within(case.section, wanted) for wanted in self.sections))
            and (not self.rules or _folded(case.vector.rule) in map(_folded, self.rules))
            and all(word in case.vector.id for word in self.words)
            and (not self.flags or not set(self.flags).isdisjoint(case.flags))
        )


def spec_name(text: str) -> str:
    """The identifier of a specification as users write it: rfc3986, RFC3986, 3986."""
    digits = text.lower().removeprefix("rfc").strip(" -")
    return f"rfc{digits}"


def within(section: str, wanted: str) -> bool:
    """True for the wanted section and those below it."""
    return section == wanted or section.startswith(f"{wanted}.")


def _folded(rule: str | None) -> str:
    return (rule or "").lower()
