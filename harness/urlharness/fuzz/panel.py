"""A panel: adapters that run and answer the same questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.compare.answers import LibraryAnswer, answer_of
from urlharness.corpus.model import Mode, offers
from urlharness.corpus.specifications import Spec
from urlharness.engine.client import open_client
from urlharness.limits import Abnormal, AdapterDead, Limits
from urlharness.protocol.messages import Hello, Question, Reply

#: The character between base and reference. A campaign treats such a pair as one text.
SEPARATOR = "\uffff"

#: The name of the oracle as an adapter.
ORACLE = "reference"

#: The feature of adapters that tell empty components from absent ones.
TELLS_EMPTY = "absent-vs-empty"

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


#: What stands for the answer of an adapter that was not asked.
NOT_ASKED = Given(LibraryAnswer("not offered"), (), Reply(0, "unsupported"))


class Panel:
    """Adapters that are running."""

    def __init__(self, adapters: Sequence[Adapter], spec: Spec, limits: Limits) -> None:
        """Start the adapters. If one does not start, raise NotInstalled, or AdapterDead with its name."""
        self.names = panel_names(adapters)
        self._spec = spec
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

    def ask(
        self, operation: str, texts: Sequence[str], places: Collection[int] | None = None
    ) -> list[tuple[Given, ...]]:
        """Return the answers of all adapters to each text. Raise AdapterDead if an adapter is given up.

        With `places`, ask only the adapters at these places. The answers of the others are `not offered`.
        """
        answers, dead = self.ask_until_dead(operation, texts, places)
        if dead is not None:
            raise dead
        return answers

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
                columns.append([NOT_ASKED] * len(texts))
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

    def check(self, operation: str, places: Collection[int] | None = None) -> None:
        """Raise AdapterDead if one of the adapters crashes or hangs twice on an ordinary text, too."""
        text = f"{_ORDINARY}{SEPARATOR}b" if operation == "resolve" else _ORDINARY
        for _ in range(2):
            (given,) = self.ask(operation, [text], places)
            ended = [
                (name, one.answer.text)
                for name, one in zip(self.names, given, strict=True)
                if one.answer.kind == "none" and one.answer.text in ENDS
            ]
            if not ended:
                return
        name, outcome = ended[0]
        raise AdapterDead(f"{name}: {outcome} even on {_ORDINARY}")


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
