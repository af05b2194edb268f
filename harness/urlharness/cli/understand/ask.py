"""The command `ask`: one text put to every library found here, and the answers in groups of equal ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, NamedTuple

import click
import msgspec
from rich.console import Console
from rich.text import Text

from urlharness.adapters.builds import status
from urlharness.adapters.catalogue import catalogue
from urlharness.adapters.registry import BUNDLED, Adapter, NotInstalled, find
from urlharness.cli.output import busy, console
from urlharness.engine.client import open_client
from urlharness.exitcodes import Exit
from urlharness.limits import Abnormal, AdapterDead, Limits
from urlharness.protocol.messages import Hello, Question, Reply
from urlharness.text import counted, plain
from urloracle.errors import InvalidURL
from urloracle.operations import resolve
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification, Unsupported

#: The components of an answer, in the order of a URL; `authority` is their sum.
COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")

#: Libraries are started in this many threads, which mostly wait.
_THREADS = 6

_LIMITS = Limits(start=20.0, case=5.0)


class LibraryAnswer(NamedTuple):
    """The answer of one library to a text.

    `kind` is `parsed` (with `components`), `valid` (it tells only validity), `resolved` (with `url`),
    `rejected`, `not offered`, or how it ended, such as `crash`. `message` is the library's own.
    """

    name: str
    kind: str
    components: Mapping[str, str | None] = {}
    url: str = ""
    message: str = ""


class AnswerGroup(NamedTuple):
    """Libraries with the same answer; `components` are all that one of them shows."""

    kind: str
    components: Mapping[str, str | None]
    url: str
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The answer in one line: host first, then the rest."""
        if self.kind != "parsed":
            return plain(self.url) or {"rejected": "reject", "valid": "accept"}.get(self.kind, self.kind)
        order = ("host", "port", "userinfo", "path", "query", "fragment", "scheme")
        shown = [(name, self.components[name]) for name in order if name in self.components]
        parts = [f"{name} {plain(value) or '(empty)'}" for name, value in shown if value is not None]
        return "  ".join(parts if self.components.get("host") else ["no host", *parts])


@click.command()
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
@click.option("-a", "--adapter", "names", multiple=True, metavar="NAME", help="Ask only these adapters.")
@click.option("--base", metavar="URL", help="Resolve TEXT against this base instead of parsing it.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each text.")
def ask(texts: tuple[str, ...], names: tuple[str, ...], base: str | None, as_json: bool) -> int:
    """Ask every library found here what it makes of TEXT, and group equal answers; `-` reads lines.

    First comes what each RFC says. A group joins libraries whose answers agree in every component that both
    show. Exit with 1 if two libraries that accept a text see different hosts.
    """
    adapters = [find(name) for name in dict.fromkeys(names)] or available()
    lines = list(_lines(texts))
    with busy(f"asking {counted(len(adapters), 'library', 'libraries')}"):
        answers = ask_all(adapters, lines, base)
    out, differs = console(), False
    for number, text in enumerate(lines):
        own = [found[number] for found in answers]
        groups = group_answers(own)
        differs |= len(hosts(groups)) > 1
        if as_json:
            click.echo(json.dumps(_as_json(text, base, groups, own)))
        else:
            _print(out, text, base, groups, own)
    return Exit.FAILED if differs else Exit.PASSED


