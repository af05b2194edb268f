"""Findings: what a campaign records about a cause.

A finding only grows: its minimal text stays, and effects are added at the end. So the state of a finding
after a round is its number of effects then; see `cut_to`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

import msgspec

from urlharness.corpus.specifications import Spec, check_specs
from urlharness.fuzz import OPERATIONS, FuzzOperation
from urlharness.fuzz.difference import Difference, cause_key
from urlharness.fuzz.minimise import order
from urlharness.fuzz.panel import text_of
from urlharness.panel.answer import Answer
from urlharness.panel.severity import VERDICT, harm_rank

#: The maximum number of effects of a finding.
MOST_EFFECTS = 20
#: The id of a finding, which is also the name of its folder. `(?!\n)` is for Python, where `$` also matches
#: before a final \n.
FindingId = Annotated[
    str, msgspec.Meta(pattern=rf"^(?:{'|'.join(OPERATIONS)})-[A-Za-z0-9._-]+$(?!\n)", max_length=200)
]


def answer_in_words(answer: Answer) -> str:
    """Return an answer in one line, with its message."""
    message = f" ({answer.message})" if answer.message else ""
    return answer.in_words() + message


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """Another minimal input on which the same cause makes answers differ.

    Its component is another one, or it distinguishes other adapters.
    """

    component: str
    class_: str | None = msgspec.field(name="class")
    input: dict[str, str]
    answers: dict[str, Answer]
    groups: tuple[tuple[str, ...], ...] = ()

    @property
    def text(self) -> str:
        """The input as one text."""
        return text_of(self.input)


class TextOrigin(msgspec.Struct, frozen=True):
    """The text that first showed a finding, how mutations made this text, and the number of its shard."""

    input: dict[str, str]
    how: str = ""
    shard: int = -1


class CampaignFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A disagreement of adapters about a minimal input.

    `groups` are the adapters that agree, and `answers` has the answer of the first adapter of each group.
    `component` is the most harmful component that differs in the minimal input. `side` is the adapter that
    refuses this input or ends, or empty if a component differs. `class_` is the id of the class of
    difference, or None. `severity` is the most harmful component of all effects. `change` contains the two
    values of the component without their common beginning and end. `reason` contains the first words of a
    refusal. `fold` says how the answers were compared. `manner`, which is `how` in JSON, says how the values
    differ.
    """

    id: FindingId
    operation: FuzzOperation
    spec: Spec
    adapters: tuple[str, ...]
    component: str
    input: dict[str, str]
    answers: dict[str, Answer]
    origin: TextOrigin
    side: str = ""
    class_: str | None = msgspec.field(name="class", default=None)
    cause: str = ""
    section: str = ""
    severity: str = ""
    effects: tuple[Effect, ...] = ()
    change: tuple[str, str] = ("", "")
    reason: str = ""
    fold: bool = False
    manner: str = msgspec.field(name="how", default="")
    groups: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError if there is no such specification."""
        check_specs([self.spec])

    @property
    def text(self) -> str:
        """The minimal input as one text."""
        return text_of(self.input)

    @property
    def cause_key(self) -> tuple[str, ...]:
        """The operation and the key of the cause. Equal keys are one finding."""
        is_end = self.side and self.component != VERDICT
        class_ = self.class_ if self.fold and not is_end else None
        difference = Difference(self.component, class_, self.manner)
        return self.operation, *cause_key(difference)

    @property
    def components(self) -> set[str]:
        """The components in which the minimal input and those of the effects differ."""
        return {effect.component for effect in (self.main_effect, *self.effects)}

    @property
    def main_effect(self) -> Effect:
        """The effect in the component and class of the minimal input."""
        return Effect(self.component, self.class_, self.input, self.answers, self.groups)

    @property
    def worst_effect(self) -> Effect:
        """The effect in the most harmful component."""
        return min((self.main_effect, *self.effects), key=lambda effect: harm_rank(effect.component))

    def separates(self, first: str, second: str) -> bool:
        """Return True if two adapters differ on the minimal input, or on that of an effect.

        Also return True if only one of them has answered, so that the input does not show it.
        """
        if not {first, second}.issubset(self.adapters):
            return False
        if len(self.adapters) == 2:
            return True
        for effect in (self.main_effect, *self.effects):
            first_index = _group_index(first, effect.groups)
            second_index = _group_index(second, effect.groups)
            if first_index != second_index:
                return True
        return False


def _group_index(name: str, groups: Sequence[Collection[str]]) -> int | None:
    """Return the index of the group with an adapter, or None if the adapter has not answered."""
    return next((index for index, group in enumerate(groups) if name in group), None)


def damage_in_words(finding: CampaignFinding) -> str:
    """Return the reason why no campaign can have written a finding, or an empty text."""
    names = ["base", "reference"] if finding.operation == "resolve" else ["url"]
    inputs = [finding.input, finding.origin.input]
    inputs += [effect.input for effect in finding.effects]
    for texts in inputs:
        expected = set(names)
        if finding.operation == "normalize" and texts.get("mode") == "scheme":
            expected.add("mode")
        if texts.keys() != expected:
            return f"an input of {finding.operation} must have {' and '.join(names)} and nothing else"
    if len(finding.adapters) < 2:
        return "it names fewer than two adapters"
    unknown = finding.answers.keys() - set(finding.adapters)
    if unknown:
        return f"it has an answer of {min(unknown)!r}, which is not one of its adapters"
    return ""


def rank(finding: CampaignFinding) -> tuple[object, ...]:
    """Return a sort key: the most severe findings come first, and of equally severe ones the simplest."""
    return harm_rank(finding.severity), *order(finding.text), finding.id


class Changes(msgspec.Struct):
    """The changes of a register in a round.

    `effects` has the number of effects of each finding that is new or has grown, by its id. `counts` says how
    many texts of one kind were examined so far.
    """

    effects: dict[FindingId, Annotated[int, msgspec.Meta(ge=0, le=MOST_EFFECTS)]] = msgspec.field(
        default_factory=dict
    )
    counts: dict[str, Annotated[int, msgspec.Meta(ge=0, le=2**53)]] = msgspec.field(default_factory=dict)


def with_effect(finding: CampaignFinding, effect: Effect) -> CampaignFinding:
    """Return the finding with one more effect.

    Return the same object if the finding has the maximum number of effects, or the text of this one.
    """
    texts = {earlier.text for earlier in (finding.main_effect, *finding.effects)}
    if effect.text in texts or len(finding.effects) >= MOST_EFFECTS:
        return finding
    return _with_effects(finding, (*finding.effects, effect))


def cut_to(finding: CampaignFinding, effects: int) -> CampaignFinding:
    """Return the finding as it was when it had only this number of effects."""
    return _with_effects(finding, finding.effects[:effects])


def _with_effects(finding: CampaignFinding, effects: tuple[Effect, ...]) -> CampaignFinding:
    """Return the finding with exactly these effects, and with the severity that follows from them."""
    components = [finding.component, *(effect.component for effect in effects)]
    severity = min(components, key=harm_rank)
    return msgspec.structs.replace(finding, effects=effects, severity=severity)
