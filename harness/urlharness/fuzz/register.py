"""The register of findings: one for each cause of a disagreement.

Each finding is minimal, named, and judged in the way of `compare`.

A known finding explains a disagreement if the text matches a pattern of the finding, and if every small edit
that removes the pattern also removes the disagreement. All other disagreements are minimised. The result is a
new finding, unless a known finding has the same signature. Known findings that the new one explains are
joined with it.

With `fold`, unlike libraries are compared. The signature is the class of difference, the component, and how
the answers differ in it. A text is minimised while the signature holds, and only findings of one class are
joined. If a class does not matter, because a simpler text without it shows the same difference, the class of
the simpler text is taken.

Without `fold`, two versions of one library are compared. They mostly differ in one thing only, so more
disagreements are taken to have the same cause, whatever their class: those with the same change of a value,
or the same reason for a refusal.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from urlharness.compare.answers import AUTHORITY, VERDICT, parts_of, split
from urlharness.compare.causes import Cause, class_of_text
from urlharness.corpus.loader import load_classes
from urlharness.corpus.specifications import Spec, facts
from urlharness.explain.classify import CHARACTERS
from urlharness.fuzz import FuzzOperation, patterns
from urlharness.fuzz.feedback import reason
from urlharness.fuzz.findings import (
    MOST_EFFECTS,
    CampaignFinding,
    Changes,
    Effect,
    GivenAnswer,
    TextOrigin,
    joined,
    with_effects,
)
from urlharness.fuzz.judging import disagreement, is_valid
from urlharness.fuzz.minimise import TRIES, Test, minimise, order, shorten
from urlharness.fuzz.panel import ENDS, ORACLE, Given, Kind, Panel, input_of
from urlharness.text import file_name

#: The maximum number of edits, one after the other, to remove all known patterns from a text.
_EDITS = 8
#: If a finding has explained this many texts in a row that differ in one component, it is taken to explain
#: all further ones.
_PATIENCE = 40
#: If an adapter gives fewer different reasons for its refusals, one reason may stand for several causes.
_REASONS = 3
#: By outcome: the maximum number of texts that are tried to minimise a text with this outcome.
_DEADLY = dict(zip(ENDS, (60, 15), strict=True))
#: Relations that are the same but for the order of the two adapters.
_UNDIRECTED = {"present": "absent", "decoded": "encoded"}
#: How values differ by escapes alone.
_ESCAPES = ("encoded", "decoded")
#: How values differ if neither the component nor the class matters.
_ALONE = (*_ESCAPES, "undivided")
#: Components that count as one.
_PLACE = {
    **dict.fromkeys((*AUTHORITY, "authority"), "authority"),
    **dict.fromkeys(("path", "query", "fragment"), "path"),
}
#: With `fold`, at most this number of texts is examined that differ in one way, are of one class, and leave
#: the language at one place.
_ALIKE = 3


class Listener(Protocol):
    """A receiver of the changes in a register."""

    def put(self, finding: CampaignFinding) -> None:
        """Receive a finding that is new or changed."""

    def drop(self, finding: CampaignFinding) -> None:
        """Forget a finding that a simpler one explains."""


class Register:
    """The findings of a panel.

    Findings with an id in `known` always stay. No other finding replaces them. If `keep_class`, a minimal
    text has the class of the original difference, even if this class does not matter.
    """

    def __init__(
        self,
        panel: Panel,
        spec: Spec,
        findings: Iterable[CampaignFinding],
        listener: Listener | None = None,
        known: Collection[str] = (),
        *,
        keep_class: bool = False,
    ) -> None:
        self.keep_class = keep_class
        self._panel, self._spec, self._listener, self._known = panel, spec, listener, known
        self.findings: dict[str, CampaignFinding] = {one.id: one for one in findings}
        self._counts: dict[str, int] = defaultdict(int)
        #: By adapter: the different reasons for its refusals.
        self.reasons: dict[str, set[str]] = {}
        self._changes = Changes()

    def add(self, operation: FuzzOperation, text: str, kind: Kind, place: int, origin: TextOrigin) -> None:
        """Examine a disagreement about a text, unless a finding is taken to explain it.

        A finding is taken to explain it if one of its patterns matches the text and, in addition, an earlier
        such text left the language at the same `place`, or the finding has explained too many in a row; or if
        too many texts like this one were examined.
        """
        found = self.matching(text, operation, kind)
        here = " ".join(map(str, (operation, *kind, place)))
        explained = f"{found.id} {kind.component}" if found is not None else ""
        if found is not None:
            if self._counts[here] or self._counts[explained] >= _PATIENCE:
                return
            self._count(here, 1)
            self._count(explained, self._counts[explained] + 1)
        examination = _Examination(self, operation, kind)
        if found is None and self._panel.fold:
            alike = f"{here} {examination.likely_class(text)}"
            self._count(alike, self._counts[alike] + 1)
            if self._counts[alike] > _ALIKE:
                return
        if not examination.examine(text, origin) and found is not None:
            self._count(explained, 0)

    def note_reasons(self, reasons: Iterable[tuple[int, str]]) -> None:
        """Remember reasons for refusals, which are given as (place of the adapter in the panel, reason)."""
        for place, words in sorted(reasons):
            known = self.reasons.setdefault(self._panel.names[place], set())
            if words not in known:
                known.add(words)
                self._changes.reasons.append((place, words))

    def tells_reasons(self, name: str) -> bool:
        """Return whether an adapter refuses for so many reasons that each may stand for a cause."""
        return name != ORACLE and len(self.reasons.get(name, ())) >= _REASONS

    def take_changes(self) -> Changes:
        """Return what has changed since the last call."""
        taken, self._changes = self._changes, Changes()
        return taken

    def restore(self, changes: Changes) -> None:
        """Make changes again, which another register has made. Tell the listener nothing."""
        for name in changes.dropped:
            self.findings.pop(name, None)
        self.findings.update(changes.findings)
        self._counts.update(changes.counts)
        for place, words in changes.reasons:
            self.reasons.setdefault(self._panel.names[place], set()).add(words)

    def _count(self, key: str, count: int) -> None:
        self._counts[key] = self._changes.counts[key] = count

    def matching(self, text: str, operation: str, kind: Kind) -> CampaignFinding | None:
        """Return the first finding with a pattern that matches the text, or None."""
        return next((one for one in self.own(operation, kind) if patterns.matching(text, one.patterns)), None)

    def own(self, operation: str, kind: Kind) -> list[CampaignFinding]:
        """Return the findings for an operation that tell the two adapters of a kind apart."""
        pair = self.pair(kind)
        return [one for one in self.findings.values() if one.operation == operation and one.separates(*pair)]

    def pair(self, kind: Kind) -> tuple[str, str]:
        """Return the names of the two adapters of a kind."""
        return self._panel.names[kind.one], self._panel.names[kind.other]

    def put(self, finding: CampaignFinding, explained: Sequence[CampaignFinding] = ()) -> None:
        """Record a finding that is new or changed, and join it with the findings that it explains.

        The finding with the simplest text stays and gets the patterns and effects of the others. If one of
        them was known before the campaign, that finding stays instead.
        """
        whole = [finding, *explained]
        kept = next(
            (one for one in whole if one.id in self._known), min(whole, key=lambda one: order(one.text))
        )
        for one in whole:
            if one.id != kept.id:
                kept = joined(kept, one)
                if self.findings.pop(one.id, None) is not None:
                    self._changes.drop(one)
                    if self._listener is not None:
                        self._listener.drop(one)
        if self.findings.get(kept.id) != kept:
            self.findings[kept.id] = self._changes.findings[kept.id] = kept
            if self._listener is not None:
                self._listener.put(kept)

    @property
    def panel(self) -> Panel:
        """The adapters."""
        return self._panel

    @property
    def spec(self) -> Spec:
        """The RFC that judges."""
        return self._spec


class _Signature(NamedTuple):
    """The properties of a difference. Differences with like signatures may have the same cause.

    `words` is the reason for a refusal, if it tells causes apart. `decoded` is True if an adapter decodes an
    escape of the text, and `valid` if an adapter does not divide the authority of a valid text.
    """

    component: str
    how: str
    class_: str | None
    side: str
    words: str
    decoded: bool
    valid: bool


class _Examination:
    """Finds the cause of one disagreement."""

    def __init__(self, register: Register, operation: FuzzOperation, kind: Kind) -> None:
        self._register, self._operation, self._kind = register, operation, kind
        self._panel = register.panel
        self._classes: dict[tuple[Kind, str], str | None] = {}
        self._signatures: dict[tuple[Kind, str], _Signature] = {}

    def examine(self, text: str, origin: TextOrigin) -> bool:
        """Find the cause of the difference in the answers to a text, and record what is new.

        Return True if nothing is new.
        """
        for _ in range(_EDITS):
            own = self._own(text)
            known = [pattern for one in own for pattern in one.patterns]
            escaped = self._escape(text, known, self._differs if self._panel.fold else self._differ)
            if escaped is None:
                pattern = patterns.matching(text, known)
                found = next(one for one in own if pattern in one.patterns)
                return not self._note_effect(found, text, origin)
            if self._panel.fold and self._class(escaped) != self._class(text):
                text = escaped
                continue
            if escaped != text or self._deadly:
                (given,) = self._ask([escaped])
                kind = self._panel.kind(given, self._kind.one, self._kind.other)
                if kind is None:  # not repeatable: a reply was late only once, or the answers vary
                    return True
                if self._deadly:
                    self._panel.check(self._operation, self._kind)
                self._kind = kind
                if self._deadly and any(self._ends_alike(one, given, escaped) for one in own):
                    return True
            witness = minimise(escaped, self._keeping(escaped, known), self._is_witness, self._tries)
            if self._is_witness(witness):
                return True
            simpler = self._without_class(witness)
            if simpler is None:
                self._report_least(witness, origin, known)
                return False
            text = simpler
        return True

    def _report_least(self, witness: str, origin: TextOrigin, known: Sequence[str]) -> None:
        """Report a minimal text.

        If versions are compared, and they still differ after a part of the text is deleted, but in another
        component, report the rest of the text instead, and the difference of the whole text as an effect.
        """
        if self._panel.fold or self._deadly:
            self._report(witness, origin)
            return
        least = shorten(witness, _free(known, self._differ), self._is_witness)
        (given,) = self._ask([least])
        kind, before = self._panel.kind(given, self._kind.one, self._kind.other), self._kind
        if kind is None or kind.component in (before.component, *_DEADLY):
            self._report(witness, origin)
            return
        self._kind = kind
        least = minimise(least, self._keeping(least, known), self._is_witness)
        if not self._is_witness(least):
            self._report(least, origin)
        owner = next((one for one in self._own(least) if self._is_owner(one, least)), None)
        self._kind = before
        if owner is not None:
            self._note_effect(owner, witness, origin)

    def _is_owner(self, one: CampaignFinding, text: str) -> bool:
        return text == one.text or patterns.matching(text, one.patterns) is not None

    def _keeping(self, text: str, known: Sequence[str]) -> Test:
        """Return a test for the signature of the text, which no text passes that matches a known pattern."""
        class_ = self.likely_class(text) if self._keeps_class else None
        valid = self._kind.how == "undivided" and self._is_valid(text)

        def test(texts: Sequence[str]) -> Sequence[bool]:
            held = [one for one, holds in zip(texts, self._differs(texts), strict=True) if holds]
            if self._kind.how == "undivided":
                held = [one for one in held if self._is_valid(one) is valid]
            if self._keeps_class:  # `minimise` needs only the first one
                held = [*islice((one for one in held if self.likely_class(one) == class_), 1)]
            return [one in held for one in texts]

        return _free(known, test)

    def _without_class(self, text: str) -> str | None:
        """Return a simpler text of another class that shows the same difference, or None."""
        if not self._panel.fold or self._deadly or self._register.keep_class:
            return None
        made = [one for one in patterns.edits(text, patterns.literal(text)) if order(one) < order(text)]
        class_ = self.likely_class(text)
        return next(
            (
                one
                for one, holds in zip(made, self._differs(made), strict=True)
                if holds and self.likely_class(one) != class_
            ),
            None,
        )

    def _ask(self, texts: Sequence[str]) -> list[tuple[Given, ...]]:
        return self._panel.ask(self._operation, texts, self._kind)

    def _is_witness(self, text: str) -> bool:
        own = self._register.own(self._operation, self._kind)
        others = self._panel.fold
        return any(
            text == one.text or (others and text in [effect.text for effect in one.effects]) for one in own
        )

    def _ends_alike(self, finding: CampaignFinding, given: Sequence[Given], text: str) -> bool:
        """Return whether an adapter ended on a text with the words with which it ended on a known finding."""
        kind = self._kind
        place = (finding.component, finding.side) == (kind.component, self._panel.names[kind.side])
        return place and "" != finding.reason == reason(given[kind.side].answer, text)

    @property
    def _deadly(self) -> bool:
        """True if each text with this kind of difference ends a process or takes the full time limit."""
        return self._kind.component in _DEADLY

    @property
    def _tries(self) -> int:
        return _DEADLY.get(self._kind.component, TRIES)

    @property
    def _keeps_class(self) -> bool:
        return not self._deadly and (self._panel.fold or self._register.keep_class)

    def _own(self, text: str) -> list[CampaignFinding]:
        """Return the known findings that may explain a text: with `fold`, those with a like signature."""
        own = self._register.own(self._operation, self._kind)
        if not own or not self._panel.fold or self._deadly:
            return own
        signature = self._signature(text)
        return [one for one in own if self._is_like(self._signature_of(one), signature)]

    def _signature(self, text: str) -> _Signature:
        """Return the signature of the difference in a text."""
        key = self._kind, text
        if key not in self._signatures:
            (given,) = self._ask([text])
            kind, side = self._kind, ""
            words = ""
            if kind.side >= 0:
                side = self._panel.names[kind.side]
                words = reason(given[kind.side].answer, text)
            change = self._change(given, kind)
            self._signatures[key] = self._made(
                text, kind.component, kind.how, self._class(text), side, words, change
            )
        return self._signatures[key]

    def _signature_of(self, one: CampaignFinding) -> _Signature:
        return self._made(one.text, one.component, one.how, one.class_, one.side, one.reason, one.change)

    def _made(
        self, text: str, component: str, how: str, class_: str | None, side: str, words: str,
        change: tuple[str, str],
    ) -> _Signature:  # fmt: skip
        how = self._direction(how)
        escape = max(change, key=len)
        decoded = how in _ESCAPES and escape.startswith("%") and escape.lower() in text.lower()
        valid = how == "undivided" and self._is_valid(text)
        words = words if component == VERDICT and self._register.tells_reasons(side) else ""
        return _Signature(component, how, class_, side, words, decoded, valid)

    def _is_valid(self, text: str) -> bool:
        return is_valid(self._operation, self._register.spec, text)

    def _is_like(self, one: _Signature, other: _Signature) -> bool:
        """Return whether two texts may have the same cause.

        The parts of the authority count as one component, path, query and fragment as another one, and the
        classes of characters as one class, for which it does not matter how values differ. If a text is
        refused in the same words, or if the schemes differ, the class does not count. If the values differ by
        escapes alone, or if an adapter does not divide the authority, neither counts.
        """
        if one.words and (one.side, one.words) == (other.side, other.words):
            return True
        if one.how in _ALONE or one.component == other.component == "scheme":
            return (one.how, one.decoded, one.valid) == (other.how, other.decoded, other.valid)
        if _PLACE.get(one.component, one.component) != _PLACE.get(other.component, other.component):
            return False
        if one.class_ in CHARACTERS:
            return other.class_ in CHARACTERS and other.how not in _ALONE
        return (one.how, one.class_) == (other.how, other.class_)

    def _direction(self, how: str) -> str:
        """Return how values differ. If there are several adapters, it does not matter which has which."""
        return how if len(self._panel.names) == 2 else _UNDIRECTED.get(how, how)

    def _report(self, witness: str, origin: TextOrigin) -> None:
        """Add a finding for a minimal text, or join it with a known one that has the same signature.

        In both cases, also join the known findings that it explains.
        """
        finding = self._finding(witness, origin)
        known = [one for one in self._register.findings.values() if one.id == finding.id]
        same = known or [one for one in self._own(witness) if self._same(one, finding)]
        same = same or self._beside(finding)
        if same:
            first = joined(same[0], finding)
            self._register.put(first, [one for one in self._explained(finding) if one.id != first.id])
        else:
            self._register.put(finding, self._explained(finding))

    def _same(self, one: CampaignFinding, other: CampaignFinding) -> bool:
        """Return whether two findings of the same adapters and operation have the same signature.

        Equal reasons for refusing the whole text count only if the adapter gives several reasons.
        """
        if one.side != other.side:
            return False
        if not self._panel.fold and sorted(one.text) == sorted(other.text):
            return True
        if one.reason and one.reason == other.reason and one.component == other.component:
            return one.component != VERDICT or self._register.tells_reasons(one.side)
        if self._panel.fold and self._has_cause(self._signature_of(one), self._signature_of(other)):
            return True
        changes = [_abstract(*finding.change) for finding in (one, other)]
        return changes[0] == changes[1] != ("", "")

    def _has_cause(self, one: _Signature, other: _Signature) -> bool:
        """Return whether the signatures are enough to tell that two texts have the same cause.

        This is so if an adapter decodes escapes in one component, or escapes several kinds of characters in
        one; if it does not divide the authority; or if one kind of character in one component is the cause.
        """
        if one.component == VERDICT or not self._is_like(one, other):
            return False
        if one.how == "undivided":
            return True
        if one.how in _ESCAPES:
            characters = one.class_ in CHARACTERS and other.class_ in CHARACTERS
            return one.component == other.component and (one.decoded or characters)
        return one.class_ == other.class_ and one.class_ in CHARACTERS and one.component != "scheme"

    def _beside(self, finding: CampaignFinding) -> list[CampaignFinding]:
        """Return the known findings whose change appears after a small edit of a refused text.

        Return none unless two versions of one library are compared and only one of them accepts the text.
        """
        if self._panel.fold or self._kind.component != VERDICT:
            return []
        made = patterns.edits(finding.text, patterns.literal(finding.text))
        one, other = self._kind.one, self._kind.other
        answered = [(given, self._panel.kind(given, one, other)) for given in self._ask(made)]
        changes = {self._change(given, kind) for given, kind in answered if kind is not None} - {("", "")}
        return [one for one in self._own(finding.text) if one.change in changes]

    def _change(self, given: Sequence[Given], kind: Kind) -> tuple[str, str]:
        """Return how the component of a kind differs between its two adapters; see the function `_change`."""
        one, other = (parts_of(given[at].answer).get(kind.component) for at in (kind.one, kind.other))
        return _change(one, other, lost="" if self._panel.fold else f"no {kind.component}")

    def _explained(self, finding: CampaignFinding) -> list[CampaignFinding]:
        made = finding.patterns
        return [
            one
            for one in self._own(finding.text)
            if made and self._escape(one.text, made, self._differ) is None
        ]

    def _escape(self, text: str, known: Sequence[str], test: Test) -> str | None:
        """Return a variant of the text that matches no pattern and still passes the test, or None.

        If the text itself matches no pattern, return it unchanged.
        """
        for _ in range(_EDITS):
            pattern = patterns.matching(text, known)
            if pattern is None:
                return text
            if self._deadly:
                return None
            made = patterns.edits(text, pattern)
            left = [one for one, differs in zip(made, test(made), strict=True) if differs]
            free = next((one for one in left if patterns.matching(one, known) is None), None)
            if free is not None:
                return free
            # no edit removes the pattern; if it matches more than once, remove one match and try again
            count = len(patterns.compiled(pattern).findall(text))
            fewer = (one for one in left if len(patterns.compiled(pattern).findall(one)) < count)
            following = next(fewer, None)
            if following is None:
                return None
            text = following
        return None

    def _differ(self, texts: Sequence[str]) -> list[bool]:
        """Return for each text whether the answers differ in any way."""
        one, other = self._kind.one, self._kind.other
        return [self._panel.kind(given, one, other) is not None for given in self._ask(texts)]

    def _differs(self, texts: Sequence[str]) -> list[bool]:
        """Return for each text whether the answers differ in the kind that is examined."""
        return [self._panel.differs(given, self._kind) for given in self._ask(texts)]

    def _note_effect(self, finding: CampaignFinding, text: str, origin: TextOrigin) -> bool:
        """Add an effect to a finding, or examine the minimised text if it has another cause.

        Return True if that was new. Return False if the finding already has an effect in this component and
        class or the maximum number of effects, or if each text ends an adapter.
        """
        if self._deadly:
            return False
        class_ = self._class(text)
        known = {(one.component, one.class_) for one in (finding.main, *finding.effects)}
        if (self._kind.component, class_) in known or len(finding.effects) >= MOST_EFFECTS:
            return False
        if self._panel.fold and self._kind.component in {component for component, _ in known}:
            return False

        def same_class(texts: Sequence[str]) -> list[bool]:
            return [
                differs and self._class(one) == class_
                for one, differs in zip(texts, self._differs(texts), strict=True)
            ]

        shortest = minimise(text, same_class)
        if self._panel.fold:
            own = (one for one in self._own(shortest) if patterns.matching(shortest, one.patterns))
            owner = next(own, None)
            if owner is None:  # it has another cause
                return not self.examine(shortest, origin)
            if self._is_witness(shortest):
                return False
            finding = owner
        (given,) = self._panel.ask(self._operation, [shortest])
        effect = Effect(
            self._kind.component,
            class_,
            input_of(self._operation, shortest, self._panel.mode),
            self._answers(given),
            self._groups(given),
        )
        self._register.put(with_effects(finding, [effect]))
        return True

    def _answers(self, given: Sequence[Given]) -> dict[str, GivenAnswer]:
        firsts = [(group[0], given[group[0]].answer) for group in self._panel.groups(given)]
        return {
            self._panel.names[at]: GivenAnswer(one.kind, dict(one.components), one.text, one.message)
            for at, one in firsts
        }

    def _groups(self, given: Sequence[Given]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(self._panel.names[at] for at in group) for group in self._panel.groups(given))

    def _finding(self, text: str, origin: TextOrigin) -> CampaignFinding:
        kind, operation, names = self._kind, self._operation, self._panel.names
        pattern = (
            patterns.literal(text)
            if self._deadly
            else patterns.learn(text, self._differs, closed=self._panel.fold)
        )
        class_ = self._class(text)
        (given,) = self._panel.ask(operation, [text])
        places = (kind.one, kind.other)
        side = names[kind.side] if kind.side >= 0 else ""
        how = (side, kind.how) if len(names) == 2 else (self._direction(kind.how),)
        key = "\n".join((operation, *names, kind.component, *how, class_ or text))
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        found = disagreement(
            operation,
            self._register.spec,
            text,
            {names[at]: given[at].reply for at in places},
            {names[at]: self._panel.hellos[at].features for at in places},
            self._panel.mode,
        )
        return CampaignFinding(
            id=file_name(f"{operation}-{kind.component}-{class_ or 'no-class'}-{digest}", {}),
            operation=operation,
            spec=self._register.spec,
            adapters=names,
            component=kind.component,
            input=input_of(operation, text, self._panel.mode),
            answers=self._answers(given),
            origin=origin,
            side=side,
            class_=class_,
            cause=str(Cause.DEFECT if found is None else found.cause),
            section=_section(class_, operation, self._register.spec),
            severity=kind.component,
            patterns=(pattern,) if pattern else (),
            change=self._change(given, kind),
            reason=reason(given[kind.side].answer, text) if side not in ("", ORACLE) else "",
            fold=self._panel.fold,
            how=kind.how,
            groups=self._groups(given),
        )

    def _class(self, text: str) -> str | None:
        """Return the class of the difference in a text, or None.

        A minimal text often lacks a scheme, which has nothing to do with the difference. If a URL that ends
        with the text still shows the difference, return the class of this URL.
        """
        key = self._kind, text
        if key not in self._classes:
            self._classes[key] = self._class_in(
                text, lambda one: patterns.with_scheme(one, self._differs) or one
            )
        return self._classes[key]

    def likely_class(self, text: str) -> str | None:
        """Return the class of the difference in a text, as if it did not matter that a scheme lacks."""
        return self._class_in(text, patterns.whole)

    def _class_in(self, text: str, completed: Callable[[str], str]) -> str | None:
        """Return the class of the difference in a text. `completed` gives a scheme to a text without one."""
        given, component = input_of(self._operation, text), self._kind.component
        if "url" not in given:
            return class_of_text(given["reference"], component, given["base"])
        return class_of_text(completed(text) if split(text)["scheme"] is None else text, component)


def _free(known: Sequence[str], test: Test) -> Test:
    """Return a test that no text passes that matches a known pattern."""

    def both(texts: Sequence[str]) -> Sequence[bool]:
        free = [one for one in texts if patterns.matching(one, known) is None]
        held = {one for one, holds in zip(free, test(free), strict=True) if holds}
        return [one in held for one in texts]

    return both


def _abstract(one: str, other: str) -> tuple[str, str]:
    """Return a change in a form that is equal for similar changes.

    All changes of case become equal. Each blank or control character becomes a space, and outer slashes are
    removed from a value that contains anything else.
    """
    if one != other and one.lower() == other.lower():
        return ("case", "")
    found = [
        "".join(char if char.isprintable() and not char.isspace() else " " for char in value)
        for value in (one, other)
    ]
    return found[0].strip("/") or found[0], found[1].strip("/") or found[1]


def _change(one: str | None, other: str | None, lost: str) -> tuple[str, str]:
    """Return two values without their common beginning and end.

    If one is absent, return `lost` for an absent value and an empty text for a present one.
    """
    if one is None or other is None:
        return (lost if one is None else "", lost if other is None else "")
    start = _alike(one, other)
    one, other = one[start:], other[start:]
    end = _alike(one[::-1], other[::-1])
    return one[: len(one) - end], other[: len(other) - end]


def _alike(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _section(class_: str | None, operation: str, spec: Spec) -> str:
    """Return the section of the RFC on the class or else on the operation, or an empty text."""
    entry = load_classes().get(class_ or "")
    if entry is not None and entry.sections.get(spec):
        return entry.sections[spec][0]
    known = facts(spec)
    return known.parse_section if operation in ("parse", "validate") else known.sections.get(operation, "")
