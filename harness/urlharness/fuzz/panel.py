"""The panel of a campaign: what it asks about a text, and the answers, with those that an RFC also admits.

A text is a URL, or a base and a reference with a separator between them, so that all operations have texts of
one kind. Answers are stored in findings, which are JSON, so bytes that are no UTF-8 become escapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.corpus.model import Mode, offers
from urlharness.corpus.specifications import Spec
from urlharness.fuzz import MAPPINGS
from urlharness.generate.admission import admission_of_reply
from urlharness.panel.answer import Answer, answer_of, recorded_answer
from urlharness.panel.panel import Panel
from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question, Reply

#: The character between base and reference. A campaign treats such a pair as one text.
SEPARATOR = "\uffff"

#: The name of the oracle as an adapter.
ORACLE = "reference"

#: The outcomes of an adapter that does not answer any more.
ENDS = ("crash", "timeout")
#: A text, and a base, on which no library should end.
_ORDINARY = "http://a/"


class AdapterAnswer(NamedTuple):
    """The answer of an adapter to one question, and the raw reply.

    If the adapter is the oracle, `also_admitted` contains the answers that it admits besides the recommended
    one. For all other adapters, it is empty. If `exact`, the spelling of the answer matters, as in a normal
    form.
    """

    answer: Answer
    also_admitted: tuple[Answer, ...]
    reply: Reply | Abnormal
    exact: bool = False


#: It stands for the answer of an adapter that was not asked.
NOT_ASKED = AdapterAnswer(Answer("not offered"), also_admitted=(), reply=Reply(0, "unsupported"))


class CampaignPanel:
    """Adapters that run, and answer the questions of one kind of operation about texts."""

    def __init__(self, adapters: Sequence[Adapter], spec: Spec, limits: Limits) -> None:
        """Start the adapters. If one does not start, raise NotInstalled, or AdapterDead with its name."""
        self._running = Panel(adapters, limits).start()
        self._spec = spec
        self.names = self._running.names
        self.hellos = self._running.hellos
        #: The mode in which normal forms are asked: `scheme`, which includes `syntax`, if all offer it.
        self.mode: Mode = "scheme" if all("scheme" in hello.modes for hello in self.hellos) else "syntax"
        self._is_oracle = [adapter.name == ORACLE for adapter in adapters]

    def close(self) -> None:
        """End the adapters."""
        self._running.close()

    @property
    def restarts(self) -> Counter[str]:
        """The number of times that each adapter was started again."""
        return self._running.restarts

    def is_offered_by_all(self, operation: str) -> bool:
        """Return True if all adapters offer an operation, in the mode in which the panel asks."""
        return all(offers(hello, operation, self.mode) for hello in self.hellos)

    def ask(
        self, operation: str, texts: Sequence[str], places: Collection[int] | None = None
    ) -> list[tuple[AdapterAnswer, ...]]:
        """Return the answers of all adapters to each text. Raise AdapterDead if an adapter is given up.

        With `places`, ask only the adapters at these places. The answers of the others are `not offered`.
        """
        answers, dead = self.ask_until_dead(operation, texts, places)
        if dead is not None:
            raise dead
        return answers

    def ask_until_dead(
        self, operation: str, texts: Sequence[str], places: Collection[int] | None = None
    ) -> tuple[list[tuple[AdapterAnswer, ...]], AdapterDead | None]:
        """Return (the answers of all adapters to each text, None).

        If an adapter is given up, return only the answers up to there, and the AdapterDead with the reason.
        `places` is as in `ask`.
        """
        questions = [question(operation, text, self._spec, self.mode) for text in texts]
        columns: list[list[AdapterAnswer]] = []
        dead = None
        for position in range(len(self.names)):
            if places is not None and position not in places:
                columns.append([NOT_ASKED] * len(texts))
                continue
            column: list[AdapterAnswer] = []
            try:
                # in a comprehension, the answers before an end would be lost
                for reply in self._running.ask(position, questions):
                    column.append(self._answer(position, operation, reply))  # noqa: PERF401
            except AdapterDead as given_up:
                dead = given_up
            columns.append(column)
            questions = questions[: len(column)]
        rows = list(zip(*columns, strict=False))  # the columns before that of a dead adapter are longer
        if operation in MAPPINGS and any(self._is_oracle):
            rows = [self._with_admitted(operation, *pair) for pair in zip(texts, rows, strict=False)]
        return rows, dead

    def _with_admitted(
        self, operation: str, text: str, row: tuple[AdapterAnswer, ...]
    ) -> tuple[AdapterAnswer, ...]:
        """Return answers to a mapping of a text, where the oracle admits those that it would not list."""
        admitted = []
        for adapter_answer in row:
            admission = admission_of_reply(operation, self._spec, text, adapter_answer.reply)
            if admission is not None and admission.admitted:
                admitted.append(adapter_answer.answer)
        return tuple(
            adapter_answer._replace(also_admitted=(*adapter_answer.also_admitted, *admitted))
            if is_oracle
            else adapter_answer
            for adapter_answer, is_oracle in zip(row, self._is_oracle, strict=True)
        )

    def _answer(self, position: int, operation: str, reply: Reply | Abnormal) -> AdapterAnswer:
        """Return the reply of the adapter at a place as an answer that findings can contain."""
        exact = operation == "normalize" or operation in MAPPINGS
        answer = answer_of(reply, tells_empty=True)
        if isinstance(reply, Abnormal):
            return AdapterAnswer(answer, also_admitted=(), reply=reply, exact=exact)
        also_admitted = _further_admitted_answers(reply) if self._is_oracle[position] else ()
        return AdapterAnswer(_storable(answer), also_admitted, reply, exact)

    def check(self, operation: str, places: Collection[int] | None = None) -> None:
        """Raise AdapterDead if one of the adapters crashes or hangs twice on an ordinary text, too."""
        text = f"{_ORDINARY}{SEPARATOR}b" if operation == "resolve" else _ORDINARY
        for _ in range(2):
            (row,) = self.ask(operation, [text], places)
            end = self._first_end(row)
            if not end:
                return
        raise AdapterDead(f"{end} even on {_ORDINARY}")

    def _first_end(self, row: Sequence[AdapterAnswer]) -> str:
        """Return the name and outcome of the first adapter that crashed or hung, or an empty string."""
        for name, adapter_answer in zip(self.names, row, strict=True):
            answer = adapter_answer.answer
            if answer.kind == "none" and answer.text in ENDS:
                return f"{name}: {answer.text}"
        return ""


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


def text_of(inputs: Mapping[str, str]) -> str:
    """Return the inputs of a question as one text. This is the inverse of `input_of`."""
    if "url" in inputs:
        return inputs["url"]
    return f"{inputs['base']}{SEPARATOR}{inputs['reference']}"


def question(operation: str, text: str, spec: Spec, mode: Mode = "syntax") -> Question:
    """Return the question about a text. For `resolve`, the text must be a pair of base and reference."""
    inputs: Any = input_of(operation, text, mode)
    return Question(0, operation, spec, **inputs)


def _storable(answer: Answer) -> Answer:
    r"""Return an answer in which bytes that are no UTF-8 are written as `\xff`, because findings are JSON."""
    components: dict[str, str | None] = {}
    for name, text in answer.components.items():
        components[name] = None if text is None else _with_escaped_bytes(text)
    text_of_answer = _with_escaped_bytes(answer.text)
    return msgspec.structs.replace(answer, components=components, text=text_of_answer)


def _with_escaped_bytes(text: str) -> str:
    """Return a text in which bytes that are no UTF-8, decoded by `surrogateescape`, are escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _further_admitted_answers(reply: Reply) -> tuple[Answer, ...]:
    """Return the answers that the oracle admits in addition to the recommended one."""
    answers = []
    if reply.may_reject:
        answers.append(Answer("rejected"))
    if reply.may_accept:
        answers.append(Answer("valid"))
    # no operation of a campaign admits anything else than URLs and components
    for admitted in reply.also:
        if isinstance(admitted, str):
            answers.append(Answer("url", text=admitted))
        elif isinstance(admitted, dict):
            answers.append(recorded_answer({"status": "ok", "components": admitted}, tells_empty=True))
    return tuple(answers)
