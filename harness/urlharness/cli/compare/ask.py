"""The command `ask`, which asks every library found here about a text and groups equal answers."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any, NamedTuple

import click
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from urlharness.adapters.registry import Adapter, available_adapters
from urlharness.cli.browsers import browser_answer
from urlharness.cli.options import library_named
from urlharness.cli.oracle_options import print_json, spec_option
from urlharness.cli.output import busy, console, print_stderr
from urlharness.corpus.specifications import DEFAULT_SPEC, answering_specs, facts
from urlharness.exitcodes import Exit
from urlharness.panel.answer import Answer, AnswerGroup, distinct_hosts, grouped
from urlharness.panel.panel import AdapterAnswers, Panel, TextQuestions
from urlharness.panel.spelling import COMPONENTS
from urlharness.text import is_well_formed, logged, plain, visible, without_commands
from urlharness.wording import counted
from urloracle.errors import InvalidURL
from urloracle.nearest import zone_in_words
from urloracle.operations import resolve
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification, Unsupported

#: By which RFC libraries are asked about a text that may be an IRI.
_ASKED_AS_URLS = "The libraries are asked by RFC 3986. --spec rfc3987 asks those that claim RFC 3987 by it."

#: How many times per second the answers so far are drawn.
_REFRESH = 8

#: The lines of a terminal below the answers so far: that of progress, and that of the cursor.
_LINES_BELOW_ANSWERS = 2

#: The columns that a list of libraries is indented by, besides the digits of their number.
_INDENT = 4

#: The minimum width of a list of libraries.
_LEAST_WIDTH = 20


class _TextAnswers(NamedTuple):
    """A text, the base to resolve it against, if any, and the pairs (name of a library, its answer)."""

    text: str
    base: str | None
    named: Sequence[tuple[str, Answer]]

    @property
    def groups(self) -> list[AnswerGroup]:
        """The groups of equal answers, the largest first.

        Libraries that show components, but no host, are not in one group with libraries that show a host:
        nobody knows which host they see.
        """
        with_host: list[tuple[str, Answer]] = []
        without_host: list[tuple[str, Answer]] = []
        for name, answer in self.named:
            hides_host = answer.kind == "parsed" and "host" not in answer.components
            comparable_answers = without_host if hides_host else with_host
            comparable_answers.append((name, answer))
        groups = [*grouped(with_host), *grouped(without_host)]
        return sorted(groups, key=lambda group: -len(group.names))


@click.command()
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
@click.option("-a", "--adapter", "names", multiple=True, metavar="NAME", help="Ask only these adapters.")
@click.option("--base", metavar="URL", help="Resolve TEXT against this base instead of parsing it.")
@spec_option(text="Ask by this RFC (default: rfc3986); by rfc3987, only libraries that claim it.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each text.")
def ask(
    texts: tuple[str, ...],
    names: tuple[str, ...],
    base: str | None,
    spec: Specification | None,
    as_json: bool,
) -> int:
    """Ask every library found here to parse TEXT, and group equal answers.

    If TEXT is `-`, each line of stdin is a text. The answers of the RFCs and of browsers come first. Two
    libraries are in one group if their answers agree in every component that both show, and if both or
    neither show the host. Exit with 1 if two libraries that accept a text see hosts that differ by more than
    spelling, and with 3 if an adapter that you name does not start.
    """
    adapters = [library_named(name) for name in dict.fromkeys(names)] or available_adapters()
    questions = TextQuestions(list(_read_texts(texts)), base, spec=None if spec is None else spec.id)
    out = console()
    out_for_progress = None if as_json else out
    libraries = _ask(out_for_progress, adapters, questions)
    hosts_differ = False
    for number, answers in enumerate(_answers_by_text(questions, libraries)):
        groups = answers.groups
        if len(_accepted_hosts(groups)) > 1:
            hosts_differ = True
        if as_json:
            print_json(_answers_as_json(answers, groups))
            continue
        remarks = []
        if number == 0:
            remarks.append(f"{facts(DEFAULT_SPEC).precedence}.")
        if spec is None and not answers.text.isascii():
            remarks.append(_ASKED_AS_URLS)
        for line in _lines_about_text(out, answers, groups, remarks):
            out.print(line, soft_wrap=True)
    missing = [library for library in libraries if names and library.problem]
    for library in missing:
        print_stderr(logged(f"urlconform: {library.name}: {library.problem}"))
    if missing:
        return Exit.ADAPTER_DEAD
    return Exit.FAILED if hosts_differ else Exit.PASSED


def _read_texts(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts. A `-` becomes the lines of stdin, of which the ends are no part of a text."""
    for text in texts:
        if text == "-":
            for line in sys.stdin.buffer:
                yield line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")
        else:
            yield text


