"""`urlconform repro`: one case put to one adapter, the verdict, the exchange, and a line to paste."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
from msgspec import structs

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase, find
from urlharness.cli.config import elsewhere
from urlharness.cli.options import Seconds
from urlharness.cli.output import console
from urlharness.corpus.jsonl import stated
from urlharness.corpus.model import Case, Corpus, Requirement, explained
from urlharness.doctor.pasting import Step, clean, one_by_one, piped, served, unstarted
from urlharness.engine.diagnosis import kept, not_started
from urlharness.engine.recording import Exchange, exchange, recorded
from urlharness.exitcodes import Exit
from urlharness.limits import AdapterDead, Limits
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome
from urlharness.runner import ConnectedAdapter, question
from urlharness.text import clipped, escaped, logged, signal_name, well_formed

_LONGEST = 20_000  # characters of one text that are shown


_DEAD = Outcome.ABORTED  # the outcome of a case that could not be asked


_SILENT = (Outcome.TIMEOUT, Outcome.NO_ANSWER, _DEAD)


class _Found(NamedTuple):
    """A case, the corpus with its requirement, and the features that no verdict counts on."""

    corpus: Corpus
    case: Case
    blind: tuple[str, ...] = ()


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("identifier", metavar="ID")
@click.option("-a", "--adapter", "name", required=True, metavar="ADAPTER", help="The adapter to ask.")
@click.option("--timeout", type=Seconds(), default=5.0, show_default=True,
              metavar="S", help="Seconds for the answer.")  # fmt: skip
@click.option("--start-timeout", type=Seconds(), default=30.0, show_default=True,
              metavar="S", help="Seconds for the adapter to say hello.")  # fmt: skip
@click.option("--vectors", type=click.Path(path_type=Path, exists=True), metavar="PATH",
              help="The corpus that has the ID: a directory, or a foreign one in a file.")  # fmt: skip
def repro(identifier: str, name: str, timeout: float, start_timeout: float, vectors: Path | None) -> int:
    """Put the case ID to an adapter and show what was asked, what came back and what was expected.

    The exchange is what went over the wire, and `by hand` a line to paste that does it again.
    """
    try:
        return _repro(find(name), _found(identifier, vectors), Limits(start_timeout, timeout))
    except AdapterDead as dead:
        hint = elsewhere(name)
        raise AdapterDead(f"{dead}; {hint}" if hint else str(dead)) from None


def _repro(adapter: Adapter, found: _Found, limits: Limits) -> Exit:
    """Ask, and print all of it; raises AdapterDead where it was not asked."""
    result, wire = _asked(adapter, found, limits)
    case = found.case
    requirement = found.corpus.requirements.get(case.vector.requirement) or stated(case)
    shown = (
        ("case", case.vector.id),
        ("requirement", f"{requirement.statement} ({requirement.id})"),
        ("place", _place(case, requirement)),
        *(("flag", flag) for flag in explained(case.flags)),
        ("binding", case.vector.binding + (f", {case.vector.ruling}" if case.vector.ruling else "")),
        ("question", _question(case)),
        ("answer", _json(result.got) if result.got else "none"),
        ("expected", _json(case.vector.expect)),
        ("outcome", " ".join(filter(None, (result.outcome, result.variant, result.detail)))),
        # a mark before each line, lest what was written there looks like a part of the exchange
        *_rows("stderr", (f"| {line}" for line in _lines(clipped(result.stderr.strip(), _LONGEST)))),
        *_rows("exchange", _told(adapter, wire)),
    )
    out = console()
    for label, text in shown:
        if text:
            out.print(logged(f"{label:12}{clipped(text, _LONGEST)}"), soft_wrap=True)
    out.print(logged(f"{'by hand':12}{_by_hand(adapter, result, wire)}"), soft_wrap=True)
    if result.outcome == _DEAD:
        raise AdapterDead(f"{adapter.name}: {result.detail}")
    return Exit.FAILED if result.outcome.failing else Exit.PASSED


def _asked(adapter: Adapter, found: _Found, limits: Limits) -> tuple[Result, Exchange]:
    """The result of a case, judged as in a run, and what went over the wire.

    It is aborted where the adapter was never asked: it did not start, or said no hello.
    """
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "exchange"
        result = _result(recorded(adapter, log), found, limits)
        wire = exchange(log)
    if wire.problem and not isinstance(adapter, InProcess):
        command = adapter.command() if isinstance(adapter, Program) else adapter.command
        return _unasked(adapter.name, found, not_started(command, wire.problem)), wire
    return result, wire


def _result(adapter: Adapter, found: _Found, limits: Limits) -> Result:
    try:
        opened = ConnectedAdapter(adapter, limits, found.blind)
    except AdapterDead as dead:
        return _unasked(adapter.name, found, well_formed(str(dead)), kept(dead.stderr))
    try:
        return opened.ask_one(found.case)
    finally:
        opened.close()


def _unasked(name: str, found: _Found, why: str, stderr: str = "") -> Result:
    return Result(found.case.vector.id, name, _DEAD, detail=why, stderr=stderr)


def _question(case: Case) -> str:
    """What is asked, without the type and the id, which belong to the exchange."""
    fields = msgspec.to_builtins(question(case))
    return _json({name: fields[name] for name in fields if name not in ("type", "id")})


def _json(value: object) -> str:
    """JSON that may be shown in any log, and pasted."""
    return escaped(msgspec.json.encode(value).decode())


def _rows(label: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each text with its label, which only the first one has."""
    return zip(chain((label,), repeat("")), texts, strict=False)


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _told(adapter: Adapter, wire: Exchange) -> Iterator[str]:
    for line in wire.lines:
        text = escaped(line.octets.decode("utf-8", "backslashreplace")).removesuffix("\r")
        yield f"{line.direction} {text}{'' if line.ended else ' (the line does not end)'}"
    if isinstance(adapter, ProgramPerCase) and wire.status is not None:  # it is the answer
        killed = wire.status < 0
        yield f"<- killed by {signal_name(-wire.status)}" if killed else f"<- exit code {wire.status}"
    elif not wire.answered:
        yield "<- nothing"