def _lines(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if text == "-":
            yield from (line.rstrip("\r\n") for line in sys.stdin)
        else:
            yield text


def available() -> list[Adapter]:
    """Return the bundled adapters and the installed libraries, without the reference, which is no library."""
    bundled = [adapter for name, adapter in BUNDLED.items() if name != "reference"]
    return [*bundled, *(find(name) for name, one in catalogue().items() if status(one).state == "installed")]


def ask_all(adapters: Sequence[Adapter], texts: Sequence[str], base: str | None) -> list[list[LibraryAnswer]]:
    """Return the answers of each adapter to each text; an adapter that does not run hides no other."""
    with ThreadPoolExecutor(_THREADS) as pool:
        asked = {
            pool.submit(_ask_one, adapter, texts, base): number for number, adapter in enumerate(adapters)
        }
        found = {asked[future]: future.result() for future in as_completed(asked)}
    return [found[number] for number in range(len(adapters))]


def _ask_one(adapter: Adapter, texts: Sequence[str], base: str | None) -> list[LibraryAnswer]:
    try:
        client = open_client(adapter, _LIMITS, "urlconform")
    except (AdapterDead, NotInstalled) as problem:
        return [LibraryAnswer(adapter.name, "did not start", message=str(problem))] * len(texts)
    try:
        questions = [_question(client.hello, number, text, base) for number, text in enumerate(texts)]
        replies = dict(client.ask([one for one in questions if one is not None]))
    finally:
        client.close()
    order = iter(range(len(replies)))
    return [
        LibraryAnswer(adapter.name, "not offered")
        if one is None
        else _answer(adapter.name, replies[next(order)])
        for one in questions
    ]


def _question(hello: Hello, number: int, text: str, base: str | None) -> Question | None:
    """Return the question for a library: resolve with a base, else parse or, if it cannot, validate."""
    if base is not None:
        offered = "resolve" in hello.ops
        return Question(number, "resolve", "rfc3986", base=base, reference=text) if offered else None
    operation = next((one for one in ("parse", "validate") if one in hello.ops), None)
    return Question(number, operation, "rfc3986", url=text) if operation else None


def _answer(name: str, reply: Reply | Abnormal) -> LibraryAnswer:
    if isinstance(reply, Abnormal):
        return LibraryAnswer(name, reply.outcome, message=reply.detail)
    match reply.status:
        case "reject":
            return LibraryAnswer(name, "rejected", message=reply.message)
        case "unsupported":
            return LibraryAnswer(name, "not offered", message=reply.message)
        case "error":
            return LibraryAnswer(name, "error", message=reply.message)
    if isinstance(reply.url, str):
        return LibraryAnswer(name, "resolved", url=reply.url)
    if reply.components is msgspec.UNSET:
        return LibraryAnswer(name, "valid")
    shown = msgspec.to_builtins(reply.components)
    # "" is what a library shows for an absent component if it cannot tell it from an empty one
    return LibraryAnswer(name, "parsed", {part: shown[part] or None for part in COMPONENTS if part in shown})


# ---- groups


def group_answers(answers: Iterable[LibraryAnswer]) -> list[AnswerGroup]:
    """Return the groups of equal answers, the largest first.

    An answer with fewer components joins the largest group that agrees with it in those that it shows.
    """
    groups: list[AnswerGroup] = []
    for one in sorted(answers, key=lambda one: -len(one.components)):
        fitting = [number for number, group in enumerate(groups) if _agrees(group, one)]
        if fitting:
            number = max(fitting, key=lambda number: len(groups[number].names))
            groups[number] = groups[number]._replace(names=(*groups[number].names, one.name))
        else:
            groups.append(AnswerGroup(one.kind, one.components, one.url, (one.name,)))
    return sorted(groups, key=lambda group: -len(group.names))


def _agrees(group: AnswerGroup, one: LibraryAnswer) -> bool:
    same = (group.kind, group.url) == (one.kind, one.url)
    return same and all(group.components.get(name, value) == value for name, value in one.components.items())


def hosts(groups: Iterable[AnswerGroup]) -> Collection[str | None]:
    """Return the different hosts that libraries see in a text, without regard to case."""
    seen = (group.components["host"] for group in groups if "host" in group.components)
    return {host and host.lower() for host in seen}


# ---- output


def _as_json(
    text: str, base: str | None, groups: Sequence[AnswerGroup], answers: Sequence[LibraryAnswer]
) -> dict[str, Any]:
    readings = {spec.id: reading for spec, reading in _readings(text, base)}
    own = {} if base is None else {"base": base}
    messages = {one.name: one.message for one in answers if one.message}
    return {"text": text, **own, "rfcs": readings, "groups": [one._asdict() for one in groups],
            "messages": messages}  # fmt: skip


def _readings(text: str, base: str | None) -> Iterator[tuple[Specification, str]]:
    """Yield what each RFC says, in words."""
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
    own["host"] = own.get("host") or own.get("net_loc") or own.get("authority")
    rest = {name: own[name] for name in COMPONENTS if name in own}
    return f"valid: {AnswerGroup('parsed', rest, '', ()).text}"


def _print(
    out: Console, text: str, base: str | None, groups: Sequence[AnswerGroup], answers: Sequence[LibraryAnswer]
) -> None:
    """Print the readings of the RFCs, then the groups with the names of their libraries."""
    against = "" if base is None else f"  against {plain(base)}"
    out.print(Text(plain(text) or "(empty)", "bold").append(against, "not bold dim"), soft_wrap=True)
    readings: dict[str, list[str]] = {}
    for spec, reading in _readings(text, base):
        readings.setdefault(reading, []).append(spec.id.removeprefix("rfc"))
    width = max(len(_rfcs(specs)) for specs in readings.values())
    for reading, specs in readings.items():
        style = "red" if reading.startswith("invalid") else "green"
        out.print(Text.assemble((_rfcs(specs).ljust(width), style), "  ", reading), soft_wrap=True)
    out.print()
    digits = len(str(max((len(group.names) for group in groups), default=0)))
    for group in groups:
        head = Text.assemble((f"{len(group.names):{digits}}", "bold"), "  ", (group.text, _style(group)))
        out.print(head, soft_wrap=True)
        for line in Text(", ".join(sorted(group.names)), "dim").wrap(out, max(20, out.width - digits - 4)):
            out.print(Text(" " * (digits + 4)).append_text(line), soft_wrap=True)
    for one in answers:
        if one.message and one.kind not in ("rejected", "not offered"):
            out.print(Text(f"{one.name}: {one.kind}: {plain(one.message)}", "yellow"), soft_wrap=True)
    if len(seen := hosts(groups)) > 1:
        names = ", ".join(sorted("none" if host is None else plain(host) for host in seen))
        out.print(Text(f"Those that accept it see {len(seen)} hosts: {names}", "bold red"), soft_wrap=True)
    out.print()


def _rfcs(specs: Sequence[str]) -> str:
    return f"RFC {', '.join(specs)}"


def _style(group: AnswerGroup) -> str:
    return (
        "red" if group.kind == "rejected" else "" if group.kind in ("parsed", "valid", "resolved") else "dim"
    )
