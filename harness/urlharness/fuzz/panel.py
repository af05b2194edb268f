"""A panel: adapters that answer the same questions, and how two of their answers differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.compare.answers import (
    AUTHORITY,
    VERDICT,
    LibraryAnswer,
    answer_of,
    differing,
    folded,
    harm,
    parts_of,
)
from urlharness.corpus.model import Mode, offers
from urlharness.corpus.specifications import Spec
from urlharness.engine.client import open_client
from urlharness.limits import Abnormal, AdapterDead, Limits
from urlharness.protocol.messages import Hello, Question, Reply

#: The character between base and reference. A campaign treats such a pair as one text.
SEPARATOR = "\uffff"

#: The name of the oracle as an adapter.
ORACLE = "reference"

_TELLS_EMPTY = "absent-vs-empty"

#: The outcomes of an adapter that does not answer any more.
ENDS = ("crash", "timeout")
#: A text, and a base, on which no library should end.
_ORDINARY = "http://a/"


class Given(NamedTuple):
    """The answer of an adapter to one question, and the raw reply.

    If the adapter is the oracle, `others` contains the further answers that it admits. For all other
    adapters, `others` is empty. If `exact`, the spelling of the answer matters, as in a normal form.
    """

    answer: LibraryAnswer
    others: tuple[LibraryAnswer, ...]
    reply: Reply | Abnormal
    exact: bool = False


_NOT_ASKED = Given(LibraryAnswer("not offered"), (), Reply(0, "unsupported"))


class Kind(NamedTuple):
    """A kind of difference between two adapters. `one` and `other` are their places in the panel.

    `component` is the most harmful component that differs, if possible by more than spelling, or `verdict`.
    If an adapter ended without an answer, `component` is the outcome, such as `crash`. `side` is the place of
    the adapter that refused or ended, or -1 if a component differs. If the panel folds, `how` says how the
    two values of the component differ; see `_relation`. Then `component` is `scheme` if the schemes differ.
    If only one of the adapters does not divide the authority, it is `host` and `how` is `undivided`.
    """

    one: int
    other: int
    component: str
    side: int = -1
    how: str = ""


class Panel:
    """Adapters that are running.

    If `fold`, they are compared as different libraries: differences in spelling do not count. A difference
    between an absent and an empty component does not count if one of the two libraries cannot tell these
    apart. Normal forms are always compared as texts, because their spelling is the answer.
    """

    def __init__(self, adapters: Sequence[Adapter], spec: Spec, limits: Limits, *, fold: bool) -> None:
        """Start the adapters. If one does not start, raise NotInstalled, or AdapterDead with its name."""
        self.names = panel_names(adapters)
        self._spec, self.fold = spec, fold
        self._clients: list[Any] = []
        try:
            for name, adapter in zip(self.names, adapters, strict=True):
                self._clients.append(_opened(name, adapter, limits))
        except BaseException:
            self.close()
            raise
        self.hellos: tuple[Hello, ...] = tuple(client.hello for client in self._clients)
        #: The mode in which normal forms are asked: `scheme`, which includes `syntax`, if all offer it.
        self.mode: Mode = "scheme" if all("scheme" in hello.modes for hello in self.hellos) else "syntax"
        self._oracle = tuple(adapter.name == ORACLE for adapter in adapters)
        self._tells_empty = [_TELLS_EMPTY in hello.features for hello in self.hellos]

    def close(self) -> None:
        """End the adapters."""
        for client in self._clients:
            client.close()

    @property
    def restarts(self) -> Counter[str]:
        """The number of times that each adapter was started again."""
        return Counter(
            {name: client.restarts for name, client in zip(self.names, self._clients, strict=True)}
        )

    def offered(self, operation: str) -> bool:
        """Return whether all adapters offer an operation. Its questions have no mode, so it is `syntax`."""
        return all(offers(hello, operation, self.mode) for hello in self.hellos)

    def ask(self, operation: str, texts: Sequence[str], kind: Kind | None = None) -> list[tuple[Given, ...]]:
        """Return the answers of all adapters to each text. Raise AdapterDead if an adapter is given up.

        With a kind, ask only its two adapters. The answers of the others are then `not offered`.
        """
        places = None if kind is None else (kind.one, kind.other)
        found, dead = self.ask_until_dead(operation, texts, places)
        if dead is not None:
            raise dead
        return found

    def ask_until_dead(
        self, operation: str, texts: Sequence[str], places: Collection[int] | None = None
    ) -> tuple[list[tuple[Given, ...]], AdapterDead | None]:
        """Return (the answers of all adapters to each text, None).

        If an adapter is given up, return only the answers up to there, and the AdapterDead with the reason.
        """
        questions = [question(operation, text, self._spec, self.mode) for text in texts]
        columns: list[list[Given]] = []
        dead = None
        for place, client in enumerate(self._clients):
            if places is not None and place not in places:
                columns.append([_NOT_ASKED] * len(texts))
                continue
            column: list[Given] = []
            for _, result in client.ask(questions):
                if isinstance(result, Abnormal) and result.outcome == "aborted":
                    dead = AdapterDead(f"{self.names[place]}: {result.detail}")
                    break
                given = self._given(place, result)
                column.append(given._replace(exact=operation == "normalize"))
            columns.append(column)
            questions = questions[: len(column)]
        return list(zip(*columns, strict=False)), dead

    def _given(self, place: int, result: Reply | Abnormal) -> Given:
        if isinstance(result, Abnormal):
            return Given(LibraryAnswer("none", text=result.outcome, message=result.detail), (), result)
        answer = _storable(answer_of(msgspec.to_builtins(result), tells_empty=True))
        return Given(answer, _admitted(result) if self._oracle[place] else (), result)

    def check(self, operation: str, kind: Kind | None = None) -> None:
        """Raise AdapterDead if one of the adapters crashes or hangs twice on an ordinary text, too."""
        text = f"{_ORDINARY}{SEPARATOR}b" if operation == "resolve" else _ORDINARY
        for _ in range(2):
            (given,) = self.ask(operation, [text], kind)
            ended = [
                (name, one.answer.text)
                for name, one in zip(self.names, given, strict=True)
                if one.answer.kind == "none" and one.answer.text in ENDS
            ]
            if not ended:
                return
        name, outcome = ended[0]
        raise AdapterDead(f"{name}: {outcome} even on {_ORDINARY}")

    def groups(self, given: Sequence[Given]) -> list[list[int]]:
        """Return the groups of adapters that agree on a text, as places. Leave out who was not asked."""
        found: list[list[int]] = []
        for place, one in enumerate(given):
            if one.answer.kind == "not offered":
                continue
            own = next((group for group in found if self.kind(given, group[0], place) is None), None)
            if own is None:
                found.append([place])
            else:
                own.append(place)
        return found

    def kinds(self, given: Sequence[Given]) -> list[Kind]:
        """Return how the answers of the largest group that accepts the text differ from all others.

        If no group accepts the text, take the largest group. Each adapter of the other groups is compared
        with the first one of this group, and each further one of this group with the first one of another.
        """
        groups = self.groups(given)
        if len(groups) < 2:
            return []
        largest = max(groups, key=lambda group: (given[group[0]].answer.accepts, len(group)))
        others = [place for group in groups if group is not largest for place in group]
        pairs = [(largest[0], place) for place in others] + [(others[0], place) for place in largest[1:]]
        found = (self.kind(given, *sorted(pair)) for pair in pairs)
        return [kind for kind in found if kind is not None]

    def kind(self, given: Sequence[Given], one: int, other: int) -> Kind | None:
        """Return how the answers of two adapters differ, or None if they have no difference that counts."""
        left, right = given[one], given[other]
        a, b = left.answer, right.answer
        if "not offered" in (a.kind, b.kind):
            return None
        if a.kind == "none" or b.kind == "none":
            if a.kind == b.kind and a.text == b.text:
                return None
            return Kind(one, other, (a if a.kind == "none" else b).text, one if a.kind == "none" else other)
        if not differing(a, b):
            return None
        if left.exact and a.kind == b.kind == "url":
            return self._kind_of_normal_forms(left, right, one, other)
        a, b = self._comparable(given, one, other)
        parts = differing(a, b)
        if not parts or _is_admitted(a, right.others) or _is_admitted(b, left.others):
            return None
        alarms = differing(folded(a), folded(b))
        if self.fold and not alarms:
            return None
        component = min(sorted(alarms or parts), key=harm)
        if component == VERDICT:
            return Kind(one, other, component, other if a.accepts else one)
        if not self.fold:
            return Kind(one, other, component)
        component, how = _cause(left.answer, right.answer, component, alarms)
        return Kind(one, other, component, how=how)

    def _kind_of_normal_forms(self, left: Given, right: Given, one: int, other: int) -> Kind | None:
        """Return how two normal forms differ, or None if the oracle admits both."""
        if left.answer in right.others or right.answer in left.others:
            return None
        alarms = differing(folded(left.answer), folded(right.answer))
        component = min(sorted(alarms or differing(left.answer, right.answer)), key=harm)
        if not self.fold:
            return Kind(one, other, component)
        if "scheme" in alarms:
            component = "scheme"  # the other components follow from it
        return Kind(one, other, component, how=_relation(left.answer, right.answer, component))

    def differs(self, given: Sequence[Given], kind: Kind) -> bool:
        """Return whether two answers differ in this kind.

        Without `fold`, a more harmful component may differ, too.
        """
        found = self.kind(given, kind.one, kind.other)
        if found is None or found == kind:
            return found is not None
        if self.fold or found.side >= 0 or kind.side >= 0:
            return False
        return kind.component in differing(*self._comparable(given, kind.one, kind.other))

    def _comparable(
        self, given: Sequence[Given], one: int, other: int
    ) -> tuple[LibraryAnswer, LibraryAnswer]:
        """Return the answers of two adapters in a form in which they can be compared.

        Empty components become absent, unless both adapters claim to tell these apart. Without `fold`, they
        also stay as they are if neither adapter claims that.
        """
        a, b = given[one].answer, given[other].answer
        claims = self._tells_empty[one], self._tells_empty[other]
        return (a, b) if claims[0] is claims[1] and (claims[0] or not self.fold) else (_blur(a), _blur(b))


def panel_names(adapters: Sequence[Adapter]) -> tuple[str, ...]:
    """Return the names of adapters. Append a number to a repeated name, as in `python (2)`."""
    names: list[str] = []
    for adapter in adapters:
        again = sum(adapter_name(name) == adapter.name for name in names)
        names.append(f"{adapter.name} ({again + 1})" if again else adapter.name)
    return tuple(names)


def adapter_name(name: str) -> str:
    """Return the name of an adapter without the number that `panel_names` may have appended."""
    return name.partition(" (")[0]


def input_of(operation: str, text: str, mode: Mode = "syntax") -> dict[str, str]:
    """Return the inputs of a question about a text: base and reference for `resolve`, otherwise the URL.

    `mode` is that of a question of `normalize`. The mode `syntax` is the default of such a question.
    """
    if operation == "normalize" and mode != "syntax":
        return {"url": text, "mode": mode}
    if operation != "resolve":
        return {"url": text}
    base, _, reference = text.partition(SEPARATOR)
    return {"base": base, "reference": reference}


def text_of(given: Mapping[str, str]) -> str:
    """Return the inputs of a question as one text. This is the inverse of `input_of`."""
    return given["url"] if "url" in given else f"{given['base']}{SEPARATOR}{given['reference']}"


def question(operation: str, text: str, spec: Spec, mode: Mode = "syntax") -> Question:
    """Return the question about a text. For `resolve`, the text must be a pair of base and reference."""
    given: Any = input_of(operation, text, mode)
    return Question(0, operation, spec, **given)


def _opened(name: str, adapter: Adapter, limits: Limits) -> Any:
    try:
        return open_client(adapter, limits, "urlconform")
    except AdapterDead as dead:
        raise AdapterDead(f"{name}: {dead}", dead.stderr) from None


def _storable(answer: LibraryAnswer) -> LibraryAnswer:
    r"""Return an answer in which bytes that are no UTF-8 are written as `\xff`, because findings are JSON."""
    components = {
        name: value if value is None else _with_escaped_bytes(value)
        for name, value in answer.components.items()
    }
    return answer._replace(components=components, text=_with_escaped_bytes(answer.text))


def _with_escaped_bytes(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _admitted(reply: Reply) -> tuple[LibraryAnswer, ...]:
    """Return the answers that the oracle admits in addition to the recommended one."""
    others = [LibraryAnswer("rejected")] if reply.may_reject else []
    if reply.may_accept:
        others.append(LibraryAnswer("valid"))
    for one in reply.also:
        if isinstance(one, str):
            others.append(LibraryAnswer("url", text=one))
        elif isinstance(one, dict):
            others.append(answer_of({"status": "ok", "components": one}, tells_empty=True))
    return tuple(others)


def _cause(
    one: LibraryAnswer, other: LibraryAnswer, component: str, alarms: Collection[str]
) -> tuple[str, str]:
    """Return the component and the relation of a kind for two parsed answers.

    `component` is the most harmful one that differs, and `alarms` are all. The other components follow from
    the scheme, and those of the authority from its division.
    """
    if "scheme" in alarms:
        component = "scheme"
    elif component in (*AUTHORITY, "authority") and _is_undivided(one) is not _is_undivided(other):
        return "host", "undivided"
    return component, _relation(one, other, component)


def _relation(one: LibraryAnswer, other: LibraryAnswer, component: str) -> str:
    """Return how the values of a component differ.

    The other value is absent (`absent`), or the first one (`present`), or the same with more escapes
    (`encoded`) or with fewer (`decoded`), or in another case (`case`), or they are `unlike`. Differences in
    spelling are looked at only if there is no other.
    """
    value, second = (parts_of(folded(answer)).get(component) for answer in (one, other))
    if value == second:
        value, second = (parts_of(answer).get(component) for answer in (one, other))
        if value is not None and second is not None and value.lower() == second.lower():
            return "case"
    if value is None or second is None:
        return "absent" if second is None else "present"
    if _unquoted(value) != _unquoted(second):
        return "unlike"
    return "encoded" if len(value) < len(second) else "decoded"


def _unquoted(value: str) -> str:
    """Return a value without escapes, even if `%` was encoded, too."""
    while (decoded := unquote(value)) != value:
        value = decoded
    return value


def _is_undivided(answer: LibraryAnswer) -> bool:
    """Return whether an answer has an authority, but none of its parts."""
    parts = answer.components
    return bool(parts.get("authority")) and all(parts.get(name) is None for name in AUTHORITY)


def _is_admitted(answer: LibraryAnswer, others: Sequence[LibraryAnswer]) -> bool:
    return any(not differing(_blur(one), _blur(answer)) for one in others)


def _blur(answer: LibraryAnswer) -> LibraryAnswer:
    """Return an answer in which empty components are absent, except an empty path."""
    if answer.kind != "parsed":
        return answer
    parts = {name: value if value or name == "path" else None for name, value in answer.components.items()}
    return LibraryAnswer("parsed", parts)
