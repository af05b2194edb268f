"""Differences between two answers, and which differences have one cause.

A text on which adapters disagree shows a cause: something that one library does and another does not. A
campaign sees only answers, so a cause is defined by them. A difference is a frozen record with three fields:

    component   the most harmful component that differs; or that only one adapter accepts the text, or ended
    class       the class of difference to which `compare` assigns the text, or None
    manner      how the two values of the component differ, or which adapter refuses or ends

`cause_key` gives each difference a key. Differences with equal keys have one cause, and are one finding. The
key is a function of the difference alone. It does not depend on what was found before, or on the libraries
that differ, so a cause that many libraries share is one finding.

Most keys are the difference itself. But userinfo, host and port count as one component, and path, query and
fragment as another, because what one library does not put into one of them mostly stands in another. Some
classes count as one: controls and white space, which libraries remove, escape or refuse alike; what a scheme
has or demands after its colon; references without a path. And these keys are wider:

    an adapter decodes an escape of the text,    the class does not count, because libraries decode and escape
    or escapes a character of it                 by a table of characters
    the schemes differ                           the class counts only as far as it says whether the text has
                                                 a scheme, or something that a library can take for one
    an adapter does not divide the authority     neither component nor class counts: the authority as a whole
                                                 is what the library could not read

A difference without a class says little of its cause. So if its values are unlike, the manner includes what
differs in the values of the minimal text; see `quoting`.

With `fold`, unlike libraries are compared: differences in spelling do not count, and neither do empty
components if a library cannot tell them from absent ones. Without `fold`, the adapters are versions of one
library, and every difference counts. They mostly differ in one thing, whatever the class of a text that shows
it. So their differences have no class, and the manner of a refusal has its words. Normal forms are always
compared as texts, because the spelling is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import unquote

from urlharness.compare.answers import (
    AUTHORITY,
    VERDICT,
    LibraryAnswer,
    differing,
    folded,
    harm,
    parts_of,
    split,
)
from urlharness.compare.causes import class_of_text
from urlharness.fuzz.panel import ENDS, TELLS_EMPTY, Given, Panel, input_of

#: Manners in which the values of a component differ.
ABSENT, CASE, DECODED, ENCODED, UNLIKE, UNDIVIDED = (
    "absent",
    "case",
    "decoded",
    "encoded",
    "unlike",
    "undivided",
)
#: The manner in which values differ if the authority that is not divided is that of an invalid text.
UNDIVIDED_INVALID = "undivided, invalid"

#: The manner in which an answer differs from a refusal. If only two adapters are compared, the name of the
#: one that refuses follows, because it is another cause if the other one refuses.
REFUSED = "refused"
#: What stands between a manner and what it quotes.
_QUOTES = ": "

#: The place of each component: in the authority or after it.
_PLACE = {
    **dict.fromkeys((*AUTHORITY, "authority"), "authority"),
    **dict.fromkeys(("path", "query", "fragment"), "path"),
}
#: By class: what the class of a text says about its scheme. All other classes say that it has no valid one.
_SCHEMES = {
    **dict.fromkeys(("relative-reference", "empty-reference"), "no scheme"),
    **dict.fromkeys(
        ("unknown-scheme", "scheme-case", "empty-scheme-part", "same-scheme", "slash-count", "file-host"),
        "a scheme",
    ),
}
#: Classes that count as another one.
_ALIKE = {
    "white-space": "control-character",
    **dict.fromkeys(
        ("empty-scheme-part", "gopher-parts", "mailto-address", "news-grouppart", "scheme-case"),
        "unknown-scheme",
    ),
    **dict.fromkeys(("empty-reference", "query-only"), "relative-reference"),
}

_WORD = re.compile("[A-Za-z]+")
_NUMBER = re.compile("[0-9]+")

_WORD_OF_MESSAGE = re.compile(r"(?<!\\)[A-Za-z]{2,}|\\(?:U.{8}|u.{4}|x..)")
#: The number of words of a message that count.
_WORDS = 4


class Divergence(NamedTuple):
    """Two adapters whose answers to a text differ. `one` and `other` are their places in the panel.

    `component` is the most harmful component that differs, if possible by more than spelling, or `verdict` if
    only one adapter accepts the text. If an adapter ended without an answer, it is the outcome, such as
    `crash`. `side` is the place of the adapter that refused or ended, or -1 if a component differs. `manner`
    is that of the difference.
    """

    one: int
    other: int
    component: str
    side: int
    manner: str

    @property
    def places(self) -> tuple[int, int]:
        """The places of the two adapters in the panel."""
        return self.one, self.other

    @property
    def is_end(self) -> bool:
        """True if an adapter ended without an answer, or said that it has none."""
        return self.side >= 0 and self.component != VERDICT

    @property
    def is_deadly(self) -> bool:
        """True if each text with this divergence ends a process or takes the full time limit."""
        return self.component in ENDS


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two answers to a text; see the module."""

    component: str
    class_: str | None
    manner: str


