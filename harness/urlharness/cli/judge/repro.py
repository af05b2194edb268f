"""The command `repro`: ask an adapter one case, and print the verdict and the exchange."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from urlharness.adapters.registry import Adapter, InProcess, ProgramPerCase, find
from urlharness.cli.exam import Exam, load_exam
from urlharness.cli.options import CaseOptions, ExistingPath, start_timeout_option, timeout_option
from urlharness.cli.output import console
from urlharness.corpus.describe import describe_place
from urlharness.corpus.jsonl import requirement_of
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH, abbreviated
from urlharness.corpus.model import Case, Requirement, explain_flags
from urlharness.corpus.selection import Selection, spec_name
from urlharness.corpus.specifications import DEFAULT_SPEC, Spec
from urlharness.exitcodes import Exit
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome
from urlharness.runner import ConnectedAdapter, question
from urlharness.sessions.process import Recording, stderr_tail
from urlharness.shell import wire_input_command
from urlharness.text import clipped, escaped_json, logged, well_formed
from urlharness.wording import did_you_mean, signal_name

#: The fields of a question that the page shows only in the exchange.
_PROTOCOL_FIELDS = ("type", "id")

#: Longer texts are cut after this many characters.
_MAX_PRINTED_LENGTH = 20_000

#: The width of the labels.
_MARGIN = 12

#: The labels of prose, which is broken between words on a terminal. JSON and commands are never broken.
_PROSE = ("requirement", "place", "flag", "outcome")


class _SelectedCase(NamedTuple):
    """A case and its requirement. `blind` names the features that verdicts on the case ignore."""

    case: Case
    requirement: Requirement
    blind: tuple[str, ...] = ()


@click.command()
@click.argument("identifier", metavar="ID")
@click.option("-a", "--adapter", "name", required=True, metavar="ADAPTER", help="The adapter to ask.")
@timeout_option("the answer")
@start_timeout_option()
@click.option(
    "--vectors",
    type=ExistingPath(path_type=Path),
    metavar="PATH",
    help="Use the corpus in this directory, or the foreign corpus in this file.",
)
@click.option(
    "--spec",
    default=DEFAULT_SPEC,
    show_default=True,
    metavar="RFC",
    help="The RFC of a named difference, which has a case for each RFC.",
)
@click.option("--whole", is_flag=True, help="Print long texts whole.")
def repro(
    identifier: str,
    name: str,
    timeout: float,
    start_timeout: float,
    vectors: Path | None,
    spec: str,
    whole: bool,
) -> int:
    """Ask an adapter one case, and show the exchange and the verdict.

    `exchange` shows the lines that were written to the adapter and read from it. `by hand` is a command that
    repeats the exchange.
    """
    from urlharness.report.terminal import print_labelled

    adapter = find(name)
    selected = _find_case(identifier, vectors, spec)
    recording = Recording()
    answer = _ask(adapter, selected, Limits(start=start_timeout, case=timeout), recording, whole=whole)
    out = console()
    for label, texts in _lines_by_label(adapter, selected, answer, recording, whole=whole).items():
        margin = f"{label:{_MARGIN}}"
        for text in texts:
            content = text if whole else clipped(text, _MAX_PRINTED_LENGTH)
            print_labelled(out, margin, logged(content), whole=label not in _PROSE)
            margin = " " * _MARGIN  # further lines have no label
    if answer.outcome is Outcome.ABORTED:
        raise AdapterDead(f"{adapter.name}: {answer.detail}")
    return Exit.FAILED if answer.outcome.failing else Exit.PASSED


# ---- the case


def _find_case(identifier: str, vectors: Path | None, spec: str) -> _SelectedCase:
    """Return the case with this id from the corpus, the named differences of an RFC, or a generated tier.

    Raise a usage error if the id is unknown.
    """
    exam = load_exam(CaseOptions(Selection(), ("core",), vectors))
    if vectors is None and identifier.startswith("difference-"):
        exam = _with_differences(exam, spec)
    for case in exam.cases:
        if case.vector.id == identifier:
            requirement = exam.corpus.requirements.get(case.vector.requirement)
            if requirement is None:  # a foreign corpus has no requirements
                requirement = requirement_of(case.section, case.vector)
            return _SelectedCase(case, requirement, exam.blind)
    generated = _generated_case(identifier) if vectors is None else None
    if generated is not None:
        return generated
    hint = did_you_mean(identifier, [case.vector.id for case in exam.cases])
    raise click.BadParameter(f"no vector named {identifier!r}. {hint}", param_hint="ID")


def _with_differences(exam: Exam, spec: str) -> Exam:
    """Return the exam with the named differences of an RFC, as `compare` asks them."""
    from urlharness.compare.questions import with_differences

    spec_id: Spec = spec_name(spec)
    cases_of_spec = [case for case in exam.cases if case.spec == spec_id]
    corpus, cases = with_differences(exam.corpus, cases_of_spec, spec_id)
    return replace(exam, corpus=corpus, cases=cases)


def _generated_case(identifier: str) -> _SelectedCase | None:
    """Return the case with this id from a generated tier, or None if it is in none."""
    from urlharness.generate.tiers import cases, part_of, requirement

    part = part_of(identifier)
    if part is None:
        return None
    for case in cases(part):
        if case.vector.id == identifier:
            return _SelectedCase(case, requirement(part))
    return None


def _ask(
    adapter: Adapter, selected: _SelectedCase, limits: Limits, recording: Recording, *, whole: bool
) -> Result:
    """Ask an adapter a case, and return the result. Long texts in it are abbreviated unless `whole`.

    The exchange is added to `recording`. The outcome is `aborted` if the adapter does not start.
    """
    case = selected.case
    try:
        connected = ConnectedAdapter(adapter, limits, selected.blind, recording, whole=whole)
    except AdapterDead as dead:
        return Result(
            case.vector.id,
            adapter.name,
            Outcome.ABORTED,
            detail=well_formed(str(dead)),
            stderr=stderr_tail(dead.stderr),
        )
    with closing(connected):
        return connected.ask_one(case)


# ---- the page


def _lines_by_label(
    adapter: Adapter, selected: _SelectedCase, answer: Result, recording: Recording, *, whole: bool
) -> dict[str, Iterable[str]]:
    """Return the lines of each label, in the order of the page. A label without lines is not printed."""
    case = selected.case
    vector = case.vector
    requirement = selected.requirement
    fields: dict[str, Any] = msgspec.to_builtins(question(case))
    asked_fields = {name: field for name, field in fields.items() if name not in _PROTOCOL_FIELDS}
    reply = _as_json(answer.got, whole=whole) if answer.got else "none"
    command = _command_by_hand(adapter, recording)
    stderr = clipped(answer.stderr.strip(), _MAX_PRINTED_LENGTH)
    # marked, because stderr must not look like a part of the exchange
    marked_stderr = [f"| {line}" for line in stderr.splitlines()]
    return {
        "case": [vector.id],
        "requirement": [f"{requirement.statement} ({requirement.id})"],
        "place": [describe_place(case, requirement)],
        "flag": explain_flags(case.flags),
        "binding": [_join_words(", ", vector.binding, vector.ruling)],
        "question": [_as_json(asked_fields, whole=whole)],
        "answer": [reply],
        "expected": [_as_json(vector.expect, whole=whole)],
        "outcome": [_join_words(" ", answer.outcome, answer.variant, answer.detail)],
        "stderr": marked_stderr,
        "exchange": _exchange_lines(adapter, recording, whole=whole),
        "by hand": [command] if command else [],
    }


def _join_words(separator: str, *words: str | None) -> str:
    """Join words, without those that are empty or None."""
    return separator.join(filter(None, words))


def _as_json(message: object, *, whole: bool) -> str:
    """Return a message as JSON for a reader, escaped for logs. Long texts are abbreviated unless `whole`.

    Bytes that are not UTF-8 become a text in which each of them is a surrogate. Such a text is no JSON, and
    `logged` escapes it.
    """
    content = msgspec.to_builtins(message)
    if not whole:
        content = abbreviated(content)
    text = json.dumps(_with_bytes_as_text(content), ensure_ascii=False, separators=(",", ":"))
    return escaped_json(text)


def _with_bytes_as_text(content: Any) -> Any:
    """Return JSON data in which texts replace bytes, which the protocol writes as `{"hex": "ff"}`."""
    match content:
        case {"hex": str(digits)}:
            return bytes.fromhex(digits).decode("utf-8", "surrogateescape")
        case dict():
            return {name: _with_bytes_as_text(member) for name, member in content.items()}
        case list() | tuple():
            return [_with_bytes_as_text(element) for element in content]
    return content


def _exchange_lines(adapter: Adapter, recording: Recording, *, whole: bool) -> Iterator[str]:
    """Yield the lines that were written and read, and what came in place of an answer."""
    lines = recording.lines()
    for line in lines:
        content = line.data.decode("utf-8", "backslashreplace") if whole else _with_short_texts(line.data)
        text = escaped_json(content).removesuffix("\r")
        note = "" if line.complete else " (the line was not completed)"
        yield f"{line.direction} {text}{note}"
    status = recording.status
    if isinstance(adapter, ProgramPerCase) and status is not None:  # the exit code is the answer
        if status >= 0:
            yield f"<- exit code {status}"
        else:
            yield f"<- killed by {signal_name(-status)}"
    elif all(line.direction == "->" for line in lines):
        yield "<- nothing"


def _with_short_texts(line: bytes) -> str:
    """Return a line of the exchange as text. If it is long JSON, long texts in it are abbreviated."""
    encoded = line
    if len(line) > MAX_WHOLE_LENGTH:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            encoded = msgspec.json.encode(abbreviated(msgspec.json.decode(line)))
    return encoded.decode("utf-8", "backslashreplace")


def _command_by_hand(adapter: Adapter, recording: Recording) -> str:
    """Return a command that repeats the exchange, or an empty string if it would be too long."""
    written = b"".join(line.data + b"\n" for line in recording.lines() if line.direction == "->")
    match adapter:
        case InProcess():
            return wire_input_command(written, ["urlconform", "serve", adapter.name])
        case ProgramPerCase():
            line = wire_input_command(written, adapter.command)
            return f'{line}; echo "exit code $?"' if line else ""
    return wire_input_command(written, adapter.command(), adapter.working_folder())