def _ask(out: Console | None, adapters: Sequence[Adapter], questions: TextQuestions) -> list[AdapterAnswers]:
    """Ask all adapters. On a terminal, show the groups that fit while answers are still coming in.

    If `out` is None, no groups are shown.
    """
    panel = Panel(adapters)
    count = counted(len(adapters), "library", "libraries")
    if out is None or not out.file.isatty() or out.color_system is None:
        with busy(f"asking {count}"):
            return panel.ask(questions)
    libraries: list[AdapterAnswers] = []  # those that have answered: it grows while they are drawn
    view = partial(_view_of_answers, out, questions, libraries, count)
    with Live(get_renderable=view, console=out, transient=True, refresh_per_second=_REFRESH):
        return panel.ask(questions, libraries.append)


def _view_of_answers(
    out: Console, questions: TextQuestions, libraries: Sequence[AdapterAnswers], count: str
) -> RenderableType:
    """Return the answers so far, as far as they fit above the line of progress and the cursor.

    `count` is the number of all libraries in words.
    """
    answering = tuple(libraries)  # another thread adds to them
    most_lines = max(1, out.height - _LINES_BELOW_ANSWERS)
    lines = islice(_lines_about_all(out, questions, answering), most_lines)
    progress = Text(f"{len(answering)} of {count} answered", "dim")
    return Text("\n", no_wrap=True, overflow="ellipsis").join([*lines, progress])


def _answers_by_text(questions: TextQuestions, libraries: Sequence[AdapterAnswers]) -> Iterator[_TextAnswers]:
    """Yield the answers to each text, in the order of the questions."""
    for number, text in enumerate(questions.texts):
        named = [(library.name, library.answers[number]) for library in libraries]
        yield _TextAnswers(text, questions.base, named)


def _accepted_hosts(groups: Iterable[AnswerGroup]) -> Collection[str | None]:
    """Return the different hosts of a text. Only answers that accept it have components."""
    return distinct_hosts(group.answer for group in groups)


# ---- the answers of the RFCs


@lru_cache(maxsize=64)
def _readings(text: str, base: str | None) -> Mapping[str, str]:
    """Return the answer of each RFC in words by its id, in the order in which people read them.

    It is cached, because the same text is shown again and again while answers come in.
    """
    specs = answering_specs(text, base or "")
    return {spec: _reading_in_words(SPECIFICATIONS[spec], text, base) for spec in specs}


def _reading_in_words(spec: Specification, text: str, base: str | None) -> str:
    """Return the answer of an RFC in words: components, or a target if there is a base."""
    try:
        return _answer_in_words(spec, text, base)
    except InvalidURL as problem:
        return f"invalid: {problem.fault}"
    except Unsupported as unsupported:
        return str(unsupported)


def _answer_in_words(spec: Specification, text: str, base: str | None) -> str:
    """Return the components of a text or, with a base, its targets in words.

    Raise InvalidURL if the RFC refuses the text, and Unsupported if it defines no answer.
    """
    if base is None:
        return _components_in_words(spec, text)
    return _targets_in_words(spec, base, text)


def _zone_in_words(text: str, base: str | None) -> str:
    """Return a clause on zones if RFC 3986 refuses a text because of the zone of an IPv6 address, or ""."""
    spec = SPECIFICATIONS[DEFAULT_SPEC]
    try:
        _answer_in_words(spec, text, base)
    except InvalidURL as problem:
        return zone_in_words(problem)
    return ""


def _targets_in_words(spec: Specification, base: str, text: str) -> str:
    """Return the admissible targets in words, the recommended one first, each once."""
    resolution = resolve(base, text, spec)
    admitted = [resolution.text, *(alternative.text for alternative in resolution.also)]
    words = [plain(url) if url else "an error" for url in admitted]
    return " or ".join(dict.fromkeys(words))


def _components_in_words(spec: Specification, text: str) -> str:
    """Return the components that are texts or absent, in words, without an authority whose host is shown."""
    components = spec.asdict(spec.parse(text))
    parts: dict[str, str | None] = {
        name: part for name, part in components.items() if part is None or isinstance(part, str)
    }
    if "host" not in parts:
        # the RFC does not divide authorities, so it has a host only if it has an authority
        authority = parts.get("net_loc", parts.get("authority"))
        parts["authority"] = authority
        if authority is None:
            parts["host"] = None
    elif parts["host"] is not None:
        parts.pop("authority", None)
    in_order = {name: parts[name] for name in ("authority", *COMPONENTS) if name in parts}
    return f"valid: {Answer('parsed', in_order).in_words()}"


# ---- output


def _answers_as_json(answers: _TextAnswers, groups: Sequence[AnswerGroup]) -> dict[str, Any]:
    """Return the answers to a text as JSON data. Of the messages, empty ones are left out.

    `groups` are those of the answers. The caller has them, and to group a second time would take as long.
    """
    document: dict[str, Any] = dict(_text_fields("text", answers.text))
    if answers.base is not None:
        document |= _text_fields("base", answers.base)
    document["rfcs"] = dict(_readings(answers.text, answers.base))
    document["browsers"] = browser_answer(answers.text, answers.base).words
    document["groups"] = [_group_as_json(group) for group in groups]
    document["messages"] = {name: answer.message for name, answer in answers.named if answer.message}
    return document


