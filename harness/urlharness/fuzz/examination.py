"""Examination of a text on which two adapters differ: it is made minimal, and its difference is named.

Minimising keeps a property of the text. With `fold`, it is the key of the cause: every text on the way shows
a difference with the same key, so a text with two differences never drifts from one to the other. The class
in this key is guessed from the form of the text, and the form can be an accident: a text with a backslash
need not differ because of it. So at the end, texts one edit away are tried that are simpler and belong to
another class. If one of them shows the same component and manner, the class did not matter, and this text is
made minimal instead.

Without `fold`, two versions of one library are compared. They differ in little, so any difference is kept.
Then one cause ends as few texts, wherever it first shows. But a delimiter that the text does not have could
show another cause, so characters are replaced by letters and digits only. At the end, other characters are
tried as well, while the text differs in the same component and manner. A text that ends a process, or takes
the full time limit, is replaced only by texts that end in the same way, and few are tried.

Answers are remembered, as the ways of all texts with one cause end at the same short texts. Only the two
adapters that differ are asked, until the text is minimal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from string import ascii_letters, digits
from typing import NamedTuple

from urlharness.corpus.loader import load_classes
from urlharness.corpus.specifications import Spec, facts
from urlharness.fuzz import FuzzOperation
from urlharness.fuzz.difference import (
    NO_SIDE,
    UNDIVIDED,
    UNDIVIDED_INVALID,
    UNLIKE,
    AnswerComparison,
    Difference,
    Divergence,
    cause_key,
    changed_values,
    class_of,
    first_words,
    likely_class,
    url_ending_with,
    with_quoted_change,
)
from urlharness.fuzz.findings import CampaignFinding, Effect, TextOrigin
from urlharness.fuzz.minimise import FirstWith, minimise, order
from urlharness.fuzz.panel import NOT_ASKED, ORACLE, SEPARATOR, AdapterAnswer, CampaignPanel, input_of
from urlharness.fuzz.rfc import cause_by_rfc, is_valid, judged_disagreement
from urlharness.panel.spelling import split
from urlharness.text import file_name

#: By outcome: the maximum number of texts that are tried to minimise a text with this outcome.
_DEADLY_TRIES = {"crash": 60, "timeout": 15}
#: The maximum number of answers that are remembered.
_MAX_REMEMBERED = 300_000
#: How often the class of a minimal text is found not to matter, before it is taken nevertheless.
_MAX_CLASSES = 8
_NEUTRAL = ("a", "0")


class Specimen(NamedTuple):
    """A minimal text, how the two adapters differ on it, its difference, and its class.

    The difference of two versions of one library has no class.
    """

    text: str
    divergence: Divergence
    difference: Difference
    class_: str | None


class Examiner:
    """Makes texts minimal on which adapters differ, and names their differences.

    If `keep_class`, a minimal text has the class of the first text, even if this class does not matter.
    """

    def __init__(self, panel: CampaignPanel, spec: Spec, *, fold: bool, keep_class: bool = False) -> None:
        self.panel = panel
        self.comparison = AnswerComparison(panel, fold=fold)
        self._spec = spec
        self._keep_class = keep_class
        self._memory: dict[tuple[str, str, int], AdapterAnswer] = {}

    def ask(
        self, operation: FuzzOperation, texts: Sequence[str], places: Collection[int]
    ) -> list[tuple[AdapterAnswer, ...]]:
        """Return the answers of the adapters at some places to each text. Ask what is not remembered.

        That an adapter ended, or was late, is not remembered, because it can end by chance.
        """
        if len(self._memory) > _MAX_REMEMBERED:
            self._memory.clear()
        rows = [[NOT_ASKED] * len(self.panel.names) for _ in texts]
        for position in places:
            answer_by_text = self._ask_adapter(operation, texts, position)
            for text, row in zip(texts, rows, strict=True):
                row[position] = answer_by_text[text]
        return [tuple(row) for row in rows]

    def _ask_adapter(
        self, operation: FuzzOperation, texts: Sequence[str], position: int
    ) -> dict[str, AdapterAnswer]:
        """Return the answer of one adapter to each text."""
        answer_by_text = {}
        unknown = []
        for text in texts:
            remembered = self._memory.get((operation, text, position))
            if remembered is None:
                unknown.append(text)
            else:
                answer_by_text[text] = remembered
        if unknown:
            rows = self.panel.ask(operation, unknown, (position,))
            for text, row in zip(unknown, rows, strict=True):
                answer_by_text[text] = row[position]
                if row[position].answer.kind != "none":
                    self._memory[operation, text, position] = row[position]
        return answer_by_text

    def likely_difference(self, operation: FuzzOperation, text: str, divergence: Divergence) -> Difference:
        """Return the difference in a text that is not minimal. No adapter is asked."""
        class_ = None
        if self._has_class(divergence):
            class_ = likely_class(operation, text, divergence.component)
        manner = self._manner(operation, text, divergence)
        return Difference(divergence.component, class_, manner)

    def _has_class(self, divergence: Divergence) -> bool:
        """Return True if the difference has a class: not for versions of one library, and not for an end."""
        return self.comparison.fold and not divergence.is_end

    def minimise(self, operation: FuzzOperation, text: str, divergence: Divergence) -> Specimen | None:
        """Make a text minimal. Return None if the adapters no longer differ: one was late only once."""
        confirmed = self._ask_divergence(operation, text, divergence)
        if confirmed is None:
            return None
        if confirmed.is_deadly:
            self.panel.check(operation, confirmed.places)
            tries = _DEADLY_TRIES[confirmed.component]
            least = minimise(text, self._finder_of_divergence(operation, confirmed), tries)
            return self._ask_specimen(operation, least, confirmed)
        if not self.comparison.fold:
            return self._minimise_for_versions(operation, text, confirmed)
        least = self._minimise_for_key(operation, text, confirmed)
        return self._ask_specimen(operation, least, confirmed)

    def _minimise_for_key(self, operation: FuzzOperation, text: str, divergence: Divergence) -> str:
        """Return a minimal text with the key of the text, or with that of a simpler one of another class."""
        least = text
        for _ in range(_MAX_CLASSES):
            key = cause_key(self.likely_difference(operation, least, divergence))
            least = minimise(least, self._finder_of_key(operation, divergence, key))
            if self._keep_class:
                break
            simpler = self._find_simpler(operation, least, divergence)
            if simpler is None:
                break
            least = simpler  # it is made minimal in the next round, but not after the last one
        return least

    def _minimise_for_versions(
        self, operation: FuzzOperation, text: str, divergence: Divergence
    ) -> Specimen | None:
        """Make a text minimal for two versions of one library.

        First, any difference is kept, and then the one that the short text shows.
        """
        short = minimise(text, self._finder_of_any_difference(operation, text, divergence))
        current = self._ask_divergence(operation, short, divergence)
        if current is None:
            return None
        least = minimise(short, self._finder_of_divergence(operation, current))
        return self._ask_specimen(operation, least, divergence)

    def minimise_in_component(
        self, operation: FuzzOperation, text: str, divergence: Divergence
    ) -> Specimen | None:
        """Make a text minimal, on which the adapters always differ in the component of the divergence.

        Return None if the adapters no longer differ when they are asked about it once more.
        """

        def first_with(texts: Sequence[str]) -> str | None:
            for candidate, current in self._ask_divergences(operation, texts, divergence):
                if current is not None and current.component == divergence.component:
                    return candidate
            return None

        return self._ask_specimen(operation, minimise(text, first_with), divergence)

    def _ask_specimen(self, operation: FuzzOperation, text: str, divergence: Divergence) -> Specimen | None:
        """Ask about a minimal text, and name the difference. Return None if the adapters no longer differ."""
        (answers,) = self.ask(operation, [text], divergence.places)
        current = self.comparison.divergence_between(text, answers, *divergence.places)
        if current is None:
            return None
        if current.is_deadly:  # no further text is asked, not even for the class
            difference = self.likely_difference(operation, text, current)
            return Specimen(text, current, difference, class_=None)
        class_ = self._class(operation, text, current)
        manner = self._manner(operation, text, current)
        class_of_difference = class_ if self._has_class(current) else None
        difference = Difference(current.component, class_of_difference, manner)
        if difference.class_ is None and manner == UNLIKE:
            change = changed_values(answers, current)
            difference = with_quoted_change(difference, change)
        return Specimen(text, current, difference, class_)

    def ask_finding(
        self, operation: FuzzOperation, specimen: Specimen, origin: TextOrigin
    ) -> CampaignFinding:
        """Ask all adapters about a minimal text, and return it as a finding."""
        names = self.panel.names
        difference = specimen.difference
        (answers,) = self.panel.ask(operation, [specimen.text])
        effect = self._make_effect(operation, specimen, answers)
        side = ""
        reason = ""
        place_of_side = specimen.divergence.side
        if place_of_side != NO_SIDE:
            side = names[place_of_side]
            if side != ORACLE:
                reason = first_words(answers[place_of_side].answer, specimen.text)
        return CampaignFinding(
            id=_identifier(operation, names, difference, specimen.class_),
            operation=operation,
            spec=self._spec,
            adapters=names,
            component=difference.component,
            input=effect.input,
            answers=effect.answers,
            origin=origin,
            side=side,
            class_=specimen.class_,
            cause=self._cause_by_rfc(operation, specimen, answers),
            section=_section(specimen.class_, operation, self._spec),
            severity=difference.component,
            change=changed_values(answers, specimen.divergence),
            reason=reason,
            fold=self.comparison.fold,
            manner=difference.manner,
            groups=effect.groups,
        )

    def ask_effect(self, operation: FuzzOperation, specimen: Specimen) -> Effect:
        """Ask all adapters about a minimal text, and return it as a further effect of a cause."""
        (answers,) = self.panel.ask(operation, [specimen.text])
        return self._make_effect(operation, specimen, answers)

    def _make_effect(
        self, operation: FuzzOperation, specimen: Specimen, answers: Sequence[AdapterAnswer]
    ) -> Effect:
        """Return a minimal text as an effect: which adapters agree on it, and what each group answers."""
        names = self.panel.names
        groups = []
        answer_by_name = {}  # of the first adapter of each group
        for positions in self.comparison.groups(answers):
            groups.append(tuple(names[position] for position in positions))
            first = positions[0]
            answer_by_name[names[first]] = answers[first].answer
        return Effect(
            component=specimen.difference.component,
            class_=specimen.class_,
            input=input_of(operation, specimen.text, self.panel.mode),
            answers=answer_by_name,
            groups=tuple(groups),
        )

    def _cause_by_rfc(
        self, operation: FuzzOperation, specimen: Specimen, answers: Sequence[AdapterAnswer]
    ) -> str:
        """Return how bad the RFC finds the disagreement of the two adapters."""
        replies = {}
        hellos = {}
        for position in specimen.divergence.places:
            name = self.panel.names[position]
            replies[name] = answers[position].reply
            hellos[name] = self.panel.hellos[position]
        judged = judged_disagreement(operation, self._spec, specimen.text, replies, hellos, self.panel.mode)
        return str(cause_by_rfc(judged))

    # ---- what is kept

    def _ask_divergence(
        self, operation: FuzzOperation, text: str, divergence: Divergence
    ) -> Divergence | None:
        """Ask about a text, and return how the two adapters of a divergence differ on it, or None."""
        ((_, current),) = self._ask_divergences(operation, [text], divergence)
        return current

    def _ask_divergences(
        self, operation: FuzzOperation, texts: Sequence[str], divergence: Divergence
    ) -> Iterator[tuple[str, Divergence | None]]:
        """Ask about texts. Yield each of them, and how the two adapters of a divergence differ on it.

        If they do not differ on a text, this is None.
        """
        places = divergence.places
        for text, answers in zip(texts, self.ask(operation, texts, places), strict=True):
            yield text, self.comparison.divergence_between(text, answers, *places)

    def _finder_of_any_difference(
        self, operation: FuzzOperation, text: str, divergence: Divergence
    ) -> FirstWith:
        """Return a function that finds any difference but a deadly one, in texts without new delimiters."""
        allowed = {*text, *ascii_letters, *digits}

        def first_with(texts: Sequence[str]) -> str | None:
            candidates = [candidate for candidate in texts if allowed.issuperset(candidate)]
            for candidate, current in self._ask_divergences(operation, candidates, divergence):
                if current is not None and not current.is_deadly:
                    return candidate
            return None

        return first_with

    def _finder_of_divergence(self, operation: FuzzOperation, divergence: Divergence) -> FirstWith:
        """Return a function that finds a text on which the adapters differ in exactly the same way."""

        def first_with(texts: Sequence[str]) -> str | None:
            for text, current in self._ask_divergences(operation, texts, divergence):
                if current == divergence:
                    return text
            return None

        return first_with

    def _finder_of_key(
        self, operation: FuzzOperation, divergence: Divergence, key: tuple[str, ...]
    ) -> FirstWith:
        """Return a function that finds a text whose difference seems to have the cause with a key."""

        def first_with(texts: Sequence[str]) -> str | None:
            for text, current in self._ask_divergences(operation, texts, divergence):
                if current is None or current.is_deadly:
                    continue
                if cause_key(self.likely_difference(operation, text, current)) == key:
                    return text
            return None

        return first_with

    def _find_simpler(self, operation: FuzzOperation, text: str, divergence: Divergence) -> str | None:
        """Find a simpler text of another class that shows the same component and manner, if there is one."""
        confirmed = self._ask_divergence(operation, text, divergence)
        if confirmed is None:
            return None
        difference = self.likely_difference(operation, text, confirmed)
        candidates = [candidate for candidate in _edited_texts(text) if order(candidate) < order(text)]
        for candidate, current in self._ask_divergences(operation, candidates, divergence):
            if current is None or current.is_deadly:
                continue
            simpler = self.likely_difference(operation, candidate, current)
            differs_in_class_only = replace(simpler, class_=difference.class_) == difference
            if differs_in_class_only and simpler.class_ != difference.class_:
                return candidate
        return None

    # ---- names

    def _manner(self, operation: FuzzOperation, text: str, divergence: Divergence) -> str:
        """Return the manner of a divergence, in which it counts whether an undivided text is valid."""
        if divergence.manner == UNDIVIDED and not is_valid(operation, self._spec, text):
            return UNDIVIDED_INVALID
        return divergence.manner

    def _class(self, operation: FuzzOperation, text: str, divergence: Divergence) -> str | None:
        """Return the class of the difference in a minimal text, or None.

        If a URL that ends with a relative reference still shows the difference, it does not matter that the
        scheme is missing, and the class of this URL is returned.
        """
        if operation != "resolve" and split(text)["scheme"] is None:
            urls = [url_ending_with(text), f"a:{text}"]
            for url, current in self._ask_divergences(operation, urls, divergence):
                if current is not None and current.component == divergence.component:
                    return class_of(operation, url, divergence.component)
        return class_of(operation, text, divergence.component)


def _edited_texts(text: str) -> list[str]:
    """Return the texts without one character, or with a neutral one in its place. A separator stays."""
    edits = []
    for at, character in enumerate(text):
        if character != SEPARATOR:
            before = text[:at]
            after = text[at + 1 :]
            edits.append(before + after)
            edits += [before + neutral + after for neutral in _NEUTRAL]
    return list(dict.fromkeys(edits))


def _identifier(
    operation: FuzzOperation, names: Sequence[str], difference: Difference, class_: str | None
) -> str:
    """Return the id of a finding: component and class of its minimal text, then a digest.

    The digest alone is the same for all texts of a cause, because a cause can have several components.
    """
    key = "\n".join((operation, *names, *cause_key(difference)))
    encoded_key = key.encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(encoded_key).hexdigest()[:8]
    class_name = class_ or "no-class"
    # the digest makes the name unique, so names of earlier findings need not be avoided
    return file_name(f"{operation}-{difference.component}-{class_name}-{digest}", {})


def _section(class_: str | None, operation: str, spec: Spec) -> str:
    """Return the section of the RFC on the class or else on the operation, or an empty text."""
    entry = load_classes().get(class_) if class_ is not None else None
    if entry is not None and entry.sections.get(spec):
        return entry.sections[spec][0]
    rfc_facts = facts(spec)
    if operation in ("parse", "validate"):
        return rfc_facts.parse_section
    return rfc_facts.sections.get(operation, "")
