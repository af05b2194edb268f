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
has or demands after its colon; texts without a path; a colon after something that is no scheme. These keys
are wider still:

    an adapter decodes an escape of the text,    the class does not count, because libraries decode and escape
    or escapes a character of it                 by a table of characters
    the class is one of mappings                 only the class counts, because it says which characters a
                                                 library does not map as another does
    the schemes differ                           the class counts only as far as it says whether the text has
                                                 a scheme, or something that a library can take for one
    a component is absent                        all classes of characters are one, because what matters is
                                                 that a library ends or gives up a component at a character
    an adapter does not divide the authority     neither component nor class counts: the authority as a whole
                                                 is what the library could not read

A difference without a class says little of its cause. So if its values are unlike, the manner includes what
differs in the values of the minimal text; see `with_quoted_change`.

With `fold`, unlike libraries are compared: differences in spelling do not count, and neither do empty
components if a library cannot distinguish them from absent ones. Without `fold`, the adapters are versions of
one library, and every difference counts. They mostly differ in one thing, whatever the class of a text that
shows it. So their differences have no class, and the manner of a refusal has its words. Normal forms are
always compared as texts, because the spelling is the answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os.path import commonprefix
from typing import NamedTuple
from urllib.parse import unquote

from urlharness.compare.classes import class_of_text
from urlharness.corpus.model import AUTHORITY
from urlharness.explain.classify import CHARACTERS
from urlharness.explain.mapping_classes import MAPPING_CLASSES, class_of_mapping
from urlharness.fuzz import MAPPINGS
from urlharness.fuzz.panel import ENDS, AdapterAnswer, CampaignPanel, input_of
from urlharness.panel.answer import Answer, differing_components, parts_of, without_spelling
from urlharness.panel.severity import VERDICT, harm_rank
from urlharness.panel.spelling import split
from urlharness.protocol.messages import TELLS_EMPTY

#: Manners in which the values of a component differ.
ABSENT = "absent"
CASE = "case"
DECODED = "decoded"
ENCODED = "encoded"
UNLIKE = "unlike"
UNDIVIDED = "undivided"
#: The manner in which values differ if the authority that is not divided is that of an invalid text.
UNDIVIDED_INVALID = "undivided, invalid"

#: The manner in which an answer differs from a refusal. If only two adapters are compared, the name of the
#: one that refuses follows, because it is another cause if the other one refuses.
REFUSED = "refused"
#: The separator between a manner and the words that it quotes.
_QUOTES = ": "

_AUTHORITY = (*AUTHORITY, "authority")
#: The part of a URL to which a component belongs: the authority, or what follows it.
_PARTS = {
    **dict.fromkeys(_AUTHORITY, "authority"),
    **dict.fromkeys(("path", "query", "fragment"), "path"),
}
#: By class: what the class of a text says about its scheme. All other classes say that it has no valid one.
_SCHEMES = {
    **dict.fromkeys(("relative-reference", "empty-reference"), "no scheme"),
    **dict.fromkeys(
        (
            "scheme-characters",
            "unknown-scheme",
            "scheme-case",
            "empty-scheme-part",
            "same-scheme",
            "slash-count",
            "file-host",
        ),
        "a scheme",
    ),
}
#: Classes that count as another one.
_ALIKE = {
    "white-space": "control-character",
    **dict.fromkeys(
        (
            "scheme-characters",
            "empty-scheme-part",
            "gopher-parts",
            "mailto-address",
            "news-grouppart",
            "scheme-case",
        ),
        "unknown-scheme",
    ),
    **dict.fromkeys(("empty-reference", "query-only", "opaque-query"), "relative-reference"),
    "scheme-first-char": "colon-in-segment",
}

#: An escape, no matter how often its percent sign was encoded.
_ESCAPE = re.compile("%(?:25)*[0-9a-f]{2}")
_WORD = re.compile("[A-Za-z]+")
_NUMBER = re.compile("[0-9]+")

#: A word of a message, or an escape as a whole, so that its letters are not taken for a word.
_WORD_OF_MESSAGE = re.compile(r"(?<!\\)[A-Za-z]{2,}|\\(?:U.{8}|u.{4}|x..)")
#: The number of words of a message that count.
_WORDS = 4


#: The side of a divergence of which no adapter refused or ended.
NO_SIDE = -1