def _text_fields(key: str, text: str) -> dict[str, str]:
    """Return the field of a text in JSON. If it has bytes that are no UTF-8, another one has them in hex."""
    readable = _representable(text)
    fields = {key: readable}
    if readable != text:
        fields[f"{key}_hex"] = text.encode("utf-8", "surrogateescape").hex()
    return fields


def _representable(text: str) -> str:
    """Return the text, or its visible form if it has lone surrogates: they are no characters in JSON."""
    return text if is_well_formed(text) else visible(text)


def _group_as_json(group: AnswerGroup) -> dict[str, Any]:
    """Return a group as JSON data. If it has no answer, its kind says how the adapters ended."""
    answer = group.answer
    components: dict[str, str | None] = {}
    for name, part in answer.components.items():
        components[name] = None if part is None else _representable(part)
    return {
        "kind": answer.text if answer.kind == "none" else answer.kind,
        "components": components,
        "url": _representable(answer.text) if answer.kind == "url" else "",
        "names": group.names,
    }


def _lines_about_all(
    out: Console, questions: TextQuestions, libraries: Sequence[AdapterAnswers]
) -> Iterator[Text]:
    """Yield the lines about all texts, with the answers of the libraries that have answered."""
    for answers in _answers_by_text(questions, libraries):
        yield from _lines_about_text(out, answers, answers.groups)


def _lines_about_text(
    out: Console, answers: _TextAnswers, groups: Sequence[AnswerGroup], remarks: Sequence[str] = ()
) -> Iterator[Text]:
    """Yield the lines about a text: the answers of the RFCs and of browsers, then the groups of libraries.

    `remarks` come between them.
    """
    against = "" if answers.base is None else f"  against {visible(answers.base)}"
    title = without_commands(visible(answers.text)) or "(empty)"
    yield Text(title, "bold").append(without_commands(against), "not bold dim")
    yield from _reading_lines(answers)
    for remark in remarks:
        yield Text(remark, "dim")
    yield Text()
    yield from _group_lines(out, groups)
    for name, answer in answers.named:
        if answer.message and answer.kind == "none":
            yield Text(logged(f"{name}: {answer.text}: {answer.message}"), "yellow")
    accepted_hosts = _accepted_hosts(groups)
    if len(accepted_hosts) > 1:
        names = ", ".join(sorted(map(_host_in_words, accepted_hosts)))
        line = f"The libraries that accept it see {len(accepted_hosts)} hosts: {names}"
        yield Text(without_commands(line), "bold red")
    yield Text()


def _reading_lines(answers: _TextAnswers) -> Iterator[Text]:
    """Yield a line for each reading, with the RFCs that share it, and one for the answer of browsers."""
    readings = _readings(answers.text, answers.base)
    numbers_by_reading: dict[str, list[str]] = {}
    for spec, reading in readings.items():
        numbers_by_reading.setdefault(reading, []).append(spec.removeprefix("rfc"))
    zone = _zone_in_words(answers.text, answers.base)
    rows: list[tuple[str, str]] = []
    for reading, numbers in numbers_by_reading.items():
        rows.append((f"RFC {', '.join(numbers)}", reading))
        if zone and len(rows) == 1:  # below RFC 3986, which comes first
            rows.append(("", zone))
    browsers = browser_answer(answers.text, answers.base)
    rows.append((browsers.label, browsers.words))
    width = max(len(title) for title, _ in rows)
    for title, reading in rows:
        style = _style_of_title(title, reading)
        yield Text.assemble((title.ljust(width), style), "  ", without_commands(reading))


def _style_of_title(title: str, reading: str) -> str:
    """Return the style of the title of a reading: red for a refusal, dim for the note below one."""
    if reading.startswith(("invalid", "refuse")):
        return "red"
    return "green" if title else "dim"


def _group_lines(out: Console, groups: Sequence[AnswerGroup]) -> Iterator[Text]:
    """Yield for each group its size and answer, and then the names of its libraries."""
    largest = max((len(group.names) for group in groups), default=0)
    digits = len(str(largest))
    indent = digits + _INDENT
    width = max(_LEAST_WIDTH, out.width - indent)
    for group in groups:
        size = f"{len(group.names):{digits}}"
        words = without_commands(group.answer.in_words())
        yield Text.assemble((size, "bold"), "  ", (words, _style_of_answer(group.answer)))
        names = ", ".join(sorted(group.names))
        for line in Text(names, "dim").wrap(out, width):
            yield Text(" " * indent).append_text(line)


def _host_in_words(host: str | None) -> str:
    """Return a host in words, also if it is empty or there is none."""
    if host is None:
        return "none"
    return visible(host) or "(empty)"


def _style_of_answer(answer: Answer) -> str:
    """Return the style of an answer: red for a refusal, dim for a missing answer."""
    if answer.accepts:
        return ""
    return "red" if answer.kind == "rejected" else "dim"
