"""A panel: several adapters that are asked the same questions.

The adapters answer side by side, each in a thread of its own, and each runs only while it answers. So a panel
of all libraries on a machine never has more than a few programs at once, one that is slow delays no other,
and one that does not start is a fact about this adapter only. A campaign asks the same adapters many times
and cannot go on without one of them. For this, `start` starts them all, and keeps them until they are
closed.

Functions in this process have a time limit only in the main thread, because only this thread gets signals. A
running panel therefore asks one adapter after the other, in the thread of the caller.

On Ctrl-C, adapters that have not begun are not asked, and the others are ended after the question that they
are at. So no process is left behind, and nobody waits for the rest of the questions.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.corpus.model import encoded_text
from urlharness.corpus.specifications import DEFAULT_SPEC, Spec, is_asked
from urlharness.panel.answer import Answer, answer_of
from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import CONNECT, TELLS_EMPTY, Hello, Question, Reply
from urlharness.sessions.client import Client, open_client
from urlharness.sessions.process import with_error_line

#: The name of the harness in its hello to an adapter.
_HARNESS = "urlconform"

#: The number of adapters that run at the same time. The threads mostly wait.
_SIDE_BY_SIDE = 6

_LIMITS = Limits(start=20.0, case=5.0)

_NOT_OFFERED = Answer("not offered")


@dataclass(frozen=True)
class TextQuestions:
    """Questions about texts: to resolve them if there is a base, otherwise to parse them.

    Without a base, an adapter gets the first of the `operations` that it offers. `spec` is the RFC by which
    they are asked. Without it, all adapters are asked by RFC 3986.
    """

    texts: Sequence[str]
    base: str | None = None
    operations: Sequence[str] = ("parse", "validate")
    spec: Spec | None = None

    def operation_for(self, hello: Hello) -> str | None:
        """Return the operation that an adapter with this hello is asked for, or None if it offers none.

        An adapter that does not claim an RFC on IRIs is not asked about it.
        """
        if self.spec is not None and not is_asked(self.spec, hello.specs):
            return None
        operations = self.operations if self.base is None else ("resolve",)
        return next((name for name in operations if name in hello.ops), None)

    def questions_for(self, hello: Hello) -> Sequence[Question]:
        """Return the questions for an adapter, one for each text, or none if it does not offer them.

        Texts that are not UTF-8, decoded by `surrogateescape`, are sent as bytes.
        """
        operation = self.operation_for(hello)
        if operation is None:
            return ()
        spec = self.spec or DEFAULT_SPEC
        texts = map(encoded_text, self.texts)
        if self.base is None:
            return [Question(number, operation, spec, url=text) for number, text in enumerate(texts)]
        base = encoded_text(self.base)
        return [
            Question(number, operation, spec, base=base, reference=text) for number, text in enumerate(texts)
        ]


class AdapterAnswers(NamedTuple):
    """The answers of one adapter to questions about texts.

    `failure` says why it did not start. Otherwise, `hello` is what the adapter says of itself, and
    `operation` is what it was asked.
    """

    name: str
    answers: Sequence[Answer]
    failure: AdapterDead | NotInstalled | None = None
    hello: Hello | None = None
    operation: str | None = None

    @property
    def problem(self) -> str:
        """The reason why the adapter did not start, or an empty string."""
        return "" if self.failure is None else str(self.failure)

    @property
    def connects(self) -> bool:
        """True if the answers are the hosts that a client connects to."""
        return self.operation == CONNECT


class Panel:
    """Adapters that can be asked."""

    def __init__(self, adapters: Sequence[Adapter], limits: Limits = _LIMITS) -> None:
        self.adapters = adapters
        self._limits = limits

    def ask(
        self,
        questions: TextQuestions,
        report: Callable[[AdapterAnswers], None] = lambda _: None,
    ) -> list[AdapterAnswers]:
        """Ask each adapter the questions. Adapters that do not start stop no others.

        Return their answers in the order of the adapters. As soon as an adapter has answered, `report` is
        called with its answers in another thread.
        """
        return self.ask_each([questions] * len(self.adapters), report)

    def ask_each(
        self,
        questions: Sequence[TextQuestions],
        report: Callable[[AdapterAnswers], None] = lambda _: None,
    ) -> list[AdapterAnswers]:
        """Ask each adapter its own questions, which are in the order of the adapters; see `ask`."""
        interrupted = threading.Event()
        ask_adapter = partial(self._ask_and_report, report=report, interrupted=interrupted)
        with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
            try:
                return list(pool.map(ask_adapter, self.adapters, questions))
            except BaseException:
                interrupted.set()
                raise

    def start(self) -> RunningPanel:
        """Start all adapters. If one does not start, raise NotInstalled, or AdapterDead with its name."""
        return RunningPanel(self.adapters, self._limits)

    def _ask_and_report(
        self,
        adapter: Adapter,
        questions: TextQuestions,
        report: Callable[[AdapterAnswers], None],
        interrupted: threading.Event,
    ) -> AdapterAnswers:
        """Ask an adapter the questions, and report the answers unless the panel was interrupted."""
        answers = self._ask_adapter(adapter, questions, interrupted)
        if not interrupted.is_set():
            report(answers)
        return answers

    def _ask_adapter(
        self, adapter: Adapter, questions: TextQuestions, interrupted: threading.Event
    ) -> AdapterAnswers:
        """Ask an adapter the questions. If it does not start, the answers say so.

        Once `interrupted` is set, the rest is not asked, so there are fewer answers than questions.
        """
        try:
            client = open_client(adapter, self._limits, _HARNESS)
        except (AdapterDead, NotInstalled) as failure:
            silence = Answer("none", text="did not start", message=str(failure))
            return AdapterAnswers(adapter.name, [silence] * len(questions.texts), failure)
        with closing(client):
            hello = client.hello
            operation = questions.operation_for(hello)
            if operation is None:
                answers = [_NOT_OFFERED] * len(questions.texts)
                return AdapterAnswers(adapter.name, answers, hello=hello)
            tells_empty = TELLS_EMPTY in hello.features
            answers = []
            for _, reply in client.ask(questions.questions_for(hello)):
                answers.append(_answer_with_error_line(reply, tells_empty=tells_empty))
                if interrupted.is_set():
                    break
            return AdapterAnswers(adapter.name, answers, hello=hello, operation=operation)


class RunningPanel:
    """Adapters that run until they are closed, at places in a fixed order."""

    def __init__(self, adapters: Sequence[Adapter], limits: Limits) -> None:
        """Start the adapters. If one does not start, raise NotInstalled, or AdapterDead with its name."""
        self.names = panel_names(adapters)
        self._clients: list[Client] = []
        try:
            for name, adapter in zip(self.names, adapters, strict=True):
                self._clients.append(_open_named_client(name, adapter, limits))
        except BaseException:
            self.close()
            raise

    @property
    def hellos(self) -> Sequence[Hello]:
        """The hello of each adapter, in the order of the panel."""
        return [client.hello for client in self._clients]

    @property
    def restarts(self) -> Counter[str]:
        """The number of times that each adapter was started again, by its name in the panel."""
        restarts: Counter[str] = Counter()
        for name, client in zip(self.names, self._clients, strict=True):
            restarts[name] = client.restarts
        return restarts

    def ask(self, place: int, questions: Sequence[Question]) -> Iterator[Reply | Abnormal]:
        """Yield the reply of the adapter at a place to each question, or the reason why there is none.

        If the adapter is given up, raise AdapterDead with its name after the last reply.
        """
        for _, reply in self._clients[place].ask(questions):
            if isinstance(reply, Abnormal) and reply.outcome == "aborted":
                raise AdapterDead(f"{self.names[place]}: {reply.detail}")
            yield reply

    def close(self) -> None:
        """End the adapters, after which they must not be asked."""
        for client in self._clients:
            client.close()


def panel_names(adapters: Sequence[Adapter]) -> tuple[str, ...]:
    """Return the names of adapters. Append a number to a repeated name, as in `python (2)`."""
    names: list[str] = []
    for adapter in adapters:
        count = sum(adapter_name(name) == adapter.name for name in names)
        names.append(f"{adapter.name} ({count + 1})" if count else adapter.name)
    return tuple(names)


def adapter_name(name: str) -> str:
    """Return the name of an adapter without the number that `panel_names` may have appended."""
    return name.partition(" (")[0]


def _open_named_client(name: str, adapter: Adapter, limits: Limits) -> Client:
    """Start an adapter. If it does not start, raise NotInstalled, or AdapterDead with the given name."""
    try:
        return open_client(adapter, limits, _HARNESS)
    except AdapterDead as dead:
        raise AdapterDead(f"{name}: {dead}", dead.stderr) from None


def _answer_with_error_line(reply: Reply | Abnormal, *, tells_empty: bool) -> Answer:
    """Return the answer in a reply. Without a reply, its message has the error line of stderr, too."""
    answer = answer_of(reply, tells_empty=tells_empty)
    if isinstance(reply, Abnormal):
        return msgspec.structs.replace(answer, message=with_error_line(reply.detail, reply.stderr))
    return answer
