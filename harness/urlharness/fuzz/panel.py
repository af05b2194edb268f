"""A panel: adapters that answer the same questions, and how two of their answers differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.compare.answers import VERDICT, LibraryAnswer, answer_of, differing, folded, harm
from urlharness.corpus.model import Spec
from urlharness.engine.client import open_client
from urlharness.limits import Abnormal, AdapterDead, Limits
from urlharness.protocol.messages import Hello, Question, Reply

#: Between the base and the reference of a pair, which is one text for a campaign.
SEPARATOR = "\uffff"

#: The name of the oracle as an adapter.
ORACLE = "reference"

_TELLS_EMPTY = "absent-vs-empty"


class Given(NamedTuple):
    """The answer of an adapter, other answers that it admits if it is the oracle, and the raw reply."""

    answer: LibraryAnswer
    others: tuple[LibraryAnswer, ...]
    reply: Reply | Abnormal


class Kind(NamedTuple):
    """A kind of difference between two adapters, by their places in the panel.

    `component` is the most harmful one that differs by more than spelling; or `verdict`; or, if an adapter
    ended without an answer, how. `side` is the adapter that refused or ended, -1 in a component.
    """

    one: int
    other: int
    component: str
    side: int = -1


class Panel:
    """Adapters that are running.

    With `fold`, they are compared as different libraries: differences in spelling do not count, nor those
    between absent and empty components if one of the two libraries cannot tell these apart.
    """

    def __init__(self, adapters: Sequence[Adapter], spec: Spec, limits: Limits, *, fold: bool) -> None:
        """Start the adapters. Raise NotInstalled, or AdapterDead with the name of the adapter."""
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
        self._oracle = tuple(adapter.name == ORACLE for adapter in adapters)
        self._tells_empty = [_TELLS_EMPTY in hello.features for hello in self.hellos]

    def close(self) -> None:
        """End the adapters."""
        for client in self._clients:
            client.close()

    def offered(self, operation: str) -> bool:
        """Return whether all adapters offer an operation."""
        return all(operation in hello.ops for hello in self.hellos)

    def ask(self, operation: str, texts: Sequence[str]) -> list[tuple[Given, ...]]:
        """Return what the adapters answer to each text. Raise AdapterDead if one is given up."""
        found, dead = self.ask_until_dead(operation, texts)
        if dead is not None:
            raise dead
        return found

    def ask_until_dead(
        self, operation: str, texts: Sequence[str]
    ) -> tuple[list[tuple[Given, ...]], AdapterDead | None]:
        """Return what the adapters answer; if one is given up, only up to there, and why."""
        questions = [question(operation, text, self._spec) for text in texts]
        columns: list[list[Given]] = []
        dead = None
        for place, client in enumerate(self._clients):
            column: list[Given] = []
            for _, result in client.ask(questions):
                if isinstance(result, Abnormal) and result.outcome == "aborted":
                    dead = AdapterDead(f"{self.names[place]}: {result.detail}")
                    break
                column.append(self._given(place, result))
            columns.append(column)
            questions = questions[: len(column)]
        return list(zip(*columns, strict=False)), dead

    def _given(self, place: int, result: Reply | Abnormal) -> Given:
        if isinstance(result, Abnormal):
            return Given(LibraryAnswer("none", text=result.outcome, message=result.detail), (), result)
        answer = answer_of(msgspec.to_builtins(result), tells_empty=True)
        return Given(answer, _admitted(result) if self._oracle[place] else (), result)

    def kinds(self, given: Sequence[Given]) -> list[Kind]:
        """Return how the answers to a text differ.

        An adapter that agrees with an earlier one is left out, so each difference is told once.
        """
        found: list[Kind] = []
        leaders: list[int] = []
        for place in range(len(given)):
            kinds = []
            for leader in leaders:
                kind = self.kind(given, leader, place)
                if kind is None:
                    break
                kinds.append(kind)
            else:
                found += kinds
                leaders.append(place)
        return found

    def kind(self, given: Sequence[Given], one: int, other: int) -> Kind | None:
        """Return how the answers of two adapters differ, or None if they do not."""
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
        a, b = self._comparable(given, one, other)
        parts = differing(a, b)
        if not parts or _is_admitted(a, right.others) or _is_admitted(b, left.others):
            return None
        alarms = differing(folded(a), folded(b))
        if self.fold and not alarms:
            return None
        component = min(sorted(alarms or parts), key=harm)
        side = -1 if component != VERDICT else other if a.accepts else one
        return Kind(one, other, component, side)

    def differs(self, given: Sequence[Given], kind: Kind) -> bool:
        """Return whether two adapters differ in this way, whatever else differs."""
        found = self.kind(given, kind.one, kind.other)
        if found is None or found == kind:
            return found is not None
        if found.side >= 0 or kind.side >= 0:
            return False
        a, b = self._comparable(given, kind.one, kind.other)
        return kind.component in (differing(folded(a), folded(b)) if self.fold else differing(a, b))

    def _comparable(
        self, given: Sequence[Given], one: int, other: int
    ) -> tuple[LibraryAnswer, LibraryAnswer]:
        """Return two answers with what both can tell."""
        a, b = given[one].answer, given[other].answer
        claims = self._tells_empty[one], self._tells_empty[other]
        return (a, b) if claims[0] is claims[1] and (claims[0] or not self.fold) else (_blur(a), _blur(b))


def panel_names(adapters: Sequence[Adapter]) -> tuple[str, ...]:
    """Return the names of adapters; one that is given again gets a number."""
    names: list[str] = []
    for adapter in adapters:
        again = sum(adapter_name(name) == adapter.name for name in names)
        names.append(f"{adapter.name} ({again + 1})" if again else adapter.name)
    return tuple(names)


def adapter_name(name: str) -> str:
    """Return the name of the adapter with this name in a panel."""
    return name.partition(" (")[0]


def input_of(operation: str, text: str) -> dict[str, str]:
    """Return a text as the inputs of a question."""
    if operation != "resolve":
        return {"url": text}
    base, _, reference = text.partition(SEPARATOR)
    return {"base": base, "reference": reference}


def text_of(given: Mapping[str, str]) -> str:
    """Return the inputs of a question as one text."""
    return given["url"] if "url" in given else f"{given['base']}{SEPARATOR}{given['reference']}"


def question(operation: str, text: str, spec: Spec) -> Question:
    """Return the question about a text, or about the pair that it is."""
    given: Any = input_of(operation, text)
    return Question(0, operation, spec, **given)


def _opened(name: str, adapter: Adapter, limits: Limits) -> Any:
    try:
        return open_client(adapter, limits, "urlconform")
    except AdapterDead as dead:
        raise AdapterDead(f"{name}: {dead}", dead.stderr) from None


def _admitted(reply: Reply) -> tuple[LibraryAnswer, ...]:
    """Return the other answers that the oracle admits."""
    others = [LibraryAnswer("rejected")] if reply.may_reject else []
    if reply.may_accept:
        others.append(LibraryAnswer("valid"))
    for one in reply.also:
        if isinstance(one, str):
            others.append(LibraryAnswer("url", text=one))
        elif isinstance(one, dict):
            others.append(answer_of({"status": "ok", "components": one}, tells_empty=True))
    return tuple(others)


def _is_admitted(answer: LibraryAnswer, others: Sequence[LibraryAnswer]) -> bool:
    return any(not differing(_blur(one), _blur(answer)) for one in others)


def _blur(answer: LibraryAnswer) -> LibraryAnswer:
    """Return an answer without the difference between absent and empty components."""
    if answer.kind != "parsed":
        return answer
    parts = {name: value if value or name == "path" else None for name, value in answer.components.items()}
    return LibraryAnswer("parsed", parts)