def cause_key(difference: Difference) -> tuple[str, ...]:
    """Return the key of the cause of a difference. Differences with equal keys are one finding."""
    place = _PLACE.get(difference.component, difference.component)
    class_ = difference.class_ or ""
    manner = difference.manner
    if manner in (UNDIVIDED, UNDIVIDED_INVALID):
        return (manner,)
    if manner in (DECODED, ENCODED):
        return place, manner
    if place == "scheme":
        return place, _SCHEMES.get(class_, "no valid scheme"), manner
    return place, _ALIKE.get(class_, class_), manner


def quoting(difference: Difference, change: tuple[str, str]) -> Difference:
    """Return the difference of a minimal text with a manner that includes what differs in the values.

    `change` has the two values without their common beginning and end. Letters and digits in them stand for
    all words and numbers, blanks for all control characters. Outer slashes and the order of the two do not
    matter.
    """
    shapes = sorted(_shape(value) for value in change)
    return replace(difference, manner=f"{difference.manner}{_QUOTES}{' / '.join(shapes)}")


def _shape(value: str) -> str:
    value = "".join(char if char.isprintable() else " " for char in value)
    value = _NUMBER.sub("0", _WORD.sub("a", value))
    return value.strip("/") or value


class Comparison:
    """Compares the answers of the adapters of a panel to one text."""

    def __init__(self, panel: Panel, *, fold: bool) -> None:
        self.fold = fold
        self._names = panel.names
        self._tells_empty = [TELLS_EMPTY in hello.features for hello in panel.hellos]

    def groups(self, given: Sequence[Given]) -> list[list[int]]:
        """Return the groups of adapters that agree on a text, as places. Leave out who was not asked."""
        groups: list[list[int]] = []
        for place, answer in enumerate(given):
            if answer.answer.kind == "not offered":
                continue
            for group in groups:
                if not self._differ(given, group[0], place):
                    group.append(place)
                    break
            else:
                groups.append([place])
        return groups

    def divergences(self, text: str, given: Sequence[Given]) -> list[Divergence]:
        """Return how the answers of the largest group that accepts the text differ from all others.

        If no group accepts the text, take the largest group. Each adapter of the other groups is compared
        with the first one of this group, and each further one of this group with the first one of another.
        """
        groups = self.groups(given)
        if len(groups) < 2:
            return []
        largest = max(groups, key=lambda group: (given[group[0]].answer.accepts, len(group)))
        others = [place for group in groups if group is not largest for place in group]
        pairs = [(largest[0], place) for place in others]
        pairs += [(others[0], place) for place in largest[1:]]
        divergences = (self.between(text, given, *sorted(pair)) for pair in pairs)
        return [divergence for divergence in divergences if divergence is not None]

    def between(self, text: str, given: Sequence[Given], one: int, other: int) -> Divergence | None:
        """Return how the answers of two adapters to a text differ, or None if nothing differs that counts."""
        if not self._differ(given, one, other):
            return None
        first, second = given[one].answer, given[other].answer
        if "none" in (first.kind, second.kind):
            side = one if first.kind == "none" else other
            words = reason(given[side].answer, text)
            manner = f"{self._names[side]}{_QUOTES}{words}"
            return Divergence(one, other, given[side].answer.text, side, manner)
        component = self._component(given, one, other)
        if component == VERDICT:
            side = other if first.accepts else one
            return Divergence(one, other, component, side, self._refusal(text, given[side].answer, side))
        if component in (*AUTHORITY, "authority") and _is_undivided(first) is not _is_undivided(second):
            return Divergence(one, other, "host", -1, UNDIVIDED)
        return Divergence(one, other, component, -1, _manner(text, first, second, component))

    def _refusal(self, text: str, answer: LibraryAnswer, place: int) -> str:
        if len(self._names) > 2:
            return REFUSED
        manner = f"{REFUSED} by {self._names[place]}"
        return manner if self.fold else f"{manner}{_QUOTES}{reason(answer, text)}"

    def _differ(self, given: Sequence[Given], one: int, other: int) -> bool:
        """Return whether two adapters differ in a way that counts."""
        left, right = given[one], given[other]
        kinds = {left.answer.kind, right.answer.kind}
        if "not offered" in kinds:
            return False
        if "none" in kinds:
            return left.answer.kind != right.answer.kind or left.answer.text != right.answer.text
        if not differing(left.answer, right.answer):
            return False
        if _are_normal_forms(left, right):
            return left.answer not in right.others and right.answer not in left.others
        first, second = self._comparable(given, one, other)
        if _is_admitted(second, left.others) or _is_admitted(first, right.others):
            return False
        if self.fold and not differing(folded(first), folded(second)):
            return False
        return bool(differing(first, second))

    def _component(self, given: Sequence[Given], one: int, other: int) -> str:
        """Return the component of a divergence: the most harmful one that differs by more than spelling.

        With `fold`, it is the scheme if the schemes differ, because the other components follow from it.
        """
        left, right = given[one], given[other]
        first, second = self._comparable(given, one, other)
        if _are_normal_forms(left, right):
            first, second = left.answer, right.answer
        components = differing(first, second)
        beyond_spelling = differing(folded(first), folded(second))
        if self.fold and "scheme" in beyond_spelling:
            return "scheme"
        return min(sorted(beyond_spelling or components), key=harm)

    def _comparable(
        self, given: Sequence[Given], one: int, other: int
    ) -> tuple[LibraryAnswer, LibraryAnswer]:
        """Return the answers of two adapters in a form in which they can be compared.

        Empty components become absent, unless both adapters claim to tell these apart. Without `fold`, they
        also stay as they are if neither adapter claims that.
        """
        first, second = given[one].answer, given[other].answer
        claims = self._tells_empty[one], self._tells_empty[other]
        if claims[0] is claims[1] and (claims[0] or not self.fold):
            return first, second
        return _without_empty(first), _without_empty(second)


