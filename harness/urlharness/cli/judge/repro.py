"""The command `repro`: ask an adapter one case, and print the verdict and the exchange."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from urlharness.adapters.registry import Adapter, InProcess, ProgramPerCase, find
from urlharness.cli.exam import Exam, load_exam
from urlharness.cli.options import CaseOptions, ExistingPath, Seconds
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
from urlharness.shell import wire_input
from urlharness.text import clipped, escaped_json, logged, well_formed
from urlharness.wording import did_you_mean, signal_name

#: Longer texts are cut after this many characters.
_MAX_PRINTED_LENGTH = 20_000

#: The labels of prose, which is broken between words on a terminal. JSON and commands are never broken.
_PROSE = ("requirement", "place", "flag", "outcome")


class _FoundCase(NamedTuple):
    """A case and its requirement. `blind` names the features that verdicts on the case ignore."""

    case: Case
    requirement: Requirement
    blind: tuple[str, ...] = ()


@click.command()
@click.argument("identifier", metavar="ID")
@click.option("-a", "--adapter", "name", required=True, metavar="ADAPTER", help="The adapter to ask.")
@click.option("--timeout", type=Seconds(), default=5.0, show_default=True,
              metavar="S", help="Seconds for the answer.")  # fmt: skip
@click.option("--start-timeout", type=Seconds(), default=30.0, show_default=True,
              metavar="S", help="Seconds for the adapter to say hello.")  # fmt: skip
@click.option("--vectors", type=ExistingPath(path_type=Path), metavar="PATH",
              help="Use the corpus in this directory, or the foreign corpus in this file.")  # fmt: skip
@click.option("--spec", default=DEFAULT_SPEC, show_default=True, metavar="RFC",
              help="The RFC of a named difference, which has a case for each RFC.")  # fmt: skip
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
    adapter, found = find(name), _find_case(identifier, vectors, spec)
    result, recording = _ask(adapter, found, Limits(start_timeout, timeout))
    case, vector, requirement = found.case, found.case.vector, found.requirement
    fields = msgspec.to_builtins(question(case))
    asked = {name: fields[name] for name in fields if name not in ("type", "id")}  # both are in the exchange
    shown = {
        "case": [vector.id],
        "requirement": [f"{requirement.statement} ({requirement.id})"],
        "place": [describe_place(case, requirement)],
        "flag": explain_flags(case.flags),
        "binding": [", ".join(filter(None, (vector.binding, vector.ruling)))],
        "question": [_json(asked, whole=whole)],
        "answer": [_json(result.got, whole=whole) if result.got else "none"],
        "expected": [_json(vector.expect, whole=whole)],
        "outcome": [" ".join(filter(None, (result.outcome, result.variant, result.detail)))],
        # marked, because stderr must not look like a part of the exchange
        "stderr": [f"| {line}" for line in clipped(result.stderr.strip(), _MAX_PRINTED_LENGTH).splitlines()],
        "exchange": _exchange(adapter, recording),
        "by hand": filter(None, [_by_hand(adapter, recording)]),
    }
    from urlharness.report.terminal import print_labelled

    out = console()
    for label, texts in shown.items():
        for number, text in enumerate(texts):
            head, content = (
                f"{'' if number else label:12}",
                logged(text if whole else clipped(text, _MAX_PRINTED_LENGTH)),
            )
            print_labelled(out, head, content, whole=label not in _PROSE)
    if result.outcome is Outcome.ABORTED:
        raise AdapterDead(f"{adapter.name}: {result.detail}")
    return Exit.FAILED if result.outcome.failing else Exit.PASSED


def _ask(adapter: Adapter, found: _FoundCase, limits: Limits) -> tuple[Result, Recording]:
    """Return (result, recording of the exchange). The result is `aborted` if the adapter does not start."""
    recording = Recording()
    try:
        opened = ConnectedAdapter(adapter, limits, found.blind, recording)
    except AdapterDead as dead:
        why, stderr = well_formed(str(dead)), stderr_tail(dead.stderr)
        return Result(
            found.case.vector.id, adapter.name, Outcome.ABORTED, detail=why, stderr=stderr
        ), recording
    try:
        return opened.ask_one(found.case), recording
    finally:
        opened.close()


def _json(value: object, *, whole: bool) -> str:
    """Return a value as JSON for a reader, escaped for logs. Long texts are abbreviated unless `whole`.

    Bytes that are not UTF-8 become a text in which each of them is a surrogate. Such a text is no JSON, and
    `logged` escapes it.
    """
    shown = msgspec.to_builtins(value)
    if not whole:
        shown = abbreviated(shown)
    return escaped_json(json.dumps(_with_bytes_as_text(shown), ensure_ascii=False, separators=(",", ":")))


def _with_bytes_as_text(value: Any) -> Any:
    """Return a JSON value in which texts replace bytes, which the protocol writes as `{"hex": "ff"}`."""
    match value:
        case {"hex": str(digits)}:
            return bytes.fromhex(digits).decode("utf-8", "surrogateescape")
        case dict():
            return {name: _with_bytes_as_text(member) for name, member in value.items()}
        case list() | tuple():
            return [_with_bytes_as_text(element) for element in value]
    return value


def _exchange(adapter: Adapter, recording: Recording) -> Iterator[str]:
    lines = recording.lines()
    for line in lines:
        text = escaped_json(_with_short_texts(line.data)).removesuffix("\r")
        yield f"{line.direction} {text}{'' if line.complete else ' (the line was not completed)'}"
    if isinstance(adapter, ProgramPerCase) and recording.status is not None:  # the exit code is the answer
        status = recording.status
        yield f"<- exit code {status}" if status >= 0 else f"<- killed by {signal_name(-status)}"
    elif all(line.direction == "->" for line in lines):
        yield "<- nothing"


def _with_short_texts(line: bytes) -> str:
    """Return a line of the exchange as text. If it is long JSON, long texts in it are abbreviated."""
    try:
        value = msgspec.json.decode(line) if len(line) > MAX_WHOLE_LENGTH else None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = None
    shown = line if value is None else msgspec.json.encode(abbreviated(value))
    return shown.decode("utf-8", "backslashreplace")


def _by_hand(adapter: Adapter, recording: Recording) -> str:
    """Return a command that repeats the exchange, or an empty string if it would be too long."""
    written = b"".join(line.data + b"\n" for line in recording.lines() if line.direction == "->")
    match adapter:
        case InProcess():
            return wire_input(written, ["urlconform", "serve", adapter.name])
        case ProgramPerCase():
            line = wire_input(written, adapter.command)
            return f'{line}; echo "exit code $?"' if line else ""
    return wire_input(written, adapter.command(), adapter.working_folder())


def _with_differences(asked: Exam, spec: str) -> Exam:
    """Return the exam with the named differences of an RFC, as `compare` asks them."""
    from urlharness.compare.questions import with_differences

    selected: Spec = spec_name(spec)
    of_spec = [case for case in asked.cases if case.spec == selected]
    corpus, cases = with_differences(asked.corpus, of_spec, selected)
    return replace(asked, corpus=corpus, cases=cases)


def _find_case(identifier: str, vectors: Path | None, spec: str) -> _FoundCase:
    """Return the case with this id from the corpus, the named differences of an RFC, or a generated tier.

    Raise a usage error if the id is unknown.
    """
    asked = load_exam(CaseOptions(Selection(), ("core",), vectors))
    if vectors is None and identifier.startswith("difference-"):
        asked = _with_differences(asked, spec)
    for case in asked.cases:
        if case.vector.id == identifier:
            known = asked.corpus.requirements.get(case.vector.requirement)
            blind = asked.foreign.blind if asked.foreign is not None else ()
            return _FoundCase(case, known or requirement_of(case.section, case.vector), blind)
    if vectors is None:
        from urlharness.generate.tiers import cases, part_of, requirement

        if part := part_of(identifier):
            for case in cases(part):
                if case.vector.id == identifier:
                    return _FoundCase(case, requirement(part))
    hint = did_you_mean(identifier, [case.vector.id for case in asked.cases])
    raise click.BadParameter(f"no vector named {identifier!r}. {hint}", param_hint="ID")