def _by_hand(adapter: Adapter, result: Result, wire: Exchange) -> str:
    """A line for bash that does the exchange again, without the harness wherever it can.

    Where no answer came, its input stays open a while: at its end an adapter may write what it kept back.
    """
    asked = (line.octets.decode("utf-8", "surrogateescape") for line in wire.lines if line.direction == "->")
    sent = [Step(f"{escaped(line)}\n".encode("utf-8", "surrogateescape")) for line in asked]
    match adapter:
        case ProgramPerCase() if not wire.problem:
            return one_by_one([step.octets for step in sent[:1]] or [b""], clean(adapter.command))
        case ProgramPerCase():
            return unstarted(adapter.command)
        case Program() if wire.problem:
            return unstarted(adapter.command())
        case InProcess():
            return piped(sent, served(adapter.name))
        case Program():
            silent = result.outcome in _SILENT and not (result.outcome == _DEAD and wire.answered)
            return piped(sent, clean(adapter.command()), wait=silent and wire.status is None)


def _found(identifier: str, vectors: Path | None) -> _Found:
    """The case of this id: stored, generated, or of another corpus."""
    from urlharness.corpus.foreign import load as load_foreign
    from urlharness.corpus.loader import load

    blind: tuple[str, ...] = ()
    if vectors is None or vectors.is_dir():
        corpus = load(vectors)
    else:
        other = load_foreign(vectors)
        corpus, blind = other.corpus, other.blind
    for case in corpus.cases:
        if case.vector.id == identifier:
            return _Found(corpus, case, blind)
    if vectors is None and (generated := _generated(corpus, identifier)):
        return generated
    hint = _hint(identifier, [case.vector.id for case in corpus.cases])
    raise click.BadParameter(f"no vector named {identifier!r}{hint}", param_hint="ID")


def _generated(corpus: Corpus, identifier: str) -> _Found | None:
    from urlharness.generate.tiers import cases, part_of, requirement

    part = part_of(identifier)
    if part is None:
        return None
    stated = requirement(part)
    known = structs.replace(corpus, requirements={**corpus.requirements, stated.id: stated})
    return next((_Found(known, case) for case in cases(part) if case.vector.id == identifier), None)


def _hint(identifier: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(identifier, known, n=1, cutoff=0.8)
    return f"; did you mean {near[0]}?" if near else ""


def _place(case: Case, requirement: Requirement) -> str:
    """Where the requirement stands; that of a generated case is a whole section, that of others a file."""
    if case.vector.level == "note" and not requirement.digest:
        return f"{case.file}, section {requirement.section}"
    place = f"RFC {case.spec.removeprefix('rfc')}, section {requirement.section}"
    return f"{place}, paragraph {requirement.paragraph}" if requirement.paragraph else place