class Divergence(NamedTuple):
    """Two adapters whose answers to a text differ. `first` and `second` are their places in the panel.

    `component` is the most harmful component that differs, if possible by more than spelling, or `verdict` if
    only one adapter accepts the text. If an adapter ended without an answer, it is the outcome, such as
    `crash`. `side` is the place of the adapter that refused or ended, or NO_SIDE if a component differs.
    `manner` is that of the difference.
    """

    first: int
    second: int
    component: str
    side: int
    manner: str

    @property
    def places(self) -> tuple[int, int]:
        """The places of the two adapters in the panel."""
        return self.first, self.second

    @property
    def is_end(self) -> bool:
        """True if an adapter ended without an answer, or said that it has none."""
        return self.side != NO_SIDE and self.component != VERDICT

    @property
    def is_deadly(self) -> bool:
        """True if each text with this divergence ends a process or takes the full time limit."""
        return self.component in ENDS


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two answers to a text. The docstring of the module defines the three fields."""

    component: str
    class_: str | None
    manner: str


def cause_key(difference: Difference) -> tuple[str, ...]:
    """Return the key of the cause of a difference. Differences with equal keys are one finding."""
    part = _PARTS.get(difference.component, difference.component)
    class_ = difference.class_ or ""
    manner = difference.manner
    if manner in (UNDIVIDED, UNDIVIDED_INVALID):
        return (manner,)
    if class_ in MAPPING_CLASSES:
        return (class_,)
    if manner in (DECODED, ENCODED):
        return part, manner
    if part == "scheme":
        return part, _SCHEMES.get(class_, "no valid scheme"), manner
    if manner == ABSENT and class_ in CHARACTERS:
        return part, "character", manner
    return part, _ALIKE.get(class_, class_), manner


def with_quoted_change(difference: Difference, change: tuple[str, str]) -> Difference:
    """Return the difference of a minimal text with a manner that includes what differs in the values.

    `change` has the two values without their common beginning and end. Letters and digits in them stand for
    all words and numbers, blanks for all control characters. Outer slashes and the order of the two do not
    matter.
    """
    shapes = sorted(map(_shape, change))
    return replace(difference, manner=f"{difference.manner}{_QUOTES}{' / '.join(shapes)}")


def _shape(changed: str) -> str:
    """Return a text with words, numbers and control characters replaced by what stands for them."""
    printable = "".join(char if char.isprintable() else " " for char in changed)
    shape = _NUMBER.sub("0", _WORD.sub("a", printable))
    return shape.strip("/") or shape


class AnswerComparison:
    """Compares the answers of the adapters of a panel to one text.

    `answers` has one for each adapter, and places are indexes in it.
    """

    def __init__(self, panel: CampaignPanel, *, fold: bool) -> None:
        self.fold = fold
        self._names = panel.names
        self._tells_empty = [TELLS_EMPTY in hello.features for hello in panel.hellos]

    def groups(self, answers: Sequence[AdapterAnswer]) -> list[list[int]]:
        """Return the groups of adapters that agree on a text, as places. Leave out who was not asked.

        Agreement is not transitive: an adapter joins the first group whose first member agrees with it.
        """
        groups: list[list[int]] = []
        for position, answer in enumerate(answers):
            if answer.answer.kind == "not offered":
                continue
            agreeing = (group for group in groups if not self._differ(answers, group[0], position))
            group = next(agreeing, None)
            if group is None:
                groups.append([position])
            else:
                group.append(position)
        return groups

    def divergences(self, text: str, answers: Sequence[AdapterAnswer]) -> list[Divergence]:
        """Return how the answers of the largest group that accepts the text differ from all others.

        If no group accepts the text, take the largest group. Each adapter of the other groups is compared
        with the first one of this group, and each further one of this group with the first one of another.
        """
        groups = self.groups(answers)
        if len(groups) < 2:
            return []
        largest = max(groups, key=lambda group: (answers[group[0]].answer.accepts, len(group)))
        other_groups = [group for group in groups if group is not largest]
        outside = [position for group in other_groups for position in group]
        pairs = [(largest[0], position) for position in outside]
        pairs += [(outside[0], position) for position in largest[1:]]
        divergences = []
        for pair in pairs:
            divergence = self.divergence_between(text, answers, *sorted(pair))
            if divergence is not None:
                divergences.append(divergence)
        return divergences

    def divergence_between(
        self, text: str, answers: Sequence[AdapterAnswer], first: int, second: int
    ) -> Divergence | None:
        """Return how the answers of two adapters to a text differ, or None if nothing differs that counts."""
        if not self._differ(answers, first, second):
            return None
        left = answers[first].answer
        right = answers[second].answer
        if "none" in (left.kind, right.kind):
            side = first if left.kind == "none" else second
            return self._divergence_of_end(text, answers[side].answer, (first, second), side)
        component = self._component(answers, first, second)
        if component == VERDICT:
            side = second if left.accepts else first
            manner = self._manner_of_refusal(text, answers[side].answer, side)
            return Divergence(first, second, VERDICT, side, manner)
        if component in _AUTHORITY and _is_undivided(left) is not _is_undivided(right):
            return Divergence(first, second, "host", NO_SIDE, UNDIVIDED)
        return Divergence(first, second, component, NO_SIDE, _manner(text, left, right, component))

    def _divergence_of_end(self, text: str, answer: Answer, pair: tuple[int, int], side: int) -> Divergence:
        """Return the divergence of an adapter that ended. Its manner has the name, and the first words."""
        manner = f"{self._names[side]}{_QUOTES}{first_words(answer, text)}"
        return Divergence(*pair, answer.text, side, manner)

    def _manner_of_refusal(self, text: str, answer: Answer, side: int) -> str:
        """Return the manner in which an adapter refuses a text."""
        if len(self._names) > 2:
            return REFUSED
        manner = f"{REFUSED} by {self._names[side]}"
        return manner if self.fold else f"{manner}{_QUOTES}{first_words(answer, text)}"

    def _differ(self, answers: Sequence[AdapterAnswer], first: int, second: int) -> bool:
        """Return True if two adapters differ in a way that counts."""
        left = answers[first]
        right = answers[second]
        kinds = {left.answer.kind, right.answer.kind}
        if "not offered" in kinds:
            return False
        if "none" in kinds:
            return left.answer.kind != right.answer.kind or left.answer.text != right.answer.text
        if not differing_components(left.answer, right.answer):
            return False
        if _are_normal_forms(left, right):
            return left.answer not in right.also_admitted and right.answer not in left.also_admitted
        left_answer, right_answer = self._comparable(answers, first, second)
        if _is_one_of(right_answer, left.also_admitted) or _is_one_of(left_answer, right.also_admitted):
            return False
        if self.fold:
            left_folded = without_spelling(left_answer)
            right_folded = without_spelling(right_answer)
            if not differing_components(left_folded, right_folded):
                return False
        return bool(differing_components(left_answer, right_answer))

    def _component(self, answers: Sequence[AdapterAnswer], first: int, second: int) -> str:
        """Return the component of a divergence: the most harmful one that differs by more than spelling.

        With `fold`, it is the scheme if the schemes differ, because the other components follow from it.
        """
        if _are_normal_forms(answers[first], answers[second]):
            left = answers[first].answer
            right = answers[second].answer
        else:
            left, right = self._comparable(answers, first, second)
        beyond_spelling = differing_components(without_spelling(left), without_spelling(right))
        if self.fold and "scheme" in beyond_spelling:
            return "scheme"
        return min(sorted(beyond_spelling or differing_components(left, right)), key=harm_rank)

    def _comparable(self, answers: Sequence[AdapterAnswer], first: int, second: int) -> tuple[Answer, Answer]:
        """Return the answers of two adapters in a form in which they can be compared.

        Empty components become absent, unless both adapters claim to distinguish these. Without `fold`, they
        also stay as they are if neither adapter claims that.
        """
        left = answers[first].answer
        right = answers[second].answer
        both_tell = self._tells_empty[first] and self._tells_empty[second]
        neither_tells = not self._tells_empty[first] and not self._tells_empty[second]
        if both_tell or (neither_tells and not self.fold):
            return left, right
        return _without_empty(left), _without_empty(right)


def first_words(answer: Answer, text: str) -> str:
    """Return the first words of the message of an answer, at most four, joined by hyphens.

    Words that occur in the text are left out, because they say what was asked and not what is wrong.
    """
    words = []
    for word in _WORD_OF_MESSAGE.findall(answer.message):
        is_escape = word.startswith("\\")
        if not is_escape and word not in text:
            words.append(word)
    return "-".join(words[:_WORDS])


def changed_values(answers: Sequence[AdapterAnswer], divergence: Divergence) -> tuple[str, str]:
    """Return the two values of the component that differs, without their common beginning and end.

    An absent value is an empty text.
    """
    first_parts = parts_of(answers[divergence.first].answer)
    second_parts = parts_of(answers[divergence.second].answer)
    first = first_parts.get(divergence.component) or ""
    second = second_parts.get(divergence.component) or ""
    return _without_common_ends(first, second)


def _without_common_ends(first: str, second: str) -> tuple[str, str]:
    """Return two texts without their common beginning, and then without the common end of the rest."""
    start = len(commonprefix([first, second]))  # noqa: RUF071 - of texts
    first_rest = first[start:]
    second_rest = second[start:]
    end = len(commonprefix([first_rest[::-1], second_rest[::-1]]))  # noqa: RUF071 - of texts
    if end == 0:
        return first_rest, second_rest
    return first_rest[:-end], second_rest[:-end]


def _are_normal_forms(left: AdapterAnswer, right: AdapterAnswer) -> bool:
    """Return True if two answers are URLs whose spelling is the answer."""
    return left.exact and left.answer.kind == right.answer.kind == "url"


def _is_undivided(answer: Answer) -> bool:
    """Return True if an answer has an authority, but none of its parts."""
    parts = answer.components
    return bool(parts.get("authority")) and all(parts.get(name) is None for name in AUTHORITY)


def _is_one_of(answer: Answer, admitted_answers: Sequence[Answer]) -> bool:
    """Return True if an answer equals one that the oracle admits. Empty components count as absent."""
    answer_without_empty = _without_empty(answer)
    for admitted in admitted_answers:
        if not differing_components(_without_empty(admitted), answer_without_empty):
            return True
    return False


def _without_empty(answer: Answer) -> Answer:
    """Return an answer in which empty components are absent, except an empty path."""
    if answer.kind != "parsed":
        return answer
    components = {name: text if text or name == "path" else None for name, text in answer.components.items()}
    return Answer("parsed", components)


def _manner(text: str, left: Answer, right: Answer, component: str) -> str:
    """Return the manner in which the values of a component differ.

    Differences in spelling are looked at only if there is no other. If the values differ in escapes, the
    longer one has more of them. If the text has these, too, the adapter with the shorter value decoded them.
    Otherwise, the other adapter encoded something.
    """
    first, second = _values(without_spelling(left), without_spelling(right), component)
    if first == second:
        first, second = _values(left, right, component)
        if first is not None and second is not None and first.lower() == second.lower():
            return CASE
    if first is None or second is None:
        return ABSENT
    if _unquoted(first) != _unquoted(second):
        return UNLIKE
    shorter, longer = sorted((first, second), key=len)
    longer_escapes = _count_escapes(longer)
    text_escapes = _count_escapes(text)
    more_often = longer_escapes - _count_escapes(shorter)
    # all of them are counted, because the text may have the same escape elsewhere
    are_in_text = all(text_escapes[escape] >= longer_escapes[escape] for escape in more_often)
    return DECODED if are_in_text else ENCODED


def _count_escapes(text: str) -> Counter[str]:
    """Count the escapes of a text, in lower case."""
    return Counter(_ESCAPE.findall(text.lower()))


def _values(left: Answer, right: Answer, component: str) -> tuple[str | None, str | None]:
    """Return the values of a component in two answers."""
    return parts_of(left).get(component), parts_of(right).get(component)


def _unquoted(text: str) -> str:
    """Return a text without escapes, even if `%` was encoded, too."""
    unquoted = text
    while True:
        decoded = unquote(unquoted)
        if decoded == unquoted:
            return unquoted
        unquoted = decoded


# ---- classes


def url_ending_with(reference: str) -> str:
    """Return a URL that ends with a relative reference."""
    if reference.startswith("//"):
        return f"http:{reference}"
    if reference.startswith(("/", "?", "#")):
        return f"http://a{reference}"
    return f"http://a/{reference}"


def likely_class(operation: str, text: str, component: str) -> str | None:
    """Return the class of a difference in a component, as if it did not matter that a scheme is missing.

    A minimal text often has no scheme, which has nothing to do with the difference.
    """
    is_relative = operation not in ("resolve", *MAPPINGS) and split(text)["scheme"] is None
    url = url_ending_with(text) if is_relative else text
    return class_of(operation, url, component)


def class_of(operation: str, text: str, component: str) -> str | None:
    """Return the class to which `compare` assigns a difference in a component, or None."""
    if operation in MAPPINGS:
        # what is invalid has the class that it has in a URL
        return class_of_mapping(operation, text) or class_of_text(text, component)
    inputs = input_of(operation, text)
    if operation == "resolve":
        return class_of_text(inputs["reference"], component, inputs["base"])
    return class_of_text(text, component)
