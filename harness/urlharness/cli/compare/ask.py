"""The command `ask`, which asks every library found here about a text and groups equal answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from urlharness.adapters.registry import Adapter, available, find
from urlharness.cli.output import busy, console, print_stderr
from urlharness.exitcodes import Exit
from urlharness.panel.answer import Answer, AnswerGroup, grouped, hosts
from urlharness.panel.panel import AdapterAnswers, Panel, TextQuestions
from urlharness.panel.spelling import COMPONENTS
from urlharness.text import logged, plain, visible
from urlharness.wording import counted
from urloracle.errors import InvalidURL
from urloracle.operations import resolve
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification, Unsupported

#: How many times per second the answers so far are drawn.
_REFRESH = 8

#: Pairs (name of a library, answer of the library).
_Named = Sequence[tuple[str, Answer]]


@click.command()
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
@click.option("-a", "--adapter", "names", multiple=True, metavar="NAME", help="Ask only these adapters.")
@click.option("--base", metavar="URL", help="Resolve TEXT against this base instead of parsing it.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each text.")
def ask(texts: tuple[str, ...], names: tuple[str, ...], base: str | None, as_json: bool) -> int:
    """Ask every library found here to parse TEXT, and group equal answers.

    If TEXT is `-`, each line of stdin is a text. The answers of the RFCs come first. Two libraries are in one
    group if their answers agree in every component that both show, and if both or neither show the host. Exit
    with 1 if two libraries that accept a text see hosts that differ by more than spelling, and with 3 if an
    adapter that you name does not start.
    """
    adapters = [find(name) for name in dict.fromkeys(names)] or available()
    lines = list(_lines(texts))
    out, differs = console(), False
    answers = _ask(None if as_json else out, adapters, TextQuestions(lines, base))
    for number, text in enumerate(lines):
        own = [(asked.name, asked.answers[number]) for asked in answers]
        groups = _groups(own)
        differs |= len(hosts(group.answer for group in groups)) > 1
        if as_json:
            click.echo(json.dumps(_as_json(text, base, groups, own)))
        else:
            for line in _page(out, text, base, groups, own):
                out.print(line, soft_wrap=True)
    missing = [asked for asked in answers if names and asked.problem]
    for asked in missing:
        print_stderr(logged(f"urlconform: {asked.name}: {asked.problem}"))
    return Exit.ADAPTER_DEAD if missing else Exit.FAILED if differs else Exit.PASSED


def _lines(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if text == "-":
            for line in sys.stdin.buffer:
                yield line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")
        else:
            yield text


def _ask(out: Console | None, adapters: Sequence[Adapter], questions: TextQuestions) -> list[AdapterAnswers]:
    """Ask all adapters. On a terminal, show the groups that fit while answers are still coming in."""
    panel = Panel(adapters)
    count = counted(len(adapters), "library", "libraries")
    if out is None or not out.file.isatty() or out.color_system is None:
        with busy(f"asking {count}"):
            return panel.ask(questions)
    answered: list[AdapterAnswers] = []

    def view() -> RenderableType:
        pages = _pages(out, questions.texts, questions.base, tuple(answered))
        shown = islice(pages, max(1, out.height - 2))
        foot = Text(f"{len(answered)} of {count} answered", "dim")
        return Text("\n", no_wrap=True, overflow="ellipsis").join([*shown, foot])

    with Live(get_renderable=view, console=out, transient=True, refresh_per_second=_REFRESH):
        return panel.ask(questions, answered.append)


def _groups(named: _Named) -> list[AnswerGroup]:
    """Return the groups of equal answers, the largest first.

    Libraries that show components, but no host, are not in one group with libraries that show a host: nobody
    knows which host they see.
    """
    with_host: list[tuple[str, Answer]] = []
    without_host: list[tuple[str, Answer]] = []
    for name, answer in named:
        hides_host = answer.kind == "parsed" and "host" not in answer.components
        (without_host if hides_host else with_host).append((name, answer))
    groups = [*grouped(with_host), *grouped(without_host)]
    return sorted(groups, key=lambda group: -len(group.names))


# ---- output


def _as_json(text: str, base: str | None, groups: Sequence[AnswerGroup], own: _Named) -> dict[str, Any]:
    readings = {spec.id: reading for spec, reading in _readings(text, base)}
    against = {} if base is None else {"base": base}
    shown = [
        {
            "kind": answer.kind if answer.kind != "none" else answer.text,
            "components": answer.components,
            "url": answer.text if answer.kind == "url" else "",
            "names": names,
        }
        for answer, names in groups
    ]
    messages = {name: one.message for name, one in own if one.message}
    return {"text": text, **against, "rfcs": readings, "groups": shown, "messages": messages}


@lru_cache(maxsize=64)
def _readings(text: str, base: str | None) -> Sequence[tuple[Specification, str]]:
    """Return the answer of each RFC in words."""
    return list(_each_reading(text, base))


def _each_reading(text: str, base: str | None) -> Iterator[tuple[Specification, str]]:
    for spec in SPECIFICATIONS.values():
        try:
            yield spec, _resolved(spec, base, text) if base is not None else _parsed(spec, text)
        except InvalidURL as problem:
            yield spec, f"invalid: {problem.fault}"
        except Unsupported as unsupported:
            yield spec, str(unsupported)


def _resolved(spec: Specification, base: str, text: str) -> str:
    found = resolve(base, text, spec)
    return " or ".join(
        dict.fromkeys(plain(one or "an error") for one in (found.text, *(also.text for also in found.also)))
    )


def _parsed(spec: Specification, text: str) -> str:
    parts = spec.asdict(spec.parse(text))
    own: dict[str, str | None] = {
        name: value for name, value in parts.items() if isinstance(value, str | None)
    }
    if "host" not in own:
        own["authority"] = own.get("net_loc", own.get("authority"))
        if own["authority"] is None:
            own["host"] = None  # the RFC has hosts in authorities only
    elif own["host"] is not None:
        own.pop("authority", None)
    rest = {name: own[name] for name in ("authority", *COMPONENTS) if name in own}
    return f"valid: {Answer('parsed', rest).in_words()}"


def _pages(
    out: Console, lines: Sequence[str], base: str | None, answers: Sequence[AdapterAnswers]
) -> Iterator[Text]:
    for number, text in enumerate(lines):
        own = [(asked.name, asked.answers[number]) for asked in answers]
        yield from _page(out, text, base, _groups(own), own)


def _page(
    out: Console, text: str, base: str | None, groups: Sequence[AnswerGroup], own: _Named
) -> Iterator[Text]:
    """Yield the lines about a text: the answers of the RFCs, then the groups with their libraries."""
    against = "" if base is None else f"  against {visible(base)}"
    yield Text(visible(text) or "(empty)", "bold").append(against, "not bold dim")
    readings: dict[str, list[str]] = {}
    for spec, reading in _readings(text, base):
        readings.setdefault(reading, []).append(spec.id.removeprefix("rfc"))
    width = max(len(_rfcs(specs)) for specs in readings.values())
    for reading, specs in readings.items():
        style = "red" if reading.startswith("invalid") else "green"
        yield Text.assemble((_rfcs(specs).ljust(width), style), "  ", reading)
    yield Text()
    digits = len(str(max((len(group.names) for group in groups), default=0)))
    for group in groups:
        words = (group.answer.in_words(), _style(group.answer))
        yield Text.assemble((f"{len(group.names):{digits}}", "bold"), "  ", words)
        for line in Text(", ".join(sorted(group.names)), "dim").wrap(out, max(20, out.width - digits - 4)):
            yield Text(" " * (digits + 4)).append_text(line)
    for name, one in own:
        if one.message and one.kind == "none":
            yield Text(f"{name}: {one.text}: {plain(one.message)}", "yellow")
    if len(seen := hosts(group.answer for group in groups)) > 1:
        names = ", ".join(sorted("none" if host is None else visible(host) or "(empty)" for host in seen))
        yield Text(f"The libraries that accept it see {len(seen)} hosts: {names}", "bold red")
    yield Text()


def _rfcs(specs: Sequence[str]) -> str:
    return f"RFC {', '.join(specs)}"


def _style(answer: Answer) -> str:
    return "" if answer.accepts else "red" if answer.kind == "rejected" else "dim"