def reason(answer: LibraryAnswer, text: str) -> str:
    """Return the first words of the message of an answer, except words that occur in the text."""
    words = [
        word
        for word in _WORD_OF_MESSAGE.findall(answer.message)
        if word not in text and not word.startswith("\\")
    ]
    return "-".join(words[:_WORDS])


def change(given: Sequence[Given], divergence: Divergence) -> tuple[str, str]:
    """Return the two values of the component that differs, without their common beginning and end.

    An absent value is an empty text.
    """
    first, second = (
        parts_of(given[place].answer).get(divergence.component) or "" for place in divergence.places
    )
    return _change(first, second)


def _change(first: str, second: str) -> tuple[str, str]:
    start = _common_length(first, second)
    first, second = first[start:], second[start:]
    end = _common_length(first[::-1], second[::-1])
    return first[: len(first) - end], second[: len(second) - end]


def _common_length(first: str, second: str) -> int:
    """Return the length of the common beginning of two texts."""
    length = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        length += 1
    return length


def _are_normal_forms(left: Given, right: Given) -> bool:
    return left.exact and left.answer.kind == right.answer.kind == "url"


def _is_undivided(answer: LibraryAnswer) -> bool:
    """Return whether an answer has an authority, but none of its parts."""
    parts = answer.components
    return bool(parts.get("authority")) and all(parts.get(name) is None for name in AUTHORITY)


def _is_admitted(answer: LibraryAnswer, others: Sequence[LibraryAnswer]) -> bool:
    return any(not differing(_without_empty(other), _without_empty(answer)) for other in others)


def _without_empty(answer: LibraryAnswer) -> LibraryAnswer:
    """Return an answer in which empty components are absent, except an empty path."""
    if answer.kind != "parsed":
        return answer
    parts = {name: value if value or name == "path" else None for name, value in answer.components.items()}
    return LibraryAnswer("parsed", parts)


def _manner(text: str, one: LibraryAnswer, other: LibraryAnswer, component: str) -> str:
    """Return the manner in which the values of a component differ.

    Differences in spelling are looked at only if there is no other.
    """
    first, second = (parts_of(folded(answer)).get(component) for answer in (one, other))
    if first == second:
        first, second = (parts_of(answer).get(component) for answer in (one, other))
        if first is not None and second is not None and first.lower() == second.lower():
            return CASE
    if first is None or second is None:
        return ABSENT
    if _unquoted(first) != _unquoted(second):
        return UNLIKE
    escape = max(_change(first, second), key=len).lower()
    return DECODED if escape.startswith("%") and escape in text.lower() else ENCODED


def _unquoted(value: str) -> str:
    """Return a value without escapes, even if `%` was encoded, too."""
    while (decoded := unquote(value)) != value:
        value = decoded
    return value


# ---- classes


def whole(text: str) -> str:
    """Return a URL that ends with the relative reference."""
    if text.startswith("//"):
        return f"http:{text}"
    return f"http://a{text}" if text[:1] in ("/", "?", "#") else f"http://a/{text}"


def likely_class(operation: str, text: str, component: str) -> str | None:
    """Return the class of a difference in a component, as if it did not matter that a scheme is missing.

    A minimal text often has no scheme, which has nothing to do with the difference.
    """
    if operation != "resolve" and split(text)["scheme"] is None:
        text = whole(text)
    return class_of(operation, text, component)


def class_of(operation: str, text: str, component: str) -> str | None:
    """Return the class to which `compare` assigns a difference in a component, or None."""
    inputs = input_of(operation, text)
    if operation == "resolve":
        return class_of_text(inputs["reference"], component, inputs["base"])
    return class_of_text(text, component)
